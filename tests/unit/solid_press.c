/* Solids that strike solids and walls: pushes are the slopes of the overlap, momentum and angular momentum stay, the
 * ledger closes with order 2 (damped ones too), the motion has order 2, the same bits with threads; bars against the
 * theory of waves; tied bars against one of the same length; refusals. */
#include <string.h>

#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "model/solid/strike/solid_strike.h"
#include "momenta.h"
#include "runs.h"

/* a block falls with an edge first onto another one of other cells; and Voronoi cells onto a box */
static const char *const blocks =
    "theory: solid\nbodies:\n"
    "  - solid: {name: low, box: {size: [0.1, 0.1, 0.05], cells: [5, 4, 3]}, material: steel}\n"
    "  - solid: {name: high, box: {size: [0.06, 0.05, 0.04], cells: [3, 3, 2], origin: [0.013, 0.027, 0.05001]}, "
    "material: aluminium}\n"
    "contacts: {law: linear-dashpot}\n"
    "start: [{body: high, velocity: [2, 1, -10], spin: [30, -20, 40]}]\n"
    "run: {until: 3e-5}\n";
static const char *const grains =
    "theory: solid\nbodies:\n"
    "  - solid: {name: low, box: {size: [0.1, 0.1, 0.05], cells: [4, 4, 2]}, material: steel}\n"
    "  - solid: {name: high, voronoi: {box: {size: [0.06, 0.05, 0.04], origin: [0.013, 0.027, 0.05001]}, cells: 20, "
    "relax: 2}, accept_skew: true, material: steel}\n"
    "contacts: {law: linear-dashpot}\n"
    "start: [{body: high, velocity: [2, 1, -10], spin: [30, -20, 40]}]\n"
    "run: {until: 3e-5}\n";
static const char *const plates =
    "theory: solid\nbodies:\n"
    "  - solid: {name: low, box: {size: [0.1, 0.05], cells: [10, 5]}, depth: 0.01, material: steel}\n"
    "  - solid: {name: high, box: {size: [0.04, 0.03], cells: [5, 4], origin: [0.033, 0.05001]}, depth: 0.01, "
    "material: steel}\n"
    "contacts: {law: linear-dashpot}\n"
    "start: [{body: high, velocity: [2, -10], spin: 60}]\n"
    "run: {until: 3e-5}\n";

static struct carom_sim *open(struct carom_scene *scene)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    if (!sim)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(sim != NULL);
    return sim;
}

