/* Mechanics of models that are no chains, on the test parts of parts.h: a pendulum against a shaken post, a bead that
 * strikes a pendulum, a spinning box in free flight and on a floor. dp5 runs them, the ledger closes, what is conserved
 * is conserved; schemes for chains refuse them in a sentence. */
#include "parts.h"

#include "carom/carom.h"
#include "check.h"

struct motion {
    struct carom_model *model;
    struct carom_stepper *stepper;
    struct carom_state *state, *view;
    void *options;
    double *scratch;
};

static void join(struct carom_model *model, const struct carom_law *law, enum carom_ending ending, int32_t a, int32_t b,
                 double gap, double k, double gamma)
{
    const int32_t pair[1][2] = {{a, b}};
    const double *const columns[] = {&k, &gamma};
    CHECK_STATUS(carom_model_join(model, law, ending, 1, pair, &gap, columns, NULL), CAROM_OK);
}

/* Finishes the model, opens dp5 on it, and refuses it to all schemes that need a chain. */
static struct motion start(struct carom_model *model, const double *q, const double *v)
{
    const struct carom_scheme *dp5 = &carom_scheme_dp5, *const others[] = {&carom_scheme_verlet, &carom_scheme_theta};
    struct motion m = {.model = model, .options = carom_options_create(&dp5->kind)};
    struct carom_error error = {.status = CAROM_OK};
    struct carom_scales scales;
    struct carom_ledger ledger;
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    CHECK(carom_model_chain(model) == NULL);
    CHECK_STATUS(carom_options_set(&dp5->kind, m.options, "tol", 1e-10, NULL), CAROM_OK);
    CHECK_STATUS(carom_scales_find(model, q, v, &scales, NULL), CAROM_OK);
    for (size_t i = 0; i < 2; i++) {
        CHECK(carom_stepper_create(others[i], model, m.options, &scales, NULL, &error) == NULL);
        CHECK(error.status == CAROM_E_REFUSED);
        CHECK_CONTAINS(error.text, "single row of beads");
    }
    m.stepper = carom_stepper_create(dp5, model, m.options, &scales, NULL, &error);
    CHECK_OR_STOP(m.stepper != NULL);
    m.state = carom_state_create(model, carom_stepper_memory(dp5, model, m.options));
    m.view = carom_state_create(model, 0);
    m.scratch = carom_memory_zeroed(2 * model->nc, sizeof(double));
    CHECK_OR_STOP(m.state && m.view && m.scratch);
    memcpy(m.state->q, q, model->nq * sizeof *q);
    memcpy(m.state->v, v, model->nv * sizeof *v);
    carom_state_view(m.view, m.state);
    carom_balance_read(model, m.view, m.scratch, &ledger);
    m.state->energy = ledger.kinetic + ledger.stored;
    CHECK_STATUS(dp5->start(m.stepper, m.state, NULL), CAROM_OK);
    return m;
}

static struct carom_ledger run(struct motion *m, double t)
{
    const struct carom_bound bound = {.t_stop = t, .t_dense = HUGE_VAL, .steps = 100};
    struct carom_error error = {.status = CAROM_OK};
    struct carom_ledger ledger;
    enum carom_status status = CAROM_OK;
    while (status == CAROM_OK && carom_state_until(m->state, t) > 0.0)
        status = carom_scheme_dp5.step(m->stepper, m->state, &bound, &error);
    CHECK(status == CAROM_OK);
    CHECK(m->state->time == t);
    carom_scheme_dp5.sync(m->stepper, m->state, m->view);
    carom_balance_read(m->model, m->view, m->scratch, &ledger);
    return ledger;
}

static void end(struct motion *m)
{
    carom_stepper_free(m->stepper);
    carom_state_free(m->state);
    carom_state_free(m->view);
    carom_options_free(m->options);
    carom_memory_free(m->scratch);
    carom_model_free(m->model);
}

