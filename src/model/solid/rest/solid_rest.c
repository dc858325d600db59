/* Solids that rest on each other, on planes and under balls, or are tied: the minimum of the energy of all of them,
 * by Newton's method with conjugate gradients (solve/minimise.h). Each body is preconditioned as it is alone
 * (model/solid/settle); bodies that only others hold, and balls, move as wholes in a small dense system of the springs
 * between them (Galerkin). Contacts push one way only and begin without a stiffness: at first all that are near are
 * straight springs that pull, too; from there on they are what they are. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "model/solid/rest/solid_rest_wholes.h"
#include "model/solid/solid.h"
#include "solve/minimise.h"

#define LEAN 1e-2  /* of the load: what may be left where nothing but friction would hold */
#define FIRST 1e-3 /* how well straight springs are solved for */
#define ROUGH 1e-5 /* of the load: what may be left where forces jump, as points lie where faces meet */
#define STALLS 15  /* as often as that nothing gets better there */

/* --- who ---------------------------------------------------------------------------------------------------------- */

static bool still(const struct carom_rest *w, size_t ball)
{
    const double *v = w->of->v + w->of->model->member[w->who.strike->balls_member].v0;
    for (size_t k = 0; k < w->d; k++)
        if (v[w->d * ball + k] != 0.0)
            return false;
    return true;
}

/* balls that stand still on something which takes part, or does not move */
static bool find_balls(struct carom_rest *w)
{
    const struct carom_model *model = w->of->model;
    const struct carom_solid_strike *s = w->who.strike;
    double *overlap = carom_memory_zeroed(s->meets_first, sizeof *overlap);
    if (!overlap)
        return false;
    carom_contacts_deform_some(model, 0, s->meets_first, 0.0, w->q, NULL, overlap, NULL);
    for (bool more = true; more;) {
        more = false;
        for (size_t j = 0; j < s->meets_first; j++) {
            const int32_t *pair = model->pair[j];
            const double *radius = s->balls->radius,
                         size = pair[0] >= 0 ? fmin(radius[pair[0]], radius[pair[1]]) : radius[pair[1]];
            if (overlap[j] < -CAROM_REST_NEAR * size)
                continue;
            for (int side = 0; side < 2; side++) {
                const int32_t here = pair[side], there = pair[1 - side];
                if (here < 0 || w->ball[here] || (there >= 0 && !w->ball[there]) || !still(w, (size_t)here))
                    continue;
                w->ball[here] = more = true;
            }
        }
    }
    carom_memory_free(overlap);
    return true;
}

static void find_springs(struct carom_rest *w)
{
    if (!w->known)
        carom_solid_rest_springs_find(&w->who, w->q, &w->now);
    w->full |= w->now.full;
    w->known = true;
}

/* --- as solve/minimise.h asks for it ------------------------------------------------------------------------------ */

/* Has somebody left all that he touched? He would fall for good. */
static bool leaves(struct carom_rest *w)
{
    const struct carom_rest_springs *of[2] = {&w->then, &w->now};
    bool some = false;
    for (size_t o = 0; o < w->solids + w->balls; o++)
        w->touched[o] = false;
    for (int now = 0; now < 2; now++)
        for (size_t e = 0; e < of[now]->nends; e++)
            w->touched[carom_rest_owner(w, &of[now]->end[e])] = now == 0;
    for (size_t o = 0; o < w->solids + w->balls; o++)
        some |= w->touched[o] && w->mode_first[o] < w->mode_first[o + 1];
    return some;
}

static double energy(void *own)
{
    struct carom_rest *w = own;
    double sum = 0.0;
    find_springs(w);
    if (leaves(w))
        return HUGE_VAL;
    for (size_t i = 0; i < w->solids; i++)
        sum += carom_rest_settles(w, i) ? carom_solid_settle_energy(&w->body[i]) : 0.0;
    const double *place = w->balls > 0 ? w->q + w->of->model->member[w->who.strike->balls_member].q0 : NULL;
    for (size_t i = 0; i < w->balls * w->d; i++)
        sum -= w->ball[i / w->d] ? w->weight[i] * (place[i] - w->kept[i]) : 0.0;
    return sum + w->now.energy;
}

