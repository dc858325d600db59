/* Scheme dp5 for discs, spheres and walls whose contacts come and go: any law and any friction, few bodies. All contacts
 * on the list are in one phase each (open, closed or sticking, slipping, cut by force), inside which the right-hand side
 * is smooth; steps end where one changes, which is located on the dense output. Springs, losses and works are integrated
 * with the motion. */
#include "scheme/compliant/dp5_bodies.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/bodies/act.h"
#include "model/motion.h"
#include "scheme/compliant/between.h"
#include "scheme/compliant/dp5.h"
#include "scheme/dormand_prince.h"
#include "scheme/stepper.h"
#include "solve/locate.h"
#include "solve/root.h"

enum { STAGES = CAROM_DORMAND_PRINCE_STAGES, NEXT_STEP = 0, LAST_ERROR = 1, ALLOWED = 2, REMEMBERED = 3 };

/* what the phase column of a contact says; 0: open */
enum phase { OPEN = 0, CLOSED = 1, SLIPS = 2, CUT = 3, PULLS = 4 }; /* PULLS: its friction has nothing to press on */

struct work {
    const struct carom_bodies *bodies;
    struct carom_search search;
    struct carom_act act, look; /* at the last evaluation; for looks inside a step */
    struct carom_contacts at;   /* the list with springs that stand in y */
    double **column;
    struct carom_dormand_prince step;
    double *y, *trial, *force, *dense;
    double *energy; /* per contact: what its spring held at the start of the step */
    bool *slips;
    bool collided;      /* did bodies run into each other at the last evaluation? */
    size_t room, n, ny; /* contacts there is room for; contacts and numbers of y now */
    double end;         /* of the step under way: signals are asked no later */
};

/* --- workspace -------------------------------------------------------------------------------------------------------- */

static size_t springs_at(const struct work *w, const struct carom_stepper *stepper)
{
    (void)w;
    return stepper->model->nq + stepper->model->nv;
}

static size_t losses_at(const struct work *w, const struct carom_stepper *stepper)
{
    return springs_at(w, stepper) + (w->bodies->frictional ? w->act.columns.width * w->n : 0);
}

static void close(struct carom_stepper *stepper)
{
    struct work *w = stepper->work;
    carom_search_close(&w->search);
    carom_act_close(&w->act);
    carom_act_close(&w->look);
    for (size_t s = 0; s < STAGES; s++)
        carom_memory_free(w->step.k[s]);
    double *const all[] = {w->y, w->trial, w->force, w->dense};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        carom_memory_free(all[i]);
    carom_memory_free(w->slips);
    carom_memory_free(w->energy);
    carom_memory_free(w->column);
    carom_memory_free(w);
    stepper->work = NULL;
}

static enum carom_status out_of_memory(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme dp5");
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_bodies *bodies = carom_model_bodies(stepper->model);
    struct work *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return out_of_memory(error);
    w->bodies = bodies;
    carom_act_open(&w->act, bodies);
    carom_act_open(&w->look, bodies);
    w->act.short_way = w->look.short_way = 1e-5 * stepper->scales.length;
    w->force = carom_memory_zeroed(stepper->model->nv, sizeof(double));
    w->column = carom_memory_zeroed(w->act.columns.end, sizeof *w->column);
    if (!w->force || !w->column)
        return out_of_memory(error);
    return carom_search_open(&w->search, bodies, error);
}

/* arrays for the contacts of the list; what they hold is lost */
static bool make_room(struct carom_stepper *stepper, size_t n)
{
    struct work *w = stepper->work;
    if (!carom_act_reserve(&w->act, n) || !carom_act_reserve(&w->look, 1))
        return false;
    w->n = n;
    w->ny = losses_at(w, stepper) + CAROM_RETIRED_KINDS * n + 1;
    if (n <= w->room && w->y)
        return true;
    const size_t room = n + n / 4 + 16,
                 ny = stepper->model->nq + stepper->model->nv + (3 + CAROM_RETIRED_KINDS) * room + 1;
    double **all[STAGES + 3] = {&w->y, &w->trial, &w->dense};
    for (size_t s = 0; s < STAGES; s++)
        all[3 + s] = &w->step.k[s];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        carom_memory_free(*all[i]);
        if (!(*all[i] = carom_memory_zeroed(ny, sizeof(double))))
            return false;
    }
    carom_memory_free(w->slips);
    carom_memory_free(w->energy);
    w->slips = carom_memory_zeroed(room, sizeof *w->slips);
    w->energy = carom_memory_zeroed(room, sizeof *w->energy);
    w->room = w->slips && w->energy ? room : 0;
    return w->room > 0;
}

static size_t memory(const struct carom_model *model, const void *options)
{
    (void)model;
    (void)options;
    return REMEMBERED;
}

/* --- the right-hand side ------------------------------------------------------------------------------------------------ */

static enum phase phase_of(const struct work *w, size_t j)
{
    return (enum phase)w->at.column[w->act.columns.phase][j];
}

