/* Solvers of contact problems on random lattices of bodies: every answer obeys its law (the natural map, or z, w >= 0
 * and z . w = 0, measured here), and is found in as many steps and with the same bits as when the table below was made.
 * Solvers correct themselves, so a slip in one of their terms hardly shows in what they find; it does in how they find
 * it. Where a change is meant to change the way,
 *
 *     build/tests/conform/solvers --write
 *
 * prints the table again. */
#include "base/random.h"
#include "solve/contact/friction_data.h"
#include "solve/contact/friction_islands.h"
#include "solve/contact/lcp_sparse.h"
#include "stored.h"

enum { MOST = 400, DOF = 3 };

/* --- problems ----------------------------------------------------------------------------------------------------- */

/* Bodies on a lattice, three freedoms each (space without turning, or the plane with it); neighbours touch, those below
 * touch the floor. */
struct lattice {
    size_t n, dim, bodies, pair[2 * MOST];
    double h[MOST * 2 * 3 * DOF], response[MOST * 2 * 3 * DOF], inverse[MOST * DOF], v[MOST * DOF], b[3 * MOST],
        mu[MOST];
};

static void join(struct lattice *l, size_t a, size_t b, const double normal[3])
{
    double *rows = l->h + l->n * 2 * l->dim * DOF;
    const double across[3][3] = {{normal[0], normal[1], normal[2]},
                                 {-normal[1], normal[0], normal[2] == 0.0 ? 0.0 : normal[0]},
                                 {normal[2], normal[2], -normal[0] - normal[1]}};
    l->pair[2 * l->n] = a;
    l->pair[2 * l->n + 1] = b;
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < l->dim; i++)
            for (size_t k = 0; k < DOF; k++) {
                const bool turn = l->dim == 2 && k == 2;
                rows[(side * l->dim + i) * DOF + k] =
                    turn ? (i == 1 ? 0.5 : 0.0) : (side == 0 ? -1.0 : 1.0) * across[i][k];
            }
    l->n++;
}

static void make_lattice(struct lattice *l, size_t dim, size_t wide, size_t high, double mu, double sparse,
                         struct carom_random *random)
{
    const double right[3] = {1.0, 0.0, 0.0}, up[3] = {0.0, 1.0, 0.0}, aslant[3] = {0.6, 0.8, 0.0};
    *l = (struct lattice){.dim = dim, .bodies = wide * high};
    for (size_t i = 0; i < l->bodies * DOF; i++) {
        l->inverse[i] = i % DOF == 0 ? 0.5 + carom_random_uniform(random) : l->inverse[i - 1];
        l->v[i] = 3.0 * carom_random_uniform(random) - (i % DOF == 1 ? 2.5 : 1.5);
    }
    for (size_t y = 0; y < high; y++)
        for (size_t x = 0; x < wide; x++) {
            const size_t at = y * wide + x;
            if (y == 0)
                join(l, l->bodies, at, up);
            if (x + 1 < wide && carom_random_uniform(random) > sparse)
                join(l, at, at + 1, right);
            if (y + 1 < high && carom_random_uniform(random) > sparse)
                join(l, at, at + wide, up);
            if (x + 1 < wide && y + 1 < high && carom_random_uniform(random) > sparse)
                join(l, at, at + wide + 1, aslant);
        }
    for (size_t i = 0; i < l->n; i++)
        l->mu[i] = mu * carom_random_uniform(random);
    for (size_t i = 0; i < l->n; i++)
        for (size_t side = 0; side < 2; side++)
            for (size_t k = 0; k < dim * DOF; k++) {
                const size_t body = l->pair[2 * i + side], at = (i * 2 + side) * dim * DOF + k;
                l->response[at] = body < l->bodies ? l->h[at] * l->inverse[body * DOF + k % DOF] : 0.0;
                l->b[i * dim + k / DOF] += body < l->bodies ? l->h[at] * l->v[body * DOF + k % DOF] : 0.0;
            }
}

/* --- with friction ------------------------------------------------------------------------------------------------ */

static void assemble(const struct lattice *l, struct carom_friction_data *data)
{
    CHECK_STATUS(
        carom_friction_data_assemble(data, l->n, l->dim, l->bodies, DOF, l->pair, l->h, l->inverse, l->v, NULL),
        CAROM_OK);
    memcpy(data->mu, l->mu, l->n * sizeof *l->mu);
}

