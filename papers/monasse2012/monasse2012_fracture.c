/* Cracks, against closed forms: the energy release rate of bodies at rest, from cracks of two lengths under the same
 * loads, and the rate at which a double cantilever beam breaks. */
#include "base/memory.h"
#include "carom/carom.h"
#include "monasse2012.h"

/* elastic energy of the row's scene with one override of its own, and the area of its cracks */
static enum carom_status at_rest(const struct carom_measuring *m, const char *key, double *energy, double *area,
                                 struct carom_error *error)
{
    char name[512];
    const char *more;
    if (carom_paper_need(m->paper, m->row, key, &more, error) != CAROM_OK)
        return error->status;
    struct carom_scene *scene = carom_measures_scene(m, &more, 1, name, error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, error) : NULL;
    size_t member;
    const struct carom_solid *s = sim ? carom_solid_of(sim->model, &member) : NULL;
    if (s) {
        struct carom_ledger ledger;
        carom_sim_sync(sim);
        carom_balance_read(sim->model, sim->view, NULL, &ledger);
        *energy = ledger.stored;
        *area = carom_solid_fracture_area(s, sim->view->q + sim->model->member[member].q0);
    }
    const enum carom_status status = s     ? CAROM_OK
                                     : sim ? carom_error_set(error, CAROM_E_INPUT, "%s: there is no solid", name)
                                           : error->status;
    carom_sim_free(sim);
    carom_scene_free(scene);
    return status;
}

/* What loads of constant force give up is twice what the body gains, so G is how its energy grows with the crack. */
static enum carom_status measure_release(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    double energy[2], area[2];
    if (at_rest(m, "shorter", &energy[0], &area[0], error) != CAROM_OK ||
        at_rest(m, "longer", &energy[1], &area[1], error) != CAROM_OK)
        return error->status;
    *value = (energy[1] - energy[0]) / (area[1] - area[0]);
    return CAROM_OK;
}

/* G of a double cantilever beam by the force of its first drive and the length of its crack, as the closed form has it
 * for arms that turn at their root */
static double rate_now(const struct carom_sim *sim, const struct carom_solid *s, double *room, double (*force)[6],
                       double *length)
{
    const double *q = sim->view->q, *v = sim->view->v, high = 0.5 * s->grid.edge[1] * (double)s->grid.count[1];
    carom_solid_reaction(s, sim->view->time, q, v, room, force);
    *length = carom_solid_fracture_area(s, q) / s->depth;
    const double arm = *length + 0.673 * high, pull = force[0][1] / s->depth;
    return 12.0 * pull * pull * arm * arm / (s->material[0].young * high * high * high);
}

/* the mean of that at 1000 times, from when the crack has grown by a tenth until it has grown by a half */
static enum carom_status watch(struct carom_sim *sim, const struct carom_solid *s, double *mean,
                               struct carom_error *error)
{
    double *room = carom_memory_zeroed(carom_solid_reaction_room(s), sizeof *room), sum = 0.0, first = 0.0, length;
    double(*force)[6] = carom_memory_zeroed(s->nholds, sizeof *force);
    size_t count = 0;
    enum carom_status status =
        room && force ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for reactions");
    for (int i = 0; status == CAROM_OK && i <= 1000; i++) {
        status = i == 0 ? CAROM_OK : carom_sim_to(sim, sim->until * i / 1000.0, error);
        carom_sim_sync(sim);
        const double rate = rate_now(sim, s, room, force, &length);
        first = i == 0 ? length : first;
        if (length < 1.1 * first || length > 1.5 * first)
            continue;
        sum += rate;
        count++;
    }
    if (status == CAROM_OK && count == 0)
        status = carom_error_set(error, CAROM_E_INPUT, "the beam does not break");
    *mean = sum / (double)count;
    carom_memory_free_all(force, room);
    return status;
}

static enum carom_status measure_tough(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    char name[512];
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, error) : NULL;
    const struct carom_solid *s = sim ? carom_solid_of(sim->model, NULL) : NULL;
    const enum carom_status status = s && s->nholds > 0 ? watch(sim, s, value, error)
                                     : sim ? carom_error_set(error, CAROM_E_INPUT, "%s: there is no driven solid", name)
                                           : error->status;
    carom_sim_free(sim);
    carom_scene_free(scene);
    return status;
}

static const char *const release_keys[] = {"scene", "set", "shorter", "longer", NULL};
static const char *const tough_keys[] = {"scene", "set", NULL};

const struct carom_measure carom_monasse2012_fracture_list[] = {
    {"solid_release", release_keys, measure_release},
    {"solid_tough", tough_keys, measure_tough},
    {NULL, NULL, NULL},
};
