/* What the files rattle*.c share. Between steps a solid's v holds velocities and, for turning, angular momenta in
 * space axes (in the plane: the one about z). */
#ifndef CAROM_SCHEME_SOLID_RATTLE_H
#define CAROM_SCHEME_SOLID_RATTLE_H

#include <math.h>
#include <string.h>

#include "carom/scheme.h"
#include "model/solid/solid_rates.h"

struct carom_rattle_options {
    double step, tol;
};

enum { CAROM_RATTLE_STEP, CAROM_RATTLE_MEMORY }; /* what the state remembers: the step the run was given */

/* The largest stable step, for the largest frequency of the body. */
double carom_rattle_limit(const struct carom_solid *solid, double omega);

/* Refuses a step that the body or its loads do not bear, and tells its largest frequency; and one that contacts do not.
 */
enum carom_status carom_rattle_limit_check(const struct carom_solid *solid, double step, double *omega,
                                           struct carom_error *error);
enum carom_status carom_rattle_limit_contacts(const struct carom_stepper *stepper, double step,
                                              struct carom_error *error);

enum { CAROM_RATTLE_BLOCK = CAROM_SOLID_BATCH }; /* cells a thread handles at a time */

static inline size_t carom_rattle_blocks(const struct carom_solid *solid)
{
    return carom_solid_batches(solid);
}

static inline size_t carom_rattle_block_end(const struct carom_solid *solid, size_t block)
{
    return carom_solid_batch_end(solid, block);
}

/* Signals may jump at the end of a step that ends at a break: the step sees what was before. */
static inline double carom_rattle_end(const struct carom_state *state, const struct carom_bound *bound)
{
    return state->time == bound->t_stop ? nextafter(state->time, -HUGE_VAL) : state->time;
}

/* What steps on a device cannot do with the body, as what they can: "elastic bodies"; NULL: nothing. */
const char *carom_rattle_limit_lacks(const struct carom_solid *solid);

/* What a body keeps beside its cells goes on from where it was. */
static inline void carom_rattle_carry_on(const struct carom_solid *s, const double *q0, double *q1)
{
    const size_t first = s->wide * s->n;
    memcpy(q1 + first, q0 + first, (carom_solid_size(s) - first) * sizeof *q1);
}

/* Numbers of cells in space that have a sort each; skew and lopsided: how much their moments of inertia differ, see
 * rattle_space_group.h. */
enum {
    CAROM_UNLIKE_INVERSE_MASS,
    CAROM_UNLIKE_INVERSE_INERTIA,
    CAROM_UNLIKE_SKEW = CAROM_UNLIKE_INVERSE_INERTIA + 3,
    CAROM_UNLIKE_LOPSIDED = CAROM_UNLIKE_SKEW + 3,
    CAROM_UNLIKE_FRAME,
    CAROM_UNLIKE = CAROM_UNLIKE_FRAME + 4
};

/* Of bodies most of whose cells are unlike all others: these numbers, each of all cells side by side, as steps take
 * them; NULL: of bodies whose sorts are few, out of memory. */
bool carom_rattle_space_unlike_is(const struct carom_solid *solid);
double *carom_rattle_space_unlike_create(const struct carom_solid *solid);

/* One member of the model at work. */
struct carom_rattle_body {
    const struct carom_member *member;
    const struct carom_solid *solid;
    double omega;                     /* its largest frequency */
    double still[3];                  /* velocities, angular momenta, half turns below which cells are at rest */
    bool swept;                       /* does a step go in one sweep, rattle_sheet.c? */
    double *room;                     /* for these two: */
    struct carom_solid_work work;     /* of forces */
    struct carom_solid_frozen frozen; /* with stiffness-proportional damping: at the state's q, as `force` */
    double *force;                    /* fast x n, space axes, at the state's q until the drift */
    double *extension;                /* twice the loaded faces, at the start and the end of a step */
    struct carom_solid_rates *rates;  /* with stiffness-proportional damping */
    double *drag, *spin;              /* likewise, or with friction of what meets in it */
    double *unlike;                   /* carom_rattle_space_unlike_create()'s */
    double *loss;                     /* two per block, with damping by mass: of free motions, of given ones */
};

/* Says below what the body's cells are at rest, in a run of this scale of speeds, once its frequency is known. */
void carom_rattle_still(struct carom_rattle_body *body, double speed);

/* Angular velocities in principal axes -> angular momenta in space axes, in place; and back. */
void carom_rattle_motion_start(const struct carom_solid *solid, struct carom_threads *threads, const double *q,
                               double *v);
void carom_rattle_motion_sync(const struct carom_solid *solid, struct carom_threads *threads, const double *q,
                              double *v);

