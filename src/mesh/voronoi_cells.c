/* All cells of a Voronoi body, by blocks of them side by side on threads: their centres for the next pass of Lloyd, or
 * all they measure. Blocks gather what they find on their own and are put together in their order. */
#include "mesh/voronoi_cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "base/threads.h"
#include "base/vec.h"

enum { BLOCK = 2048 };
#define TINY 1e-10 /* of the square of a cell's size: faces below that are rounding */

static size_t blocks_of(const struct carom_voronoi_body *b)
{
    return (b->n + BLOCK - 1) / BLOCK;
}

static size_t end_of(const struct carom_voronoi_body *b, size_t block)
{
    return b->n < (block + 1) * BLOCK ? b->n : (block + 1) * BLOCK;
}

static enum carom_status report(size_t failed, struct carom_error *error)
{
    return carom_error_set(
        error, CAROM_E_NUMERIC,
        "Voronoi cell %zu cannot be cut out: two points are too close, or it has too many neighbours", failed);
}

/* --- centres --------------------------------------------------------------------------------------------------- */

struct centring {
    const struct carom_voronoi_body *b;
    double (*centre)[3];
    size_t *failed; /* of each block the first cell without a centre, or n */
};

/* the centre under the density spacing^-5, which makes Lloyd's cells as large as spacing says */
static void weighed_centre(const struct carom_outline *region, const struct carom_hull *hull, const double own[3],
                           double centre[3])
{
    double corner[CAROM_HULL_POINTS][3], mass = 0.0, sum[3] = {0.0, 0.0, 0.0};
    for (size_t f = 0; f < hull->nfaces; f++) {
        const size_t count = carom_hull_corners(hull, f, corner);
        for (size_t i = 1; i + 1 < count; i++) {
            double across[3], middle[3], place[3];
            carom_vec_cross(corner[i], corner[i + 1], across);
            for (int k = 0; k < 3; k++) {
                middle[k] = (corner[0][k] + corner[i][k] + corner[i + 1][k]) / 4.0;
                place[k] = own[k] + middle[k];
            }
            const double s = carom_outline_spacing(region, place);
            const double m = carom_vec_dot(corner[0], across) / (s * s * s * s * s);
            mass += m;
            for (int k = 0; k < 3; k++)
                sum[k] += m * middle[k];
        }
    }
    for (int k = 0; k < 3; k++)
        centre[k] = sum[k] / mass;
}

static void find_centres(void *own, size_t block)
{
    struct centring *c = own;
    const struct carom_voronoi_body *b = c->b;
    struct carom_hull hull;
    struct carom_bulk bulk;
    c->failed[block] = b->n;
    for (size_t i = block * BLOCK; i < end_of(b, block); i++) {
        if (!carom_voronoi_cut_cell(&b->cut, i, &hull)) {
            c->failed[block] = i;
            return;
        }
        if (b->region->nfine > 0) {
            weighed_centre(b->region, &hull, b->point[i], bulk.centre);
        } else {
            carom_hull_measure(&hull, &bulk);
        }
        for (int k = 0; k < 3; k++)
            c->centre[i][k] = b->point[i][k] + bulk.centre[k];
    }
}

enum carom_status carom_voronoi_cells_centres(const struct carom_voronoi_body *b, double (*centre)[3],
                                              struct carom_error *error)
{
    struct centring c = {b, centre, carom_memory_zeroed(blocks_of(b), sizeof *c.failed)};
    enum carom_status status = CAROM_OK;
    if (!c.failed)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for Voronoi cells");
    carom_threads_run(b->threads, find_centres, &c, blocks_of(b));
    for (size_t k = 0; k < blocks_of(b) && status == CAROM_OK; k++)
        if (c.failed[k] < b->n)
            status = report(c.failed[k], error);
    carom_memory_free(c.failed);
    return status;
}

/* --- meshes ---------------------------------------------------------------------------------------------------- */

struct piece {
    uint32_t cell, face; /* and which of its faces */
    int64_t label;
    struct carom_facet facet;
};

/* what a block has found: faces towards higher cells and to nobody, and how its cells look */
struct shard {
    size_t npieces, piece_room, npoints, point_room, nfaces, face_room, nsides, side_room, failed;
    struct piece *piece;
    double (*arm)[3];
    uint16_t *face; /* sides of each face */
    uint8_t *corner;
    uint16_t points[BLOCK], faces[BLOCK]; /* of each cell */
    bool starved;
};

