/* The recorder: decides when to sample, reads all probes into one row, and hands rows, events and checkpoints to the
 * sinks. Allocates nothing after carom_recorder_begin but room for contacts that come and go. Does not know where the
 * numbers go. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "model/contact_force.h"
#include "record/cells.h"
#include "record/channels.h"
#include "record/grains_read.h"
#include "record/room.h"
#include "record/schedule.h"
#include "record/sensors.h"
#include "record/tally.h"
#include "record/touching.h"

/* times closer than this, relatively, are one: 3 * 0.1 and 0.3 */
#define SAME (8.0 * DBL_EPSILON)

struct attached {
    const struct carom_sink *sink;
    void *own;
};

struct carom_recorder {
    struct carom_schedule schedule;
    double *times;
    size_t nsinks;
    struct attached *sink;
    struct carom_channels channels;
    struct carom_cells_room cells;
    struct carom_touching touching; /* where contacts come and go */
    struct carom_grains_read grains;
    bool begun, ended, between;
    double sampled; /* time of the last row, -HUGE_VAL: none in this session */
    struct carom_layout layout;
    struct carom_ledger ledger;
    double *deform, *stored, *force, *slip; /* nc each if a probe wants contacts; the ledger fills the first two */
    double *row;
    size_t nsensors;
    struct carom_sensors *sensor;
    double *felt; /* what each sensor reads, with and without its filter */
    struct carom_tally tally;
    const double *(*pack)(void *own, size_t *n); /* episodes under way, for checkpoints */
    void *packer;
    struct carom_blunders blunders; /* for checkpoints */
};

/* --- life ---------------------------------------------------------------------------------------------------- */

struct carom_recorder *carom_recorder_create(const struct carom_model *model, const char *const *probes, size_t nprobes,
                                             const struct carom_schedule *schedule, struct carom_error *error)
{
    struct carom_recorder *recorder = model != NULL ? carom_memory_zeroed(1, sizeof *recorder) : NULL;
    if (recorder == NULL) {
        (void)(model != NULL ? carom_memory_error_for(error, "recording") : carom_error_missing(error));
        return NULL;
    }
    const struct carom_bodies *bodies = carom_model_bodies(model);
    recorder->layout = (struct carom_layout){
        .model = model, .nc = model->nc, .pair = (const int32_t(*)[2])model->pair, .listed = bodies != NULL};
    recorder->layout.row = carom_model_chain(model) != NULL;
    recorder->layout.dimension = bodies != NULL ? bodies->dimension : 0;
    recorder->channels.model = model;
    if (bodies != NULL)
        carom_touching_open(&recorder->touching, bodies);
    recorder->sampled = -HUGE_VAL;
    if (carom_schedule_copy(&recorder->schedule, schedule, &recorder->times, error) == CAROM_OK &&
        carom_channels_add(&recorder->channels, probes, nprobes, error) == CAROM_OK)
        return recorder;
    carom_recorder_free(recorder);
    return NULL;
}

void carom_recorder_free(struct carom_recorder *recorder)
{
    if (recorder == NULL)
        return;
    for (size_t i = 0; i < recorder->nsinks; i++)
        recorder->sink[i].sink->release(recorder->sink[i].own);
    carom_channels_free(&recorder->channels);
    carom_touching_close(&recorder->touching);
    carom_grains_read_close(&recorder->grains);
    carom_cells_close(&recorder->cells);
    carom_memory_free_all(recorder->sink, recorder->times, recorder->sensor, recorder->felt, recorder->deform,
                          recorder->row, recorder);
}

/* --- sensors ------------------------------------------------------------------------------------------------- */

