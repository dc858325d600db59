/* VTK's legacy files in ASCII: unstructured grids of tetrahedra, pyramids, prisms (wedges), hexahedra, voxels and
 * polyhedra, in the layout of versions up to 4 and of 5.1. Which way faces look is found out, as files disagree about
 * it. Data on points and cells are passed over. */
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "mesh/read.h"

enum { TETRAHEDRON = 10, VOXEL = 11, HEXAHEDRON = 12, WEDGE = 13, PYRAMID = 14, POLYHEDRON = 42, MOST = 4000 };

/* --- cells ----------------------------------------------------------------------------------------------------- */

/* faces of a polyhedron: how many, then each with its number of nodes */
static bool add_polyhedron(struct carom_source *s, struct carom_draft *d, size_t count, const uint64_t *node,
                           size_t number, size_t line)
{
    size_t at = 1;
    if (count < 1 || !carom_draft_open_cell(d, number, line))
        return count < 1 ? carom_source_wrong(s, "polyhedron %zu has no faces", number) : carom_source_memory(s);
    for (uint64_t f = 0; f < node[0]; f++) {
        uint32_t own[MOST];
        const uint64_t corners = at < count ? node[at++] : 0;
        if (corners < 3 || corners > MOST || corners > count - at)
            return carom_source_wrong(s, "the faces of polyhedron %zu do not fit its list", number);
        for (size_t k = 0; k < corners; k++)
            own[k] = (uint32_t)node[at++];
        if (!carom_draft_add_face(d, (size_t)corners, own))
            return carom_source_memory(s);
    }
    return at == count || carom_source_wrong(s, "the faces of polyhedron %zu do not fit its list", number);
}

/* which numbers of a list are nodes, and whether those are there */
static bool check_nodes(struct carom_source *s, const struct carom_draft *d, bool polyhedron, size_t count,
                        const uint64_t *node, size_t number)
{
    uint64_t left = polyhedron ? 0 : count;
    for (size_t i = polyhedron ? 1 : 0; i < count; i++) {
        if (left == 0) { /* how many nodes the next face has */
            left = node[i];
            continue;
        }
        left--;
        if (d->nodes.count == 0)
            return carom_source_wrong(s, "there are cells, but no points");
        if (node[i] >= d->nodes.count)
            return carom_source_wrong(s, "cell %zu has node %llu, and they count from 0 to %zu", number,
                                      (unsigned long long)node[i], d->nodes.count - 1);
    }
    return true;
}

bool carom_read_vtk_cell(struct carom_source *s, struct carom_draft *d, uint64_t type, size_t count,
                         const uint64_t *node, size_t number, size_t line)
{
    static const struct {
        uint64_t type;
        enum carom_draft_kind kind;
    } known[] = {{TETRAHEDRON, CAROM_DRAFT_TETRAHEDRON},
                 {VOXEL, CAROM_DRAFT_HEXAHEDRON},
                 {HEXAHEDRON, CAROM_DRAFT_HEXAHEDRON},
                 {WEDGE, CAROM_DRAFT_PRISM},
                 {PYRAMID, CAROM_DRAFT_PYRAMID}};
    static const size_t voxel[8] = {0, 1, 3, 2, 4, 5, 7, 6};
    if (type < TETRAHEDRON && type > 0)
        return true; /* vertices, lines, triangles */
    if (!check_nodes(s, d, type == POLYHEDRON, count, node, number))
        return false;
    if (type == POLYHEDRON)
        return add_polyhedron(s, d, count, node, number, line);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t own[8];
        if (known[i].type != type)
            continue;
        if (count != carom_draft_nodes[known[i].kind])
            return carom_source_wrong(s, "cell %zu of type %llu has %zu nodes instead of %zu", number,
                                      (unsigned long long)type, count, carom_draft_nodes[known[i].kind]);
        for (size_t k = 0; k < count; k++)
            own[k] = (uint32_t)node[type == VOXEL ? voxel[k] : k];
        return carom_draft_add_cell(d, known[i].kind, own, number, line) || carom_source_memory(s);
    }
    return carom_source_wrong(s,
                              "cell %zu is of type %llu: tetrahedra (10), voxels (11), hexahedra (12), wedges (13), "
                              "pyramids (14) and polyhedra (42) are known",
                              number, (unsigned long long)type);
}

/* --- the file -------------------------------------------------------------------------------------------------- */

struct grid {
    struct carom_source *s;
    struct carom_draft *d;
    size_t ncells, nnumbers;
    uint64_t *number, *first, *line; /* the numbers of all cells, where each begins (ncells + 1), its line */
};

static bool take(struct grid *g, uint64_t cells, uint64_t numbers)
{
    if (g->first)
        return carom_source_wrong(g->s, "CELLS stands there twice");
    if (cells > (uint64_t)(g->s->end - g->s->at) || numbers > (uint64_t)(g->s->end - g->s->at))
        return carom_source_wrong(g->s, "the file is too short for %llu cells of %llu numbers",
                                  (unsigned long long)cells, (unsigned long long)numbers);
    g->ncells = (size_t)cells;
    g->nnumbers = (size_t)numbers;
    return carom_memory_together(CAROM_ROOM(g->number, g->nnumbers), CAROM_ROOM(g->first, g->ncells + 1),
                                 CAROM_ROOM(g->line, g->ncells)) ||
           carom_source_memory(g->s);
}

