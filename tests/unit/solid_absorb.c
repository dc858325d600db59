/* Absorbing sides: a beam of waves leaves behind what dashpots leave in closed form (solid_beams_long has the others);
 * the ledger closes; order 2 in time; the same bits for any number of threads; general cells; what is refused. */
#include <string.h>

#include "beams.h"

/* a strip between two planes of symmetry (bits 1 and 5: y and the turn of a plane body), one end of which absorbs */
static struct carom_solid *strip(size_t length, double nu)
{
    const struct carom_solid_material kind = {1.0, nu, 1.0};
    const size_t count[3] = {length, 2, 1};
    const double size[3] = {(double)length, 2.0, 0.0}, origin[3] = {0.0, 0.0, 0.0};
    struct carom_solid *s = carom_solid_box(CAROM_SOLID_STRAIN, count, size, origin, 1.0, &kind, NULL);
    CHECK_OR_STOP(s != NULL);
    CHECK_OR_STOP(carom_solid_absorb(s, CAROM_SOLID_RIGHT, NULL) == CAROM_OK);
    uint32_t *cell = carom_memory_zeroed(s->n, sizeof *cell);
    CHECK_OR_STOP(cell != NULL);
    for (size_t i = 0; i < s->n; i++)
        cell[i] = (uint32_t)i;
    const struct carom_solid_hold hold = {.mask = 34U, .count = s->n, .cell = cell};
    CHECK_OR_STOP(carom_solid_add_hold(s, &hold, NULL) == CAROM_OK);
    carom_memory_free(cell);
    return s;
}

/* a hump of `width` cells runs out; the energy that is left, and where the ledger stands */
static double hump(size_t length, double width, double step, double until, struct carom_threads *threads,
                   uint64_t *hash, double *residual)
{
    struct carom_solid *s = strip(length, 0.25);
    struct flight t;
    flight_open(&t, s, step, threads);
    for (size_t i = 0; i < s->n; i++) {
        const double x = (s->centre[i][0] - 0.5 * (double)length) / width, size = 1e-6 * exp(-0.5 * x * x);
        t.state->q[4 * i] = size;
        t.state->v[3 * i] = sqrt(1.2) * size * x / width;
    }
    CHECK_OR_STOP(carom_scheme_rattle.start(t.stepper, t.state, NULL) == CAROM_OK);
    struct carom_ledger ledger = ledger_of(&t);
    t.state->energy = ledger.kinetic + ledger.stored;
    fly(&t, until);
    ledger = ledger_of(&t);
    const double left = (ledger.kinetic + ledger.stored) / t.state->energy;
    if (hash)
        *hash = carom_state_hash(t.state);
    if (residual)
        *residual = fabs(ledger.residual) / t.state->energy;
    flight_free(&t);
    return left;
}

/* the part of a plane P wave's amplitude that comes back from the side, with `length` cells to the wave */
static double echo(double nu, double length)
{
    const double width = 2.5 * length, start = 8.0 * width, end = 18.0 * width, k = 2.0 * pi / length;
    struct carom_solid *s = strip((size_t)end, nu);
    struct flight t;
    double speed, slow, energy[2] = {0.0, 0.0};
    flight_open(&t, s, 0.5, NULL);
    carom_solid_speeds(s, 0, &speed, &slow);
    for (size_t i = 0; i < s->n; i++) {
        const double x = s->centre[i][0] - start, size = 1e-6 * exp(-0.5 * x * x / (width * width));
        t.state->q[4 * i] = size * cos(k * x);
        t.state->v[3 * i] = speed * k * size * sin(k * x);
    }
    CHECK_OR_STOP(carom_scheme_rattle.start(t.stepper, t.state, NULL) == CAROM_OK);
    for (int after = 0; after < 2; after++) { /* what goes the other way from the start does not come so far */
        if (after)                            /* groups of waves are slower by up to a sixth */
            fly(&t, floor((end - start + 2.6 * width) / (0.82 * speed)));
        carom_scheme_rattle.sync(t.stepper, t.state, t.view);
        for (size_t i = 0; i < s->n; i++)
            if (!after || s->centre[i][0] > start + 2.5 * width)
                energy[after] += carom_solid_inertia(s, i, 0) * t.view->v[3 * i] * t.view->v[3 * i];
    }
    flight_free(&t);
    return sqrt(energy[1] / energy[0]);
}

