/* Inelastic collapse of several contacts under every scheme that locates impacts: a light bead between heavy ones, and
 * on a floor below one, bounces infinitely often in a moment and then all are at rest. The truth is the sequence of
 * impacts in quadruple precision (tests/reference/rigid_row.h), and for three beads alone their momentum. */
#include "campaign/rigid_rows.h"

static const char *const schemes[] = {"event", "event, impact: moreau", "mannshardt", "mannshardt, impact: newton",
                                      "moreau-adaptive"};

static void check(const char *name, const struct rigid_scene *s, double tol)
{
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        char how[100];
        snprintf(how, sizeof how, "scheme: %s, tol: %g", schemes[i], tol);
        const struct rigid_verdict v = rigid_rows_judge(s, how);
        printf("%-36s %-26s %8.1e of U and V off, %8.1e stated, %ld impacts %s\n", name, schemes[i], v.off, v.stated,
               v.impacts, v.said);
        CHECK(v.ended && v.known && v.off <= tol);
    }
}

static const struct rigid_scene three = {
    .n = 3, .mass = {2, 0.1, 2}, .gap = {0.1, 0.23}, .e = {0.2, 0.2}, .v = {1, 0, -0.5}, .until = 2};

/* momentum over mass is all that is left */
static void check_momentum(void)
{
    struct rigid_row row = rigid_rows_truth(&three);
    row.length = 0.23;
    row.speed = 1.0;
    CHECK(rigid_row_to(&row, 2.0));
    for (size_t i = 0; i < 3; i++)
        CHECK(fabs((double)(row.v[i] - (quad)1 / (quad)4.1)) < 1e-15);
}

/* a light bead below a heavy one, both dropped on a floor */
static void check_floor(void)
{
    const double ratios[] = {5, 10, 20}, restitutions[] = {0.05, 0.1, 0.2, 0.3};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 4; k++) {
            const double e = restitutions[k];
            const struct rigid_scene s = {.n = 2,
                                          .left = true,
                                          .mass = {1, ratios[i]},
                                          .gap = {1, 0.1 + 0.03 * (double)k},
                                          .e = {e, e},
                                          .gravity = -10,
                                          .until = 2};
            char name[64];
            snprintf(name, sizeof name, "floor, ratio %g, e = %g", ratios[i], e);
            check(name, &s, 1e-8);
        }
}

int main(void)
{
    check_momentum();
    check("three beads, the middle one light", &three, 1e-9);
    check("the same, coarse", &three, 1e-4);
    check_floor();
    CHECK_MAIN_END;
}
