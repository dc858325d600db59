/* Crystals under implicit schemes of fixed step: numbers that independent programs found (k = 1, step 0.1), beside the
 * law itself; rows in lattices, turned crystals, orders. */
#include "crystals.h"
#include "chain.h"

struct number {
    const struct carom_scheme *scheme; /* of the law itself: dp5 */
    double energy, v[3];
};

/* one crystal, and the velocity of which body is told */
struct crystal {
    struct carom_bodies *(*make)(double *v);
    size_t told;
    double until;
    const struct number *number;
    size_t n;
};

static const struct number pair[] = {
    {&carom_scheme_dp5, .474614091540, {.232426457583, -.052077221860}},
    {&carom_scheme_theta, .474739654655, {.232225067265, -.052163289636}},
    {&carom_scheme_energy_momentum, .474654179570, {.232298107379, -.052111212994}},
    {&carom_scheme_cn_reg, .474693320950, {.232370376628, -.052124346608}},
    {&carom_scheme_gl_reg, .474613917173, {.232426279967, -.052077148755}},
    {&carom_scheme_irk, .474424046770, {.232275443410, -.051993166260}},
};

static const struct number hexagonal[] = {
    {&carom_scheme_dp5, .359258849896, {.572109756316, .000674036434}},
    {&carom_scheme_theta, .360634484768, {.572568340408, .000668210059}},
    {&carom_scheme_energy_momentum, .359728414687, {.572449231751, .000672323763}},
    {&carom_scheme_cn_reg, .359771053080, {.572489221404, .000669855744}},
    {&carom_scheme_gl_reg, .359257315599, {.572109709771, .000674051144}},
};

static const struct number cubic[] = {
    {&carom_scheme_dp5, .419283697790, {.066810360260, .092536402114, .102659997687}},
    {&carom_scheme_theta, .419951472747, {.066692399908, .092320159273, .102428595819}},
    {&carom_scheme_energy_momentum, .419570712194, {.066777051005, .092459682475, .102578590900}},
    {&carom_scheme_gl_reg, .419292071314, {.066811388679, .092536333870, .102660436077}},
    {&carom_scheme_irk, .418587873764, {.066698887895, .092430880126, .102539886730}},
};

static const struct crystal crystals[] = {
    {crystals_pair, 1, 4.0, pair, sizeof pair / sizeof *pair},
    {crystals_hexagonal, 5, 6.0, hexagonal, sizeof hexagonal / sizeof *hexagonal},
    {crystals_cubic, 7, 6.0, cubic, sizeof cubic / sizeof *cubic},
};

enum { SCHEMES = 5 };
static const struct carom_scheme *const schemes[SCHEMES] = {
    &carom_scheme_energy_momentum, &carom_scheme_cn_reg, &carom_scheme_theta, &carom_scheme_gl_reg, &carom_scheme_irk};

static struct carom_sim *run(const struct crystal *c, const struct carom_scheme *scheme, double step, bool paper)
{
    double v[64] = {0.0};
    struct carom_sim *sim = crystals_sim(c->make(v), v, scheme, step, c->until, paper, 1);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    return sim;
}

static double energy_of(const struct carom_sim *sim)
{
    const struct carom_ledger ledger = bodies_ledger(sim);
    return ledger.kinetic + ledger.stored;
}

static void test_numbers(void)
{
    for (size_t i = 0; i < sizeof crystals / sizeof *crystals; i++)
        for (size_t k = 0; k < crystals[i].n; k++) {
            const struct number *number = &crystals[i].number[k];
            struct carom_sim *sim =
                run(&crystals[i], number->scheme, number->scheme == &carom_scheme_dp5 ? 1e-11 : 0.1, false);
            const struct carom_bodies *b = carom_model_bodies(sim->model);
            CHECK_NEAR(energy_of(sim), number->energy, 1e-9);
            for (size_t d = 0; d < b->dimension; d++)
                CHECK_NEAR(sim->view->v[crystals[i].told * carom_bodies_nv(b) + d], number->v[d], 1e-9);
            for (size_t d = 0; i == 1 && number->scheme != &carom_scheme_gl_reg && d < 2; d++)
                CHECK(sim->view->v[d] == 0.0 && sim->view->v[3 * 6 + d] == 0.0); /* what no wave has reached */
            carom_sim_free(sim);
        }
}

