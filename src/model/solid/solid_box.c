/* Boxes of equal cells, in the plane and in space. Cells are numbered with x running fastest; a cell's links go to
 * its neighbours with larger numbers, so that links rise with their first cell. */
#include "base/memory.h"
#include "model/solid/solid.h"

struct lattice {
    int dimension;
    size_t count[3], step[3];
    double edge[3];
    double area[3]; /* of the face across each axis */
    double volume;
};

static enum carom_status measure(struct lattice *g, enum carom_solid_case kind, const size_t count[3],
                                 const double size[3], double depth, struct carom_error *error)
{
    double cells = 1.0;
    g->dimension = kind == CAROM_SOLID_SPACE ? 3 : 2;
    for (int k = 0; k < 3; k++) {
        g->count[k] = k < g->dimension ? count[k] : 1;
        g->edge[k] = k < g->dimension ? size[k] / (double)count[k] : depth;
        if (g->count[k] == 0 || !(g->edge[k] > 0.0) || !(g->edge[k] < HUGE_VAL))
            return carom_error_set(error, CAROM_E_INPUT,
                                   "a solid needs at least one cell and a positive size along each axis, got %zu cells "
                                   "on %g along %c",
                                   g->count[k], k < g->dimension ? size[k] : depth, "xyz"[k]);
        cells *= (double)g->count[k];
    }
    if (cells > 4e8)
        return carom_error_set(error, CAROM_E_INPUT, "a solid has at most 4e8 cells, not %.3g", cells);
    g->step[0] = 1;
    g->step[1] = g->count[0];
    g->step[2] = g->count[0] * g->count[1];
    g->volume = g->edge[0] * g->edge[1] * g->edge[2];
    for (int k = 0; k < 3; k++)
        g->area[k] = g->volume / g->edge[k];
    return CAROM_OK;
}

/* bit 2 k: nothing before the cell along axis k; bit 2 k + 1: nothing after it */
static unsigned free_faces(const struct lattice *g, const size_t at[3])
{
    unsigned mask = 0;
    for (int k = 0; k < g->dimension; k++)
        mask |= (at[k] == 0 ? 1U << (2 * k) : 0U) | (at[k] + 1 == g->count[k] ? 2U << (2 * k) : 0U);
    return mask;
}

/* the sort of a cell by its free faces: each has a pyramid (triangle) of volume V / (2 d) */
static void make_sort(const struct lattice *g, unsigned mask, struct carom_solid_sort *sort)
{
    *sort = (struct carom_solid_sort){.frame = {1.0, 0.0, 0.0, 0.0}, .volume = g->volume, .form = mask};
    for (int k = 0; k < 3; k++) {
        const double a = g->edge[(k + 1) % 3], b = g->edge[(k + 2) % 3];
        sort->edge[k] = g->edge[k];
        sort->gyration[k] = (a * a + b * b) / 12.0;
    }
    for (int f = 0; f < 2 * g->dimension; f++)
        if (mask >> f & 1U)
            sort->free += g->volume / (2.0 * g->dimension);
}

/* the link along axis k: bending about the other two axes */
static void make_cut(const struct lattice *g, int k, struct carom_solid_cut *cut, struct carom_solid_shape *shape)
{
    *cut = (struct carom_solid_cut){.area = g->area[k], .share = 0.5, .form = (uint32_t)k};
    *shape = (struct carom_solid_shape){.stiff = 0.0};
    shape->apart[k] = g->edge[k];
    shape->arm[k] = 0.5 * g->edge[k];
    if (g->dimension == 2) {
        const double across = g->edge[1 - k];
        cut->bend[0] = g->edge[2] * across * across * across / (12.0 * g->edge[k]);
        return;
    }
    const int s = (k + 1) % 3, t = (k + 2) % 3;
    cut->bend[s] = g->edge[s] * g->edge[t] * g->edge[t] * g->edge[t] / (12.0 * g->edge[k]);
    cut->bend[t] = g->edge[t] * g->edge[s] * g->edge[s] * g->edge[s] / (12.0 * g->edge[k]);
}

