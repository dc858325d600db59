/* How bodies that are no balls look, and how they turn: for pictures that stand side by side. */
#ifndef CAROM_STUDY_FOLLOW_TURNS_H
#define CAROM_STUDY_FOLLOW_TURNS_H

#include "carom/bodies.h"
#include "carom/model.h"
#include "study/follow/history.h"
#include "study/follow/points.h"

/* Of all bodies, an angle or a quaternion each, since the start; of none where no body with corners turns. */
struct carom_turns {
    size_t n;
    struct carom_history *history; /* n */
    double *now;
};

/* Fills in the corners of points; false: out of memory. */
bool carom_turns_corners(struct carom_points *points, const struct carom_bodies *bodies);

/* Close also on failure; zeros are fine. */
enum carom_status carom_turns_open(struct carom_turns *turns, const struct carom_points *points,
                                   struct carom_error *error);
enum carom_status carom_turns_add(struct carom_turns *turns, double time, const double *turn,
                                  struct carom_error *error); /* n of them */
enum carom_status carom_turns_note(struct carom_turns *turns, const struct carom_points *points,
                                   const struct carom_model *model, double time, const double *q, const double *v,
                                   struct carom_error *error);
enum carom_status carom_turns_end(struct carom_turns *turns, struct carom_error *error);
void carom_turns_close(struct carom_turns *turns);

#endif
