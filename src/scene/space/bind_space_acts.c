/* Who starts how, and what pushes whom, in the plane and in space. */
#include <string.h>

#include "base/memory.h"
#include "model/motion.h"
#include "model/place/place_settle.h"
#include "scene/bind_signal.h"
#include "scene/space/bind_space.h"

#define SETTLED 1e-12 /* of the largest force: what is left on bodies that rest */

/* --- who --------------------------------------------------------------------------------------------------------- */

/* the bodies one word means: a number or a name */
static enum carom_status find_bodies(struct carom_bind_space *s, struct carom_node *node, size_t *first, size_t *count)
{
    const struct carom_reader *r = &s->b->r;
    const struct carom_param row = {"body", CAROM_INTEGER, 0, 0.0, -HUGE_VAL, HUGE_VAL, "1", "number", NULL};
    if (node->kind != CAROM_NODE_SCALAR)
        return carom_value_wrong(r, node, "is a %s, expected a number or a name", carom_tree_kind(node));
    const struct carom_bind_entry *entry = carom_bind_space_find(s, node->text);
    if (entry != NULL) {
        node->used = true;
        *first = entry->first;
        *count = entry->count;
        return CAROM_OK;
    }
    if (strspn(node->text, "+-.0123456789eE ") != strlen(node->text))
        return carom_value_wrong(r, node, "no body has the name \"%s\"", carom_tree_short(node->text).text);
    double number;
    if (carom_value_read(r, node, &row, &number) != CAROM_OK)
        return r->error->status;
    if (!(number >= 1.0 && number <= (double)s->n))
        return carom_value_wrong(r, node, "there is no body %.15g: bodies count from 1 to %zu", number, s->n);
    *first = (size_t)number - 1;
    *count = 1;
    return CAROM_OK;
}

enum carom_status carom_bind_space_acts_body(struct carom_bind_space *s, struct carom_node *node, size_t *body)
{
    size_t count = 0;
    if (find_bodies(s, node, body, &count) != CAROM_OK)
        return s->b->r.error->status;
    if (count == 1)
        return CAROM_OK;
    return carom_value_wrong(&s->b->r, node, "the name \"%s\" stands for %zu bodies, one is meant: give its number",
                             carom_tree_short(node->text).text, count);
}

static enum carom_status gather(struct carom_bind_space *s, struct carom_node *given, uint8_t *seen, size_t *who,
                                size_t *count)
{
    const struct carom_reader *r = &s->b->r;
    given->used = true;
    const bool all = given->kind == CAROM_NODE_SCALAR && strcmp(given->text, "all") == 0;
    for (size_t i = 0; all && i < s->n; i++)
        if (!s->bodies->body[i].fixed)
            who[(*count)++] = i;
    struct carom_node *node = given->kind == CAROM_NODE_LIST ? given->first : given;
    for (; !all && node != NULL; node = given->kind == CAROM_NODE_LIST ? node->next : NULL) {
        size_t first = 0, many = 0;
        if (find_bodies(s, node, &first, &many) != CAROM_OK)
            return r->error->status;
        for (size_t i = first; i < first + many; i++) {
            if (seen[i]++ > 0)
                return carom_value_wrong(r, node, "body %zu appears twice", i + 1);
            who[(*count)++] = i;
        }
    }
    if (*count == 0)
        return carom_value_wrong(r, given, all ? "there is no body that moves" : "the list is empty");
    return CAROM_OK;
}

/* the bodies that `body` or `bodies` of a map of `list` mean, in order; *count of them, the caller frees */
static enum carom_status read_who(struct carom_bind_space *s, struct carom_node *map, const char *list, size_t **who,
                                  size_t *count)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_node *body = carom_tree_find(map, "body"), *bodies = carom_tree_find(map, "bodies");
    *count = 0;
    *who = NULL;
    if ((body == NULL) == (bodies == NULL))
        return carom_value_wrong_key(r, map,
                                     body != NULL
                                         ? "%s: body and bodies both say which body is meant, choose one"
                                         : "%s: body is missing: a number or a name, or bodies: a list of them or all",
                                     list);
    if (body != NULL && body->kind != CAROM_NODE_SCALAR)
        return carom_value_wrong(r, body, "is a %s, expected a number or a name", carom_tree_kind(body));
    uint8_t *seen = carom_memory_zeroed(s->n, sizeof *seen);
    *who = carom_memory_zeroed(s->n, sizeof **who);
    const enum carom_status status = seen != NULL && *who != NULL
                                         ? gather(s, body != NULL ? body : bodies, seen, *who, count)
                                         : carom_bind_memory(s->b);
    carom_memory_free(seen);
    if (status != CAROM_OK) {
        carom_memory_free(*who);
        *who = NULL;
    }
    return status;
}

