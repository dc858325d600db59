/* Sweeps: a scene over a grid of values of its keys, on all cores, one file out. A sweep that was interrupted goes on
 * where it stopped; results depend neither on threads nor on interruptions. */
#ifndef CAROM_STUDY_SWEEP_SWEEP_H
#define CAROM_STUDY_SWEEP_SWEEP_H

#include "carom/progress.h"
#include "sim/blunders.h"
#include "study/range.h"
#include "study/sweep/outputs.h"

#define CAROM_SWEEP_AXES 8
#define CAROM_SWEEP_OPTION 200 /* bytes of "key=value" */
#define CAROM_SWEEP_POINTS ((uint64_t)1 << 31)

struct carom_sweep_axis {
    char *spec; /* "contacts.gamma=0:0.1:51" */
    char *key;
    struct carom_range range;
};

struct carom_ranks; /* rank/rank.h */

struct carom_sweep {
    char *name;                /* of the scene, for errors */
    struct carom_scene *scene; /* as read, with its overrides */
    bool ratios;               /* ranges go by equal ratios */
    size_t naxes;
    struct carom_sweep_axis axis[CAROM_SWEEP_AXES];
    struct carom_outputs outputs;
    double reference_tol;
    uint64_t points;
    uint64_t part, parts;      /* runs only points of this part, from 0; parts 0: all */
    struct carom_ranks *ranks; /* that share the runs; NULL: this process alone. Rank 0 has the file. */
};

/* Plans a sweep: `over` has nover entries "key=a:b:n" or "key=a,b,c", outputs are names with commas or NULL. A point
 * is bound to see that the keys are there: the first, or where that is refused another; where all are (up to a thousand
 * are tried), the sweep is, with the sentence of the first. Free with carom_sweep_free, also on failure. */
enum carom_status carom_sweep_plan(struct carom_sweep *sweep, const char *path, const char *const *set, size_t nset,
                                   const char *const *over, size_t nover, bool ratios, const char *outputs,
                                   double reference_tol, struct carom_error *error);

/* The same from a sweep file; CAROM_E_INPUT if the file is none. */
enum carom_status carom_sweep_plan_file(struct carom_sweep *sweep, const char *path, struct carom_error *error);
void carom_sweep_free(struct carom_sweep *sweep);

/* The scene of point i; NULL and the sentence on error. */
struct carom_scene *carom_sweep_scene(const struct carom_sweep *sweep, uint64_t i, struct carom_error *error);

/* The unit of the values of key i: as written, else that of the key; "SI": not known, "1": none. */
const char *carom_sweep_unit(const struct carom_sweep *sweep, size_t i);

/* "gamma = 0.1, scheme = irk" */
void carom_sweep_describe(const struct carom_sweep *sweep, uint64_t i, char *text, size_t size);

struct carom_sweep_extremes {
    double least, most; /* of one output; least > most: there is none */
    uint64_t at_least, at_most;
};

struct carom_sweep_result {
    uint64_t before;                     /* points that were done already */
    uint64_t done, failed;               /* now, of all */
    uint64_t first_failed;               /* points: none */
    struct carom_error reason;           /* of that one */
    uint64_t blundered, first_blundered; /* runs of this session, see runner.h; which is the first */
    char blunder[CAROM_BLUNDERS_TEXT];   /* of that one */
    struct carom_sweep_extremes extremes[CAROM_OUTPUTS_MOST]; /* once all is done */
    char device[400];                                         /* what has run them, and its driver; empty: none */
};

/* Runs what is not done yet of its part; ranks but the first work for it until it is done. The file is made if it is
 * not there; a file of another sweep is refused. CAROM_E_STOPPED if `progress` said so: what is done is kept. Runs that
 * fail do not end the sweep. The device is that of sweep->scene, which ranks do not share; the bits are the same on
 * any. */
enum carom_status carom_sweep_run(const struct carom_sweep *sweep, const char *path, size_t threads,
                                  const struct carom_progress *progress, struct carom_sweep_result *result,
                                  struct carom_error *error);

/* Brings what sweeps of the same grid have run, each its part, into one file, which is made or gone on in. Points that
 * two of them have run must be the same to the bit. `result`: how many are done and failed, and the first failure. */
enum carom_status carom_sweep_gather(const struct carom_sweep *sweep, const char *const *part, size_t count,
                                     const char *file, struct carom_sweep_result *result, struct carom_error *error);

#endif
