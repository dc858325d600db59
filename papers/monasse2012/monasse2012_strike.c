/* What strikes a solid, against closed forms: the velocity of the first ball at the end, along the last axis, over that
 * at the start. */
#include "carom/carom.h"
#include "model/solid/solid_balls.h"
#include "monasse2012.h"

static enum carom_status measure_struck(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    char name[512];
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, error) : NULL;
    size_t member;
    const struct carom_solid_balls *balls = sim ? carom_solid_balls_of(sim->model, &member) : NULL;
    enum carom_status status = sim ? CAROM_OK : error->status;
    if (sim && !balls)
        status = carom_error_set(error, CAROM_E_INPUT, "%s: nothing strikes the solid", name);
    if (status == CAROM_OK) {
        const size_t at = sim->model->member[member].v0 + (size_t)balls->dimension - 1;
        carom_sim_sync(sim);
        const double before = sim->view->v[at];
        status = carom_sim_run(sim, NULL, error);
        carom_sim_sync(sim);
        *value = sim->view->v[at] / before;
    }
    carom_sim_free(sim);
    carom_scene_free(scene);
    return status;
}

static const char *const keys[] = {"scene", "set", NULL};

const struct carom_measure carom_monasse2012_strike_list[] = {
    {"solid_struck", keys, measure_struck},
    {NULL, NULL, NULL},
};
