/* "True error <= 10 tol" for tol = 1e-3, 1e-6, 1e-9 on varied scenes as a user would write them: patterns, laws,
 * damping from none to strong, cradles, walls, gaps, loaded starts, mass ratios from 1e-4 to 1e4, 2 to 10000 bodies,
 * and a dozen drawn at random. The reference is the same scene with local tolerance 1e-14 and every bead stepped;
 * promise.c holds that setting against motions computed in quadruple precision. */
#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "runs.h"

enum { SAMPLES = 40, TEXT = 4000 };

/* what stands in a scene between units and record; `until` is known, so that the samples are */
struct sample_scene {
    const char *name;
    double until;
    const char *text;
};

static const struct sample_scene scenes[] = {
    {"two beads", 8, "bodies: [{chain: {count: 2}}]\ncontacts: {law: hertz}\nstart: [{body: 1, velocity: 1}]\n"},
    {"two beads, damped", 8,
     "bodies: [{chain: {count: 2}}]\ncontacts: {law: kuwabara-kono, gamma: 0.5}\nstart: [{body: 1, velocity: 1}]\n"},
    {"two beads, strongly damped", 20,
     "bodies: [{chain: {count: 2}}]\ncontacts: {law: kuwabara-kono, gamma: 3}\nstart: [{body: 1, velocity: 1}]\n"},
    {"two beads, ended by force", 8,
     "bodies: [{chain: {count: 2}}]\ncontacts: {law: kuwabara-kono, gamma: 0.8, contact_end: force}\n"
     "start: [{body: 1, velocity: 1}]\n"},
    {"dashpot", 8,
     "bodies: [{chain: {count: 2}}]\ncontacts: {law: power, p: 1.5, b: 1, gamma: 0.2}\nstart: [{body: 1, velocity: "
     "1}]\n"},
    {"Hunt-Crossley", 20,
     "bodies: [{chain: {count: 6}}]\ncontacts: {law: power, p: 1.5, b: 2.5, gamma: 0.3}\nstart: [{body: 1, velocity: "
     "1}]\n"},
    {"Tsuji", 20,
     "bodies: [{chain: {count: 6}}]\ncontacts: {law: power, p: 1.5, b: 1.25, gamma: 0.2}\nstart: [{body: 1, velocity: "
     "1}]\n"},
    {"linear contacts", 30,
     "bodies: [{chain: {count: 10}}]\ncontacts: {law: power, p: 1}\nstart: [{body: 1, velocity: 1}]\n"},
    {"p = 3", 40,
     "bodies: [{chain: {count: 8}}]\ncontacts: {law: power, p: 3, b: 3}\nstart: [{body: 1, velocity: 1}]\n"},
    {"mass ratio 1e-4", 10,
     "bodies: [{chain: {count: 3, mass: [1, 1e-4, 1]}}]\ncontacts: {law: hertz}\nstart: [{body: 1, velocity: 1}]\n"},
    {"mass ratio 1e4", 60,
     "bodies: [{chain: {count: 3, mass: [1, 1e4, 1]}}]\ncontacts: {law: kuwabara-kono, gamma: 0.1}\n"
     "start: [{body: 1, velocity: 1}]\n"},
    {"light striker", 30,
     "bodies: [{bead: {mass: 0.01}}, {chain: {count: 12}}]\ncontacts: {law: hertz}\nstart: [{body: 1, velocity: 1}]\n"},
    {"heavy striker", 60,
     "bodies: [{bead: {mass: 50}}, {chain: {count: 12}}]\ncontacts: {law: kuwabara-kono, gamma: 0.05}\n"
     "start: [{body: 1, velocity: 1}]\n"},
    {"dimer", 40,
     "bodies: [{chain: {count: 25, pattern: [{mass: 1}, {mass: 0.3}]}}]\ncontacts: {law: kuwabara-kono, gamma: 0.06}\n"
     "start: [{body: 1, velocity: 1}]\n"},
    {"pattern of three", 40,
     "bodies: [{chain: {count: 24, pattern: [{mass: 1}, {mass: 0.1}, {mass: 2}]}}]\ncontacts: {law: hertz}\n"
     "start: [{body: 1, velocity: 1}]\n"},
    {"tapered", 30,
     "bodies: [{chain: {mass: [1, 0.85, 0.72, 0.61, 0.52, 0.44, 0.38, 0.32, 0.27, 0.23]}}]\n"
     "contacts: {law: kuwabara-kono, gamma: 0.02}\nstart: [{body: 1, velocity: 1}]\n"},
    {"right wall", 40,
     "bodies: [{chain: {count: 10}}, {wall: {side: right}}]\ncontacts: {law: hertz}\nstart: [{body: 1, velocity: "
     "1}]\n"},
    {"between walls", 40,
     "bodies: [{chain: {count: 5, gap: 0.1}}, {wall: {side: right, gap: 0.2}}, {wall: {side: left, gap: 0.2}}]\n"
     "contacts: {law: kuwabara-kono, gamma: 0.1}\nstart: [{body: 3, velocity: 1}]\n"},
    {"one bead between walls", 30,
     "bodies: [{bead: {}}, {wall: {side: right, gap: 0.5}}, {wall: {side: left, gap: 0.5}}]\n"
     "contacts: {law: kuwabara-kono, gamma: 0.2}\nstart: [{body: 1, velocity: 1}]\n"},
    {"gaps", 60,
     "bodies: [{chain: {count: 8, gap: [0.3, 0.1, 0, 0.2, 0.05, 0, 0.4]}}]\ncontacts: {law: hertz}\n"
     "start: [{body: 1, velocity: 1}]\n"},
    {"strikers from both ends", 40,
     "bodies: [{chain: {count: 12}}, {striker: {side: left, velocity: 1}}, {striker: {side: right, velocity: -0.7}}]\n"
     "contacts: {law: kuwabara-kono, gamma: 0.03}\n"},
    {"cradle", 120,
     "bodies: [{chain: {count: 6, spring: 0.02}}]\ncontacts: {law: kuwabara-kono, gamma: 0.2}\n"
     "start: [{body: 1, velocity: 1}]\n"},
    {"cradle, undamped", 100,
     "bodies: [{chain: {count: 3, spring: 0.05}}]\ncontacts: {law: hertz}\nstart: [{body: 1, velocity: 1}]\n"},
    {"loaded start", 10,
     "bodies: [{chain: {mass: [1, 0.512, 0.729]}}]\ncontacts: {law: kuwabara-kono, gamma: 0.1}\n"
     "start: [{bodies: all, displacement: [0.9, 0.2, 0], velocity: [0.7, 0.6, 0.02]}]\n"},
    {"pressed against a wall", 20,
     "bodies: [{chain: {count: 4}}, {wall: {side: right}}]\ncontacts: {law: kuwabara-kono, gamma: 0.05}\n"
     "start: [{bodies: all, displacement: [0.4, 0.3, 0.2, 0.1]}]\n"},
    {"stiff and soft", 30,
     "bodies: [{chain: {count: 8}}]\ncontacts: {law: hertz, k: [1, 100, 1, 100, 1, 100, 1]}\n"
     "start: [{body: 1, velocity: 1}]\n"},
    {"unlike endings", 20,
     "bodies: [{chain: {count: 6}}]\ncontacts:\n  - {law: kuwabara-kono, gamma: 0.2}\n"
     "  - {law: kuwabara-kono, gamma: 0.2, contact_end: force, at: [2, 4]}\nstart: [{body: 1, velocity: 1}]\n"},
    {"hundred beads", 100,
     "bodies: [{chain: {count: 100}}]\ncontacts: {law: kuwabara-kono, gamma: 0.02}\nstart: [{body: 1, velocity: 1}]\n"},
    {"ten thousand beads", 30,
     "bodies: [{chain: {count: 10000}}]\ncontacts: {law: hertz}\nstart: [{body: 1, velocity: 1}]\n"},
};

