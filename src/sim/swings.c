/* Contacts of plain rows, see swings.h. */
#include "sim/swings.h"

#include <string.h>

#include "base/lane.h"
#include "base/memory.h"
#include "sim/glimpse.h"

enum { BLOCK = CAROM_GLIMPSE_ROOM };

/* --- which rows are plain ---------------------------------------------------------------------------------------- */

/* Do springs grow with the overlap, the steeper the deeper? Asked at overlaps around those of the run. */
static bool stiffens(const struct carom_model *model, size_t from, size_t to, double length)
{
    double deform[BLOCK], slope[BLOCK], before[BLOCK] = {0.0};
    const struct carom_response want = {.slope = slope};
    bool all = true;
    for (double d = length / 1024.0; d < 8.0 * length && all; d *= 2.0) {
        for (size_t k = 0; k < to - from; k++)
            deform[k] = d;
        carom_contacts_evaluate(model, from, to, deform, NULL, NULL, &want);
        for (size_t k = 0; k < to - from; k++)
            all = all && slope[k] > 0.0 && slope[k] >= (1.0 - 1e-12) * before[k];
        memcpy(before, slope, sizeof before);
    }
    return all;
}

/* Dampers that follow springs by a larger part of the contact time may make forces rise and fall from look to look:
 * they are looked at every time. */
#define FOLLOWS 0.05

static bool is_plain(const struct carom_impulses *sums, const struct carom_model *model,
                     const struct carom_scales *scales)
{
    const double length = scales->length;
    const struct carom_beads *beads = carom_model_chain(model);
    bool plain = beads && sums->smooth && sums->time && length > 0.0 && length < HUGE_VAL;
    plain = plain && !beads->spring && !beads->damper && !beads->string && beads->nloads == 0 && beads->ndrives == 0;
    for (size_t j = 0; plain && j < model->nc; j++)
        plain = sums->time[j] <= FOLLOWS * scales->contact_time;
    for (size_t from = 0; plain && from < model->nc; from += BLOCK)
        plain = stiffens(model, from, model->nc - from < BLOCK ? model->nc : from + BLOCK, length);
    return plain;
}

enum carom_status carom_swings_open(struct carom_swings *s, const struct carom_impulses *sums,
                                    const struct carom_model *model, const struct carom_scales *scales, const double *v,
                                    struct carom_error *error)
{
    *s = (struct carom_swings){.on = is_plain(sums, model, scales)};
    if (!s->on)
        return CAROM_OK;
    s->chain = carom_chain_of(model);
    s->start = carom_memory_zeroed(s->chain.n + model->nc, sizeof *s->start);
    s->pending = carom_memory_zeroed(model->nc, 1);
    if (!s->start || !s->pending)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the episodes of %zu contacts", model->nc);
    s->deep = s->start + s->chain.n;
    carom_swings_kick(s, v, 1.0);
    return CAROM_OK;
}

void carom_swings_close(struct carom_swings *s)
{
    carom_memory_free(s->start);
    carom_memory_free(s->pending);
    *s = (struct carom_swings){0};
}

/* --- looks ------------------------------------------------------------------------------------------------------- */

/* beads and contacts of a look, from some contact on */
struct glance {
    const double *q, *v, *gap, *time; /* q, v: those on the left of contacts, the ones on the right stand after them */
    const double *rate[2], *before;   /* two looks and one look ago; overlaps then */
    double *now, *rate_now, *times;
    double per[2]; /* one over the times between looks */
};

/* Fills a look at contact k. Has d + T d' turned from growing to falling, with the second derivative that the last two
 * rates tell, or has the overlap, or is it open? */
static bool turned(const struct glance *g, size_t k, double t)
{
    const double d = g->now[k], x = g->rate[0][k], y = g->rate[1][k], z = g->rate_now[k];
    const double before = y + g->time[k] * g->per[0] * (y - x), after = z + g->time[k] * g->per[1] * (z - y);
    g->times[k] = t;
    return (after <= 0.0 && before > 0.0) || (z < 0.0 && (y >= 0.0 || d > g->before[k])) || !(d > 0.0);
}

