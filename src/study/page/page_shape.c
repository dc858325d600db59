/* Shapes of bodies. Beads: places, radii, masses, strings. A machine: its name and parameters, from its table. Solids
 * are page_solids.c's, and balls that strike them are places and radii. */
#include "study/page/page_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/mechanism.h"
#include "carom/solid.h"
#include "model/bodies/linkage.h"
#include "model/mechanism/machine.h"
#include "model/solid/strike/solid_balls.h"

/* --- beads ------------------------------------------------------------------------------------------------------- */

enum { MOST_BEADS = 200000 };

/* Where walls stand, and which way weights pull. */
static void write_surroundings(struct carom_page_json *json, const struct carom_model *model,
                               const struct carom_beads *beads, const double *place, const double *radius)
{
    for (size_t j = 0; j < model->nc; j++) {
        const int32_t a = model->pair[j][0], b = model->pair[j][1];
        if (a == CAROM_WALL_LEFT && b >= 0)
            carom_page_json_number(json, "wall_left", place[b] - radius[b] - model->gap[j]);
        else if (b == CAROM_WALL_RIGHT && a >= 0)
            carom_page_json_number(json, "wall_right", place[a] + radius[a] + model->gap[j]);
    }
    double pull = 0.0;
    for (size_t i = 0; beads->weight && i < beads->n; i++)
        pull += beads->weight[i];
    if (pull != 0.0)
        carom_page_json_number(json, "down", pull > 0.0 ? 1.0 : -1.0);
}

static enum carom_status write_beads(struct carom_page_out *out, const struct carom_model *model,
                                     const struct carom_beads *beads, struct carom_error *error)
{
    carom_page_json_text(&out->json, "kind", "beads");
    carom_page_json_count(&out->json, "n", beads->n);
    carom_page_json_flag(&out->json, "radii", beads->radius != NULL);
    if (beads->n > MOST_BEADS)
        return CAROM_OK;
    double *place = carom_memory_zeroed(beads->n, sizeof *place),
           *radius = carom_memory_zeroed(beads->n, sizeof *radius);
    enum carom_status status = place && radius ? CAROM_OK : carom_memory_error(error);
    if (status == CAROM_OK) {
        carom_model_positions(model, place);
        for (size_t i = 0; i < beads->n; i++)
            radius[i] = beads->radius ? beads->radius[i] : 0.5;
        write_surroundings(&out->json, model, beads, place, radius);
        const enum carom_page_blob_type type = beads->n > 5000 ? CAROM_PAGE_BLOB_F32 : CAROM_PAGE_BLOB_F64;
        status = carom_page_blob_write(out, "place", type, place, beads->n, error);
        if (status == CAROM_OK)
            status = carom_page_blob_write(out, "radius", type, radius, beads->n, error);
        if (status == CAROM_OK)
            status = carom_page_blob_write(out, "mass", type, beads->mass, beads->n, error);
        if (status == CAROM_OK && beads->string)
            status = carom_page_blob_write(out, "string", type, beads->string, beads->n, error);
        if (status == CAROM_OK && beads->spring)
            status = carom_page_blob_write(out, "spring", type, beads->spring, beads->n, error);
    }
    carom_memory_free_all(radius, place);
    return status;
}

/* names of what beads are made of, and which of them is of which */
static enum carom_status write_materials(struct carom_page_out *out, const struct carom_scene *scene, size_t n,
                                         struct carom_error *error)
{
    if (!scene->made_of || !scene->materials || n > MOST_BEADS)
        return CAROM_OK;
    carom_page_json_open(&out->json, "materials", '[');
    for (const char *name = scene->materials; *name;) {
        const size_t length = strcspn(name, "\n");
        char text[128];
        snprintf(text, sizeof text, "%.*s", (int)length, name);
        carom_page_json_text(&out->json, NULL, text);
        name += length + (name[length] == '\n');
    }
    carom_page_json_close(&out->json, ']');
    return carom_page_blob_write(out, "made_of", CAROM_PAGE_BLOB_U32, scene->made_of, n, error);
}

/* --- machines ---------------------------------------------------------------------------------------------------- */

static void write_names(struct carom_page_json *json, const char *key, const char *const *names)
{
    carom_page_json_open(json, key, '[');
    for (; *names; names++)
        carom_page_json_text(json, NULL, *names);
    carom_page_json_close(json, ']');
}

