/* Writes .vtu and .pvd files, see vtu.h. All numbers stand after the XML as raw bytes, each array behind its length
 * (UInt64), so that a file is written in one pass and read without parsing. Nothing is compressed. */
#include "record/export/vtu.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/export/csv.h"

#define HEAD "<?xml version=\"1.0\"?>\n<VTKFile type=\""

static void write_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else
            putc(*text, out);
    }
}

static const char *byte_order(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1 ? "LittleEndian" : "BigEndian";
}

enum carom_status carom_vtu_may_replace(const char *path, struct carom_error *error)
{
    static const char beginning[] = HEAD;
    char found[sizeof beginning] = "";
    struct stat about;
    if (stat(path, &about) != 0)
        return CAROM_OK;
    FILE *old = S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    if (old != NULL) {
        found[fread(found, 1, sizeof found - 1, old)] = '\0';
        fclose(old);
    }
    if (strcmp(found, beginning) == 0)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_FILE, "%s: exists and is not a file for VTK, so it is not overwritten", path);
}

static FILE *begin(const char *path, struct carom_error *error)
{
    if (carom_vtu_may_replace(path, error) != CAROM_OK)
        return NULL;
    errno = 0;
    FILE *out = fopen(path, "wb");
    if (out == NULL)
        carom_error_set(error, CAROM_E_FILE, "%s: could not be created: %s", path, strerror(errno));
    return out;
}

static enum carom_status end(FILE *out, const char *path, struct carom_error *error)
{
    const bool written = !ferror(out);
    if (fclose(out) == 0 && written)
        return CAROM_OK;
    unlink(path);
    return carom_error_set(error, CAROM_E_FILE, "%s: could not be written", path);
}

/* --- one grid --------------------------------------------------------------------------------------------------- */

/* The arrays in the order of their descriptions; written twice, first described, then appended. */
struct writer {
    FILE *out;
    bool append; /* else describe */
    uint64_t at; /* bytes described so far */
};

static void take(struct writer *to, const char *name, const char *type, size_t components, const void *data,
                 uint64_t bytes)
{
    if (to->append) {
        fwrite(&bytes, sizeof bytes, 1, to->out);
        if (bytes > 0)
            fwrite(data, 1, (size_t)bytes, to->out);
        return;
    }
    fprintf(to->out, "        <DataArray type=\"%s\" Name=\"", type);
    write_escaped(to->out, name);
    fprintf(to->out, "\" NumberOfComponents=\"%zu\" format=\"appended\" offset=\"%llu\"/>\n", components,
            (unsigned long long)to->at);
    to->at += sizeof(uint64_t) + bytes;
}

static void mark(struct writer *to, const char *text)
{
    if (!to->append)
        fputs(text, to->out);
}

static void take_fields(struct writer *to, size_t nfields, const struct carom_vtu_field *fields, size_t rows,
                        bool on_cells)
{
    for (size_t i = 0; i < nfields; i++) {
        const struct carom_vtu_field *field = &fields[i];
        const uint64_t bytes = (uint64_t)rows * field->components * 8;
        if (field->on_cells != on_cells)
            continue;
        if (field->real != NULL)
            take(to, field->name, "Float64", field->components, field->real, bytes);
        else
            take(to, field->name, "Int64", field->components, field->whole, bytes);
    }
}

/* where the entries of the last cell end */
static uint64_t last(const int64_t *offset, size_t n)
{
    int64_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = offset[i] > most ? offset[i] : most;
    return (uint64_t)most;
}

static void take_all(struct writer *to, const struct carom_vtu *grid)
{
    mark(to, "      <Points>\n");
    take(to, "Points", "Float64", 3, grid->point, (uint64_t)grid->npoints * 24);
    mark(to, "      </Points>\n      <Cells>\n");
    take(to, "connectivity", "Int64", 1, grid->connectivity, last(grid->offset, grid->ncells) * 8);
    take(to, "offsets", "Int64", 1, grid->offset, (uint64_t)grid->ncells * 8);
    take(to, "types", "UInt8", 1, grid->type, grid->ncells);
    if (grid->faces != NULL) {
        take(to, "faces", "Int64", 1, grid->faces, last(grid->face_offset, grid->ncells) * 8);
        take(to, "faceoffsets", "Int64", 1, grid->face_offset, (uint64_t)grid->ncells * 8);
    }
    mark(to, "      </Cells>\n      <PointData>\n");
    take_fields(to, grid->nfields, grid->field, grid->npoints, false);
    mark(to, "      </PointData>\n      <CellData>\n");
    take_fields(to, grid->nfields, grid->field, grid->ncells, true);
    mark(to, "      </CellData>\n");
}