enum { SCENES = sizeof scenes / sizeof *scenes, RANDOM = 12 };

/* a scene of random bodies, law and start */
static double draw(struct carom_random *random, char *text, size_t size)
{
    const int n = 2 + (int)carom_random_below(random, 10), kind = (int)carom_random_below(random, 4);
    size_t used = (size_t)snprintf(text, size, "bodies: [{chain: {mass: [");
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.17g", i ? ", " : "",
                                 pow(10.0, 2.0 * carom_random_uniform(random) - 1.0));
    used += (size_t)snprintf(text + used, size - used, "], gap: %.17g}}%s]\n",
                             kind % 2 ? 0.0 : 0.2 * carom_random_uniform(random),
                             kind > 1 ? ", {wall: {side: right}}" : "");
    used += (size_t)snprintf(text + used, size - used,
                             "contacts: {law: power, p: %.17g, b: %.17g, gamma: %.17g, k: %.17g}\n",
                             1.0 + 1.5 * carom_random_uniform(random), 1.3 + carom_random_uniform(random),
                             0.3 * carom_random_uniform(random), 0.3 + 3.0 * carom_random_uniform(random));
    snprintf(text + used, size - used, "start: [{body: 1, velocity: %.17g}, {body: %d, velocity: %.17g}]\n",
             0.5 + carom_random_uniform(random), n, -carom_random_uniform(random));
    return 20.0;
}

