/* Balls in a step of verlet, contacts side by side in lanes: what carom_verlet_contacts does one by one, for spheres
 * and discs after Hertz or Kuwabara and Kono with tangential springs (src/law/friction_spring.h) or none. Batches are
 * worked through in loops short enough to overlap in the processor. Discs are spheres here whose z is 0. With one
 * common point of contact the velocity past each other is
 *
 *     v_b - v_a - s x n,   s = (r_a - d/2) w_a + (r_b - d/2) w_b,
 *
 * and a force F across the normal turns both bodies by -(r - d/2) n x F. */
#include "scheme/compliant/verlet_lanes.h"
#include "base/vec.h"

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

/* numbers 0 and 1 of two records, side by side */
ALWAYS_INLINE void pair_up(lane first, lane second, lane *x, lane *y)
{
    *x = carom_lane_first(first, second);
    *y = carom_lane_second(first, second);
}

/* normal and overlap of balls whose centres have moved by du past each other, see meet.c; one division serves both */
ALWAYS_INLINE lane meet(const struct carom_verlet_contact *c0, const struct carom_verlet_contact *c1, lane3 du,
                        lane3 *normal)
{
    lane3 apart;
    lane length;
    pair_up(carom_lane_load(c0->apart), carom_lane_load(c1->apart), &apart.x, &apart.y);
    pair_up(carom_lane_load(c0->apart + 2), carom_lane_load(c1->apart + 2), &apart.z, &length);
    const lane rest = {c0->rest, c1->rest};
    const lane3 now = carom_lane_add(apart, du);
    const lane distance = carom_lane_sqrt(carom_lane_dot(now, now)), sum = distance + length;
    const lane inverse = 1.0 / (distance * sum);
    *normal = carom_lane_times(sum * inverse, now);
    return -(rest + carom_lane_dot(carom_lane_add(apart, now), du) * (distance * inverse));
}

void carom_verlet_lanes_meet(const struct carom_verlet_bodies_work *w, const struct carom_contact_key *key,
                             const double *q, struct carom_verlet_contact *out)
{
    const size_t nq = carom_bodies_nq(w->bodies);
    const double *qa = q + key->a * nq, *qb = q + key->b * nq;
    const bool plane = w->bodies->dimension == 2;
    const double du[3] = {qb[0] - qa[0], qb[1] - qa[1], plane ? 0.0 : qb[2] - qa[2]};
    const lane3 both = {{du[0], du[0]}, {du[1], du[1]}, {du[2], du[2]}};
    lane3 normal;
    const lane deform = meet(out, out, both, &normal);
    out->normal[0] = normal.x[0];
    out->normal[1] = normal.y[0];
    out->normal[2] = normal.z[0];
    out->deform = deform[0];
    out->root = carom_lane_sqrt(carom_lane_positive(deform))[0];
}

/* differences of what moves two bodies, from the pair of numbers `from` on, and sums of what turns them */
struct between {
    lane x[6];
};

ALWAYS_INLINE void move_between(const struct carom_verlet_body *const a[2], const struct carom_verlet_body *const b[2],
                                int from, struct between *out)
{
    for (int k = from; k < 6; k += 2)
        pair_up(carom_lane_load(b[0]->moves + k) - carom_lane_load(a[0]->moves + k),
                carom_lane_load(b[1]->moves + k) - carom_lane_load(a[1]->moves + k), &out->x[k], &out->x[k + 1]);
}

ALWAYS_INLINE void turn_between(const struct carom_verlet_body *const a[2], const struct carom_verlet_body *const b[2],
                                struct between *out)
{
    for (int k = 0; k < 6; k += 2)
        pair_up(carom_lane_load(b[0]->turns + k) + carom_lane_load(a[0]->turns + k),
                carom_lane_load(b[1]->turns + k) + carom_lane_load(a[1]->turns + k), &out->x[k], &out->x[k + 1]);
}

