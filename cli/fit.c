/* carom fit: keys of a scene from measured data, with uncertainties. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "ranks.h"
#include "record/export/csv.h"
#include "solve/search.h"
#include "study.h"
#include "study/fit/fit.h"
#include "terminal.h"

struct wish {
    const char *data, *output, *csv, *log, *method, *most, *threads, *set[CLI_MANY], *free[CLI_MANY];
    size_t nset, nfree;
    bool quiet;
};

/* --- what it says ------------------------------------------------------------------------------------------------ */

static void print_data(const struct carom_fit *fit)
{
    const struct carom_fit_data *data = &fit->data;
    printf("data       %s: %zu number%s", data->name, data->npoints, cli_s(data->npoints));
    if (data->runs)
        printf(" of %zu run%s\n", data->nruns, cli_s(data->nruns));
    else
        printf(" from t = %g to %g%s\n", data->first, data->last, fit->scene->si ? " s" : "");
}

static void print_keys(const struct carom_fit *fit, const struct carom_fit_result *result)
{
    const bool narrow = cli_terminal_width() > 0 && cli_terminal_width() < 76;
    const int wide = narrow ? 22 : 32, value = narrow ? 12 : 16, digits = narrow ? 6 : 9, other = narrow ? 10 : 12;
    printf("\n%-*s %*s %*s %*s\n", wide, "key", value, "value", other, "+-", other, "start");
    for (size_t i = 0; i < fit->nkeys; i++) {
        const char *unit = carom_fit_unit(fit, i);
        char name[200];
        snprintf(name, sizeof name, strcmp(unit, "1") != 0 ? "%s (%s)" : "%s", fit->key[i].key, unit);
        printf("%-*s %*.*g ", wide, name, value, digits, result->value[i]);
        if (result->fixed[i])
            printf("%*s", other, "at bound");
        else
            printf("%*.3g", other, result->sigma[i]);
        printf(" %*.*g\n", other, narrow ? 4 : 6, fit->key[i].start);
    }
    bool head = false;
    for (size_t i = 0; i < fit->nkeys; i++)
        for (size_t j = 0; j < i; j++) {
            const double c = result->covariance[i * fit->nkeys + j] / (result->sigma[i] * result->sigma[j]);
            if (isnan(c))
                continue;
            printf("%s%s and %s: %.4f%s\n", head ? "             " : "correlation  ", fit->key[j].key, fit->key[i].key,
                   c, fabs(c) > 0.99 ? "  (hardly told apart)" : "");
            head = true;
        }
}

/* what a chi-square says that is hardly chance */
static const char *verdict(double probability)
{
    return probability < 0.001   ? "; so the model does not fit, or sigmas are too small"
           : probability > 0.999 ? "; so sigmas are too large"
                                 : "";
}

static void print_columns(const struct carom_fit *fit, const struct carom_fit_result *result)
{
    const struct carom_fit_data *data = &fit->data;
    char assumed[CAROM_FIT_NOISE_TEXT];
    const bool narrow = cli_terminal_width() > 0 && cli_terminal_width() < 75;
    const int wide = narrow ? 16 : 24, points = narrow ? 6 : 8, other = narrow ? 12 : 14;
    printf("\n%-*s %*s %*s %*s %10s\n", wide, "measured", points, "points", other, "rms residual", other, "sigma",
           "neighbours");
    for (size_t c = 0; c < data->ncolumns; c++) {
        const struct carom_fit_column *column = &data->column[c];
        char name[80];
        snprintf(name, sizeof name, "%s%s%s%s", column->name, fit->scene->si ? " (" : "",
                 fit->scene->si ? column->unit : "", fit->scene->si ? ")" : "");
        printf("%-*s %*zu %*.6g ", wide, name, points, column->points, other, result->rms[c]);
        if (column->sigma)
            printf("%*s", other, "as given");
        else
            printf("%*.6g", other, result->spread[c]);
        printf(" %10.2f\n", result->lag[c]);
    }
    if (!(result->freedom > 0.0))
        printf("as many keys as numbers: the fit goes through the data, which cannot contradict it\n");
    else if (result->given)
        printf("chi-square %.6g with %g degree%s of freedom: if model and sigmas are right, chance makes it larger in "
               "%.3g %% of cases%s\n",
               result->chi2, result->freedom, cli_s((unsigned long long)result->freedom), 100.0 * result->probability,
               verdict(result->probability));
    else {
        carom_fit_noise_text(fit, result, assumed, sizeof assumed);
        fputs(assumed, stdout);
    }
}

