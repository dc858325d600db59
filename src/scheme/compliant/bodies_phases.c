/* Phases of contacts that come and go, for scheme dp5: open, closed or sticking, slipping, cut by force, pulling.
 * Inside one the right-hand side is smooth; where a contact leaves its phase is found on the dense output of a step. */
#include "base/vec.h"
#include "scheme/compliant/dp5_bodies.h"
#include "solve/locate.h"
#include "solve/root.h"

static const struct carom_friction *law_of(const struct carom_dp5_bodies *w, size_t j, enum carom_way way)
{
    return carom_pairing_resists(&w->bodies->pairing[w->at.key[j].pairing], way);
}

static bool has_spring(const struct carom_dp5_bodies *w, size_t j, enum carom_way way)
{
    const struct carom_friction *friction = law_of(w, j, way);
    return friction && friction->spring;
}

static bool any_spring(const struct carom_dp5_bodies *w, size_t j)
{
    return has_spring(w, j, CAROM_SLIDES) || has_spring(w, j, CAROM_ROLLS) || has_spring(w, j, CAROM_TWISTS);
}

/* parameters of contact j of a list as those of a first one */
static void params_of(const struct carom_dp5_bodies *w, const struct carom_contacts *c, size_t j, enum carom_way way,
                      const double *param[CAROM_FRICTION_PARAMS])
{
    for (size_t i = 0; i < w->bodies->nrub[way]; i++)
        param[i] = c->column[w->act.columns.rub[way] + i] + j;
}

static double stretch_squared(const struct carom_dp5_bodies *w, const struct carom_contacts *c, size_t j,
                              enum carom_way way)
{
    double square = 0.0;
    for (size_t k = 0; k < w->act.columns.width[way]; k++) {
        const double x = c->column[w->act.columns.spring[way] + k][j];
        square += x * x;
    }
    return square;
}

/* one contact somewhere inside the step: geometry, forces and friction in w->look */
struct glance {
    struct carom_stepper *stepper;
    struct carom_dp5_bodies *w;
    size_t j;
    enum carom_way way;
    double t;
    struct carom_contacts one; /* a list of this contact alone */
    double *column[2 * CAROM_LAW_WIDTH + CAROM_WAYS * (CAROM_FRICTION_PARAMS + 4) + CAROM_RETIRED_KINDS];
    size_t first[66];
};

static void glance_at(struct glance *g, double s)
{
    struct carom_dp5_bodies *w = g->w;
    const size_t nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies), all = g->stepper->model->nq;
    const struct carom_contact_key *key = &w->at.key[g->j];
    const size_t body[2] = {key->a, key->b};
    for (int i = 0; i < 2; i++) {
        carom_dormand_prince_dense(&w->step, s, body[i] * nq, (body[i] + 1) * nq, w->dense);
        carom_dormand_prince_dense(&w->step, s, all + body[i] * nv, all + (body[i] + 1) * nv, w->dense);
    }
    if (w->bodies->nleads > 0)
        carom_bodies_impose(w->bodies, fmin(g->t + s * w->step.h, w->end), w->dense, w->dense + all);
    for (int way = 0; way < CAROM_WAYS; way++) {
        w->look.slips[way] = w->slips[way] + g->j;
        for (size_t k = 0; k < w->act.columns.width[way]; k++) {
            const size_t at = carom_dp5_bodies_springs(g->stepper, way) + k * w->n + g->j;
            carom_dormand_prince_dense(&w->step, s, at, at + 1, w->dense);
            g->column[w->act.columns.spring[way] + k] = w->dense + at;
        }
    }
    carom_act_place(&w->look, &g->one, w->dense);
    carom_act_force(&w->look, &g->one, w->dense + all);
}

