/* Impulses between looks, see impulses.h. Most contacts of a block have been looked at together and are pressed all the
 * time; the others are gathered without a branch for each. */
#include "sim/between/impulses.h"

#include <string.h>

#include "base/lane.h"
#include "base/memory.h"
#include "carom/law.h"
#include "model/solid/strike/solid_strike.h"
#include "sim/between/impulses_solid.h"
#include "sim/between/sync_range.h"

enum { BLOCK = CAROM_SYNC_RANGE_ROOM };

#define STEEP 0.25 /* elastic forces that differ by more begin or end */

/* do all contacts have laws that looks tell everything of? */
static bool is_smooth(const struct carom_model *model)
{
    bool all = true;
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        all = all && group->law->nh == 0 && !group->law->rigid && group->ending == CAROM_END_GAP;
    }
    return all;
}

static void fill_times(const struct carom_model *model, double *time)
{
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        for (size_t k = 0; group->law->viscous_time && k < group->count; k++)
            time[group->first + k] = group->law->viscous_time((const double *const *)group->param, k);
    }
}

enum carom_status carom_impulses_open(struct carom_impulses *s, const struct carom_model *model,
                                      struct carom_error *error)
{
    const size_t n = model->nc;
    const bool solids = carom_solid_strike_of(model) != NULL;
    *s = (struct carom_impulses){.smooth = !solids && is_smooth(model)};
    s->impulse = carom_memory_zeroed(s->smooth ? 6 * n : 2 * n, sizeof(double));
    s->push = solids ? carom_memory_zeroed(n, sizeof *s->push) : NULL;
    if (!s->impulse || (solids && !s->push))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the episodes of %zu contacts", n);
    s->overlap = s->impulse + n;
    if (s->smooth) {
        s->elastic = s->impulse + 2 * n;
        s->climb = s->impulse + 3 * n;
        s->viscous = s->impulse + 4 * n;
    }
    if (s->smooth && model->offers & CAROM_VISCOUS_TIME) {
        s->time = s->impulse + 5 * n;
        fill_times(model, s->time);
    }
    return CAROM_OK;
}

void carom_impulses_close(struct carom_impulses *s)
{
    carom_memory_free_all(s->impulse, s->push);
    *s = (struct carom_impulses){0};
}

void carom_impulses_begin(struct carom_impulses *s, size_t j, double overlap, bool passed)
{
    s->impulse[j] = passed ? s->impulse[j] : 0.0;
    s->overlap[j] = overlap;
    if (s->smooth)
        s->elastic[j] = s->climb[j] = s->viscous[j] = 0.0;
    if (s->push)
        s->push[j] = (struct carom_impulses_solid){.given = {0.0}};
}

struct carom_interval carom_impulses_between(const struct carom_peak_force *peak, size_t j, size_t i)
{
    const struct carom_look *a = &peak->look[i], *b = &peak->look[i + 1];
    const double h = b->times[j] - a->times[j];
    return (struct carom_interval){.deform = {{a->deform[j], b->deform[j]}, {h * a->rate[j], h * b->rate[j]}},
                                   .h = h,
                                   .force = {a->force[j], b->force[j]},
                                   .law = peak->force,
                                   .own = peak->own,
                                   .j = j,
                                   .history = a->history};
}

void carom_impulses_alone(struct carom_impulses *s, const struct carom_peak_force *peak, size_t j)
{
    const struct carom_interval interval = carom_impulses_between(peak, j, 1);
    if (s->push)
        carom_impulses_solid_end(s, peak, j);
    else
        s->impulse[j] += carom_interval_impulse(&interval);
    s->overlap[j] = fmax(s->overlap[j], carom_interval_overlap(&interval));
}

/* --- laws that looks tell everything of -------------------------------------------------------------------------- */

/* what a look tells of a block; of dampers only where they do not follow springs */
struct told {
    double elastic[BLOCK], slope[BLOCK], viscous[BLOCK], drag[BLOCK];
};

static void ask(const struct carom_impulses *s, const struct carom_model *model, const struct carom_look *look,
                size_t from, size_t to, struct told *told)
{
    const bool dampers = !s->time;
    const struct carom_response want = {.elastic = told->elastic,
                                        .slope = told->slope,
                                        .viscous = dampers ? told->viscous : NULL,
                                        .drag = dampers ? told->drag : NULL};
    carom_contacts_evaluate(model, from, to, look->deform + from, look->rate + from, NULL, &want);
}

/* Impulses of n contacts of some `span` with what was told of them before, and the forces of now: where dampers follow
 * springs by some time, and where they have their own mind. What was told gives way to what is told. */
struct span {
    double *elastic, *climb, *viscous, *force;
    const double *rate, *time;
};

