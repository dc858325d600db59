/* Contacts at work, see act.h. */
#include "model/bodies/act.h"

#include "base/memory.h"
#include "base/sum.h"
#include "base/vec.h"
#include "carom/friction.h"
#include "carom/law.h"

void carom_act_open(struct carom_act *act, const struct carom_bodies *bodies)
{
    *act = (struct carom_act){.bodies = bodies, .columns = carom_list_columns(bodies)};
}

enum { ALONE = 7, MOST = ALONE + CAROM_WAYS * 12 };

/* the arrays that the model's contacts need */
static size_t arrays_of(struct carom_act *act, double **all[MOST])
{
    double **const alone[ALONE] = {&act->total,   &act->deform, &act->rate,  &act->elastic,
                                   &act->viscous, &act->drag,   &act->normal};
    size_t n = 0;
    for (int i = 0; i < ALONE; i++)
        all[n++] = alone[i];
    for (int way = 0; way < CAROM_WAYS; way++) {
        if (act->columns.width[way] == 0)
            continue;
        all[n++] = &act->push[way];
        all[n++] = &act->friction_loss[way];
        all[n++] = &act->change[way];
        for (size_t k = 0; k < act->columns.width[way]; k++) {
            all[n++] = &act->slip[way][k];
            all[n++] = &act->tangent[way][k];
            if (act->rates)
                all[n++] = &act->spring_rate[way][k];
        }
    }
    return n;
}

void carom_act_close(struct carom_act *act)
{
    double **all[MOST];
    const size_t n = arrays_of(act, all);
    for (size_t i = 0; i < n; i++)
        carom_memory_free(*all[i]);
    carom_memory_free(act->meeting);
    *act = (struct carom_act){0};
}

bool carom_act_reserve(struct carom_act *act, size_t n)
{
    double **all[MOST];
    if (n <= act->room && act->meeting)
        return true;
    const size_t room = n + n / 4 + 16, arrays = arrays_of(act, all);
    for (size_t i = 0; i < arrays; i++)
        if (!carom_memory_widen(all[i], act->room, room, sizeof(double)))
            return false;
    if (!carom_memory_widen(&act->meeting, act->room, room, sizeof *act->meeting))
        return false;
    act->room = room;
    return true;
}

/* contacts [first, first + n) of one pairing under its law */
static void evaluate(const struct carom_bodies *b, const struct carom_contacts *c, size_t p, size_t first, size_t n,
                     const double *deform, const double *rate, const struct carom_response *out)
{
    const struct carom_law *law = b->pairing[p].law;
    const struct carom_columns columns = carom_list_columns(b);
    const double *param[CAROM_LAW_WIDTH], *history[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < b->nparams; i++)
        param[i] = c->column[columns.param + i] + first;
    for (size_t i = 0; i < law->nh; i++)
        history[i] = c->column[columns.history + i] + first;
    const struct carom_batch batch = {.law = law,
                                      .n = n,
                                      .param = param,
                                      .deform = deform,
                                      .rate = rate,
                                      .history = law->nh ? history : NULL,
                                      .elastic = out->elastic,
                                      .viscous = out->viscous,
                                      .drag = out->drag,
                                      .power = out->power,
                                      .energy = out->energy};
    law->evaluate(&batch);
}

size_t carom_act_place(struct carom_act *act, const struct carom_contacts *c, const double *q)
{
    size_t wrong = c->n;
    for (size_t j = 0; j < c->n; j++) {
        if (!carom_meet(act->bodies, &c->key[j], q, &act->meeting[j]) && wrong == c->n)
            wrong = j;
        act->deform[j] = -act->meeting[j].gap;
    }
    for (size_t p = 0; p < c->npairings; p++) {
        const size_t first = c->first[p], n = c->first[p + 1] - first;
        const struct carom_response want = {
            .elastic = act->elastic + first, .viscous = act->viscous + first, .drag = act->drag + first};
        if (n > 0)
            evaluate(act->bodies, c, p, first, n, act->deform + first, NULL, &want);
    }
    return wrong;
}

/* walls have no radius worth the name: containers are larger than what they hold */
static double smaller_radius(const struct carom_body *a, const struct carom_body *b)
{
    const double ra = a->surface == CAROM_BALL && !a->inside ? a->radius : HUGE_VAL;
    return fmin(ra, b->surface == CAROM_BALL && !b->inside ? b->radius : HUGE_VAL);
}

void carom_act_deep(const struct carom_act *act, const struct carom_contacts *c, double t, struct carom_deep *deep)
{
    const struct carom_body *body = act->bodies->body;
    for (size_t j = 0; j < c->n && !deep->found; j++) {
        const struct carom_contact_key *key = &c->key[j];
        if (act->deform[j] > 0.0 && act->deform[j] > 0.1 * smaller_radius(&body[key->a], &body[key->b]))
            *deep = (struct carom_deep){true, key->a, key->b, t, act->deform[j]};
    }
}

