/* Scheme moreau-jean with Coulomb's cone on discs and spheres: from sliding to rolling, slopes, bounces with spin,
 * statics of a stack, momenta, and what is refused. */
#include "base/vec.h"
#include "bodies.h"
#include "model/bodies/list.h"
#include "rigid.h"

static struct carom_bodies *make(size_t dimension, size_t n, double e, double mu)
{
    const double param[] = {e, 1.0, 1.5, mu, 0.0};
    struct carom_bodies *b = bodies_of(dimension, n, 0, &carom_law_rigid, CAROM_END_GAP, param);
    b->pairing[0].friction = &carom_friction_coulomb;
    b->pairing[0].rub[0].param = mu;
    return b;
}

/* through the origin, its normal turned by `slope` from up (y in the plane, z in space) towards x */
static void ground(struct carom_bodies *b, size_t i, double slope)
{
    const size_t up = b->dimension - 1;
    b->body[i].surface = CAROM_PLANE;
    b->body[i].fixed = true;
    b->body[i].normal[0] = sin(slope);
    b->body[i].normal[up] = cos(slope);
}

/* a ball that touches the ground at the origin */
static void ball_on(struct carom_bodies *b, size_t i, double radius, double mass, double slope)
{
    const double x = radius * sin(slope), up = radius * cos(slope);
    bodies_ball(b, i, radius, mass, x, b->dimension == 2 ? up : 0.0, b->dimension == 2 ? 0.0 : up);
}

/* A ball thrown without spin slides for v / ((1 + 1/c) mu g), c = I / (m r^2), and rolls on with 1 / (1 + c) of its
 * speed: 2/3 of a disc's, 5/7 of a sphere's. Where the end of sliding falls on a step all is exact. */
static void rolls(size_t dimension)
{
    const double c = dimension == 2 ? 0.5 : 0.4, mu = 0.125, g = 8.0, speed = mu * g * (1.0 + 1.0 / c);
    struct carom_bodies *b = make(dimension, 2, 0.0, mu);
    ball_on(b, 0, 0.5, 3.0, 0.0);
    ground(b, 1, 0.0);
    b->gravity[dimension - 1] = -g;
    double v[12] = {0.6 * speed, dimension == 3 ? 0.8 * speed : 0.0}, centre[3];
    if (dimension == 2)
        v[0] = speed;
    struct play play = play_bodies(b, v, 1.0 / 256.0, 2.0); /* slides for 1 */
    const double *w = play.state->v, way = (speed - 0.5 * mu * g) + (speed - mu * g);
    const size_t spin = dimension == 2 ? 2 : 4;
    const double along = v[0] / speed;
    carom_bodies_centre(b, 0, play.state->q, centre);
    CHECK_NEAR(w[0], along * speed / (1.0 + c), 1e-12);
    CHECK_NEAR(fabs(w[spin]), along * speed / (1.0 + c) / 0.5, 1e-11);
    CHECK_NEAR(centre[0], along * way, 1e-11);
    CHECK_NEAR(centre[dimension - 1], 0.5, 1e-13);
    const struct carom_ledger ledger = play_ledger(&play);
    CHECK_NEAR(ledger.friction, 0.5 * 3.0 * speed * speed * c / (1.0 + c), 1e-10);
    CHECK_NEAR(ledger.impact, 0.0, 1e-12);
    CHECK_NEAR(ledger.residual, 0.0, 1e-10);
    play_close(&play);
}