static void add_faces(struct carom_solid *s, const struct lattice *g, size_t cell, unsigned mask, size_t *next)
{
    static const enum carom_solid_side plane[4] = {CAROM_SOLID_LEFT, CAROM_SOLID_RIGHT, CAROM_SOLID_BOTTOM,
                                                   CAROM_SOLID_TOP};
    for (unsigned f = 0; f < 2U * (unsigned)g->dimension; f++) {
        if (!(mask >> f & 1U))
            continue;
        const unsigned k = f / 2;
        const double sign = f % 2 == 0 ? -1.0 : 1.0;
        struct carom_solid_face *face = &s->face[(*next)++];
        *face = (struct carom_solid_face){.cell = (uint32_t)cell,
                                          .side = g->dimension == 2 ? plane[f] : f,
                                          .area = g->area[k],
                                          .volume = g->volume / (2.0 * g->dimension)};
        face->arm[k] = sign * 0.5 * g->edge[k];
        face->normal[k] = sign;
    }
}

/* everything of one cell but its sort */
static void fill_cell(struct carom_solid *s, const struct lattice *g, const double origin[3], const size_t at[3],
                      size_t cell, size_t *link, size_t *face)
{
    for (int k = 0; k < 3; k++)
        s->centre[cell][k] = k < g->dimension ? origin[k] + ((double)at[k] + 0.5) * g->edge[k] : 0.0;
    for (int k = 0; k < g->dimension; k++)
        if (at[k] + 1 < g->count[k])
            s->link[(*link)++] =
                (struct carom_solid_link){{(uint32_t)cell, (uint32_t)(cell + g->step[k])}, (uint32_t)k};
    add_faces(s, g, cell, free_faces(g, at), face);
}

struct carom_solid *carom_solid_box(enum carom_solid_case kind, const size_t count[3], const double size[3],
                                    const double origin[3], double depth, const struct carom_solid_material *material,
                                    struct carom_error *error)
{
    if (!count || !size || !origin || !material)
        return carom_error_missing(error), NULL;
    struct lattice g = {0};
    if (carom_solid_mesh_check(material, error) != CAROM_OK || measure(&g, kind, count, size, depth, error) != CAROM_OK)
        return NULL;
    const size_t n = g.count[0] * g.count[1] * g.count[2];
    size_t nlinks = 0, nfaces = 0;
    for (int k = 0; k < g.dimension; k++) {
        nlinks += n / g.count[k] * (g.count[k] - 1);
        nfaces += 2 * (n / g.count[k]);
    }
    struct carom_solid *s = carom_solid_mesh_create(kind, n, nlinks, 64, 3, nfaces, error);
    if (!s)
        return NULL;
    s->depth = depth;
    s->material = carom_memory_zeroed(1, sizeof *s->material);
    s->nmaterials = 1;
    s->grid = (struct carom_solid_grid){.shell = false};
    for (int k = 0; k < 3; k++) {
        s->grid.count[k] = g.count[k];
        s->grid.edge[k] = g.edge[k];
        s->grid.origin[k] = k < g.dimension ? origin[k] : 0.0;
    }
    if (!s->material) {
        carom_solid_free(s);
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
        return NULL;
    }
    s->material[0] = *material;
    for (unsigned mask = 0; mask < 64; mask++)
        make_sort(&g, mask, &s->sorts[mask]);
    for (int k = 0; k < 3; k++)
        make_cut(&g, k < g.dimension ? k : 0, &s->cut[k], &s->shape[k]);
    size_t link = 0, face = 0, at[3] = {0, 0, 0};
    for (size_t cell = 0; cell < n; cell++) {
        fill_cell(s, &g, origin, at, cell, &link, &face);
        s->sort[cell] = free_faces(&g, at);
        for (int k = 0; k < 3 && ++at[k] == g.count[k]; k++)
            at[k] = 0;
    }
    if (carom_solid_mesh_ready(s, error) != CAROM_OK) {
        carom_solid_free(s);
        return NULL;
    }
    return s;
}
