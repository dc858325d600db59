/* The book of impacts, see episodes.h. Between two looks overlaps are the cubics through overlaps and rates at both. */
#include "sim/book/episodes.h"

#include <string.h>

#include "base/memory.h"
#include "model/latch.h"
#include "model/motion.h"
#include "sim/between/impulses_solid.h"
#include "sim/between/inside.h"
#include "sim/between/sync_range.h"
#include "sim/book/episodes_alone.h"
#include "sim/book/episodes_inside.h"
#include "sim/book/episodes_keep.h"
#include "sim/book/episodes_zeros.h"
#include "sim/book/spacing.h"

enum { BLOCK = CAROM_SYNC_RANGE_ROOM, SWINGS = 4 * BLOCK }; /* contacts looked at together; those of plain rows */
#define SLOW 1e-12 /* of V: slower closings, of beads in touch that a push has hardly reached, are told as 0 */

void carom_episodes_close(struct carom_episodes *e)
{
    carom_peak_force_close(&e->peak);
    carom_impulses_close(&e->sums);
    carom_swings_close(&e->swings);
    carom_memory_free_all(e->closed, e->since, e->times, e->best, e->pack);
    carom_episodes_faces_close(&e->faces);
    *e = (struct carom_episodes){0};
}

static double force_of(const void *own, size_t j, const double *history, double deform, double rate)
{
    return carom_contact_force_at(own, j, history, deform, rate);
}

enum carom_status carom_episodes_open(struct carom_episodes *e, struct carom_sim *sim, struct carom_error *error)
{
    const struct carom_model *model = sim->model;
    const size_t n = model->nc;
    *e = (struct carom_episodes){
        .n = n, .first = n, .ended = -HUGE_VAL, .latest = -HUGE_VAL, .quiet = carom_spacing_quiet(sim)};
    if (!sim->recorder || sim->state->contacts || n == 0)
        return CAROM_OK;
    e->most = carom_recorder_wants_episodes(sim->recorder);
    if (e->most == 0)
        return CAROM_OK;
    const bool rigid = sim->stepper->scheme->tells;
    e->zeros = carom_recorder_wants_zeros(sim->recorder);
    e->kept = e->since = carom_memory_zeroed(rigid ? n : 4 * n, sizeof *e->since);
    e->closed = carom_memory_zeroed(n, 1);
    if (!e->since || !e->closed)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the episodes of %zu contacts", n);
    if (rigid)
        return CAROM_OK;
    e->speed = e->since + n;
    e->lost = e->since + 2 * n;
    e->kept = e->since + 3 * n;
    e->times = carom_memory_zeroed(3 * n, sizeof *e->times);
    if (!e->times || !carom_episodes_faces_open(&e->faces, model) ||
        carom_peak_force_open(&e->peak, n, model->nh, error) != CAROM_OK ||
        carom_impulses_open(&e->sums, model, error) != CAROM_OK)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the episodes of %zu contacts", n);
    for (size_t i = 0; i < 3; i++)
        e->peak.look[i].times = e->times + i * n;
    e->peak.force = e->sums.push ? NULL : force_of;
    e->peak.own = model;
    if (!e->zeros && carom_swings_open(&e->swings, &e->sums, sim, error) != CAROM_OK)
        return error->status;
    e->inside = e->sums.inside = !e->swings.on && carom_inside_helps(sim);
    return CAROM_OK;
}

/* --- what a run asks --------------------------------------------------------------------------------------------- */

