/* Polyhedra in space. The direction along which two of them are farthest apart is a normal of one, or across an edge
 * of each (separating axes; of edges only those whose normals cross on the sphere can be nearest, Gottschalk, Lin and
 * Manocha 1996 and Gregorius 2013). Across edges they touch in one place. Otherwise the face along whose normal it is
 * and the face of the other that looks at it overlap in a polygon, whose corners are corners of the one before the
 * face of the other, or edges that cross. All are told apart as seen along the normal of the one face, and where edges
 * coincide, to rounding, one corner of the polygon may pass for several of these: the first of them counts. */
#include "model/bodies/shapes_space.h"

#include <stdint.h>
#include <string.h>

#include "base/quat.h"

/* as in shapes.c */
static const double slack = 1e-6;
static const double parallel = CAROM_SHAPES_PARALLEL;

/* Edges of two faces that overlap cross with a direction across them that is nearly the normal of the reference where
 * the faces are nearly parallel. Of tilted ones, at a corner above all, it may lie anywhere, against the normal too,
 * and bodies would be wedged between contacts of one place: beyond 60 degrees a crossing is none. */
static const double aligned = 0.5;

/* Of a body's reach: places so near each other are one corner of where faces overlap. It is more than what two corners,
 * each beside the face of the other by the slack, can be apart. */
static const double one_place = 3e-6;

/* a body as it stands */
struct stand {
    const struct carom_convex *convex;
    double axis[3][3]; /* own axes in space */
    double at[3];      /* its centre, from that of body a */
};

static void stands_of(const struct carom_bodies *b, const struct carom_contact_key *key,
                      const struct carom_piece piece[2], const double *q, struct stand of[2])
{
    double apart[3], du[3], frame[4];
    carom_meet_between(b, key->a, key->b, q, apart, du);
    for (int s = 0; s < 2; s++) {
        const size_t i = s ? key->b : key->a;
        of[s].convex = piece[s].convex;
        carom_meet_frame(b, i, q, frame);
        for (int k = 0; k < 3; k++) {
            const double own[3] = {k == 0, k == 1, k == 2};
            carom_quat_turn(frame, own, of[s].axis[k]);
            of[s].at[k] = s ? apart[k] + du[k] : 0.0;
        }
    }
}

/* a vector of a body's own axes in space */
static void turned(const struct stand *x, const double own[3], double out[3])
{
    for (int l = 0; l < 3; l++)
        out[l] = own[0] * x->axis[0][l] + own[1] * x->axis[1][l] + own[2] * x->axis[2][l];
}

static void own_axes(const struct stand *x, const double along[3], double own[3])
{
    for (int k = 0; k < 3; k++)
        own[k] = carom_vec_dot(along, x->axis[k]);
}

/* an edge: its middle from the body's centre, half of its way from end to end */
static void edge_of(const struct stand *x, uint32_t edge, double middle[3], double half[3])
{
    const uint32_t *end = x->convex->edge[edge].corner;
    const double *from = x->convex->corner[end[0]], *to = x->convex->corner[end[1]];
    double own[2][3];
    for (int k = 0; k < 3; k++) {
        own[0][k] = 0.5 * (from[k] + to[k]);
        own[1][k] = 0.5 * (to[k] - from[k]);
    }
    turned(x, own[0], middle);
    turned(x, own[1], half);
}

/* --- one place --------------------------------------------------------------------------------------------------- */

/* a corner of one before a face of the other; second: the corner is b's */
static void meet_corner(const struct stand of[2], bool second, uint32_t corner, uint32_t face, struct carom_meeting *m)
{
    const struct stand *mine = &of[second], *other = &of[!second];
    double point[3], from[3], normal[3];
    turned(mine, mine->convex->corner[corner], point);
    turned(other, other->convex->face[face].normal, normal);
    for (int k = 0; k < 3; k++)
        from[k] = point[k] + mine->at[k] - other->at[k];
    m->gap = carom_vec_dot(normal, from) - other->convex->face[face].room;
    for (int k = 0; k < 3; k++) {
        m->normal[k] = second ? normal[k] : -normal[k];
        m->arm[second][k] = point[k];
        m->arm[!second][k] = from[k];
    }
}

/* where two lines p + s a and p + apart + t b are nearest to each other; across: a x b, or any direction to look along
 * */
static void nearest_along(const double a[3], const double b[3], const double apart[3], const double across[3],
                          double length, double *s, double *t)
{
    double beside[3];
    carom_vec_cross(apart, b, beside);
    *s = length > 0.0 ? carom_vec_dot(beside, across) / length : 0.0;
    carom_vec_cross(apart, a, beside);
    *t = length > 0.0 ? carom_vec_dot(beside, across) / length : 0.0;
}

