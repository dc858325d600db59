/* Waves in the record of one force: found by how far they rise and fall, their peak located between samples, tau of
 * (40) fitted to their front, impulses (42) and (43) integrated. After Nguyen and Brogliato 2011, section 5. The ratios
 * (38) are those of a chain of equal beads: a tapered chain has others. */
#include "study/pulse/pulse.h"

#include <math.h>

#include "base/plural.h"
#include "study/pulse/pulse_curve.h"

const struct carom_pulse_ratios carom_pulse_wall = {.peak = 1.94, .width = 1.09, .time = 1.02};

struct carom_pulse_rules carom_pulse_rules(void)
{
    return (struct carom_pulse_rules){.least = CAROM_PULSE_LEAST, .foot = CAROM_PULSE_FOOT, .rest = nan("")};
}

static struct carom_pulse_curve curve_of(const struct carom_pulse_series *series, double rest)
{
    return (struct carom_pulse_curve){series->n, series->time, series->force, rest};
}

static double rest_of(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules)
{
    return isnan(rules->rest) ? series->force[0] : rules->rest;
}

/* --- finding --------------------------------------------------------------------------------------------------- */

static enum carom_status check(const struct carom_pulse_series *series, struct carom_error *error)
{
    if (series->n < 3)
        return carom_error_set(error, CAROM_E_REFUSED, "there %s %zu sample%s, a pulse needs three at least",
                               series->n == 1 ? "is" : "are", series->n, carom_plural(series->n));
    for (size_t i = 0; i < series->n; i++) {
        if (!isfinite(series->time[i]) || !isfinite(series->force[i]))
            return carom_error_set(error, CAROM_E_NUMERIC, "sample %zu is not a number (t = %g, force %g)", i + 1,
                                   series->time[i], series->force[i]);
        if (i > 0 && !(series->time[i] > series->time[i - 1]))
            return carom_error_set(error, CAROM_E_INPUT, "sample %zu is not later than the one before it", i + 1);
    }
    return CAROM_OK;
}

/* Walks through the record and shows every wave to `see` when its end is known. */
struct hunt {
    const struct carom_pulse_series *series;
    double step; /* rise and fall of a wave, at least */
    bool rising; /* looking for a peak, not for a valley */
    bool any;    /* is there a wave that waits for its end? */
    size_t top, valley;
    struct carom_pulse_wave wave;
    void (*see)(void *own, const struct carom_pulse_wave *wave);
    void *own;
};

/* the lowest sample since the last peak ends its wave */
static void close_wave(struct hunt *hunt)
{
    hunt->wave.after = hunt->valley;
    if (hunt->any)
        hunt->see(hunt->own, &hunt->wave);
    hunt->any = false;
}

/* a fall by `step` shows that `top` was a peak */
static void open_wave(struct hunt *hunt, size_t lowest, bool cut)
{
    hunt->wave = (struct carom_pulse_wave){.peak = hunt->top, .before = hunt->valley, .cut = cut};
    hunt->any = true;
    hunt->rising = false;
    hunt->valley = lowest;
}

static void look(struct hunt *hunt, size_t i)
{
    const double *force = hunt->series->force;
    if (hunt->rising) {
        if (force[i] > force[hunt->top])
            hunt->top = i;
        else if (force[hunt->top] - force[i] >= hunt->step)
            open_wave(hunt, i, false);
    } else if (force[i] < force[hunt->valley])
        hunt->valley = i;
    else if (force[i] - force[hunt->valley] >= hunt->step) {
        close_wave(hunt);
        hunt->rising = true;
        hunt->top = i;
    }
}

