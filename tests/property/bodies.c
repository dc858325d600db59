/* Random clusters of discs and spheres: momentum and angular momentum to rounding, energy as the ledger says, the same
 * bits for any skin, and the same motion under verlet and dp5. The seed is printed. */
#include "bodies.h"
#include "base/quat.h"
#include "base/vec.h"
#include "draws.h"
#include "model/bodies/list.h"

enum { MOST = 24 };

struct cluster {
    size_t dimension, n;
    const struct carom_friction *friction, *turning; /* turning: of rolling and twisting */
    double at[MOST][3], v[MOST][6], radius[MOST], skin, gamma, mu, form;
};

/* balls in a ball, none on top of another, falling towards the middle */
static void draw(struct cluster *c, struct carom_random *random, size_t dimension, size_t n)
{
    *c = (struct cluster){.dimension = dimension, .n = n, .gamma = 1e-3, .mu = 0.3};
    for (size_t i = 0; i < n; i++) {
        for (bool free = false; !free;) {
            c->radius[i] = draw_between(random, 0.5, 1.0);
            free = true;
            for (size_t k = 0; k < dimension; k++)
                c->at[i][k] = draw_between(random, -4.0, 4.0);
            for (size_t j = 0; j < i && free; j++) {
                const double d[3] = {c->at[i][0] - c->at[j][0], c->at[i][1] - c->at[j][1], c->at[i][2] - c->at[j][2]};
                free = carom_vec_norm(d) > c->radius[i] + c->radius[j];
            }
        }
        for (size_t k = 0; k < dimension; k++)
            c->v[i][k] = -c->at[i][k] + draw_between(random, -0.5, 0.5);
        for (size_t k = dimension; k < (dimension == 2 ? 3u : 6u); k++)
            c->v[i][k] = draw_between(random, -1.0, 1.0);
    }
}

