/* What a run is measured against: a run of the same scene by dp5 with a far tighter tolerance, or a run file. The first
 * comes with a second run of ten times its tolerance, whose distance says how far the reference itself may be off. */
#ifndef CAROM_STUDY_REFERENCE_H
#define CAROM_STUDY_REFERENCE_H

#include "record/run_file.h"
#include "study/track.h"

/* Largest absolute differences of displacements and velocities so far. */
struct carom_sup {
    double u, v;
    uint64_t times; /* compared */
};

/* NaN counts as infinite. */
void carom_reference_sup(struct carom_sup *sup, const struct carom_model *model, const double *qa, const double *va,
                         const double *qb, const double *vb);

struct carom_reference {
    struct carom_track best, check; /* check.sim is NULL where nothing checks */
    struct carom_sup doubt;         /* their distance so far */
    struct carom_run_file *run;     /* or a file */
    const struct carom_run_item *item[2];
    uint64_t row; /* next one */
    double next;  /* its time, HUGE_VAL: there is none */
    double *u_row, *v_row;
    const double *q, *v; /* the truth at the time last asked for */
};

/* A tighter run of the scene, which is left as it is; `checked`: with the second run beside it. */
enum carom_status carom_reference_open(struct carom_reference *reference, const struct carom_scene *scene,
                                       const char *name, double tol, bool checked, struct carom_error *error);

/* A run file with displacements u and velocities v of a model of this size. */
enum carom_status carom_reference_open_file(struct carom_reference *reference, const char *path,
                                            const struct carom_model *model, struct carom_error *error);
void carom_reference_close(struct carom_reference *reference); /* fine for a zeroed one */

/* On to time t, not before the last one; of a file t must be `next`. */
enum carom_status carom_reference_at(struct carom_reference *reference, double t, struct carom_error *error);

#endif
