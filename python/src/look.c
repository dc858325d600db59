/* What a sim shows: its state, its energies, and what has been recorded. Memory that no longer moves is shown as it
 * lies; rows of a run that is still under way are copied. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

static struct native_sim *of(PyObject *self)
{
    return (struct native_sim *)self;
}

static bool there(const struct native_sim *sim)
{
    if (sim->sim && !sim->closed)
        return true;
    PyErr_SetString(PyExc_RuntimeError, "the sim is closed");
    return false;
}

/* callbacks may look, the view stands still there; other threads may not while it moves */
static bool stands_still(const struct native_sim *sim)
{
    if (!sim->busy || sim->worker == PyThread_get_thread_ident())
        return there(sim);
    PyErr_SetString(PyExc_RuntimeError, "the sim is at work in another thread; its state can be seen after that");
    return false;
}

/* --- the state ---------------------------------------------------------------------------------------------------- */

static PyObject *hand_out(struct native_sim *sim, double *data, size_t count)
{
    const struct carom_state *view = sim->sim->view;
    if (!sim->handed) {
        if (!(sim->handed = malloc((view->nq + view->nv + 1) * sizeof(double))))
            return PyErr_NoMemory();
        memcpy(sim->handed, view->q, view->nq * sizeof(double));
        memcpy(sim->handed + view->nq, view->v, view->nv * sizeof(double));
    }
    return native_block_row((PyObject *)sim, data, count, "<f8", true);
}

static PyObject *get_q(PyObject *self, void *unused)
{
    (void)unused;
    return stands_still(of(self)) ? hand_out(of(self), of(self)->sim->view->q, of(self)->sim->view->nq) : NULL;
}

static PyObject *get_v(PyObject *self, void *unused)
{
    (void)unused;
    return stands_still(of(self)) ? hand_out(of(self), of(self)->sim->view->v, of(self)->sim->view->nv) : NULL;
}

static PyObject *get_time(PyObject *self, void *unused)
{
    (void)unused;
    return there(of(self)) ? PyFloat_FromDouble(of(self)->sim->view->time) : NULL;
}

static PyObject *get_steps(PyObject *self, void *unused)
{
    (void)unused;
    return there(of(self)) ? PyLong_FromUnsignedLongLong(of(self)->sim->state->step) : NULL;
}

static PyObject *get_until(PyObject *self, void *unused)
{
    (void)unused;
    return there(of(self)) ? PyFloat_FromDouble(of(self)->sim->until) : NULL;
}

static PyObject *get_ended(PyObject *self, void *unused)
{
    (void)unused;
    return there(of(self)) ? PyBool_FromLong(carom_sim_ended(of(self)->sim)) : NULL;
}

static PyObject *get_hash(PyObject *self, void *unused)
{
    (void)unused;
    return stands_still(of(self)) ? PyLong_FromUnsignedLongLong(carom_state_hash(of(self)->sim->state)) : NULL;
}

static PyObject *get_closed(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(!of(self)->sim || of(self)->closed);
}

/* force of every contact of the model, as it acts */
static PyObject *get_force(PyObject *self, void *unused)
{
    (void)unused;
    struct native_sim *sim = of(self);
    if (!stands_still(sim))
        return NULL;
    const struct carom_model *model = sim->sim->model;
    const struct carom_state *view = sim->sim->view;
    const size_t nc = model->nc;
    double *deform = calloc(3 * nc + 1, sizeof *deform), *force = calloc(nc + 1, sizeof *force);
    if (!deform || !force)
        return free(deform), free(force), PyErr_NoMemory();
    double *rate = deform + nc, *drag = rate + nc;
    const struct carom_response out = {.elastic = force, .drag = drag};
    Py_BEGIN_ALLOW_THREADS carom_contacts_deform(model, view->time, view->q, view->v, deform, rate);
    carom_contacts_evaluate(model, 0, nc, deform, rate, view->history, &out);
    for (size_t g = 0; g < model->ngroups; g++)
        for (size_t j = model->group[g].first; j < model->group[g].first + model->group[g].count; j++) {
            force[j] = view->nforce > 0 ? view->force[j] : force[j] + drag[j] * rate[j];
            if (model->group[g].ending != CAROM_END_GAP && force[j] < 0.0)
                force[j] = 0.0;
        }
    Py_END_ALLOW_THREADS free(deform);
    return native_block_row(NULL, force, nc, "<f8", true);
}

/* takes the value over */
static bool put(PyObject *dictionary, const char *name, PyObject *value)
{
    const bool good = value && PyDict_SetItemString(dictionary, name, value) == 0;
    Py_XDECREF(value);
    return good;
}

