/* Static equilibrium, see place_settle.h, by FIRE as in packing_dense.c. Each body is as heavy as its contacts are
 * stiff, so that all of them oscillate at about the same pace and the step is a pure number: with twice the secant
 * stiffness of its contacts as mass none is faster than frequency 2^(1/2), whatever law of power up to 2 they have.
 * Masses grow with contacts at once and shrink where the motion is stopped anyway. */
#include "model/place/place_settle.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "base/vec.h"
#include "carom/law.h"
#include "model/bodies/act.h"

#define LONGEST 1.0    /* step */
#define WAY 0.01       /* of the smallest radius: the longest way in a step */
#define SOFT 1e-6      /* of the largest radius: how far the load would push a body that nobody touches, in a step */
#define PATIENCE 20000 /* steps in which the force that is left must have become smaller by half, */
#define FALL 1e-3      /* or somebody have followed the largest load by so much of the smallest radius */

struct settle {
    const struct carom_bodies *bodies;
    const struct carom_progress *progress;
    double tolerance, smallest;
    double *q;
    struct carom_search search;
    struct carom_contacts *contacts;
    struct carom_act act;
    double *load, *f, *v, *weight; /* nv, nv, nv, n */
    double alone;                  /* weight of bodies that nobody touches */
    double most, height;           /* the largest load, and what loads can still do: falls while anybody follows them */
    double extent;                 /* of all there is: who moves further is held by nobody */
    size_t lost;                   /* a body that has; SIZE_MAX: none */
    double left, largest;          /* force on a body beyond rounding, and at a contact */
    double far;                    /* the largest coordinate: places are rounded with it, and forces with them */
    size_t whom;                   /* the body that force is left on */
    double power, square;          /* f.v, and f.f over weights */
    double step, mix;
    int downhill; /* steps in a row */
};

/* --- what there is ----------------------------------------------------------------------------------------------- */

static enum carom_status open_settle(struct settle *w, struct carom_error *error)
{
    const struct carom_bodies *b = w->bodies;
    const size_t nv = b->n * carom_bodies_nv(b);
    carom_act_open(&w->act, b);
    w->contacts = carom_list_create(b);
    if (!w->contacts || !carom_memory_together(CAROM_ROOM(w->load, nv), CAROM_ROOM(w->f, nv), CAROM_ROOM(w->v, nv),
                                               CAROM_ROOM(w->weight, b->n)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu bodies that settle", b->n);
    return carom_search_open(&w->search, b, error);
}

static void close_settle(struct settle *w)
{
    carom_search_close(&w->search);
    carom_act_close(&w->act);
    carom_list_free(w->contacts);
    carom_memory_free(w->load);
}

static enum carom_status check_laws(const struct carom_bodies *b, struct carom_error *error)
{
    for (size_t p = 0; p < b->npairings; p++)
        if (b->pairing[p].law->pull)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "law %s pulls: bodies that meet by it have several places to rest at, let them come "
                                   "to rest in a run with damping",
                                   b->pairing[p].law->kind.name);
        else if (b->pairing[p].law->nh > 0)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "law %s has a memory: bodies that meet by it have no static equilibrium of their "
                                   "own, use a law without one",
                                   b->pairing[p].law->kind.name);
    return CAROM_OK;
}

static void find_loads(struct settle *w)
{
    const struct carom_bodies *b = w->bodies;
    const size_t nv = carom_bodies_nv(b);
    double most = 0.0;
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < b->dimension; k++)
            w->load[i * nv + k] = b->body[i].mass * b->gravity[k];
    for (size_t j = 0; j < b->nloads; j++)
        for (size_t k = 0; k < b->dimension && b->load[j].signal.shape == CAROM_SHAPE_CONSTANT; k++)
            w->load[b->load[j].body * nv + k] += b->load[j].signal.amplitude * b->load[j].force[k];
    w->smallest = b->largest;
    for (size_t i = 0; i < b->n; i++) {
        for (size_t k = 0; k < b->dimension && !b->body[i].fixed; k++)
            most = fmax(most, fabs(w->load[i * nv + k]));
        if (b->body[i].surface == CAROM_BALL && !b->body[i].inside)
            w->smallest = fmin(w->smallest, b->body[i].radius);
    }
    w->most = most;
    for (size_t k = 0; k < b->dimension; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < b->n; i++) {
            const double size =
                b->body[i].radius + fmax(b->body[i].size[0], fmax(b->body[i].size[1], b->body[i].size[2]));
            low = fmin(low, b->body[i].at[k] - size);
            high = fmax(high, b->body[i].at[k] + size);
        }
        w->extent += high - low;
    }
    w->alone = most > 0.0 && b->largest > 0.0 ? most / (SOFT * b->largest) : 1.0;
}

