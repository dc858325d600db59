/* What hardly means what it says in a scene of several solids: bodies that fly straight, and past each other,
 * or that have no weight. */
#include "base/memory.h"
#include "base/vec.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_balls.h"
#include "model/solid/strike/solid_strike.h"
#include "scene/solid/bind_solid.h"

#define NEAR 1e-3 /* of the largest side: who comes so near may touch, as bodies ring; boxes are larger by a cell */

/* Does it fly on as it is? Nothing acts on it, and all its cells have one velocity, which is written to v. */
static bool flies(const struct carom_solid *solid, const double *cells, double v[3])
{
    const size_t linear = solid->fast == 3 ? 2 : 3;
    const double *g = solid->gravity;
    bool all = solid->nloads == 0 && solid->nholds == 0 && g[0] == 0.0 && g[1] == 0.0 && g[2] == 0.0;
    for (size_t k = 0; k < 3; k++)
        v[k] = k < linear ? cells[k] : 0.0;
    for (size_t i = 0; i < solid->n && all; i++)
        for (size_t k = 0; k < solid->fast; k++)
            all = all && cells[solid->fast * i + k] == (k < linear ? v[k] : 0.0);
    return all;
}

/* boxes of plane bodies have no third side: it is less than 0 */
static double largest_side(const struct carom_press_box *box)
{
    return fmax(box->high[0] - box->low[0], fmax(box->high[1] - box->low[1], box->high[2] - box->low[2]));
}

/* May boxes that move with these velocities come near each other before `until`? */
static bool may_meet(const struct carom_press_box *a, const double *va, const struct carom_press_box *b,
                     const double *vb, double until)
{
    const double near = NEAR * fmax(largest_side(a), largest_side(b));
    double from = 0.0, to = until;
    for (size_t k = 0; k < 3 && b->high[k] > b->low[k]; k++) {
        const double w = va[k] - vb[k]; /* a's way past b along this axis begins and ends at these distances */
        const double begin = b->low[k] - a->high[k] - near, end = b->high[k] - a->low[k] + near;
        if (w == 0.0 && !(begin <= 0.0 && end >= 0.0))
            return false;
        if (w != 0.0) {
            from = fmax(from, fmin(begin / w, end / w));
            to = fmin(to, fmax(begin / w, end / w));
        }
    }
    return from <= to;
}

/* gravity in the entry of a solid is its own: balls beside it fly straight, as fast as they are */
static enum carom_status note_weightless(struct carom_bind *b, const struct carom_solid_strike *s)
{
    bool weighs = false;
    for (size_t k = 0; k < 3; k++)
        if (s->balls->gravity[k] != 0.0)
            return CAROM_OK;
    for (size_t i = 0; i < s->nbodies; i++)
        for (size_t k = 0; k < 3; k++)
            weighs = weighs || s->body[i].solid->gravity[k] != 0.0;
    return weighs
               ? carom_bind_note(b,
                                 "gravity of a solid acts on its own cells, and balls have no weight: gravity at the "
                                 "top level of the scene acts on all")
               : CAROM_OK;
}

/* Does a ball, flying straight, meet a solid, a wall or another ball? Where anything bends their ways, they may. */
static bool any_ball_meets(const struct carom_bind *b, const struct carom_solid_strike *s)
{
    const struct carom_scene *scene = b->scene;
    const struct carom_model *model = scene->model;
    const struct carom_solid_balls *balls = s->balls;
    const size_t dimension = (size_t)balls->dimension;
    const double *q = scene->q + model->member[s->balls_member].q0, *v = scene->v + model->member[s->balls_member].v0;
    struct carom_press_box box[CAROM_STRIKE_SOLIDS + CAROM_STRIKE_BALLS];
    double speed[CAROM_STRIKE_SOLIDS + CAROM_STRIKE_BALLS][3] = {{0.0}};
    bool meets = balls->njoints > 0 || s->nwalls > 0 || s->nmeets > 0 || carom_vec_norm(balls->gravity) > 0.0;
    for (size_t i = 0; i < s->nbodies && !meets; i++)
        meets = !flies(s->body[i].solid, scene->v + model->member[i].v0, speed[i]);
    if (!meets)
        carom_solid_press_boxes(model, scene->q, box);
    for (size_t i = 0; i < balls->n && !meets; i++) {
        const size_t mine = s->nbodies + i;
        for (size_t k = 0; k < 3; k++) {
            const bool there = k < dimension;
            const double at = balls->at[i][k] + (there ? q[dimension * i + k] : 0.0);
            speed[mine][k] = there ? v[dimension * i + k] : 0.0;
            box[mine].low[k] = at - (there ? balls->radius[i] : -1.0); /* a third side is less than 0 in the plane */
            box[mine].high[k] = at + (there ? balls->radius[i] : -1.0);
        }
        for (size_t j = 0; j < mine && !meets; j++)
            meets = may_meet(&box[mine], speed[mine], &box[j], speed[j], scene->until);
    }
    return meets;
}

