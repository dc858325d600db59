/* Part `balls`: what strikes a solid. Free flight under gravity but for contacts (solid_strike.c); no loads. */
#include "model/solid/strike/solid_balls.h"

#include <string.h>

#include "base/memory.h"
#include "base/sum.h"
#include "model/bodies/move.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_stops.h"

struct carom_solid_balls *carom_solid_balls_create(size_t n, int dimension)
{
    struct carom_solid_balls *b = carom_memory_zeroed(1, sizeof *b);
    if (!b)
        return NULL;
    b->n = n;
    b->dimension = dimension;
    b->at = carom_memory_zeroed(n, sizeof *b->at);
    b->mass = carom_memory_zeroed(n, sizeof *b->mass);
    b->radius = carom_memory_zeroed(n, sizeof *b->radius);
    if (b->at && b->mass && b->radius)
        return b;
    carom_solid_balls_free(b);
    return NULL;
}

void carom_solid_balls_free(struct carom_solid_balls *b)
{
    if (!b)
        return;
    for (size_t a = 0; a < b->nanchors; a++)
        carom_memory_free(b->anchor[a].cell);
    carom_memory_free_all(b->anchor, b->at, b->mass, b->radius, b->inertia, b->joint, b->stop, b->joined, b);
}

bool carom_solid_balls_turn(struct carom_solid_balls *b, size_t ncontacts)
{
    b->ncontacts = ncontacts;
    b->inertia = b->inertia ? b->inertia : carom_memory_zeroed(b->n, sizeof *b->inertia);
    for (size_t i = 0; b->inertia && i < b->n; i++)
        b->inertia[i] = (b->dimension == 3 ? 0.4 : 0.5) * b->mass[i] * b->radius[i] * b->radius[i];
    return b->inertia != NULL;
}

bool carom_solid_balls_join(struct carom_solid_balls *b)
{
    b->joined = carom_memory_zeroed(b->n * b->n, sizeof *b->joined);
    for (size_t j = 0; b->joined && j < b->njoints; j++) {
        const size_t *body = b->joint[j].body;
        if (body[0] < b->n)
            b->joined[body[0] * b->n + body[1]] = b->joined[body[1] * b->n + body[0]] = true;
    }
    return b->joined && carom_solid_balls_turn(b, b->ncontacts);
}

size_t carom_solid_balls_moves(const struct carom_solid_balls *b)
{
    return b->n * (size_t)b->dimension;
}

size_t carom_solid_balls_axes(const struct carom_solid_balls *b)
{
    return b->dimension == 3 ? 3 : 1;
}

void carom_solid_balls_spin(const struct carom_solid_balls *b, size_t i, const double *v, double out[3])
{
    const size_t axes = carom_solid_balls_axes(b);
    out[0] = out[1] = out[2] = 0.0;
    for (size_t k = 0; b->inertia && k < axes; k++)
        out[3 - axes + k] = v[carom_solid_balls_moves(b) + axes * i + k];
}

/* numbers that tell how far a ball has turned */
static size_t turn_wide(const struct carom_solid_balls *b)
{
    return b->njoints == 0 ? 0 : b->dimension == 3 ? 4 : 1;
}

const double *carom_solid_balls_turned(const struct carom_solid_balls *b, size_t i, const double *q)
{
    return q + carom_solid_balls_moves(b) + i * turn_wide(b);
}

void carom_solid_balls_start(const struct carom_solid_balls *b, double *q)
{
    for (size_t i = 0; i < b->n && turn_wide(b) == 4; i++)
        q[carom_solid_balls_moves(b) + 4 * i] = 1.0;
}

void carom_solid_balls_spun(const struct carom_solid_balls *b, size_t i, const double by[3], const double *q,
                            double *to)
{
    const size_t at = carom_solid_balls_moves(b) + i * turn_wide(b);
    if (b->dimension == 3)
        carom_move_turned(by, q + at, to + at);
    else
        to[at] = q[at] + by[2];
}

size_t carom_solid_balls_bonds(const struct carom_solid_balls *b)
{
    return b->ncontacts > 0 ? 4 * b->ncontacts + 1 : 0;
}

size_t carom_solid_balls_anchors_q(const struct carom_solid_balls *b)
{
    return carom_solid_balls_moves(b) + b->n * turn_wide(b);
}

size_t carom_solid_balls_anchors_v(const struct carom_solid_balls *b)
{
    return carom_solid_balls_moves(b) + (b->inertia ? b->n * carom_solid_balls_axes(b) : 0);
}

