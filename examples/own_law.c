/* Embedding carom: a model built in C, a contact law of our own, and the results in memory.
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

enum { BEADS = 10 };

/* ten beads of mass 1 in a row, touching */
static struct carom_model *chain(struct carom_error *error)
{
    double mass[BEADS], gap[BEADS - 1], k[BEADS - 1], k1[BEADS - 1], tau[BEADS - 1];
    int32_t pair[BEADS - 1][2];
    for (int i = 0; i < BEADS; i++)
        mass[i] = 1.0;
    for (int j = 0; j < BEADS - 1; j++) {
        pair[j][0] = j;
        pair[j][1] = j + 1;
        gap[j] = 0.0;
        k[j] = 1.0;
        k1[j] = 0.5;
        tau[j] = 1.0;
    }
    const double *const columns[] = {k, k1, tau};
    struct carom_model *model = carom_model_create();
    struct carom_beads *beads = carom_beads_create(BEADS, mass, NULL, NULL, error);
    if (carom_model_add(model, &carom_part_beads, beads, error) == CAROM_OK &&
        carom_model_join(model, &polymer, CAROM_END_GAP, BEADS - 1, (const int32_t(*)[2])pair, gap, columns, error) ==
            CAROM_OK &&
        carom_model_finish(model, error) == CAROM_OK)
        return model;
    carom_model_free(model);
    return NULL;
}

int main(void)
{
    struct carom_error error = {CAROM_OK, ""};
    const char *const probes[] = {"u", "v", "contact_force"};
    const struct carom_schedule schedule = {.every = 0.5, .events = true};
    const double q[BEADS] = {0.0}, v[BEADS] = {1.0}; /* the first bead strikes the others */

    struct carom_model *model = chain(&error);
    struct carom_recorder *recorder = carom_recorder_create(model, probes, 3, &schedule, &error);
    struct carom_memory *memory = carom_sink_memory_new();
    void *options = carom_options_create(&carom_scheme_dp5.kind);
    const bool ready = carom_recorder_attach(recorder, &carom_sink_memory, memory, &error) == CAROM_OK &&
                       carom_options_set(&carom_scheme_dp5.kind, options, "tol", 1e-9, &error) == CAROM_OK;
    const struct carom_setup setup = {.model = model,
                                      .scheme = &carom_scheme_dp5,
                                      .options = options,
                                      .q = q,
                                      .v = v,
                                      .until = 30.0,
                                      .threads = 1,
                                      .recorder = recorder};
    struct carom_sim *sim = carom_sim_create(&setup, &error); /* all of it is the sim's now, also if there is none */
    if (!ready || !sim || carom_sim_run(sim, NULL, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.text);
        carom_sim_free(sim);
        return 1;
    }
    const struct carom_ledger *ledger = &carom_recorder_tally(recorder)->last;
    const size_t first = carom_sink_memory_column(memory, "v", 0),
                 last = carom_sink_memory_column(memory, "v", BEADS - 1);
    const double *row = memory->value + (memory->nrows - 1) * memory->width;
    double momentum = 0.0;
    for (size_t i = 0; i < BEADS; i++)
        momentum += row[first + i];
    printf("last bead leaves with %.9f, momentum %.15f\n", row[last], momentum);
    printf("kinetic %.9f stored %.9f dissipated %.9f residual %.1e after %zu openings and closings\n", ledger->kinetic,
           ledger->stored, ledger->dissipated, ledger->residual, memory->nevents);
    const bool good = fabs(ledger->residual) < 1e-7 && fabs(momentum - 1.0) < 1e-12 && ledger->dissipated > 0.1;
    carom_sim_free(sim); /* and with it model, options, recorder and memory */
    return good ? 0 : 1;
}
