/* Friction with one tangent along the path of a blow, see lzb_cone.h. */
#include "impact/lzb_cone.h"

#include <math.h>

#include "solve/dense.h"

enum { ROUNDS = 60 }; /* of sharing out who sticks */

/* Q' of those that stick: what keeps their slips */
static void stick(struct carom_lzb_friction *r)
{
    size_t m = 0;
    for (size_t i = 0; i < r->n && r->rubs; i++)
        if (r->slides[i] == 0 && r->force[i] > 0.0 && carom_lzb_line_cone(r, i) > 0.0)
            r->who[m++] = i;
    for (size_t a = 0; a < m; a++) {
        const size_t i = r->who[a];
        r->side[a] = 0.0;
        for (size_t j = 0; j < r->n; j++)
            r->side[a] -= carom_lzb_cone_coupling(r, i, 1, j, 0) * r->force[j] +
                          carom_lzb_cone_coupling(r, i, 1, j, 1) * r->pull[j];
        for (size_t b = 0; b < m; b++)
            r->matrix[a * m + b] = carom_lzb_cone_coupling(r, i, 1, r->who[b], 1);
    }
    carom_dense_semidefinite(m, r->matrix, 1e-12); /* contacts that stick may say the same: two corners of a side */
    carom_dense_cholesky_solve(m, r->matrix, r->side);
    for (size_t a = 0; a < m; a++)
        r->pull[r->who[a]] = r->side[a];
}

void carom_lzb_line_pull(struct carom_lzb_friction *r)
{
    for (size_t i = 0; i < r->n; i++)
        r->pull[i] = -r->slides[i] * r->of->mu[i] * r->force[i];
    stick(r);
}

double carom_lzb_line_beyond(const struct carom_lzb_friction *r, size_t i)
{
    const double most = carom_lzb_line_cone(r, i) * r->force[i];
    if (!(most > 0.0))
        return -r->fast;
    return r->slides[i] != 0 ? -r->slides[i] * r->slip[i] - r->still
                             : (fabs(r->pull[i]) / most - (1.0 + 1e-12)) * r->fast;
}

/* Who sticks: all whose slip is none, but for those that would need more than their cone, the neediest first. A slip
 * that begins goes against what the contact cannot give. */
void carom_lzb_line_share(struct carom_lzb_friction *r)
{
    for (size_t i = 0; i < r->n; i++) {
        r->slides[i] = fabs(r->slip[i]) <= 2.0 * r->still ? 0 : r->slip[i] > 0.0 ? 1 : -1;
        r->zero[i] += r->slides[i] == 0 ? r->slip[i] : 0.0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        size_t neediest = r->n;
        double most = 1.0; /* below what _beyond allows, so that who is over it slips */
        carom_lzb_line_pull(r);
        for (size_t i = 0; i < r->n; i++) {
            const double need = r->slides[i] == 0 && r->force[i] > 0.0 && carom_lzb_line_cone(r, i) > 0.0
                                    ? fabs(r->pull[i]) / (carom_lzb_line_cone(r, i) * r->force[i])
                                    : 0.0;
            neediest = need > most ? i : neediest;
            most = need > most ? need : most;
        }
        if (neediest == r->n)
            return;
        r->slides[neediest] = r->pull[neediest] > 0.0 ? -1 : 1;
    }
}
