/* The sequence declared in collapse.h. Between impacts accelerations are constant, in so short a time; contacts that
 * rest on each other go on so as forces have it; an impact strikes all contacts whose gaps are 0, as Moreau's law does.
 * Every impact of a sequence that repeats itself is a linear map of rates, and takes energy: rates then die out
 * whatever the map, and what tells a collapse from bodies that bounce on for ever is that flights die out, too. */
#include "scheme/rigid/collapse.h"

#include <string.h>

#include "base/memory.h"
#include "model/motion.h"
#include "scheme/rigid/event_motion.h"
#include "solve/dense.h"

enum { MOST = 48, IMPACTS = 20000 }; /* contacts followed; impacts of each */

static const double far = 100.0;        /* times the zone: out of it */
static const double faster = 0.01;      /* of an approach and of V: what is slower hardly moves in an impact */
static const double unfollowed = 0.1;   /* of tol: what a sequence taken as one moment may leave */
static const double pulls = 0.02;       /* of what rates may be off: it goes on for the rest of the run */
static const double still = 1e-3;       /* of what counts as rest: then nothing is left */
static const double vanishing = 1e-150; /* of the zone: gaps so small take no time */
static const double sure = 0.9;         /* the second half of a sequence that ends takes less than this of the first */

void carom_collapse_close(struct carom_collapse *c)
{
    carom_memory_free(c->e);
    carom_lcp_close(&c->lcp);
    *c = (struct carom_collapse){0};
}

