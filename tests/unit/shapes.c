/* Rigid boxes: gaps of corners and edges against differences, slopes, tipping, towers, momenta, a pyramid's forces. */
#include "model/bodies/shapes.h"
#include "base/vec.h"
#include "bodies.h"
#include "model/bodies/list.h"
#include "model/bodies/tumble.h"
#include "rigid.h"

static struct carom_bodies *make(size_t dimension, size_t n, double e, double mu)
{
    const double param[] = {e, 1.0, 1.5, mu, 0.0};
    struct carom_bodies *b = bodies_of(dimension, n, 0, &carom_law_rigid, CAROM_END_GAP, param);
    if (mu > 0.0)
        b->pairing[0].friction = &carom_friction_coulomb;
    b->pairing[0].rub[0].param = mu;
    return b;
}

/* full edges x, y, z (z only in space); mass 1 times `mass` */
static void box(struct carom_bodies *b, size_t i, double mass, double x, double y, double z)
{
    struct carom_body *body = &b->body[i];
    const double edge[3] = {x, y, z};
    body->surface = CAROM_BOX;
    body->mass = mass;
    for (int k = 0; k < 3; k++) {
        const double one = edge[(k + 1) % 3], other = edge[(k + 2) % 3];
        body->size[k] = 0.5 * edge[k];
        body->moments[k] = mass * (one * one + other * other) / 12.0;
    }
    body->inertia =
        b->dimension == 2 ? body->moments[2] : fmin(body->moments[0], fmin(body->moments[1], body->moments[2]));
    if (b->dimension == 2 || (x == y && y == z))
        memset(body->moments, 0, sizeof body->moments);
}

static void put(struct carom_bodies *b, size_t i, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    memcpy(b->body[i].at, at, sizeof at);
}

static void ground(struct carom_bodies *b, size_t i)
{
    b->body[i].surface = CAROM_PLANE;
    b->body[i].fixed = true;
    b->body[i].normal[b->dimension - 1] = 1.0;
}

/* what sleeps keeps its forces */
static struct play play_tightly(struct carom_bodies *b, const double *v, double step, double until)
{
    return play_bodies_to(b, v, step, 1e-13, until);
}

static double chance(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / 16777216.0 - 0.5;
}

/* Rates by arms and normals are slopes of gaps, in whatever place two boxes that stand anyhow may touch. */
static void slopes_of_gaps(size_t dimension)
{
    uint64_t seed = 11;
    size_t seen = 0, edges = 0;
    for (int round = 0; round < 400; round++) {
        struct carom_bodies *b = make(dimension, 3, 0.5, 0.3);
        box(b, 0, 1.0, 1.0, 0.7, 0.5);
        box(b, 1, 2.0, 0.6, 1.1, 0.9);
        put(b, 1, 0.9 + 0.4 * chance(&seed), chance(&seed), dimension == 3 ? chance(&seed) : 0.0);
        ground(b, 2);
        struct carom_model *model = bodies_model(b);
        double q[30], ahead[30], back[30], v[18], step[18];
        carom_bodies_rest(b, q);
        for (size_t k = 0; k < model->nv; k++)
            step[k] = k >= 2 * model->nv / 3 ? 0.0 : 2.0 * chance(&seed);
        carom_bodies_move(b, 0, 3, q, step, ahead); /* anyhow */
        memcpy(q, ahead, sizeof q);
        for (size_t k = 0; k < model->nv; k++)
            v[k] = k >= 2 * model->nv / 3 ? 0.0 : chance(&seed);
        const double tiny = 1e-6;
        for (size_t k = 0; k < model->nv; k++)
            step[k] = tiny * v[k];
        carom_bodies_move(b, 0, 3, q, step, ahead);
        for (size_t k = 0; k < model->nv; k++)
            step[k] = -tiny * v[k];
        carom_bodies_move(b, 0, 3, q, step, back);
        for (uint32_t other = 1; other < 3; other++) {
            struct carom_contact_key key = {0, 0, other, 0};
            uint32_t feature[CAROM_SHAPES_MOST];
            const size_t n = carom_shapes_places(b, &key, q, feature);
            for (size_t k = 0; n != SIZE_MAX && k < n; k++) {
                struct carom_meeting m, m1, m0;
                double slip[3];
                key.feature = feature[k];
                CHECK(carom_shapes_has(b, 0, other, feature[k]));
                CHECK(k == 0 || feature[k] > feature[k - 1]);
                carom_shapes_meet(b, &key, q, &m);
                carom_shapes_meet(b, &key, ahead, &m1);
                carom_shapes_meet(b, &key, back, &m0);
                const double rate = carom_meet_slip(b, &key, &m, v, slip);
                CHECK_NEAR(carom_vec_norm(m.normal), 1.0, 1e-12);
                CHECK_NEAR((m1.gap - m0.gap) / (2.0 * tiny), rate, 2e-8 * (1.0 + fabs(m.gap)));
                seen++;
                edges += other == 1 && n == 1;
            }
        }
        carom_model_free(model);
    }
    printf("%zu places in %zu dimensions, %zu of them alone\n", seen, dimension, edges);
    CHECK(seen > 1000);
}

