/* Joints of balls beside solids: as other bodies have them (scene/bind_joints.h), but limits give way. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_stops.h"
#include "scene/bind_joints.h"
#include "scene/solid/bind_solid.h"

struct whom {
    struct carom_bind *b;
    const struct carom_node *root, *bodies;
    struct carom_solid_balls *balls;
    size_t nsolids;
    const struct carom_bind_body *solids;
};

/* --- cells of solids --------------------------------------------------------------------------------------------- */

/* the solid that an entry means */
static enum carom_status find_solid(struct whom *whom, struct carom_node *node, size_t *member)
{
    struct carom_bind *b = whom->b;
    bool meant = false;
    if (whom->nsolids > 1 && carom_tree_find(node, "body") == NULL)
        return carom_value_wrong(&b->r, node, "of which solid? There are several: {body: name, ...}");
    for (*member = 0; *member < whom->nsolids; ++*member) {
        const struct carom_solid *s = b->scene->model->member[*member].own;
        if (carom_bind_solid_meant(b, node, whom->root, s, &meant) != CAROM_OK)
            return b->r.error->status;
        if (meant)
            return CAROM_OK;
    }
    return carom_value_wrong(&b->r, node, "no solid of this scene is meant");
}

static bool same_cells(const struct carom_solid_anchor *a, const struct carom_solid_anchor *b)
{
    return a->member == b->member && a->count == b->count && memcmp(a->cell, b->cell, a->count * sizeof *a->cell) == 0;
}

static bool share_cells(const struct carom_solid_anchor *a, const struct carom_solid_anchor *b)
{
    for (size_t i = 0, k = 0; a->member == b->member && i < a->count && k < b->count;) {
        if (a->cell[i] == b->cell[k])
            return true;
        if (a->cell[i] < b->cell[k])
            i++;
        else
            k++;
    }
    return false;
}

static bool any_held(const struct carom_solid_anchor *a)
{
    bool held = false;
    for (size_t i = 0; i < a->count && a->solid->held != NULL; i++)
        held = held || a->solid->held[a->cell[i]] != 0;
    return held;
}

/* their masses, and where they stand when the run begins */
static void weigh(struct carom_solid_anchor *a, const double *q)
{
    for (size_t i = 0; i < a->count; i++)
        a->mass += carom_solid_sort_of(a->solid, a->cell[i])->mass;
    carom_solid_balls_anchor_moved(a, q, a->at); /* since no start, as yet */
    memcpy(a->start, a->at, sizeof a->start);
    for (size_t i = 0; i < a->count; i++)
        for (int k = 0; k < a->solid->dimension; k++)
            a->at[k] += carom_solid_sort_of(a->solid, a->cell[i])->mass / a->mass * a->solid->centre[a->cell[i]][k];
}

/* one that holds these cells, or a new one, which then owns them */
static enum carom_status find_anchor(struct whom *whom, struct carom_node *node, struct carom_solid_anchor *a,
                                     size_t *out)
{
    struct carom_solid_balls *balls = whom->balls;
    for (*out = 0; *out < balls->nanchors && !same_cells(&balls->anchor[*out], a); ++*out)
        if (share_cells(&balls->anchor[*out], a))
            return carom_value_wrong(&whom->b->r, node,
                                     "another joint holds some of these cells, and not all of them: joints hold the "
                                     "same cells or other ones");
    if (any_held(a))
        return carom_value_wrong(&whom->b->r, node,
                                 "some of these cells are clamped or driven: a joint holds cells that move freely, and "
                                 "what stands still is the world");
    if (*out < balls->nanchors)
        return CAROM_OK;
    weigh(a, whom->solids[a->member].q);
    balls->anchor[balls->nanchors++] = *a;
    a->cell = NULL;
    return CAROM_OK;
}

static enum carom_status find_cells(struct whom *whom, struct carom_node *node, size_t *out)
{
    struct carom_bind *b = whom->b;
    struct carom_solid_anchor a = {0};
    size_t number = 0;
    if (carom_value_map_of(&b->r, node, &carom_keys_solid_held) != CAROM_OK ||
        find_solid(whom, node, &a.member) != CAROM_OK)
        return b->r.error->status;
    a.solid = b->scene->model->member[a.member].own;
    enum carom_status status = carom_bind_solid_pick(b, node, a.solid, false, &a.count, &a.cell, NULL);
    if (status == CAROM_OK)
        status = find_anchor(whom, node, &a, &number);
    carom_memory_free(a.cell);
    *out = whom->balls->n + number;
    return status;
}

