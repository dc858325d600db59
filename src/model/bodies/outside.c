/* Bodies outside the domain, see outside.h. */
#include "model/bodies/outside.h"

#include <math.h>
#include <string.h>

static bool is_beyond(const struct carom_bodies *b, const double centre[3])
{
    bool beyond = false;
    for (size_t k = 0; k < b->dimension; k++)
        beyond |= !b->periodic[k] && !(centre[k] >= b->low[k] && centre[k] <= b->high[k]);
    return beyond;
}

size_t carom_outside_next(const struct carom_bodies *b, const double *q, size_t from)
{
    for (size_t i = from; i < b->n; i++) {
        double centre[3];
        if (b->body[i].fixed || b->body[i].surface == CAROM_PLANE || carom_outside_is(b, i, q))
            continue;
        carom_bodies_centre(b, i, q, centre);
        if (is_beyond(b, centre))
            return i;
    }
    return b->n;
}

/* what pulls body i: its weight and its loads, those of now */
static void pull_of(const struct carom_bodies *b, size_t i, double t, double pull[3])
{
    memcpy(pull, b->gravity, 3 * sizeof *pull);
    for (size_t j = 0; j < b->nloads; j++)
        for (size_t k = 0; k < b->dimension && b->load[j].body == i; k++)
            pull[k] += carom_signal_value(&b->load[j].signal, t) * b->load[j].force[k] / b->body[i].mass;
}

/* How long ago it met the first side; `fast` is its velocity now. With x(-t) = x - v t + a t^2 / 2, in the form that
 * keeps its digits. */
static double time_outside(const struct carom_bodies *b, const double centre[3], const double *fast, const double *pull)
{
    double time = 0.0;
    for (size_t k = 0; k < b->dimension; k++) {
        const double beyond = centre[k] < b->low[k] ? centre[k] - b->low[k] : centre[k] - b->high[k];
        if (!b->periodic[k] && beyond * fast[k] > 0.0 && (centre[k] < b->low[k] || centre[k] > b->high[k])) {
            const double root = sqrt(fmax(fast[k] * fast[k] - 2.0 * pull[k] * beyond, 0.0));
            time = fmax(time, 2.0 * fabs(beyond) / (fabs(fast[k]) + root));
        }
    }
    return time;
}

void carom_outside_remove(const struct carom_bodies *b, size_t i, double t, double *q, double *v)
{
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b);
    double centre[3], pull[3];
    carom_bodies_centre(b, i, q, centre);
    pull_of(b, i, t, pull);
    const double time = time_outside(b, centre, v + i * nv, pull);
    for (size_t k = 0; k < b->dimension; k++)
        q[i * nq + k] -= time * (v[i * nv + k] - 0.5 * time * pull[k]);
    q[i * nq + nq - b->dimension + b->open] += CAROM_OUTSIDE_AWAY;
    for (size_t k = 0; k < nv; k++)
        v[i * nv + k] = 0.0;
}
