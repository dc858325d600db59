/* Links that break: forces are the slope of the energy whatever is gone, in the plane, in space and on Voronoi cells;
 * without damage elastic bodies come out; halves that are drawn apart follow the cohesive law and take G_c, on any
 * cells; what the energy loses is what is booked; broken faces push and do not pull, and those that are pressed, bent
 * and sheared off lose nothing where they begin to push by themselves. Static energy release rates of a
 * double cantilever beam and of a plate with a notch against closed forms, over three meshes. */
#include <string.h>

#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "model/solid/solid_fracture.h"
#include "model/solid/solid_self.h"
#include "solids.h"

static const struct carom_solid_material glass = {1.0, 0.3, 1.0};
static const double origin[3] = {0.0, 0.0, 0.0};

static struct carom_solid *box(enum carom_solid_case kind, size_t x, size_t y, size_t z, double wide, double high)
{
    const size_t count[3] = {x, y, z};
    const double size[3] = {wide, high, kind == CAROM_SOLID_SPACE ? high : 0.0};
    struct carom_solid *s = carom_solid_box(kind, count, size, origin, 1.0, &glass, NULL);
    CHECK_OR_STOP(s != NULL);
    return s;
}

static void breakable(struct carom_solid *s, double strength, double energy, double (*where)[3])
{
    const struct carom_solid_fracture law = {strength, energy, 1.0};
    CHECK_OR_STOP(carom_solid_fracture(s, &law, where, NULL) == CAROM_OK);
}

/* breaks what is to break at q; the energy booked, which is that lost */
static double tear(const struct carom_solid *s, double t, double *q, bool *any)
{
    double *room = solid_room(s), *f = carom_memory_zeroed(s->fast * s->n, sizeof *f), lost = 0.0;
    CHECK_OR_STOP(f != NULL);
    const struct carom_solid_work work = carom_solid_forces_work(s, true, room);
    const double before = solid_energy(s, t, q);
    carom_solid_forces(s, &work, NULL, t, q, f);
    *any = carom_solid_fracture_break(s, &work, NULL, t, q, f, &lost);
    CHECK_NEAR(before - solid_energy(s, t, q), lost, 1e-12 * before);
    CHECK(lost >= -1e-14 * before);
    carom_memory_free(f);
    carom_memory_free(room);
    return lost;
}

/* --- forces and energy ------------------------------------------------------------------------------------------- */

static void nudge(const struct carom_solid *s, double *q, size_t cell, size_t k, double by)
{
    const size_t turn = (size_t)s->dimension;
    double *at = q + s->wide * cell, spin[4] = {cos(0.5 * by), 0.0, 0.0, 0.0}, was[4], now[4];
    if (k < turn) {
        at[k] += by;
        return;
    }
    spin[turn == 3 ? k - 2 : 3] = sin(0.5 * by);
    carom_solid_quaternion(s, q, cell, was);
    carom_quat_product(spin, was, now);
    at[turn] = now[0];
    at[turn + 1] = now[turn == 3 ? 1 : 3];
    for (size_t i = 2; turn == 3 && i < 4; i++)
        at[turn + i] = now[i];
}

static void disturb(const struct carom_solid *s, double *q)
{
    struct carom_random random;
    carom_random_start(&random, 5);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->fast; k++)
            nudge(s, q, i, k, 0.01 * carom_random_normal(&random));
    for (size_t l = 0; l < s->nlinks; l++) {
        const double u = carom_random_uniform(&random);
        carom_solid_fracture_damage(s, q)[l] = u < 0.3 ? 0.0 : u > 0.7 ? 1.0 : u;
    }
}

