/* A step of the one-step forms. With 0 the start, 1 the end, d overlaps, F elastic forces and V the impulses that
 * dampers have given since touch (gamma F under Kuwabara and Kono's law), each contact gives S e with
 *
 *     e = (r0 + r1)/(L0 + L1),   S = h Fbar + V1 - V0,
 *     v1 = v0 + (h f + sum of S e)/m,   x1 = x0 + h (v0 + v1)/2 + [theta: sum of (gamma/4) (V1 - V0) e]/m.
 *
 * The chord e, which is not normalised, has (r1 - r0).e = -(d1 - d0) to the last bit, and it is parallel to the mean
 * line of centres: energy is lost contact by contact as it is booked, momentum and angular momentum are kept at any
 * step. Fbar is the mean of both ends (cn-reg, theta) or (Phi1 - Phi0)/(d1 - d0) (energy-momentum), f that of
 * gravity and of loads half-way. Newton's matrix leaves out how normals turn and is so symmetric and positive definite;
 * the residual is exact. */
#include <string.h>

#include "base/threads.h"
#include "carom/law.h"
#include "scheme/crystal/crystal.h"
#include "scheme/mean_force.h"
#include "scheme/mean_path.h"

enum { SOLVES = 60, PRODUCTS = 500 };

#define FORCING 1e-4 /* what is left of a residual after conjugate gradients */
#define FARTHEST 0.5 /* of the distance of two centres, that a body may go in an iteration */

/* --- what contacts give ------------------------------------------------------------------------------------------- */

static bool turns(const struct carom_crystal *w, size_t i)
{
    const int32_t lead = w->bodies->body[i].lead;
    const double *turn = lead >= 0 ? w->bodies->lead[lead].turn : NULL;
    return turn && (turn[0] != 0.0 || turn[1] != 0.0 || turn[2] != 0.0);
}

/* the direction in which contact j with a wall gives: the normal half-way and, where walls are curved, a little along
 * the way of the ball, so that this times the way is exactly the change of the gap */
static void along_wall(const struct carom_crystal *w, size_t j, double e[3])
{
    const struct carom_contact_key *key = &w->list->key[j];
    const double *a = w->shift + key->a * w->dim, *b = w->shift + key->b * w->dim;
    const double change = w->end[0].deform[j] - w->end[1].deform[j];
    double square = 0.0, missing = change, way[3] = {0.0, 0.0, 0.0};
    struct carom_meeting m;
    memcpy(e, w->end[1].normal[j], 3 * sizeof *e);
    if (!w->curved)
        return;
    carom_meet(w->bodies, key, w->middle, &m);
    memcpy(e, m.normal, sizeof m.normal);
    for (size_t k = 0; k < w->dim; k++) {
        way[k] = b[k] - a[k];
        square += way[k] * way[k];
        missing -= way[k] * e[k];
    }
    const double rounding = 8.0 * DBL_EPSILON * (w->smallest + w->bodies->far);
    if (!(fabs(missing) > rounding) || turns(w, key->a) || turns(w, key->b))
        return;
    for (size_t k = 0; k < w->dim; k++)
        e[k] += missing / square * way[k];
}

static void chord(const struct carom_crystal *w, size_t j, double e[3])
{
    if (carom_crystal_has_wall(w, j)) {
        along_wall(w, j, e);
        return;
    }
    const double sum = w->balls[j].radius[0] + w->balls[j].radius[1];
    const double early = sum - w->end[0].deform[j], late = sum - w->end[1].deform[j], part = early / (early + late);
    for (int k = 0; k < 3; k++)
        e[k] = w->end[1].normal[j][k] + part * (w->end[0].normal[j][k] - w->end[1].normal[j][k]);
}

/* contacts [first, last) of a law with a memory, `c` being the list of the start: their mean forces, and what the law
 * says at the end */
