/* Time stepping of rigid contacts keeps what scheme.h promises: never past t_stop, as many steps as allowed, a failure
 * leaves the state, a copied state goes on with the same bits, looking changes nothing, dense output meets the end of a
 * step, events are told when somebody watches. */
#include "rigid.h"
#include "base/random.h"

static const struct carom_scheme *const schemes[] = {&carom_scheme_moreau_jean, &carom_scheme_schatzman_paoli,
                                                     &carom_scheme_mannshardt};

static const double gap[] = {0.2, 0.05, 0.0, 0.03, 0.1}, mass[] = {1.0, 2.0, 0.7, 1.3, 0.5},
                    spring[] = {0.0, 3.0, 0.0, 1.0, 0.0}, v[] = {-0.3, 0.2, 0.0, -0.1, 0.05};

static struct play open_play(const struct carom_scheme *scheme, int which)
{
    const struct row rows[] = {
        {.n = 5, .left = true, .mass = mass, .gap = gap, .e_all = 0.5, .gravity = -9.81},
        {.n = 4, .left = true, .right = true, .mass = mass, .gap = gap, .e_all = 0.9, .spring = spring},
        {.n = 1, .mass = mass, .e_all = 0.5, .gravity = -1.0}, /* no contact at all */
    };
    struct play play = play_begin(row_model(&rows[which]), scheme, 0.0037);
    CHECK_STATUS(play_start(&play, scheme, NULL, v, NULL), CAROM_OK);
    return play;
}

static void check_bounds(const struct carom_scheme *scheme, int which, struct carom_random *random)
{
    struct play play = open_play(scheme, which);
    double stop = 0.0;
    while (stop < 3.0) {
        stop += 0.1 * carom_random_uniform(random);
        while (carom_state_until(play.state, stop) > 0.0) {
            const uint64_t before = play.state->step;
            CHECK_STATUS(play_steps(&play, 3, stop, NULL), CAROM_OK);
            CHECK(play.state->step > before && play.state->step <= before + 3);
            CHECK(carom_state_until(play.state, stop) >= 0.0);
        }
    }
    play_close(&play);
}

static void check_failure(const struct carom_scheme *scheme, int which)
{
    struct play play = open_play(scheme, which);
    struct carom_error error = {0};
    CHECK_STATUS(play_run(&play, 0.5, NULL), CAROM_OK);
    play.state->v[play.model->nv / 2] = nan("");
    const uint64_t hash = carom_state_hash(play.state);
    CHECK_STATUS(play_steps(&play, 10, 1.0, &error), CAROM_E_NUMERIC);
    CHECK(carom_state_hash(play.state) == hash);
    CHECK(error.text[0] != '\0');
    play_close(&play);
}

/* one run looks and is copied to another stepper halfway, the other does not: the same bits */
static void check_bits(const struct carom_scheme *scheme, int which)
{
    struct play plain = open_play(scheme, which), looked = open_play(scheme, which), other = open_play(scheme, which);
    for (int i = 0; i < 300; i++) {
        CHECK_STATUS(play_steps(&looked, 1, HUGE_VAL, NULL), CAROM_OK);
        scheme->sync(looked.stepper, looked.state, looked.view);
        scheme->dense(looked.stepper, looked.state, 0.5 * (looked.stepper->before->time + looked.state->time),
                      looked.view);
    }
    carom_state_copy(other.state, looked.state);
    CHECK_STATUS(play_steps(&other, 300, HUGE_VAL, NULL), CAROM_OK);
    CHECK_STATUS(play_steps(&plain, 600, HUGE_VAL, NULL), CAROM_OK);
    CHECK(carom_state_hash(plain.state) == carom_state_hash(other.state));
    play_close(&plain);
    play_close(&looked);
    play_close(&other);
}

static void check_dense(const struct carom_scheme *scheme, int which)
{
    struct play play = open_play(scheme, which);
    struct carom_state *end = carom_state_create(play.model, 0);
    for (int i = 0; i < 300; i++) {
        CHECK_STATUS(play_steps(&play, 1, HUGE_VAL, NULL), CAROM_OK);
        scheme->sync(play.stepper, play.state, end);
        scheme->dense(play.stepper, play.state, play.state->time, play.view);
        for (size_t k = 0; k < play.model->nq; k++) {
            CHECK_NEAR(play.view->q[k], end->q[k], 1e-14);
            CHECK_NEAR(play.view->v[k], end->v[k], 1e-12);
        }
        scheme->dense(play.stepper, play.state, play.stepper->before->time, play.view);
        for (size_t k = 0; k < play.model->nq; k++)
            CHECK_NEAR(play.view->q[k], play.stepper->before->q[k], 1e-14);
    }
    carom_state_free(end);
    play_close(&play);
}

/* a ball that bounces: every impact is told with e = -after / before, then the contact closes */
static void check_events(const struct carom_scheme *scheme)
{
    const struct row row = {.n = 1, .left = true, .gap = gap, .e_all = 0.5, .gravity = -10.0};
    struct play play = play_begin(row_model(&row), scheme, 1e-5);
    CHECK_STATUS(play_start(&play, scheme, NULL, NULL, NULL), CAROM_OK);
    const struct carom_bound bound = {.t_stop = 1.0, .t_dense = HUGE_VAL, .steps = 100000, .watch = true};
    size_t impacts = 0;
    enum carom_event_kind last = CAROM_EVENT_OPEN;
    double expected = 0.2; /* time of the first impact, sqrt(2 gap / g) */
    while (carom_state_until(play.state, 1.0) > 0.0) {
        CHECK_STATUS(scheme->step(play.stepper, play.state, &bound, NULL), CAROM_OK);
        for (size_t i = 0; i < play.stepper->nevents; i++) {
            const struct carom_event *event = &play.stepper->event[i];
            last = event->kind;
            if (event->kind != CAROM_EVENT_IMPACT || impacts >= 5)
                continue;
            CHECK_NEAR(event->time, expected, 2e-4);
            CHECK_NEAR(-event->after / event->before, 0.5, 0.02);
            CHECK_NEAR(event->impulse, event->after - event->before, 1e-2 * event->impulse);
            expected += 2.0 * event->after / 10.0;
            impacts++;
        }
    }
    CHECK(impacts == 5);
    CHECK(last == CAROM_EVENT_CLOSE);
    play_close(&play);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
        for (int which = 0; which < 3; which++) {
            check_bounds(schemes[s], which, &random);
            check_failure(schemes[s], which);
            check_bits(schemes[s], which);
            check_dense(schemes[s], which);
        }
        check_events(schemes[s]);
    }
    return check_end();
}
