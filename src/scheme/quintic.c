/* Polynomials in s = (t - t0)/h, written as their start plus what the end still lacks, so that small steps lose
 * little. */
#include "scheme/quintic.h"

#include "solve/cubic.h"

void carom_quintic_view(const struct carom_quintic_end *from, const struct carom_quintic_end *to, double t,
                        struct carom_state *view)
{
    const struct carom_state *a = from->state, *b = to->state;
    const double h = carom_state_until(a, b->time) + b->time_low;
    const double s = h > 0.0 ? carom_state_until(a, t) / h : 1.0;
    const double cube = s * s * s;
    for (size_t i = 0; i < a->nq; i++) {
        const double low = from->q_low && to->q_low ? to->q_low[i] - from->q_low[i] : 0.0;
        const double v = h * from->v[i], bend = h * h * from->a[i];
        const double x_lacks = ((b->q[i] - a->q[i]) + low) - v - 0.5 * bend;
        const double v_lacks = h * (to->v[i] - from->v[i]) - bend;
        const double a_lacks = h * h * (to->a[i] - from->a[i]);
        const double c3 = 10.0 * x_lacks - 4.0 * v_lacks + 0.5 * a_lacks;
        const double c4 = -15.0 * x_lacks + 7.0 * v_lacks - a_lacks;
        const double c5 = 6.0 * x_lacks - 3.0 * v_lacks + 0.5 * a_lacks;
        view->q[i] = a->q[i] + (s * (v + 0.5 * s * bend) + cube * (c3 + s * (c4 + s * c5)));
        const double rise = s * bend + s * s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5));
        view->v[i] = h > 0.0 ? from->v[i] + rise / h : to->v[i];
    }
    for (size_t j = 0; j < a->nlost; j++) {
        const struct carom_cubic lost = {{a->lost[j], b->lost[j]}, {h * from->power[j], h * to->power[j]}};
        view->lost[j] = carom_cubic_at(&lost, s);
    }
    const size_t rest = a->nclipped + 2 * a->nparts;
    for (size_t i = 0; i < rest; i++)
        view->clipped[i] = a->clipped[i] + s * (b->clipped[i] - a->clipped[i]);
    view->energy = b->energy;
    view->step = b->step;
    carom_state_clock(view, t);
}
