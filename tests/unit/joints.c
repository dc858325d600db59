/* Joints: rates of their rows against differences of their gaps, wherever bodies stand, and who is held. */
#include "model/bodies/joints.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"
#include "bodies.h"
#include "check.h"
#include "runs.h"

static void draw(struct carom_random *random, size_t n, double scale, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = scale * carom_random_normal(random);
}

static void draw_joint(struct carom_random *random, size_t dimension, struct carom_joint *joint)
{
    draw(random, 3, 1.0, joint->at[0]);
    draw(random, 3, 1.0, joint->at[1]);
    draw(random, 3, joint->kind == CAROM_JOINT_DISTANCE ? 3.0 : 0.0, joint->apart);
    draw(random, 3, 1.0, joint->axis);
    if (dimension == 2)
        joint->at[0][2] = joint->at[1][2] = joint->apart[2] = joint->axis[2] = 0.0;
    const double length = carom_vec_norm(joint->axis);
    for (int k = 0; k < 3; k++)
        joint->axis[k] /= length;
}

static double rate_of(const struct carom_joint_row *row, const double *v, size_t nv)
{
    double rate = 0.0;
    for (size_t k = 0; k < 2 * nv; k++)
        rate += row->of[k / nv][k % nv] * v[k];
    return rate;
}

/* rows whose gap has its rate everywhere: turns of welds and sliders have it where they are closed */
static void check_rows(const struct carom_bodies *b, const struct carom_joint *joint, struct carom_random *random)
{
    const size_t nv = carom_bodies_nv(b), points = b->dimension - 1;
    const double h = 1e-5;
    double q[30], ahead[30], back[30], v[12], step[12]; /* of up to three bodies; two of them move */
    struct carom_joint_row row[2][CAROM_JOINT_ROWS + 1], here[CAROM_JOINT_ROWS + 1];
    carom_bodies_rest(b, q);
    draw(random, 2 * nv, 0.4, step);
    carom_bodies_move(b, 0, 2, q, step, q);
    draw(random, 2 * nv, 1.0, v);
    for (int side = 0; side < 2; side++) {
        for (size_t k = 0; k < 2 * nv; k++)
            step[k] = (side ? h : -h) * v[k];
        carom_bodies_move(b, 0, 2, q, step, side ? ahead : back);
        carom_joints_rows(b, joint, side ? ahead : back, row[side]);
    }
    size_t n = carom_joints_rows(b, joint, q, here);
    CHECK(n == carom_joints_count(b->dimension, joint));
    n = joint->kind == CAROM_JOINT_SLIDER ? points : joint->kind == CAROM_JOINT_WELD ? b->dimension : n;
    for (size_t i = 0; i < n; i++)
        CHECK_NEAR(rate_of(&here[i], v, nv), (row[1][i].gap - row[0][i].gap) / (2.0 * h), 1e-7);
    if (joint->kind != CAROM_JOINT_SLIDER && joint->kind != CAROM_JOINT_DISTANCE && b->dimension == 3)
        return;
    if (joint->kind == CAROM_JOINT_BALL || joint->kind == CAROM_JOINT_WELD)
        return;
    carom_joints_coordinate(b, joint, back, &row[0][0]);
    carom_joints_coordinate(b, joint, ahead, &row[1][0]);
    carom_joints_coordinate(b, joint, q, &here[0]);
    CHECK_NEAR(rate_of(&here[0], v, nv), (row[1][0].gap - row[0][0].gap) / (2.0 * h), 1e-7);
}

/* a motor that keeps its speed whatever it takes, against the limit of its joint, alone and in an assembly */
static void check_against_limits(void)
{
    static const char *const joints[] = {
        "hinge: {bodies: [rod, world], at: [0, 0], limits: [-0.2, 0.2], speed: 1}",
        "hinge: {bodies: [rod, world], at: [0, 0], limits: [-0.2, 0.2]}, hinge: {bodies: [arm, rod], at: [1, 0], "
        "limits: [-0.1, 0.1], speed: 1}"};
    static const char *const told[] = {"moreau-jean: the motor of joint 1 drives joint 1 against its limit at t = 0.2",
                                       "moreau-jean: the motor of joint 2 drives joint 2 against its limit at t = 0.1"};
    for (size_t i = 0; i < 2; i++) {
        char text[1000];
        struct carom_error error = {CAROM_OK, ""};
        snprintf(text, sizeof text,
                 "units: none\ntheory: nonsmooth\nbodies: [box: {name: rod, at: [0.5, 0], size: [1, 0.1], mass: 1}, "
                 "box: {name: arm, at: [1.5, 0], size: [1, 0.1], mass: 1}]\njoints: [%s]\n"
                 "run: {until: 1, scheme: moreau-jean, step: 1e-3}\n",
                 joints[i]);
        struct carom_sim *sim = runs_sim(text);
        CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_E_NUMERIC);
        CHECK_CONTAINS(error.text, told[i]);
        carom_sim_free(sim);
    }
}

int main(int argc, char **argv)
{
    check_against_limits();
    struct carom_random random;
    struct carom_error error;
    const double param[] = {0.5, 1.0, 1.5, 0.0, 0.0};
    carom_random_start(&random, check_seed(argc, argv));
    for (size_t dimension = 2; dimension <= 3; dimension++) {
        struct carom_bodies *b = bodies_of(dimension, 3, 0, &carom_law_rigid, CAROM_END_GAP, param);
        b->joint = carom_memory_zeroed(1, sizeof *b->joint);
        b->njoints = 1;
        b->joint->body[1] = 1;
        for (size_t i = 0; i < 3; i++)
            bodies_ball(b, i, 1.0, 1.0, 3.0 * (double)i, 0.0, 0.0);
        CHECK(carom_bodies_finish(b, &error) == CAROM_OK);
        CHECK(carom_joints_join(b, 0, 1) && carom_joints_join(b, 1, 0) && !carom_joints_join(b, 1, 2));
        for (int i = 0; i < 500; i++) {
            b->joint->kind = (enum carom_joint_kind)(i % CAROM_JOINTS);
            if (dimension == 2 && b->joint->kind == CAROM_JOINT_BALL)
                continue;
            draw_joint(&random, dimension, b->joint);
            check_rows(b, b->joint, &random);
        }
        b->joint->body[0] = 1;
        CHECK(carom_bodies_finish(b, &error) == CAROM_E_INPUT);
        carom_bodies_free(b);
    }
    return check_end();
}
