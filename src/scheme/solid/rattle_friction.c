/* Friction in the kicks of scheme rattle, see rattle_friction.h. A contact of balls gives in its first kick h/2 of the
 * force that its law has at the start of the step, in the second one the rest of what the law answers to the slide of
 * the whole step, as verlet does for bodies (verlet_friction.c). Faces have no memory and no partners that last: both
 * kicks take the law at their own moment. Forces act in the same point on both sides, so that angular momentum is kept.
 * */
#include "scheme/solid/rattle_friction.h"

#include <string.h>

#include "base/memory.h"
#include "scheme/solid/rattle_cell.h"
#include "scheme/turning.h"

/* one contact of balls in a step */
struct touch {
    struct carom_strike was; /* at the start of the step, if it was closed */
    double normal, mobility;
    double first[3], force[3]; /* on ball[1]: in the first kick, in this one */
};

struct carom_rattle_friction {
    const struct carom_model *model;
    const struct carom_solid_strike *of;
    const struct carom_solid_balls *balls; /* NULL: there are none that turn */
    struct touch *touch;                   /* by contacts of balls */
    double *moment;                        /* on balls, three each */
    double *mobility;                      /* by meetings, over the weight of a point */
    double (*given)[3], *lost;             /* by meetings: all impulses in this step, and what they took */
};

struct carom_rattle_friction *carom_rattle_friction_create(const struct carom_model *model)
{
    struct carom_rattle_friction *w = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return NULL;
    w->model = model;
    const struct carom_solid_strike *of = w->of = carom_solid_strike_of(model);
    w->balls = of->balls && of->balls->ncontacts > 0 ? of->balls : NULL;
    w->touch = carom_memory_zeroed(of->meets_first, sizeof *w->touch);
    w->moment = carom_memory_zeroed(3 * of->nballs, sizeof *w->moment);
    w->mobility = carom_memory_zeroed(of->nmeets, sizeof *w->mobility);
    w->given = carom_memory_zeroed(of->nmeets, sizeof *w->given);
    w->lost = carom_memory_zeroed(of->nmeets, sizeof *w->lost);
    if (!w->touch || !w->moment || !w->mobility || !w->given || !w->lost) {
        carom_rattle_friction_free(w);
        return NULL;
    }
    for (size_t j = 0; j < of->meets_first; j++)
        w->touch[j].mobility = carom_solid_strike_swing_mobility(of, model->pair[j], j);
    for (size_t m = 0; m < of->nmeets; m++)
        w->mobility[m] = carom_solid_strike_swing_mobility_faces(of, &of->meet[m]);
    return w;
}

void carom_rattle_friction_free(struct carom_rattle_friction *w)
{
    if (!w)
        return;
    carom_memory_free_all(w->touch, w->moment, w->mobility, w->given, w->lost, w);
}

/* --- how fast they slip ------------------------------------------------------------------------------------------- */

/* a cell's share in a point of a solid's surface, and in what turns there; the first added times `sign` */
static void add_cell(const struct carom_rattle_friction *w, size_t body, size_t cell, const double arm[3], double share,
                     const double *q, const double *v, double sign, double velocity[3], double spin[3])
{
    const struct carom_member *cells = &w->model->member[body];
    double turn[3], sweep[3];
    carom_rattle_cell_sweep(w->of->body[body].solid, cell, arm, q + cells->q0, v + cells->v0, turn, sweep);
    for (int k = 0; k < 3; k++) {
        velocity[k] += sign * share * sweep[k];
        spin[k] += fabs(sign) * share * turn[k];
    }
}

static void add_surface(const struct carom_rattle_friction *w, size_t body, const struct carom_skin_grip *grip,
                        const double *q, const double *v, double sign, double velocity[3], double spin[3])
{
    for (size_t i = 0; i < grip->ncells; i++)
        add_cell(w, body, grip->cell[i], grip->arm[i], grip->share[i], q, v, sign, velocity, spin);
}

/* what a ball touches, as the other side of its slip */
static void add_touches(const struct carom_rattle_friction *w, const struct carom_strike *at, const double *q,
                        const double *v, double velocity[3], double spin[3])
{
    for (size_t i = 0; i < at->ncells; i++) {
        const struct carom_skin_touch *touch = carom_solid_strike_touch(at, i);
        add_cell(w, at->body, touch->cell, touch->arm, touch->share, q, v, -1.0, velocity, spin);
    }
}

