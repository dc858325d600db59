/* Two-stage Runge-Kutta steps on the plain variables x and v, common to cn and gl: James, Vorotnikov and Brogliato
 * 2020, (12)-(15). Slower and of lower order across contact changes than the regularised forms; here to be compared
 * with them, and for contacts that force ends. */
#ifndef CAROM_SCHEME_CHAIN_PLAIN_H
#define CAROM_SCHEME_CHAIN_PLAIN_H

#include "model/beads/chain.h"
#include "scheme/columns.h"
#include "scheme/stepper.h"
#include "scheme/tableau.h"

/* Refuses laws whose force jumps at touch; `name` is the scheme's. */
enum carom_status carom_plain_accept(const struct carom_model *model, const char *name, struct carom_error *error);

/* What is left of a halved step (halving.h), then low parts of x and v: columns.h. */
enum { CAROM_PLAIN_REST, CAROM_PLAIN_X_LOW, CAROM_PLAIN_V_LOW, CAROM_PLAIN_COLUMNS };
extern const struct carom_column carom_plain_columns[CAROM_PLAIN_COLUMNS];
static inline double *carom_plain_column(const struct carom_state *state, size_t column)
{
    return carom_columns_at(carom_plain_columns, column, state, 0);
}
size_t carom_plain_memory(const struct carom_model *model, const void *options);
enum carom_status carom_plain_open(struct carom_stepper *stepper, const struct carom_tableau *tableau, double step,
                                   struct carom_error *error);
void carom_plain_close(struct carom_stepper *stepper);
enum carom_status carom_plain_start(struct carom_stepper *stepper, struct carom_state *state,
                                    struct carom_error *error);
enum carom_status carom_plain_step(struct carom_stepper *stepper, struct carom_state *state,
                                   const struct carom_bound *bound, struct carom_error *error);
void carom_plain_sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view);

/* Places and velocities at the end of a step, at `time`, from ways and gains of velocity, rounding carried along;
 * driven beads are where they must be. False if one is not finite. */
bool carom_plain_arrive(const struct carom_chain *chain, double time, const struct carom_state *from, const double *way,
                        const double *gain, struct carom_state *to);

void carom_plain_dense(struct carom_stepper *stepper, const struct carom_state *state, double t,
                       struct carom_state *view);

/* What cn and gl have in common, in their tables. */
#define CAROM_PLAIN_FUNCTIONS                                                                                     \
    .memory = carom_plain_memory, .start = carom_plain_start, .step = carom_plain_step, .sync = carom_plain_sync, \
    .velocities = carom_stepper_velocities, .dense = carom_plain_dense, .close = carom_plain_close

#endif
