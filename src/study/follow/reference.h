/* What a run is measured against: a closed form, a run of the same scene with a far tighter tolerance (by dp5 or,
 * where contacts are rigid, by event), one with a far smaller step, or a run file. Runs come with a second one of ten
 * times the tolerance or twice the step, whose distance says how far the reference itself may be off. */
#ifndef CAROM_STUDY_FOLLOW_REFERENCE_H
#define CAROM_STUDY_FOLLOW_REFERENCE_H

#include "record/run_file.h"
#include "study/follow/academic.h"
#include "study/follow/track.h"

/* How distances are measured: the largest over time; the integral over time, as a sum weighted by the time since the
 * last comparison; of filled-in graphs (which needs the whole motion, see study/trail.h). The largest over all bodies
 * in all. */
enum carom_norm { CAROM_NORM_SUP, CAROM_NORM_L1, CAROM_NORM_HAUSDORFF };

/* Differences of displacements and velocities so far, in the norm asked for. */
struct carom_sup {
    double u, v;
    uint64_t times; /* compared */
};

/* Takes one more time into account. */
void carom_reference_sum(struct carom_sup *sum, double weight, const struct carom_apart_place *a,
                         const struct carom_apart_place *b);
void carom_reference_sup(struct carom_sup *sup, const struct carom_apart_place *a, const struct carom_apart_place *b);

#define CAROM_REFERENCE_FINEST 1e-13 /* tighter tolerances are lost in rounding */

/* Is an error more than so many times what its reference may be off by? Rounding is nobody's error. */
bool carom_reference_tells(const struct carom_sup *sup, const struct carom_sup *doubt, double times,
                           const struct carom_scales *scales);

struct carom_reference {
    enum carom_norm norm;
    struct carom_track best, check; /* check.sim is NULL where nothing checks */
    struct carom_sup doubt;         /* their distance so far */
    double last;                    /* time of the last comparison */
    bool closed;                    /* there is a closed form: */
    struct carom_academic_motion exact;
    double exact_q, exact_v;
    struct carom_run_file *run; /* or a file */
    const struct carom_run_item *item[2];
    uint64_t row; /* next one */
    double next;  /* its time, HUGE_VAL: there is none */
    double *u_row, *v_row;
    struct carom_apart_place at; /* the truth at the time last asked for; of files and closed forms without a model */
};

/* The scheme of tighter runs of a model: dp5, or event if it has rigid contacts. */
const struct carom_scheme *carom_reference_scheme(const struct carom_model *model);

/* The closed form of the scene's motion; reference->closed tells whether there is one that can be worked out. */
enum carom_status carom_reference_open_closed(struct carom_reference *reference, const struct carom_scene *scene,
                                              struct carom_error *error);

/* A run of the scene under its own scheme with this step, and twice that for the second. `watch`: as for tracks. */
enum carom_status carom_reference_open_fine(struct carom_reference *reference, const struct carom_scene *scene,
                                            const char *name, double step, const struct carom_watch *watch,
                                            struct carom_error *error);

/* A tighter run of the scene, which is left as it is; `checked`: with the second run beside it. */
enum carom_status carom_reference_open(struct carom_reference *reference, const struct carom_scene *scene,
                                       const char *name, double tol, bool checked, const struct carom_watch *watch,
                                       struct carom_error *error);

/* A run file with displacements u and velocities v of a model of this size. */
enum carom_status carom_reference_open_file(struct carom_reference *reference, const char *path,
                                            const struct carom_model *model, struct carom_error *error);
void carom_reference_close(struct carom_reference *reference); /* fine for a zeroed one */

/* On to time t, not before the last one; of a file t must be `next`. */
enum carom_status carom_reference_at(struct carom_reference *reference, double t, struct carom_error *error);

#endif
