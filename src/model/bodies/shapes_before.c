/* Which corners are before which sides, see shapes_before.h. */
#include "model/bodies/shapes_before.h"

#include "base/quat.h"

static const struct carom_convex *polygon(const struct carom_bodies *b, size_t i)
{
    const struct carom_body *body = &b->body[i];
    return body->inside || body->pieces || body->surface == CAROM_PLANE ? NULL : body->convex;
}

bool carom_shapes_before_has(const struct carom_bodies *b, const struct carom_contact_key *pair)
{
    return b->dimension == 2 && polygon(b, pair->a) && polygon(b, pair->b);
}

size_t carom_shapes_before_list(const struct carom_bodies *b, const struct carom_contact_key *pair,
                                uint32_t feature[CAROM_SHAPES_MOST])
{
    size_t n = 0;
    for (int second = 0; second < 2; second++) {
        const size_t corners = polygon(b, second ? pair->b : pair->a)->ncorners;
        const size_t sides = polygon(b, second ? pair->a : pair->b)->nfaces;
        for (uint32_t c = 0; c < corners; c++)
            for (uint32_t s = 0; s < sides; s++) {
                if (n == CAROM_SHAPES_MOST)
                    return SIZE_MAX;
                feature[n++] = carom_shapes_corner_name((struct carom_shapes_corner){second, c, s});
            }
    }
    return n;
}

void carom_shapes_before(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                         struct carom_shapes_before *out)
{
    const struct carom_shapes_corner place = carom_shapes_corner_of(key->feature);
    const size_t body[2] = {place.second ? key->a : key->b, place.second ? key->b : key->a}; /* the side's first */
    const struct carom_convex *side = polygon(b, body[0]), *corner = polygon(b, body[1]);
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
    out->end = last ? next : place.side;
    carom_meet_row(true, -1.0, turned, at, out->row[place.second ? 0 : 1]);
    carom_meet_row(true, 1.0, turned, arm, out->row[place.second ? 1 : 0]);
}
