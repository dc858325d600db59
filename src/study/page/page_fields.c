/* Maps of fields, see page_parts.h. They show what a continuum would, so few cells and few times are enough: a page
 * stays small and is written fast. */
#include "study/page/page_parts.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "record/fields.h"
#include "record/run_grains.h"

enum { MOST_CELLS = 1600, MOST_FRAMES = 120, COLUMNS = 7, CELL_BYTES = 2 };
#define MOST_LINES 5e5 /* bodies and contacts that are spread out in all: about a second */
#define MOST_BYTES 1e6

enum { FRACTION, DENSITY, ALONG, UP, STRESS_ALONG, STRESS_UP, STRESS_ACROSS };

struct maps {
    struct carom_run_grains grains;
    struct carom_fields fields;
    size_t axis[2], stride, frames;
    double *column; /* of all frames */
};

double carom_page_fields_bytes(const struct carom_run_file *run, double bytes)
{
    return run->listed && run->rows > 0 ? fmin(0.05 * bytes, MOST_BYTES) : 0.0;
}

/* which two axes a map has: in space the upright one and the longer of the others, or the two longest */
static void choose_axes(struct maps *m, int up, const double low[3], const double high[3])
{
    size_t longest = 0, second;
    m->axis[0] = 0;
    m->axis[1] = 1;
    if (m->grains.grains.dimension == 2)
        return;
    for (size_t k = 0; k < 3; k++)
        if ((int)longest == up || ((int)k != up && high[k] - low[k] > high[longest] - low[longest]))
            longest = k;
    second = up >= 0 ? (size_t)up : longest == 0 ? 1 : 0;
    for (size_t k = 0; k < 3 && up < 0; k++)
        if (k != longest && high[k] - low[k] >= high[second] - low[second])
            second = k;
    m->axis[0] = up >= 0 || longest < second ? longest : second;
    m->axis[1] = up >= 0 || longest < second ? second : longest;
}

/* cells of half a diameter, or larger ones where those would be too many, with kernels to match */
static enum carom_status open_fields(struct maps *m, size_t tall, int up, struct carom_error *error)
{
    struct carom_fields *f = &m->fields;
    const struct carom_grains *g = &m->grains.grains;
    double low[3], high[3], size[3];
    const enum carom_status status = carom_run_grains_bounds(&m->grains, tall, low, high, error);
    if (status != CAROM_OK)
        return status;
    choose_axes(m, up, low, high);
    const double area = (high[m->axis[0]] - low[m->axis[0]]) * (high[m->axis[1]] - low[m->axis[1]]);
    f->kernel = CAROM_FIELDS_LUCY;
    f->width = carom_fields_usual_width(g, f->kernel);
    const double cell = fmax(0.25 * f->width, sqrt(area / MOST_CELLS));
    f->width = fmax(f->width, 2.0 * cell);
    for (size_t k = 0; k < 3; k++)
        size[k] = k == m->axis[0] || k == m->axis[1] ? cell : fmax(high[k] - low[k], cell);
    return carom_fields_open(f, g, low, high, size, error);
}

static void choose_frames(struct maps *m, size_t tall, double bytes)
{
    const struct carom_run_file *run = m->grains.run;
    const double shown = ceil((double)run->rows / (double)tall), per_frame = COLUMNS * CELL_BYTES * (double)m->fields.n;
    const double touching = run->touches.there ? (double)run->touches.lines / (double)run->rows : 0.0;
    const double lines = (double)m->grains.grains.n + touching;
    const double most = fmax(1.0, fmin(fmin(MOST_FRAMES, bytes / per_frame), MOST_LINES / lines));
    m->stride = tall * (size_t)ceil(shown / most);
    m->frames = (size_t)((run->rows - 1) / m->stride) + 1;
}

