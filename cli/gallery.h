/* The start page of carom gallery: a card for each scene and each paper. */
#ifndef CAROM_CLI_GALLERY_H
#define CAROM_CLI_GALLERY_H

#include <stdio.h>

#include "cli.h"
#include "record/run_file.h"

/* What a card shows. */
struct cli_card {
    const char *page;                /* its page, or NULL: there is none */
    const char *name;                /* file or key */
    const char *title;               /* may be empty */
    const char *text;                /* what to look at; may be empty */
    const char *run;                 /* run file from which a small picture is drawn, or NULL */
    const struct carom_scene *scene; /* its bodies, or NULL */
    const char *failed;              /* why there is no page, or NULL */
};

void cli_gallery_begin(FILE *out);
void cli_gallery_heading(FILE *out, const char *title);
void cli_gallery_card(FILE *out, const struct cli_card *card);
void cli_gallery_end(FILE *out);

/* The bodies of a run as they are when a third of it is over, as SVG; false: they have no picture of this kind. */
bool cli_gallery_picture(FILE *out, const struct carom_run_file *run, const struct carom_scene *scene);

int carom_cli_gallery(int argc, char **argv);

#endif
