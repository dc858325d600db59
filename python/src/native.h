/* carom._native, the module below `import carom`: sims, run files and kinds of one's own on libcarom, under CPython's
 * stable ABI. What its files share. Names of the module begin with native_. */
#ifndef CAROM_PYTHON_NATIVE_H
#define CAROM_PYTHON_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <carom/carom.h>

/* Python keeps functions as addresses of objects, which POSIX allows and ISO C does not know. */
#pragma GCC diagnostic ignored "-Wpedantic"

/* --- arrays (block.c) --------------------------------------------------------------------------------------------- */

/* One column of a record, for numpy: its name, where it lies, and numpy's word for its type. */
struct native_field {
    const char *name, *type;
    size_t offset;
};

/* What Python's tables hold texts and names in. */
#define NATIVE_TEXT(text) ((void *)(uintptr_t)(text))

#define NATIVE_NAMES(names) ((char **)(uintptr_t)(names))

struct native_shape {
    const char *type;                 /* numpy's word: "<f8"; NULL: records, see `field` */
    const struct native_field *field; /* ended by a NULL name */
    size_t size;                      /* of an entry */
    int rank;                         /* 1 or 2 */
    size_t count[2], stride[2];       /* entries, bytes */
    bool writable;
};

/* Numbers that numpy sees through __array_interface__. They belong to `owner`, which lives as long, or, where that is
 * NULL, to the block itself, which frees them. NULL: an exception is set. */
PyObject *native_block(PyObject *owner, void *data, const struct native_shape *shape);
/* A row of `count` numbers. */
PyObject *native_block_row(PyObject *owner, const void *data, size_t count, const char *type, bool writable);

extern const struct native_field native_event_fields[], native_episode_fields[], native_blow_fields[],
    native_force_fields[], native_touch_fields[];

/* --- errors, HDF5 (module.c) -------------------------------------------------------------------------------------- */

/* The library's sentence as a carom.Error of its kind; returns NULL. */
PyObject *native_raise(const struct carom_error *error);

/* The text of a str, which lasts as long as that; NULL: an exception is set. */
const char *native_text(PyObject *text);

/* `new` of types that only this module makes: refuses. */
PyObject *native_no_new(PyTypeObject *type, PyObject *args, PyObject *keys);

/* HDF5 bears one thread at a time: whoever may reach it holds this, and not the GIL. The same thread may take it
 * again. */
void native_hdf5_take(void);
void native_hdf5_give(void);

PyObject *native_tables(PyObject *module, PyObject *unused);

/* --- kinds of one's own (kinds.c) --------------------------------------------------------------------------------- */

struct native_sim;

/* A function of numbers: Python's, or the address of a compiled one. */
struct native_function {
    PyObject *call; /* NULL: see `pointer` */
    union {
        double (*of_deform)(double deform, const double *param);
        double (*of_time)(double t);
    } pointer;
    bool there;
};

struct native_law {
    struct carom_law law;
    struct native_sim *sim;
    char *text; /* name and names of parameters, one after the other */
    struct carom_param *table;
    size_t count;
    struct native_function elastic, slope, energy, viscous, drag;
};

struct native_signal {
    struct carom_function function;
    struct native_sim *sim;
    char *text;
    double *breaks;
    struct native_function value, rate;
};

/* All of a sim, freed with it. */
struct native_kinds {
    struct native_law *law;
    struct native_signal *signal;
    const struct carom_law **laws;           /* NULL-ended */
    const struct carom_function **functions; /* likewise */
    size_t nlaws, nsignals;
};

/* Reads lists of dicts; false: an exception is set. What was made so far is freed by native_kinds_free. */
bool native_kinds_make(struct native_kinds *kinds, struct native_sim *sim, PyObject *laws, PyObject *signals);
void native_kinds_drop(struct native_kinds *kinds); /* the Python functions: nothing can be stepped after that */
void native_kinds_free(struct native_kinds *kinds);

/* --- sims (sim.c, make.c, look.c, save.c) ---------------------------------------------------------------------- */

