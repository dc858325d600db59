/* Plasticity of solids: forces are the slope of the energy whatever the plastic strain, without strain the kernels of
 * elastic bodies come out; yield in shear over yield in tension is 1 / sqrt 3 on boxes and on Voronoi cells; cycles in
 * tension and shear against closed forms; what the elastic energy loses is what the ledger books. */
#include <string.h>

#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "model/solid/solid_yield.h"
#include "solids.h"

static const struct carom_solid_material metal = {200.0, 0.3, 1.0};

static struct carom_solid *block(bool voronoi, const struct carom_solid_plasticity *law)
{
    const double size[3] = {1.5, 1.5, 1.5}, origin[3] = {0.0, 0.0, 0.0};
    const size_t count[3] = {8, 8, 8};
    struct carom_solid *s = voronoi ? solid_voronoi(size, 600, 30, &metal)
                                    : carom_solid_box(CAROM_SOLID_SPACE, count, size, origin, 1.0, &metal, NULL);
    CHECK_OR_STOP(s != NULL && carom_solid_yield(s, law, NULL) == CAROM_OK);
    return s;
}

/* --- forces and energy ----------------------------------------------------------------------------------------- */

static void disturb(const struct carom_solid *s, double *q, struct carom_random *random)
{
    for (size_t i = 0; i < s->n; i++) {
        double *at = q + 7 * i, size = 0.0;
        for (size_t k = 0; k < 7; k++)
            at[k] += 0.02 * carom_random_normal(random);
        for (size_t k = 3; k < 7; k++)
            size += at[k] * at[k];
        for (size_t k = 3; k < 7; k++)
            at[k] /= sqrt(size);
        for (size_t k = 0; k < 7; k++)
            carom_solid_yield_strain(s, q, i)[k] = 0.02 * carom_random_normal(random);
    }
}

/* along coordinate k of a cell: a shift, or a turn about an axis of space */
static void nudge(double *q, size_t cell, size_t k, double by)
{
    double *at = q + 7 * cell, turn[4] = {cos(0.5 * by), 0.0, 0.0, 0.0}, now[4];
    if (k < 3) {
        at[k] += by;
        return;
    }
    turn[k - 2] = sin(0.5 * by);
    memcpy(now, at + 3, sizeof now);
    carom_quat_product(turn, now, at + 3);
}

static void test_slope(bool voronoi)
{
    const struct carom_solid_plasticity law = {1.0, 0.0, 0.0, 0.0};
    struct carom_solid *s = block(voronoi, &law);
    struct carom_random random;
    double *q = solid_rest(s), *f = carom_memory_zeroed(6 * s->n, sizeof *f), largest = 0.0;
    CHECK_OR_STOP(f != NULL);
    carom_random_start(&random, 3);
    disturb(s, q, &random);
    solid_forces(s, NULL, 0.0, q, f, NULL);
    for (size_t i = 0; i < 6 * s->n; i++)
        largest = fmax(largest, fabs(f[i]));
    for (size_t i = 0; i < s->n; i += 97)
        for (size_t k = 0; k < 6; k++) {
            double side[2], keep[7];
            memcpy(keep, q + 7 * i, sizeof keep);
            for (int way = 0; way < 2; way++) {
                nudge(q, i, k, way == 0 ? -1e-6 : 1e-6);
                side[way] = solid_energy(s, 0.0, q);
                memcpy(q + 7 * i, keep, sizeof keep);
            }
            CHECK_NEAR((side[0] - side[1]) / 2e-6, f[6 * i + k], 1e-6 * largest);
        }
    carom_memory_free(q);
    carom_memory_free(f);
    carom_solid_free(s);
}

