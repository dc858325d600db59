/* Units are nobody's business: the same scene in other units of mass, length and time, powers of two of the first,
 * takes the same steps to the same motion, under every theory and scheme. Likewise contact problems with larger rates
 * or heavier bodies: the same iterations, and impulses that are larger in the same proportion. A formula that forgets
 * a factor, or compares what cannot be compared, is seen wherever it decides something. */
#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "runs.h"
#include "solve/contact/friction.h"
#include "solve/contact/lcp.h"

/* --- scenes ------------------------------------------------------------------------------------------------------- */

struct units {
    int mass, length, time; /* powers of two; of 4 the length, as k of hertz has a root of it */
};

static const struct units others[] = {{7, -12, 3}, {-20, 10, -9}, {30, 20, 14}};

/* A number of a scene is <value mass length time>, the last three its dimension, in halves: <1 2 0 0> is a mass. */
static void rewrite(const char *scene, const struct units *u, char *text, size_t room)
{
    size_t at = 0;
    while (*scene) {
        double value, mass, length, time;
        int used = 0;
        CHECK_OR_STOP(at + 40 < room);
        if (*scene == '<' && sscanf(scene, "<%lf %lf %lf %lf>%n", &value, &mass, &length, &time, &used) == 4 &&
            used > 0) {
            const double power = 0.5 * (mass * u->mass + length * u->length + time * u->time);
            CHECK(power == floor(power));
            at += (size_t)snprintf(text + at, room - at, "%.17g", ldexp(value, (int)power));
            scene += used;
        } else {
            text[at++] = *scene++;
        }
    }
    text[at] = '\0';
}

struct outcome {
    size_t nq, nv;
    double q[400], v[400];
    uint64_t steps;
};

static void run(const char *scene, const struct units *u, struct outcome *o)
{
    static char text[20000];
    struct carom_error error = {CAROM_OK, ""};
    rewrite(scene, u, text, sizeof text);
    struct carom_sim *sim = runs_sim(text);
    if (carom_sim_run(sim, NULL, &error) != CAROM_OK)
        fprintf(stderr, "%s\n%s\n", error.text, text);
    CHECK_OR_STOP(error.status == CAROM_OK);
    carom_sim_sync(sim);
    o->nq = sim->model->nq;
    o->nv = sim->model->nv;
    o->steps = sim->state->step;
    CHECK_OR_STOP(o->nq <= 400 && o->nv <= 400);
    memcpy(o->q, sim->view->q, o->nq * sizeof *o->q);
    memcpy(o->v, sim->view->v, o->nv * sizeof *o->v);
    carom_sim_free(sim);
}

/* the numbers of one have the unit of length (or velocity) of the other, or, as angles do, none (or that of a spin) */
static bool alike(size_t n, const double *a, const double *b, double unit, double other)
{
    double size = 0.0;
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs(a[i]));
    for (size_t i = 0; i < n; i++)
        if (!(fabs(b[i] / unit - a[i]) <= 1e-9 * size) && !(fabs(b[i] / other - a[i]) <= 1e-9 * size))
            return false;
    return true;
}

static void check_scene(const char *scene)
{
    static const struct units first = {0, 0, 0};
    static struct outcome a, b;
    run(scene, &first, &a);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct units *u = &others[i];
        run(scene, u, &b);
        const bool good = b.nq == a.nq && b.steps == a.steps && alike(a.nq, a.q, b.q, ldexp(1.0, u->length), 1.0) &&
                          alike(a.nv, a.v, b.v, ldexp(1.0, u->length - u->time), ldexp(1.0, -u->time));
        CHECK(good);
        if (!good)
            fprintf(stderr, "units %zu: %llu steps, not %llu: %.17g, not %.17g\n%s\n", i, (unsigned long long)b.steps,
                    (unsigned long long)a.steps, ldexp(b.v[0], u->time - u->length), a.v[0], scene);
    }
}

#define ROW(...) "units: none\nbodies: [" __VA_ARGS__ "]\n"
#define HERTZ "contacts: {law: hertz, k: <900 2 -1 -4>}\n"
#define DAMPED(end) "contacts: {law: kuwabara-kono, k: <900 2 -1 -4>, gamma: <0.004 0 0 2>, contact_end: " end "}\n"
#define BEADS "chain: {count: 6, mass: <0.7 2 0 0>}"
#define STRUCK "start: [{body: 1, velocity: <0.9 0 2 -2>}, {body: 4, velocity: <-0.4 0 2 -2>}]\n"
#define HELD "gravity: <-3 0 2 -4>\n"
#define WALLS "wall: {side: left, gap: <0.02 0 2 0>}, " BEADS ", wall: {side: right, gap: <0.03 0 2 0>}"

