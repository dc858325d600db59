/* Bodies and their contacts for moving pictures. A sample has as many contacts as there are; if all of them are too
 * many, every sample keeps its largest forces up to a number that is the same for all, so that quiet samples stay whole
 * and the strongest chains are seen everywhere. */
#include "study/page/page_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/bodies/pieces.h"
#include "record/run_grains.h"

enum {
    MOST_BODIES = 300000,
    EXACT_BODIES = 5000,
    MOST_JOINTS = 5000,
    FRAME_BYTES = 16 + 8 * (1 + CAROM_GRAINS_TENSOR)
};

/* --- what stays as it is ----------------------------------------------------------------------------------------- */

/* corners, and the corners of faces by their numbers; a polygon is its own face */
static void write_faces(struct carom_page_json *json, const struct carom_convex *convex)
{
    carom_page_json_vector(json, "corners", *convex->corner, 3 * convex->ncorners);
    carom_page_json_open(json, "faces", '[');
    for (size_t f = 0; f < convex->nfaces; f++) {
        carom_page_json_open(json, NULL, '[');
        for (size_t k = 0; k < convex->face[f].count; k++)
            carom_page_json_count(json, NULL, convex->ring[convex->face[f].first + k]);
        carom_page_json_close(json, ']');
    }
    carom_page_json_close(json, ']');
}

/* part k of wall i; the parts of a compound are polygons or polyhedra in the axes of the whole */
static void write_wall(struct carom_page_json *json, const struct carom_bodies *b, size_t i, size_t k)
{
    static const char *const surfaces[] = {"ball", "plane", "box", "cylinder", "convex", "convex"};
    const struct carom_body *body = &b->body[i];
    carom_page_json_open(json, NULL, '{');
    carom_page_json_count(json, "body", i);
    carom_page_json_text(json, "surface", surfaces[body->surface]);
    carom_page_json_flag(json, "inside", body->inside);
    carom_page_json_flag(json, "free", !body->fixed);
    carom_page_json_number(json, "radius", body->radius);
    carom_page_json_vector(json, "at", body->at, 3);
    carom_page_json_vector(json, "size", body->size, 3);
    carom_page_json_vector(json, "normal", body->normal, 3);
    carom_page_json_vector(json, "turn", body->frame, 4);
    if (body->pieces || body->surface == CAROM_CONVEX)
        write_faces(json, body->pieces ? body->pieces->shape[k] : body->convex);
    carom_page_json_close(json, '}');
}

/* Walls one by one: everything but discs and spheres that others see from outside. */
static void write_walls(struct carom_page_json *json, const struct carom_bodies *b)
{
    carom_page_json_open(json, "walls", '[');
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; !carom_bodies_round(&b->body[i]) && k < (b->body[i].pieces ? b->body[i].pieces->n : 1); k++)
            write_wall(json, b, i, k);
    carom_page_json_close(json, ']');
}

/* some 200 bytes each; a picture of more than MOST_JOINTS would be all joints */
void carom_page_bodies_joints(struct carom_page_json *json, size_t count, const struct carom_joint *list)
{
    static const char *const kinds[CAROM_JOINTS] = {"hinge", "ball", "slider", "weld", "distance"};
    if (count == 0 || count > MOST_JOINTS)
        return;
    carom_page_json_open(json, "joints", '[');
    for (size_t i = 0; i < count; i++) {
        const struct carom_joint *joint = &list[i];
        carom_page_json_open(json, NULL, '{');
        carom_page_json_text(json, "kind", kinds[joint->kind]);
        carom_page_json_open(json, "bodies", '[');
        for (int side = 0; side < 2; side++)
            carom_page_json_number(json, NULL, joint->body[side] == CAROM_WORLD ? -1.0 : (double)joint->body[side]);
        carom_page_json_close(json, ']');
        carom_page_json_open(json, "at", '[');
        for (int side = 0; side < 2; side++)
            carom_page_json_vector(json, NULL, joint->at[side], 3);
        carom_page_json_close(json, ']');
        carom_page_json_vector(json, "axis", joint->axis, 3);
        carom_page_json_close(json, '}');
    }
    carom_page_json_close(json, ']');
}

