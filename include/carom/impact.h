/* An impact law turns velocities before into velocities after, for the whole set of touching contacts at once, the
 * configuration frozen. It sees the set as a frame (src/model/frame.h): gap rates, and how impulses change them. */
#ifndef CAROM_IMPACT_H
#define CAROM_IMPACT_H

#include "carom/state.h"

CAROM_BEGIN

struct carom_frame;

/* Who listens to the forces inside impacts. Listening changes no bit of an answer. */
struct carom_trace {
    double every; /* sample i, i > 0, is at i * every of an impact's own time; 0: none is wanted */
    /* one sample: a contact of the model that carries force; samples come in the order of time */
    void (*force)(void *own, size_t contact, double time, double force);
    /* the impact that those samples belong to has ended */
    void (*end)(void *own, double time, double duration, double estimate);
    void *own;
};

/* Who may lose patience with an impact that takes long. Being asked changes no bit of an answer. */
struct carom_patience {
    bool (*lasts)(void *own); /* asked every few milliseconds; false: the impact ends with CAROM_E_STOPPED */
    void *own;
};

/* What an impact works on and what it answers; arrays hold one number per contact of the frame. */
struct carom_collision {
    const struct carom_frame *frame;
    const double *e;                 /* restitution of each contact, 0 to 1 */
    const double *k, *p;             /* force k d^p of each contact, for impacts that are `springy`; NULL: 1 and 3/2 */
    const double *mu, *mu_static;    /* friction, where the frame has tangents and the impact knows it; NULL: none */
    const struct carom_trace *trace; /* NULL: nobody listens */
    const struct carom_patience *patience; /* NULL: boundless */
    double quiet;    /* approaches no faster than this are next to nothing: springy impacts may stop them at once */
    const double *v; /* nv, before */
    double *after;   /* nv: answer, velocities after */
    double *impulse; /* answer: impulse of each contact, >= 0 */
    double *lost;    /* answer: energy each contact dissipates, - impulse (rate before + rate after) / 2; they add
                            * up to the kinetic energy lost, but for the work of ports that move (carom_frame_work) */
    double *rub;     /* answer, with mu: tangential impulse of each contact */
    double *friction_loss; /* answer, with mu: energy each takes by friction; it and `lost` add up to what is lost */
    double residual;       /* answer: how well the problem was solved, a pure number */
    size_t iterations;     /* answer: steps the solver took */
    double estimate;       /* answer: of the error of the velocities, a speed; 0: none but rounding */
    double duration;       /* answer: how long the impact took in its own time; 0 where it has none */
    double stopped;        /* answer: slips up to this are what a path has left of those that stopped; 0: rounding */
    double unfelt; /* paths of slow approaches may be off by this speed, where it is more than their tolerance */
};

/* An impact law at work on a model. */
struct carom_striker {
    const struct carom_impact *impact;
    const struct carom_model *model;
    const void *options; /* the struct the impact's table describes; NULL: its defaults */
    size_t room;         /* contacts it can take at once */
    double speed;        /* V, a speed that steps and errors may be measured by; 0: that of each impact */
    void *work;          /* its own */
};

struct carom_impact {
    struct carom_kind kind;
    bool springy; /* works with k and p, in a time of its own; tells forces to a trace */
    bool rough;   /* knows friction along the path of its impulses */
    /* allocate for sets of up to `room` contacts; may be NULL */
    enum carom_status (*open)(struct carom_striker *striker, struct carom_error *error);
    /* fails with a sentence, changing nothing but the answers, where the problem has no solution */
    enum carom_status (*solve)(struct carom_striker *striker, struct carom_collision *collision,
                               struct carom_error *error);
    void (*close)(struct carom_striker *striker);
};

extern const struct carom_impact carom_impact_newton;      /* pair by pair, the fastest approach first */
extern const struct carom_impact carom_impact_moreau;      /* all touching contacts at once */
extern const struct carom_impact carom_impact_lzb;         /* compliant contacts with energetic restitution, in time */
extern const struct carom_impact carom_impact_lzb_impulse; /* the same in steps of impulse, as printed */
extern const struct carom_impact carom_impact_poisson;     /* e is the ratio of impulses, along the path of the blow */
extern const struct carom_impact carom_impact_stronge;     /* e^2 is that of works, along the same path */

/* All of them, NULL-ended; a scheme's option `impact` counts in this order. */
extern const struct carom_impact *const carom_striker_impacts[];
extern const char *const carom_striker_names[];

struct carom_striker *carom_striker_create(const struct carom_impact *impact, const struct carom_model *model,
                                           const void *options, size_t room, struct carom_error *error);
/* Has whoever waits for this impact lost patience? Then the sentence is set. */
bool carom_striker_stopped(const struct carom_collision *collision, struct carom_error *error);
void carom_striker_free(struct carom_striker *striker);

CAROM_END

#endif
