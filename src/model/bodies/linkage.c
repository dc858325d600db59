/* Bodies of the plane as one mechanism, see linkage.h. */
#include "model/bodies/linkage.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/bodies/joints.h"
#include "model/bodies/linkage_places.h"
#include "model/bodies/meet.h"
#include "model/bodies/shapes.h"
#include "solve/dense.h"

enum { NQ = 5, NV = 3 }; /* numbers that a body of the plane has */
enum { SQUARE = CAROM_MECHANISM_WIDTH * CAROM_MECHANISM_WIDTH };

/* A function of where the bodies stand, and how it changes as two of them move. */
struct seen {
    double value;
    size_t body[2]; /* CAROM_WORLD: none */
    double of[2][6], along[2][6];
};

/* the two bodies at q, in the coordinates of the part `bodies`; what else there is stays as it was at the start */
static void stand(const struct carom_linkage *l, const size_t body[2], const double *q, double *full)
{
    for (int s = 0; s < 2; s++) {
        if (body[s] == CAROM_WORLD)
            continue;
        double *to = full + body[s] * NQ;
        memset(to, 0, NQ * sizeof *to);
        if (l->seat[body[s]] != SIZE_MAX)
            memcpy(to, q + NV * l->seat[body[s]], NV * sizeof *to);
    }
}

static void see_contact(const struct carom_linkage *l, const struct carom_contact_key *key, const double *q,
                        struct seen *out)
{
    double full[CAROM_LINKAGE_BODIES * NQ];
    struct carom_meeting m = {.gap = 0.0};
    out->body[0] = key->a;
    out->body[1] = key->b;
    stand(l, out->body, q, full);
    carom_meet(l->bodies, key, full, &m);
    const double tangent[3] = {-m.normal[1], m.normal[0], 0.0};
    out->value = m.gap;
    for (int s = 0; s < 2; s++) {
        carom_meet_row(true, s ? 1.0 : -1.0, m.normal, m.arm[s], out->of[s]);
        carom_meet_row(true, s ? 1.0 : -1.0, tangent, m.arm[s], out->along[s]);
    }
}

/* a row that joint j holds, or its coordinate */
static struct carom_joint_row joint_row(const struct carom_linkage *l, size_t j, bool coordinate, size_t which,
                                        const double *q)
{
    const struct carom_joint *joint = &l->bodies->joint[j];
    double full[CAROM_LINKAGE_BODIES * NQ];
    struct carom_joint_row row[CAROM_JOINT_ROWS];
    stand(l, joint->body, q, full);
    if (coordinate)
        carom_joints_coordinate(l->bodies, joint, full, &row[which]);
    else
        carom_joints_rows(l->bodies, joint, full, row);
    return row[which];
}

static void see_joint(const struct carom_linkage *l, size_t j, bool coordinate, size_t which, const double *q,
                      struct seen *out)
{
    const struct carom_joint *joint = &l->bodies->joint[j];
    const struct carom_joint_row row = joint_row(l, j, coordinate, which, q);
    *out = (struct seen){.value = row.gap, .body = {joint->body[0], joint->body[1]}};
    memcpy(out->of, row.of, sizeof out->of);
}

static void see(const struct carom_linkage *l, size_t i, const double *q, struct seen *out)
{
    const struct carom_linkage_place *p = &l->place[i];
    if (p->joint == SIZE_MAX) {
        see_contact(l, &p->key, q, out);
        return;
    }
    const double scale = p->sign * p->lever;
    see_joint(l, p->joint, true, 0, q, out);
    out->value = scale * (out->value - l->bodies->joint[p->joint].limit[p->sign < 0.0]);
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < NV; k++)
            out->of[s][k] *= scale;
}

/* out += factor times the row, or that along which they slip, over the coordinates of the mechanism */
static void spread(const struct carom_linkage *l, const struct seen *seen, bool slips, double factor, double *out)
{
    for (int s = 0; s < 2; s++) {
        const size_t seat = seen->body[s] == CAROM_WORLD ? SIZE_MAX : l->seat[seen->body[s]];
        const double *row = slips ? seen->along[s] : seen->of[s];
        for (size_t k = 0; seat != SIZE_MAX && k < NV; k++)
            out[NV * seat + k] += factor * row[k];
    }
}

