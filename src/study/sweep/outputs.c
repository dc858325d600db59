/* Names of outputs: words of one table; bodies and contacts are numbered as in scenes. */
#include "study/sweep/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum carom_output_kind kind;
    const char *unit;
} words[] = {
    {"u", CAROM_OUTPUT_U, "m"},
    {"v", CAROM_OUTPUT_V, "m/s"},
    {"spin", CAROM_OUTPUT_SPIN, "1/s"},
    {"peak_force", CAROM_OUTPUT_PEAK_FORCE, "N"},
    {"peak_impulse", CAROM_OUTPUT_PEAK_IMPULSE, "N s"},
    {"kinetic", CAROM_OUTPUT_KINETIC, "J"},
    {"stored", CAROM_OUTPUT_STORED, "J"},
    {"dissipated", CAROM_OUTPUT_DISSIPATED, "J"},
    {"work", CAROM_OUTPUT_WORK, "J"},
    {"residual", CAROM_OUTPUT_RESIDUAL, "J"},
    {"momentum", CAROM_OUTPUT_MOMENTUM, "kg m/s"},
    {"closed", CAROM_OUTPUT_CLOSED, "1"},
    {"stress", CAROM_OUTPUT_STRESS, "Pa"},
    {"region_stress", CAROM_OUTPUT_REGION_STRESS, "Pa"},
    {"region_kinetic", CAROM_OUTPUT_REGION_KINETIC, "Pa"},
    {"fabric", CAROM_OUTPUT_FABRIC, "1"},
    {"coordination", CAROM_OUTPUT_COORDINATION, "1"},
    {"steps", CAROM_OUTPUT_STEPS, "1"},
    {"error_u", CAROM_OUTPUT_ERROR_U, "m"},
    {"error_v", CAROM_OUTPUT_ERROR_V, "m/s"},
    {"error", CAROM_OUTPUT_ERROR, "1"},
};

enum { WORDS = sizeof words / sizeof *words };

const char *carom_outputs_help(void)
{
    return "  u_first, u_last, u_N     displacement of the first, last or Nth body at the end\n"
           "  v_first, v_last, v_N     its velocity\n"
           "  u_N_x, v_N_x, spin_N_x   of discs and spheres along x, y or z; spin_N in the plane\n"
           "  sensor_u_NAME_x          displacement at a sensor of a solid at the end, along x, y or z\n"
           "  sensor_v_NAME_x          its velocity\n"
           "  peak_force               largest force at any contact over the run\n"
           "  peak_force_N             the same at contact N (right of body N, 0 is the left wall)\n"
           "  peak_force_A_B           between discs, spheres or walls A and B\n"
           "  peak_impulse             largest impulse of rigid discs and spheres over the run\n"
           "  peak_impulse_A_B         the same between A and B\n"
           "  kinetic, stored, dissipated, work, residual\n"
           "                           the energy ledger at the end\n"
           "  momentum                 of a row of beads at the end\n"
           "  closed                   contacts closed at the end\n"
           "  stress_N_xx              of disc or sphere N at the end; xx, yy, zz, yz, xz, xy\n"
           "  region_stress_xx, region_kinetic_xx, fabric_xx, coordination\n"
           "                           over the region of `record`, else the domain or everything, at the end\n"
           "  steps                    steps taken\n"
           "  error_u, error_v         largest error over the run against dp5 with a far tighter tolerance\n"
           "  error                    the larger of both, relative to the scales U and V";
}

static enum carom_status unknown(const char *name, struct carom_error *error)
{
    const char *names[WORDS + 6] = {"u_last",   "v_last", "u_first", "v_first", "region_stress_xx", "region_kinetic_xx",
                                    "fabric_xx"};
    size_t n = 7;
    for (size_t i = 3; i < WORDS; i++)
        if (words[i].kind < CAROM_OUTPUT_STRESS || words[i].kind > CAROM_OUTPUT_FABRIC)
            names[n++] = words[i].name;
    const char *near = carom_param_nearest(name, names, n);
    if (near != NULL)
        return carom_error_set(error, CAROM_E_USAGE, "there is no output '%s', did you mean '%s'?", name, near);
    return carom_error_set(error, CAROM_E_USAGE, "there is no output '%s'; 'carom sweep --help' lists them", name);
}

