/* The datasets of a run file beside the recorded items, each described once for writer and reader, and the checksum
 * of checkpoints. */
#include "record/run_layout.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define HEADER(member) offsetof(struct carom_run_layout_header, member)
#define COUNTS(member) offsetof(struct carom_counts, member)

static const struct carom_hdf5_field header_fields[] = {
    {"serial", CAROM_HDF5_COUNT, HEADER(serial)},
    {"time", CAROM_HDF5_REAL, HEADER(time)},
    {"time_low", CAROM_HDF5_REAL, HEADER(time_low)},
    {"step", CAROM_HDF5_COUNT, HEADER(step)},
    {"energy", CAROM_HDF5_REAL, HEADER(energy)},
    {"rows", CAROM_HDF5_COUNT, HEADER(rows)},
    {"events", CAROM_HDF5_COUNT, HEADER(events)},
    {"impacts", CAROM_HDF5_COUNT, HEADER(impacts)},
    {"forces", CAROM_HDF5_COUNT, HEADER(forces)},
    {"steps", CAROM_HDF5_COUNT, HEADER(counts.steps)},
    {"rejected", CAROM_HDF5_COUNT, HEADER(counts.rejected)},
    {"evaluations", CAROM_HDF5_COUNT, HEADER(counts.evaluations)},
    {"iterations", CAROM_HDF5_COUNT, HEADER(counts.iterations)},
    {"smallest_step", CAROM_HDF5_REAL, HEADER(counts.smallest_step)},
    {"largest_step", CAROM_HDF5_REAL, HEADER(counts.largest_step)},
    {"local_error", CAROM_HDF5_REAL, HEADER(counts.local_error)},
    {"struck", CAROM_HDF5_COUNT, HEADER(counts.impacts)},
    {"impact_error", CAROM_HDF5_REAL, HEADER(counts.impact_error)},
    {"n", CAROM_HDF5_COUNT, HEADER(n)},
    {"checksum", CAROM_HDF5_WORD, HEADER(checksum)},
    {NULL, CAROM_HDF5_REAL, 0},
};

static const struct carom_hdf5_field count_fields[] = {
    {"steps", CAROM_HDF5_COUNT, COUNTS(steps)},
    {"rejected", CAROM_HDF5_COUNT, COUNTS(rejected)},
    {"evaluations", CAROM_HDF5_COUNT, COUNTS(evaluations)},
    {"iterations", CAROM_HDF5_COUNT, COUNTS(iterations)},
    {"smallest_step", CAROM_HDF5_REAL, COUNTS(smallest_step)},
    {"largest_step", CAROM_HDF5_REAL, COUNTS(largest_step)},
    {"local_error", CAROM_HDF5_REAL, COUNTS(local_error)},
    {"impacts", CAROM_HDF5_COUNT, COUNTS(impacts)},
    {"impact_error", CAROM_HDF5_REAL, COUNTS(impact_error)},
    {NULL, CAROM_HDF5_REAL, 0},
};

/* a field too many or too few in these structs must not go unnoticed */
static_assert(sizeof(struct carom_counts) == 8 * (sizeof count_fields / sizeof *count_fields - 1), "counts");
static_assert(sizeof(struct carom_run_layout_header) == 8 * (sizeof header_fields / sizeof *header_fields - 1),
              "header");

/* An impact number joins the rows of one impact. */
static const struct carom_hdf5_field force_fields[] = {
    {"impact", CAROM_HDF5_WORD, offsetof(struct carom_blow_force, impact)},
    {"contact", CAROM_HDF5_WORD, offsetof(struct carom_blow_force, contact)},
    {"time", CAROM_HDF5_REAL, offsetof(struct carom_blow_force, time)},
    {"force", CAROM_HDF5_REAL, offsetof(struct carom_blow_force, force)},
    {NULL, CAROM_HDF5_REAL, 0},
};

