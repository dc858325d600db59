/* Plans a sweep: reads its scene and axes, and makes the scene of every point. Running is sweep_run.c's business. */
#include "study/sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "carom/bodies.h"
#include "carom/solid.h"
#include "study/key_unit.h"
#include "study/sweep/runner.h"
#include "study/sweep/sweep_file.h"
#include "study/variant.h"

void carom_sweep_free(struct carom_sweep *sweep)
{
    for (size_t i = 0; i < sweep->naxes; i++) {
        carom_memory_free_all(sweep->axis[i].spec, sweep->axis[i].key);
        carom_range_free(&sweep->axis[i].range);
    }
    carom_scene_free(sweep->scene);
    carom_memory_free(sweep->name);
    *sweep = (struct carom_sweep){0};
}

static enum carom_status add_axis(struct carom_sweep *sweep, const char *spec, struct carom_error *error)
{
    const char *equals = strchr(spec, '=');
    if (sweep->naxes == CAROM_SWEEP_AXES)
        return carom_error_set(error, CAROM_E_USAGE, "--over %s: more than %d keys", spec, CAROM_SWEEP_AXES);
    const char *slash = strchr(spec, '/'); /* a unit may have one, a key none: it names data in the file */
    if (equals == NULL || equals == spec || equals - spec > 100 || (slash != NULL && slash < equals) ||
        strchr(spec, '\n') != NULL)
        return carom_error_set(error, CAROM_E_USAGE, "--over %s: write key=first:last:count or key=a,b,c", spec);
    struct carom_sweep_axis *axis = &sweep->axis[sweep->naxes++];
    axis->spec = carom_memory_text(spec);
    axis->key = carom_memory_text_of(spec, (size_t)(equals - spec));
    if (axis->spec == NULL || axis->key == NULL)
        return carom_memory_error(error);
    for (size_t i = 0; i + 1 < sweep->naxes; i++)
        if (strcmp(sweep->axis[i].key, axis->key) == 0)
            return carom_error_set(error, CAROM_E_USAGE, "--over %s: the key is given twice", spec);
    if (carom_range_read(equals + 1, sweep->ratios, &axis->range, error) != CAROM_OK)
        return carom_error_prefix(error, "--over %s", spec);
    if (sweep->points > CAROM_SWEEP_POINTS / axis->range.count)
        return carom_error_set(error, CAROM_E_REFUSED, "--over %s: the grid has more than %llu points", spec,
                               (unsigned long long)CAROM_SWEEP_POINTS);
    sweep->points *= axis->range.count;
    return CAROM_OK;
}

static enum carom_status plan_axes(struct carom_sweep *sweep, const char *const *over, size_t nover,
                                   struct carom_error *error)
{
    sweep->points = 1;
    if (nover == 0)
        return carom_error_set(error, CAROM_E_USAGE, "say what to sweep over: --over key=first:last:count");
    for (size_t i = 0; i < nover; i++)
        if (add_axis(sweep, over[i], error) != CAROM_OK)
            return error->status;
    return CAROM_OK;
}

/* "key=value" of point i for every axis; the last axis runs fastest. */
static void write_options(const struct carom_sweep *sweep, uint64_t i, char option[][CAROM_SWEEP_OPTION])
{
    for (size_t k = sweep->naxes; k-- > 0;) {
        const struct carom_range *range = &sweep->axis[k].range;
        snprintf(option[k], CAROM_SWEEP_OPTION, "%s=%s", sweep->axis[k].key, range->text[i % range->count]);
        i /= range->count;
    }
}

/* Overrides with those of one point after them, as the scene may be whole only with these. */
struct overrides {
    const char **option;
    size_t count;
    char own[CAROM_SWEEP_AXES][CAROM_SWEEP_OPTION];
};

