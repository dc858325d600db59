/* A filled-in graph is a line of straight pieces in (t, x). The largest distance of one from the other is sought
 * piece by piece: the distance to one piece of the other graph is convex along a piece, so that its ends bound it;
 * pieces for which that bound is not below the largest distance known are halved. Nearest pieces are sought from the
 * time of a point outwards until time alone is farther than the best. */
#include "study/follow/norms.h"
#include "base/sorted.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { HALVINGS = 60, NARROWINGS = 60 };

/* Piece k of a graph of n times: k even is the jump at time k / 2, k odd the line from there to the next. */
static size_t pieces(const struct carom_graph *g)
{
    return 2 * g->n - 1;
}

struct piece {
    double t0, t1;
    const double *x0, *x1;
};

static struct piece piece_of(const struct carom_graph *g, size_t k)
{
    const size_t i = k / 2;
    if (k % 2 == 0)
        return (struct piece){g->time[i], g->time[i], g->left + i * g->width, g->right + i * g->width};
    return (struct piece){g->time[i], g->time[i + 1], g->right + i * g->width, g->left + (i + 1) * g->width};
}

/* A point at `part` of the way along a piece. */
struct point {
    struct piece on;
    double part;
};

static double coordinate(double from, double to, double part)
{
    return part == 0.0 ? from : part == 1.0 ? to : from + part * (to - from);
}

static double time_of(const struct point *p)
{
    return coordinate(p->on.t0, p->on.t1, p->part);
}

struct search {
    const struct carom_graph *from, *to;
    double rate, relative;
    double floor; /* rounding of the coordinates */
    double best;
};

/* max-norm distance of the point from the place at `along` of a piece; *slope: its derivative in `along` */
static double distance_at(const struct search *s, const struct point *p, const struct piece *other, double along,
                          double *slope)
{
    double gap = s->rate * (coordinate(other->t0, other->t1, along) - time_of(p));
    double best = fabs(gap);
    *slope = copysign(1.0, gap) * s->rate * (other->t1 - other->t0);
    for (size_t k = 0; k < s->to->width; k++) {
        const double x = coordinate(p->on.x0[k], p->on.x1[k], p->part);
        gap = coordinate(other->x0[k], other->x1[k], along) - x;
        if (fabs(gap) > best) {
            best = fabs(gap);
            *slope = copysign(1.0, gap) * (other->x1[k] - other->x0[k]);
        }
    }
    return best;
}

/* For one component: |a + b s| and |c + d s| are largest together at an end, where one of them is 0, or where they are
 * equal. */
static double distance_plane(const struct search *s, const struct point *p, const struct piece *other)
{
    const double x = coordinate(p->on.x0[0], p->on.x1[0], p->part);
    const double a = s->rate * (other->t0 - time_of(p)), b = s->rate * (other->t1 - other->t0);
    const double c = other->x0[0] - x, d = other->x1[0] - other->x0[0];
    const double low = fmax(fabs(a), fabs(c)), high = fmax(fabs(a + b), fabs(c + d));
    const double place[] = {-a / b, -c / d, (c - a) / (b - d), -(a + c) / (b + d)};
    double best = low < high ? low : high;
    for (int k = 0; k < 4; k++)
        if (place[k] > 0.0 && place[k] < 1.0) {
            const double here = fmax(fabs(a + b * place[k]), fabs(c + d * place[k]));
            best = here < best ? here : best;
        }
    return best;
}

/* distance of a point from a piece: the least of a convex function, by halving where its slope changes sign */
static double distance_to(const struct search *s, const struct point *p, size_t k)
{
    const struct piece other = piece_of(s->to, k);
    double slope, low = 0.0, high = 1.0;
    if (s->to->width == 1)
        return distance_plane(s, p, &other);
    const double first = distance_at(s, p, &other, 0.0, &slope);
    if (slope >= 0.0)
        return first;
    const double last = distance_at(s, p, &other, 1.0, &slope);
    if (slope <= 0.0)
        return last;
    double best = first < last ? first : last;
    for (int i = 0; i < NARROWINGS && high - low > 1e-15; i++) {
        const double middle = 0.5 * (low + high), here = distance_at(s, p, &other, middle, &slope);
        best = here < best ? here : best;
        if (slope == 0.0)
            return here;
        *(slope > 0.0 ? &high : &low) = middle;
    }
    return best;
}

