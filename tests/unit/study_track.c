/* A run that is followed from outside is the same run to the bit: step by step, in leaps, or asked at times that a
 * recorder asks for. */
#include "study/follow/track.h"

#include "carom/carom.h"
#include "check.h"
#include "study/variant.h"

static const char text[] = "units: none\n"
                           "bodies: [chain: {count: 12, pattern: [{mass: 1}, {mass: 0.59}]}]\n"
                           "contacts: {law: kuwabara-kono, k: 1, gamma: 0.06}\n"
                           "start: [{body: 1, velocity: 1}]\n"
                           "run: {until: 15, tol: 1e-5}\n"
                           "record: {every: 0.37, probes: [u, v]}\n";

static struct carom_scene *scene_of(const char *run)
{
    struct carom_error error;
    struct carom_scene *scene = carom_scene_parse("test", text, sizeof text - 1, &run, 1, &error);
    if (scene == NULL)
        printf("%s\n", error.text);
    CHECK_OR_STOP(scene != NULL);
    return scene;
}

static void open_track(struct carom_track *track, const char *run)
{
    struct carom_scene *scene = scene_of(run);
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_track_open(track, scene, NULL, &error), CAROM_OK);
    CHECK(scene->model == NULL && scene->options == NULL);
    carom_scene_free(scene);
}

static struct carom_sim *plain_run(const char *run, struct carom_memory *memory)
{
    struct carom_scene *scene = scene_of(run);
    struct carom_sim *sim = carom_scene_sim(scene, NULL);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_memory, memory, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    carom_scene_free(scene);
    return sim;
}

static void test_same_bits(const char *run)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_memory *memory = carom_sink_memory_new();
    struct carom_sim *sim = plain_run(run, memory);
    struct carom_track by_step, by_leap, by_time;
    open_track(&by_step, run);
    open_track(&by_leap, run);
    open_track(&by_time, run);
    while (!carom_sim_ended(by_step.sim))
        CHECK_STATUS(carom_sim_step(by_step.sim, 1, &error), CAROM_OK);
    while (!carom_sim_ended(by_leap.sim))
        CHECK_STATUS(carom_sim_step(by_leap.sim, 1000, &error), CAROM_OK);
    CHECK(memory->nrows > 40);
    for (size_t i = 0; i < memory->nrows; i++) {
        const size_t n = by_time.sim->model->nq;
        CHECK_STATUS(carom_sim_to(by_time.sim, memory->time[i], &error), CAROM_OK);
        CHECK(memcmp(by_time.sim->view->q, memory->value + i * memory->width, n * sizeof(double)) == 0);
        CHECK(memcmp(by_time.sim->view->v, memory->value + i * memory->width + n, n * sizeof(double)) == 0);
    }
    CHECK_STATUS(carom_sim_to(by_time.sim, 15.0, &error), CAROM_OK);
    const uint64_t hash = carom_state_hash(sim->state);
    CHECK(carom_state_hash(by_step.sim->state) == hash);
    CHECK(carom_state_hash(by_leap.sim->state) == hash);
    CHECK(carom_state_hash(by_time.sim->state) == hash);
    carom_track_close(&by_step);
    carom_track_close(&by_leap);
    carom_track_close(&by_time);
    carom_sim_free(sim);
}

static void test_whole_steps(void)
{
    struct carom_track track;
    struct carom_error error = {CAROM_OK, ""};
    open_track(&track, "run={until: 1, scheme: verlet, step: 0.3}");
    CHECK(track.step == 0.3);
    int steps = 0;
    while (!carom_track_no_whole_step(&track) && steps < 100) {
        CHECK_STATUS(carom_sim_step(track.sim, 1, &error), CAROM_OK);
        steps++;
    }
    CHECK(steps == 3 && !carom_sim_ended(track.sim));
    CHECK_NEAR(track.sim->state->time, 0.9, 1e-15);
    carom_track_close(&track);
    open_track(&track, "run={until: 1, scheme: verlet, step: 0.1}");
    for (steps = 0; !carom_track_no_whole_step(&track); steps++)
        CHECK_STATUS(carom_sim_step(track.sim, 1, &error), CAROM_OK);
    CHECK(steps == 10 && carom_sim_ended(track.sim)); /* ten rounded tenths are a whole */
    carom_track_close(&track);
}

static void test_variants(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = scene_of("run.until=3");
    const char *more[] = {"contacts.gamma=0.5", "run.until=4"};
    struct carom_scene *other = carom_variant_of(scene, "test", more, 2, &error);
    CHECK_OR_STOP(other != NULL);
    CHECK(other->until == 4.0 && scene->until == 3.0 && other->threads == 1);
    CHECK_TEXT(other->set, "run.until=3\ncontacts.gamma=0.5\nrun.until=4");
    CHECK_STATUS(carom_variant_scheme(other, &carom_scheme_theta, &error), CAROM_OK);
    CHECK_STATUS(carom_variant_option(other, "step", 0.1, &error), CAROM_OK);
    CHECK_STATUS(carom_variant_option(other, "step", -0.1, &error), CAROM_E_INPUT);
    CHECK_STATUS(carom_variant_option(other, "tol", 0.1, &error), CAROM_E_INPUT);
    carom_scene_free(other);
    const char *wrong[] = {"contacts.gamma=-1"};
    CHECK(carom_variant_of(scene, "test", wrong, 1, &error) == NULL);
    CHECK_CONTAINS(error.text, "gamma");
    CHECK(carom_variant_find("theta", &error) == &carom_scheme_theta);
    CHECK(carom_variant_find("thta", &error) == NULL);
    CHECK_CONTAINS(error.text, "did you mean 'theta'?");
    carom_scene_free(scene);
}

int main(void)
{
    test_same_bits("run={until: 15, tol: 1e-5}");
    test_same_bits("run={until: 15, scheme: theta, step: 0.1}");
    test_same_bits("run={until: 15, scheme: verlet, step: 0.07}");
    test_whole_steps();
    test_variants();
    return check_end();
}