static void find_paths(const struct carom_crystal *w, const struct carom_contacts *c, const struct carom_law *law,
                       size_t first, size_t last)
{
    const struct carom_crystal_end *a = &w->end[0], *b = &w->end[1];
    const double *param[CAROM_LAW_WIDTH], *history[CAROM_LAW_WIDTH];
    carom_crystal_params(w, c, 0, param);
    carom_crystal_history(w, c, 0, history);
    for (size_t j = first; j < last; j++) {
        struct carom_mean_path path = {0};
        if (a->deform[j] > 0.0 || b->deform[j] > 0.0)
            carom_mean_path_find(law, param, history, j, a->deform[j], b->deform[j], &path);
        w->mean[j] = path.mean;
        w->stiff[0][j] = path.rise;
        b->elastic[j] = path.elastic;
        b->slope[j] = path.slope;
        b->energy[j] = path.energy;
        b->viscous[j] = b->drag[j] = 0.0;
    }
}

/* mean elastic forces of contacts [first, last), pairing by pairing, and their derivatives, into w->stiff */
static void find_means(const struct carom_crystal *w, const struct carom_contacts *c, size_t first, size_t last)
{
    const struct carom_crystal_end *a = &w->end[0], *b = &w->end[1];
    const double *param[CAROM_LAW_WIDTH];
    for (size_t j = first; w->form != CAROM_CRYSTAL_EM && j < last; j++) {
        w->mean[j] = 0.5 * (a->elastic[j] + b->elastic[j]);
        w->stiff[0][j] = 0.5 * b->slope[j];
    }
    for (size_t p = w->list->key[first].pairing; w->form == CAROM_CRYSTAL_EM && first < last; p++) {
        const size_t to = w->list->first[p + 1] < last ? w->list->first[p + 1] : last;
        if (to <= first)
            continue;
        const struct carom_mean_end start = {a->deform + first, a->elastic + first, a->slope + first,
                                             a->energy + first},
                                    end = {b->deform + first, b->elastic + first, b->slope + first, b->energy + first};
        carom_crystal_params(w, w->list, first, param);
        if (w->bodies->pairing[p].law->nh > 0)
            find_paths(w, c, w->bodies->pairing[p].law, first, to);
        else
            carom_mean_force(w->bodies->pairing[p].law, param, to - first, &start, &end, w->mean + first,
                             w->stiff[0] + first);
        first = to;
    }
}

/* as on rows: forces along the normals of their own moments */
static void give_plain(const struct carom_crystal *w, size_t j, double h)
{
    const struct carom_crystal_end *a = &w->end[0], *b = &w->end[1];
    for (int k = 0; k < 3; k++) {
        const double early = a->normal[j][k], late = b->normal[j][k];
        const double turned = b->viscous[j] * late - a->viscous[j] * early;
        w->impulse[j][k] = 0.5 * h * (a->elastic[j] * early + b->elastic[j] * late) + turned;
        w->aside[j][k] = 0.25 * w->gamma[j] * turned;
    }
}

static void give(const struct carom_crystal *w, size_t j, double h)
{
    const struct carom_crystal_end *a = &w->end[0], *b = &w->end[1];
    double e[3];
    memset(w->impulse[j], 0, sizeof *w->impulse);
    if (w->aside)
        memset(w->aside[j], 0, sizeof *w->aside);
    if (!(a->deform[j] > 0.0) && !(b->deform[j] > 0.0))
        return;
    w->stiff[0][j] = 0.5 * h * (h * w->stiff[0][j] + b->drag[j]) + (w->aside ? 0.25 * w->gamma[j] * b->drag[j] : 0.0);
    if (w->paper) {
        give_plain(w, j, h);
        return;
    }
    const double damper = b->viscous[j] - a->viscous[j], whole = h * w->mean[j] + damper;
    chord(w, j, e);
    for (int k = 0; k < 3; k++) {
        w->impulse[j][k] = whole * e[k];
        if (w->aside)
            w->aside[j][k] = 0.25 * w->gamma[j] * damper * e[k];
    }
}

static void give_block(void *own, size_t block)
{
    const struct carom_crystal_sweep *s = own;
    struct carom_crystal *w = s->w;
    const size_t last = carom_crystal_last(block, CAROM_CRYSTAL_CONTACTS, w->list->n);
    w->found[block].broken = !carom_crystal_contacts_place_block(w, w->list, s->to->q, w->shift, &w->end[1], block);
    find_means(w, s->from->contacts, block * CAROM_CRYSTAL_CONTACTS, last);
    for (size_t j = block * CAROM_CRYSTAL_CONTACTS; j < last; j++)
        give(w, j, s->h);
}

/* --- bodies ------------------------------------------------------------------------------------------------------- */

