/* Rows of beads of a sweep that run side by side on a device have the outputs, to the bit, of each run alone on the
 * processor, those of the book of impacts among them: of every kind of row that devices take, also rows that do not go
 * together and one that breaks down.
 * What devices do not take fails with a sentence, and leaves the others alone. Fits of data of runs likewise. */
#include "base/memory.h"
#include "carom/carom.h"
#include "carom/device.h"
#include "check.h"
#include "files.h"
#include "scheme/abreast.h"
#include "study/fit/fit.h"
#include "study/follow/batch_run.h"
#include "study/sweep/runner_there.h"

static const char text[] = "units: none\n"
                           "bodies: [chain: {count: 6, mass: 1, radius: 0.5}, wall: {side: right}]\n"
                           "contacts: {law: hertz, k: 10}\n"
                           "start: [{body: 1, velocity: 1}]\n"
                           "run: {until: 12.0345, scheme: verlet, step: 0.01}\n";

/* what makes one scene differ from the text; up to two overrides */
static const char *const variants[][2] = {
    {"contacts.k=11"},
    {"start=[{body: 6, velocity: -1}]"},
    {"count=7"},
    {"bodies.1.chain.mass=0.7"},
    {"bodies.1.chain.mass=[1, 1, 2, 1, 1, 1]"},
    {"contacts={law: kuwabara-kono, k: 10, gamma: 0.06}"},
    {"contacts={law: kuwabara-kono, k: 10, gamma: 0.09}", "start=[{body: 2, velocity: 2}]"},
    {"contacts={law: power, k: 10, p: 2, gamma: 0.05, b: 1.25}"},
    {"contacts={law: linear-dashpot, k: 10, gamma: 0.05}"},
    {"run.until=9"},
    {"run.step=0.005"},
    {"count=70", "start=[{body: 3, velocity: 1}]"}, /* more than registers hold */
    {"run.scheme=theta"},
    {"run.scheme=theta", "contacts.k=11"},
    {"run={until: 9, scheme: theta, step: 0.05}", "bodies=[chain: {count: 5, mass: [1, 3, 0.2, 1, 1], radius: 0.5}]"},
    {"run.scheme=theta", "bodies=[wall: {side: left}, chain: {count: 7, mass: 1, radius: 0.5}, wall: {side: right}]"},
    {"run.scheme=theta", "contacts={law: kuwabara-kono, k: 10, gamma: 0.06}"},
    {"run.scheme=theta", "contacts={law: kuwabara-kono, k: 1000, gamma: 0.01}"}, /* steps longer than contacts */
    {"run={until: 30, scheme: theta, step: 0.2}", "count=41"},
    {"run.scheme=irk"},
    {"run={until: 9, scheme: irk, step: 0.05}", "bodies=[chain: {count: 5, mass: [1, 3, 0.2, 1, 1], radius: 0.5}]"},
    {"run.scheme=irk", "contacts={law: kuwabara-kono, k: 10, gamma: 0.06}"},
    {"run.scheme=irk", "bodies=[wall: {side: left}, chain: {count: 7, mass: 1, radius: 0.5}, wall: {side: right}]"},
    /* contacts open and close again and again, at other times in each row */
    {"bodies=[wall: {side: left}, chain: {count: 4, mass: [1, 1, 0.2, 1], radius: 0.5}, wall: {side: right}]"},
    {"bodies=[wall: {side: left}, chain: {count: 4, mass: [1, 1, 0.3, 1], radius: 0.5}, wall: {side: right}]"},
    {"bodies=[wall: {side: left}, chain: {count: 4, mass: [1, 1, 0.3, 1], radius: 0.5}, wall: {side: right}]",
     "contacts={law: kuwabara-kono, k: 10, gamma: 0.06}"},
    {"run={until: 12, scheme: theta, step: 0.02}",
     "bodies=[wall: {side: left}, chain: {count: 4, mass: [1, 1, 0.2, 1]}]"},
    {"run={until: 12, scheme: theta, step: 0.02}",
     "bodies=[wall: {side: left}, chain: {count: 4, mass: [1, 1, 0.3, 1]}]"},
    {"run={until: 12, scheme: irk, step: 0.02}",
     "bodies=[wall: {side: left}, chain: {count: 4, mass: [1, 1, 0.2, 1]}]"},
    {"run={until: 12, scheme: irk, step: 0.02}",
     "bodies=[wall: {side: left}, chain: {count: 4, mass: [1, 1, 0.3, 1]}]"},
    {"contacts={law: power, k: 1e300, p: 2.5}", "start=[{body: 1, velocity: 1e9}]"}, /* breaks down */
    {"contacts={law: power, k: 1, p: 1.7}"},
    {"run.scheme=cn"},
    {"run={until: 12.0345, scheme: theta, step: 0.01}", "contacts={law: power, k: 1, p: 2}"},
    {"run={until: 8, scheme: theta, step: 0.05}", "contacts={law: kuwabara-kono, k: 100, gamma: 3}"}, /* too long */
};
enum { COUNT = sizeof variants / sizeof *variants, GOOD = COUNT - 5 };

