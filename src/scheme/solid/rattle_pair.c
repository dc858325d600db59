/* The rotation step of two cells in the plane, in the lanes of a register, with the operations of
 * carom_turn_plane_on() in each lane. Cells in space have a file of their own, rattle_space.c. */
#include "scheme/solid/rattle_pair.h"

#define BOTH(expression0, expression1) ((carom_lane){(expression0), (expression1)})

bool carom_rattle_pair_plane(double h, const struct carom_rattle_pair cell[2])
{
    const carom_lane q0 = BOTH(cell[0].q[0], cell[1].q[0]), q1 = BOTH(cell[0].q[1], cell[1].q[1]);
    const carom_lane inverse = BOTH(cell[0].sort->inverse_inertia[2], cell[1].sort->inverse_inertia[2]);
    const carom_lane x = h * BOTH(cell[0].momentum[0], cell[1].momentum[0]) * inverse;
    const carom_lane_mask good = carom_lane_abs(x) <= 1.0;
    if (!(good[0] & good[1]))
        return false;
    const carom_lane cosine = carom_lane_sqrt((1.0 - x) * (1.0 + x)), e0 = carom_lane_sqrt(0.5 * (1.0 + cosine));
    const carom_lane e1 = 0.5 * x / e0, a = q0 * e0 - q1 * e1, d = q1 * e0 + q0 * e1;
    const carom_lane mend = 1.5 - 0.5 * (a * a + d * d);
    const carom_lane out[2] = {mend * a, mend * d};
    for (int lane = 0; lane < 2; lane++)
        for (int k = 0; k < 2; k++)
            cell[lane].next[k] = out[k][lane];
    return true;
}
