/* Shapes of bodies. Beads: places, radii, masses, strings. A machine: its name and parameters, from its table. Cells:
 * centres, corners by form (cells alike share one) and which faces have no neighbour; cells without such a face cannot
 * be seen and are left out. Cells of general shape are page_hulls.c's. Balls that strike them: places and radii. */
#include "study/page/page_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "carom/mechanism.h"
#include "carom/solid.h"
#include "model/solid/solid_balls.h"
#include "study/page/page_bodies.h"
#include "study/page/page_hulls.h"

static enum carom_status no_memory(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
}

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
    enum carom_status status = place && radius ? CAROM_OK : no_memory(error);
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
    carom_memory_free(radius);
    carom_memory_free(place);
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
    const struct carom_machine *machine = NULL;
    for (size_t i = 0; carom_machines_list[i]; i++)
        if (carom_machines_list[i]->mechanism.mass == mechanism->mass)
            machine = carom_machines_list[i];
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

/* --- cells ------------------------------------------------------------------------------------------------------- */

/* A face by the place of its centre, in units of a thousandth of the body's smallest edge. */
struct face {
    int64_t place[3];
    uint32_t cell;
    uint8_t number;
};

static int compare_faces(const void *first, const void *second)
{
    const struct face *a = first, *b = second;
    for (int k = 0; k < 3; k++)
        if (a->place[k] != b->place[k])
            return a->place[k] < b->place[k] ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

static const uint8_t face_corners[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                           {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

/* The cells of a body that are recorded, and what can be seen of them. */
struct body {
    const struct carom_solid *solid;
    size_t n, corners;
    uint8_t *mask; /* n: bit f: face f has no neighbour */
    uint32_t *kept;
    size_t nkept;
    uint32_t *form; /* nkept */
    size_t nforms, form_room;
    double *arm;    /* nforms x corners x 3 */
    double *centre; /* nkept x 3 */
    double edge;    /* the smallest */
};

static size_t cell_of(const struct body *b, size_t i)
{
    return b->solid->record ? b->solid->record[i] : i;
}

/* two faces at one place are the two sides of an interface */
static enum carom_status find_seen(struct body *b, struct carom_error *error)
{
    struct face *face = carom_memory_zeroed(b->n * 6, sizeof *face);
    if (!face)
        return no_memory(error);
    for (size_t i = 0; i < b->n; i++) {
        double corner[8][3];
        carom_solid_corners(b->solid, cell_of(b, i), corner);
        for (uint8_t f = 0; f < 6; f++) {
            struct face *to = &face[6 * i + f];
            *to = (struct face){.cell = (uint32_t)i, .number = f};
            for (int k = 0; k < 3; k++) {
                double sum = 0.0;
                for (int j = 0; j < 4; j++)
                    sum += corner[face_corners[f][j]][k];
                to->place[k] = llround(0.25 * sum / (1e-3 * b->edge));
            }
        }
    }
    qsort(face, b->n * 6, sizeof *face, compare_faces);
    for (size_t i = 0; i < b->n * 6; i++) {
        const bool left = i > 0 && memcmp(face[i].place, face[i - 1].place, sizeof face->place) == 0;
        const bool right = i + 1 < b->n * 6 && memcmp(face[i].place, face[i + 1].place, sizeof face->place) == 0;
        if ((!left && !right) || b->solid->breaks) /* pieces show what was inside */
            b->mask[face[i].cell] |= (uint8_t)(1U << face[i].number);
    }
    carom_memory_free(face);
    return CAROM_OK;
}

/* The number of the form with these corners; SIZE_MAX: out of memory. The last forms are the likeliest. */
static size_t find_form(struct body *b, const double *arm)
{
    const size_t width = 3 * b->corners;
    for (size_t i = b->nforms; i > 0 && b->nforms - i < 512; i--) {
        double apart = 0.0;
        for (size_t k = 0; k < width; k++)
            apart = fmax(apart, fabs(arm[k] - b->arm[(i - 1) * width + k]));
        if (apart <= 1e-6 * b->edge)
            return i - 1;
    }
    if (b->nforms == b->form_room) {
        const size_t room = 2 * b->form_room + 16;
        double *grown = b->arm ? carom_memory_grow(b->arm, b->form_room * width, room * width, sizeof *grown)
                               : carom_memory_zeroed(room * width, sizeof *grown);
        if (!grown)
            return SIZE_MAX;
        b->arm = grown;
        b->form_room = room;
    }
    memcpy(b->arm + b->nforms * width, arm, width * sizeof *arm);
    return b->nforms++;
}

static enum carom_status describe_seen(struct body *b, struct carom_error *error)
{
    for (size_t i = 0; i < b->n; i++) {
        if (b->mask[i] == 0)
            continue;
        const size_t cell = cell_of(b, i), at = b->nkept;
        double corner[8][3], arm[24];
        carom_solid_corners(b->solid, cell, corner);
        for (size_t j = 0; j < b->corners; j++)
            for (size_t k = 0; k < 3; k++)
                arm[3 * j + k] = corner[j][k] - b->solid->centre[cell][k];
        const size_t form = find_form(b, arm);
        if (form == SIZE_MAX)
            return no_memory(error);
        b->form[at] = (uint32_t)form;
        b->kept[at] = (uint32_t)i;
        b->mask[at] = b->mask[i]; /* at <= i */
        memcpy(b->centre + 3 * at, b->solid->centre[cell], 3 * sizeof *b->centre);
        b->nkept++;
    }
    return CAROM_OK;
}

static double smallest_edge(const struct carom_solid *solid)
{
    double edge = HUGE_VAL;
    for (size_t i = 0; i < solid->nsorts; i++)
        for (int k = 0; k < solid->dimension; k++)
            edge = fmin(edge, solid->sorts[i].edge[k]);
    return edge > 0.0 && edge < HUGE_VAL ? edge : 1.0;
}

static enum carom_status write_body(struct carom_page_out *out, const struct body *b, struct carom_error *error)
{
    struct carom_page_json *json = &out->json;
    carom_page_json_text(json, "kind", "cells");
    carom_page_json_count(json, "n", b->n);
    carom_page_json_count(json, "of", b->solid->n);
    carom_page_json_count(json, "seen", b->nkept);
    carom_page_json_count(json, "dimension", (uint64_t)b->solid->dimension);
    carom_page_json_count(json, "corners", b->corners);
    carom_page_json_open(json, "sensors", '[');
    for (size_t i = 0; i < b->solid->nsensors; i++)
        carom_page_json_text(json, NULL, b->solid->sensor[i].name);
    carom_page_json_close(json, ']');
    enum carom_status status = carom_page_blob_write(out, "kept", CAROM_PAGE_BLOB_U32, b->kept, b->nkept, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "centre", CAROM_PAGE_BLOB_F32, b->centre, 3 * b->nkept, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "form", CAROM_PAGE_BLOB_U32, b->form, b->nkept, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "arm", CAROM_PAGE_BLOB_F32, b->arm, 3 * b->corners * b->nforms, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "mask", CAROM_PAGE_BLOB_U8, b->mask, b->nkept, error);
    return status;
}

static enum carom_status write_cells(struct carom_page_out *out, const struct carom_solid *solid, uint32_t **kept,
                                     size_t *nkept, struct carom_error *error)
{
    struct body b = {.solid = solid, .n = solid->record ? solid->nrecord : solid->n, .edge = smallest_edge(solid)};
    b.corners = solid->dimension == 3 ? 8 : 4;
    b.mask = carom_memory_zeroed(b.n, sizeof *b.mask);
    b.kept = carom_memory_zeroed(b.n, sizeof *b.kept);
    b.form = carom_memory_zeroed(b.n, sizeof *b.form);
    b.centre = carom_memory_zeroed(b.n, 3 * sizeof *b.centre);
    enum carom_status status = b.mask && b.kept && b.form && b.centre ? CAROM_OK : no_memory(error);
    if (status == CAROM_OK && b.corners == 8)
        status = find_seen(&b, error);
    else if (status == CAROM_OK)
        memset(b.mask, 1, b.n);
    if (status == CAROM_OK)
        status = describe_seen(&b, error);
    if (status == CAROM_OK)
        status = write_body(out, &b, error);
    carom_memory_free(b.arm);
    carom_memory_free(b.centre);
    carom_memory_free(b.form);
    carom_memory_free(b.mask);
    if (status == CAROM_OK) {
        *kept = b.kept;
        *nkept = b.nkept;
    } else
        carom_memory_free(b.kept);
    return status;
}

/* --- balls that strike them -------------------------------------------------------------------------------------- */

static enum carom_status write_balls(struct carom_page_out *out, const struct carom_solid_balls *balls,
                                     struct carom_error *error)
{
    carom_page_json_open(&out->json, "balls", '{');
    carom_page_json_count(&out->json, "n", balls->n);
    enum carom_status status = carom_page_blob_write(out, "at", CAROM_PAGE_BLOB_F64, *balls->at, 3 * balls->n, error);
    if (status == CAROM_OK)
        status = carom_page_blob_write(out, "radius", CAROM_PAGE_BLOB_F64, balls->radius, balls->n, error);
    carom_page_json_close(&out->json, '}');
    return status;
}

enum carom_status carom_page_shape_write(struct carom_page_out *out, const struct carom_scene *scene, uint32_t **kept,
                                         size_t *nkept, struct carom_error *error)
{
    const struct carom_model *model = scene->model;
    const struct carom_beads *beads = carom_model_chain(model);
    const struct carom_solid *solid = carom_solid_of(model, NULL);
    const struct carom_solid_balls *balls = carom_solid_balls_of(model, NULL);
    enum carom_status status = CAROM_OK;
    carom_page_json_open(&out->json, "shape", '{');
    if (beads)
        status = write_beads(out, model, beads, error) == CAROM_OK ? write_materials(out, scene, beads->n, error)
                                                                   : error->status;
    else if (solid && solid->cells)
        status = carom_page_hulls_write(out, solid, kept, nkept, error);
    else if (solid)
        status = write_cells(out, solid, kept, nkept, error);
    else if (carom_model_bodies(model))
        status = carom_page_bodies_shape(out, carom_model_bodies(model), error);
    else if (carom_mechanism_of(model))
        write_machine(&out->json, carom_mechanism_of(model));
    if (status == CAROM_OK && balls)
        status = write_balls(out, balls, error);
    carom_page_json_close(&out->json, '}');
    return status;
}
