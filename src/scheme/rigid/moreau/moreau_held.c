/* Contacts of bodies that joints hold, see moreau_joints.h: W of assemblies, and the limits of joints, which are
 * contacts without friction after those of bodies that touch. */
#include <string.h>

#include "base/memory.h"
#include "scheme/rigid/moreau/moreau_friction.h"
#include "scheme/rigid/moreau/moreau_joints.h"
#include "solve/dense.h"

static const double still = 1e-8; /* as in moreau_friction.c */

/* --- limits ------------------------------------------------------------------------------------------------------ */

static void choose_limits(struct carom_stepper *stepper, const struct carom_state *from, double h)
{
    struct carom_moreau_graph *w = stepper->work;
    struct carom_moreau_joints *o = w->joints;
    const struct carom_bodies *b = w->bodies;
    const size_t width = carom_joints_width(b);
    o->nlimits = 0;
    for (size_t j = 0; j < b->njoints; j++) {
        const struct carom_joint *joint = &b->joint[j];
        if (!joint->limited)
            continue;
        const double carried = from->force[j * width + width - 1];
        struct carom_moreau_bond bond = {.joint = j, .lever = joint->lever};
        carom_joints_coordinate(b, joint, from->q, &bond.row);
        for (int side = 0; side < 2; side++) {
            bond.sign = side ? -1.0 : 1.0;
            const double gap = bond.sign * bond.lever * (bond.row.gap - joint->limit[side]);
            stepper->worst_gap = fmin(stepper->worst_gap, gap);
            const double rate = bond.sign * bond.lever * carom_bond_rate(b, &bond, from->v, from->v);
            const double near =
                carom_moreau_near(w->options, h * w->rigid.kick, b->edge + b->far, bond.sign * carried > 0.0);
            if (gap + h * w->options->gamma * rate > near)
                continue;
            bond.impulse = fmax(0.0, h * bond.sign * carried / bond.lever);
            o->limit[o->nlimits++] = bond;
        }
    }
}

/* the row of a limit at q, towards the inside */
static void set_coordinate(const struct carom_bodies *b, const double *q, struct carom_moreau_bond *bond)
{
    carom_joints_coordinate(b, &b->joint[bond->joint], q, &bond->row);
    for (int s = 0; s < 2; s++)
        for (size_t k = 0; k < 6; k++)
            bond->row.of[s][k] *= bond->sign * bond->lever;
}

/* Limit l as the contact after those that touch: its normal is all it has. As joints do it asks for rates of the start
 * and of the end, and acts along its row of the middle. */
static void set_limit(struct carom_moreau_graph *w, size_t l, const struct carom_state *from, const double *freely)
{
    struct carom_moreau_friction *r = w->friction;
    const struct carom_bodies *b = w->bodies;
    struct carom_moreau_bond *bond = &w->joints->limit[l];
    const struct carom_joint *joint = &b->joint[bond->joint];
    const size_t dim = b->dimension, nv = carom_bodies_nv(b), i = w->n + l;
    set_coordinate(b, from->q, bond);
    const double start = carom_bond_rate(b, bond, from->v, from->v);
    set_coordinate(b, w->joints->end, bond);
    const double end = carom_bond_rate(b, bond, w->joints->finish, w->joints->finish);
    set_coordinate(b, w->place, bond);
    carom_bond_respond(b, w->place, bond);
    bond->mobility = 0.0;
    for (size_t s = 0; s < 2; s++)
        for (size_t k = 0; k < nv; k++)
            bond->mobility += bond->row.of[s][k] * bond->response[s][k];
    bond->before = carom_bond_rate(b, bond, from->v, w->mean);
    bond->drift = carom_bond_rate(b, bond, NULL, w->mean);
    memset(r->h + 2 * i * dim * nv, 0, 2 * dim * nv * sizeof *r->h);
    memset(r->response + 2 * i * dim * nv, 0, 2 * dim * nv * sizeof *r->response);
    for (size_t s = 0; s < 2; s++) {
        r->pair[2 * i + s] = carom_bond_moves(b, joint->body[s]) ? joint->body[s] : b->n;
        memcpy(r->h + (2 * i + s) * dim * nv, bond->row.of[s], nv * sizeof *r->h);
        memcpy(r->response + (2 * i + s) * dim * nv, bond->response[s], nv * sizeof *r->response);
    }
    memset(r->b + i * dim, 0, dim * sizeof *r->b);
    memset(r->impulse + i * dim, 0, dim * sizeof *r->impulse);
    r->b[i * dim] = carom_bond_rate(b, bond, freely, w->mean) + (end - carom_bond_rate(b, bond, w->trial, w->mean));
    memcpy(r->bare + i * dim, r->b + i * dim, dim * sizeof *r->b);
    if (fabs(start) > still * w->rigid.kick) /* one that opens and is pressed is sent back, as contacts are */
        r->b[i * dim] +=
            start * (start < 0.0 ? joint->e : carom_moreau_lift(joint->e, w->options->theta, w->options->printed));
    r->impulse[i * dim] = bond->impulse;
    r->mu[i] = 0.0;
}

