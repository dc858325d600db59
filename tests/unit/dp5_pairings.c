/* Scheme dp5 takes any number of laws between names: a row of discs each two of which have one of their own moves as
 * under verlet with small steps, which has taken any number before. */
#include "runs.h"

enum { DISCS = 70 };

static struct carom_sim *row(const char *run)
{
    static char text[20000];
    size_t n = (size_t)snprintf(text, sizeof text, "units: none\nbodies:\n");
    for (int i = 0; i < DISCS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "  - disc: {name: d%d, at: [%d, 0], radius: 0.5, mass: 1%s}\n",
                              i, i, i == 0 ? ", velocity: [1, 0]" : "");
    n += (size_t)snprintf(text + n, sizeof text - n, "contacts:\n  - {law: linear-dashpot, k: 1e3, gamma: 1e-4}\n");
    for (int i = 1; i < DISCS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "  - {between: [d%d, d%d], k: %d}\n", i - 1, i, 1000 + 50 * i);
    snprintf(text + n, sizeof text - n, "run: {until: 1.8, %s}\n", run);
    struct carom_sim *sim = runs_sim(text);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    carom_sim_sync(sim);
    return sim;
}

int main(void)
{
    struct carom_sim *one = row("scheme: dp5, tol: 1e-6"), *other = row("scheme: verlet, step: 2e-4");
    CHECK(one->state->contacts->npairings >= DISCS - 1);
    double most = 0.0, momentum = 0.0;
    for (size_t i = 0; i < DISCS; i++) {
        const double v = one->view->v[3 * i];
        most = i > 64 ? fmax(most, v) : most;
        momentum += v;
        CHECK_NEAR(v, other->view->v[3 * i], 2e-4);
    }
    CHECK(most > 0.1); /* contacts beyond the 64th have acted */
    CHECK_NEAR(momentum, 1.0, 1e-12);
    carom_sim_free(one);
    carom_sim_free(other);
    return check_end();
}
