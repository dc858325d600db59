/* Scheme dp5 for bodies whose contacts come and go, and what its files share: the right-hand side (bodies_rates.c),
 * where contacts leave their phases (bodies_phases.c, bodies_glance.c) and how they go on (bodies_change.c), pushes
 * near touch (bodies_touch.c), steps (dp5_bodies.c) of those awake (bodies_window.c). */
#ifndef CAROM_SCHEME_COMPLIANT_DP5_BODIES_H
#define CAROM_SCHEME_COMPLIANT_DP5_BODIES_H

#include "carom/law.h"
#include "carom/scheme.h"
#include "model/bodies/act.h"
#include "scheme/dormand_prince.h"

extern const struct carom_scheme carom_dp5_bodies;

/* What the phase columns of a contact say. Each way has its own, that of sliding always, but only sticking and slipping
 * are a way's own: all others are of the whole contact and the same in every column. */
/* no phases of a contact, but its normal law leaves one of its own, by overlap or by rate (margins of law.h) */
#define CAROM_PHASE_LAW_TURNS ((enum carom_contact_phase)5)
#define CAROM_PHASE_LAW_RETURNS ((enum carom_contact_phase)6)

/* Contact `which` leaves its phase in one way and goes on in another phase. */
struct carom_phase_change {
    size_t which;
    enum carom_way way;
    enum carom_contact_phase next;
};

struct carom_dp5_bodies {
    const struct carom_bodies *bodies;
    struct carom_search search;
    struct carom_act act, look; /* at the last evaluation; for looks inside a step */
    struct carom_contacts at;   /* the list with springs that stand in y */
    double **column;
    struct carom_dormand_prince step;
    double *y, *trial, *force, *dense;
    double *energy[CAROM_WAYS]; /* per contact: what its springs held at the start of the step; of one that is cut, by
                                 * sliding, what its law did */
    bool *slips[CAROM_WAYS];
    double *pressed;    /* per contact: its elastic force at the start of the step */
    double *missed;     /* per body: impulses near touch, and their moments; 0 between steps */
    bool starts;        /* contacts are as a start has them: their springs are its own, whatever they overlap by */
    double *opening;    /* per open contact: how fast its gap grows at the start of the step */
    bool collided;      /* did bodies run into each other at the last evaluation? */
    size_t room, n, ny; /* contacts there is room for; contacts and numbers of y now */
    double grain;       /* overlaps and gaps below this are none, in phases */
    double weak;        /* a contact that has begun to pull presses again beyond this part of its elastic force */
    double slack;       /* what a contact that sticks and slips in turn may fall behind its cone by, of its growth */
    double end;         /* of the step under way: signals are asked no later */
    bool *jumps;        /* by pairings: does the force begin with a jump at touch? */
    size_t *alone;   /* zeros up to their number, then as many ones: `first` of one contact alone, from some place on */
    double smallest; /* radius of a ball */
    size_t followed; /* steps that were so short because a spring of friction turns so fast */
    struct carom_bodies_window *window; /* NULL: there is none */
    /* of a guest, see bodies_window.h: */
    bool guest;
    const uint32_t *rim; /* nrim: bodies that nothing may move */
    size_t nrim;
    bool reached;   /* was one moved all the same? */
    double strayed; /* so far bodies went: the list has to be made anew, and no step was taken; 0: one was */
};

/* Where springs and losses stand in y: q, v, springs by ways, losses by mechanism, work of loads. */
static inline size_t carom_dp5_bodies_springs(const struct carom_stepper *stepper, int way)
{
    const struct carom_dp5_bodies *w = stepper->work;
    size_t at = stepper->model->nq + stepper->model->nv;
    for (int i = 0; i < way; i++)
        at += w->act.columns.width[i] * w->n;
    return at;
}

static inline size_t carom_dp5_bodies_losses(const struct carom_stepper *stepper)
{
    return carom_dp5_bodies_springs(stepper, CAROM_WAYS);
}

static inline enum carom_contact_phase carom_dp5_bodies_phase(const struct carom_dp5_bodies *w, size_t j,
                                                              enum carom_way way)
{
    return (enum carom_contact_phase)w->at.column[w->act.columns.phase + way][j];
}

/* Open and closed contacts are told apart by their phase of sliding, rub they or not. */
static inline bool carom_dp5_bodies_has_phase(const struct carom_dp5_bodies *w, int way)
{
    return way == CAROM_SLIDES || w->act.columns.width[way] > 0;
}

/* Does the overlap alone say what a contact does, whatever phase it is said to be in? Its phase then only tells that
 * steps end where it opens and closes. */
