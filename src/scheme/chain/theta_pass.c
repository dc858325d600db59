/* Passes over folded chains, both ends of a chain in one register. They take pairs of lanes four at a time: the
 * four chains of a batch, or four slots of a single chain, and have a loop over contacts and a loop over beads,
 * because short loops with their stores at the end keep the processor busier than a long one. */
#include "scheme/chain/theta_pass.h"

#include "base/lane.h"

enum { FOUR = CAROM_THETA_FOLD_CHAINS };

#define CONTACTS(slot) for (size_t slot = 0; slot < f->contacts_end; slot += 2 * FOUR)
#define BEADS(slot) for (size_t slot = 2 * f->chains; slot < f->beads_end; slot += 2 * FOUR)
#define GET(field, at) carom_lane_load(f->field + (at))
#define PUT(field, at, value) carom_lane_store(f->field + (at), value)
#define EACH_PAIR(c, at, slot) for (size_t c = 0, at = slot; c < FOUR; c++, at += 2)

void carom_theta_pass_mirror(const struct carom_theta_fold *f, double *beads)
{
    const size_t width = 2 * f->chains, across = f->n % 2 == 0 ? f->half : f->half - 1;
    for (size_t c = 0; c < width; c += 2)
        carom_lane_store(beads + (f->half + 1) * width + c,
                         -carom_lane_swap(carom_lane_load(beads + across * width + c)));
}

/* the same for an array of contacts: those beside a bead in the middle mirror each other, and the passes leave the
 * second one out */
static void reflect(const struct carom_theta_fold *f, double *contacts)
{
    const size_t width = 2 * f->chains;
    for (size_t at = f->half * width; f->n % 2 == 1 && at < (f->half + 1) * width; at += 2)
        carom_lane_store(contacts + at, carom_lane_swap(carom_lane_load(contacts + at - width)));
}

ALWAYS_INLINE carom_lane spring_lag(const struct carom_theta_fold *f, size_t at)
{
    return 0.5 * (f->h + GET(spring_gamma, at));
}

/* J of a local spring */
ALWAYS_INLINE carom_lane spring_impulse(const struct carom_theta_fold *f, size_t at, carom_lane x, carom_lane x_next)
{
    const carom_lane t = spring_lag(f, at);
    return -GET(spring, at) * ((f->h - t) * x_next + t * x);
}

void carom_theta_pass_predict(struct carom_theta_fold *f)
{
    const size_t width = 2 * f->chains;
    double stretch[FOUR];
    carom_lane sum[FOUR] = {{0}};
    for (size_t c = 0; c < FOUR; c++)
        stretch[c] = f->lane[f->chains > 1 ? c : 0].stretch;
    CONTACTS(slot)
    {
        carom_lane known[FOUR], flow[FOUR];
        EACH_PAIR(c, at, slot)
        {
            const carom_lane force = GET(elastic, at), t = GET(lag, at);
            const carom_lane trend = carom_lane_positive(force + stretch[c] * (force - GET(earlier, at)));
            known[c] = (f->h - t) * force;
            flow[c] = t * (t * trend + known[c]);
        }
        EACH_PAIR(c, at, slot)
        PUT(known, at, known[c]);
        EACH_PAIR(c, at, slot)
        PUT(flow, at, flow[c]);
    }
    reflect(f, f->flow);
    BEADS(slot)
    {
        carom_lane drifted[FOUR], u[FOUR];
        EACH_PAIR(c, at, slot)
        {
            const carom_lane x = GET(x, at);
            carom_lane push = GET(flow, at - width) - GET(flow, at);
            drifted[c] = x + f->h * GET(v, at);
            if (f->springs)
                push += spring_lag(f, at) * spring_impulse(f, at, x, drifted[c]);
            u[c] = push * GET(inverse_mass, at);
            sum[c] += 0.0 * drifted[c]; /* no longer 0 once one is not finite */
        }
        EACH_PAIR(c, at, slot)
        {
            PUT(drifted, at, drifted[c]);
            PUT(u, at, u[c]);
            PUT(trial, at, drifted[c] + u[c]);
        }
    }
    for (size_t c = 0; c < f->chains; c++)
        f->lane[c].finite = true;
    for (size_t c = 0; c < FOUR; c++)
        f->lane[f->chains > 1 ? c : 0].finite &= sum[c][0] + sum[c][1] == 0.0;
    carom_theta_pass_mirror(f, f->trial);
}

/* overlaps at the trial and their roots */
ALWAYS_INLINE void squeeze(const struct carom_theta_fold *f, size_t slot, carom_lane *d, carom_lane *root)
{
    const size_t width = 2 * f->chains;
    EACH_PAIR(c, at, slot)
    d[c] = carom_lane_positive(GET(trial, at) - GET(trial, at + width) - GET(gap, at));
    EACH_PAIR(c, at, slot)
    root[c] = carom_lane_sqrt(d[c]);
}

