/* Bodies out of files: a table with a row for each disc or sphere, whatever wrote it. Text with a header (CSV), VTK
 * (legacy and XML) and data files of LAMMPS are told apart by how they begin. Files may come from strangers: what is
 * wrong is said with file and line. */
#ifndef CAROM_SCENE_SPACE_IMPORT_H
#define CAROM_SCENE_SPACE_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/error.h"

enum carom_import_column {
    CAROM_IMPORT_X,
    CAROM_IMPORT_Y,
    CAROM_IMPORT_Z,
    CAROM_IMPORT_VX,
    CAROM_IMPORT_VY,
    CAROM_IMPORT_VZ,
    CAROM_IMPORT_SPIN_X,
    CAROM_IMPORT_SPIN_Y,
    CAROM_IMPORT_SPIN_Z, /* in the plane the spin */
    CAROM_IMPORT_RADIUS,
    CAROM_IMPORT_MASS,
    CAROM_IMPORT_KIND, /* of material: the index of one of the names */
    CAROM_IMPORT_COLUMNS
};

#define CAROM_IMPORT_KINDS 400
#define CAROM_IMPORT_WORD 64

struct carom_import {
    size_t dimension; /* as its columns say; 0: the format has three coordinates in any case */
    size_t n, room;
    double *column[CAROM_IMPORT_COLUMNS]; /* NULL: not in the file */
    size_t nkinds;
    char (*kind)[CAROM_IMPORT_WORD]; /* names of materials, or numbers of types */
    bool boxed;                      /* does it say in which box they are? */
    double low[3], high[3];
};

/* The file's bodies; `name` stands in front of errors, with `si` its header may carry units. The caller frees, also
 * after an error. */
enum carom_status carom_import_file(struct carom_import *import, const char *path, const char *name, bool si,
                                    struct carom_error *error);

/* The bodies of a run file that move in it, at the sample of this time; HUGE_VAL: the last one. */
enum carom_status carom_import_run(struct carom_import *import, const char *path, const char *name, bool si, double at,
                                   struct carom_error *error);

/* Opens a run file of discs and spheres; *run is to be closed, also after an error. */
struct carom_run_file;
enum carom_status carom_import_run_open(const char *path, const char *name, bool si, struct carom_run_file **run,
                                        struct carom_error *error);

/* The sample of this time; HUGE_VAL: the last one. */
enum carom_status carom_import_run_row(const struct carom_run_file *run, double at, const char *name, uint64_t *row,
                                       struct carom_error *error);

/* The same from a text with a header. */
enum carom_status carom_import_csv(struct carom_import *import, const char *name, const char *text, bool si,
                                   struct carom_error *error);
void carom_import_free(struct carom_import *import);

/* As a text that carom_import_csv reads back to the same bits; "\n" stands for the end of a line. NULL: no memory. */
char *carom_import_text(const struct carom_import *import);

/* --- for readers of formats -------------------------------------------------------------------------------------- */

/* A file as it is read: all of it, with a NUL byte behind, and where the reader stands. */
struct carom_import_source {
    const char *name;
    const char *text;
    size_t length;
    size_t line; /* from 1 */
    struct carom_error *error;
};

/* Makes room for n rows in the column. */
bool carom_import_reserve(struct carom_import *import, enum carom_import_column column, size_t n);

/* Makes room for one row more in the columns that are there already. */
bool carom_import_grow(struct carom_import *import);

/* The index of a kind of this name, which is new or known; SIZE_MAX: no memory, or too many. */
size_t carom_import_kind(struct carom_import *import, const char *word, size_t length);

/* Refuses row i if it cannot be a body. */
enum carom_status carom_import_check(const struct carom_import *import, size_t i,
                                     const struct carom_import_source *from);

/* Says what is wrong at the source's line. */
enum carom_status carom_import_wrong(const struct carom_import_source *from, const char *format, ...)
    CAROM_PRINTF(2, 3);
enum carom_status carom_import_memory(const struct carom_import_source *from);

/* A finite number at `at`; *end: behind it. False: there is none. */
bool carom_import_number(const char *at, const char **end, double *number);

enum carom_status carom_import_vtk(struct carom_import *import, struct carom_import_source *from);
enum carom_status carom_import_vtk_xml(struct carom_import *import, struct carom_import_source *from);
enum carom_status carom_import_lammps(struct carom_import *import, struct carom_import_source *from);

#endif
