/* Impact `lzb` (Liu, Zhao and Brogliato): impulses spread over touching contacts through their compliance k x^p, with
 * energetic restitution es, the configuration frozen; Nguyen and Brogliato 2011, section 2.1, in time with error
 * control instead of the printed steps of impulse. A contact that has opened closes again at once when its bodies
 * approach: the law `bistiff` under dp5 is the same with bodies that move. Energy lost is booked where it is lost. */
#include "impact/lzb.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "impact/rough.h"

static const char *const stiffnesses[] = {"bi", "mono", NULL};

static const struct carom_param params[] = {
    {"impact_tol", CAROM_REAL, offsetof(struct carom_lzb_options, impact_tol), 0.0, 0.0, 0.1, "1",
     "error of the velocities after an impact, relative to its fastest approach; 0: tol of the run", NULL},
    {"impact_work", CAROM_REAL, offsetof(struct carom_lzb_options, impact_work), 200, 1e-3, 1e9, "1",
     "millions of contacts stepped inside one impact before it is given up", NULL},
    {"stiffness", CAROM_CHOICE, offsetof(struct carom_lzb_options, stiffness), 0, 0, 1, "1",
     "where energy is lost: in a stiffer way out (bi), or when it has given back its part (mono)", stiffnesses},
    CAROM_PARAM_END,
};

static const double usual_tol = 1e-10;    /* where no run has a tol */
static const double smallest_tol = 1e-13; /* rounding */
static const double local = 1.0;          /* of the tolerance: what one step may take */

static void close(struct carom_striker *striker)
{
    struct carom_lzb *w = striker->work;
    carom_memory_free_all(w->block, w->mode, w->span, w->spare, w->corner);
    carom_lzb_linear_close(&w->hold);
    carom_lzb_linear_close(&w->stiff);
    carom_lcp_close(&w->lcp);
    carom_rough_free(w->rough);
    carom_memory_free(w);
    striker->work = NULL;
}

/* all arrays of one number per contact, with room for one on each side */
static bool allocate(struct carom_lzb *w, size_t room)
{
    double **const arrays[] = {&w->x,    &w->a,      &w->impulse, &w->lost,  &w->peak,     &w->spent,   &w->size,
                               &w->r,    &w->active, &w->left,    &w->mix,   &w->per_size, &w->mix_a,   &w->mix_x,
                               &w->turn, &w->y,      &w->new_x,   &w->new_a, &w->push,     &w->slope,   &w->pace,
                               &w->blur, &w->doubt,  &w->rate,    &w->begin, &w->plastic,  &w->usual_k, &w->usual_p};
    enum { ARRAYS = sizeof arrays / sizeof *arrays, ALL = ARRAYS + 4 * CAROM_LZB_STAGES };
    const size_t width = room + 2;
    w->block = width <= SIZE_MAX / ALL ? carom_memory_zeroed(ALL * width, sizeof(double)) : NULL;
    w->mode = carom_memory_zeroed(room, 1);
    w->span = carom_memory_zeroed(room + 1, sizeof *w->span);
    w->spare = carom_memory_zeroed(room + 1, sizeof *w->spare);
    w->corner = carom_memory_zeroed(room + 1, sizeof *w->corner);
    if (!w->block || !w->mode || !w->span || !w->spare || !w->corner)
        return false;
    double *next = w->block + 1;
    for (size_t i = 0; i < ARRAYS; i++, next += width)
        *arrays[i] = next;
    for (int c = 0; c < CAROM_LZB_STAGES; c++, next += 4 * width) {
        w->force[c] = next;
        w->stage[c][0] = next + width;
        w->stage[c][1] = next + 2 * width;
        w->turned[c] = next + 3 * width;
    }
    for (size_t i = 0; i < room; i++) {
        w->usual_k[i] = 1.0;
        w->usual_p[i] = 1.5;
    }
    return true;
}

static enum carom_status open(struct carom_striker *striker, struct carom_error *error)
{
    struct carom_lzb *w = striker->work = carom_memory_zeroed(1, sizeof *w);
    const bool chain = (striker->model->offers & CAROM_CHAIN) != 0;
    if (!w || !allocate(w, striker->room))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for impact lzb");
    w->room = striker->room;
    carom_param_defaults(&carom_impact_lzb.kind, &w->options);
    if (striker->options)
        w->options = *(const struct carom_lzb_options *)striker->options;
    w->options.impact_tol = w->options.impact_tol > 0.0 ? fmax(w->options.impact_tol, smallest_tol) : usual_tol;
    if (!(w->options.impact_work > 0.0))
        w->options.impact_work = carom_param_find(params, "impact_work")->standard;
    if (striker->model->frictional && (w->rough = carom_rough_create(striker->room, error)) == NULL)
        return CAROM_E_MEMORY;
    enum carom_status status = carom_lzb_linear_open(&w->hold, w->room, chain, error);
    if (status == CAROM_OK)
        status = carom_lzb_linear_open(&w->stiff, w->room, chain, error);
    return status == CAROM_OK ? carom_lcp_open(&w->lcp, w->room, !chain, error) : status;
}

