/* Gmsh's files, versions 2.2 and 4.1 in ASCII: nodes, tetrahedra, pyramids, prisms and hexahedra of the first order.
 * Physical volumes become sets, physical surfaces name faces; those without a name are called by their number. Other
 * sections are passed over. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/read.h"

enum { PHYSICALS = 1024, TAGS = 64, NODES = 8 };

/* what a physical group is called, by dimension and number */
struct physical {
    uint64_t dimension, tag;
    char name[CAROM_MESH_NAME];
};

/* the physical groups of an entity of 4.1 */
struct entity {
    uint64_t dimension, tag, physical;
};

struct gmsh {
    struct carom_source *s;
    struct carom_draft *d;
    bool modern; /* 4.1 */
    size_t nphysicals, nentities, entity_room;
    struct physical *physical; /* PHYSICALS */
    struct entity *entity;
    struct carom_source_names node, cell;
    bool known; /* is the group of the last element? */
    struct physical last;
    size_t group;
    uint64_t given; /* nodes or elements of the blocks so far */
};

/* --- names ----------------------------------------------------------------------------------------------------- */

static bool read_names(struct gmsh *g)
{
    uint64_t count;
    if (!carom_source_count(g->s, "the number of physical names", &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        struct physical p;
        char line[256];
        if (!carom_source_count(g->s, "the dimension of a physical name", &p.dimension) ||
            !carom_source_count(g->s, "the number of a physical name", &p.tag) || carom_source_done(g->s) ||
            !carom_source_line(g->s, line, sizeof line))
            return g->s->error->status != CAROM_OK ? false : carom_source_wrong(g->s, "the file breaks off in a name");
        if (g->nphysicals == PHYSICALS)
            return carom_source_wrong(g->s, "more than %d physical names", PHYSICALS);
        const size_t length = strlen(line);
        if (length < 3 || line[0] != '"' || line[length - 1] != '"')
            return carom_source_wrong(g->s, "a physical name stands in quotes, not %.40s", line);
        if (length - 2 >= sizeof p.name)
            return carom_source_wrong(g->s, "the name %.40s... is longer than %d letters", line, CAROM_MESH_NAME - 1);
        memset(p.name, 0, sizeof p.name);
        memcpy(p.name, line + 1, length - 2);
        g->physical[g->nphysicals++] = p;
    }
    return true;
}

static void name_of(const struct gmsh *g, uint64_t dimension, uint64_t tag, char name[CAROM_MESH_NAME])
{
    snprintf(name, CAROM_MESH_NAME, "%llu", (unsigned long long)tag);
    for (size_t i = 0; i < g->nphysicals; i++)
        if (g->physical[i].dimension == dimension && g->physical[i].tag == tag)
            memcpy(name, g->physical[i].name, CAROM_MESH_NAME);
}

static bool add_entity(struct gmsh *g, uint64_t dimension, uint64_t tag, uint64_t physical)
{
    if (!carom_memory_room(&g->entity, g->nentities, &g->entity_room, 64, sizeof *g->entity))
        return carom_source_memory(g->s);
    g->entity[g->nentities++] = (struct entity){dimension, tag, physical};
    return true;
}

/* points have a place, all others a box; numbers of groups and of what bounds them may be negative */
static bool read_entities(struct gmsh *g)
{
    uint64_t count[4], tag, some;
    double number;
    for (int k = 0; k < 4; k++)
        if (!carom_source_count(g->s, "a number of entities", &count[k]))
            return false;
    for (uint64_t dimension = 0; dimension < 4; dimension++)
        for (uint64_t i = 0; i < count[dimension]; i++) {
            if (!carom_source_count(g->s, "an entity", &tag))
                return false;
            for (int k = 0; k < (dimension == 0 ? 3 : 6); k++)
                if (!carom_source_real(g->s, "a coordinate of an entity", &number))
                    return false;
            if (!carom_source_count(g->s, "how many physical groups an entity has", &some))
                return false;
            for (uint64_t k = 0; k < some; k++) {
                if (!carom_source_real(g->s, "a physical group", &number))
                    return false;
                const double group = number < 0.0 ? -number : number; /* turned round */
                if (!(group < 9e15))
                    return carom_source_wrong(g->s, "%g is not the number of a physical group", number);
                if (!add_entity(g, dimension, tag, (uint64_t)group))
                    return false;
            }
            if (dimension == 0)
                continue;
            if (!carom_source_count(g->s, "how many entities bound another", &some))
                return false;
            for (uint64_t k = 0; k < some; k++)
                if (!carom_source_real(g->s, "a bounding entity", &number))
                    return false;
        }
    return true;
}

/* --- nodes ----------------------------------------------------------------------------------------------------- */

static bool read_place(struct gmsh *g, size_t skipped)
{
    double place[3], other;
    for (int k = 0; k < 3; k++)
        if (!carom_source_real(g->s, "a coordinate of a node", &place[k]))
            return false;
    for (size_t k = 0; k < skipped; k++)
        if (!carom_source_real(g->s, "a parameter of a node", &other))
            return false;
    return carom_draft_add_node(g->d, place) || carom_source_memory(g->s);
}

static bool read_nodes_old(struct gmsh *g)
{
    uint64_t count, name;
    if (!carom_source_count(g->s, "the number of nodes", &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        if (!carom_source_count(g->s, "the number of a node", &name) || !read_place(g, 0))
            return false;
        if (!carom_source_names_add(&g->node, name, (uint32_t)(g->d->nodes.count - 1)))
            return carom_source_memory(g->s);
    }
    return true;
}

static bool read_block(struct gmsh *g)
{
    uint64_t dimension, entity, parametric, count;
    if (!carom_source_count(g->s, "a dimension", &dimension) || !carom_source_count(g->s, "an entity", &entity) ||
        !carom_source_count(g->s, "0 or 1", &parametric) || !carom_source_count(g->s, "the number of nodes", &count))
        return false;
    if (dimension > 3)
        return carom_source_wrong(g->s, "a dimension is 0 to 3, not %llu", (unsigned long long)dimension);
    const size_t first = g->d->nodes.count;
    g->given += count;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t name;
        if (!carom_source_count(g->s, "the number of a node", &name))
            return false;
        if (!carom_source_names_add(&g->node, name, (uint32_t)(first + i)))
            return carom_source_memory(g->s);
    }
    for (uint64_t i = 0; i < count; i++)
        if (!read_place(g, parametric != 0 ? (size_t)dimension : 0))
            return false;
    return true;
}

/* nodes or elements: how many blocks, how many in all, two numbers that nobody needs, and the blocks */
static bool read_blocks(struct gmsh *g, const char *what, bool (*read)(struct gmsh *g))
{
    uint64_t blocks, all, other;
    char number[32];
    snprintf(number, sizeof number, "a number of %s", what);
    if (!carom_source_count(g->s, "the number of blocks", &blocks) || !carom_source_count(g->s, number, &all) ||
        !carom_source_count(g->s, number, &other) || !carom_source_count(g->s, number, &other))
        return false;
    g->given = 0;
    for (uint64_t i = 0; i < blocks; i++)
        if (!read(g))
            return false;
    return g->given == all || carom_source_wrong(g->s, "there should be %llu %s before this line, and there are %llu",
                                                 (unsigned long long)all, what, (unsigned long long)g->given);
}

static bool read_nodes(struct gmsh *g)
{
    return g->modern ? read_blocks(g, "nodes", read_block) : read_nodes_old(g);
}

/* --- elements -------------------------------------------------------------------------------------------------- */

/* nodes of Gmsh's types of the first order and what they are: a cell, or 2, 1, 0 for what has that dimension */
static bool find_type(const struct gmsh *g, uint64_t type, size_t *count, int *dimension, enum carom_draft_kind *kind)
{
    static const struct {
        uint64_t type;
        size_t count;
        int dimension;
        enum carom_draft_kind kind;
    } known[] = {{15, 1, 0, CAROM_DRAFT_KINDS}, {1, 2, 1, CAROM_DRAFT_KINDS},       {2, 3, 2, CAROM_DRAFT_KINDS},
                 {3, 4, 2, CAROM_DRAFT_KINDS},  {4, 4, 3, CAROM_DRAFT_TETRAHEDRON}, {5, 8, 3, CAROM_DRAFT_HEXAHEDRON},
                 {6, 6, 3, CAROM_DRAFT_PRISM},  {7, 5, 3, CAROM_DRAFT_PYRAMID}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].type == type) {
            *count = known[i].count;
            *dimension = known[i].dimension;
            *kind = known[i].kind;
            return true;
        }
    return carom_source_wrong(g->s,
                              "elements of type %llu are not known: tetrahedra (4), hexahedra (5), prisms (6) and "
                              "pyramids (7) of the first order are",
                              (unsigned long long)type);
}

