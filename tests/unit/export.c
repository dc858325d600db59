/* Files for others: what is written as .vtu, .vti, .pvd, VTKHDF and CSV is read back here from the bytes, as their
 * formats say, and is what was handed over. Files of another kind are never replaced. */
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "files.h"
#include "record/export/csv.h"
#include "record/export/vtkhdf.h"
#include "record/hdf5/hdf5_plain.h"

#define ROOM 20000

/* two tetrahedra on five points, with fields of every kind */
enum { POINTS = 5, CELLS = 2 };
static const double point[3 * POINTS] = {0, 0, 0, 1, 0, 0, 0, 1.5, 0, 0, 0, 1, 1, 1, 1};
static const int64_t connectivity[] = {0, 1, 2, 3, 1, 2, 3, 4}, offset[] = {4, 8};
static const uint8_t type[] = {CAROM_VTU_TETRAHEDRON, CAROM_VTU_TETRAHEDRON};
static const double velocity[3 * POINTS] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7,    0.8,
                                            0.9, 1.0, 1.1, 1.2, 1.3, 1.4, -1e-300};
static const double energy[CELLS] = {2.5, 1.0 / 3.0};
static const int64_t body[CELLS] = {7, -8};
static const struct carom_vtu_field fields[] = {{"velocity", false, 3, velocity, NULL},
                                                {"energy & \"so\" < on", true, 1, energy, NULL},
                                                {"body", true, 1, NULL, body}};

static struct carom_vtu grid(void)
{
    return (struct carom_vtu){POINTS, point, CELLS, connectivity, offset, type, NULL, NULL, 3, fields, 0.125};
}

static size_t get(const char *path, char *bytes)
{
    const size_t size = file_read(path, bytes, ROOM - 1);
    bytes[size] = '\0';
    return size;
}

/* --- VTK's XML ---------------------------------------------------------------------------------------------------- */

/* The array described as `head` holds these bytes; returns where it ends after the underscore. */
static size_t check_array(const char *bytes, const char *head, const void *data, size_t size)
{
    const char *described = strstr(bytes, head), *raw = strstr(bytes, "<AppendedData encoding=\"raw\">\n_");
    CHECK_CONTAINS(bytes, head);
    if (described == NULL || raw == NULL)
        return 0;
    const size_t at = strtoull(strstr(described, "offset=\"") + 8, NULL, 10);
    raw = strchr(raw, '_') + 1 + at;
    uint64_t length;
    memcpy(&length, raw, sizeof length);
    CHECK(length == size && memcmp(raw + sizeof length, data, size) == 0);
    return at + sizeof length + size;
}

#define ARRAY(type, name, components) \
    "<DataArray type=\"" type "\" Name=\"" name "\" NumberOfComponents=\"" components "\" format=\"appended\" offset="

