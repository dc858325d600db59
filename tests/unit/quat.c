/* Vectors and quaternions: against the matrix of a rotation, and lanes against single numbers to the bit. */
#include "base/quat.h"

#include "base/random.h"
#include "check.h"

static void draw(struct carom_random *random, size_t n, double *x)
{
    for (size_t k = 0; k < n; k++)
        x[k] = carom_random_normal(random);
}

static void draw_turn(struct carom_random *random, double tiny, double q[4])
{
    draw(random, 3, q + 1);
    const double size = tiny / fmax(carom_vec_norm(q + 1), 1e-3);
    for (int k = 1; k < 4; k++)
        q[k] *= size;
    q[0] = sqrt(1.0 - carom_vec_dot(q + 1, q + 1));
}

/* Rodrigues: Q - 1 = 2 a [w] + 2 [w]^2 */
static void matrix(const double q[4], double m[3][3])
{
    const double w[3][3] = {{0.0, -q[3], q[2]}, {q[3], 0.0, -q[1]}, {-q[2], q[1], 0.0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double square = 0.0;
            for (int k = 0; k < 3; k++)
                square += w[i][k] * w[k][j];
            m[i][j] = 2.0 * (q[0] * w[i][j] + square);
        }
}

static void check_turn(const double q[4], const double x[3], double tiny)
{
    double m[3][3], shift[3], there[3], back[3];
    matrix(q, m);
    carom_quat_shift(q, x, shift);
    carom_quat_turn(q, x, there);
    carom_quat_turn_back(q, there, back);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(shift[k], carom_vec_dot(m[k], x), 1e-14 * tiny); /* relative to the turn, however small */
        CHECK_NEAR(there[k], x[k] + shift[k], 1e-14);
        CHECK_NEAR(back[k], x[k], 1e-14);
    }
    CHECK_NEAR(carom_vec_norm(there), carom_vec_norm(x), 1e-14);
}

/* a product turns by the second, then by the first */
static void check_product(const double a[4], const double b[4], const double x[3])
{
    double both[4], there[3], one[3], two[3];
    carom_quat_product(a, b, both);
    carom_quat_turn(both, x, there);
    carom_quat_turn(b, x, one);
    carom_quat_turn(a, one, two);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(there[k], two[k], 1e-14);
}

static void check_cross(const double a[3], const double b[3])
{
    double c[3], own[3];
    memcpy(own, a, sizeof own);
    carom_vec_cross(a, b, c);
    carom_vec_cross(own, b, own);
    CHECK(memcmp(c, own, sizeof c) == 0);
    CHECK_NEAR(carom_vec_dot(a, c), 0.0, 1e-14);
    CHECK_NEAR(carom_vec_dot(b, c), 0.0, 1e-14);
    CHECK_NEAR(carom_vec_dot(c, c) + carom_vec_dot(a, b) * carom_vec_dot(a, b),
               carom_vec_dot(a, a) * carom_vec_dot(b, b), 1e-11);
    if (a[2] == 0.0 && b[2] == 0.0)
        CHECK(c[2] == a[0] * b[1] - a[1] * b[0]);
}

static struct carom_lane3 pair_of(const double a[3], const double b[3])
{
    return (struct carom_lane3){{a[0], b[0]}, {a[1], b[1]}, {a[2], b[2]}};
}

static void check_lane(struct carom_lane3 lanes, size_t l, const double x[3], double tolerance)
{
    const double own[3] = {lanes.x[l], lanes.y[l], lanes.z[l]};
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(own[k], x[k], tolerance);
}

/* q: of two bodies; x: two vectors */
static void check_lanes(const double q[2][4], const double x[2][3])
{
    const struct carom_lane3 w = pair_of(q[0] + 1, q[1] + 1), lanes = pair_of(x[0], x[1]);
    const carom_lane a = {q[0][0], q[1][0]}, dot = carom_lane_dot(w, lanes);
    for (size_t l = 0; l < 2; l++) {
        double cross[3], shift[3], b[4] = {0.0, x[l][0], x[l][1], x[l][2]}, mixed[4], whole[4], flex[3];
        const double conjugate[4] = {q[0][0], -q[0][1], -q[0][2], -q[0][3]};
        carom_vec_cross(q[l] + 1, x[l], cross);
        check_lane(carom_lane_cross(w, lanes), l, cross, 0.0);
        CHECK_NEAR(dot[l], carom_vec_dot(q[l] + 1, x[l]), 0.0);
        carom_quat_shift(q[l], x[l], shift);
        check_lane(carom_lane_shift(a, w, lanes), l, shift, 0.0);
        carom_quat_product(q[1], b, mixed);
        carom_quat_product(mixed, conjugate, whole);
        for (int k = 0; k < 3; k++)
            flex[k] = 2.0 * whole[k + 1];
        check_lane(carom_lane_flex((carom_lane){q[0][0], q[0][0]}, pair_of(q[0] + 1, q[0] + 1),
                                   (carom_lane){q[1][0], q[1][0]}, pair_of(q[1] + 1, q[1] + 1), lanes),
                   l, flex, 1e-14);
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    const double ex[3] = {1.0, 0.0, 0.0}, ey[3] = {0.0, 1.0, 0.0};
    check_cross(ex, ey);
    for (int trial = 0; trial < 200; trial++) {
        const double tiny = trial % 2 == 0 ? 0.9 : 1e-9;
        double q[2][4], x[2][3];
        for (size_t i = 0; i < 2; i++) {
            draw_turn(&random, tiny, q[i]);
            draw(&random, 3, x[i]);
            check_turn(q[i], x[i], tiny * 10.0);
        }
        check_cross(x[0], x[1]);
        check_product(q[0], q[1], x[0]);
        check_lanes((const double(*)[4])q, (const double(*)[3])x);
    }
    return check_end();
}
