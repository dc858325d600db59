/* Balls and discs that slide on a plane as rough as one likes, under event: friction stops the slip at once and they
 * roll on, with 5/7 and 2/3 of their speed. Nothing couples pressing and slipping there, and that is no paradox. */
#include "runs.h"

static void check_rolls(const char *ball, const char *down, const char *plane, double mu, double speed)
{
    char text[1000];
    snprintf(text, sizeof text,
             "{units: none, theory: nonsmooth, gravity: %s, bodies: [%s, plane: %s], contacts: {law: rigid, e: 0, mu: "
             "%g}, run: {until: 0.1, scheme: event, tol: 1e-6}, record: {every: 0.05, probes: [v]}}",
             down, ball, plane, mu);
    struct carom_memory *m;
    struct carom_sim *sim = runs_recorded(text, &m);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    CHECK_NEAR(sim->state->v[0], speed, 1e-6);
    CHECK(sim->estimate <= 1e-6);
    carom_sim_free(sim);
}

int main(void)
{
    for (double mu = 1e3; mu < 2e6; mu *= 10.0) {
        check_rolls("sphere: {at: [0, 0, 0.5], radius: 0.5, mass: 2, velocity: [1, 0, 0]}", "[0, 0, -10]",
                    "{at: [0, 0, 0], normal: [0, 0, 1]}", mu, 5.0 / 7.0);
        check_rolls("disc: {at: [0, 0.5], radius: 0.5, mass: 2, velocity: [1, 0]}", "[0, -10]",
                    "{at: [0, 0], normal: [0, 1]}", mu, 2.0 / 3.0);
    }
    return check_end();
}
