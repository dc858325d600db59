/* carom report and what carries its page: also for the commands that write pages by the way. */
#ifndef CAROM_CLI_REPORT_H
#define CAROM_CLI_REPORT_H

#include "cli.h"

/* viewer/dist/page.html, carried inside the program */
extern const char cli_viewer_begin[], cli_viewer_end[];

/* See carom_page_write. Of `small`, where it is not NULL: bytes for arrays, and another viewer than the program's. */
struct cli_small {
    double room;
    const char *viewer;
    size_t length;
};
enum carom_status cli_report_write(const char *const *file, size_t nfiles, const char *title,
                                   const struct cli_small *small, const char *output, bool *written,
                                   struct carom_error *error);

int carom_cli_report(int argc, char **argv);

#endif
