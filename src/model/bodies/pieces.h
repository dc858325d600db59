/* Bodies that are put together: of round pieces (all that is no farther than a radius from a line, so that one of
 * length 0 is a disc or a sphere, others are capsules) and of convex ones. Everything stands in the axes of the whole
 * body, about its centre of mass. */
#ifndef CAROM_MODEL_BODIES_PIECES_H
#define CAROM_MODEL_BODIES_PIECES_H

#include "model/bodies/convex.h"

enum { CAROM_PIECES_MOST = 32 }; /* in one body: as many as keys of contacts can tell apart (shapes.h) */

struct carom_piece {
    const struct carom_convex *convex; /* NULL: a round one */
    double end[2][3], radius;          /* of a round one */
};

struct carom_pieces {
    size_t n, room;
    struct carom_piece *piece;
    struct carom_convex **shape; /* owned: of a convex piece what it is, of a round one what pictures show */
    double *mass;                /* of each */
    double (*centre)[3];         /* of each */
    double *around;              /* of each: how far it reaches from its centre */
    double (*second)[6];         /* of each about its centre, over its mass: mean of xx, yy, zz, yz, xz, xy */
    double total, moments[3];    /* mass; principal ones over the mass, in the plane the last */
    double reach, thin;          /* as of a convex body; thin: of the thinnest piece */
};

/* None yet; NULL: out of memory. */
struct carom_pieces *carom_pieces_create(size_t room);
void carom_pieces_free(struct carom_pieces *pieces);

/* One more, in axes that are common to all. Mass: of the piece, any weight that it has among them. */
enum carom_status carom_pieces_add_round(struct carom_pieces *pieces, size_t dimension, const double end[2][3],
                                         double radius, double mass, struct carom_error *error);

/* The convex body, now its own, moved from its own axes by `frame` and then by `at`; freed here also if this fails. */
void carom_pieces_add_convex(struct carom_pieces *pieces, size_t dimension, struct carom_convex *convex,
                             const double at[3], const double frame[4], double mass);

/* Area or volume of a round piece. */
double carom_pieces_volume(size_t dimension, double length, double radius);

/* Goes over to the centre of mass and the principal axes, which it tells as carom_convex_create does. */
enum carom_status carom_pieces_finish(struct carom_pieces *pieces, size_t dimension, double centre[3], double frame[4],
                                      struct carom_error *error);

#endif
