/* The geometry of contacts. Overlaps are a millionth of a radius, so centres are never subtracted: with anchors X and
 * displacements u, D0 = X_b - X_a and g0 = |D0| - (r_a + r_b) are the same as long as the anchors are, and
 *
 *     gap = g0 + (2 D0.du + du.du) / (|D0 + du| + |D0|),   du = u_b - u_a,
 *
 * has an error of eps |du|, not eps |x|. g0 within a few units in the last place of the radii counts as exactly 0, so
 * that the bodies of a lattice touch. Between a ball and a wall the same is done along the wall's normal. */
#include "model/bodies/meet.h"

#include <float.h>

#include "base/angle.h"
#include "base/quat.h"
#include "model/bodies/facets.h"
#include "model/bodies/shapes.h"

/* a gap that is nothing but rounding of the lengths it was made of, and of places as far out as `far` */
static double snapped(double gap, double length, double far)
{
    return fabs(gap) < DBL_EPSILON * (8.0 * length + 2.0 * far) ? 0.0 : gap;
}

/* what of `d` along a joined side of the domain is whole lengths of it */
static double image(const struct carom_bodies *b, int k, double d)
{
    const double length = b->high[k] - b->low[k];
    return b->periodic[k] ? length * nearbyint(d / length) : 0.0;
}

void carom_meet_between(const struct carom_bodies *b, size_t i, size_t j, const double *q, double apart[3],
                        double du[3])
{
    const size_t nq = carom_bodies_nq(b), anchor = nq - b->dimension;
    const double *qi = q + i * nq, *qj = q + j * nq;
    apart[2] = du[2] = 0.0;
    for (size_t k = 0; k < b->dimension; k++) {
        apart[k] = (b->body[j].at[k] - b->body[i].at[k]) + b->edge * (qj[anchor + k] - qi[anchor + k]);
        du[k] = qj[k] - qi[k];
        apart[k] -= image(b, (int)k, apart[k] + du[k]);
    }
}

void carom_meet_frame(const struct carom_bodies *b, size_t i, const double *q, double frame[4])
{
    const double *turn = q + i * carom_bodies_nq(b) + b->dimension;
    double plane[4] = {1.0, 0.0, 0.0, 0.0};
    if (b->dimension == 2)
        carom_angle_both(0.5 * turn[0], &plane[3], &plane[0]);
    carom_quat_product(b->dimension == 2 ? plane : turn, b->body[i].frame, frame);
}

/* Where the surface of a wall stands to a ball: gap and the wall's normal, in the wall's own axes. As the centre of the
 * ball moves, the normal turns: by `bends` radians a length along the tangent `along`, by `bend` across it. */
struct facing {
    double gap, normal[3];
    double far; /* as in struct carom_bodies */
    double bend, bends, along[3];
};

/* inside a circle, a hollow sphere or the side of a cylinder, of which `axes` axes count */
static void face_hollow(double radius, double ball, int axes, const double apart[3], const double du[3],
                        struct facing *out)
{
    double now[3] = {0.0}, first = 0.0, length = 0.0, gain = 0.0;
    for (int k = 0; k < axes; k++) {
        now[k] = apart[k] + du[k];
        first += apart[k] * apart[k];
        length += now[k] * now[k];
        gain += (2.0 * apart[k] + du[k]) * du[k];
    }
    first = sqrt(first);
    length = sqrt(length);
    const double sum = first + length;
    out->gap = snapped(radius - ball - first, radius, out->far) - (sum > 0.0 ? gain / sum : 0.0);
    for (int k = 0; k < 3; k++)
        out->normal[k] = length > 0.0 ? -now[k] / length : k == 0 ? -1.0 : 0.0;
    out->bend = length > 0.0 ? -1.0 / length : 0.0;
    out->bends = axes == 3 ? out->bend : 0.0;
    out->along[2] = axes == 3 ? 0.0 : 1.0;
}

