/* How cells in the plane turn: ux, uy and the half-angle (a, d) of each follow velocity and angular velocity. */
#include "model/solid/solid.h"

#include "base/angle.h"

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

void carom_solid_plane_move(const void *own, const double *q, const double *step, double *moved)
{
    const struct carom_solid *s = own;
    for (size_t i = 0; i < s->n; i++) {
        const double half = 0.5 * step[3 * i + 2], c = carom_angle_cos(half), d = carom_angle_sin(half);
        const double x = q[4 * i + 2] * c - q[4 * i + 3] * d, y = q[4 * i + 3] * c + q[4 * i + 2] * d;
        const double size = sqrt(x * x + y * y);
        moved[4 * i] = q[4 * i] + step[3 * i];
        moved[4 * i + 1] = q[4 * i + 1] + step[3 * i + 1];
        moved[4 * i + 2] = x / size;
        moved[4 * i + 3] = y / size;
    }
}
