/* Contacts are open, closed or, where force ends them, cut. Inside one mode the right-hand side is smooth, so a
 * step that ends where a contact changes its mode keeps its order: locating costs one step and makes the error ten
 * to fifty times smaller. Contacts whose law has phases (loading, unloading, ...) change where these end; the phase
 * is kept in the law's history. */
#ifndef CAROM_SCHEME_COMPLIANT_MODES_H
#define CAROM_SCHEME_COMPLIANT_MODES_H

#include "scheme/compliant/rates.h"
#include "scheme/dormand_prince.h"

#define CAROM_MODES_MANY 17

#define CAROM_MODES_CUT 2.0 /* in a state's memory; others stand there as they are */

struct carom_modes {
    struct carom_rates *rates;
    int64_t *mode;   /* nc: enum carom_contact_phase, as wide as what it is compared with */
    double *room;    /* nq: coordinates inside a step, for models that are no chains */
    size_t nchanged; /* contacts whose mode changed in the last step; more than fit: CAROM_MODES_MANY */
    size_t changed[16];
    double small;   /* overlaps below this are not worth locating: beads that just touch */
    double slow;    /* nor are turning points of contacts that move slower than this */
    bool phases;    /* does any law have phases */
    bool calm;      /* at the end of the step tried last, all contacts were as their modes say */
    bool many;      /* more than a few were not */
    int by;         /* the margin that ends the phase of the contact to change */
    double stiffer; /* how many times a contact is stiffer in the phase it has just begun, at least 1 */
    int seen;       /* the margin seen last to have ended a phase */
};

enum carom_status carom_modes_open(struct carom_modes *modes, struct carom_rates *rates, struct carom_error *error);
void carom_modes_close(struct carom_modes *modes);

/* The modes at the start of a run, from physical q and v; and the phases of laws that have them, into their
 * history. */
void carom_modes_start(struct carom_modes *modes, double t, const double *q, const double *v, double *history);

/* From nc numbers in a state's memory, so that a restart is exact; _cut only what the right-hand side needs of
 * them. */
void carom_modes_load(struct carom_modes *modes, const double *memory);
void carom_modes_load_cut(struct carom_modes *modes, const double *memory);

/* The modes that changed in the last step, into a state's memory. */
void carom_modes_save(const struct carom_modes *modes, double *memory);

/* Before the first try of a step: no mode has changed in it. */
void carom_modes_begin(struct carom_modes *modes);

/* The first change of mode in a step that has just been tried (the last evaluation was at its end; t is its start):
 * returns its place in (0, 1] and the contact, or 1 and `nc`. Steps in which more than a few contacts change are not
 * cut: there the step is as long as one contact's share of the events, and error control does better (unless contacts
 * can be cut or have phases, which error control does not see). */
double carom_modes_first(struct carom_modes *modes, const struct carom_dormand_prince *step, double t, size_t *which);

/* Has another contact than `which` left its mode in a step that has been taken again up to the change of that one?
 * It was back at the end of the whole step. */
bool carom_modes_passed(struct carom_modes *modes, const struct carom_dormand_prince *step, double t, size_t which);

/* What dips by less is not looked for. A dashpot that pair and time have all but stopped trembles by the errors of the
 * steps: what opens no further has not opened. */
double carom_modes_shallow(const struct carom_modes *modes, size_t j);

/* Looks at one contact: whether its law has phases; how far it is from the end of its phase, at this overlap and rate;
 * its overlap and the rate of it at s of the step. */
bool carom_modes_has_phases(const struct carom_modes *modes, size_t j);
void carom_modes_margins(const struct carom_modes *modes, size_t j, const double *history, double deform, double rate,
                         double margin[2]);
double carom_modes_deform(struct carom_modes *modes, const struct carom_dormand_prince *step, double t, size_t j,
                          double s, double *rate);

/* Can it be cut? Only where force ends it, in a regularised chain; elsewhere the law is clipped as it acts. And the
 * force that it would have at s if it were acting. */
bool carom_modes_can_be_cut(const struct carom_modes *modes, size_t j);
double carom_modes_force(struct carom_modes *modes, const struct carom_dormand_prince *step, double t, size_t j,
                         double s);

/* The first place before `before` of that step where a contact that is back at its end is furthest on the other side:
 * it has closed and opened again, or opened and closed, or a phase has ended and another would have begun. A step that
 * ends there sees it. deform and rate (nc; of regularised chains only deform) are those at the start of the step; with
 * none found, returns `before`. Not looked for where more than a few contacts change. */
double carom_modes_dip(struct carom_modes *modes, const struct carom_dormand_prince *step, double t,
                       const double *deform, const double *rate, double before);

/* At the end of an accepted step: contact `which` changes its mode (nc: none does), and so do all that need no
 * location. y keeps its physical velocities. Who has evaluated again since carom_modes_first clears `calm` before.
 * Returns whether the right-hand side at y has changed. */
bool carom_modes_change(struct carom_modes *modes, size_t which, double *y);

/* And then, where the step ends at t on a break of a drive: its rate may jump, and forces with it, so that contacts
 * beside it are cut there, or act again. Returns as _change. */
bool carom_modes_jerk(struct carom_modes *modes, double t, double *y);

#endif