enum carom_status carom_moreau_held_limits(struct carom_stepper *stepper, const struct carom_state *from,
                                           const double *freely, double h, bool first, struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    struct carom_moreau_joints *o = w->joints;
    if (first)
        choose_limits(stepper, from, h);
    const enum carom_status status = carom_moreau_friction_reserve(w, w->n + o->nlimits, error);
    for (size_t l = 0; l < o->nlimits && status == CAROM_OK; l++)
        set_limit(w, l, from, freely);
    return status;
}

/* the joint of a motor with a speed that drives the assembly of joint j, its own first; njoints: there is none */
static size_t motor_of(const struct carom_moreau_graph *w, size_t j)
{
    const struct carom_moreau_joints *o = w->joints;
    const struct carom_bodies *b = w->bodies;
    size_t found = b->joint[j].motor == CAROM_MOTOR_SPEED ? j : b->njoints;
    for (size_t a = 0; a < o->nassemblies; a++) {
        const struct carom_moreau_assembly *of = &o->assembly[a];
        bool here = false;
        size_t motor = b->njoints;
        for (size_t i = of->first; i < of->first + of->rows; i++) {
            here |= o->bond[i].joint == j;
            motor = o->bond[i].motor ? o->bond[i].joint : motor;
        }
        found = here && found == b->njoints ? motor : found;
    }
    return found;
}

enum carom_status carom_moreau_held_refuse(const struct carom_moreau_graph *w, size_t l, double t, double residual,
                                           struct carom_error *error)
{
    const size_t joint = w->joints->limit[l].joint, motor = motor_of(w, joint);
    if (motor < w->bodies->njoints)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "moreau-jean: the motor of joint %zu drives joint %zu against its limit at t = %g, and "
                               "keeps its speed whatever it takes: give it a torque or force instead, or wider limits",
                               motor + 1, joint + 1, t);
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "moreau-jean: the limit of joint %zu and what it presses on could not be solved at t = %g, "
                           "residual %.1e",
                           joint + 1, t, residual);
}

void carom_moreau_held_push(struct carom_moreau_graph *w, double *v)
{
    struct carom_moreau_joints *o = w->joints;
    for (size_t l = 0; l < o->nlimits; l++) {
        o->limit[l].impulse = w->friction->impulse[(w->n + l) * w->bodies->dimension];
        carom_bond_push(w->bodies, &o->limit[l], o->limit[l].impulse, v);
    }
}

/* Bodies count from 1, and the world is 0, since CAROM_WORLD + 1 is, in sizes of any width; the smaller number comes
 * first, as in other contacts. */
static uint64_t pair_of(const struct carom_joint *joint)
{
    const size_t one = joint->body[0] + 1, other = joint->body[1] + 1;
    return one < other ? carom_event_pair(one, other) : carom_event_pair(other, one);
}

/* how the limits of joint j, which has some, stand */
static double *status_of(const struct carom_bodies *b, const struct carom_state *state, size_t j)
{
    return &state->force[carom_joints_standing(b) + j];
}

void carom_moreau_held_split(struct carom_moreau_graph *w, const struct carom_state *from, double *jump)
{
    for (size_t l = 0; l < w->joints->nlimits; l++) {
        struct carom_moreau_bond *bond = &w->joints->limit[l];
        const double was = fmax(bond->sign * *status_of(w->bodies, from, bond->joint), CAROM_RIGID_STEP_OPEN);
        const bool struck = bond->impulse > 0.0 &&
                            carom_rigid_step_strikes(&w->rigid, was, bond->before, bond->impulse * bond->mobility);
        bond->once = struck ? bond->impulse : 0.0;
        w->rigid.struck |= struck;
        carom_bond_push(w->bodies, bond, bond->once, jump);
    }
}

