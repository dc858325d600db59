/* Tables of fronts: columns are listed once, for CSV and for run files. */
#include "study/pulse/front.h"

#include "base/memory.h"
#include "record/export/csv.h"
#include "study/pulse/kept.h"

/* a column of bodies, or of directions: a number at this place of the struct */
struct column {
    const char *name, *unit;
    size_t offset;
};

#define BODY(field, unit)                                      \
    {                                                          \
#field, unit, offsetof(struct carom_front_body, field) \
    }
static const struct column of_body[] = {
    {"x", "m", offsetof(struct carom_front_body, place)},
    {"y", "m", offsetof(struct carom_front_body, place) + sizeof(double)},
    {"z", "m", offsetof(struct carom_front_body, place) + 2 * sizeof(double)},
    BODY(distance, "m"),
    BODY(arrival, "s"),
    BODY(peak, "m/s"),
    BODY(time, "s"),
    BODY(force, "N"),
    BODY(force_time, "s"),
};

#define DIRECTION(field, unit)                                      \
    {                                                               \
#field, unit, offsetof(struct carom_front_direction, field) \
    }
static const struct column of_direction[] = {
    {"x", "1", offsetof(struct carom_front_direction, axis)},
    {"y", "1", offsetof(struct carom_front_direction, axis) + sizeof(double)},
    {"z", "1", offsetof(struct carom_front_direction, axis) + 2 * sizeof(double)},
    DIRECTION(farthest, "m"),
    DIRECTION(speed, "m/s"),
    DIRECTION(decay, "1"),
    DIRECTION(energy, "J"),
    {"largest", "J", offsetof(struct carom_front_direction, most)},
    {"when", "s", offsetof(struct carom_front_direction, when)},
};

enum {
    BODIES = sizeof of_body / sizeof *of_body,
    DIRECTIONS = sizeof of_direction / sizeof *of_direction,
    MARKS = 4,  /* whole numbers of a body, */
    COUNTS = 2, /* and of a direction */
};

static double number_of(const void *row, const struct column *column)
{
    return *(const double *)((const char *)row + column->offset);
}

static int direction_of(const struct carom_front_body *body)
{
    return body->direction < SIZE_MAX ? (int)body->direction + 1 : 0;
}

/* --- CSV --------------------------------------------------------------------------------------------------------- */

void carom_front_file_csv(FILE *out, const struct carom_front *front)
{
    fputs("body", out);
    for (size_t k = 0; k < BODIES; k++)
        fprintf(out, ",%s", of_body[k].name);
    fputs(",direction,striker,cut\n", out);
    for (size_t i = 0; i < front->n; i++) {
        const struct carom_front_body *body = &front->at[i];
        fprintf(out, "%zu", body->number);
        for (size_t k = 0; k < BODIES; k++) {
            const double x = number_of(body, &of_body[k]);
            carom_csv_numbers(out, &x, 1);
        }
        fprintf(out, ",%d,%d,%d\n", direction_of(body), body->moves, body->cut);
    }
}

void carom_front_file_directions(FILE *out, const struct carom_front *front)
{
    fputs("direction,x,y,z,bodies,reached", out);
    for (size_t k = 3; k < DIRECTIONS; k++)
        fprintf(out, ",%s", of_direction[k].name);
    putc('\n', out);
    for (size_t i = 0; i < front->ndirections; i++) {
        const struct carom_front_direction *d = &front->direction[i];
        fprintf(out, "%zu", i + 1);
        carom_csv_numbers(out, d->axis, 3);
        fprintf(out, ",%zu,%zu", d->bodies, d->reached);
        for (size_t k = 3; k < DIRECTIONS; k++) {
            const double x = number_of(d, &of_direction[k]);
            carom_csv_numbers(out, &x, 1);
        }
        putc('\n', out);
    }
}

/* --- in the run file --------------------------------------------------------------------------------------------- */

static void take_columns(const struct carom_front *front, const struct column *from, size_t count, size_t rows,
                         const void *first, size_t size, double *room, struct carom_kept_column *to)
{
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < rows; i++)
            room[k * rows + i] = number_of((const char *)first + i * size, &from[k]);
        to[k] =
            (struct carom_kept_column){from[k].name, front->si ? from[k].unit : "1", CAROM_HDF5_REAL, room + k * rows};
    }
}

static enum carom_status keep(const char *path, const struct carom_front *front, const char *command, double *real,
                              int32_t *whole, struct carom_error *error)
{
    const size_t n = front->n, nd = front->ndirections;
    struct carom_kept_column body[BODIES + MARKS], direction[DIRECTIONS + COUNTS];
    int32_t *mark[] = {whole, whole + n, whole + 2 * n, whole + 3 * n},
            *count[] = {whole + MARKS * n, whole + MARKS * n + nd};
    for (size_t i = 0; i < n; i++) {
        mark[0][i] = (int32_t)front->at[i].number;
        mark[1][i] = direction_of(&front->at[i]);
        mark[2][i] = front->at[i].moves;
        mark[3][i] = front->at[i].cut;
    }
    for (size_t i = 0; i < nd; i++) {
        count[0][i] = (int32_t)front->direction[i].bodies;
        count[1][i] = (int32_t)front->direction[i].reached;
    }
    static const char *const marks[] = {"body", "direction", "striker", "cut"}, *const counts[] = {"bodies", "reached"};
    take_columns(front, of_body, BODIES, n, front->at, sizeof *front->at, real, body);
    take_columns(front, of_direction, DIRECTIONS, nd, front->direction, sizeof *front->direction, real + BODIES * n,
                 direction);
    for (size_t k = 0; k < MARKS; k++)
        body[BODIES + k] = (struct carom_kept_column){marks[k], "1", CAROM_HDF5_NUMBER, mark[k]};
    for (size_t k = 0; k < COUNTS; k++)
        direction[DIRECTIONS + k] = (struct carom_kept_column){counts[k], "1", CAROM_HDF5_NUMBER, count[k]};
    const struct carom_kept_table kept[] = {
        {"analysis/front", "direction", "from 1; 0: none, at the origin or a striker", n, BODIES + MARKS, body},
        {"analysis/front/directions", NULL, NULL, nd, DIRECTIONS + COUNTS, direction}};
    return carom_kept_write(path, command, kept, 2, error);
}

enum carom_status carom_front_file_keep(const char *path, const struct carom_front *front, const char *command,
                                        struct carom_error *error)
{
    double *real = carom_memory_zeroed(BODIES * front->n + DIRECTIONS * front->ndirections, sizeof *real);
    int32_t *whole = carom_memory_zeroed(MARKS * front->n + COUNTS * front->ndirections, sizeof *whole);
    const enum carom_status status =
        real != NULL && whole != NULL
            ? keep(path, front, command, real, whole, error)
            : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a table of %zu bodies", front->n);
    carom_memory_free_all(real, whole);
    return status;
}
