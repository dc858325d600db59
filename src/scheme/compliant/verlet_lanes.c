/* Balls in a step of verlet, contacts side by side in lanes: what carom_verlet_contacts does one by one, for spheres
 * and discs after Hertz or Kuwabara and Kono with tangential springs (src/law/friction_spring.h) or none. Batches are
 * worked through in loops short enough to overlap in the processor. With one common point of contact the velocity past
 * each other is
 *
 *     v_b - v_a - s x n,   s = (r_a - d/2) w_a + (r_b - d/2) w_b,
 *
 * and a force F across the normal turns both bodies by -(r - d/2) n x F. */
#include "scheme/compliant/verlet_lanes.h"

typedef carom_lane lane;
typedef struct carom_lane3 lane3;

/* --- which ------------------------------------------------------------------------------------------------------- */

static struct carom_verlet_number number_of(const struct carom_scaled *scaled, size_t column)
{
    const bool varies = scaled->radius_power != 0.0 || scaled->mass_power != 0.0;
    return (struct carom_verlet_number){scaled->param, varies ? column : SIZE_MAX};
}

static bool is_same(const struct carom_scaled *scaled)
{
    return scaled->radius_power == 0.0 && scaled->mass_power == 0.0;
}

/* springs of one coefficient that push along the tangent only */
static bool choose_friction(const struct carom_verlet_bodies_work *w, const struct carom_pairing *p,
                            struct carom_verlet_lanes *out)
{
    const struct carom_scaled *rub = p->rub;
    const bool mindlin = p->friction == &carom_friction_mindlin;
    if (!mindlin && p->friction != &carom_friction_cundall_strack)
        return false;
    const enum carom_friction_form form = mindlin ? (enum carom_friction_form)rub[4].param : CAROM_FORM_SPRING;
    out->rubs = true;
    out->mu = rub[0].param;
    out->k_t = number_of(&rub[2], w->columns.rub[CAROM_SLIDES] + 2);
    out->gamma_t = number_of(&rub[3], w->columns.rub[CAROM_SLIDES] + 3);
    out->hertzian = mindlin;
    out->always = form == CAROM_FORM_FORCE;
    out->follows = out->always || form == CAROM_FORM_RESCALED;
    return form != CAROM_FORM_POTENTIAL && is_same(&rub[0]) && is_same(&rub[1]) && !(rub[1].param > rub[0].param);
}

void carom_verlet_lanes_choose(struct carom_verlet_bodies_work *w)
{
    for (size_t i = 0; i < w->bodies->npairings; i++) {
        const struct carom_pairing *p = &w->bodies->pairing[i];
        struct carom_verlet_lanes *out = &w->lanes[i];
        const bool damped = p->law == &carom_law_kuwabara_kono;
        *out = (struct carom_verlet_lanes){.gamma = {0.0, SIZE_MAX}};
        out->k = number_of(&p->param[0], w->columns.param);
        if (damped)
            out->gamma = number_of(&p->param[1], w->columns.param + 1);
        out->good = (damped || p->law == &carom_law_hertz) && p->ending == CAROM_END_GAP && !p->rolling && !p->twisting;
        if (p->friction)
            out->good = choose_friction(w, p, out) && out->good;
    }
}

/* --- geometry ---------------------------------------------------------------------------------------------------- */

/* balls whose centres have moved by du past each other, see meet.c: what needs no root */
ALWAYS_INLINE void approach(const struct carom_verlet_contact *c0, const struct carom_verlet_contact *c1, lane3 du,
                            bool plane, struct carom_verlet_lane_pair *p)
{
    lane3 apart;
    carom_verlet_pair_up(carom_lane_load(c0->apart), carom_lane_load(c1->apart), &apart.x, &apart.y);
    carom_verlet_pair_up(carom_lane_load(c0->apart + 2), carom_lane_load(c1->apart + 2), &apart.z, &p->length);
    p->rest = (lane){c0->rest, c1->rest};
    p->normal = carom_lane_add(apart, du);
    p->gain = carom_verlet_dot(carom_lane_add(apart, p->normal), du, plane);
}

/* their normal and overlap and its root; one division serves both */
ALWAYS_INLINE void meet(bool plane, struct carom_verlet_lane_pair *p)
{
    const lane distance = carom_lane_sqrt(carom_verlet_dot(p->normal, p->normal, plane)), sum = distance + p->length;
    const lane inverse = 1.0 / (distance * sum);
    p->normal = carom_lane_times(sum * inverse, p->normal);
    p->deform = -(p->rest + p->gain * (distance * inverse));
    p->root = carom_lane_sqrt(carom_lane_positive(p->deform));
}

