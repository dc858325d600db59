/* Sweeps: what they keep is what a run gives; threads, batches and interruptions change no bit; a point that fails does
 * not end the others; files of other sweeps are not touched. */
#include "study/sweep/sweep.h"

#include <unistd.h>

#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"
#include "files.h"
#include "record/hdf5/hdf5_grid.h"
#include "study/sweep/runner.h"

static const char scene_path[] = "study_sweep.yaml";
static const char text[] = "units: none\n"
                           "bodies: [chain: {count: 6, mass: 1}]\n"
                           "contacts: {law: kuwabara-kono, k: 1, gamma: 0.06}\n"
                           "start: [{body: 1, velocity: 1}]\n"
                           "run: {until: 12, tol: 1e-6}\n";

static void plan(struct carom_sweep *sweep, const char *outputs)
{
    const char *over[] = {"contacts.gamma=0:0.2:5", "bodies.1.chain.count=4,6,8"};
    struct carom_error error;
    const enum carom_status status =
        carom_sweep_plan(sweep, scene_path, NULL, 0, over, 2, false, outputs, 1e-9, &error);
    if (status != CAROM_OK)
        printf("%s\n", error.text);
    CHECK_OR_STOP(status == CAROM_OK);
    CHECK(sweep->points == 15 && sweep->naxes == 2);
}

/* An output of a 5 x 3 file. */
static void read_output(const char *file, const char *path, double value[15])
{
    const uint64_t size[] = {5, 3};
    const struct carom_hdf5_grid grid = {path, "1", CAROM_HDF5_REAL, 2, size};
    struct carom_hdf5_file *h5 = carom_hdf5_file_open(file, NULL, NULL);
    CHECK_OR_STOP(h5 != NULL);
    CHECK_STATUS(carom_hdf5_grid_read(h5, &grid, value, NULL), CAROM_OK);
    carom_hdf5_file_close(h5, NULL);
}

static void run_to(const char *file, size_t threads, struct carom_sweep_result *result)
{
    struct carom_sweep sweep;
    struct carom_error error = {CAROM_OK, ""};
    plan(&sweep, NULL);
    unlink(file);
    CHECK_STATUS(carom_sweep_run(&sweep, file, threads, NULL, result, &error), CAROM_OK);
    CHECK(result->done == 15 && result->failed == 0 && result->first_failed == 15);
    carom_sweep_free(&sweep);
}

static void test_values(void)
{
    static struct carom_sweep_result result;
    double v[15], dissipated[15], force[15];
    run_to("a.h5", 1, &result);
    read_output("a.h5", "outputs/v_last", v);
    read_output("a.h5", "outputs/dissipated", dissipated);
    read_output("a.h5", "outputs/peak_force", force);
    for (size_t i = 0; i < 15; i++) {
        char gamma[64], count[64];
        snprintf(gamma, sizeof gamma, "contacts.gamma=%.15g", 0.05 * (double)(i / 3));
        snprintf(count, sizeof count, "count=%zu", 4 + 2 * (i % 3));
        const char *set[] = {gamma, count};
        struct carom_scene *scene = carom_scene_read(scene_path, set, 2, NULL);
        CHECK_OR_STOP(scene != NULL);
        struct carom_sim *sim = carom_scene_sim(scene, NULL);
        CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
        carom_sim_sync(sim);
        CHECK(sim->view->v[sim->model->nv - 1] == v[i]);
        CHECK(i / 3 == 0 ? dissipated[i] == 0.0 : dissipated[i] > 0.01);
        CHECK(force[i] > 0.3 && force[i] < 1.0);
        carom_sim_free(sim);
        carom_scene_free(scene);
    }
    const struct carom_sweep_extremes *e = &result.extremes[0];
    CHECK(e->least == v[e->at_least] && e->most == v[e->at_most]);
    for (size_t i = 0; i < 15; i++)
        CHECK(v[i] >= e->least && v[i] <= e->most);
}

static bool same_outputs(const char *a, const char *b)
{
    static const char *const paths[] = {"outputs/v_last", "outputs/peak_force", "outputs/kinetic", "outputs/stored",
                                        "outputs/dissipated"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        double x[15], y[15];
        read_output(a, paths[i], x);
        read_output(b, paths[i], y);
        if (memcmp(x, y, sizeof x) != 0)
            return false;
    }
    return true;
}

static bool stop_soon(void *own, double done)
{
    (void)own;
    return done < 0.3;
}

static void test_threads(void)
{
    static struct carom_sweep_result result;
    run_to("b.h5", 3, &result);
    CHECK(same_outputs("a.h5", "b.h5"));
}

