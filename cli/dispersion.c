/* carom dispersion: normal modes of a chain, and the dispersion curves of the cell it repeats. Linear, about the
 * start of the scene, without damping; nothing is run. */
#include <string.h>

#include "base/memory.h"
#include "dispersion.h"
#include "record/export/csv.h"
#include "study.h"
#include "study/dispersion.h"

#define TWO_PI 6.28318530717958647692

struct wish {
    const char *curves, *modes, *shapes, *points, *cell, *along, *load, *count;
    size_t npoints, period, ncount;
    double force;
    bool prestress, quiet;
    bool unit; /* does the force carry one? */
};

static double frequency(double omega)
{
    return omega / TWO_PI;
}

/* --- tables ----------------------------------------------------------------------------------------------------- */

FILE *cli_dispersion_begin(const char *path, const char *heading, struct carom_error *error)
{
    FILE *out = carom_csv_create(path, NULL, error);
    if (out)
        fputs(heading, out);
    return out;
}

enum carom_status cli_dispersion_end_modes(FILE *out, const char *path, size_t count, const double *omega,
                                           const double *shape, struct carom_error *error)
{
    for (size_t k = 0; k < count; k++) {
        fprintf(out, "\n%zu", k + 1);
        carom_csv_numbers(out, (const double[]){omega[k], frequency(omega[k])}, 2);
        for (size_t i = 0; i < count && shape; i++)
            carom_csv_numbers(out, &shape[i * count + k], 1);
    }
    putc('\n', out);
    return carom_csv_close(out, path, CAROM_OK, error);
}

static enum carom_status write_curves(const struct carom_dispersion *d, const struct wish *wish,
                                      struct carom_error *error)
{
    double *omega = carom_memory_zeroed(d->period, sizeof *omega),
           *group = carom_memory_zeroed(d->period, sizeof *group);
    FILE *out = omega && group ? cli_dispersion_begin(wish->curves, CLI_DISPERSION_CURVES, error) : NULL;
    enum carom_status status = out ? CAROM_OK : error->status;
    if (!omega || !group)
        status = carom_memory_error(error);
    for (size_t i = 0; i < wish->npoints && status == CAROM_OK; i++) {
        const double phase = 0.5 * TWO_PI * (double)i / (double)(wish->npoints - 1);
        status = carom_dispersion_branches(d, phase, omega, group, error);
        for (size_t b = 0; b < d->period && status == CAROM_OK; b++) {
            const double rest[] = {phase, phase / d->length, omega[b], frequency(omega[b]), group[b]};
            fprintf(out, "\n%zu", b + 1);
            carom_csv_numbers(out, rest, sizeof rest / sizeof *rest);
        }
    }
    if (out) {
        putc('\n', out);
        status = carom_csv_close(out, wish->curves, status, error);
    }
    carom_memory_free_all(omega, group);
    return status;
}

static enum carom_status write_modes(const struct carom_dispersion *d, const struct wish *wish,
                                     struct carom_error *error)
{
    FILE *out = cli_dispersion_begin(wish->modes, CLI_DISPERSION_HEADING, error);
    if (!out)
        return error->status;
    for (size_t i = 0; i < d->n; i++)
        fprintf(out, ",u_%zu", d->body[i] + 1);
    return cli_dispersion_end_modes(out, wish->modes, d->n, d->omega, d->shape, error);
}

/* --- on the screen ----------------------------------------------------------------------------------------------- */

static void print_edges(const struct carom_scene *scene, const char *what, double low, double high)
{
    printf("%-10s f = %.9g ... %.9g%s, omega = %.9g ... %.9g%s\n", what, frequency(low), frequency(high),
           cli_si(scene, " Hz"), low, high, cli_si(scene, " 1/s"));
}

static void print_bands(const struct carom_scene *scene, const struct carom_dispersion *d)
{
    if (d->period == 0) {
        printf("cell       none: the chain does not repeat itself (--cell N takes N beads from its middle)\n");
        return;
    }
    printf("cell       %zu bead%s from body %zu on, length %.9g%s\n", d->period, d->period > 1 ? "s" : "", d->first + 1,
           d->length, cli_si(scene, " m"));
    for (size_t i = 0; i < d->period; i++) {
        char name[32];
        if (i == 0 && d->low[0] > 0.0)
            print_edges(scene, "gap", 0.0, d->low[0]);
        else if (i > 0 && d->low[i] > d->high[i - 1] * (1.0 + 1e-9))
            print_edges(scene, "gap", d->high[i - 1], d->low[i]);
        snprintf(name, sizeof name, "band %zu", i + 1);
        print_edges(scene, name, d->low[i], d->high[i]);
    }
    if (d->sound > 0.0)
        printf("sound      long waves travel at %.9g%s\n", d->sound, cli_si(scene, " m/s"));
}

