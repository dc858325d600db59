/* Bodies whose contacts come and go as an ordinary differential equation, for scheme dp5: springs, losses and works are
 * integrated with the motion. */
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "carom/friction.h"
#include "scheme/compliant/dp5_bodies.h"

enum { STAGES = CAROM_DORMAND_PRINCE_STAGES };

bool carom_bodies_rates_reserve(struct carom_stepper *stepper, size_t n)
{
    struct carom_dp5_bodies *w = stepper->work;
    if (!carom_act_reserve(&w->act, n) || !carom_act_reserve(&w->look, n > 0 ? n : 1))
        return false;
    w->n = n;
    w->ny = carom_dp5_bodies_losses(stepper) + CAROM_RETIRED_KINDS * n + 1;
    if (n <= w->room && w->y)
        return true;
    const size_t room = n + n / 4 + 16,
                 ny = stepper->model->nq + stepper->model->nv + (7 + CAROM_RETIRED_KINDS) * room + 1;
    double **all[STAGES + 3] = {&w->y, &w->trial, &w->dense};
    for (size_t s = 0; s < STAGES; s++)
        all[3 + s] = &w->step.k[s];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        carom_memory_free(*all[i]);
        if (!(*all[i] = carom_memory_zeroed(ny, sizeof(double))))
            return false;
    }
    w->room = 0;
    carom_memory_free_all(w->opening, w->pressed);
    w->opening = carom_memory_zeroed(room, sizeof *w->opening);
    w->pressed = carom_memory_zeroed(room, sizeof *w->pressed);
    if (!w->opening || !w->pressed)
        return false;
    for (int way = 0; way < CAROM_WAYS; way++) {
        carom_memory_free_all(w->slips[way], w->energy[way]);
        w->slips[way] = carom_memory_zeroed(room, sizeof *w->slips[way]);
        w->energy[way] = carom_memory_zeroed(room, sizeof *w->energy[way]);
        if (!w->slips[way] || !w->energy[way])
            return false;
    }
    w->room = room;
    return true;
}

/* --- the right-hand side ----------------------------------------------------------------------------------------- */

/* the list with its springs in y */
static void point_at(struct carom_stepper *stepper, const struct carom_contacts *contacts, double *y)
{
    struct carom_dp5_bodies *w = stepper->work;
    w->at = *contacts;
    memcpy(w->column, contacts->column, contacts->ncolumns * sizeof *w->column);
    w->at.column = w->column;
    for (int way = 0; way < CAROM_WAYS; way++) {
        for (size_t k = 0; k < w->act.columns.width[way]; k++)
            w->column[w->act.columns.spring[way] + k] = y + carom_dp5_bodies_springs(stepper, way) + k * w->n;
        for (size_t j = 0; j < w->n; j++) {
            const enum carom_contact_phase phase = carom_dp5_bodies_phase(w, j, (enum carom_way)way);
            w->slips[way][j] = phase != CAROM_CONTACT_STICKS && phase != CAROM_CONTACT_OPEN;
        }
    }
}

/* the law of contact j as it begins at touch: some push at once, by how fast they close */
static void begin_law(const struct carom_dp5_bodies *w, const struct carom_contacts *c, size_t j, double *elastic,
                      double *viscous, double *drag)
{
    const struct carom_law *law = w->bodies->pairing[c->key[j].pairing].law;
    const double *param[CAROM_LAW_WIDTH], *history[CAROM_LAW_WIDTH], deform = CAROM_TOUCH;
    for (size_t i = 0; i < w->bodies->nparams; i++)
        param[i] = c->column[w->act.columns.param + i] + j;
    for (size_t i = 0; i < law->nh; i++)
        history[i] = c->column[w->act.columns.history + i] + j;
    law->evaluate(&(struct carom_batch){.law = law,
                                        .n = 1,
                                        .param = param,
                                        .deform = &deform,
                                        .history = law->nh ? history : NULL,
                                        .elastic = elastic,
                                        .viscous = viscous,
                                        .drag = drag});
}

void carom_bodies_rates_note_jumps(struct carom_dp5_bodies *w, const struct carom_contacts *c)
{
    for (size_t p = 0; p < c->npairings; p++) {
        double elastic = 0.0, viscous = 0.0, drag = 0.0;
        if (c->first[p] == c->first[p + 1])
            continue;
        begin_law(w, c, c->first[p], &elastic, &viscous, &drag);
        w->jumps[p] = drag > 1e-100;
    }
}

