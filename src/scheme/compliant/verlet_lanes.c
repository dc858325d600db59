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
#include "scheme/compliant/verlet_lanes_push.h"

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

/* Two contacts with their bodies. */
struct two {
    struct carom_verlet_contact *contact[2];
    const struct carom_verlet_body *a[2], *b[2];
};

ALWAYS_INLINE struct two two_of(const struct carom_verlet_bodies_work *w, uint32_t j0, uint32_t j1)
{
    struct carom_verlet_contact *c0 = &w->contact[j0], *c1 = &w->contact[j1];
    return (struct two){{c0, c1}, {&w->body[c0->a], &w->body[c1->a]}, {&w->body[c0->b], &w->body[c1->b]}};
}

/* numbers k and k + 1 of both bodies: differences of what moves them, and sums of what turns them */
ALWAYS_INLINE void apart(const struct two *t, int k, lane *x, lane *y)
{
    pair_up(carom_lane_load(t->b[0]->moves + k) - carom_lane_load(t->a[0]->moves + k),
            carom_lane_load(t->b[1]->moves + k) - carom_lane_load(t->a[1]->moves + k), x, y);
}

ALWAYS_INLINE void sum(const struct two *t, int k, lane *x, lane *y)
{
    pair_up(carom_lane_load(t->b[0]->turns + k) + carom_lane_load(t->a[0]->turns + k),
            carom_lane_load(t->b[1]->turns + k) + carom_lane_load(t->a[1]->turns + k), x, y);
}

ALWAYS_INLINE void spins(const struct two *t, lane3 *turn, lane3 *spin)
{
    sum(t, 0, &turn->x, &turn->y);
    sum(t, 2, &turn->z, &spin->z);
    sum(t, 4, &spin->x, &spin->y);
}

/* radii of a and b; returns how fast an impulse of 1 makes them slip */
ALWAYS_INLINE lane radii(const struct two *t, lane radius[2])
{
    lane mobility[2];
    pair_up(carom_lane_load(&t->a[0]->radius), carom_lane_load(&t->a[1]->radius), &radius[0], &mobility[0]);
    pair_up(carom_lane_load(&t->b[0]->radius), carom_lane_load(&t->b[1]->radius), &radius[1], &mobility[1]);
    return mobility[0] + mobility[1];
}

/* as the last step left them: overlap, its rate and root, normal */
struct left {
    lane deform, rate, root;
    lane3 normal;
};

ALWAYS_INLINE struct left recall(const struct two *t)
{
    const struct carom_verlet_contact *c0 = t->contact[0], *c1 = t->contact[1];
    struct left left;
    left.deform = (lane){c0->deform, c1->deform};
    left.rate = (lane){c0->rate, c1->rate};
    pair_up(carom_lane_load(c0->normal), carom_lane_load(c1->normal), &left.normal.x, &left.normal.y);
    pair_up(carom_lane_load(c0->normal + 2), carom_lane_load(c1->normal + 2), &left.normal.z, &left.root);
    return left;
}

/* --- batches ----------------------------------------------------------------------------------------------------- */

/* springs as vectors of space; in the plane their one number counts along the tangent */
ALWAYS_INLINE lane3 take_springs(double *const *spring, bool plane, uint32_t j0, uint32_t j1, lane3 normal)
{
    const lane zero = {0.0, 0.0}, first = {spring[0][j0], spring[0][j1]};
    if (plane)
        return (lane3){-normal.y * first, normal.x * first, zero};
    return (lane3){first, {spring[1][j0], spring[1][j1]}, {spring[2][j0], spring[2][j1]}};
}

/* --- the start of a step ----------------------------------------------------------------------------------------- */

ALWAYS_INLINE lane3 one_by_one(const struct two *two, lane3 x)
{
    carom_lane_store(two->contact[0]->tangent, carom_lane_first(x.x, x.y));
    carom_lane_store(two->contact[1]->tangent, carom_lane_second(x.x, x.y));
    two->contact[0]->tangent[2] = x.z[0];
    two->contact[1]->tangent[2] = x.z[1];
    return x;
}

