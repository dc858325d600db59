/* Friction between events in space, see event_cone.h. */
#include "scheme/rigid/event/event_cone.h"

#include <string.h>

#include "base/vec.h"
#include "scheme/rigid/event/event_friction.h"

static const double equal = 1e-9; /* of the largest acceleration: what rounding makes of it, and more */

double *carom_event_cone_ways(const struct carom_event_work *w, const struct carom_state *state)
{
    return state->memory + carom_columns_size(carom_event_columns, CAROM_EVENT_COLUMNS, w->model);
}

/* Is the slip of contact j still beginning? Its direction is then the one remembered: below what a step may err by its
 * own says nothing, and friction would turn it faster than steps follow. Along a step it stays what it was. */
static bool is_young(const struct carom_event_smooth *s, size_t j, const double *way, double speed)
{
    return (s->flying ? s->young[j] : speed <= s->none) && carom_vec_norm(way) > 0.0;
}

void carom_event_cone_look(struct carom_event_work *w)
{
    struct carom_event_smooth *s = &w->smooth;
    for (size_t i = 0; i < s->frame.n; i++) {
        const double *slip = s->slips + 2 * i, speed = carom_event_cone_size(slip), *way = s->way + 3 * i;
        const bool told = speed > carom_event_slow(w) && !is_young(s, s->frame.contact[i], way, speed);
        for (size_t k = 0; k < 2; k++)
            s->rub.against[2 * i + k] = told ? -slip[k] / speed : -carom_vec_dot(s->frame.axes[i] + 3 * k, way);
    }
}

void carom_event_cone_stop(struct carom_event_work *w, double none)
{
    struct carom_event_smooth *s = &w->smooth;
    memcpy(s->slips, s->drag, 2 * s->frame.n * sizeof(double));
    carom_event_cone_look(w);
    for (size_t i = 0; i < s->nheld; i++)
        if (carom_event_cone_size(s->drag + 2 * i) <= none && s->rub.mu_static[s->held[i]] > 0.0)
            s->rubs[i] = CAROM_COULOMB_STICK;
}

/* Acceleration k of contact i of the frame, across it (0) or along it, under the forces s->lambda and `along`. */
static double acceleration(const struct carom_event_smooth *s, const double *along, size_t i, size_t k)
{
    const size_t wide = 3 * s->frame.n;
    const double *row = s->frame.both + (3 * i + k) * wide;
    double sum = k > 0 ? s->drag[2 * i + k - 1] : s->side[i];
    for (size_t l = 0; l < s->frame.n; l++)
        sum += row[3 * l] * s->lambda[l] + carom_vec_product(2, row + 3 * l + 1, along + 2 * l);
    return sum;
}

/* --- modes ------------------------------------------------------------------------------------------------------- */

/* The problem of accelerations with contacts that slip along the unit vectors in s->rub.before, or not (0): impulses
 * are forces, s->rub.u what they leave. Accelerations up to *none are none. */
static enum carom_status solve(struct carom_stepper *stepper, double t, double *none, struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_smooth *s = &w->smooth;
    *none = carom_event_smooth_noise(w);
    return carom_coulomb_space_press(&s->rub, stepper, &s->frame, t, s->side, s->drag, s->lasting, s->lambda, none,
                                     error);
}

/* The problem of the n contacts w->set, which slip as s->slips say; slips up to `none` are none, accelerations up to
 * *pull. */
static enum carom_status solve_set(struct carom_stepper *stepper, const struct carom_state *state, size_t n,
                                   double none, double *pull, struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_smooth *s = &w->smooth;
    struct carom_coulomb *r = &s->rub;
    const double *ways = carom_event_cone_ways(w, state);
    for (size_t i = 0; i < n; i++) {
        const size_t j = w->set[i];
        const double speed = carom_event_cone_size(s->slips + 2 * i);
        const bool young = j != w->slides && w->was[j] > CAROM_EVENT_HELD && is_young(s, j, ways + 3 * j, speed);
        for (size_t k = 2 * i; k < 2 * i + 2; k++)
            r->before[k] = speed > none && !young ? s->slips[k] / speed : 0.0;
        r->stuck[i] = !(speed > none) && !young && !(j == w->slides && w->was[j] == CAROM_EVENT_HELD);
    }
    return solve(stepper, state->time + state->time_low, pull, error);
}

