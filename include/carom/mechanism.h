/* Part `mechanism`: a user's own equations of motion by callbacks,
 *
 *     M(q) v' = F(t, q, v) + G lambda + J mu,   q' = v,   joints c(t, q) = 0,   distances g(t, q) for contacts.
 *
 * Zero what you do not need: slopes that are not given are taken by differences, and so are the terms that a mass
 * matrix depending on q adds to the forces. Mechanisms that carom knows by itself (`machines`) are made of this. */
#ifndef CAROM_MECHANISM_H
#define CAROM_MECHANISM_H

#include "carom/model.h"
#include "carom/signal.h"

CAROM_BEGIN

#define CAROM_MECHANISM_WIDTH 32  /* velocities, and joints, at most */
#define CAROM_MECHANISM_PLACES 64 /* coordinates, where they are more */

/* A spring, damper and drive along one distance p of the mechanism: it pushes p up by
 *     drive(t) - stiffness (p - rest) - damping p'. */
struct carom_link {
    size_t distance;
    double stiffness, rest, damping;
    struct carom_signal drive;
};

struct carom_mechanism {
    const char *name;  /* for errors; not copied */
    size_t n;          /* coordinates q, and velocities v = q' */
    size_t ndistances; /* functions g(t, q); each is a port that contacts can join */
    size_t njoints;    /* functions c(t, q) that stay 0 */
    size_t nlinks;
    const struct carom_link *link; /* nlinks; copied, tables of drives are not */
    bool constant_mass;            /* M does not depend on q: spares work */

    void *own; /* the user's data, handed to every function */
    /* M, n x n row by row, symmetric; must be there */
    void (*mass)(const void *own, const double *q, double *m);
    /* F without links and contacts; NULL: 0 */
    void (*force)(const void *own, double t, const double *q, const double *v, double *f);
    /* does `force` hold the velocity terms of M(q)? If not they are added by differences of M */
    bool velocity_terms;
    double (*distance)(const void *own, size_t i, double t, const double *q);
    /* derivatives of distance i in q (n) and in t; NULL: by differences */
    void (*slope)(const void *own, size_t i, double t, const double *q, double *slope, double *drift);
    /* Friction: how far the bodies of contact i have slipped along each other, s(t, q), a belt's motion included; its
     * derivatives. NULL, the second: by differences. NULL, the first: only how fast they slip is known. Both: no
     * friction. A slope that is all 0 is a contact that cannot slip. */
    double (*slip)(const void *own, size_t i, double t, const double *q);
    void (*slip_slope)(const void *own, size_t i, double t, const double *q, double *slope, double *drift);
    /* In space, instead: how fast they pass each other along x, y or z (axis 0 to 2), its derivatives in v (n); returns
     * the part of the contact's normal along that axis, 0 of all three where nothing slips. NULL: no friction. */
    double (*passage)(const void *own, size_t i, size_t axis, const double *q, double *slope);
    double (*joint)(const void *own, size_t i, double t, const double *q);
    void (*joint_slope)(const void *own, size_t i, double t, const double *q, double *slope, double *drift);
    /* The same numbers at once, where that spares work; NULL: one by one. A distance with its slope and, of all joints,
     * values (njoints), slopes (njoints x n) and drifts (njoints). */
    void (*place)(const void *own, size_t i, double t, const double *q, double *value, double *slope, double *drift);
    void (*joints)(const void *own, double t, const double *q, double *value, double *slope, double *drift);
    /* energy that `force` stores, power it dissipates and puts in; NULL: 0. For the ledger */
    double (*stored)(const void *own, double t, const double *q);
    void (*power)(const void *own, double t, const double *q, const double *v, double *dissipated, double *work);
    /* that `force` or `distance` follow: no step passes its breaks; NULL: none. A distance whose rate jumps there needs
     * `slope`, which gives the right limit: differences see both sides */
    const struct carom_signal *signal;
    bool still; /* no distance follows `signal`: spares work */
    /* Coordinates whose rates are not the velocities, of part carom_part_mechanism_turning: how many there are (0: n),
     * q' of v, and q after a way `step` (n), rotations brought to their length; moved may be q. All slopes and joints
     * must then be given, and hold for velocities, as must `velocity_terms`. */
    size_t nq;
    void (*flow)(const void *own, const double *q, const double *v, double *rate);
    void (*move)(const void *own, const double *q, const double *step, double *moved);
    /* how fast directions of joints turn, in radians a time; NULL: as fast as the fastest coordinate, or by 1 */
    double (*pace)(const void *own, const double *q, const double *v);
    /* what makes coordinate i, or velocity i (`rate`), a length or speed that errors are compared by; NULL: 1 */
    double (*lever)(const void *own, bool rate, size_t i);
    /* changes sign where M or `force` jumps as coordinates pass: steps of moreau-adaptive end there; NULL: nowhere */
    double (*jump)(const void *own, const double *q);
    void (*release)(void *own);
};

extern const struct carom_part carom_part_mechanism, carom_part_mechanism_turning;

/* The `own` of carom_model_add. Copies the struct; `mechanism->own` is released when the model goes, also if this
 * fails. Tries every function at (t = 0, q, v): a singular mass, dependent or violated joints and numbers that are not
 * finite are refused in a sentence that says which. */
void *carom_mechanism_create(const struct carom_mechanism *mechanism, const double *q, const double *v,
                             struct carom_error *error);

/* The mechanism that is all of a model, or NULL. */
const struct carom_mechanism *carom_mechanism_of(const struct carom_model *model);

/* --- machines: mechanisms by name ----------------------------------------------------------------------------------
 */

struct carom_outline;

/* A mechanism carom knows: its parameters are the kind's table, its signals are named. */
struct carom_machine {
    struct carom_kind kind;
    const char *const *coordinates; /* NULL-ended: what q is, for people */
    const char *const *distances;   /* NULL-ended: what the contacts are */
    const char *signal;             /* key of its signal (a force, a motion of the base), or NULL: none */
    const char *signal_unit;
    size_t signal_offset; /* of a struct carom_signal in the kind's struct */
    /* refuses parameters that do not fit together; may be NULL */
    enum carom_status (*check)(const void *parameters, struct carom_error *error);
    /* lifts a start onto what it would otherwise be inside of; may be NULL */
    void (*settle)(const void *parameters, double *q);
    /* what it looks like, for pictures: returns how many parts (src/model/mechanism/machine.h); `size`: how far the
     * first coordinate goes, for bodies that have no length of their own */
    size_t (*outline)(const void *parameters, double t, const double *q, double size, struct carom_outline *part);
    struct carom_mechanism mechanism; /* all but own and link */
};

extern const struct carom_machine carom_machine_ball, carom_machine_oscillator, carom_machine_pendulum,
    carom_machine_double_pendulum, carom_machine_rocking_block, carom_machine_slider_crank, carom_machine_block,
    carom_machine_sliding_block, carom_machine_disc, carom_machine_rod, carom_machine_kane_pendulum;

/* All of them, NULL-ended. */
extern const struct carom_machine *const carom_machines_list[];

CAROM_END

#endif
