/* The parameter tables of everything a scene can name, for docstrings, type hints and completion. */
#include "native.h"

static PyObject *number(double value)
{
    if (value == CAROM_REQUIRED)
        Py_RETURN_NONE;
    return PyFloat_FromDouble(value);
}

static PyObject *choices(const struct carom_param *row)
{
    PyObject *all = PyList_New(0);
    for (const char *const *one = row->choices; all && one && *one; one++) {
        PyObject *word = PyUnicode_FromString(*one);
        if (!word || PyList_Append(all, word) != 0)
            Py_CLEAR(all);
        Py_XDECREF(word);
    }
    return all;
}

static PyObject *param(const struct carom_param *row)
{
    static const char *const types[] = {"real", "integer", "flag", "choice"};
    return Py_BuildValue("{s:s,s:s,s:N,s:d,s:d,s:s,s:s,s:N}", "name", row->name, "type", types[row->type], "default",
                         number(row->standard), "low", row->low, "high", row->high, "unit", row->unit ? row->unit : "",
                         "text", row->text ? row->text : "", "choices", choices(row));
}

static bool add_kind(PyObject *all, const struct carom_kind *kind)
{
    PyObject *params = PyList_New(0), *one = NULL;
    for (const struct carom_param *row = kind->params; params && row && row->name; row++) {
        PyObject *entry = param(row);
        if (!entry || PyList_Append(params, entry) != 0)
            Py_CLEAR(params);
        Py_XDECREF(entry);
    }
    if (params)
        one = Py_BuildValue("{s:s,s:N}", "text", kind->text ? kind->text : "", "params", params);
    const bool good = one && PyDict_SetItemString(all, kind->name, one) == 0;
    Py_XDECREF(one);
    return good;
}

/* every list is of pointers to structs that begin with a kind */
static PyObject *kinds(const void *const *list)
{
    PyObject *all = PyDict_New();
    for (; all && *list; list++)
        if (!add_kind(all, *list))
            Py_CLEAR(all);
    return all;
}

PyObject *native_tables(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N}", "laws", kinds((const void *const *)carom_kinds_laws), "frictions",
        kinds((const void *const *)carom_kinds_frictions), "resistances",
        kinds((const void *const *)carom_kinds_resistances), "schemes", kinds((const void *const *)carom_kinds_schemes),
        "parts", kinds((const void *const *)carom_kinds_parts), "impacts",
        kinds((const void *const *)carom_striker_impacts), "machines", kinds((const void *const *)carom_machines_list),
        "probes", kinds((const void *const *)carom_probe_list));
}
