/* Puts a run file into a page. Room is shared out fairly: small items are taken whole, and what they leave goes to the
 * larger ones in equal parts. A scene that cannot be read any more costs the moving picture, not the page. */
#include "study/page/page_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "carom/law.h"
#include "carom/scene.h"
#include "record/run_file.h"
#include "record/schedule.h"
#include "scene/keep.h"
#include "scene/run/strike_time.h"
#include "sim/unbalanced.h"
#include "study/remarks.h"

enum { MOST_EVENTS = 50000, MOST_PAIRS = 200000, EVENT_BYTES = 8 + 8 + 1 + 3 * 8, FORCE_BYTES = 24 };
enum { FEWEST_PICTURES = 100 }; /* rather than fewer, pictures show fewer contacts */

static void write_heading(struct carom_page_json *json, const struct carom_run_file *run, const char *path)
{
    const struct carom_counts *counts = &run->counts;
    carom_page_json_text(json, "type", "run");
    carom_page_json_text(json, "file", carom_file_name(path, NULL));
    carom_page_json_text(json, "title", run->title);
    carom_page_json_text(json, "scene", run->scene);
    carom_page_json_text(json, "set", run->set);
    carom_page_json_text(json, "units", run->units);
    carom_page_json_text(json, "command", run->command);
    carom_page_json_text(json, "scheme", run->scheme);
    carom_page_json_text(json, "version", run->version);
    carom_page_json_count(json, "seed", run->seed);
    carom_page_json_flag(json, "complete", run->complete);
    carom_page_json_flag(json, "busy", !run->complete && carom_run_file_busy(path));
    carom_page_json_count(json, "rows", run->rows);
    carom_page_json_count(json, "contacts", run->nc);
    carom_page_json_flag(json, "listed", run->listed);
    carom_page_json_number(json, "promised", run->tol);
    carom_page_json_number(json, "stated", run->estimate);
    char text[CAROM_UNBALANCED_TEXT];
    carom_unbalanced_say(run->unbalanced, run->tol, counts->largest_step, run->scales.contact_time,
                         strcmp(run->units, "none") != 0, text);
    carom_page_json_text(json, "unbalanced", run->unbalanced > 0.0 ? text : "");
    carom_page_json_number(json, "first", run->nc > 0 ? run->pair[0][0] : 0);
    carom_page_json_open(json, "counts", '{');
    carom_page_json_count(json, "steps", counts->steps);
    carom_page_json_count(json, "rejected", counts->rejected);
    carom_page_json_count(json, "evaluations", counts->evaluations);
    carom_page_json_count(json, "iterations", counts->iterations);
    carom_page_json_number(json, "smallest_step", counts->smallest_step);
    carom_page_json_number(json, "largest_step", counts->largest_step);
    carom_page_json_close(json, '}');
}

/* of a group of contacts or, where they come and go, of a pairing */
static const struct carom_law *law_of(const struct carom_model *model, const struct carom_bodies *bodies, size_t i)
{
    return bodies ? bodies->pairing[i].law : model->group[i].law;
}

/* what was assumed, or looks odd */
static void write_notes(struct carom_page_json *json, const char *line)
{
    char text[1000];
    carom_page_json_open(json, "notes", '[');
    for (; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        carom_page_json_text(json, NULL, text);
    }
    carom_page_json_close(json, ']');
}

static void write_scene(struct carom_page_json *json, const struct carom_scene *scene)
{
    carom_page_json_text(json, "theory", scene->theory);
    write_notes(json, scene->notes);
    carom_page_json_open(json, "scales", '{');
    carom_page_json_number(json, "speed", scene->scales.speed);
    carom_page_json_number(json, "length", scene->scales.length);
    carom_page_json_number(json, "contact_time", scene->scales.contact_time);
    carom_page_json_close(json, '}');
    carom_page_json_number(json, "finer",
                           carom_schedule_finer(&scene->schedule, carom_strike_time(scene->model, &scene->scales)));
    const struct carom_bodies *bodies = carom_model_bodies(scene->model);
    const size_t nlaws = bodies ? bodies->npairings : scene->model->ngroups;
    carom_page_json_open(json, "laws", '[');
    for (size_t i = 0; i < nlaws; i++) {
        bool seen = false;
        for (size_t j = 0; j < i; j++)
            seen = seen || law_of(scene->model, bodies, j) == law_of(scene->model, bodies, i);
        if (!seen)
            carom_page_json_text(json, NULL, law_of(scene->model, bodies, i)->kind.name);
    }
    carom_page_json_close(json, ']');
}

