/* Work of loads and drives, losses of local dampers; see tally.h. */
#include "scheme/tally.h"

#include "base/sum.h"
#include "solve/cubic.h"

void carom_tally_beside(const struct carom_chain *chain, const double *force, double factor, bool more, double *beside)
{
    for (size_t k = 0; k < chain->beads->ndrives; k++) {
        size_t contact[2];
        carom_chain_contacts(chain, chain->beads->drive[k].which, &contact[0], &contact[1]);
        for (size_t side = 0; side < 2; side++) {
            const double acts = contact[side] < chain->nc ? factor * force[contact[side]] : 0.0;
            beside[2 * k + side] = more ? beside[2 * k + side] + acts : acts;
        }
    }
}

void carom_tally_add(const struct carom_chain *early, const struct carom_chain *late, double h, const double *x0,
                     const double *beside, struct carom_state *to)
{
    const struct carom_beads *b = early->beads;
    const double *x1 = to->q;
    struct carom_sum spent = {0.0, 0.0};
    double work = 0.0;
    for (size_t i = 0; b->damper && i < b->n; i++)
        carom_sum_add(&spent, carom_loads_damper(b, i) * (x1[i] - x0[i]) * (x1[i] - x0[i]) / h);
    for (size_t k = 0; k < b->nloads; k++) {
        const size_t i = b->load[k].bead;
        const double force =
            carom_signal_value(&b->load[k].force, early->time) + carom_signal_value(&b->load[k].force, late->time);
        work += carom_loads_driven(b, i) ? 0.0 : 0.5 * force * (x1[i] - x0[i]);
    }
    for (size_t k = 0; k < b->ndrives; k++) {
        const double way =
            carom_loads_motion(&b->drive[k], late->time).place - carom_loads_motion(&b->drive[k], early->time).place;
        work += way * (beside[2 * k + 1] - beside[2 * k]);
    }
    to->spent[0] += carom_sum_value(&spent);
    to->work[0] += work;
}

/* the force of contact j */
static double acting(const struct carom_model *model, const struct carom_tally_end *end, size_t j)
{
    double deform, rate, elastic, drag;
    if (j >= end->chain->nc)
        return 0.0;
    carom_chain_deform(end->chain, j, j + 1, end->state->q, &deform);
    carom_chain_rate(end->chain, j, j + 1, end->v, &rate);
    const struct carom_response want = {.elastic = &elastic, .drag = &drag};
    carom_contacts_evaluate(model, j, j + 1, &deform, NULL, end->state->history, &want);
    return elastic + drag * rate;
}

static void powers(const struct carom_model *model, const struct carom_tally_end *end, double *spent, double *work)
{
    const struct carom_beads *b = end->chain->beads;
    *spent = carom_loads_damping(b, 0, b->n, end->v);
    *work = carom_loads_power(b, end->chain->time, end->v);
    for (size_t k = 0; k < b->ndrives; k++) {
        size_t left, right;
        carom_chain_contacts(end->chain, b->drive[k].which, &left, &right);
        *work += carom_loads_motion(&b->drive[k], end->chain->time).rate *
                 (acting(model, end, right) - acting(model, end, left));
    }
}

void carom_tally_view(const struct carom_model *model, const struct carom_tally_end *from,
                      const struct carom_tally_end *to, double t, struct carom_state *view)
{
    if (!from->chain->beads->loaded)
        return;
    const double h = carom_state_until(from->state, to->state->time) + to->state->time_low;
    const double s = h > 0.0 ? carom_state_until(from->state, t) / h : 1.0;
    const double *old[2] = {from->state->spent, from->state->work}, *new[2] = {to->state->spent, to->state->work};
    double *const out[2] = {view->spent, view->work}, power[2][2];
    powers(model, from, &power[0][0], &power[0][1]);
    powers(model, to, &power[1][0], &power[1][1]);
    for (int i = 0; i < 2; i++) {
        const struct carom_cubic sum = {{old[i][0], new[i][0]}, {h * power[0][i], h * power[1][i]}};
        out[i][0] = carom_cubic_at(&sum, s);
    }
}
