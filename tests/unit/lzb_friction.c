/* Impact lzb with friction: one contact against the straight pieces of Stronge's law and against Routh's closed form of
 * an oblique blow; random graphs of contacts: nothing is created, cones hold, nothing approaches any more, and the
 * answer does not depend on the tolerance; without friction the same as impact lzb. */
#include "impact/lzb_friction.h"

#include "blow_graph.h"
#include "scheme/rigid/moreau/moreau_blow.h"
#include "springy.h"

enum { MOST = 8, BODIES = 5 };

struct set {
    struct carom_lzb_friction_problem of;
    double w[4 * MOST * MOST], rate[MOST], slip[MOST], e[MOST], k[MOST], p[MOST], mu[MOST];
    double impulse[MOST], rub[MOST], lost[MOST], friction_loss[MOST];
};

static void point(struct set *s, size_t n, double tol)
{
    s->of = (struct carom_lzb_friction_problem){n,
                                                s->w,
                                                s->rate,
                                                s->slip,
                                                s->e,
                                                s->k,
                                                s->p,
                                                s->mu,
                                                s->mu,
                                                tol,
                                                s->impulse,
                                                s->rub,
                                                s->lost,
                                                s->friction_loss,
                                                CAROM_LZB_FRICTION_STRONGE,
                                                NULL,
                                                false};
}

static void solve(struct set *s, size_t n, double tol)
{
    struct carom_lzb_friction *rub = carom_lzb_friction_create(MOST);
    struct carom_error error;
    point(s, n, tol);
    CHECK_STATUS(carom_lzb_friction_solve(rub, &s->of, &error), CAROM_OK);
    carom_lzb_friction_free(rub);
}

/* W of one contact: positive, with normal and tangent coupled as those of a rod are */
static void one(struct carom_random *random, struct set *s)
{
    const double lever = carom_random_normal(random), height = carom_random_normal(random);
    const double inertia = 0.1 + carom_random_uniform(random);
    s->w[0] = 1.0 + lever * lever / inertia;
    s->w[1] = s->w[2] = lever * height / inertia;
    s->w[3] = 1.0 + height * height / inertia;
    s->rate[0] = -0.1 - carom_random_uniform(random);
    s->slip[0] = carom_random_normal(random);
    s->e[0] = carom_random_uniform(random);
    s->k[0] = exp(5.0 * carom_random_normal(random));
    s->p[0] = 1.0 + carom_random_uniform(random);
    s->mu[0] = carom_random_uniform(random);
}

static void check_one(struct carom_random *random)
{
    struct set s;
    double r[2];
    one(random, &s);
    const double u[2] = {s.rate[0], s.slip[0]};
    double taken;
    if (!carom_moreau_blow(CAROM_MOREAU_STRONGE, s.w, u, s.mu[0], s.e[0], r, &taken))
        return;
    solve(&s, 1, 1e-10);
    CHECK_NEAR(s.impulse[0] / r[0], 1.0, 1e-8);
    CHECK_NEAR(s.rub[0] / r[0], r[1] / r[0], 1e-8);
}

/* Routh: a blow without coupling of normal and tangent, P = (1 + e) |rate| / W, and the slip is stopped or it is not */
static void check_routh(double slip, double mu, double e)
{
    struct set s = {.w = {2.0, 0.0, 0.0, 3.0}, .rate = {-1.0}, .k = {1e6}, .p = {1.5}};
    s.slip[0] = slip;
    s.e[0] = e;
    s.mu[0] = mu;
    solve(&s, 1, 1e-11);
    const double normal = (1.0 + e) / 2.0, most = mu * normal, stops = slip / 3.0;
    CHECK_NEAR(s.impulse[0], normal, 1e-9);
    CHECK_NEAR(s.rub[0], -fmin(most, stops), 1e-9);
    CHECK_NEAR(s.lost[0], 0.25 * (1.0 - e * e), 1e-9);
    CHECK_NEAR(s.friction_loss[0], fmin(most, stops) * (slip - 1.5 * fmin(most, stops)), 1e-9);
}

/* Without friction one contact leaves with e times its approach by either law, however coarse its path may be. */
static void check_plain(struct carom_random *random, enum carom_lzb_friction_law law, double tol)
{
    struct set s;
    struct carom_error error;
    struct carom_lzb_friction *rub = carom_lzb_friction_create(MOST);
    one(random, &s);
    s.mu[0] = 0.0;
    point(&s, 1, tol);
    s.of.law = law;
    CHECK_STATUS(carom_lzb_friction_solve(rub, &s.of, &error), CAROM_OK);
    const double before = -s.rate[0], after = s.rate[0] + s.w[0] * s.impulse[0];
    CHECK_NEAR(after / before, s.e[0], 1e-13);
    CHECK_NEAR(s.lost[0], 0.5 * (before * before - after * after) / s.w[0], 1e-13 * before * before / s.w[0]);
    CHECK(s.rub[0] == 0.0 && s.friction_loss[0] == 0.0);
    carom_lzb_friction_free(rub);
}