static void springs(size_t n, const struct span *of, const struct told *told, double h, double *restrict part)
{
    const double half = 0.5 * h, twelfth = h * h / 12.0;
    const double *restrict rate = of->rate, *restrict time = of->time, *restrict e1 = told->elastic;
    const double *restrict slope = told->slope;
    double *restrict e0 = of->elastic, *restrict c0 = of->climb, *restrict force = of->force;
    for (size_t k = 0; k < n; k++) {
        const double climb = slope[k] * rate[k];
        part[k] = half * (e0[k] + e1[k]) + twelfth * (c0[k] - climb) + time[k] * (e1[k] - e0[k]);
        force[k] = e1[k] + time[k] * climb;
        c0[k] = climb;
    }
}

static void dampers(size_t n, const struct span *of, const struct told *told, double h, double *restrict part)
{
    const double half = 0.5 * h, twelfth = h * h / 12.0;
    const double *restrict rate = of->rate, *restrict e1 = told->elastic, *restrict v1 = told->viscous;
    const double *restrict slope = told->slope, *restrict drag = told->drag;
    double *restrict e0 = of->elastic, *restrict c0 = of->climb, *restrict v0 = of->viscous;
    double *restrict force = of->force;
    for (size_t k = 0; k < n; k++) {
        const double climb = slope[k] * rate[k];
        part[k] = half * (e0[k] + e1[k]) + twelfth * (c0[k] - climb) + (v1[k] - v0[k]);
        force[k] = e1[k] + drag[k] * rate[k];
        c0[k] = climb;
        v0[k] = v1[k];
    }
}

static void integrate(const struct carom_impulses *s, const struct carom_look *look, size_t from, size_t to, double h,
                      const struct told *told, double *part)
{
    const struct span span = {s->elastic + from,  s->climb + from,   s->viscous + from,
                              look->force + from, look->rate + from, s->time ? s->time + from : NULL};
    if (s->time)
        springs(to - from, &span, told, h, part);
    else
        dampers(to - from, &span, told, h, part);
}

void carom_impulses_recall(struct carom_impulses *s, const struct carom_peak_force *peak,
                           const struct carom_model *model, size_t j)
{
    struct told told;
    double ignored[1];
    if (!s->smooth)
        return;
    ask(s, model, &peak->look[2], j, j + 1, &told);
    integrate(s, &peak->look[2], j, j + 1, 0.0, &told, ignored);
    s->elastic[j] = told.elastic[0];
}

/* --- between the last two looks ---------------------------------------------------------------------------------- */

/* Which of n contacts were not looked at at `time`, or have an elastic force that begins or ends? Two at a time: hardly
 * any. */
static size_t begun(size_t n, const double *e0, const double *e1, const double *times, double time,
                    size_t *restrict odd)
{
    size_t count = 0, k = 0;
    for (; k + CAROM_LANES <= n; k += CAROM_LANES) {
        const carom_lane a = carom_lane_load(e0 + k), b = carom_lane_load(e1 + k);
        const carom_lane_mask is = (a < STEEP * b) | (b < STEEP * a) | (carom_lane_load(times + k) != time);
        if ((is[0] | is[1]) == 0)
            continue;
        odd[count] = k;
        count += is[0] ? 1 : 0;
        odd[count] = k + 1;
        count += is[1] ? 1 : 0;
    }
    for (; k < n; k++)
        if (e0[k] < STEEP * e1[k] || e1[k] < STEEP * e0[k] || times[k] != time)
            odd[count++] = k;
    return count;
}

/* the same by Simpson's rule along the cubic */
static size_t integrate_along(const struct carom_peak_force *peak, const struct carom_model *model, size_t from,
                              size_t to, double h, double *restrict part, size_t *restrict odd)
{
    const struct carom_look *a = &peak->look[1], *b = &peak->look[2];
    const double *restrict d0 = a->deform + from, *restrict d1 = b->deform + from, *restrict r0 = a->rate + from,
                           *restrict r1 = b->rate + from, *restrict f0 = a->force + from,
                           *restrict f1 = b->force + from;
    double deform[BLOCK], rate[BLOCK];
    const double eighth = 0.125 * h, per = 1.5 / h, sixth = h / 6.0;
    size_t k = 0, count = 0; /* there is one at least */
    do {
        deform[k] = 0.5 * (d0[k] + d1[k]) + eighth * (r0[k] - r1[k]);
        rate[k] = per * (d1[k] - d0[k]) - 0.25 * (r0[k] + r1[k]);
    } while (++k < to - from);
    carom_contact_force_press(model, from, to, deform, rate, a->history, part);
    for (k = 0; k < to - from; k++) {
        part[k] = sixth * (f0[k] + 4.0 * part[k] + f1[k]);
        odd[count] = k;
        count += carom_interval_steep(f0[k], f1[k]) | (a->times[from + k] != a->time);
    }
    return count;
}

