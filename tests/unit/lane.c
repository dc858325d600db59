/* Lanes do to the bit what single numbers do, NaN, infinities and signed zeros included. */
#include "base/lane.h"

#include "base/random.h"
#include "check.h"

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* numbers of all sizes, and now and then one that is none */
static double draw(struct carom_random *random)
{
    static const double odd[] = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, 1e-310};
    const size_t pick = (size_t)carom_random_below(random, 12);
    return pick < 5 ? odd[pick] : pick == 5 ? nan("") : carom_random_normal(random);
}

/* each lane by itself; sizes as integers let a NaN win */
static void check_lanes(carom_lane a, carom_lane b)
{
    const carom_lane_mask less = a < b, sizes = carom_lane_larger((carom_lane_mask)carom_lane_abs(a), b);
    const carom_lane where = carom_lane_where(less, a), pick = carom_lane_pick(less, a, b), size = carom_lane_abs(a);
    const carom_lane max = carom_lane_max(a, b), min = carom_lane_min(a, b), positive = carom_lane_positive(a);
    const carom_lane root = carom_lane_sqrt(positive), worst = (carom_lane)sizes;
    for (size_t l = 0; l < CAROM_LANES; l++) {
        const double x = a[l], y = b[l];
        CHECK(same(where[l], x < y ? x : 0.0) && same(pick[l], x < y ? x : y));
        CHECK(same(max[l], x > y ? x : y) && same(min[l], x < y ? x : y));
        CHECK(same(size[l], fabs(x)) && same(positive[l], x > 0.0 ? x : 0.0) && same(root[l], sqrt(positive[l])));
        CHECK(isnan(x) || isnan(y) ? isnan(worst[l]) : worst[l] == fmax(fabs(x), fabs(y)));
    }
    const double largest = carom_lane_largest(sizes);
    CHECK(isnan(worst[0]) || isnan(worst[1]) ? isnan(largest) : largest == fmax(worst[0], worst[1]));
}

/* what moves numbers from lane to lane */
static void check_places(void)
{
    const double from[4] = {1.0, 2.0, 3.0, 4.0};
    const carom_lane a = carom_lane_load(from), b = carom_lane_load(from + 2), swapped = carom_lane_swap(a);
    const carom_lane between = carom_lane_between(a, b), first = carom_lane_first(a, b),
                     second = carom_lane_second(a, b);
    CHECK(swapped[0] == 2.0 && swapped[1] == 1.0 && between[0] == 2.0 && between[1] == 3.0);
    CHECK(first[0] == 1.0 && first[1] == 3.0 && second[0] == 2.0 && second[1] == 4.0);
    const carom_lane x[6] = {a, b, a + 4.0, b + 4.0, a + 8.0, b + 8.0};
    for (size_t l = 0; l < CAROM_LANES; l++) {
        double f[6] = {10.0, 20.0, 30.0, 40.0, 50.0, 60.0};
        carom_lane_onto_six(f, x, l);
        for (size_t k = 0; k < 6; k++)
            CHECK(f[k] == 10.0 * (double)(k + 1) + x[k][l]);
        carom_lane_off_six(f, x, l);
        for (size_t k = 0; k < 6; k++)
            CHECK(f[k] == 10.0 * (double)(k + 1));
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (int trial = 0; trial < 2000; trial++) {
        const carom_lane a = {draw(&random), draw(&random)}, b = {draw(&random), draw(&random)};
        check_lanes(a, b);
    }
    check_places();
    return check_end();
}
