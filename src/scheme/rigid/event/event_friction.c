/* Friction between events, see event_friction.h. Which contacts stick is a contact problem of accelerations: what slips
 * has a slip in it so large that no force turns it, what does not slips or sticks as its acceleration would have it. */
#include "scheme/rigid/event/event_friction.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/ports.h"
#include "scheme/rigid/event/event_cone.h"
#include "scheme/rigid/event/event_stiff.h"

static const double equal = 1e-9; /* of the largest acceleration: what rounding makes of it, and more */

void carom_event_friction_close(struct carom_event_smooth *s)
{
    carom_event_stiff_close(s);
    carom_memory_free_all(s->along, s->drag, s->slips, s->rubs, s->lasting, s->young, s->way, s->stops);
    carom_coulomb_close(&s->rub);
}

enum carom_status carom_event_friction_open(struct carom_event_smooth *s, const struct carom_model *model,
                                            double tolerance, struct carom_error *error)
{
    if (!model->frictional)
        return CAROM_OK;
    const size_t ways = s->frame.tangents;
    const struct {
        double **to;
        size_t n;
    } numbers[] = {{&s->along, ways}, {&s->drag, ways}, {&s->slips, ways}, {&s->way, 3}, {&s->stops, 1}};
    bool all = (s->rubs = carom_memory_zeroed(model->nc, sizeof *s->rubs)) != NULL;
    all &= (s->young = carom_memory_zeroed(model->nc, sizeof *s->young)) != NULL;
    all &= (s->lasting = carom_memory_zeroed(model->nc, sizeof *s->lasting)) != NULL;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        all &= (*numbers[i].to = carom_memory_zeroed(numbers[i].n * model->nc, sizeof(double))) != NULL;
    all &= carom_event_stiff_open(s, model);
    if (!all)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for friction at %zu contacts", model->nc);
    for (size_t j = 0; j < model->nc; j++)
        s->lasting[j] = true;
    return carom_coulomb_open(&s->rub, model, tolerance, error);
}

void carom_event_friction_take(struct carom_event_work *w, const struct carom_state *state)
{
    struct carom_event_smooth *s = &w->smooth;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    s->none = carom_event_slow(w); /* in space slips stop where friction still has a direction */
    if (s->frame.tangents > 1)
        s->none = fmax(2.0 * s->none, state->memory[CAROM_EVENT_ALLOWED] * w->speed);
    for (size_t i = 0; s->rubs && i < s->nheld; i++) {
        s->rubs[i] = (enum carom_coulomb_mode)(CAROM_COULOMB_STICK + (int)(mode[s->held[i]] - CAROM_EVENT_HELD));
        if (s->frame.tangents > 1)
            memcpy(s->way + 3 * i, carom_event_cone_ways(w, state) + 3 * s->held[i], 3 * sizeof *s->way);
    }
}

void carom_event_friction_drift(const struct carom_stepper *stepper, double t, double share)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    const struct carom_frame *f = &s->frame;
    for (size_t i = 0; i < f->n; i++) {
        double normal[3], pass[3];
        if (f->tangents == 1) {
            s->drag[i] += share * carom_ports_slip(stepper->model, f->contact[i], t, s->moved, s->swift);
            continue;
        }
        carom_ports_passage(stepper->model, f->contact[i], s->moved, s->swift, normal, pass);
        for (size_t k = 0; k < 2 && f->slips[i]; k++)
            s->drag[2 * i + k] += share * carom_vec_dot(f->axes[i] + 3 * k, pass);
    }
}

void carom_event_friction_look(struct carom_event_work *w, const double *v)
{
    struct carom_event_smooth *s = &w->smooth;
    carom_frame_slips(&s->frame, s->frame.slide, v, s->slips);
    if (s->frame.tangents > 1)
        carom_event_cone_look(w);
}

double carom_event_friction_pull(const struct carom_event_smooth *s, size_t i)
{
    return s->frame.tangents > 1 ? carom_event_cone_size(s->along + 2 * i) : fabs(s->along[i]);
}

void carom_event_friction_tell(const struct carom_event_smooth *s, struct carom_state *state)
{
    for (size_t i = 0; s->along && i < s->nheld; i++) {
        const size_t j = s->held[i];
        state->friction[j] = s->frame.tangents > 1 ? carom_event_friction_pull(s, i) : s->along[i];
        for (size_t k = 0; s->frame.tangents > 1 && k < 3; k++)
            state->force[state->nfriction + 3 * j + k] =
                s->along[2 * i] * s->frame.axes[i][k] + s->along[2 * i + 1] * s->frame.axes[i][3 + k];
    }
}

