/* Monasse and Mariotti 2012, section 3: waves of the lattice against (24)-(26), Young's modulus and Poisson's ratio of
 * a pulled bar, the lowest frequency of a body, and how often a point of it swings. */
#include <string.h>

#include "base/random.h"
#include "carom/solid.h"
#include "papers/monasse2012/monasse2012.h"
#include "study/follow/track.h"
#include "study/lattice.h"

#define PI 3.14159265358979323846

static const char *const scene_keys[] = {"scene", "set", NULL};
static const char *const swing_keys[] = {"scene", "set", "sensor", "axis", NULL};

static const struct carom_solid *solid_of(const struct carom_model *model, struct carom_error *error)
{
    const struct carom_solid *solid = carom_solid_of(model, NULL);
    if (solid == NULL || model->nparts != 1)
        carom_error_set(error, CAROM_E_REFUSED, "the scene is no solid");
    return solid;
}

/* --- waves -------------------------------------------------------------------------------------------------------- */

static enum carom_status waves_error(const struct carom_solid *s, double *worst, struct carom_error *error)
{
    struct carom_random random;
    carom_random_start(&random, 3);
    *worst = 0.0;
    for (int trial = 0; trial < 50; trial++) {
        double k[3] = {0.0, 0.0, 0.0}, found[6], formula[3];
        for (int axis = 0; axis < 2; axis++)
            k[axis] = PI / s->grid.edge[axis] * (2.0 * carom_random_uniform(&random) - 1.0);
        if (carom_lattice_waves(s, k, found, error) != CAROM_OK)
            return error->status;
        carom_lattice_formula(s, k, formula);
        for (int i = 0; i < 3; i++) {
            const double off = fabs(found[i] / formula[i] - 1.0);
            *worst = off <= *worst ? *worst : off;
        }
    }
    return CAROM_OK;
}

static enum carom_status measure_waves(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    char name[512];
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    const struct carom_solid *s = solid_of(scene->model, error);
    enum carom_status status = s != NULL ? CAROM_OK : error->status;
    if (s != NULL && (s->kind != CAROM_SOLID_STRAIN || s->grid.edge[0] != s->grid.edge[1]))
        status = carom_error_set(error, CAROM_E_REFUSED, "(24)-(26) are for square cells in plane strain");
    if (status == CAROM_OK)
        status = waves_error(s, value, error);
    carom_scene_free(scene);
    return status;
}

/* --- a pulled bar ------------------------------------------------------------------------------------------------- */

static const struct carom_solid_sensor *sensor_of(const struct carom_solid *s, const char *name,
                                                  struct carom_error *error)
{
    for (size_t i = 0; i < s->nsensors; i++)
        if (strcmp(s->sensor[i].name, name) == 0)
            return &s->sensor[i];
    carom_error_set(error, CAROM_E_INPUT, "the scene has no sensor '%s'", name);
    return NULL;
}

/* Strain along an axis between two sensors of the settled body. */
static enum carom_status strain_between(const struct carom_scene *scene, const struct carom_solid *s, const char *from,
                                        const char *to, int axis, double *strain, struct carom_error *error)
{
    double u[2][3], v[3];
    const struct carom_solid_sensor *a = sensor_of(s, from, error), *b = a != NULL ? sensor_of(s, to, error) : NULL;
    if (b == NULL)
        return error->status;
    carom_solid_sense(s, a, scene->q, NULL, u[0], v);
    carom_solid_sense(s, b, scene->q, NULL, u[1], v);
    *strain = (u[1][axis] - u[0][axis]) / (b->place[axis] - a->place[axis]);
    return CAROM_OK;
}

