/* Impact lzb on ten thousand random sets (springy_draw.h), in part two thousand, bi- and mono-stiffness. Energy closes
 * and never grows, momentum stays, nothing approaches afterwards; an impact ends or is refused with its reason. The
 * seed is printed. */
#include "springy_draw.h"

#include <stdio.h>
#include <stdlib.h>

static void check_momentum(const struct springy_sample *s, const struct springy_blow *blow)
{
    const size_t axes = s->nv / s->n;
    for (size_t axis = 0; axis < axes && !s->walls; axis++) {
        double before = 0.0, after = 0.0, size = 0.0;
        for (size_t i = 0; i < s->n; i++) {
            before += s->mass[i] * s->v[axes * i + axis];
            after += s->mass[i] * blow->after[axes * i + axis];
            size += s->mass[i] * (fabs(s->v[axes * i + axis]) + fabs(blow->after[axes * i + axis]));
        }
        CHECK_NEAR(after, before, 1e-13 * size);
    }
}

/* no direction parts all contacts: rows between walls; or light bodies rattle for long between heavy ones */
static bool may_be_refused(const struct springy_sample *s, const struct carom_error *error)
{
    if (strstr(error->text, "again and again") != NULL)
        return true;
    for (size_t j = 0; j < s->nc; j++)
        if (s->e[j] < 1.0)
            return false;
    return s->walls && strstr(error->text, "no way to part") != NULL;
}

static void check_one(const struct springy_sample *s, size_t *refused)
{
    struct springy_blow blow;
    struct carom_error error = {CAROM_OK, ""};
    const enum carom_status status =
        springy_strike(&carom_impact_lzb, s->model, &s->options, s->v, NULL, &blow, &error);
    if (status != CAROM_OK) {
        CHECK(may_be_refused(s, &error));
        if (!may_be_refused(s, &error))
            printf("  %s\n", error.text);
        (*refused)++;
        return;
    }
    double lost = 0.0, fastest = 0.0;
    for (size_t i = 0; i < s->nv; i++)
        fastest = fmax(fastest, fabs(s->v[i]));
    for (size_t j = 0; j < s->nc; j++) {
        CHECK(blow.impulse[j] >= 0.0);
        CHECK(blow.lost[j] >= -1e-13 * blow.before_energy);
        CHECK(blow.rate[j] >= -1e-9 * fastest);
        lost += blow.lost[j];
    }
    CHECK_NEAR(blow.before_energy - blow.after_energy, lost, 1e-12 * blow.before_energy);
    CHECK(blow.after_energy <= blow.before_energy * (1.0 + 1e-13));
    CHECK(blow.estimate >= 0.0 && blow.duration >= 0.0);
    check_momentum(s, &blow);
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20260,
                   only = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    const size_t count = (size_t)check_take(2000, 10000);
    size_t refused = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (size_t k = 0; k < count; k++) {
        struct carom_random random;
        struct springy_sample s = {0};
        carom_random_start(&random, seed * 100000 + k);
        if (only && k != only)
            continue;
        const unsigned long before = check_failures;
        springy_draw(&s, &random);
        check_one(&s, &refused);
        carom_model_free(s.model);
        if (check_failures != before)
            printf("  sample %zu\n", k);
    }
    printf("%zu impacts, %zu refused: nothing can part, or it would take long\n", count, refused);
    CHECK(refused < count / 10);
    return check_end();
}
