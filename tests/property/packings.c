/* Random packings in regions of every kind: as many balls as were asked for, none overlapping another or a wall, in the
 * arithmetic of contacts; the same seed gives the same bits and another seed another packing. The seed is printed. */
#include "draws.h"
#include "model/place/packing.h"

#include "base/memory.h"
#include "base/vec.h"
#include "check.h"
#include "model/bodies/meet.h"

enum { MOST = 1500 };

struct drawn {
    enum carom_packing kind;
    size_t dimension, n;
    struct carom_place_region region;
    double radius[MOST], centre[MOST][3];
};

static void draw_region(struct drawn *p, struct carom_random *random)
{
    static const enum carom_surface surfaces[] = {CAROM_BOX, CAROM_BALL, CAROM_CYLINDER};
    const bool turned = carom_random_below(random, 2);
    const double frame[4] = {0.5, 0.5, -0.5, 0.5}, flat[4] = {0.8, 0.0, 0.0, 0.6};
    struct carom_place_region *r = &p->region;
    *r = (struct carom_place_region){.surface = surfaces[carom_random_below(random, p->dimension)], .radius = 1.0};
    for (size_t k = 0; k < p->dimension; k++) {
        r->at[k] = draw_between(random, -10.0, 10.0);
        r->size[k] = draw_between(random, 0.8, 1.25);
        r->periodic[k] = r->surface == CAROM_BOX && !turned && carom_random_below(random, 2);
    }
    if (turned)
        memcpy(r->frame, p->dimension == 2 ? flat : frame, sizeof frame);
}

/* balls that fill a fraction: radii drawn, then the region made as large as it takes */
static void draw(struct drawn *p, struct carom_random *random, enum carom_packing kind, size_t dimension,
                 double fraction)
{
    *p = (struct drawn){.kind = kind, .dimension = dimension, .n = 800 + carom_random_below(random, MOST - 800)};
    const double spread = draw_between(random, 0.0, 0.4);
    double volume = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        p->radius[i] = 1e-3 * (1.0 + draw_between(random, -spread, spread));
        volume += carom_place_volume(dimension, &(struct carom_place_region){CAROM_BALL, .radius = p->radius[i]});
    }
    draw_region(p, random);
    const double by = volume / (fraction * carom_place_volume(dimension, &p->region));
    const double factor = dimension == 2 ? sqrt(by) : cbrt(by);
    p->region.radius *= factor;
    for (size_t k = 0; k < 3; k++) {
        p->region.size[k] *= factor;
        p->region.at[k] *= factor;
    }
}

static enum carom_status place(struct drawn *p, uint64_t seed)
{
    struct carom_error error = {CAROM_OK, ""};
    const enum carom_status status =
        carom_packing_place(p->kind, p->dimension, &p->region, p->n, p->radius, seed, NULL, p->centre, &error);
    if (status != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    return status;
}

/* |D0| - (r_a + r_b), rounding and all */
static double bare_gap(const struct drawn *p, size_t i, size_t j)
{
    double d[3];
    for (int k = 0; k < 3; k++) {
        const double side = 2.0 * p->region.size[k];
        d[k] = p->centre[j][k] - p->centre[i][k];
        d[k] -= p->region.periodic[k] ? side * nearbyint(d[k] / side) : 0.0;
    }
    return carom_vec_norm(d) - (p->radius[i] + p->radius[j]);
}

/* the balls, and the region as a container, the last of the bodies */
static struct carom_bodies *bodies_in(const struct drawn *p)
{
    const struct carom_place_region *r = &p->region;
    struct carom_bodies *b = carom_bodies_create(p->dimension, p->n + 1, 1, 0, 0, 0);
    struct carom_body *wall = &b->body[p->n];
    for (size_t i = 0; i < p->n; i++) {
        b->body[i].surface = CAROM_BALL;
        b->body[i].radius = p->radius[i];
        b->body[i].mass = 1.0;
        memcpy(b->body[i].at, p->centre[i], sizeof p->centre[i]);
    }
    *wall = (struct carom_body){.surface = r->surface, .inside = true, .fixed = true, .radius = r->radius, .lead = -1};
    memcpy(wall->at, r->at, sizeof r->at);
    memcpy(wall->size, r->size, sizeof r->size);
    memcpy(wall->frame, r->frame, sizeof r->frame);
    for (int k = 0; k < 3; k++) {
        b->periodic[k] = r->periodic[k];
        b->low[k] = r->at[k] - r->size[k];
        b->high[k] = r->at[k] + r->size[k];
    }
    CHECK_STATUS(carom_bodies_finish(b, NULL), CAROM_OK);
    return b;
}

/* the smallest gap that contacts would see */
static double least_gap(const struct drawn *p)
{
    struct carom_bodies *b = bodies_in(p);
    double *q = carom_memory_zeroed(b->n * carom_bodies_nq(b), sizeof *q), least = HUGE_VAL;
    struct carom_meeting m;
    carom_bodies_rest(b, q);
    for (uint32_t i = 0; i < p->n; i++) {
        for (uint32_t j = i + 1; j < p->n; j++) {
            carom_meet(b, &(struct carom_contact_key){0, i, j, 0}, q, &m);
            least = fmin(least, m.gap);
        }
        const size_t features = carom_meet_features(&b->body[i], &b->body[p->n]);
        for (uint32_t f = 0; f < features; f++) {
            if (p->region.surface == CAROM_BOX && (f / 2 >= p->dimension || p->region.periodic[f / 2]))
                continue;
            carom_meet(b, &(struct carom_contact_key){0, i, (uint32_t)p->n, f}, q, &m);
            least = fmin(least, m.gap);
        }
    }
    carom_memory_free(q);
    carom_bodies_free(b);
    return least;
}

static void test_packing(struct drawn *p, uint64_t seed)
{
    static double before[MOST][3];
    CHECK_STATUS(place(p, seed), CAROM_OK);
    CHECK(least_gap(p) >= 0.0);
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++)
            CHECK(bare_gap(p, i, j) >= 0.0);
    memcpy(before, p->centre, sizeof before);
    memset(p->centre, 0, sizeof before);
    CHECK_STATUS(place(p, seed), CAROM_OK);
    CHECK(memcmp(before, p->centre, p->n * sizeof *before) == 0);
    CHECK_STATUS(place(p, seed + 1), CAROM_OK);
    CHECK(memcmp(before, p->centre, p->n * sizeof *before) != 0);
}

int main(int argc, char **argv)
{
    static struct drawn p;
    struct carom_random random;
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261116;
    printf("seed %" PRIu64 "\n", seed);
    carom_random_start(&random, seed);
    for (int i = 0; i < check_take(2, 6); i++)
        for (size_t dimension = 2; dimension <= 3; dimension++) {
            draw(&p, &random, CAROM_PACKING_LOOSE, dimension, dimension == 2 ? 0.4 : 0.25);
            test_packing(&p, carom_random_next(&random));
            draw(&p, &random, CAROM_PACKING_DENSE, dimension, dimension == 2 ? 0.78 : 0.54);
            test_packing(&p, carom_random_next(&random));
        }
    return check_end();
}
