/* How far a surface is inside a ball of radius R about c: from
 *
 *     J = integral of (R^2 - |x - c|^2)^2 over the surface in the ball,
 *
 * the overlap d of a flat surface that has the same J, where J = pi/3 a^6 (in the plane 16/15 a^5) with a^2 = R^2 - (R
 * - d)^2. So d is R less the distance where the surface is flat, and no piece of a dented one is left out: d and its
 * slopes are continuous wherever the ball lies, which the distance of the nearest point is not in a hollow. Small
 * overlaps of curved surfaces have d^3 = R' / R times the cube of how deep they are, R' the radius of ball and surface
 * together: k d^(3/2) is then Hertz's force for R'. Pieces that look past the ball count little, those that look away
 * nothing. All integrals are closed forms over edges (Green), in a way that keeps small parts of large circles exact.
 */
#include "model/solid/solid_skin_patch.h"

#include <string.h>

#include "base/angle.h"
#include "base/power.h"
#include "base/vec.h"
#include "model/solid/solid.h"

#define PI 3.14159265358979323846
#define ASIDE 0.5 /* cosine between a piece's normal and the way to the ball from which on it counts in full */

/* --- integrals over one piece ------------------------------------------------------------------------------------- */

/* A piece as the ball sees it: its corners from the centre's foot on its plane, how far that is from the centre. */
struct facet {
    double corner[3][3], normal[3], height, square; /* square: of the radius of the circle in its plane, a^2 */
    double sum;                                     /* its part of J */
    double lever[3];                                /* integral of (a^2 - r^2) over the shares of a corner */
    double spread[3][3];                            /* slopes of its part of J by moving corners in its plane */
    double foot[3];                                 /* shares of the corners in the foot */
};

/* Along an edge, u being the way from the point of its line next to the foot: where it is inside the circle. */
struct stretch {
    double d;           /* how far the foot is inside of the edge */
    double half;        /* b^2 = a^2 - d^2 */
    double u0, u1;      /* from where to where, within -b and b */
    double flat, slant; /* integrals of (b^2 - u^2)^2 and that times u */
};

/* integrals of polynomials of degree 5 at most, by three points */
static void along_edge(struct stretch *s)
{
    static const double point[3] = {-0.77459666924148337704, 0.0, 0.77459666924148337704},
                        weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    const double middle = 0.5 * (s->u0 + s->u1), way = s->u1 - s->u0, b = sqrt(s->half);
    s->flat = s->slant = 0.0;
    for (int i = 0; i < 3; i++) {
        const double u = middle + 0.5 * way * point[i], below = (b - u) * (b + u), part = way * weight[i];
        s->flat += part * below * below;
        s->slant += part * below * below * u;
    }
}

/* the angle of a stretch as seen from the foot, less than 0 if that is outside of the edge */
static double seen_angle(double d, double u0, double u1)
{
    const double angle = carom_angle_atan2(u1, fabs(d)) - carom_angle_atan2(u0, fabs(d));
    return d < 0.0 ? -angle : angle;
}

/* d times the integrals of (b^2 - u^2)^n / (d^2 + u^2), n = 2 and 3: far from the foot by points of Gauss, as closed
 * forms would be small differences of large numbers there */
static void around_foot(const struct stretch *s, double square, double out[2])
{
    static const double point[6] = {0.1252334085114689154724, 0.3678314989981801937527, 0.5873179542866174472967,
                                    0.7699026741943046870369, 0.9041172563704748566785, 0.9815606342467192506906},
                        weight[6] = {0.2491470458134027850006, 0.2334925365383548087608, 0.2031674267230659217490,
                                     0.1600783285433462263347, 0.1069393259953184309603, 0.0471753363865118271946};
    const double d = s->d, b = sqrt(s->half), way = s->u1 - s->u0, middle = 0.5 * (s->u0 + s->u1);
    if (d * d + middle * middle < 1.25 * way * way) {
        const double cubes = (s->u1 * s->u1 * s->u1 - s->u0 * s->u0 * s->u0) / 3.0,
                     once = square * seen_angle(d, s->u0, s->u1) - d * way;
        out[0] = square * once - d * (s->half * way - cubes);
        out[1] = square * out[0] - d * s->flat;
        return;
    }
    out[0] = out[1] = 0.0;
    for (int i = 0; i < 12; i++) {
        const double u = middle + 0.5 * way * (i < 6 ? -point[i] : point[i - 6]), below = (b - u) * (b + u);
        const double part = 0.5 * way * weight[i % 6] * d * below * below / (d * d + u * u);
        out[0] += part;
        out[1] += part * below;
    }
}

/* where the edge between two corners is inside the circle */
static bool inside(double square, double d, double u0, double u1, struct stretch *s)
{
    *s = (struct stretch){.d = d, .half = square - d * d};
    if (!(s->half > 0.0))
        return false;
    const double b = sqrt(s->half);
    s->u0 = fmax(u0, -b);
    s->u1 = fmin(u1, b);
    if (!(s->u0 < s->u1))
        return false;
    along_edge(s);
    return true;
}

