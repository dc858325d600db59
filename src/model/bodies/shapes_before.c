/* Which corners are before which sides, and what else is nearest to what, see shapes_before.h. */
#include "model/bodies/shapes_before.h"

#include "base/quat.h"
#include "model/bodies/facets.h"
#include "model/bodies/shapes_line.h"
#include "model/bodies/shapes_space.h"

bool carom_shapes_before_has(const struct carom_bodies *b, const struct carom_contact_key *pair)
{
    return carom_shapes_pieces(&b->body[pair->a]) > 0 && carom_shapes_pieces(&b->body[pair->b]) > 0;
}

static bool both_convex(const struct carom_piece piece[2])
{
    return piece[0].convex && piece[1].convex;
}

bool carom_shapes_before_flat(const struct carom_bodies *b, const struct carom_contact_key *key)
{
    struct carom_piece piece[2];
    carom_shapes_pieces_at(b, key, piece);
    return b->dimension == 2 && both_convex(piece);
}

static uint32_t place_at(const struct carom_contact_key *key)
{
    uint32_t number[2];
    return carom_shapes_place_at(key, number);
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

static uint32_t corner_name(bool plane, bool second, uint32_t corner, uint32_t side)
{
    const enum carom_shapes_kind kind = second ? CAROM_SHAPES_SECOND_CORNER : CAROM_SHAPES_FIRST_CORNER;
    return plane ? carom_shapes_corner_name((struct carom_shapes_corner){second, corner, side})
                 : carom_shapes_space_name((struct carom_shapes_two){kind, corner, side});
}

static size_t list_convex(size_t dimension, const struct carom_piece piece[2], size_t room, uint32_t *feature)
{
    const struct carom_convex *one = piece[0].convex, *two = piece[1].convex;
    size_t n = 0;
    if (one->ncorners * two->nfaces + two->ncorners * one->nfaces + one->nedges * two->nedges > room)
        return SIZE_MAX;
    for (int second = 0; second < 2; second++)
        for (uint32_t c = 0; c < (second ? two : one)->ncorners; c++)
            for (uint32_t s = 0; s < (second ? one : two)->nfaces; s++)
                feature[n++] = corner_name(dimension == 2, second, c, s);
    for (uint32_t i = 0; i < one->nedges; i++)
        for (uint32_t j = 0; j < two->nedges; j++)
            feature[n++] = carom_shapes_space_name((struct carom_shapes_two){CAROM_SHAPES_EDGES, i, j});
    return n;
}

size_t carom_shapes_before_list(const struct carom_bodies *b, const struct carom_contact_key *pair,
                                uint32_t feature[CAROM_SHAPES_MOST])
{
    const uint32_t count[2] = {carom_shapes_pieces(&b->body[pair->a]), carom_shapes_pieces(&b->body[pair->b])};
    size_t n = 0;
    for (uint32_t i = 0; i < count[0]; i++)
        for (uint32_t j = 0; j < count[1]; j++) {
            const size_t room = CAROM_SHAPES_MOST - n;
            struct carom_contact_key key = {pair->pairing, pair->a, pair->b, carom_shapes_place_name(i, j, 0)};
            struct carom_piece piece[2];
            carom_shapes_pieces_at(b, &key, piece);
            const size_t places = both_convex(piece) ? list_convex(b->dimension, piece, room, feature + n)
                                                     : carom_shapes_line_list(b->dimension, piece, room, feature + n);
            if (places == SIZE_MAX)
                return SIZE_MAX;
            for (size_t k = n; k < n + places; k++)
                feature[k] = carom_shapes_place_name(i, j, feature[k]);
            n += places;
        }
    return n;
}

/* --- how they stand ----------------------------------------------------------------------------------------------- */

static void before_side(const struct carom_bodies *b, const struct carom_contact_key *key,
                        const struct carom_piece piece[2], const double *q, struct carom_shapes_before *out)
{
    const struct carom_shapes_corner place = carom_shapes_corner_of(place_at(key));
    const size_t body[2] = {place.second ? key->a : key->b, place.second ? key->b : key->a}; /* the side's first */
    const struct carom_convex *side = piece[!place.second].convex, *corner = piece[place.second].convex;
    const struct carom_convex_face *face = &side->face[place.side];
    const uint32_t next = (place.side + 1) % (uint32_t)side->ncorners;
    double apart[3], du[3], frame[4], other[4], normal[3], arm[3] = {0.0}, at[3], own[3], least = HUGE_VAL;
    carom_meet_frame(b, body[0], q, frame);
    carom_meet_frame(b, body[1], q, other);
    carom_meet_between(b, body[0], body[1], q, apart, du);
    carom_quat_turn(frame, face->normal, normal);
    for (size_t k = 0; k < corner->ncorners; k++) {
        double turned[3], height = -face->room;
        carom_quat_turn(other, corner->corner[k], turned);
        for (int d = 0; d < 2; d++)
            height += normal[d] * (turned[d] + (apart[d] + du[d]));
        least = fmin(least, height);
        if (k == place.corner)
            for (int d = 0; d < 3; d++)
                arm[d] = turned[d];
    }
    out->through = -least;
    out->pace = 1.0;
    for (int d = 0; d < 3; d++)
        at[d] = arm[d] + (apart[d] + du[d]);
    carom_quat_turn_back(frame, at, own); /* along the side, which runs with its body on the left */
    const double along[2] = {-face->normal[1], face->normal[0]};
    double past[2] = {0.0, 0.0};
    for (int d = 0; d < 2; d++) {
        past[0] -= along[d] * (own[d] - side->corner[place.side][d]);
        past[1] += along[d] * (own[d] - side->corner[next][d]);
    }
    const bool last = past[1] > past[0];
    const double turned[3] = {last ? -normal[1] : normal[1], last ? normal[0] : -normal[0], 0.0};
    out->beyond = past[last];
    carom_meet_row(true, -1.0, turned, at, out->row[place.second ? 0 : 1]);
    carom_meet_row(true, 1.0, turned, arm, out->row[place.second ? 1 : 0]);
}

/* one of the two as it stands, seen from the centre of a */
struct stand {
    double frame[4], at[3];
};

static void place_of(const struct stand *x, const double own[3], double out[3])
{
    carom_quat_turn(x->frame, own, out);
    for (int k = 0; k < 3; k++)
        out[k] += x->at[k];
}

/* how far a piece reaches along n, or against it (way -1) */
static double reach_of(const struct carom_piece *piece, const struct stand *x, const double n[3], double way)
{
    double own[3], most = -HUGE_VAL;
    carom_quat_turn_back(x->frame, n, own);
    for (size_t k = 0; k < (piece->convex ? piece->convex->ncorners : 2); k++)
        most = fmax(most, way * carom_vec_dot(own, piece->convex ? piece->convex->corner[k] : piece->end[k]));
    return most + way * carom_vec_dot(n, x->at) + piece->radius;
}

/* two edges, seen along n, which turns the faster the less they cross */
static double across(const struct carom_piece piece[2], const struct stand of[2], struct carom_shapes_two place,
                     const double n[3], double *pace)
{
    double end[2][2][3];
    for (int s = 0; s < 2; s++) {
        const struct carom_convex *c = piece[s].convex;
        for (int e = 0; e < 2; e++)
            place_of(&of[s], c->corner[c->edge[s ? place.two : place.one].corner[e]], end[s][e]);
    }
    *pace = 1.0 /
            fmax(carom_shapes_line_sine((const double(*)[3])end[0], (const double(*)[3])end[1]), CAROM_SHAPES_PARALLEL);
    return carom_shapes_line_across(n, (const double(*)[3])end[0], (const double(*)[3])end[1]);
}

/* a corner at `arm` from the centre of the body that has the face; how high it stands before it does not count */
static double past_face(const struct carom_convex *c, uint32_t face, const struct stand *x, const double arm[3])
{
    const struct carom_convex_face *f = &c->face[face];
    double own[3], normal[3];
    carom_quat_turn_back(x->frame, arm, own);
    const double height = carom_facets_apart(c, face + 1, own, normal);
    for (int k = 0; k < 3; k++)
        own[k] += (c->reach - height) * f->normal[k];
    return -carom_facets_before(c, face + 1, own);
}

void carom_shapes_before(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                         struct carom_shapes_before *out)
{
    struct carom_piece piece[2];
    struct stand of[2] = {{.at = {0.0}}};
    struct carom_meeting m;
    double du[3];
    carom_shapes_pieces_at(b, key, piece);
    if (b->dimension == 2 && both_convex(piece)) {
        before_side(b, key, piece, q, out);
        return;
    }
    *out = (struct carom_shapes_before){.pace = 1.0};
    carom_meet_frame(b, key->a, q, of[0].frame);
    carom_meet_frame(b, key->b, q, of[1].frame);
    carom_meet_between(b, key->a, key->b, q, of[1].at, du);
    for (int k = 0; k < 3; k++)
        of[1].at[k] += du[k];
    carom_shapes_meet(b, key, q, &m);
    out->through = reach_of(&piece[0], &of[0], m.normal, 1.0) + reach_of(&piece[1], &of[1], m.normal, -1.0);
    if (!both_convex(piece)) {
        out->beyond = carom_shapes_line_beyond(b, key, piece, place_at(key), q, &out->pace);
        return;
    }
    const struct carom_shapes_two place = carom_shapes_space_of(place_at(key));
    const int side = place.kind == CAROM_SHAPES_FIRST_CORNER; /* whose face it is */
    out->beyond = place.kind == CAROM_SHAPES_EDGES ? across(piece, of, place, m.normal, &out->pace)
                                                   : past_face(piece[side].convex, place.two, &of[side], m.arm[side]);
}
