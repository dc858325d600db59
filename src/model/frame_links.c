/* Frames of contacts that no model lists: each side pushes the three velocities of one body, by the normal over its
 * mass. Impact laws see a frame like any other. */
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/frame_own.h"

enum { AXES = 3 };

enum carom_status carom_frame_links_open(struct carom_frame *frame, size_t room, struct carom_error *error)
{
    struct carom_frame_own *own = carom_memory_zeroed(1, sizeof *own);
    *frame = (struct carom_frame){.room = room, .own = own};
    if (own) {
        own->slots = own->breadth = AXES;
        carom_memory_together(CAROM_ROOM(own->side, 2 * room), CAROM_ROOM(own->slope, 2 * room * AXES),
                              CAROM_ROOM(own->answer, 2 * room * AXES), CAROM_ROOM(own->links, 1));
    }
    if (!own || !own->side || !carom_frame_arrays(frame)) {
        carom_frame_close(frame);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a set of %zu contacts", room);
    }
    struct carom_model *model = &own->links->model;
    *model = (struct carom_model){.nparts = 1, .member = &own->links->member, .nv = 2 * AXES * room};
    frame->model = model; /* as large as it may become, for those who look at it now */
    return CAROM_OK;
}

static void set_side(struct carom_frame_own *own, const struct carom_frame_link *link, size_t i, int s)
{
    struct carom_frame_side *side = &own->side[2 * i + (size_t)s];
    const bool moves = link->body[s] != CAROM_FRAME_FIXED;
    *side = (struct carom_frame_side){.part = moves ? 0 : 1, .sign = s ? 1.0 : -1.0};
    side->drift = s ? link->drift : 0.0;
    if (!moves)
        return;
    side->first = side->reach = AXES * link->body[s];
    side->count = side->width = AXES;
    for (size_t k = 0; k < AXES; k++) {
        own->slope[(2 * i + (size_t)s) * AXES + k] = link->normal[k];
        own->answer[(2 * i + (size_t)s) * AXES + k] = link->normal[k] * link->inverse[s];
    }
}

/* how an impulse of link k changes the rate of link i */
static double entry(const struct carom_frame_link *i, const struct carom_frame_link *k)
{
    double mass = 0.0;
    for (int s = 0; s < 2; s++)
        for (int r = 0; r < 2; r++)
            if (i->body[s] != CAROM_FRAME_FIXED && i->body[s] == k->body[r])
                mass += (s == r ? 1.0 : -1.0) * k->inverse[r];
    return mass == 0.0 ? 0.0 : mass * carom_vec_dot(i->normal, k->normal);
}

void carom_frame_links_set(struct carom_frame *frame, size_t bodies, const struct carom_frame_link *link, size_t n)
{
    struct carom_frame_own *own = frame->own;
    frame->n = n;
    own->links->model.nv = own->links->member.nv = AXES * bodies;
    for (size_t i = 0; i < n; i++) {
        frame->contact[i] = i;
        frame->gap[i] = link[i].gap;
        frame->drift[i] = link[i].drift;
        set_side(own, &link[i], i, 0);
        set_side(own, &link[i], i, 1);
        for (size_t k = 0; k < i; k++)
            frame->matrix[i * n + k] = frame->matrix[k * n + i] = entry(&link[i], &link[k]);
        frame->diagonal[i] = frame->matrix[i * n + i] = entry(&link[i], &link[i]);
    }
}
