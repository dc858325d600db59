/* The search for contacts, see search.h. Balls lie in cells as wide as the largest of them and the skin, which are kept
 * in a table by a hash of their coordinates, so that a body far away costs no more than one nearby. Walls are few and
 * are asked about every ball. Pairs are found with the smaller number first, so that the list needs no sorting but by
 * pairing. */
#include "model/bodies/search.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "model/bodies/joints.h"
#include "model/bodies/list.h"
#include "model/bodies/outside.h"
#include "model/bodies/shapes.h"

/* partners of one body that are kept before they are put in order; bodies that one thread searches around at a time */
enum { NEAR_ROOM = 4096, PART = 256, PARTS = CAROM_SEARCH_PARTS };

/* Bodies that others may meet anywhere lie in cells: balls, and boxes that meet all others; a container does not. */
static bool in_cells(const struct carom_bodies *b, size_t i)
{
    const struct carom_body *body = &b->body[i];
    return carom_bodies_round(body) || (b->shapes && carom_bodies_tumbles(body) && !body->inside);
}

enum carom_status carom_search_open(struct carom_search *s, const struct carom_bodies *bodies,
                                    struct carom_error *error)
{
    *s = (struct carom_search){.bodies = bodies, .skin = -1.0, .nbuckets = 64};
    while (s->nbuckets < 2 * bodies->n)
        s->nbuckets *= 2;
    for (size_t i = 0; i < bodies->n; i++) {
        s->nwalls += !carom_bodies_round(&bodies->body[i]);
        s->nlone += !in_cells(bodies, i);
    }
    const bool good = carom_memory_together(CAROM_ROOM(s->centre, bodies->n), CAROM_ROOM(s->lone, s->nlone),
                                            CAROM_ROOM(s->bucket, s->nbuckets + 1), CAROM_ROOM(s->ball, bodies->n),
                                            CAROM_ROOM(s->cell, bodies->n)) &&
                      carom_memory_widen(&s->wall, 0, s->nwalls, sizeof *s->wall) && /* a window widens these again */
                      carom_memory_widen(&s->turned, 0, s->nwalls, sizeof *s->turned) &&
                      carom_memory_widen(&s->farthest, 0, s->nwalls, sizeof *s->farthest);
    for (size_t i = 0, w = 0, l = 0; good && i < bodies->n; i++) {
        if (!carom_bodies_round(&bodies->body[i]))
            s->wall[w++] = (uint32_t)i;
        if (!in_cells(bodies, i))
            s->lone[l++] = (uint32_t)i;
    }
    if (good)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the search among %zu bodies", bodies->n);
}

/* what only the making of a list needs: given back, as it is as large as a fourteenth of all else */
static void clear_room(struct carom_search *s)
{
    carom_memory_free_all(s->found, s->sorted, s->from, s->column);
    s->found = s->sorted = NULL;
    s->from = NULL;
    s->column = NULL;
    s->room = 0;
}

void carom_search_close(struct carom_search *s)
{
    clear_room(s);
    carom_memory_free_all(s->centre, s->wall, s->turned, s->farthest, s->first, s->side);
    for (size_t i = 0; i < PARTS; i++)
        carom_memory_free(s->some[i].key);
    *s = (struct carom_search){0};
}

bool carom_search_holds(const struct carom_search *s, const double *q)
{
    return s->skin >= 0.0 && carom_search_way(s, q) <= 0.5 * s->skin;
}

/* --- cells ------------------------------------------------------------------------------------------------------- */

static uint32_t bucket_of(const struct carom_search *s, const int32_t c[3])
{
    const uint64_t hash = (uint64_t)(uint32_t)c[0] * 0x9e3779b97f4a7c15u ^
                          (uint64_t)(uint32_t)c[1] * 0xc2b2ae3d27d4eb4fu ^
                          (uint64_t)(uint32_t)c[2] * 0x165667b19e3779f9u;
    return (uint32_t)((hash ^ hash >> 32) & (s->nbuckets - 1));
}

static int32_t wrapped(int32_t c, int32_t whole)
{
    return whole > 0 ? (c % whole + whole) % whole : c;
}

