/* Cylinder shells, one cell thick: prisms over trapezoids, cut by planes through the axis. The interface between
 * neighbours on the perimeter is centred a little outside the line between their centres, which its arms know.
 * Cells are numbered around first, then along the axis. */
#include "base/memory.h"
#include "model/solid/solid.h"

#include "base/angle.h"

static const double pi = 3.14159265358979323846;

struct ring {
    size_t around, along;
    double radius, thickness, rise;  /* rise: height of a cell */
    double half;                     /* half the angle of a cell */
    double width, volume, end, side; /* width at the middle; areas of the ends and of the interfaces around */
};

static void direction(const struct ring *r, size_t a, double half_steps, double out[2])
{
    const double angle = 2.0 * r->half * ((double)a + 0.5 * half_steps);
    out[0] = carom_angle_cos(angle);
    out[1] = carom_angle_sin(angle);
}

/* the principal axes of a cell: radial, around, along */
static void make_sort(const struct ring *r, size_t a, unsigned ends, struct carom_solid_sort *sort)
{
    const double half_angle = r->half * (double)a; /* of the turn about z: half of 2 half a */
    *sort = (struct carom_solid_sort){.frame = {carom_angle_cos(half_angle), 0.0, 0.0, carom_angle_sin(half_angle)},
                                      .volume = r->volume,
                                      .edge = {r->thickness, r->width, r->rise},
                                      .form = (uint32_t)(4 * a + ends)};
    for (int k = 0; k < 3; k++) {
        const double p = sort->edge[(k + 1) % 3], q = sort->edge[(k + 2) % 3];
        sort->gyration[k] = (p * p + q * q) / 12.0;
    }
    sort->free = r->volume / 3.0; /* inside and outside: both pyramids have height t/2, their bases add up to 2 V / t */
    for (unsigned e = 0; e < 2; e++)
        if (ends >> e & 1U)
            sort->free += r->end * r->rise / 6.0;
}

/* R v v / D added to the six numbers of a symmetric matrix */
static void add_square(double *m, double moment, const double v[3])
{
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    for (int k = 0; k < 6; k++)
        m[k] += moment * v[row[k]] * v[column[k]];
}

/* the link from cell a to the next around; or backwards, from cell 0 to the last */
static void make_around(const struct ring *r, size_t a, bool back, struct carom_solid_cut *cut,
                        struct carom_solid_shape *shape)
{
    double here[2], there[2], between[2];
    direction(r, a, 0.0, here);
    direction(r, a, back ? -2.0 : 2.0, there);
    direction(r, a, back ? -1.0 : 1.0, between);
    const double out = r->radius / carom_angle_cos(r->half), long_side = r->thickness / carom_angle_cos(r->half);
    const double distance = 2.0 * r->radius * carom_angle_sin(r->half);
    *shape = (struct carom_solid_shape){.stiff = 0.0};
    *cut = (struct carom_solid_cut){.area = r->side, .share = 0.5};
    for (int k = 0; k < 2; k++) {
        shape->apart[k] = r->radius * (there[k] - here[k]);
        shape->arm[k] = out * between[k] - r->radius * here[k];
    }
    const double radial[3] = {between[0], between[1], 0.0}, axial[3] = {0.0, 0.0, 1.0};
    /* the moment about an axis of the interface counts the extent across it */
    add_square(cut->bend, long_side * r->rise * r->rise * r->rise / (12.0 * distance), radial);
    add_square(cut->bend, r->rise * long_side * long_side * long_side / (12.0 * distance), axial);
}

static void make_along(const struct ring *r, size_t a, struct carom_solid_cut *cut, struct carom_solid_shape *shape)
{
    double here[2];
    direction(r, a, 0.0, here);
    *shape = (struct carom_solid_shape){.apart = {0.0, 0.0, r->rise}, .arm = {0.0, 0.0, 0.5 * r->rise}};
    *cut = (struct carom_solid_cut){.area = r->end, .share = 0.5};
    const double radial[3] = {here[0], here[1], 0.0}, around[3] = {-here[1], here[0], 0.0};
    add_square(cut->bend, r->thickness * r->width * r->width * r->width / (12.0 * r->rise), radial);
    add_square(cut->bend, r->width * r->thickness * r->thickness * r->thickness / (12.0 * r->rise), around);
}

static void add_faces(struct carom_solid *s, const struct ring *r, size_t cell, size_t a, unsigned ends, size_t *next)
{
    double here[2];
    direction(r, a, 0.0, here);
    for (unsigned f = 0; f < 4; f++) {
        const bool wall = f < 2;
        if (!wall && !(ends >> (f - 2) & 1U))
            continue;
        const double sign = f % 2 == 0 ? -1.0 : 1.0;
        struct carom_solid_face *face = &s->face[(*next)++];
        const double wide =
            2.0 * (r->radius + sign * 0.5 * r->thickness) * (carom_angle_sin(r->half) / carom_angle_cos(r->half));
        const double area = wall ? wide * r->rise : r->end, reach = 0.5 * (wall ? r->thickness : r->rise);
        static const enum carom_solid_side side[4] = {CAROM_SOLID_INSIDE, CAROM_SOLID_OUTSIDE, CAROM_SOLID_BOTTOM,
                                                      CAROM_SOLID_TOP};
        *face = (struct carom_solid_face){
            .cell = (uint32_t)cell, .side = side[f], .area = area, .volume = area * reach / 3.0};
        face->normal[0] = wall ? sign * here[0] : 0.0;
        face->normal[1] = wall ? sign * here[1] : 0.0;
        face->normal[2] = wall ? 0.0 : sign;
        for (int k = 0; k < 3; k++)
            face->arm[k] = reach * face->normal[k];
    }
}

