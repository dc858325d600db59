/* Meshes out of drafts: cells are measured and looked at one by one, faces with the same nodes are found, what is left
 * becomes the surface. Everything that would make the body wrong is refused: cells that are flat, inverted, not convex
 * or have bent faces, faces of three cells, cells that overlap or touch without sharing a face (assemble_touch.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "base/vec.h"
#include "mesh/draft.h"

static const char what[] = "a mesh";

#define BENT 1e-4 /* how far the corners of a face may lie from its plane, of its size */
#define FLAT 1e-9 /* the least volume of a cell, of the cube of its size */

/* "line 7, cell 12" */
static struct carom_draft_name name_of(const struct carom_draft *d, size_t cell)
{
    return carom_assemble_touch_name(d, cell);
}

/* --- cells ----------------------------------------------------------------------------------------------------- */

static size_t places(const struct carom_draft *d, size_t face, double corner[CAROM_HULL_POINTS][3])
{
    const uint32_t *node;
    const size_t count = carom_draft_corners(d, face, &node);
    for (size_t i = 0; i < count; i++)
        memcpy(corner[i], d->node[node[i]], sizeof corner[i]);
    return count;
}

/* the middle of the corners of a cell, and how far the farthest is */
static double middle_of(const struct carom_draft *d, size_t first, size_t end, double middle[3])
{
    double sum[3] = {0.0, 0.0, 0.0}, count = 0.0, far = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t f = first; f < end; f++) {
            const uint32_t *node;
            const size_t n = carom_draft_corners(d, f, &node);
            for (size_t i = 0; i < n; i++) {
                double way[3];
                for (int k = 0; k < 3; k++) {
                    sum[k] += pass == 0 ? d->node[node[i]][k] : 0.0;
                    way[k] = pass == 1 ? d->node[node[i]][k] - middle[k] : 0.0;
                }
                count += pass == 0 ? 1.0 : 0.0;
                far = fmax(far, carom_vec_norm(way));
            }
            for (int k = 0; k < 3 && pass == 0; k++)
                middle[k] = sum[k] / count;
        }
    return far;
}

/* a face that looks inwards is turned round */
static void turn_round(struct carom_draft *d, size_t face)
{
    const uint32_t *node;
    const size_t count = carom_draft_corners(d, face, &node), first = d->face[face];
    for (size_t i = 0; 2 * i + 1 < count; i++) {
        const uint32_t kept = d->corner[first + i];
        d->corner[first + i] = d->corner[first + count - 1 - i];
        d->corner[first + count - 1 - i] = kept;
    }
}

/* all corners of a cell on the inner side of one of its faces? */
static bool is_convex(const struct carom_draft *d, size_t first, size_t end, const struct carom_facet *f, double size)
{
    for (size_t other = first; other < end; other++) {
        const uint32_t *node;
        const size_t count = carom_draft_corners(d, other, &node);
        for (size_t i = 0; i < count; i++) {
            double way[3];
            for (int k = 0; k < 3; k++)
                way[k] = d->node[node[i]][k] - f->centre[k];
            if (carom_vec_dot(way, f->normal) > BENT * size)
                return false;
        }
    }
    return true;
}

static enum carom_status measure_cell(struct carom_draft *d, size_t cell, struct carom_facet *facet,
                                      struct carom_bulk *bulk, struct carom_error *error)
{
    double corner[CAROM_HULL_POINTS][3], middle[3] = {0.0, 0.0, 0.0};
    size_t end;
    const size_t first = carom_draft_faces(d, cell, &end);
    const double size = middle_of(d, first, end, middle);
    carom_hull_bulk_begin(bulk, middle);
    for (size_t f = first; f < end; f++) {
        size_t count = places(d, f, corner);
        carom_hull_facet((const double(*)[3])corner, count, &facet[f]);
        double way[3];
        for (int k = 0; k < 3; k++)
            way[k] = facet[f].centre[k] - middle[k];
        if (d->loose && carom_vec_dot(way, facet[f].normal) < 0.0) {
            turn_round(d, f);
            count = places(d, f, corner);
            carom_hull_facet((const double(*)[3])corner, count, &facet[f]);
        }
        if (facet[f].off > BENT * sqrt(facet[f].area))
            return carom_error_set(error, CAROM_E_INPUT,
                                   "%s: a face of it is bent: its corners lie up to %.3g from a plane",
                                   name_of(d, cell).text, facet[f].off);
        carom_hull_bulk_add(bulk, (const double(*)[3])corner, count);
    }
    carom_hull_bulk_end(bulk);
    if (!isfinite(bulk->volume) || !isfinite(size * size * size))
        return carom_error_set(error, CAROM_E_INPUT,
                               "%s: a coordinate of it is too large, its volume is more than a number can hold",
                               name_of(d, cell).text);
    if (!(fabs(bulk->volume) > FLAT * size * size * size))
        return carom_error_set(error, CAROM_E_INPUT, "%s: it is flat, its volume is %.3g", name_of(d, cell).text,
                               bulk->volume);
    if (bulk->volume < 0.0)
        return carom_error_set(error, CAROM_E_INPUT,
                               "%s: it is inverted, its volume is %.3g: its nodes stand in the wrong order",
                               name_of(d, cell).text, bulk->volume);
    for (size_t f = first; f < end; f++)
        if (!is_convex(d, first, end, &facet[f], size))
            return carom_error_set(error, CAROM_E_INPUT, "%s: it is not convex", name_of(d, cell).text);
    return CAROM_OK;
}

