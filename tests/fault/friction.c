/* Out of memory in any allocation of opening the schemes that know friction: an error, and nothing leaks (the
 * sanitizers look). */
#include "base/memory.h"
#include "carom/carom.h"
#include "carom/mechanism.h"
#include "check.h"

static const double q[] = {0.31, 0.47}, v[] = {0.7, -1.1};

static void mass(const void *own, const double *at, double *m)
{
    (void)own, (void)at;
    m[0] = 2.0;
    m[1] = m[2] = 0.5;
    m[3] = 1.0;
}

static double distance(const void *own, size_t i, double t, const double *at)
{
    (void)own, (void)i, (void)t;
    return at[0] + 0.1 * at[1];
}

static double slip(const void *own, size_t i, double t, const double *at)
{
    (void)own, (void)i;
    return at[1] * at[1] - 3.0 * sin(t);
}

static struct carom_model *model_of(double (*slips)(const void *, size_t, double, const double *), double mu,
                                    struct carom_error *error, enum carom_status *status)
{
    struct carom_mechanism m = {
        .name = "own", .n = 2, .ndistances = 1, .mass = mass, .distance = distance, .slip = slips};
    const double gap = 0.0, e = 0.5, still = 0.0, *const columns[CAROM_RIGID_COLUMNS] = {&e, NULL, NULL, &mu, &still};
    const int32_t pair[1][2] = {{CAROM_WALL_LEFT, 0}};
    struct carom_model *model = carom_model_create();
    void *part = carom_mechanism_create(&m, q, v, error);
    CHECK_OR_STOP(model && part);
    CHECK_STATUS(carom_model_add(model, &carom_part_mechanism, part, error), CAROM_OK);
    *status = carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1, pair, &gap, columns, error);
    if (*status == CAROM_OK)
        *status = carom_model_finish(model, error);
    return model;
}

static void test_memory(void)
{
    static const struct carom_scheme *const schemes[] = {&carom_scheme_moreau_jean, &carom_scheme_moreau_adaptive};
    const struct carom_scales scales = {1.0, 0.0, 1.0};
    enum carom_status status;
    for (size_t i = 0; i < 2; i++) {
        struct carom_model *model = model_of(slip, 0.3, NULL, &status);
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
        CHECK(stepper && nth > 40);
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
