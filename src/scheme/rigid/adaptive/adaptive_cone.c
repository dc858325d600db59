/* Friction of moreau-adaptive in space, see adaptive_cone.h. */
#include "scheme/rigid/adaptive/adaptive_cone.h"

#include <string.h>

#include "base/angle.h"
#include "model/ports.h"
#include "solve/dense.h"

/* times w->none: a slip that has stopped; one that is no longer beginning; one at which its leap ends */
static const double stopped = 2.0, young = 2.5, grown = 3.0;

void carom_adaptive_cone_look(struct carom_adaptive *w, const double *q, const double *v)
{
    const struct carom_model *model = w->moreau.rigid.model;
    double normal[3];
    for (size_t j = 0; j < model->nc; j++) {
        double *slip = w->slip + 3 * j;
        if (w->mode[j] == CAROM_COULOMB_OPEN && w->gap[j] > 10.0 * w->touch)
            continue;
        carom_ports_passage(model, j, q, v, normal, slip);
        const double across = carom_vec_dot(normal, slip), none = carom_vec_norm(normal) > 0.0 ? 1.0 : 0.0;
        for (int k = 0; k < 3; k++)
            slip[k] = none * (slip[k] - across * normal[k]);
    }
}

void carom_adaptive_cone_begin(struct carom_adaptive *w, const double *q, const double *v, const double *ways)
{
    if (w->wide == 1)
        return;
    carom_adaptive_cone_look(w, q, v);
    for (size_t j = 0; j < w->moreau.rigid.model->nc; j++) {
        const double *slip = w->slip + 3 * j, speed = carom_vec_norm(slip);
        w->young[j] = carom_vec_norm(ways + 3 * j) > 0.0 && speed <= young * w->none;
        w->stops[j] = speed > w->none ? w->none : 0.5 * speed;
        for (size_t k = 0; k < 3; k++)
            w->toward[3 * j + k] = w->young[j] ? ways[3 * j + k] : speed > 0.0 ? slip[k] / speed : 0.0;
    }
}

void carom_adaptive_cone_fix(struct carom_adaptive *w, const double *q, const double *v)
{
    w->fixed = w->wide > 1 && q;
    if (!w->fixed)
        return;
    carom_adaptive_cone_look(w, q, v);
    for (size_t j = 0; j < w->moreau.rigid.model->nc; j++) {
        const double *slip = w->slip + 3 * j, *toward = w->toward + 3 * j, speed = carom_vec_norm(slip);
        const double sign = carom_vec_dot(slip, toward) < 0.0 ? -1.0 : 1.0; /* beyond a stop */
        for (size_t k = 0; k < 3; k++)
            w->slipping[3 * j + k] = speed > w->slow && !w->young[j] ? sign * slip[k] / speed : toward[k];
    }
}

double carom_adaptive_cone_left(const struct carom_adaptive *w, size_t j)
{
    if (w->wide == 1)
        return (w->mode[j] == CAROM_COULOMB_UP ? -w->slip[j] : w->slip[j]) + w->slow;
    return w->young[j] ? grown * w->none - carom_vec_norm(w->slip + 3 * j)
                       : carom_vec_dot(w->slip + 3 * j, w->toward + 3 * j) - w->stops[j];
}

bool carom_adaptive_cone_stopped(const struct carom_adaptive *w, size_t j)
{
    if (w->wide > 1)
        return w->mode[j] == CAROM_COULOMB_SLIP && !w->young[j] && carom_vec_norm(w->slip + 3 * j) <= stopped * w->none;
    return (w->mode[j] == CAROM_COULOMB_UP && w->slip[j] > w->slow) ||
           (w->mode[j] == CAROM_COULOMB_DOWN && w->slip[j] < -w->slow);
}

bool carom_adaptive_cone_young(const struct carom_adaptive *w, size_t j)
{
    return w->wide > 1 && w->was[j] == CAROM_COULOMB_SLIP && w->young[j] &&
           carom_vec_norm(w->slip + 3 * j) <= young * w->none;
}

/* --- impulses ---------------------------------------------------------------------------------------------------- */

