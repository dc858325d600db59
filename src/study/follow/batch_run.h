/* Runs side by side: tracks of one scheme with the same fixed step and end, as many as fit, in SIMD lanes (lanes.h).
 * They end where they would have ended alone, to the bit. */
#ifndef CAROM_STUDY_FOLLOW_BATCH_RUN_H
#define CAROM_STUDY_FOLLOW_BATCH_RUN_H

#include "study/follow/track.h"

/* May these scenes, both with their models, be run side by side? It is seen from outside only: opened tracks may turn
 * out not to fit. */
bool carom_batch_run_alike(const struct carom_scene *a, const struct carom_scene *b);

/* Do these opened tracks fit? Who has a book of impacts looks into it between steps. */
bool carom_batch_run_fits(const struct carom_track *a, const struct carom_track *b);

/* Runs `count` tracks that fit to their end; the views are the ends. CAROM_E_NUMERIC: one of them could not be solved,
 * and all have to be run again, alone. */
enum carom_status carom_batch_run(struct carom_track *const *track, size_t count, const struct carom_watch *watch,
                                  struct carom_error *error);

/* The books of impacts of tracks that are stepped by others: begun before the first step; how many steps may pass
 * before the next look, unless a contact closes or opens; a look, with `switched` where one did in the last step, whose
 * start is in stepper->before; ended after the last step. */
enum carom_status carom_batch_run_begin_book(const struct carom_track *track, struct carom_error *error);
size_t carom_batch_run_within(const struct carom_track *track);
enum carom_status carom_batch_run_see(const struct carom_track *track, bool switched, struct carom_error *error);
enum carom_status carom_batch_run_end_book(const struct carom_track *track, struct carom_error *error);

#endif
