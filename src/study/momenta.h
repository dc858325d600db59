/* Compares the impulses in the book of impacts with the changes of momentum of the bodies. */
#ifndef CAROM_STUDY_MOMENTA_H
#define CAROM_STUDY_MOMENTA_H

#include "carom/scene.h"
#include "record/run_file.h"

/* By how much the changes of momentum of solids and balls, in a run that has come to its end, differ from the impulses
 * that its book has for them, over the largest of these; NaN where that cannot be said: something else acts on all of
 * them, or not all impulses are there. */
enum carom_status carom_momenta_off(const struct carom_run_file *run, const struct carom_scene *scene, double *off,
                                    struct carom_error *error);

#endif
