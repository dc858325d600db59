/* Room, residual, projected Gauss-Seidel, and who solves what. The other solvers have files of their own. */
#include "solve/contact/lcp.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "solve/contact/lcp_solvers.h"

const char *const carom_lcp_solvers[] = {"auto", "lemke", "gauss-seidel", "newton", "tridiagonal", NULL};

enum { VECTORS = 11, INDICES = 3, SWEEPS = 10000 };

static size_t doubles(size_t n, bool dense)
{
    return VECTORS * n + (dense ? n * n + n * (n + 2) + n * n : 0);
}

enum carom_status carom_lcp_open(struct carom_lcp_room *room, size_t n, bool dense, struct carom_error *error)
{
    if (room->block && room->n >= n && (room->dense || !dense))
        return CAROM_OK;
    const bool many = n >> 16 > (size_t)1 << (dense ? 8 : 24), wide = dense && n + 2 > SIZE_MAX / 4 / (n + 1);
    if (many || wide)
        return carom_error_set(error, CAROM_E_MEMORY, "contact problem: no room for %zu contacts", n);
    struct carom_lcp_room larger = {n > room->n ? n : room->n, dense || room->dense, NULL, NULL};
    larger.block = carom_memory_zeroed(doubles(larger.n, larger.dense), sizeof(double));
    larger.index = carom_memory_zeroed(INDICES * larger.n + 1, sizeof(size_t));
    if (!larger.block || !larger.index) {
        carom_lcp_close(&larger);
        return carom_error_set(error, CAROM_E_MEMORY, "contact problem: out of memory for %zu contacts", n);
    }
    carom_lcp_close(room);
    *room = larger;
    return CAROM_OK;
}

void carom_lcp_close(struct carom_lcp_room *room)
{
    carom_memory_free_all(room->block, room->index);
    *room = (struct carom_lcp_room){0};
}

static struct carom_lcp_pieces cut(const struct carom_lcp_room *room)
{
    const size_t n = room->n;
    struct carom_lcp_pieces piece = {0};
    for (size_t k = 0; k < 8; k++)
        piece.row[k] = room->block + k * n;
    piece.diagonal = room->block + 8 * n;
    piece.beside = room->block + 9 * n;
    piece.best = room->block + 10 * n;
    if (room->dense) {
        piece.square = room->block + VECTORS * n;
        piece.tableau = piece.square + n * n;
        piece.matrix = piece.tableau + n * (n + 2);
    }
    piece.index[0] = room->index;
    piece.index[1] = room->index + n; /* n + 1 of them */
    piece.index[2] = room->index + 2 * n + 1;
    return piece;
}

double carom_lcp_scale(const struct carom_lcp *lcp, size_t i)
{
    const double *row = lcp->matrix + i * lcp->n;
    if (row[i] > 0.0)
        return row[i];
    double most = 0.0;
    for (size_t j = 0; j < lcp->n; j++)
        most = fabs(row[j]) > most ? fabs(row[j]) : most;
    return most > 0.0 ? most : 1.0;
}

static double scale_of(const struct carom_lcp *lcp, size_t i)
{
    if (!lcp->diagonal)
        return carom_lcp_scale(lcp, i);
    return lcp->diagonal[i] > 0.0 ? lcp->diagonal[i] : 1.0;
}

/* The largest entry of row i: what a unit of z_i does at most. Of positive definite rows of beads it is the diagonal
 * entry; of others a small diagonal must not hide a z_i that has no business there. */
static double reach(const struct carom_lcp *lcp, size_t i)
{
    double most = 0.0;
    if (!lcp->diagonal) {
        for (size_t j = 0; j < lcp->n; j++)
            most = fabs(lcp->matrix[i * lcp->n + j]) > most ? fabs(lcp->matrix[i * lcp->n + j]) : most;
    } else {
        most = fabs(lcp->diagonal[i]);
        if (i > 0 && fabs(lcp->beside[i - 1]) > most)
            most = fabs(lcp->beside[i - 1]);
        if (i + 1 < lcp->n && fabs(lcp->beside[i]) > most)
            most = fabs(lcp->beside[i]);
    }
    return most > 0.0 ? most : 1.0;
}

static double rate(const struct carom_lcp *lcp, const double *z, size_t i)
{
    double w = lcp->b[i];
    if (lcp->diagonal) {
        if (i > 0)
            w += lcp->beside[i - 1] * z[i - 1];
        if (i + 1 < lcp->n)
            w += lcp->beside[i] * z[i + 1];
        return w + lcp->diagonal[i] * z[i];
    }
    for (size_t j = 0; j < lcp->n; j++)
        w += lcp->matrix[i * lcp->n + j] * z[j];
    return w;
}

