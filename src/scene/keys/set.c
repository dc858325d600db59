/* Finds the place a `--set` means and puts its value there. Whether the key is one a scene knows is left to the
 * binder, except where only the tables can tell where a new key belongs. */
#include "scene/keys/set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "carom/scene.h"
#include "scene/keys/keys.h"
#include "scene/text/yaml.h"

#define SEGMENTS 16
#define SHOWN 4 /* places an ambiguous key is said to mean */
#define PATH 200

struct path {
    size_t count;
    const char *segment[SEGMENTS];
};

/* A search for the nodes whose path ends in the segments. */
struct search {
    const struct path *path;
    size_t found;
    struct carom_node *node[SHOWN];
};

static size_t index_of(const struct carom_node *node)
{
    size_t i = 1;
    for (const struct carom_node *other = node->parent->first; other != node; other = other->next)
        i++;
    return i;
}

/* A number of a list from its segment; 0: it is none. */
static size_t number(const char *segment)
{
    char *end;
    const unsigned long value = segment[0] >= '0' && segment[0] <= '9' ? strtoul(segment, &end, 10) : 0;
    return value > 0 && value < 100000000 && *end == '\0' ? (size_t)value : 0;
}

static bool is_named(const struct carom_node *node, const char *segment)
{
    if (node->parent == NULL)
        return false;
    if (node->key != NULL)
        return strcmp(node->key, segment) == 0;
    const size_t wanted = number(segment);
    return wanted > 0 && wanted <= node->parent->count && wanted == index_of(node);
}

static bool ends_so(const struct carom_node *node, const struct path *path)
{
    for (size_t i = path->count; i-- > 0; node = node->parent)
        if (!is_named(node, path->segment[i]))
            return false;
    return true;
}

/* Lists of numbers may be long, and their entries are asked for by a full path only: what is searched are keys. */
static void look(struct search *search, struct carom_node *node)
{
    for (struct carom_node *child = node->first; child != NULL; child = child->next) {
        if (child->key != NULL && ends_so(child, search->path)) {
            if (search->found < SHOWN)
                search->node[search->found] = child;
            search->found++;
        }
        look(search, child);
    }
}

/* an entry of a list, counted from 1; NULL: there is none */
static struct carom_node *entry_of(const struct carom_node *list, size_t wanted)
{
    struct carom_node *node = wanted > 0 && wanted <= list->count ? list->first : NULL;
    for (size_t k = 1; k < wanted && node != NULL; k++)
        node = node->next;
    return node;
}

static struct carom_node *walk(struct carom_node *from, const struct path *path, size_t count)
{
    struct carom_node *node = from;
    for (size_t i = 0; i < count; i++) {
        node = node->kind == CAROM_NODE_LIST ? entry_of(node, number(path->segment[i]))
                                             : carom_tree_find(node, path->segment[i]);
        if (node == NULL)
            return NULL;
    }
    return node;
}

/* --- sentences -------------------------------------------------------------------------------------------------- */

static void write_path(const struct carom_node *node, char *text, size_t room)
{
    if (node->parent == NULL) {
        text[0] = '\0';
        return;
    }
    write_path(node->parent, text, room);
    const size_t length = strlen(text);
    const char *dot = length > 0 ? "." : "";
    if (node->key != NULL)
        snprintf(text + length, room - length, "%s%s", dot, carom_tree_short(node->key).text);
    else
        snprintf(text + length, room - length, "%s%zu", dot, index_of(node));
}

static enum carom_status ambiguous(const struct search *search, struct carom_error *error)
{
    char all[SHOWN * PATH] = "";
    for (size_t i = 0; i < search->found && i < SHOWN; i++) {
        char one[PATH];
        write_path(search->node[i], one, sizeof one);
        const size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? " or " : "", one);
    }
    return carom_error_set(error, CAROM_E_INPUT, "could be %s%s", all, search->found > SHOWN ? " or another" : "");
}

static size_t gather_keys(const struct carom_node *node, const char **names, size_t count, size_t room)
{
    for (const struct carom_node *child = node->first; child != NULL && count < room; child = child->next) {
        if (child->key != NULL)
            names[count++] = child->key;
        count = gather_keys(child, names, count, room);
    }
    return count;
}