static enum carom_status gather(const struct carom_sweep *sweep, const char *const *set, size_t nset,
                                struct overrides *all, struct carom_error *error)
{
    all->option = carom_memory_zeroed(nset + sweep->naxes, sizeof *all->option);
    if (all->option == NULL)
        return carom_memory_error(error);
    for (size_t i = 0; i < nset; i++)
        all->option[i] = set[i];
    for (size_t k = 0; k < sweep->naxes; k++)
        all->option[nset + k] = all->own[k];
    all->count = nset + sweep->naxes;
    return CAROM_OK;
}

/* Does an axis change what this override, which a scene has added to itself, was read from? "loads.1.force.points=..."
 * out of the file that "loads.1.force.file" names. */
static bool is_changed(const struct carom_sweep *sweep, const char *line)
{
    const size_t length = strcspn(line, "=");
    bool changed = false;
    for (size_t k = 0; k < sweep->naxes; k++) {
        const char *key = sweep->axis[k].key, *dot = strrchr(key, '.');
        const size_t parent = dot != NULL ? (size_t)(dot - key) : 0;
        changed = changed || strncmp(line, key, parent) == 0 || strncmp(line, key, length) == 0;
    }
    return changed;
}

/* Takes the overrides of the point out of the scene again; after them stand those that it has added to itself. */
static void forget_point(struct carom_sweep *sweep, const struct overrides *all)
{
    char *to = sweep->scene->set;
    const char *from = to;
    size_t seen = 0;
    for (size_t length; *from != '\0'; from += length + (from[length] == '\n')) {
        length = strcspn(from, "\n");
        bool own = false;
        for (size_t k = 0; k < sweep->naxes; k++)
            own = own || (strlen(all->own[k]) == length && strncmp(from, all->own[k], length) == 0);
        seen += own;
        if (own || (seen >= sweep->naxes && is_changed(sweep, from)))
            continue;
        if (to > sweep->scene->set)
            *to++ = '\n';
        memmove(to, from, length);
        to += length;
    }
    *to = '\0';
}

/* Errors of overrides name the option they came from, which here is --over. */
static void name_option(const struct carom_sweep *sweep, struct carom_error *error)
{
    static const char set[] = "--set ";
    const size_t length = sizeof set - 1;
    for (size_t k = 0; k < sweep->naxes; k++) {
        const size_t key = strlen(sweep->axis[k].key);
        if (strncmp(error->text, set, length) != 0 || strncmp(error->text + length, sweep->axis[k].key, key) != 0 ||
            error->text[length + key] != '=')
            continue;
        char rest[sizeof error->text];
        snprintf(rest, sizeof rest, "%s", error->text + length);
        snprintf(error->text, sizeof error->text, "--over %.*s", (int)sizeof error->text - 16, rest);
        return;
    }
}

/* Where all values of an axis are refused for one reason, that is the key's: then the whole option is named, else the
 * first value. */
static void name_axis(const struct carom_sweep *sweep, const char *last, struct carom_error *first)
{
    size_t same = strlen(first->text), other = strlen(last);
    while (same > 0 && other > 0 && first->text[same - 1] == last[other - 1])
        same--, other--;
    const char *reason = strstr(first->text + same, ": ");
    for (size_t k = 0; k < sweep->naxes && reason != NULL; k++) {
        const size_t key = strlen(sweep->axis[k].key);
        if (strncmp(first->text, "--over ", 7) != 0 || strncmp(first->text + 7, sweep->axis[k].key, key) != 0 ||
            first->text[7 + key] != '=')
            continue;
        char rest[sizeof first->text];
        snprintf(rest, sizeof rest, "%s", reason);
        snprintf(first->text, sizeof first->text, "--over %.120s%.*s", sweep->axis[k].spec,
                 (int)sizeof first->text - 160, rest);
        return;
    }
}

/* The scene of a point that is accepted: the first, or the first to be found where that one is refused, as a point that
 * cannot be run does not end a sweep. In grids of more than LOOKS points the looks are scattered over it, so that a
 * mistake that all points share is told soon. `text` is the scene, or NULL: it is read from the file of its name. */
enum { LOOKS = 1000 };

