/* The motion of a whole model; see motion.h. Everything here is a loop over the model's parts. */
#include "model/motion.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "base/sum.h"

void carom_motion_accelerate(const struct carom_model *model, double t, const double *q, const double *v,
                             const double *lambda, double *scratch, double *force, double *a, double *work)
{
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        m->part->force(m->own, t, q + m->q0, v + m->v0, scratch, force + m->v0);
    }
    if (lambda)
        carom_contacts_push(model, t, q, lambda, force, work);
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        if (m->part->accelerate)
            m->part->accelerate(m->own, t, q + m->q0, v + m->v0, force + m->v0, a + m->v0);
        else
            m->part->mass_solve(m->own, q + m->q0, force + m->v0, a + m->v0);
    }
}

void carom_motion_flow(const struct carom_model *model, const double *q, const double *v, double *rate)
{
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        if (m->part->flow)
            m->part->flow(m->own, q + m->q0, v + m->v0, rate + m->q0);
        else
            memcpy(rate + m->q0, v + m->v0, m->nq * sizeof *rate);
    }
}

void carom_motion_unflow(const struct carom_model *model, const double *q, const double *rate, double *room, double *v)
{
    double *unit = room, *column = room + model->nv;
    memset(unit, 0, model->nv * sizeof *unit);
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        if (!m->part->flow)
            memcpy(v + m->v0, rate + m->q0, m->nq * sizeof *v);
        for (size_t k = 0; m->part->flow && k < m->nv; k++) {
            double along = 0.0, square = 0.0;
            unit[m->v0 + k] = 1.0;
            m->part->flow(m->own, q + m->q0, unit + m->v0, column);
            unit[m->v0 + k] = 0.0;
            for (size_t c = 0; c < m->nq; c++) {
                along += column[c] * rate[m->q0 + c];
                square += column[c] * column[c];
            }
            v[m->v0 + k] = along / square;
        }
    }
}

void carom_motion_move(const struct carom_model *model, const double *q, const double *step, double *moved)
{
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        if (m->part->move)
            m->part->move(m->own, q + m->q0, step + m->v0, moved + m->q0);
        for (size_t c = 0; !m->part->move && c < m->nq; c++)
            moved[m->q0 + c] = q[m->q0 + c] + step[m->v0 + c];
    }
}

void carom_motion_normalise(const struct carom_model *model, double *q, double *still)
{
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        if (!m->part->move)
            continue;
        memset(still, 0, m->nv * sizeof *still);
        m->part->move(m->own, q + m->q0, still, q + m->q0);
    }
}

void carom_motion_project(const struct carom_model *model, double t, double *q, double *v)
{
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        if (m->part->project)
            m->part->project(m->own, t, q + m->q0, v + m->v0);
    }
}

void carom_motion_impose(const struct carom_model *model, double t, double *q, double *v)
{
    for (size_t i = 0; !(model->offers & CAROM_UNDRIVEN) && i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        if (m->part->impose)
            m->part->impose(m->own, t, q + m->q0, v + m->v0);
    }
}

double carom_motion_lever(const struct carom_model *model, bool rate, size_t i)
{
    for (size_t k = 0; k < model->nparts; k++) {
        const struct carom_member *m = &model->member[k];
        const size_t first = rate ? m->v0 : m->q0, count = rate ? m->nv : m->nq;
        if (i - first < count)
            return m->part->lever ? m->part->lever(m->own, rate, i - first) : 1.0;
    }
    return 1.0;
}

void carom_motion_apart(const struct carom_model *model, const struct carom_state *a, const struct carom_state *b,
                        double *length, double *speed)
{
    *length = *speed = 0.0;
    for (size_t i = 0; i < model->nq; i++)
        *length = fmax(*length, carom_motion_lever(model, false, i) * fabs(a->q[i] - b->q[i]));
    for (size_t i = 0; i < model->nv; i++)
        *speed = fmax(*speed, carom_motion_lever(model, true, i) * fabs(a->v[i] - b->v[i]));
}

/* --- energy ------------------------------------------------------------------------------------------------------ */

void carom_motion_power(const struct carom_model *model, double t, const double *q, const double *v, double *scratch,
                        double *dissipated, double *work)
{
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        dissipated[i] = work[i] = 0.0;
        if (m->part->power)
            m->part->power(m->own, t, q + m->q0, v + m->v0, scratch, &dissipated[i], &work[i]);
    }
}

void carom_motion_spend(const struct carom_model *model, double t, const double *q, const double *v, double h,
                        double *scratch, double *spent, double *work)
{
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        double loss = 0.0, gain = 0.0;
        if (m->part->power)
            m->part->power(m->own, t, q + m->q0, v + m->v0, scratch, &loss, &gain);
        spent[i] += h * loss;
        work[i] += h * gain;
    }
}

