/* Follows a run from outside. The sim is made as for any run but is stepped here. */
#include "study/follow/track.h"

#include "base/memory.h"
#include "carom/bodies.h"

bool carom_track_ask(void *own, const struct carom_sim *sim)
{
    const struct carom_track_asker *asker = own;
    return carom_progress_go_on(asker->progress, sim->until > 0.0 ? sim->state->time / sim->until : 0.0);
}

double carom_track_step(const struct carom_scene *scene)
{
    const struct carom_param *const table = scene->scheme->kind.params;
    const struct carom_param *step = carom_param_find(table, "step"), *tol = carom_param_find(table, "tol");
    const struct carom_param *adapt = carom_param_find(table, "adapt");
    const bool adapts = (tol != NULL && carom_param_value(tol, scene->options) > 0.0) ||
                        (adapt != NULL && carom_param_value(adapt, scene->options) > 0.0);
    return step != NULL && !adapts ? carom_param_value(step, scene->options) : 0.0;
}

/* takes the recorder over */
static enum carom_status open_with(struct carom_track *track, struct carom_scene *scene,
                                   struct carom_recorder *recorder, struct carom_memory *memory,
                                   const struct carom_watch *watch, struct carom_error *error)
{
    *track = (struct carom_track){.memory = memory};
    track->step = carom_track_step(scene);
    const struct carom_setup setup = {.model = scene->model,
                                      .scheme = scene->scheme,
                                      .options = scene->options,
                                      .q = scene->q,
                                      .v = scene->v,
                                      .contacts = scene->contacts,
                                      .until = scene->until,
                                      .threads = 1,
                                      .recorder = recorder,
                                      .origin = {.seed = scene->seed}};
    scene->model = NULL; /* the sim's now, also if it cannot be made */
    scene->options = NULL;
    track->sim = carom_sim_create(&setup, error);
    if (track->sim == NULL)
        return error->status;
    carom_sim_sync(track->sim);
    carom_sim_watch(track->sim, watch);
    const enum carom_status status = carom_sim_prepare(track->sim, watch, error);
    if (status == CAROM_OK)
        carom_sim_sync(track->sim);
    else
        carom_track_close(track);
    return status;
}

enum carom_status carom_track_open(struct carom_track *track, struct carom_scene *scene,
                                   const struct carom_watch *watch, struct carom_error *error)
{
    return open_with(track, scene, NULL, NULL, watch, error);
}

enum carom_status carom_track_open_recorded(struct carom_track *track, struct carom_scene *scene,
                                            const char *const *probes, size_t nprobes, bool book,
                                            const struct carom_watch *watch, struct carom_error *error)
{
    /* the largest episode of each contact is kept, however few are wanted */
    const struct carom_schedule schedule = {.every = scene->until, .episodes = book ? 1 : 0};
    struct carom_recorder *recorder = carom_recorder_create(scene->model, probes, nprobes, &schedule, error);
    struct carom_memory *memory = recorder != NULL ? carom_sink_memory_new() : NULL;
    *track = (struct carom_track){0};
    if (recorder != NULL && memory == NULL)
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for a recorder");
    else if (recorder != NULL &&
             (!scene->regional || carom_recorder_region(recorder, &scene->region, error) == CAROM_OK) &&
             carom_recorder_attach(recorder, &carom_sink_memory, memory, error) == CAROM_OK)
        return open_with(track, scene, recorder, memory, watch, error);
    carom_recorder_free(recorder);
    return error->status;
}

/* --- the book ---------------------------------------------------------------------------------------------------- */

static enum carom_status book_open(void *own, const struct carom_layout *layout, struct carom_error *error)
{
    (void)own, (void)layout, (void)error;
    return CAROM_OK;
}

static enum carom_status book_row(void *own, const struct carom_row *row, struct carom_error *error)
{
    (void)own, (void)row, (void)error;
    return CAROM_OK;
}

