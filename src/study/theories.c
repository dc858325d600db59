/* Reads words like nonsmooth:newton against the tables, and puts a scene under them by overrides. */
#include "study/theories.h"

#include <stdio.h>
#include <string.h>

#include "carom/impact.h"
#include "model/bodies/linkage.h"
#include "scene/keys/keys.h"
#include "scene/keys/set.h"
#include "scene/text/yaml.h"
#include "study/variant.h"

#define OPTIONS 24
#define OPTION 96

/* --- words ------------------------------------------------------------------------------------------------------- */

static const char *const *theory_names(void)
{
    return carom_param_find(carom_keys_scene.kind.params, "theory")->choices;
}

static const char *among(const char *const *names, const char *word)
{
    for (; *names != NULL; names++)
        if (strcmp(*names, word) == 0)
            return *names;
    return NULL;
}

static const struct carom_scheme *scheme_of(const char *word)
{
    for (size_t i = 0; carom_kinds_schemes[i] != NULL; i++)
        if (strcmp(carom_kinds_schemes[i]->kind.name, word) == 0)
            return carom_kinds_schemes[i];
    return NULL;
}

static enum carom_status unknown(const char *what, const char *word, bool theories, struct carom_error *error)
{
    const char *names[128];
    size_t count = 0;
    for (size_t i = 0; theories && theory_names()[i] != NULL; i++)
        names[count++] = theory_names()[i];
    for (size_t i = 0; !theories && carom_kinds_schemes[i] != NULL && count < 64; i++)
        names[count++] = carom_kinds_schemes[i]->kind.name;
    for (size_t i = 0; !theories && carom_striker_names[i] != NULL && count < 128; i++)
        names[count++] = carom_striker_names[i];
    const char *near = carom_param_nearest(word, names, count);
    if (near != NULL)
        return carom_error_set(error, CAROM_E_USAGE, "there is no %s '%s', did you mean '%s'?", what, word, near);
    return carom_error_set(error, CAROM_E_USAGE, "there is no %s '%s'; it may be %s", what, word,
                           theories ? "compliant, lzb, nonsmooth or solid"
                                    : "one of 'carom list schemes' or 'carom list impacts'");
}

/* "theory", then ":scheme" and ":impact" in any order */
static enum carom_status read_one(const char *text, struct carom_theory *theory, struct carom_error *error)
{
    char word[64], *rest = word;
    *theory = (struct carom_theory){0};
    snprintf(theory->label, sizeof theory->label, "%s", text);
    snprintf(word, sizeof word, "%s", text);
    const char *first = strsep(&rest, ":/");
    theory->theory = among(theory_names(), first);
    if (theory->theory == NULL)
        return unknown("theory", first, true, error);
    for (const char *next = strsep(&rest, ":/"); next != NULL; next = strsep(&rest, ":/")) {
        const struct carom_scheme *scheme = scheme_of(next);
        const char *impact = among(carom_striker_names, next);
        if (scheme != NULL ? theory->scheme != NULL : impact != NULL && theory->impact != NULL)
            return carom_error_set(error, CAROM_E_USAGE, "%s: names two %s", text, scheme ? "schemes" : "impact laws");
        if (scheme != NULL)
            theory->scheme = scheme;
        else if (impact != NULL)
            theory->impact = impact;
        else
            return unknown("scheme or impact law", next, false, error);
    }
    return CAROM_OK;
}

/* The next word of a list with commas; false: it has ended. */
static bool next_word(const char **from, char word[64])
{
    if (*from == NULL)
        return false;
    const size_t length = strcspn(*from, ",");
    snprintf(word, 64, "%.*s", (int)(length < 63 ? length : 63), *from);
    *from = (*from)[length] == ',' ? *from + length + 1 : NULL;
    return true;
}

/* --- theories and schemes ---------------------------------------------------------------------------------------- */

/* NULL: any theory will do, as nobody has said which */
static bool fits(const char *theory, const struct carom_scheme *scheme)
{
    if (theory == NULL)
        return true;
    const bool solid = strcmp(theory, "solid") == 0, compliant = strcmp(theory, "compliant") == 0;
    if (scheme == &carom_scheme_rattle || solid)
        return solid && scheme == &carom_scheme_rattle;
    return compliant == !(scheme->needs & CAROM_RIGID);
}

static enum carom_status put(struct carom_theory *theory, size_t *count, const struct carom_theory *one,
                             struct carom_error *error)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(theory[i].label, one->label) == 0)
            return carom_error_set(error, CAROM_E_USAGE, "'%s' is named twice", one->label);
    if (*count == CAROM_THEORIES_MOST)
        return carom_error_set(error, CAROM_E_USAGE, "more than %d theories and schemes", CAROM_THEORIES_MOST);
    theory[(*count)++] = *one;
    return CAROM_OK;
}

