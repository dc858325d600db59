/* A body as a mesh of convex polyhedra: what its cells, the faces between them and those without a neighbour measure.
 * Made by voronoi.c or out of a file; knows no material. */
#ifndef CAROM_MESH_MESH_H
#define CAROM_MESH_MESH_H

#include "carom/error.h"
#include "mesh/hull.h"

/* A face between two cells, the first the lower, its normal towards the second. */
struct carom_mesh_link {
    uint32_t cell[2];
    struct carom_facet facet;
};

/* A face without a neighbour. Sides below CAROM_MESH_NAMED have common names (left, right, front, back, bottom, top,
 * inside, outside), others are numbers of surfaces beyond it. */
enum { CAROM_MESH_NAMED = 8, CAROM_MESH_INSIDE = 6, CAROM_MESH_OUTSIDE = 7, CAROM_MESH_NAME = 32 };
struct carom_mesh_face {
    uint32_t cell, side;
    struct carom_facet facet;
};

/* How cells look, for pictures: corners from the cell's centre, and the corners of faces by their number in the cell.
 */
struct carom_mesh_look {
    uint64_t *point; /* n + 1: the first corner of each cell */
    uint64_t *face;  /* n + 1: its first face */
    uint64_t *side;  /* faces + 1: the first side of each face */
    double (*arm)[3];
    uint8_t *corner;
};

struct carom_mesh_set {
    char name[CAROM_MESH_NAME];
    size_t count;
    uint32_t *cell; /* rising */
};

struct carom_mesh {
    size_t n, nlinks, nfaces, nsets, nsurfaces;
    struct carom_bulk *cell;
    struct carom_mesh_link *link; /* by rising first cell, then second */
    struct carom_mesh_face *face; /* by rising cell */
    struct carom_mesh_look look;
    struct carom_mesh_set *set;
    char (*surface)[CAROM_MESH_NAME];
};

void carom_mesh_free(struct carom_mesh *mesh);
void carom_mesh_look_free(struct carom_mesh_look *look);

/* How far links are from what the method asks for, a face across the line between the centres that meets it in its
 * own centre: the angle between that line and the face's normal, and the distance of the face's centre from the line
 * over the line's length. The angle as its cosine: what is largest has the least. */
struct carom_mesh_skew {
    double cosine, least; /* mean, weighed by area; worst */
    double offset, most;
    size_t worst; /* the link with the largest angle */
};
void carom_mesh_skew(const struct carom_mesh *mesh, struct carom_mesh_skew *skew);

#endif
