/* Runs of rigid bodies that once stated an error and were off by more. */
#include "campaign/rigid_rows.h"

/* an elastic ball for so long that roundings of its bounces, which are all alike, add up */
static void check_rounding(void)
{
    const struct rigid_scene ball = {
        .n = 1, .left = true, .mass = {1}, .gap = {1}, .e = {1}, .gravity = -10, .until = 9000};
    static const char *const schemes[] = {"mannshardt", "moreau-adaptive"};
    for (size_t i = 0; i < 2; i++) {
        char how[64];
        snprintf(how, sizeof how, "scheme: %s, tol: 1e-11", schemes[i]);
        const struct rigid_verdict v = rigid_rows_judge(&ball, how);
        printf("elastic ball, %ld bounces, %s: %.1e off, %.1e stated\n", v.impacts, schemes[i], v.off, v.stated);
        CHECK(v.ended && v.known && v.off <= 3.0 * v.stated && v.stated <= 100.0 * v.off);
    }
}

/* --- two corners of a slider that strike and part together ------------------------------------------------------- */

static struct carom_sim *run_crank(const char *how, double clearance, struct carom_memory **memory)
{
    char text[1000];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text,
             "theory: nonsmooth\nbodies: [mechanism: {kind: slider-crank, clearance: %g m}]\ncontacts: {e: 0.4}\n"
             "start: [{body: 1, velocity: 30}, {body: 2, velocity: -15}]\nrun: {until: 0.05 s, %s}\n"
             "record: {every: 1 ms, probes: [u, v], events: false}\n",
             clearance, how);
    struct carom_sim *sim = runs_recorded(text, memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    return sim;
}

/* Schemes that share no way to locate agree on the branch that symmetry asks for. */
static void check_corners(double clearance)
{
    static const char *const ways[] = {"scheme: event, tol: 1e-6", "scheme: mannshardt, tol: 1e-6"};
    struct carom_memory *other, *memory;
    struct carom_sim *fine = run_crank("scheme: moreau-adaptive, tol: 1e-9", clearance, &other);
    const size_t u = carom_sink_memory_column(other, "u", 0);
    for (size_t i = 0; i < 2; i++) {
        struct carom_sim *sim = run_crank(ways[i], clearance, &memory);
        double off = 0.0;
        CHECK(memory->nrows == other->nrows);
        for (size_t r = 0; r < memory->nrows && r < other->nrows; r++)
            for (size_t k = 0; k < 3; k++) {
                const size_t at = r * memory->width + u + k;
                off = fmax(off, fabs(memory->value[at] - other->value[at]) / sim->scales.length);
            }
        printf("slider-crank, clearance %g, %s: %.1e off, %.1e stated\n", clearance, ways[i], off, sim->estimate);
        CHECK(off <= 3.0 * sim->estimate && sim->estimate <= 1e-6);
        carom_sim_free(sim);
    }
    carom_sim_free(fine);
}

/* --- what is written out though it is nothing, and what is not there yet ------------------------------------------ */

#define STRUCK "units: none\ntheory: nonsmooth\ngravity: -10\nbodies: [{wall: {side: left}}, {bead: {damping: 0}}]\n"

