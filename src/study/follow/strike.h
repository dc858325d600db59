/* A scene's first impact, taken out of its run: the contacts that touch, the velocities before, and what impact laws
 * make of them. So impacts can be repeated with other laws, tolerances and steps, and their forces heard. */
#ifndef CAROM_STUDY_FOLLOW_STRIKE_H
#define CAROM_STUDY_FOLLOW_STRIKE_H

#include "impact/lzb_impulse.h"
#include "study/follow/track.h"

struct carom_strike {
    struct carom_track track; /* the scene's run up to there; its model is the impact's */
    struct carom_frame frame;
    size_t n;          /* contacts */
    double time;       /* of the impact, in the run */
    double fastest;    /* largest approach velocity */
    double *q, *v;     /* nq, nv: before */
    double *e, *k, *p; /* n */
    double *rate;      /* n: gap rates before */
    double *after;     /* nv: answers of the last impact solved, and n each of the next two */
    double *impulse, *lost;
    size_t steps;
    double estimate, duration;
    /* options of the scene */
    struct carom_lzb_impulse_options printed;
    const struct carom_impact *impact; /* the one the scene names */
    double tol;                        /* of the scene, for its impacts */
    /* forces, if asked for: samples x n, sample i at i every */
    double every;
    size_t samples, room;
    double *force;
    size_t *place; /* of the model's contacts among those of the impact */
    bool full;     /* out of memory for forces */
    struct carom_track_asker asker;
};

/* Finds the first impact of the scene, whose model and options are used up. Refuses a scene without one before its end,
 * or whose impacts are not found by scheme event. `progress` (or NULL) may stop this and what follows. Close also after
 * failure. */
enum carom_status carom_strike_open(struct carom_strike *strike, struct carom_scene *scene,
                                    const struct carom_progress *progress, struct carom_error *error);
void carom_strike_close(struct carom_strike *strike);

/* Solves the impact by lzb with this tolerance, by lzb-impulse with these options, or as the scene says. With every > 0
 * forces are kept. */
enum carom_status carom_strike_lzb(struct carom_strike *strike, double tol, double every, struct carom_error *error);
enum carom_status carom_strike_printed(struct carom_strike *strike, const struct carom_lzb_impulse_options *options,
                                       double every, struct carom_error *error);
enum carom_status carom_strike_own(struct carom_strike *strike, double every, struct carom_error *error);

/* Kinetic energy at velocities v. */
double carom_strike_kinetic(const struct carom_strike *strike, const double *v);

/* How two steps differ during the impact and after it, in units of the largest velocity then: (46) and (47) of Nguyen
 * and Brogliato 2011. */
struct carom_strike_discrepancy {
    size_t steps;       /* with the step dP */
    double during, end; /* the largest Phi of all P; Phi+ */
};
enum carom_status carom_strike_compare(struct carom_strike *strike, const struct carom_lzb_impulse_options *options,
                                       struct carom_strike_discrepancy *answer, struct carom_error *error);

#endif
