/* Capsules before what they meet, see shapes_line.h. Everything is worked out in the axes of the one with facets. */
#include "model/bodies/shapes_line.h"

#include <string.h>

#include "base/quat.h"
#include "model/bodies/facets.h"
#include "model/bodies/shapes_round.h"
#include "model/bodies/shapes_space.h"

enum { KIND = 1 << 16 };

static uint32_t feature_of(struct carom_shapes_line of)
{
    return CAROM_SHAPES_LINE + (uint32_t)of.kind * KIND + 2 * of.number + of.end;
}

struct carom_shapes_line carom_shapes_line_of(uint32_t feature)
{
    const uint32_t place = feature % KIND;
    return (struct carom_shapes_line){(enum carom_shapes_line_kind)((feature - CAROM_SHAPES_LINE) / KIND), place / 2,
                                      place % 2};
}

/* --- round pieces as bodies without faces ------------------------------------------------------------------------ */

struct line {
    struct carom_convex convex;
    struct carom_convex_edge edge;
    double corner[2][3];
};

/* which of the two is the line, 0 or 1; what the other one is, which `own` has room for */
static int line_of(const struct carom_piece piece[2], struct line *own, const struct carom_convex **convex)
{
    const int round = piece[0].convex != NULL;
    const struct carom_piece *other = &piece[!round];
    if (other->convex) {
        *convex = other->convex;
        return round;
    }
    const uint32_t ends = carom_shapes_round_ends(other);
    memcpy(own->corner, other->end, sizeof own->corner);
    own->edge = (struct carom_convex_edge){.corner = {0, 1}};
    own->convex = (struct carom_convex){
        .ncorners = ends, .nedges = ends - 1, .corner = own->corner, .edge = &own->edge, .reach = 0.0};
    for (int e = 0; e < 2; e++)
        own->convex.reach = fmax(own->convex.reach, carom_vec_norm(own->corner[e]));
    *convex = &own->convex;
    return round;
}

size_t carom_shapes_line_list(size_t dimension, const struct carom_piece piece[2], size_t room, uint32_t *feature)
{
    struct line own;
    const struct carom_convex *c;
    const int round = line_of(piece, &own, &c);
    const uint32_t ends = carom_shapes_round_ends(&piece[round]), facets = carom_facets_count(c);
    const size_t corners = ends > 1 ? c->ncorners : 0, edges = ends > 1 && dimension == 3 ? c->nedges : 0;
    size_t n = 0;
    if (ends * facets + corners + edges > room)
        return SIZE_MAX;
    for (uint32_t k = 0; k < ends * facets; k++)
        feature[n++] = feature_of((struct carom_shapes_line){CAROM_LINE_END, k % facets + 1, k / facets});
    for (uint32_t k = 0; k < corners; k++)
        feature[n++] = feature_of((struct carom_shapes_line){CAROM_LINE_CORNER, k, 0});
    for (uint32_t k = 0; k < edges; k++)
        feature[n++] = feature_of((struct carom_shapes_line){CAROM_LINE_EDGE, k, 0});
    return n;
}

/* --- how the two stand -------------------------------------------------------------------------------------------- */

struct stand {
    struct line own;
    const struct carom_convex *convex;
    int round;                         /* which of the two is the line: 0 or 1 */
    double frame[4], at[3], end[2][3]; /* the axes of the other one; the centre of the line's body from its own, in
                                            space; the ends of the line, in its axes */
    double along[3], length;           /* from end 0 to end 1; 0: it has but one */
};

static void stand_of(const struct carom_bodies *b, const struct carom_contact_key *key,
                     const struct carom_piece piece[2], const double *q, struct stand *out)
{
    const size_t body[2] = {key->a, key->b};
    double apart[3], du[3], frame[4];
    const int round = out->round = line_of(piece, &out->own, &out->convex);
    carom_meet_frame(b, body[!round], q, out->frame);
    carom_meet_frame(b, body[round], q, frame);
    carom_meet_between(b, body[!round], body[round], q, apart, du);
    for (int k = 0; k < 3; k++)
        out->at[k] = apart[k] + du[k];
    for (int e = 0; e < 2; e++) {
        double place[3];
        carom_quat_turn(frame, piece[round].end[e], place);
        for (int k = 0; k < 3; k++)
            place[k] += out->at[k];
        carom_quat_turn_back(out->frame, place, out->end[e]);
    }
    for (int k = 0; k < 3; k++)
        out->along[k] = out->end[1][k] - out->end[0][k];
    out->length = carom_vec_norm(out->along);
    for (int k = 0; k < 3; k++)
        out->along[k] /= out->length > 0.0 ? out->length : 1.0;
}

