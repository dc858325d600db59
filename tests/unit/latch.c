/* Contacts that latch: a collision of two is that of `force`; where a third bead presses again what force has ended,
 * `force` pushes back and `latched` does not, as an integration by other means says; the energy left at the latch is
 * clipped at that moment, and the book of impacts ends the episode there. */
#include "chain.h"
#include "runs.h"

static struct chain chain; /* too large for the stack */

/* two beads that collide; v of both at the end */
static uint64_t collide(const struct carom_scheme *scheme, double setting, enum carom_ending ending, double v[2])
{
    struct trial trial;
    const double param[4] = {3.0, 0.2};
    chain_uniform(&chain, 2, false, false, &carom_law_kuwabara_kono, ending, param);
    chain.v[0] = 1.0;
    chain.mass[1] = 0.7;
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, setting, NULL));
    CHECK_STATUS(trial_run(&trial, 6.0, NULL), CAROM_OK);
    memcpy(v, trial.view->v, 2 * sizeof *v);
    const struct carom_ledger ledger = trial_ledger(&trial);
    CHECK(ledger.stored == 0.0);
    CHECK(ending == CAROM_END_GAP || ledger.clipped > 1e-4);
    CHECK_NEAR(ledger.residual, 0.0, scheme == &carom_scheme_dp5 ? 1e-9 : 1e-5);
    const uint64_t steps = trial.state->step;
    trial_close(&trial);
    return steps;
}

static void test_two_beads(void)
{
    const struct carom_scheme *const scheme[] = {&carom_scheme_dp5, &carom_scheme_verlet};
    for (size_t i = 0; i < 2; i++) {
        double gap[2], force[2], latched[2];
        const double setting = i == 0 ? 1e-10 : 1e-3;
        collide(scheme[i], setting, CAROM_END_GAP, gap);
        CHECK(collide(scheme[i], setting, CAROM_END_FORCE, force) ==
              collide(scheme[i], setting, CAROM_END_LATCH, latched));
        CHECK(memcmp(force, latched, sizeof force) == 0);
        CHECK(fabs(gap[1] - force[1]) > 1e-4);
    }
}

/* --- three beads, by the classical Runge-Kutta method, changes located by halving ---------------- */

struct three {
    double mass[3], k[2], gamma; /* linear dashpots: smooth while nothing changes */
    double x[3], v[3], until;
};

enum mode { OPEN, ACTS, ENDED };

static double force_in(const struct three *c, int j, const double *y)
{
    return c->k[j] * (y[j] - y[j + 1] + c->gamma * (y[3 + j] - y[4 + j]));
}

static void slopes(const struct three *c, const enum mode *mode, const double *y, double *dy)
{
    for (int i = 0; i < 3; i++) {
        dy[i] = y[3 + i];
        dy[3 + i] = 0.0;
    }
    for (int j = 0; j < 2; j++) {
        const double f = mode[j] == ACTS ? force_in(c, j, y) : 0.0;
        dy[3 + j] -= f / c->mass[j];
        dy[4 + j] += f / c->mass[j + 1];
    }
}

static void runge_kutta(const struct three *c, const enum mode *mode, double h, const double *y, double *out)
{
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}, part[4] = {0.0, 0.5, 0.5, 1.0};
    double dy[6] = {0.0}, at[6];
    memcpy(out, y, sizeof at);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 6; i++)
            at[i] = y[i] + part[s] * h * dy[i];
        slopes(c, mode, at, dy);
        for (int i = 0; i < 6; i++)
            out[i] += weight[s] * h * dy[i];
    }
}

/* the mode that contact j goes over to, or the one it has */
static enum mode next_mode(const struct three *c, int j, enum mode mode, bool latches, const double *y)
{
    const double d = y[j] - y[j + 1];
    if (mode == OPEN)
        return d > 0.0 ? ACTS : OPEN;
    if (!(d > 0.0))
        return OPEN;
    if (mode == ACTS)
        return force_in(c, j, y) < 0.0 ? ENDED : ACTS;
    return !latches && force_in(c, j, y) > 0.0 ? ACTS : ENDED;
}

static bool stays(const struct three *c, const enum mode *mode, bool latches, const double *y)
{
    return next_mode(c, 0, mode[0], latches, y) == mode[0] && next_mode(c, 1, mode[1], latches, y) == mode[1];
}

/* the state at the end; returns how often a force came back or, if it latches, did not although it would have */
static int integrate(const struct three *c, bool latches, double *y)
{
    enum mode mode[2] = {OPEN, OPEN};
    const double h = 1e-3;
    double t = 0.0, after[6];
    bool away[2] = {false, false};
    int back = 0;
    for (int i = 0; i < 3; i++) {
        y[i] = c->x[i];
        y[3 + i] = c->v[i];
    }
    while (t < c->until) {
        double low = 0.0, high = fmin(h, c->until - t);
        runge_kutta(c, mode, high, y, after);
        if (!stays(c, mode, latches, after))
            for (int i = 0; i < 60; i++) {
                const double middle = 0.5 * (low + high);
                runge_kutta(c, mode, middle, y, after);
                *(stays(c, mode, latches, after) ? &low : &high) = middle;
            }
        runge_kutta(c, mode, high, y, after);
        memcpy(y, after, sizeof after);
        t += high;
        for (int j = 0; j < 2; j++) {
            const enum mode next = next_mode(c, j, mode[j], latches, y);
            const bool would = mode[j] == ENDED && y[j] > y[j + 1] && force_in(c, j, y) > 0.0;
            back += would && !away[j];
            away[j] = would;
            mode[j] = next;
        }
    }
    return back;
}

