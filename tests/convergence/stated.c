/* Scenes whose stated error was once too small: true errors are within tol, and within three times what runs state. */
#include "carom/carom.h"
#include "check.h"
#include "draws.h"
#include "runs.h"

enum { TEXT = 1000 };

/* runs a scene and keeps what it records */
static struct carom_sim *run(const char *text, struct carom_memory **memory)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = runs_recorded(text, memory);
    if (carom_sim_run(sim, NULL, &error) != CAROM_OK)
        fprintf(stderr, "%s\n%s", error.text, text);
    CHECK(error.status == CAROM_OK);
    return sim;
}

/* the larger of errors over U and over V */
static double over_scales(const struct carom_sim *sim, double du, double dv)
{
    return fmax(fabs(du) / sim->scales.length, fabs(dv) / sim->scales.speed);
}

static void check_error(const char *name, const struct carom_sim *sim, double tol, double worst)
{
    printf("%-40s tol %.1e: error %.2f tol, stated %.2f tol\n", name, tol, worst / tol, sim->estimate / tol);
    CHECK(worst <= tol);
    CHECK(worst <= 3.0 * sim->estimate);
}

/* A bead leaves a wall's dashpot: the force jumps where the gap opens. In closed form an oscillator of damping ratio z,
 * then a free flight. */
static void check_dashpot(double z, double k, double m, double speed, double tol, double flights)
{
    const double omega = sqrt(k / m), slow = z * omega, swing = omega * sqrt(1.0 - z * z), end = acos(-1.0) / swing;
    const double until = flights * end, leave = speed * exp(-slow * end);
    char text[TEXT], name[64];
    snprintf(text, sizeof text,
             "units: none\nbodies: [{bead: {mass: %.17g}}, {wall: {side: right}}]\n"
             "contacts: {law: linear-dashpot, k: %.17g, gamma: %.17g, contact_end: gap}\n"
             "start: [{body: 1, velocity: %.17g}]\nrun: {until: %.17g, tol: %.17g}\n"
             "record: {every: %.17g, probes: [u, v]}\n",
             m, k, 2.0 * z / omega, speed, until, tol, until / 20.0);
    struct carom_memory *memory;
    struct carom_sim *sim = run(text, &memory);
    double worst = 0.0;
    for (size_t i = 0; i < memory->nrows; i++) {
        const double t = memory->time[i], *row = memory->value + i * memory->width, fall = speed * exp(-slow * t);
        const double u = t < end ? fall * sin(swing * t) / swing : -leave * (t - end);
        const double v = t < end ? fall * (cos(swing * t) - slow / swing * sin(swing * t)) : -leave;
        worst = fmax(worst, over_scales(sim, row[0] - u, row[1] - v));
    }
    snprintf(name, sizeof name, "dashpot, damping ratio %.3f", z);
    check_error(name, sim, tol, worst);
    carom_sim_free(sim);
}

static void check_dashpots(struct carom_random *random)
{
    check_dashpot(0.7, 1.0, 1.0, 1.0, 1e-5, 3.0);
    for (int i = 0; i < 60; i++)
        check_dashpot(draw_between(random, 0.3, 0.97), pow(10.0, draw_between(random, -1, 2)),
                      pow(10.0, draw_between(random, -1, 1)), pow(10.0, draw_between(random, -1, 1)),
                      pow(10.0, draw_between(random, -8, -3)), draw_between(random, 1.05, 4.0));
}

/* the scene against itself with a local tolerance of 1e-14; `text` has a %s for what stands in `run` beside until */
static void check_scene(const char *name, const char *text, double tol)
{
    char own[TEXT], how[64];
    struct carom_memory *exact, *memory;
    snprintf(own, sizeof own, text, "tol: 1e-13, share: 0.1, window: false");
    struct carom_sim *reference = run(own, &exact);
    snprintf(how, sizeof how, "tol: %g", tol);
    snprintf(own, sizeof own, text, how);
    struct carom_sim *sim = run(own, &memory);
    const size_t n = sim->model->nq;
    double worst = 0.0;
    CHECK_OR_STOP(memory->nrows == exact->nrows && memory->width == exact->width && memory->width >= 2 * n);
    for (size_t r = 0; r < memory->nrows; r++)
        for (size_t i = 0; i < n; i++) {
            const double *a = memory->value + r * memory->width + i, *b = exact->value + r * exact->width + i;
            worst = fmax(worst, over_scales(sim, a[0] - b[0], a[n] - b[n]));
        }
    check_error(name, sim, tol, worst);
    carom_sim_free(reference);
    carom_sim_free(sim);
}