/* --- the start --------------------------------------------------------------------------------------------------- */

/* the largest x of contact i if it met alone with this speed */
static double reach(const struct carom_lzb *w, size_t i, double speed)
{
    const double p = w->p[i];
    return carom_power(0.5 * (1.0 + p) * speed * speed / (w->frame->diagonal[i] * w->k[i]), 1.0 / (1.0 + p));
}

static enum carom_status refuse(const struct carom_collision *c, size_t i, const char *what, double value,
                                struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_NUMERIC, "impact lzb: contact %zu: %s, got %g",
                           carom_frame_number(c->frame->model, c->frame->contact[i]), what, value);
}

static enum carom_status look(struct carom_lzb *w, struct carom_collision *c, struct carom_error *error)
{
    carom_frame_rates(c->frame, c->v, w->begin);
    w->speed = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        if (!isfinite(w->begin[i]))
            return refuse(c, i, "the gap rate must be finite", w->begin[i], error);
        if (!(w->k[i] > 0.0 && w->k[i] < HUGE_VAL))
            return refuse(c, i, "k must be positive", w->k[i], error);
        if (!(w->p[i] >= 1.0 && w->p[i] < HUGE_VAL))
            return refuse(c, i, "p must be at least 1", w->p[i], error);
        if (!(w->e[i] >= 0.0 && w->e[i] <= 1.0))
            return refuse(c, i, "es must be between 0 and 1", w->e[i], error);
        w->speed = fmax(w->speed, -w->begin[i]);
    }
    return CAROM_OK;
}

static void begin(struct carom_lzb *w)
{
    const double quiet = 1e-2 * w->options.impact_tol, ended = w->options.impact_tol;
    double energy = 0.0;
    w->tol = local * w->options.impact_tol;
    w->smooth = fmax(w->tol, 0.03 * carom_power(w->tol, 5.0 / 7.0)); /* that of order 4, where steps are of order 6 */
    w->time = w->taken = w->ended = w->drift = w->cut = w->loudest = 0.0;
    w->steps = w->rejected = w->held = 0;
    w->creep = 0;
    w->work = w->asked = w->next_look = 0.0;
    w->left[w->n] = 0.0;
    w->sample = 1;
    w->nspans = w->corners = 0;
    w->hertz = true;
    w->h = HUGE_VAL;
    for (size_t i = 0; i < w->n; i++) {
        w->a[i] = -w->begin[i];
        w->x[i] = w->impulse[i] = w->lost[i] = w->peak[i] = w->spent[i] = w->blur[i] = 0.0;
        w->pace[i] = w->speed; /* nothing is calm yet */
        w->force[0][i] = w->turned[0][i] = 0.0;
        w->active[i] = w->k[i];
        w->r[i] = w->a[i] > 0.0 ? 1.0 : 0.0;
        w->left[i] = i > 0 && w->frame->chain ? w->frame->beside[i - 1] : 0.0;
        w->size[i] = reach(w, i, w->speed);
        w->per_size[i] = 1.0 / w->size[i];
        w->hertz &= w->p[i] == 1.5;
        w->mode[i] = w->a[i] > 0.0 ? CAROM_LZB_IN : CAROM_LZB_OPEN;
        energy += w->a[i] > 0.0 ? 0.5 * w->a[i] * w->a[i] / w->frame->diagonal[i] : 0.0;
        if (w->a[i] > DBL_EPSILON * w->speed) /* slower ones take longer, and the slowest would underflow */
            w->h = fmin(w->h, reach(w, i, w->a[i]) / w->a[i]);
        if (w->mode[i] == CAROM_LZB_IN || !w->frame->chain) {
            const size_t first = i > 0 ? i - 1 : 0, last = i + 1 < w->n ? i + 2 : w->n;
            if (w->nspans > 0 && first <= w->span[w->nspans - 1].last)
                w->span[w->nspans - 1].last = last;
            else
                w->span[w->nspans++] = (struct carom_lzb_span){first, last};
        }
    }
    w->h *= 0.3 * carom_power(w->tol, 1.0 / 6.0);
    w->least = w->asleep = quiet * quiet * energy;
    w->enough = ended * ended * energy;
}