/* How much had been recorded when somebody looked, and what was known then. Python keeps its bytes. */
struct native_mark {
    size_t rows, events, episodes, blows, forces;
    uint64_t left_out, step;
    bool complete;
    struct carom_counts counts;
    struct carom_stated stated;
};

struct native_sim {
    PyObject_HEAD struct carom_sim *sim; /* NULL: closed */
    void *file;                          /* the library's sink of a run file; NULL: there is none, or it is closed */
    struct carom_memory *rows;           /* the recorder's; NULL: not kept */
    struct native_kinds kinds;
    PyObject *on_sample, *on_contact, *on_progress; /* NULL: nobody */
    PyObject *functions;                            /* of a system of one's own; NULL: there is none */
    PyObject *raised[3];                            /* an exception on its way out: type, value, traceback */
    double *handed; /* nq + nv: q and v of the view when they were handed out; NULL: they were not */
    double looked;  /* when signals were last looked at */
    size_t exports; /* blocks that see this sim's memory */
    long pid;
    unsigned long worker;              /* the thread that is at work */
    bool busy, closed, broken;         /* at work; to be freed; a law of one's own has failed */
    bool odd;                          /* a law or signal of one's own has given nan */
    const struct carom_layout *layout; /* what the recorder tells beside rows: the recorder's; NULL: it has not begun */
    struct carom_stated stated;
    uint64_t left_out;
    struct carom_checkpoint last; /* but for the state, of which only the hash is kept, and the book */
    double *book;                 /* NULL: there was no checkpoint yet */
    uint64_t last_hash;
};

extern PyObject *native_sim_type;
bool native_sim_ready(PyObject *module);

/* An exception that was raised where no Python is: kept until the call into the library returns. With the GIL. */
void native_sim_keep(struct native_sim *sim);

void native_sim_export(struct native_sim *sim);
void native_sim_let(struct native_sim *sim);

/* Calls a callback, which may be put aside meanwhile; what it answers is dropped, its exception kept. With the GIL. */
void native_sim_call(struct native_sim *sim, PyObject *function, PyObject *args);

/* Asked while the library is at work: interrupts, progress, exceptions of callbacks. */
bool native_sim_go_on(struct native_sim *sim, double done, const char *phase);

/* A bare one; then, once it is made or not: the sim, or NULL with the exception. And who is asked while it works. */
struct native_sim *native_sim_new(void);
PyObject *native_sim_finish(struct native_sim *sim, bool good, const struct carom_error *error);
void native_sim_watch(struct native_sim *sim);

/* Makes the sim of a scene or of a system. */
PyObject *native_sim_of_scene(PyObject *module, PyObject *args, PyObject *keys);
PyObject *native_sim_of_system(PyObject *module, PyObject *args, PyObject *keys);

/* Attaches what records: rows in memory, a file, callbacks. */
bool native_sinks_attach(struct native_sim *sim, bool keep, const char *output, struct carom_error *error);
/* The same for a sim that goes on with a run file, in that file; sets it to the last checkpoint. */
bool native_sinks_resume(struct native_sim *sim, bool keep, const char *path, struct carom_error *error);
/* Closes the run file, if there is one, before the sim goes. Without the GIL. */
void native_sinks_close(struct native_sim *sim);

/* Marks what a sim that keeps its rows has recorded; keeps a checkpoint's numbers; and writes what was recorded by a
 * mark as a run file: save(path, mark). */
void native_save_mark(const struct native_sim *sim, struct native_mark *mark);
enum carom_status native_save_hear(struct native_sim *sim, const struct carom_checkpoint *checkpoint,
                                   struct carom_error *error);
PyObject *native_save(PyObject *self, PyObject *args);

/* Methods and properties that only look. */
extern PyGetSetDef native_look_getset[];
PyObject *native_look_recorded(PyObject *self, PyObject *unused);
PyObject *native_look_ledger(PyObject *self, PyObject *unused);
PyObject *native_look_pairs(const int32_t (*pair)[2], size_t count);
PyObject *native_look_counts(const struct carom_counts *counts);

/* --- run files (run_file.c) --------------------------------------------------------------------------------------- */

bool native_run_file_ready(PyObject *module);

#endif