void cli_dispersion_print_modes(const struct carom_scene *scene, size_t count, const double *omega)
{
    enum { FEW = 10 };
    printf("modes      %zu, frequency%s and omega%s\n", count, cli_si(scene, " (Hz)"), cli_si(scene, " (1/s)"));
    for (size_t k = 0; k < count; k++) {
        if (count > 2 * FEW + 1 && k == FEW) {
            printf("           ... --modes FILE.csv writes all, with their shapes\n");
            k = count - FEW;
        }
        printf("%9zu  %-18.12g %.12g\n", k + 1, frequency(omega[k]), omega[k]);
    }
}

void cli_dispersion_unrest(const struct carom_scene *scene, double unbalanced, size_t pushed, double force)
{
    if (unbalanced > 0.0)
        printf("note       the start is no equilibrium: a force of %.6g%s on body %zu is balanced by nothing (contacts "
               "carry up to %.6g%s), so these are waves about a state that does not last\n",
               unbalanced, cli_si(scene, " N"), pushed + 1, force, cli_si(scene, " N"));
}

static void print_all(const struct carom_scene *scene, const struct carom_dispersion *d)
{
    printf("%s\n", scene->title);
    printf("bodies     %zu that can move, %zu of %zu contact%s carr%s small waves\n", d->n, d->closed, scene->model->nc,
           cli_s(scene->model->nc), d->closed == 1 ? "ies" : "y");
    cli_dispersion_unrest(scene, d->unbalanced, d->pushed, d->force);
    print_bands(scene, d);
    if (d->omega)
        cli_dispersion_print_modes(scene, d->n, d->omega);
    else
        printf("modes      not worked out for more than %d bodies\n", CAROM_DISPERSION_MODES);
}

static enum carom_status work(const struct carom_scene *scene, const struct wish *wish, struct carom_error *error)
{
    const struct cli_dispersion other = {wish->curves, wish->modes, wish->along,     wish->shapes, wish->npoints,
                                         wish->ncount, wish->force, wish->prestress, wish->quiet};
    if (wish->period && cli_dispersion_is_crystal(scene))
        return carom_error_set(error, CAROM_E_USAGE,
                               "--cell is for chains, a crystal has the smallest cell it repeats");
    if (wish->unit && !scene->si)
        return carom_error_set(error, CAROM_E_USAGE, "--force %s carries a unit, but the scene says units: none",
                               wish->load);
    if (!wish->along && !wish->shapes && !wish->count && cli_dispersion_is_crystal(scene))
        return cli_dispersion_crystal(scene, &other, error);
    if (wish->load || (wish->prestress && !cli_dispersion_is_solid(scene)))
        return carom_error_set(error, CAROM_E_USAGE, "%s of discs and spheres",
                               wish->load ? "--force is for crystals" : "--prestress is for solids and crystals");
    if (cli_dispersion_is_solid(scene) && wish->cell)
        return carom_error_set(error, CAROM_E_USAGE, "--cell is for chains, this is a solid");
    if (cli_dispersion_is_solid(scene))
        return cli_dispersion_solid(scene, &other, error);
    if (wish->along || wish->shapes || wish->count)
        return carom_error_set(error, CAROM_E_USAGE, "%s is for solids, this is a %s",
                               wish->along    ? "--along"
                               : wish->shapes ? "--shapes"
                                              : "--count",
                               cli_dispersion_is_crystal(scene) ? "crystal" : "chain");
    struct carom_dispersion *d = carom_dispersion_find(scene, wish->period, wish->modes != NULL, error);
    if (!d)
        return error->status;
    enum carom_status status = CAROM_OK;
    if (wish->curves && d->period == 0)
        status = carom_error_set(error, CAROM_E_REFUSED,
                                 "--csv: the chain does not repeat itself, so it has no curves; --cell N takes N beads "
                                 "from its middle, --modes writes normal modes");
    if (status == CAROM_OK && wish->modes && !d->omega)
        status =
            carom_error_set(error, CAROM_E_REFUSED, "--modes: not for more than %d bodies", CAROM_DISPERSION_MODES);
    if (status == CAROM_OK && !wish->quiet)
        print_all(scene, d);
    if (status == CAROM_OK && wish->curves)
        status = write_curves(d, wish, error);
    if (status == CAROM_OK && wish->modes)
        status = write_modes(d, wish, error);
    carom_dispersion_free(d);
    return status;
}

