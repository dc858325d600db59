/* The largest force of contacts between and at looks, and between samples. */
#include "model/peak_force.h"

#include <math.h>
#include <string.h>

#include "base/lane.h"
#include "base/memory.h"
#include "solve/locate.h"
#include "solve/summit.h"

enum { ROUNDS = 10 }; /* of the search; a parabola then knows the top to 1e-9 of itself */
#define RESOLVED 1e-9 /* of itself: a peak is not searched for less */
#define GOLDEN 0.6180339887498949
#define NEAR 1e-4   /* of the time between looks: where parabolas meet so closely, the force is flat to 1e-9 */
#define BESIDE 1e-4 /* of the time between looks: beside one of them */

enum carom_status carom_peak_force_open(struct carom_peak_force *p, size_t n, size_t nh, struct carom_error *error)
{
    const size_t width = 3 * n + nh;
    *p = (struct carom_peak_force){.n = n, .nh = nh, .block = carom_memory_zeroed(3 * width + 2 * n, sizeof(double))};
    if (p->block == NULL)
        return carom_memory_error(error);
    for (size_t i = 0; i < 3; i++) {
        double *at = p->block + i * width;
        p->look[i] = (struct carom_look){.deform = at, .rate = at + n, .force = at + 2 * n, .history = at + 3 * n};
    }
    p->largest = p->block + 3 * width;
    p->when = p->largest + n;
    return CAROM_OK;
}

void carom_peak_force_close(struct carom_peak_force *p)
{
    carom_memory_free(p->block);
    *p = (struct carom_peak_force){0};
}

/* --- between two looks ------------------------------------------------------------------------------------------- */

struct span {
    const struct carom_peak_force *peak;
    size_t j;
    const double *history;
    double start, h;
    struct carom_cubic deform;
};

static double force_on(const void *own, double s)
{
    const struct span *span = own;
    const double deform = carom_cubic_at(&span->deform, s), rate = carom_cubic_slope(&span->deform, s) / span->h;
    return span->peak->force(span->peak->own, span->j, span->history, deform, rate);
}

static double force_at(const struct span *span, double s)
{
    return force_on(span, s);
}

/* No force between the looks is larger: that at the largest overlap and rate which the cubic's control points allow. */
static double bound(const struct span *span)
{
    const struct carom_cubic *c = &span->deform;
    const double early = carom_cubic_early(c), late = carom_cubic_late(c);
    const double deform = fmax(fmax(c->value[0], c->value[1]), fmax(early, late));
    const double slope = fmax(fmax(c->slope[0], c->slope[1]), fmax(3.0 * (late - early), 0.0));
    return span->peak->force(span->peak->own, span->j, span->history, deform, slope / span->h);
}

/* The part of the time between both looks in which the contact, closed at one of them, is closed. */
static void closed_part(const struct carom_cubic *c, double *low, double *high)
{
    const double within = 1e-12; /* on the closed side, whatever the rounding */
    *low = 0.0;
    *high = 1.0;
    if (!(c->value[0] > 0.0))
        *low = within + (1.0 - within) * carom_locate_on_cubic(c, 1.0);
    else if (!(c->value[1] > 0.0))
        *high = (1.0 - within) * carom_locate_on_cubic(c, 1.0);
}

static void keep(const struct carom_peak_force *p, size_t j, double time, double force)
{
    if (force > p->largest[j]) {
        p->largest[j] = force;
        p->when[j] = time;
    }
}

/* where the parabola through three points is highest; the middle one if it has no top */
static double vertex(const double x[3], const double f[3])
{
    const double a = (f[1] - f[0]) / (x[1] - x[0]), b = (f[2] - f[1]) / (x[2] - x[1]);
    const double bend = (b - a) / (x[2] - x[0]), top = 0.5 * (x[0] + x[1]) - 0.5 * a / bend;
    return bend < 0.0 && top > x[0] && top < x[2] ? top : x[1];
}

/* The third point of three, the middle one of which stands highest, gives way to another one between them. */
static void narrow(double x[3], double f[3], double at, double force)
{
    const int side = at < x[1] ? 0 : 2;
    if (force >= f[1]) {
        x[2 - side] = x[1], f[2 - side] = f[1];
        x[1] = at, f[1] = force;
    } else
        x[side] = at, f[side] = force;
}

bool carom_peak_force_vault(const struct carom_peak_force *p, size_t j, const struct carom_peak_course *c)
{
    double x[3] = {c->low, 0.5 * (c->low + c->high), c->high};
    double f[3] = {c->force(c->own, x[0]), c->force(c->own, x[1]), c->force(c->own, x[2])};
    keep(p, j, c->start + c->low * c->h, f[0]); /* it may begin with a jump */
    for (int round = 0; round < 2 * ROUNDS; round++) {
        if (f[1] < f[0] || f[1] < f[2]) {
            const int side = f[0] > f[2] ? 0 : 2;
            x[2 - side] = x[1], f[2 - side] = f[1];
            x[1] = 0.5 * (x[0] + x[2]);
            f[1] = c->force(c->own, x[1]);
            continue;
        }
        const double top = vertex(x, f), far = fabs(top - x[1]);
        const double force = c->force(c->own, top);
        narrow(x, f, top, force);
        if (far < NEAR) {
            keep(p, j, c->start + x[1] * c->h, f[1]);
            return true;
        }
    }
    return false;
}

