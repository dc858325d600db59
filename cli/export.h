/* carom export: what its files offer each other. Pictures are for ParaView. */
#ifndef CAROM_CLI_EXPORT_H
#define CAROM_CLI_EXPORT_H

#include <stdio.h>

#include "carom/solid.h"
#include "cli.h"
#include "record/export/vtu.h"
#include "record/run_bodies.h"
#include "record/run_file.h"

/* --- where pictures of bodies have their numbers from ------------------------------------------------------------ */

/* From items of the bodies, or from coordinates of the mechanism that schemes such as event make of a few of them. */
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

/* --- discs and spheres, and the contacts between them: all comes from the run file ------------------------------- */

struct cli_bodies;

/* NULL and the sentence if the run does not say where its bodies are. `linkage`: the mechanism that they are, or
 * NULL. */
struct cli_bodies *cli_bodies_create(const struct carom_run_file *run, const struct carom_model *linkage,
                                     struct carom_error *error);
void cli_bodies_free(struct cli_bodies *bodies);

/* What the run says of them, and where its numbers come from. */
const struct cli_source *cli_bodies_from(const struct cli_bodies *bodies);
const struct carom_run_bodies *cli_bodies_of(const struct cli_bodies *bodies);

/* Discs and spheres as vertices, filled by cli_bodies_read with sample i; `own` is the struct cli_bodies. */
const struct carom_vtu *cli_bodies_grid(const struct cli_bodies *bodies);
enum carom_status cli_bodies_read(void *own, uint64_t i, struct carom_error *error);

/* Contacts as lines, where they were recorded: as many as the sample has. */
const struct carom_vtu *cli_bodies_lines(const struct cli_bodies *bodies);
enum carom_status cli_bodies_read_lines(void *own, uint64_t i, struct carom_error *error);

/* --- walls between them, as lines in the plane and quadrilaterals in space, where their motion takes them -------- */

struct cli_walls;

/* The walls of `bodies`, which must last longer; NULL and the sentence if there is no room for them. */
struct cli_walls *cli_walls_create(const struct cli_source *from, const struct carom_run_bodies *bodies,
                                   struct carom_error *error);
void cli_walls_free(struct cli_walls *walls);

/* The picture, without cells where there is no wall; filled by cli_walls_read with sample i, whose `own` it is. */
const struct carom_vtu *cli_walls_grid(const struct cli_walls *walls);
enum carom_status cli_walls_read(void *own, uint64_t i, struct carom_error *error);

/* --- the cells of a solid: shapes that move and turn, with what was recorded of them ----------------------------- */

struct cli_cells;

/* NULL and the sentence if the run does not say where its cells are. */
struct cli_cells *cli_cells_create(const struct carom_run_file *run, const struct carom_solid *solid,
                                   struct carom_error *error);
void cli_cells_free(struct cli_cells *cells);

/* The picture, filled by cli_cells_read with sample i; `own` is the struct cli_cells. */
const struct carom_vtu *cli_cells_grid(const struct cli_cells *cells);
enum carom_status cli_cells_read(void *own, uint64_t i, struct carom_error *error);

/* Where a cell of the solid takes what stands at `arm` from its centre, unloaded, in the sample that was read last; one
 * that was not recorded stands still. */
void cli_cells_carry(const struct cli_cells *cells, size_t cell, const double arm[3], double out[3]);

/* --- its cracks: faces of links that are broken, or on the way to it, between the cells that they joined --------- */

struct cli_cracks;

/* Can they be drawn: was it recorded which links are broken? */
bool cli_cracks_are_there(const struct carom_run_file *run, const struct carom_solid *solid);

/* Of a solid whose links stand behind `before` others in the run file; `cells` are its own, and outlive them. NULL and
 * the sentence: out of memory. */
struct cli_cracks *cli_cracks_create(const struct carom_run_file *run, const struct carom_solid *solid, size_t before,
                                     struct cli_cells *cells, struct carom_error *error);
void cli_cracks_free(struct cli_cracks *cracks);

/* The picture, filled by cli_cracks_read with sample i, one after the other from the first on; `own` is the struct
 * cli_cracks. */
const struct carom_vtu *cli_cracks_grid(const struct cli_cracks *cracks);
enum carom_status cli_cracks_read(void *own, uint64_t i, struct carom_error *error);

/* What the faces of the sample that was read last are, after their number: how many of them are broken. */
const char *cli_cracks_told(const struct cli_cracks *cracks);

/* --- carom export --vtk and --vtkhdf ----------------------------------------------------------------------------- */

/* `to` is a folder, a prefix or NULL: the name of the run without .h5, here. With `single` one VTKHDF file. */
enum carom_status cli_export_vtk(const char *path, const char *to, bool single, bool quiet, struct carom_error *error);

/* The prefix of all files: in a folder (made if it ends in a slash) the name of the run, else as given; `size` has room
 * for what comes behind it. */
enum carom_status cli_export_prefix(const char *run, const char *to, char *prefix, size_t size,
                                    struct carom_error *error);

/* --- carom export --fields: coarse-grained fields of discs and spheres ------------------------------------------- */

/* What the line says of fields; NULL: the usual. */
struct cli_fields_wish {
    const char *kernel, *width, *cell;
};

/* As a table (csv; `to` NULL: the standard output) or as a .vti file for each sample and a .pvd that lists them. */
enum carom_status cli_export_fields(const char *path, const char *to, bool csv, const struct cli_fields_wish *wish,
                                    bool quiet, struct carom_error *error);

#endif
