/* Scenes from files and texts, and sims from scenes. A run file holds the text of its scene and the `--set` options
 * it was run with; both are taken, then those given now. What keys mean stands in bind*.c. */
#include "carom/scene.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "model/bodies/list.h"
#include "record/run_file.h"
#include "scene/bind.h"
#include "scene/keys/set.h"
#include "scene/text/tree.h"
#include "scene/text/yaml.h"

/* --- one text of overrides -------------------------------------------------------------------------------------- */

/* The options one per line, those of the run file first. NULL: out of memory. */
static char *join_options(const char *stored, const char *const *set, size_t nset)
{
    size_t length = strlen(stored) + 1;
    for (size_t i = 0; i < nset; i++)
        length += strlen(set[i]) + 1;
    char *text = carom_memory_zeroed(length + 1, 1);
    if (text == NULL)
        return NULL;
    char *end = stpcpy(text, stored);
    if (end > text && end[-1] != '\n')
        *end++ = '\n';
    for (size_t i = 0; i < nset; i++) {
        end = stpcpy(end, set[i]);
        *end++ = '\n';
    }
    if (end > text)
        end[-1] = '\0'; /* the last line needs no end */
    return text;
}

static enum carom_status apply_options(struct carom_tree *tree, const char *options, struct carom_error *error)
{
    for (const char *from = options; *from != '\0';) {
        const size_t length = strcspn(from, "\n");
        const char *one = carom_tree_text(tree, from, length);
        if (one == NULL)
            return carom_memory_error(error);
        if (length > 0 && carom_set_apply(tree, one, error) != CAROM_OK)
            return error->status;
        from += length + (from[length] == '\n' ? 1 : 0);
    }
    return CAROM_OK;
}

static enum carom_status check_options(const char *const *set, size_t nset, struct carom_error *error)
{
    for (size_t i = 0; i < nset; i++)
        if (set[i][0] == '\0' || strchr(set[i], '\n') != NULL)
            return carom_error_set(error, CAROM_E_USAGE, "--set %s: write key=value, in one line",
                                   carom_tree_short(set[i]).text);
    return CAROM_OK;
}

/* --- reading ---------------------------------------------------------------------------------------------------- */

static enum carom_status fill_scene(struct carom_scene *scene, const char *name, const struct carom_scene_wish *wish,
                                    struct carom_error *error)
{
    struct carom_tree tree = {.name = name};
    enum carom_status status = carom_yaml_parse(&tree, scene->text, strlen(scene->text), NULL, &tree.root, error);
    if (status == CAROM_OK)
        status = apply_options(&tree, scene->set, error);
    if (status == CAROM_OK)
        status = carom_spelling(&tree, error);
    if (status == CAROM_OK)
        status = carom_bind_scene(&tree, scene, wish, error);
    carom_tree_free(&tree);
    return status;
}

/* `stored` are the options of a run file, or "". */
static struct carom_scene *make_scene(const char *name, const char *text, size_t length, const char *stored,
                                      const char *const *set, size_t nset, const struct carom_scene_wish *wish,
                                      struct carom_error *error)
{
    static const struct carom_scene_wish nothing;
    struct carom_error own;
    struct carom_error *say = error != NULL ? error : &own;
    carom_error_set(say, CAROM_OK, "%s", "");
    if (check_options(set, nset, say) != CAROM_OK)
        return NULL;
    /* the text is kept as a string: a NUL byte has to be found before it cuts it short */
    const char *nul = memchr(text, '\0', length);
    if (nul != NULL || length > CAROM_YAML_BYTES) {
        struct carom_tree tree = {.name = name};
        carom_yaml_parse(&tree, text, length, NULL, &tree.root, say);
        carom_tree_free(&tree);
        return NULL;
    }
    struct carom_scene *scene = carom_memory_zeroed(1, sizeof *scene);
    if (scene != NULL) {
        scene->text = carom_memory_text_of(text, length);
        scene->set = join_options(stored, set, nset);
    }
    if (scene == NULL || scene->text == NULL || scene->set == NULL)
        carom_error_set(say, CAROM_E_MEMORY, "out of memory while reading %s", name);
    else if (fill_scene(scene, name, wish != NULL ? wish : &nothing, say) == CAROM_OK)
        return scene;
    carom_scene_free(scene);
    return NULL;
}

