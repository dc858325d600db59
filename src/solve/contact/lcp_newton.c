/* Semismooth Newton on the Fischer-Burmeister function phi(a, w) = sqrt(a^2 + w^2) - a - w of a = A_ii z and w, with
 * a line search on its squares and damping where Newton's direction fails (De Luca, Facchinei and Kanzow 1996).
 * Before it, and after each of its steps, the active set that z suggests is solved exactly: near the solution that
 * ends it, to rounding, and with a good start it is all there is to do. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "solve/contact/lcp_solvers.h"
#include "solve/dense.h"

enum { OWN_LIMIT = 100, SET_STEPS = 6, HALVINGS = 40 };

/* w = A z + b */
static void rates(const struct carom_lcp *lcp, const double *z, double *w)
{
    for (size_t i = 0; i < lcp->n; i++) {
        const double *row = lcp->matrix + i * lcp->n;
        double sum = lcp->b[i];
        for (size_t j = 0; j < lcp->n; j++)
            sum += row[j] * z[j];
        w[i] = sum;
    }
}

/* Solves for the unknowns in set[0 .. count), the others become 0. */
static void solve_set(const struct carom_lcp *lcp, const struct carom_lcp_pieces *piece, const size_t *set,
                      size_t count, double *z)
{
    double *a = piece->square, *x = piece->row[7], *scale = piece->row[6];
    for (size_t k = 0; k < count; k++)
        scale[k] = 1.0 / sqrt(carom_lcp_scale(lcp, set[k]));
    for (size_t k = 0; k < count; k++) {
        for (size_t l = 0; l < count; l++)
            a[k * count + l] = scale[k] * lcp->matrix[set[k] * lcp->n + set[l]] * scale[l];
        x[k] = -lcp->b[set[k]] * scale[k];
    }
    (void)carom_dense_solve(count, a, x, piece->index[1], 64.0 * DBL_EPSILON);
    memset(z, 0, lcp->n * sizeof *z);
    for (size_t k = 0; k < count; k++)
        z[set[k]] = x[k] * scale[k];
}

static void clamp(size_t n, double *z)
{
    for (size_t i = 0; i < n; i++)
        z[i] = z[i] > 0.0 ? z[i] : 0.0;
}

void carom_lcp_newton_polish(const struct carom_lcp *lcp, const struct carom_lcp_pieces *piece, double *z)
{
    double *better = piece->row[5];
    size_t *set = piece->index[0], count = 0;
    const double residual = carom_lcp_residual(lcp, z);
    for (size_t i = 0; i < lcp->n; i++)
        if (z[i] > 0.0)
            set[count++] = i;
    solve_set(lcp, piece, set, count, better);
    clamp(lcp->n, better);
    if (carom_lcp_residual(lcp, better) < residual)
        memcpy(z, better, lcp->n * sizeof *z);
}

/* From z: the set a > w, solved; true if the result, clamped, is good enough and now in z. Else `next` is what a
 * further step may start from. */
static bool try_set(const struct carom_lcp *lcp, const struct carom_lcp_pieces *piece, const double *from,
                    double tolerance, double *next, double *z)
{
    double *w = piece->row[4], *result = piece->row[5];
    size_t *set = piece->index[0], count = 0;
    rates(lcp, from, w);
    for (size_t i = 0; i < lcp->n; i++)
        if (carom_lcp_scale(lcp, i) * from[i] > w[i])
            set[count++] = i;
    solve_set(lcp, piece, set, count, result);
    memcpy(next, result, lcp->n * sizeof *next);
    clamp(lcp->n, result);
    if (!(carom_lcp_residual(lcp, result) <= tolerance))
        return false;
    memcpy(z, result, lcp->n * sizeof *z);
    return true;
}

/* phi, and half the sum of its squares */
static double merit(const struct carom_lcp *lcp, const double *z, double *w, double *phi)
{
    double sum = 0.0;
    rates(lcp, z, w);
    for (size_t i = 0; i < lcp->n; i++) {
        const double a = carom_lcp_scale(lcp, i) * z[i], r = sqrt(a * a + w[i] * w[i]);
        /* r - a - w without cancellation where both are positive */
        phi[i] = a > 0.0 && w[i] > 0.0 ? -2.0 * a * w[i] / (r + a + w[i]) : r - a - w[i];
        sum += 0.5 * phi[i] * phi[i];
    }
    return sum;
}