/* the list with its springs in y */
static void point_at(struct carom_stepper *stepper, const struct carom_contacts *contacts, double *y)
{
    struct work *w = stepper->work;
    w->at = *contacts;
    memcpy(w->column, contacts->column, contacts->ncolumns * sizeof *w->column);
    w->at.column = w->column;
    for (size_t k = 0; w->bodies->frictional && k < w->act.columns.width; k++)
        w->column[w->act.columns.spring + k] = y + springs_at(w, stepper) + k * w->n;
    for (size_t j = 0; j < w->n; j++)
        w->slips[j] = phase_of(w, j) == SLIPS || phase_of(w, j) == PULLS;
}

/* open contacts carry nothing, whatever rounding makes of their gaps */
static void hold_phases(struct work *w, struct carom_act *act, size_t first, size_t n)
{
    for (size_t j = 0; j < n; j++)
        if (phase_of(w, first + j) == OPEN)
            act->deform[j] = act->elastic[j] = act->viscous[j] = act->drag[j] = 0.0;
}

/* how fast the normal of contact j turns, as a rotation, and the bodies' mean spin about it */
static void frame_spin(const struct work *w, const struct carom_contact_key *key, const struct carom_meeting *m,
                       const double *v, double spin[3])
{
    const struct carom_bodies *b = w->bodies;
    const struct carom_body *one = &b->body[key->a], *two = &b->body[key->b];
    const size_t nv = carom_bodies_nv(b);
    const double *va = v + key->a * nv, *vb = v + key->b * nv;
    double past[3], apart[3], square = 0.0;
    const bool balls = one->surface == CAROM_BALL && two->surface == CAROM_BALL;
    for (int k = 0; k < 3; k++) {
        past[k] = balls ? vb[k] - va[k] : 0.0;
        apart[k] = m->arm[0][k] - m->arm[1][k];
        square += apart[k] * apart[k];
    }
    carom_vec_cross(apart, past, spin);
    for (int k = 0; k < 3; k++)
        spin[k] = square > 0.0 ? spin[k] / square : 0.0;
    double about = 0.0;
    const bool a_turns = one->inertia > 0.0, b_turns = two->inertia > 0.0;
    for (int k = 0; k < 3; k++)
        about += m->normal[k] * ((a_turns ? va[3 + k] : 0.0) + (b_turns ? vb[3 + k] : 0.0));
    about *= a_turns && b_turns ? 0.5 : 1.0;
    for (int k = 0; k < 3; k++)
        spin[k] += about * m->normal[k];
}

/* springs in space turn with their contact's plane */
static void turn_springs(struct work *w, const double *v, double *const *rate)
{
    for (size_t j = 0; j < w->n; j++) {
        double spin[3], spring[3], turned[3];
        if (!(w->act.deform[j] > 0.0))
            continue;
        for (int k = 0; k < 3; k++)
            spring[k] = w->at.column[w->act.columns.spring + (size_t)k][j];
        frame_spin(w, &w->at.key[j], &w->act.meeting[j], v, spin);
        carom_vec_cross(spin, spring, turned);
        for (int k = 0; k < 3; k++)
            rate[k][j] += turned[k];
    }
}

static void evaluate(struct carom_stepper *stepper, const struct carom_state *state, double t, double *y, double *dy)
{
    struct work *w = stepper->work;
    const struct carom_member *m = &stepper->model->member[0];
    const size_t nq = stepper->model->nq, n = w->n;
    double *q = y, *v = y + nq, *lost = dy + losses_at(w, stepper);
    stepper->counts.evaluations++;
    carom_bodies_impose(w->bodies, t, q, v);
    point_at(stepper, state->contacts, y);
    w->collided = carom_act_place(&w->act, &w->at, q) < n;
    hold_phases(w, &w->act, 0, n);
    w->act.slips = w->slips;
    carom_act_force(&w->act, &w->at, v);
    for (size_t j = 0; j < n; j++) {
        const bool cut = phase_of(w, j) == CUT;
        const double rate = w->act.rate[j];
        lost[CAROM_RETIRED_VISCOUS * n + j] = cut ? 0.0 : w->act.drag[j] * rate * rate;
        lost[CAROM_RETIRED_CLIPPED * n + j] = cut ? -w->act.elastic[j] * rate : 0.0;
        lost[CAROM_RETIRED_FRICTION * n + j] = w->act.rubbed[j];
        lost[CAROM_RETIRED_CHANGE * n + j] = w->act.change[j];
        w->act.total[j] = cut ? 0.0 : w->act.elastic[j] + w->act.drag[j] * rate + w->act.push[j];
    }
    const bool rubs = w->bodies->frictional;
    double *rate[3] = {NULL, NULL, NULL};
    for (size_t k = 0; rubs && k < w->act.columns.width; k++) {
        rate[k] = dy + springs_at(w, stepper) + k * n;
        memcpy(rate[k], w->act.spring_rate[k], n * sizeof(double));
    }
    if (rubs && w->act.columns.width == 3)
        turn_springs(w, v, rate);
    double dissipated, work;
    m->part->flow(m->own, q, v, dy);
    m->part->force(m->own, t, q, v, w->force);
    carom_act_push(&w->act, &w->at, &w->search, w->act.total, rubs ? w->act.tangent : NULL, w->force);
    m->part->mass_solve(m->own, q, w->force, dy + nq);
    m->part->power(m->own, t, q, v, &dissipated, &work);
    dy[w->ny - 1] = work + carom_act_work(&w->act, &w->at, w->act.total, rubs ? w->act.tangent : NULL, v);
}

