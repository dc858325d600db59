/* Part `bodies`: discs in the plane or spheres in space, and walls, whose contacts come and go. The contacts live in
 * the state (struct carom_contacts); which law two bodies meet by, their pairing, is the model's.
 *
 * Coordinates of a body, in the plane and in space:
 *
 *     q = (ux, uy, angle, kx, ky)   v = (vx, vy, spin)
 *     q = (ux, uy, uz, quaternion w x y z, kx, ky, kz)   v = (vx, vy, vz, spin x y z), spins in the axes of space
 *
 * Its centre stands at `at` + edge x k + u: k are whole numbers that change only when the body has left its cell of
 * the grid of anchors, so that u stays short and gaps lose no digits (src/model/bodies/meet.c). */
#ifndef CAROM_BODIES_H
#define CAROM_BODIES_H

#include "carom/model.h"

CAROM_BEGIN

enum carom_surface {
    CAROM_BALL,     /* a disc of the plane or a sphere; as a container a circle or a hollow sphere */
    CAROM_PLANE,    /* a half-space; its normal points into the free side */
    CAROM_BOX,      /* size: half edges */
    CAROM_CYLINDER, /* space only; size[0]: radius, size[2]: half height along its own z */
    CAROM_CONVEX,   /* a convex polygon of the plane or polyhedron of space; rigid, and never a container */
    CAROM_COMPOUND, /* a capsule, or put together of several; rigid, and never a container */
};

/* How a body that is led moves: by displacement x signal along with a turn by spin x signal about its centre. */
struct carom_lead {
    struct carom_signal signal;
    double displacement[3]; /* of the centre, for signal 1 */
    double turn[3];         /* rotation vector for signal 1; in the plane its z */
    double *table;          /* that the signal's points live in, owned; NULL: none */
};

struct carom_convex;
struct carom_pieces;
struct carom_friction; /* carom/friction.h */

struct carom_body {
    enum carom_surface surface;
    bool inside; /* a container: its walls face inwards */
    bool fixed;  /* stands still, or is led */
    double at[3];
    double radius;  /* of balls and capsules; else 0 */
    double size[3]; /* of boxes and cylinders; of convex ones and compounds how far they reach along their own axes */
    const struct carom_convex *convex; /* corners and faces of convex bodies, and of boxes that meet them; else NULL */
    const struct carom_pieces *pieces; /* of compounds; else NULL */
    double normal[3];                  /* of planes */
    double frame[4];                   /* quaternion from the body's own axes to space at the start (w x y z) */
    double mass, inertia;              /* about the centre; 0 where fixed; the smallest where moments differ */
    double moments[3];    /* principal ones about its own axes, of walls of space where they differ; else 0 */
    double volume, depth; /* of what moves; depth: of the plane that it fills. 0: a disc 1 m thick, a sphere of space */
    uint32_t material;    /* 0, 1, ...: chooses the pairing */
    int32_t lead;         /* index into `lead`, or -1 */
};

/* By which laws two bodies meet. A parameter of a contact is param x R^radius_power x m^mass_power with the effective
 * radius R (1/R = 1/r_a + 1/r_b, a flat wall adds 0, a container 1/r_a - 1/r_b) and mass m of the two. */
struct carom_scaled {
    double param, radius_power, mass_power;
};

static inline bool carom_scaled_varies(const struct carom_scaled *scaled)
{
    return scaled->radius_power != 0.0 || scaled->mass_power != 0.0;
}

/* The ways in which bodies move past each other where they touch, each of which a friction law may resist. What the
 * law is told as slip is, for bodies that slide, the velocity of b past a; for bodies that roll, R times their relative
 * spin along the contact's plane; for bodies that twist (space only), R times that about the normal. What it answers
 * as force is then, times R, a torque on b and its opposite on a. R is the effective radius, of a ball at a wall its
 * own. */
enum carom_way { CAROM_SLIDES, CAROM_ROLLS, CAROM_TWISTS, CAROM_WAYS };

struct carom_pairing {
    const struct carom_law *law;
    enum carom_ending ending;
    struct carom_scaled param[CAROM_LAW_WIDTH];
    const struct carom_friction *friction, *rolling, *twisting; /* NULL: none */
    struct carom_scaled rub[CAROM_FRICTION_PARAMS], roll[CAROM_FRICTION_PARAMS], twist[CAROM_FRICTION_PARAMS];
};

