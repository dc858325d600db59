/* Crystals of balls beside solids: sites, masses and intruders as lattices have them; momentum is what gravity gives,
 * also in contacts of ball and ball, ball and solid; the ledger closes and the motion goes with order 2, also where a
 * ball slides from face to face; crystals that fly through each other miss no contact; the same bits with threads and
 * from a state on the way. */
#include <string.h>

#include "base/vec.h"
#include "carom/carom.h"
#include "check.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_strike.h"
#include "runs.h"

#define PI 3.14159265358979323846

static const char *const crystal =
    "theory: solid\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  - solid: {box: {size: [0.08, 0.08, 0.04], cells: [4, 4, 2]}, material: steel}\n"
    "  - lattice: {kind: hcp, count: [3, 3, 2], radius: 0.01, at: [0.02, 0.025, 0.05], material: steel, intruders: "
    "{at: "
    "[5], material: brass}, omit: [18]}\n"
    "  - sphere: {at: [0.041, 0.043, 0.085], radius: 0.01, material: steel, velocity: [0.1, 0, -1]}\n"
    "contacts: {law: hertz}\n"
    "run: {until: 1.5e-4}\n";

/* two crystals of the plane that fly at each other, over a plate that nothing holds */
static const char *const clash =
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {box: {size: [0.3, 0.05], cells: [6, 1]}, depth: 0.02, material: steel}\n"
    "  - lattice: {kind: hexagonal, count: [3, 4], radius: 0.01, gap: 1 mm, at: [0.05, 0.065], material: steel, "
    "velocity: [20, -1]}\n"
    "  - lattice: {kind: square, count: [3, 4], radius: 0.008, gap: 2 mm, at: [0.16, 0.065], material: steel, "
    "velocity: "
    "[-20, -2]}\n"
    "contacts: {law: hertz}\n"
    "run: {until: 4e-3}\n";

/* a heavy ball that slides over faces of a flat block, which it dents: two cells of it, and their diagonals */
static const char *const slide =
    "theory: solid\n"
    "gravity: [0, 0, -1e5]\n"
    "bodies:\n"
    "  - solid: {box: {size: [0.12, 0.06, 0.04], cells: [6, 3, 2]}, material: steel, clamps: [{face: bottom}]}\n"
    "  - sphere: {at: [0.0231, 0.0312, 0.04997], radius: 0.01, material: steel, velocity: [100, 3, 0]}\n"
    "contacts: {law: hertz}\n"
    "run: {until: 4e-4}\n";

struct end {
    double v[600];
    size_t nv;
    double residual, most; /* most: momentum beside what gravity gave, over that of all that moves */
    uint64_t hash;
};

/* momentum; `all`: the sum of its sizes, and the mass */
static void momentum(const struct carom_sim *sim, double p[3], double *all, double *mass)
{
    const struct carom_solid_strike *of = carom_solid_strike_of(sim->model);
    const struct carom_solid *s = of->body[0].solid;
    const double *balls = sim->view->v + sim->model->member[of->balls_member].v0;
    memset(p, 0, 3 * sizeof *p);
    *all = *mass = 0.0;
    for (size_t i = 0; i < s->n + of->nballs; i++) {
        const bool cell = i < s->n;
        const double m = cell ? carom_solid_inertia(s, i, 0) : of->balls->mass[i - s->n];
        const double *v = cell ? sim->view->v + s->fast * i : balls + (size_t)s->dimension * (i - s->n);
        for (int k = 0; k < s->dimension; k++) {
            p[k] += m * v[k];
            *all += fabs(m * v[k]);
        }
        *mass += m;
    }
}

