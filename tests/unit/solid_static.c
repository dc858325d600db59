/* What the body is made of comes out of it: patch tests and pulled bars give E and nu for five Poisson ratios, a
 * beam bends as Euler's, waves of the lattice follow the paper's formulas, frequencies of beams and bars those of
 * closed forms. */
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "carom/solid.h"
#include "check.h"
#include "model/solid/solid.h"
#include "solids.h"
#include "study/lattice.h"

static const double pi = 3.14159265358979323846;
static const double ratios[] = {-0.5, 0.0, 0.25, 0.45, 0.49};

/* A bar under tension at both ends, all other sides free: uniform stress is an exact solution, so the patch test is
 * that the forces vanish for the displacements of Hooke's law. */
static void check_patch(enum carom_solid_case kind, double nu)
{
    const struct carom_solid_material m = {2.0, nu, 1.0};
    const double size[3] = {1.0, 0.6, 0.4}, origin[3] = {0.0, 0.0, 0.0}, pull = 1e-7;
    struct carom_solid *s = carom_solid_box(kind, (const size_t[]){5, 3, 2}, size, origin, 1.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    uint32_t face[64];
    for (int end = 0; end < 2; end++) {
        const struct carom_solid_load load = {
            .push = CAROM_SOLID_TRACTION,
            .vector = {end == 0 ? -pull : pull, 0.0, 0.0},
            .signal = {.shape = CAROM_SHAPE_CONSTANT, .amplitude = 1.0},
            .count = carom_solid_faces(s, end == 0 ? CAROM_SOLID_LEFT : CAROM_SOLID_RIGHT, 0, NULL, face),
            .at = face};
        CHECK_STATUS(carom_solid_add_load(s, &load, NULL), CAROM_OK);
    }
    double *q = solid_rest(s), *f = carom_memory_zeroed(s->fast * s->n, sizeof *f);
    double(*stress)[6] = carom_memory_zeroed(s->n, sizeof *stress);
    CHECK_OR_STOP(f != NULL && stress != NULL);
    const bool strain = kind == CAROM_SOLID_STRAIN;
    const double along = pull / m.young * (strain ? 1.0 - nu * nu : 1.0);
    const double across = -pull / m.young * (strain ? nu * (1.0 + nu) : nu);
    for (size_t i = 0; i < s->n; i++)
        for (int k = 0; k < s->dimension; k++)
            q[s->wide * i + (size_t)k] = (k == 0 ? along : across) * s->centre[i][k];
    solid_forces(s, NULL, 0.0, q, f, NULL);
    double worst = 0.0;
    for (size_t i = 0; i < s->fast * s->n; i++)
        worst = fmax(worst, fabs(f[i]));
    CHECK_NEAR(worst / (pull * s->face[0].area), 0.0, 1e-6); /* second order in the strain of 1e-7 is left */
    double *room = solid_room(s);
    carom_solid_stress(s, 0.0, q, room, stress);
    carom_memory_free(room);
    for (size_t i = 0; i < s->n; i++)
        CHECK_NEAR(stress[i][0] / pull, 1.0, 1e-6);
    carom_memory_free(stress);
    carom_memory_free(f);
    carom_memory_free(q);
    carom_solid_free(s);
}

/* the same bar clamped at one end and settled: E and nu from sensors in its middle */
static void check_bar(double nu)
{
    const struct carom_solid_material m = {2.0, nu, 1.0};
    const double size[3] = {3.0, 0.5, 0.5}, origin[3] = {0.0, 0.0, 0.0}, pull = 1e-6;
    struct carom_solid *s = carom_solid_box(CAROM_SOLID_SPACE, (const size_t[]){18, 3, 3}, size, origin, 1.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    uint32_t face[64], cell[9];
    for (uint32_t i = 0; i < 9; i++)
        cell[i] = 18 * i;
    const struct carom_solid_hold hold = {.mask = 63, .count = 9, .cell = cell};
    const struct carom_solid_load load = {.push = CAROM_SOLID_TRACTION,
                                          .vector = {pull, 0.0, 0.0},
                                          .signal = {.shape = CAROM_SHAPE_CONSTANT, .amplitude = 1.0},
                                          .count = carom_solid_faces(s, CAROM_SOLID_RIGHT, 0, NULL, face),
                                          .at = face};
    CHECK_STATUS(carom_solid_add_hold(s, &hold, NULL), CAROM_OK);
    CHECK_STATUS(carom_solid_add_load(s, &load, NULL), CAROM_OK);
    const double place[4][3] = {{1.5, 0.25, 0.25}, {2.5, 0.25, 0.25}, {2.0, 0.0, 0.25}, {2.0, 0.5, 0.25}};
    const char *const name[4] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++)
        CHECK_STATUS(carom_solid_add_sensor(s, name[i], place[i], NULL), CAROM_OK);
    double *q = solid_rest(s), u[4][3], v[3];
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_solid_settle(s, 0.0, 1e-9, q, NULL, NULL, &error), CAROM_OK);
    for (int i = 0; i < 4; i++)
        carom_solid_sense(s, &s->sensor[i], q, NULL, u[i], v);
    const double along = u[1][0] - u[0][0], across = (u[3][1] - u[2][1]) / 0.5;
    printf("nu = %5.2f: E %.5f, nu %.5f\n", nu, pull / along / m.young, -across / along);
    CHECK_NEAR(pull / along / m.young, 1.0, 3e-3);
    CHECK_NEAR(-across / along, nu, 4e-3);
    carom_memory_free(q);
    carom_solid_free(s);
}

