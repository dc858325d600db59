/* A sim that is stepped, asked for times in between and run takes the same steps as one that is run: to the bit, with
 * the same samples and events. A running sim can be changed; what is refused leaves it as it was. */
#include <float.h>

#include "base/random.h"
#include "runs.h"

#define CHAIN                                                                                                         \
    "{units: none, bodies: [chain: {count: 6, mass: 1}, {wall: {side: right}}], contacts: {law: kuwabara-kono, k: 1," \
    " gamma: 0.06}, start: [{body: 1, velocity: 1}], run: {until: 12, %s}, "                                          \
    "record: {every: 0.37, probes: [u, v], events: true}}"
#define LOADED                                                                                                  \
    "{units: none, bodies: [chain: {count: 4, mass: 1}, {wall: {side: right}}], contacts: {law: hertz, k: 1}, " \
    "loads: [{body: 2, force: {shape: step, amplitude: 0.3, start: 1.7, duration: 3}}], run: {until: 9, %s}, "  \
    "record: {every: 0.5, probes: [u, v, work, residual], events: true}}"
#define RIGID                                                                                               \
    "{units: none, theory: nonsmooth, bodies: [mechanism: {kind: ball, gravity: 10}], contacts: {e: 0.8}, " \
    "start: [{body: 1, displacement: 1}], run: {until: 3, %s}, record: {every: 0.1, probes: [u, v], events: true}}"

static const struct {
    const char *scene, *scheme;
} cases[] = {{CHAIN, "tol: 1e-6"},
             {CHAIN, "scheme: theta, step: 0.05"},
             {CHAIN, "scheme: verlet, step: 0.03"},
             {CHAIN, "scheme: irk, step: 0.1"},
             {LOADED, "tol: 1e-6"},
             {LOADED, "scheme: verlet, step: 0.07"},
             {RIGID, "scheme: event, tol: 1e-6"},
             {RIGID, "scheme: mannshardt, tol: 1e-6"},
             {RIGID, "scheme: moreau-jean, step: 1e-2"},
             {RIGID, "scheme: moreau-adaptive, tol: 1e-4"},
             {RIGID, "scheme: schatzman-paoli, step: 1e-2"}};
enum { CASES = sizeof cases / sizeof *cases };

static struct carom_sim *sim_of(size_t i, struct carom_memory **memory)
{
    char text[1000];
    snprintf(text, sizeof text, cases[i].scene, cases[i].scheme);
    return runs_recorded(text, memory);
}

static void check_same(const struct carom_sim *a, const struct carom_memory *of_a, const struct carom_sim *b,
                       const struct carom_memory *of_b)
{
    CHECK(carom_state_hash(a->state) == carom_state_hash(b->state));
    CHECK(of_a->nrows == of_b->nrows && of_a->nevents == of_b->nevents && of_a->width == of_b->width);
    CHECK(memcmp(of_a->value, of_b->value, of_a->nrows * of_a->width * sizeof(double)) == 0);
    for (size_t i = 0; i < of_a->nevents; i++)
        CHECK(of_a->event[i].time == of_b->event[i].time && of_a->event[i].contact == of_b->event[i].contact &&
              of_a->event[i].kind == of_b->event[i].kind);
    CHECK(a->estimate == b->estimate && a->stepper->counts.steps == b->stepper->counts.steps);
}

/* steps, leaps and times in any order, with looks back into the last step */
static void wander(struct carom_sim *sim, struct carom_random *random)
{
    while (!carom_sim_ended(sim)) {
        const double dice = carom_random_uniform(random), now = sim->state->time;
        if (dice < 0.4) {
            CHECK_STATUS(carom_sim_step(sim, 1 + (size_t)(20.0 * dice * dice), NULL), CAROM_OK);
            CHECK(sim->view->time == sim->state->time && sim->state->step > 0);
        } else {
            const double t = fmin(now + 0.3 * (dice - 0.4) * sim->until, sim->until);
            CHECK_STATUS(carom_sim_to(sim, t, NULL), CAROM_OK);
            CHECK(sim->view->time == t && sim->state->time >= t);
            const double back = fmax(sim->stepper->before->time, 0.5 * (t + sim->stepper->before->time));
            CHECK_STATUS(carom_sim_to(sim, back, NULL), CAROM_OK);
            CHECK(sim->view->time == back);
        }
    }
}

