/* Scenes of rows that can be run but hardly mean what they say: a sentence each among the notes, nothing is refused.
 * Sizes come from the scales, that is from a pair that closes with V. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/power.h"
#include "carom/bodies.h"
#include "model/scales.h"
#include "scene/bind.h"

#define DEEP 0.1        /* of a radius: what laws of contact are made for */
#define FIRST_YIELD 1.6 /* largest pressure over yield strength where a Hertz contact begins to flow */
#define PI 3.14159265358979323846

/* the contact before body `right`, between neighbours or at a wall (right = n: the right one) */
struct pair {
    double radius, modulus, mass; /* effective ones; modulus 0: not known */
    const struct carom_material *softer;
};

static const struct carom_material *made_of(const struct carom_bind *b, size_t body)
{
    const uint32_t number = b->made_of != NULL ? b->made_of[body] : 0;
    return number > 0 ? &b->material[number - 1] : NULL;
}

static double compliance(const struct carom_material *m)
{
    return isinf(m->young) ? 0.0 : (1.0 - m->poisson * m->poisson) / m->young;
}

/* One side of a pair, whose radius, mass and modulus are sums of reciprocals until both are there; HUGE_VAL: flat, and
 * held. False: not enough is known of it. */
static bool add_side(struct pair *sum, const struct carom_material *m, double radius, double mass)
{
    if (m == NULL || !(m->young > 0.0) || isnan(m->poisson) || !(radius > 0.0))
        return false;
    sum->radius += 1.0 / radius;
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
        const uint32_t number = wall ? b->wall[side].made_of : 0;
        const struct carom_material *m = !wall ? made_of(b, body) : number > 0 ? &b->material[number - 1] : NULL;
        if ((wall && b->wall[side].node == NULL) || b->radius == NULL ||
            !add_side(&sum, m, wall ? HUGE_VAL : b->radius[body], wall ? HUGE_VAL : b->mass[body]))
            return (struct pair){0};
    }
    return inverted(&sum);
}

/* Largest pressure of Hertz over that of first yield, for a pair closing with a speed V:
 * d from m V^2 / 2 = 2/5 k d^(5/2), and p = 2 E / pi sqrt(d / R). */
static double pressed(const struct pair *pair, double speed)
{
    if (pair->softer == NULL || !(pair->modulus > 0.0))
        return 0.0;
    const double k = 4.0 / 3.0 * pair->modulus * sqrt(pair->radius);
    const double d = carom_power(1.25 * pair->mass * speed * speed / k, 0.4);
    return 2.0 * pair->modulus / PI * sqrt(d / pair->radius) / (FIRST_YIELD * pair->softer->yield);
}

static enum carom_status tell_yield(struct carom_bind *b, const char *who, double speed, double times,
                                    const struct pair *pair)
{
    return carom_bind_note(b,
                           "%s would yield: closing with %.3g%s it presses %.2g times as hard as %s bears elastically, "
                           "so that real forces are lower and real losses higher",
                           who, speed, b->r.si ? " m/s" : "", times, pair->softer->name);
}

static enum carom_status note_yield(struct carom_bind *b)
{
    struct pair worst = {0};
    double most = 1.0;
    size_t where = 0;
    const struct carom_scene *scene = b->scene;
    const double speed = carom_scales_closing(scene->model, scene->q, scene->v, scene->scales.speed);
    for (size_t right = 0; right <= b->n; right++) {
        const struct pair pair = pair_at(b, right);
        const double ratio = pressed(&pair, speed);
        if (ratio > most)
            most = ratio, worst = pair, where = right;
    }
    if (worst.softer == NULL)
        return CAROM_OK;
    char who[32];
    snprintf(who, sizeof who, "contact %zu", where);
    return tell_yield(b, who, speed, most, &worst);
}

/* --- the same of spheres ----------------------------------------------------------------------------------------- */

