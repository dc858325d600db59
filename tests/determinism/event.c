/* Scheme event gives the same bits twice, with and without recording, stopped and restored from a checkpoint; on a
 * column, on a cradle with springs and on a machine whose flights are not exact. */
#include "carom/mechanism.h"
#include "events.h"

enum { KINDS = 3 };

static const double until = 12.0;

static struct carom_model *machine(double *q)
{
    const struct carom_machine *kind = &carom_machine_pendulum;
    void *own = carom_memory_zeroed(1, kind->kind.size);
    struct carom_model *model = carom_model_create();
    CHECK_OR_STOP(own && model);
    carom_param_defaults(&kind->kind, own);
    CHECK_STATUS(carom_options_set(&kind->kind, own, "wall", 0.1, NULL), CAROM_OK);
    struct carom_mechanism mechanism = kind->mechanism;
    mechanism.own = own;
    mechanism.release = carom_memory_free;
    q[0] = -0.7;
    const double v = 0.0, e = 0.6, gap = 0.0, *const columns[CAROM_RIGID_COLUMNS] = {&e};
    const int32_t pair[1][2] = {{CAROM_WALL_LEFT, 0}};
    CHECK_STATUS(carom_model_add(model, &carom_part_mechanism, carom_mechanism_create(&mechanism, q, &v, NULL), NULL),
                 CAROM_OK);
    CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1, pair, &gap, columns, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    return model;
}

static struct carom_model *make(int kind, double *q)
{
    static const double gap[] = {1.0, 0.02, 0.013, 0.027, 0.011, 0.02}, spring[] = {1.0, 2.0, 0.7, 1.1, 0.4, 1.0};
    if (kind == 2)
        return machine(q);
    for (size_t i = 0; kind == 1 && i < 6; i++)
        q[i] = i == 0 ? -1.0 : 0.0;
    const struct row row = {.n = 6,
                            .left = kind == 0,
                            .gap = kind == 0 ? gap : NULL,
                            .spring = kind == 1 ? spring : NULL,
                            .e_all = 0.8,
                            .gravity = kind == 0 ? -10.0 : 0.0};
    return row_model(&row);
}

static struct carom_sim *sim_of(int kind, bool record)
{
    static const char *const probes[] = {"u", "v", "contact_force"};
    static const double times[] = {0.013, 0.5, 0.77, 0.7700001};
    const struct carom_schedule schedule = {
        .every = 0.0301, .every_steps = 7, .ntimes = 4, .times = times, .events = true};
    double q[6] = {0.0}, v[6] = {0.0};
    struct carom_model *model = make(kind, q);
    struct carom_recorder *recorder = record ? carom_recorder_create(model, probes, 3, &schedule, NULL) : NULL;
    if (record)
        CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_memory, carom_sink_memory_new(), NULL), CAROM_OK);
    const struct carom_setup setup = {
        .model = model, .scheme = &EVENT_SCHEME, .q = q, .v = v, .until = until, .recorder = recorder};
    struct carom_sim *sim = carom_sim_create(&setup, NULL);
    CHECK_OR_STOP(sim != NULL);
    return sim;
}

static bool count_down(void *own, const struct carom_sim *sim)
{
    int *left = own;
    return sim->state->step == 0 || --*left != 0;
}

/* Runs, stopped after some calls of the watch and restored into a new sim if `stop` > 0. */
static uint64_t hash_of(int kind, bool record, int stop)
{
    struct carom_sim *sim = sim_of(kind, record);
    int left = stop;
    const struct carom_watch watch = {.call = count_down, .own = &left, .seconds = 0.0};
    enum carom_status status = carom_sim_run(sim, stop > 0 ? &watch : NULL, NULL);
    if (status == CAROM_E_STOPPED) {
        struct carom_sim *other = sim_of(kind, record);
        const struct carom_checkpoint checkpoint = {.state = sim->state,
                                                    .counts = sim->stepper->counts,
                                                    .rows = record ? carom_recorder_tally(sim->recorder)->rows : 0,
                                                    .events = record ? carom_recorder_tally(sim->recorder)->events : 0};
        CHECK_STATUS(carom_sim_restore(other, &checkpoint, NULL), CAROM_OK);
        carom_sim_free(sim);
        sim = other;
        status = carom_sim_run(sim, NULL, NULL);
    }
    CHECK_STATUS(status, CAROM_OK);
    CHECK(sim->state->time == until && sim->state->step > 5);
    const uint64_t hash = carom_state_hash(sim->state);
    carom_sim_free(sim);
    return hash;
}

/* One flight at a time, each from a state copied into a new stepper, is the same as all at once. */
static void check_single_flights(int kind)
{
    double q[6] = {0.0};
    struct log whole, parts;
    CHECK_OR_STOP(log_open(&whole, make(kind, q), MOREAU, 1e-9, q, NULL, NULL));
    CHECK_OR_STOP(log_open(&parts, make(kind, q), MOREAU, 1e-9, q, NULL, NULL));
    CHECK_STATUS(log_run(&whole, until, SIZE_MAX, NULL), CAROM_OK);
    while (carom_state_until(parts.play.state, until) > 0.0) {
        struct log fresh;
        CHECK_OR_STOP(log_open(&fresh, make(kind, q), MOREAU, 1e-9, q, NULL, NULL));
        carom_state_copy(fresh.play.state, parts.play.state);
        const struct carom_bound bound = {.t_stop = until, .t_dense = HUGE_VAL, .steps = 1, .watch = true};
        CHECK_STATUS(EVENT_SCHEME.step(fresh.play.stepper, fresh.play.state, &bound, NULL), CAROM_OK);
        log_keep(&fresh);
        const double middle = 0.5 * (fresh.play.stepper->before->time + fresh.play.state->time);
        EVENT_SCHEME.dense(fresh.play.stepper, fresh.play.state, middle, fresh.play.view);
        carom_state_copy(parts.play.state, fresh.play.state);
        parts.count += fresh.count;
        log_close(&fresh);
    }
    CHECK(carom_state_hash(whole.play.state) == carom_state_hash(parts.play.state));
    CHECK(whole.count == parts.count);
    parts.count = 0;
    log_close(&whole);
    log_close(&parts);
}

int main(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        const uint64_t plain = hash_of(kind, false, 0);
        CHECK(hash_of(kind, false, 0) == plain);
        CHECK(hash_of(kind, true, 0) == plain);
        for (int stop = 1; stop < 40; stop += 7)
            CHECK(hash_of(kind, true, stop) == plain);
        check_single_flights(kind);
    }
    return check_end();
}
