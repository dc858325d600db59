/* Contacts of plain rows, whose beads feel nothing but their neighbours and a weight, looked at as little as can be.
 * While the force f = e + T e' of a contact, e its spring's and T the time by which its damper follows, rises, nothing
 * has to be known of it: where e grows with the overlap d, and the steeper the deeper, f rises wherever d + T d'
 * does and is no larger than e at that overlap. So rates tell the few contacts whose force may just have been the
 * largest, and laws are asked for these alone (model/peak_force.h). Impulses are those that momenta of beads tell:
 * what has passed through a contact is what has passed through one on its left, less what beads between have kept. */
#ifndef CAROM_SIM_SWINGS_H
#define CAROM_SIM_SWINGS_H

#include "model/beads/chain.h"
#include "sim/impulses.h"

struct carom_swings {
    bool on; /* is the row plain? Else everything here is empty */
    struct carom_chain chain;
    double *start;          /* of each bead: momentum when nothing had passed through any contact */
    double *deep;           /* n: overlap at which the spring's force is known not to be larger than the peak so far */
    unsigned char *pending; /* n: is it to be looked at closer, whatever its rates tell? */
    size_t npending;
    double wall; /* what has passed through the contact with the wall on the left, the only one that is integrated */
};

/* For a model with sums that are open; v has the velocities at the start. */
enum carom_status carom_swings_open(struct carom_swings *swings, const struct carom_impulses *sums,
                                    const struct carom_model *model, const struct carom_scales *scales, const double *v,
                                    struct carom_error *error);
void carom_swings_close(struct carom_swings *swings);

/* Contact j begins with look i at it, which may be the one with the largest force. */
void carom_swings_begin(struct carom_swings *swings, struct carom_peak_force *peak, size_t j, size_t i);

/* Fills the last look at contacts [from, to), a block at most, and tells those that have to be looked at closer. */
size_t carom_swings_look(struct carom_swings *swings, const struct carom_impulses *sums, struct carom_peak_force *peak,
                         const struct carom_state *view, size_t from, size_t to, size_t *list);

/* Looks closer: peak and overlap of contact j between its last three looks. */
void carom_swings_note(struct carom_swings *swings, struct carom_impulses *sums, struct carom_peak_force *peak,
                       size_t j);

/* Forces of the last three looks at contact j. */
void carom_swings_press(const struct carom_peak_force *peak, size_t j);

/* Adds up the contact with the wall, if there is one, from the look before the last. */
void carom_swings_lean(struct carom_swings *swings, const struct carom_peak_force *peak);

/* The first contact of those in touch that contact j belongs to. */
size_t carom_swings_first(const unsigned char *closed, size_t j);

/* What has passed through contact j by the time of a view that knows the beads from contact `first` on. Those that are
 * open keep in `passed` what passed through them. */
double carom_swings_passed(const struct carom_swings *swings, const double *passed, const struct carom_state *view,
                           size_t first, size_t j);

/* Velocities change from outside: once with those before (-1) and once with those after (1). */
void carom_swings_kick(struct carom_swings *swings, const double *v, double sign);

#endif