/* a triangle's */
static void measure_triangle(struct facet *f)
{
    const double a2 = f->square;
    double out[3][3], d[3], size[3], moment[3] = {0.0, 0.0, 0.0}, area = 0.0, whole = 0.0, angle = 0.0;
    bool within = true;
    for (int e = 0; e < 3; e++) {
        const double *from = f->corner[e], *to = f->corner[(e + 1) % 3];
        double along[3], both[2];
        struct stretch s;
        for (int k = 0; k < 3; k++)
            along[k] = to[k] - from[k];
        size[e] = carom_vec_norm(along);
        for (int k = 0; k < 3; k++)
            along[k] /= size[e];
        carom_vec_cross(along, f->normal, out[e]);
        d[e] = carom_vec_dot(out[e], from);
        area += 0.5 * d[e] * size[e];
        const double u0 = carom_vec_dot(along, from), u1 = carom_vec_dot(along, to);
        within = within && d[e] > -1e-9 * size[e];
        angle += within ? seen_angle(d[e], u0, u1) : 0.0; /* 2 pi or 0, but for feet on corners */
        if (!inside(a2, d[e], u0, u1, &s))
            continue;
        around_foot(&s, a2, both);
        whole -= both[0] / 4.0;
        f->sum -= both[1] / 6.0;
        for (int k = 0; k < 3; k++) {
            moment[k] -= 0.25 * s.flat * out[e][k];
            f->spread[e][k] += (u1 * s.flat - s.slant) / size[e] * out[e][k];
            f->spread[(e + 1) % 3][k] += (s.slant - u0 * s.flat) / size[e] * out[e][k];
        }
    }
    whole += within ? 0.25 * angle * a2 * a2 : 0.0;
    f->sum += within ? angle / 6.0 * a2 * a2 * a2 : 0.0;
    for (int c = 0; c < 3; c++) {
        const int e = (c + 1) % 3; /* across from the corner */
        const double part = 0.5 * size[e] / area;
        f->foot[c] = part * d[e];
        f->lever[c] = part * (d[e] * whole - carom_vec_dot(out[e], moment));
    }
}

/* in the plane, a line's */
static void measure_line(struct facet *f)
{
    double along[3], near[2];
    struct stretch s;
    for (int k = 0; k < 3; k++)
        along[k] = f->corner[1][k] - f->corner[0][k];
    const double size = carom_vec_norm(along);
    for (int k = 0; k < 3; k++)
        along[k] /= size;
    const double u0 = carom_vec_dot(along, f->corner[0]), u1 = carom_vec_dot(along, f->corner[1]);
    if (!inside(f->square, 0.0, u0, u1, &s))
        return;
    const double way = s.u1 - s.u0, middle = 0.5 * (s.u0 + s.u1), b2 = s.half;
    /* integrals of b^2 - u^2 and that times u: by two points */
    double flat = 0.0, slant = 0.0;
    for (int i = 0; i < 2; i++) {
        const double u = middle + (i == 0 ? -0.5 : 0.5) * way / sqrt(3.0);
        flat += 0.5 * way * (b2 - u * u);
        slant += 0.5 * way * (b2 - u * u) * u;
    }
    f->sum = s.flat;
    f->foot[0] = u1 / size;
    f->foot[1] = -u0 / size;
    f->lever[0] = (u1 * flat - slant) / size;
    f->lever[1] = (slant - u0 * flat) / size;
    near[0] = b2 - u0 * u0 > 0.0 ? b2 - u0 * u0 : 0.0;
    near[1] = b2 - u1 * u1 > 0.0 ? b2 - u1 * u1 : 0.0;
    for (int k = 0; k < 3; k++) {
        f->spread[0][k] = -near[0] * near[0] * along[k];
        f->spread[1][k] = near[1] * near[1] * along[k];
    }
}

/* false: the ball does not reach the plane of the piece, or is behind it */
static bool see(const struct carom_solid *s, const struct carom_skin_piece *piece, const double (*corner)[3],
                const double place[3], double radius, struct facet *f)
{
    memset(f, 0, sizeof *f);
    carom_solid_skin_near_outwards(s, piece, corner, f->normal);
    const double size = carom_vec_norm(f->normal);
    if (!(size > 0.0))
        return false;
    for (int k = 0; k < 3; k++) {
        f->normal[k] /= size;
        f->height += f->normal[k] * (place[k] - corner[0][k]);
    }
    if (!(f->height > 0.0) || !(f->height < radius))
        return false;
    f->square = (radius - f->height) * (radius + f->height);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            f->corner[c][k] = corner[c][k] - place[k] + f->height * f->normal[k];
    return true;
}

/* how much a piece counts that is seen under this cosine, and the slope of that */
static double facing(double cosine, double *slope)
{
    const double x = cosine / ASIDE;
    *slope = x < 1.0 ? 6.0 * x * (1.0 - x) / ASIDE : 0.0;
    return x < 1.0 ? x * x * (3.0 - 2.0 * x) : 1.0;
}

/* --- the patch ---------------------------------------------------------------------------------------------------- */

