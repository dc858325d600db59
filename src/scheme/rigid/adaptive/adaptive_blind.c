/* The adaptive scheme as it is printed (Acary 2009, equation (26)), so that its defect can be seen: one step of
 * size h of moreau-jean is compared with two of h/2, both begun alike, and 2 (x_half - x_one) is taken for the
 * error. With gamma = 1/2 an impact in the last quarter of the step is seen by neither; the estimate is then 0. */
#include <string.h>

#include "model/motion.h"
#include "scheme/rigid/adaptive/adaptive.h"
#include "scheme/stepper.h"
#include "solve/control.h"

/* the error of a step with an impact goes with h; safety is in the error aimed at */
static const struct carom_control control = {.safety = 1.0, .power = 1.0, .least = 0.2, .most = 2.0};

/* 2 |x_half - x_one| in units of the scales */
static double compare(const struct carom_model *model, const struct carom_adaptive *w, const struct carom_state *one,
                      const struct carom_state *half)
{
    double length, speed;
    carom_motion_apart(model, one, half, &length, &speed);
    return 2.0 * carom_rigid_step_larger(length / w->length, speed / w->speed);
}

/* one step of moreau-jean from stepper->before into `to` */
static enum carom_status go(struct carom_stepper *stepper, struct carom_state *to, double h, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const struct carom_state *from = stepper->before;
    memcpy(to->spent, from->spent, 2 * from->nparts * sizeof(double));
    w->moreau.rigid.struck = false;
    w->moreau.rigid.nevents = 0;
    const enum carom_status status = carom_moreau_any_step(stepper, to, h, error);
    to->time = from->time;
    to->time_low = from->time_low;
    to->step = from->step;
    to->energy = from->energy;
    carom_state_tick(to, h);
    return status;
}

enum carom_status carom_adaptive_blind_step(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                            struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_state *one = w->try[0], *half = w->try[1];
    const size_t own = carom_columns_size(carom_moreau_jean_columns, CAROM_MOREAU_COLUMNS, stepper->model);
    double next = state->memory[own + CAROM_ADAPTIVE_NEXT];
    for (;;) {
        const double h = carom_stepper_size(state, next, t_stop);
        const bool least = h <= 1e-10 * w->time;
        struct carom_error *sentence = least ? error : NULL; /* what cannot be solved was too long */
        carom_state_copy(stepper->before, state);
        enum carom_status status = go(stepper, one, h, sentence);
        if (status == CAROM_OK)
            status = go(stepper, half, 0.5 * h, sentence);
        if (status == CAROM_OK) {
            carom_state_copy(stepper->before, half);
            status = go(stepper, half, 0.5 * h, sentence);
        }
        carom_state_copy(stepper->before, state);
        if (status != CAROM_OK && least)
            return status;
        if (status != CAROM_OK) {
            stepper->counts.rejected++;
            next = 0.5 * h;
            continue;
        }
        const double off = compare(stepper->model, w, one, half);
        next = h * carom_control_factor(&control, 0.9 * w->allowed / off);
        if (off > w->allowed && !least) {
            stepper->counts.rejected++;
            continue;
        }
        memcpy(half->memory + own, state->memory + own, (state->nmemory - own) * sizeof(double));
        carom_state_copy(state, half);
        state->time = stepper->before->time;
        state->time_low = stepper->before->time_low;
        state->memory[own + CAROM_ADAPTIVE_NEXT] = fmin(next, w->longest);
        carom_stepper_arrive(state, h, t_stop);
        carom_stepper_count(stepper, h);
        stepper->counts.local_error += off;
        stepper->switched = w->moreau.rigid.nevents > 0;
        return CAROM_OK;
    }
}
