/* Which corners stand before which sides, see shapes_aside.h. All reasons why one does not are lengths along a
 * direction that is fixed in the body with the side, between corners of the other body and places of the first. */
#include "model/bodies/shapes_aside.h"

#include "base/quat.h"

/* of the smaller body: corners so near the end of a side stand before it, sides so near parallel are */
static const double slack = 1e-9;

/* The two polygons from the centre of the one with the side, in the axes of space. */
struct stand {
    const struct carom_convex *side, *corner;
    double frame[4];                     /* of the one with the side */
    double point[CAROM_CONVEX_SIDES][3]; /* corners of the other, from the centre of the first */
    double arm[CAROM_CONVEX_SIDES][3];   /* and from their own */
    double slack;
};

/* A reason: the direction, and the corner along it, less that of `less`; SIZE_MAX: less nothing. */
struct reason {
    double value, direction[3];
    size_t corner, less;
};

static void stand_at(const struct carom_bodies *b, const size_t body[2], const double *q, struct stand *s)
{
    double apart[3], du[3], frame[4];
    s->side = b->body[body[0]].convex;
    s->corner = b->body[body[1]].convex;
    s->slack = slack * fmin(s->side->reach, s->corner->reach);
    carom_meet_frame(b, body[0], q, s->frame);
    carom_meet_frame(b, body[1], q, frame);
    carom_meet_between(b, body[0], body[1], q, apart, du);
    for (size_t k = 0; k < s->corner->ncorners; k++) {
        carom_quat_turn(frame, s->corner->corner[k], s->arm[k]);
        for (int d = 0; d < 3; d++)
            s->point[k][d] = s->arm[k][d] + (apart[d] + du[d]);
    }
}

static void take(struct reason *most, const struct reason *other)
{
    *most = other->value > most->value ? *other : *most;
}

/* how far the body reaches through the line with that normal through its corner, by the corners beside it */
static struct reason through(const struct stand *s, size_t corner, const double normal[3])
{
    const size_t n = s->corner->ncorners, next[2] = {(corner + 1) % n, (corner + n - 1) % n};
    const double at = carom_vec_dot(normal, s->point[corner]), one = at - carom_vec_dot(normal, s->point[next[0]]),
                 other = at - carom_vec_dot(normal, s->point[next[1]]);
    return (struct reason){fmax(one, other) - s->slack, {normal[0], normal[1], 0.0}, corner, next[one > other ? 0 : 1]};
}

/* Beyond an end of the side, or before another one. A corner behind the side's line may have come in before another
 * side: then that one counts, and slack must not let this one be the first. Where sides lie flat on each other and end
 * in one place, the corner of the first body counts alone: twice the same contact would have no one answer. */
static void look_beyond(const struct stand *s, size_t corner, size_t side, const double normal[3], bool second,
                        struct reason *most)
{
    const double over = second && most->value > -3.0 * s->slack ? -0.5 * s->slack : s->slack;
    const double height = carom_vec_dot(normal, s->point[corner]) - s->side->face[side].room;
    const double fading = fmin(fmax(s->slack + 0.5 * height, -s->slack), over);
    for (size_t m = 0; m < s->side->nfaces; m++) {
        struct reason r = {.corner = corner, .less = SIZE_MAX};
        carom_quat_turn(s->frame, s->side->face[m].normal, r.direction);
        const double near = through(s, corner, r.direction).value < 0.0 ? fading : over;
        r.value = carom_vec_dot(r.direction, s->point[corner]) - s->side->face[m].room - near;
        if (m != side)
            take(most, &r);
    }
}

/* one ends along the side where the other begins */
static void look_beside(const struct stand *s, const double normal[3], struct reason *most)
{
    double own[3];
    for (int sign = -1; sign <= 1; sign += 2) {
        const double along[3] = {-sign * normal[1], sign * normal[0], 0.0};
        struct reason r = {.value = HUGE_VAL, .direction = {along[0], along[1], 0.0}, .less = SIZE_MAX};
        double end = -HUGE_VAL;
        carom_quat_turn_back(s->frame, along, own);
        for (size_t k = 0; k < s->side->ncorners; k++)
            end = fmax(end, carom_vec_dot(own, s->side->corner[k]));
        for (size_t k = 0; k < s->corner->ncorners; k++) {
            const double at = carom_vec_dot(along, s->point[k]) - end + s->slack;
            r.corner = at < r.value ? k : r.corner;
            r.value = fmin(r.value, at);
        }
        take(most, &r);
    }
}

double carom_shapes_aside(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                          double row[2][6])
{
    const struct carom_shapes_corner place = carom_shapes_corner_of(key->feature);
    const size_t body[2] = {place.second ? key->a : key->b, place.second ? key->b : key->a};
    struct stand s;
    double normal[3], less[6];
    stand_at(b, body, q, &s);
    carom_quat_turn(s.frame, s.side->face[place.side].normal, normal);
    struct reason most = through(&s, place.corner, normal); /* then others of its corners or sides touch */
    look_beyond(&s, place.corner, place.side, normal, place.second, &most);
    look_beside(&s, normal, &most);
    for (int of = 0; of < 2; of++) {
        double *out = row[place.second ? of : 1 - of];
        carom_meet_row(true, of ? 1.0 : -1.0, most.direction, (of ? s.arm : s.point)[most.corner], out);
        if (most.less == SIZE_MAX)
            continue;
        carom_meet_row(true, of ? 1.0 : -1.0, most.direction, (of ? s.arm : s.point)[most.less], less);
        for (int k = 0; k < 3; k++)
            out[k] -= less[k];
    }
    return most.value;
}

static const struct carom_convex *polygon(const struct carom_bodies *b, size_t i)
{
    const struct carom_body *body = &b->body[i];
    return body->inside || body->pieces || body->surface == CAROM_PLANE ? NULL : body->convex;
}

bool carom_shapes_aside_has(const struct carom_bodies *b, const struct carom_contact_key *pair)
{
    return b->dimension == 2 && polygon(b, pair->a) && polygon(b, pair->b);
}

size_t carom_shapes_aside_list(const struct carom_bodies *b, const struct carom_contact_key *pair,
                               uint32_t feature[CAROM_SHAPES_MOST])
{
    size_t n = 0;
    for (int second = 0; second < 2; second++) {
        const struct carom_convex *corners = polygon(b, second ? pair->b : pair->a);
        const struct carom_convex *sides = polygon(b, second ? pair->a : pair->b);
        for (uint32_t c = 0; c < corners->ncorners; c++)
            for (uint32_t s = 0; s < sides->nfaces; s++) {
                if (n == CAROM_SHAPES_MOST)
                    return SIZE_MAX;
                feature[n++] = carom_shapes_corner_name((struct carom_shapes_corner){second, c, s});
            }
    }
    return n;
}
