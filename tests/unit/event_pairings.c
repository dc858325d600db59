/* Every two names may have an e of their own: three discs that strike each other in turn, under every impact law. */
#include "runs.h"

static void test_row(const char *theory, const char *impact)
{
    static const double e[2] = {0.9, 0.5};
    struct carom_memory *memory;
    char text[1000];
    snprintf(text, sizeof text,
             "units: none\ntheory: %s\nbodies:\n"
             "  - disc: {name: a, at: [0, 0], radius: 0.5, mass: 1, velocity: [1, 0]}\n"
             "  - disc: {name: b, at: [2, 0], radius: 0.5, mass: 1}\n"
             "  - disc: {name: c, at: [4, 0], radius: 0.5, mass: 1}\n"
             "contacts:\n  - {e: 1, k: 1}\n  - {between: [a, b], e: %g, k: 2}\n  - {between: [b, c], e: %g, k: 3}\n"
             "run: {until: 4, scheme: event, impact: %s}\nrecord: {every: 4, probes: [v]}\n",
             theory, e[0], e[1], impact);
    struct carom_sim *sim = runs_recorded(text, &memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    const double *v = memory->value + (memory->nrows - 1) * memory->width, b = 0.5 * (1.0 + e[0]);
    CHECK_NEAR(v[0], 0.5 * (1.0 - e[0]), 1e-8);
    CHECK_NEAR(v[2], 0.5 * (1.0 - e[1]) * b, 1e-8);
    CHECK_NEAR(v[4], 0.5 * (1.0 + e[1]) * b, 1e-8);
    carom_sim_free(sim);
}

int main(void)
{
    test_row("nonsmooth", "newton");
    test_row("nonsmooth", "moreau");
    test_row("lzb", "lzb");
    test_row("lzb", "lzb-impulse");
    return check_end();
}