double carom_episodes_latest(struct carom_episodes *e)
{
    if (e->latest < HUGE_VAL)
        return e->latest;
    e->latest = -HUGE_VAL;
    for (size_t j = e->first; j < e->last; j++)
        e->latest = e->closed[j] ? fmax(e->latest, e->since[j]) : e->latest;
    return e->latest;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

/* rows that have waited long enough go into the book */
static enum carom_status keep_waiting(struct carom_episodes *e, double time, struct carom_recorder *recorder,
                                      struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    struct carom_episode row;
    while (status == CAROM_OK && e->faces.waiting > 0 && carom_episodes_faces_due(&e->faces, time, &row))
        status = carom_episodes_keep(e, &row, recorder, error);
    return status;
}

static double lost_of(const struct carom_state *state, size_t j)
{
    return (j < state->nlost ? state->lost[j] : 0.0) + (j < state->nclipped ? state->clipped[j] : 0.0);
}

/* the contact with the wall on the left, up to now */
static void lean_on_wall(struct carom_episodes *e, struct carom_sim *sim)
{
    carom_swings_lean_end(&e->swings, &e->peak);
    if (!(sim->state->time > e->peak.look[2].times[0]))
        return;
    double rate;
    const double deform = carom_swings_now(&e->swings, 0, &rate);
    carom_episodes_alone(e, sim, 0, sim->state, deform, rate);
    carom_swings_lean(&e->swings, &e->peak);
    carom_swings_note(&e->swings, &e->sums, &e->peak, 0);
}

/* What plain rows tell is clear of momenta up to their rounding; no force was larger than the peak, and without dampers
 * none pulled. */
static double momenta_tell(struct carom_episodes *e, struct carom_sim *sim, size_t j, double opened)
{
    const size_t first = carom_swings_first(e->closed, j);
    double *const before = &e->sums.impulse[j];
    if (first == 0 && e->swings.chain.left_wall) {
        lean_on_wall(e, sim);
        carom_swings_tell_wall(&e->swings, e->sums.impulse, e->closed);
    }
    const double passed = carom_swings_passed(&e->swings, e->sums.impulse, first, j);
    const double most = e->peak.largest[j] * (fmin(opened, sim->state->time) - e->since[j]);
    const double impulse = fmin(passed - *before, most);
    *before = passed;
    return e->sums.time[j] > 0.0 ? impulse : fmax(impulse, 0.0);
}

static struct carom_episode row_of(struct carom_episodes *e, struct carom_sim *sim, size_t j, double opened)
{
    const struct carom_state *state = sim->state;
    carom_swings_note_settle(&e->swings, &e->sums, &e->peak, j);
    const double impulse = e->swings.on ? momenta_tell(e, sim, j, opened) : e->sums.impulse[j];
    struct carom_episode row = {.contact = j,
                                .closed = e->since[j],
                                .opened = opened,
                                .speed = e->speed[j],
                                .peak_force = e->peak.largest[j],
                                .peak_time = e->peak.largest[j] > 0.0 ? e->peak.when[j] : e->since[j],
                                .impulse = impulse,
                                .dissipated = lost_of(state, j) - e->lost[j],
                                .overlap = carom_episodes_deepest(e, j)};
    carom_impulses_solid_told(&e->sums, j, row.impulse_vector);
    return row;
}

/* --- what begins ------------------------------------------------------------------------------------------------- */

static void begin_one(struct carom_episodes *e, const struct carom_state *state, size_t j, double time, double speed,
                      double overlap)
{
    carom_episodes_mark(e, j, time);
    e->speed[j] = speed;
    e->lost[j] = lost_of(state, j);
    carom_impulses_begin(&e->sums, j, overlap, e->swings.on);
    e->peak.largest[j] = e->peak.when[j] = 0.0;
}

enum carom_status carom_episodes_struck(struct carom_episodes *e, const struct carom_event *event,
                                        struct carom_recorder *recorder, struct carom_error *error)
{
    const struct carom_episode row = carom_episodes_impact(event);
    return event->kind == CAROM_EVENT_IMPACT ? carom_episodes_keep(e, &row, recorder, error) : CAROM_OK;
}

/* --- between two looks ------------------------------------------------------------------------------------------- */

/* closed contacts [from, to) at or after `from`, as many as are looked at together; false: there are none. Nothing has
 * to be looked for in a row of which all are. */
static inline __attribute__((always_inline)) bool next_run(const struct carom_episodes *e, size_t *from, size_t *to)
{
    const bool all = e->under_way == e->last - e->first;
    if (*from >= e->last)
        return false;
    const unsigned char *first = e->closed + *from, *begin = all ? first : memchr(first, 1, e->last - *from);
    if (!begin)
        return false;
    *from = (size_t)(begin - e->closed);
    const size_t left = e->last - *from, together = e->swings.on ? SWINGS : BLOCK;
    const size_t most = left < together ? left : together;
    const unsigned char *end = all ? NULL : memchr(begin, 0, most);
    *to = end ? (size_t)(end - e->closed) : *from + most;
    return true;
}

static enum carom_status end_one(struct carom_episodes *e, struct carom_sim *sim, size_t j, struct carom_error *error)
{
    const double time = carom_episodes_zeros_ends(e, sim->model, j);
    const struct carom_episode row = row_of(e, sim, j, time);
    e->closed[j] = 0;
    e->under_way--;
    e->ended = fmax(e->ended, time);
    e->latest = e->since[j] < e->latest ? e->latest : HUGE_VAL;
    return carom_episodes_faces_wait(&e->faces, &row, e->lost[j]) ? CAROM_OK
                                                                  : carom_episodes_keep(e, &row, sim->recorder, error);
}

/* a contact whose row waits closes again: the episode goes on */
static void go_on(struct carom_episodes *e, size_t j)
{
    const struct carom_episode row = carom_episodes_faces_take(&e->faces, j, &e->lost[j]);
    e->since[j] = row.closed;
    e->latest = HUGE_VAL;
    e->speed[j] = row.speed;
    e->sums.impulse[j] = row.impulse;
    memcpy(e->sums.push[j].given, row.impulse_vector, sizeof row.impulse_vector);
    e->sums.overlap[j] = row.overlap;
    e->peak.largest[j] = row.peak_force;
    e->peak.when[j] = row.peak_time;
}

/* what has been looked at and added up */
static void note(struct carom_episodes *e, struct carom_sim *sim, size_t from, size_t to)
{
    for (size_t j = from; e->swings.on && j < to; j++)
        carom_swings_note(&e->swings, &e->sums, &e->peak, j);
    if (e->inside)
        carom_episodes_inside(e, sim, from, to);
    else if (!e->swings.on)
        carom_peak_force_note_some(&e->peak, from, to);
}

/* contacts [from, to), all of which were under way: zeros of forces, and rows of those that have opened */
static enum carom_status follow(struct carom_episodes *e, struct carom_sim *sim, size_t from, size_t to,
                                struct carom_error *error)
{
    const struct carom_look *look = &e->peak.look[2];
    enum carom_status status = e->zeros ? carom_episodes_zeros_note(e, sim, from, to, error) : CAROM_OK;
    for (size_t j = from; j < to && status == CAROM_OK; j++)
        if (!(look->deform[j] > 0.0) || carom_latch_holds(sim->model, look->history, j))
            status = end_one(e, sim, j, error);
    return status;
}

/* the same where rates tell whom to look at closer */
static enum carom_status see_swings(struct carom_episodes *e, struct carom_sim *sim, size_t from, size_t to,
                                    struct carom_error *error)
{
    size_t list[SWINGS];
    enum carom_status status = CAROM_OK;
    const size_t count = carom_swings_look(&e->swings, &e->sums, &e->peak, from, to, list);
    if (from == 0)
        carom_swings_lean(&e->swings, &e->peak);
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        note(e, sim, list[i], list[i] + 1);
        status = follow(e, sim, list[i], list[i] + 1, error);
    }
    return status;
}

