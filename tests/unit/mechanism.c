/* Mechanisms: a rocking block keeps its energy and loses Housner's share at a change of foot; joints are held (a
 * pendulum in Cartesian coordinates swings like one by its angle) and impulses respect them; wrong mechanisms are
 * refused with the equation or joint at fault; pictures of machines agree with their distances. */
#include "base/memory.h"
#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "model/mechanism/machine.h"

/* --- rocking block ---------------------------------------------------------------------------------------------- */

static void *block(double width, double height)
{
    const struct carom_machine *machine = &carom_machine_rocking_block;
    const double zero[2] = {0.0, 0.0};
    void *own = carom_memory_zeroed(1, machine->kind.size);
    CHECK_OR_STOP(own != NULL);
    carom_param_defaults(&machine->kind, own);
    carom_param_store(carom_param_find(machine->kind.params, "width"), own, width);
    carom_param_store(carom_param_find(machine->kind.params, "height"), own, height);
    struct carom_mechanism mechanism = machine->mechanism;
    mechanism.own = own;
    mechanism.release = carom_memory_free;
    return carom_mechanism_create(&mechanism, zero, zero, NULL);
}

static double total_energy(const void *part, const double *q, const double *v)
{
    double kinetic, stored;
    carom_part_mechanism.energy(part, 0.0, q, v, NULL, &kinetic, &stored);
    return kinetic + stored;
}

static void test_block_energy(struct carom_random *random)
{
    for (int trial = 0; trial < 200; trial++) {
        void *part = block(0.5 + carom_random_uniform(random), 1.0 + 3.0 * carom_random_uniform(random));
        const double side = trial % 2 ? 1.0 : -1.0;
        const double q[2] = {carom_random_normal(random), side * (0.1 + carom_random_uniform(random))};
        const double v[2] = {carom_random_normal(random), carom_random_normal(random)};
        double f[2], a[2], e[4];
        carom_part_mechanism.force(part, 0.0, q, v, NULL, f);
        carom_part_mechanism.mass_solve(part, q, f, a);
        const double h = 1e-3, at[4] = {-2.0 * h, -h, h, 2.0 * h};
        for (int i = 0; i < 4; i++) {
            const double s = at[i], x[2] = {q[0] + s * v[0], q[1] + s * v[1]},
                         w[2] = {v[0] + s * a[0], v[1] + s * a[1]};
            e[i] = total_energy(part, x, w);
        }
        CHECK_NEAR((8.0 * (e[2] - e[1]) - (e[3] - e[0])) / (12.0 * h), 0.0, 1e-8);
        carom_part_mechanism.release(part);
    }
}

/* the left foot strikes while the block turns about the right one */
static void test_housner(void)
{
    for (double width = 0.1; width < 3.0; width *= 1.7) {
        const double height = 2.0, half = 0.5 * width, alpha = atan2(width, height);
        void *part = block(width, height);
        const double q[2] = {0.0, 0.0}, before[2] = {-half * 0.7, -0.7};
        struct carom_port port;
        double answer[2];
        carom_part_mechanism.port(part, 0, 0.0, q, &port);
        carom_part_mechanism.mass_solve(part, q, port.slope, answer);
        const double rate = port.slope[0] * before[0] + port.slope[1] * before[1];
        const double impulse = -rate / (port.slope[0] * answer[0] + port.slope[1] * answer[1]);
        CHECK(rate < 0.0);
        CHECK_NEAR((before[1] + impulse * answer[1]) / before[1], 1.0 - 1.5 * sin(alpha) * sin(alpha), 1e-14);
        carom_part_mechanism.release(part);
    }
}

/* --- joints ----------------------------------------------------------------------------------------------------- */

struct bob {
    double mass, gravity, length;
    int joints;    /* 2: the same one twice */
    double broken; /* what the mass is multiplied by */
    double noise;  /* added to the force */
};

static void bob_mass(const void *own, const double *q, double *m)
{
    const struct bob *b = own;
    (void)q;
    m[0] = b->mass;
    m[3] = b->mass * b->broken;
    m[1] = m[2] = 0.0;
}

static void bob_force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct bob *b = own;
    (void)t;
    (void)q;
    (void)v;
    f[0] = 0.0;
    f[1] = -b->mass * b->gravity + b->noise;
}

static double bob_joint(const void *own, size_t i, double t, const double *q)
{
    const struct bob *b = own;
    (void)t;
    return (1.0 + (double)i) * (q[0] * q[0] + q[1] * q[1] - b->length * b->length);
}

