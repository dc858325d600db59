/* Builds models: takes parts and contacts, works out offsets and what the model offers to schemes.
 * Knows no law and no scheme; evaluating contacts is contacts.c, energy is balance.c. */
#include "carom/model.h"
#include "carom/bodies.h"
#include "carom/mechanism.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "model/beads/chain.h"
#include "model/motion.h"
#include "model/ports.h"

struct carom_model *carom_model_create(void)
{
    return carom_memory_zeroed(1, sizeof(struct carom_model));
}

static void release(const struct carom_part *part, void *own)
{
    if (part && part->release)
        part->release(own);
}

static void free_columns(struct carom_group *group)
{
    for (size_t c = 0; group->param && c < group->ncolumns; c++)
        carom_memory_free(group->param[c]);
    carom_memory_free(group->param);
}

void carom_model_free(struct carom_model *model)
{
    if (!model)
        return;
    for (size_t i = 0; i < model->nparts; i++)
        release(model->member[i].part, model->member[i].own);
    for (size_t i = 0; i < model->ngroups; i++)
        free_columns(&model->group[i]);
    if (model->encounter)
        model->encounter->release(model->encounter_own);
    carom_memory_free_all(model->member, model->group, model->pair, model->gap, model);
}

enum carom_status carom_model_add(struct carom_model *model, const struct carom_part *part, void *own,
                                  struct carom_error *error)
{
    if (!part || (!own && part->release))
        return carom_error_missing(error);
    if (!model) {
        release(part, own);
        return carom_error_missing(error);
    }
    if (!carom_memory_widen(&model->member, model->nparts, model->nparts + 1, sizeof *model->member)) {
        release(part, own);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory adding a part");
    }
    struct carom_member *member = &model->member[model->nparts++];
    *member = (struct carom_member){.part = part, .own = own};
    part->sizes(own, &member->nq, &member->nv, &member->nports);
    member->q0 = model->nq;
    member->v0 = model->nv;
    member->port0 = model->nports;
    model->nq += member->nq;
    model->nv += member->nv;
    model->nports += member->nports;
    return CAROM_OK;
}

/* room for `count` more contacts */
static bool grow_contacts(struct carom_model *model, size_t count)
{
    const size_t total = model->nc + count;
    return carom_memory_widen(&model->pair, model->nc, total, sizeof *model->pair) &&
           carom_memory_widen(&model->gap, model->nc, total, sizeof *model->gap) &&
           carom_memory_widen(&model->group, model->ngroups, model->ngroups + 1, sizeof *model->group);
}

static bool copy_columns(struct carom_group *group, const double *const *columns)
{
    group->param = carom_memory_zeroed(group->ncolumns, sizeof *group->param);
    if (!group->param)
        return false;
    for (size_t c = 0; c < group->ncolumns; c++) {
        group->param[c] = carom_memory_zeroed(group->count, sizeof(double));
        if (!group->param[c])
            return false;
        for (size_t j = 0; j < group->count; j++)
            group->param[c][j] = columns[c] ? columns[c][j] : group->law->kind.params[c].standard;
    }
    return true;
}

/* Are gaps numbers, and parameters in the ranges of the law's table? */
static enum carom_status check_numbers(const struct carom_law *law, size_t first, size_t count, const double *gap,
                                       const double *const *columns, struct carom_error *error)
{
    for (size_t j = 0; gap && j < count; j++)
        if (!isfinite(gap[j]))
            return carom_error_set(error, CAROM_E_INPUT, "the gap of contact %zu must be finite, got %g", first + j + 1,
                                   gap[j]);
    for (size_t c = 0; c < carom_param_count(law->kind.params); c++) {
        const struct carom_param *row = &law->kind.params[c];
        if (!columns[c] && row->standard == CAROM_REQUIRED)
            return carom_error_set(error, CAROM_E_INPUT, "law %s: %s must be given", law->kind.name, row->name);
        for (size_t j = 0; j < (columns[c] ? count : 1); j++)
            if (carom_param_check(row, columns[c] ? columns[c][j] : row->standard, error) != CAROM_OK) {
                carom_error_prefix(error, "law %s, contact %zu: %s", law->kind.name, first + j + 1, row->name);
                return CAROM_E_INPUT;
            }
    }
    return CAROM_OK;
}