PyObject *native_look_ledger(PyObject *self, PyObject *unused)
{
    (void)unused;
    struct native_sim *sim = of(self);
    struct carom_ledger l;
    if (!stands_still(sim))
        return NULL;
    Py_BEGIN_ALLOW_THREADS carom_balance_read(sim->sim->model, sim->sim->view, NULL, &l);
    Py_END_ALLOW_THREADS PyObject *all = PyDict_New();
#define ENTRY(field, name, text, path, label)                \
    if (all && !put(all, name, PyFloat_FromDouble(l.field))) \
        Py_CLEAR(all);
    CAROM_LEDGER(ENTRY)
    return all;
}

/* --- what was recorded -------------------------------------------------------------------------------------------- */

static PyObject *channels(const struct carom_channel *channel, size_t count, bool si)
{
    PyObject *all = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; all && i < count; i++) {
        const struct carom_channel *c = &channel[i];
        PyObject *one = Py_BuildValue("(sssinnn)", c->probe ? c->probe->kind.name : "", c->path,
                                      si && c->probe ? c->probe->unit : "1", c->probe ? (int)c->probe->extent : 0,
                                      (Py_ssize_t)c->offset, (Py_ssize_t)c->size, (Py_ssize_t)c->depth);
        if (!one || PyList_SetItem(all, (Py_ssize_t)i, one) != 0)
            Py_CLEAR(all);
    }
    return all;
}

PyObject *native_look_pairs(const int32_t (*pair)[2], size_t count)
{
    PyObject *all = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; all && i < count; i++) {
        PyObject *one = Py_BuildValue("(ii)", (int)pair[i][0], (int)pair[i][1]);
        if (!one || PyList_SetItem(all, (Py_ssize_t)i, one) != 0)
            Py_CLEAR(all);
    }
    return all;
}

PyObject *native_look_counts(const struct carom_counts *c)
{
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:d,s:d}", "steps", (unsigned long long)c->steps, "rejected",
                         (unsigned long long)c->rejected, "evaluations", (unsigned long long)c->evaluations,
                         "iterations", (unsigned long long)c->iterations, "smallest_step", c->smallest_step,
                         "largest_step", c->largest_step);
}

/* a block of the sim's memory, or, while it may still move, of a copy */
static PyObject *piece(struct native_sim *sim, const void *data, size_t bytes, const struct native_shape *shape)
{
    if (carom_sim_ended(sim->sim))
        return native_block((PyObject *)sim, (void *)(uintptr_t)data, shape);
    void *copy = malloc(bytes + 1);
    if (!copy)
        return PyErr_NoMemory();
    if (bytes > 0)
        memcpy(copy, data, bytes);
    return native_block(NULL, copy, shape);
}

static PyObject *row(struct native_sim *sim, const void *data, size_t count, const char *type)
{
    const struct native_shape shape = {.type = type, .size = 8, .rank = 1, .count = {count}, .stride = {8}};
    return piece(sim, data, 8 * count, &shape);
}

static PyObject *records(struct native_sim *sim, const void *data, size_t count, const struct native_field *field,
                         size_t size)
{
    const struct native_shape shape = {.field = field, .size = size, .rank = 1, .count = {count}, .stride = {size}};
    return piece(sim, data, size * count, &shape);
}

static bool add(PyObject *all, const char *name, PyObject *value)
{
    const bool good = value && PyDict_SetItemString(all, name, value) == 0;
    Py_XDECREF(value);
    return good;
}

static bool is_si(const struct carom_layout *layout)
{
    return strcmp(layout->origin->units, "si") == 0;
}

static bool add_rows(PyObject *all, struct native_sim *sim)
{
    const struct carom_memory *m = sim->rows;
    const size_t bytes = m->width * sizeof(double);
    const struct native_shape table = {
        .type = "<f8", .size = 8, .rank = 2, .count = {m->nrows, m->width}, .stride = {bytes, sizeof(double)}};
    return add(all, "time", row(sim, m->time, m->nrows, "<f8")) &&
           add(all, "step", row(sim, m->step, m->nrows, "<u8")) &&
           add(all, "value", piece(sim, m->value, m->nrows * bytes, &table)) &&
           add(all, "channels", channels(m->channel, m->nchannels, !sim->layout || is_si(sim->layout))) &&
           add(all, "events", records(sim, m->event, m->nevents, native_event_fields, sizeof *m->event)) &&
           add(all, "episodes", records(sim, m->episode, m->nepisodes, native_episode_fields, sizeof *m->episode)) &&
           add(all, "impacts", records(sim, m->blow, m->nblows, native_blow_fields, sizeof *m->blow)) &&
           add(all, "impact_forces", records(sim, m->force, m->nforces, native_force_fields, sizeof *m->force)) &&
           add(all, "touches", records(sim, m->touch, m->ntouches, native_touch_fields, sizeof *m->touch)) &&
           add(all, "first", row(sim, m->first, m->listed && m->nrows > 0 ? m->nrows + 1 : 0, "<u8"));
}

