/* Forces that press, see event_press.h. */
#include "scheme/rigid/event/event_press.h"

#include "scheme/rigid/event/event_friction.h"

void carom_event_press_apply(const struct carom_frame *f, const double *x, double *out)
{
    const size_t n = f->n;
    for (size_t i = 0; i < n; i++) {
        out[i] = f->chain ? f->diagonal[i] * x[i] : 0.0;
        if (f->chain) {
            out[i] += i > 0 ? f->beside[i - 1] * x[i - 1] : 0.0;
            out[i] += i + 1 < n ? f->beside[i] * x[i + 1] : 0.0;
        }
        for (size_t k = 0; !f->chain && k < n; k++)
            out[i] += f->matrix[i * n + k] * x[k];
    }
}

double carom_event_press_solve(struct carom_stepper *stepper, struct carom_lcp_report *report)
{
    struct carom_event_work *w = stepper->work;
    struct carom_event_smooth *s = &w->smooth;
    const struct carom_frame *f = &s->frame;
    const size_t n = f->n;
    const double equal = 1e-9;
    const struct carom_lcp lcp = {
        .n = n, .matrix = f->matrix, .diagonal = f->chain ? f->diagonal : NULL, .beside = f->beside, .b = s->side};
    double size = carom_event_smooth_noise(w) / equal;
    for (size_t i = 0; i < n; i++)
        s->lambda[i] = s->side[i] < 0.0 ? -s->side[i] / f->diagonal[i] : 0.0;
    carom_lcp_solve(&lcp, (enum carom_lcp_solver)w->options->solver, w->options->solver_tol, 0, &s->lcp, s->lambda,
                    report);
    stepper->counts.iterations += report->iterations;
    stepper->worst_residual = fmax(stepper->worst_residual, report->residual);
    carom_event_press_apply(f, s->lambda, s->answer);
    for (size_t i = 0; i < n; i++) {
        s->answer[i] += s->side[i];
        size = fmax(size, fmax(fabs(s->side[i]), f->diagonal[i] * s->lambda[i]));
    }
    return equal * size;
}

bool carom_event_press_agrees(struct carom_stepper *stepper, double t)
{
    const struct carom_event_smooth *s = &((struct carom_event_work *)stepper->work)->smooth;
    const struct carom_counts counts = stepper->counts;
    const double residual = stepper->worst_residual;
    struct carom_lcp_report report;
    if (s->rubs)
        return carom_event_friction_agrees(stepper, t);
    const double none = carom_event_press_solve(stepper, &report);
    bool agrees = report.solved;
    for (size_t i = 0; i < s->frame.n && agrees; i++)
        agrees = s->answer[i] <= none;
    stepper->counts = counts;
    stepper->worst_residual = residual;
    return agrees;
}