/* a load that takes a bead off its wall for a moment shorter than a step */
#define GRAZING(force)                                                                                           \
    ROW("wall: {side: left}, bead: {mass: <1 2 0 0>}")                                                           \
    "contacts: {law: linear-dashpot, k: <400 2 0 -4>, gamma: <0.1 0 0 2>, contact_end: force}\n"                 \
    "gravity: <-1 0 2 -4>\nstart: [{body: 1, displacement: <-2.5e-3 0 2 0>}]\nloads: [{body: 1, force: {shape: " \
    "sine, amplitude: <" force " 2 2 -4>, frequency: <0.5 0 0 -2>}}]\nrun: {until: <2 0 0 2>, tol: 1e-3}\n"

static const char *const chains[] = {
    ROW(WALLS) HERTZ STRUCK "run: {until: <0.9 0 0 2>, tol: 1e-8}\n",
    ROW(WALLS) HERTZ STRUCK "run: {until: <0.9 0 0 2>, scheme: verlet, step: <0.001 0 0 2>}\n",
    ROW(WALLS) DAMPED("gap") STRUCK HELD "run: {until: <0.9 0 0 2>, tol: 1e-7}\n",
    ROW(WALLS) DAMPED("force") STRUCK HELD "run: {until: <0.9 0 0 2>, tol: 1e-7}\n",
    ROW(WALLS) DAMPED("force") STRUCK HELD "run: {until: <0.9 0 0 2>, scheme: verlet, step: <0.001 0 0 2>}\n",
    ROW(WALLS) DAMPED("latched") STRUCK HELD "run: {until: <0.9 0 0 2>, tol: 1e-7}\n",
    ROW(WALLS) DAMPED("gap") STRUCK "run: {until: <0.5 0 0 2>, scheme: theta, step: <0.002 0 0 2>}\n",
    ROW(WALLS) DAMPED("gap") STRUCK "run: {until: <0.5 0 0 2>, scheme: irk, step: <0.004 0 0 2>}\n",
    ROW(WALLS) DAMPED("gap") STRUCK "run: {until: <0.5 0 0 2>, scheme: gl, step: <0.004 0 0 2>}\n",
    ROW(WALLS) DAMPED("gap") STRUCK "run: {until: <0.5 0 0 2>, scheme: cn, step: <0.002 0 0 2>}\n",
    ROW(WALLS) HERTZ STRUCK "run: {until: <0.5 0 0 2>, scheme: energy-momentum, step: <0.002 0 0 2>}\n",
    /* a bead on a wall that shakes: its force is cut, and acts again, inside of what would be a step */
    ROW("wall: {side: left}, bead: {mass: <1 2 0 0>}") "contacts: {law: linear-dashpot, k: <400 2 0 -4>, gamma: <0.03 "
                                                       "0 0 2>, contact_end: force}\n"
                                                       "gravity: <-1 0 2 -4>\nloads: [{wall: left, displacement: "
                                                       "{shape: sine, amplitude: <0.0004 0 2 0>, frequency: "
                                                       "<13 0 0 -2>}}]\nrun: {until: <3 0 0 2>, tol: 1e-5}\n",
    ROW("wall: {side: left}, bead: {mass: <1 2 0 0>}") "contacts: {law: linear-dashpot, k: <1e5 2 0 -4>, gamma: <0.003 "
                                                       "0 0 2>, contact_end: force}\n"
                                                       "gravity: <-1 0 2 -4>\nloads: [{body: 1, force: {shape: sine, "
                                                       "amplitude: <2.5 2 2 -4>, frequency: "
                                                       "<9 0 0 -2>}}]\nrun: {until: <0.5 0 0 2>, tol: 1e-4}\n",
    GRAZING("1.005"),
    GRAZING("1.02"),
    /* precompressed, dented */
    ROW("wall: {side: left}, chain: {count: 5, mass: <1 2 0 0>}, wall: {side: right}") HERTZ
    "precompression: <2 2 2 -4>\nstart: [{body: 3, velocity: <0.1 0 2 -2>}]\nrun: {until: <1 0 0 2>, tol: 1e-8}\n",
    ROW(WALLS) "contacts: {law: walton-braun, k1: <900 2 0 -4>, k2: <1700 2 0 -4>}\n" STRUCK
               "run: {until: <0.9 0 0 2>, tol: 1e-7}\n",
    ROW(WALLS) "contacts: {law: bistiff, k: <900 2 -1 -4>, es: 0.8}\n" STRUCK "run: {until: <0.9 0 0 2>, tol: 1e-7}\n",
};

