/* Discs, spheres and bodies with corners of a run file at its samples: places, velocities and contacts, for sums over
 * them (grains.h). */
#ifndef CAROM_RECORD_RUN_GRAINS_H
#define CAROM_RECORD_RUN_GRAINS_H

#include "record/grains.h"
#include "record/run_file.h"

/* What a body is; the radius of others than balls is that of a ball of their volume. */
enum carom_run_grain { CAROM_RUN_WALL, CAROM_RUN_BALL, CAROM_RUN_CORNERED };

struct carom_run_grains {
    const struct carom_run_file *run;
    struct carom_grains grains;
    const struct carom_run_item *position, *displacement, *velocity; /* NULL: not recorded */
    double *place, *speed, *centre;
    unsigned char *counts; /* n: enum carom_run_grain */
    size_t room;
    struct carom_touch *touch;
    struct carom_grains_moment moment; /* of the sample that was read; velocity NULL: not recorded */
    double time;
};

/* Needs positions or displacements; contacts that were not recorded are none. */
enum carom_status carom_run_grains_open(struct carom_run_grains *grains, const struct carom_run_file *run,
                                        struct carom_error *error);
enum carom_status carom_run_grains_read(struct carom_run_grains *grains, uint64_t row, struct carom_error *error);
void carom_run_grains_close(struct carom_run_grains *grains);

/* Mean number of contacts of a body, those with corners too, at the moment `grains->moment`; points of the same two
 * bodies with corners count once. `ends` has room for a count of each; 0 where there are no bodies. */
struct carom_run_coordination {
    double mean;
    size_t bodies, alone; /* how many there are, and how many touch nobody */
};
struct carom_run_coordination carom_run_grains_coordination(const struct carom_run_grains *grains, size_t *ends);

/* The room that bodies take, others than balls as balls of their volume, over every `stride`-th sample, the domain
 * along joined sides. Refused where there are none, or their places are not numbers. */
enum carom_status carom_run_grains_bounds(struct carom_run_grains *grains, uint64_t stride, double low[3],
                                          double high[3], struct carom_error *error);

#endif
