/* The motion of a model of several parts against what each part says by itself: a row of beads with a load and drives,
 * a pendulum on a cart, a spinning box, a machine with a moving floor, and contacts between them. Numbers are the same
 * to the bit. */
#include "model/motion.h"
#include "carom/carom.h"
#include "check.h"
#include "model/ports.h"
#include "parts.h"

enum { ROOM = 64, BEADS = 3, PARTS = 4 };

static const struct carom_signal shake = {.shape = CAROM_SHAPE_SINE, .amplitude = 0.2, .frequency = 3.0, .start = 1.0},
                                 knock = {.shape = CAROM_SHAPE_HALF_SINE, .amplitude = 5.0, .start = 2, .duration = 1},
                                 creep = {.shape = CAROM_SHAPE_RAMP, .amplitude = 0.1, .start = 0.5, .duration = 4.0};

struct whole {
    struct carom_model *model;
    double t, q[ROOM], v[ROOM];
};

static void *copy(const void *from, size_t size)
{
    void *to = carom_memory_zeroed(1, size);
    CHECK_OR_STOP(to != NULL);
    return memcpy(to, from, size);
}

static struct carom_beads *make_beads(void)
{
    const double mass[BEADS] = {1.0, 2.0, 0.5}, radius[BEADS] = {0.1, 0.2, 0.3}, damper[BEADS] = {0.3, 0.1, 0.2};
    struct carom_beads *beads = carom_beads_create(BEADS, mass, radius, NULL, NULL);
    CHECK_OR_STOP(beads != NULL);
    CHECK_STATUS(carom_beads_damp(beads, damper, NULL), CAROM_OK);
    CHECK_STATUS(carom_beads_push(beads, 0, &knock, NULL), CAROM_OK);
    CHECK_STATUS(carom_beads_drive(beads, 2, &shake, NULL), CAROM_OK);
    CHECK_STATUS(carom_beads_drive(beads, CAROM_WALL_LEFT, &creep, NULL), CAROM_OK);
    return beads;
}

/* a mass above a floor that is shaken, on a rail: q[1] stays 0 */
static void mass_of(const void *own, const double *q, double *m)
{
    (void)own;
    (void)q;
    m[0] = 3.0;
    m[1] = m[2] = 0.5;
    m[3] = 2.0;
}

static double rail(const void *own, size_t i, double t, const double *q)
{
    (void)own;
    (void)i;
    (void)t;
    return q[1];
}

static double height(const void *own, size_t i, double t, const double *q)
{
    (void)own;
    (void)i;
    return q[0] - carom_signal_value(&shake, t);
}

static void *make_mass(bool still)
{
    const double q[] = {1.0, 0.0}, v[] = {0.0, 0.0};
    const struct carom_mechanism mass = {.name = "mass",
                                         .n = 2,
                                         .ndistances = 1,
                                         .njoints = 1,
                                         .constant_mass = true,
                                         .mass = mass_of,
                                         .joint = rail,
                                         .distance = height,
                                         .signal = &shake,
                                         .still = still};
    void *own = carom_mechanism_create(&mass, q, v, NULL);
    CHECK_OR_STOP(own != NULL);
    return own;
}

static double leap(const void *own, double t, const double *q, double *scratch)
{
    (void)scratch;
    return ((const struct box *)own)->mass * t * q[1];
}

