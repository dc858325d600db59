/* The waves of a run: reads the forces of many places at a time, measures the waves, and works out speeds between
 * neighbouring places, equation (41) of Nguyen and Brogliato 2011. */
#include "study/pulse/pulse_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/plural.h"
#include "record/hdf5/hdf5_file.h"
#include "study/pulse/pulse.h"
#include "study/pulse/pulse_places.h"

static const char what[] = "the table of pulses";

#define MOST_BYTES ((size_t)256 << 20)
#define NOTHING 1e-9 /* forces below this share of the largest are rounding, not waves */
#define APART 1.5    /* widths between two places: more, and it is another wave */
#define SAME 1e-6    /* times nearer than this share of the width are the same */
#define POINTS CAROM_PULSE_RUN_POINTS

struct carom_pulse_request carom_pulse_run_request(void)
{
    return (struct carom_pulse_request){
        .wave = 1, .impact = 1, .from = -HUGE_VAL, .until = HUGE_VAL, .rules = carom_pulse_rules()};
}

/* A table that grows. */
struct work {
    const struct carom_pulse_request *request;
    struct carom_pulse_table *table;
    struct carom_pulse_source source;
    struct carom_pulse_book book;
    size_t room;
    struct carom_pulse_wave *wave; /* room for those of one record */
    size_t wave_room;
    struct carom_error *error;
};

/* --- one place ------------------------------------------------------------------------------------------------- */

static enum carom_status make_room(struct work *work)
{
    struct carom_pulse_table *table = work->table;
    if (table->nrows < work->room)
        return CAROM_OK;
    const size_t room = work->room > 0 ? 2 * work->room : 64;
    if (!carom_memory_widen(&table->row, work->room, room, sizeof *table->row) ||
        (work->request->collapse &&
         !carom_memory_widen(&table->collapsed, work->room * POINTS, room * POINTS, sizeof *table->collapsed)))
        return carom_memory_error_for(work->error, what);
    work->room = room;
    return CAROM_OK;
}

/* does the book tell of this place? */
static bool booked(const struct work *work, size_t place)
{
    return work->book.first != NULL && work->table->places.place[place].kind <= CAROM_PULSE_WALL;
}

/* a wave of which all that is known is told */
static enum carom_status add_known(struct work *work, size_t place, const struct carom_pulse *pulse, size_t number)
{
    struct carom_pulse_table *table = work->table;
    const enum carom_status status = make_room(work);
    if (status != CAROM_OK)
        return status;
    table->row[table->nrows] =
        (struct carom_pulse_row){.place = place, .wave = number, .pulse = *pulse, .speed = nan(""), .length = nan("")};
    for (size_t k = 0; work->request->collapse && k < POINTS; k++)
        table->collapsed[table->nrows * POINTS + k] = nan("");
    table->nrows++;
    return CAROM_OK;
}

static enum carom_status add_row(struct work *work, const struct carom_pulse_series *series,
                                 const struct carom_pulse_rules *rules, size_t place,
                                 const struct carom_pulse_wave *wave, size_t number)
{
    struct carom_pulse_table *table = work->table;
    const enum carom_status status = make_room(work);
    if (status != CAROM_OK)
        return status;
    struct carom_pulse_row *row = &table->row[table->nrows];
    *row = (struct carom_pulse_row){.place = place, .wave = number, .speed = nan(""), .length = nan("")};
    struct carom_pulse_top top;
    const bool known = booked(work, place) &&
                       carom_pulse_book_top(&work->book, table->places.place[place].contact[0], series, wave, &top);
    carom_pulse_measure(series, rules, wave, known ? &top : NULL, &row->pulse);
    row->pulse.cut = row->pulse.cut && !work->source.trail; /* after an impact there is no force to miss */
    for (size_t k = 0; work->request->collapse && k < POINTS; k++)
        table->collapsed[table->nrows * POINTS + k] = carom_pulse_collapsed(series, &row->pulse, CAROM_PULSE_RUN_S(k));
    table->nrows++;
    return CAROM_OK;
}

/* a place whose force has risen to no peak yet: one wave, of which the foot is known */
static enum carom_status add_rising(struct work *work, const struct carom_pulse_series *series, size_t place)
{
    struct carom_pulse pulse;
    if (work->source.inside || !carom_pulse_rise(series, &work->request->rules, &pulse))
        return CAROM_OK;
    work->table->waves[place] = 1;
    return add_known(work, place, &pulse, 1);
}

