/* The point of a solid's surface that is nearest to a place, and on which side of the surface that place is. */
#include <string.h>

#include "model/solid/solid.h"
#include "model/solid/solid_skin.h"

static double clamp(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* shares of a and b in the point of the line between them that is nearest to p */
static void on_line(const double a[3], const double b[3], const double p[3], double share[2])
{
    double way = 0.0, along = 0.0;
    for (int k = 0; k < 3; k++) {
        way += (b[k] - a[k]) * (b[k] - a[k]);
        along += (b[k] - a[k]) * (p[k] - a[k]);
    }
    share[1] = way > 0.0 ? clamp(along / way) : 0.0;
    share[0] = 1.0 - share[1];
}

static double square_to(const double (*corner)[3], const double share[3], const double p[3], double away[3])
{
    for (int k = 0; k < 3; k++)
        away[k] = p[k] - (share[0] * corner[0][k] + share[1] * corner[1][k] + share[2] * corner[2][k]);
    return carom_vec_dot(away, away);
}

/* shares of the corners of a triangle in its point nearest to p */
static void on_triangle(const double (*c)[3], const double p[3], double share[3])
{
    double ab[3], ac[3], ap[3], away[3], least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        ab[k] = c[1][k] - c[0][k];
        ac[k] = c[2][k] - c[0][k];
        ap[k] = p[k] - c[0][k];
    }
    const double bb = carom_vec_dot(ab, ab), bc = carom_vec_dot(ab, ac), cc = carom_vec_dot(ac, ac),
                 pb = carom_vec_dot(ap, ab), pc = carom_vec_dot(ap, ac), area = bb * cc - bc * bc;
    const double v = (cc * pb - bc * pc) / area, w = (bb * pc - bc * pb) / area;
    if (v >= 0.0 && w >= 0.0 && v + w <= 1.0) {
        share[0] = 1.0 - v - w;
        share[1] = v;
        share[2] = w;
        return;
    }
    for (int edge = 0; edge < 3; edge++) { /* outside: on one of the edges */
        const int a = edge, b = (edge + 1) % 3;
        double two[2], three[3] = {0.0, 0.0, 0.0};
        on_line(c[a], c[b], p, two);
        three[a] = two[0];
        three[b] = two[1];
        const double square = square_to(c, three, p, away);
        if (square < least) {
            least = square;
            memcpy(share, three, sizeof three);
        }
    }
}

void carom_solid_skin_near_outwards(const struct carom_solid *s, const struct carom_skin_piece *piece,
                                    const double (*corner)[3], double normal[3])
{
    double ab[3], ac[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = corner[1][k] - corner[0][k];
        ac[k] = corner[2][k] - corner[0][k];
    }
    carom_vec_cross(ab, ac, normal);
    if (s->dimension == 2) { /* across the line */
        normal[0] = piece->left ? -ab[1] : ab[1];
        normal[1] = piece->left ? ab[0] : -ab[0];
    }
}

void carom_solid_skin_near_normal(const struct carom_solid *s, const struct carom_solid_skin *skin, size_t piece,
                                  const double *q, double normal[3])
{
    double corner[3][3];
    for (int k = 0; k < 3; k++)
        carom_solid_skin_corner(s, skin, skin->piece[piece].corner[k], q, corner[k]);
    carom_solid_skin_near_outwards(s, &skin->piece[piece], (const double(*)[3])corner, normal);
    const double size = carom_vec_norm(normal);
    for (int k = 0; k < 3; k++)
        normal[k] = size > 0.0 ? normal[k] / size : 0.0;
}

/* How far a place is in front of the piece over how far it is from it: the cosine with the outer normal. */
static double in_front(const struct carom_solid *s, const struct carom_skin_piece *piece, const double (*corner)[3],
                       const double away[3])
{
    double normal[3];
    carom_solid_skin_near_outwards(s, piece, corner, normal);
    const double size = carom_vec_norm(normal) * carom_vec_norm(away);
    return size > 0.0 ? carom_vec_dot(normal, away) / size : 0.0;
}

/* Where pieces meet in the nearest point, the one that the place is farthest in front of or behind, by angle, says on
 * which side it is: beyond an edge a place may lie in the plane of one of them. */
#define TIE 1e-9

/* Inside there is always a piece that the place is well behind. Where all it knows of is one whose plane it lies in, to
 * the rounding of places far from the origin (1e6 cells and more, where ties are missed), it is beyond an edge. */
#define FLAT 1e-6

/* how far the place is from the nearest point of a piece, and where that is */
static double distance_to(const struct carom_solid *s, const double (*corner)[3], const double place[3],
                          double share[3], double away[3])
{
    share[0] = share[1] = share[2] = 0.0;
    if (s->dimension == 3)
        on_triangle(corner, place, share);
    else
        on_line(corner[0], corner[1], place, share);
    return sqrt(square_to(corner, share, place, away));
}

