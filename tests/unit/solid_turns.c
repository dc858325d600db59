/* Turns held about one or two axes of space, of cells whose principal axes are others: the spin about held axes is 0,
 * by a torque about them alone, the power of which is 0; modes do not depend on how the axes of space are called. */
#include "model/solid/solid_turns.h"
#include "base/memory.h"
#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "solids.h"
#include "study/lattice.h"

/* angular velocity in space axes, by the inertia matrix there */
static void spin_of(const struct carom_solid *s, size_t cell, const double *q, const double momentum[3], double out[3])
{
    double turn[4], own[3];
    carom_solid_turns_axes(s, cell, q, turn);
    carom_quat_turn_back(turn, momentum, own);
    for (int k = 0; k < 3; k++)
        own[k] /= carom_solid_sort_of(s, cell)->inertia[k];
    carom_quat_turn(turn, own, out);
}

static void check_balance(unsigned turns)
{
    const struct carom_solid_material m = {1.0, 0.25, 1.0};
    const double size[3] = {2.0, 0.6, 1.1}, origin[3] = {0.0, 0.0, 0.0};
    struct carom_solid *s = carom_solid_box(CAROM_SOLID_SPACE, (const size_t[]){1, 1, 1}, size, origin, 1.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    const struct carom_solid_hold hold = {.mask = turns << 3, .count = 1, .cell = (uint32_t[]){0}};
    CHECK_STATUS(carom_solid_add_hold(s, &hold, NULL), CAROM_OK);
    struct carom_random random;
    carom_random_start(&random, turns);
    double *q = solid_rest(s), square = 0.0, old[3], momentum[3], spin[3], before[3];
    for (int k = 3; k < 7; k++)
        q[k] = carom_random_normal(&random);
    for (int k = 3; k < 7; k++)
        square += q[k] * q[k];
    for (int k = 3; k < 7; k++)
        q[k] /= sqrt(square);
    for (int k = 0; k < 3; k++)
        old[k] = momentum[k] = carom_random_normal(&random);
    spin_of(s, 0, q, old, before);
    carom_solid_turns_balance(s, 0, q, momentum);
    spin_of(s, 0, q, momentum, spin);
    for (int k = 0; k < 3; k++) {
        if (turns >> k & 1U)
            CHECK_NEAR(spin[k], 0.0, 1e-14 * carom_vec_norm(before));
        else
            CHECK(momentum[k] == old[k]);
    }
    CHECK(carom_vec_dot(spin, spin) > 0.0);
    carom_memory_free(q);
    carom_solid_free(s);
}

/* eight cells around: x and y are alike */
static void check_modes(void)
{
    const struct carom_solid_material m = {1e6, 0.3, 1000.0};
    const double origin[3] = {0.0, 0.0, 0.0};
    double omega[2][96];
    size_t count[2];
    for (unsigned axis = 0; axis < 2; axis++) {
        struct carom_solid *s = carom_solid_cylinder(8, 2, 0.5, 0.1, 0.05, origin, &m, NULL);
        CHECK_OR_STOP(s != NULL);
        const struct carom_solid_hold hold = {
            .mask = 7U | 8U << axis, .count = 8, .cell = (uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7}};
        CHECK_STATUS(carom_solid_add_hold(s, &hold, NULL), CAROM_OK);
        CHECK_STATUS(carom_lattice_modes(s, omega[axis], 96, &count[axis], NULL), CAROM_OK);
        carom_solid_free(s);
    }
    CHECK(count[0] == 96 - 8 * 4 && count[1] == count[0]);
    for (size_t i = 0; i < count[0]; i++)
        CHECK_NEAR(omega[0][i], omega[1][i], 1e-6 * omega[0][count[0] - 1]);
}

/* a shell is thinner than it is wide, however small */
static void check_shells(void)
{
    static const struct {
        double radius, height, thickness;
        bool good;
    } shell[] = {{0.1, 1.0, 0.19, true},   {0.1, 1.0, 0.21, false},     {10.0, 1.0, 19.0, true},
                 {10.0, 1.0, 21.0, false}, {0.0, 1.0, 0.1, false},      {1.0, 0.0, 0.1, false},
                 {1.0, 1.0, 0.0, false},   {HUGE_VAL, 1.0, 1.0, false}, {1.0, HUGE_VAL, 1.0, false}};
    const struct carom_solid_material m = {1.0, 0.25, 1.0};
    const double origin[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < sizeof shell / sizeof *shell; i++) {
        struct carom_error error = {CAROM_OK, ""};
        struct carom_solid *s =
            carom_solid_cylinder(8, 2, shell[i].radius, shell[i].height, shell[i].thickness, origin, &m, &error);
        CHECK((s != NULL) == shell[i].good);
        if (!shell[i].good)
            CHECK_CONTAINS(error.text, "and a thickness below twice the radius, got ");
        carom_solid_free(s);
    }
}

int main(void)
{
    check_shells();
    for (unsigned turns = 1; turns < 7; turns++)
        check_balance(turns);
    check_modes();
    return check_end();
}
