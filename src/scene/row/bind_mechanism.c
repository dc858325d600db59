/* A mechanism of a scene: bodies: [mechanism: {kind: pendulum, ...}]. Its coordinates are the bodies of the scene, in
 * the order of the machine's list, its distances the contacts. It stands alone: no beads or walls beside it. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/mechanism.h"
#include "scene/bind.h"
#include "scene/bind_signal.h"

bool carom_bind_mechanism_is(const struct carom_node *root)
{
    const struct carom_node *bodies = root->kind == CAROM_NODE_MAP ? carom_tree_find(root, "bodies") : NULL;
    if (bodies == NULL || bodies->kind != CAROM_NODE_LIST)
        return false;
    for (const struct carom_node *entry = bodies->first; entry != NULL; entry = entry->next)
        if (entry->kind == CAROM_NODE_MAP && carom_tree_find(entry, "mechanism") != NULL)
            return true;
    return false;
}

static enum carom_status find_machine(struct carom_bind *b, struct carom_node *map,
                                      const struct carom_machine **machine)
{
    struct carom_node *node = carom_tree_find(map, "kind");
    const char *names[64];
    size_t count = 0, which;
    for (; count < 64 && carom_machines_list[count] != NULL; count++)
        names[count] = carom_machines_list[count]->kind.name;
    if (node == NULL) {
        char all[200] = "";
        for (size_t i = 0; i < count; i++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", names[i]);
        return carom_value_wrong_key(&b->r, map, "mechanism: kind is missing: which one, of %s", all);
    }
    if (carom_value_among(&b->r, node, "mechanism", names, count, &which) != CAROM_OK)
        return b->r.error->status;
    *machine = carom_machines_list[which];
    return CAROM_OK;
}

/* Parameters, with room behind them for the table of a signal, so that one block is all there is to free. */
static enum carom_status read_parameters(struct carom_bind *b, struct carom_node *map,
                                         const struct carom_machine *machine, void **own)
{
    const struct carom_key others[] = {{"kind", "name", NULL, "which mechanism"},
                                       {machine->signal ? machine->signal : NULL, "signal", "none", "drives it"},
                                       {NULL, NULL, NULL, NULL}};
    const struct carom_section section = {machine->kind, others};
    struct carom_node *drive = machine->signal ? carom_tree_find(map, machine->signal) : NULL;
    struct carom_signal signal = {0};
    double *table = NULL;
    if (carom_value_keys(&b->r, map, &section, NULL) != CAROM_OK)
        return b->r.error->status;
    if (drive != NULL && carom_bind_signal(b, drive, machine->signal_unit, &signal, &table) != CAROM_OK)
        return b->r.error->status;
    const size_t head = (machine->kind.size + 15) / 16 * 16;
    char *block = carom_memory_zeroed(head + 2 * signal.count * sizeof(double), 1);
    enum carom_status status = block != NULL ? CAROM_OK : carom_bind_memory(b);
    *own = block;
    if (status == CAROM_OK)
        status = carom_value_section(&b->r, map, &machine->kind, block);
    if (status == CAROM_OK && drive != NULL) {
        double *copy = (double *)(void *)(block + head);
        for (size_t i = 0; i < signal.count; i++) {
            copy[i] = signal.time[i];
            copy[signal.count + i] = signal.height[i];
        }
        signal.time = copy;
        signal.height = copy + signal.count;
        memcpy(block + machine->signal_offset, &signal, sizeof signal);
    }
    if (status == CAROM_OK && machine->check && machine->check(block, b->r.error) != CAROM_OK)
        status = carom_tree_error_at(b->r.tree, map, b->r.error);
    carom_memory_free(table);
    return status;
}

static enum carom_status make_model(struct carom_bind *b, const struct carom_node *root, const struct carom_node *map,
                                    const struct carom_machine *machine, void *own)
{
    struct carom_mechanism mechanism = machine->mechanism;
    if (machine->settle)
        machine->settle(own, b->scene->q);
    mechanism.own = own;
    mechanism.release = carom_memory_free;
    if (machine->signal)
        mechanism.signal = (const struct carom_signal *)(const void *)((const char *)own + machine->signal_offset);
    void *part = carom_mechanism_create(&mechanism, b->scene->q, b->scene->v, b->r.error);
    if (part == NULL)
        return carom_tree_error_at(b->r.tree, map, b->r.error);
    b->scene->model = carom_model_create();
    if (b->scene->model == NULL) {
        carom_part_mechanism.release(part);
        return carom_bind_memory(b);
    }
    if (carom_model_add(b->scene->model, &carom_part_mechanism, part, b->r.error) != CAROM_OK)
        return b->r.error->status;
    int32_t pair[CAROM_MECHANISM_WIDTH][2];
    double gap[CAROM_MECHANISM_WIDTH] = {0.0};
    for (size_t i = 0; i < mechanism.ndistances; i++) {
        pair[i][0] = CAROM_WALL_LEFT;
        pair[i][1] = (int32_t)i;
    }
    return carom_bind_contacts_of(b, root, mechanism.ndistances, (const int32_t(*)[2])pair, gap);
}

enum carom_status carom_bind_mechanism(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *bodies = carom_tree_find(root, "bodies");
    const struct carom_machine *machine = NULL;
    bodies->used = true;
    if (bodies->count != 1 || bodies->first->count != 1)
        return carom_tree_error_key(b->r.tree, bodies, CAROM_E_REFUSED, b->r.error,
                                    "bodies: a mechanism stands alone, without other bodies and walls");
    bodies->first->used = true;
    struct carom_node *map = carom_tree_find(bodies->first, "mechanism");
    if (carom_value_map(&b->r, map) != CAROM_OK || find_machine(b, map, &machine) != CAROM_OK)
        return b->r.error->status;
    b->n = machine->mechanism.n;
    if (carom_bind_start(b, root) != CAROM_OK)
        return b->r.error->status;
    void *own = NULL;
    const enum carom_status status = read_parameters(b, map, machine, &own);
    if (status != CAROM_OK) {
        carom_memory_free(own);
        return status;
    }
    return make_model(b, root, map, machine, own);
}