/* --- between the state and y ---------------------------------------------------------------------------------------------- */

static void load(struct carom_stepper *stepper, const struct carom_state *state)
{
    struct work *w = stepper->work;
    const struct carom_contacts *c = state->contacts;
    const size_t bytes = w->n * sizeof(double);
    memcpy(w->y, state->q, stepper->model->nq * sizeof(double));
    memcpy(w->y + stepper->model->nq, state->v, stepper->model->nv * sizeof(double));
    for (size_t k = 0; w->bodies->frictional && k < w->act.columns.width; k++)
        memcpy(w->y + springs_at(w, stepper) + k * w->n, c->column[w->act.columns.spring + k], bytes);
    for (size_t i = 0; i < CAROM_RETIRED_KINDS; i++)
        memcpy(w->y + losses_at(w, stepper) + i * w->n, c->column[w->act.columns.lost + i], bytes);
    w->y[w->ny - 1] = state->work[0];
}

static void store(struct carom_stepper *stepper, const double *y, struct carom_state *state)
{
    struct work *w = stepper->work;
    struct carom_contacts *c = state->contacts;
    const size_t bytes = w->n * sizeof(double);
    memcpy(state->q, y, stepper->model->nq * sizeof(double));
    memcpy(state->v, y + stepper->model->nq, stepper->model->nv * sizeof(double));
    for (size_t k = 0; w->bodies->frictional && k < w->act.columns.width; k++)
        memcpy(c->column[w->act.columns.spring + k], y + springs_at(w, stepper) + k * w->n, bytes);
    for (size_t i = 0; i < CAROM_RETIRED_KINDS; i++)
        memcpy(c->column[w->act.columns.lost + i], y + losses_at(w, stepper) + i * w->n, bytes);
    state->work[0] = y[w->ny - 1];
}

static enum carom_status look_around(struct carom_stepper *stepper, struct carom_state *state, double way,
                                     struct carom_error *error)
{
    struct work *w = stepper->work;
    struct carom_contacts *lists[2] = {state->contacts, stepper->before->contacts};
    if (lists[1]->n != lists[0]->n)
        carom_list_copy(lists[1], lists[0]);
    const enum carom_status status = carom_search_renew(&w->search, state->q, way, lists, 2, error);
    if (status != CAROM_OK)
        return status;
    return make_room(stepper, state->contacts->n) ? CAROM_OK : out_of_memory(error);
}

/* --- phases -------------------------------------------------------------------------------------------------------------- */

/* one contact somewhere inside the step: geometry, forces and friction in w->look */
struct glance {
    struct carom_stepper *stepper;
    struct work *w;
    size_t j;
    double t;
    struct carom_contacts one; /* a list of this contact alone */
    double *column[64];
    size_t first[66];
};

static void glance_at(struct glance *g, double s)
{
    struct work *w = g->w;
    const size_t nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies), all = g->stepper->model->nq;
    const struct carom_contact_key *key = &w->at.key[g->j];
    const size_t body[2] = {key->a, key->b};
    for (int i = 0; i < 2; i++) {
        carom_dormand_prince_dense(&w->step, s, body[i] * nq, (body[i] + 1) * nq, w->dense);
        carom_dormand_prince_dense(&w->step, s, all + body[i] * nv, all + (body[i] + 1) * nv, w->dense);
    }
    if (w->bodies->nleads > 0)
        carom_bodies_impose(w->bodies, fmin(g->t + s * w->step.h, w->end), w->dense, w->dense + all);
    for (size_t k = 0; w->bodies->frictional && k < w->act.columns.width; k++) {
        const size_t at = springs_at(w, g->stepper) + k * w->n + g->j;
        carom_dormand_prince_dense(&w->step, s, at, at + 1, w->dense);
        g->column[w->act.columns.spring + k] = w->dense + at;
    }
    carom_act_place(&w->look, &g->one, w->dense);
    const bool slips = w->slips[g->j];
    w->look.slips = &slips;
    carom_act_force(&w->look, &g->one, w->dense + all);
    w->look.slips = NULL;
}