enum carom_status carom_collapse_open(struct carom_collapse *c, const struct carom_model *model,
                                      struct carom_error *error)
{
    const size_t n = model->nc < MOST ? model->nc : MOST, nv = model->nv;
    c->model = model;
    c->room = n;
    if (!carom_memory_together(
            CAROM_ROOM(c->e, n), CAROM_ROOM(c->gap, n), CAROM_ROOM(c->rate, n), CAROM_ROOM(c->free, n),
            CAROM_ROOM(c->bend, n), CAROM_ROOM(c->press, n), CAROM_ROOM(c->hits, n), CAROM_ROOM(c->first, n),
            CAROM_ROOM(c->impulse, n), CAROM_ROOM(c->lost, n), CAROM_ROOM(c->moment, n), CAROM_ROOM(c->b, n),
            CAROM_ROOM(c->z, n), CAROM_ROOM(c->contact, n), CAROM_ROOM(c->w, n * n), CAROM_ROOM(c->part, n * n),
            CAROM_ROOM(c->force, nv), CAROM_ROOM(c->a, nv), CAROM_ROOM(c->way, nv), CAROM_ROOM(c->there, model->nq),
            CAROM_ROOM(c->shut, model->nc), CAROM_ROOM(c->closed, 4 * n), CAROM_ROOM(c->some, 3 * n)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for impacts of %zu contacts", n);
    c->struck = c->closed + n;
    c->asked = c->struck + n;
    c->held = c->asked + n;
    c->last = c->some + n;
    c->order = c->last + n;
    return carom_lcp_open(&c->lcp, n, true, error);
}

/* --- where it begins --------------------------------------------------------------------------------------------- */

static bool is_near(const struct carom_collapse *c, const struct carom_collapse_moment *m, size_t j)
{
    return j == m->hit || c->shut[j] || m->gap[j] <= m->zone;
}

/* One that opens and has a gap is not shut, however near: it was struck a moment ago, the sequence may be at work. One
 * without any is struck at the same time. */
static bool is_shut(const struct carom_collapse *c, const struct carom_collapse_moment *m, size_t j)
{
    return c->shut[j] && !(m->rate[j] > m->slow && m->gap[j] > m->noise);
}

/* The contacts near: in a row those joined to the one that closes. False: there is none beside it that is open and
 * near, or they are too many. */
static bool collect(struct carom_collapse *c, const struct carom_collapse_moment *m)
{
    const bool row = (c->model->offers & CAROM_CHAIN) != 0;
    size_t first = row ? m->hit : 0, last = row ? m->hit + 1 : c->model->nc;
    bool any = false;
    while (row && first > 0 && is_near(c, m, first - 1))
        first--;
    while (row && last < c->model->nc && is_near(c, m, last))
        last++;
    c->n = 0;
    for (size_t j = first; j < last; j++) {
        if (!is_near(c, m, j))
            continue;
        if (c->n == c->room)
            return false;
        any |= j != m->hit && !is_shut(c, m, j);
        c->contact[c->n++] = j;
    }
    return any;
}

/* c->free: how gap rates change in a short time with the forces of now, contacts not among them */
static void accelerate(struct carom_collapse *c, struct carom_stepper *stepper, const struct carom_collapse_moment *m)
{
    const struct carom_model *model = c->model;
    const struct carom_state *state = m->state;
    const double t = state->time + state->time_low, h = m->probe;
    carom_motion_accelerate(model, t, state->q, state->v, NULL, stepper->scratch, c->force, c->a, NULL);
    for (size_t i = 0; i < model->nv; i++)
        c->way[i] = h * (state->v[i] + 0.5 * h * c->a[i]);
    carom_motion_move(model, state->q, c->way, c->there);
    for (size_t i = 0; i < model->nv; i++)
        c->way[i] = state->v[i] + h * c->a[i];
    for (size_t i = 0; i < c->n; i++) {
        const size_t j = c->contact[i];
        double deform, rate;
        carom_contacts_deform_some(model, j, j + 1, t + h, c->there, c->way, &deform, &rate);
        c->free[i] = (-rate - m->rate[j]) / h;
    }
}

static void begin(struct carom_collapse *c, const struct carom_frame *frame, const struct carom_collapse_moment *m)
{
    const size_t n = c->n;
    for (size_t i = 0; i < n; i++) {
        const size_t j = c->contact[i];
        c->closed[i] = c->shut[j] && fabs(m->rate[j]) <= m->slow;
        c->gap[i] = is_shut(c, m, j) ? 0.0 : fmax(m->gap[j], 0.0);
        c->rate[i] = c->closed[i] ? 0.0 : m->rate[j];
        c->e[i] = m->e[j];
        c->impulse[i] = c->hits[i] = c->lost[i] = c->moment[i] = c->first[i] = 0.0;
        c->struck[i] = false;
        c->last[i] = 0;
        for (size_t k = 0; k < n; k++)
            c->w[i * n + k] = !frame->chain                           ? frame->matrix[i * n + k]
                              : i == k                                ? frame->diagonal[i]
                              : (i > k ? i : k) - (i < k ? i : k) > 1 ? 0.0
                                                                      : frame->beside[i < k ? i : k];
    }
    c->reach = frame->chain ? 1 : n;
    c->time = 0.0;
}

/* --- the sequence ------------------------------------------------------------------------------------------------ */

/* column i of W times p is added to x; a sequence has thousands of impacts, and W of a row three entries a contact */
static void add_column(const struct carom_collapse *c, size_t i, double p, double *x)
{
    const size_t to = i + c->reach < c->n ? i + c->reach + 1 : c->n;
    for (size_t k = i > c->reach ? i - c->reach : 0; k < to; k++)
        x[k] += c->w[k * c->n + i] * p;
}

/* 0 <= z _|_ b + W z >= 0 at `count` of the contacts near */
static bool solve(struct carom_collapse *c, size_t count)
{
    const bool row = c->reach == 1;
    double *part = c->part, *diagonal = row ? part : NULL, *beside = row ? part + count : NULL;
    const struct carom_lcp lcp = {count, row ? NULL : part, diagonal, beside, c->b};
    struct carom_lcp_report report;
    for (size_t i = 0; i < count; i++) {
        const double *of = c->w + c->some[i] * c->n;
        c->z[i] = 0.0;
        if (row)
            diagonal[i] = of[c->some[i]];
        if (row && i + 1 < count)
            beside[i] = of[c->some[i + 1]];
        for (size_t k = 0; !row && k < count; k++)
            part[i * count + k] = of[c->some[k]];
    }
    carom_lcp_solve(&lcp, CAROM_LCP_AUTO, 1e-12, 0, &c->lcp, c->z, &report);
    return report.solved;
}

/* second derivatives of gaps with what rests held by forces that press: c->bend, c->press */
static bool press(struct carom_collapse *c, bool anew)
{
    size_t count = 0;
    if (!anew && memcmp(c->asked, c->closed, c->n * sizeof *c->closed) == 0) { /* after most impacts the same rest */
        memcpy(c->closed, c->held, c->n * sizeof *c->closed);
        return true;
    }
    memcpy(c->asked, c->closed, c->n * sizeof *c->closed);
    memcpy(c->bend, c->free, c->n * sizeof(double));
    memset(c->press, 0, c->n * sizeof(double));
    for (size_t i = 0; i < c->n; i++)
        if (c->closed[i]) {
            c->b[count] = c->free[i];
            c->some[count++] = i;
        }
    if (count > 0 && !solve(c, count))
        return false;
    for (size_t i = 0; i < count; i++)
        add_column(c, c->some[i], c->z[i], c->bend);
    for (size_t i = 0; i < count; i++) {
        c->press[c->some[i]] = c->z[i];
        c->closed[c->some[i]] = c->z[i] > 0.0 || c->bend[c->some[i]] <= 0.0;
    }
    memcpy(c->held, c->closed, c->n * sizeof *c->closed);
    return true;
}

/* how long until the first gap closes, and which; HUGE_VAL: none does */
static double next_meeting(const struct carom_collapse *c, size_t *which)
{
    double first = HUGE_VAL;
    for (size_t i = 0; i < c->n; i++) {
        const struct carom_event_gap gap = {
            .y0 = c->gap[i], .r = c->rate[i], .a = c->bend[i], .right = {c->rate[i], c->bend[i], 0.0}};
        const double at = c->closed[i]                           ? HUGE_VAL
                          : c->gap[i] == 0.0 && c->rate[i] < 0.0 ? 0.0
                                                                 : carom_event_motion_meet(&gap, HUGE_VAL);
        if (at < first) {
            first = at;
            *which = i;
        }
    }
    return first;
}

static void fly(struct carom_collapse *c, double dt)
{
    for (size_t i = 0; i < c->n && dt > 0.0; i++)
        if (c->closed[i]) {
            c->impulse[i] += dt * c->press[i];
            c->moment[i] += dt * c->press[i] * (c->time + 0.5 * dt);
        } else {
            c->gap[i] = fmax(c->gap[i] + dt * (c->rate[i] + 0.5 * dt * c->bend[i]), 0.0);
            c->rate[i] += dt * c->bend[i];
        }
    c->time += dt;
}

/* the impulse p of contact i */
static void push(struct carom_collapse *c, size_t i, double p)
{
    add_column(c, i, p, c->rate);
    c->impulse[i] += p;
    c->moment[i] += p * c->time;
}

/* an impact, number `number`, of contact i and of those that rest beside it */
static bool strike(struct carom_collapse *c, size_t i, size_t number)
{
    const double approach = -c->rate[i];
    size_t count = 0;
    c->gap[i] = 0.0;
    for (size_t k = 0; k < c->n; k++)
        if (k == i || c->closed[k] || (c->gap[k] == 0.0 && c->rate[k] < 0.0)) {
            c->b[count] = (1.0 + c->e[k]) * c->rate[k];
            c->some[count++] = k;
        }
    if (count == 1)
        c->z[0] = (1.0 + c->e[i]) * approach / c->w[i * c->n + i];
    else if (!solve(c, count))
        return false;
    for (size_t k = 0; k < count; k++) {
        const size_t s = c->some[k];
        c->first[s] = c->hits[s] == 0.0 && c->z[k] > 0.0 ? c->rate[s] : c->first[s];
        c->hits[s] += c->z[k];
        c->lost[s] -= 0.5 * c->z[k] * c->rate[s];
    }
    for (size_t k = 0; k < count; k++)
        push(c, c->some[k], c->z[k]);
    if (count == 1)
        c->rate[i] = c->e[i] * approach;
    for (size_t k = 0; k < count; k++) {
        const size_t s = c->some[k];
        c->lost[s] -= 0.5 * c->z[k] * c->rate[s];
        c->last[s] = c->z[k] > 0.0 ? number : c->last[s];
        c->closed[s] = fabs(c->rate[s]) <= 16.0 * DBL_EPSILON * approach;
        c->rate[s] = c->closed[s] ? 0.0 : c->rate[s];
    }
    return press(c, false);
}

static bool gets_out(const struct carom_collapse *c, double zone)
{
    for (size_t i = 0; i < c->n; i++)
        if (!(c->gap[i] <= far * zone))
            return true;
    return false;
}

/* Are the gaps of contacts struck in the last `row` impacts so small that nothing is left of the flights, though rates
 * may be? Then the rest of the sequence takes no time. */
static bool vanishes(const struct carom_collapse *c, size_t count, size_t row, double zone)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->last[i] + row > count && c->gap[i] > vanishing * zone)
            return false;
    return count > row;
}