/* Largest overlaps: where they turn between looks, which few of many do; those that fall and are yet larger than at the
 * look before have turned twice. One that still grows is the largest when its episode is written. */
static size_t turns(size_t n, const struct carom_look *a, const struct carom_look *b, size_t from,
                    size_t *restrict turned)
{
    const double *r0 = a->rate + from, *r1 = b->rate + from, *d0 = a->deform + from, *d1 = b->deform + from;
    size_t count = 0, k = 0;
    for (; k + CAROM_LANES <= n; k += CAROM_LANES) {
        const carom_lane_mask grew =
            (carom_lane_load(r0 + k) >= 0.0) | (carom_lane_load(d1 + k) > carom_lane_load(d0 + k));
        const carom_lane_mask is = grew & (carom_lane_load(r1 + k) < 0.0);
        if ((is[0] | is[1]) == 0)
            continue;
        turned[count] = k;
        count += is[0] ? 1 : 0;
        turned[count] = k + 1;
        count += is[1] ? 1 : 0;
    }
    for (; k < n; k++)
        if (r1[k] < 0.0 && (r0[k] >= 0.0 || d1[k] > d0[k]))
            turned[count++] = k;
    return count;
}

/* No overlap between the looks is larger than the control points of its cubic. */
static void deepen_one(struct carom_impulses *s, const struct carom_peak_force *peak, size_t j)
{
    const struct carom_interval interval = carom_impulses_between(peak, j, 1);
    const struct carom_cubic *c = &interval.deform;
    if (fmax(fmax(c->value[0], c->value[1]), fmax(carom_cubic_early(c), carom_cubic_late(c))) > s->overlap[j])
        s->overlap[j] = fmax(s->overlap[j], carom_interval_overlap(&interval));
}

static void deepen(struct carom_impulses *s, const struct carom_peak_force *peak, size_t from, size_t to)
{
    size_t turned[BLOCK];
    const size_t count = turns(to - from, &peak->look[1], &peak->look[2], from, turned);
    for (size_t i = 0; i < count; i++)
        deepen_one(s, peak, from + turned[i]);
}

/* the parts of a block, those of `odd` contacts anew */
static void add_up(struct carom_impulses *s, const struct carom_peak_force *peak, size_t from, size_t to, double *part,
                   const size_t *odd, size_t count)
{
    double *restrict impulse = s->impulse + from;
    for (size_t i = 0; i < count; i++) {
        const struct carom_interval interval = carom_impulses_between(peak, from + odd[i], 1);
        part[odd[i]] = carom_interval_steep_impulse(&interval);
    }
    for (size_t k = 0; k < to - from; k++)
        impulse[k] += part[k];
    if (!s->inside)
        deepen(s, peak, from, to);
}

/* looks at contacts whose laws tell everything */
static void see_smooth(struct carom_impulses *s, struct carom_peak_force *peak, const struct carom_model *model,
                       const struct carom_state *view, size_t from, size_t to)
{
    const struct carom_look *a = &peak->look[1], *look = &peak->look[2];
    struct told told;
    double part[BLOCK];
    size_t odd[BLOCK];
    carom_contacts_deform_some(model, from, to, view->time, view->q, view->v, look->deform + from, look->rate + from);
    ask(s, model, look, from, to, &told);
    integrate(s, look, from, to, look->time - a->time, &told, part);
    if (peak->seen > 1)
        add_up(s, peak, from, to, part, odd,
               begun(to - from, s->elastic + from, told.elastic, a->times + from, a->time, odd));
    memcpy(s->elastic + from, told.elastic, (to - from) * sizeof(double));
}

void carom_impulses_see(struct carom_impulses *s, struct carom_peak_force *peak, const struct carom_model *model,
                        const struct carom_state *view, size_t from, size_t to)
{
    struct carom_look *look = &peak->look[2];
    double part[BLOCK];
    size_t odd[BLOCK];
    for (size_t j = from; j < to; j++)
        look->times[j] = look->time;
    if (s->push) {
        carom_impulses_solid_see(s, peak, model, view, from, to);
        deepen(s, peak, from, peak->seen > 1 ? to : from);
        return;
    }
    if (s->smooth) {
        see_smooth(s, peak, model, view, from, to);
        return;
    }
    carom_contact_force_read(model, view, from, to, look->deform + from, look->rate + from, look->force + from);
    if (peak->seen > 1)
        add_up(s, peak, from, to, part, odd,
               integrate_along(peak, model, from, to, look->time - peak->look[1].time, part, odd));
}