bool carom_solid_balls_fastened(const struct carom_solid_balls *b, size_t i, size_t member)
{
    for (size_t j = 0; b->nanchors > 0 && j < b->njoints; j++) {
        const size_t *body = b->joint[j].body;
        if (body[1] == i && body[0] >= b->n && body[0] != CAROM_WORLD && b->joint[j].kind != CAROM_JOINT_DISTANCE &&
            b->anchor[body[0] - b->n].member == member)
            return true;
    }
    return false;
}

/* by masses, of numbers that stand `wide` apart */
static void mean_of(const struct carom_solid_anchor *a, size_t wide, const double *x, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < (size_t)a->solid->dimension; k++)
            out[k] += carom_solid_sort_of(a->solid, a->cell[i])->mass * x[wide * a->cell[i] + k];
    for (int k = 0; k < 3; k++)
        out[k] /= a->mass;
}

void carom_solid_balls_anchor_moved(const struct carom_solid_anchor *a, const double *q, double out[3])
{
    mean_of(a, a->solid->wide, q, out);
    for (int k = 0; k < 3; k++)
        out[k] -= a->start[k];
}

void carom_solid_balls_anchor_rate(const struct carom_solid_anchor *a, const double *v, double out[3])
{
    mean_of(a, a->solid->fast, v, out);
}

const struct carom_solid_balls *carom_solid_balls_at(const struct carom_model *model, size_t member)
{
    const bool balls = member < model->nparts && model->member[member].part == &carom_part_solid_balls;
    return balls ? model->member[member].own : NULL;
}

const struct carom_solid_balls *carom_solid_balls_of(const struct carom_model *model, size_t *member)
{
    size_t i = 0;
    while (i < model->nparts && !carom_solid_balls_at(model, i))
        i++;
    if (member && i < model->nparts)
        *member = i;
    return carom_solid_balls_at(model, i);
}

void carom_solid_balls_place(const struct carom_solid_balls *b, size_t i, const double *q, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = b->at[i][k] + (k < b->dimension ? q[(size_t)b->dimension * i + (size_t)k] : 0.0);
}

/* --- joints ------------------------------------------------------------------------------------------------------ */

/* Cells have no turn: the line of a slider to them turns with its ball, and the ball turns freely. */
static bool slides_on_cells(const struct carom_solid_balls *b, const struct carom_joint *joint)
{
    return joint->kind == CAROM_JOINT_SLIDER && joint->body[0] != CAROM_WORLD && joint->body[0] >= b->n;
}

/* rows that it holds: of a slider to cells those of its line come first, and no others are meant */
static size_t count_of(const struct carom_solid_balls *b, const struct carom_joint *joint)
{
    return slides_on_cells(b, joint) ? (size_t)b->dimension - 1 : carom_joints_count((size_t)b->dimension, joint);
}

size_t carom_solid_balls_held(const struct carom_solid_balls *b)
{
    size_t n = 0;
    for (size_t j = 0; j < b->njoints; j++)
        n += count_of(b, &b->joint[j]) + (b->joint[j].motor == CAROM_MOTOR_SPEED);
    return n;
}

static void stand(const struct carom_solid_balls *b, const struct carom_joint *joint, const double *q,
                  struct carom_joint_stand at[2])
{
    for (int side = 0; side < 2; side++) {
        const size_t i = joint->body[side];
        at[side] = CAROM_JOINT_STILL;
        for (size_t k = 0; i != CAROM_WORLD && i >= b->n && k < (size_t)b->dimension; k++)
            at[side].moved[k] = q[carom_solid_balls_anchors_q(b) + (size_t)b->dimension * (i - b->n) + k];
        if (i < b->n)
            carom_joints_stand((size_t)b->dimension, q + (size_t)b->dimension * i, carom_solid_balls_turned(b, i, q),
                               &at[side]);
    }
}

/* the same joint as its second body has it, and what it has said then as the first has it */
static void turn_round(struct carom_joint *joint, struct carom_joint_stand at[2])
{
    const struct carom_joint was = *joint;
    const struct carom_joint_stand first = at[0];
    at[0] = at[1];
    at[1] = first;
    for (int side = 0; side < 2; side++)
        memcpy(joint->at[side], was.at[1 - side], sizeof was.at[side]);
    for (int k = 0; k < 3; k++)
        joint->apart[k] = -was.apart[k];
}

static void turn_back(struct carom_joint_row *row)
{
    const struct carom_joint_row was = *row;
    row->gap = -was.gap;
    for (int k = 0; k < 12; k++)
        row->of[k / 6][k % 6] = -was.of[1 - k / 6][k % 6];
}

