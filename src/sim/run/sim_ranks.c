/* Sims whose steps ranks share. */
#include "sim/ahead/ahead.h"
#include "sim/loop.h"

enum carom_status carom_sim_ranks(struct carom_sim *sim, struct carom_ranks *ranks, struct carom_error *error)
{
    const struct carom_scheme *scheme = sim->stepper->scheme;
    const struct carom_loop *loop = sim->own;
    if (!ranks)
        return CAROM_OK;
    if (!scheme->ranks)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme %s runs in one process: ranks share the steps of rattle on solids and of verlet "
                               "on discs and spheres, and runs of carom sweep and fit; start it without mpirun",
                               scheme->kind.name);
    if (sim->device)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "ranks take their steps on the processor: leave device out, or write device: none");
    if (carom_refine_wanted(scheme, loop->options))
        return carom_error_set(error, CAROM_E_REFUSED,
                               "ranks take steps of a given size: write run: {step: ...} instead of tol");
    sim->ranks = ranks;
    return scheme->ranks(sim->stepper, ranks, error);
}

enum carom_status carom_sim_ranks_whole(struct carom_sim *sim, struct carom_error *error)
{
    const struct carom_scheme *scheme = sim->stepper->scheme;
    return scheme->whole ? scheme->whole(sim->stepper, sim->state, error) : CAROM_OK;
}
