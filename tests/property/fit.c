/* A fit recovers known parameters from noisy data within its stated uncertainty: over many seeds the errors, in
 * units of the stated standard deviations and correlations, are spread as they should be (chi-square), with sigma
 * given and with sigma estimated from the residuals. Prints the seed of what fails. */
#include "study/fit/fit.h"

#include "base/random.h"
#include "check.h"
#include "files.h"

enum { SEEDS = 30, TIMES = 60 };

static const char scene[] = "units: none\n"
                            "bodies: [{chain: {count: 3}}]\n"
                            "contacts: {law: kuwabara-kono, k: 1.3, gamma: 0.05}\n"
                            "start: [{body: 1, velocity: 1}]\n"
                            "run: {until: 7, tol: 1e-7}\n";
static const double truth[] = {1.3, 0.05};

/* v of the last two beads with noise; `given`: with a sigma column */
static void write_data(const double *exact, bool given, double noise, uint64_t seed)
{
    struct carom_random random;
    FILE *file = fopen("data.csv", "w");
    carom_random_start(&random, seed);
    fputs(given ? "time,v[3],sigma,v[2],sigma\n" : "time,v[3],v[2]\n", file);
    for (size_t i = 0; i < TIMES; i++) {
        fprintf(file, "%.17g", 0.1 + 0.11 * (double)i);
        for (size_t c = 0; c < 2; c++) { /* the second column is twice as noisy */
            const double sigma = noise * (double)(c + 1);
            fprintf(file, ",%.17g", exact[2 * i + c] + sigma * carom_random_normal(&random));
            if (given)
                fprintf(file, ",%.17g", sigma);
        }
        fputs("\n", file);
    }
    fclose(file);
}

static const char *const free_keys[] = {"k=0.5:3,gamma=0:0.3"};
static const char *const set[] = {"contacts.k=1.15", "contacts.gamma=0.08"};

/* squares of the pulls of both keys, and of both together */
static bool fit_once(bool given, uint64_t seed, double pull[3], double *chi2, double *freedom)
{
    static struct carom_fit fit;
    static struct carom_fit_result result;
    struct carom_error error = {CAROM_OK, ""};
    bool good = carom_fit_plan(&fit, "scene.yaml", set, 2, "data.csv", free_keys, 1, &error) == CAROM_OK;
    fit.method = CAROM_FIT_POLISH;
    good = good && carom_fit_run(&fit, NULL, 1, NULL, &result, &error) == CAROM_OK && result.converged;
    if (!good)
        printf("seed %llu, sigma %d: %s\n", (unsigned long long)seed, given, error.text);
    const double a = result.value[0] - truth[0], b = result.value[1] - truth[1], *c = result.covariance;
    const double det = c[0] * c[3] - c[1] * c[2];
    pull[0] = a * a / c[0];
    pull[1] = b * b / c[3];
    pull[2] = (a * a * c[3] - 2.0 * a * b * c[1] + b * b * c[0]) / det;
    *chi2 = result.chi2;
    *freedom = result.freedom;
    carom_fit_forget(&result);
    carom_fit_free(&fit);
    return good;
}

static void test_pulls(const double *exact, bool given)
{
    double sum[3] = {0.0}, all = 0.0, degrees = 0.0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        double pull[3], chi2, freedom;
        write_data(exact, given, 0.01, 1000 * given + seed);
        CHECK(fit_once(given, seed, pull, &chi2, &freedom));
        for (size_t k = 0; k < 3; k++)
            sum[k] += pull[k];
        all += chi2;
        degrees += freedom;
    }
    /* both tails: uncertainties that are too large are as wrong as those that are too small */
    for (size_t k = 0; k < 3; k++) {
        const double q = carom_least_squares_probability(sum[k], (k == 2 ? 2.0 : 1.0) * SEEDS);
        printf("sigma %s, pulls %zu: chi-square %.1f, larger by chance in %.1f %%\n", given ? "given" : "estimated", k,
               sum[k], 100.0 * q);
        CHECK(q > 1e-3 && q < 1.0 - 1e-3);
    }
    const double q = carom_least_squares_probability(all, degrees);
    CHECK(!given || (q > 1e-3 && q < 1.0 - 1e-3));
}

int main(void)
{
    static struct carom_fit fit;
    struct carom_error error = {CAROM_OK, ""};
    double exact[2 * TIMES] = {0.0}, nothing[2 * TIMES] = {0.0};
    file_put("scene.yaml", scene);
    write_data(nothing, false, 1.0, 1);
    CHECK(carom_fit_plan(&fit, "scene.yaml", NULL, 0, "data.csv", free_keys, 1, &error) == CAROM_OK);
    CHECK(carom_fit_model_run(&fit, truth, NULL, exact, &error) == CAROM_OK);
    carom_fit_free(&fit);
    test_pulls(exact, true);
    test_pulls(exact, false);
    return check_end();
}