/* all waves of a record, in a list that grows as needed */
static enum carom_status add_train(struct work *work, const struct carom_pulse_series *series, size_t place)
{
    size_t count;
    enum carom_status status =
        carom_pulse_find(series, &work->request->rules, work->wave, work->wave_room, &count, work->error);
    if (status == CAROM_OK && count > work->wave_room) {
        if (!carom_memory_widen(&work->wave, work->wave_room, count, sizeof *work->wave))
            return carom_memory_error_for(work->error, what);
        work->wave_room = count;
        status = carom_pulse_find(series, &work->request->rules, work->wave, count, &count, work->error);
    }
    work->table->waves[place] = count;
    for (size_t k = 0; k < count && status == CAROM_OK; k++)
        status = add_row(work, series, &work->request->rules, place, &work->wave[k], k + 1);
    return status == CAROM_OK && count == 0 ? add_rising(work, series, place) : status;
}

static enum carom_status add_one(struct work *work, const struct carom_pulse_series *series, size_t place)
{
    const size_t which = work->request->wave;
    struct carom_pulse_wave wave;
    size_t count;
    const enum carom_status status = carom_pulse_pick(series, &work->request->rules, which, &wave, &count, work->error);
    work->table->waves[place] = count;
    if (status == CAROM_OK && count == 0 && which == 1)
        return add_rising(work, series, place);
    if (status != CAROM_OK || count == 0 || which > count)
        return status;
    return add_row(work, series, &work->request->rules, place, &wave, which);
}

/* One that the book tells of: measured where samples show it, else only what the book knows. */
static enum carom_status add_episode(struct work *work, const struct carom_pulse_series *series, size_t place,
                                     const struct carom_pulse *pulse, const struct carom_episode *episode,
                                     size_t number)
{
    struct carom_pulse_rules rules = work->request->rules;
    struct carom_pulse_series around;
    struct carom_pulse_wave wave;
    size_t count = 0;
    rules.rest = pulse->rest;
    if (carom_pulse_book_around(episode, series, &around)) {
        const enum carom_status status =
            carom_pulse_pick(&around, &rules, CAROM_PULSE_LARGEST, &wave, &count, work->error);
        if (status != CAROM_OK)
            return status;
    }
    if (count == 0)
        return add_known(work, place, pulse, number);
    const enum carom_status status = add_row(work, &around, &rules, place, &wave, number);
    if (status == CAROM_OK) {
        struct carom_pulse *measured = &work->table->row[work->table->nrows - 1].pulse;
        measured->cut = measured->cut && !(episode->opened < series->time[series->n - 1]);
        measured->tail = nan(""); /* samples do not show all that comes after it */
    }
    return status;
}

/* the waves that the book tells of where samples do not show all */
static enum carom_status add_booked(struct work *work, const struct carom_pulse_series *series, size_t place)
{
    struct carom_pulse_table *table = work->table;
    const struct carom_pulse_rules *rules = &work->request->rules;
    const size_t contact = table->places.place[place].contact[0], wanted = work->request->wave;
    const double rest = isnan(rules->rest) ? series->force[0] : rules->rest;
    struct carom_pulse pulse, best = {.peak = -HUGE_VAL};
    const struct carom_episode *episode, *strongest = NULL;
    enum carom_status status = CAROM_OK;
    size_t n = 0;
    table->coarse++;
    for (; status == CAROM_OK && (episode = carom_pulse_book_wave(&work->book, contact, n, rules->least, rest, &pulse));
         n++) {
        strongest = pulse.peak > best.peak ? episode : strongest;
        best = pulse.peak > best.peak ? pulse : best;
        if (work->request->train || n + 1 == wanted)
            status = add_episode(work, series, place, &pulse, episode, n + 1);
    }
    table->waves[place] = n;
    if (status == CAROM_OK && !work->request->train && wanted == CAROM_PULSE_LARGEST && strongest)
        status = add_episode(work, series, place, &best, strongest, CAROM_PULSE_LARGEST);
    return status;
}

/* --- all places ------------------------------------------------------------------------------------------------ */