static void solve_friction(const struct lattice *l, enum carom_friction_solver solver, bool dense, double tol)
{
    static double wide[(size_t)9 * 100 * 100], r[3 * MOST], u[3 * MOST];
    struct carom_friction_data data;
    struct carom_friction_report report;
    assemble(l, &data);
    struct carom_friction_problem problem = carom_friction_data_problem(&data);
    const size_t dim = l->dim, width = l->n * dim;
    if (dense && l->n > 100)
        dense = false;
    if (dense) {
        memset(wide, 0, width * width * sizeof *wide);
        for (size_t i = 0; i < l->n; i++)
            for (size_t e = data.first[i]; e < data.first[i + 1]; e++)
                for (size_t k = 0; k < dim * dim; k++)
                    wide[(i * dim + k / dim) * width + data.column[e] * dim + k % dim] = data.block[e * dim * dim + k];
        problem.matrix = wide;
    }
    struct carom_friction_room *room = carom_friction_open(l->n, dim, dense ? 0 : data.first[l->n], NULL);
    CHECK_OR_STOP(room != NULL);
    if (!dense && solver != CAROM_FRICTION_GAUSS_SEIDEL)
        CHECK_STATUS(carom_friction_prepare(room, &problem, NULL), CAROM_OK);
    memset(r, 0, sizeof r);
    carom_friction_solve(&problem, solver, tol, 0, room, r, u, &report);
    CHECK(report.solved || solver == CAROM_FRICTION_GAUSS_SEIDEL);
    CHECK_NEAR(carom_friction_residual(&problem, r, u), 0.0, report.solved ? fmax(tol, 1e-13) : HUGE_VAL);
    mix_reals(r, width);
    mix_reals(&report.residual, 1);
    mix(report.iterations);
    carom_friction_close(room);
    carom_friction_data_close(&data);
}

/* tol = 0 cannot be met: whatever is tried in turn is tried */
static void solve_islands(const struct lattice *l, double tol, bool rests)
{
    static double r[3 * MOST];
    struct carom_friction_islands room = {0};
    struct carom_friction_islands_report report;
    const struct carom_friction_system system = {l->n,        l->dim, l->bodies, DOF,  l->pair, l->h,
                                                 l->response, l->b,   l->mu,     NULL, NULL};
    const struct carom_friction_aims aims = {.tol = tol, .fine = 0.01 * tol, .enough = 100.0 * tol, .rests = rests};
    memset(r, 0, sizeof r);
    for (int again = 0; again < 2; again++) { /* the second time from the answer of the first */
        CHECK_STATUS(carom_friction_islands_solve(&room, &system, CAROM_FRICTION_AUTO, &aims, r, &report, NULL),
                     CAROM_OK);
        CHECK(report.solved || tol == 0.0);
        mix_reals(r, l->n * l->dim);
        mix_reals(&report.residual, 1);
        mix(report.iterations);
        mix(report.contact);
        mix(report.count);
    }
    struct carom_friction_data data;
    static double u[3 * MOST];
    assemble(l, &data);
    const struct carom_friction_problem problem = carom_friction_data_problem(&data);
    CHECK_NEAR(carom_friction_residual(&problem, r, u), 0.0, fmax(10.0 * tol, 1e-13)); /* of all islands together */
    carom_friction_data_close(&data);
    carom_friction_islands_close(&room);
}

/* The floor under the first body, once more from above, and both come nearer: no impulses keep both off it. By bodies
 * it is tried, and once more by contacts. */
static void solve_jam(struct lattice *l)
{
    static double r[3 * MOST];
    const size_t dim = l->dim, rows = 2 * dim * DOF, n = l->n++;
    struct carom_friction_islands room = {0};
    struct carom_friction_islands_report report;
    for (size_t k = 0; k < rows; k++) {
        l->h[n * rows + k] = -l->h[k];
        l->response[n * rows + k] = -l->response[k];
    }
    for (size_t k = 0; k < dim; k++)
        l->b[n * dim + k] = -l->b[k] - (k == 0 ? 1.0 : 0.0);
    memcpy(l->pair + 2 * n, l->pair, 2 * sizeof *l->pair);
    l->mu[n] = l->mu[0];
    const struct carom_friction_system system = {l->n,        dim,  l->bodies, DOF,  l->pair, l->h,
                                                 l->response, l->b, l->mu,     NULL, NULL};
    const struct carom_friction_aims aims = {.tol = 1e-8, .fine = 1e-10, .enough = 1e-6};
    memset(r, 0, sizeof r);
    CHECK_STATUS(carom_friction_islands_solve(&room, &system, CAROM_FRICTION_AUTO, &aims, r, &report, NULL), CAROM_OK);
    CHECK(!report.solved && report.residual > 1e-3 && report.contact == 0 && report.count == l->n);
    mix_reals(r, l->n * dim);
    mix_reals(&report.residual, 1);
    mix(report.iterations);
    mix_text(report.reason);
    carom_friction_islands_close(&room);
}

