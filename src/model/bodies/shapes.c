/* Places in which bodies may touch, see shapes.h: by pieces, and of polygons in the plane. Between two of them the side
 * along whose normal they are farthest apart is the reference (separating axes); the side of the other one that faces
 * it overlaps it from one end to another, and each end is a corner of the one before the side of the other. A plane, or
 * a wall of a container, meets every corner. */
#include "model/bodies/shapes.h"

#include "base/quat.h"
#include "model/bodies/shapes_round.h"
#include "model/bodies/shapes_space.h"

/* of a side: corners so near its end stand before it; sides so equal are the first's */
static const double slack = 1e-6;

/* Features: the number of the piece of a, then that of b, then what of them meets. Of two polygons SECOND where the
 * corner is b's, then 256 times the corner and the side; of a wall the corner or the end of a round piece, and 256
 * times the wall of a container. */
enum { PIECE_BITS = 5, PLACE_BITS = 22, SECOND = 1 << 20, STRIDE = 256 };

bool carom_shapes_both(const struct carom_bodies *b, size_t i, size_t j)
{
    const struct carom_body *one = &b->body[i], *other = &b->body[j];
    return (!carom_bodies_round(one) && !carom_bodies_round(other)) ||
           (carom_bodies_round(one) && other->surface == CAROM_COMPOUND) ||
           (carom_bodies_round(other) && one->surface == CAROM_COMPOUND);
}

/* --- pieces ------------------------------------------------------------------------------------------------------- */

/* has no pieces and ends nowhere */
static bool is_wall(const struct carom_body *body)
{
    return body->surface == CAROM_PLANE || body->inside;
}

static uint32_t pieces_of(const struct carom_body *body)
{
    return body->pieces ? (uint32_t)body->pieces->n : 1;
}

static struct carom_piece piece_of(const struct carom_body *body, uint32_t k)
{
    return body->pieces
               ? body->pieces->piece[k]
               : (struct carom_piece){.convex = body->convex, .radius = carom_bodies_round(body) ? body->radius : 0.0};
}

uint32_t carom_shapes_pieces(const struct carom_body *body)
{
    const bool piece = body->pieces || body->convex || carom_bodies_round(body);
    return is_wall(body) || !piece ? 0 : pieces_of(body);
}

uint32_t carom_shapes_place_name(uint32_t first, uint32_t second, uint32_t place)
{
    return (first << (PLACE_BITS + PIECE_BITS)) + (second << PLACE_BITS) + place;
}

uint32_t carom_shapes_place_at(const struct carom_contact_key *key, uint32_t number[2])
{
    number[0] = key->feature >> (PLACE_BITS + PIECE_BITS);
    number[1] = key->feature >> PLACE_BITS & ((1u << PIECE_BITS) - 1);
    return key->feature & ((1u << PLACE_BITS) - 1);
}

static uint32_t place_at(const struct carom_contact_key *key)
{
    uint32_t number[2];
    return carom_shapes_place_at(key, number);
}

void carom_shapes_pieces_at(const struct carom_bodies *b, const struct carom_contact_key *key,
                            struct carom_piece piece[2])
{
    uint32_t number[2];
    carom_shapes_place_at(key, number);
    for (int s = 0; s < 2; s++)
        piece[s] = piece_of(&b->body[s ? key->b : key->a], number[s]);
}

/* --- polygons ----------------------------------------------------------------------------------------------------- */

/* corners of a polygon from its centre, anticlockwise */
struct outline {
    uint32_t n;
    double corner[CAROM_CONVEX_SIDES][2];
};

static void outline_of(const struct carom_bodies *b, size_t i, const struct carom_convex *convex, const double *q,
                       struct outline *out)
{
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

uint32_t carom_shapes_corner_name(struct carom_shapes_corner c)
{
    return (c.second ? (uint32_t)SECOND : 0) + c.corner * STRIDE + c.side;
}

struct carom_shapes_corner carom_shapes_corner_of(uint32_t feature)
{
    return (struct carom_shapes_corner){(feature & SECOND) != 0, (feature & (SECOND - 1)) / STRIDE, feature % STRIDE};
}

static uint32_t name(bool second, uint32_t corner, uint32_t side)
{
    return carom_shapes_corner_name((struct carom_shapes_corner){second, corner, side});
}

/* Corners that pass each other: along side k the two stand beside each other, and whoever moves across it meets nobody.
 * */
static bool are_beside(const struct outline *of, const struct outline *other, const double d[2], uint32_t k,
                       const double along[2], double length)
{
    const double none[2] = {0.0, 0.0};
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int s = 0; s < 2; s++) {
        const struct outline *which = s ? other : of;
        for (uint32_t l = 0; l < which->n; l++) {
            const double at = before(along, of->corner[k], which->corner[l], s ? d : none);
            low[s] = fmin(low[s], at);
            high[s] = fmax(high[s], at);
        }
    }
    return fmin(high[0], high[1]) - fmax(low[0], low[1]) <= slack * length;
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
    if (to < -slack * length || from > (1.0 + slack) * length || are_beside(of, other, d, k, along, length))
        return 0;
    feature[0] = from >= -slack * length ? name(first, low, k) : name(!first, k, facing);
    feature[1] = to <= (1.0 + slack) * length ? name(first, facing, k) : name(!first, (k + 1) % of->n, facing);
    return 2;
}

