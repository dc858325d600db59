/* The scales errors and steps are measured by: V, the largest speed given, or reached by stored energy, loads, weights
 * and drives even if all bodies share it; the shortest contact of a pair closing with V; U = V x that time. For a law
 * with energy E(d) the largest overlap D solves E(D) = m V^2 / 2, and a power law d^p keeps contact for
 *     T = 2 D / V sqrt(pi) G(1 + 1/(p+1)) / G(1/2 + 1/(p+1)),   p + 1 = D F(D) / E(D). */
#include "model/scales.h"
#include "base/memory.h"
#include "base/power.h"
#include "carom/bodies.h"
#include "carom/law.h"
#include "carom/solid.h"
#include "carom/state.h"
#include "law/restitution.h"
#include "model/beads/loads.h"
#include "model/beads/loads_scale.h"
#include "model/bodies/linkage.h"
#include "model/ports.h"
#include "model/scales_bodies.h"
#include "model/scales_rigid.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_strike.h"
#include "solve/root.h"

/* energy and elastic force of one contact at overlap d, its history at rest */
static void probe(const struct carom_law *law, const double *const *param, double d, double *energy, double *force)
{
    const double zero = 0.0;
    const double *history[CAROM_LAW_WIDTH];
    for (size_t c = 0; c < law->nh; c++)
        history[c] = &zero;
    const struct carom_batch batch = {.law = law,
                                      .n = 1,
                                      .param = param,
                                      .deform = &d,
                                      .rate = &zero,
                                      .history = history,
                                      .elastic = force,
                                      .energy = energy};
    law->evaluate(&batch);
    if (law->turn) /* some of the work may be lost already in loading */
        *energy = carom_restitution_work(law, param, d);
}

/* a contact pressed until it stores `target`, and what it stores where it was looked at last */
struct pressing {
    const struct carom_law *law;
    const double *const *param;
    double target, energy, force;
};

static bool stores_enough(void *own, double d)
{
    struct pressing *p = own;
    probe(p->law, p->param, d, &p->energy, &p->force);
    return p->energy >= p->target;
}

/* the overlap at which a contact stores its target, and what it stores and how it pushes there */
static double press_down(struct pressing *press)
{
    double high = 1.0;
    for (int i = 0; i < 2000; i++) { /* bracket by doubling or halving, as far as numbers go */
        const bool enough = stores_enough(press, high);
        if (enough && !stores_enough(press, 0.5 * high))
            break;
        high *= enough ? 0.5 : 2.0;
    }
    return carom_root_switch(stores_enough, press, 0.5 * high, high, 0.0, 40);
}

double carom_scales_overlap(const struct carom_law *law, const double *const *param, double m, double v)
{
    struct pressing press = {.law = law, .param = param, .target = 0.5 * m * v * v};
    const double high = press_down(&press);
    return press.energy > 0.0 && press.force > 0.0 ? high : 0.0;
}

double carom_scales_duration(const struct carom_law *law, const double *const *param, double m, double v)
{
    struct pressing press = {.law = law, .param = param, .target = 0.5 * m * v * v};
    const double high = press_down(&press);
    if (!(press.energy > 0.0) || !(press.force > 0.0))
        return 0.0;
    const double p = high * press.force / press.energy - 1.0;
    const double root_pi = 1.7724538509055160273;
    return 2.0 * high / v * root_pi * carom_power_half_gamma(1.0 / (p + 1.0));
}

static double contact_time(const struct carom_group *g, size_t j, double m, double v)
{
    const double *param[CAROM_LAW_WIDTH];
    for (size_t c = 0; c < g->ncolumns; c++)
        param[c] = g->param[c] + j;
    return carom_scales_duration(g->law, param, m, v);
}

/* the shortest contact time over all contacts; neighbours alike are worked out once; `room`: nports + 2 nv */
static double shortest(const struct carom_model *model, const double *q, double v, double *room)
{
    double best = HUGE_VAL;
    carom_ports_inverse_mass(model, q, room, room + model->nports);
    for (size_t i = 0; i < model->ngroups; i++) {
        const struct carom_group *g = &model->group[i];
        double last_inverse = -1.0;
        for (size_t j = 0; j < g->count; j++) {
            const double inverse = carom_ports_between(model, g->first + j, room);
            bool same = inverse == last_inverse;
            for (size_t c = 0; same && c < g->ncolumns; c++)
                same = g->param[c][j] == g->param[c][j - 1];
            last_inverse = inverse;
            if (same || !(inverse > 0.0))
                continue;
            const double time = contact_time(g, j, 1.0 / inverse, v);
            if (time > 0.0 && time < best)
                best = time;
        }
    }
    return best;
}

double carom_scales_swing(const struct carom_model *model)
{
    const struct carom_beads *beads = carom_model_chain(model);
    double fastest = 0.0;
    for (size_t i = 0; beads && i < beads->n; i++) {
        if (beads->spring)
            fastest = fmax(fastest, beads->spring[i] * beads->inverse_mass[i]);
        if (beads->string && beads->string[i] > 0.0)
            fastest = fmax(fastest, beads->down / beads->string[i]);
    }
    return sqrt(fastest);
}

/* Where nothing is ever touched, springs and strings say how far bodies go: V over the fastest swing. */
static double swing(const struct carom_model *model, double speed)
{
    const double fastest = carom_scales_swing(model);
    return fastest > 0.0 ? speed / fastest : 0.0;
}

double carom_scales_closing(const struct carom_model *model, const double *q, const double *v, double speed)
{
    const struct carom_beads *beads = carom_model_chain(model);
    const bool swings = beads && (beads->spring || beads->string) && !beads->weight; /* weights have no lowest place */
    for (size_t i = 0; swings && i < beads->n; i++) {
        const double twice = beads->mass[i] * v[i] * v[i] + 2.0 * carom_loads_energy(beads, i, q[i]);
        speed = fmax(speed, sqrt(twice * beads->inverse_mass[i]));
    }
    return speed;
}

