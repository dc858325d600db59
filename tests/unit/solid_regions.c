/* Materials by cells: a wave in a layered bar comes back and goes on as impedances say, within 1 %; layers, graded ones
 * and those of a field in a file stretch in series, to what settling leaves; what is chosen by a sphere; refusals. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "carom/carom.h"
#include "check.h"
#include "files.h"
#include "model/solid/solid.h"

static struct carom_sim *open(const char *text, struct carom_error *error)
{
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, error) : NULL;
    carom_scene_free(scene);
    return sim;
}

static struct carom_sim *must(const char *text)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = open(text, &error);
    if (!sim)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(sim != NULL);
    return sim;
}

/* --- waves ------------------------------------------------------------------------------------------------------- */

/* Z = 4e7 and 1e7 Pa s/m, c = 5000 m/s in both */
static const char *const layers =
    "theory: solid\n"
    "bodies:\n"
    "  - solid:\n"
    "      box: {size: [4, 0.01], cells: [800, 1]}\n"
    "      material: {young: 200e9, poisson: 0, density: 8000}\n"
    "      regions: [{material: {young: 50e9, poisson: 0, density: 2000}, box: [[2, -1], [5, 1]]}]\n"
    "      loads: [{face: left, traction: [1e6, 0], signal: {shape: half-sine, duration: 1e-4}}]\n"
    "run: {until: 6e-4}\n";

static void test_waves(void)
{
    struct carom_sim *sim = must(layers);
    struct carom_error error = {CAROM_OK, ""};
    const struct carom_solid *s = carom_solid_at(sim->model, 0);
    size_t peak[2] = {0, 0};
    CHECK_OR_STOP(carom_sim_run(sim, NULL, &error) == CAROM_OK);
    carom_sim_sync(sim);
    const double *v = sim->view->v, coming = 1e6 / 4e7;
    for (size_t i = 0; i < s->n; i++) {
        size_t *most = &peak[s->centre[i][0] > 2.0];
        *most = fabs(v[3 * i]) > fabs(v[3 * *most]) ? i : *most;
    }
    printf("back %.5f (expected %.5f), on %.5f (%.5f), at %.4f and %.4f (1.25, 2.75)\n", v[3 * peak[0]] / coming, 0.6,
           v[3 * peak[1]] / coming, 1.6, s->centre[peak[0]][0], s->centre[peak[1]][0]);
    CHECK_NEAR(v[3 * peak[0]] / coming, (4.0 - 1.0) / (4.0 + 1.0), 0.006);
    CHECK_NEAR(v[3 * peak[1]] / coming, 2.0 * 4.0 / (4.0 + 1.0), 0.016);
    /* the top of the pulse is 5e-5 s behind its start, and 2 m from the border */
    CHECK_NEAR(s->centre[peak[0]][0], 4.0 - 5000.0 * 5.5e-4, 0.01 * 2.75);
    CHECK_NEAR(s->centre[peak[1]][0], 5000.0 * 5.5e-4, 0.01 * 2.75);
    carom_sim_free(sim);
}

/* --- stretching -------------------------------------------------------------------------------------------------- */

/* a bar of 10 cells of 0.1 m that is held in the middle of its first cell and pulled at its other end by 1 MPa */
static struct carom_sim *pulled(const char *regions, struct carom_error *error)
{
    char text[2048];
    snprintf(text, sizeof text,
             "theory: solid\n"
             "bodies:\n"
             "  - solid:\n"
             "      box: {size: [1, 0.2, 0.2], cells: [10, 2, 2]}\n"
             "      material: {young: 1e9, poisson: 0, density: 1000}\n"
             "      regions: %s\n"
             "      clamps: [{face: left}]\n"
             "      loads: [{face: right, traction: [1e6, 0, 0]}]\n"
             "start: [{settle: true}]\n"
             "run: {until: 1e-6}\n",
             regions);
    return open(text, error);
}

