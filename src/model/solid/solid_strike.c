/* Balls against the surface of a solid, and against each other. The gap is the distance of a ball's centre from the
 * nearest point of the surface (solid_skin.c) less its radius; the push acts on the cells that carry that point, as
 * forces and moments, so that momentum and angular momentum are kept. Nothing is remembered: one sweep over the
 * cells with free faces finds what is near. No friction. */
#include "model/solid/solid_strike.h"

#include <string.h>

#include "base/memory.h"
#include "model/solid/solid.h"
#include "model/solid/solid_turns.h"

size_t carom_solid_strike_count(size_t n)
{
    return n + n * (n - 1) / 2;
}

void carom_solid_strike_pairs(size_t n, int32_t (*pair)[2])
{
    size_t j = 0;
    for (size_t i = 0; i < n; i++, j++) {
        pair[j][0] = CAROM_STRIKE_SOLID;
        pair[j][1] = (int32_t)i;
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++, j++) {
            pair[j][0] = (int32_t)a;
            pair[j][1] = (int32_t)b;
        }
}

/* --- where they touch -------------------------------------------------------------------------------------------- */

/* how far from a ball's centre the surface is looked for */
static double sight(const struct carom_solid_strike *s, size_t ball)
{
    return 2.0 * s->balls->radius[ball] + 4.0 * s->reach;
}

/* the box around all balls and what they see */
static void surround(const struct carom_solid_strike *s, size_t first, size_t last, const double (*place)[3],
                     double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = HUGE_VAL;
        high[k] = -HUGE_VAL;
        for (size_t i = first; i < last; i++) {
            low[k] = fmin(low[k], place[i][k] - sight(s, i) - 2.0 * s->reach);
            high[k] = fmax(high[k], place[i][k] + sight(s, i) + 2.0 * s->reach);
        }
    }
}

/* the nearest spots of balls [first, last) */
static void look(const struct carom_solid_strike *s, size_t first, size_t last, const double *q,
                 const double (*place)[3], struct carom_skin_spot *spot)
{
    double low[3], high[3];
    const size_t d = (size_t)s->solid->dimension;
    surround(s, first, last, place, low, high);
    for (size_t i = first; i < last; i++)
        spot[i] = (struct carom_skin_spot){.piece = SIZE_MAX, .distance = sight(s, i)};
    for (size_t r = 0; r < s->skin->nrims; r++) {
        const struct carom_skin_rim *rim = &s->skin->rim[r];
        double centre[3] = {0.0, 0.0, 0.0};
        bool near = true;
        for (size_t k = 0; k < d && near; k++) {
            centre[k] = s->solid->centre[rim->cell][k] + q[s->solid->wide * rim->cell + k];
            near = centre[k] > low[k] && centre[k] < high[k];
        }
        for (size_t i = first; near && i < last; i++) {
            /* corners may stand off their cell where it is strained: twice its reach */
            const double far = fabs(spot[i].distance) + 2.0 * rim->reach;
            double square = 0.0;
            for (size_t k = 0; k < d; k++)
                square += (place[i][k] - centre[k]) * (place[i][k] - centre[k]);
            if (square < far * far)
                carom_solid_skin_near(s->solid, s->skin, r, q, place[i], &spot[i]);
        }
    }
}

/* the cells that carry a spot; one cell may do so by several corners */
static void carry(const struct carom_solid_strike *s, const struct carom_skin_spot *spot, const double *q,
                  struct carom_strike *out)
{
    for (int c = 0; c < 3; c++) {
        const struct carom_skin_corner *corner = &s->skin->corner[s->skin->piece[spot->piece].corner[c]];
        for (uint32_t i = 0; spot->share[c] != 0.0 && i < corner->count; i++) {
            double turn[4];
            out->cell[out->ncells] = corner->cell[i];
            out->share[out->ncells] = spot->share[c] / corner->count;
            carom_solid_quaternion(s->solid, q, corner->cell[i], turn);
            carom_quat_turn(turn, corner->arm[i], out->arm[out->ncells]);
            out->ncells++;
        }
    }
}

