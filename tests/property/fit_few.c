/* Few points without sigma: over simulated sets the truth lies within twice the stated uncertainty in about .95, as it
 * does where sigma is given, and what is assumed of sigma is said. */
#include "study/fit/fit.h"

#include <string.h>

#include "base/random.h"
#include "check.h"
#include "files.h"

enum { SETS = 40, MOST = 64 };

static const char scene[] = "units: none\n"
                            "bodies: [{chain: {count: 3}}]\n"
                            "contacts: {law: kuwabara-kono, k: 1.3, gamma: 0.05}\n"
                            "start: [{body: 1, velocity: 1}]\n"
                            "run: {until: 5, tol: 1e-6}\n";
static const double truth[] = {1.3, 0.05};
static const char *const free_keys[] = {"k=0.2:4,gamma=0:0.6"};

/* a table of simulated measurements */
struct data {
    const char *name, *head;
    size_t lines, columns, more; /* more: lines with the first column alone */
    const double *at;            /* what stands first in a line: a time or a velocity; NULL: nothing */
    double noise[3];
    bool relative; /* noise is a fraction of the exact value's column */
    size_t count;  /* of all numbers */
    enum carom_fit_noise from[3];
};

static void write_data(const struct data *d, const double *exact, uint64_t seed)
{
    struct carom_random random;
    FILE *file = fopen("data.csv", "w");
    size_t k = 0;
    carom_random_start(&random, seed);
    fprintf(file, "%s\n", d->head);
    for (size_t i = 0; i < d->lines; i++) {
        if (d->at != NULL)
            fprintf(file, "%.17g,", d->at[i]);
        for (size_t c = 0; c < d->columns; c++) {
            if (c > 0)
                fputs(",", file);
            if (c > 0 && i < d->more)
                continue;
            const double sigma = d->noise[c] * (d->relative ? fabs(exact[k]) : 1.0);
            fprintf(file, "%.17g", exact[k++] + sigma * carom_random_normal(&random));
        }
        fputs("\n", file);
    }
    fclose(file);
    CHECK(k == d->count);
}

/* how far off the keys are, in stated uncertainties; false: no fit */
static bool fit_once(const struct data *d, double *pull)
{
    static struct carom_fit fit;
    static struct carom_fit_result result;
    struct carom_error error = {CAROM_OK, ""};
    bool good = carom_fit_plan(&fit, "scene.yaml", NULL, 0, "data.csv", free_keys, 1, &error) == CAROM_OK;
    fit.method = CAROM_FIT_POLISH;
    good = good && carom_fit_run(&fit, NULL, 1, NULL, &result, &error) == CAROM_OK;
    if (!good)
        printf("%s: %s\n", d->name, error.text);
    for (size_t i = 0; i < 2 && good; i++) /* at a bound there is none */
        pull[i] = result.fixed[i] ? nan("") : fabs(result.value[i] - truth[i]) / result.sigma[i];
    for (size_t c = 0; c < d->columns && good; c++)
        CHECK(result.noise[c] == d->from[c]);
    char text[CAROM_FIT_NOISE_TEXT];
    carom_fit_noise_text(&fit, &result, text, sizeof text);
    CHECK(!good || (strstr(text, "too few points") != NULL) == (d->from[d->columns - 1] >= CAROM_FIT_NOISE_UNIT));
    carom_fit_forget(&result);
    carom_fit_free(&fit);
    return good;
}

static void test_coverage(const struct data *d)
{
    static struct carom_fit fit;
    struct carom_error error = {CAROM_OK, ""};
    const double nothing[MOST] = {0.0};
    double exact[MOST] = {0.0}, worst = 0.0;
    size_t within = 0, all = 0;
    write_data(d, nothing, 1);
    CHECK_STATUS(carom_fit_plan(&fit, "scene.yaml", NULL, 0, "data.csv", free_keys, 1, &error), CAROM_OK);
    CHECK_STATUS(carom_fit_model_run(&fit, truth, NULL, exact, &error), CAROM_OK);
    carom_fit_free(&fit);
    for (uint64_t seed = 1; seed <= SETS; seed++) {
        double pull[2];
        write_data(d, exact, seed);
        CHECK(fit_once(d, pull));
        for (size_t i = 0; i < 2; i++) {
            all += isnan(pull[i]) ? 0 : 1;
            within += pull[i] < 2.0;
            worst = fmax(worst, pull[i]);
        }
    }
    const double part = (double)within / (double)all;
    printf("%s: within two sigmas in %.3f of %zu, the worst %.1f\n", d->name, part, all, worst);
    CHECK(part > 0.9 && part < 0.99);
}

int main(void)
{
    static const double speeds[] = {1.0, 1.6}, moments[] = {1.0, 2.0};
    double times[40];
    for (size_t i = 0; i < 40; i++)
        times[i] = 0.3 + 0.11 * (double)i;
    const enum carom_fit_noise own = CAROM_FIT_NOISE_OWN, unit = CAROM_FIT_NOISE_UNIT, every = CAROM_FIT_NOISE_ALL;
    const struct data list[] = {
        {"two runs, three outputs of two units",
         "set start.1.velocity,v_last,v_first,peak_force_1",
         2,
         3,
         0,
         speeds,
         {0.003, 0.003, 0.003},
         false,
         6,
         {every, every, every}},
        {"two runs, three outputs, each 1 % off",
         "set start.1.velocity,v_last,v_2,peak_force_1",
         2,
         3,
         0,
         speeds,
         {0.01, 0.01, 0.01},
         true,
         6,
         {every, every, every}},
        {"two times of three velocities",
         "time,v[1],v[2],v[3]",
         2,
         3,
         0,
         moments,
         {0.002, 0.002, 0.002},
         false,
         6,
         {unit, unit, unit}},
        {"one run, three outputs",
         "v_last,v_first,peak_force_1",
         1,
         3,
         0,
         NULL,
         {0.001, 0.001, 0.001},
         false,
         3,
         {every, every, every}},
        {"40 of one column and 2 of another", "time,v[3],v[2]", 40, 2, 38, times, {0.01, 0.01}, false, 42, {own, unit}},
    };
    file_put("scene.yaml", scene);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        test_coverage(&list[i]);
    return check_end();
}
