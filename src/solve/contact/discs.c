/* Impulses in discs, see discs.h. Newton's method on the discs that are thought to be full and the contacts that are
 * thought to stick, from where one begins; where that does not settle, an inner way (primal and dual, with a barrier)
 * leads near the answer from the middle of all discs. A proximal term, taken off again by repeating, makes all of it
 * definite and picks one of many answers. */
#include "solve/contact/discs.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/dense.h"

enum { TURNS = 12, INNER = 80, PASSES = 24 }; /* steps of Newton's method, of the inner way; of the proximal term */

static const double first_hold = 1e-6, last_hold = 1e-3; /* of a contact's own mobility: the proximal term, at most */
static const double less = 0.1, more = 10.0;             /* times it, after a pass, and after one in vain */
static const double near = 1e-2;     /* of the gap at the start of the inner way: from there Newton's method is tried */
static const double nothing = 1e-24; /* of it: rounding, where nothing is left to be tried */
static const double most = 0.995;    /* of a step of the inner way to the nearest edge */

struct carom_discs *carom_discs_create(size_t n)
{
    struct carom_discs *d = carom_memory_zeroed(1, sizeof *d);
    if (!d)
        return NULL;
    if (carom_memory_together(CAROM_ROOM(d->a, 4 * n * n), CAROM_ROOM(d->b, 2 * n), CAROM_ROOM(d->radius, n),
                              CAROM_ROOM(d->q, 2 * n), CAROM_ROOM(d->slip, 2 * n), CAROM_ROOM(d->matrix, 4 * n * n),
                              CAROM_ROOM(d->step, 2 * n), CAROM_ROOM(d->centre, 2 * n), CAROM_ROOM(d->held, 2 * n),
                              CAROM_ROOM(d->presses, n), CAROM_ROOM(d->room, n), CAROM_ROOM(d->kept, 2 * n),
                              CAROM_ROOM(d->first, 2 * n), CAROM_ROOM(d->edge, n)))
        return d;
    carom_discs_free(d);
    return NULL;
}

void carom_discs_free(struct carom_discs *d)
{
    if (d)
        carom_memory_free_all(d->a, d);
}

static double dot(const double x[2], const double y[2])
{
    return x[0] * y[0] + x[1] * y[1];
}

static double length(const double x[2])
{
    return sqrt(dot(x, x));
}

static double own(const struct carom_discs *d, size_t i)
{
    const size_t wide = 2 * d->n;
    return fmax(d->a[2 * i * wide + 2 * i], d->a[(2 * i + 1) * wide + 2 * i + 1]);
}

/* slips, with the proximal term or without */
static void find_slips(struct carom_discs *d, bool held)
{
    const size_t wide = 2 * d->n;
    for (size_t k = 0; k < wide; k++) {
        double sum = held ? d->held[k] + d->hold * own(d, k / 2) * d->q[k] : d->b[k];
        for (size_t l = 0; l < wide; l++)
            sum += d->a[k * wide + l] * d->q[l];
        d->slip[k] = sum;
    }
}

/* How far slips are off the law. */
static double off_law(const struct carom_discs *d)
{
    double off = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        const double *q = d->q + 2 * i, *s = d->slip + 2 * i, size = length(q), along = dot(q, s);
        const bool opposed = size >= d->radius[i] * (1.0 - 1e-12) && along < 0.0;
        const double across = opposed ? fabs(q[0] * s[1] - q[1] * s[0]) / size : length(s);
        off = fmax(off, across);
    }
    return off;
}

/* what rounding leaves of slips, with the proximal term */
static double rounding(const struct carom_discs *d)
{
    const size_t wide = 2 * d->n;
    double most_left = 0.0;
    for (size_t k = 0; k < wide; k++) {
        double sum = fabs(d->held[k]);
        for (size_t l = 0; l < wide; l++)
            sum += fabs(d->a[k * wide + l] * d->q[l]);
        most_left = fmax(most_left, DBL_EPSILON * sum);
    }
    return most_left;
}

static bool is_good(const struct carom_discs *d, double accuracy)
{
    const double off = off_law(d);
    return off <= accuracy || off <= rounding(d);
}

/* --- Newton's method ---------------------------------------------------------------------------------------------- */

