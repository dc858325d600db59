/* Runs of a sweep that go side by side in lanes have the same outputs, to the bit, as each run alone; scenes that do
 * not go together are sorted out; and what sweeps say of forces. */
#include "study/follow/batch_run.h"

#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"
#include "study/follow/run_summary.h"
#include "study/sweep/runner.h"

static const char text[] = "units: none\n"
                           "bodies: [chain: {count: 6, mass: 1}, wall: {side: right}]\n"
                           "contacts: {law: kuwabara-kono, k: 1, gamma: 0.06}\n"
                           "start: [{body: 1, velocity: 1}]\n"
                           "run: {until: 12.03, scheme: theta, step: 0.1}\n";

/* what makes one scene differ from the text; up to three overrides */
static const char *const variants[][3] = {
    {"contacts.gamma=0.02"},
    {"contacts.gamma=0.1", "start=[{body: 6, velocity: -1}]"},
    {"count=7"},
    {"contacts.gamma=0.03", "bodies.1.chain.mass=0.7"},
    {"contacts={law: power, k: 1, p: 1.5, gamma: 0.05, b: 1.5}"},
    {"run.until=9"},
    {"contacts.k=2"},
    {"run.step=0.05"},
    {"run={until: 12.03, tol: 1e-6}"},
    {"contacts={law: hertz, k: 1}"},
    {"contacts.gamma=0.2", "start=[]"},
    {"contacts.gamma=0.07", "start=[{body: 3, velocity: 1}]"},
    {"count=7", "contacts.gamma=0.01"},
    {"bodies.1.chain.spring=0.1"},
    {"bodies.1.chain.spring=0.3", "contacts.gamma=0.02"},
};

enum { COUNT = sizeof variants / sizeof *variants };

static struct carom_scene *read_scene(const char *scheme, size_t i)
{
    char run[64];
    const char *set[4];
    size_t nset = 0;
    snprintf(run, sizeof run, "run.scheme=%s", scheme);
    set[nset++] = run;
    for (size_t k = 0; k < 3 && variants[i][k] != NULL; k++)
        set[nset++] = variants[i][k];
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("beside", text, strlen(text), set, nset, &error);
    if (scene == NULL)
        printf("%s\n", error.text);
    CHECK_OR_STOP(scene != NULL);
    return scene;
}

static void test_runs(const char *scheme, const char *names)
{
    struct carom_outputs outputs;
    CHECK_STATUS(carom_outputs_read(names, false, &outputs, NULL), CAROM_OK);
    const struct carom_runner runner = {.outputs = &outputs, .reference_tol = 1e-9};
    const size_t width = outputs.count;
    double beside[COUNT * 8], alone[COUNT * 8];
    struct carom_error error[COUNT], own;
    struct carom_scene *scene[COUNT];
    CHECK_OR_STOP(width <= 8);
    for (size_t i = 0; i < COUNT; i++)
        scene[i] = read_scene(scheme, i);
    carom_runner_batch(&runner, scene, COUNT, beside, error);
    for (size_t i = 0; i < COUNT; i++) {
        carom_scene_free(scene[i]);
        scene[i] = read_scene(scheme, i);
        carom_runner_batch(&runner, &scene[i], 1, alone + i * width, &own);
        CHECK(own.status == CAROM_OK && error[i].status == CAROM_OK);
        CHECK(memcmp(alone + i * width, beside + i * width, width * sizeof(double)) == 0);
        carom_scene_free(scene[i]);
    }
}

