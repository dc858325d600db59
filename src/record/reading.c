/* Reads contact forces from a view: a law's elastic force and drag, or what a scheme for rigid contacts has found. */
#include "record/reading.h"

#include <string.h>

enum { BLOCK = 256 };

/* The forces of contacts [first, last) of a group as they act: drag included, and never a pull where force ends the
 * contact. */
static void read_forces(const struct carom_model *model, const struct carom_group *group, size_t first, size_t last,
                        const struct carom_state *view, double *all)
{
    double deform[BLOCK], rate[BLOCK], drag[BLOCK];
    carom_contacts_deform_some(model, first, last, view->time, view->q, view->v, deform, rate);
    const struct carom_response want = {.elastic = all + first, .drag = drag};
    carom_contacts_evaluate(model, first, last, deform, rate, view->history, &want);
    for (size_t j = first; j < last; j++) {
        double force = all[j] + drag[j - first] * rate[j - first];
        if (!(deform[j - first] > 0.0) || (group->ending == CAROM_END_FORCE && force < 0.0))
            force = 0.0;
        all[j] = force;
    }
}

void carom_reading_forces(const struct carom_model *model, const struct carom_state *view, double *force)
{
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        const size_t end = group->first + group->count;
        if (group->law->rigid)
            memcpy(force + group->first, view->force + group->first, group->count * sizeof(double));
        for (size_t first = group->first; first < end && !group->law->rigid; first += BLOCK)
            read_forces(model, group, first, first + BLOCK < end ? first + BLOCK : end, view, force);
    }
}
