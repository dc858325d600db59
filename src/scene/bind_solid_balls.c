/* Balls beside a solid, - sphere: {...} or - disc: {...}, and their contacts: with the solid, as if it were flat where
 * they meet, and with each other. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/solid/solid_strike.h"
#include "scene/bind_solid.h"

#define PI 3.14159265358979323846

static bool is_ball(const struct carom_node *entry)
{
    return entry->kind == CAROM_NODE_MAP && entry->count == 1 &&
           (strcmp(entry->first->key, "sphere") == 0 || strcmp(entry->first->key, "disc") == 0);
}

size_t carom_bind_solid_balls_count(const struct carom_node *bodies)
{
    size_t n = 0;
    for (const struct carom_node *entry = bodies->first; entry != NULL; entry = entry->next)
        n += is_ball(entry);
    return n;
}

/* density x volume, where no mass is given */
static enum carom_status weigh(struct carom_bind *b, const struct carom_node *map,
                               const struct carom_keys_solid_ball *keys, const struct carom_solid *s, uint32_t made_of,
                               double *mass)
{
    const double density = made_of > 0 ? b->material[made_of - 1].density : nan("");
    const double r = keys->radius, thick = keys->thickness > 0.0 ? keys->thickness : s->depth;
    const double volume = s->dimension == 3 ? 4.0 / 3.0 * PI * r * r * r : PI * r * r * thick;
    *mass = carom_tree_find(map, "mass") != NULL ? keys->mass : density * volume;
    if (!(*mass > 0.0 && *mass < HUGE_VAL))
        return carom_tree_error_key(b->r.tree, map, CAROM_E_INPUT, b->r.error,
                                    "%s: there is neither a mass nor a material with a density that gives one",
                                    map->key);
    return CAROM_OK;
}

static enum carom_status read_ball(struct carom_bind *b, struct carom_node *map, const struct carom_solid *s,
                                   struct carom_solid_balls *balls, size_t i, double *v)
{
    struct carom_keys_solid_ball keys;
    struct carom_node *at = carom_tree_find(map, "at"), *velocity = carom_tree_find(map, "velocity"),
                      *material = carom_tree_find(map, "material"), *thickness = carom_tree_find(map, "thickness");
    const size_t d = (size_t)s->dimension;
    const char *word = d == 3 ? "sphere" : "disc";
    if (strcmp(map->key, word) != 0)
        return carom_tree_error_key(b->r.tree, map, CAROM_E_INPUT, b->r.error,
                                    "the solid of this scene is of %s: what strikes it is a %s",
                                    d == 3 ? "space" : "the plane", word);
    if (carom_value_map(&b->r, map) != CAROM_OK ||
        carom_value_keys(&b->r, map, &carom_keys_solid_ball, NULL) != CAROM_OK ||
        carom_value_section(&b->r, map, &carom_keys_solid_ball.kind, &keys) != CAROM_OK)
        return b->r.error->status;
    if (at == NULL)
        return carom_tree_error_key(b->r.tree, map, CAROM_E_INPUT, b->r.error, "%s: at is missing: its centre", word);
    if (thickness != NULL && d == 3)
        return carom_tree_error_key(b->r.tree, thickness, CAROM_E_INPUT, b->r.error, "thickness is for discs");
    if (carom_value_vector(&b->r, at, "m", d, false, balls->at[i]) != CAROM_OK ||
        (velocity != NULL && carom_value_vector(&b->r, velocity, "m/s", d, false, v + d * i) != CAROM_OK) ||
        (material != NULL && carom_bind_materials_number(b, material, false, &b->made_of[i]) != CAROM_OK))
        return b->r.error->status;
    b->radius[i] = balls->radius[i] = keys.radius;
    const enum carom_status status = weigh(b, map, &keys, s, b->made_of[i], &balls->mass[i]);
    b->mass[i] = balls->mass[i];
    return status;
}

/* bodies as contacts know them: the balls, and behind them the solid, which is flat and heavy */
static enum carom_status make_room(struct carom_bind *b, struct carom_node *solid_map, size_t n)
{
    b->mass = carom_memory_zeroed(n + 1, sizeof *b->mass);
    b->radius = carom_memory_zeroed(n + 1, sizeof *b->radius);
    b->made_of = carom_memory_zeroed(n + 1, sizeof *b->made_of);
    if (b->mass == NULL || b->radius == NULL || b->made_of == NULL)
        return carom_bind_memory(b);
    b->mass[n] = b->radius[n] = HUGE_VAL;
    return carom_bind_materials_number(b, carom_tree_find(solid_map, "material"), true, &b->made_of[n]);
}

