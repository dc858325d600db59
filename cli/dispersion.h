/* carom dispersion of elastic bodies and of crystals, beside that of chains. */
#ifndef CAROM_CLI_DISPERSION_H
#define CAROM_CLI_DISPERSION_H

#include <stdio.h>

#include "cli.h"

/* Creates a table with this heading; NULL and the error. */
FILE *cli_dispersion_begin(const char *path, const char *heading, struct carom_error *error);

/* Such a table of modes is filled and closed: number, omega, frequency and, unless it is NULL, column k of `shape`,
 * which has `count` rows and columns. The heading ends where a line goes on. */
#define CLI_DISPERSION_HEADING "mode,omega,frequency"
enum carom_status cli_dispersion_end_modes(FILE *out, const char *path, size_t count, const double *omega,
                                           const double *shape, struct carom_error *error);

/* The same on the screen, the first and the last of many. */
void cli_dispersion_print_modes(const struct carom_scene *scene, size_t count, const double *omega);

#define CLI_DISPERSION_CURVES "branch,phase,wavenumber,omega,frequency,group_velocity"

struct cli_dispersion {
    const char *curves, *modes; /* files, or NULL */
    const char *along;          /* "x", "xy", "1,2,0.5", ...; NULL: x */
    const char *shapes;         /* of a solid: file of the modes' shapes, or NULL */
    size_t points, count;       /* count: of a solid's lowest modes, where not all are found */
    double force;               /* of a crystal: that every contact carries; 0: as the scene presses them */
    bool prestress;             /* do static forces count, which turn with their contacts or cells? */
    bool quiet;
};

/* Is the scene one of a solid? */
bool cli_dispersion_is_solid(const struct carom_scene *scene);

/* Prints and writes what is wanted of it. */
enum carom_status cli_dispersion_solid(const struct carom_scene *scene, const struct cli_dispersion *wish,
                                       struct carom_error *error);

/* Eigenfrequencies and, where wanted, shapes of a solid (dispersion_modes.c). */
#define CLI_DISPERSION_SHAPES "mode,omega,cell,x,y"
enum carom_status cli_dispersion_modes(const struct carom_scene *scene, const struct cli_dispersion *wish,
                                       struct carom_error *error);

/* The same of discs and spheres. */
#define CLI_DISPERSION_BANDS "part,branch,way,kx,ky,kz,omega,frequency"
bool cli_dispersion_is_crystal(const struct carom_scene *scene);
enum carom_status cli_dispersion_crystal(const struct carom_scene *scene, const struct cli_dispersion *wish,
                                         struct carom_error *error);

/* One sentence where a force on a body at the start is balanced by nothing; `force`: the largest of a contact. */
void cli_dispersion_unrest(const struct carom_scene *scene, double unbalanced, size_t pushed, double force);

#endif
