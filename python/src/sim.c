/* Sims in Python: stepping without the GIL, interrupts and exceptions on their way out, and who frees what. Arrays hold
 * their sim; a closed sim with arrays left is freed with the last. A forked child never touches those of its parent. */
#include "native.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

PyObject *native_sim_type;

static struct native_sim *of(PyObject *self)
{
    return (struct native_sim *)self;
}

/* --- who may use it ----------------------------------------------------------------------------------------------- */

/* Is it there, not at work, not of another process? If not, an exception is set. */
static bool is_usable(const struct native_sim *sim)
{
    const char *why = NULL;
    if (!sim->sim || sim->closed)
        why = "the sim is closed";
    else if (sim->pid != (long)getpid())
        why = "the sim belongs to the process that made it; make another in this one";
    else if (sim->busy)
        why = "the sim is at work: no other thread may use it now, and its callbacks may only look";
    else if (sim->broken)
        why = "a law or signal of this sim has raised an exception; make another sim";
    if (why)
        PyErr_SetString(PyExc_RuntimeError, why);
    return !why;
}

/* the library's part; a child process leaves its parent's threads and files alone */
static void release(struct native_sim *sim)
{
    if (sim->sim && sim->pid == (long)getpid()) {
        Py_BEGIN_ALLOW_THREADS native_hdf5_take();
        carom_sim_free(sim->sim);
        native_hdf5_give();
        Py_END_ALLOW_THREADS
    }
    sim->sim = NULL;
    sim->rows = NULL;
    sim->layout = NULL;
    free(sim->handed);
    sim->handed = NULL;
    free(sim->book);
    sim->book = NULL;
    native_kinds_free(&sim->kinds);
}

void native_sim_export(struct native_sim *sim)
{
    sim->exports++;
}

void native_sim_let(struct native_sim *sim)
{
    if (--sim->exports == 0 && sim->closed)
        release(sim);
}

static int sim_traverse(PyObject *self, visitproc visit, void *arg)
{
    struct native_sim *sim = of(self);
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(sim->on_sample);
    Py_VISIT(sim->on_contact);
    Py_VISIT(sim->on_progress);
    Py_VISIT(sim->functions);
    for (int i = 0; i < 3; i++)
        Py_VISIT(sim->raised[i]);
    for (size_t i = 0; i < sim->kinds.nlaws; i++) {
        const struct native_law *law = &sim->kinds.law[i];
        Py_VISIT(law->elastic.call);
        Py_VISIT(law->slope.call);
        Py_VISIT(law->energy.call);
        Py_VISIT(law->viscous.call);
        Py_VISIT(law->drag.call);
    }
    for (size_t i = 0; i < sim->kinds.nsignals; i++) {
        Py_VISIT(sim->kinds.signal[i].value.call);
        Py_VISIT(sim->kinds.signal[i].rate.call);
    }
    return 0;
}

static int sim_clear(PyObject *self)
{
    struct native_sim *sim = of(self);
    Py_CLEAR(sim->on_sample);
    Py_CLEAR(sim->on_contact);
    Py_CLEAR(sim->on_progress);
    for (int i = 0; i < 3; i++)
        Py_CLEAR(sim->raised[i]);
    sim->broken = true; /* it cannot be stepped any more */
    Py_CLEAR(sim->functions);
    native_kinds_drop(&sim->kinds);
    return 0;
}

static bool adopt(struct native_sim *sim, struct carom_error *error);

/* has it a run file that somebody may go on with? */
static bool leaves_file(const struct native_sim *sim)
{
    return sim->file && !sim->closed && !sim->broken && !sim->busy && sim->pid == (long)getpid();
}

static void sim_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct native_sim *sim = of(self);
    PyObject_GC_UnTrack(self);
    if (leaves_file(sim) && sim->kinds.nlaws + sim->kinds.nsignals == 0 &&
        !sim->functions) /* Python is not asked now */
        adopt(sim, NULL);
    sim_clear(self);
    release(sim);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

/* --- while the library is at work --------------------------------------------------------------------------------- */

