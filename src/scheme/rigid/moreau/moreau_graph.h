/* Scheme moreau-jean on discs, spheres and walls: the contacts of a step and the sparse W between them. */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_GRAPH_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_GRAPH_H

#include "model/bodies/list.h"
#include "model/bodies/search.h"
#include "model/bodies/shapes.h"
#include "scheme/rigid/moreau/moreau.h"
#include "solve/contact/lcp_sparse.h"

/* A contact that may carry an impulse in the step. */
struct carom_moreau_touch {
    struct carom_contact_key key;
    double normal[3], inverse[2];
    double e[2];                 /* of a contact that approaches, and of one that opens */
    double status;               /* enum carom_rigid_step_status before the step */
    double before, drift, after; /* gap rates */
    bool struck;                 /* in the step */
    double bore, once;           /* the impulse it would have by its last force; the part that acts at once */
    double mobility;             /* gap rate that an impulse of 1 makes */
    double mu[2];                /* of a contact that slips, and of one that stuck */
    bool stuck;                  /* did it stick before the step? */
    double resists[2];           /* mu of rolling and twisting */
    size_t turn;                 /* the first of what resists, moreau_roll.h */
};

/* An amount a part s into a step: s even + s^2 square and, from the blow on, `once` and what then grows evenly to
 * `late`. */
struct carom_moreau_course {
    double even, square, late, once;
};

enum carom_moreau_loss {
    CAROM_MOREAU_IMPACT,
    CAROM_MOREAU_FRICTION,
    CAROM_MOREAU_NUMERICAL, /* by the scheme itself */
    CAROM_MOREAU_ROLLING,
    CAROM_MOREAU_TWISTING,
    CAROM_MOREAU_LOSSES
};

struct carom_moreau_friction;
struct carom_moreau_joints;
struct carom_moreau_roll;
struct carom_moreau_sleep;

struct carom_moreau_graph {
    const struct carom_moreau_options *options;
    const struct carom_bodies *bodies;
    struct carom_rigid_step rigid; /* for kick, quiet, rounding, hit and struck */
    struct carom_search search;
    struct carom_contacts *near; /* pairs near each other */
    size_t n, room, entries, entry_room;
    struct carom_moreau_touch *touch;
    size_t *first, *column; /* W in compressed rows */
    double *value, *b, *impulse;
    double residual;         /* of the last problem */
    size_t *of_body, *sides; /* of each body n + 1 starts, and 2 x contact + side */
    struct carom_lcp_sparse_room lcp;
    struct carom_moreau_friction *friction; /* of bodies with friction, else NULL */
    struct carom_moreau_roll *roll;         /* of bodies that resist rolling, which have `friction` too */
    struct carom_moreau_joints *joints;     /* of bodies with joints, which have `friction` too */
    struct carom_moreau_sleep *sleep;       /* of bodies that may sleep, else NULL */
    double *place, *mean, *accelerate, *force, *trial, *step;   /* nq; nv each */
    double *between, *part;                                     /* nq; nv: a part into a step, moreau_pass.c */
    double *jump;                                               /* nv: what impulses that act at once do to v */
    struct carom_moreau_course lost[CAROM_MOREAU_LOSSES], work; /* along the step */
    struct carom_event *event;
    size_t nevents, event_room;
};

/* Gap rate of a contact: of b past a; bodies that are led move as in `led`. */
double carom_moreau_graph_rate(const struct carom_moreau_graph *w, const struct carom_contact_key *key,
                               const struct carom_meeting *m, const double *v, const double *led);

/* Where a key stands in a list, or its n. */
size_t carom_moreau_graph_find(const struct carom_contacts *list, const struct carom_contact_key *key);

/* The features of the contacts that a pair of those near each other may have at q; as carom_shapes_places. */
size_t carom_moreau_graph_places(const struct carom_bodies *bodies, const struct carom_contact_key *pair,
                                 const double *q, uint32_t feature[CAROM_SHAPES_MOST]);

/* Finds who is near whom; bodies that overlap where a run begins are refused. */
enum carom_status carom_moreau_graph_start(struct carom_stepper *stepper, const struct carom_state *state,
                                           struct carom_error *error);

/* Which contacts may carry an impulse in a step of h: closed now, or after gamma steps. */
enum carom_status carom_moreau_graph_choose(struct carom_stepper *stepper, const struct carom_state *from, double h,
                                            struct carom_error *error);

/* Rows of W, from the normals. */
enum carom_status carom_moreau_graph_rows(struct carom_moreau_graph *w, struct carom_error *error);

/* Notes what became of a contact in the step; false: out of memory. */
bool carom_moreau_graph_note(struct carom_moreau_graph *w, double time, uint64_t pair, enum carom_event_kind kind,
                             double impulse, double before, double after);

/* Of the impact noted last, that of contact i: what it took along the path of its blow, where one was followed. True.
 */
bool carom_moreau_graph_took(struct carom_moreau_graph *w, size_t i);

/* --- moreau_pass.c: does a step carry one body through another, so that neither end shows that they met? --------- */

/* The part of a step of h from `from`, at whose end velocities are v1, after which two bodies nearly touch that would
 * go through each other; 1 if there are none, 0 if somebody's way is too long to tell. `pair`: who does so first. */
double carom_moreau_pass_part(struct carom_moreau_graph *w, const struct carom_state *from, const double *v1, double h,
                              size_t pair[2]);

/* The part of a step of h that may be taken so that no body whose moments differ turns too far in it for what turns it
 * about itself to be found by iteration, with spins v; 1: all of it. `body`: who turns farthest. */
double carom_moreau_pass_turn(const struct carom_moreau_graph *w, const double *v, double h, size_t *body);

/* --- moreau_conclude.c: what became of the contacts of a step ---------------------------------------------------- */

/* The list of contacts at the end of a step of h, and its events; false: out of memory. */
bool carom_moreau_conclude(struct carom_moreau_graph *w, const struct carom_state *from, struct carom_state *to,
                           double h);

/* --- moreau_problem.c: the contact problem of the last step, for those who want to solve it elsewhere ------------ */

/* As `problem` of struct carom_scheme. */
enum carom_status carom_moreau_problem(struct carom_stepper *stepper, struct carom_friction_data *data, double **r,
                                       double **u, struct carom_error *error);

#endif
