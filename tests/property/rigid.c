/* Time stepping of rigid contacts on random rows: energy that never grows where that is promised, the ledger,
 * momentum, gaps of order h; the flat path for chains against the general one; columns at rest; refused input leaves
 * the state. */
#include <stdlib.h>

#include "carom/mechanism.h"
#include "draws.h"
#include "parts.h"
#include "rigid.h"
#include "solve/contact/lcp.h"

enum { MOST = 40, TRIALS = 60 };

static const struct carom_scheme *const moreau = &carom_scheme_moreau_jean;
static const struct carom_scheme *const schatzman = &carom_scheme_schatzman_paoli;

struct draw {
    struct row row;
    double mass[MOST], spring[MOST], gap[MOST + 1], e[MOST + 1], q[MOST], v[MOST];
};

static bool coin(struct carom_random *random)
{
    return carom_random_below(random, 2) == 1;
}

static void draw(struct draw *d, struct carom_random *random, bool walls, bool forces, bool one_e)
{
    const size_t n = 1 + (size_t)carom_random_below(random, 12);
    const double e = coin(random) ? carom_random_uniform(random) : coin(random) ? 1.0 : 0.0;
    d->row = (struct row){.n = n,
                          .left = n == 1 || (walls && coin(random)),
                          .right = walls && coin(random),
                          .mass = d->mass,
                          .gap = d->gap,
                          .e = d->e,
                          .q = d->q,
                          .v = d->v,
                          .gravity = forces && coin(random) ? -draw_between(random, 1.0, 10.0) : 0.0,
                          .spring = forces && coin(random) ? d->spring : NULL};
    for (size_t i = 0; i < n; i++) {
        d->mass[i] = exp(0.7 * carom_random_normal(random));
        d->spring[i] = draw_between(random, 0.0, 30.0);
        d->q[i] = 0.0;
        d->v[i] = coin(random) ? carom_random_normal(random) : 0.0;
    }
    for (size_t j = 0; j <= n; j++) {
        d->gap[j] = coin(random) ? 0.0 : draw_between(random, 0.0, 0.2);
        d->e[j] = one_e ? e : carom_random_uniform(random);
    }
}

/* Energy never grows, whatever the step; with theta = 1/2 the ledger closes to rounding. */
static void check_energy(struct carom_random *random)
{
    static struct draw d;
    double worst = 0.0;
    for (int trial = 0; trial < TRIALS; trial++) {
        draw(&d, random, true, true, trial % 4 != 0);
        double most = 1.0; /* of theta for every e */
        for (size_t j = 0; j <= d.row.n; j++)
            most = fmin(most, 1.0 / (1.0 + d.e[j]));
        const double theta = trial % 2 == 0 ? 0.5 : draw_between(random, 0.5, most),
                     h = exp(draw_between(random, -8.0, -3.0));
        struct play play = play_begin(row_model(&d.row), moreau, h);
        play_option(&play, moreau, "theta", theta);
        CHECK_STATUS(play_start(&play, moreau, d.q, d.v, NULL), CAROM_OK);
        struct carom_ledger ledger = play_ledger(&play);
        double energy = ledger.kinetic + ledger.stored, largest = fabs(energy) + 1e-300;
        for (int i = 0; i < 600; i++) {
            CHECK_STATUS(play_steps(&play, 1, HUGE_VAL, NULL), CAROM_OK);
            ledger = play_ledger(&play);
            const double now = ledger.kinetic + ledger.stored;
            largest = fmax(largest, ledger.kinetic + fabs(ledger.stored));
            CHECK(now <= energy + 1e-13 * largest);
            if (theta == 0.5) {
                CHECK_NEAR(ledger.residual, 0.0, 1e-12 * largest);
                worst = fmax(worst, fabs(ledger.residual) / largest);
            }
            energy = now;
        }
        for (size_t j = 0; theta == 0.5 && j < play.model->nc; j++)
            CHECK(play.state->lost[j] >= -1e-13 * largest);
        play_close(&play);
    }
    printf("moreau-jean, theta = 1/2: the ledger closes to %.1e\n", worst);
}