/* the cone's radius over the stiffness: how far a slipping spring is stretched; and the slip along it */
static double held_stretch(const struct glance *g, double *onward)
{
    const struct carom_dp5_bodies *w = g->w;
    const struct carom_friction *friction = law_of(w, g->j, g->way);
    const double *param[CAROM_FRICTION_PARAMS], *slip[3], *spring[3];
    const bool slips = true;
    params_of(w, &g->one, 0, g->way, param);
    for (size_t k = 0; k < w->act.columns.width[g->way]; k++) {
        slip[k] = w->look.slip[g->way][k];
        spring[k] = g->one.column[w->act.columns.spring[g->way] + k];
    }
    friction->moment(&(struct carom_friction_moment){.n = 1,
                                                     .width = w->act.columns.width[g->way],
                                                     .param = param,
                                                     .deform = w->look.deform,
                                                     .rate = w->look.rate,
                                                     .normal = w->look.normal,
                                                     .slip = slip,
                                                     .spring = spring,
                                                     .short_time = w->look.short_time,
                                                     .slips = &slips,
                                                     .margin = onward});
    const double k = friction->stiffness(param, 0, w->look.deform[0]);
    return k > 0.0 ? param[0][0] * fmax(w->look.normal[0], 0.0) / k : 0.0;
}

/* the force that is missing for a sticking contact to slip */
static double stick_margin(const struct glance *g)
{
    const struct carom_dp5_bodies *w = g->w;
    const struct carom_friction *friction = law_of(w, g->j, g->way);
    const double *param[CAROM_FRICTION_PARAMS], square = stretch_squared(w, &g->one, 0, g->way);
    params_of(w, &g->one, 0, g->way, param);
    /* a spring left at the cone has not left it again by rounding */
    const double mu = fmax(param[0][0], param[1][0]) * (1.0 + 1e-10);
    return mu * fmax(w->look.normal[0], 0.0) - friction->stiffness(param, 0, w->look.deform[0]) * sqrt(square);
}

/* Does the slip fall behind the cone, which carries the spring along while it grows? Steps too short to tell how
 * fast it grows change nothing. */
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

/* does the normal law leave one of its own phases? A little beyond the margins, so that what rests on one stays */
static bool law_turns(const struct glance *g, int *by)
{
    const struct carom_dp5_bodies *w = g->w;
    const struct carom_law *law = w->bodies->pairing[w->at.key[g->j].pairing].law;
    const struct carom_scales *scales = &g->stepper->scales;
    const double *param[CAROM_LAW_WIDTH], *history[CAROM_LAW_WIDTH];
    double margin[2];
    if (!law->turn)
        return false;
    for (size_t i = 0; i < w->bodies->nparams; i++)
        param[i] = g->one.column[w->act.columns.param + i];
    for (size_t i = 0; i < law->nh; i++)
        history[i] = g->one.column[w->act.columns.history + i];
    law->margin(param, history, 0, w->look.deform[0], w->look.rate[0], margin);
    *by = margin[0] < -1e-13 * scales->length ? 0 : 1;
    return *by == 0 || margin[1] < -1e-12 * scales->speed;
}

/* The phase that contact j is in at part s of the step, which began in the phase it has. */
static enum carom_phase phase_at(struct glance *g, double s)
{
    const struct carom_dp5_bodies *w = g->w;
    const enum carom_phase phase = carom_dp5_bodies_phase(w, g->j, g->way);
    glance_at(g, s);
    if (!(w->look.deform[0] > 0.0))
        return CAROM_PHASE_OPEN;
    int by;
    if (phase != CAROM_PHASE_OPEN && law_turns(g, &by))
        return by == 0 ? CAROM_PHASE_LAW_TURNS : CAROM_PHASE_LAW_RETURNS;
    const double elastic = w->look.elastic[0], force = elastic + w->look.drag[0] * w->look.rate[0];
    const bool ends = w->bodies->pairing[w->at.key[g->j].pairing].ending == CAROM_END_FORCE;
    /* two that begin to pull at once would else send each other back, in ever shorter steps */
    const double least = phase == CAROM_PHASE_CUT || phase == CAROM_PHASE_PULLS ? w->weak * elastic : 0.0;
    if (!(force > least) && (ends || any_spring(w, g->j))) /* of the whole contact, whichever way is asked */
        return ends ? CAROM_PHASE_CUT : CAROM_PHASE_PULLS;
    if (!has_spring(w, g->j, g->way))
        return CAROM_PHASE_CLOSED;
    if (phase == CAROM_PHASE_SLIPS)
        return sticks_again(g, s) ? CAROM_PHASE_CLOSED : CAROM_PHASE_SLIPS;
    return stick_margin(g) < 0.0 ? CAROM_PHASE_SLIPS : CAROM_PHASE_CLOSED;
}

