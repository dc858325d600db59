/* What the contacts of a list do at one moment: geometry, the laws' answers, forces as they act, and how they push the
 * bodies. Sums are gathered body by body in the order of keys, so that nothing depends on threads or on the skin. */
#ifndef CAROM_MODEL_BODIES_ACT_H
#define CAROM_MODEL_BODIES_ACT_H

#include "model/bodies/list.h"
#include "model/bodies/meet.h"
#include "model/bodies/search.h"

struct carom_act {
    const struct carom_bodies *bodies;
    struct carom_columns columns;
    size_t room;
    struct carom_meeting *meeting;
    double *deform, *rate;            /* overlap and its rate */
    double *elastic, *viscous, *drag; /* as in carom_batch */
    double *normal;                   /* force of the law as it acts, ending included */
    double *total;                    /* with what friction springs push */
    /* by ways, those that no law resists have none of it: */
    double *slip[CAROM_WAYS][3], *tangent[CAROM_WAYS][3]; /* `width` columns: of b past a, and the friction on b */
    double *spring_rate[CAROM_WAYS][3], *push[CAROM_WAYS], *friction_loss[CAROM_WAYS], *change[CAROM_WAYS]; /* as in
                                                                                           * carom_friction_moment */
    const bool *slips[CAROM_WAYS]; /* which contacts are in their slipping phase; NULL: not told */
    double short_time, step;       /* as in carom_friction_moment */
    bool rates; /* are spring rates, powers and changes asked for? Else they are not worked out; set after opening */
};

void carom_act_open(struct carom_act *act, const struct carom_bodies *bodies);
void carom_act_close(struct carom_act *act);
bool carom_act_reserve(struct carom_act *act, size_t n);

/* Geometry at q and what laws say of the overlaps. Returns a contact whose bodies have run into each other, or n. */
size_t carom_act_place(struct carom_act *act, const struct carom_contacts *contacts, const double *q);

/* Notes a contact that is pressed too deep, unless one was noted before; after carom_act_place. */
void carom_act_deep(const struct carom_act *act, const struct carom_contacts *contacts, double t,
                    struct carom_deep *deep);

/* Rates and forces with velocities v, after carom_act_place. */
void carom_act_force(struct carom_act *act, const struct carom_contacts *contacts, const double *v);

/* What the laws of contacts lose now, of pairings whose law has a memory; others are left alone. */
void carom_act_power(const struct carom_act *act, const struct carom_contacts *contacts, double *power);

/* f += pushes of all contacts: normal[j] along the normal and, unless NULL, tangent of every way on side b, the
 * opposite on side a. */
void carom_act_push(const struct carom_act *act, const struct carom_contacts *contacts,
                    const struct carom_search *search, const double *normal, double *(*tangent)[3], double *f);

/* The power of a force at an arm and of a torque on body i, which is led, with the velocities of all. */
double carom_act_power_on(const struct carom_bodies *bodies, size_t i, const double arm[3], const double force[3],
                          const double torque[3], const double *v);

/* The power of these forces on bodies that are led moving with v, counted as what the leads put in. */
double carom_act_work(const struct carom_act *act, const struct carom_contacts *contacts, const double *normal,
                      double *(*tangent)[3], const double *v);

/* The vector of space that a tangential vector of a contact is. */
void carom_act_spatial(const struct carom_act *act, const struct carom_meeting *meeting, const double *tangential,
                       double vector[3]);

/* Energy stored in all contacts: their laws' and their springs'. */
double carom_act_energy(const struct carom_bodies *bodies, const struct carom_contacts *contacts, const double *q);

/* What the law of contact j holds at an overlap, without its springs. */
double carom_act_held(const struct carom_bodies *bodies, const struct carom_contacts *contacts, size_t j,
                      double deform);

#endif