static size_t gather_params(const struct carom_param *params, const char **names, size_t count, size_t room)
{
    for (; params != NULL && params->name != NULL && count < room; params++)
        names[count++] = params->name;
    return count;
}

/* What is wrong with the last word of a path: it stands elsewhere, belongs elsewhere, is misspelled, or unknown. */
static enum carom_status not_there(struct carom_tree *tree, const struct path *path, struct carom_error *error)
{
    const char *names[200], *segment = path->segment[path->count - 1];
    const struct carom_short shown = carom_tree_short(segment);
    const size_t room = sizeof names / sizeof names[0];
    struct search search = {.path = &(struct path){1, {segment}}};
    look(&search, tree->root);
    if (search.found > 0) {
        char where[PATH];
        write_path(search.node[0], where, sizeof where);
        return carom_error_set(error, CAROM_E_INPUT, "there is no '%s' here; it exists as %s%s", shown.text, where,
                               search.found > 1 ? " and elsewhere" : "");
    }
    if (carom_keys_home(segment) != NULL)
        return carom_error_set(error, CAROM_E_INPUT, "'%s' belongs to %s", shown.text, carom_keys_home(segment));
    size_t count = gather_keys(tree->root, names, 0, room / 2);
    count = gather_params(carom_keys_run.kind.params, names, count, room);
    for (size_t i = 0; carom_kinds_schemes[i] != NULL; i++)
        count = gather_params(carom_kinds_schemes[i]->kind.params, names, count, room);
    const char *nearest = carom_param_nearest(segment, names, count);
    if (nearest != NULL)
        return carom_error_set(error, CAROM_E_INPUT, "unknown key '%s', did you mean '%s'?", shown.text, nearest);
    return carom_error_set(error, CAROM_E_INPUT, "there is no '%s' in the scene", shown.text);
}

/* --- adding ----------------------------------------------------------------------------------------------------- */

static bool is_section(const char *segment)
{
    return strcmp(segment, "run") == 0 || strcmp(segment, "record") == 0 || strcmp(segment, "contacts") == 0 ||
           strcmp(segment, "materials") == 0;
}

static bool is_top(const char *segment)
{
    for (const struct carom_key *key = carom_keys_scene.others; key->name != NULL; key++)
        if (strcmp(key->name, segment) == 0)
            return true;
    return carom_param_find(carom_keys_scene.kind.params, segment) != NULL;
}

/* Nothing can be added below a list or a single value. */
static enum carom_status check_parent(const struct carom_node *parent, struct carom_error *error)
{
    char where[PATH];
    write_path(parent, where, sizeof where);
    if (parent->kind == CAROM_NODE_LIST)
        return carom_error_set(error, CAROM_E_INPUT, "%s is a list of %zu entr%s, counted from 1", where, parent->count,
                               carom_plural_y(parent->count));
    if (parent->kind == CAROM_NODE_SCALAR)
        return carom_error_set(error, CAROM_E_INPUT, "%s is a single value, nothing stands below it", where);
    return CAROM_OK;
}

/* Says at which word a path leaves what is there. */
static enum carom_status no_parent(struct carom_tree *tree, const struct path *path, struct carom_error *error)
{
    struct path until = *path;
    const struct carom_node *last = tree->root, *next;
    for (until.count = 1; until.count < path->count; until.count++) {
        if ((next = walk(tree->root, path, until.count)) == NULL)
            break;
        last = next;
    }
    if (check_parent(last, error) != CAROM_OK)
        return error->status;
    return not_there(tree, &until, error);
}