static enum carom_status find_scene(struct carom_sweep *sweep, const char *text, struct overrides *all,
                                    struct carom_error *error)
{
    const uint64_t looks = sweep->points < LOOKS ? sweep->points : LOOKS;
    const double golden = 0.6180339887498949;
    struct carom_error first = {CAROM_OK, ""};
    for (uint64_t i = 0; i < looks; i++) {
        const double turn = golden * (double)i;
        write_options(sweep, looks < LOOKS ? i : (uint64_t)((turn - floor(turn)) * (double)sweep->points), all->own);
        sweep->scene = text != NULL ? carom_scene_parse(sweep->name, text, strlen(text), all->option, all->count, error)
                                    : carom_scene_read(sweep->name, all->option, all->count, error);
        if (sweep->scene != NULL)
            return CAROM_OK;
        name_option(sweep, error);
        first = i == 0 ? *error : first;
        if (error->status != CAROM_E_INPUT && error->status != CAROM_E_REFUSED && error->status != CAROM_E_NUMERIC)
            return error->status; /* no file, no memory: the point is not to blame */
    }
    name_axis(sweep, error->text, &first);
    return carom_error_set(error, first.status, "%s", first.text);
}

static enum carom_status plan_outputs(struct carom_sweep *sweep, const char *outputs, const struct overrides *all,
                                      struct carom_error *error)
{
    const struct carom_model *model = sweep->scene->model;
    const bool rows = carom_solid_of(model, NULL) == NULL && carom_model_bodies(model) == NULL;
    const char *names = outputs != NULL ? outputs : rows ? CAROM_OUTPUTS_STANDARD : CAROM_OUTPUTS_ENERGIES;
    if (carom_outputs_read(names, sweep->scene->si, &sweep->outputs, error) != CAROM_OK)
        return carom_error_prefix(error, "--outputs");
    forget_point(sweep, all);
    return CAROM_OK;
}

/* Outputs that no scene has, of the first points and the last: sweeps over how many bodies there are may have more of
 * them at some points than at others. */
static enum carom_status check_outputs(const struct carom_sweep *sweep, struct carom_error *error)
{
    struct carom_error ignored = {CAROM_OK, ""};
    if (carom_runner_check(&sweep->outputs, sweep->scene, &ignored) == CAROM_OK)
        return CAROM_OK;
    bool had = false;
    for (uint64_t i = 0; i < sweep->points && i < LOOKS && !had; i++) {
        struct carom_scene *scene = carom_sweep_scene(sweep, i == 0 ? sweep->points - 1 : i - 1, &ignored);
        had = scene != NULL && carom_runner_check(&sweep->outputs, scene, &ignored) == CAROM_OK;
        carom_scene_free(scene);
    }
    if (had)
        return CAROM_OK;
    carom_runner_check(&sweep->outputs, sweep->scene, error);
    return carom_error_prefix(error, "--outputs");
}

enum carom_status carom_sweep_plan(struct carom_sweep *sweep, const char *path, const char *const *set, size_t nset,
                                   const char *const *over, size_t nover, bool ratios, const char *outputs,
                                   double reference_tol, struct carom_error *error)
{
    struct overrides all = {0};
    *sweep = (struct carom_sweep){.ratios = ratios, .reference_tol = reference_tol};
    sweep->name = carom_memory_text(path);
    if (sweep->name == NULL)
        return carom_memory_error(error);
    if (plan_axes(sweep, over, nover, error) != CAROM_OK || gather(sweep, set, nset, &all, error) != CAROM_OK)
        return error->status;
    const enum carom_status status = find_scene(sweep, NULL, &all, error);
    carom_memory_free(all.option);
    if (status != CAROM_OK || plan_outputs(sweep, outputs, &all, error) != CAROM_OK)
        return error->status;
    return outputs != NULL ? check_outputs(sweep, error) : CAROM_OK;
}

/* Cuts a text into its lines, in place; returns how many there are (at most `room`). */
static size_t cut_lines(char *text, const char **line, size_t room)
{
    size_t count = 0;
    for (char *rest = text, *one = strsep(&rest, "\n"); one != NULL && count < room; one = strsep(&rest, "\n"))
        if (*one != '\0')
            line[count++] = one;
    return count;
}

