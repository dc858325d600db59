/* One impact of two discs or spheres, or of one and a wall, at any angle of incidence: what comes back along the normal
 * and along the surface, and how the bodies turn after it. */
#ifndef CAROM_STUDY_OBLIQUE_H
#define CAROM_STUDY_OBLIQUE_H

#include "carom/bodies.h"

/* Two bodies that may meet; others of the same size, mass and material meet alike. */
struct carom_oblique_pair {
    size_t body[2];  /* from 0; the second is a ball that moves */
    double mass;     /* that meets: reduced of two, of the ball at what stands still */
    double mobility; /* slip that an impulse of 1 along the surface makes */
    double mu;       /* of its friction law; 0: none */
    const struct carom_pairing *pairing;
    double param[CAROM_LAW_WIDTH]; /* of its normal law */
};

/* The kinds of pairs among bodies, up to `room`; returns how many. Round walls, from inside or outside, and boxes that
 * move are left out: *more says how many sorts. */
size_t carom_oblique_pairs(const struct carom_bodies *bodies, struct carom_oblique_pair *pair, size_t room,
                           size_t *more);

/* Directions are those of the mean of the normals at touch and at parting. */
struct carom_oblique {
    double e;        /* separating over closing speed along the normal */
    double beta;     /* -slip after over slip before, at the surfaces: -1 smooth, 1 as rough as can be; NaN: no slip */
    double gross;    /* beta if it slid all the time: -1 + mobility mu (1 + e) mass closing speed / slip */
    bool slides;     /* it did: friction's impulse is mu times the normal one, to 1e-4 */
    double rebound;  /* angle of the relative velocity after it from the normal, radians; below 0: it comes back */
    double spin[2];  /* after it, of both, positive where the surface of contact is dragged along with the slip */
    double duration; /* NaN: under scheme dp5 they do not part */
    double lost;     /* energy, as a share of that before, seen from their centre of mass */
};

/* The second body strikes the first with this speed, `angle` (radians, below pi/2) from the normal, neither turning,
 * and is followed by dp5 at `tol` until they part. */
enum carom_status carom_oblique_find(const struct carom_bodies *bodies, const struct carom_oblique_pair *pair,
                                     double speed, double angle, double tol, struct carom_oblique *out,
                                     struct carom_error *error);

#endif
