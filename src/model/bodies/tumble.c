/* Free rotation of bodies whose moments of inertia differ, see tumble.h. The step splits the energy
 * L1^2 / 2 I1 + L2^2 / 2 I2 + L3^2 / 2 I3 into its three terms, each of which turns the body evenly about one of its
 * own axes while L stands still in space (Touma and Wisdom 1994). */
#include "model/bodies/tumble.h"

#include <string.h>

#include "model/bodies/move.h"

/* own axes to space */
static void frame_of(const struct carom_body *body, const double turn[4], double frame[4])
{
    carom_quat_product(turn, body->frame, frame);
}

void carom_tumble_scale(const struct carom_body *body, bool solve, const double turn[4], const double from[3],
                        double to[3])
{
    double frame[4], own[3];
    frame_of(body, turn, frame);
    carom_quat_turn_back(frame, from, own);
    for (int k = 0; k < 3; k++)
        own[k] = solve ? own[k] / body->moments[k] : own[k] * body->moments[k];
    carom_quat_turn(frame, own, to);
}

void carom_tumble_gyre(const struct carom_body *body, const double turn[4], const double spin[3], double torque[3])
{
    double momentum[3];
    carom_tumble_scale(body, false, turn, spin, momentum);
    carom_vec_cross(momentum, spin, torque);
}

double carom_tumble_energy(const struct carom_body *body, const double turn[4], const double spin[3])
{
    double momentum[3];
    carom_tumble_scale(body, false, turn, spin, momentum);
    return carom_vec_dot(spin, momentum);
}

/* about its own axis k for a time h */
static void turn_about(const struct carom_body *body, int k, const double momentum[3], double h, double frame[4])
{
    double own[3], angle[3] = {0.0, 0.0, 0.0}, by[4], turned[4];
    carom_quat_turn_back(frame, momentum, own);
    angle[k] = h * own[k] / body->moments[k];
    carom_move_turn(angle, by);
    carom_quat_product(frame, by, turned);
    memcpy(frame, turned, sizeof turned);
}

void carom_tumble_drift(const struct carom_body *body, const double turn[4], const double momentum[3], double h,
                        double moved[4])
{
    static const int order[5] = {0, 1, 2, 1, 0};
    const double back[4] = {body->frame[0], -body->frame[1], -body->frame[2], -body->frame[3]};
    double frame[4], square = 0.0;
    frame_of(body, turn, frame);
    for (int i = 0; i < 5; i++)
        turn_about(body, order[i], momentum, i == 2 ? h : 0.5 * h, frame);
    for (int k = 0; k < 4; k++)
        square += frame[k] * frame[k];
    for (int k = 0; k < 4; k++)
        frame[k] /= sqrt(square);
    carom_quat_product(frame, back, moved);
}
