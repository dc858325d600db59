/* Steps, the changes of mode between them (turning points, openings, closings), which contacts move at all, and when
 * it is over. A change of mode is located: a step that passes it by more than it may is taken again, shorter. */
#include "impact/lzb_run.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "impact/lzb_linear.h"
#include "impact/lzb_modes.h"
#include "impact/lzb_step.h"
#include "impact/lzb_stiff.h"
#include "impact/lzb_trap.h"

/* contacts stepped before it is asked whether there is an end */
static const double often = 1e6;

/* and before whoever waits for the end is asked: some milliseconds */
static const double patient = 3e4;

/* of the largest force told so far in this impact: what is weaker is not told, or tails would fill files */
static const double faint = 1e-5;

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

/* contacts that store next to nothing and hardly move sleep */
static void rest(struct carom_lzb *w)
{
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            const double moving = 0.5 * w->a[i] * w->a[i] / w->frame->diagonal[i];
            if (w->mode[i] != CAROM_LZB_OPEN && carom_lzb_energy(w, i, w->x[i]) + moving < w->least &&
                fabs(w->turned[0][i]) * w->size[i] < 2.0 * w->least * w->frame->diagonal[i])
                carom_lzb_modes_open(w, i);
        }
}

/* Is what is stored, and moves against each other among contacts that press, below the tolerance? */
static bool over(struct carom_lzb *w)
{
    double left = 0.0;
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            const bool open = w->mode[i] == CAROM_LZB_OPEN;
            left += carom_lzb_energy(w, i, w->x[i]);
            w->y[i] = open ? 0.0 : -1.0;
            w->mix[i] = open ? 0.0 : w->a[i];
        }
    if (left > w->enough)
        return false;
    carom_lzb_linear_set(w, &w->stiff, w->y);
    carom_lzb_linear_solve(w, &w->stiff, w->mix); /* the impulses that would stop all that */
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++)
            left += 0.5 * fabs(w->mix[i] * w->a[i]);
    return left <= w->enough;
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
    if (w->mode[i] == CAROM_LZB_OPEN)
        return 0.0;
    if (w->mode[i] == CAROM_LZB_HELD)
        return (1.0 - s) * w->force[0][i] + s * w->force[CAROM_LZB_STAGES - 1][i];
    return carom_lzb_force(w, i, carom_lzb_step_between(w, i, h, s));
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
                if (force > faint * w->loudest)
                    trace->force(trace->own, w->frame->contact[i], t, force);
            }
    }
}

static double next_factor(double error, bool stiff)
{
    return error > 0.0 ? fmin(5.0, fmax(0.2, 0.9 * pow(error, stiff ? -0.25 : -0.2))) : 5.0;
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
        const double part = carom_lzb_modes_first(w, h);
        if (part == 0.0) { /* again, in other modes; shorter if that will not do */
            arrange(w);
            h *= trial % 4 == 3 ? 0.5 : 1.0;
            continue;
        }
        if (part < 1.0) {
            planned = fmax(planned, h * next_factor(error, stiff));
            h *= cuts++ < 4 ? part : 0.5 * part; /* where it cannot be located, stay before it */
            w->rejected++;
            continue;
        }
        tell(w, h);
        carom_lzb_step_take(w, h);
        w->steps++;
        w->taken = h;
        w->creep = h < 1e-4 * planned ? w->creep + 1 : 0;
        w->h = fmax(planned, h * next_factor(error, stiff));
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

/* the contacts stepped in this step */
static double width(const struct carom_lzb *w)
{
    double sum = 8.0;
    for (size_t s = 0; s < w->nspans; s++)
        sum += (double)(w->span[s].last - w->span[s].first);
    return w->frame->chain ? sum : sum * (1.0 + 0.1 * (double)w->n);
}

enum carom_status carom_lzb_run(struct carom_lzb *w, struct carom_error *error)
{
    const char *const trapped = "its bodies have no way to part and es = 1 loses nothing; give es below 1 or a gap, or "
                                "use impact moreau";
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
        w->work += width(w);
        carom_lzb_modes_change(w);
        if (w->steps % 16 == 0) {
            rest(w);
            if (over(w))
                stop(w);
        }
        arrange(w);
    }
    return CAROM_OK;
}