static void choose_cells(struct carom_search *s)
{
    const struct carom_bodies *b = s->bodies;
    for (size_t k = 0; k < 3; k++) {
        const double length = b->high[k] - b->low[k], least = 2.0 * b->largest + s->skin;
        s->whole[k] = k < b->dimension && b->periodic[k] ? (int32_t)fmin(floor(length / least), 1e9) : 0;
        s->size[k] = s->whole[k] > 0 ? length / s->whole[k] : least;
    }
}

static void fill_cells(struct carom_search *s)
{
    const struct carom_bodies *b = s->bodies;
    memset(s->bucket, 0, (s->nbuckets + 1) * sizeof *s->bucket);
    for (size_t i = 0; i < b->n; i++) {
        for (size_t k = 0; k < 3; k++) {
            const double x = (s->centre[i][k] - (b->periodic[k] ? b->low[k] : 0.0)) / s->size[k];
            s->cell[i][k] = wrapped((int32_t)fmin(fmax(floor(x), -1e9), 1e9), s->whole[k]);
        }
        if (in_cells(b, i))
            s->bucket[bucket_of(s, s->cell[i]) + 1]++;
    }
    for (size_t i = 0; i < s->nbuckets; i++)
        s->bucket[i + 1] += s->bucket[i];
    for (size_t i = b->n; i-- > 0;) /* from the last one on, so that the starts end where they belong */
        if (in_cells(b, i))
            s->ball[--s->bucket[bucket_of(s, s->cell[i]) + 1]] = (uint32_t)i;
    memmove(s->bucket, s->bucket + 1, s->nbuckets * sizeof *s->bucket);
    s->bucket[s->nbuckets] = 0;
    for (size_t i = 0; i < b->n; i++)
        s->bucket[s->nbuckets] += in_cells(b, i);
}

/* --- pairs ------------------------------------------------------------------------------------------------------- */

static bool add(struct carom_search_found *some, struct carom_contact_key key)
{
    if (some->n == some->room) {
        const size_t room = some->room + some->room / 2 + 4 * PART;
        if (!carom_memory_widen(&some->key, some->room, room, sizeof *some->key))
            return false;
        some->room = room;
    }
    some->key[some->n++] = key;
    return true;
}

/* room for n contacts in all, at first for as many as the last list had */
bool carom_search_room(struct carom_search *s, size_t n)
{
    const size_t least = n + n / 4 + 1024, room = s->found || s->nlast < least ? least : s->nlast + s->nlast / 16;
    if (n <= s->room)
        return true;
    if (room > UINT32_MAX || !carom_memory_widen(&s->found, s->room, room, sizeof *s->found))
        return false;
    s->room = room;
    return true;
}

static uint32_t pairing_of(const struct carom_bodies *b, size_t i, size_t j)
{
    if (b->njoined > 0 && carom_joints_join(b, i, j))
        return CAROM_UNPAIRED;
    return b->meets[b->body[i].material * b->nmaterials + b->body[j].material];
}

/* a ball and a wall, in any order: all places where they are near */
static bool add_wall(const struct carom_search *s, size_t i, size_t j, const double *q, struct carom_search_found *some)
{
    const struct carom_bodies *b = s->bodies;
    struct carom_contact_key key = {pairing_of(b, i, j), (uint32_t)i, (uint32_t)j, 0};
    const bool shapes = carom_shapes_both(b, i, j), inside = b->body[i].inside || b->body[j].inside;
    const size_t features = !shapes ? carom_meet_features(&b->body[i], &b->body[j]) : inside ? 6 : 1;
    struct carom_meeting m;
    for (; key.pairing != CAROM_UNPAIRED && key.feature < features; key.feature++) {
        if (features == 6 && key.feature / 2 >= b->dimension)
            break;
        if (shapes)
            m.gap = carom_shapes_apart(b, &key, q);
        else
            carom_meet(b, &key, q, &m);
        if (m.gap < s->skin && !add(some, key))
            return false;
    }
    return true;
}

