/* Each allocation of reading a scene, building a sim and running it fails once: the answer is always the status "out of
 * memory" with a sentence, never a crash; under AddressSanitizer also never a leak. */
#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"

static const char scene_text[] = "title: five beads\n"
                                 "bodies:\n"
                                 "  - chain: {count: 5, radius: 5 mm, material: steel}\n"
                                 "  - wall: {side: right, material: steel, gap: 1 um}\n"
                                 "contacts: {law: kuwabara-kono, gamma: 1 us, contact_end: force}\n"
                                 "start: [{body: 1, velocity: 1}]\n"
                                 "run: {until: 100 us, tol: 1e-5}\n"
                                 "record: {every: 10 us, times: [1 us, 7 us]}\n";

/* the whole way; CAROM_OK or the status of what failed */
static enum carom_status whole(const char *scheme, struct carom_error *error)
{
    const char *const set[] = {scheme};
    struct carom_scene *scene = carom_scene_parse("test", scene_text, sizeof scene_text - 1, set, 1, error);
    if (!scene)
        return error->status;
    struct carom_sim *sim = carom_scene_sim(scene, error);
    enum carom_status status = sim ? CAROM_OK : error->status;
    if (sim) {
        struct carom_memory *memory = carom_sink_memory_new();
        status = memory ? carom_recorder_attach(sim->recorder, &carom_sink_memory, memory, error)
                        : carom_error_set(error, CAROM_E_MEMORY, "out of memory");
        if (status == CAROM_OK)
            status = carom_sim_run(sim, NULL, error);
    }
    carom_sim_free(sim);
    carom_scene_free(scene);
    return status;
}

static void fail_each(const char *scheme)
{
    unsigned long nth = 1;
    for (; nth < 100000; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        const enum carom_status status = whole(scheme, &error);
        carom_memory_fail(0);
        if (status == CAROM_OK)
            break; /* there were fewer allocations than that */
        CHECK(status == CAROM_E_MEMORY);
        CHECK(error.status == CAROM_E_MEMORY);
        CHECK(error.text[0] != '\0');
    }
    printf("%s: %lu allocations, each failed once\n", scheme, nth - 1);
    CHECK(nth > 50);
}

int main(void)
{
    fail_each("run={until: 100 us, tol: 1e-5}");
    fail_each("run={until: 100 us, scheme: verlet, threads: 2}");
    return check_end();
}
