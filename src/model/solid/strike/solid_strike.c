/* Balls against the surfaces of solids, walls and each other; solids meet in solid_press.c. The gap is the distance of
 * a ball's centre from the nearest point of the surface (solid_skin.c) less its radius, and where they touch what the
 * surface in the ball comes to (solid_skin_patch.c); the push acts on the cells that carry it, as forces and moments,
 * so that momentum and angular momentum are kept. Nothing is remembered: one sweep over the cells with free faces finds
 * what is near. Friction is stepped by scheme rattle (rattle_friction.c). */
#include "model/solid/strike/solid_strike.h"

#include <string.h>

#include "base/memory.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_press_room.h"
#include "model/solid/strike/solid_push.h"

size_t carom_solid_strike_count(size_t solids, size_t n, size_t walls)
{
    return solids * n + (n > 0 ? n * (n - 1) / 2 : 0) + walls * n + solids * (solids - 1) / 2 + solids * walls;
}

/* every two of [first, first + n) going by `step` */
static size_t every_two(size_t n, int32_t first, int32_t step, size_t j, int32_t (*pair)[2])
{
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++, j++) {
            pair[j][0] = first + step * (int32_t)a;
            pair[j][1] = first + step * (int32_t)b;
        }
    return j;
}

void carom_solid_strike_pairs(size_t solids, size_t n, size_t walls, int32_t (*pair)[2])
{
    const int32_t wall = CAROM_STRIKE_SOLID - (int32_t)solids;
    size_t j = 0;
    for (size_t s = 0; s < solids; s++)
        for (size_t i = 0; i < n; i++, j++) {
            pair[j][0] = CAROM_STRIKE_SOLID - (int32_t)s;
            pair[j][1] = (int32_t)i;
        }
    j = every_two(n, 0, 1, j, pair);
    for (size_t w = 0; w < walls; w++)
        for (size_t i = 0; i < n; i++, j++) {
            pair[j][0] = wall - (int32_t)w;
            pair[j][1] = (int32_t)i;
        }
    j = every_two(solids, CAROM_STRIKE_SOLID, -1, j, pair);
    for (size_t w = 0; w < walls; w++)
        for (size_t s = 0; s < solids; s++, j++) {
            pair[j][0] = CAROM_STRIKE_SOLID - (int32_t)s;
            pair[j][1] = wall - (int32_t)w;
        }
}

/* --- where balls touch -------------------------------------------------------------------------------------------- */

/* how far from a ball's centre the surface is looked for */
static double sight(const struct carom_solid_strike *s, const struct carom_strike_body *b, size_t ball, bool far)
{
    return far ? 2.0 * s->balls->radius[ball] + 4.0 * b->reach : 1.5 * s->balls->radius[ball];
}

/* the box around all balls and what they see of a solid */
static void surround(const struct carom_solid_strike *s, const struct carom_strike_body *b, size_t first, size_t last,
                     bool far, const double (*place)[3], double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = HUGE_VAL;
        high[k] = -HUGE_VAL;
        for (size_t i = first; i < last; i++) {
            low[k] = fmin(low[k], place[i][k] - sight(s, b, i, far) - 2.0 * b->reach);
            high[k] = fmax(high[k], place[i][k] + sight(s, b, i, far) + 2.0 * b->reach);
        }
    }
}

/* Is a cell in the box? */
static bool cell_within(const struct carom_solid *s, size_t cell, const double *q, const double low[3],
                        const double high[3])
{
    bool within = true;
    for (size_t k = 0; k < (size_t)s->dimension && within; k++) {
        const double centre = s->centre[cell][k] + q[s->wide * cell + k];
        within = centre > low[k] && centre < high[k];
    }
    return within;
}

/* cells of the surface that are near some of the balls; too many: all of them */
struct nearby {
    uint32_t rim[512];
    size_t n;
};