void carom_verlet_lanes_meet(const struct carom_verlet_bodies_work *w, const struct carom_contact_key *key,
                             const double *q, struct carom_verlet_contact *out)
{
    const size_t nq = carom_bodies_nq(w->bodies);
    const double *qa = q + key->a * nq, *qb = q + key->b * nq;
    const bool plane = w->bodies->dimension == 2;
    const double du[3] = {qb[0] - qa[0], qb[1] - qa[1], plane ? 0.0 : qb[2] - qa[2]};
    const lane3 both = {{du[0], du[0]}, {du[1], du[1]}, {du[2], du[2]}};
    struct carom_verlet_lane_pair pair;
    if (plane) {
        approach(out, out, both, true, &pair);
        meet(true, &pair);
    } else {
        approach(out, out, both, false, &pair);
        meet(false, &pair);
    }
    out->normal[0] = pair.normal.x[0];
    out->normal[1] = pair.normal.y[0];
    out->normal[2] = pair.normal.z[0];
    out->deform = pair.deform[0];
    out->root = pair.root[0];
}

/* --- the start of a step ----------------------------------------------------------------------------------------- */

ALWAYS_INLINE void keep_one(struct carom_verlet_contact *contact, lane3 x, int l)
{
    carom_lane_store(contact->tangent, carom_verlet_lane_one(x.x, x.y, l));
    contact->tangent[2] = x.z[l];
}

/* Friction on a. Contacts inside the cone need no root and no division, and only the damper's part of them is kept;
 * those at the cone are marked by the sign of their root. */
ALWAYS_INLINE lane3 rub(const struct carom_verlet_bodies_work *w, const struct carom_verlet_lanes *law,
                        const struct carom_contacts *c, const struct carom_verlet_two *t, lane3 slip, lane3 spring,
                        lane root, lane pressed, bool plane)
{
    const lane k = carom_verlet_lane_stiffness(law, carom_verlet_lane_take(c, &law->k_t, t->j), root);
    const lane damper = carom_verlet_lane_damper(w, t, k * carom_verlet_lane_take(c, &law->gamma_t, t->j));
    const lane cone = law->mu * carom_lane_positive(pressed), most = cone * cone;
    const lane3 damped = carom_lane_times(damper, slip);
    lane3 force = carom_lane_times(k, spring);
    const lane stretched = carom_verlet_dot(force, force, plane);
    if (carom_verlet_lane_any(stretched > most))
        force = carom_lane_times(carom_verlet_lane_shortening(stretched, cone), force);
    force = carom_lane_add(force, damped);
    const lane pull = carom_verlet_dot(force, force, plane);
    const carom_lane_mask at_cone = ~(pull < most * (1.0 - 2e-12));
    keep_one(t->contact[0], damped, 0);
    keep_one(t->contact[1], damped, 1);
    if (carom_verlet_lane_any(at_cone)) {
        force = carom_lane_times(carom_verlet_lane_shortening(pull, cone), force);
        for (int l = 0; l < 2; l++)
            if (at_cone[l]) {
                t->contact[l]->root = -root[l];
                keep_one(t->contact[l], force, l);
            }
    }
    return force;
}

