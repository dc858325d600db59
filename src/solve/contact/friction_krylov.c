/* Linear systems of Newton's steps: GMRES (Saad and Schultz 1986) with the factors as preconditioner on the right.
 * With exact factors it ends after one or two directions, with incomplete ones after some dozens; it is not
 * restarted, because a Newton step needs no better. Knows the pattern of the view and the matrix and factors of the
 * room. */
#include <math.h>
#include <string.h>

#include "solve/contact/friction_parts.h"

enum { MOST = CAROM_FRICTION_BASIS - 1 };
static const double enough = 1e-3; /* of the right side, with incomplete factors */

/* y = A x */
static void apply(const struct carom_friction_view *view, const double *matrix, const double *x, double *y)
{
    const size_t dim = view->dim, square = dim * dim;
    for (size_t i = 0; i < view->n; i++) {
        double sum[CAROM_FRICTION_MOST_DIM] = {0.0};
        for (size_t l = view->first[i]; l < view->first[i + 1]; l++) {
            const double *block = matrix + l * square, *of = x + view->column[l] * dim;
            for (size_t k = 0; k < dim; k++)
                for (size_t m = 0; m < dim; m++)
                    sum[k] += block[k * dim + m] * of[m];
        }
        memcpy(y + i * dim, sum, dim * sizeof *y);
    }
}

static double dot(size_t n, const double *x, const double *y)
{
    double sum[4] = {0.0};
    size_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (size_t l = 0; l < 4; l++)
            sum[l] += x[k + l] * y[k + l];
    for (; k < n; k++)
        sum[0] += x[k] * y[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void add(size_t n, double factor, const double *x, double *y)
{
    for (size_t k = 0; k < n; k++)
        y[k] += factor * x[k];
}

/* The small least squares problem: its matrix made triangular by rotations, column by column. */
struct small {
    double column[MOST][MOST + 1], cosine[MOST], sine[MOST], right[MOST + 1];
};

static void rotate(struct small *small, size_t j)
{
    double *h = small->column[j];
    for (size_t k = 0; k < j; k++) {
        const double first = h[k], second = h[k + 1];
        h[k] = small->cosine[k] * first + small->sine[k] * second;
        h[k + 1] = -small->sine[k] * first + small->cosine[k] * second;
    }
    const double length = sqrt(h[j] * h[j] + h[j + 1] * h[j + 1]);
    small->cosine[j] = length > 0.0 ? h[j] / length : 1.0;
    small->sine[j] = length > 0.0 ? h[j + 1] / length : 0.0;
    h[j] = length;
    small->right[j + 1] = -small->sine[j] * small->right[j];
    small->right[j] *= small->cosine[j];
}

/* one more direction; false if there is none */
static bool extend(const struct carom_friction_view *view, struct carom_friction_room *room, struct small *small,
                   size_t j, double *work)
{
    const size_t n = view->n * view->dim;
    double *next = room->basis + (j + 1) * n;
    carom_block_factor_solve(&room->factor, room->basis + j * n, work);
    apply(view, room->matrix, work, next);
    const double before = sqrt(dot(n, next, next));
    for (int twice = 0; twice < 2; twice++)
        for (size_t k = 0; k <= j; k++) {
            const double part = dot(n, room->basis + k * n, next);
            small->column[j][k] = twice ? small->column[j][k] + part : part;
            add(n, -part, room->basis + k * n, next);
        }
    const double length = sqrt(dot(n, next, next));
    small->column[j][j + 1] = length;
    rotate(small, j);
    if (!(length > 1e-13 * before))
        return false;
    for (size_t k = 0; k < n; k++)
        next[k] /= length;
    return true;
}

void carom_friction_krylov_solve(const struct carom_friction_view *view, struct carom_friction_room *room,
                                 const double *b, double *x)
{
    const size_t n = view->n * view->dim, most = room->factor.exact ? 2 : MOST;
    const double size = sqrt(dot(n, b, b)), target = size * (room->factor.exact ? 1e-10 : enough);
    double *work = room->row[9];
    struct small small = {.right = {size}};
    memset(x, 0, n * sizeof *x);
    if (!(size > 0.0))
        return;
    for (size_t k = 0; k < n; k++)
        room->basis[k] = b[k] / size;
    size_t count = 0;
    bool more = true;
    while (more && count < most && fabs(small.right[count]) > target) {
        more = extend(view, room, &small, count, work);
        count++;
    }
    for (size_t k = count; k-- > 0;) {
        for (size_t l = k + 1; l < count; l++)
            small.right[k] -= small.column[l][k] * small.right[l];
        small.right[k] = small.column[k][k] != 0.0 ? small.right[k] / small.column[k][k] : 0.0;
    }
    memset(work, 0, n * sizeof *work);
    for (size_t k = 0; k < count; k++)
        add(n, small.right[k], room->basis + k * n, work);
    carom_block_factor_solve(&room->factor, work, x);
}
