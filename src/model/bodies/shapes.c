/* Polygons in the plane, see shapes.h. Between two of them the side along whose normal they are farthest apart is the
 * reference (separating axes); the side of the other one that faces it overlaps it from one end to another, and each
 * end is a corner of the one before the side of the other. A plane, or a wall of a container, meets every corner. */
#include "model/bodies/shapes.h"

#include "base/quat.h"
#include "model/bodies/shapes_space.h"

/* of a side: corners so near its end stand before it; sides so equal are the first's */
static const double slack = 1e-6;

/* Features: of two polygons SECOND where the corner is b's, then 256 times the corner and the side; of a wall the
 * corner, and 256 times the wall of a container. */
enum { SECOND = 1 << 30, STRIDE = 256 };

bool carom_shapes_both(const struct carom_bodies *b, size_t i, size_t j)
{
    const struct carom_body *one = &b->body[i], *other = &b->body[j];
    return (one->surface != CAROM_BALL || one->inside) && (other->surface != CAROM_BALL || other->inside);
}

/* corners of a polygon from its centre, anticlockwise */
struct outline {
    uint32_t n;
    double corner[CAROM_CONVEX_SIDES][2];
};

static void outline_of(const struct carom_bodies *b, size_t i, const double *q, struct outline *out)
{
    const struct carom_convex *convex = b->body[i].convex;
    double frame[4], turned[3];
    carom_meet_frame(b, i, q, frame);
    out->n = (uint32_t)convex->ncorners;
    for (uint32_t k = 0; k < out->n; k++) {
        carom_quat_turn(frame, convex->corner[k], turned);
        out->corner[k][0] = turned[0];
        out->corner[k][1] = turned[1];
    }
}

