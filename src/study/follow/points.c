/* Points of solids with balls beside them, or discs and spheres, by name, and their motion. What a sensor shows is the
 * solid's business. Machines have no points, but coordinates with names. */
#include "study/follow/points.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/bodies.h"
#include "model/bodies/linkage.h"
#include "model/mechanism/machine.h"
#include "model/solid/strike/solid_balls.h"
#include "study/follow/turns.h"

void carom_points_free(struct carom_points *points)
{
    carom_memory_free_all(points->name, points->place, points->corner);
    *points = (struct carom_points){0};
}

static size_t cell_of(const struct carom_solid *solid, size_t i)
{
    return solid->record != NULL ? solid->record[i] : i;
}

/* how many a solid has */
static size_t held(const struct carom_solid *solid, bool sensors)
{
    return sensors ? solid->nsensors : solid->record != NULL ? solid->nrecord : solid->n;
}

/* the solid that point i belongs to; i then counts its own */
static size_t member_of(const struct carom_model *model, bool sensors, size_t *i)
{
    size_t member = 0;
    while (*i >= held(carom_solid_at(model, member), sensors))
        *i -= held(carom_solid_at(model, member++), sensors);
    return member;
}

static enum carom_status count(struct carom_points *points, const struct carom_model *model, bool sensors,
                               struct carom_error *error)
{
    const struct carom_solid *solid = carom_solid_of(model, NULL);
    const struct carom_bodies *bodies = carom_linkage_bodies(model);
    if (bodies != NULL) {
        *points = (struct carom_points){.count = bodies->n, .axes = bodies->dimension, .what = "body"};
        return CAROM_OK;
    }
    points->machine = carom_machines_of(carom_mechanism_of(model));
    if (solid == NULL)
        return CAROM_OK;
    const struct carom_solid_balls *balls = sensors ? NULL : carom_solid_balls_of(model, NULL);
    *points = (struct carom_points){.axes = (size_t)solid->dimension,
                                    .balls = balls != NULL ? balls->n : 0,
                                    .what = sensors         ? "sensor"
                                            : balls != NULL ? "point"
                                                            : "cell"};
    points->count = points->balls;
    for (size_t i = 0; i < carom_solid_count(model); i++)
        points->count += held(carom_solid_at(model, i), sensors);
    if (points->count > 0)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_REFUSED,
                           "the solid has no sensors and records no cells, so there is nothing to compare: give it "
                           "sensors, or choose cells by record: {cells: ...}");
}

/* what point i of solids is called: `what` says the kind, unless there are balls and cells */
static void name_one(const struct carom_points *points, const struct carom_model *model, size_t i, char name[32])
{
    const bool sensors = strcmp(points->what, "sensor") == 0;
    if (i < points->balls) {
        snprintf(name, sizeof *points->name, "ball %zu", i + 1);
        return;
    }
    i -= points->balls;
    const struct carom_solid *solid = carom_solid_at(model, member_of(model, sensors, &i));
    if (sensors)
        snprintf(name, sizeof *points->name, "%s", solid->sensor[i].name);
    else if (*solid->name != '\0')
        snprintf(name, sizeof *points->name, "%.10s %zu", solid->name, cell_of(solid, i) + 1);
    else
        snprintf(name, sizeof *points->name, "%s%zu", points->balls > 0 ? "cell " : "", cell_of(solid, i) + 1);
}

enum carom_status carom_points_open(struct carom_points *points, const struct carom_model *model, bool sensors,
                                    struct carom_error *error)
{
    const bool solids = carom_solid_of(model, NULL) != NULL;
    *points = (struct carom_points){0};
    if (count(points, model, sensors, error) != CAROM_OK)
        return error->status;
    points->name = carom_memory_zeroed(points->count, sizeof *points->name);
    if (points->name == NULL)
        return carom_memory_error(error);
    for (size_t i = 0; i < points->count; i++)
        if (solids)
            name_one(points, model, i, points->name[i]);
        else
            snprintf(points->name[i], sizeof points->name[i], "%zu", i + 1);
    return CAROM_OK;
}

