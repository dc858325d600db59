/* Vibrations of solids from the factored stiffness: the same frequencies as from the whole matrix, shapes that are what
 * they say, and what a load does to a column. */
#include "study/vibration.h"

#include <string.h>

#include "model/solid/solid_turns.h"
#include "solids.h"
#include "solve/spectrum.h"
#include "study/lattice.h"

enum { MODES = 12, ROOM = 1000 };

static const double origin[3] = {0.0, 0.0, 0.0};

static struct carom_solid *body(enum carom_solid_case kind, size_t x, size_t y, size_t z)
{
    const struct carom_solid_material m = {2.0, 0.3, 1.5};
    struct carom_solid *s =
        carom_solid_box(kind, (const size_t[]){x, y, z}, (const double[]){3.0, 1.0, 1.2}, origin, 1.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    return s;
}

/* holds cells 0, x, 2 x, ...: those on the left */
static void hold_left(struct carom_solid *s, unsigned mask, bool wall)
{
    uint32_t cell[64];
    const size_t count = s->n / s->grid.count[0];
    for (size_t i = 0; i < count; i++)
        cell[i] = (uint32_t)(i * s->grid.count[0]);
    const struct carom_solid_hold hold = {.mask = mask, .wall = wall, .count = count, .cell = cell};
    CHECK_STATUS(carom_solid_add_hold(s, &hold, NULL), CAROM_OK);
    CHECK_STATUS(carom_solid_halve(s, NULL), CAROM_OK);
}

/* a shape and the forces it meets: K shape = square M shape, by a difference of forces */
static void check_shape(const struct carom_solid *s, const double *shape, double square, double top)
{
    const size_t nv = s->fast * s->n;
    double *q = solid_rest(s), *moved = solid_rest(s), *f = carom_memory_zeroed(2 * nv, sizeof *f), *step = f + nv;
    CHECK_OR_STOP(f != NULL);
    memcpy(step, shape, nv * sizeof *step);
    carom_solid_turns_to_axes(s, NULL, q, step);
    for (size_t i = 0; i < nv; i++)
        step[i] *= 1e-6;
    carom_solid_part(s)->move(s, q, step, moved);
    solid_forces(s, NULL, 0.0, moved, f, NULL);
    carom_solid_turns_to_axes(s, NULL, moved, f);
    for (size_t i = 0; i < nv; i++) {
        const double inertia = carom_solid_inertia(s, i / s->fast, i % s->fast);
        if (!carom_solid_holds(s, i / s->fast, i % s->fast) && !carom_solid_turns_held(s, i / s->fast))
            CHECK_NEAR(-f[i] / inertia / step[i] / square, 1.0, fabs(step[i]) > 1e-8 ? 2e-3 * top / square : HUGE_VAL);
    }
    carom_memory_free(f);
    carom_memory_free(moved);
    carom_memory_free(q);
}

static void check_same(struct carom_solid *s)
{
    struct carom_vibration found;
    double omega[ROOM];
    size_t count;
    CHECK_OR_STOP(s->fast * s->n <= ROOM);
    CHECK_STATUS(carom_lattice_modes(s, omega, ROOM, &count, NULL), CAROM_OK);
    CHECK_STATUS(carom_vibration_find(s, NULL, MODES, &found, NULL), CAROM_OK);
    CHECK(found.count == MODES);
    const double top = omega[MODES - 1] * omega[MODES - 1];
    for (size_t i = 0; i < found.count; i++) {
        CHECK_NEAR(found.square[i], omega[i] * omega[i], 1e-7 * top);
        if (omega[i] * omega[i] > 1e-3 * top)
            check_shape(s, found.shape + i * s->fast * s->n, omega[i] * omega[i], top);
    }
    carom_vibration_free(&found);
    carom_solid_free(s);
}

static void check_bodies(void)
{
    for (int kind = 0; kind < 3; kind++) {
        const size_t deep = kind == CAROM_SOLID_SPACE ? 2 : 1;
        struct carom_solid *s = body((enum carom_solid_case)kind, 6, 3, deep);
        check_same(s); /* free: rigid motions first */
        s = body((enum carom_solid_case)kind, 6, 3, deep);
        hold_left(s, deep == 2 ? 63U : 35U, true);
        check_same(s);
        s = body((enum carom_solid_case)kind, 6, 3, deep);
        hold_left(s, deep == 2 ? 1U | 48U : 33U, false); /* a plane of symmetry */
        check_same(s);
    }
    const struct carom_solid_material m = {2.0, 0.3, 1.5};
    struct carom_solid *s = carom_solid_cylinder(12, 4, 0.5, 0.6, 0.05, origin, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    check_same(s);
}

/* A beam between a wall and a load along it of 0, 0.75 and 1.5 times Euler's: the square of its lowest frequency falls
 * to 0.265 of that without, and to -0.571 (a thin beam, w = x^2 times polynomials after Ritz). */
static void check_column(void)
{
    double square[3];
    for (int i = 0; i < 3; i++) {
        const struct carom_solid_material m = {1.0, 0.0, 1.0};
        struct carom_solid *s = carom_solid_box(CAROM_SOLID_STRESS, (const size_t[]){30, 2, 1},
                                                (const double[]){15.0, 1.0, 1.0}, origin, 1.0, &m, NULL);
        const double length = 14.75, euler = 9.869604401089358 / 48.0 / (length * length);
        uint32_t face[2];
        CHECK_OR_STOP(s != NULL);
        hold_left(s, 35U, true);
        struct carom_solid_load load = {.push = CAROM_SOLID_TRACTION,
                                        .vector = {-0.75 * i * euler, 0.0, 0.0},
                                        .signal = {.shape = CAROM_SHAPE_STEP, .amplitude = 1.0},
                                        .at = face};
        load.count = carom_solid_faces(s, CAROM_SOLID_RIGHT, 0, NULL, face);
        CHECK_STATUS(carom_solid_add_load(s, &load, NULL), CAROM_OK);
        double *q = solid_rest(s);
        struct carom_vibration found;
        bool unstable;
        CHECK_STATUS(carom_solid_settle(s, 0.0, 1e-9, q, &unstable, NULL, NULL), CAROM_OK);
        CHECK(unstable == (i == 2));
        CHECK_STATUS(carom_vibration_find(s, q, 3, &found, NULL), CAROM_OK);
        square[i] = found.square[0];
        carom_vibration_free(&found);
        carom_memory_free(q);
        carom_solid_free(s);
    }
    CHECK_NEAR(square[1] / square[0], 0.2654, 0.01);
    CHECK_NEAR(square[2] / square[0], -0.5709, 0.02);
}

/* a carom that was built without ARPACK says so */
static bool is_refused(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_solid *s = body(CAROM_SOLID_STRAIN, 6, 3, 1);
    struct carom_vibration found = {0};
    const enum carom_status status = carom_vibration_find(s, NULL, 3, &found, &error);
    CHECK(status == CAROM_OK || strstr(error.text, "without ARPACK") != NULL);
    carom_vibration_free(&found);
    carom_solid_free(s);
    return status != CAROM_OK;
}

int main(void)
{
    if (is_refused())
        return check_end();
    check_bodies();
    check_column();
    return check_end();
}
