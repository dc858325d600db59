/* Elastic solids of scenes: what the files bind_solid*.c share. */
#ifndef CAROM_SCENE_SOLID_BIND_SOLID_H
#define CAROM_SCENE_SOLID_BIND_SOLID_H

#include "carom/solid.h"
#include "mesh/mesh.h"
#include "model/solid/strike/solid_strike.h"
#include "scene/bind.h"
#include "scene/keys/keys_solid.h"

/* The cells a map means, rising; *cell is to be freed. `side` (may be NULL): the face named, or CAROM_SOLID_SIDES.
 * `whole`: no word of cells means all of them, else that is an error. */
enum carom_status carom_bind_solid_pick(struct carom_bind *b, struct carom_node *map, const struct carom_solid *solid,
                                        bool whole, size_t *count, uint32_t **cell, enum carom_solid_side *side);

/* The side that a word names. */
enum carom_status carom_bind_solid_pick_side(struct carom_bind *b, struct carom_node *node,
                                             const struct carom_solid *solid, enum carom_solid_side *side);

/* The corners of a box. */
enum carom_status carom_bind_solid_pick_box(struct carom_bind *b, struct carom_node *node,
                                            const struct carom_solid *solid, double low[3], double high[3]);

/* What a map says a body is made of; and what parts of it are, before clamps and drives. */
enum carom_status carom_bind_solid_regions_material(struct carom_bind *b, struct carom_node *map,
                                                    struct carom_solid_material *out);
enum carom_status carom_bind_solid_regions(struct carom_bind *b, struct carom_node *map, struct carom_solid *solid);

/* The bytes of a file that a map names, or those kept of it; to be freed. */
enum carom_status carom_bind_solid_mesh_bytes(struct carom_bind *b, struct carom_node *map, struct carom_node *file,
                                              const char **name, char **bytes, size_t *length);

/* What a file may tell of cells: arrays of cell data with so many components each, of which the first `columns` may
 * also stand in rows of CSV behind the place (`text`: in the plane, in space), and at least `needed` have to be there.
 */
struct carom_bind_field {
    const char *array[4];
    size_t narrays, columns, components, needed;
    const char *text[2];
    /* may be NULL: can this be of cell or line `number`? */
    enum carom_status (*check)(struct carom_error *error, const char *what, size_t number, const double *value);
};

/* The numbers of all cells, narrays x components each, 0 where the file has none; to be freed, also on failure. */
enum carom_status carom_bind_solid_field(struct carom_bind *b, struct carom_node *map, const struct carom_solid *solid,
                                         const struct carom_bind_field *field, double **value);

/* Absorbing sides, after clamps and drives. */
enum carom_status carom_bind_solid_absorb(struct carom_bind *b, struct carom_node *map, struct carom_solid *solid);

/* Plasticity, when cells and links are as they will be. */
enum carom_status carom_bind_solid_absorb_flow(struct carom_bind *b, struct carom_node *map, struct carom_solid *solid);

/* Fracture, nonlinear links, and who meets whom in a body; after that. */
enum carom_status carom_bind_solid_fracture(struct carom_bind *b, struct carom_node *map, struct carom_solid *solid);

/* Clamps and drives of the map of a solid; then its loads: those of the start if it settles, those of the run. */
enum carom_status carom_bind_solid_acts_holds(struct carom_bind *b, struct carom_node *map, struct carom_solid *solid);
enum carom_status carom_bind_solid_acts_loads(struct carom_bind *b, struct carom_node *map, struct carom_solid *solid,
                                              bool settling);

/* One solid of a scene, with its start: its q and v, carom_solid_size and fast x n numbers, are to be freed. */
struct carom_bind_body {
    struct carom_solid *solid;
    struct carom_node *map;
    double *q, *v;
    struct carom_node *rests; /* the entry of start by which it settles with others; NULL: alone, or not at all */
    struct carom_node *alone; /* the one by which it has settled alone, as there are joints, which do not act then */
};
enum carom_status carom_bind_solid_one(struct carom_bind *b, const struct carom_node *root,
                                       struct carom_bind_body *body);

/* Settles those that others may touch, each alone as long as nothing does, and goes on with their starts; all contacts
 * are there. */
enum carom_status carom_bind_solid_rest(struct carom_bind *b, const struct carom_node *root, size_t nsolids,
                                        const struct carom_bind_body *body);
#define CAROM_BIND_SOLID_SETTLED 1e-9 /* of the largest force */

/* A body settles alone under the loads of its start, after which it has none; it goes on where it rested with others.
 */
enum carom_status carom_bind_solid_rest_alone(struct carom_bind *b, struct carom_node *entry,
                                              const struct carom_bind_body *body);
