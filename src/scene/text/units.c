/* Units of numbers in scenes and tables, by recursive descent:
 *
 *     unit  = term { ("*" | "/" | " ") term }      from left to right
 *     term  = ("1" | [prefix] symbol | "(" unit ")") [power]
 *     power = digits | "^" ([sign] number | name | "(" expression ")")
 *
 * Names are parameters of a table ("N/m^p") and stand in tables only. Prefixes shift the decimal exponent of the
 * number's own text, so that 0.1 mm is exactly 1e-4 m. Does not know ranges or places. */
#include "scene/text/units.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/power.h"
#include "scene/text/tree.h"

#define PI 3.14159265358979323846
#define NESTED 8 /* parentheses in parentheses */

/* clang-format off */
static const struct symbol {
    const char *name;
    struct carom_dimension dimension;
    int tens;      /* of its size in SI */
    double factor; /* besides; 0: none */
    int angle;     /* 1: of angles, in radians; -1: whole turns are counted */
    bool alone;    /* takes no prefix */
} symbols[] = {
    {"m",   {1, 0, 0}, 0, 0, 0, false},   {"g",   {0, 1, 0}, -3, 0, 0, false},   {"s",   {0, 0, 1}, 0, 0, 0, false},
    {"N",   {1, 1, -2}, 0, 0, 0, false},  {"Pa",  {-1, 1, -2}, 0, 0, 0, false},  {"J",   {2, 1, -2}, 0, 0, 0, false},
    {"W",   {2, 1, -3}, 0, 0, 0, false},  {"Hz",  {0, 0, -1}, 0, 0, -1, false},  {"rad", {0, 0, 0}, 0, 0, 1, false},
    {"deg", {0, 0, 0}, 0, PI / 180.0, 1, false},                          {"rpm", {0, 0, -1}, 0, PI / 30.0, 1, false},
    {"min", {0, 0, 1}, 0, 60.0, 0, true},                          {"h",   {0, 0, 1}, 0, 3600.0, 0, true},
    {"\xc2\xb0", {0, 0, 0}, 0, PI / 180.0, 1, true}, /* the sign of degrees */
};

static const struct prefix {
    const char *name;
    int tens;
} prefixes[] = {
    {"a", -18}, {"f", -15}, {"p", -12}, {"n", -9}, {"u", -6}, {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"m", -3}, {"c", -2},
    {"d", -1},  {"da", 1},  {"h", 2},   {"k", 3},  {"M", 6},  {"G", 9},         {"T", 12},        {"P", 15}, {"E", 18},
};

/* Dimensions that have a name, with an example. */
static const struct named {
    struct carom_dimension dimension;
    const char *name, *example;
} names[] = {
    {{0, 0, 0},      "a pure number",        "0.5"}, /* first: asked for as a number without a unit */
    {{1, 0, 0},      "a length",             "10 mm"},
    {{0, 0, 1},      "a time",               "2 ms"},
    {{0, 1, 0},      "a mass",               "30 g"},
    {{1, 0, -1},     "a speed",              "0.5 m/s"},
    {{1, 0, -2},     "an acceleration",      "9.81 m/s^2"},
    {{1, 1, -2},     "a force",              "20 N"},
    {{0, 1, -2},     "a spring stiffness",   "300 N/m"},
    {{-0.5, 1, -2},  "a Hertz stiffness",    "1e9 N/m^(3/2)"},
    {{-1, 1, -2},    "a pressure",           "203 GPa"},
    {{-3, 1, 0},     "a density",            "7780 kg/m^3"},
    {{2, 1, -2},     "an energy",            "3 mJ"},
    {{2, 1, -3},     "a power",              "5 W"},
    {{0, 0, -1},     "a frequency",          "2 kHz"},
    {{1, 1, -1},     "a momentum",           "1 N*s"},
};
/* clang-format on */

struct parser {
    const char *at;
    const struct carom_exponents *exponents; /* NULL: names are unknown units */
    int depth;
    struct carom_error *error;
};

