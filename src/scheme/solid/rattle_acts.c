/* Damping, absorbing sides and drives on a device: src/kernel/acts.cl, drag.cl. What they take is added up there batch
 * by batch, and batches of many steps at a time, in the order of the processor, which hears of the sums; what drives
 * put in is worked out by the processor, which moves driven cells itself and hears after every step what acts on them.
 * Faces that absorb go level by level: those of a level have no cell in common, and those that have one come in the
 * processor's order. */
#include "scheme/solid/rattle_acts.h"

#include <string.h>

#include "base/memory.h"

enum { MOST_BATCHES = 1 << 19, MOST_STEPS = 256, MOST_WORKS = 4 }; /* sums, steps at a time; works in a step */

/* as src/kernel/acts.cl has it */
struct sums {
    uint64_t rows, batch, runs, from, apart, kind, at, beside, kinds;
};

struct carom_board_acts {
    bool damps, drags, absorbs, drives; /* drags: damping by stiffness */
    size_t mass;         /* kinds of numbers of damping by mass: of free motions and, where some are held, given ones */
    size_t kinds, half;  /* all kinds: and by stiffness, of sides; their batches in half a step */
    size_t steps, known; /* how many steps are heard at a time; how many there are now */
    double *lost, *size; /* what each kind has taken in each half, and how large steps are */
    double work[MOST_WORKS], supplied[2]; /* supplied: against drag, in both halves */
    size_t nworks;
    size_t nlevels, *level; /* where levels of faces begin in their order */
    size_t ndriven;
    uint32_t *driven;
    double *given, *felt; /* of driven cells */
};

static size_t batches(size_t count)
{
    return (count + CAROM_RATTLE_BLOCK - 1) / CAROM_RATTLE_BLOCK;
}

bool carom_rattle_acts_are(const struct carom_solid *s)
{
    return s->damping_mass > 0.0 || s->damping_stiffness > 0.0 || s->nabsorbers > 0 || carom_solid_driven(s);
}

/* --- setting up --------------------------------------------------------------------------------------------------- */

/* A face comes a level after the last one before it that has a cell in common with it. */
static bool open_sides(struct carom_board *b, struct carom_board_acts *a, struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    uint32_t *busy = carom_memory_zeroed(s->n, sizeof *busy);
    uint32_t *own = carom_memory_zeroed(s->nabsorbers, sizeof *own);
    uint32_t *order = carom_memory_zeroed(s->nabsorbers, sizeof *order);
    bool good = busy && own && order;
    for (size_t i = 0; good && i < s->nabsorbers; i++) {
        const uint32_t cell = s->absorber[i].cell, inner = s->absorber[i].inner;
        own[i] = busy[cell] > busy[inner] ? busy[cell] : busy[inner];
        busy[cell] = busy[inner] = own[i] + 1;
        a->nlevels = own[i] + 1 > a->nlevels ? own[i] + 1 : a->nlevels;
    }
    a->level = carom_memory_zeroed(a->nlevels + 2, sizeof *a->level);
    good = good && a->level;
    for (size_t i = 0; good && i < s->nabsorbers; i++)
        a->level[own[i] + 2]++;
    for (size_t k = 1; good && k < a->nlevels + 2; k++)
        a->level[k] += a->level[k - 1];
    for (size_t i = 0; good && i < s->nabsorbers; i++)
        order[a->level[own[i] + 1]++] = (uint32_t)i;
    good =
        good ? carom_rattle_board_fill(b, CAROM_BOARD_SIDES, s->absorber, s->nabsorbers * sizeof *s->absorber, error) &&
                   carom_rattle_board_fill(b, CAROM_BOARD_ORDER, order, s->nabsorbers * sizeof *order, error)
             : carom_rattle_board_lost(error);
    carom_memory_free_all(busy, own, order);
    return good;
}