static struct carom_model *with(const struct carom_part *part, const void *data, size_t size)
{
    struct carom_model *model = carom_model_create();
    void *own = carom_memory_zeroed(1, size);
    CHECK_OR_STOP(model != NULL && own != NULL);
    memcpy(own, data, size);
    CHECK_STATUS(carom_model_add(model, part, own, NULL), CAROM_OK);
    return model;
}

static const struct pendulum swing = {.cart = 2.0, .bob = 0.7, .length = 1.3, .gravity = 1.0};

static void check_pendulum(double friction)
{
    struct pendulum data = swing;
    data.friction = friction;
    const double q[2] = {0.0, 2.0}, v[2] = {0.3, 0.0};
    struct motion m = start(with(&part_pendulum, &data, sizeof data), q, v);
    double dissipated = 0.0;
    for (int i = 1; i <= 10; i++) {
        const struct carom_ledger ledger = run(&m, 2.0 * i);
        CHECK_NEAR(ledger.residual, 0.0, 1e-8);
        CHECK(ledger.internal == ledger.dissipated && ledger.work == 0.0);
        CHECK(friction > 0.0 ? ledger.internal > dissipated : ledger.internal == 0.0);
        dissipated = ledger.internal;
        /* nothing pushes the whole sideways: its momentum stays */
        double momentum[2];
        pendulum_mass_apply(&data, m.view->q, m.view->v, momentum);
        CHECK_NEAR(momentum[0], 2.7 * 0.3, 1e-9);
    }
    end(&m);
}

/* The post is shaken and does work on the pendulum through their contact. */
static void check_post(double shake, double gamma, enum carom_ending ending)
{
    struct pendulum data = swing;
    data.reach = shake;
    data.pace = 3.0;
    const double q[2] = {0.0, -0.9}, v[2] = {0.0, 0.0};
    struct carom_model *model = with(&part_pendulum, &data, sizeof data);
    join(model, &carom_law_kuwabara_kono, ending, 1, CAROM_WALL_RIGHT, 0.0, 40.0, gamma);
    struct motion m = start(model, q, v);
    bool touched = false;
    for (int i = 1; i <= 100; i++) {
        const struct carom_ledger ledger = run(&m, 0.1 * i);
        CHECK_NEAR(ledger.residual, 0.0, 1e-5);
        if (shake == 0.0)
            CHECK(ledger.work == 0.0);
        double rate, overlap;
        carom_contacts_deform(model, m.view->time, m.view->q, m.view->v, &overlap, &rate);
        touched |= overlap > 0.0;
    }
    const struct carom_ledger ledger = run(&m, 10.1);
    CHECK(touched);
    CHECK(gamma == 0.0 || ledger.viscous > 0.0);
    CHECK(shake == 0.0 || fabs(ledger.work) > 1e-3);
    end(&m);
}

/* A bead of another part strikes the bob: momentum of both together, energy. */
static void check_bead(void)
{
    const double mass = 0.5, q[3] = {0.0, 0.0, -0.2}, v[3] = {0.0, 0.0, 1.0};
    struct carom_model *model = with(&part_pendulum, &swing, sizeof swing);
    CHECK_STATUS(carom_model_add(model, &carom_part_beads, carom_beads_create(1, &mass, NULL, NULL, NULL), NULL),
                 CAROM_OK);
    join(model, &carom_law_hertz, CAROM_END_GAP, 2, 0, 0.0, 30.0, 0.0); /* the bead is port 2, left of the bob */
    struct motion m = start(model, q, v);
    const struct carom_ledger ledger = run(&m, 1.0);
    double momentum[2];
    pendulum_mass_apply(&swing, m.view->q, m.view->v, momentum);
    CHECK(m.view->v[2] < 0.5); /* it has struck */
    CHECK_NEAR(momentum[0] + mass * m.view->v[2], mass, 1e-10);
    CHECK_NEAR(ledger.residual, 0.0, 1e-9);
    CHECK_NEAR(ledger.kinetic + ledger.stored, 0.25, 1e-9);
    end(&m);
}

