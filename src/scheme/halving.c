/* The loop over steps of schemes that may fail to solve one. */
#include "scheme/halving.h"

enum { HALVINGS = 12 };

static enum carom_status advance(struct carom_stepper *stepper, struct carom_state *state, double t_stop, double step,
                                 bool (*one_step)(struct carom_stepper *, struct carom_state *, double, double),
                                 struct carom_error *error)
{
    const double owed = state->memory[CAROM_HALVING_REST], whole = owed > 0.0 ? owed : step;
    double wish = whole;
    for (int halving = 0; halving <= HALVINGS; halving++, wish *= 0.5) {
        const double h = carom_stepper_size(state, wish, t_stop);
        if (one_step(stepper, state, h, t_stop)) {
            const double left = whole - h;
            /* a rest of a few rounding errors is nothing that is owed */
            state->memory[CAROM_HALVING_REST] = halving > 0 && left > 1e-9 * step ? left : 0.0;
            return CAROM_OK;
        }
        stepper->counts.rejected++;
    }
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "%s could not solve its step at t = %g, even with step %g: the motion is not finite or the "
                           "contacts are too stiff for step %g",
                           stepper->scheme->kind.name, state->time, 2.0 * wish, step);
}

enum carom_status carom_halving_steps(struct carom_stepper *stepper, struct carom_state *state,
                                      const struct carom_bound *bound, double step,
                                      bool (*one_step)(struct carom_stepper *stepper, struct carom_state *state,
                                                       double h, double t_stop),
                                      struct carom_error *error)
{
    for (size_t taken = 0; carom_stepper_goes_on(stepper, state, bound, taken); taken++) {
        const enum carom_status status = advance(stepper, state, bound->t_stop, step, one_step, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}
