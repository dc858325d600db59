/* Random crystals under energy-momentum, steps up to a contact time: no step creates energy, the ledger closes and
 * momentum and angular momentum are kept to rounding. Then walls of every shape, driven and standing, gravity, loads
 * and joined sides: the ledger closes. The other schemes book what they make themselves. A number of crystals as the
 * argument makes a longer run of it. */
#include "crystals.h"
#include "draws.h"

#define CONTACT_TIME 3.218 /* of mass 1/2 and k = 1 at speed 1, times 2^(-2/5) */

enum { BALLS = 24 };

/* lattice sites with some of them left out, radii and masses a little apart, all gammas between 0 and 0.3 */
static struct carom_bodies *draw(struct carom_random *random, double *v)
{
    const bool plane = carom_random_uniform(random) < 0.5;
    const size_t nv = plane ? 3 : 6, n = 4 + (size_t)(carom_random_uniform(random) * (BALLS - 4));
    const double spread = carom_random_uniform(random) < 0.5 ? 0.0 : 0.05,
                 fast = pow(10.0, draw_between(random, -2.0, 0.3));
    struct carom_bodies *b = carom_bodies_create(plane ? 2 : 3, n, 2, 3, 0, 0);
    static const struct carom_law *const laws[] = {
        &carom_law_kuwabara_kono, &carom_law_hertz,   &carom_law_hunt_crossley, &carom_law_linear_dashpot,
        &carom_law_power,         &carom_law_bistiff, &carom_law_walton_braun};
    for (size_t p = 0; p < 3; p++) {
        const size_t which = (size_t)(carom_random_uniform(random) * 8.0);
        const struct carom_law *law = laws[which < 7 ? which : 0];
        const double gamma = draw_between(random, 0.0, 0.3);
        const double params[7][4] = {{1.0, gamma},
                                     {1.0},
                                     {1.0, 1.5, gamma},
                                     {1.0, gamma},
                                     {1.0, 2.2, gamma, 1.6},
                                     {1.0, 1.5, 1.0 - gamma},
                                     {1.0, 1.0 + 5.0 * gamma}};
        b->pairing[p].law = law;
        b->pairing[p].ending = CAROM_END_GAP;
        for (size_t i = 0; i < carom_param_count(law->kind.params); i++)
            b->pairing[p].param[i].param = params[which < 7 ? which : 0][i];
    }
    b->meets[1] = b->meets[2] = 1;
    b->meets[3] = 2;
    memset(v, 0, 6 * BALLS * sizeof *v);
    for (size_t i = 0, site = 0; i < n; site++) {
        if (carom_random_uniform(random) < 0.2)
            continue;
        const double x = (double)(site % 4), y = (double)(site / 4 % (plane ? 100 : 3)), z = (double)(site / 12);
        const double row = 0.5 * sqrt(3.0);
        bodies_ball(b, i, 5.0 * (1.0 - spread * carom_random_uniform(random)), draw_between(random, 0.5, 1.5),
                    10.0 * (x + 0.5 * (double)((int)y % 2)), 10.0 * row * y, plane ? 0.0 : 10.0 * z);
        b->body[i].material = carom_random_uniform(random) < 0.3;
        for (size_t k = 0; k < nv && (i == 0 || carom_random_uniform(random) < 0.3); k++)
            v[i * nv + k] = fast * draw_between(random, -1.0, 1.0);
        i++;
    }
    return b;
}

struct tally {
    double growth, residual, momentum, turning, longest;
    uint64_t steps, rejected, iterations, products;
};

static double scale_of(const struct carom_bodies *b, const double *v)
{
    double sum = 0.0;
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < b->dimension; k++)
            sum += b->body[i].mass * fabs(v[i * carom_bodies_nv(b) + k]);
    return sum;
}