static void check_momentum(struct carom_random *random, const struct carom_scheme *scheme)
{
    static struct draw d;
    for (int trial = 0; trial < TRIALS; trial++) {
        draw(&d, random, false, false, false);
        if (d.row.left)
            continue;
        struct play play = play_begin(row_model(&d.row), scheme, 0.003);
        CHECK_STATUS(play_start(&play, scheme, d.q, d.v, NULL), CAROM_OK);
        CHECK_STATUS(play_run(&play, 2.0, NULL), CAROM_OK);
        double before = 0.0, after = 0.0;
        for (size_t i = 0; i < d.row.n; i++) {
            before += d.mass[i] * d.v[i];
            after += d.mass[i] * play.view->v[i];
        }
        CHECK_NEAR(after, before, 1e-12);
        play_close(&play);
    }
}

/* the same row with its contacts named in another order is no chain, and takes the general way */
static struct carom_model *shuffled(const struct draw *d)
{
    struct carom_model *chain = row_model(&d->row), *model = carom_model_create();
    struct carom_beads *beads = carom_beads_create(d->row.n, d->mass, NULL, d->row.spring, NULL);
    const size_t nc = chain->nc;
    CHECK_OR_STOP(model && beads && nc >= 2);
    if (d->row.gravity != 0.0)
        CHECK_STATUS(carom_beads_weigh(beads, d->row.gravity, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_add(model, &carom_part_beads, beads, NULL), CAROM_OK);
    for (size_t j = nc; j-- > 0;) {
        const double *const columns[CAROM_RIGID_COLUMNS] = {chain->group[0].param[0] + j};
        CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1, (const int32_t(*)[2])(chain->pair + j),
                                      chain->gap + j, columns, NULL),
                     CAROM_OK);
    }
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    CHECK(!(model->offers & CAROM_CHAIN));
    carom_model_free(chain);
    return model;
}

static void check_two_ways(struct carom_random *random)
{
    static struct draw d;
    for (int trial = 0; trial < TRIALS; trial++) {
        do
            draw(&d, random, true, true, false);
        while (row_contacts(&d.row) < 2);
        const struct carom_scheme *scheme = trial % 2 ? moreau : schatzman;
        struct play one = play_begin(row_model(&d.row), scheme, 1e-3), two = play_begin(shuffled(&d), scheme, 1e-3);
        CHECK_STATUS(play_start(&one, scheme, d.q, d.v, NULL), CAROM_OK);
        CHECK_STATUS(play_start(&two, scheme, d.q, d.v, NULL), CAROM_OK);
        CHECK_STATUS(play_run(&one, 0.2, NULL), CAROM_OK);
        CHECK_STATUS(play_run(&two, 0.2, NULL), CAROM_OK);
        for (size_t i = 0; i < d.row.n; i++) {
            CHECK_NEAR(one.view->q[i], two.view->q[i], 1e-9);
            CHECK_NEAR(one.view->v[i], two.view->v[i], 1e-9);
        }
        play_close(&one);
        play_close(&two);
    }
}

/* A ball has a way of its own, unless a solver is named */
static void check_ball(void)
{
    const double gap[1] = {0.5}, spring[1] = {3.0};
    for (int k = 0; k < 4; k++) {
        const struct row row = {.n = 1,
                                .left = k % 2 == 0,
                                .right = k % 2 == 1,
                                .gap = gap,
                                .e_all = 0.6,
                                .spring = k >= 2 ? spring : NULL,
                                .gravity = k % 2 == 0 ? -10.0 : 10.0};
        struct play one = play_begin(row_model(&row), moreau, 1e-3), two = play_begin(row_model(&row), moreau, 1e-3);
        play_option(&two, moreau, "solver", CAROM_LCP_TRIDIAGONAL);
        CHECK_STATUS(play_start(&one, moreau, NULL, NULL, NULL), CAROM_OK);
        CHECK_STATUS(play_start(&two, moreau, NULL, NULL, NULL), CAROM_OK);
        for (int i = 0; i < 3000; i++) {
            CHECK_STATUS(play_steps(&one, 1, HUGE_VAL, NULL), CAROM_OK);
            CHECK_STATUS(play_steps(&two, 1, HUGE_VAL, NULL), CAROM_OK);
            for (size_t m = 0; m < one.state->n; m++)
                CHECK_NEAR(one.state->data[m], two.state->data[m], 1e-12 * (1.0 + fabs(two.state->data[m])));
            CHECK_NEAR(one.stepper->worst_gap, two.stepper->worst_gap, 1e-14);
        }
        play_close(&one);
        play_close(&two);
    }
}

