/* A contact of solids is a pair of numbers: balls have 0, 1, 2 and so on, solids -3, -4 and so on, walls the numbers
 * after the last solid. These are the names of the solids and walls, in that order, as episodes and pages show them. */
#include "record/run_ends.h"

#include <stdio.h>

#include "base/memory.h"
#include "carom/run.h"
#include "model/solid/strike/solid_strike.h"
#include "record/hdf5/hdf5_tree.h"

size_t carom_run_ends(const struct carom_model *model, char *text, size_t room)
{
    const struct carom_solid_strike *strike = model ? carom_solid_strike_of(model) : NULL;
    const size_t solids = carom_solid_count(model), count = solids + (strike ? strike->nwalls : 0);
    size_t used = 0;
    if (room > 0)
        *text = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *name = i < solids ? carom_solid_at(model, i)->name : strike->wall[i - solids].name;
        char own[32] = "solid";
        if (i >= solids)
            snprintf(own, sizeof own, "wall %zu", i - solids + 1);
        used += (size_t)snprintf(used < room ? text + used : NULL, used < room ? room - used : 0, "%s%s",
                                 i > 0 ? "\n" : "", *name ? name : own);
    }
    return used;
}

void carom_run_ends_put(struct carom_hdf5_file *file, const struct carom_model *model)
{
    const size_t length = carom_run_ends(model, NULL, 0);
    char *text = length > 0 ? carom_memory_zeroed(length + 1, 1) : NULL;
    if (text == NULL)
        return;
    carom_run_ends(model, text, length + 1);
    carom_hdf5_tree_text(file, CAROM_RUN_ENDS_PATH, text);
    carom_memory_free(text);
}
