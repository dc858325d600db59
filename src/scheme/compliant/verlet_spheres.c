/* Which rows go through the passes of verlet_spheres_pass.h, and in how many lanes. */
#include "carom/law.h"
#include "scheme/compliant/verlet_spheres_pass.h"

static const struct carom_verlet_spheres_passes narrow = {move_some, squeeze_some, kick_some};

const struct carom_verlet_spheres_passes *carom_verlet_spheres_choose(const struct carom_model *model)
{
    const struct carom_beads *beads = carom_model_chain(model);
    const struct carom_verlet_spheres_passes *wide = carom_verlet_spheres_wide();
    const bool fits = model->ngroups == 1 && model->group[0].law == &carom_law_kuwabara_kono && model->damped &&
                      !beads->spring && !beads->driven;
    return !fits ? NULL : wide ? wide : &narrow;
}
