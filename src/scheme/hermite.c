/* The cubic through both ends with both slopes; its derivative is the velocity between. */
#include "scheme/hermite.h"

#include "solve/cubic.h"

void carom_hermite_view(const struct carom_state *from, const double *v0, const struct carom_state *to,
                        const double *v1, double t, struct carom_state *view)
{
    const double h = carom_state_until(from, to->time) + to->time_low;
    const double s = h > 0.0 ? carom_state_until(from, t) / h : 1.0;
    for (size_t i = 0; i < from->nq; i++) {
        const struct carom_cubic q = {{from->q[i], to->q[i]}, {h * v0[i], h * v1[i]}};
        view->q[i] = carom_cubic_at(&q, s);
        view->v[i] = h > 0.0 ? carom_cubic_slope(&q, s) / h : v1[i];
    }
    const size_t rest = from->nlost + from->nclipped + from->nforce + 2 * from->nparts;
    for (size_t i = 0; i < rest; i++)
        view->lost[i] = from->lost[i] + s * (to->lost[i] - from->lost[i]);
    view->energy = to->energy;
    view->step = to->step;
    carom_state_clock(view, t);
}
