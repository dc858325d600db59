/* One scene under several theories, several scenes, or run files side by side: what each says of velocities after
 * impact, forces, impulses, arrival times, losses and cost, and how far their motions are apart. */
#ifndef CAROM_STUDY_COMPARE_COMPARE_H
#define CAROM_STUDY_COMPARE_COMPARE_H

#include "study/follow/run_summary.h"
#include "study/theories.h"

#define CAROM_COMPARE_MOST 64
#define CAROM_COMPARE_ARRIVAL 0.01 /* of V: the change of velocity at which a body counts as reached */

struct carom_compare_entry {
    char label[96];                 /* its column */
    const char *path;               /* the scene or run file */
    bool file;                      /* the file is read, nothing is run */
    const struct carom_scene *base; /* the scene as it was read; NULL: it could not be, or it is a file */
    struct carom_theory theory;
    char dropped[128];        /* keys of `run` that were taken away */
    char name[24], title[96]; /* of the theory; of the scene */
    bool si;
    struct carom_error error; /* refused or failed: why */
    struct carom_run_summary found;
    double *arrival; /* nv, or NULL */
};

/* Norms of the differences of displacements and velocities, the largest over all bodies. */
enum { CAROM_COMPARE_SUP, CAROM_COMPARE_L1, CAROM_COMPARE_HAUSDORFF, CAROM_COMPARE_NORMS };

struct carom_compare_distance {
    double u[CAROM_COMPARE_NORMS], v[CAROM_COMPARE_NORMS];
};

struct carom_compare {
    size_t count;
    struct carom_compare_entry *entry;
    size_t nbases;
    struct carom_scene *bases[CAROM_COMPARE_MOST];
    size_t first;                            /* the first entry that ran: what others are measured against */
    double time_scale;                       /* that counts as much as U and V; 0 before the run: U / V of the first */
    struct carom_scales scales;              /* of the first */
    struct carom_compare_distance *distance; /* count x count */
    double *apart;                           /* count x nv: largest difference in velocity from the first, each body */
};

/* Plans: every path under every theory (none: as it is). A run file is read if there are no theories, else its scene is
 * taken. A path that cannot be read is an error; what a theory refuses is not, it stands in the entry. Free with
 * carom_compare_free, also on failure. */
enum carom_status carom_compare_plan(struct carom_compare *compare, const char *const *path, size_t npaths,
                                     const struct carom_theory *theory, size_t ntheories, const char *const *set,
                                     size_t nset, struct carom_error *error);
void carom_compare_free(struct carom_compare *compare);

/* Runs all on `threads` threads (0: as many as there are cores); `timed`: each once more, plainly, for its cost.
 * Entries that fail do not end it. CAROM_E_INPUT if those that ran have not the same number of bodies. */
enum carom_status carom_compare_run(struct carom_compare *compare, size_t threads, bool timed,
                                    const struct carom_progress *progress, struct carom_error *error);

enum { CAROM_COMPARE_TEXT = 480 };

/* A sentence where theories differ by construction, and nothing is wrong with either; false: there is none. */
bool carom_compare_laws(const struct carom_compare *compare, char text[CAROM_COMPARE_TEXT]);

/* --- compare_file.c: what each entry says, as arrays with an axis for the entries -------------------------------- */

/* Writes the result of carom_compare_run; the file appears whole or not at all. Another HDF5 file at `path` is replaced
 * only if it is the file of a comparison. */
enum carom_status carom_compare_file_write(const struct carom_compare *compare, const char *path,
                                           struct carom_error *error);

/* May it be written there? To be asked before the work. */
enum carom_status carom_compare_file_may(const char *path, struct carom_error *error);

#endif