double carom_event_friction_left(const struct carom_event_smooth *s, size_t i)
{
    if (s->frame.tangents > 1)
        return carom_event_cone_size(s->slips + 2 * i) - s->stops[i];
    return s->rubs[i] == CAROM_COULOMB_UP ? -s->slips[i] : s->slips[i];
}

double carom_event_friction_power(const struct carom_event_smooth *s, size_t i)
{
    const size_t ways = s->frame.tangents;
    double power = 0.0;
    for (size_t k = ways * i; k < ways * (i + 1); k++)
        power -= s->along[k] * s->slips[k];
    return power;
}

double carom_event_friction_took(const struct carom_event_smooth *s, size_t i, const double *along,
                                 const double *before, const double *after, double *lost)
{
    const size_t ways = s->frame.tangents;
    return carom_coulomb_took(ways, along + ways * i, before + ways * i, after + ways * i, lost);
}

void carom_event_friction_hold(struct carom_event_smooth *s, bool friction)
{
    struct carom_coulomb *r = &s->rub;
    const struct carom_frame *f = &s->frame;
    const size_t ways = f->tangents, each = 1 + ways;
    for (size_t i = 0; i < f->n; i++) {
        r->b[each * i] = s->side[i];
        memcpy(r->b + each * i + 1, s->drag + ways * i, ways * sizeof *r->b);
        r->now[i] = friction && f->slips[i] ? r->mu[f->contact[i]] : 0.0;
    }
    s->redundant = !carom_coulomb_modes(r, f, s->rubs, r->r);
    for (size_t i = 0; i < f->n; i++) {
        s->lambda[i] = r->r[each * i];
        memcpy(s->along + ways * i, r->r + each * i + 1, ways * sizeof *s->along);
    }
}

/* --- modes ------------------------------------------------------------------------------------------------------- */

static double largest(const struct carom_event_smooth *s)
{
    double most = 0.0;
    for (size_t i = 0; i < s->frame.n; i++)
        most = fmax(most, fmax(fabs(s->side[i]), fabs(s->drag[i])));
    return most > 0.0 ? most : 1.0;
}

/* Accelerations up to this are none: the solver tells no less. `off`: how far its answer is from one, of the slips that
 * are there. */
static double no_pull(const struct carom_event_work *w, double off)
{
    const struct carom_event_smooth *s = &w->smooth;
    double size = carom_event_smooth_noise(w) / equal;
    for (size_t i = 0; i < s->frame.n; i++)
        size = fmax(size, fmax(fabs(s->side[i]), s->frame.diagonal[i] * s->lambda[i]));
    return fmax(equal * size, 4.0 * off * carom_coulomb_there(&s->rub, &s->frame) * largest(s));
}

/* The problem of accelerations with contacts that slip as the signs in s->rub.before say; impulses are forces. *none:
 * no_pull. */
static enum carom_status solve(struct carom_stepper *stepper, double t, double *none, struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_smooth *s = &w->smooth;
    struct carom_coulomb *r = &s->rub;
    const double slip = carom_coulomb_there(r, &s->frame) * largest(s), worst = stepper->worst_residual;
    for (size_t i = 0; i < s->frame.n; i++) {
        r->before[i] *= slip;
        r->freely[i] = r->before[i] + s->drag[i];
        r->impulse[i] = s->lambda[i] = 0.0;
    }
    stepper->worst_residual = 0.0;
    const enum carom_status status =
        carom_coulomb_solve(r, stepper, &s->frame, t, s->side, s->lasting, s->lambda, error);
    *none = no_pull(w, stepper->worst_residual);
    stepper->worst_residual = fmax(stepper->worst_residual, worst);
    return status;
}

/* acceleration of the gap, or of the slip, under the forces found */
static double leaves(const struct carom_event_smooth *s, size_t i, bool along)
{
    const size_t wide = 2 * s->frame.n;
    const double *row = s->frame.both + (2 * i + along) * wide;
    double sum = along ? s->drag[i] : s->side[i];
    for (size_t k = 0; k < s->frame.n; k++)
        sum += row[2 * k] * s->lambda[k] + row[2 * k + 1] * s->rub.impulse[k];
    return sum;
}