static bool conclude_limit(struct carom_moreau_graph *w, const struct carom_moreau_bond *bond,
                           const struct carom_state *from, struct carom_state *to, double t)
{
    const double jump = bond->impulse * bond->mobility, kept = bond->sign * *status_of(w->bodies, from, bond->joint);
    const double was = fmax(kept, CAROM_RIGID_STEP_OPEN);
    const uint64_t pair = pair_of(&w->bodies->joint[bond->joint]);
    const bool struck = bond->once > 0.0;
    const double now = struck ? CAROM_RIGID_STEP_STRUCK : carom_rigid_step_pressed(&w->rigid, was, jump);
    if (!(bond->impulse > 0.0))
        return true;
    *status_of(w->bodies, to, bond->joint) = bond->sign * now;
    if (struck)
        return carom_moreau_graph_note(w, t, pair, CAROM_EVENT_IMPACT, bond->impulse, bond->before, bond->after) &&
               carom_moreau_graph_took(w, w->n + (size_t)(bond - w->joints->limit));
    return now == was || now != CAROM_RIGID_STEP_CLOSED || from->step == 0 ||
           carom_moreau_graph_note(w, t, pair, CAROM_EVENT_CLOSE, bond->impulse, bond->before, bond->after);
}

/* the limit of joint j that was pressed and is no longer */
static bool conclude_opening(struct carom_moreau_graph *w, size_t j, const struct carom_state *from,
                             const struct carom_state *to, double t)
{
    const struct carom_bodies *b = w->bodies;
    const double was = *status_of(b, from, j), now = *status_of(b, to, j);
    struct carom_moreau_bond bond = {.joint = j, .sign = was < 0.0 ? -1.0 : 1.0};
    if (fabs(was) != CAROM_RIGID_STEP_CLOSED || bond.sign * now > 0.0)
        return true;
    bond.lever = b->joint[j].lever;
    set_coordinate(b, to->q, &bond);
    const double rate = carom_bond_rate(b, &bond, to->v, to->v);
    return carom_moreau_graph_note(w, t, pair_of(&b->joint[j]), CAROM_EVENT_OPEN, 0.0, rate, rate);
}

bool carom_moreau_held_conclude(struct carom_moreau_graph *w, const struct carom_state *from, struct carom_state *to,
                                double t)
{
    const struct carom_moreau_joints *o = w->joints;
    bool good = true;
    for (size_t l = 0; l < o->nlimits && good; l++)
        good = conclude_limit(w, &o->limit[l], from, to, t);
    for (size_t j = 0; j < w->bodies->njoints && good; j++)
        good = !w->bodies->joint[j].limited || conclude_opening(w, j, from, to, t);
    return good;
}

/* --- contacts on bodies that are held ---------------------------------------------------------------------------- */

static enum carom_status make_room(struct carom_moreau_joints *o, size_t n, size_t numbers, struct carom_error *error)
{
    const size_t room = n + n / 2 + 16, wide = numbers + numbers / 2;
    bool good = true;
    if (n > o->room) {
        good = carom_memory_widen(&o->pair, 2 * o->room, 2 * room, sizeof *o->pair) &&
               carom_memory_widen(&o->at, 2 * o->room, 2 * room, sizeof *o->at) &&
               carom_memory_widen(&o->width, 2 * o->room, 2 * room, sizeof *o->width);
        o->room = good ? room : o->room;
    }
    if (good && numbers > o->wide) {
        good = carom_memory_widen(&o->h, o->wide, wide, sizeof *o->h) &&
               carom_memory_widen(&o->response, o->wide, wide, sizeof *o->response);
        o->wide = good ? wide : o->wide;
    }
    return good ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", n);
}

static size_t width_of(const struct carom_moreau_graph *w, size_t body)
{
    const struct carom_moreau_joints *o = w->joints;
    if (body == w->bodies->n)
        return 0;
    const size_t held = o->of[body] < o->nassemblies ? o->assembly[o->of[body]].nbodies : 1;
    return held * carom_bodies_nv(w->bodies);
}

