/* Contacts that have something to remember, found by their key; and how the list of a state has them. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scheme/rigid/event/event_bodies.h"

void carom_event_bonds_close(struct carom_event_bonds *b)
{
    carom_memory_free_all(b->bond, b->slot);
    *b = (struct carom_event_bonds){0};
}

static size_t home(const struct carom_event_bonds *b, const struct carom_contact_key *key)
{
    const uint64_t hash = ((uint64_t)key->a << 32 | key->b) * 0x9e3779b97f4a7c15u ^ key->feature * 0xc2b2ae3d27d4eb4fu;
    return (size_t)(hash ^ hash >> 32) & (b->nslots - 1);
}

static bool same(const struct carom_contact_key *x, const struct carom_contact_key *y)
{
    return x->a == y->a && x->b == y->b && x->feature == y->feature;
}

/* the slot of a key, or the empty one where it would be */
static size_t slot_of(const struct carom_event_bonds *b, const struct carom_contact_key *key)
{
    size_t at = home(b, key);
    while (b->slot[at] != 0 && !same(&b->bond[b->slot[at] - 1].key, key))
        at = (at + 1) & (b->nslots - 1);
    return at;
}

struct carom_event_bond *carom_event_bonds_find(const struct carom_event_bonds *b, const struct carom_contact_key *key)
{
    const uint32_t at = b->n > 0 ? b->slot[slot_of(b, key)] : 0;
    return at != 0 ? &b->bond[at - 1] : NULL;
}

static bool reserve(struct carom_event_bonds *b, size_t n)
{
    if (n <= b->room)
        return true;
    const size_t room = 2 * n + 30;
    size_t nslots = 64;
    while (nslots <= 2 * room)
        nslots *= 2;
    uint32_t *slot = NULL;
    if (!carom_memory_widen(&b->bond, b->room, room, sizeof *b->bond) ||
        !(slot = carom_memory_zeroed(nslots, sizeof *slot)))
        return false;
    carom_memory_free(b->slot);
    b->slot = slot;
    b->nslots = nslots;
    b->room = room;
    for (size_t i = 0; i < b->n; i++)
        b->slot[slot_of(b, &b->bond[i].key)] = (uint32_t)i + 1;
    return true;
}

/* an empty slot must not cut off those behind it that belong before it */
static void forget(struct carom_event_bonds *b, size_t at)
{
    const size_t mask = b->nslots - 1, gone = b->slot[at] - 1;
    for (size_t next = (at + 1) & mask; b->slot[next] != 0; next = (next + 1) & mask) {
        const size_t wants = home(b, &b->bond[b->slot[next] - 1].key);
        if (((next - wants) & mask) < ((next - at) & mask))
            continue;
        b->slot[at] = b->slot[next];
        at = next;
    }
    b->slot[at] = 0;
    if (gone + 1 < b->n) {
        b->bond[gone] = b->bond[b->n - 1];
        for (size_t slot = home(b, &b->bond[gone].key);; slot = (slot + 1) & mask)
            if (b->slot[slot] == b->n) {
                b->slot[slot] = (uint32_t)gone + 1;
                break;
            }
    }
    b->n--;
}

static bool is_empty(const struct carom_event_bond *bond)
{
    bool empty = bond->mode == CAROM_EVENT_FREE;
    for (int i = 0; i < CAROM_RIGID_KEEPS; i++)
        empty = empty && bond->keeps[i] == 0.0;
    return empty;
}

bool carom_event_bonds_put(struct carom_event_bonds *b, const struct carom_event_bond *bond)
{
    if (!reserve(b, b->n + 1))
        return false;
    const size_t at = slot_of(b, &bond->key);
    if (is_empty(bond)) {
        if (b->slot[at] != 0)
            forget(b, at);
        return true;
    }
    if (b->slot[at] == 0)
        b->slot[at] = (uint32_t)++b->n;
    b->bond[b->slot[at] - 1] = *bond;
    return true;
}

bool carom_event_bonds_read(struct carom_event_bonds *b, const struct carom_bodies *bodies,
                            const struct carom_contacts *list)
{
    const struct carom_columns columns = carom_list_columns(bodies);
    b->n = 0;
    if (!reserve(b, list->n + 1))
        return false;
    memset(b->slot, 0, b->nslots * sizeof *b->slot);
    for (size_t j = 0; j < list->n; j++) {
        struct carom_event_bond bond = {.key = list->key[j], .mode = list->column[columns.phase][j]};
        for (size_t i = 0; i < CAROM_RIGID_KEEPS; i++)
            bond.keeps[i] = list->column[columns.history + i][j];
        carom_event_bonds_put(b, &bond);
    }
    return true;
}

static int in_order(const void *a, const void *b)
{
    return carom_list_order(&((const struct carom_event_bond *)a)->key, &((const struct carom_event_bond *)b)->key);
}

bool carom_event_bonds_write(struct carom_event_bonds *b, const struct carom_bodies *bodies,
                             struct carom_contacts *list)
{
    const struct carom_columns columns = carom_list_columns(bodies);
    if (!carom_list_reserve(list, b->n))
        return false;
    if (b->n > 1)
        qsort(b->bond, b->n, sizeof *b->bond, in_order);
    if (b->nslots > 0)
        memset(b->slot, 0, b->nslots * sizeof *b->slot);
    memset(list->first, 0, (list->npairings + 1) * sizeof *list->first);
    list->n = b->n;
    for (size_t j = 0; j < b->n; j++) {
        b->slot[slot_of(b, &b->bond[j].key)] = (uint32_t)j + 1;
        list->key[j] = b->bond[j].key;
        list->first[list->key[j].pairing + 1]++;
        for (size_t i = columns.history; i < columns.end; i++)
            list->column[i][j] = 0.0;
        list->column[columns.phase][j] = b->bond[j].mode;
        for (size_t i = 0; i < CAROM_RIGID_KEEPS; i++)
            list->column[columns.history + i][j] = b->bond[j].keeps[i];
        carom_list_bear(list, bodies, j);
    }
    for (size_t p = 0; p < list->npairings; p++)
        list->first[p + 1] += list->first[p];
    return true;
}
