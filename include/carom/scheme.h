/* A scheme advances a state. "Take steps of your own choosing, never past t_stop; on failure leave the state
 * as it was." Samples between steps come from `dense`, never from a shortened step, and `sync` leaves the state
 * alone: so recording never changes a bit of a trajectory. */
#ifndef CAROM_SCHEME_H
#define CAROM_SCHEME_H

#include "carom/state.h"

CAROM_BEGIN

struct carom_threads;  /* threads, src/base/threads.h */
struct carom_trace;    /* who listens to forces inside impacts, carom/impact.h */
struct carom_device;   /* carom/device.h */
struct carom_ranks;    /* processes that mpirun has started together */
struct carom_patience; /* who may stop an impact that takes long, carom/impact.h */

/* Work done so far, for summaries and files. */
struct carom_counts {
    uint64_t steps, rejected, evaluations, iterations; /* iterations: Newton's */
    double smallest_step, largest_step;
    double local_error;  /* sum of the local error estimates, in units of the scales; 0 where there is none */
    uint64_t impacts;    /* sets of contacts struck at once, by impacts that have a time of their own */
    double impact_error; /* sum of the errors they state, in units of V */
};

enum carom_event_kind {
    CAROM_EVENT_OPEN = 0,
    CAROM_EVENT_CLOSE = 1,
    CAROM_EVENT_IMPACT = 2,
    CAROM_EVENT_STICK = 3,
    CAROM_EVENT_SLIP = 4,
    CAROM_EVENT_ZERO = 5
};

/* A contact opened, closed for a while, or was struck; closed, it began to stick or to slip, or its force passed 0. */
struct carom_event {
    double time;
    uint64_t contact; /* its number or, where contacts come and go, carom_event_pair of its bodies */
    enum carom_event_kind kind;
    double impulse, before, after; /* gap rate before and after; of sticking and slipping contacts the slip rate */
    double lost;                   /* of impacts: energy that this contact lost */
};

/* What an impulse takes from the motion: what its contact loses, unless it hands some of it on to others. */
static inline double carom_event_taken(double impulse, double before, double after)
{
    return -0.5 * impulse * (before + after);
}

/* Two bodies in one number, both counted from 1 (0: the world, that a joint with limits holds the other to); and out of
 * it, side 0 or 1. */
static inline uint64_t carom_event_pair(uint64_t first, uint64_t second)
{
    return first << 32 | (second & UINT32_MAX);
}

/* of contacts that come and go: bodies count from 1 */
static inline uint64_t carom_event_key_pair(const struct carom_contact_key *key)
{
    return carom_event_pair((uint64_t)key->a + 1, (uint64_t)key->b + 1);
}

static inline uint64_t carom_event_body(const struct carom_event *event, int side)
{
    return side == 0 ? event->contact >> 32 : event->contact & UINT32_MAX;
}

