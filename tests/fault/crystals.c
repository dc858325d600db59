/* Crystals under implicit schemes: nothing is allocated while stepping, and each allocation before that fails once:
 * the answer is "out of memory", never a crash and, under AddressSanitizer, never a leak. */
#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"

static const char scene_text[] = "units: none\n"
                                 "bodies:\n"
                                 "  - lattice: {kind: hexagonal, count: [6, 6], radius: 1, mass: 1, at: [0, 0]}\n"
                                 "  - plane: {at: [0, -1], normal: [0, 1]}\n"
                                 "contacts: {law: kuwabara-kono, k: 100, gamma: 0.01}\n"
                                 "start: [{body: 3, velocity: [0.3, 0.1]}]\n"
                                 "run: {until: 1, scheme: theta, step: 0.02, skin: 0.5}\n"
                                 "record: {every: 0.2, events: false, episodes: none}\n";

static bool forbid(void *own, const struct carom_sim *sim)
{
    bool *armed = own;
    if (sim->state->step > 0 && !*armed) {
        *armed = true;
        carom_memory_fail(1);
    }
    return true;
}

static struct carom_sim *make(const char *set, struct carom_scene **scene, struct carom_error *error)
{
    *scene = carom_scene_parse("test", scene_text, sizeof scene_text - 1, &set, 1, error);
    return *scene ? carom_scene_sim(*scene, error) : NULL;
}

static void test_stepping(const char *set)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene;
    struct carom_sim *sim = make(set, &scene, &error);
    CHECK_OR_STOP(sim != NULL);
    bool armed = false;
    const struct carom_watch watch = {forbid, &armed, 0.0};
    CHECK_STATUS(carom_sim_run(sim, &watch, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    CHECK(armed && sim->stepper->counts.steps == 50);
    void *probe = carom_memory_zeroed(1, 1); /* the trap must still be set: this is the allocation that fails */
    CHECK(probe == NULL);
    carom_memory_fail(0);
    carom_memory_free(probe);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

static void test_every(const char *set)
{
    bool whole = false;
    for (int k = 1; !whole && k < 3000; k++) {
        struct carom_error error = {CAROM_OK, ""};
        struct carom_scene *scene;
        carom_memory_fail((unsigned long)k);
        struct carom_sim *sim = make(set, &scene, &error);
        const enum carom_status status = sim ? carom_sim_run(sim, NULL, &error) : error.status;
        carom_memory_fail(0);
        whole = status == CAROM_OK;
        CHECK(whole || status == CAROM_E_MEMORY);
        carom_sim_free(sim);
        carom_scene_free(scene);
    }
    CHECK(whole);
}

int main(void)
{
    static const char *const sets[] = {"run.scheme=energy-momentum", "run.scheme=cn-reg", "run.scheme=theta",
                                       "run.scheme=gl-reg", "run.scheme=irk"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        test_stepping(sets[i]);
    test_every(sets[0]);
    test_every(sets[3]);
    return check_end();
}
