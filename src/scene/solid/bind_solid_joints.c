/* Joints of balls beside solids: rods without mass between centres, and lines along which balls slide. */
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "scene/keys_space.h"
#include "scene/solid/bind_solid.h"

enum { MOST = 64 }; /* of them: all are solved for together */

/* balls do not tell how they are turned: what needs that is refused */
static enum carom_status check_kind(struct carom_bind *b, struct carom_node *entry)
{
    static const char *const missing[] = {"limits", "speed", "torque", "force", "e"};
    if (entry->kind != CAROM_NODE_MAP || entry->count != 1)
        return carom_value_wrong(
            &b->r, entry, "an entry of joints is one joint, such as - distance: {bodies: [1, world], to: [0, 1]}");
    entry->used = true;
    struct carom_node *map = entry->first;
    if (strcmp(map->key, "distance") != 0 && strcmp(map->key, "slider") != 0)
        return carom_tree_error_key(
            b->r.tree, map, CAROM_E_REFUSED, b->r.error,
            "%s: beside a solid balls are held by distance, a rod from centre to centre or to a "
            "point of the world, and by slider",
            map->key);
    if (carom_value_map(&b->r, map) != CAROM_OK ||
        carom_value_keys(&b->r, map, &carom_keys_space_joint, NULL) != CAROM_OK)
        return b->r.error->status;
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (carom_tree_find(map, missing[i]) != NULL)
            return carom_tree_error_key(b->r.tree, carom_tree_find(map, missing[i]), CAROM_E_REFUSED, b->r.error,
                                        "%s: joints beside a solid have no limits and no motors so far", missing[i]);
    return CAROM_OK;
}

/* the ball that a word names */
static enum carom_status find_ball(struct carom_bind *b, const struct carom_node *bodies,
                                   const struct carom_solid_balls *balls, struct carom_node *node, uint32_t *out)
{
    const char *word;
    size_t i = 0, number = 0;
    if (carom_value_text(&b->r, node, &word) != CAROM_OK)
        return b->r.error->status;
    for (const char *c = word; *c >= '0' && *c <= '9' && number < 1000; c++)
        number = c[1] == '\0' || (c[1] >= '0' && c[1] <= '9') ? 10 * number + (size_t)(*c - '0') : 1000;
    for (const struct carom_node *entry = bodies->first; entry != NULL; entry = entry->next) {
        size_t some = 1;
        if (!carom_bind_solid_balls_is(entry))
            continue;
        struct carom_node *name = carom_tree_find(entry->first, "name");
        if (strcmp(entry->first->key, "lattice") == 0 &&
            carom_bind_solid_lattice_count(b, entry->first, balls->dimension, &some) != CAROM_OK)
            return b->r.error->status;
        if (some == 1 && name != NULL && name->kind == CAROM_NODE_SCALAR && strcmp(name->text, word) == 0) {
            *out = (uint32_t)i;
            return CAROM_OK;
        }
        i += some;
    }
    if (number == 0 || number > balls->n)
        return carom_value_wrong(&b->r, node, "%s is no ball: take the name of one, or its number, from 1 to %zu",
                                 carom_tree_short(word).text, balls->n);
    *out = (uint32_t)(number - 1);
    return CAROM_OK;
}

