/* Frames: W against the identity rate(v + M^-1 G p) = rate(v) + W p on chains, on a part with a coupled mass and a
 * moving port, on rotations and on two parts; works of moving ports; what is refused. */
#include "model/frame.h"
#include "base/random.h"
#include "carom/mechanism.h"
#include "parts.h"
#include "rigid.h"

enum { MOST = 8 };

static void check_identity(struct carom_model *model, const double *q, double t, const size_t *contact, size_t n)
{
    struct carom_frame frame;
    struct carom_random random;
    carom_random_start(&random, 7);
    double v[32], rate[MOST], after[MOST], impulse[MOST];
    CHECK_STATUS(carom_frame_open(&frame, model, MOST, NULL), CAROM_OK);
    CHECK_STATUS(carom_frame_set(&frame, t, q, contact, n, NULL), CAROM_OK);
    CHECK(frame.n == n);
    for (size_t i = 0; i < model->nv; i++)
        v[i] = carom_random_normal(&random);
    for (size_t i = 0; i < n; i++)
        impulse[i] = carom_random_uniform(&random);
    carom_frame_rates(&frame, v, rate);
    double deform[32], deform_rate[32];
    carom_contacts_deform(model, t, q, v, deform, deform_rate);
    for (size_t i = 0; i < n; i++) {
        CHECK_NEAR(frame.gap[i], -deform[contact[i]], 1e-14);
        CHECK_NEAR(rate[i], -deform_rate[contact[i]], 1e-14);
    }
    carom_frame_push(&frame, impulse, v);
    carom_frame_rates(&frame, v, after);
    for (size_t i = 0; i < n; i++) {
        double expected = rate[i];
        for (size_t k = 0; k < n; k++) {
            const double w = !frame.chain ? frame.matrix[i * n + k]
                             : k == i     ? frame.diagonal[i]
                             : k + 1 == i ? frame.beside[k]
                             : i + 1 == k ? frame.beside[i]
                                          : 0.0;
            expected += w * impulse[k];
        }
        CHECK_NEAR(after[i], expected, 1e-13);
        CHECK(frame.diagonal[i] > 0.0);
    }
    double work[4] = {0.0}, by_drift = 0.0, sum = 0.0;
    carom_frame_work(&frame, impulse, work);
    for (size_t i = 0; i < n; i++)
        by_drift -= frame.drift[i] * impulse[i];
    for (size_t i = 0; i < model->nparts; i++)
        sum += work[i];
    CHECK_NEAR(sum, by_drift, 1e-14);
    carom_frame_close(&frame);
    carom_model_free(model);
}

static void check_chains(void)
{
    const double mass[] = {1.0, 2.0, 0.5, 3.0}, gap[] = {0.1, 0.0, 0.2, 0.3, 0.4}, q[] = {0.1, -0.2, 0.3, 0.05};
    const struct row both = {.n = 4, .left = true, .right = true, .mass = mass, .gap = gap, .e_all = 1.0};
    const struct row none = {.n = 4, .mass = mass, .gap = gap, .e_all = 1.0};
    check_identity(row_model(&both), q, 0.0, (const size_t[]){0, 1, 2, 3, 4}, 5);
    check_identity(row_model(&both), q, 0.0, (const size_t[]){0, 2, 3}, 3);
    check_identity(row_model(&none), q, 0.0, (const size_t[]){0, 1, 2}, 3);
    check_identity(row_model(&none), q, 0.0, (const size_t[]){1}, 1);
    struct carom_model *walled = row_model(&both), *open = row_model(&none);
    CHECK(carom_frame_number(walled, 0) == 0);
    CHECK(carom_frame_number(open, 0) == 1);
    carom_model_free(walled);
    carom_model_free(open);
}

