/* Any bytes as a file of materials. */
#include "fuzz_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[300];
    snprintf(text, sizeof text,
             "materials: %s\nbodies: [chain: {count: 2, radius: 5 mm, material: clay}]\n"
             "start: [{body: 1, velocity: 0.01}]\nrun: {until: 1 ms}\n",
             fuzz_file(data, size));
    fuzz_scene_again(fuzz_scene(text, strlen(text), NULL));
    return 0;
}
