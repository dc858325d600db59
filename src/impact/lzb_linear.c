/* Elimination: without exchange of rows in chains, where every row or column is dominated by its diagonal, with it
 * otherwise (solve/dense.h). Repeated contacts make W singular: pivots that are nothing but rounding count as 0. */
#include "impact/lzb.h"

#include <math.h>

#include "base/memory.h"
#include "solve/dense.h"

void carom_lzb_linear_close(struct carom_lzb_linear *a)
{
    carom_memory_free_all(a->lower, a->diagonal, a->upper, a->matrix, a->row);
    *a = (struct carom_lzb_linear){0};
}

enum carom_status carom_lzb_linear_open(struct carom_lzb_linear *a, size_t room, bool chain, struct carom_error *error)
{
    bool all = true;
    if (chain) {
        all &= (a->lower = carom_memory_zeroed(room, sizeof(double))) != NULL;
        all &= (a->diagonal = carom_memory_zeroed(room, sizeof(double))) != NULL;
        all &= (a->upper = carom_memory_zeroed(room, sizeof(double))) != NULL;
    } else {
        const bool fits = room == 0 || room <= SIZE_MAX / sizeof(double) / room;
        all &= (a->matrix = fits ? carom_memory_zeroed(room * room, sizeof(double)) : NULL) != NULL;
        all &= (a->row = carom_memory_zeroed(room, sizeof *a->row)) != NULL;
        all &= (a->diagonal = carom_memory_zeroed(room, sizeof(double))) != NULL;
    }
    return all ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for impact lzb");
}

static const double nothing = 1e-13; /* of its row's diagonal: a pivot that is rounding */

static void set_span(const struct carom_lzb *w, struct carom_lzb_linear *a, const double *by, size_t first, size_t last)
{
    const double *diagonal = w->frame->diagonal, *beside = w->frame->beside;
    for (size_t i = first; i < last; i++) {
        const double one = by[i] < 0.0 ? 0.0 : 1.0, factor = by[i] < 0.0 ? 1.0 : by[i];
        const double whole = one + factor * diagonal[i];
        a->diagonal[i] = whole;
        a->lower[i] = i > first ? factor * beside[i - 1] : 0.0;
        a->upper[i] = i + 1 < last ? factor * beside[i] : 0.0;
        if (i == first)
            continue;
        a->lower[i] = a->diagonal[i - 1] != 0.0 ? a->lower[i] / a->diagonal[i - 1] : 0.0;
        a->diagonal[i] -= a->lower[i] * a->upper[i - 1];
        if (!(fabs(a->diagonal[i]) > nothing * whole))
            a->diagonal[i] = 0.0;
    }
}

void carom_lzb_linear_set(const struct carom_lzb *w, struct carom_lzb_linear *a, const double *by)
{
    const size_t n = w->n;
    if (w->frame->chain) {
        for (size_t s = 0; s < w->nspans; s++)
            set_span(w, a, by, w->span[s].first, w->span[s].last);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double factor_of = by[i] < 0.0 ? 1.0 : by[i];
        for (size_t j = 0; j < n; j++)
            a->matrix[i * n + j] = factor_of * w->frame->matrix[i * n + j];
        a->matrix[i * n + i] += by[i] < 0.0 ? 0.0 : 1.0;
        a->diagonal[i] = nothing * fabs(a->matrix[i * n + i]);
    }
    carom_dense_factor(n, a->matrix, a->row, a->diagonal);
}

void carom_lzb_linear_solve(const struct carom_lzb *w, const struct carom_lzb_linear *a, double *b)
{
    if (!w->frame->chain) {
        carom_dense_factor_solve(w->n, a->matrix, a->row, b);
        return;
    }
    for (size_t s = 0; s < w->nspans; s++) {
        const size_t first = w->span[s].first, last = w->span[s].last;
        for (size_t i = first + 1; i < last; i++)
            b[i] -= a->lower[i] * b[i - 1];
        for (size_t i = last; i-- > first;) {
            const double rest = b[i] - (i + 1 < last ? a->upper[i] * b[i + 1] : 0.0);
            b[i] = a->diagonal[i] != 0.0 ? rest / a->diagonal[i] : 0.0;
        }
    }
}
