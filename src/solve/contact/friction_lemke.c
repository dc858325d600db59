/* In the plane a contact with friction is three complementary pairs (Glocker and Pfeiffer 1992): with u_T = a - c,
 * a, c >= 0,
 *
 *     0 <= r_N _|_ u_N >= 0,   0 <= mu r_N + r_T _|_ a >= 0,   0 <= c _|_ mu r_N - r_T >= 0,
 *
 * linear in r_N, s = mu r_N + r_T and c. Iterations may circle between stick and slip of a contact where the motion
 * that its slip starts is not the one it came from; Lemke's pivoting cannot, and finds another solution if there is
 * one. */
#include "solve/contact/friction_lemke.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

void carom_friction_lemke_close(struct carom_friction_lemke *lemke)
{
    carom_memory_free(lemke->matrix);
    carom_lcp_close(&lemke->room);
    *lemke = (struct carom_friction_lemke){0};
}

static bool reserve(struct carom_friction_lemke *lemke, size_t n)
{
    if (n <= lemke->n)
        return true;
    carom_friction_lemke_close(lemke);
    const bool good = carom_memory_together(CAROM_ROOM(lemke->matrix, 9 * n * n), CAROM_ROOM(lemke->b, 3 * n),
                                            CAROM_ROOM(lemke->z, 3 * n)) &&
                      carom_lcp_open(&lemke->room, 3 * n, true, NULL) == CAROM_OK;
    lemke->n = good ? n : 0;
    if (!good)
        carom_friction_lemke_close(lemke);
    return good;
}

/* rows 3 i, + 1, + 2 are u_N, a and mu r_N - r_T; columns r_N, s and c; r_T = s - mu r_N */
static void write_down(const struct carom_friction_problem *p, double give, double *matrix, double *b)
{
    const size_t width = 3 * p->n;
    memset(matrix, 0, width * width * sizeof *matrix);
    for (size_t i = 0; i < p->n; i++) {
        double *row = matrix + 3 * i * width;
        for (size_t l = p->first[i]; l < p->first[i + 1]; l++) {
            const size_t j = 3 * p->column[l];
            for (size_t k = 0; k < 2; k++) {
                const double *w = p->block + 4 * l + 2 * k;
                row[k * width + j] = w[0] - p->mu[p->column[l]] * w[1];
                row[k * width + j + 1] = w[1];
            }
        }
        const double yields = give * fmax(row[3 * i], row[width + 3 * i + 1]);
        row[3 * i] += yields;
        row[width + 3 * i] -= yields * p->mu[i];
        row[width + 3 * i + 1] += yields;
        row[width + 3 * i + 2] = 1.0;
        row[2 * width + 3 * i] = 2.0 * p->mu[i];
        row[2 * width + 3 * i + 1] = -1.0;
        b[3 * i] = p->b[2 * i];
        b[3 * i + 1] = p->b[2 * i + 1];
        b[3 * i + 2] = 0.0;
    }
}

bool carom_friction_lemke_solve(struct carom_friction_lemke *lemke, const struct carom_friction_problem *p,
                                size_t attempt, double *r, size_t *pivots)
{
    static const double give[CAROM_FRICTION_LEMKE_ATTEMPTS] = {0.0, 1e-10, 1e-11, 1e-9, 1e-12, 1e-8};
    if (!reserve(lemke, p->n))
        return false;
    write_down(p, give[attempt], lemke->matrix, lemke->b);
    memset(lemke->z, 0, 3 * p->n * sizeof *lemke->z);
    const struct carom_lcp lcp = {.n = 3 * p->n, .matrix = lemke->matrix, .b = lemke->b};
    struct carom_lcp_report report;
    carom_lcp_solve(&lcp, CAROM_LCP_LEMKE, 1e-14, 0, &lemke->room, lemke->z, &report);
    for (size_t i = 0; i < p->n; i++) {
        r[2 * i] = lemke->z[3 * i];
        r[2 * i + 1] = lemke->z[3 * i + 1] - p->mu[i] * lemke->z[3 * i];
    }
    *pivots += report.iterations;
    return true;
}