double carom_lcp_residual(const struct carom_lcp *lcp, const double *z)
{
    double worst = 0.0, largest_b = 0.0, largest_z = 0.0, poison = 0.0;
    for (size_t i = 0; i < lcp->n; i++) {
        const double w = rate(lcp, z, i), a = reach(lcp, i) * z[i], size = fabs(a < w ? a : w);
        poison += 0.0 * w + 0.0 * a;
        worst = size > worst ? size : worst;
        largest_b = fabs(lcp->b[i]) > largest_b ? fabs(lcp->b[i]) : largest_b;
        largest_z = a > largest_z ? a : largest_z;
    }
    if (poison != 0.0)
        return nan("");
    const double size = largest_b + sqrt(largest_b) * sqrt(largest_z);
    return worst == 0.0 ? 0.0 : worst / (size > 0.0 ? size : largest_z);
}

/* Is what is left in every row within `tolerance` or the rounding of the row's own sum? Asked only where the residual
 * is too large: light bodies that bear a heavy column can do no better. */
static bool rounding(const struct carom_lcp *lcp, const double *z, double tolerance)
{
    double largest_b = 0.0;
    for (size_t i = 0; i < lcp->n; i++)
        largest_b = fabs(lcp->b[i]) > largest_b ? fabs(lcp->b[i]) : largest_b;
    for (size_t i = 0; i < lcp->n; i++) {
        const double w = rate(lcp, z, i), a = reach(lcp, i) * z[i];
        double sum = fabs(lcp->b[i]);
        if (lcp->diagonal)
            sum += lcp->diagonal[i] * z[i] + (i > 0 ? fabs(lcp->beside[i - 1]) * z[i - 1] : 0.0) +
                   (i + 1 < lcp->n ? fabs(lcp->beside[i]) * z[i + 1] : 0.0);
        for (size_t j = 0; j < lcp->n && !lcp->diagonal; j++)
            sum += fabs(lcp->matrix[i * lcp->n + j]) * z[j];
        if (!(fabs(a < w ? a : w) <= 4.0 * DBL_EPSILON * sum + tolerance * largest_b))
            return false;
    }
    return true;
}

/* Projected Gauss-Seidel. The residual is asked for now and then only: it costs as much as a sweep. */
static size_t gauss_seidel(const struct carom_lcp *lcp, double tolerance, size_t iterations, double *z)
{
    const size_t limit = iterations > 0 ? iterations : SWEEPS;
    size_t count = 0, look = 1;
    while (count < limit) {
        for (size_t i = 0; i < lcp->n; i++) {
            const double moved = z[i] - rate(lcp, z, i) / scale_of(lcp, i);
            z[i] = moved > 0.0 ? moved : 0.0;
        }
        count++;
        if (count < look && count < limit)
            continue;
        const double residual = carom_lcp_residual(lcp, z);
        if (residual <= tolerance || residual != residual)
            break;
        look = count + 1 + count / 8;
    }
    return count;
}

/* Is the dense matrix tridiagonal and symmetric? Then its diagonals are written to the room. */
static bool tridiagonal(const struct carom_lcp *lcp, const struct carom_lcp_pieces *piece)
{
    const size_t n = lcp->n;
    for (size_t i = 0; i < n; i++) {
        const double *row = lcp->matrix + i * n;
        for (size_t j = 0; j < n; j++)
            if ((j > i + 1 || i > j + 1) && row[j] != 0.0)
                return false;
        piece->diagonal[i] = row[i];
        if (i + 1 < n) {
            if (row[i + 1] != lcp->matrix[(i + 1) * n + i])
                return false;
            piece->beside[i] = row[i + 1];
        }
    }
    return true;
}

/* writes a tridiagonal matrix out for the dense solvers */
static void spread(const struct carom_lcp *lcp, double *matrix)
{
    const size_t n = lcp->n;
    memset(matrix, 0, n * n * sizeof *matrix);
    for (size_t i = 0; i < n; i++) {
        matrix[i * n + i] = lcp->diagonal[i];
        if (i + 1 < n)
            matrix[i * n + i + 1] = matrix[(i + 1) * n + i] = lcp->beside[i];
    }
}

static void clean(size_t n, double *z)
{
    for (size_t i = 0; i < n; i++)
        z[i] = z[i] > 0.0 && z[i] <= DBL_MAX ? z[i] : 0.0;
}

