/* The model: what is constant. A list of parts (beads, mechanisms, solids) and the contacts between them,
 *
 *     M(q) v' = F(t, q, v) + G(t, q) lambda,   q' = T(q) v,   gap y = g(t, q).
 *
 * A part offers ports: scalar functions of (t, q) such as "displacement of bead 7" or "distance of the
 * pendulum from its stop". A contact joins two ports a and b (or one port and a wall):
 *
 *     y = gap + port_b - port_a,   overlap d = -y,   force pushes b up and a down.
 *
 * Arrays are open and flat, their sizes written beside them. */
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include <stdint.h>

#include "carom/contact.h"
#include "carom/param.h"
#include "carom/signal.h"

CAROM_BEGIN

struct carom_threads; /* src/base/threads.h */

/* What a model offers and a scheme may need. */
enum carom_trait {
    CAROM_DIAGONAL_MASS = 1 << 0,
    CAROM_CONSTANT_MASS = 1 << 1,
    CAROM_FLAT = 1 << 2,             /* q' = v */
    CAROM_POTENTIAL = 1 << 3,        /* the parts' own forces come from a potential and do not depend on v or t */
    CAROM_CHAIN = 1 << 4,            /* one row of beads, contacts between neighbours: tridiagonal stiffness */
    CAROM_VISCOUS_TIME = 1 << 5,     /* every contact: force = elastic + c d(elastic)/dt, not clipped unless c = 0 */
    CAROM_ONE_VISCOUS_TIME = 1 << 6, /* and c is the same at all contacts */
    CAROM_MEMORYLESS = 1 << 7,       /* no law has history */
    CAROM_COMPLIANT = 1 << 8,        /* no contact is rigid */
    CAROM_RIGID = 1 << 9,            /* every contact is rigid: impulses instead of forces */
    CAROM_FIXED_CONTACTS = 1 << 13,  /* the list of contacts is the model's and stays as it is */
    CAROM_UNDRIVEN = 1 << 12,        /* no body or wall has a motion of its own that is prescribed */
};

#define CAROM_PORT_WIDTH 64 /* a port depends on at most so many velocities of its part */

/* The value of a port: where the gap function stands and how it depends on the part's q and on t. */
struct carom_port {
    double value;
    double drift;                   /* partial derivative in t */
    size_t first, count;            /* slope[0..count) belongs to the part's velocities first, first + 1, ... */
    double slope[CAROM_PORT_WIDTH]; /* value' = slope . v + drift */
};

/* What a signal does that a part follows. */
enum carom_action {
    CAROM_ACTS_FORCE = 1 << 0,  /* pushes bodies */
    CAROM_ACTS_BODY = 1 << 1,   /* gives a body its motion: the part's `impose` */
    CAROM_ACTS_PORT = 1 << 2,   /* moves ports by themselves: walls and floors */
    CAROM_ACTS_INSIDE = 1 << 3, /* enters the part's own equations, and moves no port */
};

/* What a part says of its bodies in files and pictures. The arrays are its own; NULL: there is none. */
struct carom_particles {
    int dimension; /* of the space they move in */
    size_t n;
    const double *mass, *radius; /* n */
};

