/* Joints between bodies of the plane and of space: the list `joints`. */
#include "base/memory.h"
#include "model/bodies/joints.h"
#include "scene/bind_joints.h"
#include "scene/space/bind_space.h"

static enum carom_status find(void *own, struct carom_node *node, size_t *body)
{
    return carom_bind_space_acts_body(own, node, body);
}

static enum carom_status vector(void *own, struct carom_node *node, const char *unit, double out[3])
{
    return carom_bind_space_vector(own, node, unit, out);
}

static const double *centre(const void *own, size_t body)
{
    return ((const struct carom_bind_space *)own)->bodies->body[body].at;
}

static enum carom_status add(struct carom_bind_space *s, struct carom_node *node, struct carom_joint *joint)
{
    const struct carom_bind_joints joints = {
        .b = s->b, .dimension = s->dimension, .own = s, .find = find, .vector = vector, .centre = centre};
    const struct carom_node *k = carom_tree_find(node->first, "k");
    if (carom_bind_joints_read(&joints, node, joint) != CAROM_OK)
        return s->b->r.error->status;
    if (k != NULL)
        return carom_value_wrong_key(&s->b->r, k,
                                     "k: limits are rigid here, with a restitution e; beside a solid they "
                                     "give way");
    for (int side = 0; side < 2; side++)
        if (joint->body[side] != CAROM_WORLD && !s->bodies->body[joint->body[side]].fixed)
            return CAROM_OK;
    return carom_value_wrong_key(&s->b->r, carom_tree_find(node->first, "bodies"),
                                 "bodies: neither of them moves freely, so that there is nothing for a joint to hold");
}

enum carom_status carom_bind_space_joints(struct carom_bind_space *s)
{
    struct carom_node *list = carom_tree_find(s->root, "joints");
    if (list == NULL)
        return CAROM_OK;
    if (carom_value_list(&s->b->r, list) != CAROM_OK)
        return s->b->r.error->status;
    if (list->count == 0)
        return carom_value_wrong(&s->b->r, list, "the list is empty");
    if (s->bodies->outside == CAROM_OUTSIDE_REMOVE)
        return carom_tree_error_key(s->b->r.tree, list, CAROM_E_REFUSED, s->b->r.error,
                                    "joints: a body that is removed would leave them open; take outside: keep or stop");
    if (carom_bind_space_find(s, "world") != NULL)
        return carom_value_wrong_key(
            &s->b->r, list, "joints: a body has the name world, which means the ground here; give it another name");
    s->bodies->joint = carom_memory_zeroed(list->count, sizeof *s->bodies->joint);
    if (s->bodies->joint == NULL)
        return carom_bind_memory(s->b);
    for (struct carom_node *node = list->first; node != NULL; node = node->next) {
        const size_t j = s->bodies->njoints++;
        if (add(s, node, &s->bodies->joint[j]) != CAROM_OK)
            return s->b->r.error->status;
        if (carom_joints_check(s->bodies, j, s->b->r.error) != CAROM_OK)
            return carom_tree_error_at(s->b->r.tree, node->first, s->b->r.error);
    }
    return CAROM_OK;
}

enum carom_status carom_bind_space_joints_start(struct carom_bind_space *s)
{
    const struct carom_scene *scene = s->b->scene;
    size_t which;
    if (carom_joints_start(s->bodies, scene->q, scene->v, &which, s->b->r.error) == CAROM_OK)
        return CAROM_OK;
    const struct carom_node *node = carom_tree_find(s->root, "joints")->first;
    while (which-- > 0)
        node = node->next;
    return carom_tree_error_at(s->b->r.tree, node->first, s->b->r.error);
}