/* --- events ------------------------------------------------------------------------------------------------------ */

/* contacts that come and go are told by their two bodies, as in the run file */
static enum carom_status write_contacts(struct carom_page_out *out, const struct carom_event *event, size_t count,
                                        bool listed, uint32_t *whole, struct carom_error *error)
{
    const size_t wide = listed ? 2 : 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < wide; k++)
            whole[wide * i + k] = (uint32_t)(listed ? carom_event_body(&event[i], (int)k) : event[i].contact);
    return carom_page_blob_write(out, "contact", CAROM_PAGE_BLOB_U32, whole, wide * count, error);
}

static enum carom_status write_columns(struct carom_page_out *out, const struct carom_event *event, size_t count,
                                       bool listed, double *real, uint32_t *whole, uint8_t *byte,
                                       struct carom_error *error)
{
    static const char *const names[] = {"time", "impulse", "before", "after"};
    enum carom_status status = CAROM_OK;
    for (int column = 0; column < 4 && status == CAROM_OK; column++) {
        for (size_t i = 0; i < count; i++)
            real[i] = column == 0   ? event[i].time
                      : column == 1 ? event[i].impulse
                      : column == 2 ? event[i].before
                                    : event[i].after;
        status = carom_page_blob_write(out, names[column], CAROM_PAGE_BLOB_F64, real, count, error);
    }
    for (size_t i = 0; i < count; i++)
        byte[i] = (uint8_t)event[i].kind;
    if (status == CAROM_OK)
        status = write_contacts(out, event, count, listed, whole, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "kind", CAROM_PAGE_BLOB_U8, byte, count, error);
    return status;
}

/* the first of them, if there are too many */
static enum carom_status write_events(struct carom_page_out *out, const struct carom_run_file *run, size_t count,
                                      struct carom_error *error)
{
    struct carom_event *event = carom_memory_zeroed(count, sizeof *event);
    double *real = carom_memory_zeroed(count, sizeof *real);
    uint32_t *whole = carom_memory_zeroed(count, 2 * sizeof *whole);
    uint8_t *byte = carom_memory_zeroed(count, sizeof *byte);
    enum carom_status status =
        event && real && whole && byte ? carom_run_file_events(run, 0, count, event, error) : carom_memory_error(error);
    carom_page_json_open(&out->json, "events", '{');
    carom_page_json_count(&out->json, "total", run->events);
    carom_page_json_count(&out->json, "kept", count);
    if (status == CAROM_OK)
        status = write_columns(out, event, count, run->listed, real, whole, byte, error);
    carom_page_json_close(&out->json, '}');
    carom_memory_free_all(byte, whole, real, event);
    return status;
}

/* Forces inside impacts: the first samples, if there are too many. */
static enum carom_status write_impacts(struct carom_page_out *out, const struct carom_run_file *run, size_t count,
                                       struct carom_error *error)
{
    struct carom_blow_force *blow = carom_memory_zeroed(count, sizeof *blow);
    double *real = carom_memory_zeroed(count, sizeof *real);
    uint32_t *whole = carom_memory_zeroed(count, sizeof *whole);
    enum carom_status status = blow && real && whole ? CAROM_OK : carom_memory_error(error);
    if (status == CAROM_OK && count > 0)
        status = carom_run_file_forces(run, 0, count, blow, error);
    carom_page_json_open(&out->json, "impacts", '{');
    carom_page_json_count(&out->json, "total", run->forces);
    carom_page_json_count(&out->json, "kept", count);
    for (int column = 0; column < 2 && status == CAROM_OK; column++) {
        for (size_t i = 0; i < count; i++)
            real[i] = column == 0 ? blow[i].time : blow[i].force;
        status = carom_page_blob_write(out, column == 0 ? "time" : "force", CAROM_PAGE_BLOB_F64, real, count, error);
    }
    for (int column = 0; column < 2 && status == CAROM_OK; column++) {
        for (size_t i = 0; i < count; i++)
            whole[i] = (uint32_t)(column == 0 ? blow[i].impact : blow[i].contact);
        status =
            carom_page_blob_write(out, column == 0 ? "impact" : "contact", CAROM_PAGE_BLOB_U32, whole, count, error);
    }
    carom_page_json_close(&out->json, '}');
    carom_memory_free_all(whole, real, blow);
    return status;
}