/* the way in which contact k of the frame slips, along its tangents */
static void toward_of(const struct carom_adaptive *w, size_t k, double out[2])
{
    const double *toward = (w->fixed ? w->slipping : w->toward) + 3 * w->closed[k];
    for (size_t way = 0; way < 2; way++)
        out[way] = carom_vec_dot(w->moreau.frame.axes[k] + 3 * way, toward);
}

/* Does friction turn with the slip of contact k? */
static bool turns(const struct carom_adaptive *w, size_t k)
{
    return w->some[k] == CAROM_COULOMB_SLIP && w->moreau.friction.now[k] > 0.0 && !w->young[w->closed[k]] && !w->fixed;
}

/* Which way friction pushes at contact k where it slips by `slip`: against that, but as it was where the slip has
 * turned about; a step beyond a stop is then as smooth as one before it, and the stop between them is found. */
static void push_against(const struct carom_adaptive *w, size_t k, const double slip[2], double against[2])
{
    const double speed = carom_adaptive_cone_length(slip);
    double toward[2];
    toward_of(w, k, toward);
    const bool told = turns(w, k) && speed > 0.0, back = slip[0] * toward[0] + slip[1] * toward[1] < 0.0;
    for (size_t way = 0; way < 2; way++)
        against[way] = !told ? -toward[way] : (back ? slip[way] : -slip[way]) / speed;
}

/* Impulses of friction as it points now into friction.r, and by what angle it should point otherwise, of each contact
 * that turns. Returns the largest. */
static double press(struct carom_adaptive *w, double *angle)
{
    struct carom_coulomb *r = &w->moreau.friction;
    const struct carom_frame *f = &w->moreau.frame;
    const size_t wide = 3 * f->n;
    double most = 0.0;
    w->redundant |= !carom_coulomb_modes(r, f, w->some, r->r);
    for (size_t k = 0; k < f->n; k++) {
        double slip[2], wanted[2];
        angle[k] = 0.0;
        if (!turns(w, k))
            continue;
        for (size_t way = 0; way < 2; way++)
            slip[way] = r->u[3 * k + 1 + way] + 0.5 * carom_vec_product(wide, f->both + (3 * k + 1 + way) * wide, r->r);
        push_against(w, k, slip, wanted);
        const double *now = r->against + 2 * k;
        const double cross = now[0] * wanted[1] - now[1] * wanted[0], dot = now[0] * wanted[0] + now[1] * wanted[1];
        angle[k] = carom_angle_atan2(cross, dot);
        most = fmax(most, fabs(angle[k]));
    }
    return most;
}

static void turn_by(double against[2], double angle)
{
    const double c = carom_angle_cos(angle), s = carom_angle_sin(angle), x = against[0], y = against[1];
    against[0] = c * x - s * y;
    against[1] = s * x + c * y;
}

/* Newton's method on the directions of friction */
static void point(struct carom_adaptive *w)
{
    enum { TURNS = 12 };
    const double little = 1e-6, farthest = 0.5, exact = 1e-15;
    struct carom_coulomb *r = &w->moreau.friction;
    const size_t n = w->moreau.frame.n;
    double *angle = w->angle, *other = angle + n, *slope = other + n, last = HUGE_VAL;
    for (int turn = 0; turn < TURNS; turn++) {
        const double most = press(w, angle);
        if (most <= exact || (most <= 1e-9 && most >= 0.5 * last) || turn + 1 == TURNS)
            return;
        last = most;
        for (size_t l = 0; l < n; l++) {
            const double was[2] = {r->against[2 * l], r->against[2 * l + 1]};
            if (turns(w, l)) {
                turn_by(r->against + 2 * l, little);
                press(w, other);
                memcpy(r->against + 2 * l, was, sizeof was);
            }
            for (size_t k = 0; k < n; k++)
                slope[k * n + l] = turns(w, l) ? (other[k] - angle[k]) / little : k == l;
        }
        carom_dense_solve(n, slope, angle, w->order, 1e-13);
        for (size_t l = 0; l < n; l++)
            turn_by(r->against + 2 * l, fmax(fmin(-angle[l], farthest), -farthest));
    }
}

