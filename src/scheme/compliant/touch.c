/* Pushes near touch, for any law that is a power of the overlap, or of the overlap beyond a dent: all laws are. The
 * exponents come from the law itself, p = d F' / F, and so does the dent of one with a memory. */
#include "scheme/compliant/touch.h"

#include <math.h>

#include "carom/law.h"

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

/* A contact in a step that begins or ends near touch, or near a dent. */
struct touch {
    size_t j;
    struct force far;            /* at the other end */
    struct carom_motion wall[2]; /* at this one */
    struct carom_dormand_prince_touch elastic, viscous;
};

/* an exponent without the rounding of how it was found: halves are cheaper */
static double power_of(double p)
{
    const double half = 0.5 * rint(2.0 * p);
    return fabs(p - half) < 1e-12 ? half : p;
}

/* contact j between two overlaps; false if neither is near touch, or if it turns back: then there is no such force */
static bool find(const struct carom_rates *rates, const struct carom_touch_step *in, size_t j, double d0, double d1,
                 struct touch *touch)
{
    const struct carom_dormand_prince *step = in->step;
    double dent = 0.0, rate = 0.0, other = 0.0;
    if (!(d0 > 0.0 || d1 > 0.0) || (rates->cut && rates->cut[j] > 0.0))
        return false;
    if (rates->model->nh > 0 && carom_model_group(rates->model, j)->law->nh > 0)
        dent = dent_of(rates, j, d0, d1);
    d0 -= dent;
    d1 -= dent;
    const bool ends = fabs(d1) < nearly * d0;
    if (!ends && !(fabs(d0) < nearly * d1))
        return false;
    struct carom_chain chain = rates->chain;
    if (chain.moving) /* what has been evaluated last may be another moment */
        carom_chain_clock(&chain, ends ? in->t1 : in->t0);
    carom_chain_rate(&chain, j, j + 1, step->k[ends ? 6 : 0], &rate);
    if (ends ? !(rate < 0.0) : !(rate > 0.0))
        return false;
    struct carom_chain there = chain;
    if (chain.moving)
        carom_chain_clock(&there, ends ? in->t0 : in->t1);
    carom_chain_rate(&there, j, j + 1, step->k[ends ? 0 : 6], &other);
    const double near = fmax(ends ? d1 : d0, 0.0), far = ends ? d0 : d1;
    const struct force f = force_at(rates, j, dent + far);
    const struct carom_dormand_prince_touch path = {.near = near / far,
                                                    .run = fabs(rate) * step->h / far,
                                                    .far = (ends ? -other : other) * step->h / far,
                                                    .ends = ends};
    *touch = (struct touch){.j = j, .far = f, .wall = {chain.wall[0], chain.wall[1]}, .elastic = path, .viscous = path};
    touch->elastic.power = f.elastic > 0.0 ? power_of(far * f.slope / f.elastic) : 1.0;
    touch->viscous.power = f.viscous > 0.0 ? power_of(far * f.drag / f.viscous) : 1.0;
    return true;
}

/* 1 / mass of the lighter bead of contact j */
static double lightest_of(const struct carom_chain *c, size_t j)
{
    const bool left = !(c->left_wall && j == 0), right = !(c->right_wall && j + 1 == c->nc);
    const double *inverse = c->beads->inverse_mass;
    return fmax(left ? inverse[j - c->shift] : 0.0, right ? inverse[j + 1 - c->shift] : 0.0);
}

/* Is there so little force that what is missed of it, a few hundredths at most, does not matter? */
static bool is_faint(const struct carom_rates *rates, const struct carom_dormand_prince *step, const struct touch *t,
                     double least, double time)
{
    const double most = 0.05 * step->h * lightest_of(&rates->chain, t->j);
    return !(most * t->far.elastic > least) && !(most * t->far.viscous > least * time);
}

