/* Who may meet whom next: cells wide enough that only neighbours can, what each body waits for, and a heap of that.
 * Bodies that are left alone cost nothing; one that turns asks those in the cells around it. */
#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "scheme/rigid/event/event_bodies.h"
#include "solve/polynomial.h"

static bool is_ball(const struct carom_bodies *b, size_t i)
{
    return b->body[i].surface == CAROM_BALL && !b->body[i].inside;
}

enum carom_status carom_event_cells_open(struct carom_event_bodies *w, struct carom_error *error)
{
    struct carom_event_cells *c = &w->cells;
    const size_t n = w->bodies->n;
    c->nbuckets = 64;
    while (c->nbuckets < 2 * n)
        c->nbuckets *= 2;
    for (size_t i = 0; i < n; i++)
        c->nwalls += !is_ball(w->bodies, i);
    c->bucket = carom_memory_zeroed(c->nbuckets, sizeof *c->bucket);
    c->next = carom_memory_zeroed(n, sizeof *c->next);
    c->last = carom_memory_zeroed(n, sizeof *c->last);
    c->cell = carom_memory_zeroed(n, sizeof *c->cell);
    c->low = carom_memory_zeroed(n, sizeof *c->low);
    c->wall = carom_memory_zeroed(c->nwalls, sizeof *c->wall);
    w->ahead = carom_memory_zeroed(n, sizeof *w->ahead);
    w->heap = carom_memory_zeroed(n, sizeof *w->heap);
    w->place = carom_memory_zeroed(n, sizeof *w->place);
    if (!c->bucket || !c->next || !c->last || !c->cell || !c->low || !c->wall || !w->ahead || !w->heap || !w->place)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme event on %zu bodies", n);
    for (size_t i = 0, at = 0; i < n; i++)
        if (!is_ball(w->bodies, i))
            c->wall[at++] = (uint32_t)i;
    return CAROM_OK;
}

void carom_event_cells_close(struct carom_event_bodies *w)
{
    struct carom_event_cells *c = &w->cells;
    void *const all[] = {c->bucket, c->next, c->last, c->cell, c->low, c->wall, w->ahead, w->heap, w->place};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        carom_memory_free(all[i]);
    *c = (struct carom_event_cells){0};
}

/* --- cells ------------------------------------------------------------------------------------------------------- */

static size_t bucket_of(const struct carom_event_cells *s, const int32_t c[3])
{
    const uint64_t hash = (uint64_t)(uint32_t)c[0] * 0x9e3779b97f4a7c15u ^
                          (uint64_t)(uint32_t)c[1] * 0xc2b2ae3d27d4eb4fu ^
                          (uint64_t)(uint32_t)c[2] * 0x165667b19e3779f9u;
    return (size_t)(hash ^ hash >> 32) & (s->nbuckets - 1);
}

static int32_t wrapped(int32_t c, int32_t whole)
{
    return whole > 0 ? (c % whole + whole) % whole : c;
}

static void enter(struct carom_event_cells *c, size_t i)
{
    const size_t bucket = bucket_of(c, c->cell[i]);
    c->next[i] = c->bucket[bucket];
    c->last[i] = 0;
    if (c->next[i] != 0)
        c->last[c->next[i] - 1] = (uint32_t)i + 1;
    c->bucket[bucket] = (uint32_t)i + 1;
}

static void leave(struct carom_event_cells *c, size_t i)
{
    if (c->last[i] != 0)
        c->next[c->last[i] - 1] = c->next[i];
    else
        c->bucket[bucket_of(c, c->cell[i])] = c->next[i];
    if (c->next[i] != 0)
        c->last[c->next[i] - 1] = c->last[i];
}

enum { CROSSINGS = 100000 }; /* cells that the fastest ball may cross in a step: tiny fast ones would cross for ever */

static double farthest_way(const struct carom_event_bodies *w)
{
    const size_t nv = carom_bodies_nv(w->bodies);
    double fastest = 0.0;
    for (size_t i = 0; i < w->bodies->n; i++)
        for (size_t k = 0; k < w->bodies->dimension && is_ball(w->bodies, i); k++)
            fastest = fmax(fastest, fabs(w->state->v[i * nv + k]));
    return w->limit < HUGE_VAL ? fastest * w->limit : 0.0;
}