/* which numbers of a driven cell are given: its place, then its velocities */
static int32_t given_by(const struct carom_solid *s, const struct carom_solid_hold *hold)
{
    int32_t bits = 0;
    if (hold->angle != 0.0)
        return (int32_t)((1U << (s->wide + s->fast)) - 1U);
    for (unsigned k = 0; k < (unsigned)s->dimension; k++)
        if (hold->mask >> k & 1U)
            bits |= (int32_t)((hold->driven ? 1U << k : 0U) | 1U << (s->wide + k));
    return bits;
}

static bool open_drives(struct carom_board *b, struct carom_board_acts *a, struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    int32_t *all = carom_memory_zeroed(s->n, sizeof *all), *bits = NULL;
    for (size_t h = 0; all && h < s->nholds; h++)
        for (size_t i = 0; s->hold[h].driven && i < s->hold[h].count; i++) {
            a->ndriven += all[s->hold[h].cell[i]] == 0;
            all[s->hold[h].cell[i]] |= given_by(s, &s->hold[h]);
        }
    a->driven = carom_memory_zeroed(a->ndriven, sizeof *a->driven);
    a->given = carom_memory_zeroed(a->ndriven * (s->wide + s->fast), sizeof *a->given);
    a->felt = carom_memory_zeroed(a->ndriven * s->fast, sizeof *a->felt);
    bits = carom_memory_zeroed(a->ndriven, sizeof *bits);
    bool good = all && a->driven && a->given && a->felt && bits;
    for (size_t i = 0, next = 0; good && i < s->n; i++)
        if (all[i] != 0) {
            a->driven[next] = (uint32_t)i;
            bits[next++] = all[i];
        }
    good = good ? carom_rattle_board_fill(b, CAROM_BOARD_DRIVEN, a->driven, a->ndriven * sizeof *a->driven, error) &&
                      carom_rattle_board_fill(b, CAROM_BOARD_BITS, bits, a->ndriven * sizeof *bits, error) &&
                      carom_rattle_board_fill(b, CAROM_BOARD_GIVEN, NULL,
                                              a->ndriven * (s->wide + s->fast) * sizeof *a->given, error) &&
                      carom_rattle_board_fill(b, CAROM_BOARD_FELT, NULL, a->ndriven * s->fast * sizeof *a->felt, error)
                : carom_rattle_board_lost(error);
    carom_memory_free_all(all, bits);
    return good;
}

static bool open_lost(struct carom_board *b, struct carom_board_acts *a, struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    a->mass = a->damps ? (s->held ? 2 : 1) : 0;
    const size_t cells = a->mass + (a->drags ? 1U : 0U), most = (cells < 2 ? cells : 2) * s->n;
    const size_t terms = most > 2 * s->nabsorbers ? most : 2 * s->nabsorbers;
    a->kinds = cells + (a->absorbs ? 1U : 0U);
    a->half = cells * batches(s->n) + batches(s->nabsorbers);
    a->steps = a->drives || s->nloads > 0 || a->half == 0 ? 1 : MOST_BATCHES / (2 * a->half);
    a->steps = a->steps < 1 ? 1 : a->steps > MOST_STEPS ? MOST_STEPS : a->steps;
    a->lost = carom_memory_zeroed(2 * a->steps, a->kinds * sizeof *a->lost);
    a->size = carom_memory_zeroed(a->steps, sizeof *a->size);
    return a->lost && a->size
               ? carom_rattle_board_fill(b, CAROM_BOARD_TERMS, NULL, terms * sizeof(double), error) &&
                     carom_rattle_board_fill(b, CAROM_BOARD_BATCHES, NULL, 2 * a->half * a->steps * sizeof(double),
                                             error) &&
                     carom_rattle_board_fill(b, CAROM_BOARD_LOST, NULL, 2 * a->kinds * a->steps * sizeof(double), error)
               : carom_rattle_board_lost(error);
}

static bool open_drag(struct carom_board *b, struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    const size_t bytes = s->fast * s->n * sizeof(double);
    return carom_rattle_board_fill(b, CAROM_BOARD_SPINS, NULL, bytes, error) &&
           carom_rattle_board_fill(b, CAROM_BOARD_BEFORE, NULL, bytes, error) &&
           carom_rattle_board_fill(b, CAROM_BOARD_DRAG, NULL, bytes, error) &&
           carom_rattle_board_fill(b, CAROM_BOARD_PUSH, NULL, s->n * sizeof(double), error) &&
           carom_rattle_board_links(b, true, CAROM_BOARD_RATES_STARTS, CAROM_BOARD_RATES_ENDS, CAROM_BOARD_RATES_SHAPES,
                                    error);
}