/* Contacts that hover about touching do not open and close by it: what is thinner than a grain does not count. */
static bool has_left(void *own, double s)
{
    struct glance *g = own;
    const enum carom_phase phase = carom_dp5_bodies_phase(g->w, g->j, g->way), now = phase_at(g, s);
    const double deform = g->w->look.deform[0];
    if (phase == CAROM_PHASE_OPEN)
        return deform > g->w->grain;
    return now == CAROM_PHASE_OPEN ? deform < -g->w->grain : now != phase;
}

static void glance_begin(struct glance *g, struct carom_stepper *stepper, double t, size_t j, enum carom_way way)
{
    struct carom_dp5_bodies *w = stepper->work;
    *g = (struct glance){.stepper = stepper, .w = w, .j = j, .way = way, .t = t, .one = w->at};
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

static double gap_slope(void *own, double s)
{
    struct glance *g = own;
    const double *v = g->w->dense + g->stepper->model->nq;
    double slip[3];
    glance_at(g, s);
    return g->w->step.h * carom_meet_slip(g->w->bodies, g->one.key, g->w->look.meeting, v, slip);
}

/* the first place in (0, before] where an open contact closes; 2 if it does not */
static double first_touch(struct glance *g, double before)
{
    const struct carom_body *a = &g->w->bodies->body[g->one.key->a], *b = &g->w->bodies->body[g->one.key->b];
    const double size = a->surface == CAROM_BALL && !a->inside ? a->radius : b->radius;
    const struct carom_cubic looks = {{gap_at(g, 0.0), gap_at(g, before)},
                                      {gap_slope(g, 0.0) * before, gap_slope(g, before) * before}};
    const struct carom_locate f = {.value = gap_at, .slope = gap_slope, .own = g, .fine = 1e-15};
    if (looks.value[0] <= g->w->grain && carom_dp5_bodies_is_plain(g->w, g->j))
        return CAROM_LOCATE_NONE; /* it touches from the beginning of the step on */
    if (looks.value[1] < -g->w->grain)
        return carom_root_switch(has_left, g, 0.0, before, 1e-16, 60);
    if (!(looks.slope[0] < 0.0 && looks.slope[1] > 0.0))
        return CAROM_LOCATE_NONE;
    const double bottom = carom_locate_bottom(&f, 0.0, before, &looks, 1e-3 * size);
    return bottom <= 1.0 && has_left(g, bottom) ? carom_root_switch(has_left, g, 0.0, bottom, 1e-16, 60)
                                                : CAROM_LOCATE_NONE;
}

/* the first place in (0, before] where a closed contact leaves its phase; 2 if it does not */
static double first_change(struct glance *g, double before)
{
    static const double looks[] = {0.25, 0.5, 0.75, 1.0};
    double low = 0.0;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        const double high = looks[i] * before;
        if (has_left(g, high))
            return carom_root_switch(has_left, g, low, high, 1e-16, 60);
        low = high;
    }
    return CAROM_LOCATE_NONE;
}

/* Do both ends of the step, where w->act is, tell that nothing happens to contact j between them? An open one is not
 * passed in the middle; a closed one whose overlap says everything may open and close there unseen. */
static bool stays(const struct carom_stepper *stepper, size_t j)
{
    const struct carom_dp5_bodies *w = stepper->work;
    const struct carom_meeting *end = &w->act.meeting[j];
    double slip[3];
    if (carom_dp5_bodies_phase(w, j, CAROM_SLIDES) != CAROM_PHASE_OPEN)
        return carom_dp5_bodies_is_plain(w, j) && end->gap <= w->grain;
    if (!(end->gap > 0.0))
        return false;
    return w->opening[j] >= 0.0 ||
           carom_meet_slip(w->bodies, &w->at.key[j], end, w->trial + stepper->model->nq, slip) <= 0.0;
}

