/* What friction of contacts of solids stores: in springs on balls. */
#include "model/solid/solid_strike.h"

#include "base/vec.h"

void carom_solid_rub_columns(const struct carom_strike_rub *rub, const double *column[CAROM_FRICTION_PARAMS])
{
    for (size_t i = 0; i < CAROM_FRICTION_PARAMS; i++)
        column[i] = &rub->param[i];
}

void carom_solid_rub_energy(const struct carom_model *model, size_t first, size_t last, const double *q,
                            const double *deform, double *energy)
{
    const struct carom_solid_strike *s = model->encounter_own;
    const double *bonds =
        s->rub && s->nballs > 0 ? q + model->member[s->balls_member].q0 + carom_solid_balls_moves(s->balls) : NULL;
    for (size_t j = first; bonds && j < last && j < s->meets_first; j++) {
        const double *spring = bonds + 4 * j, *param[CAROM_FRICTION_PARAMS];
        const struct carom_strike_rub *rub = &s->rub[j];
        if (!rub->law || !rub->law->stiffness)
            continue;
        carom_solid_rub_columns(rub, param);
        energy[j - first] += 0.5 * rub->law->stiffness(param, 0, deform[j - first]) * carom_vec_dot(spring, spring);
    }
}
