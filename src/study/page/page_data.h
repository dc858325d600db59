/* Results of studies in a page: the arrays and texts of an HDF5 file that is no run (a sweep, a comparison, a fit), or
 * a text (tables as CSV, what `carom verify` prints), which the page takes apart itself. */
#ifndef CAROM_STUDY_PAGE_PAGE_DATA_H
#define CAROM_STUDY_PAGE_PAGE_DATA_H

#include "study/page/page_blob.h"

/* `bytes` is the room; arrays beyond it are named, not shown. On failure the JSON is as it was before. */
enum carom_status carom_page_data_hdf5(struct carom_page_out *out, const char *path, double bytes,
                                       struct carom_error *error);
enum carom_status carom_page_data_text(struct carom_page_out *out, const char *path, double bytes,
                                       struct carom_error *error);

#endif
