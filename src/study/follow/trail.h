/* A trail: a whole motion kept as samples, velocities with both limits, so that its filled-in graphs can be compared.
 * Runs with a fixed step are kept at their grid points, as one sees them; runs that choose their steps with samples
 * inside each and with the velocities before and after its end, where impacts are. */
#ifndef CAROM_STUDY_FOLLOW_TRAIL_H
#define CAROM_STUDY_FOLLOW_TRAIL_H

#include "carom/progress.h"
#include "study/follow/academic.h"
#include "study/follow/norms.h"
#include "study/follow/track.h"

#define CAROM_TRAIL_MOST ((size_t)200000000) /* numbers */
#define CAROM_TRAIL_CHORD \
    1e-8 /* of U and V: what straight lines between samples miss of a run that chooses its steps */

struct carom_trail {
    size_t n, room, nq, nv;
    double *time, *q, *before, *after; /* as study/follow/apart.h has them; before, after: velocities */
};

/* Runs the track to its end and keeps it. With a `grid`, the trail it is to be compared with, a run that chooses its
 * steps has its samples where the grid has them, and where something happens to it: what the lines of both miss of
 * curves is then alike, and cancels. NULL: where its curves bend. */
enum carom_status carom_trail_follow(struct carom_trail *trail, struct carom_track *track,
                                     const struct carom_trail *grid, const struct carom_progress *progress,
                                     struct carom_error *error);

/* The same for an exact motion: a sample every `spacing`, and every impact. */
enum carom_status carom_trail_exact(struct carom_trail *trail, const struct carom_academic_motion *motion,
                                    double spacing, struct carom_error *error);
void carom_trail_free(struct carom_trail *trail); /* fine for a zeroed one */

/* The largest distance of b from the middle of a and c, n numbers each, relative to the scale. */
double carom_trail_bend(const double *a, const double *b, const double *c, size_t n, double scale);

/* Into how many pieces a curve from t0 to t1 is cut so that lines miss it by no more than may be: `bends` says how much
 * it bends in its middle from t0 to a time, by that; it is asked for t1 last. */
int carom_trail_pieces(double (*bends)(void *own, double t0, double t1), void *own, double t0, double t1);

struct carom_graph carom_trail_places(const struct carom_trail *trail);
struct carom_graph carom_trail_speeds(const struct carom_trail *trail);

#endif
