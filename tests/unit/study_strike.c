/* The first impact taken out of a scene: at the start or after a flight, the same; forces add up to impulses; two steps
 * side by side differ as the report's table 2 says; scenes without such an impact are refused. */
#include "study/follow/strike.h"

#include <float.h>

#include "check.h"

static const char text[] = "title: five balls\n"
                           "units: none\n"
                           "theory: lzb\n"
                           "bodies: [{chain: {count: 5, mass: 1}}]\n"
                           "contacts: {law: rigid, e: 0.9, k: 1}\n"
                           "start: [{body: 1, velocity: 1}]\n"
                           "run: {until: 3, tol: 1e-9}\n"
                           "record: {every: 1, probes: [v]}\n";

static struct carom_scene *parse(const char *const *set, size_t nset)
{
    struct carom_error error = {0};
    struct carom_scene *scene = carom_scene_parse("five.yaml", text, strlen(text), set, nset, &error);
    if (!scene)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(scene != NULL);
    return scene;
}

static enum carom_status open(struct carom_strike *strike, const char *const *set, size_t nset,
                              struct carom_error *error)
{
    struct carom_scene *scene = parse(set, nset);
    const enum carom_status status = carom_strike_open(strike, scene, NULL, error);
    carom_scene_free(scene);
    return status;
}

static void check_same(void)
{
    static const char *const apart[] = {"bodies.1.chain.gap=[0.5, 0, 0, 0]"};
    struct carom_strike now, later;
    struct carom_error error = {0};
    CHECK_STATUS(open(&now, NULL, 0, &error), CAROM_OK);
    CHECK_STATUS(open(&later, apart, 1, &error), CAROM_OK);
    CHECK(now.n == 4 && later.n == 4);
    CHECK_NEAR(now.time, 0.0, 0.0);
    CHECK_NEAR(later.time, 0.5, 1e-15);
    CHECK_STATUS(carom_strike_own(&now, 0.0, &error), CAROM_OK);
    CHECK_STATUS(carom_strike_own(&later, 0.0, &error), CAROM_OK);
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR(now.after[i], later.after[i], 1e-14);
    double lost = 0.0;
    for (size_t i = 0; i < 4; i++)
        lost += now.lost[i];
    CHECK_NEAR(carom_strike_kinetic(&now, now.v), 0.5, 1e-15);
    CHECK_NEAR(carom_strike_kinetic(&now, now.after) + lost, 0.5, 1e-14);
    carom_strike_close(&now);
    carom_strike_close(&later);
}

static void check_forces(void)
{
    struct carom_strike s;
    struct carom_error error = {0};
    CHECK_STATUS(open(&s, NULL, 0, &error), CAROM_OK);
    for (int printed = 0; printed < 2; printed++) {
        s.printed.dP = 1e-4;
        CHECK_STATUS(printed ? carom_strike_printed(&s, &s.printed, 0.01, &error)
                             : carom_strike_lzb(&s, 1e-9, 0.01, &error),
                     CAROM_OK);
        CHECK((double)s.samples * 0.01 <= s.duration + 0.02 && s.samples > 100);
        for (size_t j = 0; j < s.n; j++) {
            double sum = 0.0;
            for (size_t i = 0; i < s.samples; i++)
                sum += s.force[i * s.n + j] * 0.01;
            CHECK_NEAR(sum, s.impulse[j], 1e-3 * s.impulse[j]);
        }
    }
    carom_strike_close(&s);
}

static void check_compare(void)
{
    struct carom_strike s;
    struct carom_strike_discrepancy coarse, fine;
    struct carom_error error = {0};
    CHECK_STATUS(open(&s, NULL, 0, &error), CAROM_OK);
    for (int off = 0; off < 2; off++) {
        struct carom_lzb_impulse_options o = {.dP = 1e-3, .safeguards = off, .impact_steps = 1000000};
        CHECK_STATUS(carom_strike_compare(&s, &o, &coarse, &error), CAROM_OK);
        o.dP = 5e-4;
        CHECK_STATUS(carom_strike_compare(&s, &o, &fine, &error), CAROM_OK);
        CHECK(coarse.during >= coarse.end * 0.99 && coarse.during < 0.05);
        CHECK_NEAR(coarse.during / fine.during, 2.0, 0.3); /* of first order */
        CHECK_NEAR((double)fine.steps / (double)coarse.steps, 2.0, 0.1);
        o.impact_steps = 10;
        CHECK_STATUS(carom_strike_compare(&s, &o, &fine, &error), CAROM_E_NUMERIC);
    }
    carom_strike_close(&s);
}

static void check_refused(void)
{
    static const char *const rest[] = {"start.1.velocity=-1"}, *const newton[] = {"run.impact=newton"},
                             *const other[] = {"theory=nonsmooth", "run={until: 3, scheme: moreau-jean, step: 0.1}"};
    struct carom_strike s;
    struct carom_error error = {0};
    CHECK_STATUS(open(&s, rest, 1, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "nothing strikes");
    carom_strike_close(&s);
    CHECK_STATUS(open(&s, newton, 1, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "uses no stiffness");
    carom_strike_close(&s);
    CHECK_STATUS(open(&s, other, 2, &error), CAROM_E_REFUSED);
    carom_strike_close(&s);
}

int main(void)
{
    check_same();
    check_forces();
    check_compare();
    check_refused();
    return check_end();
}