static void run(struct carom_sim *sim)
{
    struct carom_error error = {CAROM_OK, ""};
    if (carom_sim_run(sim, NULL, &error) != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(error.status == CAROM_OK);
    carom_sim_sync(sim);
}

/* q moved by step x v, the part's velocities */
static void move(const struct carom_model *model, const double *q, double step, const double *v, struct carom_state *to)
{
    for (size_t i = 0; i < model->nv; i++)
        to->v[i] = step * v[i];
    for (size_t p = 0; p < model->nparts; p++) {
        const struct carom_member *m = &model->member[p];
        m->part->move(m->own, q + m->q0, to->v + m->v0, to->q + m->q0);
    }
}

/* the overlap's change under a small motion of every number is the rate that normals, weights and arms give */
static void check_slopes(const char *text)
{
    struct carom_scene *scene = runs_scene(text, NULL, 0);
    const struct carom_model *model = scene->model;
    const struct carom_solid_strike *of = carom_solid_strike_of(model);
    const struct carom_solid *high = of->body[1].solid;
    const size_t q0 = model->member[1].q0, d = (size_t)high->dimension;
    struct carom_random random;
    carom_random_start(&random, 5);
    for (size_t i = 0; i < high->n; i++) {
        for (size_t k = 0; k < d; k++)
            scene->q[q0 + high->wide * i + k] += 1e-5 * carom_random_normal(&random);
        scene->q[q0 + high->wide * i + d - 1] -= 5e-4;
    }
    for (size_t i = 0; i < model->nv; i++)
        scene->v[i] = carom_random_normal(&random);
    const double step = 1e-7;
    double overlap, rate, two[2];
    carom_contacts_deform_some(model, 0, 1, 0.0, scene->q, scene->v, &overlap, &rate);
    CHECK_OR_STOP(overlap > 1e-4);
    struct carom_state *moved = carom_state_create(model, 0);
    CHECK_OR_STOP(moved != NULL);
    for (int side = 0; side < 2; side++) {
        move(model, scene->q, side == 0 ? -step : step, scene->v, moved);
        carom_contacts_deform_some(model, 0, 1, 0.0, moved->q, NULL, &two[side], NULL);
    }
    CHECK_NEAR((two[1] - two[0]) / (2.0 * step), rate, 1e-5 * (1.0 + fabs(rate)));
    carom_state_free(moved);
    carom_scene_free(scene);
}

/* momentum and angular momentum of all cells, about the origin */
static void momenta(const struct carom_sim *sim, double p[3], double l[3])
{
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    for (size_t m = 0; m < carom_solid_count(sim->model); m++)
        momenta_solid(sim->model, sim->view, m, p, l);
}

struct end {
    double v[800]; /* of all */
    size_t nv;
    double residual, lost, friction_loss, most; /* most: largest change of a momentum over its size */
    uint64_t hash;
};

static struct end fly(const char *text, double step, const char *law, size_t threads)
{
    char words[2][100];
    snprintf(words[0], sizeof words[0], "run.step=%.17g", step);
    snprintf(words[1], sizeof words[1], "contacts=%s", law);
    const char *const set[] = {words[0], words[1]};
    struct carom_scene *scene = runs_scene(text, set, 2);
    scene->threads = threads;
    struct carom_sim *sim = open(scene);
    double p[2][3], l[2][3];
    carom_sim_sync(sim);
    momenta(sim, p[0], l[0]);
    run(sim);
    momenta(sim, p[1], l[1]);
    struct carom_ledger ledger;
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    struct end end = {.nv = sim->model->nv,
                      .residual = fabs(ledger.residual) / sim->view->energy,
                      .lost = ledger.viscous / sim->view->energy,
                      .friction_loss = ledger.friction / sim->view->energy,
                      .hash = carom_state_hash(sim->view)};
    CHECK_OR_STOP(end.nv <= sizeof end.v / sizeof *end.v);
    memcpy(end.v, sim->view->v, end.nv * sizeof *end.v);
    for (int k = 0; k < 3; k++) {
        end.most = fmax(end.most, fabs(p[1][k] - p[0][k]) / carom_vec_norm(p[0]));
        end.most = fmax(end.most, fabs(l[1][k] - l[0][k]) / carom_vec_norm(l[0]));
    }
    carom_sim_free(sim);
    carom_scene_free(scene);
    return end;
}

/* `rubs`: below slip_speed friction is smooth, too */
static void check_motion(const char *text, bool rubs)
{
    const char *const law =
        rubs ? "{law: linear-dashpot, friction: {mu: 0.3, slip_speed: 30}}" : "{law: linear-dashpot}";
    const struct end a = fly(text, 2e-7, law, 1), b = fly(text, 1e-7, law, 1), c = fly(text, 5e-8, law, 1);
    printf("momenta %.1e, residual %.1e %.1e %.1e, order %.2f, friction_loss off %.4f\n", a.most, a.residual,
           b.residual, c.residual, log2(runs_apart(a.nv, a.v, b.v) / runs_apart(b.nv, b.v, c.v)), c.friction_loss);
    CHECK(rubs ? c.friction_loss > 0.01 && c.friction_loss < 0.1 : c.friction_loss == 0.0);
    CHECK(a.most < 1e-12 && c.most < 1e-12);
    CHECK(c.residual < 2e-5 && c.residual < 0.25 * a.residual);
    CHECK_NEAR(log2(runs_apart(a.nv, a.v, b.v) / runs_apart(b.nv, b.v, c.v)), 2.0, 0.4);
    CHECK(fly(text, 2e-7, law, 2).hash == a.hash);
}

static void check_damped(const char *text)
{
    const char *const law = "{law: linear-dashpot, gamma: 1e-6}";
    const struct end a = fly(text, 2e-7, law, 1), b = fly(text, 5e-8, law, 1);
    printf("damped: lost %.4f, residual %.1e %.1e, momenta %.1e\n", b.lost, a.residual, b.residual, b.most);
    CHECK(b.lost > 0.01 && b.lost < 0.9);
    CHECK(b.residual < 3e-4 && b.residual < 0.3 * a.residual);
    CHECK(b.most < 1e-12);
    CHECK(fly(text, 2e-7, law, 2).hash == a.hash);
}

/* --- bars, after the theory of waves in them --------------------------------------------------------------------- */

/* E = 2e11, rho = 8000, c = 5000 m/s; 0.1 m x 0.1 m; `more` is another body */
static const char *bar(const char *more)
{
    static char text[1024];
    snprintf(
        text, sizeof text,
        "theory: solid\n"
        "bodies:\n"
        "  - solid: {name: left, box: {size: [1, 0.1, 0.1], cells: [60, 1, 1]}, material: {young: 2e11, poisson: 0, "
        "density: 8000}}\n%s"
        "start: [{body: left, velocity: [1, 0, 0]}]\n"
        "run: {until: 7e-4}\n",
        more);
    return text;
}

/* mean velocity of a body along x */
static double mean(const struct carom_sim *sim, size_t member)
{
    const struct carom_solid *s = carom_solid_at(sim->model, member);
    const double *v = sim->view->v + sim->model->member[member].v0;
    double sum = 0.0;
    for (size_t i = 0; i < s->n; i++)
        sum += v[s->fast * i] / (double)s->n;
    return sum;
}

struct bounce {
    double opened, v[2], force; /* when the contact opened; in the end; in the middle of it */
};

static struct bounce bounce(const char *text, size_t bodies)
{
    struct carom_scene *scene = runs_scene(text, NULL, 0);
    struct carom_sim *sim = open(scene);
    struct carom_error error = {CAROM_OK, ""};
    struct bounce b = {0.0, {0.0, 0.0}, 0.0};
    double overlap;
    while (sim->state->time < sim->until) {
        CHECK_OR_STOP(carom_sim_step(sim, 4, &error) == CAROM_OK); /* to look takes as long as a step */
        carom_sim_sync(sim);
        carom_contacts_deform_some(sim->model, 0, 1, 0.0, sim->view->q, NULL, &overlap, NULL);
        b.opened = overlap > 0.0 ? sim->view->time : b.opened;
    }
    for (size_t i = 0; i < bodies; i++)
        b.v[i] = mean(sim, i);
    carom_sim_free(sim);
    carom_scene_free(scene);
    return b;
}

static void check_bars(void)
{
    /* of equal length they exchange their velocities within 2 L / c = 4e-4 s */
    const struct bounce equal =
        bounce(bar("  - solid: {name: right, box: {size: [1, 0.1, 0.1], cells: [60, 1, 1], origin: [1, 0, 0]}, "
                   "material: {young: 2e11, poisson: 0, density: 8000}}\n"),
               2);
    printf("equal bars: %.4f %.4f after %.4e s\n", equal.v[0], equal.v[1], equal.opened);
    CHECK_NEAR(equal.opened, 4e-4, 0.02 * 4e-4);
    CHECK_NEAR(equal.v[0], 0.0, 0.01);
    CHECK_NEAR(equal.v[1], 1.0, 0.01);
    /* the shorter one comes to rest where it strikes a longer one, which then has the velocity v L1 / L2 */
    const struct bounce unequal =
        bounce(bar("  - solid: {name: right, box: {size: [2, 0.1, 0.1], cells: [120, 1, 1], origin: [1, 0, 0]}, "
                   "material: {young: 2e11, poisson: 0, density: 8000}}\n"),
               2);
    printf("unequal bars: %.4f %.4f after %.4e s\n", unequal.v[0], unequal.v[1], unequal.opened);
    CHECK_NEAR(unequal.v[0], 0.0, 0.01);
    CHECK_NEAR(unequal.v[1], 0.5, 0.005);
    /* a rigid wall throws it back within 2 L / c, as it came */
    const struct bounce wall = bounce(bar("  - plane: {at: [1, 0, 0], normal: [-3, 0, 0]}\n"), 1);
    printf("wall: %.4f after %.4e s\n", wall.v[0], wall.opened);
    CHECK_NEAR(wall.opened, 4e-4, 0.02 * 4e-4);
    CHECK_NEAR(wall.v[0], -1.0, 0.02); /* the rest is left in waves shorter than some cells */
}

/* two bars that are tied swing as one of both lengths */
static void check_tied(void)
{
    const char *const both =
        "theory: solid\n"
        "bodies:\n"
        "  - solid: {name: left, box: {size: [0.5, 0.1], cells: [20, 4]}, material: steel, sensors: "
        "{a: [0, 0.05]}}\n"
        "  - solid: {name: right, box: {size: [0.5, 0.1], cells: [20, 4], origin: [0.5, 0]}, "
        "material: steel, sensors: {b: [1, 0.05]}}\n"
        "ties: [{between: [left, right]}]\n"
        "start: [{body: left, velocity: [1, 0]}, {velocity: [0, 2]}]\n"
        "run: {until: 6e-4}\n";
    const char *const one =
        "theory: solid\n"
        "bodies:\n"
        "  - solid: {box: {size: [1, 0.1], cells: [40, 4]}, material: steel, sensors: {a: [0, 0.05], "
        "b: [1, 0.05]}}\n"
        "start: [{box: [[0, 0], [0.5, 0.1]], velocity: [1, 0]}, {velocity: [0, 2]}]\n"
        "run: {until: 6e-4}\n";
    double u[2][2][3], v[3];
    for (int which = 0; which < 2; which++) {
        struct carom_scene *scene = runs_scene(which == 0 ? both : one, NULL, 0);
        struct carom_sim *sim = open(scene);
        run(sim);
        for (int i = 0; i < 2; i++) {
            size_t member;
            const struct carom_solid_sensor *sensor;
            CHECK_OR_STOP(carom_solid_sensor_find(sim->model, i == 0 ? "a" : "b", &member, &sensor) != SIZE_MAX);
            const struct carom_member *m = &sim->model->member[member];
            carom_solid_sense(m->own, sensor, sim->view->q + m->q0, sim->view->v + m->v0, u[which][i], v);
        }
        struct carom_ledger ledger;
        carom_balance_read(sim->model, sim->view, NULL, &ledger);
        CHECK(fabs(ledger.residual) < 1e-3 * sim->view->energy);
        carom_sim_free(sim);
        carom_scene_free(scene);
    }
    for (int i = 0; i < 2; i++)
        printf("tied %.5e %.5e, one %.5e %.5e\n", u[0][i][0], u[0][i][1], u[1][i][0], u[1][i][1]);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            CHECK_NEAR(u[0][i][k], u[1][i][k], 0.01 * fabs(u[1][i][k]));
}

static void check_refused(const char *text, const char *const *set, size_t nset, const char *sentence)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), set, nset, &error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, &error) : NULL;
    if (sim || !strstr(error.text, sentence))
        fprintf(stderr, "%s\n", error.text);
    CHECK(!sim && strstr(error.text, sentence) != NULL);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

