/* Abaqus' input files: *NODE, *ELEMENT of types C3D4, C3D5, C3D6 and C3D8 (R and other letters behind them make no
 * difference here), *ELSET as sets of cells, *SURFACE of element faces (S1, S2, ...) as names of faces. Flat elements,
 * such as CPS3 or S4, are no cells: an *ELSET of them names the faces they lie on, as Gmsh writes it. Other keywords
 * are passed over. One part is read, and one instance of it where it stands; others would have to be moved. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/inp_scope.h"
#include "mesh/read.h"

enum { LINE = 4096, FIELDS = 64, NODES = 8 };

struct abaqus {
    struct carom_source *s;
    struct carom_draft *d;
    struct carom_source_names node, element, flat; /* flat ones by the first of their nodes in `sheet` */
    size_t nsheet, sheet_room;
    uint32_t *sheet; /* how many nodes, and which; of lines none: sets may name them, and nothing comes of it */
    size_t nodes;    /* of an element */
    bool is_flat;
    char line[LINE], *field[FIELDS];
    size_t fields, number; /* number: of the line */
    char keyword[64];      /* in capitals, without the star; empty: none yet, or one that is passed over */
    enum carom_draft_kind kind;
    size_t set, surface; /* what data lines belong to; SIZE_MAX: nothing */
    bool generate;
    size_t given; /* numbers of an element that is not complete */
    uint64_t numbers[NODES + 1];
    bool sorted, nodes_sorted;
    struct carom_inp_scope scope;
};

/* the sentence is about the line that was read, not the one that comes next */
static bool wrong(struct abaqus *a, const char *text, const char *word)
{
    a->s->line = a->number;
    return carom_source_wrong(a->s, "%s '%.40s'", text, word);
}

static bool wrong_number(struct abaqus *a, const char *text, uint64_t number)
{
    char word[32];
    snprintf(word, sizeof word, "%llu", (unsigned long long)number);
    return wrong(a, text, word);
}

/* cuts the line at its commas, without the blanks around */
static void split(struct abaqus *a)
{
    char *at = a->line;
    a->fields = 0;
    while (a->fields < FIELDS) {
        char *end = strchr(at, ','), *last;
        if (end)
            *end = '\0';
        while (*at == ' ' || *at == '\t')
            at++;
        last = at + strlen(at);
        while (last > at && (last[-1] == ' ' || last[-1] == '\t'))
            *--last = '\0';
        a->field[a->fields++] = at;
        if (!end)
            return;
        at = end + 1;
    }
}

static void capitals(char *text)
{
    for (; *text; text++)
        *text = (char)toupper((unsigned char)*text);
}

/* "NAME=value" of a keyword line, or NULL; names in any case */
static char *value_of(struct abaqus *a, const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 1; i < a->fields; i++) {
        char *f = a->field[i];
        if (strncasecmp(f, name, length) != 0)
            continue;
        f += length;
        while (*f == ' ' || *f == '\t')
            f++;
        if (*f == '\0')
            return f;
        if (*f++ != '=')
            continue;
        while (*f == ' ' || *f == '\t')
            f++;
        char *end = f + strlen(f);
        if (end > f + 1 && *f == '"' && end[-1] == '"') { /* which keep the case of a name, as is done anyway */
            end[-1] = '\0';
            f++;
        }
        return f;
    }
    return NULL;
}

static bool read_whole(struct abaqus *a, const char *text, uint64_t *out)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || strpbrk(text, "xX") || *end != '\0' || !(value >= 0.0 && value < 1e15 && floor(value) == value))
        return wrong(a, "a whole number should stand here, not", text);
    *out = (uint64_t)value;
    return true;
}

/* --- keywords -------------------------------------------------------------------------------------------------- */

/* letters behind the type, such as R, make no difference */
static bool is_type(const char *type, const char *name)
{
    return strncasecmp(type, name, strlen(name)) == 0 && !isdigit((unsigned char)type[strlen(name)]);
}