static void write_domain(struct carom_page_json *json, const struct carom_bodies *b)
{
    if (!b->bounded)
        return;
    carom_page_json_open(json, "domain", '{');
    carom_page_json_vector(json, "low", b->low, b->dimension);
    carom_page_json_vector(json, "high", b->high, b->dimension);
    carom_page_json_open(json, "periodic", '[');
    for (size_t k = 0; k < b->dimension; k++)
        carom_page_json_number(json, NULL, b->periodic[k]);
    carom_page_json_close(json, ']');
    carom_page_json_close(json, '}');
}

enum carom_status carom_page_bodies_shape(struct carom_page_out *out, const struct carom_bodies *b,
                                          struct carom_error *error)
{
    carom_page_json_text(&out->json, "kind", "bodies");
    carom_page_json_count(&out->json, "n", b->n);
    carom_page_json_count(&out->json, "dimension", b->dimension);
    if (b->n > MOST_BODIES)
        return CAROM_OK;
    double *centre = carom_memory_zeroed(b->n, b->dimension * sizeof *centre);
    double *radius = carom_memory_zeroed(b->n, sizeof *radius);
    enum carom_status status = centre && radius ? CAROM_OK : carom_memory_error(error);
    if (status == CAROM_OK) {
        for (size_t i = 0; i < b->n; i++) {
            memcpy(centre + b->dimension * i, b->body[i].at, b->dimension * sizeof *centre);
            radius[i] = !carom_bodies_round(&b->body[i]) ? 0.0 : b->body[i].radius; /* 0: among the walls */
        }
        const enum carom_page_blob_type type = b->n > EXACT_BODIES ? CAROM_PAGE_BLOB_F32 : CAROM_PAGE_BLOB_F64;
        write_walls(&out->json, b);
        carom_page_bodies_joints(&out->json, b->njoints, b->joint);
        write_domain(&out->json, b);
        status = carom_page_blob_write(out, "centre", type, centre, b->dimension * b->n, error);
        if (status == CAROM_OK)
            status = carom_page_blob_write(out, "radius", type, radius, b->n, error);
    }
    carom_memory_free_all(radius, centre);
    return status;
}

/* --- contacts ---------------------------------------------------------------------------------------------------- */

/* One contact in a page. */
struct mark {
    uint32_t pair[2];
    double normal, tangential; /* force: along the normal, pressing positive, and across it */
    double point[3];
};

struct gathering {
    const struct carom_run_file *run;
    size_t tall, frames;
    uint64_t *line, *count; /* of each frame: the first of its lines in the file, and how many */
    size_t most;            /* that a frame may keep */
    uint32_t *first;        /* frames + 1, among the marks */
    double *largest;        /* force of each frame */
    struct carom_run_grains grains;
    bool placed;          /* places were recorded: there are the next two */
    size_t *ends;         /* of each body, for the next */
    double *coordination; /* of each frame */
    double (*fabric)[CAROM_GRAINS_TENSOR];
    struct mark *mark;
};

static size_t line_bytes(size_t dimension, bool exact)
{
    return 2 * sizeof(uint32_t) + 2 * (exact ? sizeof(double) : sizeof(float)) + sizeof(float) * dimension;
}

double carom_page_bodies_weight(const struct carom_run_file *run)
{
    const double lines = (double)run->touches.lines * (double)line_bytes(run->touches.dimension, true);
    return run->touches.there ? lines + (double)run->rows * FRAME_BYTES : 0.0;
}

static uint64_t kept_of(const struct gathering *g, size_t i, uint64_t most)
{
    return g->count[i] < most ? g->count[i] : most;
}

static double kept_in_all(const struct gathering *g, uint64_t most)
{
    double sum = 0.0;
    for (size_t i = 0; i < g->frames; i++)
        sum += (double)kept_of(g, i, most);
    return sum;
}

/* The largest number that every frame may keep within so many lines. */
static size_t find_most(const struct gathering *g, double lines)
{
    uint64_t low = 0, high = 1;
    for (size_t i = 0; i < g->frames; i++)
        high = g->count[i] > high ? g->count[i] : high;
    if (kept_in_all(g, high) <= lines)
        return (size_t)high;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (kept_in_all(g, middle) <= lines)
            low = middle;
        else
            high = middle;
    }
    return (size_t)low;
}

