/* Boxes and cylinders that move freely: how they turn by themselves, what a ball does to them, and which walls they
 * must not come to. */
#include "base/quat.h"
#include "base/random.h"
#include "bodies.h"
#include "model/bodies/meet.h"
#include "model/bodies/move.h"
#include "model/bodies/tumble.h"
#include "model/bodies/walls.h"

#include <string.h>

static const double hertz[] = {1e7};

/* a box, or a cylinder about its own z, of mass 1 unless more; size: half edges, or radius and half height */
static void solid_wall(struct carom_bodies *b, size_t i, enum carom_surface surface, double mass, const double size[3],
                       const double at[3])
{
    struct carom_body *body = &b->body[i];
    body->surface = surface;
    body->mass = mass;
    memcpy(body->size, size, sizeof body->size);
    memcpy(body->at, at, sizeof body->at);
    for (int k = 0; k < 3; k++) {
        const double one = size[(k + 1) % 3], other = size[(k + 2) % 3];
        body->moments[k] = mass * (one * one + other * other) / 3.0;
    }
    if (surface == CAROM_CYLINDER) {
        body->moments[0] = body->moments[1] = mass * (0.25 * size[0] * size[0] + size[2] * size[2] / 3.0);
        body->moments[2] = 0.5 * mass * size[0] * size[0];
    }
    body->inertia =
        b->dimension == 2 ? body->moments[2] : fmin(body->moments[0], fmin(body->moments[1], body->moments[2]));
    if (b->dimension == 2)
        memset(body->moments, 0, sizeof body->moments);
}

static struct carom_sim *begin(struct carom_bodies *b, const double *v, bool fixed_step, double value, double until)
{
    return bodies_sim(b, v, fixed_step ? &carom_scheme_verlet : &carom_scheme_dp5, fixed_step ? "step" : "tol", value,
                      until);
}

/* what all bodies have together: momentum, angular momentum about the origin */
static void momenta(const struct carom_sim *sim, double linear[3], double angular[3])
{
    const struct carom_bodies *b = carom_model_bodies(sim->model);
    const size_t nv = carom_bodies_nv(b), nq = carom_bodies_nq(b), d = b->dimension;
    memset(linear, 0, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        const double *w = sim->view->v + i * nv;
        double x[3], p[3] = {0.0}, l[3], own[3] = {0.0, 0.0, body->inertia * w[2]};
        carom_bodies_centre(b, i, sim->view->q, x);
        for (size_t k = 0; k < d; k++)
            p[k] = body->mass * w[k];
        x[2] = d == 2 ? 0.0 : x[2];
        carom_vec_cross(x, p, l);
        for (size_t k = 0; k < 3 && d == 3; k++)
            own[k] = body->inertia * w[3 + k];
        if (body->moments[0] > 0.0)
            carom_tumble_scale(body, false, sim->view->q + i * nq + 3, w + 3, own);
        for (int k = 0; k < 3; k++) {
            linear[k] += p[k];
            angular[k] += l[k] + own[k];
        }
    }
}

/* --- by themselves ----------------------------------------------------------------------------------------------- */

/* where the axis of a cylinder that turns freely points at `until`: off by so much from the closed form, in which it
 * goes about the angular momentum L at the rate |L| / I1 */
static double precession(bool fixed_step, double value, double *kept)
{
    const double size[3] = {0.5, 0.0, 1.0}, at[3] = {0.0, 0.0, 0.0}, until = 3.0, spin[3] = {1.0, 0.5, 3.0};
    struct carom_bodies *b = bodies_of(3, 2, 0, &carom_law_hertz, CAROM_END_GAP, hertz);
    double v[12] = {0.0}, momentum[3], axis[3] = {0.0, 0.0, 1.0}, closed[3], now[3], turn[4], linear[3], angular[3];
    const double still[4] = {1.0, 0.0, 0.0, 0.0};
    solid_wall(b, 0, CAROM_CYLINDER, 1.0, size, at);
    bodies_ball(b, 1, 0.5, 1.0, 10.0, 0.0, 0.0);
    const struct carom_body body = b->body[0];
    memcpy(v + 3, spin, sizeof spin);
    carom_tumble_scale(&body, false, still, spin, momentum);
    for (int k = 0; k < 3; k++)
        now[k] = momentum[k] * until / body.moments[0];
    carom_move_turn(now, turn);
    carom_quat_turn(turn, axis, closed);
    struct carom_sim *sim = begin(b, v, fixed_step, value, until);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    carom_quat_turn(sim->view->q + 3, axis, now);
    momenta(sim, linear, angular);
    *kept = 0.0;
    double off = 0.0;
    for (int k = 0; k < 3; k++) {
        off = fmax(off, fabs(now[k] - closed[k]));
        *kept = fmax(*kept, fabs(angular[k] - momentum[k]));
    }
    CHECK_NEAR(bodies_ledger(sim).residual, 0.0, fixed_step ? 1e-2 * value : 1e-7);
    carom_sim_free(sim);
    return off;
}

