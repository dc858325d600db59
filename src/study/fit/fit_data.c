/* Reads tables of measured numbers: cells with commas between them, perhaps in quotes; lines that begin with # are
 * comments. What a probe or a key is stands in their tables. */
#include "study/fit/fit_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/export/csv.h"
#include "record/probe.h"
#include "scene/text/units.h"

enum role { NOTHING, TIME, MEASURED, SIGMA, WEIGHT, SETTING };

struct cell {
    char text[128];
    size_t at; /* column in the file, from 1 */
};

struct reader {
    struct carom_fit_data *data;
    bool si;
    const char *next; /* the rest of the text */
    size_t line, room;
    size_t ncells;
    struct cell cell[CAROM_FIT_DATA_COLUMNS];
    enum role role[CAROM_FIT_DATA_COLUMNS];
    size_t of[CAROM_FIT_DATA_COLUMNS];     /* the measured column or key */
    double factor[CAROM_FIT_DATA_COLUMNS]; /* to SI */
    size_t nroles;
    struct carom_error *error;
};

void carom_fit_data_free(struct carom_fit_data *data)
{
    carom_memory_free_all(data->name, data->text, data->point, data->setting);
    *data = (struct carom_fit_data){0};
}

static enum carom_status place(const struct reader *r, size_t at)
{
    return carom_error_prefix(r->error, "%s:%zu:%zu", r->data->name, r->line, at);
}

#define FAIL(r, at, ...) (carom_error_set((r)->error, CAROM_E_INPUT, __VA_ARGS__), place(r, at))

/* --- lines ------------------------------------------------------------------------------------------------------- */

/* One cell from `from` on, without blanks around it and quotes; returns where it ends. */
static const char *take_cell(const char *from, const char *end, struct cell *cell)
{
    while (from < end && (*from == ' ' || *from == '\t'))
        from++;
    const bool quoted = from < end && *from == '"';
    const char *first = from + quoted, *stop = first;
    if (quoted)
        while (stop < end && *stop != '"')
            stop++;
    else
        while (stop < end && *stop != ',')
            stop++;
    const char *rest = stop;
    while (rest < end && *rest != ',')
        rest++;
    while (!quoted && stop > first && (stop[-1] == ' ' || stop[-1] == '\t'))
        stop--;
    const size_t length = (size_t)(stop - first);
    snprintf(cell->text, sizeof cell->text, "%.*s", (int)(length < 127 ? length : 127), first);
    return rest;
}

/* The next line that is no comment and not empty; false: there is none. */
static bool next_line(struct reader *r, enum carom_status *status)
{
    *status = CAROM_OK;
    while (*r->next != '\0') {
        const char *from = r->next, *end = from + strcspn(from, "\n");
        r->next = *end == '\n' ? end + 1 : end;
        r->line++;
        const char *stop = end > from && end[-1] == '\r' ? end - 1 : end, *first = from;
        while (first < stop && (*first == ' ' || *first == '\t'))
            first++;
        if (first == stop || *first == '#')
            continue;
        r->ncells = 0;
        for (const char *at = from;; at++) {
            if (r->ncells == CAROM_FIT_DATA_COLUMNS) {
                *status = FAIL(r, (size_t)(at - from) + 1, "more than %d columns", CAROM_FIT_DATA_COLUMNS);
                return true;
            }
            r->cell[r->ncells].at = (size_t)(at - from) + 1;
            at = take_cell(at, stop, &r->cell[r->ncells++]);
            if (at >= stop)
                return true;
        }
    }
    return false;
}

/* --- the header -------------------------------------------------------------------------------------------------- */

/* Cuts "(unit)" off the end; the factor that makes SI of it. `unit` is the quantity's own. */
static enum carom_status take_unit(struct reader *r, struct cell *cell, const char *unit, double *factor)
{
    char *open = strchr(cell->text, '('), text[140];
    const size_t length = strlen(cell->text);
    struct carom_quantity one;
    *factor = 1.0;
    if (open == NULL || length == 0 || cell->text[length - 1] != ')')
        return CAROM_OK;
    cell->text[length - 1] = '\0';
    snprintf(text, sizeof text, "1 %s", open + 1);
    *open = '\0';
    while (open > cell->text && open[-1] == ' ')
        *--open = '\0';
    if (strcmp(text, "1 1") == 0 || strcmp(text, "1 ") == 0)
        return CAROM_OK;
    if (!r->si)
        return FAIL(r, cell->at, "%s: the scene has no units (units: none), so the data cannot have any", cell->text);
    if (carom_units_value(text, unit, &one, r->error) != CAROM_OK) {
        r->error->status = CAROM_E_INPUT;
        carom_error_prefix(r->error, "%s", cell->text);
        return place(r, cell->at);
    }
    *factor = one.value;
    return CAROM_OK;
}

