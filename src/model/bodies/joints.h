/* Joints between bodies: rows of numbers that meet the velocities of the two, and how far positions are off. Turns are
 * those since the start, in which all joints are closed; points and axes are given in the axes of space as they were
 * then. */
#ifndef CAROM_MODEL_BODIES_JOINTS_H
#define CAROM_MODEL_BODIES_JOINTS_H

#include "carom/bodies.h"

enum { CAROM_JOINT_ROWS = 6 };

/* Its rate is of[0] . v_first + of[1] . v_second. */
struct carom_joint_row {
    double of[2][6];  /* of the second: what a force of 1 does to its centre, and about it */
    double moment[3]; /* and about the point that is held */
    double gap;       /* whose rate it is: 0 where the joint is closed; of a coordinate its value */
    bool turns;       /* gap is an angle */
};

/* How a body stands since the start, in which it has moved and turned by nothing. */
struct carom_joint_stand {
    double moved[3], turn[4];
    double angle; /* in the plane, where it may be many turns */
};

#define CAROM_JOINT_STILL ((struct carom_joint_stand){.turn = {1.0, 0.0, 0.0, 0.0}}) /* the world */

/* turn: an angle in the plane, in space a quaternion. */
void carom_joints_stand(size_t dimension, const double *moved, const double *turn, struct carom_joint_stand *out);

/* The rows that a joint holds; returns how many. A distance with limits holds none. Or the coordinate of a hinge
 * (between -pi and pi in space), slider or distance. */
size_t carom_joints_rows_of(size_t dimension, const struct carom_joint *joint, const struct carom_joint_stand at[2],
                            struct carom_joint_row row[CAROM_JOINT_ROWS]);
void carom_joints_coordinate_of(size_t dimension, const struct carom_joint *joint, const struct carom_joint_stand at[2],
                                struct carom_joint_row *row);

/* The same at q, the coordinates of the part `bodies`. */
size_t carom_joints_rows(const struct carom_bodies *bodies, const struct carom_joint *joint, const double *q,
                         struct carom_joint_row row[CAROM_JOINT_ROWS]);

void carom_joints_coordinate(const struct carom_bodies *bodies, const struct carom_joint *joint, const double *q,
                             struct carom_joint_row *row);

/* How many rows these are at most, wherever bodies stand. */
size_t carom_joints_count(size_t dimension, const struct carom_joint *joint);

/* Refuses positions and velocities that joints do not allow; says which joint it is, from 0. */
enum carom_status carom_joints_start(const struct carom_bodies *bodies, const double *q, const double *v, size_t *which,
                                     struct carom_error *error);

/* What a state keeps of each joint: its force on the second body, its moment there, and what its limit carries. */
static inline size_t carom_joints_width(const struct carom_bodies *bodies)
{
    return bodies->dimension == 2 ? 4 : 7;
}

/* Behind that of all joints: where any has limits, how that of each stands (enum carom_rigid_step_status, below 0: its
 * upper one). */
static inline size_t carom_joints_standing(const struct carom_bodies *bodies)
{
    return bodies->njoints * carom_joints_width(bodies);
}

size_t carom_joints_memory(const struct carom_bodies *bodies);

/* Refuses joint j where its bodies or points are nothing that a joint holds. */
enum carom_status carom_joints_check(const struct carom_bodies *bodies, size_t j, struct carom_error *error);

/* Checks the joints, and sorts the pairs they hold. */
enum carom_status carom_joints_finish(struct carom_bodies *bodies, struct carom_error *error);

/* Does a joint hold the two? */
bool carom_joints_join(const struct carom_bodies *bodies, size_t i, size_t j);

#endif
