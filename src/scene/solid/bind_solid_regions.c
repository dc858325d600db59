/* What the cells of a solid are made of: regions: [{material: steel, box: ...}, {graded: {from: {at, material}, to:
 * {at, material}}}, {field: {file: stiffness.csv}}]. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/solid/bind_solid.h"

enum { AXES = 3 };

enum carom_status carom_bind_solid_regions_material(struct carom_bind *b, struct carom_node *map,
                                                    struct carom_solid_material *out)
{
    struct carom_node *node = carom_tree_find(map, "material");
    uint32_t number;
    if (node == NULL)
        return carom_value_wrong_key(&b->r, map, "material is missing: a name, or {young, poisson, density}");
    if (carom_bind_materials_number(b, node, true, &number) != CAROM_OK)
        return b->r.error->status;
    const struct carom_material *m = &b->material[number - 1];
    if (!(m->young < HUGE_VAL) || isnan(m->poisson) || isnan(m->density)) /* rigid, or left out */
        return carom_value_wrong(&b->r, node, "an elastic solid needs young, poisson and density");
    if (!(m->poisson > -1.0 && m->poisson < 0.5)) {
        struct carom_node *given = carom_tree_find(node, "poisson");
        return carom_value_wrong(&b->r, given != NULL ? given : node,
                                 "must be between -1 and 0.5, both excluded, in an elastic solid, got %g", m->poisson);
    }
    *out = (struct carom_solid_material){m->young, m->poisson, m->density};
    return CAROM_OK;
}

/* --- one material for each of the chosen cells -------------------------------------------------------------------- */

struct choice {
    size_t count;
    uint32_t *cell;
    struct carom_solid_material *material; /* count */
};

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct carom_solid_material));
}

/* equal ones become one material of the body */
static enum carom_status fill(struct carom_bind *b, const struct carom_node *node, struct carom_solid *s,
                              const struct choice *c)
{
    struct carom_solid_material *sorted = carom_memory_zeroed(c->count, sizeof *sorted);
    uint32_t *made_of = carom_memory_zeroed(s->n, sizeof *made_of);
    enum carom_status status = sorted && made_of ? CAROM_OK : carom_bind_memory(b);
    size_t n = 0;
    if (status == CAROM_OK) {
        memcpy(sorted, c->material, c->count * sizeof *sorted);
        qsort(sorted, c->count, sizeof *sorted, compare);
        for (size_t i = 0; i < c->count; i++)
            if (i == 0 || compare(&sorted[i], &sorted[n - 1]) != 0)
                sorted[n++] = sorted[i];
        memset(made_of, 0xff, s->n * sizeof *made_of); /* CAROM_SOLID_AS_IS */
        for (size_t i = 0; i < c->count; i++)
            made_of[c->cell[i]] =
                (uint32_t)((struct carom_solid_material *)bsearch(&c->material[i], sorted, n, sizeof *sorted, compare) -
                           sorted);
        status = carom_solid_fill_each(s, n, sorted, made_of, b->r.error);
        if (status != CAROM_OK)
            status = carom_tree_error_at(b->r.tree, node, b->r.error);
    }
    carom_memory_free_all(sorted, made_of);
    return status;
}

/* --- graded ------------------------------------------------------------------------------------------------------- */

static enum carom_status read_end(struct carom_bind *b, struct carom_node *map, const char *which, size_t d,
                                  double at[3], struct carom_solid_material *material)
{
    struct carom_node *end = carom_tree_find(map, which), *place = NULL;
    if (end == NULL)
        return carom_value_wrong_key(&b->r, map, "graded: %s is missing, such as {at: [0, 0], material: steel}", which);
    if (carom_value_map_of(&b->r, end, &carom_keys_solid_graded_end) != CAROM_OK)
        return b->r.error->status;
    place = carom_tree_find(end, "at");
    if (place == NULL)
        return carom_value_wrong_key(&b->r, end, "where is that? at: a point is missing");
    return carom_value_vector(&b->r, place, "m", d, false, at) != CAROM_OK
               ? b->r.error->status
               : carom_bind_solid_regions_material(b, end, material);
}