/* Walls and bodies that are driven may change their rates at a break of their signals: what ends there has those before
 * it, which may be where forces are largest, and what begins those after it. */
static enum carom_status see_break(struct carom_episodes *e, struct carom_sim *sim, size_t from, size_t to,
                                   struct carom_error *error)
{
    const struct carom_look *look = &e->peak.look[2];
    struct carom_state *view = sim->view;
    const double time = view->time;
    view->time = nextafter(time, -HUGE_VAL);
    carom_motion_impose(sim->model, view->time, view->q, view->v);
    carom_impulses_see(&e->sums, &e->peak, sim->model, view, from, to);
    view->time = time;
    carom_motion_impose(sim->model, sim->state->time + sim->state->time_low, view->q, view->v);
    note(e, sim, from, to);
    const enum carom_status status = follow(e, sim, from, to, error);
    for (size_t j = from; j < to; j++) { /* where overlaps grow before a break and fall after it, neither side turns */
        e->sums.overlap[j] = fmax(e->sums.overlap[j], look->deform[j]);
        if (e->closed[j] && look->force[j] > e->peak.largest[j])
            e->peak.largest[j] = look->force[j], e->peak.when[j] = time;
    }
    carom_motion_impose(sim->model, sim->state->time + sim->state->time_low, view->q, view->v);
    carom_contact_force_read(sim->model, view, from, to, look->deform + from, look->rate + from, look->force + from);
    for (size_t j = from; j < to; j++)
        carom_impulses_recall(&e->sums, &e->peak, sim->model, j);
    return status;
}