void carom_solid_skin_patch_begin(const double place[3], double radius, struct carom_skin_pool *pool,
                                  struct carom_skin_patch *patch)
{
    *patch = (struct carom_skin_patch){.radius = radius, .pool = pool, .first = pool ? pool->n : 0};
    memcpy(patch->place, place, sizeof patch->place);
}

/* the slope of J by a corner's place, for all cells that carry the corner, and by the ball's */
static void add_corner(const struct carom_solid *s, const struct carom_solid_skin *skin, size_t corner, const double *q,
                       const double slope[3], double share, struct carom_skin_patch *patch)
{
    const struct carom_skin_corner *c = &skin->corner[corner];
    for (int k = 0; k < 3; k++)
        patch->slope[k] -= slope[k];
    for (uint32_t i = 0; patch->pool && i < c->count; i++) {
        const struct carom_skin_owner *owner = &skin->owner[c->first + i];
        double turn[4], arm[3], along[3];
        carom_solid_quaternion(s, q, owner->cell, turn);
        carom_quat_turn(turn, owner->arm, arm);
        for (int k = 0; k < 3; k++)
            along[k] = slope[k] / c->count;
        carom_solid_skin_touch_add(patch->pool, patch->first, owner->cell, arm, along, share / c->count);
    }
}

static void add_piece(const struct carom_solid *s, const struct carom_solid_skin *skin, size_t p, const double *q,
                      struct carom_skin_patch *patch)
{
    const struct carom_skin_piece *piece = &skin->piece[p];
    double corner[3][3], rise;
    struct facet f;
    for (int c = 0; c < 3; c++)
        carom_solid_skin_corner(s, skin, piece->corner[c], q, corner[c]);
    if (!see(s, piece, (const double(*)[3])corner, patch->place, patch->radius, &f))
        return;
    if (s->dimension == 3)
        measure_triangle(&f);
    else
        measure_line(&f);
    if (!(f.sum > 0.0))
        return;
    const double weight = facing(f.height / patch->radius, &rise);
    patch->sum += weight * f.sum;
    for (int c = 0; c < s->dimension; c++) {
        const double lift = 4.0 * weight * f.height * f.lever[c] - rise / patch->radius * f.foot[c] * f.sum;
        double slope[3];
        for (int k = 0; k < 3; k++)
            slope[k] = lift * f.normal[k] + weight * f.spread[c][k];
        add_corner(s, skin, piece->corner[c], q, slope, weight * f.lever[c], patch);
    }
}

void carom_solid_skin_patch_add(const struct carom_solid *s, const struct carom_solid_skin *skin, size_t r,
                                const double *q, struct carom_skin_patch *patch)
{
    const struct carom_skin_rim *rim = &skin->rim[r];
    const double none[3] = {0.0, 0.0, 0.0}, far = patch->radius + CAROM_SKIN_SLACK * rim->reach;
    double away[3];
    carom_solid_moved(s, q, rim->cell, none, away);
    for (int k = 0; k < 3; k++)
        away[k] -= patch->place[k];
    if (!(carom_vec_dot(away, away) < far * far))
        return;
    for (size_t p = rim->first; p < (size_t)rim->first + rim->count; p++)
        if (carom_solid_skin_bare(s, skin, p, q))
            add_piece(s, skin, p, q, patch);
}

/* from the ball's centre to where friction acts */
static void find_point(const struct carom_solid *s, const double *q, struct carom_skin_patch *patch)
{
    const double none[3] = {0.0, 0.0, 0.0};
    for (size_t i = patch->first; i < patch->pool->n; i++) {
        const struct carom_skin_touch *t = &patch->pool->touch[i];
        double centre[3];
        carom_solid_moved(s, q, t->cell, none, centre);
        for (int k = 0; k < 3; k++)
            patch->point[k] += t->share * (centre[k] + t->arm[k] - patch->place[k]);
    }
}

bool carom_solid_skin_patch_end(const struct carom_solid *s, const double *q, struct carom_skin_patch *patch)
{
    const double R = patch->radius, J = patch->sum;
    if (!(J > 0.0))
        return false;
    const double square = s->dimension == 3 ? carom_power(3.0 / PI * J, 1.0 / 3.0) : carom_power(15.0 / 16.0 * J, 0.4),
                 left = R * R - square;
    if (!(left > 0.0)) { /* the surface is all around: as far inside as can be */
        patch->overlap = R;
        return true;
    }
    const double height = sqrt(left), by = square / J * (s->dimension == 3 ? 1.0 / 3.0 : 0.4) * 0.5 / height;
    patch->overlap = square / (R + height);
    for (int k = 0; k < 3; k++)
        patch->slope[k] *= by;
    if (!patch->pool)
        return true;
    carom_solid_skin_touch_finish(patch->pool, patch->first);
    find_point(s, q, patch);
    for (size_t i = patch->first; i < patch->pool->n; i++)
        for (int k = 0; k < 3; k++) {
            patch->pool->touch[i].along[k] *= by;
            patch->pool->touch[i].twist[k] *= by;
        }
    return true;
}
