/* The chains a scene can describe: tapered, stepped, decorated, composite, disordered, with impurities and several
 * strikers; and what sensors read. Sizes and masses against numbers worked out here. */
#include "carom/scene.h"
#include "check.h"

static const double pi = 3.14159265358979323846;

static struct carom_scene *parse(const char *text)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    if (scene == NULL) {
        fprintf(stderr, "%s\n%s\n", error.text, text);
        exit(1);
    }
    return scene;
}

static const struct carom_beads *beads_of(const struct carom_scene *scene)
{
    return carom_model_chain(scene->model);
}

static void check_near_all(const double *found, const double *expected, size_t n)
{
    for (size_t i = 0; i < n; i++)
        CHECK_NEAR(found[i] / expected[i], 1.0, 4e-15);
}

static void test_taper(void)
{
    struct carom_scene *s = parse("bodies: [chain: {count: 4, radius: 8 mm, material: steel, taper: {ratio: 0.5}}]\n"
                                  "run: {until: 1}\n");
    const double halves[] = {8e-3, 4e-3, 2e-3, 1e-3};
    double mass[4];
    for (size_t i = 0; i < 4; i++)
        mass[i] = 4.0 / 3.0 * pi * pow(halves[i], 3.0) * 7780.0;
    check_near_all(beads_of(s)->radius, halves, 4);
    check_near_all(beads_of(s)->mass, mass, 4);
    carom_scene_free(s);
    s = parse("bodies: [chain: {count: 3, radius: 9 mm, material: steel, taper: {radius: 1 mm}}]\nrun: {until: 1}\n");
    check_near_all(beads_of(s)->radius, (const double[]){9e-3, 3e-3, 1e-3}, 3);
    carom_scene_free(s);
    s = parse("bodies: [chain: {count: 5, radius: 9 mm, material: steel, taper: {radius: 1 mm, shape: linear}}]\n"
              "run: {until: 1}\n");
    check_near_all(beads_of(s)->radius, (const double[]){9e-3, 7e-3, 5e-3, 3e-3, 1e-3}, 5);
    carom_scene_free(s);
    s = parse("units: none\nbodies: [chain: {count: 3, mass: 8, taper: {ratio: 0.5, of: mass}}]\nrun: {until: 1}\n");
    check_near_all(beads_of(s)->mass, (const double[]){8, 4, 2}, 3);
    carom_scene_free(s);
    /* a pattern is multiplied */
    s = parse("units: none\nbodies: [chain: {count: 4, pattern: [{mass: 1}, {mass: 3}], taper: {ratio: 2, of: mass}}]\n"
              "run: {until: 1}\n");
    check_near_all(beads_of(s)->mass, (const double[]){1, 6, 4, 24}, 4);
    carom_scene_free(s);
}

static void test_decorated(void)
{
    struct carom_scene *s =
        parse("bodies:\n"
              "  - striker: {side: left, velocity: 1, radius: 5 mm, material: steel}\n"
              "  - chain: {radius: [4 mm, 3 mm, 2 mm], material: [steel, ptfe, glass], decorate: {radius: 1 mm}}\n"
              "run: {until: 1}\n");
    CHECK(beads_of(s)->n == 6);
    check_near_all(beads_of(s)->radius, (const double[]){5e-3, 4e-3, 1e-3, 3e-3, 1e-3, 2e-3}, 6);
    /* a small bead is of the material of the bead before it, unless it says its own */
    const double density[] = {7780, 7780, 7780, 2200, 2200, 2500};
    for (size_t i = 0; i < 6; i++)
        CHECK_NEAR(beads_of(s)->mass[i] / (4.0 / 3.0 * pi * pow(beads_of(s)->radius[i], 3.0) * density[i]), 1.0, 4e-15);
    carom_scene_free(s);
    s = parse("units: none\nbodies: [chain: {count: 3, mass: 2, spring: 0.5, taper: {mass: 8}, decorate: {mass: 0.1},\n"
              "  gap: [1, 2, 3, 4], impurity: {at: 2, mass: 7}}]\nrun: {until: 1}\n");
    check_near_all(beads_of(s)->mass, (const double[]){2, 7, 4, 0.1, 8}, 5);
    check_near_all(s->model->gap, (const double[]){1, 2, 3, 4}, 4);
    CHECK(beads_of(s)->spring[0] == 0.5 && beads_of(s)->spring[1] == 0.0 && beads_of(s)->spring[4] == 0.5);
    carom_scene_free(s);
}

/* mean, spread and range of n numbers */
struct spread {
    double mean, deviation, low, high;
};

