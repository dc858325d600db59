/* Contacts of plain rows, see swings.h. */
#include "sim/swings/swings.h"

#include <string.h>

#include "base/lane.h"
#include "base/memory.h"
#include "carom/law.h"
#include "scheme/stepper.h"
#include "sim/between/sync_range.h"
#include "sim/swings/narrow.h"

enum { BLOCK = CAROM_SYNC_RANGE_ROOM };
enum { AROUND = CAROM_SCHEME_HEAD + 8 }; /* numbers of four beads, and the head of the memory */
enum { MOST_PUT_OFF = 1 << 18 };         /* 122 MB if so many swings stand out together; others are looked at then */

/* --- which rows are plain ---------------------------------------------------------------------------------------- */

/* Do springs grow with the overlap, the steeper the deeper? Asked at overlaps around those of the run. */
static bool stiffens(const struct carom_model *model, size_t from, size_t to, double length)
{
    double deform[BLOCK], slope[BLOCK], before[BLOCK] = {0.0};
    const struct carom_response want = {.slope = slope};
    bool all = true;
    for (double d = length / 1024.0; d < 8.0 * length && all; d *= 2.0) {
        for (size_t k = 0; k < to - from; k++)
            deform[k] = d;
        carom_contacts_evaluate(model, from, to, deform, NULL, NULL, &want);
        for (size_t k = 0; k < to - from; k++)
            all = all && slope[k] > 0.0 && slope[k] >= (1.0 - 1e-12) * before[k];
        memcpy(before, slope, sizeof before);
    }
    return all;
}

/* Dampers that follow springs by a larger part of the contact time may make forces rise and fall from look to look:
 * they are looked at every time. */
#define FOLLOWS 0.05

static bool is_plain(const struct carom_impulses *sums, const struct carom_model *model,
                     const struct carom_scales *scales)
{
    const double length = scales->length;
    const struct carom_beads *beads = carom_model_chain(model);
    bool plain = beads && sums->smooth && sums->time && length > 0.0 && length < HUGE_VAL;
    plain = plain && !beads->spring && !beads->damper && !beads->string && beads->nloads == 0 && beads->ndrives == 0 &&
            !carom_chain_of(model).moving;
    for (size_t j = 0; plain && j < model->nc; j++)
        plain = sums->time[j] <= FOLLOWS * scales->contact_time;
    for (size_t from = 0; plain && from < model->nc; from += BLOCK)
        plain = stiffens(model, from, model->nc - from < BLOCK ? model->nc : from + BLOCK, length);
    return plain;
}

/* of the first contact: the stiffness of a spring k d^(3/2) */
static double hertz_of(const struct carom_model *model)
{
    const struct carom_group *group = &model->group[0];
    double form[CAROM_LAW_FORM] = {0.0};
    if (group->law->form)
        group->law->form((const double *const *)group->param, 0, form);
    return form[CAROM_LAW_P] == 1.5 ? form[CAROM_LAW_K] : 0.0;
}

static void point_at(struct carom_swings *s)
{
    double *at = s->block;
    s->start = at;
    s->deep = at + s->chain.n;
    at += s->chain.n + s->chain.nc;
    for (size_t i = 0; i < 4; i++, at += 2 * s->chain.n + CAROM_SCHEME_HEAD) {
        struct carom_swings_copy *copy = &s->looked[i];
        copy->state.q = at;
        copy->state.v = at + s->chain.n;
        copy->state.memory = at + 2 * s->chain.n;
    }
    for (size_t i = 0; i < 3; i++)
        s->copy[i] = &s->looked[i];
    s->past = &s->looked[3];
    s->then = (struct carom_state){.q = at, .v = at + s->chain.n, .memory = at + 2 * s->chain.n};
}

enum carom_status carom_swings_open(struct carom_swings *s, const struct carom_impulses *sums, struct carom_sim *sim,
                                    struct carom_error *error)
{
    const struct carom_model *model = sim->model;
    *s = (struct carom_swings){.on = is_plain(sums, model, &sim->scales)};
    if (!s->on)
        return CAROM_OK;
    s->chain = carom_chain_of(model);
    s->sim = sim;
    s->pass = sim->stepper->scheme->velocities ? NULL : carom_swings_pass_wide();
    s->block = carom_memory_zeroed(11 * s->chain.n + model->nc + 5 * CAROM_SCHEME_HEAD, sizeof *s->block);
    s->pending = carom_memory_zeroed(model->nc, 1);
    s->told = carom_memory_zeroed(model->nc, sizeof *s->told);
    s->room = model->nc < MOST_PUT_OFF / 2 ? 2 * model->nc : MOST_PUT_OFF;
    s->derived = sim->stepper->scheme->velocities && sim->stepper->scheme->velocities != carom_stepper_velocities;
    s->width = s->derived ? AROUND : 2;
    s->put_off = carom_memory_zeroed(s->room, sizeof *s->put_off);
    s->kept = carom_memory_zeroed(s->room, CAROM_SWINGS_LOOKS * s->width * sizeof *s->kept);
    s->place = carom_memory_zeroed(model->nc, sizeof *s->place);
    if (!s->block || !s->pending || !s->told || !s->put_off || !s->kept || !s->place)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the episodes of %zu contacts", model->nc);
    point_at(s);
    for (size_t j = 0; j < model->nc; j++)
        s->follows = fmax(s->follows, sums->time[j]);
    s->wall_follows = sums->time[0];
    s->wall_hertz = hertz_of(model);
    carom_swings_kick(s, sim->view->v, 1.0);
    return CAROM_OK;
}

