/* Joints in a step of moreau-jean, see moreau_joints.h. Rows that follow from others, as in closed loops, are left out
 * of the matrix; if what they ask for does not follow as well, the step is refused. */
#include "scheme/rigid/moreau/moreau_joints.h"

#include <string.h>

#include "base/memory.h"
#include "scheme/rigid/moreau/moreau_between.h"
#include "scheme/rigid/moreau/moreau_friction.h"
#include "scheme/stepper.h"
#include "solve/dense.h"

enum { CLOSINGS = 30 };
static const double dependent = 1e-12; /* pivots of rows that follow from others, relative */

/* --- rows -------------------------------------------------------------------------------------------------------- */

/* the rows of all joints at q, in the order of the bonds */
static void fill_rows(struct carom_moreau_graph *w, const double *q)
{
    struct carom_moreau_joints *o = w->joints;
    const struct carom_bodies *b = w->bodies;
    for (size_t i = 0; i < o->nbonds;) {
        struct carom_joint_row row[CAROM_JOINT_ROWS];
        const size_t joint = o->bond[i].joint;
        const size_t n = carom_joints_rows(b, &b->joint[joint], q, row);
        for (size_t k = 0; k < n; k++)
            o->bond[i++].row = row[k];
        if (i < o->nbonds && o->bond[i].joint == joint && o->bond[i].motor) /* after those that are held */
            carom_joints_coordinate(b, &b->joint[joint], q, &o->bond[i++].row);
    }
    for (size_t i = 0; i < o->nbonds; i++)
        carom_bond_respond(b, q, &o->bond[i]);
}

/* J M^-1 J^T of each assembly, factored. A motor's coordinate is nothing that positions are moved along: its row counts
 * only where velocities are held. */
static void factor(struct carom_moreau_graph *w, bool motors)
{
    struct carom_moreau_joints *o = w->joints;
    const struct carom_bodies *b = w->bodies;
    const size_t nv = carom_bodies_nv(b);
    for (size_t a = 0; a < o->nassemblies; a++) {
        const struct carom_moreau_assembly *of = &o->assembly[a];
        double *matrix = o->factor + of->factor;
        for (size_t i = 0; i < of->rows; i++)
            for (size_t j = 0; j <= i; j++) {
                const struct carom_moreau_bond *one = &o->bond[of->first + i], *other = &o->bond[of->first + j];
                double sum = 0.0;
                const bool counts = motors || (!one->motor && !other->motor);
                for (int s = 0; s < 2 && counts; s++)
                    for (int t = 0; t < 2; t++) {
                        const size_t body = b->joint[one->joint].body[s];
                        if (!carom_bond_moves(b, body) || body != b->joint[other->joint].body[t])
                            continue;
                        for (size_t k = 0; k < nv; k++)
                            sum += one->row.of[s][k] * other->response[t][k];
                    }
                matrix[i * of->rows + j] = sum;
            }
        carom_dense_semidefinite(of->rows, matrix, dependent);
    }
}

/* --- who belongs together ---------------------------------------------------------------------------------------- */

static size_t head_of(size_t *head, size_t i)
{
    while (head[i] != i)
        i = head[i] = head[head[i]];
    return i;
}

/* heads of assemblies in o->of: the smallest body of each; n: it belongs to none */
static void find_assemblies(struct carom_moreau_joints *o, const struct carom_bodies *b)
{
    for (size_t i = 0; i < b->n; i++)
        o->of[i] = i;
    for (size_t j = 0; j < b->njoints; j++) {
        const size_t *body = b->joint[j].body;
        if (!carom_bond_moves(b, body[0]) || !carom_bond_moves(b, body[1]))
            continue;
        const size_t one = head_of(o->of, body[0]), other = head_of(o->of, body[1]);
        o->of[one < other ? other : one] = one < other ? one : other;
    }
    for (size_t i = 0; i < b->n; i++)
        o->of[i] = head_of(o->of, i);
}

