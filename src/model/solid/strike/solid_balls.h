/* Part `balls`: spheres in space, or discs in the plane, beside a solid. They turn where something rubs them. */
#ifndef CAROM_MODEL_SOLID_STRIKE_SOLID_BALLS_H
#define CAROM_MODEL_SOLID_STRIKE_SOLID_BALLS_H

#include "carom/model.h"
#include "model/bodies/joints.h"

enum { CAROM_STRIKE_JOINTS = 64 }; /* beside solids: all are solved for together */

/* How the limits of a joint give way: a spring, and a dashpot of gamma times its stiffness. */
struct carom_solid_stop {
    double k, gamma;
    double mobility; /* how fast the coordinate gets by an impulse of 1 along it, as bodies stand at the start */
};

/* Cells of a solid that a joint holds as one point, their centre of mass: what it does goes to all of them by their
 * masses, so that they gain the same velocity and turn by nothing. */
struct carom_solid_anchor {
    size_t member; /* of the model: the solid */
    const struct carom_solid *solid;
    size_t count;
    uint32_t *cell;
    double mass, at[3]; /* at: where it is at the start */
    double start[3];    /* and how far its cells have come there, in the mean */
};

/* q: displacements, v: velocities, `dimension` numbers a ball. Of balls that turn there follow in v their spins (three
 * numbers in space, one in the plane). In q there follow of balls on joints how far they have turned since the start
 * (a quaternion in space, an angle in the plane). Last in both stand copies of what anchors do: how far they have moved
 * since the start, and their velocities. */
struct carom_solid_balls {
    size_t n;
    int dimension;
    double (*at)[3]; /* centres at the start */
    double *mass, *radius;
    double gravity[3]; /* energy at their places of the start: 0 */
    double *inertia;   /* NULL: they do not turn */
    size_t ncontacts;  /* that rub: all with solids, each other and walls, or none */
    size_t njoints;
    struct carom_joint *joint;     /* of balls that turn; body n and those after it: anchors */
    struct carom_solid_stop *stop; /* njoints */
    bool *joined;                  /* n x n: does a joint hold these two? They do not touch */
    size_t nanchors;
    struct carom_solid_anchor *anchor; /* njoints of room; no cell is in two of them */
};

/* What a contact of balls that turn remembers, in the bonds of a state, and after the last of them all that changes of
 * springs have taken. */
struct carom_solid_balls_bond {
    double spring[3], slips; /* axes of space */
};

extern const struct carom_part carom_part_solid_balls;

/* Balls to be filled in; NULL: out of memory. */
struct carom_solid_balls *carom_solid_balls_create(size_t n, int dimension);
void carom_solid_balls_free(struct carom_solid_balls *balls);

/* They turn from now on, and so many contacts rub them; before they are added to a model. False: out of memory. */
bool carom_solid_balls_turn(struct carom_solid_balls *balls, size_t ncontacts);

/* They are on their joints from now on, and turn. False: out of memory. */
bool carom_solid_balls_join(struct carom_solid_balls *balls);

/* How many numbers of v are velocities, and how many each spin has. */
size_t carom_solid_balls_moves(const struct carom_solid_balls *balls);
size_t carom_solid_balls_axes(const struct carom_solid_balls *balls);

/* The spin of ball i in space, 0 where it does not turn; v is the part's. */
void carom_solid_balls_spin(const struct carom_solid_balls *balls, size_t i, const double *v, double out[3]);

/* How far ball i has turned, in q, the part's, of balls on joints; at the start. */
const double *carom_solid_balls_turned(const struct carom_solid_balls *balls, size_t i, const double *q);
void carom_solid_balls_start(const struct carom_solid_balls *balls, double *q);

/* Ball i on a joint turned by `by`, from q to `to`. */
void carom_solid_balls_spun(const struct carom_solid_balls *balls, size_t i, const double by[3], const double *q,
                            double *to);

/* How many numbers of friction a state has. */
size_t carom_solid_balls_bonds(const struct carom_solid_balls *balls);

/* Does a joint hold a point of ball i in one of the solid that is this member? They do not touch. */
bool carom_solid_balls_fastened(const struct carom_solid_balls *balls, size_t i, size_t member);

/* The first numbers of anchors in q and in v, the part's; and what the cells of one do in the mean, out of the solid's
 * q or v. */
size_t carom_solid_balls_anchors_q(const struct carom_solid_balls *balls);
size_t carom_solid_balls_anchors_v(const struct carom_solid_balls *balls);
void carom_solid_balls_anchor_moved(const struct carom_solid_anchor *anchor, const double *q, double out[3]);
void carom_solid_balls_anchor_rate(const struct carom_solid_anchor *anchor, const double *v, double out[3]);

/* The balls that are this member of a model, or NULL; those of a model and their member number, or NULL. */
const struct carom_solid_balls *carom_solid_balls_at(const struct carom_model *model, size_t member);
const struct carom_solid_balls *carom_solid_balls_of(const struct carom_model *model, size_t *member);

/* Where the centre of ball i is; q is the part's. */
void carom_solid_balls_place(const struct carom_solid_balls *balls, size_t i, const double *q, double out[3]);

/* What joints hold, one number after another: all of each joint, then the coordinate whose rate its motor holds. Its
 * slopes are those of the first body and of the second. */
struct carom_solid_joint_row {
    const struct carom_joint *joint;
    bool motor;
    struct carom_joint_row row; /* gap of a motor: how far its coordinate is */
};
size_t carom_solid_balls_held(const struct carom_solid_balls *balls);
void carom_solid_balls_rows(const struct carom_solid_balls *balls, const double *q, struct carom_solid_joint_row *row);
double carom_solid_balls_row_rate(const struct carom_solid_balls *balls, const struct carom_solid_joint_row *row,
                                  const double *v);

/* The coordinate of a joint. */
void carom_solid_balls_coordinate(const struct carom_solid_balls *balls, const struct carom_joint *joint,
                                  const double *q, struct carom_joint_row *row);

/* How fast row a changes under an impulse of 1 along row b. */
double carom_solid_balls_answer(const struct carom_solid_balls *balls, const struct carom_solid_joint_row *a,
                                const struct carom_solid_joint_row *b);

/* Numbers of v that a ball has, and that any body of joints has; where number k of them stands in v, the part's, which
 * meets number k of a row's slopes; and what moves there weighs so much. */
static inline size_t carom_solid_balls_wide(const struct carom_solid_balls *balls)
{
    return balls->dimension == 3 ? 6 : 3;
}
static inline size_t carom_solid_balls_ways(const struct carom_solid_balls *balls, size_t body)
{
    return body == CAROM_WORLD ? 0 : body < balls->n ? carom_solid_balls_wide(balls) : (size_t)balls->dimension;
}
size_t carom_solid_balls_number(const struct carom_solid_balls *balls, size_t body, size_t k);
double carom_solid_balls_weight(const struct carom_solid_balls *balls, size_t number);

/* Their weights as forces, for their velocities. */
void carom_solid_balls_weigh(const struct carom_solid_balls *balls, double *force);

/* The largest speed in v, the part's, or that motors keep. */
double carom_solid_balls_speed(const struct carom_solid_balls *balls, const double *v);

#endif
