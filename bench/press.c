/* carom bench, group press: two plates of solids that lie on each other. Contact is to cost what touches: the time of a
 * step is told per piece of the surfaces that touch, for plates of more and more cells. */
#include <math.h>
#include <stdio.h>

#include "bench/bench.h"

static const size_t edges[] = {12, 43, 86}; /* cells: 750, 8000 and 31 000 on the surfaces of both */

enum { ROWS = sizeof edges / sizeof *edges, LAYERS = 4, STEPS = 3 };

/* of cells with edges of 1 m, or (apart) the same plates too far from each other to be looked at */
static struct carom_sim *open_sim(size_t edge, bool apart, struct carom_error *error)
{
    char text[800];
    const size_t length = (size_t)snprintf(
        text, sizeof text,
        "theory: solid\nbodies:\n"
        "  - solid: {name: low, box: {size: [%zu, %zu, %d], cells: [%zu, %zu, %d]}, material: steel}\n"
        "  - solid: {name: high, box: {size: [%zu, %zu, %d], cells: [%zu, %zu, %d], origin: [0, 0, %g]}, "
        "material: steel}\n"
        "start: [{body: high, velocity: [0, 0, -1]}]\n"
        "run: {until: 1, step: 5e-5, threads: 1}\nrecord: {every: 1, probes: [kinetic], episodes: none}\n",
        edge, edge, LAYERS, edge, edge, LAYERS, edge, edge, LAYERS, edge, edge, LAYERS, LAYERS + (apart ? 10.0 : 0.0));
    struct carom_scene *scene = carom_scene_parse("bench", text, length, NULL, 0, error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, error) : NULL;
    carom_scene_free(scene);
    return sim;
}

/* seconds of a step */
static enum carom_status time_step(struct carom_sim *sim, double *best, struct carom_error *error)
{
    const double start = carom_clock_busy();
    const enum carom_status status = carom_sim_step(sim, STEPS, error);
    *best = fmin(*best, (carom_clock_busy() - start) / STEPS);
    return status;
}

enum carom_status cli_bench_press(struct cli_bench *bench, struct carom_error *error)
{
    cli_bench_limits(bench);
    cli_bench_head("plates of solids on each other, us per piece that touches", "measured");
    for (size_t i = 0; i < ROWS; i++) {
        struct carom_sim *sim[2] = {open_sim(edges[i], false, error), open_sim(edges[i], true, error)};
        double best[2] = {HUGE_VAL, HUGE_VAL};
        enum carom_status status = sim[0] && sim[1] ? CAROM_OK : error->status;
        for (size_t k = 0; k < 2 && status == CAROM_OK; k++) /* the forces of the start */
            status = carom_sim_step(sim[k], 1, error);
        for (size_t r = 0; r < 2 * bench->repeats && status == CAROM_OK; r++)
            status = time_step(sim[r % 2], &best[r % 2], error);
        carom_sim_free(sim[0]);
        carom_sim_free(sim[1]);
        if (status != CAROM_OK)
            return status;
        const double pieces = 8.0 * (double)(edges[i] * edges[i]); /* four of each face, of two plates */
        char name[40], note[80];
        snprintf(name, sizeof name, "two plates of %zu x %zu x %d cells", edges[i], edges[i], (int)LAYERS);
        snprintf(note, sizeof note, "%.3g ms a step, %.3g ms apart", 1e3 * best[0], 1e3 * best[1]);
        cli_bench_row(name, 1e6 * (best[0] - best[1]) / pieces, 0.0, note);
    }
    return CAROM_OK;
}