static struct whole make_whole(void)
{
    static struct carom_part part; /* a box with a load that jumps */
    const struct pendulum pendulum = {
        .cart = 2.0, .bob = 1.0, .length = 0.7, .gravity = 9.8, .friction = 0.4, .reach = 0.1, .pace = 2.0};
    const struct box box = {.mass = 1.5, .inertia = {0.3, 0.4, 0.6}, .half = {0.5, 0.4, 0.3}, .gravity = 9.8};
    const int32_t pair[][2] = {{CAROM_WALL_LEFT, 0}, {0, 1}, {2, 3}, {CAROM_WALL_LEFT, 6}, {CAROM_WALL_LEFT, 13}};
    const double gap[5] = {0.0}, k[5] = {10.0, 20.0, 30.0, 40.0, 50.0}, *const columns[] = {k, NULL};
    struct whole w = {.model = carom_model_create(), .t = 1.3};
    CHECK_OR_STOP(w.model != NULL);
    CHECK_STATUS(carom_model_add(w.model, &carom_part_beads, make_beads(), NULL), CAROM_OK);
    CHECK_STATUS(carom_model_add(w.model, &part_pendulum, copy(&pendulum, sizeof pendulum), NULL), CAROM_OK);
    part = part_box;
    part.jump = leap;
    CHECK_STATUS(carom_model_add(w.model, &part, copy(&box, sizeof box), NULL), CAROM_OK);
    CHECK_STATUS(carom_model_add(w.model, &carom_part_mechanism, make_mass(false), NULL), CAROM_OK);
    CHECK_STATUS(carom_model_join(w.model, &carom_law_hertz, CAROM_END_GAP, 5, pair, gap, columns, NULL), CAROM_OK);
    CHECK_STATUS(carom_model_finish(w.model, NULL), CAROM_OK);
    CHECK_OR_STOP(w.model->nparts == PARTS && w.model->nq <= ROOM);
    for (size_t i = 0; i < w.model->nq; i++)
        w.q[i] = sin(1.0 + 2.0 * (double)i);
    for (size_t i = 0; i < w.model->nv; i++)
        w.v[i] = cos(2.0 + 3.0 * (double)i);
    return w;
}

static bool same(const double *a, const double *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

static void check_accelerate(const struct whole *w)
{
    const double lambda[5] = {1.0, 2.0, 3.0, 4.0, 5.0};
    for (int pushed = 0; pushed < 2; pushed++) {
        double force[ROOM], a[ROOM], work[PARTS] = {0.0}, f[ROOM], own[ROOM], gain[PARTS] = {0.0};
        carom_motion_accelerate(w->model, w->t, w->q, w->v, pushed ? lambda : NULL, NULL, force, a, work);
        for (size_t i = 0; i < PARTS; i++) {
            const struct carom_member *m = &w->model->member[i];
            m->part->force(m->own, w->t, w->q + m->q0, w->v + m->v0, NULL, f + m->v0);
        }
        if (pushed)
            carom_contacts_push(w->model, w->t, w->q, lambda, f, gain);
        for (size_t i = 0; i < PARTS; i++) {
            const struct carom_member *m = &w->model->member[i];
            if (m->part->accelerate)
                m->part->accelerate(m->own, w->t, w->q + m->q0, w->v + m->v0, f + m->v0, own + m->v0);
            else
                m->part->mass_solve(m->own, w->q + m->q0, f + m->v0, own + m->v0);
        }
        CHECK(same(force, f, w->model->nv) && same(a, own, w->model->nv) && same(work, gain, PARTS));
        CHECK((work[0] != 0.0 && work[3] != 0.0) == (pushed == 1)); /* the wall's, the floor's */
    }
}

static void check_move(const struct whole *w)
{
    double rate[ROOM], moved[ROOM], here[ROOM], unit[ROOM], still[ROOM], old[ROOM];
    carom_motion_flow(w->model, w->q, w->v, rate);
    carom_motion_move(w->model, w->q, w->v, moved);
    memcpy(here, w->q, sizeof here);
    carom_motion_move(w->model, here, w->v, here);
    CHECK(same(here, moved, w->model->nq));
    memcpy(unit, w->q, sizeof unit);
    carom_motion_normalise(w->model, unit, still);
    for (size_t i = 0; i < PARTS; i++) {
        const struct carom_member *m = &w->model->member[i];
        double own[ROOM], flat[ROOM];
        for (size_t c = 0; c < m->nq && !m->part->move; c++)
            flat[c] = w->q[m->q0 + c] + w->v[m->v0 + c];
        if (m->part->move) {
            box_flow(m->own, w->q + m->q0, w->v + m->v0, own);
            box_move(m->own, w->q + m->q0, w->v + m->v0, flat);
        } else {
            memcpy(own, w->v + m->v0, m->nv * sizeof *own);
        }
        CHECK(same(rate + m->q0, own, m->nq) && same(moved + m->q0, flat, m->nq));
        CHECK(same(unit + m->q0, w->q + m->q0, m->nq) == !m->part->move);
    }
    const double *turn = unit + w->model->member[2].q0 + 3;
    CHECK_NEAR(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3], 1.0, 1e-15);
    const size_t last = w->model->nq - 1;
    double v[ROOM];
    memcpy(old, unit, sizeof old);
    memcpy(v, w->v, sizeof v);
    carom_motion_project(w->model, w->t, unit, v);
    CHECK(same(old, unit, last - 1) && same(v, w->v, w->model->nv - 2)); /* only the rail's mass has a joint */
    CHECK(fabs(w->q[last]) > 0.1 && fabs(w->v[w->model->nv - 1]) > 0.1);
    CHECK_NEAR(unit[last], 0.0, 1e-15);
    CHECK_NEAR(v[w->model->nv - 1], 0.0, 1e-15);
}

