/* A law of one's own with a history that has rates (examples/own_law.c) under dp5: at touch its force has a kink, where
 * it lets go a jump, which only the law knows of. Velocities after ten beads have met, as another program has them
 * (Dormand-Prince of order 8, relative errors of 1e-13, stopped at every change of a contact). */
int example(void);
#define main example
#include "../../examples/own_law.c"
#undef main

#include <string.h>

#include "check.h"

static const double known[] = {0.01935898687350, 0.01961794234673, 0.02507229549948, 0.03628066461460,
                               0.04830128917328, 0.07418611775235, 0.10884075797503, 0.14653889122764,
                               0.16249610125501, 0.35930695328237};

static void check_tol(const char *tol)
{
    struct carom_error error = {CAROM_OK, ""};
    const struct carom_law *const laws[] = {&polymer, NULL};
    const struct carom_scene_wish wish = {.laws = laws};
    char scene_text[sizeof text + 16];
    const char *at = strstr(text, "1e-7");
    CHECK_OR_STOP(at != NULL);
    snprintf(scene_text, sizeof scene_text, "%.*s%s%s", (int)(at - text), text, tol, at + 4);
    struct carom_scene *scene = carom_scene_parse_as("own", scene_text, strlen(scene_text), NULL, 0, &wish, &error);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    carom_scene_free(scene);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    double worst = 0.0;
    for (size_t i = 0; i < 10; i++)
        worst = fmax(worst, fabs(sim->view->v[i] - known[i]));
    printf("own law, tol %s: error %.1e, stated %.1e\n", tol, worst, sim->estimate);
    CHECK(worst <= strtod(tol, NULL) && sim->estimate <= strtod(tol, NULL) && worst <= 3.0 * sim->estimate);
    carom_sim_free(sim);
}

int main(void)
{
    CHECK(example() == 0);
    check_tol("1e-3");
    check_tol("1e-5");
    check_tol("1e-7");
    check_tol("1e-9");
    check_tol("1e-11");
    CHECK_MAIN_END;
}