void carom_bodies_rates_hold(const struct carom_dp5_bodies *w, struct carom_act *act, const struct carom_contacts *c)
{
    for (size_t j = 0; j < c->n; j++) {
        const bool open = c->column[w->act.columns.phase][j] == CAROM_CONTACT_OPEN;
        if (open && !carom_dp5_bodies_is_plain(w, &c->key[j]))
            act->deform[j] = act->elastic[j] = act->viscous[j] = act->drag[j] = 0.0;
        else if (!open && !(act->deform[j] > 0.0)) {
            act->deform[j] = CAROM_TOUCH;
            begin_law(w, c, j, &act->elastic[j], &act->viscous[j], &act->drag[j]);
        }
    }
}

/* how fast the normal of a contact turns, as a rotation, and the bodies' mean spin about it */
static void frame_spin(const struct carom_dp5_bodies *w, const struct carom_contact_key *key,
                       const struct carom_meeting *m, const double *q, const double *v, double spin[3])
{
    const struct carom_bodies *b = w->bodies;
    const struct carom_body *one = &b->body[key->a], *two = &b->body[key->b];
    const size_t nv = carom_bodies_nv(b);
    const double *va = v + key->a * nv, *vb = v + key->b * nv;
    double about = 0.0;
    carom_meet_turn(b, key, m, q, v, spin);
    const bool a_turns = one->inertia > 0.0, b_turns = two->inertia > 0.0;
    for (int k = 0; k < 3; k++)
        about += m->normal[k] * ((a_turns ? va[3 + k] : 0.0) + (b_turns ? vb[3 + k] : 0.0));
    about *= a_turns && b_turns ? 0.5 : 1.0;
    for (int k = 0; k < 3; k++)
        spin[k] += about * m->normal[k];
}

/* springs in space turn with their contact's plane */
static void turn_springs(struct carom_dp5_bodies *w, const double *q, const double *v, enum carom_way way, double *rate)
{
    for (size_t j = 0; j < w->n; j++) {
        double spin[3], spring[3], turned[3];
        if (!(w->act.deform[j] > 0.0))
            continue;
        for (int k = 0; k < 3; k++)
            spring[k] = w->at.column[w->act.columns.spring[way] + (size_t)k][j];
        frame_spin(w, &w->at.key[j], &w->act.meeting[j], q, v, spin);
        carom_vec_cross(spin, spring, turned);
        for (size_t k = 0; k < 3; k++)
            rate[k * w->n + j] += turned[k];
    }
}

/* of springs and of what friction takes; what springs push is added to the normal forces */
static void rub_rates(struct carom_stepper *stepper, const double *q, const double *v, double *dy)
{
    struct carom_dp5_bodies *w = stepper->work;
    const size_t n = w->n;
    double *lost = dy + carom_dp5_bodies_losses(stepper), *change = lost + CAROM_RETIRED_CHANGE * n;
    memset(lost + CAROM_RETIRED_FRICTION * n, 0, (CAROM_RETIRED_KINDS - CAROM_RETIRED_FRICTION) * n * sizeof(double));
    for (int way = 0; way < CAROM_WAYS; way++) {
        const size_t width = w->act.columns.width[way];
        double *rate = dy + carom_dp5_bodies_springs(stepper, way);
        for (size_t k = 0; k < width; k++)
            memcpy(rate + k * n, w->act.spring_rate[way][k], n * sizeof(double));
        if (width == 3)
            turn_springs(w, q, v, (enum carom_way)way, rate);
        for (size_t j = 0; width > 0 && j < n; j++) {
            lost[(size_t)(CAROM_RETIRED_FRICTION + way) * n + j] = w->act.friction_loss[way][j];
            change[j] += w->act.change[way][j];
            w->act.total[j] += w->act.push[way][j];
        }
    }
}