/* self: cells meet each other, so that faces of links that are breaking push in their points */
static void test_slope(struct carom_solid *s, bool self)
{
    breakable(s, 1.0, 1.0, NULL);
    CHECK_OR_STOP(!self || carom_solid_self(s, true, NULL) == CAROM_OK);
    double *q = solid_rest(s), *f = carom_memory_zeroed(s->fast * s->n, sizeof *f), largest = 0.0, sum[3] = {0.0};
    CHECK_OR_STOP(f != NULL);
    disturb(s, q);
    solid_forces(s, NULL, 0.0, q, f, NULL);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < (size_t)s->dimension; k++) {
            largest = fmax(largest, fabs(f[s->fast * i + k]));
            sum[k] += f[s->fast * i + k];
        }
    for (size_t k = 0; k < 3; k++)
        CHECK_NEAR(sum[k], 0.0, 1e-12 * largest);
    for (size_t i = 0; i < s->n; i += s->n / 6)
        for (size_t k = 0; k < s->fast; k++) {
            double side[2], keep[7];
            memcpy(keep, q + s->wide * i, s->wide * sizeof *keep);
            for (int way = 0; way < 2; way++) {
                nudge(s, q, i, k, way == 0 ? -1e-6 : 1e-6);
                side[way] = solid_energy(s, 0.0, q);
                memcpy(q + s->wide * i, keep, s->wide * sizeof *keep);
            }
            CHECK_NEAR((side[0] - side[1]) / 2e-6, f[s->fast * i + k], 1e-6 * largest);
        }
    carom_memory_free(f);
    carom_memory_free(q);
    carom_solid_free(s);
}

/* whole links are those of the kernels of elastic bodies, to rounding */
static void test_whole(enum carom_solid_case kind)
{
    struct carom_solid *a = box(kind, 6, 5, 4, 1.2, 1.0), *b = box(kind, 6, 5, 4, 1.2, 1.0);
    breakable(b, 1.0, 0.0, NULL);
    double *q = solid_rest(b), *f = carom_memory_zeroed(2 * a->fast * a->n, sizeof *f), *g = f + a->fast * a->n;
    CHECK_OR_STOP(f != NULL);
    disturb(b, q);
    memset(carom_solid_fracture_damage(b, q), 0, b->nlinks * sizeof *q);
    solid_forces(a, NULL, 0.0, q, f, NULL);
    solid_forces(b, NULL, 0.0, q, g, NULL);
    for (size_t i = 0; i < a->fast * a->n; i++)
        CHECK_NEAR(f[i], g[i], 1e-14);
    CHECK_NEAR(solid_energy(a, 0.0, q), solid_energy(b, 0.0, q), 1e-13 * solid_energy(a, 0.0, q));
    carom_memory_free(f);
    carom_memory_free(q);
    carom_solid_free(a);
    carom_solid_free(b);
}

/* --- the law ------------------------------------------------------------------------------------------------------ */

/* all cells beyond x = 1/2 move away by `by` along x */
static void part(const struct carom_solid *s, double *q, double by)
{
    for (size_t i = 0; i < s->n; i++)
        q[s->wide * i] = s->centre[i][0] > 0.5 ? by : 0.0;
}

/* Two rigid halves drawn apart: what the links between them take is G_c times their area, in steps, and after that they
 * push but do not pull. One at a time: with a strength alone they break at once where it is reached. */
static void test_law(struct carom_solid *s, double area, double strength, double law)
{
    breakable(s, strength, law, NULL);
    double *q = solid_rest(s), taken = 0.0;
    bool any, ever = false;
    const double end = 2.2 * (law > 0.0 ? 2.0 * law / strength : strength * 0.4);
    for (int step = 1; step <= 2000; step++) {
        part(s, q, end * step / 2000.0);
        taken += tear(s, 0.0, q, &any);
        ever = ever || any;
    }
    CHECK(ever);
    CHECK_NEAR(carom_solid_fracture_area(s, q), area, 1e-9 * area);
    if (law > 0.0)
        CHECK_NEAR(taken, law * area, 0.01 * law * area);
    CHECK_NEAR(solid_energy(s, 0.0, q), 0.0, 1e-20);
    part(s, q, -0.01);
    CHECK(solid_energy(s, 0.0, q) > 0.0);
    part(s, q, 0.01);
    CHECK_NEAR(solid_energy(s, 0.0, q), 0.0, 1e-20);
    carom_memory_free(q);
    carom_solid_free(s);
}

/* A link that is pressed by `by`, bent by `turn` and then sheared, in so many steps: nothing jumps where the contact of
 * its faces takes over, so what breaking takes never falls. The pressure of cells without Poisson's ratio is the same
 * before and after, so they take G_c times the area. */