static void check_refusals(void)
{
    static const struct {
        const char *set, *sentence;
    } all[] = {
        {"contacts={law: hertz, k: 1e9}", "need a linear law"}, /* as without k */
        {"contacts={restitution: 1.5}", "restitution"},
        {"contacts=[{gamma: 0}, {between: [low, lower], gamma: 1e-7}]", "no contact joins low and lower"},
        {"contacts=[{gamma: 0}, {gamma: 1e-7}]", "between is missing"},
        {"run.scheme=dp5", "only scheme rattle supports what strikes a solid"},
        {"run.step=3e-6", "unstable"},
        {"start=[{body: middle, velocity: [0, 0]}]", "middle"},
        {"start=[{face: top, velocity: [0, 0]}]", "of which solid?"},
        {"ties=[{between: [low, high]}]", "do not touch"},
        {"ties=[{between: [low, wall]}]", "not two solids"},
        {"bodies.1.solid.name=high", "another solid has the name"},
        {"bodies.1.solid.name=cells", "meaning of its own"},
        {"bodies.1.solid.name=a/b", "letters, digits"},
        {"bodies.2.solid.depth=0.02", "with one depth"},
        {"bodies.2.solid.box.origin=[0.033, 0.04]", "stands in"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        check_refused(plates, &all[i].set, 1, all[i].sentence);
    check_refused("theory: solid\nbodies:\n  - solid: {box: {size: [1, 1], cells: [2, 2]}, material: steel}\n"
                  "  - solid: {name: a, box: {size: [1, 1], cells: [2, 2], origin: [2, 0]}, material: steel}\n"
                  "run: {until: 1}\n",
                  NULL, 0, "name is missing");
    check_refused("theory: solid\nbodies:\n  - solid: {box: {size: [1, 1], cells: [2, 2]}, material: steel}\n"
                  "  - plane: {at: [0, 0], normal: [0, 0]}\nrun: {until: 1}\n",
                  NULL, 0, "no direction");
}

/* two bodies of a scene, and what is said of them: NULL that nothing is, else a part of the sentence */
static void check_said(const char *one, const char *two, const char *more, bool good, const char *sentence)
{
    char text[1000];
    snprintf(text, sizeof text,
             "theory: solid\nbodies:\n  - solid: {name: a, material: steel, %s}\n  - %s\nrun: {until: 1e-5}\n%s", one,
             two, more);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    const char *said = scene ? scene->notes : error.text;
    const bool right = (scene != NULL) == good && (sentence ? said && strstr(said, sentence) : said == NULL);
    if (!right)
        fprintf(stderr, "%s%s\n", text, said ? said : "nothing is said");
    CHECK(right);
    carom_scene_free(scene);
}

/* side faces are seen as far as sight goes, no farther by rounding; sides that are cut end half a cell before */
static void check_touching(void)
{
    const char *const bars[][2] = {
        {"box: {size: [1.2, .01, .01], cells: [240, 1, 1], origin: [0.5, 0, 0]}",
         "solid: {name: b, material: steel, box: {size: [1.2, .01, .01], cells: [240, 1, 1], origin: [1.7, 0, 0]}}"},
        {"box: {size: [1.2, .01, .01], cells: [240, 1, 1], origin: [0.5, 0, 0]}",
         "solid: {name: b, material: steel, box: {size: [1.2, .01, .01], cells: [400, 1, 1], origin: [1.7, 0, 0]}}"},
        {"box: {size: [1, 1], cells: [4, 4]}",
         "solid: {name: b, material: steel, box: {size: [1, 1], cells: [4, 4], origin: [1, 0]}}"},
        {"box: {size: [1, 1, 1], cells: [3, 3, 3], origin: [1e6, 0, 0]}", /* places are known to 1e-10 */
         "solid: {name: b, material: steel, box: {size: [1, 1, 1], cells: [3, 3, 3], origin: [1000001, 0, 0]}}"},
        {"box: {size: [1, 1], cells: [4, 4]}, absorbing: [top]",
         "solid: {name: b, material: steel, box: {size: [1, 1], cells: [4, 4], origin: [1, 0]}}"},
        {"box: {size: [1, 1], cells: [4, 4]}, clamps: [{face: right}]",
         "solid: {name: b, material: steel, box: {size: [1, 1], cells: [4, 4], origin: [1, 0]}, clamps: [{face: "
         "left}]}"},
        {"voronoi: {box: {size: [1, 1, 1]}, cells: 30, relax: 2}, accept_skew: true",
         "solid: {name: b, material: steel, box: {size: [1, 1, 1], cells: [3, 3, 3], origin: [1, 0, 0]}}"},
        {"cylinder: {radius: 1, height: 1, thickness: 0.1, around: 24, along: 4}", /* in its hollow */
         "solid: {name: b, material: steel, box: {size: [1, 1, 1], cells: [3, 3, 3], origin: [-0.5, -0.5, 0]}}"},
    };
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++)
        check_said(bars[i][0], bars[i][1], "", true, NULL);
    check_said(bars[2][0], "solid: {name: b, material: steel, box: {size: [1, 1], cells: [4, 4], origin: [3, 0]}}", "",
               true, "a and b do not meet before the run ends");
    check_said("box: {size: [1, 1, 1], cells: [2, 2, 2]}, clamps: [{cells: all}]",
               "plane: {at: [0, 0, -1], normal: [0, 0, 1]}", "", true, "a: all cells are held");
}

/* surfaces feel nothing where they are one, or deeper than a cell */
static void check_inside(void)
{
    const char *const cube = "box: {size: [1, 1, 1], cells: [4, 4, 4]}";
    check_said(cube, "solid: {name: b, material: steel, box: {size: [1, 1, 1], cells: [4, 4, 4]}}", "", false,
               "stands in");
    check_said(cube, "solid: {name: b, material: steel, box: {size: [1, 1, 1], cells: [3, 3, 3]}}", "", false,
               "stands in");
    check_said("box: {size: [1, 1], cells: [9, 9]}",
               "solid: {name: b, material: steel, box: {size: [1, 1], cells: [9, 9]}}", "", false, "stands in");
    check_said(
        "box: {size: [1, 1, 1], cells: [20, 20, 20]}",
        "solid: {name: b, material: steel, box: {size: [.1, .1, .1], cells: [2, 2, 2], origin: [.45, .45, .45]}}", "",
        false, "stands in");
    check_said("box: {size: [1, 1, 1], cells: [20, 20, 20]}",
               "sphere: {at: [.5, .5, .5], radius: .01, material: steel}", "contacts: {law: hertz}\n", false,
               "ball 1 stands in a, by 0.51");
    check_said(cube,
               "solid: {name: b, material: steel, box: {size: [1, 1, 1], cells: [4, 4, 4], origin: [.999, 0, 0]}}", "",
               true, "a and b overlap at the start: they are pressed, with an energy of ");
    check_said(cube, "plane: {at: [0, 0, .001], normal: [0, 0, 1]}", "", true, "a and wall overlap at the start");
}

static void check_names(void)
{
    const char *plane = "plane: {at: [0, 0, -1], normal: [0, 0, 1]}",
               *cube = "box: {size: [1, 1, 1], cells: [2, 2, 2]}";
    check_said(cube, plane,
               "contacts: [{gamma: 0}, {between: [a, wall], gamma: 1e-7}, {between: [wall, a], gamma: 0}]\n", false,
               "test:6:69: between: wall and a are named twice, first in line 6, column 34");
    check_said(cube, plane, "contacts: [{between: [a, wall]}, {between: [a, wall]}]\n", false,
               "first in line 6, column 22");
    check_refused("theory: solid\nbodies: [{solid: {box: {size: [1, 1], cells: [2, 2]}, material: steel}}]\n"
                  "start: [{body: 2, velocity: [1, 0]}]\nrun: {until: 1}\n",
                  NULL, 0, "the solid has no name: leave body out");
}

/* a law that is too soft lets bodies through, and that is told */
static void check_through(void)
{
    const char *const set[] = {"contacts.k=1e3", "run.until=1e-3"};
    struct carom_scene *scene = runs_scene(plates, set, 2);
    struct carom_sim *sim = open(scene);
    struct carom_error error = {CAROM_OK, ""};
    CHECK(carom_sim_run(sim, NULL, &error) == CAROM_E_NUMERIC && strstr(error.text, "half a cell inside") != NULL);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

int main(void)
{
    const char *const all[] = {blocks, grains, plates};
    for (int i = 0; i < 3; i += check_take(2, 1)) {
        check_slopes(all[i]);
        check_motion(all[i], true); /* pushes along normals are part of that */
    }
    check_motion(plates, false);
    if (check_takes_all())
        check_damped(blocks);
    check_damped(plates);
    check_bars();
    check_tied();
    check_refusals();
    check_touching();
    check_inside();
    check_names();
    check_through();
    return check_end();
}
