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
    double *deform, *rate;                    /* overlap and its rate */
    double *elastic, *viscous, *drag;         /* as in carom_batch */
    double *normal;                           /* force of the law as it acts, ending included */
    double *push, *total;                     /* what a friction spring adds to it, and their sum */
    double *slip[3], *tangent[3];             /* `width` columns: velocity of b past a, and the friction on b */
    double *spring_rate[3], *rubbed, *change; /* as in carom_friction_moment */
    const bool *slips;                        /* which contacts are in their slipping phase; NULL: not told */
    double short_way;                         /* as in carom_friction_moment */
};

void carom_act_open(struct carom_act *act, const struct carom_bodies *bodies);
void carom_act_close(struct carom_act *act);
bool carom_act_reserve(struct carom_act *act, size_t n);

/* Geometry at q and what laws say of the overlaps. Returns a contact whose bodies have run into each other, or n. */
size_t carom_act_place(struct carom_act *act, const struct carom_contacts *contacts, const double *q);

/* Rates and forces with velocities v, after carom_act_place. */
void carom_act_force(struct carom_act *act, const struct carom_contacts *contacts, const double *v);

/* f += pushes of all contacts: normal[j] along the normal and, unless NULL, tangent (`width` columns) on side b, the
 * opposite on side a. */
void carom_act_push(const struct carom_act *act, const struct carom_contacts *contacts,
                    const struct carom_search *search, const double *normal, double *const *tangent, double *f);

/* The power of these forces on bodies that are led moving with v, counted as what the leads put in. */
double carom_act_work(const struct carom_act *act, const struct carom_contacts *contacts, const double *normal,
                      double *const *tangent, const double *v);

/* The tangential vector of contact j that a vector of space has; and the vector of space of one. */
void carom_act_tangential(const struct carom_act *act, const struct carom_meeting *meeting, const double vector[3],
                          double *tangential);
void carom_act_spatial(const struct carom_act *act, const struct carom_meeting *meeting, const double *tangential,
                       double vector[3]);

/* Energy stored in contact j: its law's and its spring's, at an overlap. */
double carom_act_energy(const struct carom_bodies *bodies, const struct carom_contacts *contacts, const double *q);

#endif
