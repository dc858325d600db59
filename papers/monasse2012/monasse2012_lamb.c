/* Lamb's problem, Monasse and Mariotti 2012, section 3.4: records of a scene's sensors against the solution by
 * Cagniard and de Hoop. Where the force acts, its course and the material are read off the scene: a traction acts on
 * the surface, a force at the depth of its cell's centre. The error of a record is the root of the mean square of the
 * difference, over that of the solution. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/solid.h"
#include "papers/monasse2012/monasse2012.h"
#include "study/follow/track.h"
#include "study/lamb.h"

enum { SENSORS = 4 };

static const char *const lamb_keys[] = {"scene", "coarse", "sensor", "axis", "of", NULL};

/* Sums over the record of a sensor: squares of differences and of the solution, x and down. */
struct record {
    struct carom_lamb_record truth;
    double off[2], size[2];
};

/* --- the problem that a scene poses ------------------------------------------------------------------------------- */

static double surface_of(const struct carom_solid *s)
{
    return s->grid.origin[1] + (double)s->grid.count[1] * s->grid.edge[1];
}

static enum carom_status read_problem(const struct carom_solid *s, struct carom_lamb *problem, double *x,
                                      struct carom_error *error)
{
    const struct carom_solid_load *load = s != NULL && s->nloads == 1 ? &s->load[0] : NULL;
    if (s == NULL || s->kind != CAROM_SOLID_STRAIN || s->grid.count[0] == 0 || load == NULL || load->count != 1 ||
        load->signal.shape != CAROM_SHAPE_RICKER || s->nsensors > SENSORS ||
        (load->push != CAROM_SOLID_TRACTION && load->push != CAROM_SOLID_FORCE))
        return carom_error_set(error, CAROM_E_REFUSED,
                               "Lamb's problem is a box in plane strain with one force or traction on one cell");
    const bool outside = load->push == CAROM_SOLID_TRACTION;
    const struct carom_solid_face *face = outside ? &s->face[load->at[0]] : NULL;
    const size_t cell = outside ? face->cell : load->at[0];
    const double whole = load->signal.amplitude * (outside ? face->area : 1.0) / s->depth;
    *x = s->centre[cell][0];
    *problem = (struct carom_lamb){.young = s->material[0].young,
                                   .poisson = s->material[0].poisson,
                                   .density = s->material[0].density,
                                   .source_depth = outside ? 0.0 : surface_of(s) - s->centre[cell][1],
                                   .force = {whole * load->vector[0], -whole * load->vector[1]},
                                   .frequency = load->signal.frequency,
                                   .delay = load->signal.start};
    return CAROM_OK;
}

static void compare(const struct carom_solid *s, const struct carom_solid_sensor *sensor, const double *q, double t,
                    struct record *record)
{
    double u[3], v[3], truth[2];
    carom_solid_sense(s, sensor, q, NULL, u, v);
    carom_lamb_displacement(&record->truth, t, truth);
    u[1] = -u[1];
    for (int k = 0; k < 2; k++) {
        record->off[k] += (u[k] - truth[k]) * (u[k] - truth[k]);
        record->size[k] += truth[k] * truth[k];
    }
}

static enum carom_status run_records(const struct carom_measuring *m, struct carom_track *track, struct record *record,
                                     double *answer, struct carom_error *error)
{
    const struct carom_solid *s = carom_solid_of(track->sim->model, NULL);
    const double until = track->sim->until;
    struct carom_lamb problem;
    double x = 0.0;
    enum carom_status status = read_problem(s, &problem, &x, error);
    for (size_t i = 0; status == CAROM_OK && i < s->nsensors; i++) {
        const double *place = s->sensor[i].place;
        status = carom_lamb_open(&record[i].truth, &problem, place[0] - x, surface_of(s) - place[1], until, error);
    }
    while (status == CAROM_OK && !carom_sim_ended(track->sim)) {
        status = carom_sim_step(track->sim, 1, error);
        const double t = track->sim->state->time < until ? track->sim->state->time : until;
        for (size_t i = 0; status == CAROM_OK && i < s->nsensors; i++)
            compare(s, &s->sensor[i], track->sim->view->q, t, &record[i]);
        if (status == CAROM_OK && !carom_progress_go_on(m->progress, t / until))
            status = carom_error_set(error, CAROM_E_STOPPED, "stopped");
    }
    for (size_t i = 0; status == CAROM_OK && i < s->nsensors; i++)
        for (size_t k = 0; k < 2; k++)
            answer[2 * i + k] = sqrt(record[i].off[k] / record[i].size[k]);
    return status;
}

