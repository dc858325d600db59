/* How cells in the plane turn: ux, uy and the half-angle (a, d) of each follow velocity and angular velocity. */
#include "model/solid/solid.h"

void carom_solid_plane_flow(const void *own, const double *q, const double *v, double *rate)
{
    const struct carom_solid *s = own;
    for (size_t i = 0; i < s->n; i++) {
        const double half = 0.5 * v[3 * i + 2];
        rate[4 * i] = v[3 * i];
        rate[4 * i + 1] = v[3 * i + 1];
        rate[4 * i + 2] = -half * q[4 * i + 3];
        rate[4 * i + 3] = half * q[4 * i + 2];
    }
}