/* elastic forces into `next`, slopes into `bond`, by the laws */
static void ask_laws(struct carom_theta_fold *f)
{
    for (size_t c = 0; c < f->chains; c++)
        carom_theta_fold_press(f, c);
}

void carom_theta_pass_matrix(struct carom_theta_fold *f)
{
    if (!f->hertzian)
        ask_laws(f);
    CONTACTS(slot)
    {
        carom_lane d[FOUR], root[FOUR];
        if (f->hertzian)
            squeeze(f, slot, d, root);
        EACH_PAIR(c, at, slot)
        {
            const carom_lane k = GET(stiffness, at), t = GET(lag, at);
            const carom_lane force = f->hertzian ? k * (d[c] * root[c]) : GET(next, at);
            const carom_lane slope = f->hertzian ? 1.5 * k * root[c] : GET(bond, at);
            PUT(flow, at, t * (t * force + GET(known, at)));
            PUT(bond, at, t * t * slope);
        }
    }
    reflect(f, f->flow);
}

void carom_theta_pass_forces(struct carom_theta_fold *f)
{
    if (!f->hertzian)
        ask_laws(f);
    CONTACTS(slot)
    {
        carom_lane d[FOUR], root[FOUR];
        if (f->hertzian)
            squeeze(f, slot, d, root);
        EACH_PAIR(c, at, slot)
        {
            const carom_lane force = f->hertzian ? GET(stiffness, at) * (d[c] * root[c]) : GET(next, at);
            const carom_lane t = GET(lag, at), impulse = t * force + GET(known, at);
            PUT(next, at, force);
            PUT(impulse, at, impulse);
            PUT(flow, at, t * impulse);
        }
    }
    reflect(f, f->next);
    reflect(f, f->impulse);
    reflect(f, f->flow);
}

/* m u less the push on a bead, t J of its spring included */
ALWAYS_INLINE carom_lane imbalance(const struct carom_theta_fold *f, size_t at, carom_lane push)
{
    if (f->springs)
        push += spring_lag(f, at) * spring_impulse(f, at, GET(x, at), GET(trial, at));
    return GET(mass, at) * GET(u, at) - push;
}

void carom_theta_pass_weigh(const struct carom_theta_fold *f, double *worst)
{
    const size_t width = 2 * f->chains;
    carom_lane_mask size[FOUR] = {{0}};
    BEADS(slot)
    {
        carom_lane r[FOUR];
        EACH_PAIR(c, at, slot)
        {
            r[c] = imbalance(f, at, GET(flow, at - width) - GET(flow, at));
            size[c] = carom_lane_larger(size[c], r[c] * GET(inverse_mass, at));
        }
        EACH_PAIR(c, at, slot)
        PUT(residual, at, r[c]);
    }
    if (f->chains == 1) {
        size[0] =
            carom_lane_larger(carom_lane_larger(carom_lane_larger(size[0], (carom_lane)size[1]), (carom_lane)size[2]),
                              (carom_lane)size[3]);
        worst[0] = carom_lane_largest(size[0]);
    }
    for (size_t c = 0; f->chains > 1 && c < FOUR; c++)
        worst[c] = carom_lane_largest(size[c]);
}

/* what a bead with a spring weighs in the matrix; positive while sqrt(K / m) gamma < 2 */
ALWAYS_INLINE carom_lane weight(const struct carom_theta_fold *f, size_t at)
{
    carom_lane m = GET(mass, at);
    if (f->springs) {
        const carom_lane t = spring_lag(f, at);
        m += GET(spring, at) * (t * (f->h - t));
    }
    return m;
}

/* what is behind a slot and has been eliminated: it hangs there as a mass with a residual */
struct tail {
    carom_lane mass, residual;
};

/* One slot with residual r, joined to the next by `bond`. The matrix is that of masses joined by springs, and no
 * difference of positive numbers is taken: stiff contacts and unequal masses cost no digits. */
ALWAYS_INLINE void eliminate(const struct carom_theta_fold *f, size_t at, carom_lane bond, carom_lane r,
                             struct tail *tail)
{
    const carom_lane m = weight(f, at), own = m + tail->mass, all = r + tail->residual;
    const carom_lane inverse = 1.0 / ((m + bond) + tail->mass), part = all * inverse;
    PUT(ratio, at, bond * inverse);
    PUT(update, at, part);
    tail->mass = (own * bond) * inverse;
    tail->residual = bond * part;
}

/* where the two ends meet: in one bead, or in two with a contact between them */
ALWAYS_INLINE void meet(const struct carom_theta_fold *f, size_t at, carom_lane bond, carom_lane r, struct tail tail)
{
    const carom_lane m = weight(f, at);
    carom_lane solved;
    if (f->n % 2 == 1) {
        solved =
            (r + (tail.residual - carom_lane_swap(tail.residual))) / (m + (tail.mass + carom_lane_swap(tail.mass)));
    } else {
        const carom_lane own = m + tail.mass, all = r + tail.residual,
                         across = bond * carom_lane_swap(1.0 / (own + bond));
        solved = (all - across * carom_lane_swap(all)) / (own + across * carom_lane_swap(own));
    }
    PUT(update, at, solved);
    PUT(ratio, at, (carom_lane){0});
}

