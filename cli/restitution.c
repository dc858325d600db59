/* carom restitution: e(v) and gamma of the pairs that meet in a scene, by integrating one collision for each speed.
 * Runs nothing of the scene itself. */
#include <string.h>

#include "carom/bodies.h"
#include "carom/law.h"
#include "carom/solid.h"
#include "law/restitution.h"
#include "model/frame.h"
#include "record/export/csv.h"
#include "restitution.h"
#include "scene/text/units.h"
#include "study.h"
#include "study/pairs.h"
#include "study/range.h"

enum { KINDS = 64, POINTS = 9, MOST_POINTS = 10000 };

static const char heading[] = "contact,alike,law,mass,speed,e,contact_time,overlap";

struct wish {
    const char *csv, *from, *to, *points, *wanted, *angles, *speed, *tol;
    double e;
    struct cli_restitution of;
};

double cli_restitution_speed(const struct cli_restitution *wish, size_t i)
{
    if (i == 0 || wish->npoints == 1)
        return wish->low;
    return i + 1 == wish->npoints ? wish->high
                                  : wish->low * pow(wish->high / wish->low, (double)i / (double)(wish->npoints - 1));
}

static void describe(const struct carom_scene *scene, const struct carom_pair *pair)
{
    const struct carom_group *g = pair->group;
    printf("contact %zu", carom_frame_number(scene->model, pair->contact));
    if (pair->count > 1)
        printf(" and %zu more like it", pair->count - 1);
    printf(": %s%s, mass %.6g%s", g->law->kind.name, cli_ending(g->ending), pair->mass, cli_si(scene, " kg"));
    for (size_t c = 0; c < g->ncolumns; c++)
        printf(", %s = %.9g", g->law->kind.params[c].name, g->param[c][pair->index]);
    printf("\n");
}

/* James et al. 2020, equations (6)-(9), for a pair that closes with V: T is their (6), gamma~ their (8) */
static void print_scaled(const struct carom_scene *scene, const struct carom_pair *pair)
{
    struct carom_pairs_numbers n;
    struct carom_error ignored;
    double e = 1.0;
    const struct carom_group *g = pair->group;
    double value[CAROM_LAW_WIDTH];
    const double speed = scene->scales.speed;
    if (!(speed > 0.0) || !carom_pairs_scaled(pair, speed, &n) || !(n.gamma > 0.0))
        return;
    printf("  closing with V = %.6g%s: T = %.6g%s, gamma~ = %.6g", speed, cli_si(scene, " m/s"), n.time,
           cli_si(scene, " s"), n.damping);
    carom_pairs_values(pair, value);
    if (carom_restitution_of(g->law, value, g->ending, pair->mass, speed, &e, NULL, NULL, &ignored) == CAROM_OK &&
        e < 1.0)
        printf(", e = %.6g, gamma~/(1 - e) = %.4g (%.4g for weak damping)", e, n.damping / (1.0 - e), n.coefficient);
    printf("\n");
}

/* one collision; says of a pair that sticks so in the table, and what could not be worked out in the error */
static enum carom_status collide(const struct carom_pair *pair, double speed, double *e, double *time, double *overlap,
                                 struct carom_error *error)
{
    const struct carom_group *g = pair->group;
    double value[CAROM_LAW_WIDTH];
    carom_pairs_values(pair, value);
    return carom_restitution_of(g->law, value, g->ending, pair->mass, speed, e, time, overlap, error);
}

/* the damping that would give the wanted e at this speed */
static void print_wanted(const struct carom_pair *pair, double speed, double e)
{
    double value[CAROM_LAW_WIDTH], damping = 0.0;
    carom_pairs_values(pair, value);
    if (carom_restitution_gamma(pair->group->law, value, pair->group->ending, pair->mass, speed, e, &damping, NULL) ==
        CAROM_OK)
        printf("  %14.9g", damping);
    else
        printf("  %14s", "none");
}