/* the cone's radius over the stiffness: how far a slipping spring is stretched; and the slip along it */
static double held_stretch(const struct glance *g, double *onward)
{
    const struct work *w = g->w;
    const struct carom_friction *friction = w->bodies->pairing[w->at.key[g->j].pairing].friction;
    const double *param[CAROM_FRICTION_PARAMS], *slip[3], *spring[3];
    const bool slips = true;
    for (size_t i = 0; i < w->bodies->nrub; i++)
        param[i] = g->one.column[w->act.columns.rub + i];
    for (size_t k = 0; k < w->act.columns.width; k++) {
        slip[k] = w->look.slip[k];
        spring[k] = g->one.column[w->act.columns.spring + k];
    }
    friction->moment(&(struct carom_friction_moment){.n = 1,
                                                     .width = w->act.columns.width,
                                                     .param = param,
                                                     .deform = w->look.deform,
                                                     .rate = w->look.rate,
                                                     .normal = w->look.normal,
                                                     .slip = slip,
                                                     .spring = spring,
                                                     .short_way = w->look.short_way,
                                                     .slips = &slips,
                                                     .margin = onward});
    const double k = friction->stiffness(param, 0, w->look.deform[0]);
    return k > 0.0 ? param[0][0] * fmax(w->look.normal[0], 0.0) / k : 0.0;
}

/* the force that is missing for a sticking contact to slip */
static double stick_margin(const struct glance *g)
{
    const struct work *w = g->w;
    const struct carom_friction *friction = w->bodies->pairing[w->at.key[g->j].pairing].friction;
    const double *param[CAROM_FRICTION_PARAMS];
    double square = 0.0;
    for (size_t i = 0; i < w->bodies->nrub; i++)
        param[i] = g->one.column[w->act.columns.rub + i];
    for (size_t k = 0; k < w->act.columns.width; k++) {
        const double x = g->one.column[w->act.columns.spring + k][0];
        square += x * x;
    }
    /* a spring left at the cone has not left it again by rounding */
    const double mu = fmax(param[0][0], param[1][0]) * (1.0 + 1e-10);
    return mu * fmax(w->look.normal[0], 0.0) - friction->stiffness(param, 0, w->look.deform[0]) * sqrt(square);
}

static bool has_spring(const struct work *w, size_t j)
{
    const struct carom_friction *friction = w->bodies->pairing[w->at.key[j].pairing].friction;
    return friction && friction->spring;
}

/* Does the slip fall behind the cone, which carries the spring along while it grows? Steps too short to tell how fast it
 * grows change nothing. */
static bool sticks_again(struct glance *g, double s)
{
    const double h = g->w->step.h, time = g->stepper->scales.contact_time;
    const double part = h > 1e-4 * time ? 1e-4 : 0.25, way = s > part ? -part : part;
    double onward, ignored;
    if (!(h > 1e-7 * time))
        return false;
    const double now = held_stretch(g, &onward);
    glance_at(g, s + way);
    const double other = held_stretch(g, &ignored);
    return onward * h < (other - now) / way;
}

/* The phase that contact j is in at part s of the step, which began in the phase it has. */
static enum phase phase_at(struct glance *g, double s)
{
    const struct work *w = g->w;
    const enum phase phase = phase_of(w, g->j);
    glance_at(g, s);
    if (!(w->look.deform[0] > 0.0))
        return OPEN;
    const double force = w->look.elastic[0] + w->look.drag[0] * w->look.rate[0];
    const bool ends = w->bodies->pairing[w->at.key[g->j].pairing].ending == CAROM_END_FORCE;
    if (ends && !(force > 0.0))
        return CUT;
    if (!has_spring(w, g->j))
        return CLOSED;
    if (!(force > 0.0))
        return PULLS;
    if (phase == SLIPS)
        return sticks_again(g, s) ? CLOSED : SLIPS;
    return stick_margin(g) < 0.0 ? SLIPS : CLOSED;
}

static bool has_left(void *own, double s)
{
    struct glance *g = own;
    const enum phase phase = phase_of(g->w, g->j), now = phase_at(g, s);
    return phase == OPEN ? now != OPEN : now != phase;
}

static void glance_begin(struct glance *g, struct carom_stepper *stepper, double t, size_t j)
{
    struct work *w = stepper->work;
    *g = (struct glance){.stepper = stepper, .w = w, .j = j, .t = t, .one = w->at};
    for (size_t i = 0; i < w->at.ncolumns; i++)
        g->column[i] = w->at.column[i] + j;
    for (size_t p = 0; p <= w->at.npairings; p++)
        g->first[p] = p > w->at.key[j].pairing ? 1 : 0;
    g->one.n = 1;
    g->one.key = w->at.key + j;
    g->one.first = g->first;
    g->one.column = g->column;
}

/* the overlap with its sign turned, and its slope, for the search for contacts that begin and end inside a step */
static double gap_at(void *own, double s)
{
    struct glance *g = own;
    glance_at(g, s);
    return -g->w->look.deform[0];
}

static double gap_rate(struct glance *g, double s)
{
    double slip[3];
    glance_at(g, s);
    return carom_meet_slip(g->w->bodies, g->one.key, g->w->look.meeting, g->w->dense + g->stepper->model->nq, slip);
}

static double gap_slope(void *own, double s)
{
    struct glance *g = own;
    return gap_rate(g, s) * g->w->step.h;
}

