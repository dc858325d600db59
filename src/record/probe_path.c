/* Where probes stand in run files: the names of parts, and paths to probes and back. */
#include <stdio.h>
#include <string.h>

#include "carom/solid.h"
#include "record/probe.h"

void carom_probe_path_part(const struct carom_model *model, size_t member, char name[CAROM_PROBE_PART_SIZE])
{
    if (carom_solid_at(model, member) != NULL) {
        const char *given = carom_solid_at(model, member)->name;
        snprintf(name, CAROM_PROBE_PART_SIZE, "%s", *given != '\0' ? given : "cells");
        return;
    }
    const char *kind = model->member[member].part->kind.name;
    size_t number = 1;
    for (size_t i = 0; i < member; i++)
        number += strcmp(model->member[i].part->kind.name, kind) == 0;
    if (number == 1)
        snprintf(name, CAROM_PROBE_PART_SIZE, "%.40s", kind);
    else
        snprintf(name, CAROM_PROBE_PART_SIZE, "%.40s_%zu", kind, number);
}

void carom_probe_path(const struct carom_probe *probe, const char *part, char *path, size_t size)
{
    const char *hole = strstr(probe->path, "%s");
    if (hole == NULL)
        snprintf(path, size, "%s", probe->path);
    else
        snprintf(path, size, "%.*s%s%s", (int)(hole - probe->path), probe->path, part, hole + 2);
}

/* Is `path` this probe's path with one word in place of the hole? */
static bool is_path_of(const char *path, const struct carom_probe *probe)
{
    const char *hole = strstr(probe->path, "%s");
    if (hole == NULL)
        return strcmp(path, probe->path) == 0;
    const size_t before = (size_t)(hole - probe->path);
    if (strncmp(path, probe->path, before) != 0)
        return false;
    const char *after = path + before + strcspn(path + before, "/");
    return after > path + before && strcmp(after, hole + 2) == 0;
}

const struct carom_probe *carom_probe_path_find(const char *path)
{
    for (size_t i = 0; carom_probe_list[i] != NULL; i++) /* sensors of solids look like a part with displacements */
        if (strcmp(path, carom_probe_list[i]->path) == 0)
            return carom_probe_list[i];
    for (size_t i = 0; carom_probe_list[i] != NULL; i++)
        if (is_path_of(path, carom_probe_list[i]))
            return carom_probe_list[i];
    for (size_t i = 0; i < sizeof carom_probe_chosen / sizeof *carom_probe_chosen; i++)
        if (is_path_of(path, &carom_probe_chosen[i]))
            return &carom_probe_chosen[i];
    return is_path_of(path, &carom_probe_sensor) ? &carom_probe_sensor : NULL;
}
