/* Refines an impact with friction. Where a light body bears a heavy one, the rounding of the impulses, which are those
 * of the heavy one, gives the light one a velocity, so that contacts which the impact has stopped would slip or
 * approach. The impact is solved once more for these velocities, with the same modes, like the iterative refinement of
 * linear systems. */
#include <string.h>

#include "scheme/rigid/coulomb.h"

/* rates and slips that the modes of the answer do not have, into c->b; the largest of those that they stop */
static double remains(struct carom_coulomb *c, const struct carom_frame *frame, const double *before, const double *b,
                      const double *v)
{
    const size_t ways = frame->tangents, each = 1 + ways;
    double most = 0.0;
    carom_frame_rates(frame, v, c->x);
    carom_frame_slips(frame, frame->slide, v, c->after);
    for (size_t i = 0; i < frame->n; i++) {
        const bool sticks = c->trial[i] == CAROM_COULOMB_STICK && frame->slips[i];
        c->b[each * i] = c->x[i] - before[i] + b[i];
        most = c->trial[i] != CAROM_COULOMB_OPEN ? fmax(most, fabs(c->b[each * i])) : most;
        for (size_t k = 0; k < ways; k++) {
            c->b[each * i + 1 + k] = c->after[ways * i + k];
            most = sticks ? fmax(most, fabs(c->after[ways * i + k])) : most;
        }
    }
    return most;
}

void carom_coulomb_polish(struct carom_coulomb *c, const struct carom_frame *frame, const double *before,
                          const double *b, double none, double *v)
{
    enum { TURNS = 3 }; /* the second only where W itself has lost digits */
    const size_t ways = frame->tangents, each = 1 + ways, bytes = frame->model->nv * sizeof *v;
    /* in space what leaves may have been told an impulse of next to nothing */
    carom_frame_rates(frame, v, c->x);
    for (size_t i = 0; i < frame->n; i++)
        c->trial[i] =
            c->x[i] - before[i] + b[i] > frame->diagonal[i] * c->r[each * i] ? CAROM_COULOMB_OPEN : c->mode[i];
    double most = remains(c, frame, before, b, v), last = HUGE_VAL;
    for (int turn = 0; turn < TURNS && most > none && most < last; turn++) {
        for (size_t i = 0; i < frame->n && ways > 1; i++) {
            const double *slip = c->after + 2 * i, speed = sqrt(slip[0] * slip[0] + slip[1] * slip[1]);
            for (size_t k = 0; k < 2; k++)
                c->against[2 * i + k] = speed > 0.0 ? -slip[k] / speed : 0.0;
        }
        carom_coulomb_modes(c, frame, c->trial, c->keep);
        for (size_t i = 0; i < frame->n; i++) {
            c->x[i] = c->keep[each * i];
            memcpy(c->hint + ways * i, c->keep + each * i + 1, ways * sizeof *c->hint);
        }
        memcpy(c->v, v, bytes);
        carom_frame_push(frame, c->x, v);
        carom_frame_friction(frame, c->hint, v);
        last = most;
        most = remains(c, frame, before, b, v);
    }
    if (most >= last) /* no better for it */
        memcpy(v, c->v, bytes);
}
