/* Steps of moreau-jean on a chain of rigid beads, over flat arrays, O(n). Local springs k, dampers c and weights are
 * linear, so the step is solved for them at once:
 *     (m + h theta c + (h theta)^2 k) (v1 - v0) = h F(t + theta h, q0 + h theta v0, v0) + impulses.
 * The contact problem is tridiagonal. Driven beads and long strings are not for this file. */
#include "scheme/rigid/moreau/moreau.h"
#include "scheme/stepper.h"

/* what depends on the step size only */
static void prepare(struct carom_moreau *w, double h)
{
    const struct carom_beads *beads = w->chain.beads;
    const double theta = w->options->theta;
    if (w->h == h)
        return;
    w->h = h;
    w->per = 1.0 / h;
    for (size_t i = 0; i < w->chain.n; i++) {
        const double c = beads->damper ? beads->damper[i] : 0.0, k = beads->spring ? beads->spring[i] : 0.0;
        const double extra = h * theta * (c + h * theta * k);
        w->inverse[i] = extra > 0.0 ? 1.0 / (beads->mass[i] + extra) : beads->inverse_mass[i];
        w->kick[i] = beads->weight ? h * beads->weight[i] * w->inverse[i] : 0.0;
    }
}

/* velocities without impulses */
static void fly(const struct carom_moreau *w, double t, double h, const double *restrict q, const double *restrict v,
                double *restrict out)
{
    const struct carom_beads *beads = w->chain.beads;
    const size_t n = w->chain.n;
    const double ahead = w->options->theta * h;
    for (size_t i = 0; i < n; i++)
        out[i] = v[i] + w->kick[i];
    for (size_t i = 0; beads->spring && i < n; i++)
        out[i] -= h * w->inverse[i] * beads->spring[i] * (q[i] + ahead * v[i]);
    for (size_t i = 0; beads->damper && i < n; i++)
        out[i] -= h * w->inverse[i] * beads->damper[i] * v[i];
    for (size_t k = 0; k < beads->nloads; k++) {
        const size_t i = beads->load[k].bead;
        out[i] += h * w->inverse[i] * carom_signal_value(&beads->load[k].force, t + ahead);
    }
}

/* the contacts that may carry an impulse, and their problem */
static void select(struct carom_stepper *stepper, double h, const struct carom_state *from)
{
    struct carom_moreau *w = stepper->work;
    struct carom_rigid_step *c = &w->rigid;
    const struct carom_chain *chain = &w->chain;
    const double ahead = h * w->options->gamma;
    const double *restrict overlap = w->after, *restrict rate = w->before, *restrict freely = w->freely;
    size_t n = 0;
    carom_rigid_step_quiet(c, from->v, w->free);
    const double largest = carom_rigid_step_size(from->q, chain->n);
    const double pressed = carom_moreau_near(w->options, h * c->kick, largest, true);
    const double other = carom_moreau_near(w->options, h * c->kick, largest, false);
    carom_chain_deform(chain, 0, chain->nc, from->q, w->after);
    for (size_t j = 0; j < chain->nc; j++) {
        const double near = from->force[j] > 0.0 ? pressed : other;
        c->contact[n] = j;
        n += overlap[j] + ahead * rate[j] + near >= 0.0;
    }
    c->n = n;
    c->hit = carom_rigid_step_top(rate, chain->nc) > c->quiet;
    const double deepest = carom_rigid_step_top(overlap, chain->nc);
    if (-deepest < stepper->worst_gap)
        stepper->worst_gap = -deepest;
    for (size_t k = 0; k < n; k++) {
        const size_t j = c->contact[k], right = j + 1 - chain->shift;
        const double left_mass = j >= chain->shift ? w->inverse[right - 1] : 0.0;
        const double right_mass = right < chain->n ? w->inverse[right] : 0.0;
        const double e = w->bounce[2 * j + (rate[j] < 0.0)]; /* at rest the sign is noise: no branch */
        c->diagonal[k] = left_mass + right_mass;
        c->beside[k] = k + 1 < n && c->contact[k + 1] == j + 1 ? -right_mass : 0.0;
        const double b = -freely[j] - e * rate[j];
        c->b[k] = fabs(b) <= c->rounding ? 0.0 : b; /* signs of rounding cost many sweeps, and are none */
        c->impulse[k] = h * from->force[j];
    }
}