#define RIGID "theory: nonsmooth\n"

static const char *const rigid[] = {
    RIGID ROW(WALLS) "contacts: {law: rigid, e: 0.7}\n" HELD STRUCK "run: {until: <0.5 0 0 2>, scheme: event}\n",
    RIGID ROW(WALLS) "contacts: {law: rigid, e: 0.7}\n" HELD STRUCK
                     "run: {until: <0.5 0 0 2>, scheme: moreau-jean, step: <0.002 0 0 2>}\n",
    RIGID ROW(WALLS) "contacts: {law: rigid, e: 0.7}\n" HELD STRUCK
                     "run: {until: <0.5 0 0 2>, scheme: schatzman-paoli, step: <0.002 0 0 2>}\n",
    RIGID ROW(WALLS) "contacts: {law: rigid, e: 0.7}\n" HELD STRUCK
                     "run: {until: <0.5 0 0 2>, scheme: mannshardt, tol: 1e-8}\n",
    RIGID ROW(WALLS) "contacts: {law: rigid, e: 0.7}\n" HELD STRUCK
                     "run: {until: <0.5 0 0 2>, scheme: moreau-adaptive, tol: 1e-6}\n",
    RIGID ROW("chain: {count: 5, mass: <0.7 2 0 0>}") "contacts: {law: rigid, e: 0.8, k: <1000 2 -1 -4>, p: 1.5}\n"
                                                      "start: [{body: 1, velocity: <0.9 0 2 -2>}]\nrun: {until: <0.5 0 "
                                                      "0 2>, scheme: event, impact: lzb}\n",
    /* discs that slide, roll and strike */
    RIGID "units: none\ngravity: [0, <-9 0 2 -4>]\nbodies:\n"
          "  - disc: {at: [0, <0.5 0 2 0>], radius: <0.5 0 2 0>, mass: <1.5 2 0 0>}\n"
          "  - disc: {at: [<1.3 0 2 0>, <0.7 0 2 0>], radius: <0.4 0 2 0>, mass: <0.8 2 0 0>}\n"
          "  - plane: {at: [0, 0], normal: [0, 1]}\n"
          "contacts: {law: rigid, e: 0.3, mu: 0.3}\n"
          "start: [{body: 1, velocity: [<2 0 2 -2>, 0]}, {body: 2, velocity: [<-1 0 2 -2>, 0]}]\n"
          "run: {until: <0.6 0 0 2>, scheme: moreau-jean, step: <0.002 0 0 2>}\n",
    RIGID "units: none\ngravity: [0, <-9 0 2 -4>]\nbodies:\n"
          "  - disc: {at: [0, <0.5 0 2 0>], radius: <0.5 0 2 0>, mass: <1.5 2 0 0>}\n"
          "  - disc: {at: [<1.3 0 2 0>, <0.7 0 2 0>], radius: <0.4 0 2 0>, mass: <0.8 2 0 0>}\n"
          "  - plane: {at: [0, 0], normal: [0, 1]}\n"
          "contacts: {law: rigid, e: 0.3}\n"
          "start: [{body: 1, velocity: [<2 0 2 -2>, 0]}, {body: 2, velocity: [<-1 0 2 -2>, 0]}]\n"
          "run: {until: <0.6 0 0 2>, scheme: event}\n",
    RIGID "units: none\ngravity: [0, 0, <-9 0 2 -4>]\nbodies:\n"
          "  - box: {at: [0, 0, <0.27 0 2 0>], size: [<0.8 0 2 0>, <0.6 0 2 0>, <0.5 0 2 0>], mass: <2 2 0 0>}\n"
          "  - sphere: {at: [<0.1 0 2 0>, <0.05 0 2 0>, <0.9 0 2 0>], radius: <0.2 0 2 0>, mass: <0.5 2 0 0>}\n"
          "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\n"
          "contacts: {law: rigid, e: 0.2, mu: 0.4}\n"
          "start: [{body: 1, velocity: [<0.4 0 2 -2>, 0, 0]}]\n"
          "run: {until: <0.4 0 0 2>, scheme: moreau-jean, step: <0.004 0 0 2>}\n",
};

