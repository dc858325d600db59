/* Bodies that nothing has reached are asleep: those at rest without any acceleration, as long as all that may touch
 * them rest as well. A step of dp5 is then taken by a guest, the same scheme on the bodies that move and on some rings
 * of neighbours around them. If the outermost ring was not moved in any stage, those behind it were not either, and the
 * step is the same to the bit as if all had been stepped; else it is taken again with more rings. What sleeps costs
 * nothing. */
#ifndef CAROM_SCHEME_COMPLIANT_BODIES_WINDOW_H
#define CAROM_SCHEME_COMPLIANT_BODIES_WINDOW_H

#include "scheme/compliant/dp5.h"
#include "scheme/compliant/dp5_bodies.h"

struct carom_bodies_window {
    bool open;                /* are only some bodies stepped now? */
    size_t wait;              /* steps until that is tried again, or chosen anew */
    size_t rings;             /* of neighbours around what moves */
    struct carom_bodies some; /* the bodies awake, with their loads */
    struct carom_member member;
    struct carom_model model; /* of those bodies */
    struct carom_dp5_options options;
    struct carom_stepper guest;
    struct carom_state *state, *view; /* of the guest */
    size_t room, nwalls;              /* bodies there is room for; walls among all bodies */
    uint32_t *number;                 /* some.n, rising: which of all bodies each is */
    unsigned char *ring;              /* how many contacts away it is from what moves */
    uint32_t *place;                  /* of all bodies: where it stands among those awake, or UINT32_MAX */
    uint32_t *queue;                  /* of all bodies: scratch */
    uint32_t *contact;                /* contacts awake, rising: which of all each is */
    size_t ncontacts, contact_room;
};

/* Nothing where there are too few bodies for it, or where it is not wanted. */
enum carom_status carom_bodies_window_open(struct carom_stepper *stepper, struct carom_error *error);
void carom_bodies_window_close(struct carom_dp5_bodies *work);

/* Everybody is awake; after so many steps, one at least, it is looked who may sleep. */
void carom_bodies_window_reset(struct carom_dp5_bodies *work, size_t wait);

/* One step, of whoever is awake. */
enum carom_status carom_bodies_window_step(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                           struct carom_error *error);

/* Dense output of a step of the guest, in a view that holds all bodies somewhere in that step. */
void carom_bodies_window_dense(struct carom_stepper *stepper, double t, struct carom_state *view);

#endif