/* the impulse of contact i onto the edge of its disc */
static void put_on_edge(struct carom_discs *d, size_t i)
{
    const double part = d->radius[i] / length(d->q + 2 * i);
    d->q[2 * i] *= part;
    d->q[2 * i + 1] *= part;
}

/* who is at the edge: those that would leave their disc, and stay there while they are opposed to their slips */
static bool look_at_edges(struct carom_discs *d)
{
    bool changed = false;
    for (size_t i = 0; i < d->n; i++) {
        if (!d->edge[i] && length(d->q + 2 * i) > d->radius[i]) {
            d->edge[i] = changed = true;
            put_on_edge(d, i);
        }
    }
    find_slips(d, true);
    for (size_t i = 0; i < d->n; i++)
        if (d->edge[i] && dot(d->q + 2 * i, d->slip + 2 * i) > 0.0) {
            d->edge[i] = false;
            changed = true;
        }
    return changed;
}

/* Direction k of 2n in which contact k / 2 may move: along its edge only, its second direction then being void. */
static void direction(const struct carom_discs *d, size_t k, double x[2])
{
    const double *q = d->q + k / 2 * 2, size = d->radius[k / 2];
    x[0] = !d->edge[k / 2] ? k % 2 == 0 : k % 2 == 0 ? -q[1] / size : 0.0;
    x[1] = !d->edge[k / 2] ? k % 2 == 1 : k % 2 == 0 ? q[0] / size : 0.0;
}

static double between(const struct carom_discs *d, size_t k, const double x[2], size_t l, const double y[2])
{
    const size_t wide = 2 * d->n;
    const double *row = d->a + k / 2 * 2 * wide + l / 2 * 2, *next = row + wide;
    return x[0] * (row[0] * y[0] + row[1] * y[1]) + x[1] * (next[0] * y[0] + next[1] * y[1]);
}

/* d->step, in these directions; false: not to be found */
static bool find_step(struct carom_discs *d)
{
    const size_t wide = 2 * d->n;
    for (size_t k = 0; k < wide; k++) {
        const size_t i = k / 2;
        const bool void_one = d->edge[i] && k % 2 == 1;
        double x[2], y[2];
        direction(d, k, x);
        for (size_t l = 0; l <= k; l++) {
            direction(d, l, y);
            d->matrix[k * wide + l] = between(d, k, x, l, y);
        }
        d->matrix[k * wide + k] += void_one ? 1.0 : d->hold * own(d, i);
        if (d->edge[i] && !void_one)
            d->matrix[k * wide + k] += fmax(-dot(d->q + 2 * i, d->slip + 2 * i), 0.0) / (d->radius[i] * d->radius[i]);
        d->step[k] = -dot(x, d->slip + 2 * i);
    }
    if (carom_dense_cholesky(wide, d->matrix, 1e-14) > 0)
        return false;
    carom_dense_cholesky_solve(wide, d->matrix, d->step);
    return true;
}

static void take_step(struct carom_discs *d, double part)
{
    for (size_t i = 0; i < d->n; i++) {
        double *q = d->q + 2 * i, x[2];
        const double *step = d->step + 2 * i;
        direction(d, 2 * i, x);
        for (size_t a = 0; a < 2; a++)
            q[a] += part * (d->edge[i] ? step[0] * x[a] : step[a]);
        if (d->edge[i])
            put_on_edge(d, i);
    }
}

/* how much of a step leads contact i, with so much room, to the edge of its disc */
static double way_to_edge(const struct carom_discs *d, size_t i, double room)
{
    const double *q = d->q + 2 * i, *step = d->step + 2 * i, a = dot(step, step), b = dot(q, step);
    const double part = a > 0.0 ? 2.0 * room / (b + sqrt(b * b + 2.0 * a * room)) : HUGE_VAL;
    return part >= 0.0 ? part : HUGE_VAL;
}

/* a step up to where the first contact comes to its edge, where it stays, or has gone far along it; false: all of it */
static bool step_to_edge(struct carom_discs *d)
{
    double part = 1.0;
    size_t first = d->n;
    for (size_t i = 0; i < d->n; i++) {
        const double *q = d->q + 2 * i, room = fmax(0.5 * (d->radius[i] * d->radius[i] - dot(q, q)), 0.0);
        const double way = d->edge[i] ? 0.5 * d->radius[i] / fabs(d->step[2 * i]) : way_to_edge(d, i, room);
        first = way < part ? i : first;
        part = fmin(part, way);
    }
    take_step(d, part);
    for (size_t i = 0; i < d->n; i++)
        if (!d->edge[i] && (i == first || length(d->q + 2 * i) > d->radius[i])) { /* some with it, to rounding */
            d->edge[i] = true;
            put_on_edge(d, i);
        }
    find_slips(d, true);
    return first < d->n;
}

