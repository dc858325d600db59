/* Random springy impacts for tests: rows with and without walls, triangles, lattices and bundles of disks in any
 * directions; masses and stiffnesses over six decades, es from 0 to 1 and tiny, several contacts struck at once. The
 * same seed draws the same bits with every C library. */
#ifndef CAROM_TESTS_SPRINGY_DRAW_H
#define CAROM_TESTS_SPRINGY_DRAW_H

#include "base/power.h"
#include "draws.h"
#include "springy.h"

static inline double springy_decades(struct carom_random *random, double many)
{
    return carom_power(10.0, many * (carom_random_uniform(random) - 0.5));
}

struct springy_sample {
    size_t n, nc, nv;
    double mass[SPRINGY_BODIES], v[SPRINGY_BODIES];
    double e[SPRINGY_CONTACTS], k[SPRINGY_CONTACTS], p[SPRINGY_CONTACTS];
    bool walls; /* some: momentum is not kept */
    struct carom_lzb_options options;
    struct carom_model *model;
};

/* one es, p for all or of each its own */
static inline void springy_draw_contacts(struct springy_sample *s, struct carom_random *random)
{
    static const double exponents[] = {1.5, 1.5, 1.5, 1.0, 2.0, 3.0, 1.25, 5.0};
    const uint64_t kind = carom_random_below(random, 6);
    const double all = draw_between(random, 0.0, 1.0), p = exponents[carom_random_below(random, 8)];
    const bool alike = s->mass[0] == s->mass[1]; /* both apart: some contacts would be a million times faster */
    const double many = alike && carom_random_below(random, 4) == 0 ? 4.0 : 0.0;
    for (size_t j = 0; j < s->nc; j++) {
        s->e[j] = kind == 0 ? 1.0 : kind == 1 ? 0.0 : kind == 2 ? all : draw_between(random, 0.0, 1.0);
        if (kind == 4 && carom_random_below(random, 2))
            s->e[j] = carom_random_below(random, 2) ? 1.0 : 0.0;
        if (kind == 5)
            s->e[j] = carom_power(10.0, draw_between(random, -8.0, 0.0));
        s->p[j] = kind == 3 ? exponents[carom_random_below(random, 8)] : p;
        s->k[j] = springy_decades(random, many);
    }
    s->options.impact_tol = carom_power(10.0, draw_between(random, -8.0, -3.0));
    s->options.impact_work = 0.03; /* a few milliseconds */
    s->options.stiffness = carom_random_below(random, 5) == 0 ? CAROM_LZB_MONO : CAROM_LZB_BI;
}

static inline void springy_draw_row(struct springy_sample *s, struct carom_random *random)
{
    const bool left = carom_random_below(random, 4) == 0, right = carom_random_below(random, 4) == 0;
    const double many = carom_random_below(random, 4) == 0 ? 6.0 : 0.0;
    s->n = s->nv = 2 + carom_random_below(random, 7);
    s->nc = s->n - 1 + (left ? 1 : 0) + (right ? 1 : 0);
    s->walls = left || right;
    for (size_t i = 0; i < s->n; i++) {
        s->mass[i] = springy_decades(random, many);
        s->v[i] = carom_random_below(random, 2) ? draw_between(random, -1.0, 1.0) : 0.0;
    }
    springy_draw_contacts(s, random);
    s->model = springy_row(s->n, left, right, s->mass, s->e, s->k, s->p);
}

static inline void springy_touch(struct disks *d, size_t a, size_t b, double x, double y)
{
    const double length = sqrt(x * x + y * y);
    d->touch[d->ntouch].a = a;
    d->touch[d->ntouch].b = b;
    d->touch[d->ntouch].x = x / length;
    d->touch[d->ntouch++].y = y / length;
}

/* a triangle, a piece of a triangular or square lattice, or a bundle in any directions; sometimes on a floor */
static inline void springy_draw_touches(struct disks *d, struct carom_random *random)
{
    const uint64_t kind = carom_random_below(random, 4);
    const size_t across = kind == 0 ? 2 : 2 + carom_random_below(random, 2), rows = kind == 0 ? 2 : across;
    d->n = kind == 0 ? 3 : across * rows;
    if (kind == 0) {
        springy_touch(d, 0, 1, 1.0, 0.0);
        springy_touch(d, 0, 2, 0.5, sqrt(0.75));
        springy_touch(d, 1, 2, -0.5, sqrt(0.75));
    }
    for (size_t i = 0; kind > 0 && i < d->n; i++) {
        const size_t x = i % across, y = i / across;
        if (x + 1 < across)
            springy_touch(d, i, i + 1, 1.0, kind == 3 ? draw_between(random, -1.0, 1.0) : 0.0);
        if (y + 1 < rows)
            springy_touch(d, i, i + across, kind == 1 ? 0.5 : 0.0, 1.0);
        if (y + 1 < rows && x > 0 && kind == 1)
            springy_touch(d, i, i + across - 1, -0.5, 1.0);
    }
}

static inline void springy_draw_disks(struct springy_sample *s, struct carom_random *random)
{
    struct disks d = {0};
    const double many = carom_random_below(random, 4) == 0 ? 6.0 : 0.0;
    springy_draw_touches(&d, random);
    s->walls = carom_random_below(random, 4) == 0;
    for (size_t i = 0; s->walls && i < 2; i++)
        springy_touch(&d, i, d.n, 0.0, -1.0);
    s->n = d.n;
    s->nv = 2 * d.n;
    s->nc = d.ntouch;
    for (size_t i = 0; i < d.n; i++)
        d.mass[i] = s->mass[i] = springy_decades(random, many);
    for (size_t i = 0; i < s->nv; i++)
        s->v[i] = carom_random_below(random, 2) ? draw_between(random, -1.0, 1.0) : 0.0;
    springy_draw_contacts(s, random);
    s->model = springy_disks(&d, s->e, s->k, s->p);
}

static inline void springy_draw(struct springy_sample *s, struct carom_random *random)
{
    if (carom_random_below(random, 2))
        springy_draw_row(s, random);
    else
        springy_draw_disks(s, random);
}

#endif
