/* Boxes in the plane, see shapes.h. Between two of them the side along whose normal they are farthest apart is the
 * reference (separating axes); the side of the other one that faces it overlaps it from one end to another, and each
 * end is a corner of the one before the side of the other. A plane, or a wall of a container, meets every corner. */
#include "model/bodies/shapes.h"

#include "base/quat.h"
#include "model/bodies/shapes_space.h"

enum { CORNERS = 4 };
static const double slack =
    1e-6; /* of a side: corners so near its end stand before it; sides so equal are the first's */

/* Features: of two boxes SECOND where the corner is b's, then 256 times the corner and the side; of a wall the corner,
 * and 256 times the wall of a container. */
enum { SECOND = 1 << 30, STRIDE = 256 };

bool carom_shapes_both(const struct carom_bodies *b, size_t i, size_t j)
{
    const struct carom_body *one = &b->body[i], *other = &b->body[j];
    return (one->surface != CAROM_BALL || one->inside) && (other->surface != CAROM_BALL || other->inside);
}

/* corners of a box from its centre, anticlockwise */
static void outline(const struct carom_bodies *b, size_t i, const double *q, double corner[CORNERS][2])
{
    static const double sign[CORNERS][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    const struct carom_body *body = &b->body[i];
    double frame[4];
    carom_meet_frame(b, i, q, frame);
    for (int k = 0; k < CORNERS; k++) {
        const double own[3] = {sign[k][0] * body->size[0], sign[k][1] * body->size[1], 0.0};
        double turned[3];
        carom_quat_turn(frame, own, turned);
        corner[k][0] = turned[0];
        corner[k][1] = turned[1];
    }
}

/* outward normal of side k */
static double side_of(double corner[CORNERS][2], int k, double along[2], double normal[2])
{
    const double *from = corner[k], *to = corner[(k + 1) % CORNERS];
    const double x = to[0] - from[0], y = to[1] - from[1], length = sqrt(x * x + y * y);
    along[0] = x / length;
    along[1] = y / length;
    normal[0] = along[1];
    normal[1] = -along[0];
    return length;
}

static double before(const double normal[2], const double from[2], const double point[2], const double shift[2])
{
    return normal[0] * (point[0] + shift[0] - from[0]) + normal[1] * (point[1] + shift[1] - from[1]);
}

/* the side of `of` along whose normal `other`, at d from it, is farthest away; its nearest corner */
static double farthest(double of[CORNERS][2], double other[CORNERS][2], const double d[2], int *side, int *corner)
{
    double most = -HUGE_VAL;
    for (int k = 0; k < CORNERS; k++) {
        double along[2], normal[2], least = HUGE_VAL;
        int nearest = 0;
        side_of(of, k, along, normal);
        for (int l = 0; l < CORNERS; l++) {
            const double gap = before(normal, of[k], other[l], d);
            nearest = gap < least ? l : nearest;
            least = gap < least ? gap : least;
        }
        if (least > most) {
            most = least;
            *side = k;
            *corner = nearest;
        }
    }
    return most;
}

static uint32_t name(bool second, int corner, int side)
{
    return (second ? (uint32_t)SECOND : 0) + (uint32_t)corner * STRIDE + (uint32_t)side;
}

/* both ends of where side k of the reference `of` and the side of `other` that faces it overlap; `first`: `of` is a */
static size_t ends(double of[CORNERS][2], double other[CORNERS][2], const double d[2], int k, int corner, bool first,
                   uint32_t feature[2])
{
    double along[2], normal[2], next[2], out[2][2];
    const double length = side_of(of, k, along, normal);
    for (int l = 0; l < 2; l++) /* the sides that begin and end at the nearest corner */
        side_of(other, (corner + CORNERS - l) % CORNERS, next, out[l]);
    const int facing = out[0][0] * normal[0] + out[0][1] * normal[1] < out[1][0] * normal[0] + out[1][1] * normal[1]
                           ? corner
                           : (corner + CORNERS - 1) % CORNERS;
    const int low = (facing + 1) % CORNERS; /* it runs the other way */
    const double from = before(along, of[k], other[low], d), to = before(along, of[k], other[facing], d);
    if (to < -slack * length || from > (1.0 + slack) * length)
        return 0;
    feature[0] = from >= -slack * length ? name(first, low, k) : name(!first, k, facing);
    feature[1] = to <= (1.0 + slack) * length ? name(first, facing, k) : name(!first, (k + 1) % CORNERS, facing);
    return 2;
}

/* leaves out places deeper than `least` */
static size_t keep_facing(const struct carom_bodies *b, const struct carom_contact_key *pair, const double *q,
                          double least, size_t n, uint32_t *feature)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        const struct carom_contact_key key = {pair->pairing, pair->a, pair->b, feature[k]};
        struct carom_meeting m;
        carom_shapes_meet(b, &key, q, &m);
        if (m.gap >= least)
            feature[kept++] = feature[k];
    }
    return kept;
}

