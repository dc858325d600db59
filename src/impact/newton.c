/* Impact `newton`: pair by pair. The contact that approaches fastest (of equal ones the leftmost, of discs and spheres
 * that of the lowest numbers) gets the impulse that turns its rate r into -e r, as if it were alone; that changes its
 * neighbours' rates; so on until none approaches. A sequence that dies out without end (e < 1: inelastic collapse) is
 * closed by a plastic impact of what is left, once the approach has become 1e-13 of the first, or once all rates have
 * become the same part of what they were: whatever follows is the same again, smaller, without end, and takes millions
 * of impacts where a light body is between heavy ones. One that neither ends nor dies out, such as e = 1 between two
 * walls, is refused. Not symmetric: a body struck from both sides at once is struck from the left first. */
#include <string.h>

#include "base/memory.h"
#include "carom/impact.h"
#include "impact/plastic.h"
#include "model/frame.h"
#include "solve/contact/lcp.h"

enum { PAIRS = 200000, MOST = 100000000 }; /* impacts of pairs allowed, at least and at most */

static const double alike = 1e-11; /* of a rate: others so near are equal but for rounding, which must not choose */
static const double quiet = 1e-13; /* of the fastest approach at the start: what is slower has died out */
static const double shrunk = 1e-9; /* of rates: less is no loss of theirs but rounding */
static const double same = 1e-5;   /* of that loss: rates differ by no more where all have lost the same part */
enum { PATIENT = 20000 };          /* impacts of pairs before that is asked */

struct work {
    struct carom_lcp_room room;
    double *rate, *begin, *plastic; /* room each */
    double *past;                   /* room: rates some time ago, with `struck` to come next */
    size_t struck;
    size_t *tree; /* 2 x leaves: a tournament for the fastest approach; entry 1 is the winner */
    size_t leaves;
};

static void close(struct carom_striker *striker)
{
    struct work *w = striker->work;
    carom_lcp_close(&w->room);
    carom_memory_free_all(w->rate, w);
    striker->work = NULL;
}

static enum carom_status open(struct carom_striker *striker, struct carom_error *error)
{
    struct work *w = striker->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for impact newton");
    size_t leaves = 1;
    while (leaves < striker->room)
        leaves *= 2;
    if (!carom_memory_together(CAROM_ROOM(w->rate, striker->room), CAROM_ROOM(w->begin, striker->room),
                               CAROM_ROOM(w->plastic, striker->room), CAROM_ROOM(w->past, striker->room),
                               CAROM_ROOM(w->tree, 2 * leaves)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for impact newton");
    return carom_lcp_open(&w->room, striker->room, !(striker->model->offers & CAROM_CHAIN), error);
}

/* the faster approach of two contacts; n stands for none */
static size_t faster(const struct work *w, size_t n, size_t a, size_t b)
{
    if (a >= n || b >= n)
        return a < b ? a : b;
    return w->rate[b] < w->rate[a] - alike * fabs(w->rate[a]) ? b : a;
}

static void plant(struct work *w, size_t n)
{
    w->leaves = 1;
    while (w->leaves < n)
        w->leaves *= 2;
    for (size_t i = 0; i < w->leaves; i++)
        w->tree[w->leaves + i] = i < n ? i : SIZE_MAX;
    for (size_t i = w->leaves; i-- > 1;)
        w->tree[i] = faster(w, n, w->tree[2 * i], w->tree[2 * i + 1]);
}

static void replay(struct work *w, size_t n, size_t i)
{
    for (i = (w->leaves + i) / 2; i > 0; i /= 2)
        w->tree[i] = faster(w, n, w->tree[2 * i], w->tree[2 * i + 1]);
}

/* rates after impulse p at contact i, whose own becomes `after`, and the tournament played again where they changed */
static void strike(struct work *w, const struct carom_frame *frame, size_t i, double p, double after)
{
    const size_t n = frame->n;
    if (!frame->chain) {
        for (size_t k = 0; k < n; k++)
            w->rate[k] += frame->matrix[k * n + i] * p;
        w->rate[i] = after;
        plant(w, n);
        return;
    }
    w->rate[i] = after;
    if (i > 0) {
        w->rate[i - 1] += frame->beside[i - 1] * p;
        replay(w, n, i - 1);
    }
    if (i + 1 < n) {
        w->rate[i + 1] += frame->beside[i] * p;
        replay(w, n, i + 1);
    }
    replay(w, n, i);
}

/* Collapse in a row of n contacts wears off like heat in a rod: by e-folds of about n^3 / 10 impacts of pairs, and
 * thirty are needed. */
static size_t limit(size_t n)
{
    const double pairs = PAIRS + 10.0 * (double)n * (double)n * (double)n;
    return pairs < MOST ? (size_t)pairs : MOST;
}

static enum carom_status no_end(const struct work *w, const struct carom_collision *c, struct carom_error *error)
{
    bool loses = false;
    for (size_t i = 0; i < c->frame->n; i++)
        loses |= c->e[i] < 1.0;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "impact newton: %zu impacts of pairs at %zu touching contacts did not end, contact %zu "
                           "still approaches; %simpact: moreau solves such a set at once",
                           c->iterations, c->frame->n,
                           carom_frame_number(c->frame->model, c->frame->contact[w->tree[1]]),
                           loses ? ""
                                 : "bodies without room between walls and e = 1 never come to rest under any impact "
                                   "law, give e below 1 or a gap; where there is room, ");
}

/* Have all rates become the same part of what they were? Which pair is struck next goes by their ratios alone, so all
 * that has happened since happens again, without end. What they are compared with is taken anew at every power of
 * two, as the period is not known. */
static bool repeats(struct work *w, size_t n, size_t count)
{
    const size_t next = w->tree[1];
    if (count < PATIENT)
        return false;
    if (count == PATIENT || (count & (count - 1)) == 0) {
        memcpy(w->past, w->rate, n * sizeof(double));
        w->struck = next;
        return false;
    }
    const double part = w->rate[next] / w->past[next], loss = 1.0 - part;
    if (next != w->struck || !(part > 0.0) || !(loss > shrunk))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(w->rate[i] - part * w->past[i]) <= same * loss * fabs(w->past[next])))
            return false;
    return true;
}

