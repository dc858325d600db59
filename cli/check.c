/* carom check: what a scene would run, and nothing is run or written. */
#include <stdio.h>

#include "cli.h"

static const char *unit(const struct carom_scene *scene, const char *text)
{
    return scene->si ? text : "";
}

/* what the run will cost; error control chooses its steps, so that is an estimate */
static void print_cost(const struct carom_scene *scene)
{
    const struct carom_param *step = carom_param_find(scene->scheme->kind.params, "step");
    const struct carom_param *tol = carom_param_find(scene->scheme->kind.params, "tol");
    double steps = 0.0;
    if (step)
        steps = ceil(scene->until / carom_param_value(step, scene->options));
    else if (tol && scene->scales.contact_time > 0.0) /* measured on impacts of a few beads */
        steps = scene->until / (0.65 * scene->scales.contact_time * pow(carom_param_value(tol, scene->options), 0.2));
    if (steps > 0.0)
        printf("cost       %s%.3g steps of %zu bodies%s\n", step ? "" : "at least ", steps, scene->model->nv,
               step ? "" : ", more where errors grow (pilot runs find out)");
}

static void print_scales(const struct carom_scene *scene)
{
    const struct carom_scales *s = &scene->scales;
    if (!(s->speed > 0.0)) {
        printf("scales     nothing moves\n");
        return;
    }
    printf("scales     V = %.6g%s, U = %.6g%s (errors are relative to these)\n", s->speed, unit(scene, " m/s"),
           s->length, unit(scene, " m"));
    printf("           contact time %.6g%s (shortest pair closing with V)\n", s->contact_time, unit(scene, " s"));
    if (s->contact_time > 0.0)
        printf("           recommended step %.3g%s for verlet, %.3g%s for theta\n", s->contact_time / 100.0,
               unit(scene, " s"), s->contact_time / 20.0, unit(scene, " s"));
}

static void print_record(const struct carom_scene *scene)
{
    const struct carom_schedule *r = &scene->schedule;
    printf("record    ");
    if (r->every > 0.0)
        printf(" every %g%s", r->every, unit(scene, " s"));
    if (r->every_steps > 0)
        printf(" every %llu steps", (unsigned long long)r->every_steps);
    if (r->ntimes > 0)
        printf(" at %zu times", r->ntimes);
    for (size_t i = 0; i < scene->nprobes; i++)
        printf("%s%s", i == 0 ? ": " : ", ", scene->probes[i]);
    printf("%s\n", r->events ? "; openings and closings" : "");
}

int carom_cli_check(int argc, char **argv)
{
    const char *set[CLI_MANY], *path[1];
    size_t nset = 0, npositional;
    bool quiet = false;
    const struct cli_option options[] = {
        {"--set", NULL, "KEY=VALUE", "override a key of the scene; may be repeated", .many = set, .count = &nset},
        {"--quiet", "-q", NULL, "say nothing unless something is wrong", .flag = &quiet},
        {0},
    };
    const struct cli_command command = {
        "carom check SCENE [--set key=value ...]",
        "Reads a scene and says what would run: bodies, contacts, scheme, scales, cost.\n"
        "Runs nothing and writes nothing.",
        options, 1, 1};
    int code;
    if (!cli_read(&command, argc, argv, path, &npositional, &code))
        return code;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_read(path[0], set, nset, &error);
    if (!scene)
        return cli_fail(&error);
    /* a scheme may still refuse the model: ask it */
    struct carom_stepper *stepper =
        carom_stepper_create(scene->scheme, scene->model, scene->options, &scene->scales, NULL, &error);
    if (!stepper) {
        carom_scene_free(scene);
        return cli_fail(&error);
    }
    carom_stepper_free(stepper);
    if (!quiet) {
        cli_describe(scene, scene->model, scene->options);
        printf("until      %g%s\n", scene->until, unit(scene, " s"));
        print_scales(scene);
        print_record(scene);
        print_cost(scene);
    }
    carom_scene_free(scene);
    return CAROM_OK;
}
