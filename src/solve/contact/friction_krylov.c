/* Linear systems of Newton's steps: GMRES (Saad and Schultz 1986) with the factors as preconditioner on the right.
 * With exact factors it ends after one or two directions, with incomplete ones after some dozens; it is not
 * restarted, because a Newton step needs no better. */
#include <math.h>
#include <string.h>

#include "solve/conjugate.h"
#include "solve/contact/friction_parts.h"

enum { MOST = CAROM_FRICTION_BASIS - 1, BODIES = 8 }; /* directions with factors by bodies, which lose digits */
static const double enough = 1e-3;                    /* of the right side, with incomplete factors */

/* alone + left W S in the pattern of W */
static void fill(const struct carom_friction_view *view, struct carom_friction_room *room, const double *scale)
{
    const size_t dim = view->dim, square = dim * dim;
    for (size_t i = 0; i < view->n; i++) {
        const double *left = room->left + i * square, *own = room->alone + i * square;
        for (size_t e = view->first[i]; e < view->first[i + 1]; e++) {
            const double *w = view->block + e * square, *of = scale + view->column[e] * dim;
            double *to = room->matrix + e * square;
            for (size_t k = 0; k < dim; k++)
                for (size_t l = 0; l < dim; l++) {
                    double sum = 0.0;
                    for (size_t m = 0; m < dim; m++)
                        sum += left[k * dim + m] * w[m * dim + l];
                    to[k * dim + l] = sum * of[l];
                }
            for (size_t k = 0; e == view->diagonal[i] && k < square; k++)
                to[k] += own[k];
        }
    }
}

/* a block's inverse, `add` on its diagonal; blocks are far from singular then */
static void invert(size_t dim, const double *block, double add, double *inverse)
{
    double a[9] = {0.0};
    memcpy(a, block, dim * dim * sizeof *a);
    for (size_t k = 0; k < dim; k++)
        a[k * (dim + 1)] += add;
    if (dim == 2) {
        const double over = 1.0 / (a[0] * a[3] - a[1] * a[2]);
        const double to[4] = {a[3] * over, -a[1] * over, -a[2] * over, a[0] * over};
        memcpy(inverse, to, sizeof to);
        return;
    }
    for (size_t k = 0; k < 3; k++)
        for (size_t l = 0; l < 3; l++) {
            const size_t r = (l + 1) % 3, s = (l + 2) % 3, c = (k + 1) % 3, d = (k + 2) % 3;
            inverse[k * 3 + l] = a[r * 3 + c] * a[s * 3 + d] - a[r * 3 + d] * a[s * 3 + c];
        }
    const double over = 1.0 / (a[0] * inverse[0] + a[1] * inverse[3] + a[2] * inverse[6]);
    for (size_t k = 0; k < 9; k++)
        inverse[k] *= over;
}

void carom_friction_krylov_set(const struct carom_friction_view *view, struct carom_friction_room *room,
                               const double *scale, double add, bool known)
{
    const size_t square = view->dim * view->dim;
    if (!view->arms) {
        fill(view, room, scale);
        carom_block_factor_compute(&room->factor, view->first, view->column, room->matrix, add, 1e-14);
        return;
    }
    for (size_t i = 0; i < view->n && !known; i++)
        invert(view->dim, room->alone + i * square, add, room->inverse + i * square);
    carom_friction_bodies_factor(&room->bodies, view->dim, view->arms, room->inverse, room->left, scale);
}

static void precondition(const struct carom_friction_view *view, struct carom_friction_room *room, const double *scale,
                         const double *b, double *x)
{
    if (view->arms)
        carom_friction_bodies_solve(&room->bodies, view->dim, view->arms, room->inverse, room->left, scale, b, x);
    else
        carom_block_factor_solve(&room->factor, b, x);
}

/* y = (alone + left W S) x, without the matrix */
static void apply_parts(const struct carom_friction_view *view, const struct carom_friction_room *room,
                        const double *scale, const double *x, double *y)
{
    const size_t dim = view->dim, square = dim * dim;
    for (size_t i = 0; i < view->n; i++) {
        double u[CAROM_FRICTION_MOST_DIM] = {0.0};
        for (size_t e = view->first[i]; e < view->first[i + 1]; e++)
            for (size_t k = 0; k < dim; k++)
                for (size_t m = 0; m < dim; m++) {
                    const size_t at = view->column[e] * dim + m;
                    u[k] += view->block[e * square + k * dim + m] * (scale[at] * x[at]);
                }
        for (size_t k = 0; k < dim; k++) {
            double sum = 0.0;
            for (size_t m = 0; m < dim; m++)
                sum += room->alone[i * square + k * dim + m] * x[i * dim + m] +
                       room->left[i * square + k * dim + m] * u[m];
            y[i * dim + k] = sum;
        }
    }
}

/* y = A x */
static void apply(const struct carom_friction_view *view, const struct carom_friction_room *room, const double *scale,
                  const double *x, double *y)
{
    const size_t dim = view->dim, square = dim * dim;
    if (view->arms) {
        apply_parts(view, room, scale, x, y);
        return;
    }
    for (size_t i = 0; i < view->n; i++) {
        double sum[CAROM_FRICTION_MOST_DIM] = {0.0};
        for (size_t l = view->first[i]; l < view->first[i + 1]; l++) {
            const double *block = room->matrix + l * square, *of = x + view->column[l] * dim;
            for (size_t k = 0; k < dim; k++)
                for (size_t m = 0; m < dim; m++)
                    sum[k] += block[k * dim + m] * of[m];
        }
        memcpy(y + i * dim, sum, dim * sizeof *y);
    }
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
static bool extend(const struct carom_friction_view *view, struct carom_friction_room *room, const double *scale,
                   struct small *small, size_t j, double *work)
{
    const size_t n = view->n * view->dim;
    double *next = room->basis + (j + 1) * n;
    precondition(view, room, scale, room->basis + j * n, work);
    apply(view, room, scale, work, next);
    const double before = sqrt(carom_conjugate_dot(n, next, next));
    for (int twice = 0; twice < 2; twice++)
        for (size_t k = 0; k <= j; k++) {
            const double part = carom_conjugate_dot(n, room->basis + k * n, next);
            small->column[j][k] = twice ? small->column[j][k] + part : part;
            add(n, -part, room->basis + k * n, next);
        }
    const double length = sqrt(carom_conjugate_dot(n, next, next));
    small->column[j][j + 1] = length;
    rotate(small, j);
    if (!(length > 1e-13 * before))
        return false;
    for (size_t k = 0; k < n; k++)
        next[k] /= length;
    return true;
}

void carom_friction_krylov_solve(const struct carom_friction_view *view, struct carom_friction_room *room,
                                 const double *scale, const double *b, double *x)
{
    const size_t n = view->n * view->dim, most = !room->exact ? MOST : view->arms ? BODIES : 2;
    const double size = sqrt(carom_conjugate_dot(n, b, b)), target = size * (room->exact ? 1e-10 : enough);
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
        more = extend(view, room, scale, &small, count, work);
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
    precondition(view, room, scale, work, x);
}