/* what a joint holds, and its coordinate */
static void look_at(const struct carom_solid_balls *b, const struct carom_joint *joint, const double *q,
                    struct carom_joint_row held[CAROM_JOINT_ROWS], struct carom_joint_row *coordinate)
{
    const bool round = slides_on_cells(b, joint);
    const size_t n = count_of(b, joint);
    struct carom_joint of = *joint;
    struct carom_joint_stand at[2];
    stand(b, joint, q, at);
    if (round)
        turn_round(&of, at);
    if (held)
        carom_joints_rows_of((size_t)b->dimension, &of, at, held);
    for (size_t i = 0; held && round && i < n; i++)
        turn_back(&held[i]);
    if (coordinate)
        carom_joints_coordinate_of((size_t)b->dimension, &of, at, coordinate);
    if (coordinate && round)
        turn_back(coordinate);
}

void carom_solid_balls_coordinate(const struct carom_solid_balls *b, const struct carom_joint *joint, const double *q,
                                  struct carom_joint_row *row)
{
    look_at(b, joint, q, NULL, row);
}

void carom_solid_balls_rows(const struct carom_solid_balls *b, const double *q, struct carom_solid_joint_row *row)
{
    for (size_t j = 0; j < b->njoints; j++) {
        const struct carom_joint *joint = &b->joint[j];
        const bool motor = joint->motor == CAROM_MOTOR_SPEED;
        struct carom_joint_row held[CAROM_JOINT_ROWS], coordinate;
        look_at(b, joint, q, held, motor ? &coordinate : NULL);
        for (size_t i = 0; i < count_of(b, joint); i++)
            *row++ = (struct carom_solid_joint_row){.joint = joint, .row = held[i]};
        if (motor)
            *row++ = (struct carom_solid_joint_row){.joint = joint, .motor = true, .row = coordinate};
    }
}

size_t carom_solid_balls_number(const struct carom_solid_balls *b, size_t ball, size_t k)
{
    const size_t d = (size_t)b->dimension;
    if (ball >= b->n)
        return carom_solid_balls_anchors_v(b) + d * (ball - b->n) + k;
    return k < d ? d * ball + k : carom_solid_balls_moves(b) + carom_solid_balls_axes(b) * ball + (k - d);
}

double carom_solid_balls_row_rate(const struct carom_solid_balls *b, const struct carom_solid_joint_row *row,
                                  const double *v)
{
    double rate = 0.0;
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < carom_solid_balls_ways(b, row->joint->body[side]); k++)
            rate += row->row.of[side][k] * v[carom_solid_balls_number(b, row->joint->body[side], k)];
    return rate;
}

double carom_solid_balls_answer(const struct carom_solid_balls *balls, const struct carom_solid_joint_row *a,
                                const struct carom_solid_joint_row *b)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            const size_t body = a->joint->body[i];
            for (size_t k = 0; body == b->joint->body[j] && k < carom_solid_balls_ways(balls, body); k++)
                sum += a->row.of[i][k] * b->row.of[j][k] /
                       carom_solid_balls_weight(balls, carom_solid_balls_number(balls, body, k));
        }
    return sum;
}

/* how fast a motor moves the centre of a ball that it holds to the world */
static double driven(const struct carom_joint *joint)
{
    if (joint->motor != CAROM_MOTOR_SPEED)
        return 0.0;
    return fabs(joint->drive) * (joint->kind == CAROM_JOINT_HINGE ? carom_vec_norm(joint->at[1]) : 1.0);
}

/* ----------------------------------------------------------------------------------------------------------------- */

void carom_solid_balls_weigh(const struct carom_solid_balls *b, double *f)
{
    const size_t d = (size_t)b->dimension;
    for (size_t i = 0; i < carom_solid_balls_moves(b); i++)
        f[i] = b->mass[i / d] * b->gravity[i % d];
}

double carom_solid_balls_speed(const struct carom_solid_balls *b, const double *v)
{
    double most = 0.0;
    for (size_t i = 0; i < b->n; i++) {
        double square = 0.0;
        for (size_t k = 0; k < (size_t)b->dimension; k++)
            square += v[(size_t)b->dimension * i + k] * v[(size_t)b->dimension * i + k];
        most = fmax(most, sqrt(square));
    }
    for (size_t j = 0; j < b->njoints; j++)
        most = fmax(most, driven(&b->joint[j]));
    return most;
}

