/* Flights of scheme mannshardt: one step of a Runge-Kutta method with held contacts kept at acceleration level, then
 * pulled back onto gaps and rates 0, which keeps the order of the method. Part of a flight is had by flying again with
 * a shorter step, so it has the full order too; gaps are looked for on a polynomial of degree five through the ends. */
#include <string.h>

#include "model/beads/loads.h"
#include "model/motion.h"
#include "scheme/rigid/mannshardt/mannshardt.h"
#include "solve/cubic.h"

void carom_mannshardt_move_begin(struct carom_stepper *stepper, const struct carom_state *state)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    const struct carom_model *model = stepper->model;
    carom_event_smooth_take(stepper, state);
    /* second derivatives of gaps are differences over `probe`: small beside the time in which the motion changes, of
     * which steps know more than the scales, but no smaller than need be */
    s->probe = 0.003 * state->memory[CAROM_EVENT_NEXT_STEP];
    s->probe = carom_event_drives_probe(&m->event, fmax(s->probe, 1e-3 * m->event.length / m->event.speed));
    memcpy(s->start, state->q, model->nq * sizeof(double));
    memcpy(s->start + model->nq, state->v, model->nv * sizeof(double));
    memcpy(s->start + model->nq + model->nv, state->spent, model->nparts * sizeof(double));
    memcpy(s->start + m->ny - model->nparts, state->work, model->nparts * sizeof(double));
    m->differentiated = false;
    m->energy = carom_mannshardt_memory(state, model->nc)[CAROM_MANNSHARDT_ENERGY];
    if (carom_mannshardt_memory(state, model->nc)[CAROM_MANNSHARDT_KNOWN] != 0.0) {
        memcpy(m->k[0], carom_mannshardt_slope(state, model->nc), m->ny * sizeof(double));
        for (size_t i = 0; i < s->nheld; i++)
            m->first[i] = state->force[s->held[i]];
        return;
    }
    memcpy(s->look, s->start, m->ny * sizeof(double));
    carom_event_smooth_rates(stepper, state->time + state->time_low, s->look, m->k[0]);
    memcpy(m->first, s->lambda, s->nheld * sizeof(double));
}

static void note_forces(struct carom_mannshardt *m)
{
    const struct carom_event_smooth *s = &m->event.smooth;
    for (size_t i = 0; i < s->nheld; i++)
        m->least[i] = s->lambda[i] < m->least[i] ? s->lambda[i] : m->least[i];
}

/* time of a stage: the last moment of a flight belongs to it, though loads may break there */
static double moment_of(double t, double c, double h)
{
    return fmin(t + c * h, carom_loads_within(t, t + h));
}

static void fly_explicit(struct carom_stepper *stepper, const struct carom_tableau_explicit *t, double h, double *y)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    for (int i = 1; i <= t->stages; i++) {
        const double *weight = i < t->stages ? t->a[i] : t->b;
        double *to = i < t->stages ? s->stage : y;
        for (size_t c = 0; c < m->ny; c++) {
            double sum = 0.0;
            for (int j = 0; j < i; j++)
                sum += weight[j] * m->k[j][c];
            to[c] = s->start[c] + h * sum;
        }
        if (i == t->stages)
            break;
        carom_event_smooth_rates(stepper, moment_of(s->from, t->c[i], h), s->stage, m->k[i]);
        note_forces(m);
    }
}

int carom_mannshardt_move_stages(const struct carom_mannshardt *m, int order)
{
    return m->options->method == CAROM_MANNSHARDT_EXPLICIT ? carom_tableau_explicit_of(order)->stages : 1;
}

void carom_mannshardt_move_end(struct carom_stepper *stepper, int order, double h, const double *y)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    memcpy(s->look, y, m->ny * sizeof(double));
    carom_event_smooth_rates(stepper, carom_loads_within(s->from, s->from + h), s->look,
                             m->k[carom_mannshardt_move_stages(m, order)]);
    note_forces(m);
    memcpy(m->last, s->lambda, s->nheld * sizeof(double));
}

bool carom_mannshardt_move_fly(struct carom_stepper *stepper, int order, double h, double *y, bool slope)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    s->to = s->from + h;
    /* drives are not looked at far beyond the flight, unless it is none */
    if (s->to > s->from && !(stepper->model->offers & CAROM_UNDRIVEN))
        s->probe = fmin(s->probe, fmax(0.1 * h, carom_event_drives_least(&m->event)));
    for (size_t i = 0; i < s->nheld; i++)
        m->least[i] = m->first[i];
    if (!(h > 0.0)) {
        memcpy(y, s->start, m->ny * sizeof(double));
        return true;
    }
    if (m->options->method == CAROM_MANNSHARDT_EXPLICIT)
        fly_explicit(stepper, carom_tableau_explicit_of(order), h, y);
    else if (!carom_mannshardt_implicit_fly(stepper, m->options->method == CAROM_MANNSHARDT_RADAU, order, h, y))
        return false;
    carom_event_smooth_project(stepper, carom_loads_within(s->from, s->from + h), y);
    if (slope)
        carom_mannshardt_move_end(stepper, order, h, y);
    return true;
}

double carom_mannshardt_move_cost(const struct carom_mannshardt *m, int order)
{
    if (m->options->method == CAROM_MANNSHARDT_EXPLICIT)
        return carom_tableau_explicit_of(order)->stages;
    return (double)m->n + 5.0 * 0.5 * (order + 1.0);
}

/* How large x is: q in units of U and v in units of V, of each coordinate together, so that what swings between the two
 * does not seem to come and go; energies in units of that of all bodies at V; the largest. */
