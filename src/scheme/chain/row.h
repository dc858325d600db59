/* An implicit step of one row with one unknown a bead, as cn-reg, energy-momentum and loaded theta take it: the row at
 * both ends of the step, loads there, overlaps there, and Newton's method with a symmetric tridiagonal matrix. A form
 * of such a step says which equations. */
#ifndef CAROM_SCHEME_CHAIN_ROW_H
#define CAROM_SCHEME_CHAIN_ROW_H

#include "model/beads/chain.h"
#include "scheme/stepper.h"

struct carom_row {
    struct carom_chain chain, late;         /* at the start and at the end of the step */
    double *load[2], *beside;               /* weights and loads there; forces beside drives. Only if loaded */
    double *start, *deform;                 /* nc: overlaps there */
    double *unknown;                        /* n: Newton's */
    double *diagonal, *off, *update, *push; /* n: the matrix; residual, then update; what contacts give */
    double *taken;                          /* n: an update, kept while it is halved */
    void *room;                             /* where all of these are */
    void *own;                              /* the form's own arrays */
    bool filled;
    const struct carom_row_form *form;
};

struct carom_row_form {
    /* forces at the start, and where Newton begins */
    void (*begin)(struct carom_stepper *stepper, void *own, double h);
    /* residual and matrix at `unknown`; returns the largest residual as a displacement, infinite if one is not finite,
     * and in *noise what rounding alone makes of it */
    double (*assemble)(struct carom_stepper *stepper, void *own, double h, double *noise);
    /* from the solution to the end of the step; false if it is not finite */
    bool (*finish)(struct carom_stepper *stepper, void *own, struct carom_state *to, double h);
};

/* False: out of memory; what is there is freed by close. */
bool carom_row_open(struct carom_row *row, const struct carom_model *model);
void carom_row_close(struct carom_row *row);

/* What schemes do whose work begins with its row and stepper options are all they take. */
enum carom_status carom_row_steps(struct carom_stepper *stepper, struct carom_state *state,
                                  const struct carom_bound *bound, struct carom_error *error);
void carom_row_end(struct carom_stepper *stepper);

/* Where driven beads go in the step, from x, into `shift`; the other beads' numbers stay. */
void carom_row_lead(const struct carom_row *row, const double *x, double *shift);

/* Overlaps of the end, where beads have moved by `shift`. */
void carom_row_squeeze(struct carom_row *row, const double *shift);

/* The entry of bead i's contact on either side in an array of contacts, 0 where there is none. */
static inline double carom_row_left(const struct carom_row *r, size_t i, const double *of)
{
    return i + r->chain.shift > 0 ? of[i + r->chain.shift - 1] : 0.0;
}
static inline double carom_row_right(const struct carom_row *r, size_t i, const double *of)
{
    return i + r->chain.shift < r->chain.nc ? of[i + r->chain.shift] : 0.0;
}

/* Row i of the system: its residual, and what the residual falls by per unknown apart from the mass: `local` by what
 * acts on the bead alone, stiff[j] by contact j. Driven beads stay where they are. */
void carom_row_set(struct carom_row *row, size_t i, double residual, double local, const double *stiff);

/* One step, as carom_halving_steps wants it. */
bool carom_row_step(struct carom_row *row, const struct carom_row_form *form, void *own, struct carom_stepper *stepper,
                    struct carom_state *state, double h, double t_stop);

#endif