/* One theory with each scheme that fits; alone if none does or it has one already. */
static enum carom_status cross(const struct carom_theory *one, const char *schemes, bool *used,
                               struct carom_theory *theory, size_t *count, struct carom_error *error)
{
    char word[64];
    bool any = false;
    size_t i = 0;
    for (const char *from = schemes; one->scheme == NULL && next_word(&from, word); i++) {
        const struct carom_scheme *scheme = scheme_of(word);
        if (scheme == NULL)
            return carom_variant_find(word, error) == NULL ? error->status : CAROM_OK;
        if (!fits(one->theory, scheme))
            continue;
        struct carom_theory with = *one;
        with.scheme = scheme;
        snprintf(with.label, sizeof with.label, "%.31s%s%.31s", one->label, one->label[0] != '\0' ? ":" : "", word);
        if (put(theory, count, &with, error) != CAROM_OK)
            return error->status;
        any = used[i] = true;
    }
    return any ? CAROM_OK : put(theory, count, one, error);
}

enum carom_status carom_theories_read(const char *theories, const char *schemes, struct carom_theory *theory,
                                      size_t *count, struct carom_error *error)
{
    bool used[256] = {false};
    char word[64];
    size_t i = 0;
    *count = 0;
    if (schemes != NULL && strlen(schemes) >= sizeof used)
        return carom_error_set(error, CAROM_E_USAGE, "--schemes: is too long");
    struct carom_theory own = {.label = ""};
    if (theories == NULL && schemes != NULL && cross(&own, schemes, used, theory, count, error) != CAROM_OK)
        return error->status;
    for (const char *from = theories; next_word(&from, word);)
        if (read_one(word, &own, error) != CAROM_OK || cross(&own, schemes, used, theory, count, error) != CAROM_OK)
            return error->status;
    for (const char *from = schemes; next_word(&from, word); i++)
        if (!used[i])
            return carom_error_set(error, CAROM_E_USAGE, "scheme %s runs none of the theories %s", word, theories);
    return CAROM_OK;
}

/* --- the scene under it ------------------------------------------------------------------------------------------ */

struct options {
    size_t count;
    bool probes; /* the scene says which */
    char text[OPTIONS][OPTION];
};

static void add(struct options *to, const char *key, const char *value)
{
    if (to->count < OPTIONS)
        snprintf(to->text[to->count++], OPTION, "%.64s=%.30s", key, value);
}

/* The keys of `run` in the scene's text and overrides that are a scheme's: not until, threads and the like; and whether
 * there are probes. */
static enum carom_status run_keys(const struct carom_scene *scene, const char *name, struct options *keys,
                                  struct carom_error *error)
{
    struct carom_tree tree = {.name = name};
    enum carom_status status = carom_yaml_parse(&tree, scene->text, strlen(scene->text), NULL, &tree.root, error);
    for (const char *from = scene->set; status == CAROM_OK && *from != '\0';) {
        const size_t length = strcspn(from, "\n");
        const char *one = carom_tree_text(&tree, from, length);
        status =
            one == NULL ? carom_error_set(error, CAROM_E_MEMORY, "out of memory") : carom_set_apply(&tree, one, error);
        from += length + (from[length] == '\n' ? 1 : 0);
    }
    const struct carom_node *run = status == CAROM_OK ? carom_tree_find(tree.root, "run") : NULL;
    for (const struct carom_node *node = run != NULL ? run->first : NULL; node != NULL; node = node->next)
        if (node->key != NULL && carom_param_find(carom_keys_run.kind.params, node->key) == NULL &&
            keys->count < OPTIONS)
            snprintf(keys->text[keys->count++], OPTION, "%s", node->key);
    const struct carom_node *record = status == CAROM_OK ? carom_tree_find(tree.root, "record") : NULL;
    keys->probes = record != NULL && carom_tree_find(record, "probes") != NULL;
    carom_tree_free(&tree);
    return status;
}

static struct carom_scene *make(const struct carom_scene *scene, const char *name, const struct options *options,
                                struct carom_error *error)
{
    const char *more[OPTIONS];
    for (size_t i = 0; i < options->count; i++)
        more[i] = options->text[i];
    return carom_variant_of(scene, name, more, options->count, error);
}

/* Under which key a scheme takes the impact law of that name: its own, or the law of the blows of its steps; NULL: it
 * takes none of that name. */
static const char *impact_key(const struct carom_scheme *scheme, const char *law)
{
    const struct carom_param *blow = carom_param_find(scheme->kind.params, "blow");
    if (carom_param_find(scheme->kind.params, "impact") != NULL)
        return "run.impact";
    return blow != NULL && among(blow->choices, law) != NULL ? "run.blow" : NULL;
}

/* Theory, scheme and impact; the keys of run that `target` (NULL: any of them) or its impact law (NULL: it has none)
 * has no use for are taken away. */