bool carom_rattle_acts_open(struct carom_board *b, struct carom_error *error)
{
    const struct carom_solid *s = b->body->solid;
    struct carom_board_acts *a = b->acts = carom_memory_zeroed(1, sizeof *a);
    if (!a)
        return carom_rattle_board_lost(error);
    a->damps = s->damping_mass > 0.0;
    a->drags = s->damping_stiffness > 0.0;
    a->absorbs = s->nabsorbers > 0;
    a->drives = carom_solid_driven(s);
    return carom_rattle_board_fill(b, CAROM_BOARD_FORCES, NULL, s->fast * s->n * sizeof(double), error) &&
           (b->memory[CAROM_BOARD_SORT] || carom_rattle_board_sorts(b, error)) && open_lost(b, a, error) &&
           (!a->drags || open_drag(b, error)) && (!a->absorbs || open_sides(b, a, error)) &&
           (!a->drives || open_drives(b, a, error));
}

void carom_rattle_acts_free(struct carom_board_acts *a)
{
    if (a)
        carom_memory_free_all(a->lost, a->size, a->level, a->driven, a->given, a->felt, a);
}

/* --- drives ------------------------------------------------------------------------------------------------------- */

void carom_rattle_acts_drive(struct carom_board *b, double t1, double *q, double *v)
{
    const struct carom_solid *s = b->body->solid;
    const struct carom_board_acts *a = b->acts;
    const uint64_t n = s->n, count = a->ndriven;
    const size_t places[2] = {count, 1}, each = s->wide + s->fast;
    const struct carom_device_argument value[] = {{.value = &n, .size = sizeof n},
                                                  {.value = &count, .size = sizeof count}};
    const size_t memory[] = {CAROM_BOARD_DRIVEN, CAROM_BOARD_BITS, CAROM_BOARD_GIVEN, CAROM_BOARD_PLACES,
                             CAROM_BOARD_VELOCITIES};
    if (!a->drives)
        return;
    carom_solid_loads_hold(s, t1, true, q, v);
    for (size_t i = 0; i < a->ndriven; i++) {
        memcpy(a->given + each * i, q + s->wide * a->driven[i], s->wide * sizeof *q);
        memcpy(a->given + each * i + s->wide, v + s->fast * a->driven[i], s->fast * sizeof *v);
    }
    carom_device_write(b->memory[CAROM_BOARD_GIVEN], a->given, each * a->ndriven * sizeof *a->given);
    carom_rattle_board_run(b, "drive", places, value, sizeof value / sizeof *value, memory,
                           sizeof memory / sizeof *memory);
}

/* of driven cells, what that memory has, to their places in `to` */
static void feel(struct carom_board *b, enum carom_board_memory what, double *to)
{
    const struct carom_solid *s = b->body->solid;
    const struct carom_board_acts *a = b->acts;
    const uint64_t n = s->n, count = a->ndriven;
    const size_t places[2] = {count, 1}, memory[] = {CAROM_BOARD_DRIVEN, what, CAROM_BOARD_FELT};
    const struct carom_device_argument value[] = {{.value = &n, .size = sizeof n},
                                                  {.value = &count, .size = sizeof count}};
    carom_rattle_board_run(b, "feel", places, value, sizeof value / sizeof *value, memory,
                           sizeof memory / sizeof *memory);
    carom_device_read(b->memory[CAROM_BOARD_FELT], a->felt, s->fast * a->ndriven * sizeof *a->felt);
    for (size_t i = 0; i < a->ndriven; i++)
        memcpy(to + s->fast * a->driven[i], a->felt + s->fast * i, s->fast * sizeof *a->felt);
}

void carom_rattle_acts_feel(struct carom_board *b)
{
    if (b->acts->drives)
        feel(b, CAROM_BOARD_FORCES, b->body->force);
}

