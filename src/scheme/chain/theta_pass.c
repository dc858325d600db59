/* Passes over folded chains, both ends of a chain in one register. They take pairs of lanes four at a time: the
 * four chains of a batch, or four slots of a single chain, and have a loop over contacts and a loop over beads,
 * because short loops with their stores at the end keep the processor busier than a long one. Each works on a copy
 * of the fold, so that the compiler knows that no store changes where its arrays are. */
#include "scheme/chain/theta_pass.h"

#include "base/lane.h"

enum { FOUR = CAROM_THETA_FOLD_CHAINS };

#define CONTACTS(slot) for (size_t slot = 0; slot < f->contacts_end; slot += 2 * FOUR)
#define BEADS(slot) for (size_t slot = 2 * f->chains; slot < f->beads_end; slot += 2 * FOUR)
#define EACH_PAIR(c, at, slot) for (size_t c = 0, at = slot; c < FOUR; c++, at += 2)

void carom_theta_pass_mirror(const struct carom_theta_fold *f, double *beads)
{
    const size_t width = 2 * f->chains, across = f->n % 2 == 0 ? f->half : f->half - 1;
    for (size_t c = 0; c < width; c += 2)
        store(beads + (f->half + 1) * width + c, -swap(load(beads + across * width + c)));
}

/* the same for an array of contacts: those beside a bead in the middle mirror each other, and the passes leave the
 * second one out */
static void reflect(const struct carom_theta_fold *f, double *contacts)
{
    const size_t width = 2 * f->chains;
    for (size_t at = f->half * width; f->n % 2 == 1 && at < (f->half + 1) * width; at += 2)
        store(contacts + at, swap(load(contacts + at - width)));
}

INLINE two spring_lag(const struct carom_theta_fold *f, size_t at)
{
    return 0.5 * (f->h + load(f->spring_gamma + at));
}

/* J of a local spring */
INLINE two spring_impulse(const struct carom_theta_fold *f, size_t at, two x, two x_next)
{
    const two t = spring_lag(f, at);
    return -load(f->spring + at) * ((f->h - t) * x_next + t * x);
}

void carom_theta_pass_predict(struct carom_theta_fold *fold)
{
    const struct carom_theta_fold local = *fold, *const f = &local;
    const size_t width = 2 * f->chains;
    double stretch[FOUR];
    two sum[FOUR] = {{0}};
    for (size_t c = 0; c < FOUR; c++)
        stretch[c] = f->lane[f->chains > 1 ? c : 0].stretch;
    CONTACTS(slot)
    {
        two known[FOUR], flow[FOUR];
        EACH_PAIR(c, at, slot)
        {
            const two force = load(f->elastic + at), t = load(f->lag + at);
            const two trend = positive(force + stretch[c] * (force - load(f->earlier + at)));
            known[c] = (f->h - t) * force;
            flow[c] = t * (t * trend + known[c]);
        }
        EACH_PAIR(c, at, slot)
        store(f->known + at, known[c]);
        EACH_PAIR(c, at, slot)
        store(f->flow + at, flow[c]);
    }
    reflect(f, f->flow);
    BEADS(slot)
    {
        two drifted[FOUR], u[FOUR];
        EACH_PAIR(c, at, slot)
        {
            const two x = load(f->x + at);
            two push = load(f->flow + at - width) - load(f->flow + at);
            drifted[c] = x + f->h * load(f->v + at);
            if (f->springs)
                push += spring_lag(f, at) * spring_impulse(f, at, x, drifted[c]);
            u[c] = push * load(f->inverse_mass + at);
            sum[c] += 0.0 * drifted[c]; /* no longer 0 once one is not finite */
        }
        EACH_PAIR(c, at, slot)
        {
            store(f->drifted + at, drifted[c]);
            store(f->u + at, u[c]);
            store(f->trial + at, drifted[c] + u[c]);
        }
    }
    for (size_t c = 0; c < f->chains; c++)
        fold->lane[c].finite = true;
    for (size_t c = 0; c < FOUR; c++)
        fold->lane[f->chains > 1 ? c : 0].finite &= sum[c][0] + sum[c][1] == 0.0;
    carom_theta_pass_mirror(f, f->trial);
}

/* overlaps at the trial and their roots */
INLINE void squeeze(const struct carom_theta_fold *f, size_t slot, two *d, two *root)
{
    const size_t width = 2 * f->chains;
    EACH_PAIR(c, at, slot)
    d[c] = positive(load(f->trial + at) - load(f->trial + at + width) - load(f->gap + at));
    EACH_PAIR(c, at, slot)
    root[c] = roots(d[c]);
}