static double size_of(const struct carom_mannshardt *m, const double *x)
{
    const size_t nq = m->event.model->nq, nv = m->event.model->nv;
    double largest = 0.0, poison = 0.0;
    for (size_t i = 0; i < nq || i < nv; i++) {
        const double q = i < nq ? x[i] / m->event.length : 0.0, v = i < nv ? x[nq + i] / m->event.speed : 0.0;
        const double size = q * q + v * v;
        largest = size > largest ? size : largest;
        poison += size * 0.0;
    }
    for (size_t i = m->n; m->energy > 0.0 && i < m->ny; i++) { /* energies spent and works */
        const double size = x[i] / m->energy * (x[i] / m->energy);
        largest = size > largest ? size : largest;
        poison += size * 0.0;
    }
    return poison == 0.0 ? sqrt(largest) : HUGE_VAL;
}

/* the largest velocity, in units of V */
static double fastest_of(const struct carom_mannshardt *m, const double *x)
{
    double largest = 0.0;
    for (size_t i = m->event.model->nq; i < m->n; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest / m->event.speed;
}

/* Of q and v together, and of q by what v tells: of a body that falls beside a soft spring the second derivative is
 * large, the third is not, and the fourth is again, so that how they fall tells nothing of its place, but its
 * acceleration does. */
static double error_explicit(struct carom_mannshardt *m, const struct carom_tableau_explicit *t, double h)
{
    double speed[2];
    for (int which = 0; which < 2; which++) {
        const double *weight = which == 0 ? t->fine : t->coarse;
        for (size_t c = 0; c < m->ny; c++) {
            double sum = 0.0;
            for (int j = 0; j <= t->stages; j++)
                sum += weight[j] * m->k[j][c];
            m->other[c] = h * sum;
        }
        m->form[which] = size_of(m, m->other);
        speed[which] = fastest_of(m, m->other);
    }
    const double error = carom_tableau_explicit_error(t, m->form[0], m->form[1]);
    if (!m->flat || !(error < HUGE_VAL))
        return error;
    const double way = h * m->event.speed / m->event.length,
                 ratio = m->form[0] < m->form[1] ? m->form[0] / m->form[1] : 1.0;
    return fmax(error, carom_tableau_explicit_error_of_integral(t, way, speed[0], speed[1], ratio));
}

double carom_mannshardt_move_error(struct carom_stepper *stepper, int order, double h, const double *y)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    if (m->options->method == CAROM_MANNSHARDT_EXPLICIT)
        return error_explicit(m, carom_tableau_explicit_of(order), h);
    /* the next lower order of the family; the lowest against one more of the other */
    const bool radau = m->options->method == CAROM_MANNSHARDT_RADAU;
    const int beside = order > 2 ? order - 2 : order + 1;
    if (!carom_mannshardt_implicit_fly(stepper, order > 2 ? radau : !radau, beside, h, m->other))
        return HUGE_VAL;
    carom_event_smooth_project(stepper, carom_loads_within(s->from, s->from + h), m->other);
    for (size_t i = 0; i < m->ny; i++)
        m->other[i] -= y[i];
    return size_of(m, m->other);
}

/* --- between the ends -------------------------------------------------------------------------------------------- */

/* s in [0, 1] on a polynomial with these places, slopes and second derivatives (times h and h^2) at both ends */
static double quintic(double s, const double *x, const double *r, const double *a, double *rate)
{
    const double rise = x[1] - x[0] - r[0] - 0.5 * a[0], turn = r[1] - r[0] - a[0], bend = a[1] - a[0];
    const double c3 = 10.0 * rise - 4.0 * turn + 0.5 * bend, c4 = -15.0 * rise + 7.0 * turn - bend,
                 c5 = 6.0 * rise - 3.0 * turn + 0.5 * bend;
    *rate = r[0] + s * (a[0] + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)));
    return x[0] + s * (r[0] + s * (0.5 * a[0] + s * (c3 + s * (c4 + s * c5))));
}

void carom_mannshardt_move_between(struct carom_stepper *stepper, double h, double s, bool coarse)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *smooth = &m->event.smooth;
    const size_t nq = stepper->model->nq, nv = stepper->model->nv;
    const double *k0 = m->k[0], *k1 = m->k[carom_mannshardt_move_stages(m, m->order)], *y0 = smooth->start,
                 *y1 = smooth->end;
    for (size_t i = 0; i < nq; i++) {
        const struct carom_cubic x = {{y0[i], y1[i]}, {h * k0[i], h * k1[i]}};
        if (!m->flat || coarse) {
            smooth->look[i] = carom_cubic_at(&x, s);
            continue;
        }
        const double a[2] = {h * h * k0[nq + i], h * h * k1[nq + i]};
        double rate;
        smooth->look[i] = quintic(s, x.value, x.slope, a, &rate);
        smooth->look[nq + i] = rate / h;
    }
    for (size_t i = nq; (!m->flat || coarse) && i < nq + nv; i++) {
        const struct carom_cubic x = {{y0[i], y1[i]}, {h * k0[i], h * k1[i]}};
        smooth->look[i] = carom_cubic_at(&x, s);
    }
    carom_motion_impose(stepper->model, moment_of(smooth->from, s, h), smooth->look, smooth->look + nq);
}

void carom_mannshardt_move_write(const struct carom_mannshardt *m, const double *y, struct carom_state *state)
{
    const struct carom_model *model = m->event.model;
    memcpy(state->q, y, model->nq * sizeof(double));
    memcpy(state->v, y + model->nq, model->nv * sizeof(double));
    memcpy(state->spent, y + model->nq + model->nv, model->nparts * sizeof(double));
    memcpy(state->work, y + m->ny - model->nparts, model->nparts * sizeof(double));
}
