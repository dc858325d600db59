/* The peak force of a contact: the largest force with which it has pushed in a run, as it acts (contact_force.h). It is
 * looked at after every step. Between two looks the overlap is the cubic through overlaps and rates at both, a law's
 * history that of the earlier one, and the force what the law says of them; so a force that jumps where its contact
 * closes or opens is followed up to the jump and never across it. A peak between looks is searched beside each look
 * that stands above its neighbours. Forces that no law tells, those of rigid contacts, may jump anywhere and count at
 * looks only. Those of solids, which no single overlap tells, have the top of a parabola through three looks. Pulls are
 * no peaks.
 *
 * Where forces are known by samples only (run files; impacts, which tell forces in a time of their own), the peak is
 * the top of the polynomial through the samples around the largest (solve/summit.h). */
#ifndef CAROM_MODEL_PEAK_FORCE_H
#define CAROM_MODEL_PEAK_FORCE_H

#include "model/contact_force.h"

/* All contacts at one time. */
struct carom_look {
    double time, *deform, *rate, *force; /* n each */
    double *history;                     /* nh: of all laws */
    double *times;                       /* n, where contacts are looked at apart; NULL: all at `time` */
};

/* Contacts are independent: they may be those of a model, or of several chains in any order. */
struct carom_peak_force {
    size_t n, nh;
    uint64_t seen;             /* looks so far */
    struct carom_look look[3]; /* the last ones, the oldest first */
    double *largest, *when;    /* n: the peak, after carom_peak_force_end, and its time */
    /* the force of contact j at an overlap and its rate, with the history of a look; NULL: looks tell all */
    double (*force)(const void *own, size_t j, const double *history, double deform, double rate);
    const void *own;
    double *block;
};

enum carom_status carom_peak_force_open(struct carom_peak_force *peak, size_t n, size_t nh, struct carom_error *error);
void carom_peak_force_close(struct carom_peak_force *peak); /* fine for zeros */

/* Another look, not before the last one, to be filled before it is noted. */
struct carom_look *carom_peak_force_turn(struct carom_peak_force *peak, double time);
void carom_peak_force_note(struct carom_peak_force *peak);

/* Both for a view of a model, which peak->force and own then tell of. */
void carom_peak_force_see(struct carom_peak_force *peak, const struct carom_model *model,
                          const struct carom_state *view);

/* The last look, for now, may be the highest. Looks may go on. */
void carom_peak_force_end(struct carom_peak_force *peak);

/* The same for contacts [from, to) alone, where only these have been looked at: those of the last look, and of the ones
 * before it at least the forces. */
void carom_peak_force_note_some(struct carom_peak_force *peak, size_t from, size_t to);
void carom_peak_force_end_some(struct carom_peak_force *peak, size_t from, size_t to);

/* A force by its place on [low, high], of which place 0 is at `start` and 1 is h later. */
struct carom_peak_course {
    double start, h, low, high;
    double (*force)(const void *own, double s);
    const void *own;
};

/* The top of it, the largest so far or not, by parabolas through three points, halves before a top is between them: a
 * few forces tell that of a smooth one to 1e-9 of itself. False: it has none. */
bool carom_peak_force_vault(const struct carom_peak_force *peak, size_t j, const struct carom_peak_course *course);

/* --- from samples ------------------------------------------------------------------------------------------------ */

#define CAROM_PEAK_SAMPLES 5

/* The last samples of one contact, the oldest first; all zeros to begin with. */
struct carom_peak_samples {
    size_t count;
    double time[CAROM_PEAK_SAMPLES], force[CAROM_PEAK_SAMPLES];
    double largest, when; /* the peak, once carom_peak_force_sampled has been called, and its time */
};

/* Another sample; one that is not later begins a new record. */
void carom_peak_force_sample(struct carom_peak_samples *samples, double time, double force);
/* The same where samples are evenly spaced and those of 0 are left out, as impacts tell them. */
void carom_peak_force_told(struct carom_peak_samples *samples, double time, double force);
void carom_peak_force_sampled(struct carom_peak_samples *samples); /* the record ends */

#endif