static double viscous_time(const struct carom_group *g, size_t j)
{
    return g->law->viscous_time ? g->law->viscous_time((const double *const *)g->param, j) : 0.0;
}

/* Springs alone never pull, so they have nothing to remember. */
static bool latches(const struct carom_group *g)
{
    for (size_t j = 0; g->ending == CAROM_END_LATCH && j < g->count; j++)
        if (viscous_time(g, j) != 0.0)
            return true;
    return false;
}

enum carom_status carom_model_join(struct carom_model *model, const struct carom_law *law, enum carom_ending ending,
                                   size_t count, const int32_t (*pair)[2], const double *gap,
                                   const double *const *columns, struct carom_error *error)
{
    if (!model || !law || (count > 0 && (!pair || !gap || !columns)))
        return carom_error_missing(error);
    if (count == 0)
        return CAROM_OK;
    if (ending != CAROM_END_GAP && ending != CAROM_END_FORCE && ending != CAROM_END_LATCH)
        return carom_error_set(error, CAROM_E_INPUT, "there is no ending %d of contacts", (int)ending);
    if (carom_param_count(law->kind.params) > CAROM_LAW_WIDTH || law->nh > CAROM_LAW_WIDTH)
        return carom_error_set(error, CAROM_E_INPUT, "law %s: at most %d parameters and history numbers",
                               law->kind.name, CAROM_LAW_WIDTH);
    if (law->pull)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "law %s pulls as soon as bodies touch: discs and spheres of plane and space take it, "
                               "rows and mechanisms do not",
                               law->kind.name);
    if (check_numbers(law, model->nc, count, gap, columns, error) != CAROM_OK)
        return CAROM_E_INPUT;
    for (size_t j = 0; law->accept && j < count; j++)
        if (law->accept(columns, j, error) != CAROM_OK) {
            carom_error_prefix(error, "law %s, %s", law->kind.name, law->damping ? law->damping : "parameters");
            return CAROM_E_INPUT;
        }
    if (!grow_contacts(model, count))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory adding %zu contacts", count);
    struct carom_group *group = &model->group[model->ngroups++];
    *group = (struct carom_group){.law = law,
                                  .ending = ending,
                                  .first = model->nc,
                                  .count = count,
                                  .ncolumns = carom_param_count(law->kind.params),
                                  .nh = law->nh,
                                  .history0 = model->nh};
    memcpy(model->pair + model->nc, pair, count * sizeof *pair);
    memcpy(model->gap + model->nc, gap, count * sizeof *gap);
    model->nc += count;
    if (!copy_columns(group, columns))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory adding %zu contacts", count);
    group->nh += latches(group) ? 1 : 0;
    model->nh += group->nh * count;
    return CAROM_OK;
}

enum carom_status carom_model_rejoin(struct carom_model *model, const struct carom_law *law,
                                     const double *const *columns, struct carom_error *error)
{
    if (!model || !law || !columns)
        return carom_error_missing(error);
    struct carom_group group = {
        .law = law, .count = model->nc, .ncolumns = carom_param_count(law->kind.params), .nh = law->nh};
    if (model->nc == 0)
        return CAROM_OK;
    if (check_numbers(law, 0, model->nc, NULL, columns, error) != CAROM_OK)
        return CAROM_E_INPUT;
    if (!copy_columns(&group, columns)) {
        free_columns(&group);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu contacts", model->nc);
    }
    for (size_t i = 0; i < model->ngroups; i++)
        free_columns(&model->group[i]);
    model->group[0] = group;
    model->ngroups = 1;
    model->nh = law->nh * model->nc;
    model->damped = model->clipped = model->latches = model->frictional = false;
    return carom_model_finish(model, error);
}

static enum carom_status check_pairs(const struct carom_model *model, struct carom_error *error)
{
    for (size_t j = 0; !model->encounter && j < model->nc; j++) {
        const int32_t a = model->pair[j][0], b = model->pair[j][1];
        const bool a_exists = a == CAROM_WALL_LEFT || (a >= 0 && (size_t)a < model->nports);
        const bool b_exists = b == CAROM_WALL_RIGHT || (b >= 0 && (size_t)b < model->nports);
        if (!a_exists || !b_exists || a == b || (a < 0 && b < 0))
            return carom_error_set(error, CAROM_E_INPUT, "contact %zu joins ports %d and %d, which cannot be joined", j,
                                   (int)a, (int)b);
    }
    return CAROM_OK;
}

