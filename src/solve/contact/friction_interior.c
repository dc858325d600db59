/* Interior points for friction cones. In x = (mu r_N, r_T) and y = (u_N / mu + |u_T|, u_T), scaled contact by
 * contact, the law is L ∋ x _|_ y ∈ L for the second-order cone L, as in a convex programme but for |u_T| (Acary,
 * Armand, Nguyen and Shpakovych 2023). Steps are those of Nesterov and Todd with Mehrotra's correction, |u_T|
 * linearised along. Sure on tall and redundant stacks; it does not gain from a good start, and its last digits are
 * Newton's business. */
#include <math.h>
#include <string.h>

#include "solve/contact/friction_parts.h"

enum { MOST = CAROM_FRICTION_MOST_DIM, STUCK = 4 };

struct interior {
    const struct carom_friction_view *view;
    struct carom_friction_room *room;
    double *x, *y, *dx, *dy, *right, *scale; /* n dim each; r = scale x */
    double *lack;                            /* S (W r + b) + |y_T| e - y */
    double *turn, *stretch;                  /* T = stretch (turn ...): Nesterov and Todd's scaling, T x = T^-1 y */
    double *bend;                            /* the correction of second order */
    bool convex;                             /* |u_T| is left out, see carom_friction_interior_rest */
    double last;                             /* length of the last step */
    double unit;                             /* see scale_of */
};

/* dimension of the cone of contact i: without friction it is the half line */
static size_t width(const struct carom_friction_view *view, size_t i)
{
    return view->mu[i] > 0.0 ? view->dim : 1;
}

/* What x and y of a contact are measured in, squared and inverse: velocities, which suits bodies of like mass, or for
 * all the same, which is energy and suits unlike ones. */
static double scale_of(const struct interior *in, size_t i)
{
    return in->unit > 0.0 ? in->unit : in->view->weight[i];
}

static double tangent(size_t dim, const double *x)
{
    return dim == 1 ? 0.0 : dim == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}

static double determinant(size_t dim, const double *x)
{
    const double t = tangent(dim, x);
    return (x[0] - t) * (x[0] + t);
}

/* out = T in or, inverse, T^-1 in */
static void scale_by(size_t dim, const double *turn, double stretch, bool inverse, const double *in, double *out)
{
    double across = 0.0, first = in[0];
    for (size_t k = 1; k < dim; k++)
        across += turn[k] * in[k];
    const double sign = inverse ? -1.0 : 1.0, factor = inverse ? 1.0 / stretch : stretch;
    const double common = sign * first + across / (1.0 + turn[0]);
    out[0] = factor * (turn[0] * first + sign * across);
    for (size_t k = 1; k < dim; k++)
        out[k] = factor * (in[k] + turn[k] * common);
}

/* Finds T of contact i and its common image l = T x = T^-1 y; false if x or y has left the cone. */
static bool scaling(struct interior *in, size_t i, double *l)
{
    const size_t dim = width(in->view, i), at = i * in->view->dim;
    const double *x = in->x + at, *y = in->y + at, dx = determinant(dim, x), dy = determinant(dim, y);
    if (!(dx > 0.0 && dy > 0.0 && x[0] > 0.0 && y[0] > 0.0))
        return false;
    const double sx = 1.0 / sqrt(dx), sy = 1.0 / sqrt(dy);
    double product = 0.0;
    for (size_t k = 0; k < dim; k++)
        product += x[k] * sx * (y[k] * sy);
    const double half = 0.5 / sqrt(0.5 * (1.0 + product));
    double square = 1.0;
    for (size_t k = 1; k < dim; k++) {
        in->turn[at + k] = half * (y[k] * sy - x[k] * sx);
        square += in->turn[at + k] * in->turn[at + k];
    }
    in->turn[at] = sqrt(square);
    in->stretch[i] = sqrt(sqrt(dy) / sqrt(dx));
    scale_by(dim, in->turn + at, in->stretch[i], false, x, l);
    return true;
}

