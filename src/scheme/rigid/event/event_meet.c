/* When balls on parabolas meet each other and walls. Between balls, and inside round walls, the square of a distance is
 * a polynomial of degree 2, or 4 where accelerations differ; before flat walls the gap itself is one of degree 2. The
 * distance from a box or a cylinder seen from outside is convex along a straight line, and so above its tangents: steps
 * to the zero of a tangent bent by the acceleration never pass it, and end at it as Newton's do. */
#include <float.h>
#include <string.h>

#include "base/quat.h"
#include "scheme/rigid/event/event_bodies.h"
#include "solve/polynomial.h"

enum { TANGENTS = 500 };
static const double still = 1e-12; /* of V: bodies that touch and move past each other no faster do not */

static bool is_wall(const struct carom_body *body)
{
    return body->surface != CAROM_BALL || body->inside;
}

/* the wall of a contact, or NULL: two balls */
static const struct carom_body *wall_of(const struct carom_event_bodies *w, const struct carom_contact_key *key)
{
    const struct carom_body *a = &w->bodies->body[key->a], *b = &w->bodies->body[key->b];
    return is_wall(a) ? a : is_wall(b) ? b : NULL;
}

static bool is_hollow(const struct carom_body *wall, uint32_t feature)
{
    return wall->inside && (wall->surface == CAROM_BALL || (wall->surface == CAROM_CYLINDER && feature == 0));
}

bool carom_event_meet_is_flat(const struct carom_event_bodies *w, const struct carom_contact_key *key)
{
    const struct carom_body *wall = wall_of(w, key);
    return wall && (wall->surface == CAROM_PLANE || (wall->inside && !is_hollow(wall, key->feature)));
}

/* what of a vector is across the axis of a cylinder; walls stand still, so that their frame is the one they began with
 * turned by nothing */
static void across(const struct carom_body *wall, double vector[3])
{
    const double own[3] = {0.0, 0.0, 1.0};
    double axis[3];
    if (wall->surface != CAROM_CYLINDER)
        return;
    carom_quat_turn(wall->frame, own, axis);
    const double along = carom_vec_dot(axis, vector);
    for (int k = 0; k < 3; k++)
        vector[k] -= along * axis[k];
}

double carom_event_meet_bend(const struct carom_event_bodies *w, const struct carom_contact_key *key,
                             const struct carom_meeting *m, const double relative[3], const double acceleration[3])
{
    const struct carom_body *wall = wall_of(w, key);
    const struct carom_body *a = &w->bodies->body[key->a], *b = &w->bodies->body[key->b];
    const double rate = carom_vec_dot(m->normal, relative);
    double slip[3], curve = 0.0;
    for (int k = 0; k < 3; k++)
        slip[k] = relative[k] - rate * m->normal[k];
    if (!wall) {
        curve = 1.0 / (a->radius + b->radius);
    } else if (wall->surface == CAROM_BALL || wall->surface == CAROM_CYLINDER) {
        const double ball = (wall == a ? b : a)->radius;
        const double radius = wall->surface == CAROM_BALL ? wall->radius : wall->size[0];
        double normal[3];
        memcpy(normal, m->normal, sizeof normal);
        across(wall, normal);
        if (carom_vec_dot(normal, normal) > 1.0 - 1e-9) /* a cap or a rim counts as flat */
            curve = wall->inside ? -1.0 / (radius - ball) : 1.0 / (radius + ball);
        across(wall, slip);
    }
    return carom_vec_dot(m->normal, acceleration) + curve * carom_vec_dot(slip, slip);
}

/* --- waiting ----------------------------------------------------------------------------------------------------- */

/* A contact at one moment, with the velocities of b past a. */
struct pair {
    struct carom_meeting m;
    double v[3], a[3];
    double gap, rate; /* those of a contact that touches and does not approach are 0 at least */
    bool touches;
};

/* c[0] and c[1] of what touches must not be below 0, nor c[2] by rounding where both are 0 */
static double first_below(const struct carom_event_bodies *w, const struct pair *p, double *c, size_t degree,
                          double size)
{
    if (p->touches && p->rate <= carom_event_bodies_slow(w)) {
        c[1] = 0.0;
        c[2] = fabs(c[2]) <= 1e-9 * size ? 0.0 : c[2];
    }
    return carom_polynomial_below(c, degree, w->limit - w->now);
}

static double wait_balls(const struct carom_event_bodies *w, const struct pair *p, double reach)
{
    double apart[3];
    for (int k = 0; k < 3; k++)
        apart[k] = p->m.normal[k] * (reach + p->gap);
    const double square = carom_vec_dot(p->v, p->v), pull = carom_vec_dot(p->a, apart);
    double c[5] = {p->gap * (2.0 * reach + p->gap), 2.0 * (reach + p->gap) * p->rate, square + pull,
                   carom_vec_dot(p->a, p->v), 0.25 * carom_vec_dot(p->a, p->a)};
    return first_below(w, p, c, 4, square + fabs(pull));
}

static double wait_flat(const struct carom_event_bodies *w, const struct pair *p)
{
    double c[5] = {p->gap, p->rate, 0.5 * carom_vec_dot(p->m.normal, p->a), 0.0, 0.0};
    return first_below(w, p, c, 2, carom_vec_norm(p->a));
}

