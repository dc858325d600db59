/* Corners of what scenes may say, as tests/conform/scenes: corners.txt has lines of small scenes with overrides that
 * were drawn at random and kept where they took a way through the library that no line before had taken, or had taken
 * less often. Besides all that is recorded the scales are compared, by which errors and steps are measured. Where a
 * change is meant to change numbers,
 *
 *     SOURCE=$PWD build/tests/conform/corners --write
 *
 * writes the table again. */
#include "stored.h"

static void run_line(const struct line *line, size_t i, bool write)
{
    (void)i, (void)write;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = bind_line(line);
    struct carom_sim *sim = scene != NULL ? carom_scene_sim(scene, &error) : NULL;
    if (sim != NULL) {
        struct carom_memory *memory = carom_sink_memory_new();
        CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_memory, memory, NULL), CAROM_OK);
        mix((uint64_t)carom_sim_run(sim, NULL, &error));
        mix_memory(memory);
        mix_sim(sim);
        mix_reals(&sim->scales.speed, sizeof sim->scales / sizeof sim->scales.speed);
    }
    mix_text(error.text);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

int main(int argc, char **argv)
{
    return compare_lines("corners.txt", 23, argc, argv, run_line);
}
