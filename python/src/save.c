/* Run files of what a sim has kept in memory: the same rows, events and books, told once more to the library's
 * sink of such files. So a run is saved as it was, whatever has become of its scene and of the sim since. */
#include "native.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void native_save_mark(const struct native_sim *sim, struct native_mark *mark)
{
    const struct carom_memory *m = sim->rows;
    *mark = (struct native_mark){.rows = m->nrows,
                                 .events = m->nevents,
                                 .episodes = m->nepisodes,
                                 .blows = m->nblows,
                                 .forces = m->nforces,
                                 .left_out = sim->left_out,
                                 .step = sim->sim->state->step,
                                 .complete = carom_sim_ended(sim->sim),
                                 .counts = sim->sim->stepper->counts,
                                 .stated = sim->stated};
}

/* --- what the recorder tells beside rows -------------------------------------------------------------------------- */

enum carom_status native_save_hear(struct native_sim *sim, const struct carom_checkpoint *checkpoint,
                                   struct carom_error *error)
{
    double *book = malloc((checkpoint->nbook + 1) * sizeof *book);
    if (!book)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a checkpoint");
    if (checkpoint->nbook > 0)
        memcpy(book, checkpoint->book, checkpoint->nbook * sizeof *book);
    free(sim->book);
    sim->book = book;
    sim->last = *checkpoint;
    sim->last.state = NULL;
    sim->last.book = book;
    sim->last_hash = carom_state_hash(checkpoint->state);
    return CAROM_OK;
}

/* The checkpoint of the end of these rows, if the sim still has that state. */
static bool has_checkpoint(const struct native_sim *sim, const struct native_mark *mark)
{
    return sim->book && sim->last.rows == mark->rows && sim->last.events == mark->events &&
           sim->sim->state->step == mark->step && sim->last_hash == carom_state_hash(sim->sim->state);
}

/* --- the same once more ------------------------------------------------------------------------------------------- */

static enum carom_status tell_rows(const struct carom_memory *m, const struct native_mark *mark, void *file,
                                   struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < mark->rows && status == CAROM_OK; i++) {
        const struct carom_row row = {.index = i,
                                      .time = m->time[i],
                                      .step = m->step[i],
                                      .value = m->value + i * m->width,
                                      .ntouches = m->listed ? m->first[i + 1] - m->first[i] : 0,
                                      .touch = m->listed ? m->touch + m->first[i] : NULL};
        status = carom_sink_hdf5.row(file, &row, error);
    }
    return status;
}

static enum carom_status tell_books(const struct carom_memory *m, const struct native_mark *mark, void *file,
                                    struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < mark->events && status == CAROM_OK; i++)
        status = carom_sink_hdf5.event(file, &m->event[i], error);
    for (size_t i = 0; i < mark->episodes && status == CAROM_OK; i++)
        status = carom_sink_hdf5.episode(file, &m->episode[i], error);
    for (size_t i = 0; i < mark->forces && status == CAROM_OK; i++)
        status = carom_sink_hdf5.force(file, &m->force[i], error);
    for (size_t i = 0; i < mark->blows && status == CAROM_OK; i++)
        status = carom_sink_hdf5.blow(file, &m->blow[i], error);
    if (status == CAROM_OK && mark->left_out > 0)
        status = carom_sink_hdf5.left_out(file, mark->left_out, error);
    return status;
}

static enum carom_status tell(const struct native_sim *sim, const struct native_mark *mark, void *file,
                              struct carom_error *error)
{
    struct carom_checkpoint last = sim->last;
    struct carom_layout layout = *sim->layout;
    const bool goes_on = layout.nstate > 0 && has_checkpoint(sim, mark);
    last.state = sim->sim->state;
    layout.nstate = goes_on ? layout.nstate : 0;
    enum carom_status status = carom_sink_hdf5.open(file, &layout, error);
    if (status == CAROM_OK)
        status = carom_sink_hdf5.stated(file, &mark->stated, error);
    if (status == CAROM_OK)
        status = tell_rows(sim->rows, mark, file, error);
    if (status == CAROM_OK)
        status = tell_books(sim->rows, mark, file, error);
    if (status == CAROM_OK && goes_on)
        status = carom_sink_hdf5.checkpoint(file, &last, error);
    if (status == CAROM_OK)
        status =
            mark->complete ? carom_sink_hdf5.close(file, &mark->counts, error) : carom_sink_hdf5.flush(file, error);
    return status;
}

PyObject *native_save(PyObject *self, PyObject *args)
{
    struct native_sim *sim = (struct native_sim *)self;
    struct carom_error error = {CAROM_OK, ""};
    struct native_mark mark;
    const char *path, *bytes;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "ss#", &path, &bytes, &size))
        return NULL;
    if (size != (Py_ssize_t)sizeof mark)
        return PyErr_SetString(PyExc_ValueError, "these are no bytes of recorded()"), NULL;
    memcpy(&mark, bytes, sizeof mark);
    if (!sim->sim || !sim->rows || !sim->layout)
        return PyErr_SetString(PyExc_ValueError, "nothing has been recorded yet: take a step first"), NULL;
    if (sim->busy)
        return PyErr_SetString(PyExc_RuntimeError, "the sim is at work; what it has recorded can be saved after that"),
               NULL;
    enum carom_status status = CAROM_OK;
    sim->busy = true;
    sim->worker = PyThread_get_thread_ident();
    Py_BEGIN_ALLOW_THREADS native_hdf5_take();
    void *file = carom_sink_hdf5_new(path);
    if (!sim->closed && sim->pid == (long)getpid() && sim->sim->state->step == mark.step)
        status = carom_sim_checkpoint(sim->sim, &error);
    if (status == CAROM_OK)
        status = file ? tell(sim, &mark, file, &error) : carom_error_missing(&error);
    carom_sink_hdf5.release(file);
    native_hdf5_give();
    Py_END_ALLOW_THREADS sim->busy = false;
    if (status != CAROM_OK)
        return native_raise(&error);
    Py_RETURN_NONE;
}