static double shear_off(enum carom_solid_case kind, double poisson, double turn, int steps)
{
    const struct carom_solid_material plain = {1.0, poisson, 1.0};
    const size_t count[3] = {2, 1, 1};
    const double size[3] = {1.0, 0.5, kind == CAROM_SOLID_SPACE ? 0.5 : 0.0}, law = 1e-12, area = 0.5;
    struct carom_solid *s = carom_solid_box(kind, count, size, origin, 1.0, &plain, NULL);
    CHECK_OR_STOP(s != NULL);
    breakable(s, 0.0, law, NULL);
    CHECK_OR_STOP(carom_solid_self(s, true, NULL) == CAROM_OK);
    double *q = solid_rest(s), taken = 0.0;
    bool any;
    nudge(s, q, 1, 0, -1e-6);
    nudge(s, q, 1, s->fast - 1, turn);
    for (int step = 1; step <= steps; step++) {
        nudge(s, q, 1, 1, 6e-6 / steps);
        taken += tear(s, 0.0, q, &any);
    }
    const double share = kind == CAROM_SOLID_SPACE ? 0.5 : 1.0;
    CHECK_NEAR(carom_solid_fracture_area(s, q), area * share, 1e-15);
    CHECK(solid_energy(s, 0.0, q) > 0.0);
    carom_memory_free(q);
    carom_solid_free(s);
    return taken / (law * area * share);
}

static void test_shear(enum carom_solid_case kind)
{
    double off[3];
    for (int k = 0; k < 3; k++)
        off[k] = fabs(shear_off(kind, 0.0, 0.0, 100 << 2 * k) - 1.0);
    printf("pressed and sheared in 100, 400, 1600 steps: off G_c by %.2e %.2e %.2e\n", off[0], off[1], off[2]);
    CHECK(off[1] < off[0] / 8.0 && off[2] < off[1] / 8.0 && off[2] < 2e-5);
    for (int turn = -4; turn <= 4; turn += 2) /* here a part of bending and pressure is lost, too */
        CHECK(shear_off(kind, 0.3, turn * 1e-6, 400) > 0.95);
}

/* --- statics ------------------------------------------------------------------------------------------------------ */

static void pull(struct carom_solid *s, enum carom_solid_side side, double low, double high, double force)
{
    uint32_t *face = carom_memory_zeroed(s->nfaces, sizeof *face);
    size_t count = 0;
    CHECK_OR_STOP(face != NULL);
    for (size_t f = 0; f < s->nfaces; f++) {
        const double y = s->centre[s->face[f].cell][1];
        if (s->face[f].side == (uint32_t)side && y > low && y < high)
            face[count++] = (uint32_t)f;
    }
    const struct carom_solid_load load = {.push = CAROM_SOLID_TRACTION,
                                          .vector = {0.0, force, 0.0},
                                          .signal = {.shape = CAROM_SHAPE_CONSTANT, .amplitude = 1.0},
                                          .count = count,
                                          .at = face};
    CHECK_OR_STOP(carom_solid_add_load(s, &load, NULL) == CAROM_OK);
    carom_memory_free(face);
}

/* elastic energy of a plate with a crack from the left, of this length, at half its height */
static double strained(size_t x, size_t y, double wide, double high, double crack, bool beam)
{
    struct carom_solid *s = box(CAROM_SOLID_STRESS, x, y, 1, wide, high);
    const double at[3] = {0.0, 0.5 * high, 0.0}, normal[3] = {0.0, 1.0, 0.0}, force = 1e-6;
    double to[2][3] = {{0.0, 0.0, 0.0}, {crack, high, 0.0}};
    uint32_t far = (uint32_t)(s->n / 2 + x - 1);
    const struct carom_solid_hold hold = {.mask = 39U, .count = 1, .cell = &far};
    CHECK_OR_STOP(carom_solid_add_hold(s, &hold, NULL) == CAROM_OK);
    breakable(s, 0.0, 1.0, NULL);
    CHECK(carom_solid_fracture_crack(s, at, normal, to) == (size_t)(crack / wide * (double)x + 0.5));
    pull(s, beam ? CAROM_SOLID_LEFT : CAROM_SOLID_TOP, 0.5 * high, high, force);
    pull(s, beam ? CAROM_SOLID_LEFT : CAROM_SOLID_BOTTOM, 0.0, 0.5 * high, -force);
    double *q = solid_rest(s);
    struct carom_error error = {CAROM_OK, ""};
    if (carom_solid_settle(s, 0.0, 1e-9, q, NULL, NULL, &error) != CAROM_OK)
        printf("%s\n", error.text);
    CHECK_OR_STOP(error.status == CAROM_OK);
    const double e = solid_energy(s, 0.0, q);
    carom_memory_free(q);
    carom_solid_free(s);
    return e;
}

