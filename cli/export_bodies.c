/* Discs and spheres as vertices with number, radius, mass and what was recorded of them; export_walls.c draws walls.
 * Contacts are lines from centre to centre through the point of contact, to walls up to their surface, with force and
 * gap. */
#include "export.h"

#include <string.h>

#include "base/memory.h"
#include "carom/bodies.h"

enum { ITEMS = CLI_SOURCE_KINDS, WIDEST = 9 };

/* What the picture calls them, and how many numbers it has for each (0: as many as the run). */
static const struct {
    const char *name;
    size_t components;
} kinds[ITEMS] = {
    [CLI_SOURCE_DISPLACEMENT] = {"displacement", 3},
    [CLI_SOURCE_POSITION] = {NULL, 3},
    [CLI_SOURCE_VELOCITY] = {"velocity", 3},
    [CLI_SOURCE_ROTATION] = {"rotation", 0},
    [CLI_SOURCE_SPIN] = {"spin", 3},
    [CLI_SOURCE_STRESS] = {"stress", WIDEST},
};

struct cli_bodies {
    const struct carom_run_file *run;
    struct carom_run_bodies of;
    size_t n; /* balls */
    struct cli_source from;
    double *value[ITEMS], *row, *point, *radius, *mass;
    int64_t *number, *vertex, *end;
    uint8_t *type;
    struct carom_vtu grid, lines;
    struct carom_vtu_field field[ITEMS + 3], line_field[6];
    size_t room; /* for contacts */
    struct carom_touch *touch;
    double *line_point, *force, *normal_force, *gap, *dissipated;
    int64_t *line_vertex, *line_end, *pair;
    uint8_t *line_type;
};

/* --- making ------------------------------------------------------------------------------------------------------ */

static bool is_ball(const struct cli_bodies *b, size_t i)
{
    return b->of.shape[i] == CAROM_BALL && b->of.inside[i] == 0;
}

static size_t components(const struct cli_bodies *b, int kind)
{
    return kinds[kind].components > 0 ? kinds[kind].components : b->from.depth[kind];
}

static bool make_room(struct cli_bodies *b)
{
    bool good =
        carom_memory_together(CAROM_ROOM(b->row, WIDEST * b->of.n), CAROM_ROOM(b->point, 3 * b->n),
                              CAROM_ROOM(b->radius, b->n), CAROM_ROOM(b->mass, b->n), CAROM_ROOM(b->number, b->n),
                              CAROM_ROOM(b->vertex, b->n), CAROM_ROOM(b->end, b->n), CAROM_ROOM(b->type, b->n)) != NULL;
    for (int kind = 0; kind < ITEMS; kind++)
        if (b->from.depth[kind] > 0 || kind == CLI_SOURCE_DISPLACEMENT)
            good = good && (b->value[kind] = carom_memory_zeroed(b->n, WIDEST * sizeof(double))) != NULL;
    return good;
}

static void add_field(struct cli_bodies *b, const char *name, size_t wide, const double *real, const int64_t *whole)
{
    b->field[b->grid.nfields++] =
        (struct carom_vtu_field){.name = name, .components = wide, .real = real, .whole = whole};
}

static void prepare_grid(struct cli_bodies *b)
{
    for (size_t i = 0, at = 0; i < b->of.n; i++) {
        if (!is_ball(b, i))
            continue;
        b->radius[at] = b->of.radius[i];
        b->mass[at] = b->of.mass[i];
        b->number[at] = (int64_t)i + 1;
        b->vertex[at] = (int64_t)at;
        b->type[at] = CAROM_VTU_VERTEX;
        b->end[at] = (int64_t)at + 1;
        at++;
    }
    b->grid = (struct carom_vtu){.npoints = b->n,
                                 .point = b->point,
                                 .ncells = b->n,
                                 .connectivity = b->vertex,
                                 .offset = b->end,
                                 .type = b->type,
                                 .field = b->field};
    add_field(b, "body", 1, NULL, b->number);
    add_field(b, "radius", 1, b->radius, NULL);
    add_field(b, "mass", 1, b->mass, NULL);
    for (int kind = 0; kind < ITEMS; kind++)
        if (kinds[kind].name != NULL && b->value[kind] != NULL)
            add_field(b, kinds[kind].name, b->from.depth[kind] > 0 ? components(b, kind) : 3, b->value[kind], NULL);
}