/* --- what a mechanism tells -------------------------------------------------------------------------------------- */

static double distance(const void *own, size_t i, double t, const double *q)
{
    struct seen seen;
    (void)t;
    see(own, i, q, &seen);
    return seen.value;
}

static void tell_row(const struct carom_linkage *l, const struct seen *seen, bool slips, double *slope, double *drift)
{
    memset(slope, 0, NV * carom_linkage_count(l->bodies) * sizeof *slope);
    spread(l, seen, slips, 1.0, slope);
    *drift = 0.0;
}

static void place(const void *own, size_t i, double t, const double *q, double *value, double *out, double *drift)
{
    struct seen seen;
    (void)t;
    see(own, i, q, &seen);
    tell_row(own, &seen, false, out, drift);
    *value = seen.value;
}

static void slope(const void *own, size_t i, double t, const double *q, double *out, double *drift)
{
    double value;
    place(own, i, t, q, &value, out, drift);
}

static void slip_slope(const void *own, size_t i, double t, const double *q, double *out, double *drift)
{
    struct seen seen;
    (void)t;
    see(own, i, q, &seen);
    tell_row(own, &seen, true, out, drift);
}

/* all rows that joints hold: those of one joint together */
static void joints(const void *own, double t, const double *q, double *value, double *slope, double *drift)
{
    const struct carom_linkage *l = own;
    const struct carom_bodies *b = l->bodies;
    const size_t n = NV * carom_linkage_count(b);
    (void)t;
    for (size_t j = 0, i = 0; j < b->njoints; j++) {
        double full[CAROM_LINKAGE_BODIES * NQ];
        struct carom_joint_row row[CAROM_JOINT_ROWS];
        struct seen seen = {.body = {b->joint[j].body[0], b->joint[j].body[1]}};
        stand(l, seen.body, q, full);
        const size_t rows = carom_joints_rows(b, &b->joint[j], full, row);
        for (size_t k = 0; k < rows; k++, i++) {
            memcpy(seen.of, row[k].of, sizeof seen.of);
            tell_row(l, &seen, false, slope + i * n, &drift[i]);
            value[i] = row[k].gap;
        }
    }
}

static void mass(const void *own, const double *q, double *m)
{
    const struct carom_linkage *l = own;
    const size_t n = NV * carom_linkage_count(l->bodies);
    (void)q;
    memset(m, 0, n * n * sizeof *m);
    for (size_t i = 0; i < l->bodies->n; i++)
        for (size_t k = 0; l->seat[i] != SIZE_MAX && k < NV; k++) {
            const size_t at = NV * l->seat[i] + k;
            m[at * n + at] = k < 2 ? l->bodies->body[i].mass : l->bodies->body[i].inertia;
        }
}

/* what loads push, and motors; weights are stored energy and apart from that */
static void push(const struct carom_linkage *l, double t, const double *q, double *f)
{
    const struct carom_bodies *b = l->bodies;
    for (size_t i = 0; i < b->nloads; i++)
        for (size_t k = 0; l->seat[b->load[i].body] != SIZE_MAX && k < 2; k++)
            f[NV * l->seat[b->load[i].body] + k] += b->load[i].force[k] * carom_signal_value(&b->load[i].signal, t);
    for (size_t j = 0; j < b->njoints; j++) {
        struct seen seen;
        if (b->joint[j].motor != CAROM_MOTOR_EFFORT)
            continue;
        see_joint(l, j, true, 0, q, &seen);
        spread(l, &seen, false, b->joint[j].drive, f);
    }
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct carom_linkage *l = own;
    (void)v;
    push(l, t, q, f);
    for (size_t i = 0; i < l->bodies->n; i++)
        for (size_t k = 0; l->seat[i] != SIZE_MAX && k < 2; k++)
            f[NV * l->seat[i] + k] += l->bodies->body[i].mass * l->bodies->gravity[k];
}

static double stored(const void *own, double t, const double *q)
{
    const struct carom_linkage *l = own;
    double sum = 0.0;
    (void)t;
    for (size_t i = 0; i < l->bodies->n; i++)
        for (size_t k = 0; l->seat[i] != SIZE_MAX && k < 2; k++)
            sum -= l->bodies->body[i].mass * l->bodies->gravity[k] * q[NV * l->seat[i] + k];
    return sum;
}

