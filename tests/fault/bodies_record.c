/* Each allocation of recording discs whose contacts come and go, of resuming and of reading the file fails once: the
 * answer is "out of memory" or, where a file is at work, another sentence, or the run did without; never a crash, and
 * under AddressSanitizer never a leak. */
#include "bodies.h"
#include "record/run_file.h"

enum { BALLS = 5 };

static enum carom_status no_memory(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
}

/* balls that fall onto a plane one after the other; NULL: out of memory */
static struct carom_model *make_model(struct carom_error *error)
{
    struct carom_bodies *b = carom_bodies_create(2, BALLS + 1, 1, 1, 0, 0);
    if (!b) {
        no_memory(error);
        return NULL;
    }
    b->pairing[0].law = &carom_law_kuwabara_kono;
    b->pairing[0].param[0].param = 1e3;
    b->pairing[0].param[1].param = 1e-3;
    b->gravity[1] = -10.0;
    for (size_t i = 0; i < BALLS; i++)
        bodies_ball(b, i, 0.5, 1.0, 0.3 * (double)i, 0.6 + 1.1 * (double)i, 0.0);
    b->body[BALLS].surface = CAROM_PLANE;
    b->body[BALLS].fixed = true;
    b->body[BALLS].normal[1] = 1.0;
    struct carom_model *model = carom_model_create();
    if (!model || carom_bodies_finish(b, error) != CAROM_OK) {
        if (!model)
            no_memory(error);
        carom_bodies_free(b);
        carom_model_free(model);
        return NULL;
    }
    if (carom_model_add(model, &carom_part_bodies, b, error) == CAROM_OK && /* it is the model's now, come what may */
        carom_model_finish(model, error) == CAROM_OK)
        return model;
    carom_model_free(model);
    return NULL;
}

static struct carom_sim *make_sim(double until, const struct carom_sink *sink, void *own, struct carom_error *error)
{
    static const char *const probes[] = {"u", "spin", "contacts", "stress", "fabric", "coordination"};
    const struct carom_schedule schedule = {.every = 0.1, .events = true};
    struct carom_model *model = make_model(error);
    struct carom_recorder *recorder = model ? carom_recorder_create(model, probes, 6, &schedule, error) : NULL;
    void *options = recorder ? carom_options_create(&carom_scheme_verlet.kind) : NULL;
    double q[5 * (BALLS + 1)] = {0.0}, v[3 * (BALLS + 1)] = {0.0};
    if (!recorder)
        sink->release(own);
    if (!recorder || carom_recorder_attach(recorder, sink, own, error) != CAROM_OK || !options) {
        if (recorder && !options)
            no_memory(error);
        carom_options_free(options);
        carom_recorder_free(recorder);
        carom_model_free(model);
        return NULL;
    }
    carom_options_set(&carom_scheme_verlet.kind, options, "step", 2e-3, NULL);
    const struct carom_setup setup = {.model = model,
                                      .scheme = &carom_scheme_verlet,
                                      .options = options,
                                      .q = q,
                                      .v = v,
                                      .until = until,
                                      .threads = 1,
                                      .recorder = recorder};
    return carom_sim_create(&setup, error);
}

static enum carom_status run(struct carom_sim *sim, struct carom_error *error)
{
    const enum carom_status status = carom_sim_run(sim, NULL, error);
    carom_sim_free(sim);
    return status;
}

static enum carom_status go_on(struct carom_error *error)
{
    struct carom_run_file *file = carom_run_file_open("fault.h5", error);
    struct carom_run_checkpoint last;
    if (!file || carom_run_file_last(file, &last, error) != CAROM_OK) {
        carom_run_file_close(file);
        return error->status;
    }
    void *own = carom_sink_hdf5_resume("fault.h5", last.rows, last.events);
    struct carom_sim *sim = own ? make_sim(1.5, &carom_sink_hdf5, own, error) : NULL;
    struct carom_state *state = sim ? carom_state_create(sim->model, sim->state->nmemory) : NULL;
    struct carom_checkpoint checkpoint;
    enum carom_status status = state ? CAROM_OK : sim || !own ? no_memory(error) : error->status;
    if (status == CAROM_OK)
        status = carom_run_file_restore(file, sim->model, state, &checkpoint, error);
    if (status == CAROM_OK)
        status = carom_sim_restore(sim, &checkpoint, error);
    carom_state_free(state);
    carom_run_file_close(file);
    if (status == CAROM_OK)
        return run(sim, error);
    carom_sim_free(sim);
    return status;
}

static enum carom_status in_memory(struct carom_error *error)
{
    void *own = carom_sink_memory_new();
    struct carom_sim *sim = own ? make_sim(0.7, &carom_sink_memory, own, error) : NULL;
    return !own ? no_memory(error) : sim ? run(sim, error) : error->status;
}

static enum carom_status in_file(struct carom_error *error)
{
    void *own = carom_sink_hdf5_new("fault.h5");
    remove("fault.h5");
    struct carom_sim *sim = own ? make_sim(0.7, &carom_sink_hdf5, own, error) : NULL;
    const enum carom_status status = !own ? no_memory(error) : sim ? run(sim, error) : error->status;
    return status == CAROM_OK ? go_on(error) : status;
}

/* every one (in part every third), or one in 37 (74) where a file takes its time, until none has failed for a while */
static void fail_each(enum carom_status (*whole)(struct carom_error *error), bool strict)
{
    unsigned long nth = 1, failed = 0;
    for (unsigned long good = 0; good < 30 && nth < 100000;
         nth += (unsigned long)(strict ? check_take(3, 1) : check_take(74, 37))) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        const enum carom_status status = whole(&error);
        carom_memory_fail(0);
        good = status == CAROM_OK ? good + 1 : 0;
        failed += status != CAROM_OK;
        CHECK(status == CAROM_OK || (error.status == status && error.text[0] != '\0'));
        CHECK(status == CAROM_OK || status == CAROM_E_MEMORY || !strict);
    }
    printf("%lu allocations failed and were needed\n", failed);
    CHECK(failed > 50 && nth < 100000);
}

int main(void)
{
    fail_each(in_memory, true);
    fail_each(in_file, false);
    return check_end();
}