static void follow(struct carom_sim *sim, struct tally *tally)
{
    const struct carom_bodies *b = carom_model_bodies(sim->model);
    struct carom_error error = {CAROM_OK, ""};
    double p[2][3], l[2][3], last = HUGE_VAL;
    const double size = scale_of(b, sim->view->v);
    carom_sim_sync(sim);
    crystals_momenta(b, sim->view, p[0], l[0]);
    for (int i = 0; i < 40 && sim->state->time < sim->until; i++) {
        CHECK_STATUS(carom_sim_step(sim, 1, &error), CAROM_OK);
        carom_sim_sync(sim);
        const struct carom_ledger ledger = bodies_ledger(sim);
        const double energy = ledger.kinetic + ledger.stored;
        if (last < HUGE_VAL)
            tally->growth = fmax(tally->growth, (energy - last) / sim->state->energy);
        last = energy;
        tally->residual = fmax(tally->residual, fabs(ledger.residual) / sim->state->energy);
        CHECK(ledger.numerical == 0.0);
    }
    crystals_momenta(b, sim->view, p[1], l[1]);
    for (int k = 0; k < 3; k++) {
        tally->momentum = fmax(tally->momentum, fabs(p[1][k] - p[0][k]) / size);
        tally->turning = fmax(tally->turning, fabs(l[1][k] - l[0][k]) / (100.0 * size));
    }
    tally->steps += sim->stepper->counts.steps;
    tally->rejected += sim->stepper->counts.rejected;
    tally->iterations += sim->stepper->counts.iterations;
    tally->products += sim->stepper->products;
}

static void test_random(struct carom_random *random, int crystals)
{
    struct tally tally = {0};
    for (int i = 0; i < crystals; i++) {
        double v[6 * BALLS], fastest = 1e-3;
        struct carom_bodies *b = draw(random, v);
        for (size_t k = 0; k < 6 * BALLS; k++)
            fastest = fmax(fastest, fabs(v[k]));
        const double time = CONTACT_TIME * pow(fastest, -0.2), h = time * pow(10.0, draw_between(random, -2.0, 0.0));
        struct carom_sim *sim = crystals_sim(b, v, &carom_scheme_energy_momentum, h, 1e6, false, 1);
        follow(sim, &tally);
        carom_sim_free(sim);
    }
    printf("%d crystals: energy grows by %.1e at most in a step, ledger %.1e, momentum %.1e, angular %.1e; %.1f Newton "
           "and %.1f CG iterations, %d of %d steps halved\n",
           crystals, tally.growth, tally.residual, tally.momentum, tally.turning,
           (double)tally.iterations / (double)tally.steps, (double)tally.products / (double)tally.iterations,
           (int)tally.rejected, (int)tally.steps);
    CHECK(tally.growth < 1e-13 && tally.residual < 1e-12);
    CHECK(tally.momentum < 1e-14 && tally.turning < 1e-14);
}

/* --- walls ------------------------------------------------------------------------------------------------------- */

enum { WALLED = 6 };

static struct carom_body *wall(struct carom_bodies *b, enum carom_surface surface, bool inside)
{
    struct carom_body *body = &b->body[WALLED];
    body->surface = surface;
    body->inside = inside;
    body->fixed = true;
    return body;
}

struct box {
    const char *name;
    size_t dimension;
    enum carom_surface surface;
    bool inside, led, turned, periodic;
};

static const struct box boxes[] = {
    {"floor", 2, CAROM_PLANE, false, false, false, false},
    {"floor", 3, CAROM_PLANE, false, false, false, true},
    {"driven floor", 2, CAROM_PLANE, false, true, false, true},
    {"turning floor", 2, CAROM_PLANE, false, true, true, false},
    {"in a circle", 2, CAROM_BALL, true, false, false, false},
    {"in a driven hollow sphere", 3, CAROM_BALL, true, true, false, false},
    {"in a box", 2, CAROM_BOX, true, false, false, false},
    {"in a shaken box", 3, CAROM_BOX, true, true, false, false},
    {"on the corner of a box", 2, CAROM_BOX, false, false, false, false},
    {"in a cylinder", 3, CAROM_CYLINDER, true, false, false, false},
    {"on a turning cylinder", 3, CAROM_CYLINDER, false, true, true, false},
};