/* without plastic strain: what elastic bodies do, to rounding */
static void test_elastic(void)
{
    const struct carom_solid_plasticity law = {1.0, 0.0, 0.0, 0.0};
    struct carom_solid *s = block(true, &law), *plain;
    plain = solid_voronoi((const double[3]){1.5, 1.5, 1.5}, 600, 30, &metal);
    struct carom_random random;
    double *q = solid_rest(s), *f = carom_memory_zeroed(6 * s->n, sizeof *f),
           *g = carom_memory_zeroed(6 * s->n, sizeof *g);
    CHECK_OR_STOP(f != NULL && g != NULL);
    carom_random_start(&random, 4);
    disturb(s, q, &random);
    memset(q + 7 * s->n, 0, 7 * s->n * sizeof *q);
    solid_forces(s, NULL, 0.0, q, f, NULL);
    solid_forces(plain, NULL, 0.0, q, g, NULL);
    for (size_t i = 0; i < 6 * s->n; i++)
        CHECK_NEAR(f[i], g[i], 1e-10);
    CHECK_NEAR(solid_energy(s, 0.0, q), solid_energy(plain, 0.0, q), 1e-12 * solid_energy(plain, 0.0, q));
    carom_memory_free(q);
    carom_memory_free(f);
    carom_memory_free(g);
    carom_solid_free(plain);
    carom_solid_free(s);
}

/* --- uniform strain -------------------------------------------------------------------------------------------- */

static void strain_to(const struct carom_solid *s, double *q, double stretch, double shear)
{
    for (size_t i = 0; i < s->n; i++) {
        const double *x = s->centre[i];
        q[7 * i] = stretch * x[0] + 0.5 * shear * x[1];
        q[7 * i + 1] = -0.5 * stretch * x[1] + 0.5 * shear * x[0];
        q[7 * i + 2] = -0.5 * stretch * x[2];
    }
}

/* in the middle of the body, away from its free faces? */
static bool is_inside(const double x[3])
{
    return fabs(x[0] - 0.75) < 0.35 && fabs(x[1] - 0.75) < 0.35 && fabs(x[2] - 0.75) < 0.35;
}

/* mean stress of the cells inside */
static void mean_stress(const struct carom_solid *s, const double *q, double out[6])
{
    double *room = solid_room(s), (*stress)[6] = carom_memory_zeroed(s->n, sizeof *stress), volume = 0.0;
    CHECK_OR_STOP(stress != NULL);
    carom_solid_stress(s, 0.0, q, room, stress);
    for (int k = 0; k < 6; k++)
        out[k] = 0.0;
    for (size_t i = 0; i < s->n; i++)
        if (is_inside(s->centre[i])) {
            volume += carom_solid_sort_of(s, i)->volume;
            for (int k = 0; k < 6; k++)
                out[k] += carom_solid_sort_of(s, i)->volume * stress[i][k];
        }
    for (int k = 0; k < 6; k++)
        out[k] /= volume;
    carom_memory_free(room);
    carom_memory_free(stress);
}

static void flow(const struct carom_solid *s, double *q, double *lost)
{
    double *room = solid_room(s);
    const struct carom_solid_work work = carom_solid_forces_work(s, true, room);
    const double before = solid_energy(s, 0.0, q), booked = carom_solid_yield_flow(s, &work, NULL, 0.0, 0.1, NULL, q);
    CHECK_NEAR(before - solid_energy(s, 0.0, q), booked, 1e-12 * before);
    *lost += booked;
    carom_memory_free(room);
}

static void test_ratio(bool voronoi)
{
    const struct carom_solid_plasticity law = {0.1, 0.0, 0.0, 0.0};
    struct carom_solid *s = block(voronoi, &law);
    double tension[6], shear[6], lost = 0.0;
    for (int way = 0; way < 2; way++) {
        double *q = solid_rest(s);
        for (int step = 1; step <= 40; step++) {
            strain_to(s, q, way == 0 ? 0.0001 * step : 0.0, way == 1 ? 0.0002 * step : 0.0);
            flow(s, q, &lost);
        }
        mean_stress(s, q, way == 0 ? tension : shear);
        carom_memory_free(q);
    }
    const double pull = tension[0] - 0.5 * (tension[1] + tension[2]), ratio = shear[5] / pull;
    CHECK_NEAR(pull, 0.1, voronoi ? 1e-3 : 2e-4); /* strains are finite */
    CHECK_NEAR(ratio, 1.0 / sqrt(3.0), 0.01 / sqrt(3.0));
    carom_solid_free(s);
}

