/* Verlet for bodies whose contacts come and go, shared by ranks: each moves the bodies of blocks that follow each
 * other in their numbering, which goes along a curve that fills space, dealt out anew with every list, and works on
 * all contacts that push one of them; those between bodies of two ranks are worked on by both, so that nobody has to
 * be told of forces. Twice a step ranks tell each other of the bodies of such contacts, and all of what their blocks
 * have found; where the list of contacts has to be made anew, all come to know the whole state, and each makes the
 * same list. What a body is given is added up in the order of one process, so that the bits are the same. Every rank
 * has all bodies in memory. Rank 0 leads: it says which steps are taken, works on all contacts of bodies that are led
 * and hears of those that carry loads, whose work it adds up, and has the whole state at the end of a call; so probes,
 * ledger, files and checkpoints are those of one process. */
#include <string.h>

#include "base/memory.h"
#include "model/bodies/list.h"
#include "scheme/compliant/packing/verlet_ranks_share.h"

enum { STEPS, BEFORE, END };

/* what rank 0 says to all */
struct order {
    int kind;
    bool fresh;
    struct carom_bound bound;
    double time, time_low;
    uint64_t step;
    size_t remembered; /* numbers of contacts with something to remember */
};

/* --- setting up --------------------------------------------------------------------------------------------------- */

static void free_all(struct carom_verlet_ranks *r)
{
    carom_memory_free_all(r->block, r->contact, r->packed, r->out.body, r->out.row, r->in.body, r->in.row);
    carom_state_free(r->saved);
    carom_memory_free(r);
}

static bool make_room(struct carom_verlet_ranks *r, const struct carom_verlet_bodies_work *w)
{
    const size_t blocks = carom_verlet_blocks(w);
    r->words = (r->count + 63) / 64;
    r->saved = r->own == 0 ? carom_state_create(r->stepper->model, r->stepper->before->nmemory) : NULL;
    return (r->saved || r->own > 0) &&
           carom_memory_together(CAROM_ROOM(r->block, r->count + 1), CAROM_ROOM(r->out.first, r->count + 1),
                                 CAROM_ROOM(r->in.first, r->count + 1), CAROM_ROOM(r->first, r->count + 1),
                                 CAROM_ROOM(r->load, blocks), CAROM_ROOM(r->mover, blocks),
                                 CAROM_ROOM(r->speed, blocks), CAROM_ROOM(r->found, blocks),
                                 CAROM_ROOM(r->asks, w->bodies->n * r->words), CAROM_ROOM(r->number, r->count),
                                 CAROM_ROOM(r->piece, 6 * r->count));
}

struct carom_verlet_ranks *carom_verlet_ranks_create(struct carom_ranks *ranks, struct carom_stepper *stepper,
                                                     struct carom_error *error)
{
    const struct carom_verlet_bodies_work *w = stepper->work;
    struct carom_verlet_ranks *r = carom_memory_zeroed(1, sizeof *r);
    if (r) {
        *r = (struct carom_verlet_ranks){.ranks = ranks, .stepper = stepper, .fresh = true};
        r->count = carom_rank_count(ranks);
        r->own = carom_rank_own(ranks);
    }
    if (!r || !make_room(r, w)) {
        if (r)
            free_all(r);
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for the parts that ranks share");
        return NULL;
    }
    carom_verlet_ranks_balance(r, NULL);
    return r;
}

/* What a step takes, in nanoseconds of some processor: a body, a pair of the list, and what a pair takes besides if it
 * touches. */
enum { BODY_TAKES = 20, PAIR_TAKES = 3, TOUCH_TAKES = 60 };

/* Work of blocks; returns that of all. How many contacts of a block touch its rank has told after the last step, or
 * says the state, if all have it. */
static size_t weigh(struct carom_verlet_ranks *r, const struct carom_state *state)
{
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    const struct carom_contacts *c = state ? state->contacts : NULL;
    size_t all = 0;
    for (size_t b = 0; b < carom_verlet_blocks(w); b++) {
        r->load[b] = BODY_TAKES * (carom_verlet_block_end(w, b) - b * CAROM_VERLET_BODIES);
        if (c && r->told)
            r->load[b] += TOUCH_TAKES * (size_t)r->found[b][CAROM_VERLET_TOLD_TOUCHING];
    }
    for (size_t j = 0; c && j < c->n; j++) {
        struct carom_meeting m;
        size_t *load = &r->load[carom_verlet_guests_owner(w, &c->key[j])];
        *load += PAIR_TAKES;
        if (!r->told && (!carom_meet(w->bodies, &c->key[j], state->q, &m) || m.gap < 0.0))
            *load += TOUCH_TAKES;
    }
    for (size_t b = 0; b < carom_verlet_blocks(w); b++)
        all += r->load[b];
    return all;
}

