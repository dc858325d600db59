/* A run for ParaView: a grid for every sample, as .vtu files with a .pvd that lists them or as one VTKHDF file. Beads
 * are vertices at their places, with radius, mass, and what was recorded of them; the mean force of its contacts where
 * forces were recorded. Radii and reference places come from the scene in the run file. Balls that strike a solid are
 * such vertices too. Cells of solids are made in export_cells.c, their cracks in export_cracks.c, discs and spheres in
 * export_bodies.c. */
#include "export.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "model/bodies/linkage.h"
#include "model/solid/strike/solid_balls.h"
#include "record/export/vtkhdf.h"

enum { FIELDS = 8 };

/* What is read for a sample and where it goes. */
struct picture {
    const struct carom_run_file *run;
    const struct carom_model *model;
    const char *group; /* of its items among the particles */
    size_t n, depth;   /* vertices, and numbers recorded of each: along x, or as many axes */
    const double *mass;
    const struct carom_run_item *u, *position, *v, *force;
    double *reference, *row; /* n x 3; the widest item */
    double *point, *displacement, *velocity, *contact, *radius;
    int64_t *number, *offset;
    uint8_t *type;
    struct carom_vtu grid;
    struct carom_vtu_field field[FIELDS];
};

static void add_field(struct picture *p, const char *name, size_t components, const double *real)
{
    p->field[p->grid.nfields++] = (struct carom_vtu_field){.name = name, .components = components, .real = real};
}

static bool make_room(struct picture *p)
{
    const size_t n = p->n, wide = p->depth * n, nc = p->model->nc;
    return carom_memory_together(CAROM_ROOM(p->reference, 3 * n), CAROM_ROOM(p->row, wide > nc ? wide : nc),
                                 CAROM_ROOM(p->point, 3 * n), CAROM_ROOM(p->displacement, 3 * n),
                                 CAROM_ROOM(p->velocity, 3 * n), CAROM_ROOM(p->contact, n), CAROM_ROOM(p->radius, n),
                                 CAROM_ROOM(p->number, n), CAROM_ROOM(p->offset, n), CAROM_ROOM(p->type, n));
}

/* An item of the vertices, if it was recorded and fits. */
static const struct carom_run_item *item_of(const struct picture *p, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "particles/%s/%s", p->group, name);
    const struct carom_run_item *item = carom_run_file_item(p->run, path);
    return item && item->width == p->n * p->depth ? item : NULL;
}

/* What is drawn: beads, or else the balls beside a solid. */
static void place_beads(struct picture *p, const struct carom_beads *beads)
{
    carom_model_positions(p->model, p->row);
    for (size_t i = 0; i < p->n; i++) {
        p->reference[3 * i] = p->row[i];
        p->radius[i] = beads->radius ? beads->radius[i] : 0.5;
    }
}

static void place_balls(struct picture *p, const struct carom_solid_balls *balls)
{
    memcpy(p->reference, *balls->at, 3 * p->n * sizeof(double));
    memcpy(p->radius, balls->radius, p->n * sizeof(double));
}

static struct picture picture_of(const struct carom_run_file *run, const struct carom_model *model)
{
    const struct carom_beads *beads = carom_model_chain(model);
    const struct carom_solid_balls *balls = carom_solid_balls_of(model, NULL);
    struct picture p = {.run = run, .model = model};
    if (beads) {
        p.group = "beads";
        p.n = beads->n;
        p.depth = 1;
        p.mass = beads->mass;
    } else if (balls) {
        p.group = "balls";
        p.n = balls->n;
        p.depth = (size_t)balls->dimension;
        p.mass = balls->mass;
    }
    return p;
}

static enum carom_status prepare(struct picture *p, struct carom_error *error)
{
    const struct carom_beads *beads = carom_model_chain(p->model);
    const struct carom_run_item *force = carom_run_file_item(p->run, "observables/contacts/force");
    const size_t n = p->n;
    p->u = item_of(p, "displacement");
    p->position = item_of(p, "position");
    p->v = item_of(p, "velocity");
    p->force = beads && force && force->width == p->model->nc ? force : NULL;
    if (!p->u && !p->position)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "the run has neither u nor position; add one of them to record: probes:");
    if (!make_room(p))
        return carom_memory_error(error);
    if (beads)
        place_beads(p, beads);
    else
        place_balls(p, carom_solid_balls_of(p->model, NULL));
    for (size_t i = 0; i < n; i++) {
        p->number[i] = (int64_t)i;
        p->offset[i] = (int64_t)i + 1;
        p->type[i] = CAROM_VTU_VERTEX;
    }
    p->grid = (struct carom_vtu){.npoints = n,
                                 .point = p->point,
                                 .ncells = n,
                                 .connectivity = p->number,
                                 .offset = p->offset,
                                 .type = p->type,
                                 .field = p->field};
    add_field(p, "radius", 1, p->radius);
    add_field(p, "mass", 1, p->mass);
    add_field(p, "displacement", 3, p->displacement);
    if (p->v)
        add_field(p, "velocity", 3, p->velocity);
    if (p->force)
        add_field(p, "force", 1, p->contact);
    return CAROM_OK;
}

