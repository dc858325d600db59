/* Steps that three ranks share, which are processes forked here and talk through sockets: solids by rattle (sheets,
 * grids and general links, under loads and flying, that meet) and packings by verlet come to the bits and the counts of
 * one process. tests/ranks has the same under mpirun, with files and kills. */
#include "rank/rank.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carom/carom.h"
#include "check.h"
#include "rank_sockets.h"
#include "sim/loop.h"

#define SOLID(...)                                                \
    "{units: none, theory: solid, bodies: [{solid: {" __VA_ARGS__ \
    ", material: {young: 1e3, poisson: 0.3, density: 1}}}], "     \
    "run: {until: 0.02, threads: 1}}"
#define PACKING(...) "{" __VA_ARGS__ ", materials: {plastic: {young: 5 MPa, poisson: 0.3, density: 1200}}}"
#define LAW "law: kuwabara-kono, restitution: {e: 0.5, speed: 1 m/s}, friction: {mu: 0.4}"

static const char *const cases[] = {
    SOLID(
        "box: {size: [2.4, 9.7], cells: [24, 97]}, plane: strain, gravity: [0, -60], clamps: [{near: [0.05, 0.05]}, "
        "{near: [0.05, 9]}], loads: [{face: top, traction: [1, -3]}, {face: left, pressure: 2}, {near: [2, 4], force: "
        "[4, 5], signal: {shape: step, amplitude: 1, start: 0.002, duration: 0.02}}]"),
    SOLID("box: {size: [1.6, 1.5, 1], cells: [16, 15, 10]}, clamps: [{face: left}, {near: [1.5, 1.4, 0.9], fix: [x, "
          "z]}], "
          "gravity: [1, -60, 3], loads: [{face: top, traction: [1, 2, -30]}]"),
    SOLID("box: {size: [1.6, 1.5, 1], cells: [16, 15, 10]}, regions: [{box: [[0.8, 0, 0], [1.6, 1.5, 1]], material: "
          "{young: 2e3, poisson: 0.1, density: 3}}], gravity: [1, -60, 3], clamps: [{face: left}]"),
    /* cells that meet each other; a ball that rubs on one of two blocks that meet, under joints */
    SOLID("box: {size: [0.2, 12], cells: [2, 120]}, plane: strain, self_contact: always, self_friction: {mu: 0.3}"),
    "{units: none, theory: solid, bodies: [{solid: {name: one, box: {size: [1.6, 1.5, 1], cells: [16, 15, 10]}, "
    "material: {young: 1e3, poisson: 0.3, density: 1}, absorbing: [front], damping: {stiffness: 1e-4}, drives: [{face: "
    "left, displacement: [0.01, free, 0.02], signal: {shape: sine, frequency: 9}}]}}, {solid: {name: two, box: "
    "{size: "
    "[0.8, 0.7, 0.8], cells: [8, 7, 8], origin: [0.1, 0.1, 1.001]}, material: {young: 1e3, poisson: 0.3, density: "
    "1}}}, "
    "{sphere: {at: [1.3, 0.8, 1.2], radius: 0.2, mass: 0.1, velocity: [0, 1, -1], spin: [9, 5, 3]}}, {sphere: {at: "
    "[2.2, 0.8, 0.5], radius: 0.2, mass: 0.1}}], joints: [distance: {bodies: [2, {body: one, face: right}]}], start: "
    "[{body: two, "
    "velocity: [0.1, 0, -1]}], contacts: {law: linear-dashpot, k: 500, gamma: 1e-4, friction: {law: coulomb, mu: "
    "0.3}}, run: {until: 0.006, step: "
    "2e-4, threads: 1}}",
    /* spheres in lanes, a floor that is led, a box that tumbles, sides that are joined */
    PACKING(
        "gravity: [0, 0, -90], domain: [[0, 0, -10 mm], [40 mm, 40 mm, 200 mm]], periodic: [x, y], bodies: [{packing: "
        "{kind: dense, count: 900, radius: 2 mm, spread: 0.1, material: plastic, in: [[0, 0, 0], [40 mm, 40 mm, 40 "
        "mm]], seed: 3}}, {plane: {at: [0, 0, 0], normal: [0, 0, 1], material: plastic, drive: {displacement: [0, 0, "
        "1 mm], signal: {shape: sine, frequency: 90 Hz}}}}, {box: {name: chest, at: [20 mm, 20 mm, 44 mm], size: [10 "
        "mm, 12 mm, 6 mm], mass: 5 g, material: plastic}}], start: [{body: chest, velocity: [0, 0, -2 m/s], spin: "
        "[9, 5, 30]}], contacts: {" LAW "}, run: {until: 1 ms, scheme: verlet, threads: 1, skin: 0.1 mm}"),
    /* discs that roll under a piston with a load, which presses some of them deep; forces end contacts */
    PACKING(
        "gravity: [0, -9.81], bodies: [{packing: {kind: dense, count: 900, radius: 4 mm, spread: 0.3, thickness: 10 "
        "mm, material: plastic, in: [[0, 0], [30 cm, 23 cm]], seed: 7}}, {plane: {at: [0, 0], normal: [0, 1], "
        "material: plastic}}, {plane: {at: [0, 0], normal: [1, 0], material: plastic}}, {plane: {at: [30 cm, 0], "
        "normal: [-1, 0], material: plastic}}, {plane: {name: piston, at: [0, 23 cm], normal: [0, -1], mass: 200 g, "
        "material: plastic}}], loads: [{body: piston, force: [0, -1000 N]}], contacts: {" LAW ", contact_end: force, "
        "rolling: {mu: 0.02, slip_speed: 1 mm/s}}, run: {until: 2 ms, scheme: verlet, threads: 1, skin: 0.1 mm}"),
};