ALWAYS_INLINE void store_turns(struct carom_verlet_lane_batch *batch, size_t i,
                               const struct carom_verlet_body *const a[2], const struct carom_verlet_body *const b[2])
{
    struct between turns;
    lane radius[2], mobility[2];
    turn_between(a, b, &turns);
    carom_verlet_lane_store(batch->turn, i, (lane3){turns.x[0], turns.x[1], turns.x[2]});
    carom_verlet_lane_store(batch->spin, i, (lane3){turns.x[4], turns.x[5], turns.x[3]});
    pair_up(carom_lane_load(&a[0]->radius), carom_lane_load(&a[1]->radius), &radius[0], &mobility[0]);
    pair_up(carom_lane_load(&b[0]->radius), carom_lane_load(&b[1]->radius), &radius[1], &mobility[1]);
    carom_lane_store(batch->radius[0] + i, radius[0]);
    carom_lane_store(batch->radius[1] + i, radius[1]);
    carom_lane_store(batch->mobility + i, mobility[0] + mobility[1]);
}

/* --- batches ----------------------------------------------------------------------------------------------------- */

/* the bodies of contacts; an odd one out stands twice */
static void begin(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c, const uint32_t *contact,
                  size_t n, struct carom_verlet_lane_batch *batch)
{
    batch->n = n;
    batch->law = &w->lanes[c->key[contact[0]].pairing];
    for (size_t i = 0; i < n + n % 2; i++) {
        const uint32_t j = contact[i < n ? i : n - 1];
        batch->contact[i] = j;
        batch->a[i] = c->key[j].a;
        batch->b[i] = c->key[j].b;
    }
}

/* a parameter of contacts i and i + 1 */
ALWAYS_INLINE lane take(const struct carom_contacts *c, const struct carom_verlet_lane_batch *batch,
                        const struct carom_verlet_number *number, size_t i)
{
    if (number->column == SIZE_MAX)
        return (lane){number->value, number->value};
    const double *column = c->column[number->column];
    return (lane){column[batch->contact[i]], column[batch->contact[i + 1]]};
}

/* columns of the spring as vectors of space: as the step begins or, at a moment, then */
static void take_springs(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                         struct carom_verlet_lane_batch *batch, bool begins)
{
    const double *normal = begins ? batch->normal0 : batch->normal;
    double *const *spring = c->column + w->columns.spring[CAROM_SLIDES];
    const bool plane = w->bodies->dimension == 2;
    for (size_t i = 0; i < batch->n + batch->n % 2; i++) {
        const uint32_t j = batch->contact[i];
        double *to = batch->spring + i;
        to[0] = plane ? -normal[CAROM_VERLET_BATCH + i] * spring[0][j] : spring[0][j];
        to[CAROM_VERLET_BATCH] = plane ? normal[i] * spring[0][j] : spring[1][j];
        to[2 * CAROM_VERLET_BATCH] = plane ? 0.0 : spring[2][j];
    }
}

/* --- what is given ----------------------------------------------------------------------------------------------- */

/* a force and the two torques to the bodies of contact i + l, or into its share; `plane` and `rubs` are known to the
 * compiler */
ALWAYS_INLINE void give(struct carom_verlet_bodies_work *w, const struct carom_verlet_lane_batch *batch, size_t i,
                        size_t l, const lane x[6], const lane y[6], bool plane, bool rubs)
{
    double *a = w->force + batch->a[i + l] * (plane ? 3 : 6), *b = w->force + batch->b[i + l] * (plane ? 3 : 6);
    if (w->share) {
        const size_t j = batch->contact[i + l];
        w->shares[j] = true;
        w->share[j] = (struct carom_verlet_share){{x[0][l], x[1][l], x[2][l]},
                                                  {{-y[3][l], -y[4][l], -y[5][l]}, {x[3][l], x[4][l], x[5][l]}}};
    } else if (!plane && rubs) {
        carom_lane_onto_six(a, y, l);
        carom_lane_onto_six(b, x, l);
    } else {
        carom_lane_onto(a, l == 0 ? carom_lane_first(y[0], y[1]) : carom_lane_second(y[0], y[1]));
        carom_lane_onto(b, l == 0 ? carom_lane_first(x[0], x[1]) : carom_lane_second(x[0], x[1]));
        if (!plane || rubs) { /* z of the force, or in the plane the torque */
            a[2] += y[plane ? 5 : 2][l];
            b[2] += x[plane ? 5 : 2][l];
        }
    }
}

