/* Chains as the theta method steps them: folded in the middle, so that beads i and n - 1 - i lie side by side and
 * tridiagonal systems are eliminated from both ends at once. The right half is stored mirrored (displacements and
 * velocities with the other sign), so that both halves read the same. Several chains of equal length may lie side by
 * side. Layout only: the arithmetic of a step is in theta_pass.c. */
#ifndef CAROM_SCHEME_CHAIN_THETA_FOLD_H
#define CAROM_SCHEME_CHAIN_THETA_FOLD_H

#include "carom/state.h"
#include "model/beads/chain.h"

#define CAROM_THETA_FOLD_CHAINS 4 /* in a batch: eight lanes, four chains with two ends each */

/* What theta remembers in a state: what is left of a halved step (halving.h), the size of the last step (0: none
 * yet), and the elastic forces at its start, folded. */
enum { CAROM_THETA_REST, CAROM_THETA_SIZE, CAROM_THETA_FORCES };

/* One of the chains. */
struct carom_theta_lane {
    const struct carom_model *model;
    struct carom_chain chain;
    double length;  /* scale of displacements: what convergence is measured by */
    double stretch; /* size of the step to come over that of the last one; 0: there was none */
    bool finite;    /* are x and v at the start of the step? */
    bool idle;      /* not to be stepped: its numbers mean nothing */
    bool failed;    /* the last step could not be solved */
    bool switched;  /* did a contact open or close in it? Only told of a single chain */
    uint64_t iterations, evaluations;
};

/* Arrays have `doubles` numbers: slots 0 ... half + 1, in each slot the chains, of each chain the left and the right
 * lane. Slot 0 is the wall, slot i holds beads i - 1 and n - i, slot half + 1 what is across the middle. Contact i
 * lies between slots i and i + 1; where there is no wall, contact 0 has an endless gap. Numbers beyond are padding. */
struct carom_theta_fold {
    size_t n, half;                 /* beads of a chain; (n + 1) / 2 */
    size_t chains;                  /* 1 or CAROM_THETA_FOLD_CHAINS */
    size_t doubles;                 /* of an array */
    size_t contacts_end, beads_end; /* where passes end */
    bool springs;                   /* has any bead a local spring? */
    bool hertzian;                  /* is every contact, in its elastic part? Then no law is called */
    double h;                       /* step size that the lags belong to */
    struct carom_theta_lane lane[CAROM_THETA_FOLD_CHAINS];
    double *mass, *inverse_mass;     /* beads */
    double *stiffness, *gap, *gamma; /* contacts: of Hertz; at zero displacement; viscous time */
    double *lag;                     /* contacts: t = (h + gamma) / 2, which is h theta */
    double *spring, *spring_gamma;   /* beads, if there are springs: stiffness; the viscous time whose theta it takes */
    double *x, *v;                   /* beads: the state */
    double *lost;                    /* contacts: what each has lost so far */
    double *elastic, *earlier;       /* contacts: elastic forces at x and at the start of the last step */
    double *next;                    /* contacts: elastic forces at the trial */
    double *u, *drifted, *trial;     /* beads: the unknown of a step, x + h v, and their sum */
    double *known, *impulse, *flow;  /* contacts: (h - t) E(x), J and t J (theta_pass.h) */
    double *residual, *update;       /* beads: Newton's */
    double *bond, *ratio;            /* contacts: Newton's matrix off the diagonal, without sign; its elimination */
    double *block, *natural;         /* the memory of all; for laws, 4 n + 3 numbers in a chain's own order */
};

/* Lays out chains as long as the first; `length` are the scales. Closing is fine after a failure and for zeros. */
enum carom_status carom_theta_fold_open(struct carom_theta_fold *fold, size_t chains,
                                        const struct carom_model *const *model, const double *length,
                                        struct carom_error *error);
void carom_theta_fold_close(struct carom_theta_fold *fold);

/* How many numbers theta remembers for a chain of n beads. */
size_t carom_theta_fold_memory(size_t n);

/* Have all contacts the elastic force k d^(3/2), k in the first column? */
bool carom_theta_fold_hertzian(const struct carom_model *model);

/* The viscous times of all contacts of a model; and that which goes with the local spring of bead i, the mean of the
 * contacts beside it. */
void carom_theta_fold_gamma(const struct carom_model *model, double *gamma);
double carom_theta_fold_spring_gamma(const struct carom_chain *chain, const double *gamma, size_t i);

/* Makes the lags those of step size h. */
void carom_theta_fold_pace(struct carom_theta_fold *fold, double h);

/* Displacements or velocities of one chain into the lanes and back. */
void carom_theta_fold_put(const struct carom_theta_fold *fold, size_t chain, const double *from, double *to);
void carom_theta_fold_take(const struct carom_theta_fold *fold, size_t chain, const double *from, double *to);

/* Numbers of contacts of one chain into the lanes and back. */
void carom_theta_fold_put_contacts(const struct carom_theta_fold *fold, size_t chain, const double *from, double *to);
void carom_theta_fold_take_contacts(const struct carom_theta_fold *fold, size_t chain, const double *from, double *to);

/* Folded forces of contacts between the lanes and what a state remembers of one chain. */
void carom_theta_fold_recall(const struct carom_theta_fold *fold, size_t chain, const double *memory, double *to);
void carom_theta_fold_remember(const struct carom_theta_fold *fold, size_t chain, const double *from, double *memory);

/* Calls the laws of one chain at the trial: elastic forces into `next`, slopes into `bond`. */
void carom_theta_fold_press(struct carom_theta_fold *fold, size_t chain);

/* --- theta_newton.c: a whole step; each chain sees the same operations whatever lies beside it ------------------- */

/* Elastic forces at x into `next`; or into `elastic`. */
void carom_theta_newton_press(struct carom_theta_fold *fold);
void carom_theta_newton_refresh(struct carom_theta_fold *fold);

/* A step of the size given by carom_theta_fold_pace with all chains that are not idle: x, v, lost, elastic and
 * earlier go on. Of a chain that fails, x, v and lost are left as they were, and `next` is what `earlier` was. */
void carom_theta_newton_step(struct carom_theta_fold *fold);

#endif