/* takes from what an impulse does to an assembly what its joints do against it */
static void hold_response(struct carom_moreau_graph *w, const struct carom_moreau_assembly *of, double *response)
{
    struct carom_moreau_joints *o = w->joints;
    const struct carom_bodies *b = w->bodies;
    const size_t nv = carom_bodies_nv(b);
    for (size_t i = 0; i < of->rows; i++) {
        const struct carom_moreau_bond *bond = &o->bond[of->first + i];
        o->rate[i] = 0.0;
        for (int s = 0; s < 2; s++) {
            const size_t body = b->joint[bond->joint].body[s];
            for (size_t k = 0; carom_bond_moves(b, body) && k < nv; k++)
                o->rate[i] += bond->row.of[s][k] * response[o->seat[body] * nv + k];
        }
    }
    carom_dense_cholesky_solve(of->rows, o->factor + of->factor, o->rate);
    for (size_t i = 0; i < of->rows; i++) {
        const struct carom_moreau_bond *bond = &o->bond[of->first + i];
        for (int s = 0; s < 2; s++) {
            const size_t body = b->joint[bond->joint].body[s];
            for (size_t k = 0; carom_bond_moves(b, body) && k < nv; k++)
                response[o->seat[body] * nv + k] -= o->rate[i] * bond->response[s][k];
        }
    }
}

/* rows of side s of contact i among all numbers of its assembly; both of its bodies may belong to it */
static void widen(struct carom_moreau_graph *w, size_t i, size_t s)
{
    struct carom_moreau_joints *o = w->joints;
    const struct carom_moreau_friction *r = w->friction;
    const size_t dim = w->bodies->dimension, nv = carom_bodies_nv(w->bodies), n = w->bodies->n;
    const size_t width = o->width[2 * i + s], a = o->of[r->pair[2 * i + s]];
    double *h = o->h + o->at[2 * i + s], *response = o->response + o->at[2 * i + s];
    memset(h, 0, dim * width * sizeof *h);
    memset(response, 0, dim * width * sizeof *response);
    for (size_t t = 0; t < 2; t++) {
        const size_t body = r->pair[2 * i + t];
        const bool here = t == s || (a < o->nassemblies && body < n && o->of[body] == a);
        for (size_t k = 0; here && k < dim; k++)
            for (size_t l = 0; l < nv; l++) {
                const size_t to = k * width + (a < o->nassemblies ? o->seat[body] * nv : 0) + l;
                h[to] += r->h[((2 * i + t) * dim + k) * nv + l];
                response[to] += r->response[((2 * i + t) * dim + k) * nv + l];
            }
    }
    for (size_t k = 0; a < o->nassemblies && k < dim; k++)
        hold_response(w, &o->assembly[a], response + k * width);
}

enum carom_status carom_moreau_held_system(struct carom_moreau_graph *w, struct carom_friction_system *system,
                                           struct carom_error *error)
{
    struct carom_moreau_joints *o = w->joints;
    const struct carom_moreau_friction *r = w->friction;
    const size_t n = w->n + o->nlimits, dim = w->bodies->dimension, none = w->bodies->n;
    size_t numbers = 0;
    for (size_t k = 0; k < 2 * n; k++)
        numbers += dim * width_of(w, r->pair[k]);
    const enum carom_status status = make_room(o, n, numbers, error);
    if (status != CAROM_OK)
        return status;
    numbers = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t s = 0; s < 2; s++) {
            const size_t k = 2 * i + s, body = r->pair[k], first = r->pair[2 * i];
            const bool held = body < none && o->of[body] < o->nassemblies;
            const bool same = s == 1 && held && first < none && o->of[first] == o->of[body];
            o->pair[k] = same ? none : held ? o->assembly[o->of[body]].head : body;
            o->at[k] = numbers;
            o->width[k] = same ? 0 : width_of(w, body);
            numbers += dim * o->width[k];
            if (o->pair[k] < none)
                widen(w, i, s);
        }
    system->n = n;
    system->pair = o->pair;
    system->at = o->at;
    system->width = o->width;
    system->h = o->h;
    system->response = o->response;
    return CAROM_OK;
}