static void check_waves(void)
{
    struct carom_random random;
    carom_random_start(&random, 3);
    const double size[3] = {5.0, 5.0, 5.0}, origin[3] = {0.0, 0.0, 0.0};
    double worst = 0.0;
    for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++) {
        const struct carom_solid_material m = {2.0, ratios[r], 1.7};
        struct carom_solid *s =
            carom_solid_box(CAROM_SOLID_STRAIN, (const size_t[]){5, 5, 1}, size, origin, 1.0, &m, NULL);
        CHECK_OR_STOP(s != NULL);
        for (int trial = 0; trial < 20; trial++) {
            const double k[3] = {pi * (2.0 * carom_random_uniform(&random) - 1.0),
                                 pi * (2.0 * carom_random_uniform(&random) - 1.0), 0.0};
            double found[6], exact[3];
            CHECK_STATUS(carom_lattice_waves(s, k, found, NULL), CAROM_OK);
            carom_lattice_formula(s, k, exact);
            for (int i = 0; i < 3; i++)
                worst = fmax(worst, fabs(found[i] / exact[i] - 1.0));
        }
        carom_solid_free(s);
    }
    printf("waves are off by %.1e from (24)-(26)\n", worst);
    CHECK_NEAR(worst, 0.0, 1e-8);
    /* long waves in space have the speeds of the material */
    const struct carom_solid_material m = {2.0, 0.25, 1.7};
    struct carom_solid *s = carom_solid_box(CAROM_SOLID_SPACE, (const size_t[]){5, 5, 5}, size, origin, 1.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    double p, slow, omega[6];
    const double k[3] = {0.006, 0.008, 0.0};
    carom_solid_speeds(s, 0, &p, &slow);
    CHECK_STATUS(carom_lattice_waves(s, k, omega, NULL), CAROM_OK);
    CHECK_NEAR(omega[0] / (0.01 * slow), 1.0, 1e-4);
    CHECK_NEAR(omega[1] / (0.01 * slow), 1.0, 1e-4);
    CHECK_NEAR(omega[2] / (0.01 * p), 1.0, 1e-4);
    carom_solid_free(s);
}

/* lowest frequency of a free bar one cell thick that can only move along itself, pi / L sqrt(E / rho) */
static double bar_error(size_t cells)
{
    const struct carom_solid_material m = {2.0, 0.25, 1.0};
    const double size[3] = {1.0, 0.03, 0.02}, origin[3] = {0.0, 0.0, 0.0}, pi_c = 3.14159265358979323846 * sqrt(2.0);
    struct carom_solid *s =
        carom_solid_box(CAROM_SOLID_SPACE, (const size_t[]){cells, 1, 1}, size, origin, 1.0, &m, NULL);
    uint32_t cell[64];
    CHECK_OR_STOP(s != NULL && cells <= 64);
    for (uint32_t i = 0; i < cells; i++)
        cell[i] = i;
    const struct carom_solid_hold hold = {.mask = 62, .count = cells, .cell = cell};
    CHECK_STATUS(carom_solid_add_hold(s, &hold, NULL), CAROM_OK);
    double omega[64];
    size_t count;
    CHECK_STATUS(carom_lattice_modes(s, omega, 64, &count, NULL), CAROM_OK);
    CHECK(count == cells);
    CHECK_NEAR(omega[0] / pi_c, 0.0, 1e-3);
    const double off = omega[1] / pi_c - 1.0;
    carom_solid_free(s);
    return off;
}