/* "name[7]" or "name_7" into name and number; -1: there is no number */
static long split(const char *text, char *name, size_t size)
{
    const char *open = strchr(text, '['), *under = strrchr(text, '_');
    char *end;
    snprintf(name, size, "%s", text);
    const char *digits = open != NULL ? open + 1 : under != NULL ? under + 1 : "";
    if (*digits < '0' || *digits > '9')
        return -1;
    const long number = strtol(digits, &end, 10);
    if (strcmp(end, open != NULL ? "]" : "") != 0 || number > 1000000000)
        return -1;
    name[(open != NULL ? open : under) - text] = '\0';
    return number;
}

static enum carom_status unknown_probe(struct reader *r, const struct cell *cell, const char *name)
{
    const char *names[80] = {"time", "sigma", "weight"};
    size_t count = 3;
    for (size_t i = 0; carom_probe_list[i] != NULL && count < 80; i++)
        names[count++] = carom_probe_list[i]->kind.name;
    const char *near = carom_param_nearest(name, names, count);
    if (near != NULL)
        return FAIL(r, cell->at, "there is no probe '%s', did you mean '%s'?", cell->text, near);
    return FAIL(r, cell->at,
                "there is no probe '%s'; columns are time, probes such as v[20], sigma and weight ('carom list "
                "probes'), and a name that begins with - leaves a column out",
                cell->text);
}

/* "u_12_x", "stress_3_xy", "sensor_u_1_x", "sensor_u_tip_x", as tables and sweeps name numbers of solids */
static bool read_axis(const char *text, struct carom_fit_column *column)
{
    const char *last = strrchr(text, '_'), *axis = last != NULL ? last + 1 : "";
    if (carom_csv_axis(3, axis) == SIZE_MAX && carom_csv_axis(4, axis) == SIZE_MAX &&
        carom_csv_axis(6, axis) == SIZE_MAX)
        return false;
    for (size_t i = 0; carom_probe_list[i] != NULL; i++) {
        const struct carom_probe *probe = carom_probe_list[i];
        const size_t length = strlen(probe->kind.name);
        if (carom_probe_cells(probe) == CAROM_CELLS_NOTHING || strncmp(text, probe->kind.name, length) != 0 ||
            text[length] != '_' || last < text + length + 2 || (size_t)(last - text) - length > sizeof column->point)
            continue;
        column->kind = probe;
        column->number = -1;
        column->unit = probe->unit;
        snprintf(column->probe, sizeof column->probe, "%.31s", probe->kind.name);
        snprintf(column->point, sizeof column->point, "%.*s", (int)(last - text - (ptrdiff_t)length - 1),
                 text + length + 1);
        snprintf(column->axis, sizeof column->axis, "%.3s", axis);
        return true;
    }
    return false;
}

static enum carom_status read_probe(struct reader *r, struct cell *cell, struct carom_fit_column *column)
{
    char name[128];
    if (read_axis(cell->text, column))
        return CAROM_OK;
    column->number = split(cell->text, name, sizeof name);
    column->kind = carom_probe_find(name);
    if (column->kind == NULL && strncmp(cell->text, "sensor_", 7) == 0) {
        column->sensor = true;
        column->number = -1;
        column->unit = "N";
        snprintf(column->probe, sizeof column->probe, "%.31s", cell->text + 7);
        return CAROM_OK;
    }
    if (column->kind == NULL)
        return unknown_probe(r, cell, name);
    if (column->kind->extent == CAROM_PER_RUN ? column->number >= 0 : column->number < 0)
        return FAIL(r, cell->at, "%s: %s, such as %s", cell->text,
                    column->number >= 0 ? "has no number" : "say of which one",
                    column->number >= 0                         ? column->kind->kind.name
                    : column->kind->extent == CAROM_PER_CONTACT ? "contact_force[3]"
                                                                : "v[20]");
    if (column->number == 0 && column->kind->extent != CAROM_PER_CONTACT)
        return FAIL(r, cell->at, "%s: bodies count from 1", cell->text);
    column->unit = column->kind->unit;
    snprintf(column->probe, sizeof column->probe, "%.31s", column->kind->kind.name);
    return CAROM_OK;
}