static void print_result(const struct carom_fit *fit, const struct carom_fit_result *result, double seconds)
{
    printf("%s\n", fit->scene->title != NULL && *fit->scene->title ? fit->scene->title : "(no title)");
    print_data(fit);
    printf("runs       %zu", result->runs);
    if (result->replayed > 0)
        printf(", %zu looked up", result->replayed);
    printf("; sum of squares %.6g of that at the start\n", result->chi2 / result->start_chi2);
    if (!result->converged)
        printf("NOT CONVERGED: the last steps were not small; take --method global, other starts or a smaller tol\n");
    print_keys(fit, result);
    print_columns(fit, result);
    if (result->device[0] != '\0')
        printf("device     %s\n", result->device);
    printf("time       %.3g s\n", seconds);
}

static enum carom_status write_csv(const struct carom_fit *fit, const struct carom_fit_result *result, const char *path,
                                   struct carom_error *error)
{
    FILE *file = carom_csv_create(path, NULL, error);
    if (!file)
        return error->status;
    fprintf(file, "column,%s,value,sigma,model,residual\n", fit->data.runs ? "run" : "time");
    for (size_t i = 0; i < fit->data.npoints; i++) {
        const struct carom_fit_point *p = &fit->data.point[i];
        const double row[] = {p->at, p->value, p->sigma * result->spread[p->column], result->model[i],
                              result->model[i] - p->value};
        fprintf(file, "%s", fit->data.column[p->column].name);
        carom_csv_numbers(file, row, sizeof row / sizeof *row);
        putc('\n', file);
    }
    return carom_csv_close(file, path, CAROM_OK, error);
}

/* --- the command ------------------------------------------------------------------------------------------------- */

/* the default log: the scene's name and what tells this fit from others, in the current folder */
static void default_log(const char *scene, const struct carom_fit *fit, char *name, size_t size)
{
    int stem;
    const char *base = carom_file_name(scene, &stem);
    snprintf(name, size, "%.*s-fit-%08llx.log", stem, base,
             (unsigned long long)(carom_fit_plan_identity(fit) & 0xffffffff));
}

static enum carom_status choose_method(const struct wish *wish, struct carom_fit *fit, struct carom_error *error)
{
    static const char *const names[] = {"local", "global", "polish"};
    size_t k = 0;
    while (k < 3 && wish->method && strcmp(wish->method, names[k]) != 0)
        k++;
    if (k == 3)
        return carom_error_set(error, CAROM_E_USAGE, "--method %s: must be local, global or polish", wish->method);
    fit->method = (enum carom_fit_method)k;
    if (fit->method != CAROM_FIT_POLISH && !carom_search_available())
        return carom_error_set(error, CAROM_E_REFUSED,
                               "this carom was built without NLopt, which searches need: install libnlopt-dev and "
                               "build it again, or take --method polish, which goes from a good start by itself");
    return CAROM_OK;
}

static enum carom_status check_outputs(const struct wish *wish, struct carom_error *error)
{
    if (wish->csv && carom_csv_may_replace_table(wish->csv, "column,", error) != CAROM_OK)
        return error->status;
    return wish->output ? carom_fit_file_may(wish->output, error) : CAROM_OK;
}

static enum carom_status keep(const struct carom_fit *fit, const struct carom_fit_result *result,
                              const struct wish *wish, struct carom_error *error)
{
    if (wish->csv && write_csv(fit, result, wish->csv, error) != CAROM_OK)
        return error->status;
    if (!wish->output || carom_fit_file_write(fit, result, wish->output, error) != CAROM_OK)
        return error->status;
    if (!wish->quiet)
        printf("written    %s\n", wish->output);
    return CAROM_OK;
}