/* On a slope a box sticks, or slides with g (sin a - mu cos a); gravity is turned instead. */
static void slope(size_t dimension)
{
    const double a = 0.5, g = 10.0;
    for (int slips = 0; slips < 2; slips++) {
        const double mu = slips ? 0.3 : 0.6;
        struct carom_bodies *b = make(dimension, 2, 0.2, mu);
        box(b, 0, 2.0, 1.0, dimension == 2 ? 0.5 : 2.0, 0.5);
        put(b, 0, 0.0, dimension == 2 ? 0.25 : 0.0, dimension == 2 ? 0.0 : 0.25);
        ground(b, 1);
        b->gravity[0] = g * sin(a);
        b->gravity[dimension - 1] = -g * cos(a);
        struct play play = play_tightly(b, NULL, 0.01, 1.0);
        CHECK_NEAR(play.state->v[0], slips ? g * (sin(a) - mu * cos(a)) : 0.0, 1e-11);
        CHECK_NEAR(play.state->q[0], slips ? 0.5 * g * (sin(a) - mu * cos(a)) : 0.0, 1e-11);
        for (size_t k = 1; k < play.model->nv; k++)
            CHECK_NEAR(play.state->v[k], 0.0, 1e-11);
        CHECK_NEAR(play_ledger(&play).residual, 0.0, 1e-11);
        play_close(&play);
    }
}

/* A box that cannot slip tips where tan a is more than width over height. */
static void tips(void)
{
    for (int k = 0; k < 2; k++) {
        const double a = atan(0.5) * (k ? 1.01 : 0.99), g = 10.0;
        struct carom_bodies *b = make(2, 2, 0.0, 2.0);
        box(b, 0, 1.0, 0.5, 1.0, 0.0);
        put(b, 0, 0.0, 0.5, 0.0);
        ground(b, 1);
        b->gravity[0] = g * sin(a);
        b->gravity[1] = -g * cos(a);
        struct play play = play_tightly(b, NULL, 0.001, 0.1);
        const double arm2 = 0.0625 + 0.25, torque = g * (0.5 * sin(a) - 0.25 * cos(a)); /* about the lower corner */
        if (k) /* it begins to turn as a pendulum that stands on its head does, to the order of the step */
            CHECK_NEAR(play.state->v[2], -0.1 * torque / (arm2 + 1.25 / 12.0), 2e-3);
        else
            CHECK_NEAR(play.state->v[2], 0.0, 1e-12);
        CHECK_NEAR(play_ledger(&play).residual, 0.0, 1e-11);
        play_close(&play);
    }
}

/* Ten boxes on each other stand as they were put, each with half of the weight above it at both of its corners. */
static void tower(size_t dimension)
{
    enum { N = 10 };
    struct carom_bodies *b = make(dimension, N + 1, 0.1, 0.4);
    for (size_t i = 0; i < N; i++) {
        const double height = 0.25 + 0.5 * (double)i;
        box(b, i, 1.0, 1.0, dimension == 2 ? 0.5 : 1.0, 0.5);
        put(b, i, 0.0, dimension == 2 ? height : 0.0, dimension == 2 ? 0.0 : height);
    }
    ground(b, N);
    b->gravity[dimension - 1] = -10.0;
    struct play play = play_tightly(b, NULL, 0.01, dimension == 2 ? 20.0 : 2.0);
    const struct carom_contacts *list = play.state->contacts;
    const double *force = list->column[carom_list_columns(b).history + CAROM_RIGID_FORCE];
    double sum[N] = {0.0};
    CHECK(list->n == (dimension == 2 ? 2 : 4) * N);
    for (size_t j = 0; j < list->n; j++) /* the contacts of a box with what is under it */
        sum[list->key[j].b == N ? 0 : list->key[j].b] += force[j];
    for (size_t i = 0; i < N; i++)
        CHECK_NEAR(sum[i], 10.0 * (double)(N - i), 1e-10);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < dimension; k++)
            CHECK_NEAR(play.state->q[i * carom_bodies_nq(b) + k], 0.0, 1e-12);
    play_close(&play);
}