static bool are_near(const struct carom_search *s, size_t i, size_t j)
{
    const struct carom_bodies *b = s->bodies;
    const double reach = carom_bodies_reach(&b->body[i]) + carom_bodies_reach(&b->body[j]) + s->skin;
    double sum = 0.0;
    for (size_t k = 0; k < b->dimension; k++) {
        double d = s->centre[j][k] - s->centre[i][k];
        if (b->periodic[k])
            d -= (b->high[k] - b->low[k]) * nearbyint(d / (b->high[k] - b->low[k]));
        sum += d * d;
    }
    return sum < reach * reach;
}

/* balls with a larger number near ball i, in rising order; SIZE_MAX: more than there is room for */
static size_t balls_near(const struct carom_search *s, size_t i, uint32_t near[NEAR_ROOM])
{
    const struct carom_bodies *b = s->bodies;
    const int deep = b->dimension == 3 ? 1 : 0;
    size_t count = 0;
    for (int z = -deep; z <= deep; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                const int32_t c[3] = {wrapped(s->cell[i][0] + x, s->whole[0]), wrapped(s->cell[i][1] + y, s->whole[1]),
                                      wrapped(s->cell[i][2] + z, s->whole[2])};
                const uint32_t bucket = bucket_of(s, c);
                for (size_t at = s->bucket[bucket]; at < s->bucket[bucket + 1]; at++) {
                    const uint32_t j = s->ball[at];
                    if (j <= i || memcmp(s->cell[j], c, sizeof c) != 0 || !are_near(s, i, j))
                        continue;
                    if (count == NEAR_ROOM)
                        return SIZE_MAX;
                    size_t place = count++;
                    for (; place > 0 && near[place - 1] > j; place--)
                        near[place] = near[place - 1];
                    near[place] = j;
                }
            }
    return count;
}

/* all pairs of body i with bodies of larger numbers */
static enum carom_status find_pairs_of(const struct carom_search *s, size_t i, const double *q,
                                       struct carom_search_found *some)
{
    const struct carom_bodies *b = s->bodies;
    uint32_t near[NEAR_ROOM];
    bool good = true;
    if (!in_cells(b, i)) {
        for (size_t j = i + 1; j < b->n && good; j++)
            good =
                !in_cells(b, j) || carom_outside_is(b, i, q) || carom_outside_is(b, j, q) || add_wall(s, i, j, q, some);
        return good ? CAROM_OK : CAROM_E_MEMORY;
    }
    if (carom_outside_is(b, i, q))
        return CAROM_OK;
    const size_t count = balls_near(s, i, near);
    if (count == SIZE_MAX) {
        some->crowded = i;
        return CAROM_E_REFUSED;
    }
    size_t w = 0;
    while (w < s->nlone && s->lone[w] < i)
        w++;
    for (size_t at = 0; (at < count || w < s->nlone) && good;)
        if (w == s->nlone || (at < count && near[at] < s->lone[w])) {
            const struct carom_contact_key key = {pairing_of(b, i, near[at]), (uint32_t)i, near[at], 0};
            good = key.pairing == CAROM_UNPAIRED || (b->body[i].fixed && b->body[near[at]].fixed) ||
                   carom_outside_is(b, near[at], q) || add(some, key);
            at++;
        } else {
            good = carom_outside_is(b, s->lone[w], q) || add_wall(s, i, s->lone[w], q, some);
            w++;
        }
    return good ? CAROM_OK : CAROM_E_MEMORY;
}

struct look {
    struct carom_search *search;
    const double *q;
    size_t first, last; /* bodies */
};

static void look_around(void *own, size_t part)
{
    const struct look *look = own;
    struct carom_search_found *some = &look->search->some[part];
    const size_t first = look->first + part * PART;
    some->n = 0;
    some->status = CAROM_OK;
    for (size_t i = first; i < look->last && i < first + PART && some->status == CAROM_OK; i++)
        some->status = find_pairs_of(look->search, i, look->q, some);
}

/* pairs of bodies [first, last), by the number of their first body: many bodies at a time, what was found put together
 * in their order */