/* The derivative of phi in y_j = A_jj z_j, and the gradient of the merit. */
static void derivative(const struct carom_lcp *lcp, const double *z, const double *w, const double *phi,
                       double *jacobian, double *gradient)
{
    const size_t n = lcp->n;
    memset(gradient, 0, n * sizeof *gradient);
    for (size_t i = 0; i < n; i++) {
        const double scale = carom_lcp_scale(lcp, i), a = scale * z[i], r = sqrt(a * a + w[i] * w[i]);
        const double by_a = (r > 0.0 ? a / r : sqrt(0.5)) - 1.0, by_w = (r > 0.0 ? w[i] / r : sqrt(0.5)) - 1.0;
        for (size_t j = 0; j < n; j++) {
            const double entry = by_w * lcp->matrix[i * n + j] / carom_lcp_scale(lcp, j) + (i == j ? by_a : 0.0);
            jacobian[i * n + j] = entry;
            gradient[j] += entry * phi[i];
        }
    }
}

/* Where the derivative is singular or Newton's direction does not go down: (J^T J + mu) turn = -gradient, with mu of
 * the size of phi (Levenberg and Marquardt). */
static void damped(size_t n, const double *jacobian, const double *gradient, double mu, double *a, size_t *order,
                   double *turn)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = i == j ? mu : 0.0;
            for (size_t k = 0; k < n; k++)
                sum += jacobian[k * n + i] * jacobian[k * n + j];
            a[i * n + j] = sum;
        }
        turn[i] = -gradient[i];
    }
    (void)carom_dense_solve(n, a, turn, order, 1e-15);
}

/* One step with line search; false if nothing gets better. */
static bool step(const struct carom_lcp *lcp, const struct carom_lcp_pieces *piece, double *jacobian, double *z)
{
    const size_t n = lcp->n;
    double *w = piece->row[0], *phi = piece->row[1], *gradient = piece->row[2], *turn = piece->row[3];
    double *trial = piece->row[4];
    const double start = merit(lcp, z, w, phi);
    derivative(lcp, z, w, phi, jacobian, gradient);
    memcpy(piece->square, jacobian, n * n * sizeof *jacobian);
    for (size_t i = 0; i < n; i++)
        turn[i] = -phi[i];
    const size_t rank = carom_dense_solve(n, piece->square, turn, piece->index[1], 1e-12);
    double slope = carom_vec_product(n, gradient, turn);
    if (rank < n || !(slope < -0.5 * start)) { /* Newton's own slope is -2 * start */
        const double size = sqrt(2.0 * start / (double)n), most = fabs(lcp->b[0]);
        damped(n, jacobian, gradient, 1e-3 * size / (size + most), piece->square, piece->index[1], turn);
        slope = carom_vec_product(n, gradient, turn);
    }
    double length = 1.0;
    for (int k = 0; k < HALVINGS && slope < 0.0; k++, length *= 0.5) {
        for (size_t i = 0; i < n; i++)
            trial[i] = z[i] + length * turn[i] / carom_lcp_scale(lcp, i);
        if (merit(lcp, trial, w, phi) <= start + 1e-4 * length * slope) {
            memcpy(z, trial, n * sizeof *z);
            return true;
        }
    }
    return false;
}

size_t carom_lcp_newton(const struct carom_lcp *lcp, double tolerance, size_t iterations,
                        const struct carom_lcp_pieces *piece, double *z)
{
    const size_t n = lcp->n, limit = iterations > 0 ? iterations : OWN_LIMIT;
    double *now = piece->tableau, *next = now + n, *jacobian = next + n; /* the tableau is n (n + 2) */
    size_t count = 0;
    double best = carom_lcp_residual(lcp, z);
    memcpy(now, z, n * sizeof *now);
    memcpy(next, z, n * sizeof *next);
    for (; count < SET_STEPS && count < limit; count++)
        if (try_set(lcp, piece, next, tolerance, next, z))
            return count + 1;
    for (; count < limit; count++) {
        if (!step(lcp, piece, jacobian, now))
            break;
        if (try_set(lcp, piece, now, tolerance, next, z))
            return count + 1;
        memcpy(next, now, n * sizeof *next);
        clamp(n, next);
        const double residual = carom_lcp_residual(lcp, next);
        if (residual < best) {
            best = residual;
            memcpy(z, next, n * sizeof *z);
        }
    }
    return count;
}