struct meshing {
    const struct carom_voronoi_body *b;
    struct carom_mesh *mesh;
    struct shard *shard;
};

/* room for `more` beyond `used` */
static bool grow(void *block, size_t used, size_t more, size_t size, size_t *room)
{
    const size_t wanted = 2 * (used + more) + 1024;
    if (used + more <= *room)
        return true;
    const bool good = carom_memory_widen(block, *room, wanted, size);
    *room = good ? wanted : *room;
    return good;
}

static bool make_room(struct shard *s, const struct carom_hull *h)
{
    return grow(&s->piece, s->npieces, h->nfaces, sizeof *s->piece, &s->piece_room) &&
           grow(&s->arm, s->npoints, h->npoints, sizeof *s->arm, &s->point_room) &&
           grow(&s->face, s->nfaces, h->nfaces, sizeof *s->face, &s->face_room) &&
           grow(&s->corner, s->nsides, h->first[h->nfaces], 1, &s->side_room);
}

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return x->label != y->label ? CAROM_SORTED(x->label, y->label) : CAROM_SORTED(x->face, y->face);
}

static void keep_look(struct shard *s, size_t number, const struct carom_hull *h, const double centre[3])
{
    s->points[number] = (uint16_t)h->npoints;
    s->faces[number] = (uint16_t)h->nfaces;
    for (size_t p = 0; p < h->npoints; p++)
        for (int k = 0; k < 3; k++)
            s->arm[s->npoints + p][k] = h->point[p][k] - centre[k];
    for (size_t f = 0; f < h->nfaces; f++)
        s->face[s->nfaces + f] = (uint16_t)(h->first[f + 1] - h->first[f]);
    memcpy(s->corner + s->nsides, h->side, h->first[h->nfaces]);
    s->npoints += h->npoints;
    s->nfaces += h->nfaces;
    s->nsides += h->first[h->nfaces];
}

static void keep_pieces(struct shard *s, size_t cell, const struct carom_hull *h, const double own[3], double size)
{
    double corner[CAROM_HULL_POINTS][3];
    const size_t begin = s->npieces;
    for (size_t f = 0; f < h->nfaces; f++) {
        struct piece *p = &s->piece[s->npieces];
        if (h->label[f] >= 0 && h->label[f] < (int64_t)cell)
            continue; /* the other cell's to tell: both would say the same but for rounding */
        const size_t count = carom_hull_corners(h, f, corner);
        carom_hull_facet((const double(*)[3])corner, count, &p->facet);
        if (!(p->facet.area > TINY * size))
            continue;
        p->cell = (uint32_t)cell;
        p->face = (uint32_t)f;
        p->label = h->label[f];
        for (int k = 0; k < 3; k++)
            p->facet.centre[k] += own[k];
        s->npieces++;
    }
    qsort(s->piece + begin, s->npieces - begin, sizeof *s->piece, compare_pieces);
}

static void find_cells(void *own, size_t block)
{
    struct meshing *m = own;
    struct shard *s = &m->shard[block];
    const struct carom_voronoi_body *b = m->b;
    struct carom_hull hull;
    s->failed = b->n;
    for (size_t i = block * BLOCK; i < end_of(b, block); i++) {
        struct carom_bulk *bulk = &m->mesh->cell[i];
        if (!carom_voronoi_cut_cell(&b->cut, i, &hull)) {
            s->failed = i;
            return;
        }
        carom_hull_measure(&hull, bulk);
        if (!make_room(s, &hull)) {
            s->starved = true;
            return;
        }
        keep_look(s, i - block * BLOCK, &hull, bulk->centre);
        keep_pieces(s, i, &hull, b->point[i], carom_hull_reach(&hull));
        for (int k = 0; k < 3; k++)
            bulk->centre[k] += b->point[i][k];
    }
}

static uint32_t side_of(const struct carom_voronoi_body *b, int64_t label)
{
    if (label <= CAROM_VORONOI_WALL)
        return b->wall[CAROM_VORONOI_WALL - label].side;
    return label >= (int64_t)b->n ? b->side[label - (int64_t)b->n] : CAROM_MESH_OUTSIDE;
}