/* a flat face: `axis` and on which side of the wall's middle (+1, -1), seen from inside or outside (way +1: outside) */
static void face_flat(double size, double ball, int axis, double side, double way, const double apart[3],
                      const double du[3], struct facing *out)
{
    out->gap = snapped(way * (side * apart[axis] - size) - ball, size + ball, out->far) + way * side * du[axis];
    for (int k = 0; k < 3; k++)
        out->normal[k] = k == axis ? way * side : 0.0;
}

/* Outside a box: a face, or the nearest point of an edge or corner; a centre inside it leaves through the next face. */
static void face_box(const double size[3], int axes, double ball, uint32_t facet, const double apart[3],
                     const double du[3], struct facing *out)
{
    double rest[3] = {0.0}, deepest = -HUGE_VAL;
    int beyond = 0, axis = 0;
    for (int k = 0; k < axes; k++) {
        const double x = apart[k] + du[k], sign = copysign(1.0, facet > 0 ? carom_facets_side(facet, k) : x);
        const double out_of = sign * x - size[k];
        const bool aside = facet > 0 ? carom_facets_side(facet, k) != 0 : out_of > 0.0;
        rest[k] = aside ? sign * out_of : 0.0;
        beyond += aside;
        if (facet > 0 ? aside : out_of > deepest) {
            deepest = out_of;
            axis = k;
        }
    }
    if (beyond < 2) {
        const double side = facet > 0 ? carom_facets_side(facet, axis) : copysign(1.0, apart[axis] + du[axis]);
        face_flat(size[axis], ball, axis, side, 1.0, apart, du, out);
        return;
    }
    const double length = carom_vec_norm(rest);
    out->gap = length - ball;
    out->bend = out->bends = 1.0 / length;
    for (int k = 0; k < 3; k++)
        out->normal[k] = rest[k] / length;
    for (int k = 0; k < 3 && axes == 3 && beyond == 2; k++) /* along an edge it does not turn */
        if (rest[k] == 0.0) {
            out->along[k] = 1.0;
            out->bends = 0.0;
        }
}

/* outside a cylinder about z: its side, a cap, or the rim between them */
static void face_cylinder(const double size[3], double ball, uint32_t facet, const double apart[3], const double du[3],
                          struct facing *out)
{
    const double x = apart[0] + du[0], y = apart[1] + du[1], z = apart[2] + du[2], rho = sqrt(x * x + y * y);
    const double aside = rho - size[0], above = fabs(z) - size[2];
    if (facet > 0 ? facet == CAROM_FACET_RIM : above > 0.0 && aside > 0.0) {
        const double length = sqrt(aside * aside + above * above);
        out->gap = length - ball;
        out->normal[0] = aside / length * (x / rho);
        out->normal[1] = aside / length * (y / rho);
        out->normal[2] = copysign(above / length, z);
        out->bend = 1.0 / length;
        out->bends = aside / length / rho;
        out->along[0] = -y / rho;
        out->along[1] = x / rho;
    } else if (facet > 0 ? facet == CAROM_FACET_CAP : above > aside) {
        face_flat(size[2], ball, 2, copysign(1.0, z), 1.0, apart, du, out);
    } else {
        face_hollow(size[0], -ball, 2, apart, du, out); /* the same with its signs turned over */
        out->gap = -out->gap;
        out->bend = -out->bend;
        for (int k = 0; k < 3; k++)
            out->normal[k] = -out->normal[k];
    }
}

/* outside a polygon or polyhedron */
static void face_convex(const struct carom_convex *convex, double ball, uint32_t facet, const double apart[3],
                        const double du[3], struct facing *out)
{
    const double x[3] = {apart[0] + du[0], apart[1] + du[1], apart[2] + du[2]};
    out->gap =
        (facet > 0 ? carom_facets_apart(convex, facet, x, out->normal) : carom_convex_apart(convex, x, out->normal)) -
        ball;
}

/* A ball before a wall, in the wall's own axes. The feature is a wall of a container, of what is solid a facet that
 * counts wherever the ball is, and 0 the nearest. */
