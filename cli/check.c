/* carom check: what a scene would run, and nothing is run or written. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/device.h"
#include "carom/law.h"
#include "check.h"
#include "law/restitution.h"
#include "model/solid/solid_cells.h"
#include "scene/run/strike_time.h"
#include "sim/loop.h"
#include "study.h"
#include "study/pairs.h"

static void print_scales(const struct carom_scene *scene)
{
    const struct carom_scales *s = &scene->scales;
    if (!(s->speed > 0.0)) {
        printf("scales     nothing moves\n");
        return;
    }
    printf("scales     V = %.6g%s, U = %.6g%s (errors are relative to these)\n", s->speed, cli_si(scene, " m/s"),
           s->length, cli_si(scene, " m"));
    if (carom_solid_of(scene->model, NULL)) {
        printf("           a P wave needs %.6g%s through the smallest cell\n", s->contact_time, cli_si(scene, " s"));
        const double time = carom_strike_time(scene->model, s);
        if (scene->model->nc > 0 && !(time < HUGE_VAL))
            printf("           contacts of solids last until waves have gone through one of them and back\n");
        else if (scene->model->nc > 0 && time != s->contact_time)
            printf("           contacts last %.3g%s at least (half a swing on the stiffest, closing with V)\n", time,
                   cli_si(scene, " s"));
        return;
    }
    if (s->contact_time > 0.0) /* rigid contacts take none */
        printf("           contact time %.6g%s (shortest pair closing with V)\n", s->contact_time, cli_si(scene, " s"));
}

/* pairs of one law that part with the same part of V, as it is printed */
struct alike {
    const struct carom_law *law;
    char e[24]; /* "": they never separate */
    double least, most;
    size_t count;
};

static void print_alike(const struct carom_scene *scene, const struct alike *a, bool first)
{
    char mass[48];
    snprintf(mass, sizeof mass, a->least < a->most ? "%.4g ... %.4g" : "%.4g", a->least, a->most);
    printf("%-10s %s, %zu contact%s, mass that meets %s%s: ", first ? "pairs" : "", a->law->kind.name, a->count,
           cli_s(a->count), mass, cli_si(scene, " kg"));
    if (*a->e != '\0')
        printf("e = %s at V\n", a->e);
    else
        printf("never separates at V\n");
}

/* what pairs that close with V part with */
static enum carom_status print_pairs(const struct carom_scene *scene, struct carom_error *error)
{
    enum { KINDS = 16, LINES = 4 };
    struct carom_pair pair[KINDS];
    struct alike alike[LINES];
    size_t count = 0, more = 0, lines = 0;
    if (scene->scales.speed > 0.0 &&
        carom_pairs_find(scene->model, scene->q, pair, KINDS, &count, &more, error) == CAROM_E_MEMORY)
        return CAROM_E_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const struct carom_group *g = pair[i].group;
        struct carom_pairs_numbers ignored;
        struct alike one = {.law = g->law, .least = pair[i].mass, .most = pair[i].mass, .count = pair[i].count};
        double value[CAROM_LAW_WIDTH], e = 0.0;
        if (!carom_pairs_scaled(&pair[i], scene->scales.speed, &ignored))
            continue;
        carom_pairs_values(&pair[i], value);
        const enum carom_status status =
            carom_restitution_of(g->law, value, g->ending, pair[i].mass, scene->scales.speed, &e, NULL, NULL, error);
        if (status == CAROM_E_MEMORY)
            return status;
        if (status == CAROM_OK)
            snprintf(one.e, sizeof one.e, "%.6g", e);
        size_t at = 0;
        while (at < lines && (alike[at].law != one.law || strcmp(alike[at].e, one.e) != 0))
            at++;
        if (at == LINES) {
            more += one.count;
            continue;
        }
        if (at == lines)
            alike[lines++] = one;
        else
            alike[at] = (struct alike){.law = one.law,
                                       .least = fmin(alike[at].least, one.least),
                                       .most = fmax(alike[at].most, one.most),
                                       .count = alike[at].count + one.count};
        memcpy(alike[at].e, one.e, sizeof one.e);
    }
    for (size_t i = 0; i < lines; i++)
        print_alike(scene, &alike[i], i == 0);
    if (more > 0 && lines > 0) /* a rigid pair has no such numbers */
        printf("           and %zu contact%s of other kinds\n", more, cli_s(more));
    return CAROM_OK;
}

/* how few cells across leave bending so little too stiff */
static size_t cells_for(const struct carom_solid *solid, double part)
{
    size_t n = 2;
    while (carom_solid_scales_bending(solid, n) > part)
        n++;
    return n;
}