static enum carom_status plan_origin(struct carom_sweep *sweep, struct carom_sweep_origin *origin,
                                     struct carom_error *error)
{
    const char *over[CAROM_SWEEP_AXES];
    struct overrides all = {0};
    size_t lines = 1;
    for (const char *c = origin->set; *c != '\0'; c++)
        lines += *c == '\n';
    const char **set = carom_memory_zeroed(lines, sizeof *set);
    sweep->name = carom_memory_text(origin->name);
    sweep->ratios = strcmp(origin->ratios, "yes") == 0;
    sweep->reference_tol = strtod(origin->reference_tol, NULL);
    enum carom_status status = set != NULL && sweep->name != NULL ? CAROM_OK : carom_memory_error(error);
    if (status == CAROM_OK)
        status = plan_axes(sweep, over, cut_lines(origin->over, over, CAROM_SWEEP_AXES), error);
    if (status == CAROM_OK)
        status = gather(sweep, set, cut_lines(origin->set, set, lines), &all, error);
    if (status == CAROM_OK)
        status = find_scene(sweep, origin->scene, &all, error);
    if (status == CAROM_OK)
        status = plan_outputs(sweep, origin->outputs, &all, error);
    carom_memory_free_all(all.option, set);
    return status;
}

enum carom_status carom_sweep_plan_file(struct carom_sweep *sweep, const char *path, struct carom_error *error)
{
    struct carom_sweep_origin origin;
    *sweep = (struct carom_sweep){0};
    if (carom_sweep_file_origin(path, &origin, error) != CAROM_OK)
        return error->status;
    const enum carom_status status = plan_origin(sweep, &origin, error);
    carom_sweep_file_forget(&origin);
    return status;
}

struct carom_scene *carom_sweep_scene(const struct carom_sweep *sweep, uint64_t i, struct carom_error *error)
{
    char option[CAROM_SWEEP_AXES][CAROM_SWEEP_OPTION];
    const char *more[CAROM_SWEEP_AXES];
    write_options(sweep, i, option);
    for (size_t k = 0; k < sweep->naxes; k++)
        more[k] = option[k];
    struct carom_scene *scene = carom_variant_of(sweep->scene, sweep->name, more, sweep->naxes, error);
    if (scene == NULL)
        name_option(sweep, error);
    return scene;
}

/* The last word of a key; a number says nothing without its list, as in at.3. */
static const char *last_word(const char *key)
{
    const char *word = key + strlen(key);
    do {
        word -= word > key;
        while (word > key && word[-1] != '.')
            word--;
    } while (word > key && *word >= '0' && *word <= '9');
    return word;
}

/* The last word of a key, if no other axis ends in it. */
static const char *short_key(const struct carom_sweep *sweep, size_t k)
{
    const char *word = last_word(sweep->axis[k].key);
    for (size_t i = 0; i < sweep->naxes; i++)
        if (i != k && strcmp(last_word(sweep->axis[i].key), word) == 0)
            return sweep->axis[k].key;
    return word;
}

const char *carom_sweep_unit(const struct carom_sweep *sweep, size_t i)
{
    const struct carom_range *range = &sweep->axis[i].range;
    const char *known = carom_key_unit(sweep->axis[i].key, sweep->scene);
    if (range->unit[0] != '\0')
        return range->unit;
    return !sweep->scene->si ? "1" : known != NULL ? known : "SI";
}

void carom_sweep_describe(const struct carom_sweep *sweep, uint64_t i, char *text, size_t size)
{
    char option[CAROM_SWEEP_AXES][CAROM_SWEEP_OPTION];
    write_options(sweep, i, option);
    text[0] = '\0';
    for (size_t k = 0, length = 0; k < sweep->naxes && length + 1 < size; k++, length = strlen(text))
        snprintf(text + length, size - length, "%s%s = %s", k > 0 ? ", " : "", short_key(sweep, k),
                 strchr(option[k], '=') + 1);
}