/* all three numbers go straight from one point to the other, and stay as they are beyond */
static enum carom_status grade(struct carom_bind *b, struct carom_node *map, const struct carom_solid *s,
                               const struct choice *c)
{
    const size_t d = (size_t)s->dimension;
    struct carom_solid_material end[2];
    double at[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, way[3], square = 0.0;
    if (carom_value_map_of(&b->r, map, &carom_keys_solid_graded) != CAROM_OK ||
        read_end(b, map, "from", d, at[0], &end[0]) != CAROM_OK ||
        read_end(b, map, "to", d, at[1], &end[1]) != CAROM_OK)
        return b->r.error->status;
    for (size_t k = 0; k < AXES; k++) {
        way[k] = at[1][k] - at[0][k];
        square += way[k] * way[k];
    }
    if (!(square > 0.0))
        return carom_value_wrong(&b->r, map, "from and to stand in one place");
    for (size_t i = 0; i < c->count; i++) {
        double part = 0.0;
        for (size_t k = 0; k < d; k++)
            part += way[k] * (s->centre[c->cell[i]][k] - at[0][k]);
        part = fmin(fmax(part / square, 0.0), 1.0);
        c->material[i] = (struct carom_solid_material){(1.0 - part) * end[0].young + part * end[1].young,
                                                       (1.0 - part) * end[0].poisson + part * end[1].poisson,
                                                       (1.0 - part) * end[0].density + part * end[1].density};
    }
    return CAROM_OK;
}

/* --- a field out of a file ---------------------------------------------------------------------------------------- */

static enum carom_status check(struct carom_error *error, const char *what, size_t number, const double *m)
{
    if (m[0] > 0.0 && m[2] > 0.0 && m[1] > -1.0 && m[1] < 0.5)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_INPUT,
                           "%s %zu: young and density must be positive and poisson between -1 and 0.5, got %g, %g, %g",
                           what, number, m[0], m[2], m[1]);
}

static enum carom_status spread(struct carom_bind *b, struct carom_node *map, const struct carom_solid *s,
                                const struct choice *c)
{
    static const struct carom_bind_field field = {
        .array = {"young", "poisson", "density"},
        .narrays = 3,
        .columns = 3,
        .components = 1,
        .needed = 3,
        .text = {"x, y, young, poisson, density", "x, y, z, young, poisson, density"},
        .check = check};
    double *value = NULL;
    const enum carom_status status = carom_bind_solid_field(b, map, s, &field, &value);
    for (size_t i = 0; status == CAROM_OK && i < c->count; i++) {
        const double *m = value + 3 * c->cell[i];
        c->material[i] = (struct carom_solid_material){m[0], m[1], m[2]};
    }
    carom_memory_free(value);
    return status;
}

/* --- regions ------------------------------------------------------------------------------------------------------ */

static enum carom_status add_region(struct carom_bind *b, struct carom_node *node, struct carom_solid *s)
{
    struct choice c = {0};
    struct carom_node *material = carom_tree_find(node, "material"), *graded = carom_tree_find(node, "graded"),
                      *field = carom_tree_find(node, "field");
    if (carom_value_map_of(&b->r, node, &carom_keys_solid_region) != CAROM_OK)
        return b->r.error->status;
    if ((material != NULL) + (graded != NULL) + (field != NULL) != 1)
        return carom_value_wrong_key(&b->r, node,
                                     "what is this region made of? Give one of material, graded and field");
    enum carom_status status =
        carom_bind_solid_pick(b, node, s, graded != NULL || field != NULL, &c.count, &c.cell, NULL);
    c.material = status == CAROM_OK ? carom_memory_zeroed(c.count, sizeof *c.material) : NULL;
    if (status == CAROM_OK && c.material == NULL)
        status = carom_bind_memory(b);
    if (status == CAROM_OK && material != NULL)
        status = carom_bind_solid_regions_material(b, node, &c.material[0]);
    for (size_t i = 1; status == CAROM_OK && material != NULL && i < c.count; i++)
        c.material[i] = c.material[0];
    if (status == CAROM_OK && graded != NULL)
        status = grade(b, graded, s, &c);
    if (status == CAROM_OK && field != NULL)
        status = spread(b, field, s, &c);
    if (status == CAROM_OK)
        status = fill(b, node, s, &c);
    carom_memory_free_all(c.cell, c.material);
    return status;
}

enum carom_status carom_bind_solid_regions(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    struct carom_node *list = carom_tree_find(map, "regions");
    if (list != NULL && carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *node = list != NULL ? list->first : NULL; node != NULL; node = node->next)
        if (add_region(b, node, s) != CAROM_OK)
            return b->r.error->status;
    return CAROM_OK;
}