static void face(const struct carom_body *wall, uint32_t feature, int axes, double ball, const double apart[3],
                 const double du[3], struct facing *out)
{
    const bool hollow = wall->inside;
    if (wall->surface == CAROM_BALL)
        face_hollow(wall->radius, ball, 3, apart, du, out);
    else if (wall->surface == CAROM_BOX && hollow)
        face_flat(wall->size[feature / 2], ball, (int)feature / 2, feature % 2 ? 1.0 : -1.0, -1.0, apart, du, out);
    else if (wall->surface == CAROM_BOX)
        face_box(wall->size, axes, ball, feature, apart, du, out);
    else if (wall->surface == CAROM_CONVEX)
        face_convex(wall->convex, ball, feature, apart, du, out);
    else if (wall->surface == CAROM_CYLINDER && hollow && feature == 0)
        face_hollow(wall->size[0], ball, 2, apart, du, out);
    else if (wall->surface == CAROM_CYLINDER && hollow)
        face_flat(wall->size[2], ball, 2, feature == 2 ? 1.0 : -1.0, -1.0, apart, du, out);
    else if (wall->surface == CAROM_CYLINDER)
        face_cylinder(wall->size, ball, feature, apart, du, out);
}

/* g0 of a ball before a plane */
static double rest_on(const double normal[3], const double apart[3], double radius, double far)
{
    const double height = carom_vec_dot(normal, apart);
    return snapped(height - radius, radius + fabs(height), far);
}

/* the facing in the axes of space, and the way from the centre of the wall to that of the ball */
static void face_wall(const struct carom_bodies *b, size_t wall, size_t ball, uint32_t feature, const double *q,
                      struct facing *f, double apart[3], double du[3])
{
    const struct carom_body *w = &b->body[wall];
    const double radius = b->body[ball].radius;
    double own_apart[3], own_du[3], frame[4];
    *f = (struct facing){.far = b->far};
    carom_meet_between(b, wall, ball, q, apart, du);
    carom_meet_frame(b, wall, q, frame);
    if (w->surface == CAROM_PLANE) {
        carom_quat_turn(frame, w->normal, f->normal);
        f->gap = rest_on(f->normal, apart, radius, b->far) + carom_vec_dot(f->normal, du);
        return;
    }
    carom_quat_turn_back(frame, apart, own_apart);
    carom_quat_turn_back(frame, du, own_du);
    face(w, feature, (int)b->dimension, radius, own_apart, own_du, f);
    carom_quat_turn(frame, f->normal, f->normal);
    carom_quat_turn(frame, f->along, f->along);
}

static void meet_wall(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                      struct carom_meeting *m)
{
    const bool second = !carom_bodies_round(&b->body[key->b]); /* is the wall b? */
    const size_t wall = second ? key->b : key->a, ball = second ? key->a : key->b;
    const double radius = b->body[ball].radius;
    double apart[3], du[3];
    struct facing f;
    face_wall(b, wall, ball, key->feature, q, &f, apart, du);
    m->gap = f.gap;
    for (int k = 0; k < 3; k++) {
        const double normal = f.normal[k], reach = -normal * (radius + f.gap); /* from the ball to the wall's surface */
        m->normal[k] = second ? -normal : normal;
        m->arm[second ? 0 : 1][k] = reach;
        m->arm[second ? 1 : 0][k] = apart[k] + du[k] + reach;
    }
}

/* a box that stands as its axes do: nothing turns what is seen from it */
static bool is_upright(const struct carom_body *wall)
{
    return wall->frame[0] == 1.0 && wall->frame[1] == 0.0 && wall->frame[2] == 0.0 && wall->frame[3] == 0.0;
}

bool carom_meet_is_flat(const struct carom_bodies *b, size_t wall)
{
    const struct carom_body *w = &b->body[wall];
    const bool plane = w->surface == CAROM_PLANE;
    bool flat = w->fixed && w->lead < 0 && (plane || (w->surface == CAROM_BOX && w->inside && is_upright(w)));
    double normal[3] = {1.0, 1.0, 1.0};
    if (plane)
        carom_quat_turn(w->frame, w->normal, normal);
    for (size_t k = 0; k < b->dimension; k++)
        flat &= !b->periodic[k] || normal[k] == 0.0;
    return flat;
}

