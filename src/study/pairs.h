/* The kinds of pairs that meet in a model: contacts alike in law, parameters, ending and the mass that meets. For their
 * restitution, and for the dimensionless numbers of James et al. 2020, equations (6)-(9). Compliant contacts only. */
#ifndef CAROM_STUDY_PAIRS_H
#define CAROM_STUDY_PAIRS_H

#include "carom/model.h"

struct carom_pair {
    const struct carom_group *group;
    size_t index;   /* in the group, the first of its kind */
    size_t contact; /* of the model, from 0 */
    size_t count;   /* contacts of this kind */
    double mass;    /* that meets: of the body at a wall, reduced of two */
};

/* Kinds of pairs, up to `room` of them, in the order of their first contacts, with the bodies at q; returns how many.
 * *more (or NULL) is the number of contacts of further kinds. */
enum carom_status carom_pairs_find(const struct carom_model *model, const double *q, struct carom_pair *pair,
                                   size_t room, size_t *count, size_t *more, struct carom_error *error);

/* The values of a pair's law, in the order of its table. */
void carom_pairs_values(const struct carom_pair *pair, double value[CAROM_LAW_WIDTH]);

/* Force at rest of a fresh contact of the pair, and impulse of its damper (or NULL), at overlap d. */
void carom_pairs_respond(const struct carom_pair *pair, double d, double *elastic, double *viscous);

/* A pair closing with speed V in dimensionless form: F = k (d^p + gamma d/dt d^b) becomes
 *     z'' = -(z^p + gamma~ d/dtau z^b),   t = T tau,   d = V T z                       (7)
 *     T = (m / k)^(1/(p+1)) V^((1-p)/(1+p))                                            (6)
 *     gamma~ = gamma (V T)^(b-p) / T                                                   (8)
 *     e = 1 - gamma~ / c, gamma~ small, c = 1 / (2 b/(p+1) Z^b B(b/(p+1), 3/2)), Z^(p+1) = (p+1)/2   (9)
 * which for p = b = 3/2 are the paper's: c = 0.578. */
struct carom_pairs_numbers {
    double k, p;        /* of the force at rest */
    double time;        /* T */
    double gamma, b;    /* of the damping; gamma = 0: none */
    double damping;     /* gamma~ */
    double coefficient; /* c */
};

/* False: the law is no power of the overlap, and has no such numbers. */
bool carom_pairs_scaled(const struct carom_pair *pair, double speed, struct carom_pairs_numbers *numbers);

#endif
