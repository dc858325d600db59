/* Bodies of a scene into flat arrays: chains, beads, strikers placed at their ends, walls kept aside. A zero in the
 * arrays of radius and material means "none given". Contacts between the bodies are not made here. */
#include "base/machine.h"
#include "base/memory.h"
#include "scene/bind.h"

#include <math.h>
#include <string.h>

#define BODIES ((size_t)100000000) /* as in the chain's table */
#define BYTES_PER_BODY 500.0       /* of model, states and recording, under schemes that need the least of it */

/* --- how many ----------------------------------------------------------------------------------------------------- */

/* The count of a chain: as given, or from the first list, or from the pattern. */
static enum carom_status count_chain(struct carom_bind *b, struct carom_node *chain, size_t *count)
{
    static const char *const lists[] = {"mass", "radius", "spring", "damping", "string", "material", "gap", "pattern"};
    struct carom_node *given = carom_tree_find(chain, "count");
    const struct carom_param *row = carom_param_find(carom_keys_chain.kind.params, "count");
    if (given != NULL) {
        double number;
        if (carom_value_read(&b->r, given, row, &number) != CAROM_OK)
            return b->r.error->status;
        *count = (size_t)number;
        return CAROM_OK;
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const struct carom_node *list = carom_tree_find(chain, lists[i]);
        if (list == NULL || list->kind != CAROM_NODE_LIST)
            continue;
        *count = list->count + (strcmp(lists[i], "gap") == 0 ? 1 : 0);
        if (*count > 0)
            return CAROM_OK;
    }
    return carom_value_wrong_key(&b->r, chain, "chain: count is missing: how many beads");
}

enum body { CHAIN, BEAD, STRIKER, WALL, ALONE, UNKNOWN };

static enum body body_of(const char *word)
{
    static const char *const names[] = {"chain", "bead", "striker", "wall"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], word) == 0)
            return (enum body)i;
    return strcmp(word, "mechanism") == 0 || strcmp(word, "solid") == 0 ? ALONE : UNKNOWN;
}

static const struct carom_section *const sections[] = {&carom_keys_chain, &carom_keys_bead, &carom_keys_striker,
                                                       &carom_keys_wall};

/* An entry of the list must be a map with one key that says what it is. */
static enum carom_status check_entry(struct carom_bind *b, struct carom_node *entry, enum body *which)
{
    static const char *const names[] = {"chain",  "bead",    "striker", "wall",  "mechanism", "solid",   "disc",
                                        "sphere", "lattice", "packing", "plane", "box",       "cylinder"};
    if (carom_value_map(&b->r, entry) != CAROM_OK)
        return b->r.error->status;
    if (entry->count != 1)
        return carom_value_wrong(&b->r, entry, "an entry is one body, such as - chain: {count: 20}");
    struct carom_node *body = entry->first;
    *which = body_of(body->key);
    if (*which == ALONE)
        return carom_tree_error_key(
            b->r.tree, body, CAROM_E_REFUSED, b->r.error,
            strcmp(body->key, "solid") == 0
                ? "a solid needs theory: solid, whose other bodies are spheres or discs that strike it"
                : "a mechanism is the only body of its scene");
    if (*which == UNKNOWN)
        return carom_value_unknown(&b->r, body, "body", body->key, names, sizeof names / sizeof names[0]);
    if (*which == WALL && body->kind == CAROM_NODE_SCALAR)
        return carom_value_wrong(&b->r, body, "is a single value, expected a map such as {side: right}");
    return carom_value_map(&b->r, body);
}

static enum carom_status note_striker(struct carom_bind *b, struct carom_node *node, enum carom_keys_side side,
                                      size_t *count)
{
    struct carom_keys_striker keys;
    if (carom_value_section(&b->r, node, &carom_keys_striker.kind, &keys) != CAROM_OK)
        return b->r.error->status;
    *count = (size_t)keys.count;
    if (!carom_memory_room(&b->striker, b->nstrikers, &b->striker_room, 4, sizeof *b->striker))
        return carom_bind_memory(b);
    b->striker[b->nstrikers++] = (struct carom_bind_striker){.node = node, .side = side, .count = *count};
    return CAROM_OK;
}

