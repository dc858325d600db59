/* The module itself: errors, the lock around HDF5, and the list of what Python may call. */
#include "native.h"

#include <pthread.h>
#include <signal.h>

static PyObject *error_type;
static pthread_mutex_t hdf5;

void native_hdf5_take(void)
{
    pthread_mutex_lock(&hdf5);
}

void native_hdf5_give(void)
{
    pthread_mutex_unlock(&hdf5);
}

static bool ready_lock(void)
{
    pthread_mutexattr_t again;
    return pthread_mutexattr_init(&again) == 0 && pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE) == 0 &&
           pthread_mutex_init(&hdf5, &again) == 0;
}

const char *native_text(PyObject *text)
{
    const char *bytes = NULL;
    return PyArg_Parse(text, "s", &bytes) ? bytes : NULL; /* the str keeps them; PyUnicode_AsUTF8 is not in the ABI */
}

/* the class of carom.Error that the package has told for this status */
PyObject *native_raise(const struct carom_error *error)
{
    if (error->status == CAROM_E_MEMORY)
        return PyErr_SetString(PyExc_MemoryError, error->text), NULL;
    PyObject *value = PyObject_CallFunction(error_type, "is", (int)error->status, error->text);
    if (value)
        PyErr_SetObject((PyObject *)Py_TYPE(value), value);
    Py_XDECREF(value);
    return NULL;
}

PyObject *native_no_new(PyTypeObject *type, PyObject *args, PyObject *keys)
{
    (void)type;
    (void)args;
    (void)keys;
    return PyErr_SetString(PyExc_TypeError, "these are made by the functions of carom"), NULL;
}

static PyObject *set_error(PyObject *module, PyObject *maker)
{
    (void)module;
    Py_INCREF(maker);
    Py_XDECREF(error_type);
    error_type = maker;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"set_error", set_error, METH_O, "who makes an exception of a status and a sentence"},
    {"tables", native_tables, METH_NOARGS, "the parameter tables of everything a scene can name"},
    {"sim", (PyCFunction)(void (*)(void))native_sim_of_scene, METH_VARARGS | METH_KEYWORDS, "the sim of a scene"},
    {"system", (PyCFunction)(void (*)(void))native_sim_of_system, METH_VARARGS | METH_KEYWORDS, "the sim of a system"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "carom._native",
    "Sims and run files of libcarom; see the package carom.",
    -1,
    methods,
    NULL,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void)
{
    Py_INCREF(PyExc_RuntimeError);
    error_type = PyExc_RuntimeError;
    PyObject *module = PyModule_Create(&definition);
    if (module && ready_lock() && native_sim_ready(module) && native_run_file_ready(module) &&
        PyModule_AddStringConstant(module, "version", CAROM_VERSION) == 0)
        return module;
    Py_XDECREF(module);
    return NULL;
}