/* Every solver gives the same column, at rest with exact impulses: contact j carries what is above it. */
static void check_column(const struct carom_scheme *scheme)
{
    enum { N = 50 };
    static double mass[N];
    for (size_t i = 0; i < N; i++)
        mass[i] = 1.0 + 0.3 * (double)(i % 4);
    const struct row row = {.n = N, .left = true, .mass = mass, .e_all = 0.5, .gravity = -9.81};
    for (int solver = 0; solver < 5; solver++) {
        if (solver == CAROM_LCP_GAUSS_SEIDEL)
            continue; /* needs too many sweeps for a column of 50: refuses in words, see below */
        struct play play = play_begin(row_model(&row), scheme, 1e-3);
        play_option(&play, scheme, "solver", solver);
        CHECK_STATUS(play_start(&play, scheme, NULL, NULL, NULL), CAROM_OK);
        CHECK_STATUS(play_steps(&play, 200, HUGE_VAL, NULL), CAROM_OK);
        double above = 0.0;
        for (size_t j = N; j-- > 0;) {
            above += 9.81 * mass[j];
            CHECK_NEAR(play.state->force[j], above, 1e-10 * above);
            CHECK_NEAR(play.state->q[j], 0.0, 1e-14);
        }
        CHECK(play.stepper->worst_residual <= 1e-10);
        CHECK(play.stepper->worst_gap > -1e-14);
        play_close(&play);
    }
}

/* Newton's cradle of 5 with small gaps: what comes in goes out, for a thousand collisions of pairs */
static void check_cradle(void)
{
    const double spring[5] = {1.0, 1.0, 1.0, 1.0, 1.0}, gap[4] = {1e-3, 1e-3, 1e-3, 1e-3}, v[5] = {1.0};
    const struct row row = {.n = 5, .spring = spring, .gap = gap, .e_all = 1.0};
    struct play play = play_begin(row_model(&row), moreau, 1e-4);
    CHECK_STATUS(play_start(&play, moreau, NULL, v, NULL), CAROM_OK);
    const struct carom_bound bound = {.t_stop = 800.0, .t_dense = HUGE_VAL, .steps = 100000, .watch = true};
    size_t impacts = 0;
    while (carom_state_until(play.state, 800.0) > 0.0) {
        CHECK_STATUS(moreau->step(play.stepper, play.state, &bound, NULL), CAROM_OK);
        for (size_t i = 0; i < play.stepper->nevents; i++)
            impacts += play.stepper->event[i].kind == CAROM_EVENT_IMPACT;
    }
    const struct carom_ledger ledger = play_ledger(&play);
    CHECK_NEAR(ledger.kinetic + ledger.stored, 0.5, 1e-9);
    CHECK(impacts >= 1000);
    printf("cradle: %zu impacts\n", impacts);
    play_close(&play);
}