/* Slips up to this are none: those of the contact that has just come to a stop are what is left of locating it, those
 * that an impact along a path has stopped what its steps have left. Where a gap opens so slowly that it counts as
 * closed, the same motion slips at contacts, in a wedge several times as fast: a body that is held by one contact and
 * slips at another moves as none can, and no forces follow. */
static double no_slip(const struct carom_event_work *w, const struct carom_frame *frame, const double *slip)
{
    const double slow = carom_event_slow(w), wedge = 10.0;
    double quiet = fmax(slow, w->stopped);
    for (size_t i = 0; i < frame->n; i++) {
        quiet = fmax(quiet, wedge * fmin(fabs(w->rate[frame->contact[i]]), slow));
        for (size_t k = frame->tangents * i; k < frame->tangents * (i + 1); k++)
            if (frame->contact[i] == w->slides && w->was[w->slides] != CAROM_EVENT_HELD)
                quiet = fmax(quiet, 4.0 * fabs(slip[k]));
    }
    return quiet;
}

void carom_event_friction_stop(struct carom_event_work *w, const struct carom_state *state)
{
    struct carom_event_smooth *s = &w->smooth;
    if (!s->frame.both)
        return;
    carom_frame_slips(&s->frame, s->frame.slide, state->v, s->drag);
    const double quiet = no_slip(w, &s->frame, s->drag);
    if (s->frame.tangents > 1) {
        carom_event_cone_stop(w, quiet);
        return;
    }
    for (size_t i = 0; i < s->nheld; i++)
        if (fabs(s->drag[i]) <= quiet)
            s->rubs[i] = CAROM_COULOMB_STICK;
}

bool carom_event_friction_turned(struct carom_event_work *w, const struct carom_state *state)
{
    struct carom_event_smooth *s = &w->smooth;
    if (s->nheld == 0 || !s->frame.both || s->frame.tangents > 1)
        return false;
    carom_frame_slips(&s->frame, s->frame.slide, state->v, s->slips);
    for (size_t i = 0; i < s->nheld; i++)
        if (s->rubs[i] != CAROM_COULOMB_STICK &&
            (s->rubs[i] == CAROM_COULOMB_UP ? s->slips[i] : -s->slips[i]) > carom_event_slow(w))
            return true;
    return false;
}

/* The mode of contact i of the frame, which stays. One that nothing presses goes along as it slips, or begins to. One
 * that breaks away does, though by a hair's breadth it would not. `none`: no_pull. */
static enum carom_event_mode mode_of(const struct carom_event_work *w, size_t i, bool breaks, double none)
{
    const struct carom_event_smooth *s = &w->smooth;
    const struct carom_coulomb *r = &s->rub;
    enum carom_coulomb_mode mode = r->mode[i];
    if (mode == CAROM_COULOMB_OPEN) {
        const double slip = r->before[i] != 0.0 ? r->before[i] : leaves(s, i, true);
        mode = r->before[i] == 0.0 && fabs(slip) <= none ? CAROM_COULOMB_STICK
               : slip > 0.0                              ? CAROM_COULOMB_DOWN
                                                         : CAROM_COULOMB_UP;
    } else if (mode == CAROM_COULOMB_STICK && breaks) {
        mode = r->impulse[i] > 0.0 ? CAROM_COULOMB_UP : CAROM_COULOMB_DOWN;
    }
    return CAROM_EVENT_HELD + (mode - CAROM_COULOMB_STICK);
}

static bool breaks_away(const struct carom_event_work *w, size_t j)
{
    return j == w->slides && w->was[j] == CAROM_EVENT_HELD;
}

/* The problem of the n contacts w->set, which slip as the velocities say. */
static enum carom_status solve_set(struct carom_stepper *stepper, const struct carom_state *state, size_t n,
                                   double *none, struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_smooth *s = &w->smooth;
    struct carom_coulomb *r = &s->rub;
    carom_frame_slips(&s->frame, s->frame.slide, state->v, s->slips);
    const double quiet = no_slip(w, &s->frame, s->slips);
    for (size_t i = 0; i < n; i++) {
        r->before[i] = fabs(s->slips[i]) <= quiet ? 0.0 : s->slips[i] > 0.0 ? 1.0 : -1.0;
        r->stuck[i] = r->before[i] == 0.0 && !breaks_away(w, w->set[i]);
    }
    return solve(stepper, state->time + state->time_low, none, error);
}

