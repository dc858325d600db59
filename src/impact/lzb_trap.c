/* By Gordan's theorem either some motion opens all contacts at once, or impulses P >= 0, not all 0, balance everywhere:
 * W P = 0. In a chain these are equal impulses between two immovable sides; in general P' W P + (sum of P - 1)^2 is
 * made as small as it gets, which is a complementarity problem with a solution always. */
#include "impact/lzb.h"

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

/* P' W P over the square of the sum of all P, of contacts each with a mobility of 1: 0 where they balance */
static double push_left(size_t n, const double *with_sum, const double *p)
{
    double sum = 0.0, left = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += p[i];
        for (size_t j = 0; j < n; j++)
            left += p[i] * (with_sum[i * n + j] - 1.0) * p[j];
    }
    return left / (sum * sum);
}

bool carom_lzb_trap_any(struct carom_lzb *w)
{
    const size_t n = w->n;
    const double *matrix = w->frame->matrix, *diagonal = w->frame->diagonal;
    double *p = w->y, *b = w->turn, *with_sum = w->stiff.matrix; /* which is set anew wherever it is used */
    for (size_t i = 0; i < n; i++)
        if (w->e[i] < 1.0 || w->frame->chain)
            return false;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double size = sqrt(diagonal[i] * diagonal[j]);
            with_sum[i * n + j] = 1.0 + (size > 0.0 ? matrix[i * n + j] / size : i == j ? 1.0 : 0.0);
        }
        b[i] = -1.0;
        p[i] = 0.0;
    }
    const struct carom_lcp least = {.n = n, .matrix = with_sum, .b = b};
    struct carom_lcp_report report;
    carom_lcp_solve(&least, CAROM_LCP_AUTO, 1e-14, 0, &w->lcp, p, &report);
    return push_left(n, with_sum, p) < nothing;
}