/* `plane` and `rubs` are known to the compiler */
ALWAYS_INLINE void press(struct carom_verlet_bodies_work *w, const struct carom_contacts *c, const uint32_t *contact,
                         size_t n, bool plane, bool rubs)
{
    const struct carom_verlet_lanes *law = &w->lanes[c->key[contact[0]].pairing];
    double *const *spring = c->column + w->columns.spring[CAROM_SLIDES];
    for (size_t i = 0; i < n; i += 2) {
        const uint32_t j0 = contact[i], j1 = contact[i + 1 < n ? i + 1 : i];
        const struct two two = two_of(w, j0, j1);
        const struct left now = recall(&two);
        const lane k = carom_verlet_lane_take(c, &law->k, j0, j1),
                   gamma = carom_verlet_lane_take(c, &law->gamma, j0, j1);
        lane3 fly, aside = {{0.0}, {0.0}, {0.0}};
        lane unused, arm[2] = {{0.0}, {0.0}};
        apart(&two, 4, &fly.x, &fly.y);
        apart(&two, 2, &unused, &fly.z);
        const lane rate = -carom_lane_dot(fly, now.normal);
        const lane along = k * (carom_lane_positive(now.deform) * now.root) + 1.5 * gamma * k * now.root * rate;
        two.contact[0]->rate = rate[0];
        two.contact[1]->rate = rate[1];
        if (rubs) {
            struct carom_verlet_lane_slip slip = {.normal = now.normal, .fly = fly, .rate = rate, .pressed = along};
            slip.mobility = radii(&two, arm);
            slip.k_t = carom_verlet_lane_take(c, &law->k_t, j0, j1);
            slip.gamma_t = carom_verlet_lane_take(c, &law->gamma_t, j0, j1);
            slip.deform = now.deform;
            slip.root = now.root;
            slip.spring = take_springs(spring, plane, j0, j1, now.normal);
            spins(&two, &slip.turn, &slip.spin);
            aside = one_by_one(&two, carom_verlet_lane_friction(law, &slip, w->step_size));
            for (int side = 0; side < 2; side++)
                arm[side] -= 0.5 * now.deform;
        }
        carom_verlet_lane_push(w, j0, j1, now.normal, along, aside, arm, plane, rubs);
    }
}

void carom_verlet_lanes_press(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                              const uint32_t *contact, size_t n)
{
    const bool plane = w->bodies->dimension == 2, rubs = w->lanes[c->key[contact[0]].pairing].rubs;
    if (plane && rubs)
        press(w, c, contact, n, true, true);
    else if (plane)
        press(w, c, contact, n, true, false);
    else if (rubs)
        press(w, c, contact, n, false, true);
    else
        press(w, c, contact, n, false, false);
}

/* --- the end of a step ------------------------------------------------------------------------------------------- */

/* geometry at the end, and what is left of the start */
ALWAYS_INLINE void approach(const struct carom_verlet_bodies_work *w, struct carom_verlet_lane_pair *p, bool rubs)
{
    const struct two two = two_of(w, p->j[0], p->j[1]);
    const struct left was = recall(&two);
    lane3 du;
    apart(&two, 0, &du.x, &du.y);
    apart(&two, 2, &du.z, &p->fly.z);
    p->deform0 = was.deform;
    p->root0 = was.root;
    p->rate = was.rate;
    p->deform = meet(two.contact[0], two.contact[1], du, &p->normal);
    if (!rubs)
        return;
    p->normal0 = was.normal;
    p->mobility = radii(&two, p->arm);
    apart(&two, 4, &p->fly.x, &p->fly.y);
    spins(&two, &p->turn, &p->spin);
    pair_up(carom_lane_load(two.contact[0]->tangent), carom_lane_load(two.contact[1]->tangent), &p->force0.x,
            &p->force0.y);
    p->force0.z = (lane){two.contact[0]->tangent[2], two.contact[1]->tangent[2]};
}

/* a contact as the step leaves it */
ALWAYS_INLINE void keep(struct carom_verlet_contact *contact, const struct carom_verlet_lane_pair *p, size_t l)
{
    const lane3 n = p->normal;
    contact->deform = p->deform[l];
    carom_lane_store(contact->normal, l == 0 ? carom_lane_first(n.x, n.y) : carom_lane_second(n.x, n.y));
    carom_lane_store(contact->normal + 2, l == 0 ? carom_lane_first(n.z, p->root) : carom_lane_second(n.z, p->root));
}

