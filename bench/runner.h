/* A box of cells under scheme rattle, ready to step. */
#ifndef CAROM_BENCH_RUNNER_H
#define CAROM_BENCH_RUNNER_H

#include "base/threads.h"
#include "carom/carom.h"

struct cli_runner {
    struct carom_model *model;
    struct carom_solid *solid;
    void *options;
    struct carom_threads *threads;
    struct carom_stepper *stepper;
    struct carom_state *state;
};

/* records: every link has a record of its own, as in a body of unlike cells; threads: 0 is one without a team. Free it
 * in any case. */
enum carom_status cli_runner_create(struct cli_runner *runner, enum carom_solid_case kind, const size_t count[3],
                                    bool records, size_t threads, struct carom_error *error);

/* The same of Voronoi cells: so many in a box of that volume, each of them moved to its centre once. */
enum carom_status cli_runner_voronoi(struct cli_runner *runner, size_t cells, size_t threads,
                                     struct carom_error *error);
void cli_runner_free(struct cli_runner *runner);

#endif
