/* Each allocation of reading, settling and running a solid, one that breaks, and one that balls strike beside a wall,
 * fails once: the answer is always the status "out of memory" with a sentence, never a crash; under AddressSanitizer
 * also never a leak. */
#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"
#include "failing.h"

static const char scene_text[] =
    "theory: solid\n"
    "bodies:\n"
    "  - solid:\n"
    "      box: {size: [0.2, 0.1, 0.1], cells: [3, 2, 1]}\n"
    "      material: {young: 1e6, poisson: 0.3, density: 1000}\n"
    "      regions: [{material: {young: 2e6, poisson: 0.1, density: 900}, face: right}]\n"
    "      damping: {stiffness: 1e-6}\n"
    "      sets: {tip: {face: right}}\n"
    "      clamps: [{face: left}]\n"
    "      drives: [{near: [0.2, 0, 0], displacement: [free, 1e-4, free],\n"
    "                signal: {shape: table, points: [[0, 0], [0.001, 1], [0.002, 0]]}}]\n"
    "      loads: [{face: right, traction: [100, 0, 0]}, {set: tip, force: [0, 1, 0], during: start}]\n"
    "      sensors: {a: [0.2, 0.05, 0.05]}\n"
    "start: [{settle: true}]\n"
    "run: {until: 0.004, tol: 0.05}\n"
    "record: {every: 0.001, cells: {set: tip}, probes: [u, stress, strain, reaction]}\n";

static const char broken_text[] =
    "theory: solid\n"
    "bodies:\n"
    "  - solid:\n"
    "      box: {size: [0.2, 0.1], cells: [4, 2]}\n"
    "      material: {young: 1e6, poisson: 0.3, density: 1000}\n"
    "      fracture: {energy: 1e-3, cracks: [{at: [0, 0.05], normal: [0, 1], box: [[0, 0], [0.1, 0.1]]}]}\n"
    "      loads: [{face: top, traction: [0, 1000]}, {face: bottom, traction: [0, -1000]}]\n"
    "run: {until: 0.004}\n"
    "record: {every: 0.001, probes: [u, stress, damage, link_damage, crack_area]}\n";

static const char struck_text[] =
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {name: block, box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}, material: {young: 1e6, poisson: 0.3,\n"
    "            density: 1000}}\n"
    "  - sphere: {at: [0.1, 0.05, 0.1501], radius: 0.05, mass: 0.1, velocity: [0, 0, -1]}\n"
    "  - sphere: {at: [0.1, 0.05, 0.251], radius: 0.05, mass: 0.1, velocity: [0, 0, -1]}\n"
    "  - plane: {at: [0, 0, 0], normal: [0, 0, 1], name: floor}\n"
    "contacts:\n"
    "  - {law: linear-dashpot, k: 1e5, gamma: 1, friction: {law: coulomb, mu: 0.2}}\n"
    "  - {between: [balls, block], law: hertz, k: 1e6, friction: {law: coulomb, mu: 0.3}}\n"
    "run: {until: 0.001}\n"
    "record: {every: 0.0002, events: true, probes: [u, v, contact_force, friction_force]}\n";

/* longer than what is read at once */
static void write_scene(const char *text)
{
    FILE *file = fopen("scene.yaml", "w");
    CHECK_OR_STOP(file != NULL);
    fputs(text, file);
    for (int i = 0; i < 200; i++)
        fputs("# nothing more to say, at some length\n", file);
    fclose(file);
}

static enum carom_status whole(const void *own, struct carom_error *error)
{
    (void)own;
    return fail_run(carom_scene_read("scene.yaml", NULL, 0, error), error);
}

int main(void)
{
    write_scene(scene_text);
    CHECK(fail_each(whole, NULL, true) >= 50);
    write_scene(broken_text);
    CHECK(fail_each(whole, NULL, true) >= 50);
    write_scene(struck_text);
    CHECK(fail_each(whole, NULL, true) >= 50);
    return check_end();
}