/* The same for n contacts of two beads each, two at a time: few have. */
static size_t turns(const struct glance *g, size_t n, double time, size_t from, size_t *restrict list)
{
    size_t count = 0, k = 0;
    const carom_lane now = {time, time};
    for (; k + CAROM_LANES <= n; k += CAROM_LANES) {
        const carom_lane t = carom_lane_load(g->time + k), x = carom_lane_load(g->rate[0] + k),
                         y = carom_lane_load(g->rate[1] + k);
        const carom_lane z = carom_lane_load(g->v + k) - carom_lane_load(g->v + k + 1);
        const carom_lane d = carom_lane_load(g->q + k) - carom_lane_load(g->q + k + 1) - carom_lane_load(g->gap + k);
        const carom_lane before = y + t * g->per[0] * (y - x), after = z + t * g->per[1] * (z - y);
        const carom_lane_mask over = (z < 0.0) & ((y >= 0.0) | (d > carom_lane_load(g->before + k)));
        const carom_lane_mask is = ((after <= 0.0) & (before > 0.0)) | over | ~(d > 0.0);
        carom_lane_store(g->now + k, d);
        carom_lane_store(g->rate_now + k, z);
        carom_lane_store(g->times + k, now);
        if ((is[0] | is[1]) == 0)
            continue;
        list[count] = from + k;
        count += is[0] ? 1 : 0;
        list[count] = from + k + 1;
        count += is[1] ? 1 : 0;
    }
    for (; k < n; k++) {
        g->rate_now[k] = g->v[k] - g->v[k + 1];
        g->now[k] = g->q[k] - g->q[k + 1] - g->gap[k];
        list[count] = from + k;
        count += turned(g, k, time) ? 1 : 0;
    }
    return count;
}

static struct glance glance_at(const struct carom_swings *s, const struct carom_impulses *sums,
                               const struct carom_peak_force *peak, const struct carom_state *view, size_t j)
{
    const struct carom_look *a = &peak->look[0], *b = &peak->look[1], *c = &peak->look[2];
    const size_t left = j > 0 ? j - s->chain.shift : 0; /* not asked for beside a wall */
    return (struct glance){.q = view->q + left,
                           .v = view->v + left,
                           .gap = s->chain.gap + j,
                           .time = sums->time + j,
                           .rate = {a->rate + j, b->rate + j},
                           .before = b->deform + j,
                           .now = c->deform + j,
                           .rate_now = c->rate + j,
                           .times = c->times + j,
                           .per = {b->time > a->time ? 1.0 / (b->time - a->time) : 0.0,
                                   c->time > b->time ? 1.0 / (c->time - b->time) : 0.0}};
}

/* one with a wall */
static size_t turns_beside(const struct carom_swings *s, const struct glance *g, const struct carom_state *view,
                           size_t j, size_t *list)
{
    carom_chain_deform(&s->chain, j, j + 1, view->q, g->now);
    carom_chain_rate(&s->chain, j, j + 1, view->v, g->rate_now);
    *list = j;
    return turned(g, 0, view->time) ? 1 : 0;
}

static bool listed(const size_t *list, size_t count, size_t j)
{
    bool is = false;
    for (size_t i = 0; i < count; i++)
        is = is || list[i] == j;
    return is;
}

size_t carom_swings_look(struct carom_swings *s, const struct carom_impulses *sums, struct carom_peak_force *peak,
                         const struct carom_state *view, size_t from, size_t to, size_t *list)
{
    const bool left = from == 0 && s->chain.left_wall, right = to == s->chain.nc && s->chain.right_wall;
    const size_t first = from + (left ? 1 : 0), last = to - (right ? 1 : 0);
    struct glance glance = glance_at(s, sums, peak, view, from);
    size_t count = left ? turns_beside(s, &glance, view, from, list) : 0;
    if (first < last) {
        glance = glance_at(s, sums, peak, view, first);
        count += turns(&glance, last - first, view->time, first, list + count);
    }
    if (right && last >= first) {
        glance = glance_at(s, sums, peak, view, last);
        count += turns_beside(s, &glance, view, last, list + count);
    }
    for (size_t j = from, turned_by_now = count; s->npending > 0 && j < to; j++)
        if (s->pending[j] && !listed(list, turned_by_now, j))
            list[count++] = j;
    return count;
}