struct unit {
    struct carom_dimension dimension;
    double tens, factor;
    int angle; /* the last that is not 0 of its symbols */
};

static bool parse_unit(struct parser *p, struct unit *unit);

/* --- exponents -------------------------------------------------------------------------------------------------- */

static void skip_blanks(struct parser *p)
{
    while (*p->at == ' ')
        p->at++;
}

static size_t letters(const char *text)
{
    size_t n = 0;
    while (isalpha((unsigned char)text[n]) || (unsigned char)text[n] >= 0x80 || text[n] == '_')
        n++;
    return n;
}

/* digits with at most one point */
static bool plain_number(struct parser *p, double *value)
{
    double number = 0.0, scale = 1.0;
    size_t digits = 0;
    bool point = false;
    for (; isdigit((unsigned char)*p->at) || (*p->at == '.' && !point); p->at++) {
        if (*p->at == '.') {
            point = true;
            continue;
        }
        number = 10.0 * number + (*p->at - '0');
        scale *= point ? 10.0 : 1.0;
        digits++;
    }
    *value = number / scale;
    return digits > 0 && digits < 16;
}

static bool parameter(struct parser *p, double *value)
{
    const size_t length = letters(p->at);
    for (size_t i = 0; length > 0 && p->exponents != NULL && i < p->exponents->count; i++)
        if (strlen(p->exponents->name[i]) == length && strncmp(p->exponents->name[i], p->at, length) == 0) {
            *value = p->exponents->value[i];
            p->at += length;
            return true;
        }
    return false;
}

static bool expression(struct parser *p, bool sum, double *value);

static bool atom(struct parser *p, double *value)
{
    skip_blanks(p);
    if (*p->at == '-') {
        p->at++;
        if (++p->depth > NESTED || !atom(p, value))
            return false;
        p->depth--;
        *value = -*value;
        return true;
    }
    if (*p->at == '(') {
        p->at++;
        if (++p->depth > NESTED || !expression(p, true, value))
            return false;
        p->depth--;
        skip_blanks(p);
        return *p->at++ == ')';
    }
    return parameter(p, value) || plain_number(p, value);
}

/* a sum of products, or one of these */
static bool expression(struct parser *p, bool sum, double *value)
{
    double next = 0.0;
    if (!(sum ? expression(p, false, value) : atom(p, value)))
        return false;
    for (skip_blanks(p); *p->at != '\0' && strchr(sum ? "+-" : "*/", *p->at) != NULL; skip_blanks(p)) {
        const char sign = *p->at++;
        if (!(sum ? expression(p, false, &next) : atom(p, &next)))
            return false;
        *value = sign == '*'   ? *value * next
                 : sign == '/' ? *value / next
                 : sign == '+' ? *value + next
                               : *value - next;
    }
    return true;
}

/* --- units ------------------------------------------------------------------------------------------------------ */

static bool unknown_unit(struct parser *p, const char *from, size_t length)
{
    char word[48];
    snprintf(word, sizeof word, "%.*s", (int)(length < 40 ? length : 40), from);
    carom_error_set(p->error, CAROM_E_INPUT,
                    "unknown unit '%s'; known are m, g, s, N, Pa, J, W, Hz, rad, deg, rpm with prefixes, min and h",
                    word);
    return false;
}

static const struct symbol *find_symbol(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        if (strlen(symbols[i].name) == length && strncmp(symbols[i].name, text, length) == 0)
            return &symbols[i];
    return NULL;
}

static bool parse_symbol(struct parser *p, struct unit *unit)
{
    const size_t length = letters(p->at);
    const struct symbol *symbol = find_symbol(p->at, length);
    int tens = 0;
    for (size_t i = 0; symbol == NULL && i < sizeof prefixes / sizeof prefixes[0]; i++) {
        const size_t skip = strlen(prefixes[i].name);
        if (skip >= length || strncmp(prefixes[i].name, p->at, skip) != 0)
            continue;
        symbol = find_symbol(p->at + skip, length - skip);
        symbol = symbol != NULL && symbol->alone ? NULL : symbol;
        tens = prefixes[i].tens;
    }
    if (symbol == NULL)
        return unknown_unit(p, p->at, length > 0 ? length : strlen(p->at));
    *unit = (struct unit){symbol->dimension, symbol->tens + tens, symbol->factor > 0.0 ? symbol->factor : 1.0,
                          symbol->angle};
    p->at += length;
    return true;
}