/* the plain form of the paper takes angular momentum, and too little energy */
static void test_paper(void)
{
    double p[3], l[3];
    struct carom_sim *sim = run(&crystals[0], &carom_scheme_theta, 0.1, true);
    crystals_momenta(carom_model_bodies(sim->model), sim->view, p, l);
    CHECK_NEAR(energy_of(sim), .482624876271, 1e-9);
    CHECK_NEAR(l[2], -.042, 1e-3);
    carom_sim_free(sim);
    sim = run(&crystals[0], &carom_scheme_irk, 0.1, true);
    CHECK(fabs(energy_of(sim) - crystals[0].number[0].energy) > 5e-3);
    carom_sim_free(sim);
}

/* friction keeps momenta, and its ledger closes to the order of the kicks */
static void test_friction(const struct carom_scheme *scheme, struct carom_bodies *(*make)(double *v))
{
    double v[64] = {0.0}, p[2][3], l[2][3];
    struct carom_bodies *b = crystals_rub(make(v), 0.3);
    v[2] = 0.1;
    v[b->dimension] = 0.2;
    struct carom_sim *sim = crystals_sim(b, v, scheme, 0.02, 4.0, false, 1);
    CHECK_OR_STOP(sim != NULL);
    carom_sim_sync(sim);
    crystals_momenta(carom_model_bodies(sim->model), sim->view, p[0], l[0]);
    bodies_run(sim);
    crystals_momenta(carom_model_bodies(sim->model), sim->view, p[1], l[1]);
    const struct carom_ledger ledger = bodies_ledger(sim);
    /* irk, with a gamma of five steps, does not close by itself */
    CHECK(ledger.friction > 1e-3 && fabs(ledger.residual) < (scheme == &carom_scheme_irk ? 2e-3 : 1e-4));
    const bool exact = scheme != &carom_scheme_theta && scheme != &carom_scheme_irk; /* those to their order */
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(p[1][k], p[0][k], 1e-14);
        CHECK_NEAR(l[1][k], l[0][k], exact ? 3e-14 : 1e-3);
    }
    carom_sim_free(sim);
}

static void test_refused(void)
{
    double v[64] = {0.0};
    struct carom_error error = {CAROM_OK, ""};
    struct carom_model *model = bodies_model(crystals_hexagonal(v));
    struct carom_scales scales = {.length = 1.0, .speed = 1.0, .contact_time = 1.0};
    void *options = carom_options_create(&carom_scheme_irk.kind);
    carom_options_set(&carom_scheme_irk.kind, options, "step", 0.1, &error);
    CHECK(carom_stepper_create(&carom_scheme_irk, model, options, &scales, NULL, &error) == NULL);
    CHECK_TEXT(error.text, "scheme irk needs the same viscous time (gamma) at every contact; gl-reg and "
                           "energy-momentum take one of its own at each");
    carom_options_free(options);
    carom_model_free(model);
}

/* --- rows and lattices ------------------------------------------------------------------------------------------- */

enum { ROW = 5 };

/* a square lattice whose central row is struck along its axis equals the row of beads; all others are exactly still */
static void test_row(const struct carom_scheme *scheme, size_t dimension, double allowed)
{
    static struct chain chain;
    const double param[2] = {1.0, 0.1};
    const size_t layers = dimension == 3 ? 3 : 1, n = ROW * 3 * layers, nv = dimension == 2 ? 3 : 6;
    double v[6 * ROW * 9] = {0.0};
    struct carom_bodies *b = crystals_of(dimension, n, 0.1);
    for (size_t i = 0; i < n; i++)
        bodies_ball(b, i, 5.0, 1.0, 10.0 * (double)(i % ROW), 10.0 * (double)(i / ROW % 3),
                    10.0 * (double)(i / ROW / 3));
    const size_t first = ROW + (dimension == 3 ? ROW * 3 : 0);
    v[first * nv] = 1.0;
    struct carom_sim *sim = crystals_sim(b, v, scheme, 0.1, 12.0, false, 1);
    bodies_run(sim);
    chain_uniform(&chain, ROW, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    chain.v[0] = 1.0;
    struct trial trial;
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, 0.1, NULL));
    CHECK_STATUS(trial_run(&trial, 12.0, NULL), CAROM_OK);
    for (size_t i = 0; i < n; i++) {
        const bool struck = i >= first && i < first + ROW;
        for (size_t k = 0; k < nv; k++)
            if (struck && k == 0)
                CHECK_NEAR(sim->view->v[i * nv], trial.view->v[i - first], allowed);
            else
                CHECK(sim->view->v[i * nv + k] == 0.0);
    }
    trial_close(&trial);
    carom_sim_free(sim);
}

