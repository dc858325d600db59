/* Binds a scene's tree: the top-level keys, then the steps in order, then a last look for keys that nobody has read.
 * What the steps do stands in bind_*.c. */
#include "scene/bind.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "carom/bodies.h"
#include "carom/friction.h"
#include "carom/impact.h"
#include "carom/law.h"

#define LARGE 1.0 /* a radius, in m: beyond it a unit was probably forgotten */

enum carom_status carom_bind_memory(const struct carom_bind *b)
{
    return carom_error_set(b->r.error, CAROM_E_MEMORY, "out of memory while reading %s", b->r.tree->name);
}

enum carom_status carom_bind_note(struct carom_bind *b, const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t old = b->scene->notes != NULL ? strlen(b->scene->notes) : 0, more = strlen(text) + 2;
    if (!carom_memory_widen(&b->scene->notes, old, old + more, 1))
        return carom_bind_memory(b);
    snprintf(b->scene->notes + old, more, "%s\n", text);
    return CAROM_OK;
}

static enum carom_status bind_title(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *node = carom_tree_find(root, "title");
    const char *title = carom_file_name(b->r.tree->name, NULL);
    if (node != NULL && carom_value_text(&b->r, node, &title) != CAROM_OK)
        return b->r.error->status;
    b->scene->title = carom_memory_text(title);
    if (b->scene->title == NULL)
        return carom_bind_memory(b);
    carom_text_plain(b->scene->title);
    return CAROM_OK;
}

/* Does the impact law work with the stiffness of contacts? The scheme's options are read later, contacts now. */
static bool wants_springs(const struct carom_bind *b, const struct carom_node *root)
{
    const struct carom_node *run = carom_tree_find(root, "run");
    const bool map = run != NULL && run->kind == CAROM_NODE_MAP;
    const struct carom_node *impact = map ? carom_tree_find(run, "impact") : NULL;
    if (!carom_bind_rigid(b) || impact == NULL || impact->text == NULL)
        return b->theory == CAROM_KEYS_LZB;
    for (size_t i = 0; carom_striker_impacts[i] != NULL; i++)
        if (strcmp(carom_striker_names[i], impact->text) == 0)
            return carom_striker_impacts[i]->springy;
    return false; /* there is no such impact, as whoever reads the options will say */
}

/* said before anything else: a later format may have other keys */
static enum carom_status check_format(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *node = carom_tree_find(root, "format");
    double format = CAROM_SCENE_FORMAT;
    const struct carom_param *row = carom_param_find(carom_keys_scene.kind.params, "format");
    if (node != NULL && carom_value_read(&b->r, node, row, &format) != CAROM_OK)
        return b->r.error->status;
    if (format > CAROM_SCENE_FORMAT)
        return carom_value_wrong(&b->r, node, "a scene of format %.0f is for a later carom, this one reads format %d",
                                 format, CAROM_SCENE_FORMAT);
    return CAROM_OK;
}

/* units, theory, seed and the title */
static enum carom_status bind_top(struct carom_bind *b, struct carom_node *root)
{
    if (root->kind != CAROM_NODE_MAP)
        return carom_value_wrong(&b->r, root, "a scene is a map of keys such as bodies: and run:, this is a %s",
                                 carom_tree_kind(root));
    struct carom_keys_scene keys;
    root->used = true;
    if (check_format(b, root) != CAROM_OK)
        return b->r.error->status;
    if (carom_value_keys(&b->r, root, &carom_keys_scene, NULL) != CAROM_OK ||
        carom_value_section(&b->r, root, &carom_keys_scene.kind, &keys) != CAROM_OK)
        return b->r.error->status;
    b->r.si = b->scene->si = keys.units == 0;
    b->scene->seed = (uint64_t)keys.seed;
    /* who is no row of beads reads it otherwise, or refuses it */
    const bool row = !carom_bind_space_is(root) && keys.theory != CAROM_KEYS_SOLID && !carom_bind_mechanism_is(root);
    struct carom_node *gravity = row ? carom_tree_find(root, "gravity") : NULL;
    if (gravity != NULL && gravity->kind == CAROM_NODE_LIST)
        return carom_value_wrong(&b->r, gravity,
                                 "is a list, but a row has one direction: one number, to the right "
                                 "positive, such as gravity: -9.81 m/s^2");
    if (gravity != NULL && carom_value_read(&b->r, gravity, &carom_keys_gravity, &b->gravity) != CAROM_OK)
        return b->r.error->status;
    b->precompression = carom_tree_find(root, "precompression") != NULL ? keys.precompression : nan("");
    b->scene->theory = carom_param_find(carom_keys_scene.kind.params, "theory")->choices[keys.theory];
    b->theory = (enum carom_keys_theory)keys.theory;
    b->springy = wants_springs(b, root);
    return bind_title(b, root);
}