static void write_time(FILE *out, double time)
{
    fputs("    <FieldData>\n"
          "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">",
          out);
    carom_csv_number(out, time);
    fputs("</DataArray>\n    </FieldData>\n", out);
}

void carom_vtu_tensor(const double from[6], double to[9])
{
    static const size_t place[9] = {0, 5, 4, 5, 1, 3, 4, 3, 2};
    for (size_t k = 0; k < 9; k++)
        to[k] = from[place[k]];
}

enum carom_status carom_vtu_write(const char *path, const struct carom_vtu *grid, struct carom_error *error)
{
    FILE *out = begin(path, error);
    if (out == NULL)
        return CAROM_E_FILE;
    fprintf(out, HEAD "UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n", byte_order());
    fputs("  <UnstructuredGrid>\n", out);
    write_time(out, grid->time);
    fprintf(out, "    <Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", grid->npoints, grid->ncells);
    struct writer to = {.out = out};
    take_all(&to, grid);
    fputs("    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding=\"raw\">\n_", out);
    to.append = true;
    take_all(&to, grid);
    fputs("\n  </AppendedData>\n</VTKFile>\n", out);
    return end(out, path, error);
}

/* --- an image -------------------------------------------------------------------------------------------------- */

static void write_three(FILE *out, const char *name, const double x[3])
{
    fprintf(out, " %s=\"", name);
    for (int k = 0; k < 3; k++) {
        fputs(k > 0 ? " " : "", out);
        carom_csv_number(out, x[k]);
    }
    putc('"', out);
}

static void write_extent(FILE *out, const char *name, const size_t count[3])
{
    fprintf(out, " %s=\"0 %zu 0 %zu 0 %zu\"", name, count[0], count[1], count[2]);
}

static void take_image(struct writer *to, const struct carom_vtu_image *image)
{
    mark(to, "      <PointData>\n      </PointData>\n      <CellData>\n");
    take_fields(to, image->nfields, image->field, image->count[0] * image->count[1] * image->count[2], true);
    mark(to, "      </CellData>\n");
}

enum carom_status carom_vtu_write_image(const char *path, const struct carom_vtu_image *image,
                                        struct carom_error *error)
{
    FILE *out = begin(path, error);
    if (out == NULL)
        return CAROM_E_FILE;
    fprintf(out, HEAD "ImageData\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n", byte_order());
    fputs("  <ImageData", out);
    write_extent(out, "WholeExtent", image->count);
    write_three(out, "Origin", image->low);
    write_three(out, "Spacing", image->cell);
    fputs(">\n", out);
    write_time(out, image->time);
    fputs("    <Piece", out);
    write_extent(out, "Extent", image->count);
    fputs(">\n", out);
    struct writer to = {.out = out};
    take_image(&to, image);
    fputs("    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_", out);
    to.append = true;
    take_image(&to, image);
    fputs("\n  </AppendedData>\n</VTKFile>\n", out);
    return end(out, path, error);
}

/* --- the list --------------------------------------------------------------------------------------------------- */

enum carom_status carom_vtu_series(const char *path, const char *prefix, const char *ending, size_t count,
                                   const double *time, struct carom_error *error)
{
    FILE *out = begin(path, error);
    if (out == NULL)
        return CAROM_E_FILE;
    fprintf(out, HEAD "Collection\" version=\"1.0\" byte_order=\"%s\">\n  <Collection>\n", byte_order());
    for (size_t i = 0; i < count; i++) {
        fputs("    <DataSet timestep=\"", out);
        carom_csv_number(out, time[i]);
        fputs("\" group=\"\" part=\"0\" file=\"", out);
        write_escaped(out, prefix);
        fprintf(out, "_%06zu.%s\"/>\n", i, ending);
    }
    fputs("  </Collection>\n</VTKFile>\n", out);
    return end(out, path, error);
}
