/* "True error <= 10 x tol" of moreau-adaptive over 22 varied scenes: accumulations, simultaneous impacts, forced
 * oscillators, machines, rows of beads, and friction. The truth without friction is scheme event at 1e-11, with it
 * moreau-adaptive itself at 1e-10, which tests/convergence/friction.c holds against closed forms. Errors are the sup
 * of displacements over U and the mean over time of velocities over V. */
#include "friction.h"

#define HEAD "{units: none, theory: nonsmooth, "
#define TAIL ", record: {every: %g, probes: [u, v]}, run: {until: %g, %%s}}"

static const struct {
    const char *name, *text;
    double until;
    bool friction;
} scenes[] = {
    {"ball, accumulation",
     "bodies: [mechanism: {kind: ball, gravity: 10}], contacts: {e: 0.5},"
     " start: [{body: 1, displacement: 1}]",
     2.0, false},
    {"ball, e = .9",
     "bodies: [mechanism: {kind: ball, gravity: 10}], contacts: {e: 0.9},"
     " start: [{body: 1, displacement: 1}]",
     6.0, false},
    {"ball on a moving floor",
     "bodies: [mechanism: {kind: ball, gravity: 10, floor: {shape: sine, amplitude: 0.1,"
     " frequency: 1}}], contacts: {e: 0.5}, start: [{body: 1, displacement: 1}]",
     3.0, false},
    {"oscillator", "bodies: [mechanism: {kind: oscillator}], contacts: {e: 0.8}, start: [{body: 1, displacement: 1}]",
     10.0, false},
    {"oscillator, prestressed",
     "bodies: [mechanism: {kind: oscillator, stop: 0.2}], contacts: {e: 0.5},"
     " start: [{body: 1, displacement: 1}]",
     10.0, false},
    {"oscillator, forced",
     "bodies: [mechanism: {kind: oscillator, stop: -0.3, force: {shape: sine, amplitude: 0.7,"
     " frequency: 0.2}}], contacts: {e: 0.6}, start: [{body: 1, displacement: 0.5}]",
     20.0, false},
    {"oscillator, stepped force",
     "bodies: [mechanism: {kind: oscillator, stop: -0.1, force: {shape: step, amplitude: -1,"
     " start: 2, duration: 3}}], contacts: {e: 0.7}, start: [{body: 1, displacement: 0.8}]",
     9.0, false},
    {"pendulum",
     "bodies: [mechanism: {kind: pendulum, length: 1, gravity: 10, wall: 0.2}], contacts: {e: 0.8},"
     " start: [{body: 1, displacement: -0.5}]",
     8.0, false},
    {"double pendulum",
     "bodies: [mechanism: {kind: double-pendulum}], contacts: {e: 0.6},"
     " start: [{body: 1, displacement: 0.4}]",
     1.5, false},
    {"rocking block",
     "bodies: [mechanism: {kind: rocking-block, width: 0.5, height: 2, gravity: 10}], contacts: {e: 0},"
     " start: [{body: 2, displacement: 0.1}]",
     3.0, false},
    {"five balls on each other",
     "gravity: -10, bodies: [wall: {side: left, gap: 0.3}, chain: {count: 5, mass: 1,"
     " gap: [0.11, 0.07, 0.13, 0.05]}], contacts: {e: 0.4}",
     1.0, false},
    {"row struck, simultaneous",
     "bodies: [striker: {side: left, mass: 1, gap: 0.5, velocity: 1}, chain: {count: 6, mass: 1}],"
     " contacts: {e: 0.8}",
     2.0, false},
    {"cradle with springs",
     "bodies: [chain: {count: 4, mass: 1, spring: 1}], contacts: {e: 0.9},"
     " start: [{body: 1, displacement: -1}]",
     8.0, false},
    {"two balls, driven wall",
     "gravity: -10, bodies: [wall: {side: left, gap: 0.2}, chain: {count: 2, mass: [1, 0.5], gap:"
     " 0.21}], contacts: {e: 0.6}, loads: [{wall: left, displacement: {shape: half-sine,"
     " amplitude: 0.1, duration: 0.4}}]",
     1.2, false},
    {"block on a slope",
     "bodies: [mechanism: {kind: block, gravity: 10, slope: 0.4}], contacts: {e: 0.3, mu: 0.2},"
     " start: [{body: 1, velocity: 3}, {body: 2, displacement: 0.3}]",
     2.0, true},
    {"stick and slip",
     "bodies: [mechanism: {kind: block, gravity: 10, stiffness: 1, belt: 0.5}],"
     " contacts: {e: 0, mu: 0.2, mu_static: 0.4}",
     30.0, true},
    {"damped on a wavy belt",
     "bodies: [mechanism: {kind: block, gravity: 10, stiffness: 3, damping: 0.1, belt: {shape: sine,"
     " amplitude: 1, frequency: 0.3, phase: 0.4}}], contacts: {e: 0, mu: 0.2, mu_static: 0.3}",
     8.0, true},
    {"ball with spin",
     "bodies: [mechanism: {kind: disc, gravity: 10, inertia: 0.4}], contacts: {e: 0.7, mu: 0.2},"
     " start: [{body: 1, velocity: 2}, {body: 2, displacement: 0.5}, {body: 3, velocity: -3}]",
     3.0, true},
    {"rod falling",
     "bodies: [mechanism: {kind: rod, gravity: 10}], contacts: {e: 0, mu: 0.3},"
     " start: [{body: 3, displacement: 1.1}]",
     0.45, true},
    {"rocking and sliding",
     "bodies: [mechanism: {kind: sliding-block, gravity: 10, width: 1, height: 2}],"
     " contacts: {e: 0, mu: 0.3}, start: [{body: 3, displacement: 0.3}, {body: 1, velocity: 0.2}]",
     3.0, true},
    {"slider-crank",
     "bodies: [mechanism: {kind: slider-crank, clearance: 0.001}], contacts: {e: 0.4, mu: 0.1},"
     " start: [{body: 1, velocity: 150}, {body: 2, velocity: -75}]",
     0.03, true},
    {"Kane's pendulum",
     "bodies: [mechanism: {kind: kane-pendulum, height: 1.806}], contacts: {e: 0.7, mu: 0.5}, start:"
     " [{body: 1, displacement: 0.349, velocity: -0.1}, {body: 2, displacement: 0.5236, velocity: -0.2}]",
     0.2, true},
};

