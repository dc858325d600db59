/* Phases of verlet over rows of viscoelastic spheres (Kuwabara and Kono) that nothing loads, between walls at rest, in
 * lanes: one pass each over what lies between two beads; ends, and what is left of a block, go the way of all rows. The
 * bits are the same. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_SPHERES_H
#define CAROM_SCHEME_COMPLIANT_VERLET_SPHERES_H

#include "scheme/compliant/verlet_squeezed.h"

/* One step under way. Bead i has contact i + shift on its right. */
struct carom_verlet_spheres {
    size_t shift;
    double h;
    const double *k, *gamma, *gap, *inverse_mass;
    const double *x0, *v0, *lost0; /* at its beginning */
    double *x1, *v1, *lost1;
    struct carom_verlet_squeezed held; /* contacts as they are, at one end and then at the other */
    double *both;                      /* twice their mean force over the step */
};

/* From a first bead or contact up to `last` as far as whole registers go: where that was. */
struct carom_verlet_spheres_passes {
    /* beads with one on either side: x1, and in v1 their velocities after half of what acts at x0 */
    size_t (*move)(const struct carom_verlet_spheres *s, size_t first, size_t last);
    /* contacts of two beads: held is what they are at x1 */
    size_t (*squeeze)(const struct carom_verlet_spheres *s, size_t first, size_t last, bool *switched);
    /* beads with a contact on either side: v1 */
    size_t (*kick)(const struct carom_verlet_spheres *s, size_t first, size_t last, bool *finite);
};

/* The passes for this processor, if the model is such a row; else NULL. */
const struct carom_verlet_spheres_passes *carom_verlet_spheres_choose(const struct carom_model *model);

/* Those in four lanes, or NULL. */
const struct carom_verlet_spheres_passes *carom_verlet_spheres_wide(void);

#endif