/* scene->q and v go on behind the solid's */
static enum carom_status grow_start(struct carom_bind *b, const struct carom_solid *s, size_t more, const double *v)
{
    const size_t nq = s->wide * s->n, nv = s->fast * s->n;
    double *q = carom_memory_grow(b->scene->q, nq, nq + more, sizeof *q);
    if (q == NULL)
        return carom_bind_memory(b);
    b->scene->q = q;
    double *grown = carom_memory_grow(b->scene->v, nv, nv + more, sizeof *grown);
    if (grown == NULL)
        return carom_bind_memory(b);
    b->scene->v = grown;
    for (size_t i = 0; i < more; i++) {
        q[nq + i] = 0.0;
        grown[nv + i] = v[i];
    }
    return CAROM_OK;
}

static enum carom_status join(struct carom_bind *b, const struct carom_node *root, size_t n)
{
    const size_t nc = carom_solid_strike_count(n), cells = b->n;
    int32_t(*pair)[2] = carom_memory_zeroed(2 * nc, sizeof *pair);
    double *gap = carom_memory_zeroed(nc, sizeof *gap);
    enum carom_status status = pair != NULL && gap != NULL ? CAROM_OK : carom_bind_memory(b);
    if (status == CAROM_OK) {
        carom_solid_strike_pairs(n, pair);
        for (size_t j = 0; j < nc; j++) {
            pair[nc + j][0] = pair[j][0] < 0 ? (int32_t)n : pair[j][0];
            pair[nc + j][1] = pair[j][1];
        }
        b->pair = (const int32_t(*)[2])(pair + nc);
        b->n = n + 1;
        status = carom_bind_contacts_of(b, root, nc, (const int32_t(*)[2])pair, gap);
        b->pair = NULL;
        b->n = cells;
    }
    carom_memory_free(pair);
    carom_memory_free(gap);
    return status;
}

/* laws of small overlaps end long before a ball stands inside of something */
static enum carom_status check_places(struct carom_bind *b, const struct carom_node *bodies,
                                      const struct carom_solid_balls *balls)
{
    const struct carom_model *model = b->scene->model;
    for (size_t j = 0; j < model->nc; j++) {
        double overlap;
        carom_contacts_deform_some(model, j, j + 1, 0.0, b->scene->q, NULL, &overlap, NULL);
        const int32_t *pair = model->pair[j];
        if (!(overlap > 0.1 * balls->radius[pair[1]]))
            continue;
        char other[32] = "the solid";
        if (pair[0] >= 0)
            snprintf(other, sizeof other, "ball %d", (int)pair[0] + 1);
        return carom_tree_error_key(b->r.tree, bodies, CAROM_E_INPUT, b->r.error,
                                    "bodies: ball %d stands in %s, by %g at the start: a tenth of its radius is the "
                                    "most",
                                    (int)pair[1] + 1, other, overlap);
    }
    return CAROM_OK;
}

enum carom_status carom_bind_solid_balls(struct carom_bind *b, const struct carom_node *root,
                                         struct carom_node *solid_map, const struct carom_solid *s)
{
    struct carom_node *bodies = carom_tree_find(root, "bodies");
    const size_t n = carom_bind_solid_balls_count(bodies), more = n * (size_t)s->dimension;
    if (n > CAROM_STRIKE_BALLS)
        return carom_tree_error_key(b->r.tree, bodies, CAROM_E_REFUSED, b->r.error,
                                    "bodies: at most %d balls stand beside a solid so far, not %zu", CAROM_STRIKE_BALLS,
                                    n);
    struct carom_solid_balls *balls = carom_solid_balls_create(n, s->dimension);
    double *v = carom_memory_zeroed(more, sizeof *v);
    enum carom_status status = balls != NULL && v != NULL ? make_room(b, solid_map, n) : carom_bind_memory(b);
    size_t i = 0;
    for (struct carom_node *entry = bodies->first; entry != NULL && status == CAROM_OK; entry = entry->next)
        if (is_ball(entry)) {
            entry->used = true;
            status = read_ball(b, entry->first, s, balls, i++, v);
        }
    if (status == CAROM_OK)
        status = grow_start(b, s, more, v);
    carom_memory_free(v);
    if (status != CAROM_OK) {
        carom_solid_balls_free(balls);
        return status;
    }
    if (carom_model_add(b->scene->model, &carom_part_solid_balls, balls, b->r.error) != CAROM_OK ||
        carom_solid_strike_add(b->scene->model, b->r.error) != CAROM_OK || join(b, root, n) != CAROM_OK)
        return b->r.error->status;
    return check_places(b, bodies, balls);
}
