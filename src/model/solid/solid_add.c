/* What is put onto a body: loads, holds, named sets, sensors. Each copies what it is given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "model/solid/solid.h"
#include "model/solid/solid_cells.h"

static const double pi = 3.14159265358979323846;

static enum carom_status no_memory(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
}

static void *copy(const void *from, size_t count, size_t size)
{
    void *to = carom_memory_zeroed(count, size);
    if (to && count > 0)
        memcpy(to, from, count * size);
    return to;
}

/* a signal's table is copied */
static bool copy_signal(struct carom_signal *signal)
{
    if (signal->shape != CAROM_SHAPE_TABLE) {
        signal->time = signal->height = NULL;
        return true;
    }
    double *time = copy(signal->time, signal->count, sizeof *time);
    double *height = copy(signal->height, signal->count, sizeof *height);
    signal->time = time;
    signal->height = height;
    if (time && height)
        return true;
    carom_memory_free_all(time, height);
    signal->time = signal->height = NULL;
    return false;
}

static enum carom_status check(size_t count, const uint32_t *at, size_t most, const char *what,
                               struct carom_error *error)
{
    if (count == 0)
        return carom_error_set(error, CAROM_E_INPUT, "no %s is selected", what);
    for (size_t i = 0; i < count; i++)
        if (at[i] >= most)
            return carom_error_set(error, CAROM_E_INPUT, "there is no %s %u, they count from 0 to %zu", what,
                                   (unsigned)at[i], most - 1);
    return CAROM_OK;
}

static void free_load(struct carom_solid_load *load)
{
    carom_memory_free_all(load->at, (void *)(uintptr_t)load->signal.time, (void *)(uintptr_t)load->signal.height);
    *load = (struct carom_solid_load){.count = 0};
}

static int compare_entries(const void *a, const void *b)
{
    const struct carom_solid_entry *x = a, *y = b;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    if (x->load != y->load)
        return x->load < y->load ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* lists where the newest load acts */
static bool list_entries(struct carom_solid *s, const struct carom_solid_load *load, bool faces)
{
    if (!carom_memory_widen(&s->entry, s->nentries, s->nentries + load->count, sizeof *s->entry))
        return false;
    for (size_t i = 0; i < load->count; i++) {
        const uint32_t cell = faces ? s->face[load->at[i]].cell : load->at[i];
        s->entry[s->nentries + i] = (struct carom_solid_entry){cell, (uint32_t)s->nloads, (uint32_t)i};
    }
    s->nentries += load->count;
    qsort(s->entry, s->nentries, sizeof *s->entry, compare_entries);
    return true;
}

enum carom_status carom_solid_add_load(struct carom_solid *s, const struct carom_solid_load *load,
                                       struct carom_error *error)
{
    if (!s || !load)
        return carom_error_missing(error);
    const bool faces = load->push == CAROM_SOLID_TRACTION || load->push == CAROM_SOLID_PRESSURE;
    if (check(load->count, load->at, faces ? s->nfaces : s->n, faces ? "face" : "cell", error) != CAROM_OK)
        return error ? error->status : CAROM_E_INPUT;
    if (!carom_memory_widen(&s->load, s->nloads, s->nloads + 1, sizeof *s->load))
        return no_memory(error);
    struct carom_solid_load *to = &s->load[s->nloads];
    *to = *load;
    to->at = copy(load->at, load->count, sizeof *to->at);
    to->total = 0.0;
    if (!to->at || !copy_signal(&to->signal)) {
        carom_memory_free(to->at);
        *to = (struct carom_solid_load){.count = 0};
        return no_memory(error);
    }
    if (!list_entries(s, to, faces)) {
        free_load(to);
        return no_memory(error);
    }
    for (size_t i = 0; i < to->count; i++)
        to->total += faces ? s->face[to->at[i]].area : carom_solid_sort_of(s, to->at[i])->volume;
    s->nloads++;
    return CAROM_OK;
}

void carom_solid_add_nothing(struct carom_solid *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->nloads; i++)
        free_load(&s->load[i]);
    s->nloads = s->nentries = 0;
}

/* A cell cannot be moved along an axis in two ways; standing still twice is one way. */
static enum carom_status check_ways(const struct carom_solid *s, const struct carom_solid_hold *hold,
                                    struct carom_error *error)
{
    for (size_t h = 0; h < s->nholds; h++) {
        const struct carom_solid_hold *other = &s->hold[h];
        unsigned clash = 0;
        for (unsigned k = 0; k < 3; k++) {
            const bool moves = (hold->driven && hold->vector[k] != 0.0) || (other->driven && other->vector[k] != 0.0) ||
                               hold->angle != 0.0 || other->angle != 0.0;
            clash |= moves ? hold->mask & other->mask & 1U << k : 0U;
        }
        size_t next = 0; /* both lists rise */
        for (size_t i = 0; clash != 0 && i < hold->count; i++) {
            while (next < other->count && other->cell[next] < hold->cell[i])
                next++;
            if (next < other->count && other->cell[next] == hold->cell[i])
                return carom_error_set(
                    error, CAROM_E_INPUT, "cell %u, at (%g, %g, %g), is %s along %c already, and cannot be %s there",
                    (unsigned)hold->cell[i], s->centre[hold->cell[i]][0], s->centre[hold->cell[i]][1],
                    s->centre[hold->cell[i]][2], other->driven ? "driven" : "clamped",
                    clash & 1U   ? 'x'
                    : clash & 2U ? 'y'
                                 : 'z',
                    hold->driven ? "driven" : "clamped");
        }
    }
    return CAROM_OK;
}

