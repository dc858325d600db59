/* Static equilibrium of pressed chains: forces as they must be to 1e-13, for every way of holding the ends, gravity,
 * unequal contacts, gaps, springs, strikers left out; and sentences where there is none. */
#include "check.h"

#include "loads.h"

static struct rig make(size_t n, bool left, bool right)
{
    struct rig rig = {.n = n, .left_wall = left, .right_wall = right, .p = 1.5};
    for (size_t i = 0; i < n; i++)
        rig.mass[i] = 1e-2 * (1.0 + 0.5 * (double)(i % 3));
    for (size_t j = 0; j <= n; j++) {
        rig.k[j] = 1e9 * (1.0 + 0.7 * (double)(j % 4));
        rig.gap[j] = j % 5 == 2 ? 1e-6 : 0.0;
    }
    return rig;
}

/* presses the rig and returns elastic forces of its contacts */
static enum carom_status press(const struct rig *rig, size_t first, size_t last, double force, double *q,
                               double *carried, struct carom_model **out, struct carom_error *error)
{
    struct carom_model *model = rig_model(rig);
    double deform[RIG_BEADS + 1];
    const enum carom_status status = carom_static_press(model, first, last, force, q, error);
    *out = model;
    if (status != CAROM_OK)
        return status;
    carom_contacts_deform(model, 0.0, q, NULL, deform, NULL);
    const struct carom_response want = {.elastic = carried};
    carom_contacts_evaluate(model, 0, model->nc, deform, NULL, NULL, &want);
    return CAROM_OK;
}

/* nothing is out of balance, loads included */
static void check_rest(const struct carom_model *model, const double *q, const double *carried, size_t first,
                       size_t last, double scale)
{
    const struct carom_beads *beads = model->member[0].own;
    double f[RIG_BEADS], v[RIG_BEADS] = {0.0};
    carom_part_beads.force(beads, 0.0, q, v, NULL, f);
    carom_contacts_push(model, 0.0, q, carried, f, NULL);
    for (size_t i = first; i < last; i++)
        CHECK_NEAR(f[i], 0.0, 1e-13 * scale);
}

static void check_uniform(bool left, bool right)
{
    struct rig rig = make(RIG_BEADS, left, right);
    double q[RIG_BEADS], carried[RIG_BEADS + 1];
    struct carom_model *model;
    struct carom_error error;
    CHECK_STATUS(press(&rig, 0, rig.n, 12.5, q, carried, &model, &error), CAROM_OK);
    for (size_t j = 0; j < model->nc; j++)
        CHECK_NEAR(carried[j], 12.5, 1e-13 * 12.5);
    check_rest(model, q, carried, 0, rig.n, 12.5);
    const struct carom_beads *beads = model->member[0].own;
    CHECK(beads->nloads == (left ? 0u : 1u) + (right ? 0u : 1u));
    CHECK(beads->ndrives == (left && right ? 1u : 0u));
    CHECK(beads->held > 0.0);
    CHECK(q[0] >= q[rig.n - 1]);
    carom_model_free(model);
}

/* a column stands on its left wall: contact j carries all above it and the force on top */
static void check_column(void)
{
    struct rig rig = make(40, true, false);
    rig.gravity = -9.81;
    double q[RIG_BEADS], carried[RIG_BEADS + 1], above = 3.0;
    struct carom_model *model;
    CHECK_STATUS(press(&rig, 0, rig.n, 3.0, q, carried, &model, NULL), CAROM_OK);
    for (size_t j = model->nc; j-- > 0;) {
        above += rig.mass[j] * 9.81;
        CHECK_NEAR(carried[j], above, 1e-13 * above);
    }
    check_rest(model, q, carried, 0, rig.n, above);
    carom_model_free(model);
    rig.right_wall = true; /* and between two walls, which hold it from above too */
    CHECK_STATUS(press(&rig, 0, rig.n, 3.0, q, carried, &model, NULL), CAROM_OK);
    CHECK_NEAR(carried[model->nc - 1], 3.0, 1e-12);
    check_rest(model, q, carried, 0, rig.n, above);
    carom_model_free(model);
}

/* springs take their part, so forces differ, but nothing moves */
static void check_springs(bool left, bool right, double gravity, double force)
{
    struct rig rig = make(20, left, right);
    double q[RIG_BEADS], carried[RIG_BEADS + 1];
    rig.gravity = gravity;
    rig.down = 9.81;
    rig.large = true;
    for (size_t i = 0; i < rig.n; i++) {
        rig.spring[i] = i % 3 == 0 ? 1e5 : 1e3;
        rig.string[i] = i % 2 == 0 ? 1.0 : 0.0;
    }
    struct carom_model *model;
    CHECK_STATUS(press(&rig, 0, rig.n, force, q, carried, &model, NULL), CAROM_OK);
    check_rest(model, q, carried, 0, rig.n, force * (left || right ? 1.0 : 10.0));
    if (left && right)
        CHECK_NEAR(carried[model->nc - 1], force, 1e-13 * force);
    carom_model_free(model);
}