ALWAYS_INLINE void push_some(struct carom_verlet_bodies_work *w, const struct carom_verlet_lane_batch *batch,
                             bool plane, bool rubs)
{
    for (size_t i = 0; i < batch->n; i += 2) {
        const lane3 n = carom_verlet_lane_load(batch->normal, i);
        lane3 force = carom_lane_times(carom_lane_load(batch->along + i), n), turn = {{0.0}, {0.0}, {0.0}};
        lane arm[2] = {{0.0}, {0.0}};
        if (rubs) {
            const lane3 aside = carom_verlet_lane_load(batch->aside, i);
            const lane half = 0.5 * carom_lane_load(batch->deform + i);
            force = carom_lane_add(force, aside);
            turn = carom_lane_cross(n, aside);
            for (int side = 0; side < 2; side++)
                arm[side] = half - carom_lane_load(batch->radius[side] + i);
        }
        const lane3 of_a = carom_lane_times(arm[0], turn), of_b = carom_lane_times(arm[1], turn);
        const lane on_b[6] = {force.x, force.y, force.z, of_b.x, of_b.y, of_b.z};
        const lane on_a[6] = {-force.x, -force.y, -force.z, of_a.x, of_a.y, of_a.z};
        give(w, batch, i, 0, on_b, on_a, plane, rubs);
        if (i + 1 < batch->n)
            give(w, batch, i, 1, on_b, on_a, plane, rubs);
    }
}

static void push(struct carom_verlet_bodies_work *w, const struct carom_verlet_lane_batch *batch)
{
    const bool plane = w->bodies->dimension == 2, rubs = batch->law->rubs;
    if (plane && rubs)
        push_some(w, batch, true, true);
    else if (plane)
        push_some(w, batch, true, false);
    else if (rubs)
        push_some(w, batch, false, true);
    else
        push_some(w, batch, false, false);
}

/* --- the start of a step ----------------------------------------------------------------------------------------- */

/* rates and normal forces at velocities of now */
static void press_normal(const struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                         struct carom_verlet_lane_batch *batch)
{
    for (size_t i = 0; i < batch->n; i += 2) {
        const struct carom_verlet_body *const a[2] = {&w->body[batch->a[i]], &w->body[batch->a[i + 1]]};
        const struct carom_verlet_body *const b[2] = {&w->body[batch->b[i]], &w->body[batch->b[i + 1]]};
        struct carom_verlet_contact *c0 = &w->contact[batch->contact[i]], *c1 = &w->contact[batch->contact[i + 1]];
        struct between moves;
        lane deform, root, unused;
        lane3 n;
        move_between(a, b, 2, &moves);
        if (batch->law->rubs)
            store_turns(batch, i, a, b);
        pair_up(carom_lane_load(&c0->deform), carom_lane_load(&c1->deform), &deform, &unused);
        pair_up(carom_lane_load(c0->normal), carom_lane_load(c1->normal), &n.x, &n.y);
        pair_up(carom_lane_load(c0->normal + 2), carom_lane_load(c1->normal + 2), &n.z, &root);
        const lane3 fly = {moves.x[4], moves.x[5], moves.x[3]};
        const lane k = take(c, batch, &batch->law->k, i), gamma = take(c, batch, &batch->law->gamma, i);
        const lane rate = -carom_lane_dot(fly, n), drag = 1.5 * gamma * k * root;
        c0->rate = rate[0];
        c1->rate = rate[1];
        carom_lane_store(batch->along + i, k * (deform * root) + drag * rate);
        carom_lane_store(batch->deform + i, deform);
        carom_lane_store(batch->root + i, root);
        carom_lane_store(batch->rate + i, rate);
        carom_verlet_lane_store(batch->normal, i, n);
        carom_verlet_lane_store(batch->fly, i, fly);
    }
}

void carom_verlet_lanes_press(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                              const uint32_t *contact, size_t n)
{
    struct carom_verlet_lane_batch batch;
    begin(w, c, contact, n, &batch);
    press_normal(w, c, &batch);
    if (batch.law->rubs) {
        take_springs(w, c, &batch, false);
        for (size_t i = 0; i < n; i += 2) {
            carom_lane_store(batch.k_t + i, take(c, &batch, &batch.law->k_t, i));
            carom_lane_store(batch.gamma_t + i, take(c, &batch, &batch.law->gamma_t, i));
        }
        carom_verlet_lanes_friction_moment(&batch, w->step_size);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < 3; k++)
                w->contact[batch.contact[i]].tangent[k] = batch.aside[k * CAROM_VERLET_BATCH + i];
    }
    push(w, &batch);
}