/* A block goes to the rank into whose part of all work its middle falls. */
void carom_verlet_ranks_balance(struct carom_verlet_ranks *r, const struct carom_state *state)
{
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    const size_t blocks = carom_verlet_blocks(w), all = weigh(r, state);
    size_t rank = 0, done = 0;
    for (size_t b = 0; b < blocks; done += r->load[b++]) {
        while (rank + 1 < r->count && (2 * done + r->load[b]) * r->count >= 2 * all * (rank + 1))
            r->block[++rank] = b;
        r->mover[b] = (uint32_t)rank;
    }
    while (rank < r->count)
        r->block[++rank] = blocks;
}

void carom_verlet_ranks_blocks(const struct carom_verlet_bodies_work *w, size_t *from, size_t *to)
{
    const struct carom_verlet_ranks *r = w->ranks;
    *from = r ? r->block[r->own] : 0;
    *to = r ? r->block[r->own + 1] : carom_verlet_blocks(w);
}

bool carom_verlet_ranks_lost(const struct carom_verlet_ranks *r)
{
    return r && r->lost;
}

/* --- who works on what -------------------------------------------------------------------------------------------- */

/* ranks that work on contacts of a key, some perhaps twice; returns how many */
static size_t workers(const struct carom_verlet_ranks *r, const struct carom_contact_key *key, size_t rank[4])
{
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    const struct carom_body *a = &w->bodies->body[key->a], *b = &w->bodies->body[key->b];
    size_t count = 0;
    rank[count++] = r->mover[carom_verlet_guests_owner(w, key)];
    if (!a->fixed)
        rank[count++] = carom_verlet_ranks_mover(r, key->a);
    if (!b->fixed)
        rank[count++] = carom_verlet_ranks_mover(r, key->b);
    if (a->lead >= 0 || b->lead >= 0)
        rank[count++] = 0;
    return count;
}

bool carom_verlet_ranks_work_on(const struct carom_verlet_ranks *r, const struct carom_contact_key *key)
{
    size_t rank[4];
    bool mine = false;
    for (size_t i = workers(r, key, rank); i-- > 0;)
        mine |= rank[i] == r->own;
    return mine;
}

/* a rank must be told of a body that another one moves */
static void ask_for(struct carom_verlet_ranks *r, size_t rank, size_t body)
{
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    if (!w->bodies->body[body].fixed && carom_verlet_ranks_mover(r, body) != rank)
        r->asks[body * r->words + rank / 64] |= (uint64_t)1 << rank % 64;
}

static void ask_for_all(struct carom_verlet_ranks *r, const struct carom_contacts *c)
{
    const struct carom_bodies *b = ((const struct carom_verlet_bodies_work *)r->stepper->work)->bodies;
    size_t rank[4];
    memset(r->asks, 0, b->n * r->words * sizeof *r->asks);
    for (size_t j = 0; j < c->n; j++)
        for (size_t i = workers(r, &c->key[j], rank); i-- > 0;) {
            ask_for(r, rank[i], c->key[j].a);
            ask_for(r, rank[i], c->key[j].b);
        }
    for (size_t j = 0; j < b->nloads; j++)
        ask_for(r, 0, b->load[j].body);
}

/* bodies that rank `from` tells rank `to` of: counted, and noted if there is room */
static size_t list_tour(const struct carom_verlet_ranks *r, size_t from, size_t to, uint32_t *body)
{
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    size_t count = 0;
    for (size_t i = carom_verlet_ranks_first(r, w, from); i < carom_verlet_ranks_end(r, w, from) && from != to; i++)
        if (r->asks[i * r->words + to / 64] >> to % 64 & 1) {
            if (body)
                body[count] = (uint32_t)i;
            count++;
        }
    return count;
}

