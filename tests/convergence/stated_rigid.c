/* Rigid runs whose stated error was once too small, or none: against another scheme, or the same with a tolerance so
 * small that what is left does not matter. */
#include "carom/carom.h"
#include "check.h"
#include "draws.h"
#include "runs.h"
#include "sim/doubt.h"

enum { TEXT = 2000 };

static struct carom_sim *run(const char *text, const char *how, struct carom_memory **memory)
{
    char own[TEXT];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(own, sizeof own, text, how);
    struct carom_sim *sim = runs_recorded(own, memory);
    if (carom_sim_run(sim, NULL, &error) != CAROM_OK)
        fprintf(stderr, "%s\n%s", error.text, own);
    CHECK(error.status == CAROM_OK);
    return sim;
}

/* displacements over U at all times, and velocities over V on average */
static double apart(const struct carom_sim *sim, const struct carom_memory *a, const struct carom_memory *b)
{
    const size_t n = sim->model->nq, u = carom_sink_memory_column(a, "u", 0), v = carom_sink_memory_column(a, "v", 0);
    double worst = 0.0, mean[16] = {0.0};
    CHECK_OR_STOP(a->nrows == b->nrows && a->width == b->width && n <= 16);
    for (size_t r = 0; r < a->nrows; r++)
        for (size_t i = 0; i < n; i++) {
            const double *x = a->value + r * a->width, *y = b->value + r * b->width;
            worst = fmax(worst, fabs(x[u + i] - y[u + i]) / sim->scales.length);
            mean[i] += fabs(x[v + i] - y[v + i]) / sim->scales.speed / (double)a->nrows;
        }
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, mean[i]);
    return worst;
}

/* `text` has a %s for what stands in `run` beside until */
static void check_scene(const char *name, const char *text, const char *how, const char *better, bool kept)
{
    struct carom_memory *memory, *exact;
    struct carom_sim *sim = run(text, how, &memory), *reference = run(text, better, &exact);
    const double worst = apart(sim, memory, exact);
    const bool promises = carom_doubt(sim).why == CAROM_DOUBT_NONE;
    printf("%-24s %-40s error %.1e, stated %.1e%s\n", name, how, worst, sim->estimate, promises ? "" : ", no promise");
    CHECK(sim->estimate > 0.0);
    CHECK(worst <= 3.0 * sim->estimate || !promises);
    CHECK(promises || !kept);
    carom_sim_free(reference);
    carom_sim_free(sim);
}

/* Impacts over springs err by what their steps do, and flights go on with that: U is a small gap, or far less than what
 * bodies fly. */
static void check_springy(void)
{
    static const char *const tols[] = {"tol: 1e-5", "tol: 1e-6", "tol: 1e-8", "tol: 1e-10"};
    const char *three = "units: none\ntheory: lzb\nbodies: [chain: {count: 3, gap: [0.001, 0]}]\n"
                        "contacts: {law: rigid, e: 0.5, k: 1}\nstart: [{body: 1, velocity: 1}]\n"
                        "run: {until: 10, %s}\nrecord: {every: 0.5, probes: [u, v]}\n";
    const char *row =
        "units: none\ntheory: lzb\nbodies: [chain: {mass: [0.974214, 0.837179, 1.01877, 1.92999, 1.08727, 1.22252, "
        "1.78878, 1.19306], gap: [0.000194835, 0, 0, 0, 0, 0, 0]}]\ncontacts: {law: rigid, e: [1, 0.3, 0.7, 0, 0.3, "
        "0.3, 0.7], k: [10.8831, 7496.8, 1040.36, 6.53157, 91.5611, 2.45898, 14.8436], p: 1.5}\ngravity: 1.01176\n"
        "start: [{body: 1, velocity: -0.706776}, {body: 2, velocity: -0.243962}, {body: 3, velocity: -0.914891}, "
        "{body: 4, velocity: 0.408478}, {body: 5, velocity: 0.818493}, {body: 6, velocity: -0.235958}, {body: 7, "
        "velocity: 0.957927}, {body: 8, velocity: 0.731629}]\nrun: {until: 10, %s}\n"
        "record: {every: 0.5, probes: [u, v]}\n";
    for (size_t i = 0; i < sizeof tols / sizeof *tols; i++) {
        check_scene("three beads under lzb", three, tols[i], "tol: 1e-13", true);
        check_scene("eight beads under lzb", row, tols[i], "tol: 1e-13", true);
    }
}

/* A block that hops turns over upright in flight, where the place of its centre changes sides and forces jump. */
static void check_block(struct carom_random *random)
{
    char text[TEXT];
    const char *hop = "units: none\ntheory: nonsmooth\nbodies: [mechanism: {kind: rocking-block, mass: 1, width: %g, "
                      "height: %g}]\ncontacts: {e: 0.6}\nstart: [{body: 2, displacement: %g}, {body: 1, velocity: "
                      "1.5}, {body: 2, velocity: %g}]\nrun: {until: 0.25, %%s}\n"
                      "record: {every: 0.0125, probes: [u, v]}\n";
    static const char *const hows[] = {"scheme: moreau-adaptive, tol: 1e-5", "scheme: moreau-adaptive, tol: 1e-7"};
    for (int i = 0; i < check_take(6, 3); i++) {
        snprintf(text, sizeof text, hop, draw_between(random, 0.4, 0.8), draw_between(random, 1.5, 2.5),
                 draw_between(random, 0.05, 0.12), draw_between(random, -1.5, -0.8));
        for (size_t h = 0; h < sizeof hows / sizeof *hows; h++)
            check_scene("block in flight", text, hows[h], "scheme: event, tol: 1e-12", true);
    }
}

/* A light body between heavy ones: what it does is decided by less than steps can tell, and no pair of flights agrees
 * better for being closer. */
static void check_light(void)
{
    const char *text = "units: none\ntheory: nonsmooth\nbodies: [wall: {side: left, gap: 0.3}, chain: {mass: [97.9092, "
                       "268.614, 87.9264, 0.359118, 55.8187], gap: [0, 0, 0, 0], spring: 30.3435}, wall: {side: right, "
                       "gap: 0.5}]\ncontacts: {law: rigid, e: [0, 0.3, 0.3, 1, 0.95, 0.95]}\ngravity: -3.46562\n"
                       "start: [{body: 1, velocity: 0.927516}, {body: 2, velocity: 0.101131}, {body: 3, velocity: "
                       "0.291414}, {body: 4, velocity: -0.80108}, {body: 5, velocity: -0.931183}]\n"
                       "loads: [{body: 1, force: {amplitude: -1.50364, shape: ricker, frequency: 2.65268, start: "
                       "1.20633}}]\nrun: {until: 3, impact: moreau, %s}\nrecord: {every: 0.015, probes: [u, v]}\n";
    const char *better = "scheme: event, tol: 1e-10";
    check_scene("light among heavy", text, "scheme: event, tol: 1e-6", better, false);
    check_scene("light among heavy", text, "scheme: mannshardt, tol: 1e-8", better, false);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    check_springy();
    check_block(&random);
    check_light();
    return check_end();
}
