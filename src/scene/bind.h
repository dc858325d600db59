/* From tree to scene: what the files bind*.c share. Bodies are gathered into flat arrays first, then contacts are
 * worked out between neighbours, then both become a model and the arrays go. */
#ifndef CAROM_SCENE_BIND_H
#define CAROM_SCENE_BIND_H

#include "carom/scene.h"
#include "scene/materials.h"
#include "scene/value.h"

struct carom_bind_wall {
    struct carom_node *node; /* NULL: there is none */
    double gap;
    uint32_t made_of;
};

struct carom_bind_striker {
    struct carom_node *node; /* NULL: there is none */
    size_t body;             /* from 0 */
};

struct carom_bind {
    struct carom_reader r;
    struct carom_scene *scene;

    enum carom_keys_theory theory;
    double *e; /* nc: restitution the scene gives, NaN where the law says it; NULL: compliant theory */

    size_t nmaterials, material_room;
    struct carom_material *material; /* built-in, the scene's own, those written in place */
    size_t nbuiltin;

    size_t n;                       /* bodies, strikers placed */
    double *mass;                   /* n */
    double *radius;                 /* n, 0: none; NULL if no body has one */
    double *spring;                 /* n; NULL if no body has one */
    double *gap;                    /* n: opening before the body */
    uint32_t *made_of;              /* n: number of the material, from 1, 0: none; NULL if no body has one */
    struct carom_bind_wall wall[2]; /* left, right */
    struct carom_bind_striker striker[2];
};

/* Binds the whole tree to an empty scene. On error the scene is incomplete and must be freed. */
enum carom_status carom_bind_scene(struct carom_tree *tree, struct carom_scene *scene, struct carom_error *error);

/* --- the steps, in this order ------------------------------------------------------------------------------------ */

enum carom_status carom_bind_materials(struct carom_bind *b, const struct carom_node *root);
enum carom_status carom_bind_bodies(struct carom_bind *b, const struct carom_node *root);
/* the model, contacts included */
enum carom_status carom_bind_contacts(struct carom_bind *b, const struct carom_node *root);
/* reads compliant contacts anew under another theory; after the start and the scales */
enum carom_status carom_bind_theory(struct carom_bind *b);
enum carom_status carom_bind_start(struct carom_bind *b, const struct carom_node *root);
enum carom_status carom_bind_run(struct carom_bind *b, const struct carom_node *root);
enum carom_status carom_bind_record(struct carom_bind *b, const struct carom_node *root);

/* --- helpers ----------------------------------------------------------------------------------------------------- */

/* A material by name or written in place, as its number from 1; `rigid` is for walls. */
enum carom_status carom_bind_materials_number(struct carom_bind *b, struct carom_node *node, bool wall,
                                              uint32_t *number);

enum carom_status carom_bind_memory(const struct carom_bind *b);

#endif