static enum carom_status add_places(struct work *work, double *force, size_t most)
{
    struct carom_pulse_table *table = work->table;
    const struct carom_pulse_source *source = &work->source;
    enum carom_status status = CAROM_OK;
    for (size_t first = 0; first < table->places.count && status == CAROM_OK; first += most) {
        const size_t left = table->places.count - first, count = left < most ? left : most;
        const struct carom_pulse_place *place = table->places.place + first;
        status = carom_pulse_source_read(source, place, count, force, work->error);
        for (size_t i = 0; i < count && status == CAROM_OK; i++) {
            const struct carom_pulse_series series = {source->n, source->time, force + i * source->n};
            table->first[first + i] = table->nrows;
            if (booked(work, first + i) &&
                carom_pulse_book_coarse(&work->book, place[i].contact[0], &series, work->request->rules.least))
                status = add_booked(work, &series, first + i);
            else
                status = work->request->train ? add_train(work, &series, first + i) : add_one(work, &series, first + i);
            if (status != CAROM_OK && status != CAROM_E_MEMORY)
                carom_error_prefix(work->error, "%s%s", place[i].kind <= CAROM_PULSE_WALL ? "contact " : "",
                                   place[i].name);
        }
    }
    table->first[table->places.count] = table->nrows;
    return status;
}

static enum carom_status add_all(struct work *work)
{
    const size_t n = work->source.n, count = work->table->places.count;
    if (n < 3)
        return carom_error_set(work->error, CAROM_E_REFUSED,
                               "%zu sample%s in the record%s: a pulse needs three at least", n, carom_plural(n),
                               isinf(work->request->from) && isinf(work->request->until)
                                   ? "; take a smaller 'every' in the scene's record"
                                   : " between --from and --until");
    size_t most = MOST_BYTES / sizeof(double) / n;
    most = most < 1 ? 1 : most > count ? count : most;
    double *force = carom_memory_zeroed(most * n, sizeof *force);
    const enum carom_status status =
        force != NULL ? add_places(work, force, most) : carom_memory_error_for(work->error, what);
    carom_memory_free(force);
    return status;
}

/* Takes out what is rounding beside the other waves. */
static void drop_nothing(struct carom_pulse_table *table)
{
    double most = 0.0;
    for (size_t i = 0; i < table->nrows; i++)
        most = fmax(most, table->row[i].pulse.peak);
    size_t kept = 0, first = 0;
    for (size_t p = 0; p < table->places.count; p++) {
        const size_t last = table->first[p + 1];
        table->first[p] = kept;
        for (size_t i = first; i < last; i++) {
            if (!(table->row[i].pulse.peak > NOTHING * most))
                continue;
            table->row[kept] = table->row[i];
            if (table->collapsed != NULL && kept < i)
                memcpy(table->collapsed + kept * POINTS, table->collapsed + i * POINTS, POINTS * sizeof(double));
            kept++;
        }
        first = last;
        table->silent += table->first[p] == kept;
    }
    table->first[table->places.count] = table->nrows = kept;
}

/* Are the highest waves of two places one? Of several it may be the first here and a later one there; one wave takes
 * less than its width and a half from bead to bead. */
static bool one_wave(const struct carom_pulse_row *a, const struct carom_pulse_row *b, double beads)
{
    const double apart = fabs(a->pulse.time - b->pulse.time), width = fmin(a->pulse.width, b->pulse.width);
    return a->wave != CAROM_PULSE_LARGEST || apart < APART * width * fmax(beads, 1.0);
}

/* The place from which a wave is timed: the one before or, where beads alternate, the nearest that stands between the
 * same two; p itself: there is none. Neighbours between light and heavy beads peak at nearly the same time, or in
 * reverse order. */
static size_t timed_from(const struct carom_pulse_places *places, size_t p)
{
    for (size_t i = 1; i <= CAROM_PULSE_PERIOD && i <= p; i++)
        if (carom_pulse_places_alike(&places->place[p - i], &places->place[p]))
            return p - i;
    return places->place[p].alternates ? p : p - 1;
}

/* mean diameter of the beads between two places */
static double diameter_between(const struct carom_pulse_place *a, const struct carom_pulse_place *b)
{
    const int32_t beads = abs(b->number - a->number);
    return a->kind == CAROM_PULSE_SENSOR || beads < 2 ? b->diameter : fabs(b->x - a->x) / (double)beads;
}

#define SHAPELESS 0.05 /* misfit beyond which a force is no pulse; that of a solitary wave of Hertz beads is 0.0084 */
#define PACE 6.0       /* of peaks and feet of one pulse, one over the other, at most */

/* Do peaks go another way than the feet of their waves, is the force here or there no single pulse, or did a body fly
 * in between? */