/* G by the energy of cracks one cell longer and shorter, under constant loads, over the closed form */
static double release(size_t n, bool beam)
{
    const double wide = beam ? 8.0 : 4.0, high = beam ? 2.0 : 8.0, crack = beam ? 4.0 : 1.0, cell = 1.0 / (double)n;
    const size_t x = (size_t)wide * n, y = (size_t)high * n;
    const double rate =
        (strained(x, y, wide, high, crack + cell, beam) - strained(x, y, wide, high, crack - cell, beam)) /
        (2.0 * cell);
    const double part = crack / wide, ratio = 1.12 + part * (-0.231 + part * (10.55 + part * (-21.72 + part * 30.39)));
    const double arm = crack + 0.673; /* arms of height 1 that turn at their root */
    return rate / (beam ? 12e-12 * arm * arm : 1e-12 * 3.14159265358979 * crack * ratio * ratio);
}

static void test_release(void)
{
    double off[2][3];
    for (int beam = 0; beam < 2; beam++)
        for (size_t i = 0; i < 3; i++)
            off[beam][i] = release((size_t)2 << i, beam == 1) - 1.0;
    for (int beam = 0; beam < 2; beam++)
        printf("%s: G off by %.4f %.4f %.4f\n", beam ? "double cantilever beam" : "notched plate", off[beam][0],
               off[beam][1], off[beam][2]);
    for (size_t i = 0; i < 3; i++)
        CHECK(fabs(off[1][i]) < 0.01);
    CHECK(off[0][1] < 0.6 * off[0][0] && off[0][2] < 0.6 * off[0][1]);
    CHECK(off[0][2] > 0.0 && off[0][2] < 0.05);
}

static void test_refusals(void)
{
    static const struct carom_solid_fracture wrong[] = {{0.0, 0.0, 1.0},      {-1.0, 0.0, 1.0}, {0.0, -1.0, 1.0},
                                                        {1.0, 1.0, 0.0},      {1.0, 0.0, -1.0}, {HUGE_VAL, 0.0, 1.0},
                                                        {0.0, HUGE_VAL, 1.0}, {1.0, -1.0, 1.0}};
    struct carom_solid *s = box(CAROM_SOLID_SPACE, 2, 2, 2, 1.0, 1.0);
    struct carom_error error = {CAROM_OK, ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(carom_solid_fracture(s, &wrong[i], NULL, &error) == CAROM_E_INPUT);
    const struct carom_solid_fracture none = {nan(""), 0.0, 1.0}, good = {1.0, 0.0, 1.0};
    CHECK(carom_solid_fracture(s, &none, NULL, &error) == CAROM_E_INPUT);
    const struct carom_solid_plasticity law = {1.0, 0.0, 0.0, 0.0};
    CHECK(carom_solid_yield(s, &law, NULL) == CAROM_OK);
    CHECK(carom_solid_fracture(s, &good, NULL, &error) == CAROM_E_REFUSED && strstr(error.text, "plasticity"));
    carom_solid_free(s);
}

int main(void)
{
    const double cube[3] = {1.0, 1.0, 1.0};
    for (int self = 0; self < 2; self++) {
        test_slope(box(CAROM_SOLID_STRAIN, 6, 5, 1, 1.2, 1.0), self);
        test_slope(box(CAROM_SOLID_SPACE, 5, 4, 4, 1.2, 1.0), self);
        test_slope(solid_voronoi(cube, 100, 20, &glass), self);
    }
    test_whole(CAROM_SOLID_STRESS);
    test_whole(CAROM_SOLID_SPACE);
    for (size_t n = 2; n <= (size_t)check_take(4, 8); n *= 2) {
        test_law(box(CAROM_SOLID_STRESS, n, n, 1, 1.0, 1.0), 1.0, 0.001, 1e-5);
        test_law(box(CAROM_SOLID_SPACE, n, n, n, 1.0, 1.0), 1.0, 0.001, 1e-5);
    }
    test_law(box(CAROM_SOLID_STRESS, 4, 4, 1, 1.0, 1.0), 1.0, 0.001, 0.0);
    test_shear(CAROM_SOLID_STRESS);
    test_shear(CAROM_SOLID_SPACE);
    test_release();
    test_refusals();
    return check_end();
}
