/* Every allocation of scheme theta fails once: an error in words, nothing leaks (the sanitizers
 * watch), and the next attempt goes well. */
#include "base/memory.h"
#include "chain.h"

static struct chain chain; /* too large for the stack */

static void check_stepper(struct carom_model *model)
{
    const double step[2] = {0.1, 0.0}; /* options: step, adapt */
    const struct carom_scales scales = {1.0, 1.0, 1.0};
    unsigned long nth = 1;
    for (struct carom_stepper *stepper = NULL; !stepper && nth < 100; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        stepper = carom_stepper_create(&carom_scheme_theta, model, step, &scales, NULL, &error);
        carom_memory_fail(0);
        CHECK(stepper ? error.status == CAROM_OK : error.status == CAROM_E_MEMORY && error.text[0] != '\0');
        carom_stepper_free(stepper);
        if (stepper)
            break;
    }
    CHECK(nth > 5 && nth < 100);
}

int main(void)
{
    const double param[4] = {1.0, 0.05};
    chain_uniform(&chain, 7, true, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    for (size_t i = 0; i < chain.n; i++)
        chain.spring[i] = 0.5; /* springs have to be checked, which takes room, too */
    struct carom_model *model = chain_model(&chain);
    check_stepper(model);
    carom_model_free(model);
    return check_end();
}
