/* From tree to scene: what the files bind*.c share. Bodies are gathered into flat arrays first, then contacts are
 * worked out between neighbours, then both become a model and the arrays go. */
#ifndef CAROM_SCENE_BIND_H
#define CAROM_SCENE_BIND_H

#include "carom/scene.h"
#include "scene/keys/materials.h"
#include "scene/keys/value.h"

struct carom_bind_wall {
    struct carom_node *node; /* NULL: there is none */
    double gap;
    uint32_t made_of;
};

struct carom_bind_striker {
    struct carom_node *node;
    enum carom_keys_side side;
    size_t first, count; /* bodies, from 0 */
};

enum { CAROM_BIND_KINDS = 63 }; /* the most laws, frictions or schemes */

struct carom_bind {
    struct carom_reader r;
    struct carom_scene *scene;
    const struct carom_scene_wish *wish;
    /* what the scene can name, its reader's own kinds included; NULL-ended */
    const struct carom_law *laws[CAROM_BIND_KINDS + 1];
    const struct carom_friction *frictions[CAROM_BIND_KINDS + 1];
    const struct carom_scheme *schemes[CAROM_BIND_KINDS + 1];

    enum carom_keys_theory theory;
    bool springy; /* impacts will ask for k and p */
    double *e; /* nc: restitution the scene gives, NaN where the law says it; NULL: compliant theory. Of bodies of the
                   * plane and of space one for every two classes, as their `meets` has them */

    size_t nmaterials, material_room;
    struct carom_material *material; /* built-in, the scene's own, those written in place */
    size_t nbuiltin;

    const int32_t (*pair)[2];       /* bodies that meet, where they are no row; NULL: neighbours */
    const char *const *called;      /* with pairs: names of bodies, for `between`; NULL: contacts go by number */
    const double *faces;            /* with pairs: k of contacts of faces, where nobody gives it; 0: of others */
    const double *meeting;          /* with faces: the mass that meets there; HUGE_VAL: nothing of it moves */
    size_t spoken;                  /* with pairs: contacts, the first ones, that the first map speaks of */
    size_t n;                       /* bodies, strikers placed */
    double *mass;                   /* n */
    double *radius;                 /* n, 0: none; NULL if no body has one */
    double *spring;                 /* n; NULL if no body has one */
    double *damping, *string;       /* n, 0: none; NULL if no body has one */
    double gravity, precompression; /* along the line; NaN: no equilibrium is asked for */
    double *gap;                    /* n: opening before the body */
    uint32_t *made_of;              /* n: number of the material, from 1, 0: none; NULL if no body has one */
    struct carom_bind_wall wall[2]; /* left, right */
    double *stiffen;                /* n: factor of k at the contact before the body, 0: none; NULL if there is none */
    uint32_t *class_made_of;        /* of bodies of plane and space: the same, for each class; NULL in rows */
    size_t nstrikers, striker_room;
    struct carom_bind_striker *striker; /* as they stand in the list */
    uint64_t draws;                     /* random streams begun so far */
};

/* Binds the whole tree to an empty scene. On error the scene is incomplete and must be freed. */
enum carom_status carom_bind_scene(struct carom_tree *tree, struct carom_scene *scene,
                                   const struct carom_scene_wish *wish, struct carom_error *error);

/* --- the steps, in this order ------------------------------------------------------------------------------------ */

enum carom_status carom_bind_materials(struct carom_bind *b, const struct carom_node *root);
enum carom_status carom_bind_bodies(struct carom_bind *b, const struct carom_node *root);
/* the model, contacts included */
enum carom_status carom_bind_contacts(struct carom_bind *b, const struct carom_node *root);
/* the same for a mechanism, whose pairs are known; they count from 1 */
enum carom_status carom_bind_contacts_of(struct carom_bind *b, const struct carom_node *root, size_t nc,
                                         const int32_t (*pair)[2], const double *gap);
/* instead of bodies, contacts and start, where the body is a mechanism */
bool carom_bind_mechanism_is(const struct carom_node *root);
enum carom_status carom_bind_mechanism(struct carom_bind *b, const struct carom_node *root);
/* the same under theory solid, where one of `bodies` is a solid */
bool carom_bind_solid_is(const struct carom_node *root);
enum carom_status carom_bind_solid(struct carom_bind *b, const struct carom_node *root);

/* of whose contacts the table, once it is complete, says how they rub; does any map of a scene speak of that? */
struct carom_contact_table;
enum carom_status carom_bind_solid_friction(struct carom_bind *b, const struct carom_contact_table *table);
bool carom_bind_solid_friction_is(const struct carom_node *root);
/* the same of discs and spheres, which the first of `bodies` tells (scene/space) */
bool carom_bind_space_is(const struct carom_node *root);
enum carom_status carom_bind_space(struct carom_bind *b, const struct carom_node *root);
/* reads compliant contacts anew under another theory; after the start and the scales */
enum carom_status carom_bind_theory(struct carom_bind *b);
enum carom_status carom_bind_space_theory(struct carom_bind *b); /* their pairings; b->e as there */
/* the elastic force of a law with these parameters is k d^p when first loaded */
void carom_bind_theory_elastic(const struct carom_bind *b, const struct carom_law *law, const double *const *param,
                               double *k, double *p);
