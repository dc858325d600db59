/* Impulses between looks, see impulses.h. Most contacts of a block have been looked at together and are pressed all the
 * time; the others are gathered without a branch for each. */
#include "sim/impulses.h"

#include <string.h>

#include "base/lane.h"
#include "base/memory.h"
#include "sim/glimpse.h"

enum { BLOCK = CAROM_GLIMPSE_ROOM };

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
    *s = (struct carom_impulses){.smooth = is_smooth(model)};
    s->impulse = carom_memory_zeroed(s->smooth ? 6 * n : 2 * n, sizeof(double));
    if (!s->impulse)
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
    carom_memory_free(s->impulse);
    *s = (struct carom_impulses){0};
}

void carom_impulses_begin(struct carom_impulses *s, size_t j)
{
    s->impulse[j] = s->overlap[j] = 0.0;
    if (s->smooth)
        s->elastic[j] = s->climb[j] = s->viscous[j] = 0.0;
}

struct carom_interval carom_impulses_between(const struct carom_peak_force *peak, size_t j)
{
    const struct carom_look *a = &peak->look[1], *b = &peak->look[2];
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
    const struct carom_interval interval = carom_impulses_between(peak, j);
    s->impulse[j] += carom_interval_impulse(&interval);
    s->overlap[j] = fmax(s->overlap[j], carom_interval_overlap(&interval));
}

/* --- laws that looks tell everything of -------------------------------------------------------------------------- */

/* what a look tells of a block */
struct told {
    double elastic[BLOCK], climb[BLOCK], viscous[BLOCK], drag[BLOCK];
};

static void ask(const struct carom_model *model, const struct carom_look *look, size_t from, size_t to,
                struct told *told)
{
    const double *restrict rate = look->rate + from;
    double *restrict climb = told->climb, *restrict force = look->force + from;
    const struct carom_response want = {
        .elastic = told->elastic, .slope = climb, .viscous = told->viscous, .drag = told->drag};
    carom_contacts_evaluate(model, from, to, look->deform + from, rate, NULL, &want);
    for (size_t k = 0; k < to - from; k++) {
        climb[k] *= rate[k];
        force[k] = told->elastic[k] + told->drag[k] * rate[k];
    }
}

/* the same where dampers follow springs: nobody has to be asked for them */
static void ask_springs(const struct carom_impulses *s, const struct carom_model *model, const struct carom_look *look,
                        size_t from, size_t to, struct told *told)
{
    const double *restrict rate = look->rate + from, *restrict time = s->time + from, *restrict elastic = told->elastic;
    double *restrict climb = told->climb, *restrict viscous = told->viscous, *restrict force = look->force + from;
    const struct carom_response want = {.elastic = told->elastic, .slope = climb};
    carom_contacts_evaluate(model, from, to, look->deform + from, rate, NULL, &want);
    for (size_t k = 0; k < to - from; k++) {
        climb[k] *= rate[k];
        viscous[k] = time[k] * elastic[k];
        force[k] = elastic[k] + time[k] * climb[k];
    }
}

static void ask_all(const struct carom_impulses *s, const struct carom_model *model, const struct carom_look *look,
                    size_t from, size_t to, struct told *told)
{
    if (s->time)
        ask_springs(s, model, look, from, to, told);
    else
        ask(model, look, from, to, told);
}

static void remember(struct carom_impulses *s, size_t from, size_t to, const struct told *told)
{
    const size_t size = (to - from) * sizeof(double);
    memcpy(s->elastic + from, told->elastic, size);
    memcpy(s->climb + from, told->climb, size);
    memcpy(s->viscous + from, told->viscous, size);
}

