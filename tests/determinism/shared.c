/* Two runs on one model, from different starts: step by step in turn, and at once on two threads. Each gives the
 * bits that it gives alone on a model of its own, what it records included, and so does the next run on that model. */
#include "base/threads.h"
#include "runs.h"

#define STEEL "material: {young: 210 GPa, poisson: 0.25, density: 7800 kg/m^3}"
#define SOLID "theory: solid\nbodies: [solid: {" STEEL ", "

static const char *const texts[] = {
    /* boxes in space: without link records, damped, pressed and driven; with records for two materials */
    SOLID "box: {size: [9 cm, 6 cm, 8 cm], cells: [5, 3, 4]}, clamps: [{face: left}],\n"
          "  damping: {mass: 100, stiffness: 1e-7},\n"
          "  loads: [{face: top, pressure: 10 MPa, signal: {shape: half-sine, duration: 30 us}}],\n"
          "  drives: [{face: right, displacement: [10 um, 0, free], signal: {shape: sine, frequency: 20 kHz}}]}]\n"
          "start: [{velocity: [1, 2, 3]}]\nrun: {until: 60 us}\nrecord: {every: 2 us, probes: [u, v, stress]}",
    SOLID "box: {size: [9 cm, 6 cm, 8 cm], cells: [5, 3, 4]}, loads: [{face: top, traction: [1 MPa, 0, 2 MPa]}],\n"
          "  regions: [{box: [[0, 0, 0], [0.04, 1, 1]], material: {young: 70 GPa, poisson: 0.33, density: 2700}}]}]\n"
          "start: [{velocity: [1, 2, 3]}]\nrun: {until: 60 us}\nrecord: {every: 2 us, probes: [u, v, stress]}",
    /* a damped shell */
    SOLID "cylinder: {radius: 10 cm, height: 20 cm, thickness: 1 cm, around: 12, along: 5},\n"
          "  damping: {stiffness: 1e-7}, loads: [{near: [0.1, 0, 0.1], force: [-20 kN, 0, 0]}]}]\n"
          "start: [{spin: [10, 20, 30]}]\nrun: {until: 60 us}\nrecord: {every: 2 us, probes: [u, v, stress]}",
    /* a plane box, swept row by row on two threads; and a small one by dp5 */
    SOLID "box: {size: [10 cm, 20 cm], cells: [11, 40]}, plane: strain, damping: {mass: 100, stiffness: 1e-8},\n"
          "  loads: [{face: top, pressure: 10 MPa}]}]\nstart: [{velocity: [1, 2]}]\n"
          "run: {until: 40 us, threads: 2}\nrecord: {every: 2 us, probes: [u, v, stress]}",
    SOLID "box: {size: [10 cm, 8 cm], cells: [5, 4]}, plane: stress, damping: {mass: 100, stiffness: 1e-8},\n"
          "  loads: [{face: top, pressure: 10 MPa}]}]\nstart: [{velocity: [1, 2]}]\n"
          "run: {until: 20 us, scheme: dp5, tol: 1e-6}\nrecord: {every: 1 us, probes: [u, v, stress]}",
    SOLID "box: {size: [10 cm, 8 cm, 6 cm], cells: [3, 2, 2]}, damping: {mass: 100, stiffness: 1e-8},\n"
          "  loads: [{face: top, pressure: 10 MPa}]}]\nstart: [{velocity: [1, 2, 3]}]\n"
          "run: {until: 20 us, scheme: dp5, tol: 1e-6}\nrecord: {every: 1 us, probes: [u, v, stress]}",
    /* beads, compliant with several laws and a drive, in a row for schemes of chains, and rigid */
    "bodies: [chain: {count: 12, radius: 8 mm, material: steel}, wall: {side: right, material: ptfe}]\n"
    "contacts: [{law: kuwabara-kono, gamma: 1 us}, {at: 3, law: walton-braun, k1: 2e7, k2: 3e7}]\n"
    "loads: [{body: 1, displacement: {shape: sine, amplitude: 10 um, frequency: 10 kHz}}]\n"
    "start: [{body: 5, velocity: 0.5}]\nrun: {until: 0.3 ms, tol: 1e-6}\nrecord: {every: 5 us}",
    "units: none\nbodies: [chain: {count: 40, mass: 1}]\ncontacts: {law: kuwabara-kono, k: 1, gamma: 0.1}\n"
    "start: [{body: 1, velocity: 1}, {body: 9, velocity: -1}]\nrun: {until: 20, scheme: theta, step: 0.01}\n"
    "record: {every: 0.5}",
    "units: none\ntheory: nonsmooth\ngravity: -10\nbodies: [wall: {side: left}, chain: {count: 9, mass: 1}]\n"
    "contacts: {e: 0.5}\nstart: [{body: 9, velocity: -1}]\nrun: {until: 1, scheme: moreau-jean, step: 1e-3}\n"
    "record: {every: 0.02}",
    /* mechanisms */
    "units: none\ntheory: nonsmooth\nbodies: [mechanism: {kind: double-pendulum, gravity: 10, wall: 0.3}]\n"
    "contacts: {e: 0.9}\nstart: [{body: 1, displacement: -1.2, velocity: 0.1}]\nrun: {until: 2, tol: 1e-8}\n"
    "record: {every: 0.05, probes: [u, v, gap]}",
    "theory: nonsmooth\nbodies: [mechanism: {kind: slider-crank, clearance: 1 mm}]\ncontacts: {e: 0.4}\n"
    "start: [{body: 1, velocity: 30}, {body: 2, velocity: -15}]\nrun: {until: 0.1, tol: 1e-6}\n"
    "record: {every: 2 ms, probes: [u, v, gap]}",
    /* a disc that slides off the edge of a box: in a step its contact keeps the face it had */
    "units: none\ntheory: nonsmooth\ngravity: [0, -10]\nbodies:\n  - plane: {at: [0, 0], normal: [0, 1]}\n"
    "  - box: {at: [0, 0.3], size: [1, 0.6], fixed: true}\n"
    "  - disc: {at: [0.1, 0.85], radius: 0.25, mass: 1, velocity: [1.3, 0]}\n"
    "contacts: {law: rigid, e: 0, mu: 0.1}\nrun: {until: 0.6, scheme: event, tol: 1e-6}\nrecord: {every: 0.02}",
};