/* second kicks along the normals; what dampers lose goes from state to state */
ALWAYS_INLINE void kick(const struct carom_verlet_lanes *law, const struct carom_contacts *c,
                        struct carom_verlet_lane_pair *p, const double *lost, double *viscous, double h)
{
    const uint32_t j0 = p->j[0], j1 = p->j[1];
    const lane k = carom_verlet_lane_take(c, &law->k, j0, j1), gamma = carom_verlet_lane_take(c, &law->gamma, j0, j1);
    const lane closed = carom_lane_positive(p->deform), mean = (p->deform - p->deform0) * (1.0 / h);
    const lane steep = 1.5 * gamma * k, drag = steep * p->root0 * p->rate;
    p->root = carom_lane_sqrt(closed);
    const lane elastic0 = k * (carom_lane_positive(p->deform0) * p->root0), elastic = k * (closed * p->root);
    const lane damper = gamma * (elastic - elastic0),
               last = carom_lane_pick(p->deform0 > 0.0, 2.0 * mean - p->rate, mean);
    const lane gone = mean * damper;
    p->along = 0.5 * h * elastic + damper - 0.5 * h * drag;
    p->pressed0 = elastic0 + drag;
    p->pressed = elastic + steep * p->root * last;
    viscous[j0] = lost[j0] + gone[0];
    viscous[j1] = lost[j1] + gone[1];
}

/* `plane` and `rubs` are known to the compiler */
ALWAYS_INLINE void kick_all(struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                            const struct carom_contacts *to, struct carom_verlet_lane_batch *batch, double h,
                            bool plane, bool rubs)
{
    double *const *spring = from->column + w->columns.spring[CAROM_SLIDES];
    const double *lost = carom_verlet_bodies_lost(w, from, CAROM_RETIRED_VISCOUS);
    double *viscous = carom_verlet_bodies_lost(w, to, CAROM_RETIRED_VISCOUS);
    const lane none[2] = {{0.0}, {0.0}};
    for (size_t i = 0; i < batch->n; i++)
        approach(w, &batch->pair[i], rubs);
    for (size_t i = 0; i < batch->n; i++) {
        struct carom_verlet_lane_pair *p = &batch->pair[i];
        kick(batch->law, from, p, lost, viscous, h);
        keep(&w->contact[p->j[0]], p, 0);
        keep(&w->contact[p->j[1]], p, 1);
        if (rubs)
            p->spring = take_springs(spring, plane, p->j[0], p->j[1], p->normal0);
        else
            carom_verlet_lane_push(w, p->j[0], p->j[1], p->normal, p->along, p->normal, none, plane, rubs);
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
    for (size_t i = 0; i < batch->n; i++) {
        const struct carom_verlet_lane_pair *p = &batch->pair[i];
        ended |= ~(p->deform > 0.0);
        switched |= (p->deform0 > 0.0) ^ (p->deform > 0.0);
        deep |= ~(p->deform <= 0.1 * w->smallest);
    }
    block->switched |= carom_verlet_lane_any(switched);
    block->ended |= carom_verlet_lane_any(ended);
    for (size_t i = 0; i < batch->n && carom_verlet_lane_any(ended | deep); i++) {
        note_one(w, batch->pair[i].j[0], block);
        note_one(w, batch->pair[i].j[1], block);
    }
}

void carom_verlet_lanes_kick(struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                             const struct carom_contacts *to, const uint32_t *contact, size_t n, double h,
                             struct carom_verlet_block *block)
{
    struct carom_verlet_lane_batch batch;
    batch.n = (n + 1) / 2;
    batch.law = &w->lanes[to->key[contact[0]].pairing];
    for (size_t i = 0; i < batch.n; i++) {
        batch.pair[i].j[0] = contact[2 * i];
        batch.pair[i].j[1] = contact[2 * i + 1 < n ? 2 * i + 1 : 2 * i];
    }
    const bool plane = w->bodies->dimension == 2, rubs = batch.law->rubs;
    if (plane && rubs)
        kick_all(w, from, to, &batch, h, true, true);
    else if (plane)
        kick_all(w, from, to, &batch, h, true, false);
    else if (rubs)
        kick_all(w, from, to, &batch, h, false, true);
    else
        kick_all(w, from, to, &batch, h, false, false);
    note(w, &batch, block);
}