static bool make_tour(struct carom_verlet_ranks *r, struct carom_verlet_tour *tour, bool comes)
{
    const struct carom_bodies *b = ((const struct carom_verlet_bodies_work *)r->stepper->work)->bodies;
    const size_t own = r->own, width = carom_bodies_nq(b) + 2 * carom_bodies_nv(b);
    for (size_t k = 0; k < r->count; k++)
        tour->first[k + 1] = tour->first[k] + list_tour(r, comes ? k : own, comes ? own : k, NULL);
    if (tour->first[r->count] > tour->room) {
        const size_t room = tour->first[r->count] + tour->first[r->count] / 4 + 64;
        carom_memory_free_all(tour->body, tour->row);
        tour->body = carom_memory_zeroed(room, sizeof *tour->body);
        tour->row = carom_memory_zeroed(room * width, sizeof *tour->row);
        tour->room = tour->body && tour->row ? room : 0;
        if (tour->room == 0)
            return false;
    }
    for (size_t k = 0; k < r->count && tour->room > 0; k++)
        list_tour(r, comes ? k : own, comes ? own : k, tour->body + tour->first[k]);
    return true;
}

/* contacts by ranks */
static bool share_out(struct carom_verlet_ranks *r, const struct carom_contacts *c)
{
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    const size_t room = c->n + c->n / 16 + 64;
    r->columns = 0;
    for (size_t i = c->nfixed; i < c->ncolumns; i++)
        r->columns += c->own[i];
    if (c->n > r->contacts) {
        carom_memory_free_all(r->contact, r->packed);
        r->contact = carom_memory_zeroed(room, sizeof *r->contact);
        r->packed = carom_memory_zeroed(room * (c->ncolumns - c->nfixed), sizeof *r->packed);
        r->contacts = r->contact && r->packed ? room : 0;
        if (r->contacts == 0)
            return false;
    }
    memset(r->first, 0, (r->count + 1) * sizeof *r->first);
    for (size_t j = 0; j < c->n; j++)
        r->first[r->mover[carom_verlet_guests_owner(w, &c->key[j])]]++;
    for (size_t k = 0, first = 0; k <= r->count; k++) {
        const size_t count = r->first[k];
        r->first[k] = first;
        first += count;
    }
    for (size_t j = 0; j < c->n; j++)
        r->contact[r->first[r->mover[carom_verlet_guests_owner(w, &c->key[j])]]++] = (uint32_t)j;
    memmove(r->first + 1, r->first, r->count * sizeof *r->first);
    r->first[0] = 0;
    return true;
}

/* both blocks of the state begin alike, since steps write the own part of one and what others tell; contacts see all
 * bodies as they are; and what was given to bodies of others, which nobody asks for, is forgotten */
static void show_all(struct carom_verlet_ranks *r, const struct carom_state *state)
{
    struct carom_verlet_bodies_work *w = r->stepper->work;
    struct carom_state *before = r->stepper->before;
    memcpy(before->q, state->q, state->nq * sizeof(double));
    memcpy(before->v, state->v, state->nv * sizeof(double));
    for (size_t i = 0; i < w->bodies->n; i++)
        carom_verlet_moves_show(w, state, i);
    w->clear = false;
}

bool carom_verlet_ranks_place(struct carom_verlet_ranks *r, const struct carom_state *state)
{
    ask_for_all(r, state->contacts);
    show_all(r, state);
    return make_tour(r, &r->out, false) && make_tour(r, &r->in, true) && share_out(r, state->contacts);
}

/* --- a call ------------------------------------------------------------------------------------------------------- */

/* contacts with something to remember, from rank 0 to all */
static bool hand_contacts(struct carom_verlet_ranks *r, struct carom_state *state, size_t count)
{
    const struct carom_verlet_bodies_work *w = r->stepper->work;
    double *row = carom_memory_zeroed(count, sizeof *row);
    bool good = row != NULL;
    if (good && r->own == 0)
        carom_list_pack(state->contacts, row);
    if (good)
        carom_rank_broadcast(r->ranks, row, count * sizeof *row);
    if (good && r->own > 0) {
        good = carom_list_unpack(state->contacts, w->bodies, row, count);
        carom_list_copy(r->stepper->before->contacts, state->contacts);
    }
    carom_memory_free(row);
    return good;
}

/* All ranks have the state; where it is another one than they had, they make their list anew. */
static bool begin(struct carom_verlet_ranks *r, const struct order *order, struct carom_state *state)
{
    struct carom_verlet_bodies_work *w = r->stepper->work;
    state->time = order->time;
    state->time_low = order->time_low;
    state->step = order->step;
    w->ranks = r;
    if (!order->fresh)
        return true;
    w->ready = r->told = false;
    w->search.skin = -1.0;
    carom_rank_broadcast(r->ranks, state->data, state->n * sizeof(double));
    return hand_contacts(r, state, order->remembered);
}

