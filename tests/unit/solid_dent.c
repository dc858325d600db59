/* Balls on soft bodies, which they dent by a quarter of a cell and more: the overlap of the surface in a ball. On flat
 * bodies it is the radius less the distance, on curved ones what makes Hertz's law; its slopes are its rate, anywhere
 * on a rough surface; motion, ledger and momenta through hollows of flat faces, in plane and space, for several places.
 */
#include <string.h>

#include "base/random.h"
#include "base/vec.h"
#include "carom/carom.h"
#include "check.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_strike.h"
#include "runs.h"

static const char *const cube =
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {box: {size: [0.1, 0.1, 0.06], cells: [5, 5, 3]}, material: {young: 3e5, poisson: 0.3, density: "
    "1000}}\n"
    "  - sphere: {at: [0.053, 0.052, 0.0801], radius: 0.02, mass: 0.05, velocity: [0.3, 0.2, -4]}\n"
    "contacts: {law: hertz, k: 3e6}\n"
    "run: {until: 4e-3}\n";
static const char *const sheet =
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {box: {size: [0.12, 0.06], cells: [6, 3]}, depth: 0.02, material: {young: 3e5, poisson: 0.3, density: "
    "1000}}\n"
    "  - disc: {at: [0.0631, 0.0801], radius: 0.02, mass: 0.05, velocity: [0.3, -3]}\n"
    "contacts: {law: hertz, k: 1e7}\n"
    "run: {until: 4e-3}\n";

/* --- the overlap -------------------------------------------------------------------------------------------------- */

static double *ball_of(const struct carom_scene *scene)
{
    return scene->q + scene->model->member[carom_solid_strike_of(scene->model)->balls_member].q0;
}

static double overlap_of(const struct carom_scene *scene)
{
    double overlap;
    carom_contacts_deform_some(scene->model, 0, 1, 0.0, scene->q, NULL, &overlap, NULL);
    return overlap;
}

/* over faces, their borders and corners, by less and more than a piece: the radius less the distance */
static void check_flat(const char *text, int up)
{
    struct carom_scene *scene = runs_scene(text, NULL, 0);
    const double depth[] = {1e-9, 1e-5, 1e-3, 5e-3};
    const double aside[][2] = {{-0.003, -0.002}, {0.017, -0.002}, {-0.0031, 0.008}, {0.007, 0.008}, {0.0101, 0.0043}};
    double *q = ball_of(scene);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++) {
            q[0] = aside[k][0];
            q[1] = up == 2 ? aside[k][1] : 0.0;
            q[up] = -1e-4 - depth[i];
            CHECK_NEAR(overlap_of(scene), depth[i], 1e-17 + 1e-14 * depth[i] + 4e-17);
        }
    carom_scene_free(scene);
}

/* A ball on a body of cells that are bent around a cylinder of radius r, from outside or inside: J has sqrt(R' / R) of
 * a flat one's, 1 / R' = 1 / R +- 1 / r, in space the cube of the overlap, in the plane its power 5/2. */
static void check_curved(double r, double bound)
{
    struct carom_scene *scene =
        runs_scene("theory: solid\n"
                   "bodies:\n"
                   "  - solid: {box: {size: [0.16, 0.04], cells: [800, 2]}, material: steel, depth: 0.01}\n"
                   "  - disc: {at: [0.08, 0.0601], radius: 0.02, mass: 0.05}\n"
                   "contacts: {law: hertz, k: 3e6}\n"
                   "run: {until: 4e-3}\n",
                   NULL, 0);
    const struct carom_solid *s = carom_solid_at(scene->model, 0);
    for (size_t i = 0; i < s->n; i++) { /* the top stays as long as it is: cells turn by x / r about its middle */
        const double turn = (s->centre[i][0] - 0.08) / r, deep = 0.04 - s->centre[i][1];
        scene->q[s->wide * i] = (r - deep) * sin(turn) + 0.08 - s->centre[i][0];
        scene->q[s->wide * i + 1] = 0.04 - r + (r - deep) * cos(turn) - s->centre[i][1];
        scene->q[s->wide * i + 2] = -turn;
    }
    ball_of(scene)[1] = -1e-4 - 2e-4;
    const double over = overlap_of(scene), wanted = 2e-4 * pow(1.0 / (1.0 + 0.02 / r), 0.2);
    printf("bent around %g: overlap %.4e, closed form for small ones %.4e\n", r, over, wanted);
    CHECK_NEAR(over, wanted, bound * wanted);
    carom_scene_free(scene);
}

/* Slopes on a surface of cells at random places and turns, as differences: by all numbers at once. */
static void check_slopes(const char *text, int up, double rough)
{
    struct carom_random random;
    carom_random_start(&random, 7);
    double worst = 0.0;
    for (int trial = 0; trial < 40; trial++) {
        struct carom_scene *scene = runs_scene(text, NULL, 0);
        const struct carom_model *model = scene->model;
        const struct carom_solid *s = carom_solid_at(model, 0);
        double overlap, rate, at[2];
        const double step = 1e-7;
        for (size_t i = 0; i < s->n; i++)
            for (size_t k = 0; k < (size_t)s->dimension; k++)
                scene->q[s->wide * i + k] += rough * carom_random_normal(&random);
        ball_of(scene)[0] = 0.02 * carom_random_uniform(&random);
        ball_of(scene)[up] = -1e-4 - 6e-3 * carom_random_uniform(&random);
        for (size_t i = 0; i < model->nv; i++)
            scene->v[i] = carom_random_normal(&random) * (i % s->fast < (size_t)s->dimension ? 1.0 : 50.0);
        carom_contacts_deform_some(model, 0, 1, 0.0, scene->q, scene->v, &overlap, &rate);
        struct carom_state *moved = carom_state_create(model, 0);
        CHECK_OR_STOP(moved != NULL);
        for (int side = 0; side < 2; side++) {
            for (size_t i = 0; i < model->nv; i++)
                moved->v[i] = (side == 0 ? -step : step) * scene->v[i];
            for (size_t p = 0; p < model->nparts; p++) {
                const struct carom_member *m = &model->member[p];
                if (m->part->move)
                    m->part->move(m->own, scene->q + m->q0, moved->v + m->v0, moved->q + m->q0);
                for (size_t i = 0; !m->part->move && i < m->nq; i++)
                    moved->q[m->q0 + i] = scene->q[m->q0 + i] + moved->v[m->v0 + i];
            }
            carom_contacts_deform_some(model, 0, 1, 0.0, moved->q, NULL, &at[side], NULL);
        }
        if (overlap > 0.0)
            worst = fmax(worst, fabs((at[1] - at[0]) / (2.0 * step) - rate) / (1.0 + fabs(rate)));
        carom_state_free(moved);
        carom_scene_free(scene);
    }
    printf("slopes of a rough surface: off by %.1e\n", worst);
    CHECK(worst < 2e-6);
}

/* --- the motion --------------------------------------------------------------------------------------------------- */

struct end {
    double v[600], worst; /* worst: residual over the energy, at 20 moments */
    double dent, drift;   /* the largest dent, in cells of 2 cm; momentum, relative */
    size_t nv;
};

/* momentum; *all: the sum of sizes */
static void momentum(const struct carom_sim *sim, double p[3], double *all)
{
    const struct carom_solid_strike *of = carom_solid_strike_of(sim->model);
    const struct carom_solid *s = of->body[0].solid;
    const size_t d = (size_t)s->dimension;
    p[0] = p[1] = p[2] = *all = 0.0;
    for (size_t i = 0; i <= s->n; i++) {
        const double m = i < s->n ? carom_solid_inertia(s, i, 0) : of->balls->mass[0];
        const double *v =
            i < s->n ? sim->view->v + s->fast * i : sim->view->v + sim->model->member[of->balls_member].v0;
        for (size_t k = 0; k < d; k++) {
            p[k] += m * v[k];
            *all += fabs(m * v[k]);
        }
    }
}

/* how far cells of the top have gone down beside the mean of all */
static double dent_of(const struct carom_sim *sim)
{
    const struct carom_solid *s = carom_solid_at(sim->model, 0);
    const size_t up = (size_t)s->dimension - 1;
    double mean = 0.0, least = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        mean += sim->view->q[s->wide * i + up] / (double)s->n;
        least = fmin(least, sim->view->q[s->wide * i + up]);
    }
    return (mean - least) / 0.02;
}

static struct end fly(const char *text, const char *at, double step)
{
    char words[2][80];
    snprintf(words[0], sizeof words[0], "run.step=%.17g", step);
    snprintf(words[1], sizeof words[1], "bodies.2.%s", at);
    const char *const set[] = {words[0], words[1]};
    struct carom_scene *scene = runs_scene(text, set, 2);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    struct end end = {.nv = sim->model->nv};
    double p[2][3], all;
    carom_sim_sync(sim);
    momentum(sim, p[0], &all);
    for (int i = 0; i < 20; i++) {
        struct carom_ledger ledger;
        if (carom_sim_step(sim, (size_t)lround(2e-4 / step), &error) != CAROM_OK)
            fprintf(stderr, "%s\n", error.text);
        CHECK_OR_STOP(error.status == CAROM_OK);
        carom_sim_sync(sim);
        carom_balance_read(sim->model, sim->view, NULL, &ledger);
        end.worst = fmax(end.worst, fabs(ledger.residual) / sim->view->energy);
        end.dent = fmax(end.dent, dent_of(sim));
    }
    momentum(sim, p[1], &all);
    for (int k = 0; k < 3; k++)
        end.drift = fmax(end.drift, fabs(p[1][k] - p[0][k]) / all);
    memcpy(end.v, sim->view->v, end.nv * sizeof *end.v);
    carom_sim_free(sim);
    carom_scene_free(scene);
    return end;
}

static void check_motion(const char *text, const char *at, double step)
{
    const struct end a = fly(text, at, step), b = fly(text, at, step / 2.0), c = fly(text, at, step / 4.0);
    const double order = log2(runs_apart(a.nv, a.v, b.v) / runs_apart(b.nv, b.v, c.v)),
                 closes = log2(a.worst / c.worst) / 2.0;
    printf("%s: dent %.2f cells, residual %.1e %.1e %.1e (order %.2f), motion %.1e %.1e, order %.2f, momentum %.1e\n",
           at, c.dent, a.worst, b.worst, c.worst, closes, runs_apart(a.nv, a.v, b.v), runs_apart(b.nv, b.v, c.v), order,
           c.drift);
    CHECK(c.dent > 0.2);
    CHECK(order > 1.8); /* in the plane up to 2.7: errors that the contact leaves behind die out with the step */
    CHECK_NEAR(closes, 2.0, 0.3);
    CHECK(c.drift < 1e-12);
}

int main(void)
{
    check_flat(cube, 2);
    check_flat(sheet, 1);
    check_curved(0.2, 0.02);
    check_curved(-0.1, 0.02);
    check_slopes(cube, 2, 1e-3);
    check_slopes(sheet, 1, 1e-3);
    const char *const places[] = {"sphere.at=[0.05, 0.05, 0.0801]", "sphere.at=[0.0531, 0.0512, 0.0801]",
                                  "sphere.at=[0.0598, 0.0503, 0.0801]", "sphere.at=[0.0601, 0.0602, 0.0801]",
                                  "sphere.at=[0.0437, 0.0569, 0.0801]"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        check_motion(cube, places[i], 1e-5);
    const char *const flat[] = {"disc.at=[0.0631, 0.0801]", "disc.at=[0.0601, 0.0801]", "disc.at=[0.07, 0.0801]",
                                "disc.at=[0.0512, 0.0801]"};
    for (size_t i = 0; i < sizeof flat / sizeof *flat; i++)
        check_motion(sheet, flat[i], 2.5e-6);
    return check_end();
}
