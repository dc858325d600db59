/* One solid of a scene, - solid: {box: {...}, material: steel, ...}, and its start. What there is beside it stands in
 * bind_solid.c; the run, probes and schedule are read where those of other theories are. */
#include "scene/solid/bind_solid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/machine.h"
#include "base/memory.h"
#include "model/solid/solid.h"
#include "model/solid/solid_fracture.h"
#include "model/solid/solid_self.h"
#include "model/solid/solid_turns.h"
#include "scheme/solid/rattle.h"

#define BYTES_PER_CELL 900.0 /* of model, states, view and scheme in space, links included */

/* --- the body -------------------------------------------------------------------------------------------------- */

/* a body that cannot fit is refused before memory is asked for */
static enum carom_status check_room(struct carom_bind *b, const struct carom_node *node, double cells)
{
    const double there = carom_machine_memory();
    if (cells > 4e8)
        return carom_value_wrong(&b->r, node, "a solid has at most 4e8 cells, not %.3g", cells);
    if (there > 0.0 && cells * BYTES_PER_CELL > there)
        return carom_value_wrong(&b->r, node, "%.3g cells need about %.3g GB, this machine has %.3g GB", cells,
                                 cells * BYTES_PER_CELL * 1e-9, there * 1e-9);
    return CAROM_OK;
}

static enum carom_status make_box(struct carom_bind *b, struct carom_node *map, const struct carom_keys_solid *keys,
                                  const struct carom_solid_material *material, struct carom_solid **solid)
{
    struct carom_node *size = carom_tree_find(map, "size"), *cells = carom_tree_find(map, "cells"),
                      *origin = carom_tree_find(map, "origin");
    double edge[3] = {0.0, 0.0, 0.0}, number[3] = {1.0, 1.0, 1.0}, corner[3] = {0.0, 0.0, 0.0}, all = 1.0;
    size_t count[3] = {1, 1, 1};
    if (carom_value_map_of(&b->r, map, &carom_keys_solid_box) != CAROM_OK)
        return b->r.error->status;
    if (size == NULL || cells == NULL)
        return carom_value_wrong_key(&b->r, map, "box: %s is missing, such as {size: [1 m, 0.1 m], cells: [50, 5]}",
                                     size == NULL ? "size" : "cells");
    if (size->kind != CAROM_NODE_LIST || (size->count != 2 && size->count != 3))
        return carom_value_wrong(&b->r, size, "a list of two lengths makes a plane body, of three one in space");
    const size_t d = size->count;
    if (carom_value_vector(&b->r, size, "m", d, false, edge) != CAROM_OK ||
        carom_value_vector(&b->r, cells, "1", d, false, number) != CAROM_OK ||
        (origin != NULL && carom_value_vector(&b->r, origin, "m", d, false, corner) != CAROM_OK))
        return b->r.error->status;
    for (size_t k = 0; k < d; k++) {
        if (!(number[k] >= 1.0 && floor(number[k]) == number[k]))
            return carom_value_wrong(&b->r, cells, "whole numbers from 1 on, one for each axis, got %g", number[k]);
        if (!(edge[k] > 0.0))
            return carom_value_wrong(&b->r, size, "must be positive, got %g", edge[k]);
        count[k] = (size_t)number[k];
        all *= number[k];
    }
    if (check_room(b, cells, all) != CAROM_OK)
        return b->r.error->status;
    const enum carom_solid_case kind = d == 3             ? CAROM_SOLID_SPACE
                                       : keys->plane == 0 ? CAROM_SOLID_STRAIN
                                                          : CAROM_SOLID_STRESS;
    *solid = carom_solid_box(kind, count, edge, corner, keys->depth, material, b->r.error);
    return *solid != NULL ? CAROM_OK : carom_tree_error_at(b->r.tree, map, b->r.error);
}

static enum carom_status make_cylinder(struct carom_bind *b, struct carom_node *map,
                                       const struct carom_solid_material *material, struct carom_solid **solid)
{
    struct carom_keys_solid_cylinder keys;
    struct carom_node *origin = carom_tree_find(map, "origin");
    double centre[3] = {0.0, 0.0, 0.0};
    if (carom_value_fill(&b->r, map, &carom_keys_solid_cylinder, &keys) != CAROM_OK ||
        (origin != NULL && carom_value_vector(&b->r, origin, "m", 3, false, centre) != CAROM_OK) ||
        check_room(b, map, (double)keys.around * (double)keys.along) != CAROM_OK)
        return b->r.error->status;
    *solid = carom_solid_cylinder((size_t)keys.around, (size_t)keys.along, keys.radius, keys.height, keys.thickness,
                                  centre, material, b->r.error);
    return *solid != NULL ? CAROM_OK : carom_tree_error_at(b->r.tree, map, b->r.error);
}

