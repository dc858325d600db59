/* The two passes of a step of verlet over balls in lanes, as many as registers hold where this is included: what
 * verlet_contacts.c does one by one, for spheres and discs after Hertz or Kuwabara and Kono with tangential springs
 * (src/law/friction_spring.h) or none. Batches are worked through in loops short enough to overlap in the processor. */
#ifndef CAROM_SCHEME_COMPLIANT_PACKING_VERLET_LANES_PASS_H
#define CAROM_SCHEME_COMPLIANT_PACKING_VERLET_LANES_PASS_H

#include "scheme/compliant/packing/verlet_lanes_friction.h"

struct carom_verlet_lane_batch {
    const uint32_t *contact; /* n of them */
    size_t n;
    struct carom_ball_few few[CAROM_VERLET_BATCH / CAROM_LANES];
};

/* --- geometry ---------------------------------------------------------------------------------------------------- */

/* balls whose centres have moved by du past each other */
ALWAYS_INLINE void approach(const double *const centres[CAROM_LANES], lane3 du, bool plane, struct carom_ball_few *f)
{
    lane3 apart;
    carom_verlet_two(centres, 0, &apart.x, &apart.y);
    carom_verlet_two(centres, 2, &apart.z, &f->length);
    carom_ball_approach(apart, du, plane, f);
}

/* --- the start of a step ----------------------------------------------------------------------------------------- */

/* what a few contacts at the start of a step leave for its end */
ALWAYS_INLINE void keep_start(const struct carom_verlet_bodies_work *w, const uint32_t j[CAROM_LANES], lane3 given,
                              lane rate)
{
    for (size_t l = 0; l < CAROM_LANES; l++) {
        double *start = w->start + (size_t)(CAROM_VERLET_TANGENT + 1) * j[l];
        carom_lane_duo_store(start, carom_lane_both(given.x, given.y, l));
        carom_lane_duo_store(start + 2, carom_lane_both(given.z, rate, l));
    }
}

/* friction on a; contacts at the cone are marked by the sign of their root */
ALWAYS_INLINE lane3 rub(const struct carom_verlet_bodies_work *w, const struct carom_verlet_lanes *law,
                        const struct carom_contacts *c, const uint32_t j[CAROM_LANES], lane3 slip, lane3 spring,
                        lane root, lane rate, lane pressed, bool plane)
{
    const lane k = carom_ball_friction_stiffness(&law->rub, carom_verlet_lane_take(c, &law->k_t, j), root);
    const lane damper =
        carom_verlet_lane_damper(w, carom_lane_all(law->weak), j, k * carom_verlet_lane_take(c, &law->gamma_t, j));
    lane3 kept;
    mask at_cone;
    const lane3 force =
        carom_ball_friction_press(k, damper, law->rub.mu, slip, spring, pressed, plane, &kept, &at_cone);
    keep_start(w, j, kept, rate);
    if (carom_lane_any(at_cone))
        for (size_t l = 0; l < CAROM_LANES; l++)
            if (at_cone[l])
                w->contact[j[l]].root = -root[l];
    return force;
}

/* contacts side by side at the start of a step */
ALWAYS_INLINE void press_few(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                             const struct carom_verlet_lanes *law, const uint32_t j[CAROM_LANES], size_t count,
                             bool plane, bool rubs)
{
    const struct carom_verlet_records r = carom_verlet_records_of(w, j);
    double *const *spring = c->column + w->columns.spring[CAROM_SLIDES];
    lane3 normal, aside = {{0.0}, {0.0}, {0.0}}, spin[2];
    lane root, deform, unused, arm[2] = {{0.0}, {0.0}};
    carom_verlet_two(r.contact, CAROM_VERLET_KEPT(normal[0]), &normal.x, &normal.y);
    carom_verlet_two(r.contact, CAROM_VERLET_KEPT(normal[2]), &normal.z, &root);
    carom_verlet_two(r.contact, CAROM_VERLET_KEPT(deform), &deform, &unused);
    const lane3 fly = carom_verlet_past(&r, CAROM_VERLET_SEEN(v[0]), plane);
    if (rubs) {
        spin[0] = carom_verlet_spin(r.a, plane, &arm[0]);
        spin[1] = carom_verlet_spin(r.b, plane, &arm[1]);
    }
    const lane k = carom_verlet_lane_take(c, &law->k, j), gamma = carom_verlet_lane_take(c, &law->gamma, j);
    const lane rate = -carom_ball_dot(fly, normal, plane);
    const lane along = carom_ball_press(k, gamma, root, deform, rate);
    if (rubs) {
        for (int side = 0; side < 2; side++)
            arm[side] -= 0.5 * deform;
        const lane3 slip = carom_ball_friction_slip(fly, rate, normal, spin, arm, plane);
        aside = rub(w, law, c, j, slip, carom_verlet_lane_springs(spring, plane, j, normal), root, rate, along, plane);
    }
    for (size_t l = 0; l < CAROM_LANES && !rubs; l++)
        *carom_verlet_rate(w, j[l]) = rate[l];
    carom_verlet_lane_push(w, j, count, normal, along, aside, arm, plane, rubs);
}