void carom_swings_press(const struct carom_peak_force *peak, size_t j)
{
    for (size_t i = 0; i < 3; i++) {
        const struct carom_look *look = &peak->look[i];
        const double d = look->deform[j];
        look->force[j] = d > 0.0 ? peak->force(peak->own, j, look->history, d, look->rate[j]) : 0.0;
    }
}

/* Where the force is the largest the overlap still grows, and the spring's part is the smaller one. */
static void deepen(struct carom_swings *s, const struct carom_impulses *sums, const struct carom_peak_force *peak,
                   size_t j)
{
    for (size_t i = 0; i < 2; i++) {
        const struct carom_interval between = carom_impulses_between(peak, j, i);
        const double at = between.h > 0.0 ? (peak->when[j] - peak->look[i].times[j]) / between.h : -1.0;
        if (at >= 0.0 && at <= 1.0 && (sums->time[j] == 0.0 || carom_cubic_slope(&between.deform, at) >= 0.0))
            s->deep[j] = fmax(s->deep[j], carom_cubic_at(&between.deform, at));
    }
}

/* No d + T d' between looks i and i + 1 at contact j is larger: by the control points of the cubic and of its slope. */
static double bound(const struct carom_peak_force *peak, double time, size_t j, size_t i)
{
    const struct carom_interval between = carom_impulses_between(peak, j, i);
    const struct carom_cubic *c = &between.deform;
    const double early = carom_cubic_early(c), late = carom_cubic_late(c);
    const double slope = fmax(fmax(c->slope[0], c->slope[1]), 3.0 * (late - early));
    return fmax(fmax(c->value[0], c->value[1]), fmax(early, late)) +
           (time > 0.0 && between.h > 0.0 ? time * fmax(slope, 0.0) / between.h : 0.0);
}

/* may the force, which is no larger than that of the spring at d + T d', have been the largest? */
static bool promises(const struct carom_swings *s, const struct carom_impulses *sums,
                     const struct carom_peak_force *peak, size_t j)
{
    const double time = sums->time[j];
    return fmax(bound(peak, time, j, 0), bound(peak, time, j, 1)) > s->deep[j];
}

static void wait_for(struct carom_swings *s, size_t j, bool pending)
{
    s->npending += pending ? 1 : 0;
    s->npending -= s->pending[j];
    s->pending[j] = pending ? 1 : 0;
}

/* does d + T d' fall, with the second derivative that the last two rates tell? */
static bool falls(const struct carom_impulses *sums, const struct carom_peak_force *peak, size_t j)
{
    const struct carom_look *b = &peak->look[1], *c = &peak->look[2];
    return !((c->times[j] - b->times[j]) * c->rate[j] + sums->time[j] * (c->rate[j] - b->rate[j]) > 0.0);
}

/* The top of d + T d' between looks i and i + 1, along the cubic of d, is where the force of a contact without a damper
 * has its own; a light one moves it by a part of the time between looks that a parabola over BESIDE finds. False: there
 * is none, or the top of the force is further from it. */
#define BESIDE 0.01

