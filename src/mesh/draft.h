/* A mesh as a file tells it: nodes, cells by their faces, names. The readers (read_*.c) fill it in, assemble.c makes a
 * mesh of it. Whatever is wrong is told with the line of the file. */
#ifndef CAROM_MESH_DRAFT_H
#define CAROM_MESH_DRAFT_H

#include "carom/error.h"
#include "mesh/mesh.h"

#define CAROM_DRAFT_NOBODY UINT32_MAX

/* A list that grows. */
struct carom_draft_list {
    size_t count, room;
};

struct carom_draft_cell {
    uint32_t first, line; /* its first face, and where it stands in the file */
    uint64_t number;      /* what the file calls it */
};

/* A face that has a name: the surface it belongs to, its number of nodes and the three least of them. */
struct carom_draft_panel {
    uint32_t surface, count, least[3], line;
};

struct carom_draft {
    struct carom_draft_list nodes, cells, faces, corners, members, panels, sets, surfaces;
    double (*node)[3];
    struct carom_draft_cell *cell;
    uint32_t *face;   /* where the nodes of each face begin in */
    uint32_t *corner; /* the nodes of faces, against the clock seen from outside unless `loose` */
    struct {
        uint32_t set, cell;
    } * member; /* who belongs to which set */
    struct carom_draft_panel *panel;
    char (*set)[CAROM_MESH_NAME], (*surface)[CAROM_MESH_NAME];
    bool loose; /* which side of a face is outside is not known */
};

/* Kinds of cells with a fixed number of nodes, their faces in the order of Abaqus' S1, S2, ... */
enum carom_draft_kind {
    CAROM_DRAFT_TETRAHEDRON,
    CAROM_DRAFT_PYRAMID,
    CAROM_DRAFT_PRISM,
    CAROM_DRAFT_HEXAHEDRON,
    CAROM_DRAFT_KINDS
};
extern const size_t carom_draft_nodes[CAROM_DRAFT_KINDS];

void carom_draft_free(struct carom_draft *draft);

/* Each adds one; false: out of memory, or more than 32 bits count. */
bool carom_draft_add_node(struct carom_draft *draft, const double place[3]);
bool carom_draft_add_cell(struct carom_draft *draft, enum carom_draft_kind kind, const uint32_t *node, uint64_t number,
                          size_t line);
bool carom_draft_open_cell(struct carom_draft *draft, uint64_t number, size_t line); /* its faces follow */
bool carom_draft_add_face(struct carom_draft *draft, size_t count, const uint32_t *node);
bool carom_draft_add_member(struct carom_draft *draft, size_t set, size_t cell);
bool carom_draft_add_panel(struct carom_draft *draft, size_t surface, size_t count, const uint32_t *node, size_t line);

/* The number of the set or surface of that name, made where there is none; SIZE_MAX: out of memory. Names that are too
 * long are cut. */
size_t carom_draft_set(struct carom_draft *draft, const char *name);
size_t carom_draft_surface(struct carom_draft *draft, const char *name);

/* The first face of a cell, and of the next: all are there. */
size_t carom_draft_faces(const struct carom_draft *draft, size_t cell, size_t *end);

/* The nodes of a face; returns how many. */
size_t carom_draft_corners(const struct carom_draft *draft, size_t face, const uint32_t **node);

/* The three least of some nodes, rising. */
void carom_draft_least(size_t count, const uint32_t *node, uint32_t least[3]);

/* The mesh; spends `draft` in any case only in so far as faces are turned to the outside. NULL and the sentence where
 * cells are flat, inverted, bent, overlap or touch without sharing a face. */
struct carom_mesh *carom_assemble(struct carom_draft *draft, struct carom_error *error);

/* The box around faces [face, end), of which there is at least one. */
void carom_draft_box(const struct carom_draft *d, size_t face, size_t end, double low[3], double high[3]);

/* --- assemble_touch.c: cells that overlap, or touch without sharing a face --------------------------------------- */

/* "line 7, cell 12": how sentences call a cell. */
struct carom_draft_name {
    char text[64];
};
struct carom_draft_name carom_assemble_touch_name(const struct carom_draft *draft, size_t cell);

/* Looks whether the middle of a cell, or a place just outside a face without a neighbour, lies in another cell. `facet`
 * has the faces of the draft. */
enum carom_status carom_assemble_touch(const struct carom_draft *draft, const struct carom_facet *facet,
                                       const struct carom_mesh *mesh, struct carom_error *error);

#endif