/* the first place in (0, before] where an open contact closes; 2 if it does not */
static double first_touch(struct glance *g, double before)
{
    const double h = g->w->step.h;
    const struct carom_body *a = &g->w->bodies->body[g->one.key->a], *b = &g->w->bodies->body[g->one.key->b];
    const double size = a->surface == CAROM_BALL && !a->inside ? a->radius : b->radius;
    const struct carom_cubic looks = {{gap_at(g, 0.0), gap_at(g, before)},
                                      {gap_rate(g, 0.0) * h * before, gap_rate(g, before) * h * before}};
    const struct carom_locate f = {.value = gap_at, .slope = gap_slope, .own = g, .fine = 1e-15};
    if (looks.value[1] < 0.0)
        return carom_root_switch(has_left, g, 0.0, before, 1e-16, 60);
    if (!(looks.slope[0] < 0.0 && looks.slope[1] > 0.0))
        return CAROM_LOCATE_NONE;
    const double bottom = carom_locate_bottom(&f, 0.0, before, &looks, 1e-3 * size);
    return bottom <= 1.0 && has_left(g, bottom) ? carom_root_switch(has_left, g, 0.0, bottom, 1e-16, 60)
                                                : CAROM_LOCATE_NONE;
}

/* the first place in (0, 1] where any contact leaves its phase; *which is n if none does */
static double first_change(struct carom_stepper *stepper, double t, size_t *which)
{
    static const double looks[] = {0.25, 0.5, 0.75, 1.0};
    struct work *w = stepper->work;
    double earliest = 1.0;
    *which = w->n;
    for (size_t j = 0; j < w->n; j++) {
        struct glance g;
        glance_begin(&g, stepper, t, j);
        double place = CAROM_LOCATE_NONE;
        if (phase_of(w, j) == OPEN) {
            place = first_touch(&g, earliest);
        } else {
            double low = 0.0;
            for (size_t i = 0; i < sizeof looks / sizeof *looks && place > 1.0; i++) {
                const double high = looks[i] * earliest;
                if (has_left(&g, high))
                    place = carom_root_switch(has_left, &g, low, high, 1e-16, 60);
                low = high;
            }
        }
        if (place <= earliest) {
            earliest = place;
            *which = j;
        }
    }
    return earliest;
}

/* --- springs at the cone --------------------------------------------------------------------------------------------------- */

static double spring_energy(const struct work *w, const struct carom_contacts *c, size_t j, double deform)
{
    const struct carom_friction *friction = w->bodies->pairing[c->key[j].pairing].friction;
    const double *param[CAROM_FRICTION_PARAMS];
    double square = 0.0;
    if (!friction || !friction->spring)
        return 0.0;
    for (size_t i = 0; i < w->bodies->nrub; i++)
        param[i] = c->column[w->act.columns.rub + i];
    for (size_t k = 0; k < w->act.columns.width; k++)
        square += c->column[w->act.columns.spring + k][j] * c->column[w->act.columns.spring + k][j];
    return 0.5 * friction->stiffness(param, j, deform) * square;
}

/* stretches the spring of a slipping contact to the cone it is held by; w->act is the contact at the state */
static void stretch_to_cone(const struct work *w, struct carom_contacts *c, size_t j)
{
    const struct carom_friction *friction = w->bodies->pairing[c->key[j].pairing].friction;
    const size_t width = w->act.columns.width;
    const double *param[CAROM_FRICTION_PARAMS];
    for (size_t i = 0; i < w->bodies->nrub; i++)
        param[i] = c->column[w->act.columns.rub + i];
    const double stiffness = friction->stiffness(param, j, w->act.deform[j]);
    const double held = stiffness > 0.0 ? param[0][j] * fmax(w->act.normal[j], 0.0) / stiffness : 0.0;
    double spring = 0.0, slip = 0.0;
    for (size_t k = 0; k < width; k++) {
        spring += c->column[w->act.columns.spring + k][j] * c->column[w->act.columns.spring + k][j];
        slip += w->act.slip[k][j] * w->act.slip[k][j];
    }
    const bool points = spring > 0.0 && !(held <= w->act.short_way && slip > 0.0);
    const double length = sqrt(points ? spring : slip);
    for (size_t k = 0; k < width; k++) {
        double *x = &c->column[w->act.columns.spring + k][j];
        const double along = points ? *x : w->act.slip[k][j];
        *x = length > 0.0 ? along * held / length : 0.0;
    }
}

/* Springs of contacts that slip follow their cone; what their energy changes by is not lost by friction. `energy`
 * (n) is what they held at the start of the step. */
static void follow_cones(struct work *w, struct carom_state *state, const double *energy)
{
    struct carom_contacts *c = state->contacts;
    for (size_t j = 0; j < c->n; j++) {
        if (c->column[w->act.columns.phase][j] != SLIPS)
            continue;
        stretch_to_cone(w, c, j);
        c->column[w->act.columns.lost + CAROM_RETIRED_FRICTION][j] +=
            energy[j] - spring_energy(w, c, j, w->act.deform[j]);
    }
}