double carom_bodies_phases_first(struct carom_stepper *stepper, double t, struct carom_phase_change *first)
{
    struct carom_dp5_bodies *w = stepper->work;
    double earliest = 1.0;
    first->which = w->n;
    for (size_t j = 0; j < w->n; j++)
        for (int way = 0; way < CAROM_WAYS && !stays(stepper, j); way++) {
            struct glance g;
            const bool open = carom_dp5_bodies_phase(w, j, CAROM_SLIDES) == CAROM_PHASE_OPEN;
            if (way != CAROM_SLIDES && (open || !has_spring(w, j, (enum carom_way)way)))
                continue;
            glance_begin(&g, stepper, t, j, (enum carom_way)way);
            const double place = open ? first_touch(&g, earliest) : first_change(&g, earliest);
            if (place <= earliest) {
                earliest = place;
                *first = (struct carom_phase_change){j, (enum carom_way)way, phase_at(&g, place)};
            }
        }
    return earliest;
}

/* --- springs at the cone ----------------------------------------------------------------------------------------- */

double carom_bodies_phases_energy(const struct carom_dp5_bodies *w, const struct carom_contacts *c, size_t j,
                                  enum carom_way way, double deform)
{
    const double *param[CAROM_FRICTION_PARAMS];
    if (!has_spring(w, j, way))
        return 0.0;
    params_of(w, c, j, way, param);
    return 0.5 * law_of(w, j, way)->stiffness(param, 0, deform) * stretch_squared(w, c, j, way);
}

/* stretches the spring of a slipping contact to the cone it is held by; act is the contact at the state */
static void stretch_to_cone(const struct carom_dp5_bodies *w, const struct carom_act *act, struct carom_contacts *c,
                            size_t j, enum carom_way way)
{
    const size_t width = act->columns.width[way];
    const double *param[CAROM_FRICTION_PARAMS], spring = stretch_squared(w, c, j, way);
    params_of(w, c, j, way, param);
    const double stiffness = law_of(w, j, way)->stiffness(param, 0, act->deform[j]);
    const double held = stiffness > 0.0 ? param[0][0] * fmax(act->normal[j], 0.0) / stiffness : 0.0;
    double slip = 0.0;
    for (size_t k = 0; k < width; k++)
        slip += act->slip[way][k][j] * act->slip[way][k][j];
    const bool points = spring > 0.0 && !(held <= act->short_time * sqrt(slip));
    const double length = sqrt(points ? spring : slip);
    for (size_t k = 0; k < width; k++) {
        double *x = &c->column[act->columns.spring[way] + k][j];
        const double along = points ? *x : act->slip[way][k][j];
        *x = length > 0.0 ? along * held / length : 0.0;
    }
}

/* the same, and what it held before, less what it holds then, is lost */
static void hold_at_cone(const struct carom_dp5_bodies *w, const struct carom_act *act, struct carom_contacts *c,
                         size_t j, enum carom_way way, double before)
{
    stretch_to_cone(w, act, c, j, way);
    c->column[act->columns.lost + CAROM_RETIRED_FRICTION + (size_t)way][j] +=
        before - carom_bodies_phases_energy(w, c, j, way, act->deform[j]);
}

static bool is_cut(const struct carom_dp5_bodies *w, const struct carom_contacts *c, size_t j)
{
    return c->column[w->act.columns.phase][j] == CAROM_PHASE_CUT;
}

void carom_bodies_phases_note(struct carom_dp5_bodies *w, const struct carom_contacts *c, const double *v)
{
    double slip[3];
    for (size_t j = 0; j < c->n; j++)
        w->opening[j] = c->column[w->act.columns.phase][j] == CAROM_PHASE_OPEN
                            ? carom_meet_slip(w->bodies, &c->key[j], &w->act.meeting[j], v, slip)
                            : 0.0;
    for (int way = 0; way < CAROM_WAYS; way++)
        for (size_t j = 0; j < c->n; j++)
            w->energy[way][j] =
                way == CAROM_SLIDES && is_cut(w, c, j)
                    ? carom_act_held(w->bodies, c, j, w->act.deform[j])
                    : carom_bodies_phases_energy(w, c, j, (enum carom_way)way, fmax(w->act.deform[j], 0.0));
}