static enum carom_status measure(struct ring *r, size_t around, size_t along, double radius, double height,
                                 double thickness, struct carom_error *error)
{
    if (around < 3 || along < 1 || (double)around * (double)along > 1e8)
        return carom_error_set(
            error, CAROM_E_INPUT,
            "a cylinder needs at least 3 cells around and 1 along, at most 1e8 in all, got %zu x %zu", around, along);
    if (!(radius > 0.0) || !(height > 0.0) || !(thickness > 0.0) || !(thickness < 2.0 * radius) ||
        !(radius < HUGE_VAL) || !(height < HUGE_VAL))
        return carom_error_set(error, CAROM_E_INPUT,
                               "a cylinder needs positive radius, height and thickness, and a thickness below twice "
                               "the radius, got %g, %g and %g",
                               radius, height, thickness);
    *r = (struct ring){.around = around, .along = along, .radius = radius, .thickness = thickness};
    r->rise = height / (double)along;
    r->half = pi / (double)around;
    r->width = 2.0 * radius * (carom_angle_sin(r->half) / carom_angle_cos(r->half));
    r->end = r->width * thickness;
    r->volume = r->end * r->rise;
    r->side = r->rise * thickness / carom_angle_cos(r->half);
    return CAROM_OK;
}

static void fill(struct carom_solid *s, const struct ring *r, const double origin[3])
{
    size_t link = 0, face = 0;
    const uint32_t m = (uint32_t)r->around;
    for (size_t z = 0; z < r->along; z++)
        for (size_t a = 0; a < r->around; a++) {
            const size_t cell = z * r->around + a;
            const unsigned ends = (z == 0 ? 1U : 0U) | (z + 1 == r->along ? 2U : 0U);
            double here[2];
            direction(r, a, 0.0, here);
            for (int k = 0; k < 2; k++)
                s->centre[cell][k] = origin[k] + r->radius * here[k];
            s->centre[cell][2] = origin[2] + ((double)z + 0.5) * r->rise;
            s->sort[cell] = (uint32_t)(4 * a + ends);
            const uint32_t c = (uint32_t)cell, number = (uint32_t)a;
            if (a + 1 < r->around)
                s->link[link++] = (struct carom_solid_link){{c, c + 1}, number};
            if (a == 0)
                s->link[link++] = (struct carom_solid_link){{c, c + m - 1}, m - 1};
            if (z + 1 < r->along)
                s->link[link++] = (struct carom_solid_link){{c, c + m}, m + number};
            add_faces(s, r, cell, a, ends, &face);
        }
}

struct carom_solid *carom_solid_cylinder(size_t around, size_t along, double radius, double height, double thickness,
                                         const double origin[3], const struct carom_solid_material *material,
                                         struct carom_error *error)
{
    if (!origin || !material)
        return carom_error_missing(error), NULL;
    struct ring r = {0};
    if (carom_solid_mesh_check(material, error) != CAROM_OK ||
        measure(&r, around, along, radius, height, thickness, error) != CAROM_OK)
        return NULL;
    struct carom_solid *s =
        carom_solid_mesh_create(CAROM_SOLID_SPACE, around * along, around * along + around * (along - 1), 4 * around,
                                2 * around, 2 * around * along + 2 * around, error);
    if (!s)
        return NULL;
    s->material = carom_memory_zeroed(1, sizeof *s->material);
    s->nmaterials = 1;
    if (!s->material) {
        carom_solid_free(s);
        carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
        return NULL;
    }
    s->material[0] = *material;
    s->grid = (struct carom_solid_grid){.count = {around, 1, along},
                                        .origin = {origin[0], origin[1], origin[2]},
                                        .edge = {r.width, thickness, r.rise},
                                        .shell = true,
                                        .radius = radius,
                                        .thickness = thickness};
    for (size_t a = 0; a < around; a++) {
        for (unsigned ends = 0; ends < 4; ends++)
            make_sort(&r, a, ends, &s->sorts[4 * a + ends]);
        /* the last one closes the ring from cell 0 backwards, so that links rise */
        make_around(&r, a + 1 < around ? a : 0, a + 1 == around, &s->cut[a], &s->shape[a]);
        make_along(&r, a, &s->cut[around + a], &s->shape[around + a]);
        s->cut[a].form = (uint32_t)a;
        s->cut[around + a].form = (uint32_t)(around + a);
    }
    fill(s, &r, origin);
    if (carom_solid_mesh_ready(s, error) != CAROM_OK) {
        carom_solid_free(s);
        return NULL;
    }
    return s;
}
