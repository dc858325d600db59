/* Impact laws at work: opening, closing, and the list of them. */
#include "base/memory.h"
#include "carom/impact.h"

const struct carom_impact *const carom_striker_impacts[] = {
    &carom_impact_moreau,
    &carom_impact_newton,
    &carom_impact_lzb,
    &carom_impact_lzb_impulse,
    &carom_impact_poisson,
    &carom_impact_stronge,
    NULL,
};

/* the same names, which scheme event has as choices of its option `impact` too */
const char *const carom_striker_names[] = {"moreau", "newton", "lzb", "lzb-impulse", "poisson", "stronge", NULL};

struct carom_striker *carom_striker_create(const struct carom_impact *impact, const struct carom_model *model,
                                           const void *options, size_t room, struct carom_error *error)
{
    if (!impact || !model)
        return carom_error_missing(error), NULL;
    struct carom_striker *striker = carom_memory_zeroed(1, sizeof *striker);
    if (!striker)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for impact %s", impact->kind.name), NULL;
    *striker = (struct carom_striker){.impact = impact, .model = model, .options = options, .room = room};
    if (impact->open && impact->open(striker, error) != CAROM_OK) {
        carom_striker_free(striker);
        return NULL;
    }
    return striker;
}

bool carom_striker_stopped(const struct carom_collision *collision, struct carom_error *error)
{
    const struct carom_patience *patience = collision ? collision->patience : NULL;
    if (!patience || patience->lasts(patience->own))
        return false;
    carom_error_set(error, CAROM_E_STOPPED, "stopped inside an impact");
    return true;
}

void carom_striker_free(struct carom_striker *striker)
{
    if (!striker)
        return;
    if (striker->work && striker->impact->close)
        striker->impact->close(striker);
    carom_memory_free(striker);
}