static void check_energy(const struct whole *w)
{
    double dissipated[PARTS], work[PARTS], spent[PARTS], gain[PARTS], kinetic, stored, sum[2] = {0.0, 0.0};
    carom_motion_power(w->model, w->t, w->q, w->v, NULL, dissipated, work);
    for (size_t i = 0; i < PARTS; i++)
        spent[i] = gain[i] = 1.0 + (double)i;
    carom_motion_spend(w->model, w->t, w->q, w->v, 0.25, NULL, spent, gain);
    carom_motion_energy(w->model, w->t, w->q, w->v, NULL, &kinetic, &stored);
    for (size_t i = 0; i < PARTS; i++) {
        const struct carom_member *m = &w->model->member[i];
        double loss = 0.0, load = 0.0, own_kinetic, own_stored;
        if (m->part->power)
            m->part->power(m->own, w->t, w->q + m->q0, w->v + m->v0, NULL, &loss, &load);
        CHECK(dissipated[i] == loss && work[i] == load);
        CHECK(spent[i] == 1.0 + (double)i + 0.25 * loss && gain[i] == 1.0 + (double)i + 0.25 * load);
        m->part->energy(m->own, w->t, w->q + m->q0, w->v + m->v0, NULL, &own_kinetic, &own_stored);
        sum[0] += own_kinetic;
        sum[1] += own_stored;
    }
    const double before[PARTS] = {1.0, 2.0, 3.0, 4.0};
    memcpy(work, before, sizeof work);
    carom_motion_jump(w->model, w->t, w->q, NULL, work);
    CHECK(work[2] == 3.0 + leap(w->model->member[2].own, w->t, w->q + w->model->member[2].q0, NULL) && work[2] != 3.0);
    CHECK(work[0] == 1.0 && work[1] == 2.0 && work[3] == 4.0);
    CHECK(dissipated[0] > 0.0 && dissipated[1] > 0.0);
    CHECK_NEAR(kinetic, sum[0], 1e-14 * sum[0]);
    CHECK_NEAR(stored, sum[1], 1e-14 * (1.0 + fabs(sum[1])));
}

static void check_signals(struct whole *w)
{
    const double value = 1.0 / (2.0 * 3.14159265358979323846 * 3.0); /* of a sine: amplitude over rate */
    double q[ROOM], v[ROOM], early = 0.2, late = 1.5;
    memcpy(q, w->q, sizeof q);
    memcpy(v, w->v, sizeof v);
    CHECK(!(w->model->offers & CAROM_UNDRIVEN));
    carom_model_impose(w->model, w->t, q, v);
    CHECK(q[2] == carom_signal_value(&shake, w->t) && v[2] == carom_signal_rate(&shake, w->t));
    q[2] = w->q[2];
    v[2] = w->v[2];
    CHECK(same(q, w->q, w->model->nq) && same(v, w->v, w->model->nv)); /* nothing else is driven */
    CHECK_NEAR(carom_motion_pace(w->model, CAROM_ACTS_BODY, NULL), value, 1e-15);
    CHECK_NEAR(carom_motion_pace(w->model, CAROM_ACTS_PORT, NULL), value, 1e-15);
    CHECK(carom_motion_pace(w->model, CAROM_ACTS_INSIDE, NULL) == HUGE_VAL);
    CHECK(carom_motion_pace(w->model, CAROM_ACTS_FORCE, NULL) > value);
    CHECK(carom_motion_pace(w->model, ~0U, &early) == HUGE_VAL); /* nothing has begun */
    CHECK_NEAR(carom_motion_pace(w->model, CAROM_ACTS_PORT, &late), value, 1e-15);
    const struct carom_signal *const all[] = {&knock, &shake, &creep, &shake};
    size_t count, expected = 0;
    double *breaks = carom_motion_breaks(w->model, &count);
    CHECK_OR_STOP(breaks != NULL);
    for (size_t i = 0; i < 4; i++) {
        double times[8];
        const size_t more = carom_signal_breaks(all[i], times, 8);
        expected += more;
        for (size_t k = 0; k < more; k++) {
            size_t found = 0;
            while (found < count && breaks[found] != times[k])
                found++;
            CHECK(found < count);
        }
    }
    CHECK(count == expected && count > 3);
    for (size_t i = 1; i < count; i++)
        CHECK(breaks[i] >= breaks[i - 1]);
    carom_memory_free(breaks);
}