static struct carom_sim *begin(const struct cluster *c, const struct carom_scheme *scheme, const char *option,
                               double value, double until)
{
    const double param[] = {1e4, c->gamma}, rub[] = {c->mu, 0.0, 1e4, c->gamma, c->form};
    struct carom_bodies *b = bodies_of(c->dimension, c->n, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    const size_t nv = carom_bodies_nv(b);
    double v[6 * MOST];
    b->skin = c->skin;
    b->pairing[0].friction = c->friction;
    b->pairing[0].rolling = c->turning;
    b->pairing[0].twisting = c->dimension == 3 ? c->turning : NULL;
    for (size_t i = 0; i < 5; i++)
        b->pairing[0].rub[i].param = b->pairing[0].roll[i].param = b->pairing[0].twist[i].param = rub[i];
    for (size_t i = 0; i < c->n; i++) {
        bodies_ball(b, i, c->radius[i], c->radius[i] * c->radius[i], c->at[i][0], c->at[i][1], c->at[i][2]);
        memcpy(v + i * nv, c->v[i], nv * sizeof *v);
    }
    return bodies_sim(b, v, scheme, option, value, until);
}

/* momentum and angular momentum about the origin */
static void momenta(const struct carom_sim *sim, double linear[3], double angular[3])
{
    const struct carom_bodies *b = carom_model_bodies(sim->model);
    const size_t nv = carom_bodies_nv(b);
    memset(linear, 0, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    for (size_t i = 0; i < b->n; i++) {
        const double *v = sim->view->v + i * nv;
        double centre[3], p[3] = {0.0}, orbital[3];
        carom_bodies_centre(b, i, sim->view->q, centre);
        for (size_t k = 0; k < b->dimension; k++)
            linear[k] += p[k] = b->body[i].mass * v[k];
        carom_vec_cross(centre, p, orbital);
        for (size_t k = 0; k < 3; k++)
            angular[k] += orbital[k];
        for (size_t k = b->dimension; k < nv; k++)
            angular[b->dimension == 2 ? 2 : k - 3] += b->body[i].inertia * v[k];
    }
}

static void test_conserved(const struct cluster *c)
{
    double before[2][3], after[2][3], residual[2];
    for (int i = 0; i < 2; i++) {
        struct carom_sim *sim = begin(c, &carom_scheme_verlet, "step", 4e-4 / (1 + i), 4.0);
        CHECK_OR_STOP(sim != NULL);
        carom_sim_sync(sim);
        momenta(sim, before[0], before[1]);
        bodies_run(sim);
        momenta(sim, after[0], after[1]);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(after[0][k], before[0][k], 1e-11);
            CHECK_NEAR(after[1][k], before[1][k], 1e-10);
        }
        const struct carom_ledger ledger = bodies_ledger(sim);
        residual[i] = fabs(ledger.residual) / sim->state->energy;
        CHECK(ledger.viscous > 0.0);
        CHECK((ledger.friction > 0.0) == (c->friction != NULL));
        CHECK((ledger.rolling > 0.0) == (c->turning != NULL));
        CHECK((ledger.twisting > 0.0) == (c->turning != NULL && c->dimension == 3));
        carom_sim_free(sim);
    }
    CHECK(residual[0] < 1e-3);
    CHECK(residual[1] < 0.6 * residual[0] || residual[1] < 1e-5); /* errors of single contacts may cancel */
}

static uint64_t hash_with(struct cluster c, double skin)
{
    c.skin = skin;
    struct carom_sim *sim = begin(&c, &carom_scheme_verlet, "step", 1e-3, 3.0);
    bodies_run(sim);
    const uint64_t hash = carom_state_hash(sim->state);
    carom_sim_free(sim);
    return hash;
}

/* what a checkpoint keeps of contacts comes back as it was, and nonsense does not */
static void test_packed(const struct cluster *c)
{
    struct carom_sim *sim = begin(c, &carom_scheme_verlet, "step", 1e-3, 4.0);
    struct carom_error error = {CAROM_OK, ""};
    const struct carom_bodies *b = carom_model_bodies(sim->model);
    size_t n = 0;
    for (int i = 0; i < 4000 && n <= 2 * CAROM_RETIRED_KINDS; i++) { /* until there is something to remember */
        CHECK_STATUS(carom_sim_step(sim, 1, &error), CAROM_OK);
        n = carom_list_count(sim->state->contacts);
    }
    double *numbers = carom_memory_zeroed(n, sizeof *numbers), *again = carom_memory_zeroed(n, sizeof *again);
    struct carom_contacts *other = carom_list_create(b);
    carom_list_pack(sim->state->contacts, numbers);
    CHECK_OR_STOP(n > 2 * CAROM_RETIRED_KINDS);
    CHECK(carom_list_unpack(other, b, numbers, n));
    CHECK(carom_list_count(other) == n);
    carom_list_pack(other, again);
    CHECK(memcmp(numbers, again, n * sizeof *numbers) == 0);
    CHECK(!carom_list_unpack(other, b, numbers, n - 1));
    numbers[2 * CAROM_RETIRED_KINDS + 1] = (double)b->n;
    CHECK(!carom_list_unpack(other, b, numbers, n));
    carom_memory_free(numbers);
    carom_memory_free(again);
    carom_list_free(other);
    carom_sim_free(sim);
}

/* a scene that is turned as a whole moves as it did, turned */
static void test_turned(const struct cluster *c)
{
    static struct cluster other;
    other = *c;
    const double half = 0.7, axis[3] = {2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0};
    const double quat[4] = {cos(half), sin(half) * axis[0], sin(half) * axis[1], sin(half) * axis[2]};
    for (size_t i = 0; i < c->n; i++) {
        carom_quat_turn(quat, c->at[i], other.at[i]);
        carom_quat_turn(quat, c->v[i], other.v[i]);
        carom_quat_turn(quat, c->v[i] + 3, other.v[i] + 3);
    }
    struct carom_sim *one = begin(c, &carom_scheme_verlet, "step", 1e-3, 1.5),
                     *two = begin(&other, &carom_scheme_verlet, "step", 1e-3, 1.5);
    CHECK_OR_STOP(one && two);
    bodies_run(one);
    bodies_run(two);
    for (size_t i = 0; i < 2 * c->n; i++) {
        double turned[3];
        carom_quat_turn(quat, one->view->v + 3 * i, turned);
        for (size_t k = 0; k < 3; k++)
            CHECK_NEAR(two->view->v[3 * i + k], turned[k], 1e-9);
    }
    carom_sim_free(one);
    carom_sim_free(two);
}

/* two schemes that share no step: few bodies and a short time, as errors grow with every impact */
static void test_two_ways(const struct cluster *c)
{
    struct carom_sim *one = begin(c, &carom_scheme_dp5, "tol", 1e-7, 2.0),
                     *two = begin(c, &carom_scheme_verlet, "step", 1e-5, 2.0);
    double length, speed;
    CHECK_OR_STOP(one && two);
    bodies_run(one);
    bodies_run(two);
    carom_bodies_apart(carom_model_bodies(one->model), one->view->q, two->view->q, one->view->v, two->view->v, &length,
                       &speed);
    CHECK_NEAR(speed, 0.0, 2e-4);
    const struct carom_ledger ledger = bodies_ledger(one);
    CHECK_NEAR(ledger.residual, 0.0, 1e-6 * ledger.kinetic);
    carom_sim_free(one);
    carom_sim_free(two);
}

/* a cube of spheres on a floor that rub past each other, and roll and twist or are worked out side by side: several
 * blocks of bodies with guests of others, shared out among so many threads */
static uint64_t hash_of_cube(bool turns, size_t threads, double skin, uint64_t seed)
{
    enum { SIDE = 11, N = 1 + SIDE * SIDE * SIDE };
    const double param[] = {1e4, 1e-3}, rub[] = {0.3, 0.0, 1e4, 1e-3, 3.0};
    static double q[10 * N], v[6 * N];
    struct carom_bodies *b = bodies_of(3, N, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_random random;
    carom_random_start(&random, seed);
    b->pairing[0].friction = &carom_friction_mindlin;
    b->pairing[0].rolling = b->pairing[0].twisting = turns ? &carom_resistance_spring : NULL;
    b->skin = skin;
    for (size_t i = 0; i < 5; i++)
        b->pairing[0].rub[i].param = b->pairing[0].roll[i].param = b->pairing[0].twist[i].param = rub[i];
    b->body[0].surface = CAROM_PLANE;
    b->body[0].fixed = true;
    b->body[0].normal[2] = 1.0;
    for (size_t i = 0; i + 1 < N; i++)
        bodies_ball(b, i + 1, 0.5, 1.0, (double)(i % SIDE), (double)(i / SIDE % SIDE), 0.5 + (double)(i / SIDE / SIDE));
    for (size_t i = 0; i < 6 * N; i++)
        v[i] = i < 6 ? 0.0 : draw_between(&random, -1.0, 1.0);
    carom_bodies_rest(b, q);
    struct carom_setup setup = {.model = bodies_model(b),
                                .scheme = &carom_scheme_verlet,
                                .options = carom_options_create(&carom_scheme_verlet.kind),
                                .q = q,
                                .v = v,
                                .until = 0.1,
                                .threads = threads};
    CHECK_STATUS(carom_options_set(&setup.scheme->kind, setup.options, "step", 1e-3, &error), CAROM_OK);
    struct carom_sim *sim = carom_sim_create(&setup, &error);
    CHECK(sim != NULL);
    bodies_run(sim);
    const struct carom_ledger ledger = bodies_ledger(sim);
    CHECK((ledger.twisting > 0.0) == turns);
    CHECK_NEAR(ledger.residual, 0.0, 1e-3 * sim->state->energy);
    const uint64_t hash = carom_state_hash(sim->state);
    carom_sim_free(sim);
    return hash;
}

int main(void)
{
    static const struct carom_friction *const laws[] = {NULL, &carom_friction_coulomb, &carom_friction_cundall_strack,
                                                        &carom_friction_mindlin};
    static const struct carom_friction *const turning[] = {NULL, &carom_resistance_constant, &carom_resistance_spring,
                                                           &carom_resistance_spring};
    const uint64_t seed = 20;
    struct carom_random random;
    carom_random_start(&random, seed);
    printf("seed %" PRIu64 "\n", seed);
    for (size_t dimension = 2; dimension <= 3; dimension++)
        for (size_t f = 0; f < 4; f++) {
            static struct cluster c;
            draw(&c, &random, dimension, 12);
            c.friction = laws[f];
            c.turning = turning[f];
            c.form = f == 3 ? 3.0 : 0.0;
            test_conserved(&c);
            CHECK(hash_with(c, 0.05) == hash_with(c, 0.7));
            CHECK(hash_with(c, 0.05) == hash_with(c, 3.0));
            if (f > 1)
                test_packed(&c);
            if (dimension == 3)
                test_turned(&c);
            draw(&c, &random, dimension, 4);
            c.friction = laws[f];
            c.turning = turning[f];
            c.form = f == 3 ? 3.0 : 0.0;
            test_two_ways(&c);
        }
    for (int turns = 0; turns < 2; turns++) {
        const uint64_t alone = hash_of_cube(turns, 1, 0.6, seed);
        for (size_t threads = 1; threads < 4; threads++)
            CHECK(hash_of_cube(turns, threads, 0.05 * (double)threads, seed) == alone);
    }
    return check_end();
}
