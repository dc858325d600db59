/* One contact problem with friction from r = 0 to 1e-8, its factors prepared, for groups heap and friction. */
#ifndef CAROM_BENCH_HEAP_H
#define CAROM_BENCH_HEAP_H

#include "study/stacks.h"

/* Seconds; `watch` as in carom_friction_watch, with which the solver has no limit of its own; NULL: nobody watches. */
double cli_bench_heap_solve(const struct carom_friction_data *data, enum carom_friction_solver solver,
                            bool (*watch)(void *own, size_t iterations, double residual), void *own,
                            struct carom_friction_report *report, struct carom_error *error);

#endif
