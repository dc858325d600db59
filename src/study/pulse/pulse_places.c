/* Where pulses are measured: lists of contacts, beads and sensors are looked up in a run file. Distances are those of
 * equation (41) of Nguyen and Brogliato 2011: sums of diameters; gaps do not count. */
#include "study/pulse/pulse_places.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "model/contact_number.h"
#include "record/hdf5/hdf5_set.h"

#define ITEM 40    /* longest entry of a list */
#define ALIKE 1e-9 /* masses nearer than this share are the same */

/* What is being made, and what is known of the run. */
struct survey {
    const struct carom_run_file *run;
    struct carom_pulse_places *to;
    size_t room;
    size_t nbodies;
    bool row;     /* bodies stand in a row, each contact joins neighbours */
    double *edge; /* nbodies: where each ends on its right; NULL: unknown */
    double *mass; /* nbodies, in the same block */
    struct carom_error *error;
};

/* --- the row --------------------------------------------------------------------------------------------------- */

static bool neighbours(const int32_t pair[2], size_t nbodies)
{
    const int64_t last = (int64_t)nbodies - 1;
    return (pair[0] == CAROM_WALL_LEFT && pair[1] == 0) || (pair[1] == CAROM_WALL_RIGHT && pair[0] == last) ||
           (pair[0] >= 0 && pair[0] < last && pair[1] == pair[0] + 1);
}

/* Radii stand in the file; beads without a size count 1 each. */
static enum carom_status measure_row(struct survey *survey)
{
    const struct carom_run_file *run = survey->run;
    struct carom_hdf5_spec mass = {.path = "particles/beads/mass", .type = CAROM_HDF5_REAL, .rank = 1};
    struct carom_hdf5_spec radius = {.path = "particles/beads/radius", .type = CAROM_HDF5_REAL, .rank = 1};
    const int masses = carom_hdf5_set_find(run->file, &mass, NULL);
    if (masses < 0)
        return CAROM_OK;
    survey->nbodies = (size_t)mass.rows;
    survey->row = survey->nbodies > 0;
    for (size_t j = 0; j < run->nc; j++)
        survey->row = survey->row && neighbours(run->pair[j], survey->nbodies);
    if (!survey->row)
        return CAROM_OK;
    const int set = carom_hdf5_set_find(run->file, &radius, NULL);
    double *r = carom_memory_zeroed(2 * survey->nbodies, sizeof *r);
    if (r == NULL)
        return carom_error_set(survey->error, CAROM_E_MEMORY, "out of memory for %zu radii", survey->nbodies);
    const bool known = set >= 0 && radius.rows == mass.rows;
    survey->mass = r + survey->nbodies;
    enum carom_status status = carom_hdf5_set_read(run->file, masses, 0, mass.rows, survey->mass, survey->error);
    if (status == CAROM_OK && known)
        status = carom_hdf5_set_read(run->file, set, 0, radius.rows, r, survey->error);
    double at = 0.0;
    for (size_t i = 0; i < survey->nbodies; i++) {
        at += known ? 2.0 * r[i] : 1.0;
        r[i] = at;
    }
    survey->edge = r;
    return status;
}

static double diameter(const struct survey *survey, size_t body)
{
    return survey->edge[body] - (body > 0 ? survey->edge[body - 1] : 0.0);
}

/* --- beads that alternate -------------------------------------------------------------------------------------- */

bool carom_pulse_places_alike(const struct carom_pulse_place *a, const struct carom_pulse_place *b)
{
    bool same = a->kind == b->kind;
    for (size_t i = 0; i < 2; i++)
        same = same && fabs(a->mass[i] - b->mass[i]) <= ALIKE * a->mass[i];
    return same;
}

/* masses at a place of the row: contact or bead `at`; those of walls, and beyond the ends, are not known */
static void find_masses(const struct survey *survey, enum carom_pulse_kind kind, int64_t at, double mass[2])
{
    const int64_t count = (int64_t)(kind == CAROM_PULSE_BEAD ? survey->nbodies : survey->run->nc);
    for (size_t i = 0; i < 2; i++) {
        const int64_t body = at < 0 || at >= count ? -1 : kind == CAROM_PULSE_BEAD ? at : survey->run->pair[at][i];
        mass[i] = body < 0 ? nan("") : survey->mass[body];
    }
}

/* how many places on (step 1) or back (-1) the next one between the same beads stands; 0: none is near */
static int64_t find_period(const struct survey *survey, const struct carom_pulse_place *place, int64_t at, int64_t step)
{
    struct carom_pulse_place other = *place;
    for (int64_t k = 1; k <= CAROM_PULSE_PERIOD; k++) {
        find_masses(survey, place->kind, at + k * step, other.mass);
        if (carom_pulse_places_alike(&other, place))
            return k;
    }
    return 0;
}

