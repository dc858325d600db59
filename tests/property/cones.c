/* Random contact problems with friction, in blocks and dense, loose and redundant, light and heavy: what the solvers
 * call solved obeys Coulomb's law, by equations written down here; what has a solution is solved; twice the same is
 * the same. */
#include "check.h"

#include "base/memory.h"
#include "base/random.h"
#include "solve/contact/friction_data.h"
#include "study/stacks.h"

/* the natural map's largest part over the largest |b|, with the weight of each contact */
static double judge(const struct carom_friction_data *data, const double *r)
{
    const size_t dim = data->dim;
    double worst = 0.0, speed = 0.0;
    for (size_t i = 0; i < data->n; i++) {
        double u[3] = {0.0}, slip = 0.0, reach = 0.0, z[3] = {0.0}, weight = 0.0;
        for (size_t k = 0; k < dim; k++) {
            u[k] = data->b[i * dim + k];
            speed = fabs(u[k]) > speed ? fabs(u[k]) : speed;
        }
        for (size_t e = data->first[i]; e < data->first[i + 1]; e++)
            for (size_t k = 0; k < dim; k++)
                for (size_t l = 0; l < dim; l++) {
                    const double w = data->block[(e * dim + k) * dim + l];
                    u[k] += w * r[data->column[e] * dim + l];
                    if (data->column[e] == i && k == l)
                        weight = w > weight ? w : weight;
                }
        for (size_t k = 1; k < dim; k++)
            slip += u[k] * u[k];
        for (size_t k = 0; k < dim; k++)
            z[k] = weight * r[i * dim + k] - u[k] - (k == 0 ? data->mu[i] * sqrt(slip) : 0.0);
        for (size_t k = 1; k < dim; k++)
            reach += z[k] * z[k];
        reach = sqrt(reach);
        if (reach > data->mu[i] * z[0]) {
            const double normal = (z[0] + data->mu[i] * reach) / (1.0 + data->mu[i] * data->mu[i]);
            z[0] = normal > 0.0 ? normal : 0.0;
            for (size_t k = 1; k < dim; k++)
                z[k] *= reach > 0.0 ? data->mu[i] * z[0] / reach : 0.0;
        }
        for (size_t k = 0; k < dim; k++) {
            const double part = fabs(weight * r[i * dim + k] - z[k]);
            worst = part > worst ? part : worst;
        }
    }
    return (speed > 0.0 ? worst / speed : worst);
}

/* energy: friction and contact never give any; r . (u + b) / 2 is the change of kinetic energy */
static void check_energy(const struct carom_friction_data *data, const double *r, const double *u)
{
    double change = 0.0, size = 0.0;
    for (size_t k = 0; k < data->n * data->dim; k++) {
        change += 0.5 * r[k] * (u[k] + data->b[k]);
        size += fabs(r[k] * data->b[k]);
    }
    CHECK(change <= 1e-7 * size);
}

static void try(const char *name, enum carom_friction_solver solver, double tol)
{
    struct carom_friction_data data;
    struct carom_error error = {0};
    CHECK_STATUS(carom_stacks_make(name, &data, &error), CAROM_OK);
    const struct carom_friction_problem problem = carom_friction_data_problem(&data);
    const size_t width = data.n * data.dim;
    struct carom_friction_room *room = carom_friction_open(data.n, data.dim, data.first[data.n], &error);
    double *r = carom_memory_zeroed(width, sizeof *r), *u = carom_memory_zeroed(width, sizeof *u);
    double *again = carom_memory_zeroed(width, sizeof *again);
    CHECK_OR_STOP(room && r && u && again);
    CHECK_STATUS(carom_friction_prepare(room, &problem, &error), CAROM_OK);
    struct carom_friction_report report, second;
    carom_friction_solve(&problem, solver, tol, 0, room, r, u, &report);
    if (!report.solved)
        fprintf(stderr, "%s, solver %d: residual %g, %s\n", name, (int)solver, report.residual, report.reason);
    CHECK(report.solved);
    CHECK(judge(&data, r) <= 1.01 * tol);
    check_energy(&data, r, u);
    carom_friction_solve(&problem, solver, tol, 0, room, again, u, &second);
    CHECK(memcmp(r, again, width * sizeof *r) == 0 && second.iterations == report.iterations);
    carom_memory_free(r);
    carom_memory_free(u);
    carom_memory_free(again);
    carom_friction_close(room);
    carom_friction_data_close(&data);
}

