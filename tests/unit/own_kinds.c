/* Laws and functions of time that a program makes while it runs: a law finds its own data around it, a function is a
 * shape of signals, and a run with them is the run with carom's own; memory with rates is integrated with the
 * motion. */
#include "carom/scene.h"

#include "chain.h"

struct spring {
    struct carom_law law;
    double stiffness;
    size_t calls;
};

static void press(const struct carom_batch *b)
{
    struct spring *own = (struct spring *)(uintptr_t)b->law;
    own->calls++;
    for (size_t j = 0; j < b->n; j++) {
        const double d = b->deform[j] > 0.0 ? b->deform[j] : 0.0;
        double *const out[] = {b->elastic, b->slope, b->energy, b->viscous, b->drag, b->power};
        const double k = own->stiffness;
        const double value[] = {k * d, d > 0.0 ? k : 0.0, 0.5 * k * d * d, 0.0, 0.0, 0.0};
        for (size_t i = 0; i < sizeof out / sizeof *out; i++)
            if (out[i])
                out[i][j] = value[i];
    }
}

static double value(const struct carom_function *function, double t)
{
    (void)function;
    return t >= 0.0 && t < 2.0 ? sin(3.14159265358979323846 * t / 2.0) : 0.0;
}

static double rate(const struct carom_function *function, double t)
{
    (void)function;
    return t >= 0.0 && t < 2.0 ? 3.14159265358979323846 / 2.0 * cos(3.14159265358979323846 * t / 2.0) : 0.0;
}

static const double edges[] = {0.0, 2.0};
static const struct carom_function bump = {.kind = {.name = "bump"},
                                           .value = value,
                                           .rate = rate,
                                           .largest = 1.0,
                                           .fastest = 1.5707963267948966,
                                           .nbreaks = 2,
                                           .breaks = edges};

/* where the run of a scene with these contacts and this push comes to */
static void end_of(const char *contacts, const char *push, const struct carom_scene_wish *wish, double v[3])
{
    struct carom_error error = {CAROM_OK, ""};
    char text[600];
    snprintf(text, sizeof text,
             "{units: none, bodies: [chain: {count: 3, mass: 1}], contacts: %s, loads: [{body: 1, force: %s}],"
             " run: {until: 8, tol: 1e-10}}",
             contacts, push);
    struct carom_scene *scene = carom_scene_parse_as("own", text, strlen(text), NULL, 0, wish, &error);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    carom_scene_free(scene);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_sim_to(sim, 8.0, &error), CAROM_OK);
    memcpy(v, sim->view->v, 3 * sizeof *v);
    carom_sim_free(sim);
}

static void check_refusals(const struct carom_scene_wish *wish)
{
    struct carom_error error = {CAROM_OK, ""};
    static const char odd[] = "{units: none, bodies: [chain: {count: 2, mass: 1}], contacts: {law: hertz, k: 1},\n"
                              " loads: [{body: 1, force: {shape: bump, amplitude: 1, frequency: 3}}], run: {until: 1}}";
    CHECK(carom_scene_parse_as("odd", odd, sizeof odd - 1, NULL, 0, wish, &error) == NULL);
    CHECK_CONTAINS(error.text, "a signal of shape of one's own has no frequency, it takes: amplitude start");
    const struct carom_function sine = {.kind = {.name = "sine"}, .value = value, .rate = rate};
    const struct carom_function *const clash[] = {&sine, NULL};
    const struct carom_scene_wish wrong = {.functions = clash};
    CHECK(carom_scene_parse_as("odd", odd, sizeof odd - 1, NULL, 0, &wrong, &error) == NULL);
    CHECK_CONTAINS(error.text, "your own shape is called sine");
}

/* --- Maxwell's element: a spring behind a dashpot, whose length is the law's memory --- */

static const double creep = 1.5, stiff = 3.0;

static void yield(const struct carom_batch *b)
{
    for (size_t j = 0; j < b->n; j++) {
        const bool shut = b->deform[j] > 0.0;
        const double length = shut ? b->deform[j] - b->history[0][j] : 0.0, loss = stiff * length * length / creep;
        double *const out[] = {b->elastic, b->slope, b->energy, b->viscous, b->drag, b->power};
        const double value[] = {stiff * length, shut ? stiff : 0.0, 0.5 * stiff * length * length, 0.0, 0.0, loss};
        for (size_t i = 0; i < sizeof out / sizeof *out; i++)
            if (out[i])
                out[i][j] = value[i];
        if (b->history_rate)
            b->history_rate[0][j] = length / creep;
    }
}

static const struct carom_param nothing[] = {CAROM_PARAM_END};
static const struct carom_law maxwell = {
    .kind = {.name = "maxwell", .text = "a spring behind a dashpot", .params = nothing}, .nh = 1, .evaluate = yield};

/* place and velocity of a ball between two walls that press it, and the dashpots' lengths: how they change */
static void rates_of(const double y[4], double rate[4])
{
    const double left = 0.5 - y[0] - y[2], right = 0.5 + y[0] - y[3];
    rate[0] = y[1];
    rate[1] = stiff * (left - right);
    rate[2] = left / creep;
    rate[3] = right / creep;
}

static void integrate(double y[4], double until)
{
    enum { STEPS = 4000 };
    const double h = until / STEPS, part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    for (int step = 0; step < STEPS; step++) {
        double rate[4] = {0.0}, sum[4] = {0.0}, at[4];
        for (int stage = 0; stage < 4; stage++) {
            for (int i = 0; i < 4; i++)
                at[i] = y[i] + part[stage] * h * rate[i];
            rates_of(at, rate);
            for (int i = 0; i < 4; i++)
                sum[i] += weight[stage] * rate[i];
        }
        for (int i = 0; i < 4; i++)
            y[i] += h / 6.0 * sum[i];
    }
}

static void check_memory(void)
{
    static struct chain chain; /* too large for the stack */
    static const double none[1] = {0.0};
    struct trial trial;
    double y[4] = {0.0, 0.3, 0.0, 0.0};
    chain_uniform(&chain, 1, true, true, &maxwell, CAROM_END_GAP, none);
    chain.gap[0] = chain.gap[1] = -0.5;
    chain.v[0] = y[1];
    CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_dp5, 1e-9, NULL));
    CHECK_STATUS(trial_run(&trial, 2.0, NULL), CAROM_OK);
    integrate(y, 2.0);
    CHECK_NEAR(trial.view->q[0], y[0], 1e-8);
    CHECK_NEAR(trial.view->v[0], y[1], 1e-8);
    trial_close(&trial);
}

int main(void)
{
    struct spring spring = {.law = {.kind = {.name = "mine", .text = "a spring"}, .evaluate = press}, .stiffness = 7.0};
    const struct carom_law *const laws[] = {&spring.law, NULL};
    const struct carom_function *const functions[] = {&bump, NULL};
    const struct carom_scene_wish wish = {.laws = laws, .functions = functions};
    double known[3], own[3];
    end_of("{law: power, k: 7, p: 1}", "{shape: half-sine, amplitude: 2, start: 0.5, duration: 2}", NULL, known);
    end_of("{law: mine}", "{shape: bump, amplitude: 2, start: 0.5}", &wish, own);
    CHECK(spring.calls > 100);
    CHECK(known[2] > 0.1);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(own[i], known[i], 1e-8);
    check_refusals(&wish);
    check_memory();
    return check_end();
}