/* whether or not the others are asked for; the first of their kind look ahead */
static bool alternates(const struct survey *survey, const struct carom_pulse_place *place, size_t at)
{
    const int64_t back = find_period(survey, place, (int64_t)at, -1);
    return (back > 0 ? back : find_period(survey, place, (int64_t)at, 1)) > 1;
}

/* --- adding ---------------------------------------------------------------------------------------------------- */

static enum carom_status add(struct survey *survey, const struct carom_pulse_place *place)
{
    struct carom_pulse_places *to = survey->to;
    if (!carom_memory_room(&to->place, to->count, &survey->room, 64, sizeof *to->place))
        return carom_error_set(survey->error, CAROM_E_MEMORY, "out of memory for %zu places", to->count + 1);
    to->place[to->count++] = *place;
    return CAROM_OK;
}

/* Contact numbers as scenes and tables count; where bodies do not stand in a row, from 1. */
static int32_t scene_number(const struct survey *survey, size_t contact)
{
    return (int32_t)carom_contact_number((const int32_t(*)[2])survey->run->pair, survey->row, contact);
}

/* The contact of that scene number; nc if there is none. Numbers rise in a row of bodies. */
static size_t find_contact(const struct survey *survey, long number)
{
    size_t low = 0;
    CAROM_SORTED_FIRST(low, survey->run->nc, scene_number(survey, middle) < number);
    return low < survey->run->nc && scene_number(survey, low) == number ? low : survey->run->nc;
}

/* what a machine strikes is none */
static bool is_wall(const struct survey *survey, size_t contact)
{
    const struct carom_run_file *run = survey->run;
    return survey->nbodies > 0 && (run->pair[contact][0] < 0 || run->pair[contact][1] < 0);
}

static enum carom_status add_contact(struct survey *survey, size_t contact)
{
    const struct carom_run_file *run = survey->run;
    struct carom_pulse_place place = {.kind = is_wall(survey, contact) ? CAROM_PULSE_WALL : CAROM_PULSE_CONTACT,
                                      .number = scene_number(survey, contact),
                                      .contact = {contact, contact},
                                      .weight = {1.0, 0.0},
                                      .x = nan(""),
                                      .diameter = nan(""),
                                      .mass = {nan(""), nan("")}};
    snprintf(place.name, sizeof place.name, "%d", place.number);
    if (survey->edge != NULL) {
        const int32_t left = run->pair[contact][0];
        find_masses(survey, place.kind, (int64_t)contact, place.mass);
        place.alternates = alternates(survey, &place, contact);
        place.x = left < 0 ? 0.0 : survey->edge[left];
        place.diameter = diameter(survey, left < 0 ? 0 : (size_t)left);
    }
    return add(survey, &place);
}

static void take_side(struct carom_pulse_place *place, size_t *found, size_t contact)
{
    place->contact[*found] = contact;
    place->weight[(*found)++] = 0.5;
}

/* The contacts at a body's sides, at most two of them. */
static size_t find_sides(const struct survey *survey, size_t body, struct carom_pulse_place *place)
{
    const struct carom_run_file *run = survey->run;
    size_t found = 0;
    for (long number = (long)body; survey->row && number <= (long)body + 1; number++) {
        const size_t contact = find_contact(survey, number);
        if (contact < run->nc)
            take_side(place, &found, contact);
    }
    for (size_t j = 0; !survey->row && j < run->nc && found < 2; j++)
        if (run->pair[j][0] == (int32_t)body || run->pair[j][1] == (int32_t)body)
            take_side(place, &found, j);
    return found;
}

static enum carom_status add_bead(struct survey *survey, size_t body)
{
    struct carom_pulse_place place = {.kind = CAROM_PULSE_BEAD,
                                      .number = (int32_t)body + 1,
                                      .x = nan(""),
                                      .diameter = nan(""),
                                      .mass = {nan(""), nan("")}};
    const size_t found = find_sides(survey, body, &place);
    if (found == 0)
        return carom_error_set(survey->error, CAROM_E_USAGE, "--bead %zu: it has no contact", body + 1);
    if (found == 1)
        place.contact[1] = place.contact[0];
    snprintf(place.name, sizeof place.name, "bead %d", place.number);
    if (survey->edge != NULL) {
        place.diameter = diameter(survey, body);
        place.x = survey->edge[body] - 0.5 * place.diameter;
        find_masses(survey, place.kind, (int64_t)body, place.mass);
        place.alternates = alternates(survey, &place, body);
    }
    return add(survey, &place);
}

static enum carom_status add_sensor(struct survey *survey, const char *name)
{
    const struct carom_run_file *run = survey->run;
    char full[sizeof run->item->name];
    snprintf(full, sizeof full, "sensor_%.24s", name);
    for (size_t i = 0; i < run->nitems; i++)
        if (run->item[i].extent == CAROM_PER_SENSOR &&
            (strcmp(run->item[i].name, full) == 0 || strcmp(run->item[i].name, name) == 0)) {
            struct carom_pulse_place place = {.kind = CAROM_PULSE_SENSOR,
                                              .number = -1,
                                              .item = i,
                                              .x = nan(""),
                                              .diameter = nan(""),
                                              .mass = {nan(""), nan("")}};
            snprintf(place.name, sizeof place.name, "%.31s", name);
            return add(survey, &place);
        }
    return carom_error_set(survey->error, CAROM_E_USAGE,
                           "--sensor %s: the run has no such sensor; 'carom show' lists what was recorded", name);
}