/* Bodies of unequal mass, up to 10^decades; beyond some decades a problem may be missed, but then that is said. */
static void unequal(struct carom_random *random, int trial, double decades, bool surely)
{
    enum { BODIES = 12, CONTACTS = 20 };
    size_t pair[2 * CONTACTS];
    double h[2 * CONTACTS * 9], inverse[BODIES * 3], v[BODIES * 3];
    for (size_t k = 0; k < BODIES * 3; k++) {
        inverse[k] = k % 3 == 0 ? pow(10.0, decades * (carom_random_uniform(random) - 0.5)) : inverse[k - 1];
        v[k] = carom_random_normal(random);
    }
    for (size_t k = 0; k < 2 * CONTACTS; k++)
        pair[k] = (size_t)carom_random_below(random, BODIES);
    for (size_t i = 0; i < CONTACTS; i++)
        pair[2 * i + 1] = pair[2 * i + 1] == pair[2 * i] ? BODIES : pair[2 * i + 1];
    for (size_t k = 0; k < 2 * CONTACTS * 9; k++)
        h[k] = carom_random_normal(random);
    struct carom_friction_data data;
    struct carom_error error = {0};
    CHECK_STATUS(carom_friction_data_assemble(&data, CONTACTS, 3, BODIES, 3, pair, h, inverse, v, &error), CAROM_OK);
    for (size_t i = 0; i < CONTACTS; i++)
        data.mu[i] = 0.7 * carom_random_uniform(random);
    const struct carom_friction_problem problem = carom_friction_data_problem(&data);
    struct carom_friction_room *room = carom_friction_open(CONTACTS, 3, data.first[CONTACTS], &error);
    CHECK_OR_STOP(room != NULL);
    CHECK_STATUS(carom_friction_prepare(room, &problem, &error), CAROM_OK);
    double r[CONTACTS * 3] = {0.0}, u[CONTACTS * 3];
    struct carom_friction_report report;
    carom_friction_solve(&problem, CAROM_FRICTION_AUTO, 1e-8, 0, room, r, u, &report);
    if (!report.solved && surely)
        fprintf(stderr, "unequal %d: residual %g, %s\n", trial, report.residual, report.reason);
    CHECK(report.solved || !surely);
    CHECK(report.solved ? report.reason[0] == '\0' : report.reason[0] != '\0');
    CHECK_NEAR(carom_friction_residual(&problem, r, u), report.residual, 1e-3 * report.residual + 1e-12);
    carom_friction_close(room);
    carom_friction_data_close(&data);
}

int main(int argc, char **argv)
{
    const uint64_t seed = check_seed(argc, argv);
    struct carom_random random;
    carom_random_start(&random, seed);
    for (int trial = 0; trial < 40; trial++) {
        char name[80];
        const char *const kind = trial % 4 < 2 ? "random" : "tangle";
        snprintf(name, sizeof name, "%s:%d:%d:%d", kind, 1 + (int)carom_random_below(&random, 120), 2 + trial % 2,
                 (int)carom_random_below(&random, 100000));
        try(name, CAROM_FRICTION_AUTO, trial % 3 == 0 ? 1e-11 : 1e-8);
        if (trial % 2) /* in space all three solvers find their way */
            try(name, CAROM_FRICTION_NEWTON, 1e-8);
    }
    try("tower:20", CAROM_FRICTION_AUTO, 1e-10);
    try("tower:20", CAROM_FRICTION_NEWTON, 1e-10);
    try("spheres:4", CAROM_FRICTION_AUTO, 1e-8);
    try("spheres:4", CAROM_FRICTION_GAUSS_SEIDEL, 1e-8);
    try("pyramid:10", CAROM_FRICTION_AUTO, 1e-8);
    try("tangle:3000:3:1", CAROM_FRICTION_AUTO, 1e-8);
    for (int trial = 0; trial < 40; trial++)
        unequal(&random, trial, trial % 4 == 0 ? 12.0 : 4.0, trial % 4 != 0);
    CHECK_MAIN_END;
}
