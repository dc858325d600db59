/* Bodies of the plane and of space: what the files bind_space*.c share. Every entry of the list `bodies` becomes one or
 * many bodies of one material; entries that no `between` tells apart are of one class, and two classes meet by one
 * pairing. */
#ifndef CAROM_SCENE_SPACE_BIND_SPACE_H
#define CAROM_SCENE_SPACE_BIND_SPACE_H

#include "carom/bodies.h"
#include "scene/bind.h"
#include "scene/keys/keys_space.h"
#include "scene/space/import.h"

enum carom_bind_shape {
    CAROM_BIND_DISC,
    CAROM_BIND_SPHERE,
    CAROM_BIND_LATTICE,
    CAROM_BIND_PACKING,
    CAROM_BIND_FILE, /* bodies of a table: from a file, or a run */
    CAROM_BIND_RUN,
    CAROM_BIND_PLANE, /* from here on walls */
    CAROM_BIND_BOX,
    CAROM_BIND_CYLINDER,
    CAROM_BIND_POLYGON,
    CAROM_BIND_POLYHEDRON,
    CAROM_BIND_CAPSULE,
    CAROM_BIND_COMPOUND,
    CAROM_BIND_SHAPES
};

struct carom_bind_entry {
    struct carom_node *map;
    const char *word; /* of its shape, for sentences */
    enum carom_bind_shape shape;
    size_t first, count; /* bodies, from 0 */
    uint32_t made_of;    /* number of the material, from 1; 0: none */
    const char *name;    /* NULL: none */
    bool wall;           /* no disc or sphere that others meet from outside */
    uint32_t class;      /* as the pairings see it */
    size_t of_class;     /* how many bodies it puts into its class */
    /* A table's bodies may be of several materials, a lattice may have intruders: the entry has the first of them, and
     * one without bodies of its own follows for each of the others. */
    struct carom_import *table; /* of the first one, which owns it */
    size_t main;                /* the number of the first one, whose name all of them have */
};

struct carom_bind_space {
    struct carom_bind *b;
    const struct carom_node *root;
    size_t dimension, n;
    double depth; /* of discs of lattices without a thickness; 0: 1 m */
    size_t nentries, room;
    struct carom_bind_entry *entry;
    struct carom_bodies *bodies;      /* once everything has been counted; the model's after that */
    double *v;                        /* of the start; the scene's after that */
    struct carom_bind_space_run *run; /* to start from; NULL: none */
};

/* --- the steps, in this order ------------------------------------------------------------------------------------ */

/* domain and gravity */
enum carom_status carom_bind_space_domain(struct carom_bind_space *s);
/* Once all have been placed: are they in it, and does none stand in another? */
enum carom_status carom_bind_space_domain_check(struct carom_bind_space *s);
enum carom_status carom_bind_space_bodies(struct carom_bind_space *s);
enum carom_status carom_bind_space_contacts(struct carom_bind_space *s);
enum carom_status carom_bind_space_joints(struct carom_bind_space *s);
/* Do they allow the start? After it. */
enum carom_status carom_bind_space_joints_start(struct carom_bind_space *s);
enum carom_status carom_bind_space_acts_loads(struct carom_bind_space *s);
/* q and v, with the model complete */
enum carom_status carom_bind_space_acts_start(struct carom_bind_space *s);

/* --- helpers ----------------------------------------------------------------------------------------------------- */

/* Lattices: entries for their intruders, how many bodies they have, and their places. */
enum carom_status carom_bind_space_lattice_intruders(struct carom_bind_space *s, size_t entry);
enum carom_status carom_bind_space_lattice_count(struct carom_bind_space *s, struct carom_bind_entry *entry);
enum carom_status carom_bind_space_lattice_place(struct carom_bind_space *s, const struct carom_bind_entry *entry);

/* Places the bodies of a packing, and says how many it has. */
enum carom_status carom_bind_space_place_packing(struct carom_bind_space *s, const struct carom_bind_entry *entry);
enum carom_status carom_bind_space_place_packing_count(struct carom_bind_space *s, struct carom_bind_entry *entry);

