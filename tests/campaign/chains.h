/* Runs of random chains; see chains.c. */
#ifndef CAROM_TESTS_CAMPAIGN_CHAINS_H
#define CAROM_TESTS_CAMPAIGN_CHAINS_H

#include "campaign/counts.h"
#include "campaign/draw.h"
#include "carom/carom.h"
#include "check.h"
#include "runs.h"

/* The largest error over the samples, as the other way has it with steps of some pace; below 0 if it did not come to an
 * end. */
static double error_by(const struct drawn *d, double pace, const struct carom_sim *sim,
                       const struct carom_memory *memory)
{
    static struct exact c;
    double worst = 0.0;
    c = d->chain;
    c.length = sim->scales.length;
    c.speed = sim->scales.speed;
    c.pace = pace;
    c.most = 20000;
    exact_start(&c);
    CHECK_OR_STOP(memory->nrows >= DRAW_SAMPLES && memory->width >= (size_t)(2 * c.n));
    for (size_t i = 0; i < memory->nrows; i++) {
        const double *row = memory->value + i * memory->width;
        if (!exact_to(&c, memory->time[i]))
            return -1.0;
        for (int k = 0; k < c.n; k++) {
            worst = fmax(worst, fabs((double)((real)row[k] - c.y[k])) / c.length);
            worst = fmax(worst, fabs((double)((real)row[c.n + k] - c.y[c.n + k])) / c.speed);
        }
    }
    return worst;
}

/* The same, looked at twice where it would break the promise: rounding may have misled the other way. */
static double true_error(const struct drawn *d, const struct carom_sim *sim, const struct carom_memory *memory)
{
    const double limit = 3.0 * sim->estimate, worst = error_by(d, 1.0, sim, memory);
    if (worst >= 0.0 && worst <= limit)
        return worst;
    const double again = error_by(d, 0.3, sim, memory);
    return again >= 0.0 && (again <= limit || fabs(again - worst) < 0.1 * worst) ? again : -1.0;
}

static struct verdict judge_drawn(const struct drawn *d, uint64_t seed)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_memory *memory;
    struct verdict v = {.seed = seed, .outcome = FAILED, .tol = d->tol};
    snprintf(v.law, sizeof v.law, "%s", d->law);
    struct carom_sim *sim = runs_recorded(d->text, &memory);
    if (!(sim->scales.speed > 0.0 && sim->scales.length > 0.0)) {
        v.outcome = STILL;
    } else if (carom_sim_run(sim, NULL, &error) != CAROM_OK) {
        fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, error.text);
    } else {
        v.stated = sim->estimate;
        v.worst = sim->estimate > d->tol ? 0.0 : true_error(d, sim, memory);
        v.outcome = outcome_of(&v);
    }
    carom_sim_free(sim);
    return v;
}

static struct verdict judge(uint64_t seed)
{
    static struct drawn d;
    draw_chain(&d, seed);
    return judge_drawn(&d, seed);
}

/* with many samples inside every step */
static struct verdict judge_densely(uint64_t seed)
{
    enum { SAMPLES = 1000 };
    static struct drawn d;
    draw_chain(&d, seed);
    char *record = strstr(d.text, "record:");
    CHECK_OR_STOP(record != NULL);
    sprintf(record, "record: {probes: [u, v], every: %.17g}\n", d.until / SAMPLES);
    return judge_drawn(&d, seed);
}

/* Seeds of chains that erred by more than they stated, and up to ten times as much as where steps end, in the middle
 * of steps; of light beads between strong dashpots, which relax several times in a step (729 to 32631); and of steps
 * that had missed too much of the force of a contact near touch (2905 to 55511): now they err by a quarter of it, or
 * half. */
static const uint64_t once_rough[] = {254,   341,   355,   472,   1075,  1202,  1208, 1280,  1366,
                                      729,   99289, 2383,  4775,  2735,  3244,  8211, 32631, 2905,
                                      30463, 32635, 52135, 53228, 55086, 55325, 55511};

static void check_densely(void)
{
    for (size_t i = 0; i < sizeof once_rough / sizeof *once_rough; i++) {
        const struct verdict v = judge_densely(once_rough[i]);
        CHECK(v.outcome == KEPT);
        CHECK(v.worst <= 0.7 * v.stated);
    }
}

/* Seeds of chains whose promises were once broken: forces that jump or have kinks at touch, walls that stop or shake
 * what they touch, long flights, pilots with luck. */
static const uint64_t once_broken[] = {462,   742,   840,     4346,    4494,  4542,  4872,  6857,  8102,
                                       9748,  10975, 12656,   19416,   20197, 20717, 24587, 24648, 57662,
                                       60898, 99289, 1002835, 1004494, 13970, 20145, 35922, 42563, 65581};

static void print_scene(uint64_t seed)
{
    static struct drawn d;
    draw_chain(&d, seed);
    fputs(d.text, stdout);
}

static int chains_main(int argc, char **argv, uint64_t few)
{
    const bool densely = argc > 1 && strcmp(argv[1], "densely") == 0;
    if (densely ? campaign_asked(argc - 1, argv + 1, judge_densely, print_scene)
                : campaign_asked(argc, argv, judge, print_scene))
        return 0;
    for (size_t i = 0; i < sizeof once_broken / sizeof *once_broken; i++)
        judge_seed(judge, once_broken[i]);
    check_densely();
    judge_seeds(judge, DRAW_LATCH + 1, few < 100 ? few : 100);
    judge_seeds(judge, 1, few);
    print_table();
    CHECK(total.of[BROKEN] == 0);
    CHECK(total.of[FAILED] == 0);
    return check_end();
}

#endif