static enum carom_status walk(struct hunt *hunt, const struct carom_pulse_rules *rules, struct carom_error *error)
{
    const struct carom_pulse_series *series = hunt->series;
    const enum carom_status status = check(series, error);
    if (status != CAROM_OK)
        return status;
    const double rest = rest_of(series, rules);
    double most = 0.0;
    for (size_t i = 0; i < series->n; i++)
        most = fmax(most, series->force[i] - rest);
    hunt->step = rules->least * most;
    if (!(hunt->step > 0.0))
        return CAROM_OK;
    for (size_t i = 1; i < series->n; i++)
        look(hunt, i);
    /* a wave that is cut has at least begun to fall; a plateau that lasts is none */
    if (hunt->rising && series->force[hunt->top] - series->force[series->n - 1] >= 0.01 * hunt->step)
        open_wave(hunt, series->n - 1, true);
    close_wave(hunt);
    return CAROM_OK;
}

struct collection {
    struct carom_pulse_wave *wave;
    size_t room, count;
};

static void collect(void *own, const struct carom_pulse_wave *wave)
{
    struct collection *to = own;
    if (to->count < to->room)
        to->wave[to->count] = *wave;
    to->count++;
}

enum carom_status carom_pulse_find(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules,
                                   struct carom_pulse_wave *wave, size_t room, size_t *count, struct carom_error *error)
{
    struct collection to = {wave, room, 0};
    struct hunt hunt = {.series = series, .see = collect, .own = &to};
    const enum carom_status status = walk(&hunt, rules, error);
    *count = to.count;
    return status;
}

struct choice {
    const double *force;
    size_t which, count;
    bool found;
    struct carom_pulse_wave wave;
};

static void choose(void *own, const struct carom_pulse_wave *wave)
{
    struct choice *to = own;
    to->count++;
    const bool higher = !to->found || to->force[wave->peak] > to->force[to->wave.peak];
    if (to->which == CAROM_PULSE_LARGEST ? higher : to->which == to->count) {
        to->wave = *wave;
        to->found = true;
    }
}

enum carom_status carom_pulse_pick(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules,
                                   size_t which, struct carom_pulse_wave *wave, size_t *count,
                                   struct carom_error *error)
{
    struct choice to = {.force = series->force, .which = which};
    struct hunt hunt = {.series = series, .see = choose, .own = &to};
    const enum carom_status status = walk(&hunt, rules, error);
    if (to.found)
        *wave = to.wave;
    if (count != NULL)
        *count = to.count;
    return status;
}

/* --- measuring ------------------------------------------------------------------------------------------------- */

#define QUARTER 1.57079632679489661923 /* pi / 2, where cos^6 ends */

double carom_pulse_shape(double x)
{
    const double c = fabs(x) < QUARTER ? cos(x) : 0.0;
    return c * c * c * c * c * c;
}

/* The samples of a front; each counts by the time it stands for. */
struct front {
    size_t first, last;
    double from, to; /* the foot, or the first sample; the peak */
};

static double weight(const struct carom_pulse_curve *curve, const struct front *front, size_t i)
{
    const double from = i > front->first ? 0.5 * (curve->time[i - 1] + curve->time[i]) : front->from;
    const double to = i < front->last ? 0.5 * (curve->time[i] + curve->time[i + 1]) : front->to;
    return to - from;
}

/* Gauss and Newton on ln tau: S = sum of w (F / F_m - cos^6((t - T) / tau))^2 has one valley around the width at half
 * height, with which it begins. */
static void fit(const struct carom_pulse_curve *curve, const struct front *front, struct carom_pulse *pulse)
{
    double width = pulse->width;
    for (int round = 0; round < 60; round++) {
        double square = 0.0, slope = 0.0, bend = 0.0, time = 0.0;
        for (size_t i = front->first; i <= front->last; i++) {
            const double w = weight(curve, front, i), x = (curve->time[i] - pulse->time) / width;
            const double off = carom_pulse_curve_sample(curve, i) / pulse->peak - carom_pulse_shape(x);
            const double c = fabs(x) < QUARTER ? cos(x) : 0.0;
            const double turn = 6.0 * x * sin(x) * c * c * c * c * c; /* d cos^6(x) / d ln tau */
            square += w * off * off;
            slope += w * off * turn;
            bend += w * turn * turn;
            time += w;
        }
        pulse->width = width;
        pulse->misfit = sqrt(square / time);
        const double step = bend > 0.0 ? fmax(-0.5, fmin(0.5, slope / bend)) : 0.0;
        if (fabs(step) < 1e-13)
            return;
        width *= exp(step);
    }
}

