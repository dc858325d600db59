/* Meeting times of groups that move on parabolas and oscillations: against a fine search, at touch, when grazing. */
#include "scheme/rigid/event_motion.h"
#include "base/random.h"
#include "check.h"

static double value(const struct carom_event_gap *g, double t)
{
    return g->y0 + (carom_event_motion_place(&g->right, t) - carom_event_motion_place(&g->left, t));
}

/* first zero by small steps and halving */
static double search(const struct carom_event_gap *g, double limit)
{
    const double step = limit / 40000.0;
    for (double t = step; t < limit; t += step) {
        if (value(g, t) > 0.0)
            continue;
        double low = t - step, high = t;
        for (int i = 0; i < 60; i++) {
            const double middle = 0.5 * (low + high);
            if (value(g, middle) > 0.0)
                low = middle;
            else
                high = middle;
        }
        return high;
    }
    return HUGE_VAL;
}

static struct carom_event_motion random_motion(struct carom_random *random, int kind)
{
    struct carom_event_motion m = {2.0 * carom_random_uniform(random) - 1.0, 2.0 * carom_random_uniform(random) - 1.0,
                                   kind == 1   ? 1.5
                                   : kind == 2 ? 0.2 + 3.0 * carom_random_uniform(random)
                                               : 0.0};
    return kind == 3 ? (struct carom_event_motion){0.0, 0.0, 0.0} : m;
}

static void check_random(struct carom_random *random)
{
    size_t found = 0;
    for (int trial = 0; trial < 400; trial++) {
        struct carom_event_gap g = {.y0 = trial % 3 == 0 ? 0.0 : carom_random_uniform(random),
                                    .left = random_motion(random, (int)carom_random_below(random, 4)),
                                    .right = random_motion(random, (int)carom_random_below(random, 4))};
        if (g.y0 == 0.0 && g.right.v < g.left.v) { /* it opens */
            const struct carom_event_motion hold = g.left;
            g.left = g.right;
            g.right = hold;
        }
        g.r = g.right.v - g.left.v;
        g.a = g.right.a - g.left.a;
        if (g.y0 == 0.0 && g.r < 0.05)
            continue;
        const double limit = 8.0, t = carom_event_motion_meet(&g, limit), slow = search(&g, limit);
        if (slow < limit && fabs(value(&g, slow)) < 1e-9 && t == HUGE_VAL) {
            /* a graze that rounding decides */
            CHECK(fabs(carom_event_motion_speed(&g.right, slow) - carom_event_motion_speed(&g.left, slow)) < 1e-5);
            continue;
        }
        if (slow == HUGE_VAL && t < limit) /* a dip that the search stepped over, or the very end */
            CHECK(value(&g, t) < 1e-6);
        else
            CHECK_NEAR(t, slow, 1e-7);
        found += t < limit ? 1 : 0;
        if (t < limit)
            CHECK_NEAR(value(&g, t), 0.0, 1e-14 * (1.0 + t * t));
    }
    CHECK(found > 100);
}

/* short flights keep their digits: t = 2 r / |a| to rounding, however small */
static void check_short(void)
{
    for (double r = 1e-3; r > 1e-12; r *= 0.1) {
        const struct carom_event_gap parabola = {.r = r, .a = -10.0, .right = {r, -10.0, 0.0}};
        const struct carom_event_gap swing = {.r = r, .a = -0.2, .right = {r, -0.2, 1.0}};
        CHECK_NEAR(carom_event_motion_meet(&parabola, 1.0), r / 5.0, 1e-15 * r);
        CHECK_NEAR(carom_event_motion_meet(&swing, 10.0), 2.0 * atan2(r, 0.2), 1e-15 * r / 0.2);
        const struct carom_event_gap other = {
            .r = r, .a = -0.3, .left = {1.0, 0.1, 0.7}, .right = {1.0 + r, -0.2, 1.0}};
        CHECK_NEAR(carom_event_motion_meet(&other, 10.0), r / 0.15, 40.0 * r * r + 1e-14); /* rounding of v = 1 */
    }
}

/* no closing: parting, standing still, moving alike, turning back in time */
static void check_none(void)
{
    const struct carom_event_gap parting = {.y0 = 1.0, .r = 1.0, .a = 0.0, .right = {1.0, 0.0, 0.0}};
    const struct carom_event_gap still = {.y0 = 1.0};
    const struct carom_event_gap alike = {.left = {1.0, -1.0, 2.0}, .right = {1.0, -1.0, 2.0}};
    const struct carom_event_gap turning = {.y0 = 1.0, .r = -1.0, .a = 1.0, .right = {-1.0, 1.0, 0.0}};
    const struct carom_event_gap swing = {.y0 = 1.1, .r = -1.0, .a = 0.0, .right = {-1.0, 0.0, 1.0}};
    CHECK(carom_event_motion_meet(&parting, 1e9) == HUGE_VAL);
    CHECK(carom_event_motion_meet(&still, 1e9) == HUGE_VAL);
    CHECK(carom_event_motion_meet(&alike, 1e9) == HUGE_VAL);
    CHECK(carom_event_motion_meet(&turning, 1e9) == HUGE_VAL);
    CHECK(carom_event_motion_meet(&swing, 1e9) == HUGE_VAL);
    const struct carom_event_gap late = {.y0 = 1.0, .r = -1.0, .a = 0.0, .right = {-1.0, 0.0, 0.0}};
    CHECK(carom_event_motion_meet(&late, 0.999) == HUGE_VAL);
    CHECK_NEAR(carom_event_motion_meet(&late, 1.001), 1.0, 0.0);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    check_random(&random);
    check_short();
    check_none();
    return check_end();
}
