/* carom pulse of discs and spheres: the front of a wave, as a map of arrivals and by direction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/scene.h"
#include "cli.h"
#include "pulse.h"
#include "record/export/csv.h"
#include "scene/keep.h"
#include "scene/text/units.h"
#include "study/pulse/front.h"

enum { LINES = 100 };

static enum carom_status wrong(const char *option, const char *text, const char *what, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_USAGE, "%s %s: %s", option, text, what);
}

/* "0.1,0.2" or with units, "1 mm, 2 mm"; the numbers there are */
static size_t read_vector(const char *text, const char *dimension, double to[3], struct carom_error *error)
{
    char word[64];
    size_t n = 0;
    for (const char *at = text; n < 3; n++) {
        const size_t length = strcspn(at, ",");
        struct carom_quantity read;
        if (length == 0 || length >= sizeof word)
            return 0;
        memcpy(word, at, length);
        word[length] = '\0';
        if (carom_units_value(word, dimension, &read, error) != CAROM_OK)
            return 0;
        to[n] = read.value;
        if (at[length] == '\0')
            return n + 1;
        at += length + 1;
    }
    return 0;
}

/* a body's number, or a place */
static enum carom_status read_origin(const char *text, struct carom_front_request *request, struct carom_error *error)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    struct carom_error ignored;
    if (*end == '\0' && end > text && number > 0) {
        request->body = (size_t)number;
        return CAROM_OK;
    }
    request->origin[2] = 0.0;
    return read_vector(text, "m", request->origin, &ignored) >= 2
               ? CAROM_OK
               : wrong("--origin", text, "must be the number of a body or a place, X,Y or X,Y,Z", error);
}

static enum carom_status read_along(const char *text, struct carom_front_request *request, struct carom_error *error)
{
    struct carom_error ignored;
    const size_t n = read_vector(text, "1", request->along, &ignored);
    const double *a = request->along;
    return n >= 2 && a[0] * a[0] + a[1] * a[1] + a[2] * a[2] > 0.0
               ? CAROM_OK
               : wrong("--along", text, "must be a direction, X,Y or X,Y,Z", error);
}

/* --- tables on the terminal -------------------------------------------------------------------------------------- */

static void print_body(const struct carom_front *front, const struct carom_front_body *body, double distance)
{
    printf("%7zu%s", body->number, body->moves ? "*" : " ");
    cli_pulse_number(distance, 11, 5);
    cli_pulse_number(body->arrival, 12, 6);
    cli_pulse_number(body->peak, 11, 5);
    cli_pulse_number(body->time, 12, 6);
    cli_pulse_number(body->force, 11, 5);
    cli_pulse_number(body->force_time, 12, 6);
    if (body->direction < SIZE_MAX)
        printf("  %s", front->direction[body->direction].name);
    if (body->cut)
        printf("  cut");
}

static void print_heading(const struct carom_front *front, const char *distance)
{
    printf("%7s  %11s %12s %11s %12s %11s %12s\n", "body", distance, "arrival", "speed", "at", "force", "at");
    if (front->si)
        printf("%7s  %11s %12s %11s %12s %11s %12s\n", "", "m", "s", "m/s", "s", "N", "s");
}

static void print_map(const struct carom_front *front)
{
    size_t shown = 0, reached = 0;
    for (size_t i = 0; i < front->n; i++)
        reached += isnan(front->at[i].arrival) ? 0 : 1;
    print_heading(front, "distance");
    for (size_t i = 0; i < front->n && shown < LINES; i++) {
        if (isnan(front->at[i].arrival))
            continue;
        print_body(front, &front->at[i], front->at[i].distance);
        printf("\n");
        shown++;
    }
    if (reached > shown)
        printf("... and %zu more: --csv FILE has them all\n", reached - shown);
}

/* A ray that starts at a striker beside a crystal often passes it by: says so, and where else it could start. */
static void print_missed(const struct carom_front *front, const char *along)
{
    const struct carom_front_body *first = NULL;
    for (size_t k = 0; k < front->nray; k++)
        if (front->at[front->ray[k]].number != front->body)
            return;
    for (size_t i = 0; i < front->n; i++) {
        const struct carom_front_body *body = &front->at[i];
        if (!body->moves && !isnan(body->arrival) && (first == NULL || body->arrival < first->arrival))
            first = body;
    }
    printf("note: the ray %s from the origin meets no other body", along);
    if (first != NULL && first->number != front->body)
        printf("; --origin %zu lets it start at the body that was reached first", first->number);
    else
        printf("; --origin N lets it start at body N");
    printf("\n");
}