void carom_swings_close(struct carom_swings *s)
{
    carom_memory_free_all(s->block, s->pending, s->told, s->put_off, s->kept, s->place);
    *s = (struct carom_swings){0};
}

/* --- copies of the row ------------------------------------------------------------------------------------------- */

void carom_swings_turn(struct carom_swings *s, const struct carom_state *state, bool calm, size_t from, size_t to)
{
    const struct carom_scheme *scheme = s->sim->stepper->scheme;
    struct carom_swings_copy *copy = s->past;
    size_t first, last;
    s->past = s->copy[0];
    s->copy[0] = s->copy[1];
    s->copy[1] = s->copy[2];
    s->copy[2] = copy;
    copy->time = state->time;
    copy->number = ++s->looks;
    copy->smooth = state->step >= s->smooth_from;
    copy->calm = calm;
    copy->from = from < to ? from : 0;
    copy->to = from < to ? to : 0;
    if (from >= to || (!scheme->velocities && scheme->sync_range))
        return;
    if (!scheme->velocities)
        scheme->sync(s->sim->stepper, state, s->sim->view);
    const struct carom_state *source = scheme->velocities ? state : s->sim->view;
    carom_swings_beads(s, from, to, 2, &first, &last);
    carom_narrow_copy(copy->state.q + first, source->q + first, last - first);
    carom_narrow_copy(copy->state.v + first, source->v + first, last - first);
    for (size_t i = 0; i < CAROM_SCHEME_HEAD && i < source->nmemory; i++)
        copy->state.memory[i] = source->memory[i];
}

/* of contact j, out of a copy */
static double rate_of(const struct carom_swings *s, const struct carom_state *copy, size_t j)
{
    struct carom_stepper *stepper = s->sim->stepper;
    size_t first, last;
    double v[2];
    if (!s->derived)
        return carom_swings_speed(s, copy->v, j);
    carom_swings_beads(s, j, j + 1, 0, &first, &last);
    stepper->scheme->velocities(stepper, copy, first, last, v);
    return (j == 0 && s->chain.left_wall ? 0.0 : v[0]) -
           (j + 1 == s->chain.nc && s->chain.right_wall ? 0.0 : v[last - 1 - first]);
}

struct carom_course_past carom_swings_past(const struct carom_swings *s, const struct carom_state *copy, double time,
                                           size_t j)
{
    return (struct carom_course_past){
        .time = time, .deform = carom_swings_overlap(s, copy->q, j), .rate = rate_of(s, copy, j)};
}

const struct carom_course_past *carom_swings_before(const struct carom_swings *s, size_t j,
                                                    struct carom_course_past *room)
{
    if (!carom_swings_old(s, j))
        return NULL;
    *room = carom_swings_past(s, &s->past->state, s->past->time, j);
    return room;
}

void carom_swings_tell(struct carom_swings *s, const struct carom_peak_force *peak, size_t j)
{
    for (size_t i = 0; i < 3; i++) {
        if (!carom_swings_due(s, i, j))
            continue;
        peak->look[i].rate[j] = rate_of(s, &s->copy[i]->state, j);
        peak->look[i].times[j] = peak->look[i].time;
    }
    s->told[j] = s->looks;
}

void carom_swings_tell_all(struct carom_swings *s, const struct carom_peak_force *peak, const unsigned char *closed)
{
    for (size_t j = 0; s->on && j < s->chain.nc; j++)
        if (closed[j])
            carom_swings_tell(s, peak, j);
}

/* what leads to a swing: its contact, or a later one of it */
static uint32_t *link_to(struct carom_swings *s, uint32_t place)
{
    uint32_t *link = &s->place[s->put_off[place - 1].j];
    while (*link != place)
        link = &s->put_off[*link - 1].before;
    return link;
}

void carom_swings_drop(struct carom_swings *s, uint32_t place)
{
    const uint32_t last = (uint32_t)s->nput_off;
    struct carom_swings_put_off *hole = &s->put_off[place - 1], *from = &s->put_off[last - 1];
    *link_to(s, place) = hole->before;
    if (place != last) {
        *link_to(s, last) = place;
        *hole = *from;
        carom_narrow_copy(carom_swings_kept(s, hole, 0), carom_swings_kept(s, from, 0), CAROM_SWINGS_LOOKS * s->width);
    }
    s->nput_off--;
}

