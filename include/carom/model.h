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

#include "carom/law.h"

/* What a model offers and a scheme may need. */
enum carom_trait {
    CAROM_DIAGONAL_MASS = 1 << 0,
    CAROM_CONSTANT_MASS = 1 << 1,
    CAROM_FLAT = 1 << 2,         /* q' = v */
    CAROM_POTENTIAL = 1 << 3,    /* the parts' own forces come from a potential and do not depend on v or t */
    CAROM_CHAIN = 1 << 4,        /* one row of beads, contacts between neighbours: tridiagonal stiffness */
    CAROM_VISCOUS_TIME = 1 << 5, /* every contact: force = elastic + c d(elastic)/dt, not clipped unless c = 0 */
    CAROM_ONE_VISCOUS_TIME = 1 << 6, /* and c is the same at all contacts */
    CAROM_MEMORYLESS = 1 << 7,   /* no law has history */
    CAROM_COMPLIANT = 1 << 8,    /* no contact is rigid */
    CAROM_RIGID = 1 << 9,        /* every contact is rigid: impulses instead of forces */
};

#define CAROM_PORT_WIDTH 64 /* a port depends on at most so many velocities of its part */

/* The value of a port: where the gap function stands and how it depends on the part's q and on t. */
struct carom_port {
    double value;
    double drift;        /* partial derivative in t */
    size_t first, count; /* slope[0..count) belongs to the part's velocities first, first + 1, ... */
    double slope[CAROM_PORT_WIDTH]; /* value' = slope . v + drift */
};

/* A kind of part. `own` is the part's data. Functions see the part's own slices of q and v. */
struct carom_part {
    struct carom_kind kind;
    unsigned offers; /* DIAGONAL_MASS, CONSTANT_MASS, FLAT, POTENTIAL */
    void (*sizes)(const void *own, size_t *nq, size_t *nv, size_t *nports);
    void (*force)(const void *own, double t, const double *q, const double *v, double *f);
    void (*mass_apply)(const void *own, const double *q, const double *v, double *p);
    void (*mass_solve)(const void *own, const double *q, const double *p, double *v);
    /* kinetic and stored energy */
    void (*energy)(const void *own, double t, const double *q, const double *v, double *kinetic, double *stored);
    void (*port)(const void *own, size_t i, double t, const double *q, struct carom_port *out);
    /* the rest may be NULL */
    void (*flow)(const void *own, const double *q, const double *v, double *rate);     /* T(q) v; NULL: v */
    void (*move)(const void *own, const double *q, const double *step, double *moved); /* NULL: q + step */
    /* power the part dissipates itself and power its loads and drives put in */
    void (*power)(const void *own, double t, const double *q, const double *v, double *dissipated, double *work);
    /* times at which loads break: writes up to `room`, returns how many there are */
    size_t (*breaks)(const void *own, double *times, size_t room);
    /* Parts with bilateral constraints, which mass_solve respects: accelerations under the forces f (those of contacts
     * included) with the constraints held, instead of mass_solve; q and v pulled back onto the constraints. */
    void (*accelerate)(const void *own, double t, const double *q, const double *v, const double *f, double *a);
    void (*project)(const void *own, double t, double *q, double *v);
    /* where numbers are not finite: says which equation is at fault; CAROM_OK if none is */
    enum carom_status (*explain)(const void *own, double t, const double *q, const double *v,
                                 struct carom_error *error);
    void (*release)(void *own);
};

/* A part in a model, with its slices. */
struct carom_member {
    const struct carom_part *part;
    void *own;
    size_t nq, nv, nports;
    size_t q0, v0, port0; /* offsets */
};

/* Contacts first, first + 1, ... of one law and ending; columns of parameters as in carom_batch. */
struct carom_group {
    const struct carom_law *law;
    enum carom_ending ending;
    size_t first, count;
    size_t ncolumns;
    double **param;
    size_t history0; /* the group's columns of history: history0 + i * count */
};

#define CAROM_WALL_LEFT (-1)
#define CAROM_WALL_RIGHT (-2)

struct carom_model {
    size_t nparts;
    struct carom_member *member;
    size_t nq, nv, nports, nh;
    size_t nc;              /* contacts */
    int32_t (*pair)[2];     /* nc: ports a (left) and b (right), or a wall */
    double *gap;            /* nc: y at zero displacement */
    size_t ngroups;
    struct carom_group *group;
    unsigned offers;        /* set by carom_model_finish */
    bool damped, clipped;   /* can any contact dissipate; does any end by force while damped */
};

/* Builds a model: create, add parts, add contacts from left to right, finish. The model owns what it is given. */
struct carom_model *carom_model_create(void); /* NULL: out of memory */
void carom_model_free(struct carom_model *model);

/* Adds a part; `own` is released by the part's `release` when the model goes, also if this fails. */
enum carom_status carom_model_add(struct carom_model *model, const struct carom_part *part, void *own,
                                  struct carom_error *error);

/* Adds `count` contacts of one law after those already there; columns[i] (count values each) follow the law's
 * table and are copied, as are pair and gap. */
enum carom_status carom_model_join(struct carom_model *model, const struct carom_law *law, enum carom_ending ending,
                                   size_t count, const int32_t (*pair)[2], const double *gap,
                                   const double *const *columns, struct carom_error *error);

/* Reads all contacts anew, as contacts of one law that end when the gap opens; columns (nc values each) as above. */
enum carom_status carom_model_rejoin(struct carom_model *model, const struct carom_law *law,
                                     const double *const *columns, struct carom_error *error);

/* Works out offsets and what the model offers; refuses pairs that do not exist. */
enum carom_status carom_model_finish(struct carom_model *model, struct carom_error *error);

/* --- a row of beads ------------------------------------------------------------------------------------------ */

/* Part `beads`: bodies on a line, q = displacements from the reference in which neighbours just touch or stand
 * apart by the contacts' gaps (displacements, not positions: overlaps are a millionth of a radius). */
struct carom_beads {
    size_t n;
    double *mass;         /* n */
    double *inverse_mass; /* n, set by carom_beads_create */
    double *radius;       /* n, or NULL: 1/2 each, for pictures only */
    double *spring;       /* n local springs (Newton's cradle), or NULL: none */
};

extern const struct carom_part carom_part_beads;

/* Copies the arrays; radius and spring may be NULL. */
struct carom_beads *carom_beads_create(size_t n, const double *mass, const double *radius, const double *spring,
                                       struct carom_error *error);

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

/* --- scales ---------------------------------------------------------------------------------------------------- */

/* What errors and steps are measured by. */
struct carom_scales {
    double speed;        /* V: largest speed given or reachable */
    double contact_time; /* shortest contact of a pair that closes with V */
    double length;       /* U = V x contact time */
};

/* Finds the scales for a start (q, v); all zero if nothing can move. */
enum carom_status carom_scales_find(const struct carom_model *model, const double *q, const double *v,
                                     struct carom_scales *scales, struct carom_error *error);

#endif
