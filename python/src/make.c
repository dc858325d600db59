/* Sims for Python: of a scene, given as a file or as text. */
#include "native.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct native_sim *native_sim_new(void)
{
    struct native_sim *sim = PyObject_GC_New(struct native_sim, (PyTypeObject *)native_sim_type);
    if (!sim)
        return NULL;
    memset((char *)sim + offsetof(struct native_sim, sim), 0, sizeof *sim - offsetof(struct native_sim, sim));
    sim->pid = (long)getpid();
    PyObject_GC_Track((PyObject *)sim);
    return sim;
}

/* a list of str as the library takes it; the texts are the list's */
static const char **texts(PyObject *list, size_t *count)
{
    const Py_ssize_t n = PyList_Size(list);
    const char **all = n >= 0 ? calloc((size_t)n + 1, sizeof *all) : NULL;
    if (!all)
        return n >= 0 ? (const char **)(void *)PyErr_NoMemory() : NULL;
    for (Py_ssize_t i = 0; i < n; i++)
        if (!(all[i] = native_text(PyList_GetItem(list, i))))
            return free((void *)all), NULL;
    *count = (size_t)n;
    return all;
}

/* what a sim of a scene is asked for */
struct wanted {
    const char *name, *text, *output; /* text NULL: `name` is a file */
    Py_ssize_t length;
    const char **set;
    size_t nset;
    int keep, resume; /* resume: `name` is a run file that is gone on with */
};

static bool settles(void *own, double done)
{
    return native_sim_go_on(own, done, "settling");
}

/* the library's part, without the GIL; reading a scene may open run files */
static bool build(struct native_sim *sim, const struct wanted *w, struct carom_error *error)
{
    const struct carom_progress progress = {settles, sim};
    const struct carom_scene_wish wish = {
        .progress = &progress, .laws = sim->kinds.laws, .functions = sim->kinds.functions};
    native_hdf5_take();
    struct carom_scene *scene =
        w->text ? carom_scene_parse_as(w->name, w->text, (size_t)w->length, w->set, w->nset, &wish, error)
                : carom_scene_read_as(w->name, w->set, w->nset, &wish, error);
    native_hdf5_give();
    sim->sim = carom_scene_sim(scene, error);
    carom_scene_free(scene);
    if (!sim->sim)
        return false;
    return w->resume ? native_sinks_resume(sim, w->keep, w->name, error)
                     : native_sinks_attach(sim, w->keep, w->output, error);
}

PyObject *native_sim_finish(struct native_sim *sim, bool good, const struct carom_error *error)
{
    if (sim->raised[0]) {
        PyErr_Restore(sim->raised[0], sim->raised[1], sim->raised[2]);
        sim->raised[0] = sim->raised[1] = sim->raised[2] = NULL;
        good = false;
    } else if (!good && !PyErr_Occurred()) {
        native_raise(error);
    }
    if (good) {
        native_sim_watch(sim);
        return (PyObject *)sim;
    }
    Py_DECREF(sim);
    return NULL;
}

PyObject *native_sim_of_scene(PyObject *module, PyObject *args, PyObject *keys)
{
    static const char *const names[] = {"name", "text", "set", "laws", "signals", "output", "keep", "resume", NULL};
    struct wanted w = {.keep = 1};
    struct carom_error error = {CAROM_OK, ""};
    PyObject *set, *laws, *signals;
    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, keys, "sz#O!O!O!zp|p", NATIVE_NAMES(names), &w.name, &w.text, &w.length,
                                     &PyList_Type, &set, &PyList_Type, &laws, &PyList_Type, &signals, &w.output,
                                     &w.keep, &w.resume))
        return NULL;
    struct native_sim *sim = native_sim_new();
    if (!sim || !(w.set = texts(set, &w.nset)) || !native_kinds_make(&sim->kinds, sim, laws, signals)) {
        free((void *)w.set);
        Py_XDECREF((PyObject *)sim);
        return NULL;
    }
    bool good;
    Py_BEGIN_ALLOW_THREADS good = build(sim, &w, &error);
    Py_END_ALLOW_THREADS free((void *)w.set);
    return native_sim_finish(sim, good, &error);
}