static void minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

/* the place of the convex one that is nearest to the line, how far from it the line is, and which way */
struct nearest {
    double there[3], normal[3], apart;
    double beyond, sine; /* of an edge the angle between the two */
};

static void set_apart(const double here[3], const double there[3], struct nearest *out)
{
    double way[3];
    minus(here, there, way);
    out->apart = carom_vec_norm(way);
    for (int k = 0; k < 3; k++) {
        out->there[k] = there[k];
        out->normal[k] = out->apart > 0.0 ? way[k] / out->apart : k == 0;
    }
}

/* unit vector along an edge */
static void edge_along(const struct carom_convex *c, size_t edge, double along[3])
{
    minus(c->corner[c->edge[edge].corner[1]], c->corner[c->edge[edge].corner[0]], along);
    const double length = carom_vec_norm(along);
    for (int k = 0; k < 3; k++)
        along[k] /= length;
}

static bool is_parallel(const double one[3], const double other[3])
{
    double across[3];
    carom_vec_cross(one, other, across);
    return carom_vec_norm(across) < CAROM_SHAPES_PARALLEL;
}

/* An end: where it is nearest, the rest of the line does not lead towards the edge or the corner. A line along an edge
 * has no place of its own there, and its ends stand before it whichever way they lean. */
static void end_before(const struct stand *s, uint32_t facet, uint32_t end, struct nearest *out)
{
    const struct carom_convex *c = s->convex;
    double edge[3];
    out->apart = carom_facets_apart(c, facet, s->end[end], out->normal);
    for (int k = 0; k < 3; k++)
        out->there[k] = s->end[end][k] - out->apart * out->normal[k];
    out->beyond = -carom_facets_before(c, facet, s->end[end]);
    const double towards = (end ? 1.0 : -1.0) * out->apart * carom_vec_dot(s->along, out->normal);
    const size_t number = facet - 1;
    if (number < c->nfaces || !(s->length > 0.0))
        return;
    if (number < c->nfaces + c->nedges) {
        edge_along(c, number - c->nfaces, edge);
        if (is_parallel(edge, s->along))
            return;
    }
    out->beyond = fmax(out->beyond, towards);
}

/* How far what is nearest to the line is from being corner `corner`, seen from the edges there: along those that the
 * line follows it says nothing but how it leans over a face on which it may lie. */
static double past_corner(const struct stand *s, uint32_t corner, const double foot[3])
{
    const struct carom_convex *c = s->convex;
    double off[3], edge[3], beyond = -HUGE_VAL;
    minus(foot, c->corner[corner], off);
    for (size_t e = 0; e < c->nedges; e++)
        for (int k = 0; k < 2; k++) {
            if (c->edge[e].corner[k] != corner)
                continue;
            edge_along(c, e, edge);
            if (!is_parallel(edge, s->along))
                beyond = fmax(beyond, (k ? -1.0 : 1.0) * carom_vec_dot(edge, off));
        }
    return beyond;
}

static void corner_before(const struct stand *s, uint32_t corner, struct nearest *out)
{
    double off[3], foot[3];
    minus(s->convex->corner[corner], s->end[0], off);
    const double part = carom_vec_dot(off, s->along);
    for (int k = 0; k < 3; k++)
        foot[k] = s->end[0][k] + part * s->along[k];
    set_apart(foot, s->convex->corner[corner], out);
    out->beyond = fmax(fmax(-part, part - s->length), past_corner(s, corner, foot));
}

/* how far a line, seen along n, is from where it crosses another one, through `on` along `along` */
static double short_of(const double n[3], const double (*end)[3], const double on[3], const double along[3])
{
    double aside[3], off[3], at[2];
    carom_vec_cross(n, along, aside);
    for (int e = 0; e < 2; e++) {
        minus(end[e], on, off);
        at[e] = carom_vec_dot(aside, off);
    }
    return fmax(fmin(at[0], at[1]), -fmax(at[0], at[1]));
}

double carom_shapes_line_sine(const double (*one)[3], const double (*two)[3])
{
    double a[3], b[3], across[3];
    minus(one[1], one[0], a);
    minus(two[1], two[0], b);
    carom_vec_cross(a, b, across);
    return carom_vec_norm(across) / (carom_vec_norm(a) * carom_vec_norm(b));
}

