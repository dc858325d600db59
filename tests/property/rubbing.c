/* Solids that rub, under a tolerance: is the stated error true? Each is compared with the same at a far smaller step,
 * at times that pilots do not look at. What sticks creeps by as much as a step leaves of its slip, so that errors have
 * no order: flights at h and h/2, extrapolated by h^2, used to state up to 100 times too little.
 *
 *     rubbing               a few, and checks that none breaks its promise
 *     rubbing FIRST COUNT   those of so many seeds, a line each
 *     rubbing scene SEED    the scene of a seed */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "carom/solid.h"
#include "draws.h"
#include "model/solid/strike/solid_balls.h"
#include "runs.h"

enum { LOOKS = 157 };

/* the first five used to state 4 to 100 times too little */
static const uint64_t few[] = {1, 9, 14, 19, 35, 2, 6, 7, 12, 17, 22};

static const double finer = 1.0 / 32.0; /* steps of the other way */
static const double broken = 3.0;       /* times what is stated */
static const double rounding = 1e-11;   /* of velocities, which are differences over steps */

/* at the places of a corner, in the plane or in space, with the first axis and the last */
static void add_vector(char *text, bool space, double x, double z)
{
    draw_add(text, space ? "[%.6g, 0, %.6g]" : "[%.6g, %.6g]", x, z);
}

static void add_solid(struct carom_random *r, char *text, const char *name, bool space, double x, double z,
                      const char *stuff)
{
    draw_add(text, "  - solid: {name: %s, box: {size: %s, cells: ", name, space ? "[1, 1, 1]" : "[1, 1]");
    if (space)
        draw_add(text, "[2, 1, %d]", draw_chance(r, 0.5) ? 1 : 2);
    else
        draw_add(text, "[%d, 2]", draw_chance(r, 0.3) ? 3 : 2);
    draw_add(text, ", origin: ");
    add_vector(text, space, x, z);
    draw_add(text, "}, %s}\n", stuff);
}

/* a solid against another's side, on a wall, on one that stands on a wall, a heap of three; or a ball on a solid */
static void draw(uint64_t seed, char text[DRAW_TEXT])
{
    enum { PAIR, WALL, STACK, HEAP, BALL, SHAPES };
    struct carom_random r;
    char stuff[200] = "", start[400] = "start:\n";
    carom_random_start(&r, seed);
    const int shape = (int)carom_random_below(&r, SHAPES);
    const bool space = draw_chance(&r, 0.2), rubs = draw_chance(&r, 0.75);
    const double speed = draw_size(&r, 0.1, 1.0), mu = rubs ? draw_between(&r, 0.05, 1.0) : 0.0;
    *text = '\0';
    snprintf(stuff, sizeof stuff, "material: {young: %.6g, poisson: %.6g, density: 1}%s", draw_size(&r, 30.0, 1000.0),
             draw_between(&r, -0.3, 0.4), draw_chance(&r, 0.3) ? ", damping: {stiffness: 1e-3}" : "");
    draw_add(text, "units: none\ntheory: solid\nbodies:\n");
    add_solid(&r, text, "a", space, 0.0, shape == PAIR || shape == HEAP ? 0.0 : draw_between(&r, 0.0, 0.01), stuff);
    if (shape == PAIR || shape == HEAP)
        add_solid(&r, text, "b", space, 1.0 + draw_between(&r, 0.0, 0.02), draw_between(&r, -0.4, 0.4), stuff);
    if (shape == STACK || shape == HEAP)
        add_solid(&r, text, "c", space, 0.2, 1.0 + draw_between(&r, 0.01, 0.02) + 0.4 * (shape == HEAP), stuff);
    if (shape == WALL || shape == STACK)
        draw_add(text, "  - plane: {at: %s, normal: %s, name: floor}\n", space ? "[0, 0, 0]" : "[0, 0]",
                 space ? "[0, 0, 1]" : "[0, 1]");
    if (shape == BALL) {
        draw_add(text, "  - %s: {at: ", space ? "sphere" : "disc");
        add_vector(text, space, 0.4, 1.52);
        draw_add(text, ", radius: 0.5, mass: %.6g, velocity: ", draw_size(&r, 0.3, 3.0));
        add_vector(text, space, draw_between(&r, -speed, speed), -speed);
        draw_add(text, "}\n");
    } else {
        draw_add(start, "  - {body: a, velocity: ");
        const double along = draw_between(&r, -speed, speed);
        add_vector(start, space, shape == PAIR || shape == HEAP ? speed : along,
                   shape == PAIR || shape == HEAP ? along : -speed);
        draw_add(start, "}\n");
        draw_add(text, "%s", start);
    }
    draw_add(text, "contacts: {%s%sfriction: {law: coulomb, mu: %.6g, slip_speed: %.6g}}\n",
             shape == BALL ? "law: hertz, k: 300, " : "", shape != BALL && draw_chance(&r, 0.3) ? "gamma: 2e-3, " : "",
             mu, draw_size(&r, 1e-2, 3e-1) * speed);
    draw_add(text, "run: {until: %.6g, tol: %.3g}\n", draw_between(&r, 0.1, 0.4), draw_size(&r, 1e-3, 1e-2));
}

