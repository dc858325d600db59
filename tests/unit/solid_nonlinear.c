/* Links with a nonlinear potential: forces are the slope of the energy; a bar that is stretched by e bears
 * E (e + a e^2 + b e^3) to rounding, in the plane, in space, of two materials in series; without the two numbers a
 * body is the linear one; a run keeps the energy with order 2, also one that chooses its step where links become many
 * times as stiff; refusals. */
#include <string.h>

#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "model/solid/solid_bonds.h"
#include "solids.h"

static const struct carom_solid_nonlinear law = {-3.0, 40.0};

static struct carom_solid *box(enum carom_solid_case kind, double poisson, const struct carom_solid_nonlinear *with)
{
    const size_t count[3] = {8, 3, 2};
    const double size[3] = {2.0, 0.6, 0.5}, origin[3] = {0.0, 0.0, 0.0};
    const struct carom_solid_material rubber = {5.0, poisson, 1.0};
    struct carom_solid *s = carom_solid_box(kind, count, size, origin, 0.5, &rubber, NULL);
    CHECK_OR_STOP(s && (!with || carom_solid_bonds_nonlinear(s, with, NULL) == CAROM_OK));
    return s;
}

static void test_slope(struct carom_solid *s)
{
    double *q = solid_rest(s), *f = carom_memory_zeroed(s->fast * s->n, sizeof *f), largest = 0.0;
    struct carom_random random;
    CHECK_OR_STOP(f && carom_solid_bonds_nonlinear(s, &law, NULL) == CAROM_OK);
    carom_random_start(&random, 3);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < (size_t)s->dimension; k++)
            q[s->wide * i + k] = 0.01 * carom_random_normal(&random);
    solid_forces(s, NULL, 0.0, q, f, NULL);
    for (size_t i = 0; i < s->fast * s->n; i++)
        largest = fmax(largest, fabs(f[i]));
    for (size_t i = 0; i < s->n; i += 3)
        for (size_t k = 0; k < (size_t)s->dimension; k++) {
            double *x = &q[s->wide * i + k], keep = *x, side[2];
            for (int way = 0; way < 2; way++) {
                *x = keep + (way == 0 ? -1e-5 : 1e-5);
                side[way] = solid_energy(s, 0.0, q);
            }
            *x = keep;
            CHECK_NEAR((side[0] - side[1]) / 2e-5, f[s->fast * i + k], 1e-7 * largest);
        }
    carom_memory_free(f);
    carom_memory_free(q);
    carom_solid_free(s);
}

/* the force across the end of a bar whose cells are drawn apart by e, less that of a linear one where nu is not 0 */
static void test_stretch(enum carom_solid_case kind, double poisson, double e)
{
    struct carom_solid *s = box(kind, poisson, &law), *plain = box(kind, poisson, NULL);
    double *q = solid_rest(s), *f = carom_memory_zeroed(2 * s->fast * s->n, sizeof *f), *g = f + s->fast * s->n;
    double pull = 0.0, linear = 0.0;
    CHECK_OR_STOP(f != NULL);
    for (size_t i = 0; i < s->n; i++)
        q[s->wide * i] = e * s->centre[i][0];
    solid_forces(s, NULL, 0.0, q, f, NULL);
    solid_forces(plain, NULL, 0.0, q, g, NULL);
    for (size_t i = 0; i < s->n; i++)
        if (s->centre[i][0] < 0.2) {
            pull += f[s->fast * i];
            linear += g[s->fast * i];
        }
    const double area = kind == CAROM_SOLID_SPACE ? 0.6 * 0.5 : 0.6 * 0.5, young = 5.0;
    CHECK_NEAR(pull - linear, area * young * (law.quadratic * e * e + law.cubic * e * e * e), 1e-13);
    if (poisson == 0.0)
        CHECK_NEAR(pull, area * young * (e + law.quadratic * e * e + law.cubic * e * e * e), 1e-13);
    carom_memory_free(f);
    carom_memory_free(q);
    carom_solid_free(s);
    carom_solid_free(plain);
}

/* --- in runs ------------------------------------------------------------------------------------------------------ */

