/* The stages of a step of scheme dp5, and what they say of its error and its end. See dp5.h. */
#include "model/motion.h"
#include "scheme/compliant/dp5.h"
#include "scheme/compliant/dp5_fused.h"
#include "scheme/compliant/spans.h"

enum { STAGES = CAROM_DORMAND_PRINCE_STAGES };

/* does all that feeds back move? Then it is one range */
static bool is_whole(const struct carom_dp5 *w)
{
    const struct carom_window *window = &w->rates.window;
    return w->rates.regular && window->count == 1 && window->span[0].first == 0 &&
           window->span[0].last == w->rates.chain.n;
}

/* Velocities are w and what dashpots make of overlaps: those of light beads between strong ones err by far more than
 * places and w do. Where force ends contacts, such errors end them too early. The largest of them. */
static double velocity_error(const struct carom_dp5 *w, double speed)
{
    const struct carom_rates *r = &w->rates;
    const struct carom_chain *c = &r->chain;
    const double *q = w->trial, way = w->step.h * speed;
    double worst = 0.0, *impulse = r->power, *off = r->force; /* both are free between evaluations */
    for (size_t k = 0; k < r->window.count; k++) {
        const struct carom_span *s = &r->window.span[k];
        for (size_t i = s->first; i < s->last; i++)
            off[i] = carom_dormand_prince_error_of(&w->step, i);
        for (size_t j = s->inner; j < s->outer; j++) {
            const int32_t left = r->model->pair[j][0], right = r->model->pair[j][1];
            const double apart = (left >= 0 ? off[left] : 0.0) - (right >= 0 ? off[right] : 0.0);
            const double far = (left >= 0 ? fabs(q[left]) : 0.0) + (right >= 0 ? fabs(q[right]) : 0.0);
            impulse[j] = fabs(apart) > 2e-16 * (way + far) ? r->drag[j] * apart : 0.0; /* less is rounding */
        }
        carom_rates_seal(r, s, impulse);
        carom_chain_push(c, s->first, s->last, impulse, 0, off + s->first);
        for (size_t i = s->first; i < s->last; i++)
            worst = fmax(worst,
                         fabs(carom_dormand_prince_error_of(&w->step, c->n + i) + off[i] * c->beads->inverse_mass[i]));
    }
    return worst;
}

double carom_dp5_stages_error(const struct carom_stepper *stepper, const double *y)
{
    const struct carom_dp5 *w = stepper->work;
    const struct carom_model *m = stepper->model;
    const double length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    const double speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    double worst = 0.0;
    size_t from, to;
    for (size_t i = 0; w->rates.regular && carom_spans_feeding(&w->rates, i, &from, &to); i++)
        worst = fmax(worst, carom_dormand_prince_error(&w->step, from, to) / (i % 2 == 0 ? length : speed));
    if (w->rates.regular)
        return w->rates.acts && w->rates.cut ? fmax(worst, velocity_error(w, speed) / speed) : worst;
    worst = fmax(carom_dormand_prince_error(&w->step, 0, m->nq) / length,
                 carom_dormand_prince_error(&w->step, m->nq, m->nq + m->nv) / speed);
    double largest = 0.0;
    for (size_t i = m->nq + m->nv; i < w->rates.nstate; i++)
        largest = fmax(largest, fabs(y[i]));
    if (largest > 0.0)
        worst = fmax(worst, carom_dormand_prince_error(&w->step, m->nq + m->nv, w->rates.nstate) / largest);
    return worst;
}

void carom_dp5_stages_evaluate(struct carom_dp5 *w, double t, const double *y, double *dy)
{
    if (w->fused)
        carom_dp5_fused_evaluate(&w->rates, y, dy);
    else
        carom_rates_evaluate(&w->rates, t, y, dy);
}

void carom_dp5_stages_take(struct carom_stepper *stepper, const struct carom_state *from, double h, double t_stop)
{
    struct carom_dp5 *w = stepper->work;
    const double t = from->time + from->time_low;
    size_t first, last;
    w->step.y0 = from->data;
    w->step.h = h;
    w->spread = w->step.fine = false;
    stepper->counts.evaluations += STAGES - 1;
    if (w->fused) {
        carom_dp5_fused_stages(&w->rates, &w->step, w->trial);
        return;
    }
    const double end = carom_loads_before(t_stop);
    for (size_t s = 1; s < STAGES; s++) {
        if (is_whole(w))
            carom_dormand_prince_stage(&w->step, s, 0, w->rates.nstate, w->trial);
        for (size_t i = 0; !is_whole(w) && carom_spans_feeding(&w->rates, i, &first, &last); i++)
            carom_dormand_prince_stage(&w->step, s, first, last, w->trial);
        for (size_t i = 0; s + 1 == STAGES && carom_spans_tallied(&w->rates, i, &first, &last); i++)
            carom_dormand_prince_stage(&w->step, s, first, last, w->trial);
        const double at = fmin(t + carom_dormand_prince_node(s) * h, end);
        carom_motion_impose(stepper->model, at, w->trial, w->trial + stepper->model->nq);
        carom_rates_evaluate(&w->rates, at, w->trial, w->step.k[s]);
    }
}

double carom_dp5_stages_meet(struct carom_stepper *stepper, const struct carom_state *from, size_t j, double h,
                             double longest, double t_stop)
{
    enum { TURNS = 2 };
    const struct carom_dp5 *w = stepper->work;
    const bool by_gap = carom_rates_jumps(&w->rates, j) &&
                        (w->modes.mode[j] == CAROM_MODE_OPEN || !carom_modes_can_be_cut(&w->modes, j));
    for (int turn = 0; turn < TURNS && by_gap; turn++) {
        /* just apart, as located ones end: a step that begins at a gap of exactly 0 cannot tell on which side */
        const double off = w->rates.deform[j] + 0.5 * w->modes.small, change = -off / w->rates.rate[j];
        if (fabs(off) <= 0.5 * w->modes.small || !(fabs(change) < 0.1 * h) || h + change > longest)
            break;
        h += change;
        carom_dp5_stages_take(stepper, from, h, t_stop);
    }
    return h;
}
