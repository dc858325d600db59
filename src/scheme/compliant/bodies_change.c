/* Contacts that go on in another phase, for scheme dp5: what becomes of their springs and of what they held. */
#include "scheme/compliant/bodies_glance.h"

/* --- springs at the cone ----------------------------------------------------------------------------------------- */

/* what the spring of contact j that resists one way holds at an overlap */
static double spring_energy(const struct carom_dp5_bodies *w, const struct carom_contacts *c, size_t j,
                            enum carom_way way, double deform)
{
    const double *param[CAROM_FRICTION_PARAMS];
    if (!carom_bodies_glance_has_spring(w, j, way))
        return 0.0;
    carom_bodies_glance_params(w, c, j, way, param);
    return 0.5 * carom_bodies_glance_law(w, j, way)->stiffness(param, 0, deform) *
           carom_bodies_glance_stretch(w, c, j, way);
}

/* how far its cone stretches the spring of contact j that slips; act is the contact at the state */
static double held_at_cone(const struct carom_dp5_bodies *w, const struct carom_act *act,
                           const struct carom_contacts *c, size_t j, enum carom_way way)
{
    const double *param[CAROM_FRICTION_PARAMS];
    carom_bodies_glance_params(w, c, j, way, param);
    const double stiffness = carom_bodies_glance_law(w, j, way)->stiffness(param, 0, act->deform[j]);
    return stiffness > 0.0 ? param[0][0] * fmax(act->normal[j], 0.0) / stiffness : 0.0;
}

static double slip_speed(const struct carom_act *act, size_t j, enum carom_way way)
{
    double slip = 0.0;
    for (size_t k = 0; k < act->columns.width[way]; k++)
        slip += act->slip[way][k][j] * act->slip[way][k][j];
    return sqrt(slip);
}

double carom_bodies_change_turn(const struct carom_dp5_bodies *w, const struct carom_contacts *c)
{
    double least = HUGE_VAL;
    for (enum carom_way way = CAROM_SLIDES; way < CAROM_WAYS; way++)
        for (size_t j = 0; j < c->n && w->act.columns.width[way] > 1; j++) {
            if (c->column[w->act.columns.phase + way][j] != CAROM_CONTACT_SLIPS ||
                !carom_bodies_glance_has_spring(w, j, way))
                continue;
            least = fmin(least, held_at_cone(w, &w->act, c, j, way) / slip_speed(&w->act, j, way));
        }
    return least;
}

/* stretches the spring of a slipping contact to the cone it is held by; act is the contact at the state */
static void stretch_to_cone(const struct carom_dp5_bodies *w, const struct carom_act *act, struct carom_contacts *c,
                            size_t j, enum carom_way way)
{
    const size_t width = act->columns.width[way];
    const double spring = carom_bodies_glance_stretch(w, c, j, way), slip = slip_speed(act, j, way);
    const double held = held_at_cone(w, act, c, j, way);
    const bool points = spring > 0.0 && (width == 1 || !(held <= act->short_time * slip));
    const double length = points ? sqrt(spring) : slip;
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
        before - spring_energy(w, c, j, way, act->deform[j]);
}

static bool is_cut(const struct carom_dp5_bodies *w, const struct carom_contacts *c, size_t j)
{
    return c->column[w->act.columns.phase][j] == CAROM_CONTACT_CUT;
}

void carom_bodies_change_note(struct carom_dp5_bodies *w, const struct carom_contacts *c, const double *v)
{
    double slip[3];
    for (size_t j = 0; j < c->n; j++) {
        w->pressed[j] = w->act.elastic[j];
        w->opening[j] = c->column[w->act.columns.phase][j] == CAROM_CONTACT_OPEN
                            ? carom_meet_slip(w->bodies, &c->key[j], &w->act.meeting[j], v, slip)
                            : 0.0;
    }
    for (int way = 0; way < CAROM_WAYS; way++)
        for (size_t j = 0; j < c->n; j++)
            w->energy[way][j] = way == CAROM_SLIDES && is_cut(w, c, j)
                                    ? carom_act_held(w->bodies, c, j, w->act.deform[j])
                                    : spring_energy(w, c, j, (enum carom_way)way, fmax(w->act.deform[j], 0.0));
}

