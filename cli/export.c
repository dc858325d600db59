/* carom export: the numbers of a run file for other programs. As CSV: a line per sample with time, step and the chosen
 * items, a few megabytes at a time whatever the size of the run. For ParaView: see export_vtk.c. */
#include <string.h>

#include "base/memory.h"
#include "episodes.h"
#include "export.h"
#include "record/export/csv.h"
#include "study/remarks.h"

enum { BLOCK_BYTES = 4 << 20, BLOCK_ROWS = 4096 };

/* heading of that table; where contacts come and go, they are told by their bodies */
#define IMPACTS(listed) ((listed) ? "impact,begins,first,second,time,force" : "impact,begins,contact,time,force")

enum table { SAMPLES, FORCES, TOUCHES, EVENTS, EPISODES, FIELDS, TABLES };

/* What to write of the samples, in this order. */
struct selection {
    size_t count;
    const struct carom_run_item **item;
    size_t width; /* numbers of all items in a row */
};

static enum carom_status unknown_item(const struct carom_run_file *run, const char *name, struct carom_error *error)
{
    const char *names[64];
    size_t count = 0;
    for (; count < run->nitems && count < sizeof names / sizeof *names; count++)
        names[count] = run->item[count].name;
    const char *near = carom_param_nearest(name, names, count);
    if (near)
        return carom_error_set(error, CAROM_E_USAGE, "--items: '%s' was not recorded, did you mean '%s'?", name, near);
    if (strcmp(name, "contacts") == 0)
        return carom_error_set(error, CAROM_E_USAGE, "--items: contacts that come and go are exported by --contacts");
    return carom_error_set(error, CAROM_E_USAGE, "--items: '%s' was not recorded; 'carom show' lists what was", name);
}

static void add(struct selection *selection, const struct carom_run_item *item)
{
    for (size_t i = 0; i < selection->count; i++)
        if (selection->item[i] == item)
            return;
    selection->item[selection->count++] = item;
    selection->width += item->width;
}

/* one name: an item's, or a probe's that has an item for each part */
static enum carom_status add_named(struct selection *selection, const struct carom_run_file *run, const char *name,
                                   struct carom_error *error)
{
    bool found = false;
    for (size_t i = 0; i < run->nitems; i++)
        if (strcmp(run->item[i].name, name) == 0 || strcmp(run->item[i].path, name) == 0) {
            add(selection, &run->item[i]);
            found = true;
        }
    return found ? CAROM_OK : unknown_item(run, name, error);
}

/* names may be given one by one or with commas between them; none: everything */
static enum carom_status choose(struct selection *selection, const struct carom_run_file *run, const char *const *names,
                                size_t nnames, struct carom_error *error)
{
    selection->item = carom_memory_zeroed(run->nitems, sizeof *selection->item);
    if (!selection->item)
        return carom_memory_error(error);
    for (size_t i = 0; nnames == 0 && i < run->nitems; i++)
        add(selection, &run->item[i]);
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < nnames; i++)
        for (const char *at = names[i]; status == CAROM_OK && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
            char name[128];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
            status = add_named(selection, run, name, error);
        }
    return status;
}

static void write_heading(FILE *out, const struct selection *selection, const struct carom_run_file *run)
{
    const int32_t(*pair)[2] = run->row ? (const int32_t(*)[2])run->pair : NULL;
    fputs("time,step", out);
    for (size_t i = 0; i < selection->count; i++) {
        const struct carom_run_item *item = selection->item[i];
        size_t before = 0; /* bodies of earlier parts, but those that are numbered by themselves */
        char name[200], part[CAROM_CSV_PART], other[CAROM_CSV_PART];
        const bool own = carom_csv_part(item->path, item->depth, part);
        for (size_t j = 0; j < i && !own; j++)
            before += strcmp(selection->item[j]->name, item->name) == 0 &&
                              !carom_csv_part(selection->item[j]->path, selection->item[j]->depth, other)
                          ? selection->item[j]->width
                          : 0;
        snprintf(name, sizeof name, "%s%s%.120s", part, own ? "_" : "", item->name);
        carom_csv_heading(out, name, item->extent, before, item->width, item->depth, pair);
    }
    putc('\n', out);
}