/* A box that is at least twice as long as it is thick may bend: does it have the cells for that? */
static void print_bending(const struct carom_solid *solid)
{
    const struct carom_solid_grid *g = &solid->grid;
    const char *name = solid->name, *colon = *name != '\0' ? ": " : "";
    const double wide = fmax(g->edge[0], g->edge[2]) / g->thickness;
    if (g->shell) {
        printf("bending    %s%sthe wall is one cell thick: where it twists it is about %.2g times too stiff\n", name,
               colon, 1.0 + wide * wide);
        return;
    }
    int thin = 0;
    double longest = 0.0;
    for (int k = 0; k < solid->dimension; k++) {
        const double size = g->edge[k] * (double)g->count[k];
        longest = fmax(longest, size);
        thin = size < g->edge[thin] * (double)g->count[thin] ? k : thin;
    }
    const size_t n = g->count[thin];
    if (n == 0 || longest < 2.0 * g->edge[thin] * (double)n)
        return;
    const double part = 100.0 * carom_solid_scales_bending(solid, n);
    if (n == 1)
        printf("bending    %s%sone cell across %c bends as a beam, with E I, but twists too stiffly\n", name, colon,
               "xyz"[thin]);
    else if (part > 0.0)
        printf("bending    %s%sabout %.*f %% too stiff with %zu cells across %c; 1 %% takes %zu, 0.1 %% takes %zu\n",
               name, colon,
               part < 0.95  ? 2
               : part < 9.5 ? 1
                            : 0,
               part, n, "xyz"[thin], cells_for(solid, 0.01), cells_for(solid, 0.001));
}

/* the corners of what probes read */
static void print_region(const struct carom_scene *scene)
{
    const struct carom_bodies *bodies = carom_model_bodies(scene->model);
    printf("; region");
    for (size_t k = 0; k < bodies->dimension; k++)
        printf("%s %g to %g%s", k > 0 ? "," : "", scene->region.low[k], scene->region.high[k], cli_si(scene, " m"));
}

/* cells that are no boxes: how skew their links are, and what they hold in all */
static void print_links(const struct carom_scene *scene, const struct carom_solid *solid)
{
    const struct carom_mesh_skew *skew = &solid->cells->skew;
    const double degrees = 180.0 / 3.14159265358979323846;
    const uint32_t *worst = solid->nlinks > 0 ? solid->link[skew->worst].cell : NULL;
    double volume = 0.0;
    for (size_t i = 0; i < solid->n; i++)
        volume += solid->sorts[solid->sort[i]].volume;
    printf("cells      %s%s%.8g%s in all, %zu link%s", solid->name, *solid->name != '\0' ? ": " : "", volume,
           cli_si(scene, " m^3"), solid->nlinks, cli_s(solid->nlinks));
    if (worst)
        printf("; their faces are turned from them by %.3g degrees on average, at most %.3g (cells %u and %u),\n"
               "           and off centre by %.3g of their length, at most %.3g",
               degrees * acos(fmin(skew->cosine, 1.0)), degrees * acos(fmin(skew->least, 1.0)), (unsigned)worst[0],
               (unsigned)worst[1], skew->offset, skew->most);
    printf("\n");
}

static void print_record(const struct carom_scene *scene)
{
    static const char *const chosen[] = {"u", "v", "contact_force"};
    const struct carom_schedule *r = &scene->schedule;
    printf("record    ");
    if (r->every > 0.0)
        printf(" every %g%s%s", r->every, cli_si(scene, " s"),
               r->every > scene->until ? " (longer than the run: only its start is sampled)" : "");
    if (r->action > 0.0)
        printf(", while contacts act every %.3g%s, at most %llu samples", r->action, cli_si(scene, " s"),
               (unsigned long long)r->most +
                   (unsigned long long)ceil(scene->until / r->every)); /* those between, too */
    if (r->every_steps > 0)
        printf(" every %llu step%s", (unsigned long long)r->every_steps, cli_s(r->every_steps));
    if (r->ntimes > 0)
        printf(" at %zu time%s", r->ntimes, cli_s(r->ntimes));
    for (size_t i = 0; i < scene->nprobes; i++)
        printf("%s%s", i == 0 ? ": " : ", ", scene->probes[i]);
    for (size_t i = 0; i < scene->nchoices; i++)
        printf("%s%s_%zu", i == 0 && scene->nprobes == 0 ? ": " : ", ", chosen[scene->choices[i].what],
               scene->choices[i].number);
    if (scene->regional)
        print_region(scene);
    size_t cells = 0, sensors = 0;
    for (size_t i = 0; i < carom_solid_count(scene->model); i++) {
        const struct carom_solid *solid = carom_solid_at(scene->model, i);
        cells += solid->record ? solid->nrecord : solid->n;
        sensors += solid->nsensors;
    }
    if (carom_solid_of(scene->model, NULL))
        printf(" of %zu cell%s", cells, cli_s(cells));
    const struct carom_solid *solid = cells == 1 ? carom_solid_of(scene->model, NULL) : NULL;
    if (solid && solid->nrecord == 1) /* where the one stands that is nearest */
        printf(" at (%.6g, %.6g, %.6g)%s", solid->centre[*solid->record][0], solid->centre[*solid->record][1],
               solid->centre[*solid->record][2], cli_si(scene, " m"));
    if (sensors > 0)
        printf(", and %zu sensor%s", sensors, cli_s(sensors));
    printf("%s\n", !r->events || scene->model->nc == 0      ? ""
                   : scene->model->offers & CAROM_COMPLIANT ? "; openings and closings"
                                                            : "; impacts, openings and closings");
}

