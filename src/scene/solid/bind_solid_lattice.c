/* Crystals of balls beside solids, - lattice: {...}: sites, sizes and masses are those that a lattice has in scenes of
 * the plane and of space. */
#include "base/memory.h"
#include "scene/solid/bind_solid.h"
#include "scene/space/bind_space.h"

/* what means something else there, or nothing */
static enum carom_status check(struct carom_bind *b, struct carom_node *map, size_t dimension)
{
    struct carom_node *fixed = carom_tree_find(map, "fixed"), *name = carom_tree_find(map, "name"),
                      *thickness = carom_tree_find(map, "thickness"), *of = carom_tree_find(map, "of");
    struct carom_keys_lattice keys;
    if (carom_value_section(&b->r, map, &carom_keys_space_lattice.kind, &keys) != CAROM_OK)
        return b->r.error->status;
    if (fixed != NULL && keys.fixed)
        return carom_tree_error_key(b->r.tree, fixed, CAROM_E_REFUSED, b->r.error,
                                    "fixed: balls beside a solid move freely; a plane stands still");
    if (of != NULL && (dimension == 3) != (keys.of == CAROM_KEYS_SPHERE))
        return carom_tree_error(b->r.tree, of, CAROM_E_INPUT, b->r.error,
                                "the solid of this scene is of %s: what strikes it is a %s",
                                dimension == 3 ? "space" : "the plane", dimension == 3 ? "sphere" : "disc");
    if (thickness != NULL && dimension == 3)
        return carom_tree_error_key(b->r.tree, thickness, CAROM_E_INPUT, b->r.error, "thickness is for discs");
    if (name != NULL)
        return carom_tree_error_key(b->r.tree, name, CAROM_E_INPUT, b->r.error,
                                    "name: contacts call all that stand beside a solid balls");
    return CAROM_OK;
}

/* its entry, those of its intruders, and how many balls there are; the caller frees the entries */
static enum carom_status begin(struct carom_bind_space *s, struct carom_node *map)
{
    struct carom_bind_entry *entry;
    struct carom_node *material = carom_tree_find(map, "material");
    if (carom_value_map(&s->b->r, map) != CAROM_OK || carom_bind_space_entry(s, &entry) != CAROM_OK)
        return s->b->r.error->status;
    *entry = (struct carom_bind_entry){.map = map, .word = "lattice", .shape = CAROM_BIND_LATTICE};
    if (carom_bind_space_check(s, entry) != CAROM_OK || check(s->b, map, s->dimension) != CAROM_OK ||
        (material != NULL && carom_bind_materials_number(s->b, material, false, &entry->made_of) != CAROM_OK) ||
        carom_bind_space_lattice_intruders(s, 0) != CAROM_OK)
        return s->b->r.error->status;
    for (size_t i = 0; i < s->nentries; i++)
        s->entry[i].class = (uint32_t)i;
    return carom_bind_space_lattice_count(s, &s->entry[0]);
}

enum carom_status carom_bind_solid_lattice_count(struct carom_bind *b, struct carom_node *map, int dimension, size_t *n)
{
    struct carom_bind_space s = {.b = b, .dimension = (size_t)dimension};
    const enum carom_status status = begin(&s, map);
    *n = status == CAROM_OK ? s.entry[0].count : 0;
    carom_memory_free(s.entry);
    return status;
}

/* ball `first` of all and those after it */
static enum carom_status take(struct carom_bind_space *s, const struct carom_bodies *bodies, size_t first,
                              struct carom_solid_balls *balls, double *v)
{
    struct carom_node *velocity = carom_tree_find(s->entry[0].map, "velocity");
    double fast[3] = {0.0, 0.0, 0.0};
    if (velocity != NULL && carom_bind_space_velocity(s, velocity, fast) != CAROM_OK)
        return s->b->r.error->status;
    for (size_t i = 0; i < s->entry[0].count; i++) {
        const struct carom_body *body = &bodies->body[i];
        const size_t ball = first + i;
        for (size_t k = 0; k < s->dimension; k++) {
            balls->at[ball][k] = body->at[k];
            v[s->dimension * ball + k] = fast[k];
        }
        s->b->mass[ball] = balls->mass[ball] = body->mass;
        s->b->radius[ball] = balls->radius[ball] = body->radius;
        s->b->made_of[ball] = s->entry[body->material].made_of;
    }
    return CAROM_OK;
}

enum carom_status carom_bind_solid_lattice(struct carom_bind *b, struct carom_node *map, double depth,
                                           struct carom_solid_balls *balls, size_t *first, double *v)
{
    struct carom_bind_space s = {.b = b, .dimension = (size_t)balls->dimension, .depth = depth};
    struct carom_bodies bodies = {.dimension = s.dimension};
    enum carom_status status = begin(&s, map);
    if (status == CAROM_OK) {
        bodies.n = s.entry[0].count;
        bodies.body = carom_memory_zeroed(bodies.n, sizeof *bodies.body);
        s.bodies = &bodies;
        status = bodies.body != NULL ? carom_bind_space_lattice_place(&s, &s.entry[0]) : carom_bind_memory(b);
    }
    if (status == CAROM_OK)
        status = take(&s, &bodies, *first, balls, v);
    *first += bodies.n;
    carom_memory_free_all(bodies.body, s.entry);
    return status;
}