enum carom_status carom_recorder_sense(struct carom_recorder *recorder, const struct carom_sensor *sensor,
                                       struct carom_error *error)
{
    if (recorder == NULL || sensor == NULL)
        return carom_error_missing(error);
    const size_t n = recorder->nsensors;
    struct carom_sensors placed;
    if (recorder->begun)
        return carom_error_set(error, CAROM_E_REFUSED, "a sensor must be added before the run begins");
    if (carom_sensors_place(recorder->layout.model, sensor, &placed, error) != CAROM_OK)
        return CAROM_E_REFUSED;
    if (!carom_memory_widen(&recorder->sensor, n, n + 1, sizeof *recorder->sensor))
        return carom_memory_error_for(error, "recording");
    if (!carom_memory_widen(&recorder->felt, 2 * n, 2 * n + 2, sizeof *recorder->felt))
        return carom_memory_error_for(error, "recording");
    if (carom_channels_add_sensor(&recorder->channels, sensor, 2 * n, error) != CAROM_OK)
        return CAROM_E_MEMORY;
    recorder->sensor[recorder->nsensors++] = placed;
    return CAROM_OK;
}

enum carom_status carom_recorder_choose(struct carom_recorder *recorder, const struct carom_choice *choice,
                                        struct carom_error *error)
{
    if (recorder == NULL || choice == NULL)
        return carom_error_missing(error);
    return recorder->begun
               ? carom_error_set(error, CAROM_E_REFUSED, "beads and contacts are chosen before the run begins")
               : carom_channels_choose(&recorder->channels, choice, error);
}

enum carom_status carom_recorder_region(struct carom_recorder *recorder, const struct carom_region *region,
                                        struct carom_error *error)
{
    if (recorder == NULL || region == NULL)
        return carom_error_missing(error);
    if (recorder->begun)
        return carom_error_set(error, CAROM_E_REFUSED, "a region must be given before the run begins");
    return carom_grains_read_region(&recorder->grains, recorder->layout.model, region, error);
}

size_t carom_recorder_sensors(const struct carom_recorder *recorder)
{
    return recorder->nsensors;
}

const struct carom_sensor *carom_recorder_sensor(const struct carom_recorder *recorder, size_t i)
{
    return &recorder->sensor[i].what;
}

void carom_recorder_recall(struct carom_recorder *recorder, size_t i, double time, double input, double output)
{
    carom_sensors_resume(&recorder->sensor[i], time, input, output);
}

enum carom_status carom_recorder_attach(struct carom_recorder *recorder, const struct carom_sink *sink, void *own,
                                        struct carom_error *error)
{
    if (own == NULL)
        return carom_memory_error_for(error, "recording"); /* its maker found none */
    const size_t n = recorder != NULL ? recorder->nsinks : 0;
    const bool room = recorder != NULL && carom_memory_widen(&recorder->sink, n, n + 1, sizeof *recorder->sink);
    if (!room || recorder->begun) {
        sink->release(own);
        if (room)
            return carom_error_set(error, CAROM_E_REFUSED, "a sink must be attached before the run begins");
        return recorder != NULL ? carom_memory_error_for(error, "recording") : carom_error_missing(error);
    }
    recorder->sink[recorder->nsinks++] = (struct attached){sink, own};
    return CAROM_OK;
}

void carom_recorder_promise(struct carom_recorder *recorder, const struct carom_scales *scales, double tol)
{
    recorder->layout.scales = *scales;
    recorder->layout.tol = tol;
}

static enum carom_status make_room(struct carom_recorder *recorder, struct carom_error *error)
{
    const size_t nc = recorder->layout.model->nc;
    recorder->deform = carom_memory_zeroed(recorder->channels.contacts ? nc : 0, 4 * sizeof(double));
    recorder->row = carom_memory_zeroed(recorder->channels.width, sizeof(double));
    const bool cells = carom_cells_open(&recorder->cells, recorder->layout.model, recorder->channels.stresses,
                                        recorder->channels.reactions);
    if (recorder->deform == NULL || recorder->row == NULL || !cells)
        return carom_memory_error_for(error, "recording");
    if (recorder->channels.contacts) {
        recorder->stored = recorder->deform + nc;
        recorder->force = recorder->stored + nc;
        recorder->slip = recorder->force + nc;
    }
    if (recorder->channels.grains)
        return carom_grains_read_open(&recorder->grains, carom_model_bodies(recorder->layout.model),
                                      recorder->channels.volume, error);
    return CAROM_OK;
}