/* Young's modulus of a bar pulled along x over that of its material, and Poisson's ratio. */
static enum carom_status pull(const struct carom_measuring *m, void *with, double *answer, struct carom_error *error)
{
    char name[512];
    double along = 0.0, across = 0.0;
    (void)with;
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    const struct carom_solid *s = solid_of(scene->model, error);
    enum carom_status status = s != NULL ? CAROM_OK : error->status;
    if (s != NULL && (s->nloads != 1 || s->load[0].push != CAROM_SOLID_TRACTION))
        status = carom_error_set(error, CAROM_E_REFUSED, "the bar needs one load, a traction");
    if (status == CAROM_OK)
        status = strain_between(scene, s, "left", "right", 0, &along, error);
    if (status == CAROM_OK)
        status = strain_between(scene, s, "low", "high", 1, &across, error);
    if (status == CAROM_OK) {
        answer[0] = s->load[0].vector[0] * s->load[0].signal.amplitude / s->material[0].young / along;
        answer[1] = -across / along;
    }
    carom_scene_free(scene);
    return status;
}

static enum carom_status measure_young(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return carom_measures_pick(m, "pull", pull, 2, 0, value, error);
}

static enum carom_status measure_poisson(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return carom_measures_pick(m, "pull", pull, 2, 1, value, error);
}

/* --- frequencies -------------------------------------------------------------------------------------------------- */

static enum carom_status measure_mode(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    char name[512];
    size_t count;
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    const struct carom_solid *s = solid_of(scene->model, error);
    enum carom_status status = s != NULL ? carom_lattice_modes(s, value, 1, &count, error) : error->status;
    *value /= 2.0 * PI;
    carom_scene_free(scene);
    return status;
}

/* Upward passages of a sensor through zero, by straight lines between steps. */
struct passages {
    double first, last;
    size_t count;
};

static enum carom_status count_passages(const struct carom_measuring *m, struct carom_track *track,
                                        const struct carom_solid_sensor *sensor, int axis, struct passages *seen,
                                        struct carom_error *error)
{
    const struct carom_solid *s = carom_solid_of(track->sim->model, NULL);
    double before = 0.0, then = 0.0;
    for (size_t i = 0; !carom_sim_ended(track->sim); i++) {
        double u[3], v[3];
        if (carom_sim_step(track->sim, 1, error) != CAROM_OK)
            return error->status;
        const double now = track->sim->state->time;
        carom_solid_sense(s, sensor, track->sim->view->q, NULL, u, v);
        if (i > 0 && before < 0.0 && u[axis] >= 0.0) {
            seen->last = now - (now - then) * u[axis] / (u[axis] - before);
            seen->first = seen->count++ == 0 ? seen->last : seen->first;
        }
        before = u[axis];
        then = now;
        if (i % 4096 == 0 && !carom_progress_go_on(m->progress, now / track->sim->until))
            return carom_error_set(error, CAROM_E_STOPPED, "stopped");
    }
    return CAROM_OK;
}

static enum carom_status measure_swing(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    char name[512];
    const char *which, *axis;
    struct carom_track track;
    struct passages seen = {0};
    if (carom_paper_need(m->paper, m->row, "sensor", &which, error) != CAROM_OK ||
        carom_paper_need(m->paper, m->row, "axis", &axis, error) != CAROM_OK)
        return error->status;
    if (axis[0] < 'x' || axis[0] > 'z' || axis[1] != '\0')
        return carom_error_set(error, CAROM_E_INPUT, "axis %s: must be x, y or z", axis);
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    enum carom_status status = carom_track_open(&track, scene, NULL, error);
    carom_scene_free(scene);
    const struct carom_solid *s = status == CAROM_OK ? solid_of(track.sim->model, error) : NULL;
    const struct carom_solid_sensor *sensor = s != NULL ? sensor_of(s, which, error) : NULL;
    status = sensor != NULL ? count_passages(m, &track, sensor, axis[0] - 'x', &seen, error) : error->status;
    if (status == CAROM_OK && seen.count < 2)
        status = carom_error_set(error, CAROM_E_FAILED, "it does not swing twice");
    if (status == CAROM_OK)
        *value = (double)(seen.count - 1) / (seen.last - seen.first);
    carom_track_close(&track);
    return status;
}

const struct carom_measure carom_monasse2012_bodies_list[] = {
    {"solid_waves", scene_keys, measure_waves},   {"bar_young", scene_keys, measure_young},
    {"bar_poisson", scene_keys, measure_poisson}, {"lowest_frequency", scene_keys, measure_mode},
    {"swings", swing_keys, measure_swing},        {NULL, NULL, NULL},
};