/* bodies of a block where the shift puts them */
static void put_block(void *own, size_t block)
{
    const struct carom_crystal_sweep *s = own;
    struct carom_crystal *w = s->w;
    const size_t nq = carom_bodies_nq(w->bodies), last = carom_crystal_last(block, CAROM_CRYSTAL_BODIES, w->n);
    struct carom_crystal_block found = {0};
    for (size_t i = block * CAROM_CRYSTAL_BODIES; i < last; i++) {
        double square = 0.0;
        if (w->ease[i] == 0.0)
            continue;
        for (size_t k = 0; k < w->dim; k++) {
            const double u = s->from->q[i * nq + k], way = w->shift[i * w->dim + k];
            s->to->q[i * nq + k] = u + way;
            square += way * way;
            if (w->curved)
                w->middle[i * nq + k] = u + 0.5 * way;
        }
        const double reach = w->bodies->body[i].radius + w->smallest;
        found.way = fmax(found.way, sqrt(square) / reach);
        found.broken |= !(square < HUGE_VAL);
    }
    w->body[block] = found;
}

/* what the shift of body i should be, and how far it is from it */
static void aim(const struct carom_crystal_sweep *s, size_t i, struct carom_crystal_block *found)
{
    struct carom_crystal *w = s->w;
    const size_t dim = w->dim, nv = carom_bodies_nv(w->bodies), nq = carom_bodies_nq(w->bodies);
    double sum[3], aside[3] = {0.0, 0.0, 0.0};
    const double stiff = carom_crystal_matrix_note(w, i);
    carom_crystal_matrix_gather(w, (const double(*)[3])w->impulse, i, sum);
    if (w->aside)
        carom_crystal_matrix_gather(w, (const double(*)[3])w->aside, i, aside);
    for (size_t k = 0; k < dim; k++) {
        const size_t at = i * dim + k;
        w->given[at] = sum[k];
        const double push = 0.5 * s->h * (sum[k] + s->h * w->load[at]) + aside[k];
        w->target[at] = s->h * w->begin[i * nv + k] + w->ease[i] * push;
        const double miss = w->target[at] - w->shift[at];
        w->rest[at] = w->bodies->body[i].mass * miss;
        found->worst = fmax(found->worst, fabs(miss));
        found->longest = fmax(found->longest, fabs(w->target[at]));
        found->farthest = fmax(found->farthest, fabs(s->from->q[i * nq + k]));
        found->broken |= !(fabs(miss) < HUGE_VAL);
    }
    found->stiffest = fmax(found->stiffest, stiff * w->ease[i]);
}

static void aim_block(void *own, size_t block)
{
    const struct carom_crystal_sweep *s = own;
    const size_t last = carom_crystal_last(block, CAROM_CRYSTAL_BODIES, s->w->n);
    struct carom_crystal_block found = {0};
    for (size_t i = block * CAROM_CRYSTAL_BODIES; i < last; i++)
        if (s->w->ease[i] > 0.0)
            aim(s, i, &found);
    s->w->body[block] = found;
}

static struct carom_crystal_block joined(const struct carom_crystal_block *block, size_t n)
{
    struct carom_crystal_block all = {0};
    for (size_t i = 0; i < n; i++) {
        all.worst = fmax(all.worst, block[i].worst);
        all.longest = fmax(all.longest, block[i].longest);
        all.stiffest = fmax(all.stiffest, block[i].stiffest);
        all.farthest = fmax(all.farthest, block[i].farthest);
        all.way = fmax(all.way, block[i].way);
        all.broken |= block[i].broken;
    }
    return all;
}

/* --- Newton ------------------------------------------------------------------------------------------------------- */