/* more += impulses at the contacts that collapsed or rest that take away `what` (n) */
static void take_away(struct carom_collapse *c, const double *what, double *more)
{
    size_t count = 0;
    for (size_t i = 0; i < c->n; i++)
        if (c->struck[i] || c->closed[i]) {
            c->z[count] = -what[i];
            c->some[count++] = i;
        }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            c->part[i * count + k] = c->w[c->some[i] * c->n + c->some[k]];
    carom_dense_solve(count, c->part, c->z, c->order, 1e-13);
    for (size_t i = 0; i < count; i++)
        more[c->some[i]] += c->z[i];
}

/* What is left of rates when flights take no time any more is lost in the impacts to come. */
static void stop(struct carom_collapse *c)
{
    memset(c->b, 0, c->n * sizeof(double));
    take_away(c, c->rate, c->b);
    for (size_t i = 0; i < c->n; i++)
        c->lost[i] -= 0.5 * c->b[i] * c->rate[i];
    for (size_t i = 0; i < c->n; i++) {
        c->hits[i] += c->b[i];
        if (c->b[i] != 0.0)
            push(c, i, c->b[i]);
    }
}

/* Impact by impact, until so many in a row were of the size of nothing, or took no time; those that were struck among
 * them collapse. Where rates had lost half of the digits that they lose it is noted how long that took. */