void carom_bind_solid_joints_start(const struct carom_solid_balls *balls, const struct carom_bind_body *solids,
                                   double *v)
{
    for (size_t a = 0; a < balls->nanchors; a++) {
        double rate[3];
        carom_solid_balls_anchor_rate(&balls->anchor[a], solids[balls->anchor[a].member].v, rate);
        memcpy(v + a * (size_t)balls->dimension, rate, (size_t)balls->dimension * sizeof *v);
    }
}

/* the point of a solid that a joint holds is the centre of its cells */
static enum carom_status check_point(struct whom *whom, struct carom_node *entry, const struct carom_joint *joint)
{
    const struct carom_solid_balls *balls = whom->balls;
    const bool rod = joint->kind == CAROM_JOINT_DISTANCE;
    struct carom_node *node = carom_tree_find(entry->first, rod ? "to" : "at");
    if (joint->body[0] == CAROM_WORLD || joint->body[0] < balls->n || node == NULL)
        return CAROM_OK;
    const struct carom_solid_anchor *a = &balls->anchor[joint->body[0] - balls->n];
    const double size = carom_solid_sort_of(a->solid, a->cell[0])->edge[0];
    if (carom_vec_norm(joint->at[0]) <= 1e-6 * size)
        return CAROM_OK;
    char place[100];
    snprintf(place, sizeof place, a->solid->dimension == 2 ? "[%.9g, %.9g]" : "[%.9g, %.9g, %.9g]", a->at[0], a->at[1],
             a->at[2]);
    return carom_value_wrong_key(&whom->b->r, node,
                                 "%s: cells of a solid are held in their centre of mass, %s at the start: leave it "
                                 "out, or choose other cells",
                                 node->key, place);
}

/* --- balls ------------------------------------------------------------------------------------------------------- */

/* the ball that a word names */
static enum carom_status find(void *own, struct carom_node *node, size_t *out)
{
    struct whom *whom = own;
    struct carom_bind *b = whom->b;
    const struct carom_solid_balls *balls = whom->balls;
    const char *word;
    size_t i = 0, number = 0;
    if (node->kind == CAROM_NODE_MAP)
        return find_cells(whom, node, out);
    if (carom_value_text(&b->r, node, &word) != CAROM_OK)
        return b->r.error->status;
    for (const char *c = word; *c >= '0' && *c <= '9' && number < 1000; c++)
        number = c[1] == '\0' || (c[1] >= '0' && c[1] <= '9') ? 10 * number + (size_t)(*c - '0') : 1000;
    for (const struct carom_node *entry = whom->bodies->first; entry != NULL; entry = entry->next) {
        size_t some = 1;
        if (!carom_bind_solid_balls_is(entry))
            continue;
        struct carom_node *name = carom_tree_find(entry->first, "name");
        if (strcmp(entry->first->key, "lattice") == 0 &&
            carom_bind_solid_lattice_count(b, entry->first, balls->dimension, &some) != CAROM_OK)
            return b->r.error->status;
        if (some == 1 && name != NULL && name->kind == CAROM_NODE_SCALAR && strcmp(name->text, word) == 0) {
            *out = i;
            return CAROM_OK;
        }
        i += some;
    }
    if (number == 0 || number > balls->n)
        return carom_value_wrong(&b->r, node, "%s is no ball: take the name of one, or its number, from 1 to %zu",
                                 carom_tree_short(word).text, balls->n);
    *out = (number - 1);
    return CAROM_OK;
}

static enum carom_status vector(void *own, struct carom_node *node, const char *unit, double out[3])
{
    const struct whom *whom = own;
    out[0] = out[1] = out[2] = 0.0;
    return carom_value_vector(&whom->b->r, node, unit, (size_t)whom->balls->dimension, false, out);
}

static const double *centre(const void *own, size_t ball)
{
    const struct carom_solid_balls *balls = ((const struct whom *)own)->balls;
    return ball < balls->n ? balls->at[ball] : balls->anchor[ball - balls->n].at;
}

