/* Random rigid discs and spheres under event, each with a tolerance of its own, against the same in quadruple precision
 * (reference/rigid_balls.h): is what they state true, with all that later impacts make of an error?
 *
 * Seeds above 1000000 are racks: 3, 6, 10 or 15 discs that touch, struck by another, in a box.
 *
 *     balls                     some, and checks that none breaks its promise
 *     balls FIRST COUNT         those of so many seeds, one line each: what can be split and resumed
 *     balls scene SEED          the scene of a seed
 *     balls table FILE ...      what such lines come to */

#include "campaign/counts.h"
#include "draws.h"
#include "reference/rigid_balls.h"
#include "runs.h"

enum { SAMPLES = 40, OFTEN = 50 };
static const uint64_t racks = 1000000; /* seeds above */
/* whose errors once were not stated: impacts at once that came apart, discs that open where others strike them, and
 * ties of impacts pair by pair */
static const uint64_t hard[] = {1863, 9156, 10126, 1000018, 1000172, 1000188, 1001022, 1001065, 1001578};

struct drawn {
    char text[DRAW_TEXT];
    struct rigid_balls balls;
    const char *kind;
    double tol, until;
    int samples;
};

static void add_vector(struct drawn *d, const char *name, const double *x)
{
    draw_add(d->text, "%s: [%.17g, %.17g", name, x[0], x[1]);
    draw_add(d->text, d->balls.d == 3 ? ", %.17g]" : "]", x[2]);
}

/* a place inside all walls where nobody is; false: there is none */
static bool place(struct rigid_balls *r, struct carom_random *random, double *at, double radius)
{
    for (int tries = 0; tries < 1000; tries++) {
        bool free = true;
        double far = 0.0;
        for (int k = 0; k < 3; k++) {
            at[k] = k < r->d ? draw_between(random, -1.5, 1.5) : 0.0;
            far += at[k] * at[k];
            free &= fabs(at[k]) + radius < 1.99;
        }
        free &= !(r->hollow > 0.0) || sqrt(far) + radius < r->hollow - 1e-3;
        for (int j = 0; j < r->n && free; j++) {
            double apart = 0.0;
            for (int k = 0; k < 3; k++)
                apart += pow(at[k] - (double)r->x[j][k], 2.0);
            free = sqrt(apart) > radius + r->radius[j] + 1e-3;
        }
        if (free)
            return true;
    }
    return false;
}

static void put_ball(struct drawn *d, const double *at, const double *v, double radius, double mass, bool fixed)
{
    struct rigid_balls *r = &d->balls;
    const int i = r->n++;
    for (int k = 0; k < 3; k++) {
        r->x[i][k] = at[k];
        r->v[i][k] = v[k];
    }
    r->radius[i] = radius;
    r->mass[i] = fixed ? 0.0 : mass;
    draw_add(d->text, "  - %s: {radius: %.17g, mass: %.17g, ", r->d == 2 ? "disc" : "sphere", radius, mass);
    add_vector(d, "at", at);
    if (!fixed)
        add_vector(d, ", velocity", v);
    draw_add(d->text, fixed ? ", fixed: true}\n" : "}\n");
}

static void draw_ball(struct drawn *d, struct carom_random *random, bool fixed)
{
    double at[3], v[3];
    const double radius = draw_between(random, 0.2, 0.5), mass = draw_size(random, 0.2, 5.0);
    if (!place(&d->balls, random, at, radius))
        return;
    for (int k = 0; k < 3; k++)
        v[k] = fixed || k >= d->balls.d ? 0.0 : draw_between(random, -1.0, 1.0);
    put_ball(d, at, v, radius, mass, fixed);
}

/* a row of three or a square of four, at places that have no rounding: they touch in any precision */
static void draw_block(struct drawn *d, struct carom_random *random)
{
    const bool square = draw_chance(random, 0.5);
    const double v[3] = {0.0}, mass = draw_size(random, 0.2, 5.0);
    for (int i = 0; i < (square ? 4 : 3); i++) {
        const double at[3] = {square ? 0.5 * (i % 2) : 0.5 * i, square ? 0.5 * (i / 2) - 0.25 : 0.25, 0.0};
        put_ball(d, at, v, 0.25, i == 1 ? draw_size(random, 0.2, 5.0) : mass, false);
    }
}

static void draw_walls(struct drawn *d, struct carom_random *random)
{
    struct rigid_balls *r = &d->balls;
    if (draw_chance(random, 0.25)) {
        r->hollow = 2.0;
        return;
    }
    const int sides = draw_chance(random, 0.7) ? 2 * r->d : (int)carom_random_below(random, (uint64_t)(2 * r->d));
    for (int w = 0; w < sides; w++) { /* a floor first: the last axis is up */
        const int axis = r->d - 1 - w / 2;
        r->wall[w][axis] = w % 2 ? 2.0 : -2.0;
        r->normal[w][axis] = w % 2 ? -1.0 : 1.0;
    }
    r->nwalls = sides;
}

