/* How two bodies meet: gap, normal and arms of one contact, and how fast they close and slip. */
#ifndef CAROM_MODEL_BODIES_MEET_H
#define CAROM_MODEL_BODIES_MEET_H

#include "base/vec.h"
#include "carom/bodies.h"
#include "carom/state.h"

struct carom_meeting {
    double gap;       /* negative: they overlap */
    double normal[3]; /* from a to b */
    double arm[2][3]; /* from the centres of a and b to the point where they touch */
};

/* What two balls keep of their meeting as long as their anchors and the image through which they meet are the same: see
 * meet.c. */
struct carom_meet_balls {
    double apart[3], length; /* D0 and |D0| */
    double gap;              /* g0 */
    double radius[2];
    double near; /* the square of a distance between centres from which on they do not touch for certain */
};

/* Of the contact `key` at q. False: one of the two is a wall, and only `near` is set, to HUGE_VAL. */
bool carom_meet_prepare(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                        struct carom_meet_balls *out);

/* The arms of balls whose gap and normal are known. */
static inline void carom_meet_arms(const struct carom_meet_balls *balls, struct carom_meeting *m)
{
    for (int k = 0; k < 3; k++) {
        m->arm[0][k] = m->normal[k] * (balls->radius[0] + 0.5 * m->gap);
        m->arm[1][k] = -m->normal[k] * (balls->radius[1] + 0.5 * m->gap);
    }
}

/* Balls whose centres have moved by du past each other since their anchors; returns as carom_meet does. */
static inline bool carom_meet_moved(const struct carom_meet_balls *balls, const double du[3], struct carom_meeting *m)
{
    const double *apart = balls->apart, now[3] = {apart[0] + du[0], apart[1] + du[1], apart[2] + du[2]};
    const double length = carom_vec_norm(now);
    m->gap = balls->gap + (2.0 * carom_vec_dot(apart, du) + carom_vec_dot(du, du)) / (length + balls->length);
    for (int k = 0; k < 3; k++)
        m->normal[k] = now[k] / length;
    carom_meet_arms(balls, m);
    return length > 0.1 * (balls->radius[0] + balls->radius[1]);
}

/* D0 from body i to j through the nearest image, and du; and from a body's own axes to space as it stands now. */
void carom_meet_between(const struct carom_bodies *bodies, size_t i, size_t j, const double *q, double apart[3],
                        double du[3]);
void carom_meet_frame(const struct carom_bodies *bodies, size_t i, const double *q, double frame[4]);

/* The contact `key` at q, the part's own coordinates. Balls whose centres have come nearer than a tenth of their radii
 * have no normal worth the name, nor have those whose centre is inside a wall: false. */
bool carom_meet(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                struct carom_meeting *out);

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

/* The velocity of b past a at their point of contact, its part along the normal (the gap's rate) apart from the slip
 * along the contact's plane; va and vb are all velocities of a body. Asked three times a contact and step, hence
 * here. */
static inline double carom_meet_pass(bool plane, const double *va, const double *vb, const struct carom_meeting *m,
                                     double slip[3])
{
    double of_a[3], of_b[3];
    if (plane) {
        of_a[0] = va[0] - va[2] * m->arm[0][1];
        of_a[1] = va[1] + va[2] * m->arm[0][0];
        of_b[0] = vb[0] - vb[2] * m->arm[1][1];
        of_b[1] = vb[1] + vb[2] * m->arm[1][0];
        of_a[2] = of_b[2] = 0.0;
    } else {
        carom_vec_cross(va + 3, m->arm[0], of_a);
        carom_vec_cross(vb + 3, m->arm[1], of_b);
        for (int k = 0; k < 3; k++) {
            of_a[k] += va[k];
            of_b[k] += vb[k];
        }
    }
    for (int k = 0; k < 3; k++)
        slip[k] = of_b[k] - of_a[k];
    const double rate = carom_vec_dot(slip, m->normal);
    for (int k = 0; k < 3; k++)
        slip[k] -= rate * m->normal[k];
    return rate;
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

/* How fast b rolls past a, their lever times their relative spin along the contact's plane (in the plane along
 * z), and how fast it twists, the same about the normal. */
double carom_meet_roll(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                       const struct carom_meeting *m, const double *v, double roll[3]);

/* The tangential vector of a contact that a vector of space has: one number in the plane, three in space. */
static inline void carom_meet_tangential(bool plane, const struct carom_meeting *m, const double vector[3],
                                         double *tangential)
{
    if (plane) {
        tangential[0] = m->normal[0] * vector[1] - m->normal[1] * vector[0];
        return;
    }
    const double along = carom_vec_dot(m->normal, vector);
    for (int k = 0; k < 3; k++)
        tangential[k] = vector[k] - along * m->normal[k];
}

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