/* A scheme at work on a model. */
struct carom_stepper {
    const struct carom_scheme *scheme;
    const struct carom_model *model;
    const void *options; /* the struct the scheme's table describes */
    struct carom_scales scales;
    struct carom_threads *threads; /* NULL: one thread */
    struct carom_counts counts;
    const struct carom_state *renews; /* during `start`: the state of a run under way that changed; NULL: one begins */
    struct carom_state *before;       /* the scheme's variables at the start of the last step, for `dense` */
    uint64_t products;                /* of matrix and vector, where systems are solved by conjugate gradients */
    bool switched;                    /* may a contact have opened or closed in the last step? */
    size_t switched_first, switched_last; /* if so, it is one of these, [first, last); 0, 0: any */
    const struct carom_event *event;      /* nevents: what happened in the last call, if the scheme `tells` */
    size_t nevents;
    bool exact;             /* no local errors, only rounding: pilot runs are not flown */
    double worst_gap;       /* deepest overlap of rigid contacts so far, <= 0 */
    struct carom_deep deep; /* of bodies whose contacts come and go */
    double created;         /* energy that impacts made out of nothing so far */
    bool accounts;          /* all of it: what single contacts seem to give, others of the same impact have taken */
    size_t newtonian;       /* steps so far in which contacts were struck together, with Newton's law for another one */
    struct carom_cut_blows { /* so far, of several contacts: those whose path was cut before it ended */
        size_t blows;
        double energy; /* that they might have given back at most */
    } cut;
    size_t deadened; /* steps so far in which contacts had e = 0, as no impulses could give what e asks for */
    /* rigid contacts: the first impact of which no scheme can tell what comes of it, as another contact was open by
     * less than errors may be: which of the two closes first decides; or, both being one, that was held by all that
     * mu_static allows: whether it breaks away decides; or, lasts < 0, one of which Coulomb's law has many answers */
    struct carom_split {
        bool seen;
        double time, gap;
        size_t struck, open; /* contacts */
        double lasts; /* > 0: instead, impacts that die out together in so long while a force pulls `open` apart */
    } split;
    double
        left_out; /* rigid contacts, of the scales: what impacts that die out and are not followed amount to at most */
    double blur;  /* rigid contacts, of V: by how much impacts missed the rates that their law asks for, in all */
    double
        nearest; /* discs and spheres under event, of U: the least by which, where a body was struck, another contact of
                     * it was open that had not touched yet; 0: none was near. Who asks sets it to 0. */
    const void *asked; /* a pilot: the options of the run that it flies for; NULL: `options` are */
    bool finer; /* a pilot beside another: steps that no error limits are half as long, or both would err alike */
    double worst_residual;                 /* of the contact problems solved so far, a pure number */
    bool traces;                           /* impacts have forces to tell: `trace` is heard */
    const struct carom_trace *trace;       /* NULL: nobody listens */
    bool stoppable;                        /* has impacts that take long and ask `patience` */
    const struct carom_patience *patience; /* NULL: boundless. A stopped step ends with CAROM_E_STOPPED */
    double *scratch;                       /* for forces and powers of parts */
    void *work;                            /* the scheme's own */
};

/* How far one call may go. */
struct carom_bound {
    double t_stop;  /* never past this: end of the run or a break in a load */
    double t_dense; /* `dense` will be asked for this time: stop after the step that reaches it */
    size_t steps;   /* at most so many */
    bool watch;     /* stop after a step in which a contact may have opened or closed */
    /* Unless NULL, for schemes that say `looks`: called with `own` after every step from number `look_from` on, which
     * it may put off, that is not the last one of the call; false: stop there. It changes nothing of the state. */
    bool (*look)(void *own);
    void *own;
    const uint64_t *look_from;
};

struct carom_friction_data;

enum { CAROM_SCHEME_HEAD = 2 }; /* those of which there is one, see `velocities` below */

