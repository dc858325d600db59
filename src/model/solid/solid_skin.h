/* The surface of a solid as others touch it: corners that neighbouring cells share, and pieces between them. */
#ifndef CAROM_MODEL_SOLID_SOLID_SKIN_H
#define CAROM_MODEL_SOLID_SOLID_SKIN_H

#include "carom/solid.h"

enum {
    CAROM_SKIN_OWNERS = 8, /* the most cells that carry one corner */
    CAROM_SKIN_CELLS = 3 * CAROM_SKIN_OWNERS,
    CAROM_SKIN_SIDES = 256, /* the most corners of a face */
};

#define CAROM_SKIN_SLACK \
    1.5 /* how far a corner may be from the centre of its cell in strained bodies, over unloaded ones */

/* A corner moves as the mean of what its cells make of it: the surface has no cracks. In bodies that break each cell
 * has its own. */
struct carom_skin_corner {
    uint32_t first, count; /* owners */
};

struct carom_skin_owner {
    uint32_t cell;
    double arm[3]; /* from the cell's centre, unloaded */
};

#define CAROM_SKIN_FREE UINT32_MAX /* the link of a piece that has none */

/* A triangle, or in the plane a line (the last two corners are one). Seen from outside it goes around. */
struct carom_skin_piece {
    uint32_t corner[3];
    uint32_t link; /* of bodies that break: once it is broken the piece is one of the surface */
    double area;   /* unloaded; in the plane for the depth of the body */
    bool left;     /* in the plane: is outside on the left of the way from the first corner to the second? */
};

/* A cell with faces that are free or may become so: its pieces, and how far they are from its centre. */
struct carom_skin_rim {
    uint32_t cell, first, count;
    double reach;
};

struct carom_solid_skin {
    size_t ncorners, nowners, npieces, nrims;
    struct carom_skin_corner *corner;
    struct carom_skin_owner *owner;
    struct carom_skin_piece *piece;
    struct carom_skin_rim *rim;
};

/* NULL: out of memory. */
struct carom_solid_skin *carom_solid_skin_create(const struct carom_solid *solid);
void carom_solid_skin_free(struct carom_solid_skin *skin);

/* Is a piece part of the surface at q? */
bool carom_solid_skin_bare(const struct carom_solid *solid, const struct carom_solid_skin *skin, size_t piece,
                           const double *q);

/* The face of a link as its cell on that side sees it. */
struct carom_solid_face carom_solid_skin_side(const struct carom_solid *solid, size_t link, size_t side);

/* Corners of a face of a cell in order around it, as arms from the centre; how many there are. */
size_t carom_solid_skin_outline(const struct carom_solid *solid, const struct carom_solid_face *face, double (*arm)[3]);

/* The point of the surface nearest to `place`, as shares of three corners of a piece. */
struct carom_skin_spot {
    size_t piece;    /* SIZE_MAX: nothing is nearer than `within` */
    double share[3]; /* of its corners */
    double away[3];  /* from the spot to the place */
    double distance; /* its length, less than 0 behind the surface */
    double clear;    /* how far off the plane of the piece that says on which side, of the distance */
};

/* Before all rims are looked at, and after it: what is `within` or farther is not seen. */
void carom_solid_skin_near_begin(double within, struct carom_skin_spot *spot);
void carom_solid_skin_near_end(double within, struct carom_skin_spot *spot);

/* Looks at what is nearer than what is known, and keeps the nearest; for n places. */
void carom_solid_skin_near(const struct carom_solid *solid, const struct carom_solid_skin *skin, size_t rim,
                           const double *q, size_t n, const double (*place)[3], struct carom_skin_spot *spot);

/* The same with one place and one piece, whose corners these are; and how far a place is from it. */
void carom_solid_skin_near_piece(const struct carom_solid *solid, const struct carom_solid_skin *skin, size_t piece,
                                 const double (*corner)[3], const double place[3], struct carom_skin_spot *spot);
double carom_solid_skin_near_distance(const struct carom_solid *solid, const double (*corner)[3],
                                      const double place[3]);

/* Where a corner is. */
void carom_solid_skin_corner(const struct carom_solid *solid, const struct carom_solid_skin *skin, size_t corner,
                             const double *q, double out[3]);

/* Where a point of a piece is, by shares of its corners. */
void carom_solid_skin_place(const struct carom_solid *solid, const struct carom_solid_skin *skin, size_t piece,
                            const double share[3], const double *q, double out[3]);

/* Of a piece with these corners, outwards, of any length. */
void carom_solid_skin_near_outwards(const struct carom_solid *solid, const struct carom_skin_piece *piece,
                                    const double (*corner)[3], double normal[3]);

/* Of a piece, outwards, of length 1. */
void carom_solid_skin_near_normal(const struct carom_solid *solid, const struct carom_solid_skin *skin, size_t piece,
                                  const double *q, double normal[3]);

/* The cells that carry such a point, with what each has of it; one cell may do so by several corners. */
struct carom_skin_grip {
    size_t ncells;
    uint32_t cell[CAROM_SKIN_CELLS];
    double share[CAROM_SKIN_CELLS], arm[CAROM_SKIN_CELLS][3]; /* they add up to 1; from centres, as they stand */
};
void carom_solid_skin_grip(const struct carom_solid *solid, const struct carom_solid_skin *skin, size_t piece,
                           const double share[3], const double *q, struct carom_skin_grip *out);

/* How fast it moves along a direction; v is the part's physical one. */
double carom_solid_skin_rate(const struct carom_solid *solid, const struct carom_skin_grip *grip,
                             const double normal[3], const double *q, const double *v);

#endif