/* Goes back from the peak to where the wave stands below `level`; false if it does not between its valley and its peak.
 * *i is the interval in which it passes the level. */
static bool pass_before(const struct carom_pulse_curve *curve, const struct carom_pulse_wave *wave, double level,
                        size_t *i)
{
    for (*i = wave->peak; *i > wave->before; --*i)
        if (carom_pulse_curve_sample(curve, *i - 1) < level) {
            --*i;
            return true;
        }
    return false;
}

static bool pass_after(const struct carom_pulse_curve *curve, const struct carom_pulse_wave *wave, double level,
                       size_t *i)
{
    for (*i = wave->peak; *i < wave->after; ++*i)
        if (carom_pulse_curve_sample(curve, *i + 1) < level)
            return true;
    return false;
}

/* The samples the fit may use, from the foot on, and when that came. */
static struct front find_front(const struct carom_pulse_curve *curve, const struct carom_pulse_rules *rules,
                               const struct carom_pulse_wave *wave, struct carom_pulse *pulse)
{
    const double level = rules->foot * pulse->peak;
    struct front front = {
        .first = wave->before, .last = wave->peak, .from = curve->time[wave->before], .to = pulse->time};
    size_t i;
    if (pass_before(curve, wave, level, &i)) {
        front.from = pulse->foot = carom_pulse_curve_crossing(curve, i, level);
        front.first = i + 1;
    }
    while (front.last > front.first && curve->time[front.last] >= pulse->time)
        front.last--;
    pulse->samples = front.last - front.first + 1;
    return front;
}

/* tau and its misfit, beginning with the tau that is right halfway between the valley before and the peak */
static void measure_width(const struct carom_pulse_curve *curve, const struct carom_pulse_wave *wave,
                          const struct front *front, struct carom_pulse *pulse)
{
    const double floor = fmax(0.0, carom_pulse_curve_sample(curve, wave->before));
    const double level = 0.5 * (floor + pulse->peak);
    size_t i;
    if (pulse->samples < 2 || !pass_before(curve, wave, level, &i))
        return;
    const double before = pulse->time - carom_pulse_curve_crossing(curve, i, level);
    if (!(before > 0.0))
        return;
    pulse->width = before / acos(pow(level / pulse->peak, 1.0 / 6.0));
    fit(curve, front, pulse);
}

static void measure_half(const struct carom_pulse_curve *curve, const struct carom_pulse_wave *wave,
                         struct carom_pulse *pulse)
{
    const double level = 0.5 * pulse->peak;
    size_t rise, fall;
    if (pass_before(curve, wave, level, &rise) && pass_after(curve, wave, level, &fall))
        pulse->half = carom_pulse_curve_crossing(curve, fall, level) - carom_pulse_curve_crossing(curve, rise, level);
}

/* nothing is known yet */
static struct carom_pulse unknown(double rest, bool cut)
{
    return (struct carom_pulse){.rest = rest,
                                .time = nan(""),
                                .foot = nan(""),
                                .width = nan(""),
                                .misfit = nan(""),
                                .half = nan(""),
                                .front = nan(""),
                                .tail = nan(""),
                                .closed = nan(""),
                                .opened = nan(""),
                                .cut = cut};
}

bool carom_pulse_rise(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules,
                      struct carom_pulse *pulse)
{
    const struct carom_pulse_curve curve = curve_of(series, rest_of(series, rules));
    struct carom_pulse_wave wave = {.before = 0, .cut = true};
    for (size_t i = 1; i < series->n; i++)
        wave.peak = series->force[i] > series->force[wave.peak] ? i : wave.peak;
    *pulse = unknown(curve.rest, true);
    pulse->peak = carom_pulse_curve_sample(&curve, wave.peak);
    pulse->rising = true;
    if (!(pulse->peak > 0.0))
        return false;
    size_t i;
    if (pass_before(&curve, &wave, rules->foot * pulse->peak, &i)) {
        pulse->foot = carom_pulse_curve_crossing(&curve, i, rules->foot * pulse->peak);
        pulse->samples = wave.peak - i;
    }
    return true;
}

