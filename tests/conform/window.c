/* The window of dp5 changes nothing but the cost: beads that no wave has reached are the same to the bit, freely flying
 * ones the same to rounding, on waves that return from a wall, collide, or leave fragments behind; and a run that was
 * stopped and restored goes on to the same bits. */
#include "scheme/compliant/window.h"
#include "chain.h"

struct options {
    double tol, share;
    bool window;
};

static void run(struct trial *trial, const struct chain *chain, bool window, double until)
{
    CHECK_OR_STOP(trial_open(trial, chain, &carom_scheme_dp5, 1e-8, NULL));
    ((struct options *)trial->options)->window = window;
    CHECK_STATUS(trial_run(trial, until, NULL), CAROM_OK);
}

static double distance(const struct trial *a, const struct trial *b)
{
    double worst = 0.0;
    for (size_t i = 0; i < a->model->nq; i++) {
        worst = fmax(worst, fabs(a->view->q[i] - b->view->q[i]) / (1.0 + fabs(b->view->q[i])));
        worst = fmax(worst, fabs(a->view->v[i] - b->view->v[i]));
    }
    return worst;
}

/* Slow beads that meet late magnify rounding, so the yardstick is what a change of the start in its last bit does. */
static void compare(const char *name, struct chain *chain, double until, size_t untouched)
{
    struct trial with, without, nudged;
    run(&with, chain, true, until);
    run(&without, chain, false, until);
    chain->v[0] *= 1.0 + DBL_EPSILON;
    run(&nudged, chain, false, until);
    const double apart = distance(&with, &without), last_bit = distance(&nudged, &without);
    printf("%s: %llu steps, distance %.1e, by the last bit of the start %.1e\n", name,
           (unsigned long long)with.state->step, apart, last_bit);
    CHECK(apart <= 1e-14 + 10.0 * last_bit);
    for (size_t i = chain->n - untouched; i < chain->n; i++) {
        CHECK(memcmp(&with.view->q[i], &without.view->q[i], sizeof(double)) == 0);
        CHECK(memcmp(&with.view->v[i], &without.view->v[i], sizeof(double)) == 0);
    }
    const struct carom_ledger a = trial_ledger(&with), b = trial_ledger(&without);
    CHECK_NEAR(a.residual, b.residual, 1e-13 + 10.0 * last_bit);
    CHECK_NEAR(a.dissipated, b.dissipated, 1e-13 + 10.0 * last_bit);
    trial_close(&with);
    trial_close(&without);
    trial_close(&nudged);
}

/* stopped halfway and continued by a new stepper */
static void restore(const struct chain *chain, double until)
{
    struct trial whole, first, second;
    run(&whole, chain, true, until);
    CHECK_OR_STOP(trial_open(&first, chain, &carom_scheme_dp5, 1e-8, NULL));
    CHECK_OR_STOP(trial_open(&second, chain, &carom_scheme_dp5, 1e-8, NULL));
    const struct carom_bound bound = {.t_stop = until, .t_dense = HUGE_VAL, .steps = (size_t)whole.state->step / 2};
    CHECK_STATUS(carom_scheme_dp5.step(first.stepper, first.state, &bound, NULL), CAROM_OK);
    carom_state_copy(second.state, first.state);
    CHECK_STATUS(trial_run(&second, until, NULL), CAROM_OK);
    CHECK(carom_state_hash(second.state) == carom_state_hash(whole.state));
    trial_close(&whole);
    trial_close(&first);
    trial_close(&second);
}

/* Walls that were moved and stand: a bead that one of them overlaps does not fall asleep with the others, which are far
 * from each other, also while it moves away; one that does not reach its bead lets it. */
static void moved_walls(void)
{
    static const char text[] =
        "{units: none, bodies: [{wall: {side: left, gap: 0.1}}, {chain: {count: 20, mass: 1, gap: 0.5}}, "
        "{wall: {side: right, gap: 0.1}}], contacts: {law: hertz, k: 1}, loads: ["
        "{wall: left, displacement: {shape: table, points: [[0, 0], [1, 0.3]]}}, "
        "{wall: right, displacement: {shape: table, points: [[0, 0], [1, -0.2]]}}], run: {until: 5}}";
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("t.yaml", text, strlen(text), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    struct carom_window window;
    CHECK_STATUS(carom_window_open(&window, scene->model, 2, NULL), CAROM_OK);
    for (int away = 0; away < 4; away++) {
        double q[20] = {0.0}, w[20] = {0.0}, since[20];
        for (size_t i = 0; i < 20; i++)
            since[i] = CAROM_WINDOW_AWAKE;
        q[0] = away == 1 ? 0.25 : 0.0; /* overlaps the left wall up to 0.2 */
        q[19] = away == 2 ? -0.15 : 0.0;
        w[0] = 0.0;
        w[19] = away == 3 ? 1e-3 : 0.0; /* goes into the right one */
        carom_window_load(&window, since);
        CHECK(carom_window_update(&window, 2.0, q, w, since, true));
        CHECK((since[0] == CAROM_WINDOW_AWAKE) == (away != 1));
        CHECK((since[19] == CAROM_WINDOW_AWAKE) == (away != 2));
        CHECK(since[10] == 2.0);
    }
    carom_window_close(&window);
    carom_scene_free(scene);
}

int main(void)
{
    static struct chain chain;
    const double hertz[] = {1.0}, damped[] = {1.0, 0.05};
    chain_uniform(&chain, 300, false, false, &carom_law_hertz, CAROM_END_GAP, hertz);
    chain.v[0] = 1.0;
    compare("one wave", &chain, 60.0, 200);
    restore(&chain, 60.0);

    chain_uniform(&chain, 80, false, true, &carom_law_kuwabara_kono, CAROM_END_GAP, damped);
    chain.v[0] = 1.0;
    compare("a wave that returns from a wall", &chain, 250.0, 0);
    restore(&chain, 250.0);

    chain_uniform(&chain, 200, false, false, &carom_law_hertz, CAROM_END_GAP, hertz);
    chain.v[0] = 1.0;
    chain.v[199] = -0.7;
    compare("two waves that collide", &chain, 300.0, 0);
    restore(&chain, 300.0);

    chain_uniform(&chain, 60, false, true, &carom_law_kuwabara_kono, CAROM_END_FORCE, damped);
    for (size_t i = 0; i < 60; i++) {
        chain.mass[i] = i % 3 == 0 ? 0.2 : 1.0;
        chain.gap[i] = i % 7 == 0 ? 0.3 : 0.0;
    }
    chain.v[0] = 1.0;
    chain.v[30] = -0.5;
    compare("fragments", &chain, 200.0, 0);
    restore(&chain, 200.0);
    moved_walls();
    return check_end();
}
