/* The surface of a solid as others touch it: corners that neighbouring cells share, and pieces between them. */
#ifndef CAROM_MODEL_SOLID_SOLID_SKIN_H
#define CAROM_MODEL_SOLID_SOLID_SKIN_H

#include "carom/solid.h"

enum { CAROM_SKIN_OWNERS = 8 }; /* the most cells that carry one corner */

/* A corner moves as the mean of what its cells make of it: the surface has no cracks. */
struct carom_skin_corner {
    uint32_t count, cell[CAROM_SKIN_OWNERS];
    double arm[CAROM_SKIN_OWNERS][3]; /* from the cell's centre, unloaded */
};

/* A triangle, or in the plane a line (the last two corners are one). Seen from outside it goes around. */
struct carom_skin_piece {
    uint32_t corner[3];
};

/* A cell with free faces: its pieces, and how far they are from its centre. */
struct carom_skin_rim {
    uint32_t cell, first, count;
    double reach;
};

struct carom_solid_skin {
    size_t ncorners, npieces, nrims;
    struct carom_skin_corner *corner;
    struct carom_skin_piece *piece;
    struct carom_skin_rim *rim;
};

/* NULL: out of memory. */
struct carom_solid_skin *carom_solid_skin_create(const struct carom_solid *solid);
void carom_solid_skin_free(struct carom_solid_skin *skin);

/* The point of the surface nearest to `place`, as shares of three corners of a piece. */
struct carom_skin_spot {
    size_t piece;    /* SIZE_MAX: nothing is nearer than `within` */
    double share[3]; /* of its corners */
    double away[3];  /* from the spot to the place */
    double distance; /* its length, less than 0 behind the surface */
};

/* Looks at what is nearer than spot->distance, which the caller has set, and keeps the nearest. */
void carom_solid_skin_near(const struct carom_solid *solid, const struct carom_solid_skin *skin, size_t rim,
                           const double *q, const double place[3], struct carom_skin_spot *spot);

#endif
