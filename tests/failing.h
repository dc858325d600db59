/* Work of which each allocation fails once, for builds with CAROM_FAULT. */
#ifndef CAROM_TESTS_FAILING_H
#define CAROM_TESTS_FAILING_H

#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"

/* Until there are no more: then the work is done. Who fails says why, and, where `only_memory`, that there was none.
 * Returns how many there were. */
static inline unsigned long fail_each(enum carom_status (*work)(const void *own, struct carom_error *error),
                                      const void *own, bool only_memory)
{
    unsigned long nth = 1;
    for (; nth < 100000; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        const enum carom_status status = work(own, &error);
        carom_memory_fail(0);
        if (status == CAROM_OK)
            break;
        if (status != CAROM_E_MEMORY && only_memory)
            fprintf(stderr, "allocation %lu: %s\n", nth, error.text);
        CHECK(status == CAROM_E_MEMORY || !only_memory);
        CHECK(error.status == status && error.text[0] != '\0');
    }
    printf("%lu allocations, each failed once\n", nth - 1);
    CHECK(nth < 100000);
    return nth - 1;
}

/* runs a scene, which it frees, into memory; NULL: there is none, as `error` says */
static inline enum carom_status fail_run(struct carom_scene *scene, struct carom_error *error)
{
    struct carom_sim *sim = scene ? carom_scene_sim(scene, error) : NULL;
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

#endif
