/* Looks at plain rows: which of many contacts have turned, and what is kept of these. */
#include <string.h>

#include "sim/swings/swings_pass.h"

/* contacts of a look: at both looks before and now */
struct glance {
    const double *time, *deform[2], *deep;
    double h[2], per[3]; /* times between them, and one over these and over both together */
    double above;        /* times what looks lack beside the middle one, none rises higher above this */
    double rise; /* a contact has turned where what it has grown since the last look is no more than so many times what
                  * it grew before that */
    double *now;
};

/* Rates r0 and r1 before and after the last look but one, the bend out of both: d + T d' falls where r1 + T bend <= 0.
 * With the largest T of all contacts those of others are looked at somewhat early. `above` is more than `highest` may
 * say in the same numbers. */
static struct glance glance_at(const struct carom_swings *s, const struct carom_impulses *sums,
                               const struct carom_peak_force *peak)
{
    const struct carom_look *a = &peak->look[0], *b = &peak->look[1], *c = &peak->look[2];
    const double h0 = b->time - a->time, h1 = c->time - b->time;
    const bool both = h0 > 0.0 && h1 > 0.0;
    const double ratio = both ? (h0 > h1 ? h0 / h1 : h1 / h0) : HUGE_VAL, uneven = ratio < 1e6 ? ratio : 1e6;
    const double per = both ? 1.0 / (h0 + h1) : 0.0, lags = 2.0 * s->follows * per;
    return (struct glance){.time = sums->time,
                           .deform = {a->deform, b->deform},
                           .deep = s->deep,
                           .h = {h0, h1},
                           .per = {both ? 1.0 / h0 : 0.0, both ? 1.0 / h1 : 0.0, per},
                           .rise = both ? lags * h1 / ((1.0 + lags) * h0) : 0.0,
                           .above = uneven * uneven * (0.3 + lags * (1.0 + 2.0 * lags)),
                           .now = c->deform};
}

/* No d + T d' of contact k, which has turned, is larger: the top of the parabola through the three looks, half as high
 * again above the middle one, and what the damper and the third and fourth derivatives may add to that: with five looks
 * in half a swing a hundredth of the bend. */
static double highest(const struct glance *g, size_t k)
{
    const double r0 = (g->deform[1][k] - g->deform[0][k]) * g->per[0], t = g->time[k];
    const double r1 = (g->now[k] - g->deform[1][k]) * g->per[1], bend = 2.0 * (r0 - r1) * g->per[2];
    const double slope = (r0 * g->h[1] + r1 * g->h[0]) * g->per[2];
    const double top = g->deform[1][k] + 0.75 * slope * slope / bend + bend * (0.02 * g->h[0] * g->h[1] + 2.0 * t * t);
    return bend > 0.0 ? top : HUGE_VAL;
}

/* is it open, or may its force have been the largest, or its overlap? */
static bool matters(const struct glance *g, size_t k)
{
    return !(g->now[k] > 0.0) || highest(g, k) > g->deep[k];
}

/* Has d + T d' turned from growing to falling? Or is the contact open? The force falls before the overlap does: whoever
 * has grown is looked at until it falls. */
static bool turned(const struct glance *g, size_t k)
{
    const double a = g->deform[0][k], b = g->deform[1][k], c = g->now[k];
    return ((b > a && c - b <= g->rise * (b - a)) || !(c > 0.0)) && matters(g, k);
}

/* Registers of four numbers are worth it from so many contacts on, and only under dp5. Schemes that have none of them
 * in their own steps take longer once a look has: irk with 400 beads at rest 12 % instead of 2, with 1e4 7 instead
 * of 3. */
enum { MANY = 64 };

static size_t pass_plain(const struct carom_swings_question *question, size_t n, size_t *restrict list)
{
    return pass(question, n, list);
}

/* The same instructions with operands of their own for results, which saves a third of them. */
#if defined __x86_64__
__attribute__((target("avx"))) static size_t pass_avx(const struct carom_swings_question *question, size_t n,
                                                      size_t *restrict list)
{
    return pass(question, n, list);
}
#endif

static size_t turn_all(const struct carom_swings *s, const struct carom_swings_question *question, size_t n,
                       size_t *restrict list)
{
    if (s->pass && n >= MANY)
        return s->pass(question, n, list);
#if defined __x86_64__
    if (__builtin_cpu_supports("avx"))
        return pass_avx(question, n, list);
#endif
    return pass_plain(question, n, list);
}

