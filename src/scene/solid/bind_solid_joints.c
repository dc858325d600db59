/* Joints of balls beside solids: as other bodies have them (scene/bind_joints.h), but limits give way. */
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/solid/strike/solid_stops.h"
#include "scene/bind_joints.h"
#include "scene/solid/bind_solid.h"

enum { MOST = 64 }; /* of them: all are solved for together */

struct whom {
    struct carom_bind *b;
    const struct carom_node *bodies;
    const struct carom_solid_balls *balls;
};

/* the ball that a word names */
static enum carom_status find(void *own, struct carom_node *node, size_t *out)
{
    const struct whom *whom = own;
    struct carom_bind *b = whom->b;
    const struct carom_solid_balls *balls = whom->balls;
    const char *word;
    size_t i = 0, number = 0;
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
    return ((const struct whom *)own)->balls->at[ball];
}

static enum carom_status read_joint(struct whom *whom, struct carom_node *entry, struct carom_joint *joint)
{
    struct carom_bind *b = whom->b;
    const struct carom_bind_joints joints = {.b = b,
                                             .dimension = (size_t)whom->balls->dimension,
                                             .centres = true,
                                             .own = whom,
                                             .find = find,
                                             .vector = vector,
                                             .centre = centre};
    return carom_bind_joints_read(&joints, entry, joint);
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

static enum carom_status read_stops(struct carom_bind *b, const struct carom_node *list,
                                    struct carom_solid_balls *balls)
{
    double *q = carom_memory_zeroed(carom_solid_balls_bonds(balls), sizeof *q);
    enum carom_status status = q != NULL ? CAROM_OK : carom_bind_memory(b);
    if (q != NULL)
        carom_solid_balls_start(balls, q);
    size_t j = 0;
    for (const struct carom_node *entry = list->first; entry != NULL && status == CAROM_OK; entry = entry->next)
        status = read_stop(b, entry, balls, j++, q);
    carom_memory_free(q);
    return status;
}

/* velocities that joints do not allow; motors bring up what they drive */
static enum carom_status check_start(struct carom_bind *b, const struct carom_node *list,
                                     const struct carom_solid_balls *balls, const double *v)
{
    const struct carom_node *entry = list->first;
    const size_t n = carom_solid_balls_held(balls), nq = carom_solid_balls_bonds(balls);
    struct carom_solid_joint_row *row = carom_memory_zeroed(n, sizeof *row);
    double *q = carom_memory_zeroed(nq, sizeof *q), fast = 0.0;
    enum carom_status status = row != NULL && q != NULL ? CAROM_OK : carom_bind_memory(b);
    if (status == CAROM_OK) {
        carom_solid_balls_start(balls, q);
        carom_solid_balls_rows(balls, q, row);
    }
    for (size_t i = 0; i < balls->n * carom_solid_balls_wide(balls); i++)
        fast = fmax(fast, fabs(v[i]));
    for (size_t i = 0, j = 0; i < n && status == CAROM_OK; i++) {
        for (; row[i].joint != &balls->joint[j]; j++)
            entry = entry->next;
        const double rate = carom_solid_balls_row_rate(balls, &row[i], v);
        if (!row[i].motor && fabs(rate) > 1e-9 * fast)
            status = carom_value_wrong_key(&b->r, entry->first,
                                           "%s: velocities at the start go across it, by %g, which it does not allow; "
                                           "balls that turn about a joint need both velocity and spin",
                                           entry->first->key, fabs(rate));
    }
    carom_memory_free_all(row, q);
    return status;
}

enum carom_status carom_bind_solid_joints(struct carom_bind *b, const struct carom_node *root,
                                          const struct carom_node *bodies, struct carom_solid_balls *balls,
                                          const double *v)
{
    struct carom_node *list = carom_tree_find(root, "joints");
    struct whom whom = {b, bodies, balls};
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
    balls->stop = carom_memory_zeroed(list->count, sizeof *balls->stop);
    if (balls->joint == NULL || balls->stop == NULL)
        return carom_bind_memory(b);
    for (struct carom_node *entry = list->first; entry != NULL; entry = entry->next)
        if (read_joint(&whom, entry, &balls->joint[balls->njoints++]) != CAROM_OK)
            return b->r.error->status;
    if (!carom_solid_balls_join(balls))
        return carom_bind_memory(b);
    return read_stops(b, list, balls) == CAROM_OK ? check_start(b, list, balls, v) : b->r.error->status;
}
