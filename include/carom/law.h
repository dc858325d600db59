/* A law turns the overlap of one contact into a force. It knows nothing of bodies, dimension or scheme:
 * batches of contacts in, batches of numbers out. All laws have the form
 *
 *     force = elastic(d, h) + d/dt viscous(d),   drag(d) = viscous'(d),   d = overlap, h = the law's own history
 *
 * so that schemes may integrate the damping exactly (`viscous` is the impulse the damper has given since touch;
 * it makes the regularised variables of James et al. 2020, eq. (10)). Where contact ends is not the law's
 * business but the contact's (`enum carom_ending`). */
#ifndef CAROM_LAW_H
#define CAROM_LAW_H

#include "carom/param.h"

/* How a contact ends. */
enum carom_ending {
    CAROM_END_GAP,   /* keeps pulling until the gap opens (the paper's equations) */
    CAROM_END_FORCE, /* max(0, force), without memory */
};

/* n contacts of one law. Outputs that are NULL are not wanted. Open contacts (deform <= 0) give zeros. */
struct carom_batch {
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

#define CAROM_LAW_WIDTH 16 /* a law has at most so many parameters, and so many history numbers */

struct carom_law {
    struct carom_kind kind; /* all fields of the described struct are doubles, in table order */
    size_t nh;              /* history numbers per contact */
    bool rigid;             /* no overlap, no force law: impacts and constraints; its first parameter is e */
    void (*evaluate)(const struct carom_batch *batch);
    /* c >= 0 if force = elastic + c d(elastic)/dt for contact j, negative if there is no such time;
     * NULL: 0 (no damping). Tailored schemes ask for it. */
    double (*viscous_time)(const double *const *param, size_t j);
};

extern const struct carom_law carom_law_hertz;
extern const struct carom_law carom_law_kuwabara_kono;
extern const struct carom_law carom_law_power;
extern const struct carom_law carom_law_rigid;

#endif