static PyObject *text_of(const char *bytes)
{
    return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)strlen(bytes), "replace");
}

static PyObject *ends_of(const struct carom_model *model)
{
    const size_t length = carom_run_ends(model, NULL, 0);
    char *text = calloc(length + 1, 1);
    if (!text)
        return PyErr_NoMemory();
    carom_run_ends(model, text, length + 1);
    PyObject *all = text_of(text);
    free(text);
    return all;
}

/* which cells of solids were recorded, where not all are: by the names of the parts */
static PyObject *cells_of(const struct carom_model *model)
{
    PyObject *all = PyDict_New();
    for (size_t i = 0; all && i < model->nparts; i++) {
        const struct carom_solid *s = carom_solid_at(model, i);
        if (!s || !s->record)
            continue;
        PyObject *list = PyList_New((Py_ssize_t)s->nrecord);
        for (size_t k = 0; list && k < s->nrecord; k++)
            if (PyList_SetItem(list, (Py_ssize_t)k, PyLong_FromSize_t(s->record[k])) != 0)
                Py_CLEAR(list);
        if (!add(all, *s->name ? s->name : "cells", list))
            Py_CLEAR(all);
    }
    return all;
}

static bool add_about(PyObject *all, const struct native_sim *native)
{
    const struct carom_sim *sim = native->sim;
    const struct carom_model *model = sim->model;
    const struct carom_origin *origin = native->layout ? native->layout->origin : NULL;
    struct native_mark mark;
    native_save_mark(native, &mark);
    const bool changed = mark.stated.doubt.why == CAROM_DOUBT_CHANGED;
    return add(all, "scene", text_of(origin ? origin->scene : "")) &&
           add(all, "set", text_of(origin ? origin->set : "")) && add(all, "ends", ends_of(model)) &&
           add(all, "cells", cells_of(model)) &&
           add(all, "held", native_block_row((PyObject *)(uintptr_t)native, native, 0, "<f8", false)) &&
           add(all, "changes", PyFloat_FromDouble(changed ? mark.stated.doubt.contact : 0.0)) &&
           add(all, "changed", PyFloat_FromDouble(mark.stated.doubt.time)) &&
           add(all, "mark", PyBytes_FromStringAndSize((const char *)&mark, sizeof mark)) &&
           add(all, "pairs", native_look_pairs((const int32_t(*)[2])model->pair, model->nc)) &&
           add(all, "row", PyBool_FromLong(carom_model_chain(model) != NULL)) &&
           add(all, "listed", PyBool_FromLong(sim->view->contacts != NULL)) &&
           add(all, "complete", PyBool_FromLong(carom_sim_ended(sim))) &&
           add(all, "estimate", PyFloat_FromDouble(sim->estimate)) &&
           add(all, "scheme", PyUnicode_FromString(sim->stepper->scheme->kind.name)) &&
           add(all, "scales",
               Py_BuildValue("(ddd)", sim->scales.speed, sim->scales.length, sim->scales.contact_time)) &&
           add(all, "counts", native_look_counts(&sim->stepper->counts));
}

PyObject *native_look_recorded(PyObject *self, PyObject *unused)
{
    (void)unused;
    struct native_sim *sim = of(self);
    if (!there(sim))
        return NULL;
    if (sim->busy)
        return PyErr_SetString(PyExc_RuntimeError, "the sim is at work; what it has recorded can be seen after that"),
               NULL;
    if (!sim->rows)
        return PyErr_SetString(PyExc_RuntimeError, "this sim keeps no samples in memory (keep=False)"), NULL;
    PyObject *all = PyDict_New();
    if (all && add_rows(all, sim) && add_about(all, sim))
        return all;
    Py_XDECREF(all);
    return NULL;
}

PyGetSetDef native_look_getset[] = {
    {"q", get_q, NULL, "coordinates; writable", NULL},
    {"v", get_v, NULL, "velocities; writable", NULL},
    {"t", get_time, NULL, "time of the state that is shown", NULL},
    {"steps", get_steps, NULL, "steps taken", NULL},
    {"until", get_until, NULL, "the end of the run", NULL},
    {"ended", get_ended, NULL, "has the end been reached?", NULL},
    {"hash", get_hash, NULL, "a number made of every bit of the scheme's state", NULL},
    {"closed", get_closed, NULL, "is it closed?", NULL},
    {"force", get_force, NULL, "force of every contact now", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
