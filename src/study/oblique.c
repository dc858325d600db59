/* Oblique impacts, see oblique.h. The two bodies are taken out of their scene into a model of their own, without
 * gravity: the first at the origin, the second above it, along y in the plane and along z in space. */
#include "study/oblique.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "carom/law.h"
#include "carom/sim.h"
#include "model/bodies/meet.h"
#include "model/scales.h"
#include "record/touching.h"

#define SAME 1e-4  /* impulses that differ less are equal: normals turn a little while balls slide */
#define LONG 100.0 /* contact times after which a pair that has not parted never does */

enum { KINDS = 32, STEPS = 1000000 };

/* --- pairs ------------------------------------------------------------------------------------------------------- */

/* round walls, and boxes and cylinders that turn when they are struck */
static bool is_other(const struct carom_body *body)
{
    const bool turns = !body->fixed && (body->surface == CAROM_BOX || body->surface == CAROM_CYLINDER);
    return turns || (body->inside ? body->surface != CAROM_BOX : body->surface == CAROM_CYLINDER);
}

/* flat walls of one material are alike */
static bool alike(const struct carom_body *a, const struct carom_body *b)
{
    return a->material == b->material && a->fixed == b->fixed && a->mass == b->mass &&
           carom_bodies_round(a) == carom_bodies_round(b) &&
           (!carom_bodies_round(a) || (a->radius == b->radius && a->inertia == b->inertia));
}

static void take_pair(const struct carom_bodies *b, size_t one, size_t two, const struct carom_pairing *pairing,
                      struct carom_oblique_pair *pair)
{
    const struct carom_body *x = &b->body[one], *y = &b->body[two];
    const double radius = carom_meet_radius(x, y), mass = carom_meet_mass(x, y);
    *pair = (struct carom_oblique_pair){
        .body = {one, two}, .mass = mass, .mobility = carom_meet_mobility(x, y, CAROM_SLIDES), .pairing = pairing};
    for (size_t k = 0; k < carom_param_count(pairing->law->kind.params); k++)
        pair->param[k] = pairing->param[k].param * pow(radius, pairing->param[k].radius_power) *
                         pow(mass, pairing->param[k].mass_power);
    if (pairing->friction != NULL) /* mu stands first in the tables of friction laws */
        pair->mu =
            pairing->rub[0].param * pow(radius, pairing->rub[0].radius_power) * pow(mass, pairing->rub[0].mass_power);
}

size_t carom_oblique_pairs(const struct carom_bodies *b, struct carom_oblique_pair *pair, size_t room, size_t *more)
{
    size_t kind[KINDS], kinds = 0, count = 0, twice[KINDS] = {0};
    *more = 0;
    for (size_t i = 0; i < b->n; i++) {
        size_t k = 0;
        while (k < kinds && !alike(&b->body[kind[k]], &b->body[i]))
            k++;
        if (k < kinds)
            twice[k] = twice[k] > 0 ? twice[k] : i;
        else if (is_other(&b->body[i]) || kinds == KINDS)
            ++*more;
        else
            kind[kinds++] = i;
    }
    for (size_t x = 0; x < kinds; x++)
        for (size_t y = 0; y < kinds; y++) {
            const size_t two = kind[y], one = x == y ? twice[x] : kind[x];
            const struct carom_body *first = &b->body[one], *second = &b->body[two];
            const uint32_t pairing = b->meets[first->material * b->nmaterials + second->material];
            if ((x == y && twice[x] == 0) || !carom_bodies_round(second) || second->fixed ||
                pairing == CAROM_UNPAIRED ||
                (x > y && carom_bodies_round(first) && !first->fixed)) /* two that move: once */
                continue;
            if (count < room)
                take_pair(b, one, two, &b->pairing[pairing], &pair[count]);
            count++;
        }
    *more += count > room ? count - room : 0;
    return count < room ? count : room;
}

/* --- one impact -------------------------------------------------------------------------------------------------- */

struct work {
    const struct carom_oblique_pair *pair;
    struct carom_bodies *bodies; /* the two; the model's once there is one */
    struct carom_sim *sim;
    struct carom_touching touching;
    int up;           /* the axis from the first to the second body */
    double normal[3]; /* mean of touch and parting */
    struct carom_error *error;
};

