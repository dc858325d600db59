/* What a solid does beyond elasticity: absorbing: [left, right, bottom], plasticity: {yield: 250 MPa}. */
#include "scene/solid/bind_solid.h"

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

enum carom_status carom_bind_solid_absorb_flow(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    struct carom_node *plastic = carom_tree_find(map, "plasticity"), *viscous = carom_tree_find(map, "viscoelasticity");
    struct carom_node *node = plastic != NULL ? plastic : viscous;
    const struct carom_section *section =
        plastic != NULL ? &carom_keys_solid_plasticity : &carom_keys_solid_viscoelasticity;
    struct carom_solid_plasticity law = {0.0, 0.0, 0.0, 0.0};
    if (node == NULL)
        return CAROM_OK;
    if (plastic != NULL && viscous != NULL)
        return carom_tree_error_key(b->r.tree, viscous, CAROM_E_REFUSED, b->r.error,
                                    "plasticity and viscoelasticity do not go together: choose one");
    if (carom_value_fill(&b->r, node, section, &law) != CAROM_OK)
        return b->r.error->status;
    if (plastic != NULL)
        law.relaxation = 0.0;
    else
        law.yield = law.hardening = law.kinematic = 0.0;
    if (carom_solid_yield(s, &law, b->r.error) != CAROM_OK)
        return carom_tree_error_at(b->r.tree, node, b->r.error);
    return CAROM_OK;
}
