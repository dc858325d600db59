/* Convergence studies of rigid contacts: which scenes have a closed form, orders in L1 and in the Hausdorff distance,
 * runs as references, and what is refused. */
#include "carom/carom.h"
#include "check.h"
#include "study/converge/converge.h"
#include "study/follow/trail.h"

#define HEAD "units: none\ntheory: nonsmooth\n"
#define BALL                                                                    \
    HEAD "bodies: [mechanism: {kind: ball, gravity: 10}]\ncontacts: {e: 0.5}\n" \
         "start: [{body: 1, displacement: 1}]\nrun: {until: 2}\n"
#define ROW                                                                                       \
    HEAD "bodies: [chain: {mass: [1, 2, 1.5], gap: [0.1, 0.2]}, wall: {side: right, gap: 0.3}]\n" \
         "contacts: {e: 0.7}\nstart: [{body: 1, velocity: 1}]\nrun: {until: 3}\n"

static struct carom_scene *read_scene(const char *text)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    if (scene == NULL)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(scene != NULL);
    return scene;
}

static bool recognised(const char *text, struct carom_academic *problem)
{
    struct carom_scene *scene = read_scene(text);
    const bool known = carom_academic_recognise(scene->model, scene->q, scene->v, problem);
    carom_scene_free(scene);
    return known;
}

#define OSCILLATOR(more)                                                           \
    HEAD "bodies: [mechanism: {kind: oscillator, " more "}]\ncontacts: {e: 0.6}\n" \
         "start: [{body: 1, displacement: 2, velocity: -0.5}]\nrun: {until: 2}\n"

static void test_recognition(void)
{
    struct carom_academic p;
    CHECK(recognised(BALL, &p));
    CHECK(p.pull == -10.0 && p.omega == 0.0 && p.stop == 0.0 && p.e == 0.5 && p.q == 1.0 && p.v == 0.0);
    CHECK(recognised(OSCILLATOR("mass: 2, stiffness: 8, rest: 0.1, stop: 0.3"), &p));
    CHECK(p.omega == 2.0 && p.stop == 0.3 && p.e == 0.6 && p.q == 2.0 && p.v == -0.5);
    CHECK_NEAR(p.pull, -8.0 * 0.2 / 2.0, 1e-15);
    CHECK(!recognised(OSCILLATOR("damping: 0.1"), &p));
    CHECK(!recognised(OSCILLATOR("force: {shape: sine, amplitude: 1, frequency: 1}"), &p));
    CHECK(!recognised(ROW, &p));
    CHECK(!recognised(HEAD "bodies: [mechanism: {kind: pendulum}]\ncontacts: {e: 0.5}\n"
                           "start: [{body: 1, displacement: -0.5}]\nrun: {until: 2}\n",
                      &p));
}

/* steps by equal ratios, no impact time is a multiple of them */
static void fill(double *step, size_t count, double first, double last)
{
    for (size_t i = 0; i < count; i++)
        step[i] = first * pow(last / first, (double)i / (double)(count - 1));
}

static void check_orders(const struct carom_scheme *scheme, enum carom_norm norm, double low)
{
    enum { COUNT = 30 };
    static double step[COUNT], u[COUNT], v[COUNT];
    static struct carom_converge_row row[COUNT];
    struct carom_scene *scene = read_scene(BALL);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_converge_report report = {0};
    struct carom_converge_plan plan = {.scene = scene,
                                       .name = "test",
                                       .scheme = scheme,
                                       .knob = "step",
                                       .count = COUNT,
                                       .value = step,
                                       .norm = norm,
                                       .report = &report};
    fill(step, COUNT, 0.0137, 0.000317);
    CHECK_STATUS(carom_converge_run(&plan, row, &error), CAROM_OK);
    CHECK(report.truth == CAROM_TRUTH_CLOSED);
    CHECK_NEAR(report.rest, 3.0 / sqrt(5.0), 3e-16);
    for (size_t i = 0; i < COUNT; i++) {
        u[i] = row[i].sup.u;
        v[i] = row[i].sup.v;
        const double time = norm == CAROM_NORM_L1 ? 2.0 : 1.0;
        CHECK(row[i].doubt_u == 0.0 && row[i].u > 0.0 && row[i].u < 0.1 && row[i].v < 0.2);
        CHECK_NEAR(row[i].v, v[i] / row[i].scales.speed / time, 1e-15);
    }
    CHECK_NEAR(carom_converge_slope(step, u, COUNT, 0), 1.0, 0.2); /* 30 steps scatter */
    CHECK_NEAR(carom_converge_slope(step, v, COUNT, 0), 0.5 * (1.2 + low), 0.5 * (1.2 - low));
    carom_scene_free(scene);
}

/* the event-driven scheme, against the closed form */
static void test_event(void)
{
    const double tol[] = {1e-6, 1e-9};
    struct carom_converge_row row[2];
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = read_scene(BALL);
    struct carom_converge_plan plan = {.scene = scene, .name = "test", .knob = "tol", .count = 2, .value = tol};
    for (int norm = CAROM_NORM_L1; norm <= CAROM_NORM_HAUSDORFF; norm++) {
        plan.norm = (enum carom_norm)norm;
        CHECK_STATUS(carom_converge_run(&plan, row, &error), CAROM_OK);
        for (int i = 0; i < 2; i++)
            CHECK(row[i].u < (norm == CAROM_NORM_L1 ? 1e-15 : 1e-7) &&
                  row[i].v < (norm == CAROM_NORM_L1 ? 1e-15 : 10 * tol[i] + 1e-6));
    }
    carom_scene_free(scene);
}

