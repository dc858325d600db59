/* Slips of machines: their slopes against differences of the slips themselves, frames of normals and tangents against
 * the mass matrix, what slip functions of one's own do, and what models with friction refuse. */
#include "friction.h"

#include "base/memory.h"
#include "model/frame.h"
#include "slipping.h"

static const double q[] = {0.31, 0.47, -0.23}, v[] = {0.7, -1.1, 0.4};

static void test_slopes(void)
{
    size_t found = 0;
    for (size_t k = 0; carom_machines_list[k]; k++) {
        const struct carom_machine *machine = carom_machines_list[k];
        const struct carom_mechanism *m = &machine->mechanism;
        if (!m->slip || !m->slip_slope)
            continue;
        found++;
        void *own = carom_memory_zeroed(1, machine->kind.size);
        CHECK_OR_STOP(own != NULL);
        carom_param_defaults(&machine->kind, own);
        for (size_t i = 0; i < m->ndistances; i++) {
            double slope[CAROM_MECHANISM_WIDTH], drift, x[3];
            m->slip_slope(own, i, 0.4, q, slope, &drift);
            for (size_t c = 0; c < m->n; c++) {
                const double h = 1e-6;
                memcpy(x, q, sizeof x);
                x[c] = q[c] + h;
                const double up = m->slip(own, i, 0.4, x);
                x[c] = q[c] - h;
                CHECK_NEAR(slope[c], (up - m->slip(own, i, 0.4, x)) / (2.0 * h), 1e-9);
            }
            CHECK(drift == 0.0);
        }
        carom_memory_free(own);
    }
    CHECK(found >= 5);
}

/* W = G M^-1 G^T with M^-1 = (1, -1/2; -1/2, 2) / 1.75, normal (1, .1), tangent (0, 2 q1) */
static void test_frame(void)
{
    enum carom_status status;
    struct carom_model *model = slipping_model(slipping_slip, 0.3, NULL, &status);
    struct carom_frame frame;
    const size_t first = 0;
    const double t = 0.4, along = 2.0 * q[1];
    double rate, slide, u[2] = {v[0], v[1]}, one = 1.0;
    CHECK_STATUS(status, CAROM_OK);
    CHECK(model->frictional);
    CHECK_STATUS(carom_frame_open(&frame, model, 1, NULL), CAROM_OK);
    CHECK_STATUS(carom_frame_set(&frame, t, q, &first, 1, NULL), CAROM_OK);
    CHECK_NEAR(frame.both[0], (1.0 - 0.1 + 0.02) / 1.75, 1e-11);
    CHECK_NEAR(frame.both[1], along * (-0.5 + 0.2) / 1.75, 1e-11);
    CHECK(frame.both[1] == frame.both[2]);
    CHECK_NEAR(frame.both[3], along * along * 2.0 / 1.75, 1e-11);
    CHECK(frame.slips[0] && frame.both[0] == frame.diagonal[0]);
    CHECK_NEAR(frame.slide[0], -3.0 * cos(t), 1e-10);
    carom_frame_slips(&frame, frame.slide, v, &rate);
    CHECK_NEAR(rate, along * v[1] - 3.0 * cos(t), 1e-10);
    carom_contacts_slip(model, t, q, v, &slide);
    CHECK_NEAR(slide, rate, 1e-12);
    carom_frame_slide(&frame, 0.9, q, &slide);
    CHECK_NEAR(slide, -3.0 * cos(0.9), 1e-10);
    carom_frame_friction(&frame, &one, u);
    CHECK_NEAR(u[0] - v[0], -0.5 * along / 1.75, 1e-11);
    CHECK_NEAR(u[1] - v[1], 2.0 * along / 1.75, 1e-11);
    double work = 0.0;
    carom_frame_slip_work(&frame, frame.slide, &one, &work);
    CHECK_NEAR(work, 3.0 * cos(t), 1e-10);
    carom_frame_close(&frame);
    carom_model_free(model);
}

static double either_slip(const void *own, size_t i, double t, const double *at)
{
    (void)own;
    return at[1] * at[1] - (i == 0 ? 3.0 : 5.0) * sin(t);
}