static bool crest(const struct carom_impulses *sums, struct carom_peak_force *peak, size_t j, size_t i)
{
    const struct carom_interval between = carom_impulses_between(peak, j, i);
    const double *d = between.deform.value, *m = between.deform.slope, rise = d[1] - d[0];
    if (!(between.h > 0.0 && d[0] > 0.0 && d[1] > 0.0))
        return false;
    const double t = sums->time[j] / between.h;
    const struct carom_cubic x = {
        {d[0] + t * m[0], d[1] + t * m[1]},
        {m[0] + t * (6.0 * rise - 4.0 * m[0] - 2.0 * m[1]), m[1] + t * (2.0 * m[0] + 4.0 * m[1] - 6.0 * rise)}};
    const double s = carom_cubic_highest(&x);
    if (!(s >= 0.0 && s <= 1.0))
        return false;
    const double middle = carom_peak_force_try(peak, j, i, s);
    if (t == 0.0)
        return true;
    if (!(s >= BESIDE && s <= 1.0 - 2.0 * BESIDE))
        return false;
    const double low = carom_peak_force_try(peak, j, i, s - BESIDE),
                 high = carom_peak_force_try(peak, j, i, s + BESIDE);
    const double bend = low - 2.0 * middle + high, shift = 0.5 * (low - high) / bend;
    if (!(bend < 0.0 && fabs(shift) < 1.5))
        return false;
    carom_peak_force_try(peak, j, i, s + shift * BESIDE);
    return true;
}

void carom_swings_note(struct carom_swings *s, struct carom_impulses *sums, struct carom_peak_force *peak, size_t j)
{
    const bool matters = promises(s, sums, peak, j) && (falls(sums, peak, j) || s->pending[j]);
    const bool found = matters && peak->seen > 2 && (crest(sums, peak, j, 1) || crest(sums, peak, j, 0));
    if (found)
        deepen(s, sums, peak, j);
    else if (matters) {
        carom_swings_press(peak, j);
        carom_peak_force_note_some(peak, j, j + 1);
        deepen(s, sums, peak, j);
    }
    wait_for(s, j, matters && !found && peak->look[2].force[j] > peak->look[1].force[j] && falls(sums, peak, j));
    carom_impulses_deepen(sums, peak, j);
}

void carom_swings_begin(struct carom_swings *s, struct carom_peak_force *peak, size_t j, size_t i)
{
    const struct carom_look *look = &peak->look[i];
    const double d = look->deform[j];
    const double force = d > 0.0 ? peak->force(peak->own, j, look->history, d, look->rate[j]) : 0.0;
    look->force[j] = force;
    peak->largest[j] = fmax(force, 0.0);
    peak->when[j] = look->times[j];
    s->deep[j] = d > 0.0 && look->rate[j] >= 0.0 ? d : 0.0;
    wait_for(s, j, peak->seen > 1); /* looks at it are not evenly spaced yet */
}

/* --- impulses ---------------------------------------------------------------------------------------------------- */

void carom_swings_lean(struct carom_swings *s, const struct carom_peak_force *peak)
{
    const struct carom_look *a = &peak->look[1], *b = &peak->look[2];
    if (!s->chain.left_wall)
        return;
    b->force[0] = b->deform[0] > 0.0 ? peak->force(peak->own, 0, b->history, b->deform[0], b->rate[0]) : 0.0;
    if (!(b->times[0] > a->times[0]))
        return;
    const struct carom_interval interval = carom_impulses_between(peak, 0, 1);
    s->wall += carom_interval_impulse(&interval);
}

size_t carom_swings_first(const unsigned char *closed, size_t j)
{
    while (j > 0 && closed[j - 1])
        j--;
    return j;
}

double carom_swings_passed(const struct carom_swings *s, const double *passed, const struct carom_state *view,
                           size_t first, size_t j)
{
    const struct carom_beads *beads = s->chain.beads;
    const bool leans = first == 0 && s->chain.left_wall;
    double sum = leans ? s->wall : first > 0 ? passed[first - 1] : 0.0;
    for (size_t c = leans ? 1 : first; c <= j; c++) {
        const size_t i = c - s->chain.shift; /* the bead on the left of contact c */
        sum += s->start[i] - beads->mass[i] * view->v[i] + (beads->weight ? beads->weight[i] * view->time : 0.0);
    }
    return sum;
}

void carom_swings_kick(struct carom_swings *s, const double *v, double sign)
{
    for (size_t i = 0; s->on && i < s->chain.n; i++)
        s->start[i] += sign * (s->chain.beads->mass[i] * v[i]);
}
