/* The force of contacts as it acts: a law's elastic force and drag, after the contact's ending. */
#include "model/contact_force.h"

#include <string.h>

#include "carom/law.h"
#include "model/latch.h"
#include "model/solid/strike/solid_push.h"

enum { BLOCK = 256 };

/* n contacts of one ending; `force` is elastic before */
static void act(size_t n, enum carom_ending ending, const double *restrict deform, const double *restrict rate,
                const double *restrict drag, double *restrict force)
{
    for (size_t k = 0; k < n; k++) {
        const double acting = force[k] + drag[k] * rate[k];
        force[k] = deform[k] > 0.0 ? acting : 0.0;
    }
    for (size_t k = 0; ending != CAROM_END_GAP && k < n; k++)
        force[k] = force[k] < 0.0 ? 0.0 : force[k];
}

/* what the law of contacts [first, last) says of overlaps and rates; a block of one group at most */
static void press(const struct carom_model *model, const struct carom_group *group, size_t first, size_t last,
                  const double *deform, const double *rate, const double *history, double *force)
{
    double drag[BLOCK];
    const struct carom_response want = {.elastic = force, .drag = drag};
    carom_contacts_evaluate(model, first, last, deform, rate, history, &want);
    act(last - first, group->ending, deform, rate, drag, force);
}

/* of solids: the resultant of what acts in many points */
static void read_solids(const struct carom_model *model, size_t first, size_t last, const struct carom_state *view,
                        double *deform, double *rate, double *force)
{
    struct carom_strike_push push[BLOCK];
    carom_solid_push_read(model, first, last, view->q, view->v, push);
    for (size_t k = 0; k < last - first; k++) {
        deform[k] = push[k].deform;
        rate[k] = push[k].rate;
        force[k] = push[k].force;
    }
}

/* contacts [first, last) of one group, a block at most */
static void read_block(const struct carom_model *model, const struct carom_group *group, size_t first, size_t last,
                       const struct carom_state *view, double *deform, double *rate, double *force)
{
    if (group->law->rigid) {
        memcpy(force, view->force + first, (last - first) * sizeof *force);
        return;
    }
    if (carom_solid_strike_of(model)) {
        read_solids(model, first, last, view, deform, rate, force);
        return;
    }
    carom_contacts_touch_some(model, first, last, view->time, view->q, view->v, deform, rate);
    press(model, group, first, last, deform, rate, view->history, force);
}

void carom_contact_force_read(const struct carom_model *model, const struct carom_state *view, size_t first,
                              size_t last, double *deform, double *rate, double *force)
{
    double own_deform[BLOCK], own_rate[BLOCK];
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        const size_t begin = group->first > first ? group->first : first;
        const size_t end = group->first + group->count < last ? group->first + group->count : last;
        for (size_t from = begin; from < end; from += BLOCK)
            read_block(model, group, from, from + BLOCK < end ? from + BLOCK : end, view,
                       deform != NULL ? deform + from - first : own_deform,
                       rate != NULL ? rate + from - first : own_rate, force + from - first);
    }
}

void carom_contact_force_press(const struct carom_model *model, size_t first, size_t last, const double *deform,
                               const double *rate, const double *history, double *force)
{
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        const size_t begin = group->first > first ? group->first : first;
        const size_t end = group->first + group->count < last ? group->first + group->count : last;
        for (size_t from = begin; from < end; from += BLOCK) {
            const size_t to = from + BLOCK < end ? from + BLOCK : end, at = from - first;
            if (group->law->rigid)
                memset(force + at, 0, (to - from) * sizeof *force);
            else
                press(model, group, from, to, deform + at, rate + at, history, force + at);
        }
    }
}

double carom_contact_force_of(const struct carom_law *law, enum carom_ending ending, const double *const *param,
                              const double *const *history, double deform, double rate)
{
    double force, drag;
    const struct carom_batch one = {.law = law,
                                    .n = 1,
                                    .param = param,
                                    .deform = &deform,
                                    .rate = &rate,
                                    .history = law->nh > 0 ? history : NULL,
                                    .elastic = &force,
                                    .drag = &drag};
    law->evaluate(&one);
    act(1, ending, &deform, &rate, &drag, &force);
    return force;
}

double carom_contact_force_at(const struct carom_model *model, size_t j, const double *history, double deform,
                              double rate)
{
    const struct carom_group *g = carom_model_group(model, j);
    const double *param[CAROM_LAW_WIDTH], *own[CAROM_LAW_WIDTH];
    for (size_t c = 0; c < g->ncolumns; c++)
        param[c] = g->param[c] + (j - g->first);
    if (carom_latch_holds(model, history, j))
        return 0.0;
    for (size_t c = 0; c < g->law->nh; c++)
        own[c] = history + g->history0 + c * g->count + (j - g->first);
    return carom_contact_force_of(g->law, g->ending, param, own, deform, rate);
}
