/* Contacts of plain rows, whose beads feel nothing but their neighbours and a weight, looked at as little as can be.
 * While the force f = e + T e' of a contact, e its spring's and T the time by which its damper follows, rises, nothing
 * has to be known of it: where e grows with the overlap d, and the steeper the deeper, f rises wherever d + T d'
 * does and is no larger than e at that overlap. So overlaps at three looks tell the few contacts whose force may just
 * have been the largest, and laws are asked for these alone (model/peak_force.h), when nothing larger has come.
 * Impulses are those that momenta of beads tell: what has passed through a contact is what has passed through one on
 * its left, less what beads between have kept. */
#ifndef CAROM_SIM_SWINGS_SWINGS_H
#define CAROM_SIM_SWINGS_SWINGS_H

#include "carom/sim.h"
#include "model/beads/chain.h"
#include "sim/between/course.h"
#include "sim/between/events.h"
#include "sim/between/impulses.h"

/* What a look keeps of the row: beads in the scheme's own variables, if it can tell velocities out of these. */
struct carom_swings_copy {
    struct carom_state state; /* q, v and the head of the memory */
    uint64_t number;          /* of the look, from 1; 0: there was none */
    size_t from, to;          /* contacts among these have been looked at */
    bool smooth;              /* has no contact closed or opened for some contact times? */
    bool calm;                /* nor since shortly before the look that came before it? */
    double time;
};

/* A swing of contact j that may be the largest, by looks at it, the oldest one, if it is any good, first. Its force may
 * have turned before its overlap did: there is one look more, then, and the last four are a window of their own. */
enum { CAROM_SWINGS_WINDOW = 4, CAROM_SWINGS_LOOKS };

struct carom_swings_put_off {
    uint32_t j, before; /* the place of an earlier swing of it, that may be as large, from 1; 0: there is none */
    uint32_t nwindows;
    bool wide[2]; /* by windows: is the course one through more than two of them? */
    bool old[2];  /* and through the oldest? */
    double high;  /* no d + T d' is larger */
    double time[CAROM_SWINGS_LOOKS];
};

/* What contacts of two beads each are asked at a look. q: the bead on the left of the first, the one on its right
 * stands after it; before, middle: overlaps at both looks before; rise, above: as in struct glance. */
struct carom_swings_question {
    const double *q, *gap, *before, *middle, *deep;
    double *now; /* overlaps, to be filled */
    double rise, above;
};

struct carom_swings {
    bool on;    /* is the row plain? Else everything here is empty */
    bool leaps; /* may looks stand so far apart that cubics between them are not enough (course.h)? */
    uint64_t turned_at,
        smooth_from; /* the last step in which a contact has closed or opened; leaps begin at this one */
    double follows;  /* the longest time by which dampers follow springs */
    struct carom_chain chain;
    struct carom_sim *sim;
    struct carom_swings_copy looked[4];
    struct carom_swings_copy *copy[3]; /* by looks */
    struct carom_swings_copy *past;    /* of the look before them */
    struct carom_state then;           /* room for a copy of the past */
    struct carom_swings_put_off *put_off;
    size_t nput_off, room;
    bool derived;    /* are velocities not those of copies, but made of beads around? */
    size_t width;    /* of what is kept of a look at a swing: overlap and rate, or what these are made of */
    double *kept;    /* room swings: that of their looks */
    uint32_t *place; /* n: of a contact's last swing among them, from 1; 0: it has none */
    double *block;
    double *start;          /* of each bead: momentum when nothing had passed through any contact */
    double *deep;           /* n: overlap at which the spring's force is known not to be larger than the peak so far */
    uint64_t looks, *told;  /* so far; n: those of which rates and times at a contact have been told */
    unsigned char *pending; /* n: is it to be looked at closer, whatever its rates tell? */
    size_t npending;
    size_t (*pass)(const struct carom_swings_question *, size_t n, size_t *list); /* in wide registers, or NULL */
    double wall; /* what has passed through the contact with the wall on the left, the only one that is integrated */
    double wall_follows; /* the time by which its damper does */
    double wall_hertz;   /* the stiffness of its spring if that is Hertz's; 0: it is not */
    struct carom_swings_stretch {
        bool on;
        double h, force[3]; /* time between looks, and the spring's forces at the last ones */
    } stretch;              /* of evenly spaced looks at that contact, see swings_lean.c */
};

