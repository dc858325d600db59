/* Each allocation of reading a scene of discs fails once: tables, crystals with intruders, packings among others, walls
 * that press. The answer is always "out of memory" with a sentence; under AddressSanitizer also never a leak. */
#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"

static const char scene_text[] =
    "units: none\n"
    "domain: [[-9, 0], [30, 30]]\n"
    "outside: remove\n"
    "bodies:\n"
    "  - {file: balls.csv, name: table}\n"
    "  - lattice: {name: l, kind: square, count: [3, 3], at: [10.5, 0.5], radius: 0.5, vacancies: 0.2,\n"
    "              intruders: [{at: 2, mass: 3}, {share: 0.2, mass: 2}]}\n"
    "  - plane: {at: [0, 0], normal: [0, 1]}\n"
    "  - plane: {name: lid, at: [0, 25], normal: [0, -1]}\n"
    "  - packing: {count: 4, radius: 0.5, in: [[-8, 1], [9, 9]], seed: 1}\n"
    "materials: {a: {young: 1, poisson: 0.3, density: 1}, b: {young: 2, poisson: 0.3, density: 1}}\n"
    "contacts: {law: hertz, k: 100}\n"
    "gravity: [0, -1]\n"
    "start: [{body: l, settle: true}]\n"
    "run: {until: 1, step: 0.1}\n";

static bool write_table(void)
{
    FILE *file = fopen("balls.csv", "w");
    if (!file)
        return false;
    fputs("x,y,radius,material\n0,1,1,a\n3,1,1,b\n6,1,1,a\n", file);
    return fclose(file) == 0;
}

int main(void)
{
    unsigned long nth = 1;
    CHECK(write_table());
    for (; nth < 100000; nth++) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        struct carom_scene *scene = carom_scene_parse("test", scene_text, sizeof scene_text - 1, NULL, 0, &error);
        carom_memory_fail(0);
        carom_scene_free(scene);
        if (scene)
            break; /* there were fewer allocations than that */
        CHECK(error.status == CAROM_E_MEMORY && error.text[0] != '\0');
    }
    printf("%lu allocations, each failed once\n", nth - 1);
    CHECK(nth > 50);
    return check_end();
}
