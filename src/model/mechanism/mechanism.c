/* Part `mechanism`: a user's M, F, distances and joints by callbacks. Slopes that are not given are central differences
 * of fourth order (good to about 1e-12). Joints are held by the accelerations and, against drift, by projection. */
#include "model/mechanism/mechanism.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "solve/dense.h"

#define WIDTH CAROM_MECHANISM_WIDTH

/* --- differences -------------------------------------------------------------------------------------------------- */

static const double rounding = 1e-14; /* a pivot so small beside its diagonal entry is nothing else */
static const double stencil[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};

/* a step that balances rounding against the fifth derivative: eps^(1/5) */
static double difference_step(double at)
{
    const double size = fabs(at) > 1.0 ? fabs(at) : 1.0;
    const volatile double end = at + 1e-3 * size; /* so that the step is a difference of two numbers */
    return end - at;
}

typedef double carom_function(const void *own, size_t i, double t, const double *q);

static void difference(const struct carom_mechanism *m, carom_function *f, size_t i, double t, const double *q,
                       struct carom_mechanism_row *row)
{
    double x[WIDTH];
    memcpy(x, q, m->n * sizeof *x);
    for (size_t c = 0; c < m->n; c++) {
        const double h = difference_step(q[c]);
        row->slope[c] = 0.0;
        for (int s = 0; s < 4; s++) {
            x[c] = q[c] + stencil[s] * h;
            row->slope[c] += weight[s] * f(m->own, i, t, x);
        }
        row->slope[c] /= h;
        x[c] = q[c];
    }
    const double h = difference_step(t);
    row->drift = 0.0;
    for (int s = 0; s < 4; s++)
        row->drift += weight[s] * f(m->own, i, t + stencil[s] * h, q);
    row->drift /= h;
}

void carom_mechanism_distance(const struct carom_mechanism *m, size_t i, double t, const double *q, double *value,
                              struct carom_mechanism_row *row)
{
    if (m->place) {
        m->place(m->own, i, t, q, value, row->slope, &row->drift);
        return;
    }
    *value = m->distance(m->own, i, t, q);
    if (m->slope)
        m->slope(m->own, i, t, q, row->slope, &row->drift);
    else
        difference(m, m->distance, i, t, q, row);
}

bool carom_mechanism_slip(const struct carom_mechanism *m, size_t i, double t, const double *q, double *value,
                          struct carom_mechanism_row *row)
{
    if (!m->slip && !m->slip_slope)
        return false;
    *value = m->slip ? m->slip(m->own, i, t, q) : 0.0;
    if (m->slip_slope)
        m->slip_slope(m->own, i, t, q, row->slope, &row->drift);
    else
        difference(m, m->slip, i, t, q, row);
    return true;
}

static void see_joint(const struct carom_mechanism *m, size_t i, double t, const double *q,
                      struct carom_mechanism_row *row)
{
    if (m->joint_slope)
        m->joint_slope(m->own, i, t, q, row->slope, &row->drift);
    else
        difference(m, m->joint, i, t, q, row);
}

/* rows of all joints and, unless NULL, their values */
static void see_joints(const struct carom_mechanism *m, double t, const double *q, double *value,
                       struct carom_mechanism_row *row)
{
    double values[WIDTH], slope[CAROM_MECHANISM_SQUARE], drift[WIDTH];
    if (m->joints)
        m->joints(m->own, t, q, value ? value : values, slope, drift);
    for (size_t i = 0; i < m->njoints; i++) {
        if (!m->joints) {
            see_joint(m, i, t, q, &row[i]);
            if (value)
                value[i] = m->joint(m->own, i, t, q);
            continue;
        }
        memcpy(row[i].slope, slope + i * m->n, m->n * sizeof *slope);
        row[i].drift = drift[i];
    }
}

/* --- joints ----------------------------------------------------------------------------------------------------- */

static bool is_diagonal(size_t n, const double *l)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (l[i * n + k] != 0.0)
                return false;
    return true;
}

/* x = M^-1 x */
static void solve_mass(size_t n, const struct carom_mechanism_frame *frame, double *x)
{
    if (!frame->diagonal) {
        carom_dense_cholesky_solve(n, frame->l, x);
        return;
    }
    for (size_t i = 0; i < n; i++)
        x[i] = x[i] / frame->l[i * n + i] / frame->l[i * n + i];
}

