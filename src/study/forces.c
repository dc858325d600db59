/* Forces of a view: of compliant contacts by their laws, of rigid ones as the scheme has found them. */
#include "study/forces.h"

#include "base/memory.h"

void carom_forces_close(struct carom_forces *forces)
{
    carom_peaks_close(&forces->peaks);
    carom_memory_free(forces->block);
    *forces = (struct carom_forces){0};
}

enum carom_status carom_forces_open(struct carom_forces *forces, size_t nc, struct carom_error *error)
{
    *forces = (struct carom_forces){.block = carom_memory_zeroed(nc, 3 * sizeof(double))};
    if (forces->block == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    forces->deform = forces->block;
    forces->rate = forces->block + nc;
    forces->drag = forces->block + 2 * nc;
    return carom_peaks_open(&forces->peaks, nc, error);
}

void carom_forces_note(struct carom_forces *forces, const struct carom_model *model, const struct carom_state *view,
                       bool clip)
{
    double *force = carom_peaks_turn(&forces->peaks, view->time);
    const struct carom_response want = {.elastic = force, .drag = forces->drag};
    carom_contacts_deform(model, view->time, view->q, view->v, forces->deform, forces->rate);
    carom_contacts_evaluate(model, 0, model->nc, forces->deform, forces->rate, view->history, &want);
    for (size_t j = 0; j < model->nc; j++)
        force[j] = forces->deform[j] > 0.0 ? force[j] + forces->drag[j] * forces->rate[j] : 0.0;
    for (size_t g = 0; clip && g < model->ngroups; g++)
        for (size_t j = model->group[g].first; j < model->group[g].first + model->group[g].count; j++)
            if (model->group[g].ending == CAROM_END_FORCE && force[j] < 0.0)
                force[j] = 0.0;
    for (size_t j = 0; j < view->nforce; j++) /* of rigid contacts, which schemes find out */
        force[j] = view->force[j];
    carom_peaks_note(&forces->peaks);
}