static void choose(const struct carom_theory *theory, const struct carom_scene *scene, const struct options *keys,
                   const struct carom_scheme *target, const struct carom_impact *law, bool moved, struct options *more,
                   char *dropped, size_t size)
{
    char key[OPTION];
    dropped[0] = '\0';
    if (theory->theory != NULL && strcmp(theory->theory, scene->theory) != 0)
        add(more, "theory", theory->theory);
    if (keys->probes) /* what one scheme can be asked for another may not have, and studies ask for their own */
        add(more, "record.probes", "null");
    for (size_t i = 0; i < keys->count; i++) {
        const char *word = keys->text[i];
        const bool scheme = strcmp(word, "scheme") == 0, impact = strcmp(word, "impact") == 0;
        const bool known = target != NULL && carom_param_find(target->kind.params, word) != NULL &&
                           !(law != NULL && carom_keys_foreign(law, word));
        const bool replaced = (scheme && theory->scheme != NULL) || (impact && theory->impact != NULL && known);
        if (replaced || (known && !(impact && moved)))
            continue;
        snprintf(key, sizeof key, "run.%.80s", word);
        add(more, key, "null");
        const size_t length = strlen(dropped);
        snprintf(dropped + length, size - length, "%s%s", length > 0 ? ", " : "", word);
    }
    if (theory->scheme != NULL)
        add(more, "run.scheme", theory->scheme->kind.name);
    if (theory->impact != NULL)
        add(more, impact_key(target, theory->impact), theory->impact);
}

static const struct carom_impact *impact_of(const char *name)
{
    size_t i = 0;
    while (strcmp(carom_striker_names[i], name) != 0)
        i++;
    return carom_striker_impacts[i];
}

struct carom_scene *carom_theories_scene(const struct carom_theory *theory, const struct carom_scene *scene,
                                         const char *name, char *dropped, size_t size, struct carom_error *error)
{
    struct options keys = {0}, more = {0};
    const bool moved = theory->theory != NULL && strcmp(theory->theory, scene->theory) != 0;
    const struct carom_scheme *target = theory->scheme != NULL ? theory->scheme : scene->scheme;
    const struct carom_impact *law = theory->impact != NULL ? impact_of(theory->impact) : carom_keys_impact(scene);
    dropped[0] = '\0';
    if (!moved && target == scene->scheme && theory->impact == NULL) /* as it is */
        return make(scene, name, &more, error);
    if (run_keys(scene, name, &keys, error) != CAROM_OK)
        return NULL;
    /* what the theory runs by itself is asked of the binder, and which impact law where nobody names one */
    if (moved && (theory->scheme == NULL ||
                  (theory->impact == NULL && carom_param_find(target->kind.params, "impact") != NULL))) {
        const struct carom_theory plain = {.theory = theory->theory, .scheme = theory->scheme};
        choose(&plain, scene, &keys, NULL, NULL, true, &more, dropped, size);
        struct carom_scene *usual = make(scene, name, &more, error);
        if (usual == NULL)
            return NULL;
        target = usual->scheme;
        law = theory->impact != NULL ? law : carom_keys_impact(usual);
        carom_scene_free(usual);
        more = (struct options){0};
    }
    struct carom_theory chosen = *theory;
    if (theory->impact != NULL && theory->scheme == NULL) /* the scene's, unless it has no such law */
        chosen.scheme = target = impact_key(target, theory->impact) != NULL ? target : &carom_scheme_event;
    if (theory->impact != NULL && impact_key(target, theory->impact) == NULL) {
        carom_error_set(error, CAROM_E_REFUSED, "scheme %s has no impact law '%s'; scheme event has them all",
                        target->kind.name, theory->impact);
        return NULL;
    }
    choose(&chosen, scene, &keys, target, law, moved, &more, dropped, size);
    return make(scene, name, &more, error);
}

static enum carom_status read_anew(struct carom_scene **scene, const char *name, const struct carom_theory *theory,
                                   struct carom_error *error)
{
    char dropped[256];
    struct carom_scene *made = carom_theories_scene(theory, *scene, name, dropped, sizeof dropped, error);
    if (made == NULL)
        return error->status;
    carom_scene_free(*scene);
    *scene = made;
    return CAROM_OK;
}

enum carom_status carom_theories_move(struct carom_scene **scene, const char *name, const struct carom_scheme *scheme,
                                      const char *impact, struct carom_error *error)
{
    const struct carom_theory theory = {.scheme = scheme, .impact = impact};
    if (scheme != (*scene)->scheme && carom_linkage_bodies((*scene)->model) != NULL)
        return read_anew(scene, name, &theory, error);
    const enum carom_status status = carom_variant_scheme(*scene, scheme, error);
    return status != CAROM_OK || impact == NULL
               ? status
               : carom_options_choose(&scheme->kind, (*scene)->options, "impact", impact, error);
}
