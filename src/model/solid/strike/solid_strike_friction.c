/* Friction of contacts of solids: in one point of faces, and what springs on balls store. */
#include "model/solid/strike/solid_strike.h"

#include "base/vec.h"
#include "carom/state.h"

void carom_solid_strike_friction_columns(const struct carom_strike_friction *friction,
                                         const double *column[CAROM_FRICTION_PARAMS])
{
    for (size_t i = 0; i < CAROM_FRICTION_PARAMS; i++)
        column[i] = &friction->param[i];
}

#define COLUMNS(x)                \
    {                             \
        &(x)[0], &(x)[1], &(x)[2] \
    }

double carom_solid_strike_friction_point(const struct carom_strike_friction *friction, double depth, double normal,
                                         const double out[3], double slip[3], double step, double mobility,
                                         double force[3])
{
    const double *param[CAROM_FRICTION_PARAMS], still = 0.0, along = carom_vec_dot(out, slip);
    double power = 0.0;
    for (int k = 0; k < 3; k++)
        slip[k] -= along * out[k];
    carom_solid_strike_friction_columns(friction, param);
    const double *const slips[] = COLUMNS(slip), *const none[] = {&still, &still, &still};
    double *const forces[] = COLUMNS(force);
    friction->law->moment(&(struct carom_friction_moment){.n = 1,
                                                          .width = 3,
                                                          .param = param,
                                                          .deform = &depth,
                                                          .rate = &still,
                                                          .normal = &normal,
                                                          .slip = slips,
                                                          .spring = none,
                                                          .step = step,
                                                          .mobility = &mobility,
                                                          .force = forces,
                                                          .power = &power});
    return power;
}

void carom_solid_strike_friction_energy(const struct carom_model *model, size_t first, size_t last,
                                        const struct carom_state *view, const double *deform, double *energy)
{
    const struct carom_solid_strike *s = model->encounter_own;
    const double *bonds = s->friction && s->nballs > 0 ? view->bonds : NULL;
    for (size_t j = first; bonds && j < last && j < s->meets_first; j++) {
        const double *spring = bonds + 4 * j, *param[CAROM_FRICTION_PARAMS];
        const struct carom_strike_friction *friction = &s->friction[j];
        if (!friction->law || !friction->law->stiffness)
            continue;
        carom_solid_strike_friction_columns(friction, param);
        energy[j - first] +=
            0.5 * friction->law->stiffness(param, 0, deform[j - first]) * carom_vec_dot(spring, spring);
    }
}