static void test_free(void)
{
    double kept;
    CHECK_NEAR(precession(false, 1e-9, &kept), 0.0, 1e-8);
    CHECK_NEAR(kept, 0.0, 1e-8);
    const double coarse = precession(true, 2e-3, &kept);
    CHECK_NEAR(kept, 0.0, 1e-12);
    const double fine = precession(true, 1e-3, &kept);
    CHECK_NEAR(kept, 0.0, 1e-12);
    CHECK_NEAR(coarse / fine, 4.0, 0.02);
}

/* --- struck ------------------------------------------------------------------------------------------------------ */

/* A ball meets the face of a box `beside` its middle: the impulse 2 v / (1/m + 1/M + s^2/I). The harder the contact,
 * the nearer. */
static double strike(size_t dimension, bool fixed_step, double k, double beside)
{
    const double size[3] = {0.5, 1.0, dimension == 2 ? 0.0 : 0.75}, at[3] = {0.0, 0.0, 0.0}, param[] = {k};
    struct carom_bodies *b = bodies_of(dimension, 2, 0, &carom_law_hertz, CAROM_END_GAP, param);
    double v[12] = {0.0};
    solid_wall(b, 1, CAROM_BOX, 3.0, size, at);
    bodies_ball(b, 0, 0.5, 1.0, -1.05, beside, 0.0);
    const double inertia = dimension == 2 ? b->body[1].inertia : b->body[1].moments[2];
    const double impulse = 2.0 / (1.0 + 1.0 / 3.0 + beside * beside / inertia);
    v[0] = 1.0;
    struct carom_sim *sim = begin(b, v, fixed_step, fixed_step ? 1.0 / sqrt(k) : 1e-8, 0.2);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    const double *w = sim->view->v, *box = w + (dimension == 2 ? 3 : 6);
    CHECK_NEAR(w[0], 1.0 - impulse, 1e-3);
    CHECK_NEAR(box[0], impulse / 3.0, 1e-3);
    const double off = fabs(box[dimension == 2 ? 2 : 5] + beside * impulse / inertia);
    CHECK_NEAR(off, 0.0, 1e-3);
    carom_sim_free(sim);
    return off;
}

static void test_strike(void)
{
    for (size_t dimension = 2; dimension < 4; dimension++)
        for (int fixed_step = 0; fixed_step < 2; fixed_step++)
            CHECK(strike(dimension, fixed_step, 1e9, 0.4) < strike(dimension, fixed_step, 1e7, 0.4));
}

