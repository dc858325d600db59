/* Bodies of a run file, see run_bodies.h. */
#include "record/run_bodies.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/bodies/pieces.h"
#include "record/hdf5/hdf5_tree.h"

#define PATH 64

static const char *const shapes[] = {[CAROM_BALL] = "ball",
                                     [CAROM_PLANE] = "plane",
                                     [CAROM_BOX] = "box",
                                     [CAROM_CYLINDER] = "cylinder",
                                     [CAROM_CONVEX] = "convex",
                                     [CAROM_COMPOUND] = "compound",
                                     NULL};

/* names that begin with a slash are of numbers that no picture needs, and stand among the parameters */
static struct carom_hdf5_spec spec_of(const char *name, const char *unit, enum carom_hdf5_type type, size_t n,
                                      size_t width, char path[PATH])
{
    snprintf(path, PATH, "%s%s", *name == '/' ? "parameters/bodies" : "particles/bodies/", name);
    return (struct carom_hdf5_spec){.path = path,
                                    .unit = unit,
                                    .type = type,
                                    .names = shapes,
                                    .rank = width > 0 ? 2 : 1,
                                    .rows = n,
                                    .width = width,
                                    .exact = width > 0};
}

static void define(struct carom_hdf5_file *file, const char *name, const char *unit, enum carom_hdf5_type type,
                   size_t n, size_t width, const void *x)
{
    char path[PATH];
    const struct carom_hdf5_spec spec = spec_of(name, unit, type, n, width, path);
    const int set = carom_hdf5_set_define(file, &spec);
    if (set >= 0)
        carom_hdf5_set_write(file, set, 0, n, x, NULL);
}

static void define_box(struct carom_hdf5_file *file, const struct carom_bodies *b, bool si)
{
    const int32_t dimension = (int32_t)b->dimension;
    const char *boundary[3];
    double edge[3];
    int32_t joined[3];
    for (size_t k = 0; k < b->dimension; k++) {
        boundary[k] = b->periodic[k] ? "periodic" : "none";
        edge[k] = b->high[k] - b->low[k];
        joined[k] = b->periodic[k];
    }
    carom_hdf5_tree_group(file, "particles/bodies/box");
    carom_hdf5_tree_note_numbers(file, "particles/bodies/box", "dimension", &dimension, 1);
    carom_hdf5_tree_note_texts(file, "particles/bodies/box", "boundary", boundary, b->dimension);
    if (!b->bounded)
        return;
    define(file, "box/edges", si ? "m" : "1", CAROM_HDF5_REAL, b->dimension, 0, edge);
    define(file, "box/low", si ? "m" : "1", CAROM_HDF5_REAL, b->dimension, 0, b->low);
    define(file, "/periodic", "1", CAROM_HDF5_NUMBER, b->dimension, 0, joined);
}

/* Corners and triangles of what bodies look like, as they are counted and, where there is room, written. */
struct surfaces {
    size_t corners, triangles;
    double *corner;            /* in its body's own axes */
    int32_t *whose, *triangle; /* body of each corner; three corners, in the plane two, of which the last comes twice */
};

static void add_surface(const struct carom_convex *c, size_t body, struct surfaces *s)
{
    for (size_t f = 0; f < c->nfaces; f++) {
        const uint32_t *ring = c->ring + c->face[f].first, last = c->face[f].count - 1;
        for (uint32_t k = last > 1 ? 1 : 0; k < last; k++, s->triangles++)
            for (uint32_t of = 0; s->triangle && of < 3; of++)
                s->triangle[3 * s->triangles + of] = (int32_t)(s->corners + ring[of == 0             ? 0
                                                                                 : k + of - 1 < last ? k + of - 1
                                                                                                     : last]);
    }
    for (size_t k = 0; k < c->ncorners; k++, s->corners++) {
        if (s->corner)
            memcpy(s->corner + 3 * s->corners, c->corner[k], sizeof *c->corner);
        if (s->whose)
            s->whose[s->corners] = (int32_t)body;
    }
}