ALWAYS_INLINE void press(struct carom_verlet_bodies_work *w, const struct carom_contacts *c, const uint32_t *contact,
                         size_t n, size_t listed, bool plane, bool rubs)
{
    const struct carom_verlet_lanes *law = &w->lanes[c->key[contact[0]].pairing];
    double *const *spring = c->column + w->columns.spring[CAROM_SLIDES];
    for (size_t i = 0; i < n; i += 2) {
        carom_verlet_call_for(w, contact, i, listed, plane);
        for (size_t k = 0; rubs && i % 8 == 0 && i + CAROM_VERLET_LATER < listed && k < (plane ? 1 : 3); k++)
            __builtin_prefetch(spring[k] + contact[i + CAROM_VERLET_LATER]);
        const struct carom_verlet_two t = carom_verlet_two_of(w, contact, i, n);
        const struct carom_verlet_contact *c0 = t.contact[0], *c1 = t.contact[1];
        lane3 normal, aside = {{0.0}, {0.0}, {0.0}};
        lane root, arm[2] = {{0.0}, {0.0}};
        carom_verlet_pair_up(carom_lane_load(c0->normal), carom_lane_load(c1->normal), &normal.x, &normal.y);
        carom_verlet_pair_up(carom_lane_load(c0->normal + 2), carom_lane_load(c1->normal + 2), &normal.z, &root);
        const lane deform = {c0->deform, c1->deform}, k = carom_verlet_lane_take(c, &law->k, t.j),
                   gamma = carom_verlet_lane_take(c, &law->gamma, t.j);
        const lane3 fly = carom_verlet_fly(&t, plane);
        const lane rate = -carom_verlet_dot(fly, normal, plane);
        const lane along = k * root * (deform + 1.5 * gamma * rate); /* the root of what is open is 0 */
        t.contact[0]->rate = rate[0];
        t.contact[1]->rate = rate[1];
        if (rubs) {
            const lane3 spin_a = carom_verlet_spin(t.a, plane, &arm[0]),
                        spin_b = carom_verlet_spin(t.b, plane, &arm[1]);
            for (int side = 0; side < 2; side++)
                arm[side] -= 0.5 * deform;
            const lane3 turn = carom_lane_add(carom_lane_times(arm[0], spin_a), carom_lane_times(arm[1], spin_b));
            const lane3 past = carom_lane_add(fly, carom_lane_times(rate, normal));
            const lane3 slip = carom_lane_less(past, carom_verlet_swing(turn, normal, plane));
            aside = rub(w, law, c, &t, slip, carom_verlet_lane_springs(spring, plane, t.j, normal), root, along, plane);
        }
        carom_verlet_lane_push(w, &t, normal, along, aside, arm, plane, rubs);
    }
}

void carom_verlet_lanes_press(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                              const uint32_t *contact, size_t n, size_t listed)
{
    const bool plane = w->bodies->dimension == 2, rubs = w->lanes[c->key[contact[0]].pairing].rubs;
    if (plane && rubs)
        press(w, c, contact, n, listed, true, true);
    else if (plane)
        press(w, c, contact, n, listed, true, false);
    else if (rubs)
        press(w, c, contact, n, listed, false, true);
    else
        press(w, c, contact, n, listed, false, false);
}

/* --- the end of a step ------------------------------------------------------------------------------------------- */

/* second kicks along the normals; what dampers lose goes from state to state */
ALWAYS_INLINE void kick(const struct carom_verlet_lanes *law, const struct carom_contacts *c,
                        const struct carom_verlet_two *t, const double *lost, double *viscous, double h,
                        struct carom_verlet_lane_pair *p)
{
    const struct carom_verlet_contact *c0 = t->contact[0], *c1 = t->contact[1];
    const lane k = carom_verlet_lane_take(c, &law->k, t->j), gamma = carom_verlet_lane_take(c, &law->gamma, t->j);
    const lane deform0 = {c0->deform, c1->deform}, root0 = {c0->root, c1->root}, rate = {c0->rate, c1->rate};
    const lane stiff0 = k * carom_lane_abs(root0), stiff = k * p->root, steep = 1.5 * gamma;
    const lane elastic0 = stiff0 * deform0, elastic = stiff * p->deform, damper = gamma * (elastic - elastic0);
    const lane mean = (p->deform - deform0) * (1.0 / h), gone = mean * damper;
    const lane last = carom_lane_pick(deform0 > 0.0, 2.0 * mean - rate, mean);
    p->deform0 = deform0;
    p->root0 = root0;
    p->along = 0.5 * h * (elastic - steep * stiff0 * rate) + damper;
    p->pressed = elastic + steep * stiff * last;
    viscous[t->j[0]] = lost[t->j[0]] + gone[0];
    viscous[t->j[1]] = lost[t->j[1]] + gone[1];
}

/* calls for what is carried from state to state of contacts that come later, one of the eight in a line */
ALWAYS_INLINE void call_for_columns(const struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                                    const struct carom_contacts *to, const uint32_t *contact, size_t i, size_t listed,
                                    bool plane, bool rubs)
{
    const size_t first = w->columns.spring[CAROM_SLIDES], lost = w->columns.lost;
    const size_t column[] = {lost + CAROM_RETIRED_VISCOUS,
                             lost + CAROM_RETIRED_FRICTION,
                             lost + CAROM_RETIRED_CHANGE,
                             first,
                             first + 1,
                             first + 2};
    if (i % 8 != 0 || i + CAROM_VERLET_LATER >= listed)
        return;
    for (size_t k = 0; k < (rubs ? plane ? 4 : 6 : 1); k++) {
        __builtin_prefetch(from->column[column[k]] + contact[i + CAROM_VERLET_LATER]);
        __builtin_prefetch(to->column[column[k]] + contact[i + CAROM_VERLET_LATER], 1);
    }
}