/* Stress over strain of a cycle, uniform: slope 3 mu below yield, 3 mu h / (3 mu + h) beyond it; the elastic range is
 * 2 (sigma_y + H p) wide, and its middle moves with H_k. */
static void test_cycle(double isotropic, double kinematic, bool sheared)
{
    const struct carom_solid_plasticity law = {0.1, isotropic, kinematic, 0.0};
    struct carom_solid *s = block(false, &law);
    const double mu = 100.0 / 1.3, path[] = {0.002, -0.002, 0.003};
    double *q = solid_rest(s), lost = 0.0, now = 0.0, plastic = 0.0, length = 0.0, stress[6];
    for (size_t leg = 0; leg < 3; leg++) {
        const double from = now;
        for (int step = 1; step <= 100; step++) {
            now = from + (path[leg] - from) * step / 100.0; /* equivalent strain */
            strain_to(s, q, sheared ? 0.0 : now, sheared ? sqrt(3.0) * now : 0.0);
            flow(s, q, &lost);
            const double try = 3.0 * mu * (now - plastic), off = try - kinematic * plastic;
            const double beyond = fabs(off) - 0.1 - isotropic * length;
            if (beyond > 0.0) {
                const double more = beyond / (3.0 * mu + isotropic + kinematic);
                plastic += off > 0.0 ? more : -more;
                length += more;
            }
        }
        mean_stress(s, q, stress);
        const double mises = sheared ? sqrt(3.0) * stress[5] : stress[0] - 0.5 * (stress[1] + stress[2]);
        CHECK_NEAR(mises, 3.0 * mu * (now - plastic), 4e-4);
    }
    CHECK(lost > 0.0);
    carom_memory_free(q);
    carom_solid_free(s);
}

/* shear stress under constant strain dies with time, here 20 steps of 0.1 */
static void test_relaxation(bool voronoi)
{
    const struct carom_solid_plasticity law = {0.0, 0.0, 0.0, 2.0};
    struct carom_solid *s = block(voronoi, &law);
    double *q = solid_rest(s), before[6], after[6], lost = 0.0;
    strain_to(s, q, 0.0, 2e-4);
    mean_stress(s, q, before);
    const double whole = solid_energy(s, 0.0, q);
    for (int step = 0; step < 20; step++)
        flow(s, q, &lost);
    mean_stress(s, q, after);
    CHECK_NEAR(after[5] / before[5], exp(-1.0), voronoi ? 0.02 : 0.01);
    CHECK_NEAR(whole - solid_energy(s, 0.0, q), lost, 1e-9 * whole);
    carom_memory_free(q);
    carom_solid_free(s);
}

static void test_refusals(void)
{
    const size_t count[3] = {4, 4, 1};
    const double size[3] = {1.0, 1.0, 0.0}, origin[3] = {0.0, 0.0, 0.0};
    struct carom_error error = {CAROM_OK, ""};
    struct carom_solid *s = carom_solid_box(CAROM_SOLID_STRAIN, count, size, origin, 1.0, &metal, NULL);
    const struct carom_solid_plasticity law = {1.0, 0.0, 0.0, 0.0};
    CHECK_OR_STOP(s != NULL);
    CHECK(carom_solid_yield(s, &law, &error) == CAROM_E_REFUSED && strstr(error.text, "in space"));
    carom_solid_free(s);
}

int main(void)
{
    test_slope(false);
    test_slope(true);
    test_elastic();
    test_ratio(false);
    test_ratio(true);
    for (int sheared = 0; sheared < 2; sheared++) {
        test_cycle(10.0, 0.0, sheared == 1);
        test_cycle(0.0, 20.0, sheared == 1);
        test_cycle(5.0, 10.0, sheared == 1);
    }
    test_relaxation(false);
    test_relaxation(true);
    test_refusals();
    return check_end();
}
