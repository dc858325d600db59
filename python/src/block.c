/* Arrays that numpy sees without a copy, by __array_interface__: the buffer protocol is in the stable ABI only since
 * Python 3.11, and numpy's own C interface is in none. */
#include "native.h"

#include <stdlib.h>

struct block {
    PyObject_HEAD PyObject *owner;
    void *data;
    struct native_shape shape;
};

static PyTypeObject *block_type;

#define FIELD(type, kind, field)                           \
    {                                                      \
#field, kind, offsetof(struct carom_##type, field) \
    }

const struct native_field native_event_fields[] = {FIELD(event, "<f8", time),
                                                   FIELD(event, "<u8", contact),
                                                   {"kind", "<i4", offsetof(struct carom_event, kind)},
                                                   FIELD(event, "<f8", impulse),
                                                   FIELD(event, "<f8", before),
                                                   FIELD(event, "<f8", after),
                                                   {NULL, NULL, 0}};
const struct native_field native_episode_fields[] = {FIELD(episode, "<u8", contact),
                                                     FIELD(episode, "<f8", closed),
                                                     FIELD(episode, "<f8", opened),
                                                     FIELD(episode, "<f8", speed),
                                                     FIELD(episode, "<f8", peak_force),
                                                     FIELD(episode, "<f8", peak_time),
                                                     FIELD(episode, "<f8", impulse),
                                                     FIELD(episode, "<f8", dissipated),
                                                     FIELD(episode, "<f8", overlap),
                                                     FIELD(episode, "(3,)<f8", impulse_vector),
                                                     {NULL, NULL, 0}};
const struct native_field native_blow_fields[] = {
    FIELD(blow, "<f8", time), FIELD(blow, "<f8", duration), FIELD(blow, "<f8", estimate), {NULL, NULL, 0}};
const struct native_field native_force_fields[] = {FIELD(blow_force, "<u8", impact),
                                                   FIELD(blow_force, "<u8", contact),
                                                   FIELD(blow_force, "<f8", time),
                                                   FIELD(blow_force, "<f8", force),
                                                   {NULL, NULL, 0}};
const struct native_field native_touch_fields[] = {FIELD(touch, "(2,)<u8", pair),
                                                   FIELD(touch, "(3,)<f8", point),
                                                   FIELD(touch, "(3,)<f8", normal),
                                                   FIELD(touch, "(3,)<f8", force),
                                                   FIELD(touch, "<f8", gap),
                                                   FIELD(touch, "<f8", dissipated),
                                                   {NULL, NULL, 0}};

/* --- the type ----------------------------------------------------------------------------------------------------- */

static void block_free(PyObject *self)
{
    struct block *b = (struct block *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (!b->owner)
        free(b->data);
    else if ((PyObject *)Py_TYPE(b->owner) == native_sim_type)
        native_sim_let((struct native_sim *)b->owner);
    Py_XDECREF(b->owner);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* numpy's description of a record as {name: (type, offset)}, and its size: for numpy.dtype */
static PyObject *describe(const struct native_field *field)
{
    PyObject *all = PyDict_New();
    for (; all && field->name; field++) {
        PyObject *one = Py_BuildValue("(sn)", field->type, (Py_ssize_t)field->offset);
        if (!one || PyDict_SetItemString(all, field->name, one) != 0)
            Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

static PyObject *get_fields(PyObject *self, void *unused)
{
    (void)unused;
    const struct block *b = (struct block *)self;
    if (!b->shape.field)
        Py_RETURN_NONE;
    return describe(b->shape.field);
}

static PyObject *numbers(const size_t *of, int rank)
{
    return rank == 1 ? Py_BuildValue("(n)", (Py_ssize_t)of[0])
                     : Py_BuildValue("(nn)", (Py_ssize_t)of[0], (Py_ssize_t)of[1]);
}

static PyObject *get_interface(PyObject *self, void *unused)
{
    (void)unused;
    static double nothing;
    const struct block *b = (struct block *)self;
    const struct native_shape *s = &b->shape;
    char type[24];
    if (s->type)
        PyOS_snprintf(type, sizeof type, "%s", s->type);
    else
        PyOS_snprintf(type, sizeof type, "|V%zu", s->size);
    PyObject *address = PyLong_FromVoidPtr(b->data ? b->data : &nothing);
    PyObject *shape = numbers(s->count, s->rank), *strides = numbers(s->stride, s->rank);
    PyObject *all = NULL;
    if (address && shape && strides)
        all = Py_BuildValue("{s:i,s:s,s:O,s:O,s:(OO)}", "version", 3, "typestr", type, "shape", shape, "strides",
                            strides, "data", address, s->writable ? Py_False : Py_True);
    Py_XDECREF(address);
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    return all;
}

static PyGetSetDef getset[] = {
    {"__array_interface__", get_interface, NULL, "where the numbers lie, for numpy", NULL},
    {"fields", get_fields, NULL, "of records: {name: (type, offset)}, else None", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *new_block(void)
{
    static PyType_Slot slots[] = {
        {Py_tp_new, (void *)native_no_new},
        {Py_tp_dealloc, (void *)block_free},
        {Py_tp_getset, getset},
        {Py_tp_doc, NATIVE_TEXT("Numbers of the library that numpy.asarray sees without a copy.")},
        {0, NULL},
    };
    static PyType_Spec spec = {"carom._native.Block", sizeof(struct block), 0, Py_TPFLAGS_DEFAULT, slots};
    if (!block_type && !(block_type = (PyTypeObject *)PyType_FromSpec(&spec)))
        return NULL;
    struct block *b = PyObject_New(struct block, block_type);
    return (PyObject *)b;
}

PyObject *native_block(PyObject *owner, void *data, const struct native_shape *shape)
{
    struct block *b = (struct block *)new_block();
    if (!b) {
        if (!owner)
            free(data);
        return NULL;
    }
    b->owner = owner;
    b->data = data;
    b->shape = *shape;
    Py_XINCREF(owner);
    if (owner && (PyObject *)Py_TYPE(owner) == native_sim_type)
        native_sim_export((struct native_sim *)owner);
    return (PyObject *)b;
}

PyObject *native_block_row(PyObject *owner, const void *data, size_t count, const char *type, bool writable)
{
    const struct native_shape shape = {
        .type = type, .size = 8, .rank = 1, .count = {count}, .stride = {8}, .writable = writable};
    return native_block(owner, (void *)(uintptr_t)data, &shape);
}
