/* Blows with friction in space at several contacts that hold each other (impact/lzb_several.h): faces and edges of
 * boxes on floors, boxes on each other, balls in a bunch, of random sizes, velocities, e and mu. Every blow ends, at
 * every step friction stays in its cones and takes energy, none is created; blows that are their own mirror image stay
 * so, and answers come nearer to each other as the tolerance does. The seed is printed. */
#include <string.h>

#include "base/random.h"
#include "blow_follow.h"

enum { BODIES = 3 };

/* bodies, a ball or a box each: where, half its sides, mass; the last is the floor */
struct heap {
    size_t n;
    double at[BODIES][3], half[BODIES][3], mass[BODIES], v[BODIES][6];
    bool ball[BODIES];
    struct {
        size_t of, on;
        double at[3], normal[3];
    } contact[MOST];
};

static const size_t floor_of = BODIES;

static void touch(struct heap *h, size_t of, size_t on, double x, double y, double z, const double normal[3])
{
    const double at[3] = {x, y, z};
    h->contact[h->n].of = of;
    h->contact[h->n].on = on;
    memcpy(h->contact[h->n].at, at, sizeof at);
    memcpy(h->contact[h->n++].normal, normal, 3 * sizeof *normal);
}

static void put(struct carom_random *random, struct heap *h, size_t i, bool ball, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    memcpy(h->at[i], at, sizeof at);
    h->ball[i] = ball;
    h->mass[i] = exp(0.5 * carom_random_normal(random));
    for (size_t k = 0; k < 6; k++)
        h->v[i][k] = (k == 2 ? -1.0 : 0.0) + 0.5 * carom_random_normal(random);
}

static const double up[3] = {0.0, 0.0, 1.0};

/* corners of the lower face of box i, or those of one edge of it */
static void rest_on(struct heap *h, size_t i, size_t on, size_t corners)
{
    const double *at = h->at[i], *half = h->half[i];
    for (size_t k = 0; k < corners; k++)
        touch(h, i, on, at[0] + (k % 2 ? 1.0 : -1.0) * half[0], at[1] + (k / 2 ? 1.0 : -1.0) * half[1], at[2] - half[2],
              up);
}

static void put_box(struct carom_random *random, struct heap *h, size_t i, double z)
{
    for (size_t k = 0; k < 3; k++)
        h->half[i][k] = 0.3 + carom_random_uniform(random);
    put(random, h, i, false, 0.0, 0.0, z + h->half[i][2]);
}

static void bunch_balls(struct carom_random *random, struct heap *h)
{
    static const double x[3] = {0.0, 1.0, 0.5}, y[3] = {0.0, 0.0, 0.8660254037844386};
    for (size_t i = 0; i < 3; i++) {
        h->half[i][0] = 0.5;
        put(random, h, i, true, x[i], y[i], 0.5);
        touch(h, i, floor_of, x[i], y[i], 0.0, up);
    }
    for (size_t i = 0; i < 3; i++) {
        const size_t j = (i + 1) % 3;
        const double normal[3] = {x[i] - x[j], y[i] - y[j], 0.0};
        touch(h, i, j, 0.5 * (x[i] + x[j]), 0.5 * (y[i] + y[j]), 0.5, normal);
    }
}

static void pile(struct carom_random *random, struct heap *h, int kind)
{
    *h = (struct heap){.n = 0};
    if (kind == 4) {
        bunch_balls(random, h);
        return;
    }
    put_box(random, h, 0, 0.0);
    rest_on(h, 0, floor_of, kind == 0 ? 2 : 4);
    const double top = 2.0 * h->half[0][2];
    if (kind == 2) {
        h->half[1][0] = 0.4;
        put(random, h, 1, true, 0.1, 0.05, top + 0.4);
        touch(h, 1, 0, 0.1, 0.05, top, up);
    }
    if (kind == 3) {
        put_box(random, h, 1, top);
        rest_on(h, 1, 0, 4);
    }
}

/* how the point of contact i moves along `axis` with body b: a row of H */
static void row_of(const struct heap *h, size_t i, const double axis[3], double row[6 * BODIES])
{
    memset(row, 0, 6 * BODIES * sizeof *row);
    for (int side = 0; side < 2; side++) {
        const size_t b = side ? h->contact[i].on : h->contact[i].of;
        const double sign = side ? -1.0 : 1.0;
        for (size_t k = 0; k < 3 && b != floor_of; k++) {
            const size_t y = (k + 1) % 3, z = (k + 2) % 3;
            const double *at = h->contact[i].at, arm[2] = {at[y] - h->at[b][y], at[z] - h->at[b][z]};
            row[6 * b + k] = sign * axis[k];
            row[6 * b + 3 + k] = sign * (arm[0] * axis[z] - arm[1] * axis[y]);
        }
    }
}

static double inverse(const struct heap *h, size_t k)
{
    const size_t b = k / 6;
    const double *half = h->half[b];
    if (!(h->mass[b] > 0.0))
        return 0.0;
    if (k % 6 < 3)
        return 1.0 / h->mass[b];
    const double y = half[(k + 1) % 3], z = half[(k + 2) % 3];
    return 1.0 / (h->mass[b] * (h->ball[b] ? 0.4 * half[0] * half[0] : (y * y + z * z) / 3.0));
}