/* the nearest spots of balls [first, last) on a solid, whose q this is, as far as they see */
static void look_once(const struct carom_solid_strike *s, const struct carom_strike_body *b, size_t first, size_t last,
                      bool far, const double *q, const double (*place)[3], struct carom_skin_spot *spot,
                      struct nearby *nearby)
{
    const size_t most = sizeof nearby->rim / sizeof *nearby->rim;
    double low[3], high[3];
    surround(s, b, first, last, far, place, low, high);
    for (size_t i = first; i < last; i++)
        carom_solid_skin_near_begin(sight(s, b, i, far), &spot[i]);
    for (size_t r = 0; r < b->skin->nrims; r++)
        if (cell_within(b->solid, b->skin->rim[r].cell, q, low, high)) {
            carom_solid_skin_near(b->solid, b->skin, r, q, last - first, place + first, spot + first);
            if (nearby->n < most)
                nearby->rim[nearby->n] = (uint32_t)r;
            nearby->n++;
        }
    for (size_t i = first; i < last; i++)
        carom_solid_skin_near_end(sight(s, b, i, far), &spot[i]);
    if (nearby->n > most)
        nearby->n = SIZE_MAX;
}

/* Of those that are to look far, most stand close to the surface or touch it, and see it in the first look. */
static void look(const struct carom_solid_strike *s, const struct carom_strike_body *b, size_t first, size_t last,
                 bool far, const double *q, const double (*place)[3], struct carom_skin_spot *spot,
                 struct nearby *nearby)
{
    struct nearby other;
    nearby->n = 0;
    look_once(s, b, first, last, false, q, place, spot, nearby);
    for (size_t i = first, to; far && i < last; i = to) {
        for (to = i + 1; to < last && (spot[to].piece == SIZE_MAX) == (spot[i].piece == SIZE_MAX);)
            to++;
        other.n = 0;
        if (spot[i].piece == SIZE_MAX)
            look_once(s, b, i, to, true, q, place, spot, &other);
    }
}

/* the surface in a ball that touches it; false: it has none */
static bool on_patch(const struct carom_strike_body *b, const struct nearby *nearby, const double place[3],
                     double radius, const double *q, struct carom_skin_pool *pool, struct carom_strike *out)
{
    const size_t n = nearby->n == SIZE_MAX ? b->skin->nrims : nearby->n;
    struct carom_skin_patch patch;
    carom_solid_skin_patch_begin(place, radius, pool, &patch);
    for (size_t i = 0; i < n; i++)
        carom_solid_skin_patch_add(b->solid, b->skin, nearby->n == SIZE_MAX ? i : nearby->rim[i], q, &patch);
    if (!carom_solid_skin_patch_end(b->solid, q, &patch))
        return false;
    const double steep = carom_vec_norm(patch.slope);
    out->gap = -patch.overlap;
    for (int k = 0; k < 3; k++) {
        out->slope[k] = -patch.slope[k];
        out->normal[k] = steep > 1e-3 ? -patch.slope[k] / steep : out->normal[k]; /* held from all sides: the nearest */
        out->point[k] = patch.point[k];
    }
    return true;
}

static void on_spot(const struct carom_strike_body *b, const struct carom_skin_spot *spot, const double *q,
                    struct carom_skin_pool *pool, struct carom_strike *out)
{
    struct carom_skin_grip grip;
    memcpy(out->slope, out->normal, sizeof out->slope);
    for (int k = 0; k < 3; k++)
        out->point[k] = -spot->away[k];
    if (!pool)
        return;
    carom_solid_skin_grip(b->solid, b->skin, spot->piece, spot->share, q, &grip);
    carom_solid_skin_touch_spot(pool, &grip, out->normal);
}

static void on_solid(const struct carom_solid_strike *s, size_t body, size_t ball, const struct carom_skin_spot *spot,
                     const struct nearby *nearby, const double place[3], const double *q, struct carom_skin_pool *pool,
                     struct carom_strike *out)
{
    const struct carom_strike_body *b = &s->body[body];
    const double radius = s->balls->radius[ball];
    *out = (struct carom_strike){.gap = spot->distance - radius,
                                 .ball = {-1, (int32_t)ball},
                                 .body = (uint32_t)body,
                                 .pool = pool,
                                 .first = pool ? pool->n : 0};
    if (carom_solid_balls_fastened(s->balls, ball, body)) { /* far from each other for good */
        out->gap = radius;
        return;
    }
    if (spot->piece == SIZE_MAX)
        return;
    for (int k = 0; k < 3; k++)
        out->normal[k] = spot->distance != 0.0 ? spot->away[k] / spot->distance : 0.0;
    /* farther inside, a flat surface would begin to count less: there the run is about to stop */
    const bool touches = spot->distance < radius && spot->distance >= CAROM_STRIKE_DEEPEST * radius;
    if (!touches || !on_patch(b, nearby, place, radius, q, pool, out))
        on_spot(b, spot, q, pool, out);
    out->ncells = pool ? pool->n - out->first : 0;
}