static void check_start(void)
{
    struct carom_memory *memory;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = runs_sim(STRUCK "contacts: {e: 0.5}\nrun: {until: 1}\n");
    CHECK(sim->stepper->exact); /* no damper is none: flights are in closed form */
    carom_sim_free(sim);
    sim = runs_recorded(STRUCK
                        "contacts: {e: 0.5}\nstart: [{body: 1, velocity: -1}]\n"
                        "run: {until: 0.1, scheme: schatzman-paoli, step: 0.01}\nrecord: {every: 0.1, probes: [v]}\n",
                        &memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    CHECK(memory->value[carom_sink_memory_column(memory, "v", 0)] == -1.0); /* the start as given, not half an impact */
    carom_sim_free(sim);
}

/* --- how moreau-adaptive comes to rest ---------------------------------------------------------------------------- */

/* A pendulum whose tip comes to rest on a rough floor, long before the run ends: nothing errs any more, and a step as
 * long as what is left is more than its equations can be solved for. */
static void check_long_rest(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = runs_sim(
        "theory: nonsmooth\nbodies: [mechanism: {kind: kane-pendulum, height: 1.806 m}]\n"
        "contacts: {e: 0.3, mu: 0.9}\n"
        "start: [{body: 1, displacement: 0.490, velocity: -1.11}, {body: 2, displacement: 0.975, velocity: -1.11}]\n"
        "run: {until: 3 s, scheme: moreau-adaptive, tol: 1e-9}\n");
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    CHECK(fabs(sim->state->v[0]) < 1e-9 && fabs(sim->state->v[1]) < 1e-9);
    carom_sim_free(sim);
}

/* Bounces too low to follow take their time all the same: a ball rests when their series ends. */
static void check_time_of_rest(void)
{
    const double exact = 3.0 * sqrt(0.2), tol[] = {1e-3, 1e-6, 1e-9};
    for (size_t i = 0; i < sizeof tol / sizeof *tol; i++) {
        struct carom_memory *memory;
        struct carom_error error = {CAROM_OK, ""};
        char text[500];
        snprintf(text, sizeof text,
                 "units: none\ntheory: nonsmooth\ngravity: -10\nbodies: [{wall: {side: left, gap: 1}}, {bead: {}}]\n"
                 "contacts: {e: 0.5}\nrun: {until: 2, scheme: moreau-adaptive, tol: %g}\nrecord: {events: true}\n",
                 tol[i]);
        struct carom_sim *sim = runs_recorded(text, &memory);
        CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
        const struct carom_event *last = &memory->event[memory->nevents - 1];
        printf("ball rests at %.12f, %.1e off, tol %g\n", last->time, last->time - exact, tol[i]);
        CHECK(last->kind == CAROM_EVENT_CLOSE && fabs(last->time - exact) < tol[i] + 1e-9);
        carom_sim_free(sim);
    }
}

/* --- a bead on a wall that shakes --------------------------------------------------------------------------------- */

/* Its bounces die out at t = 0.81544, 0.8 ms before the wall lets go of it: the gap is closed for a moment between two
 * looks at which it is open. Three schemes that locate in ways of their own; and where steps shrink to rounding the
 * wall's acceleration must not become rounding, too, or they never end. */
static void check_shaken(void)
{
    static const char *const ways[] = {"scheme: moreau-adaptive, tol: 1e-9", "scheme: event, tol: 1e-5",
                                       "scheme: event, tol: 1e-9", "scheme: mannshardt, tol: 1e-6",
                                       "scheme: mannshardt, tol: 1e-12"};
    struct carom_sim *first = NULL;
    struct carom_memory *memory, *other = NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct carom_error error = {CAROM_OK, ""};
        char text[700];
        double off = 0.0;
        snprintf(text, sizeof text,
                 "units: none\ntheory: nonsmooth\ngravity: -10\nbodies: [{wall: {side: left, gap: 0.4832438}}, "
                 "{bead: {}}]\ncontacts: {e: 0.1484870}\nloads: [{wall: left, displacement: {shape: sine, amplitude: "
                 "0.0174226, frequency: 8.6147180}}]\nstart: [{body: 1, velocity: 0.2310309}]\n"
                 "run: {until: 2.5, %s}\nrecord: {every: 0.01, probes: [u], events: false}\n",
                 ways[i]);
        struct carom_sim *sim = runs_recorded(text, &memory);
        CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
        const size_t u = carom_sink_memory_column(memory, "u", 0);
        for (size_t r = 0; other && r < memory->nrows; r++)
            off = fmax(off, fabs(memory->value[r * memory->width + u] - other->value[r * other->width + u]));
        printf("bead on a shaken wall, %s: %.1e from the first\n", ways[i], off / sim->scales.length);
        CHECK(off < 1e-9 * sim->scales.length + 1e-3 * sim->estimate);
        if (other)
            carom_sim_free(sim);
        else
            first = sim;
        other = other ? other : memory;
    }
    carom_sim_free(first);
}

/* --- forces at the start ------------------------------------------------------------------------------------------ */

