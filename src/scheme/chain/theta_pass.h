/* The passes over folded chains that a theta step is made of; theta_newton.c puts them together. With t = (h +
 * gamma) / 2 for each contact, E its elastic force and G the push on the beads beside it, a step is
 *
 *     X1 = X + h V + u,     m u = G t J,     m (V1 - V) = G J,     J = t E(X1) + (h - t) E(X).
 *
 * Local springs take t for h - t and the other way round. */
#ifndef CAROM_SCHEME_CHAIN_THETA_PASS_H
#define CAROM_SCHEME_CHAIN_THETA_PASS_H

#include "scheme/chain/theta_fold.h"

/* What is across the middle, into the slot half + 1 of an array of beads. */
void carom_theta_pass_mirror(const struct carom_theta_fold *fold, double *beads);

/* A first guess of u and the trial that goes with it, by elastic forces extrapolated in time. Notes which chains are
 * finite. */
void carom_theta_pass_predict(struct carom_theta_fold *fold);

/* At the trial: flows and matrix off the diagonal; or flows, elastic forces and impulses. */
void carom_theta_pass_matrix(struct carom_theta_fold *fold);
void carom_theta_pass_forces(struct carom_theta_fold *fold);

/* Residuals by the flows; of each chain the largest as a displacement, which bounds its distance from the solution. */
void carom_theta_pass_weigh(const struct carom_theta_fold *fold, double *worst);

/* From both ends to the middle: eliminates Newton's system. */
void carom_theta_pass_inward(const struct carom_theta_fold *fold);

/* From the middle to the ends: Newton's update, taken off u in live chains. */
void carom_theta_pass_outward(const struct carom_theta_fold *fold, const bool *live);

/* Gives live chains back a part of the update. */
void carom_theta_pass_give_back(const struct carom_theta_fold *fold, const bool *live, const double *part);

/* From the forces and impulses at the trial to the end of the step: v, and what contacts have lost, which is the
 * impulse of their dampers times the mean rate. */
void carom_theta_pass_finish(const struct carom_theta_fold *fold);

/* v += factor / 2 (push of gamma times the elastic forces and local springs) / m: with factor -1 from physical
 * velocities to those of the scheme, with +1 back; (43) and the start of theorem 1. `elastic` belongs to x. */
void carom_theta_pass_correct(const struct carom_theta_fold *fold, const double *elastic, double factor);

/* Has a contact of a single chain changed between `elastic` and `next`? */
bool carom_theta_pass_switched(const struct carom_theta_fold *fold);

#endif
