/* Do the surfaces of two solids go through each other? Contacts look at the middles of pieces; bars that cross between
 * them are found by the edges of their pieces. For the start of a run. */
#include "base/vec.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_strike.h"

struct piece {
    double corner[3][3];
};

static void piece_of(const struct carom_strike_body *b, const double *q, size_t p, struct piece *out)
{
    for (int k = 0; k < 3; k++)
        carom_solid_skin_corner(b->solid, b->skin, b->skin->piece[p].corner[k], q, out->corner[k]);
}

static void way(const double from[3], const double to[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = to[k] - from[k];
}

static void centre_of(const struct carom_solid *s, const double *q, size_t cell, double out[3])
{
    const double none[3] = {0.0, 0.0, 0.0};
    carom_solid_moved(s, q, cell, none, out);
}

/* Where the line from a to b goes through the triangle, 0 to 1, with `clear` and more on either side; less: nowhere. */
static double through_triangle(const double a[3], const double b[3], const struct piece *t, double clear)
{
    double u[3], v[3], normal[3], to_a[3], to_b[3], hit[3];
    way(t->corner[0], t->corner[1], u);
    way(t->corner[0], t->corner[2], v);
    carom_vec_cross(u, v, normal);
    way(t->corner[0], a, to_a);
    way(t->corner[0], b, to_b);
    const double da = carom_vec_dot(normal, to_a), db = carom_vec_dot(normal, to_b);
    if (!(fmin(fabs(da), fabs(db)) > clear * carom_vec_norm(normal)) || (da > 0.0) == (db > 0.0))
        return -1.0;
    for (int k = 0; k < 3; k++)
        hit[k] = a[k] + da / (da - db) * (b[k] - a[k]);
    for (int c = 0; c < 3; c++) {
        double edge[3], from[3], side[3];
        way(t->corner[c], t->corner[(c + 1) % 3], edge);
        way(t->corner[c], hit, from);
        carom_vec_cross(edge, from, side);
        if (carom_vec_dot(side, normal) < 0.0)
            return -1.0;
    }
    return da / (da - db);
}

/* twice the area of a triangle of the plane, with the sign of its turn */
static double turn(const double a[3], const double b[3], const double c[3])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* the same in the plane */
static double through_line(const double a[3], const double b[3], const struct piece *l, double clear)
{
    double along[3];
    way(l->corner[0], l->corner[1], along);
    const double da = turn(l->corner[0], l->corner[1], a), db = turn(l->corner[0], l->corner[1], b),
                 dc = turn(a, b, l->corner[0]), dd = turn(a, b, l->corner[1]);
    const bool crosses = (da > 0.0) != (db > 0.0) && (dc > 0.0) != (dd > 0.0);
    return crosses && fmin(fabs(da), fabs(db)) > clear * carom_vec_norm(along) ? da / (da - db) : -1.0;
}

/* how near the surface comes to the centre of a cell: half of its thickness */
static double thin_of(const struct carom_strike_body *b, const double *q, const struct carom_skin_rim *rim)
{
    double centre[3], normal[3], to[3], thin = HUGE_VAL;
    centre_of(b->solid, q, rim->cell, centre);
    for (size_t i = rim->first; i < (size_t)rim->first + rim->count; i++) {
        struct piece p;
        piece_of(b, q, i, &p);
        carom_solid_skin_near_normal(b->solid, b->skin, i, q, normal);
        way(centre, p.corner[0], to);
        thin = fmin(thin, fabs(carom_vec_dot(normal, to)));
    }
    return thin;
}

struct crossing {
    const struct carom_strike_body *a, *b; /* edges of the first, faces of the second */
    const double *qa, *qb;
    double thin, depth;
};

/* Is the line inside of the second body, half a cell from where it goes through its surface? An edge that lies in a
 * surface it touches is not. */
static bool sinks_in(const struct crossing *c, const double from[3], const double to[3], double at)
{
    double along[3], place[1][3];
    way(from, to, along);
    const double length = carom_vec_norm(along);
    for (int side = -1; side < 2; side += 2) {
        const double part = fmin(1.0, fmax(0.0, at + side * c->thin / length));
        for (int k = 0; k < 3; k++)
            place[0][k] = from[k] + part * along[k];
        if (carom_solid_press_distance(c->b, c->qb, (const double(*)[3])place) < -2.0 * c->depth * c->thin)
            return true;
    }
    return false;
}

static bool pieces_cross(const struct crossing *c, const struct piece *one, const struct piece *two)
{
    const int dimension = c->a->solid->dimension, edges = dimension == 2 ? 1 : 3;
    const double clear = 2.0 * c->depth * c->thin;
    for (int e = 0; e < edges; e++) {
        const double *from = one->corner[e], *to = one->corner[(e + 1) % 3],
                     at = dimension == 2 ? through_line(from, to, two, clear) : through_triangle(from, to, two, clear);
        if (at >= 0.0 && sinks_in(c, from, to, at))
            return true;
    }
    return false;
}

static bool rims_cross(const struct crossing *c, const struct carom_skin_rim *ra, const struct carom_skin_rim *rb)
{
    for (size_t i = ra->first; i < (size_t)ra->first + ra->count; i++) {
        struct piece one, two;
        piece_of(c->a, c->qa, i, &one);
        for (size_t j = rb->first; j < (size_t)rb->first + rb->count; j++) {
            piece_of(c->b, c->qb, j, &two);
            if (pieces_cross(c, &one, &two))
                return true;
        }
    }
    return false;
}

/* the box around all corners of a body */
static struct carom_press_box box_of(const struct carom_strike_body *b, const double *q)
{
    struct carom_press_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < b->skin->ncorners; i++) {
        double place[3];
        carom_solid_skin_corner(b->solid, b->skin, i, q, place);
        for (int k = 0; k < 3; k++) {
            box.low[k] = fmin(box.low[k], place[k]);
            box.high[k] = fmax(box.high[k], place[k]);
        }
    }
    return box;
}

