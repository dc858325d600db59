/* carom restitution of discs and spheres, beside that of rows. */
#ifndef CAROM_CLI_RESTITUTION_H
#define CAROM_CLI_RESTITUTION_H

#include <stdio.h>

#include "cli.h"

#define CLI_RESTITUTION_ANGLES 1000

struct cli_restitution {
    double low, high; /* closing speeds of head-on impacts, */
    size_t npoints;   /* so many, by equal ratios */
    double speed;     /* of oblique impacts, */
    size_t nangles;   /* at so many angles in radians; 0: head-on */
    double angle[CLI_RESTITUTION_ANGLES];
    double tol;
    FILE *csv; /* NULL: none */
    bool quiet;
};

/* Closing speed i. */
double cli_restitution_speed(const struct cli_restitution *wish, size_t i);

#define CLI_RESTITUTION_BODIES "body,on,law,mass,speed,e,contact_time,overlap"
#define CLI_RESTITUTION_OBLIQUE \
    "body,on,law,mu,speed,angle,e,beta,beta_sliding,rebound,spin,spin_of_other,contact_time,lost"

/* why there is no table of a scene whose bodies meet */
#define CLI_RESTITUTION_ROUND                                                                                          \
    "restitution is for beads, discs and spheres, whose impacts on each other and on walls have an e of their own; "   \
    "what boxes, polygons, capsules and solids give back depends on how they meet: 'carom run' the scene, and 'carom " \
    "export RUN.h5 --csv --episodes' tells its impacts one by one"

enum carom_status cli_restitution_bodies(const struct carom_scene *scene, const struct cli_restitution *wish,
                                         struct carom_error *error);

#endif
