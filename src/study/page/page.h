/* One HTML page of run files and results of studies: carom report. The page's program (the viewer) is handed in as a
 * text with a place for the data, so that the library does not carry it. */
#ifndef CAROM_STUDY_PAGE_PAGE_H
#define CAROM_STUDY_PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"

/* Where the data go in the viewer's text. */
#define CAROM_PAGE_MARK "<!--carom:data-->"

struct carom_page {
    const char *viewer; /* length bytes */
    size_t length;
    const char *title; /* NULL: that of the first run */
    bool growing;      /* may ask its own server for more, see carom run --live */
    size_t nfiles;
    const char *const *file;
    double room; /* bytes for arrays; 0: 13.5e6 */
};

/* Writes the page to `output` in one go: what stood there stays until the page is whole. Files that cannot be read are
 * named on the page, with the reason; if none can be read there is no page. Returns the status of the first that could
 * not be read. *written: is there a page now? */
enum carom_status carom_page_write(const struct carom_page *page, const char *output, bool *written,
                                   struct carom_error *error);

#endif
