/* Scenes into models: what every key does to the numbers, and that nothing wrong gets through. The sentences of whole
 * wrong files are checked by cli/wrong_scenes. */
#include "carom/scene.h"

#include "carom/law.h"
#include "check.h"
#include "law/restitution.h"
#include "scene/keys/materials.h"

static const double pi = 3.14159265358979323846;

static struct carom_scene *parse(const char *text, const char *const *set, size_t nset, struct carom_error *error)
{
    *error = (struct carom_error){CAROM_OK, ""};
    return carom_scene_parse("t.yaml", text, strlen(text), set, nset, error);
}

static struct carom_scene *good(const char *text)
{
    struct carom_error error;
    struct carom_scene *scene = parse(text, NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    return scene;
}

static void bad(const char *text, enum carom_status status, const char *sentence)
{
    struct carom_error error;
    CHECK(parse(text, NULL, 0, &error) == NULL);
    CHECK(error.status == status);
    CHECK_TEXT(error.text, sentence);
}

static const struct carom_beads *beads(const struct carom_scene *scene)
{
    const struct carom_beads *found = carom_model_chain(scene->model);
    CHECK_OR_STOP(found != NULL);
    return found;
}

/* A parameter of contact j, whatever group it is in. */
static double parameter(const struct carom_scene *scene, size_t j, const char *name)
{
    for (size_t i = 0; i < scene->model->ngroups; i++) {
        const struct carom_group *g = &scene->model->group[i];
        const struct carom_param *table = g->law->kind.params, *row = carom_param_find(table, name);
        if (j >= g->first && j < g->first + g->count && row != NULL)
            return g->param[row - table][j - g->first];
    }
    return nan("");
}

static const char run_none[] = "units: none\nrun: {until: 1}\n";

#define NONE(text) "units: none\nrun: {until: 1}\n" text
#define SI(text) "run: {until: 1 ms}\n" text

/* --- bodies ------------------------------------------------------------------------------------------------------- */

static void test_steel(void)
{
    struct carom_scene *scene = good(SI("title: A title\n"
                                        "bodies:\n"
                                        "  - chain: {count: 20, radius: 10 mm, material: steel}\n"
                                        "  - wall: {side: right, material: steel}\n"
                                        "contacts: {law: kuwabara-kono, restitution: {e: 0.95, speed: 1}}\n"
                                        "start: [{body: 1, velocity: 0.5}]\n"));
    const double mass = 4.0 / 3.0 * pi * 1e-6 * 7780.0;
    const double k = 203e9 * sqrt(0.005) * (2.0 / 3.0) / 0.91;
    CHECK_TEXT(scene->title, "A title");
    CHECK_TEXT(scene->theory, "compliant");
    CHECK(scene->si && scene->seed == 0);
    CHECK(scene->model->nq == 20 && scene->model->nc == 20 && scene->model->ngroups == 1);
    CHECK_NEAR(beads(scene)->mass[19], mass, 1e-14);
    CHECK(beads(scene)->radius[3] == 0.01 && beads(scene)->spring == NULL);
    CHECK_NEAR(parameter(scene, 0, "k"), k, 1e-12 * k);
    CHECK_NEAR(parameter(scene, 19, "k"), k * sqrt(2.0), 1e-12 * k);
    CHECK(scene->model->pair[19][0] == 19 && scene->model->pair[19][1] == CAROM_WALL_RIGHT);
    CHECK(scene->v[0] == 0.5 && scene->v[1] == 0.0 && scene->q[0] == 0.0);
    CHECK(scene->scheme == &carom_scheme_dp5 && scene->until == 1e-3);
    CHECK(scene->scales.speed == 0.5 && scene->scales.contact_time > 6e-5 && scene->scales.contact_time < 8e-5);
    /* gamma does what was asked, for the pair and for the wall */
    for (size_t j = 18; j < 20; j++) {
        const double values[] = {parameter(scene, j, "k"), parameter(scene, j, "gamma")};
        double e;
        CHECK_STATUS(carom_restitution_of(&carom_law_kuwabara_kono, values, CAROM_END_GAP, j == 19 ? mass : mass / 2.0,
                                          1.0, &e, NULL, NULL, NULL),
                     CAROM_OK);
        CHECK_NEAR(e, 0.95, 1e-9);
    }
    CHECK(parameter(scene, 17, "gamma") == parameter(scene, 0, "gamma"));
    carom_scene_free(scene);
}

static void test_masses(void)
{
    struct carom_scene *scene = good(NONE("bodies:\n"
                                          "  - chain: {count: 5, pattern: [{mass: 1}, {mass: 0.5, spring: 3}]}\n"
                                          "  - bead: {mass: 7, gap_before: 0.25}\n"
                                          "  - chain: {mass: [2, 3], gap: 0.5, gap_before: 0.125}\n"
                                          "  - chain: {count: 2}\n"));
    static const double mass[] = {1, 0.5, 1, 0.5, 1, 7, 2, 3, 1, 1}, gap[] = {0, 0, 0, 0, 0.25, 0.125, 0.5, 0, 0};
    CHECK_OR_STOP(scene->model->nq == 10 && scene->model->nc == 9);
    for (size_t i = 0; i < 10; i++)
        CHECK(beads(scene)->mass[i] == mass[i]);
    for (size_t i = 0; i < 9; i++)
        CHECK(scene->model->gap[i] == gap[i]);
    CHECK(beads(scene)->spring[1] == 3.0 && beads(scene)->spring[0] == 0.0 && beads(scene)->radius == NULL);
    CHECK(parameter(scene, 4, "k") == 1.0);
    carom_scene_free(scene);
}

static void test_counts_from_lists(void)
{
    struct carom_scene *scene = good(NONE("bodies: [chain: {pattern: [{mass: 2}, {mass: 3}, {}]}]\n"));
    CHECK(scene->model->nq == 3 && beads(scene)->mass[1] == 3.0 && beads(scene)->mass[2] == 1.0);
    carom_scene_free(scene);
    scene = good(NONE("bodies: [chain: {gap: [1, 2, 3]}]\n"));
    CHECK(scene->model->nq == 4 && scene->model->gap[2] == 3.0);
    carom_scene_free(scene);
    scene = good(NONE("bodies: [chain: {spring: [1, 2], pattern: [{mass: 4}]}]\n"));
    CHECK(scene->model->nq == 2 && beads(scene)->mass[1] == 4.0 && beads(scene)->spring[1] == 2.0);
    carom_scene_free(scene);
}

/* Mass given together with radius and material stays as given; a pattern overrides what the chain says. */
static void test_materials(void)
{
    struct carom_scene *scene = good(
        SI("materials: {mine: {young: 200 GPa, poisson: 0, density: 1000 kg/m^3}, steel: {young: 1 GPa, poisson: 0}}\n"
           "bodies:\n"
           "  - chain: {count: 4, radius: 0.1, material: mine, pattern: [{}, {material: {young: 100e9, poisson: 0, "
           "density: 2}}]}\n"
           "  - bead: {radius: 10 cm, mass: 3, material: steel}\n"
           "  - chain: {radius: [0.1, 0.2], mass: 1, material: [glass, ptfe]}\n"
           "  - wall: {side: left, material: rigid, gap: 1 mm}\n"));
    const double volume = 4.0 / 3.0 * pi * 1e-3;
    CHECK_NEAR(beads(scene)->mass[0], volume * 1000.0, 1e-12);
    CHECK_NEAR(beads(scene)->mass[1], volume * 2.0, 1e-14);
    CHECK(beads(scene)->mass[4] == 3.0);
    CHECK(scene->model->gap[0] == 1e-3 && scene->model->pair[0][0] == CAROM_WALL_LEFT);
    /* rigid against 200 GPa; 200 against 100; the scene's own steel wins over the built-in one */
    CHECK_NEAR(parameter(scene, 0, "k"), 4.0 / 3.0 * 200e9 * sqrt(0.1), 1.0);
    CHECK_NEAR(parameter(scene, 1, "k"), 4.0 / 3.0 / (1.5e-11) * sqrt(0.05), 1.0);
    CHECK_NEAR(parameter(scene, 4, "k"), 4.0 / 3.0 / (1e-9 + 1e-11) * sqrt(0.05), 1.0);
    const struct carom_material *glass = carom_materials_list, *ptfe = carom_materials_list;
    while (strcmp(glass->name, "glass") != 0)
        glass++;
    while (strcmp(ptfe->name, "ptfe") != 0)
        ptfe++;
    CHECK_NEAR(parameter(scene, 6, "k"), carom_materials_hertz(glass, 0.1, ptfe, 0.2), 1.0);
    carom_scene_free(scene);
}

static void test_strikers(void)
{
    struct carom_scene *scene = good(NONE("bodies:\n"
                                          "  - striker: {side: right, velocity: -2, gap: 0.5, mass: 5}\n"
                                          "  - chain: {count: 3, mass: 2}\n"
                                          "  - wall: {side: left, gap: 0.25, k: 9}\n"
                                          "  - striker: {side: left, velocity: 1, mass: 4, gap: 0.75}\n"
                                          "start: [{body: 2, velocity: 7}]\n"));
    static const double mass[] = {4, 2, 2, 2, 5}, v[] = {1, 7, 0, 0, -2}, gap[] = {0.25, 0.75, 0, 0, 0.5};
    CHECK_OR_STOP(scene->model->nq == 5 && scene->model->nc == 5);
    for (size_t i = 0; i < 5; i++)
        CHECK(beads(scene)->mass[i] == mass[i] && scene->v[i] == v[i] && scene->model->gap[i] == gap[i]);
    CHECK(parameter(scene, 0, "k") == 9.0 && parameter(scene, 1, "k") == 1.0);
    CHECK(scene->model->pair[0][0] == CAROM_WALL_LEFT && scene->model->pair[0][1] == 0);
    carom_scene_free(scene);
}

/* --- contacts ----------------------------------------------------------------------------------------------------- */

static void test_overrides(void)
{
    struct carom_scene *scene =
        good(NONE("bodies: [chain: {count: 6}, wall: {side: right, gamma: 0.7}, wall: {side: left}]\n"
                  "contacts:\n"
                  "  - {law: kuwabara-kono, k: [1, 2, 3, 4, 5, 6, 7], gamma: 0.1}\n"
                  "  - {at: [2, 3], law: power, p: [2, 2.5], b: 1}\n"
                  "  - {at: 4, law: hertz, contact_end: force}\n"
                  "  - {at: [0, 6], k: 20, restitution: {e: 0.5, speed: 2}}\n"));
    CHECK(scene->model->nc == 7 && scene->model->ngroups == 4);
    static const double k[] = {20, 2, 3, 4, 5, 6, 20};
    for (size_t j = 0; j < 7; j++)
        CHECK(parameter(scene, j, "k") == k[j]);
    CHECK(parameter(scene, 1, "gamma") == 0.1 && parameter(scene, 2, "gamma") == 0.1);
    CHECK(parameter(scene, 2, "p") == 2.0 && parameter(scene, 3, "p") == 2.5 && parameter(scene, 3, "b") == 1.0);
    CHECK(parameter(scene, 6, "gamma") == 0.7); /* the wall's own wins over the list */
    CHECK(parameter(scene, 0, "gamma") > 0.1);  /* from the restitution */
    CHECK(scene->model->group[2].law == &carom_law_hertz && scene->model->group[2].ending == CAROM_END_FORCE);
    CHECK(scene->model->group[3].ending == CAROM_END_GAP && scene->model->group[3].first == 5);
    carom_scene_free(scene);
}

/* Units of k and gamma follow the exponents of the contact they are for. */
static void test_dependent_units(void)
{
    struct carom_scene *scene = good(SI("bodies: [chain: {count: 3, mass: 30 g}]\n"
                                        "contacts: {law: power, p: [2, 1], b: 1, k: [3 kN/m^2, 4 N/mm], gamma: [1 s*m, "
                                        "2 ms]}\n"));
    CHECK(parameter(scene, 0, "k") == 3000.0 && parameter(scene, 1, "k") == 4000.0);
    CHECK(parameter(scene, 0, "gamma") == 1.0 && parameter(scene, 1, "gamma") == 2e-3);
    carom_scene_free(scene);
    bad(SI("bodies: [chain: {count: 3, mass: 30 g}]\n"
           "contacts: {law: power, p: [2, 1], k: 3 N/m^2}\n"),
        CAROM_E_INPUT, "t.yaml:3:38: k: 3 N/m^2 is a pressure, expected a spring stiffness, such as 300 N/m");
    bad(SI("bodies: [chain: {count: 2, mass: 30 g}]\n"
           "contacts: {law: power, p: 2.2, k: 3 N/m^2}\n"),
        CAROM_E_INPUT, "t.yaml:3:35: k: 3 N/m^2 is a pressure, expected a number in N/m^p, that is kg m^-1.2 s^-2");
    bad(SI("bodies: [chain: {count: 2, radius: 1 mm, material: steel}]\n"
           "contacts: {law: power, p: 2}\n"),
        CAROM_E_INPUT, "t.yaml:3:1: contacts: k is missing: materials give it for the exponent 3/2 only");
    scene = good(SI("bodies: [chain: {count: 2, radius: 1 mm, material: steel}]\ncontacts: {law: power}\n"));
    CHECK(parameter(scene, 0, "k") > 1e9);
    carom_scene_free(scene);
}

/* --- start, run, record ------------------------------------------------------------------------------------------- */

static void test_start(void)
{
    struct carom_scene *scene = good(NONE("bodies: [chain: {count: 4}]\n"
                                          "start:\n"
                                          "  - {bodies: all, velocity: 1, displacement: [1, 2, 3, 4]}\n"
                                          "  - {bodies: [2, 4], velocity: [5, 6]}\n"
                                          "  - {body: 3, displacement: -1}\n"));
    static const double v[] = {1, 5, 1, 6}, q[] = {1, 2, -1, 4};
    for (size_t i = 0; i < 4; i++)
        CHECK(scene->v[i] == v[i] && scene->q[i] == q[i]);
    carom_scene_free(scene);
}

static double option(const struct carom_scene *scene, const char *name)
{
    return carom_param_value(carom_param_find(scene->scheme->kind.params, name), scene->options);
}

static void test_run(void)
{
    static const char bodies[] = "units: none\nbodies: [chain: {count: 2}]\nstart: [{body: 1, velocity: 1}]\n";
    static const struct {
        const char *run, *option;
        const struct carom_scheme *scheme;
        double per_contact; /* steps per contact time; 0: the value itself counts */
        double value;
    } cases[] = {
        {"run: {until: 3}\n", "tol", &carom_scheme_dp5, 0.0, 1e-6},
        {"run: {until: 3, tol: 1e-9}\n", "tol", &carom_scheme_dp5, 0.0, 1e-9},
        {"run: {until: 3, scheme: verlet, step: 0.25}\n", "step", &carom_scheme_verlet, 0.0, 0.25},
        {"run: {until: 3, scheme: verlet}\n", "step", &carom_scheme_verlet, 100.0, 0.0},
        {"run: {until: 3, scheme: theta}\n", "step", &carom_scheme_theta, 20.0, 0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, "%s%s", bodies, cases[i].run);
        struct carom_scene *scene = good(text);
        const double expected =
            cases[i].per_contact > 0.0 ? scene->scales.contact_time / cases[i].per_contact : cases[i].value;
        CHECK(scene->scheme == cases[i].scheme && scene->until == 3.0);
        CHECK(option(scene, cases[i].option) == expected);
        CHECK(scene->threads == 0 && scene->checkpoint_every == 10.0);
        CHECK(scene->schedule.every == 3.0 / 200 && scene->schedule.events && scene->nprobes == 3);
        CHECK_TEXT(scene->probes[2], "contact_force");
        carom_scene_free(scene);
    }
    struct carom_scene *scene = good("units: none\nseed: 77\nbodies: [chain: {count: 2}]\n"
                                     "run: {until: 3, threads: 2, checkpoint: 0}\n"
                                     "record: {times: [0, 1, 3], every_steps: 5, probes: [v], events: false}\n");
    CHECK(scene->seed == 77 && scene->threads == 2 && scene->checkpoint_every == 0.0);
    CHECK(scene->schedule.every == 0.0 && scene->schedule.every_steps == 5 && !scene->schedule.events);
    CHECK(scene->schedule.ntimes == 3 && scene->schedule.times[1] == 1.0);
    CHECK(scene->nprobes == 1);
    CHECK_TEXT(scene->title, "t.yaml");
    carom_scene_free(scene);
}

static void test_set(void)
{
    struct carom_error error;
    static const char *const set[] = {"count=3", "run.until=2", "chain.mass=[1, 2, 3]"};
    static const char *const broken[] = {"count=abc"};
    char text[200];
    snprintf(text, sizeof text, "%sbodies: [chain: {count: 2}]\n", run_none);
    struct carom_scene *scene = parse(text, set, 3, &error);
    CHECK_OR_STOP(scene != NULL);
    CHECK(scene->model->nq == 3 && scene->until == 2.0 && beads(scene)->mass[2] == 3.0);
    CHECK_TEXT(scene->set, "count=3\nrun.until=2\nchain.mass=[1, 2, 3]");
    CHECK_TEXT(scene->text, text);
    carom_scene_free(scene);
    CHECK(parse(text, broken, 1, &error) == NULL);
    CHECK_TEXT(error.text, "--set count=abc: count: 'abc' is not a number");
}

/* --- wrong ones that no file can hold, and sims ------------------------------------------------------------------- */

static void test_refusals(void)
{
    bad(NONE("bodies: [bead: {}]\ncontacts: {law: hertz}\n"), CAROM_E_INPUT,
        "t.yaml:4:1: contacts: there are none: one body and no wall");
    bad(NONE("bodies: [chain: {count: 2, material: steel}]\n"), CAROM_E_INPUT,
        "t.yaml:3:38: material: steel is known in SI units only, but the scene says units: none; give young, poisson "
        "and density instead");
    struct carom_error error;
    CHECK(carom_scene_parse("t.yaml", "a\0b", 3, NULL, 0, &error) == NULL);
    CHECK_TEXT(error.text, "t.yaml:1:2: there is a NUL byte: this is not a text file");
    CHECK(carom_scene_parse("t.yaml", "", 0, NULL, 0, NULL) == NULL); /* nobody asked why */
    CHECK(carom_scene_read("no/such/file.yaml", NULL, 0, &error) == NULL);
    CHECK(error.status == CAROM_E_FILE);
    CHECK_CONTAINS(error.text, "no/such/file.yaml: cannot be read: ");
    CHECK(carom_scene_read(".", NULL, 0, &error) == NULL);
    CHECK(error.status == CAROM_E_FILE);
}

static void test_sim(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = good("units: none\nbodies: [chain: {count: 2}]\nstart: [{body: 1, velocity: 1}]\n"
                                     "run: {until: 5, tol: 1e-10}\n");
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(sim != NULL);
    CHECK(carom_scene_sim(scene, &error) == NULL && error.status == CAROM_E_USAGE);
    carom_scene_free(scene);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    carom_sim_sync(sim);
    CHECK_NEAR(sim->view->v[0], 0.0, 1e-8); /* equal masses exchange their velocities */
    CHECK_NEAR(sim->view->v[1], 1.0, 1e-8);
    carom_sim_free(sim);
}

/* A single bead without contacts, and a million with: both are models. */
static void test_sizes(void)
{
    struct carom_scene *scene = good(NONE("bodies: [bead: {spring: 1}]\nstart: [{body: 1, velocity: 1}]\n"));
    CHECK(scene->model->nc == 0 && scene->model->nq == 1);
    carom_scene_free(scene);
    scene = good(SI("bodies:\n"
                    "  - chain: {count: 1e6, radius: 1 mm, pattern: [{material: steel}, {material: ptfe}]}\n"
                    "contacts: {law: kuwabara-kono, restitution: {e: 0.9, speed: 1}}\n"));
    CHECK(scene->model->nq == 1000000);
    CHECK(parameter(scene, 0, "gamma") > 0.0 && parameter(scene, 0, "gamma") == parameter(scene, 999998, "gamma"));
    carom_scene_free(scene);
}

/* laws of one's own stand beside carom's, with names of their own */
static void test_own_laws(void)
{
    static const char text[] = "units: none\nbodies: [{chain: {count: 2}}]\ncontacts: {law: mine, k: 3}\n"
                               "start: [{body: 1, velocity: 1}]\nrun: {until: 1}\n";
    struct carom_law mine = carom_law_hertz, twin = carom_law_hertz;
    const struct carom_law *const one[] = {&mine, NULL}, *const two[] = {&mine, &twin, NULL};
    struct carom_error error = {CAROM_OK, ""};
    mine.kind.name = "mine";
    struct carom_scene_wish wish = {.laws = one};
    struct carom_scene *scene = carom_scene_parse_as("t.yaml", text, sizeof text - 1, NULL, 0, &wish, &error);
    CHECK_OR_STOP(scene != NULL);
    carom_scene_free(scene);
    CHECK(parse(text, NULL, 0, &error) == NULL);
    CHECK(strncmp(error.text, "t.yaml:3:17: unknown law 'mine'", 31) == 0);
    wish.laws = two;
    CHECK(carom_scene_parse_as("t.yaml", text, sizeof text - 1, NULL, 0, &wish, &error) == NULL);
    CHECK_TEXT(error.text, "t.yaml: your own law is called hertz, as another is, or is one too many");
}

int main(void)
{
    test_own_laws();
    test_steel();
    test_masses();
    test_counts_from_lists();
    test_materials();
    test_strikers();
    test_overrides();
    test_dependent_units();
    test_start();
    test_run();
    test_set();
    test_refusals();
    test_sim();
    test_sizes();
    return check_end();
}