/* --- faces ----------------------------------------------------------------------------------------------------- */

/* A face as others may have it too; panels come after faces of cells. */
struct key {
    uint32_t least[3], count, cell, face; /* cell NOBODY: a panel */
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->least[k] != y->least[k])
            return x->least[k] < y->least[k] ? -1 : 1;
    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return x->face < y->face ? -1 : x->face > y->face;
}

static bool is_same(const struct key *a, const struct key *b)
{
    return memcmp(a->least, b->least, sizeof a->least) == 0 && a->count == b->count;
}

static struct key *list_keys(const struct carom_draft *d, size_t *count)
{
    *count = d->faces.count + d->panels.count;
    struct key *key = carom_memory_zeroed(*count, sizeof *key);
    for (size_t cell = 0; key && cell < d->cells.count; cell++) {
        size_t end;
        for (size_t f = carom_draft_faces(d, cell, &end); f < end; f++) {
            const uint32_t *node;
            const size_t corners = carom_draft_corners(d, f, &node);
            key[f] = (struct key){.count = (uint32_t)corners, .cell = (uint32_t)cell, .face = (uint32_t)f};
            carom_draft_least(corners, node, key[f].least);
        }
    }
    for (size_t p = 0; key && p < d->panels.count; p++) {
        const struct carom_draft_panel *panel = &d->panel[p];
        struct key *to = &key[d->faces.count + p];
        *to = (struct key){.count = panel->count, .cell = CAROM_DRAFT_NOBODY, .face = (uint32_t)p};
        memcpy(to->least, panel->least, sizeof to->least);
    }
    if (key)
        qsort(key, *count, sizeof *key, compare_keys);
    return key;
}

/* sides by where they lie: all corners on a plane of the box around the body */
static uint32_t side_of(const struct carom_draft *d, size_t face, const double low[3], const double high[3])
{
    const uint32_t *node;
    const size_t count = carom_draft_corners(d, face, &node);
    for (int k = 0; k < 3; k++)
        for (int end = 0; end < 2; end++) {
            bool on = true;
            for (size_t i = 0; i < count; i++)
                on = on && fabs(d->node[node[i]][k] - (end == 0 ? low[k] : high[k])) <= 1e-6 * (high[k] - low[k]);
            if (on)
                return (uint32_t)(2 * k + end);
        }
    return CAROM_MESH_OUTSIDE;
}

/* the surface that names a face of the body */
static enum carom_status find_name(const struct carom_draft *d, const struct key *key, size_t count, uint32_t *side,
                                   struct carom_error *error)
{
    uint32_t first = CAROM_DRAFT_NOBODY;
    for (size_t i = 0; i < count; i++) {
        const struct carom_draft_panel *p = &d->panel[key[i].face];
        if (first != CAROM_DRAFT_NOBODY && p->surface != first)
            return carom_error_set(error, CAROM_E_INPUT,
                                   "line %u: a face belongs to %s and to %s: surfaces must not share faces",
                                   (unsigned)p->line, d->surface[first], d->surface[p->surface]);
        first = p->surface;
    }
    if (first != CAROM_DRAFT_NOBODY)
        *side = CAROM_MESH_NAMED + 1 + first;
    return CAROM_OK;
}

/* any order will do that is always the same: of a cube's faces only places tell */
static int compare_facets(const struct carom_facet *x, const struct carom_facet *y)
{
    if (x->area != y->area)
        return x->area < y->area ? -1 : 1;
    for (int k = 0; k < 3; k++)
        if (x->centre[k] != y->centre[k])
            return x->centre[k] < y->centre[k] ? -1 : 1;
    return 0;
}

static int compare_links(const void *a, const void *b)
{
    const struct carom_mesh_link *x = a, *y = b;
    for (int k = 0; k < 2; k++)
        if (x->cell[k] != y->cell[k])
            return x->cell[k] < y->cell[k] ? -1 : 1;
    return compare_facets(&x->facet, &y->facet);
}