/* takes an axis, "_x", off the end of a body's name */
static size_t read_axis(char *text)
{
    const size_t length = strlen(text);
    const char *axis = length > 2 && text[length - 2] == '_' ? strchr("xyz", text[length - 1]) : NULL;
    if (axis == NULL)
        return CAROM_OUTPUT_ANY;
    text[length - 2] = '\0';
    return (size_t)(*axis - 'x');
}

/* "last", "first" or a number; false: it is none of these. */
static bool read_index(const char *text, bool body, size_t *index)
{
    char *end;
    if (body && strcmp(text, "last") == 0) {
        *index = CAROM_OUTPUT_LAST;
        return true;
    }
    if (body && strcmp(text, "first") == 0) {
        *index = 0;
        return true;
    }
    if (text[0] < '0' || text[0] > '9')
        return false;
    const unsigned long number = strtoul(text, &end, 10);
    if (number > 1000000000 || *end != '\0' || (body && number == 0))
        return false;
    *index = number - (body ? 1 : 0);
    return true;
}

/* takes the part of a tensor, "_xy", off the end of a name */
static size_t read_part(char *text)
{
    static const char *const parts[CAROM_OUTPUT_TENSOR] = {"_xx", "_yy", "_zz", "_yz", "_xz", "_xy"};
    const size_t length = strlen(text);
    for (size_t i = 0; i < CAROM_OUTPUT_TENSOR && length > 3; i++)
        if (strcmp(text + length - 3, parts[i]) == 0) {
            text[length - 3] = '\0';
            return i;
        }
    return CAROM_OUTPUT_ANY;
}

/* stress_<body>_<part>, fabric_<part>, coordination, peak_force_<body>_<body>, peak_impulse_<body>_<body> */
static bool read_grains(const char *name, bool si, struct carom_output *output)
{
    char word[sizeof output->name];
    size_t index = CAROM_OUTPUT_ANY, other = CAROM_OUTPUT_ANY, i = 0;
    snprintf(word, sizeof word, "%s", name);
    const size_t peak = strncmp(word, "peak_force_", 11) == 0 ? 11 : strncmp(word, "peak_impulse_", 13) == 0 ? 13 : 0;
    const size_t part = read_part(word);
    char *of = strncmp(word, "stress_", 7) == 0 ? word + 7 : peak ? word + peak : NULL, *second = NULL;
    if (peak && (second = strchr(of, '_')) != NULL)
        *second++ = '\0';
    if ((peak && (second == NULL || !read_index(second, true, &other))) || (of && !read_index(of, true, &index)))
        return false;
    if (of)
        of[-1] = '\0';
    while (i < WORDS && strcmp(words[i].name, word) != 0)
        i++;
    if (i == WORDS || (!peak && (words[i].kind < CAROM_OUTPUT_STRESS || words[i].kind > CAROM_OUTPUT_COORDINATION)))
        return false;
    const bool tensor = !peak && words[i].kind != CAROM_OUTPUT_COORDINATION;
    if (tensor != (part != CAROM_OUTPUT_ANY) || (words[i].kind == CAROM_OUTPUT_STRESS && !of))
        return false;
    *output = (struct carom_output){.kind = words[i].kind,
                                    .index = index,
                                    .other = other,
                                    .axis = tensor ? part : 0,
                                    .unit = si ? words[i].unit : "1"};
    snprintf(output->name, sizeof output->name, "%s", name);
    return true;
}

