/* Static equilibrium of solids and balls together: with their loads, ties, and contacts, of which friction does not
 * act. */
#ifndef CAROM_MODEL_SOLID_REST_SOLID_REST_H
#define CAROM_MODEL_SOLID_REST_SOLID_REST_H

#include "model/solid/strike/solid_strike.h"

struct carom_solid_rest {
    const struct carom_model *model; /* finished, with its contacts */
    struct carom_threads *threads;
    const struct carom_progress *progress;
    double tol;
    const bool *settles; /* by solids: does this one? Others stand still */
    const double *v;     /* of the model: balls that move do not rest */
};

/* Does anything that settles touch something at q, within a thousandth of its size, or is it tied? */
bool carom_solid_rest_touches(const struct carom_solid_rest *rest, double *q, bool *touches, struct carom_error *error);

/* How that ended. */
struct carom_rest_name {
    char text[48];
};
struct carom_solid_rest_end {
    bool unstable; /* as for carom_solid_settle */
    double slides; /* what is left where nothing but friction would hold, over the largest load; 0: nothing */
    struct carom_rest_name who; /* of which body most */
    double rough;               /* what is left over the largest load; more than rounding where forces jump */
};

/* Moves q (the whole model's) to rest under the loads of time 0; balls take part that stand still and touch something
 * that takes part, or a plane. */
enum carom_status carom_solid_rest_settle(const struct carom_solid_rest *rest, double *q,
                                          struct carom_solid_rest_end *end, struct carom_error *error);

#endif
