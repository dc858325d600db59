/* Least squares: a straight line against its closed form, a curve with known least point, bounds, numbers that
 * cannot be had, chi-square against known values; searches find what they should. */
#include "solve/least_squares.h"

#include "base/random.h"
#include "check.h"
#include "solve/search.h"

enum { M = 40 };

struct line {
    double t[M], y[M];
    bool curve;   /* a exp(-b t) instead of a + b t */
    double cliff; /* no a above it has an answer, unless it is 0 */
    size_t calls;
};

static double model(const struct line *l, const double *x, double t)
{
    return l->curve ? x[0] * exp(-x[1] * t) : x[0] + x[1] * t;
}

static enum carom_status residuals(void *own, size_t count, const double *x, double *r, struct carom_error *error)
{
    struct line *l = own;
    (void)error;
    for (size_t k = 0; k < count; k++, l->calls++)
        for (size_t i = 0; i < M; i++)
            r[k * M + i] = l->cliff > 0.0 && x[2 * k] > l->cliff ? nan("") : model(l, x + 2 * k, l->t[i]) - l->y[i];
    return CAROM_OK;
}

static const double none[] = {-HUGE_VAL, -HUGE_VAL}, all[] = {HUGE_VAL, HUGE_VAL}, step[] = {1e-5, 1e-5};

static void fill(struct line *l, bool curve, double a, double b, double noise, uint64_t seed)
{
    struct carom_random random;
    const double x[] = {a, b};
    carom_random_start(&random, seed);
    *l = (struct line){.curve = curve};
    for (size_t i = 0; i < M; i++) {
        l->t[i] = 0.1 * (double)i;
        l->y[i] = model(l, x, l->t[i]) + noise * carom_random_normal(&random);
    }
}

static struct carom_least_squares problem_of(struct line *l, const double *low, double goal)
{
    return (struct carom_least_squares){.n = 2,
                                        .m = M,
                                        .low = low,
                                        .high = all,
                                        .step = step,
                                        .goal = goal,
                                        .most = 50,
                                        .residuals = residuals,
                                        .own = l};
}

static void test_line(void)
{
    struct line l;
    struct carom_least_squares_result found;
    struct carom_error error = {CAROM_OK, ""};
    double x[] = {5.0, -3.0}, st = 0.0, stt = 0.0, sy = 0.0, sty = 0.0;
    fill(&l, false, 2.0, 0.5, 0.1, 7);
    for (size_t i = 0; i < M; i++) {
        st += l.t[i];
        stt += l.t[i] * l.t[i];
        sy += l.y[i];
        sty += l.t[i] * l.y[i];
    }
    const double det = M * stt - st * st, b = (M * sty - st * sy) / det, a = (sy - b * st) / M;
    const struct carom_least_squares problem = problem_of(&l, none, 1e-6);
    CHECK(carom_least_squares_run(&problem, x, &found, &error) == CAROM_OK && found.converged);
    CHECK_NEAR(x[0], a, 1e-8);
    CHECK_NEAR(x[1], b, 1e-8);
    const double variance = found.sum / (M - 2);
    CHECK_NEAR(found.variance * found.inverse[0], variance * stt / det, 1e-6 * variance);
    CHECK_NEAR(found.variance * found.inverse[3], variance * M / det, 1e-6 * variance);
    CHECK_NEAR(found.variance * found.inverse[1], -variance * st / det, 1e-6 * variance);
    /* bounds hold, and a number at its bound has no uncertainty */
    const double low[] = {2.5, -HUGE_VAL};
    const struct carom_least_squares bounded = problem_of(&l, low, 1e-6);
    x[0] = 3.0;
    CHECK(carom_least_squares_run(&bounded, x, &found, &error) == CAROM_OK);
    CHECK(x[0] == 2.5 && found.fixed[0] && !found.fixed[1] && isnan(found.variance * found.inverse[0]) &&
          found.variance * found.inverse[3] > 0.0);
    CHECK_NEAR(x[1], (sty - 2.5 * st) / stt, 1e-8);
    CHECK_NEAR(found.variance * found.inverse[3], found.sum / (M - 1) / stt, 1e-6 * variance);
    /* residuals that are in units of their deviation say nothing of it */
    struct carom_least_squares scaled = problem_of(&l, none, 1e-6);
    scaled.scaled = true;
    CHECK(carom_least_squares_run(&scaled, x, &found, &error) == CAROM_OK && found.converged);
    CHECK_NEAR(found.variance * found.inverse[0], stt / det, 1e-6);
    CHECK_NEAR(found.variance * found.inverse[3], M / det, 1e-6);
}

/* a goal is a part of the standard errors: how many steps a curve takes to it */
static void test_goal(void)
{
    static const double goals[] = {1.0, 1e-3, 1e-9};
    static const size_t steps[] = {4, 5, 8};
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        struct line l;
        struct carom_least_squares_result found;
        double x[] = {1.0, 0.2};
        fill(&l, true, 3.0, 1.25, 0.05, 3);
        const struct carom_least_squares problem = problem_of(&l, none, goals[i]);
        CHECK(carom_least_squares_run(&problem, x, &found, NULL) == CAROM_OK && found.converged);
        CHECK_NEAR((double)found.iterations, (double)steps[i], 0.0);
    }
}

static void test_curve(void)
{
    struct line l;
    struct carom_least_squares_result found;
    struct carom_error error = {CAROM_OK, ""};
    double x[] = {1.0, 0.2};
    fill(&l, true, 3.0, 1.25, 0.0, 1);
    const struct carom_least_squares problem = problem_of(&l, none, 1e-3);
    CHECK(carom_least_squares_run(&problem, x, &found, &error) == CAROM_OK);
    CHECK_NEAR(x[0], 3.0, 1e-7);
    CHECK_NEAR(x[1], 1.25, 1e-7);
}

