/* Scheme moreau-jean on bodies that resist rolling and twisting: torques between the two bodies of a contact, no larger
 * than mu times their lever times the contact's normal impulse, and of that size opposite to how they turn past each
 * other where they do. */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_ROLL_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_ROLL_H

#include "scheme/rigid/moreau/moreau_graph.h"
#include "solve/contact/friction_islands.h"

/* One way in which a contact of the step resists. Numbers of rolling in space are two, of all else one. */
struct carom_moreau_turn {
    size_t contact;
    enum carom_way way;
    size_t count;
    double mu, lever;
    double axis[2][3];                    /* unit vectors about which they turn past each other */
    double before[2], drift[2], after[2]; /* lever times relative spin about them */
    double freely[2];                     /* the same after the step if no impulse acts */
    double impulse[2];                    /* over the lever */
    double mobility;
    size_t seat; /* its first number among those of the body that owns them */
};

struct carom_moreau_roll {
    size_t n, room;
    struct carom_moreau_turn *turn;
    /* the contact problem: contacts first, then what resists */
    size_t sides, numbers;             /* room: of pairs, of rows */
    size_t *pair, *at, *width, *extra; /* as in carom_friction_system; extra: numbers of bodies beyond their own */
    double *h, *response, *b, *mu, *impulse;
};

/* If the bodies resist, else nothing. */
enum carom_status carom_moreau_roll_open(struct carom_moreau_graph *w, struct carom_error *error);
void carom_moreau_roll_close(struct carom_moreau_graph *w);

/* As carom_moreau_friction_set, and after it. */
enum carom_status carom_moreau_roll_set(struct carom_moreau_graph *w, const struct carom_state *from,
                                        const double *freely, double h, bool guess, struct carom_error *error);

/* As carom_friction_islands_solve of the contacts alone, whose `system` it is; r: their impulses. */
enum carom_status carom_moreau_roll_solve(struct carom_moreau_graph *w, const struct carom_friction_system *of,
                                          enum carom_friction_solver solver, const struct carom_friction_aims *aims,
                                          double *r, struct carom_friction_islands_report *report,
                                          struct carom_error *error);

/* What the torques do to velocities, of what acts at once alone if `once`; what they take; and what contact
 * j of a list keeps of those of contact i. */
void carom_moreau_roll_push(const struct carom_moreau_graph *w, double *v, bool once);
void carom_moreau_roll_book(struct carom_moreau_graph *w, struct carom_state *to);
void carom_moreau_roll_keep(const struct carom_moreau_graph *w, size_t i, double h, struct carom_contacts *list,
                            size_t j);

#endif
