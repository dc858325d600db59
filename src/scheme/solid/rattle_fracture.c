/* Links break between two steps, which keeps both of them reversible. */
#include <string.h>

#include "model/solid/solid_fracture.h"
#include "scheme/solid/rattle.h"
#include "scheme/stepper.h"

void carom_rattle_fracture_book(const struct carom_rattle_body *body, struct carom_state *state, size_t member,
                                double t, double lost)
{
    const struct carom_solid *s = body->solid;
    const size_t faces = carom_solid_loads_faces(s);
    double *q = state->q + body->member->q0, *before = body->extension, *after = before + faces;
    if (s->nloads > 0) { /* which work where their faces move by that */
        carom_solid_loads_extend(s, t, body->work.pressure, after);
        const double work = carom_solid_loads_work(s, NULL, &(struct carom_solid_way){t, q, before, t, q, after});
        memcpy(before, after, faces * sizeof *before);
        state->work[member] += work;
        lost += work;
    }
    *carom_solid_fracture_lost(s, q) += lost;
}

bool carom_rattle_fracture(struct carom_stepper *stepper, const struct carom_rattle_body *body,
                           struct carom_state *state, size_t member, double t)
{
    const struct carom_solid *s = body->solid;
    double *q = state->q + body->member->q0, lost;
    if (!s->breaks || !carom_solid_fracture_break(s, &body->work, stepper->threads, t, q, body->force, &lost))
        return false;
    carom_rattle_fracture_book(body, state, member, t, lost);
    return true;
}