static enum carom_status read_bodies(struct carom_bind *b, const struct carom_node *bodies,
                                     const struct carom_solid_balls *balls, struct carom_node *map,
                                     struct carom_solid_joint *joint)
{
    struct carom_node *list = carom_tree_find(map, "bodies");
    if (list == NULL)
        return carom_value_wrong_key(&b->r, map, "%s: bodies is missing: the two that it holds, such as [1, world]",
                                     map->key);
    if (carom_value_list_of(&b->r, list, 2, "body") != CAROM_OK ||
        find_ball(b, bodies, balls, list->first, &joint->ball[0]) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *second = list->last;
    joint->ball[1] = CAROM_SOLID_WORLD;
    if (second->kind == CAROM_NODE_SCALAR && strcmp(second->text, "world") == 0)
        second->used = true;
    else if (find_ball(b, bodies, balls, second, &joint->ball[1]) != CAROM_OK)
        return b->r.error->status;
    if (joint->ball[0] == joint->ball[1])
        return carom_value_wrong(&b->r, list, "a joint holds two bodies, and both are the same");
    if (joint->slides && joint->ball[1] != CAROM_SOLID_WORLD)
        return carom_value_wrong(&b->r, list, "beside a solid balls slide along lines of the world: [1, world]");
    return CAROM_OK;
}

/* a ball is held at its centre: a point that is given has to be that */
static enum carom_status check_centre(struct carom_bind *b, struct carom_node *node,
                                      const struct carom_solid_balls *balls, uint32_t ball)
{
    double place[3] = {0.0, 0.0, 0.0}, off[3];
    if (node == NULL)
        return CAROM_OK;
    if (carom_value_vector(&b->r, node, "m", (size_t)balls->dimension, false, place) != CAROM_OK)
        return b->r.error->status;
    for (int k = 0; k < 3; k++)
        off[k] = place[k] - balls->at[ball][k];
    if (carom_vec_norm(off) > 1e-6 * balls->radius[ball])
        return carom_value_wrong_key(&b->r, node,
                                     "%s: beside a solid joints hold balls at their centres, and this is "
                                     "beside that of ball %u",
                                     node->key, (unsigned)ball + 1);
    return CAROM_OK;
}

static enum carom_status read_rod(struct carom_bind *b, struct carom_node *map, const struct carom_solid_balls *balls,
                                  struct carom_solid_joint *joint)
{
    struct carom_node *to = carom_tree_find(map, "to"), *axis = carom_tree_find(map, "axis");
    const bool world = joint->ball[1] == CAROM_SOLID_WORLD;
    double apart[3];
    if (axis != NULL)
        return carom_value_wrong_key(&b->r, axis, "axis: a distance has none");
    if (world && to == NULL)
        return carom_value_wrong_key(&b->r, map, "distance: to is missing: the point of the world that holds it");
    if (world && carom_value_vector(&b->r, to, "m", (size_t)balls->dimension, false, joint->to) != CAROM_OK)
        return b->r.error->status;
    if (!world && check_centre(b, to, balls, joint->ball[1]) != CAROM_OK)
        return b->r.error->status;
    for (int k = 0; k < 3; k++)
        apart[k] = balls->at[joint->ball[0]][k] - (world ? joint->to[k] : balls->at[joint->ball[1]][k]);
    joint->length = carom_vec_norm(apart);
    if (!(joint->length > 0.0))
        return carom_value_wrong_key(&b->r, map, "distance: both points are the same");
    if (!world && joint->length < balls->radius[joint->ball[0]] + balls->radius[joint->ball[1]])
        return carom_value_wrong_key(&b->r, map,
                                     "distance: the rod is shorter than both radii, so that the balls would "
                                     "press each other all the time");
    return CAROM_OK;
}

/* two directions across the axis, in the plane one */
static enum carom_status read_slider(struct carom_bind *b, struct carom_node *map,
                                     const struct carom_solid_balls *balls, struct carom_solid_joint *joint)
{
    struct carom_node *axis = carom_tree_find(map, "axis"), *to = carom_tree_find(map, "to");
    double along[3] = {0.0, 0.0, 0.0}, least[3] = {0.0, 0.0, 0.0};
    if (to != NULL)
        return carom_value_wrong_key(&b->r, to, "to: only a distance has two points");
    if (axis == NULL)
        return carom_value_wrong_key(&b->r, map, "slider: axis is missing: the direction along which it slides");
    if (carom_value_vector(&b->r, axis, "1", (size_t)balls->dimension, false, along) != CAROM_OK)
        return b->r.error->status;
    const double size = carom_vec_norm(along);
    if (!(size > 0.0))
        return carom_value_wrong_key(&b->r, axis, "axis: it is 0");
    for (int k = 0; k < 3; k++)
        along[k] /= size;
    memcpy(joint->to, balls->at[joint->ball[0]], sizeof joint->to);
    /* in the plane across is what z leaves */
    const int low = balls->dimension == 2             ? 2
                    : fabs(along[0]) < fabs(along[1]) ? (fabs(along[0]) < fabs(along[2]) ? 0 : 2)
                                                      : (fabs(along[1]) < fabs(along[2]) ? 1 : 2);
    least[low] = 1.0;
    carom_vec_cross(along, least, joint->across[0]);
    const double wide = carom_vec_norm(joint->across[0]);
    for (int k = 0; k < 3; k++)
        joint->across[0][k] /= wide;
    carom_vec_cross(along, joint->across[0], joint->across[1]);
    return CAROM_OK;
}

static enum carom_status read_joint(struct carom_bind *b, const struct carom_node *bodies,
                                    const struct carom_solid_balls *balls, struct carom_node *entry,
                                    struct carom_solid_joint *joint)
{
    if (check_kind(b, entry) != CAROM_OK)
        return b->r.error->status;
    struct carom_node *map = entry->first;
    joint->slides = strcmp(map->key, "slider") == 0;
    if (read_bodies(b, bodies, balls, map, joint) != CAROM_OK ||
        check_centre(b, carom_tree_find(map, "at"), balls, joint->ball[0]) != CAROM_OK)
        return b->r.error->status;
    return joint->slides ? read_slider(b, map, balls, joint) : read_rod(b, map, balls, joint);
}

/* velocities that joints do not allow */
static enum carom_status check_start(struct carom_bind *b, const struct carom_node *list,
                                     const struct carom_solid_balls *balls, const double *v)
{
    struct carom_solid_joint_row row[2 * MOST];
    const struct carom_node *entry = list->first;
    double *none = carom_memory_zeroed(carom_solid_balls_moves(balls), sizeof *none);
    if (none == NULL)
        return carom_bind_memory(b);
    carom_solid_balls_rows(balls, none, row);
    carom_memory_free(none);
    const double fast = carom_solid_balls_speed(balls, v);
    for (size_t j = 0, r = 0; j < balls->njoints; j++, entry = entry->next)
        for (int i = 0; i < (balls->joint[j].slides ? balls->dimension - 1 : 1); i++, r++) {
            const double rate = carom_solid_balls_row_rate(balls, &row[r], v);
            if (fabs(rate) > 1e-9 * fast)
                return carom_value_wrong_key(&b->r, entry->first,
                                             "%s: velocities at the start go across it, by %g, which it does not allow",
                                             entry->first->key, fabs(rate));
        }
    return CAROM_OK;
}

enum carom_status carom_bind_solid_joints(struct carom_bind *b, const struct carom_node *root,
                                          const struct carom_node *bodies, struct carom_solid_balls *balls,
                                          const double *v)
{
    struct carom_node *list = carom_tree_find(root, "joints");
    if (list == NULL)
        return CAROM_OK;
    if (carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    if (list->count == 0)
        return carom_value_wrong(&b->r, list, "the list is empty");
    if (list->count > MOST)
        return carom_tree_error_key(b->r.tree, list, CAROM_E_REFUSED, b->r.error,
                                    "joints: at most %d beside solids so far, not %zu", MOST, list->count);
    balls->joint = carom_memory_zeroed(list->count, sizeof *balls->joint);
    if (balls->joint == NULL)
        return carom_bind_memory(b);
    for (struct carom_node *entry = list->first; entry != NULL; entry = entry->next)
        if (read_joint(b, bodies, balls, entry, &balls->joint[balls->njoints++]) != CAROM_OK)
            return b->r.error->status;
    return check_start(b, list, balls, v);
}
