/* Blows in a bounded number of steps (impact/blow_path.h), of random bodies in plane and space: e from 0 to 1, mu
 * from 0 to 2, springs and masses of all sizes. By Stronge's law nothing is created, cones hold, and where the path
 * has ended nothing approaches. In the plane it is that of impact/lzb_friction.h, in space it does not depend on how
 * tangents are chosen, and one contact that slips follows its hodograph. The seed is printed. */
#include <string.h>

#include "blow_graph.h"
#include "check.h"
#include "impact/blow_path.h"

enum { MOST = 6, BODIES = 4, WIDE = 3 * MOST };

struct set {
    size_t n, dim;
    double w[WIDE * WIDE], u[WIDE], e[MOST], k[MOST], p[MOST], mu[MOST];
    double after[WIDE], impulse[WIDE];
};

static bool follow(struct set *s, enum carom_lzb_friction_law law)
{
    size_t first[MOST + 1], column[MOST * MOST];
    double block[WIDE * WIDE];
    const size_t wide = s->n * s->dim;
    struct carom_blow_path path = {0};
    first[0] = 0;
    for (size_t i = 0; i < s->n; i++) {
        first[i + 1] = first[i] + s->n;
        for (size_t j = 0; j < s->n; j++) {
            column[i * s->n + j] = j;
            for (size_t k = 0; k < s->dim; k++)
                memcpy(block + ((i * s->n + j) * s->dim + k) * s->dim, s->w + (i * s->dim + k) * wide + j * s->dim,
                       s->dim * sizeof *block);
        }
    }
    memcpy(s->after, s->u, wide * sizeof *s->u);
    CHECK(carom_blow_path_reserve(&path, s->n));
    const struct carom_blow_path_problem of = {.n = s->n,
                                               .dim = s->dim,
                                               .first = first,
                                               .column = column,
                                               .block = block,
                                               .e = s->e,
                                               .k = s->k,
                                               .p = s->p,
                                               .mu = s->mu,
                                               .law = law,
                                               .u = s->after,
                                               .impulse = s->impulse};
    const bool ended = carom_blow_path_follow(&path, &of);
    carom_blow_path_close(&path);
    return ended;
}

static double slide_of(const struct set *s, const double *of, size_t i)
{
    const double y = s->dim == 3 ? of[i * s->dim + 2] : 0.0;
    return sqrt(of[i * s->dim + 1] * of[i * s->dim + 1] + y * y);
}

/* energy that was taken; `size`: what impulses did at most */
static double check_answer(const struct set *s, bool ended, double *size)
{
    const size_t wide = s->n * s->dim;
    double taken = 0.0, fast = 0.0, start = 0.0;
    *size = 0.0;
    for (size_t a = 0; a < wide; a++)
        fast = fmax(fast, fabs(s->u[a]));
    for (size_t a = 0; a < wide; a++) {
        double rate = s->u[a];
        for (size_t b = 0; b < wide; b++)
            rate += s->w[a * wide + b] * s->impulse[b];
        CHECK_NEAR(rate, s->after[a], 1e-9 * fast);
        taken -= 0.5 * s->impulse[a] * (s->u[a] + rate);
        *size += fabs(s->impulse[a] * s->u[a]);
    }
    for (size_t i = 0; i < s->n; i++) {
        const double in = fmin(s->u[i * s->dim], 0.0);
        start += 0.5 * in * in / s->w[i * s->dim * (wide + 1)];
    }
    for (size_t i = 0; i < s->n; i++) {
        const double in = fmin(s->after[i * s->dim], 0.0);
        CHECK(s->impulse[i * s->dim] >= 0.0);
        CHECK(slide_of(s, s->impulse, i) <= s->mu[i] * s->impulse[i * s->dim] * (1.0 + 1e-12));
        CHECK(!ended || 0.5 * s->e[i] * s->e[i] * in * in / s->w[i * s->dim * (wide + 1)] <= 1.1e-11 * start);
    }
    return taken;
}

