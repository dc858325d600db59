/* Asks the solids of a model, one after the other. */
#include "record/probe_solid.h"

#include "base/angle.h"
#include "model/solid/strike/solid_push.h"

static bool has(const struct carom_solid *s, enum carom_probe_solid_trait trait)
{
    switch (trait) {
    case CAROM_SOLID_ABSORBS:
        return s->nabsorbing > 0;
    case CAROM_SOLID_FLOWS:
        return s->flow;
    case CAROM_SOLID_YIELDS:
        return s->flow && s->plasticity.yield > 0.0;
    case CAROM_SOLID_BREAKS:
        return s->breaks != NULL;
    default:
        return s->nholds > 0;
    }
}

bool carom_probe_solid_any(const struct carom_model *model, enum carom_probe_solid_trait trait)
{
    bool any = false;
    for (size_t i = 0; i < carom_solid_count(model); i++)
        any = any || has(carom_solid_at(model, i), trait);
    return any;
}

void carom_probe_solid_crack(const struct carom_reading *reading, size_t member, double *out)
{
    const struct carom_model *model = reading->model;
    (void)member;
    *out = 0.0;
    for (size_t i = 0; i < carom_solid_count(model); i++)
        *out += carom_solid_fracture_area(carom_solid_at(model, i), reading->view->q + model->member[i].q0);
}

bool carom_probe_solid_touches(const struct carom_model *model)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    return s && (s->nballs == 0 || s->balls->dimension == 3 || s->meets_first < model->nc);
}

/* of a ball with a ball, or with what is flat; how wide a disc is pressed does not follow from its overlap */
double carom_probe_solid_round_area(const struct carom_solid_balls *balls, const int32_t pair[2], double overlap)
{
    if (balls->dimension != 3)
        return nan("");
    const double mine = balls->radius[pair[1]], other = pair[0] >= 0 ? balls->radius[pair[0]] : 0.0;
    return CAROM_ANGLE_PI * fmax(overlap, 0.0) * (other > 0.0 ? mine * other / (mine + other) : mine);
}

void carom_probe_solid_contact_area(const struct carom_reading *reading, size_t member, double *out)
{
    const struct carom_model *model = reading->model;
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    (void)member;
    for (size_t j = 0; j < s->meets_first; j++)
        out[j] = carom_probe_solid_round_area(s->balls, model->pair[j], reading->deform[j]);
    carom_solid_press_boxes(model, reading->view->q, box);
    for (size_t j = s->meets_first; j < model->nc; j++)
        out[j] = carom_solid_push_area(model, &s->meet[j - s->meets_first], box, reading->view->q);
}

size_t carom_probe_solid_moves(const struct carom_model *model, size_t member, size_t all)
{
    const struct carom_solid_balls *balls = carom_solid_balls_at(model, member);
    return balls ? carom_solid_balls_moves(balls) : all;
}

bool carom_probe_solid_places(const struct carom_model *model, size_t member, const double *q, double *out)
{
    const struct carom_solid_balls *balls = carom_solid_balls_at(model, member);
    for (size_t i = 0; balls && i < balls->n; i++) {
        double place[3];
        carom_solid_balls_place(balls, i, q, place);
        for (int k = 0; k < balls->dimension; k++)
            *out++ = place[k];
    }
    return balls != NULL;
}

bool carom_probe_solid_joints(const struct carom_reading *reading, size_t member, bool moment, double *out)
{
    const struct carom_solid_balls *balls = carom_solid_balls_at(reading->model, member);
    for (size_t j = 0; balls && j < balls->njoints; j++) {
        const double *carried = reading->view->force + j * carom_solid_balls_wide(balls);
        for (size_t k = moment ? (size_t)balls->dimension : 0;
             k < (moment ? carom_solid_balls_wide(balls) : (size_t)balls->dimension); k++)
            *out++ = carried[k];
    }
    return balls != NULL;
}