/* as wide as the largest ball and a little more, and so that a cell has about one body where they stand loosely */
static void choose_size(struct carom_event_bodies *w)
{
    const struct carom_bodies *b = w->bodies;
    struct carom_event_cells *c = &w->cells;
    double low[3] = {0.0}, high[3] = {0.0}, centre[3], volume = 1.0;
    size_t balls = 0;
    for (size_t i = 0; i < b->n; i++) {
        if (!is_ball(b, i))
            continue;
        carom_bodies_centre(b, i, w->state->q, centre);
        for (size_t k = 0; k < 3; k++) {
            low[k] = balls == 0 ? centre[k] : fmin(low[k], centre[k]);
            high[k] = balls == 0 ? centre[k] : fmax(high[k], centre[k]);
        }
        balls++;
    }
    const double least = fmax(2.001 * b->largest, farthest_way(w) / CROSSINGS);
    for (size_t k = 0; k < b->dimension; k++)
        volume *= fmax(high[k] - low[k], least);
    /* a power of two, since the last digit of a root depends on the machine */
    int exponent = 0;
    frexp(balls > 0 ? carom_power(volume / (double)balls, 1.0 / (double)b->dimension) : least, &exponent);
    const double loose = ldexp(1.0, exponent - 1);
    for (size_t k = 0; k < 3; k++) {
        const double length = b->high[k] - b->low[k], wish = fmax(least, loose);
        const bool joined = k < b->dimension && b->periodic[k];
        c->whole[k] = joined ? (int32_t)fmin(fmax(floor(length / wish), 3.0), 1e9) : 0;
        c->size[k] = joined ? length / c->whole[k] : wish;
    }
}

static void put(struct carom_event_bodies *w, size_t i)
{
    const struct carom_bodies *b = w->bodies;
    struct carom_event_cells *c = &w->cells;
    double centre[3];
    carom_bodies_centre(b, i, w->state->q, centre);
    for (size_t k = 0; k < 3; k++) {
        const double from = b->periodic[k] ? b->low[k] : 0.0;
        const double at = fmin(fmax(floor((centre[k] - from) / c->size[k]), -1e9), 1e9);
        c->cell[i][k] = wrapped((int32_t)at, c->whole[k]);
        c->low[i][k] = from + at * c->size[k];
    }
    enter(c, i);
}

bool carom_event_cells_around(struct carom_event_bodies *w, size_t i, carom_event_cells_call *call, void *own)
{
    const struct carom_event_cells *c = &w->cells;
    const int deep = w->bodies->dimension == 3 ? 1 : 0;
    for (int z = -deep; z <= deep; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                const int32_t cell[3] = {wrapped(c->cell[i][0] + x, c->whole[0]),
                                         wrapped(c->cell[i][1] + y, c->whole[1]),
                                         wrapped(c->cell[i][2] + z, c->whole[2])};
                for (uint32_t j = c->bucket[bucket_of(c, cell)]; j != 0; j = c->next[j - 1])
                    if (j - 1 != i && memcmp(c->cell[j - 1], cell, sizeof cell) == 0 && !call(w, i, j - 1, own))
                        return false;
            }
    return true;
}

/* --- the heap ---------------------------------------------------------------------------------------------------- */

static bool sooner(const struct carom_event_bodies *w, uint32_t i, uint32_t j)
{
    const double a = w->ahead[i].when, b = w->ahead[j].when;
    return a < b || (a == b && i < j);
}

static void set(struct carom_event_bodies *w, size_t at, uint32_t i)
{
    w->heap[at] = i;
    w->place[i] = (uint32_t)at;
}

static void sink(struct carom_event_bodies *w, size_t at)
{
    const size_t n = w->bodies->n;
    const uint32_t i = w->heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= n)
            break;
        child += child + 1 < n && sooner(w, w->heap[child + 1], w->heap[child]);
        if (!sooner(w, w->heap[child], i))
            break;
        set(w, at, w->heap[child]);
        at = child;
    }
    set(w, at, i);
}

