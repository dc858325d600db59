/* NLopt: BOBYQA (Powell 2009) near a start, Subplex (Rowan 1990) for a single number, locally biased DIRECT (Gablonsky
 * and Kelley 2001) inside bounds. None of them draws random numbers. */
#include "solve/search.h"

#ifdef CAROM_WITH_NLOPT

#include <math.h>
#include <nlopt.h>

struct call {
    const struct carom_search *search;
    nlopt_opt opt;
    bool stopped;
};

bool carom_search_available(void)
{
    return true;
}

static double value(unsigned n, const double *x, double *slope, void *own)
{
    struct call *call = own;
    double found = HUGE_VAL;
    (void)n, (void)slope;
    if (!call->stopped && !call->search->value(call->search->own, x, &found)) {
        call->stopped = true;
        nlopt_force_stop(call->opt);
    }
    return found;
}

enum carom_status carom_search_run(const struct carom_search *search, bool global, double *x, struct carom_error *error)
{
    struct call call = {.search = search};
    double least = 0.0;
    for (size_t i = 0; global && i < search->n; i++) /* DIRECT begins in the middle, but wants a point inside */
        x[i] = 0.5 * (search->low[i] + search->high[i]);
    call.opt = nlopt_create(global          ? NLOPT_GN_DIRECT_L
                            : search->n > 1 ? NLOPT_LN_BOBYQA
                                            : NLOPT_LN_SBPLX,
                            (unsigned)search->n);
    if (call.opt == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    bool good = nlopt_set_min_objective(call.opt, value, &call) > 0 &&
                nlopt_set_lower_bounds(call.opt, search->low) > 0 &&
                nlopt_set_upper_bounds(call.opt, search->high) > 0 &&
                nlopt_set_maxeval(call.opt, (int)(search->most < 1000000 ? search->most : 1000000)) > 0;
    if (good && !global) { /* callers measure x so that all first steps are alike */
        double smallest = HUGE_VAL;
        for (size_t i = 0; i < search->n; i++)
            smallest = fmin(smallest, search->step[i]);
        good = nlopt_set_initial_step(call.opt, search->step) > 0 &&
               nlopt_set_xtol_abs1(call.opt, search->tol * smallest) > 0;
    }
    const nlopt_result result = good ? nlopt_optimize(call.opt, x, &least) : NLOPT_INVALID_ARGS;
    nlopt_destroy(call.opt);
    if (call.stopped)
        return carom_error_set(error, CAROM_E_STOPPED, "stopped");
    if (result > 0 || result == NLOPT_ROUNDOFF_LIMITED)
        return CAROM_OK;
    if (result == NLOPT_OUT_OF_MEMORY)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    return carom_error_set(error, CAROM_E_NUMERIC, "the search broke down (NLopt says %d)", (int)result);
}

#else

bool carom_search_available(void)
{
    return false;
}

enum carom_status carom_search_run(const struct carom_search *search, bool global, double *x, struct carom_error *error)
{
    (void)search, (void)global, (void)x;
    return carom_error_set(error, CAROM_E_REFUSED,
                           "this carom was built without NLopt, which searches need: install libnlopt-dev and build it "
                           "again, or take --method polish, which goes from a good start by itself");
}

#endif