void carom_bodies_change_follow(const struct carom_dp5_bodies *w, const struct carom_act *act,
                                struct carom_state *state)
{
    struct carom_contacts *c = state->contacts;
    for (int way = 0; way < CAROM_WAYS; way++)
        for (size_t j = 0; j < c->n; j++)
            if (c->column[act->columns.phase + (size_t)way][j] == CAROM_CONTACT_SLIPS)
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
    const struct carom_friction *friction = carom_bodies_glance_law(w, j, way);
    const struct carom_law *law = w->bodies->pairing[c->key[j].pairing].law;
    if (!carom_bodies_glance_has_spring(w, j, way))
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
    carom_bodies_glance_params(w, c, j, way, rub);
    struct carom_batch one = {.law = law, .n = 1, .param = param, .deform = &overlap, .history = history};
    one.elastic = &elastic, one.drag = &drag;
    law->evaluate(&one);
    const double normal = elastic + drag * closing, stretch = sqrt(speed) * later;
    return friction->onset(rub, 0) * friction->stiffness(rub, 0, overlap) * stretch >
           fmax(rub[0][0], rub[1][0]) * fmax(normal, 0.0);
}

static void drop_spring(const struct carom_dp5_bodies *w, struct carom_contacts *c, size_t j, enum carom_way way)
{
    c->column[w->act.columns.lost + CAROM_RETIRED_CHANGE][j] +=
        spring_energy(w, c, j, way, fmax(w->act.deform[j], 0.0));
    for (size_t k = 0; k < w->act.columns.width[way]; k++)
        c->column[w->act.columns.spring[way] + k][j] = 0.0;
}

/* A contact closes a little after it touched: its spring is as far stretched as it has slid since. One that follows the
 * stiffness, which begins at 0, would else begin at another pace than it goes on with. */
static void begin_spring(const struct carom_dp5_bodies *w, struct carom_contacts *c, size_t j, enum carom_way way,
                         const double *v)
{
    const double *param[CAROM_FRICTION_PARAMS];
    double slip[3];
    const double closing = -carom_meet_slip(w->bodies, &c->key[j], &w->act.meeting[j], v, slip);
    if (!carom_bodies_glance_has_spring(w, j, way) || !(w->act.deform[j] > 0.0) || !(closing > 0.0))
        return;
    carom_bodies_glance_params(w, c, j, way, param);
    carom_meet_way(w->bodies, &c->key[j], &w->act.meeting[j], v, way, slip);
    const double part = carom_bodies_glance_law(w, j, way)->onset(param, 0) * w->act.deform[j] / closing;
    for (size_t k = 0; k < w->act.columns.width[way]; k++)
        c->column[w->act.columns.spring[way] + k][j] = part * slip[k];
    c->column[w->act.columns.lost + CAROM_RETIRED_CHANGE][j] -= spring_energy(w, c, j, way, w->act.deform[j]);
}

/* does the contact rub, sticking or slipping? */
static bool rubs(enum carom_contact_phase phase)
{
    return phase == CAROM_CONTACT_STICKS || phase == CAROM_CONTACT_SLIPS;
}