/* The map a new key goes into: found like a key, or a section of the scene that is not there yet. */
static enum carom_status find_parent(struct carom_tree *tree, const struct path *path, const char *option,
                                     struct carom_node **parent, struct carom_error *error)
{
    struct path above = *path;
    above.count--;
    struct search search = {.path = &above};
    *parent = walk(tree->root, path, above.count);
    if (*parent != NULL)
        return CAROM_OK;
    look(&search, tree->root);
    if (search.found > 1)
        return ambiguous(&search, error);
    *parent = search.found == 1 ? search.node[0] : NULL;
    if (*parent != NULL)
        return CAROM_OK;
    if (above.count > 1 || !is_section(path->segment[0]))
        return no_parent(tree, path, error);
    struct carom_node *map = carom_tree_node(tree, CAROM_NODE_MAP);
    if (map == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    map->key = path->segment[0];
    map->option = option;
    carom_tree_append(tree->root, map);
    *parent = map;
    return CAROM_OK;
}

static enum carom_status add(struct carom_tree *tree, const struct path *path, struct carom_node *value,
                             struct carom_error *error)
{
    struct carom_node *parent = tree->root;
    const char *last = path->segment[path->count - 1];
    const char *home = path->count == 1 && !is_top(last) ? carom_keys_home(last) : NULL;
    if (path->count == 1 && !is_top(last) && home == NULL)
        return not_there(tree, path, error);
    if (home != NULL)
        return add(tree, &(struct path){2, {home, last}}, value, error);
    if (path->count > 1 && find_parent(tree, path, value->option, &parent, error) != CAROM_OK)
        return error->status;
    if (check_parent(parent, error) != CAROM_OK)
        return error->status;
    value->key = last;
    carom_tree_append(parent, value);
    return CAROM_OK;
}

/* --- one option ------------------------------------------------------------------------------------------------- */

static enum carom_status split(struct carom_tree *tree, const char *option, size_t length, struct path *path,
                               struct carom_error *error)
{
    const char *from = option, *end = option + length;
    path->count = 0;
    do {
        const char *dot = memchr(from, '.', (size_t)(end - from));
        const size_t n = (size_t)((dot != NULL ? dot : end) - from);
        if (n == 0 || path->count == SEGMENTS)
            return carom_error_set(error, CAROM_E_USAGE, "the key must be words joined by points, such as run.until");
        path->segment[path->count] = carom_tree_text(tree, from, n);
        if (path->segment[path->count++] == NULL)
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
        from += n + 1;
    } while (from <= end);
    return CAROM_OK;
}

static enum carom_status find(struct carom_tree *tree, const struct path *path, struct carom_node **node,
                              struct carom_error *error)
{
    struct search search = {.path = path};
    *node = walk(tree->root, path, path->count);
    if (*node != NULL)
        return CAROM_OK;
    look(&search, tree->root);
    if (search.found > 1)
        return ambiguous(&search, error);
    *node = search.found == 1 ? search.node[0] : NULL;
    return CAROM_OK;
}

enum carom_status carom_set_find(struct carom_tree *tree, const char *key, struct carom_node **node,
                                 struct carom_error *error)
{
    struct path path;
    *node = NULL;
    const enum carom_status status = split(tree, key, strlen(key), &path, error);
    return status == CAROM_OK ? find(tree, &path, node, error) : status;
}

static enum carom_status place(struct carom_tree *tree, const struct path *path, struct carom_node *value,
                               struct carom_error *error)
{
    struct carom_node *old;
    if (find(tree, path, &old, error) != CAROM_OK)
        return error->status;
    const bool take_away = value->kind == CAROM_NODE_SCALAR && strcmp(value->text, "null") == 0;
    if (take_away) {
        if (old == NULL)
            return carom_error_set(error, CAROM_E_INPUT, "there is no '%s' in the scene that could be taken away",
                                   carom_tree_short(path->segment[path->count - 1]).text);
        carom_tree_remove(old);
        return CAROM_OK;
    }
    if (old == NULL)
        return add(tree, path, value, error);
    carom_tree_replace(tree, old, value);
    return CAROM_OK;
}

enum carom_status carom_set_apply(struct carom_tree *tree, const char *option, struct carom_error *error)
{
    struct carom_error own;
    struct carom_error *say = error != NULL ? error : &own;
    const struct carom_short shown = carom_tree_short(option);
    const char *equals = strchr(option, '=');
    if (equals == NULL || strchr(option, '\n') != NULL)
        return carom_error_set(say, CAROM_E_USAGE, "--set %s: write key=value, in one line", shown.text);
    const char *label = carom_tree_text(tree, shown.text, strlen(shown.text));
    if (label == NULL)
        return carom_error_set(say, CAROM_E_MEMORY, "out of memory");
    struct carom_node *value;
    if (carom_yaml_parse(tree, equals + 1, strlen(equals + 1), label, &value, say) != CAROM_OK)
        return say->status;
    struct path path;
    enum carom_status status = split(tree, option, (size_t)(equals - option), &path, say);
    if (status == CAROM_OK)
        status = place(tree, &path, value, say);
    return status == CAROM_OK ? CAROM_OK : carom_error_prefix(say, "--set %s", label);
}