static bool run(struct carom_collapse *c, const struct carom_collapse_moment *m)
{
    const double first = -m->rate[m->hit], end = still * m->slow, middle = sqrt(first * end);
    const size_t row = 2 * c->n + 2;
    double half = -1.0;
    size_t quiet = 0, which = 0, count = 0;
    bool over = false;
    if (!(first > m->slow) || !press(c, true))
        return false;
    while (!over) {
        const double dt = next_meeting(c, &which);
        if (!(dt < HUGE_VAL) || ++count > IMPACTS * c->n)
            return false;
        fly(c, dt);
        const double approach = -c->rate[which];
        if (gets_out(c, m->zone) || !strike(c, which, count))
            return false;
        over = vanishes(c, count, row, m->zone);
        quiet = approach <= (half < 0.0 ? middle : end) ? quiet + 1 : 0;
        if (quiet < row)
            continue;
        over |= half >= 0.0;
        if (half >= 0.0 && !(c->time - half <= sure * half))
            return false;
        half = over ? half : c->time;
        quiet = 0;
    }
    for (size_t i = 0; i < c->n; i++)
        c->struck[i] = c->last[i] + row > count;
    stop(c);
    return true;
}

/* Contacts that collapsed have no gap and no rate from now on. The sums of impulses leave them what accelerations did
 * in the time that the sequence took, and rounding, by which bodies of very different mass would part. */
static void calm(struct carom_collapse *c, const struct carom_frame *frame, const struct carom_collapse_moment *m)
{
    memcpy(c->way, m->state->v, c->model->nv * sizeof(double));
    carom_frame_push(frame, c->impulse, c->way);
    carom_frame_rates(frame, c->way, c->rate);
    take_away(c, c->rate, c->impulse);
    for (size_t i = 0; i < c->n; i++) {
        c->gap[i] = -m->gap[c->contact[i]];
        for (size_t k = 0; k < c->n; k++)
            c->gap[i] += c->w[i * c->n + k] * c->moment[k];
    }
    take_away(c, c->gap, c->moment);
}

/* Has any other contact enough room that it takes no part while the sequence lasts? The state is to be as after it all
 * along. */
static bool leaves_alone(struct carom_collapse *c, const struct carom_frame *frame,
                         const struct carom_collapse_moment *m)
{
    const struct carom_state *state = m->state;
    memset(c->way, 0, state->nv * sizeof(double));
    carom_frame_push(frame, c->moment, c->way);
    for (size_t i = 0; i < state->nv; i++)
        c->way[i] = -c->way[i];
    carom_motion_move(c->model, state->q, c->way, c->there);
    memcpy(c->way, state->v, state->nv * sizeof(double));
    carom_frame_push(frame, c->impulse, c->way);
    for (size_t j = 0, i = 0; j < c->model->nc; j++) {
        double deform, rate;
        i += i < c->n && c->contact[i] < j ? 1 : 0;
        const bool near = i < c->n && c->contact[i] == j; /* its own way was followed */
        if (near ? c->struck[i] || c->closed[i] : c->shut[j])
            continue; /* what is shut and not near has its bodies elsewhere */
        carom_contacts_deform_some(c->model, j, j + 1, state->time + state->time_low, c->there, c->way, &deform, &rate);
        const double fastest = near ? 0.0 : fmax(fabs(rate), fabs(m->rate[j]));
        if (!(-deform - fastest * c->time >= 0.0))
            return false;
    }
    return true;
}

/* An impact far faster than a gap beside it, which is open but by less than errors may be: which comes first is not
 * known. */
