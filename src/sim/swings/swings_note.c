/* Closer looks at one contact of a plain row: the top of its force and of its overlap between its last three looks, or
 * between three that were put off. */
#include <string.h>

#include "sim/between/course.h"
#include "sim/swings/swings.h"

void carom_swings_note_press(const struct carom_peak_force *peak, size_t j)
{
    for (size_t i = 0; i < 3; i++) {
        const struct carom_look *look = &peak->look[i];
        const double d = look->deform[j];
        look->force[j] = d > 0.0 ? peak->force(peak->own, j, look->history, d, look->rate[j]) : 0.0;
    }
}

/* Where the force is the largest the overlap still grows, and the spring's part is the smaller one. */
static void deepen(struct carom_swings *s, const struct carom_impulses *sums, const struct carom_peak_force *peak,
                   const struct carom_course *c)
{
    const size_t j = c->j;
    const double at = c->h > 0.0 ? (peak->when[j] - c->start) / c->h : 2.0;
    double deform[3];
    if (!(at >= c->low && at <= 1.0))
        return;
    carom_course_at(c, at, deform);
    if (sums->time[j] == 0.0 || deform[1] >= 0.0)
        s->deep[j] = fmax(s->deep[j], deform[0]);
}

/* No overlap between the last looks at contact j is larger than these, nor, with T > 0, is d + T d': by the control
 * points of cubics and of their slopes. With five looks in half a swing cubics miss quintics by less than a hundredth
 * of what they rise there. */
#define AMISS 0.02

