/* What `tol` promises (sup over the recorded times of |du|/U and |dv|/V stays below it) holds for a sim under dp5, on
 * every reference motion and every tolerance a double can carry; and the sim's own estimate is of the right size. */
#include "chain.h"
#include "reference/table.h"

static struct chain chain; /* too large for the stack */
static struct reference_table table;

static void check_tolerance(double tol)
{
    static const char *const probes[] = {"u", "v"};
    const struct carom_scheme *scheme = &carom_scheme_dp5;
    const struct carom_schedule schedule = {.ntimes = (size_t)table.from->samples, .times = table.time};
    chain_from_case(&chain, table.from);
    struct carom_model *model = chain_model(&chain);
    struct carom_recorder *recorder = carom_recorder_create(model, probes, 2, &schedule, NULL);
    CHECK_OR_STOP(recorder != NULL);
    struct carom_memory *memory = carom_sink_memory_new();
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_memory, memory, NULL), CAROM_OK);
    void *options = carom_options_create(&scheme->kind);
    CHECK_STATUS(carom_options_set(&scheme->kind, options, "tol", tol, NULL), CAROM_OK);
    const struct carom_setup setup = {.model = model,
                                      .scheme = scheme,
                                      .options = options,
                                      .q = chain.q,
                                      .v = chain.v,
                                      .until = table.from->until,
                                      .threads = 1,
                                      .recorder = recorder};
    struct carom_sim *sim = carom_sim_create(&setup, NULL);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    CHECK_OR_STOP(memory->nrows == (size_t)table.from->samples);
    const size_t u = carom_sink_memory_column(memory, "u", 0), v = carom_sink_memory_column(memory, "v", 0);
    double worst = 0.0;
    for (size_t i = 0; i < memory->nrows; i++) {
        const double *row = memory->value + i * memory->width;
        CHECK(memory->time[i] == table.time[i]);
        for (size_t k = 0; k < chain.n; k++) {
            worst = fmax(worst, fabs(row[u + k] - table.value[i][k]) / sim->scales.length);
            worst = fmax(worst, fabs(row[v + k] - table.value[i][chain.n + k]) / sim->scales.speed);
        }
    }
    printf("  %.0e: %.2f (estimate %.2f)", tol, worst / tol, sim->estimate / tol);
    CHECK(worst <= tol);
    CHECK(sim->estimate > 0.0 && sim->estimate <= tol);
    carom_sim_free(sim);
}

int main(void)
{
    static const double tolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};
    for (size_t c = 0; c < REFERENCE_CASES; c++) {
        CHECK_OR_STOP(reference_table_open(&table, &reference_cases[c]));
        printf("%-7s error/tol:", table.from->name);
        for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++)
            check_tolerance(tolerances[i]);
        printf("\n");
    }
    return check_end();
}