static enum carom_status make_body(struct carom_bind *b, struct carom_node *map, struct carom_solid **solid)
{
    struct carom_keys_solid keys;
    struct carom_solid_material material;
    struct carom_node *box = carom_tree_find(map, "box"), *cylinder = carom_tree_find(map, "cylinder"),
                      *voronoi = carom_tree_find(map, "voronoi"), *mesh = carom_tree_find(map, "mesh");
    if (carom_value_fill(&b->r, map, &carom_keys_solid, &keys) != CAROM_OK)
        return b->r.error->status;
    if ((box != NULL) + (cylinder != NULL) + (voronoi != NULL) + (mesh != NULL) != 1)
        return carom_value_wrong_key(
            &b->r, map,
            "solid: give one of box, cylinder, voronoi and mesh, such as box: {size: [1 m, 0.1 m], cells: [50, 5]}");
    const struct carom_node *size = box != NULL ? carom_tree_find(box, "size") : NULL;
    const struct carom_node *flat = carom_tree_find(map, "plane"), *depth = carom_tree_find(map, "depth");
    const struct carom_node *stray = flat != NULL ? flat : depth;
    if (stray != NULL && (box == NULL || (size != NULL && size->count == 3)))
        return carom_value_wrong_key(&b->r, stray, "%s is for plane bodies, whose box has two axes", stray->key);
    if (carom_bind_solid_regions_material(b, map, &material) != CAROM_OK)
        return b->r.error->status;
    if (mesh != NULL)
        return carom_bind_solid_mesh(b, mesh, keys.accept_skew, &material, solid);
    if (voronoi != NULL)
        return carom_bind_solid_voronoi(b, voronoi, keys.accept_skew, &material, solid);
    return box != NULL ? make_box(b, box, &keys, &material, solid) : make_cylinder(b, cylinder, &material, solid);
}

/* --- what is in and on it -------------------------------------------------------------------------------------- */

static enum carom_status add_sets(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    struct carom_node *sets = carom_tree_find(map, "sets");
    if (sets == NULL)
        return CAROM_OK;
    if (carom_value_map(&b->r, sets) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *node = sets->first; node != NULL; node = node->next) {
        size_t count;
        uint32_t *cell = NULL;
        if (carom_value_map_of(&b->r, node, &carom_keys_solid_cells) != CAROM_OK ||
            carom_bind_solid_pick(b, node, s, false, &count, &cell, NULL) != CAROM_OK)
            return b->r.error->status;
        enum carom_status status = carom_solid_add_set(s, node->key, count, cell, b->r.error);
        carom_memory_free(cell);
        if (status != CAROM_OK)
            return carom_tree_error_at(b->r.tree, node, b->r.error);
    }
    return CAROM_OK;
}

static enum carom_status add_rest(struct carom_bind *b, const struct carom_node *root, struct carom_node *map,
                                  struct carom_solid *s)
{
    struct carom_node *own = carom_tree_find(map, "gravity"),
                      *gravity = own != NULL ? own : carom_tree_find(root, "gravity");
    struct carom_node *damping = carom_tree_find(map, "damping");
    struct carom_keys_solid_damping keys = {0.0, 0.0};
    if (gravity != NULL &&
        carom_value_vector(&b->r, gravity, "m/s^2", (size_t)s->dimension, false, s->gravity) != CAROM_OK)
        return b->r.error->status;
    if (damping != NULL && (carom_value_fill(&b->r, damping, &carom_keys_solid_damping, &keys) != CAROM_OK))
        return b->r.error->status;
    s->damping_mass = keys.mass;
    s->damping_stiffness = keys.stiffness;
    return CAROM_OK;
}

/* --- the start ------------------------------------------------------------------------------------------------- */

