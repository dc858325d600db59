/* What whoever looks at a run file should know of its numbers, a sentence each. */
#ifndef CAROM_STUDY_REMARKS_H
#define CAROM_STUDY_REMARKS_H

#include "carom/scene.h"
#include "record/run_file.h"

#define CAROM_REMARK_TEXT 400

/* Are forces of contacts impulses of a step over its length? Then the sentence that says so; else "". */
void carom_remarks_averaged(const struct carom_run_file *run, char text[CAROM_REMARK_TEXT]);

/* Do faces of solids meet, whose forces swing about their mean? Then the sentence that says so, with how well impulses
 * agree with momenta (momenta.h; NaN: that is not known); else "". */
void carom_remarks_rings(const struct carom_model *model, double off, char text[CAROM_REMARK_TEXT]);

/* Are samples of closed contacts further apart after `half`, when half of them were taken (0: they are not)? Then the
 * sentence that says so, and what to write; else "". */
void carom_remarks_thinned(const struct carom_scene *scene, const struct carom_model *model, double half,
                           char text[CAROM_REMARK_TEXT]);

/* The sentence that says that no contact closed in a run until `until`. */
void carom_remarks_alone(double until, bool si, char text[CAROM_REMARK_TEXT]);

/* All of them, one call of `say` for each: also contacts that were pressed beyond what their materials bear, or by more
 * than a tenth of a radius. `scene`: of the run, or NULL if it cannot be read. */
enum carom_status carom_remarks(const struct carom_run_file *run, const struct carom_scene *scene,
                                void (*say)(void *own, const char *text), void *own, struct carom_error *error);

#endif