static void test_echoes(void)
{
    static const double nu[] = {0.0, 0.25, 0.4};
    for (size_t i = 0; i < sizeof nu / sizeof *nu; i++) {
        const double left = echo(nu[i], 10.0);
        printf("nu %g, ten cells: %.4f of a P wave comes back\n", nu[i], left);
        CHECK(left < 0.01);
    }
}

static void test_steps(void)
{
    double coarse, fine;
    const double far = sqrt(hump(80, 4.0, 0.5, 70.0, NULL, NULL, NULL));
    const double near = sqrt(hump(160, 8.0, 0.5, 140.0, NULL, NULL, NULL));
    CHECK(near < 0.02 && near < far / 2.9);        /* of second order in the cells */
    hump(80, 4.0, 0.4, 40.0, NULL, NULL, &coarse); /* half of it has left */
    hump(80, 4.0, 0.1, 40.0, NULL, NULL, &fine);
    CHECK(fine < coarse / 12.0);                               /* and in the step */
    CHECK(hump(80, 4.0, 0.99, 70.0, NULL, NULL, NULL) < 1e-3); /* dashpots do not lower the stable step */
}

static void test_threads(void)
{
    struct carom_threads *threads = carom_threads_create(2);
    uint64_t one, two;
    CHECK_OR_STOP(threads != NULL);
    hump(600, 8.0, 0.5, 300.0, NULL, &one, NULL);
    hump(600, 8.0, 0.5, 300.0, threads, &two, NULL);
    CHECK(one == two);
    carom_threads_free(threads);
}

/* a bar of Voronoi cells along which a slow hump runs out */
static void test_cells(void)
{
    const struct carom_solid_material soft = {1.0, 0.0, 1.0};
    struct carom_solid *s = solid_voronoi((const double[3]){12.0, 2.0, 2.0}, 400, 20, &soft);
    CHECK_OR_STOP(carom_solid_absorb(s, CAROM_SOLID_RIGHT, NULL) == CAROM_OK);
    struct flight t;
    flight_open(&t, s, 0.5, NULL);
    for (size_t i = 0; i < s->n; i++) {
        const double x = (s->centre[i][0] - 6.0) / 1.5, size = 1e-6 * exp(-0.5 * x * x);
        t.state->q[7 * i] = size;
        t.state->v[6 * i] = size * x / 1.5;
    }
    CHECK_OR_STOP(carom_scheme_rattle.start(t.stepper, t.state, NULL) == CAROM_OK);
    struct carom_ledger ledger = ledger_of(&t);
    t.state->energy = ledger.kinetic + ledger.stored;
    fly(&t, 12.0);
    ledger = ledger_of(&t);
    CHECK((ledger.kinetic + ledger.stored) / t.state->energy < 0.05 * 0.05);
    CHECK(fabs(ledger.residual) < 2e-3 * t.state->energy);
    flight_free(&t);
}

static void test_refusals(void)
{
    const size_t count[3] = {4, 1, 1};
    const double size[3] = {4.0, 1.0, 0.0}, origin[3] = {0.0, 0.0, 0.0};
    struct carom_error error = {CAROM_OK, ""};
    struct carom_solid *s = carom_solid_box(CAROM_SOLID_STRAIN, count, size, origin, 1.0, &rock, NULL);
    CHECK_OR_STOP(s != NULL);
    CHECK(carom_solid_absorb(s, CAROM_SOLID_TOP, &error) == CAROM_E_INPUT && strstr(error.text, "two cells"));
    CHECK(carom_solid_absorb(s, CAROM_SOLID_FRONT, &error) == CAROM_E_INPUT && strstr(error.text, "no such side"));
    CHECK(carom_solid_absorb(s, CAROM_SOLID_LEFT, &error) == CAROM_OK);
    CHECK(carom_solid_absorb(s, CAROM_SOLID_LEFT, &error) == CAROM_E_INPUT && strstr(error.text, "twice"));
    carom_solid_free(s);
}

int main(void)
{
    test_echoes();
    beams_check(2, 3);
    test_steps();
    test_threads();
    test_cells();
    test_refusals();
    return check_end();
}