/* the set or surface of a physical group, or SIZE_MAX: none is meant; elements come in runs of one group */
static bool find_group(struct gmsh *g, int dimension, uint64_t tag, size_t *group)
{
    *group = SIZE_MAX;
    if (tag == 0 || dimension < 2)
        return true;
    if (g->known && g->last.dimension == (uint64_t)dimension && g->last.tag == tag) {
        *group = g->group;
        return true;
    }
    name_of(g, (uint64_t)dimension, tag, g->last.name);
    g->last.dimension = (uint64_t)dimension;
    g->last.tag = tag;
    *group = g->group = dimension == 3 ? carom_draft_set(g->d, g->last.name) : carom_draft_surface(g->d, g->last.name);
    g->known = *group != SIZE_MAX;
    return g->known || carom_source_memory(g->s);
}

static bool join(struct gmsh *g, int dimension, size_t group, size_t count, const uint32_t *node, size_t line)
{
    if (group == SIZE_MAX)
        return true;
    return (dimension == 3 ? carom_draft_add_member(g->d, group, g->d->cells.count - 1)
                           : carom_draft_add_panel(g->d, group, count, node, line)) ||
           carom_source_memory(g->s);
}

/* the nodes of an element and what it is; *dimension tells */
static bool read_element(struct gmsh *g, uint64_t type, uint64_t number, size_t line, int *dimension, size_t *count,
                         uint32_t node[NODES])
{
    enum carom_draft_kind kind = CAROM_DRAFT_KINDS;
    if (!find_type(g, type, count, dimension, &kind))
        return false;
    for (size_t k = 0; k < *count; k++) {
        uint64_t name;
        if (!carom_source_count(g->s, "a node of an element", &name))
            return false;
        node[k] = carom_source_names_find(&g->node, name);
        if (node[k] == UINT32_MAX)
            return carom_source_wrong(g->s, "element %llu has node %llu, which does not exist",
                                      (unsigned long long)number, (unsigned long long)name);
    }
    return *dimension < 3 ||
           (carom_source_names_add(&g->cell, number, (uint32_t)g->d->cells.count) &&
            carom_draft_add_cell(g->d, kind, node, number, line)) ||
           carom_source_memory(g->s);
}

