/* Coarse-grained fields of discs and spheres in a page, as maps over a plane. */
#ifndef CAROM_STUDY_PAGE_PAGE_FIELDS_H
#define CAROM_STUDY_PAGE_PAGE_FIELDS_H

#include "record/run_file.h"
#include "study/page/page_blob.h"

/* Bytes they may take of those there are, before base64. */
double carom_page_fields_bytes(const struct carom_run_file *run, double bytes);

/* Fields of some of the samples, multiples of `tall`, as "fields"; nothing where places were not recorded. In space
 * they are averages through one axis: `up` is the upright one (0 to 2, -1: none), the longer of the others the level
 * one. */
enum carom_status carom_page_fields_write(struct carom_page_out *out, const struct carom_run_file *run, size_t tall,
                                          int up, double bytes, struct carom_error *error);

#endif
