/* What rows of beads on a device share, one (verlet_device.c) or many (verlet_abreast.c): which are taken, what kernels
 * are told of them, and the program. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_ROWS_H
#define CAROM_SCHEME_COMPLIANT_VERLET_ROWS_H

#include "carom/scheme.h"
#include "device/device.h"
#include "model/beads/chain.h"

/* What kernels are compiled for: the lines at the head of src/kernel/chain.cl. */
struct carom_verlet_kind {
    size_t n; /* beads of each of many rows; 0: one row */
    bool left, right, hertz, damped, alike;
};

/* CAROM_OK, or a refusal in words that says what devices take. */
enum carom_status carom_verlet_rows_accept(const struct carom_model *model, struct carom_error *error);

/* The kind of one row of an accepted model; several: what takes both. */
struct carom_verlet_kind carom_verlet_rows_kind(const struct carom_model *model);
struct carom_verlet_kind carom_verlet_rows_both(struct carom_verlet_kind a, struct carom_verlet_kind b);

/* How many numbers tell of the contacts and of the masses of a row of n beads. */
size_t carom_verlet_rows_made(const struct carom_verlet_kind *kind, size_t nc);
size_t carom_verlet_rows_masses(const struct carom_verlet_kind *kind, size_t n);

/* Tells of row c of `rows`. */
void carom_verlet_rows_tell(const struct carom_verlet_kind *kind, const struct carom_model *model, size_t rows,
                            size_t c, double *made, double *inverse);

/* The lines at the head of the program; the program of one row. */
void carom_verlet_rows_head(const struct carom_verlet_kind *kind, char *text, size_t size);
struct carom_device_program *carom_verlet_rows_compile(struct carom_device *device,
                                                       const struct carom_verlet_kind *kind, struct carom_error *error);

/* --- verlet_device.c: one long row ------------------------------------------------------------------------------- */

struct carom_verlet_device;

/* A refusal in words where devices do not take the model. */
enum carom_status carom_verlet_device_create(struct carom_verlet_device **created, struct carom_device *device,
                                             const struct carom_model *model, struct carom_error *error);
void carom_verlet_device_free(struct carom_verlet_device *d); /* NULL is fine */

/* The steps of a call. *wrong: none was taken, as the motion would not have stayed finite. */
enum carom_status carom_verlet_device_steps(struct carom_verlet_device *d, struct carom_stepper *stepper,
                                            struct carom_state *state, const struct carom_bound *bound, bool *wrong,
                                            struct carom_error *error);

#endif