static bool find_kind(struct abaqus *a, const char *type)
{
    static const char *const cells[CAROM_DRAFT_KINDS] = {"C3D4", "C3D5", "C3D6", "C3D8"};
    static const char *const sheets[] = {"CPS3", "CPE3",   "CPS4",   "CPE4", "S3",  "S4",   "STRI3", "M3D3",
                                         "M3D4", "SFM3D3", "SFM3D4", "T3D2", "B31", "T2D2", "B21"};
    for (size_t k = 0; k < CAROM_DRAFT_KINDS; k++)
        if (is_type(type, cells[k])) {
            a->kind = (enum carom_draft_kind)k;
            a->nodes = carom_draft_nodes[k];
            a->is_flat = false;
            return true;
        }
    for (size_t k = 0; k < sizeof sheets / sizeof *sheets; k++)
        if (is_type(type, sheets[k])) {
            const char last = sheets[k][strlen(sheets[k]) - 1];
            a->nodes = last >= '3' ? (size_t)(last - '0') : 0;
            return a->is_flat = true;
        }
    return wrong(a, "elements C3D4, C3D5, C3D6 and C3D8 are known, not", type);
}

/* nodes may be written out again, at the same place */
static bool sort_nodes(struct abaqus *a)
{
    const struct carom_source_names *n = &a->node;
    if (!a->nodes_sorted)
        carom_source_names_sort(&a->node);
    a->nodes_sorted = true;
    for (size_t i = carom_source_names_twice(n, 1); i < n->count; i = carom_source_names_twice(n, i + 1))
        if (memcmp(a->d->node[n->list[i - 1].index], a->d->node[n->list[i].index], 3 * sizeof(double)) != 0)
            return wrong_number(a, "two nodes before this line, at different places, have the number", n->list[i].name);
    return true;
}

static bool open_set(struct abaqus *a, const char *name, bool surface)
{
    if (strlen(name) >= CAROM_MESH_NAME)
        return wrong(a, "a name has at most 31 letters, not", name);
    size_t *to = surface ? &a->surface : &a->set;
    *to = surface ? carom_draft_surface(a->d, name) : carom_draft_set(a->d, name);
    return *to != SIZE_MAX || carom_source_memory(a->s);
}

/* a keyword goes on in the next line where its own ends in a comma, and letters follow */
static void join_lines(struct abaqus *a)
{
    size_t length = strlen(a->line);
    while (length > 0 && a->line[length - 1] == ',') {
        const char *next = a->s->at;
        while (next < a->s->end && (*next == ' ' || *next == '\t'))
            next++;
        if (next == a->s->end || !isalpha((unsigned char)*next) ||
            !carom_source_line(a->s, a->line + length, sizeof a->line - length))
            return;
        length = strlen(a->line);
    }
}

static bool begin(struct abaqus *a)
{
    const char *name;
    if (a->given > 0)
        return wrong(a, "an element breaks off before", a->line);
    join_lines(a);
    split(a);
    snprintf(a->keyword, sizeof a->keyword, "%.60s", a->field[0] + 1);
    capitals(a->keyword);
    a->set = a->surface = SIZE_MAX;
    a->generate = false;
    const char *word,
        *wrongly = carom_inp_scope_enter(&a->scope, a->keyword, value_of(a, "NAME"), value_of(a, "PART"), &word);
    if (wrongly)
        return wrong(a, wrongly, word);
    static const char *const making[] = {"INCLUDE", "NGEN",   "NCOPY",  "NFILL",    "NMAP",
                                         "ELGEN",   "ELCOPY", "SYSTEM", "TRANSFORM"};
    for (size_t i = 0; i < sizeof making / sizeof *making; i++)
        if (strcmp(a->keyword, making[i]) == 0)
            return wrong(a, "nodes and elements are read as they are written out, not made by", a->keyword);
    if (strcmp(a->keyword, "NODE") == 0 && (name = value_of(a, "SYSTEM")) && strcasecmp(name, "R") != 0)
        return wrong(a, "nodes are read in rectangular coordinates, not SYSTEM=", name);
    if (strcmp(a->keyword, "ELEMENT") == 0) {
        if (!(name = value_of(a, "TYPE")))
            return wrong(a, "TYPE= is missing in", "*ELEMENT");
        if (!find_kind(a, name))
            return false;
        if (!sort_nodes(a))
            return false;
        return a->is_flat || !(name = value_of(a, "ELSET")) || open_set(a, name, false);
    }
    if (strcmp(a->keyword, "ELSET") == 0) {
        if (!(name = value_of(a, "ELSET")))
            return wrong(a, "ELSET= is missing in", "*ELSET");
        a->generate = value_of(a, "GENERATE") != NULL;
        return open_set(a, name, false);
    }
    if (strcmp(a->keyword, "SURFACE") == 0) {
        if (!(name = value_of(a, "NAME")))
            return wrong(a, "NAME= is missing in", "*SURFACE");
        const char *type = value_of(a, "TYPE");
        if (type && strcasecmp(type, "ELEMENT") != 0)
            a->keyword[0] = '\0'; /* surfaces of nodes have no faces */
        return a->keyword[0] == '\0' || open_set(a, name, true);
    }
    if (strcmp(a->keyword, "NODE") != 0 && strcmp(a->keyword, "INSTANCE") != 0)
        a->keyword[0] = '\0';
    return true;
}

