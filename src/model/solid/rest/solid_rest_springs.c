/* What contacts and ties push with at one place, and how stiffly, along slopes of their overlaps. How slopes turn with
 * the bodies is left out of the stiffness: by as little as overlaps are smaller than bodies. */
#include "model/solid/rest/solid_rest_springs.h"

#include <string.h>

#include "base/memory.h"
#include "model/solid/solid.h"
#include "model/solid/solid_turns.h"

#define GRAZE 1e-9 /* of a cell */

struct finding {
    const struct carom_rest_who *who;
    const double *q;
    struct carom_rest_springs *out;
    const struct carom_strike_meet *meet;
    double push; /* force over overlap of the meeting, as all of its points have it */
};

void carom_solid_rest_springs_close(struct carom_rest_springs *s)
{
    carom_memory_free_all(s->spring, s->end);
    *s = (struct carom_rest_springs){.n = 0};
}

/* --- ends --------------------------------------------------------------------------------------------------------- */

static struct carom_rest_spring *begin(struct carom_rest_springs *s, double force, double stiff, double near)
{
    if (!carom_memory_room(&s->spring, s->n, &s->room, 64, sizeof *s->spring)) {
        s->full = true;
        return NULL;
    }
    s->spring[s->n] = (struct carom_rest_spring){force, stiff, near, s->nends, 0};
    return &s->spring[s->n];
}

/* one that nobody feels is none */
static void end(struct carom_rest_springs *s)
{
    s->n += s->spring[s->n].count > 0 ? 1 : 0;
}

static struct carom_rest_end *add(struct carom_rest_springs *s, size_t body, size_t cell)
{
    if (!carom_memory_room(&s->end, s->nends, &s->ends_room, 256, sizeof *s->end)) {
        s->full = true;
        return NULL;
    }
    s->end[s->nends] = (struct carom_rest_end){.body = (uint32_t)body, .cell = (uint32_t)cell};
    s->spring[s->n].count++;
    return &s->end[s->nends++];
}

static void add_cell(const struct finding *f, size_t body, size_t cell, const double along[3], const double twist[3])
{
    const struct carom_solid *s = f->who->strike->body[body].solid;
    const double *q = f->q + f->who->model->member[body].q0;
    struct carom_rest_end *to = add(f->out, body, cell);
    if (!to)
        return;
    const unsigned held = s->held ? s->held[cell] : 0U;
    for (int k = 0; k < 3; k++) {
        to->along[k] = held >> k & 1U ? 0.0 : along[k];
        to->own[k] = to->twist[k] = held >> (3 + k) & 1U ? 0.0 : twist[k];
    }
    for (int k = 0; k < s->dimension; k++)
        to->place[k] = s->centre[cell][k] + q[s->wide * cell + (size_t)k];
    if (s->dimension == 2)
        return;
    double axes[4];
    carom_solid_turns_axes(s, cell, q, axes);
    carom_quat_turn_back(axes, to->twist, to->own);
}

static void add_ball(const struct finding *f, size_t ball, const double along[3], double by)
{
    struct carom_rest_end *to = f->who->ball[ball] ? add(f->out, f->who->strike->balls_member, ball) : NULL;
    for (int k = 0; to && k < 3; k++)
        to->along[k] = by * along[k];
}

/* a point of a surface, by how the spring grows as it moves */
static void add_point(const struct finding *f, const struct carom_press_end *of, const double along[3], double by)
{
    const struct carom_solid_strike *s = f->who->strike;
    struct carom_skin_grip grip;
    if (of->body >= s->nbodies || !f->who->solid[of->body])
        return;
    const struct carom_strike_body *b = &s->body[of->body];
    carom_solid_skin_grip(b->solid, b->skin, of->piece, of->share, f->q + f->who->model->member[of->body].q0, &grip);
    for (size_t i = 0; i < grip.ncells; i++) {
        double part[3], twist[3];
        for (int k = 0; k < 3; k++)
            part[k] = by * grip.share[i] * along[k];
        carom_vec_cross(grip.arm[i], part, twist);
        add_cell(f, of->body, grip.cell[i], part, twist);
    }
}

/* --- laws --------------------------------------------------------------------------------------------------------- */

static void law(const struct carom_model *model, size_t j, double overlap, double *force, double *slope, double *energy)
{
    const struct carom_response want = {.elastic = force, .slope = slope, .energy = energy};
    carom_contacts_evaluate(model, j, j + 1, &overlap, NULL, NULL, &want);
}

/* the stiffness, from 0 to where it bears the load */
static double straight(const struct finding *f, size_t j, double size)
{
    double force = 0.0, overlap = 1e-14 * size, none;
    for (int i = 0; i < 60 && !(force > f->who->load); i++) {
        overlap *= 2.0;
        law(f->who->model, j, overlap, &force, &none, &none);
    }
    return force / overlap;
}

/* A spring for an overlap of a ball, or for what faces have as a whole: force and stiffness. */
static void press(const struct finding *f, size_t j, double overlap, double size, double *force, double *stiff,
                  double *near)
{
    double energy = 0.0;
    *near = straight(f, j, size);
    if (f->who->sticky) {
        *force = *near * overlap;
        *stiff = *near;
        f->out->energy += 0.5 * *near * overlap * overlap;
        return;
    }
    *force = *stiff = 0.0;
    if (overlap > 0.0)
        law(f->who->model, j, overlap, force, stiff, &energy);
    f->out->energy += energy;
}