enum carom_status carom_points_place(struct carom_points *points, const struct carom_model *model, const double *q,
                                     const double *v, struct carom_error *error)
{
    const struct carom_bodies *bodies = carom_linkage_bodies(model);
    double all_q[CAROM_LINKAGE_Q], all_v[CAROM_LINKAGE_V];
    if (bodies == NULL)
        return CAROM_OK;
    if (carom_model_bodies(model) == NULL) {
        carom_linkage_stand(model, q, v, all_q, all_v);
        q = all_q;
    }
    points->place = carom_memory_zeroed(points->count, sizeof *points->place);
    if (points->place == NULL)
        return carom_memory_error(error);
    for (size_t i = 0; i < points->count; i++) {
        const struct carom_body *body = &bodies->body[i];
        carom_bodies_centre(bodies, i, q, points->place[i]);
        points->place[i][3] = body->surface == CAROM_BALL && !body->inside ? body->radius : 0.0;
        points->place[i][4] = body->inside || body->surface == CAROM_BALL ? 0.0
                              : carom_bodies_tumbles(body)                ? carom_bodies_reach(body)
                                                                          : -carom_bodies_reach(body);
        if (body->surface == CAROM_PLANE)
            memcpy(points->place[i] + 5, body->normal, sizeof body->normal);
    }
    return carom_turns_corners(points, bodies) ? CAROM_OK : carom_memory_error(error);
}

/* one of them: how far it has moved, and how fast it moves */
static void see_one(const struct carom_points *points, const struct carom_model *model, size_t i, const double *q,
                    const double *v, double u[3], double rate[3])
{
    const struct carom_bodies *bodies = carom_linkage_bodies(model);
    if (bodies != NULL) {
        carom_bodies_moved(bodies, i, q, u);
        memcpy(rate, v + carom_bodies_nv(bodies) * i, points->axes * sizeof *rate);
        return;
    }
    size_t member;
    if (i < points->balls) {
        carom_solid_balls_of(model, &member);
        memcpy(u, q + model->member[member].q0 + points->axes * i, points->axes * sizeof *u);
        memcpy(rate, v + model->member[member].v0 + points->axes * i, points->axes * sizeof *rate);
        return;
    }
    const bool sensors = strcmp(points->what, "sensor") == 0;
    i -= points->balls;
    member = member_of(model, sensors, &i);
    const struct carom_solid *solid = carom_solid_at(model, member);
    q += model->member[member].q0;
    v += model->member[member].v0;
    if (sensors) {
        carom_solid_sense(solid, &solid->sensor[i], q, v, u, rate);
    } else {
        memcpy(u, q + solid->wide * cell_of(solid, i), points->axes * sizeof *u);
        memcpy(rate, v + solid->fast * cell_of(solid, i), points->axes * sizeof *rate);
    }
}

void carom_points_see(const struct carom_points *points, const struct carom_model *model, const double *q,
                      const double *v, double *displacement, double *velocity)
{
    const size_t axes = points->axes;
    double all_q[CAROM_LINKAGE_Q], all_v[CAROM_LINKAGE_V];
    if (carom_linkage_of(model) != NULL) {
        carom_linkage_stand(model, q, v, all_q, all_v);
        q = all_q;
        v = all_v;
    }
    for (size_t i = 0; i < points->count; i++) {
        double u[3], rate[3];
        see_one(points, model, i, q, v, u, rate);
        memcpy(displacement + axes * i, u, axes * sizeof *u);
        memcpy(velocity + axes * i, rate, axes * sizeof *rate);
    }
}

bool carom_points_turns(const struct carom_points *points, size_t i)
{
    static const char *const words[] = {"angle", "turn", "tilt"};
    bool turns = false;
    for (size_t k = 0; points->machine != NULL && k < sizeof words / sizeof *words; k++)
        turns = turns || strncmp(points->machine->coordinates[i], words[k], strlen(words[k])) == 0;
    return turns;
}

/* Coordinates of machines are those of one machine, or lengths, as those of bodies are. */
static bool machines_agree(const struct carom_points *a, const struct carom_points *b)
{
    const struct carom_points *const side[] = {a, b};
    bool turns = false;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; side[k]->machine != NULL && side[k]->machine->coordinates[i] != NULL; i++)
            turns = turns || carom_points_turns(side[k], i);
    return a->machine == b->machine || ((a->machine == NULL || b->machine == NULL) && !turns);
}

bool carom_points_agree(const struct carom_points *a, const struct carom_points *b)
{
    if (!machines_agree(a, b) || a->count != b->count || a->axes != b->axes || a->what != b->what)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->name[i], b->name[i]) != 0)
            return false;
    return true;
}

const char *carom_points_axis(const struct carom_points *points, size_t i)
{
    static const char *const axes[] = {"x", "y", "z"};
    return points->axes > 0 ? axes[i % points->axes] : "";
}