/* the one at the edge that is opposed to its slip least leaves it, if that is off by more than what is left there */
static void leave_edge(struct carom_discs *d, double unrest)
{
    size_t least = d->n;
    double most_along = unrest;
    for (size_t i = 0; i < d->n; i++) {
        const double along = d->edge[i] ? dot(d->q + 2 * i, d->slip + 2 * i) / d->radius[i] : 0.0;
        least = along > most_along ? i : least;
        most_along = fmax(most_along, along);
    }
    if (least < d->n)
        d->edge[least] = false;
}

/* how far those within, and those at the edge along it, are from rest */
static double unrest(const struct carom_discs *d)
{
    double most_left = 0.0;
    for (size_t k = 0; k < 2 * d->n; k++) {
        double x[2];
        direction(d, k, x);
        most_left = fmax(most_left, fabs(dot(x, d->slip + k / 2 * 2)));
    }
    return most_left;
}

/* Edges one by one, where Newton's method takes and leaves the same ones again and again: this cannot go round. */
static bool settle_by_one(struct carom_discs *d, double accuracy)
{
    for (size_t turn = 0; turn < TURNS + 4 * d->n && !is_good(d, accuracy); turn++) {
        if (!find_step(d))
            return false;
        if (!step_to_edge(d))
            leave_edge(d, unrest(d));
    }
    return is_good(d, accuracy);
}

/* who is at the edge to begin with */
static void find_edges(struct carom_discs *d)
{
    for (size_t i = 0; i < d->n; i++) {
        d->edge[i] = length(d->q + 2 * i) >= d->radius[i] * (1.0 - 1e-6);
        if (d->edge[i])
            put_on_edge(d, i);
    }
    find_slips(d, true);
}

/* from d->q, with the proximal term; false: it does not settle */
static bool settle(struct carom_discs *d, double accuracy)
{
    find_edges(d);
    memcpy(d->first, d->q, 2 * d->n * sizeof *d->q);
    bool changed = look_at_edges(d);
    for (int turn = 0; turn < TURNS && (changed || !is_good(d, accuracy)); turn++) {
        if (!find_step(d))
            return false;
        take_step(d, 1.0);
        changed = look_at_edges(d);
    }
    if (is_good(d, accuracy))
        return true;
    memcpy(d->q, d->first, 2 * d->n * sizeof *d->q);
    find_edges(d);
    return settle_by_one(d, accuracy);
}

/* --- the inner way ------------------------------------------------------------------------------------------------ */

/* What is left of discs; how far one is from the answer, as an energy. */
static double find_gap(struct carom_discs *d)
{
    double gap = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        const double *q = d->q + 2 * i;
        d->room[i] = 0.5 * (d->radius[i] * d->radius[i] - dot(q, q));
        gap += d->presses[i] * d->room[i];
    }
    return gap;
}

static bool find_inner_step(struct carom_discs *d, double aim)
{
    const size_t wide = 2 * d->n;
    memcpy(d->matrix, d->a, wide * wide * sizeof *d->matrix);
    for (size_t i = 0; i < d->n; i++) {
        const double *q = d->q + 2 * i, by = d->presses[i] / d->room[i];
        for (size_t a = 0; a < 2; a++) {
            for (size_t b = 0; b < 2; b++)
                d->matrix[(2 * i + a) * wide + 2 * i + b] +=
                    by * q[a] * q[b] + (a == b ? d->presses[i] + d->hold * own(d, i) : 0.0);
            d->step[2 * i + a] = -d->slip[2 * i + a] - aim / d->room[i] * q[a];
        }
    }
    if (carom_dense_cholesky(wide, d->matrix, 1e-14) > 0)
        return false;
    carom_dense_cholesky_solve(wide, d->matrix, d->step);
    return true;
}