/* --- items ------------------------------------------------------------------------------------------------------- */

static double weight(const struct carom_run_file *run, const struct carom_run_item *item)
{
    return 8.0 * (double)run->rows * (double)item->width;
}

static bool is_bodies(const struct carom_run_item *item)
{
    return strncmp(item->path, "particles/bodies/", 17) == 0 && item->depth > 0;
}

static bool is_balls(const struct carom_run_item *item)
{
    return strncmp(item->path, "particles/balls/", 16) == 0 && item->depth > 0;
}

/* The share at which the small items whole and the large ones with a share each fill `bytes`. */
static double fair_share(const struct carom_run_file *run, double bytes)
{
    double share = bytes / (double)run->nitems;
    for (int round = 0; round < 32; round++) {
        double left = bytes;
        size_t large = 0;
        for (size_t i = 0; i < run->nitems; i++) {
            const double all = weight(run, &run->item[i]);
            if (all > share)
                large++;
            else
                left -= all;
        }
        if (large == 0 || left / (double)large <= share)
            break;
        share = left / (double)large;
    }
    return share;
}

/* Pictures of bodies and of their contacts are of the same samples: one in how many? */
static size_t common_stride(const struct carom_run_file *run, double share, double touches)
{
    const size_t rows = (size_t)run->rows, wanted = (size_t)(carom_page_bodies_weight(run) / (touches + 1.0)) + 1;
    size_t tall = wanted * FEWEST_PICTURES <= rows ? wanted : rows / FEWEST_PICTURES;
    for (size_t i = 0; i < run->nitems; i++) {
        const struct carom_run_item *item = &run->item[i];
        const struct carom_page_item_room room = {.bytes = share,
                                                  .nkept = is_bodies(item) ? item->width / item->depth : 0};
        const size_t stride = room.nkept > 0 ? carom_page_item_stride(run, item, &room) : 1;
        tall = stride > tall ? stride : tall;
    }
    return tall > 0 ? tall : 1;
}

static enum carom_status write_items(struct carom_page_out *out, const struct carom_run_file *run, double share,
                                     size_t tall, const struct carom_page_solids *solids, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    carom_page_json_open(&out->json, "items", '[');
    for (size_t i = 0; i < run->nitems && status == CAROM_OK; i++) {
        const struct carom_run_item *item = &run->item[i];
        struct carom_page_item_room room = {.bytes = share};
        const struct carom_page_solid *solid = carom_page_solids_of(solids, item);
        if (solid && item->width / item->depth == solid->n) {
            room.kept = solid->kept;
            room.nkept = solid->nkept;
        }
        if (is_bodies(item) || is_balls(item))
            room.nkept = item->width / item->depth;
        if (is_bodies(item))
            room.tall = tall;
        status = carom_page_item_write(out, run, item, &room, error);
    }
    carom_page_json_close(&out->json, ']');
    return status;
}

/* the smallest of three */
static size_t fitting(uint64_t there, double fit, size_t most)
{
    const size_t bound = !(fit > 0.0) ? 0 : fit < (double)most ? (size_t)fit : most;
    return there < bound ? (size_t)there : bound;
}

/* the axis that gravity pulls along, -1: none */
static int upright(const struct carom_scene *scene)
{
    const struct carom_bodies *b = scene ? carom_model_bodies(scene->model) : NULL;
    int up = -1;
    for (int k = 0; b && k < 3; k++)
        if (fabs(b->gravity[k]) > (up >= 0 ? fabs(b->gravity[up]) : 0.0))
            up = k;
    return up;
}

