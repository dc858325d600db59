/* Absorbing sides of a solid: absorbing: [left, right, bottom]. */
#include "scene/bind_solid.h"

enum carom_status carom_bind_solid_absorb(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    struct carom_node *list = carom_tree_find(map, "absorbing");
    if (list == NULL)
        return CAROM_OK;
    if (carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *node = list->first; node != NULL; node = node->next) {
        enum carom_solid_side side;
        if (carom_bind_solid_pick_side(b, node, s, &side) != CAROM_OK)
            return b->r.error->status;
        if (carom_solid_absorb(s, side, b->r.error) != CAROM_OK)
            return carom_tree_error_at(b->r.tree, node, b->r.error);
    }
    return CAROM_OK;
}