void carom_adaptive_cone_hold(struct carom_adaptive *w, const double *b, const double *slips, bool friction)
{
    struct carom_moreau *m = &w->moreau;
    struct carom_coulomb *r = &m->friction;
    const struct carom_frame *f = &m->frame;
    const size_t n = f->n, wide = 3 * n;
    for (size_t k = 0; k < n; k++) {
        r->keep[3 * k] = m->rigid.impulse[k];
        memcpy(r->keep + 3 * k + 1, r->impulse + 2 * k, 2 * sizeof *r->keep);
        r->now[k] = friction && f->slips[k] ? r->mu[f->contact[k]] : 0.0;
        push_against(w, k, r->after + 2 * k, r->against + 2 * k);
    }
    for (size_t k = 0; k < wide; k++) { /* as without the impulses there are */
        const double done = carom_vec_product(wide, f->both + k * wide, r->keep);
        r->b[k] = (k % 3 ? slips[2 * (k / 3) + k % 3 - 1] : b[k / 3]) - done;
        r->u[k] = (k % 3 ? r->after[2 * (k / 3) + k % 3 - 1] : 0.0) - 0.5 * done;
    }
    point(w);
    for (size_t k = 0; k < n; k++) {
        w->normal_more[k] = r->r[3 * k] - r->keep[3 * k];
        for (size_t way = 0; way < 2; way++)
            w->along_more[2 * k + way] = r->r[3 * k + 1 + way] - r->keep[3 * k + 1 + way];
    }
}

/* --- modes ------------------------------------------------------------------------------------------------------- */

enum carom_status carom_adaptive_cone_modes(struct carom_stepper *stepper, double t, double fastest,
                                            struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    struct carom_rigid_step *c = &m->rigid;
    struct carom_coulomb *r = &m->friction;
    const double rounding = 64.0 * DBL_EPSILON * fastest;
    double *drag = w->along_more, none = rounding;
    memset(w->begins, 0, 3 * stepper->model->nc * sizeof(double));
    memcpy(drag, r->freely, 2 * c->n * sizeof *drag);
    for (size_t k = 0; k < c->n; k++) {
        const size_t j = c->contact[k];
        const double *slip = w->slip + 3 * j, speed = carom_vec_norm(slip);
        const bool slips = speed > w->none && !carom_adaptive_cone_young(w, j);
        for (size_t way = 0; way < 2; way++)
            r->before[2 * k + way] = slips ? carom_vec_dot(m->frame.axes[k] + 3 * way, slip) / speed : 0.0;
        r->stuck[k] = w->stuck[j];
        m->lasting[k] = true;
    }
    const enum carom_status status =
        carom_coulomb_space_press(r, stepper, &m->frame, t, c->b, drag, m->lasting, c->impulse, &none, error);
    for (size_t k = 0; status == CAROM_OK && k < c->n; k++) {
        const size_t j = c->contact[k];
        double begin[2] = {0.0, 0.0};
        const bool presses = c->impulse[k] * m->frame.diagonal[k] > rounding;
        const bool slips = m->frame.slips[k] &&
                           (carom_adaptive_cone_length(r->before + 2 * k) > 0.0 ||
                            carom_coulomb_space_begins(r, &m->frame, k, !r->stuck[k] && r->now[k] > 0.0, none, begin));
        w->mode[j] = !presses ? CAROM_COULOMB_OPEN : slips ? CAROM_COULOMB_SLIP : CAROM_COULOMB_STICK;
        for (size_t d = 0; d < 3 && presses && slips; d++)
            w->begins[3 * j + d] = begin[0] * m->frame.axes[k][d] + begin[1] * m->frame.axes[k][3 + d];
    }
    return status;
}

void carom_adaptive_cone_break(struct carom_adaptive *w, size_t j)
{
    w->mode[j] = w->along[w->wide * j] > 0.0 ? CAROM_COULOMB_UP : CAROM_COULOMB_DOWN;
    if (w->wide == 1)
        return;
    const double *pull = w->along + 3 * j, size = carom_vec_norm(pull);
    w->mode[j] = CAROM_COULOMB_SLIP;
    for (size_t k = 0; k < 3 && size > 0.0; k++)
        w->begins[3 * j + k] = -pull[k] / size;
}