/* l \ v in the Jordan algebra: l o out = v */
static void divide(size_t dim, const double *l, const double *v, double *out)
{
    double first = l[0] * v[0];
    for (size_t k = 1; k < dim; k++)
        first -= l[k] * v[k];
    first /= determinant(dim, l);
    out[0] = first;
    for (size_t k = 1; k < dim; k++)
        out[k] = (v[k] - first * l[k]) / l[0];
}

/* How far x may go along dx inside the cone: 1 is the whole step, `keep` stays away from the edge. */
static double reach(size_t dim, const double *x, const double *dx, double keep)
{
    double a = dx[0] * dx[0], b = x[0] * dx[0];
    const double c = determinant(dim, x);
    for (size_t k = 1; k < dim; k++) {
        a -= dx[k] * dx[k];
        b -= x[k] * dx[k];
    }
    double most = dx[0] < 0.0 ? -x[0] / dx[0] : HUGE_VAL;
    const double root = b * b - a * c; /* a s^2 + 2 b s + c = 0 */
    if (dim > 1 && root >= 0.0 && (b < 0.0 || a < 0.0)) {
        const double s = b < 0.0 ? c / (-b + sqrt(root)) : (-b - sqrt(root)) / a;
        most = s > 0.0 && s < most ? s : most;
    }
    return keep * most < 1.0 ? keep * most : 1.0;
}

static double room_for_step(const struct interior *in, const double *x, const double *dx, double keep)
{
    double most = 1.0;
    for (size_t i = 0; i < in->view->n; i++) {
        const size_t at = i * in->view->dim;
        const double part = reach(width(in->view, i), x + at, dx + at, keep);
        most = part < most ? part : most;
    }
    return most;
}

/* x . y in squares of velocity, the mean over contacts, `step` further along dx, dy */
static double gap(const struct interior *in, double step_x, double step_y)
{
    double sum = 0.0;
    for (size_t i = 0; i < in->view->n; i++)
        for (size_t k = i * in->view->dim, l = 0; l < width(in->view, i); k++, l++)
            sum += scale_of(in, i) * (in->x[k] + step_x * in->dx[k]) * (in->y[k] + step_y * in->dy[k]);
    return sum / (double)in->view->n;
}

static double slip_of(const struct interior *in, size_t i)
{
    return in->convex ? 0.0 : tangent(width(in->view, i), in->y + i * in->view->dim);
}

/* what y lacks */
static void lack(struct interior *in)
{
    const struct carom_friction_view *view = in->view;
    const size_t dim = view->dim;
    double *r = in->room->trial;
    for (size_t k = 0; k < view->n * dim; k++)
        r[k] = in->scale[k] * in->x[k];
    carom_friction_sweep_velocity(view, r, in->lack);
    for (size_t i = 0; i < view->n; i++) {
        double *of = in->lack + i * dim;
        for (size_t k = 0; k < dim; k++)
            of[k] = k < width(view, i) ? of[k] * in->scale[i * dim + k] - in->y[i * dim + k] : 0.0;
        of[0] += slip_of(in, i);
    }
}

/* T^2 + N S W S with N = I + e g^T, g the direction of slip; rows without friction are x_T = 0. T^-2 has a closed form,
 * where inverting T^2 near the edge of the cone would leave no digit. */
static void linearise(struct interior *in)
{
    const struct carom_friction_view *view = in->view;
    const size_t dim = view->dim, square = dim * dim;
    memset(in->room->left, 0, view->n * square * sizeof(double));
    memset(in->room->alone, 0, view->n * square * sizeof(double));
    memset(in->room->inverse, 0, view->n * square * sizeof(double));
    for (size_t i = 0; i < view->n; i++) {
        const size_t wide = width(view, i);
        const double *y = in->y + i * dim, *s = in->scale + i * dim, *turn = in->turn + i * dim;
        const double slip = slip_of(in, i), stretch = in->stretch[i] * in->stretch[i];
        double *left = in->room->left + i * square, *own = in->room->alone + i * square;
        double *inverse = in->room->inverse + i * square;
        for (size_t k = 0; k < wide; k++)
            left[k * dim + k] = s[k];
        for (size_t k = 1; k < wide && slip > 0.0; k++)
            left[k] = y[k] / slip * s[k];
        for (size_t k = 0; k < wide; k++)
            for (size_t l = 0; l < wide; l++) {
                const double both = 2.0 * turn[k] * turn[l], unit = k != l ? 0.0 : k == 0 ? 1.0 : -1.0;
                own[k * dim + l] = stretch * (both - unit);
                inverse[k * dim + l] = ((k == 0) == (l == 0) ? both - unit : -both) / stretch;
            }
        for (size_t k = wide; k < dim; k++)
            own[k * dim + k] = inverse[k * dim + k] = 1.0;
    }
}

