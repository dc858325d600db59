/* Bodies of the plane and of space, from tree to model: the order of steps, the list's entries, what steps share. */
#include "scene/space/bind_space.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/vec.h"

#define BYTES_PER_BODY 500.0 /* of model, states and recording: far more where many touch */

static const char *const words[CAROM_BIND_SHAPES] = {"disc",       "sphere",  "lattice", "packing",  "file",
                                                     "run",        "plane",   "box",     "cylinder", "polygon",
                                                     "polyhedron", "capsule", "compound"};

enum carom_bind_shape carom_bind_space_shape(const char *word)
{
    size_t i = 0;
    while (i < CAROM_BIND_SHAPES && strcmp(words[i], word) != 0)
        i++;
    return (enum carom_bind_shape)i;
}

/* Is the entry a table of bodies? Its keys stand side by side: {file: balls.csv, material: steel}. */
static bool is_table(const struct carom_node *node)
{
    return carom_tree_find(node, "file") != NULL || carom_tree_find(node, "run") != NULL;
}

bool carom_bind_space_is(const struct carom_node *root)
{
    const struct carom_node *list = carom_tree_find(root, "bodies");
    for (const struct carom_node *entry = list != NULL && list->kind == CAROM_NODE_LIST ? list->first : NULL;
         entry != NULL; entry = entry->next)
        if (is_table(entry) || (entry->kind == CAROM_NODE_MAP && entry->first != NULL &&
                                carom_bind_space_shape(entry->first->key) != CAROM_BIND_SHAPES))
            return true;
    return false;
}

/* --- vectors ----------------------------------------------------------------------------------------------------- */

enum carom_status carom_bind_space_vector(struct carom_bind_space *s, struct carom_node *node, const char *unit,
                                          double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    if (node->kind == CAROM_NODE_LIST && node->count != s->dimension && (node->count == 2 || node->count == 3))
        return carom_value_wrong(&s->b->r, node,
                                 "has %zu numbers, but this scene is of %s: its first body has %zu in `at`",
                                 node->count, s->dimension == 2 ? "the plane" : "space", s->dimension);
    return carom_value_vector(&s->b->r, node, unit, s->dimension, false, out);
}

enum carom_status carom_bind_space_turn(struct carom_bind_space *s, struct carom_node *node, const char *unit,
                                        double out[3])
{
    const struct carom_param row = {"turn", CAROM_REAL, 0, 0.0, -HUGE_VAL, HUGE_VAL, unit, "turn", NULL};
    out[0] = out[1] = out[2] = 0.0;
    if (s->dimension == 3)
        return carom_bind_space_vector(s, node, unit, out);
    return carom_value_read(&s->b->r, node, &row, &out[2]);
}

enum carom_status carom_bind_space_direction(struct carom_bind_space *s, struct carom_node *node, double out[3])
{
    if (carom_bind_space_vector(s, node, "1", out) != CAROM_OK)
        return s->b->r.error->status;
    return carom_value_unit(&s->b->r, node, out);
}

/* the side to which the angle opens, at right angles to `from` */
static enum carom_status read_towards(struct carom_bind_space *s, struct carom_node *map, const double from[3],
                                      double side[3])
{
    const double usual[3] = {s->dimension == 2 ? -from[1] : 1.0, s->dimension == 2 ? from[0] : 0.0, 0.0};
    struct carom_node *node = carom_tree_find(map, "towards");
    memcpy(side, usual, sizeof usual);
    if (node != NULL && carom_bind_space_direction(s, node, side) != CAROM_OK)
        return s->b->r.error->status;
    const double along = carom_vec_dot(side, from);
    for (size_t k = 0; k < 3; k++)
        side[k] -= along * from[k];
    const double length = carom_vec_norm(side);
    for (size_t k = 0; k < 3; k++)
        side[k] /= length;
    if (length > 1e-6)
        return CAROM_OK;
    return carom_value_wrong_key(&s->b->r, node != NULL ? node : map,
                                 node != NULL ? "towards: points along `from`, so that no side is meant"
                                              : "velocity: write `towards`: [1, 0, 0] points along `from`");
}

