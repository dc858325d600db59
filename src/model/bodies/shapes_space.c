/* Boxes in space. The direction along which two of them are farthest apart is a normal of one, or across an edge of
 * each (separating axes; Gottschalk, Lin and Manocha 1996). Across edges they touch in one place. Otherwise the face
 * along whose normal it is and the face of the other that looks at it overlap in a polygon, whose corners are corners
 * of the one before the face of the other, or edges that cross. */
#include "model/bodies/shapes_space.h"

#include <stdint.h>

#include "base/quat.h"

/* as in shapes.c */
static const double slack = 1e-6;
static const double parallel = 1e-3; /* sine of an angle below which edges count as parallel */

/* Features: what meets what, then two numbers. Corners are bits, one for each axis on whose positive side they are;
 * faces 2 x axis + 1 on the positive side; edges 4 x axis + bits of the other two axes, in their cyclic order. */
enum { KIND = 1 << 28, FIRST_CORNER = 0, SECOND_CORNER = 1, EDGES = 2, STRIDE = 16 };

struct block {
    double axis[3][3], size[3];
    double at[3]; /* from the centre of body a */
};

static void blocks_of(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                      struct block of[2])
{
    double apart[3], du[3], frame[4];
    carom_meet_between(b, key->a, key->b, q, apart, du);
    for (int s = 0; s < 2; s++) {
        const size_t i = s ? key->b : key->a;
        carom_meet_frame(b, i, q, frame);
        for (int k = 0; k < 3; k++) {
            const double own[3] = {k == 0, k == 1, k == 2};
            carom_quat_turn(frame, own, of[s].axis[k]);
            of[s].size[k] = b->body[i].size[k];
            of[s].at[k] = s ? apart[k] + du[k] : 0.0;
        }
    }
}

static double sign_of(uint32_t bits, int k)
{
    return bits >> k & 1 ? 1.0 : -1.0;
}

/* a corner from the centre of its block */
static void corner_of(const struct block *x, uint32_t corner, double out[3])
{
    for (int l = 0; l < 3; l++) {
        out[l] = 0.0;
        for (int k = 0; k < 3; k++)
            out[l] += sign_of(corner, k) * x->size[k] * x->axis[k][l];
    }
}

/* the middle of an edge from the centre of its block */
static void edge_of(const struct block *x, uint32_t edge, double out[3])
{
    const int axis = (int)edge / 4;
    for (int l = 0; l < 3; l++) {
        out[l] = 0.0;
        for (int k = 0; k < 2; k++) {
            const int other = (axis + 1 + k) % 3;
            out[l] += sign_of(edge, k) * x->size[other] * x->axis[other][l];
        }
    }
}

void carom_shapes_space_corner(const struct carom_bodies *b, size_t i, uint32_t k, const double *q, double point[3])
{
    struct block of = {.size = {b->body[i].size[0], b->body[i].size[1], b->body[i].size[2]}};
    double frame[4];
    carom_meet_frame(b, i, q, frame);
    for (int l = 0; l < 3; l++) {
        const double own[3] = {l == 0, l == 1, l == 2};
        carom_quat_turn(frame, own, of.axis[l]);
    }
    corner_of(&of, k, point);
}

/* --- one place --------------------------------------------------------------------------------------------------- */

static void meet_corner(const struct block of[2], bool second, uint32_t corner, uint32_t face, struct carom_meeting *m)
{
    const struct block *mine = &of[second], *other = &of[!second];
    const double side = face % 2 ? 1.0 : -1.0, *axis = other->axis[face / 2];
    double point[3], from[3];
    corner_of(mine, corner, point);
    for (int k = 0; k < 3; k++)
        from[k] = point[k] + mine->at[k] - other->at[k];
    m->gap = side * carom_vec_dot(axis, from) - other->size[face / 2];
    for (int k = 0; k < 3; k++) {
        m->normal[k] = (second ? 1.0 : -1.0) * side * axis[k];
        m->arm[second][k] = point[k];
        m->arm[!second][k] = from[k];
    }
}

