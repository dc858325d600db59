/* Discs and spheres whose contacts come and go: recording changes no bit, and a run that was stopped or killed and
 * resumed from its file ends with the same state, rows, contacts and events as one that ran through, with joined sides,
 * walls and friction. A damaged checkpoint is refused. */
#include "bodies.h"
#include "base/random.h"
#include "model/bodies/list.h"
#include "record/run_file.h"
#include "record/run_layout.h"
#include "resuming.h"

enum { BALLS = 14 };

struct layer {
    size_t dimension;
    const struct carom_friction *friction;
    double form;
    const struct carom_scheme *scheme;
    const char *option;
    double value, until;
    double e; /* of rigid bodies; 0: compliant */
};

/* balls over a floor, thrown about, leaving on one side and coming back on the other */
static struct carom_bodies *make_bodies(const struct layer *l, double *v)
{
    const double param[] = {3e3, 4e-3}, rub[] = {0.4, 0.0, 3e3, 4e-3, l->form}, rigid[] = {l->e, 1.0, 1.5, 0.0, 0.0};
    struct carom_bodies *b =
        bodies_of(l->dimension, BALLS + 1, 0, l->e > 0.0 ? &carom_law_rigid : &carom_law_kuwabara_kono, CAROM_END_GAP,
                  l->e > 0.0 ? rigid : param);
    struct carom_random random;
    carom_random_start(&random, 5);
    b->pairing[0].friction = l->friction;
    for (size_t i = 0; i < 5; i++)
        b->pairing[0].rub[i].param = rub[i];
    b->bounded = b->periodic[0] = true;
    b->periodic[2] = l->dimension == 3;
    b->high[0] = b->high[1] = b->high[2] = 8.5;
    b->gravity[1] = -10.0;
    const size_t nv = carom_bodies_nv(b);
    memset(v, 0, 6 * (BALLS + 1) * sizeof *v);
    for (size_t i = 0; i < BALLS; i++) {
        const double radius = 0.7 + 0.2 * carom_random_uniform(&random);
        bodies_ball(b, i, radius, radius * radius, 1.0 + 2.0 * (double)(i % 4), 1.0 + 2.0 * (double)(i / 4),
                    l->dimension == 3 ? 4.0 : 0.0);
        for (size_t k = 0; k < nv; k++)
            v[i * nv + k] = 4.0 * carom_random_uniform(&random) - 2.0;
        v[i * nv] += 3.0;
    }
    b->body[BALLS].surface = CAROM_PLANE;
    b->body[BALLS].fixed = true;
    b->body[BALLS].normal[1] = 1.0;
    return b;
}

static struct carom_sim *make_sim(const struct layer *l, const struct carom_sink *sink, void *own)
{
    static const char *const probes[] = {"u", "v", "position", "rotation", "spin", "contacts"};
    const struct carom_schedule schedule = {.every = 0.012, .every_steps = 90, .events = true, .episodes = 12};
    double v[6 * (BALLS + 1)];
    struct carom_bodies *b = make_bodies(l, v);
    struct carom_model *model = bodies_model(b);
    struct carom_recorder *recorder = own ? carom_recorder_create(model, probes, 6, &schedule, NULL) : NULL;
    if (own)
        CHECK_STATUS(carom_recorder_attach(recorder, sink, own, NULL), CAROM_OK);
    return bodies_sim_of(model, b, v, l->scheme, l->option, l->value, l->until, recorder);
}