static inline const struct carom_friction *carom_pairing_resists(const struct carom_pairing *p, enum carom_way way)
{
    return way == CAROM_SLIDES ? p->friction : way == CAROM_ROLLS ? p->rolling : p->twisting;
}

/* and its parameters */
static inline const struct carom_scaled *carom_pairing_resistance(const struct carom_pairing *p, enum carom_way way)
{
    return way == CAROM_SLIDES ? p->rub : way == CAROM_ROLLS ? p->roll : p->twist;
}

/* A force on a body: a vector times a signal. */
struct carom_body_load {
    size_t body;
    double force[3];
    struct carom_signal signal;
    double *table; /* as of a lead; NULL where another load has the same and owns it */
};

/* Joints hold two bodies, or a body and the world, to each other; only scheme moreau-jean knows them. Bodies that a
 * joint holds do not touch each other. */
enum carom_joint_kind {
    CAROM_JOINT_HINGE,    /* the bodies turn about one point; in space about one axis through it */
    CAROM_JOINT_BALL,     /* the same about all axes; of space */
    CAROM_JOINT_SLIDER,   /* they move along an axis of the first and do not turn */
    CAROM_JOINT_WELD,     /* they do neither */
    CAROM_JOINT_DISTANCE, /* a point of the one stays as far from one of the other as it is; with limits: a rope */
    CAROM_JOINTS
};

enum carom_motor { CAROM_MOTOR_NONE, CAROM_MOTOR_SPEED, CAROM_MOTOR_EFFORT };

#define CAROM_WORLD SIZE_MAX /* as the first body of a joint: it holds the second where it is */

struct carom_joint {
    enum carom_joint_kind kind;
    size_t body[2];
    double at[2][3]; /* from each centre (of the world: from the origin) to the point that is held, at the start */
    double apart[3]; /* from the first of these points to the second, at the start: 0, but for distances */
    double axis[3];  /* of hinges in space and of sliders, at the start */
    bool limited;    /* its coordinate (angle, displacement, distance; 0 at the start but for distances) stays ... */
    double limit[2]; /* ... between these */
    double e;        /* and bounces off them so */
    enum carom_motor motor;
    double drive; /* rate of the coordinate, or the torque or force along it */
    double lever; /* what makes its coordinate a length, as finish finds it: of angles how far from the axis the larger
                   * of its bodies that move reaches, else 1 */
};

/* What a rigid contact keeps in its columns of history, as the schemes for rigid contacts say. */
enum {
    CAROM_RIGID_FORCE,  /* that keeps it closed */
    CAROM_RIGID_PARTED, /* rate after its last impact */
    CAROM_RIGID_COUNT,  /* impacts in a row that each left a smaller rate than the one before */
    CAROM_RIGID_DUE,    /* when the last of them says that the next one comes */
    CAROM_RIGID_REST,   /* held while impacts die out: when they will have; 0: not so */
    CAROM_RIGID_KEEPS
};

/* What becomes of bodies that move freely and leave the domain by a side that is not joined. */
enum carom_outside {
    CAROM_OUTSIDE_KEEP,   /* they go on */
    CAROM_OUTSIDE_REMOVE, /* they stand still there and touch nobody any more; what they had is lost to the run */
    CAROM_OUTSIDE_STOP,   /* the run ends */
};

#define CAROM_UNPAIRED UINT32_MAX /* bodies that pass through each other */

struct carom_bodies {
    size_t n;
    size_t dimension; /* 2 or 3 */
    struct carom_body *body;
    double gravity[3];
    size_t nmaterials, npairings, nloads, nleads;
    struct carom_pairing *pairing;
    uint32_t *meets; /* nmaterials x nmaterials: the pairing of two materials, or CAROM_UNPAIRED */
    struct carom_body_load *load;
    struct carom_lead *lead;
    size_t njoints;
    struct carom_joint *joint;
    bool bounded, periodic[3]; /* is there a domain, and which of its sides are joined? */
    double low[3], high[3];
    enum carom_outside outside;
    double skin; /* 0: chosen */
    size_t nconvexes;
    struct carom_convex **convex; /* owned; bodies share them */
    size_t ncompounds;
    struct carom_pieces **compound; /* owned */
    /* set by carom_bodies_finish */
    double edge;    /* of the anchors' grid, a power of two */
    size_t open;    /* an axis along which the domain is not joined, if there is one */
    double largest; /* radius of a ball, or how far a body among the shapes reaches */
    double far;     /* largest coordinate of a place: the rounding of places goes with it */
    size_t nparams, nrub[CAROM_WAYS],
        nhistory;             /* columns that contacts of this model need; nrub 0: nobody resists so */
    bool clipped, frictional; /* frictional: in any way */
    bool latched;             /* sticking somewhere holds more than slipping: mu_static above mu */
    bool rigid;               /* all pairings are; or none is */
    bool tumbling;            /* is there a wall that turns freely? */
    size_t njoined;
    uint64_t *joined; /* pairs that joints hold: first body x n + second, rising */
    bool shapes;      /* and do such walls meet each other and all others? Rigid ones do */
};