static size_t head_of_joint(const struct carom_moreau_joints *o, const struct carom_bodies *b, size_t j)
{
    const size_t *body = b->joint[j].body;
    return o->of[carom_bond_moves(b, body[0]) ? body[0] : body[1]];
}

/* assemblies in the order of their heads, their bonds in that of the joints */
static enum carom_status gather(struct carom_moreau_graph *w, struct carom_error *error)
{
    struct carom_moreau_joints *o = w->joints;
    const struct carom_bodies *b = w->bodies;
    size_t size = 0;
    for (size_t i = 0; i < b->n; i++) {
        struct carom_moreau_assembly *of = &o->assembly[o->nassemblies];
        bool any = false;
        if (o->of[i] != i)
            continue;
        of->head = i;
        of->first = o->nbonds;
        for (size_t j = 0; j < b->njoints; j++) {
            const struct carom_joint *joint = &b->joint[j];
            if (head_of_joint(o, b, j) != i)
                continue;
            any = true;
            const size_t held = carom_joints_count(b->dimension, joint), motor = joint->motor == CAROM_MOTOR_SPEED;
            for (size_t k = 0; k < held + motor; k++)
                o->bond[o->nbonds++] = (struct carom_moreau_bond){.joint = j, .motor = k == held};
        }
        of->rows = o->nbonds - of->first;
        of->factor = size;
        size += of->rows * of->rows;
        o->nassemblies += any;
        if (of->rows > CAROM_MOREAU_JOINTS_MOST)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "the joints of body %zu and of all that hang on it hold %zu directions, at most %d "
                                   "are allowed in one assembly",
                                   i + 1, of->rows, CAROM_MOREAU_JOINTS_MOST);
    }
    o->factor = carom_memory_zeroed(size + 1, sizeof *o->factor);
    return o->factor ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for joints");
}

/* from heads to numbers of assemblies, and places in them */
static void seat(struct carom_moreau_joints *o, const struct carom_bodies *b)
{
    for (size_t i = 0; i < b->n; i++) {
        size_t a = 0;
        while (a < o->nassemblies && o->assembly[a].head != o->of[i])
            a++;
        o->of[i] = a;
        if (a < o->nassemblies)
            o->seat[i] = o->assembly[a].nbodies++;
    }
}