void carom_impulses_recall(struct carom_impulses *s, const struct carom_peak_force *peak,
                           const struct carom_model *model, size_t j)
{
    struct told told;
    if (!s->smooth)
        return;
    ask_all(s, model, &peak->look[2], j, j + 1, &told);
    remember(s, j, j + 1, &told);
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

/* impulses of contacts [from, to), looked at h apart, from what both looks tell; those for which that will not do are
 * counted and listed in `odd` */
static size_t integrate(const struct carom_impulses *s, const struct carom_look *a, size_t from, size_t to, double h,
                        const struct told *told, double *restrict part, size_t *restrict odd)
{
    const double half = 0.5 * h, twelfth = h * h / 12.0;
    const double *restrict e0 = s->elastic + from, *restrict e1 = told->elastic;
    const double *restrict c0 = s->climb + from, *restrict v0 = s->viscous + from;
    for (size_t k = 0; k < to - from; k++)
        part[k] = half * (e0[k] + e1[k]) + twelfth * (c0[k] - told->climb[k]) + (told->viscous[k] - v0[k]);
    return begun(to - from, e0, e1, a->times + from, a->time, odd);
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

/* Largest overlaps: at looks, and between them where overlaps turn, of which few of many do. */
static size_t deepest(size_t n, const double *r0, const double *r1, const double *d1, double *restrict overlap,
                      size_t *restrict turned)
{
    size_t count = 0, k = 0;
    for (; k + CAROM_LANES <= n; k += CAROM_LANES) {
        const carom_lane_mask is = (carom_lane_load(r0 + k) > 0.0) & (carom_lane_load(r1 + k) < 0.0);
        carom_lane_store(overlap + k, carom_lane_max(carom_lane_load(d1 + k), carom_lane_load(overlap + k)));
        if ((is[0] | is[1]) == 0)
            continue;
        turned[count] = k;
        count += is[0] ? 1 : 0;
        turned[count] = k + 1;
        count += is[1] ? 1 : 0;
    }
    for (; k < n; k++) {
        overlap[k] = d1[k] > overlap[k] ? d1[k] : overlap[k];
        if (r0[k] > 0.0 && r1[k] < 0.0)
            turned[count++] = k;
    }
    return count;
}

static void deepen(struct carom_impulses *s, const struct carom_peak_force *peak, size_t from, size_t to)
{
    const struct carom_look *a = &peak->look[1], *b = &peak->look[2];
    double *overlap = s->overlap + from;
    size_t turned[BLOCK];
    const size_t count = deepest(to - from, a->rate + from, b->rate + from, b->deform + from, overlap, turned);
    for (size_t i = 0; i < count; i++) {
        const struct carom_interval interval = carom_impulses_between(peak, from + turned[i]);
        overlap[turned[i]] = fmax(overlap[turned[i]], carom_interval_overlap(&interval));
    }
}

/* `told` is NULL where looks do not tell everything */
static void add_up(struct carom_impulses *s, const struct carom_peak_force *peak, const struct carom_model *model,
                   size_t from, size_t to, const struct told *told)
{
    const struct carom_look *a = &peak->look[1], *b = &peak->look[2];
    const double h = b->time - a->time;
    double part[BLOCK], *restrict impulse = s->impulse + from;
    size_t odd[BLOCK];
    const size_t count =
        told ? integrate(s, a, from, to, h, told, part, odd) : integrate_along(peak, model, from, to, h, part, odd);
    for (size_t i = 0; i < count; i++) {
        const struct carom_interval interval = carom_impulses_between(peak, from + odd[i]);
        part[odd[i]] = carom_interval_steep_impulse(&interval);
    }
    for (size_t k = 0; k < to - from; k++)
        impulse[k] += part[k];
    deepen(s, peak, from, to);
}

void carom_impulses_see(struct carom_impulses *s, struct carom_peak_force *peak, const struct carom_model *model,
                        const struct carom_state *view, size_t from, size_t to)
{
    struct carom_look *look = &peak->look[2];
    struct told told;
    if (s->smooth) {
        carom_contacts_deform_some(model, from, to, view->time, view->q, view->v, look->deform + from,
                                   look->rate + from);
        ask_all(s, model, look, from, to, &told);
    } else
        carom_contact_force_read(model, view, from, to, look->deform + from, look->rate + from, look->force + from);
    for (size_t j = from; j < to; j++)
        look->times[j] = look->time;
    if (peak->seen > 1)
        add_up(s, peak, model, from, to, s->smooth ? &told : NULL);
    if (s->smooth)
        remember(s, from, to, &told);
}
