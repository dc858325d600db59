/* Blows of several contacts in the plane along the path of their impulses, by Stronge and Poisson: of one contact the
 * straight pieces of the closed forms, of several that do not know of each other each of them; of random graphs of
 * bodies nothing is created where e is that of works, cones hold and nothing approaches any more. The seed is
 * printed. */
#include "blow_graph.h"
#include "check.h"
#include "impact/lzb_friction.h"
#include "scheme/rigid/moreau/moreau_blow.h"

enum { MOST = 6, BODIES = 4 };

struct set {
    size_t n;
    double w[4 * MOST * MOST], rate[MOST], slip[MOST], e[MOST], k[MOST], p[MOST], mu[MOST];
    double impulse[MOST], rub[MOST], lost[MOST], friction_loss[MOST];
};

static enum carom_status solve(struct set *s, enum carom_lzb_friction_law law, double tol)
{
    struct carom_lzb_friction *path = carom_lzb_friction_create(MOST);
    const struct carom_lzb_friction_problem of = {.n = s->n,
                                                  .w = s->w,
                                                  .rate = s->rate,
                                                  .slip = s->slip,
                                                  .e = s->e,
                                                  .k = s->k,
                                                  .p = s->p,
                                                  .mu = s->mu,
                                                  .mu_static = s->mu,
                                                  .tol = tol,
                                                  .impulse = s->impulse,
                                                  .rub = s->rub,
                                                  .lost = s->lost,
                                                  .friction_loss = s->friction_loss,
                                                  .law = law};
    struct carom_error error;
    const enum carom_status status = carom_lzb_friction_solve(path, &of, &error);
    CHECK_STATUS(status, CAROM_OK);
    carom_lzb_friction_free(path);
    return status;
}

static void graph(struct carom_random *random, size_t n, struct set *s)
{
    *s = (struct set){.n = n};
    blow_graph(random, n, BODIES, s->w, s->rate, s->slip);
    for (size_t i = 0; i < n; i++) {
        s->e[i] = carom_random_uniform(random);
        s->k[i] = exp(2.0 * carom_random_normal(random));
        s->p[i] = 1.0 + carom_random_uniform(random);
        s->mu[i] = 0.8 * carom_random_uniform(random);
    }
}

/* the rate, or the slip, of contact i after */
static double after(const struct set *s, size_t i, bool slip)
{
    const double *row = s->w + (2 * i + slip) * 2 * s->n;
    double rate = slip ? s->slip[i] : s->rate[i];
    for (size_t j = 0; j < s->n; j++)
        rate += row[2 * j] * s->impulse[j] + row[2 * j + 1] * s->rub[j];
    return rate;
}

/* what both laws keep; returns the energy that was taken */
static double check_answer(const struct set *s)
{
    double taken = 0.0, change = 0.0, pressed = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        CHECK(s->impulse[i] >= 0.0 && fabs(s->rub[i]) <= s->mu[i] * s->impulse[i] * (1.0 + 1e-9) + 1e-12);
        CHECK(after(s, i, false) > -1e-6);
        CHECK(s->friction_loss[i] >= -1e-9);
        pressed += s->impulse[i];
        taken += s->lost[i] + s->friction_loss[i];
        change -= 0.5 * s->impulse[i] * (s->rate[i] + after(s, i, false)) +
                  0.5 * s->rub[i] * (s->slip[i] + after(s, i, true));
    }
    CHECK_NEAR(taken, change, 1e-10 * (1.0 + pressed));
    return taken;
}

static void check_graph(struct carom_random *random, size_t n)
{
    struct set s;
    graph(random, n, &s);
    if (solve(&s, CAROM_LZB_FRICTION_STRONGE, 1e-8) == CAROM_OK)
        CHECK(check_answer(&s) >= -1e-9);
    if (solve(&s, CAROM_LZB_FRICTION_POISSON, 1e-8) == CAROM_OK)
        check_answer(&s);
}

/* several that do not know of each other: each is struck as if it were alone */
static void check_apart(struct carom_random *random)
{
    struct set s = {.n = MOST}, one[MOST];
    for (size_t i = 0; i < MOST; i++) {
        graph(random, 1, &one[i]);
        s.rate[i] = one[i].rate[0];
        s.slip[i] = one[i].slip[0];
        s.e[i] = one[i].e[0] = 0.1 + 0.9 * one[i].e[0]; /* among several e below 1e-3 counts as that */
        s.k[i] = one[i].k[0];
        s.p[i] = one[i].p[0];
        s.mu[i] = one[i].mu[0];
        for (size_t a = 0; a < 4; a++)
            s.w[(2 * i + a / 2) * 2 * MOST + 2 * i + a % 2] = one[i].w[a];
    }
    for (int law = 0; law < 2; law++) {
        solve(&s, law ? CAROM_LZB_FRICTION_POISSON : CAROM_LZB_FRICTION_STRONGE, 1e-10);
        for (size_t i = 0; i < MOST; i++) {
            solve(&one[i], law ? CAROM_LZB_FRICTION_POISSON : CAROM_LZB_FRICTION_STRONGE, 1e-10);
            CHECK_NEAR(s.impulse[i], one[i].impulse[0], 1e-7);
            CHECK_NEAR(s.rub[i], one[i].rub[0], 1e-7);
        }
    }
}

/* one contact in the plane: both laws are straight pieces, whatever k */
static void check_pieces(struct carom_random *random)
{
    struct set s;
    double r[2];
    graph(random, 1, &s);
    s.rate[0] = -0.1 - fabs(s.rate[0]);
    for (int law = 0; law < 2; law++) {
        const double u[2] = {s.rate[0], s.slip[0]};
        double taken;
        if (!carom_moreau_blow(law ? CAROM_MOREAU_POISSON : CAROM_MOREAU_STRONGE, s.w, u, s.mu[0], s.e[0], r, &taken))
            continue;
        solve(&s, law ? CAROM_LZB_FRICTION_POISSON : CAROM_LZB_FRICTION_STRONGE, 1e-10);
        CHECK_NEAR(s.impulse[0] / r[0], 1.0, 1e-8);
        CHECK_NEAR(s.rub[0] / r[0], r[1] / r[0], 1e-8);
        CHECK_NEAR(s.lost[0], taken, 1e-7 * r[0] * (fabs(u[0]) + s.w[0] * r[0]));
        CHECK(law || taken >= 0.0);
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (int trial = 0; trial < 100; trial++)
        check_pieces(&random);
    for (int trial = 0; trial < 30; trial++)
        check_graph(&random, 1 + carom_random_below(&random, MOST));
    for (int trial = 0; trial < 5; trial++)
        check_apart(&random);
    return check_end();
}