/* Errors of all records of the scene in this file: answer[2 sensor + axis]. */
static enum carom_status run_scene(const struct carom_measuring *m, const char *file, double *answer,
                                   struct carom_error *error)
{
    char name[512];
    struct carom_track track;
    struct record record[SENSORS];
    memset(record, 0, sizeof record);
    snprintf(name, sizeof name, "%s/%s", m->paper->folder, file);
    struct carom_scene *scene = carom_scene_read(name, NULL, 0, error);
    if (scene == NULL)
        return error->status;
    enum carom_status status = carom_track_open(&track, scene, NULL, error);
    carom_scene_free(scene);
    if (status == CAROM_OK)
        status = run_records(m, &track, record, answer, error);
    carom_track_close(&track);
    for (size_t i = 0; i < SENSORS; i++)
        carom_lamb_close(&record[i].truth);
    return status;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Many rows read numbers off the same two runs: first the scene's, then the coarse one's. */
static enum carom_status run_both(const struct carom_measuring *m, void *with, double *answer,
                                  struct carom_error *error)
{
    const char *fine, *coarse;
    (void)with;
    if (carom_paper_need(m->paper, m->row, "scene", &fine, error) != CAROM_OK ||
        carom_paper_need(m->paper, m->row, "coarse", &coarse, error) != CAROM_OK)
        return error->status;
    for (size_t i = 0; i < (size_t)4 * SENSORS; i++)
        answer[i] = nan(""); /* a sensor that is not there passes nothing */
    const enum carom_status status = run_scene(m, fine, answer, error);
    return status == CAROM_OK ? run_scene(m, coarse, answer + 2 * SENSORS, error) : status;
}

/* of: scene, coarse: the error there; order: log2 of their ratio. `sensor` counts from 0. */
static enum carom_status measure_lamb(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    static const char *const same[] = {"scene", "coarse", NULL};
    const char *axis, *of;
    const double *answer;
    double sensor;
    if (carom_paper_need(m->paper, m->row, "axis", &axis, error) != CAROM_OK ||
        carom_paper_need(m->paper, m->row, "of", &of, error) != CAROM_OK ||
        carom_paper_number(m->paper, m->row, "sensor", &sensor, error) != CAROM_OK)
        return error->status;
    if (!(sensor >= 0.0 && sensor < SENSORS) || (strcmp(axis, "x") != 0 && strcmp(axis, "z") != 0))
        return carom_error_set(error, CAROM_E_INPUT, "sensor must be below %d, axis x or z", SENSORS);
    if (carom_measures_once(m, "lamb", same, run_both, NULL, (size_t)4 * SENSORS, &answer, error) != CAROM_OK)
        return error->status;
    answer += 2 * (size_t)sensor + (axis[0] == 'z');
    if (strcmp(of, "scene") == 0)
        *value = answer[0];
    else if (strcmp(of, "coarse") == 0)
        *value = answer[2 * SENSORS];
    else if (strcmp(of, "order") == 0)
        *value = log2(answer[2 * SENSORS] / answer[0]);
    else
        return carom_error_set(error, CAROM_E_INPUT, "of %s: must be scene, coarse or order", of);
    return CAROM_OK;
}

const struct carom_measure carom_monasse2012_lamb_list[] = {
    {"lamb", lamb_keys, measure_lamb},
    {NULL, NULL, NULL},
};
