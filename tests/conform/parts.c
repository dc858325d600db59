/* Every registered part, and the test parts of parts.h, keep what model.h promises: masses, energies, forces, ports and
 * rotations fit together. Whoever registers a new part adds a maker here; without one the test fails. */
#include "parts.h"
#include "carom/bodies.h"

#include "base/random.h"
#include "carom/carom.h"
#include "check.h"

enum { ROOM = 64 };

struct sample {
    const struct carom_part *part;
    void *own;
    size_t nq, nv, nports;
    double t, q[ROOM], v[ROOM], *scratch;
};

static double positive(struct carom_random *random)
{
    return 0.3 + carom_random_uniform(random);
}

static void *make_beads(struct carom_random *random)
{
    double mass[5], spring[5];
    for (int i = 0; i < 5; i++) {
        mass[i] = positive(random);
        spring[i] = positive(random);
    }
    return carom_beads_create(5, mass, NULL, carom_random_below(random, 2) ? spring : NULL, NULL);
}

static void *make_pendulum(struct carom_random *random)
{
    struct pendulum *p = carom_memory_zeroed(1, sizeof *p);
    CHECK_OR_STOP(p != NULL);
    double *field[] = {&p->cart, &p->bob, &p->length, &p->gravity, &p->friction, &p->reach, &p->pace};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        *field[i] = positive(random);
    return p;
}

static void *make_box(struct carom_random *random)
{
    struct box *box = carom_memory_zeroed(1, sizeof *box);
    CHECK_OR_STOP(box != NULL);
    box->mass = positive(random);
    box->gravity = positive(random);
    for (int i = 0; i < 3; i++) {
        box->inertia[i] = positive(random);
        box->half[i] = positive(random);
    }
    return box;
}

/* A machine with random parameters; `frugal`: slopes and velocity terms by differences, and a link. Blocks that rock
 * are tested elsewhere: their force jumps at tilt 0. */
static void *make_machine(const struct carom_machine *machine, struct carom_random *random, bool frugal)
{
    double zero[CAROM_MECHANISM_WIDTH] = {0.0};
    char *own = carom_memory_zeroed(1, machine->kind.size);
    CHECK_OR_STOP(own != NULL);
    carom_param_defaults(&machine->kind, own);
    for (const struct carom_param *row = machine->kind.params; row->name; row++)
        carom_param_store(row, own, positive(random));
    const struct carom_signal shake = {
        .shape = CAROM_SHAPE_SINE, .amplitude = positive(random), .start = -50.0, .frequency = 0.3};
    if (machine->signal)
        memcpy(own + machine->signal_offset, &shake, sizeof shake);
    struct carom_mechanism mechanism = machine->mechanism;
    const struct carom_link link = {.distance = mechanism.ndistances - 1,
                                    .stiffness = positive(random),
                                    .rest = positive(random),
                                    .damping = positive(random),
                                    .drive = shake};
    mechanism.own = own;
    mechanism.release = carom_memory_free;
    if (frugal) {
        mechanism.slope = NULL;
        mechanism.link = &link;
        mechanism.nlinks = 1;
    }
    return carom_mechanism_create(&mechanism, zero, zero, NULL);
}