/* elastic forces into `next`, slopes into `bond`, by the laws */
static void ask_laws(struct carom_theta_fold *f)
{
    for (size_t c = 0; c < f->chains; c++)
        carom_theta_fold_press(f, c);
}

void carom_theta_pass_matrix(struct carom_theta_fold *fold)
{
    if (!fold->hertzian)
        ask_laws(fold);
    const struct carom_theta_fold local = *fold, *const f = &local;
    CONTACTS(slot)
    {
        two d[FOUR], root[FOUR];
        if (f->hertzian)
            squeeze(f, slot, d, root);
        EACH_PAIR(c, at, slot)
        {
            const two k = load(f->stiffness + at), t = load(f->lag + at);
            const two force = f->hertzian ? k * (d[c] * root[c]) : load(f->next + at);
            const two slope = f->hertzian ? 1.5 * k * root[c] : load(f->bond + at);
            store(f->flow + at, t * (t * force + load(f->known + at)));
            store(f->bond + at, t * t * slope);
        }
    }
    reflect(f, f->flow);
}

void carom_theta_pass_forces(struct carom_theta_fold *fold)
{
    if (!fold->hertzian)
        ask_laws(fold);
    const struct carom_theta_fold local = *fold, *const f = &local;
    CONTACTS(slot)
    {
        two d[FOUR], root[FOUR];
        if (f->hertzian)
            squeeze(f, slot, d, root);
        EACH_PAIR(c, at, slot)
        {
            const two force = f->hertzian ? load(f->stiffness + at) * (d[c] * root[c]) : load(f->next + at);
            const two t = load(f->lag + at), impulse = t * force + load(f->known + at);
            store(f->next + at, force);
            store(f->impulse + at, impulse);
            store(f->flow + at, t * impulse);
        }
    }
    reflect(f, f->next);
    reflect(f, f->impulse);
    reflect(f, f->flow);
}

/* m u less the push on a bead, t J of its spring included */
INLINE two imbalance(const struct carom_theta_fold *f, size_t at, two push)
{
    if (f->springs)
        push += spring_lag(f, at) * spring_impulse(f, at, load(f->x + at), load(f->trial + at));
    return load(f->mass + at) * load(f->u + at) - push;
}

void carom_theta_pass_weigh(const struct carom_theta_fold *fold, double *worst)
{
    const struct carom_theta_fold local = *fold, *const f = &local;
    const size_t width = 2 * f->chains;
    two_flags size[FOUR] = {{0}};
    BEADS(slot)
    {
        two r[FOUR];
        EACH_PAIR(c, at, slot)
        {
            r[c] = imbalance(f, at, load(f->flow + at - width) - load(f->flow + at));
            size[c] = larger(size[c], r[c] * load(f->inverse_mass + at));
        }
        EACH_PAIR(c, at, slot)
        store(f->residual + at, r[c]);
    }
    if (f->chains == 1) {
        size[0] = larger(larger(larger(size[0], (two)size[1]), (two)size[2]), (two)size[3]);
        worst[0] = largest(size[0]);
    }
    for (size_t c = 0; f->chains > 1 && c < FOUR; c++)
        worst[c] = largest(size[c]);
}

/* what a bead with a spring weighs in the matrix; positive while sqrt(K / m) gamma < 2 */
INLINE two weight(const struct carom_theta_fold *f, size_t at)
{
    two m = load(f->mass + at);
    if (f->springs) {
        const two t = spring_lag(f, at);
        m += load(f->spring + at) * (t * (f->h - t));
    }
    return m;
}

/* what is behind a slot and has been eliminated: it hangs there as a mass with a residual */
struct tail {
    two mass, residual;
};

/* One slot with residual r, joined to the next by `bond`. The matrix is that of masses joined by springs, and no
 * difference of positive numbers is taken: stiff contacts and unequal masses cost no digits. */
INLINE void eliminate(const struct carom_theta_fold *f, size_t at, two bond, two r, struct tail *tail)
{
    const two m = weight(f, at), own = m + tail->mass, all = r + tail->residual;
    const two inverse = 1.0 / ((m + bond) + tail->mass), part = all * inverse;
    store(f->ratio + at, bond * inverse);
    store(f->update + at, part);
    tail->mass = (own * bond) * inverse;
    tail->residual = bond * part;
}

