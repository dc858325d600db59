/* Contacts of solids as a whole. The overlap of faces is sqrt(sum of w d^2) over their points
 * (solid_press.c), so that a linear law k has the energy k/2 sum w d^2 of an elastic layer, whose slopes are the
 * pushes; their force is the resultant of all pushes w law(d, d') n, whose size is less than the law of the overlap
 * wherever depths or normals differ. A ball on a surface pushes with its law along the slope of its overlap, whose size
 * is less than 1 over edges and where it is held from several sides. */
#include "model/solid/strike/solid_push.h"

#include <string.h>

#include "base/vec.h"
#include "model/solid/solid.h"

/* of a cell: the way between two points so near is rounding, and the surface itself tells the normal */
#define GRAZE 1e-9

struct summing {
    const struct carom_model *model;
    const struct carom_solid_strike *strike;
    const double *q, *v;
    double square, push, rate, least, deepest, area; /* push: what the rates are weighed by */
    struct carom_press nearest;                      /* of those that stand apart */
    size_t m;
    struct carom_strike_push *out; /* of meeting m, or NULL */
};

void carom_solid_push_normal(const struct carom_model *model, const double *q, const struct carom_press *press,
                             double normal[3])
{
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    const struct carom_press_end *on = &press->end[1];
    const struct carom_strike_body *b = &s->body[on->body < s->nbodies ? on->body : 0];
    memcpy(normal, press->normal, sizeof press->normal);
    if (on->body < s->nbodies && fabs(press->depth) < GRAZE * b->reach)
        carom_solid_skin_near_normal(b->solid, b->skin, on->piece, q + model->member[on->body].q0, normal);
}

/* how fast the depth of a point grows, times `by` */
static void sink(const struct summing *sum, const struct carom_press *press, double by, double *rate)
{
    double normal[3];
    carom_solid_push_normal(sum->model, sum->q, press, normal);
    for (int e = 0; e < 2; e++) {
        const struct carom_press_end *end = &press->end[e];
        struct carom_skin_grip grip;
        if (end->body >= sum->strike->nbodies)
            continue;
        const struct carom_strike_body *b = &sum->strike->body[end->body];
        const struct carom_member *m = &sum->model->member[end->body];
        carom_solid_skin_grip(b->solid, b->skin, end->piece, end->share, sum->q + m->q0, &grip);
        const double fast = carom_solid_skin_rate(b->solid, &grip, normal, sum->q + m->q0, sum->v + m->v0);
        *rate += by * (e == 0 ? -fast : fast);
    }
}

/* what a point pushes with: spring, damper, and what this is the rate of */
static void press_with(const struct summing *sum, const struct carom_press *press, double with[3])
{
    const size_t j = sum->strike->meets_first + sum->m;
    double drag, rate = 0.0;
    const struct carom_response want = {.elastic = &with[0], .viscous = &with[2], .drag = &drag};
    carom_contacts_evaluate(sum->model, j, j + 1, &press->depth, NULL, NULL, &want);
    if (drag > 0.0)
        sink(sum, press, 1.0, &rate);
    with[1] = drag * rate;
    for (int i = 0; i < 3; i++)
        with[i] *= press->weight;
}

double carom_solid_push_point(const struct carom_model *model, size_t m, const double *q, const double *v,
                              const struct carom_press *press, double normal[3])
{
    const struct summing sum = {.model = model, .strike = carom_solid_strike_of(model), .q = q, .v = v, .m = m};
    double with[3];
    press_with(&sum, press, with);
    carom_solid_push_normal(model, q, press, normal);
    return with[0] + with[1];
}

/* onto the second body: points of either are end 0 */
static void add_push(const struct summing *sum, const struct carom_press *press)
{
    const double sign = press->end[0].body == sum->strike->meet[sum->m].body[0] ? -1.0 : 1.0;
    double with[3], normal[3];
    press_with(sum, press, with);
    carom_solid_push_normal(sum->model, sum->q, press, normal);
    for (int k = 0; k < 3; k++) {
        sum->out->spring[k] += sign * with[0] * normal[k];
        sum->out->damper[k] += sign * with[1] * normal[k];
        sum->out->viscous[k] += sign * with[2] * normal[k];
    }
}

static void add(void *own, const struct carom_press *press)
{
    struct summing *sum = own;
    if (!(press->depth > 0.0)) {
        if (-press->depth < sum->least)
            sum->nearest = *press;
        sum->least = fmin(sum->least, -press->depth);
        return;
    }
    sum->square += press->weight * press->depth * press->depth;
    sum->push += press->weight * press->depth;
    if (press->depth > GRAZE * sum->strike->body[press->end[0].body].reach)
        sum->area += press->weight;
    sum->deepest = fmax(sum->deepest, press->depth / sum->strike->body[press->end[0].body].reach);
    if (sum->v)
        sink(sum, press, press->weight * press->depth, &sum->rate);
    if (sum->out)
        add_push(sum, press);
}

