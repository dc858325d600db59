/* All sinks keep the same: the rows and events of one run in memory, in a CSV file and in a run file, to the last
 * bit. */
#include <hdf5.h>

#include "chain.h"
#include "record/probe.h"

static struct chain chain; /* too large for the stack */

static const char csv_path[] = "sinks.csv", hdf5_path[] = "sinks.h5";

/* A damped chain with walls, clipped on one side: every probe has something to say. */
static struct carom_sim *make_sim(struct carom_memory **memory)
{
    const double damped[4] = {1.0, 0.1};
    chain_uniform(&chain, 5, true, true, &carom_law_kuwabara_kono, CAROM_END_GAP, damped);
    chain.ending[0] = chain.ending[1] = CAROM_END_FORCE;
    chain.gap[3] = 0.1;
    chain.v[0] = 1.0;
    chain.v[4] = -0.5;
    struct carom_model *model = chain_model(&chain);
    const char *probes[64];
    size_t nprobes = 0;
    for (size_t i = 0; carom_probe_list[i]; i++)
        if (carom_probe_fits(carom_probe_list[i], model, NULL)) /* others: unit/solid_scene.c, determinism/bodies.c */
            probes[nprobes++] = carom_probe_list[i]->kind.name;
    const double times[] = {0.1, 1.0 / 3.0, 4.0};
    const struct carom_schedule schedule = {
        .every = 0.25, .every_steps = 10, .ntimes = 3, .times = times, .events = true};
    struct carom_recorder *recorder = carom_recorder_create(model, probes, nprobes, &schedule, NULL);
    CHECK_OR_STOP(recorder != NULL);
    *memory = carom_sink_memory_new();
    remove(csv_path);
    remove(hdf5_path);
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_memory, *memory, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_csv, carom_sink_csv_new(csv_path), NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_hdf5, carom_sink_hdf5_new(hdf5_path), NULL), CAROM_OK);
    const struct carom_setup setup = {
        .model = model,
        .scheme = &carom_scheme_dp5,
        .q = chain.q,
        .v = chain.v,
        .until = 6.0,
        .threads = 1,
        .recorder = recorder,
        .origin = {.title = "sinks", .scene = "", .set = "", .units = "none", .command = ""}};
    struct carom_error error = {.status = CAROM_OK};
    struct carom_sim *sim = carom_sim_create(&setup, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(sim != NULL);
    return sim;
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_csv(const struct carom_memory *memory)
{
    FILE *file = fopen(csv_path, "r");
    CHECK_OR_STOP(file != NULL);
    size_t columns = 1;
    int c;
    while ((c = getc(file)) != '\n' && c != EOF)
        columns += c == ',';
    CHECK(columns == memory->width + 2);
    for (size_t i = 0; i < memory->nrows; i++) {
        double time = 0.0, value = 0.0;
        unsigned long long step = 0;
        CHECK(fscanf(file, "%lf,%llu", &time, &step) == 2);
        CHECK(same(time, memory->time[i]) && step == memory->step[i]);
        for (size_t k = 0; k < memory->width; k++) {
            CHECK(fscanf(file, ",%lf", &value) == 1);
            CHECK(same(value, memory->value[i * memory->width + k]));
        }
    }
    char more;
    CHECK(fscanf(file, " %c", &more) == EOF);
    fclose(file);
}

/* A whole dataset as doubles; NULL and a failed check unless it has `count` numbers. */
static double *read_all(hid_t file, const char *path, size_t count)
{
    double *data = carom_memory_zeroed(count + 1, sizeof *data);
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    CHECK_OR_STOP(data != NULL && set >= 0);
    const hid_t space = H5Dget_space(set);
    const bool fits = H5Sget_simple_extent_npoints(space) == (hssize_t)count;
    if (!fits)
        fprintf(stderr, "%s: %lld numbers, expected %zu\n", path, (long long)H5Sget_simple_extent_npoints(space),
                count);
    CHECK(fits);
    if (fits)
        CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    return data;
}

static double *read_item(hid_t file, const char *group, const char *item, size_t count)
{
    char path[160];
    snprintf(path, sizeof path, "/%s/%s", group, item);
    return read_all(file, path, count);
}

static void check_channel(hid_t file, const struct carom_memory *memory, const struct carom_channel *channel)
{
    const size_t n = memory->nrows;
    double *time = read_item(file, channel->path, "time", n), *step = read_item(file, channel->path, "step", n);
    double *value = read_item(file, channel->path, "value", n * channel->size);
    for (size_t i = 0; i < n; i++) {
        CHECK(same(time[i], memory->time[i]) && step[i] == (double)memory->step[i]);
        for (size_t k = 0; k < channel->size; k++)
            CHECK(same(value[i * channel->size + k], memory->value[i * memory->width + channel->offset + k]));
    }
    carom_memory_free(time);
    carom_memory_free(step);
    carom_memory_free(value);
}

static void check_events(hid_t file, const struct carom_memory *memory)
{
    static const char *const names[] = {"time", "contact", "kind", "impulse", "before", "after"};
    double *column[6];
    for (size_t k = 0; k < 6; k++)
        column[k] = read_item(file, "events", names[k], memory->nevents);
    for (size_t i = 0; i < memory->nevents; i++) {
        const struct carom_event *event = &memory->event[i];
        const double expected[6] = {event->time,    (double)event->contact, (double)event->kind,
                                    event->impulse, event->before,          event->after};
        for (size_t k = 0; k < 6; k++)
            CHECK(same(column[k][i], expected[k]));
        CHECK(i == 0 || memory->event[i - 1].time <= event->time);
    }
    for (size_t k = 0; k < 6; k++)
        carom_memory_free(column[k]);
}

int main(void)
{
    struct carom_memory *memory;
    struct carom_sim *sim = make_sim(&memory);
    struct carom_error error = {.status = CAROM_OK};
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    CHECK(memory->nrows > 25 && memory->nevents >= 4);
    CHECK(memory->nrows == carom_recorder_tally(sim->recorder)->rows);
    for (size_t i = 1; i < memory->nrows; i++)
        CHECK(memory->time[i] > memory->time[i - 1]);
    check_csv(memory);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fopen(hdf5_path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK_OR_STOP(file >= 0);
    for (size_t i = 0; i < memory->nchannels; i++)
        check_channel(file, memory, &memory->channel[i]);
    check_events(file, memory);
    H5Fclose(file);
    carom_sim_free(sim);
    remove(csv_path);
    remove(hdf5_path);
    return check_end();
}
