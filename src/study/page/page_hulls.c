/* Polygons of cells that are no boxes: all faces of recorded cells but those between two of them, unless cells inside
 * are shown, too. */
#include "study/page/page_parts.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "model/solid/solid_cells.h"

#define NOBODY UINT32_MAX

struct hulls {
    const struct carom_solid *s;
    const struct carom_mesh_look *look;
    bool inside;
    size_t n, npolygons, ncorners; /* recorded cells; what can be seen */
    uint32_t *number;              /* of every cell: among the recorded ones, or NOBODY */
    uint8_t *hidden;               /* of every face of every cell */
    uint32_t *kept, *owner;        /* owner: which kept cell a polygon is of */
    uint8_t *sides, *inner;
    double *centre, *outline;
    size_t nkept;
};

/* the face of a cell whose middle is nearest to a place, from the centre */
static size_t face_at(const struct carom_mesh_look *look, size_t cell, const double arm[3])
{
    size_t best = (size_t)look->face[cell];
    double least = HUGE_VAL;
    for (uint64_t f = look->face[cell]; f < look->face[cell + 1]; f++) {
        double middle[3] = {0.0, 0.0, 0.0}, square = 0.0;
        const double count = (double)(look->side[f + 1] - look->side[f]);
        for (uint64_t i = look->side[f]; i < look->side[f + 1]; i++)
            for (int k = 0; k < 3; k++)
                middle[k] += look->arm[look->point[cell] + look->corner[i]][k] / count;
        for (int k = 0; k < 3; k++)
            square += (middle[k] - arm[k]) * (middle[k] - arm[k]);
        if (square < least) {
            least = square;
            best = (size_t)f;
        }
    }
    return best;
}

static void hide(struct hulls *h)
{
    for (size_t l = 0; !h->s->breaks && l < h->s->nlinks; l++) { /* pieces show what was inside */
        const struct carom_solid_link *link = &h->s->link[l];
        const struct carom_solid_shape *shape = &h->s->shape[link->shape];
        if (h->number[link->cell[0]] == NOBODY || h->number[link->cell[1]] == NOBODY)
            continue;
        double back[3];
        for (int k = 0; k < 3; k++)
            back[k] = shape->arm[k] - shape->apart[k];
        h->hidden[face_at(h->look, link->cell[0], shape->arm)] = 1;
        h->hidden[face_at(h->look, link->cell[1], back)] = 1;
    }
}

/* counts what can be seen, or writes it down where there is room */
static void list(struct hulls *h)
{
    h->nkept = h->npolygons = h->ncorners = 0;
    for (size_t i = 0; i < h->n; i++) {
        const size_t cell = h->s->record ? h->s->record[i] : i;
        bool seen = false;
        for (uint64_t f = h->look->face[cell]; f < h->look->face[cell + 1]; f++) {
            if (h->hidden[f] && !h->inside)
                continue;
            for (uint64_t c = h->look->side[f]; c < h->look->side[f + 1]; c++, h->ncorners++)
                for (size_t k = 0; h->outline && k < 3; k++)
                    h->outline[3 * h->ncorners + k] = h->look->arm[h->look->point[cell] + h->look->corner[c]][k];
            if (h->outline) {
                h->owner[h->npolygons] = (uint32_t)h->nkept;
                h->sides[h->npolygons] = (uint8_t)(h->look->side[f + 1] - h->look->side[f]);
                h->inner[h->npolygons] = h->hidden[f];
            }
            h->npolygons++;
            seen = true;
        }
        if (seen && h->outline) {
            h->kept[h->nkept] = (uint32_t)i;
            memcpy(h->centre + 3 * h->nkept, h->s->centre[cell], 3 * sizeof *h->centre);
        }
        h->nkept += seen ? 1 : 0;
    }
}

static bool find(struct hulls *h)
{
    h->number = carom_memory_zeroed(h->s->n, sizeof *h->number);
    h->hidden = carom_memory_zeroed((size_t)h->look->face[h->s->n], 1);
    if (!h->number || !h->hidden)
        return false;
    for (size_t i = 0; i < h->s->n; i++)
        h->number[i] = h->s->record ? NOBODY : (uint32_t)i;
    for (size_t i = 0; h->s->record && i < h->n; i++)
        h->number[h->s->record[i]] = (uint32_t)i;
    hide(h);
    list(h);
    h->kept = carom_memory_zeroed(h->nkept, sizeof *h->kept);
    h->owner = carom_memory_zeroed(h->npolygons, sizeof *h->owner);
    h->sides = carom_memory_zeroed(h->npolygons, 1);
    h->inner = carom_memory_zeroed(h->npolygons, 1);
    h->centre = carom_memory_zeroed(3 * h->nkept, sizeof *h->centre);
    h->outline = carom_memory_zeroed(3 * h->ncorners, sizeof *h->outline);
    if (!h->kept || !h->owner || !h->sides || !h->inner || !h->centre || !h->outline)
        return false;
    list(h);
    return true;
}

static enum carom_status write(struct carom_page_out *out, const struct hulls *h, struct carom_error *error)
{
    enum carom_status status = carom_page_blob_write(out, "kept", CAROM_PAGE_BLOB_U32, h->kept, h->nkept, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "centre", CAROM_PAGE_BLOB_F32, h->centre, 3 * h->nkept, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "owner", CAROM_PAGE_BLOB_U32, h->owner, h->npolygons, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "sides", CAROM_PAGE_BLOB_U8, h->sides, h->npolygons, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "inner", CAROM_PAGE_BLOB_U8, h->inner, h->npolygons, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "arm", CAROM_PAGE_BLOB_F32, h->outline, 3 * h->ncorners, error);
    return status;
}

enum carom_status carom_page_hulls_write(struct carom_page_out *out, const struct carom_solid *solid, bool inside,
                                         uint32_t **kept, size_t *nkept, struct carom_error *error)
{
    struct hulls h = {.s = solid, .look = &solid->cells->look, .inside = inside};
    h.n = solid->record ? solid->nrecord : solid->n;
    const enum carom_status status =
        find(&h) ? write(out, &h, error) : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a page");
    carom_memory_free_all(h.number, h.hidden, h.owner, h.sides, h.inner, h.centre, h.outline);
    *kept = h.kept;
    *nkept = h.nkept;
    return status;
}

size_t carom_page_hulls_face(const struct carom_solid *solid, size_t cell, const double arm[3], size_t most,
                             double (*outline)[3])
{
    const struct carom_mesh_look *look = &solid->cells->look;
    const size_t f = face_at(look, cell, arm);
    size_t n = 0;
    for (uint64_t c = look->side[f]; c < look->side[f + 1] && n < most; c++, n++)
        for (size_t k = 0; k < 3; k++)
            outline[n][k] = look->arm[look->point[cell] + look->corner[c]][k];
    return n;
}