/* balls, a box and a cylinder strike each other, with friction or without; v: what comes out */
static void crowd(size_t dimension, bool rough, bool fixed_step, double value, double skin, double *v)
{
    const double size[3] = {0.5, 1.0, dimension == 2 ? 0.0 : 0.7}, other[3] = {0.4, 0.5, dimension == 2 ? 0.0 : 0.6};
    const double at[3] = {0.0, 0.0, 0.0}, there[3] = {2.5, 0.3, 0.0}, rub[] = {0.3, 0.0, 1e6, 1e-5};
    struct carom_bodies *b = bodies_of(dimension, 4, 0, &carom_law_hertz, CAROM_END_GAP, hertz);
    const size_t nv = carom_bodies_nv(b);
    double before[2][3], after[2][3], size_of[2] = {0.0, 0.0};
    b->pairing[0].friction = rough ? &carom_friction_cundall_strack : NULL;
    for (int i = 0; i < 4; i++)
        b->pairing[0].rub[i].param = rub[i];
    b->skin = skin;
    solid_wall(b, 0, CAROM_BOX, 3.0, size, at);
    solid_wall(b, 1, dimension == 2 ? CAROM_BOX : CAROM_CYLINDER, 2.0, other, there);
    bodies_ball(b, 2, 0.4, 1.0, -1.2, 0.6, dimension == 2 ? 0.0 : 0.2);
    bodies_ball(b, 3, 0.3, 0.5, 1.2, -0.1, dimension == 2 ? 0.0 : 0.3);
    memset(v, 0, 24 * sizeof *v);
    v[2 * nv] = 3.0;
    v[3 * nv] = 4.0;
    v[nv - 1] = 0.3;
    v[2 * nv - 1] = v[3 * nv - 1] = -2.0;
    struct carom_sim *sim = begin(b, v, fixed_step, value, 0.6);
    CHECK_OR_STOP(sim != NULL);
    carom_sim_sync(sim);
    momenta(sim, before[0], before[1]);
    bodies_run(sim);
    momenta(sim, after[0], after[1]);
    CHECK_NEAR(bodies_ledger(sim).residual, 0.0, fixed_step ? 2e-3 : 1e-7);
    CHECK(!rough || bodies_ledger(sim).dissipated > 1e-3);
    for (int what = 0; what < 2; what++)
        for (int k = 0; k < 3; k++)
            size_of[what] = fmax(size_of[what], fabs(before[what][k]));
    for (int what = 0; what < 2; what++)
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(after[what][k], before[what][k], 1e-11 * size_of[what] + (fixed_step ? 0.0 : 1e-9 * what));
    memcpy(v, sim->view->v, 4 * nv * sizeof *v);
    carom_sim_free(sim);
}

/* without friction verlet is of second order; with it contacts switch, and it comes near */
static void test_crowd(size_t dimension, bool rough)
{
    double exact[24], coarse[24], fine[24], skinny[24], off[2] = {0.0, 0.0};
    crowd(dimension, rough, false, 1e-8, 0.0, exact);
    crowd(dimension, rough, true, 4e-5, 0.0, coarse);
    crowd(dimension, rough, true, 5e-6, 0.0, fine);
    crowd(dimension, rough, true, 4e-5, 0.3, skinny);
    CHECK(memcmp(coarse, skinny, sizeof coarse) == 0);
    for (int i = 0; i < 24; i++) {
        off[0] = fmax(off[0], fabs(coarse[i] - exact[i]));
        off[1] = fmax(off[1], fabs(fine[i] - exact[i]));
    }
    CHECK_NEAR(off[1], 0.0, 1e-2);
    if (!rough)
        CHECK(off[1] < off[0] / 25.0); /* an eighth of the step: 1/64 but for where in a step contacts begin */
}

/* --- geometry ---------------------------------------------------------------------------------------------------- */

/* normals turn as differences say: faces, edges and corners of a box, side, cap and rim of a cylinder, both turning */
static void test_normals(void)
{
    static const double places[][3] = {{1.0, 0.1, 0.1}, {0.9, 0.7, 0.1}, {0.9, 0.7, 0.65}, {0.1, -0.9, 0.22},
                                       {0.2, 0.3, 1.0}, {0.7, 0.6, 0.9}, {-0.8, 0.2, 0.9}, {0.5, -0.8, -0.1}};
    const double box[3] = {0.6, 0.4, 0.3}, rod[3] = {0.5, 0.0, 0.6}, at[3] = {0.0, 0.0, 0.0}, small = 1e-6;
    for (int surface = CAROM_BOX; surface <= CAROM_CYLINDER; surface++)
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            struct carom_bodies *b = bodies_of(3, 2, 0, &carom_law_hertz, CAROM_END_GAP, hertz);
            const double v[12] = {0.1, -0.2, 0.3, 0.4, -0.7, 0.2, -0.5, 0.6, 0.8, 0.0, 0.0, 0.0};
            const struct carom_contact_key key = {0, 0, 1, 0};
            double q[20], moved[20], by[12], spin[3], turned[3];
            struct carom_meeting m, ahead, back;
            solid_wall(b, 0, (enum carom_surface)surface, 1.0, surface == CAROM_BOX ? box : rod, at);
            bodies_ball(b, 1, 0.5, 1.0, places[i][0], places[i][1], places[i][2]);
            CHECK_STATUS(carom_bodies_finish(b, NULL), CAROM_OK);
            carom_bodies_rest(b, q);
            carom_meet(b, &key, q, &m);
            carom_meet_turn(b, &key, &m, q, v, spin);
            for (int side = -1; side < 2; side += 2) {
                for (int k = 0; k < 12; k++)
                    by[k] = side * small * v[k];
                carom_bodies_move(b, 0, 2, q, by, moved);
                carom_meet(b, &key, moved, side > 0 ? &ahead : &back);
            }
            carom_vec_cross(spin, m.normal, turned);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(turned[k], (ahead.normal[k] - back.normal[k]) / (2.0 * small), 1e-8);
            CHECK_NEAR(carom_vec_dot(spin, m.normal), 0.0, 1e-14);
            carom_bodies_free(b);
        }
}

