/* Vectors, most of three numbers. base/lane3.h has several side by side. */
#ifndef CAROM_BASE_VEC_H
#define CAROM_BASE_VEC_H

#ifndef CAROM_ON_DEVICE
#include "base/lane3.h"
#endif

/* out may be a or b */
ALWAYS_INLINE void carom_vec_cross(const double a[3], const double b[3], double out[3])
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/* the normal of a triangle, twice as long as its area is large */
ALWAYS_INLINE void carom_vec_triangle(const double p[3], const double q[3], const double r[3], double out[3])
{
    const double a[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, b[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    carom_vec_cross(a, b, out);
}

ALWAYS_INLINE double carom_vec_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* of vectors of n numbers */
ALWAYS_INLINE double carom_vec_product(size_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

ALWAYS_INLINE double carom_vec_norm(const double a[3])
{
    return sqrt(carom_vec_dot(a, a));
}

/* two unit vectors across n, one after the other, and across each other */
ALWAYS_INLINE void carom_vec_across(const double n[3], double across[6])
{
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(n[k]) < fabs(n[least]))
            least = k;
    double axis[3] = {0.0, 0.0, 0.0};
    axis[least] = 1.0;
    carom_vec_cross(n, axis, across);
    const double length = carom_vec_norm(across);
    for (int k = 0; k < 3; k++)
        across[k] /= length;
    carom_vec_cross(n, across, across + 3);
}

#endif