/* what a spring does along one end, times `by`, onto x */
static void push_end(const struct carom_rest *w, const struct carom_rest_end *end, double by, double *x)
{
    const size_t owner = carom_rest_owner(w, end), d = w->d;
    double *to = x + w->from[owner] + (owner < w->solids ? w->body[owner].s->fast * end->cell : 0);
    for (size_t k = 0; k < d; k++)
        to[k] += by * end->along[k];
    if (owner >= w->solids)
        return;
    for (size_t k = d; k < w->body[owner].s->fast; k++)
        to[k] += by * end->own[d == 3 ? k - 3 : 2];
}

static double reach_end(const struct carom_rest *w, const struct carom_rest_end *end, const double *x)
{
    const size_t owner = carom_rest_owner(w, end), d = w->d;
    const double *of = x + w->from[owner] + (owner < w->solids ? w->body[owner].s->fast * end->cell : 0);
    double sum = 0.0;
    for (size_t k = 0; k < d; k++)
        sum += of[k] * end->along[k];
    for (size_t k = d; owner < w->solids && k < w->body[owner].s->fast; k++)
        sum += of[k] * end->own[d == 3 ? k - 3 : 2];
    return sum;
}

static void slope(void *own, double *g)
{
    struct carom_rest *w = own;
    find_springs(w);
    memset(g, 0, w->n * sizeof *g);
    for (size_t i = 0; i < w->solids; i++)
        if (carom_rest_settles(w, i))
            carom_solid_settle_slope(&w->body[i], g + w->from[i]);
    for (size_t i = 0; i < w->balls * w->d; i++)
        g[w->from[w->solids] + i] = w->ball[i / w->d] ? -w->weight[i] : 0.0;
    for (size_t i = 0; i < w->now.n; i++)
        for (size_t e = 0; e < w->now.spring[i].count; e++)
            push_end(w, &w->now.end[w->now.spring[i].first + e], w->now.spring[i].force, g);
    carom_solid_rest_wholes_slide(w, g);
    memcpy(w->last, g, w->n * sizeof *g);
}

static void curve(void *own, const double *along, double *out)
{
    struct carom_rest *w = own;
    memset(out, 0, w->n * sizeof *out);
    for (size_t i = 0; i < w->solids; i++)
        if (carom_rest_settles(w, i))
            carom_solid_settle_curve(&w->body[i], along + w->from[i], out + w->from[i]);
    for (size_t i = 0; i < w->then.n; i++) {
        const struct carom_rest_spring *spring = &w->then.spring[i];
        double longer = 0.0;
        for (size_t e = spring->first; e < spring->first + spring->count; e++)
            longer += reach_end(w, &w->then.end[e], along);
        for (size_t e = spring->first; e < spring->first + spring->count; e++)
            push_end(w, &w->then.end[e], spring->stiff * longer, out);
    }
}

static void precondition(void *own, const double *r, double *z)
{
    struct carom_rest *w = own;
    memset(z, 0, w->n * sizeof *z);
    for (size_t i = 0; i < w->solids; i++)
        if (carom_rest_settles(w, i))
            carom_solid_settle_precondition(&w->body[i], r + w->from[i], z + w->from[i]);
    carom_solid_rest_wholes_move(w, r, z);
}

static void go(void *own, const double *along, double length)
{
    struct carom_rest *w = own;
    w->known = false;
    for (size_t i = 0; i < w->solids; i++)
        if (carom_rest_settles(w, i))
            carom_solid_settle_go(&w->body[i], along + w->from[i], length);
    if (w->balls == 0)
        return;
    double *place = w->q + w->of->model->member[w->who.strike->balls_member].q0;
    for (size_t i = 0; i < w->balls * w->d; i++)
        place[i] = w->kept[i] + length * along[w->from[w->solids] + i];
}

