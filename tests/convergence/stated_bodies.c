/* Bodies whose stated error was once too small, or that dp5 once could not run: true errors are within tol and within
 * three times what runs state. The truth is the same scheme with local errors of 1e-13. */
#include "carom/bodies.h"
#include "runs.h"

static const struct scene {
    const char *name;
    int until;
    double every; /* of samples; below 0.01 many are inside steps, and err by no more than is stated */
    const char *text;
} scenes[] = {
    {"bistiff, turning drum", 6, 0.2,
     "units: none\n"
     "gravity: [0, -0.3]\n"
     "bodies:\n"
     "  - disc: {at: [2.0124, -2.1972], radius: 0.5, mass: 2, velocity: [0.4477, -0.9817], spin: 1.89427}\n"
     "  - disc: {at: [0, 0], radius: 5, inside: true, drive: {spin: 1}}\n"
     "contacts: {law: bistiff, k: 100, restitution: {e: 0.7, speed: 1}, friction: {law: coulomb, slip_speed: 0.01, mu: "
     "0.5}}\n"},
    {"rolling in a turning sphere", 10, 0.2,
     "units: none\n"
     "gravity: [0, 0, 0]\n"
     "bodies:\n"
     "  - sphere: {at: [-0.2579, 1.6094, 2.1468], radius: 0.5, mass: 1, velocity: [-0.9437, -0.6627, -0.0174], spin: "
     "[2.07129,1.09112,-0.00144661]}\n"
     "  - sphere: {at: [0, 0, 0], radius: 5, inside: true, drive: {spin: [0,1,0]}}\n"
     "contacts: {law: hunt-crossley, k: 100, restitution: {e: 0.7, speed: 1}, friction: {law: mindlin, k_t: 80, mu: "
     "0.5}, rolling: {mu: 0.05, slip_speed: 0.01}}\n"},
    {"five spheres, mindlin", 6, 0.2,
     "units: none\n"
     "gravity: [0, 0, -0.3]\n"
     "bodies:\n"
     "  - sphere: {at: [-0.2469, 2.0223, 2.0735], radius: 0.5, mass: 0.3, velocity: [-0.8179, -0.8497, -0.4228], spin: "
     "[-0.833358,1.22972,1.96132]}\n"
     "  - sphere: {at: [-0.5889, 0.9028, 2.0699], radius: 0.35, mass: 0.3, velocity: [0.2388, 0.0104, -0.874], spin: "
     "[-2.95453,0.0607659,-0.834614]}\n"
     "  - sphere: {at: [0.3523, -2.0967, -0.6518], radius: 0.5, mass: 1, velocity: [0.6418, -0.9566, -0.973], spin: "
     "[2.65304,1.41508,-1.13061]}\n"
     "  - sphere: {at: [0.047, 1.8313, 0.5497], radius: 0.5, mass: 1, velocity: [-0.4548, -0.5928, -0.7137], spin: "
     "[-1.40167,0.808096,-0.367472]}\n"
     "  - sphere: {at: [0.2498, -2.1888, 0.6537], radius: 0.5, mass: 0.3, velocity: [-0.1133, -0.7396, -0.2987], spin: "
     "[-2.41275,-2.10405,0.466367]}\n"
     "  - sphere: {at: [0, 0, 0], radius: 5, inside: true, drive: {spin: [0,1,0]}}\n"
     "contacts: {law: hertz, k: 100, friction: {law: mindlin, k_t: 80, mu: 0.5}}\n"},
    {"mindlin, form spring", 6, 0.2,
     "units: none\n"
     "gravity: [0, 0, 0]\n"
     "bodies:\n"
     "  - sphere: {at: [-0.832, -1.9822, -1.4342], radius: 0.35, mass: 2, velocity: [-0.6209, 0.6791, 0.3892], spin: "
     "[2.5274,-2.66357,0.319857]}\n"
     "  - sphere: {at: [-1.3083, -1.9672, -0.247], radius: 0.35, mass: 0.3, velocity: [-0.7102, 0.7354, 0.3194], spin: "
     "[1.49399,0.554753,0.972492]}\n"
     "  - sphere: {at: [1.3524, -0.1036, -1.2542], radius: 0.5, mass: 1, velocity: [0.1007, 0.3831, -0.2466], spin: "
     "[-1.15701,1.26436,-1.62337]}\n"
     "  - sphere: {at: [-0.5451, 1.4583, 1.6185], radius: 0.5, mass: 0.3, velocity: [0.9288, -0.0532, 0.3593], spin: "
     "[0.635019,2.55749,-0.676964]}\n"
     "  - sphere: {at: [-0.863, -0.4631, -0.5751], radius: 0.35, mass: 1, velocity: [-0.3106, -0.4663, -0.6001], spin: "
     "[-0.772236,0.540467,-0.759719]}\n"
     "  - plane: {at: [0, 0, -3], normal: [0, 0, 1]}\n"
     "contacts: {law: hertz, k: 100, friction: {law: mindlin, k_t: 80, form: spring, mu: 0.05}}\n"},
    {"overdamped dashpot, mindlin", 3, 0.2,
     "units: none\n"
     "gravity: [0,0,-1]\n"
     "bodies:\n"
     "  - sphere: {at: [-1.4048,1.7794,-0.2420], radius: 0.4794, mass: 0.743, velocity: [0.271,-0.600,-0.526], spin: "
     "[-1.725,-0.321,-0.609]}\n"
     "  - sphere: {at: [0.5047,0.9469,1.2103], radius: 0.6390, mass: 1.842, velocity: [0.007,-0.399,-0.532], spin: "
     "[-1.753,1.063,1.121]}\n"
     "  - sphere: {at: [-0.7523,1.3745,0.8698], radius: 0.4857, mass: 1.537, velocity: [-0.188,0.471,0.029], spin: "
     "[1.013,-1.253,1.312]}\n"
     "  - sphere: {at: [0,0,0], radius: 4.5, inside: true}\n"
     "contacts: {law: linear-dashpot, k: 500, gamma: 2, friction: {law: mindlin, mu: 0.199, mu_static: 0.333, k_t: "
     "700, form: rescaled}}\n"},
    {"pushed in flight", 6, 1e-2 / 3.0, /* steps end for their length, in all flights: they may not be alike */
     "units: none\n"
     "bodies:\n"
     "  - disc: {at: [0, 0], radius: 0.27, mass: 1.5, velocity: [0.35, 0.16]}\n"
     "  - disc: {at: [0, -9], radius: 0.3, mass: 1, velocity: [1, 0]}\n"
     "contacts: {law: hertz, k: 1e3}\n"
     "loads: [{body: 1, force: [0.9, 0.35], signal: {shape: sine, amplitude: 0.4, start: 0.2, frequency: 0.4}}]\n"},
    {"tumbling in flight", 6, 1e-2 / 3.0,
     "units: none\n"
     "bodies:\n"
     "  - box: {at: [0, 0, 0], size: [0.5, 1.5, 1], mass: 2, velocity: [-0.5, 0, 0], spin: [0.3, 0.1, -1]}\n"
     "  - sphere: {at: [0, -9, 0], radius: 0.1, mass: 1, velocity: [1, 0, 0]}\n"
     "contacts: {law: hertz, k: 1e3}\n"},
    {"two spheres, inside steps", 2, 1e-3,
     "units: none\n"
     "bodies:\n"
     "  - sphere: {at: [0.072935, -0.072409, 0.6], radius: 0.351278, mass: 0.795223, velocity: [0.774029, 0.061633, "
     "-0.389227]}\n"
     "  - sphere: {at: [1.318706, 0.094061, 1.75], radius: 0.413275, mass: 1.336583, velocity: [-0.419977, 0.158764, "
     "-0.46104]}\n"
     "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\n"
     "contacts: {law: hertz-dashpot, gamma: 0.0089395, k: 100}\n"},
};

