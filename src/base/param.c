/* Reads, checks and stores values by parameter table, and finds the name somebody probably meant. Knows nothing of
 * scenes or files: where a value stood is added to the error by the caller. */
#include "carom/param.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t carom_param_count(const struct carom_param *table)
{
    size_t n = 0;
    while (table != NULL && table[n].name != NULL)
        n++;
    return n;
}

const struct carom_param *carom_param_find(const struct carom_param *table, const char *name)
{
    for (const struct carom_param *row = table; row != NULL && row->name != NULL; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

void carom_param_defaults(const struct carom_kind *kind, void *of)
{
    if (kind == NULL || of == NULL)
        return;
    for (const struct carom_param *row = kind->params; row != NULL && row->name != NULL; row++) {
        const bool required = row->standard == CAROM_REQUIRED;
        carom_param_store(row, of, required && row->type != CAROM_REAL ? 0.0 : row->standard);
    }
}

void carom_param_store(const struct carom_param *param, void *of, double value)
{
    char *field = (char *)of + param->offset;
    switch (param->type) {
    case CAROM_REAL:
        *(double *)(void *)field = value;
        return;
    case CAROM_INTEGER:
        *(long *)(void *)field = (long)value;
        return;
    case CAROM_FLAG:
        *(bool *)field = value != 0.0;
        return;
    case CAROM_CHOICE:
        *(int *)(void *)field = (int)value;
        return;
    }
}

double carom_param_value(const struct carom_param *param, const void *of)
{
    const char *field = (const char *)of + param->offset;
    switch (param->type) {
    case CAROM_REAL:
        return *(const double *)(const void *)field;
    case CAROM_INTEGER:
        return (double)*(const long *)(const void *)field;
    case CAROM_FLAG:
        return *(const bool *)field ? 1.0 : 0.0;
    case CAROM_CHOICE:
        return (double)*(const int *)(const void *)field;
    }
    return 0.0;
}

/* --- checking --------------------------------------------------------------------------------------------------- */

struct number {
    char text[32];
};

/* A short text that reads back as the same number, written as people write it: 20, 0.95, 2e11 rather than 2e+11. */
static struct number shortest(double value)
{
    struct number n;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(n.text, sizeof n.text, "%.*g", digits, value);
        if (strtod(n.text, NULL) == value)
            break;
    }
    char *from = strchr(n.text, 'e');
    if (from == NULL)
        return n;
    char *to = ++from;
    if (*from == '-')
        to++;
    from++;
    while (*from == '0' && from[1] != '\0')
        from++;
    memmove(to, from, strlen(from) + 1);
    return n;
}

/* "must be <what>, got <value>" */
static enum carom_status refuse(struct carom_error *error, const char *what, double value)
{
    return carom_error_set(error, CAROM_E_INPUT, "must be %s, got %s", what, shortest(value).text);
}

static enum carom_status refuse_range(const struct carom_param *param, double value, struct carom_error *error)
{
    char what[128];
    const struct number low = shortest(param->low), high = shortest(param->high);
    const bool positive = param->low == CAROM_POSITIVE;
    const bool below = param->low > -HUGE_VAL, above = param->high < HUGE_VAL;
    if (positive && above)
        snprintf(what, sizeof what, "positive and at most %s", high.text);
    else if (positive)
        snprintf(what, sizeof what, "positive");
    else if (below && above)
        snprintf(what, sizeof what, "between %s and %s", low.text, high.text);
    else if (above)
        snprintf(what, sizeof what, "at most %s", high.text);
    else if (param->low == 0.0)
        snprintf(what, sizeof what, "zero or positive");
    else
        snprintf(what, sizeof what, "at least %s", low.text);
    return refuse(error, what, value);
}

static enum carom_status check_choice(const struct carom_param *param, double value, struct carom_error *error)
{
    char what[256] = "one of ";
    size_t length = strlen(what), n = 0;
    for (; param->choices != NULL && param->choices[n] != NULL; n++) {
        if (value == (double)n)
            return CAROM_OK;
        const int more = snprintf(what + length, sizeof what - length, "%s%s", n > 0 ? ", " : "", param->choices[n]);
        length = more > 0 && (size_t)more < sizeof what - length ? length + (size_t)more : sizeof what - 1;
    }
    return refuse(error, n > 0 ? what : "left out (there is nothing to choose from)", value);
}

enum carom_status carom_param_check(const struct carom_param *param, double value, struct carom_error *error)
{
    if (param == NULL)
        return carom_error_missing(error);
    if (isnan(value))
        return refuse(error, "a number", value);
    if (param->type == CAROM_CHOICE)
        return check_choice(param, value, error);
    if (param->type == CAROM_FLAG)
        return value == 0.0 || value == 1.0 ? CAROM_OK : refuse(error, "true or false", value);
    /* without end is a value only where it is the default: no stiffness or mass is infinite */
    if (isinf(value) && !(value > 0.0 && value == param->standard))
        return refuse(error, "finite", value);
    if (param->type == CAROM_INTEGER && value != trunc(value))
        return refuse(error, "a whole number", value);
    if (!(value >= param->low && value <= param->high))
        return refuse_range(param, value, error);
    /* (double)LONG_MAX rounds up to a number that no long holds */
    if (param->type == CAROM_INTEGER && !(value > (double)LONG_MIN && value < (double)LONG_MAX))
        return refuse(error, "a number of at most 18 digits", value);
    return CAROM_OK;
}

/* --- the nearest name ------------------------------------------------------------------------------------------- */

#define LONGEST 64 /* characters of a name; longer ones are nobody's misspelling */

/* Case, and underscore against hyphen, are never what tells two names apart. */
static char plain(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '_' || c == ' ' ? '-' : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edit distance where swapping two neighbours counts once (Damerau and Levenshtein, each place edited once). */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= nb; j++)
        above[j] = j;
    for (size_t i = 1; i <= na; i++) {
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            const bool same = plain(a[i - 1]) == plain(b[j - 1]);
            row[j] = least(above[j - 1] + (same ? 0 : 1), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && plain(a[i - 1]) == plain(b[j - 2]) && plain(a[i - 2]) == plain(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[nb];
}

static size_t common_start(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] != '\0' && plain(a[n]) == plain(b[n]))
        n++;
    return n;
}

/* How far `b` is from being what `a` meant; (size_t)-1: too far. Lower is nearer. Misspellings come before names that
 * are the start of another ("vel", "radius_mm"), and a longer common start decides between equals. */
static size_t farness(const char *a, const char *b)
{
    const size_t na = strlen(a), nb = strlen(b), shorter = least(na, nb), start = common_start(a, b);
    if (shorter == 0 || na > LONGEST || nb > LONGEST)
        return (size_t)-1;
    const size_t edits = distance(a, na, b, nb);
    const size_t allowed = na >= 6 ? na / 3 : start >= 3 ? 2 : 1; /* "bodys" means "bodies" */
    if (edits == 0 || (edits <= allowed && edits < shorter))
        return edits * (LONGEST + 1) + LONGEST - start;
    const bool twice = na == 2 && nb == 1 && a[0] == a[1] && a[0] > '9' && start == 1; /* "ee" means "e" */
    if (twice || (start == shorter && shorter >= 2))
        return (LONGEST + edits) * (LONGEST + 1) + LONGEST - start;
    return (size_t)-1;
}

const char *carom_param_nearest(const char *name, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    size_t best = (size_t)-1;
    for (size_t i = 0; i < count; i++) {
        const size_t far = strcmp(name, names[i]) != 0 ? farness(name, names[i]) : best; /* the same word is no help */
        if (far < best) {
            best = far;
            nearest = names[i];
        }
    }
    return nearest;
}