static void graph(struct carom_random *random, size_t n, struct set *s)
{
    blow_graph(random, n, BODIES, s->w, s->rate, s->slip);
    for (size_t i = 0; i < n; i++) {
        s->e[i] = carom_random_uniform(random);
        s->k[i] = exp(2.0 * carom_random_normal(random));
        s->p[i] = 1.5;
        s->mu[i] = 0.8 * carom_random_uniform(random);
    }
}

static double rate_after(const struct set *s, size_t n, size_t row)
{
    double rate = row % 2 ? s->slip[row / 2] : s->rate[row / 2];
    for (size_t j = 0; j < n; j++)
        rate += s->w[row * 2 * n + 2 * j] * s->impulse[j] + s->w[row * 2 * n + 2 * j + 1] * s->rub[j];
    return rate;
}

/* Two discs that slide on a floor and all but rest on it: impulses go with the approach, and slips stay. Steps as
 * large as slips allow once ran to numbers that are none. */
static void check_slow(double approach)
{
    struct set s = {.w = {11, 0, -9.73, -2.31, 0, 33, 2.31, 10.27, -9.73, 2.31, 10, 0, -2.31, 10.27, 0, 30},
                    .rate = {-approach, 0.0},
                    .slip = {1.1, -1.0},
                    .k = {1.0, 1.0},
                    .p = {1.5, 1.5},
                    .mu = {0.1, 0.1}};
    solve(&s, 2, 1e-8);
    for (size_t i = 0; i < 2; i++) {
        CHECK(s.impulse[i] > 0.01 * approach && s.impulse[i] < 10.0 * approach);
        CHECK_NEAR(fabs(s.rub[i]) / s.impulse[i], 0.1, 1e-6);
        CHECK(rate_after(&s, 2, 2 * i) > -1e-5 * approach);
    }
}

static void check_graph(struct carom_random *random, size_t n)
{
    struct set s, coarse;
    double taken = 0.0, change = 0.0, pressed = 0.0;
    graph(random, n, &s);
    coarse = s;
    solve(&s, n, 1e-9);
    solve(&coarse, n, 1e-6);
    for (size_t i = 0; i < n; i++) {
        CHECK(s.impulse[i] >= 0.0 && fabs(s.rub[i]) <= s.mu[i] * s.impulse[i] * (1.0 + 1e-9) + 1e-12);
        CHECK(rate_after(&s, n, 2 * i) > -1e-6);
        CHECK(s.friction_loss[i] >= -1e-9);
        pressed += s.impulse[i];
        taken += s.lost[i] + s.friction_loss[i];
        change -= 0.5 * s.impulse[i] * (s.rate[i] + rate_after(&s, n, 2 * i)) +
                  0.5 * s.rub[i] * (s.slip[i] + rate_after(&s, n, 2 * i + 1));
        CHECK_NEAR(rate_after(&s, n, 2 * i), rate_after(&coarse, n, 2 * i), 1e-3);
    }
    CHECK(taken >= -1e-9);
    CHECK_NEAR(taken, change, 1e-11 * (1.0 + pressed));
}

/* three balls in a row, without friction */
static void check_row(void)
{
    const double masses[3] = {1.0, 1.0, 1.0}, e[2] = {0.8, 0.6}, k[2] = {1.0, 3.0}, p[2] = {1.5, 1.5};
    const double v[3] = {1.0, 0.0, 0.0};
    const struct carom_lzb_options fine = {.impact_tol = 1e-10, .impact_work = 200.0};
    struct carom_model *model = springy_row(3, false, false, masses, e, k, p);
    struct springy_blow blow = {0};
    struct set s = {.w = {2, 0, -1, 0, 0, 1, 0, 0, -1, 0, 2, 0, 0, 0, 0, 1}, .rate = {-1.0, 0.0}};
    memcpy(s.e, e, sizeof e);
    memcpy(s.k, k, sizeof k);
    memcpy(s.p, p, sizeof p);
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &blow, NULL), CAROM_OK);
    solve(&s, 2, 1e-10);
    CHECK_NEAR(1.0 - s.impulse[0], blow.after[0], 1e-8);
    CHECK_NEAR(s.impulse[1], blow.after[2], 1e-8);
    carom_model_free(model);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (int trial = 0; trial < 300; trial++)
        check_one(&random);
    for (double tol = 1e-3; tol > 1e-9; tol *= 0.1) {
        check_plain(&random, CAROM_LZB_FRICTION_STRONGE, tol);
        check_plain(&random, CAROM_LZB_FRICTION_POISSON, tol);
    }
    check_routh(1.0, 0.1, 0.5);
    check_routh(0.2, 0.5, 0.5);
    check_routh(0.2, 0.5, 0.0);
    for (int trial = 0; trial < 40; trial++)
        check_graph(&random, 2 + carom_random_below(&random, MOST - 1));
    check_slow(1.0);
    check_slow(1e-9);
    check_row();
    return check_end();
}
