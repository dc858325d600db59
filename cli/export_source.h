/* Where pictures of bodies have their numbers from: from items of the bodies themselves, or from the coordinates of the
 * mechanism that schemes such as event make of a few bodies of the plane. */
#ifndef CAROM_CLI_EXPORT_SOURCE_H
#define CAROM_CLI_EXPORT_SOURCE_H

#include "record/run_bodies.h"
#include "record/run_file.h"

enum cli_source_kind {
    CLI_SOURCE_DISPLACEMENT,
    CLI_SOURCE_POSITION,
    CLI_SOURCE_VELOCITY,
    CLI_SOURCE_ROTATION,
    CLI_SOURCE_SPIN,
    CLI_SOURCE_STRESS,
    CLI_SOURCE_KINDS
};

struct cli_source {
    const struct carom_run_file *run;
    const struct carom_model *linkage; /* the mechanism that the bodies are, or NULL */
    size_t n;                          /* bodies, also those that stand still */
    size_t depth[CLI_SOURCE_KINDS];    /* numbers of each body; 0: not recorded */
    bool told[CLI_SOURCE_KINDS];       /* by coordinates of the mechanism */
    const struct carom_run_item *item[CLI_SOURCE_KINDS];
};

/* What the run has of its bodies, which go to *bodies (to be freed by carom_run_bodies_free, also where this fails). */
enum carom_status cli_source_open(struct cli_source *source, const struct carom_run_file *run,
                                  const struct carom_model *linkage, struct carom_run_bodies *bodies,
                                  struct carom_error *error);

/* All bodies in one sample, one after the other. */
enum carom_status cli_source_read(const struct cli_source *source, enum cli_source_kind kind, uint64_t sample,
                                  double *out, struct carom_error *error);

#endif
