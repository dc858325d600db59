/* Two-stage implicit Runge-Kutta steps of a chain, common to irk, gl-reg and rk2. The tableau (A, b) is applied to
 *
 *     x' = V + r(x)/m,   V' = f(x)/m,   r = viscous - tailored f,   tailored = 2 C11 h
 *
 * with f the elastic push of contacts and springs: of each contact's viscosity the tableau imitates the viscous time
 * `tailored` by its own dissipation (James et al. 2020, (58)), and the rest r is carried by the regularised variable
 * (10). Without the stages' velocities one step reads, with c = A 1, X = x + h c V + Z and stages as columns,
 *
 *     Z = [h^2 A^2 f(X) + h A r(X)]/m,   x1 = x + hV + [h^2 b A f(X) + h e r(X)]/m,   V1 = V + h b f(X)/m,
 *
 * where e . 1 = 1 and e . c = 1/2 (and not b) keep third order when r is not zero; docs/tailored-schemes.md derives it.
 * gl-reg is C11 = 0. A step of another size keeps the tableau, so V depends on the size: see `convert`. */
#ifndef CAROM_SCHEME_CHAIN_TWOSTAGE_H
#define CAROM_SCHEME_CHAIN_TWOSTAGE_H

#include "model/beads/chain.h"
#include "scheme/chain/twostage_loads.h"
#include "scheme/columns.h"
#include "scheme/stepper.h"
#include "scheme/tableau.h"
#include "solve/block_tridiagonal.h"

enum { CAROM_TWOSTAGE_BLOCK = 128 }; /* contacts evaluated at a time, small enough for the first cache */

/* What a scheme remembers (columns.h). */
enum {
    CAROM_TWOSTAGE_REST,    /* what a halved step has left of the regular one (halving.h) */
    CAROM_TWOSTAGE_SIZE,    /* size of the step that V belongs to */
    CAROM_TWOSTAGE_HISTORY, /* 1 if there is a Z to extrapolate from */
    CAROM_TWOSTAGE_TRUST,   /* an update above this is followed by another without a look at the residual */
    CAROM_TWOSTAGE_FREE,    /* four numbers that nobody needs */
    CAROM_TWOSTAGE_X_LOW,   /* n each: low parts of x and V, Z of both stages of the last step */
    CAROM_TWOSTAGE_V_LOW,
    CAROM_TWOSTAGE_Z1,
    CAROM_TWOSTAGE_Z2,
    CAROM_TWOSTAGE_COLUMNS
};

/* the step under way */
struct carom_stages {
    double h, tailored;
    struct carom_block f_to_z, r_to_z; /* h^2 A^2, h A */
    struct carom_pair f_to_x, r_to_x;  /* h^2 b A, h e */
    struct carom_pair f_to_v, reach;   /* h b, h c */
    struct carom_block spring_to_z;    /* local springs, which are not damped */
    struct carom_pair spring_to_x;
    struct carom_block both, inverse; /* uniform: Z = both f/m, and back */
    struct carom_pair both_to_x;
    struct carom_block carried;          /* the last step's Z carried on */
    double goal;                         /* a residual of Z this small is rounding */
    const double *x, *v, *x_low, *v_low; /* at the start */
    double *z1, *z2, *x_rest, *v_rest;   /* of the end; low parts of it */
    struct carom_state *to;
};

struct carom_twostage {
    struct carom_chain chain;
    size_t place[CAROM_TWOSTAGE_COLUMNS]; /* of what is remembered */
    struct carom_tableau tableau;
    struct carom_tableau_report report;
    double step;     /* the regular one */
    double adapt;    /* what a step may change, if steps adapt (adapt.h), else 0 */
    double gamma;    /* the viscous time of all contacts, if uniform */
    bool uniform;    /* every force has the same r/f: the matrix is block tridiagonal with diagonal coupling */
    bool hertz;      /* all contacts are k d^(3/2), undamped or Kuwabara-Kono: evaluated here */
    bool quadrature; /* losses summed over the stages (C11 = 0), else mean rate x rise of the viscous impulse */
    struct carom_stages stages;
    struct carom_front
        *row;        /* n + 2: the eliminated rows, in the passes' own layout; between steps room for 6n + 12 numbers */
    double *viscous; /* nc: impulse at the state's x, if damped */
    double *impulse; /* nc: that of a step as its stages sum it, if losses are summed so */
    double *converted;                  /* 2n, if C11 > 0: V of a step of another size, and zeros */
    struct carom_twostage_loads *loads; /* NULL: the chain has none */
    uint64_t viscous_step;              /* the state it belongs to */
    double viscous_time;
    bool viscous_known;
    double stiffest,
        farthest; /* largest slope/m (mixed: times the coefficients of Z) and |x| of the last elimination */
};

static inline double *carom_twostage_column(const struct carom_twostage *w, const struct carom_state *state, int column)
{
    return state->memory + w->place[column];
}