static void power(const void *own, double t, const double *q, const double *v, double *dissipated, double *work)
{
    const struct carom_linkage *l = own;
    double f[CAROM_MECHANISM_WIDTH] = {0.0};
    push(l, t, q, f);
    *dissipated = *work = 0.0;
    for (size_t k = 0; k < NV * carom_linkage_count(l->bodies); k++)
        *work += f[k] * v[k];
}

static void release(void *own)
{
    struct carom_linkage *l = own;
    carom_bodies_free(l->bodies);
    carom_memory_free_all(l->place, l);
}

/* --- which contacts there are ------------------------------------------------------------------------------------ */

size_t carom_linkage_count(const struct carom_bodies *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++)
        n += !b->body[i].fixed;
    return n;
}

/* --- making one -------------------------------------------------------------------------------------------------- */

/* what a list of contacts that stays cannot have, or a mechanism */
static enum carom_status accept(const struct carom_bodies *b, struct carom_error *error)
{
    const size_t moving = carom_linkage_count(b);
    size_t changing = 0;
    const char *lacks = b->dimension != 2                              ? "bodies of the plane, not of space"
                        : moving == 0 || moving > CAROM_LINKAGE_MOVING ? "1 to 10 bodies that move"
                        : b->n > CAROM_LINKAGE_BODIES                  ? "at most 64 bodies"
                        : b->periodic[0] || b->periodic[1]             ? "sides that are not joined"
                        : b->outside != CAROM_OUTSIDE_KEEP             ? "bodies that stay (outside: keep)"
                        : b->nrub[CAROM_ROLLS] > 0                     ? "no resistance to rolling"
                                                                       : NULL;
    for (size_t i = 0; i < b->n; i++)
        if (b->body[i].lead >= 0 || (b->body[i].surface == CAROM_PLANE && !b->body[i].fixed))
            lacks = "walls that stand still";
    for (size_t i = 0; i < b->nloads; i++)
        changing += b->load[i].signal.shape > CAROM_SHAPE_CONSTANT;
    lacks = changing > 1 ? "at most one load that changes" : lacks;
    if (lacks)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "this scheme takes bodies with joints, corners or friction as one mechanism with %s; "
                               "scheme moreau-jean of theory nonsmooth, with a step, takes others",
                               lacks);
    for (size_t j = 0; j < b->njoints; j++)
        if (b->joint[j].motor == CAROM_MOTOR_SPEED)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "joint %zu: a motor that keeps its speed runs under scheme moreau-jean alone; here "
                                   "motors have a torque or force",
                                   j + 1);
    return CAROM_OK;
}

/* rows of joints (nrows x n), and S = J M^-1 J^T below its diagonal */
static void weigh_rows(const struct carom_linkage *l, const double *q, double *row, double *s)
{
    const size_t n = NV * carom_linkage_count(l->bodies);
    double value[CAROM_MECHANISM_WIDTH], drift[CAROM_MECHANISM_WIDTH], m[SQUARE];
    joints(l, 0.0, q, value, row, drift);
    mass(l, q, m);
    for (size_t i = 0; i < l->nrows; i++)
        for (size_t k = 0; k <= i; k++) {
            s[i * l->nrows + k] = 0.0;
            for (size_t c = 0; c < n; c++)
                s[i * l->nrows + k] += row[i * n + c] * row[k * n + c] / m[c * n + c];
        }
}

/* rows of joints, and that none of them says again what those before it say */
static enum carom_status hold(struct carom_linkage *l, const double *start, struct carom_error *error)
{
    const struct carom_bodies *b = l->bodies;
    const size_t n = NV * carom_linkage_count(b);
    double row[SQUARE], s[SQUARE];
    size_t bad = 0;
    for (size_t j = 0; j < b->njoints && bad == 0; j++)
        for (size_t k = 0; k < carom_joints_count(b, &b->joint[j]) && bad == 0; k++) {
            l->joint[l->nrows++] = j;
            bad = l->nrows > n ? l->nrows : 0;
        }
    if (bad == 0)
        weigh_rows(l, start, row, s);
    bad = bad == 0 ? carom_dense_cholesky(l->nrows, s, 1e-10) : bad; /* far above rounding, far below any lever */
    if (bad > 0)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "joint %zu holds what those before it hold already, and this scheme needs joints that "
                               "do not; scheme moreau-jean takes them",
                               l->joint[bad - 1] + 1);
    return CAROM_OK;
}