enum carom_status carom_recorder_begin(struct carom_recorder *recorder, const struct carom_origin *origin,
                                       const char *scheme, size_t nstate, uint64_t rows, uint64_t events,
                                       struct carom_error *error)
{
    if (recorder == NULL)
        return carom_error_missing(error);
    if (recorder->begun)
        return carom_error_set(error, CAROM_E_REFUSED, "the recorder has begun already");
    enum carom_status status = make_room(recorder, error);
    recorder->layout.origin = origin;
    recorder->layout.scheme = scheme;
    recorder->layout.nstate = nstate;
    recorder->layout.nchannels = recorder->channels.count;
    recorder->layout.channel = recorder->channels.channel;
    recorder->layout.width = recorder->channels.width;
    recorder->layout.touching = recorder->channels.touching;
    recorder->layout.episodes = recorder->schedule.episodes > 0;
    recorder->tally.rows = rows;
    recorder->tally.events = events;
    for (size_t i = 0; i < recorder->nsinks && status == CAROM_OK; i++)
        status = recorder->sink[i].sink->open(recorder->sink[i].own, &recorder->layout, error);
    recorder->begun = status == CAROM_OK;
    return status;
}

/* --- when ---------------------------------------------------------------------------------------------------- */

double carom_recorder_next(const struct carom_recorder *recorder, double after)
{
    return carom_schedule_next(&recorder->schedule, after);
}

double carom_recorder_samples(const struct carom_recorder *recorder, double from, double until, size_t *numbers)
{
    *numbers = recorder->channels.width + 2; /* its time and step */
    return carom_schedule_count(&recorder->schedule, from, until);
}

double carom_recorder_action(const struct carom_recorder *recorder, double nth, double after)
{
    return carom_schedule_action(&recorder->schedule, recorder->tally.rows, nth, after);
}

double carom_recorder_thinned(const struct carom_recorder *recorder, double after)
{
    return carom_schedule_thinned(&recorder->schedule, recorder->tally.rows, recorder->tally.half, after);
}

uint64_t carom_recorder_half(const struct carom_recorder *recorder)
{
    return recorder->schedule.most / 2;
}

void carom_recorder_between(struct carom_recorder *recorder, bool between)
{
    recorder->between = between;
}

void carom_recorder_recall_half(struct carom_recorder *recorder, double time)
{
    recorder->tally.half = time;
}

bool carom_recorder_scarce(const struct carom_recorder *recorder)
{
    return recorder->tally.rows >= recorder->schedule.most / 8;
}

bool carom_recorder_wants_step(const struct carom_recorder *recorder, uint64_t step)
{
    return recorder->schedule.every_steps > 0 && step % recorder->schedule.every_steps == 0;
}

bool carom_recorder_wants_events(const struct carom_recorder *recorder)
{
    return recorder->schedule.events;
}

bool carom_recorder_wants_zeros(const struct carom_recorder *recorder)
{
    return recorder->schedule.zeros;
}

bool carom_recorder_wants_impacts(const struct carom_recorder *recorder, double *every, uint64_t *most)
{
    *every = recorder->schedule.impact_every > 0.0 ? recorder->schedule.impact_every : recorder->schedule.every;
    *most = recorder->schedule.impact_every > 0.0 ? CAROM_RECORD_FORCES_ASKED : CAROM_RECORD_FORCES;
    for (size_t i = 0; i < recorder->channels.count; i++)
        if (strcmp(recorder->channels.channel[i].probe->kind.name, "contact_force") == 0)
            return true;
    return recorder->channels.touching;
}

uint64_t carom_recorder_wants_episodes(const struct carom_recorder *recorder)
{
    return recorder->schedule.episodes;
}

void carom_recorder_recall_episodes(struct carom_recorder *recorder, uint64_t episodes, uint64_t left_out)
{
    recorder->tally.episodes = episodes;
    recorder->tally.left_out = left_out;
}

void carom_recorder_ask_book(struct carom_recorder *recorder, const double *(*pack)(void *own, size_t *n), void *own)
{
    recorder->pack = pack;
    recorder->packer = own;
}