const struct carom_skin_touch *carom_solid_strike_touch(const struct carom_strike *at, size_t i)
{
    return &at->pool->touch[at->first + i];
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
    if (s->balls->joined && s->balls->joined[a * s->nballs + b]) { /* far from each other for good */
        out->gap = s->balls->radius[a] + s->balls->radius[b];
        return;
    }
    for (int k = 0; k < 3; k++) {
        out->slope[k] = out->normal[k] = distance > 0.0 ? away[k] / distance : 0.0;
        out->point[k] = -(s->balls->radius[b] + 0.5 * out->gap) * out->normal[k];
    }
}

static void on_wall(const struct carom_solid_strike *s, const struct carom_strike_wall *wall, size_t ball,
                    const double place[3], struct carom_strike *out)
{
    *out = (struct carom_strike){.gap = -s->balls->radius[ball], .ball = {-1, (int32_t)ball}};
    for (int k = 0; k < 3; k++) {
        out->slope[k] = out->normal[k] = wall->normal[k];
        out->gap += wall->normal[k] * (place[k] - wall->at[k]);
    }
    for (int k = 0; k < 3; k++)
        out->point[k] = -(s->balls->radius[ball] + out->gap) * out->normal[k];
}

void carom_solid_strike_find(const struct carom_model *model, size_t first, size_t last, bool far, const double *q,
                             struct carom_skin_pool *pool, struct carom_strike *out)
{
    const struct carom_solid_strike *s = model->encounter_own;
    double place[CAROM_STRIKE_BALLS][3];
    struct carom_skin_spot spot[CAROM_STRIKE_BALLS];
    struct nearby nearby;
    const size_t n = s->nballs;
    size_t looked = SIZE_MAX; /* the solid that spots are of */
    const double *own = q + model->member[s->balls_member].q0;
    for (size_t i = 0; last - first >= n && i < n; i++)
        carom_solid_balls_place(s->balls, i, own, place[i]);
    for (size_t j = first; last - first < n && j < last; j++)
        for (int side = 0; side < 2; side++)
            if (model->pair[j][side] >= 0)
                carom_solid_balls_place(s->balls, (size_t)model->pair[j][side], own, place[model->pair[j][side]]);
    for (size_t j = first; j < last; j++) {
        const size_t body = j / n, ball = j % n;
        if (j < s->balls_first) {
            const double *cells = q + model->member[body].q0;
            if (looked != body)
                look(s, &s->body[body], ball, last - j < n - ball ? ball + last - j : n, far, cells,
                     (const double(*)[3])place, spot, &nearby);
            looked = body;
            on_solid(s, body, ball, &spot[ball], &nearby, place[ball], cells, pool, &out[j - first]);
        } else if (j < s->walls_first) {
            on_ball(s, (size_t)model->pair[j][0], (size_t)model->pair[j][1], (const double(*)[3])place,
                    &out[j - first]);
        } else {
            on_wall(s, &s->wall[(j - s->walls_first) / n], (size_t)model->pair[j][1], place[model->pair[j][1]],
                    &out[j - first]);
        }
    }
}

void carom_solid_strike_box(const struct carom_model *model, const double *q, double low[3], double high[3])
{
    const struct carom_solid_strike *s = model->encounter_own;
    double place[CAROM_STRIKE_BALLS][3];
    const struct carom_strike_body *widest = &s->body[0];
    for (size_t i = 0; i < s->nbodies; i++)
        widest = s->body[i].reach > widest->reach ? &s->body[i] : widest;
    for (size_t i = 0; i < s->nballs; i++)
        carom_solid_balls_place(s->balls, i, q + model->member[s->balls_member].q0, place[i]);
    surround(s, widest, 0, s->nballs, true, (const double(*)[3])place, low, high);
}