/* The residual at w->shift: how large it is, and what rounding alone makes of it. */
static enum carom_crystal_outcome assemble(struct carom_stepper *stepper, void *own, double *worst, double *noise)
{
    struct carom_crystal_sweep *s = own;
    struct carom_crystal *w = s->w;
    const size_t bodies = carom_crystal_blocks(w->n, CAROM_CRYSTAL_BODIES),
                 contacts = carom_crystal_blocks(w->list->n, CAROM_CRYSTAL_CONTACTS);
    carom_threads_run(w->threads, put_block, s, bodies);
    struct carom_crystal_block all = joined(w->body, bodies);
    *worst = HUGE_VAL;
    if (all.broken || all.way > FARTHEST)
        return CAROM_CRYSTAL_FAILED;
    if (!carom_search_holds(&w->search, s->to->q))
        return CAROM_CRYSTAL_ESCAPED;
    stepper->counts.evaluations++;
    carom_threads_run(w->threads, give_block, s, contacts);
    if (joined(w->found, contacts).broken)
        return CAROM_CRYSTAL_FAILED;
    carom_threads_run(w->threads, aim_block, s, bodies);
    all = joined(w->body, bodies);
    *worst = all.worst;
    *noise = carom_stepper_noise(stepper, all.longest, all.stiffest * all.farthest);
    return all.broken ? CAROM_CRYSTAL_FAILED : CAROM_CRYSTAL_SOLVED;
}

/* shift += part of the update */
static void move(const void *own, double part)
{
    struct carom_crystal *w = ((const struct carom_crystal_sweep *)own)->w;
    for (size_t i = 0; i < w->n * w->dim; i++)
        w->shift[i] += part * w->taken[i];
}

/* one update, shortened until the residual does not grow much */
static enum carom_crystal_outcome improve(struct carom_stepper *stepper, const struct carom_crystal_system *form,
                                          void *own, double worst, double *next, double *noise)
{
    struct carom_crystal *w = stepper->work;
    const double tolerance = fmin(fmax(form->forcing, 0.1 * *noise / worst), 0.1);
    stepper->products += carom_crystal_matrix_solve(w, tolerance, PRODUCTS);
    stepper->counts.iterations++;
    memcpy(w->taken, w->x, form->stages * w->n * w->dim * sizeof *w->taken);
    form->move(own, 1.0);
    enum carom_crystal_outcome outcome = form->assemble(stepper, own, next, noise);
    for (double part = 0.5; outcome != CAROM_CRYSTAL_ESCAPED && !(*next < 2.0 * worst) && part > 1e-6; part *= 0.5) {
        form->move(own, -part);
        outcome = form->assemble(stepper, own, next, noise);
    }
    return outcome;
}

enum carom_crystal_outcome carom_crystal_newton_solve(struct carom_stepper *stepper,
                                                      const struct carom_crystal_system *form, void *own)
{
    double worst, noise = 0.0;
    enum carom_crystal_outcome outcome = form->assemble(stepper, own, &worst, &noise);
    for (int solve = 0; solve < SOLVES && outcome == CAROM_CRYSTAL_SOLVED; solve++) {
        double next;
        if (worst <= noise)
            return outcome;
        outcome = improve(stepper, form, own, worst, &next, &noise);
        if (outcome == CAROM_CRYSTAL_SOLVED && next > 0.25 * worst && worst < 1e3 * noise) /* as far as rounding lets */
            return next <= 1e3 * noise ? outcome : CAROM_CRYSTAL_FAILED;
        worst = next;
    }
    return outcome == CAROM_CRYSTAL_SOLVED ? CAROM_CRYSTAL_FAILED : outcome;
}

/* where bodies would be at the end of the step with nothing but gravity and loads; those that are led are there */
static void predict(struct carom_crystal *w, const struct carom_state *from, const struct carom_state *to, double h)
{
    const size_t dim = w->dim, nv = carom_bodies_nv(w->bodies), nq = carom_bodies_nq(w->bodies);
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < dim; k++) {
            const size_t at = i * dim + k;
            w->shift[at] = w->ease[i] == 0.0 ? to->q[i * nq + k] - from->q[i * nq + k]
                                             : h * w->begin[i * nv + k] + 0.5 * h * h * w->ease[i] * w->load[at];
            w->rest[at] = 0.0;
        }
}

enum carom_crystal_outcome carom_crystal_newton(struct carom_stepper *stepper, const struct carom_state *from,
                                                struct carom_state *to, double h)
{
    struct carom_crystal *w = stepper->work;
    struct carom_crystal_sweep sweep = {.w = w, .from = from, .to = to, .h = h};
    w->list = to->contacts;
    w->along = (const double(*)[3])w->end[1].normal;
    predict(w, from, to, h);
    return carom_crystal_newton_solve(stepper, &(struct carom_crystal_system){assemble, move, 1, FORCING}, &sweep);
}