/* parabolas; else golden section over the part in which the contact is closed, then a parabola */
static void climb(const struct span *span)
{
    double low, high;
    closed_part(&span->deform, &low, &high);
    const struct carom_peak_course course = {span->start, span->h, low, high, force_on, span};
    if (carom_peak_force_vault(span->peak, span->j, &course))
        return;
    double x[3] = {low, high - GOLDEN * (high - low), low + GOLDEN * (high - low)};
    double f[3] = {force_at(span, x[0]), force_at(span, x[1]), force_at(span, x[2])};
    for (int round = 0; round < ROUNDS; round++) {
        if (f[1] >= f[2]) {
            high = x[2];
            x[2] = x[1], f[2] = f[1];
            x[1] = high - GOLDEN * (high - low);
            f[1] = force_at(span, x[1]);
        } else {
            low = x[0] = x[1], f[0] = f[1];
            x[1] = x[2], f[1] = f[2];
            x[2] = low + GOLDEN * (high - low);
            f[2] = force_at(span, x[2]);
        }
    }
    const double top = vertex(x, f);
    keep(span->peak, span->j, span->start + top * span->h, force_at(span, top));
}

static double time_of(const struct carom_look *look, size_t j)
{
    return look->times != NULL ? look->times[j] : look->time;
}

static struct span span_of(const struct carom_peak_force *p, size_t j, size_t from)
{
    const struct carom_look *a = &p->look[from], *b = &p->look[from + 1];
    const double start = time_of(a, j), h = time_of(b, j) - start;
    const struct carom_cubic deform = {{a->deform[j], b->deform[j]}, {h * a->rate[j], h * b->rate[j]}};
    return (struct span){.peak = p, .j = j, .history = a->history, .start = start, .h = h, .deform = deform};
}

/* may a force larger than any so far lie between the looks? */
static bool promises(const struct span *span)
{
    const bool closed = span->deform.value[0] > 0.0 || span->deform.value[1] > 0.0;
    return span->h > 0.0 && closed && bound(span) > (1.0 + RESOLVED) * span->peak->largest[span->j];
}

/* May a top near the highest of three looks be larger than any force so far? A force that bends downwards stays below
 * the lines through its neighbours; twice as far is allowed, for looks that are not evenly spaced. */
static bool tops_all(const struct carom_peak_force *p, size_t j)
{
    const double f = p->look[1].force[j];
    return f + 2.0 * (f - fmin(p->look[0].force[j], p->look[2].force[j])) > p->largest[j];
}

/* The top of the parabola through the last three forces, the middle one of which is the highest; where the contact was
 * apart at one of them the force may bend there. */
static void top_of_three(const struct carom_peak_force *p, size_t j)
{
    double x[3], f[3];
    bool closed = p->seen > 2;
    for (size_t i = 0; i < 3; i++) {
        x[i] = time_of(&p->look[i], j) - time_of(&p->look[1], j);
        f[i] = p->look[i].force[j];
        closed = closed && p->look[i].deform[j] > 0.0;
    }
    if (!closed || !(x[0] < 0.0) || !(x[2] > 0.0))
        return;
    const double top = vertex(x, f), bend = ((f[2] - f[1]) / x[2] - (f[1] - f[0]) / -x[0]) / (x[2] - x[0]);
    keep(p, j, time_of(&p->look[1], j) + top, f[1] - bend * top * top);
}

/* Look `at` (1, 2) is higher than its neighbours: the top is on a side to which the force rises. */
static void peak_at(const struct carom_peak_force *p, size_t j, size_t at)
{
    const double force = p->look[at].force[j];
    keep(p, j, time_of(&p->look[at], j), force);
    if (!p->force) {
        if (at == 1)
            top_of_three(p, j);
        return;
    }
    for (size_t from = p->seen > 3 - at ? at - 1 : at; from <= at && from < 2; from++) {
        const struct span span = span_of(p, j, from);
        if (promises(&span) && force_at(&span, from < at ? 1.0 - BESIDE : BESIDE) > force)
            climb(&span);
    }
}

/* --- looks ------------------------------------------------------------------------------------------------------- */

struct carom_look *carom_peak_force_turn(struct carom_peak_force *p, double time)
{
    const struct carom_look oldest = p->look[0];
    p->look[0] = p->look[1];
    p->look[1] = p->look[2];
    p->look[2] = oldest;
    p->look[2].time = time;
    p->seen++;
    return &p->look[2];
}