static enum carom_status read_joint(struct whom *whom, struct carom_node *entry, struct carom_joint *joint)
{
    struct carom_bind *b = whom->b;
    const struct carom_bind_joints joints = {.b = b,
                                             .dimension = (size_t)whom->balls->dimension,
                                             .centres = true,
                                             .cells = whom->balls->n,
                                             .own = whom,
                                             .find = find,
                                             .vector = vector,
                                             .centre = centre};
    return carom_bind_joints_read(&joints, entry, joint) == CAROM_OK ? check_point(whom, entry, joint)
                                                                     : b->r.error->status;
}

/* how the limits of joint j give way */
static enum carom_status read_stop(struct carom_bind *b, const struct carom_node *entry,
                                   struct carom_solid_balls *balls, size_t j, const double *q)
{
    const struct carom_joint *joint = &balls->joint[j];
    struct carom_node *limits = carom_tree_find(entry->first, "limits"), *k = carom_tree_find(entry->first, "k");
    struct carom_solid_stop *stop = &balls->stop[j];
    const char *unit = joint->kind == CAROM_JOINT_HINGE ? "N*m" : "N/m";
    const struct carom_param row = {"k", CAROM_REAL, 0, 0.0, CAROM_POSITIVE, HUGE_VAL, unit, "stiffness", NULL};
    if (!joint->limited)
        return k != NULL ? carom_value_wrong_key(&b->r, k, "k: how stiff its limits are, and there are no limits")
                         : CAROM_OK;
    if (k == NULL || !(joint->e > 0.0))
        return carom_value_wrong_key(&b->r, limits,
                                     "limits: beside a solid they give way as contacts do: k (in %s) says how stiff "
                                     "they are, and e, more than 0, how it bounces off them, such as k: 1e5, e: 0.5",
                                     unit);
    if (carom_value_read(&b->r, k, &row, &stop->k) != CAROM_OK)
        return b->r.error->status;
    if (!carom_solid_stops_mobility(balls, j, q, &stop->mobility))
        return carom_bind_memory(b);
    stop->gamma = carom_solid_stops_gamma(stop->k, stop->mobility, joint->e);
    return CAROM_OK;
}

/* of q, all 0 but turns where a run begins */
static size_t numbers_of(const struct carom_solid_balls *balls)
{
    return carom_solid_balls_anchors_q(balls) + balls->nanchors * (size_t)balls->dimension;
}

static enum carom_status read_stops(struct carom_bind *b, const struct carom_node *list,
                                    struct carom_solid_balls *balls)
{
    double *q = carom_memory_zeroed(numbers_of(balls), sizeof *q);
    enum carom_status status = q != NULL ? CAROM_OK : carom_bind_memory(b);
    if (q != NULL)
        carom_solid_balls_start(balls, q);
    size_t j = 0;
    for (const struct carom_node *entry = list->first; entry != NULL && status == CAROM_OK; entry = entry->next)
        status = read_stop(b, entry, balls, j++, q);
    carom_memory_free(q);
    return status;
}

/* Velocities that joints do not allow; motors bring up what they drive. What cells have sunk while they settled turns
 * rods a little, and who writes a velocity down rounds it: the first step takes away so much, and with it 1e-12 of the
 * energy. */
#define UNTOLD 1e-6

static enum carom_status check_start(const struct whom *whom, const struct carom_node *list, const double *own)
{
    struct carom_bind *b = whom->b;
    const struct carom_solid_balls *balls = whom->balls;
    const struct carom_node *entry = list->first;
    const size_t n = carom_solid_balls_held(balls), nv = carom_solid_balls_anchors_v(balls);
    struct carom_solid_joint_row *row = carom_memory_zeroed(n, sizeof *row);
    double *q = carom_memory_zeroed(numbers_of(balls), sizeof *q), fast = 0.0;
    double *v = carom_memory_zeroed(nv + balls->nanchors * (size_t)balls->dimension, sizeof *v);
    enum carom_status status = row != NULL && q != NULL && v != NULL ? CAROM_OK : carom_bind_memory(b);
    if (status == CAROM_OK) {
        memcpy(v, own, nv * sizeof *v);
        carom_bind_solid_joints_start(balls, whom->solids, v + nv);
        carom_solid_balls_start(balls, q);
        carom_solid_balls_rows(balls, q, row);
    }
    for (size_t i = 0; status == CAROM_OK && i < nv + balls->nanchors * (size_t)balls->dimension; i++)
        fast = fmax(fast, fabs(v[i]));
    for (size_t i = 0, j = 0; i < n && status == CAROM_OK; i++) {
        for (; row[i].joint != &balls->joint[j]; j++)
            entry = entry->next;
        const double rate = carom_solid_balls_row_rate(balls, &row[i], v);
        if (!row[i].motor && fabs(rate) > UNTOLD * fast)
            status = carom_value_wrong_key(&b->r, entry->first,
                                           "%s: velocities at the start go across it, by %g, which it does not allow; "
                                           "balls that turn about a joint need both velocity and spin",
                                           entry->first->key, fabs(rate));
    }
    carom_memory_free_all(row, q, v);
    return status;
}

