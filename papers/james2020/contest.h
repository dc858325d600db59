/* A contest of schemes: one scene over a range of values of a key, each value run by several schemes with the same
 * step beside one reference. Gives the error of every scheme at every value: what error maps and "best from here
 * on" need. */
#ifndef CAROM_PAPERS_JAMES2020_CONTEST_H
#define CAROM_PAPERS_JAMES2020_CONTEST_H

#include "base/threads.h"
#include "study/follow/lockstep.h"
#include "study/range.h"

#define CAROM_CONTEST_SCHEMES 8

struct carom_contest {
    const struct carom_scene *scene; /* left as it is */
    const char *name;                /* of the scene, for errors */
    const char *key;                 /* that is varied */
    const struct carom_range *range;
    size_t nschemes;
    const struct carom_scheme *scheme[CAROM_CONTEST_SCHEMES];
    double step, reference_tol;
    const struct carom_progress *progress;
};

/* Fills error_of[i * nschemes + k] with the larger of the absolute errors of displacements and velocities. */
enum carom_status carom_contest_run(const struct carom_contest *contest, struct carom_threads *threads,
                                    double *error_of, struct carom_error *error);

#endif