/* no point of the piece is nearer than this */
static double at_least(const struct search *s, const struct point *p, size_t k)
{
    const struct piece other = piece_of(s->to, k);
    const double t = time_of(p);
    double least = t < other.t0 ? s->rate * (other.t0 - t) : t > other.t1 ? s->rate * (t - other.t1) : 0.0;
    for (size_t j = 0; j < s->to->width; j++) {
        const double x = coordinate(p->on.x0[j], p->on.x1[j], p->part);
        const double low = other.x0[j] < other.x1[j] ? other.x0[j] : other.x1[j];
        const double high = other.x0[j] < other.x1[j] ? other.x1[j] : other.x0[j];
        const double off = x < low ? low - x : x > high ? x - high : 0.0;
        least = off > least ? off : least;
    }
    return least;
}

/* the first time of g that is not before t */
static size_t place(const struct carom_graph *g, double t)
{
    size_t low = 0;
    CAROM_SORTED_FIRST(low, g->n - 1, g->time[middle] < t);
    return low;
}

/* The nearest piece to a point and how far it is; `hint` is tried first. A piece that is not farther than the largest
 * distance known is as good as the nearest: the point cannot be the farthest. */
static double nearest(const struct search *s, const struct point *p, size_t hint, size_t *which)
{
    const double t = time_of(p);
    const size_t count = pieces(s->to), start = 2 * place(s->to, t);
    double best = distance_to(s, p, hint);
    *which = hint;
    bool up = true, down = true;
    for (size_t off = 0; (up || down) && best > s->best; off++) {
        for (int side = 0; side < 2; side++) {
            bool *go = side == 0 ? &up : &down;
            const bool inside = side == 0 ? start + off < count : off < start;
            if (!*go || !inside) {
                *go = false;
                continue;
            }
            const size_t k = side == 0 ? start + off : start - 1 - off;
            const struct piece other = piece_of(s->to, k);
            if (s->rate * (side == 0 ? other.t0 - t : t - other.t1) > best) {
                *go = false;
                continue;
            }
            if (at_least(s, p, k) >= best)
                continue;
            const double d = distance_to(s, p, k);
            if (d < best) {
                best = d;
                *which = k;
            }
        }
    }
    return best;
}

/* one end of a part of a piece: how far, and from which piece */
struct stop {
    double part, distance;
    size_t by;
};

/* The distance along [a, b] of a piece is nowhere larger than this. */
static double at_most(const struct search *s, const struct piece *on, const struct stop *a, const struct stop *b)
{
    if (a->by == b->by)
        return a->distance > b->distance ? a->distance : b->distance;
    const struct point first = {*on, a->part}, last = {*on, b->part};
    const double by_a = distance_to(s, &last, a->by), by_b = distance_to(s, &first, b->by);
    const double one = a->distance > by_a ? a->distance : by_a, two = b->distance > by_b ? b->distance : by_b;
    return one < two ? one : two;
}

static void refine(struct search *s, const struct piece *on, const struct stop *a, const struct stop *b, int depth)
{
    if (depth == 0 || at_most(s, on, a, b) <= s->best * (1.0 + s->relative) + s->floor)
        return;
    struct stop middle = {.part = 0.5 * (a->part + b->part)};
    const struct point p = {*on, middle.part};
    middle.distance = nearest(s, &p, a->by, &middle.by);
    s->best = middle.distance > s->best ? middle.distance : s->best;
    refine(s, on, a, &middle, depth - 1);
    refine(s, on, &middle, b, depth - 1);
}