/* reach: the way from the wall's middle to a ball's centre at its surface. The normal of either side points along the
 * way out or in, and velocities are those of b past a, so that products of both have the right sign. */
static double wait_hollow(const struct carom_event_bodies *w, const struct carom_body *wall, const struct pair *p,
                          double reach)
{
    double v[3], a[3], out[3];
    memcpy(v, p->v, sizeof v);
    memcpy(a, p->a, sizeof a);
    across(wall, v);
    across(wall, a);
    for (int k = 0; k < 3; k++)
        out[k] = p->m.normal[k] * (reach - p->gap);
    const double square = carom_vec_dot(v, v), pull = carom_vec_dot(out, a);
    double c[5] = {p->gap * (2.0 * reach - p->gap), 2.0 * (reach - p->gap) * p->rate, -square + pull,
                   -carom_vec_dot(a, v), -0.25 * carom_vec_dot(a, a)};
    return first_below(w, p, c, 4, square + fabs(pull));
}

/* the ball of a contact, moved `by` from now, as far as the geometry asks */
static void look_ahead(struct carom_event_bodies *w, const struct carom_contact_key *key, size_t ball, double by,
                       struct carom_meeting *m, double *rate)
{
    const struct carom_bodies *b = w->bodies;
    double *u = w->state->q + ball * carom_bodies_nq(b), kept[3], v[3] = {0.0};
    for (size_t k = 0; k < b->dimension; k++) {
        const double a = w->acceleration[3 * ball + k], v0 = w->state->v[ball * carom_bodies_nv(b) + k];
        kept[k] = u[k];
        u[k] += by * (v0 + 0.5 * by * a);
        v[k] = v0 + by * a;
    }
    carom_meet(b, key, w->state->q, m);
    *rate = carom_vec_dot(m->normal, v) * (ball == key->b ? 1.0 : -1.0);
    memcpy(u, kept, b->dimension * sizeof *u);
}

/* outside of a box or a cylinder */
static double wait_convex(struct carom_event_bodies *w, const struct carom_contact_key *key, const struct pair *p)
{
    const size_t ball = is_wall(&w->bodies->body[key->a]) ? key->b : key->a;
    const double pull = carom_vec_norm(p->a), limit = w->limit - w->now;
    if (p->touches && p->rate <= carom_event_bodies_slow(w))
        return carom_vec_dot(p->m.normal, p->a) < -1e-9 * pull ? 0.0 : HUGE_VAL; /* its face leaves it on one side */
    double at = 0.0, gap = p->gap, rate = p->rate;
    for (int i = 0; i < TANGENTS; i++) {
        const double c[3] = {fmax(gap, 0.0), rate, -0.5 * pull}, by = carom_polynomial_below(c, 2, limit - at);
        struct carom_meeting m;
        if (by == HUGE_VAL)
            return HUGE_VAL;
        at += by;
        if (i > 0 && by <= 2.0 * DBL_EPSILON * at)
            break;
        look_ahead(w, key, ball, at, &m, &rate);
        gap = m.gap;
    }
    return at;
}

static void relative(const struct carom_event_bodies *w, const struct carom_contact_key *key, struct pair *p)
{
    const size_t nv = carom_bodies_nv(w->bodies), d = w->bodies->dimension;
    const double *va = w->state->v + key->a * nv, *vb = w->state->v + key->b * nv;
    const double *aa = w->acceleration + 3 * key->a, *ab = w->acceleration + 3 * key->b;
    for (size_t k = 0; k < 3; k++) {
        p->v[k] = k < d ? vb[k] - va[k] : 0.0;
        p->a[k] = ab[k] - aa[k];
    }
}

double carom_event_meet_wait(struct carom_event_bodies *w, const struct carom_contact_key *key)
{
    struct pair p;
    const struct carom_body *a = &w->bodies->body[key->a], *b = &w->bodies->body[key->b], *wall = wall_of(w, key);
    const struct carom_event_bond *bond = carom_event_bonds_find(&w->bonds, key);
    if (bond && bond->mode == CAROM_EVENT_HELD)
        return HUGE_VAL;
    carom_meet(w->bodies, key, w->state->q, &p.m);
    relative(w, key, &p);
    p.gap = p.m.gap;
    p.rate = carom_vec_dot(p.m.normal, p.v);
    p.touches = p.gap <= carom_event_bodies_near(w);
    if (p.touches && p.rate < -carom_event_bodies_slow(w))
        return 0.0;
    if (p.touches) {
        p.gap = 0.0;
        p.rate = fmax(p.rate, 0.0);
        /* what an impact has left of a ball at rest: along a hollow wall it would lead outside at once, for ever */
        if (carom_vec_norm(p.v) <= still * w->speed)
            memset(p.v, 0, sizeof p.v);
    }
    if (!wall)
        return wait_balls(w, &p, a->radius + b->radius);
    const double ball = (wall == a ? b : a)->radius;
    if (carom_event_meet_is_flat(w, key))
        return wait_flat(w, &p);
    if (is_hollow(wall, key->feature))
        return wait_hollow(w, wall, &p, (wall->surface == CAROM_BALL ? wall->radius : wall->size[0]) - ball);
    return wait_convex(w, key, &p);
}