/* The beads [first, last) on both sides of contacts [from, to), and so many more. */
static inline void carom_swings_beads(const struct carom_swings *s, size_t from, size_t to, size_t more, size_t *first,
                                      size_t *last)
{
    const size_t before = s->chain.shift + more, after = to + 1 + more - s->chain.shift;
    *first = from > before ? from - before : 0;
    *last = after < s->chain.n ? after : s->chain.n;
}

/* The overlap of contact j; walls of plain rows do not move. */
static inline double carom_swings_overlap(const struct carom_swings *s, const double *q, size_t j)
{
    const struct carom_chain *c = &s->chain;
    const size_t i = j - c->shift; /* the bead on the left */
    if (c->left_wall && j == 0)
        return -q[0] - c->gap[j];
    return (c->right_wall && j + 1 == c->nc ? q[i] : q[i] - q[i + 1]) - c->gap[j];
}

/* Its rate, by velocities of beads. */
static inline double carom_swings_speed(const struct carom_swings *s, const double *v, size_t j)
{
    const struct carom_chain *c = &s->chain;
    const size_t i = j - c->shift;
    if (c->left_wall && j == 0)
        return -v[0];
    return c->right_wall && j + 1 == c->nc ? v[i] : v[i] - v[i + 1];
}

/* Are more than cubics between the last looks, none of which but the last one has a closing or opening behind it? */
static inline bool carom_swings_wide(const struct carom_swings *s)
{
    return s->leaps && s->copy[0]->smooth && s->copy[1]->smooth;
}

/* Have no contacts closed or opened of late between the last three looks, so that a course may go through all? */
static inline bool carom_swings_through(const struct carom_swings *s)
{
    return carom_swings_wide(s) || (s->copy[1]->calm && s->copy[2]->calm);
}

/* Are rate and time of look i at contact j not told yet? */
static inline bool carom_swings_due(const struct carom_swings *s, size_t i, size_t j)
{
    return s->copy[i]->number > s->told[j];
}

/* Is the look before the last three, and the first of these, as good for contact j? */
static inline bool carom_swings_old(const struct carom_swings *s, size_t j)
{
    return s->leaps && s->past->smooth && s->copy[0]->smooth && j >= s->past->from && j < s->past->to;
}

/* The overlap of contact j and its rate, out of a copy, as a look of the past. */
struct carom_course_past carom_swings_past(const struct carom_swings *swings, const struct carom_state *copy,
                                           double time, size_t j);

/* The look before the last three at contact j, or NULL. */
const struct carom_course_past *carom_swings_before(const struct carom_swings *swings, size_t j,
                                                    struct carom_course_past *room);

/* For a sim with sums that are open and a view of its start. */
enum carom_status carom_swings_open(struct carom_swings *swings, const struct carom_impulses *sums,
                                    struct carom_sim *sim, struct carom_error *error);
void carom_swings_close(struct carom_swings *swings);

/* Contact j is under way from now on: looks so far are not its own. */
static inline void carom_swings_begin(struct carom_swings *s, size_t j)
{
    if (s->on)
        s->told[j] = s->looks;
}

/* Contact j begins with look i at it, which may be the one with the largest force. */
void carom_swings_note_begin(struct carom_swings *swings, const struct carom_impulses *sums,
                             struct carom_peak_force *peak, size_t j, size_t i);

/* Another look at a state, of which contacts [from, to) will be asked for. */
void carom_swings_turn(struct carom_swings *swings, const struct carom_state *state, bool calm, size_t from, size_t to);

/* Fills overlaps of the last look at contacts [from, to), a block at most, all of them closed by what was known, and
 * tells those that have to be looked at closer now; looks at others that may have been the largest are kept for
 * later. */
