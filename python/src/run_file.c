/* Run files in Python, through the library's own reader. What is asked for is read, and nothing else; every call holds
 * the lock around HDF5. */
#include "native.h"

#include <stdlib.h>

struct run_file {
    PyObject_HEAD struct carom_run_file *run; /* NULL: closed */
};

static void run_free(PyObject *self)
{
    struct run_file *file = (struct run_file *)self;
    PyTypeObject *type = Py_TYPE(self);
    Py_BEGIN_ALLOW_THREADS native_hdf5_take();
    carom_run_file_close(file->run);
    native_hdf5_give();
    Py_END_ALLOW_THREADS PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *run_new(PyTypeObject *type, PyObject *args, PyObject *keys)
{
    static const char *const names[] = {"path", NULL};
    const char *path;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_file *run;
    if (!PyArg_ParseTupleAndKeywords(args, keys, "s", NATIVE_NAMES(names), &path))
        return NULL;
    Py_BEGIN_ALLOW_THREADS native_hdf5_take();
    run = carom_run_file_open(path, &error);
    native_hdf5_give();
    Py_END_ALLOW_THREADS if (!run) return native_raise(&error);
    struct run_file *file = PyObject_New(struct run_file, type);
    if (!file) {
        carom_run_file_close(run);
        return NULL;
    }
    file->run = run;
    return (PyObject *)file;
}

/* `count` entries of `size` bytes, filled by one of the reader's functions */
enum what { TIMES, STEPS, ITEM, EVENTS, EPISODES, IMPACTS, FORCES, TOUCHES };

static enum carom_status fill(const struct carom_run_file *run, enum what what, const struct carom_run_item *item,
                              uint64_t n, void *to, struct carom_error *error)
{
    switch (what) {
    case TIMES:
        return carom_run_file_times(run, 0, n, to, error);
    case STEPS:
        return carom_run_file_steps(run, 0, n, to, error);
    case ITEM:
        return carom_run_file_read(run, item, 0, n, to, error);
    case EVENTS:
        return carom_run_file_events(run, 0, n, to, error);
    case EPISODES:
        return carom_run_file_episodes(run, 0, n, to, error);
    case IMPACTS:
        return carom_run_file_blows(run, 0, n, to, error);
    case FORCES:
        return carom_run_file_forces(run, 0, n, to, error);
    default:
        return carom_run_file_touches(run, 0, n, to, error);
    }
}

static PyObject *load(PyObject *self, enum what what, const struct carom_run_item *item, uint64_t n,
                      const struct native_shape *shape)
{
    const struct carom_run_file *run = ((struct run_file *)self)->run;
    struct carom_error error = {CAROM_OK, ""};
    const size_t row = shape->rank == 2 ? shape->stride[0] : shape->size;
    enum carom_status status;
    void *data = row == 0 || n < SIZE_MAX / row ? malloc((size_t)n * row + 1) : NULL;
    if (!data)
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS native_hdf5_take();
    status = n > 0 ? fill(run, what, item, n, data, &error) : CAROM_OK;
    native_hdf5_give();
    Py_END_ALLOW_THREADS if (status != CAROM_OK) return free(data), native_raise(&error);
    return native_block(NULL, data, shape);
}

static PyObject *column(PyObject *self, enum what what, uint64_t n, const char *type)
{
    const struct native_shape shape = {
        .type = type, .size = 8, .rank = 1, .count = {(size_t)n}, .stride = {8}, .writable = true};
    return load(self, what, NULL, n, &shape);
}

static PyObject *records(PyObject *self, enum what what, uint64_t n, const struct native_field *field, size_t size)
{
    const struct native_shape shape = {
        .field = field, .size = size, .rank = 1, .count = {(size_t)n}, .stride = {size}, .writable = true};
    return load(self, what, NULL, n, &shape);
}

static struct carom_run_about about_of(PyObject *self)
{
    struct carom_run_about about;
    carom_run_about(((struct run_file *)self)->run, &about);
    return about;
}

static PyObject *run_table(PyObject *self, PyObject *name)
{
    const char *word = native_text(name);
    const struct carom_run_about a = about_of(self);
    if (!word)
        return NULL;
    if (strcmp(word, "time") == 0)
        return column(self, TIMES, a.rows, "<f8");
    if (strcmp(word, "step") == 0)
        return column(self, STEPS, a.rows, "<u8");
    if (strcmp(word, "events") == 0)
        return records(self, EVENTS, a.events, native_event_fields, sizeof(struct carom_event));
    if (strcmp(word, "episodes") == 0)
        return records(self, EPISODES, a.episodes, native_episode_fields, sizeof(struct carom_episode));
    if (strcmp(word, "impacts") == 0)
        return records(self, IMPACTS, a.impacts, native_blow_fields, sizeof(struct carom_blow));
    if (strcmp(word, "impact_forces") == 0)
        return records(self, FORCES, a.forces, native_force_fields, sizeof(struct carom_blow_force));
    if (strcmp(word, "touches") == 0)
        return records(self, TOUCHES, a.touches, native_touch_fields, sizeof(struct carom_touch));
    const struct carom_run_item *item = carom_run_file_item(((struct run_file *)self)->run, word);
    if (!item)
        return PyErr_Format(PyExc_KeyError, "%s", word);
    const struct native_shape shape = {.type = "<f8",
                                       .size = 8,
                                       .rank = 2,
                                       .count = {(size_t)a.rows, item->width},
                                       .stride = {item->width * sizeof(double), sizeof(double)},
                                       .writable = true};
    return load(self, ITEM, item, a.rows, &shape);
}

/* where the contacts of each sample begin among the lines of "touches", and, last, where they end */
static PyObject *run_first(PyObject *self, PyObject *unused)
{
    (void)unused;
    const struct carom_run_about a = about_of(self);
    struct carom_error error = {CAROM_OK, ""};
    enum carom_status status = CAROM_OK;
    size_t n = (size_t)a.rows;
    uint64_t *first = calloc(n + 1, sizeof *first), count = 0;
    if (!first)
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS native_hdf5_take();
    if (a.touches == 0 && n > 0 && /* nobody ever touched, or they were not recorded */
        carom_run_file_touching(((struct run_file *)self)->run, 0, first, &count, NULL) != CAROM_OK)
        n = 0;
    for (size_t i = 0; i < n && status == CAROM_OK; i++)
        status = carom_run_file_touching(((struct run_file *)self)->run, i, &first[i], &count, &error);
    native_hdf5_give();
    Py_END_ALLOW_THREADS if (status != CAROM_OK) return free(first), native_raise(&error);
    first[n] = n > 0 ? first[n - 1] + count : 0;
    return native_block_row(NULL, first, n > 0 ? n + 1 : 0, "<u8", true);
}

/* which cells the columns of a solid's items are, from 0; None: all there are, in order */
static PyObject *run_cells(PyObject *self, PyObject *part)
{
    const struct carom_run_file *run = ((struct run_file *)self)->run;
    const char *name = native_text(part);
    uint64_t *cell = NULL;
    size_t n = 0;
    if (!name)
        return NULL;
    Py_BEGIN_ALLOW_THREADS native_hdf5_take();
    n = carom_run_items_cells(run, name, NULL, 0);
    cell = n > 0 ? calloc(n, sizeof *cell) : NULL;
    n = cell ? carom_run_items_cells(run, name, cell, n) : 0;
    native_hdf5_give();
    Py_END_ALLOW_THREADS if (n > 0) return native_block_row(NULL, cell, n, "<u8", true);
    free(cell);
    Py_RETURN_NONE;
}

static PyObject *items_of(const struct carom_run_about *a)
{
    PyObject *all = PyList_New((Py_ssize_t)a->nitems);
    for (size_t i = 0; all && i < a->nitems; i++) {
        const struct carom_run_item *item = &a->item[i];
        PyObject *one = Py_BuildValue("(sssinnn)", item->name, item->path, item->unit, (int)item->extent, (Py_ssize_t)0,
                                      (Py_ssize_t)item->width, (Py_ssize_t)item->depth);
        if (!one || PyList_SetItem(all, (Py_ssize_t)i, one) != 0)
            Py_CLEAR(all);
    }
    return all;
}

static PyObject *text(const char *bytes)
{
    return PyUnicode_DecodeUTF8(bytes ? bytes : "", bytes ? (Py_ssize_t)strlen(bytes) : 0, "replace");
}

static PyObject *run_about(PyObject *self, PyObject *unused)
{
    (void)unused;
    const struct carom_run_about a = about_of(self);
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:K,s:(ddd),s:d,s:d,s:N,s:O,s:N,s:N,s:O,s:O,s:K,s:N,s:d,s:d}", "title",
        text(a.title), "scene", text(a.scene), "set", text(a.set), "units", text(a.units), "command", text(a.command),
        "scheme", text(a.scheme), "version", text(a.version), "seed", (unsigned long long)a.seed, "scales",
        a.scales.speed, a.scales.length, a.scales.contact_time, "tol", a.tol, "estimate", a.estimate, "counts",
        native_look_counts(&a.counts), "complete", a.complete ? Py_True : Py_False, "channels", items_of(&a), "pairs",
        native_look_pairs(a.pair, a.nc), "row", a.row ? Py_True : Py_False, "listed", a.listed ? Py_True : Py_False,
        "left_out", (unsigned long long)a.left_out, "ends", text(a.ends), "changes", a.changes, "changed", a.changed);
}

static PyMethodDef methods[] = {
    {"about", run_about, METH_NOARGS, "what the file says of itself"},
    {"table", run_table, METH_O, "a recorded item, or time, step, events, episodes, impacts, ..."},
    {"first", run_first, METH_NOARGS, "where each sample's contacts begin in the table touches"},
    {"cells", run_cells, METH_O, "which cells of a part were recorded"},
    {NULL, NULL, 0, NULL},
};

bool native_run_file_ready(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_new, (void *)run_new},
        {Py_tp_dealloc, (void *)run_free},
        {Py_tp_methods, methods},
        {Py_tp_doc, NATIVE_TEXT("An open run file; carom.open makes a carom.Run of it.")},
        {0, NULL},
    };
    static PyType_Spec spec = {"carom._native.RunFile", sizeof(struct run_file), 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *type = PyType_FromSpec(&spec);
    return type && PyModule_AddObject(module, "RunFile", type) == 0;
}
