/* The step controller: the step it proposes errs by what is allowed, bounds hold, and errors that are 0, infinite or no
 * number lead to the longest and the shortest step. */
#include "solve/control.h"

#include "base/random.h"
#include "check.h"

/* errors c h^5, 1 allowed: safety aside, the proposed step errs by exactly that */
static void check_aim(double c, double h)
{
    const double error = c * pow(h, 5.0);
    const struct carom_control plain = {.safety = 1.0, .power = -0.2, .most = HUGE_VAL};
    const struct carom_control turned = {.safety = 1.0, .power = 0.2, .most = HUGE_VAL};
    const struct carom_control careful = {.safety = 0.9, .power = -0.2, .most = HUGE_VAL};
    const double factor = carom_control_factor(&plain, error);
    CHECK_NEAR(c * pow(factor * h, 5.0), 1.0, 1e-12);
    CHECK_NEAR(carom_control_factor(&turned, 1.0 / error) / factor, 1.0, 1e-14);
    CHECK_NEAR(carom_control_factor(&careful, error) / factor, 0.9, 1e-14);
}

static void check_bounds(double power)
{
    const struct carom_control control = {.safety = 0.9, .power = power, .least = 0.2, .most = 5.0};
    const double none = power < 0.0 ? 0.0 : HUGE_VAL, endless = power < 0.0 ? HUGE_VAL : 0.0;
    CHECK(carom_control_factor(&control, none) == 5.0);
    CHECK(carom_control_factor(&control, endless) == 0.2);
    CHECK(carom_control_factor(&control, nan("")) == 0.2);
    CHECK(carom_control_factor(&control, 1.0) == 0.9);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (int trial = 0; trial < 100; trial++)
        check_aim(exp(10.0 * carom_random_normal(&random)), exp(carom_random_normal(&random)));
    check_bounds(-0.2);
    check_bounds(0.2);
    return check_end();
}