struct player {
    const char *text;
    struct carom_model *model; /* lent */
    double speed;              /* times those of the scene: starts differ */
    struct carom_sim *sim;
    struct carom_memory *memory;
    enum carom_status status;
    uint64_t hash;
};

static struct carom_scene *parse(const char *text)
{
    return carom_scene_parse("scene", text, strlen(text), NULL, 0, NULL);
}

/* Players are checked later: they may be on threads. */
static void sit_down(struct player *p)
{
    struct carom_scene *scene = parse(p->text);
    if (!scene)
        return;
    for (size_t i = 0; i < p->model->nv; i++)
        scene->v[i] *= p->speed;
    struct carom_recorder *recorder =
        carom_recorder_create(p->model, scene->probes, scene->nprobes, &scene->schedule, NULL);
    p->memory = carom_sink_memory_new();
    if (recorder && carom_recorder_attach(recorder, &carom_sink_memory, p->memory, NULL) == CAROM_OK)
        p->sim = carom_sim_create(&(struct carom_setup){.model = p->model,
                                                        .lent = true,
                                                        .scheme = scene->scheme,
                                                        .options = scene->options,
                                                        .q = scene->q,
                                                        .v = scene->v,
                                                        .until = scene->until,
                                                        .threads = scene->threads,
                                                        .recorder = recorder,
                                                        .checkpoint_every = -1.0},
                                  NULL);
    scene->options = NULL;
    carom_scene_free(scene);
}

static void mix(uint64_t *hash, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t word;
        memcpy(&word, &x[i], sizeof word);
        *hash = (*hash ^ word) * 0x100000001b3u;
        *hash ^= *hash >> 29;
    }
}

static void get_up(struct player *p)
{
    if (p->status == CAROM_OK) {
        p->hash = carom_state_hash(p->sim->state);
        mix(&p->hash, p->memory->value, p->memory->nrows * p->memory->width);
    }
    carom_sim_free(p->sim);
}

static void play(void *players, size_t i)
{
    struct player *p = (struct player *)players + i;
    sit_down(p);
    p->status = p->sim ? carom_sim_run(p->sim, NULL, NULL) : CAROM_E_INPUT;
    get_up(p);
}

static void play_in_turn(struct player p[2])
{
    for (int i = 0; i < 2; i++) {
        sit_down(&p[i]);
        CHECK_OR_STOP(p[i].sim != NULL);
    }
    while (!carom_sim_ended(p[0].sim) || !carom_sim_ended(p[1].sim))
        for (int i = 0; i < 2; i++)
            if (!carom_sim_ended(p[i].sim))
                CHECK_OR_STOP((p[i].status = carom_sim_step(p[i].sim, 1, NULL)) == CAROM_OK);
    for (int i = 0; i < 2; i++)
        get_up(&p[i]);
}

static struct carom_model *model_of(const char *text)
{
    struct carom_scene *scene = parse(text);
    CHECK_OR_STOP(scene != NULL);
    struct carom_model *model = scene->model;
    scene->model = NULL;
    carom_scene_free(scene);
    return model;
}

static void check_scene(const char *text, struct carom_threads *threads)
{
    uint64_t alone[2];
    struct carom_model *shared = model_of(text);
    for (int i = 0; i < 2; i++) {
        struct player p = {.text = text, .model = model_of(text), .speed = i ? 0.7 : 1.0};
        play(&p, 0);
        CHECK_STATUS(p.status, CAROM_OK);
        alone[i] = p.hash;
        carom_model_free(p.model);
    }
    CHECK(alone[0] != alone[1]);
    for (int way = 0; way < 3; way++) { /* in turn, and twice at once */
        struct player p[2] = {{.text = text, .model = shared, .speed = 1.0},
                              {.text = text, .model = shared, .speed = 0.7}};
        if (way == 0)
            play_in_turn(p);
        else
            carom_threads_run(threads, play, p, 2);
        for (int i = 0; i < 2; i++) {
            CHECK_STATUS(p[i].status, CAROM_OK);
            CHECK(p[i].hash == alone[i]);
        }
    }
    carom_model_free(shared);
}

int main(void)
{
    struct carom_threads *threads = carom_threads_create(2);
    CHECK_OR_STOP(threads != NULL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        check_scene(texts[i], threads);
    carom_threads_free(threads);
    return check_end();
}