/* The ends of all pieces first: the better the bound, the less is halved. */
static void excess(struct search *s)
{
    size_t by = 0;
    for (int round = 0; round < 2; round++)
        for (size_t k = 0; k < pieces(s->from); k++) {
            const struct piece on = piece_of(s->from, k);
            const struct point first = {on, 0.0}, last = {on, 1.0};
            struct stop a = {.part = 0.0}, b = {.part = 1.0};
            a.distance = nearest(s, &first, by, &a.by);
            b.distance = nearest(s, &last, a.by, &b.by);
            by = b.by;
            s->best = a.distance > s->best ? a.distance : s->best;
            s->best = b.distance > s->best ? b.distance : s->best;
            if (round == 1)
                refine(s, &on, &a, &b, HALVINGS);
        }
}

static double rounding(const struct carom_graph *g, double rate)
{
    double most = rate * fmax(fabs(g->time[0]), fabs(g->time[g->n - 1]));
    for (size_t i = 0; i < g->n * g->width; i++)
        most = fmax(most, fmax(fabs(g->left[i]), fabs(g->right[i])));
    return 8.0 * DBL_EPSILON * most;
}

static bool sound(const struct carom_graph *g)
{
    double poison = 0.0;
    for (size_t i = 0; i < g->n; i++) {
        poison += 0.0 * g->time[i];
        if (i > 0 && !(g->time[i] >= g->time[i - 1]))
            return false;
    }
    for (size_t i = 0; i < g->n * g->width; i++)
        poison += 0.0 * g->left[i] + 0.0 * g->right[i];
    return g->n > 0 && poison == 0.0;
}

double carom_norms_hausdorff(const struct carom_graph *f, const struct carom_graph *g, double rate, double relative)
{
    if (f->width != g->width || !sound(f) || !sound(g) || !(rate > 0.0) || !(rate < HUGE_VAL))
        return nan("");
    struct search search = {.from = f, .to = g, .rate = rate, .relative = relative};
    search.floor = fmax(rounding(f, rate), rounding(g, rate));
    excess(&search);
    search.from = g;
    search.to = f;
    excess(&search);
    return search.best;
}

/* --- Lp ----------------------------------------------------------------------------------------------------------- */

/* integral of |a + (b - a) s|^p over s in [0, 1] */
static double mean_power(double a, double b, double p)
{
    const double x = fabs(a), y = fabs(b);
    if ((a >= 0.0) == (b >= 0.0)) {
        if (fabs(x - y) <= 1e-4 * (x + y)) { /* the quotient below would cancel: Simpson's rule is as good here */
            return (pow(x, p) + 4.0 * pow(0.5 * (x + y), p) + pow(y, p)) / 6.0;
        }
        return p == 1.0 ? 0.5 * (x + y) : (pow(y, p + 1.0) - pow(x, p + 1.0)) / ((p + 1.0) * (y - x));
    }
    return (pow(x, p + 1.0) + pow(y, p + 1.0)) / ((p + 1.0) * (x + y));
}

/* component k at t on the line that begins at time i: at its ends the limits from inside */
static double value(const struct carom_graph *g, size_t i, double t, size_t k)
{
    const double t0 = g->time[i], t1 = g->time[i + 1];
    const double a = g->right[i * g->width + k], b = g->left[(i + 1) * g->width + k];
    return t == t1 ? b : t == t0 ? a : a + (b - a) * ((t - t0) / (t1 - t0));
}

double carom_norms_lp(const struct carom_graph *f, const struct carom_graph *g, double p)
{
    double largest = 0.0;
    if (f->width != g->width || !sound(f) || !sound(g) || !(p >= 1.0))
        return nan("");
    for (size_t k = 0; k < f->width; k++) {
        double sum = 0.0;
        for (size_t i = 0, j = 0; i + 1 < f->n && j + 1 < g->n;) {
            const double low = fmax(f->time[i], g->time[j]), high = fmin(f->time[i + 1], g->time[j + 1]);
            if (high > low)
                sum += (high - low) * mean_power(value(f, i, low, k) - value(g, j, low, k),
                                                 value(f, i, high, k) - value(g, j, high, k), p);
            if (f->time[i + 1] <= g->time[j + 1])
                i++;
            else
                j++;
        }
        largest = sum > largest ? sum : largest;
    }
    return pow(largest, 1.0 / p);
}