/* --- lists ----------------------------------------------------------------------------------------------------- */

/* "7" or "3-9"; false: neither */
static bool read_range(const char *text, long *first, long *last)
{
    char *end;
    errno = 0;
    *first = strtol(text, &end, 10);
    if (end == text || *first < 0)
        return false;
    *last = *first;
    if (*end == '-') {
        const char *next = end + 1;
        *last = strtol(next, &end, 10);
        if (end == next)
            return false;
    }
    return *end == '\0' && errno == 0 && *first <= *last;
}

static enum carom_status add_walls(struct survey *survey, const char *which)
{
    const struct carom_run_file *run = survey->run;
    const size_t before = survey->to->count;
    enum carom_status status = CAROM_OK;
    for (size_t j = 0; j < run->nc && status == CAROM_OK; j++) {
        const bool left = run->pair[j][0] == CAROM_WALL_LEFT, right = run->pair[j][1] == CAROM_WALL_RIGHT;
        if (is_wall(survey, j) && ((left && strcmp(which, "right") != 0) || (right && strcmp(which, "left") != 0)))
            status = add_contact(survey, j);
    }
    if (status == CAROM_OK && survey->to->count == before)
        status = carom_error_set(survey->error, CAROM_E_USAGE, "--contact %s: the run has no such wall", which);
    return status;
}

static enum carom_status add_contacts(struct survey *survey, const char *item)
{
    long first, last;
    enum carom_status status = CAROM_OK;
    if (strcmp(item, "wall") == 0 || strcmp(item, "left") == 0 || strcmp(item, "right") == 0)
        return add_walls(survey, item);
    if (!read_range(item, &first, &last))
        return carom_error_set(survey->error, CAROM_E_USAGE,
                               "--contact %s: must be a number, a range like 3-9, wall, left or right", item);
    for (long number = first; number <= last && status == CAROM_OK; number++) {
        const size_t contact = find_contact(survey, number);
        if (contact == survey->run->nc)
            return carom_error_set(survey->error, CAROM_E_USAGE, "--contact %s: the run has no contact %ld", item,
                                   number);
        status = add_contact(survey, contact);
    }
    return status;
}

static enum carom_status add_beads(struct survey *survey, const char *item)
{
    long first, last;
    enum carom_status status = CAROM_OK;
    if (!read_range(item, &first, &last) || first < 1)
        return carom_error_set(survey->error, CAROM_E_USAGE, "--bead %s: must be a number from 1 or a range like 3-9",
                               item);
    if ((unsigned long)last > survey->nbodies)
        return carom_error_set(survey->error, CAROM_E_USAGE, "--bead %s: the run has %zu beads", item, survey->nbodies);
    for (long number = first; number <= last && status == CAROM_OK; number++)
        status = add_bead(survey, (size_t)number - 1);
    return status;
}

static enum carom_status read_list(struct survey *survey, const char *option, const char *list,
                                   enum carom_status (*take)(struct survey *survey, const char *item))
{
    enum carom_status status = CAROM_OK;
    for (const char *at = list; at != NULL && status == CAROM_OK;) {
        char item[ITEM];
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof item)
            return carom_error_set(survey->error, CAROM_E_USAGE, "%s %s: an entry between commas is %s", option, list,
                                   length == 0 ? "empty" : "too long");
        memcpy(item, at, length);
        item[length] = '\0';
        status = take(survey, item);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return status;
}

enum carom_status carom_pulse_places_read(const struct carom_run_file *run, const char *contacts, const char *beads,
                                          const char *sensors, struct carom_pulse_places *places,
                                          struct carom_error *error)
{
    *places = (struct carom_pulse_places){0};
    struct survey survey = {.run = run, .to = places, .error = error};
    enum carom_status status = measure_row(&survey);
    if (contacts == NULL && beads == NULL && sensors == NULL)
        for (size_t j = 0; j < run->nc && status == CAROM_OK; j++)
            status = add_contact(&survey, j);
    if (status == CAROM_OK)
        status = read_list(&survey, "--contact", contacts, add_contacts);
    if (status == CAROM_OK)
        status = read_list(&survey, "--bead", beads, add_beads);
    if (status == CAROM_OK)
        status = read_list(&survey, "--sensor", sensors, add_sensor);
    carom_memory_free(survey.edge);
    if (status != CAROM_OK)
        carom_pulse_places_free(places);
    return status;
}

void carom_pulse_places_free(struct carom_pulse_places *places)
{
    carom_memory_free(places->place);
    *places = (struct carom_pulse_places){0};
}
