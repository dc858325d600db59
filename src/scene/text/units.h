/* Numbers with units: "10 mm", "203 GPa", "1e9 N/m^(3/2)". Dimensions are powers of metre, kilogram and second;
 * the powers may be fractions. */
#ifndef CAROM_SCENE_TEXT_UNITS_H
#define CAROM_SCENE_TEXT_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"

struct carom_dimension {
    double m, kg, s;
};

struct carom_quantity {
    double value; /* in SI */
    bool unit;    /* was one written? */
    struct carom_dimension dimension;
    int angle; /* 1: of angles, in radians; -1: whole turns are counted (Hz); 0: neither */
};

/* Values of parameters that may stand in the exponents of a table's unit. */
struct carom_exponents {
    size_t count;
    const char *const *name;
    const double *value;
};

/* Reads a finite number with or without a unit. */
enum carom_status carom_units_read(const char *text, struct carom_quantity *quantity, struct carom_error *error);

/* The dimension of a table's unit, such as "N/m^p"; `exponents` may be NULL. */
enum carom_status carom_units_dimension(const char *unit, const struct carom_exponents *exponents,
                                        struct carom_dimension *dimension, struct carom_error *error);

/* Does the unit's dimension depend on a parameter of that name? */
bool carom_units_depends(const char *unit, const char *name);

bool carom_units_same(const struct carom_dimension *a, const struct carom_dimension *b);

/* A quantity that was read from `text` against a table's unit and its dimension. A bare number always fits. */
enum carom_status carom_units_check(const char *text, const struct carom_quantity *quantity, const char *unit,
                                    const struct carom_dimension *dimension, struct carom_error *error);

/* All of this: reads a number that stands for something of a table's unit. */
enum carom_status carom_units_value(const char *text, const char *unit, struct carom_quantity *quantity,
                                    struct carom_error *error);

/* Dimensions do not tell turns from radians, of which there are 2 pi in one: radians (rpm, too) become turns where the
 * table's unit is Hz; turns where it is rad/s are refused, since some mean radians by them. */
enum carom_status carom_units_turns(const char *text, struct carom_quantity *quantity, const char *unit,
                                    struct carom_error *error);

#endif
