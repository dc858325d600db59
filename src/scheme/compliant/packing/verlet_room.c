/* Room for the contacts of verlet for bodies. */
#include <string.h>

#include "base/memory.h"
#include "scheme/compliant/packing/verlet_bodies.h"

/* the arrays and what one contact takes of them */
struct array {
    void **at;
    size_t size;
};

enum { OWN = 11, ARRAYS = OWN + CAROM_WAYS };

/* arrays that the model does without have size 0 */
static void arrays_of(struct carom_verlet_bodies_work *w, struct array all[ARRAYS])
{
    const struct array own[OWN] = {
        {(void **)&w->contact, sizeof *w->contact},
        {(void **)&w->centres, sizeof *w->centres},
        {(void **)&w->start, w->start_width * sizeof *w->start},
        {(void **)&w->live, sizeof *w->live},
        {(void **)&w->in_lanes, sizeof *w->in_lanes},
        {(void **)&w->law, w->apart ? sizeof *w->law : 0},
        {(void **)&w->member, sizeof *w->member},
        {(void **)&w->list, sizeof *w->list},
        {(void **)&w->watch, sizeof *w->watch},
        {(void **)&w->arm, w->search.nwalls > 0 ? sizeof *w->arm : 0},
        {(void **)&w->push, w->bodies && w->bodies->nleads > 0 ? sizeof *w->push : 0},
    };
    memcpy(all, own, sizeof own);
    for (size_t way = 0; way < CAROM_WAYS; way++)
        all[OWN + way] =
            (struct array){(void **)&w->tangent[way], way == CAROM_SLIDES ? 0 : w->columns.width[way] * sizeof(double)};
}

bool carom_verlet_room_reserve(struct carom_verlet_bodies_work *w, size_t n)
{
    struct array all[ARRAYS];
    if (n <= w->contacts && w->contact)
        return true;
    const size_t room = n + n / 128 + 16;
    arrays_of(w, all);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (all[i].size > 0 && !carom_memory_widen(all[i].at, w->contacts, room, all[i].size))
            return false;
    }
    w->contacts = room;
    return true;
}

void carom_verlet_room_free(struct carom_verlet_bodies_work *w)
{
    struct array all[ARRAYS];
    arrays_of(w, all);
    for (size_t i = 0; i < ARRAYS; i++) {
        carom_memory_free(*all[i].at);
        *all[i].at = NULL;
    }
    w->contacts = 0;
}
