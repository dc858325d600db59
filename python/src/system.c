/* Systems of one's own in Python: M(q) v' = F(t, q, v) + G lambda with distances g(t, q), each a Python function of
 * plain numbers and tuples, or all of them addresses of compiled functions of struct carom_mechanism. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

struct system {
    struct native_sim *sim; /* that holds the functions' exceptions; not owned */
    size_t n;
    PyObject *mass, *force, *stored, *power, *distances; /* of sim->functions; distances: a list */
};

/* --- calls into Python -------------------------------------------------------------------------------------------- */

static PyObject *tuple_of(const double *x, size_t n)
{
    PyObject *all = PyTuple_New((Py_ssize_t)n);
    for (size_t i = 0; all && i < n; i++) {
        PyObject *one = PyFloat_FromDouble(x[i]);
        if (!one || PyTuple_SetItem(all, (Py_ssize_t)i, one) != 0)
            Py_CLEAR(all);
    }
    return all;
}

static bool is_row(PyObject *x)
{
    return PySequence_Check(x) && !PyUnicode_Check(x);
}

/* numbers out of any sequence, row by row where its entries are sequences, `depth` deep at most; false: an exception */
static bool numbers_of(PyObject *from, size_t count, int depth, double *out)
{
    const Py_ssize_t size = PySequence_Check(from) ? PySequence_Size(from) : 0;
    if (PyErr_Occurred())
        return false;
    if (size <= 0 || count % (size_t)size != 0 || (depth == 1 && (size_t)size != count)) {
        PyErr_Format(PyExc_ValueError, "%zu numbers are needed here, not %R", count, from);
        return false;
    }
    const size_t each = count / (size_t)size;
    bool good = true;
    for (Py_ssize_t i = 0; good && i < size; i++) {
        PyObject *one = PySequence_GetItem(from, i);
        if (one && depth > 1 && (each > 1 || is_row(one)))
            good = numbers_of(one, each, depth - 1, out + (size_t)i * each);
        else if (one)
            good = (out[i] = PyFloat_AsDouble(one), !PyErr_Occurred());
        good = good && one;
        Py_XDECREF(one);
    }
    return good;
}

/* calls function(t, q, v), of which those that are NULL are left out, and reads `count` numbers */
static void ask(const struct system *s, PyObject *function, const double *t, const double *q, const double *v,
                size_t count, double *out)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *args = PyTuple_New((t != NULL) + 1 + (v != NULL)), *answer = NULL;
    Py_ssize_t k = 0;
    bool good = args && !s->sim->broken;
    if (good && t)
        good = PyTuple_SetItem(args, k++, PyFloat_FromDouble(*t)) == 0;
    if (good)
        good = PyTuple_SetItem(args, k++, tuple_of(q, s->n)) == 0;
    if (good && v)
        good = PyTuple_SetItem(args, k, tuple_of(v, s->n)) == 0;
    if (good && !PyErr_Occurred())
        answer = PyObject_CallObject(function, args);
    good = answer != NULL;
    if (good && count == 1 && !PySequence_Check(answer))
        good = (out[0] = PyFloat_AsDouble(answer), !PyErr_Occurred());
    else if (good)
        good = numbers_of(answer, count, 2, out);
    if (!good) {
        if (PyErr_Occurred())
            native_sim_keep(s->sim);
        s->sim->broken = true;
        for (size_t i = 0; i < count; i++)
            out[i] = (double)NAN;
    }
    Py_XDECREF(answer);
    Py_XDECREF(args);
    PyGILState_Release(state);
}

static void mass(const void *own, const double *q, double *m)
{
    const struct system *s = own;
    ask(s, s->mass, NULL, q, NULL, s->n * s->n, m);
}

static void force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct system *s = own;
    ask(s, s->force, &t, q, v, s->n, f);
}

static double distance(const void *own, size_t i, double t, const double *q)
{
    const struct system *s = own;
    double value;
    ask(s, PyList_GetItem(s->distances, (Py_ssize_t)i), &t, q, NULL, 1, &value);
    return value;
}

static double stored(const void *own, double t, const double *q)
{
    const struct system *s = own;
    double value;
    ask(s, s->stored, &t, q, NULL, 1, &value);
    return value;
}

