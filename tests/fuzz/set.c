/* Any bytes as what follows `--set`, for scenes of a row, of a mechanism and of the plane. */
#include "scene/keys/set.h"
#include "fuzz_scene.h"
#include "scene/text/yaml.h"

static const char *const scenes[] = {
    "units: none\nbodies: [chain: {count: 3, mass: [1, 2, 3]}, wall: {side: right}]\n"
    "start: [{body: 1, velocity: 1}]\nrun: {until: 1}\n",
    "units: none\ntheory: nonsmooth\nbodies: [mechanism: {kind: pendulum, length: 1, gravity: 10, wall: -0.2}]\n"
    "contacts: {e: 0.8}\nstart: [{body: 1, displacement: -0.9}]\nrun: {until: 2, tol: 1e-5}\n",
    "gravity: [0, -9.81]\nbodies:\n  - disc: {at: [0, 10 mm], radius: 5 mm, material: steel}\n"
    "  - plane: {at: [0, 0], normal: [0, 1], material: steel}\nrun: {until: 1 ms}\n",
};

/* the first byte says which scene, the others are the option */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const char *scene = scenes[data[0] % (sizeof scenes / sizeof *scenes)];
    char *option = fuzz_text(data + 1, size - 1);
    struct carom_tree tree = {.name = "fuzz"};
    struct carom_error error = {CAROM_OK, ""};
    fuzz_need(carom_yaml_parse(&tree, scene, strlen(scene), NULL, &tree.root, &error) == CAROM_OK, "a scene");
    const enum carom_status status = carom_set_apply(&tree, option, &error);
    fuzz_error(status, &error);
    const bool small = status == CAROM_OK && fuzz_scene_small(tree.root);
    carom_tree_free(&tree);
    if (small)
        carom_scene_free(fuzz_scene(scene, strlen(scene), option));
    free(option);
    return 0;
}
