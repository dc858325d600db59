/* Openings and closings: the zero of the cubic through overlap and rate at both ends of a step. */
#include "sim/between/events.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "model/solid/strike/solid_strike.h"
#include "solve/locate.h"

void carom_events_close(struct carom_events *e)
{
    carom_memory_free(e->deform);
    *e = (struct carom_events){0};
}

enum carom_status carom_events_open(struct carom_events *e, const struct carom_model *model, size_t room,
                                    struct carom_error *error)
{
    e->model = model;
    e->room = room;
    if (!carom_memory_together(CAROM_ROOM(e->deform, room), CAROM_ROOM(e->rate, room), CAROM_ROOM(e->state, model->nc)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory watching %zu contacts", model->nc);
    return CAROM_OK;
}

void carom_events_before(struct carom_events *e, const struct carom_state *view, size_t first, size_t last)
{
    carom_contacts_deform_some(e->model, first, last, view->time, view->q, view->v, e->deform, e->rate);
    e->time = view->time;
}

struct carom_event carom_events_locate(const double deform[2], const double rate[2], double t, double h,
                                       uint64_t contact)
{
    const struct carom_cubic c = {{deform[0], deform[1]}, {h * rate[0], h * rate[1]}};
    const double s = carom_locate_on_cubic(&c, 1.0), opening = -carom_cubic_slope(&c, s) / h;
    return (struct carom_event){.time = t + s * h,
                                .contact = contact,
                                .kind = deform[1] > 0.0 ? CAROM_EVENT_CLOSE : CAROM_EVENT_OPEN,
                                .before = opening,
                                .after = opening};
}

/* Overlaps of surfaces are no distances: where they begin their rate jumps, and the speed at which the bodies meet is
 * that of their nearest points before. */
static void meet_with(const struct carom_model *model, double rate, struct carom_event *event)
{
    const struct carom_solid_strike *strike = carom_solid_strike_of(model);
    if (strike && event->contact >= strike->meets_first && event->kind == CAROM_EVENT_CLOSE)
        event->before = event->after = -rate;
}

/* below this an overlap is rounding of displacements */
static double grain(const struct carom_model *model, size_t j, const double *q)
{
    const int32_t left = model->pair[j][0], right = model->pair[j][1];
    if (!carom_model_chain(model))
        return 0.0;
    return 4.0 * DBL_EPSILON * ((left >= 0 ? fabs(q[left]) : 0.0) + (right >= 0 ? fabs(q[right]) : 0.0));
}

/* In steps of next to no time, which end at a closing, overlaps differ by their rounding: only rates tell the rate. */
static void round_off(const struct carom_model *model, const double deform[2], const double rate[2], double h,
                      const double *q, struct carom_event *event)
{
    const double mean = 0.5 * (rate[0] + rate[1]), rounding = fabs(deform[1] - deform[0] - h * mean);
    if (rounding <= grain(model, event->contact, q) && rounding > 1e-12 * h * fabs(mean))
        event->before = event->after = -mean;
}

enum { NOT_YET, OPEN, CLOSED };

bool carom_events_differs(struct carom_events *e, size_t j, double d0, double d1)
{
    if (e->state[j] == NOT_YET)
        e->state[j] = d0 > 0.0 ? CLOSED : OPEN;
    return (e->state[j] == CLOSED) != (d1 > 0.0);
}

/* Is contact j other than it was noted to be, its overlap going from d0 to d1? Notes it. */
static bool changes(struct carom_events *e, size_t j, double d0, double d1, const double *q)
{
    if (!carom_events_differs(e, j, d0, d1) || (fabs(d0) <= grain(e->model, j, q) && fabs(d1) <= grain(e->model, j, q)))
        return false;
    e->state[j] = d1 > 0.0 ? CLOSED : OPEN;
    return true;
}

/* gives the events found so far to the recorder, in order of time */
static enum carom_status hand_over(struct carom_event *event, size_t *count, struct carom_recorder *recorder,
                                   struct carom_error *error)
{
    for (size_t i = 1; i < *count; i++)
        for (size_t j = i; j > 0 && event[j].time < event[j - 1].time; j--) {
            const struct carom_event hold = event[j];
            event[j] = event[j - 1];
            event[j - 1] = hold;
        }
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < *count && status == CAROM_OK && carom_recorder_wants_events(recorder); i++)
        status = carom_recorder_event(recorder, &event[i], error);
    *count = 0;
    return status;
}

enum carom_status carom_events_after(struct carom_events *e, const struct carom_state *view, size_t first, size_t last,
                                     struct carom_recorder *recorder, const struct carom_events_told *told,
                                     struct carom_error *error)
{
    enum { BLOCK = 256 }; /* sorted within blocks: more than one block of changes in a step is in order of contacts */
    struct carom_event found[BLOCK];
    double deform[BLOCK], rate[BLOCK];
    const double h = view->time - e->time;
    size_t count = 0;
    for (size_t from = first; from < last; from += BLOCK) {
        const size_t to = from + BLOCK < last ? from + BLOCK : last;
        carom_contacts_deform_some(e->model, from, to, view->time, view->q, view->v, deform, rate);
        for (size_t j = from; j < to; j++) {
            if (!changes(e, j, e->deform[j - first], deform[j - from], view->q))
                continue;
            const double deforms[2] = {e->deform[j - first], deform[j - from]};
            const double rates[2] = {e->rate[j - first], rate[j - from]};
            found[count] = carom_events_locate(deforms, rates, e->time, h, j);
            round_off(e->model, deforms, rates, h, view->q, &found[count]);
            meet_with(e->model, rates[0], &found[count++]);
            enum carom_status status = CAROM_OK;
            if (told)
                status = told->turned(told->own, &found[count - 1], deforms, rates, error);
            if (status != CAROM_OK)
                return status;
            if (count < BLOCK)
                continue;
            status = hand_over(found, &count, recorder, error);
            if (status != CAROM_OK)
                return status;
        }
    }
    return hand_over(found, &count, recorder, error);
}
