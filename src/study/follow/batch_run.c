/* Tracks in lanes. Steps are the scheme's; this only knows who may share a batch and asks the watch now and then. */
#include "study/follow/batch_run.h"

#include "base/memory.h"
#include "base/rows.h"
#include "scheme/chain/lanes.h"
#include "sim/recording.h"

static const struct carom_lanes *const known[] = {&carom_batch_theta_lanes, &carom_batch_irk_lanes};

enum { KNOWN = sizeof known / sizeof *known, LONGEST = 4096, LOOKS = 262144 }; /* beads; bead-steps between looks */

static const struct carom_lanes *lanes_of(const struct carom_scheme *scheme)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i]->scheme == scheme)
            return known[i];
    return NULL;
}

/* an option by its name; 0 if there is none */
bool carom_batch_run_alike(const struct carom_scene *a, const struct carom_scene *b)
{
    return a->scheme == b->scheme && lanes_of(a->scheme) != NULL && a->model->nv == b->model->nv &&
           a->model->nv <= LONGEST && a->until == b->until &&
           carom_rows_option(&a->scheme->kind, a->options, "step") ==
               carom_rows_option(&b->scheme->kind, b->options, "step") &&
           !(carom_rows_option(&a->scheme->kind, a->options, "adapt") > 0.0) &&
           !(carom_rows_option(&b->scheme->kind, b->options, "adapt") > 0.0);
}

/* times no step passes; batches know none */
static size_t breaks(const struct carom_track *track)
{
    const struct carom_loop *loop = track->sim->own;
    return loop->breaks.count;
}

bool carom_batch_run_fits(const struct carom_track *a, const struct carom_track *b)
{
    const struct carom_lanes *lanes = lanes_of(a->sim->stepper->scheme);
    return lanes != NULL && (a->book == NULL) == (b->book == NULL) && a->step > 0.0 && b->step == a->step &&
           breaks(a) == 0 && breaks(b) == 0 && lanes->fits(a->sim->stepper, b->sim->stepper);
}

static bool goes_on(const struct carom_watch *watch, const struct carom_sim *sim)
{
    return watch == NULL || watch->call == NULL || watch->call(watch->own, sim);
}

/* --- the books of impacts ----------------------------------------------------------------------------------------- */

enum carom_status carom_batch_run_begin_book(const struct carom_track *track, struct carom_error *error)
{
    return carom_sim_step(track->sim, 0, error);
}

size_t carom_batch_run_within(const struct carom_track *track)
{
    const struct carom_loop *loop = track->sim->own;
    return carom_episodes_steps(&loop->book, track->sim->state->step);
}

enum carom_status carom_batch_run_see(const struct carom_track *track, bool switched, struct carom_error *error)
{
    track->sim->stepper->switched = switched;
    return carom_recording_follow(track->sim, error);
}

enum carom_status carom_batch_run_end_book(const struct carom_track *track, struct carom_error *error)
{
    const enum carom_status status = carom_batch_run_see(track, false, error);
    return status == CAROM_OK ? carom_sim_step(track->sim, 0, error) : status;
}

struct reader {
    struct carom_track *const *track;
    enum carom_status status;
    struct carom_error *error;
};

static size_t within(void *own, size_t chain)
{
    return carom_batch_run_within(((const struct reader *)own)->track[chain]);
}

static void see(void *own, size_t chain, bool switched)
{
    struct reader *reader = own;
    if (reader->status == CAROM_OK)
        reader->status = carom_batch_run_see(reader->track[chain], switched, reader->error);
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

static enum carom_status advance(struct carom_lanes_batch *batch, struct carom_track *const *track, size_t count,
                                 struct carom_state *const *state, const struct carom_watch *watch,
                                 struct carom_error *error)
{
    struct carom_sim *first = track[0]->sim;
    const size_t chunk = 1 + LOOKS / (count * first->model->nv);
    while (!carom_sim_ended(first)) {
        const enum carom_status status = carom_lanes_advance(batch, state, track[0]->step, first->until, chunk, error);
        if (status != CAROM_OK)
            return status;
        first->progress = first->until > 0.0 ? first->state->time / first->until : 1.0;
        if (!goes_on(watch, first))
            return carom_error_set(error, CAROM_E_STOPPED, "stopped at t = %g of %g", first->state->time, first->until);
    }
    return CAROM_OK;
}

/* All tracks have books, or none has. */
static enum carom_status run(struct carom_lanes_batch *batch, struct carom_track *const *track, size_t count,
                             struct carom_state *const *state, const struct carom_watch *watch,
                             struct carom_error *error)
{
    struct reader reader = {track, CAROM_OK, error};
    const struct carom_lanes_look look = {&reader, within, see};
    const bool booked = track[0]->book != NULL;
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; booked && i < count && status == CAROM_OK; i++)
        status = carom_batch_run_begin_book(track[i], error);
    if (booked)
        carom_lanes_watch(batch, &look);
    if (status == CAROM_OK)
        status = advance(batch, track, count, state, watch, error);
    for (size_t i = 0; i < count; i++)
        track[i]->sim->stepper->counts.steps = state[i]->step;
    status = status == CAROM_OK ? reader.status : status;
    for (size_t i = 0; booked && i < count && status == CAROM_OK; i++)
        status = carom_batch_run_end_book(track[i], error);
    return status;
}

enum carom_status carom_batch_run(struct carom_track *const *track, size_t count, const struct carom_watch *watch,
                                  struct carom_error *error)
{
    const struct carom_lanes *lanes = lanes_of(track[0]->sim->stepper->scheme);
    struct carom_stepper **stepper = carom_memory_zeroed(count, sizeof *stepper);
    struct carom_state **state = carom_memory_zeroed(count, sizeof *state);
    enum carom_status status = CAROM_OK;
    struct carom_lanes_batch *batch = NULL;
    if (stepper == NULL || state == NULL)
        status = carom_memory_error(error);
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        stepper[i] = track[i]->sim->stepper;
        state[i] = track[i]->sim->state;
    }
    if (status == CAROM_OK && (batch = carom_lanes_create(lanes, count, stepper, error)) == NULL)
        status = error->status;
    if (status == CAROM_OK)
        status = run(batch, track, count, state, watch, error);
    for (size_t i = 0; i < count && status == CAROM_OK; i++)
        carom_sim_sync(track[i]->sim);
    carom_lanes_free(batch);
    carom_memory_free_all(stepper, state);
    return status;
}
