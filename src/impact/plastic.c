/* One linear complementarity problem with e = 0: 0 <= p _|_ (rate before + W p) >= 0. Its losses are those of perfectly
 * inelastic contacts, - p (rate before + rate after) / 2. */
#include "impact/plastic.h"

#include "model/frame.h"

enum carom_status carom_plastic_stop(const struct carom_plastic *w, struct carom_collision *c, const char *name,
                                     struct carom_error *error)
{
    const struct carom_frame *frame = c->frame;
    const size_t n = frame->n;
    bool approaches = false;
    carom_frame_rates(frame, c->after, w->before);
    for (size_t i = 0; i < n; i++) {
        w->impulse[i] = 0.0;
        approaches |= w->before[i] < 0.0;
    }
    if (!approaches)
        return CAROM_OK;
    const struct carom_lcp lcp = {.n = n,
                                  .matrix = frame->matrix,
                                  .diagonal = frame->chain ? frame->diagonal : NULL,
                                  .beside = frame->beside,
                                  .b = w->before};
    struct carom_lcp_report report;
    carom_lcp_solve(&lcp, CAROM_LCP_AUTO, 1e-8, 0, w->room, w->impulse, &report);
    c->residual = report.residual;
    c->iterations += report.iterations;
    if (!report.solved)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "impact %s: %zu contacts, contact %zu the first, cannot be brought to rest", name, n,
                               carom_frame_number(frame->model, frame->contact[0]));
    carom_frame_push(frame, w->impulse, c->after);
    carom_frame_rates(frame, c->after, w->after);
    for (size_t i = 0; i < n; i++) {
        c->impulse[i] += w->impulse[i];
        c->lost[i] -= 0.5 * w->impulse[i] * (w->before[i] + w->after[i]);
    }
    return CAROM_OK;
}
