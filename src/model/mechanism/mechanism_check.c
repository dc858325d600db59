/* Tries every function of a mechanism at one state and says, in one sentence, which equation, joint or distance is at
 * fault: numbers that are not finite, a mass matrix that is not symmetric or not positive, joints that contradict or
 * repeat one another, or that the start violates. */
#include "model/mechanism/mechanism.h"

static const char *name_of(const struct carom_mechanism *m)
{
    return m->name ? m->name : "mechanism";
}

static enum carom_status check_sizes(const struct carom_mechanism *m, struct carom_error *error)
{
    if (m->n == 0 || m->n > CAROM_MECHANISM_WIDTH || m->njoints > m->n || m->nq > CAROM_MECHANISM_PLACES)
        return carom_error_set(error, CAROM_E_INPUT,
                               "%s: a mechanism has 1 to %d coordinates and at most as many joints, not %zu and %zu",
                               name_of(m), CAROM_MECHANISM_WIDTH, m->n, m->njoints);
    if (!m->mass || (m->ndistances > 0 && !m->distance) || (m->njoints > 0 && !m->joint && !m->joints))
        return carom_error_set(error, CAROM_E_INPUT, "%s: the function for its %s is missing", name_of(m),
                               !m->mass                            ? "mass matrix"
                               : m->ndistances > 0 && !m->distance ? "distances"
                                                                   : "joints");
    for (size_t i = 0; i < m->nlinks; i++)
        if (m->link[i].distance >= m->ndistances)
            return carom_error_set(error, CAROM_E_INPUT, "%s: link %zu acts on distance %zu, there are %zu", name_of(m),
                                   i + 1, m->link[i].distance + 1, m->ndistances);
    return CAROM_OK;
}

static enum carom_status check_mass(const struct carom_mechanism *m, double t, const double *q,
                                    struct carom_mechanism_frame *frame, struct carom_error *error)
{
    const size_t n = m->n;
    m->mass(m->own, q, frame->l);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double a = frame->l[i * n + j], b = frame->l[j * n + i];
            if (!isfinite(a))
                return carom_error_set(error, CAROM_E_NUMERIC, "%s: mass[%zu][%zu] is not finite at t = %g", name_of(m),
                                       i + 1, j + 1, t);
            if (!(fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b))))
                return carom_error_set(error, CAROM_E_INPUT,
                                       "%s: the mass matrix is not symmetric: [%zu][%zu] is %g, [%zu][%zu] is %g",
                                       name_of(m), i + 1, j + 1, a, j + 1, i + 1, b);
        }
    carom_mechanism_factor(m, t, q, frame);
    if (frame->bad_mass > 0)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "%s: the mass matrix is singular or not positive, at equation %zu, t = %g", name_of(m),
                               frame->bad_mass, t);
    return CAROM_OK;
}

/* one row of derivatives: finite, and not all zero */
static enum carom_status check_row(const struct carom_mechanism *m, const char *what, size_t i, double t, double value,
                                   const struct carom_mechanism_row *row, struct carom_error *error)
{
    bool finite = isfinite(value) && isfinite(row->drift);
    for (size_t c = 0; c < m->n; c++)
        finite = finite && isfinite(row->slope[c]);
    if (!finite)
        return carom_error_set(error, CAROM_E_NUMERIC, "%s: %s %zu or its slope is not finite at t = %g", name_of(m),
                               what, i + 1, t);
    return CAROM_OK;
}

static enum carom_status check_joints(const struct carom_mechanism *m, double t, const double *q, const double *v,
                                      const struct carom_mechanism_frame *frame, struct carom_error *error)
{
    double largest = 0.0;
    for (size_t c = 0; c < m->n; c++)
        largest = fmax(largest, fmax(fabs(q[c]), fabs(v[c])));
    for (size_t i = 0; i < m->njoints; i++) {
        const struct carom_mechanism_row *row = &frame->joint[i];
        const double value = frame->value[i];
        double rate = row->drift, size = 1.0;
        if (check_row(m, "joint", i, t, value, row, error) != CAROM_OK)
            return error ? error->status : CAROM_E_NUMERIC;
        for (size_t c = 0; c < m->n; c++) {
            rate += row->slope[c] * v[c];
            size += fabs(row->slope[c]);
        }
        if (t == 0.0 && !(fabs(value) <= 1e-6 * size * (1.0 + largest)))
            return carom_error_set(error, CAROM_E_INPUT, "%s: joint %zu is %g at the start, must be 0", name_of(m),
                                   i + 1, value);
        if (t == 0.0 && !(fabs(rate) <= 1e-6 * size * (1.0 + largest)))
            return carom_error_set(error, CAROM_E_INPUT,
                                   "%s: the rate of joint %zu is %g at the start, must be 0: velocities contradict it",
                                   name_of(m), i + 1, rate);
    }
    if (frame->bad_joint > 0)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "%s: joint %zu repeats or contradicts those before it at t = %g: joints must be "
                               "independent",
                               name_of(m), frame->bad_joint, t);
    return CAROM_OK;
}

enum carom_status carom_mechanism_check(const void *own, double t, const double *q, const double *v,
                                        struct carom_error *error)
{
    const struct carom_mechanism *m = own;
    struct carom_mechanism_frame frame;
    enum carom_status status = check_sizes(m, error);
    const size_t nq = m->nq > 0 ? m->nq : m->n;
    for (size_t c = 0; c < (nq > m->n ? nq : m->n) && status == CAROM_OK; c++)
        if ((c < nq && !isfinite(q[c])) || (c < m->n && !isfinite(v[c])))
            status =
                carom_error_set(error, CAROM_E_NUMERIC, "%s: coordinate %zu or its velocity is not finite at t = %g",
                                name_of(m), c + 1, t);
    if (status == CAROM_OK)
        status = check_mass(m, t, q, &frame, error);
    if (status == CAROM_OK)
        status = check_joints(m, t, q, v, &frame, error);
    for (size_t i = 0; i < m->ndistances && status == CAROM_OK; i++) {
        struct carom_mechanism_row row;
        double value;
        carom_mechanism_distance(m, i, t, q, &value, &row);
        status = check_row(m, "distance", i, t, value, &row, error);
        if (status == CAROM_OK && carom_mechanism_slip(m, i, t, q, &value, &row))
            status = check_row(m, "slip", i, t, value, &row, error);
    }
    double f[CAROM_MECHANISM_WIDTH];
    if (status == CAROM_OK)
        carom_mechanism_force(m, t, q, v, f);
    for (size_t c = 0; c < m->n && status == CAROM_OK; c++)
        if (!isfinite(f[c]))
            status = carom_error_set(error, CAROM_E_NUMERIC, "%s: the force in equation %zu is not finite at t = %g",
                                     name_of(m), c + 1, t);
    return status;
}
