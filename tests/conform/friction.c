/* Every friction law, and those of rolling and twisting, keeps what friction.h promises: forces are slopes of energies
 * where a form is a potential, power and changes of stiffness are what goes in and is not stored, nothing leaves the
 * cone, nothing depends on how space is turned, and along random paths of overlap and slide no energy is gained but
 * what a form books as a change of stiffness. The seed is printed. */
#include "carom/friction.h"
#include "base/vec.h"
#include "carom/carom.h"
#include "check.h"
#include "draws.h"

enum { WIDE = 3 };

struct contact {
    const struct carom_friction *law;
    size_t width;
    double value[CAROM_FRICTION_PARAMS];
    const double *param[CAROM_FRICTION_PARAMS];
};

static const struct {
    const struct carom_friction *law;
    double form;
    bool potential, creates;
} laws[] = {
    {&carom_friction_coulomb, 0.0, false, false}, {&carom_friction_cundall_strack, 0.0, true, false},
    {&carom_friction_mindlin, 0.0, false, true},  {&carom_friction_mindlin, 1.0, true, false},
    {&carom_friction_mindlin, 2.0, false, true},  {&carom_friction_mindlin, 3.0, false, false},
    {&carom_resistance_spring, 0.0, true, false}, {&carom_resistance_constant, 0.0, false, false},
};

static void prepare(struct contact *c, size_t i, size_t width, double mu, double mu_static, double gamma)
{
    const double k = 1.0;
    const bool spring = laws[i].law->spring;
    *c = (struct contact){.law = laws[i].law,
                          .width = width,
                          .value = {mu, mu_static, spring ? k : 0.1, spring ? gamma : 0.0, laws[i].form}};
    for (size_t j = 0; j < CAROM_FRICTION_PARAMS; j++)
        c->param[j] = &c->value[j];
}

/* --- one moment -------------------------------------------------------------------------------------------------- */

struct moment {
    double deform, rate, normal, slip[WIDE], spring[WIDE];
    double force[WIDE], spring_rate[WIDE], push, energy, power, change, margin;
    bool slips;
};

static void ask(const struct contact *c, struct moment *m, bool told)
{
    const double *slip[WIDE] = {&m->slip[0], &m->slip[1], &m->slip[2]};
    const double *spring[WIDE] = {&m->spring[0], &m->spring[1], &m->spring[2]};
    double *force[WIDE] = {&m->force[0], &m->force[1], &m->force[2]};
    double *rate[WIDE] = {&m->spring_rate[0], &m->spring_rate[1], &m->spring_rate[2]};
    for (size_t k = 0; k < c->width; k++) /* whatever stood there before is written over */
        m->force[k] = m->spring_rate[k] = nan("");
    m->push = m->energy = m->power = m->change = m->margin = nan("");
    c->law->moment(&(struct carom_friction_moment){.n = 1,
                                                   .width = c->width,
                                                   .param = c->param,
                                                   .deform = &m->deform,
                                                   .rate = &m->rate,
                                                   .normal = &m->normal,
                                                   .slip = slip,
                                                   .spring = spring,
                                                   .slips = told ? &m->slips : NULL,
                                                   .force = force,
                                                   .push = &m->push,
                                                   .spring_rate = rate,
                                                   .energy = &m->energy,
                                                   .power = &m->power,
                                                   .change = &m->change,
                                                   .margin = &m->margin});
}

static struct moment draw(const struct contact *c, struct carom_random *random)
{
    struct moment m = {.deform = draw_between(random, -0.2, 1.0), .rate = draw_between(random, -1.0, 1.0)};
    m.normal = m.deform > 0.0 ? draw_between(random, -0.3, 1.0) : 0.0;
    for (size_t k = 0; k < c->width; k++) {
        m.slip[k] = draw_between(random, -1.0, 1.0);
        m.spring[k] = c->law->spring && m.deform > 0.0 ? draw_between(random, -0.3, 0.3) : 0.0;
    }
    return m;
}

static void test_cone(const struct contact *c, struct carom_random *random)
{
    const double mu = fmax(c->value[0], c->value[1]);
    for (int i = 0; i < 300; i++) {
        struct moment m = draw(c, random);
        ask(c, &m, false);
        CHECK(carom_vec_norm(m.force) <= mu * fmax(m.normal, 0.0) * (1.0 + 1e-14));
        CHECK(m.energy >= 0.0);
        if (!(m.deform > 0.0))
            CHECK(m.push == 0.0 && m.energy == 0.0 && carom_vec_norm(m.spring_rate) == 0.0);
    }
}

