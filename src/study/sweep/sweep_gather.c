/* Brings the parts of a sweep, run one by one wherever there was room, into one file. */
#include <string.h>

#include "base/memory.h"
#include "study/sweep/sweep_file.h"

struct gather {
    const struct carom_sweep *sweep;
    struct carom_sweep_file *to;
    int32_t *have, *more; /* points: status in the file, and in the part under way */
    double *kept, *fresh; /* likewise one output */
};

static bool make_room(struct gather *g)
{
    const size_t points = (size_t)g->sweep->points;
    g->have = carom_memory_zeroed(points, sizeof *g->have);
    g->more = carom_memory_zeroed(points, sizeof *g->more);
    g->kept = carom_memory_zeroed(points, sizeof *g->kept);
    g->fresh = carom_memory_zeroed(points, sizeof *g->fresh);
    return g->have != NULL && g->more != NULL && g->kept != NULL && g->fresh != NULL;
}

static void free_room(struct gather *g)
{
    carom_memory_free_all(g->have, g->more, g->kept, g->fresh);
}

static enum carom_status differs(const struct gather *g, const char *part, uint64_t i, const char *what,
                                 struct carom_error *error)
{
    char where[400];
    carom_sweep_describe(g->sweep, i, where, sizeof where);
    return carom_error_set(error, CAROM_E_REFUSED, "%s: at %s its %s differs from what was gathered before", part,
                           where, what);
}

/* One output, where the part has it: taken, or compared. */
static enum carom_status take_output(struct gather *g, struct carom_sweep_file *from, const char *part, size_t k,
                                     struct carom_error *error)
{
    if (carom_sweep_file_read(from, k, g->fresh, error) != CAROM_OK)
        return carom_error_prefix(error, "%s", part);
    if (carom_sweep_file_read(g->to, k, g->kept, error) != CAROM_OK)
        return error->status;
    for (uint64_t i = 0; i < g->sweep->points; i++) {
        if (g->more[i] < 0)
            continue;
        if (g->have[i] < 0)
            g->kept[i] = g->fresh[i];
        else if (memcmp(&g->kept[i], &g->fresh[i], sizeof g->kept[i]) != 0)
            return differs(g, part, i, g->sweep->outputs.output[k].name, error);
    }
    return carom_sweep_file_keep(g->to, k, g->kept, error);
}

static enum carom_status take_status(struct gather *g, const char *part, struct carom_error *error)
{
    for (uint64_t i = 0; i < g->sweep->points; i++) {
        if (g->have[i] >= 0 && g->more[i] >= 0 && g->have[i] != g->more[i])
            return differs(g, part, i, "status", error);
        g->have[i] = g->have[i] >= 0 ? g->have[i] : g->more[i];
    }
    return carom_sweep_file_mark(g->to, g->have, error);
}

/* A point's status goes in when its outputs are there: a gathering that is killed can be repeated. */
static enum carom_status take(struct gather *g, const char *part, struct carom_error *error)
{
    struct carom_sweep_file *from = carom_sweep_file_look(g->sweep, part, g->more, error);
    enum carom_status status = from != NULL ? CAROM_OK : error->status;
    for (size_t k = 0; k < g->sweep->outputs.count && status == CAROM_OK; k++)
        status = take_output(g, from, part, k, error);
    if (status == CAROM_OK)
        status = take_status(g, part, error);
    carom_sweep_file_close(from, NULL);
    return status == CAROM_OK ? carom_sweep_file_flush(g->to, error) : status;
}

static void count_point(const struct gather *g, uint64_t i, struct carom_sweep_result *result)
{
    result->done += g->have[i] >= 0;
    result->failed += g->have[i] > 0;
    if (i < result->first_failed && g->have[i] > 0) {
        result->first_failed = i;
        result->reason.status = (enum carom_status)g->have[i];
    }
}

enum carom_status carom_sweep_gather(const struct carom_sweep *sweep, const char *const *part, size_t count,
                                     const char *file, struct carom_sweep_result *result, struct carom_error *error)
{
    struct gather g = {.sweep = sweep};
    enum carom_status status = CAROM_OK;
    *result = (struct carom_sweep_result){.first_failed = sweep->points};
    if (!make_room(&g))
        status =
            carom_error_set(error, CAROM_E_MEMORY, "out of memory for %llu points", (unsigned long long)sweep->points);
    else if ((g.to = carom_sweep_file_open(sweep, file, g.have, error)) == NULL)
        status = error->status;
    for (size_t i = 0; i < count && status == CAROM_OK; i++)
        status = take(&g, part[i], error);
    for (uint64_t i = 0; i < sweep->points && status == CAROM_OK; i++)
        count_point(&g, i, result);
    const enum carom_status closed = carom_sweep_file_close(g.to, status == CAROM_OK ? error : NULL);
    free_room(&g);
    return status == CAROM_OK ? closed : status;
}