/* does a box that is free, turned by `angle` about z, touch what stands at a place beside it? */
static bool touches_in(size_t dimension, enum carom_surface surface, bool inside, const double size[3], double x,
                       double y, double z, double angle)
{
    const double box[3] = {0.5, 0.3, dimension == 2 ? 0.0 : 0.2}, at[3] = {0.0, 0.0, 0.0};
    struct carom_bodies *b = bodies_of(dimension, 2, 0, &carom_law_hertz, CAROM_END_GAP, hertz);
    struct carom_body *other = &b->body[1];
    double q[20];
    size_t pair[2];
    solid_wall(b, 0, CAROM_BOX, 1.0, box, at);
    b->body[0].frame[0] = cos(0.5 * angle);
    b->body[0].frame[3] = sin(0.5 * angle);
    other->surface = surface;
    other->inside = inside;
    other->fixed = true;
    other->radius = size[0];
    other->normal[0] = 1.0;
    memcpy(other->size, size, sizeof other->size);
    other->at[0] = x;
    other->at[1] = y;
    other->at[2] = z;
    CHECK_STATUS(carom_bodies_finish(b, NULL), CAROM_OK);
    carom_bodies_rest(b, q);
    const bool touch = carom_walls_touch(b, q, pair);
    CHECK(!touch || (pair[0] == 0 && pair[1] == 1));
    carom_bodies_free(b);
    return touch;
}

static bool touches(enum carom_surface surface, bool inside, const double size[3], double x, double y, double z,
                    double angle)
{
    return touches_in(3, surface, inside, size, x, y, z, angle);
}

/* the same in the plane, where a box has no height */
static void test_flat_walls(void)
{
    const double quarter = 0.78539816339744831, wide = 0.8 * sqrt(0.5), square[3] = {0.5, 0.5, 0.0};
    CHECK(!touches_in(2, CAROM_PLANE, false, square, -0.51, 0.0, 0.0, 0.0) &&
          touches_in(2, CAROM_PLANE, false, square, -0.49, 0.0, 0.0, 0.0));
    CHECK(!touches_in(2, CAROM_BOX, false, square, 0.0, 0.81, 0.0, 0.0) &&
          touches_in(2, CAROM_BOX, false, square, 0.0, 0.79, 0.0, 0.0));
    CHECK(!touches_in(2, CAROM_BOX, false, square, 0.0, 0.51 + wide, 0.0, quarter) &&
          touches_in(2, CAROM_BOX, false, square, 0.0, 0.49 + wide, 0.0, quarter));
    CHECK(!touches_in(2, CAROM_BOX, true, square, 0.0, 0.19, 0.0, 0.0) &&
          touches_in(2, CAROM_BOX, true, square, 0.0, 0.21, 0.0, 0.0));
}

