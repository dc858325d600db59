/* Losses of contacts that begin, end or are cut in a step. */
#include "scheme/compliant/losses.h"

#include <math.h>
#include <string.h>

#include "base/lane.h"
#include "base/memory.h"

bool carom_losses_open(struct carom_losses *losses, size_t nc)
{
    losses->deform = carom_memory_zeroed(nc, sizeof(double));
    losses->rate = carom_memory_zeroed(nc, sizeof(double));
    losses->viscous = carom_memory_zeroed(nc, sizeof(double));
    return losses->deform && losses->rate && losses->viscous;
}

void carom_losses_close(struct carom_losses *losses)
{
    carom_memory_free_all(losses->deform, losses->rate, losses->viscous);
}

void carom_losses_keep(struct carom_losses *losses, struct carom_rates *rates)
{
    double **const mine[] = {&losses->deform, &losses->rate, &losses->viscous};
    double **const theirs[] = {&rates->deform, &rates->rate, &rates->viscous};
    for (size_t i = 0; i < 3; i++) {
        double *const hold = *mine[i];
        *mine[i] = *theirs[i];
        *theirs[i] = hold;
    }
}

/* Numbers as integers: a difference of one `octave` is a factor of two, and signs differ by much more. */
typedef uint64_t words __attribute__((vector_size(8 * CAROM_LANES)));
static const uint64_t octave = UINT64_C(1) << 52;