/* Parts with a mass that depends on q, moving ports and rotations run: gaps of order h, numbers finite. */
static void check_parts(const struct carom_scheme *scheme)
{
    const struct pendulum pendulum = {2.0, 1.0, 0.7, 9.81, 0.1, 0.1, 5.0};
    const double gap = 0.2, e = 0.5, q[2] = {0.3, 0.4}, v[2] = {-1.0, 0.0};
    const double *const columns[CAROM_RIGID_COLUMNS] = {&e};
    double deepest[2];
    for (int k = 0; k < 2; k++) {
        struct carom_model *model = carom_model_create();
        void *own = carom_memory_zeroed(1, sizeof pendulum);
        CHECK_OR_STOP(model && own);
        memcpy(own, &pendulum, sizeof pendulum);
        CHECK_STATUS(carom_model_add(model, &part_pendulum, own, NULL), CAROM_OK);
        CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1,
                                      (const int32_t[][2]){{CAROM_WALL_LEFT, 1}}, &gap, columns, NULL),
                     CAROM_OK);
        CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
        struct play play = play_begin(model, scheme, k ? 1e-4 : 1e-3);
        CHECK_STATUS(play_start(&play, scheme, q, v, NULL), CAROM_OK);
        CHECK_STATUS(play_run(&play, 2.0, NULL), CAROM_OK);
        const struct carom_ledger ledger = play_ledger(&play);
        CHECK(ledger.impact > 0.01);
        CHECK_NEAR(ledger.residual, 0.0, k ? 0.003 : 0.03);
        deepest[k] = play.stepper->worst_gap;
        play_close(&play);
    }
    CHECK(deepest[0] < 0.0 && deepest[0] > -5e-3);
    CHECK(deepest[1] > -5e-4);
}

/* A box dropped on a corner tumbles and comes to rest on a face: four contacts, more than are needed */
static void check_box(const struct carom_scheme *scheme)
{
    const struct box box = {2.0, {0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}, 9.81};
    const double gap[8] = {0.0}, e[8] = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3};
    const double q[7] = {0.0, 0.0, 1.5, 0.9, 0.1, 0.2, 0.3}, v[6] = {0.1, 0.0, 0.0, 1.0, -0.5, 0.2};
    const double *const columns[CAROM_RIGID_COLUMNS] = {e};
    int32_t pair[8][2];
    for (int32_t j = 0; j < 8; j++) {
        pair[j][0] = CAROM_WALL_LEFT;
        pair[j][1] = j;
    }
    struct carom_model *model = carom_model_create();
    void *own = carom_memory_zeroed(1, sizeof box);
    CHECK_OR_STOP(model && own);
    memcpy(own, &box, sizeof box);
    CHECK_STATUS(carom_model_add(model, &part_box, own, NULL), CAROM_OK);
    CHECK_STATUS(
        carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 8, (const int32_t(*)[2])pair, gap, columns, NULL),
        CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    struct play play = play_begin(model, scheme, 1e-3);
    struct carom_error error = {0};
    CHECK_STATUS(play_start(&play, scheme, q, v, NULL), CAROM_OK);
    CHECK_STATUS(play_run(&play, 8.0, &error), CAROM_OK);
    const struct carom_ledger ledger = play_ledger(&play);
    CHECK(ledger.kinetic < 0.05);
    CHECK(play.view->q[2] > 0.39 && play.view->q[2] < 0.9); /* it lies on a face, an edge or spins on a corner */
    CHECK(play.stepper->worst_gap > -0.02);
    printf("%s: box at rest %.4f above the floor, kinetic %.1e, deepest %.1e, residual %.1e %s\n", scheme->kind.name,
           play.view->q[2], ledger.kinetic, play.stepper->worst_gap, ledger.residual, error.text);
    play_close(&play);
}

/* projection keeps bodies apart */
static void check_projection(void)
{
    const double gap[3] = {0.3, 0.1, 0.2};
    const struct row row = {.n = 3, .left = true, .gap = gap, .e_all = 0.4, .gravity = -9.81};
    struct play play = play_begin(row_model(&row), moreau, 1e-2);
    play_option(&play, moreau, "project", 1.0);
    CHECK_STATUS(play_start(&play, moreau, NULL, NULL, NULL), CAROM_OK);
    for (int i = 0; i < 200; i++) {
        CHECK_STATUS(play_steps(&play, 1, HUGE_VAL, NULL), CAROM_OK);
        carom_contacts_deform(play.model, 0.0, play.state->q, NULL, play.scratch, NULL);
        for (size_t j = 0; j < 3; j++)
            CHECK(play.scratch[j] <= 1e-15);
    }
    play_close(&play);
}

static double spoilt_distance(const void *own, size_t i, double t, const double *q)
{
    (void)own;
    (void)i;
    return t > 0.05 ? nan("") : q[0];
}