static void keep(void *own)
{
    struct carom_rest *w = own;
    find_springs(w);
    const struct carom_rest_springs found = w->now;
    w->now = w->then;
    w->then = found;
    w->known = false;
    for (size_t i = 0; i < w->solids; i++)
        if (carom_rest_settles(w, i)) {
            carom_solid_settle_keep(&w->body[i]);
            w->body[i].carried = w->body[i].rigid.some;
        }
    if (w->balls > 0)
        memcpy(w->kept, w->q + w->of->model->member[w->who.strike->balls_member].q0, w->balls * w->d * sizeof *w->kept);
    carom_solid_rest_wholes_find(w);
}

/* nothing goes farther than half a cell at once, or half a ball's radius */
static double reach(void *own, const double *along)
{
    struct carom_rest *w = own;
    double most = 1.0;
    for (size_t i = 0; i < w->solids; i++) {
        const struct carom_solid_settle *b = &w->body[i];
        if (!carom_rest_settles(w, i))
            continue;
        most = fmin(most, carom_solid_settle_reach(&w->body[i], along + w->from[i]));
        for (size_t c = 0; c < b->s->n; c++)
            for (size_t k = 0; k < w->d; k++)
                most = fmin(most, 0.5 * w->who.strike->body[i].reach /
                                      fmax(fabs(along[w->from[i] + b->s->fast * c + k]), 1e-300));
    }
    for (size_t i = 0; i < w->balls * w->d; i++)
        most = fmin(most,
                    0.5 * w->who.strike->balls->radius[i / w->d] / fmax(fabs(along[w->from[w->solids] + i]), 1e-300));
    return most;
}

/* A body that lies where faces meet may rest in a kink of the energy: what is left jumps there and does not go away. */
static double jumps(struct carom_rest *w)
{
    double left = 0.0;
    for (size_t i = 0; i < w->n; i++)
        left = fmax(left, fabs(w->last[i]));
    w->stalls = left < 0.5 * w->least ? 0 : w->stalls + 1;
    w->least = w->stalls == 0 ? left : w->least;
    return w->stalls > STALLS && w->least <= ROUGH * w->scale ? 2.0 * w->least : 0.0;
}

static double noise(void *own)
{
    struct carom_rest *w = own;
    double most = jumps(w), stiff = 0.0;
    for (size_t i = 0; i < w->solids; i++)
        most = carom_rest_settles(w, i) ? fmax(most, carom_solid_settle_noise(&w->body[i])) : most;
    for (size_t i = 0; i < w->then.n; i++)
        stiff = fmax(stiff, w->then.spring[i].stiff);
    return fmax(most, 1e-15 * stiff * w->span);
}