/* polygons, polyhedra and the parts of compounds */
static void gather_surfaces(const struct carom_bodies *b, struct surfaces *s)
{
    s->corners = s->triangles = 0;
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        if (body->surface == CAROM_CONVEX)
            add_surface(body->convex, i, s);
        for (size_t k = 0; body->pieces && k < body->pieces->n; k++)
            add_surface(body->pieces->shape[k], i, s);
    }
}

static bool define_surfaces(struct carom_hdf5_file *file, const struct carom_bodies *b, bool si)
{
    struct surfaces s = {0};
    gather_surfaces(b, &s);
    if (s.corners == 0)
        return true;
    s.corner = carom_memory_zeroed(s.corners, 3 * sizeof *s.corner);
    s.whose = carom_memory_zeroed(s.corners, sizeof *s.whose);
    s.triangle = carom_memory_zeroed(s.triangles, 3 * sizeof *s.triangle);
    const bool good = s.corner && s.whose && s.triangle;
    if (good) {
        gather_surfaces(b, &s);
        define(file, "/corner", si ? "m" : "1", CAROM_HDF5_REAL, s.corners, 3, s.corner);
        define(file, "/corner_body", "1", CAROM_HDF5_NUMBER, s.corners, 0, s.whose);
        define(file, "/triangle", "1", CAROM_HDF5_NUMBER, s.triangles, 3, s.triangle);
    }
    carom_memory_free_all(s.corner, s.whose, s.triangle);
    return good;
}

bool carom_run_bodies_define(struct carom_hdf5_file *file, const struct carom_bodies *b, bool si)
{
    static const struct {
        const char *name, *unit;
        size_t width, offset;
    } real[] = {{"centre", "m", 3, offsetof(struct carom_body, at)},
                {"radius", "m", 0, offsetof(struct carom_body, radius)},
                {"mass", "kg", 0, offsetof(struct carom_body, mass)},
                {"inertia", "kg m^2", 0, offsetof(struct carom_body, inertia)},
                {"/volume", "m^3", 0, offsetof(struct carom_body, volume)},
                {"/depth", "m", 0, offsetof(struct carom_body, depth)},
                {"size", "m", 3, offsetof(struct carom_body, size)},
                {"normal", "1", 3, offsetof(struct carom_body, normal)},
                {"turn", "1", 4, offsetof(struct carom_body, frame)}};
    static const char *const whole[] = {"shape", "material", "inside"};
    double *x = carom_memory_zeroed(b->n, 4 * sizeof *x); /* a column of either kind */
    if (x == NULL)
        return false;
    define_box(file, b, si);
    for (size_t c = 0; c < sizeof real / sizeof *real; c++) {
        const size_t n = real[c].width > 0 ? real[c].width : 1;
        for (size_t i = 0; i < b->n; i++)
            memcpy(x + n * i, (const char *)&b->body[i] + real[c].offset, n * sizeof *x);
        define(file, real[c].name, si ? real[c].unit : "1", CAROM_HDF5_REAL, b->n, real[c].width, x);
    }
    for (size_t c = 0; c < sizeof whole / sizeof *whole; c++) {
        int32_t *number = (int32_t *)x;
        for (size_t i = 0; i < b->n; i++) {
            const struct carom_body *body = &b->body[i];
            number[i] = (int32_t)(c == 0 ? (uint32_t)body->surface : c == 1 ? body->material : (uint32_t)body->inside);
        }
        define(file, whole[c], "1", c == 0 ? CAROM_HDF5_CHOICE : CAROM_HDF5_NUMBER, b->n, 0, number);
    }
    carom_memory_free(x);
    return define_surfaces(file, b, si);
}

/* --- reading --------------------------------------------------------------------------------------------------- */

