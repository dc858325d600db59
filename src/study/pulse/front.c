/* Fronts of discs and spheres, see front.h: speeds of one body at a time are a record like a force, and its waves are
 * found by the rules of pulse.h. */
#include "study/pulse/front.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "carom/scheme.h"
#include "record/hdf5/hdf5_file.h"
#include "study/pulse/pulse_curve.h"
#include "study/pulse/pulse_places.h"

static const char what[] = "the front of a run";

#define MOST_BYTES ((size_t)256 << 20)
#define NOTHING 1e-9 /* speeds below this share of the largest are rounding */
#define NEAR 1.05    /* a body that moves at the beginning belongs to a crystal if it is so near to touching one */

struct carom_front_request carom_front_request(void)
{
    const double unknown = nan("");
    return (struct carom_front_request){.from = -HUGE_VAL,
                                        .until = HUGE_VAL,
                                        .rules = carom_pulse_rules(),
                                        .threshold = unknown,
                                        .origin = {unknown, unknown, unknown}};
}

struct work {
    const struct carom_run_file *run;
    const struct carom_front_request *request;
    struct carom_front *front;
    struct carom_run_grains grains;
    uint64_t first;     /* sample of the record */
    double *time;       /* front->samples */
    double *row, *rest; /* velocities of all bodies: of one sample, of the first */
    double most;        /* of all speeds */
    struct carom_error *error;
};

/* --- the record -------------------------------------------------------------------------------------------------- */

static enum carom_status read_clock(struct work *work)
{
    const struct carom_run_file *run = work->run;
    struct carom_front *front = work->front;
    work->time = carom_memory_zeroed((size_t)run->rows, sizeof *work->time);
    if (work->time == NULL)
        return carom_memory_error_for(work->error, what);
    const enum carom_status status = carom_run_file_times(run, 0, run->rows, work->time, work->error);
    if (status != CAROM_OK)
        return status;
    uint64_t first = 0, last = run->rows;
    while (first < last && work->time[first] < work->request->from)
        first++;
    while (last > first && work->time[last - 1] > work->request->until)
        last--;
    front->samples = (size_t)(last - first);
    if (front->samples < 3)
        return carom_error_set(work->error, CAROM_E_REFUSED, "%zu samples in the record: a front needs three at least",
                               front->samples);
    memmove(work->time, work->time + first, front->samples * sizeof *work->time);
    work->first = first;
    front->begun = work->time[0];
    front->every = (work->time[front->samples - 1] - work->time[0]) / (double)(front->samples - 1);
    front->closest = front->farthest = work->time[1] - work->time[0];
    for (size_t i = 2; i < front->samples; i++) {
        front->closest = fmin(front->closest, work->time[i] - work->time[i - 1]);
        front->farthest = fmax(front->farthest, work->time[i] - work->time[i - 1]);
    }
    return CAROM_OK;
}

static enum carom_status read_velocities(struct work *work, size_t sample, double *to)
{
    return carom_run_file_read(work->run, work->grains.velocity, work->first + sample, 1, to, work->error);
}

static enum carom_status open_record(struct work *work)
{
    struct carom_front *front = work->front;
    enum carom_status status = carom_run_grains_open(&work->grains, work->run, work->error);
    if (status != CAROM_OK)
        return status;
    if (work->grains.velocity == NULL)
        return carom_error_set(work->error, CAROM_E_REFUSED,
                               "%s: holds no velocities; add v to the probes of the scene's record and run it again",
                               carom_hdf5_file_path(work->run->file));
    status = read_clock(work);
    if (status != CAROM_OK)
        return status;
    const size_t numbers = work->grains.velocity->width;
    front->dimension = work->grains.grains.dimension;
    front->si = strcmp(work->run->units, "none") != 0;
    work->row = carom_memory_zeroed(numbers, sizeof *work->row);
    work->rest = carom_memory_zeroed(numbers, sizeof *work->rest);
    if (work->row == NULL || work->rest == NULL)
        return carom_memory_error_for(work->error, what);
    return read_velocities(work, 0, work->rest);
}