static void sizes(const void *own, size_t *nq, size_t *nv, size_t *nports)
{
    const struct carom_solid_balls *b = own;
    *nq = carom_solid_balls_anchors_q(b) + b->nanchors * (size_t)b->dimension;
    *nv = carom_solid_balls_anchors_v(b) + b->nanchors * (size_t)b->dimension;
    *nports = 0;
}

static void force(const void *own, double t, const double *q, const double *v, double *scratch, double *f)
{
    (void)t;
    (void)q;
    (void)v;
    (void)scratch;
    size_t nq, nv, nports;
    sizes(own, &nq, &nv, &nports);
    memset(f, 0, nv * sizeof *f);
    carom_solid_balls_weigh(own, f);
}

double carom_solid_balls_weight(const struct carom_solid_balls *b, size_t i)
{
    const size_t moves = carom_solid_balls_moves(b), d = (size_t)b->dimension;
    if (i >= carom_solid_balls_anchors_v(b))
        return b->anchor[(i - carom_solid_balls_anchors_v(b)) / d].mass;
    return i < moves ? b->mass[i / d] : b->inertia[(i - moves) / carom_solid_balls_axes(b)];
}

static void mass_apply(const void *own, const double *q, const double *v, double *p)
{
    const struct carom_solid_balls *b = own;
    size_t nq, nv, nports;
    (void)q;
    sizes(own, &nq, &nv, &nports);
    for (size_t i = 0; i < nv; i++) /* the momentum of anchors is the solids' */
        p[i] = i < carom_solid_balls_anchors_v(b) ? carom_solid_balls_weight(b, i) * v[i] : 0.0;
}

static void mass_solve(const void *own, const double *q, const double *p, double *v)
{
    const struct carom_solid_balls *b = own;
    size_t nq, nv, nports;
    (void)q;
    sizes(own, &nq, &nv, &nports);
    for (size_t i = 0; i < nv; i++)
        v[i] = p[i] / carom_solid_balls_weight(b, i);
}

static void energy(const void *own, double t, const double *q, const double *v, double *scratch, double *kinetic,
                   double *stored)
{
    const struct carom_solid_balls *b = own;
    const size_t d = (size_t)b->dimension;
    struct carom_sum motion = {0.0, 0.0}, height = {0.0, 0.0};
    (void)t;
    (void)scratch;
    for (size_t i = 0; i < carom_solid_balls_anchors_v(b); i++)
        carom_sum_add(&motion, 0.5 * carom_solid_balls_weight(b, i) * v[i] * v[i]);
    for (size_t i = 0; i < carom_solid_balls_moves(b); i++)
        if (b->gravity[i % d] != 0.0)
            carom_sum_add(&height, -b->mass[i / d] * b->gravity[i % d] * q[i]);
    *kinetic = carom_sum_value(&motion);
    *stored = carom_sum_value(&height) + carom_solid_stops_energy(b, q);
}

static void flow(const void *own, const double *q, const double *v, double *rate)
{
    const struct carom_solid_balls *b = own;
    size_t nq, nv, nports;
    sizes(own, &nq, &nv, &nports);
    for (size_t i = 0; i < nq; i++)
        rate[i] = i < carom_solid_balls_moves(b) ? v[i] : 0.0;
    for (size_t i = 0; i < b->n && b->njoints > 0; i++) {
        const size_t at = carom_solid_balls_moves(b) + i * turn_wide(b);
        double half[4] = {0.0};
        carom_solid_balls_spin(b, i, v, half + 1);
        rate[at] = half[3];
        if (b->dimension == 2)
            continue;
        for (int k = 1; k < 4; k++)
            half[k] *= 0.5;
        carom_quat_product(half, q + at, rate + at);
    }
    for (size_t i = 0; i < b->nanchors * (size_t)b->dimension; i++)
        rate[carom_solid_balls_anchors_q(b) + i] = v[carom_solid_balls_anchors_v(b) + i];
}

static void describe(const void *own, struct carom_particles *out)
{
    const struct carom_solid_balls *b = own;
    *out = (struct carom_particles){.dimension = b->dimension, .n = b->n, .mass = b->mass, .radius = b->radius};
}

static void release(void *own)
{
    carom_solid_balls_free(own);
}

const struct carom_part carom_part_solid_balls = {
    .kind = {"balls", "spheres in space or discs in the plane that strike a solid", NULL, 0},
    .offers = CAROM_DIAGONAL_MASS | CAROM_CONSTANT_MASS | CAROM_POTENTIAL,
    .sizes = sizes,
    .force = force,
    .mass_apply = mass_apply,
    .mass_solve = mass_solve,
    .energy = energy,
    .flow = flow,
    .describe = describe,
    .release = release,
};
