/* Convergence: one scene at a series of steps or tolerances, errors against a reference, observed orders. */
#ifndef CAROM_STUDY_CONVERGE_CONVERGE_H
#define CAROM_STUDY_CONVERGE_CONVERGE_H

#include "study/follow/lockstep.h"

#define CAROM_CONVERGE_ROWS 1000

/* What the rows were compared with. */
enum carom_converge_truth { CAROM_TRUTH_FILE, CAROM_TRUTH_CLOSED, CAROM_TRUTH_TIGHT, CAROM_TRUTH_FINE };

struct carom_converge_report {
    enum carom_converge_truth truth;
    const struct carom_scheme *scheme; /* of TIGHT and FINE */
    double value;                      /* their tol or step */
    double rest;                       /* CLOSED: when it comes to rest, HUGE_VAL: never */
    double time_scale;                 /* Hausdorff */
};

struct carom_converge_plan {
    const struct carom_scene *scene;   /* left as it is */
    const char *name;                  /* of the scene, for errors */
    const struct carom_scheme *scheme; /* NULL: the scene's */
    const char *knob;                  /* the option that is varied: "step" or "tol" */
    size_t count;
    const double *value;        /* count, one per row */
    double gamma_per_step;      /* 0: gamma stays; else gamma is this times the row's step, also in its reference */
    enum carom_norm norm;       /* 0: the largest difference */
    double time_scale;          /* Hausdorff: this time counts as much as U and V; 0: U / V */
    double reference_tol;       /* 0: chosen */
    const char *reference_file; /* or NULL */
    const struct carom_progress *progress;
    struct carom_converge_report *report; /* NULL: nobody asks */
};

struct carom_converge_row {
    double value; /* of the knob */
    uint64_t steps, evaluations;
    struct carom_sup sup;    /* absolute errors, in the plan's norm */
    double u, v;             /* relative to the scales; of L1 to scale times duration */
    double doubt_u, doubt_v; /* of the reference, absolute; 0 where nobody checked */
    double own_u, own_v;     /* of the norm itself, absolute: what straight lines miss of filled-in graphs */
    struct carom_scales scales;
};

/* Fills `count` rows. The reference is the plan's file, else the closed form of the problem if it has
 * one, else dp5 with a far tighter tolerance or, where contacts are rigid, event; where that refuses, the scheme itself
 * with a sixteenth of the smallest step. */
enum carom_status carom_converge_run(const struct carom_converge_plan *plan, struct carom_converge_row *row,
                                     struct carom_error *error);

/* The tolerance a plan's reference gets if none is asked for. */
double carom_converge_reference_tol(const struct carom_converge_plan *plan);

/* The slope of log e over log x by least squares; with bins > 0, over the largest e of each of so many equal parts of
 * the range of log x. Pairs with e = 0 are left out; NaN if fewer than two are left. */
double carom_converge_slope(const double *x, const double *e, size_t count, size_t bins);

#endif
