/* Restitution of faces of solids: what is asked for is what stiff bodies have. */
#include <string.h>

#include "carom/carom.h"
#include "check.h"

/* a stiff cube leaves a wall that is soft beside it, and another cube, with the restitution that was asked for */
static void check_restitution(double asked)
{
    char set[64];
    const char *const sets[] = {set};
    snprintf(set, sizeof set, "contacts.restitution=%.17g", asked);
    for (int other = 0; other < 2; other++) {
        static const char *const scene =
            "theory: solid\n"
            "bodies:\n"
            "  - solid: {name: one, box: {size: [0.1, 0.1, 0.1], cells: [2, 2, 2], origin: [0.0001, 0, 0]}, material: "
            "steel}\n"
            "  - %s\n"
            "contacts: {law: linear-dashpot, k: 1e8}\n"
            "start: [{body: one, velocity: [-1, 0, 0]}]\n"
            "run: {until: 1.3e-3}\n";
        char text[1024];
        double fast[2] = {0.0, 0.0};
        snprintf(text, sizeof text, scene,
                 other ? "solid: {name: two, box: {size: [0.05, 0.1, 0.1], cells: [2, 2, 2], origin: [-0.05, 0, 0]}, "
                         "material: steel}"
                       : "plane: {at: [0, 0, 0], normal: [1, 0, 0]}");
        struct carom_error error = {CAROM_OK, ""};
        struct carom_scene *made = carom_scene_parse("test", text, strlen(text), sets, 1, &error);
        struct carom_sim *sim = made ? carom_scene_sim(made, &error) : NULL;
        if (!sim || carom_sim_run(sim, NULL, &error) != CAROM_OK)
            fprintf(stderr, "%s\n", error.text);
        CHECK_OR_STOP(sim && error.status == CAROM_OK);
        carom_sim_sync(sim);
        for (size_t b = 0; b <= (size_t)other; b++)
            for (size_t i = 0; i < 8; i++)
                fast[b] += sim->view->v[sim->model->member[b].v0 + 6 * i] / 8.0;
        printf("restitution %.4f of %.4f asked\n", fast[0] - fast[1], asked);
        CHECK_NEAR(fast[0] - fast[1], asked, 2e-3);
        carom_sim_free(sim);
        carom_scene_free(made);
    }
}

int main(void)
{
    check_restitution(0.9);
    check_restitution(0.4);
    return check_end();
}
