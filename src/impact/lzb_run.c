/* Steps, the changes of mode between them (turning points, openings, closings), which contacts move at all, and when
 * it is over. A change of mode is located: a step that passes it by more than it may is taken again, shorter. */
#include "impact/lzb.h"

#include <math.h>

#include "base/power.h"
#include "impact/lzb_modes.h"
#include "impact/lzb_step.h"
#include "solve/control.h"

/* contacts stepped before it is asked whether there is an end */
static const double often = 1e6;

/* contacts that may sleep as if each were alone */
static const double few_asleep = 30.0;

/* and before whoever waits for the end is asked: some milliseconds */
static const double patient = 3e4;

/* of the largest force told so far in this impact: what is weaker is not told, or tails would fill files */
static const double weakest_told = 1e-5;

/* --- which contacts move ----------------------------------------------------------------------------------------- */

static void add_span(struct carom_lzb *w, size_t *count, size_t first, size_t last)
{
    if (*count > 0 && first <= w->spare[*count - 1].last) {
        if (last > w->spare[*count - 1].last)
            w->spare[*count - 1].last = last;
        return;
    }
    w->spare[(*count)++] = (struct carom_lzb_span){first, last};
}

/* contact i comes into the spans: it was at rest */
static void enter(struct carom_lzb *w, size_t i)
{
    w->force[0][i] = w->turned[0][i] = 0.0;
    w->new_x[i] = w->x[i];
    w->new_a[i] = w->a[i];
}

/* Spans anew from those before: what moves, and one neighbour on each side. */
static void respan(struct carom_lzb *w)
{
    size_t count = 0;
    if (!w->frame->chain) {
        bool moves = false;
        for (size_t i = 0; i < w->n; i++)
            moves |= w->mode[i] != CAROM_LZB_OPEN;
        w->nspans = moves ? 1 : 0;
        w->span[0] = (struct carom_lzb_span){0, w->n};
        return;
    }
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            if (w->mode[i] != CAROM_LZB_OPEN)
                add_span(w, &count, i > 0 ? i - 1 : 0, i + 1 < w->n ? i + 2 : w->n);
    size_t old = 0;
    for (size_t s = 0; s < count; s++)
        for (size_t i = w->spare[s].first; i < w->spare[s].last; i++) {
            while (old < w->nspans && w->span[old].last <= i)
                old++;
            if (old == w->nspans || i < w->span[old].first)
                enter(w, i);
        }
    struct carom_lzb_span *swap = w->span;
    w->span = w->spare;
    w->spare = swap;
    w->nspans = count;
}

/* forces, spans and held contacts that go together */
static void arrange(struct carom_lzb *w)
{
    for (size_t k = 0; w->changed; k++) {
        respan(w);
        carom_lzb_step_begin(w);
        if (w->held > 0 && k < 4 * w->n + 16)
            carom_lzb_modes_review(w);
    }
}

/* --- the end ----------------------------------------------------------------------------------------------------- */

/* the contacts that move */
static double width(const struct carom_lzb *w)
{
    double sum = 0.0;
    for (size_t s = 0; s < w->nspans; s++)
        sum += (double)(w->span[s].last - w->span[s].first);
    return sum;
}

/* Contacts that store next to nothing and hardly move sleep. Among many each must do less: what they leave adds up. */
static void rest(struct carom_lzb *w)
{
    const double part = fmin(1.0, few_asleep / width(w));
    w->asleep = part * part * w->least;
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            const double moving = 0.5 * w->a[i] * w->a[i] / w->frame->diagonal[i];
            if (w->mode[i] != CAROM_LZB_OPEN && carom_lzb_energy(w, i, w->x[i]) + moving < w->asleep &&
                fabs(w->turned[0][i]) * w->size[i] < 2.0 * w->asleep * w->frame->diagonal[i])
                carom_lzb_modes_open(w, i);
        }
}

/* Impulses `stop` in contacts [first, last) of a row, 0 beside it: the largest change of a body's velocity. */
static double velocity_change(const struct carom_lzb *w, size_t first, size_t last, const double *stop)
{
    double most = 0.0;
    for (size_t i = first; i <= last; i++) {
        const double before = i > first ? stop[i - 1] : 0.0, after = i < last ? stop[i] : 0.0;
        double light = fabs(w->left[i]); /* 1 / mass of the body between, or of the one at an end */
        if (light == 0.0 && i < last)
            light = w->frame->diagonal[i] - fabs(w->left[i + 1]);
        else if (light == 0.0)
            light = w->frame->diagonal[i - 1] - fabs(w->left[i - 1]);
        most = fmax(most, light * fabs(before - after));
    }
    return most;
}