static enum carom_status see(struct carom_episodes *e, struct carom_sim *sim, size_t from, size_t to,
                             struct carom_error *error)
{
    if (e->swings.on)
        return see_swings(e, sim, from, to, error);
    carom_sync_range_history(sim->model, from, to, sim->view->history, e->peak.look[2].history);
    if (carom_breaks_at(e->breaks, sim->state->time))
        return see_break(e, sim, from, to, error);
    carom_impulses_see(&e->sums, &e->peak, sim->model, sim->view, from, to);
    note(e, sim, from, to);
    return follow(e, sim, from, to, error);
}

static enum carom_status follow_alone(struct carom_episodes *e, struct carom_sim *sim, size_t j,
                                      struct carom_error *error)
{
    if (!e->swings.on)
        carom_impulses_alone(&e->sums, &e->peak, j);
    else if (j == 0)
        carom_swings_lean(&e->swings, &e->peak);
    note(e, sim, j, j + 1);
    return follow(e, sim, j, j + 1, error);
}

/* Contact j begins where the step did: what was looked at before is of an episode before it. */
static void begin_apart(struct carom_episodes *e, const struct carom_sim *sim, size_t j, double deform, double rate)
{
    const struct carom_state *before = sim->stepper->before;
    if (!e->swings.on) {
        carom_episodes_alone(e, sim, j, before, deform, rate);
        e->peak.look[1].force[j] = 0.0;
        return;
    }
    for (size_t i = 0; i < 3; i++) { /* so that nothing lies between */
        const struct carom_look *look = &e->peak.look[i];
        look->times[j] = before->time;
        look->deform[j] = i < 2 ? 0.0 : deform;
        look->rate[j] = rate;
    }
    carom_swings_note_begin(&e->swings, &e->sums, &e->peak, j, 2);
}

enum carom_status carom_episodes_turned(struct carom_episodes *e, struct carom_sim *sim,
                                        const struct carom_event *event, const double deform[2], const double rate[2],
                                        struct carom_error *error)
{
    const size_t j = (size_t)event->contact;
    const struct carom_state *before = sim->stepper->before;
    const bool closes = event->kind == CAROM_EVENT_CLOSE;
    enum carom_status status = CAROM_OK;
    const double met = closes ? carom_episodes_inside_rate(e, sim, j, event->time, -event->before) : 0.0;
    const double speed = met > SLOW * sim->scales.speed ? met : 0.0;
    if (closes && e->closed[j] && e->speed[j] == 0.0 && speed > 0.0) { /* it was found by an overlap of rounding */
        e->since[j] = event->time;
        e->speed[j] = speed;
    }
    if (closes == (e->closed[j] != 0))
        return CAROM_OK;
    carom_swings_rough(&e->swings, sim->state->step, (uint64_t)ceil(e->quiet * (double)e->leap));
    if (closes) {
        status = keep_waiting(e, event->time, sim->recorder, error);
        begin_one(e, before, j, event->time, speed, 0.0);
        begin_apart(e, sim, j, deform[0], rate[0]);
        if (carom_episodes_faces_waits(&e->faces, j))
            go_on(e, j);
        return status;
    }
    if (e->swings.on)
        carom_swings_tell(&e->swings, &e->peak, j);
    if (before->time > e->peak.look[2].times[j]) {
        carom_episodes_alone(e, sim, j, before, deform[0], rate[0]);
        status = follow_alone(e, sim, j, error);
    }
    carom_episodes_alone(e, sim, j, sim->state, deform[1], rate[1]);
    return status == CAROM_OK && e->closed[j] ? follow_alone(e, sim, j, error) : status;
}

