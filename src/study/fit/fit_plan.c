/* Reads what is asked of a fit: keys with bounds, their start in the scene, data that the scene can have. */
#include "study/fit/fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "carom/carom.h"
#include "scene/keys/set.h"
#include "scene/text/units.h"
#include "scene/text/yaml.h"
#include "study/variant.h"

/* --- one key ----------------------------------------------------------------------------------------------------- */

static enum carom_status read_bound(const struct carom_fit *fit, const char *text, size_t length, double *value,
                                    struct carom_error *error)
{
    char word[64];
    struct carom_quantity quantity;
    snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), text);
    if (carom_units_read(word, &quantity, error) != CAROM_OK) {
        error->status = CAROM_E_USAGE;
        return error->status;
    }
    if (quantity.unit && !fit->scene->si)
        return carom_error_set(error, CAROM_E_USAGE, "the scene has no units (units: none), got '%s'", word);
    *value = quantity.value;
    return CAROM_OK;
}

/* "key" or "key=low:high" */
static enum carom_status read_key(const struct carom_fit *fit, const char *text, struct carom_fit_key *key,
                                  struct carom_error *error)
{
    const char *equals = strchr(text, '='), *colon = equals != NULL ? strchr(equals, ':') : NULL;
    const size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    *key = (struct carom_fit_key){.low = -HUGE_VAL, .high = HUGE_VAL, .start = nan("")};
    if (length == 0 || length >= sizeof key->key)
        return carom_error_set(error, CAROM_E_USAGE, "write key or key=low:high, such as contacts.gamma=0:1e-6");
    snprintf(key->key, sizeof key->key, "%.*s", (int)length, text);
    key->shift = strcmp(key->key, CAROM_FIT_SHIFT) == 0;
    for (size_t i = 0; i < fit->nkeys; i++)
        if (strcmp(fit->key[i].key, key->key) == 0)
            return carom_error_set(error, CAROM_E_USAGE, "%s is named twice", key->key);
    if (equals != NULL && colon == NULL)
        return carom_error_set(error, CAROM_E_USAGE, "bounds are low:high; the start is the scene's value (--set)");
    if (equals != NULL && (read_bound(fit, equals + 1, (size_t)(colon - equals) - 1, &key->low, error) != CAROM_OK ||
                           read_bound(fit, colon + 1, strlen(colon + 1), &key->high, error) != CAROM_OK))
        return error->status;
    if (!(key->low < key->high))
        return carom_error_set(error, CAROM_E_USAGE, "the lower bound must be below the upper one, got %g:%g", key->low,
                               key->high);
    return CAROM_OK;
}

static enum carom_status read_keys(struct carom_fit *fit, const char *const *free, size_t nfree,
                                   struct carom_error *error)
{
    for (size_t i = 0; i < nfree; i++)
        for (const char *from = free[i]; from != NULL;) {
            const size_t length = strcspn(from, ",");
            struct carom_fit_key key;
            char text[sizeof fit->free[0]];
            snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), from);
            if (fit->nkeys == CAROM_FIT_KEYS)
                return carom_error_set(error, CAROM_E_USAGE, "--free: more than %d keys", CAROM_FIT_KEYS);
            if (read_key(fit, text, &key, error) != CAROM_OK)
                return carom_error_prefix(error, "--free %s", text);
            memcpy(fit->free[fit->nkeys], text, sizeof text);
            fit->key[fit->nkeys++] = key;
            from = from[length] == ',' ? from + length + 1 : NULL;
        }
    return fit->nkeys > 0 ? CAROM_OK : carom_error_set(error, CAROM_E_USAGE, "--free: say which keys are to be found");
}

/* --- starts ------------------------------------------------------------------------------------------------------ */

/* The scene as a tree, its overrides applied. */
static enum carom_status grow_tree(const struct carom_fit *fit, struct carom_tree *tree, struct carom_error *error)
{
    const struct carom_scene *scene = fit->scene;
    enum carom_status status = carom_yaml_parse(tree, scene->text, strlen(scene->text), NULL, &tree->root, error);
    for (const char *from = scene->set; status == CAROM_OK && *from != '\0';) {
        const size_t length = strcspn(from, "\n");
        const char *one = carom_tree_text(tree, from, length);
        status = one == NULL ? carom_memory_error(error) : carom_set_apply(tree, one, error);
        from += length + (from[length] == '\n' ? 1 : 0);
    }
    return status;
}

