/* Runs of rigid bodies that once stated an error and were off by more. */
#include "campaign/rigid_rows.h"

/* an elastic ball for so long that roundings of its bounces, which are all alike, add up */
static void check_rounding(void)
{
    const struct rigid_scene ball = {
        .n = 1, .left = true, .mass = {1}, .gap = {1}, .e = {1}, .gravity = -10, .until = 9000};
    static const char *const schemes[] = {"mannshardt", "moreau-adaptive"};
    for (size_t i = 0; i < 2; i++) {
        char how[64];
        snprintf(how, sizeof how, "scheme: %s, tol: 1e-11", schemes[i]);
        const struct rigid_verdict v = rigid_rows_judge(&ball, how);
        printf("elastic ball, %ld bounces, %s: %.1e off, %.1e stated\n", v.impacts, schemes[i], v.off, v.stated);
        CHECK(v.ended && v.known && v.off <= 3.0 * v.stated && v.stated <= 100.0 * v.off);
    }
}

int main(void)
{
    check_rounding();
    CHECK_MAIN_END;
}
