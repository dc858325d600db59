/* carom list: what there is, printed from the same tables that scenes are checked against; --markdown makes the
 * reference pages. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/device.h"
#include "carom/friction.h"
#include "carom/impact.h"
#include "carom/law.h"
#include "cli.h"
#include "scene/keys/keys.h"
#include "scene/keys/materials.h"
#include "study.h"
#include "study/verify/paper.h"

static const char *type_name(enum carom_type type)
{
    static const char *const names[] = {"number", "whole number", "true or false", "word"};
    return names[type];
}

static void print_default(const struct carom_param *p, char *text, size_t size)
{
    if (p->standard == CAROM_REQUIRED)
        snprintf(text, size, "-");
    else if (p->type == CAROM_CHOICE)
        snprintf(text, size, "%s", p->choices[(int)p->standard]);
    else if (p->type == CAROM_FLAG)
        snprintf(text, size, "%s", p->standard != 0.0 ? "true" : "false");
    else
        snprintf(text, size, "%g", p->standard);
}

static void print_range(const struct carom_param *p, char *text, size_t size)
{
    text[0] = '\0';
    if (p->type == CAROM_CHOICE) {
        for (size_t i = 0, used = 0; p->choices[i] && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", p->choices[i]);
        return;
    }
    if (p->type == CAROM_FLAG)
        return;
    char low[32] = "", high[32] = "";
    if (p->low == CAROM_POSITIVE)
        snprintf(low, sizeof low, "> 0");
    else if (p->low > -HUGE_VAL)
        snprintf(low, sizeof low, ">= %g", p->low);
    if (p->high < HUGE_VAL)
        snprintf(high, sizeof high, "%s<= %g", *low ? ", " : "", p->high);
    snprintf(text, size, "%s%s", low, high);
}

static void print_params(const struct carom_param *table, bool markdown)
{
    if (!table || !table->name)
        return;
    if (markdown)
        printf("\n| key | type | default | range | unit | meaning |\n| --- | --- | --- | --- | --- | --- |\n");
    for (const struct carom_param *p = table; p->name; p++) {
        char standard[64], range[128];
        print_default(p, standard, sizeof standard);
        print_range(p, range, sizeof range);
        if (markdown)
            printf("| `%s` | %s | %s | %s | %s | %s |\n", p->name, type_name(p->type), standard, range,
                   p->unit ? p->unit : "", p->text);
        else
            printf("    %-12s %-10s %-16s %-12s %s\n", p->name, standard, range, p->unit ? p->unit : "", p->text);
    }
}

static void print_kind(const struct carom_kind *kind, bool markdown)
{
    if (markdown)
        printf("\n## %s\n\n%s\n", kind->name, kind->text);
    else
        printf("%-16s %s\n", kind->name, kind->text);
    print_params(kind->params, markdown);
}

/* of the lines below a kind */
static void print_heading(bool markdown)
{
    if (!markdown)
        printf("    %-12s %-10s %-16s %-12s %s\n\n", "key", "default", "range", "unit", "meaning");
}

static void list_laws(bool markdown)
{
    print_heading(markdown);
    for (size_t i = 0; carom_kinds_laws[i]; i++)
        print_kind(&carom_kinds_laws[i]->kind, markdown);
}

static void list_frictions(bool markdown)
{
    print_heading(markdown);
    for (size_t i = 0; carom_kinds_frictions[i]; i++)
        print_kind(&carom_kinds_frictions[i]->kind, markdown);
    printf(markdown ? "\n# Resistance to rolling and twisting\n" : "\nresistance to rolling and twisting:\n");
    for (size_t i = 0; carom_kinds_resistances[i]; i++)
        print_kind(&carom_kinds_resistances[i]->kind, markdown);
}

static void list_schemes(bool markdown)
{
    print_heading(markdown);
    for (size_t i = 0; carom_kinds_schemes[i]; i++) {
        const struct carom_scheme *s = carom_kinds_schemes[i];
        print_kind(&s->kind, markdown);
        printf("%sorder %d, between steps %d\n", markdown ? "\n" : "    ", s->order, s->dense_order);
    }
}