static enum carom_status print_pair(const struct carom_scene *scene, const struct carom_pair *pair,
                                    const struct wish *wish, FILE *csv, struct carom_error *error)
{
    const struct carom_law *law = pair->group->law;
    if (!wish->of.quiet) {
        describe(scene, pair);
        print_scaled(scene, pair);
        printf("  %13s  %14s  %12s  %12s", scene->si ? "speed (m/s)" : "closing speed", "e",
               scene->si ? "lasts (s)" : "contact time", scene->si ? "overlap (m)" : "overlap");
        if (wish->wanted)
            printf("  %s for e = %g", law->damping ? law->damping : "gamma", wish->e);
        printf("\n");
    }
    for (size_t i = 0; i < wish->of.npoints; i++) {
        const double speed = cli_restitution_speed(&wish->of, i);
        double e = 0.0, time = 0.0, overlap = 0.0;
        const enum carom_status status = collide(pair, speed, &e, &time, &overlap, error);
        if (status != CAROM_OK && status != CAROM_E_REFUSED)
            return status;
        if (!wish->of.quiet && status == CAROM_OK)
            printf("  %13.6g  %14.12g  %12.6g  %12.6g", speed, e, time, overlap);
        else if (!wish->of.quiet)
            printf("  %13.6g  %-42s", speed, "none: the pair never separates");
        if (!wish->of.quiet && wish->wanted)
            print_wanted(pair, speed, wish->e);
        if (!wish->of.quiet)
            printf("\n");
        if (csv) {
            fprintf(csv, "\n%zu,%zu,%s", carom_frame_number(scene->model, pair->contact), pair->count, law->kind.name);
            carom_csv_numbers(csv, (const double[]){pair->mass, speed}, 2);
            if (status == CAROM_OK)
                carom_csv_numbers(csv, (const double[]){e, time, overlap}, 3);
            else
                fputs(",,,", csv); /* no number says "never" */
        }
    }
    if (!wish->of.quiet && pair->group->ending != CAROM_END_GAP)
        printf("  until the force has ended; a run notes when the gap opens, which may be later\n");
    return CAROM_OK;
}

/* rigid contacts, or a law that stores nothing: a line instead of a table */
static bool without_table(const struct carom_scene *scene, const struct carom_pair *pair, bool quiet)
{
    const struct carom_group *g = pair->group;
    double force = 0.0;
    carom_pairs_respond(pair, 1.0, &force, NULL);
    if (!g->law->rigid && force > 0.0)
        return false;
    if (!quiet) {
        describe(scene, pair);
        printf("  %s\n", g->law->rigid ? "e is the same at every speed" : "no stiffness: the bodies pass each other");
    }
    return true;
}

static enum carom_status print_all(const struct carom_scene *scene, const struct wish *wish, FILE *csv,
                                   struct carom_error *error)
{
    struct carom_pair pair[KINDS];
    size_t count, more;
    enum carom_status status = carom_pairs_find(scene->model, scene->q, pair, KINDS, &count, &more, error);
    if (status == CAROM_OK && count == 0)
        status =
            carom_error_set(error, CAROM_E_REFUSED, "%s",
                            carom_solid_count(scene->model) > 0 ? CLI_RESTITUTION_ROUND : "the scene has no contacts");
    for (size_t i = 0; i < count && status == CAROM_OK; i++)
        if (!without_table(scene, &pair[i], wish->of.quiet))
            status = print_pair(scene, &pair[i], wish, csv, error);
    if (status == CAROM_OK && more > 0 && !wish->of.quiet)
        printf("and %zu contact%s of other kinds\n", more, cli_s(more));
    return status;
}

static enum carom_status tabulate(const struct carom_scene *scene, struct wish *wish, struct carom_error *error)
{
    FILE *csv = NULL;
    const bool bodies = carom_model_bodies(scene->model) != NULL;
    const char *const first = bodies && wish->of.nangles > 0 ? CLI_RESTITUTION_OBLIQUE
                              : bodies                       ? CLI_RESTITUTION_BODIES
                                                             : heading;
    if (wish->csv) {
        if (!(csv = carom_csv_create(wish->csv, first, error)))
            return error->status;
        fputs(first, csv);
    }
    wish->of.csv = csv;
    enum carom_status status =
        bodies ? cli_restitution_bodies(scene, &wish->of, error) : print_all(scene, wish, csv, error);
    if (!csv)
        return status;
    putc('\n', csv);
    return carom_csv_close(csv, wish->csv, status, error);
}

/* angles as a range or a list, degrees unless they carry a unit */
static enum carom_status read_angles(const char *text, struct cli_restitution *to, struct carom_error *error)
{
    struct carom_range range;
    enum carom_status status = carom_range_read(text, false, &range, error);
    if (status != CAROM_OK) {
        carom_error_prefix(error, "--angles %s", text);
        return status;
    }
    bool good = range.numeric && range.count <= CLI_RESTITUTION_ANGLES;
    for (size_t i = 0; i < range.count && good; i++) {
        struct carom_quantity read;
        char word[80];
        snprintf(word, sizeof word, "%s%s", range.text[i], *range.unit != '\0' ? "" : " deg");
        good = carom_units_read(word, &read, error) == CAROM_OK && read.value >= 0.0 && read.value < 1.5707;
        to->angle[i] = good ? read.value : 0.0;
    }
    to->nangles = range.count;
    carom_range_free(&range);
    return good ? CAROM_OK
                : carom_error_set(error, CAROM_E_USAGE,
                                  "--angles %s: must be angles from the normal, from 0 to below 90 degrees, %d at most",
                                  text, CLI_RESTITUTION_ANGLES);
}