/* the dimer chain of the paper's table 1 along any direction is the row of beads */
static void test_dimer(const struct carom_scheme *scheme, size_t dimension, const double along[3], double allowed)
{
    enum { BEADS = 25 };
    static struct chain chain;
    const double param[2] = {1.0, 0.06};
    const size_t nv = dimension == 2 ? 3 : 6;
    double v[6 * BEADS] = {0.0};
    struct carom_bodies *b = crystals_of(dimension, BEADS, param[1]);
    chain_uniform(&chain, BEADS, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    for (size_t i = 0; i < BEADS; i++) {
        const double at = 10.0 * (double)i;
        chain.mass[i] = i % 2 == 1 ? 0.5 : 1.0;
        bodies_ball(b, i, 5.0, chain.mass[i], at * along[0], at * along[1], at * along[2]);
    }
    chain.v[0] = 1.0;
    memcpy(v, along, dimension * sizeof *v);
    struct carom_sim *sim = crystals_sim(b, v, scheme, 0.1, 30.0, false, 1);
    bodies_run(sim);
    struct trial trial;
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, 0.1, NULL));
    CHECK_STATUS(trial_run(&trial, 30.0, NULL), CAROM_OK);
    for (size_t i = 0; i < BEADS; i++)
        for (size_t k = 0; k < dimension; k++)
            CHECK_NEAR(sim->view->v[i * nv + k], trial.view->v[i] * along[k], allowed);
    trial_close(&trial);
    carom_sim_free(sim);
}

/* C turned by a rotation about (1, 1, 1), and turned back */
static void test_turned(const struct carom_scheme *scheme)
{
    double v[64] = {0.0}, turned[64] = {0.0};
    const double c = cos(0.7), s = sin(0.7) / sqrt(3.0), d = (1.0 - c) / 3.0;
    const double r[3][3] = {{c + d, d - s, d + s}, {d + s, c + d, d - s}, {d - s, d + s, c + d}};
    struct carom_sim *plain = run(&crystals[2], scheme, 0.1, false);
    struct carom_bodies *b = crystals_cubic(v);
    for (size_t i = 0; i < b->n; i++) {
        double at[3];
        memcpy(at, b->body[i].at, sizeof at);
        for (int k = 0; k < 3; k++) {
            b->body[i].at[k] = r[k][0] * at[0] + r[k][1] * at[1] + r[k][2] * at[2];
            for (int l = 0; l < 3; l++)
                turned[6 * i + (size_t)k] += r[k][l] * v[6 * i + (size_t)l];
        }
    }
    struct carom_sim *sim = crystals_sim(b, turned, scheme, 0.1, crystals[2].until, false, 1);
    bodies_run(sim);
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 3; k++) {
            double back = 0.0;
            for (size_t l = 0; l < 3; l++)
                back += r[l][k] * sim->view->v[6 * i + l];
            CHECK_NEAR(back, plain->view->v[6 * i + k], 4e-14);
        }
    carom_sim_free(plain);
    carom_sim_free(sim);
}

/* --- orders ------------------------------------------------------------------------------------------------------ */

/* a pair that is pressed and stays so for a while */
static struct carom_bodies *pressed(double *v)
{
    struct carom_bodies *b = crystals_pair(v);
    b->body[1].at[0] = 4.6;
    return b;
}

/* a pair that slips all the time, and one that sticks and slips */
static struct carom_bodies *slipping(double *v)
{
    return crystals_rub(crystals_pair(v), 0.05);
}