/* Two contacts, the second of which has the mechanism on its other side: each has the drift of its own tangent. */
static void test_either_side(void)
{
    const struct carom_mechanism m = {.name = "own",
                                      .n = 2,
                                      .ndistances = 2,
                                      .mass = slipping_mass,
                                      .distance = slipping_distance,
                                      .slip = either_slip};
    const double gap[2] = {0.0}, e[2] = {0.5, 0.5}, mu[2] = {0.3, 0.3},
                 still[2] = {0.0}, *const columns[CAROM_RIGID_COLUMNS] = {e, NULL, NULL, mu, still};
    const int32_t pair[2][2] = {{CAROM_WALL_LEFT, 0}, {1, CAROM_WALL_RIGHT}};
    const size_t contact[2] = {0, 1};
    struct carom_model *model = carom_model_create();
    struct carom_frame frame;
    double slide[2];
    void *part = carom_mechanism_create(&m, slipping_q, slipping_v, NULL);
    CHECK_OR_STOP(model && part);
    CHECK_STATUS(carom_model_add(model, &carom_part_mechanism, part, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 2, pair, gap, columns, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    CHECK_STATUS(carom_frame_open(&frame, model, 2, NULL), CAROM_OK);
    CHECK_STATUS(carom_frame_set(&frame, 0.4, q, contact, 2, NULL), CAROM_OK);
    carom_frame_slide(&frame, 0.9, q, slide);
    CHECK_NEAR(slide[0], -3.0 * cos(0.9), 1e-10);
    CHECK_NEAR(slide[1], 5.0 * cos(0.9), 1e-10);
    carom_frame_close(&frame);
    carom_model_free(model);
}

static double led_slip(const void *own, size_t i, double t, const double *at)
{
    (void)own;
    (void)i;
    return at[0] + at[1] * sin(t);
}

/* Beside another one, a mechanism is asked at its own place, and moves the other way where it is the first side. */
static void test_second_part(void)
{
    const struct carom_mechanism m = {
        .name = "own", .n = 2, .ndistances = 2, .mass = slipping_mass, .distance = slipping_distance, .slip = led_slip};
    const double gap[3] = {0.0}, e[3] = {0.5, 0.5, 0.5}, mu[3] = {0.3, 0.3, 0.3},
                 still[3] = {0.0}, *const columns[CAROM_RIGID_COLUMNS] = {e, NULL, NULL, mu, still},
                 places[4] = {0.3, -0.7, 0.2, 1.9};
    const int32_t pair[3][2] = {{CAROM_WALL_LEFT, 2}, {0, 3}, {3, CAROM_WALL_RIGHT}};
    const size_t contact[3] = {0, 1, 2};
    struct carom_model *model = carom_model_create();
    struct carom_frame frame;
    double slide[3];
    CHECK_OR_STOP(model != NULL);
    for (int i = 0; i < 2; i++) {
        void *part = carom_mechanism_create(&m, slipping_q, slipping_v, NULL);
        CHECK_OR_STOP(part != NULL);
        CHECK_STATUS(carom_model_add(model, &carom_part_mechanism, part, NULL), CAROM_OK);
    }
    CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 3, pair, gap, columns, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    CHECK_STATUS(carom_frame_open(&frame, model, 3, NULL), CAROM_OK);
    CHECK_STATUS(carom_frame_set(&frame, 0.4, places, contact, 3, NULL), CAROM_OK);
    carom_frame_slide(&frame, 0.9, places, slide);
    CHECK_NEAR(slide[0], 1.9 * cos(0.9), 1e-9);
    CHECK_NEAR(slide[1], (1.9 + 0.7) * cos(0.9), 1e-9);
    CHECK_NEAR(slide[2], -1.9 * cos(0.9), 1e-9);
    carom_frame_close(&frame);
    carom_model_free(model);
}

static void test_refusals(void)
{
    struct carom_error error = {CAROM_OK, ""};
    enum carom_status status;
    carom_model_free(slipping_model(NULL, 0.3, &error, &status));
    CHECK_STATUS(status, CAROM_E_REFUSED);
    CHECK_TEXT(error.text, "contact 1 has no direction to slip in; a mechanism tells it by its slip function");
    carom_model_free(slipping_model(slipping_slip, -0.3, &error, &status));
    CHECK_STATUS(status, CAROM_E_INPUT);
    CHECK(strstr(error.text, "mu: must be between 0 and 1e6, got -0.3") != NULL);
    static const double none[] = {NAN, 1.1e6, HUGE_VAL};
    for (size_t i = 0; i < 3; i++) {
        carom_model_free(slipping_model(slipping_slip, none[i], &error, &status));
        CHECK_STATUS(status, CAROM_E_INPUT);
    }
    struct carom_model *model = slipping_model(slipping_slip, 0.0, &error, &status);
    CHECK_STATUS(status, CAROM_OK);
    CHECK(!model->frictional); /* nothing rubs: every scheme takes it */
    carom_model_free(model);
    model = slipping_model(slipping_slip, 0.3, &error, &status);
    const struct carom_scales scales = {1.0, 0.0, 1.0};
    static const struct carom_scheme *const others[] = {&carom_scheme_mannshardt, &carom_scheme_schatzman_paoli};
    for (size_t i = 0; i < 2; i++) {
        void *options = carom_options_create(&others[i]->kind);
        CHECK(carom_stepper_create(others[i], model, options, &scales, NULL, &error) == NULL);
        CHECK(error.status == CAROM_E_REFUSED && strstr(error.text, "does not support friction (mu > 0)") != NULL);
        carom_options_free(options);
    }
    carom_model_free(model);
}

/* from t = 1 on it has slipped without end: the slope along q is fine at that time, the one along t is not */
static double endless_slip(const void *own, size_t i, double t, const double *at)
{
    return t > 1.0 ? HUGE_VAL : slipping_slip(own, i, t, at);
}

static void test_endless(void)
{
    struct carom_error error = {CAROM_OK, ""};
    enum carom_status status;
    struct carom_model *model = slipping_model(endless_slip, 0.3, &error, &status);
    struct carom_frame frame;
    const size_t contact = 0;
    CHECK_STATUS(status, CAROM_OK);
    CHECK_STATUS(carom_frame_open(&frame, model, 1, NULL), CAROM_OK);
    CHECK_STATUS(carom_frame_set(&frame, 0.9, slipping_q, &contact, 1, &error), CAROM_OK);
    CHECK_STATUS(carom_frame_set(&frame, 1.0, slipping_q, &contact, 1, &error), CAROM_E_NUMERIC);
    CHECK_TEXT(error.text, "contact 1: how it slips is not finite at t = 1");
    carom_frame_close(&frame);
    carom_model_free(model);
}

int main(void)
{
    test_slopes();
    test_frame();
    test_either_side();
    test_second_part();
    test_refusals();
    test_endless();
    return check_end();
}