struct cli_bodies *cli_bodies_create(const struct carom_run_file *run, const struct carom_model *linkage,
                                     struct carom_error *error)
{
    struct cli_bodies *b = carom_memory_zeroed(1, sizeof *b);
    if (b == NULL)
        return carom_memory_error(error), NULL;
    b->run = run;
    bool good = cli_source_open(&b->from, run, linkage, &b->of, error) == CAROM_OK;
    for (size_t i = 0; good && i < b->of.n; i++)
        b->n += is_ball(b, i);
    if (good && !(good = make_room(b)))
        carom_memory_error(error);
    if (good) {
        prepare_grid(b);
        return b;
    }
    cli_bodies_free(b);
    return NULL;
}

void cli_bodies_free(struct cli_bodies *b)
{
    if (b == NULL)
        return;
    carom_memory_free_all(b->row, b->touch);
    for (int kind = 0; kind < ITEMS; kind++)
        carom_memory_free(b->value[kind]);
    carom_run_bodies_free(&b->of);
    carom_memory_free(b);
}

/* --- bodies ------------------------------------------------------------------------------------------------------ */

const struct cli_source *cli_bodies_from(const struct cli_bodies *b)
{
    return &b->from;
}

const struct carom_run_bodies *cli_bodies_of(const struct cli_bodies *b)
{
    return &b->of;
}

const struct carom_vtu *cli_bodies_grid(const struct cli_bodies *b)
{
    return &b->grid;
}

/* the balls of an item; a spin of the plane is about z */
static void spread(struct cli_bodies *b, int kind)
{
    const size_t depth = b->from.depth[kind], wide = components(b, kind);
    for (size_t i = 0, at = 0; i < b->of.n; i++)
        if (is_ball(b, i)) {
            double *to = b->value[kind] + wide * at++;
            if (kind == CLI_SOURCE_STRESS) {
                carom_vtu_tensor(b->row + depth * i, to);
                continue;
            }
            memcpy(to + (depth == 1 && wide == 3 ? 2 : 0), b->row + depth * i,
                   (depth < wide ? depth : wide) * sizeof *to);
        }
}

enum carom_status cli_bodies_read(void *own, uint64_t i, struct carom_error *error)
{
    struct cli_bodies *b = own;
    enum carom_status status = carom_run_file_times(b->run, i, 1, &b->grid.time, error);
    for (int kind = 0; kind < ITEMS && status == CAROM_OK; kind++) {
        if (b->from.depth[kind] == 0)
            continue;
        status = cli_source_read(&b->from, (enum cli_source_kind)kind, i, b->row, error);
        if (status == CAROM_OK)
            spread(b, kind);
    }
    for (size_t j = 0; status == CAROM_OK && j < 3 * b->n; j++) {
        const double centre = b->of.centre[3 * (size_t)(b->number[j / 3] - 1) + j % 3];
        double *moved = &b->value[CLI_SOURCE_DISPLACEMENT][j];
        b->point[j] = b->from.depth[CLI_SOURCE_POSITION] > 0 ? b->value[CLI_SOURCE_POSITION][j] : centre + *moved;
        if (b->from.depth[CLI_SOURCE_DISPLACEMENT] == 0)
            *moved = b->point[j] - centre;
    }
    return status;
}

/* --- contacts ---------------------------------------------------------------------------------------------------- */

const struct carom_vtu *cli_bodies_lines(const struct cli_bodies *b)
{
    return &b->lines;
}

