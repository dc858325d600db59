/* Sparse contact problems against the dense solvers: random graphs of contacts, redundant ones and several parts. */
#include "solve/contact/lcp_sparse.h"

#include "base/memory.h"
#include "check.h"

enum { BODIES = 120, CONTACTS = 260 };

static double draw(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

struct problem {
    size_t n, entries, first[CONTACTS + 1], column[CONTACTS * CONTACTS];
    double value[CONTACTS * CONTACTS], matrix[CONTACTS * CONTACTS], b[CONTACTS];
};

/* contacts between bodies of the plane near each other in number, b from velocities: then there is a solution */
static void make(struct problem *p, size_t n, size_t parts, uint64_t seed)
{
    static double g[CONTACTS][2 * BODIES];
    double v[2 * BODIES];
    memset(g, 0, sizeof g);
    for (size_t i = 0; i < 2 * BODIES; i++)
        v[i] = draw(&seed, -1.0, 1.0);
    p->n = n;
    p->entries = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t wide = BODIES / parts, from = wide * (i % parts);
        const size_t a = from + (size_t)draw(&seed, 0.0, (double)wide - 1.001);
        const size_t near = a + 1 + (size_t)draw(&seed, 0.0, 3.0), b = near < from + wide ? near : from + wide - 1;
        const double angle = draw(&seed, 0.0, 6.283185);
        g[i][2 * a] = -cos(angle);
        g[i][2 * a + 1] = -sin(angle);
        g[i][2 * b] += cos(angle);
        g[i][2 * b + 1] += sin(angle);
        p->b[i] = 0.0;
        for (size_t k = 0; k < 2 * BODIES; k++)
            p->b[i] += g[i][k] * v[k];
    }
    for (size_t i = 0; i < n; i++) {
        p->first[i] = p->entries;
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < 2 * BODIES; k++)
                sum += g[i][k] * g[j][k] * (1.0 + (double)(k / 2 % 3));
            p->matrix[i * n + j] = sum;
            if (sum != 0.0) {
                p->column[p->entries] = j;
                p->value[p->entries++] = sum;
            }
        }
    }
    p->first[n] = p->entries;
}

static void compare(struct problem *p, size_t n, size_t parts, uint64_t seed)
{
    struct carom_lcp_sparse_room room = {0};
    double z[CONTACTS] = {0.0};
    struct carom_lcp_report report;
    make(p, n, parts, seed);
    CHECK_STATUS(carom_lcp_sparse_open(&room, n, NULL), CAROM_OK);
    const struct carom_lcp_sparse lcp = {p->n, p->first, p->column, p->value, p->b};
    carom_lcp_sparse_solve(&lcp, CAROM_LCP_AUTO, 1e-12, &room, z, &report);
    CHECK(report.solved && report.residual <= 1e-12);
    for (size_t i = 0; i < n; i++) {
        double w = p->b[i];
        for (size_t j = 0; j < n; j++)
            w += p->matrix[i * n + j] * z[j];
        CHECK(z[i] >= 0.0);
        CHECK(fabs(fmin(p->matrix[i * n + i] * z[i], w)) <= 1e-10);
    }
    carom_lcp_sparse_close(&room);
}

/* of two parts that share nothing one has no solution: neither has the whole, whichever comes first */
static void test_hopeless(void)
{
    const size_t first[] = {0, 1, 2}, column[] = {0, 1};
    for (size_t bad = 0; bad < 2; bad++) {
        const double value[] = {bad == 0 ? 0.0 : 1.0, bad == 1 ? 0.0 : 1.0}, b[] = {-1.0, -1.0};
        double z[] = {0.0, 0.0};
        struct carom_lcp_sparse_room room = {0};
        struct carom_lcp_report report;
        CHECK_STATUS(carom_lcp_sparse_open(&room, 2, NULL), CAROM_OK);
        const struct carom_lcp_sparse lcp = {2, first, column, value, b};
        carom_lcp_sparse_solve(&lcp, CAROM_LCP_AUTO, 1e-12, &room, z, &report);
        CHECK(!report.solved && report.residual > 1e-12);
        carom_lcp_sparse_close(&room);
    }
}

/* Room grows with the number of contacts, not with its square: three million of them are possible. */
static void test_room(void)
{
    struct carom_lcp_sparse_room room = {0};
    CHECK_STATUS(carom_lcp_sparse_open(&room, 3000000, NULL), CAROM_OK);
    carom_lcp_sparse_close(&room);
}

int main(void)
{
    struct problem *p = carom_memory_zeroed(1, sizeof *p);
    CHECK_OR_STOP(p != NULL);
    for (uint64_t seed = 1; seed < 6; seed++) {
        compare(p, 20, 1, seed);
        compare(p, 140, 1, seed);
        compare(p, 200, 3, seed);
        compare(p, CONTACTS, 1, seed);
        compare(p, 150, 30, seed);
    }
    carom_memory_free(p);
    test_hopeless();
    test_room();
    return check_end();
}