static double bob_stored(const void *own, double t, const double *q)
{
    const struct bob *b = own;
    (void)t;
    return b->mass * b->gravity * q[1];
}

static struct carom_mechanism bob_mechanism(struct bob *b)
{
    return (struct carom_mechanism){.name = "bob",
                                    .n = 2,
                                    .njoints = (size_t)b->joints,
                                    .constant_mass = true,
                                    .own = b,
                                    .mass = bob_mass,
                                    .force = bob_force,
                                    .joint = bob_joint,
                                    .stored = bob_stored};
}

static void bob_slope(const void *own, size_t i, double t, const double *q, double *slope, double *drift)
{
    (void)own, (void)t;
    slope[0] = (1.0 + (double)i) * 2.0 * q[0];
    slope[1] = (1.0 + (double)i) * 2.0 * q[1];
    *drift = 0.0;
}

static void bob_joints(const void *own, double t, const double *q, double *value, double *slope, double *drift)
{
    value[0] = bob_joint(own, 0, t, q);
    bob_slope(own, 0, t, q, slope, drift);
}

static struct carom_sim *simulate(const struct carom_mechanism *mechanism, const double *q, const double *v)
{
    struct carom_model *model = carom_model_create();
    void *part = carom_mechanism_create(mechanism, q, v, NULL);
    CHECK_OR_STOP(model && part && carom_model_add(model, &carom_part_mechanism, part, NULL) == CAROM_OK &&
                  carom_model_finish(model, NULL) == CAROM_OK);
    void *options = carom_options_create(&carom_scheme_dp5.kind);
    CHECK_STATUS(carom_options_set(&carom_scheme_dp5.kind, options, "tol", 1e-10, NULL), CAROM_OK);
    const struct carom_setup setup = {
        .model = model, .scheme = &carom_scheme_dp5, .options = options, .q = q, .v = v, .until = 3.0};
    struct carom_sim *sim = carom_sim_create(&setup, NULL);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    carom_sim_sync(sim);
    return sim;
}

static void by_angle_mass(const void *own, const double *q, double *m)
{
    const struct bob *b = own;
    (void)q;
    m[0] = b->mass * b->length * b->length;
}

static void by_angle_force(const void *own, double t, const double *q, const double *v, double *f)
{
    const struct bob *b = own;
    (void)t;
    (void)v;
    f[0] = -b->mass * b->gravity * b->length * sin(q[0]);
}

static void test_joint(void)
{
    struct bob b = {.mass = 2.0, .gravity = 9.0, .length = 1.5, .joints = 1, .broken = 1.0};
    const double angle = 0.9, rate = -0.4;
    const double q[2] = {b.length * sin(angle), -b.length * cos(angle)};
    const double v[2] = {b.length * cos(angle) * rate, b.length * sin(angle) * rate};
    struct carom_mechanism mechanism = bob_mechanism(&b);
    const struct carom_mechanism by_angle = {
        .n = 1, .constant_mass = true, .own = &b, .mass = by_angle_mass, .force = by_angle_force};
    struct carom_sim *one = simulate(&mechanism, q, v), *two = simulate(&by_angle, &angle, &rate);
    CHECK_NEAR(one->view->q[0], b.length * sin(two->view->q[0]), 1e-8);
    CHECK_NEAR(one->view->q[1], -b.length * cos(two->view->q[0]), 1e-8);
    CHECK_NEAR(bob_joint(&b, 0, 0.0, one->view->q), 0.0, 1e-7);
    carom_sim_free(one);
    carom_sim_free(two);

    /* joints told at once are the same ones */
    struct carom_mechanism single = mechanism, at_once = mechanism;
    single.joint_slope = bob_slope;
    at_once.joint = NULL;
    at_once.joints = bob_joints;
    one = simulate(&single, q, v), two = simulate(&at_once, q, v);
    for (int k = 0; k < 2; k++)
        CHECK(one->view->q[k] == two->view->q[k] && one->view->v[k] == two->view->v[k]);
    carom_sim_free(one);
    carom_sim_free(two);

    /* an impulse moves along the circle only; projection brings back what has left it */
    void *part = carom_mechanism_create(&mechanism, q, v, NULL);
    CHECK_OR_STOP(part != NULL);
    const double impulse[2] = {1.0, -2.0};
    double change[2], off[2] = {q[0] * 1.01, q[1] * 0.995}, fast[2] = {v[0] + 0.1, v[1]};
    carom_part_mechanism.mass_solve(part, q, impulse, change);
    CHECK_NEAR(change[0] * q[0] + change[1] * q[1], 0.0, 1e-12);
    CHECK(fabs(change[0]) > 0.1);
    carom_part_mechanism.project(part, 0.0, off, fast);
    CHECK_NEAR(bob_joint(&b, 0, 0.0, off), 0.0, 1e-12);
    CHECK_NEAR(off[0] * fast[0] + off[1] * fast[1], 0.0, 1e-12);
    carom_part_mechanism.release(part);
}

