/* Flights of a chain whose forces are weights, constant loads and local springs, in closed form. Beads joined by held
 * contacts move as one group, on a parabola or an oscillation; groups held at a wall stand still. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_ROW_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_ROW_H

#include "model/beads/chain.h"
#include "scheme/rigid/event_motion.h"

struct carom_event_work;
struct carom_state;

/* Beads that are pooled while the held contacts are looked for. */
struct carom_event_pool {
    size_t first; /* bead */
    double force, mass;
    double spring, size; /* springs and sizes of forces added up: for what rounding cannot tell apart */
};

struct carom_event_row {
    struct carom_chain chain;
    double length;                     /* U */
    double *load;                      /* n: weights and loads */
    double *force;                     /* n: at the start of the flight, springs too */
    double *doubt;                     /* n: accelerations of its group are not known better than this */
    struct carom_event_motion *motion; /* n: of each bead's group */
    double *lambda, *slope;            /* nc: force of a held contact is lambda - slope s */
    struct carom_event_pool *pool;     /* n + 1 */
};

/* Can the model's flights be worked out so? */
bool carom_event_row_fits(const struct carom_model *model);
enum carom_status carom_event_row_open(struct carom_event_row *row, const struct carom_model *model, double length,
                                       struct carom_error *error);
void carom_event_row_close(struct carom_event_row *row);

/* Which of the contacts at rest (w->at_rest) are held: 0 <= lambda _|_ y'' >= 0. A contact whose force
 * has just ended (w->released) has none. Sets modes, makes the
 * velocities of a group equal and books what that loses, fills w->bend. */
void carom_event_row_hold(struct carom_event_work *w, struct carom_state *state);

/* Groups, their motions and the forces of held contacts, from the modes in the state. */
void carom_event_row_prepare(struct carom_event_work *w, const struct carom_state *state);

/* The next event, at most `limit` ahead: when, and at which contact (nc: none). `part`: a held contact lets go;
 * `slides`: it breaks away or comes to a stop. */
struct carom_event_next {
    double time;
    size_t contact;
    bool part, slides;
};
struct carom_event_next carom_event_row_next(struct carom_event_work *w, const struct carom_state *state, double limit);

/* q, v, forces and works `t` after `from`; `to` may be a view. */
void carom_event_row_move(struct carom_event_work *w, const struct carom_state *from, double t, struct carom_state *to);

#endif