static void power(const void *own, double t, const double *q, const double *v, double *dissipated, double *work)
{
    const struct system *s = own;
    double both[2];
    ask(s, s->power, &t, q, v, 2, both);
    *dissipated = both[0];
    *work = both[1];
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* what Python hands over: see carom.System */
struct wanted {
    PyObject *functions, *q, *v, *columns, *probes, *options;
    const char *law, *scheme, *output;
    Py_ssize_t n, ndistances;
    double until, every;
    int ending, constant, keep;
};

static PyObject *function_of(PyObject *all, const char *name)
{
    PyObject *one = PyDict_GetItemString(all, name);
    return one == Py_None ? NULL : one;
}

static struct system *python_system(struct native_sim *sim, const struct wanted *w, struct carom_mechanism *m)
{
    struct system *s = calloc(1, sizeof *s);
    if (!s)
        return (struct system *)(void *)PyErr_NoMemory();
    *s = (struct system){sim,
                         (size_t)w->n,
                         function_of(w->functions, "mass"),
                         function_of(w->functions, "force"),
                         function_of(w->functions, "stored"),
                         function_of(w->functions, "power"),
                         function_of(w->functions, "distances")};
    m->own = s;
    m->mass = mass;
    m->force = s->force ? force : NULL;
    m->stored = s->stored ? stored : NULL;
    m->power = s->power ? power : NULL;
    m->distance = distance;
    m->release = free;
    Py_INCREF(w->functions);
    sim->functions = w->functions;
    return s;
}

static bool pointer(PyObject *all, const char *name, void *to)
{
    PyObject *one = PyDict_GetItemString(all, name);
    void *address = one && one != Py_None ? PyLong_AsVoidPtr(one) : NULL;
    memcpy(to, &address, sizeof address);
    return !PyErr_Occurred();
}

/* addresses of C functions, and of what they are handed */
static bool compiled_system(const struct wanted *w, struct carom_mechanism *m)
{
    return pointer(w->functions, "mass", &m->mass) && pointer(w->functions, "force", &m->force) &&
           pointer(w->functions, "distance", &m->distance) && pointer(w->functions, "slope", &m->slope) &&
           pointer(w->functions, "stored", &m->stored) && pointer(w->functions, "power", &m->power) &&
           pointer(w->functions, "own", &m->own);
}

static const struct carom_law *law_named(const struct native_sim *sim, const char *name)
{
    for (size_t i = 0; i < sim->kinds.nlaws; i++)
        if (strcmp(sim->kinds.laws[i]->kind.name, name) == 0)
            return sim->kinds.laws[i];
    for (size_t i = 0; carom_kinds_laws[i]; i++)
        if (strcmp(carom_kinds_laws[i]->kind.name, name) == 0)
            return carom_kinds_laws[i];
    PyErr_Format(PyExc_ValueError, "there is no law %s", name);
    return NULL;
}

static const struct carom_scheme *scheme_named(const char *name)
{
    for (size_t i = 0; carom_kinds_schemes[i]; i++)
        if (strcmp(carom_kinds_schemes[i]->kind.name, name) == 0)
            return carom_kinds_schemes[i];
    PyErr_Format(PyExc_ValueError, "there is no scheme %s", name);
    return NULL;
}

static bool no_parameter(const struct carom_law *law, const char *name)
{
    struct carom_error error = {CAROM_OK, ""};
    const char *names[CAROM_LAW_WIDTH];
    const size_t count = carom_param_count(law->kind.params);
    for (size_t i = 0; i < count; i++)
        names[i] = law->kind.params[i].name;
    const char *near = carom_param_nearest(name, names, count);
    carom_error_set(&error, CAROM_E_INPUT, "law %s has no parameter '%s'%s%s%s", law->kind.name, name,
                    near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    return native_raise(&error) != NULL;
}

/* columns of parameters by name: a list of numbers for each */
static bool read_columns(const struct carom_law *law, PyObject *from, size_t n, double *room, const double **columns)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(from, &at, &key, &value)) {
        const char *name = native_text(key);
        if (!name || !carom_param_find(law->kind.params, name))
            return name && no_parameter(law, name);
    }
    for (size_t i = 0; i < carom_param_count(law->kind.params); i++) {
        PyObject *one = PyDict_GetItemString(from, law->kind.params[i].name);
        columns[i] = one ? room + i * n : NULL;
        if (one && n > 0 && !numbers_of(one, n, 1, room + i * n))
            return false;
    }
    return true;
}

static void *read_options(const struct carom_scheme *scheme, PyObject *from, struct carom_error *error)
{
    void *options = carom_options_create(&scheme->kind);
    PyObject *name, *value;
    Py_ssize_t at = 0;
    while (options && PyDict_Next(from, &at, &name, &value)) {
        const char *key = native_text(name);
        const char *word = PyUnicode_Check(value) ? native_text(value) : NULL;
        const double real = word ? 0.0 : PyFloat_AsDouble(value);
        const bool good = !PyErr_Occurred() && key &&
                          (word ? carom_options_choose(&scheme->kind, options, key, word, error)
                                : carom_options_set(&scheme->kind, options, key, real, error)) == CAROM_OK;
        if (!good) {
            carom_options_free(options);
            options = NULL;
        }
    }
    return options;
}

static struct carom_model *make_model(const struct native_sim *sim, const struct wanted *w,
                                      const struct carom_mechanism *m, const struct carom_law *law, const double *start,
                                      const double *const *columns, struct carom_error *error)
{
    const size_t n = (size_t)w->n, nc = (size_t)w->ndistances;
    struct carom_model *model = carom_model_create();
    int32_t(*pair)[2] = calloc(nc + 1, sizeof *pair);
    double *gap = calloc(nc + 1, sizeof *gap);
    bool good = pair && gap;
    for (size_t i = 0; good && i < nc; i++)
        pair[i][0] = CAROM_WALL_LEFT, pair[i][1] = (int32_t)i;
    void *part = carom_mechanism_create(m, start, start + n, error);
    good = carom_model_add(model, &carom_part_mechanism, part, error) == CAROM_OK && good && !sim->broken;
    good = good && (nc == 0 || carom_model_join(model, law, (enum carom_ending)w->ending, nc, (const int32_t(*)[2])pair,
                                                gap, columns, error) == CAROM_OK);
    good = good && carom_model_finish(model, error) == CAROM_OK;
    free(pair);
    free(gap);
    if (good)
        return model;
    carom_model_free(model);
    return NULL;
}