/* what loads, weights and drives make of the speed given; `until` may be HUGE_VAL */
static double with_loads(const struct carom_model *model, const double *q, double until, double speed)
{
    if (!carom_loads_scale_any(model))
        return speed;
    speed = fmax(speed, carom_loads_scale_speed(model, q, until));
    speed = fmax(speed, carom_loads_scale_fall(model, q, until));
    speed = fmax(speed, carom_loads_scale_falls(model, q, until));
    return speed > 0.0 || !(until < HUGE_VAL) ? speed : carom_loads_scale_free(model, q, until);
}

/* Solids have scales of their own: the largest speed, and the shortest time in which a wave crosses a cell. */
static enum carom_status find_solids(const struct carom_model *model, struct carom_threads *threads, const double *q,
                                     const double *v, double until, struct carom_scales *scales,
                                     struct carom_error *error)
{
    struct carom_scales one;
    for (size_t i = 0; i < carom_solid_count(model); i++) {
        const struct carom_member *m = &model->member[i];
        if (carom_solid_scales_shared(carom_solid_at(model, i), threads, q + m->q0, v + m->v0, &one, error) != CAROM_OK)
            return error ? error->status : CAROM_E_MEMORY;
        if (i == 0 || one.speed > scales->speed)
            *scales = one;
    }
    const double struck = carom_solid_strike_of(model) ? carom_solid_strike_swing_speed(model, q, v, until) : 0.0,
                 speed = fmax(scales->speed, struck);
    if (carom_solid_count(model) == 1 && !(struck > scales->speed))
        return CAROM_OK;
    for (size_t i = 0; i < carom_solid_count(model); i++) {
        one = (struct carom_scales){0.0, 0.0, 0.0};
        carom_solid_scales_strike(carom_solid_at(model, i), speed, &one);
        if (i == 0 || one.contact_time < scales->contact_time)
            *scales = one;
    }
    return CAROM_OK;
}

static enum carom_status find(const struct carom_model *model, struct carom_threads *threads, const double *q,
                              const double *v, double until, struct carom_scales *scales, struct carom_error *error)
{
    *scales = (struct carom_scales){0.0, 0.0, 0.0};
    if (carom_solid_of(model, NULL))
        return find_solids(model, threads, q, v, until, scales, error);
    struct carom_state *view = carom_state_create(model, 0);
    double *room = carom_memory_zeroed(2 * (model->nc + model->nv) + model->nports, sizeof *room);
    if (!view || !room) {
        carom_state_free(view);
        carom_memory_free(room);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory working out the scales");
    }
    double mass = 0.0, speed = 0.0;
    for (size_t i = 0; i < model->nq; i++)
        view->q[i] = q[i];
    for (size_t i = 0; i < model->nv; i++) {
        view->v[i] = 1.0; /* twice the kinetic energy is then the total mass of beads */
        speed = fabs(v[i]) > speed ? fabs(v[i]) : speed;
    }
    struct carom_ledger ledger;
    carom_balance_read(model, view, room, &ledger);
    mass = 2.0 * ledger.kinetic;
    const double free = ledger.stored - carom_loads_scale_held(model);
    const bool finite = isfinite(ledger.stored) && isfinite(mass * speed * speed);
    const double reachable = mass > 0.0 && free > 0.0 ? sqrt(2.0 * free / mass) : 0.0;
    speed = fmax(speed, reachable);
    if (carom_loads_scale_held(model) == 0.0) /* what is let go swings, whatever the others do */
        speed = carom_scales_closing(model, q, v, speed);
    scales->speed = with_loads(model, q, until, speed);
    if (finite && scales->speed > 0.0) {
        double time = shortest(model, q, scales->speed, room);
        if (carom_loads_scale_any(model))
            time = fmin(time, carom_loads_scale_time(model, q));
        scales->contact_time = time < HUGE_VAL ? time : 0.0;
        scales->length = scales->speed * scales->contact_time;
        if (model->nc == 0)
            scales->length = swing(model, scales->speed);
        if (scales->length == 0.0 && until < HUGE_VAL) /* nothing to touch: the way of the run */
            scales->length = scales->speed * until;
    }
    carom_state_free(view);
    carom_memory_free(room);
    return finite ? CAROM_OK
                  : carom_error_set(error, CAROM_E_INPUT,
                                    "at a speed of %g the start has more energy than a number can hold", speed);
}

enum carom_status carom_scales_find(const struct carom_model *model, const double *q, const double *v,
                                    struct carom_scales *scales, struct carom_error *error)
{
    if (!model)
        return carom_error_missing(error);
    return carom_scales_within(model, q, v, HUGE_VAL, scales, error);
}

enum carom_status carom_scales_within(const struct carom_model *model, const double *q, const double *v, double until,
                                      struct carom_scales *scales, struct carom_error *error)
{
    if (!model)
        return carom_error_missing(error);
    return carom_scales_shared(model, NULL, q, v, until, scales, error);
}

enum carom_status carom_scales_shared(const struct carom_model *model, struct carom_threads *threads, const double *q,
                                      const double *v, double until, struct carom_scales *scales,
                                      struct carom_error *error)
{
    if (carom_model_bodies(model))
        return carom_scales_bodies_find(model, q, v, until, scales, error);
    if ((model->offers & CAROM_COMPLIANT) && !carom_linkage_of(model)) /* rigid bodies, even if none may touch */
        return find(model, threads, q, v, until, scales, error);
    return carom_scales_rigid_find(model, q, v, until, scales, error);
}