/* from the centre of one of its balls to the point where a contact acts */
static void lever(const struct carom_rattle_friction *w, const struct carom_strike *at, int side, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = side == 1 ? at->point[k] : (w->of->balls->radius[at->ball[0]] + 0.5 * at->gap) * at->normal[k];
}

static void add_ball(const struct carom_rattle_friction *w, const struct carom_strike *at, int side, const double *v,
                     double sign, double velocity[3], double spin[3])
{
    const struct carom_solid_balls *balls = w->of->balls;
    const double *mine = v + w->model->member[w->of->balls_member].v0;
    double turn[3], reach[3], sweep[3];
    lever(w, at, side, reach);
    carom_solid_balls_spin(balls, (size_t)at->ball[side], mine, turn);
    carom_vec_cross(turn, reach, sweep);
    for (int k = 0; k < 3; k++) {
        const double fast = k < balls->dimension ? mine[balls->dimension * at->ball[side] + k] : 0.0;
        velocity[k] += sign * (fast + sweep[k]);
        spin[k] += turn[k];
    }
}

static void flatten(const double normal[3], double x[3])
{
    const double along = carom_vec_dot(normal, x);
    for (int k = 0; k < 3; k++)
        x[k] -= along * normal[k];
}

/* how fast ball[1] slips past the other side; the mean spin of both about the normal */
static double slip_of(const struct carom_rattle_friction *w, const struct carom_strike *at, const double *q,
                      const double *v, double slip[3])
{
    const bool wall = at->ball[0] < 0 && at->ncells == 0;
    double spin[3] = {0.0, 0.0, 0.0};
    slip[0] = slip[1] = slip[2] = 0.0;
    add_ball(w, at, 1, v, 1.0, slip, spin);
    if (at->ball[0] >= 0)
        add_ball(w, at, 0, v, -1.0, slip, spin);
    else if (!wall)
        add_touches(w, at, q, v, slip, spin);
    flatten(at->normal, slip);
    return carom_vec_dot(at->normal, spin) / (wall ? 1.0 : 2.0);
}

/* --- balls -------------------------------------------------------------------------------------------------------- */

/* columns of one contact for laws, which write into vectors */
#define COLUMNS(x)                \
    {                             \
        &(x)[0], &(x)[1], &(x)[2] \
    }

static void first_kick(struct carom_rattle_friction *w, size_t j, const struct carom_rattle_kick *kick,
                       const struct carom_strike *at, double overlap, double rate, double *push,
                       const struct carom_solid_balls_bond *bond)
{
    struct touch *t = &w->touch[j];
    const struct carom_strike_friction *friction = &w->of->friction[j];
    const double *param[CAROM_FRICTION_PARAMS];
    double slip[3], more = 0.0;
    const bool slips = bond->slips != 0.0;
    t->was = *at;
    t->normal = *push;
    carom_solid_strike_friction_columns(friction, param);
    slip_of(w, at, kick->q, kick->v, slip);
    const double *const slip_columns[] = COLUMNS(slip), *const springs[] = COLUMNS(bond->spring);
    double *const forces[] = COLUMNS(t->force);
    friction->law->moment(
        &(struct carom_friction_moment){.n = 1,
                                        .width = 3,
                                        .param = param,
                                        .deform = &overlap,
                                        .rate = &rate,
                                        .normal = &t->normal,
                                        .slip = slip_columns,
                                        .spring = springs,
                                        .step = kick->h,
                                        .mobility = &t->mobility,
                                        .slips = friction->param[1] > friction->param[0] ? &slips : NULL,
                                        .force = forces,
                                        .push = &more});
    *push += more;
}

