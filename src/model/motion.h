/* The motion of a whole model, part after part,
 *
 *     M(q) v' = F(t, q, v) + G(t, q) lambda,   q' = T(q) v,
 *
 * and what loads and drives do to it. Schemes and studies ask here and never loop over parts themselves: this is the
 * place where parts may be shared out among threads, machines and devices. `scratch` is what parts write on while they
 * are at work: model->energy_scratch doubles for energies and jumps, model->force_scratch for the others. */
#ifndef CAROM_MODEL_MOTION_H
#define CAROM_MODEL_MOTION_H

#include "carom/state.h"

/* Accelerations under the parts' own forces, and the pushes lambda of contacts unless that is NULL. `force` (nv) is
 * left with the forces that act. work (nparts, or NULL) += the power of ports that move by themselves. */
void carom_motion_accelerate(const struct carom_model *model, double t, const double *q, const double *v,
                             const double *lambda, double *scratch, double *force, double *a, double *work);

/* rate = q' = T(q) v. */
void carom_motion_flow(const struct carom_model *model, const double *q, const double *v, double *rate);

/* v of a rate q' = T(q) v: columns of T stand across each other. `room` has nq + nv doubles. */
void carom_motion_unflow(const struct carom_model *model, const double *q, const double *rate, double *room, double *v);

/* moved = q after a way `step` (nv), a velocity times a time; moved may be q. */
void carom_motion_move(const struct carom_model *model, const double *q, const double *step, double *moved);

/* Gives rotations, which integration stretches, their length again; `still` (nv) is spent. */
void carom_motion_normalise(const struct carom_model *model, double *q, double *still);

/* What makes coordinate i, or velocity i (`rate`), a length or speed: 1, or of turns how far a body reaches. And how
 * far apart two states are by that, at most. */
double carom_motion_lever(const struct carom_model *model, bool rate, size_t i);
void carom_motion_apart(const struct carom_model *model, const struct carom_state *a, const struct carom_state *b,
                        double *length, double *speed);

/* Pulls q and v back onto the joints of the parts. */
void carom_motion_project(const struct carom_model *model, double t, double *q, double *v);

/* Puts what is driven where it is at t, with the speed it has right after. */
void carom_motion_impose(const struct carom_model *model, double t, double *q, double *v);

/* Power that each part dissipates itself, and power its loads and drives put in (nparts each). */
void carom_motion_power(const struct carom_model *model, double t, const double *q, const double *v, double *scratch,
                        double *dissipated, double *work);

/* Adds what that power comes to in a time h. */
void carom_motion_spend(const struct carom_model *model, double t, const double *q, const double *v, double h,
                        double *scratch, double *spent, double *work);

/* Kinetic and stored energy of the parts, contacts apart. */
void carom_motion_energy(const struct carom_model *model, double t, const double *q, const double *v, double *scratch,
                         double *kinetic, double *stored);

/* The same of a view, by its threads. */
void carom_motion_energies(const struct carom_model *model, const struct carom_state *view, double *kinetic,
                           double *stored);

/* The shortest time in which a signal that acts in one of these ways (enum carom_action) goes from 0 to its largest
 * value; HUGE_VAL: there is none. Signals that rest at *now do not count, unless `now` is NULL. */
double carom_motion_pace(const struct carom_model *model, unsigned actions, const double *now);

/* The same of forces that swing (sines, chirps, rickers), which bodies that are held do not answer. */
double carom_motion_swing(const struct carom_model *model);

/* How long a step from `now` may be that is not to pass over a pulse which begins without a break (a ricker). */
double carom_motion_pulse(const struct carom_model *model, double now);

/* The times at which signals break, rising, which the caller frees; NULL: out of memory. */
double *carom_motion_breaks(const struct carom_model *model, size_t *count);

/* work (nparts) += energy that loads put in at once at a break t. */
void carom_motion_jump(const struct carom_model *model, double t, const double *q, double *scratch, double *work);

#endif