static struct carom_bodies *sticking(double *v)
{
    struct carom_bodies *b = crystals_rub(crystals_pair(v), 0.3);
    v[1] = 0.3;
    return b;
}

/* spheres that slip, and roll about */
static struct carom_bodies *in_space(double *v)
{
    struct carom_bodies *b = crystals_rub(crystals_of(3, 2, 0.1), 0.05);
    const double velocity[6] = {0.6, 0.3, 0.1, 0.1, 0.0, 0.2};
    bodies_ball(b, 0, 3.0, 1.0, 0.0, 0.0, 0.0);
    bodies_ball(b, 1, 2.0, 2.0, 4.0, 3.0, 0.0);
    memcpy(v, velocity, sizeof velocity);
    return b;
}

/* laws with a memory; what tests call gamma is then p of bistiff, k2 of walton-braun */
static struct carom_bodies *bistiff(double *v)
{
    struct carom_bodies *b = crystals_pair(v);
    b->pairing[0].law = &carom_law_bistiff;
    b->pairing[0].param[2].param = 0.8;
    return b;
}

static struct carom_bodies *plastic(double *v)
{
    struct carom_bodies *b = crystals_cubic(v);
    b->pairing[0].law = &carom_law_walton_braun;
    return b;
}

static struct carom_bodies *rough_plastic(double *v)
{
    struct carom_bodies *b = slipping(v);
    b->pairing[0].law = &carom_law_walton_braun;
    return b;
}

static const struct crystal dents = {bistiff, 1, 4.0, NULL, 0}, yields = {plastic, 7, 6.0, NULL, 0},
                            rough = {rough_plastic, 1, 4.0, NULL, 0};
static const struct crystal space = {in_space, 1, 4.0, NULL, 0};
static const struct crystal slips = {slipping, 1, 4.0, NULL, 0}, sticks = {sticking, 1, 4.0, NULL, 0};
static const struct crystal smooth = {pressed, 1, 1.2, NULL, 0};

/* velocities at the end, gamma being as given */
static void end_of(const struct crystal *c, const struct carom_scheme *scheme, double step, double gamma, double *end)
{
    double v[64] = {0.0};
    struct carom_bodies *b = c->make(v);
    for (size_t p = 0; p < b->npairings; p++)
        b->pairing[p].param[1].param = gamma;
    struct carom_sim *sim = crystals_sim(b, v, scheme, step, c->until, false, 1);
    bodies_run(sim);
    memcpy(end, sim->view->v, sim->model->nv * sizeof *end);
    carom_sim_free(sim);
}

/* What dp5 makes of a crystal, found once for all schemes that are compared with it. */
static const double *exact_of(const struct crystal *c, double gamma)
{
    enum { MOST = 200 };
    static struct {
        const struct crystal *c;
        double gamma, end[64];
    } found[MOST];
    size_t i = 0;
    while (found[i].c && (found[i].c != c || found[i].gamma != gamma))
        CHECK_OR_STOP(++i < MOST);
    if (!found[i].c)
        end_of(c, &carom_scheme_dp5, 1e-11, gamma, found[i].end);
    found[i].c = c;
    found[i].gamma = gamma;
    return found[i].end;
}

/* Largest error of some neighbouring numbers of steps, since it depends on how contact changes fall into them. */
static double error_of(const struct crystal *c, const struct carom_scheme *scheme, int steps, int tries, double gamma)
{
    double end[64] = {0.0}, worst = 0.0;
    for (int i = 0; i < tries; i++) {
        const double step = c->until / (steps + i * (steps / (3 * tries) + 1));
        const double *exact = exact_of(c, gamma > 0.0 ? gamma : step);
        end_of(c, scheme, step, gamma > 0.0 ? gamma : step, end);
        for (size_t k = 0; k < 64; k++)
            worst = fmax(worst, fabs(end[k] - exact[k]));
    }
    return worst;
}