/* The same with `part` of mu_static: sticks[i] says whether contact i does. */
static bool sticks_with(struct carom_stepper *stepper, const struct carom_state *state, size_t n, double part,
                        double *sticks)
{
    struct carom_event_work *w = stepper->work;
    struct carom_coulomb *r = &w->smooth.rub;
    double none;
    for (size_t j = 0; j < w->model->nc; j++)
        r->mu_static[j] *= part;
    if (w->smooth.frame.tangents > 1)
        return carom_event_cone_sticks(stepper, state, n, no_slip(w, &w->smooth.frame, w->smooth.slips), sticks);
    const bool solved = solve_set(stepper, state, n, &none, NULL) == CAROM_OK;
    for (size_t i = 0; i < n; i++)
        sticks[i] = r->stuck[i] && r->mode[i] == CAROM_COULOMB_STICK;
    return solved;
}

/* A contact that rests and is held by all that mu_static allows, to rounding: whether it breaks away nobody can tell.
 * Where forces grow until it does, that moment was located, and this is not asked. */
static void note_edge(struct carom_stepper *stepper, const struct carom_state *state, size_t n)
{
    const double edge = 1e-6; /* forces that are not unique are known to about as much, see `there` */
    struct carom_event_work *w = stepper->work;
    struct carom_coulomb *r = &w->smooth.rub;
    const size_t nc = w->model->nc;
    double *low = w->of_rub, *high = low + nc, *kept = high + nc;
    bool may = false;
    for (size_t i = 0; i < n; i++)
        may |= r->mu_static[w->set[i]] > r->mu[w->set[i]];
    if (!may || w->slips_off || w->slides < nc || stepper->split.seen)
        return;
    const struct carom_counts counts = stepper->counts;
    const double residual = stepper->worst_residual;
    memcpy(kept, r->mu_static, nc * sizeof *kept);
    const bool below = sticks_with(stepper, state, n, 1.0 - edge, low);
    memcpy(r->mu_static, kept, nc * sizeof *kept);
    const bool above = sticks_with(stepper, state, n, 1.0 + edge, high);
    memcpy(r->mu_static, kept, nc * sizeof *kept);
    for (size_t i = 0; i < n && below && above && !stepper->split.seen; i++)
        if (low[i] != high[i])
            stepper->split = (struct carom_split){true, state->time, 0.0, w->set[i], w->set[i], 0.0};
    stepper->counts = counts;
    stepper->worst_residual = residual;
}

/* Are the n contacts w->set those that were held, and nothing has happened to any of them? */
static bool is_between(const struct carom_event_work *w, size_t n)
{
    size_t held = 0;
    for (size_t j = 0; j < w->model->nc; j++)
        held += carom_event_held(w->was[j]);
    bool same = held == n && w->slides == w->model->nc && !w->slips_off;
    for (size_t i = 0; i < n && same; i++)
        same = carom_event_held(w->was[w->set[i]]) && !w->struck[w->set[i]];
    return same;
}

/* Coulomb's law may allow other modes beside those that last, as where discs jam: a contact may open, or go on to press
 * until it cannot. Steps end wherever errors say, and what lasts is not to end there: do the modes of before go on,
 * with forces that are unique and nowhere at an edge? Slips are those of solve_set. */
static bool lasts(struct carom_event_work *w, size_t n)
{
    struct carom_event_smooth *s = &w->smooth;
    for (size_t i = 0; i < n; i++)
        s->rubs[i] = (enum carom_coulomb_mode)(CAROM_COULOMB_STICK + (w->was[w->set[i]] - CAROM_EVENT_HELD));
    carom_event_friction_hold(s, true);
    for (size_t i = 0; i < n; i++) {
        const double slip = s->rub.before[i];
        const bool goes_on = s->rubs[i] == CAROM_COULOMB_STICK
                                 ? fabs(s->along[i]) <= s->rub.mu_static[w->set[i]] * s->lambda[i]
                                 : (s->rubs[i] == CAROM_COULOMB_DOWN ? slip : -slip) > 0.0;
        if (s->redundant || !(s->lambda[i] > 0.0) || !goes_on)
            return false;
    }
    return true;
}

