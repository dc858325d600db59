/* Embedding carom: a contact law of our own that a scene names like any other, and the results in memory.
 *
 * The law is a Hertz spring in parallel with a Maxwell element (a spring k1 and a damper of time tau in series), as
 * for polymers: F = k d^(3/2) + h, where the history h obeys h' = k1 d' - h / tau while the contact is closed.
 * Stored is 2/5 k d^(5/2) + h^2 / (2 k1), dissipated h^2 / (k1 tau). The ledger of the run proves the three belong
 * together: a wrong power would leave a residual.
 *
 * Build: cc own_law.c $(pkg-config --cflags --libs carom) */
#include <carom/carom.h>
#include <stdio.h>

struct polymer {
    double k, k1, tau;
};

static const struct carom_param params[] = {
    {"k", CAROM_REAL, offsetof(struct polymer, k), 1.0, 0.0, HUGE_VAL, "N/m^(3/2)", "Hertz stiffness", NULL},
    {"k1", CAROM_REAL, offsetof(struct polymer, k1), 0.5, CAROM_POSITIVE, HUGE_VAL, "N/m", "Maxwell spring", NULL},
    {"tau", CAROM_REAL, offsetof(struct polymer, tau), 1.0, CAROM_POSITIVE, HUGE_VAL, "s", "Maxwell time", NULL},
    CAROM_PARAM_END,
};

/* outputs that are NULL are not wanted; a contact that opens forgets with time */
static void evaluate(const struct carom_batch *b)
{
    const double *k = b->param[0], *k1 = b->param[1], *tau = b->param[2];
    for (size_t j = 0; j < b->n; j++) {
        const double d = b->deform[j] > 0.0 ? b->deform[j] : 0.0, root = sqrt(d), h = b->history[0][j];
        const bool closed = b->deform[j] > 0.0;
        if (b->elastic)
            b->elastic[j] = closed ? k[j] * d * root + h : 0.0;
        if (b->slope)
            b->slope[j] = closed ? 1.5 * k[j] * root : 0.0;
        if (b->viscous)
            b->viscous[j] = 0.0;
        if (b->drag)
            b->drag[j] = 0.0;
        if (b->power)
            b->power[j] = h * h / (k1[j] * tau[j]);
        if (b->energy)
            b->energy[j] = 0.4 * k[j] * d * d * root + 0.5 * h * h / k1[j];
        if (b->history_rate)
            b->history_rate[0][j] = (closed ? k1[j] * b->rate[j] : 0.0) - h / tau[j];
    }
}

static const struct carom_law polymer = {
    .kind = {"polymer", "Hertz spring beside a Maxwell element", params, sizeof(struct polymer)},
    .nh = 1,
    .evaluate = evaluate,
};

static const char text[] = "units: none\n"
                           "bodies: [{chain: {count: 10, mass: 1}}]\n"
                           "contacts: {law: polymer, k: 1, k1: 0.5, tau: 1}\n"
                           "start: [{body: 1, velocity: 1}]\n"
                           "record: {every: 0.5, probes: [u, v, contact_force]}\n"
                           "run: {scheme: dp5, tol: 1e-7, until: 30}\n";

int main(void)
{
    struct carom_error error = {CAROM_OK, ""};
    const struct carom_law *const laws[] = {&polymer, NULL};
    const struct carom_scene_wish wish = {.laws = laws};
    struct carom_scene *scene = carom_scene_parse_as("own_law", text, sizeof text - 1, NULL, 0, &wish, &error);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    struct carom_memory *memory = carom_sink_memory_new();
    carom_scene_free(scene);
    if (carom_recorder_attach(sim ? sim->recorder : NULL, &carom_sink_memory, memory, &error) != CAROM_OK ||
        carom_sim_run(sim, NULL, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.text);
        carom_sim_free(sim);
        return 1;
    }
    const struct carom_ledger *ledger = &carom_recorder_tally(sim->recorder)->last;
    const size_t first = carom_sink_memory_column(memory, "v", 0);
    const double *v = memory->value + (memory->nrows - 1) * memory->width + first;
    double momentum = 0.0;
    for (size_t i = 0; i < 10; i++)
        momentum += v[i];
    printf("last bead leaves with %.9f, momentum %.15f\n", v[9], momentum);
    printf("kinetic %.9f stored %.9f dissipated %.9f residual %.1e after %zu openings and closings\n", ledger->kinetic,
           ledger->stored, ledger->dissipated, ledger->residual, memory->nevents);
    const bool good = fabs(ledger->residual) < 1e-7 && fabs(momentum - 1.0) < 1e-12 && ledger->dissipated > 0.1;
    carom_sim_free(sim); /* and with it model, options, recorder and memory */
    return good ? 0 : 1;
}