/* --- balls -------------------------------------------------------------------------------------------------------- */

static double size_of(const struct finding *f, size_t j)
{
    const int32_t *pair = f->who->model->pair[j];
    const double *radius = f->who->strike->balls->radius;
    return pair[0] >= 0 ? fmin(radius[pair[0]], radius[pair[1]]) : radius[pair[1]];
}

static void find_ball(const struct finding *f, size_t j, const struct carom_strike *at)
{
    const double size = size_of(f, j);
    double force, stiff, near;
    /* balls that fly hold nothing */
    if (at->gap > CAROM_REST_NEAR * size || carom_vec_norm(at->slope) == 0.0 || !f->who->ball[at->ball[1]] ||
        (at->ball[0] >= 0 && !f->who->ball[at->ball[0]]))
        return;
    press(f, j, -at->gap, size, &force, &stiff, &near);
    if (!begin(f->out, force, stiff, near))
        return;
    add_ball(f, (size_t)at->ball[1], at->slope, -1.0);
    if (at->ball[0] >= 0)
        add_ball(f, (size_t)at->ball[0], at->slope, 1.0);
    for (size_t i = 0; i < at->ncells && f->who->solid[at->body]; i++) {
        const struct carom_skin_touch *touch = carom_solid_strike_touch(at, i);
        add_cell(f, at->body, touch->cell, touch->along, touch->twist);
    }
    end(f->out);
}

static void find_balls(const struct finding *f)
{
    enum { BLOCK = 64 };
    struct carom_strike strike[BLOCK];
    struct carom_skin_pool pool = {0};
    const size_t last = f->who->strike->meets_first;
    for (size_t from = 0; from < last; from += BLOCK) {
        const size_t to = last - from < BLOCK ? last : from + BLOCK;
        pool.n = 0;
        carom_solid_strike_find(f->who->model, from, to, true, f->q, &pool, strike);
        for (size_t j = from; j < to; j++)
            find_ball(f, j, &strike[j - from]);
        f->out->full |= pool.full;
    }
    carom_solid_skin_touch_close(&pool);
}

/* --- surfaces ----------------------------------------------------------------------------------------------------- */

/* within this, surfaces are near */
static double nearness(const struct finding *f)
{
    const struct carom_strike_body *body = f->who->strike->body;
    const uint32_t *of = f->meet->body;
    const double one = body[of[0]].reach, two = of[1] < f->who->strike->nbodies ? body[of[1]].reach : one;
    return CAROM_REST_NEAR * fmin(one, two);
}

/* tied points are held in all directions */
static void tie(const struct finding *f, const struct carom_press *press)
{
    const double stiff = f->push * press->weight;
    f->out->energy += 0.5 * stiff * press->depth * press->depth;
    for (int k = 0; k < f->who->strike->body[0].solid->dimension; k++) {
        const double along[3] = {k == 0, k == 1, k == 2};
        if (!begin(f->out, stiff * press->depth * press->normal[k], stiff, stiff))
            return;
        add_point(f, &press->end[0], along, -1.0);
        add_point(f, &press->end[1], along, 1.0);
        end(f->out);
    }
}

/* where two points are next to one, the way between them is rounding, and the surface itself tells the normal */
static void normal_of(const struct finding *f, const struct carom_press *press, double normal[3])
{
    const struct carom_press_end *on = &press->end[1];
    const bool wall = on->body >= f->who->strike->nbodies;
    const struct carom_strike_body *b = &f->who->strike->body[wall ? 0 : on->body];
    memcpy(normal, press->normal, sizeof press->normal);
    if (!wall && fabs(press->depth) < GRAZE * b->reach)
        carom_solid_skin_near_normal(b->solid, b->skin, on->piece, f->q + f->who->model->member[on->body].q0, normal);
}

static void point(void *own, const struct carom_press *press)
{
    const struct finding *f = own;
    if (f->meet->tied) {
        tie(f, press);
        return;
    }
    if (!(press->depth > -nearness(f)))
        return;
    const double near = f->push * press->weight, stiff = f->who->sticky || press->depth > 0.0 ? near : 0.0;
    if (!begin(f->out, stiff * press->depth, stiff, near))
        return;
    f->out->energy += 0.5 * stiff * press->depth * press->depth;
    double normal[3];
    normal_of(f, press, normal);
    add_point(f, &press->end[0], normal, -1.0);
    add_point(f, &press->end[1], normal, 1.0);
    end(f->out);
}

/* laws of faces are straight */
static void find_faces(struct finding *f)
{
    const struct carom_solid_strike *s = f->who->strike;
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    if (s->nmeets > 0)
        carom_solid_press_boxes(f->who->model, f->q, box);
    for (size_t m = 0; m < s->nmeets; m++) {
        double none;
        f->meet = &s->meet[m];
        law(f->who->model, s->meets_first + m, 1.0, &f->push, &none, &none);
        carom_solid_press_find(f->who->model, f->meet, box, f->q, NULL, point, f);
    }
}

void carom_solid_rest_springs_find(const struct carom_rest_who *who, const double *q, struct carom_rest_springs *out)
{
    struct finding f = {.who = who, .q = q, .out = out};
    out->n = out->nends = 0;
    out->energy = 0.0;
    out->full = false;
    if (who->strike->nballs > 0)
        find_balls(&f);
    find_faces(&f);
}
