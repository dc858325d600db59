/* What the page may ask of the library: check a scene, run it, show what it recorded. One run per instance: the page
 * makes a new instance for the next one, so that memory never adds up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "page.h"
#include "store.h"
#include "study/page/page.h"
#include "tree_text.h"

#define RUN "run.h5"

static struct carom_error error;
static struct carom_counts counts;
static struct carom_hdf5_file *run;

PAGE_ASKS(room) void *play_room(size_t bytes)
{
    return malloc(bytes > 0 ? bytes : 1);
}

/* The sentence of the last call that failed. */
PAGE_ASKS(sentence) const char *play_sentence(void)
{
    return error.text;
}

static bool watch_preparing(void *own, double done)
{
    (void)own;
    page_progress("preparing", done);
    return true;
}

static bool watch_run(void *own, const struct carom_sim *sim)
{
    (void)own;
    page_progress(sim->phase, sim->progress);
    return true;
}

static struct carom_scene *read_scene(const char *name, const char *text, size_t length)
{
    static const struct carom_progress progress = {watch_preparing, NULL};
    const struct carom_scene_wish wish = {.progress = &progress};
    error = (struct carom_error){CAROM_OK, ""};
    return carom_scene_parse_as(name, text, length, NULL, 0, &wish, &error);
}

/* As 'carom check' finds it: is there anything wrong with the scene? */
PAGE_ASKS(check) int play_check(const char *name, const char *text, size_t length)
{
    struct carom_scene *scene = read_scene(name, text, length);
    if (!scene)
        return (int)error.status;
    struct carom_stepper *stepper =
        carom_stepper_create(scene->scheme, scene->model, scene->options, &scene->scales, NULL, &error);
    carom_stepper_free(stepper);
    carom_scene_free(scene);
    return stepper ? CAROM_OK : (int)error.status;
}

static enum carom_status attach(struct carom_sim *sim, const char *csv)
{
    void *file = carom_sink_hdf5_new(RUN), *table = csv ? carom_sink_csv_new(csv) : NULL;
    if (!file || (csv && !table))
        return carom_error_set(&error, CAROM_E_MEMORY, "out of memory");
    enum carom_status status = carom_recorder_attach(sim->recorder, &carom_sink_hdf5, file, &error);
    if (status == CAROM_OK && table)
        status = carom_recorder_attach(sim->recorder, &carom_sink_csv, table, &error);
    return status;
}

/* As 'carom run' does it; csv: a file for the samples, or NULL. */
PAGE_ASKS(run) int play_run(const char *name, const char *text, size_t length, const char *csv)
{
    struct carom_scene *scene = read_scene(name, text, length);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, &error) : NULL;
    enum carom_status status = sim ? attach(sim, csv) : error.status;
    const struct carom_watch watch = {watch_run, NULL, 0.05};
    if (status == CAROM_OK)
        status = carom_sim_run(sim, &watch, &error);
    if (sim)
        counts = sim->stepper->counts;
    carom_sim_free(sim);
    carom_scene_free(scene);
    run = carom_hdf5_file_open(RUN, NULL, NULL);
    return (int)status;
}

/* Steps of the run. */
PAGE_ASKS(steps) double play_steps(void)
{
    return (double)counts.steps;
}

/* What 'carom report' puts into a page, without the page, into the file `output`; room: bytes for arrays. */
PAGE_ASKS(report) int play_report(const char *output, double room)
{
    static const char *const files[] = {RUN};
    bool written;
    const struct carom_page page = {
        .viewer = CAROM_PAGE_MARK, .length = strlen(CAROM_PAGE_MARK), .nfiles = 1, .file = files, .room = room};
    return (int)carom_page_write(&page, output, &written, &error);
}

/* --- for tests: what a text reads as, and what a run recorded ---------------------------------------------------- */

PAGE_ASKS(tree) const char *play_tree(const char *text, size_t length)
{
    return tree_text(text, length);
}

PAGE_ASKS(objects) size_t play_objects(void)
{
    return run ? run->count : 0;
}

/* An object of the run: its path; -1 where it is no set of numbers, else the type; where the numbers are, and how many
 * bytes; of a link, where it leads. */
PAGE_ASKS(object) const char *play_object(size_t i, int32_t about[4])
{
    const struct store_object *object = &run->object[i];
    const size_t to = object->kind == STORE_LINK ? object->to : i;
    const struct store_object *target = &run->object[to];
    const size_t width = target->spec.rank >= 2 ? target->spec.width : 1;
    about[0] = target->kind == STORE_SET ? (int32_t)target->spec.type : -1;
    about[1] = (int32_t)(intptr_t)target->data;
    about[2] = (int32_t)(target->spec.rows * width * target->entry);
    about[3] = (int32_t)to;
    return object->path;
}
