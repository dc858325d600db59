/* Held contacts of scheme mannshardt whose forces come down to 0 in a flight: the stages of the flight show that one
 * does, the moment is found on the motion itself, by false position. */
#include <string.h>

#include "model/beads/loads.h"
#include "scheme/rigid/mannshardt/mannshardt.h"

enum { LOOKS = 8, TURNS = 80 };

/* the force of held contact number i at `after` */
static double force_at(struct carom_stepper *stepper, size_t i, double after)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    if (!(after > 0.0))
        return m->first[i];
    carom_mannshardt_move_fly(stepper, m->order, after, m->other, false);
    memcpy(s->look, m->other, m->ny * sizeof(double));
    carom_event_smooth_rates(stepper, carom_loads_within(s->from, s->from + after), s->look, s->slope);
    return s->lambda[i];
}

/* What rounding makes of a force: bodies that fly on side by side press with 0, and must not part without end. */
static double force_noise(const struct carom_mannshardt *m, size_t i)
{
    const double per_force = m->event.smooth.frame.diagonal[i];
    return per_force > 0.0 ? carom_event_smooth_noise(&m->event) / per_force : 0.0;
}

bool carom_mannshardt_part_pulls(const struct carom_mannshardt *m)
{
    for (size_t i = 0; i < m->event.smooth.nheld; i++)
        if (m->first[i] < -force_noise(m, i))
            return true;
    return false;
}

double carom_mannshardt_part_first(struct carom_stepper *stepper, double h, size_t *held)
{
    struct carom_mannshardt *m = stepper->work;
    const struct carom_event_smooth *s = &m->event.smooth;
    double best = HUGE_VAL;
    for (size_t i = 0; i < s->nheld; i++) {
        const double noise = force_noise(m, i);
        if (!(m->least[i] < -noise))
            continue;
        if (!(m->first[i] > 0.0)) { /* a little later, where forces that begin at 0 tell which contacts part */
            if (1e-6 * h < best) {
                best = 1e-6 * h;
                *held = i;
            }
            continue;
        }
        double low = 0.0, high = h, at[2] = {m->first[i], 0.0};
        for (int k = LOOKS; k >= 1 && !(at[1] < 0.0); k--) { /* the end, or else where a stage was */
            high = h * k / LOOKS;
            at[1] = force_at(stepper, i, high);
        }
        if (!(at[1] < -noise))
            continue;
        double weight[2] = {at[0], at[1]};
        for (int turn = 0; turn < TURNS && high - low > fmax(m->delta, 1e-12 * h); turn++) {
            double x = low + (high - low) * weight[0] / (weight[0] - weight[1]); /* false position, Illinois */
            x = x > low && x < high ? x : 0.5 * (low + high);
            const double force = force_at(stepper, i, x);
            if (fabs(force) <= noise)
                low = high = x;
            else if (force > 0.0) {
                low = x;
                weight[0] = force;
                weight[1] *= 0.5;
            } else {
                high = x;
                weight[1] = force;
                weight[0] *= 0.5;
            }
        }
        if (high < best) {
            best = high;
            *held = i;
        }
    }
    return best;
}
