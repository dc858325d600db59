/* Out of memory in any allocation of opening the schemes that know friction: an error, and nothing leaks (the
 * sanitizers look). */
#include "base/memory.h"
#include "slipping.h"

static void test_memory(void)
{
    static const struct carom_scheme *const schemes[] = {&carom_scheme_moreau_jean, &carom_scheme_moreau_adaptive};
    const struct carom_scales scales = {1.0, 0.0, 1.0};
    enum carom_status status;
    for (size_t i = 0; i < 2; i++) {
        struct carom_model *model = slipping_model(slipping_slip, 0.3, NULL, &status);
        void *options = carom_options_create(&schemes[i]->kind);
        CHECK_OR_STOP(options != NULL);
        if (i == 0)
            CHECK_STATUS(carom_options_set(&schemes[i]->kind, options, "step", 1e-3, NULL), CAROM_OK);
        struct carom_stepper *stepper = NULL;
        unsigned long nth = 1;
        for (; !stepper && nth < 200; nth++) {
            struct carom_error error = {CAROM_OK, ""};
            carom_memory_fail(nth);
            stepper = carom_stepper_create(schemes[i], model, options, &scales, NULL, &error);
            carom_memory_fail(0);
            CHECK(stepper || error.status == CAROM_E_MEMORY);
        }
        CHECK(stepper && nth > 20); /* each of its rooms was refused once */
        carom_stepper_free(stepper);
        carom_options_free(options);
        carom_model_free(model);
    }
}

int main(void)
{
    test_memory();
    return check_end();
}