/* calls of fmax and fmin would cost more than all else here */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double bound(const struct carom_peak_force *peak, double time, size_t j, double *overlap)
{
    double most = 0.0;
    *overlap = 0.0;
    for (size_t i = 0; i < 2; i++) {
        const struct carom_interval between = carom_impulses_between(peak, j, i);
        const struct carom_cubic *c = &between.deform;
        const double early = carom_cubic_early(c), late = carom_cubic_late(c);
        const double low = smaller(smaller(c->value[0], c->value[1]), smaller(early, late));
        const double high = larger(larger(c->value[0], c->value[1]), larger(early, late));
        const double slope = larger(larger(c->slope[0], c->slope[1]), 3.0 * (late - early));
        const double top = high + AMISS * (high - low);
        *overlap = larger(*overlap, top);
        most = larger(most, top + (time > 0.0 && between.h > 0.0 ? time * larger(slope, 0.0) / between.h : 0.0));
    }
    return most;
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

/* The top of d + T d' along a course is where the force of a contact without a damper has its own; a light one moves it
 * by a part of the time between looks that a parabola over BESIDE finds. False: there is none, or the top of the force
 * is further from it. */
#define BESIDE 0.01

static bool crest(struct carom_swings *w, struct carom_impulses *sums, struct carom_peak_force *peak,
                  const struct carom_course *c)
{
    const double t = sums->time[c->j] / c->h;
    double s = carom_course_top(c, t), at[3];
    if (!(s >= c->low && s <= 1.0))
        return false;
    if (t > 0.0) {
        s = fmin(fmax(s, c->low + BESIDE), 1.0 - BESIDE);
        const double low = carom_course_try(c, peak, s - BESIDE), high = carom_course_try(c, peak, s + BESIDE);
        const double bend = low - 2.0 * carom_course_try(c, peak, s) + high, shift = 0.5 * (low - high) / bend;
        if (!(bend < 0.0 && fabs(shift) < 2.5))
            return false;
        s += shift * BESIDE;
        if (!(s >= c->low && s <= 1.0))
            return false;
    }
    carom_course_try(c, peak, s);
    carom_course_at(c, s, at);
    sums->overlap[c->j] = fmax(sums->overlap[c->j], at[0]);
    if (t == 0.0 || at[1] >= 0.0) /* larger or not than others: that of the spring is no larger */
        w->deep[c->j] = fmax(w->deep[c->j], at[0]);
    return true;
}

/* The largest overlap may be the top of a course. */
static void reach_along(struct carom_impulses *sums, const struct carom_course *c)
{
    const double s = carom_course_top(c, 0.0);
    double at[3];
    if (!(s >= c->low && s <= 1.0))
        return;
    carom_course_at(c, s, at);
    sums->overlap[c->j] = fmax(sums->overlap[c->j], at[0]);
}

/* Both courses through the last three looks. */
struct courses {
    struct carom_course early, late;
};

static struct courses courses_of(const struct carom_peak_force *peak, size_t j, bool wide,
                                 const struct carom_course_past *past)
{
    return (struct courses){carom_course_of(peak, j, 0, false, past), carom_course_of(peak, j, 1, wide, past)};
}

static void reach(struct carom_impulses *sums, const struct courses *both)
{
    reach_along(sums, &both->late);
    if (!(both->late.low < 0.0))
        reach_along(sums, &both->early);
}

/* Forces at the looks, where no course has a top: cubics tell more only where looks are close enough for them. The top
 * of the force may be further from that of d + T d' than `crest` looks, where a damper is not light beside the time
 * between looks. */
static void count_looks(struct carom_peak_force *peak, const struct courses *both)
{
    const size_t j = both->late.j;
    carom_swings_note_press(peak, j);
    if (both->late.n == 4 && both->early.n == 4)
        carom_peak_force_note_some(peak, j, j + 1);
    else if (both->late.low < 0.0)
        carom_course_climb(&both->late, peak, both->late.low);
    for (size_t i = 0; i < 3; i++)
        if (peak->look[i].force[j] > peak->largest[j]) {
            peak->largest[j] = peak->look[i].force[j];
            peak->when[j] = peak->look[i].times[j];
        }
}

/* The same, wherever the force stands out. */
static bool find(struct carom_swings *s, struct carom_impulses *sums, struct carom_peak_force *peak,
                 const struct courses *both)
{
    if (peak->seen > 2 && crest(s, sums, peak, &both->late))
        return true;
    if (peak->seen > 2 && !(both->late.low < 0.0) && crest(s, sums, peak, &both->early))
        return true;
    count_looks(peak, both);
    deepen(s, sums, peak, &both->early);
    deepen(s, sums, peak, &both->late);
    return false;
}

/* Has contact j closed since the look before, does its force still rise, and is nothing between on the cubic of its
 * overlap above the last look? Then nothing so far will have been the largest. */
static bool closes(const struct carom_impulses *sums, const struct carom_peak_force *peak, size_t j)
{
    const struct carom_look *b = &peak->look[1], *c = &peak->look[2];
    const double began = (c->times[j] - b->times[j]) * b->rate[j], most = 3.0 * (c->deform[j] - b->deform[j]);
    return !(b->deform[j] > 0.0) && c->deform[j] > 0.0 && c->rate[j] > 0.0 && began >= 0.0 && began <= most &&
           !falls(sums, peak, j);
}

/* The contact with the wall is looked at between looks, too, where what has passed through it is asked for: overlaps at
 * its last three do not tell that it has turned, then, as two of them may be of one time. */
static bool astray(const struct carom_swings *s, const struct carom_peak_force *peak, size_t j)
{
    const struct carom_look *look = peak->look;
    return j == 0 && s->chain.left_wall &&
           (look[0].times[0] != look[0].time || look[1].times[0] != look[1].time || look[2].times[0] != look[2].time);
}

static void note(struct carom_swings *s, struct carom_impulses *sums, struct carom_peak_force *peak, size_t j,
                 bool whatever)
{
    carom_swings_tell(s, peak, j);
    if (!whatever && closes(sums, peak, j)) {
        wait_for(s, j, false);
        return;
    }
    double top;
    const bool high = bound(peak, sums->time[j], j, &top) > s->deep[j];
    const bool counts = high && (whatever || falls(sums, peak, j) || s->pending[j]);
    bool found = false;
    if (counts || top > sums->overlap[j]) {
        struct carom_course_past past;
        const struct courses both = courses_of(peak, j, carom_swings_through(s), carom_swings_before(s, j, &past));
        found = counts && find(s, sums, peak, &both);
        if (top > sums->overlap[j] && !(found && sums->time[j] == 0.0))
            reach(sums, &both);
    }
    const bool climbs = counts && !found && peak->look[2].force[j] > peak->look[1].force[j];
    wait_for(s, j, astray(s, peak, j) || (climbs && falls(sums, peak, j)));
}

void carom_swings_note(struct carom_swings *s, struct carom_impulses *sums, struct carom_peak_force *peak, size_t j)
{
    note(s, sums, peak, j, false);
}

void carom_swings_note_last(struct carom_swings *s, struct carom_impulses *sums, struct carom_peak_force *peak,
                            size_t j)
{
    note(s, sums, peak, j, true);
    carom_swings_note_press(peak, j);
}

/* --- what was put off --------------------------------------------------------------------------------------------- */

/* look i at a swing, as it was or out of beads around its contact */
static struct carom_course_past recall(struct carom_swings *s, const struct carom_swings_put_off *p, size_t i)
{
    const double *kept = carom_swings_kept(s, p, i);
    size_t first, last;
    if (!s->derived)
        return (struct carom_course_past){.time = p->time[i], .deform = kept[0], .rate = kept[1]};
    carom_swings_beads(s, p->j, p->j + 1, 1, &first, &last);
    memcpy(s->then.q + first, kept, (last - first) * sizeof(double));
    memcpy(s->then.v + first, kept + 4, (last - first) * sizeof(double));
    memcpy(s->then.memory, kept + 8, CAROM_SCHEME_HEAD * sizeof(double));
    return carom_swings_past(s, &s->then, p->time[i], p->j);
}

/* The closer look at window w of a swing, three looks of the past in place of the last ones. */
static void settle(struct carom_swings *s, struct carom_impulses *sums, struct carom_peak_force *peak,
                   const struct carom_swings_put_off *p, size_t w)
{
    const struct carom_course_past past = recall(s, p, w);
    for (size_t i = 0; i < 3; i++) {
        const struct carom_course_past look = recall(s, p, w + i + 1);
        peak->look[i].deform[p->j] = look.deform;
        peak->look[i].rate[p->j] = look.rate;
        peak->look[i].times[p->j] = look.time;
    }
    const struct courses both = courses_of(peak, p->j, p->wide[w], p->old[w] ? &past : NULL);
    find(s, sums, peak, &both);
    reach(sums, &both);
}

void carom_swings_note_settle(struct carom_swings *s, struct carom_impulses *sums, struct carom_peak_force *peak,
                              size_t j)
{
    double now[3][4];
    if (!s->on || s->place[j] == 0)
        return;
    carom_swings_tell(s, peak, j);
    for (size_t i = 0; i < 3; i++) {
        const struct carom_look *l = &peak->look[i];
        memcpy(now[i], (double[]){l->deform[j], l->rate[j], l->times[j], l->force[j]}, sizeof now[i]);
    }
    for (; s->place[j] > 0; carom_swings_drop(s, s->place[j]))
        for (size_t w = 0; w < s->put_off[s->place[j] - 1].nwindows; w++)
            settle(s, sums, peak, &s->put_off[s->place[j] - 1], w);
    for (size_t i = 0; i < 3; i++) {
        const struct carom_look *l = &peak->look[i];
        l->deform[j] = now[i][0], l->rate[j] = now[i][1], l->times[j] = now[i][2], l->force[j] = now[i][3];
    }
}

void carom_swings_note_settle_all(struct carom_swings *s, struct carom_impulses *sums, struct carom_peak_force *peak)
{
    while (s->on && s->nput_off > 0)
        carom_swings_note_settle(s, sums, peak, s->put_off[s->nput_off - 1].j);
}

/* --- what begins -------------------------------------------------------------------------------------------------- */

/* An overlap at which the spring alone pushes less than the contact does: the same without a damper or while this one
 * helps; a little less where it pulls, if that does. */
static double begins_at(const struct carom_peak_force *peak, double time, size_t j, size_t i, double force)
{
    const struct carom_look *look = &peak->look[i];
    const double d = look->deform[j], less = d + 2.0 * time * fmin(look->rate[j], 0.0);
    return less > 0.0 && peak->force(peak->own, j, look->history, less, 0.0) <= force ? less : 0.0;
}

void carom_swings_note_begin(struct carom_swings *s, const struct carom_impulses *sums, struct carom_peak_force *peak,
                             size_t j, size_t i)
{
    const struct carom_look *look = &peak->look[i];
    const double d = look->deform[j];
    carom_swings_tell(s, peak, j);
    const double force = d > 0.0 ? peak->force(peak->own, j, look->history, d, look->rate[j]) : 0.0;
    look->force[j] = force;
    peak->largest[j] = fmax(force, 0.0);
    peak->when[j] = look->times[j];
    s->deep[j] = d > 0.0 ? begins_at(peak, sums->time[j], j, i, force) : 0.0;
    wait_for(s, j, peak->seen > 1); /* looks at it are not evenly spaced yet */
}
