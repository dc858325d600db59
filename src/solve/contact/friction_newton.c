/* Newton on the natural map, smoothed and damped. In x = (mu r_N, r_T) and y = (u_N / mu + |u_T|, u_T), both scaled
 * contact by contact, the cone is the second-order cone L, and x = P(x - y) says all. P is replaced by the smooth map
 * (z + sqrt(z^2 + 4 tau^2)) / 2 of the cone's Jordan algebra (Fukushima, Luo and Tseng 2001), tau a part of the
 * residual; |u_T| is linearised along. Each step solves the problem with damping I added to the scaled W, as if r
 * were held back towards where it is (pseudo-transient continuation, Kelley and Keyes 1998); damping follows the
 * map's size. No line search: contact problems have many local minima of the map, and growth by a few times is let
 * pass. */
#include <math.h>
#include <string.h>

#include "solve/contact/friction_parts.h"

enum { MOST = CAROM_FRICTION_MOST_DIM };
static const double growth = 6.0; /* of the map in one step that is let pass */
static const double part = 0.3;   /* tau, of the residual */
#define STIFF 1e8                 /* damping beyond which nothing moves */

struct newton {
    const struct carom_friction_view *view;
    struct carom_friction_room *room;
    double *x, *y, *map, *step, *trial, *scale; /* scale: r = scale x, n dim */
    double tau;                                 /* in units of velocity */
    double damping;                             /* of the scaled W, whose diagonal is at most 1 */
};

static double speed_of(const struct newton *newton, size_t i)
{
    return sqrt(newton->view->weight[i]);
}

/* p(l) = (l + sqrt(l^2 + 4 t^2)) / 2 without cancellation; *root is the square root */
static double smooth(double l, double t, double *root)
{
    *root = sqrt(l * l + 4.0 * t * t);
    return l >= 0.0 ? 0.5 * (l + *root) : 2.0 * t * t / (*root - l);
}

/* P(z) and, if asked, its derivative (inside) and I minus it (outside), dim x dim */
static void project(size_t dim, const double *z, double t, double *p, double *inside, double *outside)
{
    double size = dim == 2 ? fabs(z[1]) : sqrt(z[1] * z[1] + z[2] * z[2]), root[2], c[2] = {1.0, 0.0};
    for (size_t k = 0; k + 1 < dim && size > 0.0; k++)
        c[k] = z[k + 1] / size;
    const double low = z[0] - size, high = z[0] + size;
    const double p_low = smooth(low, t, &root[0]), p_high = smooth(high, t, &root[1]);
    p[0] = 0.5 * (p_low + p_high);
    for (size_t k = 0; k + 1 < dim; k++)
        p[k + 1] = 0.5 * (p_high - p_low) * c[k];
    if (!inside)
        return;
    double slope[2][2], across[2]; /* p' at low and high, and 1 - p'; (p_high - p_low) / (high - low) and 1 minus */
    double dummy;
    slope[0][0] = root[0] > 0.0 ? p_low / root[0] : 0.5;
    slope[0][1] = root[1] > 0.0 ? p_high / root[1] : 0.5;
    slope[1][0] = root[0] > 0.0 ? smooth(-low, t, &dummy) / root[0] : 0.5;
    slope[1][1] = root[1] > 0.0 ? smooth(-high, t, &dummy) / root[1] : 0.5;
    const double sum = root[0] + root[1], lean = sum > 0.0 ? (low + high) / sum : 0.0;
    across[0] = 0.5 * (1.0 + lean);
    across[1] = 0.5 * (1.0 - lean);
    for (int side = 0; side < 2; side++) {
        double *d = side == 0 ? inside : outside;
        const double mean = 0.5 * (slope[side][1] + slope[side][0]);
        const double half = 0.5 * (slope[0][1] - slope[0][0]) * (side == 0 ? 1.0 : -1.0);
        d[0] = mean;
        for (size_t k = 1; k < dim; k++) {
            d[k] = d[k * dim] = half * c[k - 1];
            for (size_t l = 1; l < dim; l++)
                d[k * dim + l] = (mean - across[side]) * c[k - 1] * c[l - 1] + (k == l ? across[side] : 0.0);
        }
    }
}