/* Boxes thrown at each other, in the plane and, as cubes, in space: momentum and angular momentum to rounding; without
 * friction and with e = 1 energy too. */
static void momenta(size_t dimension, double e, double mu)
{
    enum { N = 6 };
    struct carom_bodies *b = make(dimension, N, e, mu);
    const size_t nv = carom_bodies_nv(b);
    double v[6 * N] = {0.0}, before[6] = {0.0}, after[6] = {0.0};
    uint64_t seed = 8;
    for (size_t i = 0; i < N; i++) {
        const double side = 0.8 + 0.05 * (double)i;
        box(b, i, 1.0 + 0.2 * (double)i, side, dimension == 2 ? 0.6 : side, side);
        put(b, i, 1.6 * (double)(i % 3), 1.6 * (double)(i / 3), 0.0);
        for (size_t k = 0; k < nv; k++)
            v[nv * i + k] = 2.0 * chance(&seed) - (k < 2 ? b->body[i].at[k] - (k == 0 ? 1.6 : 0.8) : 0.0);
    }
    struct play play = play_tightly(b, v, 0.002, 3.0);
    size_t touched = 0;
    for (size_t i = 0; i < N; i++)
        for (int end = 0; end < 2; end++) {
            const double *of = (end ? play.state->v : v) + nv * i;
            double now[3], turn[3], *sum = end ? after : before;
            const double speed[3] = {of[0], of[1], dimension == 3 ? of[2] : 0.0};
            const double spin[3] = {dimension == 3 ? of[3] : 0.0, dimension == 3 ? of[4] : 0.0, of[nv - 1]};
            carom_bodies_centre(b, i, play.state->q, now);
            carom_vec_cross(end ? now : b->body[i].at, speed, turn);
            for (int k = 0; k < 3; k++) {
                sum[k] += b->body[i].mass * speed[k];
                sum[3 + k] += b->body[i].mass * turn[k] + b->body[i].inertia * spin[k];
            }
            touched += end && fabs(of[0] - v[nv * i]) > 1e-3;
        }
    CHECK(touched >= 4);
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(after[k], before[k], 1e-11);
    const struct carom_ledger ledger = play_ledger(&play);
    CHECK_NEAR(ledger.residual, 0.0, 1e-11);
    if (e == 1.0 && mu == 0.0)
        CHECK_NEAR(ledger.impact, 0.0, 1e-10);
    play_close(&play);
}

/* Ten rows of boxes: what each row bears is the weight above it, and nothing moves. */
static void pyramid(void)
{
    enum { ROWS = 10, N = ROWS * (ROWS + 1) / 2 };
    struct carom_bodies *b = make(2, N + 1, 0.0, 0.5);
    size_t row[N], i = 0;
    for (size_t k = 0; k < ROWS; k++)
        for (size_t j = 0; j < ROWS - k; j++, i++) {
            box(b, i, 1.0, 1.0, 0.5, 0.0);
            put(b, i, (double)j + 0.5 * (double)k, 0.25 + 0.5 * (double)k, 0.0);
            row[i] = k;
        }
    ground(b, N);
    b->gravity[1] = -10.0;
    struct play play = play_tightly(b, NULL, 0.01, 0.2);
    const struct carom_contacts *list = play.state->contacts;
    const struct carom_columns columns = carom_list_columns(b);
    double sum[ROWS] = {0.0}, weight = 0.0;
    for (size_t j = 0; j < list->n; j++) {
        struct carom_meeting m;
        const struct carom_contact_key *key = &list->key[j];
        carom_meet(b, key, play.state->q, &m);
        const double push = list->column[columns.history + CAROM_RIGID_FORCE][j] * m.normal[1] +
                            list->column[columns.spring[CAROM_SLIDES]][j] * m.normal[0];
        if (key->b == N)
            sum[0] -= push;
        else if (row[key->a] != row[key->b])
            sum[row[key->b]] += push;
    }
    for (size_t k = ROWS; k-- > 0;) {
        weight += 10.0 * (double)(ROWS - k);
        CHECK_NEAR(sum[k], weight, 1e-9);
    }
    for (size_t k = 0; k < play.model->nv; k++)
        CHECK_NEAR(play.state->v[k], 0.0, 1e-11);
    play_close(&play);
}

