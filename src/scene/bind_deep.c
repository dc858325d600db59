/* A sentence where a pair that closes as fast as is expected overlaps by more than laws of contact are made for. */
#include <math.h>

#include "base/vec.h"
#include "carom/bodies.h"
#include "model/frame.h"
#include "model/scales.h"
#include "model/scales_bodies.h"
#include "scene/bind.h"

#define DEEP 0.1 /* of the smaller radius */

static enum carom_status note_deep(struct carom_bind *b, double part)
{
    return part > DEEP
               ? carom_bind_note(b,
                                 "contacts will overlap by about %.2g of the smaller radius: laws of contact are made "
                                 "for a tenth at most",
                                 part)
               : CAROM_OK;
}

/* the sides of a contact, bodies of the binder, -1: a wall */
static void sides_of(const struct carom_bind *b, size_t contact, long side[2])
{
    const size_t right = b->pair ? 0 : carom_frame_number(b->scene->model, contact);
    for (size_t k = 0; k < 2; k++)
        side[k] = b->pair ? (long)b->pair[contact][k] : k == 0 ? (long)right - 1 : right < b->n ? (long)right : -1;
}

/* how many radii the `j`th contact of a group overlaps at this speed; *mass: that of the contact before, and of this */
static double depth(const struct carom_bind *b, const struct carom_group *g, size_t j, double speed, double *mass)
{
    long side[2];
    double inverse = 0.0, smaller = HUGE_VAL;
    sides_of(b, g->first + j, side);
    for (size_t k = 0; k < 2; k++)
        if (side[k] >= 0) {
            inverse += 1.0 / b->mass[side[k]];
            smaller = fmin(smaller, b->radius[side[k]] > 0.0 ? b->radius[side[k]] : HUGE_VAL);
        }
    bool same = *mass == 1.0 / inverse;
    const double *param[CAROM_LAW_WIDTH];
    for (size_t c = 0; c < g->ncolumns; c++) {
        param[c] = g->param[c] + j;
        same = same && j > 0 && param[c][0] == param[c][-1];
    }
    *mass = 1.0 / inverse;
    return same || !(inverse > 0.0) ? 0.0 : carom_scales_overlap(g->law, param, *mass, speed) / smaller;
}

enum carom_status carom_bind_deep(struct carom_bind *b, size_t ncontacts, double speed)
{
    const struct carom_model *model = b->scene->model;
    double most = 0.0, mass = 0.0;
    for (size_t i = 0; i < model->ngroups && b->radius != NULL && speed > 0.0; i++)
        for (size_t j = 0; j < model->group[i].count && model->group[i].first + j < ncontacts; j++)
            most = fmax(most, depth(b, &model->group[i], j, speed, &mass));
    return note_deep(b, most);
}

enum carom_status carom_bind_deep_bodies(struct carom_bind *b, double speed)
{
    const struct carom_bodies *bodies = carom_model_bodies(b->scene->model);
    const bool falls = carom_vec_norm(bodies->gravity) > 0.0; /* who knows how far: the run tells */
    return bodies->rigid || falls ? CAROM_OK : note_deep(b, carom_scales_bodies_deepest(bodies, speed));
}