/* Two contacts are on their way while roots are taken of the two before and forces made of those before these: three
 * chains that do not wait for each other. With normal forces only a step takes 284 instead of 302 ns. */
ALWAYS_INLINE void kick_all(struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                            const struct carom_contacts *to, struct carom_verlet_lane_batch *batch, size_t listed,
                            double h, bool plane, bool rubs)
{
    const double *lost = carom_verlet_bodies_lost(w, from, CAROM_RETIRED_VISCOUS);
    double *viscous = carom_verlet_bodies_lost(w, to, CAROM_RETIRED_VISCOUS);
    const size_t n = batch->n, pairs = (n + 1) / 2;
    const lane none[2] = {{0.0}, {0.0}};
    for (size_t i = 0; i < pairs + 2; i++) {
        if (i < pairs) {
            const struct carom_verlet_two t = carom_verlet_two_of(w, batch->contact, 2 * i, n);
            lane3 du = {{0.0}, {0.0}, {0.0}};
            lane unused;
            carom_verlet_call_for(w, batch->contact, 2 * i, listed, plane);
            call_for_columns(w, from, to, batch->contact, 2 * i, listed, plane, rubs);
            carom_verlet_apart(&t, 0, &du.x, &du.y);
            if (!plane)
                carom_verlet_apart(&t, 2, &du.z, &unused);
            approach(t.contact[0], t.contact[1], du, plane, &batch->pair[i]);
        }
        if (i >= 1 && i <= pairs)
            meet(plane, &batch->pair[i - 1]);
        if (i < 2)
            continue;
        const struct carom_verlet_two t = carom_verlet_two_of(w, batch->contact, 2 * (i - 2), n);
        struct carom_verlet_lane_pair *p = &batch->pair[i - 2];
        kick(batch->law, from, &t, lost, viscous, h, p);
        if (rubs)
            continue;
        carom_verlet_lane_push(w, &t, p->normal, p->along, p->normal, none, plane, rubs);
        carom_verlet_lane_keep(&t, p);
    }
    if (rubs)
        carom_verlet_lanes_friction_kick(w, from, to, batch, h);
}

/* what is to be told of contacts: who opened or closed, and whether any is so deep that it must be looked at */
static void note_one(struct carom_verlet_bodies_work *w, size_t j, struct carom_verlet_block *block)
{
    const struct carom_verlet_contact *contact = &w->contact[j];
    const double a = w->body[contact->a].radius, b = w->body[contact->b].radius;
    if (!(contact->deform > 0.0))
        w->live[j] = CAROM_VERLET_ENDED;
    if (block->deep == SIZE_MAX && contact->deform > 0.1 * fmin(a, b))
        block->deep = j;
    if (block->wrong == SIZE_MAX && !(a + b - contact->deform > 0.1 * (a + b)))
        block->wrong = j;
}

static void note(struct carom_verlet_bodies_work *w, const struct carom_verlet_lane_batch *batch,
                 struct carom_verlet_block *block)
{
    carom_lane_mask ended = {0}, switched = {0}, deep = {0};
    for (size_t i = 0; i < (batch->n + 1) / 2; i++) {
        const struct carom_verlet_lane_pair *p = &batch->pair[i];
        ended |= ~(p->deform > 0.0);
        switched |= (p->deform0 > 0.0) ^ (p->deform > 0.0);
        deep |= ~(p->deform <= 0.1 * w->smallest);
    }
    block->switched |= carom_verlet_lane_any(switched);
    block->ended |= carom_verlet_lane_any(ended);
    for (size_t i = 0; i < batch->n && carom_verlet_lane_any(ended | deep); i++)
        note_one(w, batch->contact[i], block);
}

void carom_verlet_lanes_kick(struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                             const struct carom_contacts *to, const uint32_t *contact, size_t n, size_t listed,
                             double h, struct carom_verlet_block *block)
{
    struct carom_verlet_lane_batch batch;
    batch.contact = contact;
    batch.n = n;
    batch.law = &w->lanes[to->key[contact[0]].pairing];
    const bool plane = w->bodies->dimension == 2, rubs = batch.law->rubs;
    if (plane && rubs)
        kick_all(w, from, to, &batch, listed, h, true, true);
    else if (plane)
        kick_all(w, from, to, &batch, listed, h, true, false);
    else if (rubs)
        kick_all(w, from, to, &batch, listed, h, false, true);
    else
        kick_all(w, from, to, &batch, listed, h, false, false);
    note(w, &batch, block);
}