/* L of M; a diagonal M takes its roots alone */
static void factor_mass(const struct carom_mechanism *m, const double *q, struct carom_mechanism_frame *frame)
{
    m->mass(m->own, q, frame->l);
    frame->diagonal = is_diagonal(m->n, frame->l);
    frame->bad_mass = 0;
    for (size_t i = 0; frame->diagonal && i < m->n; i++)
        frame->bad_mass = frame->bad_mass == 0 && !(frame->l[i * m->n + i] > 0.0) ? i + 1 : frame->bad_mass;
    if (!frame->diagonal || frame->bad_mass > 0)
        frame->bad_mass = carom_dense_cholesky(m->n, frame->l, rounding);
    for (size_t i = 0; frame->diagonal && frame->bad_mass == 0 && i < m->n; i++)
        frame->l[i * m->n + i] = sqrt(frame->l[i * m->n + i]);
}

void carom_mechanism_factor(const struct carom_mechanism *m, double t, const double *q,
                            struct carom_mechanism_frame *frame)
{
    factor_mass(m, q, frame);
    frame->bad_joint = 0;
    if (m->njoints == 0)
        return;
    see_joints(m, t, q, frame->value, frame->joint);
    for (size_t i = 0; i < m->njoints; i++) {
        memcpy(frame->answer + i * m->n, frame->joint[i].slope, m->n * sizeof(double));
        solve_mass(m->n, frame, frame->answer + i * m->n);
    }
    for (size_t i = 0; i < m->njoints; i++) /* the lower half is all that factors look at */
        for (size_t j = 0; j <= i; j++)
            frame->k[i * m->njoints + j] = carom_vec_product(m->n, frame->joint[i].slope, frame->answer + j * m->n);
    frame->bad_joint = carom_dense_cholesky(m->njoints, frame->k, rounding);
}

/* x -= M^-1 J^T S^-1 (J x + extra): takes out what would break the joints; extra NULL: 0 */
static void hold(const struct carom_mechanism *m, const struct carom_mechanism_frame *frame, const double *extra,
                 double *x)
{
    double mu[WIDTH];
    for (size_t i = 0; i < m->njoints; i++)
        mu[i] = carom_vec_product(m->n, frame->joint[i].slope, x) + (extra ? extra[i] : 0.0);
    carom_dense_cholesky_solve(m->njoints, frame->k, mu);
    for (size_t i = 0; i < m->njoints; i++)
        for (size_t c = 0; c < m->n; c++)
            x[c] -= frame->answer[i * m->n + c] * mu[i];
}

/* --- forces ------------------------------------------------------------------------------------------------------- */

/* f += -M' v + 1/2 d(v . M v)/dq, by differences of M */
static void add_velocity_terms(const struct carom_mechanism *m, const double *q, const double *v, double *f)
{
    const size_t n = m->n;
    double x[WIDTH], mass[CAROM_MECHANISM_SQUARE], slope[CAROM_MECHANISM_SQUARE];
    memcpy(x, q, n * sizeof *x);
    for (size_t c = 0; c < n; c++) {
        const double h = difference_step(q[c]);
        memset(slope, 0, n * n * sizeof *slope);
        for (int s = 0; s < 4; s++) {
            x[c] = q[c] + stencil[s] * h;
            m->mass(m->own, x, mass);
            for (size_t i = 0; i < n * n; i++)
                slope[i] += weight[s] / h * mass[i];
        }
        x[c] = q[c];
        for (size_t i = 0; i < n; i++) {
            const double row = carom_vec_product(n, slope + i * n, v);
            f[i] -= v[c] * row;
            f[c] += 0.5 * v[i] * row;
        }
    }
}

void carom_mechanism_force(const struct carom_mechanism *m, double t, const double *q, const double *v, double *f)
{
    memset(f, 0, m->n * sizeof *f);
    if (m->force)
        m->force(m->own, t, q, v, f);
    for (size_t i = 0; i < m->nlinks; i++) {
        const struct carom_link *link = &m->link[i];
        struct carom_mechanism_row row;
        double value;
        carom_mechanism_distance(m, link->distance, t, q, &value, &row);
        const double rate = carom_vec_product(m->n, row.slope, v) + row.drift;
        const double push =
            carom_signal_value(&link->drive, t) - link->stiffness * (value - link->rest) - link->damping * rate;
        for (size_t c = 0; c < m->n; c++)
            f[c] += row.slope[c] * push;
    }
    if (!m->velocity_terms && !m->constant_mass)
        add_velocity_terms(m, q, v, f);
}

static void force(const void *own, double t, const double *q, const double *v, double *scratch, double *f)
{
    (void)scratch;
    carom_mechanism_force(own, t, q, v, f);
}

/* --- motion ------------------------------------------------------------------------------------------------------- */

static void sizes(const void *own, size_t *nq, size_t *nv, size_t *nports)
{
    const struct carom_mechanism *m = own;
    *nq = m->nq > 0 ? m->nq : m->n;
    *nv = m->n;
    *nports = m->ndistances;
}

