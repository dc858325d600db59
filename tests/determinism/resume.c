/* A run that was stopped or killed and resumed from its file ends with the same file as one that ran through: the same
 * state, rows and events, to the bit. A kill is played by a copy of the file taken in the middle of the run. */
#include "chain.h"
#include "record/run_file.h"
#include "resuming.h"

static struct chain chain; /* too large for the stack */

static const char whole_path[] = "whole.h5", part_path[] = "part.h5", copy_path[] = "copy.h5";

static bool make_chain(int which)
{
    const double hertz[4] = {1.0}, damped[4] = {1.0, 0.08};
    if (which == 0)
        chain_uniform(&chain, 30, false, true, &carom_law_hertz, CAROM_END_GAP, hertz);
    else if (which == 1)
        chain_uniform(&chain, 30, true, false, &carom_law_kuwabara_kono, CAROM_END_GAP, damped);
    else if (which == 2)
        chain_uniform(&chain, 30, false, true, &carom_law_kuwabara_kono, CAROM_END_FORCE, damped);
    else if (which == 3)
        chain_uniform(&chain, 30, false, true, &carom_law_kuwabara_kono, CAROM_END_LATCH, damped);
    else
        return false;
    for (size_t i = 0; i < chain.n; i += 3)
        chain.v[i] = 1.0 - 0.1 * (double)i;
    for (size_t j = 1; j < chain.nc; j += 4)
        chain.gap[j] = 0.1;
    return true;
}

/* NULL if the scheme refuses the chain. */
static struct carom_sim *make_sim(const struct carom_scheme *scheme, void *sink)
{
    static const char *const probes[] = {"u", "v", "contact_force", "contact_dissipated"};
    const struct carom_schedule schedule = {
        .every = 0.05, .every_steps = 9, .events = true, .episodes = 20, .action = 0.02, .most = 240, .end = 5.0};
    struct carom_model *model = chain_model(&chain);
    struct carom_recorder *recorder = carom_recorder_create(model, probes, 4, &schedule, NULL);
    CHECK_OR_STOP(recorder != NULL && sink != NULL);
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_hdf5, sink, NULL), CAROM_OK);
    void *options = carom_options_create(&scheme->kind);
    const bool adaptive = strcmp(scheme->kind.params[0].name, "tol") == 0;
    CHECK_STATUS(carom_options_set(&scheme->kind, options, scheme->kind.params[0].name, adaptive ? 1e-7 : 0.013, NULL),
                 CAROM_OK);
    const struct carom_setup setup = {.model = model,
                                      .scheme = scheme,
                                      .options = options,
                                      .q = chain.q,
                                      .v = chain.v,
                                      .until = 5.0,
                                      .threads = 1,
                                      .recorder = recorder,
                                      .origin = {.title = "resume", .units = "none"}};
    struct carom_error error = {.status = CAROM_OK};
    struct carom_sim *sim = carom_sim_create(&setup, &error);
    CHECK(sim != NULL || error.status == CAROM_E_REFUSED);
    return sim;
}

