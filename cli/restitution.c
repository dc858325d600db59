/* carom restitution: e(v) and gamma of the pairs that meet in a scene, by integrating one collision for each speed.
 * Runs nothing of the scene itself. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "carom/bodies.h"
#include "law/restitution.h"
#include "record/export/csv.h"
#include "study.h"
#include "study/pairs.h"

enum { KINDS = 64, POINTS = 9, MOST_POINTS = 10000 };

static const char heading[] = "contact,alike,law,mass,speed,e,contact_time,overlap";

struct wish {
    const char *csv, *from, *to, *points, *wanted;
    double low, high, e;
    size_t npoints;
    bool quiet;
};

static const char *unit(const struct carom_scene *scene, const char *text)
{
    return scene->si ? text : "";
}

/* a contact's number in scenes: it is right of body j, 0 the left wall */
static size_t number_of(const struct carom_model *model, size_t contact)
{
    return contact + (model->pair[0][0] < 0 ? 0 : 1);
}

static double speed_at(const struct wish *wish, size_t i)
{
    if (i == 0 || wish->npoints == 1)
        return wish->low;
    return i + 1 == wish->npoints ? wish->high
                                  : wish->low * pow(wish->high / wish->low, (double)i / (double)(wish->npoints - 1));
}

static void describe(const struct carom_scene *scene, const struct carom_pair *pair)
{
    const struct carom_group *g = pair->group;
    printf("contact %zu", number_of(scene->model, pair->contact));
    if (pair->count > 1)
        printf(" and %zu more like it", pair->count - 1);
    printf(": %s%s, mass %.6g%s", g->law->kind.name, g->ending == CAROM_END_FORCE ? " (ends at zero force)" : "",
           pair->mass, unit(scene, " kg"));
    for (size_t c = 0; c < g->ncolumns; c++)
        printf(", %s = %.9g", g->law->kind.params[c].name, g->param[c][pair->index]);
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
    if (!wish->quiet) {
        describe(scene, pair);
        printf("  %14s  %14s  %14s  %14s", scene->si ? "speed (m/s)" : "closing speed", "e",
               scene->si ? "lasts (s)" : "contact time", scene->si ? "overlap (m)" : "overlap");
        if (wish->wanted)
            printf("  %s for e = %g", law->damping ? law->damping : "gamma", wish->e);
        printf("\n");
    }
    for (size_t i = 0; i < wish->npoints; i++) {
        const double speed = speed_at(wish, i);
        double e = 0.0, time = 0.0, overlap = 0.0;
        const enum carom_status status = collide(pair, speed, &e, &time, &overlap, error);
        if (status != CAROM_OK && status != CAROM_E_REFUSED)
            return status;
        if (!wish->quiet && status == CAROM_OK)
            printf("  %14.6g  %14.12g  %14.6g  %14.6g", speed, e, time, overlap);
        else if (!wish->quiet)
            printf("  %14.6g  %-46s", speed, "none: the pair never separates");
        if (!wish->quiet && wish->wanted)
            print_wanted(pair, speed, wish->e);
        if (!wish->quiet)
            printf("\n");
        if (csv) {
            fprintf(csv, "\n%zu,%zu,%s", number_of(scene->model, pair->contact), pair->count, law->kind.name);
            carom_csv_numbers(csv, (const double[]){pair->mass, speed}, 2);
            if (status == CAROM_OK)
                carom_csv_numbers(csv, (const double[]){e, time, overlap}, 3);
            else
                fputs(",,,", csv); /* no number says "never" */
        }
    }
    if (!wish->quiet && pair->group->ending == CAROM_END_FORCE)
        printf("  until the force has ended; the gap opens later, which is the opening that a run notes\n");
    return CAROM_OK;
}

