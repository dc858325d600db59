/* Contacts of a chain at one end of a step of verlet, and what those of both ends give. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_SQUEEZED_H
#define CAROM_SCHEME_COMPLIANT_VERLET_SQUEEZED_H

#include "model/beads/chain.h"

/* of contacts one after the other; viscous and drag may be NULL */
struct carom_verlet_squeezed {
    double *deform, *elastic, *viscous, *drag;
};

static inline struct carom_verlet_squeezed carom_verlet_squeezed_from(const struct carom_verlet_squeezed *s,
                                                                      size_t first)
{
    return (struct carom_verlet_squeezed){s->deform + first, s->elastic + first, s->viscous + first, s->drag + first};
}

/* Contacts [first, last) at q; forces of damped ones are for velocities to come. */
void carom_verlet_squeezed_at(const struct carom_model *model, const struct carom_chain *chain, size_t first,
                              size_t last, const double *q, const struct carom_verlet_squeezed *out);

/* Impulses of n contacts over a step h (twice their mean force) and their losses, where all end with their gap. */
void carom_verlet_squeezed_give(size_t n, double h, const struct carom_verlet_squeezed *before,
                                const struct carom_verlet_squeezed *after, const double *restrict lost0,
                                double *restrict lost1, double *restrict both);

/* Does any of n contacts open or close? By overlaps, or by elastic forces. */
bool carom_verlet_squeezed_switch(size_t n, const double *before, const double *after);

/* Are n numbers finite? */
bool carom_verlet_squeezed_finite(size_t n, const double *v);

#endif