/* names that begin with a slash may be missing: early files have no volumes */
static bool read_column(struct carom_hdf5_file *file, const char *name, enum carom_hdf5_type type, size_t n,
                        size_t width, void **to, struct carom_error *error)
{
    char path[PATH];
    struct carom_hdf5_spec spec = spec_of(name, "1", type, n, width, path);
    const size_t size = type == CAROM_HDF5_REAL ? sizeof(double) : sizeof(int32_t);
    const bool needed = *name != '/';
    const int set = carom_hdf5_set_find(file, &spec, needed ? error : NULL);
    if (set < 0)
        return !needed;
    if (spec.rows != n)
        return carom_error_set(error, CAROM_E_FILE, "%s: %s is not of %zu bodies", carom_hdf5_file_path(file), path, n),
               false;
    *to = carom_memory_zeroed(n, size * (width > 0 ? width : 1));
    if (*to == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %zu bodies", n), false;
    return carom_hdf5_set_read(file, set, 0, n, *to, error) == CAROM_OK;
}

/* rows of a dataset that may be missing, as many as it has */
static bool read_rows(struct carom_hdf5_file *file, const char *name, enum carom_hdf5_type type, size_t width,
                      void **to, size_t *rows, struct carom_error *error)
{
    char path[PATH];
    struct carom_hdf5_spec spec = spec_of(name, "1", type, 0, width, path);
    if (carom_hdf5_set_find(file, &spec, NULL) < 0)
        return true;
    *rows = (size_t)spec.rows;
    return read_column(file, name, type, *rows, width, to, error) && *to;
}

static bool read_convex(struct carom_hdf5_file *file, struct carom_run_bodies *b, struct carom_error *error)
{
    size_t named = 0;
    bool good = read_rows(file, "/corner", CAROM_HDF5_REAL, 3, (void **)&b->corner, &b->ncorners, error) &&
                read_rows(file, "/corner_body", CAROM_HDF5_NUMBER, 0, (void **)&b->corner_body, &named, error) &&
                read_rows(file, "/triangle", CAROM_HDF5_NUMBER, 3, (void **)&b->triangle, &b->ntriangles, error);
    if (!good)
        return false;
    good = named == b->ncorners;
    for (size_t i = 0; good && i < named; i++)
        good = b->corner_body[i] >= 0 && (size_t)b->corner_body[i] < b->n;
    for (size_t i = 0; good && i < 3 * b->ntriangles; i++)
        good = b->triangle[i] >= 0 && (size_t)b->triangle[i] < b->ncorners;
    if (!good)
        carom_error_set(error, CAROM_E_FILE, "%s: the corners of its bodies do not fit together",
                        carom_hdf5_file_path(file));
    return good;
}

enum carom_status carom_run_bodies_read(struct carom_hdf5_file *file, struct carom_run_bodies *b,
                                        struct carom_error *error)
{
    char path[PATH];
    struct carom_hdf5_spec radius = spec_of("radius", "1", CAROM_HDF5_REAL, 0, 0, path);
    *b = (struct carom_run_bodies){0};
    bool good = carom_hdf5_set_find(file, &radius, error) >= 0;
    const size_t n = good ? (size_t)radius.rows : 0;
    const struct {
        const char *name;
        enum carom_hdf5_type type;
        size_t width;
        void **to;
    } column[] = {
        {"radius", CAROM_HDF5_REAL, 0, (void **)&b->radius},  {"mass", CAROM_HDF5_REAL, 0, (void **)&b->mass},
        {"/volume", CAROM_HDF5_REAL, 0, (void **)&b->volume}, {"/depth", CAROM_HDF5_REAL, 0, (void **)&b->depth},
        {"centre", CAROM_HDF5_REAL, 3, (void **)&b->centre},  {"size", CAROM_HDF5_REAL, 3, (void **)&b->size},
        {"normal", CAROM_HDF5_REAL, 3, (void **)&b->normal},  {"turn", CAROM_HDF5_REAL, 4, (void **)&b->turn},
        {"shape", CAROM_HDF5_CHOICE, 0, (void **)&b->shape},  {"material", CAROM_HDF5_NUMBER, 0, (void **)&b->material},
        {"inside", CAROM_HDF5_NUMBER, 0, (void **)&b->inside}};
    b->n = n;
    for (size_t c = 0; c < sizeof column / sizeof *column && good; c++)
        good = read_column(file, column[c].name, column[c].type, n, column[c].width, column[c].to, error);
    for (size_t i = 0; good && i < n; i++)
        if (b->shape[i] < 0 || b->shape[i] > CAROM_COMPOUND) {
            carom_error_set(error, CAROM_E_FILE, "%s: body %zu has a shape that is not known",
                            carom_hdf5_file_path(file), i + 1);
            good = false;
        }
    if (good && read_convex(file, b, error))
        return CAROM_OK;
    carom_run_bodies_free(b);
    return error != NULL ? error->status : CAROM_E_FILE;
}

/* what body i looks like */
static void note_body(const struct carom_body *body, size_t i, struct carom_run_bodies *b)
{
    b->radius[i] = body->radius;
    b->mass[i] = body->mass;
    memcpy(b->centre + 3 * i, body->at, sizeof body->at);
    memcpy(b->size + 3 * i, body->size, sizeof body->size);
    memcpy(b->normal + 3 * i, body->normal, sizeof body->normal);
    memcpy(b->turn + 4 * i, body->frame, sizeof body->frame);
    b->shape[i] = (int32_t)body->surface;
    b->material[i] = (int32_t)body->material;
    b->inside[i] = body->inside;
}

enum carom_status carom_run_bodies_of(const struct carom_bodies *of, struct carom_run_bodies *b,
                                      struct carom_error *error)
{
    const size_t n = of->n;
    struct surfaces s = {0};
    gather_surfaces(of, &s);
    *b = (struct carom_run_bodies){.n = n,
                                   .radius = carom_memory_zeroed(n, sizeof(double)),
                                   .mass = carom_memory_zeroed(n, sizeof(double)),
                                   .centre = carom_memory_zeroed(n, 3 * sizeof(double)),
                                   .size = carom_memory_zeroed(n, 3 * sizeof(double)),
                                   .normal = carom_memory_zeroed(n, 3 * sizeof(double)),
                                   .turn = carom_memory_zeroed(n, 4 * sizeof(double)),
                                   .shape = carom_memory_zeroed(n, sizeof(int32_t)),
                                   .material = carom_memory_zeroed(n, sizeof(int32_t)),
                                   .inside = carom_memory_zeroed(n, sizeof(int32_t)),
                                   .ncorners = s.corners,
                                   .ntriangles = s.triangles,
                                   .corner = carom_memory_zeroed(s.corners, 3 * sizeof(double)),
                                   .corner_body = carom_memory_zeroed(s.corners, sizeof(int32_t)),
                                   .triangle = carom_memory_zeroed(s.triangles, 3 * sizeof(int32_t))};
    if (!b->radius || !b->mass || !b->centre || !b->size || !b->normal || !b->turn || !b->shape || !b->material ||
        !b->inside || !b->corner || !b->corner_body || !b->triangle) {
        carom_run_bodies_free(b);
        return carom_memory_error(error);
    }
    s = (struct surfaces){.corner = b->corner, .whose = b->corner_body, .triangle = b->triangle};
    gather_surfaces(of, &s);
    for (size_t i = 0; i < n; i++)
        note_body(&of->body[i], i, b);
    return CAROM_OK;
}

bool carom_run_bodies_domain(struct carom_hdf5_file *file, size_t dimension, double low[3], double high[3],
                             bool periodic[3])
{
    char path[PATH];
    double edge[3];
    int32_t joined[3];
    const struct {
        const char *name;
        enum carom_hdf5_type type;
        void *to;
    } column[] = {{"box/low", CAROM_HDF5_REAL, low},
                  {"box/edges", CAROM_HDF5_REAL, edge},
                  {"/periodic", CAROM_HDF5_NUMBER, joined}};
    for (size_t c = 0; c < 3; c++) {
        struct carom_hdf5_spec spec = spec_of(column[c].name, "1", column[c].type, 0, 0, path);
        const int set = carom_hdf5_set_find(file, &spec, NULL);
        if (set < 0 || spec.rows != dimension ||
            carom_hdf5_set_read(file, set, 0, dimension, column[c].to, NULL) != CAROM_OK)
            return false;
    }
    for (size_t k = 0; k < dimension; k++) {
        high[k] = low[k] + edge[k];
        periodic[k] = joined[k] != 0;
    }
    return true;
}

void carom_run_bodies_free(struct carom_run_bodies *b)
{
    carom_memory_free_all(b->corner, b->corner_body, b->triangle, b->radius, b->mass, b->volume, b->depth, b->centre,
                          b->size, b->normal, b->turn, b->shape, b->inside, b->material);
    *b = (struct carom_run_bodies){0};
}
