/* Contact laws and signals of one's own: Python functions of plain numbers, or addresses of compiled ones. What a law
 * does not say is worked out from what it does: slopes by differences, energies and impulses by Gauss' rule. A Python
 * function that raises gives NaN from then on, and its exception leaves the call into the library. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

/* --- functions ---------------------------------------------------------------------------------------------------- */

/* Reads a function out of a dict: a callable, an address, or none. */
static bool read_function(struct native_function *function, PyObject *from, const char *key, bool required)
{
    PyObject *value = PyDict_GetItemString(from, key); /* borrowed */
    if (!value || value == Py_None) {
        if (required)
            PyErr_Format(PyExc_ValueError, "'%s' must be a function or the address of one", key);
        return !required;
    }
    function->there = true;
    if (PyCallable_Check(value)) {
        Py_INCREF(value);
        function->call = value;
        return true;
    }
    void *address = PyLong_Check(value) ? PyLong_AsVoidPtr(value) : NULL;
    if (!address && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "'%s' must be a function or the address of one", key);
    memcpy(&function->pointer, &address, sizeof address);
    return address != NULL && !PyErr_Occurred();
}

static double raised(struct native_sim *sim)
{
    native_sim_keep(sim);
    sim->broken = true;
    return (double)NAN;
}

/* a Python function of a number and, behind it, `count` more; with the GIL */
static double call(struct native_sim *sim, PyObject *function, double x, const double *more, size_t count)
{
    if (sim->broken)
        return (double)NAN;
    PyObject *args = PyTuple_New(1 + (Py_ssize_t)count);
    bool good = args != NULL;
    for (size_t i = 0; good && i < 1 + count; i++) {
        PyObject *number = PyFloat_FromDouble(i == 0 ? x : more[i - 1]);
        good = number && PyTuple_SetItem(args, (Py_ssize_t)i, number) == 0; /* takes the number */
    }
    PyObject *answer = good ? PyObject_CallObject(function, args) : NULL;
    Py_XDECREF(args);
    const double value = answer ? PyFloat_AsDouble(answer) : 0.0;
    Py_XDECREF(answer);
    sim->odd = sim->odd || (isnan(value) && !isnan(x));
    return answer && !PyErr_Occurred() ? value : raised(sim);
}

/* --- laws --------------------------------------------------------------------------------------------------------- */

static double at(const struct native_law *own, const struct native_function *f, double d, const double *param)
{
    return f->call ? call(own->sim, f->call, d, param, own->count) : f->pointer.of_deform(d, param);
}

static double slope_of(const struct native_law *own, const struct native_function *f, double d, const double *param)
{
    const double h = 1e-5 * d; /* d > 0: no look behind first touch */
    return (at(own, f, d + h, param) - at(own, f, d - h, param)) / (2.0 * h);
}

/* the integral from 0 to d; with d s^4 for the overlap, so that roots at first touch do no harm */
static double integral_of(const struct native_law *own, const struct native_function *f, double d, const double *param)
{
    static const double node[4] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674, 0.96028985649753623};
    static const double weight[4] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                                     0.10122853629037626};
    double sum = 0.0;
    for (int i = 0; i < 8; i++) {
        const double s = 0.5 + (i < 4 ? -0.5 : 0.5) * node[i % 4];
        sum += weight[i % 4] * s * s * s * at(own, f, s * s * s * s * d, param);
    }
    return 2.0 * sum * d;
}

static double drag_at(const struct native_law *own, double d, const double *param)
{
    if (own->drag.there)
        return at(own, &own->drag, d, param);
    return own->viscous.there ? slope_of(own, &own->viscous, d, param) : 0.0;
}

static double viscous_at(const struct native_law *own, double d, const double *param)
{
    if (own->viscous.there)
        return at(own, &own->viscous, d, param);
    return own->drag.there ? integral_of(own, &own->drag, d, param) : 0.0;
}