/* the selected cells turn as one rigid body about their centre of mass */
static void spin_cells(const struct carom_bind_body *body, size_t count, const uint32_t *cell, const double spin[3])
{
    const struct carom_solid *s = body->solid;
    double centre[3] = {0.0, 0.0, 0.0}, mass = 0.0;
    const double zero[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < count; i++) {
        double place[3];
        const double m = carom_solid_sort_of(s, cell[i])->mass;
        carom_solid_moved(s, body->q, cell[i], zero, place);
        mass += m;
        for (int k = 0; k < 3; k++)
            centre[k] += m * place[k];
    }
    for (size_t i = 0; i < count; i++) {
        double place[3], sweep[3], *v = body->v + s->fast * cell[i];
        carom_solid_moved(s, body->q, cell[i], zero, place);
        for (int k = 0; k < 3; k++)
            place[k] -= centre[k] / mass;
        carom_vec_cross(spin, place, sweep);
        for (int k = 0; k < s->dimension; k++)
            v[k] += sweep[k];
        if (s->dimension == 2) {
            v[2] += spin[2];
        } else {
            double turn[4], own[3];
            carom_quat_product(body->q + 7 * cell[i] + 3, carom_solid_sort_of(s, cell[i])->frame, turn);
            carom_quat_turn_back(turn, spin, own);
            for (int k = 0; k < 3; k++)
                v[3 + k] += own[k];
        }
    }
}

/* an entry that only settles, or only takes over a run, has no use for a choice of cells */
static enum carom_status check_whole(struct carom_bind *b, const struct carom_node *entry)
{
    static const char *const choices[] = {"face", "box", "near", "set"};
    const char *word = carom_tree_find(entry, "run") != NULL ? "run" : "settle";
    if (carom_tree_find(entry, word) == NULL || carom_tree_find(entry, "velocity") != NULL ||
        carom_tree_find(entry, "spin") != NULL || carom_tree_find(entry, "displacement") != NULL ||
        carom_tree_find(entry, "field") != NULL)
        return CAROM_OK;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const struct carom_node *node = carom_tree_find(entry, choices[i]);
        if (node != NULL)
            return carom_value_wrong_key(&b->r, node,
                                         "%s: %s is for the whole body; cells are chosen for velocity, spin or "
                                         "displacement, and there is none of them",
                                         node->key, word);
    }
    return CAROM_OK;
}

/* a cell turned by `turn` (axis times angle) and spinning, in axes of space, beside what it does already */
static void turn_cell(const struct carom_bind_body *body, size_t cell, const double turn[3], const double spin[3])
{
    const struct carom_solid *s = body->solid;
    double *q = body->q + s->wide * cell, *v = body->v + s->fast * cell, by[4], now[4], turned[4], own[3];
    carom_angle_turn(turn, by);
    carom_solid_quaternion(s, body->q, cell, now);
    carom_quat_product(by, now, turned);
    if (s->dimension == 2) { /* the first and the last of the four */
        q[2] = turned[0];
        q[3] = turned[3];
        v[2] += spin[2];
        return;
    }
    memcpy(q + 3, turned, sizeof turned);
    carom_quat_product(q + 3, carom_solid_sort_of(s, cell)->frame, turned);
    carom_quat_turn_back(turned, spin, own);
    for (int k = 0; k < 3; k++)
        v[3 + k] += own[k];
}

/* what a file says of the chosen cells */
static enum carom_status start_field(struct carom_bind *b, struct carom_node *map, const struct carom_bind_body *body,
                                     size_t count, const uint32_t *cell)
{
    static const struct carom_bind_field field = {.array = {"displacement", "velocity", "rotation", "spin"},
                                                  .narrays = 4,
                                                  .columns = 2,
                                                  .components = 3,
                                                  .needed = 1,
                                                  .text = {"x, y, ux, uy, vx, vy", "x, y, z, ux, uy, uz, vx, vy, vz"}};
    const struct carom_solid *s = body->solid;
    double *value = NULL;
    const enum carom_status status = carom_bind_solid_field(b, map, s, &field, &value);
    for (size_t i = 0; status == CAROM_OK && i < count; i++) {
        const double *of = value + 12 * cell[i];
        for (int k = 0; k < s->dimension; k++) {
            body->q[s->wide * cell[i] + (size_t)k] += of[k];
            body->v[s->fast * cell[i] + (size_t)k] += of[3 + k];
        }
        turn_cell(body, cell[i], of + 6, of + 9);
    }
    carom_memory_free(value);
    return status;
}