/* where the two ends meet: in one bead, or in two with a contact between them */
INLINE void meet(const struct carom_theta_fold *f, size_t at, two bond, two r, struct tail tail)
{
    const two m = weight(f, at);
    two solved;
    if (f->n % 2 == 1) {
        solved = (r + (tail.residual - swap(tail.residual))) / (m + (tail.mass + swap(tail.mass)));
    } else {
        const two own = m + tail.mass, all = r + tail.residual, across = bond * swap(1.0 / (own + bond));
        solved = (all - across * swap(all)) / (own + across * swap(own));
    }
    store(f->update + at, solved);
    store(f->ratio + at, (two){0});
}

INLINE void inward(const struct carom_theta_fold *fold, size_t chains)
{
    const struct carom_theta_fold local = *fold, *const f = &local;
    struct tail tail[FOUR];
    for (size_t c = 0; c < chains; c++)
        tail[c] = (struct tail){load(f->bond + 2 * c), {0}};
    for (size_t i = 1; i < f->half; i++)
        for (size_t c = 0; c < chains; c++) {
            const size_t at = 2 * (i * chains + c);
            eliminate(f, at, load(f->bond + at), load(f->residual + at), &tail[c]);
        }
    for (size_t c = 0; c < chains; c++) {
        const size_t at = 2 * (f->half * chains + c);
        meet(f, at, load(f->bond + at), load(f->residual + at), tail[c]);
    }
}

void carom_theta_pass_inward(const struct carom_theta_fold *f)
{
    if (f->chains == 1)
        inward(f, 1);
    else
        inward(f, FOUR);
}

INLINE void outward(const struct carom_theta_fold *fold, const bool *live, size_t chains)
{
    const struct carom_theta_fold local = *fold, *const f = &local;
    two solved[FOUR] = {{0}};
    two_flags keep[FOUR];
    for (size_t c = 0; c < chains; c++)
        keep[c] = (two_flags){0} - (live[c] ? 1 : 0);
    for (size_t i = f->half; i > 0; i--)
        for (size_t c = 0; c < chains; c++) {
            const size_t at = 2 * (i * chains + c);
            solved[c] = load(f->update + at) + load(f->ratio + at) * solved[c];
            const two moved = (two)((two_flags)solved[c] & keep[c]), u = load(f->u + at) - moved;
            store(f->update + at, moved);
            store(f->u + at, u);
            store(f->trial + at, load(f->drifted + at) + u);
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
        const two u = load(f->u + at) + part[c] * load(f->update + at);
        store(f->u + at, u);
        store(f->trial + at, load(f->drifted + at) + u);
    }
    carom_theta_pass_mirror(f, f->trial);
}

void carom_theta_pass_finish(const struct carom_theta_fold *fold)
{
    const struct carom_theta_fold local = *fold, *const f = &local;
    const size_t width = 2 * f->chains;
    const double rate = 1.0 / f->h;
    carom_theta_pass_mirror(f, f->x);
    CONTACTS(slot)
    {
        two lost[FOUR];
        EACH_PAIR(c, at, slot)
        {
            const two damper = load(f->gamma + at) * (load(f->next + at) - load(f->elastic + at));
            const two after = load(f->trial + at) - load(f->trial + at + width);
            const two before = load(f->x + at) - load(f->x + at + width);
            lost[c] = load(f->lost + at) + damper * ((after - before) * rate);
        }
        EACH_PAIR(c, at, slot)
        store(f->lost + at, lost[c]);
    }
    BEADS(slot)
    {
        two v[FOUR];
        EACH_PAIR(c, at, slot)
        {
            two push = load(f->impulse + at - width) - load(f->impulse + at);
            if (f->springs)
                push += spring_impulse(f, at, load(f->x + at), load(f->trial + at));
            v[c] = load(f->v + at) + push * load(f->inverse_mass + at);
        }
        EACH_PAIR(c, at, slot)
        store(f->v + at, v[c]);
    }
}

void carom_theta_pass_correct(const struct carom_theta_fold *f, const double *elastic, double factor)
{
    const size_t width = 2 * f->chains;
    for (size_t at = width; at < (f->half + 1) * width; at += 2) {
        const two behind = load(f->gamma + at - width) * load(elastic + at - width);
        two push = behind - load(f->gamma + at) * load(elastic + at);
        if (f->springs)
            push -= load(f->spring_gamma + at) * load(f->spring + at) * load(f->x + at);
        store(f->v + at, load(f->v + at) + 0.5 * factor * push * load(f->inverse_mass + at));
    }
}

bool carom_theta_pass_switched(const struct carom_theta_fold *fold)
{
    const struct carom_theta_fold local = *fold, *const f = &local;
    two_flags changes = {0};
    for (size_t at = 0; at < f->contacts_end; at += 2)
        changes |= (load(f->elastic + at) > 0.0) ^ (load(f->next + at) > 0.0);
    return (changes[0] | changes[1]) != 0;
}
