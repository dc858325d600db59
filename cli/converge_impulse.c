/* carom converge in dP: the first impact of a scene under impact lzb-impulse, walked with dP and dP / 2 (the
 * discrepancies (46) and (47) of Nguyen and Brogliato 2011, judged by (48) and (49)), and compared with impact lzb at a
 * far tighter tolerance. */
#include "converge_impulse.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/impact.h"
#include "record/export/csv.h"
#include "study.h"
#include "study/converge/converge.h"
#include "study/follow/strike.h"
#include "study/range.h"

#define TRUTH 1e-12    /* tolerance of impact lzb */
#define PRECISION 0.01 /* epsilon and epsilon+ of (48), (49), as in the report's tables */

struct row {
    double dP, error;
    struct carom_strike_discrepancy d;
};

bool cli_converge_impulse_fits(const struct carom_scene *scene)
{
    const struct carom_param *row = carom_param_find(scene->scheme->kind.params, "impact");
    return row && carom_striker_impacts[(size_t)carom_param_value(row, scene->options)] == &carom_impact_lzb_impulse;
}

/* --- the rows ---------------------------------------------------------------------------------------------------- */

/* values in N s, as given or five from a hundred times the scene's dP down to it */
static enum carom_status choose(const struct carom_strike *strike, const char *given, bool si,
                                struct carom_range *range, struct carom_error *error)
{
    char own[80];
    const double dP =
        carom_lzb_impulse_manner(&strike->printed, &strike->frame, strike->rate, strike->track.sim->scales.speed).dP;
    snprintf(own, sizeof own, "%.17g:%.17g:5", 100.0 * dP, dP);
    return cli_converge_values("--dPs", given ? given : own, "N*s", si, range, error);
}

static enum carom_status measure(struct carom_strike *strike, const double *truth, size_t nv, struct row *row,
                                 struct carom_error *error)
{
    struct carom_lzb_impulse_options options = strike->printed;
    options.dP = row->dP;
    if (carom_strike_printed(strike, &options, 0.0, error) != CAROM_OK ||
        carom_strike_compare(strike, &options, &row->d, error) != CAROM_OK)
        return error->status;
    row->error = 0.0;
    for (size_t i = 0; i < nv; i++)
        row->error = fmax(row->error, fabs(strike->after[i] - truth[i]) / strike->fastest);
    return CAROM_OK;
}

/* the study on the way, and how far it is */
struct work {
    struct cli_study study;
    double done;
};

static bool watch(void *own, double done)
{
    struct work *work = own;
    (void)done; /* of the first flight */
    return cli_study_watch(&work->study, work->done);
}

static enum carom_status measure_all(struct carom_strike *strike, const struct carom_range *range, struct row *row,
                                     struct work *work, struct carom_error *error)
{
    const size_t nv = strike->track.sim->model->nv;
    double *truth = carom_memory_zeroed(nv, sizeof *truth), all = 0.0;
    if (!truth)
        return carom_memory_error(error);
    enum carom_status status = carom_strike_lzb(strike, TRUTH, 0.0, error);
    memcpy(truth, strike->after, nv * sizeof *truth);
    for (size_t i = 0; i < range->count; i++)
        all += 1.0 / range->value[i];
    for (size_t i = 0; i < range->count && status == CAROM_OK; i++) {
        row[i].dP = range->value[i];
        status = measure(strike, truth, nv, &row[i], error);
        work->done += 1.0 / range->value[i] / all;
        if (status == CAROM_OK && !cli_study_watch(&work->study, work->done))
            status = carom_error_set(error, CAROM_E_STOPPED, "stopped");
    }
    carom_memory_free(truth);
    return status;
}

/* --- the table --------------------------------------------------------------------------------------------------- */

static void print_table(const struct carom_strike *strike, const struct row *row, size_t count, bool si)
{
    static double dP[CAROM_CONVERGE_ROWS], error[CAROM_CONVERGE_ROWS];
    printf("impact     lzb-impulse, safeguards %s, %zu value%s of dP; %zu contact%s at t = %g%s, the fastest "
           "approaches with V = %g%s\n",
           strike->printed.safeguards ? "off" : "on", count, cli_s(count), strike->n, cli_s(strike->n), strike->time,
           si ? " s" : "", strike->fastest, si ? " m/s" : "");
    printf("reference  lzb, tolerance %g\n", TRUTH);
    printf("Phi        how much dP / 2 changes the velocities, relative to the largest: at most during the impact "
           "(46), and after it (47)\n\n");
    printf("%12s %10s  %9s  %9s  %9s  %9s  %7s\n", si ? "dP / N s" : "dP", "steps", "max Phi", "Phi+", "converged",
           "|dv|/V", "v order");
    for (size_t i = 0; i < count; i++) {
        const bool good = row[i].d.during <= PRECISION && row[i].d.end <= PRECISION;
        dP[i] = row[i].dP;
        error[i] = row[i].error;
        printf("%12.6g %10zu  %9.2e  %9.2e  %9s  %9.2e", row[i].dP, row[i].d.steps, row[i].d.during, row[i].d.end,
               good ? "yes" : "no", row[i].error);
        cli_converge_print_order(i > 0 ? cli_converge_order(error[i - 1], error[i], dP[i - 1], dP[i]) : nan(""), false);
        printf("\n");
    }
    const double slope = carom_converge_slope(dP, error, count, 0);
    if (slope == slope)
        printf("%-67s  %7.2f\n", "least squares", slope);
    printf("converged: max Phi and Phi+ are at most %g, (48) and (49)\n", PRECISION);
}

static enum carom_status write_csv(const char *path, const struct row *row, size_t count, struct carom_error *error)
{
    FILE *file = carom_csv_create(path, NULL, error);
    if (!file)
        return error->status;
    fprintf(file, "dP,steps,max_phi,phi_end,dv_relative\n");
    for (size_t i = 0; i < count; i++) {
        const double rest[] = {row[i].d.during, row[i].d.end, row[i].error};
        carom_csv_number(file, row[i].dP);
        fprintf(file, ",%zu", row[i].d.steps);
        carom_csv_numbers(file, rest, sizeof rest / sizeof *rest);
        putc('\n', file);
    }
    return carom_csv_close(file, path, CAROM_OK, error);
}

int cli_converge_impulse(struct carom_scene *scene, const char *given, const char *csv, bool quiet)
{
    static struct row row[CAROM_CONVERGE_ROWS];
    const bool si = scene->si;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_range range = {0};
    struct carom_strike strike = {0};
    struct work work = {.done = 0.0};
    const struct carom_progress look = {watch, &work};
    enum carom_status status = CAROM_OK;
    cli_study_begin(&work.study, quiet, "converge");
    if (csv && carom_csv_may_replace_table(csv, "dP,steps", &error) != CAROM_OK)
        status =
            carom_error_set(&error, CAROM_E_FILE, "%s: exists and is no such table, so it is not overwritten", csv);
    if (status == CAROM_OK)
        status = carom_strike_open(&strike, scene, &look, &error);
    if (status == CAROM_OK)
        status = choose(&strike, given, si, &range, &error);
    if (status == CAROM_OK)
        status = measure_all(&strike, &range, row, &work, &error);
    cli_study_end(&work.study);
    if (status == CAROM_OK && !(csv && strcmp(csv, "-") == 0)) {
        printf("%s\n", scene->title);
        print_table(&strike, row, range.count, si);
    }
    if (status == CAROM_OK && csv)
        status = write_csv(csv, row, range.count, &error);
    carom_range_free(&range);
    carom_strike_close(&strike);
    return status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}