/* across both edges, out of a; the point of contact is halfway between them */
static void meet_edges(const struct block of[2], uint32_t one, uint32_t two, struct carom_meeting *m)
{
    const double *a = of[0].axis[one / 4], *b = of[1].axis[two / 4];
    double p[3], r[3], across[3], apart[3], beside[3];
    edge_of(&of[0], one, p);
    edge_of(&of[1], two, r);
    carom_vec_cross(a, b, across);
    const double length = carom_vec_norm(across), way = carom_vec_dot(across, p) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        m->normal[k] = length > 0.0 ? way * across[k] / length : 0.0;
        apart[k] = r[k] + of[1].at[k] - p[k];
    }
    m->gap = carom_vec_dot(m->normal, apart);
    carom_vec_cross(apart, b, beside); /* where the two lines are nearest to each other, along a and b */
    const double s = length > 0.0 ? carom_vec_dot(beside, across) / (length * length) : 0.0;
    carom_vec_cross(apart, a, beside);
    const double t = length > 0.0 ? carom_vec_dot(beside, across) / (length * length) : 0.0;
    for (int k = 0; k < 3; k++) {
        const double here = p[k] + s * a[k], there = p[k] + apart[k] + t * b[k];
        m->arm[0][k] = 0.5 * (here + there);
        m->arm[1][k] = m->arm[0][k] - of[1].at[k];
    }
}

static void meet_place(const struct block of[2], uint32_t feature, struct carom_meeting *m)
{
    const uint32_t kind = feature / KIND, one = feature % KIND / STRIDE, two = feature % STRIDE;
    if (kind == EDGES)
        meet_edges(of, one, two, m);
    else
        meet_corner(of, kind == SECOND_CORNER, one, two, m);
}

void carom_shapes_space_meet(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                             struct carom_meeting *out)
{
    struct block of[2];
    blocks_of(b, key, q, of);
    meet_place(of, key->feature, out);
}

bool carom_shapes_space_has(uint32_t feature)
{
    const uint32_t kind = feature / KIND, one = feature % KIND / STRIDE, two = feature % STRIDE;
    return kind == EDGES ? one < 12 && two < 12 : kind < EDGES && one < 8 && two < 6;
}

/* --- where they are nearest -------------------------------------------------------------------------------------- */

static double support(const struct block *x, const double along[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += x->size[k] * fabs(carom_vec_dot(along, x->axis[k]));
    return sum;
}

/* the face along whose normal they are farthest apart; d from x to y */
static double farthest(const struct block *x, const struct block *y, const double d[3], uint32_t *face)
{
    double most = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        const double along = carom_vec_dot(d, x->axis[k]);
        const double gap = fabs(along) - x->size[k] - support(y, x->axis[k]);
        if (gap > most) {
            most = gap;
            *face = 2 * (uint32_t)k + (along > 0.0);
        }
    }
    return most;
}

/* the edge of x with the direction of its axis k that is farthest along `way` */
static uint32_t edge_towards(const struct block *x, int k, const double way[3], double sign)
{
    uint32_t edge = 4 * (uint32_t)k;
    for (int l = 0; l < 2; l++)
        edge += (uint32_t)(sign * carom_vec_dot(way, x->axis[(k + 1 + l) % 3]) > 0.0) << l;
    return edge;
}

/* the two edges across which they are farthest apart */
static double across_edges(const struct block of[2], const double d[3], uint32_t *one, uint32_t *two)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double way[3];
            carom_vec_cross(of[0].axis[i], of[1].axis[j], way);
            const double length = carom_vec_norm(way);
            if (length < parallel)
                continue;
            const double scale = (carom_vec_dot(way, d) < 0.0 ? -1.0 : 1.0) / length;
            for (int k = 0; k < 3; k++)
                way[k] *= scale;
            const double gap = carom_vec_dot(way, d) - support(&of[0], way) - support(&of[1], way);
            if (gap <= most)
                continue;
            most = gap;
            *one = edge_towards(&of[0], i, way, 1.0);
            *two = edge_towards(&of[1], j, way, -1.0);
        }
    return most;
}

/* --- faces that overlap ------------------------------------------------------------------------------------------ */

struct found {
    uint32_t *feature;
    size_t n;
    const struct block *of;
    double least; /* places deeper than this do not face each other */
};

static void add(struct found *f, uint32_t kind, uint32_t one, uint32_t two)
{
    const uint32_t feature = kind * KIND + one * STRIDE + two;
    struct carom_meeting m;
    size_t at = f->n;
    meet_place(f->of, feature, &m);
    if (f->n == CAROM_SHAPES_MOST || m.gap < f->least)
        return;
    for (; at > 0 && f->feature[at - 1] > feature; at--)
        f->feature[at] = f->feature[at - 1];
    f->feature[at] = feature;
    f->n++;
}

