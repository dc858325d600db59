/* Solids that strike walls, balls and each other, flat and tilted, in random scenes: the impulses that the book of
 * impacts has, as vectors, are the changes of the bodies' momenta, their size is what it says beside them, and what it
 * has as lost is what the ledger has; torques of the pushes in all points are the changes of angular momenta; and the
 * pushes of contacts on cells add up to their force. */
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "model/solid/strike/solid_push.h"
#include "momenta.h"
#include "runs.h"

enum { BODIES = 8 };
#define LOW -0.06 /* how high the lower one of two blocks is */

static struct carom_random random_of;

static double draw(double low, double high)
{
    return low + (high - low) * carom_random_uniform(&random_of);
}

/* --- scenes ------------------------------------------------------------------------------------------------------- */

enum { WALL, SOLID, BALL, KINDS };
static const char *const names[KINDS] = {"wall", "solid", "ball"};

struct about {
    int kind, dimension;
    double tilt, gamma, mu; /* degrees; s; of faces, on flat walls */
};

static void write_scene(const struct about *about, char *text, size_t size)
{
    const int kind = about->kind, dimension = about->dimension;
    const double turn = about->tilt * 0.017453292519943295, wide = draw(0.03, 0.08), high = draw(0.03, 0.06);
    const double speed = draw(1.0, 5.0), cell = dimension == 2 ? draw(0.007, 0.013) : draw(0.01, 0.015);
    const int across = (int)(wide / cell), up = (int)(high / cell);
    char box[300], other[400] = "", start[200], law[60], rub[60] = "";
    snprintf(law, sizeof law, "%s, gamma: %g", kind == BALL ? "kuwabara-kono" : "linear-dashpot", about->gamma);
    if (about->mu > 0.0)
        snprintf(rub, sizeof rub, ", friction: {law: coulomb, mu: %g}", about->mu);
    if (dimension == 2)
        snprintf(box, sizeof box, "box: {size: [%.6f, %.6f], cells: [%d, %d]}, plane: stress, depth: 0.01", wide, high,
                 across, up);
    else if (kind == WALL && about->gamma > 0.0)
        snprintf(box, sizeof box, "voronoi: {box: {size: [%.6f, %.6f, %.6f]}, cells: 40, relax: 2}, accept_skew: true",
                 wide, wide, high);
    else
        snprintf(box, sizeof box, "box: {size: [%.6f, %.6f, %.6f], cells: [%d, %d, %d]}", wide, wide, high,
                 across / 2 + 1, across / 2 + 1, up / 2 + 1);
    if (kind == WALL) {
        const double n[3] = {sin(turn), dimension == 2 ? cos(turn) : 0.3 * sin(turn), cos(turn)};
        const double far =
            1e-5 - 0.15 * cell * fmin(sin(turn), cos(turn)); /* edges are felt in the middles of their pieces */
        if (dimension == 2)
            snprintf(other, sizeof other, "  - plane: {at: [0, %.9f], normal: [%.9f, %.9f]}\n", -far / n[1], n[0],
                     n[1]);
        else
            snprintf(other, sizeof other, "  - plane: {at: [0, 0, %.9f], normal: [%.9f, %.9f, %.9f]}\n", -far / n[2],
                     n[0], n[1], n[2]);
    } else if (kind == SOLID) {
        if (dimension == 2)
            snprintf(other, sizeof other,
                     "  - solid: {name: low, box: {size: [0.1, 0.03], cells: [9, 3], origin: [-0.02, -0.09]}, plane: "
                     "stress, depth: 0.01, material: aluminium}\n");
        else
            snprintf(other, sizeof other,
                     "  - solid: {name: low, box: {size: [0.1, 0.1, 0.03], cells: [5, 5, 2], origin: [-0.02, -0.02, "
                     "-0.03001]}, material: aluminium}\n");
    } else {
        const double radius = draw(0.008, 0.02), x = draw(-0.5 * radius, 0.5 * wide);
        if (dimension == 2)
            snprintf(other, sizeof other,
                     "  - disc: {at: [%.6f, %.6f], radius: %.6f, thickness: 0.01, material: steel}\n", x,
                     -1.0001 * radius, radius);
        else
            snprintf(other, sizeof other, "  - sphere: {at: [%.6f, %.6f, %.6f], radius: %.6f, material: steel}\n", x,
                     0.5 * wide, -1.0001 * radius, radius);
    }
    snprintf(start, sizeof start, dimension == 2 ? "velocity: [%.6f, %.6f]" : "velocity: [%.6f, 0.1, %.6f]",
             about->mu > 0.0 ? speed
             : kind == WALL  ? -speed * sin(turn)
                             : 0.2 * speed,
             -speed * cos(turn));
    snprintf(text, size,
             "theory: solid\nbodies:\n  - solid: {name: block, %s, material: steel}\n%s"
             "contacts: {law: %s%s}\n"
             "start: [{body: block, %s}]\nrun: {until: %g}\n",
             box, other, law, rub, start, (dimension == 2 ? 6e-5 : 4e-5) + 0.8 * cell * sin(turn) / speed);
}