/* --- the end of a step ------------------------------------------------------------------------------------------- */

/* geometry at the end, and what is left of the start */
static void approach(const struct carom_verlet_bodies_work *w, struct carom_verlet_lane_batch *batch)
{
    for (size_t i = 0; i < batch->n; i += 2) {
        const struct carom_verlet_body *const a[2] = {&w->body[batch->a[i]], &w->body[batch->a[i + 1]]};
        const struct carom_verlet_body *const b[2] = {&w->body[batch->b[i]], &w->body[batch->b[i + 1]]};
        const struct carom_verlet_contact *c0 = &w->contact[batch->contact[i]];
        const struct carom_verlet_contact *c1 = &w->contact[batch->contact[i + 1]];
        struct between moves;
        lane3 normal;
        move_between(a, b, 0, &moves);
        const lane deform = meet(c0, c1, (lane3){moves.x[0], moves.x[1], moves.x[2]}, &normal);
        carom_lane_store(batch->deform + i, deform);
        carom_lane_store(batch->root + i, carom_lane_sqrt(carom_lane_positive(deform)));
        carom_verlet_lane_store(batch->normal, i, normal);
        if (!batch->law->rubs)
            continue;
        carom_verlet_lane_store(batch->fly, i, (lane3){moves.x[4], moves.x[5], moves.x[3]});
        store_turns(batch, i, a, b);
    }
}

/* what is known of the start */
static void recall(const struct carom_verlet_bodies_work *w, struct carom_verlet_lane_batch *batch)
{
    for (size_t i = 0; i < batch->n; i += 2) {
        const struct carom_verlet_contact *c0 = &w->contact[batch->contact[i]];
        const struct carom_verlet_contact *c1 = &w->contact[batch->contact[i + 1]];
        lane3 normal, force;
        lane deform, rate, root, unused;
        pair_up(carom_lane_load(&c0->deform), carom_lane_load(&c1->deform), &deform, &rate);
        pair_up(carom_lane_load(c0->normal), carom_lane_load(c1->normal), &normal.x, &normal.y);
        pair_up(carom_lane_load(c0->normal + 2), carom_lane_load(c1->normal + 2), &normal.z, &root);
        carom_lane_store(batch->deform0 + i, deform);
        carom_lane_store(batch->rate + i, rate);
        carom_lane_store(batch->root0 + i, root);
        if (!batch->law->rubs)
            continue;
        pair_up(carom_lane_load(c0->tangent), carom_lane_load(c1->tangent), &force.x, &force.y);
        pair_up(carom_lane_load(c0->tangent + 2), carom_lane_load(c1->tangent + 2), &force.z, &unused);
        carom_verlet_lane_store(batch->normal0, i, normal);
        carom_verlet_lane_store(batch->force0, i, force);
    }
}

/* second kicks along the normals, what dampers lose, and normal forces at both ends as friction wants them */
static void kick_normal(const struct carom_contacts *c, struct carom_verlet_lane_batch *batch, double h)
{
    const double half = 0.5 * h, often = 1.0 / h;
    for (size_t i = 0; i < batch->n; i += 2) {
        const lane k = take(c, batch, &batch->law->k, i), gamma = take(c, batch, &batch->law->gamma, i);
        const lane d0 = carom_lane_load(batch->deform0 + i), d1 = carom_lane_load(batch->deform + i);
        const lane root0 = carom_lane_load(batch->root0 + i), root1 = carom_lane_load(batch->root + i);
        const lane rate = carom_lane_load(batch->rate + i), mean = (d1 - d0) * often, steep = 1.5 * gamma * k;
        const lane elastic0 = k * (carom_lane_positive(d0) * root0), elastic1 = k * (carom_lane_positive(d1) * root1);
        const lane damper = gamma * (elastic1 - elastic0), drag = steep * root0 * rate;
        carom_lane_store(batch->along + i, half * elastic1 + damper - half * drag);
        carom_lane_store(batch->viscous + i, mean * damper);
        const lane last = carom_lane_pick(d0 > 0.0, 2.0 * mean - rate, mean);
        carom_lane_store(batch->pressed[0] + i, elastic0 + drag);
        carom_lane_store(batch->pressed[1] + i, elastic1 + steep * root1 * last);
    }
}

