/* Reads contact forces out of run files, by places instead of by samples. Rows are read a few megabytes at a time. The
 * table of forces inside impacts holds an entry for each contact that carries force at a time; others are zero then. */
#include "study/pulse/pulse_places.h"

#include <string.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_file.h"

static const char what[] = "the forces of a run";

#define BLOCK_BYTES ((size_t)4 << 20)
#define BLOCK_ROWS ((size_t)4096)

static const char *path_of(const struct carom_run_file *run)
{
    return carom_hdf5_file_path(run->file);
}

/* --- the table of impacts -------------------------------------------------------------------------------------- */

/* The first entry whose impact is `impact` or later: impacts stand in their order. */
static enum carom_status first_entry(const struct carom_run_file *run, uint64_t impact, uint64_t *first,
                                     struct carom_error *error)
{
    uint64_t low = 0, high = run->forces;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        struct carom_blow_force entry;
        const enum carom_status status = carom_run_file_forces(run, middle, 1, &entry, error);
        if (status != CAROM_OK)
            return status;
        if (entry.impact < impact)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    return CAROM_OK;
}

/* Walks through the entries of the impact; `see` gets each with the number of its time among the different ones. */
static enum carom_status walk_entries(const struct carom_pulse_source *source,
                                      void (*see)(void *own, const struct carom_blow_force *entry, size_t at),
                                      void *own, struct carom_error *error)
{
    struct carom_blow_force *block = carom_memory_zeroed(BLOCK_ROWS, sizeof *block);
    if (block == NULL)
        return carom_memory_error_for(error, what);
    enum carom_status status = CAROM_OK;
    size_t at = 0;
    double last = nan("");
    for (uint64_t done = 0; done < source->count && status == CAROM_OK; done += BLOCK_ROWS) {
        const uint64_t left = source->count - done, n = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        status = carom_run_file_forces(source->run, source->first + done, n, block, error);
        for (uint64_t i = 0; i < n && status == CAROM_OK; i++) {
            if (block[i].time != last && (done > 0 || i > 0))
                at++;
            last = block[i].time;
            see(own, &block[i], at);
        }
    }
    carom_memory_free(block);
    return status;
}

struct clock {
    size_t n, skip;
    double *time;
};

static void count_times(void *own, const struct carom_blow_force *entry, size_t at)
{
    (void)entry;
    ((struct clock *)own)->n = at + 1;
}

static void note_time(void *own, const struct carom_blow_force *entry, size_t at)
{
    const struct clock *clock = own;
    clock->time[clock->skip + at] = entry->time;
}

/* The times of the entries, with the beginning of the impact before them and its end after them. */
static enum carom_status read_clock(struct carom_pulse_source *source, struct carom_error *error)
{
    struct clock clock = {0};
    enum carom_status status = walk_entries(source, count_times, &clock, error);
    if (status != CAROM_OK)
        return status;
    source->time = carom_memory_zeroed(clock.n + 2, sizeof *source->time);
    if (source->time == NULL)
        return carom_memory_error_for(error, what);
    clock.time = source->time + 1; /* the beginning, at 0, stands before */
    status = walk_entries(source, note_time, &clock, error);
    const double end = source->duration;
    source->lead = clock.time[0] > 0.0;
    source->trail = end > clock.time[clock.n - 1];
    if (source->trail)
        clock.time[clock.n] = end;
    if (!source->lead)
        memmove(source->time, clock.time, (clock.n + source->trail) * sizeof *source->time);
    source->n = clock.n + source->lead + source->trail;
    return status;
}

/* An impact that a kill has cut short has entries, but no line of its own. */
static enum carom_status read_blow(struct carom_pulse_source *source, struct carom_error *error)
{
    struct carom_blow blow = {nan(""), nan(""), nan("")};
    enum carom_status status = CAROM_OK;
    if (source->impact <= source->run->impacts)
        status = carom_run_file_blows(source->run, source->impact - 1, 1, &blow, error);
    source->begun = blow.time;
    source->duration = blow.duration;
    return status;
}

