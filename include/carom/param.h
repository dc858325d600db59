/* Parameter tables: the only description of what a user may set. Scene checking, file attributes,
 * `carom list` and the reference pages all read these tables, so they cannot disagree. */
#ifndef CAROM_PARAM_H
#define CAROM_PARAM_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"

CAROM_BEGIN

enum carom_type {
    CAROM_REAL,    /* double */
    CAROM_INTEGER, /* long */
    CAROM_FLAG,    /* bool */
    CAROM_CHOICE,  /* int, index into `choices` */
};

#define CAROM_POSITIVE DBL_TRUE_MIN /* as `low`: must be positive */
#define CAROM_REQUIRED (-HUGE_VAL)  /* as `standard`: has no default, must be given */

struct carom_param {
    const char *name;
    enum carom_type type;
    size_t offset;              /* of the field in the kind's struct */
    double standard, low, high; /* default and inclusive range */
    const char *unit;           /* "m/s", "N/m^p" (p: another parameter of the table), "1" for a pure number */
    const char *text;           /* one line for a person */
    const char *const *choices; /* CAROM_CHOICE: NULL-ended names */
};

#define CAROM_PARAM_END                                      \
    {                                                        \
        NULL, CAROM_REAL, 0, 0.0, 0.0, 0.0, NULL, NULL, NULL \
    }

#define CAROM_LAW_WIDTH 16      /* a law has at most so many parameters, and so many history numbers */
#define CAROM_FRICTION_PARAMS 8 /* a friction law has at most so many parameters */

/* What every part, law, impact, scheme, probe and sink begins with. */
struct carom_kind {
    const char *name;
    const char *text;                 /* one line for a person */
    const struct carom_param *params; /* ended by CAROM_PARAM_END; NULL: none */
    size_t size;                      /* of the struct the table describes */
};

/* How many rows a table has (NULL: none). */
size_t carom_param_count(const struct carom_param *table);

/* The row of that name, or NULL. */
const struct carom_param *carom_param_find(const struct carom_param *table, const char *name);

/* Writes every default into `of`; required ones become CAROM_REQUIRED (reals) or 0. */
void carom_param_defaults(const struct carom_kind *kind, void *of);

/* Is `value` inside the row's range? If not, the error says what would be right ("must be positive, got -2"). */
enum carom_status carom_param_check(const struct carom_param *param, double value, struct carom_error *error);

/* Stores a checked number (real, integer, flag 0/1, choice index) into the field. */
void carom_param_store(const struct carom_param *param, void *of, double value);

/* Reads a field back as a number. */
double carom_param_value(const struct carom_param *param, const void *of);

/* The candidate nearest to `name` by edit distance, or NULL if none is near; `names` has `count` entries. */
const char *carom_param_nearest(const char *name, const char *const *names, size_t count);

CAROM_END

#endif