static void respond(const struct native_law *own, const struct carom_batch *b, size_t j, double d, const double *param)
{
    if (b->elastic)
        b->elastic[j] = at(own, &own->elastic, d, param);
    if (b->slope)
        b->slope[j] = own->slope.there ? at(own, &own->slope, d, param) : slope_of(own, &own->elastic, d, param);
    if (b->energy)
        b->energy[j] = own->energy.there ? at(own, &own->energy, d, param) : integral_of(own, &own->elastic, d, param);
    if (b->viscous)
        b->viscous[j] = viscous_at(own, d, param);
    const double drag = b->drag || (b->power && b->rate) ? drag_at(own, d, param) : 0.0;
    if (b->drag)
        b->drag[j] = drag;
    if (b->power)
        b->power[j] = b->rate ? drag * b->rate[j] * b->rate[j] : 0.0;
}

static void open_contact(const struct carom_batch *b, size_t j)
{
    double *const all[] = {b->elastic, b->slope, b->energy, b->viscous, b->drag, b->power};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i])
            all[i][j] = 0.0;
}

static void evaluate_all(const struct native_law *own, const struct carom_batch *b)
{
    for (size_t j = 0; j < b->n; j++) {
        double param[CAROM_LAW_WIDTH];
        for (size_t i = 0; i < own->count; i++)
            param[i] = b->param[i][j];
        if (b->deform[j] > 0.0)
            respond(own, b, j, b->deform[j], param);
        else
            open_contact(b, j);
    }
}

/* damped, but not by a time that multiplies d(elastic)/dt */
static double no_viscous_time(const double *const *param, size_t j)
{
    (void)param;
    (void)j;
    return -1.0;
}

static bool is_python(const struct native_law *own)
{
    return own->elastic.call || own->slope.call || own->energy.call || own->viscous.call || own->drag.call;
}

static void evaluate_compiled(const struct carom_batch *b)
{
    evaluate_all((const struct native_law *)(uintptr_t)b->law, b);
}

/* contacts that are open need no Python, and so no GIL */
static void evaluate(const struct carom_batch *b)
{
    bool closed = false;
    for (size_t j = 0; j < b->n; j++)
        closed |= b->deform[j] > 0.0;
    if (!closed) {
        for (size_t j = 0; j < b->n; j++)
            open_contact(b, j);
        return;
    }
    const PyGILState_STATE state = PyGILState_Ensure();
    evaluate_compiled(b);
    PyGILState_Release(state);
}

/* --- reading laws ------------------------------------------------------------------------------------------------- */

/* copies a text behind those before it */
static const char *keep(char **end, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *at = memcpy(*end, text, size);
    *end += size;
    return at;
}

/* parameters come as (name, default, unit, text, low, high) */
static bool read_params(struct native_law *own, PyObject *params, char **end)
{
    for (size_t i = 0; i < own->count; i++) {
        PyObject *one = PySequence_GetItem(params, (Py_ssize_t)i);
        const char *name, *unit, *text;
        double standard, low, high;
        const bool good = one && PyArg_ParseTuple(one, "sdssdd", &name, &standard, &unit, &text, &low, &high);
        if (good)
            own->table[i] = (struct carom_param){
                keep(end, name), CAROM_REAL, i * sizeof(double), standard, low, high, keep(end, unit),
                keep(end, text), NULL};
        Py_XDECREF(one);
        if (!good)
            return false;
    }
    return true;
}

static size_t texts_of(PyObject *params)
{
    size_t room = 0;
    for (Py_ssize_t i = 0; i < PySequence_Size(params); i++) {
        PyObject *one = PySequence_GetItem(params, i), *shown = one ? PyObject_Str(one) : NULL;
        const char *text = shown ? native_text(shown) : NULL;
        room += text ? strlen(text) + 8 : 0;
        Py_XDECREF(shown);
        Py_XDECREF(one);
    }
    return room;
}