/* --- refusals --------------------------------------------------------------------------------------------------- */

static void refuse(struct bob b, const double *q, const double *v, const char *words)
{
    struct carom_error error = {0};
    const struct carom_mechanism mechanism = bob_mechanism(&b);
    CHECK(carom_mechanism_create(&mechanism, q, v, &error) == NULL);
    CHECK_CONTAINS(error.text, words);
}

static void test_refusals(void)
{
    const struct bob good = {.mass = 1.0, .gravity = 9.0, .length = 1.0, .joints = 1, .broken = 1.0};
    const double q[2] = {1.0, 0.0}, still[2] = {0.0, 0.0}, off[2] = {1.1, 0.0}, outward[2] = {0.5, 0.0};
    struct bob b = good;
    b.broken = 0.0;
    refuse(b, q, still, "mass matrix is singular or not positive, at equation 2");
    b.broken = nan("");
    refuse(b, q, still, "mass[2][2] is not finite");
    b = good;
    b.noise = nan("");
    refuse(b, q, still, "the force in equation 2 is not finite");
    b = good;
    b.joints = 2;
    refuse(b, q, still, "joint 2 repeats or contradicts");
    refuse(good, off, still, "joint 1 is 0.21 at the start");
    refuse(good, q, outward, "the rate of joint 1 is 1 at the start");
    const double lost[2] = {nan(""), 0.0};
    refuse(good, lost, still, "coordinate 1 or its velocity is not finite");
}

static double height(const void *own, size_t i, double t, const double *q)
{
    (void)own, (void)t;
    return (double)i + q[1];
}

static double unsure(const void *own, size_t i, double t, const double *q)
{
    (void)own, (void)t;
    return i == 1 ? nan("") : q[1];
}

static void lopsided_mass(const void *own, const double *q, double *m)
{
    bob_mass(own, q, m);
    m[1] = 0.25;
}

static void refuse_shape(struct carom_mechanism mechanism, const char *sentence)
{
    struct carom_error error = {0};
    const double q[2] = {1.0, 0.0}, still[2] = {0.0, 0.0};
    CHECK(carom_mechanism_create(&mechanism, q, still, &error) == NULL);
    CHECK_TEXT(error.text, sentence);
}

/* sizes and functions that do not go together, before any function is called */
static void test_shapes(void)
{
    struct bob b = {.mass = 1.0, .gravity = 9.0, .length = 1.0, .joints = 1, .broken = 1.0};
    const struct carom_link far = {.distance = 2};
    const struct carom_mechanism good = bob_mechanism(&b);
    struct carom_mechanism m = good;
    m.n = 0;
    m.njoints = 0;
    refuse_shape(m, "bob: a mechanism has 1 to 32 coordinates and at most as many joints, not 0 and 0");
    m.n = 33;
    refuse_shape(m, "bob: a mechanism has 1 to 32 coordinates and at most as many joints, not 33 and 0");
    m.n = 2;
    m.njoints = 3;
    refuse_shape(m, "bob: a mechanism has 1 to 32 coordinates and at most as many joints, not 2 and 3");
    m = good;
    m.mass = NULL;
    m.name = NULL;
    refuse_shape(m, "mechanism: the function for its mass matrix is missing");
    m = good;
    m.joint = NULL;
    refuse_shape(m, "bob: the function for its joints is missing");
    m.ndistances = 1;
    refuse_shape(m, "bob: the function for its distances is missing");
    m = good;
    m.ndistances = 2;
    m.distance = unsure;
    m.nlinks = 1;
    m.link = &far;
    refuse_shape(m, "bob: link 1 acts on distance 3, there are 2");
    m.nlinks = 0;
    refuse_shape(m, "bob: distance 2 or its slope is not finite at t = 0");
    m.distance = height;
    m.slip = unsure;
    refuse_shape(m, "bob: slip 2 or its slope is not finite at t = 0");
    m = good;
    m.mass = lopsided_mass;
    refuse_shape(m, "bob: the mass matrix is not symmetric: [1][2] is 0.25, [2][1] is 0");
}