enum carom_status carom_event_friction_choose(struct carom_stepper *stepper, struct carom_state *state, size_t n,
                                              struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE), none;
    if (w->smooth.frame.tangents > 1) {
        carom_event_friction_look(w, state->v);
        note_edge(stepper, state, n);
        return carom_event_cone_choose(stepper, state, n, no_slip(w, &w->smooth.frame, w->smooth.slips), error);
    }
    note_edge(stepper, state, n);
    const enum carom_status status = solve_set(stepper, state, n, &none, error);
    if (status != CAROM_OK)
        return status;
    const double opens = carom_event_friction_opens(w, none);
    bool other = false;
    for (size_t i = 0; i < n; i++) {
        const size_t j = w->set[i];
        mode[j] = leaves(&w->smooth, i, false) <= opens ? mode_of(w, i, breaks_away(w, j), none) : CAROM_EVENT_TOUCH;
        other |= mode[j] != w->was[j];
    }
    if (other && is_between(w, n) && lasts(w, n))
        for (size_t i = 0; i < n; i++)
            mode[w->set[i]] = w->was[w->set[i]];
    return CAROM_OK;
}

/* Does contact i go on as it is held? By its mode, or by how it moves: one that nothing presses has any mode. */
static bool goes_on(const struct carom_event_smooth *s, size_t i, double none)
{
    return s->rub.mode[i] == s->rubs[i] ||
           (leaves(s, i, false) <= none && (s->rubs[i] != CAROM_COULOMB_STICK || fabs(leaves(s, i, true)) <= none));
}

bool carom_event_friction_agrees(struct carom_stepper *stepper, double t)
{
    struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    struct carom_coulomb *r = &s->rub;
    if (s->frame.tangents > 1)
        return carom_event_cone_agrees(stepper, t);
    const struct carom_counts counts = stepper->counts;
    const double residual = stepper->worst_residual;
    for (size_t i = 0; i < s->nheld; i++) {
        r->before[i] = s->rubs[i] == CAROM_COULOMB_DOWN ? 1.0 : s->rubs[i] == CAROM_COULOMB_UP ? -1.0 : 0.0;
        r->stuck[i] = s->rubs[i] == CAROM_COULOMB_STICK;
    }
    double none;
    bool agrees = solve(stepper, t, &none, NULL) == CAROM_OK;
    for (size_t i = 0; i < s->nheld && agrees; i++)
        agrees = goes_on(s, i, none);
    stepper->counts = counts;
    stepper->worst_residual = residual;
    return agrees;
}

/* --- impacts ----------------------------------------------------------------------------------------------------- */

enum carom_status carom_event_friction_strike(struct carom_stepper *stepper, double t, struct carom_collision *c,
                                              struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_smooth *s = &w->smooth;
    struct carom_coulomb *r = &s->rub;
    const struct carom_frame *f = c->frame;
    const size_t ways = f->tangents;
    carom_frame_rates(f, c->v, s->answer);
    carom_frame_slips(f, f->slide, c->v, r->before);
    memcpy(r->freely, r->before, ways * f->n * sizeof(double));
    memset(r->impulse, 0, ways * f->n * sizeof(double));
    for (size_t i = 0; i < f->n; i++) {
        r->stuck[i] = fmax(fabs(r->before[ways * i]), fabs(r->before[ways * i + ways - 1])) <= s->none;
        c->impulse[i] = 0.0;
        s->side[i] = (1.0 + c->e[i]) * s->answer[i];
    }
    const enum carom_status status = carom_coulomb_strike(r, stepper, f, t, s->side, c->impulse, error);
    if (status != CAROM_OK)
        return status;
    memcpy(c->rub, r->impulse, ways * f->n * sizeof(double));
    memcpy(c->after, c->v, w->model->nv * sizeof(double));
    carom_frame_push(f, c->impulse, c->after);
    carom_frame_friction(f, c->rub, c->after);
    carom_coulomb_polish(r, f, s->answer, s->side, carom_event_slow(w), c->after);
    carom_frame_rates(f, c->after, s->side);
    carom_frame_slips(f, f->slide, c->after, r->after);
    double fast = 0.0;
    for (size_t k = 0; k < ways * f->n; k++)
        fast = fmax(fast, fmax(fabs(s->answer[k / ways]), fabs(r->before[k])));
    for (size_t i = 0; i < f->n; i++) {
        if (s->side[i] < 0.0 && -s->side[i] <= r->tolerance * fast) /* an answer as good as any: it rests */
            w->faint[f->contact[i]] = r->tolerance * fast;
        c->lost[i] = -0.5 * c->impulse[i] * (s->answer[i] + s->side[i]);
        c->friction_loss[i] = carom_event_friction_took(s, i, c->rub, r->before, r->after, &c->lost[i]);
    }
    return CAROM_OK;
}