/* --- without friction --------------------------------------------------------------------------------------------- */

/* The normal directions alone, in compressed rows. */
struct normals {
    size_t first[MOST + 1], column[9 * MOST];
    double value[9 * MOST], b[MOST];
};

static void take_normals(const struct lattice *l, struct normals *to)
{
    struct carom_friction_data data;
    assemble(l, &data);
    for (size_t i = 0; i < l->n; i++) {
        to->b[i] = data.b[i * l->dim];
        for (size_t e = data.first[i]; e < data.first[i + 1]; e++) {
            to->column[e] = data.column[e];
            to->value[e] = data.block[e * l->dim * l->dim];
        }
    }
    memcpy(to->first, data.first, (l->n + 1) * sizeof *to->first);
    carom_friction_data_close(&data);
}

/* z, w >= 0 and one of them 0, to the sizes of b */
static void check_lcp(const struct normals *a, size_t n, const double *z, double tol)
{
    for (size_t i = 0; i < n; i++) {
        double w = a->b[i];
        for (size_t e = a->first[i]; e < a->first[i + 1]; e++)
            w += a->value[e] * z[a->column[e]];
        CHECK(z[i] >= 0.0 && w > -tol);
        CHECK_NEAR(fmin(z[i], w), 0.0, tol);
    }
}

static void mix_report(const double *z, size_t n, const struct carom_lcp_report *report)
{
    mix_reals(z, n);
    mix_reals(&report->residual, 1);
    mix(report->iterations);
    mix((uint64_t)report->by);
}

static void solve_sparse(const struct lattice *l)
{
    static struct normals a;
    static double z[MOST];
    struct carom_lcp_sparse_room room = {0};
    struct carom_lcp_report report;
    take_normals(l, &a);
    const struct carom_lcp_sparse lcp = {l->n, a.first, a.column, a.value, a.b};
    CHECK_STATUS(carom_lcp_sparse_open(&room, l->n, NULL), CAROM_OK);
    memset(z, 0, sizeof z);
    carom_lcp_sparse_solve(&lcp, CAROM_LCP_AUTO, 1e-11, &room, z, &report);
    CHECK(report.solved);
    check_lcp(&a, l->n, z, 1e-8);
    mix_report(z, l->n, &report);
    carom_lcp_sparse_close(&room);
}

static void solve_dense(const struct lattice *l, enum carom_lcp_solver solver)
{
    static struct normals a;
    static double matrix[MOST * MOST], z[MOST];
    struct carom_lcp_room room = {0};
    struct carom_lcp_report report;
    take_normals(l, &a);
    memset(matrix, 0, sizeof matrix);
    for (size_t i = 0; i < l->n; i++)
        for (size_t e = a.first[i]; e < a.first[i + 1]; e++)
            matrix[i * l->n + a.column[e]] = a.value[e];
    const struct carom_lcp lcp = {.n = l->n, .matrix = matrix, .b = a.b};
    CHECK_STATUS(carom_lcp_open(&room, l->n, true, NULL), CAROM_OK);
    memset(z, 0, sizeof z);
    carom_lcp_solve(&lcp, solver, 1e-10, 20000, &room, z, &report);
    CHECK(report.solved);
    check_lcp(&a, l->n, z, 1e-6);
    mix_report(z, l->n, &report);
    carom_lcp_close(&room);
}