/* half of each contact's force for either side: a bead reads the mean of its two */
static void spread_forces(struct picture *p)
{
    memset(p->contact, 0, p->n * sizeof(double));
    for (size_t j = 0; j < p->model->nc; j++)
        for (size_t side = 0; side < 2; side++)
            if (p->model->pair[j][side] >= 0)
                p->contact[p->model->pair[j][side]] += 0.5 * p->row[j];
}

/* numbers of a row as vectors */
static void spread(const struct picture *p, double *to)
{
    for (size_t i = 0; i < p->n; i++)
        memcpy(to + 3 * i, p->row + p->depth * i, p->depth * sizeof *to);
}

static enum carom_status read_sample(void *own, uint64_t i, struct carom_error *error)
{
    struct picture *p = own;
    enum carom_status status = carom_run_file_times(p->run, i, 1, &p->grid.time, error);
    if (status == CAROM_OK)
        status = carom_run_file_read(p->run, p->u ? p->u : p->position, i, 1, p->row, error);
    if (status == CAROM_OK)
        spread(p, p->u ? p->displacement : p->point);
    for (size_t k = 0; status == CAROM_OK && k < 3 * p->n; k++)
        if (p->u)
            p->point[k] = p->reference[k] + p->displacement[k];
        else
            p->displacement[k] = p->point[k] - p->reference[k];
    if (status == CAROM_OK && p->v)
        status = carom_run_file_read(p->run, p->v, i, 1, p->row, error);
    if (status == CAROM_OK && p->v)
        spread(p, p->velocity);
    if (status == CAROM_OK && p->force)
        status = carom_run_file_read(p->run, p->force, i, 1, p->row, error);
    if (status == CAROM_OK && p->force)
        spread_forces(p);
    return status;
}

/* --- where to --------------------------------------------------------------------------------------------------- */

static bool ends_in(const char *text, const char *end)
{
    return strlen(text) > strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

enum carom_status cli_export_prefix(const char *run, const char *to, char *prefix, size_t size,
                                    struct carom_error *error)
{
    struct stat about;
    char name[256];
    snprintf(name, sizeof name, "%.250s", carom_file_name(run, NULL));
    if (ends_in(name, ".h5"))
        name[strlen(name) - 3] = '\0';
    const bool slash = to && ends_in(to, "/"), folder = to && stat(to, &about) == 0 && S_ISDIR(about.st_mode);
    if (slash && !folder && mkdir(to, 0777) != 0)
        return carom_error_set(error, CAROM_E_FILE, "%s: the folder could not be made: %s", to, strerror(errno));
    int length = 0;
    if (!to)
        length = snprintf(prefix, size, "%s", name);
    else if (slash || folder)
        length = snprintf(prefix, size, "%s%s%s", to, slash ? "" : "/", name);
    else
        length = snprintf(prefix, size, "%.*s", (int)(strlen(to) - (ends_in(to, ".pvd") ? 4 : 0)), to);
    if (length < 0 || (size_t)length + 16 >= size)
        return carom_error_set(error, CAROM_E_FILE, "%s: the name is too long", to ? to : run);
    return CAROM_OK;
}

/* What is written: grids of all samples, and what they show. */
struct movie {
    const struct carom_run_file *run;
    const struct carom_vtu *grid;
    enum carom_status (*read)(void *own, uint64_t i, struct carom_error *error); /* sample i into the grid */
    void *own;
    const char *thing, *things; /* of one, of many; NULL: as many as each sample has */
    const char *suffix;         /* of the files' names */
};

/* --- writing ---------------------------------------------------------------------------------------------------- */

static enum carom_status write_files(const struct movie *p, const char *prefix, struct carom_error *error)
{
    char path[4096 + 32]; /* a prefix of the longest kind, with its number */
    const size_t count = (size_t)p->run->rows;
    double *times = carom_memory_zeroed(count, sizeof *times);
    enum carom_status status = times ? carom_run_file_times(p->run, 0, count, times, error) : carom_memory_error(error);
    snprintf(path, sizeof path, "%s.pvd", prefix);
    if (status == CAROM_OK)
        status = carom_vtu_may_replace(path, error);
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        snprintf(path, sizeof path, "%s_%06zu.vtu", prefix, i);
        status = p->read(p->own, i, error);
        if (status == CAROM_OK)
            status = carom_vtu_write(path, p->grid, error);
    }
    snprintf(path, sizeof path, "%s.pvd", prefix);
    if (status == CAROM_OK)
        status = carom_vtu_series(path, carom_file_name(prefix, NULL), "vtu", count, times, error);
    carom_memory_free(times);
    return status;
}