static bool parse_power(struct parser *p, struct unit *unit)
{
    double power = 1.0;
    bool good = true;
    if (*p->at == '^') {
        p->at++;
        if (*p->at == '+')
            p->at++;
        good = atom(p, &power);
    } else if (isdigit((unsigned char)*p->at)) {
        good = plain_number(p, &power);
    }
    if (!good || !isfinite(power) || fabs(power) > 100.0) {
        carom_error_set(p->error, CAROM_E_INPUT, "the exponent of a unit must be a number such as 2 or (3/2)");
        return false;
    }
    unit->dimension.m *= power;
    unit->dimension.kg *= power;
    unit->dimension.s *= power;
    unit->tens *= power;
    unit->factor = carom_power(unit->factor, power);
    return true;
}

static bool parse_term(struct parser *p, struct unit *unit)
{
    if (*p->at == '(') {
        p->at++;
        if (++p->depth > NESTED || !parse_unit(p, unit))
            return false;
        p->depth--;
        if (*p->at++ != ')')
            return carom_error_set(p->error, CAROM_E_INPUT, "a parenthesis in the unit is not closed"), false;
    } else if (*p->at == '1' && !isdigit((unsigned char)p->at[1])) {
        p->at++;
        *unit = (struct unit){{0, 0, 0}, 0.0, 1.0, 0};
    } else if (!parse_symbol(p, unit)) {
        return false;
    }
    return parse_power(p, unit);
}

static bool parse_unit(struct parser *p, struct unit *unit)
{
    skip_blanks(p);
    if (!parse_term(p, unit))
        return false;
    for (skip_blanks(p); *p->at != '\0' && *p->at != ')'; skip_blanks(p)) {
        const double sign = *p->at == '/' ? -1.0 : 1.0;
        if (*p->at == '/' || *p->at == '*')
            p->at++;
        skip_blanks(p);
        struct unit term;
        if (!parse_term(p, &term))
            return false;
        unit->dimension.m += sign * term.dimension.m;
        unit->dimension.kg += sign * term.dimension.kg;
        unit->dimension.s += sign * term.dimension.s;
        unit->tens += sign * term.tens;
        unit->factor *= sign > 0.0 ? term.factor : 1.0 / term.factor;
        unit->angle = term.angle != 0 ? term.angle : unit->angle;
    }
    return true;
}

static enum carom_status whole_unit(struct parser *p, struct unit *unit)
{
    const char *from = p->at;
    carom_error_set(p->error, CAROM_E_INPUT, "'%s' is not a unit", carom_tree_short(from).text);
    if (parse_unit(p, unit) && *p->at == '\0')
        return carom_error_set(p->error, CAROM_OK, "%s", "");
    return CAROM_E_INPUT;
}

/* --- numbers ---------------------------------------------------------------------------------------------------- */

/* Length of a decimal number at the start of the text; `mantissa` is the part before the exponent. */
static size_t number_length(const char *text, size_t *mantissa)
{
    size_t n = text[0] == '+' || text[0] == '-' ? 1 : 0, digits = 0;
    for (; isdigit((unsigned char)text[n]); n++)
        digits++;
    if (text[n] == '.')
        for (n++; isdigit((unsigned char)text[n]); n++)
            digits++;
    *mantissa = n;
    if (digits == 0)
        return 0;
    if (text[n] == 'e' || text[n] == 'E') {
        size_t e = n + 1;
        if (text[e] == '+' || text[e] == '-')
            e++;
        if (isdigit((unsigned char)text[e])) {
            while (isdigit((unsigned char)text[e]))
                e++;
            return e;
        }
    }
    return n;
}