/* displacements and velocities of all cells and balls, in units of the scales */
static size_t read_all(const struct carom_sim *sim, double *to)
{
    const struct carom_model *model = sim->model;
    const struct carom_state *view = sim->view;
    size_t n = 0, ball_member;
    for (size_t b = 0; b < carom_solid_count(model); b++) {
        const struct carom_solid *s = carom_solid_at(model, b);
        for (size_t i = 0; i < s->n; i++)
            for (size_t k = 0; k < (size_t)s->dimension; k++) {
                to[n++] = view->q[model->member[b].q0 + s->wide * i + k] / sim->scales.length;
                to[n++] = view->v[model->member[b].v0 + s->fast * i + k] / sim->scales.speed;
            }
    }
    const struct carom_solid_balls *balls = carom_solid_balls_of(model, &ball_member);
    for (size_t i = 0; balls && i < balls->n * (size_t)balls->dimension; i++) {
        to[n++] = view->q[model->member[ball_member].q0 + i] / sim->scales.length;
        to[n++] = view->v[model->member[ball_member].v0 + i] / sim->scales.speed;
    }
    return n;
}

struct verdict {
    double tol, stated, off, steps;
};

static struct verdict judge(const char *text)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = runs_scene(text, NULL, 0);
    struct verdict v = {.tol = carom_param_value(carom_param_find(scene->scheme->kind.params, "tol"), scene->options)};
    char key[60];
    carom_scene_free(scene);
    struct carom_sim *sim = runs_sim(text);
    CHECK_STATUS(carom_sim_prepare(sim, NULL, &error), CAROM_OK);
    const struct carom_param *step = carom_param_find(sim->stepper->scheme->kind.params, "step");
    snprintf(key, sizeof key, "run.step=%.17g", finer * carom_param_value(step, sim->stepper->options));
    scene = runs_scene(text, (const char *const[]){"run.tol=0", key}, 2);
    struct carom_sim *other = carom_scene_sim(scene, &error);
    carom_scene_free(scene);
    CHECK_OR_STOP(other != NULL);
    double *of[2] = {carom_memory_zeroed(sim->model->nq + sim->model->nv, sizeof(double)),
                     carom_memory_zeroed(sim->model->nq + sim->model->nv, sizeof(double))};
    for (int look = 1; look <= LOOKS; look++) {
        const double t = look < LOOKS ? sim->until * look / LOOKS : sim->until;
        CHECK_STATUS(carom_sim_to(sim, t, &error), CAROM_OK);
        CHECK_STATUS(carom_sim_to(other, t, &error), CAROM_OK);
        read_all(sim, of[0]);
        v.off = fmax(v.off, runs_apart(read_all(other, of[1]), of[0], of[1]));
    }
    v.stated = sim->estimate;
    v.steps = (double)sim->stepper->counts.steps;
    carom_memory_free_all(of[0], of[1]);
    carom_sim_free(sim);
    carom_sim_free(other);
    return v;
}

static bool keeps(const struct verdict *v)
{
    return v->stated > 0.0 && v->off <= fmax(broken * v->stated, rounding);
}

static void tell(const char *name, const struct verdict *v)
{
    printf("%-10s tol %.1e, %6.0f steps, stated %.1e%s, true %.1e, %.2f%s\n", name, v->tol, v->steps, v->stated,
           v->stated > v->tol ? " MORE" : "", v->off, v->off / v->stated, keeps(v) ? "" : " BROKEN");
}

static struct verdict judge_seed(uint64_t seed)
{
    char text[DRAW_TEXT], name[30];
    draw(seed, text);
    const struct verdict v = judge(text);
    snprintf(name, sizeof name, "%" PRIu64, seed);
    tell(name, &v);
    fflush(stdout);
    return v;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "scene") == 0) {
        char text[DRAW_TEXT];
        draw(strtoull(argv[2], NULL, 10), text);
        fputs(text, stdout);
        return 0;
    }
    const size_t count = argc == 3 ? strtoull(argv[2], NULL, 10) : sizeof few / sizeof *few;
    for (size_t i = 0; i < count; i++) {
        const struct verdict v = judge_seed(argc == 3 ? strtoull(argv[1], NULL, 10) + i : few[i]);
        CHECK(keeps(&v));
    }
    return check_end();
}