/* The first key that nobody has read: it stands where it means nothing. */
static const struct carom_node *unread(const struct carom_node *node)
{
    if (!node->used)
        return node;
    for (const struct carom_node *child = node->first; child != NULL; child = child->next) {
        const struct carom_node *found = unread(child);
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* What beads are made of, for pictures: materials that are there, numbered in the order in which they come. */
static enum carom_status tell_materials(struct carom_bind *b)
{
    uint32_t *number = b->made_of != NULL ? carom_memory_zeroed(b->nmaterials, sizeof *number) : NULL;
    uint32_t count = 0;
    size_t length = 0;
    if (b->made_of == NULL)
        return CAROM_OK;
    b->scene->made_of = carom_memory_zeroed(b->n, sizeof *b->scene->made_of);
    if (number == NULL || b->scene->made_of == NULL) {
        carom_memory_free(number);
        return carom_bind_memory(b);
    }
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < b->n && status == CAROM_OK; i++) {
        if (b->made_of[i] == 0)
            continue;
        uint32_t *known = &number[b->made_of[i] - 1];
        if (*known == 0) {
            const char *given = b->material[b->made_of[i] - 1].name, *name = given != NULL ? given : "written out";
            const size_t more = strlen(name) + 2;
            if (carom_memory_widen(&b->scene->materials, length, length + more, 1))
                snprintf(b->scene->materials + length, more, "%s\n", name);
            else
                status = carom_bind_memory(b);
            length += more - 1;
            *known = ++count;
        }
        b->scene->made_of[i] = *known;
    }
    carom_memory_free(number);
    return status;
}

/* the model and its start */
static enum carom_status bind_model(struct carom_bind *b, const struct carom_node *root)
{
    const bool solid = b->theory == CAROM_KEYS_SOLID;
    if (carom_bind_space_is(root) && !(solid && carom_bind_solid_is(root)))
        return carom_bind_space(b, root);
    if (solid || carom_bind_mechanism_is(root)) {
        static const char *const of_rows[] = {"gravity", "precompression"};
        for (size_t i = solid ? 1 : 0; i < 2; i++) {
            const struct carom_node *node = carom_tree_find(root, of_rows[i]);
            if (node != NULL)
                return carom_value_wrong_key(&b->r, node, "%s at the top level is for rows of beads, not for a %s",
                                             of_rows[i], solid ? "solid" : "mechanism");
        }
        return solid ? carom_bind_solid(b, root) : carom_bind_mechanism(b, root);
    }
    if (carom_bind_bodies(b, root) != CAROM_OK || carom_bind_contacts(b, root) != CAROM_OK ||
        carom_bind_loads(b, root) != CAROM_OK || tell_materials(b) != CAROM_OK)
        return b->r.error->status;
    return carom_bind_start(b, root);
}

/* "diameter: 20" are 20 m, which hardly anybody means */
static enum carom_status note_large(struct carom_bind *b)
{
    const struct carom_beads *beads = carom_model_chain(b->scene->model);
    const struct carom_bodies *bodies = carom_model_bodies(b->scene->model);
    double most = 0.0;
    for (size_t i = 0; beads && beads->radius && i < beads->n; i++)
        most = fmax(most, beads->radius[i]);
    for (size_t i = 0; bodies && i < bodies->n; i++)
        if (bodies->body[i].surface == CAROM_BALL && !bodies->body[i].fixed && !bodies->body[i].inside)
            most = fmax(most, bodies->body[i].radius);
    return !b->r.si || most < LARGE ? CAROM_OK
                                    : carom_bind_note(b,
                                                      "bodies are up to %g m across: a number without a unit is in "
                                                      "metres, write 20 mm for millimetres",
                                                      2.0 * most);
}

static enum carom_status bind_all(struct carom_bind *b, struct carom_node *root)
{
    if (bind_top(b, root) != CAROM_OK || carom_bind_materials(b, root) != CAROM_OK || bind_model(b, root) != CAROM_OK)
        return b->r.error->status;
    struct carom_scene *scene = b->scene;
    const struct carom_node *start = carom_tree_find(root, "start"), *contacts = carom_tree_find(root, "contacts");
    if (carom_scales_find(scene->model, scene->q, scene->v, &scene->scales, b->r.error) != CAROM_OK)
        return carom_tree_error_at(b->r.tree, start != NULL ? start : root, b->r.error);
    if (carom_bind_theory(b) != CAROM_OK)
        return carom_tree_error_at(b->r.tree, contacts != NULL ? contacts : root, b->r.error);
    if (carom_bind_run(b, root) != CAROM_OK || carom_bind_record(b, root) != CAROM_OK ||
        carom_bind_region(b, root) != CAROM_OK || carom_bind_sensors(b, root) != CAROM_OK)
        return b->r.error->status;
    if (carom_bind_odd(b) != CAROM_OK || note_large(b) != CAROM_OK)
        return b->r.error->status;
    const struct carom_node *left = unread(root);
    if (left != NULL)
        return carom_value_wrong_key(&b->r, left, "%s has no meaning here",
                                     left->key != NULL ? carom_tree_short(left->key).text : "this entry");
    return CAROM_OK;
}

static enum carom_status cannot_add(const struct carom_bind *b, const char *what, const struct carom_kind *kind)
{
    return carom_error_set(b->r.error, CAROM_E_INPUT, "%s: your own %s is called %s, as another is, or is one too many",
                           b->r.tree->name, what, kind->name);
}

/* carom's kinds and the reader's own in one list; names are told apart */
#define GATHER(all, ours, own, what)                                               \
    do {                                                                           \
        size_t n = 0;                                                              \
        for (; (ours)[n] != NULL; n++)                                             \
            (all)[n] = (ours)[n];                                                  \
        for (size_t i = 0; (own) != NULL && (own)[i] != NULL; i++) {               \
            size_t j = 0;                                                          \
            while (j < n && strcmp((all)[j]->kind.name, (own)[i]->kind.name) != 0) \
                j++;                                                               \
            if (j < n || n == CAROM_BIND_KINDS)                                    \
                return cannot_add(b, what, &(own)[i]->kind);                       \
            (all)[n++] = (own)[i];                                                 \
        }                                                                          \
    } while (0)

static enum carom_status gather_kinds(struct carom_bind *b)
{
    GATHER(b->laws, carom_kinds_laws, b->wish->laws, "law");
    GATHER(b->frictions, carom_kinds_frictions, b->wish->frictions, "friction law");
    GATHER(b->schemes, carom_kinds_schemes, b->wish->schemes, "scheme");
    for (size_t i = 0; b->wish->functions != NULL && b->wish->functions[i] != NULL; i++)
        for (const char *const *shape = carom_keys_signal.kind.params[0].choices; *shape != NULL; shape++)
            if (strcmp(*shape, b->wish->functions[i]->kind.name) == 0)
                return cannot_add(b, "shape", &b->wish->functions[i]->kind);
    return CAROM_OK;
}

enum carom_status carom_bind_scene(struct carom_tree *tree, struct carom_scene *scene,
                                   const struct carom_scene_wish *wish, struct carom_error *error)
{
    struct carom_bind b = {.r = {.tree = tree, .error = error, .si = true}, .scene = scene, .wish = wish};
    const enum carom_status status = gather_kinds(&b) == CAROM_OK ? bind_all(&b, tree->root) : error->status;
    carom_memory_free_all(b.e, b.material, b.mass, b.radius, b.spring, b.damping, b.string, b.gap, b.made_of,
                          b.class_made_of, b.stiffen, b.striker);
    return status;
}