/* does a direction across an edge lead out of its body? */
static bool looks_out(const struct stand *x, uint32_t edge, const double across[3])
{
    double own[3], out = 0.0;
    own_axes(x, across, own);
    for (int k = 0; k < 2; k++)
        out += carom_vec_dot(own, x->convex->face[x->convex->edge[edge].face[k]].normal);
    return out >= 0.0;
}

/* across both edges, out of a; the point of contact is halfway between them */
static void meet_edges(const struct stand of[2], uint32_t one, uint32_t two, struct carom_meeting *m)
{
    double p[3], r[3], a[3], b[3], across[3], apart[3], s, t;
    edge_of(&of[0], one, p, a);
    edge_of(&of[1], two, r, b);
    carom_vec_cross(a, b, across);
    const double length = carom_vec_norm(across), way = looks_out(&of[0], one, across) ? 1.0 : -1.0;
    for (int k = 0; k < 3; k++) {
        m->normal[k] = length > 0.0 ? way * across[k] / length : 0.0;
        apart[k] = r[k] + of[1].at[k] - p[k];
    }
    m->gap = carom_vec_dot(m->normal, apart);
    nearest_along(a, b, apart, across, length * length, &s, &t);
    for (int k = 0; k < 3; k++) {
        const double here = p[k] + s * a[k], there = p[k] + apart[k] + t * b[k];
        m->arm[0][k] = 0.5 * (here + there);
        m->arm[1][k] = m->arm[0][k] - of[1].at[k];
    }
}

static void meet_place(const struct stand of[2], uint32_t feature, struct carom_meeting *m)
{
    const struct carom_shapes_two at = carom_shapes_space_of(feature);
    if (at.kind == CAROM_SHAPES_EDGES)
        meet_edges(of, at.one, at.two, m);
    else
        meet_corner(of, at.kind == CAROM_SHAPES_SECOND_CORNER, at.one, at.two, m);
}

void carom_shapes_space_meet(const struct carom_bodies *b, const struct carom_contact_key *key,
                             const struct carom_piece piece[2], uint32_t feature, const double *q,
                             struct carom_meeting *out)
{
    struct stand of[2];
    stands_of(b, key, piece, q, of);
    meet_place(of, feature, out);
}

bool carom_shapes_space_has(const struct carom_convex *a, const struct carom_convex *b, uint32_t feature)
{
    const struct carom_shapes_two at = carom_shapes_space_of(feature);
    const bool first = at.kind == CAROM_SHAPES_FIRST_CORNER;
    if (at.kind == CAROM_SHAPES_EDGES)
        return at.one < a->nedges && at.two < b->nedges;
    return at.kind < CAROM_SHAPES_EDGES && at.one < (first ? a : b)->ncorners && at.two < (first ? b : a)->nfaces;
}

/* --- where they are nearest -------------------------------------------------------------------------------------- */

/* how far y is from x along the normal of its face f */
static double along_face(const struct stand *x, const struct stand *y, uint32_t f)
{
    const double apart[3] = {y->at[0] - x->at[0], y->at[1] - x->at[1], y->at[2] - x->at[2]};
    double normal[3], own[3], least = HUGE_VAL;
    turned(x, x->convex->face[f].normal, normal);
    own_axes(y, normal, own);
    for (size_t k = 0; k < y->convex->ncorners; k++)
        least = fmin(least, carom_vec_dot(own, y->convex->corner[k]));
    return carom_vec_dot(normal, apart) + least - x->convex->face[f].room;
}

/* the face of x along whose normal y is farthest away */
static double farthest(const struct stand *x, const struct stand *y, uint32_t *face)
{
    double most = -HUGE_VAL;
    for (uint32_t f = 0; f < x->convex->nfaces; f++) {
        const double gap = along_face(x, y, f);
        if (gap > most) {
            most = gap;
            *face = f;
        }
    }
    return most;
}

/* do the arcs from a to b and from c to d cross on the sphere? `along`: a x b, `beside`: c x d, up to their lengths */
static bool arcs_cross(const double a[3], const double b[3], const double c[3], const double d[3],
                       const double along[3], const double beside[3])
{
    const double of_c = carom_vec_dot(c, along), of_d = carom_vec_dot(d, along);
    const double of_a = carom_vec_dot(a, beside), of_b = carom_vec_dot(b, beside);
    return of_c * of_d < 0.0 && of_a * of_b < 0.0 && of_c * of_b > 0.0;
}

