/* Balls beside solids, - sphere: {...} or - disc: {...}, and lattices of them. */
#include <string.h>

#include "base/memory.h"
#include "scene/solid/bind_solid.h"

#define PI 3.14159265358979323846

static bool is_lattice(const struct carom_node *entry)
{
    return entry->kind == CAROM_NODE_MAP && entry->count == 1 && strcmp(entry->first->key, "lattice") == 0;
}

bool carom_bind_solid_balls_is(const struct carom_node *entry)
{
    return is_lattice(entry) || (entry->kind == CAROM_NODE_MAP && entry->count == 1 &&
                                 (strcmp(entry->first->key, "sphere") == 0 || strcmp(entry->first->key, "disc") == 0));
}

enum carom_status carom_bind_solid_balls_count(struct carom_bind *b, const struct carom_node *bodies, int dimension,
                                               size_t *n)
{
    *n = 0;
    for (struct carom_node *entry = bodies->first; entry != NULL; entry = entry->next) {
        size_t some = carom_bind_solid_balls_is(entry) ? 1 : 0;
        if (is_lattice(entry) && carom_bind_solid_lattice_count(b, entry->first, dimension, &some) != CAROM_OK)
            return b->r.error->status;
        *n += some;
    }
    if (*n > CAROM_STRIKE_BALLS)
        return carom_tree_error_key(b->r.tree, bodies, CAROM_E_REFUSED, b->r.error,
                                    "bodies: at most %d balls stand beside a solid so far, not %zu", CAROM_STRIKE_BALLS,
                                    *n);
    return CAROM_OK;
}

/* density x volume, where no mass is given */
static enum carom_status weigh(struct carom_bind *b, const struct carom_node *map,
                               const struct carom_keys_solid_ball *keys, int dimension, double depth, uint32_t made_of,
                               double *mass)
{
    const double density = made_of > 0 ? b->material[made_of - 1].density : nan("");
    const double r = keys->radius, thick = keys->thickness > 0.0 ? keys->thickness : depth;
    const double volume = dimension == 3 ? 4.0 / 3.0 * PI * r * r * r : PI * r * r * thick;
    *mass = carom_tree_find(map, "mass") != NULL ? keys->mass : density * volume;
    if (!(*mass > 0.0 && *mass < HUGE_VAL))
        return carom_value_wrong_key(
            &b->r, map, "%s: there is neither a mass nor a material with a density that gives one", map->key);
    return CAROM_OK;
}

/* a ball that nothing rubs or holds does not turn */
static enum carom_status read_spin(struct carom_bind *b, struct carom_node *spin, const struct carom_solid_balls *balls,
                                   bool turns, double *v)
{
    const struct carom_param row = {"spin", CAROM_REAL, 0, 0.0, -HUGE_VAL, HUGE_VAL, "1/s", "", NULL};
    if (spin == NULL)
        return CAROM_OK;
    if (!turns)
        return carom_value_wrong_key(&b->r, spin, "spin: nothing rubs here: give contacts a friction, such as mu: 0.3");
    return balls->dimension == 3 ? carom_value_vector(&b->r, spin, "1/s", 3, false, v)
                                 : carom_value_read(&b->r, spin, &row, v);
}