/* Contacts [first, first + n) at both stages. */
struct carom_stage_block {
    size_t first, n;
    double deform[2][CAROM_TWOSTAGE_BLOCK + 2], elastic[2][CAROM_TWOSTAGE_BLOCK + 2];
    double slope[2][CAROM_TWOSTAGE_BLOCK + 2];
    double viscous[2][CAROM_TWOSTAGE_BLOCK + 2], drag[2][CAROM_TWOSTAGE_BLOCK + 2]; /* mixed steps only */
};

/* The smallest viscous time of all contacts; 0 if there are none. */
double carom_twostage_viscous_time(const struct carom_model *model);

/* Refuses models whose contacts end by force while damped; `name` is the scheme's. */
enum carom_status carom_twostage_gap_only(const struct carom_model *model, const char *name, struct carom_error *error);

/* Makes the stages those of a step of size h. */
void carom_twostage_configure(struct carom_twostage *w, double h);

/* Can Z be extrapolated from the last step's? Stages must differ and A be regular. */
bool carom_twostage_foreseeable(const struct carom_twostage *w);

size_t carom_twostage_memory(const struct carom_model *model, const void *options);
enum carom_status carom_twostage_open(struct carom_stepper *stepper, const struct carom_tableau *tableau, double step,
                                      struct carom_error *error);
void carom_twostage_close(struct carom_stepper *stepper);
enum carom_status carom_twostage_start(struct carom_stepper *stepper, struct carom_state *state,
                                       struct carom_error *error);
enum carom_status carom_twostage_step(struct carom_stepper *stepper, struct carom_state *state,
                                      const struct carom_bound *bound, struct carom_error *error);
void carom_twostage_velocities(struct carom_stepper *stepper, const struct carom_state *copy, size_t first, size_t last,
                               double *v);
void carom_twostage_sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view);
void carom_twostage_dense(struct carom_stepper *stepper, const struct carom_state *state, double t,
                          struct carom_state *view);

/* What schemes of this family have in common, in their tables. */
#define CAROM_TWOSTAGE_FUNCTIONS                                                                                \
    .looks = true, .memory = carom_twostage_memory, .start = carom_twostage_start, .step = carom_twostage_step, \
    .sync = carom_twostage_sync, .velocities = carom_twostage_velocities, .dense = carom_twostage_dense,        \
    .close = carom_twostage_close

/* --- twostage_sweep.c: passes where forces have one ratio of impulse to force; and what both share ---------------- */

/* Contacts [first, last) at both stages into a block: overlaps, elastic forces, slopes. At most
 * CAROM_TWOSTAGE_BLOCK + 2. */
void carom_twostage_sweep_contacts(const struct carom_twostage *w, const struct carom_model *model, size_t first,
                                   size_t last, struct carom_stage_block *out);

/* Newton's matrix and residual at the stages' Z, eliminated from both ends into w->row. */
void carom_twostage_sweep_eliminate(struct carom_twostage *w, const struct carom_model *model);

/* Z += Newton's updates, from the middle row outwards. Returns the largest update, infinite if one is not finite, and
 * in *largest the largest Z; both as sums of sizes over the stages. */
double carom_twostage_sweep_substitute(struct carom_twostage *w, double *largest);

/* x1 and V1 (and losses, where they are summed over the stages) from the stages' forces. True if all residuals are
 * within the goal and all numbers finite. */
bool carom_twostage_sweep_finish(struct carom_twostage *w, const struct carom_model *model,
                                 const struct carom_state *from);

/* --- twostage_mixed.c: passes where they differ in it: full 2 x 2 blocks ----------------------------------------- */

/* As their namesakes above. */
void carom_twostage_mixed_eliminate(struct carom_twostage *w, const struct carom_model *model);
double carom_twostage_mixed_substitute(struct carom_twostage *w, double *largest);
bool carom_twostage_mixed_finish(struct carom_twostage *w, const struct carom_model *model,
                                 const struct carom_state *from);

/* --- twostage_ledger.c: what contacts dissipate, from each law's own drag; which of them opened or closed -------- */

/* Physical velocities of beads at both stages: [.][i - first + 1] is bead i, [.][0] the one before. */
struct carom_stage_motion {
    double rate[2][CAROM_TWOSTAGE_BLOCK + 2];
};

/* Sums power over the stages at the contacts left of beads [first, last), and at a wall right of the last; `motion` is
 * made ready for the next block. Blocks come from left to right. */
void carom_twostage_ledger_stages(struct carom_twostage *w, const struct carom_model *model,
                                  const struct carom_state *from, size_t first, size_t last,
                                  const struct carom_stage_block *block, struct carom_stage_motion *motion);

/* After the step: the rest of the losses. Returns whether a contact opened or closed. */
bool carom_twostage_ledger_settle(struct carom_twostage *w, const struct carom_model *model,
                                  const struct carom_state *from, struct carom_state *to);

#endif