/* Down a slope a ball rolls with g sin(a) / (1 + c) as long as tan(a) <= (1 + 1/c) mu, else it slides. */
static void slopes(size_t dimension)
{
    const double c = dimension == 2 ? 0.5 : 0.4, g = 10.0, mu = 0.2;
    for (int steep = 0; steep < 2; steep++) {
        const double slope = atan((1.0 + 1.0 / c) * mu) * (steep ? 1.05 : 0.95), v[12] = {0.0};
        struct carom_bodies *b = make(dimension, 2, 0.0, mu);
        ball_on(b, 0, 0.5, 3.0, slope);
        ground(b, 1, slope);
        b->gravity[dimension - 1] = -g;
        struct play play = play_bodies(b, v, 0.01, 1.0);
        const double expected = steep ? g * (sin(slope) - mu * cos(slope)) : g * sin(slope) / (1.0 + c);
        CHECK_NEAR(play.state->v[0], expected * cos(slope), 1e-11);
        CHECK_NEAR(play.state->v[dimension - 1], -expected * sin(slope), 1e-11);
        CHECK_NEAR(play_ledger(&play).residual, 0.0, 1e-10);
        play_close(&play);
    }
}

/* A sphere with spin bounces: the tangential impulse is that of the cone, or what stops the slip. */
static void bounces(void)
{
    const double e = 0.6, v[12] = {2.0, 0.0, -1.0, 0.0, -3.0, 0.0}; /* spin about y: backspin */
    for (int k = 0; k < 2; k++) {
        const double mu = k ? 0.1 : 2.0, slip = 2.0 + 0.5 * 3.0; /* of the lowest point, along x */
        struct carom_bodies *b = make(3, 2, e, mu);
        bodies_ball(b, 0, 0.5, 2.0, 0.0, 0.0, 0.501); /* touches in the middle of the first step */
        ground(b, 1, 0.0);
        struct play play = play_bodies(b, v, 0.01, 0.1);
        const double jump = k ? mu * (1.0 + e) : slip / 3.5; /* 1/m + r^2/I = 3.5 / m */
        CHECK_NEAR(play.state->v[0], 2.0 - jump, 1e-13);
        CHECK_NEAR(play.state->v[2], e, 1e-13);
        CHECK_NEAR(play.state->v[4], -3.0 + jump / (0.4 * 0.5), 1e-12);
        CHECK_NEAR(play_ledger(&play).residual, 0.0, 1e-13);
        CHECK(play_ledger(&play).friction > 0.0);
        CHECK(play.stepper->created == 0.0);
        play_close(&play);
    }
}

/* One disc on two that do not touch each other: half of its weight along each line of centres, at an angle a from up,
 * and friction tan(a / 2) of that at the discs and at the ground. */
static void stack(void)
{
    const double a = 0.7, g = 9.81, v[12] = {0.0};
    struct carom_bodies *b = make(2, 4, 0.3, 0.5);
    bodies_ball(b, 0, 1.0, 1.0, -2.0 * sin(a), 1.0, 0.0);
    bodies_ball(b, 1, 1.0, 1.0, 2.0 * sin(a), 1.0, 0.0);
    bodies_ball(b, 2, 1.0, 4.0, 0.0, 1.0 + 2.0 * cos(a), 0.0);
    ground(b, 3, 0.0);
    b->gravity[1] = -g;
    struct play play = play_bodies(b, v, 0.01, 20.0);
    const struct carom_contacts *list = play.state->contacts;
    const struct carom_columns columns = carom_list_columns(b);
    const double *force = list->column[columns.history + CAROM_RIGID_FORCE];
    const double *along = list->column[columns.spring[CAROM_SLIDES]];
    const double expected[4] = {2.0 * g, 3.0 * g, 2.0 * g, 3.0 * g};
    CHECK_OR_STOP(list->n == 4);
    for (size_t j = 0; j < 4; j++) {
        CHECK_NEAR(force[j], expected[j], 1e-11);
        CHECK_NEAR(fabs(along[j]), 2.0 * g * tan(0.5 * a), 1e-11);
    }
    for (size_t i = 0; i < play.model->nv; i++)
        CHECK_NEAR(play.state->v[i], 0.0, 1e-12);
    play_close(&play);
}