/* --- start ------------------------------------------------------------------------------------------------------- */

enum quantity { VELOCITY, SPIN, DISPLACEMENT };

static void set_one(const struct carom_bind_space *s, enum quantity what, size_t i, const double value[3])
{
    const size_t d = s->dimension, nv = carom_bodies_nv(s->bodies), nq = carom_bodies_nq(s->bodies);
    if (what == DISPLACEMENT)
        memcpy(&s->b->scene->q[i * nq], value, d * sizeof *value);
    else if (what == VELOCITY)
        memcpy(&s->b->scene->v[i * nv], value, d * sizeof *value);
    else
        memcpy(&s->b->scene->v[i * nv + d], d == 2 ? &value[2] : value, (d == 2 ? 1 : 3) * sizeof *value);
}

static enum carom_status read_one(struct carom_bind_space *s, enum quantity what, struct carom_node *node,
                                  double value[3])
{
    if (what == SPIN)
        return carom_bind_space_turn(s, node, "rad/s", value);
    return what == VELOCITY ? carom_bind_space_velocity(s, node, value) : carom_bind_space_vector(s, node, "m", value);
}

/* One value for all of them, or a list with one for each. */
static enum carom_status set_values(struct carom_bind_space *s, enum quantity what, struct carom_node *node,
                                    const size_t *who, size_t count)
{
    const struct carom_reader *r = &s->b->r;
    const bool each = node->kind == CAROM_NODE_LIST && node->first != NULL &&
                      (node->first->kind == CAROM_NODE_LIST || (what == SPIN && s->dimension == 2));
    if (each && carom_value_list_of(r, node, count, "body") != CAROM_OK)
        return r->error->status;
    struct carom_node *item = each ? node->first : node;
    double value[3];
    for (size_t j = 0; j < count; j++) {
        if ((j == 0 || each) && read_one(s, what, item, value) != CAROM_OK)
            return r->error->status;
        const struct carom_body *body = &s->bodies->body[who[j]];
        if (body->fixed)
            return carom_value_wrong_key(r, node,
                                         body->lead >= 0 ? "%s: the motion of body %zu is prescribed by its drive"
                                                         : "%s: body %zu is fixed",
                                         node->key, who[j] + 1);
        if (what == SPIN && !(body->inertia > 0.0))
            return carom_value_wrong_key(r, node, "spin: body %zu does not turn", who[j] + 1);
        set_one(s, what, who[j], value);
        item = each ? item->next : item;
    }
    return CAROM_OK;
}

/* Is a pressure written? Bare numbers are forces. */
static bool is_pressure(const struct carom_reader *r, const struct carom_node *node)
{
    struct carom_error ignored;
    struct carom_quantity read;
    struct carom_dimension pascal;
    return r->si && node->kind == CAROM_NODE_SCALAR && carom_units_read(node->text, &read, &ignored) == CAROM_OK &&
           read.unit && carom_units_dimension("Pa", NULL, &pascal, &ignored) == CAROM_OK &&
           carom_units_same(&read.dimension, &pascal);
}

/* The area that bodies which settle take before, seen along an axis: joined sides count whole, the plane is as deep as
 * its thickest body. 0: the direction is along no axis. */
static double area_across(const struct carom_bodies *b, const double normal[3])
{
    double area = 1.0, depth = 0.0;
    size_t along = 0;
    for (size_t k = 0; k < b->dimension; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        along += fabs(normal[k]) > 1.0 - 1e-9;
        for (size_t i = 0; i < b->n; i++) {
            const struct carom_body *body = &b->body[i];
            if (body->surface != CAROM_BALL || body->inside || body->fixed)
                continue;
            low = fmin(low, body->at[k] - body->radius);
            high = fmax(high, body->at[k] + body->radius);
            depth = fmax(depth, body->depth > 0.0 ? body->depth : 1.0);
        }
        if (fabs(normal[k]) < 0.5)
            area *= b->bounded && b->periodic[k] ? b->high[k] - b->low[k] : high - low;
    }
    return along == 1 ? area * (b->dimension == 2 ? depth : 1.0) : 0.0;
}

/* the force that a pressure is on the bodies that settle */
static enum carom_status read_pressure(struct carom_bind_space *s, struct carom_node *node, const double normal[3],
                                       double *force)
{
    const struct carom_reader *r = &s->b->r;
    const struct carom_param row = {"press", CAROM_REAL, 0, 0.0, CAROM_POSITIVE, HUGE_VAL, "Pa", "pressure", NULL};
    const double area = area_across(s->bodies, normal);
    if (carom_value_read(r, node, &row, force) != CAROM_OK)
        return r->error->status;
    *force *= area;
    return area > 0.0
               ? CAROM_OK
               : carom_value_wrong_key(r, node, "press: a pressure is of planes across an axis; give a force to %s",
                                       carom_tree_short(node->key).text);
}

