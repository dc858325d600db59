/* Losses of contacts that begin, end or are cut in a step. */
#include "scheme/losses.h"

/* Power is drag x rate^2, and drag begins like a square root at touch, which no Runge-Kutta weights integrate well. In
 * steps that see a contact begin or end, the part r x (integral of drag x rate), r the rate at the shallower end,
 * is replaced by its exact value r x (rise of the viscous impulse); what is left to the weights is a power smoother. */
static void correct_viscous(const struct carom_losses *start, const struct carom_rates *rates,
                            const struct carom_dormand_prince *step, size_t j, double *y1)
{
    const double d0 = start->deform[j], d1 = rates->deform[j];
    if ((d0 <= 0.0 && d1 <= 0.0) || (d0 < 2.0 * d1 && d1 < 2.0 * d0))
        return;
    const double summed = carom_dormand_prince_rise(step, rates->nall + j);
    const double rate = d0 < d1 ? start->rate[j] : rates->rate[j];
    y1[rates->nstate + j] += rate * (rates->viscous[j] - start->viscous[j] - summed);
}

/* A cut contact discards exactly the energy it stores less at the end; the motion does not feel it, so the steps are
 * not chosen for its power. */
static void correct_clipped(const struct carom_losses *start, const struct carom_rates *rates,
                            const struct carom_dormand_prince *step, size_t j, double *y1)
{
    const size_t at = rates->nstate + rates->model->nc + j;
    double before, after;
    struct carom_response want = {.energy = &before};
    carom_contacts_evaluate(rates->model, j, j + 1, start->deform + j, NULL, NULL, &want);
    want.energy = &after;
    carom_contacts_evaluate(rates->model, j, j + 1, rates->deform + j, NULL, NULL, &want);
    y1[at] = step->y0[at] + (before - after);
}

void carom_losses_correct(const struct carom_losses *start, const struct carom_rates *rates,
                          const struct carom_dormand_prince *step, size_t j, double *y1)
{
    if (rates->nextra)
        correct_viscous(start, rates, step, j, y1);
    if (rates->cut && rates->cut[j] > 0.0)
        correct_clipped(start, rates, step, j, y1);
}
