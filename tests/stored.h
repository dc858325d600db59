/* Tables of scenes with what stands stored for each: a line is "hash share scene override override ...", and the share
 * of the run of the scene is taken. The hash is made of all that is mixed in since it was 1. */
#ifndef CAROM_TESTS_STORED_H
#define CAROM_TESTS_STORED_H

#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"
#include "model/slices.h"
#include "record/probe.h"

#define WORDS 8
#define LINES 4000

struct line {
    char text[800];
    char *hash, *share, *scene, *set[WORDS]; /* into the text */
    size_t nset;
};

/* --- hashes --- */

static uint64_t hash;

static inline void mix(uint64_t bits)
{
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
}

/* What is not a number has bits of its own on every machine. */
static inline void mix_reals(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        mix(isnan(x[i]) ? UINT64_MAX : bits);
    }
}

static inline void mix_text(const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        mix((unsigned char)*text);
}

static inline void mix_scene(const struct carom_scene *scene)
{
    mix_text(scene->title);
    mix_text(scene->set);
    mix_text(scene->theory);
    mix_text(scene->materials);
    mix_text(scene->notes);
    mix_reals(&scene->until, 1);
    mix_reals(scene->q, scene->model->nq);
    mix_reals(scene->v, scene->model->nv);
    mix(scene->seed);
}

static inline void mix_memory(const struct carom_memory *memory)
{
    mix_reals(memory->time, memory->nrows);
    mix_reals(memory->value, memory->nrows * memory->width);
    for (size_t i = 0; i < memory->nrows; i++)
        mix(memory->step[i]);
    for (size_t i = 0; i < memory->nevents; i++) {
        const struct carom_event *e = &memory->event[i];
        mix(e->contact);
        mix((uint64_t)e->kind);
        mix_reals((const double[]){e->time, e->impulse, e->before, e->after}, 4);
    }
    for (size_t i = 0; i < memory->nepisodes; i++) {
        mix(memory->episode[i].contact);
        mix_reals(&memory->episode[i].closed, CAROM_EPISODE_REALS);
    }
    for (size_t i = 0; i < memory->nblows; i++)
        mix_reals((const double[]){memory->blow[i].time, memory->blow[i].duration, memory->blow[i].estimate}, 3);
    for (size_t i = 0; i < memory->nforces; i++) {
        mix(memory->force[i].impact);
        mix(memory->force[i].contact);
        mix_reals((const double[]){memory->force[i].time, memory->force[i].force}, 2);
    }
    for (size_t i = 0; i < memory->ntouches; i++) {
        mix(carom_event_pair(memory->touch[i].pair[0], memory->touch[i].pair[1]));
        mix_reals(memory->touch[i].point, 3);
        mix_reals(memory->touch[i].normal, 3);
        mix_reals(memory->touch[i].force, 3);
        mix_reals(&memory->touch[i].gap, 1);
        mix_reals(&memory->touch[i].dissipated, 1);
    }
}

static inline void mix_sim(const struct carom_sim *sim)
{
    const struct carom_stepper *stepper = sim->stepper;
    mix_reals((const double[]){sim->estimate, sim->growth, sim->horizon, sim->sight, stepper->worst_gap,
                               stepper->created, stepper->worst_residual},
              7);
    struct carom_slice slice[CAROM_SLICES];
    carom_slices_of(sim->state, slice);
    for (size_t i = 0; i < CAROM_SLICES; i++)
        mix_reals(slice[i].at, slice[i].n);
    const struct carom_counts *counts = &stepper->counts;
    mix_reals((const double[]){counts->smallest_step, counts->largest_step, counts->local_error, counts->impact_error},
              4);
    mix_reals((const double[]){stepper->split.time, stepper->split.gap, stepper->deep.time, stepper->deep.overlap}, 4);
    mix(stepper->split.struck);
    mix(stepper->split.open);
    mix(stepper->products);
    mix(counts->steps);
    mix(counts->rejected);
    mix(counts->evaluations);
    mix(counts->iterations);
    mix(counts->impacts);
}

/* What is said of a scene that is refused, without the folder that it is in. */
static inline void mix_refusal(const struct carom_error *error)
{
    const char *source = getenv("SOURCE");
    const size_t length = strlen(source);
    CHECK(error->status != CAROM_OK);
    mix((uint64_t)error->status);
    mix_text(strncmp(error->text, source, length) == 0 ? error->text + length : error->text);
}

/* --- what is recorded of a scene --- */

#define ROWS 20 /* of a run file, about */

/* Those that divide by a volume need a region or a domain: the scene knows. */
static inline bool can_read(const struct carom_probe *probe, const struct carom_scene *scene)
{
    bool listed = scene->regional || !carom_probe_needs_volume(probe);
    for (size_t i = 0; i < scene->nprobes; i++)
        listed = listed || strcmp(scene->probes[i], probe->kind.name) == 0;
    return listed && !carom_probe_is_ledger(probe) && carom_probe_fits(probe, scene->model, NULL);
}

