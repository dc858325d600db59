/* A run that is followed from outside: a scene's sim that records nothing and is stepped by who looks at it. Several
 * tracks can go on side by side, so that runs are compared without keeping any of them. */
#ifndef CAROM_STUDY_FOLLOW_TRACK_H
#define CAROM_STUDY_FOLLOW_TRACK_H

#include "carom/progress.h"
#include "carom/scene.h"
#include "study/follow/apart.h"

/* What the book of impacts says of every contact, all of its episodes together, once the run has ended. */
struct carom_track_book {
    size_t n;
    double *peak, *peak_time; /* n: of the one with the largest force */
    double *impulse;          /* n: of all */
    double *met;              /* n: when the first of them began; NaN: never */
};

/* Adds an episode to its contact. */
void carom_track_book_add(struct carom_track_book *book, const struct carom_episode *episode);

struct carom_track {
    struct carom_sim *sim;         /* stepped by carom_sim_step and carom_sim_to */
    struct carom_memory *memory;   /* where its recorder writes; NULL: it has none */
    struct carom_track_book *book; /* the same */
    double step;                   /* of a scheme with a fixed one; 0: it chooses its own */
};

/* A watch that asks a study's progress: {.call = carom_track_ask, .own = asker}. */
struct carom_track_asker {
    const struct carom_progress *progress;
};
bool carom_track_ask(void *asker, const struct carom_sim *sim);

/* Begins a run of the scene, whose model and options are used up, also on failure. The view is the start. Pilot
 * runs are flown as for any run; `watch` (or NULL), whose owner outlives the track, may stop them and long impacts. */
enum carom_status carom_track_open(struct carom_track *track, struct carom_scene *scene,
                                   const struct carom_watch *watch, struct carom_error *error);
/* The same, with probes recorded at the start and at the end and, with `book`, the largest episode of each contact. */
enum carom_status carom_track_open_recorded(struct carom_track *track, struct carom_scene *scene,
                                            const char *const *probes, size_t nprobes, bool book,
                                            const struct carom_watch *watch, struct carom_error *error);
/* The same, with what the book of impacts says of contacts that give way and are always the same ones; without it where
 * there are none. */
enum carom_status carom_track_open_booked(struct carom_track *track, struct carom_scene *scene,
                                          const struct carom_watch *watch, struct carom_error *error);

/* With a fixed step: its size; 0: steps are chosen. */
double carom_track_step(const struct carom_scene *scene);

/* The episode with the largest force, of a pair of bodies (carom_event_pair) or of all (0); NULL: there is none. */
const struct carom_episode *carom_track_peak(const struct carom_track *track, uint64_t pair);
void carom_track_close(struct carom_track *track); /* fine for a zeroed track */

/* Where its view stands. */
struct carom_apart_place carom_track_place(const struct carom_track *track);

/* With a fixed step: no whole step is left. */
bool carom_track_no_whole_step(const struct carom_track *track);

#endif
