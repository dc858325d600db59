/* A step of a contact that force ends: the trapezoid of the clipped force. */
#include "scheme/compliant/verlet_phases.h"

double carom_verlet_clip(const struct carom_state *from, struct carom_state *to, const struct carom_chain *early,
                         double h, size_t j, const double before[4], const double after[4])
{
    const double elastic0 = before[0], viscous0 = before[1], drag0 = before[2], d0 = before[3];
    const double elastic1 = after[0], viscous1 = after[1], drag1 = after[2], d1 = after[3];
    double rate0 = 0.0;
    carom_chain_rate(early, j, j + 1, from->v, &rate0);
    const double mean = (d1 - d0) / h, rate1 = 2.0 * mean - rate0;
    const bool cut0 = d0 > 0.0 && !(elastic0 + drag0 * rate0 > 0.0);
    const bool cut1 = d1 > 0.0 && !(elastic1 + drag1 * rate1 > 0.0);
    const double half = 0.5 * h;
    if (!cut0 && !cut1) {
        const double impulse = half * (elastic0 + elastic1) + (viscous1 - viscous0);
        if (impulse >= 0.0) {
            to->lost[j] = from->lost[j] + mean * (viscous1 - viscous0);
            return impulse;
        }
    }
    double force = 0.0, lost = 0.0, discarded = 0.0;
    if (cut0)
        discarded -= elastic0 * rate0;
    else if (d0 > 0.0)
        force += elastic0 + drag0 * rate0, lost += drag0 * rate0 * rate0;
    if (cut1)
        discarded -= elastic1 * rate1;
    else if (d1 > 0.0)
        force += elastic1 + drag1 * rate1, lost += drag1 * rate1 * rate1;
    to->lost[j] = from->lost[j] + half * lost;
    to->clipped[j] = from->clipped[j] + half * discarded;
    return half * force;
}
