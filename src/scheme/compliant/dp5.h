/* What the files of scheme dp5 share: its workspace, and looks at its states. */
#ifndef CAROM_SCHEME_COMPLIANT_DP5_H
#define CAROM_SCHEME_COMPLIANT_DP5_H

#include "scheme/columns.h"
#include "scheme/compliant/losses.h"
#include "scheme/compliant/modes.h"
#include "scheme/compliant/rates.h"
#include "scheme/dormand_prince.h"
#include "scheme/stepper.h"

/* What the state's memory holds (columns.h); the last column is that of chains only. */
enum {
    CAROM_DP5_NEXT_STEP,
    CAROM_DP5_LAST_ERROR,
    CAROM_DP5_ALLOWED, /* error of a step */
    CAROM_DP5_MODES,   /* of contacts */
    CAROM_DP5_SINCE,   /* since when each bead is asleep */
    CAROM_DP5_COLUMNS
};
extern const struct carom_column carom_dp5_columns[CAROM_DP5_COLUMNS];

struct carom_dp5_options {
    double tol, share;
    bool window, doze;
};

extern const struct carom_param carom_dp5_params[];

struct carom_dp5 {
    struct carom_rates rates;
    struct carom_modes modes;
    struct carom_dormand_prince step; /* the last one; y1 is `trial`, its end in the variables of its start */
    double *trial;                    /* nall */
    double *physical;                 /* nv */
    struct carom_losses start, last;  /* contacts at the start of the step; and of the step before */
    size_t *near, nnear;              /* nc: list of contacts that touch at an end of the step, or nearly */
    uint64_t count;                   /* the state the last step led to */
    double time;
    double pull;     /* the rate at which the fastest dashpot relaxes; 0 where none jumps */
    double relaxed;  /* and how often the fastest that acts does so in the step, or more */
    bool fused;      /* dp5_fused.h */
    bool spread;     /* the slopes of losses are there */
    bool known;      /* that state and stepper->before are alike in all that a step does not write */
    bool last_known; /* k[6] belongs to that state: it is the next k[0] */
};

static inline double *carom_dp5_modes(const struct carom_state *state)
{
    return carom_columns_at(carom_dp5_columns, CAROM_DP5_MODES, state, 0); /* before it nothing depends on contacts */
}

static inline double *carom_dp5_since(const struct carom_state *state, const struct carom_model *model)
{
    return carom_columns_at(carom_dp5_columns, CAROM_DP5_SINCE, state, model->nc);
}

/* The rate at which the fastest of the dashpots whose force jumps relaxes, which is the same at any overlap; 0 where
 * none jumps. */
double carom_dp5_stages_fastest(const struct carom_rates *rates);

/* local error in units of the scales; what is not q or v is history, which has units of its own: relative to its
 * largest */
double carom_dp5_stages_error(const struct carom_stepper *stepper, const double *y);

/* The slopes dy at y once more, outside stages. */
void carom_dp5_stages_evaluate(struct carom_dp5 *w, double t, const double *y, double *dy);

/* The stages of a step of size h from `from` into w->trial; k[0] is known. Signals that break at the end of the step
 * are taken as they are before. */
void carom_dp5_stages_take(struct carom_stepper *stepper, const struct carom_state *from, double h, double t_stop);

/* A step of size h just taken again that is to end where contact j changes; at most `longest`. The dense output that
 * told the place errs as steps do, and a force that jumps too early or too late makes an error of velocity of it, that
 * long flights magnify. So the step ends where its own end says. Returns its size. */
double carom_dp5_stages_meet(struct carom_stepper *stepper, const struct carom_state *from, size_t j, double h,
                             double longest, double t_stop);

/* As in struct carom_scheme. */
void carom_dp5_look_sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view);
void carom_dp5_look_sync_range(struct carom_stepper *stepper, const struct carom_state *state, size_t first,
                               size_t last, struct carom_state *view);
void carom_dp5_look_dense(struct carom_stepper *stepper, const struct carom_state *state, double t,
                          struct carom_state *view);

#endif
