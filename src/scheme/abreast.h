/* Many short rows of beads on a device, for sweeps and fits: whole runs, row beside row, by a kernel of their scheme.
 * They end where they would have ended alone on the processor, to the bit. What schemes have of their own is a const
 * struct; memory, clock and calls are the same for all. */
#ifndef CAROM_SCHEME_ABREAST_H
#define CAROM_SCHEME_ABREAST_H

#include "carom/scheme.h"
#include "device/device.h"

/* LONGEST: beads of a row that keeps its numbers to itself while it is worked on */
enum { CAROM_ABREAST_MEMORIES = 13, CAROM_ABREAST_TEXTS = 4, CAROM_ABREAST_LONGEST = 256 };

/* Rows as kernels see them: arrays of numbers, `length` of each row; number i of row c stands at i * rows + c. */
struct carom_abreast_rows {
    size_t rows, length[CAROM_ABREAST_MEMORIES];
    double *number[CAROM_ABREAST_MEMORIES];
    bool card;         /* that it goes to */
    bool looked;       /* somebody looks at rows between steps */
    size_t places;     /* that work on a row: 1, unless `head` says another number, */
    size_t group;      /* and of a work group: 128 */
    bool alike, plain; /* for the scheme: what `head` found out */
};

struct carom_abreast_scheme {
    const struct carom_scheme *scheme;
    /* Of the program, after lane.cl, the lines of `head` and abreast.cl. It has a kernel runs(rows, h, steps, arrays
     * ... LOOKED_AT). */
    const char *text[CAROM_ABREAST_TEXTS];
    bool even; /* the kernel takes steps of the regular size alone; any other the processor takes */
    /* Those before `sent` go there; those from first_back to sent come back, first places, velocities and losses. */
    size_t sent, first_back, arrays;
    /* Does the device take a, and can b go beside it? If it does not take a, the error says what devices take. */
    bool (*fits)(const struct carom_stepper *a, const struct carom_stepper *b, struct carom_error *error);
    /* what kernels are compiled for, in lines of #define, and how many numbers of a row each array has */
    void (*head)(struct carom_abreast_rows *r, struct carom_stepper *const *stepper, char *text, size_t size);
    /* numbers of row c from its state; false: out of memory */
    bool (*tell)(const struct carom_abreast_rows *r, size_t c, struct carom_stepper *stepper,
                 const struct carom_state *state);
    /* and back, all but the clock; false, and nothing is done, if the motion broke down */
    bool (*hear)(const struct carom_abreast_rows *r, size_t c, struct carom_stepper *stepper,
                 struct carom_state *state);
};

/* Rows under irk, theta and verlet. */
extern const struct carom_abreast_scheme carom_irk_abreast, carom_theta_abreast, carom_verlet_abreast;

struct carom_abreast; /* a device with a program, which is kept from batch to batch */

/* `threads` of the processor (1: the caller alone) see to rows before, between and after calls of the device. */
struct carom_abreast *carom_abreast_open(struct carom_device *device, size_t threads, struct carom_error *error);
void carom_abreast_close(struct carom_abreast *abreast); /* NULL is fine; the device stays */

/* Work on each of `count` rows, by these threads. */
void carom_abreast_each(struct carom_abreast *abreast, void (*work)(void *own, size_t row), void *own, size_t count);

struct carom_abreast_watch {
    bool (*call)(void *own, double time); /* asked about twice a second; false ends the runs with CAROM_E_STOPPED */
    void *own;
    /* NULL, or somebody looks at rows between steps, each at its own time and on any thread: as in chain/lanes.h, how
     * many steps may a row take before the next look, unless a contact closes or opens; and its state is up to date.
     * `switched`: a contact did in its last step, whose start is in stepper->before. */
    size_t (*within)(void *own, size_t row);
    enum carom_status (*see)(void *own, size_t row, bool switched, struct carom_error *error);
};

/* Takes `count` rows that fit, all at the same time and with the same step, to `until`. broken[c]: row c broke down,
 * and its state is as it was. */
enum carom_status carom_abreast_run(struct carom_abreast *abreast, const struct carom_abreast_scheme *scheme,
                                    size_t count, struct carom_stepper *const *stepper,
                                    struct carom_state *const *state, double until,
                                    const struct carom_abreast_watch *watch, bool *broken, struct carom_error *error);

/* So many numbers of row c, from number `first` of an array on; for `tell` and `hear`. */
void carom_abreast_put(const struct carom_abreast_rows *r, size_t array, size_t c, size_t first, size_t count,
                       const double *from);
void carom_abreast_take(const struct carom_abreast_rows *r, size_t array, size_t c, size_t first, size_t count,
                        double *to);

#endif
