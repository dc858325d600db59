/* Friction of moreau-adaptive in space: contacts slip in a plane, and friction acts against the slip there is in the
 * middle of a step. Slips and frictions of contacts are vectors of space, three numbers each, where those of the plane
 * are one (w->wide says which). */
#ifndef CAROM_SCHEME_RIGID_ADAPTIVE_ADAPTIVE_CONE_H
#define CAROM_SCHEME_RIGID_ADAPTIVE_ADAPTIVE_CONE_H

#include "base/vec.h"
#include "scheme/rigid/adaptive/adaptive.h"

/* The length of a tangential vector. */
static inline double carom_adaptive_cone_length(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* How fast contact j slips, and how large its friction is. */
static inline double carom_adaptive_cone_size(const struct carom_adaptive *w, const double *x, size_t j)
{
    return w->wide == 1 ? fabs(x[j]) : carom_vec_norm(x + 3 * j);
}

/* Slips of the contacts whose gaps are in w->gap, of those that touch. */
void carom_adaptive_cone_look(struct carom_adaptive *w, const double *q, const double *v);

/* Which way slipping contacts slip at a place where leaps or steps begin, for w->toward: one that has just begun to
 * goes along `ways` (3 a contact), and is young until its slip says more than errors do. */
void carom_adaptive_cone_begin(struct carom_adaptive *w, const double *q, const double *v, const double *ways);

/* Until called with NULL: friction is against the slips that there are at q and v, as forces of that moment have it. */
void carom_adaptive_cone_fix(struct carom_adaptive *w, const double *q, const double *v);

/* How far contact j, whose slip is in w->slip, is from a stop, or a young one from being so no longer. */
double carom_adaptive_cone_left(const struct carom_adaptive *w, size_t j);

/* Has contact j stopped? */
bool carom_adaptive_cone_stopped(const struct carom_adaptive *w, size_t j);

/* Did contact j begin to slip a moment ago, in space? Then it slips still. */
bool carom_adaptive_cone_young(const struct carom_adaptive *w, size_t j);

/* Impulses of the frame's contacts, beyond those in moreau.rigid.impulse and moreau.friction.impulse, that make rates b
 * and slips vanish where modes have it: w->normal_more and w->along_more. With friction that of slipping contacts is
 * against their slips in the middle of a step, in friction.after, which change by half of what impulses change slips;
 * else none. */
void carom_adaptive_cone_hold(struct carom_adaptive *w, const double *b, const double *slips, bool friction);

/* What carom_adaptive_turn_modes asks, its accelerations in rigid.b and friction.freely: w->mode, and the ways in which
 * slips begin in w->begins. `fastest`: the largest velocity. */
enum carom_status carom_adaptive_cone_modes(struct carom_stepper *stepper, double t, double fastest,
                                            struct carom_error *error);

/* The contact that breaks away does, though by a hair's breadth it would not. */
void carom_adaptive_cone_break(struct carom_adaptive *w, size_t j);

#endif