static enum carom_status start_cells(struct carom_bind *b, struct carom_node *entry, const struct carom_bind_body *body)
{
    const struct carom_solid *s = body->solid;
    struct carom_node *velocity = carom_tree_find(entry, "velocity"), *spin = carom_tree_find(entry, "spin"),
                      *displacement = carom_tree_find(entry, "displacement"), *field = carom_tree_find(entry, "field");
    double fast[3] = {0.0, 0.0, 0.0}, turn[3] = {0.0, 0.0, 0.0}, moved[3] = {0.0, 0.0, 0.0};
    const size_t d = (size_t)s->dimension;
    const struct carom_param row = {"spin", CAROM_REAL, 0, 0.0, -HUGE_VAL, HUGE_VAL, "rad/s", "spin", NULL};
    if ((velocity != NULL && carom_value_vector(&b->r, velocity, "m/s", d, false, fast) != CAROM_OK) ||
        (displacement != NULL && carom_value_vector(&b->r, displacement, "m", d, false, moved) != CAROM_OK))
        return b->r.error->status;
    if (spin != NULL && (d == 2 ? carom_value_read(&b->r, spin, &row, &turn[2])
                                : carom_value_vector(&b->r, spin, "rad/s", 3, false, turn)) != CAROM_OK)
        return b->r.error->status;
    if (velocity == NULL && displacement == NULL && spin == NULL && field == NULL &&
        carom_tree_find(entry, "settle") == NULL && carom_tree_find(entry, "run") == NULL)
        return carom_value_wrong(&b->r, entry,
                                 "this entry does nothing: give settle, run, velocity, spin, displacement or field");
    size_t count;
    uint32_t *cell = NULL;
    if (carom_bind_solid_pick(b, entry, s, true, &count, &cell, NULL) != CAROM_OK)
        return b->r.error->status;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < d; k++) {
            body->q[s->wide * cell[i] + k] += moved[k];
            body->v[s->fast * cell[i] + k] += fast[k];
        }
    if (spin != NULL)
        spin_cells(body, count, cell, turn);
    const enum carom_status status = field != NULL ? start_field(b, field, body, count, cell) : CAROM_OK;
    carom_memory_free(cell);
    return status;
}

/* Where something else may touch the body, it settles when all are there. What hangs on joints does not act. */
static enum carom_status settle(struct carom_bind *b, const struct carom_node *root, struct carom_node *entry,
                                struct carom_bind_body *body)
{
    const struct carom_node *bodies = carom_tree_find(root, "bodies");
    if (body->solid->flow)
        return carom_tree_error(b->r.tree, entry, CAROM_E_REFUSED, b->r.error,
                                "a body that flows does not settle: let its loads grow slowly instead, by a ramp");
    if (bodies->count > 1 && carom_tree_find(root, "joints") != NULL)
        body->alone = entry;
    if (bodies->count == 1 || body->alone != NULL)
        return carom_bind_solid_rest_alone(b, entry, body);
    body->rests = entry;
    return CAROM_OK;
}

/* Neighbours that stand at one place, or on each other's far side, have no line between them along which to push. */
static enum carom_status check_neighbours(struct carom_bind *b, const struct carom_bind_body *body)
{
    const struct carom_solid *s = body->solid;
    for (size_t l = 0; l < s->nlinks; l++) {
        if (s->breaks && s->breaks->cracked[l])
            continue;
        const uint32_t *cell = s->link[l].cell;
        const double *apart = s->shape[s->link[l].shape].apart, none[3] = {0.0, 0.0, 0.0};
        double turn[4], was[3], from[3], to[3];
        carom_solid_quaternion(s, body->q, cell[0], turn);
        carom_quat_turn(turn, apart, was);
        carom_solid_moved(s, body->q, cell[0], none, from);
        carom_solid_moved(s, body->q, cell[1], none, to);
        for (int k = 0; k < 3; k++)
            to[k] -= from[k];
        if (!(carom_vec_dot(to, was) > 1e-9 * carom_vec_dot(apart, apart)))
            return carom_value_wrong_key(&b->r, body->map,
                                         "cell %u, at (%g, %g, %g), is moved at the start by as much as a cell, onto "
                                         "or past its neighbour: let a drive begin at 0, or move less",
                                         (unsigned)cell[0], s->centre[cell[0]][0], s->centre[cell[0]][1],
                                         s->centre[cell[0]][2]);
    }
    return CAROM_OK;
}

/* Entries add up: `settle: false` in one cannot take back what another says, before or behind it. */
static enum carom_status check_agrees(struct carom_bind *b, const struct carom_node *entry, bool settles, bool settled,
                                      const struct carom_node **stays)
{
    const struct carom_node *given = carom_tree_find(entry, "settle");
    *stays = given != NULL && !settles ? given : *stays;
    if (*stays == NULL || !(settles || settled))
        return CAROM_OK;
    return carom_value_wrong_key(&b->r, *stays,
                                 "another entry has this body settle: leave this one out, and let that one name the "
                                 "bodies that settle");
}