/* squares of it, and sums of a few, are to be numbers */
static enum carom_status slow_enough(const struct carom_bind_space *s, const struct carom_node *node,
                                     const double velocity[3])
{
    for (size_t k = 0; k < s->dimension; k++)
        if (!(fabs(velocity[k]) < 1e150))
            return carom_value_wrong_key(&s->b->r, node, "velocity: %g%s has more energy than a number can hold",
                                         velocity[k], s->b->r.si ? " m/s" : "");
    return CAROM_OK;
}

enum carom_status carom_bind_space_velocity(struct carom_bind_space *s, struct carom_node *node, double out[3])
{
    const struct carom_reader *r = &s->b->r;
    struct carom_keys_space_velocity keys;
    double from[3] = {s->dimension == 2 ? 1.0 : 0.0, 0.0, s->dimension == 2 ? 0.0 : -1.0}, side[3];
    if (node->kind != CAROM_NODE_MAP)
        return carom_bind_space_vector(s, node, "m/s", out) == CAROM_OK ? slow_enough(s, node, out) : r->error->status;
    if (carom_value_fill(r, node, &carom_keys_space_velocity, &keys) != CAROM_OK)
        return r->error->status;
    struct carom_node *given = carom_tree_find(node, "from");
    if ((given != NULL && carom_bind_space_direction(s, given, from) != CAROM_OK) ||
        read_towards(s, node, from, side) != CAROM_OK)
        return r->error->status;
    for (size_t k = 0; k < 3; k++)
        out[k] = keys.speed * (carom_angle_cos(keys.angle) * from[k] + carom_angle_sin(keys.angle) * side[k]);
    return slow_enough(s, node, out);
}

const struct carom_bind_entry *carom_bind_space_find(const struct carom_bind_space *s, const char *name)
{
    for (size_t i = 0; i < s->nentries; i++)
        if (s->entry[i].name != NULL && strcmp(s->entry[i].name, name) == 0)
            return &s->entry[i];
    return NULL;
}

/* --- entries ----------------------------------------------------------------------------------------------------- */

static enum carom_status find_dimension(struct carom_bind_space *s)
{
    for (size_t i = 0; i < s->nentries && s->dimension == 0; i++) {
        const struct carom_node *map = s->entry[i].map;
        const bool table = s->entry[i].table != NULL;
        const struct carom_node *at = table ? NULL : carom_tree_find(map, "at"), *in = carom_tree_find(map, "in");
        if (table)
            s->dimension = s->entry[i].table->dimension;
        if (in != NULL && in->kind == CAROM_NODE_LIST)
            at = in->first;
        if (at != NULL && at->kind == CAROM_NODE_LIST && (at->count == 2 || at->count == 3))
            s->dimension = at->count;
        else if (at != NULL)
            return carom_value_wrong(&s->b->r, at,
                                     "a list of two numbers makes a body of the plane, of three one of space");
    }
    const struct carom_node *domain = carom_tree_find(s->root, "domain");
    if (s->dimension == 0 && domain != NULL && domain->kind == CAROM_NODE_LIST && domain->first != NULL)
        s->dimension = domain->first->count == 2 ? 2 : 3;
    for (size_t i = 0; i < s->nentries && s->dimension == 0; i++)
        s->dimension = s->entry[i].table != NULL ? 3 : 0;
    if (s->dimension == 0)
        return carom_value_wrong_key(&s->b->r, s->entry[0].map,
                                     "%s: at is missing: its place, such as at: [0, 0] or [0, 0, 0]", s->entry[0].word);
    return CAROM_OK;
}

static enum carom_status unknown_entry(struct carom_bind_space *s, const struct carom_node *node)
{
    static const char *const rows[] = {"chain", "bead", "striker", "wall", "mechanism", "solid"};
    const struct carom_reader *r = &s->b->r;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i], node->first->key) == 0)
            return carom_tree_error_key(r->tree, node->first, CAROM_E_REFUSED, r->error,
                                        "%s: discs, spheres and their walls do not stand in one scene with it",
                                        rows[i]);
    return carom_value_unknown(r, node->first, "body", node->first->key, words, CAROM_BIND_SHAPES);
}

