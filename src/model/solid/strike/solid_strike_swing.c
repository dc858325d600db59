/* How fast balls and surfaces may move and swing under their contacts: what steps have to follow. */
#include <string.h>

#include "base/vec.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_stops.h"
#include "model/solid/strike/solid_strike.h"

/* the slope of contact j's force where it stores this energy */
static double stiffness_at(const struct carom_model *model, size_t j, double wanted, double *overlap)
{
    double low = 0.0, high = 1e-12, energy = 0.0, slope = 0.0;
    const struct carom_response want = {.slope = &slope, .energy = &energy};
    while (high < 1e12) {
        carom_contacts_evaluate(model, j, j + 1, &high, NULL, NULL, &want);
        if (energy >= wanted)
            break;
        low = high;
        high *= 2.0;
    }
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        carom_contacts_evaluate(model, j, j + 1, &middle, NULL, NULL, &want);
        *(energy >= wanted ? &high : &low) = middle;
    }
    *overlap = high;
    return slope;
}

/* the square of the speed with which a ball gets from one end of the scene to the other by its weight */
static double fall(const struct carom_model *model, const double *q)
{
    const struct carom_solid_strike *s = model->encounter_own;
    struct carom_press_box box[CAROM_STRIKE_SOLIDS], all = {{0.0}, {0.0}};
    double square = 0.0;
    if (!s->balls || carom_vec_norm(s->balls->gravity) == 0.0)
        return 0.0;
    carom_solid_press_boxes(model, q, box);
    for (int k = 0; k < s->balls->dimension; k++) {
        all.low[k] = HUGE_VAL;
        all.high[k] = -HUGE_VAL;
        for (size_t i = 0; i < s->nbodies; i++) {
            all.low[k] = fmin(all.low[k], box[i].low[k]);
            all.high[k] = fmax(all.high[k], box[i].high[k]);
        }
        for (size_t i = 0; i < s->nballs; i++) {
            double place[3];
            carom_solid_balls_place(s->balls, i, q + model->member[s->balls_member].q0, place);
            all.low[k] = fmin(all.low[k], place[k]);
            all.high[k] = fmax(all.high[k], place[k]);
        }
        square += 2.0 * fabs(s->balls->gravity[k]) * (all.high[k] - all.low[k]);
    }
    return square;
}

enum { BLOCK = 64 }; /* contacts that are looked at together */

double carom_solid_strike_swing_speed(const struct carom_model *model, const double *q, const double *v, double until)
{
    const struct carom_solid_strike *s = model->encounter_own;
    if (!s->balls)
        return 0.0;
    const double begin = carom_solid_balls_speed(s->balls, v + model->member[s->balls_member].v0),
                 weight = carom_vec_norm(s->balls->gravity),
                 given = fmin(sqrt(begin * begin + fall(model, q)), weight > 0.0 ? begin + weight * until : begin);
    double most = given;
    for (size_t from = 0; model->nh == 0 && from < s->meets_first; from += BLOCK) {
        const size_t to = s->meets_first - from < BLOCK ? s->meets_first : from + BLOCK;
        double overlap[BLOCK], energy[BLOCK] = {0.0};
        const struct carom_response want = {.energy = energy};
        carom_contacts_deform_some(model, from, to, 0.0, q, NULL, overlap, NULL);
        carom_contacts_evaluate(model, from, to, overlap, NULL, NULL, &want);
        for (size_t j = from; j < to; j++)
            most = fmax(most, sqrt(given * given + 2.0 * energy[j - from] / s->balls->mass[model->pair[j][1]]));
    }
    return most;
}

/* a ball turns about its centre: its surface is lighter than itself */
static double ball_mobility(const struct carom_solid_balls *b, int32_t i)
{
    return 1.0 / b->mass[i] + (b->inertia ? b->radius[i] * b->radius[i] / b->inertia[i] : 0.0);
}

double carom_solid_strike_swing_mobility(const struct carom_solid_strike *s, const int32_t pair[2], size_t contact)
{
    const double mine = ball_mobility(s->balls, pair[1]);
    if (contact < s->balls_first)
        return mine + 4.0 / s->body[contact / s->nballs].light; /* as where cells are pushed beside their middle */
    return mine + (pair[0] >= 0 ? ball_mobility(s->balls, pair[0]) : 0.0);
}

