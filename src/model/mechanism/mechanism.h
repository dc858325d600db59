/* What mechanism.c and mechanism_check.c share: a mechanism in a model, its matrices at one configuration. */
#ifndef CAROM_MODEL_MECHANISM_MECHANISM_H
#define CAROM_MODEL_MECHANISM_MECHANISM_H

#include "carom/mechanism.h"

#define CAROM_MECHANISM_SQUARE (CAROM_MECHANISM_WIDTH * CAROM_MECHANISM_WIDTH)

/* A row of J: derivatives in q and in t of a joint or distance. */
struct carom_mechanism_row {
    double slope[CAROM_MECHANISM_WIDTH];
    double drift;
};

/* M = L L^T and what the joints add: S = J M^-1 J^T = K K^T. */
struct carom_mechanism_frame {
    double l[CAROM_MECHANISM_SQUARE];
    double k[CAROM_MECHANISM_SQUARE];
    struct carom_mechanism_row joint[CAROM_MECHANISM_WIDTH];
    double value[CAROM_MECHANISM_WIDTH];   /* of the joints */
    double answer[CAROM_MECHANISM_SQUARE]; /* row i: M^-1 J_i */
    bool diagonal;                         /* M is, as that of bodies in the plane */
    size_t bad_mass, bad_joint;            /* the first equation and joint, from 1, at which elimination broke down */
};

void carom_mechanism_distance(const struct carom_mechanism *m, size_t i, double t, const double *q, double *value,
                              struct carom_mechanism_row *row);
/* Likewise how it slips; value 0 where only the rate is known. False: nothing is known of slips. */
bool carom_mechanism_slip(const struct carom_mechanism *m, size_t i, double t, const double *q, double *value,
                          struct carom_mechanism_row *row);
/* Factors M and, if the mechanism has joints, S. What cannot be factored gives NaN, and says so in bad_*. */
void carom_mechanism_factor(const struct carom_mechanism *m, double t, const double *q,
                            struct carom_mechanism_frame *frame);

/* All forces but those of contacts: the user's, the links', and the velocity terms. */
void carom_mechanism_force(const struct carom_mechanism *m, double t, const double *q, const double *v, double *f);

/* The same function as the part's `explain`. */
enum carom_status carom_mechanism_check(const void *own, double t, const double *q, const double *v,
                                        struct carom_error *error);

#endif