/* --- damping, sides ----------------------------------------------------------------------------------------------- */

static void add_up(struct carom_board *b, const struct sums *sums, size_t kinds, enum carom_board_memory from,
                   enum carom_board_memory to)
{
    enum { SUMS = 8 }; /* as the text has it */
    const size_t groups = (sums->runs + SUMS - 1) / SUMS;
    const size_t places[2] = {groups * b->way->group, kinds}, memory[] = {from, to};
    const struct carom_device_argument value[] = {{.value = sums, .size = sizeof *sums}};
    carom_rattle_board_run(b, "add_up", places, value, 1, memory, 2);
}

static void shrink(struct carom_board *b, double h, size_t at)
{
    const struct carom_solid *s = b->body->solid;
    const uint64_t n = s->n;
    const int32_t holds = s->held != NULL, pad = 0;
    const double factor = carom_rattle_damp_factor(s, h);
    const size_t places[2] = {n, 1}, memory[] = {CAROM_BOARD_PLACES, CAROM_BOARD_VELOCITIES, CAROM_BOARD_HELD,
                                                 CAROM_BOARD_SORT,   CAROM_BOARD_SORTS,      CAROM_BOARD_TERMS};
    const struct carom_device_argument value[] = {{.value = &n, .size = sizeof n},
                                                  {.value = &holds, .size = sizeof holds},
                                                  {.value = &pad, .size = sizeof pad},
                                                  {.value = &factor, .size = sizeof factor}};
    carom_rattle_board_run(b, "shrink", places, value, sizeof value / sizeof *value, memory,
                           sizeof memory / sizeof *memory);
    const size_t all = batches(n);
    const struct sums sums = {.rows = n,
                              .batch = CAROM_RATTLE_BLOCK,
                              .runs = all,
                              .apart = CAROM_RATTLE_BLOCK,
                              .kind = n,
                              .at = at,
                              .beside = 1,
                              .kinds = all};
    add_up(b, &sums, b->acts->mass, CAROM_BOARD_TERMS, CAROM_BOARD_BATCHES);
}

static void swell_rates(struct carom_board *b)
{
    const struct carom_solid *s = b->body->solid;
    const uint64_t n = s->n, nshapes = s->nshapes;
    const size_t places[2] = {n, 1}, turns[] = {CAROM_BOARD_PLACES, CAROM_BOARD_VELOCITIES, CAROM_BOARD_SORT,
                                                CAROM_BOARD_SORTS, CAROM_BOARD_SPINS};
    const size_t memory[] = {CAROM_BOARD_PLACES,     CAROM_BOARD_SPINS,        CAROM_BOARD_RATES_STARTS,
                             CAROM_BOARD_RATES_ENDS, CAROM_BOARD_RATES_SHAPES, CAROM_BOARD_SORT,
                             CAROM_BOARD_SORTS,      CAROM_BOARD_PUSH,         CAROM_BOARD_TERMS};
    const struct carom_device_argument value[] = {{.value = &n, .size = sizeof n},
                                                  {.value = &nshapes, .size = sizeof nshapes}};
    carom_rattle_board_run(b, "turn_over", places, value, 1, turns, sizeof turns / sizeof *turns);
    carom_rattle_board_run(b, "swell_rates", places, value, 2, memory, sizeof memory / sizeof *memory);
}

