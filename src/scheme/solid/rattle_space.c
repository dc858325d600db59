/* The passes of rattle_space_pass.h in two lanes, and which are taken. */
#include "base/memory.h"
#include "scheme/solid/rattle_space_pass.h"

const struct carom_rattle_passes carom_rattle_space_narrow = {drift_some, kick_some};

const struct carom_rattle_passes *carom_rattle_space_passes(void)
{
    const struct carom_rattle_passes *wide = carom_rattle_space_wide();
    return wide ? wide : &carom_rattle_space_narrow;
}

bool carom_rattle_space_unlike_is(const struct carom_solid *s)
{
    return s->dimension == 3 && s->nsorts > s->n / 2;
}

double *carom_rattle_space_unlike_create(const struct carom_solid *s)
{
    double *unlike = carom_rattle_space_unlike_is(s) ? carom_memory_zeroed(s->n, CAROM_UNLIKE * sizeof *unlike) : NULL;
    for (size_t i = 0; unlike && i < s->n; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        double *at = unlike + i, lopsided = 0.0;
        at[s->n * CAROM_UNLIKE_INVERSE_MASS] = sort->inverse_mass;
        for (size_t k = 0; k < 3; k++) {
            const double skew = (sort->inertia[(k + 2) % 3] - sort->inertia[(k + 1) % 3]) * sort->inverse_inertia[k];
            at[s->n * (CAROM_UNLIKE_INVERSE_INERTIA + k)] = sort->inverse_inertia[k];
            at[s->n * (CAROM_UNLIKE_SKEW + k)] = skew;
            lopsided = fmax(lopsided, fabs(skew));
        }
        at[s->n * CAROM_UNLIKE_LOPSIDED] = lopsided;
        for (size_t k = 0; k < 4; k++)
            at[s->n * (CAROM_UNLIKE_FRAME + k)] = sort->frame[k];
    }
    return unlike;
}