static double sound_distance(const void *own, size_t i, double t, const double *q)
{
    (void)own;
    (void)i;
    (void)t;
    return q[0];
}

static void spoilt_force(const void *own, double t, const double *q, const double *v, double *f)
{
    (void)q;
    (void)v;
    f[0] = *(const bool *)own && t > 0.05 ? nan("") : -1.0;
}

static void unit_mass(const void *own, const double *q, double *m)
{
    (void)own;
    (void)q;
    m[0] = 1.0;
}

/* Penetrating starts and callbacks that return no numbers: a sentence, and the state as it was. */
static void check_refusals(const struct carom_scheme *scheme)
{
    struct carom_error error = {0};
    const double overlap[2] = {0.0, -0.1};
    const struct row inside = {.n = 2, .left = true, .e_all = 0.5};
    struct play play = play_begin(row_model(&inside), scheme, 1e-3);
    CHECK_STATUS(play_start(&play, scheme, overlap, NULL, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "contact 1: the bodies overlap by 0.1");
    play_close(&play);
    for (int k = 0; k < 2; k++) {
        const bool spoil_force = k == 0;
        const struct carom_mechanism whole = {.name = "spoilt",
                                              .n = 1,
                                              .ndistances = 1,
                                              .own = (void *)(uintptr_t)&spoil_force,
                                              .mass = unit_mass,
                                              .force = spoilt_force,
                                              .distance = k ? spoilt_distance : sound_distance};
        const double q = 1.0, v = 0.0, gap = 0.0, half = 0.5;
        const double *const columns[CAROM_RIGID_COLUMNS] = {&half};
        struct carom_model *model = carom_model_create();
        void *own = carom_mechanism_create(&whole, &q, &v, &error);
        CHECK_OR_STOP(model && own);
        CHECK_STATUS(carom_model_add(model, &carom_part_mechanism, own, NULL), CAROM_OK);
        CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, 1,
                                      (const int32_t[][2]){{CAROM_WALL_LEFT, 0}}, &gap, columns, NULL),
                     CAROM_OK);
        CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
        play = play_begin(model, scheme, 1e-2);
        CHECK_STATUS(play_start(&play, scheme, &q, &v, &error), CAROM_OK);
        enum carom_status status = CAROM_OK;
        uint64_t hash = 0;
        for (int i = 0; i < 100 && status == CAROM_OK; i++) {
            hash = carom_state_hash(play.state);
            status = play_steps(&play, 1, HUGE_VAL, &error);
        }
        CHECK_STATUS(status, CAROM_E_NUMERIC);
        CHECK(carom_state_hash(play.state) == hash);
        CHECK(play.state->time < 0.1);
        CHECK(error.text[0] != '\0');
        printf("%s: %s\n", scheme->kind.name, error.text);
        play_close(&play);
    }
}

/* Gauss-Seidel on a column of 50 misses its tolerance: refused, the state as it was */
static void check_missed(void)
{
    const struct row row = {.n = 400, .left = true, .e_all = 0.5, .gravity = -9.81};
    struct play play = play_begin(row_model(&row), moreau, 1e-3);
    struct carom_error error = {0};
    play_option(&play, moreau, "solver", CAROM_LCP_GAUSS_SEIDEL);
    play_option(&play, moreau, "solver_tol", 1e-14);
    CHECK_STATUS(play_start(&play, moreau, NULL, NULL, NULL), CAROM_OK);
    const uint64_t hash = carom_state_hash(play.state);
    CHECK_STATUS(play_steps(&play, 1, HUGE_VAL, &error), CAROM_E_NUMERIC);
    CHECK(carom_state_hash(play.state) == hash);
    CHECK_CONTAINS(error.text, "solver_tol");
    play_close(&play);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    check_energy(&random);
    check_momentum(&random, moreau);
    check_momentum(&random, schatzman);
    check_two_ways(&random);
    check_ball();
    check_column(moreau);
    check_column(schatzman);
    check_cradle();
    check_parts(moreau);
    check_parts(schatzman);
    check_box(moreau);
    check_projection();
    check_refusals(moreau);
    check_refusals(schatzman);
    check_missed();
    return check_end();
}