static enum carom_status open_impact(struct carom_pulse_source *source, struct carom_error *error)
{
    const struct carom_run_file *run = source->run;
    struct carom_blow_force last;
    uint64_t end = 0;
    enum carom_status status = carom_run_file_forces(run, run->forces - 1, 1, &last, error);
    if (status != CAROM_OK)
        return status;
    source->inside = true;
    source->impacts = last.impact < run->impacts ? run->impacts : last.impact + 1;
    if (source->impact > source->impacts)
        return carom_error_set(error, CAROM_E_USAGE, "--impact %llu: the run has %llu",
                               (unsigned long long)source->impact, (unsigned long long)source->impacts);
    status = read_blow(source, error);
    if (status == CAROM_OK)
        status = first_entry(run, source->impact - 1, &source->first, error);
    if (status == CAROM_OK)
        status = first_entry(run, source->impact, &end, error);
    if (status != CAROM_OK)
        return status;
    if (end <= source->first)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "%s: no force was recorded inside impact %llu; it may be shorter than impact_every",
                               path_of(run), (unsigned long long)source->impact);
    source->count = end - source->first;
    return read_clock(source, error);
}

/* --- samples of the run ---------------------------------------------------------------------------------------- */

static enum carom_status open_samples(struct carom_pulse_source *source, struct carom_error *error)
{
    const struct carom_run_file *run = source->run;
    if (run->rows > SIZE_MAX / 64)
        return carom_memory_error_for(error, what);
    source->count = run->rows;
    source->n = (size_t)run->rows;
    source->time = carom_memory_zeroed(source->n, sizeof *source->time);
    if (source->time == NULL)
        return carom_memory_error_for(error, what);
    return carom_run_file_times(run, 0, run->rows, source->time, error);
}

void carom_pulse_source_widen(double *from, double *until)
{
    *from -= 1e-12 * fabs(*from);
    *until += 1e-12 * fabs(*until);
}

/* Only the samples of the window stay; those of an impact too, whose entries are found again by their times. */
static void narrow(struct carom_pulse_source *source, double from, double until)
{
    size_t first = 0, last = source->n;
    while (first < last && source->time[first] < from)
        first++;
    while (last > first && source->time[last - 1] > until)
        last--;
    memmove(source->time, source->time + first, (last - first) * sizeof *source->time);
    source->n = last - first;
    source->skipped = first;
}

enum carom_status carom_pulse_source_open(const struct carom_run_file *run, uint64_t impact, double from, double until,
                                          struct carom_pulse_source *source, struct carom_error *error)
{
    *source = (struct carom_pulse_source){.run = run, .impact = impact > 0 ? impact : 1, .begun = nan("")};
    enum carom_status status;
    if (run->forces > 0)
        status = open_impact(source, error);
    else if (carom_run_file_item(run, "contact_force") == NULL)
        status = carom_error_set(
            error, CAROM_E_REFUSED,
            run->listed ? "%s: pulses are of rows of beads; of discs and spheres carom export --csv "
                          "--episodes has the peak force, impulse and time of every contact"
                        : "%s: holds no contact forces of all contacts; add contact_force to the probes of "
                          "the scene's record, without a choice of contacts, and run it again",
            path_of(run));
    else
        status = open_samples(source, error);
    if (status == CAROM_OK)
        narrow(source, from, until);
    else
        carom_pulse_source_close(source);
    return status;
}

void carom_pulse_source_close(struct carom_pulse_source *source)
{
    carom_memory_free(source->time);
    *source = (struct carom_pulse_source){0};
}

/* --- records of places ----------------------------------------------------------------------------------------- */

/* rows of the item become records: a tile of rows at a time, place by place */
static void turn(const struct carom_pulse_source *source, const struct carom_pulse_place *place, size_t count,
                 const double *value, size_t width, size_t first, size_t rows, double *force)
{
    for (size_t i = 0; i < count; i++) {
        const size_t a = place[i].contact[0], b = place[i].contact[1];
        double *to = force + i * source->n + first;
        if (place[i].kind == CAROM_PULSE_SENSOR)
            continue;
        for (size_t r = 0; r < rows; r++) {
            const double *row = value + r * width;
            to[r] =
                place[i].kind == CAROM_PULSE_BEAD ? place[i].weight[0] * row[a] + place[i].weight[1] * row[b] : row[a];
        }
    }
}