/* outward normal of side k */
static double side_of(const struct outline *of, uint32_t k, double along[2], double normal[2])
{
    const double *from = of->corner[k], *to = of->corner[(k + 1) % of->n];
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
static double farthest(const struct outline *of, const struct outline *other, const double d[2], uint32_t *side,
                       uint32_t *corner)
{
    double most = -HUGE_VAL;
    for (uint32_t k = 0; k < of->n; k++) {
        double along[2], normal[2], least = HUGE_VAL;
        uint32_t nearest = 0;
        side_of(of, k, along, normal);
        for (uint32_t l = 0; l < other->n; l++) {
            const double gap = before(normal, of->corner[k], other->corner[l], d);
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

static uint32_t name(bool second, uint32_t corner, uint32_t side)
{
    return (second ? (uint32_t)SECOND : 0) + corner * STRIDE + side;
}

/* both ends of where side k of the reference `of` and the side of `other` that faces it overlap; `first`: `of` is a */
static size_t ends(const struct outline *of, const struct outline *other, const double d[2], uint32_t k,
                   uint32_t corner, bool first, uint32_t feature[2])
{
    double along[2], normal[2], next[2], out[2][2];
    const double length = side_of(of, k, along, normal);
    for (uint32_t l = 0; l < 2; l++) /* the sides that begin and end at the nearest corner */
        side_of(other, (corner + other->n - l) % other->n, next, out[l]);
    const bool ahead = out[0][0] * normal[0] + out[0][1] * normal[1] < out[1][0] * normal[0] + out[1][1] * normal[1];
    const uint32_t facing = ahead ? corner : (corner + other->n - 1) % other->n;
    const uint32_t low = (facing + 1) % other->n; /* it runs the other way */
    const double from = before(along, of->corner[k], other->corner[low], d),
                 to = before(along, of->corner[k], other->corner[facing], d);
    if (to < -slack * length || from > (1.0 + slack) * length)
        return 0;
    feature[0] = from >= -slack * length ? name(first, low, k) : name(!first, k, facing);
    feature[1] = to <= (1.0 + slack) * length ? name(first, facing, k) : name(!first, (k + 1) % of->n, facing);
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
    struct outline one, two;
    double apart[3], du[3];
    uint32_t side[2] = {0, 0}, corner[2] = {0, 0};
    outline_of(b, pair->a, q, &one);
    outline_of(b, pair->b, q, &two);
    carom_meet_between(b, pair->a, pair->b, q, apart, du);
    const double d[2] = {apart[0] + du[0], apart[1] + du[1]}, back[2] = {-d[0], -d[1]};
    const double of_a = farthest(&one, &two, d, &side[0], &corner[0]),
                 of_b = farthest(&two, &one, back, &side[1], &corner[1]);
    const double size = fmin(b->body[pair->a].convex->thin, b->body[pair->b].convex->thin);
    if (fmax(of_a, of_b) < -0.5 * size)
        return SIZE_MAX;
    size_t n = of_b > of_a + slack * size ? ends(&two, &one, back, side[1], corner[1], false, feature)
                                          : ends(&one, &two, d, side[0], corner[0], true, feature);
    if (n == 2 && feature[0] > feature[1]) {
        const uint32_t hold = feature[0];
        feature[0] = feature[1];
        feature[1] = hold;
    }
    n = n == 2 && feature[0] == feature[1] ? 1 : n;
    return keep_facing(b, pair, q, fmax(of_a, of_b) - CAROM_SHAPES_DEEPER * size, n, feature);
}

/* --- walls ------------------------------------------------------------------------------------------------------- */

static bool is_convex(const struct carom_body *body)
{
    return body->convex != NULL;
}

/* is the wall, a plane or container, a? */
static bool wall_first(const struct carom_bodies *b, const struct carom_contact_key *key)
{
    return !is_convex(&b->body[key->a]);
}

/* the wall of `key`: its normal, where the body is from it, and how far its centre is from its surface */
static void stand_before(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                         double normal[3], double apart[3], double *gap)
{
    const size_t wall = wall_first(b, key) ? key->a : key->b, body = wall_first(b, key) ? key->b : key->a;
    const struct carom_body *w = &b->body[wall];
    double frame[4], du[3], inwards[3] = {w->normal[0], w->normal[1], w->normal[2]}, room = 0.0;
    carom_meet_between(b, wall, body, q, apart, du);
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
    const size_t body = first ? key->b : key->a;
    double frame[4], point[3], normal[3], apart[3], gap;
    carom_meet_frame(b, body, q, frame);
    carom_quat_turn(frame, b->body[body].convex->corner[key->feature % STRIDE], point);
    stand_before(b, key, q, normal, apart, &gap);
    m->gap = gap + carom_vec_dot(normal, point);
    for (int k = 0; k < 3; k++) {
        m->normal[k] = first ? normal[k] : -normal[k];
        m->arm[first ? 1 : 0][k] = point[k];
        m->arm[first ? 0 : 1][k] = point[k] + apart[k];
    }
}

/* --- one place --------------------------------------------------------------------------------------------------- */

static void meet_polygon(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                         struct carom_meeting *m)
{
    const bool second = (key->feature & SECOND) != 0;
    const uint32_t corner = (key->feature & (SECOND - 1)) / STRIDE, side = key->feature % STRIDE;
    struct outline one, two;
    double apart[3], du[3], along[2], normal[2];
    outline_of(b, key->a, q, &one);
    outline_of(b, key->b, q, &two);
    carom_meet_between(b, key->a, key->b, q, apart, du);
    const double d[2] = {apart[0] + du[0], apart[1] + du[1]}, back[2] = {-d[0], -d[1]};
    const double *point = second ? two.corner[corner] : one.corner[corner];
    side_of(second ? &one : &two, side, along, normal);
    m->gap = before(normal, (second ? &one : &two)->corner[side], point, second ? d : back);
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
    if (!is_convex(&b->body[key->a]) || !is_convex(&b->body[key->b]))
        meet_wall(b, key, q, out);
    else if (b->dimension == 2)
        meet_polygon(b, key, q, out);
    else
        carom_shapes_space_meet(b, key, q, out);
}

size_t carom_shapes_places(const struct carom_bodies *b, const struct carom_contact_key *pair, const double *q,
                           uint32_t feature[CAROM_SHAPES_MOST])
{
    if (!is_convex(&b->body[pair->a]) || !is_convex(&b->body[pair->b])) {
        const size_t corners = b->body[wall_first(b, pair) ? pair->b : pair->a].convex->ncorners;
        for (uint32_t k = 0; k < corners; k++)
            feature[k] = pair->feature * STRIDE + k;
        return corners;
    }
    return b->dimension == 2 ? places_between(b, pair, q, feature) : carom_shapes_space_places(b, pair, q, feature);
}

bool carom_shapes_has(const struct carom_bodies *b, size_t i, size_t j, uint32_t feature)
{
    const struct carom_body *one = &b->body[i], *other = &b->body[j];
    if (!is_convex(one) && !is_convex(other))
        return false;
    if (!is_convex(one) || !is_convex(other)) {
        const uint32_t corners = (uint32_t)(is_convex(one) ? one : other)->convex->ncorners;
        const uint32_t walls = (is_convex(one) ? other : one)->surface == CAROM_PLANE ? 1 : 2 * (uint32_t)b->dimension;
        return feature % STRIDE < corners && feature / STRIDE < walls;
    }
    if (b->dimension == 3)
        return carom_shapes_space_has(one->convex, other->convex, feature);
    const struct carom_convex *of = (feature & SECOND ? other : one)->convex,
                              *at = (feature & SECOND ? one : other)->convex;
    return (feature & (SECOND - 1)) / STRIDE < of->ncorners && feature % STRIDE < at->nfaces;
}

double carom_shapes_apart(const struct carom_bodies *b, const struct carom_contact_key *pair, const double *q)
{
    double apart[3], du[3], normal[3], gap;
    const struct carom_body *one = &b->body[pair->a], *other = &b->body[pair->b];
    if (is_convex(one) && is_convex(other)) {
        carom_meet_between(b, pair->a, pair->b, q, apart, du);
        const double d[3] = {apart[0] + du[0], apart[1] + du[1], apart[2] + du[2]};
        return carom_vec_norm(d) - carom_bodies_reach(one) - carom_bodies_reach(other);
    }
    const struct carom_contact_key at_wall = {pair->pairing, pair->a, pair->b, pair->feature * STRIDE};
    stand_before(b, &at_wall, q, normal, apart, &gap);
    return gap - carom_bodies_reach(is_convex(one) ? one : other);
}