/* which body it is, and the map of its keys */
static enum carom_status read_shape(struct carom_bind_space *s, struct carom_node *node, struct carom_bind_entry *entry)
{
    const struct carom_reader *r = &s->b->r;
    if (node->kind != CAROM_NODE_MAP || (node->count != 1 && !is_table(node)))
        return carom_value_wrong(r, node, "an entry of bodies is one body, such as - disc: {at: [0, 0], radius: 1}");
    node->used = true;
    entry->map = is_table(node) ? node : node->first;
    entry->shape = !is_table(node)                        ? carom_bind_space_shape(node->first->key)
                   : carom_tree_find(node, "run") != NULL ? CAROM_BIND_RUN
                                                          : CAROM_BIND_FILE;
    entry->main = s->nentries;
    if (entry->shape == CAROM_BIND_SHAPES)
        return unknown_entry(s, node);
    entry->word = words[entry->shape];
    return carom_value_map(r, entry->map);
}

static enum carom_status read_entry(struct carom_bind_space *s, struct carom_node *node, struct carom_bind_entry *entry)
{
    const struct carom_reader *r = &s->b->r;
    if (read_shape(s, node, entry) != CAROM_OK)
        return r->error->status;
    struct carom_node *name = carom_tree_find(entry->map, "name");
    struct carom_node *material = carom_tree_find(entry->map, "material");
    const struct carom_node *inside = carom_tree_find(entry->map, "inside");
    entry->wall = entry->shape >= CAROM_BIND_PLANE || inside != NULL;
    if (name != NULL && carom_value_text(r, name, &entry->name) != CAROM_OK)
        return r->error->status;
    if (name != NULL && carom_bind_space_find(s, entry->name) != NULL)
        return carom_value_wrong(r, name, "another body has this name already");
    if (name != NULL && (entry->name[0] == '\0' || strspn(entry->name, "0123456789") == strlen(entry->name)))
        return carom_value_wrong(r, name, "a name has a letter, else it could be a body's number");
    return material != NULL
               ? carom_bind_materials_number(s->b, material, entry->shape >= CAROM_BIND_PLANE, &entry->made_of)
               : CAROM_OK;
}

enum carom_status carom_bind_space_check(struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    static const struct carom_section *const section[CAROM_BIND_SHAPES] = {
        &carom_keys_space_disc,     &carom_keys_space_sphere,  &carom_keys_space_lattice,    &carom_keys_space_packing,
        &carom_keys_space_file,     &carom_keys_space_run,     &carom_keys_space_plane,      &carom_keys_space_box,
        &carom_keys_space_cylinder, &carom_keys_space_polygon, &carom_keys_space_polyhedron, &carom_keys_space_capsule,
        &carom_keys_space_compound,
    };
    const struct carom_reader *r = &s->b->r;
    if (carom_value_keys(r, entry->map, section[entry->shape], NULL) != CAROM_OK)
        return r->error->status;
    static const struct {
        size_t dimension; /* in which there are none */
        const char *instead;
    } only[CAROM_BIND_SHAPES] = {[CAROM_BIND_DISC] = {3, "spheres, not discs"},
                                 [CAROM_BIND_CYLINDER] = {2, "no cylinders; a disc may be fixed"},
                                 [CAROM_BIND_POLYGON] = {3, "polyhedra, not polygons"},
                                 [CAROM_BIND_POLYHEDRON] = {2, "polygons, not polyhedra"}};
    if (only[entry->shape].dimension == s->dimension)
        return carom_value_wrong_key(r, entry->map, "%s: a scene of %s has %s", entry->word,
                                     s->dimension == 3 ? "space" : "the plane", only[entry->shape].instead);
    return CAROM_OK;
}

