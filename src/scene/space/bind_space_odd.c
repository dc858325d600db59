/* What looks odd in a scene of bodies: nothing moves, or what moves meets nothing. Bodies that fly straight are
 * followed to the end of the run; where anything bends their way, nothing is said. */
#include "base/vec.h"
#include "carom/bodies.h"
#include "carom/law.h"
#include "scene/bind.h"

#define MOVERS 100 /* more are not followed */

struct flight {
    const struct carom_bodies *b;
    const double *q, *v;
};

static bool moves(const struct flight *f, size_t i)
{
    const double *v = f->v + i * carom_bodies_nv(f->b);
    return !f->b->body[i].fixed && (v[0] != 0.0 || v[1] != 0.0 || (f->b->dimension == 3 && v[2] != 0.0));
}

/* how body j stands and flies past body i */
static void past(const struct flight *f, size_t i, size_t j, double apart[3], double speed[3])
{
    const size_t nv = carom_bodies_nv(f->b);
    double at[3];
    carom_bodies_centre(f->b, i, f->q, at);
    carom_bodies_centre(f->b, j, f->q, apart);
    for (size_t k = 0; k < 3; k++) {
        const bool there = k < f->b->dimension;
        apart[k] = there ? apart[k] - at[k] : 0.0;
        speed[k] = there ? f->v[j * nv + k] - f->v[i * nv + k] : 0.0;
    }
}

/* When ball i may touch body j first, both flying straight: boxes and cylinders count as balls around them. HUGE_VAL:
 * never. */
static double arrival(const struct flight *f, size_t i, size_t j)
{
    const struct carom_body *body = &f->b->body[j];
    double d[3], v[3];
    past(f, i, j, d, v);
    if (body->inside)
        return 0.0; /* it is at home there */
    if (body->surface == CAROM_PLANE) {
        const double high = -carom_vec_dot(d, body->normal) - f->b->body[i].radius,
                     down = carom_vec_dot(v, body->normal);
        return !(high > 0.0) ? 0.0 : down > 0.0 ? high / down : HUGE_VAL;
    }
    const double reach = f->b->body[i].radius + carom_bodies_reach(body), a = carom_vec_dot(v, v);
    const double closing = -carom_vec_dot(d, v), c = carom_vec_dot(d, d) - reach * reach * (1.0 + 1e-9);
    const double root = closing * closing - a * c;
    if (!(c > 0.0))
        return 0.0;
    return closing > 0.0 && root >= 0.0 ? c / (closing + sqrt(root)) : HUGE_VAL;
}

static bool flies_straight(const struct carom_bodies *b)
{
    bool straight = b->nloads == 0 && b->nleads == 0;
    for (size_t k = 0; k < 3; k++)
        straight = straight && b->gravity[k] == 0.0 && !b->periodic[k];
    return straight && b->njoints == 0;
}

/* is anybody moved from its place, against others perhaps? */
static bool is_pressed(const struct flight *f)
{
    const size_t nq = carom_bodies_nq(f->b);
    for (size_t i = 0; i < f->b->n; i++)
        for (size_t k = 0; k < f->b->dimension; k++)
            if (f->q[i * nq + k] != 0.0)
                return true;
    return false;
}

/* does a box or a cylinder move? Whom it meets is not told here */
static bool any_box_moves(const struct flight *f)
{
    for (size_t i = 0; i < f->b->n; i++)
        if (f->b->body[i].surface != CAROM_BALL && f->b->body[i].surface != CAROM_PLANE && moves(f, i))
            return true;
    return false;
}

/* the first meeting of any body that moves; *who: the first of them */
static double first_meeting(const struct flight *f, size_t *who, size_t *movers)
{
    double first = HUGE_VAL;
    *movers = 0;
    for (size_t i = 0; i < f->b->n && *movers < MOVERS; i++) {
        if (!moves(f, i))
            continue;
        *who = (*movers)++ == 0 ? i : *who;
        for (size_t j = 0; j < f->b->n && first > 0.0; j++)
            if (j != i && f->b->body[i].surface == CAROM_BALL)
                first = fmin(first, arrival(f, i, j));
            else if (j != i && f->b->body[j].surface == CAROM_BALL)
                first = fmin(first, arrival(f, j, i));
    }
    return first;
}

/* is there a pairing that resists rolling but not sliding? */
static bool rolls_without_grip(const struct carom_bodies *b)
{
    bool any = false;
    for (size_t i = 0; i < b->npairings; i++) {
        const struct carom_pairing *p = &b->pairing[i];
        const bool slides = p->law->rigid ? !(p->param[CAROM_RIGID_MU].param > 0.0) : !p->friction;
        any = any || (slides && carom_pairing_resists(p, CAROM_ROLLS) != NULL);
    }
    return any;
}

enum carom_status carom_bind_space_odd(struct carom_bind *b, bool *alone)
{
    const struct carom_scene *scene = b->scene;
    const struct flight f = {carom_model_bodies(scene->model), scene->q, scene->v};
    const char *s = b->r.si ? " s" : "";
    size_t who = 0, movers;
    enum carom_status status = CAROM_OK;
    if (rolls_without_grip(f.b))
        status = carom_bind_note(b, "rolling is resisted but sliding is not: without friction: {mu: ...} nothing makes "
                                    "bodies roll");
    if (status != CAROM_OK || !flies_straight(f.b) || scene->contacts != NULL)
        return status;
    if (!(scene->scales.speed > 0.0))
        return is_pressed(&f)
                   ? CAROM_OK
                   : carom_bind_note(b, "nothing moves: give a body a velocity, or a load, a drive, gravity");
    const double first = first_meeting(&f, &who, &movers);
    *alone = movers > 0 && movers < MOVERS && !(first <= scene->until) && !any_box_moves(&f);
    if (!*alone)
        return CAROM_OK;
    if (first < HUGE_VAL)
        return carom_bind_note(b, "nothing is struck: body %zu would arrive at t = %.4g%s, and the run ends at %g%s",
                               who + 1, first, s, scene->until, s);
    if (movers > 1)
        return carom_bind_note(b, "nothing is struck: none of the %zu bodies that move has anything in its way",
                               movers);
    return carom_bind_note(b, "nothing is struck: body %zu has nothing in its way", who + 1);
}
