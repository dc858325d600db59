/* The pass of a look at a plain row tells the same contacts as one question after the other does, in registers of any
 * width and for any number of contacts, and fills the same overlaps. */
#include "sim/swings/swings_pass.h"

#include "base/random.h"
#include "check.h"

enum { MOST = 150 };

static double q[MOST + 1], gap[MOST], before[MOST], middle[MOST], deep[MOST], now[MOST];

static const struct carom_swings_question ask = {
    .q = q, .gap = gap, .before = before, .middle = middle, .deep = deep, .now = now, .rise = 0.3, .above = 0.4};

/* One in so many is open. */
static void draw(struct carom_random *random, size_t n, size_t open)
{
    q[n] = carom_random_normal(random);
    for (size_t k = n; k-- > 0;) {
        const double d = carom_random_below(random, open) == 0 ? 0.0 : 1.0 + carom_random_uniform(random);
        gap[k] = carom_random_normal(random);
        q[k] = q[k + 1] + gap[k] + d;
        middle[k] = 1.0 + carom_random_uniform(random);
        before[k] = 1.0 + carom_random_uniform(random);
        deep[k] = 1.0 + carom_random_uniform(random);
    }
}

static bool turned(size_t k)
{
    const double d = q[k] - q[k + 1] - gap[k], grew = middle[k] - before[k], grows = d - middle[k];
    return d <= 0.0 || (grows <= ask.rise * grew && ask.above * (grows - grew) - middle[k] + deep[k] < 0.0);
}

static void check_list(const size_t *list, size_t count, size_t n)
{
    size_t told = 0;
    for (size_t k = 0; k < n; k++) {
        CHECK(now[k] == q[k] - q[k + 1] - gap[k]);
        const bool listed = told < count && list[told] == k;
        told += listed ? 1 : 0;
        CHECK(listed == turned(k) || (listed && n < 4)); /* of fewer than a register holds all are told */
        now[k] = nan("");
    }
    CHECK(told == count);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (size_t n = 0; n <= MOST; n++)
        for (size_t open = 2; open < 2000; open *= 10) {
            size_t list[MOST];
            draw(&random, n, open);
            check_list(list, pass(&ask, n, list), n);
            if (carom_swings_pass_wide())
                check_list(list, carom_swings_pass_wide()(&ask, n, list), n);
        }
    return check_end();
}