/* --- data lines ------------------------------------------------------------------------------------------------ */

static bool read_node(struct abaqus *a)
{
    double place[3] = {0.0, 0.0, 0.0};
    uint64_t number = 0;
    if (a->fields < 2)
        return wrong(a, "a node has a number and coordinates, not", a->field[0]);
    if (!read_whole(a, a->field[0], &number))
        return false;
    for (size_t k = 0; k < 3 && k + 1 < a->fields; k++) {
        char word[64], *end;
        snprintf(word, sizeof word, "%s", a->field[k + 1]);
        for (end = word; *end != '\0'; end++)
            *end = *end == 'D' || *end == 'd' ? 'E' : *end; /* Fortran's doubles */
        place[k] = strtod(word, &end);
        if (*end != '\0' || strpbrk(word, "xX") || !(fabs(place[k]) < HUGE_VAL))
            return wrong(a, "a coordinate should stand here, not", a->field[k + 1]);
    }
    a->nodes_sorted = false;
    return (carom_source_names_add(&a->node, number, (uint32_t)a->d->nodes.count) &&
            carom_draft_add_node(a->d, place)) ||
           carom_source_memory(a->s);
}

static bool add_sheet(struct abaqus *a, const uint32_t *node)
{
    if (a->nsheet + 5 > a->sheet_room) {
        const size_t room = 2 * a->sheet_room + 1024;
        if (!carom_memory_widen(&a->sheet, a->sheet_room, room, sizeof *a->sheet))
            return carom_source_memory(a->s);
        a->sheet_room = room;
    }
    if (!carom_source_names_add(&a->flat, a->numbers[0], (uint32_t)a->nsheet))
        return carom_source_memory(a->s);
    a->sheet[a->nsheet++] = (uint32_t)a->nodes;
    for (size_t k = 0; k < a->nodes; k++)
        a->sheet[a->nsheet++] = node[k];
    return true;
}

static bool add_element(struct abaqus *a)
{
    uint32_t node[NODES];
    for (size_t k = 0; k < a->nodes; k++) {
        node[k] = carom_source_names_find(&a->node, a->numbers[k + 1]);
        if (node[k] == UINT32_MAX)
            return wrong_number(a, "there is no node", a->numbers[k + 1]);
    }
    a->given = 0;
    a->sorted = false;
    if (a->is_flat)
        return add_sheet(a, node);
    const uint32_t index = (uint32_t)a->d->cells.count;
    if (!carom_source_names_add(&a->element, a->numbers[0], index) ||
        !carom_draft_add_cell(a->d, a->kind, node, a->numbers[0], a->number))
        return carom_source_memory(a->s);
    return a->set == SIZE_MAX || carom_draft_add_member(a->d, a->set, index) || carom_source_memory(a->s);
}