/* sticking: F = -dE/dx and push = dE/dd; what goes in is stored, lost, or booked as a change */
static void test_energy(const struct contact *c, struct carom_random *random, bool potential)
{
    for (int i = 0; i < 100; i++) {
        struct moment m = draw(c, random), near;
        m.deform = draw_between(random, 0.1, 1.0);
        m.normal = 1e3;
        m.slips = false;
        ask(c, &m, true);
        const double h = 1e-5;
        double slope = 0.0, goes_in = m.push * m.rate, stored = 0.0;
        for (size_t k = 0; k < c->width + 1; k++) {
            double side[2];
            for (int s = 0; s < 2; s++) {
                near = m;
                *(k < c->width ? &near.spring[k] : &near.deform) += s == 0 ? -h : h;
                ask(c, &near, true);
                side[s] = near.energy;
            }
            slope = (side[1] - side[0]) / (2.0 * h);
            if (potential && k < c->width)
                CHECK_NEAR(-m.force[k] - c->value[3] * c->law->stiffness(c->param, 0, m.deform) * m.slip[k], slope,
                           1e-9);
            if (potential && k == c->width)
                CHECK_NEAR(m.push, slope, 1e-9);
            stored += slope * (k < c->width ? m.spring_rate[k] : m.rate);
        }
        for (size_t k = 0; k < c->width; k++)
            goes_in -= m.force[k] * m.slip[k];
        CHECK_NEAR(goes_in, stored + m.power + m.change, 1e-9);
        CHECK(m.power >= -1e-15);
    }
}

static void turn(const double axis[3], double angle, const double x[3], double out[3])
{
    double across[3];
    const double along = carom_vec_dot(axis, x);
    carom_vec_cross(axis, x, across);
    for (int k = 0; k < 3; k++)
        out[k] = cos(angle) * x[k] + sin(angle) * across[k] + (1.0 - cos(angle)) * along * axis[k];
}

/* vectors turned before are vectors turned after */
static void test_turned(const struct contact *c, struct carom_random *random)
{
    for (int i = 0; i < 100; i++) {
        struct moment m = draw(c, random), other = m;
        const double z = draw_between(random, -1.0, 1.0), a = draw_between(random, 0.0, 6.0),
                     angle = draw_between(random, 0.0, 6.0);
        const double axis[3] = {sqrt(1.0 - z * z) * cos(a), sqrt(1.0 - z * z) * sin(a), z};
        double force[3], rate[3];
        turn(axis, angle, m.slip, other.slip);
        turn(axis, angle, m.spring, other.spring);
        ask(c, &m, false);
        ask(c, &other, false);
        turn(axis, angle, m.force, force);
        turn(axis, angle, m.spring_rate, rate);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(other.force[k], force[k], 1e-13);
            CHECK_NEAR(other.spring_rate[k], rate[k], 1e-11);
        }
        CHECK_NEAR(other.power, m.power, 1e-13);
    }
}

/* --- paths ------------------------------------------------------------------------------------------------------- */

struct path {
    double deform, normal, spring[WIDE], force[WIDE], push; /* where it is */
    double work, lost, change, least;                       /* put in so far; least: of lost + change */
};

/* to another overlap by sliding `way`, in one step */
static void go(const struct contact *c, struct path *p, double deform, const double *way, double h)
{
    const double closed = fmax(deform, 0.0), normal = closed * sqrt(closed);
    const double part = deform > 0.0 || p->deform <= 0.0 ? 1.0 : p->deform / (p->deform - deform);
    double slide[WIDE], after[WIDE], force[WIDE], impulse[WIDE], push, lost, change;
    const double *slide_at[WIDE], *spring_at[WIDE], *force_at[WIDE];
    double *after_at[WIDE], *force_to[WIDE], *impulse_at[WIDE];
    for (size_t k = 0; k < WIDE; k++) {
        slide[k] = part * way[k];
        slide_at[k] = &slide[k];
        spring_at[k] = &p->spring[k];
        force_at[k] = &p->force[k];
        after_at[k] = &after[k];
        force_to[k] = &force[k];
        impulse_at[k] = &impulse[k];
    }
    c->law->step(&(struct carom_friction_step){.n = 1,
                                               .width = c->width,
                                               .h = h,
                                               .param = c->param,
                                               .deform0 = &p->deform,
                                               .deform1 = &deform,
                                               .normal0 = &p->normal,
                                               .normal1 = &normal,
                                               .slide = slide_at,
                                               .spring0 = spring_at,
                                               .force0 = force_at,
                                               .spring1 = after_at,
                                               .force1 = force_to,
                                               .impulse = impulse_at,
                                               .push1 = &push,
                                               .lost = &lost,
                                               .change = &change});
    double square = 0.0;
    for (size_t k = 0; k < c->width; k++) {
        p->work -= impulse[k] * slide[k] / h;
        p->spring[k] = after[k];
        p->force[k] = force[k];
        square += force[k] * force[k];
    }
    CHECK(sqrt(square) <= fmax(c->value[0], c->value[1]) * normal * (1.0 + 1e-14));
    p->work += 0.5 * (p->push + push) * (closed - fmax(p->deform, 0.0));
    p->lost += lost;
    p->change += change;
    p->least = fmin(p->least, p->lost + p->change);
    p->deform = deform;
    p->normal = normal;
    p->push = push;
}

