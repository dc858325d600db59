/* Every allocation of packings and of bodies that settle fails once: an error in words, nothing leaks (the sanitizers
 * watch), and the next attempt goes well. */
#include "bodies.h"
#include "model/place/packing.h"
#include "model/place/place_settle.h"

enum { N = 200 };

static void check_packing(enum carom_packing kind)
{
    const struct carom_place_region box = {.surface = CAROM_BOX, .size = {10.0, 10.0, 10.0}};
    double radius[N], centre[N][3];
    unsigned long nth = 1;
    for (size_t i = 0; i < N; i++)
        radius[i] = 1.0;
    for (bool good = false; !good && nth < 100; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        good = carom_packing_place(kind, 3, &box, N, radius, 1, NULL, centre, &error) == CAROM_OK;
        carom_memory_fail(0);
        CHECK(good ? error.status == CAROM_OK : error.status == CAROM_E_MEMORY && error.text[0] != '\0');
    }
    CHECK(nth > 5 && nth < 100);
}

static void check_settle(void)
{
    struct carom_bodies *b = bodies_of(2, 3, 0, &carom_law_hertz, CAROM_END_GAP, (double[]){1e6});
    unsigned long nth = 1;
    for (size_t i = 0; i < 3; i++)
        bodies_ball(b, i, 1.0, 1.0, 2.0 * (double)i, 0.0, 0.0);
    b->body[0].fixed = true;
    b->gravity[0] = -1.0;
    CHECK_STATUS(carom_bodies_finish(b, NULL), CAROM_OK);
    for (bool good = false; !good && nth < 200; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        double q[15];
        carom_bodies_rest(b, q);
        carom_memory_fail(nth);
        good = carom_place_settle(b, q, 1e-12, NULL, &error) == CAROM_OK;
        carom_memory_fail(0);
        CHECK(good ? error.status == CAROM_OK : error.status == CAROM_E_MEMORY && error.text[0] != '\0');
    }
    CHECK(nth > 5 && nth < 200);
    carom_bodies_free(b);
}

int main(void)
{
    check_packing(CAROM_PACKING_LOOSE);
    check_packing(CAROM_PACKING_DENSE);
    check_settle();
    return check_end();
}