/* Kick and drift of cells [first, last) over h: q0, v0 -> q1 and the velocities of the middle. The number of a cell
 * that turns too fast, or SIZE_MAX. */
size_t carom_rattle_motion_drift(const struct carom_rattle_body *body, size_t first, size_t last, double h,
                                 const double *q0, const double *v0, double *q1, double *v1);

/* Does a drift leave forces of 0, as the next ones begin? Where nothing is held it does: a pass over memory less. */
static inline bool carom_rattle_space_clears(const struct carom_solid *solid)
{
    return solid->dimension == 3 && !solid->held;
}

/* The second kick, at q1; the number of a cell whose motion is not finite, or SIZE_MAX. */
size_t carom_rattle_motion_kick(const struct carom_rattle_body *body, size_t first, size_t last, double h,
                                const double *q1, double *v1);

/* The same for bodies in space, drifts in portions from `first` on; in as many lanes as the processor has: in two, as
 * all have them, or in four, NULL where it has not. */
struct carom_rattle_passes {
    size_t (*drift)(const struct carom_rattle_body *body, size_t first, size_t last, double h, const double *q0,
                    const double *v0, double *q1, double *v1);
    size_t (*kick)(const struct carom_rattle_body *body, size_t first, size_t last, double h, const double *q1,
                   double *v1);
};
extern const struct carom_rattle_passes carom_rattle_space_narrow;
const struct carom_rattle_passes *carom_rattle_space_wide(void);
const struct carom_rattle_passes *carom_rattle_space_passes(void);

/* Damping in half of step h at q, where the body's rates are frozen, friction of what meets in the body, and absorbing
 * sides; what they dissipate, and what drives put in meanwhile, goes into the state `to`. At the end of a step (`last`)
 * it goes in the other order, so that a step is symmetric. Is there any but absorbing sides? */
bool carom_rattle_damp_is(const struct carom_solid *solid);
void carom_rattle_damp(const struct carom_rattle_body *body, struct carom_threads *threads, double h, bool last,
                       const double *q, double *v, struct carom_state *to, size_t member);

/* Damping by mass in parts: velocities of a cell shrink by the factor of a time h; returns twice the kinetic energy of
 * what was free to move, and of what is given. Then what they come to: the loss, and what drives put in. */
double carom_rattle_damp_factor(const struct carom_solid *solid, double h);
double carom_rattle_damp_shrink(const struct carom_solid *solid, size_t cell, double factor, const double *q, double *v,
                                double *given);
double carom_rattle_damp_lost(const struct carom_solid *solid, double h, double free, double given, double *work);

/* Damping by stiffness in parts, of cells [first, last): their velocities with spins in space axes go to body->spin,
 * and the drag that answers to them, times factor, onto `from`. */
void carom_rattle_damp_spin(const struct carom_rattle_body *body, size_t first, size_t last, const double *q,
                            const double *v);
void carom_rattle_damp_push(const struct carom_rattle_body *body, size_t first, size_t last, double factor,
                            const double *q, const double *from, double *v);

/* Friction of what meets in the body, for a time h; the loss, and what drives put in. */
double carom_rattle_damp_rub(const struct carom_rattle_body *body, struct carom_threads *threads, double h,
                             const double *q, double *v, double *work);

/* Power of the drag on what is driven: drives have to supply it. */
double carom_rattle_damp_supplied(const struct carom_rattle_body *body, const double *v);

/* What absorbing sides do in the half of step h at its start or its end (`last`); the energy that leaves.
 */
double carom_rattle_absorb(const struct carom_solid *solid, double h, bool last, const double *q, double *v);

/* What breaks at the end t of a step, whose forces the body has; they become those of what is left. Does anything? */
bool carom_rattle_fracture(struct carom_stepper *stepper, const struct carom_rattle_body *body,
                           struct carom_state *state, size_t member, double t);

/* ... and what that comes to, once it is known what is lost. */
void carom_rattle_fracture_book(const struct carom_rattle_body *body, struct carom_state *state, size_t member,
                                double t, double lost);

/* The body's q and v between two states, `at` in [0, 1] of a step h, with angular velocities again. */
void carom_rattle_motion_between(const struct carom_rattle_body *body, struct carom_threads *threads, double at,
                                 double h, const struct carom_state *from, const struct carom_state *to,
                                 struct carom_state *view);

/* Half the work of drives on the body around the driven cells, with the forces as they are now: called with the old
 * forces and again with the new ones, it is the trapezoid. And what driven cells gain in kinetic energy. */
double carom_rattle_drive_work(const struct carom_rattle_body *body, const struct carom_state *from,
                               const struct carom_state *to, double t1);
double carom_rattle_drive_gain(const struct carom_rattle_body *body, const struct carom_state *from,
                               const struct carom_state *to);

#endif
