/* Levenberg and Marquardt's method on the natural map F(x) = x - P_K(x - u - (mu |u_T|, 0)) with x the impulses times
 * the weights of their contacts, u = W x + b, all over the largest |b|. Redundant contacts, such as the corners of a
 * face on a floor, make Newton's matrix singular, and most of all where some of them only just touch; J^T J with
 * damping has a step there, and the last digits are quadratic again. The map has many local minima: starts are thrown,
 * from the best so far with contacts let go or pressed, and from anywhere. */
#include "solve/contact/friction_marquardt.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "base/random.h"
#include "solve/contact/friction_parts.h"
#include "solve/dense.h"

enum { MOST_DIM = CAROM_FRICTION_MOST_DIM, STEPS = 40, STARTS = 80 };
#define PATIENCE 2e8 /* of products in all: a tenth of a second or two */

void carom_friction_marquardt_close(struct carom_friction_marquardt *room)
{
    carom_memory_free(room->w);
    *room = (struct carom_friction_marquardt){0};
}

static bool reserve(struct carom_friction_marquardt *room, size_t width)
{
    if (width > room->width) {
        carom_friction_marquardt_close(room);
        room->w = carom_memory_zeroed(width * (3 * width + 7), sizeof *room->w);
        room->width = room->w ? width : 0;
    }
    if (!room->w)
        return false;
    double **const rows[] = {&room->x, &room->map, &room->step, &room->trial, &room->next, &room->best, &room->free};
    room->slope = room->w + width * width;
    room->normal = room->slope + width * width;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        *rows[k] = room->normal + width * (width + k);
    return true;
}

static double weight_of(const struct carom_friction_problem *p, size_t i)
{
    size_t l = p->first[i];
    while (p->column[l] != i)
        l++;
    double most = 0.0;
    for (size_t k = 0; k < p->dim; k++)
        most = fmax(most, p->block[(l * p->dim + k) * p->dim + k]);
    return most > 0.0 ? most : 1.0;
}

static void write_down(const struct carom_friction_problem *p, double speed, struct carom_friction_marquardt *room)
{
    const size_t dim = p->dim, width = p->n * dim;
    memset(room->w, 0, width * width * sizeof *room->w);
    for (size_t i = 0; i < p->n; i++)
        for (size_t l = p->first[i]; l < p->first[i + 1]; l++) {
            const size_t j = p->column[l];
            const double over = 1.0 / weight_of(p, j);
            for (size_t k = 0; k < dim * dim; k++)
                room->w[(i * dim + k / dim) * width + j * dim + k % dim] = over * p->block[l * dim * dim + k];
        }
    for (size_t k = 0; k < width; k++)
        room->free[k] = p->b[k] / speed;
}

/* P_K of z and its derivative d (dim x dim) */
static void project(size_t dim, double mu, double *z, double *d)
{
    const double size = dim == 2 ? fabs(z[1]) : sqrt(z[1] * z[1] + z[2] * z[2]);
    const double share = 1.0 / (1.0 + mu * mu), normal = (z[0] + mu * size) * share;
    double along[2] = {1.0, 0.0};
    memset(d, 0, dim * dim * sizeof *d);
    if (!(z[0] < 0.0) && size <= mu * z[0]) {
        for (size_t k = 0; k < dim; k++)
            d[k * (dim + 1)] = 1.0;
        return;
    }
    for (size_t k = 1; k < dim && size > 0.0; k++)
        along[k - 1] = z[k] / size;
    if (normal > 0.0) {
        d[0] = share;
        for (size_t k = 1; k < dim; k++) {
            d[k] = d[k * dim] = share * mu * along[k - 1];
            for (size_t l = 1; l < dim; l++) {
                const double both = along[k - 1] * along[l - 1], round = size > 0.0 ? mu * normal / size : 0.0;
                d[k * dim + l] = share * mu * mu * both + round * ((k == l ? 1.0 : 0.0) - both);
            }
        }
    }
    z[0] = normal > 0.0 ? normal : 0.0;
    for (size_t k = 1; k < dim; k++)
        z[k] = mu * z[0] * along[k - 1];
}

/* rows of J of contact i: D N W with the identity less D added on its own; N adds mu u_T / |u_T| to the normal part */
static void differentiate(const struct carom_friction_problem *p, const struct carom_friction_marquardt *room, size_t i,
                          const double *u, const double *d, double *slope)
{
    const size_t dim = p->dim, width = p->n * dim;
    const double slip = dim == 2 ? fabs(u[1]) : sqrt(u[1] * u[1] + u[2] * u[2]);
    for (size_t k = 0; k < dim; k++) {
        double *row = slope + (i * dim + k) * width, left[MOST_DIM] = {0.0};
        for (size_t l = 0; l < dim; l++)
            left[l] = d[k * dim + l] + (l > 0 && slip > 0.0 ? d[k * dim] * p->mu[i] * u[l] / slip : 0.0);
        for (size_t c = 0; c < width; c++) {
            row[c] = 0.0;
            for (size_t l = 0; l < dim; l++)
                row[c] += left[l] * room->w[(i * dim + l) * width + c];
        }
        for (size_t l = 0; l < dim; l++)
            row[i * dim + l] += (k == l ? 1.0 : 0.0) - d[k * dim + l];
    }
}