static enum carom_status write_numbers(struct carom_page_out *out, const struct carom_run_file *run,
                                       const struct carom_scene *scene, double bytes, struct carom_error *error)
{
    const uint64_t before = out->bytes;
    struct carom_page_solids solids = {0};
    double all = 0.0;
    for (size_t i = 0; i < run->nitems; i++)
        all += weight(run, &run->item[i]);
    /* cells inside solids are shown where all numbers fit in single precision and leave a fifth for faces */
    enum carom_status status =
        scene ? carom_page_shape_write(out, scene, run, 0.5 * all <= 0.8 * bytes, &solids, error) : CAROM_OK;
    if (status == CAROM_OK && run->nc <= MOST_PAIRS)
        status = carom_page_blob_write(out, "pairs", CAROM_PAGE_BLOB_I32, run->pair, 2 * run->nc, error);
    if (status == CAROM_OK)
        status = carom_page_item_times(out, run, error);
    const double left = bytes - 0.75 * (double)(out->bytes - before);
    const size_t events = fitting(run->events, 0.1 * left / EVENT_BYTES, MOST_EVENTS);
    const size_t forces = fitting(run->forces, 0.25 * left / FORCE_BYTES, SIZE_MAX);
    if (status == CAROM_OK)
        status = write_events(out, run, events, error);
    if (status == CAROM_OK && run->forces > 0 && !run->listed) /* plots of impacts are by contacts of a list */
        status = write_impacts(out, run, forces, error);
    const size_t without = out->bytes;
    if (status == CAROM_OK)
        status = carom_page_episodes_write(out, run, 0.05 * left, error);
    double rest =
        left - 0.75 * (double)(out->bytes - without) - (double)events * EVENT_BYTES - (double)forces * FORCE_BYTES;
    const double touches = fmin(carom_page_bodies_weight(run), 0.3 * rest);
    const double fields = carom_page_fields_bytes(run, rest);
    rest -= touches + fields;
    const double share = fair_share(run, rest);
    const size_t tall = common_stride(run, share, touches);
    if (status == CAROM_OK && run->touches.there)
        status = carom_page_bodies_touches(out, run, tall, touches, error);
    if (status == CAROM_OK && run->listed)
        status = carom_page_fields_write(out, run, tall, upright(scene), fields, error);
    if (status == CAROM_OK)
        status = write_items(out, run, share, tall, &solids, error);
    carom_page_solids_free(&solids);
    return status;
}

static void write_remark(void *own, const char *text)
{
    carom_page_json_text(own, NULL, text);
}

enum carom_status carom_page_run_write(struct carom_page_out *out, const char *path, double bytes,
                                       struct carom_error *error)
{
    struct carom_run_file *run = carom_run_file_open(path, error);
    if (!run)
        return error->status;
    const struct carom_page_json before = out->json;
    struct carom_error reason = {CAROM_OK, ""};
    struct carom_scene *scene;
    const bool out_of_memory = carom_keep_scene(path, NULL, &scene, &reason) != CAROM_OK;
    carom_page_json_open(&out->json, NULL, '{');
    write_heading(&out->json, run, path);
    carom_page_json_open(&out->json, "remarks", '[');
    const enum carom_status read = carom_remarks(run, scene, write_remark, &out->json, error);
    carom_page_json_close(&out->json, ']');
    if (scene)
        write_scene(&out->json, scene);
    else
        carom_page_json_text(&out->json, "no_scene", reason.text);
    const enum carom_status status = read != CAROM_OK ? read
                                     : out_of_memory  ? carom_memory_error(error)
                                                      : write_numbers(out, run, scene, bytes, error);
    carom_page_json_close(&out->json, '}');
    if (status != CAROM_OK) { /* the text stays allocated, but ends where it ended */
        memcpy(out->json.filled, before.filled, sizeof before.filled);
        out->json.depth = before.depth;
        out->json.length = before.length;
    }
    carom_scene_free(scene);
    carom_run_file_close(run);
    return status;
}
