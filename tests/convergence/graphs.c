/* Impacts on contact graphs under lzb against outcomes that an independent program computed in quadruple precision
 * (tests/reference/graph_reference.c), for graphs of up to 31 contacts. */
#include "contact_graphs.h"

/* largest difference from the table */
static double apart(const struct graph *g, const struct carom_sim *sim, FILE *table)
{
    const size_t nv = carom_bodies_nv(carom_model_bodies(sim->model));
    double worst = 0.0;
    for (int c = getc(table); c != '\n' && c != EOF; c = getc(table)) {
    }
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < 3; k++) {
            double value = NAN;
            CHECK(fscanf(table, "%lf", &value) == 1);
            worst = fmax(worst, k < g->dimension ? fabs(sim->view->v[(size_t)i * nv + (size_t)k] - value) : 0.0);
        }
    CHECK(getc(table) == '\n');
    return worst;
}

int main(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/reference/graphs.txt", getenv("SOURCE") ? getenv("SOURCE") : ".");
    for (int pass = 0; pass < 2; pass++) {
        FILE *table = fopen(path, "r");
        CHECK(table != NULL);
        for (int which = 0; table && which < GRAPHS; which++) {
            const struct graph g = graph_of(which);
            struct carom_sim *sim = graph_sim(&g, "lzb", pass == 0 ? 1e-10 : 1e-6, 1e-9);
            bodies_run(sim);
            const double worst = apart(&g, sim, table), stated = sim->stepper->counts.impact_error;
            const struct carom_ledger ledger = bodies_ledger(sim);
            printf("%-12s off by %.1e, stated %.1e, residual %.1e\n", g.name, worst, stated, ledger.residual);
            CHECK(worst <= 3.0 * stated * sim->scales.speed);
            CHECK(pass > 0 || worst <= 1e-9);
            CHECK_NEAR(ledger.residual, 0.0, 1e-14);
            CHECK(ledger.impact >= -1e-15);
            carom_sim_free(sim);
        }
        if (table)
            fclose(table);
    }
    return check_end();
}