/* contacts of random boxes, and laws of all sizes */
static void graph(struct carom_random *random, size_t n, size_t dim, double harsh, struct set *s)
{
    *s = (struct set){.n = n, .dim = dim};
    blow_graph_boxes(random, n, dim, BODIES, harsh, s->w, s->u);
    for (size_t i = 0; i < n; i++) {
        s->e[i] = carom_random_uniform(random) < 0.25 ? 0.0 : carom_random_uniform(random);
        s->e[i] = carom_random_uniform(random) < 0.1 ? 1.0 : s->e[i];
        s->k[i] = exp(harsh * 2.0 * carom_random_normal(random));
        s->p[i] = carom_random_uniform(random) < 0.5 ? 1.5 : 1.0 + carom_random_uniform(random);
        s->mu[i] = 2.0 * carom_random_uniform(random);
    }
}

static void check_graph(struct carom_random *random, size_t n, size_t dim, double harsh, size_t *unended)
{
    struct set s;
    double size;
    graph(random, n, dim, harsh, &s);
    for (int k = 0; k < 2; k++) {
        const bool ended = follow(&s, k ? CAROM_LZB_FRICTION_POISSON : CAROM_LZB_FRICTION_STRONGE);
        const double taken = check_answer(&s, ended, &size);
        CHECK(taken >= -1e-13 * size);
        *unended += k == 0 && !ended;
    }
}

/* the plane: as impact/lzb_friction.h has it */
static double off_plane(struct carom_random *random, size_t n, enum carom_lzb_friction_law law)
{
    struct set s = {.n = n, .dim = 2};
    double rate[MOST], slip[MOST], impulse[MOST], rub[MOST], lost[MOST], friction_loss[MOST], off = 0.0, most = 0.0;
    blow_graph(random, n, BODIES, s.w, rate, slip);
    for (size_t i = 0; i < n; i++) {
        s.u[2 * i] = rate[i];
        s.u[2 * i + 1] = slip[i];
        s.e[i] = 0.2 + 0.75 * carom_random_uniform(random);
        s.k[i] = exp(0.5 * carom_random_normal(random));
        s.p[i] = 1.5;
        s.mu[i] = 0.8 * carom_random_uniform(random);
    }
    struct carom_lzb_friction *path = carom_lzb_friction_create(n);
    const struct carom_lzb_friction_problem of = {.n = n,
                                                  .w = s.w,
                                                  .rate = rate,
                                                  .slip = slip,
                                                  .e = s.e,
                                                  .k = s.k,
                                                  .p = s.p,
                                                  .mu = s.mu,
                                                  .mu_static = s.mu,
                                                  .tol = 1e-8,
                                                  .impulse = impulse,
                                                  .rub = rub,
                                                  .lost = lost,
                                                  .friction_loss = friction_loss,
                                                  .law = law};
    struct carom_error error;
    if (carom_lzb_friction_solve(path, &of, &error) == CAROM_OK && follow(&s, law))
        for (size_t i = 0; i < n; i++) {
            off = fmax(off, fmax(fabs(s.impulse[2 * i] - impulse[i]), fabs(s.impulse[2 * i + 1] - rub[i])));
            most = fmax(most, impulse[i]);
        }
    carom_lzb_friction_free(path);
    return most > 0.0 ? off / most : 0.0;
}

