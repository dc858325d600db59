/* The same run gives the same bits: twice, on 1, 2 and 3 threads, with and without recording, stopped and continued,
 * restored from a checkpoint into a new sim, and by verlet's fused step or its phases. */
#include "chain.h"

static struct chain chain; /* too large for the stack */

static const double until = 0.65;

struct how {
    size_t threads;
    bool record;    /* everything at once: by time, by step, at listed times, with events */
    int stop_after; /* calls of the watch before it stops the run; 0: never */
    bool restore;   /* then goes on in a new sim from the checkpoint, else in the same one */
};

/* What is compared. */
struct outcome {
    uint64_t hash, steps;
    double residual;
    uint64_t rows, row_hash, events; /* of all that was recorded, also before a stop */
};

static bool make_chain(int which)
{
    const double hertz[4] = {1.0}, damped[4] = {1.0, 0.08}, power[4] = {1.0, 2.0, 0.05, 1.75};
    switch (which) {
    case 0: /* several blocks of beads for threads; undamped */
        chain_uniform(&chain, 2500, true, true, &carom_law_hertz, CAROM_END_GAP, hertz);
        break;
    case 1:
        chain_uniform(&chain, 2500, false, true, &carom_law_kuwabara_kono, CAROM_END_GAP, damped);
        break;
    case 2: /* two laws, ended by force, springs */
        chain_uniform(&chain, 300, false, false, &carom_law_kuwabara_kono, CAROM_END_FORCE, damped);
        for (size_t j = 0; j < 100; j++) {
            chain.law[j] = &carom_law_power;
            memcpy(chain.param[j], power, sizeof power);
        }
        for (size_t i = 0; i < chain.n; i++)
            chain.spring[i] = 0.02;
        break;
    case 3: /* several blocks of contacts that latch */
        chain_uniform(&chain, 1300, false, true, &carom_law_kuwabara_kono, CAROM_END_LATCH, damped);
        break;
    default:
        return false;
    }
    struct carom_random random;
    carom_random_start(&random, 7);
    for (size_t i = 0; i < chain.n; i++) {
        chain.mass[i] = 0.5 + carom_random_uniform(&random);
        chain.v[i] = 0.3 * carom_random_normal(&random);
    }
    for (size_t j = 0; j < chain.nc; j++)
        chain.gap[j] = carom_random_below(&random, 3) == 0 ? 0.05 * carom_random_uniform(&random) : 0.0;
    return true;
}

static struct carom_recorder *make_recorder(const struct carom_model *model, struct carom_memory **memory)
{
    static const char *const probes[] = {"u", "v", "contact_force"};
    static const double times[] = {0.013, 0.25, 0.37, 0.3700001, 1.9};
    const struct carom_schedule schedule = {
        .every = 0.0201, .every_steps = 7, .ntimes = 5, .times = times, .events = true};
    struct carom_recorder *recorder = carom_recorder_create(model, probes, 3, &schedule, NULL);
    CHECK_OR_STOP(recorder != NULL);
    *memory = carom_sink_memory_new();
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_memory, *memory, NULL), CAROM_OK);
    return recorder;
}

/* NULL if the scheme refuses the chain. */
static struct carom_sim *make_sim(const struct carom_scheme *scheme, const struct how *how,
                                  struct carom_memory **memory)
{
    struct carom_model *model = chain_model(&chain);
    void *options = carom_options_create(&scheme->kind);
    const bool adaptive = strcmp(scheme->kind.params[0].name, "tol") == 0;
    CHECK_STATUS(carom_options_set(&scheme->kind, options, scheme->kind.params[0].name, adaptive ? 1e-7 : 0.0045, NULL),
                 CAROM_OK);
    const struct carom_setup setup = {.model = model,
                                      .scheme = scheme,
                                      .options = options,
                                      .q = chain.q,
                                      .v = chain.v,
                                      .until = until,
                                      .threads = how->threads,
                                      .recorder = how->record ? make_recorder(model, memory) : NULL};
    struct carom_error error = {.status = CAROM_OK};
    struct carom_sim *sim = carom_sim_create(&setup, &error);
    CHECK(sim != NULL || error.status == CAROM_E_REFUSED);
    return sim;
}

static bool count_down(void *own, const struct carom_sim *sim)
{
    int *left = own;
    return sim->state->step == 0 || --*left != 0; /* the pilot runs do not count */
}

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

/* Adds the rows and events in memory to what was recorded before. */
static void add_rows(struct outcome *outcome, const struct carom_memory *memory)
{
    for (size_t i = 0; i < memory->nrows; i++) {
        outcome->row_hash = mix(outcome->row_hash, &memory->time[i], sizeof(double));
        outcome->row_hash = mix(outcome->row_hash, memory->value + i * memory->width, memory->width * sizeof(double));
    }
    outcome->rows += memory->nrows;
    outcome->events += memory->nevents;
}

