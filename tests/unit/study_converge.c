/* Convergence studies: slopes, errors against references by runs and by files, orders that are known. */
#include "study/converge/converge.h"

#include <unistd.h>

#include "carom/carom.h"
#include "check.h"

static const char text[] = "units: none\n"
                           "bodies: [chain: {mass: [1, 0.512, 0.729]}]\n"
                           "contacts: {law: kuwabara-kono, k: [1, 0.97], gamma: 0.1}\n"
                           "start: [{body: 1, velocity: 1}]\n"
                           "run: {until: 5, tol: 1e-6}\n"
                           "record: {every: 0.25, probes: [u, v]}\n";

static struct carom_scene *read_scene(void)
{
    struct carom_scene *scene = carom_scene_parse("test", text, sizeof text - 1, NULL, 0, NULL);
    CHECK_OR_STOP(scene != NULL);
    return scene;
}

static void test_slope(void)
{
    double x[40], e[40], noisy[40];
    for (int i = 0; i < 40; i++) {
        x[i] = pow(10.0, -1.0 - 0.05 * i);
        e[i] = 7.0 * pow(x[i], 2.5);
        noisy[i] = i % 4 == 0 ? e[i] : e[i] * 0.1;
    }
    CHECK_NEAR(carom_converge_slope(x, e, 40, 0), 2.5, 1e-12);
    CHECK_NEAR(carom_converge_slope(x, e, 2, 0), 2.5, 1e-12);
    CHECK_NEAR(carom_converge_slope(x, noisy, 40, 5), 2.5, 0.05); /* the envelope does not see what is below it */
    e[3] = 0.0;
    e[4] = nan("");
    CHECK_NEAR(carom_converge_slope(x, e, 40, 0), 2.5, 1e-12);
    CHECK(isnan(carom_converge_slope(x, e, 1, 0)));
    CHECK(isnan(carom_converge_slope(x, e, 0, 3)));
}

static void test_orders(void)
{
    struct carom_scene *scene = read_scene();
    struct carom_error error = {CAROM_OK, ""};
    const double step[] = {0.02, 0.01, 0.005};
    struct carom_converge_row row[3];
    struct carom_converge_plan plan = {
        .scene = scene, .name = "test", .scheme = &carom_scheme_verlet, .knob = "step", .count = 3, .value = step};
    CHECK_STATUS(carom_converge_run(&plan, row, &error), CAROM_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(row[i].sup.times == (uint64_t)(5.0 / step[i] + 0.5) && row[i].steps == row[i].sup.times);
        CHECK_NEAR(row[i].u, row[i].sup.u / row[i].scales.length, 1e-15);
        CHECK(row[i].doubt_u < 1e-9 && row[i].doubt_u > 0.0);
    }
    CHECK_NEAR(log2(row[0].sup.u / row[2].sup.u) / 2.0, 2.0, 0.1);
    plan.scheme = &carom_scheme_theta; /* levels off while gamma stays, is of order 2 while it follows */
    CHECK_STATUS(carom_converge_run(&plan, row, &error), CAROM_OK);
    CHECK(row[2].sup.u > 0.5 * row[0].sup.u);
    plan.gamma_per_step = 1.0;
    CHECK_STATUS(carom_converge_run(&plan, row, &error), CAROM_OK);
    CHECK_NEAR(log2(row[0].sup.v / row[2].sup.v) / 2.0, 2.0, 0.1);
    CHECK(scene->model != NULL);
    carom_scene_free(scene);
}

/* A scheme that chooses its steps is compared at the recorded times; against a file, at the file's. */
static void test_times(void)
{
    static const char path[] = "study_converge.h5";
    struct carom_scene *scene = read_scene();
    struct carom_error error = {CAROM_OK, ""};
    const double tol[] = {1e-4, 1e-6, 1e-8};
    struct carom_converge_row by_run[3], by_file[3];
    struct carom_converge_plan plan = {.scene = scene, .name = "test", .knob = "tol", .count = 3, .value = tol};
    CHECK(carom_converge_reference_tol(&plan) == 1e-12);
    CHECK_STATUS(carom_converge_run(&plan, by_run, &error), CAROM_OK);
    struct carom_scene *tight = read_scene();
    CHECK_STATUS(carom_options_set(&tight->scheme->kind, tight->options, "tol", 1e-12, NULL), CAROM_OK);
    struct carom_sim *sim = carom_scene_sim(tight, NULL);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_hdf5, carom_sink_hdf5_new(path), NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    carom_sim_free(sim);
    carom_scene_free(tight);
    plan.reference_file = path;
    CHECK_STATUS(carom_converge_run(&plan, by_file, &error), CAROM_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(by_run[i].sup.times == 20 && by_file[i].sup.times == 21); /* the file has t = 0 too */
        CHECK_NEAR(by_run[i].sup.u, by_file[i].sup.u, 1e-10);
        CHECK(by_run[i].u <= 10.0 * tol[i] && by_run[i].v <= 10.0 * tol[i]);
    }
    CHECK(by_run[2].u < by_run[0].u);
    plan.reference_file = "none.h5";
    CHECK_STATUS(carom_converge_run(&plan, by_file, &error), CAROM_E_FILE);
    unlink(path);
    carom_scene_free(scene);
}

static bool stop_late(void *own, double done)
{
    int *calls = own;
    CHECK(done >= 0.0 && done <= 1.0);
    return ++*calls < 3;
}

static void test_stop_and_refusals(void)
{
    struct carom_scene *scene = read_scene();
    struct carom_error error = {CAROM_OK, ""};
    const double step[] = {0.001};
    struct carom_converge_row row;
    int calls = 0;
    const struct carom_progress progress = {stop_late, &calls};
    struct carom_converge_plan plan = {.scene = scene,
                                       .name = "test",
                                       .scheme = &carom_scheme_theta,
                                       .knob = "step",
                                       .count = 1,
                                       .value = step,
                                       .progress = &progress};
    CHECK_STATUS(carom_converge_run(&plan, &row, &error), CAROM_E_STOPPED);
    CHECK(calls == 3);
    plan.knob = "tol";
    CHECK_STATUS(carom_converge_run(&plan, &row, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "theta has no option 'tol'");
    carom_scene_free(scene);
}

int main(void)
{
    test_slope();
    test_orders();
    test_times();
    test_stop_and_refusals();
    return check_end();
}
