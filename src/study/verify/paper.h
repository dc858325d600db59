/* The published numbers of a paper, read from papers/<key>/rows.yaml: what was published and where, how far from it is
 * allowed and why, and how to measure it. */
#ifndef CAROM_STUDY_VERIFY_PAPER_H
#define CAROM_STUDY_VERIFY_PAPER_H

#include "scene/text/tree.h"

struct carom_paper_row {
    const char *name, *place, *reason, *measure;
    double published, allowed; /* |measured - published| <= allowed passes */
    const char *unreproduced;  /* why it is known not to come out as printed; NULL: it must */
    bool takes_long;
    const struct carom_node *map; /* all keys, for what the measure needs */
};

struct carom_paper {
    const char *title, *source;
    char *folder, *path; /* path: of the file of rows */
    size_t nrows;
    struct carom_paper_row *row;
    struct carom_tree tree;
    char *text; /* of the file */
};

/* Reads folder/rows.yaml. Free with carom_paper_free, also on failure. */
enum carom_status carom_paper_read(struct carom_paper *paper, const char *folder, struct carom_error *error);
void carom_paper_free(struct carom_paper *paper);

/* A key of a row: its text, or NULL if it is not there or no text. */
const char *carom_paper_text(const struct carom_paper_row *row, const char *key);

/* The same, refused with a sentence that names the row if it is missing or no number. */
enum carom_status carom_paper_need(const struct carom_paper *paper, const struct carom_paper_row *row, const char *key,
                                   const char **text, struct carom_error *error);
enum carom_status carom_paper_number(const struct carom_paper *paper, const struct carom_paper_row *row,
                                     const char *key, double *value, struct carom_error *error);

#endif