/* Walls and strikers stand at an end; a striker may be several bodies. */
static enum carom_status note_side(struct carom_bind *b, struct carom_node *node, enum body which, size_t *count)
{
    const struct carom_param *row = carom_param_find(sections[which]->kind.params, "side");
    struct carom_node *side = carom_tree_find(node, "side");
    double value;
    if (side == NULL)
        return carom_value_missing(&b->r, node, row);
    if (carom_value_read(&b->r, side, row, &value) != CAROM_OK)
        return b->r.error->status;
    const size_t i = (size_t)value;
    if (which == STRIKER)
        return note_striker(b, node, (enum carom_keys_side)i, count);
    if (b->wall[i].node != NULL)
        return carom_value_wrong_key(&b->r, node, "a second wall at the %s end", row->choices[i]);
    b->wall[i].node = node;
    return CAROM_OK;
}

/* First look at all entries: checks their form, finds strikers and walls, adds up the bodies. */
static enum carom_status count_bodies(struct carom_bind *b, const struct carom_node *list)
{
    for (struct carom_node *entry = list->first; entry != NULL; entry = entry->next) {
        enum body which = UNKNOWN;
        size_t count = 1;
        if (check_entry(b, entry, &which) != CAROM_OK)
            return b->r.error->status;
        struct carom_node *node = entry->first;
        /* a wall's keys depend on the law: the contacts look at them */
        if (which != WALL && carom_value_keys(&b->r, node, sections[which], NULL) != CAROM_OK)
            return b->r.error->status;
        if ((which == WALL || which == STRIKER) && note_side(b, node, which, &count) != CAROM_OK)
            return b->r.error->status;
        if (which == CHAIN && count_chain(b, node, &count) != CAROM_OK)
            return b->r.error->status;
        if (which == CHAIN)
            count = carom_bind_chain_size(node, count);
        b->n += which == WALL ? 0 : count;
        if (b->n > BODIES)
            return carom_value_wrong_key(&b->r, node, "more than %zu bodies", BODIES);
    }
    if (b->n == 0)
        return carom_value_wrong(&b->r, list, "there is nothing that moves: add a chain");
    const double needed = BYTES_PER_BODY * (double)b->n;
    const double there = carom_machine_memory();
    if (there > 0.0 && needed > there)
        return carom_error_set(b->r.error, CAROM_E_MEMORY,
                               "%s: %zu bodies need at least %.3g GB of memory, there are %.3g", b->r.tree->name, b->n,
                               needed / 1e9, there / 1e9);
    return CAROM_OK;
}

/* --- one row of beads ------------------------------------------------------------------------------------------- */

/* Beads first, first + step, ... below first + count get the value of a key: one number, or the list's. */
static enum carom_status spread(struct carom_bind *b, struct carom_node *node, const struct carom_param *row,
                                double *to, size_t count, size_t step)
{
    double value = 0.0;
    if (node->kind == CAROM_NODE_LIST && step == 1) {
        if (carom_value_list_of(&b->r, node, count, strcmp(row->name, "gap") == 0 ? "gap between neighbours" : "bead"))
            return b->r.error->status;
        for (struct carom_node *item = node->first; item != NULL; item = item->next)
            if (carom_value_read(&b->r, item, row, to++) != CAROM_OK)
                return b->r.error->status;
        return CAROM_OK;
    }
    if (carom_value_read(&b->r, node, row, &value) != CAROM_OK)
        return b->r.error->status;
    for (size_t i = 0; i < count; i += step)
        to[i] = value;
    return CAROM_OK;
}

static enum carom_status spread_material(struct carom_bind *b, struct carom_node *node, uint32_t *to, size_t count,
                                         size_t step)
{
    uint32_t number = 0;
    if (node->kind == CAROM_NODE_LIST && step == 1) {
        if (carom_value_list_of(&b->r, node, count,
                                "bead; materials in turn are pattern: "
                                "[{material: brass}, {material: nylon}]") != CAROM_OK)
            return b->r.error->status;
        for (struct carom_node *item = node->first; item != NULL; item = item->next)
            if (carom_bind_materials_number(b, item, false, to++) != CAROM_OK)
                return b->r.error->status;
        return CAROM_OK;
    }
    if (carom_bind_materials_number(b, node, false, &number) != CAROM_OK)
        return b->r.error->status;
    for (size_t i = 0; i < count; i += step)
        to[i] = number;
    return CAROM_OK;
}