static void check_start_forces(void)
{
    static const char *const schemes[] = {"event", "mannshardt", "moreau-adaptive"};
    for (size_t i = 0; i < 3; i++) {
        struct carom_memory *memory;
        struct carom_error error = {CAROM_OK, ""};
        char text[400];
        snprintf(text, sizeof text,
                 "units: none\ntheory: nonsmooth\ngravity: -10\nbodies: [{wall: {side: left}}, {chain: {count: 3}}]\n"
                 "contacts: {e: 0.5}\nrun: {until: 1, scheme: %s}\nrecord: {every: 1, probes: [contact_force]}\n",
                 schemes[i]);
        struct carom_sim *sim = runs_recorded(text, &memory);
        CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
        const size_t force = carom_sink_memory_column(memory, "contact_force", 0);
        for (size_t j = 0; j < 3; j++)
            CHECK(fabs(memory->value[force + j] - 10.0 * (3.0 - (double)j)) < 1e-9);
        carom_sim_free(sim);
    }
}

/* --- the ledger of flights that go on to an impact under an even force ------------------------------------------- */

static void check_tables(void)
{
    static const char *const tols[] = {"1e-3", "1e-6", "1e-9"};
    for (size_t i = 0; i < 3; i++) {
        struct carom_memory *memory;
        struct carom_error error = {CAROM_OK, ""};
        struct carom_ledger ledger;
        char text[600];
        snprintf(text, sizeof text,
                 "units: none\ntheory: nonsmooth\nbodies: [chain: {count: 2, gap: 0.3},"
                 " wall: {side: right, gap: 0.5}]\n"
                 "contacts: {e: 0.8}\nstart: [{body: 1, velocity: 0.5}]\nrun: {until: 3, scheme: mannshardt, tol: %s}\n"
                 "loads: [{body: 1, force: {shape: table, points: [[1.5, 0.9], [2, -0.6], [2.8, -0.2]]}}]\n"
                 "record: {every: 1, probes: [u]}\n",
                 tols[i]);
        struct carom_sim *sim = runs_recorded(text, &memory);
        CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
        carom_balance_read(sim->model, sim->view, NULL, &ledger);
        printf("force table, tol %s: residual %.1e of the work %.1e\n", tols[i], ledger.residual, ledger.work);
        CHECK(fabs(ledger.residual) <= strtod(tols[i], NULL) * fabs(ledger.work));
        carom_sim_free(sim);
    }
}

/* --- steps that a drive limits, not errors: pilots must not take the same --------------------------------------- */

static struct carom_sim *run_driven(const char *how, struct carom_memory **memory)
{
    char text[600];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(
        text, sizeof text,
        "units: none\ntheory: nonsmooth\nbodies: [mechanism: {kind: pendulum, length: 2.1, gravity: 10, wall: 0.43,"
        " moment: {shape: chirp, amplitude: 4.3, frequency: 0.19, frequency_end: 1.4, duration: 10}}]\n"
        "contacts: {e: 0.75}\nstart: [{body: 1, displacement: -0.725, velocity: 0.515}]\n"
        "run: {until: 5.1, %s}\nrecord: {every: 0.13, probes: [u]}\n",
        how);
    struct carom_sim *sim = runs_recorded(text, memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    return sim;
}

static void check_driven(void)
{
    struct carom_memory *fine, *memory;
    struct carom_sim *exact = run_driven("scheme: event, tol: 1e-12", &fine),
                     *sim = run_driven("scheme: moreau-adaptive, tol: 4e-6", &memory);
    double off = 0.0;
    CHECK(memory->nrows == fine->nrows);
    for (size_t r = 0; r < memory->nrows && r < fine->nrows; r++)
        off = fmax(off, fabs(memory->value[r * memory->width] - fine->value[r * fine->width]) / sim->scales.length);
    printf("driven pendulum: %.1e off, %.1e stated\n", off, sim->estimate);
    CHECK(off <= 3.0 * sim->estimate && sim->estimate <= 100.0 * off);
    carom_sim_free(sim);
    carom_sim_free(exact);
}

int main(void)
{
    check_driven();
    check_tables();
    check_shaken();
    check_start_forces();
    check_long_rest();
    check_time_of_rest();
    check_rounding();
    check_start();
    check_corners(3e-5);
    check_corners(1e-5);
    CHECK_MAIN_END;
}