double carom_pulse_passes(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules, double level)
{
    const struct carom_pulse_curve curve = curve_of(series, rest_of(series, rules));
    for (size_t i = 0; i + 1 < series->n; i++)
        if (carom_pulse_curve_sample(&curve, i) < level && carom_pulse_curve_sample(&curve, i + 1) >= level)
            return carom_pulse_curve_crossing(&curve, i, level);
    return nan("");
}

void carom_pulse_measure(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules,
                         const struct carom_pulse_wave *wave, const struct carom_pulse_top *top,
                         struct carom_pulse *pulse)
{
    const struct carom_pulse_curve curve = curve_of(series, rest_of(series, rules));
    *pulse = unknown(curve.rest, wave->cut);
    carom_pulse_curve_summit(&curve, wave->peak, &pulse->time, &pulse->peak);
    if (top) {
        pulse->time = top->time;
        pulse->peak = top->force - curve.rest;
        pulse->closed = top->closed;
        pulse->opened = top->opened;
    }
    struct front front = find_front(&curve, rules, wave, pulse);
    if (pulse->foot < pulse->closed) /* the sample before it may be in flight */
        front.from = pulse->foot = pulse->closed;
    measure_width(&curve, wave, &front, pulse);
    measure_half(&curve, wave, pulse);
    if (isnan(pulse->width))
        return;
    const double parted = pulse->time + pulse->width;
    pulse->cut = pulse->cut || parted > series->time[series->n - 1];
    pulse->front = carom_pulse_curve_integral(&curve, series->time[wave->before], parted);
    pulse->tail = carom_pulse_curve_integral(&curve, parted, series->time[series->n - 1]);
}

enum carom_status carom_pulse_of(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules,
                                 size_t which, struct carom_pulse *pulse, struct carom_error *error)
{
    struct carom_pulse_wave wave;
    size_t count;
    const enum carom_status status = carom_pulse_pick(series, rules, which, &wave, &count, error);
    if (status != CAROM_OK)
        return status;
    if (count == 0)
        return carom_error_set(error, CAROM_E_REFUSED, "there is no pulse: the force has no peak inside the record");
    if (which > count)
        return carom_error_set(error, CAROM_E_REFUSED, "there is no wave %zu: the record holds %zu", which, count);
    carom_pulse_measure(series, rules, &wave, NULL, pulse);
    return CAROM_OK;
}

/* --- walls and chains ------------------------------------------------------------------------------------------ */

struct carom_pulse_ratios carom_pulse_compare(const struct carom_pulse *wall, const struct carom_pulse *chain)
{
    return (struct carom_pulse_ratios){
        .peak = wall->peak / chain->peak, .width = wall->width / chain->width, .time = wall->time / chain->time};
}

struct carom_pulse carom_pulse_extrapolate(const struct carom_pulse *wall, const struct carom_pulse_ratios *ratios)
{
    struct carom_pulse chain = *wall;
    chain.peak = wall->peak / ratios->peak;
    chain.width = wall->width / ratios->width;
    chain.half = wall->half / ratios->width;
    chain.time = wall->time / ratios->time;
    chain.foot = chain.time - (wall->time - wall->foot) / ratios->width;
    chain.front = wall->front / (ratios->peak * ratios->width);
    chain.tail = wall->tail / (ratios->peak * ratios->width);
    return chain;
}

double carom_pulse_collapsed(const struct carom_pulse_series *series, const struct carom_pulse *pulse, double s)
{
    const struct carom_pulse_curve curve = curve_of(series, pulse->rest);
    return carom_pulse_curve_value(&curve, pulse->time + s * pulse->width) / pulse->peak;
}