/* gamma fixed, or 0: as large as the step */
static void test_order(const struct crystal *c, const char *name, const struct carom_scheme *scheme, int steps,
                       int tries, double gamma, double order, double allowed)
{
    const double coarse = error_of(c, scheme, steps, tries, gamma), fine = error_of(c, scheme, 4 * steps, tries, gamma);
    const double observed = 0.5 * log2(coarse / fine);
    printf("%-9s %-15s gamma %-5s: %.1e, %.1e, order %.2f\n", name, scheme->kind.name, gamma > 0.0 ? "fixed" : "= h",
           coarse, fine, observed);
    CHECK_NEAR(observed, order, allowed);
}

static void test_orders(void)
{
    static const char *const names[] = {"pair", "hexagonal", "fcc"};
    for (size_t i = 0; i < (size_t)check_take(2, 3); i++) {
        const struct crystal *c = &crystals[i];
        const int steps = i == 0 ? 120 : 60;
        for (int fixed = 0; fixed < 2; fixed++) {
            test_order(c, names[i], &carom_scheme_energy_momentum, steps, 3, 0.1 * fixed, 2.0, 0.2);
            test_order(c, names[i], &carom_scheme_cn_reg, steps, 4, 0.1 * fixed, 2.0, 0.45);
        }
        test_order(c, names[i], &carom_scheme_theta, steps, 3, 0.0, 2.0, 0.2);
        test_order(c, names[i], &carom_scheme_irk, steps, 6, 0.0, 2.5, 0.3);
        test_order(c, names[i], &carom_scheme_gl_reg, i == 0 ? 40 : 60, 12, 0.1, 2.5, 0.4);
    }
    test_order(&slips, "slipping", &carom_scheme_energy_momentum, 40, 3, 0.1, 2.0, 0.15);
    test_order(&space, "in space", &carom_scheme_energy_momentum, 40, 3, 0.1, 1.9, 0.25);
    test_order(&sticks, "sticking", &carom_scheme_energy_momentum, 40, 3, 0.1, 1.5, 0.5);
    /* the kicks alone are of order 3/2, as normal forces begin with a root: gl-reg errs so little that it shows */
    static const struct crystal *const friction_loss[] = {&slips, &space, &sticks};
    static const char *const how[] = {"slipping", "in space", "sticking"};
    for (size_t i = 0; i < 3; i++) {
        test_order(friction_loss[i], how[i], &carom_scheme_gl_reg, 40, 3, 0.1, 1.5, 0.35);
        test_order(friction_loss[i], how[i], &carom_scheme_cn_reg, 40, 3, 0.1, 1.9, 0.3);
        test_order(friction_loss[i], how[i], &carom_scheme_theta, 40, 3, 0.0, 2.0, 0.45);
        test_order(friction_loss[i], how[i], &carom_scheme_irk, 40, 3, 0.0, 2.0, 0.45);
    }
    test_order(&dents, "bistiff", &carom_scheme_energy_momentum, 40, 8, 1.5, 2.0, 0.2);
    test_order(&yields, "plastic", &carom_scheme_energy_momentum, 60, 8, 2.0, 2.0, 0.3);
    test_order(&rough, "rough", &carom_scheme_energy_momentum, 120, 8, 2.0, 2.0, 0.3);
    test_order(&smooth, "pressed", &carom_scheme_energy_momentum, 12, 1, 0.1, 2.0, 0.05);
    test_order(&smooth, "pressed", &carom_scheme_irk, 48, 1, 0.0, 3.0, 0.15);
    test_order(&smooth, "pressed", &carom_scheme_gl_reg, 12, 1, 0.1, 4.0, 0.15);
}

int main(void)
{
    test_numbers();
    test_paper();
    test_refused();
    for (size_t i = 0; i < SCHEMES; i++) {
        test_friction(schemes[i], crystals_pair);
        test_friction(schemes[i], crystals_cubic);
        const double allowed = i == 2 || i == 4 ? 1e-9 : 2e-13; /* rows stop Newton earlier under theta and irk */
        test_row(schemes[i], 2, allowed);
        test_row(schemes[i], 3, allowed);
        test_turned(schemes[i]);
        test_dimer(schemes[i], 2, (const double[3]){0.6, 0.8, 0.0}, 100.0 * allowed);
        test_dimer(schemes[i], 3, (const double[3]){2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0}, 100.0 * allowed);
    }
    test_orders();
    return check_end();
}