/* no closed form: event is the reference; or the scheme itself with a smaller step, which agrees with it */
static void test_runs(void)
{
    const double step[] = {0.0113, 0.0057, 0.0029};
    struct carom_converge_row row[3];
    struct carom_error error = {CAROM_OK, ""};
    struct carom_converge_report report = {0};
    struct carom_scene *scene = read_scene(ROW);
    struct carom_converge_plan plan = {.scene = scene,
                                       .name = "test",
                                       .scheme = &carom_scheme_moreau_jean,
                                       .knob = "step",
                                       .count = 3,
                                       .value = step,
                                       .norm = CAROM_NORM_L1,
                                       .report = &report};
    CHECK_STATUS(carom_converge_run(&plan, row, &error), CAROM_OK);
    CHECK(report.truth == CAROM_TRUTH_TIGHT && report.scheme == &carom_scheme_event && report.value == 1e-12);
    CHECK(row[2].sup.u > 0.0 && row[2].sup.u < 0.02 && row[2].doubt_u < 1e-9);
    plan.norm = CAROM_NORM_HAUSDORFF;
    plan.time_scale = 0.5;
    CHECK_STATUS(carom_converge_run(&plan, row, &error), CAROM_OK);
    CHECK(report.time_scale == 0.5 && row[2].sup.v > 0.0 && row[2].sup.v < row[0].sup.v);
    struct carom_reference fine = {0}, tight = {0};
    CHECK_STATUS(carom_reference_open(&tight, scene, "test", 1e-12, false, NULL, &error), CAROM_OK);
    struct carom_scene *stepped = read_scene(ROW "# the same\n");
    CHECK_STATUS(carom_converge_run(&plan, row, &error), CAROM_OK);
    CHECK_STATUS(carom_options_set(&stepped->scheme->kind, stepped->options, "tol", 1e-6, &error), CAROM_OK);
    stepped->scheme = &carom_scheme_moreau_jean;
    CHECK_STATUS(carom_reference_open_fine(&fine, stepped, "test", 1e-4, NULL, &error), CAROM_OK);
    for (int k = 1; k < 10; k++) {
        CHECK_STATUS(carom_reference_at(&fine, 0.3 * k, &error), CAROM_OK);
        CHECK_STATUS(carom_reference_at(&tight, 0.3 * k, &error), CAROM_OK);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(fine.at.q[i], tight.at.q[i], 2e-3);
    }
    CHECK(fine.doubt.times == 9 && fine.doubt.u > 0.0 && fine.doubt.u < 4e-3);
    carom_reference_close(&fine);
    carom_reference_close(&tight);
    carom_scene_free(stepped);
    carom_scene_free(scene);
}

/* Three bodies that touch are struck at t = 0, one impact after another: one jump in the graph. */
static void test_trail(void)
{
    struct carom_scene *scene = read_scene(HEAD "bodies: [chain: {mass: [1, 1, 1]}]\ncontacts: {e: 1}\n"
                                                "start: [{body: 1, velocity: 1}]\n"
                                                "run: {until: 1, impact: newton}\n");
    struct carom_track track;
    struct carom_trail trail;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_track_open(&track, scene, NULL, &error), CAROM_OK);
    CHECK_STATUS(carom_trail_follow(&trail, &track, NULL, NULL, &error), CAROM_OK);
    CHECK(trail.time[0] == 0.0 && trail.time[trail.n - 1] == 1.0 && trail.nq == 3 && trail.nv == 3);
    CHECK(trail.before[0] == 1.0 && trail.before[2] == 0.0 && trail.after[0] == 0.0 && trail.after[2] == 1.0);
    for (size_t i = 1; i < trail.n; i++)
        CHECK(trail.time[i] > trail.time[i - 1]);
    CHECK_NEAR(trail.q[3 * (trail.n - 1) + 2], 1.0, 1e-14);
    carom_trail_free(&trail);
    carom_trail_free(&trail);
    carom_track_close(&track);
    carom_scene_free(scene);
}

static void test_refusals(void)
{
    const double step[] = {0.01};
    struct carom_converge_row row;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = read_scene(BALL);
    struct carom_converge_plan plan = {.scene = scene,
                                       .name = "test",
                                       .scheme = &carom_scheme_moreau_jean,
                                       .knob = "step",
                                       .count = 1,
                                       .value = step,
                                       .norm = CAROM_NORM_HAUSDORFF,
                                       .reference_file = "some.h5"};
    CHECK_STATUS(carom_converge_run(&plan, &row, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "both sides of jumps");
    plan.reference_file = NULL;
    plan.gamma_per_step = 1.0;
    CHECK_STATUS(carom_converge_run(&plan, &row, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "no one graph");
    carom_scene_free(scene);
}

int main(void)
{
    test_recognition();
    check_orders(&carom_scheme_moreau_jean, CAROM_NORM_L1, 0.8);
    check_orders(&carom_scheme_schatzman_paoli, CAROM_NORM_L1, 0.8);
    check_orders(&carom_scheme_moreau_jean, CAROM_NORM_HAUSDORFF, 0.7); /* accumulation adds a logarithm */
    test_event();
    test_runs();
    test_trail();
    test_refusals();
    return check_end();
}
