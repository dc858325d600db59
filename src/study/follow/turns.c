/* How bodies that are no balls look, and how they turn: for pictures that stand side by side. */
#include "study/follow/turns.h"

#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "base/quat.h"
#include "model/bodies/linkage.h"
#include "model/bodies/pieces.h"

enum { RIM = 24 };     /* points on each rim of a cylinder */
#define TURN_MISS 1e-3 /* what lines of angles may miss: pictures show less */

#define PI 3.14159265358979323846

/* one more corner, in the body's own axes; without room it is only counted */
static void add(struct carom_points *points, const struct carom_body *body, size_t i, size_t piece, const double x[3])
{
    double *to = points->corner ? points->corner[points->ncorners] : NULL;
    points->ncorners++;
    if (to == NULL)
        return;
    to[0] = (double)i;
    to[1] = (double)piece;
    carom_quat_turn(body->frame, x, to + 2);
}

static void add_convex(struct carom_points *points, const struct carom_body *body, size_t i, size_t piece,
                       const struct carom_convex *convex)
{
    for (size_t k = 0; k < convex->ncorners; k++)
        add(points, body, i, piece, convex->corner[k]);
}

static void add_box(struct carom_points *points, const struct carom_body *body, size_t i, size_t dimension)
{
    for (int k = 0; k < (dimension == 2 ? 4 : 8); k++) {
        const double x[3] = {k & 1 ? body->size[0] : -body->size[0], k & 2 ? body->size[1] : -body->size[1],
                             dimension == 2 ? 0.0
                             : k & 4        ? body->size[2]
                                            : -body->size[2]};
        add(points, body, i, 0, x);
    }
}

static void add_cylinder(struct carom_points *points, const struct carom_body *body, size_t i)
{
    for (int k = 0; k < 2 * RIM; k++) {
        const double angle = 2.0 * PI * (k / 2) / RIM;
        const double x[3] = {body->size[0] * carom_angle_cos(angle), body->size[0] * carom_angle_sin(angle),
                             k % 2 == 0 ? body->size[2] : -body->size[2]};
        add(points, body, i, 0, x);
    }
}

static void gather(struct carom_points *points, const struct carom_bodies *bodies)
{
    points->ncorners = 0;
    for (size_t i = 0; i < bodies->n; i++) {
        const struct carom_body *body = &bodies->body[i];
        points->turn = points->turn || ((carom_bodies_tumbles(body) || body->lead >= 0) && !body->inside &&
                                        body->surface != CAROM_BALL && body->surface != CAROM_PLANE);
        if (body->surface == CAROM_BOX)
            add_box(points, body, i, bodies->dimension);
        else if (body->surface == CAROM_CYLINDER)
            add_cylinder(points, body, i);
        else if (body->surface == CAROM_CONVEX)
            add_convex(points, body, i, 0, body->convex);
        for (size_t k = 0; body->pieces != NULL && k < body->pieces->n; k++)
            add_convex(points, body, i, k, body->pieces->shape[k]);
    }
}

bool carom_turns_corners(struct carom_points *points, const struct carom_bodies *bodies)
{
    gather(points, bodies);
    if (points->ncorners == 0)
        return true;
    points->corner = carom_memory_zeroed(points->ncorners, sizeof *points->corner);
    if (points->corner != NULL)
        gather(points, bodies);
    return points->corner != NULL;
}

/* --- how they turn ------------------------------------------------------------------------------------------------ */

static size_t each_of(const struct carom_points *points)
{
    return points->axes == 3 ? 4 : 1;
}

enum carom_status carom_turns_open(struct carom_turns *turns, const struct carom_points *points,
                                   struct carom_error *error)
{
    turns->n = points->turn ? points->count * each_of(points) : 0;
    turns->history = carom_memory_zeroed(turns->n, sizeof *turns->history);
    turns->now = carom_memory_zeroed(turns->n, sizeof *turns->now);
    if (turns->history == NULL || turns->now == NULL)
        return carom_memory_error(error);
    for (size_t i = 0; i < turns->n; i++)
        turns->history[i].miss = TURN_MISS;
    return CAROM_OK;
}

enum carom_status carom_turns_add(struct carom_turns *turns, double time, const double *turn, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < turns->n && status == CAROM_OK; i++)
        status = carom_history_add(&turns->history[i], time, turn[i], error);
    return status;
}

enum carom_status carom_turns_note(struct carom_turns *turns, const struct carom_points *points,
                                   const struct carom_model *model, double time, const double *q, const double *v,
                                   struct carom_error *error)
{
    const struct carom_bodies *bodies = carom_linkage_bodies(model);
    double all_q[CAROM_LINKAGE_Q], all_v[CAROM_LINKAGE_V];
    if (turns->n > 0 && carom_linkage_of(model) != NULL) {
        carom_linkage_stand(model, q, v, all_q, all_v);
        q = all_q;
    }
    for (size_t i = 0; turns->n > 0 && i < points->count; i++)
        memcpy(turns->now + each_of(points) * i, q + carom_bodies_nq(bodies) * i + points->axes,
               each_of(points) * sizeof *turns->now);
    return turns->n > 0 ? carom_turns_add(turns, time, turns->now, error) : CAROM_OK;
}

enum carom_status carom_turns_end(struct carom_turns *turns, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < turns->n && status == CAROM_OK; i++)
        status = carom_history_end(&turns->history[i], error);
    return status;
}

void carom_turns_close(struct carom_turns *turns)
{
    for (size_t i = 0; turns->history != NULL && i < turns->n; i++)
        carom_history_free(&turns->history[i]);
    carom_memory_free_all(turns->history, turns->now);
    *turns = (struct carom_turns){0};
}