/* --- forces ------------------------------------------------------------------------------------------------------ */

/* weights are at least what contacts ask for now; `anew`: exactly that */
static void weigh(struct settle *w, bool anew)
{
    for (size_t i = 0; i < w->bodies->n; i++) {
        double sum = 0.0;
        for (size_t at = w->search.first[i]; at < w->search.first[i + 1]; at++) {
            const size_t j = w->search.side[at] / 2;
            sum += w->act.deform[j] > 0.0 ? 2.0 * fabs(w->act.elastic[j]) / w->act.deform[j] : 0.0;
        }
        if (anew || !(w->weight[i] > 0.0) || sum > w->weight[i])
            w->weight[i] = sum > 0.0 ? sum : w->alone;
    }
}

static enum carom_status find_forces(struct settle *w, struct carom_error *error)
{
    const struct carom_bodies *b = w->bodies;
    const struct carom_contacts *c = w->contacts;
    const size_t nv = carom_bodies_nv(b), wrong = carom_act_place(&w->act, c, w->q);
    if (wrong < c->n)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "bodies %u and %u ran into each other while bodies settled: their contact is too soft "
                               "for what presses it",
                               (unsigned)c->key[wrong].a + 1, (unsigned)c->key[wrong].b + 1);
    memcpy(w->f, w->load, b->n * nv * sizeof *w->f);
    carom_act_push(&w->act, c, &w->search, w->act.elastic, NULL, w->f);
    weigh(w, false);
    w->left = w->largest = w->power = w->square = 0.0;
    for (size_t j = 0; j < c->n; j++)
        w->largest = fmax(w->largest, fabs(w->act.elastic[j]));
    w->height = w->far = 0.0;
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < b->dimension; k++)
            w->far = fmax(w->far, fabs(w->q[i * carom_bodies_nq(b) + k]));
    w->lost = SIZE_MAX;
    for (size_t i = 0; i < b->n; i++) {
        double square = 0.0, moved[3];
        carom_bodies_moved(b, i, w->q, moved);
        w->lost = !b->body[i].fixed && carom_vec_norm(moved) > w->extent ? i : w->lost;
        for (size_t k = 0; k < b->dimension; k++) {
            w->height -= b->body[i].fixed ? 0.0 : w->load[i * nv + k] * moved[k];
            double *f = &w->f[i * nv + k];
            *f = b->body[i].fixed ? 0.0 : *f;
            square += *f * *f;
            w->power += *f * w->v[i * nv + k];
        }
        w->square += square / w->weight[i];
        const double left = sqrt(square) - 4.0 * DBL_EPSILON * w->weight[i] * w->far;
        w->whom = left > w->left ? i : w->whom;
        w->left = fmax(w->left, left);
    }
    return CAROM_OK;
}

/* --- motion ------------------------------------------------------------------------------------------------------ */

static void choose_pace(struct settle *w)
{
    if (w->power > 0.0) {
        if (++w->downhill > 5) {
            w->step = fmin(1.1 * w->step, LONGEST);
            w->mix *= 0.99;
        }
        return;
    }
    w->step = fmax(0.5 * w->step, 0.05 * LONGEST);
    w->mix = 0.1;
    w->downhill = 0;
    weigh(w, true);
    memset(w->v, 0, w->bodies->n * carom_bodies_nv(w->bodies) * sizeof *w->v);
}

