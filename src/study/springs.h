/* Contacts of discs and spheres as springs, for small waves about a static state: each contact has the slope of its law
 * along its normal and, where it sticks, that of its friction law along its plane. */
#ifndef CAROM_STUDY_SPRINGS_H
#define CAROM_STUDY_SPRINGS_H

#include "carom/bodies.h"
#include "carom/scene.h"

struct carom_spring {
    size_t body[2];           /* from 0 */
    double way[3], normal[3]; /* from the centre of the first to that of the second (balls), and its direction */
    double length;            /* of the way; infinite at walls, where normals do not turn */
    double arm[2];            /* from the centres to the point of contact */
    double along, across;     /* stiffness: of the normal law, and of friction */
    double force;             /* static */
};

struct carom_springs {
    const struct carom_bodies *bodies;
    size_t n;            /* bodies */
    double (*centre)[3]; /* n */
    size_t nsprings, touching;
    struct carom_spring *spring;
    size_t *first, *of; /* n + 1; springs of body i are of[first[i]] ... of[first[i + 1]] */
    bool turns;         /* does any contact resist slip? Else nobody turns */
    bool prestress;     /* do static forces count, which turn with their contacts? */
};

/* The state is the scene's start; `force` > 0 instead gives every contact that touches there the overlap at which its
 * law pushes so. CAROM_E_REFUSED where no contact is stiff, for rigid contacts and for laws with a memory. */
enum carom_status carom_springs_find(const struct carom_scene *scene, double force, bool prestress,
                                     struct carom_springs *springs, struct carom_error *error);
void carom_springs_free(struct carom_springs *springs);

/* The largest force on a body that can move which nothing balances at the scene's start, and whose it is; 0: it is an
 * equilibrium. *force: the largest static one of a contact. */
enum carom_status carom_springs_unbalanced(const struct carom_springs *springs, const struct carom_scene *scene,
                                           double *unbalanced, size_t *pushed, double *force,
                                           struct carom_error *error);

/* A body's coordinates in small waves: displacements, then, if bodies turn, rotations (1 in the plane, 3 in space). */
size_t carom_springs_freedom(const struct carom_springs *springs);
double carom_springs_inertia(const struct carom_springs *springs, size_t body, size_t coordinate); /* 0: held */

/* What a spring stretches by, as sums over the coordinates of its two bodies, each stretch with a stiffness of its own
 * (below 0: static forces). */
#define CAROM_SPRINGS_STRETCHES 5
struct carom_stretch {
    double stiffness, share[2][6];
};
size_t carom_springs_stretches(const struct carom_springs *springs, const struct carom_spring *spring,
                               struct carom_stretch stretch[CAROM_SPRINGS_STRETCHES]);

/* Normal modes of all bodies that can move: `count` coordinates, omega rising, below 0 where the motion grows
 * (omega^2 < 0). `shape`, unless NULL, becomes count x count displacements, column k of mode k, whose largest is 1. */
#define CAROM_SPRINGS_MODES 2000
#define CAROM_SPRINGS_SHAPES 1000
struct carom_springs_modes {
    size_t count;
    size_t *body, *coordinate; /* count: whose, and which of its coordinates */
    double *omega, *shape;
};
enum carom_status carom_springs_modes_find(const struct carom_springs *springs, bool shapes,
                                           struct carom_springs_modes *modes, struct carom_error *error);
void carom_springs_modes_free(struct carom_springs_modes *modes);

/* The frequency of an eigenvalue, of which those beside `largest` are rounding. */
double carom_springs_omega(double eigenvalue, double largest);

#endif