/* runs the scene; the samples stay in the memory sink, which the sim owns */
static struct carom_sim *run(const char *text, double until, const char *how, struct carom_memory **memory)
{
    char whole[TEXT];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(whole, sizeof whole,
             "units: none\n%srun: {until: %.17g, %s}\nrecord: {every: %.17g, probes: [u, v], events: false}\n", text,
             until, how, until / SAMPLES);
    struct carom_sim *sim = runs_recorded(whole, memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    return sim;
}

static double distance(const struct carom_sim *sim, const struct carom_memory *a, const struct carom_memory *b)
{
    const size_t u = carom_sink_memory_column(a, "u", 0), v = carom_sink_memory_column(a, "v", 0);
    double worst = 0.0;
    CHECK(a->nrows == b->nrows && a->nrows == SAMPLES + 1);
    for (size_t r = 0; r < a->nrows && r < b->nrows; r++)
        for (size_t i = 0; i < sim->model->nq; i++) {
            const size_t at = r * a->width + i;
            worst = fmax(worst, fabs(a->value[at + u] - b->value[at + u]) / sim->scales.length);
            worst = fmax(worst, fabs(a->value[at + v] - b->value[at + v]) / sim->scales.speed);
        }
    return worst;
}

static void check(const char *name, const char *text, double until)
{
    static const char *const tolerances[] = {"1e-3", "1e-6", "1e-9"};
    struct carom_memory *exact, *memory;
    struct carom_sim *reference = run(text, until, "tol: 1e-13, share: 0.1, window: false", &exact);
    printf("%-28s", name);
    for (size_t i = 0; i < 3; i++) {
        char how[32];
        snprintf(how, sizeof how, "tol: %s", tolerances[i]);
        struct carom_sim *sim = run(text, until, how, &memory);
        const double tol = atof(tolerances[i]), worst = distance(sim, memory, exact);
        printf("  %s: %.2f of tol (estimate %.2f)", tolerances[i], worst / tol, sim->estimate / tol);
        CHECK(worst <= 10.0 * tol);
        carom_sim_free(sim);
    }
    printf("\n");
    carom_sim_free(reference);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (size_t i = 0; i < SCENES; i += (size_t)check_take(3, 1))
        check(scenes[i].name, scenes[i].text, scenes[i].until);
    for (int i = 0; i < check_take(4, RANDOM); i++) {
        char text[TEXT], name[32];
        const double until = draw(&random, text, sizeof text);
        snprintf(name, sizeof name, "random %d", i);
        check(name, text, until);
    }
    return check_end();
}