/* how far contacts of balls overlap, and what they bear; discs press along lines, of which nothing is known here */
static enum carom_status odd_balls(struct carom_bind *b, const struct carom_solid_strike *s)
{
    const struct carom_scene *scene = b->scene;
    const bool alone = !any_ball_meets(b, s);
    const double speed = alone ? 0.0 : carom_solid_strike_swing_speed(scene->model, scene->q, scene->v, 0.0);
    if (alone && carom_bind_note(b, "nothing is struck: balls meet nothing before the run ends") != CAROM_OK)
        return b->r.error->status;
    int32_t(*side)[2] = carom_memory_zeroed(s->meets_first, sizeof *side);
    if (side == NULL)
        return carom_bind_memory(b);
    carom_bind_solid_sides(s->nballs, s->meets_first, (const int32_t(*)[2])scene->model->pair, side);
    b->pair = (const int32_t(*)[2])side;
    enum carom_status status = carom_bind_deep(b, s->meets_first, speed);
    if (status == CAROM_OK && s->balls->dimension == 3)
        status = carom_bind_yield_balls(b, s->meets_first, speed);
    b->pair = NULL;
    carom_memory_free(side);
    return status;
}

/* a side of a plate that is one cell thick holds all of it */
static enum carom_status note_stuck(struct carom_bind *b, const struct carom_solid *s)
{
    bool stuck = carom_solid_halve_held(s);
    for (size_t i = 0; i < s->nholds; i++)
        stuck = stuck && !s->hold[i].driven;
    if (!stuck)
        return CAROM_OK;
    return carom_bind_note(b, "%s%sall cells are held, so that nothing of the solid moves%s", s->name,
                           *s->name != '\0' ? ": " : "",
                           s->grid.count[0] == 1 || s->grid.count[1] == 1 || s->grid.count[2] == 1
                               ? ": where there is one cell across, a side holds all"
                               : "");
}

enum carom_status carom_bind_solid_odd(struct carom_bind *b)
{
    const struct carom_scene *scene = b->scene;
    const struct carom_model *model = scene->model;
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    double v[CAROM_STRIKE_SOLIDS][3];
    for (size_t i = 0; i < carom_solid_count(model); i++)
        if (note_stuck(b, carom_solid_at(model, i)) != CAROM_OK)
            return b->r.error->status;
    if (s != NULL && s->balls != NULL)
        return note_weightless(b, s) == CAROM_OK ? odd_balls(b, s) : b->r.error->status;
    if (s == NULL || s->nmeets == 0)
        return CAROM_OK;
    for (size_t i = 0; i < s->nbodies; i++)
        if (!flies(s->body[i].solid, scene->v + model->member[i].v0, v[i]))
            return CAROM_OK;
    carom_solid_press_boxes(model, scene->q, box);
    for (size_t m = 0; m < s->nmeets; m++) {
        const struct carom_strike_meet *meet = &s->meet[m];
        if (meet->tied || meet->body[0] >= s->nbodies || meet->body[1] >= s->nbodies ||
            may_meet(&box[meet->body[0]], v[meet->body[0]], &box[meet->body[1]], v[meet->body[1]], scene->until))
            return CAROM_OK;
    }
    return carom_bind_note(b, "nothing is struck: %s and %s%s do not meet before the run ends",
                           carom_bind_solid_places_side(s, s->meet[0].body[0]),
                           carom_bind_solid_places_side(s, s->meet[0].body[1]), s->nmeets > 1 ? " or others" : "");
}