/* a scheme may still refuse the model, or the device: ask it */
static bool would_run(const struct carom_scene *scene, struct carom_error *error)
{
    struct carom_device *device = NULL;
    struct carom_stepper *stepper =
        carom_stepper_create(scene->scheme, scene->model, scene->options, &scene->scales, NULL, error);
    const bool good = stepper && carom_sim_device(stepper, scene->device, scene->device_at, &device, error) == CAROM_OK;
    carom_stepper_free(stepper);
    carom_device_free(device);
    return good;
}

/* "1,2,1000" */
static bool read_ranks(const char *text, struct cli_check_ranks *wish, int *code)
{
    char word[32];
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
        if (wish->count == sizeof wish->ranks / sizeof *wish->ranks) {
            *code = cli_usage("--ranks %.80s: at most %zu numbers", text, wish->count);
            return false;
        }
        if (!cli_study_count("--ranks", word, 1000000, &wish->ranks[wish->count++], code))
            return false;
    }
    return true;
}

/* what was asked about ranks, or a complaint */
static bool read_wish(const char *ranks, const char *cells, struct cli_check_ranks *wish, int *code)
{
    if ((!ranks != !wish->machine) || (cells && !ranks)) {
        *code = cli_usage("--ranks N and --machine FILE go together, and --cells with them");
        return false;
    }
    return !ranks ||
           (read_ranks(ranks, wish, code) && (!cells || cli_study_number("--cells", cells, &wish->cells, code)));
}

int carom_cli_check(int argc, char **argv)
{
    const char *set[CLI_MANY], *path[1], *ranks = NULL, *cells = NULL;
    struct cli_check_ranks wish = {0};
    size_t nset = 0, npositional;
    bool quiet = false;
    const struct cli_option options[] = {
        {"--set", NULL, "KEY=VALUE", "override a key of the scene; may be repeated", .many = set, .count = &nset},
        {"--ranks", NULL, "N,N,...", "also say what a step costs on that many ranks (docs/scale.md)", .single = &ranks},
        {"--machine", NULL, "FILE", "with --ranks: what was measured on the machine they run on",
         .single = &wish.machine},
        {"--cells", NULL, "N", "with --ranks: as if the body had that many cells", .single = &cells},
        {"--quiet", "-q", NULL, "say nothing unless something is wrong", .flag = &quiet},
        {0},
    };
    const struct cli_command command = {
        "carom check SCENE [--set key=value ...]",
        "Reads a scene and says what would run: bodies, contacts, scheme, scales, cost, and with which restitution e\n"
        "pairs part that close with the scale speed V.\n"
        "Runs nothing and writes nothing.",
        options, 1, 1};
    int code;
    if (!cli_read(&command, argc, argv, path, &npositional, &code) || !read_wish(ranks, cells, &wish, &code))
        return code;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = cli_study_scene(path[0], set, nset, quiet, 0, &error);
    if (!scene)
        return cli_fail(&error);
    if (!would_run(scene, &error)) {
        carom_scene_free(scene);
        return cli_fail(&error);
    }
    enum carom_status status = CAROM_OK;
    if (!quiet) {
        cli_describe(scene, scene->model, scene->options);
        for (size_t i = 0; i < carom_solid_count(scene->model); i++)
            if (carom_solid_at(scene->model, i)->cells)
                print_links(scene, carom_solid_at(scene->model, i));
        printf("until      %g%s\n", scene->until, cli_si(scene, " s"));
        print_scales(scene);
        status = print_pairs(scene, &error);
        cli_check_step(scene);
        cli_check_crystal(scene);
        cli_check_tableau(scene);
        for (size_t i = 0; i < carom_solid_count(scene->model); i++)
            print_bending(carom_solid_at(scene->model, i));
        print_record(scene);
        cli_notes(scene, scene->model);
        cli_notes_before(scene);
        cli_check_cost(scene);
    }
    if (status == CAROM_OK && wish.machine)
        status = cli_check_ranks(scene, &wish, &error);
    carom_scene_free(scene);
    return status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}