static int compare_faces(const void *a, const void *b)
{
    const struct carom_mesh_face *x = a, *y = b;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return compare_facets(&x->facet, &y->facet);
}

static enum carom_status add_link(const struct carom_draft *d, const struct key *key, const struct carom_facet *facet,
                                  struct carom_mesh *m, struct carom_error *error)
{
    const struct carom_facet *f = &facet[key[0].face], *other = &facet[key[1].face];
    if (carom_vec_dot(f->normal, other->normal) > 0.0)
        return carom_error_set(error, CAROM_E_INPUT, "%s and %s lie on the same side of a face: they overlap",
                               name_of(d, key[0].cell).text, name_of(d, key[1].cell).text);
    m->link[m->nlinks++] = (struct carom_mesh_link){{key[0].cell, key[1].cell}, *f};
    return CAROM_OK;
}

static enum carom_status match(const struct carom_draft *d, const struct key *key, size_t count,
                               const struct carom_facet *facet, struct carom_mesh *m, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    double low[3], high[3];
    carom_draft_box(d, 0, d->faces.count, low, high); /* nodes that no cell has do not count */
    for (size_t i = 0, end; i < count && status == CAROM_OK; i = end) {
        size_t cells = 0;
        for (end = i; end < count && is_same(&key[i], &key[end]); end++)
            cells += key[end].cell != CAROM_DRAFT_NOBODY ? 1 : 0;
        if (cells > 2)
            status = carom_error_set(error, CAROM_E_INPUT, "%s, %s and %s share a face: cells overlap",
                                     name_of(d, key[i].cell).text, name_of(d, key[i + 1].cell).text,
                                     name_of(d, key[i + 2].cell).text);
        else if (cells == 2)
            status = add_link(d, &key[i], facet, m, error);
        else if (cells == 1) {
            struct carom_mesh_face *f = &m->face[m->nfaces++];
            *f = (struct carom_mesh_face){key[i].cell, side_of(d, key[i].face, low, high), facet[key[i].face]};
            status = find_name(d, &key[i + 1], end - i - 1, &f->side, error);
        }
    }
    qsort(m->link, m->nlinks, sizeof *m->link, compare_links);
    qsort(m->face, m->nfaces, sizeof *m->face, compare_faces);
    return status;
}

/* --- how cells look, and names --------------------------------------------------------------------------------- */

/* nodes of a cell, each once; returns how many, or 0 if there are too many */
static size_t own_nodes(const struct carom_draft *d, size_t first, size_t end, uint32_t own[CAROM_HULL_POINTS],
                        uint8_t *corner)
{
    size_t count = 0, at = 0;
    for (size_t f = first; f < end; f++) {
        const uint32_t *node;
        const size_t corners = carom_draft_corners(d, f, &node);
        for (size_t i = 0; i < corners; i++) {
            size_t k = 0;
            while (k < count && own[k] != node[i])
                k++;
            if (k == CAROM_HULL_POINTS)
                return 0;
            own[k] = node[i];
            count = k == count ? count + 1 : count;
            if (corner)
                corner[at++] = (uint8_t)k;
        }
    }
    return count;
}

static enum carom_status draw(const struct carom_draft *d, struct carom_mesh *m, struct carom_error *error)
{
    struct carom_mesh_look *look = &m->look;
    uint32_t own[CAROM_HULL_POINTS];
    if (!carom_memory_together(CAROM_ROOM(look->point, m->n + 1), CAROM_ROOM(look->face, m->n + 1),
                               CAROM_ROOM(look->side, d->faces.count + 1), CAROM_ROOM(look->corner, d->corners.count)))
        return carom_memory_error_for(error, what);
    for (size_t i = 0; i < m->n; i++) {
        size_t end;
        const size_t first = carom_draft_faces(d, i, &end);
        look->point[i + 1] = look->point[i] + own_nodes(d, first, end, own, look->corner + d->face[first]);
        look->face[i + 1] = end;
    }
    for (size_t f = 0; f < d->faces.count; f++)
        look->side[f] = d->face[f];
    look->side[d->faces.count] = d->corners.count;
    look->arm = carom_memory_zeroed(look->point[m->n], sizeof *look->arm);
    if (!look->arm)
        return carom_memory_error_for(error, what);
    for (size_t i = 0; i < m->n; i++) {
        size_t end;
        const size_t first = carom_draft_faces(d, i, &end), count = own_nodes(d, first, end, own, NULL);
        for (size_t p = 0; p < count; p++)
            for (int k = 0; k < 3; k++)
                look->arm[look->point[i] + p][k] = d->node[own[p]][k] - m->cell[i].centre[k];
    }
    return CAROM_OK;
}