void carom_track_book_add(struct carom_track_book *book, const struct carom_episode *episode)
{
    const size_t j = (size_t)episode->contact;
    if (episode->contact >= book->n)
        return;
    book->impulse[j] += episode->impulse;
    if (episode->impulse > 0.0)
        book->met[j] = fmin(book->met[j], episode->closed);
    if (episode->peak_force > book->peak[j]) {
        book->peak[j] = episode->peak_force;
        book->peak_time[j] = episode->peak_time;
    }
}

static enum carom_status book_episode(void *own, const struct carom_episode *episode, struct carom_error *error)
{
    (void)error;
    carom_track_book_add(own, episode);
    return CAROM_OK;
}

static void book_release(void *own)
{
    struct carom_track_book *book = own;
    carom_memory_free_all(book->peak, book);
}

static const struct carom_sink book_sink = {
    .kind = {.name = "book", .text = "largest forces and impulses of contacts"},
    .open = book_open,
    .row = book_row,
    .episode = book_episode,
    .release = book_release,
};

static struct carom_track_book *book_new(size_t n)
{
    struct carom_track_book *book = carom_memory_zeroed(1, sizeof *book);
    double *peak = carom_memory_zeroed(4 * n, sizeof *peak);
    if (book == NULL || peak == NULL) {
        carom_memory_free_all(book, peak);
        return NULL;
    }
    *book = (struct carom_track_book){
        .n = n, .peak = peak, .peak_time = peak + n, .impulse = peak + 2 * n, .met = peak + 3 * n};
    for (size_t j = 0; j < n; j++)
        book->met[j] = nan(""); /* fmin passes over it */
    return book;
}

/* do contacts give way, and are they always the same ones? */
static bool books(const struct carom_scene *scene)
{
    return (scene->model->offers & CAROM_COMPLIANT) && scene->model->nc > 0 && !scene->scheme->tells &&
           carom_model_bodies(scene->model) == NULL;
}

enum carom_status carom_track_open_booked(struct carom_track *track, struct carom_scene *scene,
                                          const struct carom_watch *watch, struct carom_error *error)
{
    if (!books(scene))
        return carom_track_open(track, scene, watch, error);
    const struct carom_schedule schedule = {.every = scene->until, .episodes = UINT64_MAX};
    struct carom_recorder *recorder = carom_recorder_create(scene->model, NULL, 0, &schedule, error);
    struct carom_track_book *book = recorder != NULL ? book_new(scene->model->nc) : NULL;
    *track = (struct carom_track){0};
    if (recorder == NULL || carom_recorder_attach(recorder, &book_sink, book, error) != CAROM_OK) {
        carom_recorder_free(recorder);
        return error->status;
    }
    const enum carom_status status = open_with(track, scene, recorder, NULL, watch, error);
    track->book = status == CAROM_OK ? book : NULL; /* else the recorder has taken it along */
    return status;
}

const struct carom_episode *carom_track_peak(const struct carom_track *track, uint64_t pair)
{
    const struct carom_episode *top = NULL;
    for (size_t i = 0; track->memory != NULL && i < track->memory->nepisodes; i++) {
        const struct carom_episode *episode = &track->memory->episode[i];
        if ((pair == 0 || episode->contact == pair) && (top == NULL || episode->peak_force > top->peak_force))
            top = episode;
    }
    return top;
}

void carom_track_close(struct carom_track *track)
{
    carom_sim_free(track->sim);
    *track = (struct carom_track){0};
}

struct carom_apart_place carom_track_place(const struct carom_track *track)
{
    const struct carom_sim *sim = track->sim;
    return (struct carom_apart_place){sim->model, sim->view->q, sim->view->v};
}

bool carom_track_no_whole_step(const struct carom_track *track)
{
    return !(carom_state_until(track->sim->state, track->sim->until) > track->step * (1.0 - 1e-9));
}