/* The step towards x o y = target e (in squares of velocity), with the correction if `bent`. */
static bool direct(struct interior *in, double target, bool bent)
{
    const struct carom_friction_view *view = in->view;
    const size_t dim = view->dim;
    double poison = 0.0;
    for (size_t i = 0; i < view->n; i++) {
        const size_t wide = width(view, i), at = i * dim;
        double l[MOST] = {0.0}, v[MOST] = {0.0}, c[MOST] = {0.0}, more = 0.0;
        const double slip = slip_of(in, i);
        scale_by(wide, in->turn + at, in->stretch[i], false, in->x + at, l);
        v[0] = target / scale_of(in, i);
        for (size_t k = 0; k < wide && bent; k++)
            v[k] -= in->bend[at + k];
        divide(wide, l, v, c);
        for (size_t k = 0; k < wide; k++)
            c[k] -= l[k];
        scale_by(wide, in->turn + at, in->stretch[i], false, c, v);
        for (size_t k = 1; k < wide && slip > 0.0; k++)
            more += in->y[at + k] / slip * in->lack[at + k];
        for (size_t k = 0; k < dim; k++) {
            in->dy[at + k] = k < wide ? v[k] : 0.0; /* T c; T^2 dx is taken off below */
            in->right[at + k] = k < wide ? v[k] - in->lack[at + k] - (k == 0 ? more : 0.0) : 0.0;
        }
    }
    carom_friction_krylov_solve(view, in->room, in->scale, in->right, in->dx);
    for (size_t i = 0; i < view->n; i++) {
        const size_t wide = width(view, i), at = i * dim;
        double once[MOST], both[MOST];
        scale_by(wide, in->turn + at, in->stretch[i], false, in->dx + at, once);
        scale_by(wide, in->turn + at, in->stretch[i], false, once, both);
        for (size_t k = 0; k < wide; k++) {
            in->dy[at + k] -= both[k];
            poison += 0.0 * in->dx[at + k] + 0.0 * in->dy[at + k];
        }
    }
    return poison == 0.0;
}

/* (T dx) o (T^-1 dy) of the step in hand */
static void remember_bend(struct interior *in)
{
    for (size_t i = 0; i < in->view->n; i++) {
        const size_t wide = width(in->view, i), at = i * in->view->dim;
        double a[MOST], c[MOST];
        scale_by(wide, in->turn + at, in->stretch[i], false, in->dx + at, a);
        scale_by(wide, in->turn + at, in->stretch[i], true, in->dy + at, c);
        in->bend[at] = a[0] * c[0];
        for (size_t k = 1; k < wide; k++) {
            in->bend[at] += a[k] * c[k];
            in->bend[at + k] = a[0] * c[k] + c[0] * a[k];
        }
    }
}

/* Starts, one after the other where the ones before led nowhere: x and y as multiples of the largest |b|. */
static const double starts[][2] = {{1.0, 1.0}, {10.0, 10.0}, {1000.0, 10.0}, {10.0, 1.0}, {100.0, 100.0}, {0.1, 1.0}};

/* Such that the largest |b| in roots of energy is as large as in velocities. */
static double energy_unit(const struct carom_friction_view *view)
{
    double most = 0.0;
    for (size_t i = 0; i < view->n; i++)
        for (size_t k = i * view->dim; k < (i + 1) * view->dim; k++) {
            const double part = view->b[k] * view->b[k] / view->weight[i];
            most = part > most ? part : most;
        }
    return most > 0.0 ? view->speed * view->speed / most : 1.0;
}