bool carom_event_cone_sticks(struct carom_stepper *stepper, const struct carom_state *state, size_t n, double none,
                             double *sticks)
{
    const struct carom_coulomb *r = &((struct carom_event_work *)stepper->work)->smooth.rub;
    double pull;
    const bool solved = solve_set(stepper, state, n, none, &pull, NULL) == CAROM_OK;
    for (size_t i = 0; i < n; i++)
        sticks[i] = r->stuck[i] && carom_event_cone_size(r->u + 3 * i + 1) <= pull;
    return solved;
}

/* Does contact i slip though its slip does not grow? One that breaks away does, and one that was beginning to slip and
 * that friction drags by all it may: what holds it with less stops it. */
static bool drags_on(const struct carom_event_work *w, size_t i)
{
    const double edge = 1e-6; /* of the cone: what forces are known to that are not unique */
    const struct carom_coulomb *r = &w->smooth.rub;
    if (r->stuck[i] || !(r->now[i] > 0.0))
        return false;
    return w->set[i] == w->slides ||
           carom_event_cone_size(r->impulse + 2 * i) >= (1.0 - edge) * r->now[i] * w->smooth.lambda[i];
}

enum carom_status carom_event_cone_choose(struct carom_stepper *stepper, struct carom_state *state, size_t n,
                                          double none, struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    const struct carom_event_smooth *s = &w->smooth;
    const struct carom_coulomb *r = &s->rub;
    double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE), *ways = carom_event_cone_ways(w, state);
    double pull;
    const enum carom_status status = solve_set(stepper, state, n, none, &pull, error);
    const double opens = carom_event_friction_opens(w, pull);
    for (size_t i = 0; i < n && status == CAROM_OK; i++) {
        const size_t j = w->set[i];
        double begin[2] = {0.0, 0.0}, *way = ways + 3 * j;
        const bool slips = carom_event_cone_size(r->before + 2 * i) > 0.0 ||
                           carom_coulomb_space_begins(r, &s->frame, i, drags_on(w, i), pull, begin);
        for (int k = 0; k < 3; k++)
            way[k] = begin[0] * s->frame.axes[i][k] + begin[1] * s->frame.axes[i][3 + k];
        mode[j] = r->u[3 * i] > opens          ? CAROM_EVENT_TOUCH
                  : slips && s->frame.slips[i] ? CAROM_EVENT_UP
                                               : CAROM_EVENT_HELD;
    }
    return status;
}

/* Are the forces by which the contacts are held forces of the law, and do they hold them? Then none need be looked
 * for. */
static bool holds(const struct carom_event_work *w)
{
    const struct carom_event_smooth *s = &w->smooth;
    double none = carom_event_smooth_noise(w);
    for (size_t i = 0; i < s->nheld; i++)
        none = fmax(none, equal * fmax(fabs(s->side[i]), s->frame.diagonal[i] * s->lambda[i]));
    for (size_t i = 0; i < s->nheld; i++) {
        const bool sticks = s->rubs[i] == CAROM_COULOMB_STICK;
        const double most = s->rub.mu_static[s->held[i]] * s->lambda[i];
        const double slips[2] = {acceleration(s, s->along, i, 1), acceleration(s, s->along, i, 2)};
        if (!(s->lambda[i] >= 0.0) || !(fabs(acceleration(s, s->along, i, 0)) <= none) ||
            (sticks && s->frame.slips[i] &&
             (!(carom_event_cone_size(s->along + 2 * i) <= most) || !(carom_event_cone_size(slips) <= none))))
            return false;
    }
    return true;
}