/* those left over by fours or twos: the last fills the other lanes */
ALWAYS_INLINE void fill(const uint32_t *contact, size_t n, uint32_t j[CAROM_LANES])
{
    for (size_t l = 0; l < CAROM_LANES; l++)
        j[l] = contact[l < n ? l : n - 1];
}

ALWAYS_INLINE void press_all(struct carom_verlet_bodies_work *w, const struct carom_contacts *c,
                             const uint32_t *contact, size_t n, size_t listed, bool plane, bool rubs)
{
    const struct carom_verlet_lanes law = w->lanes[c->key[contact[0]].pairing];
    double *const *spring = c->column + w->columns.spring[CAROM_SLIDES];
    size_t i = 0;
    for (; i + CAROM_LANES <= n; i += CAROM_LANES) {
        carom_verlet_call_for(w, contact, i, listed, false);
        for (size_t k = 0;
             rubs && i % CAROM_VERLET_OFTEN == 0 && i + CAROM_VERLET_LATER < listed && k < (plane ? 1 : 3); k++) {
            const size_t later = contact[i + CAROM_VERLET_LATER];
            __builtin_prefetch(spring[k] + later);
            if (k < 2) /* a line has two */
                __builtin_prefetch(w->start + (size_t)(CAROM_VERLET_TANGENT + 1) * later + 8 * k, 1);
        }
        press_few(w, c, &law, contact + i, CAROM_LANES, plane, rubs);
    }
    if (i < n) {
        uint32_t j[CAROM_LANES];
        fill(contact + i, n - i, j);
        press_few(w, c, &law, j, n - i, plane, rubs);
    }
}

static void press_some(struct carom_verlet_bodies_work *w, const struct carom_contacts *c, const uint32_t *contact,
                       size_t n, size_t listed)
{
    const bool plane = w->bodies->dimension == 2, rubs = w->lanes[c->key[contact[0]].pairing].rubs;
    if (plane && rubs)
        press_all(w, c, contact, n, listed, true, true);
    else if (plane)
        press_all(w, c, contact, n, listed, true, false);
    else if (rubs)
        press_all(w, c, contact, n, listed, false, true);
    else
        press_all(w, c, contact, n, listed, false, false);
}

/* --- the end of a step ------------------------------------------------------------------------------------------- */

/* what the start of the step has left: the rate, and what friction gave */
ALWAYS_INLINE void gather_start(const struct carom_verlet_bodies_work *w, const uint32_t j[CAROM_LANES], bool rubs,
                                struct carom_ball_few *f)
{
    const double *start[CAROM_LANES];
    for (size_t l = 0; l < CAROM_LANES; l++)
        start[l] = rubs ? w->start + (size_t)(CAROM_VERLET_TANGENT + 1) * j[l] : carom_verlet_rate(w, j[l]);
    if (!rubs) {
        f->rate = carom_lane_of(start);
        return;
    }
    carom_verlet_two(start, 0, &f->given.x, &f->given.y);
    carom_verlet_two(start, 2, &f->given.z, &f->rate);
}

/* all that a few contacts need of themselves and of their bodies */
ALWAYS_INLINE void gather(const struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                          const uint32_t j[CAROM_LANES], bool plane, bool rubs, struct carom_ball_few *f)
{
    const struct carom_verlet_records r = carom_verlet_records_of(w, j);
    approach(r.centres, carom_verlet_past(&r, CAROM_VERLET_SEEN(u[0]), plane), plane, f);
    carom_verlet_two(r.contact, CAROM_VERLET_KEPT(normal[2]), &f->normal0.z, &f->root0);
    carom_verlet_two(r.contact, CAROM_VERLET_KEPT(deform), &f->deform0, &f->rest);
    gather_start(w, j, rubs, f);
    if (!rubs)
        return;
    carom_verlet_two(r.contact, CAROM_VERLET_KEPT(normal[0]), &f->normal0.x, &f->normal0.y);
    f->fly = carom_verlet_past(&r, CAROM_VERLET_SEEN(v[0]), plane);
    f->spin[0] = carom_verlet_spin(r.a, plane, &f->radius[0]);
    f->spin[1] = carom_verlet_spin(r.b, plane, &f->radius[1]);
    f->spring = carom_verlet_lane_springs(from->column + w->columns.spring[CAROM_SLIDES], plane, j, f->normal0);
}

/* calls for what is carried from state to state of contacts that come later */
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
    if (i % (rubs ? CAROM_VERLET_OFTEN : 8) != 0 || i + CAROM_VERLET_LATER >= listed)
        return;
    for (size_t k = 0; k < (rubs ? plane ? 4 : 6 : 1); k++) {
        __builtin_prefetch(from->column[column[k]] + contact[i + CAROM_VERLET_LATER]);
        __builtin_prefetch(to->column[column[k]] + contact[i + CAROM_VERLET_LATER], 1);
    }
}