struct carom_scene *carom_scene_parse(const char *name, const char *text, size_t length, const char *const *set,
                                      size_t nset, struct carom_error *error)
{
    return carom_scene_parse_as(name, text, length, set, nset, NULL, error);
}

struct carom_scene *carom_scene_parse_as(const char *name, const char *text, size_t length, const char *const *set,
                                         size_t nset, const struct carom_scene_wish *wish, struct carom_error *error)
{
    if (!name || (!text && length > 0))
        return carom_error_missing(error), NULL;
    return make_scene(name, text, length, "", set, nset, wish, error);
}

struct carom_scene *carom_scene_read(const char *path, const char *const *set, size_t nset, struct carom_error *error)
{
    return carom_scene_read_as(path, set, nset, NULL, error);
}

struct carom_scene *carom_scene_read_as(const char *path, const char *const *set, size_t nset,
                                        const struct carom_scene_wish *wish, struct carom_error *error)
{
    if (path == NULL)
        return carom_error_missing(error), NULL;
    struct carom_scene *scene;
    if (carom_run_file_looks(path)) {
        struct carom_run_file *run = carom_run_file_open(path, error);
        if (run == NULL)
            return NULL;
        scene = make_scene(path, run->scene, strlen(run->scene), run->set, set, nset, wish, error);
        carom_run_file_close(run);
        return scene;
    }
    size_t length;
    const bool standard = strcmp(path, "-") == 0;
    char *text = carom_file_whole(standard ? stdin : fopen(path, "rb"), path, CAROM_YAML_BYTES, &length, error);
    if (text == NULL)
        return NULL;
    scene = make_scene(standard ? "stdin" : path, text, length, "", set, nset, wish, error);
    carom_memory_free(text);
    return scene;
}

void carom_scene_free(struct carom_scene *scene)
{
    if (scene == NULL)
        return;
    carom_memory_free_all(scene->title, scene->text, scene->set, scene->notes, scene->made_of, scene->materials,
                          scene->yield);
    for (size_t i = 0; i < scene->nnamed; i++)
        carom_memory_free(scene->named[i].name);
    carom_memory_free(scene->named);
    carom_model_free(scene->model);
    carom_memory_free_all(scene->q, scene->v);
    carom_list_free(scene->contacts);
    carom_options_free(scene->options);
    carom_memory_free_all((void *)(uintptr_t)scene->schedule.times, scene->probes, scene->sensors, scene->choices,
                          scene);
}

/* --- running ---------------------------------------------------------------------------------------------------- */

struct carom_sim *carom_scene_sim(struct carom_scene *scene, struct carom_error *error)
{
    if (scene == NULL || scene->model == NULL) {
        if (scene == NULL)
            carom_error_missing(error);
        else
            carom_error_set(error, CAROM_E_USAGE, "the scene has given its model to a sim already");
        return NULL;
    }
    struct carom_recorder *recorder =
        carom_recorder_create(scene->model, scene->probes, scene->nprobes, &scene->schedule, error);
    for (size_t i = 0; recorder != NULL && i < scene->nsensors; i++)
        if (carom_recorder_sense(recorder, &scene->sensors[i], error) != CAROM_OK) {
            carom_recorder_free(recorder);
            recorder = NULL;
        }
    for (size_t i = 0; recorder != NULL && i < scene->nchoices; i++)
        if (carom_recorder_choose(recorder, &scene->choices[i], error) != CAROM_OK) {
            carom_recorder_free(recorder);
            recorder = NULL;
        }
    if (recorder != NULL && scene->regional && carom_recorder_region(recorder, &scene->region, error) != CAROM_OK) {
        carom_recorder_free(recorder);
        recorder = NULL;
    }
    if (recorder == NULL)
        return NULL;
    const struct carom_setup setup = {
        .model = scene->model,
        .scheme = scene->scheme,
        .options = scene->options,
        .q = scene->q,
        .v = scene->v,
        .contacts = scene->contacts,
        .until = scene->until,
        .threads = scene->threads,
        .device = scene->device,
        .device_at = scene->device_at,
        .recorder = recorder,
        .origin = {.title = scene->title,
                   .scene = scene->text,
                   .set = scene->set,
                   .units = scene->si ? "si" : "none",
                   .command = "",
                   .seed = scene->seed},
        .checkpoint_every = scene->checkpoint_every,
    };
    scene->model = NULL; /* the sim's now, also if it cannot be made */
    scene->options = NULL;
    return carom_sim_create(&setup, error);
}
