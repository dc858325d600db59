/* Pushes near touch, for any law that is a power of the overlap, or of the overlap beyond a dent: all laws are. The
 * exponents come from the law itself, p = d F' / F, and so does the dent of one with a memory. */
#include "scheme/compliant/touch.h"

#include <math.h>

static const double nearly = 0.3; /* of the overlap at the other end: this near touch the weights must be put right */

/* contact j at one overlap */
struct force {
    double elastic, slope;
    double viscous, drag; /* impulse of the damper, and its slope */
};

static struct force force_at(const struct carom_rates *rates, size_t j, double d)
{
    struct force f = {0.0, 0.0, 0.0, 0.0};
    const struct carom_response want = {
        .elastic = &f.elastic, .slope = &f.slope, .viscous = &f.viscous, .drag = &f.drag};
    carom_contacts_evaluate(rates->model, j, j + 1, &d, NULL, rates->history, &want);
    return f;
}

static bool has_memory(const struct carom_model *model, size_t j)
{
    size_t g = 0;
    while (j >= model->group[g].first + model->group[g].count)
        g++;
    return model->group[g].law->nh > 0;
}

/* The overlap at which the force of a contact with a memory begins: (d - dent) / p = F / F' at two places. */
static double dent_of(const struct carom_rates *rates, size_t j, double d0, double d1)
{
    const double deep = fmax(d0, d1), half = 0.5 * (d0 + d1);
    const struct force a = force_at(rates, j, deep), b = force_at(rates, j, half);
    if (!(a.slope > 0.0) || !(b.slope > 0.0))
        return deep; /* not in touch */
    const double there = a.elastic / a.slope, here = b.elastic / b.slope;
    return there > here ? deep - (deep - half) / (there - here) * there : deep;
}

/* what is added to a bead: a velocity, and a displacement by its damper */
static void add(const struct carom_rates *rates, size_t bead, double impulse, double moved, double *y1)
{
    const double inverse = rates->chain.beads->inverse_mass[bead];
    y1[bead] += moved * inverse;
    y1[rates->chain.n + bead] += impulse * inverse;
}

/* contact j, at an overlap `near` touch, or at the dent, at the start or at the end of the step */
static bool correct(const struct carom_rates *rates, const struct carom_dormand_prince *step, size_t j, double dent,
                    double near, bool ends, double least, double time, double *y1)
{
    const struct carom_chain *c = &rates->chain;
    const bool left = !(c->left_wall && j == 0), right = !(c->right_wall && j + 1 == c->nc);
    const size_t bead = left ? j - c->shift : 0, next = right ? j + 1 - c->shift : 0;
    const double *velocity = step->k[ends ? 6 : 0], *inverse = c->beads->inverse_mass;
    double rate;
    carom_chain_rate(c, j, j + 1, velocity, &rate);
    if (ends ? !(rate < 0.0) : !(rate > 0.0)) /* it turns back: no such force */
        return false;
    const double run = fabs(rate) * step->h, far = fmax(near, 0.0) + run, part = run / far;
    const struct force f = force_at(rates, j, dent + far);
    const double power = f.elastic > 0.0 ? far * f.slope / f.elastic : 1.0;
    const double viscous_power = f.viscous > 0.0 ? far * f.drag / f.viscous : 1.0;
    const double pushed = step->h * f.elastic * carom_dormand_prince_excess_of(power, part, ends);
    const double moved = step->h * f.viscous * carom_dormand_prince_excess_of(viscous_power, part, ends);
    const double lightest = fmax(left ? inverse[bead] : 0.0, right ? inverse[next] : 0.0);
    if (!(fabs(pushed) * lightest > least) && !(fabs(moved) * lightest > least * time))
        return false;
    if (left)
        add(rates, bead, pushed, moved, y1);
    if (right)
        add(rates, next, -pushed, -moved, y1);
    if (c->beads->ndrives > 0) { /* what is held does not move, but works */
        const double before = left ? (inverse[bead] == 0.0 ? velocity[bead] : 0.0) : c->wall[0].rate;
        const double after = right ? (inverse[next] == 0.0 ? velocity[next] : 0.0) : c->wall[1].rate;
        y1[rates->nall - 1] -= (before - after) * pushed;
    }
    return true;
}

bool carom_touch_correct(const struct carom_losses *start, const struct carom_rates *rates,
                         const struct carom_dormand_prince *step, double least, double time, double *y1)
{
    bool any = false;
    for (size_t k = 0; k < rates->window.count; k++)
        for (size_t j = rates->window.span[k].inner; j < rates->window.span[k].outer; j++) {
            double d0 = start->deform[j], d1 = rates->deform[j], dent = 0.0;
            if (!(d0 > 0.0 || d1 > 0.0) || (rates->cut && rates->cut[j] > 0.0))
                continue;
            if (rates->model->nh > 0 && has_memory(rates->model, j))
                dent = dent_of(rates, j, d0, d1);
            d0 -= dent;
            d1 -= dent;
            const bool begins = fabs(d0) < nearly * d1, ends = fabs(d1) < nearly * d0;
            if (begins | ends)
                any |= correct(rates, step, j, dent, ends ? d1 : d0, ends, least, time, y1);
        }
    return any;
}
