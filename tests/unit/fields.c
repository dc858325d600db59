/* Coarse-grained fields: what they keep whatever kernel, width and grid, and what they are in cases that are known. */
#include "record/fields.h"
#include "base/random.h"
#include "check.h"

#include <math.h>
#include <string.h>

#define N 30
#define TOUCHES 50
#define SIDE 10.0

struct crowd {
    struct carom_grains grains;
    double place[3 * N], velocity[3 * N];
    struct carom_touch touch[TOUCHES];
    struct carom_grains_moment moment;
};

static double draw(struct carom_random *random)
{
    return 2.0 * carom_random_uniform(random) - 1.0;
}

/* balls anywhere in a box, with contacts between any of them */
static void crowd_open(struct crowd *c, size_t dimension, bool joined)
{
    struct carom_random random;
    carom_random_start(&random, 3);
    memset(c, 0, sizeof *c);
    CHECK(carom_grains_reserve(&c->grains, N));
    c->grains.dimension = dimension;
    c->grains.depth = dimension == 2 ? 0.7 : 1.0;
    for (size_t k = 0; k < dimension; k++) {
        c->grains.high[k] = SIDE;
        c->grains.periodic[k] = c->grains.bounded = joined;
    }
    for (size_t i = 0; i < N; i++) {
        c->grains.radius[i] = i + 1 < N ? 0.6 : 0.0; /* the last one is a wall */
        c->grains.mass[i] = 1.0 + 0.5 * draw(&random);
        c->grains.volume[i] = i + 1 < N ? 0.9 : 0.0;
        for (size_t k = 0; k < dimension; k++) {
            c->place[dimension * i + k] = 0.5 * SIDE * (1.0 + draw(&random));
            c->velocity[dimension * i + k] = draw(&random);
        }
    }
    for (size_t j = 0; j < TOUCHES; j++) {
        struct carom_touch *t = &c->touch[j];
        t->pair[0] = 1 + j % 20;
        t->pair[1] = 21 + j % 10;
        for (size_t k = 0; k < dimension; k++) {
            const double x = c->place[dimension * (t->pair[0] - 1) + k] + 0.6 * draw(&random);
            t->point[k] = joined ? x - SIDE * floor(x / SIDE) : x;
            t->force[k] = draw(&random);
        }
    }
    c->moment = (struct carom_grains_moment){c->place, c->velocity, TOUCHES, c->touch};
}

static void open_fields(struct carom_fields *f, const struct crowd *c, enum carom_fields_kernel kernel, double width,
                        const double cell[3])
{
    const double low[3] = {0.0}, high[3] = {SIDE, SIDE, c->grains.dimension == 3 ? SIDE : 0.0};
    *f = (struct carom_fields){.kernel = kernel, .width = width};
    CHECK_STATUS(carom_fields_open(f, &c->grains, low, high, cell, NULL), CAROM_OK);
}

/* mass, volume, momentum, kinetic energy and the virial of the contacts, summed over cells */
static void test_keeps(const struct crowd *c, enum carom_fields_kernel kernel, double width, const double cell[3])
{
    struct carom_fields f;
    const size_t d = c->grains.dimension;
    double mass = 0.0, volume = 0.0, momentum[3] = {0.0}, flux[6] = {0.0}, virial[6] = {0.0}, arm[3], force[3];
    open_fields(&f, c, kernel, width, cell);
    carom_fields_read(&f, &c->grains, &c->moment);
    const double part = carom_fields_volume(&f, &c->grains);
    for (size_t i = 0; i < f.n; i++) {
        mass += part * f.density[i];
        volume += part * f.fraction[i];
        for (size_t k = 0; k < 3; k++)
            momentum[k] += part * f.density[i] * f.velocity[i][k];
        carom_grains_add(flux, -part * f.density[i], f.velocity[i], f.velocity[i]);
        for (size_t k = 0; k < 6; k++) {
            flux[k] += part * f.kinetic[i][k];
            virial[k] += part * (f.stress[i][k] - f.kinetic[i][k]);
        }
    }
    for (size_t i = 0; i + 1 < N; i++) {
        double v[3] = {0.0};
        mass -= c->grains.mass[i];
        volume -= c->grains.volume[i];
        memcpy(v, c->velocity + d * i, d * sizeof *v);
        for (size_t k = 0; k < d; k++)
            momentum[k] -= c->grains.mass[i] * v[k];
        carom_grains_add(flux, c->grains.mass[i], v, v);
    }
    for (size_t j = 0; j < TOUCHES; j++)
        for (int side = 0; side < 2; side++)
            if (carom_grains_branch(&c->grains, &c->moment, &c->touch[j], side, arm, force))
                carom_grains_add(virial, -1.0, arm, force);
    CHECK_NEAR(mass, 0.0, 1e-12);
    CHECK_NEAR(volume, 0.0, 1e-12);
    for (size_t k = 0; k < 3; k++)
        CHECK_NEAR(momentum[k], 0.0, 1e-12);
    for (size_t k = 0; k < 6; k++) {
        CHECK_NEAR(flux[k], 0.0, 1e-12);
        CHECK_NEAR(virial[k], 0.0, 1e-11);
    }
    carom_fields_close(&f);
}