/* contacts that open and close take some of it back, which nobody wants to be told */
static bool go_on(void *own, double residual)
{
    struct carom_rest *w = own;
    const double done = residual < w->scale ? carom_power_log(residual / w->scale) / carom_power_log(w->of->tol) : 0.0;
    w->done = fmax(w->done, fmin(done, 1.0));
    return carom_progress_go_on(w->of->progress, w->done);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void close_all(struct carom_rest *w)
{
    for (size_t i = 0; w->body && i < w->solids; i++)
        carom_solid_settle_close(&w->body[i]);
    carom_solid_rest_springs_close(&w->now);
    carom_solid_rest_springs_close(&w->then);
    carom_memory_free_all(w->from, w->body, w->ball, w->touched, w->weight, w->kept, w->last, w->mode_first, w->mode,
                          w->matrix, w->push, w->stiffest, w->slide, w->left);
}

static bool begin(const struct carom_solid_rest *of, double *q, struct carom_rest *w)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(of->model);
    *w = (struct carom_rest){.of = of, .q = q, .solids = s->nbodies, .balls = s->nballs};
    w->d = (size_t)s->body[0].solid->dimension;
    const size_t owners = w->solids + w->balls, modes = 6 * w->solids + w->d * w->balls + 1;
    w->from = carom_memory_zeroed(owners + 1, sizeof *w->from);
    w->body = carom_memory_zeroed(w->solids, sizeof *w->body);
    w->ball = carom_memory_zeroed(w->balls, sizeof *w->ball);
    w->touched = carom_memory_zeroed(owners, sizeof *w->touched);
    w->weight = carom_memory_zeroed(w->balls * w->d, sizeof *w->weight);
    w->kept = carom_memory_zeroed(w->balls * w->d, sizeof *w->kept);
    w->mode_first = carom_memory_zeroed(owners + 1, sizeof *w->mode_first);
    w->stiffest = carom_memory_zeroed(owners, sizeof *w->stiffest);
    w->mode = carom_memory_zeroed(modes, sizeof *w->mode);
    w->push = carom_memory_zeroed(modes, sizeof *w->push);
    w->matrix = carom_memory_zeroed(modes * modes, sizeof *w->matrix);
    w->slide = carom_memory_zeroed(modes * modes, sizeof *w->slide);
    w->left = carom_memory_zeroed(modes, sizeof *w->left);
    w->who = (struct carom_rest_who){.model = of->model, .strike = s, .solid = of->settles, .ball = w->ball};
    for (size_t i = 0; w->from && i < owners; i++) {
        const struct carom_solid *solid = i < w->solids ? s->body[i].solid : NULL;
        w->from[i] = w->n;
        w->n += !solid ? w->d : of->settles[i] ? solid->fast * solid->n : 0;
    }
    for (size_t i = 0; i < w->solids; i++)
        for (size_t c = 0; c < s->body[i].solid->n; c++)
            for (size_t k = 0; k < w->d; k++)
                w->span = fmax(w->span, fabs(s->body[i].solid->centre[c][k]) + s->body[i].reach);
    w->last = carom_memory_zeroed(6 * w->n, sizeof *w->last);
    return w->from && w->body && w->ball && w->touched && w->weight && w->kept && w->mode_first && w->stiffest &&
           w->mode && w->push && w->matrix && w->slide && w->left && w->last && (w->balls == 0 || find_balls(w));
}

static enum carom_status no_memory(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the static solution of several bodies");
}

bool carom_solid_rest_touches(const struct carom_solid_rest *of, double *q, bool *touches, struct carom_error *error)
{
    struct carom_rest w;
    *touches = false;
    const bool fine = begin(of, q, &w);
    w.who.sticky = true;
    if (fine)
        find_springs(&w);
    *touches = w.now.n > 0;
    const bool full = w.full;
    close_all(&w);
    if (fine && !full)
        return true;
    no_memory(error);
    return false;
}

/* the owner of a number */
static struct carom_rest_name name_of(const struct carom_rest *w, size_t owner)
{
    struct carom_rest_name name = {"the solid"};
    if (owner >= w->solids)
        snprintf(name.text, sizeof name.text, "ball %zu", owner - w->solids + 1);
    else if (*w->who.strike->body[owner].solid->name != '\0')
        snprintf(name.text, sizeof name.text, "%s", w->who.strike->body[owner].solid->name);
    return name;
}

/* what is left, and of whom */
static enum carom_status tell(const struct carom_rest *w, const struct carom_minimise_result *result,
                              struct carom_error *error)
{
    size_t worst = 0, owner = 0;
    for (size_t i = 0; i < w->n; i++)
        worst = fabs(w->last[i]) > fabs(w->last[worst]) ? i : worst;
    for (size_t o = 0; o < w->solids + w->balls; o++)
        owner = w->from[o] <= worst ? o : owner;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "%s finds no equilibrium under its loads and what it touches: a force of %.2g is left of "
                           "%.2g; is it held, or does it lie on something that is?",
                           name_of(w, owner).text, result->residual, w->scale);
}

/* Bodies that nothing but friction would hold: what pushes them on, over their loads, and who is pushed most. */
static enum carom_status find_slide(struct carom_rest *w, struct carom_solid_rest_end *end, struct carom_error *error)
{
    double *force = w->last + w->n;
    memset(force, 0, w->n * sizeof *force);
    if (w->nslides > 0)
        carom_solid_rest_wholes_carry(w, w->left, true, force);
    for (size_t o = 0; o < w->solids + w->balls; o++) {
        const size_t n = (o + 1 < w->solids + w->balls ? w->from[o + 1] : w->n) - w->from[o];
        double most = 0.0;
        for (size_t i = 0; i < n; i++)
            most = fmax(most, fabs(force[w->from[o] + i]));
        if (!(most > end->slides * w->scale))
            continue;
        end->slides = most / w->scale;
        end->who = name_of(w, o);
    }
    if (!(end->slides > LEAN))
        return CAROM_OK;
    return carom_error_set(
        error, CAROM_E_NUMERIC,
        "%s finds no equilibrium under its loads and what it touches: %.2g of its load is left where "
        "nothing holds it; is it held, or does it lie on something that is? Friction does not act "
        "while bodies settle",
        end->who.text, end->slides);
}

