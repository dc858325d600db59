/* Sums over contacts of discs and spheres beside closed forms: stress of bodies and regions, fabric, coordination. */
#include "record/grains.h"
#include "base/random.h"
#include "bodies.h"

#define MOST 64
#define PI 3.14159265358979323846

/* bodies and contacts by hand, in three dimensions */
struct heap {
    struct carom_grains grains;
    double place[3 * MOST], velocity[3 * MOST];
    struct carom_touch touch[4 * MOST];
    struct carom_grains_moment moment;
};

static void heap_open(struct heap *h, size_t n)
{
    memset(h, 0, sizeof *h);
    CHECK(carom_grains_reserve(&h->grains, n));
    h->grains.dimension = 3;
    h->moment = (struct carom_grains_moment){.place = h->place, .velocity = h->velocity, .touch = h->touch};
}

static void heap_ball(struct heap *h, size_t i, double radius, double x, double y, double z)
{
    const double place[3] = {x, y, z};
    h->grains.radius[i] = radius;
    h->grains.mass[i] = 1.0;
    h->grains.volume[i] = 4.0 / 3.0 * PI * radius * radius * radius;
    memcpy(h->place + 3 * i, place, sizeof place);
}

/* a contact at a point, bodies from 0; the force is that on the second */
static void heap_touch(struct heap *h, size_t a, size_t b, const double point[3], const double normal[3],
                       const double force[3])
{
    struct carom_touch *t = &h->touch[h->moment.ntouches++];
    *t = (struct carom_touch){.pair = {a + 1, b + 1}};
    memcpy(t->point, point, sizeof t->point);
    memcpy(t->normal, normal, sizeof t->normal);
    memcpy(t->force, force, sizeof t->force);
}

static const struct carom_region everywhere = {{-100.0, -100.0, -100.0}, {100.0, 100.0, 100.0}};

/* 3 x 3 x 3 balls of radius 1 between walls, pressed along z with force f in every column */
static void test_pressed_lattice(void)
{
    static struct heap h;
    const double f = 2.5, up[3] = {0.0, 0.0, 1.0}, push[3] = {0.0, 0.0, f};
    double stress[MOST][6], whole[6], fabric[6];
    heap_open(&h, 29); /* the walls come last: below and above */
    for (size_t i = 0; i < 27; i++)
        heap_ball(&h, i, 1.0, 1.0 + 2.0 * (double)(i % 3), 1.0 + 2.0 * (double)(i / 3 % 3),
                  1.0 + 2.0 * (double)(i / 9));
    for (size_t i = 0; i < 27; i++) {
        const double *c = h.place + 3 * i, top[3] = {c[0], c[1], c[2] + 1.0};
        if (i < 9)
            heap_touch(&h, i, 27, (double[]){c[0], c[1], 0.0}, (double[]){0.0, 0.0, -1.0}, (double[]){0.0, 0.0, -f});
        heap_touch(&h, i, i + 9 < 27 ? i + 9 : 28, top, up, push);
    }
    const struct carom_region box = {{0.0, 0.0, 0.0}, {6.0, 6.0, 6.0}}, part = {{1.3, 0.0, 0.7}, {5.3, 6.0, 4.9}};
    carom_grains_stress(&h.grains, &h.moment, stress);
    for (size_t i = 0; i < 27; i++)
        CHECK_NEAR(stress[i][2], -2.0 * f / (4.0 / 3.0 * PI), 1e-14);
    CHECK(stress[27][2] == 0.0 && stress[3][0] == 0.0 && stress[3][4] == 0.0);
    carom_grains_region_stress(&h.grains, &box, &h.moment, whole);
    CHECK_NEAR(whole[2], -9.0 * f / 36.0, 1e-14); /* force over area */
    CHECK(whole[0] == 0.0 && whole[1] == 0.0 && whole[5] == 0.0);
    carom_grains_region_stress(&h.grains, &part, &h.moment, whole);
    CHECK_NEAR(whole[2], -6.0 * f / 24.0, 1e-14); /* two of three columns go through */
    CHECK_NEAR(carom_grains_coordination(&h.grains, NULL, &h.moment), 2.0, 0.0);
    carom_grains_fabric(&h.grains, NULL, &h.moment, fabric);
    CHECK(fabric[2] == 1.0 && fabric[0] == 0.0);
    carom_grains_region_kinetic(&h.grains, &box, &h.moment, whole);
    CHECK(whole[2] == 0.0);
    carom_grains_close(&h.grains);
}

static double draw(struct carom_random *random)
{
    return 2.0 * carom_random_uniform(random) - 1.0;
}