void carom_bodies_rates_evaluate(struct carom_stepper *stepper, const struct carom_state *state, double t, double *y,
                                 double *dy)
{
    struct carom_dp5_bodies *w = stepper->work;
    const struct carom_member *m = &stepper->model->member[0];
    const size_t nq = stepper->model->nq, n = w->n;
    double *q = y, *v = y + nq, *lost = dy + carom_dp5_bodies_losses(stepper);
    stepper->counts.evaluations++;
    carom_bodies_impose(w->bodies, t, q, v);
    point_at(stepper, state->contacts, y);
    w->collided = carom_act_place(&w->act, &w->at, q) < n;
    carom_bodies_rates_hold(w, &w->act, &w->at);
    for (int way = 0; way < CAROM_WAYS; way++)
        w->act.slips[way] = w->slips[way];
    carom_act_force(&w->act, &w->at, v);
    for (size_t j = 0; j < n; j++) {
        const enum carom_contact_phase phase = carom_dp5_bodies_phase(w, j, CAROM_SLIDES);
        const bool cut = phase == CAROM_CONTACT_CUT;
        const double rate = w->act.rate[j];
        /* one that is open may push by less than a grain, but has nothing to remember */
        lost[CAROM_RETIRED_VISCOUS * n + j] = cut || phase == CAROM_CONTACT_OPEN ? 0.0 : w->act.drag[j] * rate * rate;
        lost[CAROM_RETIRED_CLIPPED * n + j] =
            0.0; /* it is the change of what the law holds: carom_bodies_change_follow */
        w->act.total[j] = cut ? 0.0 : w->act.elastic[j] + w->act.drag[j] * rate;
    }
    carom_act_power(&w->act, &w->at, lost + CAROM_RETIRED_VISCOUS * n);
    rub_rates(stepper, q, v, dy);
    const bool rubs = w->bodies->frictional;
    double dissipated, work;
    m->part->flow(m->own, q, v, dy);
    m->part->force(m->own, t, q, v, NULL, w->force);
    carom_act_push(&w->act, &w->at, &w->search, w->act.total, rubs ? w->act.tangent : NULL, w->force);
    m->part->mass_solve(m->own, q, w->force, dy + nq);
    m->part->power(m->own, t, q, v, NULL, &dissipated, &work);
    dy[w->ny - 1] = work + carom_act_work(&w->act, &w->at, w->act.total, rubs ? w->act.tangent : NULL, v);
}

/* --- between the state and y ------------------------------------------------------------------------------------- */

void carom_bodies_rates_load(struct carom_stepper *stepper, const struct carom_state *state)
{
    struct carom_dp5_bodies *w = stepper->work;
    const struct carom_contacts *c = state->contacts;
    const size_t bytes = w->n * sizeof(double);
    memcpy(w->y, state->q, stepper->model->nq * sizeof(double));
    memcpy(w->y + stepper->model->nq, state->v, stepper->model->nv * sizeof(double));
    for (int way = 0; way < CAROM_WAYS; way++)
        for (size_t k = 0; k < w->act.columns.width[way]; k++)
            memcpy(w->y + carom_dp5_bodies_springs(stepper, way) + k * w->n, c->column[w->act.columns.spring[way] + k],
                   bytes);
    for (size_t i = 0; i < CAROM_RETIRED_KINDS; i++)
        memcpy(w->y + carom_dp5_bodies_losses(stepper) + i * w->n, c->column[w->act.columns.lost + i], bytes);
    w->y[w->ny - 1] = state->work[0];
}

void carom_bodies_rates_store(struct carom_stepper *stepper, const double *y, struct carom_state *state)
{
    struct carom_dp5_bodies *w = stepper->work;
    struct carom_contacts *c = state->contacts;
    const size_t bytes = w->n * sizeof(double);
    memcpy(state->q, y, stepper->model->nq * sizeof(double));
    memcpy(state->v, y + stepper->model->nq, stepper->model->nv * sizeof(double));
    for (int way = 0; way < CAROM_WAYS; way++)
        for (size_t k = 0; k < w->act.columns.width[way]; k++)
            memcpy(c->column[w->act.columns.spring[way] + k], y + carom_dp5_bodies_springs(stepper, way) + k * w->n,
                   bytes);
    for (size_t i = 0; i < CAROM_RETIRED_KINDS; i++)
        memcpy(c->column[w->act.columns.lost + i], y + carom_dp5_bodies_losses(stepper) + i * w->n, bytes);
    state->work[0] = y[w->ny - 1];
}
