/* Materials and Hertz's stiffness from them. */
#include "scene/materials.h"

#include "runs.h"
#include "scene/yield.h"

static void test_table(void)
{
    size_t n = 0;
    for (const struct carom_material *m = carom_materials_list; m->name != NULL; m++, n++) {
        CHECK(carom_materials_find(m->name) == m); /* no name twice */
        CHECK(m->young > 1e6 && m->young < 2e12);
        CHECK(m->poisson >= 0.0 && m->poisson < 0.5);
        CHECK(m->density > 100.0 && m->density < 25000.0);
        CHECK(m->source != NULL && m->source[0] != '\0');
    }
    CHECK(n >= 25);
    CHECK(carom_materials_find("unobtainium") == NULL);
    const struct carom_material *steel = carom_materials_find("steel");
    CHECK_OR_STOP(steel != NULL);
    CHECK(steel->young == 203e9 && steel->poisson == 0.3 && steel->density == 7780.0);
    CHECK_CONTAINS(steel->source, "Nguyen and Brogliato 2011, section 5");
}

/* Two equal spheres: k = E sqrt(R/2) * 2/3 / (1 - nu^2), against a wall of the same stuff sqrt(2) more, against a rigid
 * one 2 sqrt(2) more. */
static void test_hertz(void)
{
    static const struct carom_material rigid = {"rigid", HUGE_VAL, 0.0, HUGE_VAL, "", 0.0};
    const struct carom_material *steel = carom_materials_find("steel"), *ptfe = carom_materials_find("ptfe");
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
    snprintf(said, sizeof said, "brittle bears closing speeds of up to %.3g m/s", speed);
    CHECK_CONTAINS(scene->yield->note, said);
    carom_scene_free(scene);
}

int main(void)
{
    test_table();
    test_hertz();
    test_yield();
    return check_end();
}
