/* Contacts as scenes and tables count them: in a row of beads contact j is right of body j, and 0 is at the left wall;
 * all others count from 1. */
#ifndef CAROM_MODEL_CONTACT_NUMBER_H
#define CAROM_MODEL_CONTACT_NUMBER_H

#include "carom/model.h"

/* Of contact j, from 0. `pair` as in carom_model; `row`: of beads. */
static inline size_t carom_contact_number(const int32_t (*pair)[2], bool row, size_t j)
{
    return row ? (size_t)(pair[j][0] + 1) : j + 1;
}

#endif