extern const struct carom_part carom_part_bodies;

/* Numbers of q and v that a body has. */
static inline size_t carom_bodies_nq(const struct carom_bodies *b)
{
    return b->dimension == 2 ? 5 : 10;
}

static inline size_t carom_bodies_nv(const struct carom_bodies *b)
{
    return b->dimension == 2 ? 3 : 6;
}

/* An empty set of bodies in 2 or 3 dimensions; arrays are carom_memory's and belong to it, filled by whoever makes it.
 * NULL: out of memory. */
struct carom_bodies *carom_bodies_create(size_t dimension, size_t n, size_t nmaterials, size_t npairings, size_t nloads,
                                         size_t nleads);
void carom_bodies_free(struct carom_bodies *bodies);

/* Hands over what `convex` of some of them is, or `pieces`; it is freed here also where this fails (false: out of
 * memory). */
bool carom_bodies_keep(struct carom_bodies *bodies, struct carom_convex *convex);
bool carom_bodies_keep_pieces(struct carom_bodies *bodies, struct carom_pieces *pieces);

/* How far from its centre a body reaches; of planes 0. */
double carom_bodies_reach(const struct carom_body *body);

/* Is it a disc or sphere that others touch from outside? */
static inline bool carom_bodies_round(const struct carom_body *body)
{
    return body->surface == CAROM_BALL && !body->inside;
}

/* Is it a box or cylinder that contacts turn as they please? */
static inline bool carom_bodies_tumbles(const struct carom_body *body)
{
    return body->surface != CAROM_BALL && !body->fixed && body->inertia > 0.0;
}

/* What a turn by 1 counts as among lengths: how far it moves the surface. */
static inline double carom_bodies_lever(const struct carom_body *body)
{
    return carom_bodies_tumbles(body) ? carom_bodies_reach(body) : body->radius;
}

/* Checks what was filled in and works out the rest: call before carom_model_add. */
enum carom_status carom_bodies_finish(struct carom_bodies *bodies, struct carom_error *error);

/* What gamma_t is unless given: the viscous time of the pairing's normal law, 0 where it has none. */
struct carom_scaled carom_bodies_viscous_time(const struct carom_pairing *pairing);

/* The bodies of a model whose contacts come and go, else NULL. */
const struct carom_bodies *carom_model_bodies(const struct carom_model *model);

/* The centre of body i at q (the part's own coordinates), and how far it has moved since the start of the run. */
void carom_bodies_centre(const struct carom_bodies *bodies, size_t i, const double *q, double centre[3]);
void carom_bodies_moved(const struct carom_bodies *bodies, size_t i, const double *q, double moved[3]);

/* Of bodies [first, last) only: q moved by `step`, as the part does with all. */
void carom_bodies_move(const struct carom_bodies *bodies, size_t first, size_t last, const double *q,
                       const double *step, double *moved);

/* What body i does under a push `row`, as many numbers as a velocity has (forces and torques): out = M^-1 row. */
void carom_bodies_respond(const struct carom_bodies *bodies, size_t i, const double *q, const double *row, double *out);

/* Puts bodies that are led where they are at t, with the speed they have right after. */
void carom_bodies_impose(const struct carom_bodies *bodies, double t, double *q, double *v);

/* Anchors bodies anew that have left their cell, or body i; nobody moves by it. True if any was. */
bool carom_bodies_anchor(const struct carom_bodies *bodies, double *q);
bool carom_bodies_anchor_one(const struct carom_bodies *bodies, size_t i, double *q);

/* How far apart two states of the bodies are, rotations by what they move surfaces: places, and velocities. */
void carom_bodies_apart(const struct carom_bodies *bodies, const double *q, const double *other_q, const double *v,
                        const double *other_v, double *length, double *speed);

/* Coordinates at rest at `at`: what a start is made from. */
void carom_bodies_rest(const struct carom_bodies *bodies, double *q);

CAROM_END

#endif