/* takes off what a contact has pushed, and its damper moved, too much; unless that is too little to matter */
static bool put_right(const struct carom_rates *rates, const struct carom_dormand_prince *step,
                      const struct touch *touch, double pushed, double moved, double least, double time, double *y)
{
    const struct carom_chain *c = &rates->chain;
    const size_t j = touch->j;
    const bool left = !(c->left_wall && j == 0), right = !(c->right_wall && j + 1 == c->nc);
    const size_t bead = left ? j - c->shift : 0, next = right ? j + 1 - c->shift : 0;
    const double *velocity = step->k[touch->elastic.ends ? 6 : 0], *inverse = c->beads->inverse_mass;
    const double lightest = lightest_of(c, j);
    if (!(fabs(pushed) * lightest > least) && !(fabs(moved) * lightest > least * time))
        return false;
    if (left)
        add(rates, bead, pushed, moved, y);
    if (right)
        add(rates, next, -pushed, -moved, y);
    if (c->beads->ndrives > 0) { /* what is held does not move, but works */
        const double before = left ? (inverse[bead] == 0.0 ? velocity[bead] : 0.0) : touch->wall[0].rate;
        const double after = right ? (inverse[next] == 0.0 ? velocity[next] : 0.0) : touch->wall[1].rate;
        y[rates->nall - 1] -= (before - after) * pushed;
    }
    return true;
}

double carom_touch_missed(const struct carom_losses *start, const struct carom_rates *rates,
                          const struct carom_touch_step *in, size_t j)
{
    const struct carom_chain *c = &rates->chain;
    struct touch t;
    if (!find(rates, in, j, start->deform[j], rates->deform[j], &t))
        return 0.0;
    return fabs(in->step->h * t.far.elastic * carom_dormand_prince_excess_of(&t.elastic)) * lightest_of(c, j);
}

/* contact j, at the end of the step */
static bool correct(const struct carom_losses *start, const struct carom_rates *rates,
                    const struct carom_touch_step *in, size_t j, double least, double time, double *y1)
{
    const struct carom_dormand_prince *step = in->step;
    struct touch t;
    if (!find(rates, in, j, start->deform[j], rates->deform[j], &t) || is_faint(rates, step, &t, least, time))
        return false;
    const double pushed = step->h * t.far.elastic * carom_dormand_prince_excess_of(&t.elastic);
    const double moved = step->h * t.far.viscous * carom_dormand_prince_excess_of(&t.viscous);
    return put_right(rates, step, &t, pushed, moved, least, time, y1);
}

bool carom_touch_correct(const struct carom_losses *start, const struct carom_rates *rates,
                         const struct carom_touch_step *in, const size_t *list, size_t count, double least, double time,
                         double *y1)
{
    bool any = false;
    if (rates->model->nh == 0)
        for (size_t i = 0; i < count; i++)
            any |= correct(start, rates, in, list[i], least, time, y1);
    for (size_t k = 0; rates->model->nh > 0 && k < rates->window.count; k++) /* some may be near a dent */
        for (size_t j = rates->window.span[k].inner; j < rates->window.span[k].outer; j++)
            any |= correct(start, rates, in, j, least, time, y1);
    return any;
}

void carom_touch_between(const struct carom_losses *start, const struct carom_losses *end,
                         const struct carom_rates *rates, const struct carom_touch_step *in, double s, double least,
                         double time, double *y)
{
    const struct carom_dormand_prince *step = in->step;
    for (size_t k = 0; k < rates->window.count; k++)
        for (size_t j = rates->window.span[k].inner; j < rates->window.span[k].outer; j++) {
            struct touch t;
            if (!find(rates, in, j, start->deform[j], end->deform[j], &t) || is_faint(rates, step, &t, least, time))
                continue;
            const double pushed =
                step->h * t.far.elastic * carom_dormand_prince_excess_within(&t.elastic, s, step->fine);
            const double moved =
                step->h * t.far.viscous * carom_dormand_prince_excess_within(&t.viscous, s, step->fine);
            put_right(rates, step, &t, pushed, moved, least, time, y);
        }
}
