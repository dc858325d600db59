/* What is read back of run files as commands do it: the book of impacts row by row in portions, bodies as the file has
 * them and as the model has them, and with how many others bodies are in touch. */
#include "base/memory.h"
#include "record/run_bodies.h"
#include "record/run_episodes.h"
#include "record/run_grains.h"
#include "runs.h"

static struct carom_run_file *run_scene(const char *text, struct carom_sim **sim)
{
    struct carom_error error = {CAROM_OK, ""};
    *sim = runs_sim(text);
    remove("read.h5");
    CHECK_STATUS(carom_recorder_attach((*sim)->recorder, &carom_sink_hdf5, carom_sink_hdf5_new("read.h5"), NULL),
                 CAROM_OK);
    CHECK_STATUS(carom_sim_run(*sim, NULL, NULL), CAROM_OK);
    struct carom_run_file *run = carom_run_file_open("read.h5", &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(run != NULL);
    return run;
}

static void close_run(struct carom_run_file *run, struct carom_sim *sim)
{
    carom_run_file_close(run);
    carom_sim_free(sim);
    remove("read.h5");
}

/* --- the book ----------------------------------------------------------------------------------------------------- */

struct seen {
    const struct carom_run_file *run;
    uint64_t rows;
    double last;
};

static void see(void *own, const struct carom_episode *row)
{
    struct seen *s = own;
    struct carom_episode same;
    CHECK_STATUS(carom_run_episodes_read(&s->run->episodes, s->run->file, s->rows, 1, &same, NULL), CAROM_OK);
    CHECK(memcmp(row, &same, sizeof same) == 0);
    CHECK(row->opened >= s->last);
    s->last = row->opened;
    s->rows++;
}

/* A ball between two walls, rigid and without losses: an impact every second, more than are read at once. */
static void test_episodes(void)
{
    struct carom_sim *sim;
    struct carom_run_file *run = run_scene("units: none\ntheory: nonsmooth\n"
                                           "bodies: [wall: {side: left}, chain: {count: 1, mass: 1, radius: 0.5},"
                                           " wall: {side: right, gap: 1}]\n"
                                           "contacts: {e: 1}\n"
                                           "start: [{body: 1, velocity: 1}]\n"
                                           "run: {until: 600.5, scheme: event}\n"
                                           "record: {every: 100}\n",
                                           &sim);
    struct seen seen = {.run = run};
    CHECK_STATUS(carom_run_episodes_each(&run->episodes, run->file, see, &seen, NULL), CAROM_OK);
    CHECK(seen.rows == run->episodes.rows && seen.rows == 600);
    close_run(run, sim);
}

/* --- bodies ------------------------------------------------------------------------------------------------------- */

#define CHECK_ARRAY(name, count) CHECK((count) == 0 || memcmp(file.name, model.name, (count) * sizeof *model.name) == 0)

static void check_bodies(const struct carom_run_file *run, const struct carom_bodies *bodies)
{
    struct carom_run_bodies file, model;
    CHECK_STATUS(carom_run_bodies_read(run->file, &file, NULL), CAROM_OK);
    CHECK_STATUS(carom_run_bodies_of(bodies, &model, NULL), CAROM_OK);
    CHECK_OR_STOP(file.n == model.n && file.ncorners == model.ncorners && file.ntriangles == model.ntriangles);
    CHECK_ARRAY(radius, model.n);
    CHECK_ARRAY(mass, model.n);
    CHECK_ARRAY(centre, 3 * model.n);
    CHECK_ARRAY(size, 3 * model.n);
    CHECK_ARRAY(normal, 3 * model.n);
    CHECK_ARRAY(turn, 4 * model.n);
    CHECK_ARRAY(shape, model.n);
    CHECK_ARRAY(material, model.n);
    CHECK_ARRAY(inside, model.n);
    CHECK_ARRAY(corner, 3 * model.ncorners);
    CHECK_ARRAY(corner_body, model.ncorners);
    CHECK_ARRAY(triangle, 3 * model.ntriangles);
    carom_run_bodies_free(&file);
    carom_run_bodies_free(&model);
}

/* Three balls in a row on the floor have 2, 2 and 1 contacts, a fourth is alone; the floor has one, but is no body. */
static void check_touching(const struct carom_run_file *run)
{
    struct carom_run_grains grains;
    size_t ends[8];
    CHECK_STATUS(carom_run_grains_open(&grains, run, NULL), CAROM_OK);
    CHECK_STATUS(carom_run_grains_read(&grains, 0, NULL), CAROM_OK);
    const struct carom_run_coordination found = carom_run_grains_coordination(&grains, ends);
    CHECK(found.bodies == 4 && found.alone == 1 && found.mean == 1.25);
    CHECK(ends[0] == 1 && ends[1] == 2 && ends[2] == 2 && ends[3] == 1 && ends[4] == 0);
    carom_run_grains_close(&grains);
}

static void test_bodies(void)
{
    struct carom_sim *sim;
    struct carom_run_file *run = run_scene("units: none\n"
                                           "bodies:\n"
                                           "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\n"
                                           "  - sphere: {at: [0, 0, 1], radius: 1, mass: 1}\n"
                                           "  - sphere: {at: [0, 0, 3], radius: 1, mass: 2}\n"
                                           "  - sphere: {at: [0, 0, 5], radius: 1, mass: 3}\n"
                                           "  - sphere: {at: [5, 0, 5], radius: 0.5, mass: 1}\n"
                                           "contacts: {law: hertz, k: 100}\n"
                                           "start:\n"
                                           "  - {body: 2, displacement: [0, 0, -0.01]}\n"
                                           "  - {body: 3, displacement: [0, 0, -0.02]}\n"
                                           "  - {body: 4, displacement: [0, 0, -0.03]}\n"
                                           "run: {until: 0.1, scheme: verlet, step: 0.01}\n"
                                           "record: {every: 0.05, probes: [position, v, contacts]}\n",
                                           &sim);
    check_bodies(run, carom_model_bodies(sim->stepper->model));
    check_touching(run);
    close_run(run, sim);
}

/* corners and faces, whose triangles are the file's */
static void test_cornered(void)
{
    struct carom_sim *sim;
    struct carom_run_file *run = run_scene("units: none\ntheory: nonsmooth\n"
                                           "bodies:\n"
                                           "  - box: {at: [0, 0], size: [10, 10], inside: true}\n"
                                           "  - polygon: {points: [[-1, 0], [1, 0], [0.2, 1]], at: [0, 2], mass: 2}\n"
                                           "  - sphere: {at: [3, 1], radius: 0.5, mass: 1}\n"
                                           "contacts: {e: 0.5, mu: 0.2}\n"
                                           "run: {until: 0.1, scheme: moreau-jean, step: 0.01}\n"
                                           "record: {every: 0.05, probes: [position]}\n",
                                           &sim);
    check_bodies(run, carom_model_bodies(sim->stepper->model));
    close_run(run, sim);
}

int main(void)
{
    test_episodes();
    test_bodies();
    test_cornered();
    return check_end();
}
