/* What forces that change in time do to bodies of the plane under event, against closed forms: the work in the ledger,
 * and with it the residual at all samples, keep tol as places and velocities do, and no more than that is stated. */
#include "runs.h"

static const double pi = 3.14159265358979323846;

struct push {
    double mass, speed, force, frequency, until;
};

static struct carom_sim *fly(const struct push *p, double tol, struct carom_memory **memory)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "{units: none, theory: nonsmooth, bodies: [box: {at: [0, 2], size: [1, 0.6], mass: %g, velocity: [%g, 0]}, "
        "plane: {at: [0, 0], normal: [0, 1]}], contacts: {law: rigid, e: 0.5}, loads: [{body: 1, force: [%g, 0], "
        "signal: {shape: sine, amplitude: 1, frequency: %g}}], run: {until: %g, scheme: event, tol: %g}, record: "
        "{every: %g, probes: [u, v]}}",
        p->mass, p->speed, p->force, p->frequency, p->until, tol, p->until / 400.0);
    struct carom_sim *sim = runs_recorded(text, memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    return sim;
}

static double kinetic_at(const struct push *p, double t)
{
    const double w = 2.0 * pi * p->frequency, v = p->speed + p->force / (p->mass * w) * (1.0 - cos(w * t));
    return 0.5 * p->mass * v * v;
}

static void check_push(const struct push *p, double tol)
{
    struct carom_memory *m;
    struct carom_sim *sim = fly(p, tol, &m);
    const double start = kinetic_at(p, 0.0);
    double work = 0.0, residual = 0.0, energy = 0.0;
    for (size_t row = 0; row < m->nrows; row++) {
        const double *value = m->value + row * m->width, kinetic = kinetic_at(p, m->time[row]);
        energy = fmax(energy, kinetic);
        work = fmax(work, fabs(value[carom_sink_memory_column(m, "work", 0)] - (kinetic - start)));
        residual = fmax(residual, fabs(value[carom_sink_memory_column(m, "residual", 0)]));
    }
    CHECK(m->nrows == 401);
    CHECK(work <= tol * energy);
    CHECK(residual <= tol * energy);
    CHECK(sim->estimate <= tol);
    carom_sim_free(sim);
}

int main(void)
{
    const struct push pushes[] = {{1.5, 0.4, 3.0, 1.65, 2.0},
                                  {1.5, 0.0, 3.0, 1.65, 2.0},
                                  {1.0, 1.0, 10.0, 5.0, 5.0},
                                  {2.0, 3.0, 1.0, 0.5, 10.0},
                                  {1.0, 0.5, 5.0, 1.65, 20.0}};
    for (double tol = 1e-4; tol > 3e-9; tol *= 0.01)
        for (size_t i = 0; i < sizeof pushes / sizeof *pushes; i++)
            check_push(&pushes[i], tol);
    return check_end();
}