static enum carom_status read_ball(struct carom_bind *b, struct carom_node *map, double depth, bool turns,
                                   struct carom_solid_balls *balls, size_t i, double *v)
{
    struct carom_keys_solid_ball keys;
    struct carom_node *at = carom_tree_find(map, "at"), *velocity = carom_tree_find(map, "velocity"),
                      *material = carom_tree_find(map, "material"), *thickness = carom_tree_find(map, "thickness");
    const size_t d = (size_t)balls->dimension;
    const char *word = d == 3 ? "sphere" : "disc";
    if (strcmp(map->key, word) != 0)
        return carom_value_wrong_key(&b->r, map, "the solid of this scene is of %s: what strikes it is a %s",
                                     d == 3 ? "space" : "the plane", word);
    if (carom_value_fill(&b->r, map, &carom_keys_solid_ball, &keys) != CAROM_OK)
        return b->r.error->status;
    if (at == NULL)
        return carom_value_wrong_key(&b->r, map, "%s: at is missing: its centre", word);
    if (thickness != NULL && d == 3)
        return carom_value_wrong_key(&b->r, thickness, "thickness is for discs");
    if (carom_value_vector(&b->r, at, "m", d, false, balls->at[i]) != CAROM_OK ||
        (velocity != NULL && carom_value_vector(&b->r, velocity, "m/s", d, false, v + d * i) != CAROM_OK) ||
        read_spin(b, carom_tree_find(map, "spin"), balls, turns,
                  v + carom_solid_balls_moves(balls) + carom_solid_balls_axes(balls) * i) != CAROM_OK ||
        (material != NULL && carom_bind_materials_number(b, material, false, &b->made_of[i]) != CAROM_OK))
        return b->r.error->status;
    b->radius[i] = balls->radius[i] = keys.radius;
    const enum carom_status status = weigh(b, map, &keys, balls->dimension, depth, b->made_of[i], &balls->mass[i]);
    b->mass[i] = balls->mass[i];
    return status;
}

/* what joints call it: a name of its own */
static enum carom_status check_name(struct carom_bind *b, const struct carom_node *bodies,
                                    const struct carom_node *entry)
{
    struct carom_node *node = carom_tree_find(entry->first, "name");
    const char *name;
    if (node == NULL || is_lattice(entry))
        return CAROM_OK;
    if (carom_value_text(&b->r, node, &name) != CAROM_OK)
        return b->r.error->status;
    if (!carom_bind_solid_record_name(name) || strcmp(name, "world") == 0)
        return carom_value_wrong(&b->r, node, "names are letters, digits, - and _, and not world, which is the ground");
    for (const struct carom_node *other = bodies->first; other != entry; other = other->next) {
        const struct carom_node *its =
            other->kind == CAROM_NODE_MAP && other->count == 1 ? carom_tree_find(other->first, "name") : NULL;
        if (its != NULL && its->kind == CAROM_NODE_SCALAR && strcmp(its->text, name) == 0)
            return carom_value_wrong(&b->r, node, "another body has the name %s", name);
    }
    return CAROM_OK;
}

/* what the scene keeps of names, for pages */
static enum carom_status keep_name(struct carom_bind *b, const struct carom_node *bodies,
                                   const struct carom_node *entry, size_t first, size_t count)
{
    struct carom_scene *scene = b->scene;
    const struct carom_node *node = carom_tree_find(entry->first, "name");
    if (node == NULL || node->kind != CAROM_NODE_SCALAR || count == 0)
        return CAROM_OK;
    if (scene->named == NULL)
        scene->named = carom_memory_zeroed(bodies->count, sizeof *scene->named);
    char *name = scene->named != NULL ? carom_memory_text(node->text) : NULL;
    if (name == NULL)
        return carom_bind_memory(b);
    scene->named[scene->nnamed++] = (struct carom_scene_named){name, first, count};
    return CAROM_OK;
}

enum carom_status carom_bind_solid_balls(struct carom_bind *b, struct carom_node *bodies, size_t n, int dimension,
                                         double depth, size_t ncontacts, bool joints, struct carom_solid_balls **out,
                                         double *v)
{
    struct carom_solid_balls *balls = *out = carom_solid_balls_create(n, dimension);
    enum carom_status status = balls != NULL ? CAROM_OK : carom_bind_memory(b);
    size_t i = 0;
    for (struct carom_node *entry = bodies->first; entry != NULL && status == CAROM_OK; entry = entry->next)
        if (carom_bind_solid_balls_is(entry)) {
            entry->used = true;
            status = check_name(b, bodies, entry);
            if (status != CAROM_OK)
                return status;
            const size_t first = i;
            status = is_lattice(entry) ? carom_bind_solid_lattice(b, entry->first, depth, balls, &i, v)
                                       : read_ball(b, entry->first, depth, ncontacts > 0 || joints, balls, i++, v);
            if (status == CAROM_OK)
                status = keep_name(b, bodies, entry, first, i - first);
        }
    if (status == CAROM_OK && ncontacts > 0 && !carom_solid_balls_turn(balls, ncontacts))
        status = carom_bind_memory(b);
    return status;
}
