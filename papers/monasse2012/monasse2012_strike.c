/* What strikes a solid, against closed forms: the velocity of the first ball at the end, along the last axis, over that
 * at the start; velocities of bars after an impact along their axis, and how long it lasts. */
#include "carom/carom.h"
#include "model/solid/strike/solid_balls.h"
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

/* of all cells of a solid along x, by mass */
static double mean_velocity(const struct carom_sim *sim, size_t member)
{
    const struct carom_solid *s = carom_solid_at(sim->model, member);
    const double *v = sim->view->v + sim->model->member[member].v0;
    double sum = 0.0, mass = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        sum += s->sorts[s->sort[i]].mass * v[s->fast * i];
        mass += s->sorts[s->sort[i]].mass;
    }
    return sum / mass;
}

/* the first contact: when it was last closed; twice the mean of the time, weighted by its force, which is how long a
 * constant force lasts, however much it swings */
struct touching {
    double closed, lasts;
};

/* step by step to the end */
static enum carom_status watch(struct carom_sim *sim, struct touching *touching, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    double impulse = 0.0, late = 0.0;
    while (status == CAROM_OK && sim->state->time < sim->until) {
        double overlap, force;
        const struct carom_response want = {.elastic = &force};
        status = carom_sim_step(sim, 1, error);
        carom_sim_sync(sim);
        const double t = sim->view->time;
        carom_contacts_deform_some(sim->model, 0, 1, t, sim->view->q, NULL, &overlap, NULL);
        carom_contacts_evaluate(sim->model, 0, 1, &overlap, NULL, NULL, &want);
        touching->closed = overlap > 0.0 ? t : touching->closed;
        impulse += force;
        late += force * t;
    }
    touching->lasts = impulse > 0.0 ? 2.0 * late / impulse : 0.0;
    return status;
}

enum { PASSED, TOUCHED, LASTED, ANSWERS };

/* two bars, or one and a wall: the last one's velocity in the end over the first one's at the start, how long they
 * touched, and how long their force lasted */
static enum carom_status strike_bars(const struct carom_measuring *m, void *with, double *answer,
                                     struct carom_error *error)
{
    char name[512];
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, error) : NULL;
    enum carom_status status = sim ? CAROM_OK : error->status;
    (void)with;
    if (sim && (carom_solid_count(sim->model) == 0 || sim->model->nc == 0))
        status = carom_error_set(error, CAROM_E_INPUT, "%s: nothing strikes the solid", name);
    if (status == CAROM_OK) {
        struct touching touching = {0.0, 0.0};
        carom_sim_sync(sim);
        const double before = mean_velocity(sim, 0);
        status = watch(sim, &touching, error);
        answer[PASSED] = mean_velocity(sim, carom_solid_count(sim->model) - 1) / before;
        answer[TOUCHED] = touching.closed;
        answer[LASTED] = touching.lasts;
    }
    carom_sim_free(sim);
    carom_scene_free(scene);
    return status;
}

static enum carom_status measure_passed(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return carom_measures_pick(m, "bars", strike_bars, ANSWERS, PASSED, value, error);
}

static enum carom_status measure_touched(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return carom_measures_pick(m, "bars", strike_bars, ANSWERS, TOUCHED, value, error);
}

static enum carom_status measure_lasted(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return carom_measures_pick(m, "bars", strike_bars, ANSWERS, LASTED, value, error);
}

static const char *const keys[] = {"scene", "set", NULL};

const struct carom_measure carom_monasse2012_strike_list[] = {
    {"solid_struck", keys, measure_struck},
    {"solid_passed", keys, measure_passed},
    {"solid_touched", keys, measure_touched},
    {"solid_lasted", keys, measure_lasted},
    {NULL, NULL, NULL},
};