/* --- ways of giving way ------------------------------------------------------------------------------------------ */

void carom_act_spatial(const struct carom_act *act, const struct carom_meeting *m, const double *tangential,
                       double vector[3])
{
    const bool plane = act->bodies->dimension == 2;
    vector[0] = plane ? -m->normal[1] * tangential[0] : tangential[0];
    vector[1] = plane ? m->normal[0] * tangential[0] : tangential[1];
    vector[2] = plane ? 0.0 : tangential[2];
}

/* the torque on b of what resists rolling and twisting; false: nothing does */
static inline bool torque_of(const struct carom_act *act, const struct carom_contacts *c, size_t j,
                             double *(*tangent)[3], double torque[3])
{
    const struct carom_bodies *b = act->bodies;
    const size_t rolls = act->columns.width[CAROM_ROLLS], twists = act->columns.width[CAROM_TWISTS];
    if (!tangent || rolls + twists == 0)
        return false;
    const double lever = carom_meet_lever(&b->body[c->key[j].a], &b->body[c->key[j].b]);
    const double about = twists > 0 ? lever * tangent[CAROM_TWISTS][0][j] : 0.0;
    for (int k = 0; k < 3; k++)
        torque[k] = about * act->meeting[j].normal[k];
    for (size_t k = 0; k < rolls; k++)
        torque[rolls == 1 ? 2 : k] += lever * tangent[CAROM_ROLLS][k][j];
    return true;
}

/* --- forces ------------------------------------------------------------------------------------------------------ */

/* n contacts of pairing p from `first` on */
static void rub(struct carom_act *act, const struct carom_contacts *c, size_t p, size_t first, size_t n,
                enum carom_way way)
{
    const struct carom_friction *friction = carom_pairing_resists(&act->bodies->pairing[p], way);
    const size_t width = act->columns.width[way];
    const double *param[CAROM_FRICTION_PARAMS], *slip[3], *spring[3];
    double *force[3], *spring_rate[3];
    if (!friction)
        return;
    for (size_t i = 0; i < act->bodies->nrub[way]; i++)
        param[i] = c->column[act->columns.rub[way] + i] + first;
    for (size_t k = 0; k < width; k++) {
        slip[k] = act->slip[way][k] + first;
        spring[k] = c->column[act->columns.spring[way] + k] + first;
        force[k] = act->tangent[way][k] + first;
        spring_rate[k] = act->rates ? act->spring_rate[way][k] + first : NULL;
    }
    const struct carom_friction_moment moment = {.n = n,
                                                 .width = width,
                                                 .param = param,
                                                 .deform = act->deform + first,
                                                 .rate = act->rate + first,
                                                 .normal = act->normal + first,
                                                 .slip = slip,
                                                 .spring = spring,
                                                 .force = force,
                                                 .slips = act->slips[way] ? act->slips[way] + first : NULL,
                                                 .short_time = act->short_time,
                                                 .step = act->step,
                                                 .mobility = c->column[act->columns.mobility[way]] + first,
                                                 .push = act->push[way] + first,
                                                 .spring_rate = act->rates ? spring_rate : NULL,
                                                 .power = act->rates ? act->friction_loss[way] + first : NULL,
                                                 .change = act->rates ? act->change[way] + first : NULL};
    friction->moment(&moment);
}

/* how fast contact j gives way in one of the ways, nothing resisting it yet */
static void rest(struct carom_act *act, size_t j, enum carom_way way, const double *slip)
{
    act->push[way][j] = act->friction_loss[way][j] = act->change[way][j] = 0.0;
    for (size_t k = 0; k < act->columns.width[way]; k++) {
        act->slip[way][k][j] = slip[k];
        act->tangent[way][k][j] = 0.0;
        if (act->rates)
            act->spring_rate[way][k][j] = 0.0;
    }
}

/* rates and normal force of contact j */
static void press(struct carom_act *act, const struct carom_contacts *c, size_t j, const double *v)
{
    const struct carom_contact_key *key = &c->key[j];
    const struct carom_meeting *m = &act->meeting[j];
    const bool closed = act->deform[j] > 0.0;
    double vector[3] = {0.0}, slip[3] = {0.0};
    act->rate[j] = closed ? -carom_meet_slip(act->bodies, key, m, v, vector) : 0.0;
    act->normal[j] = closed ? act->elastic[j] + act->drag[j] * act->rate[j] : 0.0;
    if (act->bodies->pairing[key->pairing].ending == CAROM_END_FORCE && !(act->normal[j] > 0.0))
        act->normal[j] = 0.0;
    act->total[j] = act->normal[j];
    for (int way = 0; way < CAROM_WAYS; way++) {
        if (act->columns.width[way] == 0)
            continue;
        if (closed && way == CAROM_SLIDES)
            carom_meet_tangential(act->bodies->dimension == 2, m, vector, slip);
        else if (closed)
            carom_meet_way(act->bodies, key, m, v, (enum carom_way)way, slip);
        rest(act, j, (enum carom_way)way, slip);
    }
}

