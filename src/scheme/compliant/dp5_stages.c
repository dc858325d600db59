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

/* 1 / mass of what a contact joins */
static double inverse_of(const struct carom_rates *r, size_t j)
{
    const int32_t left = r->model->pair[j][0], right = r->model->pair[j][1];
    const double *inverse = r->chain.beads->inverse_mass;
    return (left >= 0 ? inverse[left] : 0.0) + (right >= 0 ? inverse[right] : 0.0);
}

double carom_dp5_stages_fastest(const struct carom_rates *r)
{
    const double deform = 1.0;
    double fastest = 0.0, drag;
    const struct carom_response want = {.drag = &drag};
    for (size_t j = 0; r->regular && r->acts && j < r->model->nc; j++)
        if (carom_rates_jumps(r, j)) {
            carom_contacts_evaluate(r->model, j, j + 1, &deform, NULL, NULL, &want);
            fastest = fmax(fastest, drag * inverse_of(r, j));
        }
    return fastest;
}

/* Dashpots that relax no more than this in a step leave velocities as good as places and w. */
static const double seldom = 0.5;

/* Velocities are w and what dashpots make of overlaps: those of light beads between strong ones err by far more than
 * places and w do. Where force ends contacts, such errors end them too early, and anywhere they may be recorded. The
 * largest of them. Notes how often the fastest dashpot relaxes in the step, too. */
static double velocity_error(struct carom_dp5 *w, double speed)
{
    const struct carom_rates *r = &w->rates;
    const struct carom_chain *c = &r->chain;
    const double *q = w->trial, way = w->step.h * speed;
    const double *inverse = c->beads->inverse_mass;
    double worst = 0.0, fastest = 0.0, *impulse = r->power, *off = r->force; /* both are free between evaluations */
    for (size_t k = 0; k < r->window.count; k++) {
        const struct carom_span *s = &r->window.span[k];
        for (size_t i = s->first; i < s->last; i++)
            off[i] = carom_dormand_prince_error_of(&w->step, i);
        for (size_t j = s->inner; j < s->outer; j++) {
            const int32_t left = r->model->pair[j][0], right = r->model->pair[j][1];
            const double apart = (left >= 0 ? off[left] : 0.0) - (right >= 0 ? off[right] : 0.0);
            const double far = (left >= 0 ? fabs(q[left]) : 0.0) + (right >= 0 ? fabs(q[right]) : 0.0);
            fastest = fmax(fastest, r->drag[j] * inverse_of(r, j));
            impulse[j] = fabs(apart) > 2e-16 * (way + far) ? r->drag[j] * apart : 0.0; /* less is rounding */
        }
        carom_rates_seal(r, s, impulse);
        carom_chain_push(c, s->first, s->last, impulse, 0, off + s->first);
        for (size_t i = s->first; i < s->last; i++)
            worst = fmax(worst, fabs(carom_dormand_prince_error_of(&w->step, c->n + i) + off[i] * inverse[i]));
    }
    w->relaxed = w->step.h * fastest;
    return worst;
}

double carom_dp5_stages_error(const struct carom_stepper *stepper, const double *y)
{
    struct carom_dp5 *w = stepper->work;
    const struct carom_model *m = stepper->model;
    const double length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    const double speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    double worst = 0.0;
    size_t from, to;
    for (size_t i = 0; w->rates.regular && carom_spans_feeding(&w->rates, i, &from, &to); i++)
        worst = fmax(worst, carom_dormand_prince_error(&w->step, from, to) / (i % 2 == 0 ? length : speed));
    w->relaxed = w->step.h * w->pull;
    if (w->rates.regular)
        return w->rates.acts && (w->rates.cut || w->relaxed > seldom) ? fmax(worst, velocity_error(w, speed) / speed)
                                                                      : worst;
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
                        (w->modes.mode[j] == CAROM_CONTACT_OPEN || !carom_modes_can_be_cut(&w->modes, j));
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