/* the impulses into `force`, for now; returns whether there are any */
static bool spread(const struct carom_rigid_step *c, double *force, size_t nc)
{
    bool any = false;
    for (size_t j = 0; j < nc; j++)
        force[j] = 0.0;
    for (size_t k = 0; k < c->n; k++) {
        force[c->contact[k]] = c->impulse[k];
        any |= c->impulse[k] > 0.0;
    }
    return any;
}

/* contact j got the impulse p > 0: its loss and force, and whether it was struck; `mass` is the inverse one it has */
static inline void book_one(struct carom_moreau *w, const struct carom_state *from, struct carom_state *to, size_t j,
                            double p, double mass, double before, double after, double t)
{
    struct carom_rigid_step *c = &w->rigid;
    to->lost[j] -= 0.5 * p * (before + after);
    to->force[j] = p * w->per;
    if (carom_rigid_step_strikes(c, from->memory[j], before, p * mass)) {
        to->memory[j] = CAROM_RIGID_STEP_STRUCK;
        c->struck = true;
        carom_rigid_step_note(c, t, j, CAROM_EVENT_IMPACT, p, before, after);
        return;
    }
    to->memory[j] = carom_rigid_step_pressed(c, from->memory[j], p * mass);
    if (to->memory[j] != from->memory[j] && to->memory[j] == CAROM_RIGID_STEP_CLOSED && from->step > 0)
        carom_rigid_step_note(c, t, j, CAROM_EVENT_CLOSE, p, before, after);
}

/* losses, forces and what became of the contacts */
static void book(struct carom_moreau *w, const struct carom_state *from, struct carom_state *to, double t)
{
    struct carom_rigid_step *c = &w->rigid;
    for (size_t j = 0; j < w->chain.nc; j++) {
        to->lost[j] = from->lost[j];
        to->memory[j] = CAROM_RIGID_STEP_OPEN;
        if (from->memory[j] == CAROM_RIGID_STEP_CLOSED && !(to->force[j] > 0.0))
            carom_rigid_step_note(c, t, j, CAROM_EVENT_OPEN, 0.0, -w->before[j], -w->after[j]);
    }
    for (size_t k = 0; k < c->n; k++) {
        const size_t j = c->contact[k];
        if (c->impulse[k] > 0.0)
            book_one(w, from, to, j, c->impulse[k], c->diagonal[k], -w->before[j], -w->after[j], t);
    }
}

/* what dampers take and loads give, at the point of the step where forces are taken */
static void pay(const struct carom_moreau *w, const struct carom_state *from, struct carom_state *to, double h)
{
    const struct carom_beads *beads = w->chain.beads;
    const double theta = w->options->theta;
    if (!beads->damper && beads->nloads == 0)
        return;
    for (size_t i = 0; i < w->chain.n; i++)
        w->push[i] = theta * to->v[i] + (1.0 - theta) * from->v[i];
    to->spent[0] += h * carom_loads_damping(beads, 0, w->chain.n, w->push);
    to->work[0] += h * carom_loads_power(beads, from->time + theta * h, w->push);
}

