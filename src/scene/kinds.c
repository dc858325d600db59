/* What a scene can name: laws, schemes and parts of this version. A new one is written in a file of its own and
 * added here. */
#include "carom/bodies.h"
#include "carom/scene.h"
#include "carom/solid.h"

#include "carom/friction.h"
#include "carom/law.h"
#include "carom/mechanism.h"

const struct carom_law *const carom_kinds_laws[] = {
    &carom_law_hertz,
    &carom_law_kuwabara_kono,
    &carom_law_power,
    &carom_law_hunt_crossley,
    &carom_law_hertz_dashpot,
    &carom_law_linear_dashpot,
    &carom_law_bistiff,
    &carom_law_walton_braun,
    &carom_law_dmt,
    &carom_law_rigid,
    NULL,
};

/* of bodies in the plane and in space; the first of each is the usual one */
const struct carom_friction *const carom_kinds_frictions[] = {
    &carom_friction_mindlin,
    &carom_friction_cundall_strack,
    &carom_friction_coulomb,
    NULL,
};

const struct carom_friction *const carom_kinds_resistances[] = {
    &carom_resistance_constant,
    &carom_resistance_spring,
    NULL,
};

const struct carom_scheme *const carom_kinds_schemes[] = {
    &carom_scheme_dp5,
    &carom_scheme_energy_momentum,
    &carom_scheme_theta,
    &carom_scheme_irk,
    &carom_scheme_cn,
    &carom_scheme_cn_reg,
    &carom_scheme_gl,
    &carom_scheme_gl_reg,
    &carom_scheme_rk2,
    &carom_scheme_verlet,
    &carom_scheme_rattle,
    &carom_scheme_event,
    &carom_scheme_mannshardt,
    &carom_scheme_moreau_jean,
    &carom_scheme_schatzman_paoli,
    &carom_scheme_moreau_adaptive,
#ifdef CAROM_WITH_CVODE
    &carom_scheme_cvode,
#endif
    NULL,
};

/* the mechanism is the last: below it stand its machines where parts are listed */
const struct carom_part *const carom_kinds_parts[] = {
    &carom_part_beads, &carom_part_solid, &carom_part_solid_plane, &carom_part_bodies, &carom_part_mechanism, NULL,
};
