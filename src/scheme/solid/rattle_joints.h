/* Joints of balls beside solids in the steps of scheme rattle. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_JOINTS_H
#define CAROM_SCHEME_SOLID_RATTLE_JOINTS_H

#include "model/solid/strike/solid_balls.h"

struct carom_rattle_joints;

/* NULL: out of memory. */
struct carom_rattle_joints *carom_rattle_joints_create(const struct carom_solid_balls *balls);
void carom_rattle_joints_free(struct carom_rattle_joints *joints);

/* Balls have moved from q0 to q by h v as if nothing held them: impulses along what joints hold at q0 bring q, and v
 * with it, to where they do. False: there is no such place near, the step is too long. */
bool carom_rattle_joints_move(struct carom_rattle_joints *joints, double h, const double *q0, double *q, double *v);

/* And velocities at q to what joints allow there. */
void carom_rattle_joints_stop(struct carom_rattle_joints *joints, const double *q, double *v);

#endif