static size_t places_between(const struct carom_bodies *b, const struct carom_contact_key *pair, const double *q,
                             uint32_t *feature)
{
    double one[CORNERS][2], two[CORNERS][2], apart[3], du[3];
    int side[2] = {0, 0}, corner[2] = {0, 0};
    outline(b, pair->a, q, one);
    outline(b, pair->b, q, two);
    carom_meet_between(b, pair->a, pair->b, q, apart, du);
    const double d[2] = {apart[0] + du[0], apart[1] + du[1]}, back[2] = {-d[0], -d[1]};
    const double of_a = farthest(one, two, d, &side[0], &corner[0]),
                 of_b = farthest(two, one, back, &side[1], &corner[1]);
    const double size = fmin(fmin(b->body[pair->a].size[0], b->body[pair->a].size[1]),
                             fmin(b->body[pair->b].size[0], b->body[pair->b].size[1]));
    if (fmax(of_a, of_b) < -0.5 * size)
        return SIZE_MAX;
    size_t n = of_b > of_a + slack * size ? ends(two, one, back, side[1], corner[1], false, feature)
                                          : ends(one, two, d, side[0], corner[0], true, feature);
    if (n == 2 && feature[0] > feature[1]) {
        const uint32_t hold = feature[0];
        feature[0] = feature[1];
        feature[1] = hold;
    }
    n = n == 2 && feature[0] == feature[1] ? 1 : n;
    return keep_facing(b, pair, q, fmax(of_a, of_b) - CAROM_SHAPES_DEEPER * size, n, feature);
}

/* --- walls ------------------------------------------------------------------------------------------------------- */

static bool is_box(const struct carom_body *body)
{
    return body->surface == CAROM_BOX && !body->inside;
}

/* is the wall, a plane or container, a? */
static bool wall_first(const struct carom_bodies *b, const struct carom_contact_key *key)
{
    return !is_box(&b->body[key->a]);
}

/* the wall of `key`: its normal, where the box is from it, and how far the centre of the box is from its surface */
static void stand_before(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                         double normal[3], double apart[3], double *gap)
{
    const size_t wall = wall_first(b, key) ? key->a : key->b, box = wall_first(b, key) ? key->b : key->a;
    const struct carom_body *w = &b->body[wall];
    double frame[4], du[3], inwards[3] = {w->normal[0], w->normal[1], w->normal[2]}, room = 0.0;
    carom_meet_between(b, wall, box, q, apart, du);
    carom_meet_frame(b, wall, q, frame);
    if (w->surface == CAROM_BOX) {
        const uint32_t side = key->feature / STRIDE;
        for (uint32_t k = 0; k < 3; k++)
            inwards[k] = k != side / 2 ? 0.0 : side % 2 ? -1.0 : 1.0;
        room = w->size[side / 2];
    }
    carom_quat_turn(frame, inwards, normal);
    *gap = carom_vec_dot(normal, apart) + room + carom_vec_dot(normal, du);
    for (int k = 0; k < 3; k++)
        apart[k] += du[k];
}

static void meet_wall(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                      struct carom_meeting *m)
{
    const bool first = wall_first(b, key);
    double corner[CORNERS][2], point[3] = {0.0}, normal[3], apart[3], gap;
    if (b->dimension == 2) {
        outline(b, first ? key->b : key->a, q, corner);
        point[0] = corner[key->feature % STRIDE][0];
        point[1] = corner[key->feature % STRIDE][1];
    } else {
        carom_shapes_space_corner(b, first ? key->b : key->a, key->feature % STRIDE, q, point);
    }
    stand_before(b, key, q, normal, apart, &gap);
    m->gap = gap + carom_vec_dot(normal, point);
    for (int k = 0; k < 3; k++) {
        m->normal[k] = first ? normal[k] : -normal[k];
        m->arm[first ? 1 : 0][k] = point[k];
        m->arm[first ? 0 : 1][k] = point[k] + apart[k];
    }
}