/* two spheres, or a sphere and a wall, whose faces are flat */
static struct pair pair_of(const struct carom_bind *b, const struct carom_body *x, const struct carom_body *y)
{
    const struct carom_body *side[] = {x, y};
    struct pair sum = {0};
    for (size_t i = 0; i < 2; i++) {
        const uint32_t number = b->class_made_of[side[i]->material];
        const bool ball = side[i]->surface == CAROM_BALL && !side[i]->inside;
        if (!add_side(&sum, number > 0 ? &b->material[number - 1] : NULL, ball ? side[i]->radius : HUGE_VAL,
                      side[i]->fixed ? HUGE_VAL : side[i]->mass))
            return (struct pair){0};
    }
    return sum.mass > 0.0 && sum.radius > 0.0 ? inverted(&sum) : (struct pair){0};
}

/* Of every two classes (a class is of one material) the first bodies stand for all: of spheres of one density that
 * press each other their size does not matter. `first`: of each class, SIZE_MAX for those that are neither spheres nor
 * have flat faces; after them how many bodies the class has. */
static enum carom_status note_yield_first(struct carom_bind *b, const struct carom_bodies *bodies, const size_t *first)
{
    struct pair worst = {0};
    double most = 1.0;
    char who[80] = "";
    const size_t n = bodies->nmaterials;
    for (size_t k = 0; k < n * n; k++) {
        const size_t i = first[k / n], j = first[k % n];
        const bool alone = k / n == k % n && first[n + k % n] < 2; /* it does not meet itself */
        if (alone || k / n > k % n || i == SIZE_MAX || j == SIZE_MAX || bodies->meets[k] == CAROM_UNPAIRED)
            continue;
        const struct pair pair = pair_of(b, &bodies->body[i], &bodies->body[j]);
        const double ratio = pressed(&pair, b->scene->scales.speed);
        if (!(ratio > most))
            continue;
        most = ratio, worst = pair;
        if (i == j)
            snprintf(who, sizeof who, "the contact of two bodies like body %zu", i + 1);
        else
            snprintf(who, sizeof who, "the contact of bodies %zu and %zu", i + 1, j + 1);
    }
    return worst.softer != NULL ? tell_yield(b, who, b->scene->scales.speed, most, &worst) : CAROM_OK;
}

static enum carom_status note_yield_space(struct carom_bind *b, const struct carom_bodies *bodies)
{
    if (bodies->dimension != 3 || bodies->rigid || b->class_made_of == NULL || !(b->scene->scales.speed > 0.0))
        return CAROM_OK;
    size_t *first = carom_memory_zeroed(bodies->nmaterials, 2 * sizeof *first);
    if (first == NULL)
        return carom_bind_memory(b);
    size_t *seen = first + bodies->nmaterials;
    for (size_t k = 0; k < bodies->nmaterials; k++)
        first[k] = SIZE_MAX;
    for (size_t i = 0; i < bodies->n; i++) {
        const struct carom_body *body = &bodies->body[i];
        const bool ball = body->surface == CAROM_BALL && !body->inside;
        if ((ball || body->surface == CAROM_PLANE || body->surface == CAROM_BOX) && seen[body->material]++ == 0)
            first[body->material] = i;
    }
    const enum carom_status status = note_yield_first(b, bodies, first);
    carom_memory_free(first);
    return status;
}

static enum carom_status note_deep(struct carom_bind *b)
{
    double least = HUGE_VAL;
    for (size_t i = 0; b->radius != NULL && i < b->n; i++)
        least = b->radius[i] > 0.0 ? fmin(least, b->radius[i]) : least;
    if (!(b->scene->scales.length > DEEP * least))
        return CAROM_OK;
    return carom_bind_note(
        b,
        "contacts will overlap by about %.2g%s, more than a tenth of the smallest radius, which laws "
        "of contact are not made for",
        b->scene->scales.length, b->r.si ? " m" : "");
}