double carom_shapes_line_across(const double n[3], const double (*one)[3], const double (*two)[3])
{
    double a[3], b[3];
    minus(one[1], one[0], a);
    minus(two[1], two[0], b);
    const double length[2] = {carom_vec_norm(a), carom_vec_norm(b)};
    for (int k = 0; k < 3; k++) {
        a[k] /= length[0];
        b[k] /= length[1];
    }
    return is_parallel(a, b) ? HUGE_VAL : fmax(short_of(n, one, two[0], b), short_of(n, two, one[0], a));
}

static void edge_before(const struct stand *s, uint32_t edge, struct nearest *out)
{
    const struct carom_convex *c = s->convex;
    double ends[2][3], along[3], across[3], off[3], beside[3], here[3], there[3];
    edge_along(c, edge, along);
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < 3; k++)
            ends[e][k] = c->corner[c->edge[edge].corner[e]][k];
    carom_vec_cross(s->along, along, across);
    minus(ends[0], s->end[0], off);
    const double square = carom_vec_dot(across, across);
    out->sine = fmax(sqrt(square), CAROM_SHAPES_PARALLEL);
    if (!(square > CAROM_SHAPES_PARALLEL * CAROM_SHAPES_PARALLEL)) { /* as far as one of its ends */
        const double part = carom_vec_dot(off, s->along);
        for (int k = 0; k < 3; k++)
            here[k] = s->end[0][k] + part * s->along[k];
        set_apart(here, ends[0], out);
        out->beyond = HUGE_VAL;
        return;
    }
    carom_vec_cross(off, along, beside);
    const double mine = carom_vec_dot(beside, across) / square;
    carom_vec_cross(off, s->along, beside);
    const double other = carom_vec_dot(beside, across) / square;
    for (int k = 0; k < 3; k++) {
        here[k] = s->end[0][k] + mine * s->along[k];
        there[k] = ends[0][k] + other * along[k];
    }
    set_apart(here, there, out);
    const double way = carom_vec_dot(out->normal, across) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) /* also of lines in one plane, which are apart by nothing */
        out->normal[k] = way / out->sine * across[k];
    out->beyond = carom_shapes_line_across(out->normal, s->end, (const double(*)[3])ends);
}

static void look(const struct stand *s, uint32_t feature, struct nearest *out)
{
    const struct carom_shapes_line of = carom_shapes_line_of(feature);
    out->sine = 1.0;
    if (of.kind == CAROM_LINE_END)
        end_before(s, of.number, of.end, out);
    else if (of.kind == CAROM_LINE_CORNER)
        corner_before(s, of.number, out);
    else
        edge_before(s, of.number, out);
}

/* --- one place ---------------------------------------------------------------------------------------------------- */

void carom_shapes_line_meet(const struct carom_bodies *b, const struct carom_contact_key *key,
                            const struct carom_piece piece[2], uint32_t feature, const double *q,
                            struct carom_meeting *m)
{
    struct stand s;
    struct nearest near;
    double there[3], towards[3];
    stand_of(b, key, piece, q, &s);
    look(&s, feature, &near);
    carom_quat_turn(s.frame, near.there, there);
    carom_quat_turn(s.frame, near.normal, towards);
    const double other = piece[!s.round].radius;
    m->gap = near.apart - piece[s.round].radius - other;
    const double ahead = piece[!s.round].convex ? 0.0 : other + 0.5 * m->gap; /* two round ones touch halfway */
    for (int k = 0; k < 3; k++) {
        m->normal[k] = s.round ? towards[k] : -towards[k];
        m->arm[!s.round][k] = there[k] + ahead * towards[k];
        m->arm[s.round][k] = m->arm[!s.round][k] - s.at[k];
    }
}

double carom_shapes_line_beyond(const struct carom_bodies *b, const struct carom_contact_key *key,
                                const struct carom_piece piece[2], uint32_t feature, const double *q, double *pace)
{
    struct stand s;
    struct nearest near;
    stand_of(b, key, piece, q, &s);
    look(&s, feature, &near);
    const double apart = piece[0].radius + piece[1].radius;                 /* which of a convex one is 0 */
    *pace = fmax(1.0, fmax(s.convex->reach, s.length) / apart) / near.sine; /* normals turn */
    return near.beyond;
}
