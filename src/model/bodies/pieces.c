/* Bodies of several pieces, see pieces.h: what they weigh together, and what they look like. */
#include "model/bodies/pieces.h"

#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "base/quat.h"
#include "model/bodies/convex_parts.h"

#define PI 3.14159265358979323846

struct carom_pieces *carom_pieces_create(size_t room)
{
    struct carom_pieces *p = carom_memory_zeroed(1, sizeof *p);
    if (!p)
        return NULL;
    p->room = room;
    if (carom_memory_together(CAROM_ROOM(p->piece, room), CAROM_ROOM(p->shape, room), CAROM_ROOM(p->mass, room),
                              CAROM_ROOM(p->centre, room), CAROM_ROOM(p->around, room), CAROM_ROOM(p->second, room)))
        return p;
    carom_pieces_free(p);
    return NULL;
}

void carom_pieces_free(struct carom_pieces *p)
{
    if (!p)
        return;
    for (size_t i = 0; p->shape && i < p->n; i++)
        carom_convex_free(p->shape[i]);
    carom_memory_free_all(p->piece, p);
}

/* --- round pieces ------------------------------------------------------------------------------------------------- */

double carom_pieces_volume(size_t dimension, double length, double radius)
{
    return dimension == 2 ? radius * (PI * radius + 2.0 * length)
                          : PI * radius * radius * (4.0 / 3.0 * radius + length);
}

/* Mean squares, over the mass, of places along the line of a round piece and across it (in the plane and in space one
 * direction of two). Its ends are half discs or balls, whose centres stand `off` beyond those of their circles. */
static void spread_of(size_t dimension, double length, double r, double *along, double *across)
{
    const bool flat = dimension == 2;
    const double middle = flat ? 2.0 * r * length : PI * r * r * length;
    const double ends = flat ? PI * r * r : 4.0 / 3.0 * PI * r * r * r;
    const double off = flat ? 4.0 * r / (3.0 * PI) : 0.375 * r, round = r * r / (flat ? 4.0 : 5.0);
    const double whole = middle + ends;
    *along = (middle * length * length / 12.0 + ends * (round + 0.25 * length * length + length * off)) / whole;
    *across = (middle * r * r / (flat ? 3.0 : 4.0) + ends * round) / whole;
}

/* two directions across a line of space */
static void across_line(const double along[3], double one[3], double other[3])
{
    const int least = fabs(along[0]) <= fabs(along[1]) && fabs(along[0]) <= fabs(along[2]) ? 0
                      : fabs(along[1]) <= fabs(along[2])                                   ? 1
                                                                                           : 2;
    const double axis[3] = {least == 0, least == 1, least == 2};
    carom_vec_cross(along, axis, one);
    const double length = carom_vec_norm(one);
    for (int k = 0; k < 3; k++)
        one[k] /= length;
    carom_vec_cross(along, one, other);
}

/* what pictures show of a round piece: points of its surface, few enough for many bodies */
static struct carom_convex *picture(size_t dimension, const double end[2][3], double radius, const double along[3],
                                    double centre[3], double frame[4], struct carom_error *error)
{
    enum { AROUND = 10, RINGS = 3, FLAT = 13, POINTS = 2 * (RINGS * AROUND + 1) };
    double point[POINTS][3], side[3] = {-along[1], along[0], 0.0}, other[3] = {0.0};
    size_t n = 0;
    if (dimension == 3)
        across_line(along, side, other);
    for (int s = 0; s < 2; s++) {
        const double way = s ? 1.0 : -1.0;
        for (int k = 0; k < FLAT && dimension == 2; k++, n++) {
            const double angle = PI * k / (FLAT - 1.0);
            for (int d = 0; d < 3; d++)
                point[n][d] =
                    end[s][d] + radius * (carom_angle_cos(angle) * side[d] + way * carom_angle_sin(angle) * along[d]);
        }
        for (int ring = 0; ring < RINGS && dimension == 3; ring++)
            for (int k = 0; k < AROUND; k++, n++) {
                const double up = 0.5 * PI * ring / RINGS, angle = 2.0 * PI * k / AROUND;
                for (int d = 0; d < 3; d++)
                    point[n][d] = end[s][d] + radius * (way * carom_angle_sin(up) * along[d] +
                                                        carom_angle_cos(up) * (carom_angle_cos(angle) * side[d] +
                                                                               carom_angle_sin(angle) * other[d]));
            }
        for (int d = 0; d < 3 && dimension == 3; d++)
            point[n][d] = end[s][d] + way * radius * along[d];
        n += dimension == 3;
    }
    return carom_convex_create(dimension, (const double(*)[3])point, n, centre, frame, error);
}

