/* Sums over contacts for the recorder, see grains_read.h. */
#include "record/grains_read.h"

#include "base/memory.h"
#include "record/bodies_read.h"

enum carom_status carom_grains_read_region(struct carom_grains_read *r, const struct carom_model *model,
                                           const struct carom_region *region, struct carom_error *error)
{
    const struct carom_bodies *b = carom_model_bodies(model);
    if (b == NULL)
        return carom_error_set(error, CAROM_E_REFUSED, "a region needs bodies whose contacts come and go");
    for (size_t k = 0; k < b->dimension; k++) {
        if (!(region->high[k] > region->low[k]))
            return carom_error_set(error, CAROM_E_INPUT,
                                   "the second corner of a region must lie beyond the first along every axis");
        if (b->periodic[k] && !(region->low[k] >= b->low[k] && region->high[k] <= b->high[k]))
            return carom_error_set(error, CAROM_E_INPUT, "a region cannot reach beyond joined sides of the domain");
    }
    r->given = true;
    r->region = *region;
    return CAROM_OK;
}

enum carom_status carom_grains_read_open(struct carom_grains_read *r, const struct carom_bodies *b, bool volume,
                                         struct carom_error *error)
{
    if (volume && !r->given && !b->bounded)
        return carom_error_set(error, CAROM_E_REFUSED, "the stress of a region needs a region, or a domain");
    r->place = carom_memory_zeroed(b->n, b->dimension * sizeof(double));
    r->velocity = carom_memory_zeroed(b->n, b->dimension * sizeof(double));
    r->stress = carom_memory_zeroed(b->n, sizeof *r->stress);
    const bool good = carom_grains_open(&r->grains, b);
    if (!good || r->place == NULL || r->velocity == NULL || r->stress == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for recording");
    if (!r->given)
        carom_grains_whole(&r->grains, &r->region);
    return CAROM_OK;
}

void carom_grains_read_close(struct carom_grains_read *r)
{
    carom_grains_close(&r->grains);
    carom_memory_free_all(r->place, r->velocity, r->stress);
}

void carom_grains_read(struct carom_grains_read *r, size_t ntouches, const struct carom_touch *touch,
                       struct carom_reading *reading)
{
    carom_bodies_read(reading, 0, CAROM_CELLS_POSITION, r->place);
    carom_bodies_read(reading, 0, CAROM_CELLS_VELOCITY, r->velocity);
    r->moment = (struct carom_grains_moment){r->place, r->velocity, ntouches, touch};
    carom_grains_stress(&r->grains, &r->moment, r->stress);
    reading->grains = &r->grains;
    reading->moment = &r->moment;
    reading->region = r->given || r->grains.bounded ? &r->region : NULL;
    reading->stress = (const double(*)[6])r->stress;
}