static void test_same_bits(size_t i)
{
    struct carom_memory *of_run, *of_steps, *of_walk;
    struct carom_sim *run = sim_of(i, &of_run), *steps = sim_of(i, &of_steps), *walk = sim_of(i, &of_walk);
    struct carom_random random;
    carom_random_start(&random, 7 + i);
    CHECK_STATUS(carom_sim_run(run, NULL, NULL), CAROM_OK);
    while (!carom_sim_ended(steps)) {
        const uint64_t step = steps->state->step;
        CHECK_STATUS(carom_sim_step(steps, 1, NULL), CAROM_OK);
        CHECK(steps->state->step == step + 1 && steps->stepper->before->step == step);
    }
    wander(walk, &random);
    check_same(run, of_run, steps, of_steps);
    check_same(run, of_run, walk, of_walk);
    const uint64_t hash = carom_state_hash(run->state); /* at the end nothing moves any more */
    CHECK_STATUS(carom_sim_step(run, 5, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(run, NULL, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_to(run, run->until, NULL), CAROM_OK);
    CHECK(carom_state_hash(run->state) == hash);
    carom_sim_free(run);
    carom_sim_free(steps);
    carom_sim_free(walk);
}

/* the view at t is what a recorder is given, and the state of a run that ends there */
static void test_times(size_t i)
{
    struct carom_memory *memory, *other;
    struct carom_sim *run = sim_of(i, &memory), *asked = sim_of(i, &other);
    const size_t n = run->model->nq;
    CHECK_STATUS(carom_sim_run(run, NULL, NULL), CAROM_OK);
    const size_t u = carom_sink_memory_column(memory, "u", 0), v = carom_sink_memory_column(memory, "v", 0);
    for (size_t k = 0; k < memory->nrows; k++) {
        CHECK_STATUS(carom_sim_to(asked, memory->time[k], NULL), CAROM_OK);
        CHECK(memcmp(asked->view->q, memory->value + k * memory->width + u, n * sizeof(double)) == 0);
        CHECK(memcmp(asked->view->v, memory->value + k * memory->width + v, n * sizeof(double)) == 0);
    }
    carom_sim_free(run);
    carom_sim_free(asked);
}

static bool is_view(const struct carom_state *view, const struct carom_state *end)
{
    double off = 0.0;
    for (size_t i = 0; i < end->nq; i++)
        off = fmax(off, fabs(view->q[i] - end->q[i]));
    for (size_t i = 0; i < end->nv; i++)
        off = fmax(off, fabs(view->v[i] - end->v[i]));
    for (size_t j = 0; j < end->nforce; j++)
        off = fmax(off, fabs(view->force[j] - end->force[j]) / (1.0 + fabs(end->force[j])));
    for (size_t j = 0; j < end->nlost; j++)
        off = fmax(off, fabs(view->lost[j] - end->lost[j]));
    return off < 1e-12;
}

/* times that miss the end of a step by rounding, on either side, have its motion, forces and losses */
static void test_ends(size_t i)
{
    struct carom_memory *memory;
    struct carom_sim *sim = sim_of(i, &memory);
    struct carom_state *end = carom_state_create(sim->model, 0);
    CHECK_STATUS(carom_sim_step(sim, 1, NULL), CAROM_OK);
    while (sim->until - sim->state->time > 0.1) {
        const double t = sim->state->time;
        carom_sim_sync(sim);
        carom_state_view(end, sim->view);
        CHECK_STATUS(carom_sim_to(sim, t * (1.0 - 2.0 * DBL_EPSILON), NULL), CAROM_OK);
        CHECK(is_view(sim->view, end));
        CHECK_STATUS(carom_sim_to(sim, t, NULL), CAROM_OK);
        CHECK(is_view(sim->view, end));
        CHECK_STATUS(carom_sim_to(sim, t * (1.0 + 2.0 * DBL_EPSILON), NULL), CAROM_OK); /* the next step */
        CHECK(is_view(sim->view, end));
    }
    carom_state_free(end);
    carom_sim_free(sim);
}

/* a ball that falls: v = -10 t where steps end and between them, also where contacts are constraints on positions */
static void test_fall(void)
{
    struct carom_memory *memory;
    struct carom_sim *sim = sim_of(CASES - 1, &memory);
    for (double t = 0.0; t < 0.43; t += 0.0025) {
        CHECK_STATUS(carom_sim_to(sim, t, NULL), CAROM_OK);
        CHECK_NEAR(sim->view->v[0], -10.0 * t, 1e-13);
    }
    carom_sim_free(sim);
}

static void test_refusals(void)
{
    struct carom_memory *memory;
    struct carom_sim *sim = sim_of(0, &memory);
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_sim_to(sim, -1.0, &error), CAROM_E_INPUT);
    CHECK_STATUS(carom_sim_to(sim, 5.0, &error), CAROM_OK);
    const uint64_t hash = carom_state_hash(sim->state);
    CHECK_STATUS(carom_sim_to(sim, 1.0, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "t = 1 is behind the last step");
    CHECK_STATUS(carom_sim_to(sim, 12.1, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "beyond the end of the run at t = 12");
    CHECK_STATUS(carom_sim_to(sim, nan(""), &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "nan is no time");
    double v[6] = {0.0, HUGE_VAL};
    CHECK_STATUS(carom_sim_set(sim, NULL, v, &error), CAROM_E_INPUT);
    CHECK(carom_state_hash(sim->state) == hash && sim->view->time == 5.0);
    CHECK_STATUS(carom_sim_to(sim, sim->until * (1.0 + DBL_EPSILON), NULL), CAROM_OK); /* the end, but for rounding */
    CHECK(sim->view->time == sim->until);
    carom_sim_free(sim);
}

/* --- a watch ----------------------------------------------------------------------------------------------------- */

static bool count(void *own, const struct carom_sim *sim)
{
    int *left = own;
    CHECK(sim->phase != NULL);
    return --*left != 0;
}

static void test_watch(void)
{
    struct carom_memory *memory, *other;
    struct carom_sim *sim = sim_of(1, &memory), *run = sim_of(1, &other);
    struct carom_error error = {CAROM_OK, ""};
    int left = 3;
    carom_sim_watch(sim, &(struct carom_watch){.call = count, .own = &left});
    CHECK_STATUS(carom_sim_to(sim, 10.0, &error), CAROM_E_STOPPED);
    CHECK(sim->state->time > 0.0 && sim->state->time < 10.0);
    CHECK_STATUS(carom_sim_to(sim, 10.0, &error), CAROM_OK);
    CHECK(sim->view->time == 10.0);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    CHECK_STATUS(carom_sim_run(run, NULL, &error), CAROM_OK);
    check_same(sim, memory, run, other);
    carom_sim_free(sim);
    carom_sim_free(run);
}

/* a box that a load breaks away, which takes several pairs of pilots */
#define PUSHED                                                                                                         \
    "{units: none, theory: nonsmooth, gravity: [0, 0, -10], bodies: [{box: {at: [0, 0, 0.25], size: [1, 0.6, 0.5], "   \
    "mass: 2}}, {plane: {at: [0, 0, 0], normal: [0, 0, 1]}}], loads: [{body: 1, force: [-11.7561, 12.5329, 6.47178], " \
    "signal: {shape: sine, frequency: 2.06438, phase: 0.480689}}], contacts: {law: rigid, e: 0, mu: 0.5}, "            \
    "run: {until: 0.2, scheme: event, tol: 1e-6}, record: {every: 0.1, probes: [u, v], events: true}}"

struct pairs {
    const char *phase;
    double progress;
    int n;
};

/* what is told of a pair of pilots begins anew, under a name of its own */
static bool follow(void *own, const struct carom_sim *sim)
{
    struct pairs *p = own;
    const bool same = p->phase && strcmp(p->phase, sim->phase) == 0;
    CHECK(!same || !strstr(sim->phase, "pair") || sim->progress >= p->progress);
    p->n += !same && strncmp(sim->phase, "pilot runs", 10) == 0;
    p->phase = sim->phase;
    p->progress = sim->progress;
    return true;
}

static void test_pairs(void)
{
    struct carom_memory *memory;
    struct carom_error error = {CAROM_OK, ""};
    struct pairs pairs = {NULL, 0.0, 0};
    struct carom_sim *sim = runs_recorded(PUSHED, &memory);
    CHECK_STATUS(carom_sim_run(sim, &(struct carom_watch){.call = follow, .own = &pairs}, &error), CAROM_OK);
    CHECK(pairs.n > 1);
    carom_sim_free(sim);
}

/* A pair of pilots that goes on for long tells how far it is also before it is looked at for the first time. */
struct patience {
    double progress[2];
    int n;
};

static bool wait_for_two(void *own, const struct carom_sim *sim)
{
    struct patience *p = own;
    if (strncmp(sim->phase, "pilot runs", 10) == 0 && sim->progress > 0.0 && p->n < 2)
        p->progress[p->n++] = sim->progress;
    return p->n < 2;
}

static void test_patience(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct patience p = {{0.0}, 0};
    struct carom_sim *sim =
        runs_sim("{units: none, bodies: [{wall: {side: left}}, {chain: {count: 2, mass: 1, gap: 1}}, "
                 "{wall: {side: right}}], contacts: {law: hertz, k: 1}, start: [{body: 1, velocity: "
                 "1}], run: {until: 1e7}}");
    CHECK_STATUS(carom_sim_run(sim, &(struct carom_watch){.call = wait_for_two, .own = &p}, &error), CAROM_E_STOPPED);
    CHECK(p.n == 2 && p.progress[1] > p.progress[0] && p.progress[1] < 1.0 / 150.0);
    carom_sim_free(sim);
}

/* --- changing ---------------------------------------------------------------------------------------------------- */

static struct carom_ledger ledger_of(struct carom_sim *sim)
{
    struct carom_ledger ledger;
    carom_sim_sync(sim);
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    return ledger;
}

/* put where it is, a sim goes on as before, but for the errors of a step of another length */
static void test_put_back(size_t i, double near)
{
    struct carom_memory *memory, *other;
    struct carom_sim *run = sim_of(i, &memory), *put = sim_of(i, &other);
    CHECK_STATUS(carom_sim_run(run, NULL, NULL), CAROM_OK);
    for (int k = 0; k < 5; k++) {
        CHECK_STATUS(carom_sim_step(put, 7, NULL), CAROM_OK);
        const struct carom_ledger before = ledger_of(put);
        const double was = put->view->v[0], time = put->state->time;
        CHECK_STATUS(carom_sim_set(put, NULL, NULL, NULL), CAROM_OK);
        CHECK(put->state->time == time);
        CHECK_NEAR(put->view->v[0], was, 1e-14);
        CHECK_NEAR(ledger_of(put).residual, before.residual, 1e-13);
        CHECK_STATUS(carom_sim_to(put, 0.5 * time, NULL), CAROM_E_INPUT); /* nothing behind it is known any more */
    }
    CHECK_STATUS(carom_sim_run(put, NULL, NULL), CAROM_OK);
    carom_sim_sync(run);
    carom_sim_sync(put);
    for (size_t j = 0; j < run->model->nq; j++)
        CHECK_NEAR(put->view->q[j], run->view->q[j], near);
    CHECK(put->stepper->counts.steps > 35 && memory->nrows == other->nrows);
    carom_sim_free(run);
    carom_sim_free(put);
}

/* A ball that is caught in flight and thrown up again: the parabola is known, and what the hand did is work. */
static void test_throw(const char *scheme, double near)
{
    char text[1000];
    struct carom_memory *memory;
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text, RIGID, scheme);
    struct carom_sim *sim = runs_recorded(text, &memory);
    const double t = 0.2, below = -0.1;
    CHECK_STATUS(carom_sim_to(sim, 0.1, NULL), CAROM_OK);
    if (sim->state->time >= t) { /* the first flight ends on the ground: there is no way back, but one can begin anew */
        CHECK_STATUS(carom_sim_break(sim, t, &error), CAROM_E_INPUT);
        carom_sim_free(sim);
        sim = runs_recorded(text, &memory);
    }
    CHECK_STATUS(carom_sim_break(sim, t, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_to(sim, t, NULL), CAROM_OK);
    CHECK(sim->state->time == t);
    CHECK_NEAR(sim->view->q[0], 1.0 - 5.0 * t * t, near);
    const uint64_t hash = carom_state_hash(sim->state);
    CHECK_STATUS(carom_sim_set(sim, &below, NULL, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "overlap");
    CHECK(carom_state_hash(sim->state) == hash);
    CHECK_STATUS(carom_sim_set(sim, &(double){0.5}, &(double){3.0}, NULL), CAROM_OK);
    CHECK(sim->view->q[0] == 0.5 && fabs(sim->view->v[0] - 3.0) < 1e-12);
    CHECK_NEAR(ledger_of(sim).work, 0.5 * 9.0 + 10.0 * 0.5 - 10.0, near);
    CHECK_STATUS(carom_sim_to(sim, t + 0.4, NULL), CAROM_OK);
    CHECK_NEAR(sim->view->q[0], 0.5 + 3.0 * 0.4 - 5.0 * 0.16, near);
    CHECK_NEAR(sim->view->v[0], 3.0 - 10.0 * 0.4, near);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    CHECK(fabs(ledger_of(sim).residual) < fmax(near, 1e-9));
    carom_sim_free(sim);
}

/* --- ownership and options --------------------------------------------------------------------------------------- */

/* what is handed over is released, also where something else is missing; the first sentence stays */
static void test_missing(void)
{
    struct carom_error error = {CAROM_OK, ""};
    const double one[1] = {1.0}, wrong[1] = {-1.0};
    CHECK(carom_scene_sim(carom_scene_parse("scene", "{", 1, NULL, 0, &error), &error) == NULL);
    CHECK_STATUS(error.status, CAROM_E_INPUT);
    error = (struct carom_error){CAROM_OK, ""};
    CHECK_STATUS(carom_recorder_attach(NULL, &carom_sink_memory, carom_sink_memory_new(), &error), CAROM_E_MEMORY);
    error = (struct carom_error){CAROM_OK, ""};
    struct carom_model *model = carom_model_create();
    CHECK_STATUS(carom_model_add(NULL, &carom_part_beads, carom_beads_create(1, one, NULL, NULL, NULL), NULL),
                 CAROM_E_MEMORY);
    const enum carom_status status =
        carom_model_add(model, &carom_part_beads, carom_beads_create(1, wrong, NULL, NULL, &error), &error);
    CHECK(status == error.status && status == CAROM_E_INPUT);
    const struct carom_setup setup = {
        .scheme = &carom_scheme_dp5, .options = carom_options_create(&carom_scheme_dp5.kind), .q = one, .v = one};
    CHECK(carom_sim_create(&setup, &error) == NULL && error.status == CAROM_E_INPUT);
    CHECK(carom_recorder_create(NULL, NULL, 0, NULL, &error) == NULL);
    carom_model_free(model);
}

static void test_choices(void)
{
    struct carom_error error = {CAROM_OK, ""};
    const struct carom_kind *kind = &carom_scheme_event.kind;
    const struct carom_param *impact = carom_param_find(kind->params, "impact");
    void *options = carom_options_create(kind);
    CHECK_STATUS(carom_options_choose(kind, options, "impact", "lzb", &error), CAROM_OK);
    CHECK_TEXT(impact->choices[(size_t)carom_param_value(impact, options)], "lzb");
    CHECK_STATUS(carom_options_choose(kind, options, "impact", "newtn", &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "did you mean newton");
    CHECK_STATUS(carom_options_choose(kind, options, "tol", "small", &error), CAROM_E_INPUT);
    CHECK_STATUS(carom_options_choose(kind, options, "impac", "lzb", &error), CAROM_E_INPUT);
    CHECK_STATUS(carom_options_choose(kind, NULL, "impact", "lzb", NULL), CAROM_E_MEMORY);
    carom_options_free(options);
}

int main(void)
{
    for (size_t i = 0; i < CASES; i++) {
        test_same_bits(i);
        test_times(i);
        if (strstr(cases[i].scheme, "step:"))
            test_ends(i);
    }
    test_fall();
    test_refusals();
    test_watch();
    test_pairs();
    test_patience();
    test_put_back(0, 1e-5);
    test_put_back(1, 1e-4);
    test_put_back(2, 1e-12);
    test_put_back(3, 1e-3);
    test_put_back(4, 1e-5);
    test_put_back(5, 1e-2);
    test_throw("scheme: event, tol: 1e-6", 1e-9);
    test_throw("scheme: mannshardt, tol: 1e-6", 1e-6);
    test_missing();
    test_choices();
    return check_end();
}
