/* Impulses of contacts from one look to the next. A law's force is elastic + d/dt viscous (carom/law.h): the second
 * part is known without an integral, and the first is integrated from its value and its rate at both looks, to order 4,
 * with one evaluation of the law a look. Where the elastic force begins or ends, laws have a memory or pulls are cut
 * off, the force is followed along the cubic of the overlap instead (interval.h). Pushes of solids are vectors
 * (impulses_solid.h). */
#ifndef CAROM_SIM_BETWEEN_IMPULSES_H
#define CAROM_SIM_BETWEEN_IMPULSES_H

#include "carom/model.h"
#include "model/peak_force.h"
#include "sim/between/interval.h"

struct carom_impulses {
    bool smooth;                       /* do looks tell all? Else the arrays are NULL */
    bool inside;                       /* do courses tell overlaps? */
    double *elastic, *climb, *viscous; /* n: at the last look; climb is the elastic force's rate */
    double *time;                      /* n: by which dampers follow springs; NULL: they do not */
    double *impulse, *overlap;         /* n: sums, and largest ones where they turned; the book's */
    struct carom_impulses_solid *push; /* n: of solids, whose impulses are sizes of vectors; else NULL */
};

enum carom_status carom_impulses_open(struct carom_impulses *sums, const struct carom_model *model,
                                      struct carom_error *error);
void carom_impulses_close(struct carom_impulses *sums);

/* Contact j begins with nothing but an overlap, 0 where it has just closed; `passed`: and what passed before. */
void carom_impulses_begin(struct carom_impulses *sums, size_t j, double overlap, bool passed);

/* Fills the last look at contacts [from, to), a block of CAROM_SYNC_RANGE_ROOM at most, out of a view of their model;
 * adds up from the look before it, if there is one. */
void carom_impulses_see(struct carom_impulses *sums, struct carom_peak_force *peak, const struct carom_model *model,
                        const struct carom_state *view, size_t from, size_t to);

/* Adds up to a look at contact j that was taken apart from others. */
void carom_impulses_alone(struct carom_impulses *sums, const struct carom_peak_force *peak, size_t j);

/* Between looks i and i + 1 at contact j. */
struct carom_interval carom_impulses_between(const struct carom_peak_force *peak, size_t j, size_t i);

/* What the last look at contact j, read from a checkpoint, tells. */
void carom_impulses_recall(struct carom_impulses *sums, const struct carom_peak_force *peak,
                           const struct carom_model *model, size_t j);

#endif