static void draw(struct three *c, struct carom_random *random)
{
    *c = (struct three){.gamma = 0.1 + 0.5 * carom_random_uniform(random), .until = 8.0};
    for (int i = 0; i < 3; i++) {
        c->mass[i] = 0.3 + 2.0 * carom_random_uniform(random);
        c->x[i] = 0.1 * i;
        c->v[i] = (1 - i) * (0.2 + carom_random_uniform(random));
    }
    for (int j = 0; j < 2; j++)
        c->k[j] = 1.0 + 5.0 * carom_random_uniform(random);
}

static struct carom_sim *sim_of(const struct three *c, const char *ending, const char *scheme,
                                struct carom_memory **memory)
{
    char text[2000];
    snprintf(text, sizeof text,
             "units: none\nbodies: [chain: {count: 3, mass: [%.17g, %.17g, %.17g], gap: 0.1}]\n"
             "contacts: {law: linear-dashpot, k: [%.17g, %.17g], gamma: %.17g, contact_end: %s}\n"
             "start: [{bodies: all, velocity: [%.17g, %.17g, %.17g]}]\n"
             "run: {until: 8, %s}\nrecord: {every: 0.01, probes: [u, v, contact_force, stored, clipped, residual]}\n",
             c->mass[0], c->mass[1], c->mass[2], c->k[0], c->k[1], c->gamma, ending, c->v[0], c->v[1], c->v[2], scheme);
    return runs_recorded(text, memory);
}

/* largest distance of the last sample from y, in displacements from 0, 0.1, 0.2 and velocities; and of the ledger's
 * residual from 0 in any sample */
static double distance(const struct carom_memory *m, const double *y, double *residual)
{
    const double *row = m->value + (m->nrows - 1) * m->width;
    double worst = 0.0;
    for (size_t i = 0; i < 3; i++) {
        const double u = row[carom_sink_memory_column(m, "u", i)], v = row[carom_sink_memory_column(m, "v", i)];
        worst = fmax(worst, fabs(u - (y[i] - 0.1 * (double)i)));
        worst = fmax(worst, fabs(v - y[3 + i]));
    }
    *residual = 0.0;
    for (size_t r = 0; r < m->nrows; r++)
        *residual = fmax(*residual, fabs(m->value[r * m->width + carom_sink_memory_column(m, "residual", 0)]));
    return worst;
}

/* While a contact is latched it has no force, and a latched pair stores nothing: then clipped does not change either,
 * except where the other one latches. An episode is over before the gap opens. */
static void check_samples(const struct carom_memory *m)
{
    for (size_t e = 0; e < m->nepisodes; e++) {
        const struct carom_episode *episode = &m->episode[e];
        double next = HUGE_VAL;
        for (size_t i = 0; i < m->nepisodes; i++)
            if (m->episode[i].contact == episode->contact && m->episode[i].closed > episode->closed)
                next = fmin(next, m->episode[i].closed);
        CHECK(episode->opened < next);
        for (size_t r = 0; r < m->nrows; r++)
            if (m->time[r] > episode->opened + 1e-9 && m->time[r] < next - 1e-9)
                CHECK(m->value[r * m->width + carom_sink_memory_column(m, "contact_force", episode->contact)] == 0.0);
    }
}

static void check_three(const struct three *c, const char *scheme, double near, double closes)
{
    const char *const ending[] = {"force", "latched"};
    double apart[2], residual;
    for (int i = 0; i < 2; i++) {
        struct carom_memory *memory;
        struct carom_error error = {CAROM_OK, ""};
        double own[6], other[6];
        integrate(c, i == 1, own);
        integrate(c, i == 0, other);
        struct carom_sim *sim = sim_of(c, ending[i], scheme, &memory);
        CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
        CHECK_NEAR(distance(memory, own, &residual), 0.0, near);
        CHECK_NEAR(residual, 0.0, closes);
        apart[i] = distance(memory, other, &residual);
        CHECK(apart[i] > 1e-3);
        if (i == 1)
            check_samples(memory);
        carom_sim_free(sim);
    }
}

static void test_three_beads(uint64_t seed)
{
    enum { MOST = 4000 };
    const int wanted = check_take(2, 4);
    struct carom_random random;
    struct three c;
    double force[6], latched[6];
    int found = 0;
    carom_random_start(&random, seed);
    for (int i = 0; i < MOST && found < wanted; i++) {
        double apart = 0.0;
        draw(&c, &random);
        if (integrate(&c, false, force) == 0)
            continue;
        integrate(&c, true, latched);
        for (int k = 3; k < 6; k++)
            apart = fmax(apart, fabs(force[k] - latched[k]));
        if (!(apart > 1e-2))
            continue;
        found++;
        printf("seed %" PRIu64 ", draw %d: velocities of `force` and `latched` are %.2g apart\n", seed, i, apart);
        check_three(&c, "tol: 1e-10", 1e-9, 1e-9);
        check_three(&c, "scheme: verlet, step: 1e-4", 1e-3, 1e-3);
    }
    CHECK(found == wanted);
}

int main(int argc, char **argv)
{
    test_two_beads();
    test_three_beads(check_seed(argc, argv));
    return check_end();
}