/* speeds from body to body along the ray */
static void print_ray(const struct carom_front *front, const char *along)
{
    const struct carom_front_body *before = NULL;
    printf("along %s from the origin\n", along);
    print_heading(front, "way");
    for (size_t k = 0; k < front->nray; k++) {
        const struct carom_front_body *body = &front->at[front->ray[k]];
        print_body(front, body, body->way);
        if (before != NULL && body->arrival > before->arrival && !body->cut)
            printf("  front %.5g%s", (body->way - before->way) / (body->arrival - before->arrival),
                   front->si ? " m/s" : "");
        printf("\n");
        before = isnan(body->arrival) ? before : body;
    }
    print_missed(front, along);
}

static void print_directions(const struct carom_front *front)
{
    printf("%-11s %7s %8s %11s %11s %7s %11s %8s %12s\n", "direction", "bodies", "reached", "farthest", "speed",
           "decay", "energy", "of all", "at");
    if (front->si)
        printf("%-11s %7s %8s %11s %11s %7s %11s %8s %12s\n", "", "", "", "m", "m/s", "", "J", "", "s");
    for (size_t k = 0; k < front->ndirections; k++) {
        const struct carom_front_direction *d = &front->direction[k];
        if (d->bodies == 0)
            continue;
        printf("%-11s %7zu %8zu", d->name, d->bodies, d->reached);
        cli_pulse_number(d->farthest, 11, 5);
        cli_pulse_number(d->speed, 11, 5);
        cli_pulse_number(d->decay, 7, 3);
        cli_pulse_number(d->most, 11, 4);
        cli_pulse_number(front->energy > 0.0 ? d->most / front->energy : nan(""), 8, 3);
        cli_pulse_number(d->when, 12, 6);
        printf("\n");
    }
}

/* Do weights pull bodies before anything strikes them? Not told where the scene cannot be read any more. */
static enum carom_status find_weights(const char *path, bool *pulled, struct carom_error *error)
{
    const struct carom_scene_wish wish = {.unsettled = true};
    struct carom_scene *scene;
    const enum carom_status status = carom_keep_scene(path, &wish, &scene, error);
    const struct carom_bodies *b = scene ? carom_model_bodies(scene->model) : NULL;
    *pulled = b && (b->gravity[0] != 0.0 || b->gravity[1] != 0.0 || b->gravity[2] != 0.0);
    carom_scene_free(scene);
    return status;
}

static enum carom_status print_gravity(const char *path, const struct cli_front_wish *wish, struct carom_error *error)
{
    bool pulled = false;
    const bool matters = isinf(wish->request.from) && isnan(wish->request.threshold);
    const enum carom_status status = matters ? find_weights(path, &pulled, error) : CAROM_OK;
    if (pulled)
        printf("note: under gravity bodies that fall or settle count as reached, and the first of them as the origin;\n"
               "      --threshold SPEED leaves slow motions out, --origin N says where it begins\n");
    return status;
}

static void print_crooked(const struct carom_front *front)
{
    size_t crooked = 0;
    for (size_t k = 0; k < front->ndirections; k++)
        crooked += front->direction[k].crooked;
    if (crooked > 0)
        printf("note: in %zu direction%s arrivals do not grow with the distance along a line, and there is no speed; "
               "--sectors makes\n"
               "      directions narrower, --origin sets where distances count from\n",
               crooked, cli_s(crooked));
}

static void print_front(const struct carom_run_file *run, const struct carom_front *front, const char *along)
{
    size_t coarse = 0, strikers = 0, cut = 0;
    printf("%s\n", *run->title != '\0' ? run->title : "(no title)");
    cli_pulse_samples(front->samples, front->closest, front->farthest, front->every, front->si ? " s" : "");
    if (front->body > 0)
        printf("origin     body %zu, at ", front->body);
    else
        printf("origin     ");
    for (size_t k = 0; k < front->dimension; k++)
        printf("%s%.6g", k > 0 ? ", " : "", front->origin[k]);
    printf("%s\n", front->si ? " m" : "");
    if (along != NULL)
        print_ray(front, along);
    else
        print_map(front);
    print_directions(front);
    for (size_t i = 0; i < front->n; i++) {
        strikers += front->at[i].moves;
        cut += front->at[i].cut;
        coarse += !isnan(front->at[i].arrival) && !isnan(front->at[i].time) && front->at[i].samples < 6 ? 1 : 0;
    }
    if (strikers > 0)
        printf("*: moves at the beginning, speeds count from there; its energy is in no direction\n");
    if (cut > 0)
        printf("cut: still faster where the record ends, and in no speed and no decay (%zu)\n", cut);
    print_crooked(front);
    if (coarse > 0)
        printf("note: fewer than 6 samples from arrival to peak (%zu of the bodies); a smaller 'every' in the scene's "
               "record tells more\n",
               coarse);
}