static void drag(struct carom_board *b, double factor)
{
    const struct carom_solid *s = b->body->solid;
    const uint64_t n = s->n, nshapes = s->nshapes;
    const int32_t holds = s->held != NULL, pad = 0;
    const double *still = b->body->still;
    const size_t places[2] = {n, 1};
    const size_t memory[] = {CAROM_BOARD_PLACES,     CAROM_BOARD_SPINS,        CAROM_BOARD_RATES_STARTS,
                             CAROM_BOARD_RATES_ENDS, CAROM_BOARD_RATES_SHAPES, CAROM_BOARD_PUSH,
                             CAROM_BOARD_SORT,       CAROM_BOARD_SORTS,        CAROM_BOARD_HELD,
                             CAROM_BOARD_BEFORE,     CAROM_BOARD_VELOCITIES,   CAROM_BOARD_DRAG,
                             CAROM_BOARD_TERMS};
    const struct carom_device_argument value[] = {{.value = &n, .size = sizeof n},
                                                  {.value = &nshapes, .size = sizeof nshapes},
                                                  {.value = &factor, .size = sizeof factor},
                                                  {.value = &still[0], .size = sizeof *still},
                                                  {.value = &still[1], .size = sizeof *still},
                                                  {.value = &holds, .size = sizeof holds},
                                                  {.value = &pad, .size = sizeof pad}};
    carom_rattle_board_run(b, "drag", places, value, sizeof value / sizeof *value, memory,
                           sizeof memory / sizeof *memory);
}

/* Damping by stiffness by the midpoint rule, and what it takes. v: of driven cells, as they move. */
static void drag_all(struct carom_board *b, double h, bool last, size_t at, const double *v)
{
    const struct carom_solid *s = b->body->solid;
    const uint64_t n = s->n, batch = CAROM_RATTLE_BLOCK, where = at;
    const size_t places[2] = {4 * batches(n), 1}, memory[] = {CAROM_BOARD_TERMS, CAROM_BOARD_BATCHES};
    const struct carom_device_argument value[] = {{.value = &n, .size = sizeof n},
                                                  {.value = &batch, .size = sizeof batch},
                                                  {.value = &where, .size = sizeof where}};
    carom_device_copy(b->memory[CAROM_BOARD_VELOCITIES], b->memory[CAROM_BOARD_BEFORE], s->fast * n * sizeof(double));
    for (int stage = 0; stage < 2; stage++) {
        swell_rates(b);
        drag(b, (stage == 0 ? 0.5 : 1.0) * h * s->damping_stiffness);
    }
    carom_rattle_board_run(b, "add_fours", places, value, sizeof value / sizeof *value, memory, 2);
    if (!b->acts->drives)
        return;
    feel(b, CAROM_BOARD_DRAG, b->body->drag);
    b->acts->supplied[last] = h * s->damping_stiffness * carom_rattle_damp_supplied(b->body, v);
}

static void absorb(struct carom_board *b, double h, bool last, size_t at)
{
    const struct carom_solid *s = b->body->solid;
    const struct carom_board_acts *a = b->acts;
    const uint64_t n = s->n, all = s->nabsorbers;
    const int32_t holds = s->held != NULL, ends = last;
    const size_t memory[] = {CAROM_BOARD_SIDES, CAROM_BOARD_ORDER, CAROM_BOARD_PLACES, CAROM_BOARD_VELOCITIES,
                             CAROM_BOARD_HELD,  CAROM_BOARD_SORT,  CAROM_BOARD_SORTS,  CAROM_BOARD_TERMS};
    for (size_t k = 0; k < a->nlevels; k++) {
        const size_t level = last ? a->nlevels - 1 - k : k;
        const uint64_t from = a->level[level], count = a->level[level + 1] - from;
        const size_t places[2] = {count, 1};
        const struct carom_device_argument value[] = {
            {.value = &n, .size = sizeof n},         {.value = &from, .size = sizeof from},
            {.value = &count, .size = sizeof count}, {.value = &all, .size = sizeof all},
            {.value = &h, .size = sizeof h},         {.value = &ends, .size = sizeof ends},
            {.value = &holds, .size = sizeof holds}};
        carom_rattle_board_run(b, "absorb", places, value, sizeof value / sizeof *value, memory,
                               sizeof memory / sizeof *memory);
    }
    const struct sums sums = {.rows = 2 * all,
                              .batch = 2 * CAROM_RATTLE_BLOCK,
                              .runs = batches(all),
                              .apart = 2 * CAROM_RATTLE_BLOCK,
                              .at = at,
                              .beside = 1};
    add_up(b, &sums, 1, CAROM_BOARD_TERMS, CAROM_BOARD_BATCHES);
}