/* its numbers may go on in the next line */
static bool read_element(struct abaqus *a)
{
    if (a->nodes == 0) {
        a->sorted = false;
        return read_whole(a, a->field[0], &a->numbers[0]) && add_sheet(a, NULL);
    }
    for (size_t i = 0; i < a->fields; i++) {
        if (a->field[i][0] == '\0' && i + 1 == a->fields)
            break;
        if (!read_whole(a, a->field[i], &a->numbers[a->given++]))
            return false;
        if (a->given == a->nodes + 1) {
            if (i + 2 < a->fields || (i + 2 == a->fields && a->field[i + 1][0] != '\0'))
                return wrong(a, "this element has too many nodes:", a->field[i + 1]);
            return add_element(a);
        }
    }
    return true;
}

static bool sort_elements(struct abaqus *a)
{
    if (a->sorted)
        return true;
    carom_source_names_sort(&a->flat);
    a->sorted = true;
    return carom_read_cells_once(a->s, a->d, &a->element);
}

/* the number of a set by its name; SIZE_MAX: there is none */
static size_t known_set(const struct abaqus *a, const char *name)
{
    size_t i = 0;
    while (i < a->d->sets.count && strcasecmp(a->d->set[i], name) != 0)
        i++;
    return i < a->d->sets.count ? i : SIZE_MAX;
}

static bool add_to_set(struct abaqus *a, size_t cell)
{
    if (a->d->members.count > 100 * a->d->cells.count + 10000)
        return wrong(a, "sets name their elements again and again, at the last", a->d->set[a->set]);
    return carom_draft_add_member(a->d, a->set, cell) || carom_source_memory(a->s);
}

/* a flat element gives the face it lies on the name of its set */
static bool add_flat(struct abaqus *a, size_t first)
{
    char name[CAROM_MESH_NAME];
    if (a->sheet[first] == 0)
        return true;
    memcpy(name, a->d->set[a->set], sizeof name);
    const size_t surface = carom_draft_surface(a->d, name);
    return (surface != SIZE_MAX &&
            carom_draft_add_panel(a->d, surface, a->sheet[first], a->sheet + first + 1, a->number)) ||
           carom_source_memory(a->s);
}

static bool add_number(struct abaqus *a, uint64_t number)
{
    const uint32_t cell = carom_source_names_find(&a->element, number);
    const uint32_t flat = carom_source_names_find(&a->flat, number);
    if (cell != UINT32_MAX)
        return add_to_set(a, cell);
    return flat != UINT32_MAX ? add_flat(a, flat) : wrong_number(a, "there is no element", number);
}

/* first, last and step */
static bool read_range(struct abaqus *a)
{
    uint64_t range[3] = {0, 0, 1};
    for (size_t k = 0; k < 3 && k < a->fields; k++)
        if (a->field[k][0] != '\0' && !read_whole(a, a->field[k], &range[k]))
            return false;
    if (range[2] == 0 || range[1] < range[0])
        return wrong(a, "first, last and a step of at least 1 should stand here, not", a->field[0]);
    for (uint64_t i = range[0]; i <= range[1]; i += range[2]) /* ends at the first that is not there */
        if (!add_number(a, i))
            return false;
    return true;
}

static bool read_set(struct abaqus *a)
{
    if (!sort_elements(a))
        return false;
    if (a->generate)
        return read_range(a);
    for (size_t i = 0; i < a->fields; i++) {
        uint64_t number = 0;
        if (a->field[i][0] == '\0')
            continue;
        if (isdigit((unsigned char)a->field[i][0])) {
            if (!read_whole(a, a->field[i], &number) || !add_number(a, number))
                return false;
            continue;
        }
        const size_t other = known_set(a, a->field[i]), count = a->d->members.count;
        if (other == SIZE_MAX || other == a->set)
            return wrong(a, other == a->set ? "a set does not name itself:" : "there is no element set", a->field[i]);
        for (size_t m = 0; m < count; m++)
            if (a->d->member[m].set == other && !add_to_set(a, a->d->member[m].cell))
                return false;
    }
    return true;
}