/* space: tangents turned about their normals */
static double off_turned(struct carom_random *random, size_t n)
{
    struct set s, turned;
    double off = 0.0, most = 0.0, c[MOST], d[MOST];
    graph(random, n, 3, 0.3, &s);
    turned = s;
    const size_t wide = 3 * n;
    for (size_t i = 0; i < n; i++) {
        const double angle = 7.0 * carom_random_uniform(random);
        c[i] = cos(angle);
        d[i] = sin(angle);
        const size_t x = 3 * i + 1, y = x + 1;
        for (size_t b = 0; b <= wide; b++) { /* rows, then columns, then u */
            double *of[2][2] = {{&turned.w[x * wide + b % wide], &turned.w[y * wide + b % wide]},
                                {&turned.u[x], &turned.u[y]}};
            double **pair = of[b == wide];
            const double was[2] = {*pair[0], *pair[1]};
            *pair[0] = c[i] * was[0] + d[i] * was[1];
            *pair[1] = c[i] * was[1] - d[i] * was[0];
        }
        for (size_t b = 0; b < wide; b++) {
            double *row = turned.w + b * wide;
            const double was[2] = {row[x], row[y]};
            row[x] = c[i] * was[0] + d[i] * was[1];
            row[y] = c[i] * was[1] - d[i] * was[0];
        }
    }
    follow(&s, CAROM_LZB_FRICTION_STRONGE);
    follow(&turned, CAROM_LZB_FRICTION_STRONGE);
    for (size_t i = 0; i < n; i++) {
        const double *p = s.impulse + 3 * i, *q = turned.impulse + 3 * i;
        off = fmax(off, fabs(p[0] - q[0]) + fabs(p[1] - c[i] * q[1] + d[i] * q[2]));
        most = fmax(most, p[0]);
    }
    return most > 0.0 ? off / most : 0.0;
}

/* one contact in space: u' = A (1, -mu s / |s|) in the normal impulse, by many small steps of order 4 */
static void hodograph(const struct set *s, const double u[3], double du[3])
{
    const double slip = sqrt(u[1] * u[1] + u[2] * u[2]);
    const double r[3] = {1.0, -s->mu[0] * u[1] / slip, -s->mu[0] * u[2] / slip};
    for (size_t k = 0; k < 3; k++)
        du[k] = s->w[3 * k] * r[0] + s->w[3 * k + 1] * r[1] + s->w[3 * k + 2] * r[2];
}

static void rk4(const struct set *s, double h, double u[3])
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double slope[4][3], stage[3];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++)
            stage[k] = u[k] + (i > 0 ? at[i] * h * slope[i - 1][k] : 0.0);
        hodograph(s, stage, slope[i]);
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 4; i++)
            u[k] += h * weight[i] * slope[i][k];
}

static double off_hodograph(struct carom_random *random, size_t *compared)
{
    struct set s;
    double least = HUGE_VAL, p = 0.0;
    graph(random, 1, 3, 0.3, &s);
    s.u[0] = -1.0;
    s.mu[0] *= 0.2;
    s.u[1] *= 3.0;
    s.e[0] = fmax(s.e[0], 0.3);
    double u[3] = {s.u[0], s.u[1], s.u[2]}, work = 0.0, back = 0.0;
    const double h = 1e-4 / s.w[0];
    for (int step = 0; step < 200000; step++) {
        const double a = u[0];
        rk4(&s, h, u);
        const double done = -0.5 * h * (a + u[0]);
        work += a < 0.0 ? done : 0.0;
        back += a < 0.0 ? 0.0 : -done;
        p += h;
        least = fmin(least, u[1] * u[1] + u[2] * u[2]);
        if (a >= 0.0 && back >= s.e[0] * s.e[0] * work)
            break;
    }
    if (!(least > 0.01) || !follow(&s, CAROM_LZB_FRICTION_STRONGE))
        return 0.0;
    (*compared)++;
    double off = fabs(s.impulse[0] / p - 1.0);
    for (int k = 0; k < 3; k++)
        off = fmax(off, fabs(u[k] - s.after[k]));
    return off;
}

/* A box falls flat: both corners give the same, and nothing slips. */
static void check_flat(enum carom_lzb_friction_law law, double e, double mu)
{
    const double h[4][3] = {{0.0, 1.0, -1.0}, {1.0, 0.0, 0.5}, {0.0, 1.0, 1.0}, {1.0, 0.0, 0.5}};
    const double inverse[3] = {1.0, 1.0, 12.0 / 5.0};
    struct set s = {.n = 2, .dim = 2, .u = {-1.0, 0.0, -1.0}, .e = {e, e}, .k = {1.0, 1.0}, .p = {1.5, 1.5}};
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            for (size_t k = 0; k < 3; k++)
                s.w[4 * a + b] += h[a][k] * h[b][k] * inverse[k];
    s.mu[0] = s.mu[1] = mu;
    CHECK(follow(&s, law));
    for (size_t i = 0; i < 2; i++) {
        CHECK_NEAR(s.impulse[2 * i], 0.5 * (1.0 + e), 1e-5);
        CHECK_NEAR(s.impulse[2 * i + 1], 0.0, 1e-13);
    }
    CHECK_NEAR(s.impulse[0], s.impulse[2], 1e-13);
}

