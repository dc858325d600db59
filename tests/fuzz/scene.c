/* Any bytes as a scene: whatever they are, the reader ends in a scene or in a sentence. */
#include "fuzz_scene.h"
#include "scene/text/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct carom_tree tree = {.name = "fuzz"};
    struct carom_error error = {CAROM_OK, ""};
    const char *text = (const char *)data;
    const enum carom_status status = carom_yaml_parse(&tree, text, size, NULL, &tree.root, &error);
    fuzz_error(status, &error);
    if (status == CAROM_OK && fuzz_scene_small(tree.root))
        carom_scene_free(fuzz_scene(text, size, NULL));
    carom_tree_free(&tree);
    return 0;
}
