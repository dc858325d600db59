/* Latching contacts, see latch.h. */
#include "model/latch.h"

#include "carom/law.h"
#include "model/contact_force.h"

size_t carom_latch_place(const struct carom_model *model, size_t j)
{
    const struct carom_group *g = carom_model_group(model, j);
    return g->nh > g->law->nh ? g->history0 + g->law->nh * g->count + (j - g->first) : SIZE_MAX;
}

double carom_latch_energy(const struct carom_model *model, size_t j, double deform)
{
    double energy;
    const struct carom_response want = {.energy = &energy};
    carom_contacts_evaluate(model, j, j + 1, &deform, NULL, NULL, &want);
    return energy;
}

/* A force of 0 ends a contact only while it separates: at the first touch it is 0, too. */
static void see(const struct carom_model *model, struct carom_state *state, size_t j, double deform, double rate,
                double force)
{
    const size_t at = carom_latch_place(model, j);
    if (at == SIZE_MAX)
        return;
    if (!(deform > 0.0)) {
        state->history[at] = 0.0;
    } else if (!(state->history[at] > 0.0) && rate < 0.0 && !(force > 0.0)) {
        state->clipped[j] += carom_latch_energy(model, j, deform);
        state->history[at] = 1.0;
    }
}

void carom_latch_see(const struct carom_model *model, struct carom_state *state, size_t first, size_t last)
{
    enum { BLOCK = 256 };
    double deform[BLOCK], rate[BLOCK], force[BLOCK];
    for (size_t from = first; model->latches && from < last; from += BLOCK) {
        const size_t to = last - from < BLOCK ? last : from + BLOCK;
        carom_contact_force_read(model, state, from, to, deform, rate, force);
        for (size_t j = from; j < to; j++)
            see(model, state, j, deform[j - from], rate[j - from], force[j - from]);
    }
}

void carom_latch_carry(const struct carom_model *model, const struct carom_state *from, struct carom_state *to,
                       size_t first, size_t last)
{
    for (size_t j = first; model->latches && j < last; j++) {
        const size_t at = carom_latch_place(model, j);
        if (at != SIZE_MAX)
            to->history[at] = from->history[at];
    }
}

void carom_latch_between(const struct carom_model *model, const struct carom_state *from, const struct carom_state *to,
                         double t, struct carom_state *view)
{
    const bool inside = t < to->time;
    if (model->latches)
        carom_latch_carry(model, inside ? from : to, view, 0, model->nc);
    for (size_t j = 0; model->latches && inside && j < model->nc; j++) {
        double deform;
        if (!carom_latch_holds(model, to->history, j) || carom_latch_holds(model, from->history, j))
            continue;
        carom_contacts_deform_some(model, j, j + 1, to->time, to->q, NULL, &deform, NULL);
        const double h = carom_state_until(from, to->time) + to->time_low, s = carom_state_until(from, t) / h;
        view->clipped[j] -= s * carom_latch_energy(model, j, deform);
    }
}
