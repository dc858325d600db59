/* What every elastic body is built on: room for its tables, and masses and stiffnesses from geometry and materials.
 * Monasse and Mariotti 2012: (6), (9), (11)-(13); the dilatation with the free volume in both places. Knows no
 * particular body: boxes and shells have files of their own. */
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "model/solid/solid.h"
#include "model/solid/solid_rates.h"
#include "model/solid/solid_sheet.h"
#include "model/solid/solid_slice.h"

#define CELLS ((size_t)400000000) /* cells are numbered by 32 bits; more do not fit into memory anyway */

enum carom_status carom_solid_mesh_check(const struct carom_solid_material *m, struct carom_error *error)
{
    if (!(m->young > 0.0) || !(m->young < HUGE_VAL))
        return carom_error_set(error, CAROM_E_INPUT, "young: must be positive, got %g", m->young);
    if (!(m->poisson > -1.0) || !(m->poisson < 0.5))
        return carom_error_set(error, CAROM_E_INPUT,
                               "poisson: must be between -1 and 0.5, both excluded, in an elastic solid, got %g",
                               m->poisson);
    if (!(m->density > 0.0) || !(m->density < HUGE_VAL))
        return carom_error_set(error, CAROM_E_INPUT, "density: must be positive, got %g", m->density);
    return CAROM_OK;
}

struct carom_solid *carom_solid_mesh_create(enum carom_solid_case kind, size_t n, size_t nlinks, size_t nsorts,
                                            size_t nshapes, size_t nfaces, struct carom_error *error)
{
    if (n == 0 || n > CELLS) {
        carom_error_set(error, CAROM_E_INPUT, "a solid has 1 to %zu cells, not %zu", CELLS, n);
        return NULL;
    }
    struct carom_solid *s = carom_memory_zeroed(1, sizeof *s);
    if (s) {
        s->kind = kind;
        s->dimension = kind == CAROM_SOLID_SPACE ? 3 : 2;
        s->wide = s->dimension == 3 ? 7 : 4;
        s->fast = s->dimension == 3 ? 6 : 3;
        s->depth = 1.0;
        s->n = n;
        s->nlinks = nlinks;
        s->nsorts = nsorts;
        s->nshapes = nshapes;
        s->nfaces = nfaces;
        s->centre = carom_memory_zeroed(n, sizeof *s->centre);
        s->sort = carom_memory_zeroed(n, sizeof *s->sort);
        s->link = carom_memory_zeroed(nlinks, sizeof *s->link);
        s->sorts = carom_memory_zeroed(nsorts, sizeof *s->sorts);
        s->shape = carom_memory_zeroed(nshapes, sizeof *s->shape);
        s->cut = carom_memory_zeroed(nshapes, sizeof *s->cut);
        s->face = carom_memory_zeroed(nfaces, sizeof *s->face);
    }
    if (s && s->centre && s->sort && s->link && s->sorts && s->shape && s->cut && s->face)
        return s;
    carom_solid_free(s);
    carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid of %zu cells", n);
    return NULL;
}

void carom_solid_mesh_lame(const struct carom_solid *s, const struct carom_solid_material *m, double *lambda,
                           double *mu)
{
    *mu = 0.5 * m->young / (1.0 + m->poisson);
    *lambda = m->young * m->poisson / ((1.0 + m->poisson) * (1.0 - 2.0 * m->poisson));
    if (s->kind == CAROM_SOLID_STRESS)
        *lambda = m->young * m->poisson / (1.0 - m->poisson * m->poisson);
}

static void ready_sort(const struct carom_solid *s, struct carom_solid_sort *sort)
{
    const struct carom_solid_material *m = &s->material[sort->material];
    carom_solid_mesh_lame(s, m, &sort->lambda, &sort->mu);
    sort->mass = m->density * sort->volume;
    sort->inverse_mass = 1.0 / sort->mass;
    for (int k = 0; k < 3; k++) {
        sort->inertia[k] = sort->mass * sort->gyration[k];
        sort->inverse_inertia[k] = 1.0 / sort->inertia[k];
    }
    sort->share = 1.0 / (sort->volume + s->dimension * sort->lambda / (2.0 * sort->mu) * sort->free);
}