/* numbers of the line; what is not given is taken from the scene's own speed */
static bool understand(struct wish *wish, const struct carom_scene *scene, int *code)
{
    struct carom_error error = {CAROM_OK, ""};
    struct cli_restitution *of = &wish->of;
    const double speed = scene->scales.speed > 0.0 ? scene->scales.speed : 1.0;
    const bool bodies = carom_model_bodies(scene->model) != NULL;
    of->low = 0.01 * speed;
    of->high = 100.0 * speed;
    of->npoints = POINTS;
    of->speed = speed;
    of->tol = 1e-9;
    if ((wish->from && !cli_study_number("--from", wish->from, &of->low, code)) ||
        (wish->to && !cli_study_number("--to", wish->to, &of->high, code)) ||
        (wish->speed && !cli_study_number("--speed", wish->speed, &of->speed, code)) ||
        (wish->tol && !cli_study_number("--tol", wish->tol, &of->tol, code)) ||
        (wish->wanted && !cli_study_number("--e", wish->wanted, &wish->e, code)) ||
        (wish->points && !cli_study_count("--points", wish->points, MOST_POINTS, &of->npoints, code)))
        return false;
    if (wish->from && !wish->to)
        of->high = fmax(of->high, of->low);
    if (wish->to && !wish->from)
        of->low = fmin(of->low, of->high);
    if (of->low > of->high)
        carom_error_set(&error, CAROM_E_USAGE, "--from %g is more than --to %g", of->low, of->high);
    else if (wish->wanted && wish->e > 1.0)
        carom_error_set(&error, CAROM_E_USAGE, "--e %g: must be above 0 and at most 1", wish->e);
    else if (wish->wanted && bodies)
        carom_error_set(&error, CAROM_E_USAGE, "--e is for rows of beads; contacts: {restitution: ...} finds it");
    else if (wish->angles && !bodies)
        carom_error_set(&error, CAROM_E_USAGE, "--angles is for discs and spheres: beads of a row meet head on");
    else if (wish->angles)
        read_angles(wish->angles, of, &error);
    if (error.status == CAROM_OK)
        return true;
    *code = cli_fail(&error);
    return false;
}

int carom_cli_restitution(int argc, char **argv)
{
    const char *set[CLI_MANY], *path[1];
    size_t nset = 0, npositional;
    struct wish wish = {0};
    const struct cli_option options[] = {
        {"--from", NULL, "SPEED", "smallest closing speed (a hundredth of the scene's V)", .single = &wish.from},
        {"--to", NULL, "SPEED", "largest closing speed (a hundred times V)", .single = &wish.to},
        {"--points", NULL, "N", "speeds, evenly spaced in their logarithm (9)", .single = &wish.points},
        {"--e", NULL, "E", "also say which damping would give this e at each speed", .single = &wish.wanted},
        {"--angles", NULL, "A:B:N",
         "of discs and spheres: oblique impacts, angles of the relative velocity from the normal in degrees",
         .single = &wish.angles},
        {"--speed", NULL, "SPEED", "of oblique impacts (the scene's V)", .single = &wish.speed},
        {"--tol", NULL, "TOL", "of oblique impacts (1e-9)", .single = &wish.tol},
        {"--csv", NULL, "FILE", "also write the table as CSV; -: to the standard output", .single = &wish.csv,
         .alone = true},
        {"--set", NULL, "KEY=VALUE", "override a key of the scene; may be repeated", .many = set, .count = &nset},
        {"--quiet", "-q", NULL, "print nothing; for --csv", .flag = &wish.of.quiet},
        {0},
    };
    const struct cli_command command = {
        "carom restitution SCENE [options]",
        "The coefficient of restitution of every kind of pair in a scene, over a range of closing speeds,\n"
        "with the gamma the scene gives or its own restitution leads to. One collision of two free bodies, or of\n"
        "a body with a wall, is integrated for each speed; nothing of the scene itself is run. Of discs and spheres\n"
        "--angles does so for oblique impacts: e, what comes back along the surface (beta), rebound and spin.",
        options, 1, 1};
    int code;
    if (!cli_read(&command, argc, argv, path, &npositional, &code))
        return code;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_read(path[0], set, nset, &error);
    if (!scene)
        return cli_fail(&error);
    if (understand(&wish, scene, &code))
        code = tabulate(scene, &wish, &error) == CAROM_OK ? CAROM_OK : cli_fail(&error);
    carom_scene_free(scene);
    return code;
}
