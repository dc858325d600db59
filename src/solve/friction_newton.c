/* Newton on the natural map, smoothed. In x = (mu r_N, r_T) and y = (u_N / mu + |u_T|, u_T), both scaled contact by
 * contact, the cone is the second-order cone L, and x = P(x - y) says all. P is replaced by the smooth map (z +
 * sqrt(z^2 + 4 tau^2)) / 2 of the cone's Jordan algebra, whose zeros are the central path x o y = tau^2 e (Fukushima,
 * Luo and Tseng 2001); tau goes to 0 as Newton succeeds, so that the last steps are those of the nonsmooth Newton
 * method. |u_T| is part of the linearisation. The steps are searched on the squares of the smoothed map. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/friction_parts.h"

enum { HALVINGS = 14, RAISES = 8, MOST = CAROM_FRICTION_MOST_DIM };

struct newton {
    const struct carom_friction_view *view;
    struct carom_friction_room *room;
    double *x, *y, *map, *step, *trial, *scale; /* scale: r = scale x, n dim */
    double tau;                                 /* in units of velocity */
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

/* The map at x; returns the sum of its squares in units of velocity, *most the largest part. NaN in, NaN out. */
static double map_at(struct newton *newton, const double *x, double *most)
{
    const struct carom_friction_view *view = newton->view;
    const size_t dim = view->dim;
    double *r = newton->room->trial, *u = newton->y, sum = 0.0, worst = 0.0, slip;
    for (size_t k = 0; k < view->n * dim; k++)
        r[k] = newton->scale[k] * x[k];
    carom_friction_velocity(view, r, u);
    for (size_t i = 0; i < view->n; i++) {
        double *y = u + i * dim, *map = newton->map + i * dim, z[MOST], p[MOST];
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
            worst = fabs(speed * map[k]) > worst ? fabs(speed * map[k]) : worst;
        }
    }
    *most = worst;
    return sum;
}

/* Newton's matrix (I - D) + D N S W S in the pattern of W, at the y of the last map_at(x) */
static void linearise(struct newton *newton)
{
    const struct carom_friction_view *view = newton->view;
    const size_t dim = view->dim, square = dim * dim;
    for (size_t i = 0; i < view->n; i++) {
        double inside[MOST * MOST] = {0.0}, outside[MOST * MOST] = {0.0}, z[MOST], p[MOST], left[MOST * MOST];
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
        for (size_t e = view->first[i]; e < view->first[i + 1]; e++) {
            const double *w = view->block + e * square, *of = newton->scale + view->column[e] * dim;
            double *to = newton->room->matrix + e * square;
            for (size_t k = 0; k < dim; k++)
                for (size_t l = 0; l < dim; l++) {
                    double sum = 0.0;
                    for (size_t m = 0; m < dim; m++)
                        sum += left[k * dim + m] * w[m * dim + l];
                    to[k * dim + l] = sum * of[l];
                }
            if (e == view->diagonal[i])
                for (size_t k = 0; k < square; k++)
                    to[k] += outside[k];
        }
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
    carom_block_factor_compute(&newton->room->factor, view->first, view->column, newton->room->matrix, 1e-11, 1e-14);
    for (size_t k = 0; k < count; k++)
        newton->map[k] = -newton->map[k];
    carom_friction_krylov_solve(view, newton->room, newton->map, newton->step);
    for (size_t k = 0; k < count; k++)
        poison += 0.0 * newton->step[k];
    return poison == 0.0;
}

/* Searches along the step; false if nothing is gained */
static bool search(struct newton *newton, double *merit, double *most)
{
    const size_t count = newton->view->n * newton->view->dim;
    double length = 1.0;
    for (int halving = 0; halving < HALVINGS; halving++, length *= 0.5) {
        for (size_t k = 0; k < count; k++)
            newton->trial[k] = newton->x[k] + length * newton->step[k];
        double worst;
        const double next = map_at(newton, newton->trial, &worst);
        if (next <= (1.0 - 1e-4 * length) * *merit) {
            memcpy(newton->x, newton->trial, count * sizeof *newton->x);
            *merit = next;
            *most = worst;
            return true;
        }
    }
    return false;
}

/* residual of x made feasible, kept in r if it is the best */
static double judge(struct newton *newton, double *r, double best)
{
    const struct carom_friction_view *view = newton->view;
    const size_t dim = view->dim;
    double *trial = newton->room->trial, *u = newton->room->velocity;
    for (size_t i = 0; i < view->n; i++) {
        for (size_t k = 0; k < dim; k++)
            trial[i * dim + k] = newton->scale[i * dim + k] * newton->x[i * dim + k];
        carom_friction_local_project(dim, view->mu[i], trial + i * dim);
    }
    carom_friction_velocity(view, trial, u);
    const double distance = carom_friction_distance(view, trial, u);
    const double residual = distance == 0.0 ? 0.0 : distance / carom_friction_size(view, trial);
    if (!(residual < best))
        return best;
    memcpy(r, trial, view->n * dim * sizeof *r);
    return residual;
}

/* Less smoothing: a tenth, and in the end so that the error falls like Newton's. */
static void lower(struct newton *newton)
{
    const double part = newton->tau / newton->view->speed;
    newton->tau *= part < 0.01 ? part : 0.1;
    if (newton->tau < 1e-15 * newton->view->speed)
        newton->tau = 0.0;
}

double carom_friction_newton_run(const struct carom_friction_view *view, double tol, size_t most,
                                 struct carom_friction_room *room, double *r, size_t *iterations)
{
    struct newton newton = {view,         room,         room->row[0], room->row[1], room->row[2],
                            room->row[3], room->row[4], room->row[5], 0.0};
    double worst, best = HUGE_VAL;
    carom_friction_newton_scale(view, newton.scale);
    for (size_t k = 0; k < view->n * view->dim; k++)
        newton.x[k] = r[k] / newton.scale[k];
    best = judge(&newton, r, best);
    double merit = map_at(&newton, newton.x, &worst);
    newton.tau = worst > 0.0 ? 0.5 * worst : view->speed;
    merit = map_at(&newton, newton.x, &worst);
    size_t raised = 0;
    for (size_t k = 0; k < most && best > tol; k++) {
        ++*iterations;
        if (!carom_friction_go_on(room, *iterations, best) || !direct(&newton))
            break;
        if (search(&newton, &merit, &worst)) {
            best = judge(&newton, r, best);
            if (worst <= newton.tau || newton.tau == 0.0)
                lower(&newton);
        } else if (raised++ < RAISES) {
            newton.tau = worst > newton.tau ? 3.0 * worst : 10.0 * newton.tau;
        } else {
            break;
        }
        merit = map_at(&newton, newton.x, &worst);
    }
    return best;
}