/* All that can be read of the model, and a schedule that shrinks with the run. */
static inline void record_all(struct carom_scene *scene, double share)
{
    size_t n = 0, count = 0;
    while (carom_probe_list[n] != NULL)
        n++;
    const char **probes = carom_memory_zeroed(n, sizeof *probes);
    for (size_t i = 0; i < n; i++)
        if (can_read(carom_probe_list[i], scene))
            probes[count++] = carom_probe_list[i]->kind.name;
    carom_memory_free(scene->probes);
    scene->probes = probes;
    scene->nprobes = count;
    scene->until *= share;
    if (scene->schedule.every > 0.0)
        scene->schedule.every = fmax(share * scene->schedule.every, scene->until / ROWS);
    if (scene->schedule.action > 0.0)
        scene->schedule.action = fmax(share * scene->schedule.action, scene->until / ROWS / 10.0);
    scene->schedule.events = true;
    scene->schedule.episodes = 1000;
}

/* --- runs of a line --- */

/* Opens the scene of a line; NULL: refused. */
static inline struct carom_scene *open_line(const struct line *line, struct carom_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("SOURCE"), line->scene);
    return carom_scene_read(path, (const char *const *)line->set, line->nset, error);
}

/* The same to record all of it, and mixed in; NULL: it is refused as the line says, and the sentence is mixed in. */
static inline struct carom_scene *bind_line(const struct line *line)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = open_line(line, &error);
    if (strcmp(line->share, "refused") == 0) {
        CHECK(scene == NULL);
        mix_refusal(&error);
        carom_scene_free(scene);
        return NULL;
    }
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    record_all(scene, strtod(line->share, NULL));
    mix_scene(scene);
    return scene;
}

/* The sim of a line, with nothing recorded. */
static inline struct carom_sim *bare_sim(const struct line *line)
{
    struct carom_scene *scene = open_line(line, NULL);
    CHECK_OR_STOP(scene != NULL);
    scene->until *= strtod(line->share, NULL);
    scene->schedule = (struct carom_schedule){.times = scene->schedule.times};
    struct carom_sim *sim = carom_scene_sim(scene, NULL);
    CHECK_OR_STOP(sim != NULL);
    carom_scene_free(scene);
    return sim;
}

/* A run that is taken up again by another sim after half of its steps ends in the same bits, and counts the same. */
static inline void run_halves(const struct line *line)
{
    struct carom_sim *whole = bare_sim(line), *half = bare_sim(line), *rest = bare_sim(line);
    CHECK_STATUS(carom_sim_run(whole, NULL, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_step(half, (size_t)whole->state->step / 2, NULL), CAROM_OK);
    const struct carom_checkpoint checkpoint = {.state = half->state, .counts = half->stepper->counts};
    CHECK_STATUS(carom_sim_restore(rest, &checkpoint, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(rest, NULL, NULL), CAROM_OK);
    CHECK(rest->state->step == whole->state->step);
    CHECK(carom_state_hash(rest->state) == carom_state_hash(whole->state));
    CHECK(memcmp(&rest->stepper->counts, &whole->stepper->counts, sizeof whole->stepper->counts) == 0);
    carom_sim_free(whole);
    carom_sim_free(half);
    carom_sim_free(rest);
}

/* --- the table --- */

static inline size_t read_table(const char *path, struct line *lines)
{
    FILE *file = fopen(path, "r");
    CHECK_OR_STOP(file != NULL);
    size_t n = 0;
    for (; n < LINES && fgets(lines[n].text, sizeof lines[n].text, file) != NULL; n++) {
        struct line *line = &lines[n];
        char *rest = NULL, *word;
        line->hash = strtok_r(line->text, " \n", &rest);
        line->share = strtok_r(NULL, " \n", &rest);
        line->scene = strtok_r(NULL, " \n", &rest);
        CHECK_OR_STOP(line->scene != NULL);
        while (line->nset < WORDS && (word = strtok_r(NULL, " \n", &rest)) != NULL)
            line->set[line->nset++] = word;
    }
    fclose(file);
    return n;
}

static inline void print_line(FILE *out, const struct line *line)
{
    fprintf(out, "%016" PRIx64 " %s %s", hash, line->share, line->scene);
    for (size_t i = 0; i < line->nset; i++)
        fprintf(out, " %s", line->set[i]);
    fputc('\n', out);
}

/* Runs lines of tests/conform/NAME, one of `every` or with ALL_LINES in the environment all, and compares the hash each
 * leaves with the stored one; --write stores those of all. */
static inline int compare_lines(const char *name, size_t every, int argc, char **argv,
                                void (*run)(const struct line *line, size_t i, bool write))
{
    static struct line lines[LINES];
    char path[4096], now[17];
    snprintf(path, sizeof path, "%s/tests/conform/%s", getenv("SOURCE"), name);
    const size_t n = read_table(path, lines);
    CHECK(n > 0 && n < LINES);
    FILE *out = argc > 1 && strcmp(argv[1], "--write") == 0 ? fopen(path, "w") : NULL;
    for (size_t i = 0; i < n; i += out != NULL || getenv("ALL_LINES") != NULL ? 1 : every) {
        hash = 1;
        run(&lines[i], i, out != NULL);
        snprintf(now, sizeof now, "%016" PRIx64, hash);
        if (out == NULL && strcmp(now, lines[i].hash) != 0)
            print_line(stderr, &lines[i]);
        if (out != NULL)
            print_line(out, &lines[i]);
        else
            CHECK_TEXT(now, lines[i].hash);
    }
    if (out != NULL)
        fclose(out);
    return check_end();
}

#endif
