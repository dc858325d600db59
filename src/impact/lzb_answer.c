/* What a blow with friction comes to at the end of its path, see lzb_friction.h and lzb_cone.h. */
#include <math.h>
#include <string.h>

#include "impact/lzb_cone.h"

/* what the impulses take, all together */
static double taken(const struct carom_lzb_friction *r)
{
    double sum = 0.0;
    for (size_t i = 0; i < r->n; i++) {
        const double *y = r->y + NUMBERS * i;
        double work = 0.5 * y[P] * (r->of->rate[i] + r->away[i]);
        for (size_t a = 0, k = r->ways * i; a < r->ways; a++, k++)
            work += 0.5 * y[Q + a] * (r->of->slip[k] + r->slip[k] + r->zero[k]);
        sum -= work;
    }
    return sum;
}

/* how what contact i takes falls as the impulses grow */
static double slope_of(const struct carom_lzb_friction *r, size_t i)
{
    const double *y = r->y + NUMBERS * i;
    double slope = y[P] * r->away[i];
    for (size_t a = 0, k = r->ways * i; a < r->ways; a++, k++)
        slope += y[Q + a] * (r->slip[k] + r->zero[k]);
    return slope;
}

/* Contacts that lose next to nothing must not gain by the errors of steps: the impulses, all made smaller or larger by
 * the same little, then take what contacts and friction say. */
static void fit_impulses(struct carom_lzb_friction *r, double wanted)
{
    for (int turn = 0; turn < 3; turn++) {
        double slope = 0.0;
        for (size_t i = 0; i < r->n; i++)
            slope += slope_of(r, i);
        const double less = slope > 0.0 ? (wanted - taken(r)) / slope : 1.0;
        if (!(fabs(less) < 10.0 * r->of->tol))
            return;
        for (size_t i = 0; i < r->n; i++) {
            r->y[NUMBERS * i + P] *= 1.0 - less;
            for (size_t a = 0; a < r->ways; a++)
                r->y[NUMBERS * i + Q + a] *= 1.0 - less;
        }
        carom_lzb_friction_look(r, r->y);
    }
}

void carom_lzb_answer(struct carom_lzb_friction *r)
{
    const struct carom_lzb_friction_problem *of = r->of;
    double lost = 0.0, friction_loss = 0.0;
    carom_lzb_friction_look(r, r->y);
    for (size_t i = 0; i < r->n; i++) {
        const double *y = r->y + NUMBERS * i;
        of->friction_loss[i] = y[RUBS];
        of->lost[i] = of->law == CAROM_LZB_FRICTION_STRONGE ? fmax(y[LOSES], 0.0) : y[LOSES];
        lost += of->lost[i];
        friction_loss += y[RUBS];
    }
    if (of->law == CAROM_LZB_FRICTION_STRONGE && !(fabs(taken(r) - friction_loss - lost) <= 0.1 * lost))
        fit_impulses(r, lost + friction_loss);
    const double off = taken(r) - friction_loss - lost;
    for (size_t i = 0; i < r->n; i++) {
        of->impulse[i] = r->y[NUMBERS * i + P];
        memcpy(of->rub + r->ways * i, r->y + NUMBERS * i + Q, r->ways * sizeof *of->rub);
        of->lost[i] +=
            of->law == CAROM_LZB_FRICTION_STRONGE && lost > 0.0 ? off * of->lost[i] / lost : off / (double)r->n;
    }
}

void carom_lzb_answer_plain(const struct carom_lzb_friction_problem *of)
{
    const double in = fmax(-of->rate[0], 0.0);
    of->impulse[0] = (1.0 + of->e[0]) * in / of->w[0];
    of->lost[0] = 0.5 * of->impulse[0] * (1.0 - of->e[0]) * in;
    of->rub[0] = of->friction_loss[0] = 0.0;
    if (of->space)
        of->rub[1] = 0.0;
}

double carom_lzb_answer_stopped(const struct carom_lzb_friction *r)
{
    const double trace = 5.0; /* times what counts as none: slips that have stopped, with what steps left of them */
    return r->rubs ? trace * r->still : 0.0;
}
