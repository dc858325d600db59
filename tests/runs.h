/* Scenes that tests write as text, made into runs. */
#ifndef CAROM_TESTS_RUNS_H
#define CAROM_TESTS_RUNS_H

#include <string.h>

#include "carom/carom.h"
#include "check.h"

/* with keys set as by `--set` */
static inline struct carom_scene *runs_scene(const char *text, const char *const *set, size_t nset)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("scene", text, strlen(text), set, nset, &error);
    if (!scene)
        fprintf(stderr, "%s\n%s", error.text, text);
    CHECK_OR_STOP(scene != NULL);
    return scene;
}

/* The sim of a scene; it owns what it needs. */
static inline struct carom_sim *runs_sim(const char *text)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = runs_scene(text, NULL, 0);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    if (!sim)
        fprintf(stderr, "%s\n%s", error.text, text);
    CHECK_OR_STOP(sim != NULL);
    carom_scene_free(scene);
    return sim;
}

/* by how much n numbers of two runs differ at most */
static inline double runs_apart(size_t n, const double *a, const double *b)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
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
