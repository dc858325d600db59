/* Drawings for the cards of a gallery: shapes in the picture's own units, fitted when they are written. */
#ifndef CAROM_CLI_GALLERY_PICTURE_H
#define CAROM_CLI_GALLERY_PICTURE_H

#include "carom/mechanism.h"
#include "gallery.h"

enum { WIDTH = 280, HEIGHT = 84, FACES = 1800, POINTS = 8 * FACES };

/* A circle, a polygon or, of two points, a line, in the picture's own units: fitted when they are written. */
struct cli_shape {
    size_t first, count; /* points; a circle has one */
    double radius, depth;
    double shade;      /* -1 blue, 0 pale, 1 red */
    double light;      /* 0 dark to 1 */
    bool hollow, bare; /* no inside; no outline */
};

struct cli_drawing {
    size_t nshapes, npoints;
    bool space, full; /* full: more than a card should carry */
    struct cli_shape shape[FACES];
    double point[POINTS][2];
    double low[2], high[2];
};

extern const double cli_drawing_sight[3]; /* towards the eye */

/* makes room for what is by at most so much away */
void cli_drawing_widen(struct cli_drawing *d, const double at[2], double by);
void cli_drawing_circle(struct cli_drawing *d, const double at[3], double radius, double shade, bool hollow);
/* of space only if it looks at the eye or, of a container, away from it; normal: outwards, of length 1 */
void cli_drawing_face(struct cli_drawing *d, size_t count, const double *point, const double normal[3], double shade,
                      bool hollow);

/* a machine by its outline, see gallery_machine.c */
void cli_drawing_machine(struct cli_drawing *d, const struct carom_run_file *run,
                         const struct carom_mechanism *mechanism);

#endif
