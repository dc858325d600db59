/* The values of one axis of a study: a:b:n, evenly or by equal ratios, or a list a,b,c. Every value is kept as the text
 * that goes into a scene, so that units ("2 mm") and words ("irk") can be varied as well. */
#ifndef CAROM_STUDY_RANGE_H
#define CAROM_STUDY_RANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"

#define CAROM_RANGE_MOST ((size_t)10000000) /* values */

struct carom_range {
    size_t count;
    double *value;    /* count; NaN where the text is no number */
    char (*text)[64]; /* count */
    bool numeric;     /* all are numbers with one unit or none */
    char unit[32];    /* "" if there is none */
};

/* Reads "a:b:n" or "a,b,c"; `ratios` asks for equal ratios between neighbours (a and b then have one sign). */
enum carom_status carom_range_read(const char *text, bool ratios, struct carom_range *range, struct carom_error *error);
void carom_range_free(struct carom_range *range);

/* The shortest decimal number that reads back as `value`. */
void carom_range_print(double value, char text[32]);

#endif