/* From touch to opening along random straight lines. What was put in is lost or changed, to the order of steps; returns
 * the least of what was lost and changed until then. */
static double test_path(const struct contact *c, struct carom_random *random, bool potential)
{
    enum { LEGS = 8, STEPS = 4000 };
    struct path p = {0};
    double from = 0.0;
    for (int leg = 0; leg < LEGS; leg++) {
        const double to = leg == LEGS - 1 ? -1e-3 : draw_between(random, 0.05, 1.0);
        double way[WIDE] = {0.0};
        for (size_t k = 0; k < c->width; k++)
            way[k] = draw_between(random, -0.5, 0.5) / STEPS;
        for (int i = 1; i <= STEPS; i++)
            go(c, &p, from + (to - from) * i / STEPS, way, 1.0 / STEPS);
        from = to;
    }
    for (size_t k = 0; k < c->width; k++)
        CHECK(p.spring[k] == 0.0 && p.force[k] == 0.0);                       /* memory ends */
    CHECK_NEAR(p.work, p.lost + p.change, potential ? 2e-3 * p.lost : 1e-12); /* its push grows as d^(-1/2) */
    CHECK(p.lost >= 0.0);
    return p.least;
}

/* A closed cycle of overlap and slide without slip, one way round or the other: what a form creates shows as a change
 * below 0. Some create on one of the two, none on both. */
static double test_cycle(const struct contact *c, bool backwards)
{
    enum { STEPS = 1000 };
    static const double corner[][2] = {{0.5, 0.0}, {0.5, 1.0}, {1.0, 1.0}, {1.0, 0.0}, {0.5, 0.0}};
    struct path p = {0};
    for (int i = 1; i <= STEPS; i++)
        go(c, &p, 0.5 * i / STEPS, (const double[WIDE]){0.0}, 1.0);
    for (int side = 0; side < 4; side++) {
        const double *a = corner[backwards ? 4 - side : side], *b = corner[backwards ? 3 - side : side + 1];
        for (int i = 1; i <= STEPS; i++)
            go(c, &p, a[0] + (b[0] - a[0]) * i / STEPS, (const double[WIDE]){(b[1] - a[1]) / STEPS}, 1.0);
    }
    const double held = carom_vec_dot(p.spring, p.spring);
    CHECK_NEAR(p.work, p.lost + p.change + 0.5 * c->law->stiffness(c->param, 0, p.deform) * held, 1e-6);
    return -p.least;
}

/* mu = 0 gives nothing, and nothing is stored; a huge mu never slips */
static void test_ends(size_t law, size_t width, struct carom_random *random)
{
    struct contact c;
    struct path p = {0};
    prepare(&c, law, width, 0.0, 0.0, 0.1);
    test_cone(&c, random);
    test_path(&c, random, false);
    prepare(&c, law, width, 1e300, 0.0, 0.0);
    go(&c, &p, 0.5, (const double[WIDE]){0.1, 0.0, 0.0}, 1e-3);
    CHECK(isfinite(p.force[0]) && isfinite(p.work) && p.lost >= -1e-15);
}

int main(void)
{
    const uint64_t seed = 27;
    struct carom_random random;
    carom_random_start(&random, seed);
    printf("seed %" PRIu64 "\n", seed);
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        for (size_t width = 1; width <= 3; width += 2) {
            struct contact c;
            double least = 0.0;
            for (int damped = 0; damped < 2; damped++) {
                prepare(&c, i, width, 0.4, 0.5 * damped, 0.02 * damped);
                if (c.law->spring)
                    test_cone(&c, &random);
                if (c.law->spring)
                    test_energy(&c, &random, laws[i].potential);
                if (width == 3)
                    test_turned(&c, &random);
                for (int path = 0; path < 10; path++)
                    least = fmin(least, test_path(&c, &random, laws[i].form == 1.0));
            }
            CHECK(laws[i].creates || least > -1e-6);
            if (c.law->spring) {
                prepare(&c, i, width, 1e6, 0.0, 0.0);
                const double created = fmax(test_cycle(&c, false), test_cycle(&c, true));
                printf("%-15s form %g width %zu: created along paths %.2g, in a cycle %.2g\n", c.law->kind.name,
                       laws[i].form, width, -least, created);
                CHECK(laws[i].creates ? created > 1e-2 : created < 1e-9);
            }
            test_ends(i, width, &random);
        }
    return check_end();
}
