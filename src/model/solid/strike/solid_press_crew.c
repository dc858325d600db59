/* Threads that compare two surfaces together. Each takes some rims at a time, with a room of its own for what it works
 * out on the way; what they find is told in the order of rims. */
#include <stdatomic.h>

#include "base/memory.h"
#include "base/threads.h"
#include "model/solid/strike/solid_press_room.h"

enum { RIMS = 16 }; /* taken at a time */

/* What was found on so many rims. */
struct find {
    size_t first, n; /* in `press` */
};

struct carom_press_crew {
    struct carom_threads *threads;
    struct carom_press *press; /* of pieces in their order, with gaps */
    struct find *find;         /* by times */
    size_t pieces, times;      /* there is room for */
};

struct carom_press_crew *carom_solid_press_crew_create(struct carom_threads *threads)
{
    struct carom_press_crew *crew = carom_threads_count(threads) > 1 ? carom_memory_zeroed(1, sizeof *crew) : NULL;
    if (crew)
        crew->threads = threads;
    return crew;
}

void carom_solid_press_crew_free(struct carom_press_crew *crew)
{
    if (crew)
        carom_memory_free_all(crew->press, crew->find);
    carom_memory_free(crew);
}

/* one search at work */
struct work {
    struct carom_press_crew *crew;
    const struct carom_solid_strike *strike;
    const struct carom_press_search *search;
    const uint32_t *rim;
    size_t n;
    atomic_size_t next;
};

static size_t times_of(size_t n)
{
    return (n + RIMS - 1) / RIMS;
}

static size_t rims_of(size_t n, size_t time)
{
    return n - time * RIMS < RIMS ? n - time * RIMS : RIMS;
}

struct keeping {
    struct carom_press *press;
    size_t n;
};

static void keep(void *own, const struct carom_press *press)
{
    struct keeping *k = own;
    k->press[k->n++] = *press;
}

static void work_at(struct work *w, const struct carom_press_search *search)
{
    struct find *find = w->crew->find;
    for (size_t i = atomic_fetch_add(&w->next, 1); i < times_of(w->n); i = atomic_fetch_add(&w->next, 1)) {
        struct keeping k = {w->crew->press + find[i].first, 0};
        carom_solid_press_near(search, w->rim + i * RIMS, rims_of(w->n, i), keep, &k);
        find[i].n = k.n;
    }
}

static void member(void *own, size_t number)
{
    struct work *w = own;
    struct carom_press_search search = *w->search;
    if (number == 0) { /* in the room in which the search was begun */
        work_at(w, &search);
        return;
    }
    struct carom_press_room *room = carom_solid_press_room_take(w->strike);
    carom_solid_press_room_follow(&room->side[0], search.from);
    carom_solid_press_room_follow(&room->side[1], search.to);
    search.from = &room->side[0];
    search.to = &room->side[1];
    search.near = room->near;
    work_at(w, &search);
    carom_solid_press_room_give(w->strike, room);
}

/* each piece may be found once */
static bool make_room(struct carom_press_crew *crew, const struct carom_solid_skin *skin, const uint32_t *rim, size_t n)
{
    const size_t times = times_of(n);
    size_t pieces = 0;
    if (times > crew->times) {
        carom_memory_free(crew->find);
        crew->find = carom_memory_zeroed(times + times / 4, sizeof *crew->find);
        crew->times = crew->find ? times + times / 4 : 0;
        if (!crew->find)
            return false;
    }
    for (size_t r = 0; r < n; r++) {
        if (r % RIMS == 0)
            crew->find[r / RIMS] = (struct find){pieces, 0};
        pieces += skin->rim[rim[r]].count;
    }
    if (pieces > crew->pieces) {
        carom_memory_free(crew->press);
        crew->press = carom_memory_zeroed(pieces + pieces / 4, sizeof *crew->press);
        crew->pieces = crew->press ? pieces + pieces / 4 : 0;
    }
    return crew->press != NULL;
}

void carom_solid_press_crew_search(struct carom_press_crew *crew, const struct carom_solid_strike *strike,
                                   const struct carom_press_search *search, const uint32_t *rim, size_t n,
                                   carom_press_take *take, void *own)
{
    const size_t times = times_of(n);
    if (!crew || times < 2 || !make_room(crew, search->from->body->skin, rim, n)) {
        for (size_t i = 0; i < times; i++)
            carom_solid_press_near(search, rim + i * RIMS, rims_of(n, i), take, own);
        return;
    }
    struct work work = {crew, strike, search, rim, n, 0};
    size_t members = carom_threads_count(crew->threads);
    members = members < times ? members : times;
    carom_threads_run(crew->threads, member, &work, members < CAROM_PRESS_ROOMS ? members : CAROM_PRESS_ROOMS);
    for (size_t i = 0; i < times; i++)
        for (size_t j = 0; j < crew->find[i].n; j++)
            take(own, &crew->press[crew->find[i].first + j]);
}