void carom_recorder_recall_impacts(struct carom_recorder *recorder, uint64_t impacts, uint64_t forces)
{
    recorder->tally.impacts = impacts;
    recorder->tally.forces = forces;
}

/* --- what ---------------------------------------------------------------------------------------------------- */

static void read_row(struct carom_recorder *recorder, const struct carom_state *view)
{
    const struct carom_model *model = recorder->layout.model;
    carom_balance_read(model, view, recorder->channels.contacts ? recorder->deform : NULL, &recorder->ledger);
    if (recorder->channels.contacts)
        carom_contact_force_read(model, view, 0, model->nc, NULL, NULL, recorder->force);
    if (recorder->channels.contacts && model->frictional)
        carom_contacts_slip(model, view->time, view->q, view->v, recorder->slip);
    for (size_t i = 0; i < recorder->nsensors; i++) {
        recorder->felt[2 * i + 1] = carom_sensors_input(&recorder->sensor[i], recorder->force);
        recorder->felt[2 * i] = carom_sensors_output(&recorder->sensor[i], view->time, recorder->felt[2 * i + 1]);
    }
    struct carom_reading reading = {.model = model,
                                    .view = view,
                                    .ledger = &recorder->ledger,
                                    .deform = recorder->deform,
                                    .force = recorder->force,
                                    .slip = recorder->slip,
                                    .stored = recorder->stored,
                                    .sensor = recorder->felt};
    carom_cells_fill(&recorder->cells, &reading);
    if (recorder->channels.grains)
        carom_grains_read(&recorder->grains, recorder->touching.n, recorder->touching.touch, &reading);
    for (size_t i = 0; i < recorder->channels.count; i++) {
        const struct carom_channel *channel = &recorder->channels.channel[i];
        channel->probe->read(&reading, channel->member, recorder->row + channel->offset);
    }
}

/* is it there, and under way? */
static enum carom_status ready(const struct carom_recorder *recorder, struct carom_error *error)
{
    if (recorder == NULL)
        return carom_error_missing(error);
    if (recorder->begun && !recorder->ended)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_REFUSED, "the recorder has not begun, or has ended");
}

enum carom_status carom_recorder_sample(struct carom_recorder *recorder, const struct carom_state *view,
                                        struct carom_error *error)
{
    enum carom_status status = ready(recorder, error);
    if (status != CAROM_OK)
        return status;
    if (fabs(view->time - recorder->sampled) <= SAME * fabs(view->time))
        return CAROM_OK; /* a step and a time that coincide are one row */
    if (view->contacts != NULL && view->contacts->lacking)
        return carom_memory_error_for(error, "recording");
    if (recorder->channels.touching || recorder->channels.grains)
        status = carom_touching_read(&recorder->touching, view, error);
    if (status != CAROM_OK)
        return status;
    read_row(recorder, view);
    const struct carom_row row = {.index = recorder->tally.rows,
                                  .time = view->time,
                                  .step = view->step,
                                  .value = recorder->row,
                                  .ntouches = recorder->channels.touching ? recorder->touching.n : 0,
                                  .touch = recorder->touching.touch};
    for (size_t i = 0; i < recorder->nsinks && status == CAROM_OK; i++)
        status = recorder->sink[i].sink->row(recorder->sink[i].own, &row, error);
    if (status != CAROM_OK)
        return status;
    recorder->sampled = view->time;
    carom_tally_row(&recorder->tally, carom_recorder_half(recorder), recorder->between, &recorder->ledger, view);
    return status;
}

/* hands something to all sinks that take it, until one of them fails */
#define TELL(recorder, what, status, ...)                                   \
    for (size_t i = 0; (status) == CAROM_OK && i < (recorder)->nsinks; i++) \
        if ((recorder)->sink[i].sink->what != NULL)                         \
    (status) = (recorder)->sink[i].sink->what((recorder)->sink[i].own, __VA_ARGS__)

enum carom_status carom_recorder_event(struct carom_recorder *recorder, const struct carom_event *event,
                                       struct carom_error *error)
{
    enum carom_status status = ready(recorder, error);
    if (status == CAROM_OK)
        recorder->tally.last_event = event->time;
    TELL(recorder, event, status, event, error);
    if (status == CAROM_OK)
        recorder->tally.events++;
    return status;
}

