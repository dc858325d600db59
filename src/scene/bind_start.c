/* Where the bodies are and how fast, at time 0. Entries of `start` are taken in order; later ones win. A striker has
 * its velocity already, and a second one is refused. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "scene/bind.h"

/* The bodies an entry speaks of. */
struct who {
    bool all;
    struct carom_node *first; /* scalars, linked */
    size_t count;
};

static enum carom_status find_who(struct carom_bind *b, struct carom_node *entry, struct who *who)
{
    struct carom_node *body = carom_tree_find(entry, "body"), *bodies = carom_tree_find(entry, "bodies");
    if (body != NULL && bodies != NULL)
        return carom_tree_error_key(b->r.tree, bodies, CAROM_E_INPUT, b->r.error,
                                    "body and bodies both say who is meant, choose one");
    struct carom_node *given = body != NULL ? body : bodies;
    if (given == NULL)
        return carom_tree_error_key(b->r.tree, entry, CAROM_E_INPUT, b->r.error,
                                    "start: body is missing: a number, or bodies: a list of numbers or all");
    given->used = true;
    if (given->kind == CAROM_NODE_MAP || (given == body && given->kind != CAROM_NODE_SCALAR))
        return carom_tree_error(b->r.tree, given, CAROM_E_INPUT, b->r.error, "is a %s, expected %s",
                                carom_tree_kind(given), given == body ? "a number" : "a list of numbers, or all");
    who->all = given->kind == CAROM_NODE_SCALAR && strcmp(given->text, "all") == 0;
    who->first = given->kind == CAROM_NODE_LIST ? given->first : given;
    who->count = who->all ? b->n : given->kind == CAROM_NODE_LIST ? given->count : 1;
    if (who->count == 0)
        return carom_tree_error(b->r.tree, given, CAROM_E_INPUT, b->r.error, "the list is empty");
    return CAROM_OK;
}

static enum carom_status body_number(struct carom_bind *b, struct carom_node *node, size_t *body)
{
    const struct carom_param row = {"body", CAROM_INTEGER, 0, 0.0, -HUGE_VAL, HUGE_VAL, "1", "number", NULL};
    double number;
    if (carom_value_read(&b->r, node, &row, &number) != CAROM_OK)
        return b->r.error->status;
    if (number < 1.0 || number > (double)b->n)
        return carom_tree_error(b->r.tree, node, CAROM_E_INPUT, b->r.error,
                                "there is no body %.15g: bodies count from 1 to %zu", number, b->n);
    *body = (size_t)number - 1;
    return CAROM_OK;
}

static enum carom_status check_striker(struct carom_bind *b, const struct carom_node *node, size_t body)
{
    for (size_t side = 0; side < 2; side++)
        if (b->striker[side].node != NULL && b->striker[side].body == body)
            return carom_tree_error_key(b->r.tree, node, CAROM_E_INPUT, b->r.error,
                                        "velocity: body %zu is a striker and has its velocity already", body + 1);
    return CAROM_OK;
}

/* velocity or displacement of an entry, one number or a list of one for each body it speaks of */
static enum carom_status set_value(struct carom_bind *b, struct carom_node *node, const struct carom_param *row,
                                   const struct who *who, double *to)
{
    const bool list = node->kind == CAROM_NODE_LIST, velocity = to == b->scene->v;
    if (list && carom_value_list_of(&b->r, node, who->count, "body") != CAROM_OK)
        return b->r.error->status;
    double value = 0.0;
    if (!list && carom_value_read(&b->r, node, row, &value) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *item = node->first, *which = who->first;
    for (size_t i = 0; i < who->count; i++) {
        size_t body = i;
        if (!who->all && body_number(b, which, &body) != CAROM_OK)
            return b->r.error->status;
        if (velocity && check_striker(b, node, body) != CAROM_OK)
            return b->r.error->status;
        if (list && carom_value_read(&b->r, item, row, &value) != CAROM_OK)
            return b->r.error->status;
        to[body] = value;
        item = list ? item->next : NULL;
        which = who->all ? NULL : which->next;
    }
    return CAROM_OK;
}

static enum carom_status take_entry(struct carom_bind *b, struct carom_node *entry)
{
    struct who who = {0};
    if (carom_value_map(&b->r, entry) != CAROM_OK ||
        carom_value_keys(&b->r, entry, &carom_keys_start, NULL) != CAROM_OK || find_who(b, entry, &who) != CAROM_OK)
        return b->r.error->status;
    double *const to[] = {b->scene->v, b->scene->q};
    bool any = false;
    for (size_t i = 0; i < 2; i++) {
        const struct carom_param *row = &carom_keys_start.kind.params[i];
        struct carom_node *node = carom_tree_find(entry, row->name);
        any = any || node != NULL;
        if (node != NULL && set_value(b, node, row, &who, to[i]) != CAROM_OK)
            return b->r.error->status;
    }
    if (!any)
        return carom_tree_error_key(b->r.tree, entry, CAROM_E_INPUT, b->r.error,
                                    "start: there is neither velocity nor displacement");
    return CAROM_OK;
}

static enum carom_status start_strikers(struct carom_bind *b)
{
    const struct carom_param *row = carom_param_find(carom_keys_striker.kind.params, "velocity");
    for (size_t side = 0; side < 2; side++) {
        const struct carom_bind_striker *striker = &b->striker[side];
        if (striker->node != NULL &&
            carom_value_read(&b->r, carom_tree_find(striker->node, "velocity"), row, &b->scene->v[striker->body]))
            return b->r.error->status;
    }
    return CAROM_OK;
}

enum carom_status carom_bind_start(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *list = carom_tree_find(root, "start");
    b->scene->q = carom_memory_zeroed(b->n, sizeof *b->scene->q);
    b->scene->v = carom_memory_zeroed(b->n, sizeof *b->scene->v);
    if (b->scene->q == NULL || b->scene->v == NULL)
        return carom_bind_memory(b);
    if (start_strikers(b) != CAROM_OK)
        return b->r.error->status;
    if (list == NULL)
        return CAROM_OK;
    if (carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *entry = list->first; entry != NULL; entry = entry->next)
        if (take_entry(b, entry) != CAROM_OK)
            return b->r.error->status;
    return CAROM_OK;
}