/* discs and spheres that can move, where they are at the beginning */
static enum carom_status list_bodies(struct work *work)
{
    struct carom_front *front = work->front;
    const struct carom_grains *g = &work->grains.grains;
    const size_t d = front->dimension;
    const enum carom_status status = carom_run_grains_read(&work->grains, work->first, work->error);
    if (status != CAROM_OK)
        return status;
    front->at = carom_memory_zeroed(g->n, sizeof *front->at);
    if (front->at == NULL)
        return carom_memory_error_for(work->error, what);
    const double unknown = nan("");
    for (size_t i = 0; i < g->n; i++) {
        if (work->grains.counts[i] != CAROM_RUN_BALL || !(g->radius[i] > 0.0) || !(g->mass[i] > 0.0) ||
            !(g->mass[i] < HUGE_VAL))
            continue;
        struct carom_front_body *body = &front->at[front->n++];
        *body = (struct carom_front_body){.number = i + 1,
                                          .radius = g->radius[i],
                                          .mass = g->mass[i],
                                          .arrival = unknown,
                                          .time = unknown,
                                          .force = unknown,
                                          .force_time = unknown};
        memcpy(body->place, work->grains.place + d * i, d * sizeof *body->place);
        double square = 0.0;
        for (size_t k = 0; k < d; k++)
            square += work->rest[d * i + k] * work->rest[d * i + k];
        body->moves = square > 0.0;
        front->energy += 0.5 * body->mass * square;
    }
    return CAROM_OK;
}

/* --- one body ---------------------------------------------------------------------------------------------------- */

/* the first time at which a record passes `level`; NaN: never */
static double passes(const struct carom_pulse_series *series, double level, size_t *sample)
{
    const struct carom_pulse_curve curve = {series->n, series->time, series->force, 0.0};
    for (size_t i = 0; i + 1 < series->n; i++)
        if (series->force[i + 1] >= level) {
            *sample = i + 1;
            return series->force[i] >= level ? series->time[i] : carom_pulse_curve_crossing(&curve, i, level);
        }
    return nan("");
}

/* Peak by the waves of the record; a body that is not slowed down again only has a largest speed. */
static enum carom_status measure_body(const struct work *work, const struct carom_pulse_series *series,
                                      struct carom_front_body *body)
{
    const struct carom_front_request *request = work->request;
    const struct carom_pulse_rules rules = {request->rules.least, request->rules.foot, 0.0};
    struct carom_pulse_wave wave = {0};
    size_t count, reached = 0, top = series->n - 1;
    const enum carom_status status =
        carom_pulse_pick(series, &rules, request->largest ? CAROM_PULSE_LARGEST : 1, &wave, &count, work->error);
    if (status != CAROM_OK)
        return status;
    for (size_t i = 0; i < series->n && count == 0; i++)
        body->peak = fmax(body->peak, series->force[i]);
    if (count > 0) {
        const struct carom_pulse_curve curve = {series->n, series->time, series->force, 0.0};
        carom_pulse_curve_summit(&curve, wave.peak, &body->time, &body->peak);
        top = wave.peak;
    }
    body->arrival = passes(series, isnan(request->threshold) ? rules.foot * body->peak : request->threshold, &reached);
    if (count == 0) { /* it has its speed once it has been above half of it as long as it took to get there */
        const double half = passes(series, 0.5 * body->peak, &top);
        body->cut = series->time[series->n - 1] - half < half - body->arrival;
    }
    body->samples = !isnan(body->arrival) && top >= reached ? top - reached + 1 : 0;
    return CAROM_OK;
}