void carom_act_force(struct carom_act *act, const struct carom_contacts *c, const double *v)
{
    for (size_t j = 0; j < c->n; j++)
        press(act, c, j, v);
    for (size_t p = 0; act->bodies->frictional && p < c->npairings; p++)
        for (int way = 0; way < CAROM_WAYS; way++) {
            const size_t first = c->first[p], n = c->first[p + 1] - first;
            if (n == 0 || act->columns.width[way] == 0)
                continue;
            rub(act, c, p, first, n, (enum carom_way)way);
            for (size_t j = first; j < first + n; j++)
                act->total[j] += act->push[way][j];
        }
}

void carom_act_power(const struct carom_act *act, const struct carom_contacts *c, double *power)
{
    for (size_t p = 0; p < c->npairings; p++) {
        const size_t first = c->first[p], n = c->first[p + 1] - first;
        const struct carom_response want = {.power = power + first};
        if (n > 0 && act->bodies->pairing[p].law->nh > 0)
            evaluate(act->bodies, c, p, first, n, act->deform + first, act->rate + first, &want);
    }
}

static bool turns(const struct carom_body *body)
{
    return body->inertia > 0.0;
}

/* the sliding friction of contact j on b as a vector of space */
static void across_of(const struct carom_act *act, size_t j, double *(*tangent)[3], double across[3])
{
    double tangential[3] = {0.0};
    across[0] = across[1] = across[2] = 0.0;
    if (!tangent || act->columns.width[CAROM_SLIDES] == 0)
        return;
    for (size_t k = 0; k < act->columns.width[CAROM_SLIDES]; k++)
        tangential[k] = tangent[CAROM_SLIDES][k][j];
    carom_act_spatial(act, &act->meeting[j], tangential, across);
}

/* pushes of all contacts on body i, in their order; whether it is of the plane is known to the compiler */
static inline void push_on(const struct carom_act *act, const struct carom_contacts *c,
                           const struct carom_search *search, size_t i, const double *normal, double *(*tangent)[3],
                           bool plane, double *g)
{
    const bool rubs = tangent && act->columns.width[CAROM_SLIDES] > 0;
    const bool tumbles = carom_bodies_tumbles(&act->bodies->body[i]);
    const bool spins = tumbles || (tangent && turns(&act->bodies->body[i]));
    double force[3] = {g[0], g[1], plane ? 0.0 : g[2]}, moment[3] = {0.0, 0.0, g[plane ? 2 : 5]};
    for (int k = 0; k < 2 && !plane; k++)
        moment[k] = g[3 + k];
    for (size_t at = search->first[i]; at < search->first[i + 1]; at++) {
        const size_t j = search->side[at] / 2;
        const bool second = search->side[at] & 1;
        const double sign = second ? 1.0 : -1.0;
        const struct carom_meeting *m = &act->meeting[j];
        double across[3] = {0.0, 0.0, 0.0}, torque[3], turning[3] = {0.0};
        for (int k = 0; k < (plane ? 1 : 3) && rubs; k++)
            across[k] = sign * tangent[CAROM_SLIDES][k][j];
        if (plane) {
            across[1] = m->normal[0] * across[0];
            across[0] *= -m->normal[1];
        }
        for (int k = 0; k < 3; k++)
            force[k] += sign * normal[j] * m->normal[k] + across[k];
        if (!spins)
            continue;
        for (int k = 0; k < 3 && tumbles; k++) /* normals of balls go through their centres */
            across[k] += sign * normal[j] * m->normal[k];
        carom_vec_cross(m->arm[second], across, torque);
        if (torque_of(act, c, j, tangent, turning))
            for (int k = 0; k < 3; k++)
                torque[k] += sign * turning[k];
        for (int k = 0; k < 3; k++)
            moment[k] += torque[k];
    }
    for (int k = 0; k < (plane ? 2 : 3); k++)
        g[k] = force[k];
    for (int k = plane ? 2 : 0; k < 3; k++)
        g[plane ? 2 : 3 + k] = moment[k];
}

void carom_act_push(const struct carom_act *act, const struct carom_contacts *c, const struct carom_search *search,
                    const double *normal, double *(*tangent)[3], double *f)
{
    const size_t nv = carom_bodies_nv(act->bodies);
    for (size_t i = 0; i < act->bodies->n; i++)
        if (act->bodies->dimension == 2)
            push_on(act, c, search, i, normal, tangent, true, f + i * nv);
        else
            push_on(act, c, search, i, normal, tangent, false, f + i * nv);
}