/* versions up to 4: every cell opens with how many numbers it has */
static bool read_cells_old(struct grid *g, uint64_t cells, uint64_t size)
{
    size_t used = 0;
    if (size < cells)
        return carom_source_wrong(g->s, "%llu cells need more than %llu numbers", (unsigned long long)cells,
                                  (unsigned long long)size);
    if (!take(g, cells, size - cells))
        return false;
    for (size_t i = 0; i < g->ncells; i++) {
        uint64_t count;
        if (!carom_source_count(g->s, "how many numbers a cell has", &count))
            return false;
        g->line[i] = g->s->line;
        if (count > g->nnumbers - used)
            return carom_source_wrong(g->s, "cell %zu has more numbers than CELLS said", i);
        for (uint64_t k = 0; k < count; k++)
            if (!carom_source_count(g->s, "a node of a cell", &g->number[used++]))
                return false;
        g->first[i + 1] = used;
    }
    return true;
}

static bool read_cells_new(struct grid *g, uint64_t offsets, uint64_t numbers)
{
    char word[32];
    if (offsets == 0)
        return carom_source_wrong(g->s, "there are no OFFSETS");
    if (!take(g, offsets - 1, numbers) || !carom_source_word(g->s, "the type of offsets", word, sizeof word))
        return false;
    for (size_t i = 0; i <= g->ncells; i++) {
        if (!carom_source_count(g->s, "an offset", &g->first[i]))
            return false;
        if (g->first[i] > g->nnumbers || (i > 0 && g->first[i] < g->first[i - 1]))
            return carom_source_wrong(g->s, "offsets rise from 0 to %zu", g->nnumbers);
    }
    if (!carom_source_word(g->s, "CONNECTIVITY", word, sizeof word) ||
        !carom_source_word(g->s, "the type of nodes", word, sizeof word))
        return false;
    for (size_t i = 0; i < g->nnumbers; i++)
        if (!carom_source_count(g->s, "a node of a cell", &g->number[i]))
            return false;
    return true;
}

static bool read_cells(struct grid *g)
{
    uint64_t cells, size;
    char word[32];
    if (!carom_source_count(g->s, "the number of cells", &cells) ||
        !carom_source_count(g->s, "how many numbers cells have", &size))
        return false;
    const struct carom_source before = *g->s;
    if (!carom_source_word(g->s, "a cell", word, sizeof word))
        return false;
    if (strcasecmp(word, "OFFSETS") == 0)
        return read_cells_new(g, cells, size);
    *g->s = before;
    return read_cells_old(g, cells, size);
}

/* all are read alike, as they are written out */
static bool known_type(const struct grid *g, const char *word)
{
    static const char *const types[] = {"float",         "double",         "int",          "long",
                                        "short",         "char",           "vtkIdType",    "unsigned_int",
                                        "unsigned_long", "unsigned_short", "unsigned_char"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcasecmp(word, types[i]) == 0)
            return true;
    return carom_source_wrong(g->s, "the type of points, such as double, should stand here, not '%.30s'", word);
}

static bool read_points(struct grid *g)
{
    uint64_t count;
    char word[32];
    if (!carom_source_count(g->s, "the number of points", &count) ||
        !carom_source_word(g->s, "the type of points", word, sizeof word) || !known_type(g, word))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        double place[3];
        for (int k = 0; k < 3; k++)
            if (!carom_source_real(g->s, "a coordinate", &place[k]))
                return false;
        if (!carom_draft_add_node(g->d, place))
            return carom_source_memory(g->s);
    }
    return true;
}

static bool read_types(struct grid *g)
{
    uint64_t count, type;
    if (!g->first || !carom_source_count(g->s, "the number of types", &count))
        return g->first ? false : carom_source_wrong(g->s, "CELL_TYPES come after CELLS");
    if (count != g->ncells)
        return carom_source_wrong(g->s, "there are %llu types and %zu cells", (unsigned long long)count, g->ncells);
    for (size_t i = 0; i < g->ncells; i++)
        if (!carom_source_count(g->s, "the type of a cell", &type) ||
            !carom_read_vtk_cell(g->s, g->d, type, (size_t)(g->first[i + 1] - g->first[i]), g->number + g->first[i], i,
                                 (size_t)g->line[i]))
            return false;
    return true;
}

static bool read_grid(struct grid *g)
{
    char word[64];
    while (!carom_source_done(g->s)) {
        if (!carom_source_word(g->s, "a section", word, sizeof word))
            return false;
        if (strcasecmp(word, "POINTS") == 0 ? !read_points(g) : strcasecmp(word, "CELLS") == 0 ? !read_cells(g) : false)
            return false;
        if (strcasecmp(word, "CELL_TYPES") == 0)
            return read_types(g); /* data come after it */
    }
    return carom_source_wrong(g->s, "the file breaks off before CELL_TYPES");
}

bool carom_read_vtk(struct carom_source *s, struct carom_draft *d)
{
    char line[512], word[64];
    struct grid g = {.s = s, .d = d};
    d->loose = true;
    if (!carom_source_line(s, line, sizeof line) || strncmp(line, "# vtk DataFile", 14) != 0) {
        s->line = 1;
        return carom_source_wrong(s, "a file of VTK begins with '# vtk DataFile Version'");
    }
    if (!carom_source_line(s, line, sizeof line) || !carom_source_word(s, "ASCII", word, sizeof word))
        return carom_source_wrong(s, "the file breaks off in its head");
    if (strcasecmp(word, "ASCII") != 0)
        return carom_source_wrong(s, "ASCII should stand here, not '%.40s': save the file as ASCII", word);
    if (!carom_source_word(s, "DATASET", word, sizeof word) ||
        !carom_source_word(s, "UNSTRUCTURED_GRID", word, sizeof word))
        return false;
    if (strcasecmp(word, "UNSTRUCTURED_GRID") != 0)
        return carom_source_wrong(s, "an UNSTRUCTURED_GRID is read, not '%.40s'", word);
    const bool good = read_grid(&g);
    carom_memory_free(g.number);
    return good;
}