static void energies(const struct carom_model *model, struct carom_threads *threads, double t, const double *q,
                     const double *v, double *scratch, double *kinetic, double *stored)
{
    struct carom_sum moving = {0.0, 0.0}, resting = {0.0, 0.0};
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        double own_kinetic, own_stored;
        if (threads && m->part->energy_shared)
            m->part->energy_shared(m->own, threads, t, q + m->q0, v + m->v0, scratch, &own_kinetic, &own_stored);
        else
            m->part->energy(m->own, t, q + m->q0, v + m->v0, scratch, &own_kinetic, &own_stored);
        carom_sum_add(&moving, own_kinetic);
        carom_sum_add(&resting, own_stored);
    }
    *kinetic = carom_sum_value(&moving);
    *stored = carom_sum_value(&resting);
}

void carom_motion_energy(const struct carom_model *model, double t, const double *q, const double *v, double *scratch,
                         double *kinetic, double *stored)
{
    energies(model, NULL, t, q, v, scratch, kinetic, stored);
}

void carom_motion_energies(const struct carom_model *model, const struct carom_state *view, double *kinetic,
                           double *stored)
{
    energies(model, view->threads, view->time, view->q, view->v, view->scratch, kinetic, stored);
}

/* --- signals ----------------------------------------------------------------------------------------------------- */

/* which signal of a model is asked for next */
struct cursor {
    size_t member, k;
};

/* the next signal and how it acts; NULL: there are no more */
static const struct carom_signal *next_signal(const struct carom_model *model, struct cursor *at,
                                              enum carom_action *action)
{
    for (; at->member < model->nparts; at->member++, at->k = 0) {
        const struct carom_member *m = &model->member[at->member];
        const struct carom_signal *signal = m->part->signal ? m->part->signal(m->own, at->k, action) : NULL;
        at->k++;
        if (signal)
            return signal;
    }
    return NULL;
}

/* the time in which a signal goes from 0 to its largest value */
static double rise(const struct carom_signal *signal)
{
    double value, rate;
    carom_signal_largest(signal, &value, &rate);
    return rate > 0.0 ? value / rate : HUGE_VAL;
}

double carom_motion_pace(const struct carom_model *model, unsigned actions, const double *now)
{
    double shortest = HUGE_VAL;
    enum carom_action action;
    const struct carom_signal *signal;
    for (struct cursor at = {0, 0}; (signal = next_signal(model, &at, &action)) != NULL;)
        if ((actions & action) && !(now && carom_signal_quiet(signal, *now) > *now))
            shortest = fmin(shortest, rise(signal));
    return shortest;
}

double carom_motion_swing(const struct carom_model *model)
{
    double shortest = HUGE_VAL;
    enum carom_action action;
    const struct carom_signal *signal;
    for (struct cursor at = {0, 0}; (signal = next_signal(model, &at, &action)) != NULL;)
        if (action == CAROM_ACTS_FORCE && (signal->frequency != 0.0 || signal->frequency_end != 0.0))
            shortest = fmin(shortest, rise(signal));
    return shortest;
}

/* the longest step that does not pass over a ricker, or one in a sum */
static double before_pulse(const struct carom_signal *signal, double now)
{
    double longest = HUGE_VAL;
    const double wide = 2.0 / fabs(signal->frequency); /* beyond, a ricker is 1e-15 of its height */
    if (signal->shape == CAROM_SHAPE_RICKER && now <= signal->start + wide)
        longest = fmax(signal->start - wide - now, rise(signal));
    for (size_t i = 0; signal->shape == CAROM_SHAPE_SUM && i < signal->count; i++)
        longest = fmin(longest, before_pulse(&signal->part[i], now));
    return longest;
}

double carom_motion_pulse(const struct carom_model *model, double now)
{
    double longest = HUGE_VAL;
    enum carom_action action;
    const struct carom_signal *signal;
    for (struct cursor at = {0, 0}; (signal = next_signal(model, &at, &action)) != NULL;)
        longest = fmin(longest, before_pulse(signal, now));
    return longest;
}

/* writes the breaks of all signals where there is room; returns how many there are */
static size_t collect_breaks(const struct carom_model *model, double *times, size_t room)
{
    size_t count = 0;
    enum carom_action action;
    const struct carom_signal *signal;
    for (struct cursor at = {0, 0}; (signal = next_signal(model, &at, &action)) != NULL;)
        count += carom_signal_breaks(signal, count < room ? times + count : NULL, count < room ? room - count : 0);
    return count;
}

double *carom_motion_breaks(const struct carom_model *model, size_t *count)
{
    *count = collect_breaks(model, NULL, 0);
    double *times = carom_memory_zeroed(*count, sizeof *times);
    if (!times)
        return NULL;
    collect_breaks(model, times, *count);
    if (*count > 1)
        qsort(times, *count, sizeof *times, carom_sorted_reals);
    return times;
}

void carom_motion_jump(const struct carom_model *model, double t, const double *q, double *scratch, double *work)
{
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        if (m->part->jump)
            work[i] += m->part->jump(m->own, t, q + m->q0, scratch);
    }
}