static bool read_functions(struct native_law *own, PyObject *from)
{
    PyObject *batch = PyDict_GetItemString(from, "evaluate"), *damped = PyDict_GetItemString(from, "damped");
    own->law.viscous_time = damped == Py_True ? no_viscous_time : NULL;
    if (batch && batch != Py_None) { /* C's own interface: struct carom_batch */
        void *address = PyLong_Check(batch) ? PyLong_AsVoidPtr(batch) : NULL;
        memcpy(&own->law.evaluate, &address, sizeof address);
        if (!address && !PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "'evaluate' must be the address of a compiled function");
        return address != NULL;
    }
    const bool good =
        read_function(&own->elastic, from, "elastic", true) && read_function(&own->slope, from, "slope", false) &&
        read_function(&own->energy, from, "energy", false) && read_function(&own->viscous, from, "viscous", false) &&
        read_function(&own->drag, from, "drag", false);
    own->law.evaluate = is_python(own) ? evaluate : evaluate_compiled;
    return good;
}

static bool read_law(struct native_law *own, struct native_sim *sim, PyObject *from)
{
    PyObject *name = PyDict_GetItemString(from, "name"), *params = PyDict_GetItemString(from, "params");
    PyObject *history = PyDict_GetItemString(from, "history");
    const char *called = name ? native_text(name) : NULL;
    if (!called || !params || !history)
        return false;
    own->sim = sim;
    own->count = (size_t)PySequence_Size(params);
    own->law.nh = PyLong_AsSize_t(history);
    if (PyErr_Occurred())
        return false;
    if (own->count > CAROM_LAW_WIDTH || own->law.nh > CAROM_LAW_WIDTH) {
        PyErr_Format(PyExc_ValueError, "a law has at most %d parameters and history numbers", CAROM_LAW_WIDTH);
        return false;
    }
    own->table = calloc(own->count + 1, sizeof *own->table);
    char *end = own->text = calloc(1, strlen(called) + 1 + texts_of(params));
    if (!own->table || !end)
        return PyErr_NoMemory(), false;
    own->law.kind =
        (struct carom_kind){keep(&end, called), "a law of one's own", own->table, own->count * sizeof(double)};
    own->law.kind.params = own->count > 0 ? own->table : NULL;
    return read_params(own, params, &end) && read_functions(own, from);
}

/* --- signals ------------------------------------------------------------------------------------------------------ */

static double of_time(const struct native_signal *own, const struct native_function *f, double t)
{
    if (!f->call)
        return f->pointer.of_time(t);
    const PyGILState_STATE state = PyGILState_Ensure();
    const double value = call(own->sim, f->call, t, NULL, 0);
    PyGILState_Release(state);
    return value;
}

static double signal_value(const struct carom_function *function, double t)
{
    const struct native_signal *own = (const struct native_signal *)function;
    return of_time(own, &own->value, t);
}

/* differences keep to one side of a break: the right one */
static double signal_rate(const struct carom_function *function, double t)
{
    const struct native_signal *own = (const struct native_signal *)function;
    if (own->rate.there)
        return of_time(own, &own->rate, t);
    const double h = 1e-5 * function->largest / function->fastest;
    double before = h, after = h;
    for (size_t i = 0; i < function->nbreaks; i++) {
        before = function->breaks[i] > t - h && function->breaks[i] <= t ? 0.0 : before;
        after = function->breaks[i] > t && function->breaks[i] <= t + h ? 0.5 * (function->breaks[i] - t) : after;
    }
    return (of_time(own, &own->value, t + after) - of_time(own, &own->value, t - before)) / (before + after);
}

static bool read_breaks(struct native_signal *own, PyObject *breaks)
{
    const Py_ssize_t count = PySequence_Size(breaks);
    if (count < 0 || !(own->breaks = calloc((size_t)count + 1, sizeof *own->breaks)))
        return count < 0 ? false : (PyErr_NoMemory(), false);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *one = PySequence_GetItem(breaks, i);
        own->breaks[i] = one ? PyFloat_AsDouble(one) : 0.0;
        Py_XDECREF(one);
        if (PyErr_Occurred())
            return false;
    }
    own->function.nbreaks = (size_t)count;
    own->function.breaks = own->breaks;
    return true;
}

