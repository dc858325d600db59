/* Packings that cannot be, in words; small ones; volumes of regions. */
#include "model/place/packing.h"

#include "check.h"

enum { MOST = 2000 };

static double radii[MOST], places[MOST][3];

static const char *refused(enum carom_packing kind, size_t dimension, const struct carom_place_region *region, size_t n)
{
    static struct carom_error error;
    error = (struct carom_error){CAROM_OK, ""};
    CHECK_STATUS(carom_packing_place(kind, dimension, region, n, radii, 1, NULL, places, &error), CAROM_E_INPUT);
    return error.text;
}

static void set_radii(double radius)
{
    for (size_t i = 0; i < MOST; i++)
        radii[i] = radius;
}

static void test_volume(void)
{
    const double pi = 3.14159265358979323846;
    const struct carom_place_region box = {.surface = CAROM_BOX, .size = {1.0, 2.0, 3.0}},
                                    ball = {.surface = CAROM_BALL, .radius = 2.0},
                                    cylinder = {.surface = CAROM_CYLINDER, .size = {2.0, 0.0, 3.0}};
    CHECK_NEAR(carom_place_volume(2, &box), 8.0, 0.0);
    CHECK_NEAR(carom_place_volume(3, &box), 48.0, 0.0);
    CHECK_NEAR(carom_place_volume(2, &ball), 4.0 * pi, 1e-14);
    CHECK_NEAR(carom_place_volume(3, &ball), 32.0 / 3.0 * pi, 1e-13);
    CHECK_NEAR(carom_place_volume(3, &cylinder), 24.0 * pi, 1e-13);
}

/* what is too much is told together with what was reached */
static void test_too_many(void)
{
    struct carom_place_region box = {.surface = CAROM_BOX, .size = {8.0, 8.0, 8.0}};
    set_radii(0.9); /* 1.0 would be 4.19 each of 4096 */
    const size_t half = 671, most = 400;
    double asked, reached;
    const char *text = refused(CAROM_PACKING_LOOSE, 3, &box, half);
    CHECK_CONTAINS(text, "would fill 0.5002 of its region");
    CHECK_CONTAINS(text, "ask for less, or for a dense one");
    CHECK_CONTAINS(refused(CAROM_PACKING_DENSE, 3, &box, 1500), "1500 balls would fill 1.118 of their region");
    set_radii(1.22149);
    text = refused(CAROM_PACKING_DENSE, 3, &box, most);
    CHECK(sscanf(text, "a dense packing of 400 balls would fill %lf of its region, and they jam: %lf was reached",
                 &asked, &reached) == 2);
    CHECK_NEAR(asked, 0.7455, 1e-4);
    CHECK(reached > 0.5 && reached < 0.66); /* walls on all sides */
    box.periodic[0] = box.periodic[1] = box.periodic[2] = true;
    text = refused(CAROM_PACKING_DENSE, 3, &box, most);
    CHECK(sscanf(text, "a dense packing of 400 balls would fill %lf of its region, and they jam: %lf was reached",
                 &asked, &reached) == 2);
    CHECK(reached > 0.62 && reached < 0.67);
}

static void test_bad_input(void)
{
    struct carom_place_region box = {.surface = CAROM_BOX, .size = {2.0, 2.0, 2.0}},
                              ball = {.surface = CAROM_BALL, .radius = 1.0, .periodic = {true, false, false}};
    set_radii(1.0);
    box.periodic[1] = true;
    CHECK_CONTAINS(refused(CAROM_PACKING_LOOSE, 3, &box, 1), "a joined side must be four of the largest diameters");
    CHECK_CONTAINS(refused(CAROM_PACKING_LOOSE, 3, &ball, 1), "only a box that is not turned");
    ball.periodic[0] = box.periodic[1] = false;
    CHECK_CONTAINS(refused(CAROM_PACKING_DENSE, 2, &ball, 1), "has no room in the region");
    radii[1] = -1.0;
    CHECK_CONTAINS(refused(CAROM_PACKING_LOOSE, 2, &box, 2), "ball 2 of a packing: its radius must be positive");
    box.size[0] = 0.0;
    CHECK_CONTAINS(refused(CAROM_PACKING_LOOSE, 2, &box, 1), "must have a size above 0");
}

static bool never(void *own, double done)
{
    ++*(int *)own;
    CHECK(done >= 0.0 && done <= 1.0);
    return false;
}

static void test_small(void)
{
    const struct carom_place_region box = {.surface = CAROM_BOX, .size = {8.0, 8.0, 8.0}};
    struct carom_error error = {CAROM_OK, ""};
    int calls = 0;
    const struct carom_progress stop = {never, &calls};
    set_radii(1.0);
    for (enum carom_packing kind = CAROM_PACKING_LOOSE; kind <= CAROM_PACKING_DENSE; kind++) {
        CHECK_STATUS(carom_packing_place(kind, 2, &box, 0, radii, 1, NULL, places, &error), CAROM_OK);
        CHECK_STATUS(carom_packing_place(kind, 2, &box, 1, radii, 1, NULL, places, &error), CAROM_OK);
        CHECK(fabs(places[0][0]) <= 7.0 && fabs(places[0][1]) <= 7.0 && places[0][2] == 0.0);
        CHECK_STATUS(carom_packing_place(kind, 2, &box, 30, radii, 1, &stop, places, &error), CAROM_E_STOPPED);
    }
    CHECK(calls == 2);
}

/* numbered anew, the same balls stand where they stood, and followers are near: a grid of 32 x 32 in rows is left at
 * each step of a number by less than two on the average */
static void test_order(void)
{
    enum { SIDE = 32, N = SIDE * SIDE };
    double way = 0.0, sum = 0.0;
    for (size_t i = 0; i < N; i++) {
        const size_t at = i * 389 % N; /* all over the place */
        places[i][0] = (double)(at % SIDE) - 7.0;
        places[i][1] = (double)(at / SIDE);
        places[i][2] = 0.0;
        radii[i] = places[i][0] + 100.0 * places[i][1];
    }
    CHECK(carom_place_order(2, N, places, radii));
    for (size_t i = 0; i < N; i++) {
        CHECK_NEAR(radii[i], places[i][0] + 100.0 * places[i][1], 0.0);
        sum += radii[i];
        way += i > 0 ? hypot(places[i][0] - places[i - 1][0], places[i][1] - places[i - 1][1]) : 0.0;
    }
    CHECK_NEAR(sum, N * (8.5 + 1550.0), 1e-6);
    CHECK(way < 2.0 * N);
    CHECK(carom_place_order(3, 0, places, radii));
}

int main(void)
{
    test_order();
    test_volume();
    test_too_many();
    test_bad_input();
    test_small();
    return check_end();
}
