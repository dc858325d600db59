/* Each allocation of reading a scene of solids and a ball that settle together fails once. The answer is always "out of
 * memory" with a sentence; under AddressSanitizer also never a leak. */
#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"

static const char scene_text[] =
    "units: none\n"
    "theory: solid\n"
    "gravity: [0, -1]\n"
    "bodies:\n"
    "  - solid: {name: a, box: {size: [2, 1], cells: [4, 2]}, material: {young: 1e4, poisson: 0.2, density: 1}, "
    "clamps: [{face: bottom}]}\n"
    "  - solid: {name: b, box: {size: [1, 1], cells: [2, 2], origin: [0.5, 1]}, material: {young: 1e4, poisson: 0.2, "
    "density: 1}}\n"
    "  - solid: {name: c, box: {size: [1, 1], cells: [2, 2], origin: [1.5, 1]}, material: {young: 1e4, poisson: 0.2, "
    "density: 1}}\n"
    "  - disc: {at: [1, 2.2], radius: 0.2, mass: 1}\n"
    "ties: [{between: [b, c]}, {between: [a, b]}]\n"
    "contacts: {law: power, p: 1.5, k: 1e5}\n"
    "start: [{settle: true}]\n"
    "run: {until: 1}\n";

int main(void)
{
    unsigned long nth = 1;
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
    CHECK(nth > 100);
    return check_end();
}
