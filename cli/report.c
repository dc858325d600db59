/* carom report: run files and results of studies as one HTML page that needs nothing else. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "record/run_file.h"
#include "report.h"
#include "study.h"
#include "study/page/page.h"

enum { MOST_FILES = 64 };

/* run.h5 -> run.html, here */
static void default_output(const char *path, const char *ending, char *output, size_t size)
{
    int stem;
    const char *name = carom_file_name(path, &stem);
    snprintf(output, size, "%.*s%s", stem < 200 ? stem : 200, name, ending);
}

static struct carom_page page_of(const char *const *file, size_t nfiles, const char *title)
{
    return (struct carom_page){.viewer = cli_viewer_begin,
                               .length = (size_t)(cli_viewer_end - cli_viewer_begin),
                               .title = title,
                               .nfiles = nfiles,
                               .file = file};
}

enum carom_status cli_report_write(const char *const *file, size_t nfiles, const char *title,
                                   const struct cli_small *small, const char *output, bool *written,
                                   struct carom_error *error)
{
    struct carom_page page = page_of(file, nfiles, title);
    if (small) {
        page.room = small->room;
        page.viewer = small->viewer;
        page.length = small->length;
    }
    return carom_page_write(&page, output, written, error);
}

static bool is_scene(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* page.html -> page.h5, beside it: the run of a scene with other numbers, which SCENE.h5 is not */
static void beside(const char *page, size_t number, char *name, size_t size)
{
    const char *slash = strrchr(page, '/'), *dot = strrchr(slash ? slash : page, '.');
    char which[24] = "";
    if (number > 0) /* scenes after the first */
        snprintf(which, sizeof which, "-%zu", number + 1);
    snprintf(name, size, "%.*s%s.h5", (int)(dot ? (size_t)(dot - page) : strlen(page)), page, which);
}

/* may this file be replaced: is it a run of this scene with other numbers, too? */
static bool is_own(const char *path, const struct carom_scene *scene)
{
    struct carom_run_file *run = carom_run_file_open(path, NULL);
    const bool own = run && *run->set != '\0' && strcmp(run->scene, scene->text) == 0;
    carom_run_file_close(run);
    return own;
}

/* A scene is run first, as 'carom run' does; what stands there already is not replaced behind anybody's back. */
static int run_scene(const char **path, char *name, size_t size, const char *const *set, size_t nset, bool quiet)
{
    struct carom_error error = {CAROM_OK, ""};
    const char *arguments[5 + 2 * CLI_MANY] = {"run", *path, "-o", name};
    int count = 4;
    struct carom_scene *scene = cli_study_scene(*path, set, nset, true, 0, &error);
    if (!scene) /* a key that is wrong is told before a file that is there */
        return cli_fail(&error);
    const bool other = nset > 0 && access(name, F_OK) == 0 && !is_own(name, scene);
    carom_scene_free(scene);
    if (nset == 0)
        default_output(*path, ".h5", name, size);
    if (other)
        return cli_usage("the run of %s with --set would replace %s, which is another: choose another -o", *path, name);
    if (nset == 0 && access(name, F_OK) == 0)
        return cli_usage(
            "%s is a scene, and %s is there already: 'carom report %s' shows that, 'carom run %s' runs the "
            "scene anew",
            *path, name, name, *path);
    for (size_t i = 0; i < nset; i++) {
        arguments[count++] = "--set";
        arguments[count++] = set[i];
    }
    if (quiet)
        arguments[count++] = "-q";
    const int code = carom_cli_run(count, (char **)(uintptr_t)arguments);
    *path = name;
    return code;
}

int carom_cli_report(int argc, char **argv)
{
    const char *output = NULL, *title = NULL, *path[MOST_FILES], *set[CLI_MANY];
    char name[256], run[MOST_FILES][256];
    size_t npositional, nset = 0;
    bool quiet = false, growing = false, written;
    const struct cli_option options[] = {
        {"--output", "-o", "PAGE.html", "the page to write (default: the first file's name with .html, here)",
         .single = &output},
        {"--set", NULL, "KEY=VALUE", "override a key of the scenes that are run; may be repeated", .many = set,
         .count = &nset},
        {"--title", NULL, "TEXT", "of the page (default: that of the first run)", .single = &title},
        {"--growing", NULL, NULL, "a page that asks its server for more: made and served by 'carom run --live'",
         .flag = &growing},
        {"--quiet", "-q", NULL, "say nothing", .flag = &quiet},
        {0},
    };
    const struct cli_command command = {
        "carom report FILE... [-o PAGE.html]",
        "Makes one HTML page of run files (of a scene: runs it first) and of results of studies (sweeps as .h5,\n"
        "tables as CSV, what 'carom verify' printed): plots, space-time maps, ledger, events and a moving picture.\n"
        "The page needs no network and no other file, and stays below 20 MB; where a run is larger it says what\n"
        "was left out.",
        options, 1, MOST_FILES};
    int code;
    if (!cli_read(&command, argc, argv, path, &npositional, &code))
        return code;
    struct carom_error error = {CAROM_OK, ""};
    if (!output) {
        default_output(path[0], ".html", name, sizeof name);
        output = name;
    }
    bool scenes = false;
    for (size_t i = 0; i < npositional; i++) {
        if (strcmp(path[i], "-") == 0)
            return cli_usage("report -: a page is made of files with names; 'carom run - -o RUN.h5' runs a scene from "
                             "the standard input, and 'carom report RUN.h5' shows it");
        scenes = scenes || is_scene(path[i]);
        beside(output, i, run[i], sizeof run[i]);
        if (is_scene(path[i]) && (code = run_scene(&path[i], run[i], sizeof run[i], set, nset, quiet)) != CAROM_OK)
            return code;
    }
    if (nset > 0 && !scenes)
        return cli_usage("report: --set changes scenes that are run, and %s is none: run its scene "
                         "anew with 'carom run SCENE --set %s'",
                         path[0], set[0]);
    struct carom_page page = page_of(path, npositional, title);
    page.growing = growing;
    const enum carom_status status = carom_page_write(&page, output, &written, &error);
    if (written && !quiet)
        printf("%s\n", output);
    return status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}
