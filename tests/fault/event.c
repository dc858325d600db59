/* Every allocation of scheme event fails once, on a row of beads and on a machine: an error in words, nothing leaks
 * (the sanitizers watch), and the next attempt goes well. */
#include "carom/mechanism.h"
#include "events.h"

static void check_model(struct carom_model *model)
{
    void *options = carom_options_create(&carom_scheme_event.kind);
    const struct carom_scales scales = {1.0, 0.0, 1.0};
    unsigned long nth = 1;
    CHECK_OR_STOP(options != NULL);
    for (; nth < 200; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        struct carom_stepper *stepper =
            carom_stepper_create(&carom_scheme_event, model, options, &scales, NULL, &error);
        carom_memory_fail(0);
        CHECK(stepper ? error.status == CAROM_OK : error.status == CAROM_E_MEMORY && error.text[0] != '\0');
        carom_stepper_free(stepper);
        if (stepper)
            break;
    }
    CHECK(nth > 20 && nth < 200);
    carom_options_free(options);
    carom_model_free(model);
}

static struct carom_model *ball(void)
{
    static const double mass = 1.0, e = 0.5, gap = 0.0, q = 1.0, v = 0.0;
    const double *const columns[CAROM_RIGID_COLUMNS] = {&e};
    const int32_t pair[1][2] = {{CAROM_WALL_LEFT, 0}};
    void *own = carom_memory_zeroed(1, carom_machine_ball.kind.size);
    struct carom_model *model = carom_model_create();
    CHECK_OR_STOP(own && model);
    carom_param_defaults(&carom_machine_ball.kind, own);
    CHECK_STATUS(carom_options_set(&carom_machine_ball.kind, own, "mass", mass, NULL), CAROM_OK);
    struct carom_mechanism mechanism = carom_machine_ball.mechanism;
    mechanism.own = own;
    mechanism.release = carom_memory_free;
    CHECK_STATUS(carom_model_add(model, &carom_part_mechanism, carom_mechanism_create(&mechanism, &q, &v, NULL), NULL),
                 CAROM_OK);
    CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1, pair, &gap, columns, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    return model;
}

int main(void)
{
    const struct row row = {.n = 4, .left = true, .e_all = 0.5, .gravity = -10.0};
    check_model(row_model(&row));
    check_model(ball());
    return check_end();
}
