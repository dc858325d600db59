/* Joints of balls beside solids in the steps of scheme rattle. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_JOINTS_H
#define CAROM_SCHEME_SOLID_RATTLE_JOINTS_H

#include "carom/state.h"
#include "model/solid/strike/solid_strike.h"

struct carom_rattle_joints;

/* For balls on joints; NULL: out of memory. */
struct carom_rattle_joints *carom_rattle_joints_create(const struct carom_model *model);
void carom_rattle_joints_free(struct carom_rattle_joints *joints);

/* Damping at the start of a step has left these velocities to the cells of a solid. */
void carom_rattle_joints_damped(struct carom_rattle_joints *joints, size_t member, const struct carom_state *from,
                                const double *v);

/* Velocities in `to` have had their first kick, and solids have moved: balls move and turn by them, and by the impulses
 * of motors and along what joints hold in `from` that close the joints there; the latter move cells, too. */
void carom_rattle_joints_move(struct carom_rattle_joints *joints, double h, const struct carom_state *from,
                              struct carom_state *to);

/* Was there such a place near, and has no hinge gone through its limits? Else the sentence. */
enum carom_status carom_rattle_joints_bounded(const struct carom_rattle_joints *joints, const struct carom_state *to,
                                              struct carom_error *error);

/* And after the second kick to what joints allow at the end of the step, after solids have been damped as they were at
 * its start. When they have been, the work of motors, what limits have taken and what joints carry, in the mean over
 * the step, are those of `to`. */
void carom_rattle_joints_stop(struct carom_rattle_joints *joints, double h, struct carom_state *to);
void carom_rattle_joints_settle(struct carom_rattle_joints *joints, double h, const struct carom_state *from,
                                struct carom_state *to);

#endif