/* --- all of it --------------------------------------------------------------------------------------------------- */

static enum carom_status write_csv(const char *path, const char *heading, const struct carom_front *front,
                                   void (*write)(FILE *out, const struct carom_front *front), struct carom_error *error)
{
    FILE *out = carom_csv_create(path, heading, error);
    if (!out)
        return error->status;
    write(out, front);
    return carom_csv_close(out, path, CAROM_OK, error);
}

/* what the maps are coloured by */
static enum carom_status read_colour(const char *text, const struct carom_front *front, enum carom_front_colour *by,
                                     struct carom_error *error)
{
    static const char *const words[] = {"arrival", "speed", "force"};
    *by = CAROM_FRONT_ARRIVAL;
    for (int k = 0; text && k < CAROM_FRONT_COLOURS; k++)
        if (strcmp(text, words[k]) == 0)
            *by = (enum carom_front_colour)k;
    if (text && strcmp(text, words[*by]) != 0)
        return wrong("--colour", text, "must be arrival, speed or force", error);
    return carom_front_picture_has(front, *by)
               ? CAROM_OK
               : carom_error_set(error, CAROM_E_REFUSED, "--colour %s: the run has no book of impacts", text);
}

static enum carom_status draw(const struct cli_front_wish *wish, bool page, const struct carom_run_file *run,
                              const struct carom_front *front, struct carom_error *error)
{
    const char *path = page ? wish->page : wish->svg;
    enum carom_front_colour by;
    enum carom_status status = read_colour(wish->colour, front, &by, error);
    if (status != CAROM_OK)
        return status;
    FILE *out = carom_csv_create(path, page ? CAROM_FRONT_PICTURE_PAGE : CAROM_FRONT_PICTURE_HEADING, error);
    if (!out)
        return error->status;
    status = page ? carom_front_picture_page(out, front, run->title, error)
                  : carom_front_picture_draw(out, front, by, run->title, error);
    return carom_csv_close(out, path, status, error);
}

static enum carom_status understand(const struct cli_front_wish *wish, struct carom_front_request *request,
                                    struct carom_error *error)
{
    if (wish->chain != NULL)
        return carom_error_set(error, CAROM_E_USAGE,
                               "%s is of rows of beads; of discs and spheres --along X,Y lists bodies on a ray",
                               wish->chain);
    enum carom_status status = CAROM_OK;
    if (wish->origin != NULL)
        status = read_origin(wish->origin, request, error);
    if (status == CAROM_OK && wish->along != NULL)
        status = read_along(wish->along, request, error);
    return status;
}

enum carom_status cli_pulse_front(struct carom_run_file *run, const char *path, const struct cli_front_wish *wish,
                                  struct carom_error *error)
{
    struct carom_front_request request = wish->request;
    struct carom_front front;
    enum carom_status status = understand(wish, &request, error);
    if (status == CAROM_OK)
        status = carom_front_measure(run, &request, &front, error);
    if (status != CAROM_OK) {
        carom_run_file_close(run);
        return status;
    }
    if (!wish->quiet)
        print_front(run, &front, wish->along);
    if (!wish->quiet)
        status = print_gravity(path, wish, error);
    if (status == CAROM_OK && wish->csv != NULL)
        status = write_csv(wish->csv, CAROM_FRONT_FILE_CSV_HEADING, &front, carom_front_file_csv, error);
    if (status == CAROM_OK && wish->directions != NULL)
        status = write_csv(wish->directions, CAROM_FRONT_FILE_DIRECTIONS_HEADING, &front, carom_front_file_directions,
                           error);
    if (status == CAROM_OK && wish->svg != NULL)
        status = draw(wish, false, run, &front, error);
    if (status == CAROM_OK && wish->page != NULL)
        status = draw(wish, true, run, &front, error);
    carom_run_file_close(run);
    struct carom_error kept = {CAROM_OK, ""};
    if (status == CAROM_OK && !wish->aside) {
        if (carom_front_file_keep(path, &front, wish->command, &kept) != CAROM_OK)
            fprintf(stderr, "carom: note: the front was not kept in the run file: %s\n", kept.text);
        else if (!wish->quiet)
            printf("kept       %s: /analysis/front\n", path);
    }
    carom_front_free(&front);
    return status;
}