static void add_walls(struct drawn *d)
{
    const struct rigid_balls *r = &d->balls;
    if (r->hollow > 0.0)
        draw_add(d->text, "  - %s: {at: [0, 0%s], radius: %.17g, inside: true, fixed: true}\n",
                 r->d == 2 ? "disc" : "sphere", r->d == 2 ? "" : ", 0", r->hollow);
    for (int w = 0; w < r->nwalls; w++) {
        draw_add(d->text, "  - plane: {");
        add_vector(d, "at", r->wall[w]);
        add_vector(d, ", normal", r->normal[w]);
        draw_add(d->text, "}\n");
    }
}

/* A rack that points at the striker, turned by any angle; half of them are struck in the middle, all is symmetric
 * then. Their places are exact in the reference, and in the scene as good as it reads them. */
static void draw_rack(struct drawn *d, struct carom_random *random)
{
    struct rigid_balls *r = &d->balls;
    const int rows = 2 + (int)carom_random_below(random, 4);
    const bool middle = draw_chance(random, 0.5);
    const quad radius = 0.125, root = sqrtf128(3),
               turn = middle && draw_chance(random, 0.5) ? 0.0 : draw_between(random, 0.0, 6.3);
    const double fast = draw_between(random, 0.5, 3.0), aside = middle ? 0.0 : draw_between(random, -0.2, 0.2);
    quad at[RIGID_BALLS][2] = {{-1, aside}};
    int n = 1;
    for (int row = 0; row < rows; row++)
        for (int i = 0; i <= row; i++, n++) {
            at[n][0] = radius * (row * root - 2);
            at[n][1] = radius * (2 * i - row);
        }
    for (int i = 0; i < n; i++) {
        const quad x[3] = {cosf128(turn) * at[i][0] - sinf128(turn) * at[i][1],
                           sinf128(turn) * at[i][0] + cosf128(turn) * at[i][1], 0};
        const double near[3] = {(double)x[0], (double)x[1], 0.0};
        const double v[3] = {i == 0 ? fast * (double)cosf128(turn) : 0.0, i == 0 ? fast * (double)sinf128(turn) : 0.0,
                             0.0};
        put_ball(d, near, v, (double)radius, 1.0, false);
        for (int k = 0; k < 3; k++)
            r->x[i][k] = x[k];
    }
    if (middle) { /* the direction that is meant: else rounding alone makes the impact askew */
        r->v[0][0] = fast * cosf128(turn);
        r->v[0][1] = fast * sinf128(turn);
    }
}

static void draw_break(struct drawn *d, struct carom_random *random)
{
    static const double e[] = {1.0, 0.9, 0.5};
    struct rigid_balls *r = &d->balls;
    r->d = 2;
    r->e = draw_chance(random, 0.7) ? e[carom_random_below(random, 3)] : draw_between(random, 0.3, 1.0);
    r->pairs = draw_chance(random, 0.3);
    d->kind = r->pairs ? "racks-pairs" : "racks";
    for (int w = 0; w < 4; w++) {
        r->wall[w][w / 2] = w % 2 ? 2.0 : -2.0;
        r->normal[w][w / 2] = w % 2 ? -1.0 : 1.0;
    }
    r->nwalls = 4;
    draw_add(d->text, "units: none\ntheory: nonsmooth\nbodies:\n");
    draw_rack(d, random);
}

static void draw_balls(struct drawn *d, struct carom_random *random)
{
    struct rigid_balls *r = &d->balls;
    r->d = draw_chance(random, 0.5) ? 2 : 3;
    const int moving = 1 + (int)carom_random_below(random, 5), fixed = draw_chance(random, 0.3) ? 1 : 0;
    const bool falls = draw_chance(random, 0.4);
    r->e = draw_chance(random, 0.3) ? 1.0 : draw_chance(random, 0.1) ? 0.0 : draw_between(random, 0.3, 1.0);
    r->gravity[r->d - 1] = falls ? -draw_between(random, 0.2, 2.0) : 0.0;
    d->kind = falls ? (r->d == 2 ? "discs-fall" : "spheres-fall") : r->d == 2 ? "discs" : "spheres";
    draw_add(d->text, "units: none\ntheory: nonsmooth\n");
    if (falls) {
        add_vector(d, "gravity", r->gravity);
        draw_add(d->text, "\n");
    }
    draw_add(d->text, "bodies:\n");
    draw_walls(d, random);
    if (!falls && moving <= 3 && draw_chance(random, 0.3))
        draw_block(d, random);
    for (int i = 0; i < moving + fixed; i++)
        draw_ball(d, random, i >= moving);
}