/* The stop may come at any moment of a batch that another thread works on. */
static void test_stops(void)
{
    static struct carom_sweep_result result;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sweep sweep;
    plan(&sweep, NULL);
    const struct carom_progress progress = {stop_soon, NULL};
    unlink("c.h5");
    CHECK_STATUS(carom_sweep_run(&sweep, "c.h5", 2, &progress, &result, &error), CAROM_E_STOPPED);
    CHECK(result.done >= 4 && result.done < 15);
    const uint64_t before = result.done;
    carom_sweep_free(&sweep);
    CHECK_STATUS(carom_sweep_plan_file(&sweep, "c.h5", &error), CAROM_OK); /* all it needs is in the file */
    CHECK_STATUS(carom_sweep_run(&sweep, "c.h5", 2, NULL, &result, &error), CAROM_OK);
    CHECK(result.before == before && result.done == 15);
    CHECK(same_outputs("a.h5", "c.h5"));
    CHECK_STATUS(carom_sweep_run(&sweep, "c.h5", 2, NULL, &result, &error), CAROM_OK);
    CHECK(result.before == 15 && result.done == 15);
    carom_sweep_free(&sweep);
}

static void test_refusals(void)
{
    static struct carom_sweep_result result;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sweep sweep;
    plan(&sweep, "v_first");
    CHECK_STATUS(carom_sweep_run(&sweep, "a.h5", 1, NULL, &result, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "another sweep ('outputs' is different there)");
    CHECK(same_outputs("a.h5", "b.h5"));
    carom_sweep_free(&sweep);
    const struct {
        const char *over, *outputs, *said;
        enum carom_status status;
    } wrong[] = {
        {"gamma", "v_last", "write key=first:last:count", CAROM_E_USAGE},
        {"contacts.gamma=0:1", "v_last", "--over contacts.gamma=0:1", CAROM_E_USAGE},
        {"contacts.gamma=0:1:3", "v_lst", "did you mean 'v_last'?", CAROM_E_USAGE},
        {"contacts.gamma=0:1:3", "v_last,v_last", "named twice", CAROM_E_USAGE},
        {"contacts.gama=0:1:3", "v_last", "--over contacts.gama=0:1:3: ", CAROM_E_INPUT},
        {"contacts.gamma=-1:-0.5:3", "v_last", "--over contacts.gamma=-1: ", CAROM_E_INPUT},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_STATUS(
            carom_sweep_plan(&sweep, scene_path, NULL, 0, &wrong[i].over, 1, false, wrong[i].outputs, 1e-9, &error),
            wrong[i].status);
        CHECK_CONTAINS(error.text, wrong[i].said);
        carom_sweep_free(&sweep);
    }
    CHECK_STATUS(carom_sweep_plan_file(&sweep, scene_path, &error), CAROM_E_FILE);
    carom_sweep_free(&sweep);
}

/* The body asked for is there in some runs only. */
static void test_failures(void)
{
    static struct carom_sweep_result result;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sweep sweep;
    double v[15];
    plan(&sweep, "v_5");
    unlink("d.h5");
    CHECK_STATUS(carom_sweep_run(&sweep, "d.h5", 2, NULL, &result, &error), CAROM_OK);
    CHECK(result.done == 15 && result.failed == 5 && result.first_failed == 0);
    CHECK_CONTAINS(result.reason.text, "there is no body for v_5");
    char where[200];
    carom_sweep_describe(&sweep, 0, where, sizeof where);
    CHECK_TEXT(where, "gamma = 0, count = 4");
    read_output("d.h5", "outputs/v_5", v);
    for (size_t i = 0; i < 15; i++)
        CHECK(isnan(v[i]) == (i % 3 == 0));
    carom_sweep_free(&sweep);
}

/* A peak between steps is found closely by coarse steps too, and errors are those of a convergence study. */
static void test_runner(void)
{
    struct carom_outputs outputs;
    struct carom_error error[2];
    double value[2][4];
    CHECK_STATUS(carom_outputs_read("peak_force,peak_force_1,error,momentum", false, &outputs, NULL), CAROM_OK);
    const struct carom_runner runner = {.outputs = &outputs, .reference_tol = 1e-11};
    const char *set[] = {"run={until: 12, scheme: verlet, step: 0.1}", "contacts.gamma=0"};
    const char *fine[] = {"run={until: 12, scheme: verlet, step: 0.002}", "contacts.gamma=0"};
    struct carom_scene *scene[] = {carom_scene_read(scene_path, set, 2, NULL), NULL,
                                   carom_scene_read(scene_path, fine, 2, NULL)};
    CHECK_OR_STOP(scene[0] != NULL && scene[2] != NULL);
    carom_runner_batch(&runner, scene, 2, value[0], error); /* the second is none */
    carom_runner_batch(&runner, scene + 2, 1, value[1], error + 1);
    CHECK(error[0].status == CAROM_OK && error[1].status == CAROM_OK);
    CHECK_NEAR(value[0][0], value[1][0], 2e-3);
    CHECK(value[0][1] == value[0][0]); /* the first contact has the largest force */
    CHECK(value[0][2] > 1e-4 && value[0][2] < 1e-2 && value[1][2] < 1e-5 && value[1][2] > 1e-8);
    CHECK_NEAR(value[0][3], 1.0, 1e-13);
    carom_scene_free(scene[0]);
    carom_scene_free(scene[2]);
}

int main(void)
{
    file_put(scene_path, text);
    test_values();
    test_threads();
    for (int i = 0; i < 20; i++)
        test_stops();
    test_refusals();
    test_failures();
    test_runner();
    return check_end();
}
