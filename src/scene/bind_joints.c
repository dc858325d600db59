/* One entry of `joints`, see bind_joints.h. */
#include "scene/bind_joints.h"

#include <string.h>

#include "base/vec.h"
#include "scene/keys/keys_space.h"

#define WIDEST 3.0 /* angles of hinges in space: a step past a limit must not come to half a turn */

static const char *const words[CAROM_JOINTS] = {"hinge", "ball", "slider", "weld", "distance"};

static enum carom_status say(const struct carom_bind_joints *s, const struct carom_node *node, const char *text)
{
    return carom_value_wrong_key(&s->b->r, node, "%s: %s", node->key, text);
}

static enum carom_status read_kind(const struct carom_bind_joints *s, struct carom_node *node,
                                   struct carom_joint *joint)
{
    const struct carom_reader *r = &s->b->r;
    size_t kind = 0;
    if (node->kind != CAROM_NODE_MAP || node->count != 1)
        return carom_value_wrong(r, node,
                                 "an entry of joints is one joint, such as - hinge: {bodies: [1, world], at: [0, 0]}");
    node->used = true;
    while (kind < CAROM_JOINTS && strcmp(words[kind], node->first->key) != 0)
        kind++;
    if (kind == CAROM_JOINTS)
        return carom_value_unknown(r, node->first, "joint", node->first->key, words, CAROM_JOINTS);
    if (kind == CAROM_JOINT_BALL && s->dimension == 2)
        return say(s, node->first, "in the plane bodies that turn about a point have a hinge");
    joint->kind = (enum carom_joint_kind)kind;
    if (carom_value_map(r, node->first) != CAROM_OK)
        return r->error->status;
    return carom_value_keys(r, node->first, &carom_keys_space_joint, NULL);
}

/* The first of a scene is the one that is held: the second of the model, whose angles and forces are told. */
static enum carom_status read_bodies(const struct carom_bind_joints *s, struct carom_node *map,
                                     struct carom_joint *joint)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_node *list = carom_tree_find(map, "bodies");
    if (list == NULL)
        return say(s, map, "bodies is missing: the two that it holds, such as bodies: [rod, world]");
    if (carom_value_list_of(r, list, 2, "body") != CAROM_OK)
        return r->error->status;
    struct carom_node *node = list->first;
    for (int side = 1; side >= 0; side--, node = node->next) {
        const bool world = node->kind == CAROM_NODE_SCALAR && strcmp(node->text, "world") == 0;
        if (world && side == 1)
            return say(s, list, "world stands second: [rod, world]");
        if (world) {
            node->used = true;
            joint->body[side] = CAROM_WORLD;
        } else if (s->find(s->own, node, &joint->body[side]) != CAROM_OK) {
            return r->error->status;
        }
    }
    if (joint->body[0] == joint->body[1])
        return say(s, list, "a joint holds two bodies, and both are the same");
    return CAROM_OK;
}

/* does it hold cells of a solid? */
static bool has_cells(const struct carom_bind_joints *s, const struct carom_joint *joint)
{
    return s->cells > 0 && joint->body[0] != CAROM_WORLD && joint->body[0] >= s->cells;
}

/* they move and do not turn, and stand second */
static enum carom_status check_cells(const struct carom_bind_joints *s, struct carom_node *map,
                                     const struct carom_joint *joint)
{
    struct carom_node *list = carom_tree_find(map, "bodies");
    const bool point = joint->kind == (s->dimension == 2 ? CAROM_JOINT_HINGE : CAROM_JOINT_BALL);
    const bool slides = joint->kind == CAROM_JOINT_SLIDER;
    static const char *const turning[] = {"limits", "speed", "torque", "force"};
    if (s->cells > 0 && joint->body[1] >= s->cells)
        return say(s, list, "cells of a solid stand second, after the ball that the joint holds to them");
    if (!has_cells(s, joint))
        return CAROM_OK;
    if (!point && !slides && joint->kind != CAROM_JOINT_DISTANCE)
        return say(s, map,
                   s->dimension == 2
                       ? "cells of a solid have no turn: a hinge, a slider or a distance holds a ball to them; two "
                         "hinges to different cells hold it as a weld would"
                       : "cells of a solid have no turn: a ball, a slider or a distance holds a ball to them; three "
                         "balls to different cells hold it as a weld would, two as a hinge");
    for (size_t i = 0; point && i < sizeof turning / sizeof *turning; i++)
        if (carom_tree_find(map, turning[i]) != NULL)
            return say(s, carom_tree_find(map, turning[i]), "cells of a solid have no turn that angles count from");
    return CAROM_OK;
}

static enum carom_status read_point(const struct carom_bind_joints *s, struct carom_node *node, size_t body,
                                    double out[3])
{
    if (node != NULL)
        return s->vector(s->own, node, "m", out);
    memcpy(out, s->centre(s->own, body), 3 * sizeof *out);
    return CAROM_OK;
}