static int64_t bits(double x)
{
    int64_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

/* Is a contact far from touch at both ends of a step, closed or open? One that ends a step at touch, open by a rounding
 * error, may have been closed by another at a stage, and lost there what a dashpot's jump makes of it. Or is it on the
 * same side of touch by so little that nothing is lost? Two contacts at a time: masks. */
static inline carom_lane_mask smooth(carom_lane_mask d0, carom_lane_mask d1, int64_t small)
{
    const words limit = octave + ((words)(d0 < 0) & (9 * octave)); /* twice, or if open 1024 times */
    const carom_lane_mask alike = ((words)d1 - (words)d0 + limit - 1) < (2 * limit - 1);
    const carom_lane_mask faint = ((d0 & INT64_MAX) < small) & ((d1 & INT64_MAX) < small) & ~((d0 > 0) ^ (d1 > 0));
    return alike | faint;
}

static bool is_smooth(double d0, double d1, double small)
{
    return smooth((carom_lane_mask){bits(d0), 0}, (carom_lane_mask){bits(d1), 0}, bits(small))[0] != 0;
}

size_t carom_losses_near(const struct carom_losses *start, const struct carom_rates *rates, size_t from, size_t to,
                         size_t *list)
{
    const double *d0 = start->deform, *d1 = rates->deform;
    const int64_t small = bits(start->small);
    size_t count = 0, j = from;
    for (; j + 2 <= to; j += 2) {
        const carom_lane_mask calm =
            smooth((carom_lane_mask)carom_lane_load(d0 + j), (carom_lane_mask)carom_lane_load(d1 + j), small);
        if ((calm[0] & calm[1]) != 0) /* most are */
            continue;
        list[count] = j;
        count += calm[0] ? 0 : 1;
        list[count] = j + 1;
        count += calm[1] ? 0 : 1;
    }
    if (j < to && !is_smooth(d0[j], d1[j], start->small))
        list[count++] = j;
    return count;
}

/* is the start of a step nearer to touch than its end? */
static bool starts_nearer(double d0, double d1)
{
    return fabs(d0) < fabs(d1);
}

/* Power is drag x rate^2, and drag begins like a square root at touch, which no Runge-Kutta weights integrate well. In
 * steps that see a contact begin or end, the part r x (integral of drag x rate), r the rate at the end nearer to touch,
 * is replaced by its exact value r x (rise of the viscous impulse); what is left to the weights is a power smoother. */
static void correct_viscous(const struct carom_losses *start, const struct carom_rates *rates, size_t j, double summed,
                            double *y1)
{
    const double d0 = start->deform[j], d1 = rates->deform[j];
    const double rate = starts_nearer(d0, d1) ? start->rate[j] : rates->rate[j];
    y1[rates->nstate + j] += rate * (rates->viscous[j] - start->viscous[j] - summed);
}

/* A cut contact discards exactly the energy it stores less at the end; the motion does not feel it, so the steps are
 * not chosen for its power. */
static void correct_clipped(const struct carom_losses *start, const struct carom_rates *rates,
                            const struct carom_dormand_prince *step, size_t j, double deform, double *y)
{
    const size_t at = rates->nstate + rates->model->nc + j;
    double before, after;
    struct carom_response want = {.energy = &before};
    carom_contacts_evaluate(rates->model, j, j + 1, start->deform + j, NULL, rates->history, &want);
    want.energy = &after;
    carom_contacts_evaluate(rates->model, j, j + 1, &deform, NULL, rates->history, &want);
    y[at] = step->y0[at] + (before - after);
}

void carom_losses_correct(const struct carom_losses *start, const struct carom_rates *rates,
                          const struct carom_dormand_prince *step, const size_t *list, size_t count,
                          const double *impulse, double *y1)
{
    for (size_t i = 0; rates->nextra && i < count; i++) {
        const size_t j = list[i];
        const double summed = impulse ? impulse[j] : carom_dormand_prince_rise(step, rates->nall + j);
        correct_viscous(start, rates, j, summed, y1);
    }
}

void carom_losses_correct_cut(const struct carom_losses *start, const struct carom_rates *rates,
                              const struct carom_dormand_prince *step, size_t from, size_t to, double *y1)
{
    for (size_t j = from; rates->cut && j < to; j++)
        if (rates->cut[j] > 0.0)
            correct_clipped(start, rates, step, j, rates->deform[j], y1);
}

void carom_losses_between(const struct carom_losses *start, const struct carom_losses *end,
                          const struct carom_rates *rates, const struct carom_dormand_prince *step, double s, size_t j,
                          double *y)
{
    const size_t at = rates->nstate + j;
    const double rate = starts_nearer(start->deform[j], end->deform[j]) ? start->rate[j] : end->rate[j];
    const double summed = carom_dormand_prince_gain(step, s, rates->nall + j);
    y[at] =
        step->y0[at] + carom_dormand_prince_gain(step, s, at) + rate * (rates->viscous[j] - start->viscous[j] - summed);
}

void carom_losses_between_cut(const struct carom_losses *start, const struct carom_rates *rates,
                              const struct carom_dormand_prince *step, size_t from, size_t to, double *y)
{
    for (size_t j = from; rates->nextra && j < to; j++) {
        double deform;
        if (!(rates->cut[j] > 0.0))
            continue;
        carom_chain_deform(&rates->chain, j, j + 1, y, &deform);
        correct_clipped(start, rates, step, j, deform, y);
    }
}

void carom_losses_correct_drives(const struct carom_losses *start, const struct carom_rates *rates,
                                 const struct carom_dormand_prince *step, double t0, double t1, double *y1)
{
    const struct carom_beads *beads = rates->chain.beads;
    for (size_t k = 0; rates->nextra && k < beads->ndrives; k++) {
        size_t contact[2];
        carom_chain_contacts(&rates->chain, beads->drive[k].which, &contact[0], &contact[1]);
        for (size_t side = 0; side < 2; side++) {
            const size_t j = contact[side];
            if (j >= rates->chain.nc || is_smooth(start->deform[j], rates->deform[j], start->small))
                continue;
            const double t = starts_nearer(start->deform[j], rates->deform[j]) ? t0 : t1;
            const double lacks =
                rates->viscous[j] - start->viscous[j] - carom_dormand_prince_rise(step, rates->nall + j);
            y1[rates->nall - 1] += (side == 0 ? -1.0 : 1.0) * carom_loads_motion(&beads->drive[k], t).rate * lacks;
        }
    }
}