void carom_bodies_phases_follow(const struct carom_dp5_bodies *w, const struct carom_act *act,
                                struct carom_state *state)
{
    struct carom_contacts *c = state->contacts;
    for (int way = 0; way < CAROM_WAYS; way++)
        for (size_t j = 0; j < c->n; j++)
            if (c->column[act->columns.phase + (size_t)way][j] == CAROM_PHASE_SLIPS)
                hold_at_cone(w, act, c, j, (enum carom_way)way, w->energy[way][j]);
    for (size_t j = 0; j < c->n; j++)
        if (is_cut(w, c, j))
            c->column[act->columns.lost + CAROM_RETIRED_CLIPPED][j] +=
                w->energy[CAROM_SLIDES][j] - carom_act_held(w->bodies, c, j, act->deform[j]);
}

/* Will a contact that closes now stick at first? Force and stretch both begin at 0: a moment later tells. */
static bool begins_to_slip(const struct carom_stepper *stepper, const struct carom_contacts *c, size_t j,
                           enum carom_way way, const double *v)
{
    const struct carom_dp5_bodies *w = stepper->work;
    const double later = 1e-7 * stepper->scales.contact_time;
    double slip[3], speed = 0.0, elastic = 0.0, drag = 0.0;
    const struct carom_friction *friction = law_of(w, j, way);
    const struct carom_law *law = w->bodies->pairing[c->key[j].pairing].law;
    if (!has_spring(w, j, way))
        return false;
    const double closing = fmax(-carom_meet_slip(w->bodies, &c->key[j], &w->act.meeting[j], v, slip), 0.0);
    carom_meet_way(w->act.bodies, &c->key[j], &w->act.meeting[j], v, way, slip);
    for (size_t k = 0; k < w->act.columns.width[way]; k++)
        speed += slip[k] * slip[k];
    const double overlap = fmax(w->act.deform[j], 0.0) + closing * later;
    const double *param[CAROM_LAW_WIDTH], *rub[CAROM_FRICTION_PARAMS], *history[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < w->bodies->nparams; i++)
        param[i] = c->column[w->act.columns.param + i] + j;
    for (size_t i = 0; i < law->nh; i++)
        history[i] = c->column[w->act.columns.history + i] + j;
    params_of(w, c, j, way, rub);
    law->evaluate(&(struct carom_batch){
        .n = 1, .param = param, .deform = &overlap, .history = history, .elastic = &elastic, .drag = &drag});
    const double normal = elastic + drag * closing, stretch = sqrt(speed) * later;
    return friction->onset(rub, 0) * friction->stiffness(rub, 0, overlap) * stretch >
           fmax(rub[0][0], rub[1][0]) * fmax(normal, 0.0);
}

static void drop_spring(const struct carom_dp5_bodies *w, struct carom_contacts *c, size_t j, enum carom_way way)
{
    c->column[w->act.columns.lost + CAROM_RETIRED_CHANGE][j] +=
        carom_bodies_phases_energy(w, c, j, way, fmax(w->act.deform[j], 0.0));
    for (size_t k = 0; k < w->act.columns.width[way]; k++)
        c->column[w->act.columns.spring[way] + k][j] = 0.0;
}

/* does the contact rub, sticking or slipping? */
static bool rubs(enum carom_phase phase)
{
    return phase == CAROM_PHASE_CLOSED || phase == CAROM_PHASE_SLIPS;
}

static void change_way(struct carom_stepper *stepper, struct carom_state *state, size_t j, enum carom_way way,
                       enum carom_phase to)
{
    struct carom_dp5_bodies *w = stepper->work;
    struct carom_contacts *c = state->contacts;
    double *phase = &c->column[w->act.columns.phase + (size_t)way][j];
    if (!rubs(to))
        drop_spring(w, c, j, way);
    if (!rubs((enum carom_phase) * phase) && *phase != CAROM_PHASE_CUT && to == CAROM_PHASE_CLOSED &&
        begins_to_slip(stepper, c, j, way, state->v))
        to = CAROM_PHASE_SLIPS;
    *phase = to;
    if (to == CAROM_PHASE_SLIPS)
        hold_at_cone(w, &w->act, c, j, way, carom_bodies_phases_energy(w, c, j, way, w->act.deform[j]));
}

