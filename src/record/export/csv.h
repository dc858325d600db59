/* How tables are written as CSV, for the sink and for `carom export`. */
#ifndef CAROM_RECORD_EXPORT_CSV_H
#define CAROM_RECORD_EXPORT_CSV_H

#include <stdio.h>

#include "carom/record.h"

/* ",name" or, for bodies and contacts, ",name_1,name_2,...": bodies count from 1 (those before this part are
 * `before`), contacts as in a row where `pair` is one (else NULL). Cells and sensors of solids with `depth` numbers
 * each: ",name_1_x,name_1_y,...". */
void carom_csv_heading(FILE *out, const char *name, enum carom_extent extent, size_t before, size_t size, size_t depth,
                       const int32_t (*pair)[2]);

/* What columns of an item with `depth` numbers a body begin with, where its bodies are numbered by themselves: "ball"
 * beside solids, and the names of solids. False: nothing. */
enum { CAROM_CSV_PART = 32 };
bool carom_csv_part(const char *path, size_t depth, char part[CAROM_CSV_PART]);

/* Which of a cell's or sensor's `depth` numbers "x", "yz" and so on is; SIZE_MAX: none. */
size_t carom_csv_axis(size_t depth, const char *name);

/* ",x" for every number, to the last bit. */
void carom_csv_numbers(FILE *out, const double *x, size_t n);

/* The number itself. */
void carom_csv_number(FILE *out, double x);

/* Contacts that come and go: the first line of their table and a line of it, vectors with so many axes. */
void carom_csv_touch_heading(FILE *out, size_t dimension);
void carom_csv_touch(FILE *out, double time, uint64_t step, const struct carom_touch *touch, size_t dimension);

/* May a table be written here? A file that holds something else is not ours to empty: -o scene.yaml must not cost
 * the scene. The standard output may always be written to. */
enum carom_status carom_csv_may_replace(const char *path, struct carom_error *error);

/* The same for a table whose first line begins with `heading`. */
enum carom_status carom_csv_may_replace_table(const char *path, const char *heading, struct carom_error *error);

/* Opens a table; "-" is the standard output, which is gone on with: whoever sent it to a file may have written there
 * before. NULL: errno says why. */
FILE *carom_csv_open(const char *path);

/* The same with the sentence; with a `heading` only where there is nothing, or a table that begins like that. */
FILE *carom_csv_create(const char *path, const char *heading, struct carom_error *error);

/* What sentences call it. */
const char *carom_csv_name(const char *path);

/* Closes a table that was written to `path`. Where it could not be written, or `status` says that it is not whole, half
 * a table is not left behind. */
enum carom_status carom_csv_close(FILE *out, const char *path, enum carom_status status, struct carom_error *error);

#endif