void carom_rattle_acts_damp(struct carom_board *b, double h, bool last, const double *v)
{
    const struct carom_board_acts *a = b->acts;
    const size_t cells = batches(b->body->solid->n), mass = (2 * a->known + (last ? 1 : 0)) * a->half;
    const size_t stiffness = mass + a->mass * cells, sides = stiffness + (a->drags ? cells : 0);
    if (a->absorbs && !last)
        absorb(b, h, last, sides);
    if (a->damps && !last)
        shrink(b, 0.5 * h, mass);
    if (a->drags)
        drag_all(b, 0.5 * h, last, stiffness, v);
    if (a->damps && last)
        shrink(b, 0.5 * h, mass);
    if (a->absorbs && last)
        absorb(b, h, last, sides);
}

/* --- what is lost ------------------------------------------------------------------------------------------------- */

void carom_rattle_acts_work(struct carom_board *b, double work)
{
    if (b->acts->nworks < MOST_WORKS)
        b->acts->work[b->acts->nworks++] = work;
}

bool carom_rattle_acts_end(struct carom_board *b, double h)
{
    b->acts->size[b->acts->known++] = h;
    return b->acts->known == b->acts->steps;
}

void carom_rattle_acts_forget(struct carom_board *b)
{
    b->acts->known = b->acts->nworks = 0;
}

/* Adds up all batches of each half, and tells the processor. */
static void hear_lost(struct carom_board *b)
{
    const struct carom_solid *s = b->body->solid;
    const struct carom_board_acts *a = b->acts;
    const size_t halves = 2 * a->known, cells = batches(s->n), sides = batches(s->nabsorbers);
    const size_t of_cells = a->kinds - (a->absorbs ? 1U : 0U);
    const struct sums whole = {.rows = halves * cells,
                               .batch = cells,
                               .runs = halves,
                               .apart = a->half,
                               .kind = cells,
                               .beside = a->kinds,
                               .kinds = 1};
    const struct sums edge = {.rows = halves * sides,
                              .batch = sides,
                              .runs = halves,
                              .from = of_cells * cells,
                              .apart = a->half,
                              .at = of_cells,
                              .beside = a->kinds};
    if (of_cells > 0)
        add_up(b, &whole, of_cells, CAROM_BOARD_BATCHES, CAROM_BOARD_LOST);
    if (a->absorbs)
        add_up(b, &edge, 1, CAROM_BOARD_BATCHES, CAROM_BOARD_LOST);
    carom_device_read(b->memory[CAROM_BOARD_LOST], a->lost, halves * a->kinds * sizeof *a->lost);
}

/* of half a step of size h, in the order of carom_rattle_damp() */
static void count(struct carom_board *b, const double *lost, double h, bool last, struct carom_state *state,
                  size_t member)
{
    const struct carom_solid *s = b->body->solid;
    const struct carom_board_acts *a = b->acts;
    for (int turn = 0; turn < 2; turn++) {
        if ((turn == 0) != last && a->damps)
            state->spent[member] +=
                carom_rattle_damp_lost(s, 0.5 * h, lost[0], a->mass > 1 ? lost[1] : 0.0, &state->work[member]);
        if ((turn == 0) == last && a->drags) {
            state->work[member] += a->supplied[last];
            state->spent[member] += 0.5 * h * s->damping_stiffness * lost[a->mass];
        }
    }
    if (a->absorbs)
        carom_solid_losses(s, state->q + b->body->member->q0)[CAROM_SOLID_ABSORBED] += lost[a->kinds - 1];
}

void carom_rattle_acts_count(struct carom_board *b, struct carom_state *state, size_t member)
{
    struct carom_board_acts *a = b->acts;
    if (a->known > 0 && a->kinds > 0)
        hear_lost(b);
    for (size_t i = 0; i < a->known; i++) {
        count(b, a->lost + 2 * a->kinds * i, a->size[i], false, state, member);
        for (size_t w = 0; w < a->nworks; w++)
            state->work[member] += a->work[w];
        count(b, a->lost + (2 * i + 1) * a->kinds, a->size[i], true, state, member);
    }
    carom_rattle_acts_forget(b);
}
