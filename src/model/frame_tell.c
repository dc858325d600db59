/* Contacts in words. */
#include <stdio.h>
#include <string.h>

#include "model/bodies/linkage.h"
#include "model/frame.h"

const char *carom_frame_tell(const struct carom_model *model, size_t j, char text[CAROM_FRAME_TOLD])
{
    const size_t used = (size_t)snprintf(text, CAROM_FRAME_TOLD, "contact %zu", carom_frame_number(model, j));
    if (!carom_linkage_of(model))
        return text;
    memcpy(text + used, " (", sizeof " (");
    carom_linkage_name(model, j, text + used + 2, CAROM_FRAME_TOLD - used - 3);
    return strcat(text, ")");
}
