/* Where the bodies are and how fast, at time 0. Entries of `start` are taken in order; later ones win. A striker has
 * its velocity already, a body whose motion is prescribed has both: a second one is refused. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "model/motion.h"
#include "scene/bind.h"

#define HALF_TURN 3.14159265358979323846

static enum carom_status body_number(struct carom_bind *b, struct carom_node *node, size_t *body)
{
    const struct carom_param row = {"body", CAROM_INTEGER, 0, 0.0, -HUGE_VAL, HUGE_VAL, "1", "number", NULL};
    double number;
    if (carom_value_read(&b->r, node, &row, &number) != CAROM_OK)
        return b->r.error->status;
    if (number < 1.0 || number > (double)b->n)
        return carom_value_wrong(&b->r, node, "there is no body %.15g: bodies count from 1 to %zu", number, b->n);
    *body = (size_t)number - 1;
    return CAROM_OK;
}

/* A number that stands twice in the list is a slip of the pen. */
static enum carom_status check_once(struct carom_bind *b, const struct carom_node *list)
{
    uint8_t *seen = carom_memory_zeroed(b->n, sizeof *seen);
    enum carom_status status = seen != NULL ? CAROM_OK : carom_bind_memory(b);
    for (struct carom_node *node = list->first; node != NULL && status == CAROM_OK; node = node->next) {
        size_t body;
        status = body_number(b, node, &body);
        if (status == CAROM_OK && seen[body]++ > 0)
            status = carom_value_wrong(&b->r, node, "body %zu appears twice", body + 1);
    }
    carom_memory_free(seen);
    return status;
}

enum carom_status carom_bind_start_who(struct carom_bind *b, struct carom_node *entry, const char *list,
                                       struct carom_bind_who *who)
{
    struct carom_node *body = carom_tree_find(entry, "body"), *bodies = carom_tree_find(entry, "bodies");
    if (body != NULL && bodies != NULL)
        return carom_value_wrong_key(&b->r, bodies, "body and bodies both say which body is meant, choose one");
    struct carom_node *given = body != NULL ? body : bodies;
    if (given == NULL)
        return carom_value_wrong_key(&b->r, entry, "%s: body is missing: a number, or bodies: a list of numbers or all",
                                     list);
    given->used = true;
    if (given->kind == CAROM_NODE_MAP || (given == body && given->kind != CAROM_NODE_SCALAR))
        return carom_value_wrong(&b->r, given, "is a %s, expected %s", carom_tree_kind(given),
                                 given == body ? "a number" : "a list of numbers, or all");
    who->all = given->kind == CAROM_NODE_SCALAR && strcmp(given->text, "all") == 0;
    who->first = given->kind == CAROM_NODE_LIST ? given->first : given;
    if (given->kind == CAROM_NODE_LIST && check_once(b, given) != CAROM_OK)
        return b->r.error->status;
    who->count = who->all ? b->n : given->kind == CAROM_NODE_LIST ? given->count : 1;
    if (who->count == 0)
        return carom_value_wrong(&b->r, given, "the list is empty");
    return CAROM_OK;
}

enum carom_status carom_bind_start_body(struct carom_bind *b, const struct carom_bind_who *who, size_t i,
                                        struct carom_node **which, size_t *body)
{
    *body = i;
    if (who->all)
        return CAROM_OK;
    const enum carom_status status = body_number(b, *which, body);
    *which = (*which)->next;
    return status;
}

static enum carom_status check_striker(struct carom_bind *b, const struct carom_node *node, size_t body)
{
    for (size_t i = 0; i < b->nstrikers; i++)
        if (body >= b->striker[i].first && body - b->striker[i].first < b->striker[i].count)
            return carom_value_wrong_key(&b->r, node, "velocity: body %zu is a striker and has its velocity already",
                                         body + 1);
    return CAROM_OK;
}

static enum carom_status check_driven(struct carom_bind *b, const struct carom_node *node, size_t body)
{
    if (b->scene->model == NULL || !carom_bind_loads_drive(b, (int32_t)body)) /* a mechanism is made after its start */
        return CAROM_OK;
    return carom_value_wrong_key(
        &b->r, node,
        "%s: the motion of body %zu is prescribed by loads, which say where it is and how fast from the start on",
        node->key, body + 1);
}