/* A key that is not in the scene and has no bounds: perhaps it is misspelt, which the binder says best. */
static enum carom_status no_start(const struct carom_fit *fit, const struct carom_fit_key *key,
                                  struct carom_error *error)
{
    char option[sizeof key->key + 8];
    const char *more[] = {option};
    snprintf(option, sizeof option, "%s=0.5", key->key);
    struct carom_scene *scene = carom_variant_of(fit->scene, fit->name, more, 1, error);
    carom_scene_free(scene);
    if (scene == NULL && (strstr(error->text, "unknown key") != NULL || strstr(error->text, "did you mean") != NULL))
        return error->status;
    return carom_error_set(error, CAROM_E_INPUT,
                           "is not in the scene, so it has no start; give bounds (key=low:high), or a value by --set "
                           "with its whole path");
}

/* The value a key has in the scene, or the middle of its bounds. */
static enum carom_status find_start(const struct carom_fit *fit, struct carom_fit_key *key, struct carom_tree *tree,
                                    struct carom_error *error)
{
    struct carom_node *node;
    struct carom_quantity quantity;
    const bool bounded = key->low > -HUGE_VAL && key->high < HUGE_VAL;
    if (carom_set_find(tree, key->key, &node, error) != CAROM_OK)
        return error->status;
    if (node == NULL && !bounded)
        return no_start(fit, key, error);
    if (node == NULL) {
        key->start = 0.5 * (key->low + key->high);
        return CAROM_OK;
    }
    if (node->kind != CAROM_NODE_SCALAR || carom_units_read(node->text, &quantity, error) != CAROM_OK)
        return carom_error_set(error, CAROM_E_INPUT, "is not a number in the scene, so it cannot be fitted");
    key->start = quantity.value;
    return CAROM_OK;
}

/* Of a shift: data that begin before the run, or end after it, are moved inside. */
static void find_shift(const struct carom_fit *fit, struct carom_fit_key *key)
{
    const double low = -fit->data.first, high = fit->scene->until - fit->data.last;
    key->low = fmax(key->low, low);
    key->high = fmin(key->high, high);
    key->start = fmin(fmax(0.0, key->low), key->high);
}

static void find_unit(const struct carom_fit *fit, struct carom_fit_key *key)
{
    const double width = key->high - key->low, size = 0.1 * fabs(key->start);
    const double contact = 0.1 * fit->scene->scales.contact_time;
    if (key->shift)
        key->unit = fmin(0.25 * width, contact > 0.0 ? contact : 0.01 * fit->scene->until);
    else if (width < HUGE_VAL)
        key->unit = fmin(0.25 * width, fmax(size, 0.02 * width));
    else
        key->unit = size;
}

static enum carom_status start_keys(struct carom_fit *fit, struct carom_tree *tree, struct carom_error *error)
{
    for (size_t i = 0; i < fit->nkeys; i++) {
        struct carom_fit_key *key = &fit->key[i];
        enum carom_status status = CAROM_OK;
        if (key->shift && fit->data.runs)
            status = carom_error_set(error, CAROM_E_USAGE, "data of runs have no time to shift");
        else if (key->shift)
            find_shift(fit, key);
        else
            status = find_start(fit, key, tree, error);
        for (size_t k = 0; k < fit->data.nkeys && status == CAROM_OK; k++)
            if (strcmp(fit->data.key[k], key->key) == 0)
                status = carom_error_set(error, CAROM_E_USAGE, "the data set this key, so it is not free");
        if (status == CAROM_OK && !(key->low < key->high))
            status =
                carom_error_set(error, CAROM_E_INPUT,
                                "no such shift moves the data into the run; run longer (run.until), or cut the data");
        if (status == CAROM_OK && !(key->start >= key->low && key->start <= key->high))
            status =
                carom_error_set(error, CAROM_E_INPUT, "the start, the scene's value %g, is outside the bounds %g to %g",
                                key->start, key->low, key->high);
        if (status == CAROM_OK)
            find_unit(fit, key);
        if (status == CAROM_OK && !(key->unit > 0.0))
            status = carom_error_set(error, CAROM_E_INPUT,
                                     "starts at 0, which tells nothing of its size: give bounds (key=low:high)");
        if (status != CAROM_OK)
            return carom_error_prefix(error, "--free %s", fit->free[i]);
    }
    return CAROM_OK;
}

/* --- all --------------------------------------------------------------------------------------------------------- */