/* names with their numbers: "1 angle of the crank, 2 angle of the rod" */
static void print_names(const char *what, const char *const *names, bool markdown)
{
    printf(markdown ? "\n%s: " : "    %-12s ", what);
    for (size_t i = 0; names[i]; i++)
        printf("%s%zu %s", i ? ", " : "", i + 1, names[i]);
    printf("\n");
}

static void list_machine(const struct carom_machine *machine, bool markdown)
{
    if (markdown)
        printf("\n### kind: %s\n\n%s\n", machine->kind.name, machine->kind.text);
    else
        printf("  kind: %-16s %s\n", machine->kind.name, machine->kind.text);
    print_params(machine->kind.params, markdown);
    if (machine->signal && markdown)
        printf("\n`%s` is a signal in %s.\n", machine->signal, machine->signal_unit);
    else if (machine->signal)
        printf("    %-12s a signal in %s\n", machine->signal, machine->signal_unit);
    print_names("bodies", machine->coordinates, markdown);
    print_names("contacts", machine->distances, markdown);
}

static void list_impacts(bool markdown)
{
    print_heading(markdown);
    for (size_t i = 0; carom_striker_impacts[i]; i++)
        print_kind(&carom_striker_impacts[i]->kind, markdown);
}

static void list_parts(bool markdown)
{
    print_heading(markdown);
    for (size_t i = 0; carom_kinds_parts[i]; i++)
        print_kind(&carom_kinds_parts[i]->kind, markdown);
    for (size_t j = 0; carom_machines_list[j]; j++)
        list_machine(carom_machines_list[j], markdown);
}

static void list_probes(bool markdown)
{
    if (markdown)
        printf("\nPART is what there is of bodies: `beads`, `bodies` (discs, spheres, walls), `cells` (of a solid) or "
               "the\n"
               "kind of a mechanism.\n\n| probe | in run files | unit | meaning |\n| --- | --- | --- | --- |\n");
    else
        printf("%-20s %-43s %-6s %s\n", "probe", "in run files", "unit", "meaning");
    for (size_t i = 0; carom_probe_list[i]; i++) {
        const struct carom_probe *p = carom_probe_list[i];
        char path[128];
        snprintf(path, sizeof path, p->path, "PART");
        printf(markdown ? "| `%s` | `/%s` | %s | %s |\n" : "%-20s /%-42s %-6s %s\n", p->kind.name, path, p->unit,
               p->kind.text);
    }
}

static void list_materials(bool markdown)
{
    if (markdown)
        printf("\n| material | Young's modulus (Pa) | Poisson's ratio | density (kg/m^3) | yield (Pa) | source |\n"
               "| --- | --- | --- | --- | --- | --- |\n");
    else
        printf("%-16s %-10s %-7s %-9s %-9s %s\n%-16s %-10s %-7s %-9s %-9s\n", "material", "Young", "Poisson", "density",
               "yield", "source", "", "Pa", "", "kg/m^3", "Pa");
    for (const struct carom_material *m = carom_materials_list; m->name; m++) {
        char yield[32] = "-";
        if (m->yield > 0.0)
            snprintf(yield, sizeof yield, "%g", m->yield);
        printf(markdown ? "| %s | %g | %g | %g | %s | %s |\n" : "%-16s %-10g %-7g %-9g %-9s %s\n", m->name, m->young,
               m->poisson, m->density, yield, m->source);
    }
}

static void list_keys(bool markdown)
{
    print_heading(markdown);
    for (size_t i = 0; carom_keys_list[i]; i++) {
        print_kind(carom_keys_list[i], markdown);
        const struct carom_key *key = carom_keys_section(carom_keys_list[i])->others;
        if (markdown && key && key->name)
            printf("\n| key | type | default | meaning |\n| --- | --- | --- | --- |\n");
        for (; key && key->name; key++)
            printf(markdown ? "| `%s` | %s | %s | %s |\n" : "    %-12s %-28s %-16s %s\n", key->name, key->type,
                   key->standard ? key->standard : "-", key->text);
    }
}