/* where those under way begin and end */
static void find_bounds(struct carom_episodes *e)
{
    while (e->first < e->last && !e->closed[e->first])
        e->first++;
    while (e->last > e->first && !e->closed[e->last - 1])
        e->last--;
    if (e->first == e->last)
        e->first = e->n, e->last = 0;
}

/* Overlaps that are no normal numbers yet may not count as a closing: in a row that just touches they are found here,
 * beside those under way, by the time they are. */
static bool look_beside(struct carom_episodes *e, struct carom_sim *sim, size_t j)
{
    const struct carom_state *state = sim->state;
    struct carom_look *before = &e->peak.look[1];
    double deform;
    if (e->closed[j] || e->peak.seen < 2)
        return false;
    if (e->swings.on) /* beads stand where the state has them */
        deform = carom_swings_overlap(&e->swings, state->q, j);
    else
        carom_contacts_deform_some(sim->model, j, j + 1, state->time, state->q, NULL, &deform, NULL);
    if (!(deform > 0.0) || carom_latch_holds(sim->model, state->history, j))
        return false;
    begin_one(e, state, j, before->time, 0.0, 0.0);
    before->times[j] = e->peak.look[0].times[j] = before->time;
    before->deform[j] = before->rate[j] = before->force[j] = e->peak.look[0].force[j] = 0.0;
    e->peak.look[0].deform[j] = e->peak.look[0].rate[j] = 0.0;
    if (e->swings.on)
        carom_swings_note_begin(&e->swings, &e->sums, &e->peak, j, 1);
    carom_sync_range_history(sim->model, j, j + 1, state->history, before->history);
    return true;
}

static void look_beside_all(struct carom_episodes *e, struct carom_sim *sim)
{
    for (size_t from = e->first, to; next_run(e, &from, &to); from = to) {
        for (size_t j = from; j > 0 && look_beside(e, sim, j - 1); j--)
            ;
        for (size_t j = to; j < e->n && look_beside(e, sim, j); j++)
            ;
    }
}

/* The next look at a plain row. Where steps are not fixed, leaps are made of some like the last one, a little longer
 * than `apart` at most, because dp5 at tol 1e-6 takes about two in that time. They begin when there are looks enough
 * for courses, and grow by two, as courses through looks close to each other carry what rates lack too far. */
static void plan(struct carom_episodes *e, const struct carom_sim *sim)
{
    const uint64_t step = sim->state->step, since = step > e->looked ? step - e->looked : 1;
    const bool smooth = carom_swings_wide(&e->swings) && e->swings.past->smooth && step >= e->swings.smooth_from;
    if (e->apart > 0.0 && step > 0) {
        const double steps = e->apart / (sim->state->time - sim->stepper->before->time) + 0.25;
        e->leap = !(steps >= 2.0) ? 1 : steps < 65536.0 ? (uint64_t)steps : 65536;
    }
    const uint64_t ahead = 2 * since < e->leap ? 2 * since : e->leap;
    e->next = step + (smooth && ahead > e->stride ? ahead : e->stride);
    e->looked = step;
}

/* Has nothing closed or opened since two steps before the last look? What begins there like a root bends courses of
 * the fifth degree by less, then, than cubics miss: steps of dp5 are as long as that. Looks of fixed steps are as close
 * as cubics need them. */
static bool is_calm(const struct carom_episodes *e)
{
    return e->apart > 0.0 && e->looked >= e->swings.turned_at + 2;
}

