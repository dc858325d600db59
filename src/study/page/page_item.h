/* One recorded item of a run in a page: all of it where there is room, else made smaller in ways the page tells of. */
#ifndef CAROM_STUDY_PAGE_PAGE_ITEM_H
#define CAROM_STUDY_PAGE_PAGE_ITEM_H

#include "record/run_file.h"
#include "study/page/page_blob.h"

/* What an item may take, and which of its bodies matter if not all can be shown. */
struct carom_page_item_room {
    double bytes;         /* before base64 */
    size_t nkept;         /* bodies that can be seen; 0: they stand in a row, neighbours are put together */
    const uint32_t *kept; /* nkept, numbers within the item; NULL: all */
    size_t tall;          /* pictures of those show one sample in every few, or fewer */
};

/* Times of the samples: all, or one in every few. */
enum carom_status carom_page_item_times(struct carom_page_out *out, const struct carom_run_file *run,
                                        struct carom_error *error);

/* One sample in how many of what can be seen fits: 1 if all do. */
size_t carom_page_item_stride(const struct carom_run_file *run, const struct carom_run_item *item,
                              const struct carom_page_item_room *room);

enum carom_status carom_page_item_write(struct carom_page_out *out, const struct carom_run_file *run,
                                        const struct carom_run_item *item, const struct carom_page_item_room *room,
                                        struct carom_error *error);

#endif