/* looks at all points; the overlap, or how far they stand apart */
static double look(struct summing *sum, const struct carom_strike_meet *meet, const struct carom_press_box *box,
                   double *rate)
{
    const struct carom_solid_strike *s = sum->strike;
    const bool wall = meet->body[1] >= s->nbodies;
    const double one = s->body[meet->body[0]].reach, other = s->body[meet->body[wall ? 0 : 1]].reach;
    const double far = meet->tied ? 0.0 : fmax(one, other);
    sum->least = HUGE_VAL;
    carom_solid_press_find(sum->model, meet, box, sum->q, NULL, add, sum);
    const double overlap = sqrt(sum->square);
    if (rate && !(overlap > 0.0) && sum->least < far)
        sink(sum, &sum->nearest, 1.0, &sum->rate);
    if (rate)
        *rate = overlap > 0.0 ? sum->rate / overlap : sum->rate;
    return overlap > 0.0 ? overlap : -fmin(sum->least, far);
}

double carom_solid_push_overlap(const struct carom_model *model, const struct carom_strike_meet *meet,
                                const struct carom_press_box *box, const double *q, const double *v, double *rate,
                                double *deepest)
{
    struct summing sum = {.model = model, .strike = carom_solid_strike_of(model), .q = q, .v = v};
    const double overlap = look(&sum, meet, box, rate);
    if (deepest)
        *deepest = sum.deepest;
    return overlap;
}

double carom_solid_push_speed(const struct carom_model *model, const struct carom_strike_meet *meet,
                              const struct carom_press_box *box, const double *q, const double *v)
{
    struct summing sum = {.model = model, .strike = carom_solid_strike_of(model), .q = q, .v = v, .least = HUGE_VAL};
    carom_solid_press_find(model, meet, box, q, NULL, add, &sum);
    if (!(sum.square > 0.0) && sum.least < HUGE_VAL)
        sink(&sum, &sum.nearest, 1.0, &sum.rate);
    return sum.square > 0.0 ? sum.rate / sum.push : sum.rate;
}

double carom_solid_push_area(const struct carom_model *model, const struct carom_strike_meet *meet,
                             const struct carom_press_box *box, const double *q)
{
    struct summing sum = {.model = model, .strike = carom_solid_strike_of(model), .q = q, .least = HUGE_VAL};
    carom_solid_press_find(model, meet, box, q, NULL, add, &sum);
    return sum.area * meet->area;
}

/* --- resultants --------------------------------------------------------------------------------------------------- */

/* contacts [first, last) of balls, along the slopes of their gaps */
static void read_balls(const struct carom_model *model, size_t first, size_t last, const double *q, const double *v,
                       struct carom_strike_push *out)
{
    enum { BLOCK = 64 };
    struct carom_strike at[BLOCK];
    struct carom_skin_pool pool = {0};
    for (size_t from = first; from < last; from += BLOCK) {
        const size_t to = last - from < BLOCK ? last : from + BLOCK;
        double deform[BLOCK], elastic[BLOCK], viscous[BLOCK], drag[BLOCK];
        const struct carom_response want = {.elastic = elastic, .viscous = viscous, .drag = drag};
        pool.n = 0;
        carom_solid_strike_find(model, from, to, false, q, &pool, at);
        for (size_t i = 0; i < to - from; i++)
            deform[i] = -at[i].gap;
        carom_contacts_evaluate(model, from, to, deform, NULL, NULL, &want);
        for (size_t i = 0; i < to - from; i++) {
            struct carom_strike_push *push = &out[from - first + i];
            *push =
                (struct carom_strike_push){.deform = deform[i], .rate = carom_solid_strike_rate(model, &at[i], q, v)};
            for (int k = 0; k < 3 && deform[i] > 0.0; k++) {
                push->spring[k] = elastic[i] * at[i].slope[k];
                push->damper[k] = drag[i] * push->rate * at[i].slope[k];
                push->viscous[k] = viscous[i] * at[i].slope[k];
            }
        }
    }
    carom_solid_skin_touch_close(&pool);
}

static double size_of(const struct carom_strike_push *push)
{
    double all[3];
    for (int k = 0; k < 3; k++)
        all[k] = push->spring[k] + push->damper[k];
    const double size = carom_vec_norm(all);
    return carom_vec_dot(all, push->spring) < 0.0 ? -size : size;
}

void carom_solid_push_read(const struct carom_model *model, size_t first, size_t last, const double *q, const double *v,
                           struct carom_strike_push *out)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(model);
    const size_t balls = last < s->meets_first ? last : s->meets_first;
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    if (first < balls)
        read_balls(model, first, balls, q, v, out);
    if (balls < last)
        carom_solid_press_boxes(model, q, box);
    for (size_t j = first > balls ? first : balls; j < last; j++) {
        struct carom_strike_push *push = &out[j - first];
        struct summing sum = {.model = model, .strike = s, .q = q, .v = v, .m = j - s->meets_first, .out = push};
        *push = (struct carom_strike_push){.force = 0.0};
        push->deform = look(&sum, &s->meet[sum.m], box, &push->rate);
    }
    for (size_t j = first; j < last; j++)
        out[j - first].force = size_of(&out[j - first]);
}
