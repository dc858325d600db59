/* The coarsest level of blocks (solid_blocks.c): a sparse matrix of small blocks, factored (solve/block_factor.h). Its
 * unknowns are scaled to a diagonal of 1, so that moves and turns are alike. */
#include <string.h>

#include "base/memory.h"
#include "model/solid/settle/solid_blocks_level.h"

/* neighbours of a node and itself, rising, each once */
static size_t row_of(const struct carom_level_round *round, size_t i, size_t row[7])
{
    size_t count = 1;
    row[0] = i;
    for (int k = 0; k < round->count; k++) {
        size_t at = 0;
        while (at < count && row[at] < round->other[k])
            at++;
        if (at < count && row[at] == round->other[k])
            continue;
        memmove(row + at + 1, row + at, (count - at) * sizeof *row);
        row[at] = round->other[k];
        count++;
    }
    return count;
}

enum carom_status carom_solid_blocks_last_open(struct carom_solid_blocks *w, struct carom_error *error)
{
    const struct carom_level *l = &w->level[w->nlevels - 1];
    const size_t wide = (size_t)w->b;
    struct carom_level_round round;
    w->first = carom_memory_zeroed(l->n + 1, sizeof *w->first);
    w->column = carom_memory_zeroed(7 * l->n, sizeof *w->column);
    w->value = carom_memory_zeroed(7 * wide * wide * l->n, sizeof *w->value);
    w->scale = carom_memory_zeroed(wide * l->n, sizeof *w->scale);
    if (!w->first || !w->column || !w->value || !w->scale)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a static solution");
    size_t at[3] = {0, 0, 0};
    for (size_t i = 0; i < l->n; i++, carom_level_step_on(l, at)) {
        carom_level_round(l, w->axes, w->packed, at, i, &round);
        w->first[i + 1] = w->first[i] + row_of(&round, i, w->column + w->first[i]);
    }
    return carom_block_factor_open(&w->factor, l->n, wide, w->first, w->column, HUGE_VAL, error);
}

/* the block of the matrix that couples nodes i and j */
static double *block_at(struct carom_solid_blocks *w, size_t i, size_t j)
{
    size_t k = w->first[i];
    while (w->column[k] != j)
        k++;
    return w->value + (size_t)(w->b * w->b) * k;
}

static void add_coupling(struct carom_solid_blocks *w, const struct carom_level *l, size_t i, size_t j,
                         const float *link)
{
    const unsigned mask = carom_level_held(w, l, i), other = carom_level_held(w, l, j);
    double *block = block_at(w, i, j), arm[3], back[3];
    carom_level_arm_to(l, i, j, arm, back);
    for (int c = 0; c < w->b; c++) {
        double unit[CAROM_LEVEL_SPACE] = {0.0}, x[CAROM_LEVEL_SPACE], y[CAROM_LEVEL_SPACE];
        unit[c] = 1.0;
        carom_level_carry(w->b, unit, back, x);
        carom_level_times(w->b, link, x, y);
        carom_level_carry_back(w->b, y, arm, x);
        for (int a = 0; a < w->b; a++)
            if (!(mask >> a & 1U) && !(other >> c & 1U))
                block[a * w->b + c] -= x[a];
    }
}

/* what is held, or hangs on nothing, gets 1 on the diagonal */
static void add_diagonal(struct carom_solid_blocks *w, const struct carom_level *l, size_t i, const double *m)
{
    const unsigned mask = carom_level_held(w, l, i);
    double *block = block_at(w, i, i), *scale = w->scale + (size_t)w->b * i;
    for (int a = 0; a < w->b; a++)
        for (int c = 0; c < w->b; c++) {
            double entry = m[a > c ? a * (a + 1) / 2 + c : c * (c + 1) / 2 + a];
            if (mask >> a & 1U || mask >> c & 1U || (a == c && !(entry > 0.0)))
                entry = a == c ? 1.0 : 0.0;
            block[a * w->b + c] += entry;
            if (a == c)
                scale[a] = 1.0 / sqrt(entry);
        }
}

/* One block of a loose body is tied to where it is: loads that balance do not feel it, and nothing is singular. */
void carom_solid_blocks_last_build(struct carom_solid_blocks *w, bool loose)
{
    const struct carom_level *l = &w->level[w->nlevels - 1];
    const size_t wide = (size_t)w->b;
    struct carom_level_round round;
    size_t at[3] = {0, 0, 0};
    memset(w->value, 0, wide * wide * w->first[l->n] * sizeof *w->value);
    for (size_t i = 0; i < l->n; i++, carom_level_step_on(l, at)) {
        double m[CAROM_LEVEL_PACKED];
        carom_solid_blocks_build_diagonal(w, l, at, i, m);
        for (size_t k = 0; loose && i == l->n / 2 && k < w->packed; k++)
            m[k] *= 2.0;
        add_diagonal(w, l, i, m);
        carom_level_round(l, w->axes, w->packed, at, i, &round);
        for (int k = 0; k < round.count; k++)
            add_coupling(w, l, i, round.other[k], round.link[k]);
    }
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = w->first[i]; k < w->first[i + 1]; k++)
            for (size_t c = 0; c < wide * wide; c++)
                w->value[wide * wide * k + c] *=
                    w->scale[wide * i + c / wide] * w->scale[wide * w->column[k] + c % wide];
    carom_block_factor_compute(&w->factor, w->first, w->column, w->value, 0.0, 1e-14);
}

void carom_solid_blocks_last_solve(struct carom_solid_blocks *w, const double *r, double *z)
{
    const size_t n = (size_t)w->b * w->level[w->nlevels - 1].n;
    for (size_t i = 0; i < n; i++)
        z[i] = w->scale[i] * r[i];
    carom_block_factor_solve(&w->factor, z, z);
    for (size_t i = 0; i < n; i++)
        z[i] *= w->scale[i];
}

void carom_solid_blocks_last_close(struct carom_solid_blocks *w)
{
    carom_block_factor_close(&w->factor);
    carom_memory_free_all(w->first, w->column, w->value, w->scale);
}