static void write_machine(struct carom_page_json *json, const struct carom_mechanism *mechanism)
{
    const struct carom_machine *machine = carom_machines_of(mechanism);
    carom_page_json_text(json, "kind", "mechanism");
    carom_page_json_text(json, "name", mechanism->name);
    carom_page_json_count(json, "n", mechanism->n);
    if (!machine)
        return;
    write_names(json, "coordinates", machine->coordinates);
    write_names(json, "contacts", machine->distances);
    carom_page_json_open(json, "parameters", '{');
    for (const struct carom_param *p = machine->kind.params; p->name; p++)
        carom_page_json_number(json, p->name, carom_param_value(p, mechanism->own));
    carom_page_json_close(json, '}');
}

/* whose x, y and angle, or x, y, z and turn, the coordinates of a mechanism of bodies are, one after the other */
static void write_moving(struct carom_page_json *json, const struct carom_bodies *bodies)
{
    carom_page_json_open(json, "moving", '[');
    for (size_t i = 0; i < bodies->n; i++)
        if (!bodies->body[i].fixed)
            carom_page_json_count(json, NULL, i);
    carom_page_json_close(json, ']');
}

static void write_named(struct carom_page_json *json, const struct carom_scene *scene)
{
    carom_page_json_open(json, "named", '[');
    for (size_t i = 0; i < scene->nnamed; i++) {
        const struct carom_scene_named *named = &scene->named[i];
        carom_page_json_open(json, NULL, '{');
        carom_page_json_text(json, "name", named->name);
        carom_page_json_count(json, "first", named->first);
        carom_page_json_count(json, "count", named->count);
        carom_page_json_close(json, '}');
    }
    carom_page_json_close(json, ']');
}

/* places in which bodies that are one mechanism may touch */
static void write_places(struct carom_page_json *json, const struct carom_model *model)
{
    char text[100];
    carom_page_json_open(json, "contacts", '[');
    for (size_t j = 0; j < model->nc; j++) {
        carom_linkage_name(model, j, text, sizeof text);
        carom_page_json_text(json, NULL, text);
    }
    carom_page_json_close(json, ']');
}

/* --- balls that strike them -------------------------------------------------------------------------------------- */

/* those at cells of solids are drawn where these stand at the start */
static void write_ball_joints(struct carom_page_json *json, const struct carom_solid_balls *balls)
{
    struct carom_joint joint[CAROM_STRIKE_JOINTS];
    for (size_t j = 0; j < balls->njoints; j++) {
        const size_t first = balls->joint[j].body[0];
        joint[j] = balls->joint[j];
        if (first == CAROM_WORLD || first < balls->n)
            continue;
        joint[j].body[0] = CAROM_WORLD;
        memcpy(joint[j].at[0], balls->anchor[first - balls->n].at, sizeof joint[j].at[0]);
    }
    carom_page_bodies_joints(json, balls->njoints, joint);
}

static enum carom_status write_balls(struct carom_page_out *out, const struct carom_solid_balls *balls,
                                     struct carom_error *error)
{
    carom_page_json_open(&out->json, "balls", '{');
    carom_page_json_count(&out->json, "n", balls->n);
    write_ball_joints(&out->json, balls);
    enum carom_status status = carom_page_blob_write(out, "at", CAROM_PAGE_BLOB_F64, *balls->at, 3 * balls->n, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "radius", CAROM_PAGE_BLOB_F64, balls->radius, balls->n, error);
    carom_page_json_close(&out->json, '}');
    return status;
}

enum carom_status carom_page_shape_write(struct carom_page_out *out, const struct carom_scene *scene,
                                         const struct carom_run_file *run, bool whole, struct carom_page_solids *solids,
                                         struct carom_error *error)
{
    const struct carom_model *model = scene->model;
    const struct carom_beads *beads = carom_model_chain(model);
    const struct carom_solid_balls *balls = carom_solid_balls_of(model, NULL);
    enum carom_status status = CAROM_OK;
    carom_page_json_open(&out->json, "shape", '{');
    if (beads)
        status = write_beads(out, model, beads, error) == CAROM_OK ? write_materials(out, scene, beads->n, error)
                                                                   : error->status;
    else if (carom_solid_count(model) > 0)
        status = carom_page_solids_write(out, model, run, whole, solids, error);
    else if (carom_model_bodies(model))
        status = carom_page_bodies_shape(out, carom_model_bodies(model), error);
    else if (carom_linkage_of(model)) { /* drawn as the bodies they are */
        status = carom_page_bodies_shape(out, carom_linkage_of(model), error);
        write_moving(&out->json, carom_linkage_of(model));
        write_places(&out->json, model);
    } else if (carom_mechanism_of(model))
        write_machine(&out->json, carom_mechanism_of(model));
    write_named(&out->json, scene);
    if (status == CAROM_OK && balls)
        status = write_balls(out, balls, error);
    carom_page_json_close(&out->json, '}');
    return status;
}