static bool is_link(const struct carom_voronoi_body *b, const struct piece *p)
{
    return p->label >= 0 && p->label < (int64_t)b->n;
}

static bool open_mesh(const struct meshing *m)
{
    struct carom_mesh *mesh = m->mesh;
    size_t points = 0, faces = 0, sides = 0;
    for (size_t k = 0; k < blocks_of(m->b); k++) {
        const struct shard *s = &m->shard[k];
        for (size_t p = 0; p < s->npieces; p++)
            *(is_link(m->b, &s->piece[p]) ? &mesh->nlinks : &mesh->nfaces) += 1;
        points += s->npoints;
        faces += s->nfaces;
        sides += s->nsides;
    }
    struct carom_mesh_look *look = &mesh->look;
    mesh->link = carom_memory_zeroed(mesh->nlinks, sizeof *mesh->link);
    mesh->face = carom_memory_zeroed(mesh->nfaces, sizeof *mesh->face);
    look->arm = carom_memory_zeroed(points, sizeof *look->arm);
    return mesh->link && mesh->face && look->arm &&
           carom_memory_together(CAROM_ROOM(look->point, mesh->n + 1), CAROM_ROOM(look->face, mesh->n + 1),
                                 CAROM_ROOM(look->side, faces + 1), CAROM_ROOM(look->corner, sides));
}

static void put_together(const struct meshing *m)
{
    struct carom_mesh *mesh = m->mesh;
    struct carom_mesh_look *look = &mesh->look;
    size_t link = 0, face = 0, point = 0, seen = 0, side = 0, cell = 0;
    for (size_t k = 0; k < blocks_of(m->b); k++) {
        const struct shard *s = &m->shard[k];
        for (size_t i = 0; i < s->npieces; i++) {
            const struct piece *p = &s->piece[i];
            if (is_link(m->b, p))
                mesh->link[link++] = (struct carom_mesh_link){{p->cell, (uint32_t)p->label}, p->facet};
            else
                mesh->face[face++] = (struct carom_mesh_face){p->cell, side_of(m->b, p->label), p->facet};
        }
        memcpy(look->arm + point, s->arm, s->npoints * sizeof *s->arm);
        memcpy(look->corner + side, s->corner, s->nsides);
        point += s->npoints;
        for (size_t f = 0; f < s->nfaces; f++, side += s->face[f - 1])
            look->side[seen + f] = side;
        seen += s->nfaces;
        for (size_t i = 0; cell < end_of(m->b, k); i++, cell++) {
            look->point[cell + 1] = look->point[cell] + s->points[i];
            look->face[cell + 1] = look->face[cell] + s->faces[i];
        }
    }
    look->side[seen] = side;
}

static enum carom_status gather(const struct meshing *m, struct carom_error *error)
{
    for (size_t k = 0; k < blocks_of(m->b); k++) {
        if (m->shard[k].starved)
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for Voronoi cells");
        if (m->shard[k].failed < m->b->n)
            return report(m->shard[k].failed, error);
    }
    if (!open_mesh(m))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for Voronoi cells");
    put_together(m);
    return CAROM_OK;
}

struct carom_mesh *carom_voronoi_cells_mesh(const struct carom_voronoi_body *b, struct carom_error *error)
{
    const size_t blocks = blocks_of(b);
    struct meshing m = {b, carom_memory_zeroed(1, sizeof *m.mesh), carom_memory_zeroed(blocks, sizeof *m.shard)};
    enum carom_status status = CAROM_E_MEMORY;
    if (m.mesh) {
        m.mesh->n = b->n;
        m.mesh->cell = carom_memory_zeroed(b->n, sizeof *m.mesh->cell);
    }
    if (m.mesh && m.mesh->cell && m.shard) {
        carom_threads_run(b->threads, find_cells, &m, blocks);
        status = gather(&m, error);
    } else {
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for Voronoi cells");
    }
    for (size_t k = 0; m.shard && k < blocks; k++) {
        carom_memory_free_all(m.shard[k].piece, m.shard[k].arm, m.shard[k].face, m.shard[k].corner);
    }
    carom_memory_free(m.shard);
    if (status == CAROM_OK)
        return m.mesh;
    carom_mesh_free(m.mesh);
    return NULL;
}