/* Springs on some beads only, from soft to as stiff as contacts: those deep inside carry next to nothing, or open. The
 * law's slope jumps at touch where its exponent is 1. */
static void check_some_springs(bool left, bool right, size_t every, double stiffness, double p)
{
    struct rig rig = make(21, left, right);
    double q[RIG_BEADS], carried[RIG_BEADS + 1];
    rig.p = p;
    for (size_t i = 0; i < rig.n; i += every)
        rig.spring[i] = stiffness;
    struct carom_model *model;
    CHECK_STATUS(press(&rig, 0, rig.n, 10.0, q, carried, &model, NULL), CAROM_OK);
    check_rest(model, q, carried, 0, rig.n, 1e3); /* the rounding of places, times stiffness */
    carom_model_free(model);
}

/* driven ends hold; strikers stay out of it and keep their distance */
static void check_ends(void)
{
    struct rig rig = make(12, false, true);
    double q[RIG_BEADS], carried[RIG_BEADS + 1];
    struct carom_model *model;
    rig.drive[rig.ndrives++] =
        (struct carom_drive){0, {.shape = CAROM_SHAPE_SINE, .amplitude = 1e-6, .frequency = 1e3, .phase = 0.5}, 0.0};
    CHECK_STATUS(press(&rig, 0, rig.n, 8.0, q, carried, &model, NULL), CAROM_OK);
    for (size_t j = 0; j < model->nc; j++)
        CHECK_NEAR(carried[j], 8.0, 8e-13);
    CHECK_NEAR(q[0], 1e-6 * sin(0.5), 1e-21);
    carom_model_free(model);
    rig = make(12, false, true);
    CHECK_STATUS(press(&rig, 2, rig.n, 8.0, q, carried, &model, NULL), CAROM_OK);
    for (size_t j = 0; j < model->nc; j++)
        CHECK_NEAR(carried[j], j < 2 ? 0.0 : 8.0, 8e-13);
    CHECK(q[0] == q[2] && q[1] == q[2]);
    const struct carom_beads *beads = model->member[0].own;
    CHECK(beads->nloads == 1 && beads->load[0].bead == 2);
    carom_model_free(model);
}

/* what pushes a striker that is left out does not push the chain, at either end */
static void check_strikers(void)
{
    for (int end = 0; end < 2; end++) {
        struct rig rig = make(12, false, false);
        double q[RIG_BEADS], carried[RIG_BEADS + 1];
        struct carom_model *model;
        rig.load[rig.nloads++] = (struct carom_load){end ? 10 : 1, {.shape = CAROM_SHAPE_CONSTANT, .amplitude = 5.0}};
        const size_t first = end ? 0 : 2, last = end ? 10 : 12;
        CHECK_STATUS(press(&rig, first, last, 8.0, q, carried, &model, NULL), CAROM_OK);
        for (size_t j = 0; j < model->nc; j++)
            CHECK_NEAR(carried[j], j < first || j + 1 >= last ? 0.0 : 8.0, 8e-13);
        carom_model_free(model);
    }
}

static void check_refusals(void)
{
    struct rig rig = make(5, false, false);
    double q[RIG_BEADS], carried[RIG_BEADS + 1];
    struct carom_model *model;
    struct carom_error error;
    rig.gravity = 1.0;
    CHECK_STATUS(press(&rig, 0, rig.n, 1.0, q, carried, &model, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "nothing holds the chain");
    carom_model_free(model);
    rig.left_wall = true; /* hanging from it */
    CHECK_STATUS(press(&rig, 0, rig.n, 1e-4, q, carried, &model, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "would have to pull");
    carom_model_free(model);
    rig = make(5, true, true);
    rig.drive[rig.ndrives++] = (struct carom_drive){2, {.shape = CAROM_SHAPE_CONSTANT}, 0.0};
    CHECK_STATUS(press(&rig, 0, rig.n, 1.0, q, carried, &model, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "body 3 has a prescribed motion");
    carom_model_free(model);
}

int main(void)
{
    for (int ends = 0; ends < 4; ends++)
        check_uniform(ends & 1, ends & 2);
    check_column();
    for (int ends = 0; ends < 4; ends++) {
        check_springs(ends & 1, ends & 2, 0.0, 10.0);
        check_springs(ends & 1, ends & 2, -3.0, 10.0);
        check_springs(ends & 1, ends & 2, 0.0, 1e-4); /* as well, relatively */
    }
    for (int k = 0; k < 4 * 2 * 7 * 2; k++)
        check_some_springs(k & 1, k & 2, k & 4 ? 2 : 3, pow(10.0, 3.0 + k / 8 % 7), k / 56 ? 1.0 : 1.5);
    check_ends();
    check_strikers();
    check_refusals();
    CHECK_MAIN_END;
}