/* bodies that move as one carry nothing beside it, and the field has their velocity everywhere */
static void test_moves_as_one(void)
{
    static struct crowd c;
    struct carom_fields f;
    crowd_open(&c, 2, true);
    for (size_t i = 0; i < N; i++)
        c.velocity[2 * i] = 3.0, c.velocity[2 * i + 1] = -2.0;
    open_fields(&f, &c, CAROM_FIELDS_LUCY, 2.0, (double[]){0.5, 0.5, 0.5});
    carom_fields_read(&f, &c.grains, &c.moment);
    CHECK(f.n == 400);
    for (size_t i = 0; i < f.n; i++) {
        CHECK(f.density[i] == 0.0 || fabs(f.velocity[i][0] - 3.0) + fabs(f.velocity[i][1] + 2.0) < 1e-12);
        CHECK_NEAR(f.kinetic[i][0], 0.0, 1e-12);
        CHECK_NEAR(f.kinetic[i][5], 0.0, 1e-12);
    }
    carom_fields_close(&f);
    carom_grains_close(&c.grains);
}

/* Two balls that press each other: over a line that crosses the branch the stress adds up to the force. */
static void test_crosses(enum carom_fields_kernel kernel)
{
    static struct crowd c;
    struct carom_fields f;
    crowd_open(&c, 2, false);
    for (size_t i = 0; i < N; i++)
        c.grains.radius[i] = i < 2 ? 1.5 : 0.0;
    const double place[4] = {3.5, 5.0, 6.5, 5.0};
    memcpy(c.place, place, sizeof place);
    c.touch[0] = (struct carom_touch){.pair = {1, 2}, .point = {5.0, 5.0}, .force = {4.0}};
    c.moment.ntouches = 1;
    c.moment.velocity = NULL;
    open_fields(&f, &c, kernel, kernel == CAROM_FIELDS_LUCY ? 1.0 : 0.25, (double[]){0.1, 0.1, 0.1});
    carom_fields_read(&f, &c.grains, &c.moment);
    double across = 0.0;
    for (size_t i = 0; i < f.n; i++) {
        double middle[3];
        carom_fields_middle(&f, i, middle);
        across += fabs(middle[0] - 4.55) < 1e-9 ? 0.1 * 0.7 * f.stress[i][0] : 0.0;
        CHECK(f.stress[i][1] == 0.0 && f.velocity[i][0] == 0.0);
    }
    CHECK_NEAR(across, -4.0, 2e-3); /* whatever the kernel, once Gauss points are as close as it asks */
    carom_fields_close(&f);
    carom_grains_close(&c.grains);
}

/* a kernel as the header gives it */
static double known_kernel(enum carom_fields_kernel kernel, double x)
{
    if (kernel == CAROM_FIELDS_GAUSSIAN)
        return x < 4.0 ? exp(-0.5 * x * x) : 0.0;
    return x < 1.0 ? (1.0 + 3.0 * x) * pow(1.0 - x, 3.0) : 0.0;
}

/* One body: its density in each cell is its kernel's share there, by the nearest way round joined sides. */
static void test_alone(size_t dimension, bool joined, enum carom_fields_kernel kernel, double width, const double at[3])
{
    static struct crowd c;
    struct carom_fields f;
    double height[9 * 7 * 5], sum = 0.0;
    crowd_open(&c, dimension, joined);
    for (size_t i = 1; i < N; i++)
        c.grains.radius[i] = 0.0;
    memcpy(c.place, at, dimension * sizeof *at);
    c.moment.ntouches = 0;
    open_fields(&f, &c, kernel, width, (double[]){SIDE / 9.0, SIDE / 7.0, SIDE / 5.0});
    CHECK_OR_STOP(f.n == (dimension == 2 ? 63 : 315));
    carom_fields_read(&f, &c.grains, &c.moment);
    for (size_t i = 0; i < f.n; i++) {
        double middle[3], square = 0.0;
        carom_fields_middle(&f, i, middle);
        for (size_t k = 0; k < dimension; k++) {
            const double way = middle[k] - at[k];
            square += pow(joined ? remainder(way, SIDE) : way, 2.0);
        }
        sum += height[i] = known_kernel(kernel, sqrt(square) / width);
    }
    for (size_t i = 0; i < f.n; i++) {
        const double share = height[i] / sum / carom_fields_volume(&f, &c.grains);
        CHECK_NEAR(f.density[i], c.grains.mass[0] * share, 1e-13);
        CHECK_NEAR(f.fraction[i], c.grains.volume[0] * share, 1e-13);
        CHECK_NEAR(f.velocity[i][0], share > 0.0 ? c.velocity[0] : 0.0, 1e-12);
    }
    carom_fields_close(&f);
    carom_grains_close(&c.grains);
}

