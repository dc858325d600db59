/* Blows of single bodies of the plane under event: one contact without friction leaves with e times its approach by
 * poisson and stronge, whatever tol; a corner that is struck while the bounces of the other die out bounces on, though
 * they are too low to matter by themselves; what is stated is more than what a run errs, also where flights of all
 * tolerances take the same steps. */
#include "model/motion.h"
#include "runs.h"

static const char box[] = "box: {at: [0, 2], size: [1.2, 0.4], turn: 0.6, mass: 1.5, velocity: [0, -0.5], spin: -2}";
static const char capsule[] =
    "capsule: {at: [0.2651, 1.7462], length: 0.6344, radius: 0.2071, axis: [1, -0.2142], mass: 1.8663, velocity: "
    "[0.1572, -1.5364], spin: -0.3436}";

static const char leaning[] =
    "capsule: {at: [0.2418, 1.8362], length: 0.8655, radius: 0.2480, axis: [1, 0.8446], mass: 0.5435, velocity: "
    "[-0.1375, 0.8301], spin: 0.8938}";

/* From the first corner on the floor to the second steps of all tolerances are as long as what went before allows, or
 * as the time to the next impact. */
static const char falling[] =
    "box: {at: [0, 2], size: [0.51, 0.79], turn: 0.55, mass: 1.5, velocity: [0.21, -0.37], spin: -2.61}";
static const char tipping[] =
    "box: {at: [0, 2], size: [0.35, 0.38], turn: 0.61, mass: 1.5, velocity: [-0.78, -0.1], spin: -2.77}";
static const char upright[] =
    "box: {at: [0, 2], size: [0.43, 0.71], turn: 1.16, mass: 1.5, velocity: [0.41, -0.27], spin: -0.4}";

static const char walls[] = "plane: {at: [0, 0], normal: [0, 1]}, plane: {at: [3.5, 0], normal: [-1, 0.293]}, "
                            "plane: {at: [-2.5, 0], normal: [1, 0.6993]}";