double carom_solid_skin_near_distance(const struct carom_solid *s, const double (*corner)[3], const double place[3])
{
    double share[3], away[3];
    return distance_to(s, corner, place, share, away);
}

void carom_solid_skin_near_piece(const struct carom_solid *s, const struct carom_solid_skin *skin, size_t piece,
                                 const double (*corner)[3], const double place[3], struct carom_skin_spot *spot)
{
    double share[3], away[3];
    const double distance = distance_to(s, corner, place, share, away), best = fabs(spot->distance);
    const bool known = spot->piece != SIZE_MAX, tie = known && distance > best * (1.0 - TIE);
    if (!(distance < (known ? best * (1.0 + TIE) : best)))
        return;
    const double front = in_front(s, &skin->piece[piece], corner, away);
    bool behind = front < 0.0;
    if (tie && fabs(front) <= spot->clear)
        behind = spot->distance < 0.0;
    else
        spot->clear = fabs(front);
    if (distance < best) {
        spot->piece = piece;
        memcpy(spot->share, share, sizeof share);
        memcpy(spot->away, away, sizeof away);
    }
    spot->distance = distance < best ? distance : best;
    spot->distance = behind ? -spot->distance : spot->distance;
}

/* the middle of a piece, and how far its corners are from there */
static double surround(const double (*corner)[3], double out[3])
{
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        out[k] = (corner[0][k] + corner[1][k] + corner[2][k]) / 3.0;
    for (int c = 0; c < 3; c++) {
        double away[3];
        for (int k = 0; k < 3; k++)
            away[k] = corner[c][k] - out[k];
        square = fmax(square, carom_vec_dot(away, away));
    }
    return sqrt(square);
}

/* could a piece within `wide` of the middle be nearer than what is known? */
static bool may_be_nearer(const double middle[3], double wide, const double place[3],
                          const struct carom_skin_spot *spot)
{
    const double far = fabs(spot->distance) * (1.0 + TIE) + wide;
    double away[3];
    for (int k = 0; k < 3; k++)
        away[k] = place[k] - middle[k];
    return carom_vec_dot(away, away) <= far * far;
}

/* a part of the places, those that a rim may be nearest to */
static void near_some(const struct carom_solid *s, const struct carom_solid_skin *skin,
                      const struct carom_skin_rim *rim, const double *q, size_t n, const uint32_t *which,
                      const double (*place)[3], struct carom_skin_spot *spot)
{
    for (size_t p = rim->first; n > 0 && p < (size_t)rim->first + rim->count; p++) {
        double corner[3][3], middle[3];
        if (!carom_solid_skin_bare(s, skin, p, q))
            continue;
        for (int k = 0; k < 3; k++)
            carom_solid_skin_corner(s, skin, skin->piece[p].corner[k], q, corner[k]);
        const double wide = surround((const double(*)[3])corner, middle) * (1.0 + TIE);
        for (size_t j = 0; j < n; j++)
            if (may_be_nearer(middle, wide, place[which[j]], &spot[which[j]]))
                carom_solid_skin_near_piece(s, skin, p, (const double(*)[3])corner, place[which[j]], &spot[which[j]]);
    }
}

void carom_solid_skin_near(const struct carom_solid *s, const struct carom_solid_skin *skin, size_t r, const double *q,
                           size_t n, const double (*place)[3], struct carom_skin_spot *spot)
{
    enum { PORTION = 128 };
    const struct carom_skin_rim *rim = &skin->rim[r];
    const double none[3] = {0.0, 0.0, 0.0};
    double centre[3];
    uint32_t which[PORTION];
    carom_solid_moved(s, q, rim->cell, none, centre);
    for (size_t first = 0; first < n; first += PORTION) {
        size_t count = 0;
        for (size_t i = first; i < n && i < first + PORTION; i++)
            /* corners may stand off their cell where it is strained: half as far again */
            if (may_be_nearer(centre, CAROM_SKIN_SLACK * rim->reach, place[i], &spot[i]))
                which[count++] = (uint32_t)i;
        near_some(s, skin, rim, q, count, which, place, spot);
    }
}

/* A little beyond: of pieces that meet in the nearest point none may fall out by rounding, and leave the side to one
 * that the place lies in the plane of. */
void carom_solid_skin_near_begin(double within, struct carom_skin_spot *spot)
{
    *spot = (struct carom_skin_spot){.piece = SIZE_MAX, .distance = within * (1.0 + 4.0 * TIE)};
}

void carom_solid_skin_near_end(double within, struct carom_skin_spot *spot)
{
    if (spot->piece == SIZE_MAX || !(fabs(spot->distance) < within))
        *spot = (struct carom_skin_spot){.piece = SIZE_MAX, .distance = within};
    else if (spot->clear < FLAT)
        spot->distance = fabs(spot->distance);
}
