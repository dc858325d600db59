/* Scenes that tests write as text, made into runs. */
#ifndef CAROM_TESTS_RUNS_H
#define CAROM_TESTS_RUNS_H

#include <string.h>

#include "carom/carom.h"
#include "check.h"

/* The sim of a scene; it owns what it needs. */
static inline struct carom_sim *runs_sim(const char *text)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("scene", text, strlen(text), NULL, 0, &error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, &error) : NULL;
    if (!sim)
        fprintf(stderr, "%s\n%s", error.text, text);
    CHECK_OR_STOP(sim != NULL);
    carom_scene_free(scene);
    return sim;
}

/* The same with a sink in memory, which the sim owns. */
static inline struct carom_sim *runs_recorded(const char *text, struct carom_memory **memory)
{
    struct carom_sim *sim = runs_sim(text);
    *memory = carom_sink_memory_new();
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_memory, *memory, NULL), CAROM_OK);
    return sim;
}

#endif
