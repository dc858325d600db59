/* Friction between two classes of bodies, beside their normal law. */
#ifndef CAROM_SCENE_SPACE_BIND_SPACE_FRICTION_H
#define CAROM_SCENE_SPACE_BIND_SPACE_FRICTION_H

#include "scene/contact_table.h"
#include "scene/space/bind_space.h"

/* The lines of the table of contacts: which two classes each speaks of, by an entry of each. */
struct carom_bind_pairs {
    size_t n;
    const struct carom_bind_entry *(*side)[2];
    double *radius_power; /* of the stiffness: 1/2 where it comes from materials, else 0 */
};

/* What line j says of friction, into a pairing whose normal law is complete. */
enum carom_status carom_bind_space_friction(struct carom_bind_space *s, const struct carom_bind_pairs *pairs,
                                            const struct carom_contact_table *table, size_t j,
                                            struct carom_pairing *out);

#endif
