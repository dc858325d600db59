/* Cells that a wave has not reached are at rest exactly: nothing underflows in hundreds of steps, in any of the ways
 * that rattle goes, whatever the units and however slow the run; and what shows is as it was. */
#include <fenv.h>

#include "runs.h"

/* box, traction, what else the body has, young: long and slim, a push at one end */
#define SCENE(shape, traction, more, young)                                                         \
    "{units: none, theory: solid, bodies: [{solid: {name: one, " shape ", material: {young: " young \
    ", poisson: 0.3, density: 1}, loads: [{face: left, traction: " traction                         \
    ", signal: {shape: step, amplitude: 1}}]" more                                                  \
    "}}], run: {until: 1, threads: 1}, record: {every: 1, probes: [kinetic]}}"
#define PLANE "box: {size: [20, 1], cells: [200, 10]}, plane: strain"
#define SPACE "box: {size: [16, 0.4, 0.4], cells: [160, 4, 4]}"
#define VORONOI "voronoi: {box: {size: [200, 1, 1]}, cells: 800, relax: 3}"

static const struct {
    const char *scene;
    double kinetic; /* as it was when numbers fell off to 1e-308: after STEPS steps */
} cases[] = {
    {SCENE(PLANE, "[1, 0.5]", "", "1e3"), 0.0061622154583488298},
    {SCENE(PLANE, "[1, 0]", "", "1e3"), 0.0023569457072376765}, /* with symmetry */
    {SCENE(PLANE, "[1, 0.5]", ", clamps: [{face: right}]", "1e3"), 0.0061621071704318084},
    {SCENE(PLANE, "[1, 0.5]", ", damping: {mass: 1}", "1e3"), 0.0052806999028400404},
    {SCENE(PLANE, "[1, 0.5]", ", damping: {stiffness: 1e-4}", "1e3"), 0.0057467771578977467},
    {SCENE(PLANE, "[1, 0.5]", ", absorbing: [right, top]", "1e3"), 0.00026004737426394168},
    {SCENE(PLANE, "[1e-9, 1e-9]", "", "1e12"), 1.7433252160155435e-29}, /* slow */
    {SCENE(SPACE, "[1, 0.5, 0.2]", "", "1e3"), 0.0013012253332859917},
    {SCENE(SPACE, "[1, 0, 0]", "", "1e3"), 0.00034693124896774158},
    {SCENE(SPACE, "[1, 0.5, 0.2]", ", clamps: [{face: right}]", "1e3"), 0.00130121873674814},
    {SCENE(SPACE, "[1, 0.5, 0.2]", ", damping: {mass: 1, stiffness: 1e-4}", "1e3"), 0.0010564243589075437},
    {SCENE(SPACE, "[1, 0.5, 0.2]", ", plasticity: {yield: 0.5, hardening: 1}", "1e3"), 0.0037835265906195088},
    {SCENE(VORONOI, "[1, 0.5, 0.2]", "", "1e3"), 0.05912148598292364},
    {SCENE(VORONOI, "[1, 0.5, 0.2]", ", clamps: [{face: right}]", "1e3"), 0.05912148598201078},
};

enum { STEPS = 150 };

static double kinetic(const char *scene)
{
    struct carom_sim *sim = runs_sim(scene);
    struct carom_ledger now;
    CHECK_STATUS(carom_sim_step(sim, STEPS, NULL), CAROM_OK);
    carom_balance_read(sim->model, sim->view, NULL, &now);
    carom_sim_free(sim);
    return now.kinetic;
}

/* Runs that are slower than what counts as rest in others move in proportion, turns and all. */
static void check_slow(void)
{
    CHECK_NEAR(1e-60 * kinetic(SCENE(SPACE, "[1e-20, 1e-20, 0]", "", "1e3")) /
                   kinetic(SCENE(SPACE, "[1e-50, 1e-50, 0]", "", "1e3")),
               1.0, 1e-12);
}

int main(void)
{
    check_slow();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct carom_sim *sim = runs_sim(cases[i].scene);
        struct carom_ledger now;
        CHECK_STATUS(carom_sim_step(sim, 1, NULL), CAROM_OK); /* until then the step is found and the load begins */
        feclearexcept(FE_UNDERFLOW);
        CHECK_STATUS(carom_sim_step(sim, STEPS - 1, NULL), CAROM_OK);
        carom_balance_read(sim->model, sim->view, NULL, &now);
        CHECK(!fetestexcept(FE_UNDERFLOW));
        CHECK_NEAR(now.kinetic, cases[i].kinetic, 1e-12 * cases[i].kinetic);
        carom_sim_free(sim);
    }
    return check_end();
}