/* makes them a mechanism where the scheme, which is known by now, wants that */
enum carom_status carom_bind_space_linkage(struct carom_bind *b, const struct carom_node *run);
/* what acts on the bodies beside their contacts */
enum carom_status carom_bind_loads(struct carom_bind *b, const struct carom_node *root);
/* Is the motion of a bead (from 0) or of a wall prescribed? */
bool carom_bind_loads_drive(const struct carom_bind *b, int32_t which);
enum carom_status carom_bind_start(struct carom_bind *b, const struct carom_node *root);
enum carom_status carom_bind_run(struct carom_bind *b, const struct carom_node *root);
enum carom_status carom_bind_record(struct carom_bind *b, const struct carom_node *root);
/* which region probes read, with their names known */
enum carom_status carom_bind_region(struct carom_bind *b, const struct carom_node *root);
enum carom_status carom_bind_sensors(struct carom_bind *b, const struct carom_node *root);

/* what looks odd about a row of beads goes among the notes; after all the others */
enum carom_status carom_bind_odd(struct carom_bind *b);
/* How fast contacts of a row or of bodies close; 0: nobody knows. */
double carom_bind_yield_closing(const struct carom_bind *b);
/* What contacts bear before their materials yield, and a sentence where `speed` of closing may be too much. */
enum carom_status carom_bind_yield(struct carom_bind *b, double speed);
/* the same of balls beside solids, whose contacts come first */
enum carom_status carom_bind_yield_balls(struct carom_bind *b, size_t ncontacts, double speed);
/* A sentence where contacts that close with `speed` overlap too much: the first `ncontacts`, and those of bodies. */
enum carom_status carom_bind_deep(struct carom_bind *b, size_t ncontacts, double speed);
enum carom_status carom_bind_deep_bodies(struct carom_bind *b, double speed);
/* of plane and space; *alone: nothing meets before the run ends */
enum carom_status carom_bind_space_odd(struct carom_bind *b, bool *alone);
enum carom_status carom_bind_solid_odd(struct carom_bind *b); /* of solids, which may miss each other */

/* The bodies an entry of a list speaks of. */
struct carom_bind_who {
    bool all;
    struct carom_node *first; /* scalars, linked */
    size_t count;
};

/* --- helpers ----------------------------------------------------------------------------------------------------- */

/* A material by name or written in place, as its number from 1; `rigid` is for walls. */
enum carom_status carom_bind_materials_number(struct carom_bind *b, struct carom_node *node, bool wall,
                                              uint32_t *number);

/* Mass, radius, spring and material of a map for beads first, first + step, ... below first + count. */
enum carom_status carom_bind_bodies_fill(struct carom_bind *b, const struct carom_node *map,
                                         const struct carom_section *section, size_t first, size_t count, size_t step);

/* Masses that are not given: from radius and density, or 1 without units. */
enum carom_status carom_bind_bodies_masses(struct carom_bind *b, const struct carom_node *node, size_t first,
                                           size_t count);

/* How many bodies a chain of `count` beads becomes, and all but its gaps placed from body `first` on. */
size_t carom_bind_chain_size(const struct carom_node *chain, size_t count);
enum carom_status carom_bind_chain_place(struct carom_bind *b, struct carom_node *chain, size_t first, size_t count);

/* A whole number from 1 to `most` that names a `what` ("body", "bead"), as a number from 0. */
enum carom_status carom_bind_chain_number(struct carom_bind *b, struct carom_node *node, const char *what, size_t most,
                                          size_t *number);

/* Reads body: or bodies: of an entry of the list `list`; then body after body: `which` is who->first at the
 * beginning, `i` counts them. */
enum carom_status carom_bind_start_who(struct carom_bind *b, struct carom_node *entry, const char *list,
                                       struct carom_bind_who *who);
enum carom_status carom_bind_start_body(struct carom_bind *b, const struct carom_bind_who *who, size_t i,
                                        struct carom_node **which, size_t *body);

enum carom_status carom_bind_memory(const struct carom_bind *b);

/* One more sentence that whoever runs the scene should read. */
enum carom_status carom_bind_note(struct carom_bind *b, const char *format, ...) CAROM_PRINTF(2, 3);

/* Does the theory read contacts as rigid? */
static inline bool carom_bind_rigid(const struct carom_bind *b)
{
    return b->theory == CAROM_KEYS_NONSMOOTH || b->theory == CAROM_KEYS_LZB;
}

#endif