/* Samples inside the first step after a touch, where velocities go like a power of the time since. */
static void check_samples(void)
{
    static const double tolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    static const char *const laws[] = {"hertz, k: 5", "kuwabara-kono, k: 5, gamma: 0.1", "power, k: 5, p: 1.3, b: 1.3"};
    char text[TEXT];
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        snprintf(text, sizeof text,
                 "units: none\nbodies: [{bead: {}}, {wall: {side: right, gap: 0.4}}]\ncontacts: {law: %s}\n"
                 "start: [{body: 1, velocity: 1}]\nrun: {until: 1.7, %%s}\nrecord: {every: 0.004, probes: [u, v]}\n",
                 laws[l]);
        for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++)
            check_scene(laws[l], text, tolerances[i]);
    }
}

/* Beads between walls, one of them driven: errors of steps grow a thousandfold, those of the first one the most. */
static void check_growth(void)
{
    static const double tolerances[] = {1e-4, 1e-6};
    const char *text =
        "units: none\nbodies: [{wall: {side: left}}, {chain: {count: 10, mass: 0.7}}, {wall: {side: right}}]\n"
        "contacts: {law: kuwabara-kono, k: 1.2, gamma: 0.04}\nstart: [{bodies: all, displacement: -0.35}]\n"
        "loads:\n  - {wall: right, displacement: -0.35}\n"
        "  - wall: left\n    displacement: {shape: sine, amplitude: 0.35, frequency: 0.1432394487827058, "
        "phase: -1.5707963267948966}\nrun: {until: 200, %s}\nrecord: {every: 1, probes: [u, v]}\n";
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i += (size_t)check_take(2, 1))
        check_scene("errors that grow", text, tolerances[i]);
}

/* Three beads between walls: errors grow so much that rounding is what is left. Runs whose steps may take as little as
 * there is tell it by how far they are apart; and what is out of reach is said, with what can be had. */
static void check_rounding(void)
{
    const char *text = "units: none\nbodies: [{wall: {side: left}}, {chain: {count: 3}}, {wall: {side: right}}]\n"
                       "contacts: {law: hertz, k: %g}\nstart: [{body: 1, velocity: 1}]\nrun: {until: 160, %s}\n"
                       "record: {every: 1, probes: [u, v]}\n";
    for (double k = 10.0; k < 16.0; k += check_take(10, 5)) {
        char own[TEXT];
        struct carom_memory *memory, *other;
        snprintf(own, sizeof own, text, k, "tol: 1e-8");
        struct carom_sim *sim = run(own, &memory);
        snprintf(own, sizeof own, text, k, "tol: 1e-13, share: 0.017");
        struct carom_sim *reference = run(own, &other);
        double worst = 0.0;
        for (size_t i = 0; i < memory->nrows; i++)
            for (size_t b = 0; b < 3; b++) {
                const double *x = memory->value + i * memory->width + b, *y = other->value + i * other->width + b;
                worst = fmax(worst, over_scales(sim, x[0] - y[0], x[3] - y[3]));
            }
        printf("rounding, k %-3g %29s error %.1e, stated %.1e, growth %.0e, horizon %g, sight %g\n", k, "", worst,
               sim->estimate, sim->growth, sim->horizon, sim->sight);
        CHECK(worst <= 3.0 * sim->estimate);
        CHECK(sim->growth > 1e4);
        CHECK((sim->estimate > 1e-8) == (sim->horizon > 0.0));
        CHECK(!(sim->horizon > 0.0) || (sim->horizon > 80.0 && sim->horizon < 160.0));
        carom_sim_free(reference);
        carom_sim_free(sim);
    }
}

/* A pair that a dashpot stops and that never parts: its overlap falls below what steps may err by, which opens it now
 * and then, of a hundred thousand steps in a few. */
static void check_stuck(void)
{
    struct carom_memory *memory;
    struct carom_sim *sim = run("units: none\nbodies: [{chain: {count: 2}}]\n"
                                "contacts: {law: hertz-dashpot, k: 2, gamma: 0.75}\n"
                                "start: [{body: 1, velocity: 0.3}]\n"
                                "run: {until: 1e6, tol: 1e-8, share: 0.1}\nrecord: {every: 1e5, probes: [u, v]}\n",
                                &memory);
    const double *row = memory->value + (memory->nrows - 1) * memory->width;
    printf("stuck pair: %zu events, off by %.1e\n", memory->nevents,
           over_scales(sim, row[0] - row[1], row[2] - row[3]));
    CHECK(memory->nevents <= 40);
    CHECK(over_scales(sim, row[0] - row[1], row[2] - row[3]) < 1e-8 * sim->until);
    carom_sim_free(sim);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    check_dashpots(&random);
    check_samples();
    check_growth();
    check_rounding();
    check_stuck();
    return check_end();
}