/* One solver on one problem; false if the room is not for it. */
static bool attempt(const struct carom_lcp *lcp, enum carom_lcp_solver solver, double tolerance, size_t iterations,
                    const struct carom_lcp_pieces *piece, double *z, struct carom_lcp_report *report)
{
    struct carom_lcp form = *lcp;
    report->by = solver;
    if (solver == CAROM_LCP_TRIDIAGONAL) {
        if (!lcp->diagonal) {
            if (!tridiagonal(lcp, piece))
                return false;
            form = (struct carom_lcp){lcp->n, NULL, piece->diagonal, piece->beside, lcp->b};
        }
        report->iterations += carom_lcp_tridiagonal(&form, tolerance, iterations, piece, z, &report->residual);
    } else if (solver == CAROM_LCP_GAUSS_SEIDEL) {
        report->iterations += gauss_seidel(&form, tolerance, iterations, z);
    } else {
        if (!piece->square)
            return false;
        if (lcp->diagonal) {
            spread(lcp, piece->matrix);
            form = (struct carom_lcp){lcp->n, piece->matrix, NULL, NULL, lcp->b};
        }
        report->iterations += solver == CAROM_LCP_LEMKE ? carom_lcp_lemke(&form, iterations, piece, z)
                                                        : carom_lcp_newton(&form, tolerance, iterations, piece, z);
    }
    if (solver != CAROM_LCP_TRIDIAGONAL || report->residual != report->residual) {
        clean(lcp->n, z);
        if (solver != CAROM_LCP_TRIDIAGONAL)
            report->residual = carom_lcp_residual(lcp, z);
    }
    report->solved = report->residual <= tolerance || (report->residual < 1e-6 && rounding(lcp, z, tolerance));
    return true;
}

/* In turn until one succeeds; z and report are the best of them. */
static void in_turn(const struct carom_lcp *lcp, double tolerance, size_t iterations,
                    const struct carom_lcp_pieces *piece, double *z, struct carom_lcp_report *report)
{
    static const enum carom_lcp_solver order[] = {CAROM_LCP_TRIDIAGONAL, CAROM_LCP_NEWTON, CAROM_LCP_LEMKE,
                                                  CAROM_LCP_GAUSS_SEIDEL};
    report->residual = HUGE_VAL;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        struct carom_lcp_report now = {.iterations = report->iterations};
        if (order[k] == CAROM_LCP_NEWTON && lcp->diagonal)
            continue; /* the tridiagonal solver is the same method */
        if (!attempt(lcp, order[k], tolerance, iterations, piece, z, &now))
            continue;
        if (now.solved || now.residual != now.residual) { /* what is not a number will not become one */
            *report = now;
            return;
        }
        if (now.residual < report->residual) {
            *report = now;
            memcpy(piece->best, z, lcp->n * sizeof *z);
        }
        report->iterations = now.iterations;
    }
    if (report->residual < HUGE_VAL)
        memcpy(z, piece->best, lcp->n * sizeof *z);
}

/* z = 0 solves every problem with b >= 0 */
static bool nothing_pushes(const struct carom_lcp *lcp)
{
    for (size_t i = 0; i < lcp->n; i++)
        if (!(lcp->b[i] >= 0.0))
            return false;
    return true;
}

/* one contact: a ball on the floor should not pay for the rest */
static bool alone(const struct carom_lcp *lcp, double tolerance, double *z, struct carom_lcp_report *report)
{
    const double a = lcp->diagonal ? lcp->diagonal[0] : lcp->matrix[0], b = lcp->b[0];
    if (lcp->n != 1 || !(a > 0.0) || !(b < 0.0))
        return false;
    z[0] = -b / a;
    if (!(z[0] <= DBL_MAX))
        return false;
    report->residual = fabs(a * z[0] + b) / (-2.0 * b);
    report->iterations = 1;
    report->solved = report->residual <= tolerance;
    report->by = CAROM_LCP_TRIDIAGONAL;
    return true;
}

void carom_lcp_solve(const struct carom_lcp *lcp, enum carom_lcp_solver solver, double tolerance, size_t iterations,
                     struct carom_lcp_room *room, double *z, struct carom_lcp_report *report)
{
    *report = (struct carom_lcp_report){.solved = lcp->n == 0, .by = solver};
    if (lcp->n == 0 || (solver == CAROM_LCP_AUTO && alone(lcp, tolerance, z, report)))
        return;
    clean(lcp->n, z);
    if (nothing_pushes(lcp)) {
        memset(z, 0, lcp->n * sizeof *z);
        report->residual = carom_lcp_residual(lcp, z);
        report->solved = report->residual <= tolerance;
        return;
    }
    report->residual = nan("");
    if (lcp->n > room->n)
        return;
    const struct carom_lcp_pieces piece = cut(room);
    if (solver == CAROM_LCP_AUTO)
        in_turn(lcp, tolerance, iterations, &piece, z, report);
    else if (!attempt(lcp, solver, tolerance, iterations, &piece, z, report))
        report->residual = carom_lcp_residual(lcp, z);
}