enum { TEXT = 4000 };

static struct carom_sim *run(const struct scene *scene, double tol, double share, struct carom_memory **memory)
{
    char text[TEXT];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text, "%srun: {until: %d, tol: %g, share: %g}\nrecord: {every: %g, probes: [u, v, spin]}\n",
             scene->text, scene->until, tol, share, scene->every);
    struct carom_sim *sim = runs_recorded(text, memory);
    if (carom_sim_run(sim, NULL, &error) != CAROM_OK)
        fprintf(stderr, "%s: %s\n", scene->name, error.text);
    CHECK(error.status == CAROM_OK);
    return sim;
}

/* displacements, velocities, and spins by what they move surfaces (of radius 1/2, about) */
static double apart(const struct carom_sim *sim, const struct carom_memory *a, const struct carom_memory *b)
{
    const struct carom_bodies *bodies = carom_model_bodies(sim->model);
    const size_t part = bodies->n * bodies->dimension, all = 2 * part + bodies->n * (bodies->dimension == 2 ? 1 : 3);
    double worst = 0.0;
    CHECK_OR_STOP(a->nrows == b->nrows && a->width == b->width && a->width >= all);
    for (size_t i = 0; i < a->nrows * a->width; i++) {
        const size_t column = i % a->width;
        if (column >= all) /* energies */
            continue;
        const double scale = column < part       ? sim->scales.length
                             : column < 2 * part ? sim->scales.speed
                                                 : 2.0 * sim->scales.speed;
        worst = fmax(worst, fabs(a->value[i] - b->value[i]) / scale);
    }
    return worst;
}

int main(void)
{
    static const double tols[] = {1e-3, 3e-5, 1e-6, 1e-8};
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        struct carom_memory *truth, *memory;
        struct carom_sim *best = run(&scenes[k], 1e-8, 1e-5, &truth);
        for (size_t i = check_takes_all() ? 0 : k % 2; i < sizeof tols / sizeof *tols; i += (size_t)check_take(2, 1)) {
            struct carom_sim *sim = run(&scenes[k], tols[i], 0.0, &memory);
            const double worst = apart(sim, memory, truth);
            printf("%-30s tol %.0e: error %.1e, stated %.1e\n", scenes[k].name, tols[i], worst, sim->estimate);
            CHECK(worst <= tols[i]);
            CHECK(worst <= (scenes[k].every < 0.01 ? 1.0 : 3.0) * sim->estimate);
            CHECK(sim->growth > 0.0);
            carom_sim_free(sim);
        }
        carom_sim_free(best);
    }
    return check_end();
}
