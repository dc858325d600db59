/* What links and cells do beyond linear elasticity: fracture: {strength: 40 MPa, energy: 100 J/m^2, cracks: [{at: [0,
 * 0], normal: [0, 1]}]}, self_contact: always, self_friction: {mu: 0.3}, nonlinear: {cubic: 100}. */
#include <math.h>

#include "model/solid/solid_self.h"
#include "scene/solid/bind_solid.h"

/* links across a plane, within a box */
static enum carom_status crack(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    const size_t d = (size_t)s->dimension;
    double place[3] = {0.0, 0.0, 0.0}, across[3] = {0.0, 0.0, 0.0}, corner[2][3];
    if (carom_value_map_of(&b->r, map, &carom_keys_solid_crack) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *at = carom_tree_find(map, "at"), *normal = carom_tree_find(map, "normal"),
                      *box = carom_tree_find(map, "box");
    if (at == NULL || normal == NULL)
        return carom_value_wrong(&b->r, map,
                                 "a crack has a point and a normal, such as {at: [0, 0.5], normal: [0, 1]}, and may "
                                 "have a box that bounds it");
    if (carom_value_vector(&b->r, at, "m", d, false, place) != CAROM_OK ||
        carom_value_vector(&b->r, normal, "1", d, false, across) != CAROM_OK ||
        (box != NULL && carom_bind_solid_pick_box(b, box, s, corner[0], corner[1]) != CAROM_OK))
        return b->r.error->status;
    const double most = fmax(fabs(across[0]), fmax(fabs(across[1]), fabs(across[2])));
    for (size_t k = 0; most > 0.0 && k < d; k++)
        across[k] /= most; /* the square of a very large or small number is none */
    if (!(most > 0.0))
        return carom_value_wrong(&b->r, normal, "has no direction: all of it is 0");
    if (carom_solid_fracture_crack(s, place, across, box != NULL ? corner : NULL) == 0)
        return carom_value_wrong(&b->r, map, "this crack meets no link: between which cells does it pass?");
    return CAROM_OK;
}

static enum carom_status fracture(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    struct carom_node *node = carom_tree_find(map, "fracture");
    struct carom_solid_fracture law;
    if (node == NULL)
        return CAROM_OK;
    if (carom_value_fill(&b->r, node, &carom_keys_solid_fracture, &law) != CAROM_OK)
        return b->r.error->status;
    if (law.strength == 0.0 && law.energy == 0.0)
        return carom_value_wrong_key(
            &b->r, node, "when do links break? Give a strength, such as 40 MPa, an energy, such as 100 J/m^2, or both");
    struct carom_node *cracks = carom_tree_find(node, "cracks"), *box = carom_tree_find(node, "box");
    double corner[2][3];
    if (box != NULL && carom_bind_solid_pick_box(b, box, s, corner[0], corner[1]) != CAROM_OK)
        return b->r.error->status;
    if (carom_solid_fracture(s, &law, box != NULL ? corner : NULL, b->r.error) != CAROM_OK)
        return carom_tree_error_at(b->r.tree, node, b->r.error);
    if (carom_solid_fracture_weakest(s) == HUGE_VAL)
        return carom_value_wrong(&b->r, box != NULL ? box : node,
                                 box != NULL ? "there is no link in this box that could break"
                                             : "a body of one cell has no links that could break");
    if (cracks != NULL && carom_value_list(&b->r, cracks) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *one = cracks != NULL ? cracks->first : NULL; one != NULL; one = one->next)
        if (crack(b, one, s) != CAROM_OK)
            return b->r.error->status;
    return CAROM_OK;
}

static enum carom_status nonlinear(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    struct carom_node *node = carom_tree_find(map, "nonlinear");
    struct carom_solid_nonlinear law;
    if (node == NULL)
        return CAROM_OK;
    if (carom_value_fill(&b->r, node, &carom_keys_solid_nonlinear, &law) != CAROM_OK)
        return b->r.error->status;
    return carom_solid_bonds_nonlinear(s, &law, b->r.error) == CAROM_OK
               ? CAROM_OK
               : carom_tree_error_at(b->r.tree, node, b->r.error);
}

/* where cells meet at all; a body that does not break meets itself where it says so */
static enum carom_status self_friction(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    struct carom_node *node = carom_tree_find(map, "self_friction");
    struct carom_keys_solid_rough keys;
    if (node == NULL)
        return CAROM_OK;
    if (carom_value_fill(&b->r, node, &carom_keys_solid_rough, &keys) != CAROM_OK)
        return b->r.error->status;
    if (s->self == NULL)
        return carom_value_wrong_key(&b->r, node,
                                     "self_friction: cells of this body do not meet: give self_contact: always, or a "
                                     "fracture without self_contact: never");
    carom_solid_self_friction_by(s, keys.mu, keys.slip_speed);
    return CAROM_OK;
}

enum carom_status carom_bind_solid_fracture(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    struct carom_keys_solid keys;
    if (fracture(b, map, s) != CAROM_OK || nonlinear(b, map, s) != CAROM_OK ||
        carom_value_section(&b->r, map, &carom_keys_solid.kind, &keys) != CAROM_OK)
        return b->r.error->status;
    const bool meets = keys.self_contact == 1 || (keys.self_contact == 0 && s->breaks);
    if (meets && carom_solid_self(s, keys.self_contact == 0, b->r.error) != CAROM_OK)
        return b->r.error->status;
    return self_friction(b, map, s);
}
