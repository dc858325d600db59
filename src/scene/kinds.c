/* What a scene can name: laws, schemes and parts of this version. A new one is written in a file of its own and
 * added here. */
#include "carom/scene.h"

const struct carom_law *const carom_kinds_laws[] = {
    &carom_law_hertz,
    &carom_law_kuwabara_kono,
    &carom_law_power,
    &carom_law_rigid,
    NULL,
};

const struct carom_scheme *const carom_kinds_schemes[] = {
    &carom_scheme_dp5,
    &carom_scheme_theta,
    &carom_scheme_irk,
    &carom_scheme_cn,
    &carom_scheme_cn_reg,
    &carom_scheme_gl,
    &carom_scheme_gl_reg,
    &carom_scheme_rk2,
    &carom_scheme_verlet,
    NULL,
};

const struct carom_part *const carom_kinds_parts[] = {
    &carom_part_beads,
    NULL,
};