static struct spread spread_of(const double *x, size_t n)
{
    struct spread s = {0.0, 0.0, x[0], x[0]};
    for (size_t i = 0; i < n; i++) {
        s.mean += x[i] / (double)n;
        s.low = fmin(s.low, x[i]);
        s.high = fmax(s.high, x[i]);
    }
    for (size_t i = 0; i < n; i++)
        s.deviation += (x[i] - s.mean) * (x[i] - s.mean) / (double)n;
    s.deviation = sqrt(s.deviation);
    return s;
}

static struct carom_scene *disordered(const char *disorder, const char *seed)
{
    char text[400];
    snprintf(text, sizeof text,
             "units: none\nseed: %s\nbodies: [chain: {count: 4001, mass: 2, radius: 3, %s}]\ncontacts: {k: 5}\n"
             "run: {until: 1}\n",
             seed, disorder);
    return parse(text);
}

/* The bounds are five standard errors of 4000 draws. */
static void test_disorder(void)
{
    struct carom_scene *s = disordered("disorder: {of: mass, width: 0.5}", "1");
    struct spread m = spread_of(beads_of(s)->mass, 4001);
    CHECK(m.low >= 1.0 && m.low < 1.01 && m.high <= 3.0 && m.high > 2.99);
    CHECK_NEAR(m.mean, 2.0, 5.0 * 1.0 / sqrt(3.0) / 63.0);
    CHECK_NEAR(m.deviation, 1.0 / sqrt(3.0), 0.03);
    carom_scene_free(s);
    s = disordered("disorder: {of: radius, kind: normal, deviation: 0.1}", "1");
    m = spread_of(beads_of(s)->radius, 4001);
    CHECK_NEAR(m.mean, 3.0, 5.0 * 0.3 / 63.0);
    CHECK_NEAR(m.deviation, 0.3, 0.02);
    CHECK(spread_of(beads_of(s)->mass, 4001).deviation < 1e-12); /* the mass is given */
    carom_scene_free(s);
    s = disordered("disorder: {of: stiffness, kind: two-valued, ratio: 3, share: 0.25}", "1");
    const double *k = s->model->group[0].param[0];
    size_t many = 0;
    for (size_t j = 0; j < 4000; j++) {
        CHECK(k[j] == 5.0 || k[j] == 15.0);
        many += k[j] == 15.0;
    }
    CHECK(many > 1000 - 137 && many < 1000 + 137);
    carom_scene_free(s);
}

static bool same_masses(struct carom_scene *a, struct carom_scene *b)
{
    const bool same = memcmp(beads_of(a)->mass, beads_of(b)->mass, beads_of(a)->n * sizeof(double)) == 0;
    carom_scene_free(a);
    carom_scene_free(b);
    return same;
}

static void test_seeds(void)
{
    const char *plain = "disorder: {of: mass, width: 0.5}", *own = "disorder: {of: mass, width: 0.5, seed: 9}";
    CHECK(same_masses(disordered(plain, "1"), disordered(plain, "1")));
    CHECK(!same_masses(disordered(plain, "1"), disordered(plain, "2")));
    CHECK(same_masses(disordered(own, "1"), disordered(own, "2")));
    /* two chains of one scene differ */
    struct carom_scene *s = parse("units: none\nbodies:\n  - chain: {count: 50, disorder: {of: mass, width: 0.5}}\n"
                                  "  - chain: {count: 50, disorder: {of: mass, width: 0.5}}\nrun: {until: 1}\n");
    const double *mass = beads_of(s)->mass;
    for (size_t i = 0; i < 50; i++)
        CHECK(mass[i] != mass[50 + i]);
    carom_scene_free(s);
}

static void test_impurities(void)
{
    struct carom_scene *s =
        parse("bodies:\n  - chain: {count: 5, radius: 1 mm, material: steel, disorder: {of: mass, width: 0.1},\n"
              "      impurity: [{at: 2, material: ptfe}, {at: [4, 5], mass: 1 g, radius: 3 mm}]}\n"
              "run: {until: 1}\n");
    const double sphere = 4.0 / 3.0 * pi * 1e-9;
    CHECK(fabs(beads_of(s)->mass[1] / (sphere * 2200.0) - 1.0) <= 0.1);
    CHECK(fabs(beads_of(s)->mass[0] / (sphere * 7780.0) - 1.0) <= 0.1 && beads_of(s)->mass[0] != sphere * 7780.0);
    CHECK(beads_of(s)->mass[3] == 1e-3 && beads_of(s)->mass[4] == 1e-3 && beads_of(s)->radius[4] == 3e-3);
    carom_scene_free(s);
    s = parse("units: none\nbodies: [chain: {count: 4000, impurity: {share: 0.1, mass: 9, seed: 3},\n"
              "  disorder: {of: mass, width: 0.2}}]\nrun: {until: 1}\n");
    size_t many = 0;
    for (size_t i = 0; i < 4000; i++) { /* what an impurity says is not disordered */
        many += beads_of(s)->mass[i] == 9.0;
        CHECK(beads_of(s)->mass[i] == 9.0 || fabs(beads_of(s)->mass[i] - 1.0) <= 0.2);
    }
    CHECK(many > 400 - 95 && many < 400 + 95);
    carom_scene_free(s);
}

