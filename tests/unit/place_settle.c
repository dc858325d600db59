/* Bodies at rest: columns, crystals under pressure between walls, a packing on the floor of its box. */
#include "model/place/place_settle.h"
#include "base/random.h"
#include "base/vec.h"
#include "bodies.h"
#include "model/bodies/act.h"
#include "model/place/lattice.h"
#include "model/place/packing.h"
#include "runs.h"

static const double k_hertz = 1e9;
static const double hertz[] = {1e9, 0.0}; /* k, gamma */

/* q at rest, from the bodies' places */
static double *settled(const struct carom_bodies *b, enum carom_status expected, struct carom_error *error)
{
    double *q = carom_memory_zeroed(b->n * carom_bodies_nq(b), sizeof *q);
    carom_bodies_rest(b, q);
    CHECK_STATUS(carom_place_settle(b, q, 1e-12, NULL, error), expected);
    return q;
}

/* forces on all bodies, fixed ones too, worked out anew; returns the largest force at a contact */
static double forces_at(const struct carom_bodies *b, const double *q, double *f)
{
    struct carom_search search;
    struct carom_act act;
    struct carom_contacts *c = carom_list_create(b);
    double largest = 0.0;
    CHECK_STATUS(carom_search_open(&search, b, NULL), CAROM_OK);
    CHECK_STATUS(carom_search_renew(&search, q, 0.0, &c, 1, NULL), CAROM_OK);
    carom_act_open(&act, b);
    CHECK_OR_STOP(carom_act_reserve(&act, c->n));
    CHECK(carom_act_place(&act, c, q) == c->n);
    for (size_t j = 0; j < c->n; j++)
        largest = fmax(largest, act.elastic[j]);
    carom_part_bodies.force(b, 0.0, q, NULL, NULL, f);
    carom_act_push(&act, c, &search, act.elastic, NULL, f);
    carom_act_close(&act);
    carom_search_close(&search);
    carom_list_free(c);
    return largest;
}

/* spheres upon each other: each contact carries what is above it */
static void test_column(void)
{
    enum { N = 40 };
    const double r = 0.01, m = 0.03, g = 9.81;
    struct carom_bodies *b = bodies_of(3, N + 1, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, hertz);
    for (size_t i = 0; i < N; i++)
        bodies_ball(b, i, r, m, 0.0, r + 2.0 * r * (double)i, 0.0);
    bodies_plane(b, N, 0.0, 0.0, 0.0, 1.0);
    b->gravity[1] = -g;
    CHECK_STATUS(carom_bodies_finish(b, NULL), CAROM_OK);
    struct carom_error error = {CAROM_OK, ""};
    double *q = settled(b, CAROM_OK, &error), sunk = 0.0;
    for (size_t i = 0; i < N; i++) {
        const double overlap = cbrt(pow((double)(N - i) * m * g / k_hertz, 2.0));
        sunk += overlap;
        CHECK_NEAR(q[i * 10 + 1], -sunk, 1e-10 * sunk);
        CHECK_NEAR(q[i * 10], 0.0, 1e-18);
    }
    carom_memory_free(q);
    carom_bodies_free(b);
}

/* a hexagonal crystal of discs in a channel, pressed from the right by a wall that is free to move: all of the load
 * arrives at the left */
static void test_pressed(void)
{
    const size_t count[3] = {12, 9, 1}, n = 108;
    const double r = 0.01, at[3] = {r, r, 0.0}, press = 500.0;
    struct carom_bodies *b = carom_bodies_create(2, n + 4, 1, 1, 1, 0);
    double top = 0.0, f[3 * 112], left_force = 0.0;
    b->pairing[0].law = &carom_law_kuwabara_kono;
    b->pairing[0].param[0].param = k_hertz;
    for (size_t i = 0; i < n; i++) {
        double centre[3];
        carom_lattice_site(CAROM_LATTICE_HEXAGONAL, count, r, at, i, centre);
        bodies_ball(b, i, r, 0.03, centre[0], centre[1], 0.0);
        top = fmax(top, centre[1] + r);
    }
    bodies_plane(b, n, 0.0, 0.0, 1.0, 0.0);
    bodies_plane(b, n + 1, 0.0, 0.0, 0.0, 1.0);
    bodies_plane(b, n + 2, 0.0, top, 0.0, -1.0);
    bodies_plane(b, n + 3, 25.0 * r, 0.0, -1.0, 0.0);
    b->body[n + 3].fixed = false;
    b->body[n + 3].mass = 1.0;
    b->load[0] = (struct carom_body_load){
        .body = n + 3, .force = {-press, 0.0}, .signal = {.shape = CAROM_SHAPE_CONSTANT, .amplitude = 1.0}};
    CHECK_STATUS(carom_bodies_finish(b, NULL), CAROM_OK);
    struct carom_error error = {CAROM_OK, ""};
    double *q = settled(b, CAROM_OK, &error);
    const double largest = forces_at(b, q, f);
    for (size_t i = 0; i < n; i++)
        CHECK(hypot(f[3 * i], f[3 * i + 1]) <= 1.1e-12 * largest);
    left_force = f[3 * n];
    CHECK_NEAR(left_force, -press, 1e-9 * press);
    CHECK(largest > press / 9.0);
    carom_memory_free(q);
    carom_bodies_free(b);
}