static const char *const event_names[] = {[CAROM_EVENT_OPEN] = "open",
                                          [CAROM_EVENT_CLOSE] = "close",
                                          [CAROM_EVENT_IMPACT] = "impact",
                                          [CAROM_EVENT_STICK] = "stick",
                                          [CAROM_EVENT_SLIP] = "slip",
                                          [CAROM_EVENT_ZERO] = "zero_force",
                                          NULL};

/* Word by word, each mixed into all bits of the sum, so that order and place matter. */
static uint64_t mix(uint64_t sum, const void *from, size_t count)
{
    const unsigned char *bytes = from;
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, bytes + 8 * i, sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return sum;
}

uint64_t carom_run_layout_checksum(const struct carom_run_layout_header *header, unsigned version)
{
    return mix(UINT64_C(0x6361726f6c) + version, header, HEADER(checksum) / 8);
}

uint64_t carom_run_layout_checksum_add(uint64_t sum, const double *data, size_t n)
{
    return mix(sum, data, n);
}

bool carom_run_layout_is_whole(const struct carom_run_layout_header *header, const double *data)
{
    const uint64_t sum = carom_run_layout_checksum(header, CAROM_RUN_LAYOUT_STATE);
    return carom_run_layout_checksum_add(sum, data, (size_t)header->n) == header->checksum;
}

struct carom_hdf5_spec carom_run_layout_counts(bool si)
{
    return (struct carom_hdf5_spec){.path = "parameters/counts",
                                    .unit = si ? "1,1,1,1,s,s,1,1,1" : "1",
                                    .type = CAROM_HDF5_RECORD,
                                    .fields = count_fields,
                                    .record = sizeof(struct carom_counts)};
}

struct carom_hdf5_spec carom_run_layout_slot_header(int slot, bool si, char path[CAROM_RUN_LAYOUT_PATH])
{
    snprintf(path, CAROM_RUN_LAYOUT_PATH, "checkpoint/slot_%d/header", slot);
    return (struct carom_hdf5_spec){.path = path,
                                    .unit = si ? "1,s,s,1,J,1,1,1,1,1,1,1,1,s,s,1,1,1,1,1" : "1",
                                    .type = CAROM_HDF5_RECORD,
                                    .fields = header_fields,
                                    .record = sizeof(struct carom_run_layout_header)};
}

/* coordinates, velocities, energies, the scheme's memory: no one unit */
struct carom_hdf5_spec carom_run_layout_slot_state(int slot, size_t n, bool listed, char path[CAROM_RUN_LAYOUT_PATH])
{
    snprintf(path, CAROM_RUN_LAYOUT_PATH, "checkpoint/slot_%d/state", slot);
    return (struct carom_hdf5_spec){
        .path = path, .unit = "1", .type = CAROM_HDF5_REAL, .rank = 1, .rows = n, .grows = listed};
}

struct carom_hdf5_spec carom_run_layout_complete(void)
{
    return (struct carom_hdf5_spec){.path = "parameters/complete", .unit = "1", .type = CAROM_HDF5_NUMBER};
}

struct carom_hdf5_spec carom_run_layout_seed(void)
{
    return (struct carom_hdf5_spec){.path = "parameters/seed", .unit = "1", .type = CAROM_HDF5_WORD};
}

struct carom_hdf5_spec carom_run_layout_version(void)
{
    return (struct carom_hdf5_spec){.path = "parameters/layout", .unit = "1", .type = CAROM_HDF5_NUMBER};
}