/* Will a contact that closes now stick at first? Force and stretch both begin at 0: a moment later tells. */
static bool begins_to_slip(const struct carom_stepper *stepper, const struct carom_contacts *c, size_t j,
                           const double *v)
{
    const struct work *w = stepper->work;
    const double later = 1e-7 * stepper->scales.contact_time;
    double slip[3], speed = 0.0, elastic = 0.0, drag = 0.0;
    const struct carom_friction *friction = w->bodies->pairing[c->key[j].pairing].friction;
    const struct carom_law *law = w->bodies->pairing[c->key[j].pairing].law;
    if (!friction || !friction->spring)
        return false;
    const double closing = fmax(-carom_meet_slip(w->bodies, &c->key[j], &w->act.meeting[j], v, slip), 0.0);
    for (int k = 0; k < 3; k++)
        speed += slip[k] * slip[k];
    const double overlap = fmax(w->act.deform[j], 0.0) + closing * later;
    const double *param[CAROM_LAW_WIDTH], *rub[CAROM_FRICTION_PARAMS], *history[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < w->bodies->nparams; i++)
        param[i] = c->column[w->act.columns.param + i] + j;
    for (size_t i = 0; i < law->nh; i++)
        history[i] = c->column[w->act.columns.history + i] + j;
    for (size_t i = 0; i < w->bodies->nrub; i++)
        rub[i] = c->column[w->act.columns.rub + i] + j;
    law->evaluate(&(struct carom_batch){
        .n = 1, .param = param, .deform = &overlap, .history = history, .elastic = &elastic, .drag = &drag});
    const double normal = elastic + drag * closing, stretch = sqrt(speed) * later;
    return friction->onset(rub, 0) * friction->stiffness(rub, 0, overlap) * stretch >
           fmax(rub[0][0], rub[1][0]) * fmax(normal, 0.0);
}

/* --- changes of phase ------------------------------------------------------------------------------------------------------ */

static void drop_spring(const struct work *w, struct carom_contacts *c, size_t j)
{
    c->column[w->act.columns.lost + CAROM_RETIRED_CHANGE][j] += spring_energy(w, c, j, fmax(w->act.deform[j], 0.0));
    for (size_t k = 0; w->bodies->frictional && k < w->act.columns.width; k++)
        c->column[w->act.columns.spring + k][j] = 0.0;
}

/* contact j of the state goes on in another phase; w->act is the state */
static void change_phase(struct carom_stepper *stepper, struct carom_state *state, size_t j, enum phase to)
{
    struct work *w = stepper->work;
    struct carom_contacts *c = state->contacts;
    const enum phase from = (enum phase)c->column[w->act.columns.phase][j];
    stepper->switched |= (from == OPEN) != (to == OPEN);
    if (to == OPEN) {
        drop_spring(w, c, j);
        carom_list_retire(c, &w->act.columns, j);
        return;
    }
    if (to == CUT || to == PULLS)
        drop_spring(w, c, j);
    if ((from == OPEN || from == PULLS) && to == CLOSED && begins_to_slip(stepper, c, j, state->v))
        to = SLIPS;
    c->column[w->act.columns.phase][j] = to;
    if (to == SLIPS) {
        const double held = spring_energy(w, c, j, w->act.deform[j]);
        stretch_to_cone(w, c, j);
        c->column[w->act.columns.lost + CAROM_RETIRED_FRICTION][j] += held - spring_energy(w, c, j, w->act.deform[j]);
    }
}

/* phases of a start, from overlaps and springs */
static void find_phases(struct carom_stepper *stepper, struct carom_state *state)
{
    struct work *w = stepper->work;
    struct carom_contacts *c = state->contacts;
    carom_act_place(&w->act, c, state->q);
    w->act.slips = NULL;
    carom_act_force(&w->act, c, state->v);
    for (size_t j = 0; j < c->n; j++)
        if (w->act.deform[j] > 0.0 && c->column[w->act.columns.phase][j] == OPEN)
            change_phase(stepper, state, j, CLOSED);
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    const struct carom_dp5_options *o = stepper->options;
    struct work *w = stepper->work;
    state->memory[NEXT_STEP] = state->memory[LAST_ERROR] = 0.0;
    state->memory[ALLOWED] = o->tol * (o->share > 0.0 ? o->share : 0.1);
    carom_bodies_impose(w->bodies, state->time + state->time_low, state->q, state->v);
    const enum carom_status status = look_around(stepper, state, 0.0, error);
    if (status == CAROM_OK)
        find_phases(stepper, state);
    return status;
}

/* --- a step ------------------------------------------------------------------------------------------------------------------ */

static void stages(struct carom_stepper *stepper, const struct carom_state *state, double t, double h)
{
    struct work *w = stepper->work;
    w->step.y0 = w->y;
    w->step.y1 = w->trial;
    w->step.h = h;
    for (size_t s = 1; s < STAGES; s++) {
        carom_dormand_prince_stage(&w->step, s, 0, w->ny, w->trial);
        evaluate(stepper, state, fmin(t + carom_dormand_prince_node(s) * h, w->end), w->trial, w->step.k[s]);
    }
}