enum carom_status carom_recorder_episode(struct carom_recorder *recorder, const struct carom_episode *episode,
                                         struct carom_error *error)
{
    enum carom_status status = ready(recorder, error);
    TELL(recorder, episode, status, episode, error);
    if (status == CAROM_OK)
        recorder->tally.episodes++;
    return status;
}

enum carom_status carom_recorder_left_out(struct carom_recorder *recorder, uint64_t episodes, struct carom_error *error)
{
    enum carom_status status = ready(recorder, error);
    if (status == CAROM_OK)
        recorder->tally.left_out = episodes;
    TELL(recorder, left_out, status, episodes, error);
    return status;
}

enum carom_status carom_recorder_stated(struct carom_recorder *recorder, const struct carom_stated *stated,
                                        struct carom_error *error)
{
    enum carom_status status = ready(recorder, error);
    TELL(recorder, stated, status, stated, error);
    return status;
}

enum carom_status carom_recorder_force(struct carom_recorder *recorder, const struct carom_blow_force *force,
                                       struct carom_error *error)
{
    enum carom_status status = ready(recorder, error);
    struct carom_blow_force numbered = force != NULL ? *force : (struct carom_blow_force){0};
    numbered.impact = status == CAROM_OK ? recorder->tally.impacts : 0;
    TELL(recorder, force, status, &numbered, error);
    if (status == CAROM_OK)
        recorder->tally.forces++;
    return status;
}

enum carom_status carom_recorder_blow(struct carom_recorder *recorder, const struct carom_blow *blow,
                                      struct carom_error *error)
{
    enum carom_status status = ready(recorder, error);
    TELL(recorder, blow, status, blow, error);
    if (status == CAROM_OK)
        recorder->tally.impacts++;
    return status;
}

void carom_recorder_blundered(struct carom_recorder *recorder, const struct carom_blunders *blunders)
{
    recorder->blunders = *blunders;
}

enum carom_status carom_recorder_checkpoint(struct carom_recorder *recorder, const struct carom_state *state,
                                            const struct carom_counts *counts, struct carom_error *error)
{
    enum carom_status status = ready(recorder, error);
    if (status != CAROM_OK)
        return status;
    size_t takers = 0, nbook = 0;
    for (size_t i = 0; i < recorder->nsinks; i++)
        takers += recorder->sink[i].sink->checkpoint != NULL;
    if (takers == 0)
        return CAROM_OK;
    const struct carom_tally *tally = &recorder->tally;
    const double *book = recorder->pack != NULL ? recorder->pack(recorder->packer, &nbook) : NULL;
    if (recorder->pack != NULL && book == NULL)
        return carom_memory_error_for(error, "recording");
    const struct carom_checkpoint checkpoint = {state,          *counts,           tally->rows,     tally->events,
                                                tally->impacts, tally->forces,     tally->episodes, nbook,
                                                book,           recorder->blunders};
    TELL(recorder, checkpoint, status, &checkpoint, error);
    return status;
}

enum carom_status carom_recorder_flush(struct carom_recorder *recorder, struct carom_error *error)
{
    enum carom_status status = ready(recorder, error);
    TELL(recorder, flush, status, error);
    return status;
}

/* all sinks are closed, also if one of them fails; the first failure is told */
enum carom_status carom_recorder_end(struct carom_recorder *recorder, const struct carom_counts *counts,
                                     struct carom_error *error)
{
    enum carom_status status = ready(recorder, error);
    if (status != CAROM_OK)
        return status;
    recorder->ended = true;
    for (size_t i = 0; i < recorder->nsinks; i++)
        if (recorder->sink[i].sink->close != NULL) {
            const enum carom_status closed =
                recorder->sink[i].sink->close(recorder->sink[i].own, counts, status == CAROM_OK ? error : NULL);
            status = status == CAROM_OK ? closed : status;
        }
    return status;
}

const struct carom_tally *carom_recorder_tally(const struct carom_recorder *recorder)
{
    return &recorder->tally;
}