/* --- the answer -------------------------------------------------------------------------------------------------- */

/* one contact alone: what it says of itself, whatever the steps made of it */
static bool alone(const struct carom_lzb *w, size_t i)
{
    const size_t n = w->n;
    if (w->frame->chain)
        return (i == 0 || w->frame->beside[i - 1] == 0.0) && (i + 1 == n || w->frame->beside[i] == 0.0);
    for (size_t j = 0; j < n; j++)
        if (j != i && w->frame->matrix[i * n + j] != 0.0)
            return false;
    return true;
}

static void close_form(struct carom_lzb *w, size_t i)
{
    const double a = -w->begin[i], e = w->e[i];
    w->impulse[i] = a > 0.0 ? (1.0 + e) * a / w->frame->diagonal[i] : 0.0;
    w->lost[i] = a > 0.0 ? 0.5 * (1.0 - e) * (1.0 + e) * a * a / w->frame->diagonal[i] : 0.0;
}

/* how long contact i alone takes to give back what it got: the integral of ds / sqrt(1 - s^(1+p)), twice */
static double lasting(const struct carom_lzb *w, size_t i)
{
    const double a = -w->begin[i], q = 1.0 / (1.0 + w->p[i]);
    const double one_way = 1.7724538509055160273 * carom_power_half_gamma(q); /* sqrt(pi) */
    return a > 0.0 ? reach(w, i, a) / a * one_way * (1.0 + w->e[i]) : 0.0;
}

/* The impulses must lose what the contacts say they lost: what the steps' errors make of the difference goes into the
 * losses or, where next to nothing is lost, into the impulses. */
static void balance(struct carom_lzb *w, struct carom_collision *c)
{
    double lost = 0.0, gone = 0.0, start = 0.0, both = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        lost += w->lost[i];
        gone -= 0.5 * w->impulse[i] * (w->begin[i] + w->rate[i]);
        start += w->impulse[i] * w->begin[i];
        both += w->impulse[i] * (w->rate[i] - w->begin[i]); /* impulse W impulse */
    }
    w->drift = start < 0.0 ? fabs(gone - lost) / -start * w->speed : 0.0;
    if (gone > 0.0 && fabs(gone - lost) <= 0.1 * lost) {
        for (size_t i = 0; i < w->n; i++)
            w->lost[i] *= gone / lost;
        return;
    }
    /* both/2 s^2 + start s + lost = 0, the root near 1 */
    const double square = start * start - 2.0 * both * lost;
    const double scale = both > 0.0 && square >= 0.0 ? (sqrt(square) - start) / both : 1.0;
    if (!(fabs(scale - 1.0) < 0.1))
        return;
    for (size_t i = 0; i < w->n; i++)
        w->impulse[i] *= scale;
    memmove(c->after, c->v, c->frame->model->nv * sizeof(double));
    carom_frame_push(c->frame, w->impulse, c->after);
}

/* Impulses `plastic` have made rates of `begin` out of `rate`. A contact that others push together again would lose
 * less than nothing by its own account: the whole loss goes to those that lose. */
static void share_losses(struct carom_lzb *w)
{
    double all = 0.0, losers = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        const double lost = -0.5 * w->plastic[i] * (w->begin[i] + w->rate[i]);
        all += lost;
        losers += lost > 0.0 ? lost : 0.0;
    }
    for (size_t i = 0; i < w->n; i++) {
        const double lost = -0.5 * w->plastic[i] * (w->begin[i] + w->rate[i]);
        w->impulse[i] += w->plastic[i];
        w->lost[i] += lost > 0.0 ? lost * (all / losers) : 0.0;
    }
}

/* One round of stopping what still approaches, all at once and without rebound; *fastest is how fast it did. */
static enum carom_status stop_all(struct carom_lzb *w, struct carom_collision *c, double *fastest,
                                  struct carom_error *error)
{
    const struct carom_frame *frame = c->frame;
    *fastest = 0.0;
    carom_frame_rates(frame, c->after, w->rate);
    for (size_t i = 0; i < w->n; i++) {
        w->plastic[i] = w->rate[i] < 0.0 ? -w->rate[i] / frame->diagonal[i] : 0.0;
        *fastest = fmax(*fastest, -w->rate[i]);
    }
    if (!(*fastest > 0.0))
        return CAROM_OK;
    const struct carom_lcp lcp = {.n = w->n,
                                  .matrix = frame->matrix,
                                  .diagonal = frame->chain ? frame->diagonal : NULL,
                                  .beside = frame->beside,
                                  .b = w->rate};
    struct carom_lcp_report report;
    carom_lcp_solve(&lcp, CAROM_LCP_AUTO, 1e-15, 0, &w->lcp, w->plastic, &report);
    c->residual = report.residual;
    if (!report.solved && !(report.residual < 1e-6))
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "impact lzb: %zu contacts, contact %zu the first, cannot be brought to rest", w->n,
                               carom_frame_number(frame->model, frame->contact[0]));
    carom_frame_push(frame, w->plastic, c->after);
    carom_frame_rates(frame, c->after, w->begin);
    share_losses(w);
    return CAROM_OK;
}