static bool reserve_lines(struct cli_bodies *b, size_t n)
{
    if (n <= b->room && b->touch != NULL)
        return true;
    const size_t room = b->room = n + n / 4 + 16;
    carom_memory_free(b->touch);
    b->touch = NULL;
    return carom_memory_together(CAROM_ROOM(b->touch, room), CAROM_ROOM(b->line_point, 6 * room),
                                 CAROM_ROOM(b->force, 3 * room), CAROM_ROOM(b->normal_force, room),
                                 CAROM_ROOM(b->gap, room), CAROM_ROOM(b->dissipated, room),
                                 CAROM_ROOM(b->line_vertex, 2 * room), CAROM_ROOM(b->line_end, room),
                                 CAROM_ROOM(b->pair, 2 * room), CAROM_ROOM(b->line_type, room));
}

static void draw_line(struct cli_bodies *b, size_t j)
{
    const struct carom_touch *touch = &b->touch[j];
    for (size_t side = 0; side < 2; side++) {
        const size_t body = (size_t)touch->pair[side] - 1;
        const double way = (side == 0 ? -1.0 : 1.0) * (is_ball(b, body) ? b->of.radius[body] : 0.0);
        for (size_t k = 0; k < 3; k++)
            b->line_point[6 * j + 3 * side + k] = touch->point[k] + way * touch->normal[k];
        b->line_vertex[2 * j + side] = (int64_t)(2 * j + side);
        b->pair[2 * j + side] = (int64_t)touch->pair[side];
    }
    memcpy(b->force + 3 * j, touch->force, sizeof touch->force);
    b->normal_force[j] = 0.0;
    for (size_t k = 0; k < 3; k++)
        b->normal_force[j] += touch->force[k] * touch->normal[k];
    b->gap[j] = touch->gap;
    b->dissipated[j] = touch->dissipated;
    b->line_end[j] = 2 * (int64_t)j + 2;
    b->line_type[j] = CAROM_VTU_LINE;
}

/* arrays move when they grow */
static void prepare_lines(struct cli_bodies *b, size_t n)
{
    const struct carom_vtu_field fields[] = {
        {.name = "pair", .on_cells = true, .components = 2, .whole = b->pair},
        {.name = "force", .on_cells = true, .components = 3, .real = b->force},
        {.name = "normal_force", .on_cells = true, .components = 1, .real = b->normal_force},
        {.name = "gap", .on_cells = true, .components = 1, .real = b->gap},
        {.name = "dissipated", .on_cells = true, .components = 1, .real = b->dissipated}};
    memcpy(b->line_field, fields, sizeof fields);
    b->lines = (struct carom_vtu){.npoints = 2 * n,
                                  .point = b->line_point,
                                  .ncells = n,
                                  .connectivity = b->line_vertex,
                                  .offset = b->line_end,
                                  .type = b->line_type,
                                  .nfields = sizeof fields / sizeof *fields,
                                  .field = b->line_field,
                                  .time = b->lines.time};
}

enum carom_status cli_bodies_read_lines(void *own, uint64_t i, struct carom_error *error)
{
    struct cli_bodies *b = own;
    uint64_t first, count;
    enum carom_status status = carom_run_file_touching(b->run, i, &first, &count, error);
    if (status == CAROM_OK)
        status = carom_run_file_times(b->run, i, 1, &b->lines.time, error);
    if (status == CAROM_OK && !reserve_lines(b, (size_t)count))
        return carom_memory_error(error);
    if (status == CAROM_OK)
        status = carom_run_file_touches(b->run, first, count, b->touch, error);
    for (size_t j = 0; status == CAROM_OK && j < count; j++) {
        const uint64_t *pair = b->touch[j].pair;
        if (pair[0] < 1 || pair[0] > b->of.n || pair[1] < 1 || pair[1] > b->of.n)
            return carom_error_set(error, CAROM_E_FILE, "a contact is between bodies %llu and %llu, and there are %zu",
                                   (unsigned long long)pair[0], (unsigned long long)pair[1], b->of.n);
        draw_line(b, j);
    }
    if (status == CAROM_OK)
        prepare_lines(b, (size_t)count);
    return status;
}