/* bodies that merely touch along an axis do not cross, however large the faces are */
static bool boxes_overlap(const struct carom_press_box *a, const struct carom_press_box *b, int dimension, double by)
{
    bool overlap = true;
    for (int k = 0; k < dimension; k++)
        overlap = overlap && fmin(a->high[k], b->high[k]) - fmax(a->low[k], b->low[k]) > by;
    return overlap;
}

static bool one_crosses(const struct carom_strike_body *a, const struct carom_strike_body *b, const double *qa,
                        const double *qb, double depth)
{
    const struct carom_press_box ours = box_of(a, qa), theirs = box_of(b, qb);
    bool cross = false;
    if (!boxes_overlap(&ours, &theirs, a->solid->dimension, 0.0))
        return false;
    for (size_t i = 0; i < a->skin->nrims && !cross; i++) {
        const struct carom_skin_rim *ra = &a->skin->rim[i];
        const double thin = thin_of(a, qa, ra);
        double place[3], other[3], apart[3];
        bool near = boxes_overlap(&ours, &theirs, a->solid->dimension, 2.0 * depth * thin);
        centre_of(a->solid, qa, ra->cell, place);
        for (int k = 0; k < a->solid->dimension; k++)
            near = near && place[k] > theirs.low[k] - ra->reach && place[k] < theirs.high[k] + ra->reach;
        for (size_t j = 0; near && j < b->skin->nrims && !cross; j++) {
            const struct carom_skin_rim *rb = &b->skin->rim[j];
            centre_of(b->solid, qb, rb->cell, other);
            way(place, other, apart);
            if (carom_vec_norm(apart) >= CAROM_SKIN_SLACK * (ra->reach + rb->reach))
                continue;
            const struct crossing c = {a, b, qa, qb, fmin(thin, thin_of(b, qb, rb)), depth};
            cross = rims_cross(&c, ra, rb);
        }
    }
    return cross;
}

bool carom_solid_cross(const struct carom_model *model, const struct carom_strike_meet *meet, const double *q,
                       double depth)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    bool cross = false;
    for (int side = 0; side < 2 && meet->body[1] < s->nbodies && !cross; side++) {
        const size_t from = meet->body[side], to = meet->body[1 - side];
        cross = one_crosses(&s->body[from], &s->body[to], q + model->member[from].q0, q + model->member[to].q0, depth);
    }
    return cross;
}
