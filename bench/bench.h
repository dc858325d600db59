/* What the groups of `carom bench` share. A group is a file bench_<group>.c with one function, named in the table of
 * bench.c; it prints its own rows. Times are the best of several repetitions, with the limits of the machine measured
 * again in each of them, because machines are noisy: the ratios count. */
#ifndef CAROM_BENCH_BENCH_H
#define CAROM_BENCH_BENCH_H

#include "base/clock.h" /* busy: not stretched by what others do, for all that runs on one thread */
#include "carom/carom.h"

struct cli_bench {
    size_t repeats;
    bool large;         /* are rows asked for that need minutes and gigabytes? */
    const char *device; /* what it is called; NULL: none is timed */
    const char *row;    /* only rows of a device whose names have this in them; NULL: all */
    double root;        /* nanoseconds per square root, the best so far */
    double bandwidth;   /* bytes per nanosecond, likewise */
    void *own;          /* the frame's */
};

/* The largest difference of numbers. */
double cli_bench_distance(size_t count, const double *a, const double *b);

/* Bytes that are allocated now, in the whole program. */
double cli_bench_bytes(void);

/* Measures the limits of the machine again: once in every repetition of a group. */
void cli_bench_limits(struct cli_bench *bench);

/* The head of a table of rows, and one row: `value` beside the largest allowed one; 0: no limit is stated. They are
 * seen at once, also through a pipe. */
void cli_bench_head(const char *title, const char *value);
void cli_bench_row(const char *name, double value, double limit, const char *note);

/* The same for nanoseconds that are compared as multiples of a square root. `at` is the limit in nanoseconds on a
 * machine where a square root takes 1.35 ns. */
void cli_bench_head_roots(const char *title);
void cli_bench_row_roots(const struct cli_bench *bench, const char *name, double nanoseconds, double at,
                         const char *note);

/* A row of n beads under verlet, every contact pressed; NULL and the sentence on error. */
struct carom_sim *cli_bench_hertz(size_t n, struct carom_error *error);
struct carom_sim *cli_bench_theta(size_t n, struct carom_error *error); /* hardly damped: it goes on moving */

/* Many short rows of beads on a device; one long row, where its memory moves so many bytes a second. */
enum carom_status cli_bench_device_rows(const struct cli_bench *bench, struct carom_device *device,
                                        struct carom_error *error);
enum carom_status cli_bench_device_long(const struct cli_bench *bench, struct carom_device *device, double bandwidth,
                                        struct carom_error *error);

/* Packings of spheres there. */
enum carom_status cli_bench_device_packing(const struct cli_bench *bench, struct carom_device *device, double bandwidth,
                                           struct carom_error *error);

/* What a step takes, by the differences of calls of `brief` steps and of `more` beyond, and what goes to and fro.
 * A first call, which compiles, is not among them. */
struct cli_bench_pace {
    double step, rest;
};
enum carom_status cli_bench_pace(struct carom_stepper *stepper, struct carom_state *state, size_t brief, size_t more,
                                 size_t repeats, struct cli_bench_pace *pace, struct carom_error *error);

/* Is a row of this name to be timed? */
bool cli_bench_wants(const struct cli_bench *bench, const char *name);

enum carom_status cli_bench_book(struct cli_bench *bench, struct carom_error *error);
enum carom_status cli_bench_press(struct cli_bench *bench, struct carom_error *error);
enum carom_status cli_bench_chain(struct cli_bench *bench, struct carom_error *error);
enum carom_status cli_bench_device(struct cli_bench *bench, struct carom_error *error);
enum carom_status cli_bench_friction(struct cli_bench *bench, struct carom_error *error);
enum carom_status cli_bench_heap(struct cli_bench *bench, struct carom_error *error);
enum carom_status cli_bench_impact(struct cli_bench *bench, struct carom_error *error);
enum carom_status cli_bench_lzb(struct cli_bench *bench, struct carom_error *error);
enum carom_status cli_bench_packing(struct cli_bench *bench, struct carom_error *error);
enum carom_status cli_bench_page(struct cli_bench *bench, struct carom_error *error);
enum carom_status cli_bench_rigid(struct cli_bench *bench, struct carom_error *error);
enum carom_status cli_bench_solid(struct cli_bench *bench, struct carom_error *error);

#endif
