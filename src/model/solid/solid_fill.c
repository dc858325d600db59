/* Other materials in parts of a body: sorts of cells and shapes of links multiply by the materials that meet in
 * them. Few are found in tables; where there are many, as in a body out of a field, every cell is a sort of its own and
 * every link a shape. */
#include <string.h>

#include "base/memory.h"
#include "model/solid/solid.h"

#define TABLE 4000000.0 /* the most entries of a table of what meets: 16 MB */

/* the number of what stands in line `at` of a table, or of the next one where there is no table */
static uint32_t *place(uint32_t *table, size_t at, uint32_t *none)
{
    *none = 0;
    return table ? &table[at] : none;
}

/* NULL and good: there are too many */
static uint32_t *make_table(double forms, double width, bool *good)
{
    uint32_t *table = NULL;
    if (forms * width <= TABLE) {
        table = carom_memory_zeroed((size_t)(forms * width), sizeof *table);
        *good = *good && table;
    }
    return table;
}

static size_t fewer(const uint32_t *table, size_t lines, size_t all)
{
    return table && lines < all ? lines : all;
}

static bool renumber_sorts(struct carom_solid *s, const uint32_t *made_of, size_t forms)
{
    const size_t width = s->nmaterials;
    bool good = true;
    uint32_t *line = make_table((double)forms, (double)width, &good), none;
    struct carom_solid_sort *table = carom_memory_zeroed(fewer(line, forms * width, s->n), sizeof *table);
    if (!good || !table) {
        carom_memory_free_all(line, table);
        return false;
    }
    size_t used = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct carom_solid_sort *old = carom_solid_sort_of(s, i);
        uint32_t *at = place(line, old->form * width + made_of[i], &none);
        if (*at == 0) {
            table[used] = *old;
            table[used].material = made_of[i];
            *at = (uint32_t)++used;
        }
        s->sort[i] = *at - 1;
    }
    carom_memory_free_all(line, s->sorts);
    s->sorts = table;
    s->nsorts = used;
    return true;
}

static bool renumber_shapes(struct carom_solid *s, size_t forms)
{
    const size_t width = s->nmaterials * s->nmaterials;
    bool good = true;
    uint32_t *line = make_table((double)forms, (double)s->nmaterials * (double)s->nmaterials, &good), none;
    const size_t room = fewer(line, forms * width, s->nlinks);
    struct carom_solid_shape *shape = carom_memory_zeroed(room, sizeof *shape);
    struct carom_solid_cut *cut = carom_memory_zeroed(room, sizeof *cut);
    if (!good || !shape || !cut) {
        carom_memory_free_all(line, shape, cut);
        return false;
    }
    size_t used = 0;
    for (size_t l = 0; l < s->nlinks; l++) {
        struct carom_solid_link *link = &s->link[l];
        const struct carom_solid_cut *old = &s->cut[link->shape];
        const uint32_t a = carom_solid_sort_of(s, link->cell[0])->material;
        const uint32_t b = carom_solid_sort_of(s, link->cell[1])->material;
        uint32_t *at = place(line, old->form * width + a * s->nmaterials + b, &none);
        if (*at == 0) {
            cut[used] = *old;
            cut[used].material[0] = a;
            cut[used].material[1] = b;
            shape[used] = s->shape[link->shape];
            *at = (uint32_t)++used;
        }
        link->shape = *at - 1;
    }
    carom_memory_free_all(line, s->shape, s->cut);
    s->shape = shape;
    s->cut = cut;
    s->nshapes = used;
    return true;
}

static size_t forms_of_sorts(const struct carom_solid *s)
{
    size_t most = 0;
    for (size_t i = 0; i < s->nsorts; i++)
        most = s->sorts[i].form >= most ? s->sorts[i].form + 1 : most;
    return most;
}

static size_t forms_of_cuts(const struct carom_solid *s)
{
    size_t most = 0;
    for (size_t i = 0; i < s->nshapes; i++)
        most = s->cut[i].form >= most ? s->cut[i].form + 1 : most;
    return most;
}

/* gives cells the materials that the body has */
static enum carom_status renumber(struct carom_solid *s, const uint32_t *made_of, struct carom_error *error)
{
    if (!renumber_sorts(s, made_of, forms_of_sorts(s)) || !renumber_shapes(s, forms_of_cuts(s)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    return carom_solid_mesh_ready(s, error);
}

static bool add_materials(struct carom_solid *s, size_t count, const struct carom_solid_material *material)
{
    if (!carom_memory_widen(&s->material, s->nmaterials, s->nmaterials + count, sizeof *s->material))
        return false;
    memcpy(s->material + s->nmaterials, material, count * sizeof *s->material);
    s->nmaterials += count;
    return true;
}

enum carom_status carom_solid_fill_each(struct carom_solid *s, size_t nmaterials,
                                        const struct carom_solid_material *material, const uint32_t *made_of,
                                        struct carom_error *error)
{
    if (!s || !material)
        return carom_error_missing(error);
    const size_t first = s->nmaterials;
    for (size_t i = 0; i < nmaterials; i++)
        if (carom_solid_mesh_check(&material[i], error) != CAROM_OK)
            return error ? error->status : CAROM_E_INPUT;
    uint32_t *number = carom_memory_zeroed(s->n, sizeof *number);
    bool good = number && add_materials(s, nmaterials, material);
    for (size_t i = 0; good && i < s->n; i++) {
        number[i] =
            made_of[i] == CAROM_SOLID_AS_IS ? carom_solid_sort_of(s, i)->material : (uint32_t)(first + made_of[i]);
        good = number[i] < s->nmaterials;
    }
    const enum carom_status status =
        good ? renumber(s, number, error) : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    carom_memory_free(number);
    return status;
}

enum carom_status carom_solid_fill(struct carom_solid *s, const struct carom_solid_material *material, size_t count,
                                   const uint32_t *cell, struct carom_error *error)
{
    if (!s || !material)
        return carom_error_missing(error);
    for (size_t i = 0; i < count; i++)
        if (cell[i] >= s->n)
            return carom_error_set(error, CAROM_E_INPUT, "there is no cell %u, they count from 0 to %zu",
                                   (unsigned)cell[i], s->n - 1);
    uint32_t *made_of = carom_memory_zeroed(s->n, sizeof *made_of);
    if (!made_of)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    memset(made_of, 0xff, s->n * sizeof *made_of); /* CAROM_SOLID_AS_IS */
    for (size_t i = 0; i < count; i++)
        made_of[cell[i]] = 0;
    const enum carom_status status = carom_solid_fill_each(s, 1, material, made_of, error);
    carom_memory_free(made_of);
    return status;
}
