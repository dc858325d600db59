/* Rows of parameter tables. A row has the name of the field it fills. */
#ifndef CAROM_BASE_ROWS_H
#define CAROM_BASE_ROWS_H

#include <stddef.h>

#include "carom/param.h"

/* clang-format off */
#define CAROM_ROW_REAL(type, field, standard, low, high, unit, text) \
    {#field, CAROM_REAL, offsetof(struct type, field), standard, low, high, unit, text, NULL}
#define CAROM_ROW_INTEGER(type, field, standard, low, high, text) \
    {#field, CAROM_INTEGER, offsetof(struct type, field), standard, low, high, "1", text, NULL}
#define CAROM_ROW_FLAG(type, field, standard, text) \
    {#field, CAROM_FLAG, offsetof(struct type, field), standard, 0, 1, "1", text, NULL}
#define CAROM_ROW_CHOICE(type, field, standard, high, text, names) \
    {#field, CAROM_CHOICE, offsetof(struct type, field), standard, 0, high, "1", text, names}
/* clang-format on */

/* The option of that name as a number; 0 where the kind has none. */
static inline double carom_rows_option(const struct carom_kind *kind, const void *options, const char *name)
{
    const struct carom_param *row = carom_param_find(kind->params, name);
    return row ? carom_param_value(row, options) : 0.0;
}

#endif
