/* Contacts that close and open again, or open and close, inside one step, as the contact of a bead that is thrown up to
 * a wall and just reaches it: at both ends of the step they are as they were. The cubic through both ends with both
 * rates tells cheaply that nearly all contacts of nearly all steps do not; the dense output tells where others turn. */
#include "base/lane.h"
#include "model/latch.h"
#include "scheme/compliant/modes.h"
#include "scheme/compliant/spans.h"
#include "solve/cubic.h"
#include "solve/root.h"

static const double at_once = 1e-9; /* of a step: what turns back so early was so at its start */

/* May the overlap, along the cubic, be on the other side of touch than at both ends, by more than `small`? */
static bool may_cross(const struct carom_cubic *c, double small)
{
    const double bias = copysign(small, c->value[1]);
    const bool side = signbit(c->value[1]);
    return signbit(c->value[0] + bias) == side &&
           (signbit(carom_cubic_early(c) + bias) != side || signbit(carom_cubic_late(c) + bias) != side);
}

/* the same of two contacts, in the sign bits */
ALWAYS_INLINE carom_lane_mask two_may_cross(carom_lane start, carom_lane rise0, carom_lane end, carom_lane rise1,
                                            carom_lane small)
{
    const carom_lane_mask sign = {INT64_MIN, INT64_MIN};
    const carom_lane bias = (carom_lane)(((carom_lane_mask)end & sign) | (carom_lane_mask)small);
    const carom_lane_mask side = (carom_lane_mask)end;
    start += bias;
    end += bias;
    return (((carom_lane_mask)(start + rise0) ^ side) | ((carom_lane_mask)(end - rise1) ^ side)) &
           ~((carom_lane_mask)start ^ side);
}

/* May any of n contacts in a row? Contact i is between beads i and i + 1: overlaps and velocities at the start and at
 * the end of a step of size h. */
static bool any_may_cross(size_t n, const double *deform0, const double *deform1, const double *velocity0,
                          const double *velocity1, double h, double small)
{
    const double third = h / 3.0;
    const carom_lane much = {small, small};
    carom_lane_mask found = {0, 0};
    size_t i = 0;
    for (; i + 2 <= n; i += 2)
        found |= two_may_cross(carom_lane_load(deform0 + i),
                               third * (carom_lane_load(velocity0 + i) - carom_lane_load(velocity0 + i + 1)),
                               carom_lane_load(deform1 + i),
                               third * (carom_lane_load(velocity1 + i) - carom_lane_load(velocity1 + i + 1)), much);
    if (i < n) {
        const struct carom_cubic one = {{deform0[i], deform1[i]},
                                        {h * (velocity0[i] - velocity0[i + 1]), h * (velocity1[i] - velocity1[i + 1])}};
        found[0] |= may_cross(&one, small) ? INT64_MIN : 0;
    }
    return (found[0] | found[1]) < 0;
}

/* What turns back has slowed down: would the overlap be on the other side if it went on as it starts? */
static bool comes_near(double start, double rise, double small)
{
    return signbit(start + copysign(small, start) + rise) != signbit(start);
}

/* would any of n contacts? At half the price of the look above */
static bool any_comes_near(size_t n, const double *deform, const double *velocity, double h, double small)
{
    const carom_lane_mask sign = {INT64_MIN, INT64_MIN}, much = (carom_lane_mask)(carom_lane){small, small};
    carom_lane_mask found = {0, 0};
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        const carom_lane start = carom_lane_load(deform + i),
                         rise = h * (carom_lane_load(velocity + i) - carom_lane_load(velocity + i + 1));
        const carom_lane bias = (carom_lane)(((carom_lane_mask)start & sign) | much);
        found |= (carom_lane_mask)(start + bias + rise) ^ (carom_lane_mask)start;
    }
    if (i < n && comes_near(deform[i], h * (velocity[i] - velocity[i + 1]), small))
        found[0] |= INT64_MIN;
    return (found[0] | found[1]) < 0;
}

