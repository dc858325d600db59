/* Clamps, drives and loads of a solid from its map. */
#include <string.h>

#include "base/memory.h"
#include "model/solid/solid.h"
#include "scene/bind_signal.h"
#include "scene/solid/bind_solid.h"

/* --- clamps and drives ----------------------------------------------------------------------------------------- */

static enum carom_status read_fix(struct carom_bind *b, struct carom_node *list, const struct carom_solid *s,
                                  unsigned *mask)
{
    static const struct {
        const char *name;
        unsigned mask;
    } words[] = {{"x", 1}, {"y", 2}, {"z", 4}, {"turn-x", 8}, {"turn-y", 16}, {"turn-z", 32}, {"turn", 56}};
    const char *names[7];
    *mask = 0;
    for (size_t i = 0; i < 7; i++)
        names[i] = words[i].name;
    if (carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *node = list->first; node != NULL; node = node->next) {
        size_t i;
        if (carom_value_among(&b->r, node, "motion", names, 7, &i) != CAROM_OK)
            return b->r.error->status;
        if (s->dimension == 2 && words[i].mask & 28U && words[i].mask != 56U)
            return carom_value_wrong(&b->r, node, "a plane body has no %s: only x, y, turn", names[i]);
        *mask |= words[i].mask;
    }
    if (*mask == 0)
        return carom_value_wrong(&b->r, list, "the list is empty");
    return CAROM_OK;
}

static enum carom_status add_clamp(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    struct carom_keys_solid_clamp keys;
    struct carom_solid_hold hold = {.mask = s->dimension == 2 ? 35U : 63U};
    struct carom_node *fix = carom_tree_find(map, "fix");
    if (carom_value_fill(&b->r, map, &carom_keys_solid_clamp, &keys) != CAROM_OK)
        return b->r.error->status;
    if (fix != NULL && read_fix(b, fix, s, &hold.mask) != CAROM_OK)
        return b->r.error->status;
    if (keys.symmetry > s->dimension || (keys.symmetry > 0 && fix != NULL))
        return carom_value_wrong(&b->r, carom_tree_find(map, "symmetry"),
                                 fix != NULL ? "fix and symmetry both say what is held, choose one"
                                             : "a plane body has no axis z");
    if (keys.symmetry > 0) /* along the axis, and the turns about the other two */
        hold.mask = 1U << (keys.symmetry - 1) | (56U & ~(8U << (keys.symmetry - 1)));
    hold.wall = fix == NULL && keys.symmetry == 0;
    if (carom_bind_solid_pick(b, map, s, false, &hold.count, &hold.cell, NULL) != CAROM_OK)
        return b->r.error->status;
    const enum carom_status status = carom_solid_add_hold(s, &hold, b->r.error);
    carom_memory_free(hold.cell);
    return status == CAROM_OK ? CAROM_OK : carom_tree_error_at(b->r.tree, map, b->r.error);
}