/* the two edges across which they are farthest apart, as seen from b's axes */
static double across_edges(const struct stand of[2], uint32_t *one, uint32_t *two)
{
    const struct carom_convex *a = of[0].convex, *b = of[1].convex;
    double most = -HUGE_VAL;
    for (uint32_t i = 0; i < a->nedges; i++) {
        double middle[3], half[3], normal[2][3], p[3], e[3], n[2][3], from[3];
        edge_of(&of[0], i, middle, half);
        for (int k = 0; k < 2; k++) {
            turned(&of[0], a->face[a->edge[i].face[k]].normal, normal[k]);
            own_axes(&of[1], normal[k], n[k]);
        }
        for (int k = 0; k < 3; k++)
            from[k] = middle[k] - of[1].at[k];
        own_axes(&of[1], from, p);
        own_axes(&of[1], half, e);
        for (uint32_t j = 0; j < b->nedges; j++) {
            const double *start = b->corner[b->edge[j].corner[0]], *end = b->corner[b->edge[j].corner[1]];
            const double *c = b->face[b->edge[j].face[0]].normal, *d = b->face[b->edge[j].face[1]].normal;
            const double side[3] = {end[0] - start[0], end[1] - start[1], end[2] - start[2]};
            const double minus_c[3] = {-c[0], -c[1], -c[2]}, minus_d[3] = {-d[0], -d[1], -d[2]};
            double way[3];
            if (!arcs_cross(n[0], n[1], minus_c, minus_d, e, side))
                continue;
            carom_vec_cross(e, side, way);
            const double square = carom_vec_dot(way, way);
            if (square < parallel * parallel * carom_vec_dot(e, e) * carom_vec_dot(side, side))
                continue;
            const double out = carom_vec_dot(way, n[0]) + carom_vec_dot(way, n[1]) < 0.0 ? -1.0 : 1.0;
            double gap = 0.0;
            for (int k = 0; k < 3; k++)
                gap += out * way[k] * (start[k] - p[k]);
            gap /= sqrt(square);
            if (gap <= most)
                continue;
            most = gap;
            *one = i;
            *two = j;
        }
    }
    return most;
}

/* Edges that pass each other: beside the direction n they stand apart along a normal of x across it too, and whoever
 * moves along n meets nobody. */
static bool are_beside(const struct stand *x, const struct stand *y, const double n[3])
{
    const double size = fmin(x->convex->thin, y->convex->thin);
    for (uint32_t f = 0; f < x->convex->nfaces; f++) {
        double normal[3];
        turned(x, x->convex->face[f].normal, normal);
        if (fabs(carom_vec_dot(normal, n)) < slack && along_face(x, y, f) >= -slack * size)
            return true;
    }
    return false;
}

/* --- faces that overlap ------------------------------------------------------------------------------------------ */

struct found {
    uint32_t *feature;
    size_t n;
    const struct stand *of;
    double least;                       /* places deeper than this do not face each other */
    double along[3], near;              /* the normal of the reference; places nearer to each other across it are one */
    double point[CAROM_SHAPES_MOST][3]; /* the places, from a, in the order in which they were found */
};

/* seen along the normal, is there a place at that point already? */
static bool is_taken(const struct found *f, const double point[3])
{
    for (size_t i = 0; i < f->n; i++) {
        const double *at = f->point[i];
        const double off[3] = {point[0] - at[0], point[1] - at[1], point[2] - at[2]};
        const double height = carom_vec_dot(off, f->along);
        if (carom_vec_dot(off, off) - height * height < f->near * f->near)
            return true;
    }
    return false;
}

static void add(struct found *f, enum carom_shapes_kind kind, uint32_t one, uint32_t two)
{
    const uint32_t feature = carom_shapes_space_name((struct carom_shapes_two){kind, one, two});
    struct carom_meeting m;
    size_t at = f->n;
    meet_place(f->of, feature, &m);
    if (f->n == CAROM_SHAPES_MOST || m.gap < f->least || is_taken(f, m.arm[0]))
        return;
    memcpy(f->point[f->n], m.arm[0], sizeof *f->point);
    for (; at > 0 && f->feature[at - 1] > feature; at--)
        f->feature[at] = f->feature[at - 1];
    f->feature[at] = feature;
    f->n++;
}