void native_sim_keep(struct native_sim *sim)
{
    if (sim->raised[0])
        PyErr_Clear(); /* the first one counts */
    else
        PyErr_Fetch(&sim->raised[0], &sim->raised[1], &sim->raised[2]);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void native_sim_call(struct native_sim *sim, PyObject *function, PyObject *args)
{
    Py_INCREF(function);
    PyObject *answer = args ? PyObject_CallObject(function, args) : NULL;
    if (!answer)
        native_sim_keep(sim);
    Py_XDECREF(answer);
    Py_XDECREF(args);
    Py_DECREF(function);
}

bool native_sim_go_on(struct native_sim *sim, double done, const char *phase)
{
    enum { EVERY_MS = 50 };
    const double t = now();
    if (sim->raised[0])
        return false;
    if (t - sim->looked < 1e-3 * EVERY_MS)
        return true;
    sim->looked = t;
    const PyGILState_STATE state = PyGILState_Ensure();
    if (PyErr_CheckSignals() != 0)
        native_sim_keep(sim);
    else if (sim->on_progress)
        native_sim_call(sim, sim->on_progress, Py_BuildValue("(ds)", done, phase));
    PyGILState_Release(state);
    return !sim->raised[0];
}

static bool watch(void *own, const struct carom_sim *sim)
{
    return native_sim_go_on(own, sim->progress, sim->phase ? sim->phase : "run");
}

void native_sim_watch(struct native_sim *sim)
{
    const struct carom_watch look = {watch, sim, 0.0};
    carom_sim_watch(sim->sim, &look);
}

/* what came of a call: an exception of Python's first, then the library's sentence */
static PyObject *finish(struct native_sim *sim, enum carom_status status, const struct carom_error *error)
{
    if (sim->raised[0]) {
        PyErr_Restore(sim->raised[0], sim->raised[1], sim->raised[2]);
        sim->raised[0] = sim->raised[1] = sim->raised[2] = NULL;
        return NULL;
    }
    if (status == CAROM_OK)
        Py_RETURN_NONE;
    struct carom_error said = *error;
    const size_t length = strlen(said.text);
    if (status == CAROM_E_NUMERIC &&
        sim->odd) /* steps may be tried again where a function gave nan, but not for ever */
        snprintf(said.text + length, sizeof said.text - length, "; a law or signal of this sim has given nan");
    return native_raise(&said);
}

static void remember(struct native_sim *sim)
{
    const struct carom_state *view = sim->sim->view;
    if (!sim->handed)
        return;
    memcpy(sim->handed, view->q, view->nq * sizeof(double));
    memcpy(sim->handed + view->nq, view->v, view->nv * sizeof(double));
}

/* numbers that Python has written into the view become the sim's own */
static bool adopt(struct native_sim *sim, struct carom_error *error)
{
    const struct carom_state *view = sim->sim->view;
    const size_t nq = view->nq, nv = view->nv;
    if (!sim->handed || (memcmp(sim->handed, view->q, nq * sizeof(double)) == 0 &&
                         memcmp(sim->handed + nq, view->v, nv * sizeof(double)) == 0))
        return true;
    if (view->time != sim->sim->state->time) {
        carom_error_set(error, CAROM_E_USAGE,
                        "the state at t = %.9g was changed, but the last step ended at t = %.9g already; go there with "
                        "to(t, exact=True), or change the state after a step",
                        view->time, sim->sim->state->time);
        memcpy(view->q, sim->handed, nq * sizeof(double));
        memcpy(view->v, sim->handed + nq, nv * sizeof(double));
        return false;
    }
    double *wanted = malloc((nq + nv) * sizeof(double)); /* the view is about to be used */
    if (!wanted)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory"), false;
    memcpy(wanted, view->q, nq * sizeof(double));
    memcpy(wanted + nq, view->v, nv * sizeof(double));
    const enum carom_status status = carom_sim_set(sim->sim, wanted, wanted + nq, error);
    free(wanted);
    if (status != CAROM_OK) {
        memcpy(view->q, sim->handed, nq * sizeof(double));
        memcpy(view->v, sim->handed + nq, nv * sizeof(double));
    } else
        remember(sim);
    return status == CAROM_OK;
}

enum way { RUN, STEP, TO, BREAK, ADOPT };

/* one call into the library, without the GIL */
static PyObject *work(struct native_sim *sim, enum way way, double t, size_t steps)
{
    struct carom_error error = {CAROM_OK, ""};
    const struct carom_watch look = {watch, sim, 0.0};
    enum carom_status status = CAROM_OK;
    if (!is_usable(sim))
        return NULL;
    sim->busy = true;
    sim->worker = PyThread_get_thread_ident();
    Py_BEGIN_ALLOW_THREADS if (!adopt(sim, &error)) status = error.status;
    else if (way == RUN) status = carom_sim_run(sim->sim, &look, &error);
    else if (way == STEP) status = carom_sim_step(sim->sim, steps, &error);
    else if (way == TO) status = carom_sim_to(sim->sim, t, &error);
    else if (way == BREAK) status = carom_sim_break(sim->sim, t, &error);
    if (way == RUN) /* that has put its own watch aside */
        native_sim_watch(sim);
    if (way != BREAK)
        remember(sim);
    Py_END_ALLOW_THREADS sim->busy = false;
    return finish(sim, status, &error);
}

/* --- what Python calls -------------------------------------------------------------------------------------------- */

static PyObject *sim_run(PyObject *self, PyObject *unused)
{
    (void)unused;
    return work(of(self), RUN, 0.0, 0);
}

static PyObject *sim_step(PyObject *self, PyObject *steps)
{
    const size_t n = PyLong_AsSize_t(steps);
    return PyErr_Occurred() ? NULL : work(of(self), STEP, 0.0, n);
}

static PyObject *sim_to(PyObject *self, PyObject *time)
{
    const double t = PyFloat_AsDouble(time);
    return PyErr_Occurred() ? NULL : work(of(self), TO, t, 0);
}

static PyObject *sim_break(PyObject *self, PyObject *time)
{
    const double t = PyFloat_AsDouble(time);
    return PyErr_Occurred() ? NULL : work(of(self), BREAK, t, 0);
}

static PyObject *sim_adopt(PyObject *self, PyObject *unused)
{
    (void)unused;
    return work(of(self), ADOPT, 0.0, 0);
}

static PyObject *sim_close(PyObject *self, PyObject *unused)
{
    (void)unused;
    struct native_sim *sim = of(self);
    if (sim->busy)
        return PyErr_SetString(PyExc_RuntimeError, "the sim is at work and cannot be closed now"), NULL;
    struct carom_error error = {CAROM_OK, ""};
    const bool leaves = leaves_file(sim);
    sim->busy = true;
    Py_BEGIN_ALLOW_THREADS if (leaves && adopt(sim, &error) && !carom_sim_ended(sim->sim))
        carom_sim_checkpoint(sim->sim, &error); /* who goes on with the file goes on from here */
    Py_END_ALLOW_THREADS sim->busy = false;
    sim->closed = true;
    sim_clear(self);
    if (sim->sim && sim->pid == (long)getpid()) { /* arrays may hold the rest, not the file */
        Py_BEGIN_ALLOW_THREADS native_sinks_close(sim);
        Py_END_ALLOW_THREADS
    }
    if (sim->exports == 0)
        release(sim);
    return finish(sim, error.status, &error);
}

static PyObject *sim_hear(PyObject *self, PyObject *args)
{
    struct native_sim *sim = of(self);
    PyObject *all[3];
    if (!PyArg_ParseTuple(args, "OOO", &all[0], &all[1], &all[2]))
        return NULL;
    PyObject **slots[] = {&sim->on_sample, &sim->on_contact, &sim->on_progress};
    for (int i = 0; i < 3; i++) {
        if (all[i] != Py_None && !PyCallable_Check(all[i]))
            return PyErr_SetString(PyExc_TypeError, "a callback must be a function, or None"), NULL;
        PyObject *old = *slots[i];
        *slots[i] = all[i] == Py_None ? NULL : all[i];
        Py_XINCREF(*slots[i]);
        Py_XDECREF(old);
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"run", sim_run, METH_NOARGS, "to the end"},
    {"step", sim_step, METH_O, "so many steps"},
    {"to", sim_to, METH_O, "until time t"},
    {"break_at", sim_break, METH_O, "no step passes t"},
    {"adopt", sim_adopt, METH_NOARGS, "changes of the state count from now on"},
    {"close", sim_close, METH_NOARGS, "frees the sim, or lets the last array do so"},
    {"hear", sim_hear, METH_VARARGS, "who is called: on samples, on contacts, on progress; None: nobody"},
    {"recorded", native_look_recorded, METH_NOARGS, "what was recorded so far"},
    {"save", native_save, METH_VARARGS, "writes what had been recorded by a mark as a run file"},
    {"ledger", native_look_ledger, METH_NOARGS, "the energies now"},
    {NULL, NULL, 0, NULL},
};

bool native_sim_ready(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_new, (void *)native_no_new},
        {Py_tp_dealloc, (void *)sim_free},
        {Py_tp_traverse, (void *)sim_traverse},
        {Py_tp_clear, (void *)sim_clear},
        {Py_tp_methods, methods},
        {Py_tp_getset, native_look_getset},
        {Py_tp_doc, NATIVE_TEXT("A sim of the library; carom.Sim is made of it.")},
        {0, NULL},
    };
    static PyType_Spec spec = {"carom._native.Sim", sizeof(struct native_sim), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
    native_sim_type = PyType_FromSpec(&spec);
    if (!native_sim_type)
        return false;
    Py_INCREF(native_sim_type);
    return PyModule_AddObject(module, "Sim", native_sim_type) == 0;
}