/* centres of the last two cells move apart, and the last from the clamp, by the halves of cells between them */
static void test_series(const char *regions)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = pulled(regions, &error);
    if (!sim)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(sim != NULL);
    const struct carom_solid *s = carom_solid_at(sim->model, 0);
    double expected = 0.0;
    for (size_t i = 1; i < 10; i++) {
        for (size_t side = 0; side < 2; side++)
            expected += 1e6 * 0.05 / s->material[carom_solid_sort_of(s, i - side)->material].young;
        CHECK_NEAR(sim->state->q[7 * i], expected, 1e-8 * expected);
    }
    carom_sim_free(sim);
}

static double young_at(const struct carom_sim *sim, size_t cell)
{
    const struct carom_solid *s = carom_solid_at(sim->model, 0);
    return s->material[carom_solid_sort_of(s, cell)->material].young;
}

#define GRADED                                                                                 \
    "[{graded: {from: {at: [0.25, 0, 0], material: {young: 1e9, poisson: 0, density: 1000}}, " \
    "to: {at: [0.75, 0, 0], material: {young: 6e9, poisson: 0, density: 2000}}}}]"

static void test_graded(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = pulled(GRADED, &error);
    CHECK_OR_STOP(sim != NULL);
    CHECK_NEAR(young_at(sim, 0), 1e9, 1.0);
    CHECK_NEAR(young_at(sim, 4), 3e9, 10.0); /* its centre is at 0.45 */
    CHECK_NEAR(young_at(sim, 9), 6e9, 1.0);
    CHECK(carom_solid_at(sim->model, 0)->nmaterials <= 1 + 10);
    carom_sim_free(sim);
}

static void test_field(void)
{
    struct carom_error error = {CAROM_OK, ""};
    static const char *const name = "solid_regions_field.csv"; /* beside the scene: where the test runs */
    char regions[200];
    file_put(name, "x,y,z,young,poisson,density\n0.9,0.1,0.1,4e9,0,1000\n0.1,0.1,0.1,2e9,0,1000\n\n");
    snprintf(regions, sizeof regions, "[{field: {file: %s}}]", name);
    struct carom_sim *sim = pulled(regions, &error);
    if (!sim)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(sim != NULL);
    CHECK_NEAR(young_at(sim, 4), 2e9, 1.0);
    CHECK_NEAR(young_at(sim, 5), 4e9, 1.0);
    carom_sim_free(sim);
    test_series(regions);
    file_put(name, "0.9,0.1,0.1,4e9,0,1000\n0.9,0.1,nan,4e9,0,1000\n");
    CHECK(pulled(regions, &error) == NULL);
    CHECK_CONTAINS(error.text, "line 2 is not a row of x, y, z, young, poisson, density");
    file_put(name, "0.9,0.1,0.1,4e9,0.5,1000\n");
    CHECK(pulled(regions, &error) == NULL);
    CHECK_CONTAINS(error.text, "line 1: young and density must be positive and poisson between -1 and 0.5");
    unlink(name);
    CHECK(pulled(regions, &error) == NULL);
}

static void refuse(const char *regions, const char *part)
{
    struct carom_error error = {CAROM_OK, ""};
    CHECK(pulled(regions, &error) == NULL);
    CHECK_CONTAINS(error.text, part);
}

int main(void)
{
    test_waves();
    test_series("[{material: {young: 5e9, poisson: 0, density: 1000}, box: [[0.5, 0, 0], [1, 1, 1]]}]");
    test_series(GRADED);
    test_series("[{material: {young: 5e9, poisson: 0, density: 1000}, sphere: {at: [0.5, 0.1, 0.1], radius: 0.2}}]");
    test_graded();
    test_field();
    refuse("[{box: [[0, 0, 0], [1, 1, 1]]}]", "one of material, graded and field");
    refuse("[{material: steel}]", "which cells are meant");
    refuse("[{graded: {from: {at: [0, 0, 0], material: steel}}}]", "to is missing");
    refuse("[{graded: {from: {at: [0, 0, 0], material: steel}, to: {at: [0, 0, 0], material: steel}}}]", "one place");
    refuse("[{field: {}}]", "file is missing");
    refuse("[{material: steel, sphere: {radius: 1}}]", "at is missing");
    refuse("[{material: steel, sphere: {at: [0, 0, 0], radius: -1}}]", "must be positive");
    return check_end();
}
