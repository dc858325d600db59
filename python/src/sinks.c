/* What records a sim of Python's: rows in memory; a run file, whose every call holds the lock around HDF5; callbacks on
 * samples and contacts. An exception of a callback is kept, the watch then ends the call it came from. */
#include "native.h"

/* --- a run file --------------------------------------------------------------------------------------------------- */

static void *file_of(void *own)
{
    return ((struct native_sim *)own)->file;
}

#define LOCKED(what, arguments, ...)                                                                \
    static enum carom_status locked_##what arguments                                                \
    {                                                                                               \
        void *file = file_of(own); /* NULL: it is closed, and the sim about to go */                \
        native_hdf5_take();                                                                         \
        const enum carom_status status = file ? carom_sink_hdf5.what(file, __VA_ARGS__) : CAROM_OK; \
        native_hdf5_give();                                                                         \
        return status;                                                                              \
    }
#define TELLS(what, type) LOCKED(what, (void *own, const type *one, struct carom_error *error), one, error)

TELLS(open, struct carom_layout)
TELLS(row, struct carom_row)
TELLS(event, struct carom_event)
TELLS(episode, struct carom_episode)
TELLS(force, struct carom_blow_force)
TELLS(blow, struct carom_blow)
TELLS(checkpoint, struct carom_checkpoint)
TELLS(close, struct carom_counts)
LOCKED(left_out, (void *own, uint64_t episodes, struct carom_error *error), episodes, error)
LOCKED(stated, (void *own, const struct carom_stated *stated, struct carom_error *error), stated, error)
LOCKED(flush, (void *own, struct carom_error *error), error)

void native_sinks_close(struct native_sim *sim)
{
    native_hdf5_take();
    if (sim->file)
        carom_sink_hdf5.release(sim->file);
    sim->file = NULL;
    native_hdf5_give();
}

static void locked_release(void *own)
{
    native_sinks_close(own);
}

static const struct carom_sink locked = {
    .kind = {.name = "hdf5", .text = "a run file, one thread at a time"},
    .open = locked_open,
    .row = locked_row,
    .event = locked_event,
    .episode = locked_episode,
    .left_out = locked_left_out,
    .stated = locked_stated,
    .force = locked_force,
    .blow = locked_blow,
    .checkpoint = locked_checkpoint,
    .flush = locked_flush,
    .close = locked_close,
    .release = locked_release,
};

/* --- callbacks ---------------------------------------------------------------------------------------------------- */

static enum carom_status heard_open(void *own, const struct carom_layout *layout, struct carom_error *error)
{
    ((struct native_sim *)own)->layout = layout;
    (void)error;
    return CAROM_OK;
}

static enum carom_status heard_stated(void *own, const struct carom_stated *stated, struct carom_error *error)
{
    ((struct native_sim *)own)->stated = *stated;
    (void)error;
    return CAROM_OK;
}

static enum carom_status heard_left_out(void *own, uint64_t episodes, struct carom_error *error)
{
    ((struct native_sim *)own)->left_out = episodes;
    (void)error;
    return CAROM_OK;
}

static enum carom_status heard_checkpoint(void *own, const struct carom_checkpoint *checkpoint,
                                          struct carom_error *error)
{
    struct native_sim *sim = own;
    return sim->rows ? native_save_hear(sim, checkpoint, error) : CAROM_OK;
}

static enum carom_status heard_row(void *own, const struct carom_row *row, struct carom_error *error)
{
    struct native_sim *sim = own;
    (void)error;
    if (!sim->on_sample || sim->raised[0])
        return CAROM_OK;
    const PyGILState_STATE state = PyGILState_Ensure();
    native_sim_call(sim, sim->on_sample, Py_BuildValue("(d)", row->time));
    PyGILState_Release(state);
    return CAROM_OK;
}

static enum carom_status heard_event(void *own, const struct carom_event *event, struct carom_error *error)
{
    struct native_sim *sim = own;
    (void)error;
    if (!sim->on_contact || sim->raised[0])
        return CAROM_OK;
    const PyGILState_STATE state = PyGILState_Ensure();
    native_sim_call(sim, sim->on_contact,
                    Py_BuildValue("(dKiddd)", event->time, (unsigned long long)event->contact, (int)event->kind,
                                  event->impulse, event->before, event->after));
    PyGILState_Release(state);
    return CAROM_OK;
}

static void heard_release(void *own)
{
    (void)own; /* the sim's own memory */
}

static const struct carom_sink callbacks = {
    .kind = {.name = "python", .text = "functions that are called"},
    .open = heard_open,
    .row = heard_row,
    .event = heard_event,
    .left_out = heard_left_out,
    .stated = heard_stated,
    .checkpoint = heard_checkpoint,
    .release = heard_release,
};

/* `wanted`: there is to be a run file, sim->file */
static bool attach(struct native_sim *sim, bool keep, bool wanted, struct carom_error *error)
{
    struct carom_recorder *recorder = sim->sim->recorder;
    if (wanted && !sim->file)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory"), false;
    if (wanted && carom_recorder_attach(recorder, &locked, sim, error) != CAROM_OK)
        return false;
    struct carom_memory *rows = keep ? carom_sink_memory_new() : NULL;
    if (keep && carom_recorder_attach(recorder, &carom_sink_memory, rows, error) != CAROM_OK)
        return false;
    sim->rows = rows;
    return carom_recorder_attach(recorder, &callbacks, sim, error) == CAROM_OK;
}

bool native_sinks_attach(struct native_sim *sim, bool keep, const char *output, struct carom_error *error)
{
    sim->file = output ? carom_sink_hdf5_new(output) : NULL;
    return attach(sim, keep, output != NULL, error);
}

bool native_sinks_resume(struct native_sim *sim, bool keep, const char *path, struct carom_error *error)
{
    uint64_t rows = 0, events = 0;
    native_hdf5_take();
    struct carom_run_file *run = carom_run_file_open(path, error);
    const bool good = run && carom_sim_resume(sim->sim, run, &rows, &events, error) == CAROM_OK;
    carom_run_file_close(run);
    native_hdf5_give();
    sim->file = good ? carom_sink_hdf5_resume(path, rows, events) : NULL;
    return good && attach(sim, keep, true, error);
}
