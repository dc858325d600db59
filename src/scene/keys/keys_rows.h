/* How the tables of keys write their rows; for keys*.c alone. */
#ifndef CAROM_SCENE_KEYS_KEYS_ROWS_H
#define CAROM_SCENE_KEYS_KEYS_ROWS_H

#include "base/rows.h"

#define BODIES 1e8 /* more are refused before memory is asked for */

/* clang-format off */
#define REAL(type, ...) CAROM_ROW_REAL(carom_keys_##type, __VA_ARGS__)
#define INTEGER(type, ...) CAROM_ROW_INTEGER(carom_keys_##type, __VA_ARGS__)
#define FLAG(type, ...) CAROM_ROW_FLAG(carom_keys_##type, __VA_ARGS__)
#define CHOICE(type, ...) CAROM_ROW_CHOICE(carom_keys_##type, __VA_ARGS__)
#define KEY_END {NULL, NULL, NULL, NULL}

/* The section whose numbers are table_params, of struct carom_keys_type, and whose other keys are `others`. */
#define SECTION(name, text, table, type, others) \
    {{name, text, table##_params, sizeof(struct carom_keys_##type)}, others}
/* clang-format on */

#endif