static void test_grid(void)
{
    static char bytes[ROOM];
    const struct carom_vtu it = grid();
    CHECK_STATUS(carom_vtu_write("grid.vtu", &it, NULL), CAROM_OK);
    const size_t size = get("grid.vtu", bytes);
    CHECK_CONTAINS(bytes, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=");
    CHECK_CONTAINS(bytes, "NumberOfPoints=\"5\" NumberOfCells=\"2\"");
    CHECK_CONTAINS(bytes, "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.125</DataArray>");
    CHECK(check_array(bytes, ARRAY("Float64", "Points", "3"), point, sizeof point) == 8 + sizeof point);
    check_array(bytes, ARRAY("Int64", "connectivity", "1"), connectivity, sizeof connectivity);
    check_array(bytes, ARRAY("Int64", "offsets", "1"), offset, sizeof offset);
    check_array(bytes, ARRAY("UInt8", "types", "1"), type, sizeof type);
    check_array(bytes, ARRAY("Float64", "velocity", "3"), velocity, sizeof velocity);
    check_array(bytes, ARRAY("Float64", "energy &amp; &quot;so&quot; &lt; on", "1"), energy, sizeof energy);
    const size_t end = check_array(bytes, ARRAY("Int64", "body", "1"), body, sizeof body);
    const char *points = strstr(bytes, "<PointData>"), *cells = strstr(bytes, "<CellData>");
    CHECK(points < strstr(bytes, "\"velocity\"") && strstr(bytes, "\"velocity\"") < cells);
    CHECK(cells < strstr(bytes, "\"body\"") && strstr(bytes, "\"body\"") < strstr(bytes, "</CellData>"));
    const char *raw = strchr(strstr(bytes, "<AppendedData"), '_') + 1;
    CHECK((size_t)(raw - bytes) + end + strlen("\n  </AppendedData>\n</VTKFile>\n") == size);
    CHECK_TEXT(raw + end, "\n  </AppendedData>\n</VTKFile>\n");
}

/* polyhedra bring their faces; a cell without has none */
static void test_faces(void)
{
    static char bytes[ROOM];
    struct carom_vtu it = grid();
    const int64_t faces[] = {4, 3, 0, 1, 2, 3, 0, 1, 3, 3, 0, 2, 3, 3, 1, 2, 3}, face_offset[] = {17, -1};
    it.faces = faces;
    it.face_offset = face_offset;
    CHECK_STATUS(carom_vtu_write("grid.vtu", &it, NULL), CAROM_OK); /* its own kind is replaced */
    get("grid.vtu", bytes);
    check_array(bytes, ARRAY("Int64", "faces", "1"), faces, sizeof faces);
    check_array(bytes, ARRAY("Int64", "faceoffsets", "1"), face_offset, sizeof face_offset);
    struct carom_error error = {CAROM_OK, ""};
    CHECK(carom_vtkhdf_create("faces.vtkhdf", &it, 1, &error) == NULL);
    CHECK(error.status == CAROM_E_REFUSED && access("faces.vtkhdf", F_OK) != 0);
}

static void test_image(void)
{
    static char bytes[ROOM];
    double density[24];
    for (int i = 0; i < 24; i++)
        density[i] = 0.5 * i;
    const struct carom_vtu_field field = {"density", true, 1, density, NULL};
    const struct carom_vtu_image image = {{2, 3, 4}, {-1.0, 0.0, 0.5}, {0.25, 0.5, 1.0}, 1, &field, 3.0};
    CHECK_STATUS(carom_vtu_write_image("map.vti", &image, NULL), CAROM_OK);
    get("map.vti", bytes);
    CHECK_CONTAINS(bytes, "<ImageData WholeExtent=\"0 2 0 3 0 4\" Origin=\"-1 0 0.5\" Spacing=\"0.25 0.5 1\">\n");
    CHECK_CONTAINS(bytes, "<Piece Extent=\"0 2 0 3 0 4\">");
    CHECK_CONTAINS(bytes, ">3</DataArray>");
    const size_t end = check_array(bytes, ARRAY("Float64", "density", "1"), density, sizeof density);
    CHECK(end == 8 + sizeof density);
    CHECK_TEXT(strchr(strstr(bytes, "<AppendedData"), '_') + 1 + end, "\n  </AppendedData>\n</VTKFile>\n");
}

/* a file may not grow beyond its first bytes: half a grid is not left */
static void test_cut_short(void)
{
    const struct carom_vtu it = grid();
    struct rlimit whole;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_OR_STOP(getrlimit(RLIMIT_FSIZE, &whole) == 0);
    signal(SIGXFSZ, SIG_IGN);
    CHECK_OR_STOP(setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, whole.rlim_max}) == 0);
    CHECK_STATUS(carom_vtu_write("cut.vtu", &it, &error), CAROM_E_FILE);
    CHECK_OR_STOP(setrlimit(RLIMIT_FSIZE, &whole) == 0);
    CHECK_TEXT(error.text, "cut.vtu: could not be written");
    CHECK(access("cut.vtu", F_OK) != 0);
}