/* Rows [first, first + count); `values` holds the items one after the other. */
static enum carom_status write_block(FILE *out, const struct selection *selection, const struct carom_run_file *run,
                                     uint64_t first, size_t count, double *times, uint64_t *steps, double *values,
                                     struct carom_error *error)
{
    enum carom_status status = carom_run_file_times(run, first, count, times, error);
    if (status == CAROM_OK)
        status = carom_run_file_steps(run, first, count, steps, error);
    double *at = values;
    for (size_t i = 0; i < selection->count && status == CAROM_OK; i++) {
        status = carom_run_file_read(run, selection->item[i], first, count, at, error);
        at += count * selection->item[i]->width;
    }
    for (size_t row = 0; row < count && status == CAROM_OK; row++) {
        carom_csv_number(out, times[row]);
        fprintf(out, ",%llu", (unsigned long long)steps[row]);
        at = values;
        for (size_t i = 0; i < selection->count; i++) {
            const size_t width = selection->item[i]->width;
            carom_csv_numbers(out, at + row * width, width);
            at += count * width;
        }
        putc('\n', out);
    }
    return status;
}

static enum carom_status write_rows(FILE *out, const struct selection *selection, const struct carom_run_file *run,
                                    struct carom_error *error)
{
    size_t rows = selection->width > 0 ? BLOCK_BYTES / sizeof(double) / selection->width : BLOCK_ROWS;
    rows = rows < 1 ? 1 : rows > BLOCK_ROWS ? BLOCK_ROWS : rows;
    double *times = carom_memory_zeroed(rows, sizeof *times);
    uint64_t *steps = carom_memory_zeroed(rows, sizeof *steps);
    double *values = carom_memory_zeroed(rows * selection->width, sizeof *values);
    enum carom_status status = times && steps && values ? CAROM_OK : carom_memory_error(error);
    for (uint64_t first = 0; first < run->rows && status == CAROM_OK; first += rows) {
        const uint64_t left = run->rows - first;
        status =
            write_block(out, selection, run, first, left < rows ? (size_t)left : rows, times, steps, values, error);
        if (status == CAROM_OK && ferror(out))
            status = carom_error_set(error, CAROM_E_FILE, "the table could not be written");
    }
    carom_memory_free_all(values, steps, times);
    return status;
}

/* the forces inside impacts: a line per sample */
static enum carom_status write_impacts(FILE *out, const struct carom_run_file *run, struct carom_error *error)
{
    struct carom_blow_force *force = carom_memory_zeroed(BLOCK_ROWS, sizeof *force);
    enum carom_status status = force ? CAROM_OK : carom_memory_error(error);
    fprintf(out, "%s\n", IMPACTS(run->listed));
    for (uint64_t first = 0; first < run->forces && status == CAROM_OK; first += BLOCK_ROWS) {
        const uint64_t left = run->forces - first, count = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        struct carom_blow blow = {.time = nan("")};
        uint64_t known = UINT64_MAX;
        status = carom_run_file_forces(run, first, count, force, error);
        for (uint64_t i = 0; i < count && status == CAROM_OK; i++) {
            if (force[i].impact != known && force[i].impact < run->impacts)
                status = carom_run_file_blows(run, force[i].impact, 1, &blow, error);
            known = force[i].impact;
            fprintf(out, "%llu,", (unsigned long long)force[i].impact + 1);
            carom_csv_number(out, blow.time);
            putc(',', out);
            cli_episodes_place(out, run, force[i].contact);
            carom_csv_numbers(out, (double[]){force[i].time, force[i].force}, 2);
            putc('\n', out);
        }
        if (status == CAROM_OK && ferror(out))
            status = carom_error_set(error, CAROM_E_FILE, "the table could not be written");
    }
    carom_memory_free(force);
    return status;
}