static enum carom_status write_single(const struct movie *p, const char *path, struct carom_error *error)
{
    struct carom_vtkhdf *to = carom_vtkhdf_create(path, p->grid, (size_t)p->run->rows, error);
    if (!to)
        return error->status;
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < p->run->rows && status == CAROM_OK; i++) {
        status = p->read(p->own, i, error);
        if (status == CAROM_OK)
            status = carom_vtkhdf_write(to, i, p->grid, error);
    }
    const enum carom_status closed = carom_vtkhdf_close(to, status == CAROM_OK, status == CAROM_OK ? error : NULL);
    return status == CAROM_OK ? closed : status;
}

#define SUFFIX 42 /* room for a name of 31 letters, and _cracks or _contacts */

static enum carom_status write_movie(const struct movie *p, const char *path, const char *to, bool single, bool quiet,
                                     struct carom_error *error)
{
    char prefix[4096 - 64 + SUFFIX], file[4096];
    enum carom_status status = cli_export_prefix(path, to, prefix, sizeof prefix - SUFFIX, error);
    if (status != CAROM_OK)
        return status;
    char *ending = strrchr(prefix, '.');
    if (*p->suffix && (ends_in(prefix, ".vtkhdf") || ends_in(prefix, ".hdf")))
        *ending = '\0';
    strcat(prefix, p->suffix);
    snprintf(file, sizeof file, "%s%s", prefix,
             !single                                                 ? ".pvd"
             : ends_in(prefix, ".vtkhdf") || ends_in(prefix, ".hdf") ? ""
                                                                     : ".vtkhdf");
    status = single ? write_single(p, file, error) : write_files(p, prefix, error);
    if (status == CAROM_OK && !quiet && p->things)
        printf("%s: %llu time%s of %zu %s\n", file, (unsigned long long)p->run->rows, cli_s(p->run->rows),
               p->grid->ncells, p->grid->ncells == 1 ? p->thing : p->things);
    else if (status == CAROM_OK && !quiet)
        printf("%s: %llu contact%s\n", file, (unsigned long long)p->run->touches.lines, cli_s(p->run->touches.lines));
    return status;
}

/* what has broken of it; there are more of them from sample to sample, so that VTKHDF has none */
static enum carom_status export_cracks(const struct carom_run_file *run, const struct carom_solid *solid, size_t before,
                                       struct cli_cells *cells, const char *body, const char *path, const char *to,
                                       bool quiet, struct carom_error *error)
{
    char suffix[SUFFIX];
    snprintf(suffix, sizeof suffix, "%s_cracks", body);
    struct cli_cracks *cracks = cli_cracks_create(run, solid, before, cells, error);
    if (!cracks)
        return error->status;
    const struct movie movie = {run,    cli_cracks_grid(cracks), cli_cracks_read,
                                cracks, cli_cracks_told(cracks), cli_cracks_told(cracks),
                                suffix};
    const enum carom_status status = write_movie(&movie, path, to, false, quiet, error);
    cli_cracks_free(cracks);
    return status;
}

/* a movie for each solid; of several their names tell them apart; so many links stand before its own */
static enum carom_status export_solid(const struct carom_run_file *run, const struct carom_solid *solid, bool several,
                                      size_t before, const char *path, const char *to, bool single, bool quiet,
                                      struct carom_error *error)
{
    char suffix[1 + sizeof solid->name] = "";
    if (several)
        snprintf(suffix, sizeof suffix, "_%s", solid->name);
    struct cli_cells *cells = cli_cells_create(run, solid, error);
    if (!cells)
        return error->status;
    const struct movie movie = {run, cli_cells_grid(cells), cli_cells_read, cells, "cell", "cells", suffix};
    enum carom_status status = write_movie(&movie, path, to, single, quiet, error);
    if (status == CAROM_OK && !single && cli_cracks_are_there(run, solid))
        status = export_cracks(run, solid, before, cells, suffix, path, to, quiet, error);
    cli_cells_free(cells);
    return status;
}

