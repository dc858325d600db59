/* What `carom check` is asked about ranks. */
#ifndef CAROM_CLI_CHECK_H
#define CAROM_CLI_CHECK_H

#include "cli.h"

struct cli_check_ranks {
    const char *machine; /* the file that tells of it */
    size_t count, ranks[16];
    double cells; /* of a larger body of the same shape; 0: as many as it has */
};

/* Prints what steps cost, beside those that were measured. */
enum carom_status cli_check_ranks(const struct carom_scene *scene, const struct cli_check_ranks *wish,
                                  struct carom_error *error);

#endif