/* A kind of part. `own` is the part's data. Functions see the part's own slices of q and v. */
struct carom_part {
    struct carom_kind kind;
    unsigned offers; /* DIAGONAL_MASS, CONSTANT_MASS, FLAT, POTENTIAL */
    void (*sizes)(const void *own, size_t *nq, size_t *nv, size_t *nports);
    /* Doubles that `energy` and `jump`, and those that `force` and `power`, may write on while they are at work, handed
     * to them as `scratch`: a part does not change, and whoever asks brings its own. NULL: none. */
    void (*scratch)(const void *own, size_t *energy, size_t *force);
    void (*force)(const void *own, double t, const double *q, const double *v, double *scratch, double *f);
    void (*mass_apply)(const void *own, const double *q, const double *v, double *p);
    void (*mass_solve)(const void *own, const double *q, const double *p, double *v);
    /* kinetic and stored energy */
    void (*energy)(const void *own, double t, const double *q, const double *v, double *scratch, double *kinetic,
                   double *stored);
    void (*port)(const void *own, size_t i, double t, const double *q, struct carom_port *out);
    /* the rest may be NULL */
    /* the same energies, to the bit, where threads may share the work */
    void (*energy_shared)(const void *own, struct carom_threads *threads, double t, const double *q, const double *v,
                          double *scratch, double *kinetic, double *stored);
    /* How port i slips along what it touches, for friction: value' is the slip rate. False: it has no direction to
     * slip in. out NULL: only answers. */
    bool (*tangent)(const void *own, size_t i, double t, const double *q, struct carom_port *out);
    /* The same in space, where it slips in a plane: how its bodies pass each other along x, y or z (axis 0 to 2), with
     * the normal's part along it as value; no drift. */
    bool (*passage)(const void *own, size_t i, size_t axis, const double *q, struct carom_port *out);
    void (*flow)(const void *own, const double *q, const double *v, double *rate); /* T(q) v; NULL: v */
    /* q after a way `step`, rotations brought to their length; NULL: q + step. moved may be q */
    void (*move)(const void *own, const double *q, const double *step, double *moved);
    /* power the part dissipates itself and power its loads and drives put in */
    void (*power)(const void *own, double t, const double *q, const double *v, double *scratch, double *dissipated,
                  double *work);
    /* puts what is driven where it is at t, with the speed it has right after */
    void (*impose)(const void *own, double t, double *q, double *v);
    /* signal i of those the part follows, and what it does; NULL: there are no more. No step passes their breaks */
    const struct carom_signal *(*signal)(const void *own, size_t i, enum carom_action *action);
    /* energy that loads put in at once where they jump, at a break t */
    double (*jump)(const void *own, double t, const double *q, double *scratch);
    /* Parts with bilateral constraints, which mass_solve respects: accelerations under the forces f (those of contacts
     * included) with the constraints held, instead of mass_solve; q and v pulled back onto the constraints. */
    void (*accelerate)(const void *own, double t, const double *q, const double *v, const double *f, double *a);
    void (*project)(const void *own, double t, double *q, double *v);
    /* where numbers are not finite: says which equation is at fault; CAROM_OK if none is */
    enum carom_status (*explain)(const void *own, double t, const double *q, const double *v,
                                 struct carom_error *error);
    /* what makes coordinate i, or velocity i (`rate`), a length or speed that errors are compared by; NULL: 1 */
    double (*lever)(const void *own, bool rate, size_t i);
    void (*describe)(const void *own, struct carom_particles *out); /* NULL: q is all there is to say, dimension 1 */
    void (*release)(void *own);
};

/* A part in a model, with its slices. */
struct carom_member {
    const struct carom_part *part;
    void *own;
    size_t nq, nv, nports;
    size_t q0, v0, port0; /* offsets */
};

struct carom_law; /* carom/law.h */

/* Contacts first, first + 1, ... of one law and ending; columns of parameters as in carom_batch. */
struct carom_group {
    const struct carom_law *law;
    enum carom_ending ending;
    size_t first, count;
    size_t ncolumns;
    double **param;
    size_t nh;       /* columns of history: the law's and, if its contacts latch, whether they are latched */
    size_t history0; /* the group's columns of history: history0 + i * count */
};

#define CAROM_WALL_LEFT (-1)
#define CAROM_WALL_RIGHT (-2)

struct carom_drive;
struct carom_model;
struct carom_state;

/* Contacts whose gaps are no sums of ports: they depend on the coordinates of two parts at once. */
struct carom_encounter {
    /* overlaps of contacts [first, last) at q and, unless NULL, their rates; with `near` gaps of contacts that stand
     * well apart may be told too small, and without a rate */
    void (*deform)(const struct carom_model *model, size_t first, size_t last, bool near, const double *q,
                   const double *v, double *deform, double *rate);
    /* the rest may be NULL: has any of them friction, and what its springs store where contacts overlap by `deform`,
     * added to `energy`; arrays begin with contact `first` */
    bool (*rubs)(const struct carom_model *model);
    void (*energy)(const struct carom_model *model, size_t first, size_t last, const struct carom_state *view,
                   const double *deform, double *energy);
    void (*release)(void *own);
};

