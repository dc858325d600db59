/* Views inside a step of moreau-jean on bodies. Impulses of contacts that were struck act at once, a part 1 - theta
 * into the step, where velocities must jump for positions to go with them, and so does what they make others bear; all
 * else, and forces, act evenly along it. What each has taken by then follows, so that with theta = 1/2 the ledger
 * closes at every moment of the step as it does at its ends. */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_BETWEEN_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_BETWEEN_H

#include "scheme/rigid/moreau/moreau_graph.h"

/* One impulse of the step: how much of it acts evenly and how much at the blow, the rates before and after the step
 * along which it acts, and how much of their change comes at the blow. */
struct carom_moreau_push {
    double even, once;
    double before, after, jump;
};

/* Adds what it takes; and what is done by bodies that are led, by whom the rate is `drift`. */
void carom_moreau_between_take(const struct carom_moreau_push *push, struct carom_moreau_course *lost);
void carom_moreau_between_lead(struct carom_moreau_graph *w, const struct carom_moreau_push *push, double drift);
void carom_moreau_between_add(struct carom_moreau_course *sum, const struct carom_moreau_course *more);

/* Of the whole step. */
double carom_moreau_between_all(const struct carom_moreau_course *course);

/* Nothing has been struck or lost in the step yet. */
void carom_moreau_between_start(struct carom_moreau_graph *w);

/* What acts at once in a step in which something was struck. Of contacts that rest all but what they bore before,
 * unless that was a blow, too: they hand blows on, and evenly along the step they would give bodies speeds that nobody
 * has. */
void carom_moreau_between_once(struct carom_moreau_graph *w, const struct carom_state *from);

/* Books all losses of contacts so far; returns their sum. */
double carom_moreau_between_book(const struct carom_moreau_graph *w, struct carom_state *to);

/* Energy that the impacts of a step, which took `lost`, made out of nothing, those at limits too: one may give what
 * another takes. */
double carom_moreau_between_created(const struct carom_moreau_graph *w, double lost);

/* Energy that the scheme itself takes (or, less than 0, gives) where boxes of space turn: their inertia is that of the
 * middle of the step of h all through it. After they have moved. */
void carom_moreau_between_tumble(const struct carom_moreau_graph *w, const struct carom_state *from, double h,
                                 struct carom_state *to);

/* The view at time t inside the last step, which led to `state`: a scheme's `dense`. */
void carom_moreau_between_view(struct carom_stepper *stepper, const struct carom_state *state, double t,
                               struct carom_state *view);

#endif