/* two materials work in series: distances from the interface weigh their compliances */
static double series(double a, double share, double b)
{
    return 1.0 / (share / a + (1.0 - share) / b);
}

static void ready_shape(const struct carom_solid *s, const struct carom_solid_cut *cut, struct carom_solid_shape *shape)
{
    const struct carom_solid_material *a = &s->material[cut->material[0]], *b = &s->material[cut->material[1]];
    const double distance = carom_vec_norm(shape->apart);
    const double shear = series(a->young / (1.0 + a->poisson), cut->share, b->young / (1.0 + b->poisson));
    const double young = series(a->young, cut->share, b->young);
    shape->stiff = cut->area / distance * shear;
    /* Each side opens by its part of the compliance and dilates with that: so the energy is that of two layers, never
     * negative. */
    shape->part[0] = cut->area * cut->share * shear * (1.0 + a->poisson) / a->young;
    shape->part[1] = cut->area * (1.0 - cut->share) * shear * (1.0 + b->poisson) / b->young;
    if (s->dimension == 2) {
        shape->bend[0] = young * cut->bend[0];
        return;
    }
    /* bending E R / D about both axes of the interface, torsion E / (1 + nu) (R_s + R_t) / D about its normal */
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    const double polar = cut->bend[0] + cut->bend[1] + cut->bend[2];
    for (int k = 0; k < 6; k++)
        shape->bend[k] = young * cut->bend[k] +
                         shear * polar * shape->apart[row[k]] * shape->apart[column[k]] / (distance * distance);
}

/* for the links and shapes as they are now */
static bool ready_rates(struct carom_solid *s)
{
    carom_solid_rates_free(s->rates);
    s->rates = s->n <= CAROM_SOLID_GENERAL ? carom_solid_rates_create(s) : NULL;
    return s->rates || s->n > CAROM_SOLID_GENERAL;
}

enum carom_status carom_solid_mesh_ready(struct carom_solid *s, struct carom_error *error)
{
    for (size_t i = 0; i < s->nsorts; i++)
        ready_sort(s, &s->sorts[i]);
    for (size_t i = 0; i < s->nshapes; i++)
        ready_shape(s, &s->cut[i], &s->shape[i]);
    s->framed = false;
    s->gridded = s->grid.count[0] > 0 && !s->grid.shell && s->nmaterials == 1;
    for (size_t i = 0; i < s->nsorts; i++) {
        s->framed |= s->sorts[i].frame[0] != 1.0;
        if (!(s->sorts[i].share > 0.0) || !(s->sorts[i].mass > 0.0) || !(s->sorts[i].inertia[2] > 0.0))
            return carom_error_set(error, CAROM_E_INPUT, "a cell is too small or its material too light or stiff");
    }
    if (!carom_solid_sheet_ready(s) || !carom_solid_slice_ready(s) || !ready_rates(s))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid of %zu cells", s->n);
    s->reach = 0;
    for (size_t l = 0; l < s->nlinks; l++) {
        const size_t apart = s->link[l].cell[1] - s->link[l].cell[0];
        s->reach = apart > s->reach ? apart : s->reach;
    }
    return CAROM_OK;
}

bool carom_solid_mesh_ungrid(struct carom_solid *s)
{
    s->gridded = false;
    return carom_solid_slice_ready(s) && ready_rates(s);
}

size_t carom_solid_mesh_link(const struct carom_solid *s, size_t cell)
{
    size_t low = 0;
    CAROM_SORTED_FIRST(low, s->nlinks, s->link[middle].cell[0] < cell);
    return low;
}