/* how presses[i] changes */
static double change_of(const struct carom_discs *d, size_t i, double aim)
{
    const double along = dot(d->q + 2 * i, d->step + 2 * i);
    return (aim + d->presses[i] * along) / d->room[i] - d->presses[i];
}

/* A step towards where each contact is `aim` from the answer; how much of it was taken. None comes much nearer than
 * others, which would be stuck at its edge. */
static double take_inner_step(struct carom_discs *d, double aim)
{
    const double apart = 10.0;
    double part = 1.0;
    for (size_t i = 0; i < d->n; i++) {
        const double change = change_of(d, i, aim), back = change < 0.0 ? -d->presses[i] / change : HUGE_VAL;
        part = fmin(part, most * fmin(way_to_edge(d, i, d->room[i]), back));
    }
    for (size_t i = 0; i < d->n; i++) {
        double *q = d->q + 2 * i;
        d->presses[i] += part * change_of(d, i, aim);
        for (size_t a = 0; a < 2; a++)
            q[a] += part * d->step[2 * i + a];
        const double room = 0.5 * (d->radius[i] * d->radius[i] - dot(q, q)), middle = aim / room;
        d->presses[i] = fmin(fmax(d->presses[i], middle / apart), middle * apart);
    }
    return part;
}

/* Newton's method from where the inner way is; if it does not settle, that is where one goes on */
static bool settle_from_within(struct carom_discs *d, double accuracy)
{
    memcpy(d->kept, d->q, 2 * d->n * sizeof *d->q);
    for (size_t i = 0; i < d->n; i++) /* at the edge: where more opposes than is left */
        if (d->presses[i] * d->radius[i] * d->radius[i] > 2.0 * d->room[i] * own(d, i) && length(d->q + 2 * i) > 0.0)
            put_on_edge(d, i);
    if (settle(d, accuracy))
        return true;
    memcpy(d->q, d->kept, 2 * d->n * sizeof *d->q);
    return false;
}

static bool go_inside(struct carom_discs *d, double accuracy)
{
    memset(d->q, 0, 2 * d->n * sizeof *d->q);
    for (size_t i = 0; i < d->n; i++)
        d->presses[i] = own(d, i) + length(d->held + 2 * i) / d->radius[i];
    double part = 0.0, gap = find_gap(d), next = near * gap;
    const double last = nothing * gap;
    for (int turn = 0; turn < INNER && gap > last; turn++) {
        const double aim = (part > 0.9 ? 0.03 : 0.3) * gap / (double)d->n;
        find_slips(d, true);
        if (!find_inner_step(d, aim))
            return false;
        part = take_inner_step(d, aim);
        gap = find_gap(d);
        if (gap < next && settle_from_within(d, accuracy))
            return true;
        next = gap < next ? 0.1 * gap : next;
    }
    return false;
}

/* --- together ----------------------------------------------------------------------------------------------------- */

/* the answer nearest to d->centre, as far as the proximal term counts */
static bool nearest(struct carom_discs *d, double accuracy)
{
    for (size_t k = 0; k < 2 * d->n; k++)
        d->held[k] = d->b[k] - d->hold * own(d, k / 2) * d->centre[k];
    return settle(d, accuracy) || go_inside(d, accuracy);
}

double carom_discs_solve(struct carom_discs *d, double accuracy)
{
    double off = HUGE_VAL;
    int in_vain = 0;
    d->hold = first_hold;
    memset(d->centre, 0, 2 * d->n * sizeof *d->centre);
    for (int pass = 0; pass < PASSES && d->hold <= last_hold; pass++) {
        if (!nearest(d, 0.3 * accuracy)) { /* what is held more is found sooner, and from there what is held less */
            memcpy(d->q, d->centre, 2 * d->n * sizeof *d->q);
            d->hold *= more;
            continue;
        }
        const double before = off;
        find_slips(d, false);
        memcpy(d->centre, d->q, 2 * d->n * sizeof *d->q);
        off = off_law(d);
        in_vain = off > 0.9 * before ? in_vain + 1 : 0; /* once: impulses have gone far, along what A leaves open */
        if (off <= accuracy || in_vain > 1)             /* what is left: no impulse changes it */
            break;
        d->hold *= less;
    }
    memcpy(d->q, d->centre, 2 * d->n * sizeof *d->q);
    return off;
}