static enum carom_status read_output(struct reader *r, struct cell *cell, struct carom_fit_column *column)
{
    struct carom_outputs one;
    if (carom_outputs_read(cell->text, true, &one, r->error) != CAROM_OK) {
        char why[sizeof r->error->text];
        snprintf(why, sizeof why, "%s", r->error->text);
        if (r->data->ncolumns == 0 && r->data->nkeys == 0) /* perhaps the column of times, under another name */
            snprintf(r->error->text, sizeof r->error->text, "%.500s; measurements over time need a column named time",
                     why);
        r->error->status = CAROM_E_INPUT;
        return place(r, cell->at);
    }
    if (r->data->outputs.count == CAROM_OUTPUTS_MOST)
        return FAIL(r, cell->at, "more than %d outputs", CAROM_OUTPUTS_MOST);
    r->data->outputs.output[r->data->outputs.count++] = one.output[0];
    r->data->outputs.peaks |= one.peaks;
    r->data->outputs.errors |= one.errors;
    column->number = -1;
    column->unit = one.output[0].unit;
    return CAROM_OK;
}

static enum carom_status measured(struct reader *r, size_t i)
{
    struct carom_fit_data *data = r->data;
    struct carom_fit_column *column = &data->column[data->ncolumns];
    struct cell *cell = &r->cell[i], bare = *cell;
    char *open = strchr(bare.text, '(');
    if (open != NULL)
        *open = '\0';
    for (size_t k = strlen(bare.text); k > 0 && bare.text[k - 1] == ' '; k--)
        bare.text[k - 1] = '\0';
    *column = (struct carom_fit_column){.spread = 1.0};
    if ((data->runs ? read_output(r, &bare, column) : read_probe(r, &bare, column)) != CAROM_OK)
        return r->error->status;
    if (column->kind != NULL && column->number >= 0)
        snprintf(column->name, sizeof column->name, "%.30s[%ld]", column->kind->kind.name, column->number);
    else
        snprintf(column->name, sizeof column->name, "%.63s", bare.text);
    for (size_t k = 0; k < data->ncolumns; k++)
        if (strcmp(data->column[k].name, column->name) == 0)
            return FAIL(r, cell->at, "%s appears twice", column->name);
    r->role[i] = MEASURED;
    r->of[i] = data->ncolumns++;
    return take_unit(r, cell, column->unit, &r->factor[i]);
}

/* "force [N]" is written for "force (N)"; "v[4]" is body 4 */
static void round_brackets(char *text)
{
    char *open = strrchr(text, '[');
    const size_t length = strlen(text);
    if (open == NULL || text[length - 1] != ']' || (open[1] >= '0' && open[1] <= '9'))
        return;
    *open = '(';
    text[length - 1] = ')';
}

static enum carom_status read_heading(struct reader *r, size_t i)
{
    struct carom_fit_data *data = r->data;
    struct cell *cell = &r->cell[i];
    const char *text = cell->text;
    round_brackets(cell->text);
    const bool sigma = strncmp(text, "sigma", 5) == 0 && (text[5] == '\0' || text[5] == ' ' || text[5] == '(');
    r->factor[i] = 1.0;
    if (text[0] == '\0' || text[0] == '-' || strcmp(text, "step") == 0)
        return CAROM_OK;
    if (strncmp(text, "set ", 4) == 0) {
        if (!data->runs)
            return FAIL(r, cell->at, "%s: lines are either times of one run or runs of their own", text);
        snprintf(data->key[data->nkeys], sizeof data->key[0], "%.95s", text + 4);
        r->role[i] = SETTING;
        r->of[i] = data->nkeys++;
        return CAROM_OK;
    }
    if (sigma || strcmp(text, "weight") == 0) {
        if (i == 0 || r->role[i - 1] != MEASURED)
            return FAIL(r, cell->at, "%s belongs to the measured column on its left, and there is none", text);
        r->role[i] = sigma ? SIGMA : WEIGHT;
        r->of[i] = r->of[i - 1];
        struct carom_fit_column *column = &data->column[r->of[i]];
        *(sigma ? &column->sigma : &column->weight) = true;
        r->factor[i] = sigma ? r->factor[i - 1] : 1.0;
        return sigma && strchr(text, '(') ? take_unit(r, cell, column->unit, &r->factor[i]) : CAROM_OK;
    }
    if (strncmp(text, "time", 4) == 0 && (text[4] == '\0' || text[4] == ' ' || text[4] == '(')) {
        for (size_t k = 0; k < i; k++)
            if (r->role[k] == TIME)
                return FAIL(r, cell->at, "time appears twice");
        r->role[i] = TIME;
        return take_unit(r, cell, "s", &r->factor[i]);
    }
    return measured(r, i);
}