enum carom_status carom_pieces_add_round(struct carom_pieces *p, size_t dimension, const double end[2][3],
                                         double radius, double mass, struct carom_error *error)
{
    double along[3], length, square[2], centre[3], frame[4];
    for (int d = 0; d < 3; d++)
        along[d] = end[1][d] - end[0][d];
    length = carom_vec_norm(along);
    for (int d = 0; d < 3; d++)
        along[d] = length > 0.0 ? along[d] / length : d == 0;
    struct carom_convex *shape = picture(dimension, end, radius, along, centre, frame, error);
    if (!shape)
        return error->status;
    carom_convex_place(shape, centre, frame);
    spread_of(dimension, length, radius, &square[0], &square[1]);
    struct carom_piece *piece = &p->piece[p->n];
    *piece = (struct carom_piece){.radius = radius};
    memcpy(piece->end, end, sizeof piece->end);
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    for (int k = 0; k < 6; k++)
        p->second[p->n][k] = (row[k] == column[k] && (dimension == 3 || k < 2) ? square[1] : 0.0) +
                             (square[0] - square[1]) * along[row[k]] * along[column[k]];
    for (int d = 0; d < 3; d++)
        p->centre[p->n][d] = 0.5 * (end[0][d] + end[1][d]);
    p->mass[p->n] = mass;
    p->around[p->n] = 0.5 * length + radius;
    p->shape[p->n++] = shape;
    return CAROM_OK;
}

/* --- convex pieces ------------------------------------------------------------------------------------------------ */

void carom_pieces_add_convex(struct carom_pieces *p, size_t dimension, struct carom_convex *convex, const double at[3],
                             const double frame[4], double mass)
{
    const double *i = convex->moments;
    const double own[3] = {0.5 * (i[1] + i[2] - i[0]), 0.5 * (i[2] + i[0] - i[1]), 0.5 * (i[0] + i[1] - i[2])};
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    double axis[3][3];
    for (int l = 0; l < 3; l++)
        carom_quat_turn(frame, (const double[3]){l == 0, l == 1, l == 2}, axis[l]);
    for (int k = 0; k < 6; k++) {
        p->second[p->n][k] = 0.0;
        for (int l = 0; l < 3 && dimension == 3; l++)
            p->second[p->n][k] += own[l] * axis[l][row[k]] * axis[l][column[k]];
        if (dimension == 2 && k < 2) /* only their sum counts in the plane */
            p->second[p->n][k] = 0.5 * i[2];
    }
    p->around[p->n] = convex->reach;
    carom_convex_place(convex, at, frame);
    memcpy(p->centre[p->n], at, sizeof *p->centre);
    p->mass[p->n] = mass;
    p->piece[p->n] = (struct carom_piece){.convex = convex};
    p->shape[p->n++] = convex;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* mass and centre, and the integral of r r about it */
static void sum_up(struct carom_pieces *p, double centre[3], double s[6])
{
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    double first[3] = {0.0};
    p->total = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        p->total += p->mass[i];
        for (int d = 0; d < 3; d++)
            first[d] += p->mass[i] * p->centre[i][d];
    }
    for (int d = 0; d < 3; d++)
        centre[d] = first[d] / p->total;
    for (int k = 0; k < 6; k++) {
        s[k] = 0.0;
        for (size_t i = 0; i < p->n; i++) {
            const double *c = p->centre[i];
            s[k] += p->mass[i] * (p->second[i][k] + (c[row[k]] - centre[row[k]]) * (c[column[k]] - centre[column[k]]));
        }
    }
}

/* a place in the axes of the whole */
static void move_in(const double centre[3], const double frame[4], double x[3])
{
    double from[3];
    for (int d = 0; d < 3; d++)
        from[d] = x[d] - centre[d];
    carom_quat_turn_back(frame, from, x);
}

enum carom_status carom_pieces_finish(struct carom_pieces *p, size_t dimension, double centre[3], double frame[4],
                                      struct carom_error *error)
{
    double s[6], axes[3][3];
    sum_up(p, centre, s);
    if (!(p->total > 0.0 && p->total < HUGE_VAL) || !carom_convex_space_principal(s, p->total, p->moments, axes, frame))
        return carom_convex_refuse(error, "its mass or its moments of inertia are not usable numbers");
    if (dimension == 2) {
        memcpy(frame, (const double[4]){1.0, 0.0, 0.0, 0.0}, 4 * sizeof *frame);
        p->moments[2] = (s[0] + s[1]) / p->total;
    }
    const double back[4] = {frame[0], -frame[1], -frame[2], -frame[3]};
    double shift[3], minus[3] = {-centre[0], -centre[1], -centre[2]};
    carom_quat_turn(back, minus, shift);
    p->thin = HUGE_VAL;
    for (size_t i = 0; i < p->n; i++) {
        struct carom_piece *piece = &p->piece[i];
        carom_convex_place(p->shape[i], shift, back);
        move_in(centre, frame, p->centre[i]);
        for (int e = 0; e < 2 && !piece->convex; e++) {
            move_in(centre, frame, piece->end[e]);
            p->reach = fmax(p->reach, carom_vec_norm(piece->end[e]) + piece->radius);
        }
        p->reach = fmax(p->reach, piece->convex ? piece->convex->reach : 0.0);
        p->thin = fmin(p->thin, piece->convex ? piece->convex->thin : piece->radius);
    }
    return CAROM_OK;
}