struct carom_model {
    size_t nparts;
    struct carom_member *member;
    size_t nq, nv, nports, nh;
    size_t energy_scratch, force_scratch; /* what one part at a time needs, see carom_part */
    size_t nc;                            /* contacts */
    int32_t (*pair)[2];                   /* nc: ports a (left) and b (right), or a wall */
    double *gap;                          /* nc: y at zero displacement */
    size_t ngroups;
    struct carom_group *group;
    unsigned offers;                         /* set by carom_model_finish */
    const struct carom_drive *wall[2];       /* how the left and right wall move; NULL: it stands still at 0 */
    bool damped, clipped;                    /* can any contact dissipate; does any that is end by force or latch */
    bool latches;                            /* does any damped contact end by CAROM_END_LATCH? */
    bool frictional;                         /* has any rigid contact, or one of an encounter, friction? */
    const struct carom_encounter *encounter; /* how the contacts meet; NULL: by ports. Only scheme rattle knows it */
    void *encounter_own;
};

/* The group that contact j is in. */
static inline const struct carom_group *carom_model_group(const struct carom_model *model, size_t j)
{
    const struct carom_group *g = model->group;
    while (j >= g->first + g->count)
        g++;
    return g;
}

/* Builds a model: create, add parts, add contacts from left to right, finish. The model owns what it is given. */
struct carom_model *carom_model_create(void); /* NULL: out of memory */
void carom_model_free(struct carom_model *model);

/* Adds a part; `own` is released by the part's `release` when the model goes, also if this fails. */
enum carom_status carom_model_add(struct carom_model *model, const struct carom_part *part, void *own,
                                  struct carom_error *error);

/* Adds `count` contacts of one law after those already there; columns[i] (count values each, or NULL: the
 * table's default) follow the law's table and are copied, as are pair and gap. */
enum carom_status carom_model_join(struct carom_model *model, const struct carom_law *law, enum carom_ending ending,
                                   size_t count, const int32_t (*pair)[2], const double *gap,
                                   const double *const *columns, struct carom_error *error);

/* Reads all contacts anew, as contacts of one law that end when the gap opens; columns (nc values each) as above. */
enum carom_status carom_model_rejoin(struct carom_model *model, const struct carom_law *law,
                                     const double *const *columns, struct carom_error *error);

/* Works out offsets and what the model offers; refuses pairs that do not exist. */
enum carom_status carom_model_finish(struct carom_model *model, struct carom_error *error);

/* --- a row of beads ------------------------------------------------------------------------------------------ */

/* A force on a bead, to the right positive. */
struct carom_load {
    size_t bead;
    struct carom_signal force;
};

/* A displacement that is prescribed. */
struct carom_drive {
    int32_t which; /* a bead, or CAROM_WALL_LEFT, CAROM_WALL_RIGHT */
    struct carom_signal place;
    double offset; /* added to it */
};

/* Part `beads`: bodies on a line, q = displacements from the reference in which neighbours just touch or stand
 * apart by the contacts' gaps (displacements, not positions: overlaps are a millionth of a radius). A driven bead
 * follows its signal whatever pushes it: its inverse mass is 0, and its mass, spring, damper and weight do not
 * count. */
struct carom_beads {
    size_t n;
    double *mass;         /* n */
    double *inverse_mass; /* n, set by carom_beads_create */
    double *radius;       /* n, or NULL: 1/2 each, for pictures only */
    double *spring;       /* n local springs (Newton's cradle), or NULL: none */
    double *damper;       /* n local dampers: force -damper v, or NULL */
    double *weight;       /* n constant forces, stored as energy -weight q, or NULL */
    double *string;       /* n lengths of strings (0: none), or NULL: force -mass down sin(q / string) */
    double down;          /* acceleration that strings work against */
    size_t nloads, ndrives;
    struct carom_load *load;
    struct carom_drive *drive;
    bool *driven; /* n, or NULL: no bead is */
    bool *pushed; /* n, or NULL: does a load act on it? */
    double held;  /* stored energy that is not set free: that of a static equilibrium */
    bool loaded;  /* is there any of damper, weight, string, load, drive? */
};

extern const struct carom_part carom_part_beads;

/* Copies the arrays; radius and spring may be NULL. */
struct carom_beads *carom_beads_create(size_t n, const double *mass, const double *radius, const double *spring,
                                       struct carom_error *error);

/* What else acts on beads; all before carom_model_finish, which looks at it. Arrays of n numbers are copied. A table
 * of a signal is taken over, also on failure: one block of carom_memory, its times first. */