ALWAYS_INLINE void inward(const struct carom_theta_fold *f, size_t chains)
{
    struct tail tail[FOUR];
    for (size_t c = 0; c < chains; c++)
        tail[c] = (struct tail){GET(bond, 2 * c), {0}};
    for (size_t i = 1; i < f->half; i++)
        for (size_t c = 0; c < chains; c++) {
            const size_t at = 2 * (i * chains + c);
            eliminate(f, at, GET(bond, at), GET(residual, at), &tail[c]);
        }
    for (size_t c = 0; c < chains; c++) {
        const size_t at = 2 * (f->half * chains + c);
        meet(f, at, GET(bond, at), GET(residual, at), tail[c]);
    }
}

void carom_theta_pass_inward(const struct carom_theta_fold *f)
{
    if (f->chains == 1)
        inward(f, 1);
    else
        inward(f, FOUR);
}

ALWAYS_INLINE void outward(const struct carom_theta_fold *f, const bool *live, size_t chains)
{
    carom_lane solved[FOUR] = {{0}};
    carom_lane_mask keep[FOUR];
    for (size_t c = 0; c < chains; c++)
        keep[c] = (carom_lane_mask){0} - (live[c] ? 1 : 0);
    for (size_t i = f->half; i > 0; i--)
        for (size_t c = 0; c < chains; c++) {
            const size_t at = 2 * (i * chains + c);
            solved[c] = GET(update, at) + GET(ratio, at) * solved[c];
            const carom_lane moved = carom_lane_where(keep[c], solved[c]), u = GET(u, at) - moved;
            PUT(update, at, moved);
            PUT(u, at, u);
            PUT(trial, at, GET(drifted, at) + u);
        }
    carom_theta_pass_mirror(f, f->trial);
}

void carom_theta_pass_outward(const struct carom_theta_fold *f, const bool *live)
{
    if (f->chains == 1)
        outward(f, live, 1);
    else
        outward(f, live, FOUR);
}

void carom_theta_pass_give_back(const struct carom_theta_fold *f, const bool *live, const double *part)
{
    const size_t width = 2 * f->chains;
    for (size_t at = width; at < (f->half + 1) * width; at += 2) {
        const size_t c = at / 2 % f->chains;
        if (!live[c])
            continue;
        const carom_lane u = GET(u, at) + part[c] * GET(update, at);
        PUT(u, at, u);
        PUT(trial, at, GET(drifted, at) + u);
    }
    carom_theta_pass_mirror(f, f->trial);
}

void carom_theta_pass_finish(const struct carom_theta_fold *f)
{
    const size_t width = 2 * f->chains;
    const double rate = 1.0 / f->h;
    carom_theta_pass_mirror(f, f->x);
    CONTACTS(slot)
    {
        carom_lane lost[FOUR];
        EACH_PAIR(c, at, slot)
        {
            const carom_lane damper = GET(gamma, at) * (GET(next, at) - GET(elastic, at));
            const carom_lane after = GET(trial, at) - GET(trial, at + width);
            const carom_lane before = GET(x, at) - GET(x, at + width);
            lost[c] = GET(lost, at) + damper * ((after - before) * rate);
        }
        EACH_PAIR(c, at, slot)
        PUT(lost, at, lost[c]);
    }
    BEADS(slot)
    {
        carom_lane v[FOUR];
        EACH_PAIR(c, at, slot)
        {
            carom_lane push = GET(impulse, at - width) - GET(impulse, at);
            if (f->springs)
                push += spring_impulse(f, at, GET(x, at), GET(trial, at));
            v[c] = GET(v, at) + push * GET(inverse_mass, at);
        }
        EACH_PAIR(c, at, slot)
        PUT(v, at, v[c]);
    }
}

void carom_theta_pass_correct(const struct carom_theta_fold *f, const double *elastic, double factor)
{
    const size_t width = 2 * f->chains;
    for (size_t at = width; at < (f->half + 1) * width; at += 2) {
        const carom_lane behind = GET(gamma, at - width) * carom_lane_load(elastic + at - width);
        carom_lane push = behind - GET(gamma, at) * carom_lane_load(elastic + at);
        if (f->springs)
            push -= GET(spring_gamma, at) * GET(spring, at) * GET(x, at);
        PUT(v, at, GET(v, at) + 0.5 * factor * push * GET(inverse_mass, at));
    }
}

bool carom_theta_pass_switched(const struct carom_theta_fold *f)
{
    carom_lane_mask changes = {0};
    for (size_t at = 0; at < f->contacts_end; at += 2)
        changes |= (GET(elastic, at) > 0.0) ^ (GET(next, at) > 0.0);
    return (changes[0] | changes[1]) != 0;
}
