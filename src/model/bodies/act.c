/* Contacts at work, see act.h. */
#include "model/bodies/act.h"

#include "base/memory.h"
#include "base/sum.h"
#include "base/vec.h"

void carom_act_open(struct carom_act *act, const struct carom_bodies *bodies)
{
    *act = (struct carom_act){.bodies = bodies, .columns = carom_list_columns(bodies)};
}

enum { ARRAYS = 19 };

static void arrays_of(struct carom_act *act, double **all[ARRAYS])
{
    double **const list[ARRAYS] = {&act->push,           &act->total,      &act->deform,         &act->rate,
                                   &act->elastic,        &act->viscous,    &act->drag,           &act->normal,
                                   &act->slip[0],        &act->slip[1],    &act->slip[2],        &act->tangent[0],
                                   &act->tangent[1],     &act->tangent[2], &act->spring_rate[0], &act->spring_rate[1],
                                   &act->spring_rate[2], &act->rubbed,     &act->change};
    for (int i = 0; i < ARRAYS; i++)
        all[i] = list[i];
}

void carom_act_close(struct carom_act *act)
{
    double **all[ARRAYS];
    arrays_of(act, all);
    for (int i = 0; i < ARRAYS; i++)
        carom_memory_free(*all[i]);
    carom_memory_free(act->meeting);
    *act = (struct carom_act){0};
}

bool carom_act_reserve(struct carom_act *act, size_t n)
{
    double **all[ARRAYS];
    if (n <= act->room && act->meeting)
        return true;
    const size_t room = n + n / 4 + 16;
    arrays_of(act, all);
    for (int i = 0; i < ARRAYS; i++) {
        void *grown = carom_memory_grow(*all[i], act->room, room, sizeof(double));
        if (!grown)
            return false;
        *all[i] = grown;
    }
    void *meeting = carom_memory_grow(act->meeting, act->room, room, sizeof *act->meeting);
    if (!meeting)
        return false;
    act->meeting = meeting;
    act->room = room;
    return true;
}

/* contacts [first, first + n) of one pairing under its law */
static void evaluate(const struct carom_bodies *b, const struct carom_contacts *c, size_t p, size_t first, size_t n,
                     const double *deform, const struct carom_response *out)
{
    const struct carom_law *law = b->pairing[p].law;
    const struct carom_columns columns = carom_list_columns(b);
    const double *param[CAROM_LAW_WIDTH], *history[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < b->nparams; i++)
        param[i] = c->column[columns.param + i] + first;
    for (size_t i = 0; i < law->nh; i++)
        history[i] = c->column[columns.history + i] + first;
    const struct carom_batch batch = {.n = n,
                                      .param = param,
                                      .deform = deform,
                                      .history = law->nh ? history : NULL,
                                      .elastic = out->elastic,
                                      .viscous = out->viscous,
                                      .drag = out->drag,
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
            evaluate(act->bodies, c, p, first, n, act->deform + first, &want);
    }
    return wrong;
}

/* --- tangential vectors ------------------------------------------------------------------------------------------ */

void carom_act_tangential(const struct carom_act *act, const struct carom_meeting *m, const double vector[3],
                          double *tangential)
{
    if (act->columns.width == 1) {
        tangential[0] = m->normal[0] * vector[1] - m->normal[1] * vector[0];
        return;
    }
    const double along = carom_vec_dot(m->normal, vector);
    for (int k = 0; k < 3; k++)
        tangential[k] = vector[k] - along * m->normal[k];
}

void carom_act_spatial(const struct carom_act *act, const struct carom_meeting *m, const double *tangential,
                       double vector[3])
{
    const bool plane = act->columns.width == 1;
    vector[0] = plane ? -m->normal[1] * tangential[0] : tangential[0];
    vector[1] = plane ? m->normal[0] * tangential[0] : tangential[1];
    vector[2] = plane ? 0.0 : tangential[2];
}