/* contacts that come and go: a line for each in every sample */
static enum carom_status write_touches(FILE *out, const struct carom_run_file *run, struct carom_error *error)
{
    struct carom_touch *touch = carom_memory_zeroed(BLOCK_ROWS, sizeof *touch);
    enum carom_status status = touch ? CAROM_OK : carom_memory_error(error);
    carom_csv_touch_heading(out, run->touches.dimension);
    for (uint64_t row = 0; row < run->rows && status == CAROM_OK; row++) {
        uint64_t first = 0, count = 0, step = 0;
        double time = 0.0;
        status = carom_run_file_touching(run, row, &first, &count, error);
        if (status == CAROM_OK)
            status = carom_run_file_times(run, row, 1, &time, error);
        if (status == CAROM_OK)
            status = carom_run_file_steps(run, row, 1, &step, error);
        for (uint64_t at = 0; at < count && status == CAROM_OK; at += BLOCK_ROWS) {
            const uint64_t n = count - at < BLOCK_ROWS ? count - at : BLOCK_ROWS;
            status = carom_run_file_touches(run, first + at, n, touch, error);
            for (uint64_t i = 0; i < n && status == CAROM_OK; i++)
                carom_csv_touch(out, time, step, &touch[i], run->touches.dimension);
        }
        if (status == CAROM_OK && ferror(out))
            status = carom_error_set(error, CAROM_E_FILE, "the table could not be written");
    }
    carom_memory_free(touch);
    return status;
}

/* tables beside that of samples */
static enum carom_status (*const write_table[TABLES])(FILE *out, const struct carom_run_file *run,
                                                      struct carom_error *error) = {
    [FORCES] = write_impacts, [TOUCHES] = write_touches, [EVENTS] = cli_export_events, [EPISODES] = cli_episodes_csv};

/* NULL: to the standard output. Half a table is not left behind. */
static enum carom_status write_csv(const char *output, enum table table, const struct selection *selection,
                                   const struct carom_run_file *run, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    const char *const heading[TABLES] = {
        [FORCES] = IMPACTS(run->listed), [EVENTS] = CLI_EVENTS_HEADING, [EPISODES] = CLI_EPISODES_HEADING(run->listed)};
    if (output && heading[table])
        status = carom_csv_may_replace_table(output, heading[table], error);
    else if (output)
        status = carom_csv_may_replace(output, error);
    if (status != CAROM_OK)
        return status;
    FILE *out = output ? fopen(output, "w") : stdout;
    if (!out)
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be created", output);
    if (table == SAMPLES) {
        write_heading(out, selection, run);
        status = write_rows(out, selection, run, error);
    } else
        status = write_table[table](out, run, error);
    if (!output)
        return status == CAROM_OK && fflush(out) != 0
                   ? carom_error_set(error, CAROM_E_FILE, "the table could not be written")
                   : status;
    if (status != CAROM_OK)
        carom_error_prefix(error, "%s", output);
    return carom_csv_close(out, output, status, error);
}

static void say_size(const char *output, enum table table, const struct selection *selection,
                     const struct carom_run_file *run)
{
    const uint64_t rows[] = {[SAMPLES] = run->rows,
                             [FORCES] = run->forces,
                             [TOUCHES] = run->touches.lines,
                             [EVENTS] = run->events,
                             [EPISODES] = run->episodes.rows};
    const size_t columns[] = {[SAMPLES] = selection->width + 2,
                              [FORCES] = run->listed ? 6 : 5,
                              [TOUCHES] = 6 + 3 * run->touches.dimension,
                              [EVENTS] = cli_export_events_columns(run),
                              [EPISODES] = cli_episodes_columns(run)};
    printf("%s: %llu row%s of %zu columns\n", output, (unsigned long long)rows[table], cli_s(rows[table]),
           columns[table]);
}

static enum carom_status export_csv(const char *path, const char *output, const char *const *names, size_t nnames,
                                    enum table table, bool quiet, struct carom_error *error)
{
    struct carom_run_file *run = carom_run_file_open(path, error);
    if (!run)
        return error->status;
    struct selection selection = {0};
    enum carom_status status = table == SAMPLES ? choose(&selection, run, names, nnames, error) : CAROM_OK;
    if (table == TOUCHES && !run->touches.there)
        status = carom_error_set(error, CAROM_E_USAGE, "--contacts: '%s' holds no list of contacts", path);
    if (table == EPISODES && !run->episodes.there)
        status = carom_error_set(error, CAROM_E_USAGE, "--episodes: '%s' holds no book of impacts", path);
    if (status == CAROM_OK)
        status = write_csv(output, table, &selection, run, error);
    if (status == CAROM_OK && output && !quiet)
        say_size(output, table, &selection, run);
    carom_memory_free(selection.item);
    carom_run_file_close(run);
    return status;
}

