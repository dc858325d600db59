/* Dense output for bodies whose contacts come and go, see between.h. Rotations in space are those of a rotation vector
 * from the start of the step, which is small, so that its rate is the spin to the order of the cubic. */
#include "scheme/between.h"

#include "base/angle.h"
#include "base/quat.h"
#include "model/bodies/list.h"

/* a cubic with both ends and both slopes: its value at part s of a step h, and its slope */
static double cubic(double x0, double x1, double v0, double v1, double h, double s, double *slope)
{
    const double mean = h > 0.0 ? (x1 - x0) / h : v1, early = v0 - mean, late = v1 - mean;
    *slope = mean + (1.0 - s) * (1.0 - 3.0 * s) * early + s * (3.0 * s - 2.0) * late;
    return x0 + s * (x1 - x0) + h * s * (1.0 - s) * ((1.0 - s) * early - s * late);
}

/* the rotation vector from quaternion a to b */
static void turn_between(const double a[4], const double b[4], double vector[3])
{
    const double back[4] = {a[0], -a[1], -a[2], -a[3]};
    double turn[4];
    carom_quat_product(b, back, turn);
    const double sine = carom_vec_norm(turn + 1), sign = turn[0] < 0.0 ? -1.0 : 1.0;
    const double scale = sine > 0.0 ? 2.0 * carom_angle_atan2(sine, fabs(turn[0])) / sine : 2.0;
    for (int k = 0; k < 3; k++)
        vector[k] = sign * scale * turn[1 + k];
}

static void turn_view(const double *q0, const double *q1, const double *v0, const double *v1, double h, double s,
                      double *q, double *v)
{
    double whole[3], part[3], turn[4];
    turn_between(q0, q1, whole);
    for (int k = 0; k < 3; k++)
        part[k] = cubic(0.0, whole[k], v0[k], v1[k], h, s, &v[k]);
    carom_angle_turn(part, turn);
    carom_quat_product(turn, q0, q);
}

static void contacts_view(const struct carom_contacts *a, const struct carom_contacts *b, double s,
                          struct carom_contacts *view)
{
    carom_list_copy(view, b);
    for (size_t i = a->nfixed; i < a->ncolumns && a->n == view->n; i++)
        for (size_t j = 0; j < view->n; j++)
            view->column[i][j] = a->column[i][j] + s * (b->column[i][j] - a->column[i][j]);
    for (size_t i = 0; i < 2 * CAROM_RETIRED_KINDS; i++)
        view->retired[i] = a->retired[i] + s * (b->retired[i] - a->retired[i]);
}

void carom_between_view(const struct carom_bodies *b, const struct carom_state *from, const struct carom_state *to,
                        double t, struct carom_state *view)
{
    const double h = carom_state_until(from, to->time) + to->time_low;
    const double s = h > 0.0 ? carom_state_until(from, t) / h : 1.0;
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b), d = b->dimension, anchor = nq - d;
    for (size_t i = 0; i < b->n; i++) {
        const double *q0 = from->q + i * nq, *q1 = to->q + i * nq, *v0 = from->v + i * nv, *v1 = to->v + i * nv;
        double *q = view->q + i * nq, *v = view->v + i * nv;
        for (size_t k = 0; k < d; k++) { /* the end as the anchor of the start sees it */
            const double x1 = q1[k] + b->edge * (q1[anchor + k] - q0[anchor + k]);
            q[k] = cubic(q0[k], x1, v0[k], v1[k], h, s, &v[k]);
            q[anchor + k] = q0[anchor + k];
        }
        if (d == 2)
            q[2] = cubic(q0[2], q1[2], v0[2], v1[2], h, s, &v[2]);
        else
            turn_view(q0 + 3, q1 + 3, v0 + 3, v1 + 3, h, s, q + 3, v + 3);
    }
    contacts_view(from->contacts, to->contacts, s, view->contacts);
    for (size_t i = 0; i < 2 * from->nparts; i++)
        view->spent[i] = from->spent[i] + s * (to->spent[i] - from->spent[i]);
    view->energy = to->energy;
    view->step = to->step;
    carom_state_clock(view, t);
}