#define MACHINE(name)                                              \
    static void *make_##name(struct carom_random *random)          \
    {                                                              \
        return make_machine(&carom_machine_##name, random, false); \
    }                                                              \
    static void *make_##name##_frugal(struct carom_random *random) \
    {                                                              \
        return make_machine(&carom_machine_##name, random, true);  \
    }
MACHINE(ball)
MACHINE(oscillator)
MACHINE(double_pendulum)
MACHINE(slider_crank)

/* two cells, some numbers of order one: with tractions that change, gravity and both kinds of damping */
static void *make_some_solid(struct carom_random *random, enum carom_solid_case kind)
{
    const struct carom_solid_material m = {0.02, 0.45 * carom_random_uniform(random), 0.004};
    const double size[3] = {16.0, 9.0, 8.0}, origin[3] = {0.0, 0.0, 0.0};
    struct carom_solid *s = carom_solid_box(kind, (const size_t[]){2, 1, 1}, size, origin, 8.0, &m, NULL);
    CHECK_OR_STOP(s != NULL);
    uint32_t at[2];
    const struct carom_solid_load load = {.push = CAROM_SOLID_TRACTION,
                                          .vector = {0.002, 0.001, 0.0},
                                          .signal = {.shape = CAROM_SHAPE_SINE, .amplitude = 1.0, .frequency = 0.3},
                                          .count = carom_solid_faces(s, CAROM_SOLID_RIGHT, 0, NULL, at),
                                          .at = at};
    CHECK_OR_STOP(carom_solid_add_load(s, &load, NULL) == CAROM_OK);
    s->gravity[1] = -0.2 * carom_random_uniform(random);
    s->damping_mass = 0.1 * positive(random);
    s->damping_stiffness = 0.1 * positive(random);
    return s;
}

static void *make_solid(struct carom_random *random)
{
    return make_some_solid(random, CAROM_SOLID_SPACE);
}

static void *make_solid_plane(struct carom_random *random)
{
    return make_some_solid(random, carom_random_below(random, 2) ? CAROM_SOLID_STRAIN : CAROM_SOLID_STRESS);
}

/* balls of several radii and masses, under gravity */
static void *make_some_bodies(struct carom_random *random, size_t dimension)
{
    struct carom_bodies *b = carom_bodies_create(dimension, 3, 1, 0, 0, 0);
    for (size_t i = 0; i < 3; i++) {
        struct carom_body *body = &b->body[i];
        body->radius = 0.5 + carom_random_uniform(random);
        body->mass = 0.5 + carom_random_uniform(random);
        body->inertia = 0.4 * body->mass * body->radius * body->radius;
        for (size_t k = 0; k < dimension; k++)
            body->at[k] = 10.0 * carom_random_normal(random);
    }
    for (size_t k = 0; k < dimension; k++)
        b->gravity[k] = carom_random_normal(random);
    CHECK_STATUS(carom_bodies_finish(b, NULL), CAROM_OK);
    return b;
}

static void *make_discs(struct carom_random *random)
{
    return make_some_bodies(random, 2);
}

static void *make_spheres(struct carom_random *random)
{
    return make_some_bodies(random, 3);
}

static const struct maker {
    const struct carom_part *part;
    void *(*make)(struct carom_random *random);
} makers[] = {
    {&carom_part_beads, make_beads},
    {&carom_part_bodies, make_discs},
    {&carom_part_bodies, make_spheres},
    {&carom_part_solid, make_solid},
    {&carom_part_solid_plane, make_solid_plane},
    {&part_pendulum, make_pendulum},
    {&part_box, make_box},
    {&carom_part_mechanism, make_ball},
    {&carom_part_mechanism, make_ball_frugal},
    {&carom_part_mechanism, make_oscillator},
    {&carom_part_mechanism, make_oscillator_frugal},
    {&carom_part_mechanism, make_double_pendulum},
    {&carom_part_mechanism, make_double_pendulum_frugal},
    {&carom_part_mechanism, make_slider_crank},
    {&carom_part_mechanism, make_slider_crank_frugal},
};

/* q moved along the velocities w for a time s, on the part's manifold */
static void moved(const struct sample *at, const double *w, double s, double *q)
{
    double step[ROOM];
    for (size_t i = 0; i < at->nv; i++)
        step[i] = s * w[i];
    if (at->part->move) {
        at->part->move(at->own, at->q, step, q);
        return;
    }
    for (size_t i = 0; i < at->nq; i++)
        q[i] = at->q[i] + step[i];
}

/* what is differentiated: a function of the sample after moving by s along w, in whatever way `f` says */
typedef double along(const struct sample *at, const double *w, double s, const void *own);

static double slope_of(along *f, const struct sample *at, const double *w, const void *own)
{
    const double s = 1e-3;
    return (8.0 * (f(at, w, s, own) - f(at, w, -s, own)) - (f(at, w, 2 * s, own) - f(at, w, -2 * s, own))) / (12.0 * s);
}

static double stored_along(const struct sample *at, const double *w, double s, const void *own)
{
    double q[ROOM], kinetic, stored;
    (void)own;
    moved(at, w, s, q);
    at->part->energy(at->own, at->t, q, at->v, at->scratch, &kinetic, &stored);
    return stored;
}

/* total energy on the way of the free motion: q along v, v along the acceleration w, t along itself */
static double energy_along(const struct sample *at, const double *w, double s, const void *own)
{
    double q[ROOM], v[ROOM], kinetic, stored;
    (void)own;
    moved(at, at->v, s, q);
    for (size_t i = 0; i < at->nv; i++)
        v[i] = at->v[i] + s * w[i];
    at->part->energy(at->own, at->t + s, q, v, at->scratch, &kinetic, &stored);
    return kinetic + stored;
}

static double port_along(const struct sample *at, const double *w, double s, const void *own)
{
    double q[ROOM];
    struct carom_port port;
    moved(at, w, s, q);
    at->part->port(at->own, *(const size_t *)own, at->t, q, &port);
    return port.value;
}

static double port_in_time(const struct sample *at, const double *w, double s, const void *own)
{
    struct carom_port port;
    (void)w;
    at->part->port(at->own, *(const size_t *)own, at->t + s, at->q, &port);
    return port.value;
}

static double coordinate_along(const struct sample *at, const double *w, double s, const void *own)
{
    double q[ROOM];
    moved(at, w, s, q);
    return q[*(const size_t *)own];
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void check_mass(const struct sample *at, const double *w)
{
    double p[ROOM], r[ROOM], back[ROOM], kinetic, stored;
    at->part->mass_apply(at->own, at->q, at->v, p);
    at->part->mass_apply(at->own, at->q, w, r);
    at->part->mass_solve(at->own, at->q, p, back);
    at->part->energy(at->own, at->t, at->q, at->v, at->scratch, &kinetic, &stored);
    for (size_t i = 0; i < at->nv; i++)
        CHECK_NEAR(back[i], at->v[i], 1e-12);
    CHECK_NEAR(dot(w, p, at->nv), dot(at->v, r, at->nv), 1e-12);
    CHECK_NEAR(kinetic, 0.5 * dot(at->v, p, at->nv), 1e-12);
    CHECK(kinetic > 0.0);
    for (size_t k = 0; k < at->nv; k++) {
        double unit[ROOM] = {0.0}, column[ROOM], elsewhere[ROOM], other[ROOM];
        unit[k] = 1.0;
        at->part->mass_apply(at->own, at->q, unit, column);
        moved(at, w, 0.7, elsewhere);
        at->part->mass_apply(at->own, elsewhere, unit, other);
        for (size_t i = 0; i < at->nv; i++) {
            CHECK(i == k || column[i] == 0.0 || !(at->part->offers & CAROM_DIAGONAL_MASS));
            CHECK(column[i] == other[i] || !(at->part->offers & CAROM_CONSTANT_MASS));
        }
    }
}

static void check_force(const struct sample *at, const double *w)
{
    double f[ROOM], other[ROOM], a[ROOM], dissipated = 0.0, work = 0.0;
    at->part->force(at->own, at->t, at->q, at->v, at->scratch, f);
    if (at->part->offers & CAROM_POTENTIAL) {
        at->part->force(at->own, at->t + 1.0, at->q, w, at->scratch, other);
        CHECK(memcmp(f, other, at->nv * sizeof *f) == 0);
        CHECK_NEAR(slope_of(stored_along, at, w, NULL), -dot(f, w, at->nv), 1e-9);
    }
    at->part->mass_solve(at->own, at->q, f, a);
    if (at->part->power)
        at->part->power(at->own, at->t, at->q, at->v, at->scratch, &dissipated, &work);
    CHECK(dissipated >= 0.0);
    /* the difference's own error grows with the accelerations */
    CHECK_NEAR(slope_of(energy_along, at, a, NULL), work - dissipated, 1e-9 * (1.0 + dot(a, a, at->nv)));
}

static void check_ports(const struct sample *at, const double *w)
{
    for (size_t i = 0; i < at->nports; i++) {
        struct carom_port port;
        at->part->port(at->own, i, at->t, at->q, &port);
        CHECK_OR_STOP(port.first + port.count <= at->nv && port.count <= CAROM_PORT_WIDTH);
        CHECK_NEAR(slope_of(port_along, at, w, &i), dot(port.slope, w + port.first, port.count), 1e-9);
        CHECK_NEAR(slope_of(port_in_time, at, w, &i), port.drift, 1e-9);
    }
}

static void check_flow(const struct sample *at, const double *w)
{
    double rate[ROOM];
    if (at->part->offers & CAROM_FLAT)
        CHECK(!at->part->flow && !at->part->move && at->nq == at->nv);
    CHECK((at->part->flow != NULL) == (at->part->move != NULL));
    if (!at->part->flow)
        return;
    at->part->flow(at->own, at->q, w, rate);
    for (size_t i = 0; i < at->nq; i++)
        CHECK_NEAR(slope_of(coordinate_along, at, w, &i), rate[i], 1e-9);
    double apart[ROOM], here[ROOM]; /* also where q itself is overwritten */
    memcpy(here, at->q, at->nq * sizeof *here);
    at->part->move(at->own, at->q, w, apart);
    at->part->move(at->own, here, w, here);
    CHECK(memcmp(here, apart, at->nq * sizeof *here) == 0);
}

/* signals end, and each acts in one way; bodies are described in a space of at most three dimensions */
static void check_description(const struct sample *at)
{
    struct carom_particles particles = {.dimension = 1};
    enum carom_action action;
    size_t count = 0;
    while (at->part->signal && at->part->signal(at->own, count, &action) && count < 1000) {
        CHECK(action == CAROM_ACTS_FORCE || action == CAROM_ACTS_BODY || action == CAROM_ACTS_PORT ||
              action == CAROM_ACTS_INSIDE);
        count++;
    }
    CHECK(count < 1000);
    if (at->part->describe)
        at->part->describe(at->own, &particles);
    CHECK(particles.dimension >= 1 && particles.dimension <= 3 && particles.n <= at->nq);
}

static void check_part(const struct maker *maker, struct carom_random *random)
{
    for (int trial = 0; trial < 100; trial++) {
        struct sample at = {.part = maker->part, .own = maker->make(random), .t = carom_random_normal(random)};
        double w[ROOM], rest[ROOM] = {0.0}, raw[ROOM];
        CHECK_OR_STOP(at.own != NULL);
        at.part->sizes(at.own, &at.nq, &at.nv, &at.nports);
        size_t some = 0, all = 0;
        if (at.part->scratch)
            at.part->scratch(at.own, &some, &all);
        CHECK_OR_STOP((at.scratch = carom_memory_zeroed(some > all ? some : all, sizeof *at.scratch)) != NULL);
        CHECK_OR_STOP(at.nq <= ROOM && at.nv <= ROOM && at.nv > 0);
        CHECK(at.nports > 0 || at.part == &carom_part_bodies); /* whose contacts join no ports */
        for (size_t i = 0; i < at.nq; i++)
            at.q[i] = carom_random_normal(random);
        for (size_t i = 0; i < at.nv; i++) {
            at.v[i] = carom_random_normal(random);
            w[i] = carom_random_normal(random);
        }
        memcpy(raw, at.q, sizeof raw);
        if (at.part->move)
            at.part->move(at.own, raw, rest, at.q); /* onto the manifold */
        check_mass(&at, w);
        check_force(&at, w);
        check_ports(&at, w);
        check_flow(&at, w);
        check_description(&at);
        carom_memory_free(at.scratch);
        at.part->release(at.own);
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    const size_t nmakers = sizeof makers / sizeof *makers;
    for (size_t i = 0; carom_kinds_parts[i]; i++) {
        size_t k = 0;
        while (k < nmakers && makers[k].part != carom_kinds_parts[i])
            k++;
        CHECK(k < nmakers);
    }
    for (size_t k = 0; k < nmakers; k++)
        check_part(&makers[k], &random);
    return check_end();
}