static void begin(struct interior *in, size_t start)
{
    const struct carom_friction_view *view = in->view;
    const double *of = starts[start % (sizeof starts / sizeof *starts)];
    for (size_t i = 0; i < view->n; i++)
        for (size_t k = 0; k < view->dim; k++) {
            const double unit = k == 0 ? view->speed / sqrt(scale_of(in, i)) : 0.0;
            in->x[i * view->dim + k] = of[0] * unit;
            in->y[i * view->dim + k] = of[1] * unit;
        }
    in->last = 1.0;
}

/* residual of x, kept in r if it is the best */
static double judge(struct interior *in, double *r, double best)
{
    const struct carom_friction_view *view = in->view;
    const size_t dim = view->dim;
    double *trial = in->room->trial;
    for (size_t i = 0; i < view->n; i++) {
        for (size_t k = 0; k < dim; k++)
            trial[i * dim + k] = k < width(view, i) ? in->scale[i * dim + k] * in->x[i * dim + k] : 0.0;
        carom_friction_local_project(dim, view->mu[i], trial + i * dim);
    }
    return carom_friction_best(view, trial, in->room->velocity, r, best);
}

static bool iterate(struct interior *in)
{
    const struct carom_friction_view *view = in->view;
    double l[MOST];
    for (size_t i = 0; i < view->n; i++)
        if (!scaling(in, i, l))
            return false;
    linearise(in);
    carom_friction_krylov_set(view, in->room, in->scale, 1e-14, true);
    const double now = gap(in, 0.0, 0.0);
    if (!direct(in, 0.0, false))
        return false;
    const double far_x = room_for_step(in, in->x, in->dx, 1.0), far_y = room_for_step(in, in->y, in->dy, 1.0);
    const double ahead = gap(in, far_x, far_y) / now;
    double centre = ahead < 1.0 ? ahead * ahead * ahead : 1.0;
    if (in->last < 0.2)
        centre = centre > 0.5 ? centre : 0.5;
    remember_bend(in);
    if (!direct(in, centre * now, true))
        return false;
    const double keep = 1.0 - centre * 0.1 > 0.99 ? 0.99 : 0.9;
    double step = room_for_step(in, in->x, in->dx, keep);
    const double other = room_for_step(in, in->y, in->dy, keep);
    step = other < step ? other : step;
    for (size_t k = 0; k < view->n * view->dim; k++) {
        in->x[k] += step * in->dx[k];
        in->y[k] += step * in->dy[k];
    }
    in->last = step;
    return step > 1e-6;
}

static double run(const struct carom_friction_view *view, double tol, size_t most, size_t start, bool convex,
                  struct carom_friction_room *room, double *r, size_t *iterations)
{
    struct interior in = {.view = view,
                          .room = room,
                          .x = room->row[0],
                          .y = room->row[1],
                          .dx = room->row[2],
                          .dy = room->row[3],
                          .right = room->row[4],
                          .scale = room->row[5],
                          .lack = room->row[6],
                          .turn = room->row[7],
                          .stretch = room->row[8],
                          .bend = room->row[10],
                          .convex = convex};
    double best = HUGE_VAL;
    size_t stuck = 0;
    carom_friction_newton_scale(view, in.scale);
    in.unit = start % 2 ? energy_unit(view) : 0.0;
    begin(&in, start);
    for (size_t k = 0; k < most && best > tol && stuck < STUCK; k++) {
        lack(&in);
        ++*iterations;
        if (!carom_friction_go_on(room, *iterations, best) || !iterate(&in))
            break;
        stuck = in.last < 0.05 ? stuck + 1 : 0;
        best = judge(&in, r, best);
    }
    return best;
}

double carom_friction_interior_run(const struct carom_friction_view *view, double tol, size_t most, size_t start,
                                   struct carom_friction_room *room, double *r, size_t *iterations)
{
    return run(view, tol, most, start, false, room, r, iterations);
}

double carom_friction_interior_rest(const struct carom_friction_view *view, double tol, size_t most,
                                    struct carom_friction_room *room, double *r, size_t *iterations)
{
    return run(view, tol, most, 0, true, room, r, iterations);
}