/* what entries of start say from `entry` on, as far as one by which the body settles with others */
static enum carom_status start_from(struct carom_bind *b, const struct carom_node *root, struct carom_node *entry,
                                    struct carom_bind_body *body, bool *settled)
{
    const struct carom_node *stays = NULL;
    bool first = true, meant;
    for (; entry != NULL; entry = entry->next) {
        struct carom_keys_solid_start keys;
        if (carom_value_fill(&b->r, entry, &carom_keys_solid_start, &keys) != CAROM_OK ||
            carom_bind_solid_meant(b, entry, root, body->solid, &meant) != CAROM_OK)
            return b->r.error->status;
        if (!meant)
            continue;
        if (check_whole(b, entry) != CAROM_OK || check_agrees(b, entry, keys.settle, *settled, &stays) != CAROM_OK ||
            carom_bind_solid_from(b, entry, body, first) != CAROM_OK ||
            (keys.settle && settle(b, root, entry, body) != CAROM_OK))
            return b->r.error->status;
        *settled |= keys.settle;
        first = false;
        if (body->rests != NULL)
            break;
        if (start_cells(b, entry, body) != CAROM_OK)
            return b->r.error->status;
    }
    return CAROM_OK;
}

/* held cells where they belong, and no cell in another */
static enum carom_status begin(struct carom_bind *b, const struct carom_node *list, const struct carom_bind_body *body)
{
    carom_solid_loads_hold(body->solid, 0.0, false, body->q, body->v);
    carom_solid_turns_still(body->solid, body->q, body->v);
    return list != NULL || carom_solid_driven(body->solid) ? check_neighbours(b, body) : CAROM_OK;
}

static enum carom_status start(struct carom_bind *b, const struct carom_node *root, struct carom_bind_body *body)
{
    struct carom_node *list = carom_tree_find(root, "start");
    struct carom_solid *s = body->solid;
    body->q = carom_memory_zeroed(carom_solid_size(s), sizeof *body->q);
    body->v = carom_memory_zeroed(s->fast * s->n, sizeof *body->v);
    if (body->q == NULL || body->v == NULL)
        return carom_bind_memory(b);
    carom_solid_rest(s, body->q);
    if (list != NULL && carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    bool settled = false;
    if (start_from(b, root, list != NULL ? list->first : NULL, body, &settled) != CAROM_OK ||
        begin(b, list, body) != CAROM_OK)
        return b->r.error->status;
    return settled ? CAROM_OK : carom_bind_solid_acts_unsettled(b, body->map);
}

enum carom_status carom_bind_solid_one_go_on(struct carom_bind *b, const struct carom_node *root,
                                             struct carom_bind_body *body)
{
    struct carom_node *entry = body->rests;
    bool settled = true;
    body->rests = NULL;
    if (start_cells(b, entry, body) != CAROM_OK || start_from(b, root, entry->next, body, &settled) != CAROM_OK)
        return b->r.error->status;
    return begin(b, carom_tree_find(root, "start"), body);
}

/* --- all of it ------------------------------------------------------------------------------------------------- */

/* errors are stated for steps of second order, which flow and fracture do not have */
static enum carom_status check_tol(struct carom_bind *b, const struct carom_node *root, const struct carom_solid *s)
{
    const struct carom_node *run = carom_tree_find(root, "run");
    const struct carom_node *tol = run != NULL && run->kind == CAROM_NODE_MAP ? carom_tree_find(run, "tol") : NULL;
    if ((!s->flow && !s->breaks) || tol == NULL || tol->text == NULL || strcmp(tol->text, "null") == 0)
        return CAROM_OK;
    return carom_tree_error_key(b->r.tree, tol, CAROM_E_REFUSED, b->r.error,
                                "tol: the error of bodies that flow or break cannot be stated; give a step, and half "
                                "of it to see what that changes");
}

/* other schemes do not know drives and need room that large bodies do not have */
static enum carom_status check_scheme(struct carom_bind *b, const struct carom_node *root, const struct carom_solid *s)
{
    const struct carom_node *run = carom_tree_find(root, "run");
    const struct carom_node *scheme =
        run != NULL && run->kind == CAROM_NODE_MAP ? carom_tree_find(run, "scheme") : NULL;
    const bool driven = carom_solid_driven(s),
               absorbs = s->nabsorbing > 0 || s->flow || s->breaks || carom_solid_self_is_rough(s);
    if (scheme == NULL || scheme->text == NULL || (!driven && !absorbs && s->n <= CAROM_SOLID_GENERAL))
        return CAROM_OK;
    bool other = false; /* one that is misspelt is named later, with the nearest there is */
    for (size_t i = 0; carom_kinds_schemes[i] != NULL; i++)
        other |= carom_kinds_schemes[i] != &carom_scheme_rattle &&
                 strcmp(carom_kinds_schemes[i]->kind.name, scheme->text) == 0;
    if (!other)
        return CAROM_OK;
    return carom_tree_error(b->r.tree, scheme, CAROM_E_REFUSED, b->r.error,
                            driven    ? "only scheme rattle supports drives"
                            : absorbs ? "only scheme rattle supports absorbing sides, flow, fracture and self_friction"
                                      : "only scheme rattle steps so large a body");
}

static enum carom_status read_name(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    /* groups of run files, and words of scenes */
    static const char *const taken[] = {"cells", "balls",  "sensors",   "clamps", "solid", "all",
                                        "beads", "bodies", "mechanism", "joints", "links"};
    struct carom_node *node = carom_tree_find(map, "name");
    const char *word;
    if (node == NULL)
        return CAROM_OK;
    if (carom_value_text(&b->r, node, &word) != CAROM_OK)
        return b->r.error->status;
    if (!carom_bind_solid_record_name(word) || strlen(word) >= sizeof s->name)
        return carom_value_wrong(&b->r, node, "'%s' is not a name of up to 31 letters, digits, - and _",
                                 carom_tree_short(word).text);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(word, taken[i]) == 0)
            return carom_value_wrong(&b->r, node, "'%s' has a meaning of its own: take another name", word);
    snprintf(s->name, sizeof s->name, "%s", word);
    return CAROM_OK;
}

