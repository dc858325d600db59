/* The energy ledger of a physical state. Dissipated energies were integrated by the scheme from each law's own
 * power; nothing here is taken from the balance, so the residual measures the whole chain of code. */
#include "base/sum.h"
#include "carom/solid.h"
#include "carom/state.h"
#include "model/bodies/act.h"
#include "model/motion.h"
#include "model/solid/solid_fracture.h"
#include "model/solid/solid_self.h"

static double total(const double *x, size_t n)
{
    struct carom_sum sum = {0.0, 0.0};
    for (size_t i = 0; i < n; i++)
        carom_sum_add(&sum, x[i]);
    return carom_sum_value(&sum);
}

/* energy stored in all contacts; `scratch` (2 nc) keeps overlaps and energies, or is NULL */
static double stored_in_contacts(const struct carom_model *model, const struct carom_state *view, double *scratch)
{
    enum { BLOCK = 256 };
    double block[2 * BLOCK];
    struct carom_sum sum = {0.0, 0.0};
    for (size_t first = 0; first < model->nc; first += BLOCK) {
        const size_t last = model->nc - first < BLOCK ? model->nc : first + BLOCK;
        double *deform = scratch ? scratch + first : block,
               *energy = scratch ? scratch + model->nc + first : block + BLOCK;
        carom_contacts_touch_some(model, first, last, view->time, view->q, NULL, deform, NULL);
        const struct carom_response want = {.energy = energy};
        carom_contacts_evaluate(model, first, last, deform, NULL, view->history, &want);
        if (model->encounter && model->encounter->energy)
            model->encounter->energy(model, first, last, view, deform, energy);
        for (size_t j = 0; j < last - first; j++)
            carom_sum_add(&sum, energy[j]);
    }
    return carom_sum_value(&sum);
}

/* contacts that come and go */
static void read_list(const struct carom_model *model, const struct carom_state *view, struct carom_ledger *ledger)
{
    const struct carom_bodies *bodies = carom_model_bodies(model);
    const struct carom_columns columns = carom_list_columns(bodies);
    ledger->stored += carom_act_energy(bodies, view->contacts, view->q);
    *(bodies->rigid ? &ledger->impact : &ledger->viscous) +=
        carom_list_lost(view->contacts, &columns, CAROM_RETIRED_VISCOUS);
    ledger->clipped += carom_list_lost(view->contacts, &columns, CAROM_RETIRED_CLIPPED);
    ledger->friction += carom_list_lost(view->contacts, &columns, CAROM_RETIRED_FRICTION);
    ledger->rolling += carom_list_lost(view->contacts, &columns, CAROM_RETIRED_ROLLING);
    ledger->twisting += carom_list_lost(view->contacts, &columns, CAROM_RETIRED_TWISTING);
    ledger->change += carom_list_lost(view->contacts, &columns, CAROM_RETIRED_CHANGE);
    ledger->numerical += carom_list_lost(view->contacts, &columns, CAROM_RETIRED_NUMERICAL);
}

/* what solids have lost, which stands in their q */
static void read_solids(const struct carom_model *model, const struct carom_state *view, struct carom_ledger *ledger)
{
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_solid *s = carom_solid_at(model, i);
        const double *lost = s ? carom_solid_losses(s, view->q + model->member[i].q0) : NULL;
        ledger->absorbed += lost ? lost[CAROM_SOLID_ABSORBED] : 0.0;
        ledger->plastic += lost ? lost[CAROM_SOLID_PLASTIC] : 0.0;
        ledger->fracture += s && s->breaks ? *carom_solid_fracture_lost(s, view->q + model->member[i].q0) : 0.0;
        ledger->friction +=
            s && carom_solid_self_is_rough(s) ? *carom_solid_self_friction_loss(s, view->q + model->member[i].q0) : 0.0;
    }
}

void carom_balance_read(const struct carom_model *model, const struct carom_state *view, double *scratch,
                        struct carom_ledger *ledger)
{
    *ledger = (struct carom_ledger){0};
    carom_motion_energies(model, view, &ledger->kinetic, &ledger->stored);
    ledger->stored += stored_in_contacts(model, view, scratch);
    const double lost = total(view->lost, view->nlost);
    const bool rigid = !(model->offers & CAROM_COMPLIANT);
    ledger->viscous = rigid ? 0.0 : lost;
    ledger->impact = rigid ? lost : 0.0;
    ledger->friction = total(view->friction_loss, view->nfriction);
    ledger->clipped = total(view->clipped, view->nclipped);
    ledger->internal = total(view->spent, view->nparts);
    ledger->change = view->nbonds > 0 ? view->bonds[view->nbonds - 1] : 0.0;
    read_solids(model, view, ledger);
    if (view->contacts) {
        ledger->outside = ledger->internal; /* what bodies that left had: nothing else is lost inside of them */
        ledger->internal = 0.0;
        read_list(model, view, ledger);
    }
    ledger->dissipated = ledger->viscous + ledger->impact + ledger->friction + ledger->clipped + ledger->internal +
                         ledger->rolling + ledger->twisting + ledger->change + ledger->numerical + ledger->outside +
                         ledger->absorbed + ledger->plastic + ledger->fracture;
    ledger->work = total(view->work, view->nparts);
    ledger->residual = ledger->kinetic + ledger->stored + ledger->dissipated - ledger->work - view->energy;
}

double carom_balance_given(const struct carom_state *view, const struct carom_ledger *ledger)
{
    const double freed = ledger->stored < 0.0 ? -ledger->stored : 0.0; /* only heights and loads store less than 0 */
    return view->energy + ledger->work + freed;
}
