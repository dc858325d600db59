/* How two bodies meet: gap, normal and arms of one contact, and how fast they close and slip. */
#ifndef CAROM_MODEL_BODIES_MEET_H
#define CAROM_MODEL_BODIES_MEET_H

#include "base/vec.h"
#include "carom/bodies.h"
#include "carom/state.h"
#include "kernel/meet.h"

/* Of the contact `key` at q. False: one of the two is a wall, and only `near` is set, to HUGE_VAL. */
bool carom_meet_prepare(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                        struct carom_meet_balls *out);

/* D0 from body i to j through the nearest image, and du; and from a body's own axes to space as it stands now. */
void carom_meet_between(const struct carom_bodies *bodies, size_t i, size_t j, const double *q, double apart[3],
                        double du[3]);
void carom_meet_frame(const struct carom_bodies *bodies, size_t i, const double *q, double frame[4]);

/* The contact `key` at q, the part's own coordinates. Balls whose centres have come nearer than a tenth of their radii
 * have no normal worth the name, nor have those whose centre is inside a wall: false. */
bool carom_meet(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                struct carom_meeting *out);

/* Walls that stand still and have flat faces: with the contact's normal and g0 the gap of a ball is g0 + normal.du, du
 * being how far b has moved past a, as long as its anchor is the same. */
bool carom_meet_is_flat(const struct carom_bodies *bodies, size_t wall);
void carom_meet_flat(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                     double normal[3], double *rest);

/* How fast the point at `arm` of a body moves along `direction`, times sign, as a row of numbers that meets the body's
 * velocity. */
static inline void carom_meet_row(bool plane, double sign, const double direction[3], const double arm[3], double *row)
{
    double turn[3];
    carom_vec_cross(arm, direction, turn);
    for (int k = 0; k < (plane ? 2 : 3); k++)
        row[k] = sign * direction[k];
    for (int k = 0; k < (plane ? 1 : 3); k++)
        row[(plane ? 2 : 3) + k] = sign * turn[plane ? 2 : k];
}

/* The same of the bodies of a contact; v: of all bodies. */
static inline double carom_meet_slip(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                                     const struct carom_meeting *m, const double *v, double slip[3])
{
    const size_t nv = carom_bodies_nv(bodies);
    return carom_meet_pass(bodies->dimension == 2, v + key->a * nv, v + key->b * nv, m, slip);
}

/* How fast the normal of a contact in space turns, as a rotation across it. */
void carom_meet_turn(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                     const struct carom_meeting *m, const double *q, const double *v, double spin[3]);

/* carom_meet_rolling of the bodies of a contact; v: of all bodies. */
double carom_meet_roll(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                       const struct carom_meeting *m, const double *v, double roll[3]);

/* How fast contact `key` gives way with velocities v: as many numbers, of twists one, which change alike with the
 * contact's plane. */
static inline void carom_meet_way(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                                  const struct carom_meeting *m, const double *v, enum carom_way way, double *slip)
{
    double vector[3];
    if (way == CAROM_SLIDES) {
        carom_meet_slip(bodies, key, m, v, vector);
        carom_meet_tangential(bodies->dimension == 2, m, vector, slip);
        return;
    }
    const double twist = carom_meet_roll(bodies, key, m, v, vector);
    if (way == CAROM_TWISTS)
        slip[0] = twist;
    else if (bodies->dimension == 2)
        slip[0] = vector[2];
    else
        carom_meet_tangential(false, m, vector, slip);
}

/* In how many places bodies a and b can meet: 0, if both are walls. */
size_t carom_meet_features(const struct carom_body *a, const struct carom_body *b);

/* Effective radius and mass of a pair. */
double carom_meet_radius(const struct carom_body *a, const struct carom_body *b);
double carom_meet_mass(const struct carom_body *a, const struct carom_body *b);

/* The lever of resistance to rolling and twisting: the effective radius, but in a container no more than the ball's;
 * of bodies with corners, and of compounds that are no capsules, 0. */
double carom_meet_lever(const struct carom_body *a, const struct carom_body *b);

/* How fast an impulse of 1 makes the two slip in one of the ways, arms being radii. */
double carom_meet_mobility(const struct carom_body *a, const struct carom_body *b, enum carom_way way);

#endif
