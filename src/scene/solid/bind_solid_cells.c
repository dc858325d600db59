/* Solids of general cells: a mesh becomes a body, unless its links are too skew. */
#include "scene/solid/bind_solid.h"

#include <math.h>

#include "base/angle.h"
#include "model/solid/solid_cells.h"

#define SKEW 30.0 /* degrees; links beyond that are for those who accept them */

enum carom_status carom_bind_solid_cells(struct carom_bind *b, const struct carom_node *map, bool accept_skew,
                                         const struct carom_solid_material *material, struct carom_mesh *mesh,
                                         struct carom_solid **solid)
{
    *solid = carom_solid_cells(mesh, material, b->r.error);
    if (*solid == NULL)
        return carom_tree_error_at(b->r.tree, map, b->r.error);
    const struct carom_mesh_skew *skew = &(*solid)->cells->skew;
    const double along = fmin(skew->least, 1.0);
    const double angle = carom_angle_atan2(sqrt(1.0 - along * along), along) * 180.0 / 3.14159265358979323846;
    if (accept_skew || angle <= SKEW)
        return CAROM_OK;
    const struct carom_solid_link *link = &(*solid)->link[skew->worst];
    return carom_value_wrong_key(&b->r, map,
                                 "the link between cells %u and %u is skew by %.3g degrees, and beyond %g stiffness is "
                                 "off by per cents: relax or mend the mesh, or say accept_skew: true",
                                 (unsigned)link->cell[0], (unsigned)link->cell[1], angle, SKEW);
}