/* the second kicks of a few contacts that have met */
ALWAYS_INLINE void kick_few(struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                            const struct carom_contacts *to, const struct carom_verlet_lanes *law,
                            const uint32_t j[CAROM_LANES], size_t count, const struct carom_ball_few *f, double h,
                            bool plane, bool rubs)
{
    lane pressed, lost, arm[2] = {{0.0}, {0.0}};
    const lane k = carom_verlet_lane_take(from, &law->k, j), gamma = carom_verlet_lane_take(from, &law->gamma, j);
    const lane along = carom_ball_kick(k, gamma, h, f, &pressed, &lost);
    carom_verlet_lane_book(carom_verlet_bodies_lost(w, from, CAROM_RETIRED_VISCOUS),
                           carom_verlet_bodies_lost(w, to, CAROM_RETIRED_VISCOUS), j, lost);
    lane3 aside = f->normal;
    if (rubs) {
        const lane inside = 0.5 * f->deform;
        aside = rub_few(w, from, to, law, j, f, pressed, h, plane);
        arm[0] = f->radius[0] - inside;
        arm[1] = f->radius[1] - inside;
    }
    carom_verlet_lane_push(w, j, count, f->normal, along, aside, arm, plane, rubs);
    carom_verlet_lane_keep(w, j, f);
}

/* Numbers of a few contacts are gathered while roots are taken of those before: two chains that do not wait for each
 * other. */
ALWAYS_INLINE void kick_all(struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                            const struct carom_contacts *to, struct carom_verlet_lane_batch *batch, size_t listed,
                            double h, bool plane, bool rubs)
{
    const struct carom_verlet_lanes law = w->lanes[to->key[batch->contact[0]].pairing];
    const size_t n = batch->n, whole = n / CAROM_LANES;
    uint32_t rest[CAROM_LANES];
    for (size_t i = 0; i < whole; i++) {
        carom_verlet_call_for(w, batch->contact, CAROM_LANES * i, listed, true);
        call_for_columns(w, from, to, batch->contact, CAROM_LANES * i, listed, plane, rubs);
        gather(w, from, batch->contact + CAROM_LANES * i, plane, rubs, &batch->few[i]);
        if (i >= 1)
            carom_ball_meet_first(plane, &batch->few[i - 1]);
        if (i >= 2)
            carom_ball_meet_next(&batch->few[i - 2]);
        if (i >= 3)
            carom_ball_meet_last(&batch->few[i - 3]);
    }
    if (whole >= 1)
        carom_ball_meet_first(plane, &batch->few[whole - 1]);
    for (size_t i = whole >= 2 ? whole - 2 : 0; i < whole; i++)
        carom_ball_meet_next(&batch->few[i]);
    for (size_t i = whole >= 3 ? whole - 3 : 0; i < whole; i++)
        carom_ball_meet_last(&batch->few[i]);
    for (size_t i = 0; i < whole; i++)
        kick_few(w, from, to, &law, batch->contact + CAROM_LANES * i, CAROM_LANES, &batch->few[i], h, plane, rubs);
    if (CAROM_LANES * whole == n)
        return;
    fill(batch->contact + CAROM_LANES * whole, n - CAROM_LANES * whole, rest);
    gather(w, from, rest, plane, rubs, &batch->few[whole]);
    carom_ball_meet(plane, &batch->few[whole]);
    kick_few(w, from, to, &law, rest, n - CAROM_LANES * whole, &batch->few[whole], h, plane, rubs);
}

/* what is to be told of contacts: who opened or closed, and whether any is so deep that it must be looked at */
static void note_one(struct carom_verlet_bodies_work *w, size_t j, struct carom_verlet_block *block)
{
    const struct carom_verlet_contact *contact = &w->contact[j];
    const double a = carom_verlet_shown(w, contact->a)->radius, b = carom_verlet_shown(w, contact->b)->radius;
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
    for (size_t i = 0; i < batch->n; i += CAROM_LANES) {
        const struct carom_ball_few *p = &batch->few[i / CAROM_LANES];
        ended |= ~(p->deform > 0.0);
        switched |= (p->deform0 > 0.0) ^ (p->deform > 0.0);
        deep |= ~(p->deform <= 0.1 * w->smallest);
    }
    block->switched |= carom_lane_any(switched);
    block->ended |= carom_lane_any(ended);
    for (size_t i = 0; i < batch->n && carom_lane_any(ended | deep); i++)
        note_one(w, batch->contact[i], block);
}

static void kick_some(struct carom_verlet_bodies_work *w, const struct carom_contacts *from,
                      const struct carom_contacts *to, const uint32_t *contact, size_t n, size_t listed, double h,
                      struct carom_verlet_block *block)
{
    struct carom_verlet_lane_batch batch;
    batch.contact = contact;
    batch.n = n;
    const bool plane = w->bodies->dimension == 2, rubs = w->lanes[to->key[contact[0]].pairing].rubs;
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

#endif
