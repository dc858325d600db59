/* Runs on a device beside the same on the processor, for tests/device. Scenes have a %s where the device is named. */
#ifndef CAROM_TESTS_DEVICE_RUNS_H
#define CAROM_TESTS_DEVICE_RUNS_H

#include "base/random.h"
#include "carom/device.h"
#include "runs.h"

static struct carom_sim *sim_of(const char *scene, const char *device, struct carom_memory **memory)
{
    char text[2000];
    snprintf(text, sizeof text, scene, device); /* NOLINT: ours */
    return runs_recorded(text, memory);
}

static void check_same(const struct carom_sim *a, const struct carom_memory *of_a, const struct carom_sim *b,
                       const struct carom_memory *of_b)
{
    CHECK(carom_state_hash(a->state) == carom_state_hash(b->state));
    CHECK_OR_STOP(of_a->nrows == of_b->nrows && of_a->width == of_b->width && of_a->nrows > 2);
    CHECK(memcmp(of_a->value, of_b->value, of_a->nrows * of_a->width * sizeof(double)) == 0);
    CHECK(a->stepper->counts.steps == b->stepper->counts.steps);
    CHECK(a->stepper->counts.evaluations == b->stepper->counts.evaluations);
}

/* steps and times in any order, with looks back into the last step */
static void wander(struct carom_sim *sim, struct carom_sim *beside, struct carom_random *random)
{
    while (!carom_sim_ended(sim)) {
        const double dice = carom_random_uniform(random),
                     t = fmin(sim->state->time + 0.1 * dice * sim->until, sim->until);
        struct carom_sim *const both[] = {sim, beside};
        for (size_t i = 0; i < 2; i++) {
            if (dice < 0.5) {
                CHECK_STATUS(carom_sim_step(both[i], 1 + (size_t)(20.0 * dice), NULL), CAROM_OK);
                continue;
            }
            CHECK_STATUS(carom_sim_to(both[i], t, NULL), CAROM_OK);
            CHECK_STATUS(carom_sim_to(both[i], 0.5 * (t + both[i]->stepper->before->time), NULL), CAROM_OK);
        }
        CHECK(carom_state_hash(sim->view) == carom_state_hash(beside->view));
    }
}

static void compare(const char *scene, const char *device, uint64_t seed)
{
    struct carom_memory *of_here, *of_there;
    struct carom_sim *here = sim_of(scene, "none", &of_here), *there = sim_of(scene, device, &of_there);
    struct carom_random random;
    carom_random_start(&random, seed);
    CHECK(here->device == NULL && there->device != NULL);
    CHECK_STATUS(carom_sim_run(here, NULL, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(there, NULL, NULL), CAROM_OK);
    check_same(here, of_here, there, of_there);
    carom_sim_free(here);
    carom_sim_free(there);
    here = sim_of(scene, "none", &of_here);
    there = sim_of(scene, device, &of_there);
    wander(there, here, &random);
    check_same(here, of_here, there, of_there);
    carom_sim_free(here);
    carom_sim_free(there);
}

static void check_refused(const char *text, const char *sentence)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("scene", text, strlen(text), NULL, 0, &error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, &error) : NULL;
    CHECK(sim == NULL);
    CHECK_CONTAINS(error.text, sentence);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

/* The same sentence at the same time, and the same state before it. */
static void compare_failure(const char *scene, const char *device, const char *words)
{
    struct carom_memory *of_here, *of_there;
    struct carom_sim *here = sim_of(scene, "none", &of_here), *there = sim_of(scene, device, &of_there);
    struct carom_error error[2] = {{CAROM_OK, ""}, {CAROM_OK, ""}};
    CHECK_STATUS(carom_sim_run(here, NULL, &error[0]), CAROM_E_NUMERIC);
    CHECK_STATUS(carom_sim_run(there, NULL, &error[1]), CAROM_E_NUMERIC);
    CHECK_TEXT(error[0].text, error[1].text);
    CHECK_CONTAINS(error[0].text, words);
    CHECK(carom_state_hash(here->state) == carom_state_hash(there->state));
    carom_sim_free(here);
    carom_sim_free(there);
}

/* The long test takes all cases; the other every fifth from the third, as each has kernels that devices compile for
 * seconds. */
static bool in_part(size_t i)
{
    return i % 5 == 2 || check_takes_all();
}

/* these cases on every device there is; returns the exit code */
static int compare_all(const char *const *cases, size_t count, void (*more)(const char *device))
{
    struct carom_device_about about[8];
    const size_t devices = carom_device_list(about, 8);
    if (devices == 0) {
        printf("skipped: there is no device; tools/setup test installs pocl\n");
        return check_end() == 0 ? 77 : 1;
    }
    for (size_t d = 0; d < devices && d < 8; d++) {
        char number[8];
        snprintf(number, sizeof number, "%zu", d + 1);
        printf("%s: %s (%s)\n", number, about[d].name, about[d].driver);
        CHECK(about[d].name[0] != '\0' && about[d].memory > 0 && about[d].units > 0);
        for (size_t i = 0; i < count; i++)
            if (in_part(i))
                compare(cases[i], number, i + 1);
        more(number);
    }
    return check_end();
}

#endif
