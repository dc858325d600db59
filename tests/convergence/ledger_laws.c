/* The ledger closes to about tol whatever the damping: chains with gaps, so that contacts close one after another,
 * under every law whose damping begins with a jump or a root, both endings. Steps that end at a closing were once off
 * by what the jump of a dashpot is worth, a hundred times tol. */
#include "carom/carom.h"
#include "check.h"

static double worst(const char *law, double gamma, const char *ending, double tol)
{
    char text[600];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text,
             "{units: none, bodies: [chain: {count: 6, gap: 0.05, pattern: [{mass: 1}, {mass: 0.3}]},"
             " wall: {side: right, gap: 0.1}], contacts: {law: %s, gamma: %g, contact_end: %s},"
             " start: [{body: 1, velocity: 1}], run: {until: 20, tol: %g}, record: {every: 0.02}}",
             law, gamma, ending, tol);
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    const struct carom_tally *tally = carom_recorder_tally(sim->recorder);
    CHECK(tally->last.dissipated > 0.05);
    const double residual = fmax(tally->worst_residual, tally->worst_between) / 0.5; /* of the energy at the start */
    carom_sim_free(sim);
    carom_scene_free(scene);
    return residual;
}

int main(void)
{
    const struct {
        const char *law;
        double gamma;
    } laws[] = {{"linear-dashpot", 0.1}, {"hertz-dashpot", 0.05}, {"kuwabara-kono", 0.1}, {"hunt-crossley", 0.3}};
    const char *const endings[] = {"gap", "force"};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        for (size_t e = 0; e < 2; e++)
            for (double tol = 1e-4; tol > 1e-9; tol *= 0.1) {
                const double residual = worst(laws[i].law, laws[i].gamma, endings[e], tol);
                if (!(residual <= 5.0 * tol))
                    fprintf(stderr, "%s, %s, tol %g: residual %g\n", laws[i].law, endings[e], tol, residual);
                CHECK(residual <= 5.0 * tol);
            }
    return check_end();
}