/* sensor_u_<name>_<axis> */
static bool read_sensor(const char *name, bool si, struct carom_output *output)
{
    const size_t length = strlen(name);
    const bool rate = strncmp(name, "sensor_v_", 9) == 0;
    if ((!rate && strncmp(name, "sensor_u_", 9) != 0) || length < 12 || length - 11 >= sizeof output->sensor)
        return false;
    const char *axis = strchr("xyz", name[length - 1]);
    if (axis == NULL || name[length - 2] != '_')
        return false;
    snprintf(output->name, sizeof output->name, "%s", name);
    snprintf(output->sensor, sizeof output->sensor, "%.*s", (int)(length - 11), name + 9);
    output->kind = rate ? CAROM_OUTPUT_SENSOR_V : CAROM_OUTPUT_SENSOR_U;
    output->index = (size_t)(*axis - 'x');
    output->unit = !si ? "1" : rate ? "m/s" : "m";
    return true;
}

static enum carom_status read_one(const char *name, bool si, struct carom_output *output, struct carom_error *error)
{
    if (read_sensor(name, si, output) || read_grains(name, si, output))
        return CAROM_OK;
    char of_body[sizeof output->name];
    snprintf(of_body, sizeof of_body, "%s", name);
    const size_t axis = read_axis(of_body);
    for (size_t i = 0; i < WORDS; i++) {
        const enum carom_output_kind kind = words[i].kind;
        const size_t length = strlen(words[i].name);
        const bool body = kind <= CAROM_OUTPUT_SPIN, contact = kind == CAROM_OUTPUT_PEAK_FORCE;
        size_t index = CAROM_OUTPUT_ANY;
        const bool grains = kind >= CAROM_OUTPUT_STRESS && kind <= CAROM_OUTPUT_COORDINATION;
        const bool whole = !body && !grains && strcmp(name, words[i].name) == 0;
        const bool numbered = (body || contact) && strncmp(name, words[i].name, length) == 0 && name[length] == '_' &&
                              read_index((body ? of_body : name) + length + 1, body, &index);
        if (!whole && !numbered)
            continue;
        snprintf(output->name, sizeof output->name, "%s", name);
        output->kind = kind;
        output->index = index;
        output->other = CAROM_OUTPUT_ANY;
        output->axis = axis;
        output->unit = si ? words[i].unit : "1";
        return CAROM_OK;
    }
    return unknown(name, error);
}

enum carom_status carom_outputs_read(const char *names, bool si, struct carom_outputs *outputs,
                                     struct carom_error *error)
{
    *outputs = (struct carom_outputs){0};
    for (const char *from = names;;) {
        char name[sizeof outputs->output[0].name];
        const size_t length = strcspn(from, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), from);
        if (outputs->count == CAROM_OUTPUTS_MOST)
            return carom_error_set(error, CAROM_E_USAGE, "more than %d outputs", CAROM_OUTPUTS_MOST);
        struct carom_output *output = &outputs->output[outputs->count];
        if (read_one(name, si, output, error) != CAROM_OK)
            return error->status;
        for (size_t i = 0; i < outputs->count; i++)
            if (strcmp(outputs->output[i].name, name) == 0)
                return carom_error_set(error, CAROM_E_USAGE, "output '%s' is named twice", name);
        outputs->count++;
        outputs->peaks |= output->kind == CAROM_OUTPUT_PEAK_FORCE;
        outputs->impulses |= output->kind == CAROM_OUTPUT_PEAK_IMPULSE;
        outputs->errors |= output->kind >= CAROM_OUTPUT_ERROR_U;
        if (from[length] == '\0')
            return CAROM_OK;
        from += length + 1;
    }
}

const char *carom_outputs_word(const struct carom_output *output)
{
    size_t i = 0;
    while (i < WORDS && words[i].kind != output->kind)
        i++;
    return i < WORDS ? words[i].name : "";
}

void carom_outputs_print(const struct carom_outputs *outputs, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0, length = 0; i < outputs->count && length + 1 < size; i++, length = strlen(text))
        snprintf(text + length, size - length, "%s%s", i > 0 ? "," : "", outputs->output[i].name);
}
