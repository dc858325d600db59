/* carom pulse: the waves in a run's forces. Arrival, height, width, speed and impulses at every contact, as a table, as
 * CSV, and kept in the run file. */
#include "pulse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "record/export/csv.h"
#include "study.h"
#include "study/pulse/pulse_run.h"

enum { LINES = 100 };

struct wish {
    const char *contacts, *beads, *sensors, *wave, *impact, *from, *until, *least, *foot, *rest;
    const char *csv, *collapse, *beside, *ratios;
    const char *origin, *along, *sectors, *threshold, *directions, *svg, *page, *colour; /* discs, spheres */
    bool train, extrapolate, aside, quiet;
    struct carom_pulse_ratios by;
};

/* a number that may carry a unit of this dimension */
static bool quantity(const char *option, const char *text, const char *dimension, double *value, int *code)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_quantity read;
    const bool good = cli_study_quantity(option, text, dimension, false, &read, &error) == CAROM_OK;
    if (good)
        *value = read.value;
    else
        *code = cli_fail(&error);
    return good;
}

static bool speed(const char *option, const char *text, double *value, int *code)
{
    if (!quantity(option, text, "m/s", value, code))
        return false;
    if (*value > 0.0)
        return true;
    *code = cli_must_be(option, text, "a speed above 0");
    return false;
}

static bool share(const char *option, const char *text, double *value, int *code)
{
    if (!cli_study_number(option, text, value, code))
        return false;
    if (*value < 1.0)
        return true;
    *code = cli_must_be(option, text, "a share between 0 and 1");
    return false;
}

/* "1.94,1.09" or with a third one */
static bool read_ratios(const char *text, struct carom_pulse_ratios *ratios, int *code)
{
    double *const to[] = {&ratios->peak, &ratios->width, &ratios->time};
    const char *at = text;
    for (size_t i = 0; i < 3; i++) {
        char *end;
        *to[i] = strtod(at, &end);
        if (end == at || !(*to[i] > 0.0) || !(*to[i] < HUGE_VAL) || (*end != ',' && *end != '\0'))
            break;
        if (*end == '\0' && i >= 1)
            return true;
        if (*end == '\0')
            break;
        at = end + 1;
    }
    *code = cli_must_be("--ratios", text, "PEAK,WIDTH or PEAK,WIDTH,TIME, positive numbers");
    return false;
}

static bool read_wave(const struct wish *wish, struct carom_pulse_request *request, int *code)
{
    if (strcmp(wish->wave, "largest") == 0) {
        request->wave = CAROM_PULSE_LARGEST;
        return true;
    }
    return cli_study_count("--wave", wish->wave, 1000000, &request->wave, code);
}

static bool understand(struct wish *wish, struct carom_pulse_request *request, int *code)
{
    size_t impact = 1;
    *request = carom_pulse_run_request();
    wish->by = carom_pulse_wall;
    if ((wish->wave && !read_wave(wish, request, code)) ||
        (wish->impact && !cli_study_count("--impact", wish->impact, 1000000000, &impact, code)) ||
        (wish->from && !quantity("--from", wish->from, "s", &request->from, code)) ||
        (wish->until && !quantity("--until", wish->until, "s", &request->until, code)) ||
        (wish->rest && !quantity("--rest", wish->rest, "N", &request->rules.rest, code)) ||
        (wish->least && !share("--least", wish->least, &request->rules.least, code)) ||
        (wish->foot && !share("--foot", wish->foot, &request->rules.foot, code)) ||
        (wish->ratios && !read_ratios(wish->ratios, &wish->by, code)))
        return false;
    request->impact = impact;
    request->contacts = wish->contacts;
    request->beads = wish->beads;
    request->sensors = wish->sensors;
    request->train = wish->train;
    request->collapse = wish->collapse != NULL;
    wish->extrapolate |= wish->ratios != NULL;
    if (wish->colour && !wish->svg && !wish->page) {
        *code = cli_usage("--colour %s: is of maps; --svg FILE or --page FILE draws them", wish->colour);
        return false;
    }
    if (!wish->train || !wish->wave)
        return true;
    *code = cli_usage("--wave %s: goes without --train, which shows all waves", wish->wave);
    return false;
}

static enum carom_status write_table(const char *path, const char *heading, const struct carom_pulse_table *table,
                                     void (*write)(FILE *out, const struct carom_pulse_table *table),
                                     struct carom_error *error)
{
    FILE *out = carom_csv_create(path, heading, error);
    if (!out)
        return error->status;
    write(out, table);
    return carom_csv_close(out, path, CAROM_OK, error);
}