enum carom_status carom_moreau_joints_open(struct carom_moreau_graph *w, const struct carom_model *model,
                                           struct carom_error *error)
{
    const struct carom_bodies *b = w->bodies;
    if (b->njoints == 0)
        return CAROM_OK;
    struct carom_moreau_joints *o = w->joints = carom_memory_zeroed(1, sizeof *o);
    const size_t most = b->njoints * (CAROM_JOINT_ROWS + 1);
    if (!o || !carom_memory_together(CAROM_ROOM(o->assembly, b->n + 1), CAROM_ROOM(o->of, b->n),
                                     CAROM_ROOM(o->seat, b->n), CAROM_ROOM(o->bond, most), CAROM_ROOM(o->rate, most),
                                     CAROM_ROOM(o->limit, 2 * b->njoints), CAROM_ROOM(o->end, model->nq),
                                     CAROM_ROOM(o->finish, model->nv), CAROM_ROOM(o->loose, model->nv),
                                     CAROM_ROOM(o->back, model->nv)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for joints");
    find_assemblies(o, b);
    const enum carom_status status = gather(w, error);
    if (status == CAROM_OK)
        seat(o, b);
    return status;
}

void carom_moreau_joints_close(struct carom_moreau_graph *w)
{
    struct carom_moreau_joints *o = w->joints;
    if (!o)
        return;
    carom_memory_free_all(o->assembly, o->factor, o->pair, o->at, o->width, o->h, o->response, o);
    w->joints = NULL;
}

/* --- a turn ------------------------------------------------------------------------------------------------------ */

/* What the rows of the end ask of the trial velocities, over those of the middle: with that left to the middle's rows
 * the end's hold once the turns have found v1. */
static void set_wants(struct carom_stepper *stepper, const struct carom_state *from, double h)
{
    struct carom_moreau_graph *w = stepper->work;
    struct carom_moreau_joints *o = w->joints;
    const struct carom_bodies *b = w->bodies;
    const size_t nv = stepper->model->nv;
    for (size_t i = 0; i < nv; i++)
        w->step[i] = h * (w->options->theta * w->trial[i] + (1.0 - w->options->theta) * from->v[i]);
    memcpy(o->finish, w->trial, nv * sizeof *o->finish);
    carom_motion_move(stepper->model, from->q, w->step, o->end);
    carom_motion_impose(stepper->model, from->time + h, o->end, o->finish);
    fill_rows(w, o->end);
    for (size_t i = 0; i < o->nbonds; i++) {
        const struct carom_moreau_bond *bond = &o->bond[i];
        o->rate[i] = (bond->motor ? b->joint[bond->joint].drive : 0.0) - carom_bond_rate(b, bond, o->finish, o->finish);
    }
}

/* torques and forces of motors */
static void drive(struct carom_moreau_graph *w, double h, double *v1)
{
    const struct carom_bodies *b = w->bodies;
    for (size_t j = 0; j < b->njoints; j++) {
        struct carom_moreau_bond bond = {.joint = j};
        if (b->joint[j].motor != CAROM_MOTOR_EFFORT)
            continue;
        carom_joints_coordinate(b, &b->joint[j], w->place, &bond.row);
        carom_bond_respond(b, w->place, &bond);
        carom_bond_push(b, &bond, h * b->joint[j].drive, v1);
    }
}

void carom_moreau_joints_set(struct carom_stepper *stepper, const struct carom_state *from, double h, double *v1)
{
    struct carom_moreau_graph *w = stepper->work;
    struct carom_moreau_joints *o = w->joints;
    const struct carom_bodies *b = w->bodies;
    drive(w, h, v1);
    set_wants(stepper, from, h);
    fill_rows(w, w->place);
    for (size_t i = 0; i < o->nbonds; i++) {
        struct carom_moreau_bond *bond = &o->bond[i];
        bond->want = o->rate[i] + carom_bond_rate(b, bond, w->trial, w->mean);
        bond->before = carom_bond_rate(b, bond, from->v, w->mean);
        bond->drift = carom_bond_rate(b, bond, NULL, w->mean);
    }
    factor(w, true);
}

static void hold(struct carom_moreau_graph *w, bool impact, double *v)
{
    struct carom_moreau_joints *o = w->joints;
    for (size_t a = 0; a < o->nassemblies; a++) {
        const struct carom_moreau_assembly *of = &o->assembly[a];
        struct carom_moreau_bond *bond = o->bond + of->first;
        for (size_t i = 0; i < of->rows; i++)
            o->rate[i] = (impact ? 0.0 : bond[i].want - bond[i].drift) - carom_bond_rate(w->bodies, &bond[i], v, NULL);
        carom_dense_cholesky_solve(of->rows, o->factor + of->factor, o->rate);
        for (size_t i = 0; i < of->rows; i++) {
            *(impact ? &bond[i].once : &bond[i].impulse) = o->rate[i];
            carom_bond_push(w->bodies, &bond[i], o->rate[i], v);
        }
    }
}

void carom_moreau_joints_hold(struct carom_moreau_graph *w, double *v)
{
    hold(w, false, v);
}

void carom_moreau_joints_jolt(struct carom_moreau_graph *w, double *v)
{
    hold(w, true, v);
}

/* --- the end of a step ------------------------------------------------------------------------------------------- */

enum carom_status carom_moreau_joints_check(const struct carom_moreau_graph *w, const double *v, double t,
                                            struct carom_error *error)
{
    const struct carom_moreau_joints *o = w->joints;
    const struct carom_bodies *b = w->bodies;
    double fastest = w->rigid.kick;
    for (size_t k = 0; k < b->n * carom_bodies_nv(b); k++)
        fastest = fmax(fastest, fabs(v[k]));
    for (size_t i = 0; i < o->nbonds; i++) {
        const struct carom_moreau_bond *bond = &o->bond[i];
        const double size = fabs(bond->want) + fabs(bond->before) + carom_bond_reach(bond) * fastest;
        const double off = fabs(carom_bond_rate(b, bond, v, NULL) + bond->drift - bond->want);
        if (!(off <= 1e-4 * size))
            return carom_error_set(
                error, CAROM_E_NUMERIC,
                "moreau-jean: joint %zu asks at t = %g for what other joints do not allow, off by %g: "
                "%s",
                bond->joint + 1, t, off,
                bond->motor ? "its motor drives what is held or driven otherwise"
                            : "take one of them away, or a smaller step");
    }
    return CAROM_OK;
}

/* what a bond has done to the second body, in a state's numbers of its joint */
static void keep(const struct carom_bodies *b, const struct carom_moreau_bond *bond, double force, double *carried)
{
    const size_t d = b->dimension;
    for (size_t k = 0; k < d; k++)
        carried[k] += force * bond->row.of[1][k];
    for (size_t k = 0; k < (d == 2 ? 1 : 3); k++)
        carried[d + k] += force * bond->row.moment[d == 2 ? 2 : k];
}

static struct carom_moreau_push push_of(const struct carom_moreau_graph *w, const struct carom_moreau_bond *bond,
                                        const double *v)
{
    const double after = bond->drift + carom_bond_rate(w->bodies, bond, v, NULL);
    return (struct carom_moreau_push){.even = bond->impulse - bond->once,
                                      .once = bond->once,
                                      .before = bond->before,
                                      .after = after,
                                      .jump = carom_bond_rate(w->bodies, bond, w->jump, NULL)};
}

/* what gives so much work */
static void give(struct carom_moreau_graph *w, const struct carom_moreau_push *push)
{
    struct carom_moreau_course taken = {0};
    carom_moreau_between_take(push, &taken);
    const struct carom_moreau_course given = {-taken.even, -taken.square, -taken.late, -taken.once};
    carom_moreau_between_add(&w->work, &given);
}

static void keep_efforts(struct carom_moreau_graph *w, const struct carom_state *from, struct carom_state *to, double h)
{
    const struct carom_bodies *b = w->bodies;
    for (size_t j = 0; j < b->njoints; j++) {
        struct carom_moreau_bond bond = {.joint = j};
        const double effort = b->joint[j].drive;
        if (b->joint[j].motor != CAROM_MOTOR_EFFORT)
            continue;
        carom_joints_coordinate(b, &b->joint[j], w->place, &bond.row);
        keep(b, &bond, effort, to->force + j * carom_joints_width(b));
        bond.impulse = h * effort;
        bond.before = carom_bond_rate(b, &bond, from->v, NULL);
        const struct carom_moreau_push push = push_of(w, &bond, to->v);
        give(w, &push);
        to->work[0] += 0.5 * push.even * (push.before + push.after);
    }
}

void carom_moreau_joints_book(struct carom_moreau_graph *w, const struct carom_state *from, struct carom_state *to,
                              double h)
{
    struct carom_moreau_joints *o = w->joints;
    const struct carom_bodies *b = w->bodies;
    const size_t width = carom_joints_width(b);
    memset(to->force, 0, carom_joints_memory(b) * sizeof *to->force);
    for (size_t i = 0; i < o->nbonds; i++) {
        const struct carom_moreau_bond *bond = &o->bond[i];
        const struct carom_moreau_push push = push_of(w, bond, to->v);
        const double mean = 0.5 * (push.before + push.after);
        keep(b, bond, bond->impulse / h, to->force + bond->joint * width);
        to->work[0] += bond->impulse * ((bond->motor ? mean : 0.0) - bond->drift);
        carom_moreau_between_lead(w, &push, bond->drift);
        if (bond->motor)
            give(w, &push);
        else
            carom_moreau_between_take(&push, &w->lost[CAROM_MOREAU_NUMERICAL]);
    }
    for (size_t l = 0; l < o->nlimits; l++) {
        struct carom_moreau_bond *bond = &o->limit[l];
        const double scale = bond->sign * bond->lever;
        const struct carom_moreau_push push = push_of(w, bond, to->v);
        bond->after = push.after;
        carom_moreau_between_take(&push, &w->lost[CAROM_MOREAU_IMPACT]);
        carom_moreau_between_lead(w, &push, bond->drift);
        carom_list_book(to->contacts, CAROM_RETIRED_VISCOUS, -0.5 * bond->impulse * (bond->before + push.after));
        to->work[0] -= bond->impulse * bond->drift;
        to->force[(bond->joint + 1) * width - 1] += bond->impulse * scale / h;
        for (int k = 0; k < 3; k++)
            bond->row.moment[k] *= scale;
        keep(b, bond, bond->impulse / h, to->force + bond->joint * width);
    }
    keep_efforts(w, from, to, h);
}

/* how far the joints are open, over what rounding makes of it */
static double openness(const struct carom_moreau_graph *w)
{
    const double size = w->bodies->edge + w->bodies->far;
    double most = 0.0;
    for (size_t i = 0; i < w->joints->nbonds; i++) {
        const struct carom_moreau_bond *bond = &w->joints->bond[i];
        const double gap = bond->motor ? 0.0 : fabs(bond->row.gap) / (bond->row.turns ? 1.0 : size);
        most = gap > most || gap != gap ? gap : most;
    }
    return most;
}

static void approach(struct carom_moreau_graph *w, struct carom_state *to)
{
    struct carom_moreau_joints *o = w->joints;
    memset(o->finish, 0, w->rigid.model->nv * sizeof *o->finish);
    for (size_t a = 0; a < o->nassemblies; a++) {
        const struct carom_moreau_assembly *of = &o->assembly[a];
        const struct carom_moreau_bond *bond = o->bond + of->first;
        for (size_t i = 0; i < of->rows; i++)
            o->rate[i] = bond[i].motor ? 0.0 : -bond[i].row.gap;
        carom_dense_cholesky_solve(of->rows, o->factor + of->factor, o->rate);
        for (size_t i = 0; i < of->rows; i++)
            carom_bond_push(w->bodies, &bond[i], o->rate[i], o->finish);
    }
    carom_motion_move(w->rigid.model, to->q, o->finish, to->q);
}

enum carom_status carom_moreau_joints_close_gaps(struct carom_moreau_graph *w, double t, struct carom_state *to,
                                                 struct carom_error *error)
{
    const struct carom_bodies *b = w->bodies;
    struct carom_moreau_joints *o = w->joints;
    const size_t nv = carom_bodies_nv(b);
    double last = HUGE_VAL;
    memset(o->back, 0, b->n * nv * sizeof *o->back);
    for (int i = 0; i < CLOSINGS; i++) {
        fill_rows(w, to->q);
        const double open = openness(w);
        if (open <= 1e-15 || (open <= 1e-12 && open >= 0.5 * last))
            break;
        if (i + 1 == CLOSINGS || !(open < HUGE_VAL))
            return carom_error_set(error, CAROM_E_NUMERIC,
                                   "moreau-jean could not close the joints at t = %g: take a smaller step", t);
        last = open;
        factor(w, false);
        approach(w, to);
        for (size_t k = 0; k < b->n * nv; k++)
            o->back[k] += o->finish[k];
    }
    for (size_t j = 0; j < b->n; j++)
        for (size_t k = 0; k < b->dimension && !b->body[j].fixed; k++)
            w->lost[CAROM_MOREAU_NUMERICAL].even += b->body[j].mass * b->gravity[k] * o->back[j * nv + k];
    carom_list_book(to->contacts, CAROM_RETIRED_NUMERICAL, carom_moreau_between_all(&w->lost[CAROM_MOREAU_NUMERICAL]));
    return CAROM_OK;
}

void carom_moreau_joints_part(struct carom_moreau_graph *w, double s, struct carom_state *view)
{
    struct carom_moreau_joints *o = w->joints;
    for (size_t k = 0; k < w->rigid.model->nv; k++)
        o->finish[k] = s * o->back[k];
    carom_motion_move(w->rigid.model, view->q, o->finish, view->q);
}