/* Would no body of the row feel more than that, if all that approaches were stopped for good? Clusters that part at the
 * moment may be one soon, and push what has not moved yet. Dear, so it is asked seldom. */
static bool unfelt_by_all(struct carom_lzb *w, double unfelt, double *felt)
{
    if (w->work < w->next_look)
        return false;
    w->next_look = 1.05 * w->work + 2.0 * (double)w->n;
    for (size_t i = 0; i < w->n; i++) {
        w->slope[i] = -w->a[i];
        w->plastic[i] = 0.0;
    }
    const struct carom_lcp lcp = {.n = w->n, .diagonal = w->frame->diagonal, .beside = w->frame->beside, .b = w->slope};
    struct carom_lcp_report report;
    carom_lcp_solve(&lcp, CAROM_LCP_AUTO, 1e-10, 0, &w->lcp, w->plastic, &report);
    *felt = fmax(*felt, velocity_change(w, 0, w->n, w->plastic));
    return report.solved && *felt <= unfelt;
}

/* Is what is stored, and moves against each other among contacts that press, below the tolerance? Either its energy is
 * below that of the tolerance, or, in rows, no body would feel it: neither that all of it is stopped, nor that a
 * contact gives it all that it stores. `felt`: the most that a velocity may be off by it. */
static bool over(struct carom_lzb *w, double *felt)
{
    const double unfelt = (w->frame->chain ? 0.5 : 0.0) * w->options.impact_tol * w->speed;
    double left = 0.0, kick = 0.0;
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            const bool open = w->mode[i] == CAROM_LZB_OPEN;
            const double stored = carom_lzb_energy(w, i, w->x[i]);
            left += stored;
            kick = fmax(kick, 2.0 * stored * w->frame->diagonal[i]);
            w->y[i] = open ? 0.0 : -1.0;
            w->mix[i] = open ? 0.0 : w->a[i];
        }
    if (left > w->enough && kick > unfelt * unfelt)
        return false;
    carom_lzb_linear_set(w, &w->stiff, w->y);
    carom_lzb_linear_solve(w, &w->stiff, w->mix); /* the impulses that would stop all that */
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            left += 0.5 * fabs(w->mix[i] * w->a[i]);
    *felt = sqrt(kick);
    for (size_t s = 0; s < w->nspans && w->frame->chain; s++)
        *felt = fmax(*felt, velocity_change(w, w->span[s].first, w->span[s].last, w->mix));
    return left <= w->enough || (w->frame->chain && *felt <= unfelt && unfelt_by_all(w, unfelt, felt));
}

static void stop(struct carom_lzb *w)
{
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            if (w->mode[i] != CAROM_LZB_OPEN)
                carom_lzb_modes_open(w, i);
}

/* --- the way ----------------------------------------------------------------------------------------------------- */

static double force_between(const struct carom_lzb *w, size_t i, double h, double s)
{
    if (w->mode[i] == CAROM_LZB_HELD)
        return (1.0 - s) * w->force[0][i] + s * w->force[CAROM_LZB_STAGES - 1][i];
    return carom_lzb_pass_force(w, i, h, s);
}

static void tell(struct carom_lzb *w, double h)
{
    const struct carom_trace *trace = w->trace;
    if (!trace || !(trace->every > 0.0))
        return;
    for (; (double)w->sample * trace->every <= w->time + h; w->sample++) {
        const double t = (double)w->sample * trace->every, part = fmin(fmax((t - w->time) / h, 0.0), 1.0);
        for (size_t s = 0; s < w->nspans; s++)
            for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
                const double force = force_between(w, i, h, part);
                w->loudest = fmax(w->loudest, force);
                if (force > weakest_told * w->loudest)
                    trace->force(trace->own, w->frame->contact[i], t, force);
            }
    }
}

/* steps that are of order 4 in the error they state, and stiff ones of order 3 */
static double next_factor(double error, bool stiff)
{
    const struct carom_control control = {.safety = 0.9, .power = stiff ? -0.25 : -0.2, .least = 0.2, .most = 5.0};
    return carom_control_factor(&control, error);
}