/* clang-format off */
#define GRAINS(friction, run)                                                                                   \
    "units: none\ngravity: [0, <-9 0 2 -4>]\nbodies:\n"                                                         \
    "  - disc: {at: [0, <0.51 0 2 0>], radius: <0.5 0 2 0>, mass: <1.5 2 0 0>}\n"                               \
    "  - disc: {at: [<0.95 0 2 0>, <0.41 0 2 0>], radius: <0.4 0 2 0>, mass: <0.8 2 0 0>}\n"                    \
    "  - disc: {at: [<0.4 0 2 0>, <1.25 0 2 0>], radius: <0.3 0 2 0>, mass: <0.5 2 0 0>}\n"                     \
    "  - plane: {at: [0, 0], normal: [0, 1]}\n"                                                                 \
    "contacts: {law: kuwabara-kono, k: <3e4 2 -1 -4>, gamma: <0.002 0 0 2>, friction: {" friction "}}\n"        \
    "start: [{body: 1, velocity: [<2 0 2 -2>, 0]}]\nrun: {until: <0.2 0 0 2>, " run "}\n"
/* clang-format on */
#define MINDLIN "mu: 0.3, k_t: <2e4 2 -1 -4>"
#define CUNDALL "law: cundall-strack, mu: 0.3, k_t: <2000 2 0 -4>, gamma_t: <0.001 0 0 2>"

static const char *const grains[] = {
    GRAINS(MINDLIN, "scheme: verlet, step: <0.0005 0 0 2>"),
    GRAINS(MINDLIN, "scheme: dp5, tol: 1e-6"),
    GRAINS(CUNDALL, "scheme: verlet, step: <0.0005 0 0 2>"),
    GRAINS(CUNDALL, "scheme: dp5, tol: 1e-6"),
};

#define SOLID(more)                                                                                         \
    "units: none\ntheory: solid\nbodies:\n  - solid: {box: {size: [<2 0 2 0>, <1 0 2 0>], cells: [6, 3]}, " \
    "depth: <0.5 0 2 0>, material: {young: <1000 2 -2 -4>, poisson: 0.3, density: <2 2 -6 0>}" more

static const char *const solids[] = {
    SOLID(", gravity: [0, <-5 0 2 -4>], clamps: [{face: left}], loads: [{face: top, pressure: <3 2 -2 "
          "-4>}]}\n") "run: {until: <0.4 0 0 2>}\n",
    SOLID("}\n  - disc: {at: [<0.9 0 2 0>, <1.3001 0 2 0>], radius: <0.3 0 2 0>, mass: <0.2 2 0 0>, "
          "velocity: [0, <-1 0 2 "
          "-2>]}\n") "contacts: {law: linear-dashpot, k: <400 2 0 -4>, gamma: <0.002 0 0 2>}\n"
                     "run: {until: <0.4 0 0 2>}\n",
};

/* --- contact problems --------------------------------------------------------------------------------------------- */

enum { MOST = 12 };

struct problem {
    size_t n, dim;
    double matrix[9 * MOST * MOST], b[3 * MOST], mu[MOST], start[3 * MOST];
};

/* W = G^T M^-1 G of fewer bodies than contacts now and then, b = G^T v; every third one of contacts alone is a row of
 * bodies between two walls, half of these without a solution */