/* contacts [from, to) of two beads each: the list of those that have turned, if that matters */
static size_t turns(const struct carom_swings *s, const struct glance *g, size_t from, size_t to, size_t *restrict list)
{
    const struct carom_swings_question ask = {.q = s->sim->state->q + (from - s->chain.shift),
                                              .gap = s->chain.gap + from,
                                              .before = g->deform[0] + from,
                                              .middle = g->deform[1] + from,
                                              .deep = g->deep + from,
                                              .now = g->now + from,
                                              .rise = g->rise,
                                              .above = g->above};
    const size_t may = turn_all(s, &ask, to - from, list);
    size_t count = 0;
    for (size_t i = 0; i < may; i++)
        if (turned(g, from + list[i]))
            list[count++] = from + list[i];
    return count;
}

/* one with a wall */
static size_t turns_beside(const struct carom_swings *s, const struct glance *g, size_t j, size_t *list)
{
    g->now[j] = carom_swings_overlap(s, s->copy[2]->state.q, j);
    *list = j;
    return turned(g, j) ? 1 : 0;
}

static bool listed(const size_t *list, size_t count, size_t j)
{
    bool is = false;
    for (size_t i = 0; i < count; i++)
        is = is || list[i] == j;
    return is;
}

/* Few among [from, to) are to be looked at closer, whatever their rates tell. */
static size_t add_pending(const struct carom_swings *s, size_t from, size_t to, size_t *list, size_t count)
{
    const size_t turned_by_now = count;
    const unsigned char *at = s->npending > 0 ? memchr(s->pending + from, 1, to - from) : NULL;
    while (at) {
        const size_t j = (size_t)(at - s->pending);
        if (!listed(list, turned_by_now, j))
            list[count++] = j;
        at = j + 1 < to ? memchr(at + 1, 1, to - j - 1) : NULL;
    }
    return count;
}

/* --- what is put off ---------------------------------------------------------------------------------------------- */

/* nearly always four, and a call would cost more than that */
static inline void copy_beads(double *to, const double *from, size_t n)
{
    if (n == 4)
        memcpy(to, from, 4 * sizeof *to);
    else
        memcpy(to, from, n * sizeof *to);
}

/* a look at contact j, or beads around it as they were then */
static void keep(const struct carom_swings *s, const struct carom_state *copy, size_t j, double *to)
{
    size_t first, last;
    if (!s->derived) {
        to[0] = carom_swings_overlap(s, copy->q, j);
        to[1] = carom_swings_speed(s, copy->v, j);
        return;
    }
    carom_swings_beads(s, j, j + 1, 1, &first, &last);
    copy_beads(to, copy->q + first, last - first);
    copy_beads(to + 4, copy->v + first, last - first);
    memcpy(to + 8, copy->memory, CAROM_SCHEME_HEAD * sizeof *to);
}

/* The looks of window w of a swing: all of them or, where there is one already, the last. */
static void keep_window(const struct carom_swings *s, const struct carom_peak_force *peak, size_t w,
                        struct carom_swings_put_off *p)
{
    for (size_t i = w > 0 ? CAROM_SWINGS_WINDOW - 1 : 0; i < CAROM_SWINGS_WINDOW; i++) {
        const struct carom_swings_copy *copy = i == 0 ? s->past : s->copy[i - 1];
        p->time[w + i] = i == 0 ? copy->time : peak->look[i - 1].time;
        keep(s, &copy->state, p->j, carom_swings_kept(s, p, w + i));
    }
}

/* Is each of the last three looks at contact j the one that copies have? */
static bool regular(const struct carom_swings *s, const struct carom_peak_force *peak, size_t j)
{
    bool all = peak->seen > 2;
    for (size_t i = 0; i < 3; i++) {
        const struct carom_look *look = &peak->look[i];
        all = all && look->deform[j] > 0.0 && (carom_swings_due(s, i, j) || look->times[j] == look->time);
    }
    return all;
}

/* Is this swing, whose force had turned at the look before, the one that the last look is of? */
static bool goes_on(const struct carom_swings_put_off *p, const struct carom_peak_force *peak)
{
    return p->nwindows == 1 && p->time[CAROM_SWINGS_WINDOW - 1] == peak->look[1].time;
}

enum { MOST_ALIKE = 3 }; /* swings of one contact that may each be the largest */

/* The earliest of them that is lower than a new one, 0: none is; and how many there are. */
static uint32_t lower_than(const struct carom_swings *s, size_t j, double low, size_t *count)
{
    uint32_t lower = 0;
    *count = 0;
    for (uint32_t at = s->place[j]; at > 0; at = s->put_off[at - 1].before, (*count)++)
        lower = low > s->put_off[at - 1].high ? at : lower;
    return lower;
}