/* the largest local error, in units of the scales; rotations count by what they move surfaces */
static double local_error(const struct carom_stepper *stepper)
{
    const struct work *w = stepper->work;
    const struct carom_bodies *b = w->bodies;
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b), d = b->dimension, v0 = stepper->model->nq;
    const double length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    const double speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    double worst = w->collided ? HUGE_VAL : 0.0;
    for (size_t i = 0; i < b->n; i++) {
        const double radius = b->body[i].radius, twice = d == 3 ? 2.0 : 1.0; /* quaternions have half angles */
        const struct carom_dormand_prince *step = &w->step;
        worst = fmax(worst, carom_dormand_prince_error(step, i * nq, i * nq + d) / length);
        worst = fmax(worst, carom_dormand_prince_error(step, i * nq + d, (i + 1) * nq - d) * twice * radius / length);
        worst = fmax(worst, carom_dormand_prince_error(step, v0 + i * nv, v0 + i * nv + d) / speed);
        worst = fmax(worst, carom_dormand_prince_error(step, v0 + i * nv + d, v0 + (i + 1) * nv) * radius / speed);
    }
    return fmax(worst, carom_dormand_prince_error(&w->step, springs_at(w, stepper), losses_at(w, stepper)) / length);
}

/* Pairs that come near are looked at while they do: no step carries them further than a quarter of their size, or half
 * of what is between them. */
static double longest_step(const struct carom_stepper *stepper)
{
    const struct work *w = stepper->work;
    const struct carom_bodies *b = w->bodies;
    double longest = HUGE_VAL;
    for (size_t j = 0; j < w->n; j++) {
        const struct carom_contact_key *key = &w->at.key[j];
        double slip[3];
        const double *v = w->y + stepper->model->nq, gap = w->act.meeting[j].gap;
        const double rate = carom_meet_slip(b, key, &w->act.meeting[j], v, slip);
        const double speed = sqrt(rate * rate + carom_vec_dot(slip, slip));
        const double size = b->body[key->a].radius + b->body[key->b].radius;
        longest = fmin(longest, fmax(0.25 * size, 0.5 * gap) / (speed > 0.0 ? speed : DBL_MIN));
    }
    return longest;
}

static enum carom_status give_up(struct carom_stepper *stepper, struct carom_state *state, double h,
                                 struct carom_error *error)
{
    const struct carom_dp5_options *o = stepper->options;
    carom_state_swap(state, stepper->before);
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "dp5 cannot keep tol = %g at t = %g: its step shrank to %g; a larger tol may do", o->tol,
                           state->time, h);
}

/* the new block: everything but what the step writes */
static void carry(const struct carom_state *from, struct carom_state *to)
{
    for (size_t i = from->contacts->nfixed; i < from->contacts->ncolumns; i++)
        memcpy(to->contacts->column[i], from->contacts->column[i], from->contacts->n * sizeof(double));
    memcpy(to->contacts->retired, from->contacts->retired, sizeof to->contacts->retired);
}

/* a step of size at most `wish` that no contact's change lies in; *shorter: it was cut for one, *which, that goes on as
 * *next; *again: the list has to be made anew first */
static enum carom_status attempt(struct carom_stepper *stepper, struct carom_state *state, double *wish, double t_stop,
                                 double *err, size_t *which, enum phase *next, double *way, struct carom_error *error)
{
    struct work *w = stepper->work;
    const struct carom_state *from = stepper->before;
    const double t = from->time + from->time_low, longest = longest_step(stepper);
    const double allowed = state->memory[ALLOWED];
    for (;;) {
        double h = carom_stepper_size(from, fmin(*wish, longest), t_stop);
        stages(stepper, state, t, h);
        *err = local_error(stepper);
        const double time = stepper->scales.contact_time, noise = time > 0.0 ? 1e-16 * h / time : 0.0;
        const double relative = *err / fmax(allowed, noise);
        if (!(relative <= 1.0)) {
            stepper->counts.rejected++;
            *wish = h * (relative < HUGE_VAL ? fmax(0.2, 0.9 * pow(relative, -0.2)) : 0.1);
            if (!(*wish > 1e-15 * fabs(from->time)) || !(*wish > 1e-13 * time))
                return give_up(stepper, state, *wish, error);
            continue;
        }
        *way = 0.0;
        if (!carom_search_holds(&w->search, w->trial)) {
            for (size_t i = 0; i < stepper->model->nq; i++)
                *way = fmax(*way, fabs(w->trial[i] - w->y[i]));
            return CAROM_OK;
        }
        const double place = first_change(stepper, t, which);
        if (*which < w->n) {
            struct glance g;
            glance_begin(&g, stepper, t, *which);
            *next = phase_at(&g, place);
            h *= place;
            if (place < 1.0 && h > 1e-14 * time)
                stages(stepper, state, t, h);
            w->step.h = h;
            return CAROM_OK;
        }
        const double growth = relative > 0.0 ? 0.9 * pow(relative, -0.2) : 5.0;
        *wish = h < *wish ? *wish : h * fmin(5.0, fmax(0.2, growth));
        return CAROM_OK;
    }
}