static void mass_apply(const void *own, const double *q, const double *v, double *p)
{
    const struct carom_mechanism *m = own;
    double mass[CAROM_MECHANISM_SQUARE];
    m->mass(m->own, q, mass);
    for (size_t i = 0; i < m->n; i++)
        p[i] = carom_vec_product(m->n, mass + i * m->n, v);
}

/* joints do not see the time here: what an impulse does to them depends on q alone */
static void mass_solve(const void *own, const double *q, const double *p, double *v)
{
    const struct carom_mechanism *m = own;
    struct carom_mechanism_frame frame;
    carom_mechanism_factor(m, 0.0, q, &frame);
    memmove(v, p, m->n * sizeof *v);
    solve_mass(m->n, &frame, v);
    if (m->njoints > 0)
        hold(m, &frame, NULL, v);
}

static void go(const struct carom_mechanism *m, const double *q, const double *step, double *moved)
{
    if (m->move)
        m->move(m->own, q, step, moved);
    for (size_t c = 0; !m->move && c < m->n; c++)
        moved[c] = q[c] + step[c];
}

static void flow(const void *own, const double *q, const double *v, double *rate)
{
    const struct carom_mechanism *m = own;
    m->flow(m->own, q, v, rate);
}

static void move(const void *own, const double *q, const double *step, double *moved)
{
    go(own, q, step, moved);
}

static double lever(const void *own, bool rate, size_t i)
{
    const struct carom_mechanism *m = own;
    return m->lever ? m->lever(m->own, rate, i) : 1.0;
}

/* rates of the joints as the motion (q + s v, v) goes on, without its acceleration: a difference along the motion */
static void joint_bends(const struct carom_mechanism *m, double t, const double *q, const double *v, double *bend)
{
    double fastest = 1.0, step[WIDTH], x[CAROM_MECHANISM_PLACES];
    struct carom_mechanism_row row[WIDTH];
    for (size_t c = 0; !m->pace && c < m->n; c++)
        fastest = fabs(v[c]) > fastest ? fabs(v[c]) : fastest;
    fastest = m->pace ? m->pace(m->own, q, v) : fastest;
    const double h = 1e-3 / fastest;
    memset(bend, 0, m->njoints * sizeof *bend);
    for (int s = 0; s < 4 && fastest > 0.0; s++) {
        for (size_t c = 0; c < m->n; c++)
            step[c] = stencil[s] * h * v[c];
        go(m, q, step, x);
        see_joints(m, t + stencil[s] * h, x, NULL, row);
        for (size_t i = 0; i < m->njoints; i++)
            bend[i] += weight[s] * (carom_vec_product(m->n, row[i].slope, v) + row[i].drift);
    }
    for (size_t i = 0; i < m->njoints && fastest > 0.0; i++)
        bend[i] /= h;
}

static void accelerate(const void *own, double t, const double *q, const double *v, const double *f, double *a)
{
    const struct carom_mechanism *m = own;
    struct carom_mechanism_frame frame;
    double bend[WIDTH];
    carom_mechanism_factor(m, t, q, &frame);
    memmove(a, f, m->n * sizeof *a);
    solve_mass(m->n, &frame, a);
    if (m->njoints == 0)
        return;
    joint_bends(m, t, q, v, bend);
    hold(m, &frame, bend, a);
}

static void project(const void *own, double t, double *q, double *v)
{
    const struct carom_mechanism *m = own;
    struct carom_mechanism_frame frame;
    double extra[WIDTH], step[WIDTH];
    if (m->njoints == 0)
        return;
    for (int turn = 0; turn < 3; turn++) {
        carom_mechanism_factor(m, t, q, &frame);
        memset(step, 0, m->n * sizeof *step);
        hold(m, &frame, frame.value, step);
        go(m, q, step, q);
    }
    carom_mechanism_factor(m, t, q, &frame);
    for (size_t i = 0; i < m->njoints; i++)
        extra[i] = frame.joint[i].drift;
    hold(m, &frame, extra, v);
}

/* --- energy ------------------------------------------------------------------------------------------------------- */

static void energy(const void *own, double t, const double *q, const double *v, double *scratch, double *kinetic,
                   double *stored)
{
    const struct carom_mechanism *m = own;
    double momentum[WIDTH];
    (void)scratch;
    mass_apply(own, q, v, momentum);
    *kinetic = 0.5 * carom_vec_product(m->n, v, momentum);
    *stored = m->stored ? m->stored(m->own, t, q) : 0.0;
    for (size_t i = 0; i < m->nlinks; i++) {
        const struct carom_link *link = &m->link[i];
        const double stretch = m->distance(m->own, link->distance, t, q) - link->rest;
        *stored += 0.5 * link->stiffness * stretch * stretch;
    }
}

