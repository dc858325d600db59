/* What acts on the bodies beside their contacts: local dampers, gravity along the line, strings, and the list
 * `loads` of forces and prescribed motions. Precompression belongs to the start. */
#include <string.h>

#include "base/memory.h"
#include "model/beads/loads.h"
#include "scene/bind.h"
#include "scene/bind_signal.h"

static struct carom_beads *beads_of(const struct carom_bind *b)
{
    return b->scene->model->member[0].own;
}

bool carom_bind_loads_drive(const struct carom_bind *b, int32_t which)
{
    const struct carom_beads *beads = beads_of(b);
    for (size_t k = 0; k < beads->ndrives; k++)
        if (beads->drive[k].which == which)
            return true;
    return false;
}

/* every load owns its table */
static enum carom_status copy_table(struct carom_bind *b, struct carom_signal *signal)
{
    if (signal->shape != CAROM_SHAPE_TABLE)
        return CAROM_OK;
    double *own = carom_memory_zeroed(2 * signal->count, sizeof *own);
    if (own == NULL)
        return carom_bind_memory(b);
    memcpy(own, signal->time, signal->count * sizeof *own);
    memcpy(own + signal->count, signal->height, signal->count * sizeof *own);
    signal->time = own;
    signal->height = own + signal->count;
    return CAROM_OK;
}

/* one displacement that does not jump, with a table of its own; *offset grows by its offset */
static enum carom_status read_motion(struct carom_bind *b, struct carom_node *node, struct carom_signal *out,
                                     double *offset)
{
    double *table, more = 0.0;
    enum carom_status status = carom_bind_signal(b, node, "m", out, &table);
    if (status == CAROM_OK)
        status = carom_bind_signal_smooth(b, node, out);
    if (status == CAROM_OK)
        status = carom_bind_signal_offset(b, node, "m", &more);
    if (status == CAROM_OK)
        status = copy_table(b, out);
    carom_memory_free(table);
    if (status != CAROM_OK)
        *out = (struct carom_signal){0};
    *offset += more;
    return status;
}

/* the same, or a list of them, which add up */
static enum carom_status read_motions(struct carom_bind *b, struct carom_node *node, struct carom_signal *out,
                                      double *offset)
{
    *offset = 0.0;
    if (node->kind != CAROM_NODE_LIST)
        return read_motion(b, node, out, offset);
    struct carom_signal *part = carom_memory_zeroed(node->count, sizeof *part);
    *out = (struct carom_signal){.shape = CAROM_SHAPE_SUM, .part = part};
    node->used = true;
    if (part == NULL)
        return carom_bind_memory(b);
    enum carom_status status = CAROM_OK;
    for (struct carom_node *term = node->first; term != NULL && status == CAROM_OK; term = term->next)
        status = read_motion(b, term, &part[out->count++], offset);
    if (status == CAROM_OK && out->count == 0)
        status = carom_value_wrong(&b->r, node, "the list is empty");
    if (status != CAROM_OK)
        carom_loads_forget(out);
    return status;
}

/* every drive owns its parts and their tables */
static enum carom_status copy_motion(struct carom_bind *b, const struct carom_signal *signal, struct carom_signal *out)
{
    *out = *signal;
    if (signal->shape != CAROM_SHAPE_SUM)
        return copy_table(b, out);
    struct carom_signal *part = carom_memory_zeroed(signal->count, sizeof *part);
    *out = (struct carom_signal){.shape = CAROM_SHAPE_SUM, .part = part};
    enum carom_status status = part != NULL ? CAROM_OK : carom_bind_memory(b);
    for (size_t i = 0; i < signal->count && status == CAROM_OK; i++) {
        part[i] = signal->part[i];
        status = copy_table(b, &part[i]);
        out->count += status == CAROM_OK;
    }
    if (status != CAROM_OK)
        carom_loads_forget(out);
    return status;
}

static enum carom_status drive(struct carom_bind *b, const struct carom_node *node, int32_t which,
                               const struct carom_signal *signal, double offset)
{
    struct carom_signal own;
    if (carom_bind_loads_drive(b, which))
        return carom_value_wrong_key(&b->r, node, "displacement: its motion is prescribed already");
    if (copy_motion(b, signal, &own) != CAROM_OK || carom_beads_drive(beads_of(b), which, &own, b->r.error) != CAROM_OK)
        return b->r.error->status;
    beads_of(b)->drive[beads_of(b)->ndrives - 1].offset = offset;
    return CAROM_OK;
}

/* forces on one body add up, so that an offset is one more of them */
static enum carom_status push(struct carom_bind *b, struct carom_node *node, size_t body,
                              const struct carom_signal *signal)
{
    struct carom_signal own = *signal, constant = {.shape = CAROM_SHAPE_CONSTANT};
    if (carom_bind_signal_offset(b, node, "N", &constant.amplitude) != CAROM_OK || copy_table(b, &own) != CAROM_OK ||
        carom_beads_push(beads_of(b), body, &own, b->r.error) != CAROM_OK)
        return b->r.error->status;
    return constant.amplitude != 0.0 ? carom_beads_push(beads_of(b), body, &constant, b->r.error) : CAROM_OK;
}

