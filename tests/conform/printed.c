/* `printed: true` of moreau-jean is the scheme of Acary 2009, equation (9), to the bit of its formulas: a ball and its
 * own loop, for several theta, gamma and e. Without it the two differ once force presses on a ball that opens. */
#include "runs.h"

struct ball {
    double e, theta, gamma, h;
};

/* height after so many steps, from 1 with gravity 10 */
static double by_hand(const struct ball *b, int steps)
{
    double q = 1.0, v = 0.0;
    for (int k = 0; k < steps; k++) {
        const double freely = v - 10.0 * b->h;
        double p = 0.0;
        if (q + b->gamma * b->h * v <= 0.0)
            p = fmax(-(freely + b->e * v), 0.0);
        const double next = freely + p;
        q += b->h * (b->theta * next + (1.0 - b->theta) * v);
        v = next;
    }
    return q;
}

static double by_carom(const struct ball *b, int steps, bool printed)
{
    char text[500];
    snprintf(
        text, sizeof text,
        "units: none\ntheory: nonsmooth\ngravity: -10\nbodies: [{wall: {side: left, gap: 1}}, {bead: {}}]\n"
        "contacts: {e: %.17g}\nrun: {until: %.17g, scheme: moreau-jean, step: %.17g, theta: %.17g, gamma: %.17g%s}\n",
        b->e, steps * b->h, b->h, b->theta, b->gamma, printed ? ", printed: true" : "");
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = runs_sim(text);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    carom_sim_sync(sim);
    const double height = 1.0 + sim->view->q[0];
    carom_sim_free(sim);
    return height;
}

int main(void)
{
    const struct ball balls[] = {{0.9, 0.5, 0.5, 0.005},
                                 {0.5, 0.5, 1.0, 0.003},
                                 {0.3, 1.0, 2.0, 0.002},
                                 {0.0, 0.5, 0.0, 0.004},
                                 {0.8, 0.5, 1.7, 0.001}};
    bool differs = false;
    for (size_t i = 0; i < sizeof balls / sizeof *balls; i++) {
        const double hand = by_hand(&balls[i], 1000);
        CHECK_NEAR(by_carom(&balls[i], 1000, true), hand, 1e-11);
        differs |= fabs(by_carom(&balls[i], 1000, false) - hand) > 1e-9;
    }
    CHECK(differs);
    CHECK_MAIN_END;
}
