/* Makes recorded items fit into a page. In this order, whichever fits first: all numbers as they are; all numbers in
 * single precision; a few bodies through all time (where even that is too long: smallest and largest of each stretch of
 * time) and beside them a picture of all, which is, for bodies in a row, the value farthest from zero of each block of
 * neighbours and samples, and for cells of a solid and bodies in plane and space one sample in every few of those that
 * can be seen. */
#include "study/page/page_parts.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { BLOCK_BYTES = 4 << 20, TIMES = 1 << 18, SERIES = 12, PICTURE = 1000 };

static size_t ceiling(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- times ------------------------------------------------------------------------------------------------------- */

enum carom_status carom_page_item_times(struct carom_page_out *out, const struct carom_run_file *run,
                                        struct carom_error *error)
{
    const size_t rows = (size_t)run->rows, stride = rows > TIMES ? ceiling(rows, TIMES) : 1;
    const size_t count = rows > 0 ? (rows - 1) / stride + 1 : 0;
    double *kept = carom_memory_zeroed(count + 1, sizeof *kept), *block = carom_memory_zeroed(TIMES, sizeof *block);
    enum carom_status status = kept && block ? CAROM_OK : carom_memory_error(error);
    size_t used = 0;
    for (size_t first = 0; first < rows && status == CAROM_OK; first += TIMES) {
        const size_t now = smaller(TIMES, rows - first);
        status = carom_run_file_times(run, first, now, block, error);
        for (size_t i = 0; i < now && status == CAROM_OK; i++) {
            if ((first + i) % stride == 0)
                kept[used++] = block[i];
            if (first + i + 1 == rows)
                kept[count] = block[i]; /* the end itself, where strides pass it by */
        }
    }
    if (status == CAROM_OK) {
        carom_page_json_open(&out->json, "time", '{');
        carom_page_json_count(&out->json, "stride", stride);
        carom_page_json_number(&out->json, "end", rows > 0 ? kept[count] : 0.0);
        status = carom_page_blob_write(out, "array", CAROM_PAGE_BLOB_F64, kept, count, error);
        carom_page_json_close(&out->json, '}');
    }
    carom_memory_free_all(block, kept);
    return status;
}

/* The largest size of what belongs together, such as the speed of a body: pages tell it whatever they leave out. */
static double largest_size(double largest, const double *value, size_t count, size_t depth)
{
    for (size_t i = 0; i + depth <= count; i += depth) {
        double square = 0.0;
        for (size_t k = 0; k < depth; k++)
            square += value[i + k] * value[i + k];
        largest = square < HUGE_VAL ? fmax(largest, sqrt(square)) : largest;
    }
    return largest;
}

static size_t depth_of(const struct carom_run_item *item)
{
    return item->depth > 0 ? item->depth : 1;
}

/* --- all numbers ------------------------------------------------------------------------------------------------- */

static enum carom_status write_all(struct carom_page_out *out, const struct carom_run_file *run,
                                   const struct carom_run_item *item, enum carom_page_blob_type type,
                                   struct carom_error *error)
{
    const size_t count = (size_t)run->rows * item->width;
    double *value = carom_memory_zeroed(count, sizeof *value);
    enum carom_status status =
        value ? carom_run_file_read(run, item, 0, run->rows, value, error) : carom_memory_error(error);
    if (status == CAROM_OK) {
        carom_page_json_number(&out->json, "largest", largest_size(0.0, value, count, depth_of(item)));
        status = carom_page_blob_write(out, "all", type, value, count, error);
    }
    carom_memory_free(value);
    return status;
}

/* --- a few bodies through all time, and a picture ---------------------------------------------------------------- */

struct reduction {
    const struct carom_run_item *item;
    const struct carom_page_item_room *room;
    size_t rows;
    size_t nseries, column[SERIES];
    size_t stretch, nstretches; /* samples whose extremes are kept; 1: all samples are kept */
    double *series;             /* nseries x (nstretches x 2, or rows) */
    size_t tall, wide;          /* samples and columns of a block; what can be seen: every tall-th sample */
    size_t down, across;        /* blocks; what can be seen: samples and numbers */
    double *picture;            /* down x across; NULL: there is none */
    double largest;
};

static void plan_series(struct reduction *r)
{
    const size_t depth = depth_of(r->item), bodies = r->item->width / depth;
    const size_t most = smaller(bodies, SERIES / depth > 0 ? SERIES / depth : 1);
    for (size_t i = 0; i < most; i++)
        for (size_t k = 0; k < depth && r->nseries < SERIES; k++)
            r->column[r->nseries++] = (most > 1 ? i * (bodies - 1) / (most - 1) : 0) * depth + k;
    const double numbers = r->room->bytes / (r->item->width > 1 ? 2.0 : 1.0) / 4.0 / (double)r->nseries;
    const size_t fit = numbers > 64.0 ? (size_t)numbers : 64;
    r->stretch = r->rows <= fit ? 1 : ceiling(r->rows, fit / 2);
    r->nstretches = ceiling(r->rows, r->stretch);
}

static void plan_picture(struct reduction *r)
{
    const size_t length = r->nseries * (r->stretch == 1 ? r->rows : 2 * r->nstretches);
    const double bytes = r->room->bytes - 4.0 * (double)length; /* what the series leave */
    if (r->item->width < 2)
        return;
    if (r->room->nkept > 0) { /* two bytes a number */
        r->across = r->room->nkept * r->item->depth;
        const double fit = bytes / 2.0 / (double)r->across;
        const size_t frames = fit < 2.0 ? 2 : fit < (double)r->rows ? (size_t)fit : r->rows;
        r->tall = ceiling(r->rows, frames);
        r->tall = r->tall > r->room->tall ? r->tall : r->room->tall;
        r->wide = 1;
    } else {
        const size_t columns = smaller(r->item->width, PICTURE);
        r->wide = ceiling(r->item->width, columns);
        r->across = ceiling(r->item->width, r->wide);
        const double fit = bytes / 4.0 / (double)r->across;
        const size_t lines = smaller(smaller(r->rows, PICTURE), fit < 8.0 ? 8 : (size_t)fit);
        r->tall = ceiling(r->rows, lines);
    }
    r->down = ceiling(r->rows, r->tall);
}

/* one row of all numbers goes into the series and the picture; a NaN wins, it must be seen */
static void take(struct reduction *r, size_t row, const double *value)
{
    const size_t at = row / r->stretch;
    for (size_t i = 0; i < r->nseries; i++) {
        const double x = value[r->column[i]];
        if (r->stretch == 1) {
            r->series[i * r->rows + row] = x;
            continue;
        }
        double *low = r->series + 2 * (i * r->nstretches + at), *high = low + 1;
        const bool first = row % r->stretch == 0;
        *low = first || x < *low || isnan(x) ? x : *low;
        *high = first || x > *high || isnan(x) ? x : *high;
    }
    if (!r->picture)
        return;
    double *line = r->picture + row / r->tall * r->across;
    if (r->room->nkept > 0) {
        const size_t depth = r->item->depth;
        for (size_t i = 0; row % r->tall == 0 && i < r->room->nkept; i++)
            memcpy(line + i * depth, value + (r->room->kept ? r->room->kept[i] : i) * depth, depth * sizeof *line);
        return;
    }
    for (size_t j = 0; j < r->item->width; j++)
        if (fabs(value[j]) > fabs(line[j / r->wide]) || isnan(value[j]))
            line[j / r->wide] = value[j];
}

static enum carom_status read_through(struct reduction *r, const struct carom_run_file *run, struct carom_error *error)
{
    const size_t fit = BLOCK_BYTES / sizeof(double) / r->item->width, block = fit > 0 ? fit : 1;
    double *value = carom_memory_zeroed(block * r->item->width, sizeof *value);
    enum carom_status status = value ? CAROM_OK : carom_memory_error(error);
    for (size_t first = 0; first < r->rows && status == CAROM_OK; first += block) {
        const size_t now = smaller(block, r->rows - first);
        status = carom_run_file_read(run, r->item, first, now, value, error);
        for (size_t i = 0; i < now && status == CAROM_OK; i++)
            take(r, first + i, value + i * r->item->width);
        if (status == CAROM_OK)
            r->largest = largest_size(r->largest, value, now * r->item->width, depth_of(r->item));
    }
    carom_memory_free(value);
    return status;
}

static enum carom_status write_reduced(struct carom_page_out *out, const struct reduction *r, struct carom_error *error)
{
    const size_t length = r->nseries * (r->stretch == 1 ? r->rows : 2 * r->nstretches);
    carom_page_json_number(&out->json, "largest", r->largest);
    carom_page_json_open(&out->json, "series", '{');
    carom_page_json_count(&out->json, "stretch", r->stretch);
    carom_page_json_open(&out->json, "columns", '[');
    for (size_t i = 0; i < r->nseries; i++)
        carom_page_json_count(&out->json, NULL, r->column[i]);
    carom_page_json_close(&out->json, ']');
    enum carom_status status = carom_page_blob_write(out, "array", CAROM_PAGE_BLOB_F32, r->series, length, error);
    carom_page_json_close(&out->json, '}');
    if (status != CAROM_OK || !r->picture)
        return status;
    const bool cells = r->room->nkept > 0;
    carom_page_json_open(&out->json, cells ? "frames" : "blocks", '{');
    carom_page_json_count(&out->json, "tall", r->tall);
    carom_page_json_count(&out->json, "wide", r->wide);
    carom_page_json_count(&out->json, "down", r->down);
    carom_page_json_count(&out->json, "across", r->across);
    status = carom_page_blob_write(out, "array", cells ? CAROM_PAGE_BLOB_I16 : CAROM_PAGE_BLOB_F32, r->picture,
                                   r->down * r->across, error);
    carom_page_json_close(&out->json, '}');
    return status;
}

static enum carom_status reduce(struct carom_page_out *out, const struct carom_run_file *run,
                                const struct carom_run_item *item, const struct carom_page_item_room *room,
                                struct carom_error *error)
{
    struct reduction r = {.item = item, .room = room, .rows = (size_t)run->rows};
    plan_series(&r);
    plan_picture(&r);
    r.series = carom_memory_zeroed(r.nseries * (r.stretch == 1 ? r.rows : 2 * r.nstretches), sizeof *r.series);
    r.picture = r.across > 0 ? carom_memory_zeroed(r.down * r.across, sizeof *r.picture) : NULL;
    enum carom_status status = r.series && (r.picture || r.across == 0) ? CAROM_OK : carom_memory_error(error);
    if (status == CAROM_OK)
        status = read_through(&r, run, error);
    if (status == CAROM_OK)
        status = write_reduced(out, &r, error);
    carom_memory_free_all(r.picture, r.series);
    return status;
}

size_t carom_page_item_stride(const struct carom_run_file *run, const struct carom_run_item *item,
                              const struct carom_page_item_room *room)
{
    struct reduction r = {.item = item, .room = room, .rows = (size_t)run->rows};
    if (item->width == 0 || 4.0 * (double)run->rows * (double)item->width <= room->bytes)
        return 1;
    plan_series(&r);
    plan_picture(&r);
    return r.tall > 0 ? r.tall : 1;
}

/* Places of bodies that run as one mechanism are among its numbers in files; pictures look for them among bodies. */
static void write_path(struct carom_page_json *json, const struct carom_run_item *item)
{
    static const char group[] = "particles/mechanism/";
    char path[sizeof item->path + 1];
    const bool of_bodies = item->depth > 0 && strncmp(item->path, group, sizeof group - 1) == 0 &&
                           (strcmp(item->name, "position") == 0 || strcmp(item->name, "rotation") == 0);
    snprintf(path, sizeof path, "particles/bodies/%s", item->name);
    carom_page_json_text(json, "path", of_bodies ? path : item->path);
}

enum carom_status carom_page_item_write(struct carom_page_out *out, const struct carom_run_file *run,
                                        const struct carom_run_item *item, const struct carom_page_item_room *room,
                                        struct carom_error *error)
{
    static const char *const extents[] = {"run", "coordinate", "velocity", "contact", "sensor", "region"};
    struct carom_page_json *json = &out->json;
    const double numbers = (double)run->rows * (double)item->width;
    carom_page_json_open(json, NULL, '{');
    write_path(json, item);
    carom_page_json_text(json, "name", item->name);
    carom_page_json_text(json, "unit", item->unit);
    carom_page_json_text(json, "extent", extents[item->extent]);
    carom_page_json_count(json, "width", item->width);
    carom_page_json_count(json, "depth", item->depth);
    enum carom_status status = CAROM_OK;
    if (item->width > 0 && 8.0 * numbers <= room->bytes)
        status = write_all(out, run, item, CAROM_PAGE_BLOB_F64, error);
    else if (item->width > 0 && 4.0 * numbers <= room->bytes)
        status = write_all(out, run, item, CAROM_PAGE_BLOB_F32, error);
    else if (item->width > 0)
        status = reduce(out, run, item, room, error);
    carom_page_json_close(json, '}');
    return status;
}