/* corners of a face of x that stand before face `other` of y, or at its edge within `wider` of its size */
static void corners_before(const struct block *x, const struct block *y, uint32_t face, uint32_t other, double wider,
                           uint32_t kind, struct found *f)
{
    for (uint32_t corner = 0; corner < 8; corner++) {
        double point[3];
        bool inside = (corner >> face / 2 & 1) == face % 2;
        corner_of(x, corner, point);
        for (int k = 0; k < 3; k++)
            point[k] += x->at[k] - y->at[k];
        for (uint32_t k = 0; k < 3 && inside; k++)
            inside = k == other / 2 || fabs(carom_vec_dot(point, y->axis[k])) <= (1.0 + wider) * y->size[k];
        if (inside)
            add(f, kind, corner, other);
    }
}

static bool on_face(uint32_t edge, uint32_t face)
{
    const uint32_t axis = edge / 4, of = face / 2;
    return axis != of && (edge >> (of + 2 - axis) % 3 & 1) == face % 2;
}

/* edges of the two faces that cross well inside both, seen along the reference's normal n */
static void crossings(const struct block of[2], const uint32_t face[2], const double n[3], struct found *f)
{
    for (uint32_t i = 0; i < 12; i++)
        for (uint32_t j = 0; j < 12; j++) {
            const double *a = of[0].axis[i / 4], *b = of[1].axis[j / 4];
            double p[3], r[3], apart[3], turn[3];
            if (!on_face(i, face[0]) || !on_face(j, face[1]))
                continue;
            carom_vec_cross(a, b, turn);
            const double across = carom_vec_dot(turn, n);
            if (fabs(across) < parallel)
                continue;
            edge_of(&of[0], i, p);
            edge_of(&of[1], j, r);
            for (int k = 0; k < 3; k++)
                apart[k] = r[k] + of[1].at[k] - p[k];
            carom_vec_cross(apart, b, turn);
            const double s = carom_vec_dot(turn, n) / across;
            carom_vec_cross(apart, a, turn);
            const double t = carom_vec_dot(turn, n) / across;
            if (fabs(s) < (1.0 - slack) * of[0].size[i / 4] && fabs(t) < (1.0 - slack) * of[1].size[j / 4])
                add(f, EDGES, i, j);
        }
}

size_t carom_shapes_space_places(const struct carom_bodies *b, const struct carom_contact_key *pair, const double *q,
                                 uint32_t feature[CAROM_SHAPES_MOST])
{
    struct block of[2];
    struct found f = {.feature = feature, .of = of};
    uint32_t face[2] = {0, 0}, edge[2] = {0, 0};
    blocks_of(b, pair, q, of);
    const double *d = of[1].at, back[3] = {-d[0], -d[1], -d[2]};
    double size = HUGE_VAL;
    for (int k = 0; k < 6; k++)
        size = fmin(size, of[k / 3].size[k % 3]);
    const double of_a = farthest(&of[0], &of[1], d, &face[0]), of_b = farthest(&of[1], &of[0], back, &face[1]);
    const double faces = fmax(of_a, of_b), edges = across_edges(of, d, &edge[0], &edge[1]);
    if (fmax(faces, edges) < -0.5 * size)
        return SIZE_MAX;
    f.least = fmax(faces, edges) - CAROM_SHAPES_DEEPER * size;
    if (edges > faces + slack * size) {
        add(&f, EDGES, edge[0], edge[1]);
        return f.n;
    }
    const int ref = of_b > of_a + slack * size; /* whose face is the reference */
    const double side = face[ref] % 2 ? 1.0 : -1.0, *axis = of[ref].axis[face[ref] / 2];
    double most = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        const double along = side * carom_vec_dot(axis, of[!ref].axis[k]);
        if (fabs(along) > most) {
            most = fabs(along);
            face[!ref] = 2 * k + (along < 0.0);
        }
    }
    corners_before(&of[!ref], &of[ref], face[!ref], face[ref], slack, ref ? FIRST_CORNER : SECOND_CORNER, &f);
    corners_before(&of[ref], &of[!ref], face[ref], face[!ref], -slack, ref ? SECOND_CORNER : FIRST_CORNER, &f);
    crossings(of, face, axis, &f);
    return f.n;
}