/* one frame into its place in all columns; velocities are blank where nobody is */
static void take_frame(struct maps *m, size_t frame)
{
    static const size_t across[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    const struct carom_fields *f = &m->fields;
    const size_t a = m->axis[0], b = m->axis[1], all = m->frames * f->n;
    carom_fields_read(&m->fields, &m->grains.grains, &m->grains.moment);
    for (size_t c = 0; c < f->n; c++) {
        const double *v = f->velocity[c], *s = f->stress[c];
        const double value[COLUMNS] = {[FRACTION] = f->fraction[c],
                                       [DENSITY] = f->density[c],
                                       [ALONG] = f->density[c] > 0.0 ? v[a] : nan(""),
                                       [UP] = f->density[c] > 0.0 ? v[b] : nan(""),
                                       [STRESS_ALONG] = s[a],
                                       [STRESS_UP] = s[b],
                                       [STRESS_ACROSS] = s[across[a][b]]};
        for (size_t i = 0; i < COLUMNS; i++)
            m->column[i * all + frame * f->n + c] = value[i];
    }
}

static void describe(struct carom_page_json *json, const struct maps *m)
{
    static const char *const names[] = {"x", "y", "z"};
    const struct carom_fields *f = &m->fields;
    const size_t *axis = m->axis, over = 3 - axis[0] - axis[1];
    carom_page_json_count(json, "tall", m->stride);
    carom_page_json_count(json, "frames", m->frames);
    carom_page_json_number(json, "width", f->width);
    carom_page_json_open(json, "axes", '[');
    for (size_t i = 0; i < 2; i++) {
        carom_page_json_open(json, NULL, '{');
        carom_page_json_text(json, "name", names[axis[i]]);
        carom_page_json_count(json, "count", f->grid.count[axis[i]]);
        carom_page_json_number(json, "low", f->grid.low[axis[i]]);
        carom_page_json_number(json, "cell", f->grid.cell[axis[i]]);
        carom_page_json_close(json, '}');
    }
    carom_page_json_close(json, ']');
    if (m->grains.grains.dimension == 3)
        carom_page_json_text(json, "over", names[over]);
}

static enum carom_status write_columns(struct carom_page_out *out, const struct maps *m, struct carom_error *error)
{
    static const char *const names[COLUMNS] = {"fraction", "density", "v0", "v1", "s00", "s11", "s01"};
    const size_t all = m->frames * m->fields.n;
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < COLUMNS && status == CAROM_OK; i++) {
        const bool there = i < ALONG || (i < STRESS_ALONG ? m->grains.velocity != NULL : m->grains.run->touches.there);
        if (there)
            status = carom_page_blob_write(out, names[i], CAROM_PAGE_BLOB_I16, m->column + i * all, all, error);
    }
    return status;
}

static enum carom_status write_maps(struct carom_page_out *out, struct maps *m, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    m->column = carom_memory_zeroed(COLUMNS * m->frames, m->fields.n * sizeof *m->column);
    if (!m->column)
        return carom_memory_error(error);
    for (size_t i = 0; i < m->frames && status == CAROM_OK; i++) {
        status = carom_run_grains_read(&m->grains, i * m->stride, error);
        if (status == CAROM_OK)
            take_frame(m, i);
    }
    if (status == CAROM_OK) {
        carom_page_json_open(&out->json, "fields", '{');
        describe(&out->json, m);
        status = write_columns(out, m, error);
        carom_page_json_close(&out->json, '}');
    }
    carom_memory_free(m->column);
    return status;
}

enum carom_status carom_page_fields_write(struct carom_page_out *out, const struct carom_run_file *run, size_t tall,
                                          int up, double bytes, struct carom_error *error)
{
    struct maps m = {0};
    struct carom_error reason = {CAROM_OK, ""};
    if (!run->listed || run->rows == 0 || carom_run_grains_open(&m.grains, run, &reason) != CAROM_OK)
        return reason.status == CAROM_E_MEMORY ? carom_memory_error(error) : CAROM_OK;
    enum carom_status status = open_fields(&m, tall, up, &reason);
    if (status == CAROM_OK) {
        choose_frames(&m, tall, bytes);
        status = write_maps(out, &m, error);
    } else { /* places that are no numbers: a page without maps */
        status = status == CAROM_E_MEMORY ? carom_memory_error(error) : CAROM_OK;
    }
    carom_fields_close(&m.fields);
    carom_run_grains_close(&m.grains);
    return status;
}