struct carom_scheme {
    struct carom_kind kind;
    unsigned needs;  /* traits a model must offer */
    int order;       /* where the force is smooth */
    int dense_order; /* of the dense output */
    bool friction;   /* knows Coulomb's friction; to all others models that have it are refused */
    bool latches;    /* knows contacts that latch, CAROM_END_LATCH; likewise */
    bool joints;     /* knows joints between bodies; likewise */
    bool meets;      /* knows contacts that join no ports, see struct carom_encounter; all others are refused them */
    bool tells;      /* knows its events itself, and fills stepper->event if bound->watch */
    bool looks;      /* calls bound->look between steps, each of which ends as a call would */
    /* a further refusal in words, or CAROM_OK; may be NULL */
    enum carom_status (*accept)(const struct carom_model *model, const void *options, struct carom_error *error);
    /* doubles to remember in the state; may be NULL: none */
    size_t (*memory)(const struct carom_model *model, const void *options);
    /* allocate the workspace */
    enum carom_status (*open)(struct carom_stepper *stepper, struct carom_error *error);
    /* physical q and v -> the scheme's own variables; NULL: they are the same */
    enum carom_status (*start)(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error);
    enum carom_status (*step)(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error);
    /* the physical state now */
    void (*sync)(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view);
    /* the same for coordinates [first, last) only; may be NULL. For models whose q and v are alike numbered; of an
     * encounter: for what may touch */
    void (*sync_range)(struct carom_stepper *stepper, const struct carom_state *state, size_t first, size_t last,
                       struct carom_state *view);
    /* Physical velocities of beads [first, last) of a row without loads out of a copy of its state that has, of these
     * and of two more on either side, q and v, and the first CAROM_SCHEME_HEAD numbers that the scheme remembers: for
     * who keeps copies and asks for few beads of them. v begins with bead `first`. May be NULL */
    void (*velocities)(struct carom_stepper *stepper, const struct carom_state *copy, size_t first, size_t last,
                       double *v);
    /* the physical state at t inside the last step; `state` is the end of that step */
    void (*dense)(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view);
    void (*close)(struct carom_stepper *stepper);
    /* from now on steps are taken on this device, or a refusal in words; NULL: it has no kernels */
    enum carom_status (*device)(struct carom_stepper *stepper, struct carom_device *device, struct carom_error *error);
    /* from now on these ranks share the steps, or a refusal in words. All call it: the first goes on, the others work
     * for it until its stepper is closed. NULL: it shares none */
    enum carom_status (*ranks)(struct carom_stepper *stepper, struct carom_ranks *ranks, struct carom_error *error);
    /* Where ranks have parts of the state: all of it is here, for who looks at it, or has `sync` or `dense` do so; a
     * rank that does not answer is an error. NULL: it is here after every call */
    enum carom_status (*whole)(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error);
    /* `fresh`, which takes over from `old` in the middle of a run, goes on with its ranks; NULL: it goes on alone */
    void (*keep_ranks)(struct carom_stepper *fresh, struct carom_stepper *old);
    /* the contact problem of the last step, which is opened, with its impulses r and rates u (carom_memory's, the
     * caller's); no contacts: none of them. NULL: it solves none. See src/solve/contact/friction_data.h */
    enum carom_status (*problem)(struct carom_stepper *stepper, struct carom_friction_data *problem, double **r,
                                 double **u, struct carom_error *error);
    /* the same method, with the same options, for models whose contacts come and go; NULL: it has none */
    const struct carom_scheme *listed;
};

extern const struct carom_scheme carom_scheme_verlet;
extern const struct carom_scheme carom_scheme_theta;
extern const struct carom_scheme carom_scheme_dp5;
extern const struct carom_scheme carom_scheme_irk;
extern const struct carom_scheme carom_scheme_rk2;
extern const struct carom_scheme carom_scheme_cn;
extern const struct carom_scheme carom_scheme_cn_reg;
extern const struct carom_scheme carom_scheme_gl;
extern const struct carom_scheme carom_scheme_gl_reg;
extern const struct carom_scheme carom_scheme_energy_momentum;
extern const struct carom_scheme carom_scheme_cvode; /* only in builds with CAROM_CVODE */
extern const struct carom_scheme carom_scheme_rattle;
extern const struct carom_scheme carom_scheme_event;
extern const struct carom_scheme carom_scheme_mannshardt;
extern const struct carom_scheme carom_scheme_moreau_jean;
extern const struct carom_scheme carom_scheme_schatzman_paoli;
extern const struct carom_scheme carom_scheme_moreau_adaptive;

/* Refuses, in one sentence, what does not fit; then opens. Free with carom_stepper_free. */
struct carom_stepper *carom_stepper_create(const struct carom_scheme *scheme, const struct carom_model *model,
                                           const void *options, const struct carom_scales *scales,
                                           struct carom_threads *threads, struct carom_error *error);
void carom_stepper_free(struct carom_stepper *stepper);

/* Doubles the scheme remembers in a state of this model. */
size_t carom_stepper_memory(const struct carom_scheme *scheme, const struct carom_model *model, const void *options);

/* From now on its steps are taken on this device, which outlives it; or a refusal in words. */
enum carom_status carom_stepper_move(struct carom_stepper *stepper, struct carom_device *device,
                                     struct carom_error *error);

CAROM_END

#endif