static void test_walls(void)
{
    const double quarter = 0.78539816339744831, wide = 0.8 * sqrt(0.5); /* how far a turned box reaches along x */
    const double cube[3] = {0.5, 0.5, 0.5}, rod[3] = {0.5, 0.0, 0.6}, ball[3] = {0.7, 0.0, 0.0};
    CHECK(!touches(CAROM_PLANE, false, cube, -0.51, 0.0, 0.0, 0.0) &&
          touches(CAROM_PLANE, false, cube, -0.49, 0.0, 0.0, 0.0));
    CHECK(!touches(CAROM_PLANE, false, cube, -wide - 0.01, 0.0, 0.0, quarter) &&
          touches(CAROM_PLANE, false, cube, -wide + 0.01, 0.0, 0.0, quarter));
    CHECK(!touches(CAROM_BOX, false, cube, 0.0, 0.81, 0.0, 0.0) &&
          touches(CAROM_BOX, false, cube, 0.0, 0.79, 0.0, 0.0));
    CHECK(!touches(CAROM_BOX, false, cube, 0.0, 0.51 + wide, 0.0, quarter) &&
          touches(CAROM_BOX, false, cube, 0.0, 0.49 + wide, 0.0, quarter));
    CHECK(!touches(CAROM_BOX, true, cube, 0.0, 0.0, 0.0, 0.0) && touches(CAROM_BOX, true, cube, 0.0, 0.21, 0.0, 0.0));
    CHECK(!touches(CAROM_CYLINDER, false, rod, 1.01, 0.0, 0.0, 0.0) &&
          touches(CAROM_CYLINDER, false, rod, 0.99, 0.0, 0.0, 0.0));
    CHECK(!touches(CAROM_CYLINDER, false, rod, 0.0, 0.0, 0.81, 0.0) &&
          touches(CAROM_CYLINDER, false, rod, 0.0, 0.0, 0.79, 0.0));
    const double round = sqrt(0.34); /* to the edges of the box; to its corners sqrt(0.38) */
    CHECK(!touches(CAROM_CYLINDER, true, (const double[3]){round + 0.01, 0.0, 0.6}, 0.0, 0.0, 0.0, 0.3) &&
          touches(CAROM_CYLINDER, true, (const double[3]){round - 0.01, 0.0, 0.6}, 0.0, 0.0, 0.0, 0.3));
    CHECK(!touches(CAROM_BALL, true, ball, 0.0, 0.0, 0.0, 0.3) && touches(CAROM_BALL, true, ball, 0.1, 0.0, 0.0, 0.3));
}

/* half the width along a direction, of a box or a cylinder that is turned */
static double half_width(const struct carom_body *body, const double along[3])
{
    double own[3];
    carom_quat_turn_back(body->frame, along, own);
    return body->surface == CAROM_BOX
               ? fabs(own[0]) * body->size[0] + fabs(own[1]) * body->size[1] + fabs(own[2]) * body->size[2]
               : hypot(own[0], own[1]) * body->size[0] + fabs(own[2]) * body->size[2];
}

/* what the line between their centres tells apart does not touch, however both are turned; what is nearer than the
 * largest balls inside of them does */
static void test_centre_lines(void)
{
    struct carom_random random;
    size_t close = 0;
    carom_random_start(&random, 11);
    for (int round = 0; round < 3000; round++) {
        struct carom_bodies *b = bodies_of(3, 2, 0, &carom_law_hertz, CAROM_END_GAP, hertz);
        double line[3], q[20], at[3];
        size_t pair[2];
        for (int k = 0; k < 3; k++)
            line[k] = carom_random_normal(&random);
        const double norm = carom_vec_norm(line), origin[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 3; k++)
            line[k] /= norm;
        for (size_t i = 0; i < 2; i++) {
            const bool round_one = carom_random_uniform(&random) < 0.7;
            const double wide = 0.2 + carom_random_uniform(&random);
            const double size[3] = {wide, round_one ? wide : 0.2 + carom_random_uniform(&random),
                                    0.2 + carom_random_uniform(&random)};
            solid_wall(b, i, round_one ? CAROM_CYLINDER : CAROM_BOX, 1.0, size, origin);
            double square = 0.0;
            for (int k = 0; k < 4; k++) {
                b->body[i].frame[k] = carom_random_normal(&random);
                square += b->body[i].frame[k] * b->body[i].frame[k];
            }
            for (int k = 0; k < 4; k++)
                b->body[i].frame[k] /= sqrt(square);
        }
        const double widths = half_width(&b->body[0], line) + half_width(&b->body[1], line);
        const double *one = b->body[0].size, *two = b->body[1].size;
        const double inside = fmin(one[0], fmin(one[1], one[2])) + fmin(two[0], fmin(two[1], two[2]));
        const bool apart = round % 2 == 0;
        for (int k = 0; k < 3; k++)
            at[k] = (apart ? 1.001 * widths : 0.999 * inside) * line[k];
        memcpy(b->body[1].at, at, sizeof at);
        CHECK_STATUS(carom_bodies_finish(b, NULL), CAROM_OK);
        carom_bodies_rest(b, q);
        CHECK(carom_walls_touch(b, q, pair) == !apart);
        close += !apart;
        carom_bodies_free(b);
    }
    CHECK(close > 1000);
}

int main(void)
{
    test_centre_lines();
    test_free();
    test_strike();
    for (size_t dimension = 2; dimension < 4; dimension++) {
        test_crowd(dimension, false);
        test_crowd(dimension, true);
    }
    test_normals();
    test_walls();
    test_flat_walls();
    return check_end();
}
