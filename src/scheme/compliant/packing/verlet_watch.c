/* Which contacts a step of verlet looks at. Those that touch stand in a list of their block; of the others only those
 * are watched that bodies can bring to touch before the next choice, which is made when they may have come so far. What
 * is computed does not depend on it. */
#include <string.h>

#include "scheme/compliant/packing/verlet_bodies.h"

/* the distance from which on two balls are apart for certain: farther than gaps and squares are rounded by */
static inline double reach_of(const struct carom_verlet_bodies_work *w, const struct carom_verlet_contact *contact)
{
    const double sum = carom_verlet_shown(w, contact->a)->radius + carom_verlet_shown(w, contact->b)->radius;
    return sum + 1e-9 * (sum + w->bodies->far);
}

/* the square of their distance at the end of the drift */
static inline double square_of(const struct carom_verlet_bodies_work *w, size_t j)
{
    const struct carom_verlet_contact *contact = &w->contact[j];
    const double *ua = carom_verlet_shown(w, contact->a)->u, *ub = carom_verlet_shown(w, contact->b)->u;
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double now = w->centres[j].apart[k] + (ub[k] - ua[k]);
        square += now * now;
    }
    return square;
}

void carom_verlet_watch_place(struct carom_verlet_bodies_work *w, struct carom_verlet_block *block)
{
    block->n = block->watched = 0;
    for (size_t at = block->first; at < block->end; at++)
        if (w->live[w->member[at]] == CAROM_VERLET_OPEN)
            w->watch[block->first + block->watched++] = w->member[at];
        else
            w->list[block->first + block->n++] = w->member[at];
}

void carom_verlet_watch_way(struct carom_verlet_bodies_work *w)
{
    w->unseen -= 2.0 * w->way;
    w->looks = !(w->unseen > 0.0);
    if (w->looks)
        w->unseen = w->margin = fmin(w->search.skin, fmax(0.1 * w->search.skin, 50.0 * w->way));
}

/* those of the block that are open and nearer than the margin; walls always are */
static void choose(struct carom_verlet_bodies_work *w, struct carom_verlet_block *block)
{
    block->watched = 0;
    for (size_t at = block->first; at < block->end; at++) {
        const uint32_t j = w->member[at];
        const struct carom_verlet_contact *contact = &w->contact[j];
        if (w->live[j] != CAROM_VERLET_OPEN)
            continue;
        const double reach = carom_verlet_has_wall(w, j) ? 0.0 : reach_of(w, contact) + w->margin;
        w->watch[block->first + block->watched] = j;
        block->watched += carom_verlet_has_wall(w, j) || !(square_of(w, j) > reach * reach);
    }
}

/* contact j takes its place among those that touch */
static void enter(uint32_t *list, struct carom_verlet_block *block, uint32_t j)
{
    size_t at = block->n++;
    for (; at > 0 && list[at - 1] > j; at--)
        list[at] = list[at - 1];
    list[at] = j;
}

static void forget(const struct carom_contacts *c, size_t j)
{
    for (size_t i = c->nfixed; i < c->ncolumns; i++)
        if (c->own[i])
            c->column[i][j] = 0.0;
}

void carom_verlet_watch_drift(struct carom_verlet_bodies_work *w, const struct carom_state *from,
                              const struct carom_state *to, struct carom_verlet_block *block)
{
    const struct carom_contacts *c = to->contacts;
    uint32_t *watch = w->watch + block->first;
    size_t left = 0;
    for (size_t at = 0; at < block->watched; at++)
        if (w->live[watch[at]] == CAROM_VERLET_STALE) {
            forget(c, watch[at]);
            w->live[watch[at]] = CAROM_VERLET_OPEN;
        }
    if (w->looks)
        choose(w, block);
    for (size_t at = 0; at < block->watched; at++) {
        enum { LATER = 8, SOONER = 4 };
        const uint32_t j = watch[at];
        const struct carom_verlet_contact *contact = &w->contact[j];
        if (at + LATER < block->watched)
            __builtin_prefetch(&w->contact[watch[at + LATER]]);
        if (at + SOONER < block->watched)
            __builtin_prefetch(carom_verlet_shown(w, w->contact[watch[at + SOONER]].b));
        const double reach = reach_of(w, contact);
        watch[left++] = j;
        if ((!carom_verlet_has_wall(w, j) && square_of(w, j) > reach * reach) ||
            !carom_verlet_contacts_touch(w, c, j, to->q))
            continue;
        carom_verlet_contacts_begin(w, c, j, from->q);
        w->live[j] = CAROM_VERLET_CLOSED;
        enter(w->list + block->first, block, j);
        left--;
    }
    block->watched = left;
}

/* takes number j, if it is there, out of n, whose order stays */
static void leave(uint32_t *list, size_t *n, uint32_t j)
{
    size_t at = 0;
    while (at < *n && list[at] != j)
        at++;
    if (at < *n)
        memmove(list + at, list + at + 1, (--*n - at) * sizeof *list);
}

void carom_verlet_watch_change(struct carom_verlet_bodies_work *w, struct carom_contacts *other,
                               struct carom_verlet_block *block, uint32_t j, enum carom_verlet_live before)
{
    uint32_t *list = w->list + block->first, *watch = w->watch + block->first;
    const bool open = w->live[j] == CAROM_VERLET_OPEN;
    if (before == CAROM_VERLET_STALE && !open)
        forget(other, j);
    if (before != CAROM_VERLET_CLOSED && !open) {
        leave(watch, &block->watched, j);
        enter(list, block, j);
    } else if (before == CAROM_VERLET_CLOSED && open) {
        leave(list, &block->n, j);
        watch[block->watched++] = j;
    }
    if (open && before != CAROM_VERLET_OPEN)
        w->live[j] = CAROM_VERLET_STALE;
}

void carom_verlet_watch_retire(struct carom_verlet_bodies_work *w, struct carom_contacts *c,
                               struct carom_verlet_block *block)
{
    const size_t first = block->first;
    size_t left = 0;
    memset(block->lost, 0, sizeof block->lost);
    for (size_t at = 0; at < block->n; at++) {
        const uint32_t j = w->list[first + at];
        w->list[first + left++] = j;
        if (w->live[j] != CAROM_VERLET_ENDED)
            continue;
        left--;
        w->live[j] = CAROM_VERLET_STALE;
        w->watch[first + block->watched++] = j;
        if (!carom_list_is_empty(c, j))
            carom_list_end(c, &w->columns, j, block->lost);
    }
    block->n = left;
}