static struct end fly(const char *text, double until, double step, size_t threads)
{
    char words[2][60];
    snprintf(words[0], sizeof words[0], "run.step=%.17g", step);
    snprintf(words[1], sizeof words[1], "run.until=%.17g", until);
    const char *const set[] = {words[0], words[1]};
    struct carom_scene *scene = runs_scene(text, set, 2);
    struct carom_error error = {CAROM_OK, ""};
    scene->threads = threads;
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    double p[2][3], all, mass;
    carom_sim_sync(sim);
    momentum(sim, p[0], &all, &mass);
    if (carom_sim_run(sim, NULL, &error) != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(error.status == CAROM_OK);
    carom_sim_sync(sim);
    momentum(sim, p[1], &all, &mass);
    struct carom_ledger ledger;
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    struct end end = {.nv = sim->model->nv,
                      .residual = fabs(ledger.residual) / sim->view->energy,
                      .hash = carom_state_hash(sim->view)};
    CHECK_OR_STOP(end.nv <= sizeof end.v / sizeof *end.v);
    memcpy(end.v, sim->view->v, end.nv * sizeof *end.v);
    for (int k = 0; k < 3; k++) {
        const double given = carom_solid_strike_of(sim->model)->balls->gravity[k] * mass * sim->view->time;
        end.most = fmax(end.most, fabs(p[1][k] - p[0][k] - given) / all);
    }
    carom_sim_free(sim);
    carom_scene_free(scene);
    return end;
}

static void check_motion(const char *text, double until, double step, double closes)
{
    const struct end a = fly(text, until, step, 1), b = fly(text, until, step / 2.0, 1),
                     c = fly(text, until, step / 4.0, 1);
    const double order = log2(runs_apart(a.nv, a.v, b.v) / runs_apart(b.nv, b.v, c.v));
    printf("momentum %.1e, residual %.1e %.1e %.1e, order %.2f\n", c.most, a.residual, b.residual, c.residual, order);
    CHECK(a.most < 1e-12 && c.most < 1e-12);
    CHECK(c.residual < closes && c.residual < 0.6 * a.residual);
    CHECK_NEAR(order, 2.0, 0.4);
    CHECK(fly(text, until, step, 2).hash == a.hash);
}

/* the push goes on from face to face of a flat surface without a jump that steps would notice */
static void check_slide(void)
{
    const struct end a = fly(slide, 4e-4, 4e-7, 1), b = fly(slide, 4e-4, 2e-7, 1), c = fly(slide, 4e-4, 1e-7, 1);
    const double order = log2(runs_apart(a.nv, a.v, b.v) / runs_apart(b.nv, b.v, c.v)),
                 closes = log2(a.residual / c.residual) / 2.0;
    printf("slide: residual %.1e %.1e %.1e, order %.2f, of the residual %.2f\n", a.residual, b.residual, c.residual,
           order, closes);
    CHECK_NEAR(order, 2.0, 0.2);
    CHECK_NEAR(closes, 2.0, 0.3);
}

/* the largest residual at 200 moments of the clash: at one of them errors of contacts that have ended may cancel */
static double worst_of_clash(double step)
{
    char word[60];
    snprintf(word, sizeof word, "run.step=%.17g", step);
    const char *const set[] = {word};
    struct carom_scene *scene = runs_scene(clash, set, 1);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    double worst = 0.0;
    for (int i = 0; i < 200; i++) {
        struct carom_ledger ledger;
        CHECK_OR_STOP(carom_sim_step(sim, (size_t)lround(2e-5 / step), &error) == CAROM_OK);
        carom_sim_sync(sim);
        carom_balance_read(sim->model, sim->view, NULL, &ledger);
        worst = fmax(worst, fabs(ledger.residual) / sim->view->energy);
    }
    carom_sim_free(sim);
    carom_scene_free(scene);
    return worst;
}

/* crystals that have flown many radii: contacts begin anywhere, and one that is missed would not close the ledger */
static void check_clash(void)
{
    const struct end end = fly(clash, 4e-3, 2e-7, 1);
    const double worst[] = {worst_of_clash(2e-7), worst_of_clash(1e-7)}, order = log2(worst[0] / worst[1]);
    printf("clash: momentum %.1e, residual %.1e, largest %.1e %.1e, order %.2f\n", end.most, end.residual, worst[0],
           worst[1], order);
    CHECK(end.most < 1e-12 && end.residual < 2e-6);
    CHECK(worst[1] < 1e-5);
    CHECK_NEAR(order, 2.0, 0.3);
}

/* what a list of contacts remembers does not count: one that begins on the way takes the same steps */
static void check_parts(void)
{
    const char *const set[] = {"run.step=1e-7"};
    struct carom_scene *scene = runs_scene(clash, set, 1), *again = runs_scene(clash, set, 1);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error), *other = carom_scene_sim(again, &error);
    CHECK_OR_STOP(sim != NULL && other != NULL);
    CHECK_OR_STOP(carom_sim_step(sim, 9000, &error) == CAROM_OK && carom_sim_step(other, 1, &error) == CAROM_OK);
    carom_state_copy(other->state, sim->state);
    CHECK_OR_STOP(carom_sim_step(sim, 3000, &error) == CAROM_OK && carom_sim_step(other, 3000, &error) == CAROM_OK);
    CHECK(carom_state_hash(sim->state) == carom_state_hash(other->state));
    carom_sim_free(sim);
    carom_sim_free(other);
    carom_scene_free(scene);
    carom_scene_free(again);
}

static void check_sites(void)
{
    struct carom_scene *scene = runs_scene(crystal, NULL, 0);
    const struct carom_solid_balls *balls = carom_solid_balls_of(scene->model, NULL);
    const double volume = 4.0 / 3.0 * PI * 1e-6;
    CHECK_OR_STOP(balls != NULL && balls->n == 18); /* 18 sites, one of them empty, and the sphere */
    CHECK(balls->at[0][0] == 0.02 && balls->at[1][0] == 0.04 && balls->at[17][2] == 0.085);
    CHECK_NEAR(balls->at[9][2], 0.05 + 0.02 * sqrt(2.0 / 3.0), 1e-15);
    CHECK(balls->mass[0] == balls->mass[17]);
    CHECK(balls->mass[4] > 1.05 * balls->mass[0]); /* brass */
    CHECK_NEAR(balls->mass[0] / volume, 7780.0, 100.0);
    CHECK(balls->gravity[2] == -9.81 && carom_solid_at(scene->model, 0)->gravity[2] == -9.81);
    carom_scene_free(scene);
    scene = runs_scene(clash, NULL, 0);
    balls = carom_solid_balls_of(scene->model, NULL);
    CHECK_NEAR(balls->mass[0] / (PI * 1e-4 * 0.02), 7780.0, 100.0); /* as deep as the plate */
    carom_scene_free(scene);
}

/* every ball begins with the velocity of its crystal */
static void check_start(void)
{
    struct carom_scene *scene = runs_scene(clash, NULL, 0);
    const struct carom_solid_strike *of = carom_solid_strike_of(scene->model);
    const double *v = scene->v + scene->model->member[of->balls_member].v0;
    CHECK(of->nballs == 24);
    for (size_t i = 0; i < of->nballs; i++)
        CHECK(v[2 * i] == (i < 12 ? 20.0 : -20.0) && v[2 * i + 1] == (i < 12 ? -1.0 : -2.0));
    carom_scene_free(scene);
}

int main(void)
{
    check_start();
    check_sites();
    check_motion(crystal, 1.5e-4, 2e-7, 1e-5);
    check_slide();
    check_clash();
    check_parts();
    return check_end();
}
