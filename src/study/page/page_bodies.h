/* Discs, spheres and walls of a run in a page, and their contacts at the samples that its pictures show. */
#ifndef CAROM_STUDY_PAGE_PAGE_BODIES_H
#define CAROM_STUDY_PAGE_PAGE_BODIES_H

#include "carom/bodies.h"
#include "record/run_file.h"
#include "study/page/page_blob.h"

/* Joints one by one, into the shape that is open: kind, bodies (from 0, the world is -1), points, axis. */
void carom_page_bodies_joints(struct carom_page_json *json, size_t count, const struct carom_joint *list);

/* What stays as it is, into the shape that is open: places at the start, radii, walls, the domain. */
enum carom_status carom_page_bodies_shape(struct carom_page_out *out, const struct carom_bodies *bodies,
                                          struct carom_error *error);

/* Bytes that all recorded contacts would take. */
double carom_page_bodies_weight(const struct carom_run_file *run);

/* Contacts of every `tall`-th sample as "touches": how many there are, the largest force, and each with its bodies,
 * place and force. Where `bytes` are too few, only the largest forces of each sample. */
enum carom_status carom_page_bodies_touches(struct carom_page_out *out, const struct carom_run_file *run, size_t tall,
                                            double bytes, struct carom_error *error);

#endif
