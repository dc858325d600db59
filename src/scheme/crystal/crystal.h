/* Implicit steps of discs, spheres and walls whose contacts come and go: granular crystals. The unknown of a step is
 * where the bodies stand at its end; the matrix is that of the contact graph, symmetric and positive definite, and
 * systems are solved by conjugate gradients, never by factors, which fill up in space. */
#ifndef CAROM_SCHEME_CRYSTAL_CRYSTAL_H
#define CAROM_SCHEME_CRYSTAL_CRYSTAL_H

#include "model/bodies/list.h"
#include "model/bodies/meet.h"
#include "model/bodies/search.h"
#include "scheme/stepper.h"

enum carom_crystal_form {
    CAROM_CRYSTAL_EM,     /* mean force by energies */
    CAROM_CRYSTAL_CN_REG, /* mean force of both ends */
    CAROM_CRYSTAL_THETA,  /* the same, and places moved by (gamma^2/4) dF */
    CAROM_CRYSTAL_GL_REG,
    CAROM_CRYSTAL_IRK,
};

/* All contacts of the list with the bodies at one place, and what their laws say. */
struct carom_crystal_end {
    double *deform, *elastic, *slope, *viscous, *drag, *energy;
    double (*normal)[3];
};

enum {
    CAROM_CRYSTAL_ENDS = 3,
    CAROM_CRYSTAL_BODIES = 128,
    CAROM_CRYSTAL_CONTACTS = 256
}; /* the last two: of a block */

/* What a block of bodies or contacts found; joined in their order. */
struct carom_crystal_block {
    double worst, longest, stiffest, farthest; /* of bodies: residual, way, stiffness over mass, displacement */
    double way;                                /* longest way in parts of what a step may go */
    bool broken;                               /* not finite, or bodies that have run into each other */
    bool switched, ended;                      /* of contacts */
    size_t deep;                               /* a contact that is pressed too deep; SIZE_MAX: none */
};

struct carom_crystal {
    const struct carom_bodies *bodies;
    struct carom_threads *threads;
    enum carom_crystal_form form;
    bool paper; /* dissipation as on rows, which damps the turning of normals too */
    size_t dim, n;
    struct carom_search search;
    struct carom_columns columns;
    double smallest; /* radius of a ball */
    bool curved;     /* are there walls other than planes and flat faces? */
    /* per contact of the list */
    size_t contacts; /* there is room for */
    struct carom_meet_balls *balls;
    struct carom_crystal_end end[CAROM_CRYSTAL_ENDS];
    double *gamma;                        /* viscous times; theta */
    double (*impulse)[3], (*aside)[3];    /* on side b in the step under way; of places, theta and two stages */
    double *mean;                         /* mean elastic force of the step */
    double (*rub)[3], *pressed, *closing; /* with friction, at the start: its force on b, normal force, closing rate */
    double (*spin)[2][3];                 /* with friction: torques on a and b */
    double *spent;                        /* what dampers took in the step; two stages */
    double *stiff[2];                     /* of the matrix: real and, where it is complex, imaginary part */
    uint64_t *side;                    /* two: those of search.side that are stiff, each body's from search.first on */
    struct carom_crystal_block *found; /* per block of contacts */
    /* per body, `dim` numbers each unless told otherwise */
    double *ease;                     /* one number: 1/mass, 0 where fixed */
    double *shift, *given, *load;     /* x1 - x0; impulses of contacts; forces of gravity and loads */
    double *target;                   /* what the shift should be */
    double *taken;                    /* the last update */
    const double *begin;              /* nv: velocities that the step begins with; with friction: w->kicked */
    double *kicked, *kicked_own;      /* nv; only with friction; of two stages, the velocities that these step */
    double early_work;                /* that leads put in by the first kick of friction */
    double *middle;                   /* q half-way, where walls are curved */
    double *turn;                     /* nv numbers: ways of a step */
    uint32_t *stiffs;                 /* one number: how many stiff contacts */
    struct carom_crystal_block *body; /* per block of bodies */
    /* of the two stages of gl-reg and irk: where bodies are, their velocities, what pushes them, and over masses what
     * their dampers have given */
    double *stage[2], *speed[2], *push[2], *damp[2];
    double *over[2];     /* nv: of led bodies, their velocities at the stages */
    void *room;          /* where the arrays of numbers are */
    double viscous_time; /* the one of all contacts; irk */
    /* of the solver, complex where the matrix is */
    double *x, *rest, *eased, *way, *image;
    double *block;            /* dim x dim: inverse blocks of the diagonal */
    const double (*along)[3]; /* the matrix' normals */
    const struct carom_contacts *list;
    bool *carried; /* by columns of the list: is there anything in it? */
    bool ready;    /* balls and end[0] belong to the state of this step and time */
    uint64_t step;
    double time;
    struct carom_error fault; /* that halving a step does not mend */
};

/* A step that threads share out. */
struct carom_crystal_sweep {
    struct carom_crystal *w;
    const struct carom_state *from;
    struct carom_state *to;
    const double *q;
    struct carom_crystal_end *end;
    double h;
};

enum carom_crystal_outcome {
    CAROM_CRYSTAL_SOLVED,
    CAROM_CRYSTAL_FAILED,  /* a shorter step may do */
    CAROM_CRYSTAL_ESCAPED, /* someone has gone so far that the list may miss contacts: again with a new one */
};

static inline size_t carom_crystal_blocks(size_t n, size_t block)
{
    return (n + block - 1) / block;
}