static bool is_loose(const struct carom_pulse *here, const struct carom_pulse *there)
{
    if (here->closed >= there->opened || there->closed >= here->opened)
        return true;
    const double time = here->time - there->time, feet = here->foot - there->foot;
    const bool shaped = here->misfit <= SHAPELESS && there->misfit <= SHAPELESS;
    return !shaped || !(time < PACE * feet && feet < PACE * time);
}

/* (41) between two places, by peaks. Where the wave came here later than there and yet peaks earlier, or has no peak,
 * the peaks are not those of the wave that came, and its feet tell how fast it is. */
static void time_wave(struct carom_pulse_row *row, const struct carom_pulse_row *before, double way, double size)
{
    const double time = row->pulse.time - before->pulse.time, feet = row->pulse.foot - before->pulse.foot;
    if (way == 0.0)
        return;
    row->by_foot = isnan(time) || time * feet < 0.0;
    if (row->by_foot ? feet != 0.0 : fabs(time) > (isnan(row->pulse.width) ? 0.0 : SAME * row->pulse.width))
        row->speed = way / (row->by_foot ? feet : time);
    row->loose = !row->by_foot && !isnan(row->speed) && is_loose(&row->pulse, &before->pulse);
    if (!row->by_foot) /* the width is that of another wave */
        row->length = 3.14159265358979323846 * row->pulse.width * fabs(row->speed) / size;
}

/* Where a force still rises its largest, and so the foot, goes with the end of the record: such waves are timed at one
 * force for both places. */
static enum carom_status time_rising(const struct work *work, struct carom_pulse_row *row,
                                     const struct carom_pulse_row *before, double way)
{
    const struct carom_pulse_source *source = &work->source;
    const struct carom_pulse_rules *rules = &work->request->rules;
    const size_t place[] = {before->place, row->place};
    const double level = rules->foot * fmin(row->pulse.peak, before->pulse.peak);
    double *force = carom_memory_zeroed(source->n, sizeof *force), when[2];
    enum carom_status status = force != NULL ? CAROM_OK : carom_memory_error_for(work->error, what);
    for (size_t k = 0; k < 2 && status == CAROM_OK; k++) {
        status = carom_pulse_source_read(source, &work->table->places.place[place[k]], 1, force, work->error);
        const struct carom_pulse_series series = {source->n, source->time, force};
        when[k] = status == CAROM_OK ? carom_pulse_passes(&series, rules, level) : nan("");
    }
    row->by_foot = true;
    if (status == CAROM_OK && when[0] != when[1])
        row->speed = way / (when[1] - when[0]);
    carom_memory_free(force);
    return status;
}

/* the same wave at a place before */
static enum carom_status find_speeds(const struct work *work)
{
    struct carom_pulse_table *table = work->table;
    for (size_t p = 1; p < table->places.count; p++) {
        const size_t from = timed_from(&table->places, p), end = table->first[from + 1];
        const struct carom_pulse_place *place = &table->places.place[p], *before = &table->places.place[from];
        const double way = place->x - before->x, size = diameter_between(before, place);
        if (from == p) /* no speed is better than a false one */
            continue;
        for (size_t i = table->first[p], j = table->first[from]; i < table->first[p + 1]; i++) {
            struct carom_pulse_row *row = &table->row[i];
            while (j < end && table->row[j].wave < row->wave)
                j++;
            if (j == end || table->row[j].wave != row->wave || !one_wave(row, &table->row[j], fabs(way) / size))
                continue;
            if (!row->pulse.rising && !table->row[j].pulse.rising)
                time_wave(row, &table->row[j], way, size);
            else if (way != 0.0 && time_rising(work, row, &table->row[j], way) != CAROM_OK)
                return work->error->status;
        }
    }
    return CAROM_OK;
}

static enum carom_status no_wave(const struct carom_run_file *run, const struct work *work)
{
    const struct carom_pulse_table *table = work->table;
    size_t most = 0;
    for (size_t p = 0; p < table->places.count; p++)
        most = table->waves[p] > most ? table->waves[p] : most;
    if (table->places.count == 0)
        return carom_error_set(work->error, CAROM_E_REFUSED, "%s: there are no contacts in it",
                               carom_hdf5_file_path(run->file));
    if (most > 0)
        return carom_error_set(work->error, CAROM_E_REFUSED, "--wave %zu: no place has more than %zu waves",
                               work->request->wave, most);
    return carom_error_set(work->error, CAROM_E_REFUSED,
                           "%s: no force has a peak in the record, so there is no pulse; contacts may be shorter than "
                           "the distance of samples, and impacts of rigid bodies (theory nonsmooth) are jumps: theory "
                           "lzb or compliant shows what happens inside them",
                           carom_hdf5_file_path(run->file));
}