/* Goes on in the file at `path` to the end, or to where the plan stops it. */
static enum carom_status resume(const struct carom_scheme *scheme, const char *path, struct plan *plan, uint64_t *hash)
{
    struct carom_error error = {.status = CAROM_OK};
    struct carom_run_file *run = carom_run_file_open(path, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(run != NULL);
    struct carom_run_checkpoint last;
    CHECK_STATUS(carom_run_file_last(run, &last, NULL), CAROM_OK);
    struct carom_sim *sim = make_sim(scheme, carom_sink_hdf5_resume(path, last.rows, last.events));
    CHECK_OR_STOP(sim != NULL);
    uint64_t rows, events;
    CHECK_STATUS(carom_sim_resume(sim, run, &rows, &events, NULL), CAROM_OK);
    carom_run_file_close(run);
    CHECK(rows == last.rows && events == last.events);
    CHECK(sim->state->time > 0.0 && sim->state->time < 5.0);
    return run_and_free(sim, plan, hash);
}

static bool same(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Rows, times, steps and events of two files. */
static void compare_files(const char *one_path, const char *other_path)
{
    struct carom_run_file *one = carom_run_file_open(one_path, NULL), *other = carom_run_file_open(other_path, NULL);
    CHECK_OR_STOP(one != NULL && other != NULL);
    CHECK(one->complete && other->complete && !one->marked && !other->marked);
    CHECK_OR_STOP(one->rows == other->rows && one->events == other->events && one->nitems == other->nitems);
    CHECK(one->rows > 100 && one->events > 10);
    CHECK(same(&one->counts, &other->counts, sizeof one->counts));
    for (size_t i = 0; i < one->nitems; i++) {
        const size_t count = one->rows * one->item[i].width;
        double *a = carom_memory_zeroed(count, sizeof *a), *b = carom_memory_zeroed(count, sizeof *b);
        CHECK_OR_STOP(a != NULL && b != NULL && one->item[i].width == other->item[i].width);
        CHECK_STATUS(carom_run_file_read(one, &one->item[i], 0, one->rows, a, NULL), CAROM_OK);
        CHECK_STATUS(carom_run_file_read(other, &other->item[i], 0, one->rows, b, NULL), CAROM_OK);
        CHECK(same(a, b, count * sizeof *a));
        if (i == 0) { /* times too: there is room */
            CHECK_STATUS(carom_run_file_times(one, 0, one->rows, a, NULL), CAROM_OK);
            CHECK_STATUS(carom_run_file_times(other, 0, one->rows, b, NULL), CAROM_OK);
            CHECK(same(a, b, one->rows * sizeof *a));
        }
        carom_memory_free(a);
        carom_memory_free(b);
    }
    struct carom_event *a = carom_memory_zeroed(one->events, sizeof *a),
                       *b = carom_memory_zeroed(one->events, sizeof *b);
    CHECK_OR_STOP(a != NULL && b != NULL);
    CHECK_STATUS(carom_run_file_events(one, 0, one->events, a, NULL), CAROM_OK);
    CHECK_STATUS(carom_run_file_events(other, 0, one->events, b, NULL), CAROM_OK);
    for (uint64_t i = 0; i < one->events; i++)
        CHECK(same(&a[i].time, &b[i].time, sizeof a[i].time) && a[i].contact == b[i].contact && a[i].kind == b[i].kind);
    carom_memory_free(a);
    carom_memory_free(b);
    carom_run_file_close(one);
    carom_run_file_close(other);
}

/* The book of impacts of both, with what it has left out. */
static void compare_books(const char *one_path, const char *other_path)
{
    struct carom_run_file *one = carom_run_file_open(one_path, NULL), *other = carom_run_file_open(other_path, NULL);
    CHECK_OR_STOP(one != NULL && other != NULL);
    const uint64_t rows = one->episodes.rows;
    CHECK(rows >= 20 && one->episodes.left_out == other->episodes.left_out);
    CHECK_OR_STOP(rows == other->episodes.rows);
    struct carom_episode *a = carom_memory_zeroed(rows, sizeof *a), *b = carom_memory_zeroed(rows, sizeof *b);
    CHECK_OR_STOP(a != NULL && b != NULL);
    CHECK_STATUS(carom_run_file_episodes(one, 0, rows, a, NULL), CAROM_OK);
    CHECK_STATUS(carom_run_file_episodes(other, 0, rows, b, NULL), CAROM_OK);
    CHECK(same(a, b, rows * sizeof *a));
    carom_memory_free(a);
    carom_memory_free(b);
    carom_run_file_close(one);
    carom_run_file_close(other);
}

static void remove_files(void)
{
    remove(whole_path);
    remove(part_path);
    remove(copy_path);
}

static void check_scheme(const struct carom_scheme *scheme)
{
    uint64_t whole, hash;
    remove_files();
    struct carom_sim *sim = make_sim(scheme, carom_sink_hdf5_new(whole_path));
    if (!sim)
        return;
    CHECK_STATUS(run_and_free(sim, NULL, &whole), CAROM_OK);
    /* stopped twice, resumed twice; on the way a copy that lacks what came after its checkpoint */
    struct plan first = {.save = 20, .copy = 30, .stop = 50}, second = {.stop = 40};
    sim = make_sim(scheme, carom_sink_hdf5_new(part_path));
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(run_and_free(sim, &first, &hash), CAROM_E_STOPPED);
    CHECK(hash != whole);
    CHECK_STATUS(resume(scheme, part_path, &second, &hash), CAROM_E_STOPPED);
    CHECK_STATUS(resume(scheme, part_path, NULL, &hash), CAROM_OK);
    CHECK(hash == whole);
    compare_files(whole_path, part_path);
    compare_books(whole_path, part_path);
    CHECK_STATUS(resume(scheme, copy_path, NULL, &hash), CAROM_OK);
    CHECK(hash == whole);
    compare_files(whole_path, copy_path);
    compare_books(whole_path, copy_path);
    remove_files();
}

int main(void)
{
    for (int which = 0; make_chain(which); which++)
        for (size_t i = 0; carom_kinds_schemes[i]; i++)
            check_scheme(carom_kinds_schemes[i]);
    return check_end();
}