static void test_series(void)
{
    static char bytes[ROOM];
    const double times[] = {0.0, 0.1, 12345.5};
    CHECK_STATUS(carom_vtu_series("all.pvd", "a<b", "vti", 3, times, NULL), CAROM_OK);
    get("all.pvd", bytes);
    CHECK_CONTAINS(bytes, "<VTKFile type=\"Collection\"");
    CHECK_CONTAINS(bytes,
                   "    <DataSet timestep=\"0\" group=\"\" part=\"0\" file=\"a&lt;b_000000.vti\"/>\n"
                   "    <DataSet timestep=\"0.10000000000000001\" group=\"\" part=\"0\" file=\"a&lt;b_000001.vti\"/>\n"
                   "    <DataSet timestep=\"12345.5\" group=\"\" part=\"0\" file=\"a&lt;b_000002.vti\"/>\n"
                   "  </Collection>\n</VTKFile>\n");
    CHECK(strstr(bytes, "000003") == NULL);
}

/* --- VTKHDF ------------------------------------------------------------------------------------------------------- */

static void check_reals(const struct carom_hdf5_plain *file, const char *path, const double *expected, size_t n)
{
    double read[64];
    size_t count = 0;
    CHECK_STATUS(carom_hdf5_plain_count(file, path, &count, NULL), CAROM_OK);
    CHECK(count == n);
    CHECK_STATUS(carom_hdf5_plain_reals(file, path, n, read, NULL), CAROM_OK);
    CHECK(memcmp(read, expected, n * sizeof *read) == 0);
}

static void check_numbers(const struct carom_hdf5_plain *file, const char *path, const int64_t *expected, size_t n)
{
    int64_t read[64];
    size_t count = 0;
    CHECK_STATUS(carom_hdf5_plain_count(file, path, &count, NULL), CAROM_OK);
    CHECK(count == n);
    CHECK_STATUS(carom_hdf5_plain_numbers(file, path, n, read, NULL), CAROM_OK);
    for (size_t i = 0; i < n; i++)
        CHECK(read[i] == expected[i]);
}

static void write_vtkhdf(const char *path)
{
    struct carom_vtu it = grid();
    struct carom_vtkhdf *to = carom_vtkhdf_create(path, &it, 2, NULL);
    CHECK_OR_STOP(to != NULL);
    CHECK_STATUS(carom_vtkhdf_write(to, 0, &it, NULL), CAROM_OK);
    it.time = 0.5;
    it.point = velocity; /* another place at the second time */
    CHECK_STATUS(carom_vtkhdf_write(to, 1, &it, NULL), CAROM_OK);
    CHECK_STATUS(carom_vtkhdf_close(to, true, NULL), CAROM_OK);
}