/* An array over all bodies, made when the first of them needs it. */
static bool make_room(const struct carom_bind *b, double **array)
{
    if (*array == NULL)
        *array = carom_memory_zeroed(b->n, sizeof **array);
    return *array != NULL;
}

/* mass, radius, spring and material of a map, for every step-th bead of a row */
enum carom_status carom_bind_bodies_fill(struct carom_bind *b, const struct carom_node *map,
                                         const struct carom_section *section, size_t first, size_t count, size_t step)
{
    static const char *const names[] = {"mass", "radius", "spring", "damping", "string"};
    double **const arrays[] = {&b->mass, &b->radius, &b->spring, &b->damping, &b->string};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct carom_node *node = carom_tree_find(map, names[i]);
        if (node == NULL)
            continue;
        if (!make_room(b, arrays[i]))
            return carom_bind_memory(b);
        const struct carom_param *row = carom_param_find(section->kind.params, names[i]);
        if (spread(b, node, row, *arrays[i] + first, count, step) != CAROM_OK)
            return b->r.error->status;
    }
    struct carom_node *material = carom_tree_find(map, "material");
    if (material == NULL)
        return CAROM_OK;
    if (b->made_of == NULL)
        b->made_of = carom_memory_zeroed(b->n, sizeof *b->made_of);
    if (b->made_of == NULL)
        return carom_bind_memory(b);
    return spread_material(b, material, b->made_of + first, count, step);
}

enum carom_status carom_bind_bodies_masses(struct carom_bind *b, const struct carom_node *node, size_t first,
                                           size_t count)
{
    const double volume = 4.0 / 3.0 * 3.14159265358979323846;
    if (!make_room(b, &b->mass))
        return carom_bind_memory(b);
    for (size_t i = first; i < first + count; i++) {
        const double r = b->radius != NULL ? b->radius[i] : 0.0;
        const uint32_t made_of = b->made_of != NULL ? b->made_of[i] : 0;
        const double density = made_of > 0 ? b->material[made_of - 1].density : nan("");
        if (b->mass[i] > 0.0)
            continue;
        if (r > 0.0 && density > 0.0)
            b->mass[i] = volume * r * r * r * density;
        else if (!b->r.si)
            b->mass[i] = 1.0;
        else
            return carom_value_wrong_key(&b->r, node, "%s: the mass is missing: give mass, or radius and material%s",
                                         node->key, made_of > 0 && r > 0.0 ? " with density" : "");
        if (!(isfinite(b->mass[i]) && b->mass[i] > 0.0))
            return carom_value_wrong_key(&b->r, node, "%s: radius and density give no mass that a number can hold",
                                         node->key);
    }
    return CAROM_OK;
}

/* --- placing ---------------------------------------------------------------------------------------------------- */

static enum carom_status place_gaps(struct carom_bind *b, const struct carom_node *node, enum body which, size_t first,
                                    size_t count)
{
    struct carom_node *gap = carom_tree_find(node, "gap"), *before = carom_tree_find(node, "gap_before");
    const struct carom_param *table = sections[which]->kind.params;
    if (which == CHAIN && gap != NULL &&
        spread(b, gap, carom_param_find(table, "gap"), b->gap + first + 1, count - 1, 1) != CAROM_OK)
        return b->r.error->status;
    if (before == NULL)
        return CAROM_OK;
    size_t strikers = 0;
    for (size_t i = 0; i < b->nstrikers; i++)
        strikers += b->striker[i].side == CAROM_KEYS_LEFT ? b->striker[i].count : 0;
    if (first == strikers)
        return carom_value_wrong_key(&b->r, before,
                                     first == 0 ? "gap_before: there is no body before this one; a wall has its own gap"
                                                : "gap_before: the striker has its own gap");
    return carom_value_read(&b->r, before, carom_param_find(table, "gap_before"), &b->gap[first]);
}

static enum carom_status place_row(struct carom_bind *b, struct carom_node *node, enum body which, size_t *next)
{
    size_t count = 1;
    if (which == CHAIN && count_chain(b, node, &count) != CAROM_OK)
        return b->r.error->status;
    const size_t first = *next, size = which == CHAIN ? carom_bind_chain_size(node, count) : 1;
    *next += size;
    if (which == CHAIN) {
        if (carom_bind_chain_place(b, node, first, count) != CAROM_OK)
            return b->r.error->status;
    } else if (carom_bind_bodies_fill(b, node, sections[which], first, 1, 1) != CAROM_OK ||
               carom_bind_bodies_masses(b, node, first, 1) != CAROM_OK) {
        return b->r.error->status;
    }
    return place_gaps(b, node, which, first, size);
}