bool carom_event_cone_agrees(struct carom_stepper *stepper, double t)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    struct carom_coulomb *r = &s->rub;
    if (holds(stepper->work))
        return true;
    const struct carom_counts counts = stepper->counts;
    const double residual = stepper->worst_residual;
    for (size_t i = 0; i < s->nheld; i++) {
        r->stuck[i] = s->rubs[i] == CAROM_COULOMB_STICK;
        for (size_t k = 2 * i; k < 2 * i + 2; k++)
            r->before[k] = r->stuck[i] ? 0.0 : -r->against[k];
    }
    double none;
    bool agrees = solve(stepper, t, &none, NULL) == CAROM_OK;
    for (size_t i = 0; i < s->nheld && agrees; i++)
        agrees = r->u[3 * i] <= none &&
                 (s->rubs[i] != CAROM_COULOMB_STICK || carom_event_cone_size(r->u + 3 * i + 1) <= none);
    stepper->counts = counts;
    stepper->worst_residual = residual;
    return agrees;
}

/* --- stops ------------------------------------------------------------------------------------------------------- */

/* How the slip of held contact i changes under the forces found; returns how fast its own friction, whichever way it
 * pushed, would change it at most. */
static double slip_change(const struct carom_event_smooth *s, size_t i, double change[2])
{
    const size_t wide = 3 * s->frame.n;
    double own = 0.0;
    for (size_t k = 0; k < 2; k++) {
        change[k] = acceleration(s, s->along, i, 1 + k);
        own += s->frame.both[(3 * i + 1 + k) * wide + 3 * i + 1 + k];
    }
    return own * carom_event_cone_size(s->along + 2 * i);
}

bool carom_event_cone_turns(const struct carom_event_work *w, size_t i)
{
    const struct carom_event_smooth *s = &w->smooth;
    const double speed = carom_event_cone_size(s->slips + 2 * i);
    return s->rubs[i] != CAROM_COULOMB_STICK && speed > carom_event_slow(w) && s->rub.mu[s->held[i]] > 0.0 &&
           !is_young(s, s->held[i], s->way + 3 * i, speed);
}

void carom_event_cone_begin(struct carom_event_work *w)
{
    struct carom_event_smooth *s = &w->smooth;
    for (size_t i = 0; i < s->nheld; i++)
        s->young[s->held[i]] = s->rubs[i] != CAROM_COULOMB_STICK && carom_event_cone_size(s->slips + 2 * i) <= s->none;
}

double carom_event_cone_grown(const struct carom_event_smooth *s, size_t i)
{
    const double beyond = 1.01; /* by which it is one whose direction tells */
    return beyond * s->none - carom_event_cone_size(s->slips + 2 * i);
}

double carom_event_cone_limit(struct carom_event_work *w, double *turning, bool *seen)
{
    const double most = 0.9;   /* of the time in which it would stop */
    const double unseen = 1e3; /* slips up to this many errors of a step: they do not tell where steps are too long */
    struct carom_event_smooth *s = &w->smooth;
    double limit = HUGE_VAL;
    *turning = HUGE_VAL;
    *seen = true;
    for (size_t i = 0; i < s->nheld; i++) {
        const double *slip = s->slips + 2 * i, speed = carom_event_cone_size(slip);
        double change[2];
        s->stops[i] = speed > s->none ? s->none : 0.5 * speed;
        if (!carom_event_cone_turns(w, i))
            continue;
        const double drag = slip_change(s, i, change);
        if (slip[0] * change[0] + slip[1] * change[1] < 0.0)
            limit = fmin(limit, most * speed / carom_event_cone_size(change));
        *turning = fmin(*turning, speed / drag);
        *seen &= !(speed < unseen * s->none);
    }
    return limit;
}