/* rigid contacts, or a law that stores nothing: a line instead of a table */
static bool without_table(const struct carom_scene *scene, const struct carom_pair *pair, bool quiet)
{
    const struct carom_group *g = pair->group;
    double force = 0.0;
    const double d = 1.0, zero = 0.0, *param[CAROM_LAW_WIDTH], *history[CAROM_LAW_WIDTH];
    for (size_t c = 0; c < CAROM_LAW_WIDTH; c++) {
        param[c] = c < g->ncolumns ? g->param[c] + pair->index : &zero;
        history[c] = &zero;
    }
    const struct carom_batch batch = {
        .law = g->law, .n = 1, .param = param, .deform = &d, .history = history, .elastic = &force};
    g->law->evaluate(&batch);
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
        status = carom_error_set(error, CAROM_E_REFUSED,
                                 carom_model_bodies(scene->model)
                                     ? "this command knows pairs of rows of beads, not discs and spheres"
                                     : "the scene has no contacts");
    for (size_t i = 0; i < count && status == CAROM_OK; i++)
        if (!without_table(scene, &pair[i], wish->quiet))
            status = print_pair(scene, &pair[i], wish, csv, error);
    if (status == CAROM_OK && more > 0 && !wish->quiet)
        printf("and %zu contacts of other kinds\n", more);
    return status;
}

static enum carom_status tabulate(const struct carom_scene *scene, const struct wish *wish, struct carom_error *error)
{
    FILE *csv = NULL;
    if (wish->csv) {
        if (carom_csv_may_replace_table(wish->csv, heading, error) != CAROM_OK)
            return error->status;
        csv = fopen(wish->csv, "w");
        if (!csv)
            return carom_error_set(error, CAROM_E_FILE, "%s: could not be created: %s", wish->csv, strerror(errno));
        fputs(heading, csv);
    }
    enum carom_status status = print_all(scene, wish, csv, error);
    if (!csv)
        return status;
    putc('\n', csv);
    return carom_csv_close(csv, wish->csv, status, error);
}

/* numbers of the line; what is not given is taken from the scene's own speed */
static bool understand(struct wish *wish, const struct carom_scene *scene, int *code)
{
    struct carom_error error;
    const double speed = scene->scales.speed > 0.0 ? scene->scales.speed : 1.0;
    wish->low = 0.01 * speed;
    wish->high = 100.0 * speed;
    wish->npoints = POINTS;
    if ((wish->from && !cli_study_number("--from", wish->from, &wish->low, code)) ||
        (wish->to && !cli_study_number("--to", wish->to, &wish->high, code)) ||
        (wish->wanted && !cli_study_number("--e", wish->wanted, &wish->e, code)) ||
        (wish->points && !cli_study_count("--points", wish->points, MOST_POINTS, &wish->npoints, code)))
        return false;
    if (wish->from && !wish->to)
        wish->high = fmax(wish->high, wish->low);
    if (wish->to && !wish->from)
        wish->low = fmin(wish->low, wish->high);
    if (wish->low > wish->high)
        carom_error_set(&error, CAROM_E_USAGE, "--from %g is more than --to %g", wish->low, wish->high);
    else if (wish->wanted && wish->e > 1.0)
        carom_error_set(&error, CAROM_E_USAGE, "--e %g: must be above 0 and at most 1", wish->e);
    else
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
        {"--csv", NULL, "FILE", "also write the table as CSV", .single = &wish.csv},
        {"--set", NULL, "KEY=VALUE", "override a key of the scene; may be repeated", .many = set, .count = &nset},
        {"--quiet", "-q", NULL, "print nothing; for --csv", .flag = &wish.quiet},
        {0},
    };
    const struct cli_command command = {
        "carom restitution SCENE [options]",
        "The coefficient of restitution of every kind of pair in a scene, over a range of closing speeds,\n"
        "with the gamma the scene gives or its own restitution leads to. One collision of two free bodies, or of\n"
        "a body with a wall, is integrated for each speed; nothing of the scene itself is run.",
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