void carom_meet_flat(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                     double normal[3], double *rest)
{
    const bool second = !carom_bodies_round(&b->body[key->b]);
    const size_t wall = second ? key->b : key->a, ball = second ? key->a : key->b;
    const double radius = b->body[ball].radius, still[3] = {0.0};
    double apart[3], du[3];
    struct facing f = {.far = b->far};
    carom_meet_between(b, wall, ball, q, apart, du);
    if (b->body[wall].surface == CAROM_PLANE) {
        carom_quat_turn(b->body[wall].frame, b->body[wall].normal, f.normal);
        f.gap = rest_on(f.normal, apart, radius, b->far);
    } else {
        face(&b->body[wall], key->feature, (int)b->dimension, radius, apart, still, &f);
    }
    *rest = f.gap;
    for (int k = 0; k < 3; k++)
        normal[k] = second ? -f.normal[k] : f.normal[k];
}

/* D0 of two balls and what follows from it, and du */
static void prepare_balls(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                          struct carom_meet_balls *out, double du[3])
{
    const double ra = b->body[key->a].radius, rb = b->body[key->b].radius, sum = ra + rb;
    carom_meet_between(b, key->a, key->b, q, out->apart, du);
    out->length = carom_vec_norm(out->apart);
    out->gap = snapped(out->length - sum, sum, b->far);
    out->radius[0] = ra;
    out->radius[1] = rb;
    const double near = sum + 1e-9 * (sum + b->far); /* far more than gaps and squares are rounded by */
    out->near = near * near;
}

bool carom_meet_prepare(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                        struct carom_meet_balls *out)
{
    double du[3];
    out->near = HUGE_VAL;
    if (!carom_bodies_round(&bodies->body[key->a]) || !carom_bodies_round(&bodies->body[key->b]))
        return false;
    prepare_balls(bodies, key, q, out, du);
    return true;
}

bool carom_meet(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                struct carom_meeting *out)
{
    struct carom_meet_balls balls;
    double du[3];
    if (carom_shapes_both(bodies, key->a, key->b)) {
        carom_shapes_meet(bodies, key, q, out);
        return true;
    }
    if (!carom_bodies_round(&bodies->body[key->a]) || !carom_bodies_round(&bodies->body[key->b])) {
        meet_wall(bodies, key, q, out);
        const struct carom_body *ball = &bodies->body[!carom_bodies_round(&bodies->body[key->b]) ? key->a : key->b];
        return out->gap > -ball->radius;
    }
    prepare_balls(bodies, key, q, &balls, du);
    return carom_meet_moved(&balls, du, out);
}

/* the normal of a wall turns with the wall, and as the ball moves along its surface */
static void turn_wall(const struct carom_bodies *b, const struct carom_contact_key *key, const double *q,
                      const double *v, double spin[3])
{
    const bool second = !carom_bodies_round(&b->body[key->b]);
    const size_t wall = second ? key->b : key->a, ball = second ? key->a : key->b, nv = carom_bodies_nv(b);
    const double *of_wall = v + wall * nv, *of_ball = v + ball * nv;
    struct facing f;
    double apart[3], du[3], past[3], turn[3];
    face_wall(b, wall, ball, key->feature, q, &f, apart, du);
    for (int k = 0; k < 3; k++)
        apart[k] += du[k];
    carom_vec_cross(of_wall + 3, apart, past);
    for (int k = 0; k < 3; k++)
        past[k] = of_ball[k] - of_wall[k] - past[k];
    const double along = (f.bends - f.bend) * carom_vec_dot(past, f.along);
    for (int k = 0; k < 3; k++)
        past[k] = f.bend * past[k] + along * f.along[k];
    carom_vec_cross(f.normal, past, turn);
    carom_vec_cross(of_wall + 3, f.normal, past);
    carom_vec_cross(f.normal, past, spin); /* of the wall's spin the part across the normal */
    for (int k = 0; k < 3; k++)
        spin[k] += turn[k];
}

