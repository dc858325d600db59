/* Elastic-plastic contact after Walton and Braun (1986), with constant stiffnesses: first loading along k1 d;
 * unloading and reloading along k2 (d - r), k2 >= k1, where r = (1 - k1/k2) x (largest overlap since touch) is the
 * dent; never a pull. e = sqrt(k1/k2) at every speed. Stored is what comes back, F^2 / (2 k2); the rest is lost as
 * it is loaded. A contact whose gap has opened forgets its dent: the bodies meet next at a fresh spot. */
#include "carom/law.h"
#include "law/kernels.h"

struct walton_braun {
    double k1, k2;
};

static const struct carom_param params[] = {
    {"k1", CAROM_REAL, offsetof(struct walton_braun, k1), 1.0, CAROM_POSITIVE, HUGE_VAL, "N/m",
     "stiffness of first loading", NULL},
    {"k2", CAROM_REAL, offsetof(struct walton_braun, k2), 0.0, 0.0, HUGE_VAL, "N/m",
     "stiffness of unloading and reloading, at least k1; 0: as k1", NULL},
    CAROM_PARAM_END,
};

enum phase { OPEN, PLASTIC, ELASTIC };
enum { PHASE, DENT }; /* the history */

static enum carom_status accept(const double *const *param, size_t j, struct carom_error *error)
{
    if (param[1][j] == 0.0 || param[1][j] >= param[0][j])
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_INPUT, "unloading must be at least as stiff as loading, k1 = %g, got %g",
                           param[0][j], param[1][j]);
}

static double unloading(const double *const *param, size_t j)
{
    return param[1][j] > 0.0 ? param[1][j] : param[0][j];
}

/* Contact j with overlap d > 0: the force and its slope. An open contact stands before the lower of both lines. */
static double force_of(const double *const *param, const double *const *history, size_t j, double d, double *slope)
{
    const double k1 = param[0][j], k2 = unloading(param, j), first = k1 * d, again = k2 * (d - history[DENT][j]);
    const int phase = (int)history[PHASE][j];
    const bool plastic = phase == PLASTIC || (phase == OPEN && first <= again);
    const double force = plastic ? first : again;
    *slope = force > 0.0 ? plastic ? k1 : k2 : 0.0;
    return force > 0.0 ? force : 0.0;
}

static void evaluate(const struct carom_batch *b)
{
    for (size_t j = 0; j < b->n; j++) {
        const double k1 = b->param[0][j], k2 = unloading(b->param, j);
        double slope = 0.0;
        const double force = b->deform[j] > 0.0 ? force_of(b->param, b->history, j, b->deform[j], &slope) : 0.0;
        if (b->elastic)
            b->elastic[j] = force;
        if (b->slope)
            b->slope[j] = slope;
        if (b->viscous)
            b->viscous[j] = 0.0;
        if (b->drag)
            b->drag[j] = 0.0;
        if (b->power)
            b->power[j] = (int)b->history[PHASE][j] == PLASTIC ? force * b->rate[j] * (1.0 - k1 / k2) : 0.0;
        if (b->energy)
            b->energy[j] = force > 0.0 ? force * (0.5 * force / k2) : 0.0;
        for (size_t i = 0; b->history_rate && i < 2; i++)
            b->history_rate[i][j] = 0.0;
    }
}

static void margin(const double *const *param, const double *const *history, size_t j, double deform, double rate,
                   double margin[2])
{
    const double k1 = param[0][j], k2 = unloading(param, j), dent = history[DENT][j];
    const int phase = (int)history[PHASE][j];
    margin[0] = margin[1] = HUGE_VAL;
    if (phase == OPEN) /* touches again, or the gap opens and the dent is forgotten */
        margin[0] = dent > 0.0 ? fmin(dent - deform, deform) : -deform;
    else if (phase == PLASTIC)
        margin[1] = rate;
    else /* comes free, or yields again */
        margin[0] = fmin(deform - dent, dent - (1.0 - k1 / k2) * deform);
}

static void turn(const double *const *param, double *const *history, size_t j, double deform, int by)
{
    const double part = 1.0 - param[0][j] / unloading(param, j);
    double *phase = &history[PHASE][j], *dent = &history[DENT][j];
    (void)by;
    if (*phase == OPEN && deform < 0.5 * *dent) {
        *dent = 0.0;
    } else if (*phase == OPEN) {
        *phase = *dent > 0.0 ? ELASTIC : PLASTIC;
    } else if (*phase == PLASTIC) {
        *phase = ELASTIC;
        *dent = part * carom_kernel_overlap(deform);
    } else {
        *phase = deform - *dent < *dent - part * deform ? OPEN : PLASTIC;
    }
}

static double within(const double *const *param, const double *const *history, size_t j, double deform)
{
    const int phase = (int)history[PHASE][j];
    return phase == OPEN      ? 0.0
           : phase == PLASTIC ? param[0][j] * deform
                              : unloading(param, j) * (deform - history[DENT][j]);
}

static double restitution(const double *const *param, size_t j)
{
    return sqrt(param[0][j] / unloading(param, j));
}

static double damping_of(const double *const *param, size_t j, double e)
{
    return param[0][j] / (e * e);
}

const struct carom_law carom_law_walton_braun = {
    .kind = {"walton-braun", "elastic-plastic: loads along k1, unloads and reloads along k2", params,
             sizeof(struct walton_braun)},
    .nh = 2,
    .evaluate = evaluate,
    .accept = accept,
    .damping = "k2",
    .restitution = restitution,
    .damping_of = damping_of,
    .margin = margin,
    .turn = turn,
    .within = within,
};