static void on_solid(const struct carom_solid_strike *s, size_t ball, const struct carom_skin_spot *spot,
                     const double *q, struct carom_strike *out)
{
    *out = (struct carom_strike){.gap = spot->distance - s->balls->radius[ball], .ball = {-1, (int32_t)ball}};
    if (spot->piece == SIZE_MAX)
        return;
    for (int k = 0; k < 3; k++)
        out->normal[k] = spot->distance != 0.0 ? spot->away[k] / spot->distance : 0.0;
    carry(s, spot, q, out);
}

static void on_ball(const struct carom_solid_strike *s, size_t a, size_t b, const double (*place)[3],
                    struct carom_strike *out)
{
    double away[3];
    for (int k = 0; k < 3; k++)
        away[k] = place[b][k] - place[a][k];
    const double distance = carom_vec_norm(away);
    *out = (struct carom_strike){.gap = distance - s->balls->radius[a] - s->balls->radius[b],
                                 .ball = {(int32_t)a, (int32_t)b}};
    for (int k = 0; k < 3; k++)
        out->normal[k] = distance > 0.0 ? away[k] / distance : 0.0;
}

void carom_solid_strike_find(const struct carom_model *model, size_t first, size_t last, const double *q,
                             struct carom_strike *out)
{
    const struct carom_solid_strike *s = model->encounter_own;
    const double *cells = q + model->member[s->solid_member].q0, *mine = q + model->member[s->balls_member].q0;
    double place[CAROM_STRIKE_BALLS][3];
    struct carom_skin_spot spot[CAROM_STRIKE_BALLS];
    const size_t n = s->balls->n, end = last < n ? last : n;
    for (size_t i = 0; i < n; i++)
        carom_solid_balls_place(s->balls, i, mine, place[i]);
    if (first < end)
        look(s, first, end, cells, (const double(*)[3])place, spot);
    for (size_t j = first; j < last; j++) {
        if (j < n)
            on_solid(s, j, &spot[j], cells, &out[j - first]);
        else
            on_ball(s, (size_t)model->pair[j][0], (size_t)model->pair[j][1], (const double(*)[3])place,
                    &out[j - first]);
    }
}

void carom_solid_strike_box(const struct carom_model *model, const double *q, double low[3], double high[3])
{
    const struct carom_solid_strike *s = model->encounter_own;
    double place[CAROM_STRIKE_BALLS][3];
    for (size_t i = 0; i < s->balls->n; i++)
        carom_solid_balls_place(s->balls, i, q + model->member[s->balls_member].q0, place[i]);
    surround(s, 0, s->balls->n, (const double(*)[3])place, low, high);
}

/* --- as contacts of a model -------------------------------------------------------------------------------------- */

/* the velocity of the solid at a contact; v is the part's physical one */
static double solid_rate(const struct carom_solid *s, const struct carom_strike *at, const double *q, const double *v)
{
    double rate = 0.0;
    for (size_t i = 0; i < at->ncells; i++) {
        const size_t cell = at->cell[i];
        double spin[3] = {0.0, 0.0, 0.0}, sweep[3], turn[4];
        if (s->dimension == 3) {
            carom_solid_turns_axes(s, cell, q, turn);
            carom_quat_turn(turn, v + 6 * cell + 3, spin);
        } else {
            spin[2] = v[3 * cell + 2];
        }
        carom_vec_cross(spin, at->arm[i], sweep);
        for (int k = 0; k < s->dimension; k++)
            rate += at->share[i] * at->normal[k] * (v[s->fast * cell + (size_t)k] + sweep[k]);
    }
    return rate;
}

static void deform(const struct carom_model *model, size_t first, size_t last, const double *q, const double *v,
                   double *overlap, double *rate)
{
    enum { BLOCK = 64 };
    const struct carom_solid_strike *s = model->encounter_own;
    const struct carom_member *cells = &model->member[s->solid_member], *balls = &model->member[s->balls_member];
    const size_t d = (size_t)s->balls->dimension;
    struct carom_strike strike[BLOCK];
    for (size_t from = first; from < last; from += BLOCK) {
        const size_t to = last - from < BLOCK ? last : from + BLOCK;
        carom_solid_strike_find(model, from, to, q, strike);
        for (size_t j = from; j < to; j++) {
            const struct carom_strike *at = &strike[j - from];
            overlap[j - first] = -at->gap;
            if (!rate)
                continue;
            rate[j - first] = at->ncells > 0 ? solid_rate(s->solid, at, q + cells->q0, v + cells->v0) : 0.0;
            for (size_t k = 0; k < d; k++) {
                const double *w = v + balls->v0;
                rate[j - first] -= at->normal[k] * w[d * (size_t)at->ball[1] + k];
                if (at->ball[0] >= 0)
                    rate[j - first] += at->normal[k] * w[d * (size_t)at->ball[0] + k];
            }
        }
    }
}

