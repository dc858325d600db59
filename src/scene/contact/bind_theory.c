/* A scene's contacts under another theory. Under `nonsmooth` and `lzb` every contact is rigid, with e the restitution
 * the scene gives, or what the compliant law gives a pair that closes as fast as any; k and p are those of its elastic
 * part, K d^p, which impact lzb needs. Says nothing of schemes. */
#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "carom/bodies.h"
#include "carom/law.h"
#include "law/restitution.h"
#include "model/scales.h"
#include "scene/bind.h"

/* The mass that meets at a contact of a chain: of the bead at a wall, reduced of two beads. */
static double meeting_mass(const struct carom_bind *b, const int32_t pair[2])
{
    double inverse = 0.0;
    for (int side = 0; side < 2; side++)
        inverse += pair[side] < 0 ? 0.0 : 1.0 / b->mass[pair[side]];
    return 1.0 / inverse;
}

/* e of contact j of a group by its law; a pair that never parts has e = 0 */
static enum carom_status law_restitution(const struct carom_bind *b, const struct carom_group *g, size_t j, double *e)
{
    const struct carom_model *model = b->scene->model;
    double value[CAROM_LAW_WIDTH] = {0.0};
    for (size_t c = 0; c < g->ncolumns; c++)
        value[c] = g->param[c][j];
    if (g->law->rigid) {
        *e = value[0];
        return CAROM_OK;
    }
    const double *const *param = (const double *const *)g->param;
    if (!g->law->nh && (!g->law->viscous_time || g->law->viscous_time(param, j) == 0.0)) {
        *e = 1.0;
        return CAROM_OK;
    }
    if (b->mass == NULL)
        return carom_error_set(b->r.error, CAROM_E_REFUSED,
                               "the mass that meets at a contact of a mechanism depends on where it stands, "
                               "so %s gives no restitution: give e",
                               g->law->kind.name);
    const double speed = carom_scales_closing(model, b->scene->q, b->scene->v, b->scene->scales.speed);
    const enum carom_status status =
        carom_restitution_of(g->law, value, g->ending, meeting_mass(b, model->pair[g->first + j]),
                             speed > 0.0 ? speed : 1.0, e, NULL, NULL, b->r.error);
    if (status != CAROM_E_REFUSED)
        return status;
    *e = 0.0;
    return CAROM_OK;
}

static bool same_pair(const struct carom_bind *b, const struct carom_group *g, size_t i, size_t j)
{
    const struct carom_model *model = b->scene->model;
    for (size_t c = 0; c < g->ncolumns; c++)
        if (g->param[c][i] != g->param[c][j])
            return false;
    return b->mass != NULL && meeting_mass(b, model->pair[g->first + i]) == meeting_mass(b, model->pair[g->first + j]);
}

void carom_bind_theory_elastic(const struct carom_bind *b, const struct carom_law *law, const double *const *param,
                               double *k, double *p)
{
    const double *history[CAROM_LAW_WIDTH];
    const double d = b->scene->scales.length > 0.0 ? b->scene->scales.length : 1.0, rate = 0.0, none = 0.0;
    double elastic = 0.0, slope = 0.0;
    for (size_t i = 0; i < CAROM_LAW_WIDTH; i++)
        history[i] = &none;
    law->evaluate(&(struct carom_batch){.law = law,
                                        .n = 1,
                                        .param = param,
                                        .deform = &d,
                                        .rate = &rate,
                                        .history = history,
                                        .elastic = &elastic,
                                        .slope = &slope});
    *p = elastic > 0.0 ? d * slope / elastic : 1.5;
    *k = elastic > 0.0 ? elastic / carom_power(d, *p) : 0.0;
}

/* the other columns of law rigid for the contacts of a group */
static void rigid_part(const struct carom_bind *b, const struct carom_group *g, double *const *column)
{
    const double *param[CAROM_LAW_WIDTH] = {NULL};
    for (size_t j = 0; j < g->count; j++) {
        for (size_t c = CAROM_RIGID_K; c < CAROM_RIGID_COLUMNS; c++)
            column[c][g->first + j] = g->law->rigid ? g->param[c][j] : 0.0;
        for (size_t c = 0; c < g->ncolumns; c++)
            param[c] = &g->param[c][j];
        if (!g->law->rigid)
            carom_bind_theory_elastic(b, g->law, param, &column[CAROM_RIGID_K][g->first + j],
                                      &column[CAROM_RIGID_P][g->first + j]);
    }
}

static enum carom_status rejoin(struct carom_bind *b)
{
    struct carom_model *model = b->scene->model;
    double *column[CAROM_RIGID_COLUMNS] = {b->e};
    double *all = carom_memory_zeroed(model->nc * (CAROM_RIGID_COLUMNS - 1), sizeof *all);
    if (all == NULL)
        return carom_bind_memory(b);
    for (size_t c = 1; c < CAROM_RIGID_COLUMNS; c++)
        column[c] = all + (c - 1) * model->nc;
    for (size_t i = 0; i < model->ngroups; i++)
        rigid_part(b, &model->group[i], column);
    const enum carom_status status =
        carom_model_rejoin(model, &carom_law_rigid, (const double *const *)column, b->r.error);
    carom_memory_free(all);
    return status;
}

enum carom_status carom_bind_theory(struct carom_bind *b)
{
    struct carom_scene *scene = b->scene;
    struct carom_model *model = scene->model;
    if (!carom_bind_rigid(b) || carom_model_bodies(model) != NULL || model->nc == 0 || b->e == NULL)
        return CAROM_OK;
    for (size_t i = 0; i < model->ngroups; i++) {
        const struct carom_group *g = &model->group[i];
        for (size_t j = 0; j < g->count; j++) {
            double *e = b->e + g->first + j;
            if (!isnan(*e))
                continue;
            if (j > 0 && same_pair(b, g, j, j - 1))
                *e = e[-1];
            else if (law_restitution(b, g, j, e) != CAROM_OK)
                return b->r.error->status;
        }
    }
    if (rejoin(b) != CAROM_OK)
        return b->r.error->status;
    return carom_scales_find(model, scene->q, scene->v, &scene->scales, b->r.error);
}