/* Do two contacts of balls swing alike? In a crystal nearly all do. */
static bool alike(const struct carom_model *model, const struct carom_solid_strike *s, size_t i, size_t j)
{
    const int32_t *a = model->pair[i], *b = model->pair[j];
    bool same = (a[0] >= 0) == (b[0] >= 0) && (a[0] >= 0 || a[0] == b[0]);
    for (int side = 0; side < 2 && same; side++)
        same = a[side] < 0 || (s->balls->mass[a[side]] == s->balls->mass[b[side]] &&
                               s->balls->radius[a[side]] == s->balls->radius[b[side]]);
    for (size_t g = 0; g < model->ngroups && same; g++) {
        const struct carom_group *of = &model->group[g];
        const bool one = i >= of->first && i < of->first + of->count, two = j >= of->first && j < of->first + of->count;
        same = one == two;
        for (size_t c = 0; c < of->ncolumns && one && same; c++)
            same = of->param[c][i - of->first] == of->param[c][j - of->first];
    }
    return same && (!s->friction || memcmp(&s->friction[i], &s->friction[j], sizeof *s->friction) == 0);
}

double carom_solid_strike_swing_frequency(const struct carom_model *model, double speed, bool cells)
{
    const struct carom_solid_strike *s = model->encounter_own;
    const double stops = s->balls ? carom_solid_stops_frequency(s->balls) : 0.0;
    double square = stops * stops;
    if (model->nh > 0)
        return 0.0; /* laws with a memory are refused */
    for (size_t j = 0; j < s->meets_first; j++) {
        if (j > 0 && alike(model, s, j - 1, j))
            continue;
        const int32_t *pair = model->pair[j];
        const bool on_cells = j < s->balls_first, on_ball = pair[0] >= 0;
        const double mass = s->balls->mass[pair[1]], other = on_cells  ? s->body[j / s->nballs].light
                                                             : on_ball ? s->balls->mass[pair[0]]
                                                                       : HUGE_VAL;
        const double heavy = on_ball ? mass * other / (mass + other) : mass;
        double overlap;
        const double slope = stiffness_at(model, j, 0.5 * heavy * speed * speed, &overlap);
        /* pushed beside its middle a cell turns, too: it is lighter there */
        square = fmax(square, slope * (1.0 / mass + (!on_cells ? 1.0 : cells ? 4.0 : 0.0) / other));
        if (s->friction && s->friction[j].law && s->friction[j].law->stiffness && (cells || !on_cells)) {
            const double *param[CAROM_FRICTION_PARAMS];
            carom_solid_strike_friction_columns(&s->friction[j], param);
            const double stiff = s->friction[j].law->stiffness(param, 0, overlap);
            square = fmax(square, stiff * carom_solid_strike_swing_mobility(s, pair, j));
        }
    }
    return sqrt(square);
}

/* the largest share of the contact's area that one cell has */
static double largest_share(const struct carom_strike_body *b, const struct carom_strike_meet *meet)
{
    double most = 0.0;
    for (size_t f = 0; f < b->solid->nfaces; f++)
        most = fmax(most, b->solid->face[f].area);
    return most / meet->area;
}

/* 1 / mass of one cell on another, and the largest share of the area that one has */
static double lightness(const struct carom_solid_strike *s, const struct carom_strike_meet *meet, double *share)
{
    const struct carom_strike_body *a = &s->body[meet->body[0]];
    const struct carom_strike_body *b = meet->body[1] < s->nbodies ? &s->body[meet->body[1]] : NULL;
    *share = b ? fmax(largest_share(a, meet), largest_share(b, meet)) : largest_share(a, meet);
    return 1.0 / a->light + (b ? 1.0 / b->light : 0.0);
}

double carom_solid_strike_swing_mobility_faces(const struct carom_solid_strike *s, const struct carom_strike_meet *meet)
{
    double share;
    const double inverse = lightness(s, meet, &share);
    return 4.0 * share * inverse; /* as below */
}

/* Damping of a point holds one cell, too: the step that bears it is that of damping by stiffness (rattle_limit.c). */
double carom_solid_strike_swing_frequency_faces(const struct carom_model *model)
{
    const struct carom_solid_strike *s = model->encounter_own;
    double most = 0.0;
    for (size_t m = 0; model->nh == 0 && m < s->nmeets; m++) {
        const struct carom_strike_meet *meet = &s->meet[m];
        double overlap = meet->compliance, slope = 0.0, drag = 0.0; /* linear: the same anywhere */
        const struct carom_response want = {.slope = &slope, .drag = &drag};
        carom_contacts_evaluate(model, s->meets_first + m, s->meets_first + m + 1, &overlap, NULL, NULL, &want);
        double share;
        const double inverse = lightness(s, meet, &share);
        /* four times: a cell that is pushed beside its middle turns, too */
        const double omega = sqrt(4.0 * slope * share * inverse), bend = 0.5 * drag / slope * omega;
        most = fmax(most, omega * (sqrt(1.0 + bend * bend) + bend));
    }
    return most;
}
