/* Steps, the changes of mode between them (turning points, openings, closings), which contacts move at all, and when
 * it is over. A change of mode is located: a step that passes it by more than it may is taken again, shorter. */
#include "impact/lzb_run.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "impact/lzb_step.h"

/* of the tolerance in x: what passing a change of mode may cost */
static const double pass = 0.02;

/* of a contact's largest force: what is weaker is not told */
static const double faint = 1e-12;

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
    w->force[0][i] = w->bend[i] = 0.0;
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

/* --- changes of mode --------------------------------------------------------------------------------------------- */

static bool lossless(const struct carom_lzb *w, size_t i)
{
    return w->e[i] == 1.0;
}

static double rate_out(const struct carom_lzb *w, size_t i)
{
    return w->options.stiffness == CAROM_LZB_MONO ? 1.0 : 1.0 / (w->e[i] * w->e[i]);
}

/* mono: the energy at which the rest is discarded */
static double discard_at(const struct carom_lzb *w, size_t i)
{
    return (1.0 - w->e[i] * w->e[i]) * (w->spent[i] + w->peak[i]);
}

static void turn_out(struct carom_lzb *w, size_t i)
{
    w->mode[i] = CAROM_LZB_OUT;
    w->r[i] = rate_out(w, i);
    w->peak[i] = carom_lzb_energy(w, i, w->x[i]);
}

/* books what the way out has lost so far */
static void book(struct carom_lzb *w, size_t i)
{
    const double given = w->peak[i] - carom_lzb_energy(w, i, w->x[i]);
    if (w->mode[i] != CAROM_LZB_OUT)
        return;
    if (w->options.stiffness == CAROM_LZB_MONO)
        w->spent[i] += given;
    else
        w->lost[i] += (1.0 - w->e[i] * w->e[i]) * given;
}

static void turn_in(struct carom_lzb *w, size_t i)
{
    book(w, i);
    w->mode[i] = CAROM_LZB_IN;
    w->r[i] = 1.0;
}

/* what is still stored is lost */
static void turn_open(struct carom_lzb *w, size_t i)
{
    book(w, i);
    w->lost[i] += carom_lzb_energy(w, i, w->x[i]);
    w->mode[i] = CAROM_LZB_OPEN;
    w->x[i] = w->peak[i] = w->spent[i] = 0.0;
}

/* Where in the step, as a part of it, the cubic through a and its slopes at both ends is 0; a changes sign. */
static double zero_of(double a0, double s0, double a1, double s1)
{
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 40; k++) {
        const double s = 0.5 * (low + high), t = 1.0 - s, d = a1 - a0;
        const double a = a0 + s * d + s * t * (t * (s0 - d) - s * (s1 - d));
        if ((a > 0.0) == (a0 > 0.0))
            low = s;
        else
            high = s;
    }
    return 0.5 * (low + high);
}

/* Does contact i pass a change of mode in the trial step by more than it may? Then *part is where it is, and *wake
 * where that is the beginning. */
static bool passes(const struct carom_lzb *w, size_t i, double h, double *part, bool *wake)
{
    const double a0 = w->a[i], a1 = w->new_a[i], slope = fabs(a1 - a0) / h, may = pass * w->tol * w->size[i];
    double off = 0.0;
    *wake = false;
    if (w->mode[i] == CAROM_LZB_OPEN) {
        if (!(a1 > 0.0))
            return false;
        *wake = a0 >= 0.0;
        off = *wake ? 0.5 * a1 * h : 0.5 * a1 * a1 / slope;
    } else if (!lossless(w, i) && w->mode[i] == CAROM_LZB_IN && a1 < 0.0) {
        off = (rate_out(w, i) - 1.0) * 0.5 * a1 * a1 / slope;
        if (w->options.stiffness == CAROM_LZB_MONO)
            off = 0.5 * a1 * a1 / slope;
    } else if (!lossless(w, i) && w->mode[i] == CAROM_LZB_OUT && a1 > 0.0 && w->new_x[i] > 0.0) {
        off = (w->r[i] - 1.0) * 0.5 * a1 * a1 / slope;
    }
    if (!(off > may))
        return false;
    if (!*wake && (a0 > 0.0) == (a1 > 0.0))
        return false; /* just turned */
    *part = *wake ? 0.0 : zero_of(a0, -h * w->bend[i], a1, -h * w->new_bend[i]);
    return true;
}

/* mono: contact i falls below the energy at which the rest is discarded */
static bool discards(const struct carom_lzb *w, size_t i, double h, double *part)
{
    if (w->options.stiffness != CAROM_LZB_MONO || w->mode[i] != CAROM_LZB_OUT || lossless(w, i))
        return false;
    const double limit = discard_at(w, i);
    if (!(carom_lzb_energy(w, i, w->new_x[i]) < limit))
        return false;
    double low = 0.0, high = 1.0;
    for (int k = 0; k < 48; k++) {
        const double s = 0.5 * (low + high);
        if (carom_lzb_energy(w, i, carom_lzb_step_between(w, i, h, s)) > limit)
            low = s;
        else
            high = s;
    }
    *part = high;
    return true;
}

