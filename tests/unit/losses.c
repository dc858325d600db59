/* Which contacts a step of dp5 looks at more closely: those that are not clearly closed, clearly open or faint at both
 * of its ends. */
#include "scheme/compliant/losses.h"

#include "base/memory.h"
#include "base/random.h"
#include "check.h"

enum { MANY = 20001 };

static const double small = 1e-10;

/* the same in words of floating point */
static bool is_near(double d0, double d1)
{
    if (d0 > 0.0 && d1 > 0.0 && d0 < 2.0 * d1 && d1 < 2.0 * d0)
        return false;
    if (d0 < 0.0 && d1 < 0.0 && d0 > 1024.0 * d1 && d1 > 1024.0 * d0)
        return false;
    return !(fabs(d0) < small && fabs(d1) < small && (d0 > 0.0) == (d1 > 0.0));
}

/* of either sign, large or small, now and then nothing */
static double draw(struct carom_random *random)
{
    const double size = pow(10.0, -15.0 * carom_random_uniform(random)), kind = carom_random_uniform(random);
    return kind < 0.05 ? 0.0 : kind < 0.5 ? size : -size;
}

int main(int argc, char **argv)
{
    static double deform[MANY];
    static size_t list[MANY];
    struct carom_random random;
    struct carom_losses start;
    const struct carom_rates rates = {.deform = deform};
    carom_random_start(&random, check_seed(argc, argv));
    CHECK_OR_STOP(carom_losses_open(&start, MANY));
    start.small = small;
    for (size_t j = 0; j < MANY; j++) {
        start.deform[j] = draw(&random);
        deform[j] = j % 2 == 0 ? draw(&random) : start.deform[j] * (0.3 + 3.0 * carom_random_uniform(&random));
    }
    const double exact[][2] = {{1.0, 2.0}, {2.0, 1.0}, {-1.0, -1024.0}, {0.0, 0.0}, {0.0, 1e-12}, {-0.0, -1e-12}};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        start.deform[i] = exact[i][0];
        deform[i] = exact[i][1];
    }
    const size_t count = carom_losses_near(&start, &rates, 0, MANY, list);
    size_t next = 0;
    for (size_t j = 0; j < MANY; j++) {
        const bool listed = next < count && list[next] == j;
        CHECK(listed == is_near(start.deform[j], deform[j]));
        next += listed ? 1 : 0;
    }
    CHECK(next == count && count > MANY / 10 && count < MANY - MANY / 10);
    carom_losses_close(&start);
    return check_end();
}