/* --- as contacts of a model -------------------------------------------------------------------------------------- */

double carom_solid_strike_rate(const struct carom_model *model, const struct carom_strike *at, const double *q,
                               const double *v)
{
    const struct carom_solid_strike *s = model->encounter_own;
    const struct carom_member *cells = &model->member[at->body];
    const double *w = v + model->member[s->balls_member].v0;
    const size_t d = (size_t)s->balls->dimension;
    double rate = 0.0;
    for (size_t i = 0; i < at->ncells; i++)
        rate += carom_solid_skin_touch_rate(s->body[at->body].solid, carom_solid_strike_touch(at, i), q + cells->q0,
                                            v + cells->v0);
    for (size_t k = 0; k < d; k++) {
        rate -= at->slope[k] * w[d * (size_t)at->ball[1] + k];
        if (at->ball[0] >= 0)
            rate += at->slope[k] * w[d * (size_t)at->ball[0] + k];
    }
    return rate;
}

static void deform_balls(const struct carom_model *model, size_t first, size_t last, bool near, const double *q,
                         const double *v, double *overlap, double *rate)
{
    enum { BLOCK = 64 };
    struct carom_strike strike[BLOCK];
    struct carom_skin_pool pool = {0};
    for (size_t from = first; from < last; from += BLOCK) {
        const size_t to = last - from < BLOCK ? last : from + BLOCK;
        pool.n = 0;
        carom_solid_strike_find(model, from, to, !near, q, rate ? &pool : NULL, strike);
        for (size_t j = from; j < to; j++) {
            overlap[j - first] = -strike[j - from].gap;
            if (rate)
                rate[j - first] = carom_solid_strike_rate(model, &strike[j - from], q, v);
        }
    }
    carom_solid_skin_touch_close(&pool);
}

static void deform(const struct carom_model *model, size_t first, size_t last, bool near, const double *q,
                   const double *v, double *overlap, double *rate)
{
    const struct carom_solid_strike *s = model->encounter_own;
    const size_t meets = first > s->meets_first ? first : s->meets_first;
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    deform_balls(model, first, last < s->meets_first ? last : s->meets_first, near, q, v, overlap, rate);
    if (meets < last)
        carom_solid_press_boxes(model, q, box);
    for (size_t j = meets; j < last; j++)
        overlap[j - first] = carom_solid_push_overlap(model, &s->meet[j - s->meets_first], box, q, rate ? v : NULL,
                                                      rate ? &rate[j - first] : NULL, NULL);
}

static void release(void *own)
{
    struct carom_solid_strike *s = own;
    for (size_t i = 0; s->body && i < s->nbodies; i++)
        carom_solid_skin_free(s->body[i].skin);
    for (size_t i = 0; s->meet && i < s->nmeets; i++)
        carom_memory_free(s->meet[i].tie);
    carom_memory_free_all(s->body, s->wall, s->meet, s->friction);
    carom_solid_press_room_close(s->rooms);
    carom_memory_free(s);
}

static bool rubs(const struct carom_model *model)
{
    const struct carom_solid_strike *s = model->encounter_own;
    return s->friction != NULL;
}

static const struct carom_encounter encounter = {
    .deform = deform, .rubs = rubs, .energy = carom_solid_strike_friction_energy, .release = release};

void carom_solid_strike_friction(struct carom_model *model, struct carom_strike_friction *friction)
{
    struct carom_solid_strike *s = model->encounter_own;
    s->friction = friction;
}

const struct carom_solid_strike *carom_solid_strike_of(const struct carom_model *model)
{
    return model->encounter == &encounter ? model->encounter_own : NULL;
}

static bool add_bodies(struct carom_solid_strike *s, const struct carom_model *model)
{
    for (size_t i = 0; i < s->nbodies; i++) {
        struct carom_strike_body *b = &s->body[i];
        b->solid = carom_solid_at(model, i);
        b->skin = carom_solid_skin_create(b->solid);
        if (!b->skin)
            return false;
        b->light = HUGE_VAL;
        for (size_t r = 0; r < b->skin->nrims; r++) {
            b->reach = fmax(b->reach, b->skin->rim[r].reach);
            b->light = fmin(b->light, carom_solid_sort_of(b->solid, b->skin->rim[r].cell)->mass);
        }
    }
    return true;
}

