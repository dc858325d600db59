/* Bodies asleep change nothing but the cost: crystals struck under dp5 are the same to the bit whether all bodies are
 * stepped or only those that a wave has reached, and so is a run that was stopped and restored. */
#include "scheme/compliant/bodies_window.h"
#include "runs.h"

static const struct scene {
    const char *name;
    double until;
    bool sleeps; /* is anybody ever asleep? */
    const char *text;
} scenes[] = {
    {"a hexagonal crystal struck at a corner", 0.5, true,
     "bodies:\n"
     "  - lattice: {kind: hexagonal, count: [24, 24], radius: 0.5, mass: 1, at: [0, 0]}\n"
     "  - disc: {at: [-0.8, -0.7], radius: 0.5, mass: 1, velocity: [1, 0.7]}\n"
     "contacts: {law: kuwabara-kono, k: 1000, gamma: 0.001}\n"},
    {"with friction and a floor", 0.15, true,
     "bodies:\n"
     "  - lattice: {kind: hexagonal, count: [20, 12], radius: 0.5, mass: 1, at: [0, 0]}\n"
     "  - disc: {at: [-1.02, 0.1], radius: 0.5, mass: 1, velocity: [1.3, 0.2], spin: 2}\n"
     "  - plane: {at: [0, -0.5], normal: [0, 1]}\n"
     "contacts: {law: hertz-dashpot, k: 1000, gamma: 0.001, friction: {law: mindlin, mu: 0.3, k_t: 800}}\n"},
    {"two materials and a driven wall", 0.05, true,
     "materials: {soft: {}, hard: {}}\n"
     "bodies:\n"
     "  - lattice: {kind: square, count: [40, 3], radius: 0.5, mass: 1, material: soft, at: [0, 0]}\n"
     "  - lattice: {kind: square, count: [40, 3], radius: 0.5, mass: 2, material: hard, at: [0, 3]}\n"
     "  - plane: {at: [-0.5, 0], normal: [1, 0], material: hard, drive: {displacement: [0.05, 0], signal: {shape: "
     "sine, "
     "frequency: 0.5}}}\n"
     "contacts:\n"
     "  - {law: hertz, k: 1000}\n"
     "  - {between: [hard, hard], law: hertz-dashpot, k: 900, gamma: 0.001}\n"
     "  - {between: [soft, hard], law: kuwabara-kono, k: 1200, gamma: 0.001}\n"},
    {"a block of spheres with one that is pushed", 0.2, true,
     "bodies:\n"
     "  - lattice: {kind: fcc, count: [20, 2, 2], radius: 0.5, mass: 1, at: [0, 0, 0]}\n"
     "  - sphere: {at: [-0.7, -0.7, -0.3], radius: 0.5, mass: 1, velocity: [1, 1, 0.4]}\n"
     "contacts: {law: hunt-crossley, k: 1000, restitution: {e: 0.8, speed: 1}}\n"
     "loads: [{body: 7, force: [2, 0, 0], signal: {shape: half-sine, start: 0.05, duration: 0.1}}]\n"},
    {"a heap under gravity, where nobody sleeps", 0.1, false,
     "gravity: [0, -1]\n"
     "bodies:\n"
     "  - lattice: {kind: hexagonal, count: [12, 10], radius: 0.5, mass: 1, at: [0, 0]}\n"
     "  - plane: {at: [0, -0.5], normal: [0, 1]}\n"
     "contacts: {law: hertz-dashpot, k: 1000, gamma: 0.001, friction: {law: coulomb, mu: 0.3, slip_speed: 0.01}}\n"},
};

static struct carom_sim *sim_of(const struct scene *scene, bool window)
{
    char text[4000];
    snprintf(text, sizeof text, "units: none\n%srun: {until: %g, scheme: dp5, tol: 1e-6, share: 0.1, window: %s}\n",
             scene->text, scene->until, window ? "true" : "false");
    return runs_sim(text);
}

static bool sleeps(const struct carom_sim *sim)
{
    const struct carom_dp5_bodies *w = sim->stepper->work;
    return w->window && w->window->open;
}

static void compare(const struct scene *scene)
{
    struct carom_sim *with = sim_of(scene, true), *without = sim_of(scene, false);
    bool slept = false;
    for (int look = 1; look <= 5; look++) {
        const double t = scene->until * look / 5.0;
        CHECK_STATUS(carom_sim_to(with, t, NULL), CAROM_OK);
        CHECK_STATUS(carom_sim_to(without, t, NULL), CAROM_OK);
        slept |= sleeps(with);
        CHECK(!sleeps(without));
        CHECK(carom_state_hash(with->view) == carom_state_hash(without->view));
        CHECK(carom_state_hash(with->state) == carom_state_hash(without->state));
    }
    printf("%s: %llu steps%s\n", scene->name, (unsigned long long)with->state->step, slept ? ", some asleep" : "");
    CHECK(slept == scene->sleeps);
    carom_sim_free(with);
    carom_sim_free(without);
}

/* stopped halfway, with bodies asleep, and restored in another sim */
static void restore(const struct scene *scene)
{
    struct carom_sim *whole = sim_of(scene, true), *first = sim_of(scene, true), *second = sim_of(scene, true);
    CHECK_STATUS(carom_sim_run(whole, NULL, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_step(first, (size_t)whole->state->step / 2, NULL), CAROM_OK);
    CHECK(sleeps(first));
    const struct carom_checkpoint checkpoint = {.state = first->state, .counts = first->stepper->counts};
    CHECK_STATUS(carom_sim_restore(second, &checkpoint, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(second, NULL, NULL), CAROM_OK);
    CHECK(carom_state_hash(second->state) == carom_state_hash(whole->state));
    carom_sim_free(whole);
    carom_sim_free(first);
    carom_sim_free(second);
}

int main(void)
{
    for (size_t i = check_takes_all() ? 0 : 1; i < sizeof scenes / sizeof *scenes; i++)
        compare(&scenes[i]);
    restore(&scenes[check_takes_all() ? 0 : 3]);
    return check_end();
}