/* what stands on the side of the first body: a ball, or a plane for any flat wall */
static void place_bodies(struct work *w, const struct carom_bodies *from)
{
    struct carom_body *one = &w->bodies->body[0], *two = &w->bodies->body[1];
    *one = from->body[w->pair->body[0]];
    *two = from->body[w->pair->body[1]];
    memset(one->at, 0, sizeof one->at);
    memset(two->at, 0, sizeof two->at);
    one->lead = two->lead = -1;
    two->at[w->up] = two->radius + (carom_bodies_round(one) ? one->radius : 0.0);
    if (!carom_bodies_round(one)) {
        one->surface = CAROM_PLANE;
        one->inside = false;
        memset(one->normal, 0, sizeof one->normal);
        one->normal[w->up] = 1.0;
        memset(one->frame, 0, sizeof one->frame); /* a box may be turned */
        one->frame[0] = 1.0;
    }
}

static enum carom_status make_bodies(struct work *w, const struct carom_bodies *from)
{
    w->bodies = carom_bodies_create(from->dimension, 2, from->nmaterials, from->npairings, 0, 0);
    if (w->bodies == NULL)
        return carom_memory_error_for(w->error, "an impact");
    memcpy(w->bodies->pairing, from->pairing, from->npairings * sizeof *from->pairing);
    memcpy(w->bodies->meets, from->meets, from->nmaterials * from->nmaterials * sizeof *from->meets);
    place_bodies(w, from);
    const enum carom_status status = carom_bodies_finish(w->bodies, w->error);
    if (status != CAROM_OK) {
        carom_bodies_free(w->bodies);
        w->bodies = NULL;
    }
    return status;
}

/* the model takes the bodies over, also where that fails */
static struct carom_model *make_model(struct work *w)
{
    struct carom_model *model = carom_model_create();
    if (carom_model_add(model, &carom_part_bodies, w->bodies, w->error) == CAROM_OK &&
        carom_model_finish(model, w->error) == CAROM_OK)
        return model;
    carom_model_free(model);
    return NULL;
}

static enum carom_status make_sim(struct work *w, const double *v, double tol, double until)
{
    struct carom_model *model = make_model(w);
    if (model == NULL)
        return w->error->status;
    void *options = carom_options_create(&carom_scheme_dp5.kind);
    double q[20];
    carom_bodies_rest(w->bodies, q);
    if (options == NULL || carom_options_set(&carom_scheme_dp5.kind, options, "tol", tol, w->error) != CAROM_OK) {
        carom_options_free(options);
        carom_model_free(model);
        return options != NULL ? w->error->status : carom_memory_error_for(w->error, "an impact");
    }
    const struct carom_setup setup = {.model = model,
                                      .scheme = &carom_scheme_dp5,
                                      .options = options,
                                      .q = q,
                                      .v = v,
                                      .until = until,
                                      .threads = 1,
                                      .checkpoint_every = -1.0};
    w->sim = carom_sim_create(&setup, w->error);
    return w->sim != NULL ? CAROM_OK : w->error->status;
}

/* The velocity of the second body past the first: along the normal, and beside it, of centres and at the surfaces. */
struct motion {
    double along, beside, slip;
};

static struct motion look(const struct work *w, const double *v)
{
    const size_t nv = carom_bodies_nv(w->bodies), d = w->bodies->dimension;
    const struct carom_body *one = &w->bodies->body[0], *two = &w->bodies->body[1];
    const double side[3] = {w->normal[w->up], d == 2 ? -w->normal[0] : 0.0, d == 3 ? -w->normal[0] : 0.0};
    double apart[3] = {0.0};
    for (size_t k = 0; k < d; k++)
        apart[k] = v[nv + k] - v[k];
    /* spins about the axis that is normal x side: z turned back in the plane, y in space */
    const double turn = d == 2 ? -1.0 : 1.0;
    const double w1 = turn * v[d == 2 ? 2 : 4], w2 = turn * v[nv + (d == 2 ? 2 : 4)];
    const double beside = carom_vec_dot(apart, side);
    return (struct motion){carom_vec_dot(apart, w->normal), beside,
                           beside - (carom_bodies_round(one) ? one->radius : 0.0) * w1 - two->radius * w2};
}

