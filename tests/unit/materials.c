/* Materials and Hertz's stiffness from them. */
#include "scene/keys/materials.h"

#include "runs.h"
#include "scene/contact/yield.h"

static const struct carom_material *find(const char *name)
{
    const struct carom_material *m = carom_materials_list;
    while (m->name != NULL && strcmp(m->name, name) != 0)
        m++;
    return m->name != NULL ? m : NULL;
}

static void test_table(void)
{
    size_t n = 0;
    for (const struct carom_material *m = carom_materials_list; m->name != NULL; m++, n++) {
        CHECK(find(m->name) == m); /* no name twice */
        CHECK(m->young > 1e6 && m->young < 2e12);
        CHECK(m->poisson >= 0.0 && m->poisson < 0.5);
        CHECK(m->density > 100.0 && m->density < 25000.0);
        CHECK(m->source != NULL && m->source[0] != '\0');
    }
    CHECK(n >= 25);
    const struct carom_material *steel = find("steel");
    CHECK_OR_STOP(steel != NULL);
    CHECK(steel->young == 203e9 && steel->poisson == 0.3 && steel->density == 7780.0);
    CHECK_CONTAINS(steel->source, "Nguyen and Brogliato 2011, section 5");
}

/* Two equal spheres: k = E sqrt(R/2) * 2/3 / (1 - nu^2), against a wall of the same stuff sqrt(2) more, against a rigid
 * one 2 sqrt(2) more. */
static void test_hertz(void)
{
    static const struct carom_material rigid = {"rigid", HUGE_VAL, 0.0, HUGE_VAL, "", 0.0};
    const struct carom_material *steel = find("steel"), *ptfe = find("ptfe");
    const double r = 0.01, pair = carom_materials_hertz(steel, r, steel, r);
    CHECK_NEAR(pair, 203e9 * sqrt(r / 2.0) * (2.0 / 3.0) / (1.0 - 0.09), 1e-12 * pair);
    CHECK_NEAR(carom_materials_hertz(steel, r, steel, HUGE_VAL) / pair, sqrt(2.0), 1e-12);
    CHECK_NEAR(carom_materials_hertz(&rigid, HUGE_VAL, steel, r) / pair, 2.0 * sqrt(2.0), 1e-12);
    CHECK_NEAR(carom_materials_hertz(steel, r, ptfe, 2.0 * r), carom_materials_hertz(ptfe, 2.0 * r, steel, r),
               1e-12 * pair);
    CHECK(carom_materials_hertz(steel, r, ptfe, r) < 0.01 * pair);
}

/* Equal balls: the largest pressure 2 E* / pi sqrt(d / R*) is 1.6 Y where they begin to yield, at a force of 4/3 E*
 * sqrt(R*) d^(3/2), and take the energy 8/15 E* sqrt(R*) d^(5/2) of a closing speed. */
static void test_yield(void)
{
    struct carom_scene *scene =
        runs_scene("bodies: [chain: {count: 2, radius: 1 cm, material: brittle}]\n"
                   "materials: {brittle: {young: 200 GPa, poisson: 0.3, density: 7800, yield: 1 GPa}}\n"
                   "contacts: {law: hertz}\nstart: [{body: 1, velocity: 30 m/s}]\nrun: {until: 1 ms}\n",
                   NULL, 0);
    const double pi = acos(-1.0), modulus = 200e9 / (2.0 * (1.0 - 0.09)), radius = 0.005;
    const double root = 1.6e9 * pi / (2.0 * modulus) * sqrt(radius), stiff = modulus * sqrt(radius);
    const double force = 4.0 / 3.0 * stiff * pow(root, 3.0), mass = 7800.0 * 4.0 / 3.0 * pi * 1e-6 / 2.0;
    const double speed = sqrt(2.0 / mass * 8.0 / 15.0 * stiff * pow(root, 5.0));
    char said[64];
    CHECK_OR_STOP(scene->yield != NULL && scene->yield->n == 3);
    CHECK_NEAR(scene->yield->pair[1].bears, force, 1e-12 * force);
    snprintf(said, sizeof said, "brittle withstands closing speeds of up to %.3g m/s", speed);
    CHECK_CONTAINS(scene->yield->note, said);
    carom_scene_free(scene);
}

/* Balls of 1 cm that meet at `speed`: pressures go with speed^(2/5), to 1.6 Y at the one that they bear. */
static double pressed(const char *bodies, double speed, const char *who)
{
    char text[700], said[CAROM_YIELD_TEXT];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text, bodies, speed); /* NOLINT: ours */
    struct carom_scene *scene = runs_scene(text, NULL, 0);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL && scene->yield != NULL);
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_yield_sink, scene->yield, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    if (who[0] != '\0') /* before the run by the speeds that are to be expected */
        CHECK_CONTAINS(scene->yield->note, "may yield: brittle withstands closing speeds of up to");
    else
        CHECK_TEXT(scene->yield->note, "");
    const double times = scene->yield->pressed, force = scene->yield->hardest.peak_force;
    for (int si = 0; si < 2; si++) {
        char expected[CAROM_YIELD_TEXT];
        snprintf(expected, sizeof expected,
                 "%s would yield: its force of %.4g%s at t = %.6g%s presses %.3g times as hard as brittle withstands "
                 "elastically, so that real forces are lower and real losses higher",
                 who, force, si ? " N" : "", scene->yield->hardest.peak_time, si ? " s" : "", times);
        CHECK(carom_yield_say(scene->yield, scene, si, said) == (times > 1.0));
        if (times > 1.0)
            CHECK_TEXT(said, expected);
    }
    carom_sim_free(sim);
    carom_scene_free(scene);
    return times;
}

#define BRITTLE \
    "materials: {brittle: {young: 200 GPa, poisson: 0.3, density: 7800, yield: 1 GPa}}\ncontacts: {law: hertz}\n"

static void test_pressed(void)
{
    static const char row[] = "bodies: [chain: {count: 2, radius: 1 cm, material: brittle}]\n" BRITTLE
                              "start: [{body: 1, velocity: %g}]\nrun: {until: 1 ms}\n";
    static const char pair[] =
        "bodies:\n"
        "  - sphere: {at: [0, 0, 0], radius: 1 cm, material: brittle, velocity: [0, 0, %g]}\n"
        "  - sphere: {at: [0, 0, 20.1 mm], radius: 1 cm, material: brittle}\n"
        "  - sphere: {at: [0, 1, 0], radius: 2 cm, material: brittle}\n" BRITTLE "run: {until: 1 ms}\n";
    static const char floor[] =
        "bodies:\n"
        "  - plane: {at: [0, 0, 0], normal: [0, 0, 1], material: brittle}\n"
        "  - sphere: {at: [0, 0, 10 mm], radius: 1 cm, material: brittle, velocity: [0, 0, -%g]}\n" BRITTLE
        "run: {until: 1 ms}\n";
    const double fast = pressed(row, 30.0, "contact 1"), slow = pressed(row, 0.003, "");
    CHECK(slow < 1.0 && fast > 1.0);
    CHECK_NEAR(fast / slow, pow(1e4, 0.4), 1e-4 * fast / slow);
    CHECK_NEAR(pressed(pair, 30.0, "the contact of bodies 1 and 2") / fast, 1.0, 1e-4);
    /* twice the mass that moves and R*: pressures go with (m v^2 / R*^3)^(1/5) */
    CHECK_NEAR(pressed(floor, 30.0, "the contact of bodies 1 and 2") / fast, pow(0.25, 0.2), 1e-4);
}

int main(void)
{
    test_table();
    test_hertz();
    test_yield();
    test_pressed();
    return check_end();
}