/* --- the sim ------------------------------------------------------------------------------------------------------ */

static const char **names_of(PyObject *list, size_t *count)
{
    const Py_ssize_t n = PyList_Size(list);
    const char **all = calloc((size_t)(n > 0 ? n : 0) + 1, sizeof *all);
    for (Py_ssize_t i = 0; all && i < n; i++)
        all[i] = native_text(PyList_GetItem(list, i));
    *count = (size_t)(n > 0 ? n : 0);
    return all;
}

static bool build(struct native_sim *sim, const struct wanted *w, struct carom_model *model,
                  const struct carom_scheme *scheme, void *options, const double *start, struct carom_error *error)
{
    size_t nprobes;
    const char **probes = names_of(w->probes, &nprobes);
    const struct carom_schedule schedule = {.every = w->every, .events = true, .episodes = 100000};
    struct carom_recorder *recorder =
        model && probes && !PyErr_Occurred() ? carom_recorder_create(model, probes, nprobes, &schedule, error) : NULL;
    free((void *)probes);
    if (!recorder) {
        carom_model_free(model);
        carom_options_free(options);
        return false;
    }
    const struct carom_setup setup = {.model = model,
                                      .scheme = scheme,
                                      .options = options,
                                      .q = start,
                                      .v = start + w->n,
                                      .until = w->until,
                                      .threads = 1,
                                      .recorder = recorder,
                                      .origin = {.title = "a system of one's own", .units = "none"}};
    sim->sim = carom_sim_create(&setup, error);
    return sim->sim && native_sinks_attach(sim, w->keep, w->output, error);
}

static bool make(struct native_sim *sim, const struct wanted *w, struct carom_error *error)
{
    const struct carom_law *law = law_named(sim, w->law);
    const struct carom_scheme *scheme = law ? scheme_named(w->scheme) : NULL;
    const size_t n = (size_t)w->n, nc = (size_t)w->ndistances;
    double *start = calloc(2 * n + CAROM_LAW_WIDTH * nc + 1, sizeof *start);
    const double *columns[CAROM_LAW_WIDTH] = {NULL};
    struct carom_mechanism m = {
        .name = "system", .n = n, .ndistances = nc, .constant_mass = w->constant, .velocity_terms = false};
    bool good = scheme && start && numbers_of(w->q, n, 1, start) && numbers_of(w->v, n, 1, start + n) &&
                read_columns(law, w->columns, nc, start + 2 * n, columns);
    PyObject *address = PyDict_GetItemString(w->functions, "mass");
    good = good && (address && PyLong_Check(address) ? compiled_system(w, &m) : python_system(sim, w, &m) != NULL);
    void *options = good ? read_options(scheme, w->options, error) : NULL;
    if (good && !options && m.release)
        m.release(m.own);
    struct carom_model *model = options ? make_model(sim, w, &m, law, start, columns, error) : NULL;
    if (options && !model)
        carom_options_free(options);
    good = model && build(sim, w, model, scheme, options, start, error);
    free(start);
    return good;
}

PyObject *native_sim_of_system(PyObject *module, PyObject *args, PyObject *keys)
{
    static const char *const names[] = {"n",       "ndistances", "functions", "q",       "v",     "law",
                                        "columns", "ending",     "scheme",    "options", "until", "every",
                                        "probes",  "constant",   "laws",      "output",  "keep",  NULL};
    struct wanted w = {0};
    struct carom_error error = {CAROM_OK, ""};
    PyObject *laws, *signals = PyList_New(0);
    (void)module;
    if (!signals ||
        !PyArg_ParseTupleAndKeywords(args, keys, "nnO!OOsO!isO!ddO!pO!zp", NATIVE_NAMES(names), &w.n, &w.ndistances,
                                     &PyDict_Type, &w.functions, &w.q, &w.v, &w.law, &PyDict_Type, &w.columns,
                                     &w.ending, &w.scheme, &PyDict_Type, &w.options, &w.until, &w.every, &PyList_Type,
                                     &w.probes, &w.constant, &PyList_Type, &laws, &w.output, &w.keep)) {
        Py_XDECREF(signals);
        return NULL;
    }
    if (w.n < 1 || w.n > CAROM_MECHANISM_WIDTH || w.ndistances < 0)
        return PyErr_Format(PyExc_ValueError, "a system has 1 to %d coordinates", CAROM_MECHANISM_WIDTH);
    struct native_sim *sim = native_sim_new();
    const bool good = sim && native_kinds_make(&sim->kinds, sim, laws, signals) && make(sim, &w, &error);
    Py_DECREF(signals);
    return sim ? native_sim_finish(sim, good, &error) : NULL;
}