static bool read_force(struct wish *wish, int *code)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_quantity read;
    const bool good = cli_study_quantity("--force", wish->load, "N", true, &read, &error) == CAROM_OK;
    if (good) {
        wish->force = read.value;
        wish->unit = read.unit;
    } else
        *code = cli_fail(&error);
    return good;
}

int carom_cli_dispersion(int argc, char **argv)
{
    struct wish wish = {.npoints = 101, .ncount = 20};
    const char *set[CLI_MANY], *path[1];
    size_t nset = 0, npositional;
    const struct cli_option options[] = {
        {"--csv", NULL, "FILE", "write the dispersion curves as CSV; -: to the standard output", .single = &wish.curves,
         .alone = true},
        {"--modes", NULL, "FILE", "write all normal modes as CSV, with their shapes (of solids without)",
         .single = &wish.modes},
        {"--shapes", NULL, "FILE", "of a solid: write the shapes of its lowest modes as CSV", .single = &wish.shapes},
        {"--count", NULL, "N", "of a solid: how many of its lowest modes, where not all are found (default 20)",
         .single = &wish.count},
        {"--points", NULL, "N", "points of a curve from phase 0 to pi (default 101)", .single = &wish.points},
        {"--cell", NULL, "N", "beads in a cell (default: the smallest that repeats)", .single = &wish.cell},
        {"--along", NULL, "AXES",
         "of a solid: x, y, z or several, such as xy, or a wave vector, such as 1,0.5,0 (default x)",
         .single = &wish.along},
        {"--force", NULL, "FORCE", "of a crystal: every contact carries this, whatever the scene's start",
         .single = &wish.load},
        {"--prestress", NULL, NULL,
         "of a crystal: static forces count, which turn with their contacts; of a solid: modes about its start, loaded",
         .flag = &wish.prestress},
        {"--set", NULL, "KEY=VALUE", "override a key of the scene; may be repeated", .many = set, .count = &nset},
        {"--quiet", "-q", NULL, "only write files", .flag = &wish.quiet},
        {0},
    };
    const struct cli_command command = {
        "carom dispersion SCENE [--csv FILE] [--modes FILE] [--set key=value ...]",
        "Small waves about the start of a scene: normal modes of the whole chain, bands and gaps of the cell it\n"
        "repeats. Contacts have the stiffness of their static load (precompression), contacts that just touch that of\n"
        "first touch; damping is left out. Curves: branch, phase per cell, wave number, angular frequency, frequency,\n"
        "group velocity. Of a solid: waves in the lattice of its cells, and the modes of a small body. Of a crystal "
        "of\n"
        "discs or spheres: bands along a path in its Brillouin zone, and the modes of a small one.",
        options, 1, 1};
    int code;
    if (!cli_read(&command, argc, argv, path, &npositional, &code) ||
        (wish.points && !cli_study_count("--points", wish.points, 1000000, &wish.npoints, &code)) ||
        (wish.count && !cli_study_count("--count", wish.count, 1000, &wish.ncount, &code)) ||
        (wish.load && !read_force(&wish, &code)) ||
        (wish.cell && !cli_study_count("--cell", wish.cell, CAROM_DISPERSION_CELL, &wish.period, &code)))
        return code;
    wish.npoints = wish.npoints < 2 ? 2 : wish.npoints;
    struct carom_error error = {CAROM_OK, ""};
    enum carom_status status = CAROM_OK;
    if (wish.curves && carom_csv_may_replace_table(wish.curves, CLI_DISPERSION_BANDS, &error) != CAROM_OK)
        status = carom_csv_may_replace_table(wish.curves, CLI_DISPERSION_CURVES, &error);
    if (status == CAROM_OK && wish.modes)
        status = carom_csv_may_replace_table(wish.modes, CLI_DISPERSION_HEADING, &error);
    if (status == CAROM_OK && wish.shapes)
        status = carom_csv_may_replace_table(wish.shapes, CLI_DISPERSION_SHAPES, &error);
    const struct carom_scene_wish unloaded = {.unsettled = true};
    struct carom_scene *scene = status == CAROM_OK ? carom_scene_read_as(path[0], set, nset, &unloaded, &error) : NULL;
    /* springs of crystals are those of their static state */
    if (scene && (cli_dispersion_is_crystal(scene) || (wish.prestress && cli_dispersion_is_solid(scene)))) {
        carom_scene_free(scene);
        scene = cli_study_scene(path[0], set, nset, wish.quiet, 0, &error);
    }
    if (scene)
        status = work(scene, &wish, &error);
    code = scene && status == CAROM_OK ? CAROM_OK : cli_fail(&error);
    carom_scene_free(scene);
    return code;
}
