/* The course of an overlap, see course.h. */
#include "sim/between/course.h"

#include <math.h>

enum { ROUNDS = 20 };
#define NEAR 1e-5 /* of the time between looks: the course is flat there, its height known to the square of it */

/* one more look, at a place of its own: Newton's form grows by two numbers */
static void pass_through(struct carom_course *c, double place, double deform, double slope)
{
    double value = deform, next = slope;
    for (size_t k = 0; k < c->n; k++) {
        const double apart = place - c->node[k];
        value = (value - c->divided[k]) / apart;
        next = (next - value) / apart;
    }
    c->node[c->n] = c->node[c->n + 1] = place;
    c->divided[c->n] = value;
    c->divided[c->n + 1] = next;
    c->n += 2;
}

/* May a course whose last interval is h long go through an earlier look at t? A closing or opening in that interval
 * bends it a little, and were it much shorter than the one before, all of the course with it. */
static bool reaches(double t, double start, double h)
{
    return t < start && start - t < 4.0 * h;
}

struct carom_course carom_course_of(const struct carom_peak_force *peak, size_t j, size_t i, bool wide,
                                    const struct carom_course_past *past)
{
    const struct carom_look *look = peak->look, *a = &look[i], *b = &look[i + 1];
    const double start = a->times[j], h = b->times[j] - start;
    struct carom_course c = {.n = 0, .start = start, .h = h, .peak = peak, .j = j};
    if (!(h > 0.0))
        return c;
    pass_through(&c, 0.0, a->deform[j], h * a->rate[j]);
    pass_through(&c, 1.0, b->deform[j], h * b->rate[j]);
    const bool through = wide && i > 0 && peak->seen > 2 && reaches(look[i - 1].times[j], start, h);
    if (through) {
        c.low = (look[i - 1].times[j] - start) / h;
        pass_through(&c, c.low, look[i - 1].deform[j], h * look[i - 1].rate[j]);
    }
    if (past && (through || i == 0) && reaches(past->time, start + h * c.low, h))
        pass_through(&c, (past->time - start) / h, past->deform, h * past->rate);
    return c;
}

struct carom_course carom_course_inside(const struct carom_peak_force *peak, size_t j,
                                        const struct carom_course_past *middle)
{
    struct carom_course c = carom_course_of(peak, j, 1, false, NULL);
    if (c.h > 0.0)
        pass_through(&c, (middle->time - c.start) / c.h, middle->deform, c.h * middle->rate);
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

static double force_on(const void *own, double s)
{
    return force_at(own, s);
}

void carom_course_climb(const struct carom_course *c, const struct carom_peak_force *peak, double from)
{
    const struct carom_peak_course all = {c->start, c->h, from, 1.0, force_on, c};
    carom_peak_force_vault(peak, c->j, &all);
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
    if (!(c->low < 0.0) || middle > 0.0)
        return nan("");
    const double begin = climb_at(c, follows, c->low, &change);
    return begin > 0.0 ? turn_between(c, follows, c->low, 0.0, c->low * middle / (middle - begin)) : nan("");
}

/* Gauss's rule of three points misses (pi / L)^6 / 2e6 of the force's swing, less than courses do of tops. Towards
 * an end at which the overlap is much smaller the force falls like a root's cube, which the root of the time makes
 * smooth. */
double carom_course_impulse(const struct carom_course *c)
{
    static const double place[3] = {0.1127016653792583, 0.5, 0.8872983346207417}, part[3] = {5.0, 8.0, 5.0};
    const double begin = c->divided[0], end = begin + c->divided[1] + c->divided[2]; /* overlaps at 0 and 1 */
    const bool falls = end < 0.5 * begin, rises = begin < 0.5 * end;
    double sum = 0.0;
    for (size_t k = 0; k < 3; k++) {
        const double u = place[k], s = falls ? 1.0 - u * u : rises ? u * u : u;
        sum += part[k] * (falls || rises ? 2.0 * u : 1.0) * force_at(c, s);
    }
    return c->h * sum / 18.0;
}
