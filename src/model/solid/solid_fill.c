/* Other materials in parts of a body: sorts of cells and shapes of links multiply by the materials that meet in
 * them. */
#include <string.h>

#include "base/memory.h"
#include "model/solid/solid.h"

static bool renumber_sorts(struct carom_solid *s, const uint32_t *made_of, size_t forms)
{
    const size_t width = s->nmaterials;
    uint32_t *line = carom_memory_zeroed(forms * width, sizeof *line);
    struct carom_solid_sort *table = carom_memory_zeroed(forms * width, sizeof *table);
    if (!line || !table) {
        carom_memory_free(line);
        carom_memory_free(table);
        return false;
    }
    size_t used = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct carom_solid_sort *old = carom_solid_sort_of(s, i);
        uint32_t *at = &line[old->form * width + made_of[i]];
        if (*at == 0) {
            table[used] = *old;
            table[used].material = made_of[i];
            *at = (uint32_t)++used;
        }
        s->sort[i] = *at - 1;
    }
    carom_memory_free(line);
    carom_memory_free(s->sorts);
    s->sorts = table;
    s->nsorts = used;
    return true;
}

static bool renumber_shapes(struct carom_solid *s, size_t forms)
{
    const size_t width = s->nmaterials * s->nmaterials;
    uint32_t *line = carom_memory_zeroed(forms * width, sizeof *line);
    struct carom_solid_shape *shape = carom_memory_zeroed(forms * width, sizeof *shape);
    struct carom_solid_cut *cut = carom_memory_zeroed(forms * width, sizeof *cut);
    if (!line || !shape || !cut) {
        carom_memory_free(line);
        carom_memory_free(shape);
        carom_memory_free(cut);
        return false;
    }
    size_t used = 0;
    for (size_t l = 0; l < s->nlinks; l++) {
        struct carom_solid_link *link = &s->link[l];
        const struct carom_solid_cut *old = &s->cut[link->shape];
        const uint32_t a = carom_solid_sort_of(s, link->cell[0])->material;
        const uint32_t b = carom_solid_sort_of(s, link->cell[1])->material;
        uint32_t *at = &line[old->form * width + a * s->nmaterials + b];
        if (*at == 0) {
            cut[used] = *old;
            cut[used].material[0] = a;
            cut[used].material[1] = b;
            shape[used] = s->shape[link->shape];
            *at = (uint32_t)++used;
        }
        link->shape = *at - 1;
    }
    carom_memory_free(line);
    carom_memory_free(s->shape);
    carom_memory_free(s->cut);
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

enum carom_status carom_solid_fill(struct carom_solid *s, const struct carom_solid_material *material, size_t count,
                                   const uint32_t *cell, struct carom_error *error)
{
    if (carom_solid_mesh_check(material, error) != CAROM_OK)
        return error ? error->status : CAROM_E_INPUT;
    for (size_t i = 0; i < count; i++)
        if (cell[i] >= s->n)
            return carom_error_set(error, CAROM_E_INPUT, "there is no cell %u, they count from 0 to %zu",
                                   (unsigned)cell[i], s->n - 1);
    struct carom_solid_material *grown =
        carom_memory_grow(s->material, s->nmaterials, s->nmaterials + 1, sizeof *grown);
    uint32_t *made_of = carom_memory_zeroed(s->n, sizeof *made_of);
    bool good = grown && made_of;
    if (grown) {
        s->material = grown;
        grown[s->nmaterials] = *material;
    }
    if (good) {
        for (size_t i = 0; i < s->n; i++)
            made_of[i] = carom_solid_sort_of(s, i)->material;
        for (size_t i = 0; i < count; i++)
            made_of[cell[i]] = (uint32_t)s->nmaterials;
        s->nmaterials++;
        good = renumber_sorts(s, made_of, forms_of_sorts(s)) && renumber_shapes(s, forms_of_cuts(s));
    }
    carom_memory_free(made_of);
    if (!good)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    return carom_solid_mesh_ready(s, error);
}
