/* The loop over steps that adapt. A step that changed too much is taken back and halved; every eight steps the size may
 * double, if there is room to spare. */
#include "scheme/chain/adapt.h"

#include "model/beads/chain.h"

/* how tailored dissipation is meant where normals turn; on rows both are the same */
static const char *const forms[] = {"corrected", "paper", NULL};

const struct carom_param carom_adapt_params[] = {
    {"step", CAROM_REAL, offsetof(struct carom_adapt_options, step), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "s",
     "time step; if it adapts, the largest", NULL},
    {"adapt", CAROM_REAL, offsetof(struct carom_adapt_options, adapt), 0.0, 0.0, 1.0, "1",
     "halve and double the step so that h^2 x the change of acceleration in it is at most this x U; 0: fixed", NULL},
    {"form", CAROM_CHOICE, offsetof(struct carom_adapt_options, form), 0, 0, 1, "1",
     "in plane and space: corrected for normals that turn, or as in the paper, which damps their turning too", forms},
    CAROM_PARAM_END,
};

enum { HALVINGS = 20, HOLD = 8, BLOCK = 128 };

static const double spare = 1.0 / 12.0; /* twice the step makes the change eight times larger */

/* contacts beside beads [first, last): what their elastic forces have gained from one state to the other */
static void gain(const struct carom_model *model, size_t from, size_t to, const struct carom_state *a,
                 const struct carom_state *b, double *out)
{
    double deform[BLOCK + 1], before[BLOCK + 1];
    const struct carom_response then = {.elastic = before}, now = {.elastic = out};
    carom_contacts_deform_some(model, from, to, a->time, a->q, NULL, deform, NULL);
    carom_contacts_evaluate(model, from, to, deform, NULL, NULL, &then);
    carom_contacts_deform_some(model, from, to, b->time, b->q, NULL, deform, NULL);
    carom_contacts_evaluate(model, from, to, deform, NULL, NULL, &now);
    for (size_t j = 0; j < to - from; j++)
        out[j] -= before[j];
}

/* the largest change of acceleration between two states of a chain; infinite if one is not finite */
static double change(const struct carom_model *model, const struct carom_state *a, const struct carom_state *b)
{
    const struct carom_chain chain = carom_chain_of(model);
    const double *spring = chain.beads->spring, *inverse = chain.beads->inverse_mass;
    double force[BLOCK + 1], push[BLOCK], worst = 0.0;
    for (size_t first = 0, last; first < chain.n; first = last) {
        size_t from, to;
        last = first + BLOCK < chain.n ? first + BLOCK : chain.n;
        carom_chain_beside(&chain, first, last, &from, &to);
        gain(model, from, to, a, b, force);
        carom_chain_push(&chain, first, last, force, from, push);
        for (size_t i = first; i < last; i++) {
            const double pull = spring ? spring[i] * (b->q[i] - a->q[i]) : 0.0;
            const double size = fabs((push[i - first] - pull) * inverse[i]);
            if (!(size < HUGE_VAL))
                return HUGE_VAL;
            worst = size > worst ? size : worst;
        }
    }
    return worst;
}

/* one step; *size is the one under way, and becomes that of the next */
static enum carom_status advance(struct carom_stepper *stepper, struct carom_state *state, double t_stop, double step,
                                 double allowed,
                                 bool (*one_step)(struct carom_stepper *, struct carom_state *, double, double),
                                 struct carom_error *error)
{
    const double length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    double size = state->memory[CAROM_ADAPT_SIZE] > 0.0 ? state->memory[CAROM_ADAPT_SIZE] : step;
    for (int halving = 0; halving <= HALVINGS; halving++, size *= 0.5) {
        const double h = carom_stepper_size(state, size, t_stop);
        if (one_step(stepper, state, h, t_stop)) {
            const double measure = h * h * change(stepper->model, stepper->before, state) / length;
            if (measure <= allowed) {
                const bool may = state->step % HOLD == 0 && h == size && 2.0 * size <= step * (1.0 + 1e-9);
                state->memory[CAROM_ADAPT_SIZE] = may && measure <= spare * allowed ? 2.0 * size : size;
                return CAROM_OK;
            }
            carom_state_swap(state, stepper->before);
            stepper->counts.steps--;
        }
        stepper->counts.rejected++;
    }
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "%s could not take a step at t = %g, even with step %g: the motion is not finite or adapt = "
                           "%g is too small",
                           stepper->scheme->kind.name, state->time, 2.0 * size, allowed);
}

enum carom_status carom_adapt_steps(struct carom_stepper *stepper, struct carom_state *state,
                                    const struct carom_bound *bound, double step, double allowed,
                                    bool (*one_step)(struct carom_stepper *stepper, struct carom_state *state, double h,
                                                     double t_stop),
                                    struct carom_error *error)
{
    for (size_t taken = 0; carom_stepper_goes_on(stepper, state, bound, taken); taken++) {
        const enum carom_status status = advance(stepper, state, bound->t_stop, step, allowed, one_step, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}
