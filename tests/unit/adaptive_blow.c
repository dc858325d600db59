/* Impacts of moreau-adaptive by LZB, Poisson and Stronge with friction are those of the same laws under event: machines
 * that fall, slide and turn, the motion after their impacts, and what these take by e and by rubbing. */
#include "carom/carom.h"
#include "check.h"
#include "runs.h"

static struct carom_sim *fly(const char *machine, double e, double mu, const char *run)
{
    char text[1000];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text,
             "{units: none, theory: nonsmooth, bodies: [mechanism: {kind: %s, gravity: 10}], "
             "contacts: {e: %g, mu: %g, k: 1000, p: 1.5}, start: [{body: 1, velocity: 1.5}, "
             "{body: 2, displacement: 0.3, velocity: -1}, {body: 3, displacement: 0.2, velocity: 2}], "
             "run: {until: 0.35, %s}}",
             machine, e, mu, run);
    struct carom_sim *sim = runs_sim(text);
    if (carom_sim_run(sim, NULL, &error) != CAROM_OK)
        fprintf(stderr, "%s\n%s\n", error.text, text);
    CHECK_OR_STOP(error.status == CAROM_OK);
    carom_sim_sync(sim);
    return sim;
}

int main(void)
{
    static const char *const machines[] = {"disc", "rod"}, *const laws[] = {"lzb", "poisson", "stronge"};
    static const double e[] = {0.0, 0.6}, mu[] = {0.1, 0.7};
    for (int i = 0; i < 24; i++) {
        const char *machine = machines[i % 2], *law = laws[i / 2 % 3];
        char run[2][100];
        snprintf(run[0], sizeof run[0], "scheme: moreau-adaptive, tol: 1e-8, blow: %s", law);
        snprintf(run[1], sizeof run[1], "scheme: event, tol: 1e-9, impact: %s", law);
        struct carom_sim *sim = fly(machine, e[i / 6 % 2], mu[i / 12], run[0]);
        struct carom_sim *other = fly(machine, e[i / 6 % 2], mu[i / 12], run[1]);
        struct carom_ledger ledger, known;
        carom_balance_read(sim->model, sim->view, NULL, &ledger);
        carom_balance_read(other->model, other->view, NULL, &known);
        CHECK(known.dissipated > 1e-3);
        CHECK_NEAR(ledger.dissipated, known.dissipated, 1e-8);
        CHECK_NEAR(ledger.residual, 0.0, 1e-8);
        CHECK(runs_apart(3, sim->view->q, other->view->q) < 1e-8);
        CHECK(runs_apart(3, sim->view->v, other->view->v) < 1e-8);
        carom_sim_free(sim);
        carom_sim_free(other);
    }
    return check_end();
}