/* the overlap of contact j by both ends of the step */
static struct carom_cubic ends_of(const struct carom_modes *m, const struct carom_dormand_prince *step, double t,
                                  const double *deform, const double *rate, size_t j)
{
    const struct carom_model *model = m->rates->model;
    double r0, r1;
    if (m->rates->regular) {
        const int32_t a = model->pair[j][0], b = model->pair[j][1];
        const double *k0 = step->k[0], *k6 = step->k[6];
        r0 = (a >= 0 ? k0[a] : 0.0) - (b >= 0 ? k0[b] : 0.0);
        r1 = (a >= 0 ? k6[a] : 0.0) - (b >= 0 ? k6[b] : 0.0);
        const struct carom_drive *wall = a < 0 ? model->wall[0] : b < 0 ? model->wall[1] : NULL;
        if (wall) {
            r0 += (a < 0 ? 1.0 : -1.0) * carom_loads_motion(wall, t).rate;
            r1 += (a < 0 ? 1.0 : -1.0) * carom_loads_motion(wall, m->rates->chain.time).rate;
        }
    } else {
        r0 = rate[j];
        r1 = m->rates->rate[j];
    }
    return (struct carom_cubic){{deform[j], m->rates->deform[j]}, {step->h * r0, step->h * r1}};
}

/* Is contact j beyond the end of its mode or phase at this overlap, give or take `doubt`, and at this rate? */
static bool is_beyond(const struct carom_modes *m, const struct carom_dormand_prince *step, size_t j, double deform,
                      double doubt, double rate)
{
    if (!m->phases || !carom_modes_has_phases(m, j))
        return (m->mode[j] == CAROM_CONTACT_OPEN ? deform : -deform) + doubt > carom_modes_shallow(m, j);
    const double *history = step->y0 + m->rates->model->nq + m->rates->model->nv;
    double less[2], more[2];
    carom_modes_margins(m, j, history, deform - doubt, rate, less);
    carom_modes_margins(m, j, history, deform + doubt, rate, more);
    return fmin(less[0], more[0]) < -m->small || less[1] < -m->slow;
}

/* a latched contact that opens inside a step acts when it closes again */
static bool arms(const struct carom_modes *m, const struct carom_dormand_prince *step, size_t j)
{
    return carom_latch_holds(m->rates->model, step->y0 + m->rates->model->nq + m->rates->model->nv, j);
}

/* May contact j go beyond inside the step? Margins are lowest where overlaps are highest or lowest. */
static bool may_dip(const struct carom_modes *m, const struct carom_dormand_prince *step,
                    const struct carom_cubic *ends, size_t j)
{
    if (!m->phases || !carom_modes_has_phases(m, j))
        return (m->mode[j] != CAROM_CONTACT_CUT || arms(m, step, j)) &&
               (m->mode[j] != CAROM_CONTACT_OPEN) == (ends->value[1] > 0.0) &&
               may_cross(ends, carom_modes_shallow(m, j));
    const double early = carom_cubic_early(ends), late = carom_cubic_late(ends), rise = 3.0 * (late - early);
    const bool up = ends->slope[0] >= 0.0; /* all the way, or down: nothing that the ends do not show */
    if ((up ? ends->slope[1] >= 0.0 && rise >= 0.0 : ends->slope[1] <= 0.0 && rise <= 0.0))
        return false;
    return is_beyond(m, step, j, early, 0.0, rise / step->h) || is_beyond(m, step, j, late, 0.0, rise / step->h);
}

struct look {
    struct carom_modes *m;
    const struct carom_dormand_prince *step;
    double t;
    size_t j;
};

static double rate_at(void *own, double s)
{
    const struct look *l = own;
    double rate;
    carom_modes_deform(l->m, l->step, l->t, l->j, s, &rate);
    return rate;
}

/* the first place before `before` where contact j turns back from beyond the end of its mode or phase, or where its
 * rate is seen to be; else `before` */