static void change_way(struct carom_stepper *stepper, struct carom_state *state, size_t j, enum carom_way way,
                       enum carom_contact_phase to)
{
    struct carom_dp5_bodies *w = stepper->work;
    struct carom_contacts *c = state->contacts;
    double *phase = &c->column[w->act.columns.phase + (size_t)way][j];
    if (!rubs(to))
        drop_spring(w, c, j, way);
    if (!rubs((enum carom_contact_phase) * phase) && *phase != CAROM_CONTACT_CUT && to == CAROM_CONTACT_STICKS &&
        begins_to_slip(stepper, c, j, way, state->v))
        to = CAROM_CONTACT_SLIPS;
    if (*phase == CAROM_CONTACT_OPEN && to == CAROM_CONTACT_STICKS && !w->starts)
        begin_spring(w, c, j, way, state->v);
    *phase = to;
    if (to == CAROM_CONTACT_SLIPS)
        hold_at_cone(w, &w->act, c, j, way, spring_energy(w, c, j, way, w->act.deform[j]));
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

/* Has the normal law of contact j been in some phase, in a run that this one goes on from? */
static bool remembers(const struct carom_dp5_bodies *w, const struct carom_contacts *c, size_t j)
{
    for (size_t i = 0; i < w->bodies->pairing[c->key[j].pairing].law->nh; i++)
        if (c->column[w->act.columns.history + i][j] != 0.0)
            return true;
    return false;
}

void carom_bodies_change_phase(struct carom_stepper *stepper, struct carom_state *state,
                               const struct carom_phase_change *change)
{
    struct carom_dp5_bodies *w = stepper->work;
    struct carom_contacts *c = state->contacts;
    const size_t j = change->which;
    const enum carom_contact_phase from =
        (enum carom_contact_phase)c->column[w->act.columns.phase + (size_t)change->way][j];
    stepper->switched |= change->way == CAROM_SLIDES || !rubs(from) || !rubs(change->next);
    if (change->next == CAROM_PHASE_LAW_TURNS || change->next == CAROM_PHASE_LAW_RETURNS) {
        turn_law(w, c, j, change->next == CAROM_PHASE_LAW_TURNS ? 0 : 1);
        return;
    }
    if (from == CAROM_CONTACT_OPEN && !(w->starts && remembers(w, c, j)))
        turn_law(w, c, j, 0);
    if (rubs(from) && rubs(change->next)) {
        change_way(stepper, state, j, change->way, change->next);
        return;
    }
    for (int way = 0; way < CAROM_WAYS; way++)
        if (carom_dp5_bodies_has_phase(w, way))
            change_way(stepper, state, j, (enum carom_way)way, change->next);
    if (change->next == CAROM_CONTACT_OPEN)
        carom_list_retire(c, &w->act.columns, j);
}

/* A contact that a start has in touch, or that a run before this one has left slipping, begins. */
static void find_phase(struct carom_stepper *stepper, struct carom_state *state, size_t j)
{
    struct carom_dp5_bodies *w = stepper->work;
    struct carom_contacts *c = state->contacts;
    bool slips[CAROM_WAYS];
    for (int way = 0; way < CAROM_WAYS; way++) {
        double *phase = &c->column[w->act.columns.phase + (size_t)way][j];
        if ((slips[way] = *phase < 0.0))
            *phase = CAROM_CONTACT_OPEN;
    }
    if (!(w->act.deform[j] > 0.0) || c->column[w->act.columns.phase][j] != CAROM_CONTACT_OPEN)
        return;
    carom_bodies_change_phase(stepper, state, &(struct carom_phase_change){j, CAROM_SLIDES, CAROM_CONTACT_STICKS});
    for (int way = 0; way < CAROM_WAYS; way++)
        if (slips[way] && c->column[w->act.columns.phase + (size_t)way][j] == CAROM_CONTACT_STICKS)
            change_way(stepper, state, j, (enum carom_way)way, CAROM_CONTACT_SLIPS);
}

void carom_bodies_change_find(struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_dp5_bodies *w = stepper->work;
    struct carom_contacts *c = state->contacts;
    carom_act_place(&w->act, c, state->q);
    for (int way = 0; way < CAROM_WAYS; way++)
        w->act.slips[way] = NULL;
    carom_act_force(&w->act, c, state->v);
    w->at = *c;
    w->starts = true;
    for (size_t j = 0; j < c->n; j++)
        find_phase(stepper, state, j);
    w->starts = false;
}

void carom_bodies_change_others(struct carom_stepper *stepper, struct carom_state *state, double t,
                                const struct carom_phase_change *change)
{
    struct carom_dp5_bodies *w = stepper->work;
    for (size_t j = 0; j < w->n; j++)
        for (int i = 0; i < CAROM_WAYS; i++) {
            const enum carom_way way = (enum carom_way)i;
            const enum carom_contact_phase phase = carom_dp5_bodies_phase(w, j, way);
            struct carom_glance g;
            if (!carom_dp5_bodies_has_phase(w, i) ||
                (j == change->which && (way == change->way || !rubs(phase) || !rubs(change->next))))
                continue;
            const double gap = w->act.meeting[j].gap;
            if (phase == CAROM_CONTACT_OPEN ? gap >= -w->grain
                                            : carom_dp5_bodies_is_plain(w, &w->at.key[j]) && gap <= w->grain)
                continue;
            carom_bodies_glance_begin(&g, stepper, t, j, way);
            if (!carom_bodies_phases_left(&g, 1.0))
                continue;
            const enum carom_contact_phase now = carom_bodies_phases_at(&g, 1.0);
            carom_bodies_change_phase(stepper, state, &(struct carom_phase_change){j, way, now});
            if (!(rubs(now) && rubs(phase))) /* the other ways went with it */
                break;
        }
}