/* scaled u -> y; *slip gets the smoothed |u_T| */
static void shift(const struct newton *newton, size_t i, double *y, double *slip)
{
    const double t = newton->tau / speed_of(newton, i);
    double square = t * t;
    for (size_t k = 1; k < newton->view->dim; k++)
        square += y[k] * y[k];
    *slip = sqrt(square);
    y[0] += *slip;
}

/* The map at x; returns the sum of its squares in units of velocity. NaN in, NaN out. */
static double map_at(struct newton *newton, const double *x)
{
    const struct carom_friction_view *view = newton->view;
    const size_t dim = view->dim;
    double *r = newton->room->trial, *u = newton->y, sum = 0.0, slip;
    for (size_t k = 0; k < view->n * dim; k++)
        r[k] = newton->scale[k] * x[k];
    carom_friction_sweep_velocity(view, r, u);
    for (size_t i = 0; i < view->n; i++) {
        double *y = u + i * dim, *map = newton->map + i * dim, z[MOST] = {0.0}, p[MOST];
        const double speed = speed_of(newton, i), t = newton->tau / speed;
        for (size_t k = 0; k < dim; k++)
            y[k] *= newton->scale[i * dim + k];
        if (view->mu[i] > 0.0) {
            shift(newton, i, y, &slip);
            for (size_t k = 0; k < dim; k++)
                z[k] = x[i * dim + k] - y[k];
            project(dim, z, t, p, NULL, NULL);
        } else {
            double root;
            memset(p, 0, sizeof p);
            p[0] = smooth(x[i * dim] - y[0], t, &root);
        }
        for (size_t k = 0; k < dim; k++) {
            map[k] = x[i * dim + k] - p[k];
            sum += speed * map[k] * speed * map[k];
        }
    }
    return sum;
}

/* Newton's matrix (I - D) + D N (S W S + damping) as alone + left W S, at the y of the last map_at(x) */
static void linearise(struct newton *newton)
{
    const struct carom_friction_view *view = newton->view;
    const size_t dim = view->dim, square = dim * dim;
    for (size_t i = 0; i < view->n; i++) {
        double inside[MOST * MOST] = {0.0}, outside[MOST * MOST] = {0.0}, z[MOST] = {0.0}, p[MOST];
        double *left = newton->room->left + i * square, *own = newton->room->alone + i * square;
        const double *y = newton->y + i * dim, t = newton->tau / speed_of(newton, i), *s = newton->scale + i * dim;
        for (size_t k = 0; k < dim; k++)
            z[k] = newton->x[i * dim + k] - y[k];
        double slip = t * t;
        if (view->mu[i] > 0.0) {
            project(dim, z, t, p, inside, outside);
        } else {
            double root, other;
            p[0] = smooth(z[0], t, &root);
            inside[0] = root > 0.0 ? p[0] / root : 0.5;
            outside[0] = root > 0.0 ? smooth(-z[0], t, &other) / root : 0.5;
            for (size_t k = 1; k < dim; k++)
                outside[k * dim + k] = 1.0;
        }
        for (size_t k = 1; k < dim; k++)
            slip += y[k] * y[k];
        slip = sqrt(slip);
        for (size_t k = 0; k < dim; k++)
            for (size_t l = 0; l < dim; l++) { /* D N S: N adds u_T . / |u_T| to the normal part */
                const double more = l > 0 && slip > 0.0 && view->mu[i] > 0.0 ? inside[k * dim] * y[l] / slip : 0.0;
                left[k * dim + l] = (inside[k * dim + l] + more) * s[l];
            }
        for (size_t k = 0; k < square; k++)
            own[k] = outside[k] + newton->damping * left[k] / s[k % dim];
    }
}

void carom_friction_newton_scale(const struct carom_friction_view *view, double *scale)
{
    const size_t dim = view->dim;
    for (size_t i = 0; i < view->n; i++) {
        const double *block = view->block + view->diagonal[i] * dim * dim, mu = view->mu[i];
        double most = block[0] / (mu > 0.0 ? mu * mu : 1.0);
        for (size_t k = 1; k < dim && mu > 0.0; k++)
            most = block[k * dim + k] > most ? block[k * dim + k] : most;
        for (size_t k = 0; k < dim; k++)
            scale[i * dim + k] = (most > 0.0 ? 1.0 / sqrt(most) : 1.0) / (k == 0 && mu > 0.0 ? mu : 1.0);
    }
}