static struct carom_scene *scene_of(size_t i)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("t.yaml", cases[i], strlen(cases[i]), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    return scene;
}

/* the hash and the steps of a run alone, or, as the first of the ranks, with the others */
static uint64_t run(size_t i, struct carom_ranks *ranks, uint64_t *steps)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = scene_of(i);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_sim_ranks(sim, ranks, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    uint64_t hash = 0;
    *steps = 0;
    if (carom_rank_own(ranks) == 0) {
        CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
        hash = carom_state_hash(sim->state);
        *steps = sim->stepper->counts.steps;
    }
    carom_sim_free(sim);
    carom_scene_free(scene);
    return hash;
}

static void open_sockets(void)
{
    for (int channel = 0; channel < RANK_CHANNELS; channel++)
        for (size_t from = 0; from < RANKS; from++)
            for (size_t to = 0; to < RANKS; to++) {
                int pair[2];
                const int room = 1 << 20;
                CHECK_OR_STOP(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
                setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
                for (int end = 0; end < 2; end++) {
                    CHECK_OR_STOP(dup2(pair[end], rank_socket(channel, from, to, end)) >= 0);
                    close(pair[end]);
                }
            }
}

int main(void)
{
    enum { CASES = sizeof cases / sizeof *cases };
    uint64_t alone[CASES], steps[CASES], now;
    for (size_t i = 0; i < CASES; i++)
        alone[i] = run(i, NULL, &steps[i]);
    open_sockets();
    setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
    size_t own = 0;
    for (size_t i = 1; i < RANKS && own == 0; i++)
        own = fork() == 0 ? i : 0;
    char number[8];
    snprintf(number, sizeof number, "%zu", own);
    setenv("OMPI_COMM_WORLD_RANK", number, 1);
    alarm(200); /* ranks that wait for each other for ever end here */
    struct carom_error error = {CAROM_OK, ""};
    struct carom_ranks *ranks = carom_rank_begin(&error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(ranks != NULL && carom_rank_count(ranks) == RANKS && carom_rank_own(ranks) == own);
    const size_t *exchanges = dlsym(RTLD_DEFAULT, "rank_exchanges");
    CHECK_OR_STOP(exchanges != NULL);
    for (size_t i = 0; i < CASES; i++) {
        const size_t before = *exchanges;
        const uint64_t hash = run(i, ranks, &now);
        CHECK(own > 0 || (hash == alone[i] && now == steps[i]));
        CHECK(*exchanges - before >= steps[i]); /* where something is wrong, the first rank goes on alone */
    }
    CHECK(carom_rank_end(ranks, CAROM_OK) == NULL); /* none was given up */
    if (own > 0)
        _exit(check_end());
    for (size_t i = 1; i < RANKS; i++) {
        int status = -1;
        CHECK(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    return check_end();
}