enum carom_status carom_beads_damp(struct carom_beads *beads, const double *damper, struct carom_error *error);
enum carom_status carom_beads_weigh(struct carom_beads *beads, double acceleration, struct carom_error *error);
/* strings of these lengths (0: none); `large`: m down sin(q / string), q along the arc; else springs m down / string */
enum carom_status carom_beads_hang(struct carom_beads *beads, const double *string, double down, bool large,
                                   struct carom_error *error);
enum carom_status carom_beads_push(struct carom_beads *beads, size_t bead, const struct carom_signal *force,
                                   struct carom_error *error);
/* which: a bead, or a wall */
enum carom_status carom_beads_drive(struct carom_beads *beads, int32_t which, const struct carom_signal *place,
                                    struct carom_error *error);

/* Puts what is driven where it is at t, with the speed it has right after. */
void carom_model_impose(const struct carom_model *model, double t, double *q, double *v);

/* The beads of a model that offers CAROM_CHAIN, else NULL. */
const struct carom_beads *carom_model_chain(const struct carom_model *model);

/* Reference positions of the beads of a chain, the first at 0: radii and gaps added up. */
void carom_model_positions(const struct carom_model *model, double *position);

/* --- contacts of the whole model ----------------------------------------------------------------------------- */

/* Overlap d and its rate at every contact (rate may be NULL, then v may be too). */
void carom_contacts_deform(const struct carom_model *model, double t, const double *q, const double *v, double *deform,
                           double *rate);

/* The same for contacts [first, last); the arrays begin with contact `first`. */
void carom_contacts_deform_some(const struct carom_model *model, size_t first, size_t last, double t, const double *q,
                                const double *v, double *deform, double *rate);

/* The same where only contacts that touch count: gaps of others may be told too small, and without a rate. */
void carom_contacts_touch_some(const struct carom_model *model, size_t first, size_t last, double t, const double *q,
                               const double *v, double *deform, double *rate);

/* How fast every contact slips (tangent of side b - tangent of side a), in space whichever way; 0 where it has no
 * direction to slip in. */
void carom_contacts_slip(const struct carom_model *model, double t, const double *q, const double *v, double *rate);

/* Which outputs a call of carom_contacts_evaluate wants, NULL where not wanted; one number per contact. */
struct carom_response {
    double *elastic, *slope, *viscous, *drag, *power, *energy;
    double *history_rate; /* nh, laid out like the state's history */
};

/* Runs the laws on contacts [first, last). All arrays but the history begin with contact `first`. */
void carom_contacts_evaluate(const struct carom_model *model, size_t first, size_t last, const double *deform,
                             const double *rate, const double *history, const struct carom_response *out);

/* f += G lambda: pushes the ports of every contact apart. work (nparts, or NULL) += the power that ports moving by
 * themselves (drift) put into the contacts. */
void carom_contacts_push(const struct carom_model *model, double t, const double *q, const double *lambda, double *f,
                         double *work);

/* --- statics --------------------------------------------------------------------------------------------------- */

/* Presses beads [first, last) of a chain of memoryless laws with `force` and writes into q (nq) the displacements at
 * which they are in equilibrium under weights, constant loads and drives at time 0. An end that nothing holds (no wall,
 * no driven bead) gets the force as a constant load; where both ends are held, the right one is moved in by a constant
 * displacement until its contact carries the force. Beads outside, which are to strike, keep their distance. The
 * model is finished again. */
enum carom_status carom_static_press(struct carom_model *model, size_t first, size_t last, double force, double *q,
                                     struct carom_error *error);

/* --- scales ---------------------------------------------------------------------------------------------------- */

/* What errors and steps are measured by. */
struct carom_scales {
    double speed;        /* V: largest speed given or reachable */
    double contact_time; /* shortest contact of a pair that closes with V */
    double length;       /* U = V x contact time; of rigid bodies, and where nothing is touched, a flight's length */
};

/* Finds the scales for a start (q, v); all zero if nothing can move. */
enum carom_status carom_scales_find(const struct carom_model *model, const double *q, const double *v,
                                    struct carom_scales *scales, struct carom_error *error);

/* The same for a run up to `until`, which bounds how far rigid bodies, and beads that touch nothing, fly. */
enum carom_status carom_scales_within(const struct carom_model *model, const double *q, const double *v, double until,
                                      struct carom_scales *scales, struct carom_error *error);

CAROM_END

#endif
