/* The fused step of verlet for undamped Hertz chains; verlet.c decides when it may be taken. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_FUSED_H
#define CAROM_SCHEME_COMPLIANT_VERLET_FUSED_H

#include "carom/state.h"
#include "model/beads/chain.h"

/* What a step leaves for the next one. */
struct carom_verlet_fused {
    double *ease; /* n: h / 2 / mass */
    double *kick; /* n: what the forces at the state's x give to velocities in half a step */
    double h;     /* that these are for; 0: start anew */
    bool closed;  /* do all contacts carry force? */
};

/* Can this model take the fused step? One group of Hertz contacts, no springs. */
bool carom_verlet_fused_fits(const struct carom_model *model);

/* Gets ready for steps of size h from a state at which the contacts' forces are `elastic` (nc). */
void carom_verlet_fused_start(struct carom_verlet_fused *fused, const struct carom_chain *chain, const double *elastic,
                              double h);

/* One step of size fused->h, the same to the bit as the general phases. elastic (nc): the contacts' forces; while all
 * are closed they are not kept up, because nobody asks which are 0. Returns false if a velocity is not finite.
 * *switched: has a contact opened or closed? fused->h may be 0 after that. */
bool carom_verlet_fused_step(struct carom_verlet_fused *fused, const struct carom_model *model,
                             const struct carom_chain *chain, const struct carom_state *from, struct carom_state *to,
                             double *elastic, bool *switched);

/* --- between its files -------------------------------------------------------------------------------------------- */

#define CAROM_VERLET_HEAD 2 /* beads before the first group */

/* one step of such a chain */
struct carom_verlet_sweep {
    const struct carom_chain *chain;
    const double *restrict x0, *restrict v0, *restrict ease, *restrict gap, *restrict k;
    double *restrict x1, *restrict v1, *restrict kick, *restrict elastic;
    double h;
    bool closed;  /* were all contacts when the step began? */
    double left;  /* force at the contact left of the next bead to be kicked */
    double total; /* of the new velocities: finite if they are, unless they are huge */
    bool switched;
};

/* Beads from CAROM_VERLET_HEAD on in groups of registers of four, as far as they go, to the first that is not moved;
 * or NULL. */
size_t (*carom_verlet_fused_wide(void))(struct carom_verlet_sweep *sweep);

#endif