struct carom_hdf5_spec carom_run_layout_errors(size_t i, bool si)
{
    static const char *const path[CAROM_RUN_LAYOUT_ERRORS][2] = {{"parameters/scales/speed", "m/s"},
                                                                 {"parameters/scales/length", "m"},
                                                                 {"parameters/scales/contact_time", "s"},
                                                                 {"parameters/tol", "1"},
                                                                 {"parameters/estimate", "1"},
                                                                 {"parameters/growth", "1"},
                                                                 {"parameters/horizon", "s"},
                                                                 {"parameters/sight", "s"},
                                                                 {"parameters/unbalanced", "1"},
                                                                 {"parameters/impacts/created", "J"},
                                                                 {"parameters/impacts/cut", "1"},
                                                                 {"parameters/impacts/cut_energy", "J"},
                                                                 {"parameters/impacts/deadened", "1"},
                                                                 {"parameters/impacts/newtonian", "1"},
                                                                 {"parameters/no_promise/why", "1"},
                                                                 {"parameters/no_promise/after", "s"},
                                                                 {"parameters/no_promise/contact", "1"},
                                                                 {"parameters/no_promise/other", "1"},
                                                                 {"parameters/no_promise/gap", "m"},
                                                                 {"parameters/no_promise/lasts", "s"},
                                                                 {"parameters/flown", "s"}};
    return (struct carom_hdf5_spec){.path = path[i][0], .unit = si ? path[i][1] : "1", .type = CAROM_HDF5_REAL};
}

struct carom_hdf5_spec carom_run_layout_pairs(size_t nc)
{
    return (struct carom_hdf5_spec){.path = "connectivity/contacts",
                                    .unit = "1",
                                    .type = CAROM_HDF5_NUMBER,
                                    .rank = 2,
                                    .rows = nc,
                                    .width = 2,
                                    .exact = true};
}

struct carom_hdf5_spec carom_run_layout_forces(bool si)
{
    return (struct carom_hdf5_spec){.path = "impacts/force",
                                    .unit = si ? "1,1,s,N" : "1",
                                    .type = CAROM_HDF5_RECORD,
                                    .fields = force_fields,
                                    .record = sizeof(struct carom_blow_force),
                                    .rank = 1,
                                    .grows = true};
}

struct carom_hdf5_spec carom_run_layout_item(const char *item, const char *what, char *path)
{
    snprintf(path, CAROM_RUN_LAYOUT_ITEM, "%s/%s", item, what);
    return (struct carom_hdf5_spec){.path = path,
                                    .type = strcmp(what, "step") == 0 ? CAROM_HDF5_COUNT : CAROM_HDF5_REAL,
                                    .rank = 1,
                                    .most = strcmp(what, "value") == 0 ? 3 : 1};
}

struct carom_hdf5_spec carom_run_layout_blow(size_t i, bool si)
{
    static const struct {
        const char *path, *unit;
    } column[CAROM_RUN_LAYOUT_BLOW_COLUMNS] = {
        {"impacts/time", "s"}, {"impacts/duration", "s"}, {"impacts/estimate", "m/s"}};
    return (struct carom_hdf5_spec){
        .path = column[i].path, .unit = si ? column[i].unit : "1", .type = CAROM_HDF5_REAL, .rank = 1, .grows = true};
}

struct carom_hdf5_spec carom_run_layout_event(size_t i, bool listed, bool si)
{
    if (listed && i == 1)
        return (struct carom_hdf5_spec){.path = "events/pair",
                                        .unit = "1",
                                        .type = CAROM_HDF5_COUNT,
                                        .rank = 2,
                                        .width = 2,
                                        .exact = true,
                                        .grows = true};
    static const struct {
        const char *path, *unit;
        enum carom_hdf5_type type;
    } column[CAROM_RUN_LAYOUT_EVENT_COLUMNS] = {
        {"events/time", "s", CAROM_HDF5_REAL},     {"events/contact", "1", CAROM_HDF5_COUNT},
        {"events/kind", "1", CAROM_HDF5_CHOICE},   {"events/impulse", "N s", CAROM_HDF5_REAL},
        {"events/before", "m/s", CAROM_HDF5_REAL}, {"events/after", "m/s", CAROM_HDF5_REAL},
    };
    return (struct carom_hdf5_spec){.path = column[i].path,
                                    .unit = si ? column[i].unit : "1",
                                    .type = column[i].type,
                                    .names = event_names,
                                    .rank = 1,
                                    .grows = true};
}