enum { BLOCK = 256 };

/* Which of n forces stand above those before and after them? Two at a time: hardly any do. `before` is NULL: nothing is
 * known. */
static size_t tops(size_t n, const double *before, const double *middle, const double *after, size_t *restrict list)
{
    size_t count = 0, k = 0;
    for (; k + CAROM_LANES <= n; k += CAROM_LANES) {
        const carom_lane here = carom_lane_load(middle + k), zero = {0.0, 0.0};
        const carom_lane low = before != NULL ? carom_lane_positive(carom_lane_load(before + k)) : zero;
        const carom_lane_mask top = (here >= carom_lane_load(after + k)) & (here > low);
        if ((top[0] | top[1]) == 0)
            continue;
        list[count] = k;
        count += top[0] ? 1 : 0;
        list[count] = k + 1;
        count += top[1] ? 1 : 0;
    }
    for (; k < n; k++)
        if (middle[k] > 0.0 && middle[k] >= after[k] && (before == NULL || middle[k] > before[k]))
            list[count++] = k;
    return count;
}

void carom_peak_force_note_some(struct carom_peak_force *p, size_t from, size_t to)
{
    const double *before = p->look[0].force, *middle = p->look[1].force, *after = p->look[2].force;
    size_t list[BLOCK];
    for (size_t begin = from; p->seen >= 2 && begin < to; begin += BLOCK) {
        const size_t n = to - begin < BLOCK ? to - begin : BLOCK;
        const size_t count = tops(n, p->seen == 2 ? NULL : before + begin, middle + begin, after + begin, list);
        for (size_t i = 0; i < count; i++)
            if (p->seen == 2 || tops_all(p, begin + list[i]))
                peak_at(p, begin + list[i], 1);
    }
}

void carom_peak_force_note(struct carom_peak_force *p)
{
    carom_peak_force_note_some(p, 0, p->n);
}

void carom_peak_force_end_some(struct carom_peak_force *p, size_t from, size_t to)
{
    for (size_t j = from; p->seen > 0 && j < to; j++)
        if (p->look[2].force[j] > 0.0 && (p->seen == 1 || p->look[2].force[j] > p->look[1].force[j]))
            peak_at(p, j, 2);
}

void carom_peak_force_end(struct carom_peak_force *p)
{
    carom_peak_force_end_some(p, 0, p->n);
}

static double force_of(const void *own, size_t j, const double *history, double deform, double rate)
{
    return carom_contact_force_at(own, j, history, deform, rate);
}

void carom_peak_force_see(struct carom_peak_force *p, const struct carom_model *model, const struct carom_state *view)
{
    struct carom_look *look = carom_peak_force_turn(p, view->time);
    p->force = force_of;
    p->own = model;
    carom_contact_force_read(model, view, 0, model->nc, look->deform, look->rate, look->force);
    memcpy(look->history, view->history, p->nh * sizeof *look->history);
    carom_peak_force_note(p);
}

/* --- samples ----------------------------------------------------------------------------------------------------- */

enum { MOST = CAROM_PEAK_SAMPLES };

/* the top near sample i */
static void look_at(struct carom_peak_samples *s, size_t i)
{
    const double *force = s->force;
    double when, height;
    if (!(force[i] >= force[i - 1] && force[i] >= force[i + 1]))
        return;
    carom_summit_find(s->count, s->time, force, i, &when, &height);
    if (height > s->largest) {
        s->largest = height;
        s->when = when;
    }
}

void carom_peak_force_sampled(struct carom_peak_samples *s)
{
    if (s->count == 4 || s->count == MOST) /* those before have been looked at with more neighbours */
        look_at(s, s->count - 2);
    s->count = 0;
}

void carom_peak_force_sample(struct carom_peak_samples *s, double time, double force)
{
    if (s->count > 0 && !(time > s->time[s->count - 1]))
        carom_peak_force_sampled(s);
    if (s->count == MOST) {
        memmove(s->time, s->time + 1, (MOST - 1) * sizeof(double));
        memmove(s->force, s->force + 1, (MOST - 1) * sizeof(double));
        s->count--;
    }
    s->time[s->count] = time;
    s->force[s->count++] = force;
    if (force > s->largest) {
        s->largest = force;
        s->when = time;
    }
    if (s->count == 3 || s->count == MOST)
        look_at(s, s->count == 3 ? 1 : 2);
}

void carom_peak_force_told(struct carom_peak_samples *s, double time, double force)
{
    const double *last = s->count > 1 ? &s->time[s->count - 1] : NULL;
    if (last != NULL && time - *last > 1.5 * (*last - last[-1]))
        carom_peak_force_sample(s, *last + (*last - last[-1]), 0.0);
    carom_peak_force_sample(s, time, force);
}
