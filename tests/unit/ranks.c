/* Steps of rattle that three ranks share, which are processes forked here and talk through sockets: sheets, grids and
 * general links, under loads and flying, come to the bits and the counts of one process. tests/ranks has the same under
 * mpirun, with files and kills. */
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

static const char *const cases[] = {
    "{box: {size: [2.4, 9.7], cells: [24, 97]}, plane: strain, gravity: [0, -60], clamps: [{near: [0.05, 0.05]}, "
    "{near: "
    "[0.05, 9]}], loads: [{face: top, traction: [1, -3]}, {face: left, pressure: 2}, {near: [2, 4], force: [4, 5], "
    "signal: {shape: step, amplitude: 1, start: 0.002, duration: 0.02}}], %s}",
    "{box: {size: [1.6, 1.5, 1], cells: [16, 15, 10]}, clamps: [{face: left}, {near: [1.5, 1.4, 0.9], fix: [x, z]}], "
    "gravity: [1, -60, 3], loads: [{face: top, traction: [1, 2, -30]}], %s}",
    "{box: {size: [1.6, 1.5, 1], cells: [16, 15, 10]}, regions: [{box: [[0.8, 0, 0], [1.6, 1.5, 1]], material: {young: "
    "2e3, poisson: 0.1, density: 3}}], gravity: [1, -60, 3], clamps: [{face: left}], %s}",
};

static struct carom_scene *scene_of(size_t i)
{
    char body[1200], text[1600];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(body, sizeof body, cases[i], "material: {young: 1e3, poisson: 0.3, density: 1}");
    snprintf(text, sizeof text, "{units: none, theory: solid, bodies: [{solid: %s}], run: {until: 0.02, threads: 1}}",
             body);
    struct carom_scene *scene = carom_scene_parse("t.yaml", text, strlen(text), NULL, 0, &error);
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
    alarm(60); /* ranks that wait for each other for ever end here */
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