/* Where to: -o or a second argument. The run may stand first or second. */
static enum carom_status sort_out(const char **path, size_t npositional, const char **output, struct carom_error *error)
{
    if (npositional < 2)
        return CAROM_OK;
    if (*output)
        return carom_error_set(error, CAROM_E_USAGE, "export: '%s' and -o %s both say where to", path[1], *output);
    if (!carom_run_file_looks(path[0]) && carom_run_file_looks(path[1])) {
        *output = path[0];
        path[0] = path[1];
    } else {
        *output = path[1];
    }
    return CAROM_OK;
}

/* What the line asks for. */
struct wish {
    bool csv, vtk, vtkhdf, table[TABLES], quiet; /* table: of samples where no other is asked for */
    const char *output, *items[CLI_MANY];
    size_t nitems;
    struct cli_fields_wish field;
};

/* the tables that were asked for, by the names of their options */
static size_t tables_of(const struct wish *w, const char *name[TABLES])
{
    static const char *const names[TABLES] = {"--items",  "--impacts",  "--contacts",
                                              "--events", "--episodes", "--fields"};
    size_t n = 0;
    for (size_t i = 0; i < TABLES; i++)
        if (i == SAMPLES ? w->nitems > 0 : w->table[i])
            name[n++] = names[i];
    return n;
}

/* things that do not go together */
static enum carom_status check_wish(const struct wish *w, struct carom_error *error)
{
    const char *name[TABLES];
    const bool fields = w->table[FIELDS];
    const size_t tables = tables_of(w, name);
    const bool standard = w->output && strcmp(w->output, "-") == 0;
    if (w->csv + w->vtk + w->vtkhdf != 1)
        return carom_error_set(error, CAROM_E_USAGE, "export: say in which form, one of --csv, --vtk, --vtkhdf");
    if (fields && w->vtkhdf)
        return carom_error_set(error, CAROM_E_USAGE, "export: --fields goes with --csv or --vtk");
    if (!w->csv && tables > 0 && !(fields && tables == 1))
        return carom_error_set(error, CAROM_E_USAGE, "export: %s goes with --csv", name[0]);
    if (tables > 1)
        return carom_error_set(error, CAROM_E_USAGE, "export: %s and %s are two tables, choose one", name[0], name[1]);
    if (!fields && (w->field.kernel || w->field.width || w->field.cell))
        return carom_error_set(error, CAROM_E_USAGE, "export: %s goes with --fields",
                               w->field.kernel  ? "--kernel"
                               : w->field.width ? "--width"
                                                : "--cell");
    if (!w->csv && standard)
        return carom_error_set(error, CAROM_E_USAGE,
                               "export: %s writes files and cannot write to the standard output (-); name a file or "
                               "folder, or take --csv",
                               w->vtk ? "--vtk" : "--vtkhdf");
    return CAROM_OK;
}

/* what forces are, where that is not what their name says */
static void print_averaged(const char *path)
{
    char text[CAROM_REMARK_TEXT] = "";
    struct carom_run_file *run = carom_run_file_open(path, NULL);
    if (run)
        carom_remarks_averaged(run, text);
    if (*text)
        printf("note: %s\n", text);
    carom_run_file_close(run);
}

static enum carom_status write_out(const struct wish *w, const char *path, struct carom_error *error)
{
    const char *to = w->output && strcmp(w->output, "-") == 0 ? NULL : w->output;
    size_t table = TABLES - 1;
    while (table > SAMPLES && !w->table[table])
        table--;
    if (table == FIELDS)
        return cli_export_fields(path, to, w->csv, &w->field, w->quiet, error);
    if (w->csv)
        return export_csv(path, to, w->items, w->nitems, (enum table)table, w->quiet, error);
    return cli_export_vtk(path, w->output, w->vtkhdf, w->quiet, error);
}