static void power(const void *own, double t, const double *q, const double *v, double *scratch, double *dissipated,
                  double *work)
{
    const struct carom_mechanism *m = own;
    (void)scratch;
    *dissipated = *work = 0.0;
    if (m->power)
        m->power(m->own, t, q, v, dissipated, work);
    for (size_t i = 0; i < m->nlinks; i++) {
        const struct carom_link *link = &m->link[i];
        struct carom_mechanism_row row;
        double value;
        carom_mechanism_distance(m, link->distance, t, q, &value, &row);
        const double own_rate = carom_vec_product(m->n, row.slope, v), rate = own_rate + row.drift;
        const double drive = carom_signal_value(&link->drive, t);
        const double push = drive - link->stiffness * (value - link->rest) - link->damping * rate;
        *dissipated += link->damping * rate * rate;
        *work += drive * rate - push * row.drift; /* what moves the distance by itself works too */
    }
}

static void port(const void *own, size_t i, double t, const double *q, struct carom_port *out)
{
    const struct carom_mechanism *m = own;
    struct carom_mechanism_row row;
    carom_mechanism_distance(m, i, t, q, &out->value, &row);
    out->drift = row.drift;
    out->first = 0;
    out->count = m->n;
    memcpy(out->slope, row.slope, m->n * sizeof *out->slope);
}

static bool tangent(const void *own, size_t i, double t, const double *q, struct carom_port *out)
{
    const struct carom_mechanism *m = own;
    struct carom_mechanism_row row;
    if (!out)
        return m->slip || m->slip_slope;
    if (!carom_mechanism_slip(m, i, t, q, &out->value, &row))
        return false;
    out->drift = row.drift;
    out->first = 0;
    out->count = m->n;
    memcpy(out->slope, row.slope, m->n * sizeof *out->slope);
    return true;
}

static bool passage(const void *own, size_t i, size_t axis, const double *q, struct carom_port *out)
{
    const struct carom_mechanism *m = own;
    if (!m->passage || !out)
        return m->passage != NULL;
    out->value = m->passage(m->own, i, axis, q, out->slope);
    out->drift = 0.0;
    out->first = 0;
    out->count = m->n;
    return true;
}

static const struct carom_signal *signal(const void *own, size_t i, enum carom_action *action)
{
    const struct carom_mechanism *m = own;
    *action = CAROM_ACTS_FORCE;
    if (i < m->nlinks)
        return &m->link[i].drive;
    if (i > m->nlinks || !m->signal)
        return NULL;
    *action = m->still || m->signal->shape <= CAROM_SHAPE_CONSTANT ? CAROM_ACTS_INSIDE : CAROM_ACTS_PORT;
    return m->signal;
}

static void release(void *own)
{
    struct carom_mechanism *m = own;
    if (!m)
        return;
    if (m->release)
        m->release(m->own);
    carom_memory_free_all((void *)(uintptr_t)m->link, m);
}

void *carom_mechanism_create(const struct carom_mechanism *mechanism, const double *q, const double *v,
                             struct carom_error *error)
{
    if (!mechanism)
        return carom_error_missing(error), NULL;
    struct carom_mechanism *m = carom_memory_zeroed(1, sizeof *m);
    struct carom_link *link = carom_memory_zeroed(mechanism->nlinks, sizeof *link);
    if (!m || !link) {
        carom_memory_free_all(m, link);
        if (mechanism->release)
            mechanism->release(mechanism->own);
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for a mechanism");
        return NULL;
    }
    *m = *mechanism;
    if (m->nlinks > 0)
        memcpy(link, mechanism->link, m->nlinks * sizeof *link);
    m->link = link;
    if (carom_mechanism_check(m, 0.0, q, v, error) == CAROM_OK)
        return m;
    release(m);
    return NULL;
}

const struct carom_mechanism *carom_mechanism_of(const struct carom_model *model)
{
    if (!model)
        return NULL;
    const struct carom_part *part = model->nparts == 1 ? model->member[0].part : NULL;
    return part == &carom_part_mechanism || part == &carom_part_mechanism_turning ? model->member[0].own : NULL;
}

/* what both have */
#define MECHANISM                                                                                                     \
    .kind = {"mechanism", "your own equations of motion, or a machine carom knows", NULL,                             \
             sizeof(struct carom_mechanism)},                                                                         \
    .sizes = sizes, .force = force, .mass_apply = mass_apply, .mass_solve = mass_solve, .energy = energy,             \
    .port = port, .tangent = tangent, .passage = passage, .power = power, .signal = signal, .accelerate = accelerate, \
    .project = project, .explain = carom_mechanism_check, .lever = lever, .release = release

const struct carom_part carom_part_mechanism = {MECHANISM, .offers = CAROM_FLAT};
const struct carom_part carom_part_mechanism_turning = {MECHANISM, .flow = flow, .move = move};
