/* Files for ParaView and VTK: an unstructured grid (.vtu, XML with its numbers appended as raw bytes), an image (.vti)
 * and a list of such files with their times (.pvd). Knows nothing of runs; points, cells and fields are plain
 * arrays. */
#ifndef CAROM_RECORD_EXPORT_VTU_H
#define CAROM_RECORD_EXPORT_VTU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/error.h"

/* VTK's numbers for kinds of cells. */
enum carom_vtu_cell {
    CAROM_VTU_VERTEX = 1,
    CAROM_VTU_LINE = 3,
    CAROM_VTU_TRIANGLE = 5,
    CAROM_VTU_POLYGON = 7,
    CAROM_VTU_QUAD = 9,
    CAROM_VTU_TETRAHEDRON = 10,
    CAROM_VTU_HEXAHEDRON = 12,
    CAROM_VTU_POLYHEDRON = 42,
};

/* A quantity on points or cells; one of `real` and `whole` is given. */
struct carom_vtu_field {
    const char *name;
    bool on_cells;     /* else on points */
    size_t components; /* 1: a number, 3: a vector, 9: a tensor */
    const double *real;
    const int64_t *whole;
};

struct carom_vtu {
    size_t npoints;
    const double *point; /* npoints x 3 */
    size_t ncells;
    const int64_t *connectivity; /* the points of all cells, one cell after the other */
    const int64_t *offset;       /* ncells: where each cell's points end */
    const uint8_t *type;         /* ncells: enum carom_vtu_cell */
    const int64_t *faces;        /* of polyhedra: how many faces, then for each face how many points, which; or NULL */
    const int64_t *face_offset; /* ncells: where each cell's entries in `faces` end, -1: it has none; NULL with faces */
    size_t nfields;
    const struct carom_vtu_field *field;
    double time;
};

/* A tensor as VTK wants it, row by row, out of xx yy zz yz xz xy. */
void carom_vtu_tensor(const double from[6], double to[9]);

/* Writes one grid. Replaces a file of its own kind, nothing else; half a file is not left behind. */
enum carom_status carom_vtu_write(const char *path, const struct carom_vtu *grid, struct carom_error *error);

/* Numbers of cells that all have one size, side by side along three axes; x runs first. Fields are on cells. */
struct carom_vtu_image {
    size_t count[3];
    double low[3], cell[3];
    size_t nfields;
    const struct carom_vtu_field *field;
    double time;
};

/* The same as a file of image data (.vti). */
enum carom_status carom_vtu_write_image(const char *path, const struct carom_vtu_image *image,
                                        struct carom_error *error);

/* Writes the list: file i of `count` is named `prefix`_i.`ending` (six digits), relative to the list's folder. */
enum carom_status carom_vtu_series(const char *path, const char *prefix, const char *ending, size_t count,
                                   const double *time, struct carom_error *error);

/* May a file be written here: is there none yet, or one that begins like a VTK file? */
enum carom_status carom_vtu_may_replace(const char *path, struct carom_error *error);

#endif
