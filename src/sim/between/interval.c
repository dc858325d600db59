/* Integrals over one interval between looks, see interval.h. */
#include "sim/between/interval.h"

#include "solve/locate.h"

/* In no time there are no rates: a step may end where a contact was looked at, and this has then opened. */
static double rate_at(const struct carom_interval *i, double s)
{
    return i->h > 0.0 ? carom_cubic_slope(&i->deform, s) / i->h : 0.0;
}

static double force_at(const struct carom_interval *i, double s)
{
    const double deform = carom_cubic_at(&i->deform, s), rate = rate_at(i, s);
    return i->law(i->own, i->j, i->history, deform, rate);
}

enum { POINTS = 5 };
static const double places[POINTS] = {0.04691007703066800, 0.2307653449471584, 0.5, 0.7692346550528416,
                                      0.9530899229693320};
static const double weights[POINTS] = {0.1184634425280945, 0.2393143352496832, 0.2844444444444444, 0.2393143352496832,
                                       0.1184634425280945}; /* Gauss, on [0, 1] */

/* The part of the interval in which the contact is closed. */
static void closed_part(const struct carom_interval *of, double *low, double *high)
{
    const double *d = of->deform.value;
    *low = d[0] > 0.0 ? 0.0 : carom_locate_on_cubic(&of->deform, 1.0);
    *high = d[1] > 0.0 ? 1.0 : carom_locate_on_cubic(&of->deform, 1.0);
}

double carom_interval_steep_impulse(const struct carom_interval *of)
{
    double low, high, sum = 0.0;
    closed_part(of, &low, &high);
    const bool begins = fabs(of->force[0]) < fabs(of->force[1]);
    for (size_t i = 0; i < POINTS; i++) {
        const double part = (high - low) * places[i] * places[i];
        sum += 2.0 * places[i] * weights[i] * force_at(of, begins ? low + part : high - part);
    }
    return sum * (high - low) * of->h;
}

double carom_interval_loss(const struct carom_interval *of)
{
    double low, high, sum = 0.0;
    closed_part(of, &low, &high);
    for (size_t i = 0; i < POINTS; i++) {
        const double s = high - (high - low) * places[i] * places[i];
        const double deform = carom_cubic_at(&of->deform, s), rate = rate_at(of, s);
        const double damped = of->law(of->own, of->j, of->history, deform, rate),
                     still = of->law(of->own, of->j, of->history, deform, 0.0);
        sum += 2.0 * places[i] * weights[i] * (damped - still) * rate;
    }
    return sum * (high - low) * of->h;
}

double carom_interval_impulse(const struct carom_interval *of)
{
    if (carom_interval_steep(of->force[0], of->force[1]))
        return carom_interval_steep_impulse(of);
    return of->h / 6.0 * (of->force[0] + 4.0 * force_at(of, 0.5) + of->force[1]);
}

double carom_interval_overlap(const struct carom_interval *of)
{
    const struct carom_cubic *c = &of->deform;
    const double ends = fmax(c->value[0], c->value[1]);
    return c->slope[0] > 0.0 && c->slope[1] < 0.0 ? fmax(ends, carom_cubic_at(c, carom_cubic_highest(c))) : ends;
}

double carom_interval_zero(const struct carom_interval *of)
{
    double low = 0.0, high = 1.0;
    const bool pushes = of->force[0] > 0.0;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *((force_at(of, middle) > 0.0) == pushes ? &low : &high) = middle;
    }
    return high;
}