/* the normal law of contact j begins its next phase */
static void turn_law(const struct carom_dp5_bodies *w, struct carom_contacts *c, size_t j, int by)
{
    const struct carom_law *law = w->bodies->pairing[c->key[j].pairing].law;
    const double *param[CAROM_LAW_WIDTH];
    double *history[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < w->bodies->nparams; i++)
        param[i] = c->column[w->act.columns.param + i];
    for (size_t i = 0; i < law->nh; i++)
        history[i] = c->column[w->act.columns.history + i];
    if (law->turn)
        law->turn(param, history, j, w->act.deform[j], by);
}

void carom_bodies_phases_change(struct carom_stepper *stepper, struct carom_state *state,
                                const struct carom_phase_change *change)
{
    struct carom_dp5_bodies *w = stepper->work;
    struct carom_contacts *c = state->contacts;
    const size_t j = change->which;
    const enum carom_phase from = (enum carom_phase)c->column[w->act.columns.phase + (size_t)change->way][j];
    stepper->switched |= (from == CAROM_PHASE_OPEN) != (change->next == CAROM_PHASE_OPEN);
    if (change->next == CAROM_PHASE_LAW_TURNS || change->next == CAROM_PHASE_LAW_RETURNS) {
        turn_law(w, c, j, change->next == CAROM_PHASE_LAW_TURNS ? 0 : 1);
        return;
    }
    if (from == CAROM_PHASE_OPEN)
        turn_law(w, c, j, 0);
    if (rubs(from) && rubs(change->next)) {
        change_way(stepper, state, j, change->way, change->next);
        return;
    }
    for (int way = 0; way < CAROM_WAYS; way++)
        if (carom_dp5_bodies_has_phase(w, way))
            change_way(stepper, state, j, (enum carom_way)way, change->next);
    if (change->next == CAROM_PHASE_OPEN)
        carom_list_retire(c, &w->act.columns, j);
}

void carom_bodies_phases_find(struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_dp5_bodies *w = stepper->work;
    struct carom_contacts *c = state->contacts;
    carom_act_place(&w->act, c, state->q);
    for (int way = 0; way < CAROM_WAYS; way++)
        w->act.slips[way] = NULL;
    carom_act_force(&w->act, c, state->v);
    w->at = *c;
    for (size_t j = 0; j < c->n; j++)
        if (w->act.deform[j] > 0.0 && c->column[w->act.columns.phase][j] == CAROM_PHASE_OPEN)
            carom_bodies_phases_change(stepper, state,
                                       &(struct carom_phase_change){j, CAROM_SLIDES, CAROM_PHASE_CLOSED});
}

void carom_bodies_phases_change_others(struct carom_stepper *stepper, struct carom_state *state, double t,
                                       const struct carom_phase_change *change)
{
    struct carom_dp5_bodies *w = stepper->work;
    for (size_t j = 0; j < w->n; j++)
        for (int i = 0; i < CAROM_WAYS; i++) {
            const enum carom_way way = (enum carom_way)i;
            const enum carom_phase phase = carom_dp5_bodies_phase(w, j, way);
            struct glance g;
            if (!carom_dp5_bodies_has_phase(w, i) ||
                (j == change->which && (way == change->way || !rubs(phase) || !rubs(change->next))))
                continue;
            const double gap = w->act.meeting[j].gap;
            if (phase == CAROM_PHASE_OPEN ? gap >= -w->grain : carom_dp5_bodies_is_plain(w, j) && gap <= w->grain)
                continue;
            glance_begin(&g, stepper, t, j, way);
            if (!has_left(&g, 1.0))
                continue;
            const enum carom_phase now = phase_at(&g, 1.0);
            carom_bodies_phases_change(stepper, state, &(struct carom_phase_change){j, way, now});
            if (!(rubs(now) && rubs(phase))) /* the other ways went with it */
                break;
        }
}