enum carom_status carom_solid_add_hold(struct carom_solid *s, const struct carom_solid_hold *hold,
                                       struct carom_error *error)
{
    if (!s || !hold)
        return carom_error_missing(error);
    if (check(hold->count, hold->cell, s->n, "cell", error) != CAROM_OK)
        return error ? error->status : CAROM_E_INPUT;
    if (check_ways(s, hold, error) != CAROM_OK)
        return error ? error->status : CAROM_E_INPUT;
    if (!s->held && !(s->held = carom_memory_zeroed(s->n, sizeof *s->held)))
        return no_memory(error);
    if (!carom_memory_widen(&s->hold, s->nholds, s->nholds + 1, sizeof *s->hold))
        return no_memory(error);
    struct carom_solid_hold *to = &s->hold[s->nholds];
    *to = *hold;
    to->cell = copy(hold->cell, hold->count, sizeof *to->cell);
    if (!to->cell || !copy_signal(&to->signal)) {
        carom_memory_free(to->cell);
        *to = (struct carom_solid_hold){.count = 0};
        return no_memory(error);
    }
    for (size_t i = 0; i < to->count; i++)
        s->held[to->cell[i]] |= (uint8_t)to->mask;
    s->nholds++;
    return CAROM_OK;
}

enum carom_status carom_solid_add_set(struct carom_solid *s, const char *name, size_t count, const uint32_t *cell,
                                      struct carom_error *error)
{
    if (!s || !name)
        return carom_error_missing(error);
    if (check(count, cell, s->n, "cell", error) != CAROM_OK)
        return error ? error->status : CAROM_E_INPUT;
    if (strlen(name) >= sizeof s->set->name)
        return carom_error_set(error, CAROM_E_INPUT, "the name %.40s... is too long", name);
    if (!carom_memory_widen(&s->set, s->nsets, s->nsets + 1, sizeof *s->set))
        return no_memory(error);
    struct carom_solid_set *to = &s->set[s->nsets];
    snprintf(to->name, sizeof to->name, "%s", name);
    to->count = count;
    to->cell = copy(cell, count, sizeof *cell);
    if (!to->cell)
        return no_memory(error);
    s->nsets++;
    return CAROM_OK;
}

/* three neighbouring cells (fewer if there are fewer) along one axis and their Lagrange weights at `place` */
static size_t stencil(size_t count, double place, size_t cell[3], double weight[3])
{
    const size_t points = count < 3 ? count : 3;
    double first = floor(place - 0.5 * (double)(points - 1) + (points == 2 ? 0.0 : 0.5));
    if (points == 2)
        first = 0.0;
    first = fmin(fmax(first, 0.0), (double)(count - points));
    for (size_t i = 0; i < points; i++) {
        cell[i] = (size_t)first + i;
        weight[i] = 1.0;
        for (size_t j = 0; j < points; j++)
            if (j != i)
                weight[i] *= (place - (first + (double)j)) / ((double)i - (double)j);
    }
    return points;
}

/* cells around a point of a lattice: quadratic along each axis, also beyond the outermost centres */
static void place_on_grid(const struct carom_solid *s, struct carom_solid_sensor *sensor)
{
    size_t cell[3][3], points[3];
    double weight[3][3];
    for (int k = 0; k < 3; k++) {
        const double at = k < s->dimension ? (sensor->place[k] - s->grid.origin[k]) / s->grid.edge[k] - 0.5 : 0.0;
        points[k] = stencil(s->grid.count[k], at, cell[k], weight[k]);
    }
    sensor->count = 0;
    for (size_t z = 0; z < points[2]; z++)
        for (size_t y = 0; y < points[1]; y++)
            for (size_t x = 0; x < points[0]; x++) {
                const size_t i = sensor->count++;
                sensor->cell[i] =
                    (uint32_t)(cell[0][x] + s->grid.count[0] * (cell[1][y] + s->grid.count[1] * cell[2][z]));
                sensor->weight[i] = weight[0][x] * weight[1][y] * weight[2][z];
                for (int k = 0; k < s->dimension; k++)
                    if (points[k] == 1)
                        sensor->arm[i][k] = sensor->place[k] - s->centre[sensor->cell[i]][k];
            }
}

/* Cells around a point of a shell: quadratic around and along. Around, their weighed centre is not quite the point, and
 * it is the way from there to the point that turns with the cells: so rigid motions come out exact. */