/* A disc and a sphere that fall on a box that lies on the ground come to rest on it. */
static void balls_on_boxes(size_t dimension)
{
    struct carom_bodies *b = make(dimension, 3, 0.0, 0.3);
    const double top = 0.5;
    box(b, 0, 1.0, 2.0, dimension == 2 ? top : 2.0, top);
    put(b, 0, 0.0, dimension == 2 ? 0.25 : 0.0, dimension == 2 ? 0.0 : 0.25);
    bodies_ball(b, 1, 0.3, 2.0, 0.1, dimension == 2 ? 0.9 : 0.2, dimension == 2 ? 0.0 : 0.9);
    ground(b, 2);
    b->gravity[dimension - 1] = -10.0;
    struct play play = play_tightly(b, NULL, 0.001, 1.0);
    double centre[3];
    carom_bodies_centre(b, 1, play.state->q, centre);
    CHECK_NEAR(centre[dimension - 1], top + 0.3, 5e-3);
    for (size_t k = 0; k < play.model->nv; k++)
        CHECK_NEAR(play.state->v[k], 0.0, 1e-8);
    play_close(&play);
}

/* A box that flies and turns freely: its angular momentum is kept to the second order of the step, and the ledger
 * closes with what the scheme itself takes. */
static void tumbles(void)
{
    double off[2];
    for (int k = 0; k < 2; k++) {
        struct carom_bodies *b = make(3, 1, 0.0, 0.3);
        const double v[6] = {1.0, 0.0, 0.0, 3.0, 0.2, -1.0};
        box(b, 0, 2.0, 1.0, 2.0, 0.5);
        const double *moments = b->body[0].moments,
                     start[3] = {moments[0] * v[3], moments[1] * v[4], moments[2] * v[5]};
        struct play play = play_tightly(b, v, k ? 0.005 : 0.01, 5.0);
        double now[3], square = 0.0;
        carom_tumble_scale(&b->body[0], false, play.state->q + 3, play.state->v + 3, now);
        for (int l = 0; l < 3; l++)
            square += (now[l] - start[l]) * (now[l] - start[l]);
        off[k] = sqrt(square);
        CHECK_NEAR(play_ledger(&play).residual, 0.0, 1e-12);
        play_close(&play);
    }
    printf("angular momentum of a free box off by %.2e, %.2e\n", off[0], off[1]);
    CHECK(off[0] < 1e-3 && off[1] < 0.3 * off[0]);
}

static void refused(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_bodies *b = make(2, 2, 0.0, 0.3);
    box(b, 0, 1.0, 1.0, 1.0, 0.0);
    box(b, 1, 1.0, 1.0, 1.0, 0.0);
    put(b, 1, 0.95, 0.1, 0.0);
    struct play play = play_begin(bodies_model(b), &carom_scheme_moreau_jean, 0.01);
    double q[10];
    carom_bodies_rest(b, q);
    CHECK_STATUS(play_start(&play, &carom_scheme_moreau_jean, q, NULL, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "bodies 1 and 2 overlap by 0.05 at the start");
    play_close(&play);
}

/* a body before a wall is as far apart as the sphere around it */
static void apart_from_walls(size_t dimension)
{
    struct carom_bodies *b = make(dimension, 2, 0.5, 0.0);
    const struct carom_contact_key pair = {0, 0, 1, 0};
    double q[20];
    box(b, 0, 1.0, 1.0, 2.0, 1.0);
    ground(b, 1);
    struct carom_model *model = bodies_model(b);
    for (double high = -5.0; high < 6.0; high += 5.0) {
        put(b, 0, 0.25, dimension == 2 ? high : 0.5, high);
        carom_bodies_rest(b, q);
        CHECK_NEAR(carom_shapes_apart(b, &pair, q), high - carom_bodies_reach(&b->body[0]), 1e-14);
    }
    carom_model_free(model);
}

int main(void)
{
    for (size_t dimension = 2; dimension <= 3; dimension++) {
        slopes_of_gaps(dimension);
        slope(dimension);
        apart_from_walls(dimension);
        tower(dimension);
        momenta(dimension, 1.0, 0.0);
        momenta(dimension, 0.5, 0.4);
        balls_on_boxes(dimension);
    }
    tumbles();
    tips();
    pyramid();
    refused();
    return check_end();
}