/* The walls of this run against the same contacts of another one. */
static enum carom_status compare(const struct carom_pulse_table *table, const struct wish *wish,
                                 const struct carom_pulse_request *request, struct carom_error *error)
{
    struct carom_run_file *other = carom_run_file_open(wish->beside, error);
    if (!other)
        return error->status;
    struct carom_pulse_request all = *request;
    struct carom_pulse_table beside;
    all.contacts = all.beads = all.sensors = NULL;
    all.collapse = false;
    bool any = false;
    const enum carom_status status = carom_pulse_run_measure(other, &all, &beside, error);
    for (size_t i = 0; status == CAROM_OK && i < table->nrows; i++) {
        const struct carom_pulse_place *place = &table->places.place[table->row[i].place];
        const struct carom_pulse_row *row = carom_pulse_run_contact(&beside, place->number);
        if (place->kind != CAROM_PULSE_WALL || !row)
            continue;
        any = true;
        if (!wish->quiet)
            cli_pulse_ratios(&table->row[i], row, place->name, wish->beside);
    }
    if (status == CAROM_OK)
        carom_pulse_run_free(&beside);
    carom_run_file_close(other);
    if (status == CAROM_OK && !any)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "--beside %s: it has no pulse at the contact that is a wall here", wish->beside);
    return status;
}

/* how the table was made, for the run file */
static void say_command(int argc, char **argv, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "carom");
    for (int i = 0; i < argc && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, " %s", argv[i]);
}

/* A run that cannot be written to still has its table. */
static void keep(const char *path, const struct carom_pulse_table *table, const char *command, bool quiet)
{
    struct carom_error error = {CAROM_OK, ""};
    if (carom_pulse_file_keep(path, table, command, &error) != CAROM_OK)
        fprintf(stderr, "carom: note: the table was not kept in the run file: %s\n", error.text);
    else if (!quiet)
        printf("kept       %s: /analysis/pulse\n", path);
}

static enum carom_status show(const struct carom_run_file *run, const struct carom_pulse_table *table,
                              const struct wish *wish, const struct carom_pulse_request *request,
                              struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    if (!wish->quiet) {
        cli_pulse_table(run, table, wish->contacts || wish->beads ? SIZE_MAX : LINES);
        cli_pulse_notes(table);
        if (wish->extrapolate)
            cli_pulse_extrapolated(table, &wish->by);
        if (wish->collapse)
            cli_pulse_spread(table);
    }
    if (wish->beside)
        status = compare(table, wish, request, error);
    if (status == CAROM_OK && wish->csv)
        status = write_table(wish->csv, CAROM_PULSE_FILE_CSV_HEADING, table, carom_pulse_file_csv, error);
    if (status == CAROM_OK && wish->collapse)
        status =
            write_table(wish->collapse, CAROM_PULSE_FILE_COLLAPSE_HEADING, table, carom_pulse_file_collapse, error);
    return status;
}

/* the first option given that only rows have; of discs and spheres it would mean nothing */
static const char *only_rows(const struct wish *wish)
{
    const struct {
        const char *name;
        bool given;
    } option[] = {{"--contact", wish->contacts != NULL}, {"--bead", wish->beads != NULL},
                  {"--sensor", wish->sensors != NULL},   {"--train", wish->train},
                  {"--impact", wish->impact != NULL},    {"--rest", wish->rest != NULL},
                  {"--beside", wish->beside != NULL},    {"--extrapolate", wish->extrapolate},
                  {"--collapse", wish->collapse != NULL}};
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (option[i].given)
            return option[i].name;
    return NULL;
}

/* and the other way round */
static const char *only_fronts(const struct wish *wish)
{
    return wish->origin       ? "--origin"
           : wish->along      ? "--along"
           : wish->sectors    ? "--sectors"
           : wish->threshold  ? "--threshold"
           : wish->directions ? "--directions"
           : wish->svg        ? "--svg"
           : wish->page       ? "--page"
           : wish->colour     ? "--colour"
                              : NULL;
}

/* Closes the run. */
static int front(struct carom_run_file *run, const char *path, const struct wish *wish,
                 const struct carom_pulse_request *request, const char *command)
{
    struct carom_error error = {CAROM_OK, ""};
    struct cli_front_wish to = {.request = carom_front_request(),
                                .origin = wish->origin,
                                .along = wish->along,
                                .csv = wish->csv,
                                .directions = wish->directions,
                                .svg = wish->svg,
                                .page = wish->page,
                                .colour = wish->colour,
                                .chain = only_rows(wish),
                                .command = command,
                                .aside = wish->aside,
                                .quiet = wish->quiet};
    int code = CAROM_OK;
    to.request.from = request->from;
    to.request.until = request->until;
    to.request.rules = request->rules;
    to.request.largest = request->wave == CAROM_PULSE_LARGEST;
    if (request->wave > 1)
        to.chain = "--wave N";
    if ((wish->sectors && !cli_study_count("--sectors", wish->sectors, 1000000, &to.request.sectors, &code)) ||
        (wish->threshold && !speed("--threshold", wish->threshold, &to.request.threshold, &code))) {
        carom_run_file_close(run);
        return code;
    }
    return cli_pulse_front(run, path, &to, &error) == CAROM_OK ? CAROM_OK : cli_fail(&error);
}