enum { SCENES = sizeof scenes / sizeof *scenes };

static struct outcome fly(size_t i, const char *scheme)
{
    char format[1000];
    snprintf(format, sizeof format, HEAD "%s" TAIL, scenes[i].text, scenes[i].until / 173.0, scenes[i].until);
    return outcome_of(format, scheme);
}

/* samples that fall on an impact to rounding say nothing of velocities */
static double distance(const struct outcome *a, const struct outcome *b)
{
    const double U = a->sim->scales.length > 0.0 ? a->sim->scales.length : 1.0;
    const double V = a->sim->scales.speed > 0.0 ? a->sim->scales.speed : 1.0;
    double worst = 0.0, mean = 0.0;
    CHECK(a->memory->nrows == b->memory->nrows);
    for (size_t i = 0; i < a->memory->nrows; i++) {
        double speed = 0.0;
        for (size_t k = 0; k < a->sim->model->nv; k++) {
            worst = fmax(worst, fabs(outcome_row(a, i, "u", k) - outcome_row(b, i, "u", k)) / U);
            speed = fmax(speed, fabs(outcome_row(a, i, "v", k) - outcome_row(b, i, "v", k)) / V);
        }
        mean += speed / (double)a->memory->nrows;
    }
    return fmax(worst, mean);
}

int main(void)
{
    static const struct {
        const char *scheme;
        double tol;
    } runs[] = {{"scheme: moreau-adaptive, tol: 1e-2", 1e-2},
                {"scheme: moreau-adaptive, tol: 1e-4", 1e-4},
                {"scheme: moreau-adaptive, tol: 1e-7", 1e-7}};
    for (size_t i = 0; i < SCENES; i += (size_t)check_take(3, 1)) {
        struct outcome truth =
            fly(i, scenes[i].friction ? "scheme: moreau-adaptive, tol: 1e-10" : "scheme: event, tol: 1e-11");
        printf("%-28s", scenes[i].name);
        for (size_t k = 0; k < 3; k++) {
            struct outcome o = fly(i, runs[k].scheme);
            const double off = distance(&truth, &o);
            printf("  %8.1e (%5.2f tol, %6llu steps)", off, off / runs[k].tol,
                   (unsigned long long)o.sim->stepper->counts.steps);
            CHECK(off <= 10.0 * runs[k].tol);
            CHECK(o.sim->estimate > 0.0);
            carom_sim_free(o.sim);
        }
        printf("\n");
        carom_sim_free(truth.sim);
    }
    return check_end();
}