static enum carom_status find_some(struct carom_search *s, const double *q, size_t begin, size_t last, size_t *crowded)
{
    s->nfound = 0;
    for (size_t first = begin; first < last; first += PARTS * PART) {
        const size_t left = (last - first + PART - 1) / PART, parts = left < PARTS ? left : PARTS;
        carom_threads_run(s->threads, look_around, &(struct look){s, q, first, last}, parts);
        for (size_t i = 0; i < parts; i++) {
            const struct carom_search_found *some = &s->some[i];
            *crowded = some->crowded;
            if (some->status != CAROM_OK)
                return some->status;
            if (!carom_search_room(s, s->nfound + some->n))
                return CAROM_E_MEMORY;
            if (some->n > 0)
                memcpy(s->found + s->nfound, some->key, some->n * sizeof *some->key);
            s->nfound += some->n;
        }
    }
    return CAROM_OK;
}

/* all pairs */
static enum carom_status find_pairs(struct carom_search *s, const double *q, struct carom_error *error)
{
    const struct carom_search_share *share = &s->share;
    size_t crowded = 0;
    enum carom_status status =
        find_some(s, q, share->gather ? share->first : 0, share->gather ? share->last : s->bodies->n, &crowded);
    if (share->gather)
        status = share->gather(share->own, s, status, &crowded);
    if (status == CAROM_E_REFUSED)
        return carom_error_set(error, status,
                               "body %zu has more than %d others near it: radii differ too much, or bodies lie on top "
                               "of each other",
                               crowded + 1, (int)NEAR_ROOM);
    return status == CAROM_OK ? status : carom_error_set(error, status, "out of memory for contacts");
}

/* contacts found in order of their bodies, put in order of their keys; first: of each pairing */
static void sort_by_pairing(struct carom_search *s, size_t *first)
{
    const size_t npairings = s->bodies->npairings;
    for (size_t p = 0; p <= npairings; p++)
        first[p] = 0;
    for (size_t i = 0; i < s->nfound; i++)
        first[s->found[i].pairing + 1]++;
    for (size_t p = 0; p < npairings; p++)
        first[p + 1] += first[p];
    for (size_t i = 0; i < s->nfound && npairings > 1; i++)
        s->sorted[first[s->found[i].pairing]++] = s->found[i];
    for (size_t p = npairings; p > 0 && npairings > 1; p--)
        first[p] = first[p - 1];
    first[0] = 0;
}

/* where contacts stood in a list before */
static void match(struct carom_search *s, const struct carom_contacts *c, const struct carom_contact_key *key)
{
    size_t old = 0;
    for (size_t j = 0; j < s->nfound; j++) {
        while (old < c->n && carom_list_order(&c->key[old], &key[j]) < 0)
            old++;
        const bool stays = old < c->n && carom_list_order(&c->key[old], &key[j]) == 0;
        s->from[j] = stays ? (uint32_t)old : UINT32_MAX;
    }
}

/* takes the new keys over; contacts that stay keep their columns */
static bool take_over(struct carom_search *s, struct carom_contacts *c, const struct carom_contacts *like,
                      const size_t *first)
{
    const struct carom_contact_key *key = s->sorted ? s->sorted : s->found;
    if (!carom_list_renew(c, s->bodies, key, s->nfound, s->from, like, s->column))
        return false;
    for (size_t p = 0; p <= c->npairings; p++)
        c->first[p] = first[p];
    return true;
}

bool carom_search_index(struct carom_search *s, const struct carom_contacts *c)
{
    const size_t n = s->bodies->n;
    if (n + 1 > s->first_room) {
        if (!carom_memory_widen(&s->first, s->first_room, n + 1, sizeof *s->first))
            return false;
        s->first_room = n + 1;
    }
    if (2 * c->n > s->side_room) {
        const size_t room = 2 * c->n + c->n / 2;
        if (!carom_memory_widen(&s->side, s->side_room, room, sizeof *s->side))
            return false;
        s->side_room = room;
    }
    memset(s->first, 0, (n + 1) * sizeof *s->first);
    for (size_t j = 0; j < c->n; j++) {
        s->first[c->key[j].a + 1]++;
        s->first[c->key[j].b + 1]++;
    }
    for (size_t i = 0; i < n; i++)
        s->first[i + 1] += s->first[i];
    for (size_t j = 0; j < c->n; j++) {
        s->side[s->first[c->key[j].a]++] = 2 * (uint64_t)j;
        s->side[s->first[c->key[j].b]++] = 2 * (uint64_t)j + 1;
    }
    memmove(s->first + 1, s->first, n * sizeof *s->first);
    s->first[0] = 0;
    return true;
}

