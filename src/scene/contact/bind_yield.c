/* What contacts of materials bear before they yield, and a sentence where a pair that closes with V would. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/power.h"
#include "carom/bodies.h"
#include "model/beads/loads_scale.h"
#include "model/frame.h"
#include "model/scales.h"
#include "model/scales_bodies.h"
#include "scene/bind.h"
#include "scene/contact/yield.h"

#define FIRST_YIELD 1.6 /* largest pressure over yield strength where a Hertz contact begins to flow */
#define PI 3.14159265358979323846

/* the contact before body `right`, between neighbours or at a wall (right = n: the right one) */
struct pair {
    double radius, modulus, mass; /* effective ones; modulus 0: not known */
    const struct carom_material *softer;
};

static const struct carom_material *material_of(const struct carom_bind *b, uint32_t number)
{
    return number > 0 ? &b->material[number - 1] : NULL;
}

static double compliance(const struct carom_material *m)
{
    return isinf(m->young) ? 0.0 : (1.0 - m->poisson * m->poisson) / m->young;
}

/* One side of a pair, whose radius, mass and modulus are sums of reciprocals until both are there; mass HUGE_VAL: held.
 * False: not enough is known of it. */
static bool add_side(struct pair *sum, const struct carom_material *m, double curved, double mass)
{
    if (m == NULL || !(m->young > 0.0) || isnan(m->poisson))
        return false;
    sum->radius += curved;
    sum->mass += 1.0 / mass;
    sum->modulus += compliance(m);
    if (m->yield > 0.0 && (sum->softer == NULL || m->yield < sum->softer->yield))
        sum->softer = m;
    return true;
}

static struct pair inverted(const struct pair *sum)
{
    return (struct pair){1.0 / sum->radius, sum->modulus > 0.0 ? 1.0 / sum->modulus : 0.0, 1.0 / sum->mass,
                         sum->softer};
}

static struct pair pair_at(const struct carom_bind *b, size_t right)
{
    struct pair sum = {0};
    for (size_t side = 0; side < 2; side++) {
        const bool wall = side == 0 ? right == 0 : right == b->n;
        const size_t body = side == 0 ? right - 1 : right;
        const uint32_t number = wall ? b->wall[side].made_of : b->made_of != NULL ? b->made_of[body] : 0;
        if ((wall && b->wall[side].node == NULL) || b->radius == NULL || (!wall && !(b->radius[body] > 0.0)) ||
            !add_side(&sum, material_of(b, number), wall ? 0.0 : 1.0 / b->radius[body],
                      wall ? HUGE_VAL : b->mass[body]))
            return (struct pair){0};
    }
    return inverted(&sum);
}

/* The force that presses a pair as hard as it bears, from p = 2 E / pi sqrt(d / R) and F = 4/3 E sqrt(R d^3). */
static struct carom_yield_pair borne(const struct pair *pair, double radius)
{
    struct carom_yield_pair found = {0};
    if (pair->softer == NULL || !(pair->modulus > 0.0))
        return found;
    const double p = FIRST_YIELD * pair->softer->yield, e = pair->modulus;
    found.bears = PI * PI * PI * radius * radius * p * p * p / (6.0 * e * e);
    snprintf(found.softer, sizeof found.softer, "%s", pair->softer->name);
    return found;
}

/* The speed of closing at which it does: F^(5/3) = k^(2/3) 5/4 m V^2. HUGE_VAL: not known. */
static double bears_speed(const struct pair *pair)
{
    const double f = borne(pair, pair->radius).bears;
    if (!(f > 0.0) || !(pair->mass > 0.0) || isinf(pair->mass) || isinf(pair->radius))
        return HUGE_VAL;
    const double k = 4.0 / 3.0 * pair->modulus * sqrt(pair->radius);
    return sqrt(0.8 * k / pair->mass * carom_power(f / k, 5.0 / 3.0));
}

static void tell(const struct carom_bind *b, const char *who, double speed, double bears, const struct pair *pair)
{
    const char *unit = b->r.si ? " m/s" : "";
    snprintf(b->scene->yield->note, sizeof b->scene->yield->note,
             "%s may yield: %s withstands closing speeds of up to %.3g%s elastically there, and speeds of the order of "
             "%.3g%s are to be expected; beyond that real forces are lower and real losses higher",
             who, pair->softer->name, bears, unit, speed, unit);
}

static bool make(struct carom_bind *b, size_t n, size_t pairs, bool classes)
{
    struct carom_yield *y = carom_memory_zeroed(1, sizeof *y + pairs * sizeof y->pair[0]);
    if (y != NULL)
        y->n = n, y->classes = classes;
    b->scene->yield = y;
    return y != NULL;
}

/* Bodies that fall with nothing below them share the speed of that: nobody knows how fast they close. */
double carom_bind_yield_closing(const struct carom_bind *b)
{
    const struct carom_scene *scene = b->scene;
    const struct carom_bodies *bodies = carom_model_bodies(scene->model);
    double gravity = 0.0;
    for (size_t k = 0; bodies != NULL && k < bodies->dimension; k++)
        gravity += fabs(bodies->gravity[k]);
    const bool falls = bodies != NULL ? gravity > 0.0 && !carom_scales_bodies_caught(bodies)
                                      : carom_loads_scale_falls(scene->model, scene->q, scene->until) > 0.0;
    const double speed = scene->scales.speed;
    return falls    ? 0.0
           : bodies ? carom_scales_bodies_closing(bodies, scene->q, scene->v, scene->until, speed)
                    : carom_scales_closing(scene->model, scene->q, scene->v, speed);
}