static enum carom_status read_header(struct reader *r)
{
    enum carom_status status;
    if (!next_line(r, &status)) {
        r->line = 1;
        return FAIL(r, 1, "is empty; the first line names the columns, such as time,v[20],sigma");
    }
    r->data->runs = status == CAROM_OK;
    for (size_t i = 0; i < r->ncells; i++)
        if (strncmp(r->cell[i].text, "time", 4) == 0)
            r->data->runs = false;
    for (size_t i = 0; i < r->ncells && status == CAROM_OK; i++)
        status = read_heading(r, i);
    r->nroles = r->ncells;
    if (status == CAROM_OK && r->data->ncolumns == 0)
        status = FAIL(r, 1, "no column has measured numbers, such as v[20] or contact_force[3]");
    return status;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

static enum carom_status read_number(struct reader *r, size_t i, double *value)
{
    char *end;
    const char *text = r->cell[i].text;
    *value = strtod(text, &end);
    if (end == text || *end != '\0')
        return FAIL(r, r->cell[i].at, "'%s' is not a number", text);
    if (!isfinite(*value))
        return FAIL(r, r->cell[i].at, "'%s' is not a finite number; leave the cell empty where nothing was measured",
                    text);
    *value *= r->factor[i];
    return CAROM_OK;
}

static enum carom_status add_point(struct reader *r, const struct carom_fit_point *point)
{
    struct carom_fit_data *data = r->data;
    if (!carom_memory_room(&data->point, data->npoints, &r->room, 256, sizeof *data->point))
        return carom_memory_error(r->error);
    data->point[data->npoints++] = *point;
    data->column[point->column].points++;
    return CAROM_OK;
}

/* sigma or weight in the cell right of a measured one */
static enum carom_status read_sigma(struct reader *r, size_t i, double *sigma)
{
    *sigma = 1.0;
    if (i + 1 >= r->ncells || (r->role[i + 1] != SIGMA && r->role[i + 1] != WEIGHT))
        return CAROM_OK;
    if (r->cell[i + 1].text[0] == '\0')
        return FAIL(r, r->cell[i + 1].at, "a measured number without its %s",
                    r->role[i + 1] == SIGMA ? "sigma" : "weight");
    if (read_number(r, i + 1, sigma) != CAROM_OK)
        return r->error->status;
    if (!(*sigma > 0.0))
        return FAIL(r, r->cell[i + 1].at, "must be positive, got %s", r->cell[i + 1].text);
    if (r->role[i + 1] == WEIGHT)
        *sigma = 1.0 / sqrt(*sigma);
    return CAROM_OK;
}

static enum carom_status keep_settings(struct reader *r)
{
    struct carom_fit_data *data = r->data;
    if (data->nkeys == 0)
        return CAROM_OK;
    const size_t old = data->nruns * data->nkeys, count = old + data->nkeys;
    if (!carom_memory_widen(&data->setting, old, count, sizeof *data->setting))
        return carom_memory_error(r->error);
    for (size_t i = 0; i < r->ncells; i++) {
        if (r->role[i] != SETTING)
            continue;
        if (r->cell[i].text[0] == '\0')
            return FAIL(r, r->cell[i].at, "every line needs a value for %s", data->key[r->of[i]]);
        snprintf(data->setting[old + r->of[i]], sizeof *data->setting, "%.63s", r->cell[i].text);
    }
    return CAROM_OK;
}

static enum carom_status read_row(struct reader *r)
{
    struct carom_fit_point point = {.line = r->line, .at = (double)r->data->nruns};
    if (r->ncells != r->nroles)
        return FAIL(r, r->cell[r->ncells - 1].at, "has %zu columns, the header has %zu", r->ncells, r->nroles);
    for (size_t i = 0; i < r->ncells; i++)
        if (r->role[i] == TIME && read_number(r, i, &point.at) != CAROM_OK)
            return r->error->status;
    if (r->data->runs && keep_settings(r) != CAROM_OK)
        return r->error->status;
    for (size_t i = 0; i < r->ncells; i++) {
        if (r->role[i] != MEASURED || r->cell[i].text[0] == '\0')
            continue;
        point.column = r->of[i];
        if (read_number(r, i, &point.value) != CAROM_OK || read_sigma(r, i, &point.sigma) != CAROM_OK ||
            add_point(r, &point) != CAROM_OK)
            return r->error->status;
    }
    r->data->nruns++;
    return CAROM_OK;
}

/* --- all --------------------------------------------------------------------------------------------------------- */

static enum carom_status finish(struct reader *r)
{
    struct carom_fit_data *data = r->data;
    data->first = HUGE_VAL;
    data->last = -HUGE_VAL;
    for (size_t i = 0; i < data->npoints; i++) {
        data->first = fmin(data->first, data->point[i].at);
        data->last = fmax(data->last, data->point[i].at);
    }
    if (data->npoints == 0)
        return FAIL(r, 1, "no number was measured");
    for (size_t c = 0; c < data->ncolumns; c++) {
        double mean = 0.0, sum = 0.0;
        struct carom_fit_column *column = &data->column[c];
        if (column->points == 0)
            return carom_error_set(r->error, CAROM_E_INPUT, "%s: column %s has no numbers", data->name, column->name);
        for (size_t i = 0; i < data->npoints; i++)
            mean += data->point[i].column == c ? data->point[i].value / (double)column->points : 0.0;
        for (size_t i = 0; i < data->npoints; i++)
            sum += data->point[i].column == c ? (data->point[i].value - mean) * (data->point[i].value - mean) : 0.0;
        column->spread = sqrt(sum / (double)column->points);
        if (!(column->spread > 1e-12 * fabs(mean)))
            column->spread = mean != 0.0 ? fabs(mean) : 1.0;
    }
    return CAROM_OK;
}

enum carom_status carom_fit_data_parse(struct carom_fit_data *data, const char *name, const char *text, size_t length,
                                       bool si, struct carom_error *error)
{
    struct reader r = {.data = data, .si = si, .error = error};
    *data = (struct carom_fit_data){0};
    data->name = carom_memory_text(name);
    data->text = carom_memory_text_of(text, length);
    if (data->name == NULL || data->text == NULL)
        return carom_memory_error(error);
    const char *nul = memchr(text, '\0', length);
    if (nul != NULL)
        return carom_error_set(error, CAROM_E_INPUT, "%s: is not a text: byte %zu is zero", name,
                               (size_t)(nul - text) + 1);
    r.next = strncmp(data->text, "\xef\xbb\xbf", 3) == 0 ? data->text + 3 : data->text; /* a mark of some editors */
    enum carom_status status = read_header(&r);
    while (status == CAROM_OK && next_line(&r, &status))
        status = status == CAROM_OK ? read_row(&r) : status;
    return status == CAROM_OK ? finish(&r) : status;
}

enum carom_status carom_fit_data_read(struct carom_fit_data *data, const char *path, bool si, struct carom_error *error)
{
    *data = (struct carom_fit_data){0};
    size_t length;
    char *text = carom_file_whole(fopen(path, "rb"), path, CAROM_FIT_DATA_BYTES, &length, error);
    if (text == NULL)
        return error->status;
    enum carom_status status = CAROM_OK;
    if (length > CAROM_FIT_DATA_BYTES)
        status = carom_error_set(error, CAROM_E_INPUT, "%s: has more than %zu bytes", path, CAROM_FIT_DATA_BYTES);
    if (status == CAROM_OK)
        status = carom_fit_data_parse(data, path, text, length, si, error);
    carom_memory_free(text);
    return status;
}