/* Reads the table of an entry `file` or `run`, and adds entries for its further materials. */
enum carom_status carom_bind_space_table_read(struct carom_bind_space *s, size_t entry);
/* `at` of a map that names a run: a time, or HUGE_VAL for its end */
enum carom_status carom_bind_space_table_time(struct carom_bind_space *s, const struct carom_node *map, double *time);
/* May a run file be opened that a scene names? */
enum carom_status carom_bind_space_table_guard(struct carom_bind_space *s, const char *path);
void carom_bind_space_table_free(struct carom_bind_space *s);
/* Places its bodies. */
enum carom_status carom_bind_space_table_place(struct carom_bind_space *s, const struct carom_bind_entry *entry);
/* The box that a table says its bodies are in; refused if there is none, or more than one. */
enum carom_status carom_bind_space_table_box(struct carom_bind_space *s, const struct carom_node *domain, double low[3],
                                             double high[3]);

/* Starts everybody where another run has left them: an entry {run: FILE, at: end} of `start`. */
enum carom_status carom_bind_space_from(struct carom_bind_space *s, struct carom_node *map);
/* What contacts remember of it, once the theory has said what they are. */
enum carom_status carom_bind_space_from_contacts(struct carom_bind_space *s);
void carom_bind_space_from_free(struct carom_bind_space *s);

/* Fills in a ball: radius and, where mass is not given (0), mass from the material; `of` as in enum
 * carom_keys_ball_kind. */
enum carom_status carom_bind_space_bodies_ball(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                               double radius, double mass, double thickness, int of,
                                               struct carom_body *body);

/* Fills in what an entry of a single body says. */
enum carom_status carom_bind_space_bodies_one(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                              struct carom_body *body);

/* The polygon or polyhedron of an entry, or of a part: as carom_convex_create tells it. NULL: an error was told. */
struct carom_convex *carom_bind_space_convex_shape(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                                   struct carom_keys_convex *keys, double centre[3], double axes[4]);

/* Where a body of such shapes stands: points count from its `at`, and turn about it; and how far its corners reach. */
void carom_bind_space_convex_stand(size_t n, struct carom_convex *const *shape, const double centre[3],
                                   const double axes[4], const double turn[4], struct carom_body *body);

/* Fills in a capsule or compound whose `at` is known. */
enum carom_status carom_bind_space_compound(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                            bool driven, struct carom_body *body);

/* The shape that a word of the list `bodies` means, or CAROM_BIND_SHAPES; are its keys those of its section? */
enum carom_bind_shape carom_bind_space_shape(const char *word);
enum carom_status carom_bind_space_check(struct carom_bind_space *s, const struct carom_bind_entry *entry);

/* Mass, and moments over the mass about its own axes, of a wall that moves freely, whose volume is given (in the plane
 * with its thickness): `mass` is what the scene says of it, 0: nothing. */
enum carom_status carom_bind_space_bodies_weigh(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                                double mass, double volume, const double moments[3],
                                                struct carom_body *body);

/* Fills in a polygon or polyhedron whose `at` is known, and how an angle or a map turns a body. */
enum carom_status carom_bind_space_convex(struct carom_bind_space *s, const struct carom_bind_entry *entry, bool driven,
                                          struct carom_body *body);
enum carom_status carom_bind_space_bodies_turn(struct carom_bind_space *s, struct carom_node *node, double frame[4]);

/* A velocity: a list of numbers, or a map of speed and angle. */
enum carom_status carom_bind_space_velocity(struct carom_bind_space *s, struct carom_node *node, double out[3]);

/* A vector of the scene's dimension; the rest of out[3] is 0. */
enum carom_status carom_bind_space_vector(struct carom_bind_space *s, struct carom_node *node, const char *unit,
                                          double out[3]);

/* A turn or rate of turning: one number in the plane (out[2]), three in space. */
enum carom_status carom_bind_space_turn(struct carom_bind_space *s, struct carom_node *node, const char *unit,
                                        double out[3]);

/* The vector's unit vector; refused if it is 0. */
enum carom_status carom_bind_space_direction(struct carom_bind_space *s, struct carom_node *node, double out[3]);

/* A further entry for the bodies of a table that have another material. */
enum carom_status carom_bind_space_entry(struct carom_bind_space *s, struct carom_bind_entry **entry);

/* The entry of that name, or NULL. */
const struct carom_bind_entry *carom_bind_space_find(const struct carom_bind_space *s, const char *name);

/* The one body that a number or name means. */
enum carom_status carom_bind_space_acts_body(struct carom_bind_space *s, struct carom_node *node, size_t *body);

#endif