/* six balls thrown about over, on or in something; gravity, and a load on one of them */
static struct carom_bodies *put(const struct box *box, struct carom_random *random, bool rubs, double *v)
{
    struct carom_bodies *b = carom_bodies_create(box->dimension, WALLED + 1, 1, 1, 1, 1);
    const size_t nv = carom_bodies_nv(b);
    const bool around = box->inside;
    b->pairing[0].law = &carom_law_kuwabara_kono;
    b->pairing[0].ending = CAROM_END_GAP;
    b->pairing[0].param[0].param = 200.0;
    b->pairing[0].param[1].param = 0.02;
    if (rubs) {
        crystals_rub(b, 0.3);
        b->pairing[0].rub[2].param = 100.0;
        b->pairing[0].rub[3].param = 0.02;
    }
    b->gravity[1] = -1.0;
    memset(v, 0, 6 * (WALLED + 1) * sizeof *v);
    for (size_t i = 0; i < WALLED; i++) {
        bodies_ball(b, i, draw_between(random, 0.8, 1.0), 1.0, 2.05 * ((double)(i % 3) - 1.0),
                    (around ? -1.0 : 1.0) + 2.1 * (double)(i / 3), 0.0);
        for (size_t k = 0; k < box->dimension; k++)
            v[i * nv + k] = draw_between(random, -1.0, 1.0);
    }
    struct carom_body *body = wall(b, box->surface, box->inside);
    body->radius = 4.5;
    body->normal[1] = 1.0;
    for (int k = 0; k < 3; k++)
        body->size[k] = around ? 4.0 : 1.5;
    if (!around && box->surface != CAROM_PLANE)
        body->at[1] = -1.6;
    if (box->led) {
        body->lead = 0;
        b->lead[0].signal = (struct carom_signal){.shape = CAROM_SHAPE_SINE, .amplitude = 0.3, .frequency = 0.7};
        b->lead[0].displacement[1] = 1.0;
        b->lead[0].displacement[0] = 0.2;
        b->lead[0].turn[2] = box->turned ? 0.4 : 0.0;
    }
    b->load[0] = (struct carom_body_load){
        .body = 2, .force = {0.5, 0.3, 0.0}, .signal = {.shape = CAROM_SHAPE_SINE, .amplitude = 1.0, .frequency = 0.4}};
    if (box->periodic) {
        b->bounded = b->periodic[0] = true;
        b->low[0] = -5.0;
        b->high[0] = 5.0;
        b->low[1] = b->low[2] = -100.0;
        b->high[1] = b->high[2] = 100.0;
    }
    return b;
}

static void test_walls(const struct box *box, struct carom_random *random, const struct carom_scheme *scheme, bool rubs)
{
    double v[6 * (WALLED + 1)];
    struct carom_sim *sim = crystals_sim(put(box, random, rubs, v), v, scheme, 0.01, 4.0, false, 1);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    const struct carom_ledger ledger = bodies_ledger(sim);
    const double size = ledger.kinetic + ledger.dissipated;
    printf("%-15s %-26s work %9.2e, lost %.2e, numerical %9.2e, ledger %.1e, %d halved\n", scheme->kind.name, box->name,
           ledger.work, ledger.viscous, ledger.numerical, ledger.residual, (int)sim->stepper->counts.rejected);
    CHECK(ledger.viscous > 0.05 && ledger.work != 0.0);
    CHECK(rubs == (ledger.friction > 0.0));
    CHECK(fabs(ledger.residual) < (rubs ? 5e-3 : scheme == &carom_scheme_gl_reg ? 1e-3 : 1e-13) * size);
    carom_sim_free(sim);
}

int main(int argc, char **argv)
{
    const int crystals = argc > 1 ? atoi(argv[1]) : 300;
    struct carom_random random;
    carom_random_start(&random, 20);
    test_random(&random, crystals);
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        test_walls(&boxes[i], &random, &carom_scheme_energy_momentum, false);
        test_walls(&boxes[i], &random, &carom_scheme_energy_momentum, true);
        test_walls(&boxes[i], &random, &carom_scheme_cn_reg, false);
        test_walls(&boxes[i], &random, &carom_scheme_theta, false);
        test_walls(&boxes[i], &random, i % 2 == 0 ? &carom_scheme_cn_reg : &carom_scheme_theta, true);
    }
    for (size_t i = 0; i < 3; i++) {
        test_walls(&boxes[i], &random, &carom_scheme_gl_reg, false);
        test_walls(&boxes[i], &random, &carom_scheme_gl_reg, true);
    }
    return check_end();
}
