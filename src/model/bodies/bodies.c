/* Part `bodies`: what moves discs, spheres and walls beside their contacts. Gravity, loads, motions that are led;
 * masses and rotations. Balls turn alike about every axis; boxes and cylinders of space that move freely do not, and
 * have gyroscopic moments (tumble.h). */
#include "carom/bodies.h"

#include <string.h>

#include "base/memory.h"
#include "base/sum.h"
#include "carom/friction.h"
#include "carom/law.h"
#include "model/bodies/bodies_keep.h"
#include "model/bodies/convex.h"
#include "model/bodies/joints.h"
#include "model/bodies/move.h"
#include "model/bodies/outside.h"
#include "model/bodies/pieces.h"
#include "model/bodies/tumble.h"

#define PI 3.14159265358979323846

struct carom_bodies *carom_bodies_create(size_t dimension, size_t n, size_t nmaterials, size_t npairings, size_t nloads,
                                         size_t nleads)
{
    struct carom_bodies *b = carom_memory_zeroed(1, sizeof *b);
    if (!b)
        return NULL;
    *b = (struct carom_bodies){.n = n,
                               .dimension = dimension,
                               .nmaterials = nmaterials,
                               .npairings = npairings,
                               .nloads = nloads,
                               .nleads = nleads};
    b->body = carom_memory_zeroed(n, sizeof *b->body);
    b->pairing = carom_memory_zeroed(npairings, sizeof *b->pairing);
    b->meets = nmaterials < 65536 ? carom_memory_zeroed(nmaterials * nmaterials, sizeof *b->meets) : NULL;
    b->load = carom_memory_zeroed(nloads, sizeof *b->load);
    b->lead = carom_memory_zeroed(nleads, sizeof *b->lead);
    if (!b->body || !b->pairing || !b->meets || !b->load || !b->lead) {
        carom_bodies_free(b);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        b->body[i].lead = -1;
        b->body[i].frame[0] = 1.0;
    }
    return b;
}

void carom_bodies_free(struct carom_bodies *b)
{
    if (!b)
        return;
    for (size_t i = 0; b->load && i < b->nloads; i++)
        carom_memory_free(b->load[i].table);
    for (size_t i = 0; b->lead && i < b->nleads; i++)
        carom_memory_free(b->lead[i].table);
    for (size_t i = 0; i < b->nconvexes; i++)
        carom_convex_free(b->convex[i]);
    for (size_t i = 0; i < b->ncompounds; i++)
        carom_pieces_free(b->compound[i]);
    carom_memory_free_all(b->compound, b->convex, b->body, b->pairing, b->meets, b->load, b->lead, b->joint, b->joined,
                          b);
}

/* --- checking ---------------------------------------------------------------------------------------------------- */

static enum carom_status check_body(const struct carom_bodies *b, size_t i, struct carom_error *error)
{
    const struct carom_body *body = &b->body[i];
    const double far = 1e100; /* squares of distances must be numbers */
    for (size_t k = 0; k < 3; k++)
        if (!(fabs(body->at[k]) < far))
            return carom_error_set(error, CAROM_E_INPUT, "body %zu: its place is not a usable number", i + 1);
    if (body->surface == CAROM_BALL && !(body->radius > 0.0 && body->radius < far))
        return carom_error_set(error, CAROM_E_INPUT, "body %zu: its radius must be positive and below 1e100, got %g",
                               i + 1, body->radius);
    for (size_t k = 0; body->surface == CAROM_BOX && k < b->dimension; k++)
        if (!(body->size[k] < far))
            return carom_error_set(error, CAROM_E_INPUT, "body %zu: its size must be below 1e100, got %g", i + 1,
                                   2.0 * body->size[k]);
    if (body->surface == CAROM_CONVEX && !body->convex)
        return carom_error_set(error, CAROM_E_INPUT, "body %zu: it has no corners", i + 1);
    if (body->surface == CAROM_COMPOUND && !body->pieces)
        return carom_error_set(error, CAROM_E_INPUT, "body %zu: it has no parts", i + 1);
    if (!body->fixed && !(body->mass > 0.0 && body->mass < far))
        return carom_error_set(error, CAROM_E_INPUT, "body %zu: its mass must be positive and below 1e100, got %g",
                               i + 1, body->mass);
    if (body->material >= b->nmaterials)
        return carom_error_set(error, CAROM_E_INPUT, "body %zu: there is no material %u", i + 1,
                               (unsigned)body->material);
    if (body->lead >= 0 && (!body->fixed || (size_t)body->lead >= b->nleads))
        return carom_error_set(error, CAROM_E_INPUT, "body %zu: a body that is led must be fixed", i + 1);
    return CAROM_OK;
}

