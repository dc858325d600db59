/* carom dispersion of elastic bodies, beside that of chains. */
#ifndef CAROM_CLI_DISPERSION_H
#define CAROM_CLI_DISPERSION_H

#include "cli.h"

struct cli_dispersion {
    const char *curves, *modes; /* files, or NULL */
    const char *along;          /* "x", "xy", ...; NULL: x */
    size_t points;
    bool quiet;
};

/* Is the scene one of a solid? */
bool cli_dispersion_is_solid(const struct carom_scene *scene);

/* Prints and writes what is wanted of it. */
enum carom_status cli_dispersion_solid(const struct carom_scene *scene, const struct cli_dispersion *wish,
                                       struct carom_error *error);

#endif