/* the map at x, J if asked for; the sum of its squares, the largest of it in *worst */
static double map_at(const struct carom_friction_problem *p, const struct carom_friction_marquardt *room,
                     const double *x, double *map, double *slope, double *worst)
{
    const size_t dim = p->dim, width = p->n * dim;
    double sum = 0.0;
    *worst = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        double u[MOST_DIM] = {0.0}, z[MOST_DIM], d[MOST_DIM * MOST_DIM], slip = 0.0;
        for (size_t k = 0; k < dim; k++) {
            u[k] = room->free[i * dim + k];
            for (size_t c = 0; c < width; c++)
                u[k] += room->w[(i * dim + k) * width + c] * x[c];
            slip += k > 0 ? u[k] * u[k] : 0.0;
        }
        for (size_t k = 0; k < dim; k++)
            z[k] = x[i * dim + k] - u[k] - (k == 0 ? p->mu[i] * sqrt(slip) : 0.0);
        project(dim, p->mu[i], z, d);
        for (size_t k = 0; k < dim; k++) {
            map[i * dim + k] = x[i * dim + k] - z[k];
            sum += map[i * dim + k] * map[i * dim + k];
            *worst = fmax(*worst, fabs(map[i * dim + k]));
        }
        if (slope)
            differentiate(p, room, i, u, d, slope);
    }
    return sum;
}

/* (J^T J + damping) step = -J^T map; false if that has no digits left */
static bool direct(size_t width, const struct carom_friction_marquardt *room, double damping)
{
    memset(room->normal, 0, width * width * sizeof *room->normal);
    memset(room->step, 0, width * sizeof *room->step);
    for (size_t r = 0; r < width; r++) {
        const double *row = room->slope + r * width;
        for (size_t k = 0; k < width; k++) {
            room->step[k] -= row[k] * room->map[r];
            for (size_t l = 0; l <= k && row[k] != 0.0; l++)
                room->normal[k * width + l] += row[k] * row[l];
        }
    }
    for (size_t k = 0; k < width; k++)
        room->normal[k * (width + 1)] += damping;
    if (carom_dense_cholesky(width, room->normal, 0.0) != 0)
        return false;
    carom_dense_cholesky_solve(width, room->normal, room->step);
    return true;
}

/* downhill from x; returns what is left */
static double descend(const struct carom_friction_problem *p, const struct carom_friction_marquardt *room, double tol,
                      size_t *iterations)
{
    const size_t width = p->n * p->dim;
    double worst, damping = 1e-2, sum = map_at(p, room, room->x, room->map, room->slope, &worst);
    for (int k = 0; k < STEPS && worst > tol && damping < 1e6; k++) {
        double reached;
        ++*iterations;
        /* what is added must vanish with the map, or the last digits would be won one by one */
        if (!direct(width, room, damping * fmin(1.0, sum)))
            return worst;
        for (size_t l = 0; l < width; l++)
            room->trial[l] = room->x[l] + room->step[l];
        const double next = map_at(p, room, room->trial, room->next, NULL, &reached);
        if (!(next < sum)) {
            damping *= 8.0;
            continue;
        }
        damping *= next < 0.25 * sum ? 0.1 : 0.5;
        memcpy(room->x, room->trial, width * sizeof *room->x);
        sum = map_at(p, room, room->x, room->map, room->slope, &worst);
    }
    return worst;
}

/* start number `at`: the best with contacts let go or pressed, or anywhere within some powers of ten */
static void throw(const struct carom_friction_problem *p, const struct carom_friction_marquardt *room, size_t at,
                  struct carom_random *random)
{
    const size_t dim = p->dim;
    const double size = carom_power_exp(4.0 * carom_random_uniform(random) - 3.0);
    for (size_t i = 0; i < p->n; i++) {
        double *x = room->x + i * dim;
        const double press = carom_random_below(random, 3) == 0 ? 0.0 : 2.0 * carom_random_uniform(random);
        for (size_t k = 0; k < dim; k++)
            x[k] = at % 2 ? press * room->best[i * dim + k] : size * carom_random_normal(random);
        carom_friction_local_project(dim, p->mu[i], x);
    }
}

bool carom_friction_marquardt_solve(struct carom_friction_marquardt *room, const struct carom_friction_problem *problem,
                                    double tol, double *r, size_t *iterations)
{
    const size_t dim = problem->dim, width = problem->n * dim;
    const double cost = (double)width * (double)width * (double)width * STEPS;
    struct carom_random random;
    double speed = 0.0, least = HUGE_VAL;
    if (!reserve(room, width))
        return false;
    for (size_t k = 0; k < width; k++)
        speed = fmax(speed, fabs(problem->b[k]));
    if (!(speed > 0.0))
        return true;
    write_down(problem, speed, room);
    for (size_t k = 0; k < width; k++)
        room->best[k] = room->x[k] = r[k] * weight_of(problem, k / dim) / speed;
    carom_random_start(&random, 1);
    for (size_t at = 0; at < STARTS && least > tol && (double)at * cost <= PATIENCE; at++) {
        if (at > 0)
            throw(problem, room, at, &random);
        const double left = descend(problem, room, tol, iterations);
        if (left < least) {
            least = left;
            memcpy(room->best, room->x, width * sizeof *room->x);
        }
    }
    for (size_t i = 0; i < problem->n; i++) {
        for (size_t k = i * dim; k < (i + 1) * dim; k++)
            r[k] = room->best[k] * speed / weight_of(problem, i);
        carom_friction_local_project(dim, problem->mu[i], r + i * dim);
    }
    return true;
}