static bool read_elements_old(struct gmsh *g)
{
    uint64_t count, number, type, tags, tag[TAGS];
    if (!carom_source_count(g->s, "the number of elements", &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t node[NODES];
        size_t nodes, group;
        int dimension;
        if (!carom_source_count(g->s, "the number of an element", &number))
            return false;
        const size_t line = g->s->line;
        if (!carom_source_count(g->s, "the type of an element", &type) ||
            !carom_source_count(g->s, "how many tags it has", &tags))
            return false;
        if (tags > TAGS)
            return carom_source_wrong(g->s, "element %llu has more than %d tags", (unsigned long long)number, TAGS);
        for (uint64_t k = 0; k < tags; k++)
            if (!carom_source_count(g->s, "a tag", &tag[k]))
                return false;
        if (!read_element(g, type, number, line, &dimension, &nodes, node) ||
            !find_group(g, dimension, tags > 0 ? tag[0] : 0, &group) || !join(g, dimension, group, nodes, node, line))
            return false;
    }
    return true;
}

static bool read_elements_block(struct gmsh *g)
{
    uint64_t dimension, entity, type, count, number;
    size_t group[TAGS], groups = 0;
    if (!carom_source_count(g->s, "a dimension", &dimension) || !carom_source_count(g->s, "an entity", &entity) ||
        !carom_source_count(g->s, "the type of elements", &type) ||
        !carom_source_count(g->s, "the number of elements", &count))
        return false;
    if (dimension > 3)
        return carom_source_wrong(g->s, "a dimension is 0 to 3, not %llu", (unsigned long long)dimension);
    g->given += count;
    for (size_t k = 0; k < g->nentities && groups < TAGS; k++)
        if (g->entity[k].dimension == dimension && g->entity[k].tag == entity) {
            if (!find_group(g, (int)dimension, g->entity[k].physical, &group[groups++]))
                return false;
        }
    for (uint64_t i = 0; i < count; i++) {
        uint32_t node[NODES];
        size_t nodes;
        int is;
        if (!carom_source_count(g->s, "the number of an element", &number))
            return false;
        const size_t line = g->s->line;
        if (!read_element(g, type, number, line, &is, &nodes, node))
            return false;
        for (size_t k = 0; k < groups && is == (int)dimension; k++)
            if (!join(g, is, group[k], nodes, node, line))
                return false;
    }
    return true;
}

static bool check_nodes(struct gmsh *g)
{
    const struct carom_source_names *n = &g->node;
    carom_source_names_sort(&g->node);
    const size_t twice = carom_source_names_twice(n, 1);
    return twice == n->count || carom_source_wrong(g->s, "two nodes before this line have the number %llu",
                                                   (unsigned long long)n->list[twice].name);
}

static bool read_list(struct gmsh *g)
{
    return g->modern ? read_blocks(g, "elements", read_elements_block) : read_elements_old(g);
}

static bool read_elements(struct gmsh *g)
{
    return check_nodes(g) && read_list(g) && carom_read_cells_once(g->s, g->d, &g->cell);
}

/* --- sections -------------------------------------------------------------------------------------------------- */

static bool read_format(struct gmsh *g)
{
    char version[32];
    uint64_t binary, size;
    if (!carom_source_word(g->s, "the version", version, sizeof version) ||
        !carom_source_count(g->s, "0 for ASCII", &binary) || !carom_source_count(g->s, "the size of numbers", &size))
        return false;
    g->modern = strcmp(version, "4.1") == 0;
    if (!g->modern && strcmp(version, "2.2") != 0 && strcmp(version, "2.1") != 0 && strcmp(version, "2") != 0)
        return carom_source_wrong(g->s, "version %.20s of Gmsh's files is not known: save it as 4.1 or 2.2", version);
    return binary == 0 || carom_source_wrong(g->s, "it is binary: save it as ASCII (Mesh.Binary = 0)");
}

static bool read_section(struct gmsh *g, const char *name)
{
    static const struct {
        const char *name;
        bool (*read)(struct gmsh *g);
    } known[] = {{"$MeshFormat", read_format},
                 {"$PhysicalNames", read_names},
                 {"$Entities", read_entities},
                 {"$Nodes", read_nodes},
                 {"$Elements", read_elements}};
    char word[64], end[80];
    snprintf(end, sizeof end, "$End%s", name + 1);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) {
            if (!known[i].read(g) || !carom_source_word(g->s, end, word, sizeof word))
                return false;
            return strcmp(word, end) == 0 || carom_source_wrong(g->s, "%s should stand here, not '%.40s'", end, word);
        }
    do {
        if (!carom_source_word(g->s, end, word, sizeof word))
            return false;
    } while (strcmp(word, end) != 0);
    return true;
}

static bool read_all(struct gmsh *g)
{
    char word[64];
    if (!carom_source_word(g->s, "$MeshFormat", word, sizeof word))
        return false;
    if (strcmp(word, "$MeshFormat") != 0)
        return carom_source_wrong(g->s, "a file of Gmsh begins with $MeshFormat, not with '%.40s'", word);
    bool good = read_section(g, word);
    while (good && !carom_source_done(g->s)) {
        good = carom_source_word(g->s, "a section", word, sizeof word);
        if (good && word[0] != '$')
            good = carom_source_wrong(g->s, "a section should begin here, not '%.40s'", word);
        good = good && read_section(g, word);
    }
    return good;
}

bool carom_read_msh(struct carom_source *s, struct carom_draft *d)
{
    struct gmsh g = {.s = s, .d = d};
    g.physical = carom_memory_zeroed(PHYSICALS, sizeof *g.physical);
    const bool good = g.physical ? read_all(&g) : carom_source_memory(g.s);
    carom_memory_free_all(g.physical, g.entity);
    carom_source_names_free(&g.node);
    carom_source_names_free(&g.cell);
    return good;
}