/* What part of the error that a step states, that of its embedded method, it is off by itself: of orders 7 and 5, as
 * far as it is smooth. */
static double trust(const struct carom_lzb *w, double error, bool stiff)
{
    return stiff ? 0.2 : fmin(0.2, 30.0 * carom_power(error * w->smooth, 0.4));
}

/* one step, as long as its error and the changes of mode let it be; false where no step is short enough */
static bool advance(struct carom_lzb *w)
{
    double h = w->h, planned = 0.0;
    int cuts = 0;
    for (int trial = 0; trial < 200; trial++) {
        const bool stiff = carom_lzb_stiff_wanted(w);
        const double error = stiff ? carom_lzb_stiff_try(w, h) : carom_lzb_step_try(w, h);
        if (!(error <= 1.0)) {
            h *= isfinite(error) ? fmin(next_factor(error, stiff), 0.8) : 0.1;
            w->rejected++;
            planned = 0.0;
            continue;
        }
        w->mends = !stiff && w->frame->chain && w->options.stiffness == CAROM_LZB_BI;
        const double part = carom_lzb_modes_first(w, h);
        if (part == 0.0) { /* again, in other modes; shorter if that will not do */
            arrange(w);
            h *= trial % 4 == 3 ? 0.5 : 1.0;
            continue;
        }
        if (part < 1.0) {
            planned = w->mends ? 0.8 * h : fmax(planned, h * next_factor(error, stiff));
            h *= cuts++ < 4 ? part : 0.5 * part; /* where it cannot be located, stay before it */
            w->rejected++;
            continue;
        }
        w->trust = trust(w, error, stiff);
        tell(w, h);
        carom_lzb_step_take(w, h);

        w->steps++;
        w->taken = h;
        w->creep = h < 1e-4 * planned ? w->creep + 1 : 0;
        w->h = fmax(planned, h * next_factor(error, stiff));
        if (w->mends && planned > 0.0)
            w->h = planned; /* what fits the corners */
        else if (w->corners > 0)
            w->h = fmin(w->h, 1.05 * h);
        carom_lzb_pass_apply(w);
        return true;
    }
    return false;
}

static enum carom_status no_end(const struct carom_lzb *w, const char *why, struct carom_error *error)
{
    const struct carom_frame *frame = w->frame;
    return carom_error_set(error, CAROM_E_NUMERIC, "impact lzb at %zu contacts, %zu to %zu, does not end: %s", w->n,
                           carom_frame_number(frame->model, frame->contact[0]),
                           carom_frame_number(frame->model, frame->contact[w->n - 1]), why);
}

/* the contacts stepped in this step, and what else a step takes */
static double effort(const struct carom_lzb *w)
{
    const double sum = 8.0 + width(w);
    return w->frame->chain ? sum : sum * (1.0 + 0.1 * (double)w->n);
}

enum carom_status carom_lzb_run(struct carom_lzb *w, struct carom_error *error)
{
    const char *const trapped = "its bodies have no way to part and es = 1 loses nothing; give es below 1 or a gap, or "
                                "take theory: compliant";
    bool free_to_go = false;
    if (carom_lzb_trap_chain(w))
        return no_end(w, trapped, error);
    w->changed = true;
    arrange(w);
    while (w->nspans > 0) {
        if (!free_to_go && w->work > often) {
            if (carom_lzb_trap_any(w))
                return no_end(w, trapped, error);
            free_to_go = true;
        }
        if (w->work > 1e6 * w->options.impact_work)
            return no_end(w,
                          "its contacts strike each other again and again, as in long rows with es below 1; a larger "
                          "impact_tol (or impact_work) helps, or impact moreau",
                          error);
        if (w->work - w->asked > patient) {
            w->asked = w->work;
            if (carom_striker_stopped(w->collision, error))
                return CAROM_E_STOPPED;
        }
        if (!advance(w))
            return no_end(w, "no step is short enough; stiffnesses or masses may differ too much", error);
        w->work += effort(w);
        carom_lzb_modes_change(w);
        if (w->steps % 16 == 0) {
            rest(w);
            double felt;
            if (over(w, &felt)) {
                w->cut = felt;
                stop(w);
            }
        }
        arrange(w);
    }
    return CAROM_OK;
}