static void fill(const struct heap *h, struct blow *s)
{
    double rows[WIDE][6 * BODIES];
    *s = (struct blow){.n = h->n, .ways = 2};
    for (size_t i = 0; i < h->n; i++) {
        const double *n = h->contact[i].normal, flat = n[2] == 0.0 ? 1.0 : 0.0;
        const double axes[3][3] = {
            {n[0], n[1], n[2]}, {1.0 - flat, 0.0, flat}, {n[1] * flat, 1.0 - flat - n[0] * flat, 0.0}};
        for (size_t a = 0; a < 3; a++)
            row_of(h, i, axes[a], rows[3 * i + a]);
    }
    for (size_t a = 0; a < 3 * h->n; a++) {
        double *u = a % 3 == 0 ? &s->rate[a / 3] : &s->slip[a / 3 * 2 + a % 3 - 1];
        for (size_t k = 0; k < 6 * BODIES; k++)
            *u += rows[a][k] * h->v[k / 6][k % 6];
        for (size_t b = 0; b < 3 * h->n; b++)
            for (size_t k = 0; k < 6 * BODIES; k++)
                s->w[a * 3 * h->n + b] += rows[a][k] * rows[b][k] * inverse(h, k);
    }
}

static double pick(struct carom_random *random, double most)
{
    const double x = carom_random_uniform(random);
    return x < 0.1 ? 0.0 : x > 0.9 ? most : most * carom_random_uniform(random);
}

static void choose_laws(struct carom_random *random, struct blow *s)
{
    for (size_t i = 0; i < s->n; i++) {
        s->e[i] = pick(random, 1.0);
        s->k[i] = exp(0.5 * carom_random_normal(random));
        s->p[i] = 1.5;
        s->mu[i] = s->mu_static[i] = pick(random, 2.0);
    }
}

/* one heap by one law: how far tolerances are apart */
static double strike(struct carom_random *random, int kind, enum carom_lzb_friction_law law)
{
    struct heap h;
    struct blow s, fine;
    pile(random, &h, kind);
    fill(&h, &s);
    choose_laws(random, &s);
    fine = s;
    CHECK(follow(&s, law, 1e-6) && follow(&fine, law, 1e-9));
    check_several(&s, law, 1e-6);
    check_several(&fine, law, 1e-9);
    return apart(&s, &fine);
}

/* A box with a slip along x: corners with the same x are struck alike, those mirrored at the plane of x and z too. */
static void check_mirrored(double slip, double roll, enum carom_lzb_friction_law law)
{
    struct heap h = {.half = {{0.5, 0.7, 0.4}}, .at = {{0.0, 0.0, 0.4}}, .mass = {1.0}};
    struct blow s;
    const double v[6] = {slip, 0.0, -1.0, 0.0, roll, 0.0};
    memcpy(h.v[0], v, sizeof v);
    rest_on(&h, 0, floor_of, 4);
    fill(&h, &s);
    for (size_t i = 0; i < 4; i++) {
        s.e[i] = 0.6;
        s.k[i] = 1.0;
        s.p[i] = 1.5;
        s.mu[i] = s.mu_static[i] = 0.4;
    }
    CHECK(follow(&s, law, 1e-9));
    check_several(&s, law, 1e-9);
    for (size_t i = 0; i < 2; i++) {
        CHECK_NEAR(s.impulse[i], s.impulse[i + 2], 1e-9);
        CHECK_NEAR(s.rub[2 * i], s.rub[2 * i + 4], 1e-5); /* who of those that hold each other has how much */
        CHECK_NEAR(rate_after(&s, i, 0), rate_after(&s, i + 2, 0), 1e-9);
        CHECK_NEAR(rate_after(&s, i, 1), rate_after(&s, i + 2, 1), 1e-9);
        CHECK_NEAR(rate_after(&s, i, 2), 0.0, 1e-9);
    }
}

/* A box on two corners, one of them higher than the other by rounding of where contacts are found, while a ball slips
 * along its side: what is left of the slip by which the corners hold each other nothing can stop. */
static double strike_tilted(struct carom_random *random, enum carom_lzb_friction_law law)
{
    struct heap h = {.n = 0};
    struct blow s, fine;
    put_box(random, &h, 0, 0.0);
    rest_on(&h, 0, floor_of, 2);
    h.contact[1].at[2] = 5e-11; /* level: 0 */
    h.half[1][0] = 0.4;
    put(random, &h, 1, true, h.half[0][0] + 0.4, 0.1, h.half[0][2]);
    touch(&h, 1, 0, h.half[0][0], 0.1, h.half[0][2], (double[3]){1.0, 0.0, 0.0});
    fill(&h, &s);
    s.tilt = h.contact[1].at[2];
    for (size_t i = 0; i < s.n; i++) {
        s.e[i] = 0.0;
        s.k[i] = 1.0;
        s.p[i] = 1.5;
        s.mu[i] = s.mu_static[i] = 1.0;
    }
    fine = s;
    CHECK(follow(&s, law, 1e-8) && follow(&fine, law, 1e-10));
    check_several(&s, law, 1e-8);
    check_several(&fine, law, 1e-10);
    return apart(&s, &fine);
}

int main(int argc, char **argv)
{
    static const enum carom_lzb_friction_law laws[2] = {CAROM_LZB_FRICTION_STRONGE, CAROM_LZB_FRICTION_POISSON};
    struct carom_random random;
    double worst = 0.0;
    const int trials = check_take(5, 15);
    carom_random_start(&random, check_seed(argc, argv));
    for (int trial = 0; trial < trials; trial++)
        worst = fmax(worst, strike(&random, trial % 5, laws[trial / 5 % 2]));
    for (int k = 0; k < 8; k += check_take(3, 1))
        check_mirrored(k % 2 ? 0.8 : 0.0, k % 4 < 2 ? 0.0 : 0.7, laws[k / 4]);
    for (int k = 0; k < check_take(2, 4); k++)
        worst = fmax(worst, strike_tilted(&random, laws[k % 2]));
    printf("tol 1e-6 and 1e-9 of %d heaps differ by %.1e\n", trials, worst);
    CHECK(worst < 1e-5);
    return check_end();
}
