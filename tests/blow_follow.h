/* Blows with friction along the path of their impulses (impact/lzb_friction.h), followed, and what holds of all of
 * them: cones, nothing approaches any more, energies close and none is created. */
#ifndef CAROM_TESTS_BLOW_FOLLOW_H
#define CAROM_TESTS_BLOW_FOLLOW_H

#include <math.h>

#include "check.h"
#include "impact/lzb_friction.h"

enum { MOST = 8, WIDE = 3 * MOST };

struct blow {
    size_t n, ways;
    double tilt; /* of contacts that hold each other, which are taken for level: none of their work is known better */
    double w[WIDE * WIDE], rate[MOST], slip[2 * MOST], e[MOST], k[MOST], p[MOST], mu[MOST], mu_static[MOST];
    double impulse[MOST], rub[2 * MOST], lost[MOST], friction_loss[MOST];
};

static inline bool follow(struct blow *s, enum carom_lzb_friction_law law, double tol)
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
                                                  .mu_static = s->mu_static,
                                                  .tol = tol,
                                                  .impulse = s->impulse,
                                                  .rub = s->rub,
                                                  .lost = s->lost,
                                                  .friction_loss = s->friction_loss,
                                                  .law = law,
                                                  .space = s->ways == 2};
    struct carom_error error;
    const enum carom_status status = carom_lzb_friction_solve(path, &of, &error);
    carom_lzb_friction_free(path);
    if (status != CAROM_OK)
        printf("%s\n", error.text);
    return status == CAROM_OK;
}

static inline double rate_after(const struct blow *s, size_t i, size_t a)
{
    const size_t each = 1 + s->ways;
    double rate = a == 0 ? s->rate[i] : s->slip[s->ways * i + a - 1];
    for (size_t j = 0; j < s->n; j++)
        for (size_t b = 0; b < each; b++)
            rate += s->w[(each * i + a) * each * s->n + each * j + b] *
                    (b == 0 ? s->impulse[j] : s->rub[s->ways * j + b - 1]);
    return rate;
}

static inline void check_several(const struct blow *s, enum carom_lzb_friction_law law, double tol)
{
    const double cone_off = s->n > 1 ? 1e-12 : 10.0 * tol; /* of several cones hold at every step */
    double taken = 0.0, size = 0.0, booked = 0.0, fast = 0.0;
    for (size_t i = 0; i < s->n; i++)
        fast = fmax(fast, -s->rate[i]);
    for (size_t i = 0; i < s->n; i++) {
        CHECK(s->impulse[i] >= 0.0);
        CHECK(hypot(s->rub[2 * i], s->rub[2 * i + 1]) <= s->mu[i] * s->impulse[i] * (1.0 + cone_off) + 1e-15 * fast);
        CHECK(rate_after(s, i, 0) >= -10.0 * tol * fast);
        for (size_t a = 0; a < 3; a++) {
            const double by = a == 0 ? s->impulse[i] : s->rub[2 * i + a - 1];
            const double before = a == 0 ? s->rate[i] : s->slip[2 * i + a - 1];
            taken -= 0.5 * by * (before + rate_after(s, i, a));
            size += fabs(by * before);
        }
        booked += s->lost[i] + s->friction_loss[i];
        CHECK(s->friction_loss[i] >= -tol * size);
    }
    CHECK_NEAR(taken, booked, fmax(1e-12, s->tilt) * size);
    CHECK(law == CAROM_LZB_FRICTION_POISSON || taken >= -1e-13 * size);
}

static inline double apart(const struct blow *s, const struct blow *other)
{
    double off = 0.0, fast = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        fast = fmax(fast, -s->rate[i]);
        for (size_t a = 0; a < 3; a++)
            off = fmax(off, fabs(rate_after(s, i, a) - rate_after(other, i, a)));
    }
    return fast > 0.0 ? off / fast : 0.0;
}

#endif
