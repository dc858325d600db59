/* The course of an overlap, see course.h. */
#include "sim/course.h"

#include <math.h>

enum { ROUNDS = 20 };
#define NEAR 1e-5 /* of the time between looks: the course is flat there, its height known to the square of it */

struct carom_course carom_course_of(const struct carom_peak_force *peak, size_t j, size_t i, bool wide)
{
    const struct carom_look *look = peak->look;
    const double start = look[i].times[j], h = look[i + 1].times[j] - start;
    struct carom_course c = {.n = 4, .start = start, .h = h, .peak = peak, .j = j};
    const size_t order[3] = {i, i + 1, i - 1};
    if (!(h > 0.0))
        return c;
    if (wide && i > 0 && peak->seen > 2 && look[i - 1].times[j] < start) {
        c.n = 6;
        c.low = (look[i - 1].times[j] - start) / h;
    }
    for (size_t k = 0; k < c.n; k++) {
        c.node[k] = k < 2 ? 0.0 : k < 4 ? 1.0 : c.low;
        c.divided[k] = look[order[k / 2]].deform[j];
    }
    for (size_t order_of = 1; order_of < c.n; order_of++)
        for (size_t k = c.n - 1; k >= order_of; k--) {
            const double apart = c.node[k] - c.node[k - order_of];
            c.divided[k] = apart == 0.0 ? h * look[order[k / 2]].rate[j] : (c.divided[k] - c.divided[k - 1]) / apart;
        }
    return c;
}

void carom_course_at(const struct carom_course *c, double s, double out[3])
{
    double value = c->divided[c->n - 1], slope = 0.0, bend = 0.0;
    for (size_t k = c->n - 1; k-- > 0;) {
        const double x = s - c->node[k];
        bend = bend * x + 2.0 * slope;
        slope = slope * x + value;
        value = value * x + c->divided[k];
    }
    out[0] = value;
    out[1] = slope;
    out[2] = bend;
}

static double force_at(const struct carom_course *c, double s)
{
    double at[3];
    carom_course_at(c, s, at);
    return at[0] > 0.0 ? c->peak->force(c->peak->own, c->j, c->peak->look[1].history, at[0], at[1] / c->h) : 0.0;
}

double carom_course_try(const struct carom_course *c, struct carom_peak_force *peak, double s)
{
    const double force = force_at(c, s);
    if (force > peak->largest[c->j]) {
        peak->largest[c->j] = force;
        peak->when[c->j] = c->start + s * c->h;
    }
    return force;
}

/* d' + T d'' there, and about by how much it changes with the place: lags are short */
static double climb_at(const struct carom_course *c, double follows, double s, double *change)
{
    double at[3];
    carom_course_at(c, s, at);
    *change = at[2];
    return at[1] + follows * at[2];
}

/* Newton's steps, halves where they would leave the places between which it turns. */
static double turn_between(const struct carom_course *c, double follows, double low, double high, double s)
{
    double change;
    for (int i = 0; i < ROUNDS; i++) {
        const double climb = climb_at(c, follows, s, &change);
        *(climb > 0.0 ? &low : &high) = s;
        const double next = s - climb / change;
        const bool inside = next > low && next < high;
        const double to = inside ? next : 0.5 * (low + high), step = fabs(to - s);
        s = to;
        if (step < NEAR)
            break;
    }
    return s;
}

double carom_course_top(const struct carom_course *c, double follows)
{
    double change;
    if (!(c->h > 0.0))
        return nan("");
    const double end = climb_at(c, follows, 1.0, &change), middle = climb_at(c, follows, 0.0, &change);
    if (middle > 0.0 && !(end > 0.0))
        return turn_between(c, follows, 0.0, 1.0, middle / (middle - end));
    if (c->n < 6 || middle > 0.0)
        return nan("");
    const double begin = climb_at(c, follows, c->low, &change);
    return begin > 0.0 ? turn_between(c, follows, c->low, 0.0, c->low * middle / (middle - begin)) : nan("");
}

/* Gauss's rule of two points misses (pi / L)^4 / 4320 of the force's swing, less than the quintic does of tops. */
double carom_course_impulse(const struct carom_course *c)
{
    const double aside = 0.28867513459481287;
    return 0.5 * c->h * (force_at(c, 0.5 - aside) + force_at(c, 0.5 + aside));
}