/* any places, any forces; `turn` has the axes of the turned scene in its rows */
static void fill(struct heap *h, const double turn[3][3])
{
    struct carom_random random;
    carom_random_start(&random, 5);
    heap_open(h, 40);
    for (size_t i = 0; i < 40; i++)
        heap_ball(h, i, 0.5 + 0.2 * draw(&random), 0.0, 0.0, 0.0);
    double *const vectors[] = {h->place, h->velocity};
    for (size_t j = 0; j < 2 * 40 + 3 * 60; j++) {
        const double x[3] = {draw(&random), draw(&random), draw(&random)};
        struct carom_touch *t = j >= 80 ? &h->touch[(j - 80) / 3] : NULL;
        double *to = j < 80       ? vectors[j / 40] + 3 * (j % 40)
                     : j % 3 == 0 ? t->point
                     : j % 3 == 1 ? t->normal
                                  : t->force;
        for (int k = 0; k < 3; k++)
            to[k] = turn[k][0] * x[0] + turn[k][1] * x[1] + turn[k][2] * x[2];
        if (t != NULL)
            t->pair[0] = 1 + (j * 7) % 20, t->pair[1] = 21 + (j * 11) % 20;
    }
    h->moment.ntouches = 60;
}

static void turn_tensor(const double turn[3][3], const double t[6], double out[6])
{
    static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    memset(out, 0, 6 * sizeof *out);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    out[place[i][j]] += turn[i][k] * t[place[k][l]] * turn[j][l];
}

/* the tensors of a scene that is turned are those of the scene, turned */
static void test_turned(void)
{
    static struct heap a, b;
    const double c = cos(0.7), s = sin(0.7), unity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double turn[3][3] = {{c, -s * 0.6, s * 0.8}, {s, c * 0.6, -c * 0.8}, {0.0, 0.8, 0.6}};
    double of_a[4][6], of_b[4][6], turned[6], stress[2][MOST][6];
    fill(&a, unity);
    fill(&b, turn);
    struct heap *const heap[] = {&a, &b};
    for (int i = 0; i < 2; i++) {
        double(*to)[6] = i == 0 ? of_a : of_b;
        carom_grains_region_stress(&heap[i]->grains, &everywhere, &heap[i]->moment, to[0]);
        carom_grains_region_kinetic(&heap[i]->grains, &everywhere, &heap[i]->moment, to[1]);
        carom_grains_fabric(&heap[i]->grains, NULL, &heap[i]->moment, to[2]);
        carom_grains_stress(&heap[i]->grains, &heap[i]->moment, stress[i]);
        memcpy(to[3], stress[i][7], sizeof to[3]);
    }
    for (int what = 0; what < 4; what++) {
        turn_tensor(turn, of_a[what], turned);
        for (int k = 0; k < 6; k++)
            CHECK_NEAR(of_b[what][k], turned[k], 1e-13);
    }
    carom_grains_close(&a.grains);
    carom_grains_close(&b.grains);
}

/* bodies, the regions that tile a space, and the space: three ways to one sum */
static void test_sums(void)
{
    static struct heap h;
    const double unity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double stress[MOST][6], whole[6], tiles[6] = {0.0}, bodies[6] = {0.0};
    fill(&h, unity);
    carom_grains_stress(&h.grains, &h.moment, stress);
    carom_grains_region_stress(&h.grains, &everywhere, &h.moment, whole);
    for (size_t i = 0; i < 40; i++)
        for (int k = 0; k < 6; k++)
            bodies[k] += h.grains.volume[i] * stress[i][k];
    for (int i = 0; i < 64; i++) {
        const int step[3] = {i % 4, i / 4 % 4, i / 16};
        struct carom_region tile;
        double part[6];
        for (int k = 0; k < 3; k++) {
            tile.low[k] = -2.0 + step[k];
            tile.high[k] = tile.low[k] + 1.0;
        }
        carom_grains_region_stress(&h.grains, &tile, &h.moment, part);
        for (int k = 0; k < 6; k++)
            tiles[k] += part[k];
    }
    for (int k = 0; k < 6; k++) {
        CHECK_NEAR(whole[k] * 200.0 * 200.0 * 200.0, bodies[k], 1e-12);
        CHECK_NEAR(tiles[k], bodies[k], 1e-12);
    }
    carom_grains_close(&h.grains);
}