static struct mark mark_of(const struct carom_touch *touch, size_t dimension)
{
    struct mark m = {.pair = {(uint32_t)touch->pair[0], (uint32_t)touch->pair[1]}};
    double across = 0.0;
    for (size_t k = 0; k < dimension; k++) {
        m.normal += touch->force[k] * touch->normal[k];
        m.point[k] = touch->point[k];
    }
    for (size_t k = 0; k < dimension; k++) {
        const double part = touch->force[k] - m.normal * touch->normal[k];
        across += part * part;
    }
    m.tangential = sqrt(across);
    return m;
}

static double size_of(const struct mark *m)
{
    const double size = hypot(m->normal, m->tangential);
    return isnan(size) ? HUGE_VAL : size; /* must be seen */
}

/* larger forces first, else by bodies, so that pages of one run are the same */
static int compare_marks(const void *first, const void *second)
{
    const struct mark *a = first, *b = second;
    const double fa = size_of(a), fb = size_of(b);
    if (fa != fb)
        return fa > fb ? -1 : 1;
    if (a->pair[0] != b->pair[0])
        return a->pair[0] < b->pair[0] ? -1 : 1;
    return a->pair[1] < b->pair[1] ? -1 : a->pair[1] > b->pair[1];
}

/* the contacts of one frame; `touch` and `mark` have room for them */
static enum carom_status gather_frame(struct gathering *g, size_t i, struct carom_touch *touch, struct mark *mark,
                                      struct carom_error *error)
{
    const size_t count = (size_t)g->count[i], kept = (size_t)kept_of(g, i, g->most);
    const enum carom_status status =
        count > 0 ? carom_run_file_touches(g->run, g->line[i], count, touch, error) : CAROM_OK;
    if (status != CAROM_OK)
        return status;
    for (size_t j = 0; j < count; j++) {
        mark[j] = mark_of(&touch[j], g->run->touches.dimension);
        const double size = size_of(&mark[j]);
        g->largest[i] = size > g->largest[i] ? size : g->largest[i];
    }
    if (g->placed) {
        g->grains.moment = (struct carom_grains_moment){.place = g->grains.place, .ntouches = count, .touch = touch};
        g->coordination[i] = carom_run_grains_coordination(&g->grains, g->ends).mean;
        carom_grains_fabric(&g->grains.grains, NULL, &g->grains.moment, g->fabric[i]);
    }
    if (kept < count)
        qsort(mark, count, sizeof *mark, compare_marks);
    if (kept > 0)
        memcpy(g->mark + g->first[i], mark, kept * sizeof *mark);
    g->first[i + 1] = g->first[i] + (uint32_t)kept;
    return CAROM_OK;
}

static enum carom_status gather(struct gathering *g, struct carom_error *error)
{
    uint64_t widest = 1;
    for (size_t i = 0; i < g->frames; i++)
        widest = g->count[i] > widest ? g->count[i] : widest;
    struct carom_touch *touch = carom_memory_zeroed((size_t)widest, sizeof *touch);
    struct mark *mark = carom_memory_zeroed((size_t)widest, sizeof *mark);
    g->mark = carom_memory_zeroed((size_t)kept_in_all(g, g->most) + 1, sizeof *g->mark);
    enum carom_status status = touch && mark && g->mark ? CAROM_OK : carom_memory_error(error);
    for (size_t i = 0; i < g->frames && status == CAROM_OK; i++)
        status = gather_frame(g, i, touch, mark, error);
    carom_memory_free_all(mark, touch);
    return status;
}