static double look_inside(struct carom_modes *m, const struct carom_dormand_prince *step, double t,
                          const struct carom_cubic *ends, size_t j, double before)
{
    enum { LOOKS = 8 };
    const double fine = 1e-10;
    struct look look = {m, step, t, j};
    double last = ends->slope[0], rate;
    for (int i = 1; i <= LOOKS && (i - 1.0) / LOOKS < before; i++) {
        const double low = (i - 1.0) / LOOKS, high = (double)i / LOOKS;
        const double there = carom_modes_deform(m, step, t, j, high, &rate), now = i < LOOKS ? rate : ends->slope[1];
        const double turn = last * now < 0.0 ? carom_root_near(rate_at, &look, low, high, fine) : before;
        if (turn > at_once && turn < before) {
            const double deform = carom_modes_deform(m, step, t, j, turn, &rate);
            /* the cubic is less exact than the dense output, so they differ by more than that is off */
            if (is_beyond(m, step, j, deform, fabs(deform - carom_cubic_at(ends, turn)), 0.0))
                return turn;
        }
        if (carom_modes_has_phases(m, j) && high < before && is_beyond(m, step, j, there, 0.0, now))
            return high;
        last = now;
    }
    return before;
}

/* The same for the force of a contact that it ends: it may be cut inside a step and act again, or act and be cut, where
 * drives shake it. One look in the middle tells most that it does not. */
static double look_at_force(struct carom_modes *m, const struct carom_dormand_prince *step, double t, size_t j,
                            double before)
{
    if (m->mode[j] == CAROM_CONTACT_OPEN || !carom_modes_can_be_cut(m, j))
        return before;
    const double sign = m->mode[j] == CAROM_CONTACT_STICKS ? 1.0 : -1.0;
    const double first = sign * carom_modes_force(m, step, t, j, 0.0),
                 last = sign * carom_modes_force(m, step, t, j, 1.0);
    if (!(first > 0.0) || !(last > 0.0))
        return before; /* nothing, or what the end shows */
    const double middle = sign * carom_modes_force(m, step, t, j, 0.5);
    const double bend = 2.0 * (first - 2.0 * middle + last), rise = 4.0 * middle - 3.0 * first - last;
    const double lowest = bend > 0.0 ? -0.5 * rise / bend : 0.5; /* of the parabola through the three */
    if (!(lowest > at_once) || !(lowest < fmin(before, 1.0)) ||
        !(first + lowest * (rise + lowest * bend) < 0.25 * fmin(first, last)))
        return before;
    return sign * carom_modes_force(m, step, t, j, lowest) < 0.0 ? lowest : before;
}

/* Where the block of contacts from j on ends that is looked at as one; *plain: they are all between beads, and nothing
 * but gaps decides. */
static size_t block_from(const struct carom_modes *m, size_t j, size_t last, bool *plain)
{
    enum { BLOCK = 32 };
    const struct carom_chain *c = &m->rates->chain;
    *plain = m->rates->regular && !m->phases && m->rates->model->pair[j][0] >= 0 && m->rates->model->pair[j][1] >= 0;
    if (!*plain)
        return j + 1;
    const size_t inner = c->right_wall && last == c->nc ? last - 1 : last;
    return inner - j < BLOCK ? inner : j + BLOCK;
}

double carom_modes_dip(struct carom_modes *m, const struct carom_dormand_prince *step, double t, const double *deform,
                       const double *rate, double before)
{
    const struct carom_rates *r = m->rates;
    size_t first, last;
    for (size_t k = 0; !m->many && carom_spans_contacts(r, k, &first, &last); k++)
        for (size_t from = first, to; from < last; from = to) {
            bool plain;
            to = block_from(m, from, last, &plain);
            const double *v0 = step->k[0] + from - r->chain.shift, *v1 = step->k[6] + from - r->chain.shift;
            if (plain && !r->cut &&
                !(any_comes_near(to - from, deform + from, v0, step->h, m->small) &&
                  any_may_cross(to - from, deform + from, r->deform + from, v0, v1, step->h, m->small)))
                continue;
            for (size_t j = from; j < to; j++) {
                const struct carom_cubic ends = ends_of(m, step, t, deform, rate, j);
                if (plain && !comes_near(ends.value[0], ends.slope[0], m->small))
                    continue; /* whatever block it is in */
                if (may_dip(m, step, &ends, j))
                    before = look_inside(m, step, t, &ends, j, before);
            }
            for (size_t j = from; r->cut && j < to; j++)
                before = look_at_force(m, step, t, j, before);
        }
    return before;
}