/* what columns and tallies the contacts of a pairing need */
static void count_pairing(struct carom_bodies *b, const struct carom_pairing *p)
{
    const size_t params = carom_param_count(p->law->kind.params);
    b->nparams = params > b->nparams ? params : b->nparams;
    const size_t history = p->law->rigid ? CAROM_RIGID_KEEPS : p->law->nh;
    b->nhistory = history > b->nhistory ? history : b->nhistory;
    b->rigid &= p->law->rigid;
    b->clipped |= p->ending == CAROM_END_FORCE;
    for (int way = 0; way < CAROM_WAYS; way++) {
        const struct carom_friction *friction = carom_pairing_resists(p, (enum carom_way)way);
        const struct carom_scaled *given = carom_pairing_resistance(p, (enum carom_way)way);
        const size_t rub = friction ? carom_param_count(friction->kind.params) : 0;
        b->nrub[way] = rub > b->nrub[way] ? rub : b->nrub[way];
        b->frictional |= rub > 0;
        b->latched |= rub > 0 && given[1].param > given[0].param;
    }
}

/* of bodies for which nobody said it */
static void fill_volume(const struct carom_bodies *b, struct carom_body *body)
{
    const double r = body->radius;
    if (body->volume > 0.0 || body->surface != CAROM_BALL)
        return;
    body->volume = b->dimension == 2 ? PI * r * r : 4.0 / 3.0 * PI * r * r * r;
    body->depth = b->dimension == 2 ? 1.0 : 2.0 * r;
}

double carom_bodies_reach(const struct carom_body *body)
{
    if (body->surface == CAROM_BALL)
        return body->radius;
    if (body->surface == CAROM_CONVEX)
        return body->convex->reach;
    if (body->surface == CAROM_COMPOUND)
        return body->pieces->reach;
    return body->surface == CAROM_PLANE ? 0.0 : carom_vec_norm(body->size);
}

enum carom_status carom_bodies_finish(struct carom_bodies *b, struct carom_error *error)
{
    if (!b)
        return carom_error_missing(error);
    for (size_t i = 0; i < b->n; i++) {
        const enum carom_status status = check_body(b, i, error);
        if (status != CAROM_OK)
            return status;
        if (b->body[i].surface == CAROM_BALL && !b->body[i].inside)
            b->largest = fmax(b->largest, b->body[i].radius);
        fill_volume(b, &b->body[i]);
        b->tumbling |= carom_bodies_tumbles(&b->body[i]);
        for (size_t k = 0; k < b->dimension; k++)
            b->far = fmax(b->far, fabs(b->body[i].at[k]));
    }
    b->nparams = b->nhistory = 0;
    memset(b->nrub, 0, sizeof b->nrub);
    b->clipped = b->frictional = false;
    b->rigid = b->npairings > 0;
    for (size_t i = 0; i < b->npairings; i++) {
        if (!b->pairing[i].law)
            return carom_error_set(error, CAROM_E_INPUT, "pairing %zu of the bodies has no law", i + 1);
        if (b->pairing[i].twisting && b->dimension == 2)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "bodies of the plane do not spin about the normal of a contact: resistance to "
                                   "twisting belongs to space");
        if (b->pairing[i].ending == CAROM_END_LATCH)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "contacts of discs and spheres do not latch: contact_end: force or gap; rows of "
                                   "beads take latched");
        if (b->pairing[i].law->pull && b->pairing[i].ending == CAROM_END_FORCE)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "law %s pulls until the gap opens: contact_end: force would cut that off",
                                   b->pairing[i].law->kind.name);
        count_pairing(b, &b->pairing[i]);
    }
    b->shapes = b->rigid && (b->tumbling || b->nconvexes > 0 || b->ncompounds > 0);
    for (size_t i = 0; i < b->n && b->shapes; i++)
        if (carom_bodies_tumbles(&b->body[i]))
            b->largest = fmax(b->largest, carom_bodies_reach(&b->body[i]));
    const enum carom_status shaped = b->shapes ? carom_bodies_keep_boxes(b, error) : CAROM_OK;
    if (shaped != CAROM_OK || carom_joints_finish(b, error) != CAROM_OK)
        return error->status;
    int exponent;
    frexp(b->largest > 0.0 ? 4.0 * b->largest : 1.0, &exponent);
    b->edge = ldexp(1.0, exponent);
    while (b->open < b->dimension && b->periodic[b->open])
        b->open++;
    if (!b->bounded || b->open == b->dimension) { /* nobody can leave */
        b->outside = CAROM_OUTSIDE_KEEP;
        b->open = 0;
    }
    return CAROM_OK;
}

