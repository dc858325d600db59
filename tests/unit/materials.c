/* Materials and Hertz's stiffness from them. */
#include "scene/materials.h"

#include "check.h"

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

int main(void)
{
    test_table();
    test_hertz();
    return check_end();
}