static void note_split(const struct carom_collapse *c, struct carom_stepper *stepper,
                       const struct carom_collapse_moment *m)
{
    const double approach = -m->rate[m->hit];
    for (size_t i = 0; i < c->n && !stepper->split.seen; i++) {
        const size_t j = c->contact[i];
        const bool opens = c->shut[j] && m->rate[j] > m->slow; /* though coordinates do not tell */
        /* it would be struck as well, amid a sequence whose impacts are too near each other to be told */
        const bool amid = opens && m->gap[j] > 0.0;
        const bool slower = fabs(m->rate[j]) <= faster * approach && approach > faster * stepper->scales.speed;
        if (j == m->hit || (is_shut(c, m, j) && !opens) || !(m->gap[j] <= m->zone) || !(slower || amid))
            continue;
        if (!slower && approach <= m->matters) { /* either way rates are off by no more than this */
            if (stepper->scales.speed > 0.0)
                stepper->left_out = fmax(stepper->left_out, approach / stepper->scales.speed);
            continue;
        }
        stepper->split = (struct carom_split){true, m->state->time, m->gap[j], m->hit, j, 0.0};
    }
}

/* Contacts that come to rest are held from the first impact of the sequence on. Forces that pull them apart begin to do
 * so at its end only: what they do until then is too much. */
static void note_pull(struct carom_collapse *c, struct carom_stepper *stepper, const struct carom_collapse_moment *m)
{
    for (size_t i = 0; i < c->n; i++) {
        c->last[i] = c->closed[i] ? 1 : 0;
        c->closed[i] = c->closed[i] || c->struck[i];
    }
    const bool known = press(c, true);
    for (size_t i = 0; i < c->n; i++) {
        if (known && c->struck[i] && c->bend[i] * c->time > pulls * m->matters && !stepper->split.seen)
            stepper->split = (struct carom_split){true, m->state->time, 0.0, m->hit, c->contact[i], c->time};
        c->closed[i] = c->last[i] > 0;
    }
}

/* A contact near that took part and still approaches will be struck again in a moment, beside what has just come to
 * rest: a collapse inside a collapse, whose gaps are far smaller than coordinates can tell. */
static void note_nested(const struct carom_collapse *c, struct carom_stepper *stepper,
                        const struct carom_collapse_moment *m)
{
    for (size_t i = 0; i < c->n && !stepper->split.seen; i++)
        if (c->hits[i] > 0.0 && !c->struck[i] && !c->closed[i] && c->rate[i] < pulls * m->matters)
            stepper->split =
                (struct carom_split){true, m->state->time, m->gap[c->contact[i]], m->hit, c->contact[i], 0.0};
}

static bool ends_at_once(struct carom_collapse *c, struct carom_stepper *stepper, struct carom_frame *frame,
                         const struct carom_collapse_moment *m)
{
    if (carom_frame_set(frame, m->state->time + m->state->time_low, m->state->q, c->contact, c->n, NULL) != CAROM_OK)
        return false;
    accelerate(c, stepper, m);
    begin(c, frame, m);
    if (!run(c, m))
        return false;
    size_t collapsed = 0;
    for (size_t i = 0; i < c->n; i++)
        collapsed += c->struck[i] ? 1 : 0;
    if (collapsed < 2)
        return false;
    note_pull(c, stepper, m);
    calm(c, frame, m);
    return leaves_alone(c, frame, m);
}

bool carom_collapse_follow(struct carom_collapse *c, struct carom_stepper *stepper, struct carom_frame *frame,
                           const struct carom_collapse_moment *m)
{
    if (m->hit >= c->model->nc)
        return false;
    const bool ends = collect(c, m) && ends_at_once(c, stepper, frame, m);
    if (!ends)
        note_split(c, stepper, m);
    else
        note_nested(c, stepper, m);
    if (ends && stepper->scales.speed > 0.0)
        stepper->left_out = fmax(stepper->left_out, unfollowed * m->matters / stepper->scales.speed);
    return ends;
}

void carom_collapse_take(const struct carom_collapse *c, const struct carom_frame *frame, struct carom_state *state)
{
    memset(c->way, 0, state->nv * sizeof(double));
    carom_frame_push(frame, c->moment, c->way);
    for (size_t i = 0; i < state->nv; i++)
        c->way[i] = -c->way[i];
    memcpy(c->there, state->q, state->nq * sizeof(double));
    carom_motion_move(c->model, c->there, c->way, state->q);
    carom_frame_push(frame, c->impulse, state->v);
    carom_frame_work(frame, c->impulse, state->work);
    for (size_t i = 0; i < c->n; i++)
        state->lost[c->contact[i]] += c->lost[i];
}