static int fit_scene(const char *path, const struct wish *wish, size_t most, size_t threads)
{
    static struct carom_fit fit;
    static struct carom_fit_result result;
    struct carom_error error = {CAROM_OK, ""};
    struct cli_study watch;
    const struct carom_progress progress = {cli_study_watch, &watch};
    char log[1024];
    const char *kept = wish->log ? wish->log : log;
    enum carom_status status = check_outputs(wish, &error);
    if (status == CAROM_OK)
        status = cli_study_guard(path, wish->set, wish->nset, &error);
    if (status == CAROM_OK)
        status = carom_fit_plan(&fit, path, wish->set, wish->nset, wish->data, wish->free, wish->nfree, &error);
    if (status == CAROM_OK)
        status = choose_method(wish, &fit, &error);
    if (status == CAROM_OK) {
        fit.most = most;
        fit.ranks = cli_ranks();
        default_log(path, &fit, log, sizeof log);
        cli_study_begin(&watch, wish->quiet, "fit");
        status = carom_fit_run(&fit, kept, threads, &progress, &result, &error);
        cli_study_end(&watch);
        if (carom_rank_own(fit.ranks) > 0)
            return (int)status; /* the rest is said and written once */
        if (status == CAROM_E_STOPPED)
            carom_error_set(&error, status, "stopped after %zu run%s; the same command goes on from %s", result.runs,
                            cli_s(result.runs), kept);
        else if (!wish->log && status != CAROM_E_MEMORY && status != CAROM_E_FILE)
            remove(log); /* has done its service */
    }
    if (status == CAROM_OK && !wish->quiet)
        print_result(&fit, &result, cli_progress_seconds(&watch.progress));
    if (status == CAROM_OK)
        status = keep(&fit, &result, wish, &error);
    if (status == CAROM_OK && !result.converged)
        status = carom_error_set(&error, CAROM_E_NUMERIC, "the fit has not converged");
    carom_fit_forget(&result);
    carom_fit_free(&fit);
    return status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}

int carom_cli_fit(int argc, char **argv)
{
    struct wish wish = {0};
    const char *path[1];
    size_t npositional, threads = 0, most = 0;
    const struct cli_option options[] = {
        {"--to", NULL, "DATA.csv", "the measured numbers", .single = &wish.data},
        {"--free", NULL, "KEY[=LOW:HIGH]", "keys to be found, separated by commas, with bounds; may be repeated",
         .many = wish.free, .count = &wish.nfree},
        {"--method", NULL, "NAME", "local (default), global (inside bounds), or polish (from a good start)",
         .single = &wish.method},
        {"--most", NULL, "N", "runs of the search at most", .single = &wish.most},
        {"--set", NULL, "KEY=VALUE", "override a key of the scene; may be repeated", .many = wish.set,
         .count = &wish.nset},
        {"--output", "-o", "FIT.h5", "also write keys, data, model and curve as HDF5", .single = &wish.output},
        {"--csv", NULL, "FILE", "also write data and model as CSV; -: to the standard output", .single = &wish.csv,
         .alone = true},
        {"--log", NULL, "FILE", "keep the runs in this file (default: a file that goes when the fit is done)",
         .single = &wish.log},
        {"--threads", NULL, "N", "threads to use, or auto (the result is the same to the bit)",
         .single = &wish.threads},
        {"--quiet", "-q", NULL, "no progress, no tables", .flag = &wish.quiet},
        {0},
    };
    const struct cli_command command = {
        "carom fit SCENE --to DATA.csv --free key[=low:high],key...",
        "Finds keys of a scene from measured numbers by least squares, with uncertainties. The first line of the data\n"
        "names its columns: time and probes, such as time (us),v[20] (m/s),sigma; or, a run for each line, keys and\n"
        "outputs, such as set start.1.velocity,v_last. time_shift as a key aligns the clocks. A fit that was stopped "
        "or\n"
        "killed resumes where it was: repeat the command.",
        options, 1, 1};
    int code;
    if (!cli_read(&command, argc, argv, path, &npositional, &code) ||
        (wish.most && !cli_study_count("--most", wish.most, 1000000, &most, &code)) ||
        (wish.threads && !cli_study_threads(wish.threads, &threads, &code)))
        return code;
    if (!wish.data || wish.nfree == 0)
        return cli_usage("fit: say %s",
                         wish.data ? "which keys are to be found: --free key,key" : "what was measured: --to data.csv");
    return fit_scene(path[0], &wish, most, threads);
}