/* --- one place --------------------------------------------------------------------------------------------------- */

static void meet_box(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                     struct carom_meeting *m)
{
    const bool second = (key->feature & SECOND) != 0;
    const uint32_t corner = (key->feature & (SECOND - 1)) / STRIDE, side = key->feature % STRIDE;
    double one[CORNERS][2], two[CORNERS][2], apart[3], du[3], along[2], normal[2];
    outline(b, key->a, q, one);
    outline(b, key->b, q, two);
    carom_meet_between(b, key->a, key->b, q, apart, du);
    const double d[2] = {apart[0] + du[0], apart[1] + du[1]}, back[2] = {-d[0], -d[1]};
    const double *point = second ? two[corner] : one[corner];
    side_of(second ? one : two, (int)side, along, normal);
    m->gap = before(normal, second ? one[side] : two[side], point, second ? d : back);
    for (int k = 0; k < 2; k++) {
        m->normal[k] = second ? normal[k] : -normal[k];
        m->arm[0][k] = second ? point[k] + d[k] : point[k];
        m->arm[1][k] = second ? point[k] : point[k] - d[k];
    }
    m->normal[2] = m->arm[0][2] = m->arm[1][2] = 0.0;
}

void carom_shapes_meet(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                       struct carom_meeting *out)
{
    if (!is_box(&b->body[key->a]) || !is_box(&b->body[key->b]))
        meet_wall(b, key, q, out);
    else if (b->dimension == 2)
        meet_box(b, key, q, out);
    else
        carom_shapes_space_meet(b, key, q, out);
}

size_t carom_shapes_places(const struct carom_bodies *b, const struct carom_contact_key *pair, const double *q,
                           uint32_t feature[CAROM_SHAPES_MOST])
{
    if (!is_box(&b->body[pair->a]) || !is_box(&b->body[pair->b])) {
        const size_t corners = b->dimension == 2 ? 4 : 8;
        for (uint32_t k = 0; k < corners; k++)
            feature[k] = pair->feature * STRIDE + k;
        return corners;
    }
    return b->dimension == 2 ? places_between(b, pair, q, feature) : carom_shapes_space_places(b, pair, q, feature);
}

bool carom_shapes_has(const struct carom_bodies *b, size_t i, size_t j, uint32_t feature)
{
    const struct carom_body *one = &b->body[i], *other = &b->body[j];
    const uint32_t corners = b->dimension == 2 ? 4 : 8;
    if (!is_box(one) && !is_box(other))
        return false;
    if (!is_box(one) || !is_box(other)) {
        const uint32_t walls = (is_box(one) ? other : one)->surface == CAROM_PLANE ? 1 : 2 * (uint32_t)b->dimension;
        return feature % STRIDE < corners && feature / STRIDE < walls;
    }
    if (b->dimension == 3)
        return carom_shapes_space_has(feature);
    return (feature & (SECOND - 1)) / STRIDE < corners && feature % STRIDE < corners;
}

double carom_shapes_apart(const struct carom_bodies *b, const struct carom_contact_key *pair, const double *q)
{
    double apart[3], du[3], normal[3], gap;
    const struct carom_body *one = &b->body[pair->a], *other = &b->body[pair->b];
    if (is_box(one) && is_box(other)) {
        carom_meet_between(b, pair->a, pair->b, q, apart, du);
        const double d[3] = {apart[0] + du[0], apart[1] + du[1], apart[2] + du[2]};
        return carom_vec_norm(d) - carom_bodies_reach(one) - carom_bodies_reach(other);
    }
    const struct carom_contact_key at_wall = {pair->pairing, pair->a, pair->b, pair->feature * STRIDE};
    stand_before(b, &at_wall, q, normal, apart, &gap);
    return gap - carom_bodies_reach(is_box(one) ? one : other);
}