enum carom_status carom_bind_solid_joints(struct carom_bind *b, const struct carom_node *root,
                                          const struct carom_node *bodies, size_t nsolids,
                                          const struct carom_bind_body *solids, struct carom_solid_balls *balls,
                                          const double *v)
{
    struct carom_node *list = carom_tree_find(root, "joints");
    struct whom whom = {b, root, bodies, balls, nsolids, solids};
    if (list == NULL)
        return CAROM_OK;
    if (carom_value_list(&b->r, list) != CAROM_OK)
        return b->r.error->status;
    if (list->count == 0)
        return carom_value_wrong(&b->r, list, "the list is empty");
    if (list->count > CAROM_STRIKE_JOINTS)
        return carom_tree_error_key(b->r.tree, list, CAROM_E_REFUSED, b->r.error,
                                    "joints: at most %d beside solids so far, not %zu", CAROM_STRIKE_JOINTS,
                                    list->count);
    balls->joint = carom_memory_zeroed(list->count, sizeof *balls->joint);
    balls->stop = carom_memory_zeroed(list->count, sizeof *balls->stop);
    balls->anchor = carom_memory_zeroed(list->count, sizeof *balls->anchor);
    if (balls->joint == NULL || balls->stop == NULL || balls->anchor == NULL)
        return carom_bind_memory(b);
    for (struct carom_node *entry = list->first; entry != NULL; entry = entry->next)
        if (read_joint(&whom, entry, &balls->joint[balls->njoints++]) != CAROM_OK)
            return b->r.error->status;
    if (!carom_solid_balls_join(balls))
        return carom_bind_memory(b);
    return read_stops(b, list, balls) == CAROM_OK ? check_start(&whom, list, v) : b->r.error->status;
}

enum carom_status carom_bind_solid_joints_instead(struct carom_bind *b, const struct carom_node *map)
{
    static const char *const instead[][2] = {
        {"pendulum",
         "a sphere or disc with a name, such as bob, and joints: [hinge: {bodies: [bob, world], at: [0, 1]}]"},
        {"double-pendulum", "two discs and joints: [hinge: {bodies: [upper, world], at: [0, 1]}, hinge: {bodies: "
                            "[lower, upper], at: [0, 0.5]}]"},
        {"kane-pendulum", "two discs above a plane and joints: [hinge: {bodies: [upper, world], at: [0, 1]}, hinge: "
                          "{bodies: [lower, upper], at: [0, 0.5]}]"},
        {"slider-crank", "two discs and joints: [hinge: {bodies: [crank, world], at: [0, 0], speed: 10}, distance: "
                         "{bodies: [slide, crank]}, slider: {bodies: [slide, world], axis: [1, 0]}]"},
        {"oscillator", "a disc and joints: [slider: {bodies: [mass, world], axis: [1, 0], limits: [0, 1e-9], k: 1e4, "
                       "e: 1}], or a disc that a hinge holds to cells of a solid"},
        {"ball", "a sphere or disc and the floor, - plane: {at: [0, 0], normal: [0, 1]}"},
        {"disc", "a sphere or disc and the floor, - plane: {at: [0, 0], normal: [0, 1]}, with mu in contacts"},
    };
    struct carom_node *kind = carom_tree_find(map, "kind");
    const char *word = kind != NULL && kind->kind == CAROM_NODE_SCALAR ? kind->text : "pendulum", *how = NULL;
    for (size_t i = 0; i < sizeof instead / sizeof *instead; i++)
        how = strcmp(instead[i][0], word) == 0 ? instead[i][1] : how;
    if (how == NULL)
        how = "another solid with a name, and the floor, - plane: {at: [0, 0], normal: [0, 1]}, with mu in contacts";
    return carom_tree_error_key(b->r.tree, map, CAROM_E_REFUSED, b->r.error,
                                "mechanism: beside a solid it is written as bodies: a %s is %s",
                                carom_tree_short(word).text, how);
}