static void draw(struct problem *p, size_t dim, struct carom_random *random)
{
    double g[3 * MOST][3 * MOST], v[3 * MOST];
    p->dim = dim;
    p->n = 2 + (size_t)carom_random_below(random, MOST - 2);
    const bool row = dim == 1 && carom_random_below(random, 3) == 0;
    const size_t rows = p->n * dim, axes = row ? rows - 1 : carom_random_below(random, 3) == 0 ? rows / 2 + 1 : rows;
    for (size_t k = 0; k < axes; k++)
        v[k] = carom_random_normal(random);
    for (size_t i = 0; i < rows; i++) {
        p->b[i] = 0.0;
        for (size_t k = 0; k < axes; k++) {
            const double any = carom_random_uniform(random) < 0.5 ? carom_random_normal(random) : 0.0;
            g[i][k] = !row ? any : k + 1 == i ? -1.0 : k == i ? 1.0 : 0.0;
            p->b[i] += g[i][k] * v[k];
        }
        p->mu[i / dim] = 0.1 + carom_random_uniform(random);
        p->b[i] = row && p->n % 2 == 0 ? carom_random_normal(random) : p->b[i];
        p->start[i] = dim == 1 ? carom_random_normal(random) : 0.0;
    }
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows; j++) {
            p->matrix[i * rows + j] = i == j && dim > 1 ? 1e-3 : 0.0;
            for (size_t k = 0; k < axes; k++)
                p->matrix[i * rows + j] += g[i][k] * g[j][k];
        }
}

static void heavier(const struct problem *p, int rate, int mass, struct problem *to)
{
    const size_t rows = p->n * p->dim;
    *to = *p;
    for (size_t i = 0; i < rows; i++) {
        to->b[i] = ldexp(p->b[i], rate);
        to->start[i] = ldexp(p->start[i], rate + mass);
    }
    for (size_t i = 0; i < rows * rows; i++)
        to->matrix[i] = ldexp(p->matrix[i], -mass);
}

static size_t solve(const struct problem *p, int solver, struct carom_lcp_room *room, struct carom_friction_room *cones,
                    double *r)
{
    double u[3 * MOST];
    memcpy(r, p->start, sizeof p->start);
    if (p->dim == 1) {
        const struct carom_lcp lcp = {p->n, p->matrix, NULL, NULL, p->b};
        struct carom_lcp_report report;
        carom_lcp_solve(&lcp, (enum carom_lcp_solver)solver, 1e-10, 0, room, r, &report);
        return 2 * report.iterations + report.solved;
    }
    const struct carom_friction_problem problem = {
        .n = p->n, .dim = p->dim, .matrix = p->matrix, .b = p->b, .mu = p->mu};
    struct carom_friction_report report;
    carom_friction_solve(&problem, (enum carom_friction_solver)solver, 1e-9, 0, cones, r, u, &report);
    return 2 * report.iterations + report.solved;
}

static void check_problems(size_t dim, int solver, struct carom_random *random)
{
    static const int scale[][2] = {{10, 0}, {-14, 0}, {0, 8}, {6, -20}}; /* rates and masses */
    struct carom_lcp_room room = {0};
    struct carom_friction_room *cones = dim > 1 ? carom_friction_open(MOST, dim, 0, NULL) : NULL;
    CHECK_STATUS(carom_lcp_open(&room, MOST, true, NULL), CAROM_OK);
    for (int round = 0; round < 30; round++) {
        static struct problem p, other;
        double r[3 * MOST], s[3 * MOST], size = 0.0;
        draw(&p, dim, random);
        const size_t way = solve(&p, solver, &room, cones, r);
        for (size_t i = 0; i < p.n * dim; i++)
            size = fmax(size, fabs(r[i]));
        for (size_t k = 0; k < sizeof scale / sizeof *scale; k++) {
            heavier(&p, scale[k][0], scale[k][1], &other);
            CHECK(solve(&other, solver, &room, cones, s) == way);
            for (size_t i = 0; i < p.n * dim; i++)
                CHECK_NEAR(ldexp(s[i], -scale[k][0] - scale[k][1]), r[i], 1e-9 * size);
        }
    }
    carom_lcp_close(&room);
    if (cones)
        carom_friction_close(cones);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        check_scene(chains[i]);
    for (size_t i = 0; i < sizeof rigid / sizeof *rigid; i++)
        check_scene(rigid[i]);
    for (size_t i = 0; i < sizeof grains / sizeof *grains; i++)
        check_scene(grains[i]);
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++)
        check_scene(solids[i]);
    for (int solver = CAROM_LCP_AUTO; solver <= CAROM_LCP_NEWTON; solver++)
        check_problems(1, solver, &random);
    for (int solver = CAROM_FRICTION_AUTO; solver <= CAROM_FRICTION_MIXED; solver++)
        for (size_t dim = 2; dim <= 3; dim++)
            check_problems(dim, solver, &random);
    return check_end();
}