/* Room for a swing of contact j in place of those that were lower; NULL: there is none. */
static struct carom_swings_put_off *room_for(struct carom_swings *s, size_t j, double low)
{
    size_t count;
    uint32_t lower;
    while ((lower = lower_than(s, j, low, &count)) > 0 && lower != s->place[j])
        carom_swings_drop(s, lower);
    if (lower > 0)
        return &s->put_off[lower - 1];
    if (s->nput_off == s->room || count == MOST_ALIKE)
        return NULL;
    struct carom_swings_put_off *p = &s->put_off[s->nput_off];
    p->j = (uint32_t)j;
    p->before = s->place[j];
    s->place[j] = (uint32_t)++s->nput_off;
    return p;
}

/* fmax of numbers, without a call */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Keeps the last looks at contact j, which may have been the largest so far, for a closer look later: more often than
 * not a swing comes that is larger still, and it need never be looked at closer. True: that is enough now. */
static bool put_off(struct carom_swings *s, struct carom_impulses *sums, const struct carom_peak_force *peak, size_t j,
                    const struct glance *glance)
{
    if (s->pending[j] || !regular(s, peak, j))
        return false;
    const double low = larger(peak->look[1].deform[j], peak->look[2].deform[j]), high = highest(glance, j);
    struct carom_swings_put_off *last = s->place[j] > 0 ? &s->put_off[s->place[j] - 1] : NULL;
    const size_t w = last && goes_on(last, peak) && !(low > last->high) ? 1 : 0; /* of its windows */
    struct carom_swings_put_off *p = w > 0 ? last : room_for(s, j, low);
    if (!p)
        return false;
    keep_window(s, peak, w, p);
    p->nwindows = (uint32_t)w + 1;
    p->high = w > 0 ? larger(high, p->high) : high;
    p->wide[w] = carom_swings_through(s);
    p->old[w] = carom_swings_old(s, j);
    s->deep[j] = larger(s->deep[j], low); /* the damper helps until the overlap is larger */
    sums->overlap[j] = larger(sums->overlap[j], low);
    return true;
}

enum { AHEAD = 4, LINE = 64, NEAR = 500 }; /* contacts; bytes of a line of the caches; rows that all caches hold */

/* Asks for what `put_off` will read and write of contact j: beads at four looks and an old swing, none of which the
 * pass has touched. In long rows they lie far away, and waiting for one after the other was most of a look. */
static void fetch(const struct carom_swings *s, size_t j)
{
    const size_t bead = j > s->chain.shift + 1 ? j - s->chain.shift - 1 : 0;
    const size_t place = s->place[j] > 0 ? s->place[j] - 1 : s->nput_off;
    for (size_t i = 0; i < 4; i++) {
        __builtin_prefetch(s->looked[i].state.q + bead);
        __builtin_prefetch(s->looked[i].state.v + bead);
    }
    if (place >= s->room)
        return;
    const char *kept = (const char *)carom_swings_kept(s, &s->put_off[place], 0);
    __builtin_prefetch(&s->put_off[place], 1);
    for (size_t at = 0; at < CAROM_SWINGS_LOOKS * s->width * sizeof(double); at += LINE)
        __builtin_prefetch(kept + at, 1);
}

/* the list without these */
static size_t put_some_off(struct carom_swings *s, struct carom_impulses *sums, const struct carom_peak_force *peak,
                           const struct glance *glance, size_t *list, size_t count)
{
    size_t left = 0;
    const size_t far = s->chain.nc > NEAR ? count : 0; /* of these what is far is fetched ahead */
    for (size_t i = 0; i < far && i < AHEAD; i++)
        fetch(s, list[i]);
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < far)
            fetch(s, list[i + AHEAD]);
        if (!put_off(s, sums, peak, list[i], glance))
            list[left++] = list[i];
    }
    return left;
}

/* --- the look ----------------------------------------------------------------------------------------------------- */

size_t carom_swings_look(struct carom_swings *s, struct carom_impulses *sums, struct carom_peak_force *peak,
                         size_t from, size_t to, size_t *list)
{
    const struct carom_scheme *scheme = s->sim->stepper->scheme;
    const bool left = from == 0 && s->chain.left_wall, right = to == s->chain.nc && s->chain.right_wall;
    const size_t first = from + (left ? 1 : 0), last = to - (right && to > first ? 1 : 0);
    size_t begin, end;
    carom_swings_beads(s, from, to, 0, &begin, &end);
    if (!scheme->velocities && scheme->sync_range)
        scheme->sync_range(s->sim->stepper, s->sim->state, begin, end, &s->copy[2]->state);
    const struct glance glance = glance_at(s, sums, peak);
    size_t count = left ? turns_beside(s, &glance, 0, list) : 0;
    if (first < last)
        count += turns(s, &glance, first, last, list + count);
    if (last < to)
        count += turns_beside(s, &glance, last, list + count);
    count = add_pending(s, from, to, list, count);
    return put_some_off(s, sums, peak, &glance, list, count);
}