/* strtod for the point as decimal mark, whatever language the program around us has set */
static double to_double(const char *text)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0)
        return strtod(text, NULL);
    const double value = strtod_l(text, NULL, c);
    freelocale(c);
    return value;
}

static enum carom_status convert(const char *text, size_t length, size_t mantissa, const struct unit *unit,
                                 double *value, struct carom_error *error)
{
    const double tens = unit->tens;
    char number[400];
    if (length > 300)
        return carom_error_set(error, CAROM_E_INPUT, "a number of more than 300 characters");
    const bool whole = tens == floor(tens) && fabs(tens) < 1000.0;
    const long exponent = length > mantissa ? strtol(text + mantissa + 1, NULL, 10) : 0;
    const long bounded = exponent > 100000 ? 100000 : exponent < -100000 ? -100000 : exponent;
    snprintf(number, sizeof number, "%.*se%ld", (int)mantissa, text, bounded + (whole ? (long)tens : 0));
    *value = to_double(number) * (whole ? 1.0 : carom_power(10.0, tens)) * unit->factor;
    if (!isfinite(*value))
        return carom_error_set(error, CAROM_E_INPUT, "%s is too large a number", carom_tree_short(text).text);
    if (*value == 0.0 && strcspn(number, "123456789") < mantissa)
        return carom_error_set(error, CAROM_E_INPUT, "%s is too small a number", carom_tree_short(text).text);
    return CAROM_OK;
}

static enum carom_status not_a_number(const char *text, size_t length, struct carom_error *error)
{
    if (text[0] == '\0')
        return carom_error_set(error, CAROM_E_INPUT, "has no value");
    const char *hint = "";
    if (length > 0 && text[length] == ',')
        hint = " (the decimal mark is a point)";
    return carom_error_set(error, CAROM_E_INPUT, "'%s' is not a number%s", carom_tree_short(text).text, hint);
}

enum carom_status carom_units_read(const char *text, struct carom_quantity *quantity, struct carom_error *error)
{
    size_t mantissa;
    const size_t length = number_length(text, &mantissa);
    *quantity = (struct carom_quantity){0};
    struct parser p = {.at = text + length, .error = error};
    const bool more = text[length] != '\0', blank = text[length] == ' ';
    skip_blanks(&p);
    const bool second = *p.at == '1' && p.at[1] != '/'; /* "10 1" is no number, "10 1/s" is one */
    if (length == 0 || second || (more && !blank && letters(p.at) == 0 && *p.at != '('))
        return not_a_number(text, length, error);
    struct unit unit = {{0, 0, 0}, 0.0, 1.0, 0};
    quantity->unit = *p.at != '\0';
    if (quantity->unit && whole_unit(&p, &unit) != CAROM_OK)
        return carom_error_prefix(error, "%s", carom_tree_short(text).text);
    quantity->dimension = unit.dimension;
    quantity->angle = unit.angle;
    return convert(text, length, mantissa, &unit, &quantity->value, error);
}

/* --- checking --------------------------------------------------------------------------------------------------- */

enum carom_status carom_units_dimension(const char *unit, const struct carom_exponents *exponents,
                                        struct carom_dimension *dimension, struct carom_error *error)
{
    struct parser p = {.at = unit, .exponents = exponents, .error = error};
    struct unit found = {{0, 0, 0}, 0.0, 1.0, 0};
    const enum carom_status status = whole_unit(&p, &found);
    *dimension = found.dimension;
    return status;
}

bool carom_units_depends(const char *unit, const char *name)
{
    /* names of parameters stand in exponents, symbols outside of them */
    const size_t length = strlen(name);
    bool exponent = false;
    int depth = 0;
    for (const char *c = unit; *c != '\0'; c++) {
        if (*c == '^')
            exponent = true;
        else if (exponent && *c == '(')
            depth++;
        else if (exponent && *c == ')')
            depth--;
        const size_t here = letters(c);
        if (exponent && here == length && strncmp(c, name, length) == 0)
            return true;
        if (here > 0)
            c += here - 1;
        if (exponent && depth == 0 && *c != '^')
            exponent = false;
    }
    return false;
}