/* a paper is a folder of `papers` that has rows */
static void list_papers(bool markdown)
{
    char folder[4096];
    struct carom_error error = {CAROM_OK, ""};
    struct dirent **entries = NULL;
    if (!cli_study_papers(NULL, folder, sizeof folder - 300, &error)) {
        printf("%s\n", error.text);
        return;
    }
    const int count = scandir(folder, &entries, NULL, alphasort);
    const size_t end = strlen(folder);
    for (int i = 0; i < count; i++) {
        struct carom_paper paper = {0};
        snprintf(folder + end, sizeof folder - end, "/%.255s", entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && carom_paper_read(&paper, folder, &error) == CAROM_OK)
            printf(markdown ? "\n## %s\n\n%s. %s; %zu row%s.\n" : "%-16s %s\n    %s; %zu row%s\n", entries[i]->d_name,
                   paper.title, paper.source, paper.nrows, cli_s(paper.nrows));
        carom_paper_free(&paper);
        free(entries[i]);
    }
    free(entries);
}

static void list_devices(bool markdown)
{
    struct carom_device_about about[64];
    const size_t count = carom_device_list(about, sizeof about / sizeof *about);
    if (count == 0)
        printf("no device: OpenCL finds none with double precision here\n");
    for (size_t i = 0; i < count && i < sizeof about / sizeof *about; i++)
        printf(markdown ? "* %zu: %s, %s, %u units, %.1f GB, %s\n" : "%-3zu %s, %s, %u units, %.1f GB, %s\n", i + 1,
               about[i].name, about[i].card ? "a card" : "the processor", about[i].units,
               1e-9 * (double)about[i].memory, about[i].driver);
}

static const struct {
    const char *name, *title;
    void (*print)(bool markdown);
} topics[] = {
    {"laws", "Contact laws", list_laws},  {"friction", "Friction of bodies in the plane and in space", list_frictions},
    {"schemes", "Schemes", list_schemes}, {"parts", "Parts", list_parts},
    {"probes", "Probes", list_probes},    {"materials", "Materials", list_materials},
    {"keys", "Scene keys", list_keys},    {"impacts", "Impacts", list_impacts},
    {"papers", "Papers", list_papers},    {"devices", "Devices", list_devices},
};

enum { TOPICS = sizeof topics / sizeof *topics };

int carom_cli_list(int argc, char **argv)
{
    const char *topic[1];
    size_t npositional;
    bool markdown = false, quiet = false;
    const struct cli_option options[] = {
        {"--markdown", NULL, NULL, "as a reference page", .flag = &markdown},
        {"--quiet", "-q", NULL, "accepted by every command; changes nothing here", .flag = &quiet},
        {0},
    };
    const struct cli_command command = {
        "carom list laws|friction|schemes|impacts|parts|probes|materials|papers|keys|devices",
        "Lists what scenes can name, with every parameter, its default, range and unit.", options, 1, 1};
    int code;
    if (!cli_read(&command, argc, argv, topic, &npositional, &code))
        return code;
    const char *names[TOPICS];
    for (size_t i = 0; i < TOPICS; i++) {
        names[i] = topics[i].name;
        if (strcmp(topic[0], topics[i].name) != 0)
            continue;
        if (markdown)
            printf("# %s\n\nMade by `carom list %s --markdown`; change the tables, not this page.\n", topics[i].title,
                   topics[i].name);
        if (topics[i].print)
            topics[i].print(markdown);
        else
            printf("%sThere are none in this version.\n", markdown ? "\n" : "");
        return CAROM_OK;
    }
    const char *near = carom_param_nearest(topic[0], names, TOPICS);
    return cli_usage("list: there is no list '%s'%s%s%s", topic[0], near ? ", did you mean '" : "",
                     near ? near : "; 'carom list --help' names them", near ? "'?" : "");
}