double carom_act_power_on(const struct carom_bodies *b, size_t i, const double arm[3], const double force[3],
                          const double torque[3], const double *v)
{
    const double *w = v + i * carom_bodies_nv(b), plane[3] = {0.0, 0.0, w[2]};
    const double *spin = b->dimension == 2 ? plane : w + 3;
    double velocity[3];
    carom_vec_cross(spin, arm, velocity);
    for (size_t k = 0; k < b->dimension; k++)
        velocity[k] += w[k];
    return carom_vec_dot(velocity, force) + carom_vec_dot(spin, torque);
}

double carom_act_work(const struct carom_act *act, const struct carom_contacts *c, const double *normal,
                      double *(*tangent)[3], const double *v)
{
    const struct carom_bodies *b = act->bodies;
    struct carom_sum sum = {0.0, 0.0};
    for (size_t j = 0; b->nleads > 0 && j < c->n; j++) {
        const size_t side[2] = {c->key[j].a, c->key[j].b};
        double force[3], torque[3] = {0.0, 0.0, 0.0};
        if (b->body[side[0]].lead < 0 && b->body[side[1]].lead < 0)
            continue;
        across_of(act, j, tangent, force);
        torque_of(act, c, j, tangent, torque);
        for (int k = 0; k < 3; k++)
            force[k] += normal[j] * act->meeting[j].normal[k];
        for (int s = 0; s < 2; s++) /* on side b the force, on side a its opposite; what it takes, the lead puts in */
            if (b->body[side[s]].lead >= 0)
                carom_sum_add(&sum, (s == 1 ? -1.0 : 1.0) *
                                        carom_act_power_on(b, side[s], act->meeting[j].arm[s], force, torque, v));
    }
    return carom_sum_value(&sum);
}

/* --- energy ------------------------------------------------------------------------------------------------------ */

enum { BLOCK = 128 };

/* what springs hold that resist one way, added to the energies of n contacts from `first` on */
static void add_springs(const struct carom_bodies *b, const struct carom_contacts *c, size_t p, enum carom_way way,
                        size_t first, size_t n, const double *deform, double *energy)
{
    const struct carom_columns columns = carom_list_columns(b);
    const struct carom_friction *friction = carom_pairing_resists(&b->pairing[p], way);
    const double zero[BLOCK] = {0.0}, *param[CAROM_FRICTION_PARAMS], *spring[3], *still[3] = {zero, zero, zero};
    double held[BLOCK];
    if (!friction || !friction->spring)
        return;
    for (size_t i = 0; i < b->nrub[way]; i++)
        param[i] = c->column[columns.rub[way] + i] + first;
    for (size_t k = 0; k < columns.width[way]; k++)
        spring[k] = c->column[columns.spring[way] + k] + first;
    friction->moment(&(struct carom_friction_moment){.n = n,
                                                     .width = columns.width[way],
                                                     .param = param,
                                                     .deform = deform,
                                                     .rate = zero,
                                                     .normal = zero,
                                                     .slip = still,
                                                     .spring = spring,
                                                     .energy = held});
    for (size_t j = 0; j < n; j++)
        energy[j] += held[j];
}

double carom_act_energy(const struct carom_bodies *b, const struct carom_contacts *c, const double *q)
{
    struct carom_sum sum = {0.0, 0.0};
    for (size_t p = 0; p < c->npairings; p++)
        for (size_t first = c->first[p]; first < c->first[p + 1]; first += BLOCK) {
            const size_t left = c->first[p + 1] - first, n = left < BLOCK ? left : BLOCK;
            double deform[BLOCK], energy[BLOCK];
            struct carom_meeting meeting;
            for (size_t j = 0; j < n; j++) {
                carom_meet(b, &c->key[first + j], q, &meeting);
                deform[j] = -meeting.gap;
            }
            const struct carom_response want = {.energy = energy};
            evaluate(b, c, p, first, n, deform, NULL, &want);
            for (int way = 0; way < CAROM_WAYS; way++)
                add_springs(b, c, p, (enum carom_way)way, first, n, deform, energy);
            for (size_t j = 0; j < n; j++)
                carom_sum_add(&sum, energy[j]);
        }
    return carom_sum_value(&sum);
}

double carom_act_held(const struct carom_bodies *b, const struct carom_contacts *c, size_t j, double deform)
{
    double energy = 0.0;
    const struct carom_response want = {.energy = &energy};
    evaluate(b, c, c->key[j].pairing, j, 1, &deform, NULL, &want);
    return energy;
}