/* a row of bodies pressed together, struck here and there */
static void solve_row(struct carom_random *random, size_t n, bool dense_too)
{
    static double diagonal[MOST], beside[MOST], b[MOST], z[MOST];
    struct carom_lcp_room room = {0};
    struct carom_lcp_report report;
    double ease = 1.0;
    for (size_t i = 0; i < n; i++) {
        const double next = 0.2 + carom_random_uniform(random);
        diagonal[i] = ease + next;
        beside[i] = -next;
        b[i] = carom_random_uniform(random) - 0.5;
        ease = next;
    }
    CHECK_STATUS(carom_lcp_open(&room, n, dense_too, NULL), CAROM_OK);
    const struct carom_lcp lcp = {.n = n, .diagonal = diagonal, .beside = beside, .b = b};
    memset(z, 0, sizeof z);
    carom_lcp_solve(&lcp, CAROM_LCP_TRIDIAGONAL, 1e-12, 1000, &room, z, &report);
    CHECK(report.solved);
    for (size_t i = 0; i < n; i++) {
        const double w = b[i] + diagonal[i] * z[i] + (i > 0 ? beside[i - 1] * z[i - 1] : 0.0) +
                         (i + 1 < n ? beside[i] * z[i + 1] : 0.0);
        CHECK(z[i] >= 0.0);
        CHECK_NEAR(fmin(z[i], w), 0.0, 1e-9);
    }
    mix_report(z, n, &report);
    carom_lcp_close(&room);
}

/* --- families ----------------------------------------------------------------------------------------------------- */

static void run(size_t family, struct carom_random *random)
{
    static struct lattice l;
    static const size_t size[][2] = {{1, 1}, {2, 2}, {3, 2}, {4, 4}, {6, 5}, {9, 8}};
    for (size_t k = 0; k < sizeof size / sizeof *size; k++)
        for (size_t dim = 2; dim <= 3; dim++) {
            make_lattice(&l, dim, size[k][0], size[k][1], family == 4 ? 0.0 : 0.8, k % 2 ? 0.0 : 0.4, random);
            if (family == 0 && l.n < 60)
                solve_friction(&l, CAROM_FRICTION_GAUSS_SEIDEL, k % 2, 1e-6);
            else if (family == 1 || family == 2)
                solve_friction(&l, CAROM_FRICTION_NEWTON, family == 1, 1e-10);
            else if (family == 3 || family == 4)
                solve_islands(&l, 1e-10, false);
            else if (family == 11 && l.n < 60)
                solve_islands(&l, 1e-10, true);
            else if (family == 12 && l.n < 20)
                solve_islands(&l, 0.0, false);
            else if (family == 13 && k == 3)
                solve_jam(&l);
            else if (family == 5)
                solve_sparse(&l);
            else if (family >= 6 && family <= 9 && l.n < 60)
                solve_dense(&l, (enum carom_lcp_solver)(CAROM_LCP_AUTO + family - 6));
            else if (family == 10)
                solve_row(random, 1 + 30 * k, dim == 3);
        }
}

static const struct {
    const char *name;
    uint64_t hash;
} families[] = {
    {"friction, Gauss-Seidel", 0x631201a9ff50d67b},     {"friction, Newton, dense", 0x6c60bb67832d0e40},
    {"friction, Newton, blocks", 0xa35cdfaa8d88ba7a},   {"friction, islands", 0xebbf54fcc229df36},
    {"islands without friction", 0xc39c4fec89a90e8e},   {"no friction, sparse", 0xfea5884a6a87b02e},
    {"no friction, auto", 0xbfe2f9c93fb86462},          {"no friction, Lemke", 0x81de2539a180c72f},
    {"no friction, Gauss-Seidel", 0x373637b2d71bfeb9},  {"no friction, Newton", 0x656952e6a850b032},
    {"no friction, rows", 0xd4291b7e38391068},          {"islands that may rest", 0xf935e15546eaeea7},
    {"islands, all that is tried", 0xc6f0496502526158}, {"islands that jam", 0x8dd6a38b9178401c},
};

int main(int argc, char **argv)
{
    const bool write = argc > 1 && strcmp(argv[1], "--write") == 0;
    for (size_t family = 0; family < sizeof families / sizeof *families; family++) {
        struct carom_random random;
        carom_random_start(&random, family);
        hash = 1;
        run(family, &random);
        if (write)
            printf("    {\"%s\", 0x%016" PRIx64 "},\n", families[family].name, hash);
        else if (hash != families[family].hash)
            fprintf(stderr, "%s: other bits or another way\n", families[family].name);
        CHECK(write || hash == families[family].hash);
    }
    return check_end();
}