/* --- masses that change with place ------------------------------------------------------------------------------- */

/* a point on the surface z = x y + x^2: what it has of kinetic energy stays */
static void slide_mass(const void *own, const double *q, double *m)
{
    (void)own;
    const double zx = q[1] + 2.0 * q[0], zy = q[0];
    m[0] = 1.0 + zx * zx;
    m[1] = m[2] = zx * zy;
    m[3] = 1.0 + zy * zy;
}

static double slide_energy(const double *q, const double *v)
{
    double m[4];
    slide_mass(NULL, q, m);
    return 0.5 * (m[0] * v[0] * v[0] + 2.0 * m[1] * v[0] * v[1] + m[3] * v[1] * v[1]);
}

static void test_sliding(void)
{
    const struct carom_mechanism slide = {.n = 2, .mass = slide_mass};
    const double q[2] = {0.3, -0.5}, v[2] = {-0.4, 0.7};
    struct carom_sim *sim = simulate(&slide, q, v);
    CHECK_NEAR(slide_energy(sim->view->q, sim->view->v), slide_energy(q, v), 1e-8);
    CHECK(fabs(sim->view->q[0] - q[0]) > 0.3);
    carom_sim_free(sim);
}

/* --- what machines look like -------------------------------------------------------------------------------------- */

static double left_of(const struct carom_outline *surface, double x, double y)
{
    const double ux = surface->b[0] - surface->a[0], uy = surface->b[1] - surface->a[1];
    return (ux * (y - surface->a[1]) - uy * (x - surface->a[0])) / hypot(ux, uy);
}

/* the least distance of a disc or bar from a surface */
static double clearance(const struct carom_outline *surface, const struct carom_outline *body)
{
    const double x = body->b[0] - body->a[0], y = body->b[1] - body->a[1], length = hypot(x, y);
    if (body->kind == CAROM_OUTLINE_DISC)
        return left_of(surface, body->a[0], body->a[1]) - 0.5 * body->width;
    double least = HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        const double *end = i < 2 ? body->a : body->b, half = (i % 2 ? 0.5 : -0.5) * body->width / length;
        least = fmin(least, left_of(surface, end[0] - half * y, end[1] + half * x));
    }
    return least;
}

/* What touches in the picture touches in the equations: bodies, or rods where there are no others, are as far from the
 * nearest surface as the smallest distance says. */
static void test_outlines(struct carom_random *random)
{
    for (size_t m = 0; carom_machines_list[m]; m++) {
        const struct carom_machine *machine = carom_machines_list[m];
        const struct carom_param *wall = carom_param_find(machine->kind.params, "wall"),
                                 *slope = carom_param_find(machine->kind.params, "slope");
        void *own = carom_memory_zeroed(1, machine->kind.size);
        CHECK_OR_STOP(own != NULL);
        carom_param_defaults(&machine->kind, own);
        if (wall)
            carom_param_store(wall, own, 0.3);
        if (slope)
            carom_param_store(slope, own, 0.4);
        for (int trial = 0; trial < 50; trial++) {
            struct carom_outline part[CAROM_OUTLINE_PARTS];
            double q[3], gap = HUGE_VAL, seen[2] = {HUGE_VAL, HUGE_VAL}; /* of rods; of bodies */
            for (int k = 0; k < 3; k++)
                q[k] = 0.05 + carom_random_uniform(random); /* pendulums to the right: their ends are nearest */
            for (size_t i = 0; i < machine->mechanism.ndistances; i++)
                gap = fmin(gap, machine->mechanism.distance(own, i, 0.0, q));
            const size_t n = machine->outline(own, 0.0, q, 2.0, part);
            CHECK(n <= CAROM_OUTLINE_PARTS);
            for (size_t i = 0; i < n * n; i++) {
                const struct carom_outline *surface = &part[i / n], *body = &part[i % n];
                const bool bodily = body->kind == CAROM_OUTLINE_DISC || body->kind == CAROM_OUTLINE_BAR;
                if (surface->kind == CAROM_OUTLINE_SURFACE && bodily)
                    seen[body->width > 0.0] = fmin(seen[body->width > 0.0], clearance(surface, body));
            }
            CHECK_NEAR(isfinite(seen[1]) ? seen[1] : seen[0], gap, 1e-12);
        }
        carom_memory_free(own);
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    test_block_energy(&random);
    test_housner();
    test_joint();
    test_sliding();
    test_refusals();
    test_shapes();
    test_outlines(&random);
    return check_end();
}
