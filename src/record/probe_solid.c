/* Asks the solids of a model, one after the other. */
#include "record/probe_solid.h"

static bool has(const struct carom_solid *s, enum carom_probe_solid_trait trait)
{
    switch (trait) {
    case CAROM_SOLID_ABSORBS:
        return s->nabsorbing > 0;
    case CAROM_SOLID_FLOWS:
        return s->flow;
    case CAROM_SOLID_YIELDS:
        return s->flow && s->plasticity.yield > 0.0;
    case CAROM_SOLID_BREAKS:
        return s->breaks != NULL;
    default:
        return s->nholds > 0;
    }
}

bool carom_probe_solid_any(const struct carom_model *model, enum carom_probe_solid_trait trait)
{
    bool any = false;
    for (size_t i = 0; i < carom_solid_count(model); i++)
        any = any || has(carom_solid_at(model, i), trait);
    return any;
}

double carom_probe_solid_crack(const struct carom_model *model, const double *q)
{
    double area = 0.0;
    for (size_t i = 0; i < carom_solid_count(model); i++)
        area += carom_solid_fracture_area(carom_solid_at(model, i), q + model->member[i].q0);
    return area;
}