static inline size_t carom_crystal_last(size_t block, size_t size, size_t n)
{
    return n - block * size < size ? n : (block + 1) * size;
}

/* Has the matrix imaginary parts? */
static inline bool carom_crystal_complex(const struct carom_crystal *w)
{
    return w->form == CAROM_CRYSTAL_GL_REG || w->form == CAROM_CRYSTAL_IRK;
}

static inline bool carom_crystal_has_wall(const struct carom_crystal *w, size_t j)
{
    return w->balls[j].near == HUGE_VAL;
}

/* --- crystal_contacts.c */

bool carom_crystal_contacts_reserve(struct carom_crystal *w, size_t n);
void carom_crystal_contacts_free(struct carom_crystal *w);

/* What contacts keep as long as list and anchors are the same. */
void carom_crystal_contacts_prepare(struct carom_crystal *w, const struct carom_state *state,
                                    struct carom_state *other);

/* All contacts with the bodies at q; false: some have run into each other. */
bool carom_crystal_contacts_place(struct carom_crystal *w, const struct carom_contacts *c, const double *q,
                                  struct carom_crystal_end *end);
/* Those of a block; balls that `shift` does not move stay as they are in end[0] (NULL: all are worked out). */
bool carom_crystal_contacts_place_block(struct carom_crystal *w, const struct carom_contacts *c, const double *q,
                                        const double *shift, struct carom_crystal_end *end, size_t block);

/* Contact j of the list at q; false: its bodies have run into each other. */
static inline bool carom_crystal_contacts_meet(const struct carom_crystal *w, const struct carom_contacts *c, size_t j,
                                               const double *q, struct carom_meeting *m)
{
    const size_t nq = carom_bodies_nq(w->bodies);
    const double *qa = q + c->key[j].a * nq, *qb = q + c->key[j].b * nq;
    const double du[3] = {qb[0] - qa[0], qb[1] - qa[1], w->dim == 2 ? 0.0 : qb[2] - qa[2]};
    if (carom_crystal_has_wall(w, j))
        return carom_meet(w->bodies, &c->key[j], q, m);
    return carom_meet_moved(&w->balls[j], du, m);
}

/* Parameters of a contact's law, from the first of its pairing on. */
static inline void carom_crystal_params(const struct carom_crystal *w, const struct carom_contacts *c, size_t first,
                                        const double *param[CAROM_LAW_WIDTH])
{
    for (size_t i = 0; i < w->bodies->nparams; i++)
        param[i] = c->column[w->columns.param + i] + first;
}

static inline void carom_crystal_history(const struct carom_crystal *w, const struct carom_contacts *c, size_t first,
                                         const double *history[CAROM_LAW_WIDTH])
{
    for (size_t i = 0; i < w->bodies->nhistory; i++)
        history[i] = c->column[w->columns.history + i] + first;
}

/* --- crystal_matrix.c */

/* sum[i] = what contacts give to body i: `share` on side b, the opposite on side a */
void carom_crystal_matrix_gather(const struct carom_crystal *w, const double (*share)[3], size_t i, double sum[3]);

/* Notes which contacts of body i are stiff; returns the sum of their stiffness. */
double carom_crystal_matrix_note(struct carom_crystal *w, size_t i);

/* Solves (M + sum of stiff n n^T) x = rest, block-Jacobi beside it; w->rest is spent. Returns the products taken. */
size_t carom_crystal_matrix_solve(struct carom_crystal *w, double tolerance, size_t most);

/* --- crystal_newton.c */

/* The system of a step, as Newton's method needs it: the residual of what is unknown, how large it is and what rounding
 * alone makes of it; a way along a part of the update w->taken; how many stages' numbers that has, and how little of a
 * residual conjugate gradients leave. */
struct carom_crystal_system {
    enum carom_crystal_outcome (*assemble)(struct carom_stepper *stepper, void *own, double *worst, double *noise);
    void (*move)(const void *own, double part);
    size_t stages;
    double forcing;
};

enum carom_crystal_outcome carom_crystal_newton_solve(struct carom_stepper *stepper,
                                                      const struct carom_crystal_system *form, void *own);
enum carom_crystal_outcome carom_crystal_newton(struct carom_stepper *stepper, const struct carom_state *from,
                                                struct carom_state *to, double h);

/* --- crystal_stages.c */

enum carom_crystal_outcome carom_crystal_stages(struct carom_stepper *stepper, const struct carom_state *from,
                                                struct carom_state *to, double h, double end);

/* The velocities that two-stage forms step, in a state's memory after what is left of a halved step. */
static inline double *carom_crystal_own(const struct carom_state *state)
{
    return state->memory + 1;
}

/* Physical velocities to those of the scheme (sign -1) or back (1), with the contacts of `end` as they are then. */
void carom_crystal_stages_turn(struct carom_crystal *w, const struct carom_contacts *c,
                               const struct carom_crystal_end *end, double sign, const double *v, double *out);

/* --- crystal_friction.c */

/* Half of what friction gives in a step from `from`: velocities after it are w->kicked. */
void carom_crystal_friction_begin(struct carom_stepper *stepper, const struct carom_state *from, double h);

/* The rest, after a step that is solved, and what is lost by it. */
void carom_crystal_friction_end(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to,
                                double h);

/* --- crystal_ledger.c */

/* Velocities, losses and works of a step that is solved; what opened is retired. */
void carom_crystal_ledger_close(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to,
                                double h, double middle);

#endif