/* lowest bending frequency of a free thin beam one cell thick, 22.373 / L^2 sqrt(EI / rho A) */
static double beam_error(size_t cells)
{
    const struct carom_solid_material m = {2.0, 0.25, 1.0};
    const double size[3] = {1.0, 0.003, 0.001}, origin[3] = {0.0, 0.0, 0.0};
    struct carom_solid *s =
        carom_solid_box(CAROM_SOLID_SPACE, (const size_t[]){cells, 1, 1}, size, origin, 1.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    double omega[400];
    size_t count;
    CHECK_STATUS(carom_lattice_modes(s, omega, 400, &count, NULL), CAROM_OK);
    CHECK(count == 6 * cells);
    const double exact = 22.373285448 * sqrt(m.young * 0.001 * 0.001 / 12.0 / m.density);
    CHECK_NEAR(omega[5] / exact, 0.0, 1e-3); /* six rigid motions */
    const double off = omega[6] / exact - 1.0;
    carom_solid_free(s);
    return off;
}

/* what cells across a bent body cost, for the worst of its materials */
static void check_bending(void)
{
    static const struct {
        enum carom_solid_case kind;
        double nu;
        size_t across;
        double part;
    } cost[] = {
        {CAROM_SOLID_STRESS, 0.3, 2, 0.27 / 1.3 / 8.0},     {CAROM_SOLID_STRESS, 0.3, 10, 0.27 / 1.3 * 0.009},
        {CAROM_SOLID_STRESS, -0.2, 2, 0.12 / 0.8 / 8.0},    {CAROM_SOLID_SPACE, 0.3, 2, 0.405 / 1.3 / 8.0},
        {CAROM_SOLID_SPACE, -0.2, 2, 0.12 / 0.8 / 8.0},     {CAROM_SOLID_STRAIN, 0.25, 2, (0.25 - 0.0625) / 8.0},
        {CAROM_SOLID_STRAIN, 0.25, 5, 0.1875 * 0.8 / 25.0}, {CAROM_SOLID_STRESS, 0.3, 1, 0.0}};
    const double size[3] = {2.0, 1.0, 1.0}, origin[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < sizeof cost / sizeof *cost; i++) {
        const struct carom_solid_material m = {2.0, 0.05, 1.0}, other = {1.0, cost[i].nu, 1.0};
        struct carom_solid *s =
            carom_solid_box(cost[i].kind, (const size_t[]){4, 2, cost[i].kind == CAROM_SOLID_SPACE ? 2 : 1}, size,
                            origin, 1.0, &m, NULL);
        CHECK_OR_STOP(s != NULL);
        CHECK_STATUS(carom_solid_fill(s, &other, 2, (const uint32_t[]){1, 3}, NULL), CAROM_OK);
        CHECK_NEAR(carom_solid_scales_bending(s, cost[i].across), cost[i].part, 1e-15);
        carom_solid_free(s);
    }
}

int main(void)
{
    check_bending();
    for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++) {
        for (int kind = 0; kind < 3; kind++)
            check_patch((enum carom_solid_case)kind, ratios[r]);
        check_bar(ratios[r]);
    }
    check_waves();
    const double coarse = bar_error(8), fine = bar_error(16);
    printf("bar of 8 and 16 cells: %.2e %.2e, order %.2f\n", coarse, fine, log2(coarse / fine));
    CHECK_NEAR(log2(coarse / fine), 2.0, 0.1);
    const double thick = beam_error(8), thin = beam_error(16);
    printf("beam of 8 and 16 cells: %.2e %.2e\n", thick, thin);
    CHECK(fabs(thick) < 2e-4 && fabs(thin) < 2e-5);
    return check_end();
}