struct carom_scaled carom_bodies_viscous_time(const struct carom_pairing *p)
{
    const double *param[CAROM_LAW_WIDTH];
    const size_t n = carom_param_count(p->law->kind.params);
    for (size_t i = 0; i < n; i++)
        param[i] = &p->param[i].param;
    const bool has = p->law->viscous_time && p->law->viscous_time(param, 0) > 0.0;
    for (size_t i = 0; has && i < n; i++)
        if (strcmp(p->law->kind.params[i].name, "gamma") == 0)
            return p->param[i];
    return (struct carom_scaled){0.0, 0.0, 0.0};
}

/* --- places ------------------------------------------------------------------------------------------------------ */

void carom_bodies_moved(const struct carom_bodies *b, size_t i, const double *q, double moved[3])
{
    const size_t nq = carom_bodies_nq(b), anchor = nq - b->dimension;
    moved[2] = 0.0;
    for (size_t k = 0; k < b->dimension; k++)
        moved[k] = b->edge * q[i * nq + anchor + k] + q[i * nq + k];
    if (carom_outside_is(b, i, q))
        moved[b->open] = b->edge * (q[i * nq + anchor + b->open] - CAROM_OUTSIDE_AWAY) + q[i * nq + b->open];
}

void carom_bodies_centre(const struct carom_bodies *b, size_t i, const double *q, double centre[3])
{
    carom_bodies_moved(b, i, q, centre);
    for (size_t k = 0; k < b->dimension; k++)
        centre[k] += b->body[i].at[k];
}

void carom_bodies_rest(const struct carom_bodies *b, double *q)
{
    const size_t nq = carom_bodies_nq(b);
    memset(q, 0, b->n * nq * sizeof *q);
    for (size_t i = 0; b->dimension == 3 && i < b->n; i++)
        q[i * nq + 3] = 1.0;
}

/* --- the part ---------------------------------------------------------------------------------------------------- */

static void sizes(const void *own, size_t *nq, size_t *nv, size_t *nports)
{
    const struct carom_bodies *b = own;
    *nq = b->n * carom_bodies_nq(b);
    *nv = b->n * carom_bodies_nv(b);
    *nports = 0;
}

static void force(const void *own, double t, const double *q, const double *v, double *scratch, double *f)
{
    const struct carom_bodies *b = own;
    const size_t nv = carom_bodies_nv(b);
    (void)scratch;
    for (size_t i = 0; i < b->n; i++) {
        const double mass = carom_outside_is(b, i, q) ? 0.0 : b->body[i].mass;
        for (size_t k = 0; k < nv; k++)
            f[i * nv + k] = k < b->dimension ? mass * b->gravity[k] : 0.0;
        if (b->body[i].moments[0] > 0.0)
            carom_tumble_gyre(&b->body[i], q + i * carom_bodies_nq(b) + 3, v + i * nv + 3, f + i * nv + 3);
    }
    for (size_t j = 0; j < b->nloads; j++) {
        const double value = carom_outside_is(b, b->load[j].body, q) ? 0.0 : carom_signal_value(&b->load[j].signal, t);
        for (size_t k = 0; k < b->dimension; k++)
            f[b->load[j].body * nv + k] += value * b->load[j].force[k];
    }
}

/* p = M v, or v = M^-1 p; bodies that are fixed or led have no acceleration */
static void scale_by_mass(const struct carom_bodies *b, bool solve, const double *q, const double *from, double *to)
{
    const size_t nv = carom_bodies_nv(b);
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        const double mass = body->fixed ? 0.0 : body->mass, inertia = body->fixed ? 0.0 : body->inertia;
        for (size_t k = 0; k < nv; k++) {
            const double m = k < b->dimension ? mass : inertia;
            to[i * nv + k] = !solve ? m * from[i * nv + k] : m > 0.0 ? from[i * nv + k] / m : 0.0;
        }
        if (!body->fixed && body->moments[0] > 0.0)
            carom_tumble_scale(body, solve, q + i * carom_bodies_nq(b) + 3, from + i * nv + 3, to + i * nv + 3);
    }
}

