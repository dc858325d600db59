/* Which beads of a chain move under forces. The others, not reached yet or flying freely behind a wave, are asleep:
 * they cost nothing, and their place follows from the time they fell asleep, x + w (t - since). A bead may sleep while
 * its contacts are quiet, open and not closing; sleepers never meet each other, so only the ends of the awake spans
 * have to be watched. Sleepers at rest are the same to the bit as if they had been stepped; flying ones to rounding. */
#ifndef CAROM_SCHEME_COMPLIANT_WINDOW_H
#define CAROM_SCHEME_COMPLIANT_WINDOW_H

#include "model/beads/chain.h"

#define CAROM_WINDOW_AWAKE (-1.0) /* in `since`: the bead is awake */

/* Beads [first, last) and the contacts among them (walls included): [inner, outer). */
struct carom_span {
    size_t first, last;
    size_t inner, outer;
};

struct carom_window {
    struct carom_chain chain;
    size_t reach;       /* beads at either end of a span that must be quiet when a step begins */
    double depth, pace; /* overlaps and closing speeds that count as none; 0 unless the scheme says otherwise */
    size_t count, room;
    struct carom_span *span; /* in order, at least one sleeper between two */
    struct carom_span *next; /* after an update: all spans in which a bead may have woken or fallen asleep */
    size_t nnext;
    unsigned char *quiet; /* n: scratch */
};

/* `reach` is how far a push can travel in one step of the scheme. */
enum carom_status carom_window_open(struct carom_window *window, const struct carom_model *model, size_t reach,
                                    struct carom_error *error);
void carom_window_close(struct carom_window *window);

/* The spans that `since` (n) speaks of: at the start of a run all AWAKE, later what a state has kept. */
void carom_window_load(struct carom_window *window, const double *since);

/* Before a step at time t: wakes what the ends of the spans may reach, and, if `rest`, lets sleep what may. q and w are
 * the state's variables, physical for beads with open contacts. False: nothing changed; else all that fell asleep
 * or woke lie in the spans of `next`. */
bool carom_window_update(struct carom_window *window, double t, double *q, const double *w, double *since, bool rest);

/* q of all sleepers at time t into a view that holds q as of `since`. */
void carom_window_advance(const struct carom_window *window, double t, const double *w, const double *since, double *q);

#endif