static void test_refusals(void)
{
    static struct crowd c;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_fields f = {.width = 1.0};
    const double low[3] = {0.0}, high[3] = {SIDE, SIDE};
    crowd_open(&c, 2, false);
    CHECK_STATUS(carom_fields_open(&f, &c.grains, low, high, (double[]){1e-4, 1e-4, 1.0}, &error), CAROM_E_REFUSED);
    CHECK_TEXT(error.text, "cells of 0.0001 are too many for bodies that take 10 along y: at most 4e+06 in all");
    CHECK_STATUS(carom_fields_open(&f, &c.grains, low, high, (double[]){1.0, 0.0, 1.0}, &error), CAROM_E_INPUT);
    CHECK_TEXT(error.text, "a cell must have a length above 0, got 0");
    f.width = nan("");
    CHECK_STATUS(carom_fields_open(&f, &c.grains, low, high, high, &error), CAROM_E_INPUT);
    carom_grains_close(&c.grains);
}

/* places that are no numbers, contacts of bodies that are not there: nothing of them is seen, nothing breaks */
static void test_odd_numbers(void)
{
    static struct crowd c;
    struct carom_fields f;
    for (int joined = 0; joined < 2; joined++) {
        crowd_open(&c, 3, joined);
        c.place[0] = nan(""), c.place[3] = HUGE_VAL, c.place[6] = 1e300, c.place[9] = -1e18;
        c.touch[5].pair[0] = 0, c.touch[6].pair[1] = 99, c.touch[7].point[0] = nan(""), c.touch[8].point[1] = -1e300;
        open_fields(&f, &c, CAROM_FIELDS_LUCY, 2.0, (double[]){1.0, 1.0, 1.0});
        carom_fields_read(&f, &c.grains, &c.moment);
        for (size_t i = 0; i < f.n; i++)
            CHECK(f.density[i] >= 0.0 && f.density[i] < HUGE_VAL);
        carom_fields_close(&f);
        carom_grains_close(&c.grains);
    }
}

int main(void)
{
    static const double width[] = {0.01, 0.5, 2.0, 7.0, 100.0};
    static const double cell[][3] = {{0.5, 0.5, 0.5}, {1.3, 0.7, 2.0}, {0.9, 20.0, 0.9}};
    static struct crowd c;
    for (size_t dimension = 2; dimension <= 3; dimension++)
        for (int joined = 0; joined < 2; joined++) {
            crowd_open(&c, dimension, joined);
            for (size_t i = dimension == 3; i < 5; i++)
                for (size_t j = dimension - 2; j < 3; j++) {
                    test_keeps(&c, CAROM_FIELDS_LUCY, width[i], cell[j]);
                    test_keeps(&c, CAROM_FIELDS_GAUSSIAN, 0.25 * width[i], cell[j]);
                }
            carom_grains_close(&c.grains);
        }
    static const double place[][3] = {{4.0, 6.3, 5.1}, {0.2, 9.9, 0.3}, {9.7, 0.1, 9.9}};
    for (size_t dimension = 2; dimension <= 3; dimension++)
        for (int joined = 0; joined < 2; joined++)
            for (size_t i = 0; i < 3; i++)
                for (size_t wide = 0; wide < 2; wide++) {
                    test_alone(dimension, joined, CAROM_FIELDS_LUCY, wide ? 60.0 : 3.0, place[i]);
                    test_alone(dimension, joined, CAROM_FIELDS_GAUSSIAN, wide ? 8.0 : 0.75, place[i]);
                }
    test_moves_as_one();
    test_crosses(CAROM_FIELDS_LUCY);
    test_crosses(CAROM_FIELDS_GAUSSIAN);
    test_refusals();
    test_odd_numbers();
    return check_end();
}
