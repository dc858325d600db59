/* Scheme moreau-jean on bodies with friction: what each contact of a step does to its two bodies, along its normal and
 * its tangents, and the impulses inside Coulomb's cone that follow. */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_FRICTION_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_FRICTION_H

#include "scheme/rigid/moreau/moreau_graph.h"
#include "solve/contact/friction_islands.h"

struct carom_moreau_struck;

struct carom_moreau_friction {
    size_t room;
    size_t *pair;                   /* 2 n: bodies that move, else the number of bodies */
    double *h, *response;           /* as in carom_friction_system */
    double *tangent;                /* 6 n: the directions of the tangents, in space two of them */
    double *before, *drift, *after; /* n dim: rates along normal and tangents */
    double *b, *mu, *impulse;       /* n dim; n; n dim */
    /* b without what bounces and is sent back (n dim); where impacts must not create energy the parts of e that are
     * known to be too little and too much (2 n), and the impulses before the last attempt */
    double *bare, *part, *kept;
    double still;                       /* normal rates below which contacts do not bounce */
    bool deadened;                      /* some would not be solved with e and have none */
    bool newtonian;                     /* some were struck together, with Newton's law for that of `blow` */
    struct carom_cut_blows cut;         /* of the step */
    struct carom_moreau_struck *struck; /* contacts that are struck by another law; NULL: none yet */
    struct carom_friction_islands islands;
};

enum carom_status carom_moreau_friction_open(struct carom_moreau_graph *w, struct carom_error *error);
void carom_moreau_friction_close(struct carom_moreau_graph *w);

/* Room for n contacts. */
enum carom_status carom_moreau_friction_reserve(struct carom_moreau_graph *w, size_t n, struct carom_error *error);

/* Directions and rates with the bodies at w->place; what is asked of the impulses if bodies end with `freely` without
 * them. `guess`: impulses begin with what the contacts of `from` carried. */
void carom_moreau_friction_set(struct carom_moreau_graph *w, const struct carom_state *from, const double *freely,
                               double h, bool guess);

/* Rates of contact i along its directions; bodies that are led move as in `led`. NULL: nobody else moves. */
void carom_moreau_friction_rates(const struct carom_moreau_graph *w, size_t i, const double *v, const double *led,
                                 double *out);

/* Restitution e of contact i, where it moves at all. */
void carom_moreau_friction_bounce(struct carom_moreau_graph *w, size_t i, double e);

/* Impulses to a residual of `tol`, and towards `fine`; w->impulse gets their normal parts. */
enum carom_status carom_moreau_friction_solve(struct carom_stepper *stepper, double t, struct carom_error *error);

/* The same of contacts with rates b (n dim) that ask for nothing else; `impulse` begins with a guess. */
enum carom_status carom_moreau_friction_rest(struct carom_stepper *stepper, double t, const double *b, double *impulse,
                                             struct carom_error *error);

/* From velocities `freely` to v1 with the impulses of the step. Where impacts must not create energy (option bounded),
 * e of islands that did is lowered, by halving, until they do not. */
enum carom_status carom_moreau_bound(struct carom_stepper *stepper, double t, const double *freely, double *v1,
                                     struct carom_error *error);

/* What they do to velocities; `once`: what acts at once alone. */
void carom_moreau_friction_push(const struct carom_moreau_graph *w, double *v, bool once);

/* Rates after, losses and works; returns what was lost. */
double carom_moreau_friction_book(struct carom_moreau_graph *w, struct carom_state *to);

/* What contact j of a list keeps of its tangential force: of contact i of the step, over h. */
void carom_moreau_friction_keep(const struct carom_moreau_graph *w, size_t i, double h, struct carom_contacts *list,
                                size_t j);

/* Does contact i of the step stick: is its tangential impulse inside the cone, away from its edge? */
bool carom_moreau_friction_sticks(const struct carom_moreau_graph *w, size_t i);

#endif
