/* Tangential springs held by Coulomb's cone, common to cundall-strack and mindlin. With stiffness k(d), stretch x and
 * viscous time g the force on side b is
 *
 *     F = -P(k x + k g slip),   P: onto the disc of radius mu max(N, 0),
 *
 * and x follows the slip but never leaves k |x| <= mu N. As x itself lies inside the disc, such a contact never gives
 * more than it was given, but for changes of k with the overlap, which each form treats its own way. */
#ifndef CAROM_LAW_FRICTION_SPRING_H
#define CAROM_LAW_FRICTION_SPRING_H

#include "carom/friction.h"
#include "kernel/press.h"

enum carom_friction_form {
    CAROM_FORM_SPRING,    /* F = k(d) x: creates energy where the overlap grows over a stretched spring */
    CAROM_FORM_POTENTIAL, /* the same and the normal force k'(d) x^2 / 2 that makes it conservative */
    CAROM_FORM_FORCE,     /* F' = k(d) x': right while the normal force grows, creates energy where it falls */
    CAROM_FORM_RESCALED,  /* the same, with F falling as k does on unloading: never creates any */
};

/* One contact of a law with springs. */
struct carom_friction_spring {
    double mu, mu_static, gamma;
    enum carom_friction_form form;
    double stiffness[2]; /* k at the overlap, or at both ends of a step; 0 where open */
    double slope;        /* k'(d), or 0; in touch, where it may have no bound, 0 as well */
    double onset;        /* see struct carom_friction */
};

void carom_friction_spring_moment(const struct carom_friction_moment *m, size_t j,
                                  const struct carom_friction_spring *spring);
void carom_friction_spring_step(const struct carom_friction_step *s, size_t j,
                                const struct carom_friction_spring *spring);

#endif