/* --- forces ------------------------------------------------------------------------------------------------------ */

static void rub(struct carom_act *act, const struct carom_contacts *c, size_t p)
{
    const struct carom_friction *friction = act->bodies->pairing[p].friction;
    const size_t first = c->first[p], n = c->first[p + 1] - first, width = act->columns.width;
    const double *param[CAROM_FRICTION_PARAMS], *slip[3], *spring[3];
    double *force[3], *spring_rate[3];
    for (size_t i = 0; i < act->bodies->nrub; i++)
        param[i] = c->column[act->columns.rub + i] + first;
    for (size_t k = 0; k < width; k++) {
        slip[k] = act->slip[k] + first;
        spring[k] = c->column[act->columns.spring + k] + first;
        force[k] = act->tangent[k] + first;
        spring_rate[k] = act->spring_rate[k] + first;
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
                                                 .slips = act->slips ? act->slips + first : NULL,
                                                 .short_way = act->short_way,
                                                 .push = act->push + first,
                                                 .spring_rate = spring_rate,
                                                 .power = act->rubbed + first,
                                                 .change = act->change + first};
    friction->moment(&moment);
}

void carom_act_force(struct carom_act *act, const struct carom_contacts *c, const double *v)
{
    const struct carom_bodies *b = act->bodies;
    const size_t width = act->columns.width;
    for (size_t p = 0; p < c->npairings; p++) {
        const bool ends = b->pairing[p].ending == CAROM_END_FORCE, rubs = b->pairing[p].friction != NULL;
        for (size_t j = c->first[p]; j < c->first[p + 1]; j++) {
            double slip[3], tangential[3] = {0.0};
            act->rate[j] = act->normal[j] = act->push[j] = act->rubbed[j] = act->change[j] = 0.0;
            for (size_t k = 0; k < width; k++)
                act->slip[k][j] = act->tangent[k][j] = act->spring_rate[k][j] = 0.0;
            if (!(act->deform[j] > 0.0))
                continue;
            act->rate[j] = -carom_meet_slip(b, &c->key[j], &act->meeting[j], v, slip);
            act->normal[j] = act->elastic[j] + act->drag[j] * act->rate[j];
            if (ends && !(act->normal[j] > 0.0))
                act->normal[j] = 0.0;
            carom_act_tangential(act, &act->meeting[j], slip, tangential);
            for (size_t k = 0; k < width && rubs; k++)
                act->slip[k][j] = tangential[k];
        }
        if (rubs && c->first[p + 1] > c->first[p])
            rub(act, c, p);
        for (size_t j = c->first[p]; j < c->first[p + 1]; j++)
            act->total[j] = act->normal[j] + act->push[j];
    }
}

static bool turns(const struct carom_body *body)
{
    return body->inertia > 0.0;
}

void carom_act_push(const struct carom_act *act, const struct carom_contacts *c, const struct carom_search *search,
                    const double *normal, double *const *tangent, double *f)
{
    const struct carom_bodies *b = act->bodies;
    const size_t nv = carom_bodies_nv(b), width = act->columns.width;
    for (size_t i = 0; i < b->n; i++)
        for (size_t at = search->first[i]; at < search->first[i + 1]; at++) {
            const size_t j = search->side[at] / 2;
            const bool second = search->side[at] & 1;
            const double sign = second ? 1.0 : -1.0;
            double *g = f + i * nv, across[3] = {0.0, 0.0, 0.0}, torque[3], tangential[3] = {0.0};
            for (size_t k = 0; tangent && k < width; k++)
                tangential[k] = sign * tangent[k][j];
            if (tangent)
                carom_act_spatial(act, &act->meeting[j], tangential, across);
            for (size_t k = 0; k < b->dimension; k++)
                g[k] += sign * normal[j] * act->meeting[j].normal[k] + across[k];
            if (!tangent || !turns(&b->body[i]))
                continue;
            carom_vec_cross(act->meeting[j].arm[second], across, torque);
            for (size_t k = b->dimension; k < nv; k++)
                g[k] += torque[b->dimension == 2 ? 2 : k - 3];
        }
    (void)c;
}