static bool run(const struct carom_scheme *scheme, const struct how *how, struct outcome *outcome)
{
    struct carom_memory *memory = NULL;
    struct carom_sim *sim = make_sim(scheme, how, &memory);
    if (!sim)
        return false;
    *outcome = (struct outcome){.row_hash = 0xcbf29ce484222325u};
    int left = how->stop_after;
    const struct carom_watch watch = {.call = count_down, .own = &left, .seconds = 0.0};
    enum carom_status status = carom_sim_run(sim, how->stop_after > 0 ? &watch : NULL, NULL);
    if (how->stop_after > 0) {
        CHECK(status == CAROM_E_STOPPED);
        CHECK(sim->state->time > 0.0 && sim->state->time < until);
        if (how->restore) {
            struct carom_memory *earlier = memory;
            struct carom_sim *other = make_sim(scheme, how, &memory);
            CHECK_OR_STOP(other != NULL);
            struct carom_checkpoint checkpoint = {.state = sim->state, .counts = sim->stepper->counts};
            if (how->record) {
                checkpoint.rows = carom_recorder_tally(sim->recorder)->rows;
                checkpoint.events = carom_recorder_tally(sim->recorder)->events;
            }
            CHECK_STATUS(carom_sim_restore(other, &checkpoint, NULL), CAROM_OK);
            if (how->record)
                add_rows(outcome, earlier);
            carom_sim_free(sim);
            sim = other;
        }
        status = carom_sim_run(sim, NULL, NULL);
    }
    CHECK(status == CAROM_OK);
    CHECK(sim->state->time == until);
    if (how->record) {
        add_rows(outcome, memory);
        CHECK(outcome->rows > 30);
        CHECK(outcome->rows == carom_recorder_tally(sim->recorder)->rows);
        CHECK(outcome->events == carom_recorder_tally(sim->recorder)->events);
    }
    double *scratch = carom_memory_zeroed(2 * sim->model->nc, sizeof *scratch);
    struct carom_ledger ledger;
    CHECK_OR_STOP(scratch != NULL);
    carom_sim_sync(sim);
    carom_balance_read(sim->model, sim->view, scratch, &ledger);
    outcome->hash = carom_state_hash(sim->state);
    outcome->steps = sim->state->step;
    outcome->residual = ledger.residual;
    carom_memory_free(scratch);
    carom_sim_free(sim);
    return true;
}

static void check_scheme(const struct carom_scheme *scheme, size_t which)
{
    const struct how plain = {.threads = 1};
    const struct how others[] = {
        {.threads = 3},
        {.threads = 1, .record = true},
        {.threads = 2, .record = true},
        {.threads = 1, .record = true, .stop_after = 20},
        {.threads = 1, .record = true, .stop_after = 20, .restore = true},
        {.threads = 2, .stop_after = 1, .restore = true},
    };
    struct outcome first, again, recorded = {0};
    if (!run(scheme, &plain, &first))
        return;
    for (size_t i = check_takes_all() ? 0 : which % 2; i < sizeof others / sizeof *others;
         i += (size_t)check_take(2, 1)) { /* chains take turns */
        const struct how how = others[i];
        if (how.stop_after == 1 && chain.n < 2000)
            continue; /* without recording a small chain is done within one call */
        CHECK(run(scheme, &how, &again));
        CHECK(again.steps == first.steps);
        CHECK(again.hash == first.hash);
        CHECK(memcmp(&again.residual, &first.residual, sizeof(double)) == 0);
        if (!how.record)
            continue;
        if (recorded.rows == 0)
            recorded = again;
        CHECK(again.rows == recorded.rows && again.row_hash == recorded.row_hash && again.events == recorded.events);
        CHECK(again.events > 0);
    }
    printf("%s, %zu beads: %" PRIu64 " steps, hash %016" PRIx64 "\n", scheme->kind.name, chain.n, first.steps,
           first.hash);
}

/* Hertz contacts and Kuwabara-Kono ones without damping are the same forces by the same operations, but only the former
 * take verlet's fused step. */
static void check_fused(struct carom_random *random)
{
    for (int trial = 0; trial < 60; trial++) {
        const double hertz[4] = {1.0};
        const size_t n = 1 + (size_t)carom_random_below(random, trial % 2 == 0 ? 40 : 300);
        struct trial one, other;
        chain_uniform(&chain, n, carom_random_below(random, 2) == 1, carom_random_below(random, 2) == 1,
                      &carom_law_hertz, CAROM_END_GAP, hertz);
        for (size_t i = 0; i < n; i++) {
            chain.mass[i] = 0.5 + carom_random_uniform(random);
            chain.v[i] = carom_random_normal(random);
        }
        for (size_t j = 0; j < chain.nc; j++) {
            chain.param[j][0] = 0.5 + carom_random_uniform(random);
            chain.gap[j] = 0.1 * carom_random_normal(random);
        }
        CHECK_OR_STOP(trial_open(&one, &chain, &carom_scheme_verlet, 0.01, NULL));
        for (size_t j = 0; j < chain.nc; j++)
            chain.law[j] = &carom_law_kuwabara_kono;
        CHECK_OR_STOP(trial_open(&other, &chain, &carom_scheme_verlet, 0.01, NULL));
        CHECK_STATUS(trial_run(&one, 2.0, NULL), CAROM_OK);
        CHECK_STATUS(trial_run(&other, 2.0, NULL), CAROM_OK);
        CHECK(carom_state_hash(one.state) == carom_state_hash(other.state));
        trial_close(&one);
        trial_close(&other);
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (int which = 0; make_chain(which); which++)
        for (size_t i = 0; carom_kinds_schemes[i]; i++)
            check_scheme(carom_kinds_schemes[i], (size_t)which);
    check_fused(&random);
    return check_end();
}