static enum carom_status name_cells(const struct carom_draft *d, struct carom_mesh *m, struct carom_error *error)
{
    m->set = carom_memory_zeroed(d->sets.count, sizeof *m->set);
    m->surface = carom_memory_zeroed(d->surfaces.count, sizeof *m->surface);
    if (!m->set || !m->surface)
        return carom_memory_error_for(error, what);
    m->nsurfaces = d->surfaces.count;
    for (size_t i = 0; i < d->surfaces.count; i++)
        memcpy(m->surface[i], d->surface[i], sizeof m->surface[i]);
    for (size_t s = 0; s < d->sets.count; s++) {
        struct carom_mesh_set *to = &m->set[m->nsets];
        size_t used = 0;
        for (size_t i = 0; i < d->members.count; i++)
            to->count += d->member[i].set == s ? 1 : 0;
        if (to->count == 0)
            continue;
        to->cell = carom_memory_zeroed(to->count, sizeof *to->cell);
        m->nsets++;
        if (!to->cell)
            return carom_memory_error_for(error, what);
        to->count = 0;
        for (size_t i = 0; i < d->members.count; i++)
            if (d->member[i].set == s)
                to->cell[to->count++] = d->member[i].cell;
        qsort(to->cell, to->count, sizeof *to->cell, carom_sorted_numbers);
        for (size_t i = 0; i < to->count; i++)
            if (i == 0 || to->cell[i] != to->cell[used - 1])
                to->cell[used++] = to->cell[i];
        to->count = used;
        memcpy(to->name, d->set[s], sizeof to->name);
    }
    return CAROM_OK;
}

/* --- all of it ------------------------------------------------------------------------------------------------- */

static enum carom_status check_sizes(const struct carom_draft *d, struct carom_error *error)
{
    uint32_t own[CAROM_HULL_POINTS];
    if (d->cells.count == 0)
        return carom_error_set(error, CAROM_E_INPUT,
                               "it has no cells in space: tetrahedra, hexahedra, prisms, pyramids or polyhedra");
    for (size_t i = 0; i < d->cells.count; i++) {
        size_t end;
        const size_t first = carom_draft_faces(d, i, &end);
        bool good = end - first >= 4 && end - first <= CAROM_HULL_FACES && own_nodes(d, first, end, own, NULL) >= 4;
        for (size_t f = first; f < end && good; f++) {
            const uint32_t *node;
            const size_t count = carom_draft_corners(d, f, &node);
            good = count >= 3 && count <= CAROM_HULL_POINTS;
        }
        if (!good)
            return carom_error_set(error, CAROM_E_INPUT,
                                   "%s: a cell has 4 to %d faces of 3 or more corners, and at most %d corners",
                                   name_of(d, i).text, CAROM_HULL_FACES, CAROM_HULL_POINTS);
    }
    return CAROM_OK;
}

static enum carom_status fill(struct carom_draft *d, struct carom_facet *facet, struct carom_mesh *m,
                              struct carom_error *error)
{
    size_t count = 0;
    enum carom_status status = check_sizes(d, error);
    for (size_t i = 0; i < m->n && status == CAROM_OK; i++)
        status = measure_cell(d, i, facet, &m->cell[i], error);
    struct key *key = status == CAROM_OK ? list_keys(d, &count) : NULL;
    if (status == CAROM_OK)
        status = key ? match(d, key, count, facet, m, error) : carom_memory_error_for(error, what);
    carom_memory_free(key);
    if (status == CAROM_OK)
        status = carom_assemble_touch(d, facet, m, error);
    if (status == CAROM_OK)
        status = draw(d, m, error);
    return status == CAROM_OK ? name_cells(d, m, error) : status;
}

struct carom_mesh *carom_assemble(struct carom_draft *d, struct carom_error *error)
{
    struct carom_mesh *m = carom_memory_zeroed(1, sizeof *m);
    struct carom_facet *facet = carom_memory_zeroed(d->faces.count, sizeof *facet);
    enum carom_status status = CAROM_E_MEMORY;
    if (m && facet) {
        m->n = d->cells.count;
        m->cell = carom_memory_zeroed(m->n, sizeof *m->cell);
        m->link = carom_memory_zeroed(d->faces.count / 2 + 1, sizeof *m->link);
        m->face = carom_memory_zeroed(d->faces.count, sizeof *m->face);
        status = m->cell && m->link && m->face ? fill(d, facet, m, error) : carom_memory_error_for(error, what);
    } else {
        carom_memory_error_for(error, what);
    }
    carom_memory_free(facet);
    if (status == CAROM_OK)
        return m;
    carom_mesh_free(m);
    return NULL;
}
