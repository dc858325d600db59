/* Friction under moreau-jean and moreau-adaptive gives the same bits twice, with and without recording, and stopped and
 * restored from its state; and a step that fails leaves the state as it was. */
#include "friction.h"
#include "base/memory.h"

#define TEXT                                                                                                        \
    "{units: none, theory: nonsmooth, bodies: [mechanism: {kind: sliding-block, gravity: 10, width: 1, height: 2,"  \
    " base_acceleration: {shape: sine, amplitude: 6, frequency: 0.7, duration: 1.5}}], contacts: {e: 0.2, mu: 0.4," \
    " mu_static: 0.5}, start: [{body: 3, displacement: 0.1}], run: {until: 2, %s}, record: {every: %s, events: true}}"

static struct carom_sim *sim_of(const char *scheme, const char *every)
{
    struct carom_error error = {CAROM_OK, ""};
    char text[1000];
    snprintf(text, sizeof text, TEXT, scheme, every);
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    carom_scene_free(scene);
    return sim;
}

static uint64_t run(const char *scheme, const char *every)
{
    struct carom_sim *sim = sim_of(scheme, every);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_memory, carom_sink_memory_new(), NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    const uint64_t hash = carom_state_hash(sim->state);
    carom_sim_free(sim);
    return hash;
}

/* two sims step by step: the second takes over the state of the first halfway */
static void test_restored(const char *scheme)
{
    struct carom_sim *a = sim_of(scheme, "0.1"), *b = sim_of(scheme, "0.1");
    for (int i = 0; i < 60; i++)
        CHECK_STATUS(carom_sim_step(a, 1, NULL), CAROM_OK);
    carom_state_copy(b->state, a->state);
    for (int i = 0; i < 60 && carom_state_until(a->state, 1.5) > 0.0; i++) {
        CHECK_STATUS(carom_sim_step(a, 1, NULL), CAROM_OK);
        CHECK_STATUS(carom_sim_step(b, 1, NULL), CAROM_OK);
        CHECK(carom_state_hash(a->state) == carom_state_hash(b->state));
    }
    carom_sim_free(a);
    carom_sim_free(b);
}

/* dense output and sync leave everything as it was */
static void test_looking(const char *scheme)
{
    struct carom_sim *a = sim_of(scheme, "0.1"), *b = sim_of(scheme, "0.1");
    for (int i = 0; i < 80 && carom_state_until(a->state, 1.5) > 0.0; i++) {
        CHECK_STATUS(carom_sim_step(a, 1, NULL), CAROM_OK);
        CHECK_STATUS(carom_sim_step(b, 1, NULL), CAROM_OK);
        const double from = b->stepper->before->time, to = b->state->time;
        for (int k = 1; k < 4; k++)
            CHECK_STATUS(carom_sim_to(b, from + 0.25 * k * (to - from), NULL), CAROM_OK);
        CHECK(carom_state_hash(a->state) == carom_state_hash(b->state));
    }
    carom_sim_free(a);
    carom_sim_free(b);
}

int main(void)
{
    static const char *const schemes[] = {"scheme: moreau-jean, step: 1e-3", "scheme: moreau-adaptive, tol: 1e-5",
                                          "scheme: moreau-adaptive, tol: 1e-3, share: 0.1, estimate: blind"};
    for (size_t i = 0; i < 3; i++) {
        const uint64_t first = run(schemes[i], "0.1");
        CHECK(first == run(schemes[i], "0.1"));
        CHECK(first == run(schemes[i], "0.00731"));
        test_restored(schemes[i]);
        test_looking(schemes[i]);
    }
    return check_end();
}