static void rise(struct carom_event_bodies *w, size_t at)
{
    const uint32_t i = w->heap[at];
    while (at > 0 && sooner(w, i, w->heap[(at - 1) / 2])) {
        set(w, at, w->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    set(w, at, i);
}

size_t carom_event_cells_next(const struct carom_event_bodies *w)
{
    return w->bodies->n > 0 && w->ahead[w->heap[0]].when < HUGE_VAL ? w->heap[0] : w->bodies->n;
}

/* --- what bodies wait for ---------------------------------------------------------------------------------------- */

static bool can_meet(const struct carom_bodies *b, size_t i, size_t j, struct carom_contact_key *key)
{
    const size_t a = i < j ? i : j, c = i < j ? j : i;
    const uint32_t pairing = b->meets[b->body[a].material * b->nmaterials + b->body[c].material];
    *key = (struct carom_contact_key){pairing, (uint32_t)a, (uint32_t)c, 0};
    return pairing != CAROM_UNPAIRED && !(b->body[a].fixed && b->body[c].fixed);
}

static void wait_for(struct carom_event_bodies *w, size_t i, size_t j, const struct carom_contact_key *key)
{
    const double wait = carom_event_meet_wait(w, key);
    struct carom_event_ahead *ahead = &w->ahead[i];
    if (!(w->now + wait < ahead->when))
        return;
    *ahead = (struct carom_event_ahead){
        .when = w->now + wait, .kind = CAROM_AHEAD_MEET, .key = *key, .other = (uint32_t)j, .count = w->count[j]};
}

static bool wait_for_ball(struct carom_event_bodies *w, size_t i, size_t j, void *own)
{
    const bool all = *(const bool *)own;
    struct carom_contact_key key;
    if ((all || j > i) && can_meet(w->bodies, i, j, &key)) {
        carom_event_bodies_bring(w, j);
        wait_for(w, i, j, &key);
    }
    return true;
}

static void wait_for_walls(struct carom_event_bodies *w, size_t i)
{
    const struct carom_bodies *b = w->bodies;
    struct carom_contact_key key;
    for (size_t k = 0; k < w->cells.nwalls; k++) {
        const size_t wall = w->cells.wall[k];
        const size_t features = carom_meet_features(&b->body[i], &b->body[wall]);
        for (uint32_t f = 0; can_meet(b, i, wall, &key) && f < features; f++) {
            if (features == 6 && f / 2 >= b->dimension)
                break;
            key.feature = f;
            wait_for(w, i, wall, &key);
        }
    }
}

static void wait_for_cell(struct carom_event_bodies *w, size_t i)
{
    const struct carom_bodies *b = w->bodies;
    const struct carom_event_cells *c = &w->cells;
    double centre[3];
    carom_bodies_centre(b, i, w->state->q, centre);
    for (size_t k = 0; k < b->dimension; k++) {
        const double v = w->state->v[i * carom_bodies_nv(b) + k], a = 0.5 * w->acceleration[3 * i + k];
        for (int way = -1; way <= 1; way += 2) {
            const double side = way < 0 ? centre[k] - c->low[i][k] : c->low[i][k] + c->size[k] - centre[k];
            const double room[3] = {fmax(side, 0.0), -way * v, -way * a};
            const double when = w->now + carom_polynomial_below(room, 2, w->limit - w->now);
            if (when < w->ahead[i].when)
                w->ahead[i] =
                    (struct carom_event_ahead){.when = when, .kind = CAROM_AHEAD_CELL, .axis = (int)k, .way = way};
        }
    }
}

static void look(struct carom_event_bodies *w, size_t i, bool all)
{
    w->ahead[i] = (struct carom_event_ahead){.when = HUGE_VAL};
    if (!is_ball(w->bodies, i))
        return;
    carom_event_bodies_bring(w, i);
    carom_event_cells_around(w, i, wait_for_ball, &all);
    if (w->bodies->body[i].fixed)
        return;
    wait_for_walls(w, i);
    wait_for_cell(w, i);
}

void carom_event_cells_predict(struct carom_event_bodies *w, size_t i, bool all)
{
    const double before = w->ahead[i].when;
    look(w, i, all);
    if (w->ahead[i].when < before)
        rise(w, w->place[i]);
    else
        sink(w, w->place[i]);
}

void carom_event_cells_fill(struct carom_event_bodies *w)
{
    const size_t n = w->bodies->n;
    choose_size(w);
    memset(w->cells.bucket, 0, w->cells.nbuckets * sizeof *w->cells.bucket);
    for (size_t i = 0; i < n; i++)
        if (is_ball(w->bodies, i))
            put(w, i);
    for (size_t i = 0; i < n; i++) {
        look(w, i, false);
        set(w, i, (uint32_t)i);
    }
    for (size_t i = n / 2; i-- > 0;)
        sink(w, i);
}

void carom_event_cells_cross(struct carom_event_bodies *w, size_t i)
{
    struct carom_event_cells *c = &w->cells;
    const int k = w->ahead[i].axis, way = w->ahead[i].way;
    leave(c, i);
    c->cell[i][k] = wrapped(c->cell[i][k] + way, c->whole[k]);
    c->low[i][k] += way * c->size[k];
    enter(c, i);
}
