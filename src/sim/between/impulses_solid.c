/* Impulses of contacts of solids, see impulses_solid.h. */
#include "sim/between/impulses_solid.h"

#include <string.h>

#include "base/vec.h"
#include "model/solid/strike/solid_push.h"
#include "sim/between/sync_range.h"

/* Are all points of faces j pushed along normals that stay? */
static bool is_straight(const struct carom_model *model, size_t j)
{
    const struct carom_solid_strike *strike = carom_solid_strike_of(model);
    return strike->meet[j - strike->meets_first].body[1] >= strike->nbodies;
}

/* What the damper of a ball has given between two looks at which it touches: what scheme rattle gives, whose second
 * kick acts along the slope of the end. V0 and V1 are what the damper's force is the rate of. */
static void damp_ball(const struct carom_impulses_solid *p, const struct carom_strike_push *now, const double v[2],
                      double half, double given[3])
{
    const double along = carom_vec_dot(p->viscous, p->viscous);
    const double early = half * v[0] * carom_vec_dot(p->damper, p->viscous) / along;
    for (int k = 0; k < 3; k++)
        given[k] += half * p->damper[k] + (v[1] - v[0] - early) * now->viscous[k] / v[1];
}

/* The impulse between the last two looks at contact j, at the second of which it pushes like this. Where it has closed
 * or opened between them the push of a damper jumps, in a step in which it has hardly turned. */
static void give(struct carom_impulses *s, const struct carom_peak_force *peak, size_t j,
                 const struct carom_strike_push *now)
{
    const struct carom_look *a = &peak->look[1], *b = &peak->look[2];
    const double half = 0.5 * (b->times[j] - a->times[j]);
    const bool ball = j < carom_solid_strike_of(peak->own)->meets_first;
    const bool stays = a->deform[j] > 0.0 && b->deform[j] > 0.0;
    struct carom_impulses_solid *p = &s->push[j];
    for (int k = 0; k < 3; k++)
        p->given[k] += half * (p->spring[k] + now->spring[k]);
    double v[2] = {0.0, 0.0};
    for (int i = 0; i < 2 && ball && stays && carom_vec_dot(p->viscous, now->viscous) != 0.0; i++)
        carom_contacts_evaluate(peak->own, j, j + 1, i == 0 ? &a->deform[j] : &b->deform[j], NULL, NULL,
                                &(struct carom_response){.viscous = &v[i]});
    if (v[0] > 0.0 && v[1] > 0.0)
        damp_ball(p, now, v, half, p->given);
    for (int k = 0; k < 3 && !(v[0] > 0.0 && v[1] > 0.0); k++)
        p->given[k] += ball || !stays || is_straight(peak->own, j) ? now->viscous[k] - p->viscous[k]
                                                                   : half * (p->damper[k] + now->damper[k]);
    s->impulse[j] = carom_vec_norm(p->given);
}

static void note(struct carom_impulses_solid *p, const struct carom_strike_push *now)
{
    memcpy(p->spring, now->spring, sizeof p->spring);
    memcpy(p->damper, now->damper, sizeof p->damper);
    memcpy(p->viscous, now->viscous, sizeof p->viscous);
}

void carom_impulses_solid_see(struct carom_impulses *s, struct carom_peak_force *peak, const struct carom_model *model,
                              const struct carom_state *view, size_t from, size_t to)
{
    const struct carom_look *look = &peak->look[2];
    struct carom_strike_push push[CAROM_SYNC_RANGE_ROOM];
    carom_solid_push_read(model, from, to, view->q, view->v, push);
    for (size_t j = from; j < to; j++) {
        const struct carom_strike_push *now = &push[j - from];
        look->deform[j] = now->deform;
        look->rate[j] = now->rate;
        look->force[j] = now->force;
        if (peak->seen > 1)
            give(s, peak, j, now);
        note(&s->push[j], now);
    }
}

void carom_impulses_solid_end(struct carom_impulses *s, const struct carom_peak_force *peak, size_t j)
{
    static const struct carom_strike_push none = {.force = 0.0};
    give(s, peak, j, &none);
    note(&s->push[j], &none);
}

void carom_impulses_solid_told(const struct carom_impulses *s, size_t j, double vector[3])
{
    if (s->push)
        memcpy(vector, s->push[j].given, sizeof s->push[j].given);
}