/* Links whose forces are lost to rounding would leave cells that nothing holds together. */
static enum carom_status check_stiffness(struct carom_bind *b, struct carom_node *map, const struct carom_solid *s)
{
    if (s->omega > 0.0 || s->nlinks == 0 || carom_solid_halve_held(s))
        return CAROM_OK;
    const struct carom_node *material = carom_tree_find(map, "material");
    return carom_value_wrong(&b->r, material != NULL ? material : map,
                             "this material is so soft for its density that no number holds the frequencies of its "
                             "cells: young must be larger");
}

static enum carom_status fill(struct carom_bind *b, const struct carom_node *root, struct carom_bind_body *body)
{
    struct carom_node *map = body->map;
    struct carom_solid *s = body->solid;
    if (read_name(b, map, s) != CAROM_OK || add_sets(b, map, s) != CAROM_OK ||
        carom_bind_solid_regions(b, map, s) != CAROM_OK || add_rest(b, root, map, s) != CAROM_OK ||
        carom_bind_solid_acts_holds(b, map, s) != CAROM_OK || carom_bind_solid_absorb(b, map, s) != CAROM_OK ||
        carom_solid_halve(s, b->r.error) != CAROM_OK || carom_solid_absorb_ready(s, b->r.error) != CAROM_OK ||
        carom_bind_solid_absorb_flow(b, map, s) != CAROM_OK || carom_bind_solid_fracture(b, map, s) != CAROM_OK ||
        carom_bind_solid_record_sensors(b, map, s) != CAROM_OK || start(b, root, body) != CAROM_OK ||
        carom_bind_solid_acts_loads(b, map, s, false) != CAROM_OK ||
        carom_bind_solid_record_cells(b, root, s) != CAROM_OK || check_tol(b, root, s) != CAROM_OK ||
        check_scheme(b, root, s) != CAROM_OK)
        return b->r.error->status;
    if (carom_solid_frequency(s, NULL, b->wish->progress, &s->omega, b->r.error) != CAROM_OK)
        return carom_tree_error_at(b->r.tree, map, b->r.error);
    return check_stiffness(b, map, s);
}

enum carom_status carom_bind_solid_one(struct carom_bind *b, const struct carom_node *root,
                                       struct carom_bind_body *body)
{
    const enum carom_status status = make_body(b, body->map, &body->solid);
    return status == CAROM_OK ? fill(b, root, body) : status;
}