/* the contacts as the step leaves them */
static void keep(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                 const struct carom_verlet_lane_batch *batch)
{
    const bool plane = w->bodies->dimension == 2;
    double *viscous = carom_verlet_bodies_lost(w, c, CAROM_RETIRED_VISCOUS);
    double *friction = carom_verlet_bodies_lost(w, c, CAROM_RETIRED_FRICTION);
    double *change = carom_verlet_bodies_lost(w, c, CAROM_RETIRED_CHANGE);
    double *const *spring = c->column + w->columns.spring[CAROM_SLIDES];
    for (size_t i = 0; i < batch->n; i++) {
        const uint32_t j = batch->contact[i];
        struct carom_verlet_contact *contact = &w->contact[j];
        contact->deform = batch->deform[i];
        contact->root = batch->root[i];
        for (size_t k = 0; k < 3; k++)
            contact->normal[k] = batch->normal[k * CAROM_VERLET_BATCH + i];
        viscous[j] += batch->viscous[i];
        if (!batch->law->rubs)
            continue;
        friction[j] += batch->lost[i];
        change[j] += batch->change[i];
        if (plane)
            spring[0][j] = batch->normal[i] * batch->spring[CAROM_VERLET_BATCH + i] -
                           batch->normal[CAROM_VERLET_BATCH + i] * batch->spring[i];
        for (size_t k = 0; k < 3 && !plane; k++)
            spring[k][j] = batch->spring[k * CAROM_VERLET_BATCH + i];
    }
}

/* what is to be told of contacts: who opened or closed, and whether any is so deep that it must be looked at */
static void note(struct carom_verlet_bodies_work *w, const struct carom_verlet_lane_batch *batch,
                 struct carom_verlet_block *block)
{
    carom_lane_mask ended = {0}, switched = {0}, deep = {0};
    for (size_t i = 0; i < batch->n; i += 2) {
        const lane d0 = carom_lane_load(batch->deform0 + i), d1 = carom_lane_load(batch->deform + i);
        ended |= ~(d1 > 0.0);
        switched |= (d0 > 0.0) ^ (d1 > 0.0);
        deep |= ~(d1 <= 0.1 * w->smallest);
    }
    block->switched |= switched[0] || switched[1];
    block->ended |= ended[0] || ended[1];
    for (size_t i = 0; i < batch->n && (ended[0] || ended[1]); i++)
        if (!(batch->deform[i] > 0.0))
            w->live[batch->contact[i]] = CAROM_VERLET_ENDED;
    for (size_t i = 0; i < batch->n && (deep[0] || deep[1]); i++) {
        const double a = w->body[batch->a[i]].radius, b = w->body[batch->b[i]].radius;
        if (block->deep == SIZE_MAX && batch->deform[i] > 0.1 * fmin(a, b))
            block->deep = batch->contact[i];
        if (block->wrong == SIZE_MAX && !(a + b - batch->deform[i] > 0.1 * (a + b)))
            block->wrong = batch->contact[i];
    }
}

void carom_verlet_lanes_kick(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                             const uint32_t *contact, size_t n, double h, struct carom_verlet_block *block)
{
    struct carom_verlet_lane_batch batch;
    begin(w, c, contact, n, &batch);
    approach(w, &batch);
    recall(w, &batch);
    kick_normal(c, &batch, h);
    if (batch.law->rubs) {
        take_springs(w, c, &batch, true);
        for (size_t i = 0; i < n; i += 2) {
            carom_lane_store(batch.k_t + i, take(c, &batch, &batch.law->k_t, i));
            carom_lane_store(batch.gamma_t + i, take(c, &batch, &batch.law->gamma_t, i));
        }
        carom_verlet_lanes_friction_slide(&batch, h);
        carom_verlet_lanes_friction_kicks(&batch, w->step_size, h);
    }
    push(w, &batch);
    keep(w, c, &batch);
    note(w, &batch, block);
}