static void test_sorting(void)
{
    struct carom_scene *scene[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        scene[i] = read_scene("irk", i);
    CHECK(carom_batch_run_alike(scene[0], scene[1]) && carom_batch_run_alike(scene[0], scene[3]));
    CHECK(carom_batch_run_alike(scene[2], scene[12])); /* both seven beads */
    CHECK(!carom_batch_run_alike(scene[0], scene[2]) && !carom_batch_run_alike(scene[0], scene[5]));
    CHECK(!carom_batch_run_alike(scene[0], scene[7]) && !carom_batch_run_alike(scene[0], scene[8]));
    for (size_t i = 0; i < COUNT; i++)
        carom_scene_free(scene[i]);
}

/* Tracks with books go together, and not beside one without. */
static void test_books(const char *scheme)
{
    const size_t of[3] = {0, 1, 3};
    struct carom_track track[3];
    struct carom_scene *scene[3];
    for (size_t i = 0; i < 3; i++) {
        scene[i] = read_scene(scheme, of[i]);
        CHECK_STATUS((i < 2 ? carom_track_open_booked : carom_track_open)(&track[i], scene[i], NULL, NULL), CAROM_OK);
    }
    CHECK(carom_batch_run_fits(&track[0], &track[1]) && !carom_batch_run_fits(&track[0], &track[2]));
    for (size_t i = 0; i < 3; i++) {
        carom_track_close(&track[i]);
        carom_scene_free(scene[i]);
    }
}

/* One that cannot be solved does not spoil the others, which are then run alone. */
static void test_trouble(void)
{
    struct carom_outputs outputs;
    CHECK_STATUS(carom_outputs_read("v_last,kinetic", false, &outputs, NULL), CAROM_OK);
    const struct carom_runner runner = {.outputs = &outputs};
    double value[3][2], alone[2];
    struct carom_error error[3], own;
    struct carom_scene *scene[3];
    for (size_t i = 0; i < 3; i++)
        scene[i] = read_scene("theta", 0);
    scene[1]->v[0] = 1e308;
    scene[1]->v[1] = -1e308;
    carom_runner_batch(&runner, scene, 3, value[0], error);
    struct carom_scene *again = read_scene("theta", 0);
    carom_runner_batch(&runner, &again, 1, alone, &own);
    CHECK(error[0].status == CAROM_OK && error[2].status == CAROM_OK);
    CHECK(memcmp(value[0], alone, sizeof alone) == 0 && memcmp(value[2], alone, sizeof alone) == 0);
    for (size_t i = 0; i < 3; i++)
        carom_scene_free(scene[i]);
    carom_scene_free(again);
}

/* the largest peak in the book of a run */
static double in_book(const char *scheme, size_t i)
{
    struct carom_scene *scene = read_scene(scheme, i);
    struct carom_track track;
    CHECK_STATUS(carom_track_open_recorded(&track, scene, NULL, 0, true, NULL, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_step(track.sim, SIZE_MAX, NULL), CAROM_OK);
    const struct carom_episode *top = carom_track_peak(&track, 0);
    const double peak = top != NULL ? top->peak_force : 0.0;
    carom_track_close(&track);
    carom_scene_free(scene);
    return peak;
}

/* Sweeps and comparisons tell the peak force of the book of impacts, to the bit. */
static void test_one_number(const char *scheme, size_t i)
{
    struct carom_outputs outputs;
    const struct carom_runner runner = {.outputs = &outputs};
    struct carom_error error;
    struct carom_run_summary summary;
    double swept, compared = 0.0;
    struct carom_scene *scene = read_scene(scheme, i), *other = read_scene(scheme, i);
    CHECK_STATUS(carom_outputs_read("peak_force", false, &outputs, NULL), CAROM_OK);
    carom_runner_batch(&runner, &scene, 1, &swept, &error);
    CHECK(error.status == CAROM_OK);
    CHECK_STATUS(carom_run_summary_run(&summary, other, NULL, NULL, &error), CAROM_OK);
    for (size_t j = 0; j < summary.nc; j++)
        compared = fmax(compared, summary.peak[j]);
    const double booked = in_book(scheme, i);
    CHECK(swept == booked && compared == booked);
    CHECK((booked > 0.0) == (i != 10)); /* where nothing moves */
    carom_run_summary_free(&summary);
    carom_scene_free(scene);
    carom_scene_free(other);
}

int main(void)
{
    test_runs("theta", "v_last,u_first,kinetic,dissipated,residual,steps");
    test_runs("irk", "v_last,u_first,kinetic,dissipated,residual,steps");
    test_runs("theta", "v_last,peak_force,peak_force_1");
    test_runs("irk", "v_last,peak_force,peak_force_1,peak_force_6,steps,dissipated");
    test_runs("theta", "v_last,error");
    test_runs("irk", "v_3,momentum,closed");
    test_sorting();
    test_books("theta");
    test_books("irk");
    test_trouble();
    for (size_t i = 0; i < COUNT; i++)
        test_one_number(i % 2 == 0 ? "theta" : "irk", i);
    return check_end();
}