void carom_rattle_friction_begin(struct carom_rattle_friction *w, const struct carom_rattle_kick *kick,
                                 const struct carom_rattle_live *live, const struct carom_strike *at,
                                 const double *overlap, const double *rate, double *push,
                                 const struct carom_state *from, struct carom_state *to)
{
    const size_t nfriction = from->nfriction;
    memcpy(to->friction_loss, from->friction_loss, nfriction * sizeof *to->friction_loss);
    memset(to->friction, 0, nfriction * sizeof *to->friction);
    memset(w->given, 0, w->of->nmeets * sizeof *w->given);
    memset(w->lost, 0, w->of->nmeets * sizeof *w->lost);
    if (!w->balls)
        return;
    const struct carom_member *m = &w->model->member[w->of->balls_member];
    const size_t anchors = m->q0 + carom_solid_balls_anchors_q(w->balls);
    memcpy(to->q + anchors, from->q + anchors, (m->q0 + m->nq - anchors) * sizeof *to->q);
    memcpy(to->bonds, from->bonds, from->nbonds * sizeof *to->bonds);
    memset(w->moment, 0, 3 * w->balls->n * sizeof *w->moment);
    const struct carom_solid_balls_bond *bond = (const struct carom_solid_balls_bond *)from->bonds;
    for (size_t i = 0; i < live->nballs; i++) {
        const size_t j = live->contact[i];
        memset(w->touch[j].force, 0, sizeof w->touch[j].force);
        if (w->of->friction[j].law && overlap[j] > 0.0)
            first_kick(w, j, kick, &at[j], overlap[j], rate[j], &push[j], &bond[j]);
        memcpy(w->touch[j].first, w->touch[j].force, sizeof w->touch[j].first);
    }
}

/* how far ball[1] slid in the step, as far as both touched, in the plane of the end; spring and first force turn into
 * it, too */
static void slide(struct carom_rattle_friction *w, size_t j, const struct carom_rattle_kick *kick,
                  const struct carom_strike *at, double d0, double d1, double way[3], double spring[3])
{
    struct touch *t = &w->touch[j];
    const double part = d0 > 0.0 ? d1 > 0.0 ? 1.0 : d0 / (d0 - d1) : d1 / (d1 - d0);
    double early[3], late[3];
    const double about = slip_of(w, at, kick->q, kick->v, late);
    memcpy(early, late, sizeof early);
    if (d0 > 0.0)
        slip_of(w, &t->was, kick->q_before, kick->v, early);
    for (int k = 0; k < 3; k++)
        way[k] = 0.5 * kick->h * part * (early[k] + late[k]);
    flatten(at->normal, way);
    if (!(d0 > 0.0))
        return;
    struct carom_turning turning;
    carom_turning_between(t->was.normal, at->normal, 0.5 * kick->h * about, &turning);
    carom_turning_carry(&turning, spring);
    carom_turning_carry(&turning, t->first);
}

static void second_kick(struct carom_rattle_friction *w, size_t j, const struct carom_rattle_kick *kick,
                        const struct carom_strike *at, double d0, double d1, double normal, double *push,
                        struct carom_solid_balls_bond *bond, struct carom_state *to, double *change)
{
    struct touch *t = &w->touch[j];
    const struct carom_strike_friction *friction = &w->of->friction[j];
    const double *param[CAROM_FRICTION_PARAMS];
    const double normal0 = d0 > 0.0 ? t->normal : 0.0, normal_mean = 0.5 * (normal0 + *push);
    double way[3], before[3], impulse[3], end[3], more = 0.0, lost = 0.0, changed = 0.0;
    const bool slips0 = bond->slips != 0.0, sticks = friction->param[1] > friction->param[0];
    bool slips1 = false;
    memcpy(before, bond->spring, sizeof before);
    carom_solid_strike_friction_columns(friction, param);
    slide(w, j, kick, at, d0, d1, way, before);
    const double *const ways[] = COLUMNS(way), *const springs[] = COLUMNS(before), *const firsts[] = COLUMNS(t->first);
    double *const spring_to[] = COLUMNS(bond->spring), *const impulses[] = COLUMNS(impulse),
                  *const ends[] = COLUMNS(end);
    friction->law->step(&(struct carom_friction_step){.n = 1,
                                                      .width = 3,
                                                      .h = kick->h,
                                                      .step = kick->h,
                                                      .mobility = &t->mobility,
                                                      .param = param,
                                                      .deform0 = &d0,
                                                      .deform1 = &d1,
                                                      .normal0 = &normal0,
                                                      .normal1 = &normal,
                                                      .normal_mean = &normal_mean,
                                                      .slide = ways,
                                                      .spring0 = springs,
                                                      .force0 = firsts,
                                                      .slips0 = sticks ? &slips0 : NULL,
                                                      .slips1 = sticks ? &slips1 : NULL,
                                                      .spring1 = spring_to,
                                                      .force1 = ends,
                                                      .impulse = impulses,
                                                      .push1 = &more,
                                                      .lost = &lost,
                                                      .change = &changed});
    bond->slips = slips1 ? 1.0 : 0.0;
    to->friction_loss[j] += lost;
    to->friction[j] = carom_vec_norm(impulse) / kick->h;
    *change += changed;
    *push += more;
    for (int k = 0; k < 3; k++)
        t->force[k] = 2.0 / kick->h * impulse[k] - t->first[k];
}