static void make(const struct carom_linkage *l, struct carom_mechanism *out)
{
    *out = (struct carom_mechanism){
        .name = "bodies",
        .n = NV * carom_linkage_count(l->bodies),
        .ndistances = l->nplaces,
        .njoints = l->nrows,
        .constant_mass = true,
        .mass = mass,
        .force = force,
        .velocity_terms = true,
        .distance = distance,
        .slope = slope,
        .slip_slope = slip_slope,
        .place = place,
        .joints = joints,
        .stored = stored,
        .power = power,
        .still = true,
        .release = release,
    };
    for (size_t i = 0; i < l->bodies->nloads; i++)
        if (l->bodies->load[i].signal.shape > CAROM_SHAPE_CONSTANT)
            out->signal = &l->bodies->load[i].signal;
}

/* the linkage itself, with the start in its coordinates */
static enum carom_status open(struct carom_linkage *l, const double *q, const double *v, double *start, double *speed,
                              struct carom_error *error)
{
    const struct carom_bodies *b = l->bodies;
    size_t n = 0;
    if (accept(b, error) != CAROM_OK)
        return error ? error->status : CAROM_E_REFUSED;
    for (size_t i = 0; i < b->n; i++) {
        l->seat[i] = b->body[i].fixed ? SIZE_MAX : n;
        if (b->body[i].fixed)
            continue;
        double moved[3];
        carom_bodies_moved(b, i, q, moved);
        memcpy(start + NV * n, moved, 2 * sizeof *start);
        start[NV * n + 2] = q[i * NQ + 2];
        memcpy(speed + NV * n++, v + i * NV, NV * sizeof *speed);
    }
    const enum carom_status status = carom_linkage_places_find(l, error);
    return status == CAROM_OK ? hold(l, start, error) : status;
}

enum carom_status carom_linkage_add(struct carom_model *model, struct carom_bodies *bodies, const double *q,
                                    const double *v, double *start, double *speed, struct carom_error *error)
{
    struct carom_linkage *l = carom_memory_zeroed(1, sizeof *l);
    if (!l) {
        carom_bodies_free(bodies);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for bodies with joints");
    }
    l->bodies = bodies;
    const enum carom_status status = open(l, q, v, start, speed, error);
    if (status != CAROM_OK) {
        release(l);
        return status;
    }
    struct carom_mechanism mechanism;
    make(l, &mechanism);
    mechanism.own = l;
    void *part = carom_mechanism_create(&mechanism, start, speed, error);
    if (!part)
        return error ? error->status : CAROM_E_INPUT;
    const enum carom_status added = carom_model_add(model, &carom_part_mechanism, part, error);
    return added == CAROM_OK ? carom_linkage_places_join(model, l, error) : added;
}

const struct carom_bodies *carom_linkage_of(const struct carom_model *model)
{
    const struct carom_mechanism *m = carom_mechanism_of(model);
    return m && m->mass == mass ? ((const struct carom_linkage *)m->own)->bodies : NULL;
}

void carom_linkage_stand(const struct carom_model *model, const double *q, const double *v, double *all_q,
                         double *all_v)
{
    const struct carom_linkage *l = carom_mechanism_of(model)->own;
    for (size_t i = 0; i < l->bodies->n; i++) {
        const size_t body[2] = {CAROM_WORLD, i};
        stand(l, body, q, all_q);
        memset(all_v + i * NV, 0, NV * sizeof *all_v);
        if (l->seat[i] != SIZE_MAX)
            memcpy(all_v + i * NV, v + NV * l->seat[i], NV * sizeof *all_v);
    }
}

/* `push` along a row of joint j, or along its coordinate */
static void carry(const struct carom_linkage *l, size_t j, bool coordinate, size_t which, const double *q, double push,
                  bool moment, double *out)
{
    const struct carom_joint_row row = joint_row(l, j, coordinate, which, q);
    if (moment)
        out[j] += push * row.moment[2];
    for (size_t k = 0; !moment && k < 2; k++)
        out[2 * j + k] += push * row.of[1][k];
}

