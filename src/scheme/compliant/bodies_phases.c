/* Phases of contacts that come and go, for scheme dp5: open, closed or sticking, slipping, cut by force, pulling.
 * Inside one the right-hand side is smooth; where a contact leaves its phase is found on the dense output of a step. */
#include <float.h>

#include "scheme/compliant/bodies_glance.h"
#include "solve/locate.h"
#include "solve/root.h"

static bool any_spring(const struct carom_dp5_bodies *w, size_t j)
{
    return carom_bodies_glance_has_spring(w, j, CAROM_SLIDES) || carom_bodies_glance_has_spring(w, j, CAROM_ROLLS) ||
           carom_bodies_glance_has_spring(w, j, CAROM_TWISTS);
}

/* the cone's radius over the stiffness: how far a slipping spring is stretched; and the slip along it */
static double held_stretch(const struct carom_glance *g, double *onward)
{
    const struct carom_dp5_bodies *w = g->w;
    const struct carom_friction *friction = carom_bodies_glance_law(w, g->j, g->way);
    const double *param[CAROM_FRICTION_PARAMS], *slip[3], *spring[3];
    const bool slips = true;
    carom_bodies_glance_params(w, &g->one, 0, g->way, param);
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
static double stick_margin(const struct carom_glance *g)
{
    const struct carom_dp5_bodies *w = g->w;
    const struct carom_friction *friction = carom_bodies_glance_law(w, g->j, g->way);
    const double *param[CAROM_FRICTION_PARAMS], square = carom_bodies_glance_stretch(w, &g->one, 0, g->way);
    carom_bodies_glance_params(w, &g->one, 0, g->way, param);
    /* a spring left at the cone has not left it again by rounding */
    const double mu = fmax(param[0][0], param[1][0]) * (1.0 + 1e-10);
    return mu * fmax(w->look.normal[0], 0.0) - friction->stiffness(param, 0, w->look.deform[0]) * sqrt(square);
}

/* how far a slipping spring may seem stretched by rounding of the rate alone */
static double stretch_noise(const struct carom_glance *g)
{
    const struct carom_dp5_bodies *w = g->w;
    const double *param[CAROM_FRICTION_PARAMS], speed = g->stepper->scales.speed;
    carom_bodies_glance_params(w, &g->one, 0, g->way, param);
    const double k = carom_bodies_glance_law(w, g->j, g->way)->stiffness(param, 0, w->look.deform[0]);
    const double force = fabs(w->look.elastic[0]) + w->look.drag[0] * speed;
    return k > 0.0 ? 1e-14 * param[0][0] * force / k : 0.0;
}

/* Looks beside s, a part of the step away, and tells where; beyond the end of the pressure there is no cone. */
static double look_aside(struct carom_glance *g, double s, double part)
{
    double way = s > part ? -part : part;
    carom_bodies_glance_at(g, s + way);
    for (; !(g->w->look.normal[0] > 0.0) && fabs(way) > 1e-12; carom_bodies_glance_at(g, s + way))
        way *= 0.25;
    return way;
}

/* Does the slip fall behind the cone, which carries the spring along while it grows, or not follow one that shrinks?
 * Where steps are so short that rounding may say so, it does not; nor where that was so and was not so in turn, at one
 * moment. Near touch the cone grows like a power of the overlap: only looks that are near each other tell how fast. */
static bool sticks_again(struct carom_glance *g, double s)
{
    const struct carom_dp5_bodies *w = g->w;
    const double h = w->step.h, time = g->stepper->scales.contact_time, deform = w->look.deform[0];
    const double most = h > 1e-4 * time ? 1e-4 : 0.25, near = 1e-2 * deform / (fabs(w->look.rate[0]) * h + DBL_MIN);
    const bool bends = near < most && deform > 1e-10 * w->bodies->largest;
    const double part = bends ? near : most, moves = fabs(w->look.rate[0]) * h;
    double onward, ignored;
    const double now = held_stretch(g, &onward), noise = stretch_noise(g), way = look_aside(g, s, part);
    if (fabs(way) < part && moves * fabs(way) < 1e-14 * w->bodies->largest)
        return false; /* so near the end of the pressure that the overlap changes by rounding only */
    const double other = held_stretch(g, &ignored);
    double rise = (other - now) / way, doubt = noise;
    if (!bends && part > 0.1) { /* so far aside the cone does not go straight: a parabola through three looks tells */
        carom_bodies_glance_at(g, s + 0.5 * way);
        rise = (4.0 * held_stretch(g, &ignored) - 3.0 * now - other) / way;
        doubt = 8.0 * noise;
    }
    if (bends) {
        carom_bodies_glance_at(g, s - way);
        rise = 0.5 * (rise + (now - held_stretch(g, &ignored)) / way);
    }
    return onward * h < rise - doubt / fabs(way) - w->slack * fabs(rise);
}

/* does the normal law leave one of its own phases? A little beyond the margins, so that what rests on one stays */
static bool law_turns(const struct carom_glance *g, int *by)
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

enum carom_contact_phase carom_bodies_phases_at(struct carom_glance *g, double s)
{
    const struct carom_dp5_bodies *w = g->w;
    const enum carom_contact_phase phase = carom_dp5_bodies_phase(w, g->j, g->way);
    carom_bodies_glance_at(g, s);
    if (!(w->look.meeting[0].gap < 0.0))
        return CAROM_CONTACT_OPEN;
    int by;
    if (phase != CAROM_CONTACT_OPEN && law_turns(g, &by))
        return by == 0 ? CAROM_PHASE_LAW_TURNS : CAROM_PHASE_LAW_RETURNS;
    const double elastic = w->look.elastic[0], force = elastic + w->look.drag[0] * w->look.rate[0];
    const bool ends = w->bodies->pairing[w->at.key[g->j].pairing].ending == CAROM_END_FORCE;
    /* two that begin to pull at once would else send each other back, in ever shorter steps */
    const double pressed = elastic + carom_dp5_bodies_pull(w, g->j);
    /* and so would rounding of the overlap, which a force that damping nearly balances has all of */
    const double weak = w->weak + 1e-14 * w->bodies->largest / w->look.deform[0];
    const double least = phase == CAROM_CONTACT_CUT || phase == CAROM_CONTACT_PULLS ? weak * pressed : 0.0;
    if (!(force > least) && (ends || any_spring(w, g->j))) /* of the whole contact, whichever way is asked */
        return ends ? CAROM_CONTACT_CUT : CAROM_CONTACT_PULLS;
    if (!carom_bodies_glance_has_spring(w, g->j, g->way))
        return CAROM_CONTACT_STICKS;
    if (phase == CAROM_CONTACT_SLIPS)
        return sticks_again(g, s) ? CAROM_CONTACT_STICKS : CAROM_CONTACT_SLIPS;
    return stick_margin(g) < 0.0 ? CAROM_CONTACT_SLIPS : CAROM_CONTACT_STICKS;
}

bool carom_bodies_phases_left(struct carom_glance *g, double s)
{
    const enum carom_contact_phase phase = carom_dp5_bodies_phase(g->w, g->j, g->way),
                                   now = carom_bodies_phases_at(g, s);
    const double gap = g->w->look.meeting[0].gap;
    if (phase == CAROM_CONTACT_OPEN)
        return gap < -g->w->grain;
    return now == CAROM_CONTACT_OPEN ? gap > g->w->grain : now != phase;
}

static bool has_left(void *own, double s)
{
    return carom_bodies_phases_left(own, s);
}

/* the gap and its slope, for the search for contacts that begin and end inside a step */
static double gap_at(void *own, double s)
{
    struct carom_glance *g = own;
    carom_bodies_glance_at(g, s);
    return g->w->look.meeting[0].gap;
}

static double gap_slope(void *own, double s)
{
    struct carom_glance *g = own;
    const double *v = g->w->dense + g->stepper->model->nq;
    double slip[3];
    carom_bodies_glance_at(g, s);
    return g->w->step.h * carom_meet_slip(g->w->bodies, g->one.key, g->w->look.meeting, v, slip);
}

/* the first place in (0, before] where an open contact closes; 2 if it does not */
static double first_touch(struct carom_glance *g, double before)
{
    const struct carom_body *a = &g->w->bodies->body[g->one.key->a], *b = &g->w->bodies->body[g->one.key->b];
    const double size = a->surface == CAROM_BALL && !a->inside ? a->radius : b->radius;
    const struct carom_cubic looks = {{gap_at(g, 0.0), gap_at(g, before)},
                                      {gap_slope(g, 0.0) * before, gap_slope(g, before) * before}};
    const struct carom_locate f = {.value = gap_at, .slope = gap_slope, .own = g, .fine = 1e-15};
    if (looks.value[0] <= g->w->grain && carom_dp5_bodies_is_plain(g->w, &g->w->at.key[g->j]))
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
static double first_change(struct carom_glance *g, double before)
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
    if (carom_dp5_bodies_phase(w, j, CAROM_SLIDES) != CAROM_CONTACT_OPEN)
        return carom_dp5_bodies_is_plain(w, &w->at.key[j]) && end->gap <= w->grain;
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
            struct carom_glance g;
            const bool open = carom_dp5_bodies_phase(w, j, CAROM_SLIDES) == CAROM_CONTACT_OPEN;
            if (way != CAROM_SLIDES && (open || !carom_bodies_glance_has_spring(w, j, (enum carom_way)way)))
                continue;
            carom_bodies_glance_begin(&g, stepper, t, j, (enum carom_way)way);
            const double place = open ? first_touch(&g, earliest) : first_change(&g, earliest);
            if (place <= earliest) {
                earliest = place;
                *first = (struct carom_phase_change){j, (enum carom_way)way, carom_bodies_phases_at(&g, place)};
            }
        }
    return earliest;
}