/* angular momentum in space: R (I w) */
static void spin_in_space(const struct box *box, const double *q, const double *v, double *out)
{
    const double a = q[3], b = q[4], c = q[5], d = q[6];
    const double l[3] = {box->inertia[0] * v[3], box->inertia[1] * v[4], box->inertia[2] * v[5]};
    out[0] = (a * a + b * b - c * c - d * d) * l[0] + 2.0 * (b * c - a * d) * l[1] + 2.0 * (b * d + a * c) * l[2];
    out[1] = 2.0 * (b * c + a * d) * l[0] + (a * a - b * b + c * c - d * d) * l[1] + 2.0 * (c * d - a * b) * l[2];
    out[2] = 2.0 * (b * d - a * c) * l[0] + 2.0 * (c * d + a * b) * l[1] + (a * a - b * b - c * c + d * d) * l[2];
}

static const struct box brick = {.mass = 1.0, .inertia = {0.4, 0.7, 1.0}, .half = {0.9, 0.6, 0.3}};

/* The tumbling of a box thrown about its middle axis. */
static void check_tumbling(void)
{
    const double q[7] = {0.0, 0.0, 5.0, 1.0}, v[6] = {0.1, 0.0, 0.2, 0.01, 2.0, 0.02};
    double first[3], now[3];
    bool turned = false;
    spin_in_space(&brick, q, v, first);
    struct motion m = start(with(&part_box, &brick, sizeof brick), q, v);
    for (int i = 1; i <= 20; i++) {
        const struct carom_ledger ledger = run(&m, 1.5 * i);
        spin_in_space(&brick, m.view->q, m.view->v, now);
        double size = 0.0;
        for (int k = 3; k < 7; k++)
            size += m.view->q[k] * m.view->q[k];
        CHECK_NEAR(size, 1.0, 1e-14);
        CHECK_NEAR(ledger.residual, 0.0, 1e-8);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(now[k], first[k], 1e-8);
        CHECK_NEAR(m.view->q[2], 5.0 + 0.2 * 1.5 * i, 1e-9);
        turned |= m.view->v[4] < -1.0;
    }
    CHECK(turned); /* the middle axis is unstable */
    end(&m);
}

/* The box falls on a corner and comes to stand or tumbles on; its corners are eight contacts with the floor. */
static void check_floor(double gamma)
{
    struct box box = brick;
    box.gravity = 1.0;
    const double q[7] = {0.0, 0.0, 2.0, 0.9, 0.3, 0.2, 0.1}, v[6] = {0.0, 0.0, 0.0, 0.5, -0.2, 0.1};
    struct carom_model *model = with(&part_box, &box, sizeof box);
    for (int32_t corner = 0; corner < 8; corner++)
        join(model, &carom_law_kuwabara_kono, CAROM_END_GAP, CAROM_WALL_LEFT, corner, 0.0, 100.0, gamma);
    double unit[7];
    const double rest[6] = {0.0};
    box_move(&box, q, rest, unit);
    struct motion m = start(model, unit, v);
    double energy = m.state->energy;
    const double first = energy;
    for (int i = 1; i <= 40; i++) {
        const struct carom_ledger ledger = run(&m, 0.25 * i);
        CHECK_NEAR(ledger.residual, 0.0, 1e-6);
        CHECK(ledger.kinetic + ledger.stored <= energy + 1e-6);
        energy = ledger.kinetic + ledger.stored;
    }
    CHECK(gamma > 0.0 ? energy < 0.9 * first : fabs(energy - first) < 1e-6);
    CHECK(m.view->q[2] < 2.0);
    end(&m);
}

int main(void)
{
    check_pendulum(0.0);
    check_pendulum(0.2);
    for (int ending = CAROM_END_GAP; ending <= CAROM_END_FORCE; ending++) {
        check_post(0.0, 0.0, (enum carom_ending)ending);
        check_post(0.0, 0.1, (enum carom_ending)ending);
        check_post(0.3, 0.0, (enum carom_ending)ending);
        check_post(0.3, 0.1, (enum carom_ending)ending);
    }
    check_bead();
    check_tumbling();
    check_floor(0.0);
    check_floor(0.05);
    return check_end();
}