/* Is the entry told apart from others of its material by its name? */
static bool is_named(const struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    const struct carom_node *contacts = carom_tree_find(s->root, "contacts");
    if (entry->name == NULL || contacts == NULL || contacts->kind != CAROM_NODE_LIST)
        return false;
    for (const struct carom_node *map = contacts->first; map != NULL; map = map->next) {
        const struct carom_node *between = map->kind == CAROM_NODE_MAP ? carom_tree_find(map, "between") : NULL;
        if (between == NULL || between->kind != CAROM_NODE_LIST)
            continue;
        for (const struct carom_node *who = between->first; who != NULL; who = who->next)
            if (who->text != NULL && strcmp(who->text, entry->name) == 0)
                return true;
    }
    return false;
}

/* classes are few, entries may be many: each is compared with the first entry of every class */
static enum carom_status find_classes(struct carom_bind_space *s)
{
    size_t *of =
        carom_memory_zeroed(s->nentries, sizeof *of); /* the first entry of a class; SIZE_MAX: no others join */
    uint32_t classes = 0;
    if (of == NULL)
        return carom_bind_memory(s->b);
    for (size_t i = 0; i < s->nentries; i++) {
        struct carom_bind_entry *e = &s->entry[i];
        const bool alone = is_named(s, &s->entry[e->main]);
        uint32_t c = alone ? classes : 0;
        while (c < classes &&
               (of[c] == SIZE_MAX || s->entry[of[c]].made_of != e->made_of || s->entry[of[c]].wall != e->wall))
            c++;
        if (c == classes)
            of[classes++] = alone ? SIZE_MAX : i;
        e->class = c;
    }
    carom_memory_free(of);
    return CAROM_OK;
}

enum carom_status carom_bind_space_entry(struct carom_bind_space *s, struct carom_bind_entry **entry)
{
    if (!carom_memory_widen(&s->entry, s->room, s->room + 1, sizeof *s->entry))
        return carom_bind_memory(s->b);
    s->room++;
    *entry = &s->entry[s->nentries++];
    return CAROM_OK;
}

/* how many bodies an entry has, and where they begin */
static enum carom_status count_entry(struct carom_bind_space *s, struct carom_bind_entry *entry)
{
    enum carom_status status = CAROM_OK;
    entry->first = s->n;
    if (entry != &s->entry[entry->main])
        return CAROM_OK;
    status = carom_bind_space_check(s, entry);
    entry->count = entry->table != NULL ? entry->table->n : 1;
    if (status == CAROM_OK && entry->shape == CAROM_BIND_LATTICE)
        status = carom_bind_space_lattice_count(s, entry);
    if (status == CAROM_OK && entry->shape == CAROM_BIND_PACKING)
        status = carom_bind_space_place_packing_count(s, entry);
    if (entry->table == NULL && entry->shape != CAROM_BIND_LATTICE)
        entry->of_class = entry->count;
    s->n += entry->count;
    return status;
}

/* entries, dimension, how many bodies there are, and classes */
static enum carom_status count_all(struct carom_bind_space *s)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_node *list = carom_tree_find(s->root, "bodies");
    if (carom_value_list(r, list) != CAROM_OK)
        return r->error->status;
    s->entry = carom_memory_zeroed(list->count, sizeof *s->entry);
    s->room = list->count;
    if (s->entry == NULL)
        return carom_bind_memory(s->b);
    for (struct carom_node *node = list->first; node != NULL; node = node->next) {
        const size_t i = s->nentries;
        if (read_entry(s, node, &s->entry[i]) != CAROM_OK)
            return r->error->status;
        s->nentries++;
        if ((s->entry[i].shape == CAROM_BIND_FILE || s->entry[i].shape == CAROM_BIND_RUN) &&
            carom_bind_space_table_read(s, i) != CAROM_OK)
            return r->error->status;
        if (s->entry[i].shape == CAROM_BIND_LATTICE && carom_bind_space_lattice_intruders(s, i) != CAROM_OK)
            return r->error->status;
    }
    if (find_dimension(s) != CAROM_OK)
        return r->error->status;
    for (size_t i = 0; i < s->nentries; i++)
        if (count_entry(s, &s->entry[i]) != CAROM_OK)
            return r->error->status;
    if ((double)s->n > 1e8)
        return carom_value_wrong(r, list, "%zu bodies are too many: at most 1e8", s->n);
    const double there = carom_machine_memory(), needed = BYTES_PER_BODY * (double)s->n;
    if (there > 0.0 && needed > there)
        return carom_value_wrong(r, list, "%zu bodies need at least %.3g GB of memory, there are %.3g", s->n,
                                 needed * 1e-9, there * 1e-9);
    return find_classes(s);
}