/* In the plane: the upper body is turned about its middle, and stands over the other one. */
static void tilt_over(struct carom_scene *scene, double tilt)
{
    const struct carom_strike_body *b = &carom_solid_strike_of(scene->model)->body[0];
    const struct carom_solid *s = b->solid;
    const struct carom_member *m = &scene->model->member[0];
    const double turn = tilt * 0.017453292519943295;
    double *q = scene->q + m->q0, *step = carom_memory_zeroed(m->nv, sizeof *step), lowest = HUGE_VAL;
    double middle[2] = {0.0, 0.0};
    CHECK_OR_STOP(step != NULL);
    for (size_t i = 0; i < s->n; i++)
        for (int k = 0; k < 2; k++)
            middle[k] += s->centre[i][k] / (double)s->n;
    for (size_t i = 0; i < s->n; i++) {
        const double x = s->centre[i][0] - middle[0], y = s->centre[i][1] - middle[1];
        step[s->fast * i] = cos(turn) * x - sin(turn) * y - x;
        step[s->fast * i + 1] = sin(turn) * x + cos(turn) * y - y;
        step[s->fast * i + 2] = turn;
    }
    m->part->move(m->own, q, step, q);
    for (size_t p = 0; p < b->skin->npieces; p++) {
        double place[3];
        carom_solid_skin_place(s, b->skin, p, (double[]){0.5, 0.5, 0.0}, q, place);
        lowest = fmin(lowest, place[1]);
    }
    memset(step, 0, m->nv * sizeof *step);
    for (size_t i = 0; i < s->n; i++)
        step[s->fast * i + 1] = LOW + 1e-5 - lowest;
    m->part->move(m->own, q, step, q);
    carom_memory_free(step);
}

/* --- what is compared --------------------------------------------------------------------------------------------- */

struct sums {
    double p[BODIES][3], l[BODIES][3]; /* solids, then balls */
};

static void read_momenta(const struct carom_sim *sim, struct sums *sums)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(sim->model);
    memset(sums, 0, sizeof *sums);
    for (size_t m = 0; m < s->nbodies; m++)
        momenta_solid(sim->model, sim->view, m, sums->p[m], sums->l[m]);
    for (size_t i = 0; i < s->nballs; i++)
        momenta_ball(s->balls, sim->view->v + sim->model->member[s->balls_member].v0, i, sums->p[s->nbodies + i]);
}

/* which of them a side of a pair is; BODIES: a wall */
static size_t number_of(const struct carom_solid_strike *s, int32_t side)
{
    const size_t solid = (size_t)(CAROM_STRIKE_SOLID - side);
    return side >= 0 ? s->nbodies + (size_t)side : solid < s->nbodies ? solid : BODIES;
}

struct torques {
    const struct carom_sim *sim;
    size_t m;
    double (*l)[3], by;
};

static void add_torque(void *own, const struct carom_press *press)
{
    const struct torques *t = own;
    const struct carom_solid_strike *s = carom_solid_strike_of(t->sim->model);
    const struct carom_state *view = t->sim->view;
    double normal[3];
    if (!(press->depth > 0.0))
        return;
    const double push = carom_solid_push_point(t->sim->model, t->m, view->q, view->v, press, normal);
    for (int e = 0; e < 2; e++) {
        const struct carom_press_end *end = &press->end[e];
        double place[3], force[3], moment[3];
        if (end->body >= s->nbodies)
            continue;
        carom_solid_skin_place(s->body[end->body].solid, s->body[end->body].skin, end->piece, end->share,
                               view->q + t->sim->model->member[end->body].q0, place);
        for (int k = 0; k < 3; k++)
            force[k] = (e == 0 ? 1.0 : -1.0) * push * normal[k];
        carom_vec_cross(place, force, moment);
        for (int k = 0; k < 3; k++)
            t->l[end->body][k] += t->by * moment[k];
    }
}