/* velocities of beads [first, last) now */
static void speeds(const struct carom_swings *s, size_t first, size_t last)
{
    struct carom_sim *sim = s->sim;
    const struct carom_scheme *scheme = sim->stepper->scheme;
    if (scheme->velocities)
        scheme->velocities(sim->stepper, sim->state, first, last, sim->view->v + first);
    else if (scheme->sync_range)
        scheme->sync_range(sim->stepper, sim->state, first, last, sim->view);
    else
        scheme->sync(sim->stepper, sim->state, sim->view);
}

/* --- what has just closed or opened ------------------------------------------------------------------------------ */

static bool tells_some(const struct carom_swings *s)
{
    return s->on && s->sim->stepper->scheme->velocities;
}

void carom_swings_switched(const struct carom_swings *s, struct carom_events *noted, size_t *from, size_t *to)
{
    double d0[BLOCK], d1[BLOCK];
    size_t first = *to, last = *from;
    if (!tells_some(s))
        return;
    for (size_t begin = *from, end; begin < *to; begin = end) {
        end = *to - begin < BLOCK ? *to : begin + BLOCK;
        carom_chain_deform(&s->chain, begin, end, s->sim->stepper->before->q, d0);
        carom_chain_deform(&s->chain, begin, end, s->sim->state->q, d1);
        for (size_t j = begin; j < end; j++) {
            const bool switched = carom_events_differs(noted, j, d0[j - begin], d1[j - begin]);
            first = switched && j < first ? j : first;
            last = switched ? j + 1 : last;
        }
    }
    *from = first;
    *to = last;
}

bool carom_swings_see(const struct carom_swings *s, const struct carom_state *state, size_t from, size_t to)
{
    struct carom_stepper *stepper = s->on ? s->sim->stepper : NULL;
    size_t first, last;
    if (!tells_some(s))
        return false;
    struct carom_state *view = s->sim->view;
    carom_swings_beads(s, from, to, 0, &first, &last);
    memcpy(view->q + first, state->q + first, (last - first) * sizeof(double));
    stepper->scheme->velocities(stepper, state, first, last, view->v + first);
    carom_state_clock(view, state->time);
    return true;
}

/* --- impulses ---------------------------------------------------------------------------------------------------- */

size_t carom_swings_first(const unsigned char *closed, size_t j)
{
    while (j > 0 && closed[j - 1])
        j--;
    return j;
}

/* momentum that beads [begin, end) have kept of what has passed on their left, less what weights gave */
static double kept_by(const struct carom_swings *s, size_t begin, size_t end)
{
    const struct carom_beads *beads = s->chain.beads;
    const struct carom_sim *sim = s->sim;
    const double t = sim->state->time;
    double sum = 0.0;
    if (begin < end)
        speeds(s, begin, end);
    for (size_t i = begin; i < end; i++)
        sum += beads->mass[i] * sim->view->v[i] - s->start[i] - (beads->weight ? beads->weight[i] * t : 0.0);
    return sum;
}

void carom_swings_tell_wall(struct carom_swings *s, const double *passed, const unsigned char *closed)
{
    const size_t free_end = s->chain.nc - (s->chain.right_wall ? 1 : 0);
    size_t open = 1;
    while (open < s->chain.nc && closed[open])
        open++;
    if (open <= free_end)
        s->wall = (open < s->chain.nc ? passed[open] : 0.0) + kept_by(s, 0, open);
}

double carom_swings_passed(const struct carom_swings *s, const double *passed, size_t first, size_t j)
{
    const bool leans = first == 0 && s->chain.left_wall;
    const double before = leans ? s->wall : first > 0 ? passed[first - 1] : 0.0;
    const size_t begin = (leans ? 1 : first) - s->chain.shift, end = j + 1 - s->chain.shift; /* beads on the left */
    return before - kept_by(s, begin, end);
}

double carom_swings_now(struct carom_swings *s, size_t j, double *rate)
{
    const struct carom_sim *sim = s->sim;
    size_t first, last;
    carom_swings_beads(s, j, j + 1, 0, &first, &last);
    speeds(s, first, last);
    carom_chain_rate(&s->chain, j, j + 1, sim->view->v, rate);
    return carom_swings_overlap(s, sim->state->q, j);
}

void carom_swings_kick(struct carom_swings *s, const double *v, double sign)
{
    for (size_t i = 0; s->on && i < s->chain.n; i++)
        s->start[i] += sign * (s->chain.beads->mass[i] * v[i]);
}

void carom_swings_rough(struct carom_swings *s, uint64_t step, uint64_t steps)
{
    s->turned_at = step;
    s->smooth_from = step + steps;
}