/* pair after pair, until none approaches */
static enum carom_status strike_all(struct work *w, struct carom_collision *c, double least, struct carom_error *error)
{
    const struct carom_frame *frame = c->frame;
    const size_t most = limit(frame->n);
    const size_t pause = frame->chain ? 100000 : 1 + 1000000 / (1 + frame->n); /* some milliseconds */
    plant(w, frame->n);
    for (c->iterations = 0; w->rate[w->tree[1]] < -least && !repeats(w, frame->n, c->iterations); c->iterations++) {
        if (c->iterations == most)
            return no_end(w, c, error);
        if (c->iterations % pause == pause - 1 && carom_striker_stopped(c, error))
            return CAROM_E_STOPPED;
        const size_t i = w->tree[1];
        const double approach = -w->rate[i], p = (1.0 + c->e[i]) * approach / frame->diagonal[i];
        c->impulse[i] += p;
        c->lost[i] += 0.5 * p * (1.0 - c->e[i]) * approach;
        strike(w, frame, i, p, c->e[i] * approach);
    }
    return CAROM_OK;
}

static enum carom_status solve(struct carom_striker *striker, struct carom_collision *c, struct carom_error *error)
{
    struct work *w = striker->work;
    const struct carom_frame *frame = c->frame;
    const size_t n = frame->n;
    double fastest = 0.0;
    c->residual = c->estimate = c->duration = 0.0;
    c->iterations = 0;
    carom_frame_rates(frame, c->v, w->rate);
    for (size_t i = 0; i < n; i++) {
        c->impulse[i] = c->lost[i] = 0.0;
        if (!isfinite(w->rate[i]))
            return carom_error_set(error, CAROM_E_NUMERIC, "impact newton: the gap rate of contact %zu is not finite",
                                   carom_frame_number(frame->model, frame->contact[i]));
        fastest = -w->rate[i] > fastest ? -w->rate[i] : fastest;
    }
    memmove(c->after, c->v, frame->model->nv * sizeof(double));
    if (n == 0 || fastest == 0.0)
        return CAROM_OK;
    const enum carom_status status = strike_all(w, c, quiet * fastest, error);
    if (status != CAROM_OK)
        return status;
    carom_frame_push(frame, c->impulse, c->after);
    return carom_plastic_stop(&(struct carom_plastic){&w->room, w->begin, w->rate, w->plastic}, c, "newton", error);
}

const struct carom_impact carom_impact_newton = {
    .kind = {"newton", "pair by pair, the contact that approaches fastest first, until none approaches", NULL, 0},
    .open = open,
    .solve = solve,
    .close = close,
};
