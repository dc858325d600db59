/* Parameters that nobody means: no friction, boundless friction, dampers faster than a step, exactly touching bodies.
 * Runs end with what is true, under verlet and dp5. */
#include <string.h>

#include "bodies.h"
#include "sim/unbalanced.h"

struct ball {
    const struct carom_friction *friction;
    double mu, stiffness, gamma, height, speed, fall, gravity, until;
};

/* a sphere of radius 1/2 and mass 1 above a plane */
static struct carom_sim *begin(const struct ball *c, bool fixed_step)
{
    const double param[] = {1e7, 1e-3}, rub[] = {c->mu, 0.0, c->stiffness, c->gamma, 3.0};
    struct carom_bodies *b = bodies_of(3, 2, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    double v[12] = {0.0};
    b->pairing[0].friction = c->friction;
    for (size_t i = 0; i < 5; i++)
        b->pairing[0].rub[i].param = rub[i];
    b->body[0].surface = CAROM_PLANE;
    b->body[0].fixed = true;
    b->body[0].normal[2] = 1.0;
    b->gravity[2] = -c->gravity;
    bodies_ball(b, 1, 0.5, 1.0, 0.0, 0.0, 0.5 + c->height);
    v[6] = c->speed;
    v[8] = -c->fall;
    return fixed_step ? bodies_sim(b, v, &carom_scheme_verlet, "step", 2e-5, c->until)
                      : bodies_sim(b, v, &carom_scheme_dp5, "tol", 1e-6, c->until);
}

static struct carom_sim *run(const struct ball *c, bool fixed_step)
{
    struct carom_sim *sim = begin(c, fixed_step);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    CHECK(sim->state->time == c->until);
    return sim;
}

/* however strong a damper is, a ball that slides comes to roll, and nothing is made of nothing */
static void test_dampers(const struct carom_friction *friction, double stiffness)
{
    static const double gammas[] = {1e-3, 1e-2, 1.0, 1e3, 1e12};
    for (size_t i = 0; i < sizeof gammas / sizeof *gammas; i++)
        for (int huge = 0; huge < 2; huge++) {
            const struct ball c = {.friction = friction,
                                   .mu = huge ? 1e3 : 0.5,
                                   .stiffness = stiffness,
                                   .gamma = gammas[i],
                                   .height = -pow(10.0 / 1e7, 2.0 / 3.0),
                                   .speed = 1.0,
                                   .gravity = 10.0,
                                   .until = 0.3};
            struct carom_sim *sim = run(&c, true);
            CHECK_NEAR(sim->view->v[6], 5.0 / 7.0, 1e-3);
            CHECK_NEAR(0.5 * sim->view->v[10], sim->view->v[6], 1e-3);
            const struct carom_ledger ledger = bodies_ledger(sim);
            CHECK_NEAR(ledger.friction, 1.0 / 7.0, 0.02); /* a slip stopped within a step is as exact as a step */
            CHECK_NEAR(ledger.residual, 0.0, 0.02);
            carom_sim_free(sim);
        }
}

/* nothing to rub with, or everything: an impact without friction, and one that sticks */
static void test_coefficients(const struct carom_friction *friction, double stiffness, bool fixed_step)
{
    static const double mus[] = {0.0, 1e-300, 1e6, 1e300};
    const bool spring = friction->spring;
    for (size_t i = 0; i < (spring || fixed_step ? 4u : 2u); i++) { /* dp5 follows any damper, and creeps */
        const struct ball c = {.friction = friction,
                               .mu = mus[i],
                               .stiffness = stiffness,
                               .height = 1e-3,
                               .speed = 0.5,
                               .fall = 1.0,
                               .until = 0.03};
        struct carom_sim *sim = run(&c, fixed_step);
        const double *v = sim->view->v + 6;
        CHECK(v[2] > 0.3);
        if (i < 2)
            CHECK(v[0] == 0.5 && fabs(v[4]) < 1e-290);
        else if (!spring)
            CHECK_NEAR(v[0], 0.5 * 5.0 / 7.0, 2e-4);
        CHECK(fabs(bodies_ledger(sim).residual) < 3e-3);
        carom_sim_free(sim);
    }
}

/* bodies that touch exactly, at rest or sliding past each other, neither press nor rub, and no run stops there */
static void test_touching(const struct carom_friction *friction, double stiffness, bool fixed_step)
{
    for (int slides = 0; slides < 2; slides++) {
        const struct ball c = {.friction = friction, .mu = 0.5, .stiffness = stiffness, .speed = slides, .until = 0.03};
        struct carom_sim *sim = run(&c, fixed_step);
        CHECK(sim->view->v[6] == slides && sim->view->v[8] == 0.0 && sim->view->v[10] == 0.0);
        CHECK(bodies_ledger(sim).dissipated == 0.0);
        carom_sim_free(sim);
    }
}

/* three spheres in a row that touch exactly, with friction, the outer ones at rest, nobody pressed: nothing moves */
static void test_row(bool fixed_step)
{
    const double param[] = {1e7, 1e-3}, rub[] = {0.5, 0.0, 1e7, 1e-3, 3.0};
    struct carom_bodies *b = bodies_of(3, 3, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    double v[18] = {0.0};
    b->pairing[0].friction = &carom_friction_mindlin;
    for (size_t i = 0; i < 5; i++)
        b->pairing[0].rub[i].param = rub[i];
    for (size_t i = 0; i < 3; i++)
        bodies_ball(b, i, 0.1, 1.0, 0.2 * 0.6 * (double)i, 0.2 * 0.8 * (double)i, 0.0);
    v[11] = 1.0; /* the middle one spins */
    struct carom_sim *sim = fixed_step ? bodies_sim(b, v, &carom_scheme_verlet, "step", 2e-5, 0.01)
                                       : bodies_sim(b, v, &carom_scheme_dp5, "tol", 1e-6, 0.01);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    for (size_t i = 0; i < 18; i++)
        CHECK(sim->view->v[i] == (i == 11 ? 1.0 : 0.0));
    carom_sim_free(sim);
}

/* In touch, without an overlap, a spring that rounding has stretched goes as it will just after, and the stiffness,
 * which begins at nothing with a slope that has no bound, changes nothing: whatever the form. */
static void test_touch(void)
{
    static const double paces[] = {1.0, 1.0, 2.0 / 3.0, 2.0 / 3.0};
    for (int form = 0; form < 4; form++) {
        const double mu = 0.2, none = 0.0, stiffness = 1e10, chosen = form, deform = CAROM_TOUCH, rate = 0.01;
        const double slip[] = {0.3, 0.4, 0.0}, spring[] = {1e-15, 2e-15, 0.0}, normal = 1e-150;
        const double *const param[] = {&mu, &none, &stiffness, &none, &chosen};
        const double *const slips[] = {&slip[0], &slip[1], &slip[2]};
        const double *const springs[] = {&spring[0], &spring[1], &spring[2]};
        double speed[3], change, push;
        const bool sticks = false;
        carom_friction_mindlin.moment(
            &(struct carom_friction_moment){.n = 1,
                                            .width = 3,
                                            .param = param,
                                            .deform = &deform,
                                            .rate = &rate,
                                            .normal = &normal,
                                            .slip = slips,
                                            .spring = springs,
                                            .slips = &sticks,
                                            .push = &push,
                                            .spring_rate = (double *const[]){&speed[0], &speed[1], &speed[2]},
                                            .change = &change});
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(speed[k], paces[form] * slip[k], 1e-15);
        CHECK(change == 0.0 && push == 0.0);
    }
}

/* a ledger that is off by more than a tenth of what was put in is told of, whatever chose the steps */
static void test_unbalanced(bool fixed_step)
{
    const struct ball c = {&carom_friction_mindlin, 0.3, 1e7, 0.0, 0.01, 1.0, 1.0, 0.0, 0.02};
    struct carom_sim *sim = run(&c, fixed_step);
    struct carom_ledger ledger = {0};
    char text[CAROM_UNBALANCED_TEXT];
    ledger.residual = 0.05 * sim->view->energy;
    CHECK(carom_unbalanced(sim, &ledger) == 0.0);
    ledger.residual = -3.0 * sim->view->energy;
    CHECK_NEAR(carom_unbalanced(sim, &ledger), 3.0, 1e-14);
    carom_unbalanced_say(3.0, carom_unbalanced_tol(sim), 2e-5, 1e-3, true, text);
    CHECK(strstr(text, fixed_step ? "take step: 5e-06 s" : "far more than tol: 1e-06") != NULL);
    carom_sim_free(sim);
}

int main(void)
{
    static const struct carom_friction *const laws[] = {&carom_friction_coulomb, &carom_friction_cundall_strack,
                                                        &carom_friction_mindlin};
    static const double stiffness[] = {1e-3, 5e5, 1.1e7};
    for (int fixed_step = 0; fixed_step < 2; fixed_step++) {
        for (int i = 0; i < 3; i++) {
            test_coefficients(laws[i], stiffness[i], fixed_step);
            test_touching(laws[i], stiffness[i], fixed_step);
        }
        test_row(fixed_step);
        test_unbalanced(fixed_step);
    }
    test_touch();
    test_dampers(laws[1], stiffness[1]);
    test_dampers(laws[2], stiffness[2]);
    return check_end();
}
