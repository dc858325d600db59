/* What the files of scheme `event` share. A contact is free (its gap is open), touches (its gap counts as 0, but
 * nothing presses: it parts or has just been struck) or is held (it lasts: rate 0, force lambda >= 0). Where there is
 * friction a held one sticks or slips one way or the other, and the mode says which. In the words of Nguyen and
 * Brogliato 2011: I holds all contacts, I_c those that touch or are held, I_s those that are held. */
#ifndef CAROM_SCHEME_RIGID_EVENT_EVENT_H
#define CAROM_SCHEME_RIGID_EVENT_EVENT_H

#include "carom/impact.h"
#include "carom/scheme.h"
#include "model/frame.h"
#include "scheme/columns.h"
#include "scheme/rigid/collapse.h"
#include "scheme/rigid/event/event_row.h"
#include "scheme/rigid/event/event_smooth.h"

enum carom_event_mode {
    CAROM_EVENT_FREE = 0,
    CAROM_EVENT_TOUCH = 1,
    CAROM_EVENT_HELD = 2, /* and sticks, or nothing rubs */
    CAROM_EVENT_UP = 3,   /* held and slips: CAROM_COULOMB_UP, CAROM_COULOMB_DOWN; in space CAROM_COULOMB_SLIP */
    CAROM_EVENT_DOWN = 4
};

static inline bool carom_event_held(double mode)
{
    return mode >= CAROM_EVENT_HELD;
}

struct carom_event_options {
    double tol, share, touch, solver_tol, impact_tol, impact_work, dP, threshold;
    int impact, solver, stiffness, safeguards;
    long most, impact_steps;
};

/* What the state's memory holds, with the rows of its table (columns.h). */
enum {
    CAROM_EVENT_BEGUN,
    CAROM_EVENT_NEXT_STEP,
    CAROM_EVENT_ALLOWED,
    CAROM_EVENT_MODE,   /* enum carom_event_mode */
    CAROM_EVENT_PARTED, /* rate after the last impact; 0: none, or long ago */
    CAROM_EVENT_COUNT,  /* impacts in a row that each left a smaller rate than the one before */
    CAROM_EVENT_REST,   /* held while impacts die out: when they will have; 0: not so */
    CAROM_EVENT_COLUMNS
};
#define CAROM_EVENT_TABLE                                                                           \
    {"begun", .once = 1}, {"next step", .once = 1}, {"allowed", .once = 1}, {"mode", .contact = 1}, \
        {"parted", .contact = 1}, {"count", .contact = 1},                                          \
    {                                                                                               \
        "rest", .contact = 1                                                                        \
    }
static const struct carom_column carom_event_columns[CAROM_EVENT_COLUMNS] = {CAROM_EVENT_TABLE};

struct carom_event_work {
    const struct carom_model *model;
    struct carom_linkage_view *view; /* of models with facets (event_facets.h); NULL: no such */
    const struct carom_event_options *options;
    bool exact;                        /* flights in closed form: event_row; else event_smooth */
    double length, speed;              /* U and V, never 0 */
    double *e, *k, *p;                 /* nc: restitution; stiffness and exponent for impacts that ask */
    double *gap, *rate;                /* nc: as last looked at */
    double *bend;                      /* nc: second derivative of the gaps that touch, with all that is held held */
    double *faint;                     /* nc: rates up to this, above what counts as rest, are rounding of impulses */
    double stopped;                    /* of an instant: slips up to this are what paths of impacts have left of them */
    double *gentle;                    /* nc: of an instant, rates of impacts too slow to be followed; 0: none */
    double *was;                       /* nc: modes at the beginning of an instant */
    bool *at_rest, *released, *struck; /* nc: of an instant */
    size_t *set;                       /* nc */
    double *of_set;                    /* 6 nc: e, k, p, impulse, loss, rate before */
    double *of_rub;                    /* 5 nc: mu, mu_static, tangential impulse (in space 2), what rubbing took */
    double *after;                     /* nv */
    struct carom_frame frame;
    struct carom_striker *striker;
    void *impact_options;
    struct carom_collapse collapse; /* of impacts all at once; closed: no such law */
    struct carom_event_row row;
    bool corners; /* some contacts count only while a corner stands before a side */
    struct carom_event_smooth smooth;
    struct carom_event *event;     /* room */
    size_t nevents, room, instant; /* instant: first event of this instant */
    int still, restless;           /* flights in a row that had no length, or hardly one and no impact */
    size_t slides;                 /* contact that breaks away or stops at this instant; nc: none */
    bool slips_off;                /* or some do, of which forces do not tell which */
    double half;                   /* of finer pilots: length of the second half of the last step; 0: none */
    bool watch;
    double stop;   /* the run goes on to there, or to a break of a load */
    uint64_t step; /* the groups of row are those of this state */
    double time;
    bool ready;
};

static inline double *carom_event_memory(const struct carom_state *state, size_t nc, size_t column)
{
    return carom_columns_at(carom_event_columns, column, state, nc);
}

extern const struct carom_param carom_event_params[];
extern const struct carom_scheme carom_event_bodies; /* of bodies whose contacts come and go */

/* Options of an impact law, those that the scheme has too from it; freed by carom_memory_free. NULL: out of memory. */
void *carom_event_pass_on(const struct carom_event_options *options, const struct carom_impact *impact);

/* What rounding makes of the gap of contact j. */
double carom_event_noise(const struct carom_event_work *w, const double *q, size_t j);

/* What counts as touching at contact j, and as rest there: beyond rounding, far below tol. */
double carom_event_near(const struct carom_event_work *w, const struct carom_state *state, size_t j);
double carom_event_slow(const struct carom_event_work *w);

/* An impact of contact j, in which its rate turned, was so slow that gaps beside it are rounding before they have
 * opened: its rates may be wrong altogether. _leave_gentle: where nothing presses, they would have gone on to the end,
 * and are among what is left out. Once at the end of an instant. */
void carom_event_note_gentle(struct carom_event_work *w, size_t j, double before, double after);
void carom_event_leave_gentle(struct carom_stepper *stepper, const struct carom_state *state);

/* Gaps and rates of all contacts. */
void carom_event_look(struct carom_event_work *w, double t, const double *q, const double *v);

/* Notes an event of contact j at the state's time. */
void carom_event_tell(struct carom_event_work *w, const struct carom_state *state, size_t j, enum carom_event_kind kind,
                      double impulse, double before, double after, double lost);

/* Tells of contacts whose impacts have died out by now: they have closed. */
void carom_event_tell_rest(struct carom_event_work *w, struct carom_state *state);

/* Are places and velocities finite? Else whose are not. */
enum carom_status carom_event_finite(const struct carom_stepper *stepper, const struct carom_state *state,
                                     struct carom_error *error);

#endif
