/* Every allocation of chains in lanes, and of a batch of runs, fails once: an error in words, nothing leaks (the
 * sanitizers watch), and the next attempt goes well. */
#include "scheme/chain/lanes.h"
#include "base/memory.h"
#include "chain.h"
#include "study/sweep/runner.h"

enum { COUNT = 6 };

static struct chain chain; /* too large for the stack */

static void check_lanes(const struct carom_lanes *lanes)
{
    const double param[4] = {1.0, 0.05};
    struct trial trial[COUNT];
    struct carom_stepper *stepper[COUNT];
    struct carom_state *state[COUNT];
    chain_uniform(&chain, 7, true, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    chain.v[0] = 1.0;
    for (size_t c = 0; c < COUNT; c++) {
        CHECK_OR_STOP(trial_open(&trial[c], &chain, lanes->scheme, 0.1, NULL));
        stepper[c] = trial[c].stepper;
        state[c] = trial[c].state;
    }
    unsigned long nth = 1;
    for (bool good = false; !good && nth < 100; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        struct carom_lanes_batch *batch = carom_lanes_create(lanes, COUNT, stepper, &error);
        good = batch != NULL;
        carom_memory_fail(0);
        CHECK(good ? error.status == CAROM_OK : error.status == CAROM_E_MEMORY && error.text[0] != '\0');
        if (good)
            CHECK_STATUS(carom_lanes_advance(batch, state, 0.1, 1.0, 5, &error), CAROM_OK);
        carom_lanes_free(batch);
    }
    CHECK(nth > 5 && nth < 100);
    for (size_t c = 0; c < COUNT; c++)
        trial_close(&trial[c]);
}

static const char text[] = "units: none\n"
                           "bodies: [chain: {count: 4, mass: 1}]\n"
                           "contacts: {law: kuwabara-kono, k: 1, gamma: 0.06}\n"
                           "start: [{body: 1, velocity: 1}]\n"
                           "run: {until: 1, scheme: irk, step: 0.1}\n";

/* without peaks they go side by side, with them alone */
static void check_runner(const char *names)
{
    struct carom_outputs outputs;
    CHECK_STATUS(carom_outputs_read(names, false, &outputs, NULL), CAROM_OK);
    const struct carom_runner runner = {.outputs = &outputs};
    unsigned long nth = 1;
    for (bool good = false; !good && nth < 2000; nth++) {
        struct carom_scene *scene[3];
        struct carom_error error[3];
        double value[3][2];
        for (size_t i = 0; i < 3; i++)
            CHECK_OR_STOP((scene[i] = carom_scene_parse("lanes", text, strlen(text), NULL, 0, NULL)) != NULL);
        carom_memory_fail(nth);
        carom_runner_batch(&runner, scene, 3, value[0], error);
        carom_memory_fail(0);
        good = true;
        for (size_t i = 0; i < 3; i++) {
            CHECK(error[i].status == CAROM_OK || error[i].status == CAROM_E_MEMORY);
            CHECK((error[i].status == CAROM_OK) == !isnan(value[i][0]));
            good &= error[i].status == CAROM_OK;
            carom_scene_free(scene[i]);
        }
    }
    CHECK(nth > 20 && nth < 2000);
}

int main(void)
{
    check_lanes(&carom_batch_theta_lanes);
    check_lanes(&carom_batch_irk_lanes);
    check_runner("v_last,kinetic");
    check_runner("v_last,peak_force");
    return check_end();
}