/* How much two runs with almost the same numbers differ by chance. */
static double noise_of(const struct carom_scene *scene)
{
    const struct carom_param *tol = carom_param_find(scene->scheme->kind.params, "tol");
    const double given = tol != NULL ? carom_param_value(tol, scene->options) : 0.0;
    if (given > 0.0)
        return given;
    return scene->model->offers & CAROM_COMPLIANT ? 1e-10 : 1e-6;
}

/* The keys must be known: bound once with their starts, so that a wrong one is said with the nearest valid name. */
static enum carom_status try_keys(const struct carom_fit *fit, struct carom_error *error)
{
    for (size_t i = 0; i < fit->nkeys; i++) {
        char option[200];
        const char *more[] = {option};
        if (fit->key[i].shift)
            continue;
        snprintf(option, sizeof option, "%s=%.17g", fit->key[i].key, fit->key[i].start);
        struct carom_scene *scene = carom_variant_of(fit->scene, fit->name, more, 1, error);
        if (scene == NULL)
            return carom_error_prefix(error, "--free %s", fit->free[i]);
        carom_scene_free(scene);
    }
    return CAROM_OK;
}

enum carom_status carom_fit_plan(struct carom_fit *fit, const char *path, const char *const *set, size_t nset,
                                 const char *data, const char *const *free, size_t nfree, struct carom_error *error)
{
    *fit = (struct carom_fit){0};
    fit->scene = carom_scene_read(path, set, nset, error);
    fit->name = fit->scene != NULL ? carom_memory_text(path) : NULL;
    if (fit->scene == NULL)
        return error->status;
    if (fit->name == NULL)
        return carom_memory_error(error);
    if (carom_fit_data_read(&fit->data, data, fit->scene->si, error) != CAROM_OK ||
        read_keys(fit, free, nfree, error) != CAROM_OK)
        return error->status;
    struct carom_tree tree = {.name = path};
    enum carom_status status = grow_tree(fit, &tree, error);
    if (status == CAROM_OK)
        status = start_keys(fit, &tree, error);
    carom_tree_free(&tree);
    if (status == CAROM_OK)
        status = try_keys(fit, error);
    if (status == CAROM_OK)
        status = carom_fit_model_check(fit, error);
    if (status == CAROM_OK && fit->data.npoints < fit->nkeys)
        status = carom_error_set(error, CAROM_E_INPUT, "%s: %zu numbers cannot tell %zu keys", data, fit->data.npoints,
                                 fit->nkeys);
    fit->noise = status == CAROM_OK ? noise_of(fit->scene) : 0.0;
    return status;
}

static uint64_t stir(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;
}

uint64_t carom_fit_plan_identity(const struct carom_fit *fit)
{
    char number[80];
    uint64_t hash = stir(0xcbf29ce484222325u, CAROM_VERSION);
    hash = stir(stir(stir(hash, fit->scene->text), fit->scene->set), fit->data.text);
    for (size_t i = 0; i < fit->nkeys; i++) {
        snprintf(number, sizeof number, "%a %a %a", fit->key[i].start, fit->key[i].low, fit->key[i].high);
        hash = stir(stir(hash, fit->key[i].key), number);
    }
    snprintf(number, sizeof number, "%d %zu", (int)fit->method, fit->most);
    return stir(hash, number);
}

enum carom_status carom_fit_plan_explain(const struct carom_fit *fit, const struct carom_least_squares_result *found,
                                         struct carom_error *error)
{
    if (error->status != CAROM_E_NUMERIC)
        return error->status;
    if (found->idle < fit->nkeys)
        return carom_error_set(
            error, CAROM_E_NUMERIC,
            "%s does not change what was measured (%s%s) by more than the errors of runs, so these data cannot tell it",
            fit->key[found->idle].key, fit->data.column[0].name, fit->data.ncolumns > 1 ? " and the others" : "");
    if (found->ntwins == 0)
        return error->status;
    char names[sizeof error->text] = "";
    for (size_t i = 0; i < found->ntwins; i++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s",
                 i == 0                  ? ""
                 : i + 1 < found->ntwins ? ", "
                                         : " and ",
                 fit->key[found->twins[i]].key);
    }
    return carom_error_set(error, CAROM_E_NUMERIC, "%s cannot be told apart by these data: only %s of them matter%s",
                           names, found->ntwins > 2 ? "ratios or other combinations" : "a combination",
                           found->ntwins > 2 ? "" : "s");
}