static int pulse(const char *path, struct wish *wish, const char *command)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_pulse_request request;
    struct carom_pulse_table table;
    int code;
    if (!understand(wish, &request, &code))
        return code;
    struct carom_run_file *run = carom_run_file_open(path, &error);
    if (!run)
        return cli_fail(&error);
    if (run->listed)
        return front(run, path, wish, &request, command);
    if (only_fronts(wish)) {
        carom_run_file_close(run);
        return cli_usage("%s is of runs of discs and spheres; rows of beads have --contact", only_fronts(wish));
    }
    enum carom_status status = carom_pulse_run_measure(run, &request, &table, &error);
    if (status == CAROM_OK) {
        status = show(run, &table, wish, &request, &error);
        carom_run_file_close(run);
        if (status == CAROM_OK && !wish->aside)
            keep(path, &table, command, wish->quiet);
        carom_pulse_run_free(&table);
    } else
        carom_run_file_close(run);
    return status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}

int carom_cli_pulse(int argc, char **argv)
{
    struct wish wish = {0};
    const char *path[1];
    size_t npositional;
    const struct cli_option options[] = {
        {"--contact", NULL, "LIST", "only these: numbers, ranges 3-9, wall, left, right", .single = &wish.contacts},
        {"--bead", NULL, "LIST", "sensors inside these beads: the mean of the forces at their sides",
         .single = &wish.beads},
        {"--sensor", NULL, "NAMES", "sensors of the scene", .single = &wish.sensors},
        {"--wave", NULL, "N", "which wave of each place (1: the first), or 'largest'", .single = &wish.wave},
        {"--train", NULL, NULL, "all waves of each place", .flag = &wish.train},
        {"--impact", NULL, "N", "of a run under lzb: inside which impact (1)", .single = &wish.impact},
        {"--from", NULL, "TIME", "look only at samples from here on", .single = &wish.from},
        {"--until", NULL, "TIME", "and up to here", .single = &wish.until},
        {"--least", NULL, "SHARE", "a wave rises and falls by this share of the largest force there (0.02)",
         .single = &wish.least},
        {"--foot", NULL, "SHARE", "the front begins at this share of its peak (0.01)", .single = &wish.foot},
        {"--rest", NULL, "FORCE", "what waves stand on (the force of the first sample)", .single = &wish.rest},
        {"--beside", NULL, "RUN", "peak, width and time at walls over those at the same contact of that run",
         .single = &wish.beside},
        {"--extrapolate", NULL, NULL, "what a wall says of the chain without it: peak / 1.94, width / 1.09",
         .flag = &wish.extrapolate},
        {"--ratios", NULL, "P,W[,T]", "extrapolate with these instead", .single = &wish.ratios},
        {"--collapse", NULL, "FILE", "forces in shares of their peak over (t - T) / width, as CSV",
         .single = &wish.collapse},
        {"--origin", NULL, "BODY", "discs and spheres: where the front begins, a body or X,Y[,Z]",
         .single = &wish.origin},
        {"--along", NULL, "X,Y[,Z]", "list the bodies that a ray in this direction goes through",
         .single = &wish.along},
        {"--sectors", NULL, "N", "directions of the plane (12); in space 6 or 26", .single = &wish.sectors},
        {"--threshold", NULL, "SPEED", "a body is reached at this speed (at the foot of its own wave)",
         .single = &wish.threshold},
        {"--directions", NULL, "FILE", "the table of directions as CSV", .single = &wish.directions},
        {"--svg", NULL, "FILE", "the map as a picture", .single = &wish.svg},
        {"--colour", NULL, "WHAT", "of its bodies: arrival, speed or force", .single = &wish.colour},
        {"--page", NULL, "FILE", "maps and directions as a page (HTML)", .single = &wish.page},
        {"--csv", NULL, "FILE", "the table as CSV; -: to the standard output", .single = &wish.csv, .alone = true},
        {"--no-keep", NULL, NULL, "leave the run file as it is", .flag = &wish.aside},
        {"--quiet", "-q", NULL, "no table on the terminal", .flag = &wish.quiet},
        {0},
    };
    const struct cli_command command = {
        "carom pulse RUN [options]",
        "The waves in a run's contact forces: for every contact or wall the peak force, when the peak and its foot\n"
        "came, the width tau of F cos^6((t - T) / tau) fitted to the front, the speed from the contact before (of\n"
        "rows whose beads alternate: from the last one between the same two), how many beads it covers, and\n"
        "the impulse before and after T + tau. Works on compliant runs and, inside an impact, on runs under lzb.\n"
        "The table is kept in the run file as /analysis/pulse. For discs and spheres it tells when the front\n"
        "reaches each, how fast and how hard it moves them, and speed, decay and energy by direction, kept as\n"
        "/analysis/front.",
        options, 1, 1};
    int code;
    if (!cli_read(&command, argc, argv, path, &npositional, &code))
        return code;
    char made[1000];
    say_command(argc, argv, made, sizeof made);
    return pulse(path[0], &wish, made);
}