/* an arm that leaves through a joined side comes in at the other */
static void test_joined(void)
{
    static struct heap h;
    double stress[6], left[6];
    heap_open(&h, 2);
    h.grains.periodic[0] = h.grains.bounded = true;
    h.grains.high[0] = h.grains.high[1] = h.grains.high[2] = 10.0;
    heap_ball(&h, 0, 1.0, 0.3, 5.0, 5.0);
    heap_ball(&h, 1, 1.0, 8.4, 5.0, 5.0);
    heap_touch(&h, 0, 1, (double[]){9.35, 5.0, 5.0}, (double[]){-1.0, 0.0, 0.0}, (double[]){-3.0, 0.0, 0.0});
    struct carom_region region;
    CHECK(carom_grains_whole(&h.grains, &region));
    carom_grains_region_stress(&h.grains, &region, &h.moment, stress);
    CHECK_NEAR(stress[0], -3.0 * 1.9 / 1000.0, 1e-16);
    const struct carom_region half = {{0.0, 0.0, 0.0}, {5.0, 10.0, 10.0}};
    carom_grains_region_stress(&h.grains, &half, &h.moment, left);
    CHECK_NEAR(left[0], -3.0 * 0.3 / 500.0, 1e-16);
    carom_grains_close(&h.grains);
}

/* Two discs that fly to and fro between walls, one against the other: over a whole period the two stresses together are
 * the force on a wall over its area, momentum that comes in over time and area. */
static void test_momentum_flux(void)
{
    static const char *const probes[] = {"region_stress", "region_kinetic", "position"};
    const double param[] = {1e4, 0.0}, speed = 3.0, length = 4.0;
    const struct carom_region region = {{0.0, 0.0}, {length, 5.0}};
    const struct carom_schedule schedule = {.every_steps = 1};
    struct carom_bodies *b = bodies_of(2, 4, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    bodies_ball(b, 0, 0.5, 1.0, 2.0, 1.0, 0.0);
    bodies_ball(b, 1, 0.5, 1.0, 2.0, 4.0, 0.0);
    for (size_t i = 2; i < 4; i++) {
        b->body[i].surface = CAROM_PLANE;
        b->body[i].fixed = true;
        b->body[i].at[0] = i == 2 ? 0.0 : length;
        b->body[i].normal[0] = i == 2 ? 1.0 : -1.0;
        b->body[i].frame[0] = 1.0;
    }
    const double v[12] = {speed, 0.0, 0.0, -speed};
    struct carom_model *model = bodies_model(b);
    struct carom_recorder *recorder = carom_recorder_create(model, probes, 3, &schedule, NULL);
    struct carom_memory *m = carom_sink_memory_new();
    CHECK_STATUS(carom_recorder_region(recorder, &region, NULL), CAROM_OK);
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_memory, m, NULL), CAROM_OK);
    struct carom_sim *sim = bodies_sim_of(model, b, v, &carom_scheme_verlet, "step", 1e-4, 3.0, recorder);
    bodies_run(sim);
    double stress = 0.0;
    const size_t contact = carom_sink_memory_column(m, "region_stress", 0);
    const size_t kinetic = carom_sink_memory_column(m, "region_kinetic", 0);
    const size_t x = carom_sink_memory_column(m, "position", 0);
    size_t end = 1000; /* once to and fro */
    while (end + 1 < m->nrows && !(m->value[(end - 1) * m->width + x] < 2.0 && m->value[end * m->width + x] >= 2.0))
        end++;
    CHECK_OR_STOP(end + 1 < m->nrows);
    for (size_t i = 0; i < end; i++)
        stress += m->value[i * m->width + contact] + m->value[i * m->width + kinetic];
    CHECK_NEAR(stress / (double)end, -4.0 * speed / m->time[end] / 5.0, 1e-4);
    carom_sim_free(sim);
}

/* what discs (of a plane as deep as 1) and spheres fill, where nobody said it */
static void test_volumes(void)
{
    const double hertz[] = {1.0}, r = 0.3, volume[2] = {PI * r * r, 4.0 / 3.0 * PI * r * r * r};
    for (size_t dimension = 2; dimension <= 3; dimension++) {
        struct carom_bodies *b = bodies_of(dimension, 2, 0, &carom_law_hertz, CAROM_END_GAP, hertz);
        bodies_ball(b, 0, r, 1.0, 0.0, 0.0, 0.0);
        bodies_ball(b, 1, r, 1.0, 1.0, 0.0, 0.0);
        b->body[1].volume = 7.0;
        struct carom_model *model = bodies_model(b);
        CHECK_NEAR(b->body[0].volume, volume[dimension - 2], 1e-15);
        CHECK_NEAR(b->body[0].depth, dimension == 2 ? 1.0 : 2.0 * r, 1e-15);
        CHECK(b->body[1].volume == 7.0);
        carom_model_free(model);
    }
}

int main(void)
{
    test_pressed_lattice();
    test_turned();
    test_sums();
    test_joined();
    test_momentum_flux();
    test_volumes();
    return check_end();
}