static void test_vtkhdf(void)
{
    write_vtkhdf("all.vtkhdf");
    write_vtkhdf("all.vtkhdf"); /* its own kind is replaced */
    struct carom_hdf5_plain *file = carom_hdf5_plain_open("all.vtkhdf", NULL);
    CHECK_OR_STOP(file != NULL);
    double both[2 * 3 * POINTS], energies[2 * CELLS] = {energy[0], energy[1], energy[0], energy[1]};
    memcpy(both, point, sizeof point);
    memcpy(both + 3 * POINTS, velocity, sizeof velocity);
    check_reals(file, "/VTKHDF/Points", both, 6 * POINTS);
    memcpy(both, velocity, sizeof velocity);
    check_reals(file, "/VTKHDF/PointData/velocity", both, 6 * POINTS);
    check_reals(file, "/VTKHDF/CellData/energy & \"so\" < on", energies, 2 * CELLS);
    check_reals(file, "/VTKHDF/Steps/Values", (const double[]){0.125, 0.5}, 2);
    check_numbers(file, "/VTKHDF/Connectivity", connectivity, 8);
    check_numbers(file, "/VTKHDF/Offsets", (const int64_t[]){0, 4, 8}, 3);
    check_numbers(file, "/VTKHDF/Types", (const int64_t[]){10, 10}, 2);
    check_numbers(file, "/VTKHDF/NumberOfPoints", (const int64_t[]){POINTS, POINTS}, 2);
    check_numbers(file, "/VTKHDF/NumberOfCells", (const int64_t[]){CELLS, CELLS}, 2);
    check_numbers(file, "/VTKHDF/NumberOfConnectivityIds", (const int64_t[]){8, 8}, 2);
    check_numbers(file, "/VTKHDF/Steps/PartOffsets", (const int64_t[]){0, 0}, 2);
    check_numbers(file, "/VTKHDF/Steps/NumberOfParts", (const int64_t[]){1, 1}, 2);
    check_numbers(file, "/VTKHDF/Steps/PointOffsets", (const int64_t[]){0, POINTS}, 2);
    check_numbers(file, "/VTKHDF/Steps/CellOffsets", (const int64_t[]){0, 0}, 2);
    check_numbers(file, "/VTKHDF/Steps/ConnectivityIdOffsets", (const int64_t[]){0, 0}, 2);
    check_numbers(file, "/VTKHDF/Steps/PointDataOffsets/velocity", (const int64_t[]){0, POINTS}, 2);
    check_numbers(file, "/VTKHDF/Steps/CellDataOffsets/body", (const int64_t[]){0, CELLS}, 2);
    carom_hdf5_plain_close(file);
    struct carom_vtu it = grid();
    CHECK_STATUS(carom_vtkhdf_close(carom_vtkhdf_create("none.vtkhdf", &it, 2, NULL), false, NULL), CAROM_OK);
    CHECK(access("none.vtkhdf", F_OK) != 0); /* not whole: nothing is left */
    CHECK_STATUS(carom_vtkhdf_close(NULL, true, NULL), CAROM_OK);
}

/* --- files of others ---------------------------------------------------------------------------------------------- */

static void test_kept(void)
{
    static char bytes[ROOM];
    const struct carom_vtu it = grid();
    struct carom_error error = {CAROM_OK, ""};
    file_put("mine", "units: none\n");
    CHECK_STATUS(carom_vtu_write("mine", &it, &error), CAROM_E_FILE);
    CHECK_TEXT(error.text, "mine: exists and is not a file for VTK, so it is not overwritten");
    CHECK_STATUS(carom_vtu_may_replace("mine", NULL), CAROM_E_FILE);
    CHECK_STATUS(carom_vtu_may_replace("nowhere", NULL), CAROM_OK);
    CHECK(carom_vtkhdf_create("mine", &it, 1, &error) == NULL);
    CHECK_TEXT(error.text, "mine: exists and is not a VTKHDF file, so it is not overwritten");
    CHECK_STATUS(carom_csv_may_replace("mine", &error), CAROM_E_FILE);
    CHECK_TEXT(error.text, "mine: exists and is not a table of samples, so it is not overwritten");
    get("mine", bytes);
    CHECK_TEXT(bytes, "units: none\n");
    file_put("table.csv", "time,step,a\n0,0,1\n");
    CHECK_STATUS(carom_csv_may_replace("table.csv", NULL), CAROM_OK);
    CHECK_STATUS(carom_csv_may_replace("nowhere", NULL), CAROM_OK);
    CHECK_STATUS(carom_csv_may_replace_table("table.csv", "time,steps", NULL), CAROM_E_FILE);
    file_put("empty.csv", "");
    CHECK_STATUS(carom_csv_may_replace("empty.csv", NULL), CAROM_OK);
    struct carom_hdf5_plain *other = carom_hdf5_plain_begin("other.h5", NULL, NULL);
    carom_hdf5_plain_put_reals(other, "/run/x", 2, energy);
    CHECK_STATUS(carom_hdf5_plain_publish(other, NULL), CAROM_OK);
    carom_hdf5_plain_close(other);
    CHECK(carom_vtkhdf_create("other.h5", &it, 1, NULL) == NULL && access("other.h5", F_OK) == 0);
    CHECK(carom_vtkhdf_create("no/folder/x.vtkhdf", &it, 1, NULL) == NULL);
    CHECK_STATUS(carom_vtu_write("no/folder/x.vtu", &it, NULL), CAROM_E_FILE);
}

