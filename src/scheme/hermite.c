/* The cubic through both ends with both slopes; its derivative is the velocity between. */
#include "scheme/hermite.h"

void carom_hermite_view(const struct carom_state *from, const double *v0, const struct carom_state *to,
                        const double *v1, double t, struct carom_state *view)
{
    const double h = carom_state_until(from, to->time) + to->time_low;
    const double s = h > 0.0 ? carom_state_until(from, t) / h : 1.0;
    const double bend = s * (1.0 - s);
    for (size_t i = 0; i < from->nq; i++) {
        const double x0 = from->q[i], x1 = to->q[i];
        const double mean = h > 0.0 ? (x1 - x0) / h : v1[i];
        const double early = v0[i] - mean, late = v1[i] - mean;
        view->q[i] = x0 + s * (x1 - x0) + h * bend * ((1.0 - s) * early - s * late);
        view->v[i] = mean + (1.0 - s) * (1.0 - 3.0 * s) * early + s * (3.0 * s - 2.0) * late;
    }
    const size_t rest = from->nlost + from->nclipped + from->nforce + 2 * from->nparts;
    for (size_t i = 0; i < rest; i++)
        view->lost[i] = from->lost[i] + s * (to->lost[i] - from->lost[i]);
    view->energy = to->energy;
    view->step = to->step;
    carom_state_clock(view, t);
}