/* One ball and one wall: the same formulas without loops, because a ball's step is all overhead. */
static enum carom_status ball(struct carom_stepper *stepper, struct carom_state *to, double h,
                              struct carom_error *error)
{
    struct carom_moreau *w = stepper->work;
    struct carom_rigid_step *c = &w->rigid;
    const struct carom_state *from = stepper->before;
    const double up = w->chain.left_wall ? 1.0 : -1.0, theta = w->options->theta, q = from->q[0], v = from->v[0];
    const double gap = w->chain.gap[0] + up * q, before = up * v, was = from->memory[0];
    fly(w, from->time, h, from->q, from->v, w->free);
    const double freely = w->free[0];
    c->kick = fabs(freely - v);
    c->quiet = c->kick + 16.0 * DBL_EPSILON * fabs(v);
    c->rounding = 64.0 * DBL_EPSILON * fabs(v);
    c->hit = before < -c->quiet;
    const double near = carom_moreau_near(w->options, h * c->kick, fabs(q), from->force[0] > 0.0);
    double p = 0.0;
    if (gap + h * w->options->gamma * before <= near) {
        const double e = w->bounce[before > 0.0 ? 1 : 0], wanted = -(up * freely + e * before) / w->inverse[0];
        p = wanted > 0.0 ? wanted : 0.0;
        stepper->counts.iterations++;
    }
    const double next = freely + w->inverse[0] * (up * p), place = q + h * (theta * next + (1.0 - theta) * v);
    if (!isfinite(place))
        return carom_frame_explain(stepper->model, from->time + h, &place, &next, error);
    if (gap < stepper->worst_gap)
        stepper->worst_gap = gap;
    to->v[0] = next;
    to->q[0] = place;
    to->lost[0] = from->lost[0];
    to->force[0] = 0.0;
    to->memory[0] = CAROM_RIGID_STEP_OPEN;
    if (p > 0.0)
        book_one(w, from, to, 0, p, w->inverse[0], before, up * next, from->time + h);
    else if (was == CAROM_RIGID_STEP_CLOSED)
        carom_rigid_step_note(c, from->time + h, 0, CAROM_EVENT_OPEN, 0.0, before, up * next);
    pay(w, from, to, h);
    return CAROM_OK;
}

enum carom_status carom_moreau_chain_step(struct carom_stepper *stepper, struct carom_state *state, double h,
                                          struct carom_error *error)
{
    struct carom_moreau *w = stepper->work;
    const struct carom_chain *chain = &w->chain;
    const struct carom_state *from = stepper->before;
    const double theta = w->options->theta;
    const size_t n = chain->n, nc = chain->nc;
    prepare(w, h);
    if (n == 1 && nc == 1 && w->rigid.solver == CAROM_LCP_AUTO)
        return ball(stepper, state, h, error);
    fly(w, from->time, h, from->q, from->v, w->free);
    carom_chain_difference(chain, 0, nc, from->v, w->before);
    carom_chain_difference(chain, 0, nc, w->free, w->freely);
    select(stepper, h, from);
    if (w->rigid.n > 0) {
        const enum carom_status status = carom_rigid_step_solve(&w->rigid, stepper, from->time, NULL, error);
        if (status != CAROM_OK)
            return status;
    }
    const double *restrict v0 = from->v, *restrict q0 = from->q;
    double *restrict v1 = state->v, *restrict q1 = state->q, poison = 0.0;
    if (spread(&w->rigid, state->force, nc)) {
        carom_chain_push(chain, 0, n, state->force, 0, w->push);
        for (size_t i = 0; i < n; i++)
            v1[i] = w->free[i] + w->inverse[i] * w->push[i];
    } else {
        for (size_t i = 0; i < n; i++)
            v1[i] = w->free[i];
    }
    for (size_t i = 0; i < n; i++) {
        q1[i] = q0[i] + h * (theta * v1[i] + (1.0 - theta) * v0[i]);
        poison += q1[i] * 0.0; /* what is not finite leaves NaN */
    }
    if (poison != 0.0)
        return carom_frame_explain(stepper->model, from->time + h, state->q, state->v, error);
    carom_chain_difference(chain, 0, nc, state->v, w->after);
    book(w, from, state, from->time + h);
    pay(w, from, state, h);
    return CAROM_OK;
}