/* Errors that all ranks have made alike are told by rank 0; others are one's own. */
static bool is_own(enum carom_status status)
{
    return status == CAROM_E_MEMORY || status == CAROM_E_STOPPED;
}

static enum carom_status take_steps(struct carom_verlet_ranks *r, const struct order *order, struct carom_state *state,
                                    carom_verlet_steps *steps, struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = r->stepper->work;
    enum carom_status status = begin(r, order, state) ? CAROM_OK : CAROM_E_MEMORY;
    if (status == CAROM_OK)
        status = steps(r->stepper, state, &order->bound, error);
    else
        carom_error_set(error, status, "out of memory for what ranks share");
    if (!is_own(status))
        carom_verlet_ranks_told_gather(r, state, false);
    r->pending = status == CAROM_OK && state->step > order->step + 1; /* the start of the first was whole */
    if (r->pending && order->bound.watch && r->stepper->switched) {   /* who asks for events looks there */
        carom_verlet_ranks_told_gather(r, r->stepper->before, false);
        r->pending = false;
    }
    w->ranks = NULL;
    if (!r->lost && !is_own(status))
        return status;
    carom_rank_give_up(r->ranks);
    return status == CAROM_E_MEMORY
               ? status
               : carom_error_set(error, CAROM_E_STOPPED, "a rank does not answer: it has ended, or its machine");
}

enum carom_status carom_verlet_ranks_steps(struct carom_verlet_ranks *r, struct carom_state *state,
                                           const struct carom_bound *bound, carom_verlet_steps *steps,
                                           struct carom_error *error)
{
    const struct carom_counts counts = r->stepper->counts;
    struct order order = {.kind = STEPS, .fresh = r->fresh, .bound = *bound};
    order.time = state->time;
    order.time_low = state->time_low;
    order.step = state->step;
    order.remembered = r->fresh ? carom_list_count(state->contacts) : 0;
    r->kept = false;
    carom_rank_broadcast(r->ranks, &order, sizeof order);
    const enum carom_status status = take_steps(r, &order, state, steps, error);
    r->fresh = status != CAROM_OK;
    if (is_own(status)) { /* back to the start of the call: steps that fail have gone back to theirs */
        if (r->kept || state->step > order.step)
            carom_state_copy(state, r->kept ? r->saved : r->stepper->before);
        carom_state_copy(r->stepper->before, state);
        r->stepper->counts = counts;
    }
    return status;
}

void carom_verlet_ranks_keep(struct carom_verlet_ranks *r)
{
    r->kept = true;
    if (r->own == 0)
        carom_state_copy(r->saved, r->stepper->before);
}

void carom_verlet_ranks_anew(struct carom_verlet_ranks *r)
{
    r->fresh = true;
    r->pending = false;
}

void carom_verlet_ranks_follow(struct carom_verlet_ranks *r, struct carom_stepper *stepper)
{
    r->stepper = stepper;
    carom_verlet_ranks_anew(r);
}

void carom_verlet_ranks_before(struct carom_verlet_ranks *r, struct carom_state *before)
{
    struct order order = {.kind = BEFORE};
    if (!r->pending)
        return;
    carom_rank_broadcast(r->ranks, &order, sizeof order);
    carom_verlet_ranks_told_gather(r, before, false);
    r->pending = false;
}

enum carom_status carom_verlet_ranks_serve(struct carom_verlet_ranks *r, carom_verlet_steps *steps,
                                           struct carom_error *error)
{
    struct carom_state *state = carom_state_create(r->stepper->model, r->stepper->before->nmemory);
    struct order order = {.kind = STEPS};
    enum carom_status status = CAROM_OK;
    if (!state) {
        carom_rank_give_up(r->ranks);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a state");
    }
    while (!is_own(status) && order.kind != END) {
        carom_rank_broadcast(r->ranks, &order, sizeof order);
        if (order.kind == STEPS)
            status = take_steps(r, &order, state, steps, error);
        else if (order.kind == BEFORE)
            carom_verlet_ranks_told_gather(r, r->stepper->before, false);
    }
    carom_state_free(state);
    return status;
}

void carom_verlet_ranks_free(struct carom_verlet_ranks *r)
{
    struct order order = {.kind = END};
    if (!r)
        return;
    if (r->own == 0 && !carom_rank_given_up(r->ranks))
        carom_rank_broadcast(r->ranks, &order, sizeof order);
    free_all(r);
}