/* where only one side of a number has an answer, that side will do */
static void test_cliff(void)
{
    struct line l;
    struct carom_least_squares_result found;
    struct carom_error error = {CAROM_OK, ""};
    double x[] = {2.0, 0.5};
    fill(&l, false, 2.0, 0.5, 0.0, 1);
    l.cliff = 2.0; /* where it starts, and should stay */
    const struct carom_least_squares problem = problem_of(&l, none, 1e-3);
    CHECK_STATUS(carom_least_squares_run(&problem, x, &found, &error), CAROM_OK);
    CHECK(found.converged && x[0] == 2.0 && x[1] == 0.5);
}

static enum carom_status poor(void *own, size_t count, const double *x, double *r, struct carom_error *error)
{
    const int how = *(int *)own;
    (void)error;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < M; i++)
            r[k * M + i] = how == 0   ? x[2 * k] * (double)i - 1.0                  /* the second has no influence */
                           : how == 1 ? (x[2 * k] + x[2 * k + 1]) * (double)i - 1.0 /* only their sum */
                           : how == 2 ? nan("")
                                      : x[2 * k] * (double)i - 1.0 + 1e-6 * cos(1e9 * x[2 * k + 1]); /* by chance */
    return CAROM_OK;
}

static void test_poor(void)
{
    double off[M];
    for (size_t i = 0; i < M; i++)
        off[i] = 1e-5;
    for (int how = 0; how < 4; how++) {
        struct carom_least_squares_result found;
        struct carom_error error = {CAROM_OK, ""};
        double x[] = {1.0, 1.0};
        const struct carom_least_squares problem = {.n = 2,
                                                    .m = M,
                                                    .low = none,
                                                    .high = all,
                                                    .step = step,
                                                    .error = how == 3 ? off : NULL,
                                                    .noise = 1e-8,
                                                    .goal = 1e-3,
                                                    .most = 20,
                                                    .residuals = poor,
                                                    .own = &how};
        CHECK(carom_least_squares_run(&problem, x, &found, &error) == CAROM_E_NUMERIC);
        CHECK((how != 0 && how != 3) || found.idle == 1);
        CHECK(how != 1 || (found.ntwins == 2 && found.twins[0] == 0 && found.twins[1] == 1));
        CHECK(error.text[0] != '\0');
    }
}

static void test_probability(void)
{
    CHECK_NEAR(carom_least_squares_probability(3.841458820694124, 1.0), 0.05, 1e-12);
    CHECK_NEAR(carom_least_squares_probability(2.0 * log(20.0), 2.0), 0.05, 1e-14);
    CHECK_NEAR(carom_least_squares_probability(18.307038053275146, 10.0), 0.05, 1e-12);
    CHECK_NEAR(carom_least_squares_probability(3.9402991361190622, 10.0), 0.95, 1e-12);
    CHECK_NEAR(carom_least_squares_probability(1000.0, 1000.0), 0.4941, 1e-3);
    CHECK(carom_least_squares_probability(0.0, 5.0) == 1.0 && isnan(carom_least_squares_probability(1.0, 0.0)));
    /* half the quantiles of Student's t */
    CHECK_NEAR(carom_least_squares_widening(1.0), 6.98386509974931, 1e-9);
    CHECK_NEAR(carom_least_squares_widening(2.0), 2.263268343856554, 1e-9);
    CHECK_NEAR(carom_least_squares_widening(10.5), 1.1342510590289518, 1e-9);
    CHECK_NEAR(carom_least_squares_widening(1e5), 1.0000125001531266, 1e-9);
    CHECK(carom_least_squares_widening(HUGE_VAL) == 1.0 && isnan(carom_least_squares_widening(0.0)));
}

static bool valley(void *own, const double *x, double *value)
{
    size_t *calls = own;
    const double a = 1.0 - x[0], b = x[1] - x[0] * x[0];
    *value = a * a + 10.0 * b * b + 0.3 * (1.0 - cos(9.0 * a)); /* with lesser lows beside the least */
    return ++*calls != 1000;
}

static void test_search(void)
{
    size_t calls = 0;
    const double low[] = {-2.0, -2.0}, high[] = {2.5, 3.0}, first[] = {0.1, 0.1};
    double x[] = {1.1, 0.8};
    struct carom_error error = {CAROM_OK, ""};
    struct carom_search search = {2, low, high, first, 1e-5, 400, valley, &calls};
    if (!carom_search_available()) {
        CHECK(carom_search_run(&search, false, x, &error) == CAROM_E_REFUSED && strstr(error.text, "NLopt") != NULL);
        return;
    }
    CHECK(carom_search_run(&search, false, x, &error) == CAROM_OK && calls < 400);
    CHECK_NEAR(x[0], 1.0, 1e-4);
    CHECK_NEAR(x[1], 1.0, 1e-4);
    calls = 0;
    CHECK(carom_search_run(&search, true, x, &error) == CAROM_OK);
    CHECK_NEAR(x[0], 1.0, 0.05);
    CHECK_NEAR(x[1], 1.0, 0.1);
    calls = 990; /* told to stop */
    CHECK(carom_search_run(&search, true, x, &error) == CAROM_E_STOPPED);
}

int main(void)
{
    test_line();
    test_goal();
    test_curve();
    test_cliff();
    test_poor();
    test_probability();
    test_search();
    return check_end();
}