static void meet_polygon(const struct carom_bodies *b, const struct carom_contact_key *key,
                         const struct carom_piece piece[2], uint32_t feature, const double *q, struct carom_meeting *m)
{
    const struct carom_shapes_corner place = carom_shapes_corner_of(feature);
    const bool second = place.second;
    const struct carom_convex *of = piece[second].convex, *at = piece[!second].convex;
    struct outline side = {.n = 2}; /* its two ends alone */
    double apart[3], du[3], along[2], normal[2], frame[2][4], point[3], end[3];
    carom_meet_frame(b, key->a, q, frame[0]);
    carom_meet_frame(b, key->b, q, frame[1]);
    carom_quat_turn(frame[second], of->corner[place.corner], point);
    for (uint32_t k = 0; k < 2; k++) {
        carom_quat_turn(frame[!second], at->corner[(place.side + k) % at->ncorners], end);
        side.corner[k][0] = end[0];
        side.corner[k][1] = end[1];
    }
    carom_meet_between(b, key->a, key->b, q, apart, du);
    const double d[2] = {apart[0] + du[0], apart[1] + du[1]}, back[2] = {-d[0], -d[1]};
    side_of(&side, 0, along, normal);
    m->gap = before(normal, side.corner[0], point, second ? d : back);
    for (int k = 0; k < 2; k++) {
        m->normal[k] = second ? normal[k] : -normal[k];
        m->arm[0][k] = second ? point[k] + d[k] : point[k];
        m->arm[1][k] = second ? point[k] : point[k] - d[k];
    }
    m->normal[2] = m->arm[0][2] = m->arm[1][2] = 0.0;
}

/* leaves out places deeper than `least` */
static size_t keep_facing(const struct carom_bodies *b, const struct carom_contact_key *pair,
                          const struct carom_piece piece[2], const double *q, double least, size_t n, uint32_t *feature)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        struct carom_meeting m;
        meet_polygon(b, pair, piece, feature[k], q, &m);
        if (m.gap >= least)
            feature[kept++] = feature[k];
    }
    return kept;
}

static size_t places_between(const struct carom_bodies *b, const struct carom_contact_key *pair,
                             const struct carom_piece piece[2], const double *q, uint32_t *feature)
{
    struct outline one, two;
    double apart[3], du[3];
    uint32_t side[2] = {0, 0}, corner[2] = {0, 0};
    outline_of(b, pair->a, piece[0].convex, q, &one);
    outline_of(b, pair->b, piece[1].convex, q, &two);
    carom_meet_between(b, pair->a, pair->b, q, apart, du);
    const double d[2] = {apart[0] + du[0], apart[1] + du[1]}, back[2] = {-d[0], -d[1]};
    const double of_a = farthest(&one, &two, d, &side[0], &corner[0]),
                 of_b = farthest(&two, &one, back, &side[1], &corner[1]);
    const double size = fmin(piece[0].convex->thin, piece[1].convex->thin);
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
    return keep_facing(b, pair, piece, q, fmax(of_a, of_b) - CAROM_SHAPES_DEEPER * size, n, feature);
}

/* --- walls ------------------------------------------------------------------------------------------------------- */

/* is the wall, a plane or container, a? */
static bool wall_first(const struct carom_bodies *b, const struct carom_contact_key *key)
{
    return is_wall(&b->body[key->a]);
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
        const uint32_t side = place_at(key) / STRIDE;
        for (uint32_t k = 0; k < 3; k++)
            inwards[k] = k != side / 2 ? 0.0 : side % 2 ? -1.0 : 1.0;
        room = w->size[side / 2];
    }
    carom_quat_turn(frame, inwards, normal);
    *gap = carom_vec_dot(normal, apart) + room + carom_vec_dot(normal, du);
    for (int k = 0; k < 3; k++)
        apart[k] += du[k];
}