void carom_meet_turn(const struct carom_bodies *b, const struct carom_contact_key *key, const struct carom_meeting *m,
                     const double *q, const double *v, double spin[3])
{
    const double *va = v + key->a * carom_bodies_nv(b), *vb = v + key->b * carom_bodies_nv(b);
    double past[3], apart[3], square = 0.0;
    if (b->body[key->a].surface != CAROM_BALL || b->body[key->b].surface != CAROM_BALL) {
        turn_wall(b, key, q, v, spin);
        return;
    }
    for (int k = 0; k < 3; k++) {
        past[k] = vb[k] - va[k];
        apart[k] = m->arm[0][k] - m->arm[1][k];
        square += apart[k] * apart[k];
    }
    carom_vec_cross(apart, past, spin);
    for (int k = 0; k < 3; k++)
        spin[k] = square > 0.0 ? spin[k] / square : 0.0;
}

double carom_meet_roll(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                       const struct carom_meeting *m, const double *v, double roll[3])
{
    const size_t nv = carom_bodies_nv(bodies);
    return carom_meet_rolling(bodies->dimension == 2, carom_meet_lever(&bodies->body[key->a], &bodies->body[key->b]),
                              v + key->a * nv, v + key->b * nv, m, roll);
}

size_t carom_meet_features(const struct carom_body *a, const struct carom_body *b)
{
    if (!carom_bodies_round(a) && !carom_bodies_round(b))
        return 0;
    const struct carom_body *wall = !carom_bodies_round(a) ? a : b;
    if (!wall->inside || wall->surface == CAROM_BALL)
        return 1;
    return wall->surface == CAROM_BOX ? 6 : 3; /* of a box in the plane the last two are none */
}

double carom_meet_radius(const struct carom_body *a, const struct carom_body *b)
{
    double curvature = 0.0;
    if (a->surface == CAROM_BALL)
        curvature += (a->inside ? -1.0 : 1.0) / a->radius;
    if (b->surface == CAROM_BALL)
        curvature += (b->inside ? -1.0 : 1.0) / b->radius;
    return 1.0 / curvature;
}

double carom_meet_mass(const struct carom_body *a, const struct carom_body *b)
{
    if (a->fixed || !(a->mass > 0.0))
        return b->mass;
    return b->fixed || !(b->mass > 0.0) ? a->mass : a->mass * b->mass / (a->mass + b->mass);
}

/* the radius on which a disc, a sphere or a capsule rolls; 0: it does not */
static double rolls_on(const struct carom_body *body)
{
    return !carom_bodies_round(body) && body->surface != CAROM_COMPOUND ? 0.0 : body->radius;
}

double carom_meet_lever(const struct carom_body *a, const struct carom_body *b)
{
    const double ra = rolls_on(a), rb = rolls_on(b);
    if (a->surface == CAROM_COMPOUND || b->surface == CAROM_COMPOUND)
        return ra > 0.0 && rb > 0.0 ? 1.0 / (1.0 / ra + 1.0 / rb) : fmax(ra, rb);
    if (!carom_bodies_round(a) && !carom_bodies_round(b))
        return 0.0;
    if (!carom_bodies_round(a) || !carom_bodies_round(b))
        return !carom_bodies_round(a) ? b->radius : a->radius;
    return carom_meet_radius(a, b);
}

double carom_meet_mobility(const struct carom_body *a, const struct carom_body *b, enum carom_way way)
{
    const struct carom_body *const side[2] = {a, b};
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        const double arm = way != CAROM_SLIDES             ? carom_meet_lever(a, b)
                           : carom_bodies_tumbles(side[i]) ? carom_bodies_reach(side[i])
                                                           : side[i]->radius;
        if (!side[i]->fixed && way == CAROM_SLIDES)
            sum += 1.0 / side[i]->mass;
        if (!side[i]->fixed && side[i]->inertia > 0.0)
            sum += arm * arm / side[i]->inertia;
    }
    return sum;
}