static void note_walls(struct carom_search *s, const double *q)
{
    const size_t nq = carom_bodies_nq(s->bodies), d = s->bodies->dimension;
    for (size_t w = 0; w < s->nwalls; w++) {
        const size_t i = s->wall[w];
        const struct carom_body *wall = &s->bodies->body[i];
        memcpy(s->turned[w], q + i * nq + d, (nq - 2 * d) * sizeof(double));
        s->farthest[w] = wall->inside ? 0.0 : carom_bodies_reach(wall);
        for (size_t j = 0; carom_search_way_sweeps(wall) && !(s->farthest[w] > 0.0) && j < s->bodies->n; j++)
            if (in_cells(s->bodies, j))
                s->farthest[w] = fmax(s->farthest[w], carom_search_way_between(s->centre[i], s->centre[j]));
    }
}

/* Bodies that hardly move need no more than a thin skin, which keeps the list short; those that move get one for some
 * two hundred steps, or a thousand where a list costs much. */
static double chosen_skin(const struct carom_search *s, double way)
{
    const double largest = s->bodies->largest, lasting = s->thickest > 0.0 ? 2000.0 : 400.0;
    return fmin(fmax(lasting * way, 0.05 * largest), fmax(0.2 * largest, s->thickest));
}

/* the lists become those of the pairs found; false: out of memory */
static bool take_all_over(struct carom_search *s, struct carom_contacts *const *lists, size_t nlists)
{
    const size_t npairings = s->bodies->npairings;
    size_t *first = carom_memory_zeroed(npairings + 1, sizeof *first);
    s->from = carom_memory_zeroed(s->nfound, sizeof *s->from);
    s->column = carom_memory_zeroed(s->nfound, sizeof *s->column);
    if (npairings > 1)
        s->sorted = carom_memory_zeroed(s->nfound, sizeof *s->sorted);
    bool good = first && s->from && s->column && (npairings < 2 || s->sorted);
    if (good)
        sort_by_pairing(s, first);
    const struct carom_contact_key *last = NULL; /* lists that stand on the same keys are matched once */
    for (size_t i = 0; i < nlists && good; i++) {
        if (i == 0 || lists[i]->key != last)
            match(s, lists[i], s->sorted ? s->sorted : s->found);
        last = lists[i]->key;
        good = take_over(s, lists[i], i > 0 ? lists[0] : NULL, first);
    }
    carom_memory_free(first);
    return good && (s->alone || carom_search_index(s, lists[0]));
}

enum carom_status carom_search_renew(struct carom_search *s, const double *q, double way,
                                     struct carom_contacts *const *lists, size_t nlists, struct carom_error *error)
{
    const struct carom_bodies *b = s->bodies;
    for (size_t i = 0; i < b->n; i++)
        carom_bodies_centre(b, i, q, s->centre[i]);
    note_walls(s, q);
    s->skin = fmax(b->skin > 0.0 ? b->skin : chosen_skin(s, way), 4.0 * way);
    for (size_t k = 0; k < b->dimension; k++) /* three cells at least, so that a pair meets through one image only */
        if (b->periodic[k])
            s->skin = fmin(s->skin, (b->high[k] - b->low[k]) / 3.0 - 2.0 * b->largest);
    choose_cells(s);
    fill_cells(s);
    enum carom_status status = find_pairs(s, q, error);
    if (status == CAROM_OK && !take_all_over(s, lists, nlists))
        status = carom_error_set(error, CAROM_E_MEMORY, "out of memory for contacts");
    if (status != CAROM_OK)
        s->skin = -1.0;
    s->nlast = s->nfound;
    clear_room(s);
    return status;
}
