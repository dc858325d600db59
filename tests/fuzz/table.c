/* Any bytes as the file of a table: a force over time. */
#include "fuzz_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[300];
    if (size == 0)
        return 0;
    snprintf(text, sizeof text,
             "bodies: [chain: {count: 2, radius: 5 mm, material: steel}]\n"
             "loads: [{body: 1, force: {shape: table, file: %s}}]\nrun: {until: 1 ms}\n",
             fuzz_file(data, size));
    fuzz_scene_again(fuzz_scene(text, strlen(text), NULL));
    return 0;
}