static struct carom_sim *fly_among(const char *gravity, const char *bodies, const char *among, double e, double until,
                                   const char *impact, double tol, struct carom_memory **memory)
{
    char text[1200];
    snprintf(text, sizeof text,
             "{units: none, theory: nonsmooth, gravity: %s, bodies: [%s, %s], contacts: {law: rigid, e: %g}, run: "
             "{until: %g, scheme: event, tol: %g, impact: %s}, record: {every: 0.02, probes: [u, v], events: true}}",
             gravity, bodies, among, e, until, tol, impact);
    struct carom_sim *sim = runs_recorded(text, memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    return sim;
}

static struct carom_sim *fly(const char *body, double e, double until, const char *impact, double tol,
                             struct carom_memory **memory)
{
    return fly_among("[0.0982, -8.9482]", body, walls, e, until, impact, tol, memory);
}

static void check_first(const char *body, const char *impact, double tol)
{
    struct carom_memory *memory;
    struct carom_sim *sim = fly(body, 0.5, 0.7, impact, tol, &memory);
    CHECK_OR_STOP(memory->nevents > 0);
    CHECK_NEAR(memory->event[0].after / memory->event[0].before, -0.5, 1e-13);
    carom_sim_free(sim);
}

/* The bounces of one end are left out at 0.708126, the other end strikes at 0.708151, before they would have ended. */
static void check_cut_short(const char *impact)
{
    struct carom_memory *coarse, *fine;
    struct carom_sim *a = fly(capsule, 0.2, 0.74, impact, 1e-4, &coarse);
    struct carom_sim *b = fly(capsule, 0.2, 0.74, impact, 1e-9, &fine);
    double apart = 0.0;
    for (size_t i = 0; i < a->model->nq; i++)
        apart = fmax(apart, fabs(a->state->q[i] - b->state->q[i]));
    CHECK(apart < 1e-9);
    carom_sim_free(a);
    carom_sim_free(b);
}

/* how far samples of two runs are apart, of U */
static double distance(const struct carom_sim *sim, const struct carom_memory *a, const struct carom_memory *b)
{
    double apart = 0.0;
    CHECK_OR_STOP(a->nrows == b->nrows && a->width == b->width);
    for (size_t row = 0; row < a->nrows; row++)
        for (size_t i = 0; i < sim->model->nq; i++) {
            const size_t at = row * a->width + carom_sink_memory_column(a, "u", i);
            apart = fmax(apart, carom_motion_lever(sim->model, false, i) * fabs(a->value[at] - b->value[at]));
        }
    return apart / sim->scales.length;
}

static void check_apart(struct carom_sim *a, struct carom_sim *b, const struct carom_memory *coarse,
                        const struct carom_memory *fine, double most)
{
    const double apart = distance(a, coarse, fine);
    if (apart > 1e-11) { /* less is what the other one may err */
        CHECK(apart <= a->estimate);
        CHECK(a->estimate <= most);
    }
    carom_sim_free(a);
    carom_sim_free(b);
}

static void check_stated(const char *body, double e, double until, const char *impact, double tol)
{
    struct carom_memory *coarse, *fine;
    struct carom_sim *a = fly(body, e, until, impact, tol, &coarse);
    struct carom_sim *b = fly(body, e, until, impact, 1e-11, &fine);
    check_apart(a, b, coarse, fine, tol);
}

/* A box and a disc on it come to rest in a corner together, each impact of one finding the others open or not. The disc
 * then slides off the end of a side, where forces jump, of which pilots see more or less: up to 3 tol are stated. */
static void check_corner(double tol)
{
    static const char gravity[] = "[0.0546, -8.1589]",
                      among[] = "plane: {at: [0, 0], normal: [-0.3297, 1]}, plane: {at: [-1, 0], normal: [1, 0]}",
                      both[] = "box: {at: [-0.0282, 1.1812], size: [0.938, 0.822], turn: 0.0021, mass: 1.3489, "
                               "velocity: [2.2221, -0.4843], spin: -0.562}, disc: {at: [1.5988, 1.9531], radius: "
                               "0.249, mass: 1.6633, velocity: [-2.5002, -0.1981], spin: 2.7286}";
    struct carom_memory *coarse, *fine;
    struct carom_sim *a = fly_among(gravity, both, among, 0.3, 1.0, "poisson", tol, &coarse);
    struct carom_sim *b = fly_among(gravity, both, among, 0.3, 1.0, "poisson", 1e-11, &fine);
    check_apart(a, b, coarse, fine, 3.0 * tol);
}

/* A capsule that lies on the floor slides into a wall: the contacts at rest approach by less than numbers tell. */
static struct carom_sim *fly_lying(const char *impact, double tol, struct carom_memory **memory)
{
    return fly_among("[0.0352, -9.6607]",
                     "capsule: {at: [0.0145, 1.2435], length: 0.7238, radius: 0.1834, axis: [1, 0.7021], mass: 0.6651, "
                     "velocity: [-0.2968, 0.4238], spin: -4.617}",
                     "plane: {at: [0, 0], normal: [0, 1]}, plane: {at: [-1, 0], normal: [1, 0]}, plane: {at: [2.1, 0], "
                     "normal: [-1, 0.5731]}",
                     0.1, 2.0, impact, tol, memory);
}

/* Paths of impacts that are followed less closely than tol asks for are in what is stated. */
static void check_followed(void)
{
    struct carom_memory *coarse, *fine;
    struct carom_sim *a = fly_lying("lzb, impact_tol: 1e-3", 1e-8, &coarse), *b = fly_lying("lzb", 1e-11, &fine);
    CHECK(a->estimate > 1e-8);
    check_apart(a, b, coarse, fine, 1e-5);
}

int main(void)
{
    const double finer = check_takes_all() ? 0.1 : 0.01;
    for (double tol = 1e-3; tol > 3e-9; tol *= finer) {
        check_first(box, "stronge", tol);
        check_first(box, "poisson", tol);
        check_first(capsule, "stronge", tol);
        check_first(capsule, "poisson", tol);
    }
    check_cut_short("moreau");
    check_cut_short("stronge");
    check_cut_short("poisson");
    for (double tol = 1e-3; tol > 3e-7; tol *= finer) {
        check_stated(capsule, 0.2, 1.6, "moreau", tol);
        check_stated(leaning, 0.113, 1.153, "stronge", tol);
        check_stated(leaning, 0.5, 1.153, "poisson", tol);
        check_stated(box, 0.5, 2.4, "stronge", tol);
        check_stated(box, 0.2, 1.5, "poisson", tol);
        check_stated(falling, 0.0, 1.5, "newton", tol);
        check_stated(upright, 0.0, 1.5, "newton", tol);
        check_stated(tipping, 0.0, 1.5, "lzb", tol);
        check_corner(tol);
    }
    check_followed();
    return check_end();
}