static void place_on_shell(const struct carom_solid *s, struct carom_solid_sensor *sensor)
{
    const struct carom_solid_grid *g = &s->grid;
    size_t level[3];
    double up[3], rest[3] = {sensor->place[0], sensor->place[1], sensor->place[2]};
    const size_t levels = stencil(g->count[2], (sensor->place[2] - g->origin[2]) / g->edge[2] - 0.5, level, up);
    const double turn =
        carom_angle_atan2(sensor->place[1] - g->origin[1], sensor->place[0] - g->origin[0]) / (2.0 * pi);
    const double at = (double)g->count[0] * (turn < 0.0 ? turn + 1.0 : turn);
    const double nearest = floor(at + 0.5), off = at - nearest;
    const double about[3] = {0.5 * off * (off - 1.0), (1.0 - off) * (1.0 + off), 0.5 * off * (off + 1.0)};
    sensor->count = 0;
    for (size_t z = 0; z < levels; z++)
        for (size_t a = 0; a < 3; a++) {
            const size_t i = sensor->count++;
            const size_t number = ((size_t)nearest + g->count[0] + a - 1) % g->count[0];
            sensor->cell[i] = (uint32_t)(number + g->count[0] * level[z]);
            sensor->weight[i] = about[a] * up[z];
            for (int k = 0; k < 3; k++)
                rest[k] -= sensor->weight[i] * s->centre[sensor->cell[i]][k];
        }
    for (size_t i = 0; i < sensor->count; i++)
        memcpy(sensor->arm[i], rest, sizeof rest);
}

/* on a shell, or between the circle and the flat faces of its cells */
static enum carom_status check_shell(const struct carom_solid *s, const struct carom_solid_sensor *sensor,
                                     struct carom_error *error)
{
    const struct carom_solid_grid *g = &s->grid;
    const double x = sensor->place[0] - g->origin[0], y = sensor->place[1] - g->origin[1];
    const double height = g->edge[2] * (double)g->count[2], up = sensor->place[2] - g->origin[2];
    const double corner = sqrt(g->radius * g->radius + 0.25 * g->edge[0] * g->edge[0]) - g->radius;
    if (!(fabs(sqrt(x * x + y * y) - g->radius) <= 0.5 * g->thickness + corner + 1e-9 * g->radius))
        return carom_error_set(
            error, CAROM_E_INPUT, "sensor %s stands %g from the axis, outside the wall, which goes from %g to %g",
            sensor->name, sqrt(x * x + y * y), g->radius - 0.5 * g->thickness, g->radius + 0.5 * g->thickness);
    if (!(up >= -1e-9 * height && up <= height * (1.0 + 1e-9)))
        return carom_error_set(error, CAROM_E_INPUT,
                               "sensor %s stands outside the body, which goes from %g to %g along z", sensor->name,
                               g->origin[2], g->origin[2] + height);
    return CAROM_OK;
}

/* what stands in a half that is cut off stands at the end of the body */
static void keep_within(const struct carom_solid *s, double place[3])
{
    const unsigned low = carom_solid_sort_of(s, 0)->halved, high = carom_solid_sort_of(s, s->n - 1)->halved;
    for (int k = 0; k < s->dimension; k++) {
        if (low >> k & 1U && place[k] < s->centre[0][k])
            place[k] = s->centre[0][k];
        if (high >> k & 1U && place[k] > s->centre[s->n - 1][k])
            place[k] = s->centre[s->n - 1][k];
    }
}

enum carom_status carom_solid_add_sensor(struct carom_solid *s, const char *name, const double place[3],
                                         struct carom_error *error)
{
    if (!s || !name)
        return carom_error_missing(error);
    struct carom_solid_sensor sensor = {.place = {place[0], place[1], place[2]}};
    if (strlen(name) >= sizeof sensor.name)
        return carom_error_set(error, CAROM_E_INPUT, "the name %.40s... is too long", name);
    snprintf(sensor.name, sizeof sensor.name, "%s", name);
    if (s->grid.count[0] > 0 && !s->grid.shell) {
        for (int k = 0; k < s->dimension; k++) {
            const double low = s->grid.origin[k], size = s->grid.edge[k] * (double)s->grid.count[k];
            if (!(place[k] >= low - 1e-9 * size) || !(place[k] <= low + size * (1.0 + 1e-9)))
                return carom_error_set(error, CAROM_E_INPUT,
                                       "sensor %s stands outside the body, which goes from %g to %g along %c",
                                       sensor.name, low, low + size, "xyz"[k]);
        }
        keep_within(s, sensor.place);
        place_on_grid(s, &sensor);
    } else if (s->grid.shell) {
        if (check_shell(s, &sensor, error) != CAROM_OK)
            return error ? error->status : CAROM_E_INPUT;
        keep_within(s, sensor.place);
        place_on_shell(s, &sensor);
    } else if (carom_solid_cells_sensor(s, &sensor, error) != CAROM_OK) {
        return error ? error->status : CAROM_E_INPUT;
    }
    if (!carom_memory_widen(&s->sensor, s->nsensors, s->nsensors + 1, sizeof *s->sensor))
        return no_memory(error);
    s->sensor[s->nsensors++] = sensor;
    return CAROM_OK;
}