/* What still approaches, a remainder or by rounding, is stopped, until only rounding is left of it. */
static enum carom_status settle(struct carom_lzb *w, struct carom_collision *c, struct carom_error *error)
{
    double fastest = 0.0, before = HUGE_VAL;
    for (int round = 0; round < 8; round++) {
        const enum carom_status status = stop_all(w, c, &fastest, error);
        if (status != CAROM_OK)
            return status;
        if (fastest <= 1e-15 * w->speed || !(fastest < 0.5 * before))
            break;
        before = fastest;
    }
    return CAROM_OK;
}

static enum carom_status finish(struct carom_lzb *w, struct carom_collision *c, struct carom_error *error)
{
    for (size_t i = 0; i < w->n; i++) {
        w->impulse[i] = fmax(w->impulse[i], 0.0); /* weights of steps are not all positive */
        if (alone(w, i))
            close_form(w, i);
    }
    memmove(c->after, c->v, c->frame->model->nv * sizeof(double));
    carom_frame_push(c->frame, w->impulse, c->after);
    carom_frame_rates(c->frame, c->after, w->rate);
    balance(w, c);
    const enum carom_status status = settle(w, c, error);
    memcpy(c->impulse, w->impulse, w->n * sizeof(double));
    memcpy(c->lost, w->lost, w->n * sizeof(double));
    return status;
}

/* Of the velocities: local errors of each contact, what they did to the energy of all, the end that was left out, and
 * es too small to be told from 0. */
static double estimate(const struct carom_lzb *w)
{
    double most = 0.0, dropped = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        most = fmax(most, w->blur[i]);
        if (w->e[i] < CAROM_LZB_SMALL && w->options.stiffness == CAROM_LZB_BI)
            dropped = fmax(dropped, w->e[i] * w->speed);
    }
    return most + w->drift + w->cut + dropped;
}

/* nothing approaches, or so slowly that only stopping it matters */
static enum carom_status stop_quietly(struct carom_lzb *w, struct carom_collision *c, struct carom_error *error)
{
    memset(w->impulse, 0, w->n * sizeof(double));
    memset(w->lost, 0, w->n * sizeof(double));
    memmove(c->after, c->v, c->frame->model->nv * sizeof(double));
    const enum carom_status status = settle(w, c, error);
    c->estimate = w->speed;
    memcpy(c->impulse, w->impulse, w->n * sizeof(double));
    memcpy(c->lost, w->lost, w->n * sizeof(double));
    return status;
}

static enum carom_status solve(struct carom_striker *striker, struct carom_collision *c, struct carom_error *error)
{
    struct carom_lzb *w = striker->work;
    if (c->mu) /* a way of its own, whose forces nobody is told */
        return carom_rough_solve(w->rough, c, CAROM_LZB_FRICTION_STRONGE, w->options.impact_tol, error);
    w->frame = c->frame;
    w->n = c->frame->n;
    w->e = c->e;
    w->k = c->k ? c->k : w->usual_k;
    w->p = c->p ? c->p : w->usual_p;
    w->trace = c->trace;
    w->collision = c;
    c->residual = c->estimate = c->duration = 0.0;
    c->iterations = 0;
    enum carom_status status = look(w, c, error);
    if (status != CAROM_OK)
        return status;
    if (!(w->speed > c->quiet))
        return stop_quietly(w, c, error);
    begin(w);
    const bool single = w->n == 1;
    if (!single || (w->trace && w->trace->every > 0.0))
        status = carom_lzb_run(w, error);
    if (status != CAROM_OK)
        return status;
    c->iterations = single ? 0 : w->steps;
    c->duration = single ? lasting(w, 0) : w->ended;
    status = finish(w, c, error);
    c->estimate = single ? 0.0 : estimate(w);
    return status;
}

const struct carom_impact carom_impact_lzb = {
    .kind = {"lzb", "impulses spread through the compliance of contacts, with energetic restitution", params,
             sizeof(struct carom_lzb_options)},
    .springy = true,
    .rough = true,
    .open = open,
    .solve = solve,
    .close = close,
};
