/* Changing a running sim: a ball bounces on the floor, and every second a hand throws it so that it would rise to
 * height 1 again. What the hand did is in the ledger as work.
 * Build: cc changing.c $(pkg-config --cflags --libs carom) */
#include <carom/carom.h>
#include <stdio.h>

static const char text[] = "{units: none, theory: nonsmooth, bodies: [mechanism: {kind: ball, gravity: 10}],"
                           " contacts: {e: 0.8}, start: [{body: 1, displacement: 1}], run: {until: 10}}";

int main(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_ledger ledger;
    struct carom_scene *scene = carom_scene_parse("ball", text, sizeof text - 1, NULL, 0, &error);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    carom_scene_free(scene);
    for (int second = 1; sim && error.status == CAROM_OK && second < 10; second++)
        if (carom_sim_break(sim, second, &error) == CAROM_OK && /* no step passes this time */
            carom_sim_to(sim, second, &error) == CAROM_OK) {
            const double up = sqrt(2.0 * 10.0 * (1.0 - sim->view->q[0]));
            printf("t = %d: height %.6f, velocity %9.6f -> %.6f\n", second, sim->view->q[0], sim->view->v[0], up);
            carom_sim_set(sim, NULL, &up, &error);
        }
    if (!sim || error.status != CAROM_OK || carom_sim_to(sim, 10.0, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.text);
        carom_sim_free(sim);
        return 1;
    }
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    printf("the floor took %.6f, the hand gave %.6f; missing: %.0e\n", ledger.dissipated, ledger.work, ledger.residual);
    const bool good = ledger.work > 1.0 && fabs(ledger.residual) < 1e-6;
    carom_sim_free(sim);
    return good ? 0 : 1;
}
