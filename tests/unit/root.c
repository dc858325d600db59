/* Brent's method: known roots, hard ones, and what it says when there is none. */
#include "solve/root.h"

#include "check.h"

static int calls;

static double cosine(void *own, double x)
{
    calls++;
    return cos(x) - x * *(const double *)own;
}

static double flat(void *own, double x)
{
    (void)own;
    calls++;
    const double y = x - 0.3;
    return y * y * y * y * y * y * y * y * y;
}

static double jump(void *own, double x)
{
    (void)own;
    calls++;
    return x < 1e-200 ? -1.0 : 1.0;
}

static double hole(void *own, double x)
{
    (void)own;
    return fabs(x) < 0.5 ? nan("") : x;
}

static bool above(void *own, double x)
{
    calls++;
    return x > *(const double *)own;
}

/* the place where no turns into yes, from above; no place at all leaves the end */
static void check_switch(void)
{
    double third = 1.0 / 3.0, none = 2.0;
    calls = 0;
    const double x = carom_root_switch(above, &third, 0.0, 1.0, 1e-15, 200);
    CHECK(x > third && x <= third + 1e-15);
    CHECK(calls == 50);
    CHECK(carom_root_switch(above, &none, 0.0, 1.0, 0.0, 200) == 1.0);
    CHECK_NEAR(carom_root_switch(above, &third, 0.0, 1.0, 0.0, 3), 0.375, 0.0);
}

int main(void)
{
    struct carom_error error = {.status = CAROM_OK};
    double one = 1.0, x = 0.0;
    CHECK_STATUS(carom_root_find(cosine, &one, 0.0, 1.0, 0.0, &x, &error), CAROM_OK);
    CHECK_NEAR(x, 0.73908513321516064166, 2e-16);
    CHECK(calls < 12);
    CHECK_STATUS(carom_root_find(cosine, &one, 1.0, 0.0, 1e-3, &x, &error), CAROM_OK);
    CHECK_NEAR(x, 0.73908513321516064166, 1e-3);
    calls = 0;
    CHECK_STATUS(carom_root_find(flat, NULL, -1.0, 7.0, 1e-9, &x, &error), CAROM_OK);
    CHECK_NEAR(x, 0.3, 1e-2);
    CHECK(calls < 300);
    calls = 0;
    CHECK_STATUS(carom_root_find(jump, NULL, -1.0, 1e300, 0.0, &x, &error), CAROM_OK);
    CHECK(x > -1e-199 && x < 2e-200);
    CHECK(calls < 4000);
    CHECK_STATUS(carom_root_find(cosine, &one, 1.0, 1.5, 0.0, &x, &error), CAROM_E_NUMERIC);
    CHECK_CONTAINS(error.text, "no change of sign between 1 and 1.5");
    CHECK_STATUS(carom_root_find(hole, NULL, -1.0, 1.0, 0.0, &x, &error), CAROM_E_NUMERIC);
    CHECK_CONTAINS(error.text, "no value");
    CHECK_STATUS(carom_root_find(hole, NULL, 0.0, 1.0, 0.0, &x, NULL), CAROM_E_NUMERIC);
    CHECK_NEAR(carom_root_near(cosine, &one, 0.0, 1.0, 0.0), 0.73908513321516064166, 2e-16);
    CHECK(carom_root_near(cosine, &one, 1.0, 1.5, 0.0) == 1.5);
    CHECK(carom_root_near(hole, NULL, -1.0, 1.0, 0.0) == 1.0);
    check_switch();
    return check_end();
}