static void mass_apply(const void *own, const double *q, const double *v, double *p)
{
    const struct carom_bodies *b = own;
    scale_by_mass(b, false, q, v, p);
}

static void mass_solve(const void *own, const double *q, const double *p, double *v)
{
    const struct carom_bodies *b = own;
    scale_by_mass(b, true, q, p, v);
}

void carom_bodies_respond(const struct carom_bodies *b, size_t i, const double *q, const double *row, double *out)
{
    const struct carom_body *body = &b->body[i];
    const size_t nv = carom_bodies_nv(b);
    for (size_t k = 0; k < nv; k++) {
        const double m = body->fixed ? 0.0 : k < b->dimension ? body->mass : body->inertia;
        out[k] = m > 0.0 ? row[k] / m : 0.0;
    }
    if (!body->fixed && body->moments[0] > 0.0)
        carom_tumble_scale(body, true, q + i * carom_bodies_nq(b) + 3, row + 3, out + 3);
}

static void energy(const void *own, double t, const double *q, const double *v, double *scratch, double *kinetic,
                   double *stored)
{
    const struct carom_bodies *b = own;
    const size_t nv = carom_bodies_nv(b);
    struct carom_sum moving = {0.0, 0.0}, high = {0.0, 0.0};
    (void)t;
    (void)scratch;
    for (size_t i = 0; i < b->n; i++) {
        const double *w = v + i * nv;
        if (b->body[i].fixed || carom_outside_is(b, i, q))
            continue;
        double square = 0.0, turning = 0.0, moved[3], fallen = 0.0;
        carom_bodies_moved(b, i, q, moved);
        for (size_t k = 0; k < nv; k++)
            *(k < b->dimension ? &square : &turning) += w[k] * w[k];
        for (size_t k = 0; k < b->dimension; k++)
            fallen += b->gravity[k] * moved[k];
        turning *= b->body[i].inertia;
        if (b->body[i].moments[0] > 0.0)
            turning = carom_tumble_energy(&b->body[i], q + i * carom_bodies_nq(b) + 3, w + 3);
        carom_sum_add(&moving, 0.5 * (b->body[i].mass * square + turning));
        carom_sum_add(&high, -b->body[i].mass * fallen);
    }
    *kinetic = carom_sum_value(&moving);
    *stored = carom_sum_value(&high);
}

static void power(const void *own, double t, const double *q, const double *v, double *scratch, double *dissipated,
                  double *work)
{
    const struct carom_bodies *b = own;
    (void)q;
    (void)scratch;
    *dissipated = *work = 0.0;
    for (size_t j = 0; j < b->nloads; j++) {
        const double value = carom_signal_value(&b->load[j].signal, t);
        for (size_t k = 0; k < b->dimension && !b->body[b->load[j].body].fixed; k++)
            *work += value * b->load[j].force[k] * v[b->load[j].body * carom_bodies_nv(b) + k];
    }
}

/* q' of the quaternion is half of spin x q */
static void flow(const void *own, const double *q, const double *v, double *rate)
{
    const struct carom_bodies *b = own;
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b);
    memset(rate, 0, b->n * nq * sizeof *rate);
    for (size_t i = 0; i < b->n; i++) {
        memcpy(rate + i * nq, v + i * nv, b->dimension * sizeof *rate);
        if (b->dimension == 2) {
            rate[i * nq + 2] = v[i * nv + 2];
            continue;
        }
        const double half[4] = {0.0, 0.5 * v[i * nv + 3], 0.5 * v[i * nv + 4], 0.5 * v[i * nv + 5]};
        carom_quat_product(half, q + i * nq + 3, rate + i * nq + 3);
    }
}

static void move(const void *own, const double *q, const double *step, double *moved)
{
    const struct carom_bodies *b = own;
    carom_bodies_move(b, 0, b->n, q, step, moved);
}

void carom_bodies_move(const struct carom_bodies *b, size_t first, size_t last, const double *q, const double *step,
                       double *moved)
{
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b);
    for (size_t i = first; i < last; i++)
        carom_move_body(b->dimension == 2, q + i * nq, step + i * nv, moved + i * nq);
}