static inline bool carom_dp5_bodies_is_plain(const struct carom_dp5_bodies *w, const struct carom_contact_key *key)
{
    const struct carom_pairing *p = &w->bodies->pairing[key->pairing];
    return !w->jumps[key->pairing] && !p->friction && !p->rolling && !p->twisting && !p->law->turn && !p->law->pull &&
           p->ending == CAROM_END_GAP;
}

/* What contact j pulls with as soon as it touches. */
static inline double carom_dp5_bodies_pull(const struct carom_dp5_bodies *w, size_t j)
{
    const struct carom_law *law = w->bodies->pairing[w->at.key[j].pairing].law;
    const double *param[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < w->bodies->nparams && law->pull; i++)
        param[i] = w->at.column[w->act.columns.param + i];
    return law->pull ? law->pull(param, j) : 0.0;
}

/* One step of all bodies of the stepper. */
enum carom_status carom_dp5_bodies_advance(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                           struct carom_error *error);

/* The list of contacts is made anew, for bodies that may go so far in a step. */
enum carom_status carom_dp5_bodies_renew(struct carom_stepper *stepper, struct carom_state *state, double way,
                                         struct carom_error *error);

/* Notes of the pairings on a list which forces begin with a jump. */
void carom_bodies_rates_note_jumps(struct carom_dp5_bodies *w, const struct carom_contacts *contacts);

/* Room for n contacts; what the arrays hold is lost. */
bool carom_bodies_rates_reserve(struct carom_stepper *stepper, size_t n);

/* dy = f(t, y) with the contacts of the state in their phases; w->act is left with what they do. Bodies that are led
 * are put into y. */
void carom_bodies_rates_evaluate(struct carom_stepper *stepper, const struct carom_state *state, double t, double *y,
                                 double *dy);

/* Contacts act by their phase, whatever rounding makes of their gaps; after carom_act_place. Open ones that rub or end
 * by force carry nothing; closed ones are in touch: a step that begins or ends there meets no jump of a force. */
void carom_bodies_rates_hold(const struct carom_dp5_bodies *w, struct carom_act *act,
                             const struct carom_contacts *contacts);

/* From the state into w->y, and from y into the state. */
void carom_bodies_rates_load(struct carom_stepper *stepper, const struct carom_state *state);
void carom_bodies_rates_store(struct carom_stepper *stepper, const double *y, struct carom_state *state);

/* The first place in (0, 1] of the step under way, which begins at t, where a contact leaves its phase; first->which is
 * n if none does. */
double carom_bodies_phases_first(struct carom_stepper *stepper, double t, struct carom_phase_change *first);

/* Does anything bend flights of bodies that touch nothing? Else they are parabolas, which any step follows. */
static inline bool carom_dp5_bodies_bend(const struct carom_bodies *b)
{
    bool bend = b->tumbling;
    for (size_t i = 0; i < b->nloads; i++)
        bend = bend || b->load[i].signal.shape != CAROM_SHAPE_CONSTANT;
    return bend;
}

/* A contact of the state goes on in another phase; w->act is the state. */
void carom_bodies_change_phase(struct carom_stepper *stepper, struct carom_state *state,
                               const struct carom_phase_change *change);

/* All but that change of contacts that are no longer in their phase at the end of the step, which began at t. */
void carom_bodies_change_others(struct carom_stepper *stepper, struct carom_state *state, double t,
                                const struct carom_phase_change *change);

/* Phases of a start, from overlaps and springs. */
void carom_bodies_change_find(struct carom_stepper *stepper, struct carom_state *state);

/* Notes what contacts hold and how fast they open at the start of a step, where w->act is, with velocities v. */
void carom_bodies_change_note(struct carom_dp5_bodies *w, const struct carom_contacts *contacts, const double *v);

/* Springs of contacts that slip follow their cone; what their energy changes by since the start of the step, where
 * it was w->energy, is not lost by friction. What the laws of contacts that are cut hold less by now is clipped. `act`
 * is what contacts do at the state. */
void carom_bodies_change_follow(const struct carom_dp5_bodies *w, const struct carom_act *act,
                                struct carom_state *state);

/* The shortest time within which a spring at its cone turns to where the slip goes; w->act is what contacts do at the
 * state. In the plane none turns. */
double carom_bodies_change_turn(const struct carom_dp5_bodies *w, const struct carom_contacts *contacts);

/* Puts right in w->trial what contacts near touch push too much or too little in the step under way, which begins at t
 * and at whose end w->act is; how much that is, in units of the scales. */
double carom_bodies_touch_correct(struct carom_stepper *stepper, double t);

#endif