static enum carom_status measure(const struct carom_run_file *run, struct work *work)
{
    struct carom_pulse_table *table = work->table;
    const struct carom_pulse_request *request = work->request;
    enum carom_status status =
        carom_pulse_places_read(run, request->contacts, request->beads, request->sensors, &table->places, work->error);
    if (status != CAROM_OK)
        return status;
    table->waves = carom_memory_zeroed(table->places.count, sizeof *table->waves);
    table->first = carom_memory_zeroed(table->places.count + 1, sizeof *table->first);
    if (table->waves == NULL || table->first == NULL)
        return carom_memory_error_for(work->error, what);
    double from = request->from, until = request->until;
    carom_pulse_source_widen(&from, &until);
    status = carom_pulse_source_open(run, request->impact, from, until, &work->source, work->error);
    if (status != CAROM_OK)
        return status;
    const struct carom_pulse_source *source = &work->source;
    if (!source->inside && source->n > 0)
        status = carom_pulse_book_open(&work->book, run, from, until, work->error);
    if (status != CAROM_OK)
        return status;
    table->si = strcmp(run->units, "none") != 0;
    table->inside = source->inside;
    table->impact = source->impact;
    table->impacts = source->impacts;
    table->begun = source->begun;
    table->samples = source->n;
    for (size_t i = 1; i < source->n; i++) {
        const double apart = source->time[i] - source->time[i - 1];
        table->closest = i == 1 ? apart : fmin(table->closest, apart);
        table->farthest = fmax(table->farthest, apart);
    }
    table->every = source->n > 1 ? (source->time[source->n - 1] - source->time[0]) / (double)(source->n - 1) : nan("");
    status = table->places.count > 0 ? add_all(work) : CAROM_OK;
    if (status != CAROM_OK)
        return status;
    drop_nothing(table);
    status = find_speeds(work);
    return status != CAROM_OK ? status : table->nrows > 0 ? CAROM_OK : no_wave(run, work);
}

enum carom_status carom_pulse_run_measure(const struct carom_run_file *run, const struct carom_pulse_request *request,
                                          struct carom_pulse_table *table, struct carom_error *error)
{
    *table = (struct carom_pulse_table){0};
    struct work work = {.request = request, .table = table, .error = error};
    const enum carom_status status = measure(run, &work);
    carom_pulse_source_close(&work.source);
    carom_pulse_book_close(&work.book);
    carom_memory_free(work.wave);
    if (status != CAROM_OK)
        carom_pulse_run_free(table);
    return status;
}

void carom_pulse_run_free(struct carom_pulse_table *table)
{
    carom_pulse_places_free(&table->places);
    carom_memory_free_all(table->waves, table->first, table->row, table->collapsed);
    *table = (struct carom_pulse_table){0};
}

/* --- what a table says ----------------------------------------------------------------------------------------- */

struct carom_pulse_spread carom_pulse_run_spread(const struct carom_pulse_table *table)
{
    struct carom_pulse_spread spread = {0};
    for (size_t k = 0; k < POINTS && table->collapsed != NULL; k++) {
        const double s = CAROM_PULSE_RUN_S(k), shape = carom_pulse_shape(s);
        double least = HUGE_VAL, most = -HUGE_VAL;
        bool all = true;
        for (size_t i = 0; i < table->nrows; i++) {
            const double f = table->collapsed[i * POINTS + k];
            all = all && !isnan(f);
            least = fmin(least, f);
            most = fmax(most, f);
        }
        if (!all)
            continue;
        double *between = s <= 0.0 ? &spread.front : &spread.tail;
        double *from_shape = s <= 0.0 ? &spread.front_shape : &spread.tail_shape;
        *between = fmax(*between, most - least);
        *from_shape = fmax(*from_shape, fmax(most - shape, shape - least));
    }
    return spread;
}

const struct carom_pulse_row *carom_pulse_run_contact(const struct carom_pulse_table *table, int32_t number)
{
    for (size_t i = 0; i < table->nrows; i++) {
        const struct carom_pulse_place *place = &table->places.place[table->row[i].place];
        if (place->kind <= CAROM_PULSE_WALL && place->number == number)
            return &table->row[i];
    }
    return NULL;
}