/* in the order of the pairs */
static void add_meets(struct carom_solid_strike *s)
{
    size_t m = 0;
    for (size_t a = 0; a < s->nbodies; a++)
        for (size_t b = a + 1; b < s->nbodies; b++)
            s->meet[m++] = (struct carom_strike_meet){.body = {(uint32_t)a, (uint32_t)b}};
    for (size_t w = 0; w < s->nwalls; w++)
        for (size_t a = 0; a < s->nbodies; a++)
            s->meet[m++] = (struct carom_strike_meet){.body = {(uint32_t)a, (uint32_t)(s->nbodies + w)}};
    for (m = 0; m < s->nmeets; m++)
        carom_solid_press_measure(s, &s->meet[m]);
}

enum carom_status carom_solid_strike_add(struct carom_model *model, size_t nwalls, const struct carom_strike_wall *wall,
                                         struct carom_error *error)
{
    struct carom_solid_strike *s = carom_memory_zeroed(1, sizeof *s);
    if (!s)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the surface of a solid");
    model->encounter = &encounter;
    model->encounter_own = s;
    s->balls = carom_solid_balls_of(model, &s->balls_member);
    s->nbodies = carom_solid_count(model);
    s->nballs = s->balls ? s->balls->n : 0;
    s->nwalls = nwalls;
    s->nmeets = carom_solid_strike_count(s->nbodies, 0, nwalls);
    s->balls_first = s->nbodies * s->nballs;
    s->walls_first = carom_solid_strike_count(s->nbodies, s->nballs, 0) - carom_solid_strike_count(s->nbodies, 0, 0);
    s->meets_first = s->walls_first + nwalls * s->nballs;
    s->body = carom_memory_zeroed(s->nbodies, sizeof *s->body);
    s->wall = carom_memory_zeroed(nwalls, sizeof *s->wall);
    s->meet = carom_memory_zeroed(s->nmeets, sizeof *s->meet);
    if (!s->body || !s->wall || !s->meet || !add_bodies(s, model))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the surface of a solid");
    s->rooms = s->nbodies > 1 ? carom_solid_press_room_open(s) : NULL;
    if (s->nbodies > 1 && !s->rooms)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the surfaces of solids");
    for (size_t i = 0; i < nwalls; i++)
        s->wall[i] = wall[i];
    add_meets(s);
    return CAROM_OK;
}

/* --- ties --------------------------------------------------------------------------------------------------------- */

struct tying {
    struct carom_strike_meet *meet;
    struct carom_press *tie; /* NULL: only counted */
    size_t n;
    double within;
};

static void keep(void *own, const struct carom_press *press)
{
    struct tying *t = own;
    if (!(fabs(press->depth) <= t->within))
        return;
    if (t->tie)
        t->tie[t->n] = *press;
    t->n++;
}

enum carom_status carom_solid_strike_tie(struct carom_model *model, size_t meet, const double *q, size_t *points,
                                         struct carom_error *error)
{
    const struct carom_solid_strike *s = model->encounter_own;
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    struct tying t = {.meet = &s->meet[meet]};
    /* a thousandth of a cell: what rounding and curved sides leave between surfaces that are meant to be one */
    t.within = 1e-3 * fmin(s->body[t.meet->body[0]].reach, s->body[t.meet->body[1]].reach);
    carom_solid_press_boxes(model, q, box);
    carom_solid_press_find(model, t.meet, box, q, NULL, keep, &t);
    *points = t.n;
    t.tie = carom_memory_zeroed(t.n, sizeof *t.tie);
    if (!t.tie)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for ties");
    t.n = 0;
    carom_solid_press_find(model, t.meet, box, q, NULL, keep, &t);
    t.meet->tie = t.tie;
    t.meet->nties = t.n;
    t.meet->tied = true;
    return CAROM_OK;
}