/* Cards have kernels of their own for theta alone; where a processor plays one, it compiles them for long. */
static bool goes_to_card(size_t i)
{
    return strstr(variants[i][0], "until: 12, scheme: theta") != NULL;
}

static void read_scenes(struct carom_scene *scene[COUNT], bool card)
{
    for (size_t i = 0; i < COUNT; i++) {
        scene[i] = NULL;
        if (card && !goes_to_card(i))
            continue;
        struct carom_error error = {CAROM_OK, ""};
        scene[i] = carom_scene_parse("beside", text, strlen(text), variants[i], variants[i][1] != NULL ? 2 : 1, &error);
        if (scene[i] == NULL)
            printf("%s\n", error.text);
        CHECK_OR_STOP(scene[i] != NULL);
    }
}

static void run(struct carom_abreast *device, const struct carom_outputs *outputs, double *value, bool card,
                struct carom_error *error)
{
    const struct carom_runner runner = {.outputs = outputs, .reference_tol = 1e-9, .device = device};
    struct carom_scene *scene[COUNT];
    read_scenes(scene, card);
    for (size_t i = 0; i < COUNT; i += CAROM_RUNNER_BATCH) { /* the processor takes no more at once */
        const size_t count = COUNT - i < CAROM_RUNNER_BATCH ? COUNT - i : CAROM_RUNNER_BATCH;
        carom_runner_batch(&runner, scene + i, count, value + i * outputs->count, error + i);
    }
    for (size_t i = 0; i < COUNT; i++)
        carom_scene_free(scene[i]);
}

static size_t within(void *own, size_t row)
{
    return carom_batch_run_within((struct carom_track *)own + row);
}

static enum carom_status see(void *own, size_t row, bool switched, struct carom_error *error)
{
    return carom_batch_run_see((struct carom_track *)own + row, switched, error);
}

/* The device itself takes rows of each scheme, not the processor in its place (but for a last step of another size, and
 * one in which irk begins), and ends them at the right time. */
static void test_taken(struct carom_abreast *device, const char *asked)
{
    static const struct {
        const char *set;
        const struct carom_abreast_scheme *way;
    } each[] = {{"run.scheme=verlet", &carom_verlet_abreast},
                {"run.scheme=theta", &carom_theta_abreast},
                {"run.scheme=irk", &carom_irk_abreast}};
    struct carom_outputs outputs;
    CHECK_STATUS(carom_outputs_read(asked, false, &outputs, NULL), CAROM_OK);
    const struct carom_runner runner = {.outputs = &outputs, .reference_tol = 1e-9};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        struct carom_error error = {CAROM_OK, ""};
        struct carom_scene *scene = carom_scene_parse("taken", text, strlen(text), &each[i].set, 1, &error);
        struct carom_track track = {0};
        bool broken = true;
        CHECK_OR_STOP(scene != NULL && carom_runner_open(&runner, scene, &track, &error) == CAROM_OK);
        const bool booked = track.book != NULL;
        const struct carom_abreast_watch watch = {NULL, &track, booked ? within : NULL, booked ? see : NULL};
        CHECK(booked == outputs.peaks);
        CHECK(!booked || carom_batch_run_begin_book(&track, &error) == CAROM_OK);
        const size_t before = track.sim->stepper->counts.evaluations;
        CHECK_STATUS(carom_abreast_run(device, each[i].way, 1, &track.sim->stepper, &track.sim->state, track.sim->until,
                                       &watch, &broken, &error),
                     CAROM_OK);
        CHECK(!broken && track.sim->state->time == track.sim->until);
        CHECK(track.sim->stepper->counts.steps == 1204);
        CHECK(track.sim->stepper->counts.evaluations - before < 30);
        carom_track_close(&track);
        carom_scene_free(scene);
    }
}