static void draw(struct drawn *d, uint64_t seed, int samples)
{
    struct carom_random random;
    carom_random_start(&random, seed);
    *d = (struct drawn){.tol = draw_size(&random, 1e-10, 1e-3), .samples = samples};
    struct rigid_balls *r = &d->balls;
    r->most = 20000;
    if (seed > racks)
        draw_break(d, &random);
    else
        draw_balls(d, &random);
    add_walls(d);
    draw_add(d->text, "contacts: {e: %.17g}\n", r->e);
    d->until = draw_size(&random, 1.0, 20.0);
    draw_add(
        d->text,
        "run: {until: %.17g, scheme: event%s, tol: %.17g}\nrecord: {every: %.17g, probes: [u, v], events: false}\n",
        d->until, r->pairs ? ", impact: newton" : "", d->tol, d->until / (d->samples + 0.382));
}

/* the largest |du| / U, or mean |dv| / V, to time t; below 0: the truth is not known */
static double compare(const struct drawn *d, const struct carom_sim *sim, const struct carom_memory *m, double t)
{
    static struct rigid_balls r;
    const size_t u = carom_sink_memory_column(m, "u", 0), v = carom_sink_memory_column(m, "v", 0);
    double worst = 0.0, mean[RIGID_BALLS] = {0.0};
    r = d->balls;
    r.length = sim->scales.length > 0.0 ? sim->scales.length : 1.0;
    r.speed = sim->scales.speed > 0.0 ? sim->scales.speed : 1.0;
    for (size_t row = 0; row < m->nrows && m->time[row] <= t; row++) {
        const double *at = m->value + row * m->width;
        if (!rigid_balls_to(&r, m->time[row]))
            return -1.0;
        for (int i = 0; i < r.n; i++) {
            double dv = 0.0;
            for (int k = 0; k < r.d; k++) {
                const size_t n = (size_t)(i * r.d + k);
                const double du = fabs((double)(r.x[i][k] - d->balls.x[i][k] - (quad)at[u + n]));
                worst = fmax(worst, du / r.length);
                dv = fmax(dv, fabs((double)(r.v[i][k] - (quad)at[v + n])));
            }
            mean[i] += row > 0 ? dv / r.speed / (double)m->nrows : 0.0;
        }
    }
    for (int i = 0; i < r.n; i++)
        worst = fmax(worst, mean[i]);
    return worst;
}

static struct verdict judge_by(uint64_t seed, int samples)
{
    static struct drawn d;
    struct carom_error error = {CAROM_OK, ""};
    struct carom_memory *memory;
    draw(&d, seed, samples);
    struct verdict v = {.seed = seed, .outcome = FAILED, .tol = d.tol};
    snprintf(v.law, sizeof v.law, "%s", d.kind);
    struct carom_sim *sim = runs_recorded(d.text, &memory);
    if (carom_sim_run(sim, NULL, &error) != CAROM_OK) {
        fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, error.text);
    } else {
        const bool promised = sim->estimate > 0.0 && sim->estimate <= d.tol; /* 0: no flight ahead came to its end */
        v.stated = promised || sim->estimate == 0.0 ? sim->estimate : d.tol; /* until the horizon */
        v.worst = compare(&d, sim, memory, promised ? d.until : sim->horizon);
        v.outcome = v.worst < 0.0                                ? UNSETTLED
                    : v.stated > 0.0 && v.worst > 3.0 * v.stated ? BROKEN
                    : promised                                   ? KEPT
                                                                 : REFUSED;
    }
    carom_sim_free(sim);
    return v;
}

static struct verdict judge(uint64_t seed)
{
    const struct verdict v = judge_by(seed, SAMPLES);
    /* a single sample between two impacts that come a little apart is no average */
    return v.outcome == BROKEN ? judge_by(seed, OFTEN * SAMPLES) : v;
}

static void print_scene(uint64_t seed)
{
    static struct drawn d;
    draw(&d, seed, SAMPLES);
    printf("%s", d.text);
}

int main(int argc, char **argv)
{
    if (campaign_asked(argc, argv, judge, print_scene))
        return 0;
    const uint64_t few = (uint64_t)check_take(20, 60);
    judge_seeds(judge, 1, few);
    judge_seeds(judge, racks + 1, few);
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        judge_seed(judge, hard[i]);
    print_table();
    CHECK(total.of[BROKEN] == 0);
    CHECK(10 * (total.of[FAILED] + total.of[UNSETTLED]) <= few); /* of the first of them; racks all run */
    return check_end();
}