/* a packing falls onto the floor of its box: the floor carries its weight */
static void test_packing(uint64_t seed)
{
    enum { N = 120 };
    const struct carom_place_region region = {.surface = CAROM_BOX, .size = {8.0, 10.0, 0.0}};
    double radius[N], centre[N][3], f[3 * N + 3], weight = 0.0;
    struct carom_random random;
    struct carom_error error = {CAROM_OK, ""};
    carom_random_start(&random, seed);
    for (size_t i = 0; i < N; i++)
        radius[i] = 0.7 + 0.2 * carom_random_uniform(&random);
    CHECK_STATUS(carom_packing_place(CAROM_PACKING_DENSE, 2, &region, N, radius, seed, NULL, centre, &error), CAROM_OK);
    struct carom_bodies *b = bodies_of(2, N + 1, 0, &carom_law_hertz, CAROM_END_GAP, (double[]){1e5});
    for (size_t i = 0; i < N; i++) {
        bodies_ball(b, i, radius[i], 1.0, centre[i][0], centre[i][1], 0.0);
        weight += 9.81;
    }
    b->body[N].surface = CAROM_BOX;
    b->body[N].inside = b->body[N].fixed = true;
    b->body[N].size[0] = 8.0;
    b->body[N].size[1] = 10.0;
    b->gravity[1] = -9.81;
    CHECK_STATUS(carom_bodies_finish(b, NULL), CAROM_OK);
    double *q = settled(b, CAROM_OK, &error);
    if (error.status != CAROM_OK)
        fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, error.text);
    const double largest = forces_at(b, q, f);
    for (size_t i = 0; i < N; i++)
        CHECK(hypot(f[3 * i], f[3 * i + 1]) <= 1e-11 * largest);
    CHECK_NEAR(f[3 * N + 1], -weight, 1e-9 * weight);
    CHECK_NEAR(f[3 * N], 0.0, 1e-9 * weight);
    carom_memory_free(q);
    carom_bodies_free(b);
}

static void test_refused(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_bodies *b = bodies_of(3, 1, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, hertz);
    bodies_ball(b, 0, 1.0, 1.0, 0.0, 0.0, 0.0);
    CHECK_STATUS(carom_bodies_finish(b, NULL), CAROM_OK);
    carom_memory_free(settled(b, CAROM_OK, &error)); /* nothing pulls it */
    b->gravity[2] = -1.0;
    carom_memory_free(settled(b, CAROM_E_NUMERIC, &error));
    CHECK_CONTAINS(error.text, "nothing holds body");
    b->pairing[0].law = &carom_law_walton_braun;
    carom_memory_free(settled(b, CAROM_E_REFUSED, &error));
    CHECK_CONTAINS(error.text, "has a memory");
    carom_bodies_free(b);
}

/* more bodies than are looked around at a time: all pairs of a square lattice are found, in order */
static void test_many(void)
{
    enum { SIDE = 132 };
    struct carom_bodies *b = bodies_of(2, SIDE * SIDE, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, hertz);
    for (size_t i = 0; i < b->n; i++)
        bodies_ball(b, i, 0.5, 1.0, (double)(i % SIDE), (double)(i / SIDE), 0.0);
    CHECK_STATUS(carom_bodies_finish(b, NULL), CAROM_OK);
    double *q = carom_memory_zeroed(b->n * carom_bodies_nq(b), sizeof *q);
    carom_bodies_rest(b, q);
    struct carom_search search;
    struct carom_contacts *c = carom_list_create(b);
    CHECK_STATUS(carom_search_open(&search, b, NULL), CAROM_OK);
    CHECK_STATUS(carom_search_renew(&search, q, 0.0, &c, 1, NULL), CAROM_OK);
    size_t touching = 0;
    for (size_t j = 0; j < c->n; j++)
        touching += c->key[j].b - c->key[j].a == 1 || c->key[j].b - c->key[j].a == SIDE;
    CHECK(b->n > 256 * CAROM_SEARCH_PARTS && touching == 2 * SIDE * (SIDE - 1));
    carom_search_close(&search);
    carom_list_free(c);
    carom_memory_free(q);
    carom_bodies_free(b);
}

/* A pressure is a force over what the bodies take before it, wherever they stand, and as deep as they are: each of five
 * columns carries a fifth. What would resist to sliding and rolling has no part in it. */
static void test_pressure(void)
{
    static const char *const rubs[] = {"", ", friction: {mu: 0.3, k_t: 8e8}, rolling: {mu: 0.1, slip_speed: 1 mm/s}"};
    for (size_t i = 0; i < sizeof rubs / sizeof *rubs; i++) {
        char text[1000];
        snprintf(
            text, sizeof text,
            "bodies: [lattice: {name: crystal, kind: square, of: sphere, count: [5, 4], radius: 5 mm, material: "
            "steel, at: [105 mm, 205 mm]}, plane: {at: [0, 200 mm], normal: [0, 1]}, plane: {name: lid, at: [0, 240 "
            "mm], normal: [0, -1]}, plane: {at: [100 mm, 0], normal: [1, 0]}, plane: {at: [150 mm, 0], normal: [-1, "
            "0]}]\ncontacts: {law: hertz, k: 1e9%s}\n"
            "start: [{body: crystal, settle: true, press: {lid: 2 kPa}}]\nrun: {until: 0.1 ms}\n",
            rubs[i]);
        struct carom_scene *scene = runs_scene(text, NULL, 0);
        const size_t lid = 21 * carom_bodies_nq(carom_model_bodies(scene->model));
        CHECK_NEAR(scene->q[lid + 1], -5.0 * pow(2000.0 * 0.05 * 0.01 / 5.0 / 1e9, 2.0 / 3.0), 1e-10 * 1e-6);
        carom_scene_free(scene);
    }
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 5;
    test_column();
    test_pressed();
    test_many();
    test_pressure();
    test_packing(seed);
    test_refused();
    return check_end();
}
