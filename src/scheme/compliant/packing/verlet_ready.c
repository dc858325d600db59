/* What a step of verlet for bodies begins with: the list of those that may touch, and their contacts at the state. */
#include <string.h>

#include "base/threads.h"
#include "scheme/compliant/packing/verlet_ranks.h"
#include "scheme/stepper.h"

/* columns of the list, or blocks of contacts, which threads share out */
struct sweep {
    struct carom_verlet_bodies_work *w;
    const struct carom_state *state;
    struct carom_contacts *other; /* the list that the next step writes */
};

size_t carom_verlet_ready_wrong(const struct carom_verlet_bodies_work *w, size_t n)
{
    for (size_t i = 0; i < carom_verlet_blocks(w); i++)
        if (w->block[i].wrong < n)
            return w->block[i].wrong;
    return n;
}

enum carom_status carom_verlet_ready_collided(const struct carom_contacts *c, size_t j, double t,
                                              struct carom_error *error)
{
    return carom_error_set(
        error, CAROM_E_NUMERIC,
        "bodies %u and %u have run into each other at t = %g: the step is too long, or their contact too soft",
        (unsigned)c->key[j].a + 1, (unsigned)c->key[j].b + 1, t);
}

enum carom_status carom_verlet_ready_around(struct carom_stepper *stepper, struct carom_state *state, double way,
                                            struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    struct carom_contacts *lists[2] = {state->contacts, stepper->before->contacts};
    w->ready = w->presented = false;
    carom_verlet_room_free(w); /* all of it is worked out anew, and a list under way needs room beside the old one */
    if (stepper->before->contacts->n != state->contacts->n)
        carom_list_copy(stepper->before->contacts, state->contacts);
    w->search.share = carom_verlet_ranks_told_search(w->ranks);
    const enum carom_status status = carom_search_renew(&w->search, state->q, way, lists, 2, error);
    if (status != CAROM_OK)
        return status;
    carom_verlet_moves_leave(w, state->q);
    w->spare = 0.5 * w->search.skin;
    if (w->ranks)
        carom_verlet_ranks_balance(w->ranks, state);
    const bool good = carom_verlet_room_reserve(w, state->contacts->n) &&
                      carom_verlet_guests_place(w, state->contacts) &&
                      (!w->ranks || carom_verlet_ranks_place(w->ranks, state));
    return good ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme verlet");
}

static void carry_column(void *own, size_t i)
{
    const struct sweep *s = own;
    carom_verlet_contacts_carry(s->w, s->state->contacts, s->other, s->state->contacts->nfixed + i);
}

static void place_block(void *own, size_t block)
{
    const struct sweep *s = own;
    carom_verlet_contacts_place(s->w, s->state, block);
}

/* all contacts at the state */
static enum carom_status place(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    const struct carom_contacts *c = state->contacts;
    struct sweep sweep = {w, state, stepper->before->contacts};
    carom_threads_run(stepper->threads, carry_column, &sweep, c->ncolumns - c->nfixed);
    w->extras = carom_verlet_contacts_extra(w, c);
    carom_threads_run(stepper->threads, place_block, &sweep, carom_verlet_blocks(w));
    if (w->ranks)
        carom_verlet_ranks_told_placed(w->ranks);
    w->unseen = 0.0; /* all are watched, until the first choice */
    const size_t wrong = carom_verlet_ready_wrong(w, c->n);
    return wrong < c->n ? carom_verlet_ready_collided(c, wrong, state->time, error) : CAROM_OK;
}

static void place_anew(void *own, size_t block)
{
    const struct sweep *s = own;
    carom_verlet_contacts_anew(s->w, s->state, s->other, block);
}

void carom_verlet_ready_anchor(struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    struct sweep sweep = {w, state, stepper->before->contacts};
    bool any = false;
    for (size_t block = 0; block < carom_verlet_blocks(w); block++)
        for (size_t i = block * CAROM_VERLET_BODIES; w->part[block].far && i < carom_verlet_block_end(w, block); i++) {
            if (!carom_bodies_anchor_one(w->bodies, i, state->q))
                continue;
            carom_verlet_moves_show(w, state, i);
            w->anew[i] = any = true;
        }
    if (!any)
        return;
    carom_threads_run(stepper->threads, place_anew, &sweep, carom_verlet_blocks(w));
    memset(w->anew, 0, w->bodies->n * sizeof *w->anew);
}

enum carom_status carom_verlet_ready_prepare(struct carom_stepper *stepper, struct carom_state *state,
                                             struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    const bool known = w->ready && w->step == state->step && w->time == state->time;
    if (!known)
        w->spare = -1.0; /* nobody knows how far bodies have come */
    if (!known && (w->search.skin < 0.0 || w->step != state->step || w->time != state->time ||
                   !carom_search_holds(&w->search, state->q))) {
        const enum carom_status status = carom_verlet_ready_around(stepper, state, 0.0, error);
        if (status != CAROM_OK)
            return status;
    }
    if (!known) {
        w->presented = false;
        const enum carom_status status = place(stepper, state, error);
        if (status != CAROM_OK)
            return status;
    }
    w->ready = true;
    w->step = state->step;
    w->time = state->time;
    return CAROM_OK;
}