/* a corner of a convex piece, or an end of a round one, before the wall; arms end in the corner, or on the wall */
static void meet_wall(const struct carom_bodies *b, const struct carom_contact_key *key,
                      const struct carom_piece pieces[2], const double *q, struct carom_meeting *m)
{
    const bool first = wall_first(b, key);
    const size_t body = first ? key->b : key->a;
    const struct carom_piece *piece = &pieces[first];
    const uint32_t corner = place_at(key) % STRIDE;
    double frame[4], point[3], normal[3], apart[3], gap;
    carom_meet_frame(b, body, q, frame);
    carom_quat_turn(frame, piece->convex ? piece->convex->corner[corner] : piece->end[corner], point);
    stand_before(b, key, q, normal, apart, &gap);
    m->gap = gap + carom_vec_dot(normal, point) - piece->radius;
    for (int k = 0; k < 3; k++) {
        point[k] -= piece->convex ? 0.0 : normal[k] * (piece->radius + m->gap);
        m->normal[k] = first ? normal[k] : -normal[k];
        m->arm[first ? 1 : 0][k] = point[k];
        m->arm[first ? 0 : 1][k] = point[k] + apart[k];
    }
}

/* how many corners or ends a piece has before a wall */
static uint32_t corners_of(const struct carom_piece *piece)
{
    return piece->convex ? (uint32_t)piece->convex->ncorners : carom_shapes_round_ends(piece);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static bool any_wall(const struct carom_bodies *b, const struct carom_contact_key *key)
{
    return is_wall(&b->body[key->a]) || is_wall(&b->body[key->b]);
}

void carom_shapes_meet(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                       struct carom_meeting *out)
{
    struct carom_piece piece[2];
    carom_shapes_pieces_at(b, key, piece);
    if (any_wall(b, key))
        meet_wall(b, key, piece, q, out);
    else if (!piece[0].convex || !piece[1].convex)
        carom_shapes_round_meet(b, key, piece, place_at(key), q, out);
    else if (b->dimension == 2)
        meet_polygon(b, key, piece, place_at(key), q, out);
    else
        carom_shapes_space_meet(b, key, piece, place_at(key), q, out);
}

static size_t places_at(const struct carom_bodies *b, const struct carom_contact_key *pair,
                        const struct carom_piece piece[2], const double *q, uint32_t *feature)
{
    if (any_wall(b, pair)) {
        const uint32_t corners = corners_of(&piece[wall_first(b, pair)]);
        for (uint32_t k = 0; k < corners; k++)
            feature[k] = place_at(pair) * STRIDE + k;
        return corners;
    }
    if (!piece[0].convex || !piece[1].convex)
        return carom_shapes_round_places(b, pair, piece, q, feature);
    return b->dimension == 2 ? places_between(b, pair, piece, q, feature)
                             : carom_shapes_space_places(b, pair, piece, q, feature);
}

/* Pieces farther from each other than the smaller of the two bodies reaches do not meet within a step. */
static bool are_near(const struct carom_bodies *b, const struct carom_contact_key *pair, uint32_t i, uint32_t j,
                     const double *q)
{
    const struct carom_body *const body[2] = {&b->body[pair->a], &b->body[pair->b]};
    const uint32_t number[2] = {i, j};
    double apart[3], du[3], reach = fmin(carom_bodies_reach(body[0]), carom_bodies_reach(body[1]));
    carom_meet_between(b, pair->a, pair->b, q, apart, du);
    for (int k = 0; k < 3; k++)
        apart[k] += du[k];
    for (int s = 0; s < 2; s++) {
        double frame[4], centre[3] = {0.0};
        carom_meet_frame(b, s ? pair->b : pair->a, q, frame);
        if (body[s]->pieces)
            carom_quat_turn(frame, body[s]->pieces->centre[number[s]], centre);
        for (int k = 0; k < 3; k++)
            apart[k] += s ? centre[k] : -centre[k];
        reach += body[s]->pieces ? body[s]->pieces->around[number[s]] : carom_bodies_reach(body[s]);
    }
    return carom_vec_dot(apart, apart) <= reach * reach;
}

size_t carom_shapes_places(const struct carom_bodies *b, const struct carom_contact_key *pair, const double *q,
                           uint32_t feature[CAROM_SHAPES_MOST])
{
    const uint32_t count[2] = {is_wall(&b->body[pair->a]) ? 1 : pieces_of(&b->body[pair->a]),
                               is_wall(&b->body[pair->b]) ? 1 : pieces_of(&b->body[pair->b])};
    const bool alone = count[0] * count[1] == 1, wall = any_wall(b, pair);
    size_t n = 0;
    for (uint32_t i = 0; i < count[0]; i++)
        for (uint32_t j = 0; j < count[1]; j++) {
            const struct carom_piece piece[2] = {piece_of(&b->body[pair->a], i), piece_of(&b->body[pair->b], j)};
            uint32_t found[CAROM_SHAPES_MOST];
            if (alone)
                return places_at(b, pair, piece, q, feature);
            if (!wall && !are_near(b, pair, i, j, q))
                continue;
            const size_t places = places_at(b, pair, piece, q, found);
            if (places == SIZE_MAX)
                return SIZE_MAX;
            for (size_t k = 0; k < places && n < CAROM_SHAPES_MOST; k++)
                feature[n++] = carom_shapes_place_name(i, j, found[k]);
        }
    return n;
}

bool carom_shapes_has(const struct carom_bodies *b, size_t i, size_t j, uint32_t feature)
{
    const struct carom_contact_key key = {0, (uint32_t)i, (uint32_t)j, feature};
    const struct carom_body *const body[2] = {&b->body[i], &b->body[j]};
    uint32_t number[2];
    const uint32_t place = carom_shapes_place_at(&key, number);
    struct carom_piece piece[2];
    if (is_wall(body[0]) && is_wall(body[1]))
        return false;
    for (int s = 0; s < 2; s++) {
        if (number[s] >= (is_wall(body[s]) ? 1 : pieces_of(body[s])))
            return false;
        piece[s] = piece_of(body[s], number[s]);
    }
    if (any_wall(b, &key)) {
        const struct carom_body *wall = body[!is_wall(body[0])];
        const uint32_t walls = wall->surface == CAROM_PLANE ? 1 : 2 * (uint32_t)b->dimension;
        return place % STRIDE < corners_of(&piece[wall_first(b, &key)]) && place / STRIDE < walls;
    }
    if (!piece[0].convex || !piece[1].convex)
        return carom_shapes_round_has(b->dimension, piece, place);
    if (b->dimension == 3)
        return carom_shapes_space_has(piece[0].convex, piece[1].convex, place);
    const struct carom_convex *of = piece[(place & SECOND) != 0].convex, *at = piece[(place & SECOND) == 0].convex;
    return (place & (SECOND - 1)) / STRIDE < of->ncorners && place % STRIDE < at->nfaces && place < 2 * SECOND;
}

double carom_shapes_apart(const struct carom_bodies *b, const struct carom_contact_key *pair, const double *q)
{
    double apart[3], du[3], normal[3], gap;
    const struct carom_body *one = &b->body[pair->a], *other = &b->body[pair->b];
    if (!any_wall(b, pair)) {
        carom_meet_between(b, pair->a, pair->b, q, apart, du);
        const double d[3] = {apart[0] + du[0], apart[1] + du[1], apart[2] + du[2]};
        return carom_vec_norm(d) - carom_bodies_reach(one) - carom_bodies_reach(other);
    }
    const struct carom_contact_key at_wall = {pair->pairing, pair->a, pair->b, pair->feature * STRIDE};
    stand_before(b, &at_wall, q, normal, apart, &gap);
    return gap - carom_bodies_reach(is_wall(one) ? other : one);
}

double carom_shapes_between(size_t dimension, const struct carom_piece piece[2])
{
    struct carom_body body[2] = {{.frame = {1.0}}, {.frame = {1.0}}};
    const struct carom_bodies both = {.n = 2, .dimension = dimension, .body = body};
    const struct carom_contact_key pair = {0, 0, 1, 0};
    const bool convex = piece[0].convex && piece[1].convex; /* of which places lie deeper than they are apart */
    uint32_t feature[CAROM_SHAPES_MOST];
    double q[20], apart = convex ? -HUGE_VAL : HUGE_VAL;
    carom_bodies_rest(&both, q);
    const size_t n = places_at(&both, &pair, piece, q, feature);
    for (size_t k = 0; k < n && n != SIZE_MAX; k++) {
        struct carom_meeting m;
        if (!convex)
            carom_shapes_round_meet(&both, &pair, piece, feature[k], q, &m);
        else if (dimension == 2)
            meet_polygon(&both, &pair, piece, feature[k], q, &m);
        else
            carom_shapes_space_meet(&both, &pair, piece, feature[k], q, &m);
        apart = convex ? fmax(apart, m.gap) : fmin(apart, m.gap);
    }
    return n == SIZE_MAX ? -HUGE_VAL : n == 0 ? HUGE_VAL : apart;
}

double carom_shapes_thickness(const struct carom_body *body)
{
    if (body->surface == CAROM_PLANE || body->inside)
        return HUGE_VAL;
    if (body->pieces)
        return body->pieces->thin;
    if (body->convex)
        return body->convex->thin;
    if (body->surface == CAROM_BALL)
        return body->radius;
    const double across = body->surface == CAROM_BOX ? fmin(body->size[0], body->size[1]) : body->size[0];
    return body->size[2] > 0.0 ? fmin(across, body->size[2]) : across; /* boxes of the plane have no third */
}