static enum carom_status note_striker(struct carom_bind *b, const struct carom_bind_striker *striker)
{
    const bool left = striker->side == CAROM_KEYS_LEFT;
    const size_t opening = left ? striker->first + striker->count : striker->first;
    const double towards = (left ? 1.0 : -1.0) * b->scene->v[striker->first];
    const bool pushed = b->gravity != 0.0 || b->string != NULL || b->spring != NULL ||
                        carom_tree_find(b->r.tree->root, "loads") != NULL;
    if (pushed || opening == 0 || opening == b->n)
        return CAROM_OK;
    if (towards < 0.0)
        return carom_bind_note(b, "the striker moves away from what it should strike: to the right is positive");
    const double gap = b->gap[opening];
    if (towards == 0.0 && gap > 0.0)
        return carom_bind_note(b, "the striker never arrives: its velocity is 0");
    if (!(gap > towards * b->scene->until))
        return CAROM_OK;
    return carom_bind_note(b, "the striker never arrives: its gap of %g%s takes %g%s, and the run ends at %g%s", gap,
                           b->r.si ? " m" : "", gap / towards, b->r.si ? " s" : "", b->scene->until,
                           b->r.si ? " s" : "");
}

/* does a table end before the run, and not with 0? */
static bool lasts(const struct carom_bind *b, const struct carom_signal *s)
{
    return s->shape == CAROM_SHAPE_TABLE && s->count > 1 && s->height[s->count - 1] != 0.0 &&
           s->time[s->count - 1] < b->scene->until;
}

/* `push`: what the signal of a load is multiplied by */
static enum carom_status note_lasting(struct carom_bind *b, size_t body, const struct carom_signal *s, double push,
                                      size_t more)
{
    char others[48] = "";
    if (more > 0)
        snprintf(others, sizeof others, " (and %zu more such load%s)", more, more == 1 ? "" : "s");
    return carom_bind_note(b,
                           "the force on body %zu stays at the last value of its table, %.6g%s, from t = %.6g%s to the "
                           "end of the run%s: a last point of 0 would end it",
                           body + 1, push * s->height[s->count - 1], b->r.si ? " N" : "", s->time[s->count - 1],
                           b->r.si ? " s" : "", others);
}

/* forces whose tables have ended push for ever: one sentence for all of them */
static enum carom_status note_tables(struct carom_bind *b)
{
    const struct carom_bodies *bodies = carom_model_bodies(b->scene->model);
    const struct carom_beads *beads = bodies ? NULL : carom_model_chain(b->scene->model);
    const size_t count = bodies ? bodies->nloads : beads ? beads->nloads : 0;
    size_t found = 0, first = 0;
    for (size_t k = 0; k < count; k++)
        if (lasts(b, bodies ? &bodies->load[k].signal : &beads->load[k].force))
            first = found++ == 0 ? k : first;
    if (found == 0)
        return CAROM_OK;
    if (!bodies)
        return note_lasting(b, beads->load[first].bead, &beads->load[first].force, 1.0, found - 1);
    const struct carom_body_load *load = &bodies->load[first];
    const double *f = load->force;
    return note_lasting(b, load->body, &load->signal, sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), found - 1);
}

enum carom_status carom_bind_odd(struct carom_bind *b)
{
    const bool row = b->theory != CAROM_KEYS_SOLID && b->mass != NULL;
    if (note_tables(b) != CAROM_OK)
        return b->r.error->status;
    const struct carom_bodies *bodies = carom_model_bodies(b->scene->model);
    if (bodies != NULL)
        return carom_bind_space_odd(b) == CAROM_OK ? note_yield_space(b, bodies) : b->r.error->status;
    if (!row)
        return carom_bind_solid_odd(b);
    if (b->gravity != 0.0 && b->string != NULL &&
        carom_bind_note(b, "gravity at the top level acts along the line, as on a slope; for strings write "
                           "strings: {gravity: 9.81}") != CAROM_OK)
        return b->r.error->status;
    for (size_t i = 0; i < b->nstrikers; i++)
        if (note_striker(b, &b->striker[i]) != CAROM_OK)
            return b->r.error->status;
    if (!(b->scene->scales.speed > 0.0))
        return carom_bind_note(b, b->gravity != 0.0
                                      ? "nothing moves: all bodies rest under gravity"
                                      : "nothing moves: give start a velocity, or a striker, a load, gravity");
    if (carom_bind_rigid(b))
        return CAROM_OK;
    return note_deep(b) == CAROM_OK ? note_yield(b) : b->r.error->status;
}