/* the axis of a turn, through the middle of the cells unless the scene says where */
static enum carom_status read_turn(struct carom_bind *b, struct carom_node *turn, const struct carom_solid *s,
                                   struct carom_solid_hold *hold)
{
    struct carom_keys_solid_turn keys;
    if (carom_value_fill(&b->r, turn, &carom_keys_solid_turn, &keys) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *axis = carom_tree_find(turn, "axis"), *about = carom_tree_find(turn, "about");
    if (keys.angle == 0.0)
        return carom_value_wrong_key(&b->r, turn,
                                     "turn: angle is missing, such as angle: 0.1 (rad); 0 would be a clamp");
    if ((axis != NULL) != (s->dimension == 3))
        return carom_value_wrong_key(&b->r, turn,
                                     s->dimension == 3 ? "turn: axis is missing, such as axis: [1, 0, 0]"
                                                       : "turn: in the plane there is one axis, leave it out");
    hold->angle = keys.angle;
    hold->mask = s->dimension == 2 ? 35U : 63U;
    hold->axis[2] = 1.0;
    if (axis != NULL && carom_value_vector(&b->r, axis, "1", 3, false, hold->axis) != CAROM_OK)
        return b->r.error->status;
    const double length = carom_vec_norm(hold->axis);
    if (!(length > 0.0 && length < HUGE_VAL))
        return carom_value_wrong(&b->r, axis, "this points nowhere");
    for (size_t k = 0; k < 3; k++)
        hold->axis[k] /= length;
    for (size_t i = 0; i < hold->count; i++)
        for (size_t k = 0; k < 3; k++)
            hold->about[k] += s->centre[hold->cell[i]][k] / (double)hold->count;
    return about == NULL ? CAROM_OK : carom_value_vector(&b->r, about, "m", (size_t)s->dimension, false, hold->about);
}

static enum carom_status read_way(struct carom_bind *b, struct carom_node *given, const struct carom_solid *s,
                                  struct carom_solid_hold *hold)
{
    double vector[3];
    if (carom_value_vector(&b->r, given, "m", (size_t)s->dimension, true, vector) != CAROM_OK)
        return b->r.error->status;
    for (int k = 0; k < s->dimension; k++)
        if (!isnan(vector[k])) {
            hold->mask |= 1U << k;
            hold->vector[k] = vector[k];
        }
    if (hold->mask == 0)
        return carom_value_wrong(&b->r, given, "every axis is free: nothing is driven");
    return CAROM_OK;
}

static enum carom_status add_drive(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    struct carom_solid_hold hold = {.driven = true};
    struct carom_node *way = carom_tree_find(map, "displacement"), *turn = carom_tree_find(map, "turn"),
                      *given = way != NULL ? way : turn;
    double *table = NULL;
    if (carom_value_map_of(&b->r, map, &carom_keys_solid_drive) != CAROM_OK)
        return b->r.error->status;
    if (given == NULL)
        return carom_value_wrong_key(&b->r, map,
                                     "drives: displacement is missing, such as [1 mm, free, free], or turn");
    if (way != NULL && turn != NULL)
        return carom_value_wrong_key(&b->r, turn, "turn: cells are shifted or turned by a drive, not both");
    enum carom_status status = carom_bind_solid_pick(b, map, s, false, &hold.count, &hold.cell, NULL);
    if (status == CAROM_OK)
        status = way != NULL ? read_way(b, way, s, &hold) : read_turn(b, turn, s, &hold);
    if (status == CAROM_OK)
        status = carom_bind_signal_factor(b, map, &hold.signal, &table);
    if (status == CAROM_OK)
        status = carom_bind_signal_smooth(b, given, &hold.signal);
    if (status == CAROM_OK) {
        status = carom_solid_add_hold(s, &hold, b->r.error);
        if (status != CAROM_OK)
            status = carom_tree_error_at(b->r.tree, map, b->r.error);
    }
    carom_memory_free_all(table, hold.cell);
    return status;
}

/* --- loads ----------------------------------------------------------------------------------------------------- */

/* which of the four it is, and its numbers */
static enum carom_status read_push(struct carom_bind *b, struct carom_node *map, const struct carom_solid *s,
                                   const struct carom_keys_solid_load *keys, struct carom_solid_load *load)
{
    static const char *const words[] = {"force", "traction", "pressure", "moment"};
    static const char *const units[] = {"N", "Pa", "Pa", "N*m"};
    struct carom_node *given = NULL;
    for (size_t i = 0; i < 4; i++) {
        struct carom_node *node = carom_tree_find(map, words[i]);
        if (node != NULL && given != NULL)
            return carom_value_wrong_key(&b->r, node, "%s and %s in one load: write two entries", given->key,
                                         node->key);
        if (node == NULL)
            continue;
        given = node;
        load->push = (enum carom_solid_push)i;
    }
    if (given == NULL)
        return carom_value_wrong_key(&b->r, map, "loads: give force, traction, pressure or moment");
    const char *unit = units[load->push];
    if (load->push == CAROM_SOLID_PRESSURE) {
        load->vector[0] = keys->pressure;
        return CAROM_OK;
    }
    if (load->push == CAROM_SOLID_MOMENT && s->dimension == 2) {
        const struct carom_param row = {"moment", CAROM_REAL, 0, 0.0, -HUGE_VAL, HUGE_VAL, unit, "moment", NULL};
        return carom_value_read(&b->r, given, &row, &load->vector[2]);
    }
    return carom_value_vector(&b->r, given, unit, (size_t)s->dimension, false, load->vector);
}

/* which part of a force on cells goes into what holds them */
static double held_part(const struct carom_solid *s, const struct carom_solid_load *load)
{
    double held = 0.0, all = 0.0;
    for (size_t i = 0; i < load->count; i++)
        for (unsigned k = 0; k < (unsigned)s->dimension; k++) {
            const double part = fabs(load->vector[k]) * carom_solid_sort_of(s, load->at[i])->volume;
            all += part;
            held += carom_solid_holds(s, load->at[i], k) ? part : 0.0;
        }
    return all > 0.0 ? held / all : 0.0;
}

static enum carom_status note_held(struct carom_bind *b, const struct carom_node *map, const struct carom_solid *s,
                                   const struct carom_solid_load *load)
{
    const double part = load->push == CAROM_SOLID_FORCE ? held_part(s, load) : 0.0;
    if (part == 0.0)
        return CAROM_OK;
    if (part > 1.0 - 1e-9)
        return carom_bind_note(b, "line %u: this force acts on cells that are held against it, and moves nothing",
                               (unsigned)map->line);
    return carom_bind_note(b, "line %u: %.2g %% of this force acts on cells that are held against it",
                           (unsigned)map->line, 100.0 * part);
}

static enum carom_status put_load(struct carom_bind *b, struct carom_node *map, struct carom_solid *s,
                                  struct carom_solid_load *load)
{
    const bool faces = load->push == CAROM_SOLID_TRACTION || load->push == CAROM_SOLID_PRESSURE;
    size_t count;
    uint32_t *cell = NULL, *face = NULL;
    enum carom_solid_side side;
    enum carom_status status = carom_bind_solid_pick(b, map, s, false, &count, &cell, &side);
    load->count = count;
    load->at = cell;
    if (status == CAROM_OK && faces && side == CAROM_SOLID_SIDES)
        status = carom_value_wrong_key(&b->r, map, "traction and pressure act on a face: say which, such as face: top");
    if (status == CAROM_OK && faces) {
        face = carom_memory_zeroed(s->nfaces, sizeof *face);
        if (face == NULL)
            status = carom_bind_memory(b);
        else
            load->count = carom_solid_faces(s, side, count, cell, face);
        load->at = face;
    }
    if (status == CAROM_OK)
        status = note_held(b, map, s, load);
    if (status == CAROM_OK)
        status = carom_solid_add_load(s, load, b->r.error);
    carom_memory_free_all(face, cell);
    return status;
}

static enum carom_status add_load(struct carom_bind *b, struct carom_node *map, struct carom_solid *s, bool settling)
{
    struct carom_keys_solid_load keys;
    struct carom_solid_load load = {.count = 0};
    double *table = NULL;
    if (carom_value_fill(&b->r, map, &carom_keys_solid_load, &keys) != CAROM_OK ||
        read_push(b, map, s, &keys, &load) != CAROM_OK)
        return b->r.error->status;
    enum carom_status status = carom_bind_signal_factor(b, map, &load.signal, &table);
    const bool now = keys.during == 0 || (keys.during == 1) == settling;
    if (status == CAROM_OK && now)
        status = put_load(b, map, s, &load);
    else if (status == CAROM_OK) { /* read all the same, so that mistakes are found */
        size_t count;
        uint32_t *cell;
        status = carom_bind_solid_pick(b, map, s, false, &count, &cell, NULL);
        carom_memory_free(cell);
    }
    carom_memory_free(table);
    return status;
}

static enum carom_status each(struct carom_bind *b, struct carom_node *map, const char *key, struct carom_solid *s,
                              enum carom_status (*take)(struct carom_bind *, struct carom_node *, struct carom_solid *))
{
    struct carom_node *list = carom_tree_find(map, key);
    if (list == NULL)
        return CAROM_OK;
    if (carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *node = list->first; node != NULL; node = node->next)
        if (take(b, node, s) != CAROM_OK)
            return b->r.error->status;
    return CAROM_OK;
}

static enum carom_status add_start_load(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    return add_load(b, map, s, true);
}

static enum carom_status add_run_load(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    return add_load(b, map, s, false);
}

/* a load that acts only while the body settles, which it does not */
static enum carom_status refuse_start(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    const struct carom_node *during = map->kind == CAROM_NODE_MAP ? carom_tree_find(map, "during") : NULL;
    (void)s;
    if (during == NULL || during->text == NULL || strcmp(during->text, "start") != 0)
        return CAROM_OK;
    return carom_value_wrong(&b->r, during,
                             "this load would never act, as the body does not settle: start: [{settle: true}]");
}

enum carom_status carom_bind_solid_acts_unsettled(struct carom_bind *b, struct carom_node *map)
{
    return each(b, map, "loads", NULL, refuse_start);
}

enum carom_status carom_bind_solid_acts_holds(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    if (each(b, map, "clamps", s, add_clamp) != CAROM_OK)
        return b->r.error->status;
    return each(b, map, "drives", s, add_drive);
}

enum carom_status carom_bind_solid_acts_loads(struct carom_bind *b, struct carom_node *map, struct carom_solid *s,
                                              bool settling)
{
    return each(b, map, "loads", s, settling ? add_start_load : add_run_load);
}