/* what the scene keeps of them, for pages */
static enum carom_status keep_names(const struct carom_bind_space *s)
{
    struct carom_scene *scene = s->b->scene;
    scene->named = carom_memory_zeroed(s->nentries, sizeof *scene->named);
    if (scene->named == NULL)
        return carom_bind_memory(s->b);
    for (size_t i = 0; i < s->nentries; i++) {
        const struct carom_bind_entry *e = &s->entry[i];
        if (e->name == NULL || e->count == 0)
            continue;
        char *name = carom_memory_text(e->name);
        if (name == NULL)
            return carom_bind_memory(s->b);
        scene->named[scene->nnamed++] = (struct carom_scene_named){name, e->first, e->count};
    }
    return CAROM_OK;
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static enum carom_status make_model(struct carom_bind_space *s)
{
    struct carom_scene *scene = s->b->scene;
    struct carom_error *error = s->b->r.error;
    const struct carom_node *list = carom_tree_find(s->root, "bodies");
    if (carom_bodies_finish(s->bodies, error) != CAROM_OK)
        return carom_tree_error_at(s->b->r.tree, list, error);
    if (carom_bind_space_domain_check(s) != CAROM_OK)
        return error->status;
    scene->model = carom_model_create();
    if (scene->model == NULL)
        return carom_bind_memory(s->b);
    if (carom_model_add(scene->model, &carom_part_bodies, s->bodies, error) != CAROM_OK) /* its own, whatever comes */
        return error->status;
    const enum carom_status status = carom_model_finish(scene->model, error);
    return status == CAROM_OK ? CAROM_OK : carom_tree_error_at(s->b->r.tree, list, error);
}

/* What the theory makes of contacts, whose e may be that at the speeds of the start. */
static enum carom_status read_theory(const struct carom_bind_space *s)
{
    struct carom_bind *b = s->b;
    struct carom_scene *scene = b->scene;
    const struct carom_node *start = carom_tree_find(s->root, "start"),
                            *contacts = carom_tree_find(s->root, "contacts");
    if (!carom_bind_rigid(b))
        return CAROM_OK;
    if (carom_scales_find(scene->model, scene->q, scene->v, &scene->scales, b->r.error) != CAROM_OK)
        return carom_tree_error_at(b->r.tree, start != NULL ? start : s->root, b->r.error);
    if (carom_bind_space_theory(b) != CAROM_OK)
        return carom_tree_error_at(b->r.tree, contacts != NULL ? contacts : s->root, b->r.error);
    return CAROM_OK;
}

/* does its mass follow from a depth of 1 m that nobody has written? */
static bool assumes_depth(const struct carom_bind_space *s, const struct carom_bind_entry *e)
{
    if (e->count == 0) /* it may begin beyond the last body */
        return false;
    const struct carom_body *body = &s->bodies->body[e->first];
    const bool flat = e->shape >= CAROM_BIND_BOX || (body->surface == CAROM_BALL && body->depth == 1.0);
    return flat && e->made_of > 0 && !body->fixed && e->table == NULL && carom_tree_find(e->map, "mass") == NULL &&
           carom_tree_find(e->map, "thickness") == NULL;
}

/* Whoever takes discs for balls or thin plates should know. */
static enum carom_status note_depth(struct carom_bind_space *s)
{
    for (size_t i = 0; i < s->nentries && s->dimension == 2 && s->b->r.si; i++)
        if (assumes_depth(s, &s->entry[i]))
            return carom_bind_note(s->b,
                                   "line %u: without a thickness this %s is taken to be 1 m deep and weighs %.3g kg; "
                                   "give thickness, or mass",
                                   s->entry[i].map->line, s->entry[i].word, s->bodies->body[s->entry[i].first].mass);
    return CAROM_OK;
}

/* Who gives a mass to what does not move by itself, or a thickness to what has its mass, may expect something of it. */
static enum carom_status note_idle(struct carom_bind_space *s)
{
    for (size_t i = 0; i < s->nentries; i++) {
        const struct carom_bind_entry *e = &s->entry[i];
        const bool weighed = e->count > 0 && carom_tree_find(e->map, "mass") != NULL;
        if (weighed && s->bodies->body[e->first].fixed)
            return carom_bind_note(s->b, "line %u: the mass of this %s has no effect: it %s", e->map->line, e->word,
                                   carom_tree_find(e->map, "drive") != NULL ? "moves as its drive says" : "is fixed");
        if (weighed && carom_tree_find(e->map, "thickness") != NULL)
            return carom_bind_note(s->b,
                                   "line %u: the mass of this %s is given, and its thickness changes nothing of it",
                                   e->map->line, e->word);
    }
    return CAROM_OK;
}

static enum carom_status refuse_rest(struct carom_bind *b, const struct carom_node *root)
{
    static const char *const of_rows[] = {"precompression", "strings", "sensors"};
    for (size_t i = 0; i < sizeof of_rows / sizeof of_rows[0]; i++) {
        const struct carom_node *node = carom_tree_find(root, of_rows[i]);
        if (node != NULL)
            return carom_tree_error_key(b->r.tree, node, CAROM_E_REFUSED, b->r.error,
                                        "%s is for rows of beads, not for bodies of the plane or of space", of_rows[i]);
    }
    if (b->theory != CAROM_KEYS_SOLID)
        return CAROM_OK;
    return carom_tree_error(b->r.tree, carom_tree_find(root, "theory"), CAROM_E_REFUSED, b->r.error,
                            "bodies of the plane and of space have the theories compliant, lzb and nonsmooth, not %s",
                            b->scene->theory);
}

static enum carom_status bind(struct carom_bind_space *s)
{
    if (refuse_rest(s->b, s->root) != CAROM_OK || count_all(s) != CAROM_OK)
        return s->b->r.error->status;
    uint32_t classes = 0;
    size_t leads = 0;
    for (size_t i = 0; i < s->nentries; i++) {
        classes = s->entry[i].class >= classes ? s->entry[i].class + 1 : classes;
        leads += carom_tree_find(s->entry[i].map, "drive") != NULL;
    }
    s->b->class_made_of = carom_memory_zeroed(classes, sizeof *s->b->class_made_of);
    for (size_t i = 0; s->b->class_made_of != NULL && i < s->nentries; i++)
        s->b->class_made_of[s->entry[i].class] = s->entry[i].made_of;
    s->bodies = carom_bodies_create(s->dimension, s->n, classes, 0, 0, leads);
    s->v = carom_memory_zeroed(s->n * (s->dimension == 2 ? 3 : 6), sizeof *s->v);
    if (s->bodies == NULL || s->v == NULL || s->b->class_made_of == NULL)
        return carom_bind_memory(s->b);
    if (carom_bind_space_domain(s) != CAROM_OK || carom_bind_space_bodies(s) != CAROM_OK ||
        carom_bind_space_contacts(s) != CAROM_OK || carom_bind_space_joints(s) != CAROM_OK ||
        keep_names(s) != CAROM_OK || carom_bind_space_acts_loads(s) != CAROM_OK || make_model(s) != CAROM_OK ||
        note_depth(s) != CAROM_OK || note_idle(s) != CAROM_OK)
        return s->b->r.error->status;
    if (carom_bind_space_acts_start(s) != CAROM_OK || carom_bind_space_joints_start(s) != CAROM_OK ||
        read_theory(s) != CAROM_OK)
        return s->b->r.error->status;
    return carom_bind_space_from_contacts(s);
}

enum carom_status carom_bind_space(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_bind_space s = {.b = b, .root = root};
    const enum carom_status status = bind(&s);
    if (b->scene->model == NULL)
        carom_bodies_free(s.bodies);
    carom_memory_free(s.v);
    carom_bind_space_table_free(&s);
    carom_bind_space_from_free(&s);
    carom_memory_free(s.entry);
    return status;
}
