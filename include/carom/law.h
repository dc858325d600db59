/* A law turns the overlap of one contact into a force. It knows nothing of bodies, dimension or scheme: batches of
 * contacts in, batches of numbers out. All laws have the form
 *
 *     force = elastic(d, h) + d/dt viscous(d),   drag(d) = viscous'(d),   d = overlap, h = the law's own history
 *
 * so that schemes may integrate the damping exactly (`viscous` is the impulse the damper has given since touch; it
 * makes the regularised variables of James et al. 2020, eq. (10)). Where contact ends is not the law's business but
 * the contact's (`enum carom_ending` in carom/contact.h).
 *
 * History has rates, or it has phases: then it stays as it is inside a phase (loading, unloading, ...), and what ends
 * the phase (the turning point, the end of contact) is found by the scheme, which asks the law to turn over. Zero
 * history is a contact that has never been loaded. */
#ifndef CAROM_LAW_H
#define CAROM_LAW_H

#include "carom/param.h"

CAROM_BEGIN

struct carom_law;

/* n contacts of one law. Outputs that are NULL are not wanted. Open contacts (deform <= 0) give zeros. */
struct carom_batch {
    const struct carom_law *law; /* whose they are: laws made while a program runs find their own data around it */
    size_t n;
    const double *const *param;   /* a column per row of the law's table: param[i][j] belongs to contact j */
    const double *deform;         /* overlap d; negative: the gap */
    const double *rate;           /* d'; needed for power and history_rate, else may be NULL */
    const double *const *history; /* nh columns */
    double *elastic;              /* force at rest */
    double *slope;                /* d elastic / d d */
    double *viscous;              /* impulse of the damper since touch */
    double *drag;                 /* d viscous / d d */
    double *power;                /* dissipated power, drag * rate^2 and what history loses */
    double *energy;               /* stored energy */
    double *const *history_rate;  /* nh columns */
};

/* F = k (d^p + gamma d/dt d^b) in numbers; b = 0: Kuwabara and Kono's spheres, b = p = 3/2, or no damping at all */
enum { CAROM_LAW_K, CAROM_LAW_P, CAROM_LAW_GAMMA, CAROM_LAW_B, CAROM_LAW_FORM };

struct carom_law {
    struct carom_kind kind; /* all fields of the described struct are doubles, in table order */
    size_t nh;              /* history numbers per contact */
    bool rigid;             /* no overlap, no force law: impacts and constraints; its first parameter is e */
    void (*evaluate)(const struct carom_batch *batch);
    /* c >= 0 if force = elastic + c d(elastic)/dt for contact j, negative if there is no such time;
     * NULL: 0 (no damping). Tailored schemes ask for it. */
    double (*viscous_time)(const double *const *param, size_t j);

    /* The rest may be NULL. Laws that pull as soon as bodies touch: -elastic there. Only contacts that come and go take
     * them, under schemes that see to the jump. */
    double (*pull)(const double *const *param, size_t j);

    /* Laws of the form above, as kernels on devices are told of them: that of contact j. */
    void (*form)(const double *const *param, size_t j, double form[CAROM_LAW_FORM]);

    /* Can this law be with the parameters of contact j? If not, the error says why. */
    enum carom_status (*accept)(const double *const *param, size_t j, struct carom_error *error);

    /* Laws that lose the same part of the energy at every speed, and whose way out takes e times as long as their way
     * in: the restitution of a pair, and the value of the parameter `damping` that gives restitution e. */
    const char *damping; /* the parameter that a restitution chooses; NULL: gamma, if there is one */
    double (*restitution)(const double *const *param, size_t j);
    double (*damping_of)(const double *const *param, size_t j, double e);

    /* Laws with phases. How far contact j is from the end of its phase: margin[0] in overlap, margin[1] in rate,
     * HUGE_VAL where that does not matter; the phase is over once one of them is negative. `turn` begins the next
     * phase, margin `by` (0, 1) having ended the last: force and stored energy are the same before and after. */
    void (*margin)(const double *const *param, const double *const *history, size_t j, double deform, double rate,
                   double margin[2]);
    void (*turn)(const double *const *param, double *const *history, size_t j, double deform, int by);
    /* If slopes jump where phases end: the force as the phase of contact j has it, also beyond its end. */
    double (*within)(const double *const *param, const double *const *history, size_t j, double deform);
};

extern const struct carom_law carom_law_hertz;
extern const struct carom_law carom_law_kuwabara_kono;
extern const struct carom_law carom_law_power;
extern const struct carom_law carom_law_hunt_crossley;
extern const struct carom_law carom_law_hertz_dashpot;
extern const struct carom_law carom_law_linear_dashpot;
extern const struct carom_law carom_law_bistiff;
extern const struct carom_law carom_law_walton_braun;
extern const struct carom_law carom_law_dmt;
extern const struct carom_law carom_law_rigid;

/* Columns of law rigid, in its table's order. */
enum { CAROM_RIGID_E, CAROM_RIGID_K, CAROM_RIGID_P, CAROM_RIGID_MU, CAROM_RIGID_MU_STATIC, CAROM_RIGID_COLUMNS };

CAROM_END

#endif
