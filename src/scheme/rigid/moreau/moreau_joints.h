/* Scheme moreau-jean on bodies with joints. Bodies that joints hold together are an assembly; what an impulse does to
 * one of them it does to all, J v = 0 kept, so that contacts see the joints in W alone and the joints themselves are
 * solved for exactly, assembly by assembly. Velocities are held at the end of the step, J(q1) v1 = 0, by impulses along
 * J of its middle: to order 2 they do no work, and what is left is booked as `numerical`. Positions are then moved back
 * by the nearest way, masses being the weights. */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_JOINTS_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_JOINTS_H

#include <string.h>

#include "model/bodies/joints.h"
#include "scheme/rigid/moreau/moreau_graph.h"
#include "solve/contact/friction_islands.h"

enum { CAROM_MOREAU_JOINTS_MOST = 2000 }; /* rows of one assembly, whose matrix is dense */

/* A row that is held, or a limit that may carry an impulse. */
struct carom_moreau_bond {
    size_t joint;
    struct carom_joint_row row;
    double response[2][6];       /* M^-1 row */
    double want;                 /* its rate at the end, as the row of the middle sees it */
    double before, drift, after; /* rates; drift: that of bodies that are led alone */
    double impulse;
    double once; /* of it, what answers contacts that were struck, or all of it if it is such a limit itself */
    bool motor;
    double sign, lever; /* of a limit: 1 below, -1 above, and what makes angles lengths */
    double mobility;    /* of a limit: rate that an impulse of 1 makes */
};

/* --- a row at work ----------------------------------------------------------------------------------------------- */

static inline bool carom_bond_moves(const struct carom_bodies *b, size_t i)
{
    return i != CAROM_WORLD && !b->body[i].fixed;
}

static inline void carom_bond_respond(const struct carom_bodies *b, const double *q, struct carom_moreau_bond *bond)
{
    for (int s = 0; s < 2; s++) {
        const size_t i = b->joint[bond->joint].body[s];
        memset(bond->response[s], 0, sizeof bond->response[s]);
        if (carom_bond_moves(b, i))
            carom_bodies_respond(b, i, q, bond->row.of[s], bond->response[s]);
    }
}

/* of bodies that move by themselves (v; NULL: none) and of those that are led (led; NULL: none) */
static inline double carom_bond_rate(const struct carom_bodies *b, const struct carom_moreau_bond *bond,
                                     const double *v, const double *led)
{
    const size_t nv = carom_bodies_nv(b);
    double rate = 0.0;
    for (int s = 0; s < 2; s++) {
        const size_t i = b->joint[bond->joint].body[s];
        const double *of = i == CAROM_WORLD ? NULL : b->body[i].fixed ? led : v;
        for (size_t k = 0; of && k < nv; k++)
            rate += bond->row.of[s][k] * of[i * nv + k];
    }
    return rate;
}

/* the largest number of its rows */
static inline double carom_bond_reach(const struct carom_moreau_bond *bond)
{
    double reach = 0.0;
    for (int s = 0; s < 2; s++)
        for (size_t k = 0; k < 6; k++)
            reach = fmax(reach, fabs(bond->row.of[s][k]));
    return reach;
}

static inline void carom_bond_push(const struct carom_bodies *b, const struct carom_moreau_bond *bond, double impulse,
                                   double *v)
{
    const size_t nv = carom_bodies_nv(b);
    for (int s = 0; s < 2; s++) {
        const size_t i = b->joint[bond->joint].body[s];
        for (size_t k = 0; carom_bond_moves(b, i) && k < nv; k++)
            v[i * nv + k] += impulse * bond->response[s][k];
    }
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

struct carom_moreau_assembly {
    size_t head, nbodies; /* its first body, which stands for all of them */
    size_t first, rows;   /* its bonds */
    size_t factor;        /* where its matrix begins */
};

struct carom_moreau_joints {
    size_t nassemblies, nbonds, nlimits, room, wide;
    struct carom_moreau_assembly *assembly;
    size_t *of, *seat; /* of each body: its assembly (nassemblies: none), and its place there */
    struct carom_moreau_bond *bond, *limit;
    double *factor, *rate;        /* of J M^-1 J^T; nbonds */
    double *end, *finish, *loose; /* nq; nv: the bodies at the end as far as v1 is known; v1 without joints */
    double *back;                 /* nv: how the bodies of the last step were moved back */
    size_t *pair, *at, *width;    /* as in carom_friction_system */
    double *h, *response;
};

enum carom_status carom_moreau_joints_open(struct carom_moreau_graph *w, const struct carom_model *model,
                                           struct carom_error *error);
void carom_moreau_joints_close(struct carom_moreau_graph *w);

/* Rows with the bodies at w->place and velocities w->mean; what motors push goes into v1, and what is asked of the end
 * follows from w->trial. */
void carom_moreau_joints_set(struct carom_stepper *stepper, const struct carom_state *from, double h, double *v1);

/* v becomes what the joints allow; their impulses are kept. */
void carom_moreau_joints_hold(struct carom_moreau_graph *w, double *v);

/* The same of a sudden change of v, with rows and factors of the last turn. */
void carom_moreau_joints_jolt(struct carom_moreau_graph *w, double *v);

/* The limits of joints that may carry an impulse: chosen in the first turn, then set with velocities `freely`. They are
 * the contacts after those of w->touch. */
enum carom_status carom_moreau_held_limits(struct carom_stepper *stepper, const struct carom_state *from,
                                           const double *freely, double h, bool first, struct carom_error *error);

/* The contact problem as it is with the joints. */
enum carom_status carom_moreau_held_system(struct carom_moreau_graph *w, struct carom_friction_system *system,
                                           struct carom_error *error);

/* Says that limit l could not be kept, and by whose motor. Always an error. */
enum carom_status carom_moreau_held_refuse(const struct carom_moreau_graph *w, size_t l, double t, double residual,
                                           struct carom_error *error);

/* What the limits do to velocities. */
void carom_moreau_held_push(struct carom_moreau_graph *w, double *v);

/* Which limits were struck in the step, and what that does to velocities. */
void carom_moreau_held_split(struct carom_moreau_graph *w, const struct carom_state *from, double *jump);

/* What became of the limits in the step that ends at t: noted, and kept in the state. False: out of memory. */
bool carom_moreau_held_conclude(struct carom_moreau_graph *w, const struct carom_state *from, struct carom_state *to,
                                double t);

/* Refuses a step whose joints ask for what no motion gives. */
enum carom_status carom_moreau_joints_check(const struct carom_moreau_graph *w, const double *v, double t,
                                            struct carom_error *error);

/* Losses and works of the step to `to`, and what the joints carried. */
void carom_moreau_joints_book(struct carom_moreau_graph *w, const struct carom_state *from, struct carom_state *to,
                              double h);

/* Moves the bodies of a view a part `s` into the last step back as far. */
void carom_moreau_joints_part(struct carom_moreau_graph *w, double s, struct carom_state *view);

/* Moves bodies until the joints are closed. */
enum carom_status carom_moreau_joints_close_gaps(struct carom_moreau_graph *w, double t, struct carom_state *to,
                                                 struct carom_error *error);

#endif