/* one row of beads, every neighbour pair in contact, from left to right, walls at the ends or not */
static bool is_chain(const struct carom_model *model)
{
    if (model->nparts != 1 || model->member[0].part != &carom_part_beads)
        return false;
    const size_t n = model->nports;
    const size_t shift = model->nc > 0 && model->pair[0][0] == CAROM_WALL_LEFT ? 1 : 0;
    if (model->nc < n - 1 + shift || model->nc > n + shift)
        return false;
    for (size_t j = 0; j < model->nc; j++) {
        const int32_t left = j < shift ? CAROM_WALL_LEFT : (int32_t)(j - shift);
        const int32_t right = j + 1 - shift < n ? (int32_t)(j + 1 - shift) : CAROM_WALL_RIGHT;
        if (model->pair[j][0] != left || model->pair[j][1] != right)
            return false;
    }
    return true;
}

/* has any contact of a group friction? */
static bool rubs(const struct carom_group *g)
{
    for (size_t j = 0; g->law == &carom_law_rigid && j < g->count; j++)
        if (g->param[CAROM_RIGID_MU][j] > 0.0 || g->param[CAROM_RIGID_MU_STATIC][j] > 0.0)
            return true;
    return false;
}

static bool slips(const struct carom_model *model, int32_t port)
{
    if (port < 0)
        return false;
    const struct carom_member *m = &model->member[carom_ports_owner(model, (size_t)port)];
    const size_t i = (size_t)port - m->port0;
    return (m->part->tangent && m->part->tangent(m->own, i, 0.0, NULL, NULL)) ||
           (m->part->passage && m->part->passage(m->own, i, 0, NULL, NULL));
}

/* friction needs a direction to slip in */
static enum carom_status check_friction(const struct carom_model *model, struct carom_error *error)
{
    for (size_t i = 0; i < model->ngroups; i++) {
        const struct carom_group *g = &model->group[i];
        for (size_t j = 0; rubs(g) && j < g->count; j++) {
            const int32_t *pair = model->pair[g->first + j];
            const double mu = g->param[CAROM_RIGID_MU][j], mu_static = g->param[CAROM_RIGID_MU_STATIC][j];
            if ((mu > 0.0 || mu_static > 0.0) && !slips(model, pair[0]) && !slips(model, pair[1]))
                return carom_error_set(
                    error, CAROM_E_REFUSED,
                    model->offers & CAROM_CHAIN
                        ? "beads on a line have no direction to slip in, so there is no friction between them"
                        : "contact %zu has no direction to slip in; a mechanism tells it by its slip function",
                    g->first + j + 1);
        }
    }
    return CAROM_OK;
}

/* what the laws of all contacts offer together; also notes whether anything is damped or clipped */
static unsigned law_traits(struct carom_model *model)
{
    unsigned traits = CAROM_VISCOUS_TIME | CAROM_ONE_VISCOUS_TIME | CAROM_MEMORYLESS | CAROM_COMPLIANT | CAROM_RIGID;
    double one = -1.0;
    for (size_t i = 0; i < model->ngroups; i++) {
        const struct carom_group *g = &model->group[i];
        traits &= ~(unsigned)(g->law->rigid ? CAROM_COMPLIANT : CAROM_RIGID);
        model->damped |= g->law->rigid;
        model->frictional |= rubs(g);
        model->latches |= g->nh > g->law->nh;
        if (g->law->nh > 0) {
            traits &= ~(unsigned)(CAROM_MEMORYLESS | CAROM_VISCOUS_TIME | CAROM_ONE_VISCOUS_TIME);
            model->damped = true;
        }
        for (size_t j = 0; j < g->count; j++) {
            const double c = viscous_time(g, j);
            model->damped |= c != 0.0;
            model->clipped |= c != 0.0 && g->ending != CAROM_END_GAP;
            if (c < 0.0 || (c > 0.0 && g->ending != CAROM_END_GAP))
                traits &= ~(unsigned)(CAROM_VISCOUS_TIME | CAROM_ONE_VISCOUS_TIME);
            if (one >= 0.0 && c != one)
                traits &= ~(unsigned)CAROM_ONE_VISCOUS_TIME;
            one = c;
        }
    }
    if (model->encounter && model->encounter->rubs)
        model->frictional |= model->encounter->rubs(model);
    const struct carom_bodies *bodies = carom_model_bodies(model);
    for (size_t i = 0; bodies && i < bodies->npairings; i++)
        traits &= ~(unsigned)(bodies->pairing[i].law->rigid ? CAROM_COMPLIANT : CAROM_RIGID);
    return traits;
}