static void add_torques(const struct carom_sim *sim, double by, double (*l)[3])
{
    const struct carom_solid_strike *s = carom_solid_strike_of(sim->model);
    struct carom_press_box box[CAROM_STRIKE_SOLIDS];
    carom_solid_press_boxes(sim->model, sim->view->q, box);
    for (size_t m = 0; m < s->nmeets; m++) {
        struct torques t = {sim, m, l, by};
        carom_solid_press_find(sim->model, &s->meet[m], box, sim->view->q, NULL, add_torque, &t);
    }
}

struct found {
    double momentum, torque, size, loss, residual; /* off, by the largest momentum, ... */
    double impulse, work;
};

static struct found fly(struct carom_scene *scene, bool normal_only)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    if (!sim)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(sim != NULL);
    struct carom_memory *memory = carom_sink_memory_new();
    CHECK_STATUS(carom_recorder_attach(sim->recorder, &carom_sink_memory, memory, &error), CAROM_OK);
    const struct carom_solid_strike *s = carom_solid_strike_of(sim->model);
    struct sums before, after;
    double l[BODIES][3] = {{0.0}}, early[BODIES][3] = {{0.0}};
    carom_sim_sync(sim);
    add_torques(sim, 0.5, early);
    read_momenta(sim, &before);
    while (!carom_sim_ended(sim)) {
        const double t0 = sim->state->time;
        double late[BODIES][3] = {{0.0}};
        if (carom_sim_step(sim, 1, &error) != CAROM_OK)
            fprintf(stderr, "%s\n", error.text);
        CHECK_OR_STOP(error.status == CAROM_OK);
        carom_sim_sync(sim);
        add_torques(sim, 0.5, late);
        for (size_t b = 0; b < BODIES; b++)
            for (int k = 0; k < 3; k++)
                l[b][k] += (sim->state->time - t0) * (early[b][k] + late[b][k]);
        memcpy(early, late, sizeof early);
    }
    read_momenta(sim, &after);
    struct found found = {.momentum = 0.0};
    double given[BODIES + 1][3] = {{0.0}}, lost = 0.0, most = 0.0, turned = 0.0;
    for (size_t i = 0; i < memory->nepisodes; i++) {
        const struct carom_episode *row = &memory->episode[i];
        const int32_t *pair = sim->model->pair[row->contact];
        for (int k = 0; k < 3; k++) {
            given[number_of(s, pair[1])][k] += row->impulse_vector[k];
            given[number_of(s, pair[0])][k] -= row->impulse_vector[k];
        }
        found.size = fmax(found.size, fabs(row->impulse - carom_vec_norm(row->impulse_vector)) / row->impulse);
        lost += row->dissipated;
        found.impulse += row->impulse;
    }
    for (size_t b = 0; b < s->nbodies + s->nballs; b++)
        most = fmax(most, carom_vec_norm(given[b]));
    for (size_t b = 0; b < s->nbodies; b++)
        turned = fmax(turned, carom_vec_norm(l[b]));
    for (size_t b = 0; b < s->nbodies + s->nballs; b++)
        for (int k = 0; k < 3; k++) {
            if (!normal_only || k == s->body[0].solid->dimension - 1)
                found.momentum = fmax(found.momentum, fabs(after.p[b][k] - before.p[b][k] - given[b][k]) / most);
            if (b < s->nbodies && s->nballs == 0)
                found.torque = fmax(found.torque, fabs(after.l[b][k] - before.l[b][k] - l[b][k]) / turned);
        }
    struct carom_ledger ledger;
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    found.loss = fabs(lost - ledger.viscous) / sim->view->energy;
    found.work = ledger.viscous / sim->view->energy;
    found.residual = fabs(ledger.residual) / sim->view->energy;
    carom_sim_free(sim);
    return found;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static struct found fly_one(const struct about *about, const char *const *set, size_t nset, bool normal_only)
{
    char text[2000];
    write_scene(about, text, sizeof text);
    struct carom_scene *scene = runs_scene(text, set, nset);
    if (about->kind == SOLID && about->dimension == 2)
        tilt_over(scene, about->tilt);
    const struct found f = fly(scene, normal_only);
    printf(
        "%-5s %d tilt %4.1f gamma %.0e mu %.1f: impulse %.4f, off by %.1e, torque %.1e, size %.1e; lost %.4f, off by "
        "%.1e, residual %.1e\n",
        names[about->kind], about->dimension, about->tilt, about->gamma, about->mu, f.impulse, f.momentum, f.torque,
        f.size, f.work, f.loss, f.residual);
    carom_scene_free(scene);
    return f;
}

