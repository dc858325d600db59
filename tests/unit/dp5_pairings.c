/* Scheme dp5 takes any number of laws between names: a row of discs each two of which have one of their own, all alike,
 * moves as if there were one for all. */
#include "runs.h"

enum { DISCS = 80 };

static struct carom_sim *row(bool each)
{
    static char text[20000];
    size_t n = (size_t)snprintf(text, sizeof text, "units: none\nbodies:\n");
    for (int i = 0; i < DISCS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "  - disc: {name: d%d, at: [%d, 0], radius: 0.5, mass: 1%s}\n",
                              i, i, i == 0 ? ", velocity: [1, 0.1]" : "");
    n += (size_t)snprintf(text + n, sizeof text - n, "contacts:\n  - {law: linear-dashpot, k: 1e3, gamma: 1e-3}\n");
    for (int i = 1; each && i < DISCS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "  - {between: [d%d, d%d], law: linear-dashpot, k: 1e3, gamma: 1e-3}\n", i - 1, i);
    snprintf(text + n, sizeof text - n, "run: {until: 0.4, scheme: dp5, tol: 1e-6}\n");
    struct carom_sim *sim = runs_sim(text);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    return sim;
}

int main(void)
{
    struct carom_sim *one = row(false), *many = row(true);
    CHECK(one->state->contacts->npairings == 1 && many->state->contacts->npairings == DISCS);
    CHECK(one->state->v[3 * 5] > 0.0); /* the wave has come through some */
    CHECK(memcmp(one->state->q, many->state->q, one->state->nq * sizeof(double)) == 0);
    CHECK(memcmp(one->state->v, many->state->v, one->state->nv * sizeof(double)) == 0);
    carom_sim_free(one);
    carom_sim_free(many);
    return check_end();
}