static bool add_panel(struct abaqus *a, size_t cell, size_t side)
{
    size_t end;
    const uint32_t *node;
    const size_t face = carom_draft_faces(a->d, cell, &end) + side;
    if (face >= end)
        return wrong(a, "an element has no such face:", a->field[1]);
    const size_t count = carom_draft_corners(a->d, face, &node);
    return carom_draft_add_panel(a->d, a->surface, count, node, a->number) || carom_source_memory(a->s);
}

static bool read_surface(struct abaqus *a)
{
    uint64_t number = 0;
    if (!sort_elements(a))
        return false;
    if (a->fields < 2 || toupper((unsigned char)a->field[1][0]) != 'S' || a->field[1][1] < '1' ||
        a->field[1][1] > '6' || a->field[1][2] != '\0')
        return wrong(a, "an element or a set and its face, such as S1, should stand here, not", a->line);
    const size_t side = (size_t)(a->field[1][1] - '1');
    if (isdigit((unsigned char)a->field[0][0])) {
        if (!read_whole(a, a->field[0], &number))
            return false;
        const uint32_t cell = carom_source_names_find(&a->element, number);
        return cell != UINT32_MAX ? add_panel(a, cell, side) : wrong(a, "there is no element", a->field[0]);
    }
    const size_t set = known_set(a, a->field[0]);
    if (set == SIZE_MAX)
        return wrong(a, "there is no element set", a->field[0]);
    for (size_t m = 0; m < a->d->members.count; m++)
        if (a->d->member[m].set == set && !add_panel(a, a->d->member[m].cell, side))
            return false;
    return true;
}

/* --- all of it ------------------------------------------------------------------------------------------------- */

/* an instance may say by how much it is shifted: by nothing */
static bool stays(struct abaqus *a)
{
    for (size_t i = 0; i < a->fields; i++) {
        char *end;
        if (strtod(a->field[i], &end) != 0.0 || *end != '\0' || a->fields > 3)
            return wrong(a, "an instance is read where its part stands, not moved by", a->field[i]);
    }
    return true;
}

static bool read_data(struct abaqus *a)
{
    split(a);
    if (strcmp(a->keyword, "NODE") == 0)
        return read_node(a);
    if (strcmp(a->keyword, "ELEMENT") == 0)
        return read_element(a);
    if (strcmp(a->keyword, "ELSET") == 0)
        return read_set(a);
    if (strcmp(a->keyword, "INSTANCE") == 0)
        return stays(a);
    return strcmp(a->keyword, "SURFACE") != 0 || read_surface(a);
}

static bool read_all(struct abaqus *a)
{
    a->set = a->surface = SIZE_MAX;
    for (a->number = a->s->line; carom_source_line(a->s, a->line, sizeof a->line); a->number = a->s->line) {
        if (strlen(a->line) + 1 == sizeof a->line)
            return wrong(a, "a line is longer than 4095 letters:", a->line);
        if (a->line[0] == '\0' || strncmp(a->line, "**", 2) == 0)
            continue;
        if (a->line[0] == '*' ? !begin(a) : !read_data(a))
            return false;
    }
    if (carom_inp_scope_open(&a->scope))
        return wrong(a, "the file breaks off: there is no *END of", carom_inp_scope_open(&a->scope));
    if (a->given > 0)
        return wrong(a, "the file breaks off in an element of", "*ELEMENT");
    return sort_nodes(a) && sort_elements(a); /* nodes may come again after the last element */
}

bool carom_read_inp(struct carom_source *s, struct carom_draft *d)
{
    struct abaqus *a = carom_memory_zeroed(1, sizeof *a);
    if (!a)
        return carom_error_set(s->error, CAROM_E_MEMORY, "out of memory for a mesh"), false;
    a->s = s;
    a->d = d;
    const bool good = read_all(a);
    carom_source_names_free(&a->node);
    carom_source_names_free(&a->element);
    carom_source_names_free(&a->flat);
    carom_memory_free_all(a->sheet, a);
    return good;
}
