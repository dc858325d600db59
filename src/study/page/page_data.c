/* Puts results of studies into a page without knowing what they mean: every array of real or whole numbers with its
 * shape and unit, every text. What they are is told by their paths, and read by the page. */
#include "study/page/page_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "record/hdf5/hdf5_set.h"
#include "record/hdf5/hdf5_tree.h"

enum { MOST_PATHS = 2000, BLOCK = 1 << 16 };

static void write_name(struct carom_page_json *json, const char *type, const char *path)
{
    carom_page_json_text(json, "type", type);
    carom_page_json_text(json, "file", carom_file_name(path, NULL));
}

/* --- HDF5 -------------------------------------------------------------------------------------------------------- */

struct listing {
    char (*path)[256];
    size_t count;
};

static void see(void *own, const char *path)
{
    struct listing *list = own;
    while (*path == '/')
        path++;
    if (list->count < MOST_PATHS)
        snprintf(list->path[list->count++], sizeof *list->path, "%s", path);
}

/* Whole numbers are read as such and shown as real ones. */
static enum carom_status read_reals(struct carom_hdf5_file *file, int set, const struct carom_hdf5_spec *spec,
                                    double *value, size_t count, struct carom_error *error)
{
    const uint64_t rows = spec->rank == 0 ? 1 : spec->rows;
    if (spec->type == CAROM_HDF5_REAL)
        return carom_hdf5_set_read(file, set, 0, rows, value, error);
    int32_t *whole = carom_memory_zeroed(count, sizeof *whole);
    const enum carom_status status =
        whole ? carom_hdf5_set_read(file, set, 0, rows, whole, error) : carom_memory_error(error);
    for (size_t i = 0; i < count && status == CAROM_OK; i++)
        value[i] = whole[i];
    carom_memory_free(whole);
    return status;
}

static void write_shape(struct carom_page_json *json, const struct carom_hdf5_spec *spec)
{
    carom_page_json_open(json, "shape", '[');
    if (spec->rank >= 1)
        carom_page_json_count(json, NULL, spec->rows);
    if (spec->rank >= 2)
        carom_page_json_count(json, NULL, spec->rank == 3 ? spec->width / spec->depth : spec->width);
    if (spec->rank == 3)
        carom_page_json_count(json, NULL, spec->depth);
    carom_page_json_close(json, ']');
}

static enum carom_status write_array(struct carom_page_out *out, struct carom_hdf5_file *file, int set,
                                     const struct carom_hdf5_spec *spec, double *bytes, struct carom_error *error)
{
    const double numbers = (spec->rank == 0 ? 1.0 : (double)spec->rows) * (spec->rank >= 2 ? (double)spec->width : 1.0);
    char unit[16];
    carom_hdf5_set_unit(file, set, unit, sizeof unit);
    carom_page_json_open(&out->json, NULL, '{');
    carom_page_json_text(&out->json, "path", spec->path);
    carom_page_json_text(&out->json, "unit", unit);
    write_shape(&out->json, spec);
    enum carom_status status = CAROM_OK;
    if (8.0 * numbers <= *bytes) {
        *bytes -= 8.0 * numbers;
        double *value = carom_memory_zeroed((size_t)numbers, sizeof *value);
        status = value ? read_reals(file, set, spec, value, (size_t)numbers, error) : carom_memory_error(error);
        if (status == CAROM_OK)
            status = carom_page_blob_write(out, "array", CAROM_PAGE_BLOB_F64, value, (size_t)numbers, error);
        carom_memory_free(value);
    }
    carom_page_json_close(&out->json, '}');
    return status;
}

static enum carom_status write_arrays(struct carom_page_out *out, struct carom_hdf5_file *file,
                                      const struct listing *list, double bytes, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    carom_page_json_open(&out->json, "arrays", '[');
    for (size_t i = 0; i < list->count && status == CAROM_OK; i++) {
        struct carom_hdf5_spec spec = {.path = list->path[i], .type = CAROM_HDF5_REAL, .most = 3};
        int set = carom_hdf5_set_find(file, &spec, NULL);
        if (set < 0) {
            spec = (struct carom_hdf5_spec){.path = list->path[i], .type = CAROM_HDF5_NUMBER, .most = 3};
            set = carom_hdf5_set_find(file, &spec, NULL);
        }
        if (set >= 0)
            status = write_array(out, file, set, &spec, &bytes, error);
    }
    carom_page_json_close(&out->json, ']');
    return status;
}

static void write_texts(struct carom_page_out *out, struct carom_hdf5_file *file, const struct listing *list)
{
    carom_page_json_open(&out->json, "texts", '{');
    for (size_t i = 0; i < list->count; i++) {
        char *text = carom_hdf5_tree_read_text(file, list->path[i], NULL);
        if (text)
            carom_page_json_text(&out->json, list->path[i], text);
        carom_memory_free(text);
    }
    carom_page_json_close(&out->json, '}');
}

enum carom_status carom_page_data_hdf5(struct carom_page_out *out, const char *path, double bytes,
                                       struct carom_error *error)
{
    struct carom_hdf5_file *file = carom_hdf5_file_open(path, NULL, error);
    if (!file)
        return error->status;
    const struct carom_page_json before = out->json;
    struct listing list = {carom_memory_zeroed(MOST_PATHS, sizeof *list.path), 0};
    enum carom_status status =
        list.path ? carom_hdf5_tree_visit(file, "/", see, &list, error) : carom_memory_error(error);
    if (status == CAROM_OK && list.count == 0)
        status = carom_error_set(error, CAROM_E_INPUT, "%s: holds nothing that a page could show", path);
    if (status == CAROM_OK) {
        carom_page_json_open(&out->json, NULL, '{');
        write_name(&out->json, "data", path);
        status = write_arrays(out, file, &list, bytes, error);
        write_texts(out, file, &list);
        carom_page_json_close(&out->json, '}');
    }
    if (status != CAROM_OK) {
        memcpy(out->json.filled, before.filled, sizeof before.filled);
        out->json.depth = before.depth;
        out->json.length = before.length;
    }
    carom_memory_free(list.path);
    carom_hdf5_file_close(file, NULL);
    return status;
}

/* --- texts ------------------------------------------------------------------------------------------------------- */

enum carom_status carom_page_data_text(struct carom_page_out *out, const char *path, double bytes,
                                       struct carom_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be opened", path);
    size_t length = 0, room = 0, got;
    char *text = NULL;
    do { /* a text that is longer is cut, and said to be */
        if (!carom_memory_widen(&text, room, room + BLOCK, 1)) {
            carom_memory_free(text);
            fclose(file);
            return carom_memory_error(error);
        }
        room += BLOCK;
        got = fread(text + length, 1, BLOCK, file);
        length += got;
    } while (got == BLOCK && (double)length < bytes);
    const bool bad = ferror(file) != 0, cut = getc(file) != EOF;
    fclose(file);
    enum carom_status status = CAROM_OK;
    if (bad)
        status = carom_error_set(error, CAROM_E_FILE, "%s: could not be read", path);
    else if (memchr(text, '\0', length))
        status = carom_error_set(error, CAROM_E_INPUT, "%s: is neither an HDF5 file nor a text", path);
    else if (length == 0)
        status = carom_error_set(error, CAROM_E_INPUT, "%s: is empty", path);
    else {
        carom_page_json_open(&out->json, NULL, '{');
        write_name(&out->json, "text", path);
        carom_page_json_flag(&out->json, "cut", cut);
        carom_page_json_text_of(&out->json, "text", text, length);
        carom_page_json_close(&out->json, '}');
    }
    carom_memory_free(text);
    return status;
}
