/* carom export: the numbers of a run file for other programs. As CSV: a line per sample with time, step and the chosen
 * items, replayed into the sink that writes the tables of runs. For ParaView: see export_vtk.c. */
#include <string.h>

#include "base/memory.h"
#include "export.h"
#include "record/export/csv.h"
#include "record/replay.h"
#include "record/sink_csv.h"
#include "study/remarks.h"

enum { FIELDS = CAROM_CSV_TABLES, TABLES }; /* beside the tables of the sink */

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

/* NULL: to the standard output. Half a table is not left behind. */
static enum carom_status write_csv(const char *output, enum carom_csv_table table, const struct selection *selection,
                                   const struct carom_run_file *run, struct carom_error *error)
{
    const char *const heading = carom_sink_csv_heading(table, run->listed);
    enum carom_status status = CAROM_OK;
    if (output && table > CAROM_CSV_CONTACTS)
        status = carom_csv_may_replace_table(output, heading, error);
    else if (output)
        status = carom_csv_may_replace(output, error);
    if (status != CAROM_OK)
        return status;
    FILE *out = output ? fopen(output, "w") : stdout;
    if (!out)
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be created", output);
    const struct carom_replay replay = {
        .run = run, .item = selection->item, .nitems = selection->count, .touching = table == CAROM_CSV_CONTACTS};
    const struct carom_sink *sink = &carom_sink_csv_only[table];
    void *own = carom_sink_csv_on(out, table);
    status = own ? carom_replay(&replay, sink, own, error) : carom_memory_error(error);
    sink->release(own);
    if (!output)
        return status == CAROM_OK && fflush(out) != 0
                   ? carom_error_set(error, CAROM_E_FILE, "the table could not be written")
                   : status;
    if (status != CAROM_OK)
        carom_error_prefix(error, "%s", output);
    return carom_csv_close(out, output, status, error);
}

static void say_size(const char *output, enum carom_csv_table table, const struct selection *selection,
                     const struct carom_run_file *run)
{
    const uint64_t rows[] = {[CAROM_CSV_SAMPLES] = run->rows,
                             [CAROM_CSV_CONTACTS] = run->touches.lines,
                             [CAROM_CSV_IMPACTS] = run->forces,
                             [CAROM_CSV_EVENTS] = run->events,
                             [CAROM_CSV_EPISODES] = run->episodes.rows};
    size_t columns = 1;
    for (const char *c = carom_sink_csv_heading(table, run->listed); *c; c++)
        columns += *c == ',';
    if (table == CAROM_CSV_SAMPLES)
        columns += selection->width;
    else if (table == CAROM_CSV_CONTACTS)
        columns = 6 + 3 * run->touches.dimension;
    printf("%s: %llu row%s of %zu columns\n", output, (unsigned long long)rows[table], cli_s(rows[table]), columns);
}

static enum carom_status export_csv(const char *path, const char *output, const char *const *names, size_t nnames,
                                    enum carom_csv_table table, bool quiet, struct carom_error *error)
{
    struct carom_run_file *run = carom_run_file_open(path, error);
    if (!run)
        return error->status;
    struct selection selection = {0};
    enum carom_status status = table == CAROM_CSV_SAMPLES ? choose(&selection, run, names, nnames, error) : CAROM_OK;
    if (table == CAROM_CSV_CONTACTS && !run->touches.there)
        status = carom_error_set(error, CAROM_E_USAGE, "--contacts: '%s' holds no list of contacts", path);
    if (table == CAROM_CSV_EPISODES && !run->episodes.there)
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
    static const char *const names[TABLES] = {"--items",  "--contacts", "--impacts",
                                              "--events", "--episodes", "--fields"};
    size_t n = 0;
    for (size_t i = 0; i < TABLES; i++)
        if (i == CAROM_CSV_SAMPLES ? w->nitems > 0 : w->table[i])
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
    while (table > CAROM_CSV_SAMPLES && !w->table[table])
        table--;
    if (table == FIELDS)
        return cli_export_fields(path, to, w->csv, &w->field, w->quiet, error);
    if (w->csv)
        return export_csv(path, to, w->items, w->nitems, (enum carom_csv_table)table, w->quiet, error);
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
         .flag = &w.table[CAROM_CSV_IMPACTS]},
        {"--contacts", NULL, NULL, "with --csv: instead of the samples, contacts that come and go, a line for each",
         .flag = &w.table[CAROM_CSV_CONTACTS]},
        {"--events", NULL, NULL, "with --csv: instead of the samples, when contacts opened, closed, stuck or slipped",
         .flag = &w.table[CAROM_CSV_EVENTS]},
        {"--episodes", NULL, NULL, "with --csv: instead of the samples, the book of impacts, a line for each",
         .flag = &w.table[CAROM_CSV_EPISODES]},
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
    const bool silent = w.quiet || w.table[CAROM_CSV_EVENTS] || w.table[CAROM_CSV_EPISODES] ||
                        (w.csv && (!w.output || strcmp(w.output, "-") == 0));
    if (status == CAROM_OK && !silent)
        print_averaged(path[0]);
    return status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}