static enum carom_status read_samples(const struct carom_pulse_source *source, const struct carom_pulse_place *place,
                                      size_t count, double *force, struct carom_error *error)
{
    const struct carom_run_file *run = source->run;
    const struct carom_run_item *item = carom_run_file_item(run, "contact_force");
    if (item->width != run->nc)
        return carom_error_set(error, CAROM_E_FILE, "%s: has forces of %zu contacts, and %zu contacts", path_of(run),
                               item->width, run->nc);
    size_t tile = item->width > 0 ? BLOCK_BYTES / sizeof(double) / item->width : 1;
    tile = tile < 1 ? 1 : tile > BLOCK_ROWS ? BLOCK_ROWS : tile;
    double *value = carom_memory_zeroed(tile * item->width, sizeof *value);
    enum carom_status status = value != NULL ? CAROM_OK : carom_memory_error_for(error, what);
    for (size_t first = 0; first < source->n && status == CAROM_OK; first += tile) {
        const size_t rows = source->n - first < tile ? source->n - first : tile;
        status = carom_run_file_read(run, item, source->skipped + first, rows, value, error);
        if (status == CAROM_OK)
            turn(source, place, count, value, item->width, first, rows, force);
    }
    carom_memory_free(value);
    for (size_t i = 0; i < count && status == CAROM_OK; i++)
        if (place[i].kind == CAROM_PULSE_SENSOR)
            status = carom_run_file_read(run, &run->item[place[i].item], source->skipped, source->n,
                                         force + i * source->n, error);
    return status;
}

/* Which records a contact's force goes into: a list for every contact, all in one array. */
struct spread {
    const struct carom_pulse_source *source;
    const struct carom_pulse_place *place;
    size_t *start, *record; /* nc + 1; twice the places */
    double *force;
    bool foreign; /* an entry names a contact the run does not have */
};

/* a place reads one contact, or two */
static size_t sides(const struct carom_pulse_place *place)
{
    return place->weight[1] != 0.0 ? 2 : 1;
}

/* start[j] ... start[j + 1] is the list of contact j */
static void list_records(struct spread *spread, size_t count, size_t nc)
{
    for (size_t i = 0; i < count; i++)
        for (size_t side = 0; side < sides(&spread->place[i]); side++)
            spread->start[spread->place[i].contact[side]]++;
    for (size_t j = 0; j < nc; j++)
        spread->start[j + 1] += spread->start[j];
    for (size_t i = count; i-- > 0;) /* filling a list from its end brings its start down to where it belongs */
        for (size_t side = sides(&spread->place[i]); side-- > 0;)
            spread->record[--spread->start[spread->place[i].contact[side]]] = 2 * i + side;
}

static void place_entry(void *own, const struct carom_blow_force *entry, size_t at)
{
    struct spread *spread = own;
    const struct carom_pulse_source *source = spread->source;
    const size_t nc = source->run->nc, when = at + source->lead;
    if (entry->contact >= nc) {
        spread->foreign = true;
        return;
    }
    if (when < source->skipped || when - source->skipped >= source->n)
        return;
    for (size_t k = spread->start[entry->contact]; k < spread->start[entry->contact + 1]; k++) {
        const size_t i = spread->record[k] / 2, side = spread->record[k] % 2;
        spread->force[i * source->n + when - source->skipped] += spread->place[i].weight[side] * entry->force;
    }
}

static enum carom_status read_impact(const struct carom_pulse_source *source, const struct carom_pulse_place *place,
                                     size_t count, double *force, struct carom_error *error)
{
    const size_t nc = source->run->nc;
    struct spread spread = {.source = source, .place = place, .force = force};
    for (size_t i = 0; i < count; i++)
        if (place[i].kind == CAROM_PULSE_SENSOR)
            return carom_error_set(error, CAROM_E_USAGE,
                                   "--sensor %s: sensors do not read inside impacts; take --bead or --contact instead",
                                   place[i].name);
    spread.start = carom_memory_zeroed(nc + 1, sizeof *spread.start);
    spread.record = carom_memory_zeroed(2 * count, sizeof *spread.record);
    enum carom_status status =
        spread.start != NULL && spread.record != NULL ? CAROM_OK : carom_memory_error_for(error, what);
    if (status == CAROM_OK) {
        memset(force, 0, count * source->n * sizeof *force);
        list_records(&spread, count, nc);
        status = walk_entries(source, place_entry, &spread, error);
    }
    if (status == CAROM_OK && spread.foreign)
        status = carom_error_set(error, CAROM_E_FILE, "%s: a force inside an impact is at a contact that is not there",
                                 path_of(source->run));
    carom_memory_free_all(spread.record, spread.start);
    return status;
}

enum carom_status carom_pulse_source_read(const struct carom_pulse_source *source,
                                          const struct carom_pulse_place *place, size_t count, double *force,
                                          struct carom_error *error)
{
    return source->inside ? read_impact(source, place, count, force, error)
                          : read_samples(source, place, count, force, error);
}
