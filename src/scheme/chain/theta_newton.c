/* Newton's method for the unknown u of a theta step (theta_pass.h). It looks for the minimum of a convex function,
 * so that it always finds it unless numbers are not finite. */
#include "scheme/chain/theta_fold.h"

#include <string.h>

#include "scheme/chain/theta_pass.h"

enum { CHAINS = CAROM_THETA_FOLD_CHAINS, MOST = 60 };

/* all chains under way */
struct newton {
    double worst[CHAINS], before[CHAINS], goal[CHAINS];
    bool live[CHAINS]; /* still to be changed */
};

static bool any(const struct carom_theta_fold *f, const bool *flag)
{
    bool found = false;
    for (size_t c = 0; c < f->chains; c++)
        found |= flag[c];
    return found;
}

static void count_evaluation(struct carom_theta_fold *f)
{
    for (size_t c = 0; c < f->chains; c++)
        f->lane[c].evaluations++;
}

/* The first look, at the predicted u, with the elimination of the first system. A step is solved when its error is a
 * millionth of what the prediction was off, which is less than the scheme's own error by an order of h. */
static void begin(struct carom_theta_fold *f, struct newton *n)
{
    count_evaluation(f);
    carom_theta_pass_matrix(f);
    carom_theta_pass_weigh(f, n->worst);
    carom_theta_pass_inward(f);
    for (size_t c = 0; c < f->chains; c++) {
        const struct carom_theta_lane *lane = &f->lane[c];
        const double off = n->worst[c] < 1e-4 * lane->length ? n->worst[c] : 1e-4 * lane->length;
        n->goal[c] = 1e-6 * off + 1e-12 * lane->length;
        n->live[c] = !lane->idle && !(n->worst[c] <= n->goal[c]);
    }
}

/* the largest number of a chain in an array of beads */
static double size_of(const struct carom_theta_fold *f, size_t c, const double *beads)
{
    double size = 0.0;
    for (size_t i = 1; i <= f->half; i++)
        for (size_t side = 0; side < 2; side++) {
            const double one = fabs(beads[2 * (i * f->chains + c) + side]);
            size = one > size ? one : size;
        }
    return size;
}

/* The residual bounds the error. Where contacts are stiff, rounding may keep it above the goal, but no update. */
static bool is_solved(const struct carom_theta_fold *f, size_t c, const struct newton *n)
{
    if (n->worst[c] <= n->goal[c] || !(n->worst[c] < HUGE_VAL))
        return n->worst[c] <= n->goal[c];
    const double reach = size_of(f, c, f->x), step = size_of(f, c, f->update);
    return n->worst[c] <= n->goal[c] + 1e-15 * reach || step <= 1e-11 * f->lane[c].length + 4e-15 * reach;
}

/* how steeply chain c still goes down along its update; negative: up */
static double descent(const struct carom_theta_fold *f, size_t c)
{
    double slope = 0.0;
    for (size_t i = 1; i <= f->half; i++) {
        const size_t at = 2 * (i * f->chains + c);
        slope += f->residual[at] * f->update[at];
        if (i < f->half || f->n % 2 == 0) /* else both lanes hold the same bead */
            slope += f->residual[at + 1] * f->update[at + 1];
    }
    return slope;
}

/* the minimum along an update lies between a part `low` of it, where it goes down, and a part `high`, where it goes
 * up */
struct search {
    double low, high, down, up, start;
    double taken;
};

/* where to look next: where the slopes say and in the middle, by turns */
static double between(const struct search *s, bool middle)
{
    const double at = s->low + (s->high - s->low) * (s->down / (s->down - s->up));
    return !middle && at > s->low && at < s->high ? at : 0.5 * (s->low + s->high);
}

/* Notes the slope where the search has arrived; false if that is near enough. `back` is what to give back next. */
static bool narrow(struct search *s, double slope, int look, double *back)
{
    if (look == 0)
        s->start = slope;
    *(slope >= 0.0 ? &s->low : &s->high) = s->taken;
    *(slope >= 0.0 ? &s->down : &s->up) = slope;
    const double next = between(s, look % 2 == 1);
    if (look > 0 && slope > -0.1 * s->start && slope < 0.5 * s->start)
        return false;
    *back = s->taken - next;
    s->taken = next;
    return true;
}

