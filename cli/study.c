/* What the commands that run studies share. */
#include "study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_study_begin(struct cli_study *study, bool quiet, const char *what)
{
    *study = (struct cli_study){.what = what};
    cli_progress_begin(&study->progress, quiet);
}

bool cli_study_watch(void *own, double done)
{
    struct cli_study *study = own;
    const double fresh = (done - study->first) / (1.0 - study->first);
    char left[32] = "?", text[128];
    if (fresh > 0.0)
        cli_progress_time(cli_progress_seconds(&study->progress) * (1.0 - fresh) / fresh, left, sizeof left);
    snprintf(text, sizeof text, "%s %5.1f %%  %s left", study->what, 100.0 * done, left);
    return cli_progress_say(&study->progress, text);
}

void cli_study_end(struct cli_study *study)
{
    cli_progress_end(&study->progress);
}

enum carom_status cli_study_guard(const char *path, const char *const *set, size_t nset, struct carom_error *error)
{
    const struct carom_scene_wish wish = {.unsettled = true, .guard = cli_guard};
    struct carom_scene *scene = carom_scene_read_as(path, set, nset, &wish, error);
    carom_scene_free(scene);
    return !scene && strstr(error->text, CLI_DAMAGED) ? error->status : CAROM_OK;
}

struct carom_scene *cli_study_scene(const char *path, const char *const *set, size_t nset, bool quiet, size_t threads,
                                    struct carom_error *error)
{
    struct cli_study study;
    const struct carom_progress progress = {cli_study_watch, &study};
    const struct carom_scene_wish wish = {.progress = &progress, .threads = threads, .guard = cli_guard};
    cli_study_begin(&study, quiet, "preparing");
    struct carom_scene *scene = carom_scene_read_as(path, set, nset, &wish, error);
    cli_study_end(&study);
    return scene;
}

bool cli_study_number(const char *option, const char *text, double *value, int *code)
{
    char *end;
    *value = strtod(text, &end);
    if (end != text && *end == '\0' && *value > 0.0 && *value < HUGE_VAL)
        return true;
    *code = cli_must_be(option, text, "a positive number");
    return false;
}

bool cli_study_count(const char *option, const char *text, size_t most, size_t *value, int *code)
{
    char *end;
    const long count = strtol(text, &end, 10);
    if (end != text && *end == '\0' && count >= 1 && (unsigned long)count <= most) {
        *value = (size_t)count;
        return true;
    }
    *code = cli_usage("%s %s: must be a number from 1 to %zu", option, text, most);
    return false;
}

enum carom_status cli_study_quantity(const char *option, const char *text, const char *unit, bool above,
                                     struct carom_quantity *quantity, struct carom_error *error)
{
    enum carom_status status = carom_units_value(text, unit, quantity, error);
    if (status == CAROM_OK && above && !(quantity->value > 0.0))
        status = carom_error_set(error, CAROM_E_USAGE, "%s must be above 0", text);
    if (status == CAROM_OK)
        return CAROM_OK;
    error->status = CAROM_E_USAGE;
    return carom_error_prefix(error, "%s", option);
}

bool cli_study_threads(const char *text, size_t *threads, int *code)
{
    return strcmp(text, "auto") == 0 || cli_study_count("--threads", text, 1024, threads, code);
}