/* one plane that is pressed into its free side: free itself while others settle, with the force as its load */
static enum carom_status press_one(struct carom_bind_space *s, struct carom_node *node, const bool *held)
{
    const struct carom_reader *r = &s->b->r;
    const struct carom_param row = {"press", CAROM_REAL, 0, 0.0, CAROM_POSITIVE, HUGE_VAL, "N", "force", NULL};
    const struct carom_bind_entry *entry = carom_bind_space_find(s, node->key);
    struct carom_bodies *b = s->bodies;
    const bool pressure = is_pressure(r, node);
    double force = 0.0;
    if (!pressure && carom_value_read(r, node, &row, &force) != CAROM_OK)
        return r->error->status;
    struct carom_body *body = entry != NULL ? &b->body[entry->first] : NULL;
    if (body == NULL || body->surface != CAROM_PLANE)
        return carom_value_wrong_key(r, node, "press: there is no plane of the name %s",
                                     carom_tree_short(node->key).text);
    if (!held[entry->first] || body->lead >= 0)
        return carom_value_wrong_key(r, node, "press: %s %s", carom_tree_short(node->key).text,
                                     body->lead >= 0 ? "is driven" : "moves freely, a load presses it");
    if (pressure && read_pressure(s, node, body->normal, &force) != CAROM_OK)
        return r->error->status;
    if (!carom_memory_widen(&b->load, b->nloads, b->nloads + 1, sizeof *b->load))
        return carom_bind_memory(s->b);
    struct carom_body_load *load = &b->load[b->nloads++];
    *load =
        (struct carom_body_load){.body = entry->first, .signal = {.shape = CAROM_SHAPE_CONSTANT, .amplitude = force}};
    memcpy(load->force, body->normal, sizeof load->force);
    body->fixed = false;
    return CAROM_OK;
}

static enum carom_status press(struct carom_bind_space *s, struct carom_node *map, const bool *held)
{
    if (map != NULL && carom_value_map(&s->b->r, map) != CAROM_OK)
        return s->b->r.error->status;
    for (struct carom_node *node = map != NULL ? map->first : NULL; node != NULL; node = node->next)
        if (press_one(s, node, held) != CAROM_OK)
            return s->b->r.error->status;
    return CAROM_OK;
}

/* Lets the bodies that are meant come to rest where gravity, loads and the others leave them. */
static enum carom_status settle(struct carom_bind_space *s, const struct carom_node *entry, const size_t *who,
                                size_t count)
{
    const struct carom_progress *progress = s->b->wish->progress;
    const size_t loads = s->bodies->nloads;
    bool *held = carom_memory_zeroed(s->n, sizeof *held);
    if (held == NULL)
        return carom_bind_memory(s->b);
    for (size_t i = 0; i < s->n; i++) {
        held[i] = s->bodies->body[i].fixed;
        s->bodies->body[i].fixed = true;
    }
    for (size_t j = 0; j < count; j++)
        s->bodies->body[who[j]].fixed = held[who[j]];
    enum carom_status status = press(s, carom_tree_find(entry, "press"), held);
    const bool pressed = status == CAROM_OK;
    if (pressed && !s->b->wish->unsettled)
        status = carom_place_settle(s->bodies, s->b->scene->q, SETTLED, progress, s->b->r.error);
    for (size_t i = 0; i < s->n; i++)
        s->bodies->body[i].fixed = held[i];
    s->bodies->nloads = loads;
    carom_memory_free(held);
    return status == CAROM_OK || !pressed ? status : carom_tree_error_at(s->b->r.tree, entry, s->b->r.error);
}

/* Another run's end stands alone: it speaks of everybody. */
static enum carom_status take_run(struct carom_bind_space *s, struct carom_node *entry)
{
    static const char *const others[] = {"body", "bodies", "velocity", "spin", "displacement", "settle"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const struct carom_node *node = carom_tree_find(entry, others[i]);
        if (node != NULL)
            return carom_value_wrong_key(
                &s->b->r, node,
                "%s: a run to start from sets all bodies and stands alone; write another entry after it", others[i]);
    }
    return carom_bind_space_from(s, entry);
}