/* --- CSV ---------------------------------------------------------------------------------------------------------- */

struct heading {
    enum carom_extent extent;
    size_t before, size, depth;
    const int32_t (*pair)[2];
    const char *expected;
};

static void test_csv(void)
{
    static char bytes[ROOM];
    static const int32_t row[][2] = {{CAROM_WALL_LEFT, 0}, {0, 1}, {1, 2}};
    static const struct heading headings[] = {
        {CAROM_PER_RUN, 4, 1, 0, NULL, ",x"},
        {CAROM_PER_SENSOR, 4, 1, 0, NULL, ",x"},
        {CAROM_PER_REGION, 0, 1, 0, NULL, ",x"},
        {CAROM_PER_REGION, 0, 3, 0, NULL, ",x_x,x_y,x_z"},
        {CAROM_PER_REGION, 0, 6, 0, NULL, ",x_xx,x_yy,x_zz,x_yz,x_xz,x_xy"},
        {CAROM_PER_COORDINATE, 2, 2, 0, NULL, ",x_3,x_4"},
        {CAROM_PER_VELOCITY, 2, 4, 2, NULL, ",x_2_x,x_2_y,x_3_x,x_3_y"},
        {CAROM_PER_COORDINATE, 0, 4, 4, NULL, ",x_1_a,x_1_b,x_1_c,x_1_d"},
        {CAROM_PER_CONTACT, 9, 3, 0, row, ",x_0,x_1,x_2"},
        {CAROM_PER_CONTACT, 9, 2, 0, NULL, ",x_1,x_2"},
    };
    const struct carom_touch touch = {{3, 4}, {1, 2, 3}, {0, 1, 0}, {5, 6, 7}, -0.1, 1e300};
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
        const struct heading *h = &headings[i];
        FILE *out = fopen("x.csv", "w");
        CHECK_OR_STOP(out != NULL);
        carom_csv_heading(out, "x", h->extent, h->before, h->size, h->depth, h->pair);
        CHECK_STATUS(carom_csv_close(out, "x.csv", CAROM_OK, NULL), CAROM_OK);
        get("x.csv", bytes);
        CHECK_TEXT(bytes, h->expected);
    }
    FILE *out = fopen("x.csv", "w");
    carom_csv_touch_heading(out, 2);
    carom_csv_touch(out, 0.5, 17, &touch, 2);
    carom_csv_touch(out, 1.0 / 3.0, 18, &touch, 3);
    CHECK_STATUS(carom_csv_close(out, "x.csv", CAROM_OK, NULL), CAROM_OK);
    get("x.csv", bytes);
    CHECK_TEXT(bytes, "time,step,first,second,point_x,point_y,normal_x,normal_y,force_x,force_y,gap,dissipated\n"
                      "0.5,17,3,4,1,2,0,1,5,6,-0.10000000000000001,1.0000000000000001e+300\n"
                      "0.33333333333333331,18,3,4,1,2,3,0,1,0,5,6,7,-0.10000000000000001,1.0000000000000001e+300\n");
    CHECK(carom_csv_axis(3, "z") == 2 && carom_csv_axis(6, "xz") == 4 && carom_csv_axis(4, "x") == SIZE_MAX);
    out = fopen("x.csv", "w"); /* half a table is not left */
    CHECK_STATUS(carom_csv_close(out, "x.csv", CAROM_E_NUMERIC, NULL), CAROM_E_NUMERIC);
    CHECK(access("x.csv", F_OK) != 0);
    out = fopen("/dev/full", "w");
    struct carom_error error = {CAROM_OK, ""};
    fputs("time", out);
    CHECK_STATUS(carom_csv_close(out, "/dev/full", CAROM_OK, &error), CAROM_E_FILE);
    CHECK_TEXT(error.text, "/dev/full: could not be written: No space left on device");
}

int main(void)
{
    test_grid();
    test_faces();
    test_image();
    test_cut_short();
    test_series();
    test_vtkhdf();
    test_kept();
    test_csv();
    return check_end();
}
