/* The floor of figure 2: where the paper's errors stop falling near 1e-12, because each update of the state rounds, the
 * compensated schemes go on. Against the trimer's motion in quadruple precision, at the times stored with it. */
#include "carom/scene.h"
#include "chain.h"
#include "reference/table.h"

static struct chain chain;
static struct reference_table table;

static const struct carom_scheme *scheme_named(const char *name)
{
    for (size_t i = 0; carom_kinds_schemes[i] != NULL; i++)
        if (strcmp(carom_kinds_schemes[i]->kind.name, name) == 0)
            return carom_kinds_schemes[i];
    return NULL;
}

static double sup_error(const struct carom_scheme *scheme, double step)
{
    struct trial trial;
    double worst = 0.0;
    chain_from_case(&chain, table.from);
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, step, NULL));
    for (int i = 0; i < table.from->samples; i++) {
        CHECK_STATUS(trial_run(&trial, table.time[i], NULL), CAROM_OK);
        for (size_t k = 0; k < 2 * chain.n; k++) {
            const double error = fabs(trial.view->data[k] - table.value[i][k]);
            worst = error <= worst ? worst : error;
        }
    }
    trial_close(&trial);
    return worst;
}

int main(void)
{
    const struct carom_scheme *scheme = scheme_named("gl-reg");
    CHECK_OR_STOP(scheme != NULL);
    CHECK_OR_STOP(reference_table_open(&table, reference_case_find("trimer")));
    double least = HUGE_VAL;
    for (int k = 12; k <= 17; k++) { /* 2^-17 = 7.6e-6: beyond the finest step of the figure */
        const double error = sup_error(scheme, ldexp(1.0, -k));
        printf("gl-reg, h = 2^-%d: error %.2e\n", k, error);
        least = error < least ? error : least;
        if (k >= 16)
            CHECK(error < 1e-14);
    }
    CHECK(least < 1e-14);
    return check_end();
}