/* a contact by its number: what it bears, and a note where that is the least of what is closed with so far */
static void see(const struct carom_bind *b, size_t number, const struct pair *pair, double speed, double *most)
{
    const double bears = bears_speed(pair);
    char who[32];
    b->scene->yield->pair[number] = borne(pair, pair->radius);
    snprintf(who, sizeof who, "contact %zu", number);
    if (speed > *most * bears) {
        *most = speed / bears;
        tell(b, who, speed, bears, pair);
    }
}

static enum carom_status bind_row(struct carom_bind *b, double speed)
{
    double most = 1.0;
    if (!make(b, b->n + 1, b->n + 1, false))
        return carom_bind_memory(b);
    for (size_t right = 0; right <= b->n; right++) {
        const struct pair pair = pair_at(b, right);
        see(b, right, &pair, speed, &most);
    }
    return CAROM_OK;
}

/* --- the same of spheres ----------------------------------------------------------------------------------------- */

static struct pair pair_of(const struct carom_bind *b, const struct carom_bodies *bodies, size_t i, size_t j)
{
    const struct carom_body *side[] = {&bodies->body[i], &bodies->body[j]};
    struct pair sum = {0};
    for (size_t k = 0; k < 2; k++)
        if (!add_side(&sum, material_of(b, b->class_made_of[side[k]->material]), carom_yield_curved(bodies, side[k]),
                      side[k]->fixed ? HUGE_VAL : side[k]->mass))
            return (struct pair){0};
    return inverted(&sum);
}

/* Of every two classes (a class is of one material) the first bodies stand for all: of spheres of one density that
 * press each other their size does not matter. `first`: of each class, SIZE_MAX for those that are neither spheres nor
 * have flat faces; after them how many bodies the class has. */
static void bind_classes(struct carom_bind *b, const struct carom_bodies *bodies, const size_t *first, double speed)
{
    const size_t n = bodies->nmaterials;
    double most = 1.0;
    for (size_t k = 0; k < n * n; k++) {
        const size_t i = first[k / n], j = first[k % n];
        const bool alone = k / n == k % n && first[n + k % n] < 2; /* it does not meet itself */
        if (alone || i == SIZE_MAX || j == SIZE_MAX || bodies->meets[k] == CAROM_UNPAIRED)
            continue;
        const struct pair pair = pair_of(b, bodies, i, j);
        const double bears = bears_speed(&pair);
        b->scene->yield->pair[k] = borne(&pair, 1.0);
        if (!(speed > most * bears) || k / n > k % n)
            continue;
        char who[80];
        if (i == j)
            snprintf(who, sizeof who, "the contact of two bodies like body %zu", i + 1);
        else
            snprintf(who, sizeof who, "the contact of bodies %zu and %zu", i + 1, j + 1);
        most = speed / bears;
        tell(b, who, speed, bears, &pair);
    }
}

static enum carom_status bind_bodies(struct carom_bind *b, const struct carom_bodies *bodies, double speed)
{
    const size_t n = bodies->nmaterials;
    if (bodies->rigid || b->class_made_of == NULL)
        return CAROM_OK;
    size_t *first = carom_memory_zeroed(n, 2 * sizeof *first);
    if (first == NULL || !make(b, n, n * n, true)) {
        carom_memory_free(first);
        return carom_bind_memory(b);
    }
    for (size_t k = 0; k < n; k++)
        first[k] = SIZE_MAX;
    for (size_t i = 0; i < bodies->n; i++) {
        const struct carom_body *body = &bodies->body[i];
        const bool sphere = carom_yield_curved(bodies, body) > 0.0;
        if ((sphere || body->surface == CAROM_PLANE || body->surface == CAROM_BOX) && first[n + body->material]++ == 0)
            first[body->material] = i;
    }
    bind_classes(b, bodies, first, speed);
    carom_memory_free(first);
    return CAROM_OK;
}

/* --- and of balls that strike solids or each other, to whom solids and planes are flat ---------------------------- */

static struct pair pair_struck(const struct carom_bind *b, const int32_t side[2])
{
    struct pair sum = {0};
    for (size_t k = 0; k < 2; k++)
        if (!add_side(&sum, material_of(b, b->made_of[side[k]]), 1.0 / b->radius[side[k]], b->mass[side[k]]))
            return (struct pair){0};
    return inverted(&sum);
}

enum carom_status carom_bind_yield_balls(struct carom_bind *b, size_t ncontacts, double speed)
{
    const struct carom_model *model = b->scene->model;
    double most = 1.0;
    if (!make(b, model->nc + 1, model->nc + 1, false))
        return carom_bind_memory(b);
    for (size_t j = 0; j < ncontacts; j++) {
        const struct pair pair = pair_struck(b, b->pair[j]);
        see(b, carom_frame_number(model, j), &pair, speed, &most);
    }
    return CAROM_OK;
}

enum carom_status carom_bind_yield(struct carom_bind *b, double speed)
{
    const struct carom_bodies *bodies = carom_model_bodies(b->scene->model);
    return bodies != NULL ? bind_bodies(b, bodies, speed) : bind_row(b, speed);
}