/* Where a full update has gone beyond the minimum along it and has not helped much, a part of it is taken that ends
 * near that minimum: so every iteration leads down. */
static void hold_back(struct carom_theta_fold *f, struct newton *n)
{
    struct search search[CHAINS];
    double back[CHAINS];
    bool beyond[CHAINS];
    for (size_t c = 0; c < f->chains; c++) {
        const double slope = n->live[c] && !(n->worst[c] < 0.01 * n->before[c]) ? descent(f, c) : 0.0;
        beyond[c] = !(slope >= 0.0);
        search[c] = (struct search){.high = 1.0, .up = slope};
        back[c] = 1.0; /* first back to where the update began */
    }
    for (int look = 0; look < MOST && any(f, beyond); look++) {
        carom_theta_pass_give_back(f, beyond, back);
        count_evaluation(f);
        carom_theta_pass_forces(f);
        carom_theta_pass_weigh(f, n->worst);
        for (size_t c = 0; c < f->chains; c++)
            beyond[c] = beyond[c] && narrow(&search[c], descent(f, c), look, &back[c]);
    }
}

/* one iteration, its system eliminated already; chains that have converged are no longer live */
static void iterate(struct carom_theta_fold *f, struct newton *n)
{
    memcpy(n->before, n->worst, sizeof n->before);
    carom_theta_pass_outward(f, n->live);
    count_evaluation(f);
    carom_theta_pass_forces(f);
    carom_theta_pass_weigh(f, n->worst);
    for (size_t c = 0; c < f->chains; c++)
        if (n->live[c]) {
            f->lane[c].iterations++;
            n->live[c] = !is_solved(f, c, n);
        }
    if (!any(f, n->live))
        return;
    hold_back(f, n);
    carom_theta_pass_matrix(f);
    carom_theta_pass_inward(f);
}

static void exchange(double **a, double **b)
{
    double *const hold = *a;
    *a = *b;
    *b = hold;
}

/* x, v and losses of the chains that failed, out of the way of the end of the step and back */
static void save_failed(struct carom_theta_fold *f, bool back)
{
    double *const array[3] = {f->x, f->v, f->lost}, *const aside[3] = {f->residual, f->update, f->ratio};
    for (size_t k = 0; k < 3; k++)
        for (size_t at = 0; at < f->doubles; at++)
            if (f->lane[at / 2 % f->chains].failed)
                *(back ? array[k] + at : aside[k] + at) = back ? aside[k][at] : array[k][at];
}

void carom_theta_newton_step(struct carom_theta_fold *f)
{
    struct newton n;
    carom_theta_pass_predict(f);
    begin(f, &n);
    if (!any(f, n.live))
        carom_theta_pass_forces(f);
    for (int i = 0; i < MOST && any(f, n.live); i++)
        iterate(f, &n);
    bool failed = false;
    for (size_t c = 0; c < f->chains; c++)
        failed |= f->lane[c].failed = n.live[c] || !f->lane[c].finite;
    if (f->chains == 1)
        f->lane[0].switched = carom_theta_pass_switched(f);
    if (failed)
        save_failed(f, false);
    carom_theta_pass_finish(f);
    exchange(&f->x, &f->trial);
    if (failed)
        save_failed(f, true);
    exchange(&f->earlier, &f->elastic);
    exchange(&f->elastic, &f->next);
}

void carom_theta_newton_press(struct carom_theta_fold *f)
{
    memcpy(f->trial, f->x, f->doubles * sizeof *f->x);
    carom_theta_pass_mirror(f, f->trial);
    count_evaluation(f);
    carom_theta_pass_forces(f);
}

void carom_theta_newton_refresh(struct carom_theta_fold *f)
{
    carom_theta_newton_press(f);
    exchange(&f->elastic, &f->next);
}
