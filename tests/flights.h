/* Runs of balls on joints beside solids. */
#ifndef CAROM_TESTS_FLIGHTS_H
#define CAROM_TESTS_FLIGHTS_H

#include <string.h>

#include "carom/carom.h"
#include "check.h"
#include "model/solid/strike/solid_strike.h"
#include "runs.h"

struct flights {
    double v[600], q[300]; /* q: of the balls */
    size_t nv;
    double worst, open; /* residual over the energy at 20 moments; how far joints are off */
    double work;
    double carried[24]; /* by joints, in the mean over the last step */
};

static inline struct flights flights_end(const char *text, double until, double step)
{
    char words[2][60];
    snprintf(words[0], sizeof words[0], "run.step=%.17g", step);
    snprintf(words[1], sizeof words[1], "run.until=%.17g", until);
    const char *const set[] = {words[0], words[1]};
    struct carom_scene *scene = runs_scene(text, set, 2);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    const struct carom_solid_strike *of = carom_solid_strike_of(sim->model);
    const struct carom_member *m = &sim->model->member[of->balls_member];
    struct flights end = {.nv = sim->model->nv};
    for (int i = 0; i < 20; i++) {
        struct carom_ledger ledger;
        struct carom_solid_joint_row row[24];
        if (carom_sim_step(sim, (size_t)lround(until / 20.0 / step), &error) != CAROM_OK)
            fprintf(stderr, "%s\n", error.text);
        CHECK_OR_STOP(error.status == CAROM_OK);
        carom_sim_sync(sim);
        carom_balance_read(sim->model, sim->view, NULL, &ledger);
        end.worst = fmax(end.worst, fabs(ledger.residual) / fmax(sim->view->energy, ledger.kinetic));
        end.work = ledger.work;
        carom_solid_balls_rows(of->balls, sim->view->q + m->q0, row);
        for (size_t j = 0; j < carom_solid_balls_held(of->balls); j++) {
            const double rate = carom_solid_balls_row_rate(of->balls, &row[j], sim->view->v + m->v0);
            end.open = fmax(end.open, row[j].motor ? 0.0 : fabs(row[j].row.gap));
            end.open = fmax(end.open, 1e-2 * fabs(rate - (row[j].motor ? row[j].joint->drive : 0.0)));
        }
    }
    CHECK_OR_STOP(end.nv <= sizeof end.v / sizeof *end.v && m->nq <= sizeof end.q / sizeof *end.q);
    memcpy(end.v, sim->view->v, end.nv * sizeof *end.v);
    memcpy(end.q, sim->view->q + m->q0, m->nq * sizeof *end.q);
    CHECK_OR_STOP(sim->view->nforce <= sizeof end.carried / sizeof *end.carried);
    memcpy(end.carried, sim->view->force, sim->view->nforce * sizeof *end.carried);
    carom_sim_free(sim);
    carom_scene_free(scene);
    return end;
}

/* Motion and ledger by halving: both are of order 2, and joints stay closed. */
static inline void flights_orders(const char *text, double until, double step)
{
    const struct flights a = flights_end(text, until, step), b = flights_end(text, until, step / 2.0),
                         c = flights_end(text, until, step / 4.0);
    const double order = log2(runs_apart(a.nv, a.v, b.v) / runs_apart(b.nv, b.v, c.v)),
                 closes = log2(a.worst / c.worst) / 2.0;
    printf("by halving: residual %.1e %.1e %.1e (order %.2f), motion of order %.2f, open by %.1e\n", a.worst, b.worst,
           c.worst, closes, order, c.open);
    CHECK_NEAR(order, 2.0, 0.3);
    CHECK_NEAR(closes, 2.0, 0.3);
    CHECK(c.open < 1e-13);
}

#endif