/* The first change that is passed; 1: none. Contacts that ought to have moved from the beginning are woken: then the
 * answer is 0. */
static double first_passed(struct carom_lzb *w, double h)
{
    double first = 1.0;
    bool woken = false;
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            double part = 1.0;
            bool wake = false;
            if (passes(w, i, h, &part, &wake) && !wake)
                first = fmin(first, part);
            if (discards(w, i, h, &part) && part < 1.0 - 1e-9)
                first = fmin(first, part);
            if (wake) {
                turn_in(w, i);
                woken = true;
            }
        }
    return woken ? 0.0 : first;
}

/* Modes after a step was taken. */
static void change(struct carom_lzb *w)
{
    for (size_t s = 0; s < w->nspans; s++)
        for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
            const double a = w->a[i];
            const double near = 1e-3 * sqrt(pass * w->tol) * w->speed;
            switch (w->mode[i]) {
            case CAROM_LZB_OPEN:
                if (a > 0.0 && 0.5 * a * a > w->least * w->frame->diagonal[i])
                    turn_in(w, i);
                break;
            case CAROM_LZB_IN:
                if (w->x[i] <= 0.0 && a <= 0.0)
                    turn_open(w, i);
                else if (!lossless(w, i) && a <= near && w->bend[i] > 0.0 && w->x[i] > 0.0)
                    turn_out(w, i);
                break;
            default:
                if (w->x[i] <= 0.0 || (w->options.stiffness == CAROM_LZB_MONO &&
                                       carom_lzb_energy(w, i, w->x[i]) <= discard_at(w, i) * (1.0 + 1e-12)))
                    turn_open(w, i);
                else if (a >= -near && w->bend[i] < 0.0)
                    turn_in(w, i);
            }
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
                fabs(w->bend[i]) * w->size[i] < 2.0 * w->least * w->frame->diagonal[i])
                turn_open(w, i);
        }
}

/* --- the way ----------------------------------------------------------------------------------------------------- */

static void tell(struct carom_lzb *w, double h)
{
    const struct carom_trace *trace = w->trace;
    if (!trace || !(trace->every > 0.0))
        return;
    for (; (double)w->sample * trace->every <= w->time + h; w->sample++) {
        const double t = (double)w->sample * trace->every, part = fmin(fmax((t - w->time) / h, 0.0), 1.0);
        for (size_t s = 0; s < w->nspans; s++)
            for (size_t i = w->span[s].first; i < w->span[s].last; i++) {
                if (w->mode[i] == CAROM_LZB_OPEN) /* most, in the long end of an impact */
                    continue;
                const double force = carom_lzb_force(w, i, carom_lzb_step_between(w, i, h, part));
                if (force > faint * w->k[i] * pow(w->size[i], w->p[i]))
                    trace->force(trace->own, w->frame->contact[i], t, force);
            }
    }
}

static double next_factor(double error)
{
    return error > 0.0 ? fmin(5.0, fmax(0.2, 0.9 * pow(error, -0.2))) : 5.0;
}

/* one step, as long as its error and the changes of mode let it be; false where no step is short enough */
static bool advance(struct carom_lzb *w)
{
    double h = w->h, speeds = 0.0, planned = 0.0;
    for (int trial = 0; trial < 200; trial++) {
        const double error = carom_lzb_step_try(w, h, &speeds);
        if (!(error <= 1.0)) {
            h *= isfinite(error) ? fmin(next_factor(error), 0.8) : 0.1;
            w->rejected++;
            planned = 0.0;
            continue;
        }
        const double part = first_passed(w, h);
        if (part == 0.0) { /* woken: again from the start */
            respan(w);
            carom_lzb_step_begin(w);
            continue;
        }
        if (part < 1.0 && part * h > 1e-15 * w->time) {
            planned = fmax(planned, h * next_factor(error));
            h *= part;
            w->rejected++;
            continue;
        }
        tell(w, h);
        carom_lzb_step_take(w, h);
        w->worst += speeds;
        w->steps++;
        w->h = fmax(planned, h * next_factor(error));
        return true;
    }
    return false;
}

enum carom_status carom_lzb_run(struct carom_lzb *w, struct carom_error *error)
{
    const double most = 2e5 + 2e3 * (double)w->n;
    carom_lzb_step_begin(w);
    while (w->nspans > 0) {
        if ((double)w->steps > most || !advance(w))
            return carom_error_set(error, CAROM_E_NUMERIC,
                                   "impact lzb at %zu contacts, contact %zu the first, did not end in %zu steps", w->n,
                                   carom_frame_number(w->frame->model, w->frame->contact[0]), w->steps);
        change(w);
        rest(w);
        respan(w);
        carom_lzb_step_begin(w);
    }
    return CAROM_OK;
}