static void take_step(struct settle *w)
{
    const struct carom_bodies *b = w->bodies;
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b);
    double speed = 0.0, fastest = 0.0;
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < b->dimension; k++) {
            double *v = &w->v[i * nv + k];
            *v += w->step * w->f[i * nv + k] / w->weight[i];
            speed += w->weight[i] * *v * *v;
        }
    const double turn = w->square > 0.0 ? w->mix * sqrt(speed / w->square) : 0.0;
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < b->dimension; k++) {
            double *v = &w->v[i * nv + k];
            *v = (1.0 - w->mix) * *v + turn * w->f[i * nv + k] / w->weight[i];
            fastest = fmax(fastest, fabs(*v));
        }
    const double most = WAY * w->smallest, slower = w->step * fastest > most ? most / (w->step * fastest) : 1.0;
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < b->dimension; k++) {
            w->v[i * nv + k] *= slower;
            w->q[i * nq + k] += w->step * w->v[i * nv + k];
        }
}

static enum carom_status look_around(struct settle *w, struct carom_error *error)
{
    if (carom_search_holds(&w->search, w->q))
        return CAROM_OK;
    carom_bodies_anchor(w->bodies, w->q);
    const enum carom_status status = carom_search_renew(&w->search, w->q, 0.0, &w->contacts, 1, error);
    if (status == CAROM_OK && !carom_act_reserve(&w->act, w->contacts->n))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", w->contacts->n);
    return status;
}

static double share_done(const struct settle *w)
{
    const double ratio = w->largest > 0.0 ? w->left / w->largest : 1.0;
    return ratio < 1.0 && w->tolerance < 1.0 ? fmin(1.0, carom_power_log(ratio) / carom_power_log(w->tolerance)) : 0.0;
}

static enum carom_status rest(struct settle *w, struct carom_error *error)
{
    double best = HUGE_VAL, lowest = HUGE_VAL;
    for (int since = 0; since < PATIENCE; since++) {
        enum carom_status status = look_around(w, error);
        if (status == CAROM_OK)
            status = find_forces(w, error);
        if (status != CAROM_OK || w->left <= w->tolerance * w->largest)
            return status;
        if (w->lost < SIZE_MAX)
            return carom_error_set(error, CAROM_E_NUMERIC,
                                   "bodies do not come to rest: nothing holds body %zu where its load takes it; does a "
                                   "wall miss?",
                                   w->lost + 1);
        if (w->left < 0.5 * best || w->height < lowest - FALL * w->most * w->smallest) {
            best = fmin(best, w->left);
            lowest = fmin(lowest, w->height);
            since = 0;
        }
        if (!carom_progress_go_on(w->progress, share_done(w)))
            return carom_error_set(error, CAROM_E_STOPPED, "stopped while bodies were settling");
        choose_pace(w);
        take_step(w);
    }
    return carom_error_set(
        error, CAROM_E_NUMERIC,
        "bodies do not come to rest: a force of %.3g is left on body %zu, the largest at a contact "
        "is %.3g; let them fall in a run with damping and friction, and start: {run: ...} from its end",
        w->left, w->whom + 1, w->largest);
}

enum carom_status carom_place_settle(const struct carom_bodies *bodies, double *q, double tolerance,
                                     const struct carom_progress *progress, struct carom_error *error)
{
    struct settle w = {.bodies = bodies, .progress = progress, .tolerance = tolerance, .q = q, .step = 0.1, .mix = 0.1};
    enum carom_status status = check_laws(bodies, error);
    for (size_t i = 0; i < bodies->n && status == CAROM_OK; i++)
        if (carom_bodies_tumbles(&bodies->body[i]))
            status = carom_error_set(error, CAROM_E_REFUSED,
                                     "body %zu moves freely and turns: discs, spheres and planes settle, boxes and "
                                     "cylinders do not in this version",
                                     i + 1);
    if (status != CAROM_OK)
        return status;
    status = open_settle(&w, error);
    if (status == CAROM_OK) {
        find_loads(&w);
        status = rest(&w, error);
    }
    close_settle(&w);
    return status;
}
