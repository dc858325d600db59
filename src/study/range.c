/* Reads the ranges and lists that studies run over. Ends of a range are met exactly; values between are rounded to 15
 * digits, so that 0:1:11 holds 0.3 and not a neighbour of it, on every machine. */
#include "study/range.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void carom_range_print(double value, char text[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

void carom_range_free(struct carom_range *range)
{
    carom_memory_free_all(range->value, range->text);
    *range = (struct carom_range){0};
}

static enum carom_status allocate(struct carom_range *range, size_t count, struct carom_error *error)
{
    range->value = carom_memory_zeroed(count, sizeof *range->value);
    range->text = carom_memory_zeroed(count, sizeof *range->text);
    range->count = count;
    if (range->value != NULL && range->text != NULL)
        return CAROM_OK;
    carom_range_free(range);
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu values", count);
}

/* A number and what follows it, blanks trimmed; false: there is no finite number in front. */
static bool read_number(const char *from, size_t length, double *value, char *unit, size_t size)
{
    char copy[64], *end;
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, from, length);
    copy[length] = '\0';
    *value = strtod(copy, &end);
    if (end == copy || !isfinite(*value))
        return false;
    while (isspace((unsigned char)*end))
        end++;
    size_t rest = strlen(end);
    while (rest > 0 && isspace((unsigned char)end[rest - 1]))
        rest--;
    if (rest >= size)
        return false;
    memcpy(unit, end, rest);
    unit[rest] = '\0';
    return true;
}

/* --- a:b:n ------------------------------------------------------------------------------------------------------ */

static double between(double a, double b, size_t i, size_t n, bool ratios)
{
    if (i == 0 || i + 1 == n)
        return i == 0 ? a : b;
    const double last = (double)(n - 1), at = (double)i;
    char rounded[32];
    snprintf(rounded, sizeof rounded, "%.15g", ratios ? a * pow(b / a, at / last) : (a * (last - at) + b * at) / last);
    return strtod(rounded, NULL);
}

static enum carom_status fill(struct carom_range *range, double a, double b, size_t n, bool ratios,
                              struct carom_error *error)
{
    if (allocate(range, n, error) != CAROM_OK)
        return error->status;
    range->numeric = true;
    for (size_t i = 0; i < n; i++) {
        char number[32];
        range->value[i] = between(a, b, i, n, ratios);
        carom_range_print(range->value[i], number);
        snprintf(range->text[i], sizeof range->text[i], "%s%s%s", number, range->unit[0] != '\0' ? " " : "",
                 range->unit);
    }
    return CAROM_OK;
}

static enum carom_status read_span(const char *text, const char *colon, const char *second, bool ratios,
                                   struct carom_range *range, struct carom_error *error)
{
    char unit[2][sizeof range->unit], rest[2];
    double a, b, n;
    if (!read_number(text, (size_t)(colon - text), &a, unit[0], sizeof unit[0]) ||
        !read_number(colon + 1, (size_t)(second - colon - 1), &b, unit[1], sizeof unit[1]) ||
        !read_number(second + 1, strlen(second + 1), &n, rest, sizeof rest) || rest[0] != '\0')
        return carom_error_set(error, CAROM_E_USAGE, "write first:last:count, such as 0.1:1:10");
    if (unit[0][0] != '\0' && strcmp(unit[0], unit[1]) != 0)
        return carom_error_set(error, CAROM_E_USAGE, "both ends must carry the same unit, not '%s' and '%s'", unit[0],
                               unit[1]);
    if (n != floor(n) || n < 1.0 || n > (double)CAROM_RANGE_MOST)
        return carom_error_set(error, CAROM_E_USAGE, "the count must be a whole number from 1 to %zu, got %g",
                               CAROM_RANGE_MOST, n);
    if (n == 1.0 && a != b)
        return carom_error_set(error, CAROM_E_USAGE, "one value cannot stand at both %g and %g", a, b);
    if (ratios && !(a * b > 0.0))
        return carom_error_set(error, CAROM_E_USAGE, "equal ratios need two ends of the same sign, not %g and %g", a,
                               b);
    memcpy(range->unit, unit[1], sizeof range->unit);
    return fill(range, a, b, (size_t)n, ratios, error);
}

/* --- a,b,c ------------------------------------------------------------------------------------------------------ */

/* Where the entry that begins at `from` ends: commas in brackets do not count. */
static const char *entry_end(const char *from)
{
    int depth = 0;
    for (; *from != '\0'; from++) {
        if (*from == '[' || *from == '{')
            depth++;
        else if (*from == ']' || *from == '}')
            depth--;
        else if (*from == ',' && depth <= 0)
            break;
    }
    return from;
}

static enum carom_status read_entry(struct carom_range *range, size_t i, const char *from, size_t length,
                                    struct carom_error *error)
{
    char unit[sizeof range->unit] = "";
    if (length == 0)
        return carom_error_set(error, CAROM_E_USAGE, "value %zu of the list is empty", i + 1);
    if (length >= sizeof range->text[i])
        return carom_error_set(error, CAROM_E_USAGE, "value %zu of the list is longer than %zu characters", i + 1,
                               sizeof range->text[i] - 1);
    memcpy(range->text[i], from, length);
    const bool number = read_number(from, length, &range->value[i], unit, sizeof unit);
    if (!number)
        range->value[i] = nan("");
    if (i == 0)
        memcpy(range->unit, unit, sizeof range->unit);
    range->numeric = number && (i == 0 || range->numeric) && strcmp(unit, range->unit) == 0;
    return CAROM_OK;
}

static enum carom_status read_list(const char *text, struct carom_range *range, struct carom_error *error)
{
    size_t count = 1;
    for (const char *end = entry_end(text); *end != '\0'; end = entry_end(end + 1))
        count++;
    if (allocate(range, count, error) != CAROM_OK)
        return error->status;
    const char *from = text;
    for (size_t i = 0; i < count; i++) {
        const char *end = entry_end(from);
        const char *last = end;
        while (from < end && isspace((unsigned char)*from))
            from++;
        while (last > from && isspace((unsigned char)last[-1]))
            last--;
        if (read_entry(range, i, from, (size_t)(last - from), error) != CAROM_OK) {
            carom_range_free(range);
            return error->status;
        }
        from = end + 1;
    }
    if (!range->numeric)
        range->unit[0] = '\0';
    return CAROM_OK;
}

enum carom_status carom_range_read(const char *text, bool ratios, struct carom_range *range, struct carom_error *error)
{
    struct carom_error own;
    struct carom_error *say = error != NULL ? error : &own;
    *range = (struct carom_range){0};
    const char *colon = strpbrk(text, ":[{,"), *second = colon != NULL ? strpbrk(colon + 1, ":[{,") : NULL;
    if (colon == NULL || *colon != ':')
        return read_list(text, range, say);
    if (second == NULL || *second != ':' || strpbrk(second + 1, ":,") != NULL)
        return carom_error_set(say, CAROM_E_USAGE, "write first:last:count, such as 0.1:1:10, or a list a,b,c");
    return read_span(text, colon, second, ratios, range, say);
}