static enum carom_status solve(struct carom_rest *w, struct carom_solid_rest_end *end, struct carom_error *error)
{
    const struct carom_minimise problem = {w->n, w, energy, slope, curve, precondition, go, keep, noise, reach, go_on};
    double *work = w->last + w->n;
    bool tied = w->balls == 0; /* nothing but ties, which are straight as they are */
    struct carom_minimise_result result = {.converged = true};
    w->who.sticky = true;
    for (size_t m = 0; m < w->who.strike->nmeets; m++)
        tied &= w->who.strike->meet[m].tied;
    if (!tied) {
        keep(w);
        result = carom_minimise_run(&problem, FIRST * w->scale, 20, work);
    }
    w->who.sticky = w->known = false;
    w->least = HUGE_VAL;
    if (!result.stopped) {
        keep(w);
        result = carom_minimise_run(&problem, w->of->tol * w->scale, 200, work);
    }
    if (result.stopped)
        return carom_error_set(error, CAROM_E_STOPPED, "stopped while bodies were settling");
    if (w->full)
        return no_memory(error);
    if (find_slide(w, end, error) != CAROM_OK)
        return error->status;
    if (!result.converged && !(result.residual <= ROUGH * w->scale))
        return tell(w, &result, error);
    end->rough = w->scale > 0.0 ? result.residual / w->scale : 0.0;
    memset(work, 0, w->n * sizeof *work);
    for (size_t i = 0; i < w->solids; i++)
        if (carom_rest_settles(w, i))
            carom_solid_settle_push(&w->body[i], work + w->from[i]);
    end->unstable = w->scale > 0.0 && carom_minimise_wavers(&problem, work);
    return CAROM_OK;
}

/* what loads come to, and the largest force on anything */
static enum carom_status open_all(struct carom_rest *w, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    if (w->balls > 0)
        carom_solid_balls_weigh(w->who.strike->balls, w->weight);
    for (size_t i = 0; i < w->balls * w->d; i++) {
        w->scale = fmax(w->scale, w->ball[i / w->d] ? fabs(w->weight[i]) : 0.0);
        w->who.load += w->ball[i / w->d] ? fabs(w->weight[i]) : 0.0;
    }
    for (size_t i = 0; i < w->solids && status == CAROM_OK; i++) {
        struct carom_solid_settle *b = &w->body[i];
        if (!carom_rest_settles(w, i))
            continue;
        status = carom_solid_settle_open(b, w->who.strike->body[i].solid, w->of->threads, 0.0, w->of->tol,
                                         w->q + w->of->model->member[i].q0, error);
        if (status == CAROM_OK)
            carom_solid_settle_begin(b);
        w->scale = fmax(w->scale, b->scale);
        for (size_t k = 0; status == CAROM_OK && k < b->s->n * b->s->fast; k++)
            w->who.load += k % b->s->fast < w->d ? fabs(b->force[k]) : 0.0;
    }
    if (status == CAROM_OK)
        find_springs(w);
    for (size_t i = 0; i < w->now.n; i++)
        w->scale = fmax(w->scale, fabs(w->now.spring[i].force));
    w->known = false;
    return status;
}

enum carom_status carom_solid_rest_settle(const struct carom_solid_rest *of, double *q,
                                          struct carom_solid_rest_end *end, struct carom_error *error)
{
    struct carom_rest w;
    *end = (struct carom_solid_rest_end){.unstable = false};
    enum carom_status status = begin(of, q, &w) ? open_all(&w, error) : no_memory(error);
    if (status == CAROM_OK)
        status = solve(&w, end, error);
    close_all(&w);
    return status;
}