static const char *const bar =
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {box: {size: [1, 0.1, 0.1], cells: [20, 2, 2]}, material: {young: 1e6, poisson: 0.3, density: 1000}, "
    "clamps: [{face: left}], nonlinear: {quadratic: -2, cubic: 30}}\n"
    "start: [{face: right, velocity: [10, 0, 0]}]\n"
    "run: {until: 0.05}\n";

static double off_after(double step)
{
    char set[64];
    const char *const sets[] = {set};
    struct carom_error error = {CAROM_OK, ""};
    struct carom_ledger ledger;
    snprintf(set, sizeof set, "run.step=%.17g", step);
    struct carom_scene *scene = carom_scene_parse("test", bar, strlen(bar), sets, 1, &error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, &error) : NULL;
    carom_scene_free(scene);
    if (!sim || carom_sim_run(sim, NULL, &error) != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(sim && error.status == CAROM_OK);
    carom_sim_sync(sim);
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    const double off = fabs(ledger.residual) / sim->view->energy;
    carom_sim_free(sim);
    return off;
}

static void test_refusals(void)
{
    struct carom_error error = {CAROM_OK, ""};
    const struct carom_solid_fracture glass = {1.0, 1.0, 1.0};
    struct carom_solid *s = box(CAROM_SOLID_SPACE, 0.3, NULL);
    CHECK_STATUS(carom_solid_bonds_nonlinear(s, &(struct carom_solid_nonlinear){NAN, 0.0}, &error), CAROM_E_INPUT);
    CHECK_STATUS(carom_solid_fracture(s, &glass, NULL, NULL), CAROM_OK);
    CHECK_STATUS(carom_solid_bonds_nonlinear(s, &law, &error), CAROM_E_REFUSED);
    carom_solid_free(s);
}

/* a bar that flies against a wall, with the step of a scene that gives none; half the one at rest broke down */
static void test_step(void)
{
    const char *const text = "theory: solid\nunits: none\nbodies:\n"
                             "  - solid: {box: {size: [10, 1], cells: [40, 4]}, plane: stress, material: {young: 1, "
                             "poisson: 0, density: 1}, "
                             "nonlinear: {cubic: 2e5}, clamps: [{face: right}]}\n"
                             "start: [{velocity: [0.01, 0]}]\nrun: {until: 10}\n";
    struct carom_error error = {CAROM_OK, ""};
    struct carom_ledger ledger;
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    CHECK_OR_STOP(scene != NULL);
    const struct carom_solid *s = carom_solid_at(scene->model, 0);
    const double stiffer = carom_solid_bonds_stiffer(s, scene->q, 0.01);
    /* e^2 / 2 + b e^4 / 4 = 2 v^2 / c^2 */
    const double e = sqrt((sqrt(1.0 + 4.0 * 2e5 * 2e-4) - 1.0) / 2e5);
    CHECK_NEAR(stiffer, 1.0 + 6e5 * e * e, 1e-6 * stiffer);
    CHECK(carom_solid_bonds_stiffer(s, scene->q, 0.0) == 1.0);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim && carom_sim_run(sim, NULL, &error) == CAROM_OK);
    carom_sim_sync(sim);
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    CHECK(fabs(ledger.residual) < 0.02 * sim->view->energy);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

int main(void)
{
    const double cube[3] = {1.0, 1.0, 1.0};
    const struct carom_solid_material rubber = {5.0, 0.3, 1.0};
    test_slope(box(CAROM_SOLID_STRESS, 0.3, NULL));
    test_slope(box(CAROM_SOLID_SPACE, 0.3, NULL));
    test_slope(solid_voronoi(cube, 60, 5, &rubber));
    for (double e = -0.1; e < 0.25; e += 0.1) {
        test_stretch(CAROM_SOLID_STRESS, 0.0, e);
        test_stretch(CAROM_SOLID_SPACE, 0.0, e);
        test_stretch(CAROM_SOLID_SPACE, 0.3, e);
    }
    const double coarse = off_after(4e-4), fine = off_after(1e-4);
    printf("a bar that swings: the ledger is off by %.2e, %.2e with a quarter of the step\n", coarse, fine);
    CHECK(coarse / fine > 8.0 && fine < 1e-3);
    test_step();
    test_refusals();
    return check_end();
}