/* what a fit works out for data of runs */
static void test_fit(struct carom_abreast *device)
{
    const char *const free[] = {"contacts.k=1:100"};
    const double k[] = {12.5};
    double here[6], there[6];
    struct carom_error error = {CAROM_OK, ""};
    struct carom_fit fit;
    file_put("scene.yaml", text);
    file_put("data.csv", "set start.1.velocity,v_last,kinetic\n1,0.1,0.2\n2,0.1,0.2\n3,0.1,0.2\n");
    CHECK_STATUS(carom_fit_plan(&fit, "scene.yaml", NULL, 0, "data.csv", free, 1, &error), CAROM_OK);
    CHECK_OR_STOP(error.status == CAROM_OK && fit.data.npoints == 6);
    CHECK_STATUS(carom_fit_model_run(&fit, k, NULL, here, &error), CAROM_OK);
    fit.device = device;
    CHECK_STATUS(carom_fit_model_run(&fit, k, NULL, there, &error), CAROM_OK);
    CHECK(here[0] != here[2] && memcmp(here, there, sizeof here) == 0);
    carom_fit_free(&fit);
}

/* the kinds of outputs with and without the book of impacts */
static const char *const asked[] = {"v_last,u_3,kinetic,stored,dissipated,residual,steps,closed",
                                    "peak_force,peak_force_1,peak_force_2,v_last,u_3,kinetic,dissipated,steps"};

static void test_same(struct carom_abreast *batch, bool card, struct carom_error here[COUNT],
                      struct carom_error there[COUNT])
{
    double alone[COUNT][8], beside[COUNT][8];
    struct carom_outputs outputs;
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        CHECK_STATUS(carom_outputs_read(asked[k], false, &outputs, NULL), CAROM_OK);
        CHECK_OR_STOP(outputs.count == 8);
        run(NULL, &outputs, alone[0], card, here);
        run(batch, &outputs, beside[0], card, there);
        for (size_t i = 0; i < GOOD; i++)
            if (!card || goes_to_card(i))
                CHECK(here[i].status == CAROM_OK && there[i].status == CAROM_OK &&
                      memcmp(alone[i], beside[i], sizeof alone[i]) == 0 && (!outputs.peaks || alone[i][0] > 0.0));
    }
}

static void test_device(const char *name)
{
    struct carom_error here[COUNT], there[COUNT], error = {CAROM_OK, ""};
    struct carom_device *device = carom_device_open(name, &error);
    struct carom_abreast *batch = device != NULL ? carom_abreast_open(device, 3, &error) : NULL;
    CHECK_OR_STOP(batch != NULL);
    test_same(batch, false, here, there);
    CHECK(there[GOOD].status == CAROM_E_NUMERIC);
    CHECK_TEXT(here[GOOD].text, there[GOOD].text);
    CHECK_CONTAINS(there[GOOD + 1].text, "devices take contacts whose exponents are");
    CHECK_CONTAINS(there[GOOD + 2].text, "take rows of beads under verlet, theta and irk, not scheme cn");
    CHECK_CONTAINS(there[GOOD + 3].text, "devices take contacts of laws hertz and kuwabara-kono under theta");
    CHECK_TEXT(here[GOOD + 4].text, there[GOOD + 4].text);
    CHECK_CONTAINS(there[GOOD + 4].text, "the step is too long");
    test_taken(batch, "v_last");
    test_taken(batch, "peak_force");
    test_fit(batch);
    carom_abreast_close(batch);
    carom_device_free(device);
}

static void test_card(const char *name)
{
    struct carom_error here[COUNT], there[COUNT], error = {CAROM_OK, ""};
    CHECK(setenv("CAROM_DEVICES_ARE_CARDS", "1", 1) == 0);
    struct carom_device *device = carom_device_open(name, &error);
    struct carom_abreast *batch = device != NULL ? carom_abreast_open(device, 1, &error) : NULL;
    CHECK(unsetenv("CAROM_DEVICES_ARE_CARDS") == 0);
    CHECK_OR_STOP(batch != NULL);
    test_same(batch, true, here, there);
    carom_abreast_close(batch);
    carom_device_free(device);
}

static void test_refusal(void)
{
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_runner_there_accept(NULL, &error), CAROM_OK);
    CHECK_STATUS(carom_runner_there_accept(&carom_scheme_theta, &error), CAROM_OK);
    CHECK_STATUS(carom_runner_there_accept(&carom_scheme_cn, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "verlet, theta and irk, not scheme cn");
}

int main(void)
{
    const size_t count = carom_device_list(NULL, 0);
    test_refusal();
    if (count == 0) {
        printf("skipped: there is no device; tools/setup test installs pocl\n");
        return check_end() == 0 ? 77 : 1;
    }
    for (size_t d = 0; d < count; d++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", d + 1);
        test_device(number);
        test_card(number);
    }
    return check_end();
}
