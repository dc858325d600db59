/* Conjugate gradients, see conjugate.h; complex symmetric systems after H. A. van der Vorst and J. B. M. Melissen. */
#include "solve/conjugate.h"

#include <math.h>
#include <string.h>

enum { LANES = 4 }; /* sums side by side, always so many */

double carom_conjugate_dot(size_t n, const double *a, const double *b)
{
    double sum[LANES] = {0.0};
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

size_t carom_conjugate_real(const struct carom_conjugate *c, double tolerance, size_t most, bool *solved)
{
    const size_t n = c->n;
    const double goal = tolerance * tolerance * carom_conjugate_dot(n, c->rest, c->rest);
    size_t products = 0;
    memset(c->x, 0, n * sizeof *c->x);
    c->ease(c->own, c->rest, c->eased);
    memcpy(c->way, c->eased, n * sizeof *c->way);
    double old = carom_conjugate_dot(n, c->rest, c->eased);
    *solved = old == 0.0;
    while (!*solved && products < most) {
        c->apply(c->own, c->way, c->image);
        products++;
        const double part = old / carom_conjugate_dot(n, c->way, c->image);
        if (!(fabs(part) < HUGE_VAL))
            return products;
        for (size_t i = 0; i < n; i++) {
            c->x[i] += part * c->way[i];
            c->rest[i] -= part * c->image[i];
        }
        *solved = carom_conjugate_dot(n, c->rest, c->rest) <= goal;
        if (*solved)
            break;
        c->ease(c->own, c->rest, c->eased);
        const double new = carom_conjugate_dot(n, c->rest, c->eased), turn = new / old;
        for (size_t i = 0; i < n; i++)
            c->way[i] = c->eased[i] + turn * c->way[i];
        old = new;
    }
    return products;
}

struct number {
    double re, im;
};

static struct number product(size_t n, const double *a, const double *b)
{
    return (struct number){carom_conjugate_dot(n, a, b) - carom_conjugate_dot(n, a + n, b + n),
                           carom_conjugate_dot(n, a, b + n) + carom_conjugate_dot(n, a + n, b)};
}

static struct number quotient(struct number a, struct number b)
{
    const double square = b.re * b.re + b.im * b.im;
    return (struct number){(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}

/* y += s x */
static void add(size_t n, struct number s, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) {
        const double re = x[i], im = x[n + i];
        y[i] += s.re * re - s.im * im;
        y[n + i] += s.re * im + s.im * re;
    }
}

size_t carom_conjugate_complex(const struct carom_conjugate *c, double tolerance, size_t most, bool *solved)
{
    const size_t n = c->n;
    const double goal = tolerance * tolerance * carom_conjugate_dot(2 * n, c->rest, c->rest);
    size_t products = 0;
    memset(c->x, 0, 2 * n * sizeof *c->x);
    c->ease(c->own, c->rest, c->eased);
    memcpy(c->way, c->eased, 2 * n * sizeof *c->way);
    struct number old = product(n, c->rest, c->eased);
    *solved = goal == 0.0;
    while (!*solved && products < most) {
        c->apply(c->own, c->way, c->image);
        products++;
        const struct number part = quotient(old, product(n, c->way, c->image));
        if (!(fabs(part.re) < HUGE_VAL && fabs(part.im) < HUGE_VAL))
            return products;
        add(n, part, c->way, c->x);
        add(n, (struct number){-part.re, -part.im}, c->image, c->rest);
        *solved = carom_conjugate_dot(2 * n, c->rest, c->rest) <= goal;
        if (*solved)
            break;
        c->ease(c->own, c->rest, c->eased);
        const struct number new = product(n, c->rest, c->eased), turn = quotient(new, old);
        for (size_t i = 0; i < n; i++) { /* the way is turned and the rest added */
            const double re = c->way[i], im = c->way[n + i];
            c->way[i] = c->eased[i] + turn.re * re - turn.im * im;
            c->way[n + i] = c->eased[n + i] + turn.re * im + turn.im * re;
        }
        old = new;
    }
    return products;
}
