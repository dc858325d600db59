/* Nothing is allocated while stepping: after the first step the very next allocation would fail, and the run ends well
 * all the same, for every scheme, with samples and events going to the recorder. */
#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"

static const char scene_text[] = "units: none\n"
                                 "bodies:\n"
                                 "  - chain: {count: 40, gap: 0.01}\n"
                                 "  - wall: {side: right}\n"
                                 "contacts: {law: hertz}\n"
                                 "start: [{body: 1, velocity: 1}]\n"
                                 "run: {until: 60, tol: 1e-6}\n"
                                 "record: {every: 1}\n";

static bool forbid(void *own, const struct carom_sim *sim)
{
    bool *armed = own;
    if (sim->state->step > 0 && !*armed) {
        *armed = true;
        carom_memory_fail(1);
    }
    return true;
}

static void run(const char *const *set, size_t nset)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", scene_text, sizeof scene_text - 1, set, nset, &error);
    CHECK_OR_STOP(scene != NULL);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    bool armed = false;
    const struct carom_watch watch = {forbid, &armed, 0.0};
    CHECK_STATUS(carom_sim_run(sim, &watch, &error), CAROM_OK);
    CHECK(armed);
    void *probe = carom_memory_zeroed(1, 1); /* the trap must still be set: this is the allocation that fails */
    CHECK(probe == NULL);
    carom_memory_fail(0);
    carom_memory_free(probe);
    CHECK(carom_recorder_tally(sim->recorder)->events > 40);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

int main(void)
{
    for (size_t i = 0; carom_kinds_schemes[i]; i++) {
        const struct carom_scheme *scheme = carom_kinds_schemes[i];
        const char *theory = scheme->needs & CAROM_RIGID ? "theory=nonsmooth" : "theory=compliant";
        char name[64];
        if (scheme == &carom_scheme_rattle)
            continue; /* solids only */
        snprintf(name, sizeof name, "run.scheme=%s", scheme->kind.name);
        const bool takes_tol = carom_param_find(scheme->kind.params, "tol") != NULL;
        if (takes_tol) {
            const char *const set[] = {theory, name};
            run(set, 2);
        } else { /* a scene has tol or step */
            const char *const set[] = {theory, "run={until: 60, step: 0.05}", name};
            run(set, 3);
        }
    }
    return check_end();
}