static const struct carom_signal *signal(const void *own, size_t i, enum carom_action *action)
{
    const struct carom_bodies *b = own;
    *action = i < b->nloads ? CAROM_ACTS_FORCE : CAROM_ACTS_BODY;
    if (i < b->nloads)
        return &b->load[i].signal;
    return i - b->nloads < b->nleads ? &b->lead[i - b->nloads].signal : NULL;
}

static void describe(const void *own, struct carom_particles *out)
{
    const struct carom_bodies *b = own;
    *out = (struct carom_particles){.dimension = (int)b->dimension, .n = b->n};
}

static void impose(const void *own, double t, double *q, double *v)
{
    carom_bodies_impose(own, t, q, v);
}

void carom_bodies_impose(const struct carom_bodies *b, double t, double *q, double *v)
{
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b);
    for (size_t i = 0; i < b->n && b->nleads > 0; i++) {
        const struct carom_body *body = &b->body[i];
        if (body->lead < 0)
            continue;
        const struct carom_lead *lead = &b->lead[body->lead];
        const double value = carom_signal_value(&lead->signal, t), rate = carom_signal_rate(&lead->signal, t);
        for (size_t k = 0; k < b->dimension; k++) {
            q[i * nq + k] = value * lead->displacement[k];
            v[i * nv + k] = rate * lead->displacement[k];
        }
        const double turn[3] = {value * lead->turn[0], value * lead->turn[1], value * lead->turn[2]};
        if (b->dimension == 2)
            q[i * nq + 2] = turn[2];
        else
            carom_move_turn(turn, q + i * nq + 3);
        for (size_t k = b->dimension; k < nv; k++)
            v[i * nv + k] = rate * lead->turn[b->dimension == 2 ? 2 : k - 3];
    }
}

bool carom_bodies_anchor_one(const struct carom_bodies *b, size_t i, double *q)
{
    const size_t nq = carom_bodies_nq(b), anchor = nq - b->dimension;
    bool any = false;
    for (size_t k = 0; k < b->dimension; k++) {
        double *u = &q[i * nq + k];
        if (!(fabs(*u) > b->edge) || b->body[i].lead >= 0)
            continue;
        const double cells = nearbyint(*u / b->edge);
        q[i * nq + anchor + k] += cells;
        *u -= cells * b->edge;
        any = true;
    }
    return any;
}

bool carom_bodies_anchor(const struct carom_bodies *b, double *q)
{
    bool any = false;
    for (size_t i = 0; i < b->n; i++)
        any |= carom_bodies_anchor_one(b, i, q);
    return any;
}

void carom_bodies_apart(const struct carom_bodies *b, const double *q, const double *other_q, const double *v,
                        const double *other_v, double *length, double *speed)
{
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b), d = b->dimension;
    *length = *speed = 0.0;
    for (size_t i = 0; i < b->n; i++) {
        const double radius = carom_bodies_lever(&b->body[i]);
        const double twice = d == 3 ? 2.0 : 1.0; /* quaternions have half angles */
        double here[3], there[3];
        if (carom_outside_is(b, i, q) != carom_outside_is(b, i, other_q))
            continue; /* it went out in a step that ends sooner here or there, and will rest at one place */
        carom_bodies_moved(b, i, q, here);
        carom_bodies_moved(b, i, other_q, there);
        for (size_t k = 0; k < d; k++)
            *length = fmax(*length, fabs(here[k] - there[k]));
        for (size_t k = d; k < nq - d; k++)
            *length = fmax(*length, twice * radius * fabs(q[i * nq + k] - other_q[i * nq + k]));
        for (size_t k = 0; k < nv; k++)
            *speed = fmax(*speed, (k < d ? 1.0 : radius) * fabs(v[i * nv + k] - other_v[i * nv + k]));
    }
}

static void release(void *own)
{
    carom_bodies_free(own);
}

static const struct carom_param none[] = {CAROM_PARAM_END};

const struct carom_part carom_part_bodies = {
    .kind = {"bodies", "discs in the plane or spheres in space, and walls; their contacts come and go", none, 0},
    .offers = CAROM_DIAGONAL_MASS | CAROM_CONSTANT_MASS,
    .sizes = sizes,
    .force = force,
    .mass_apply = mass_apply,
    .mass_solve = mass_solve,
    .energy = energy,
    .flow = flow,
    .move = move,
    .power = power,
    .impose = impose,
    .signal = signal,
    .describe = describe,
    .release = release,
};