/* speeds of some bodies, by one walk through the samples */
static enum carom_status read_speeds(struct work *work, size_t first, size_t count, double *speed)
{
    const struct carom_front *front = work->front;
    const size_t d = front->dimension;
    enum carom_status status = CAROM_OK;
    for (size_t s = 0; s < front->samples && status == CAROM_OK; s++) {
        status = read_velocities(work, s, work->row);
        for (size_t i = 0; i < count && status == CAROM_OK; i++) {
            const size_t j = d * (front->at[first + i].number - 1);
            double square = 0.0;
            for (size_t k = 0; k < d; k++)
                square += (work->row[j + k] - work->rest[j + k]) * (work->row[j + k] - work->rest[j + k]);
            speed[i * front->samples + s] = sqrt(square);
            work->most = fmax(work->most, speed[i * front->samples + s]);
        }
    }
    return status;
}

static enum carom_status measure_bodies(struct work *work)
{
    struct carom_front *front = work->front;
    size_t most = MOST_BYTES / sizeof(double) / front->samples;
    most = most < 1 ? 1 : most > front->n ? front->n : most;
    double *speed = carom_memory_zeroed(most * front->samples, sizeof *speed);
    enum carom_status status = speed != NULL ? CAROM_OK : carom_memory_error_for(work->error, what);
    for (size_t first = 0; first < front->n && status == CAROM_OK; first += most) {
        const size_t count = front->n - first < most ? front->n - first : most;
        status = read_speeds(work, first, count, speed);
        for (size_t i = 0; i < count && status == CAROM_OK; i++) {
            const struct carom_pulse_series series = {front->samples, work->time, speed + i * front->samples};
            status = measure_body(work, &series, &front->at[first + i]);
        }
    }
    carom_memory_free(speed);
    for (size_t i = 0; i < front->n; i++)
        if (!(front->at[i].peak > NOTHING * work->most)) {
            front->at[i].arrival = nan("");
            front->at[i].cut = false;
        }
    return status;
}

/* --- forces, out of the book of impacts, which goes on to the end of the run, later than the last sample --------- */

static void feel(struct carom_front *front, const size_t *of, uint64_t number, const struct carom_episode *episode)
{
    if (of[number] == SIZE_MAX)
        return;
    struct carom_front_body *body = &front->at[of[number]];
    if (!(body->force >= episode->peak_force)) {
        body->force = episode->peak_force;
        body->force_time = episode->peak_time;
    }
}

struct book {
    const struct work *work;
    const size_t *of; /* number of a body -> its place in the list */
};

static void feel_both(void *own, const struct carom_episode *row)
{
    const struct book *b = own;
    const struct work *work = b->work;
    const uint64_t one = row->contact >> 32, other = row->contact & UINT32_MAX, n = work->grains.grains.n;
    if (!(row->peak_force > 0.0) || row->peak_time < work->request->from || row->peak_time > work->request->until ||
        one > n || other > n)
        return;
    feel(work->front, b->of, one, row);
    feel(work->front, b->of, other, row);
}

static enum carom_status measure_forces(struct work *work)
{
    const size_t n = work->grains.grains.n;
    if (!work->run->episodes.there)
        return CAROM_OK;
    size_t *of = carom_memory_zeroed(n + 1, sizeof *of);
    if (of == NULL)
        return carom_memory_error_for(work->error, what);
    for (size_t i = 0; i <= n; i++)
        of[i] = SIZE_MAX;
    for (size_t i = 0; i < work->front->n; i++)
        of[work->front->at[i].number] = i;
    struct book book = {work, of};
    const enum carom_status status =
        carom_run_episodes_each(&work->run->episodes, work->run->file, feel_both, &book, work->error);
    carom_memory_free(of);
    return status;
}

/* --- where it begins, and where it goes -------------------------------------------------------------------------- */

static bool has_neighbour(const struct work *work, const struct carom_front_body *body)
{
    for (size_t i = 0; i < work->front->n; i++) {
        const struct carom_front_body *other = &work->front->at[i];
        double way[3];
        carom_grains_way(&work->grains.grains, other->place, body->place, way);
        if (!other->moves && carom_vec_norm(way) < NEAR * (body->radius + other->radius))
            return true;
    }
    return false;
}