void carom_rattle_friction_end(struct carom_rattle_friction *w, const struct carom_rattle_kick *kick,
                               const struct carom_rattle_live *live, const struct carom_strike *at,
                               double *const overlap[2], const double *normal, double *push, struct carom_state *to)
{
    if (!w->balls)
        return;
    struct carom_solid_balls_bond *bond = (struct carom_solid_balls_bond *)to->bonds;
    memset(w->moment, 0, 3 * w->balls->n * sizeof *w->moment);
    for (size_t i = 0; i < live->nballs; i++) {
        const size_t j = live->contact[i];
        const double d0 = overlap[0][j], d1 = overlap[1][j];
        memset(w->touch[j].force, 0, sizeof w->touch[j].force);
        if (w->of->friction[j].law && (d0 > 0.0 || d1 > 0.0))
            second_kick(w, j, kick, &at[j], d0, d1, normal[j], &push[j], &bond[j], to,
                        (double *)(bond + w->balls->ncontacts));
    }
}

const double *carom_rattle_friction_force(struct carom_rattle_friction *w, size_t j, const struct carom_strike *at)
{
    const double *force = w->touch[j].force;
    if (force[0] == 0.0 && force[1] == 0.0 && force[2] == 0.0)
        return NULL;
    for (int side = 0; side < 2; side++) {
        double reach[3], moment[3];
        if (at->ball[side] < 0)
            continue;
        lever(w, at, side, reach);
        carom_vec_cross(reach, force, moment);
        for (int k = 0; k < 3; k++)
            w->moment[3 * at->ball[side] + k] += side == 1 ? moment[k] : -moment[k];
    }
    return force;
}

void carom_rattle_friction_turn(struct carom_rattle_friction *w, double h, const struct carom_state *from,
                                struct carom_state *to)
{
    const size_t axes = carom_solid_balls_axes(w->balls),
                 first = w->model->member[w->of->balls_member].v0 + carom_solid_balls_moves(w->balls);
    for (size_t i = 0; i < w->balls->n * axes; i++)
        to->v[first + i] = from->v[first + i] +
                           0.5 * h * w->moment[3 * (i / axes) + 3 - axes + i % axes] / w->balls->inertia[i / axes];
}

/* --- faces -------------------------------------------------------------------------------------------------------- */

void carom_rattle_friction_faces(const struct carom_rattle_friction *w, size_t m, const struct carom_press *p,
                                 struct carom_skin_grip *const grip[2], double normal,
                                 const struct carom_rattle_kick *kick, double force[4])
{
    const struct carom_strike_friction *friction = &w->of->friction[w->of->meets_first + m];
    double slip[3] = {0.0, 0.0, 0.0}, spin[3] = {0.0, 0.0, 0.0};
    force[0] = force[1] = force[2] = force[3] = 0.0;
    if (!friction->law)
        return;
    for (int e = 0; e < 2; e++) {
        const double sign = e == 0 ? 1.0 : -1.0;
        if (!grip[e])
            continue;
        add_surface(w, p->end[e].body, grip[e], kick->q, kick->v, kick->v_before ? 2.0 * sign : sign, slip, spin);
        if (kick->v_before)
            add_surface(w, p->end[e].body, grip[e], kick->q_before, kick->v_before, -sign, slip, spin);
    }
    force[3] = carom_solid_strike_friction_point(friction, p->depth, normal, p->normal, slip, kick->h,
                                                 w->mobility[m] / p->weight, force);
}

void carom_rattle_friction_book(struct carom_rattle_friction *w, size_t m, const struct carom_press *p, double h,
                                const double force[4])
{
    w->lost[m] += 0.5 * h * force[3];
    const double first = p->end[0].body == w->of->meet[m].body[0] ? 0.5 : -0.5; /* points of either are end 0 */
    for (int k = 0; k < 3; k++)
        w->given[m][k] += first * h * force[k];
}

void carom_rattle_friction_settle(const struct carom_rattle_friction *w, double h, struct carom_state *to)
{
    for (size_t m = 0; m < w->of->nmeets; m++) {
        to->friction_loss[w->of->meets_first + m] += w->lost[m];
        to->friction[w->of->meets_first + m] = carom_vec_norm(w->given[m]) / h;
    }
}