/* Its gap is to the body it strikes: the one after it at the left end, the one before it at the right. */
static enum carom_status place_striker(struct carom_bind *b, struct carom_bind_striker *striker, size_t *next)
{
    struct carom_keys_striker keys;
    struct carom_node *node = striker->node;
    const bool left = striker->side == CAROM_KEYS_LEFT;
    striker->first = *next;
    *next += striker->count;
    const size_t opening = left ? *next : striker->first;
    const struct carom_node *gap = carom_tree_find(node, "gap");
    if (gap != NULL && (opening == 0 || opening == b->n))
        return carom_value_wrong_key(&b->r, gap, "gap: there is no body to strike");
    for (size_t i = 0; gap != NULL && !left && i < b->nstrikers; i++) {
        const struct carom_bind_striker *other = &b->striker[i];
        if (other->side == CAROM_KEYS_LEFT && other->first + other->count == opening &&
            carom_tree_find(other->node, "gap") != NULL)
            return carom_value_wrong_key(&b->r, gap, "gap: the other striker has given this gap already");
    }
    if (carom_value_section(&b->r, node, &carom_keys_striker.kind, &keys) != CAROM_OK)
        return b->r.error->status;
    if (gap != NULL)
        b->gap[opening] = keys.gap;
    if (carom_bind_bodies_fill(b, node, &carom_keys_striker, striker->first, striker->count, 1) != CAROM_OK)
        return b->r.error->status;
    return carom_bind_bodies_masses(b, node, striker->first, striker->count);
}

/* Several strikers of one end stand from left to right as in the list. */
static enum carom_status place_strikers(struct carom_bind *b, enum carom_keys_side side, size_t *next)
{
    for (size_t i = 0; i < b->nstrikers; i++)
        if (b->striker[i].side == side && place_striker(b, &b->striker[i], next) != CAROM_OK)
            return b->r.error->status;
    return CAROM_OK;
}

static enum carom_status place_wall(struct carom_bind *b, size_t side)
{
    struct carom_bind_wall *wall = &b->wall[side];
    struct carom_keys_wall keys;
    if (wall->node == NULL)
        return CAROM_OK;
    if (carom_value_section(&b->r, wall->node, &carom_keys_wall.kind, &keys) != CAROM_OK)
        return b->r.error->status;
    wall->gap = keys.gap;
    struct carom_node *material = carom_tree_find(wall->node, "material");
    return material != NULL ? carom_bind_materials_number(b, material, true, &wall->made_of) : CAROM_OK;
}

/* A picture of beads with and without size would be a guess. */
static enum carom_status check_radii(struct carom_bind *b, const struct carom_node *list)
{
    for (size_t i = 0; b->radius != NULL && i < b->n; i++)
        if (!(b->radius[i] > 0.0))
            return carom_value_wrong(&b->r, list,
                                     "body %zu has no radius while others have one: give it to all or to none", i + 1);
    return CAROM_OK;
}

enum carom_status carom_bind_bodies(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *list = carom_tree_find(root, "bodies");
    if (list == NULL)
        return carom_value_wrong_key(&b->r, root, "bodies is missing: what there is, such as - chain: {count: 20}");
    if (carom_value_list(&b->r, list) != CAROM_OK || count_bodies(b, list) != CAROM_OK)
        return b->r.error->status;
    if (!make_room(b, &b->gap))
        return carom_bind_memory(b);
    size_t next = 0;
    if (place_strikers(b, CAROM_KEYS_LEFT, &next) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *entry = list->first; entry != NULL; entry = entry->next) {
        const enum body which = body_of(entry->first->key);
        if ((which == CHAIN || which == BEAD) && place_row(b, entry->first, which, &next) != CAROM_OK)
            return b->r.error->status;
    }
    if (place_strikers(b, CAROM_KEYS_RIGHT, &next) != CAROM_OK)
        return b->r.error->status;
    for (size_t side = 0; side < 2; side++)
        if (place_wall(b, side) != CAROM_OK)
            return b->r.error->status;
    return check_radii(b, list);
}