/* other contacts that are no longer in their phase at the end of the step */
static void change_others(struct carom_stepper *stepper, struct carom_state *state, double t, size_t which)
{
    struct work *w = stepper->work;
    for (size_t j = 0; j < w->n; j++) {
        struct glance g;
        if (j == which)
            continue;
        glance_begin(&g, stepper, t, j);
        const enum phase now = phase_at(&g, 1.0);
        if (now != phase_of(w, j))
            change_phase(stepper, state, j, now);
    }
}

static enum carom_status one_step(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                  struct carom_error *error)
{
    struct work *w = stepper->work;
    const double time = stepper->scales.contact_time;
    enum carom_status status = CAROM_OK;
    stepper->switched = false;
    stepper->switched_first = stepper->switched_last = 0;
    if (w->n != state->contacts->n || !carom_search_holds(&w->search, state->q))
        status = look_around(stepper, state, 0.0, error);
    for (size_t tries = 0; status == CAROM_OK; tries++) {
        if (tries > 4 * w->n + 64)
            return carom_error_set(error, CAROM_E_NUMERIC, "contacts change without end at t = %g", state->time);
        carom_stepper_turn(stepper, state);
        const struct carom_state *from = stepper->before;
        const double t = from->time + from->time_low;
        carry(from, state);
        load(stepper, from);
        w->end = nextafter(t_stop, -HUGE_VAL);
        evaluate(stepper, state, t, w->y, w->step.k[0]);
        for (size_t j = 0; j < w->n; j++)
            w->energy[j] = spring_energy(w, from->contacts, j, fmax(w->act.deform[j], 0.0));
        double wish = state->memory[NEXT_STEP], err, way;
        if (!(wish > 0.0))
            wish = 1e-2 * (time > 0.0 ? time : carom_state_until(from, t_stop));
        size_t which = w->n;
        enum phase next = OPEN;
        status = attempt(stepper, state, &wish, t_stop, &err, &which, &next, &way, error);
        if (status != CAROM_OK)
            return status;
        if (way > 0.0) { /* someone may have come near unseen */
            carom_state_swap(state, stepper->before);
            status = look_around(stepper, state, way, error);
            continue;
        }
        const double h = w->step.h;
        if (which < w->n && !(h > 1e-14 * time)) { /* at once */
            carom_state_swap(state, stepper->before);
            evaluate(stepper, state, t, w->y, w->step.k[0]);
            change_phase(stepper, state, which, next);
            continue;
        }
        store(stepper, w->trial, state);
        follow_cones(w, state, w->energy);
        if (which < w->n) {
            change_others(stepper, state, t, which);
            change_phase(stepper, state, which, next);
            if (next != OPEN)
                wish = fmin(wish, 0.05 * time);
        }
        state->memory[NEXT_STEP] = wish;
        carom_stepper_arrive(state, h, t_stop);
        carom_stepper_count(stepper, h);
        stepper->counts.local_error += err;
        carom_motion_normalise(stepper->model, state->q, w->force);
        carom_bodies_impose(w->bodies, state->time + state->time_low, state->q, state->v);
        carom_bodies_anchor(w->bodies, state->q);
        return CAROM_OK;
    }
    return status;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    for (size_t taken = 0; taken == 0 || !carom_stepper_done(stepper, state, bound, taken); taken++) {
        const enum carom_status status = one_step(stepper, state, bound->t_stop, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

static void sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    (void)stepper;
    carom_state_view(view, state);
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct work *w = stepper->work;
    const size_t nq = stepper->model->nq, nv = stepper->model->nv;
    carom_between_view(w->bodies, stepper->before, state, t, view);
    const double s = carom_state_until(stepper->before, t) / w->step.h;
    carom_dormand_prince_dense(&w->step, s, 0, nq + nv, w->dense);
    memcpy(view->q, w->dense, nq * sizeof(double));
    memcpy(view->v, w->dense + nq, nv * sizeof(double));
    carom_motion_normalise(stepper->model, view->q, w->force);
    carom_bodies_impose(w->bodies, t, view->q, view->v);
}

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    const struct carom_bodies *b = carom_model_bodies(model);
    (void)options;
    if (b->npairings > 64 || carom_list_columns(b).end > 64)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme dp5 takes at most 64 pairings of bodies; verlet takes any number");
    for (size_t p = 0; p < b->npairings; p++)
        if (b->pairing[p].law->nh > 0)
            return carom_error_set(
                error, CAROM_E_REFUSED,
                "bodies in the plane and in space need contact laws without memory so far, and %s has "
                "one",
                b->pairing[p].law->kind.name);
    return CAROM_OK;
}

const struct carom_scheme carom_dp5_bodies = {
    .kind = {"dp5", "for bodies whose contacts come and go", carom_dp5_params, sizeof(struct carom_dp5_options)},
    .needs = CAROM_COMPLIANT,
    .order = 5,
    .dense_order = 4,
    .friction = true,
    .accept = accept,
    .memory = memory,
    .open = open,
    .start = start,
    .step = step,
    .sync = sync,
    .dense = dense,
    .close = close,
    .listed = &carom_dp5_bodies,
};