/* corners of a face of x that, seen along n, stand before face `other` of y, or beside it by no more than the slack */
static void corners_before(const struct stand *x, const struct stand *y, uint32_t face, uint32_t other,
                           const double n[3], enum carom_shapes_kind kind, struct found *f)
{
    const struct carom_convex_face *mine = &x->convex->face[face], *at = &y->convex->face[other];
    double along[3];
    own_axes(y, n, along);
    const double way = carom_vec_dot(along, at->normal) < 0.0 ? -1.0 : 1.0; /* seen from behind rings are clockwise */
    for (uint32_t k = 0; k < mine->count; k++) {
        const uint32_t corner = x->convex->ring[mine->first + k];
        double point[3], own[3];
        bool inside = true;
        turned(x, x->convex->corner[corner], point);
        for (int l = 0; l < 3; l++)
            point[l] += x->at[l] - y->at[l];
        own_axes(y, point, own);
        for (uint32_t l = 0; l < at->count && inside; l++) {
            const double *from = y->convex->corner[y->convex->ring[at->first + l]];
            const double *to = y->convex->corner[y->convex->ring[at->first + (l + 1) % at->count]];
            const double side[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
            const double off[3] = {own[0] - from[0], own[1] - from[1], own[2] - from[2]};
            double out[3];
            carom_vec_cross(side, along, out);
            inside = way * carom_vec_dot(out, off) <= slack * y->convex->reach * carom_vec_norm(out);
        }
        if (inside)
            add(f, kind, corner, other);
    }
}

static bool on_face(const struct carom_convex *c, uint32_t edge, uint32_t face)
{
    return c->edge[edge].face[0] == face || c->edge[edge].face[1] == face;
}

/* edges of the two faces that cross, seen along n, the reference's normal, which points out of a; at the end of an edge
 * a corner stands before the other face already */
static void crossings(const struct stand of[2], const uint32_t face[2], const double n[3], struct found *f)
{
    for (uint32_t i = 0; i < of[0].convex->nedges; i++) {
        double p[3], a[3], r[3], b[3];
        if (!on_face(of[0].convex, i, face[0]))
            continue;
        edge_of(&of[0], i, p, a);
        for (uint32_t j = 0; j < of[1].convex->nedges; j++) {
            double apart[3], turn[3], s, t;
            if (!on_face(of[1].convex, j, face[1]))
                continue;
            edge_of(&of[1], j, r, b);
            carom_vec_cross(a, b, turn);
            const double across = carom_vec_dot(turn, n);
            if (fabs(across) < parallel * carom_vec_norm(a) * carom_vec_norm(b))
                continue;
            for (int k = 0; k < 3; k++)
                apart[k] = r[k] + of[1].at[k] - p[k];
            nearest_along(a, b, apart, n, fabs(across), &s, &t);
            if (fabs(s) <= 1.0 && fabs(t) <= 1.0 &&
                (looks_out(&of[0], i, turn) ? across : -across) >= aligned * carom_vec_norm(turn))
                add(f, CAROM_SHAPES_EDGES, i, j);
        }
    }
}

/* the face of x that looks most against n */
static uint32_t facing(const struct stand *x, const double n[3])
{
    double own[3], least = HUGE_VAL;
    uint32_t face = 0;
    own_axes(x, n, own);
    for (uint32_t f = 0; f < x->convex->nfaces; f++) {
        const double along = carom_vec_dot(own, x->convex->face[f].normal);
        face = along < least ? f : face;
        least = fmin(along, least);
    }
    return face;
}

size_t carom_shapes_space_places(const struct carom_bodies *b, const struct carom_contact_key *pair,
                                 const struct carom_piece piece[2], const double *q,
                                 uint32_t feature[CAROM_SHAPES_MOST])
{
    struct stand of[2];
    struct found f;
    uint32_t face[2] = {0, 0}, edge[2] = {0, 0};
    double *const normal = f.along;
    stands_of(b, pair, piece, q, of);
    const double size = fmin(of[0].convex->thin, of[1].convex->thin);
    const double of_a = farthest(&of[0], &of[1], &face[0]), of_b = farthest(&of[1], &of[0], &face[1]);
    const double faces = fmax(of_a, of_b), edges = across_edges(of, &edge[0], &edge[1]);
    if (fmax(faces, edges) < -0.5 * size)
        return SIZE_MAX;
    f.feature = feature;
    f.of = of;
    f.n = 0;
    f.near = one_place * fmax(of[0].convex->reach, of[1].convex->reach);
    f.least = fmax(faces, edges) - CAROM_SHAPES_DEEPER * size;
    if (edges > faces + slack * size) {
        add(&f, CAROM_SHAPES_EDGES, edge[0], edge[1]);
        return f.n;
    }
    const int ref = of_b > of_a + slack * size; /* whose face is the reference */
    turned(&of[ref], of[ref].convex->face[face[ref]].normal, normal);
    if (are_beside(&of[0], &of[1], normal) || are_beside(&of[1], &of[0], normal))
        return 0;
    face[!ref] = facing(&of[!ref], normal);
    corners_before(&of[!ref], &of[ref], face[!ref], face[ref], normal,
                   ref ? CAROM_SHAPES_FIRST_CORNER : CAROM_SHAPES_SECOND_CORNER, &f);
    corners_before(&of[ref], &of[!ref], face[ref], face[!ref], normal,
                   ref ? CAROM_SHAPES_SECOND_CORNER : CAROM_SHAPES_FIRST_CORNER, &f);
    for (int k = 0; k < 3 && ref; k++)
        normal[k] = -normal[k];
    crossings(of, face, normal, &f);
    if (f.n == 0 && edges > -HUGE_VAL) /* tilted faces that overlap nowhere but where edges cross */
        add(&f, CAROM_SHAPES_EDGES, edge[0], edge[1]);
    return f.n;
}
