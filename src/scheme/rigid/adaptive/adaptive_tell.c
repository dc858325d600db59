/* Events of moreau-adaptive: those of a contact in one instant are told as one. */
#include "scheme/rigid/adaptive/adaptive_cone.h"

static void tell(struct carom_adaptive *w, double t, size_t j, enum carom_event_kind kind, double before, double after)
{
    w->event[w->nevents++] = (struct carom_event){t, j, kind, 0.0, before, after, 0.0};
}

void carom_adaptive_tell_impact(struct carom_adaptive *w, double t, size_t j, double impulse, double before,
                                double after)
{
    for (size_t i = w->nevents; w->told[j] && i-- > 0;)
        if (w->event[i].contact == j && w->event[i].kind == CAROM_EVENT_IMPACT) {
            w->event[i].impulse += impulse;
            w->event[i].after = after;
            return;
        }
    w->told[j] = true;
    w->event[w->nevents++] = (struct carom_event){
        t, j, CAROM_EVENT_IMPACT, impulse, before, after, carom_event_taken(impulse, before, after)};
}

void carom_adaptive_tell_rest(struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_adaptive *w = stepper->work;
    double *rests = carom_adaptive_rests(state, stepper->model->nc);
    for (size_t j = 0; j < stepper->model->nc; j++)
        if (rests[j] > 0.0 && rests[j] <= state->time) {
            tell(w, rests[j], j, CAROM_EVENT_CLOSE, 0.0, 0.0);
            rests[j] = 0.0;
        }
}

/* a slip as events have it: in space its size */
static double told_slip(const struct carom_adaptive *w, size_t j)
{
    return w->wide == 1 ? w->slip[j] : carom_adaptive_cone_size(w, w->slip, j);
}

void carom_adaptive_tell_modes(struct carom_adaptive *w, const struct carom_state *state, bool first)
{
    const struct carom_model *model = w->moreau.rigid.model;
    double *rests = carom_adaptive_rests(state, model->nc);
    for (size_t j = 0; j < model->nc && !first; j++) {
        const bool was = w->was[j] != CAROM_COULOMB_OPEN, is = w->mode[j] != CAROM_COULOMB_OPEN, later = rests[j] > 0.0,
                   sticks = w->mode[j] == CAROM_COULOMB_STICK;
        rests[j] = is ? rests[j] : 0.0;
        if (was != is && !later)
            tell(w, state->time, j, is ? CAROM_EVENT_CLOSE : CAROM_EVENT_OPEN, 0.0, w->rate[j]);
        else if (is && model->frictional && sticks != (w->was[j] == CAROM_COULOMB_STICK))
            tell(w, state->time, j, sticks ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP, told_slip(w, j), told_slip(w, j));
    }
}
