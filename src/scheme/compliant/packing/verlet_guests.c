/* Who adds up what in a step of verlet. Contacts belong to the block of their first ball, and what they give is added
 * up inside their block, contact after contact in the order of keys: to bodies of the block itself and, for bodies of
 * other blocks, to guests that stand for them there. Bodies then collect what their guests were given, block after
 * block. So one thread works on a block without asking another; the order of all sums is the same for any number of
 * threads, and neither do they depend on the skin, since open pairs give nothing. Along a curve that fills space, as
 * packings are numbered, there are 0.6 guests a sphere; keeping what every contact gives and gathering it body by body
 * cost 0.4 of a step. */
#include <string.h>

#include "base/lane.h"
#include "base/memory.h"
#include "scheme/compliant/packing/verlet_ranks.h"

static inline size_t block_of(size_t body)
{
    return body / CAROM_VERLET_BODIES;
}

/* walls have contacts everywhere */
size_t carom_verlet_guests_owner(const struct carom_verlet_bodies_work *w, const struct carom_contact_key *key)
{
    const struct carom_body *a = &w->bodies->body[key->a];
    return block_of(a->surface == CAROM_BALL && !a->inside ? key->a : key->b);
}

/* do others work on contacts of a key, and this process does not? */
static bool is_theirs(const struct carom_verlet_bodies_work *w, const struct carom_contact_key *key)
{
    return w->ranks && !carom_verlet_ranks_work_on(w->ranks, key);
}

/* contacts by blocks, in the order of keys */
static void share_out(struct carom_verlet_bodies_work *w, const struct carom_contacts *c)
{
    const size_t blocks = carom_verlet_blocks(w);
    for (size_t i = 0; i < blocks; i++)
        w->block[i].end = 0;
    for (size_t j = 0; j < c->n; j++)
        w->block[carom_verlet_guests_owner(w, &c->key[j])].end += !is_theirs(w, &c->key[j]);
    for (size_t i = 0, first = 0; i < blocks; i++) {
        const size_t count = w->block[i].end;
        w->block[i].first = w->block[i].end = first;
        first += count;
    }
    for (size_t j = 0; j < c->n; j++)
        if (!is_theirs(w, &c->key[j]))
            w->member[w->block[carom_verlet_guests_owner(w, &c->key[j])].end++] = (uint32_t)j;
}

/* for one more guest */
static bool make_room(struct carom_verlet_bodies_work *w)
{
    const size_t n = w->bodies->n, nv = carom_bodies_nv(w->bodies), room = w->guest_room + w->guest_room / 4 + 64;
    if (w->guests < w->guest_room)
        return true;
    if (n + room > UINT32_MAX / CAROM_VERLET_SHOWN) /* contacts could not say where they give */
        return false;
    if (!carom_memory_widen(&w->guest, n + w->guest_room, n + room, sizeof *w->guest) ||
        !carom_memory_widen(&w->visit, w->guest_room, room, sizeof *w->visit) ||
        !carom_memory_widen(&w->force, (n + w->guest_room) * nv, (n + room) * nv, sizeof *w->force))
        return false;
    w->guest_room = room;
    return true;
}

/* where a contact of a block, whose guests begin with number `first`, gives to a body; SIZE_MAX: out of memory */
static size_t place_of(struct carom_verlet_bodies_work *w, size_t block, size_t first, uint32_t body)
{
    const size_t n = w->bodies->n;
    if (block_of(body) == block)
        return carom_verlet_room_of(w, body);
    w->forward &= block_of(body) > block;
    if (w->guest[body] != UINT32_MAX && w->guest[body] >= n + first)
        return w->guest[body];
    if (!make_room(w))
        return SIZE_MAX;
    w->guest[body] = (uint32_t)(n + w->guests);
    w->guest[n + w->guests] = body;
    return n + w->guests++;
}

/* guests by the blocks of the bodies that they stand for, the first ones first */
static void note_visits(struct carom_verlet_bodies_work *w)
{
    const size_t n = w->bodies->n, blocks = carom_verlet_blocks(w);
    for (size_t i = 0; i < blocks; i++)
        w->block[i].visit_end = 0;
    for (size_t g = 0; g < w->guests; g++)
        w->block[block_of(w->guest[n + g])].visit_end++;
    for (size_t i = 0, first = 0; i < blocks; i++) {
        const size_t count = w->block[i].visit_end;
        w->block[i].visit = w->block[i].visit_end = first;
        first += count;
    }
    for (size_t g = 0; g < w->guests; g++) {
        const uint32_t body = w->guest[n + g];
        w->visit[w->block[block_of(body)].visit_end++] = (struct carom_verlet_visit){(uint32_t)(n + g), body};
    }
}

bool carom_verlet_guests_place(struct carom_verlet_bodies_work *w, const struct carom_contacts *c)
{
    const size_t n = w->bodies->n, nv = carom_bodies_nv(w->bodies);
    share_out(w, c);
    w->guests = 0;
    w->forward = true;
    memset(w->guest, 0xff, n * sizeof *w->guest);
    for (size_t i = 0; i < carom_verlet_blocks(w); i++) {
        const size_t first = w->guests;
        for (size_t at = w->block[i].first; at < w->block[i].end; at++) {
            const struct carom_contact_key *key = &c->key[w->member[at]];
            const size_t on_a = place_of(w, i, first, key->a), on_b = place_of(w, i, first, key->b);
            if (on_a == SIZE_MAX || on_b == SIZE_MAX)
                return false;
            w->contact[w->member[at]].on[0] = (uint32_t)(on_a * nv);
            w->contact[w->member[at]].on[1] = (uint32_t)(on_b * nv);
        }
    }
    note_visits(w);
    return true;
}

/* What is needed soon is called for, as it lies where other blocks have left it. `nv` is known to the compiler. (By
 * bodies, each with a chain of its guests, a step took 3 to 5 % longer: most have none, one or two, and no
 * processor guesses which.) */
static inline void take_back(struct carom_verlet_bodies_work *w, const struct carom_verlet_block *block, size_t nv)
{
    enum { AHEAD = 16 };
    const carom_lane_duo none = {0.0, 0.0};
    for (size_t at = block->visit; at < block->visit_end; at++) {
        double *to = w->force + carom_verlet_room_of(w, w->visit[at].body) * nv,
               *from = w->force + w->visit[at].guest * nv;
        if (at + AHEAD < block->visit_end) {
            const double *soon = w->force + w->visit[at + AHEAD].guest * nv;
            __builtin_prefetch(soon, 1);
            __builtin_prefetch(soon + nv - 1, 1);
        }
        for (size_t k = 0; k + 1 < nv; k += 2) {
            carom_lane_duo_onto(to + k, carom_lane_duo_load(from + k));
            carom_lane_duo_store(from + k, none);
        }
        if (nv % 2 == 1) {
            to[nv - 1] += from[nv - 1];
            from[nv - 1] = 0.0;
        }
    }
}

void carom_verlet_guests_return(struct carom_verlet_bodies_work *w, size_t block)
{
    if (w->bodies->dimension == 2)
        take_back(w, &w->block[block], 3);
    else
        take_back(w, &w->block[block], 6);
}
