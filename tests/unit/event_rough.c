/* Balls and discs that slide on a plane as rough as one likes, under event: friction stops the slip at once and they
 * roll on, with 5/7 and 2/3 of their speed. Nothing couples pressing and slipping there, and that is no paradox. Boxes
 * that fall flat: whether the law leaves their slips open. */
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

/* Does the law leave open how the corners of a box that falls flat on a plane slip on from its impact? */
static bool is_open(double mu, const char *motion)
{
    char text[1000];
    snprintf(text, sizeof text,
             "{units: none, theory: nonsmooth, bodies: [{box: {at: [0, 0, 0.3], size: [1, 0.8, 0.4], mass: 1, %s}}, "
             "{plane: {at: [0, 0, 0], normal: [0, 0, 1]}}], contacts: {law: rigid, e: 0.5, mu: %g}, "
             "run: {until: 0.15, scheme: event}, record: {every: 0.05, probes: [v]}}",
             motion, mu);
    struct carom_memory *m;
    struct carom_sim *sim = runs_recorded(text, &m);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    const bool seen = sim->stepper->split.seen;
    carom_sim_free(sim);
    return seen;
}

/* It does where they slip on in several directions, which other normal impulses would turn; not where all slip one way,
 * or stick. */
static void check_open(void)
{
    CHECK(is_open(0.1, "velocity: [0.5, 0.2, -1], spin: [0, 0, 1]") &&
          is_open(0.1, "velocity: [0, 0, -1], spin: [0, 0, 1]"));
    CHECK(!is_open(0.1, "velocity: [0.5, 0.2, -1]") && !is_open(0.1, "velocity: [0, 0, -1]"));
    CHECK(!is_open(1.6, "velocity: [0.5, 0.2, -1], spin: [0, 0, 1]"));
}

int main(void)
{
    check_open();
    for (double mu = 1e3; mu < 2e6; mu *= 10.0) {
        check_rolls("sphere: {at: [0, 0, 0.5], radius: 0.5, mass: 2, velocity: [1, 0, 0]}", "[0, 0, -10]",
                    "{at: [0, 0, 0], normal: [0, 0, 1]}", mu, 5.0 / 7.0);
        check_rolls("disc: {at: [0, 0.5], radius: 0.5, mass: 2, velocity: [1, 0]}", "[0, -10]",
                    "{at: [0, 0], normal: [0, 1]}", mu, 2.0 / 3.0);
    }
    return check_end();
}