/* takes note of what is driven, of walls that move, and of forces that are no potential */
static unsigned load_traits(struct carom_model *model)
{
    unsigned gone = 0;
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        const struct carom_beads *beads = m->part == &carom_part_beads ? m->own : NULL;
        enum carom_action action;
        for (size_t k = 0; m->part->signal && m->part->signal(m->own, k, &action); k++)
            gone |= action & (CAROM_ACTS_BODY | CAROM_ACTS_PORT) ? CAROM_UNDRIVEN : 0;
        if (beads && (beads->damper || beads->nloads || beads->ndrives))
            gone |= CAROM_POTENTIAL;
        for (size_t k = 0; beads && k < beads->ndrives; k++)
            if (beads->drive[k].which < 0)
                model->wall[beads->drive[k].which == CAROM_WALL_LEFT ? 0 : 1] = &beads->drive[k];
    }
    return gone;
}

/* parts are asked one after the other: the largest need serves all */
static void measure_scratch(struct carom_model *model)
{
    model->energy_scratch = model->force_scratch = 0;
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        size_t energy = 0, force = 0;
        if (m->part->scratch)
            m->part->scratch(m->own, &energy, &force);
        model->energy_scratch = energy > model->energy_scratch ? energy : model->energy_scratch;
        model->force_scratch = force > model->force_scratch ? force : model->force_scratch;
    }
}

enum carom_status carom_model_finish(struct carom_model *model, struct carom_error *error)
{
    if (!model)
        return carom_error_missing(error);
    if (model->nparts == 0)
        return carom_error_set(error, CAROM_E_INPUT, "the model has no bodies");
    const enum carom_status status = check_pairs(model, error);
    if (status != CAROM_OK)
        return status;
    unsigned offers = CAROM_DIAGONAL_MASS | CAROM_CONSTANT_MASS | CAROM_FLAT | CAROM_POTENTIAL;
    for (size_t i = 0; i < model->nparts; i++)
        offers &= model->member[i].part->offers;
    if (is_chain(model))
        offers |= CAROM_CHAIN;
    measure_scratch(model);
    for (size_t i = 0; i < model->nparts; i++)
        if (model->member[i].part == &carom_part_bodies && (model->nparts > 1 || model->nc > 0))
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "bodies in the plane or in space stand alone in a model so far: no beads, "
                                   "mechanisms or solids beside them");
    if (model->member[0].part != &carom_part_bodies)
        offers |= CAROM_FIXED_CONTACTS;
    model->offers = (offers | CAROM_UNDRIVEN | law_traits(model)) & ~load_traits(model);
    return check_friction(model, error);
}

void carom_model_impose(const struct carom_model *model, double t, double *q, double *v)
{
    carom_motion_impose(model, t, q, v);
}

const struct carom_bodies *carom_model_bodies(const struct carom_model *model)
{
    if (!model)
        return NULL;
    return model->nparts == 1 && model->member[0].part == &carom_part_bodies ? model->member[0].own : NULL;
}

const struct carom_beads *carom_model_chain(const struct carom_model *model)
{
    if (!model)
        return NULL;
    return model->offers & CAROM_CHAIN ? model->member[0].own : NULL;
}

void carom_model_positions(const struct carom_model *model, double *position)
{
    const struct carom_chain chain = carom_chain_of(model);
    const double *radius = chain.beads->radius;
    for (size_t i = 0; i < chain.n; i++) {
        if (i == 0) {
            position[i] = 0.0;
            continue;
        }
        const double reach = radius ? radius[i - 1] + radius[i] : 1.0;
        position[i] = position[i - 1] + reach + model->gap[i - 1 + chain.shift];
    }
}