static struct carom_model *join(struct carom_model *model, size_t nc, const int32_t (*pair)[2])
{
    const double gap[MOST] = {0.5, 0.1, 0.2}, e[MOST] = {1.0, 0.5, 0.5};
    const double *const columns[CAROM_RIGID_COLUMNS] = {e};
    CHECK_STATUS(carom_model_join(model, &carom_law_rigid, CAROM_END_GAP, nc, pair, gap, columns, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    return model;
}

static void *copy(const void *from, size_t size)
{
    void *to = carom_memory_zeroed(1, size);
    CHECK_OR_STOP(to != NULL);
    memcpy(to, from, size);
    return to;
}

static const struct pendulum pendulum = {2.0, 1.0, 0.7, 9.81, 0.1, 0.3, 5.0};
static const struct box box = {2.0, {0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}, 9.81};

static void check_parts(void)
{
    /* a pendulum with a moving port against a wall and against a bead, which a wall holds on its other side */
    struct carom_model *model = carom_model_create();
    const double mass = 0.8, q[] = {0.1, 0.4, 0.7}, turned[] = {0.1, 0.2, 0.3, 0.5, 0.5, -0.5, 0.5};
    CHECK_STATUS(carom_model_add(model, &part_pendulum, copy(&pendulum, sizeof pendulum), NULL), CAROM_OK);
    CHECK_STATUS(carom_model_add(model, &carom_part_beads, carom_beads_create(1, &mass, NULL, NULL, NULL), NULL),
                 CAROM_OK);
    check_identity(join(model, 3, (const int32_t[][2]){{CAROM_WALL_LEFT, 1}, {0, 2}, {2, CAROM_WALL_RIGHT}}), q, 0.3,
                   (const size_t[]){0, 1, 2}, 3);
    model = carom_model_create(); /* a box on three corners */
    CHECK_STATUS(carom_model_add(model, &part_box, copy(&box, sizeof box), NULL), CAROM_OK);
    check_identity(
        join(model, 3, (const int32_t[][2]){{CAROM_WALL_LEFT, 0}, {CAROM_WALL_LEFT, 1}, {CAROM_WALL_LEFT, 3}}), turned,
        0.0, (const size_t[]){0, 1, 2}, 3);
}

/* how a pendulum answers to a push at its port, alone or after a bead */
static double answer_of(size_t beads)
{
    struct carom_model *model = carom_model_create();
    const double mass = 0.8, places[] = {0.9, 0.1, 0.4};
    const size_t contact = 0;
    struct carom_frame frame;
    if (beads > 0)
        CHECK_STATUS(carom_model_add(model, &carom_part_beads, carom_beads_create(1, &mass, NULL, NULL, NULL), NULL),
                     CAROM_OK);
    CHECK_STATUS(carom_model_add(model, &part_pendulum, copy(&pendulum, sizeof pendulum), NULL), CAROM_OK);
    join(model, 1, (const int32_t[][2]){{CAROM_WALL_LEFT, (int32_t)beads + 1}});
    CHECK_STATUS(carom_frame_open(&frame, model, 1, NULL), CAROM_OK);
    CHECK_STATUS(carom_frame_set(&frame, 0.3, places + 1 - beads, &contact, 1, NULL), CAROM_OK);
    const double answer = frame.diagonal[0];
    carom_frame_close(&frame);
    carom_model_free(model);
    return answer;
}

static double no_slope(const void *own, size_t i, double t, const double *q)
{
    (void)own;
    (void)i;
    (void)t;
    return q[0] > 1.0 ? nan("") : q[0] < -1.0 ? 0.0 : q[0];
}

static void unit_mass(const void *own, const double *q, double *m)
{
    (void)own;
    m[0] = q[0] > 5.0 ? 0.0 : 1.0;
}

/* zero directions, gaps that are no numbers and singular masses are named with their contact */
static void check_refusals(void)
{
    const struct carom_mechanism mechanism = {
        .name = "odd", .n = 1, .ndistances = 1, .mass = unit_mass, .distance = no_slope};
    const double fine = 0.5, flat = -3.0, none = 2.0, still = 0.0;
    struct carom_model *model = carom_model_create();
    void *own = carom_mechanism_create(&mechanism, &fine, &still, NULL);
    CHECK_OR_STOP(own != NULL);
    CHECK_STATUS(carom_model_add(model, &carom_part_mechanism, own, NULL), CAROM_OK);
    join(model, 1, (const int32_t[][2]){{CAROM_WALL_LEFT, 0}});
    struct carom_frame frame;
    struct carom_error error = {0};
    const size_t contact = 0;
    CHECK_STATUS(carom_frame_open(&frame, model, 1, NULL), CAROM_OK);
    CHECK_STATUS(carom_frame_set(&frame, 0.0, &fine, &contact, 1, &error), CAROM_OK);
    CHECK(carom_frame_set(&frame, 0.0, &flat, &contact, 1, &error) != CAROM_OK);
    CHECK_CONTAINS(error.text, "contact 1");
    CHECK(carom_frame_set(&frame, 0.0, &none, &contact, 1, &error) != CAROM_OK);
    CHECK_CONTAINS(error.text, "contact 1");
    const double heavy = 6.0;
    CHECK(carom_frame_set(&frame, 0.0, &heavy, &contact, 1, &error) != CAROM_OK);
    carom_frame_close(&frame);
    carom_model_free(model);
}

int main(void)
{
    check_chains();
    check_parts();
    CHECK(answer_of(1) == answer_of(0)); /* the mass is that of its own place */
    check_refusals();
    return check_end();
}
