/* carom export --vtk and --vtkhdf: a run for ParaView. */
#ifndef CAROM_CLI_EXPORT_VTK_H
#define CAROM_CLI_EXPORT_VTK_H

#include "cli.h"

/* `to` is a folder, a prefix or NULL: the name of the run without .h5, here. With `single` one VTKHDF file. */
enum carom_status cli_export_vtk(const char *path, const char *to, bool single, bool quiet, struct carom_error *error);

/* The prefix of all files: in a folder (made if it ends in a slash) the name of the run, else as given; `size` has room
 * for what comes behind it. */
enum carom_status cli_export_prefix(const char *run, const char *to, char *prefix, size_t size,
                                    struct carom_error *error);

#endif
