/* Impact lzb on ten thousand random sets: rows with and without walls, triangles, lattices and random bundles of
 * disks; masses and stiffnesses over six decades, es from 0 to 1 and tiny, several contacts struck at once, bi- and
 * mono-stiffness. Energy closes and never grows, momentum stays, nothing approaches afterwards; an impact ends or is
 * refused with its reason. The seed is printed. */
#include "base/random.h"
#include "springy.h"

#include <stdio.h>
#include <stdlib.h>

static double between(struct carom_random *random, double low, double high)
{
    return low + (high - low) * carom_random_uniform(random);
}

static double decades(struct carom_random *random, double many)
{
    return pow(10.0, many * (carom_random_uniform(random) - 0.5));
}

struct sample {
    size_t n, nc, nv;
    double mass[SPRINGY_BODIES], v[SPRINGY_BODIES];
    double e[SPRINGY_CONTACTS], k[SPRINGY_CONTACTS], p[SPRINGY_CONTACTS];
    bool walls; /* some: momentum is not kept */
    struct carom_lzb_options options;
    struct carom_model *model;
};

/* one es, p for all or of each its own */
static void draw_contacts(struct sample *s, struct carom_random *random)
{
    static const double exponents[] = {1.5, 1.5, 1.5, 1.0, 2.0, 3.0, 1.25, 5.0};
    const uint64_t kind = carom_random_below(random, 6);
    const double all = between(random, 0.0, 1.0), p = exponents[carom_random_below(random, 8)];
    const bool alike = s->mass[0] == s->mass[1]; /* both apart: some contacts would be a million times faster */
    const double many = alike && carom_random_below(random, 4) == 0 ? 4.0 : 0.0;
    for (size_t j = 0; j < s->nc; j++) {
        s->e[j] = kind == 0 ? 1.0 : kind == 1 ? 0.0 : kind == 2 ? all : between(random, 0.0, 1.0);
        if (kind == 4 && carom_random_below(random, 2))
            s->e[j] = carom_random_below(random, 2) ? 1.0 : 0.0;
        if (kind == 5)
            s->e[j] = pow(10.0, between(random, -8.0, 0.0));
        s->p[j] = kind == 3 ? exponents[carom_random_below(random, 8)] : p;
        s->k[j] = decades(random, many);
    }
    s->options.impact_tol = pow(10.0, between(random, -8.0, -3.0));
    s->options.impact_work = 0.03; /* a few milliseconds */
    s->options.stiffness = carom_random_below(random, 5) == 0 ? CAROM_LZB_MONO : CAROM_LZB_BI;
}

static void draw_row(struct sample *s, struct carom_random *random)
{
    const bool left = carom_random_below(random, 4) == 0, right = carom_random_below(random, 4) == 0;
    const double many = carom_random_below(random, 4) == 0 ? 6.0 : 0.0;
    s->n = s->nv = 2 + carom_random_below(random, 7);
    s->nc = s->n - 1 + (left ? 1 : 0) + (right ? 1 : 0);
    s->walls = left || right;
    for (size_t i = 0; i < s->n; i++) {
        s->mass[i] = decades(random, many);
        s->v[i] = carom_random_below(random, 2) ? between(random, -1.0, 1.0) : 0.0;
    }
    draw_contacts(s, random);
    s->model = springy_row(s->n, left, right, s->mass, s->e, s->k, s->p);
}

static void add(struct disks *d, size_t a, size_t b, double x, double y)
{
    const double length = sqrt(x * x + y * y);
    d->touch[d->ntouch].a = a;
    d->touch[d->ntouch].b = b;
    d->touch[d->ntouch].x = x / length;
    d->touch[d->ntouch++].y = y / length;
}

/* a triangle, a piece of a triangular or square lattice, or a bundle in any directions; sometimes on a floor */
static void draw_touches(struct disks *d, struct carom_random *random)
{
    const uint64_t kind = carom_random_below(random, 4);
    const size_t across = kind == 0 ? 2 : 2 + carom_random_below(random, 2), rows = kind == 0 ? 2 : across;
    d->n = kind == 0 ? 3 : across * rows;
    if (kind == 0) {
        add(d, 0, 1, 1.0, 0.0);
        add(d, 0, 2, 0.5, sqrt(0.75));
        add(d, 1, 2, -0.5, sqrt(0.75));
    }
    for (size_t i = 0; kind > 0 && i < d->n; i++) {
        const size_t x = i % across, y = i / across;
        if (x + 1 < across)
            add(d, i, i + 1, 1.0, kind == 3 ? between(random, -1.0, 1.0) : 0.0);
        if (y + 1 < rows)
            add(d, i, i + across, kind == 1 ? 0.5 : 0.0, 1.0);
        if (y + 1 < rows && x > 0 && kind == 1)
            add(d, i, i + across - 1, -0.5, 1.0);
    }
}

static void draw_disks(struct sample *s, struct carom_random *random)
{
    struct disks d = {0};
    const double many = carom_random_below(random, 4) == 0 ? 6.0 : 0.0;
    draw_touches(&d, random);
    s->walls = carom_random_below(random, 4) == 0;
    for (size_t i = 0; s->walls && i < 2; i++)
        add(&d, i, d.n, 0.0, -1.0);
    s->n = d.n;
    s->nv = 2 * d.n;
    s->nc = d.ntouch;
    for (size_t i = 0; i < d.n; i++)
        d.mass[i] = s->mass[i] = decades(random, many);
    for (size_t i = 0; i < s->nv; i++)
        s->v[i] = carom_random_below(random, 2) ? between(random, -1.0, 1.0) : 0.0;
    draw_contacts(s, random);
    s->model = springy_disks(&d, s->e, s->k, s->p);
}

static void check_momentum(const struct sample *s, const struct springy_blow *blow)
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
static bool may_be_refused(const struct sample *s, const struct carom_error *error)
{
    if (strstr(error->text, "again and again") != NULL)
        return true;
    for (size_t j = 0; j < s->nc; j++)
        if (s->e[j] < 1.0)
            return false;
    return s->walls && strstr(error->text, "no way to part") != NULL;
}

static void check_one(const struct sample *s, size_t *refused)
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
    const size_t count = 10000;
    size_t refused = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (size_t k = 0; k < count; k++) {
        struct carom_random random;
        struct sample s = {0};
        carom_random_start(&random, seed * 100000 + k);
        if (only && k != only)
            continue;
        const unsigned long before = check_failures;
        if (carom_random_below(&random, 2))
            draw_row(&s, &random);
        else
            draw_disks(&s, &random);
        check_one(&s, &refused);
        carom_model_free(s.model);
        if (check_failures != before)
            printf("  sample %zu\n", k);
    }
    printf("%zu impacts, %zu refused: nothing can part, or it would take long\n", count, refused);
    CHECK(refused < count / 10);
    return check_end();
}