/* a machine whose distances do not follow its signal is not driven */
static void check_still(void)
{
    struct carom_model *model = carom_model_create();
    CHECK_OR_STOP(model != NULL);
    CHECK_STATUS(carom_model_add(model, &carom_part_mechanism, make_mass(true), NULL), CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    CHECK(model->offers & CAROM_UNDRIVEN);
    CHECK(carom_motion_pace(model, CAROM_ACTS_PORT, NULL) == HUGE_VAL);
    CHECK(carom_motion_pace(model, CAROM_ACTS_INSIDE, NULL) < 1.0);
    CHECK(carom_mechanism_of(model) != NULL && carom_solid_at(model, 0) == NULL);
    carom_model_free(model);
}

/* what a unit impulse at a port alone does to it */
static void check_ports(const struct whole *w)
{
    double inverse[ROOM], room[2 * ROOM];
    CHECK_OR_STOP(w->model->nports <= ROOM);
    carom_ports_inverse_mass(w->model, w->q, inverse, room);
    for (size_t p = 0; p < w->model->nports; p++) {
        const struct carom_member *m = &w->model->member[carom_ports_owner(w->model, p)];
        double push[ROOM] = {0.0}, answer[ROOM], sum = 0.0;
        struct carom_port port;
        CHECK(p >= m->port0 && p < m->port0 + m->nports);
        m->part->port(m->own, p - m->port0, 0.0, w->q + m->q0, &port);
        for (size_t k = 0; k < port.count; k++)
            push[port.first + k] = port.slope[k];
        m->part->mass_solve(m->own, w->q + m->q0, push, answer);
        for (size_t k = 0; k < port.count; k++)
            sum += port.slope[k] * answer[port.first + k];
        CHECK_NEAR(inverse[p], sum, 1e-15 * (1.0 + sum));
    }
    CHECK(inverse[0] == 1.0 && inverse[1] == 0.5 && inverse[2] == 0.0); /* the last bead is driven */
    CHECK(carom_ports_between(w->model, 0, inverse) == 1.0 && carom_ports_between(w->model, 1, inverse) == 1.5);
}

/* contacts whose ports do not exist, or are one, or are two walls */
static void check_pairs(void)
{
    const int32_t walls[2] = {CAROM_WALL_LEFT, CAROM_WALL_RIGHT};
    const int32_t pair[][2] = {{0, BEADS},           {BEADS, 0},    {-7, 0},       {0, -7}, {1, 1},
                               {walls[0], walls[1]}, {walls[1], 0}, {0, walls[0]}, {0, 1},  {walls[0], 0},
                               {BEADS - 1, walls[1]}};
    const double k = 1.0, gap = 0.0, *const column[] = {&k};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        struct carom_error error = {CAROM_OK, ""};
        struct carom_model *model = carom_model_create();
        CHECK_OR_STOP(model != NULL);
        CHECK_STATUS(carom_model_add(model, &carom_part_beads, make_beads(), NULL), CAROM_OK);
        CHECK_STATUS(carom_model_join(model, &carom_law_hertz, CAROM_END_GAP, 1, &pair[i], &gap, column, NULL),
                     CAROM_OK);
        CHECK_STATUS(carom_model_finish(model, &error), i < 8 ? CAROM_E_INPUT : CAROM_OK);
        if (i < 8)
            CHECK_CONTAINS(error.text, "contact 0 joins ports");
        carom_model_free(model);
    }
}

int main(void)
{
    struct whole w = make_whole();
    check_accelerate(&w);
    check_move(&w);
    check_energy(&w);
    check_signals(&w);
    check_ports(&w);
    check_still();
    check_pairs();
    CHECK(carom_mechanism_of(w.model) == NULL && carom_solid_at(w.model, 7) == NULL);
    carom_model_free(w.model);
    return check_end();
}
