/* Says which equation of a model is at fault where numbers are not finite. */
#include "model/frame.h"

enum carom_status carom_frame_explain(const struct carom_model *model, double t, const double *q, const double *v,
                                      struct carom_error *error)
{
    for (size_t i = 0; i < model->nparts; i++) {
        const struct carom_member *m = &model->member[i];
        if (!m->part->explain)
            continue;
        const enum carom_status status = m->part->explain(m->own, t, q + m->q0, v + m->v0, error);
        if (status != CAROM_OK)
            return status;
    }
    for (size_t i = 0; i < model->nv; i++)
        if (!isfinite(v[i]))
            return carom_error_set(error, CAROM_E_NUMERIC, "velocity %zu is not finite at t = %g", i + 1, t);
    for (size_t i = 0; i < model->nq; i++)
        if (!isfinite(q[i]))
            return carom_error_set(error, CAROM_E_NUMERIC, "coordinate %zu is not finite at t = %g", i + 1, t);
    return carom_error_set(error, CAROM_E_NUMERIC, "forces or gaps are not finite at t = %g", t);
}
