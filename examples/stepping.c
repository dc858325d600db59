/* Stepping a run and reading it: a pulse goes down a chain of 40 steel beads. When does it reach each tenth bead, and
 * is all energy accounted for on the way? Build: cc stepping.c $(pkg-config --cflags --libs carom) */
#include <carom/carom.h>
#include <stdio.h>

static const char text[] = "{bodies: [chain: {count: 40, radius: 5 mm, material: steel}],"
                           " start: [{body: 1, velocity: 1 m/s}], run: {until: 1 ms, tol: 1e-6}}";

int main(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_ledger ledger;
    struct carom_scene *scene = carom_scene_parse("chain", text, sizeof text - 1, NULL, 0, &error);
    struct carom_sim *sim = carom_scene_sim(scene, &error); /* NULL, like all calls that are handed NULL */
    carom_scene_free(scene);
    size_t next = 9;
    while (sim && next < 40 && !carom_sim_ended(sim) && carom_sim_step(sim, 1, &error) == CAROM_OK)
        if (sim->view->v[next] > 0.1) {
            printf("bead %zu moves after %.1f us, %d steps\n", next + 1, 1e6 * sim->view->time, (int)sim->state->step);
            next += 10;
        }
    if (!sim || carom_sim_to(sim, 1e-3, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.text);
        carom_sim_free(sim);
        return 1;
    }
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    printf("at %g s the last bead flies with %.6f m/s; missing energy: %.0e of %.3e J\n", sim->view->time,
           sim->view->v[39], ledger.residual, ledger.kinetic);
    const bool good = next == 49 && sim->view->v[39] > 0.5 && fabs(ledger.residual) < 1e-6 * ledger.kinetic;
    carom_sim_free(sim);
    return good ? 0 : 1;
}