static enum carom_status take_wall(struct carom_bind *b, const struct carom_node *entry, struct carom_node *wall,
                                   struct carom_node *displacement)
{
    const struct carom_param *row = carom_param_find(carom_keys_load.kind.params, "wall");
    double side;
    const struct carom_node *force = carom_tree_find(entry, "force");
    if (carom_value_read(&b->r, wall, row, &side) != CAROM_OK)
        return b->r.error->status;
    if (carom_tree_find(entry, "body") != NULL || carom_tree_find(entry, "bodies") != NULL)
        return carom_value_wrong_key(&b->r, wall, "wall and body both say which body is meant, choose one");
    if (force != NULL)
        return carom_value_wrong_key(&b->r, force, "force: a wall can only be moved: displacement");
    if (b->wall[(size_t)side].node == NULL)
        return carom_value_wrong(&b->r, wall, "there is no wall at the %s end", row->choices[(size_t)side]);
    struct carom_signal signal;
    double offset;
    if (read_motions(b, displacement, &signal, &offset) != CAROM_OK)
        return b->r.error->status;
    const enum carom_status status =
        drive(b, displacement, (size_t)side == 0 ? CAROM_WALL_LEFT : CAROM_WALL_RIGHT, &signal, offset);
    carom_loads_forget(&signal);
    return status;
}

/* one signal for all bodies of an entry */
static enum carom_status act(struct carom_bind *b, const struct carom_bind_who *who, struct carom_node *node,
                             bool force)
{
    struct carom_node *which = who->first;
    struct carom_signal signal = {0};
    double *table = NULL;
    double offset = 0.0;
    enum carom_status status =
        force ? carom_bind_signal(b, node, "N", &signal, &table) : read_motions(b, node, &signal, &offset);
    for (size_t i = 0; i < who->count && status == CAROM_OK; i++) {
        size_t body;
        status = carom_bind_start_body(b, who, i, &which, &body);
        if (status == CAROM_OK)
            status = force ? push(b, node, body, &signal) : drive(b, node, (int32_t)body, &signal, offset);
    }
    if (!force)
        carom_loads_forget(&signal);
    carom_memory_free(table);
    return status;
}

static enum carom_status take_bodies(struct carom_bind *b, struct carom_node *entry, struct carom_node *force,
                                     struct carom_node *displacement)
{
    struct carom_bind_who who = {0};
    if (carom_bind_start_who(b, entry, "loads", &who) != CAROM_OK)
        return b->r.error->status;
    if (force == NULL || force->kind != CAROM_NODE_LIST)
        return act(b, &who, force != NULL ? force : displacement, force != NULL);
    force->used = true;
    for (struct carom_node *term = force->first; term != NULL; term = term->next) /* a sum */
        if (act(b, &who, term, true) != CAROM_OK)
            return b->r.error->status;
    return CAROM_OK;
}

static enum carom_status take_load(struct carom_bind *b, struct carom_node *entry)
{
    if (carom_value_map_of(&b->r, entry, &carom_keys_load) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *force = carom_tree_find(entry, "force"), *wall = carom_tree_find(entry, "wall");
    struct carom_node *displacement = carom_tree_find(entry, "displacement");
    if ((force == NULL) == (displacement == NULL))
        return carom_value_wrong_key(&b->r, entry,
                                     force == NULL ? "loads: there is neither force nor displacement"
                                                   : "loads: force and displacement, choose one");
    if (wall != NULL && displacement != NULL)
        return take_wall(b, entry, wall, displacement);
    if (wall != NULL)
        return take_wall(b, entry, wall, NULL);
    return take_bodies(b, entry, force, displacement);
}

static enum carom_status bind_strings(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *map = carom_tree_find(root, "strings");
    struct carom_keys_strings keys;
    carom_param_defaults(&carom_keys_strings.kind, &keys);
    if (map != NULL && b->string == NULL)
        return carom_value_wrong_key(&b->r, map, "strings: no body has a string: add string: 1 m to a chain or bead");
    if (map != NULL && (carom_value_fill(&b->r, map, &carom_keys_strings, &keys) != CAROM_OK))
        return b->r.error->status;
    if (b->string == NULL)
        return CAROM_OK;
    return carom_beads_hang(beads_of(b), b->string, keys.gravity, keys.angle == 1, b->r.error);
}

enum carom_status carom_bind_loads(struct carom_bind *b, const struct carom_node *root)
{
    struct carom_node *list = carom_tree_find(root, "loads");
    if (b->damping != NULL && carom_beads_damp(beads_of(b), b->damping, b->r.error) != CAROM_OK)
        return b->r.error->status;
    if (b->gravity != 0.0 && carom_beads_weigh(beads_of(b), b->gravity, b->r.error) != CAROM_OK)
        return b->r.error->status;
    if (bind_strings(b, root) != CAROM_OK)
        return b->r.error->status;
    if (list != NULL && carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *entry = list != NULL ? list->first : NULL; entry != NULL; entry = entry->next)
        if (take_load(b, entry) != CAROM_OK)
            return b->r.error->status;
    return carom_model_finish(b->scene->model, b->r.error);
}