/* The only one that moves at the beginning, if it touches one that rests; else the first that is reached. */
static const struct carom_front_body *find_origin(const struct work *work)
{
    const struct carom_front *front = work->front;
    const struct carom_front_body *first = NULL, *mover = NULL;
    size_t movers = 0;
    for (size_t i = 0; i < front->n; i++) {
        const struct carom_front_body *body = &front->at[i];
        if (body->moves) {
            mover = body;
            movers++;
        } else if (!isnan(body->arrival) && (first == NULL || body->arrival < first->arrival))
            first = body;
    }
    return movers == 1 && first != NULL && has_neighbour(work, mover) ? mover : first;
}

static enum carom_status set_origin(struct work *work)
{
    struct carom_front *front = work->front;
    const struct carom_front_body *body = find_origin(work);
    if (body == NULL)
        return carom_error_set(work->error, CAROM_E_REFUSED,
                               "%s: pulse follows rows, discs and spheres, and no disc or sphere that rests at the "
                               "beginning of the record is set moving in it",
                               carom_hdf5_file_path(work->run->file));
    const bool given = !isnan(work->request->origin[0]);
    if (work->request->body > 0) {
        body = NULL;
        for (size_t i = 0; i < front->n; i++)
            body = front->at[i].number == work->request->body ? &front->at[i] : body;
        if (body == NULL)
            return carom_error_set(work->error, CAROM_E_USAGE,
                                   "--origin %zu: no disc or sphere that moves has this number", work->request->body);
    }
    front->body = given ? 0 : body->number;
    for (size_t k = 0; k < front->dimension; k++)
        front->origin[k] = given ? work->request->origin[k] : body->place[k];
    return CAROM_OK;
}

/* kinetic energy that went each way, sample by sample */
static enum carom_status measure_energy(struct work *work)
{
    struct carom_front *front = work->front;
    const size_t d = front->dimension;
    enum carom_status status = CAROM_OK;
    for (size_t s = 0; s < front->samples && status == CAROM_OK; s++) {
        status = read_velocities(work, s, work->row);
        for (size_t k = 0; k < front->ndirections; k++)
            front->direction[k].energy = 0.0;
        for (size_t i = 0; i < front->n && status == CAROM_OK; i++) {
            const double *v = work->row + d * (front->at[i].number - 1);
            double square = 0.0;
            for (size_t k = 0; k < d; k++)
                square += v[k] * v[k];
            if (front->at[i].direction < SIZE_MAX)
                front->direction[front->at[i].direction].energy += 0.5 * front->at[i].mass * square;
        }
        for (size_t k = 0; k < front->ndirections; k++) {
            struct carom_front_direction *to = &front->direction[k];
            if (s == 0 || to->energy > to->most) {
                to->most = to->energy;
                to->when = work->time[s];
            }
        }
    }
    return status;
}

static enum carom_status measure(struct work *work)
{
    enum carom_status status = open_record(work);
    if (status == CAROM_OK)
        status = list_bodies(work);
    if (status == CAROM_OK)
        status = measure_bodies(work);
    if (status == CAROM_OK)
        status = measure_forces(work);
    if (status == CAROM_OK)
        status = set_origin(work);
    if (status == CAROM_OK)
        status = carom_front_directions_make(work->front, work->request, &work->grains.grains, work->error);
    if (status != CAROM_OK)
        return status;
    carom_front_directions_fit(work->front);
    return measure_energy(work);
}

enum carom_status carom_front_measure(const struct carom_run_file *run, const struct carom_front_request *request,
                                      struct carom_front *front, struct carom_error *error)
{
    *front = (struct carom_front){0};
    struct carom_front_request window = *request;
    carom_pulse_source_widen(&window.from, &window.until);
    struct work work = {.run = run, .request = &window, .front = front, .error = error};
    const enum carom_status status = measure(&work);
    carom_run_grains_close(&work.grains);
    carom_memory_free_all(work.time, work.row, work.rest);
    if (status != CAROM_OK)
        carom_front_free(front);
    return status;
}

void carom_front_free(struct carom_front *front)
{
    carom_memory_free_all(front->at, front->direction, front->ray);
    *front = (struct carom_front){0};
}