/* the points that are held, and from the one to the other; where none is given, centres, if these stand for them */
static enum carom_status read_points(const struct carom_bind_joints *s, struct carom_node *map,
                                     struct carom_joint *joint)
{
    struct carom_node *at = carom_tree_find(map, "at"), *to = carom_tree_find(map, "to");
    const bool rod = joint->kind == CAROM_JOINT_DISTANCE;
    double point[2][3];
    if (at == NULL && !has_cells(s, joint) && !(s->centres && (rod || joint->kind == CAROM_JOINT_SLIDER)))
        return say(s, map, "at is missing: the point that it holds at the start, such as at: [0, 1]");
    if (to != NULL && !rod)
        return say(s, to, "only a distance has two points");
    if (to == NULL && rod && !(s->centres && joint->body[0] != CAROM_WORLD))
        return say(s, map, "to is missing: at is the point of the first body, to that of the second");
    const size_t whose = joint->body[has_cells(s, joint) && !rod ? 0 : 1]; /* the point where none is given */
    if (read_point(s, at, whose, point[1]) != CAROM_OK ||
        (rod && read_point(s, to, joint->body[0], point[0]) != CAROM_OK))
        return s->b->r.error->status;
    if (!rod)
        memcpy(point[0], point[1], sizeof point[0]);
    for (int side = 0; side < 2; side++)
        for (size_t k = 0; k < 3; k++) {
            const size_t i = joint->body[side];
            joint->at[side][k] = point[side][k] - (i == CAROM_WORLD ? 0.0 : s->centre(s->own, i)[k]);
            joint->apart[k] = point[1][k] - point[0][k];
        }
    if (rod && !(carom_vec_norm(joint->apart) > 0.0))
        return say(s, to != NULL ? to : map, "both points are the same: a hinge or ball holds bodies at one point");
    return CAROM_OK;
}

static enum carom_status read_axis(const struct carom_bind_joints *s, struct carom_node *map, struct carom_joint *joint)
{
    struct carom_node *axis = carom_tree_find(map, "axis");
    const bool has = joint->kind == CAROM_JOINT_SLIDER || (joint->kind == CAROM_JOINT_HINGE && s->dimension == 3);
    if (has && axis == NULL)
        return say(s, map,
                   joint->kind == CAROM_JOINT_SLIDER ? "axis is missing: the direction along which it slides"
                                                     : "axis is missing: the direction about which it turns");
    if (!has && axis != NULL)
        return say(s, axis, "this joint has none");
    if (axis == NULL || s->vector(s->own, axis, "1", joint->axis) != CAROM_OK)
        return axis == NULL ? CAROM_OK : s->b->r.error->status;
    return carom_value_unit(&s->b->r, axis, joint->axis);
}

static enum carom_status read_limits(const struct carom_bind_joints *s, struct carom_node *map,
                                     struct carom_joint *joint)
{
    const struct carom_reader *r = &s->b->r;
    const bool turns = joint->kind == CAROM_JOINT_HINGE, rope = joint->kind == CAROM_JOINT_DISTANCE;
    struct carom_node *list = carom_tree_find(map, "limits"), *e = carom_tree_find(map, "e");
    if (list == NULL)
        return e != NULL ? say(s, e, "how it bounces off its limits, and there are no limits") : CAROM_OK;
    if (joint->kind == CAROM_JOINT_BALL || joint->kind == CAROM_JOINT_WELD)
        return say(s, list, "hinges, sliders and distances have limits");
    if (carom_value_vector(r, list, turns ? "rad" : "m", 2, false, joint->limit) != CAROM_OK)
        return r->error->status;
    const double start = rope ? carom_vec_norm(joint->apart) : 0.0;
    joint->limited = true;
    if (!(joint->limit[0] < joint->limit[1]))
        return say(s, list, "the lower one comes first, and they differ");
    if (turns && s->dimension == 3 && !(joint->limit[0] >= -WIDEST && joint->limit[1] <= WIDEST))
        return say(s, list, "in space a hinge has limits between -3 and 3: beyond half a turn angles begin anew");
    if (!(joint->limit[0] <= start * (1.0 + 1e-12) && joint->limit[1] >= start * (1.0 - 1e-12)))
        return carom_value_wrong_key(r, list, "limits: it begins at %g, which is not between them", start);
    return CAROM_OK;
}

static enum carom_status read_motor(const struct carom_bind_joints *s, struct carom_node *map,
                                    struct carom_joint *joint)
{
    const struct carom_reader *r = &s->b->r;
    const bool turns = joint->kind == CAROM_JOINT_HINGE;
    struct carom_node *speed = carom_tree_find(map, "speed"), *torque = carom_tree_find(map, "torque");
    struct carom_node *force = carom_tree_find(map, "force"), *effort = torque != NULL ? torque : force;
    struct carom_node *given = speed != NULL ? speed : effort;
    if (given == NULL)
        return CAROM_OK;
    if (!turns && joint->kind != CAROM_JOINT_SLIDER)
        return say(s, given, "motors drive hinges and sliders");
    if ((speed != NULL) + (torque != NULL) + (force != NULL) > 1)
        return say(s, given, "a motor has a speed or a torque or a force, choose one");
    if (effort != NULL && (effort == torque) != turns)
        return say(s, effort, turns ? "a hinge is driven by a torque" : "a slider is driven by a force");
    const char *unit = speed != NULL ? (turns ? "rad/s" : "m/s") : turns ? "N*m" : "N";
    const struct carom_param row = {"motor", CAROM_REAL, 0, 0.0, -HUGE_VAL, HUGE_VAL, unit, "motor", NULL};
    joint->motor = speed != NULL ? CAROM_MOTOR_SPEED : CAROM_MOTOR_EFFORT;
    return carom_value_read(r, given, &row, &joint->drive);
}

enum carom_status carom_bind_joints_read(const struct carom_bind_joints *s, struct carom_node *node,
                                         struct carom_joint *joint)
{
    struct carom_keys_space_joint keys;
    struct carom_node *map = node->first;
    if (read_kind(s, node, joint) != CAROM_OK || read_bodies(s, map, joint) != CAROM_OK ||
        check_cells(s, map, joint) != CAROM_OK ||
        carom_value_section(&s->b->r, map, &carom_keys_space_joint.kind, &keys) != CAROM_OK ||
        read_points(s, map, joint) != CAROM_OK || read_axis(s, map, joint) != CAROM_OK ||
        read_limits(s, map, joint) != CAROM_OK || read_motor(s, map, joint) != CAROM_OK)
        return s->b->r.error->status;
    joint->e = keys.e;
    return CAROM_OK;
}
