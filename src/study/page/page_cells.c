/* Cells that are boxes or pieces of a shell, for the page: centres, corners by form (cells alike share one) and which
 * faces have no neighbour. */
#include "study/page/page_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A face by the place of its centre, in units of a thousandth of the body's smallest edge. */
struct face {
    int64_t place[3];
    uint32_t cell;
    uint8_t number;
};

static int compare_faces(const void *first, const void *second)
{
    const struct face *a = first, *b = second;
    for (int k = 0; k < 3; k++)
        if (a->place[k] != b->place[k])
            return a->place[k] < b->place[k] ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

static const uint8_t face_corners[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                           {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
static const uint8_t edge_corners[4][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}}; /* of cells in the plane */

/* The cells of a body that are recorded, and what can be seen of them. */
struct body {
    const struct carom_solid *solid;
    bool inside; /* are cells kept that cannot be seen? */
    size_t n, corners;
    uint8_t *mask; /* n: bit f: face f has no neighbour */
    uint32_t *kept;
    size_t nkept;
    uint32_t *form; /* nkept */
    size_t nforms, form_room;
    double *arm;    /* nforms x corners x 3 */
    double *centre; /* nkept x 3 */
    double edge;    /* the smallest */
};

static size_t cell_of(const struct body *b, size_t i)
{
    return b->solid->record ? b->solid->record[i] : i;
}

/* two faces at one place are the two sides of an interface */
static enum carom_status find_seen(struct body *b, struct carom_error *error)
{
    struct face *face = carom_memory_zeroed(b->n * 6, sizeof *face);
    if (!face)
        return carom_memory_error(error);
    for (size_t i = 0; i < b->n; i++) {
        double corner[8][3];
        carom_solid_corners(b->solid, cell_of(b, i), corner);
        for (uint8_t f = 0; f < 6; f++) {
            struct face *to = &face[6 * i + f];
            *to = (struct face){.cell = (uint32_t)i, .number = f};
            for (int k = 0; k < 3; k++) {
                double sum = 0.0;
                for (int j = 0; j < 4; j++)
                    sum += corner[face_corners[f][j]][k];
                to->place[k] = llround(0.25 * sum / (1e-3 * b->edge));
            }
        }
    }
    qsort(face, b->n * 6, sizeof *face, compare_faces);
    for (size_t i = 0; i < b->n * 6; i++) {
        const bool left = i > 0 && memcmp(face[i].place, face[i - 1].place, sizeof face->place) == 0;
        const bool right = i + 1 < b->n * 6 && memcmp(face[i].place, face[i + 1].place, sizeof face->place) == 0;
        if ((!left && !right) || b->solid->breaks) /* pieces show what was inside */
            b->mask[face[i].cell] |= (uint8_t)(1U << face[i].number);
    }
    carom_memory_free(face);
    return CAROM_OK;
}

/* The number of the form with these corners; SIZE_MAX: out of memory. The last forms are the likeliest. */
static size_t find_form(struct body *b, const double *arm)
{
    const size_t width = 3 * b->corners;
    for (size_t i = b->nforms; i > 0 && b->nforms - i < 512; i--) {
        double apart = 0.0;
        for (size_t k = 0; k < width; k++)
            apart = fmax(apart, fabs(arm[k] - b->arm[(i - 1) * width + k]));
        if (apart <= 1e-6 * b->edge)
            return i - 1;
    }
    if (!carom_memory_room(&b->arm, b->nforms, &b->form_room, 16, width * sizeof *b->arm))
        return SIZE_MAX;
    memcpy(b->arm + b->nforms * width, arm, width * sizeof *arm);
    return b->nforms++;
}

static enum carom_status describe_seen(struct body *b, struct carom_error *error)
{
    for (size_t i = 0; i < b->n; i++) {
        if (b->mask[i] == 0 && !b->inside)
            continue;
        const size_t cell = cell_of(b, i), at = b->nkept;
        double corner[8][3], arm[24];
        carom_solid_corners(b->solid, cell, corner);
        for (size_t j = 0; j < b->corners; j++)
            for (size_t k = 0; k < 3; k++)
                arm[3 * j + k] = corner[j][k] - b->solid->centre[cell][k];
        const size_t form = find_form(b, arm);
        if (form == SIZE_MAX)
            return carom_memory_error(error);
        b->form[at] = (uint32_t)form;
        b->kept[at] = (uint32_t)i;
        b->mask[at] = b->mask[i]; /* at <= i */
        memcpy(b->centre + 3 * at, b->solid->centre[cell], 3 * sizeof *b->centre);
        b->nkept++;
    }
    return CAROM_OK;
}

static double smallest_edge(const struct carom_solid *solid)
{
    double edge = HUGE_VAL;
    for (size_t i = 0; i < solid->nsorts; i++)
        for (int k = 0; k < solid->dimension; k++)
            edge = fmin(edge, solid->sorts[i].edge[k]);
    return edge > 0.0 && edge < HUGE_VAL ? edge : 1.0;
}

static enum carom_status write_body(struct carom_page_out *out, const struct body *b, struct carom_error *error)
{
    carom_page_json_count(&out->json, "corners", b->corners);
    enum carom_status status = carom_page_blob_write(out, "kept", CAROM_PAGE_BLOB_U32, b->kept, b->nkept, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "centre", CAROM_PAGE_BLOB_F32, b->centre, 3 * b->nkept, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "form", CAROM_PAGE_BLOB_U32, b->form, b->nkept, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "arm", CAROM_PAGE_BLOB_F32, b->arm, 3 * b->corners * b->nforms, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "mask", CAROM_PAGE_BLOB_U8, b->mask, b->nkept, error);
    return status;
}

enum carom_status carom_page_cells_write(struct carom_page_out *out, const struct carom_solid *solid, bool inside,
                                         uint32_t **kept, size_t *nkept, struct carom_error *error)
{
    struct body b = {.solid = solid, .inside = inside, .n = solid->record ? solid->nrecord : solid->n};
    b.edge = smallest_edge(solid);
    b.corners = solid->dimension == 3 ? 8 : 4;
    b.mask = carom_memory_zeroed(b.n, sizeof *b.mask);
    b.kept = carom_memory_zeroed(b.n, sizeof *b.kept);
    b.form = carom_memory_zeroed(b.n, sizeof *b.form);
    b.centre = carom_memory_zeroed(b.n, 3 * sizeof *b.centre);
    enum carom_status status = b.mask && b.kept && b.form && b.centre ? CAROM_OK : carom_memory_error(error);
    if (status == CAROM_OK && b.corners == 8)
        status = find_seen(&b, error);
    else if (status == CAROM_OK)
        memset(b.mask, 1, b.n);
    if (status == CAROM_OK)
        status = describe_seen(&b, error);
    if (status == CAROM_OK)
        status = write_body(out, &b, error);
    carom_memory_free_all(b.arm, b.centre, b.form, b.mask);
    *kept = b.kept;
    *nkept = b.nkept;
    return status;
}

size_t carom_page_cells_face(const struct carom_solid *solid, size_t cell, const double arm[3], double (*outline)[3])
{
    const size_t faces = solid->dimension == 3 ? 6 : 4, sides = solid->dimension == 3 ? 4 : 2;
    double corner[8][3], least = HUGE_VAL;
    carom_solid_corners(solid, cell, corner);
    for (size_t f = 0; f < faces; f++) {
        const uint8_t *of = solid->dimension == 3 ? face_corners[f] : edge_corners[f];
        double here[4][3], square = 0.0;
        for (size_t k = 0; k < 3; k++) {
            double middle = 0.0;
            for (size_t c = 0; c < sides; c++) {
                here[c][k] = corner[of[c]][k] - solid->centre[cell][k];
                middle += here[c][k] / (double)sides;
            }
            square += (middle - arm[k]) * (middle - arm[k]);
        }
        if (square < least) {
            least = square;
            memcpy(outline, here, sides * sizeof *outline);
        }
    }
    return sides;
}