static enum carom_status take_entry(struct carom_bind_space *s, struct carom_node *entry)
{
    static const char *const keys[] = {"velocity", "spin", "displacement"};
    const struct carom_reader *r = &s->b->r;
    size_t *who, count;
    struct carom_keys_space_start given;
    if (carom_value_fill(r, entry, &carom_keys_space_start, &given) != CAROM_OK)
        return r->error->status;
    if (carom_tree_find(entry, "run") != NULL)
        return take_run(s, entry);
    if (read_who(s, entry, "start", &who, &count) != CAROM_OK)
        return r->error->status;
    bool any = given.settle;
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < 3 && status == CAROM_OK; i++) {
        struct carom_node *node = carom_tree_find(entry, keys[i]);
        any = any || node != NULL;
        if (node != NULL)
            status = set_values(s, (enum quantity)i, node, who, count);
    }
    const struct carom_node *pressed = carom_tree_find(entry, "press");
    if (status == CAROM_OK && pressed != NULL && !given.settle)
        status = carom_value_wrong_key(r, pressed,
                                       "press: bodies between the walls have to settle: write settle: true beside it");
    if (status == CAROM_OK && given.settle)
        status = settle(s, entry, who, count);
    carom_memory_free(who);
    if (status == CAROM_OK && !any)
        return carom_value_wrong_key(r, entry, "start: there is neither velocity nor spin nor displacement nor settle");
    return status;
}

enum carom_status carom_bind_space_acts_start(struct carom_bind_space *s)
{
    struct carom_scene *scene = s->b->scene;
    struct carom_node *list = carom_tree_find(s->root, "start");
    scene->q = carom_memory_zeroed(scene->model->nq, sizeof *scene->q);
    scene->v = s->v;
    s->v = NULL;
    if (scene->q == NULL)
        return carom_bind_memory(s->b);
    carom_bodies_rest(s->bodies, scene->q);
    const bool single = carom_tree_find(list, "run") != NULL; /* {run: FILE} without a list around it */
    if (single && take_entry(s, list) != CAROM_OK)
        return s->b->r.error->status;
    if (!single && list != NULL && carom_value_list(&s->b->r, list) != CAROM_OK)
        return s->b->r.error->status;
    for (struct carom_node *entry = list != NULL && !single ? list->first : NULL; entry != NULL; entry = entry->next)
        if (take_entry(s, entry) != CAROM_OK)
            return s->b->r.error->status;
    carom_bodies_anchor(s->bodies, scene->q);
    carom_motion_impose(scene->model, 0.0, scene->q, scene->v);
    return CAROM_OK;
}

/* --- loads ------------------------------------------------------------------------------------------------------- */

static enum carom_status push(struct carom_bind_space *s, struct carom_node *map, const size_t *who, size_t count)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_bodies *b = s->bodies;
    struct carom_node *force = carom_tree_find(map, "force");
    struct carom_body_load load = {0};
    if (force == NULL)
        return carom_value_wrong_key(r, map,
                                     "loads: force is missing, such as [1 N, 0]; walls are moved by their own drive");
    if (carom_bind_space_vector(s, force, "N", load.force) != CAROM_OK)
        return r->error->status;
    for (size_t j = 0; j < count; j++)
        if (b->body[who[j]].fixed)
            return carom_value_wrong_key(r, force, "force: body %zu is fixed or driven, no force moves it", who[j] + 1);
    if (!carom_memory_widen(&b->load, b->nloads, b->nloads + count, sizeof *b->load))
        return carom_bind_memory(s->b);
    if (carom_bind_signal_factor(s->b, map, &load.signal, &load.table) != CAROM_OK) {
        carom_memory_free(load.table);
        return r->error->status;
    }
    for (size_t j = 0; j < count; j++) {
        load.body = who[j];
        b->load[b->nloads++] = load;
        load.table = NULL; /* the first owns it */
    }
    return CAROM_OK;
}

enum carom_status carom_bind_space_acts_loads(struct carom_bind_space *s)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_node *list = carom_tree_find(s->root, "loads");
    if (list != NULL && carom_value_list(r, list) != CAROM_OK)
        return r->error->status;
    for (struct carom_node *entry = list != NULL ? list->first : NULL; entry != NULL; entry = entry->next) {
        size_t *who, count;
        const struct carom_node *moved = carom_tree_find(entry, "displacement");
        if (moved != NULL)
            return carom_value_wrong_key(
                r, moved, "displacement: discs, spheres and walls are moved by a drive in their own map");
        if (carom_value_map_of(r, entry, &carom_keys_space_load) != CAROM_OK ||
            read_who(s, entry, "loads", &who, &count) != CAROM_OK)
            return r->error->status;
        const enum carom_status status = push(s, entry, who, count);
        carom_memory_free(who);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}