enum { TOWER = 60 };

/* Discs in touch fall on a floor without friction: W is 2 on its diagonal and -1 beside it, but 1 on the floor. With
 * e = 1 the pulse runs up to the last and back, and nothing is lost. */
static void check_tower(size_t n)
{
    size_t first[TOWER + 1] = {0}, column[3 * TOWER];
    double block[4 * 3 * TOWER] = {0.0}, one[TOWER], p[TOWER], none[TOWER] = {0.0}, u[2 * TOWER] = {-1.0};
    double impulse[2 * TOWER], taken = 0.0;
    struct carom_blow_path path = {0};
    for (size_t i = 0; i < n; i++) {
        first[i + 1] = first[i];
        for (size_t j = i > 0 ? i - 1 : 0; j < n && j <= i + 1; j++) {
            block[4 * first[i + 1]] = j != i ? -1.0 : i == 0 ? 1.0 : 2.0;
            column[first[i + 1]++] = j;
        }
        one[i] = 1.0;
        p[i] = 1.5;
    }
    CHECK(carom_blow_path_reserve(&path, n));
    CHECK(carom_blow_path_follow(&path, &(struct carom_blow_path_problem){.n = n,
                                                                          .dim = 2,
                                                                          .first = first,
                                                                          .column = column,
                                                                          .block = block,
                                                                          .e = one,
                                                                          .k = one,
                                                                          .p = p,
                                                                          .mu = none,
                                                                          .law = CAROM_LZB_FRICTION_STRONGE,
                                                                          .u = u,
                                                                          .impulse = impulse}));
    CHECK(path.left == 0.0);
    for (size_t i = 0; i < n; i++)
        taken -= 0.5 * impulse[2 * i] * (u[2 * i] - (i == 0));
    CHECK_NEAR(taken, 0.0, 1e-9 * (double)n);
    CHECK_NEAR(impulse[0], 2.0 * (double)n, 0.1 * (double)n);
    carom_blow_path_close(&path);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    size_t unended = 0, compared = 0;
    const int trials = check_take(40, 160), others = check_take(20, 60);
    double worst[4] = {0.0};
    carom_random_start(&random, check_seed(argc, argv));
    for (int trial = 0; trial < trials; trial++)
        check_graph(&random, 1 + carom_random_below(&random, MOST), 2 + (size_t)trial % 2, trial % 4 < 2 ? 0.3 : 2.0,
                    &unended);
    for (int trial = 0; trial < others; trial++) {
        const size_t n = 1 + carom_random_below(&random, 3);
        const double off = off_plane(&random, n, trial % 2 ? CAROM_LZB_FRICTION_POISSON : CAROM_LZB_FRICTION_STRONGE);
        worst[trial % 2] = fmax(worst[trial % 2], off);
        worst[2] = fmax(worst[2], off_turned(&random, n));
        worst[3] = fmax(worst[3], off_hodograph(&random, &compared));
    }
    for (int k = 0; k < 8; k++)
        check_flat(k % 2 ? CAROM_LZB_FRICTION_POISSON : CAROM_LZB_FRICTION_STRONGE, k < 4 ? 0.5 : 1.0,
                   k % 4 < 2 ? 0.3 : 2.0);
    check_tower(5);
    check_tower(30);
    if (check_takes_all())
        check_tower(TOWER);
    printf("%zu of %d without an end; plane %.1e %.1e, turned %.1e, hodograph %.1e of %zu\n", unended, trials, worst[0],
           worst[1], worst[2], worst[3], compared);
    CHECK(20 * unended < (size_t)trials && 3 * compared > (size_t)others);
    for (int k = 0; k < 4; k++)
        CHECK(worst[k] < (k == 2 ? 1e-9 : 3e-3));
    return check_end();
}