/* What springs give is what the scheme has given, to rounding, and so is what dampers give where normals stay. Friction
 * is not in the book: what is across it is. */
static void check_one(const struct about *about)
{
    const bool straight = about->gamma == 0.0 || about->kind == WALL;
    const double off = straight ? 1e-12 : about->kind == BALL ? 1e-7 : 1e-3;
    const struct found f = fly_one(about, NULL, 0, about->mu > 0.0);
    CHECK(f.impulse > 0.01);
    CHECK(f.momentum < off && f.size < 1e-15);
    CHECK(about->mu > 0.0 || f.torque < (about->gamma == 0.0 ? 1e-12 : 5e-3));
    CHECK(f.loss < 1e-12 && (f.work > 0.0) == (about->gamma > 0.0));
    CHECK(f.residual < 0.04);
}

/* Strong dampers of a ball beside and over the edge of two cells, where the slope of its overlap changes: as the scheme
 * gives it, to rounding while it touches; in the one step in which it leaves, the slope is that of the step's start. */
static void check_damped_ball(void)
{
    const struct {
        const char *law;
        double x, off;
    } cases[] = {{"hertz-dashpot", 1.7, 1e-12}, {"hertz-dashpot", 1.5, 1e-12}, {"kuwabara-kono", 1.7, 1e-7},
                 {"kuwabara-kono", 1.5, 3e-5},  {"linear-dashpot", 1.7, 1e-5}, {"linear-dashpot", 1.5, 1e-3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[700];
        snprintf(text, sizeof text,
                 "units: none\ntheory: solid\nbodies:\n"
                 "  - solid: {box: {size: [3, 1], cells: [6, 2]}, plane: stress, material: {young: 1000, poisson: 0.2, "
                 "density: 1}}\n"
                 "  - disc: {at: [%g, 1.52], radius: 0.5, mass: 1, velocity: [0, -1]}\n"
                 "contacts: {law: %s, k: 3000, gamma: 0.01}\nrun: {until: 0.2, step: 0.001}\n",
                 cases[i].x, cases[i].law);
        struct carom_scene *scene = runs_scene(text, NULL, 0);
        const struct found f = fly(scene, false);
        printf("ball at %g, %s: off by %.1e\n", cases[i].x, cases[i].law, f.momentum);
        CHECK(f.impulse > 0.5 && f.momentum < cases[i].off);
        carom_scene_free(scene);
    }
}

/* the ledger closes as steps shrink */
static void check_work(void)
{
    const struct about about = {.kind = WALL, .dimension = 2, .tilt = 10.0, .gamma = 1e-7};
    struct found f[2];
    for (int i = 0; i < 2; i++) {
        const char *const set[] = {i == 0 ? "run.step=3e-7" : "run.step=3e-8"};
        carom_random_start(&random_of, 3);
        f[i] = fly_one(&about, set, 1, false);
    }
    CHECK(f[1].residual < 1e-3 && f[1].residual < 0.1 * f[0].residual);
}

int main(void)
{
    const uint64_t seed = 7;
    const double tilts[] = {0.0, 1.0, 10.0};
    printf("seed %llu\n", (unsigned long long)seed);
    carom_random_start(&random_of, seed);
    for (int kind = 0; kind < KINDS; kind++)
        for (int dimension = 2; dimension <= 3; dimension++)
            for (int i = 0; i < (dimension == 2 ? 6 : 2); i++)
                check_one(&(struct about){.kind = kind,
                                          .dimension = dimension,
                                          .tilt = dimension == 2 && i < 3 ? tilts[i] : draw(0.0, 40.0),
                                          .gamma = i % 2 == 1 ? 1e-7 : 0.0});
    for (int dimension = 2; dimension <= 3; dimension++)
        check_one(&(struct about){.kind = WALL, .dimension = dimension, .mu = 0.2});
    check_damped_ball();
    check_work();
    return check_end();
}
