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

/* The contact `key` at q, the part's own coordinates. Balls whose centres have come nearer than a tenth of their radii
 * have no normal worth the name, nor have those whose centre is inside a wall: false. */
bool carom_meet(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                struct carom_meeting *out);

/* The velocity of b past a at their point of contact, its part along the normal (the gap's rate) apart from the slip
 * along the contact's plane. Asked three times a contact and step, hence here. */
static inline double carom_meet_slip(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                                     const struct carom_meeting *m, const double *v, double slip[3])
{
    const size_t nv = carom_bodies_nv(bodies);
    const double *va = v + key->a * nv, *vb = v + key->b * nv;
    double of_a[3], of_b[3];
    if (bodies->dimension == 2) {
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

/* How fast b rolls past a, their lever times their relative spin along the contact's plane (in the plane along
 * z), and how fast it twists, the same about the normal. */
double carom_meet_roll(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                       const struct carom_meeting *m, const double *v, double roll[3]);

/* In how many places bodies a and b can meet: 0, if both are walls. */
size_t carom_meet_features(const struct carom_body *a, const struct carom_body *b);

/* Effective radius and mass of a pair. */
double carom_meet_radius(const struct carom_body *a, const struct carom_body *b);
double carom_meet_mass(const struct carom_body *a, const struct carom_body *b);

/* The lever of resistance to rolling and twisting: the effective radius, but in a container no more than the ball's. */
double carom_meet_lever(const struct carom_body *a, const struct carom_body *b);

/* How fast an impulse of 1 makes the two slip in one of the ways, arms being radii. */
double carom_meet_mobility(const struct carom_body *a, const struct carom_body *b, enum carom_way way);

#endif
