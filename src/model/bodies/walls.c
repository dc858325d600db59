/* Whether walls touch, see walls.h: convex bodies are apart if some direction tells them apart, and inside a container
 * if their farthest points are. */
#include "model/bodies/walls.h"

#include "base/angle.h"
#include "base/quat.h"
#include "model/bodies/outside.h"

/* a box or cylinder, or a container, where it is now */
struct stand {
    const struct carom_body *body;
    double centre[3], axis[3][3]; /* own axes in space */
};

static void stand_of(const struct carom_bodies *b, size_t i, const double *q, struct stand *out)
{
    const double *turn = q + i * carom_bodies_nq(b) + b->dimension;
    const double plane[4] = {carom_angle_cos(0.5 * turn[0]), 0.0, 0.0, carom_angle_sin(0.5 * turn[0])};
    double frame[4];
    out->body = &b->body[i];
    carom_bodies_centre(b, i, q, out->centre);
    out->centre[2] = b->dimension == 2 ? 0.0 : out->centre[2];
    carom_quat_product(b->dimension == 2 ? plane : turn, out->body->frame, frame);
    for (int k = 0; k < 3; k++) {
        const double own[3] = {k == 0, k == 1, k == 2};
        carom_quat_turn(frame, own, out->axis[k]);
    }
}

/* how far a box or cylinder reaches from its centre along a direction of length 1 */
static double support(const struct stand *s, const double along[3])
{
    const double *size = s->body->size;
    double own[3];
    for (int k = 0; k < 3; k++)
        own[k] = fabs(carom_vec_dot(along, s->axis[k]));
    if (s->body->surface == CAROM_CYLINDER)
        return size[0] * sqrt(own[0] * own[0] + own[1] * own[1]) + size[2] * own[2];
    return size[0] * own[0] + size[1] * own[1] + size[2] * own[2];
}

/* how far they are apart along a direction of any length but 0; negative: it does not tell them apart */
static double apart_along(const struct stand *a, const struct stand *b, const double d[3], const double way[3])
{
    const double length = carom_vec_norm(way);
    if (!(length > 1e-9))
        return -HUGE_VAL;
    const double along[3] = {way[0] / length, way[1] / length, way[2] / length};
    return fabs(carom_vec_dot(d, along)) - support(a, along) - support(b, along);
}

/* of two convex bodies, d from a to b: along their axes, edges across both, from centre to centre and, for cylinders,
 * from their axis to the other's centre; in the plane nothing across it tells them apart */
static double apart(const struct stand *a, const struct stand *b, const double d[3], int axes)
{
    const double size = carom_vec_norm(d), line[3] = {d[0] / size, d[1] / size, d[2] / size};
    double gap = apart_along(a, b, d, line), way[3];
    for (int i = 0; i < axes; i++) {
        gap = fmax(gap, fmax(apart_along(a, b, d, a->axis[i]), apart_along(a, b, d, b->axis[i])));
        for (int j = 0; axes == 3 && j < 3; j++) {
            carom_vec_cross(a->axis[i], b->axis[j], way);
            gap = fmax(gap, apart_along(a, b, d, way));
        }
    }
    for (int side = 0; side < 2; side++) {
        const double *axis = (side ? b : a)->axis[2], along = carom_vec_dot(line, axis);
        for (int k = 0; k < 3; k++)
            way[k] = line[k] - along * axis[k];
        gap = fmax(gap, apart_along(a, b, d, way));
    }
    return gap;
}

/* the farthest point of a box or cylinder from the origin, or from the z axis of a container; d: its centre */
static double farthest(const struct stand *a, const struct stand *in, const double d[3], bool from_axis)
{
    const double *size = a->body->size, *z = in->axis[2];
    double most = 0.0;
    if (a->body->surface == CAROM_CYLINDER) {
        const double up = carom_vec_dot(d, from_axis ? z : a->axis[2]);
        double aside[3];
        for (int k = 0; k < 3; k++)
            aside[k] = d[k] - up * (from_axis ? z[k] : a->axis[2][k]);
        const double lean = carom_vec_dot(a->axis[2], z);
        if (from_axis)
            return carom_vec_norm(aside) + size[0] + size[2] * sqrt(fmax(0.0, 1.0 - lean * lean));
        const double wide = carom_vec_norm(aside) + size[0], high = fabs(up) + size[2];
        return sqrt(wide * wide + high * high);
    }
    for (int corner = 0; corner < 8; corner++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = d[k] + (corner & 1 ? 1.0 : -1.0) * size[0] * a->axis[0][k] +
                   (corner & 2 ? 1.0 : -1.0) * size[1] * a->axis[1][k] +
                   (corner & 4 ? 1.0 : -1.0) * size[2] * a->axis[2][k];
        const double up = carom_vec_dot(x, z);
        most = fmax(most, from_axis ? sqrt(fmax(0.0, carom_vec_dot(x, x) - up * up)) : carom_vec_norm(x));
    }
    return most;
}

/* what is left between `a` and the container around it; d: from its centre to that of a */
static double room_inside(const struct stand *a, const struct stand *in, const double d[3], int axes)
{
    const double *size = in->body->size;
    double gap = HUGE_VAL;
    if (in->body->surface == CAROM_BALL)
        return in->body->radius - farthest(a, in, d, false);
    if (in->body->surface == CAROM_CYLINDER)
        gap = size[0] - farthest(a, in, d, true);
    for (int k = in->body->surface == CAROM_CYLINDER ? 2 : 0; k < axes; k++)
        gap = fmin(gap, size[k] - fabs(carom_vec_dot(d, in->axis[k])) - support(a, in->axis[k]));
    return gap;
}

static double gap_of(const struct carom_bodies *b, size_t free, size_t other, const double *q)
{
    struct stand a, c;
    double d[3], normal[3];
    stand_of(b, free, q, &a);
    stand_of(b, other, q, &c);
    for (int k = 0; k < 3; k++) {
        const double length = b->high[k] - b->low[k];
        d[k] = a.centre[k] - c.centre[k];
        d[k] -= b->periodic[k] && c.body->surface != CAROM_PLANE ? length * nearbyint(d[k] / length) : 0.0;
    }
    if (c.body->surface == CAROM_PLANE) {
        for (int k = 0; k < 3; k++)
            normal[k] =
                c.body->normal[0] * c.axis[0][k] + c.body->normal[1] * c.axis[1][k] + c.body->normal[2] * c.axis[2][k];
        return carom_vec_dot(d, normal) - support(&a, normal);
    }
    return c.body->inside ? room_inside(&a, &c, d, (int)b->dimension) : apart(&a, &c, d, (int)b->dimension);
}

bool carom_walls_touch(const struct carom_bodies *b, const double *q, size_t pair[2])
{
    for (size_t i = 0; b->tumbling && i < b->n; i++) {
        if (!carom_bodies_tumbles(&b->body[i]) || carom_outside_is(b, i, q))
            continue;
        for (size_t j = 0; j < b->n; j++) {
            const struct carom_body *other = &b->body[j];
            const bool ball = other->surface == CAROM_BALL && !other->inside;
            if (ball || j == i || (j < i && carom_bodies_tumbles(other)) || carom_outside_is(b, j, q) ||
                gap_of(b, i, j, q) > -1e-9 * carom_bodies_reach(&b->body[i])) /* they may stand side by side */
                continue;
            pair[0] = i < j ? i : j;
            pair[1] = i < j ? j : i;
            return true;
        }
    }
    return false;
}
