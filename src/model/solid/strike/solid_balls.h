/* Part `balls`: spheres in space, or discs in the plane, beside a solid. They turn where something rubs them. */
#ifndef CAROM_MODEL_SOLID_STRIKE_SOLID_BALLS_H
#define CAROM_MODEL_SOLID_STRIKE_SOLID_BALLS_H

#include "carom/model.h"

/* q: displacements, v: velocities, `dimension` numbers a ball. Of balls that turn there follow in v their spins (three
 * numbers in space, one in the plane; how far they have turned does not matter) and in q what friction remembers. */
/* A rod without mass between the centres of two balls, or of a ball and a point of the world; or a line that a ball
 * slides along. */
struct carom_solid_joint {
    uint32_t ball[2]; /* the second may be CAROM_SOLID_WORLD */
    bool slides;
    double to[3];        /* the point of the world */
    double length;       /* of the rod */
    double across[2][3]; /* directions that a slider holds: in the plane the first alone */
};

#define CAROM_SOLID_WORLD UINT32_MAX

struct carom_solid_balls {
    size_t n;
    int dimension;
    double (*at)[3]; /* centres at the start */
    double *mass, *radius;
    double gravity[3]; /* energy at their places of the start: 0 */
    double *inertia;   /* NULL: they do not turn */
    size_t ncontacts;  /* of balls that turn: with solids, each other and walls */
    size_t njoints;
    struct carom_solid_joint *joint;
};

/* What a contact of balls that turn remembers, and after the last of them all that changes of springs have taken. */
struct carom_solid_balls_bond {
    double spring[3], slips; /* axes of space */
};

extern const struct carom_part carom_part_solid_balls;

/* Balls to be filled in; NULL: out of memory. */
struct carom_solid_balls *carom_solid_balls_create(size_t n, int dimension);
void carom_solid_balls_free(struct carom_solid_balls *balls);

/* They turn from now on; before they are added to a model. False: out of memory. */
bool carom_solid_balls_turn(struct carom_solid_balls *balls, size_t ncontacts);

/* How many numbers of v are velocities, and how many each spin has. */
size_t carom_solid_balls_moves(const struct carom_solid_balls *balls);
size_t carom_solid_balls_axes(const struct carom_solid_balls *balls);

/* The spin of ball i in space, 0 where it does not turn; v is the part's. */
void carom_solid_balls_spin(const struct carom_solid_balls *balls, size_t i, const double *v, double out[3]);

/* What contacts remember in q, the part's; NULL: they do not turn. */
struct carom_solid_balls_bond *carom_solid_balls_bonds(const struct carom_solid_balls *balls, double *q);
double carom_solid_balls_change(const struct carom_solid_balls *balls, const double *q);

/* The balls that are this member of a model, or NULL; those of a model and their member number, or NULL. */
const struct carom_solid_balls *carom_solid_balls_at(const struct carom_model *model, size_t member);
const struct carom_solid_balls *carom_solid_balls_of(const struct carom_model *model, size_t *member);

/* Where the centre of ball i is; q is the part's. */
void carom_solid_balls_place(const struct carom_solid_balls *balls, size_t i, const double *q, double out[3]);

/* What joints hold, one number after another: its rate is along . (v of the first ball - v of the second). */
struct carom_solid_joint_row {
    uint32_t ball[2];
    double along[3];
    double gap; /* 0 where it is held */
};
size_t carom_solid_balls_held(const struct carom_solid_balls *balls);
void carom_solid_balls_rows(const struct carom_solid_balls *balls, const double *q, struct carom_solid_joint_row *row);
double carom_solid_balls_row_rate(const struct carom_solid_balls *balls, const struct carom_solid_joint_row *row,
                                  const double *v);

/* Their weights as forces, for their velocities. */
void carom_solid_balls_weigh(const struct carom_solid_balls *balls, double *force);

/* The largest speed in v, the part's. */
double carom_solid_balls_speed(const struct carom_solid_balls *balls, const double *v);

#endif
