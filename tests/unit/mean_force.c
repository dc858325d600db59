/* The mean force of a contact over a step is its energy's change over its way, of every law and at every distance of
 * both ends, and its slope is the derivative. */
#include "scheme/mean_force.h"
#include "carom/law.h"
#include "check.h"

/* a contact at an overlap */
struct end {
    double deform, elastic, slope, energy;
};

static struct end at(const struct carom_law *law, const double *const *param, double deform)
{
    struct end e = {.deform = deform};
    law->evaluate(&(struct carom_batch){
        .n = 1, .param = param, .deform = &e.deform, .elastic = &e.elastic, .slope = &e.slope, .energy = &e.energy});
    return e;
}

static double mean(const struct carom_law *law, const double *const *param, double d0, double d1, double *slope)
{
    const struct end a = at(law, param, d0), b = at(law, param, d1);
    const struct carom_mean_end start = {&a.deform, &a.elastic, &a.slope, &a.energy},
                                end = {&b.deform, &b.elastic, &b.slope, &b.energy};
    double found;
    carom_mean_force(law, param, 1, &start, &end, &found, slope);
    return found;
}

static void test_law(const struct carom_law *law, double a, double b, double c, double d)
{
    const double *const param[] = {&a, &b, &c, &d};
    static const double ends[][2] = {{0.3, 0.7}, {0.7, 0.3},      {-0.2, 0.5}, {0.5, -0.2}, {0.0, 0.4},
                                     {0.4, 0.0}, {0.5, 0.500001}, {0.5, 0.51}, {1e-9, 0.3}, {0.5, 0.5}};
    double slope, near;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const double d0 = ends[i][0], d1 = ends[i][1], way = d1 - d0, step = 1e-6;
        const double found = mean(law, param, d0, d1, &slope);
        const double change = at(law, param, d1).energy - at(law, param, d0).energy;
        CHECK_NEAR(found * way, change, 4e-16);
        if (way == 0.0)
            CHECK_NEAR(found, at(law, param, d0).elastic, 1e-15);
        const double by_difference =
            (mean(law, param, d0, d1 + step, &near) - mean(law, param, d0, d1 - step, &near)) / (2.0 * step);
        CHECK(slope >= 0.0);
        CHECK_NEAR(slope, by_difference, fabs(way) < 0.02 ? 2e-2 : 1e-3);
    }
    CHECK(mean(law, param, -0.1, -0.2, &slope) == 0.0 && slope == 0.0);
    CHECK(mean(law, param, 0.0, 0.0, &slope) == 0.0 && slope == 0.0);
    CHECK(mean(law, param, 0.0, -1.0, &slope) == 0.0 && slope == 0.0);
}

int main(void)
{
    test_law(&carom_law_hertz, 1.3, 0.0, 0.0, 0.0);
    test_law(&carom_law_kuwabara_kono, 0.8, 0.1, 0.0, 0.0);
    test_law(&carom_law_hertz_dashpot, 0.8, 0.1, 0.0, 0.0);
    test_law(&carom_law_linear_dashpot, 1.0, 0.1, 0.0, 0.0);
    test_law(&carom_law_hunt_crossley, 1.0, 1.5, 0.1, 0.0);
    test_law(&carom_law_hunt_crossley, 1.0, 1.9, 0.1, 0.0);
    test_law(&carom_law_power, 1.0, 2.4, 0.1, 1.3);
    return check_end();
}
