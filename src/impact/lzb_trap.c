/* By Gordan's theorem either some motion opens all contacts at once, or impulses P >= 0, not all 0, balance everywhere:
 * W P = 0. In a chain these are equal impulses between two immovable sides; in general P' W P is made as small as it
 * gets for impulses that add up to 1, moving weight from one contact to another. */
#include "impact/lzb_trap.h"

#include <math.h>

static const double nothing = 1e-10; /* of the diagonal of W: as good as 0 */

bool carom_lzb_trap_chain(const struct carom_lzb *w)
{
    const double *diagonal = w->frame->diagonal, *beside = w->frame->beside;
    if (!w->frame->chain)
        return false;
    for (size_t first = 0, last; first < w->n; first = last + 1) {
        bool struck = w->a[first] > 0.0, lossless = w->e[first] == 1.0;
        for (last = first; last + 1 < w->n && beside[last] != 0.0; last++) {
            struck |= w->a[last + 1] > 0.0;
            lossless &= w->e[last + 1] == 1.0;
        }
        /* what is left of the diagonal is the inverse mass outside the row */
        if (last > first && struck && lossless && fabs(diagonal[first] + beside[first]) < nothing * diagonal[first] &&
            fabs(diagonal[last] + beside[last - 1]) < nothing * diagonal[last])
            return true;
    }
    return false;
}

/* moves weight from the contact with the largest gradient to that with the smallest; false if that changes nothing */
static bool shift(const struct carom_lzb *w, double *weight, double *gradient)
{
    const size_t n = w->n;
    const double *m = w->frame->matrix;
    size_t low = 0, high = n;
    for (size_t i = 0; i < n; i++) {
        low = gradient[i] < gradient[low] ? i : low;
        if (weight[i] > 0.0 && (high == n || gradient[i] > gradient[high]))
            high = i;
    }
    const double gain = gradient[high] - gradient[low];
    const double bend = m[low * n + low] + m[high * n + high] - 2.0 * m[low * n + high];
    if (!(gain > 1e-3 * nothing * w->frame->diagonal[high]))
        return false;
    const double by = bend > 0.0 ? fmin(weight[high], gain / bend) : weight[high];
    weight[low] += by;
    weight[high] = by == weight[high] ? 0.0 : weight[high] - by;
    for (size_t i = 0; i < n; i++)
        gradient[i] += by * (m[i * n + low] - m[i * n + high]);
    return true;
}

bool carom_lzb_trap_any(struct carom_lzb *w)
{
    const size_t n = w->n;
    double value = 0.0, size = 0.0, *weight = w->y, *gradient = w->turn;
    for (size_t i = 0; i < n; i++)
        if (w->e[i] < 1.0 || w->frame->chain)
            return false;
    for (size_t i = 0; i < n; i++) {
        weight[i] = 1.0 / (double)n;
        gradient[i] = 0.0;
        for (size_t j = 0; j < n; j++)
            gradient[i] += w->frame->matrix[i * n + j] / (double)n;
    }
    for (size_t k = 0; k < 2000 + 200 * n; k++)
        if (!shift(w, weight, gradient))
            break;
    for (size_t i = 0; i < n; i++) {
        value += weight[i] * gradient[i];
        size += weight[i] * w->frame->diagonal[i];
    }
    return value < 1e-6 * size;
}