bool carom_units_same(const struct carom_dimension *a, const struct carom_dimension *b)
{
    return fabs(a->m - b->m) < 1e-9 && fabs(a->kg - b->kg) < 1e-9 && fabs(a->s - b->s) < 1e-9;
}

static const struct named *find_name(const struct carom_dimension *dimension)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (carom_units_same(&names[i].dimension, dimension))
            return &names[i];
    return NULL;
}

/* Some units say more than their dimension does. */
static const struct named *find_wanted(const char *unit, const struct carom_dimension *dimension)
{
    static const struct named torque = {{2, 1, -2}, "a torque", "2 N*m"};
    static const struct named turning = {{0, 0, -1}, "an angular speed", "20 rad/s"};
    static const struct named angle = {{0, 0, 0}, "an angle", "30 deg"};
    return strcmp(unit, "N*m") == 0     ? &torque
           : strcmp(unit, "rad/s") == 0 ? &turning
           : strcmp(unit, "rad") == 0   ? &angle
                                        : find_name(dimension);
}

/* "kg m^-0.5 s^-2" */
static void write_dimension(const struct carom_dimension *dimension, char *text, size_t room)
{
    const double power[] = {dimension->kg, dimension->m, dimension->s};
    static const char *const base[] = {"kg", "m", "s"};
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < 3 && length < room; i++) {
        if (fabs(power[i]) < 1e-9)
            continue;
        const char *blank = length > 0 ? " " : "";
        const int more = power[i] == 1.0 ? snprintf(text + length, room - length, "%s%s", blank, base[i])
                                         : snprintf(text + length, room - length, "%s%s^%g", blank, base[i], power[i]);
        length += more > 0 ? (size_t)more : 0;
    }
}

enum carom_status carom_units_check(const char *text, const struct carom_quantity *quantity, const char *unit,
                                    const struct carom_dimension *dimension, struct carom_error *error)
{
    if (!quantity->unit || carom_units_same(&quantity->dimension, dimension))
        return CAROM_OK;
    char is[96], expected[160], in_base[80];
    const struct named *got = find_name(&quantity->dimension), *wanted = find_wanted(unit, dimension);
    write_dimension(&quantity->dimension, in_base, sizeof in_base);
    if (got != NULL)
        snprintf(is, sizeof is, "%s", got->name);
    else
        snprintf(is, sizeof is, "in %s", in_base);
    write_dimension(dimension, in_base, sizeof in_base);
    if (wanted != NULL && wanted != &names[0])
        snprintf(expected, sizeof expected, "%s, such as %s", wanted->name, wanted->example);
    else if (wanted != NULL)
        snprintf(expected, sizeof expected, "a number without a unit");
    else
        snprintf(expected, sizeof expected, "a number in %s, that is %s", unit, in_base);
    return carom_error_set(error, CAROM_E_INPUT, "%s is %s, expected %s", carom_tree_short(text).text, is, expected);
}

enum carom_status carom_units_value(const char *text, const char *unit, struct carom_quantity *quantity,
                                    struct carom_error *error)
{
    struct carom_dimension dimension;
    if (carom_units_read(text, quantity, error) != CAROM_OK ||
        carom_units_dimension(unit, NULL, &dimension, error) != CAROM_OK)
        return error->status;
    return carom_units_check(text, quantity, unit, &dimension, error);
}

enum carom_status carom_units_turns(const char *text, struct carom_quantity *quantity, const char *unit,
                                    struct carom_error *error)
{
    if (quantity->angle > 0 && strcmp(unit, "Hz") == 0)
        quantity->value /= 2.0 * PI;
    if (quantity->angle < 0 && strcmp(unit, "rad/s") == 0)
        return carom_error_set(error, CAROM_E_INPUT, "%s counts whole turns, expected rad/s, 6.28319 of which are 1 Hz",
                               carom_tree_short(text).text);
    return CAROM_OK;
}
