/* Bi-stiffness contact of Liu, Zhao and Brogliato in time: F = K x^p, x' = d' while loading, x' = d' / es^2 while
 * unloading, and x' = d' again where x < 0, which keeps the gap: the bodies keep a dent. Of the stored energy the part
 * es^2 comes back, whatever the speed. Inside a phase x is a function of d: x = d - c, or (d - c) / es^2 while
 * unloading; the history is the phase and c, the overlap at which the force vanishes. */
#include "carom/law.h"
#include "law/kernels.h"

#define SMALLEST 1e-3 /* es: unloading is 1/es^2 times as stiff as loading */

struct bistiff {
    double k, p, es;
};

static const struct carom_param params[] = {
    {"k", CAROM_REAL, offsetof(struct bistiff, k), 1.0, CAROM_POSITIVE, HUGE_VAL, "N/m^p", "stiffness of loading",
     NULL},
    {"p", CAROM_REAL, offsetof(struct bistiff, p), 1.5, 1.0, 20.0, "1", "exponent of the force", NULL},
    {"es", CAROM_REAL, offsetof(struct bistiff, es), 1.0, SMALLEST, 1.0, "1",
     "energetic restitution: es^2 of the stored energy comes back; unloading is 1/es^2 times as stiff", NULL},
    CAROM_PARAM_END,
};

enum phase { OPEN, LOADING, UNLOADING }; /* open and loading have one formula */
enum { PHASE, CENTRE };                  /* the history */

static enum carom_status accept(const double *const *param, size_t j, struct carom_error *error)
{
    if (param[2][j] >= SMALLEST)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_INPUT,
                           "must be at least %g, got %g: unloading is 1/es^2 times as stiff as loading, and with es = "
                           "0 there is no motion in time",
                           SMALLEST, param[2][j]);
}

static void evaluate(const struct carom_batch *b)
{
    const double *k = b->param[0], *p = b->param[1], *es = b->param[2];
    for (size_t j = 0; j < b->n; j++) {
        const bool unloading = b->history[PHASE][j] == UNLOADING;
        const double steeper = unloading ? 1.0 / (es[j] * es[j]) : 1.0, c = b->history[CENTRE][j];
        const bool closed = b->deform[j] > 0.0 && b->deform[j] > c;
        const double x = closed ? (b->deform[j] - c) * steeper : 0.0;
        const double force = k[j] * carom_kernel_power(x, p[j]);
        if (b->elastic)
            b->elastic[j] = force;
        if (b->slope)
            b->slope[j] = closed ? steeper * (k[j] * p[j] * carom_kernel_power(x, p[j] - 1.0)) : 0.0;
        if (b->viscous)
            b->viscous[j] = 0.0;
        if (b->drag)
            b->drag[j] = 0.0;
        if (b->power) /* what is stored less than is given back */
            b->power[j] = force > 0.0 && unloading ? -force * b->rate[j] * (steeper - 1.0) : 0.0;
        if (b->energy)
            b->energy[j] = force * x / (p[j] + 1.0);
        for (size_t i = 0; b->history_rate && i < 2; i++)
            b->history_rate[i][j] = 0.0;
    }
}

static void margin(const double *const *param, const double *const *history, size_t j, double deform, double rate,
                   double margin[2])
{
    (void)param;
    const double c = history[CENTRE][j];
    const int phase = (int)history[PHASE][j];
    margin[0] = phase == OPEN ? c - deform : deform - c;
    margin[1] = phase == OPEN ? HUGE_VAL : phase == LOADING ? rate : -rate;
}

static void turn(const double *const *param, double *const *history, size_t j, double deform, int by)
{
    const double es = param[2][j];
    double *phase = &history[PHASE][j], *c = &history[CENTRE][j];
    if (*phase == OPEN) {
        *phase = LOADING;
    } else if (by == 0) {
        *phase = OPEN;
    } else if (*phase == LOADING) { /* x is the same on both sides */
        *phase = UNLOADING;
        *c = deform - es * es * (deform - *c);
    } else {
        *phase = LOADING;
        *c = fmax(0.0, deform - (deform - *c) / (es * es));
    }
}

static double restitution(const double *const *param, size_t j)
{
    return param[2][j];
}

static double damping_of(const double *const *param, size_t j, double e)
{
    (void)param, (void)j;
    return e;
}

const struct carom_law carom_law_bistiff = {
    .kind = {"bistiff", "stiffer when unloading: k x^p, x' = d', or d'/es^2 when unloading", params,
             sizeof(struct bistiff)},
    .nh = 2,
    .evaluate = evaluate,
    .accept = accept,
    .damping = "es",
    .restitution = restitution,
    .damping_of = damping_of,
    .margin = margin,
    .turn = turn,
};