/* how fast rows would change their rates if nothing were accelerated: differences along the motion, of fourth order */
static void bend_rows(const struct carom_linkage *l, size_t n, const double *q, const double *v, double *bend)
{
    static const double stencil[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    double fastest = 1.0, x[CAROM_MECHANISM_WIDTH], row[SQUARE], value[CAROM_MECHANISM_WIDTH];
    double drift[CAROM_MECHANISM_WIDTH];
    for (size_t c = 0; c < n; c++)
        fastest = fmax(fastest, fabs(v[c]));
    const double h = 1e-3 / fastest; /* turns by a thousandth of a radian */
    memset(bend, 0, l->nrows * sizeof *bend);
    for (int s = 0; s < 4; s++) {
        for (size_t c = 0; c < n; c++)
            x[c] = q[c] + stencil[s] * h * v[c];
        joints(l, 0.0, x, value, row, drift);
        for (size_t i = 0; i < l->nrows; i++)
            for (size_t c = 0; c < n; c++)
                bend[i] += weight[s] * row[i * n + c] * v[c];
    }
    for (size_t i = 0; i < l->nrows; i++)
        bend[i] /= h;
}

/* what each row that joints hold pushes, with the forces f of everything else */
static void hold_against(const struct carom_linkage *l, const double *q, const double *v, const double *f, double *held)
{
    const size_t n = NV * carom_linkage_count(l->bodies);
    double row[SQUARE], m[SQUARE], s[SQUARE];
    weigh_rows(l, q, row, s);
    mass(l, q, m);
    bend_rows(l, n, q, v, held);
    for (size_t i = 0; i < l->nrows; i++) {
        held[i] = -held[i];
        for (size_t c = 0; c < n; c++)
            held[i] -= row[i * n + c] * f[c] / m[c * n + c];
    }
    carom_dense_cholesky(l->nrows, s, 0.0);
    carom_dense_cholesky_solve(l->nrows, s, held);
}

void carom_linkage_carry(const struct carom_model *model, const struct carom_state *view, bool moment, double *out)
{
    const struct carom_linkage *l = carom_mechanism_of(model)->own;
    const double *q = view->q;
    double f[CAROM_MECHANISM_WIDTH], held[CAROM_MECHANISM_WIDTH];
    memset(out, 0, (moment ? 1 : 2) * l->bodies->njoints * sizeof *out);
    memset(f, 0, sizeof f);
    force(l, view->time, q, view->v, f);
    for (size_t i = 0; i < l->nplaces; i++) {
        const struct carom_linkage_place *p = &l->place[i];
        struct seen seen;
        see(l, i, q, &seen);
        spread(l, &seen, false, view->force[i], f);
        if (view->nfriction > 0)
            spread(l, &seen, true, view->friction[i], f);
        if (p->joint != SIZE_MAX)
            carry(l, p->joint, true, 0, q, p->sign * p->lever * view->force[i], moment, out);
    }
    for (size_t j = 0; j < l->bodies->njoints; j++)
        if (l->bodies->joint[j].motor == CAROM_MOTOR_EFFORT)
            carry(l, j, true, 0, q, l->bodies->joint[j].drive, moment, out);
    hold_against(l, q, view->v, f, held);
    for (size_t i = 0, which = 0; i < l->nrows; i++) {
        which = i > 0 && l->joint[i - 1] == l->joint[i] ? which + 1 : 0;
        carry(l, l->joint[i], false, which, q, held[i], moment, out);
    }
}

void carom_linkage_name(const struct carom_model *model, size_t i, char *text, size_t room)
{
    const struct carom_linkage *l = carom_mechanism_of(model)->own;
    const struct carom_linkage_place *p = &l->place[i];
    const bool corners = carom_shapes_both(l->bodies, p->key.a, p->key.b);
    size_t which = 1; /* of those of the same two */
    while (which <= i && l->place[i - which].joint == SIZE_MAX && l->place[i - which].key.a == p->key.a &&
           l->place[i - which].key.b == p->key.b)
        which++;
    if (p->joint != SIZE_MAX)
        snprintf(text, room, "%s limit of joint %zu", p->sign < 0.0 ? "upper" : "lower", p->joint + 1);
    else
        snprintf(text, room, "bodies %u and %u, %s %zu", (unsigned)p->key.a + 1, (unsigned)p->key.b + 1,
                 corners ? "corner" : "place", which);
}