static double real(PyObject *from, const char *key)
{
    PyObject *value = PyDict_GetItemString(from, key);
    return value ? PyFloat_AsDouble(value) : 0.0;
}

static bool read_signal(struct native_signal *own, struct native_sim *sim, PyObject *from)
{
    PyObject *name = PyDict_GetItemString(from, "name"), *breaks = PyDict_GetItemString(from, "breaks");
    const char *called = name ? native_text(name) : NULL;
    if (!called || !breaks)
        return false;
    own->sim = sim;
    char *end = own->text = calloc(1, strlen(called) + 1);
    if (!end)
        return PyErr_NoMemory(), false;
    own->function = (struct carom_function){.kind = {.name = keep(&end, called), .text = "a signal of one's own"},
                                            .value = signal_value,
                                            .rate = signal_rate,
                                            .largest = real(from, "largest"),
                                            .fastest = real(from, "fastest")};
    return !PyErr_Occurred() && read_function(&own->value, from, "value", true) &&
           read_function(&own->rate, from, "rate", false) && read_breaks(own, breaks);
}

/* --- all of a sim ------------------------------------------------------------------------------------------------- */

bool native_kinds_make(struct native_kinds *kinds, struct native_sim *sim, PyObject *laws, PyObject *signals)
{
    const Py_ssize_t nlaws = PyList_Size(laws), nsignals = PyList_Size(signals);
    if (nlaws < 0 || nsignals < 0)
        return false;
    kinds->law = calloc((size_t)nlaws + 1, sizeof *kinds->law);
    kinds->signal = calloc((size_t)nsignals + 1, sizeof *kinds->signal);
    kinds->laws = calloc((size_t)nlaws + 1, sizeof *kinds->laws);
    kinds->functions = calloc((size_t)nsignals + 1, sizeof *kinds->functions);
    if (!kinds->law || !kinds->signal || !kinds->laws || !kinds->functions)
        return PyErr_NoMemory(), false;
    bool good = true;
    for (Py_ssize_t i = 0; good && i < nlaws; i++) {
        kinds->nlaws++;
        kinds->laws[i] = &kinds->law[i].law;
        good = read_law(&kinds->law[i], sim, PyList_GetItem(laws, i));
    }
    for (Py_ssize_t i = 0; good && i < nsignals; i++) {
        kinds->nsignals++;
        kinds->functions[i] = &kinds->signal[i].function;
        good = read_signal(&kinds->signal[i], sim, PyList_GetItem(signals, i));
    }
    return good;
}

void native_kinds_drop(struct native_kinds *kinds)
{
    for (size_t i = 0; i < kinds->nlaws; i++) {
        struct native_law *law = &kinds->law[i];
        struct native_function *const all[] = {&law->elastic, &law->slope, &law->energy, &law->viscous, &law->drag};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            Py_CLEAR(all[k]->call);
    }
    for (size_t i = 0; i < kinds->nsignals; i++) {
        Py_CLEAR(kinds->signal[i].value.call);
        Py_CLEAR(kinds->signal[i].rate.call);
    }
}

void native_kinds_free(struct native_kinds *kinds)
{
    native_kinds_drop(kinds);
    for (size_t i = 0; i < kinds->nlaws; i++) {
        free(kinds->law[i].text);
        free(kinds->law[i].table);
    }
    for (size_t i = 0; i < kinds->nsignals; i++) {
        free(kinds->signal[i].text);
        free(kinds->signal[i].breaks);
    }
    free(kinds->law);
    free(kinds->signal);
    free((void *)kinds->laws);
    free((void *)kinds->functions);
    *kinds = (struct native_kinds){0};
}