size_t carom_swings_look(struct carom_swings *swings, struct carom_impulses *sums, struct carom_peak_force *peak,
                         size_t from, size_t to, size_t *list);

/* Fills rates and times of the last three looks at contact j; or at all that are closed. */
void carom_swings_tell(struct carom_swings *swings, const struct carom_peak_force *peak, size_t j);
void carom_swings_tell_all(struct carom_swings *swings, const struct carom_peak_force *peak,
                           const unsigned char *closed);

/* Overlap and rate of contact j as the sim is now. */
double carom_swings_now(struct carom_swings *swings, size_t j, double *rate);

/* Looks closer: peak and overlap of contact j between its last three looks. */
void carom_swings_note(struct carom_swings *swings, struct carom_impulses *sums, struct carom_peak_force *peak,
                       size_t j);

/* The same at the end of a run, where no later look will tell that a force has turned. */
void carom_swings_note_last(struct carom_swings *swings, struct carom_impulses *sums, struct carom_peak_force *peak,
                            size_t j);

/* What is kept of look i at a swing. */
static inline double *carom_swings_kept(const struct carom_swings *s, const struct carom_swings_put_off *p, size_t i)
{
    return s->kept + ((size_t)(p - s->put_off) * CAROM_SWINGS_LOOKS + i) * s->width;
}

/* The swing at this place need not be looked at closer any more. */
void carom_swings_drop(struct carom_swings *swings, uint32_t place);

/* The closer look at what was put off, of one contact or of all. */
void carom_swings_note_settle(struct carom_swings *swings, struct carom_impulses *sums, struct carom_peak_force *peak,
                              size_t j);
void carom_swings_note_settle_all(struct carom_swings *swings, struct carom_impulses *sums,
                                  struct carom_peak_force *peak);

/* A contact has closed or opened in a step: no leaps for so many. */
void carom_swings_rough(struct carom_swings *swings, uint64_t step, uint64_t steps);

/* Forces of the last three looks at contact j. */
void carom_swings_note_press(const struct carom_peak_force *peak, size_t j);

/* Adds up the contact with the wall, if there is one, from the look before the last; and to the last look as it should
 * be, where what has passed is asked for now. */
void carom_swings_lean(struct carom_swings *swings, const struct carom_peak_force *peak);
void carom_swings_lean_end(struct carom_swings *swings, const struct carom_peak_force *peak);

/* The first contact of those in touch that contact j belongs to. */
size_t carom_swings_first(const unsigned char *closed, size_t j);

/* What has passed through the contact with the wall on the left by now, where momenta tell it, too: out of what has
 * passed through the first open contact on its right, or a free end. Then it need not be the integral. */
void carom_swings_tell_wall(struct carom_swings *swings, const double *passed, const unsigned char *closed);

/* What has passed through contact j by now, contact `first` being the first of those in touch with it. Those that are
 * open keep in `passed` what passed through them. */
double carom_swings_passed(const struct carom_swings *swings, const double *passed, size_t first, size_t j);

/* Narrows contacts [from, to) to those between the first and the last that are not as they were noted to be, if the
 * scheme can tell velocities of single beads. */
void carom_swings_switched(const struct carom_swings *swings, struct carom_events *noted, size_t *from, size_t *to);

/* The pass of a look (swings_pass.h) in registers of four numbers, or NULL where the processor has none: those among n
 * contacts, counted from 0, that may have turned. */
size_t (*carom_swings_pass_wide(void))(const struct carom_swings_question *question, size_t n, size_t *restrict list);

/* Beads on both sides of contacts [from, to) into the sim's view; false: the scheme cannot tell them alone. */
bool carom_swings_see(const struct carom_swings *swings, const struct carom_state *state, size_t from, size_t to);

/* Velocities change from outside: once with those before (-1) and once with those after (1). */
void carom_swings_kick(struct carom_swings *swings, const double *v, double sign);

#endif