static enum carom_status export_run(const struct carom_run_file *run, const struct carom_model *model, const char *path,
                                    const char *to, bool single, bool quiet, struct carom_error *error)
{
    struct picture p = picture_of(run, model);
    const struct carom_solid *solid = carom_solid_of(model, NULL);
    if (p.n == 0 && !solid)
        return carom_error_set(
            error, CAROM_E_REFUSED,
            "%s: there are no bodies to draw in it: mechanisms have coordinates, and --csv writes those", path);
    if (run->rows == 0)
        return carom_error_set(error, CAROM_E_REFUSED, "%s: holds no samples", path);
    enum carom_status status = p.n > 0 ? prepare(&p, error) : CAROM_OK;
    size_t links = 0;
    for (size_t i = 0; status == CAROM_OK && i < carom_solid_count(model); i++) {
        const struct carom_solid *s = carom_solid_at(model, i);
        status = export_solid(run, s, carom_solid_count(model) > 1, links, path, to, single, quiet, error);
        links += s->breaks ? s->nlinks : 0;
    }
    if (status == CAROM_OK && p.n > 0) {
        const struct movie movie = {
            run, &p.grid, read_sample, &p, solid ? "ball" : "bead", p.group, solid ? "_balls" : ""};
        status = write_movie(&movie, path, to, single, quiet, error);
    }
    carom_memory_free(p.reference);
    return status;
}

/* Discs and spheres, and in files beside them their contacts, and walls with all that has corners. A VTKHDF file has
 * the same cells at all times, so that contacts do not go into one. */
static enum carom_status export_bodies(const struct carom_run_file *run, const struct carom_model *linkage,
                                       const char *path, const char *to, bool single, bool quiet,
                                       struct carom_error *error)
{
    if (run->rows == 0)
        return carom_error_set(error, CAROM_E_REFUSED, "%s: holds no samples", path);
    struct cli_bodies *bodies = cli_bodies_create(run, linkage, error);
    if (!bodies)
        return error->status;
    struct movie movie = {run, cli_bodies_grid(bodies), cli_bodies_read, bodies, "round body", "round bodies", ""};
    const bool cornered = movie.grid->ncells == 0; /* then they have the file for themselves */
    enum carom_status status = cornered ? CAROM_OK : write_movie(&movie, path, to, single, quiet, error);
    movie = (struct movie){run, cli_bodies_lines(bodies), cli_bodies_read_lines, bodies, NULL, NULL, "_contacts"};
    if (status == CAROM_OK && !single && run->touches.there)
        status = write_movie(&movie, path, to, single, quiet, error);
    struct cli_walls *walls =
        status == CAROM_OK ? cli_walls_create(cli_bodies_from(bodies), cli_bodies_of(bodies), error) : NULL;
    status = status == CAROM_OK && !walls ? error->status : status;
    if (status == CAROM_OK && cli_walls_grid(walls)->ncells > 0) {
        movie = (struct movie){run,
                               cli_walls_grid(walls),
                               cli_walls_read,
                               walls,
                               "piece of boxes and walls",
                               "pieces of boxes and walls",
                               cornered ? "" : "_walls"};
        status = write_movie(&movie, path, to, single, quiet, error);
    }
    cli_walls_free(walls);
    cli_bodies_free(bodies);
    return status;
}

enum carom_status cli_export_vtk(const char *path, const char *to, bool single, bool quiet, struct carom_error *error)
{
    struct carom_run_file *run = carom_run_file_open(path, error);
    if (!run)
        return error->status;
    if (run->listed) {
        const enum carom_status drawn = export_bodies(run, NULL, path, to, single, quiet, error);
        carom_run_file_close(run);
        return drawn;
    }
    const struct carom_scene_wish wish = {.unsettled = true};
    struct carom_scene *scene = carom_scene_read_as(path, NULL, 0, &wish, error);
    const enum carom_status status = !scene ? error->status
                                     : carom_linkage_of(scene->model)
                                         ? export_bodies(run, scene->model, path, to, single, quiet, error)
                                         : export_run(run, scene->model, path, to, single, quiet, error);
    carom_scene_free(scene);
    carom_run_file_close(run);
    return status;
}