enum carom_status carom_bind_solid_one_go_on(struct carom_bind *b, const struct carom_node *root,
                                             struct carom_bind_body *body);

/* Where an entry of start says run, the body is as that run's end has it; `first`: nothing has been done to it yet. */
enum carom_status carom_bind_solid_from(struct carom_bind *b, struct carom_node *map,
                                        const struct carom_bind_body *body, bool first);

/* Does an entry that may have `body: name` speak of this solid? A name that no solid of the scene has is an error, and
 * so is a choice of cells without a name where there are several. */
enum carom_status carom_bind_solid_meant(struct carom_bind *b, struct carom_node *entry, const struct carom_node *root,
                                         const struct carom_solid *solid, bool *meant);

/* The name of a solid, empty for a single one without, or of a plane: bodies count through both. */
const char *carom_bind_solid_places_side(const struct carom_solid_strike *strike, size_t body);

/* Refuses laws that faces cannot have, and bodies that stand in each other at the start; once contacts are there. */
enum carom_status carom_bind_solid_places(struct carom_bind *b, const struct carom_node *root);

/* Says which of those that are not tied are pressed at the start, and by how much. */
enum carom_status carom_bind_solid_places_pressed(struct carom_bind *b);

/* Is an entry of bodies a ball, or a lattice of them? How many there are. All of them as a part; their velocities go
 * into v. NULL where something is wrong. */
bool carom_bind_solid_balls_is(const struct carom_node *entry);
enum carom_status carom_bind_solid_balls_count(struct carom_bind *b, const struct carom_node *bodies, int dimension,
                                               size_t *n);
enum carom_status carom_bind_solid_balls(struct carom_bind *b, struct carom_node *bodies, size_t n, int dimension,
                                         double depth, size_t ncontacts, bool joints, struct carom_solid_balls **out,
                                         double *v);

/* Joints of balls, which start with these velocities, to each other, the world and cells of solids, of which the model
 * has the first `nsolids`; these start as said. */
enum carom_status carom_bind_solid_joints(struct carom_bind *b, const struct carom_node *root,
                                          const struct carom_node *bodies, size_t nsolids,
                                          const struct carom_bind_body *solids, struct carom_solid_balls *balls,
                                          const double *v);

/* Refuses a named machine, and says what it is beside a solid: balls on joints, solids and planes. */
enum carom_status carom_bind_solid_joints_instead(struct carom_bind *b, const struct carom_node *map);

/* The velocities of cells that joints hold, behind those of balls in v. */
void carom_bind_solid_joints_start(const struct carom_solid_balls *balls, const struct carom_bind_body *solids,
                                   double *v);

/* The same of one lattice: how many balls, and ball *first and those after it. */
enum carom_status carom_bind_solid_lattice_count(struct carom_bind *b, struct carom_node *map, int dimension,
                                                 size_t *n);
enum carom_status carom_bind_solid_lattice(struct carom_bind *b, struct carom_node *map, double depth,
                                           struct carom_solid_balls *balls, size_t *first, double *v);

/* May this be a name in a run file? */
bool carom_bind_solid_record_name(const char *name);

/* Sensors of the map of a solid; and the cells that `record` of the scene names. */
enum carom_status carom_bind_solid_record_sensors(struct carom_bind *b, struct carom_node *map,
                                                  struct carom_solid *solid);
enum carom_status carom_bind_solid_record_cells(struct carom_bind *b, const struct carom_node *root,
                                                struct carom_solid *solid);

/* Refuses loads that act only while the body settles; for bodies that do not. */
enum carom_status carom_bind_solid_acts_unsettled(struct carom_bind *b, struct carom_node *map);

/* Pairs of the model as numbers of sides: balls, solids, planes. */
void carom_bind_solid_sides(size_t balls, size_t nc, const int32_t (*pair)[2], int32_t (*side)[2]);

/* --- bind_solid_cells.c: general cells --------------------------------------------------------------------------- */

/* A body of a mesh, which stays the caller's; refuses skew links that are not accepted. */
enum carom_status carom_bind_solid_cells(struct carom_bind *b, const struct carom_node *map, bool accept_skew,
                                         const struct carom_solid_material *material, struct carom_mesh *mesh,
                                         struct carom_solid **solid);

/* The cells of a mesh file, which a map names. */
enum carom_status carom_bind_solid_mesh(struct carom_bind *b, struct carom_node *map, bool accept_skew,
                                        const struct carom_solid_material *material, struct carom_solid **solid);

/* Voronoi cells in the region of a map. */
enum carom_status carom_bind_solid_voronoi(struct carom_bind *b, struct carom_node *map, bool accept_skew,
                                           const struct carom_solid_material *material, struct carom_solid **solid);

#endif