static void test_strikers(void)
{
    struct carom_scene *s = parse("units: none\nbodies:\n  - striker: {side: right, velocity: -1, mass: 3, gap: 0.5}\n"
                                  "  - striker: {side: left, velocity: 4, mass: 7, gap: 0.25}\n"
                                  "  - striker: {side: left, count: 2, velocity: 2, mass: 5, gap: 0.75}\n"
                                  "  - chain: {count: 2}\n"
                                  "  - striker: {side: right, velocity: -2, mass: 4, gap: 1.5}\nrun: {until: 1}\n");
    check_near_all(beads_of(s)->mass, (const double[]){7, 5, 5, 1, 1, 3, 4}, 7);
    const double v[] = {4, 2, 2, 0, 0, -1, -2}, gap[] = {0.25, 0, 0.75, 0, 0.5, 1.5};
    for (size_t i = 0; i < 7; i++)
        CHECK(s->v[i] == v[i]);
    for (size_t j = 0; j < 6; j++)
        CHECK(s->model->gap[j] == gap[j]);
    carom_scene_free(s);
}

/* --- sensors ---------------------------------------------------------------------------------------------------- */

static struct carom_memory *run(const char *text, struct carom_sim **sim)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = parse(text);
    *sim = carom_scene_sim(scene, &error);
    struct carom_memory *memory = carom_sink_memory_new();
    CHECK(*sim != NULL && carom_recorder_attach((*sim)->recorder, &carom_sink_memory, memory, &error) == CAROM_OK);
    CHECK(carom_sim_run(*sim, NULL, &error) == CAROM_OK);
    carom_scene_free(scene);
    return memory;
}

/* Inside a bead the mean of both sides, at walls and contacts their force; the filter against its own equation,
 * integrated here by the trapezium rule on a fine grid of the same straight lines. */
static void test_sensors(void)
{
    struct carom_sim *sim;
    const struct carom_memory *m = run(
        "units: none\nbodies: [{wall: {side: left}}, {chain: {count: 6}}, {wall: {side: right}}]\ncontacts: {k: 1}\n"
        "start: [{body: 1, velocity: 1}]\nrun: {until: 20}\nrecord: {every: 0.05}\n"
        "sensors: [{name: inside, body: 3}, {name: first, wall: left}, {name: last, wall: right}, {name: two, contact: "
        "2},\n"
        "  {name: end, body: 6, bandwidth: 0.3}]\n",
        &sim);
    const size_t force = carom_sink_memory_column(m, "contact_force", 0),
                 felt = carom_sink_memory_column(m, "sensor", 0);
    double y = 0.0, largest = 0.0;
    CHECK(m->nrows == 401 && felt != SIZE_MAX);
    for (size_t row = 0; row < m->nrows; row++) {
        const double *f = m->value + row * m->width + force, *s = m->value + row * m->width + felt;
        CHECK(s[0] == 0.5 * f[2] + 0.5 * f[3] && s[1] == f[0] && s[2] == f[6] && s[3] == f[2]);
        CHECK(s[5] == 0.5 * f[5] + 0.5 * f[6]);
        const double before = row > 0 ? 0.5 * f[5 - (ptrdiff_t)m->width] + 0.5 * f[6 - (ptrdiff_t)m->width] : s[5];
        enum { FINE = 400 };
        for (int i = 0; row > 0 && i < FINE; i++) { /* y' = 2 pi f (x - y) */
            const double z = 2.0 * pi * 0.3 * 0.05 / FINE, x0 = before + (s[5] - before) * i / FINE,
                         x1 = before + (s[5] - before) * (i + 1) / FINE;
            y = (y * (1.0 - z / 2.0) + z / 2.0 * (x0 + x1)) / (1.0 + z / 2.0);
        }
        y = row == 0 ? s[5] : y;
        CHECK_NEAR(s[4], y, 1e-9);
        largest = fmax(largest, fabs(s[4] - s[5]));
    }
    CHECK(largest > 0.05); /* the filter does something */
    carom_sim_free(sim);
}

int main(void)
{
    test_taper();
    test_decorated();
    test_disorder();
    test_seeds();
    test_impurities();
    test_strikers();
    test_sensors();
    return check_end();
}
