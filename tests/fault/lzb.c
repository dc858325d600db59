/* Every allocation of impact lzb fails once, alone and under scheme event, for rows and for disks: an error in words,
 * nothing leaks (the sanitizers watch), and the next attempt goes well. */
#include "carom/scheme.h"
#include "carom/sim.h"
#include "springy.h"

static void check_striker(const struct carom_model *model)
{
    unsigned long nth = 1;
    for (; nth < 100; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        struct carom_striker *striker = carom_striker_create(&carom_impact_lzb, model, NULL, model->nc, &error);
        carom_memory_fail(0);
        CHECK(striker ? error.status == CAROM_OK : error.status == CAROM_E_MEMORY && error.text[0] != '\0');
        carom_striker_free(striker);
        if (striker)
            break;
    }
    CHECK(nth > 5 && nth < 100);
}

static void check_stepper(const struct carom_model *model)
{
    void *options = carom_options_create(&carom_scheme_event.kind);
    const struct carom_scales scales = {1.0, 0.0, 1.0};
    unsigned long nth = 1;
    CHECK_OR_STOP(options != NULL);
    CHECK_STATUS(carom_options_set(&carom_scheme_event.kind, options, "impact", 2.0, NULL), CAROM_OK);
    for (; nth < 300; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        struct carom_stepper *stepper =
            carom_stepper_create(&carom_scheme_event, model, options, &scales, NULL, &error);
        carom_memory_fail(0);
        CHECK(stepper ? error.status == CAROM_OK : error.status == CAROM_E_MEMORY && error.text[0] != '\0');
        CHECK(!stepper || stepper->traces);
        carom_stepper_free(stepper);
        if (stepper)
            break;
    }
    CHECK(nth > 20 && nth < 300);
    carom_options_free(options);
}

int main(void)
{
    const double one[4] = {1.0, 1.0, 1.0, 1.0}, e[4] = {0.9, 0.9, 0.9, 0.9}, p[4] = {1.5, 1.5, 1.5, 1.5};
    struct disks d = {.n = 2, .ntouch = 1, .mass = {1.0, 1.0}};
    d.touch[0].b = 1;
    d.touch[0].x = 1.0;
    struct carom_model *row = springy_row(4, false, true, one, e, one, p), *disks = springy_disks(&d, e, one, p);
    check_striker(row);
    check_striker(disks);
    check_stepper(row);
    carom_model_free(row);
    carom_model_free(disks);
    return check_end();
}
