/* carom export --fields: coarse-grained fields of discs and spheres, and other tables beside those of samples. */
#ifndef CAROM_CLI_EXPORT_FIELDS_H
#define CAROM_CLI_EXPORT_FIELDS_H

#include <stdio.h>

#include "cli.h"

/* What the line says of fields; NULL: the usual. */
struct cli_fields_wish {
    const char *kernel, *width, *cell;
};

/* As a table (csv; `to` NULL: the standard output) or as a .vti file for each sample and a .pvd that lists them. */
enum carom_status cli_export_fields(const char *path, const char *to, bool csv, const struct cli_fields_wish *wish,
                                    bool quiet, struct carom_error *error);

#endif