/* The direction; false if it is not finite. A little is added to the factored diagonal, because redundant contacts make
 * the matrix singular; the iteration then takes it away again as far as it can. */
static bool direct(struct newton *newton)
{
    const struct carom_friction_view *view = newton->view;
    const size_t count = view->n * view->dim;
    double poison = 0.0;
    linearise(newton);
    carom_friction_krylov_set(view, newton->room, newton->scale, 1e-11, false);
    for (size_t k = 0; k < count; k++)
        newton->map[k] = -newton->map[k];
    carom_friction_krylov_solve(view, newton->room, newton->scale, newton->map, newton->step);
    for (size_t k = 0; k < count; k++)
        poison += 0.0 * newton->step[k];
    return poison == 0.0;
}

/* residual of x made feasible, kept in r if it is the best */
static double judge(struct newton *newton, double *r, double best)
{
    const struct carom_friction_view *view = newton->view;
    const size_t dim = view->dim;
    double *trial = newton->room->trial;
    for (size_t i = 0; i < view->n; i++) {
        for (size_t k = 0; k < dim; k++)
            trial[i * dim + k] = newton->scale[i * dim + k] * newton->x[i * dim + k];
        carom_friction_local_project(dim, view->mu[i], trial + i * dim);
    }
    return carom_friction_best(view, trial, newton->room->velocity, r, best);
}

/* One step; what the map became, as a multiple of what it was. Too much growth, and the step is not taken. */
static double advance(struct newton *newton)
{
    const size_t count = newton->view->n * newton->view->dim;
    const double before = map_at(newton, newton->x);
    if (!direct(newton))
        return HUGE_VAL;
    for (size_t k = 0; k < count; k++)
        newton->trial[k] = newton->x[k] + newton->step[k];
    const double ratio = sqrt(map_at(newton, newton->trial) / before);
    if (!(ratio <= growth))
        return HUGE_VAL;
    memcpy(newton->x, newton->trial, count * sizeof *newton->x);
    return ratio;
}

/* One sweep of Gauss-Seidel: the steps settle how contacts act on each other, a sweep what each does by itself. */
static void settle(struct newton *newton)
{
    const struct carom_friction_view *view = newton->view;
    double *r = newton->room->row[6];
    size_t uncounted = 0;
    for (size_t i = 0; i < view->n; i++) {
        for (size_t k = i * view->dim; k < (i + 1) * view->dim; k++)
            r[k] = newton->scale[k] * newton->x[k];
        carom_friction_local_project(view->dim, view->mu[i], r + i * view->dim);
    }
    carom_friction_sweep_run(view, 0.0, 1, newton->room, r, &uncounted);
    for (size_t k = 0; k < view->n * view->dim; k++)
        newton->x[k] = r[k] / newton->scale[k];
}

double carom_friction_newton_run(const struct carom_friction_view *view, double tol, size_t most, bool sweeps,
                                 struct carom_friction_room *room, double *r, size_t *iterations)
{
    struct newton newton = {.view = view,
                            .room = room,
                            .x = room->row[0],
                            .y = room->row[1],
                            .map = room->row[2],
                            .step = room->row[3],
                            .trial = room->row[4],
                            .scale = room->row[5]};
    carom_friction_newton_scale(view, newton.scale);
    for (size_t k = 0; k < view->n * view->dim; k++)
        newton.x[k] = r[k] / newton.scale[k];
    double best = judge(&newton, r, HUGE_VAL);
    newton.damping = best < 1e-2 ? 100.0 * best : 1.0;
    for (size_t k = 0; k < most && best > tol && newton.damping < STIFF; k++) {
        ++*iterations;
        if (!carom_friction_go_on(room, *iterations, best))
            break;
        newton.tau = part * best * view->speed;
        const double ratio = advance(&newton);
        if (ratio < HUGE_VAL)
            best = judge(&newton, r, best);
        if (ratio < HUGE_VAL && sweeps && best > tol) {
            settle(&newton);
            best = judge(&newton, r, best);
        }
        newton.damping *= ratio < 0.3 ? 0.27 : ratio < 1.0 ? 0.9 * ratio : ratio < HUGE_VAL ? ratio : 4.0;
    }
    return best;
}