/* The columns of all marks, one after the other through the same memory. */
static enum carom_status write_marks(struct carom_page_out *out, const struct gathering *g, bool exact,
                                     struct carom_error *error)
{
    const size_t n = g->first[g->frames], dimension = g->run->touches.dimension;
    const enum carom_page_blob_type type = exact ? CAROM_PAGE_BLOB_F64 : CAROM_PAGE_BLOB_F32;
    double *real = carom_memory_zeroed(n + 1, dimension * sizeof *real);
    uint32_t *pair = carom_memory_zeroed(n + 1, 2 * sizeof *pair);
    enum carom_status status = real && pair ? CAROM_OK : carom_memory_error(error);
    for (int column = 0; column < 2 && status == CAROM_OK; column++) {
        for (size_t i = 0; i < n; i++)
            real[i] = column == 0 ? g->mark[i].normal : g->mark[i].tangential;
        status = carom_page_blob_write(out, column == 0 ? "normal" : "tangential", type, real, n, error);
    }
    for (size_t i = 0; i < n && status == CAROM_OK; i++) {
        memcpy(pair + 2 * i, g->mark[i].pair, sizeof g->mark[i].pair);
        memcpy(real + dimension * i, g->mark[i].point, dimension * sizeof *real);
    }
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "point", CAROM_PAGE_BLOB_F32, real, dimension * n, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "pair", CAROM_PAGE_BLOB_U32, pair, 2 * n, error);
    carom_memory_free_all(pair, real);
    return status;
}

static enum carom_status write_gathered(struct carom_page_out *out, struct gathering *g, bool exact,
                                        struct carom_error *error)
{
    uint32_t *count = carom_memory_zeroed(g->frames + 1, sizeof *count);
    enum carom_status status = count ? CAROM_OK : carom_memory_error(error);
    for (size_t i = 0; i < g->frames && count; i++)
        count[i] = (uint32_t)g->count[i];
    carom_page_json_open(&out->json, "touches", '{');
    carom_page_json_count(&out->json, "tall", g->tall);
    carom_page_json_count(&out->json, "frames", g->frames);
    carom_page_json_count(&out->json, "most", g->most);
    carom_page_json_flag(&out->json, "whole", kept_in_all(g, g->most) == kept_in_all(g, UINT64_MAX));
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "count", CAROM_PAGE_BLOB_U32, count, g->frames, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "largest", CAROM_PAGE_BLOB_F64, g->largest, g->frames, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "first", CAROM_PAGE_BLOB_U32, g->first, g->frames + 1, error);
    if (status == CAROM_OK && g->placed)
        status = carom_page_blob_write(out, "coordination", CAROM_PAGE_BLOB_F64, g->coordination, g->frames, error);
    if (status == CAROM_OK && g->placed)
        status = carom_page_blob_write(out, "fabric", CAROM_PAGE_BLOB_F64, g->fabric, CAROM_GRAINS_TENSOR * g->frames,
                                       error);
    if (status == CAROM_OK)
        status = write_marks(out, g, exact, error);
    carom_page_json_close(&out->json, '}');
    carom_memory_free(count);
    return status;
}

enum carom_status carom_page_bodies_touches(struct carom_page_out *out, const struct carom_run_file *run, size_t tall,
                                            double bytes, struct carom_error *error)
{
    const size_t frames = run->rows > 0 ? (size_t)((run->rows - 1) / tall) + 1 : 0, d = run->touches.dimension;
    struct gathering g = {.run = run, .tall = tall, .frames = frames};
    g.placed = carom_run_grains_open(&g.grains, run, NULL) == CAROM_OK;
    g.ends = carom_memory_zeroed(g.placed ? g.grains.grains.n : 1, sizeof *g.ends);
    const bool room = carom_memory_together(CAROM_ROOM(g.line, frames + 1), CAROM_ROOM(g.count, frames + 1),
                                            CAROM_ROOM(g.first, frames + 1), CAROM_ROOM(g.largest, frames + 1),
                                            CAROM_ROOM(g.coordination, frames + 1), CAROM_ROOM(g.fabric, frames + 1)) &&
                      g.ends;
    enum carom_status status = room ? CAROM_OK : carom_memory_error(error);
    for (size_t i = 0; i < frames && status == CAROM_OK; i++)
        status = carom_run_file_touching(run, i * tall, &g.line[i], &g.count[i], error);
    if (status == CAROM_OK) {
        const double left = bytes - FRAME_BYTES * (double)frames;
        const bool exact = tall == 1 && kept_in_all(&g, UINT64_MAX) * (double)line_bytes(d, true) <= left;
        g.most = find_most(&g, left / (double)line_bytes(d, exact));
        status = gather(&g, error);
        if (status == CAROM_OK)
            status = write_gathered(out, &g, exact, error);
    }
    carom_run_grains_close(&g.grains);
    carom_memory_free_all(g.mark, g.ends, g.line);
    return status;
}