/* Spheres thrown at each other with spins: momentum and angular momentum to rounding, energy as the ledger says. */
static void momenta(void)
{
    enum { N = 20 };
    struct carom_bodies *b = make(3, N, 0.7, 0.4);
    double v[6 * N] = {0.0}, before[6] = {0.0}, after[6] = {0.0};
    uint64_t seed = 7;
    for (size_t i = 0; i < N; i++) {
        bodies_ball(b, i, 0.5, 1.0 + 0.1 * (double)i, 1.3 * (double)(i % 3), 1.3 * (double)(i / 3 % 3),
                    1.3 * (double)(i / 9));
        for (size_t k = 0; k < 6; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            v[6 * i + k] = (double)(seed >> 40) / 16777216.0 - 0.5 - (k < 3 ? 0.7 * (b->body[i].at[k] - 1.3) : 0.0);
        }
    }
    struct play play = play_bodies(b, v, 0.002, 3.0);
    for (size_t i = 0; i < N; i++)
        for (int end = 0; end < 2; end++) {
            const double *of = (end ? play.state->v : v) + 6 * i;
            double now[3], turn[3], *sum = end ? after : before;
            carom_bodies_centre(b, i, play.state->q, now);
            carom_vec_cross(end ? now : b->body[i].at, of, turn);
            for (int k = 0; k < 3; k++) {
                sum[k] += b->body[i].mass * of[k];
                sum[3 + k] += b->body[i].mass * turn[k] + b->body[i].inertia * of[3 + k];
            }
        }
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(after[k], before[k], 1e-11);
    const struct carom_ledger ledger = play_ledger(&play);
    CHECK(ledger.friction > 0.01);
    CHECK_NEAR(ledger.residual, 0.0, 1e-11);
    play_close(&play);
}

/* A spring pulls a block with all that mu_static allows, to the last bit: moreau-adaptive says that nobody can tell
 * whether it breaks away, unless slipping it would have as much friction, or there is a margin. */
static void held_to_the_edge(void)
{
    static const char text[] =
        "{units: none, theory: nonsmooth, bodies: [mechanism: {kind: block, gravity: 8, stiffness: 16}], "
        "contacts: {e: 0, mu: 0.25, mu_static: 0.5}, start: [{body: 1, displacement: 0.25}], "
        "run: {until: 0.1, scheme: moreau-adaptive, tol: 1e-3}}";
    static const char *const set[] = {"contacts.mu_static=0.5", "contacts.mu=0.5", "contacts.mu_static=0.500001"};
    for (size_t i = 0; i < 3; i++) {
        struct carom_error error = {CAROM_OK, ""};
        struct carom_scene *scene = carom_scene_parse("t.yaml", text, strlen(text), &set[i], 1, &error);
        CHECK_TEXT(error.text, "");
        struct carom_sim *sim = carom_scene_sim(scene, &error);
        CHECK_OR_STOP(sim != NULL);
        CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
        CHECK(sim->stepper->split.seen == (i == 0));
        carom_sim_free(sim);
        carom_scene_free(scene);
    }
}

/* A box slides to a low peg: the floor under its corner may press more and the peg hold less, and the corner slips on
 * otherwise; beside a higher one all is said. */
static void beside_a_peg(const char *scheme, const char *peg, bool unclear)
{
    char text[600];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text,
             "{units: none, theory: nonsmooth, gravity: [3.3552, -9.2184], bodies: [box: {at: [-0.5, 0.1], size: [0.1, "
             "0.2], mass: 1}, plane: {at: [0, 0], normal: [0, 1]}, disc: {%s, fixed: true}], contacts: {law: rigid, e: "
             "0, mu: 0.2}, run: {until: 0.9, scheme: %s, tol: 1e-8}}",
             peg, scheme);
    struct carom_scene *scene = carom_scene_parse("t.yaml", text, strlen(text), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    CHECK(sim->stepper->split.seen == unclear);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

int main(void)
{
    rolls(2);
    rolls(3);
    slopes(2);
    slopes(3);
    bounces();
    stack();
    momenta();
    held_to_the_edge();
    beside_a_peg("event", "at: [0.1, 0.005], radius: 5e-3", true);
    beside_a_peg("moreau-adaptive", "at: [0.1, 0.005], radius: 5e-3", true);
    beside_a_peg("event", "at: [0.2, 0.15], radius: 5e-2", false);
    return check_end();
}