int carom_cli_export(int argc, char **argv)
{
    const char *path[2];
    size_t npositional;
    struct wish w = {0};
    const struct cli_option options[] = {
        {"--csv", NULL, NULL, "a table with a line per sample", .flag = &w.csv},
        {"--vtk", NULL, NULL, "a .vtu file for each sample and a .pvd that lists them, for ParaView", .flag = &w.vtk},
        {"--vtkhdf", NULL, NULL, "one .vtkhdf file, for ParaView 5.12 and later", .flag = &w.vtkhdf},
        {"--output", "-o", "FILE", "where to, instead of TO", .single = &w.output, .standard = true},
        {"--items", NULL, "NAME,...", "of a table: only these, as 'carom show' names them; may be repeated",
         .many = w.items, .count = &w.nitems},
        {"--impacts", NULL, NULL, "with --csv: instead of the samples, the forces inside impacts",
         .flag = &w.table[FORCES]},
        {"--contacts", NULL, NULL, "with --csv: instead of the samples, contacts that come and go, a line for each",
         .flag = &w.table[TOUCHES]},
        {"--events", NULL, NULL, "with --csv: instead of the samples, when contacts opened, closed, stuck or slipped",
         .flag = &w.table[EVENTS]},
        {"--episodes", NULL, NULL, "with --csv: instead of the samples, the book of impacts, a line for each",
         .flag = &w.table[EPISODES]},
        {"--fields", NULL, NULL, "fields of bodies on a grid: a line per sample and cell, or .vti files",
         .flag = &w.table[FIELDS]},
        {"--kernel", NULL, "NAME", "of fields: lucy (usual) or gaussian", .single = &w.field.kernel},
        {"--width", NULL, "LENGTH", "of fields: lucy's range (usual: 2 diameters), gaussian's deviation (half of one)",
         .single = &w.field.width},
        {"--cell", NULL, "LENGTH", "of fields: edge of a cell (usual: 1/4 of the kernel's range, 1/2 in space)",
         .single = &w.field.cell},
        {"--quiet", "-q", NULL, "only the table", .flag = &w.quiet},
        {0},
    };
    const struct cli_command command = {
        "carom export RUN --csv|--vtk|--vtkhdf [TO] [--items u,v,...] "
        "[--impacts|--contacts|--events|--episodes|--fields]",
        "Writes the recorded numbers of a run file for other programs.\n"
        "--csv: columns are named after probes; bodies count from 1, contact j is right of body j and contact 0 is at\n"
        "the left wall. Numbers keep all their digits. TO is a file (default, or -: the standard output).\n"
        "With --impacts: the forces inside impacts, impacts counted from 1; begins: when it was, time: since then.\n"
        "With --contacts: of discs and spheres, who touched whom in each sample, where and with which force.\n"
        "With --events: when contacts opened and closed, and the gap rates (of stick and slip: slip rates) around it.\n"
        "With --episodes: every contact from closing to opening: speed, peak force and when, impulse, loss, overlap.\n"
        "With --fields: density, velocity and stress of bodies, each spread over a kernel; also with --vtk.\n"
        "--vtk, --vtkhdf: beads as vertices with radius, mass, displacement, velocity and force; discs and spheres\n"
        "too, walls and bodies with corners in files beside them, with --vtk also contacts, and cracks of solids\n"
        "(link_damage). TO is a folder (one that ends in / is made) or the beginning of the files' names (default:\n"
        "that of the run).",
        options, 1, 2};
    int code;
    if (!cli_read(&command, argc, argv, path, &npositional, &code))
        return code;
    struct carom_error error = {CAROM_OK, ""};
    enum carom_status status = sort_out(path, npositional, &w.output, &error);
    if (status == CAROM_OK)
        status = check_wish(&w, &error);
    if (status == CAROM_OK)
        status = write_out(&w, path[0], &error);
    const bool silent =
        w.quiet || w.table[EVENTS] || w.table[EPISODES] || (w.csv && (!w.output || strcmp(w.output, "-") == 0));
    if (status == CAROM_OK && !silent)
        print_averaged(path[0]);
    return status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}