/* velocity of a body that is led at its point of contact */
static double power_on(const struct carom_bodies *b, size_t i, const double arm[3], const double force[3],
                       const double *v)
{
    const double *w = v + i * carom_bodies_nv(b), plane[3] = {0.0, 0.0, w[2]};
    double velocity[3];
    carom_vec_cross(b->dimension == 2 ? plane : w + 3, arm, velocity);
    for (size_t k = 0; k < b->dimension; k++)
        velocity[k] += w[k];
    return carom_vec_dot(velocity, force);
}

double carom_act_work(const struct carom_act *act, const struct carom_contacts *c, const double *normal,
                      double *const *tangent, const double *v)
{
    const struct carom_bodies *b = act->bodies;
    struct carom_sum sum = {0.0, 0.0};
    for (size_t j = 0; b->nleads > 0 && j < c->n; j++) {
        const size_t side[2] = {c->key[j].a, c->key[j].b};
        double force[3] = {0.0, 0.0, 0.0}, tangential[3] = {0.0};
        if (b->body[side[0]].lead < 0 && b->body[side[1]].lead < 0)
            continue;
        for (size_t k = 0; tangent && k < act->columns.width; k++)
            tangential[k] = tangent[k][j];
        if (tangent)
            carom_act_spatial(act, &act->meeting[j], tangential, force);
        for (int k = 0; k < 3; k++)
            force[k] += normal[j] * act->meeting[j].normal[k];
        for (int s = 0; s < 2; s++) /* on side b the force, on side a its opposite; what it takes, the lead puts in */
            if (b->body[side[s]].lead >= 0)
                carom_sum_add(&sum, (s == 1 ? -1.0 : 1.0) * power_on(b, side[s], act->meeting[j].arm[s], force, v));
    }
    return carom_sum_value(&sum);
}

double carom_act_energy(const struct carom_bodies *b, const struct carom_contacts *c, const double *q)
{
    enum { BLOCK = 128 };
    const struct carom_columns columns = carom_list_columns(b);
    struct carom_sum sum = {0.0, 0.0};
    for (size_t p = 0; p < c->npairings; p++)
        for (size_t first = c->first[p]; first < c->first[p + 1]; first += BLOCK) {
            const size_t left = c->first[p + 1] - first, n = left < BLOCK ? left : BLOCK;
            double deform[BLOCK], energy[BLOCK], held[BLOCK] = {0.0}, zero[BLOCK] = {0.0};
            struct carom_meeting meeting;
            for (size_t j = 0; j < n; j++) {
                carom_meet(b, &c->key[first + j], q, &meeting);
                deform[j] = -meeting.gap;
            }
            const struct carom_response want = {.energy = energy};
            evaluate(b, c, p, first, n, deform, &want);
            const struct carom_friction *friction = b->pairing[p].friction;
            if (friction && friction->spring) {
                const double *param[CAROM_FRICTION_PARAMS], *spring[3], *still[3] = {zero, zero, zero};
                for (size_t i = 0; i < b->nrub; i++)
                    param[i] = c->column[columns.rub + i] + first;
                for (size_t k = 0; k < columns.width; k++)
                    spring[k] = c->column[columns.spring + k] + first;
                friction->moment(&(struct carom_friction_moment){.n = n,
                                                                 .width = columns.width,
                                                                 .param = param,
                                                                 .deform = deform,
                                                                 .rate = zero,
                                                                 .normal = zero,
                                                                 .slip = still,
                                                                 .spring = spring,
                                                                 .energy = held});
            }
            for (size_t j = 0; j < n; j++)
                carom_sum_add(&sum, energy[j] + held[j]);
        }
    return carom_sum_value(&sum);
}