enum carom_status carom_episodes_look(struct carom_episodes *e, struct carom_sim *sim, struct carom_error *error)
{
    const struct carom_state *state = sim->state;
    if (e->peak.seen > 0 && e->peak.look[2].time == state->time)
        return CAROM_OK;
    const bool parts = carom_sync_range_parts(sim);
    carom_peak_force_turn(&e->peak, state->time);
    if (!parts && !e->swings.on && e->first < e->last)
        carom_sync_range_at(sim, state, 0, e->n);
    else if (e->peak.nh > 0)
        memcpy(sim->view->history, state->history, e->peak.nh * sizeof(double));
    if (parts)
        look_beside_all(e, sim);
    if (e->swings.on)
        carom_swings_turn(&e->swings, state, is_calm(e), e->first, e->last);
    enum carom_status status = CAROM_OK;
    for (size_t from = e->first, to; status == CAROM_OK && next_run(e, &from, &to); from = to) {
        if (parts && !e->swings.on)
            carom_sync_range_at(sim, state, from, to);
        status = see(e, sim, from, to, error);
    }
    find_bounds(e);
    plan(e, sim);
    return status == CAROM_OK ? keep_waiting(e, state->time, sim->recorder, error) : status;
}

/* --- the run ----------------------------------------------------------------------------------------------------- */

enum carom_status carom_episodes_begin(struct carom_episodes *e, struct carom_sim *sim, struct carom_error *error)
{
    const struct carom_state *view = sim->view;
    const struct carom_look *look = &e->peak.look[0]; /* the next to be filled */
    if (e->peak.n == 0 || e->peak.seen > 0)
        return CAROM_OK;
    carom_contacts_deform(sim->model, view->time, view->q, view->v, look->deform, look->rate);
    for (size_t j = 0; j < e->n; j++)
        if (look->deform[j] > 0.0 && !carom_latch_holds(sim->model, view->history, j))
            begin_one(e, view, j, view->time, carom_episodes_faces_speed(sim, j, look->rate[j]), look->deform[j]);
    e->stride = e->sums.push ? 1 : carom_spacing_steps(sim, e->closed, look->deform);
    e->leap = e->swings.on ? carom_spacing_leap(sim, e->closed, look->deform, e->stride) : e->stride;
    e->apart = e->swings.on ? carom_spacing_apart(sim, e->closed, look->deform) : 0.0;
    e->swings.leaps = e->leap > e->stride || e->apart > 0.0;
    const enum carom_status status = carom_episodes_look(e, sim, error);
    for (size_t j = 0; j < e->n; j++) {
        if (e->closed[j] && e->swings.on)
            carom_swings_note_begin(&e->swings, &e->sums, &e->peak, j, 2);
        else if (e->closed[j]) /* the force may fall from the start, and its contact open before the next look */
            e->peak.largest[j] = fmax(e->peak.look[2].force[j], 0.0), e->peak.when[j] = view->time;
    }
    return status;
}

enum carom_status carom_episodes_end(struct carom_episodes *e, struct carom_sim *sim, struct carom_error *error)
{
    if (e->most == 0)
        return CAROM_OK;
    enum carom_status status = e->peak.n > 0 ? carom_episodes_look(e, sim, error) : CAROM_OK;
    for (size_t from = e->first, to; status == CAROM_OK && next_run(e, &from, &to); from = to) {
        for (size_t j = from; e->swings.on && j < to; j++)
            carom_swings_note_last(&e->swings, &e->sums, &e->peak, j);
        carom_peak_force_end_some(&e->peak, from, to);
        for (size_t j = from; j < to && status == CAROM_OK; j++) {
            const struct carom_episode row = row_of(e, sim, j, HUGE_VAL);
            e->closed[j] = 0; /* so that the next one has what passed at its side */
            e->under_way--;
            status = carom_episodes_keep(e, &row, sim->recorder, error);
        }
    }
    if (status == CAROM_OK)
        status = keep_waiting(e, HUGE_VAL, sim->recorder, error);
    return status == CAROM_OK ? carom_episodes_keep_best(e, sim->recorder, error) : status;
}