static enum carom_status follow(struct work *w, struct carom_oblique *out)
{
    bool closed = false;
    double last[3] = {0.0};
    out->duration = nan("");
    for (size_t step = 0; step < STEPS && !carom_sim_ended(w->sim); step++) {
        if (carom_sim_step(w->sim, 1, w->error) != CAROM_OK ||
            carom_touching_read(&w->touching, w->sim->view, w->error) != CAROM_OK)
            return w->error->status;
        if (w->touching.n > 0) {
            memcpy(last, w->touching.touch[0].normal, sizeof last);
            closed = true;
        } else if (closed) {
            out->duration = w->sim->view->time;
            break;
        }
    }
    for (int k = 0; k < 3; k++)
        w->normal[k] = last[k] + (k == w->up ? 1.0 : 0.0);
    const double length = carom_vec_norm(w->normal);
    for (int k = 0; k < 3; k++)
        w->normal[k] /= length;
    return CAROM_OK;
}

static double energy_of(const struct work *w, const double *v)
{
    const size_t nv = carom_bodies_nv(w->bodies), d = w->bodies->dimension;
    double sum = 0.0, mass = w->pair->mass;
    for (size_t k = 0; k < d; k++)
        sum += 0.5 * mass * (v[nv + k] - v[k]) * (v[nv + k] - v[k]);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = d; k < nv; k++)
            sum += 0.5 * w->bodies->body[i].inertia * v[i * nv + k] * v[i * nv + k];
    return sum;
}

static void measure(const struct work *w, const double *before, struct carom_oblique *out)
{
    const double *after = w->sim->view->v;
    const size_t nv = carom_bodies_nv(w->bodies), d = w->bodies->dimension;
    const struct motion old = look(w, before), new = look(w, after);
    const double push = w->pair->mass * (new.along - old.along), rub = w->pair->mass * (old.beside - new.beside);
    const bool slips = fabs(old.slip) > 1e-12 * fabs(old.along);
    out->e = -new.along / old.along;
    out->beta = slips ? -new.slip / old.slip : nan("");
    out->gross = slips ? -1.0 + w->pair->mobility * w->pair->mu * push / old.slip : nan("");
    out->slides = w->pair->mu > 0.0 && fabs(rub - w->pair->mu * push) <= SAME * w->pair->mu * push;
    out->rebound = atan2(new.beside, new.along);
    for (size_t i = 0; i < 2; i++)
        out->spin[i] = (d == 2 ? -1.0 : 1.0) * after[i * nv + (d == 2 ? 2 : 4)];
    out->lost = 1.0 - energy_of(w, after) / energy_of(w, before);
}

enum carom_status carom_oblique_find(const struct carom_bodies *bodies, const struct carom_oblique_pair *pair,
                                     double speed, double angle, double tol, struct carom_oblique *out,
                                     struct carom_error *error)
{
    struct work w = {.pair = pair, .up = bodies->dimension == 2 ? 1 : 2, .error = error};
    const size_t nv = carom_bodies_nv(bodies);
    const double *param[CAROM_LAW_WIDTH], closing = speed * cos(angle);
    double v[12] = {0.0};
    *out = (struct carom_oblique){0};
    v[nv] = speed * sin(angle);
    v[nv + (size_t)w.up] = -closing;
    for (size_t k = 0; k < CAROM_LAW_WIDTH; k++)
        param[k] = &pair->param[k];
    const double time = carom_scales_duration(pair->pairing->law, param, pair->mass, closing);
    if (pair->pairing->law->rigid || !(time > 0.0) || !(time < HUGE_VAL))
        return carom_error_set(error, CAROM_E_REFUSED, "law %s has no contact that lasts",
                               pair->pairing->law->kind.name);
    enum carom_status status = make_bodies(&w, bodies);
    if (status == CAROM_OK)
        status = make_sim(&w, v, tol, LONG * time);
    if (status != CAROM_OK)
        return status;
    carom_touching_open(&w.touching, w.bodies);
    status = follow(&w, out);
    if (status == CAROM_OK)
        measure(&w, v, out);
    carom_touching_close(&w.touching);
    carom_sim_free(w.sim);
    return status;
}