static void release(void *own)
{
    struct carom_solid_strike *s = own;
    carom_solid_skin_free(s->skin);
    carom_memory_free(s);
}

static const struct carom_encounter encounter = {.deform = deform, .release = release};

const struct carom_solid_strike *carom_solid_strike_of(const struct carom_model *model)
{
    return model->encounter == &encounter ? model->encounter_own : NULL;
}

enum carom_status carom_solid_strike_add(struct carom_model *model, struct carom_error *error)
{
    struct carom_solid_strike *s = carom_memory_zeroed(1, sizeof *s);
    if (!s)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the surface of a solid");
    s->solid = carom_solid_of(model, &s->solid_member);
    s->balls = carom_solid_balls_of(model, &s->balls_member);
    s->skin = carom_solid_skin_create(s->solid);
    model->encounter = &encounter;
    model->encounter_own = s;
    if (!s->skin)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the surface of a solid");
    for (size_t r = 0; r < s->skin->nrims; r++)
        s->reach = fmax(s->reach, s->skin->rim[r].reach);
    return CAROM_OK;
}

/* --- how fast they swing ----------------------------------------------------------------------------------------- */

/* the slope of contact j's force where it stores this energy */
static double stiffness_at(const struct carom_model *model, size_t j, double wanted)
{
    double low = 0.0, high = 1e-12, energy = 0.0, slope = 0.0;
    const struct carom_response want = {.slope = &slope, .energy = &energy};
    while (high < 1e12) {
        carom_contacts_evaluate(model, j, j + 1, &high, NULL, NULL, &want);
        if (energy >= wanted)
            break;
        low = high;
        high *= 2.0;
    }
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        carom_contacts_evaluate(model, j, j + 1, &middle, NULL, NULL, &want);
        *(energy >= wanted ? &high : &low) = middle;
    }
    return slope;
}

double carom_solid_strike_speed(const struct carom_model *model, const double *q, const double *v)
{
    const struct carom_solid_strike *s = model->encounter_own;
    const double given = carom_solid_balls_speed(s->balls, v + model->member[s->balls_member].v0);
    double most = given;
    for (size_t j = 0; model->nh == 0 && j < model->nc; j++) {
        double overlap, energy = 0.0;
        const struct carom_response want = {.energy = &energy};
        deform(model, j, j + 1, q, NULL, &overlap, NULL);
        carom_contacts_evaluate(model, j, j + 1, &overlap, NULL, NULL, &want);
        most = fmax(most, sqrt(given * given + 2.0 * energy / s->balls->mass[model->pair[j][1]]));
    }
    return most;
}

double carom_solid_strike_frequency(const struct carom_model *model, double speed, bool cells)
{
    const struct carom_solid_strike *s = model->encounter_own;
    double light = HUGE_VAL, square = 0.0;
    if (model->nh > 0)
        return 0.0; /* laws with a memory are refused */
    for (size_t r = 0; r < s->skin->nrims; r++)
        light = fmin(light, carom_solid_sort_of(s->solid, s->skin->rim[r].cell)->mass);
    for (size_t j = 0; j < model->nc; j++) {
        const int32_t *pair = model->pair[j];
        const double mass = s->balls->mass[pair[1]], other = pair[0] < 0 ? light : s->balls->mass[pair[0]];
        const double heavy = pair[0] < 0 ? mass : mass * other / (mass + other);
        const double slope = stiffness_at(model, j, 0.5 * heavy * speed * speed);
        /* pushed beside its middle a cell turns, too: it is lighter there */
        square = fmax(square, slope * (1.0 / mass + (pair[0] >= 0 ? 1.0 : cells ? 4.0 : 0.0) / other));
    }
    return sqrt(square);
}