static enum carom_status resume(const struct layer *l, const char *path, struct plan *plan, uint64_t *hash)
{
    struct carom_error error = {.status = CAROM_OK};
    struct carom_run_file *run = carom_run_file_open(path, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(run != NULL);
    struct carom_run_checkpoint last;
    CHECK_STATUS(carom_run_file_last(run, &last, NULL), CAROM_OK);
    struct carom_sim *sim = make_sim(l, &carom_sink_hdf5, carom_sink_hdf5_resume(path, last.rows, last.events));
    CHECK_OR_STOP(sim != NULL);
    struct carom_state *state = carom_state_create(sim->model, sim->state->nmemory);
    struct carom_checkpoint checkpoint;
    CHECK_STATUS(carom_run_file_restore(run, sim->model, state, &checkpoint, &error), CAROM_OK);
    carom_run_file_close(run);
    CHECK_STATUS(carom_sim_restore(sim, &checkpoint, NULL), CAROM_OK);
    carom_state_free(state);
    return run_and_free(sim, plan, hash);
}

static void compare_touches(const struct carom_run_file *one, const struct carom_run_file *other, uint64_t least)
{
    uint64_t lines = 0;
    CHECK(one->touches.there && one->touches.lines == other->touches.lines);
    for (uint64_t i = 0; i < one->rows; i++) {
        uint64_t first[2], count[2];
        CHECK_STATUS(carom_run_file_touching(one, i, &first[0], &count[0], NULL), CAROM_OK);
        CHECK_STATUS(carom_run_file_touching(other, i, &first[1], &count[1], NULL), CAROM_OK);
        CHECK(first[0] == lines && first[1] == lines && count[0] == count[1]);
        lines += count[0];
    }
    CHECK(lines == one->touches.lines && lines >= least);
    struct carom_touch *a = carom_memory_zeroed(lines, sizeof *a), *b = carom_memory_zeroed(lines, sizeof *b);
    CHECK_STATUS(carom_run_file_touches(one, 0, lines, a, NULL), CAROM_OK);
    CHECK_STATUS(carom_run_file_touches(other, 0, lines, b, NULL), CAROM_OK);
    CHECK(memcmp(a, b, lines * sizeof *a) == 0);
    carom_memory_free(a);
    carom_memory_free(b);
}

static void compare_books(const struct carom_run_file *one, const struct carom_run_file *other)
{
    CHECK(one->episodes.rows > 10 && one->episodes.left_out == other->episodes.left_out);
    CHECK_OR_STOP(one->episodes.rows == other->episodes.rows);
    for (uint64_t i = 0; i < one->episodes.rows; i++) {
        struct carom_episode a, b;
        CHECK_STATUS(carom_run_file_episodes(one, i, 1, &a, NULL), CAROM_OK);
        CHECK_STATUS(carom_run_file_episodes(other, i, 1, &b, NULL), CAROM_OK);
        CHECK(memcmp(&a, &b, sizeof a) == 0);
    }
}

static void compare_files(const char *one_path, const char *other_path, uint64_t least)
{
    struct carom_run_file *one = carom_run_file_open(one_path, NULL), *other = carom_run_file_open(other_path, NULL);
    CHECK_OR_STOP(one != NULL && other != NULL);
    CHECK(one->complete && other->complete && one->listed && one->nc == 0);
    CHECK_OR_STOP(one->rows == other->rows && one->events == other->events && one->nitems == other->nitems);
    CHECK(one->rows > 40 && one->events > 10);
    for (size_t i = 0; i < one->nitems; i++) {
        const size_t count = one->rows * one->item[i].width;
        double *a = carom_memory_zeroed(count, sizeof *a), *b = carom_memory_zeroed(count, sizeof *b);
        CHECK_STATUS(carom_run_file_read(one, &one->item[i], 0, one->rows, a, NULL), CAROM_OK);
        CHECK_STATUS(carom_run_file_read(other, &other->item[i], 0, one->rows, b, NULL), CAROM_OK);
        CHECK(memcmp(a, b, count * sizeof *a) == 0);
        carom_memory_free(a);
        carom_memory_free(b);
    }
    for (uint64_t i = 0; i < one->events; i++) {
        struct carom_event a, b;
        CHECK_STATUS(carom_run_file_events(one, i, 1, &a, NULL), CAROM_OK);
        CHECK_STATUS(carom_run_file_events(other, i, 1, &b, NULL), CAROM_OK);
        CHECK(a.time == b.time && a.contact == b.contact && a.kind == b.kind && a.before == b.before);
    }
    compare_books(one, other);
    compare_touches(one, other, least);
    carom_run_file_close(one);
    carom_run_file_close(other);
}

static void test_layer(const struct layer *l)
{
    uint64_t plain, whole, hash;
    const uint64_t least = l->e > 0.5 ? 0 : 60; /* contacts recorded: rigid ones that bounce carry no force */
    remove("whole.h5"), remove("part.h5"), remove("copy.h5");
    CHECK_STATUS(run_and_free(make_sim(l, NULL, NULL), NULL, &plain), CAROM_OK);
    CHECK_STATUS(run_and_free(make_sim(l, &carom_sink_hdf5, carom_sink_hdf5_new("whole.h5")), NULL, &whole), CAROM_OK);
    CHECK(plain == whole);
    CHECK_STATUS(run_and_free(make_sim(l, &carom_sink_memory, carom_sink_memory_new()), NULL, &hash), CAROM_OK);
    CHECK(plain == hash);
    struct plan first = {.save = 20, .copy = 30, .stop = 50}, second = {.stop = 30};
    CHECK_STATUS(run_and_free(make_sim(l, &carom_sink_hdf5, carom_sink_hdf5_new("part.h5")), &first, &hash),
                 CAROM_E_STOPPED);
    CHECK(hash != whole);
    CHECK_STATUS(resume(l, "part.h5", &second, &hash), CAROM_E_STOPPED);
    CHECK_STATUS(resume(l, "part.h5", NULL, &hash), CAROM_OK);
    CHECK(hash == whole);
    compare_files("whole.h5", "part.h5", least);
    CHECK_STATUS(resume(l, "copy.h5", NULL, &hash), CAROM_OK);
    CHECK(hash == whole);
    compare_files("whole.h5", "copy.h5", least);
}

/* the last checkpoint of a file with one of its numbers changed and its checksum made good again, as of this version of
 * the order of numbers or of a later one */
static void test_damaged(const struct layer *l, unsigned version, size_t place, double value)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_run_checkpoint last;
    file_copy("whole.h5", "copy.h5");
    struct carom_run_file *run = carom_run_file_open("copy.h5", &error);
    CHECK_OR_STOP(run != NULL);
    CHECK_STATUS(carom_run_file_last(run, &last, NULL), CAROM_OK);
    carom_run_file_close(run);
    struct carom_hdf5_file *file = carom_hdf5_file_reopen("copy.h5", &error);
    char path[CAROM_RUN_LAYOUT_PATH];
    struct carom_run_layout_header header;
    struct carom_hdf5_spec head = carom_run_layout_slot_header(last.slot, true, path);
    const int head_set = carom_hdf5_set_find(file, &head, &error);
    CHECK_STATUS(carom_hdf5_set_read(file, head_set, 0, 1, &header, &error), CAROM_OK);
    struct carom_hdf5_spec numbers = carom_run_layout_slot_state(last.slot, 0, true, path);
    const int set = carom_hdf5_set_find(file, &numbers, &error);
    double *state = carom_memory_zeroed((size_t)header.n, sizeof *state);
    CHECK_STATUS(carom_hdf5_set_read(file, set, 0, header.n, state, &error), CAROM_OK);
    double v[6 * (BALLS + 1)];
    struct carom_bodies *bodies = make_bodies(l, v);
    struct carom_model *model = bodies_model(bodies);
    const size_t remembers = strcmp(l->option, "tol") == 0 ? 3 : l->scheme == &carom_scheme_energy_momentum ? 1 : 0;
    struct carom_state *back = carom_state_create(model, remembers);
    CHECK_OR_STOP(header.n > back->n + 2 * CAROM_RETIRED_KINDS + 4);
    state[back->n + 2 * CAROM_RETIRED_KINDS + place] = value;
    header.checksum =
        carom_run_layout_checksum_add(carom_run_layout_checksum(&header, version), state, (size_t)header.n);
    CHECK_STATUS(carom_hdf5_set_write(file, set, 0, header.n, state, &error), CAROM_OK);
    CHECK_STATUS(carom_hdf5_set_write(file, head_set, 0, 1, &header, &error), CAROM_OK);
    CHECK_STATUS(carom_hdf5_file_close(file, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    run = carom_run_file_open("copy.h5", &error);
    if (version > CAROM_RUN_LAYOUT_STATE) { /* is none, and the one before it counts */
        CHECK_STATUS(carom_run_file_last(run, &last, NULL), CAROM_OK);
        CHECK(last.serial + 1 == header.serial);
    } else {
        struct carom_checkpoint checkpoint;
        CHECK_STATUS(carom_run_file_restore(run, model, back, &checkpoint, &error), CAROM_E_INPUT);
        CHECK_CONTAINS(error.text, "copy.h5: the contacts in the checkpoint are not those of the scene's bodies");
    }
    carom_run_file_close(run);
    carom_memory_free(state);
    carom_state_free(back);
    carom_model_free(model);
}

int main(void)
{
    const struct layer layers[] = {
        {2, NULL, 0.0, &carom_scheme_verlet, "step", 1e-3, 1.5, 0.0},
        {2, &carom_friction_mindlin, 3.0, &carom_scheme_verlet, "step", 1e-3, 1.5, 0.0},
        {3, &carom_friction_cundall_strack, 0.0, &carom_scheme_verlet, "step", 1e-3, 1.5, 0.0},
        {2, &carom_friction_mindlin, 3.0, &carom_scheme_dp5, "tol", 1e-4, check_takes_all() ? 1.0 : 0.5, 0.0},
        {2, NULL, 0.0, &carom_scheme_energy_momentum, "step", 4e-3, 1.5, 0.0},
        {3, NULL, 0.0, &carom_scheme_theta, "step", 4e-3, 1.5, 0.0},
        {2, NULL, 0.0, &carom_scheme_gl_reg, "step", 4e-3, 1.5, 0.0},
        {3, NULL, 0.0, &carom_scheme_irk, "step", 4e-3, 1.5, 0.0},
        {2, NULL, 0.0, &carom_scheme_event, "tol", 1e-9, 2.5, 0.9},
        {3, NULL, 0.0, &carom_scheme_event, "impact", 2.0, 4.0, 0.9},
        {2, NULL, 0.0, &carom_scheme_moreau_jean, "step", 1e-2, 1.5, 0.3},
        {3, &carom_friction_mindlin, 3.0, &carom_scheme_energy_momentum, "step", 4e-3, 1.5, 0.0},
    };
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        test_layer(&layers[i]);
        if (layers[i].friction == NULL || (i > 1 && !check_takes_all()))
            continue;
        test_damaged(&layers[i], CAROM_RUN_LAYOUT_STATE, 0, 1.0);     /* a pairing that is not there */
        test_damaged(&layers[i], CAROM_RUN_LAYOUT_STATE, 1, -1.0);    /* a body that is not there */
        test_damaged(&layers[i], CAROM_RUN_LAYOUT_STATE, 2, 1e300);   /* likewise */
        test_damaged(&layers[i], CAROM_RUN_LAYOUT_STATE, 3, 5.0);     /* two places where two balls meet */
        test_damaged(&layers[i], CAROM_RUN_LAYOUT_STATE, 2, nan("")); /* no number */
        test_damaged(&layers[i], CAROM_RUN_LAYOUT_STATE + 1, 0, 0.0);
    }
    return check_end();
}