/* An angle needs a string; in radians it is the way along the arc over its length. */
static enum carom_status check_angle(struct carom_bind *b, const struct carom_node *node, size_t body, double angle)
{
    struct carom_error ignored;
    struct carom_quantity written = {0};
    const bool bare = node->kind != CAROM_NODE_SCALAR ||
                      (carom_units_read(node->text, &written, &ignored) == CAROM_OK && !written.unit);
    if (fabs(angle) > HALF_TURN && bare)
        return carom_value_wrong(&b->r, node, "%g is in radians and more than half a turn; degrees are written %g deg",
                                 angle, angle);
    if (fabs(angle) > HALF_TURN)
        return carom_value_wrong(&b->r, node,
                                 "%s is more than half a turn; straight down is 0, to the right is above 0",
                                 carom_tree_short(node->text).text);
    if (b->string != NULL && b->string[body] > 0.0)
        return CAROM_OK;
    return carom_value_wrong_key(
        &b->r, node, "angle: body %zu hangs on no string; give it one (string: 12 cm), or a displacement", body + 1);
}

/* velocity or displacement of an entry, one number or a list of one for each body it speaks of */
static enum carom_status set_value(struct carom_bind *b, struct carom_node *node, const struct carom_param *row,
                                   const struct carom_bind_who *who, double *to)
{
    const bool list = node->kind == CAROM_NODE_LIST, velocity = to == b->scene->v,
               angle = strcmp(row->unit, "rad") == 0;
    if (list && carom_value_list_of(&b->r, node, who->count, "body") != CAROM_OK)
        return b->r.error->status;
    double value = 0.0;
    if (!list && carom_value_read(&b->r, node, row, &value) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *item = node->first, *which = who->first;
    for (size_t i = 0; i < who->count; i++) {
        size_t body;
        if (carom_bind_start_body(b, who, i, &which, &body) != CAROM_OK)
            return b->r.error->status;
        if ((velocity && check_striker(b, node, body) != CAROM_OK) || check_driven(b, node, body) != CAROM_OK)
            return b->r.error->status;
        if (list && carom_value_read(&b->r, item, row, &value) != CAROM_OK)
            return b->r.error->status;
        if (angle && check_angle(b, node, body, value) != CAROM_OK)
            return b->r.error->status;
        to[body] = angle ? value * b->string[body] : value;
        item = list ? item->next : NULL;
    }
    return CAROM_OK;
}

static enum carom_status take_entry(struct carom_bind *b, struct carom_node *entry)
{
    struct carom_bind_who who = {0};
    if (carom_value_map_of(&b->r, entry, &carom_keys_start) != CAROM_OK ||
        carom_bind_start_who(b, entry, "start", &who) != CAROM_OK)
        return b->r.error->status;
    double *const to[] = {b->scene->v, b->scene->q, b->scene->q};
    bool any = false;
    const struct carom_node *angle = carom_tree_find(entry, "angle");
    if (angle != NULL && carom_tree_find(entry, "displacement") != NULL)
        return carom_value_wrong_key(&b->r, angle, "angle and displacement both say where it is, choose one");
    for (size_t i = 0; i < 3; i++) {
        const struct carom_param *row = &carom_keys_start.kind.params[i];
        struct carom_node *node = carom_tree_find(entry, row->name);
        any = any || node != NULL;
        if (node != NULL && set_value(b, node, row, &who, to[i]) != CAROM_OK)
            return b->r.error->status;
    }
    if (!any)
        return carom_value_wrong_key(&b->r, entry, "start: there is neither velocity nor displacement nor angle");
    return CAROM_OK;
}

static enum carom_status start_strikers(struct carom_bind *b)
{
    const struct carom_param *row = carom_param_find(carom_keys_striker.kind.params, "velocity");
    for (size_t i = 0; i < b->nstrikers; i++) {
        const struct carom_bind_striker *striker = &b->striker[i];
        struct carom_node *node = carom_tree_find(striker->node, "velocity");
        double velocity;
        if (carom_value_read(&b->r, node, row, &velocity) != CAROM_OK)
            return b->r.error->status;
        for (size_t body = striker->first; body < striker->first + striker->count; body++) {
            if (check_driven(b, node, body) != CAROM_OK)
                return b->r.error->status;
            b->scene->v[body] = velocity;
        }
    }
    return CAROM_OK;
}

/* A bead that was to be dropped rests on the others: the equilibrium closes all gaps among bodies [first, last). */
static enum carom_status note_dropped(struct carom_bind *b, size_t first, size_t last)
{
    for (size_t j = first + 1; b->radius != NULL && j < last; j++)
        if (b->gap[j] > b->radius[j])
            return carom_bind_note(b,
                                   "bodies %zu and %zu touch at the start though their gap is %g%s: precompression "
                                   "begins in equilibrium, and only a striker keeps its gap",
                                   j, j + 1, b->gap[j], b->r.si ? " m" : "");
    return CAROM_OK;
}

/* the equilibrium of all but the strikers */
static enum carom_status press(struct carom_bind *b, const struct carom_node *root)
{
    size_t first = 0, last = b->n;
    for (size_t i = 0; i < b->nstrikers; i++) {
        const struct carom_bind_striker *striker = &b->striker[i];
        if (striker->side == CAROM_KEYS_LEFT)
            first = first > striker->first + striker->count ? first : striker->first + striker->count;
        else
            last = last < striker->first ? last : striker->first;
    }
    const struct carom_node *node = carom_tree_find(root, "precompression");
    if (b->theory != CAROM_KEYS_COMPLIANT)
        return carom_tree_error_key(b->r.tree, node, CAROM_E_REFUSED, b->r.error,
                                    "precompression: rigid contacts have no overlap that would carry it; theory: "
                                    "compliant has");
    if (first >= last)
        return carom_value_wrong(&b->r, node, "there are only strikers, nothing to press");
    if (carom_static_press(b->scene->model, first, last, b->precompression, b->scene->q, b->r.error) == CAROM_OK)
        return note_dropped(b, first, last);
    return carom_tree_error_at(b->r.tree, node, b->r.error);
}

/* start: {run: RUN} is for bodies of plane and space, and [{run: RUN}] for solids */
static enum carom_status refuse_run(struct carom_bind *b, const struct carom_node *start)
{
    const struct carom_node *entry = start->kind == CAROM_NODE_LIST ? start->first : start;
    const bool map = entry != NULL && entry->kind == CAROM_NODE_MAP;
    const struct carom_node *run = map ? carom_tree_find(entry, "run") : NULL;
    if (run == NULL)
        return CAROM_OK;
    return carom_tree_error_key(b->r.tree, run, CAROM_E_REFUSED, b->r.error,
                                "run: rows and mechanisms do not begin where another run has ended, discs, spheres and "
                                "solids do; carom resume RUN --until TIME goes on with a run");
}

enum carom_status carom_bind_start(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *list = carom_tree_find(root, "start");
    b->scene->q = carom_memory_zeroed(b->n, sizeof *b->scene->q);
    b->scene->v = carom_memory_zeroed(b->n, sizeof *b->scene->v);
    if (b->scene->q == NULL || b->scene->v == NULL)
        return carom_bind_memory(b);
    if (!isnan(b->precompression) && press(b, root) != CAROM_OK)
        return b->r.error->status;
    if (start_strikers(b) != CAROM_OK)
        return b->r.error->status;
    if (b->scene->model != NULL) /* a mechanism is made after its start */
        carom_motion_impose(b->scene->model, 0.0, b->scene->q, b->scene->v);
    if (list == NULL)
        return CAROM_OK;
    if (refuse_run(b, list) != CAROM_OK || carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *entry = list->first; entry != NULL; entry = entry->next)
        if (take_entry(b, entry) != CAROM_OK)
            return b->r.error->status;
    return CAROM_OK;
}
